/* What expressions of the file may name: parameters that have their value, splines, variables. */
#include "read/reader.h"

#include <stdio.h>
#include <string.h>

const carom_reader_parameter *carom_reader_parameter_find(const carom_reader *r, const char *name)
{
    for (size_t k = 0; k < r->parameter_count; k++)
        if (strcmp(r->parameters[k].name, name) == 0)
            return &r->parameters[k];
    return NULL;
}

/* ---- what a text is ---- */

static bool is_constant(const char *name)
{
    size_t count;
    const carom_expr_word *words = carom_expr_words(&count);
    for (size_t k = 0; k < count; k++)
        if (!words[k].is_function && !words[k].late && strcmp(words[k].name, name) == 0)
            return true;
    return false;
}

/* A word may hold hyphens, which are minus signs where a part names a parameter, or all parts name constants. */
bool carom_reader_is_word(const carom_reader *r, const char *text)
{
    if (!carom_is_letter(text[0]))
        return false;
    for (const char *c = text; *c; c++)
        if (!carom_is_word_char(*c) && *c != '-' && *c != '.')
            return false;
    bool all_constants = true;
    for (const char *part = text;; part++) {
        const char *end = strchr(part, '-');
        size_t length = end ? (size_t)(end - part) : strlen(part);
        char name[CAROM_NAME_LENGTH + 1];
        double number;
        if (length < sizeof name) {
            memcpy(name, part, length);
            name[length] = '\0';
            if (carom_reader_parameter_find(r, name))
                return false;
            all_constants = all_constants && (is_constant(name) || carom_parse_number(part, length, &number));
        } else {
            all_constants = false;
        }
        if (!end)
            return !all_constants;
        part = end;
    }
}

/* ---- names in an expression ---- */

typedef struct identifier {
    char name[CAROM_NAME_LENGTH + 1];
    size_t offset;      /* in the expression */
    bool may_be_object; /* stands alone as an argument: `spline(name, t)`, `angle(joint)` */
} identifier;

/* Moves *at behind a number such as 1.5e-3, so that its exponent is no name. */
static void skip_number(const char *text, size_t *at)
{
    size_t k = *at;
    while (carom_is_digit(text[k]) || text[k] == '.')
        k++;
    if (text[k] == 'e' || text[k] == 'E') {
        size_t digits = k + 1;
        if (text[digits] == '+' || text[digits] == '-')
            digits++;
        if (carom_is_digit(text[digits]))
            for (k = digits; carom_is_digit(text[k]);)
                k++;
    }
    *at = k;
}

/* Next name that is not a function's, from *at on; false at the end. */
static bool next_identifier(const char *text, size_t *at, identifier *out)
{
    char before = 0; /* last character that is no blank */
    for (size_t k = *at; text[k];) {
        if (carom_is_digit(text[k]) || text[k] == '.') {
            skip_number(text, &k);
            before = '0';
        } else if (carom_is_letter(text[k])) {
            size_t start = k;
            while (carom_is_word_char(text[k]))
                k++;
            size_t behind = k;
            while (text[behind] == ' ')
                behind++;
            if (text[behind] != '(' && k - start <= CAROM_NAME_LENGTH) {
                memcpy(out->name, text + start, k - start);
                out->name[k - start] = '\0';
                out->offset = start;
                out->may_be_object = (before == '(' || before == ',') && (text[behind] == ',' || text[behind] == ')');
                *at = k;
                return true;
            }
            before = 'a';
        } else {
            before = text[k] == ' ' ? before : text[k];
            k++;
        }
    }
    return false;
}

/* Names in the value of a parameter, `$name` included. */
static bool next_dependency(const carom_reader *r, const carom_reader_parameter *p, size_t *at, size_t *index)
{
    identifier id;
    while (next_identifier(p->text, at, &id)) {
        const carom_reader_parameter *other = carom_reader_parameter_find(r, id.name);
        if (other && !(carom_reader_is_word(r, p->text))) {
            *index = (size_t)(other - r->parameters);
            return true;
        }
    }
    return false;
}

/* ---- cycles ---- */

/* Writes "a -> b -> a" for the parameters on the stack. */
static void write_cycle(const carom_reader *r, const size_t *stack, size_t depth, char *text, size_t size)
{
    size_t n = 0;
    for (size_t k = 0; k <= depth && n + 80 < size; k++) {
        if (k == 6 && depth > 8) {
            n += (size_t)snprintf(text + n, size - n, "... -> ");
            k = depth - 1;
        }
        n +=
            (size_t)snprintf(text + n, size - n, "%s%s", r->parameters[stack[k % depth]].name, k < depth ? " -> " : "");
    }
}

/* Whether the value of parameter `from` needs that of `to`, which it is part of; then text becomes the cycle. A search
   in depth with its own stack, since a file may chain thousands of parameters. */
static carom_status find_cycle(const carom_reader *r, size_t from, size_t to, char *text, size_t size)
{
    size_t count = r->parameter_count, depth = 0;
    size_t *stack = carom_allocate(r->ctx, 3 * count + 2, sizeof *stack);
    if (!stack)
        return carom_fail_memory(r->ctx);
    size_t *cursor = stack + count + 1, *seen = cursor + count + 1;
    text[0] = '\0';
    stack[depth++] = to;
    stack[depth] = from;
    cursor[depth++] = 0;
    while (depth > 1) {
        size_t next;
        if (!next_dependency(r, &r->parameters[stack[depth - 1]], &cursor[depth - 1], &next)) {
            depth--;
        } else if (next == to) {
            write_cycle(r, stack, depth, text, size);
            break;
        } else if (!seen[next]) {
            seen[next] = 1;
            stack[depth] = next;
            cursor[depth++] = 0;
        }
    }
    carom_release(r->ctx, stack, 3 * count + 2, sizeof *stack);
    return CAROM_OK;
}

/* The value of `self` names the parameter `p`, which must stand before it. */
carom_status carom_check_order(const carom_reader *r, const carom_reader_parameter *p, const carom_place *place,
                               const carom_reader_parameter *self)
{
    size_t index = (size_t)(p - r->parameters);
    if (p == self)
        return carom_read_fail(r, place, "parameter '%s' is defined by itself: a cycle", p->name);
    if (index < r->defined)
        return CAROM_OK;
    char cycle[512];
    CAROM_TRY(find_cycle(r, index, (size_t)(self - r->parameters), cycle, sizeof cycle));
    if (cycle[0])
        return carom_read_fail(r, place, "parameters '%s' and '%s' need each other, a cycle: %s", self->name, p->name,
                               cycle);
    return carom_read_fail(r, place, "parameter '%s' is defined later, at line %d; move it before '%s'", p->name,
                           p->place.line, self->name);
}

carom_status carom_check_identifiers(const carom_reader *r, const char *text, const carom_place *place,
                                     const carom_reader_parameter *self)
{
    size_t at = 0;
    identifier id;
    while (next_identifier(text, &at, &id)) {
        const carom_reader_parameter *p = carom_reader_parameter_find(r, id.name);
        if (!p)
            continue;
        carom_place here = *place;
        here.column += (int)id.offset;
        if (self)
            CAROM_TRY(carom_check_order(r, p, &here, self));
        if (p->failed)
            return carom_fail_behind(r->ctx);
        if (p->is_word && !id.may_be_object)
            return carom_read_fail(r, &here,
                                   "parameter '%s' is the word '%.63s', not a number; where a word is wanted write $%s",
                                   p->name, p->word, p->name);
    }
    return CAROM_OK;
}

/* ---- scope ---- */

/* What a measure reads is checked when the model is compiled; here it only makes the value depend on the state. */
static int accept_measure(void *user, carom_context *ctx, const char *function, const char *const *arguments,
                          size_t count)
{
    (void)user;
    (void)ctx;
    (void)function;
    (void)arguments;
    (void)count;
    return 0;
}

const carom_reader_spline *carom_reader_find_spline(const carom_reader *r, const char *name)
{
    for (size_t k = 0; k < r->spline_count; k++)
        if (strcmp(r->splines[k].name, name) == 0)
            return &r->splines[k];
    return NULL;
}

static bool find_spline(void *user, const char *name, carom_edges *out)
{
    const carom_reader_spline *s = carom_reader_find_spline(user, name);
    if (!s)
        return false;
    *out = s->table;
    return true;
}

static bool spline_repeats(void *user, const char *name)
{
    const carom_reader_spline *s = carom_reader_find_spline(user, name);
    return s && s->repeats;
}

static const carom_reader_trajectory *find_trajectory(const carom_reader *r, const char *name)
{
    for (size_t k = 0; k < r->trajectory_count; k++)
        if (strcmp(r->trajectories[k].name, name) == 0)
            return &r->trajectories[k];
    return NULL;
}

static bool trajectory(void *user, const char *name, size_t *n, const double **x, const double **c, bool *repeats)
{
    const carom_reader_trajectory *t = find_trajectory(user, name);
    if (!t)
        return false;
    *n = t->count;
    *x = t->x;
    *c = t->coefficients;
    *repeats = t->repeats;
    return true;
}

static bool spline_dimensions(void *user, const char *name, carom_dimension out[2])
{
    const carom_reader_spline *s = carom_reader_find_spline(user, name);
    const carom_reader_trajectory *t = find_trajectory(user, name);
    const carom_dimension *of = s ? s->dimension : t ? t->dimension : NULL;
    for (int k = 0; of && k < 2; k++)
        out[k] = of[k];
    return of != NULL;
}

static int accept_variable(void *user, carom_context *ctx, size_t index)
{
    (void)user;
    (void)ctx;
    (void)index;
    return 0;
}

carom_expr_scope carom_reader_scope(const carom_reader *r, bool time, bool measures)
{
    return (carom_expr_scope){.names = r->names,
                              .values = r->values,
                              .count = r->count,
                              .time_allowed = time,
                              .measure = measures ? accept_measure : NULL,
                              .variables = r->variables,
                              .variable_count = r->variable_count,
                              .variable = time ? accept_variable : NULL,
                              .dimensions = r->dimensions,
                              .variable_dimensions = r->variable_dimensions,
                              .spline = find_spline,
                              .spline_repeats = spline_repeats,
                              .trajectory = trajectory,
                              .spline_dimensions = spline_dimensions,
                              .functions = r->spec->functions,
                              .function_count = r->spec->function_count,
                              .user = (void *)r};
}

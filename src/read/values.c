/* Scalars, vectors and texts of the model file, typed by the schema. */
#include "read/reader.h"

#include <stdio.h>
#include <string.h>

/* Puts the object and the key into the message of a failed expression, behind its place. */
static carom_status name_failure(const carom_reader *r, const carom_node *node, carom_status status)
{
    char text[CAROM_ERROR_TEXT];
    const char *error = carom_context_error(r->ctx);
    size_t file = node->place.file ? strlen(node->place.file) : 0;
    int line, column, length = 0;
    if (status != CAROM_ERROR_MODEL || !file || node->place.line == 0 || strncmp(error, node->place.file, file) != 0 ||
        sscanf(error + file, ":%d:%d: %n", &line, &column, &length) != 2 || length == 0)
        return status;
    carom_place place = {node->place.file, line, column};
    snprintf(text, sizeof text, "%s", error + file + length);
    const char *key = node->key ? node->key : "";
    return carom_read_fail(r, &place, "%s%s%s%s", *key ? "'" : "", key, *key ? "': " : "", text);
}

/* ---- references ---- */

static bool is_identifier(const char *text, size_t length)
{
    if (length == 0 || !carom_is_letter(text[0]))
        return false;
    for (size_t k = 1; k < length; k++)
        if (!carom_is_word_char(text[k]))
            return false;
    return true;
}

/* The name behind `$` if the whole text is `$name`, else NULL. */
static const char *reference_of(const char *text)
{
    return text[0] == '$' && is_identifier(text + 1, strlen(text + 1)) ? text + 1 : NULL;
}

/* The parameter that `$name` means; its value is known. */
static carom_status find_reference(const carom_reader *r, const carom_node *node, const char *name,
                                   const carom_reader_parameter **out)
{
    const carom_reader_parameter *p = carom_reader_parameter_find(r, name);
    if (!p) {
        char hint[CAROM_SUGGESTION] = "";
        const char *nearest = carom_nearest_name(name, r->all_names, r->parameter_count);
        if (nearest)
            snprintf(hint, sizeof hint, "; did you mean '$%.63s'?", nearest);
        return carom_read_fail(r, &node->place, "no parameter '%.63s' for '$%.63s'%s", name, name, hint);
    }
    if (p->failed)
        return carom_fail_behind(r->ctx);
    *out = p;
    return CAROM_OK;
}

/* ---- scalars ---- */

carom_status carom_read_scalar(const carom_reader *r, const carom_node *node, const char *what)
{
    if (node->type != CAROM_NODE_SCALAR)
        return carom_read_fail(r, &node->place, "%s%s%s%s is expected here, not a %s", node->key ? "'" : "",
                               node->key ? node->key : "", node->key ? "': " : "", what,
                               node->type == CAROM_NODE_MAPPING ? "mapping" : "list");
    if (!node->quoted && !*node->text) {
        const char *colon = node->key ? strchr(node->key, ':') : NULL;
        if (colon)
            return carom_read_fail(r, &node->key_place, "'%.80s' has no value; write a blank behind the ':'",
                                   node->key);
        return carom_read_fail(r, node->key ? &node->key_place : &node->place, "%s%.80s%s has no value; %s is expected",
                               node->key ? "'" : "", node->key ? node->key : "an entry of the list",
                               node->key ? "'" : "", what);
    }
    return CAROM_OK;
}

carom_status carom_read_text(const carom_reader *r, const carom_node *node, const char **out)
{
    CAROM_TRY(carom_read_scalar(r, node, "a text"));
    const char *name = reference_of(node->text);
    *out = node->text;
    if (!name)
        return CAROM_OK;
    const carom_reader_parameter *p = NULL;
    CAROM_TRY(find_reference(r, node, name, &p));
    if (!p->is_word)
        return carom_read_fail(r, &node->place, "a word is expected here, and parameter '%s' is the number %g", name,
                               p->number);
    *out = p->word;
    return CAROM_OK;
}

static bool is_no_number(const char *text)
{
    static const char *const words[] = {"nan", ".nan", "inf", ".inf", "infinity", "null", "~"};
    char lower[16];
    if (*text == '-' || *text == '+')
        text++;
    size_t length = strlen(text);
    if (length >= sizeof lower)
        return false;
    for (size_t k = 0; k <= length; k++)
        lower[k] = text[k] >= 'A' && text[k] <= 'Z' ? (char)(text[k] + 32) : text[k];
    for (size_t k = 0; k < CAROM_COUNT(words); k++)
        if (strcmp(lower, words[k]) == 0)
            return true;
    return false;
}

/* Refuses a value whose dimension is not that of the unit. */
static carom_status check_unit(const carom_reader *r, const carom_node *node, const char *unit,
                               const carom_dimension *dimension)
{
    char wanted[160], given[160];
    if (unit && r->its_unit && strncmp(unit, "its unit", 8) == 0)
        unit = unit[8] ? NULL : r->its_unit;
    if (carom_unit_fits(unit, r->units, dimension))
        return CAROM_OK;
    const char *key = node->key ? node->key : "";
    return carom_read_fail(r, &node->place, "%s%s%s%s is needed here, and '%.60s' is %s%s", *key ? "'" : "", key,
                           *key ? "': " : "", carom_unit_text(unit, r->units, wanted, sizeof wanted), node->text,
                           carom_dimension_text(dimension, given, sizeof given),
                           carom_unit_is_scaled(unit) ? "; nothing is converted, so divide by the unit" : "");
}

/* A literal, or `$name` of a number; *done says whether it was one. */
static carom_status read_literal(const carom_reader *r, const carom_node *node, double *out,
                                 carom_dimension *dimension, bool *done)
{
    *dimension = (carom_dimension){.kind = CAROM_DIMENSION_NUMBER};
    CAROM_TRY(carom_read_scalar(r, node, "a number"));
    *done = carom_parse_number(node->text, strlen(node->text), out);
    if (*done)
        return CAROM_OK;
    const char *name = reference_of(node->text);
    if (name) {
        const carom_reader_parameter *p = NULL;
        CAROM_TRY(find_reference(r, node, name, &p));
        if (p->is_word)
            return carom_read_fail(r, &node->place, "a number is expected here, and parameter '%s' is the word '%.63s'",
                                   name, p->word);
        *out = p->number;
        *dimension = p->dimension;
        *done = true;
        return CAROM_OK;
    }
    if (is_no_number(node->text) && !carom_reader_parameter_find(r, node->text))
        return carom_read_fail(r, &node->place, "'%s' is no finite number; give one%s", node->text,
                               node->key ? ", or leave the key out for its default" : "");
    return carom_check_identifiers(r, node->text, &node->place, NULL);
}

carom_status carom_read_quantity(const carom_reader *r, const carom_node *node, double *out,
                                 carom_dimension *dimension)
{
    bool done;
    CAROM_TRY(read_literal(r, node, out, dimension, &done));
    if (done)
        return CAROM_OK;
    carom_expr_scope scope = carom_reader_scope(r, false, false);
    return name_failure(r, node, carom_expr_quantity(r->ctx, &scope, node->text, &node->place, out, dimension));
}

carom_status carom_read_number(const carom_reader *r, const carom_node *node, const char *unit, double *out)
{
    carom_dimension dimension;
    CAROM_TRY(carom_read_quantity(r, node, out, &dimension));
    CAROM_TRY(check_unit(r, node, unit, &dimension));
    return carom_read_numbers_add(r->numbers, *out, unit);
}

carom_status carom_reader_number_copy(carom_reader *r, const char **text)
{
    const size_t word = strlen(CAROM_COPY_NAME);
    if (!r->copy || !strstr(*text, CAROM_COPY_NAME))
        return CAROM_OK;
    carom_text filled = {.ctx = r->ctx};
    for (const char *c = *text; *c; c++) {
        const bool begins = c == *text || !(carom_is_word_char(c[-1]) || c[-1] == '.');
        if (begins && strncmp(c, CAROM_COPY_NAME, word) == 0 && !carom_is_word_char(c[word])) {
            carom_text_append(&filled, "%zu", r->copy);
            c += word - 1;
        } else {
            carom_text_append(&filled, "%c", *c);
        }
    }
    *text = filled.failed ? NULL : carom_arena_text(r->arena, filled.data);
    carom_text_clear(&filled);
    return *text ? CAROM_OK : carom_fail_memory(r->ctx);
}

/* A number, or *expression of time. */
static carom_status find_time_number(carom_reader *r, const carom_node *node, const char *unit, bool measures,
                                     double *out, const char **expression)
{
    bool done;
    carom_dimension dimension;
    *expression = NULL;
    CAROM_TRY(read_literal(r, node, out, &dimension, &done));
    if (done)
        return check_unit(r, node, unit, &dimension);
    carom_expr_scope scope = carom_reader_scope(r, true, measures);
    carom_expr *expr;
    CAROM_TRY(name_failure(r, node, carom_expr_compile(&r->scratch, &scope, node->text, &node->place, &expr)));
    dimension = carom_expr_dimension(expr);
    CAROM_TRY(check_unit(r, node, unit, &dimension));
    if (!carom_expr_is_constant(expr)) {
        *out = 0;
        *expression = node->text;
        return carom_reader_number_copy(r, expression);
    }
    return name_failure(r, node, carom_expr_number(r->ctx, &scope, node->text, &node->place, out));
}

static carom_status read_time_number(carom_reader *r, const carom_node *node, const char *unit, bool measures,
                                     double *out, const char **expression)
{
    CAROM_TRY(find_time_number(r, node, unit, measures, out, expression));
    return carom_read_numbers_add(r->numbers, *out, unit);
}

carom_status carom_read_time_value(carom_reader *r, const carom_node *node, const char *unit, bool measures,
                                   carom_value *out)
{
    const char *expression;
    CAROM_TRY(read_time_number(r, node, unit, measures, &out->number[0], &expression));
    out->type = expression ? CAROM_VALUE_EXPRESSION : CAROM_VALUE_NUMBER;
    out->size = 1;
    out->text = expression;
    out->place = node->place;
    return CAROM_OK;
}

/* ---- vectors ---- */

static carom_status check_length(const carom_reader *r, const carom_node *node, int n)
{
    static const char *const forms[] = {"", "[x]", "[x, y]", "[x, y, z]"};
    const char *form = n <= 3 ? forms[n] : "[...]";
    const char *key = node->key ? node->key : "this";
    if (node->type != CAROM_NODE_LIST)
        return carom_read_fail(r, &node->place, "'%.63s' takes a list of %d numbers, %s", key, n, form);
    if (node->count != (size_t)n)
        return carom_read_fail(r, &node->place, "'%.63s' takes %d numbers, %s, and has %zu", key, n, form, node->count);
    return CAROM_OK;
}

carom_status carom_read_vector(const carom_reader *r, const carom_node *node, const char *unit, int n, double *out)
{
    CAROM_TRY(check_length(r, node, n));
    for (const carom_node *part = node->first; part; part = part->next)
        CAROM_TRY(carom_read_number(r, part, unit, out++));
    carom_read_numbers_join(r->numbers, (size_t)n);
    return CAROM_OK;
}

carom_status carom_read_vector_value(carom_reader *r, const carom_node *node, const char *unit, int n, bool time,
                                     carom_value *out)
{
    CAROM_TRY(check_length(r, node, n));
    carom_place *places = carom_arena_alloc(r->arena, (size_t)n, sizeof *places);
    if (!places)
        return carom_fail_memory(r->ctx);
    int k = 0;
    for (const carom_node *part = node->first; part; part = part->next, k++) {
        places[k] = part->place;
        if (time)
            CAROM_TRY(read_time_number(r, part, unit, true, &out->number[k], &out->expression[k]));
        else
            CAROM_TRY(carom_read_number(r, part, unit, &out->number[k]));
    }
    carom_read_numbers_join(r->numbers, (size_t)n);
    out->type = CAROM_VALUE_VECTOR;
    out->size = n;
    out->place = node->place;
    out->places = places;
    return CAROM_OK;
}

carom_status carom_read_points(carom_reader *r, const carom_node *node, const char *unit, const double **out)
{
    const char *key = node->key ? node->key : "this";
    if (node->type != CAROM_NODE_LIST || node->count == 0)
        return carom_read_fail(r, &node->place, "'%.63s' takes a list of points, [[x, y], [x, y]]", key);
    double *points = carom_arena_alloc(r->arena, 2 * node->count, sizeof *points);
    if (!points)
        return carom_fail_memory(r->ctx);
    *out = points;
    for (const carom_node *part = node->first; part; part = part->next, points += 2) {
        if (part->type != CAROM_NODE_LIST)
            return carom_read_fail(r, &part->place, "'%.63s' takes a list of points, each [x, y]", key);
        CAROM_TRY(carom_read_vector(r, part, unit, 2, points));
    }
    return CAROM_OK;
}

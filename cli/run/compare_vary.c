/* What `carom compare` varies: names, values, ranges, and the variants that they make. */
#include "run/compare.h"
#include "support/ranges.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define STEM_LENGTH 180 /* bytes of a file's name, without what makes it unique and the ending */

/* ---- values ---- */

/* Takes a new text. */
static int add_value(varied *v, char *value)
{
    char **values = value ? realloc(v->values, (v->count + 1) * sizeof *values) : NULL;
    if (!values) {
        free(value);
        return memory_error();
    }
    v->values = values;
    for (size_t k = 0; k < v->count; k++)
        if (strcmp(values[k], value) == 0) {
            int code = usage_error("compare", "--vary %s: the value '%s' is there twice", v->name, value);
            free(value);
            return code;
        }
    if (v->count == MOST_VARIANTS) {
        free(value);
        return usage_error("compare", "--vary %s: more than %d values", v->name, MOST_VARIANTS);
    }
    values[v->count++] = value;
    return EXIT_DONE;
}

/* Adds the numbers of a range first:last:step. */
static int add_range(const session *s, varied *v, const char *range, char *const parts[3])
{
    double number[3];
    for (int k = 0; k < 3; k++)
        if (carom_law_number(s->ctx, "--vary", parts[k], &number[k]) != CAROM_OK || !isfinite(number[k]))
            return usage_error("compare", "--vary %s: in the range '%s' '%s' is not a number", v->name, range,
                               parts[k]);
    double steps = range_steps(number);
    if (!(steps >= 0) || !isfinite(steps))
        return usage_error("compare", "--vary %s: the range '%s' never gets from %.10g to %.10g by steps of %.10g",
                           v->name, range, number[0], number[1], number[2]);
    if (steps >= MOST_VARIANTS)
        return usage_error("compare", "--vary %s: the range '%s' has more than %d values", v->name, range,
                           MOST_VARIANTS);
    int code = EXIT_DONE;
    for (size_t k = 0; k <= (size_t)steps && code == EXIT_DONE; k++) {
        char text[40];
        range_text(number, k, text);
        code = add_value(v, format_text("%s", text));
    }
    return code;
}

/* Adds a value or a range; the text is cut into its parts. */
static int add_item(const session *s, varied *v, char *item)
{
    if (*item == '\0')
        return usage_error("compare", "--vary %s: a value is empty", v->name);
    char *range = format_text("%s", item), *parts[4] = {item};
    if (!range)
        return memory_error();
    int count = 1;
    for (char *end = part_end(item, ':'); *end && count < 4; end = part_end(end + 1, ':')) {
        *end = '\0';
        parts[count++] = end + 1;
    }
    for (int k = 0; k < count; k++)
        parts[k] = trim(parts[k]);
    int code;
    if (count == 1)
        code = add_value(v, format_text("%s", parts[0]));
    else if (count == 3)
        code = add_range(s, v, range, parts);
    else
        code = usage_error("compare", "--vary %s: '%s' is no range; one is written first:last:step", v->name, range);
    free(range);
    return code;
}

/* Whether --set replaces the parameter. */
static bool is_set(const text_list *set, const char *name)
{
    size_t length = strlen(name);
    for (size_t k = 0; k < set->count; k++) {
        const char *text = set->items[k] + strspn(set->items[k], " ");
        if (strncmp(text, name, length) == 0 && text[length + strspn(text + length, " ")] == '=')
            return true;
    }
    return false;
}

static int read_one(const session *s, comparison *c, const char *text)
{
    varied *v = &c->varied[c->varied_count];
    char *copy = format_text("%s", text);
    if (!copy)
        return memory_error();
    c->varied_count++;
    char *equals = strchr(copy, '=');
    if (equals)
        *equals = '\0';
    v->name = format_text("%s", trim(copy));
    int code = v->name ? EXIT_DONE : memory_error();
    if (code == EXIT_DONE && (!equals || !*v->name))
        code = usage_error("compare", "--vary takes NAME=VALUE,VALUE,..., not '%s'", text);
    for (size_t k = 0; k + 1 < c->varied_count && code == EXIT_DONE; k++)
        if (strcmp(c->varied[k].name, v->name) == 0)
            code = usage_error("compare", "'%s' is varied twice; give all its values to one --vary", v->name);
    if (code == EXIT_DONE && is_set(&c->options->run.set, v->name))
        code = usage_error("compare", "'%s' is both set and varied", v->name);
    for (char *item = equals ? equals + 1 : NULL; item && code == EXIT_DONE;) {
        char *end = part_end(item, ',');
        bool last = *end == '\0';
        *end = '\0';
        code = add_item(s, v, trim(item));
        item = last ? NULL : end + 1;
    }
    free(copy);
    return code;
}

int read_varied(const session *s, comparison *c)
{
    const text_list *vary = &c->options->vary;
    if (vary->count == 0)
        return usage_error("compare", "--vary NAME=VALUE,VALUE,... is missing");
    if (vary->count > MOST_VARIED)
        return usage_error("compare", "more than %d parameters are varied", MOST_VARIED);
    int code = EXIT_DONE;
    c->count = 1;
    for (size_t k = 0; k < vary->count && code == EXIT_DONE; k++) {
        code = read_one(s, c, vary->items[k]);
        c->count *= c->varied[k].count;
        if (code == EXIT_DONE && c->count > MOST_VARIANTS)
            code = usage_error("compare", "there are more than %d variants", MOST_VARIANTS);
    }
    return code;
}

/* ---- variants ---- */

/* Adds a text to one on the heap; NULL when out of memory, the first is freed. */
static char *join(char *text, const char *more)
{
    char *longer = text && more ? format_text("%s%s", text, more) : NULL;
    free(text);
    return longer;
}

/* Name of a file from the values: what may not stand in one on every file system becomes an underscore. */
static char *make_stem(const comparison *c, const variant *v)
{
    char *stem = format_text("%s", c->model_name);
    for (size_t k = 0; stem && k < c->varied_count; k++) {
        char *part = format_text("-%s=%s", c->varied[k].name, v->values[k]);
        for (char *p = part; p && *p; p++)
            if (!isalnum((unsigned char)*p) && !strchr("._+-=", *p))
                *p = '_';
        stem = join(stem, part);
        free(part);
    }
    if (stem && strlen(stem) > STEM_LENGTH)
        stem[STEM_LENGTH] = '\0';
    return stem;
}

/* A number behind a stem that one of the variants before has, also where capitals make no difference. */
static bool make_unique(comparison *c, size_t index)
{
    variant *v = &c->variants[index];
    size_t number = 1;
    char *stem = format_text("%s", v->stem);
    for (size_t k = 0; stem && k < index; k++)
        if (strcasecmp(c->variants[k].stem, stem) == 0) {
            free(stem);
            stem = format_text("%s_%zu", v->stem, ++number);
            k = (size_t)-1; /* from the beginning */
        }
    free(v->stem);
    v->stem = stem;
    return stem;
}

bool compare_option(run_options *options, const char *name, const char *value)
{
    const struct {
        const char *name, **to;
    } keys[] = {{"integrator", &options->integrator}, {"formulation", &options->formulation}};
    for (size_t k = 0; k < COUNT(keys); k++)
        if (strcmp(name, keys[k].name) == 0) {
            *keys[k].to = value;
            return true;
        }
    return false;
}

/* Label, overrides, options and file of a variant whose values are chosen. */
static bool fill_variant(comparison *c, size_t index)
{
    variant *v = &c->variants[index];
    const text_list *set = &c->options->run.set;
    v->options = c->options->run;
    v->label = format_text("%s", "");
    v->overrides = calloc(c->varied_count, sizeof *v->overrides);
    v->set.items = calloc(set->count + c->varied_count, sizeof *v->set.items);
    if (!v->overrides || !v->set.items)
        return false;
    for (size_t k = 0; k < set->count; k++)
        v->set.items[v->set.count++] = set->items[k];
    for (size_t k = 0; k < c->varied_count; k++) {
        char *part = format_text("%s%s = %s", k > 0 ? ", " : "", c->varied[k].name, v->values[k]);
        v->label = join(v->label, part);
        free(part);
        v->overrides[k] = format_text("%s=%s", c->varied[k].name, v->values[k]);
        if (!v->overrides[k])
            return false;
        if (!compare_option(&v->options, c->varied[k].name, v->values[k]))
            v->set.items[v->set.count++] = v->overrides[k];
    }
    v->options.set = v->set;
    v->options.quiet = true; /* the comparison speaks for all */
    v->stem = make_stem(c, v);
    return v->label && v->stem && make_unique(c, index);
}

int make_variants(comparison *c)
{
    c->variants = calloc(c->count, sizeof *c->variants);
    if (!c->variants)
        return memory_error();
    for (size_t k = 0; k < c->count; k++) {
        size_t rest = k; /* the last --vary changes fastest */
        for (size_t i = c->varied_count; i-- > 0; rest /= c->varied[i].count)
            c->variants[k].values[i] = c->varied[i].values[rest % c->varied[i].count];
        if (!fill_variant(c, k))
            return memory_error();
    }
    return EXIT_DONE;
}

void free_variants(comparison *c)
{
    for (size_t k = 0; c->variants && k < c->count; k++) {
        variant *v = &c->variants[k];
        run_job_free(&v->job);
        carom_model_free(v->model);
        carom_document_free(v->document);
        session_close(&v->session);
        for (size_t i = 0; v->overrides && i < c->varied_count; i++)
            free(v->overrides[i]);
        free(v->overrides);
        free(v->set.items);
        free(v->label);
        free(v->stem);
        free(v->error);
    }
    free(c->variants);
    for (size_t k = 0; k < c->varied_count; k++) {
        for (size_t i = 0; i < c->varied[k].count; i++)
            free(c->varied[k].values[i]);
        free(c->varied[k].values);
        free(c->varied[k].name);
    }
    free(c->model_name);
    free(c->report);
    free(c->report_error);
}

/* `carom plot STORE`: reads the table of a sweep, chooses the figure that its sampling asks for, draws it. */
#include "plot/plot_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/table.h"

static void free_table(study_table *t)
{
    for (size_t k = 0; k < t->block_count; k++)
        free(t->blocks[k]);
    free(t->blocks);
    free(t->columns);
    free(t->values);
    carom_store_close(t->store);
}

/* ---- the table ---- */

static int list_columns(study_table *t)
{
    t->column_count = t->info.parameters + t->info.quantities;
    t->columns = calloc(t->column_count + 1, sizeof *t->columns);
    if (!t->columns)
        return memory_error();
    for (size_t k = 0; k < t->column_count; k++) {
        study_column *c = &t->columns[k];
        carom_study_parameter p;
        carom_study_quantity q;
        c->study = t->study;
        c->is_parameter = k < t->info.parameters;
        if (c->is_parameter) {
            carom_study_get_parameter(t->study, k, &p);
            c->name = p.name;
            c->parameter = k;
            c->is_word = p.words != NULL;
            c->log = p.log;
            c->unit = carom_store_unit(t->store, false, k);
        } else {
            carom_study_get_quantity(t->study, k - t->info.parameters, &q);
            c->name = q.name;
            c->unit = carom_store_unit(t->store, true, k - t->info.parameters);
        }
    }
    return EXIT_DONE;
}

/* A value of --where, and its column. */
typedef struct condition {
    size_t column;
    double value;
} condition;

typedef struct reading {
    study_table *table;
    const condition *conditions;
    size_t count;
    bool failed;
} reading;

static carom_status keep_row(void *user, const carom_store_row *row)
{
    reading *r = user;
    study_table *t = r->table;
    for (size_t k = 0; k < r->count; k++) {
        const double value = row->parameters[r->conditions[k].column], wanted = r->conditions[k].value;
        if (fabs(value - wanted) > 1e-9 * fmax(fabs(value), fabs(wanted)))
            return CAROM_OK;
    }
    if (t->rows == t->capacity) {
        const size_t more = t->capacity ? 2 * t->capacity : 256;
        double *values = realloc(t->values, more * t->column_count * sizeof *values);
        if (!values) {
            r->failed = true;
            return CAROM_ERROR_MEMORY;
        }
        t->values = values;
        t->capacity = more;
    }
    double *to = t->values + t->rows++ * t->column_count;
    memcpy(to, row->parameters, t->info.parameters * sizeof *to);
    memcpy(to + t->info.parameters, row->quantities, t->info.quantities * sizeof *to);
    return CAROM_OK;
}

static int unknown_name(const study_table *t, const char *name, const char *what, size_t first, size_t end)
{
    const char **names = calloc(end - first + 1, sizeof *names);
    if (!names)
        return memory_error();
    for (size_t k = first; k < end; k++)
        names[k - first] = t->columns[k].name;
    const char *nearest = carom_nearest_name(name, names, end - first);
    const int code = nearest ? usage_error("plot", "the sweep has no %s '%s'; did you mean '%s'?", what, name, nearest)
                             : usage_error("plot", "the sweep has no %s '%s'; `--list` names them", what, name);
    free(names);
    return code;
}

static int find_column(const study_table *t, const char *name, const char *what, size_t first, size_t end, size_t *out)
{
    for (*out = first; *out < end; ++*out)
        if (strcmp(t->columns[*out].name, name) == 0)
            return EXIT_DONE;
    return unknown_name(t, name, what, first, end);
}

/* One NAME=VALUE of --where. */
static int read_condition(const session *s, const study_table *t, const char *text, condition *out)
{
    char name[128];
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return usage_error("plot", "--where '%s' is not of the form NAME=VALUE", text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    const int code = find_column(t, name, "parameter", 0, t->info.parameters, &out->column);
    if (code != EXIT_DONE)
        return code;
    carom_study_parameter p;
    carom_study_get_parameter(t->study, out->column, &p);
    for (size_t k = 0; p.words && k < p.values; k++)
        if (strcmp(p.words[k], equals + 1) == 0) {
            out->value = (double)k;
            return EXIT_DONE;
        }
    if (p.words)
        return usage_error("plot", "parameter '%s' has no value '%s'", name, equals + 1);
    const carom_status status = carom_law_number(s->ctx, "plot: --where", equals + 1, &out->value);
    return status == CAROM_OK ? EXIT_DONE : session_fail(s, EXIT_USAGE, "%s", carom_context_error(s->ctx));
}

static int read_rows(const session *s, study_table *t, const plot_options *o)
{
    condition *conditions = calloc(o->where.count + 1, sizeof *conditions);
    int code = conditions ? EXIT_DONE : memory_error();
    for (size_t k = 0; k < o->where.count && code == EXIT_DONE; k++)
        code = read_condition(s, t, o->where.items[k], &conditions[k]);
    if (code == EXIT_DONE) {
        reading r = {.table = t, .conditions = conditions, .count = o->where.count};
        const carom_status status = carom_store_each(t->store, keep_row, &r);
        if (status != CAROM_OK)
            code = r.failed ? memory_error() : session_error(s, status);
    }
    if (code == EXIT_DONE && t->rows == 0)
        code = usage_error("plot", "%s",
                           o->where.count ? "no run has these values; `SELECT DISTINCT` them in the store"
                                          : "the store has no runs yet");
    free(conditions);
    return code;
}

static int open_table(const session *s, study_table *t, const plot_options *o)
{
    const carom_status status = carom_store_open(s->ctx, o->result, &t->store);
    if (status != CAROM_OK)
        return session_error(s, status);
    t->study = carom_store_study(t->store);
    t->info = carom_study_get_info(t->study);
    const int code = list_columns(t);
    return code == EXIT_DONE ? read_rows(s, t, o) : code;
}

static void list_names(const study_table *t)
{
    for (size_t k = 0; k < t->column_count; k++) {
        const study_column *c = &t->columns[k];
        printf("%-10s %s%s%s%s\n", c->is_parameter ? "parameter" : "quantity", c->name, c->unit ? " [" : "",
               c->unit ? c->unit : "", c->unit ? "]" : "");
    }
}

/* ---- the figure ---- */

/* Quantities that were named, or all that have values. */
static int choose_quantities(study_table *t, const plot_options *o, size_t *out, size_t *count)
{
    *count = 0;
    for (size_t k = 0; k < o->channel_count; k++) {
        const int code = find_column(t, o->channels[k], "quantity", t->info.parameters, t->column_count, &out[k]);
        if (code != EXIT_DONE)
            return code;
        ++*count;
    }
    for (size_t c = t->info.parameters; o->channel_count == 0 && c < t->column_count; c++) {
        bool any = false;
        for (size_t k = 0; k < t->rows && !any; k++)
            any = isfinite(study_at(t, k, c));
        if (any)
            out[(*count)++] = c;
    }
    return *count > 0 ? EXIT_DONE : usage_error("plot", "no run has a value of any quantity");
}

enum { AS_CURVES, AS_CONTOUR, AS_SCATTER, AS_BARS, AS_SENSITIVITY, KINDS };

static int choose_kind(const study_table *t, const plot_options *o, int *kind)
{
    static const char *const names[KINDS] = {"curves", "contour", "scatter", "bars", "sensitivity"};
    const char *sampler = t->info.sampler;
    for (*kind = 0; o->as && *kind < KINDS; ++*kind)
        if (strcmp(o->as, names[*kind]) == 0)
            return EXIT_DONE;
    if (o->as)
        return usage_error("plot", "--as takes curves, contour, scatter, bars or sensitivity, not '%s'", o->as);
    bool numbers = false;
    for (size_t k = 0; k < t->info.parameters; k++)
        numbers = numbers || !t->columns[k].is_word;
    if (strcmp(sampler, "saltelli") == 0 || strcmp(sampler, "morris") == 0)
        *kind = AS_SENSITIVITY;
    else if (strcmp(sampler, "grid") == 0 || strcmp(sampler, "list") == 0)
        *kind = numbers ? AS_CURVES : AS_BARS;
    else
        *kind = AS_SCATTER;
    return EXIT_DONE;
}

static int fill_figures(const session *s, study_table *t, const plot_options *o, size_t *panels)
{
    size_t *quantities = study_block(t, t->column_count + o->channel_count, sizeof *quantities), count;
    int kind, code = quantities ? EXIT_DONE : memory_error();
    if (code == EXIT_DONE)
        code = choose_quantities(t, o, quantities, &count);
    if (code == EXIT_DONE)
        code = choose_kind(t, o, &kind);
    if (code != EXIT_DONE)
        return code;
    if (kind == AS_SENSITIVITY)
        code = study_sensitivity(s, t, o, quantities, count);
    else if (kind == AS_SCATTER)
        code = study_scatter(t, o, quantities, count);
    else
        code = (kind == AS_CURVES ? study_curves
                : kind == AS_BARS ? study_bars
                                  : study_contour)(t, o, quantities, count);
    *panels = kind == AS_SCATTER ? t->figure_count / count : (size_t)ceil(sqrt((double)t->figure_count));
    return code;
}

/* Small pages where there are many. */
static void set_sizes(study_table *t, const plot_options *o, size_t columns)
{
    carom_figure *first = &t->figures[0];
    if (o->size || t->figure_count == 1)
        return;
    first->width = columns > 3 ? 60 : 90;
    first->height = columns > 3 ? 45 : 65;
    first->title = o->title;
}

int plot_store(const session *s, plot_options *o)
{
    study_table *t = calloc(1, sizeof *t);
    if (!t)
        return memory_error();
    char *name = o->output ? NULL : sibling_name(o->result, ".svg");
    const char *path = o->output ? o->output : name;
    size_t columns = 1;
    int code = path ? check_figure_path("plot", path) : memory_error();
    if (code == EXIT_DONE)
        code = read_look(s, o);
    if (code == EXIT_DONE)
        code = open_table(s, t, o);
    if (code == EXIT_DONE && o->list) {
        list_names(t);
    } else if (code == EXIT_DONE) {
        code = fill_figures(s, t, o, &columns);
        if (code == EXIT_DONE) {
            set_sizes(t, o, columns);
            const carom_status status = carom_figures_draw(s->ctx, t->figures, t->figure_count, columns, path);
            code = status == CAROM_OK ? EXIT_DONE : session_error(s, status);
        }
        if (code == EXIT_DONE && t->note[0])
            printf("%s\n", t->note);
        if (code == EXIT_DONE && name)
            printf("figure  %s\n", name);
    }
    free(name);
    free_table(t);
    free(t);
    return code;
}

/* What records are compared with where a law alone makes the predictions: the names that expressions may read. */
#include "fit/fit.h"

#include <stdio.h>

typedef struct output {
    const char *name, *unit;
} output;

static const output curves[CAROM_LAW_CURVES] = {[CAROM_LAW_FORCE] = {"force", "N"},
                                                [CAROM_LAW_INDENTATION] = {"indentation", "m"},
                                                [CAROM_LAW_RATE] = {"rate", "m/s"}};
static const output numbers[CAROM_LAW_NUMBERS] = {[CAROM_LAW_E_GOT] = {"e_got", "1"},
                                                  [CAROM_LAW_V_IN] = {"v_in", "m/s"},
                                                  [CAROM_LAW_V_OUT] = {"v_out", "m/s"},
                                                  [CAROM_LAW_PEAK_FORCE] = {"peak_force", "N"},
                                                  [CAROM_LAW_PEAK_INDENTATION] = {"peak_indentation", "m"},
                                                  [CAROM_LAW_MAX_INDENTATION] = {"max_indentation", "m"},
                                                  [CAROM_LAW_DURATION] = {"duration", "s"},
                                                  [CAROM_LAW_ENERGY_LOST] = {"energy_lost", "J"}};

const char *carom_fit_law_unit(const carom_context *ctx, const char *name)
{
    carom_law_param p;
    if (strcmp(name, "mass") == 0)
        return "kg";
    if (strcmp(name, "speed") == 0)
        return "m/s";
    for (size_t k = 0; carom_law_param_at(ctx, k, &p); k++)
        if (strcmp(p.name, name) == 0)
            return p.unit;
    return NULL;
}

/* The names of an expression, in the order of what carom_fit_run_law() gives it. */
typedef struct names {
    const char *items[CAROM_LAW_READS];
    carom_dimension dimensions[CAROM_LAW_READS];
    size_t count;
} names;

static void add_name(names *n, const char *name, const char *unit)
{
    n->items[n->count] = name;
    n->dimensions[n->count++] =
        unit ? carom_unit_dimension(unit, CAROM_UNIT_ANY) : (carom_dimension){.kind = CAROM_DIMENSION_FREE};
}

static void list_names(const carom_fit *f, const carom_record *r, names *n)
{
    const bool curve = r->kind != CAROM_RECORD_ROWS;
    const output *outputs = curve ? curves : numbers;
    for (size_t k = 0; k < (size_t)(curve ? CAROM_LAW_CURVES : CAROM_LAW_NUMBERS); k++)
        add_name(n, outputs[k].name, outputs[k].unit);
    for (size_t k = 0; k < f->unknown_count; k++) {
        /* another record's are no names here, and keep their place */
        const bool own = f->unknowns[k].record == CAROM_FIT_NONE || &f->records[f->unknowns[k].record] == r;
        add_name(n, own ? f->unknowns[k].name : "", carom_fit_law_unit(f->arena.ctx, f->unknowns[k].name));
    }
    for (size_t k = 0; k < r->each_count; k++)
        add_name(n, r->each[k].name, r->each[k].unit ? NULL : carom_fit_law_unit(f->arena.ctx, r->each[k].name));
}

static int find_variable(void *user, carom_context *ctx, size_t index)
{
    (void)user;
    (void)ctx;
    return (int)index;
}

static carom_status check_dimension(carom_fit *f, const carom_record *r, const carom_response *q)
{
    const carom_dimension d = carom_expr_dimension(q->expr);
    carom_dimension sum;
    char own[96], other[96];
    if (!carom_dimension_is_known(&d) || carom_dimension_is_pure(&d))
        return CAROM_OK;
    const char *unit = carom_dimension_unit(&d, other, sizeof other);
    if (!q->unit)
        return carom_study_fail(f->arena.ctx, &q->place,
                                "column '%s' of '%s' has no unit: write `%s [%s]`, or what it is in, as the key of "
                                "`compare` or as the heading of the column",
                                q->column, r->name, q->column, unit ? unit : "mm");
    if (carom_dimension_sum(d, q->dimension, &sum))
        return CAROM_OK;
    return carom_study_fail(f->arena.ctx, &q->place, "column '%s' is %s, and what it is compared with is %s", q->column,
                            carom_dimension_text(&q->dimension, own, sizeof own),
                            carom_dimension_text(&d, other, sizeof other));
}

/* The columns of `each` are parameters of the law, or mass and speed, or of expressions alone. */
static carom_status check_each(carom_fit *f, const carom_record *r)
{
    for (size_t k = 0; k < r->each_count; k++) {
        const carom_each *e = &r->each[k];
        const char *unit = carom_fit_law_unit(f->arena.ctx, e->name);
        if (!unit || strcmp(unit, "-") == 0 || strcmp(unit, "1") == 0)
            continue;
        CAROM_TRY(carom_fit_check_each(f, e, unit));
    }
    return CAROM_OK;
}

/* A sentence of what there is behind an error of names. */
static carom_status tell_names(carom_fit *f, const carom_record *r, carom_status status)
{
    char text[CAROM_ERROR_TEXT / 2];
    snprintf(text, sizeof text, "%.*s", (int)sizeof text - 1, carom_context_error(f->arena.ctx));
    if (status != CAROM_ERROR_MODEL)
        return status;
    return carom_fail(f->arena.ctx, status, NULL, "%s; of the law there are here %s, and the parameters", text,
                      r->kind == CAROM_RECORD_ROWS ? "e_got, v_in, v_out, peak_force, peak_indentation, "
                                                     "max_indentation, "
                                                     "duration and energy_lost"
                                                   : "force, indentation and rate");
}

carom_status carom_fit_compile_law_items(carom_fit *f)
{
    for (size_t k = 0; k < f->record_count; k++)
        CAROM_TRY(check_each(f, &f->records[k]));
    for (size_t k = 0; k < f->response_count; k++) {
        carom_response *q = &f->responses[k];
        const carom_record *r = &f->records[q->record];
        names n = {.count = 0};
        list_names(f, r, &n);
        const carom_expr_scope scope = {.time_allowed = r->kind == CAROM_RECORD_TIME,
                                        .variables = n.items,
                                        .variable_count = n.count,
                                        .variable = find_variable,
                                        .variable_dimensions = n.dimensions};
        const carom_status status = carom_expr_compile(&f->arena, &scope, q->text, &q->place, &q->expr);
        if (status != CAROM_OK)
            return tell_names(f, r, status);
        if (carom_expr_switch_count(q->expr) > CAROM_PROGRAM_SWITCHES)
            return carom_study_fail(f->arena.ctx, &q->place, "it has more than %d conditions", CAROM_PROGRAM_SWITCHES);
        CAROM_TRY(check_dimension(f, r, q));
    }
    return CAROM_OK;
}

void carom_fit_law_reads(const carom_fit *f, size_t record, size_t run, const double *values, double *out)
{
    const carom_record *r = &f->records[record];
    size_t at = r->kind == CAROM_RECORD_ROWS ? CAROM_LAW_NUMBERS : CAROM_LAW_CURVES;
    for (size_t k = 0; k < f->unknown_count; k++)
        out[at++] = values[k];
    for (size_t k = 0; k < r->each_count; k++)
        out[at++] = r->each[k].values[run];
}

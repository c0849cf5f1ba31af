/* Records of inputs; inputs at an instant, set or from a record; expressions whose time derivatives are wanted. */
#include "dynamics/dynamics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

carom_jet carom_dynamics_input(const carom_evaluation *d, const carom_state *s, int input, double t)
{
    const carom_edges *record = d->system->records ? &d->system->records[input] : NULL;
    if (!record || !record->n)
        return (carom_jet){s->input[input], 0, 0};
    const int segment = s->input_segment[input];
    if (segment < 1 || (size_t)segment >= record->n)
        return (carom_jet){record->y[segment < 1 ? 0 : record->n - 1], 0, 0};
    carom_jet out;
    carom_spline_segment(record, segment, t, &out.value, &out.rate, &out.acceleration);
    return out;
}

carom_jet carom_dynamics_jet(carom_evaluation *d, const carom_state *s, int expr, double t)
{
    const carom_model *m = d->model;
    const carom_model_expr *e = &m->exprs[expr];
    const int *switches = s->switches + e->first_switch;
    if (!e->uses_measures)
        return carom_expr_jet(e->expr, t, switches);
    for (int k = 0; k < m->measure_count; k++)
        if (m->measures[k].type == CAROM_MEASURE_INPUT)
            d->measure_jets[k] = carom_dynamics_input(d, s, m->measures[k].a, t);
    return carom_expr_jet_of(e->expr, t, d->measure_jets, switches);
}

/* ---- records ---- */

carom_status carom_records_find(carom_context *ctx, carom_arena *arena, const carom_model *m, const char *name,
                                const char *before, int *out)
{
    for (*out = 0; *out < m->input_count; ++*out)
        if (strcmp(m->inputs[*out].name, name) == 0)
            return CAROM_OK;
    const char **names = carom_arena_alloc(arena, (size_t)m->input_count, sizeof *names);
    if (!names)
        return carom_fail_memory(ctx);
    for (int k = 0; k < m->input_count; k++)
        names[k] = m->inputs[k].name;
    const char *nearest = carom_nearest_name(name, names, (size_t)m->input_count);
    return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%sthe model has no input '%.63s'%s%s%s", before, name,
                      nearest ? "; did you mean '" : m->input_count ? "" : "; it has none", nearest ? nearest : "",
                      nearest ? "'?" : "");
}

static carom_status check_record(carom_context *ctx, const carom_spline_def *def)
{
    const char *fault = !def->x || !def->y || def->count < 2 ? "needs two points or more" : NULL;
    if (def->ends && strcmp(def->ends, "periodic") == 0)
        fault = "is periodic; the record of an input is natural or clamped";
    for (size_t k = 0; k < def->count && !fault; k++)
        if (!isfinite(def->x[k]) || !isfinite(def->y[k]) || (k > 0 && !(def->x[k] > def->x[k - 1])))
            fault = "has points whose times do not ascend, or that are not finite";
    return fault ? carom_fail(ctx, CAROM_ERROR_USAGE, &def->place, "the record of input '%.63s' %s", def->name, fault)
                 : CAROM_OK;
}

/* Refuses a record in units of another dimension than the input has, or that of the times. */
static carom_status check_units(carom_context *ctx, const carom_model_input *input, const carom_spline_def *def)
{
    const char *wanted[2] = {"s", input->unit};
    char words[160], given[160];
    for (int k = 0; k < 2; k++) {
        carom_dimension d = carom_unit_dimension(def->units[k], CAROM_UNIT_ANY);
        if (carom_dimension_is_known(&d))
            d.kind = CAROM_DIMENSION_QUANTITY;
        if (carom_unit_fits(wanted[k], CAROM_UNIT_ANY, &d))
            continue;
        return carom_fail(ctx, CAROM_ERROR_MODEL, &def->place, "input '%s' needs %s%s, and its record has %s%s",
                          input->name, k == 0 ? "times, " : "",
                          carom_unit_text(wanted[k], CAROM_UNIT_ANY, words, sizeof words),
                          carom_dimension_text(&d, given, sizeof given),
                          carom_unit_is_scaled(wanted[k])
                              ? "; records are converted to SI, so give the input the SI unit, or the heading none"
                              : "; mend the unit in the heading of the record, or that of the input");
    }
    return CAROM_OK;
}

/* Copies a record; `own` becomes the copy. */
static carom_status take_record(carom_context *ctx, carom_arena *arena, const carom_model *m,
                                const carom_spline_def *def, carom_spline_def *own, carom_edges *records)
{
    int input;
    CAROM_TRY(carom_records_find(ctx, arena, m, def->name ? def->name : "", "a record: ", &input));
    CAROM_TRY(check_record(ctx, def));
    CAROM_TRY(check_units(ctx, &m->inputs[input], def));
    if (records[input].n)
        return carom_fail(ctx, CAROM_ERROR_USAGE, &def->place, "input '%s' has two records", def->name);
    const size_t n = def->count;
    double *table = carom_arena_alloc(arena, n, 6 * sizeof *table);
    if (!table)
        return carom_fail_memory(ctx);
    memcpy(table, def->x, n * sizeof *table);
    memcpy(table + n, def->y, n * sizeof *table);
    const char *between = def->between ? def->between : m->inputs[input].between;
    if (!carom_spline_fit_ends(between, def->ends, def->slopes, n, table, table + n, table + 2 * n, table + 4 * n,
                               &records[input]))
        return carom_fail(ctx, CAROM_ERROR_USAGE, &def->place,
                          "the record of input '%s': ends are natural or clamped, between points it is smooth or "
                          "monotone",
                          def->name);
    *own = *def;
    own->name = m->inputs[input].name;
    own->x = table;
    own->y = table + n;
    own->between = strcmp(between, "monotone") == 0 ? "monotone" : "smooth";
    own->place = (carom_place){0};
    own->units[0] = own->units[1] = NULL;
    return CAROM_OK;
}

carom_status carom_records_create(carom_context *ctx, carom_arena *arena, const carom_model *m,
                                  const carom_spline_def *defs, size_t count, carom_spline_def **own,
                                  carom_edges **records)
{
    *records = NULL;
    if (count && !(*records = carom_arena_alloc(arena, (size_t)m->input_count, sizeof **records)))
        return carom_fail_memory(ctx);
    if (!(*own = carom_arena_alloc(arena, count, sizeof **own)))
        return carom_fail_memory(ctx);
    for (size_t k = 0; k < count; k++)
        CAROM_TRY(take_record(ctx, arena, m, &defs[k], &(*own)[k], *records));
    return CAROM_OK;
}

bool carom_records_warning(const carom_model *m, const carom_edges *records, int input, char *text, size_t size)
{
    const carom_edges *record = records ? &records[input] : NULL;
    carom_overshoot overshoot;
    if (!record || !record->n)
        return false;
    const carom_via_points points = {.n = record->n, .x = record->x, .y = record->y, .ends = CAROM_ENDS_FREE};
    if (!carom_curve_overshoots(record, &points, &overshoot))
        return false;
    char words[300];
    carom_overshoot_text(&overshoot, words, sizeof words);
    snprintf(text, size,
             "the record of input '%.63s': %s; write `between: monotone` for the input, which then stays between its "
             "points, or give more points there",
             m->inputs[input].name, words);
    return true;
}

carom_status carom_records_require(carom_context *ctx, const carom_model *m, const carom_edges *records)
{
    for (int k = 0; k < m->input_count; k++)
        if (m->inputs[k].rates_wanted && !(records && records[k].n))
            return carom_fail(ctx, CAROM_ERROR_MODEL, &m->inputs[k].rates_place,
                              "'%s': time derivatives are needed here, and an input that is set has none; give it a "
                              "record, such as `carom run --input %s=FILE.csv`, or use it in a force",
                              m->inputs[k].name, m->inputs[k].name);
    return CAROM_OK;
}

double carom_records_update(const carom_edges *records, carom_state *s)
{
    const double t = *s->time;
    double next = HUGE_VAL;
    for (int k = 0; records && k < s->model->input_count; k++) {
        if (!records[k].n)
            continue;
        const int segment = carom_switch_branch(&records[k], (carom_jet){t, 1, 0});
        s->input_segment[k] = segment;
        if ((size_t)segment < records[k].n)
            next = fmin(next, records[k].x[segment]);
    }
    return next;
}

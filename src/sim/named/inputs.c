/* Inputs: their records, and setting them. */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

static int find_input(const carom_simulation *sim, const char *name)
{
    for (int k = 0; name && k < sim->model->input_count; k++)
        if (strcmp(sim->model->inputs[k].name, name) == 0)
            return k;
    return -1;
}

static carom_status unknown_input(carom_simulation *sim, const char *name, const char *before)
{
    const carom_model *m = sim->model;
    const char **names = carom_arena_alloc(&sim->arena, (size_t)m->input_count, sizeof *names);
    if (!names)
        return carom_fail_memory(sim->ctx);
    for (int k = 0; k < m->input_count; k++)
        names[k] = m->inputs[k].name;
    const char *nearest = carom_nearest_name(name, names, (size_t)m->input_count);
    return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "%sthe model has no input '%.63s'%s%s%s",
                      before, name, nearest ? "; did you mean '" : m->input_count ? "" : "; it has none",
                      nearest ? nearest : "", nearest ? "'?" : "");
}

static carom_status check_record(carom_simulation *sim, const carom_spline_def *def)
{
    const char *fault = !def->x || !def->y || def->count < 2 ? "needs two points or more" : NULL;
    if (def->ends && strcmp(def->ends, "periodic") == 0)
        fault = "is periodic; the record of an input is natural or clamped";
    for (size_t k = 0; k < def->count && !fault; k++)
        if (!isfinite(def->x[k]) || !isfinite(def->y[k]) || (k > 0 && !(def->x[k] > def->x[k - 1])))
            fault = "has points whose times do not ascend, or that are not finite";
    return fault ? carom_fail(sim->ctx, CAROM_ERROR_USAGE, &def->place, "the record of input '%.63s' %s", def->name,
                              fault)
                 : CAROM_OK;
}

/* Copies a record; `own` becomes the copy, from which clones are made. */
static carom_status take_record(carom_simulation *sim, const carom_spline_def *def, carom_spline_def *own)
{
    const int input = find_input(sim, def->name);
    if (input < 0)
        return unknown_input(sim, def->name ? def->name : "", "a record: ");
    CAROM_TRY(check_record(sim, def));
    if (sim->records[input].n)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, &def->place, "input '%s' has two records", def->name);
    const size_t n = def->count;
    double *table = carom_arena_alloc(&sim->arena, n, 5 * sizeof *table);
    if (!table)
        return carom_fail_memory(sim->ctx);
    memcpy(table, def->x, n * sizeof *table);
    memcpy(table + n, def->y, n * sizeof *table);
    if (!carom_spline_fit_ends(def->ends, def->slopes, n, def->x, def->y, table + 2 * n, table + 3 * n))
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, &def->place,
                          "the record of input '%s': ends are natural or clamped", def->name);
    *own = *def;
    own->name = sim->model->inputs[input].name;
    own->x = table;
    own->y = table + n;
    own->place = (carom_place){0};
    sim->records[input] = (carom_edges){.n = n, .x = table, .y = table + n, .y2 = table + 2 * n};
    return CAROM_OK;
}

carom_status carom_inputs_create(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const carom_simulation_def *def = &sim->def;
    if (def->input_count) {
        sim->records = carom_arena_alloc(&sim->arena, (size_t)m->input_count, sizeof *sim->records);
        if (!sim->records)
            return carom_fail_memory(sim->ctx);
        sim->system->records = sim->records;
    }
    carom_spline_def *own = carom_arena_alloc(&sim->arena, def->input_count, sizeof *own);
    if (!own)
        return carom_fail_memory(sim->ctx);
    for (size_t k = 0; k < def->input_count; k++)
        CAROM_TRY(take_record(sim, &def->inputs[k], &own[k]));
    sim->def.inputs = own;
    for (int k = 0; k < m->input_count; k++)
        if (m->inputs[k].rates_wanted && !(sim->records && sim->records[k].n))
            return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &m->inputs[k].rates_place,
                              "'%s': time derivatives are needed here, and an input that is set has none; give it a "
                              "record, such as `carom run --input %s=FILE.csv`, or use it in a force",
                              m->inputs[k].name, m->inputs[k].name);
    return CAROM_OK;
}

double carom_inputs_update(carom_simulation *sim)
{
    const double t = *sim->s.time;
    double next = HUGE_VAL;
    for (int k = 0; sim->records && k < sim->model->input_count; k++) {
        const carom_edges *record = &sim->records[k];
        if (!record->n)
            continue;
        const int segment = carom_switch_branch(record, (carom_jet){t, 1, 0});
        sim->s.input_segment[k] = segment;
        if ((size_t)segment < record->n)
            next = fmin(next, record->x[segment]);
    }
    return next;
}

carom_status carom_simulation_find_input(carom_simulation *sim, const char *name, size_t *out)
{
    const int input = find_input(sim, name);
    if (input < 0)
        return unknown_input(sim, name ? name : "", "");
    *out = (size_t)input;
    return CAROM_OK;
}

carom_status carom_simulation_set_input(carom_simulation *sim, size_t input, double value)
{
    if (!sim)
        return CAROM_ERROR_USAGE;
    const carom_model *m = sim->model;
    CAROM_TRY(carom_simulation_check_may_act(sim, "carom_simulation_set_input()"));
    if (input >= (size_t)m->input_count)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "input %zu: the model has %d", input + 1, m->input_count);
    if (!isfinite(value))
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "input '%s': the value is not finite",
                          m->inputs[input].name);
    if (sim->records && sim->records[input].n)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "input '%s' follows its record and cannot be set",
                          m->inputs[input].name);
    const double former = sim->s.input[input];
    sim->s.input[input] = value;
    if (carom_rhs_update(sim) != 0) {
        carom_status status = carom_rhs_unsolved(sim);
        sim->s.input[input] = former;
        carom_rhs_update(sim);
        return status;
    }
    sim->restart = true;
    return CAROM_OK;
}

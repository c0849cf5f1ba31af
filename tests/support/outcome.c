#include "support/outcome.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom_test.h"
#include "carom/simulation.h"
#include "expr/dimension.h"
#include "sim/sim.h"
#include "support/scaled.h"

#define VALUES 8192

void outcome_must(const carom_context *ctx, carom_status status, const char *model)
{
    if (status != CAROM_OK)
        fail_msg("%s: %s", model, carom_context_error(ctx));
}

/* Violations, residuals and the solver's own numbers are errors, not results. */
static bool is_result(const carom_channel *c)
{
    return c->group == 0 && strcmp(c->type, "solver") != 0 && strcmp(c->type, "constraint") != 0 &&
           strcmp(c->type, "state") != 0 && strcmp(c->type, "input") != 0 && strcmp(c->quantity, "residual") != 0;
}

static carom_dimension dimension(const char *unit) { return carom_unit_dimension(unit, CAROM_UNIT_ANY); }

static bool alike(carom_dimension a, carom_dimension b) { return memcmp(a.e, b.e, sizeof a.e) == 0; }

static bool is_of(carom_dimension d, int length, int time)
{
    return d.e[CAROM_LENGTH] == length && d.e[CAROM_MASS] == 0 && d.e[CAROM_TIME] == time;
}

static double largest_of(const outcome *out, int length, int time)
{
    double most = 0;
    for (size_t k = 0; k < out->count; k++)
        if (is_of(dimension(out->unit[k]), length, time))
            most = fmax(most, out->largest[k]);
    return most;
}

/* A body that does not turn has rounding for an angle, a joint without load for a moment: each counts by the largest
   channel of its dimension, rates of spins by the square of the spins, and accelerations, of bodies that only turn, by
   the lengths that turn with the rates of the spins. */
static void share_largest(outcome *out)
{
    double largest[VALUES] = {0};
    const double spin = largest_of(out, 0, -1), turning = largest_of(out, 1, 0) * largest_of(out, 0, -2);
    for (size_t a = 0; a < out->count; a++) {
        const carom_dimension d = dimension(out->unit[a]);
        for (size_t b = 0; b < out->count; b++)
            if (alike(d, dimension(out->unit[b])))
                largest[a] = fmax(largest[a], out->largest[b]);
        if (is_of(d, 0, -2))
            largest[a] = fmax(largest[a], spin * spin);
        if (is_of(d, 1, -2))
            largest[a] = fmax(largest[a], turning);
    }
    memcpy(out->largest, largest, out->count * sizeof *largest);
}

void outcome_run(carom_context *ctx, carom_arena *arena, const carom_spec *spec, const char *model, outcome *out)
{
    carom_model *compiled;
    carom_simulation *sim;
    size_t channels;
    const carom_simulation_def def = carom_default_simulation_def();
    outcome_must(ctx, carom_model_compile(ctx, spec, &compiled), model);
    outcome_must(ctx, carom_simulation_create(ctx, compiled, &def, &sim), model);
    const carom_channel *channel = carom_simulation_channels(sim, &channels);
    out->count = 0;
    out->value = carom_arena_alloc(arena, OUTCOME_SAMPLES * VALUES, sizeof(double));
    out->largest = carom_arena_alloc(arena, VALUES, sizeof(double));
    out->name = carom_arena_alloc(arena, VALUES, sizeof *out->name);
    out->unit = carom_arena_alloc(arena, VALUES, sizeof *out->unit);
    for (int n = 0; n < OUTCOME_SAMPLES; n++) {
        outcome_must(ctx, carom_simulation_advance(sim, carom_simulation_until(sim) * (n + 1) / OUTCOME_SAMPLES),
                     model);
        size_t at = 0;
        for (size_t k = 0; k < channels; k++) {
            double values[4], norm = 0;
            if (!is_result(&channel[k]))
                continue;
            outcome_must(ctx, carom_simulation_channel(sim, channel[k].name, values), model);
            for (int i = 0; i < channel[k].size; i++)
                norm = hypot(norm, values[i]);
            for (int i = 0; i < channel[k].size; i++, at++) {
                assert_true(at < VALUES);
                out->value[(size_t)n * VALUES + at] = values[i];
                out->largest[at] = fmax(out->largest[at], norm);
                out->name[at] = carom_arena_text(arena, channel[k].name);
                out->unit[at] = carom_arena_text(arena, channel[k].unit);
            }
        }
        out->count = at;
    }
    share_largest(out);
    size_t impacts;
    const carom_impact *impact = carom_simulation_impacts(sim, &impacts);
    out->first_impact = HUGE_VAL;
    for (size_t k = 0; k < impacts; k++)
        if (impact[k].onset > 0)
            out->first_impact = fmin(out->first_impact, impact[k].onset);
    out->redundant = sim->start.rank < sim->model->row_count;
    out->steps = (long)carom_simulation_statistics(sim).steps;
    carom_simulation_free(sim);
    carom_model_free(compiled);
}

/* Forces that rows which depend on each other share as the formulation has it. */
static bool is_reaction(const char *name)
{
    return strncmp(name, "joint.", 6) == 0 && (strstr(name, ".reaction") || strstr(name, ".moment"));
}

double outcome_compare(const outcome *a, const outcome *b, int samples, double length, double mass, const char **where)
{
    double worst = 0;
    *where = "";
    assert_int_equal(a->count, b->count);
    for (size_t k = 0; k < a->count; k++) {
        if (a->redundant && is_reaction(a->name[k]))
            continue;
        const double factor = scaled_factor(a->unit[k], length, mass);
        for (int n = 0; n < samples; n++) {
            const size_t at = (size_t)n * VALUES + k;
            const double off = fabs(b->value[at] / factor - a->value[at]);
            if (off > worst * a->largest[k] && off > 0) {
                worst = off / a->largest[k];
                *where = a->name[k];
            }
        }
    }
    return worst;
}

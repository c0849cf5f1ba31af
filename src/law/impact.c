/* The free direct impact of a law by itself: what carom/law.h offers of the solver. */
#include "law/free_impact.h"
#include "law/law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

carom_impact_def carom_default_impact_def(void)
{
    return (carom_impact_def){.size = sizeof(carom_impact_def),
                              .law = carom_default_law_def(),
                              .mass = (double)NAN,
                              .speed = (double)NAN,
                              .tolerance = 1e-10};
}

void carom_impact_solution_free(carom_context *ctx, carom_impact_solution *solution)
{
    if (solution && solution->time)
        carom_release(ctx, solution->time, 4 * solution->loop, sizeof(double));
    if (solution)
        solution->time = solution->delta = solution->rate = solution->force = NULL;
}

/* Room for the points of the motion. */
static carom_status make_loop(carom_context *ctx, size_t count, carom_impact_solution *out)
{
    if (!count)
        return CAROM_OK;
    out->time = carom_allocate(ctx, count, 4 * sizeof(double));
    if (!out->time)
        return carom_fail_memory(ctx);
    out->loop = count;
    out->delta = out->time + count;
    out->rate = out->delta + count;
    out->force = out->rate + count;
    return CAROM_OK;
}

static carom_status beyond_limit(const carom_law *law, const carom_impact_def *def)
{
    return carom_fail(
        law->ctx, CAROM_ERROR_MODEL, NULL,
        "the impact of %.6g kg at %.6g m/s goes beyond the indentation of %.6g m up to which elastic part %s holds",
        def->mass, def->speed, law->info.limit, law->info.elastic);
}

static carom_status check_def(carom_context *ctx, const carom_impact_def *def)
{
    if (!(def->mass > 0) || !isfinite(def->mass))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "mass is %.6g kg; it must be above 0", def->mass);
    if (!(def->speed > 0) || !isfinite(def->speed))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "speed is %.6g m/s; it must be above 0", def->speed);
    if (!(def->tolerance >= 1e-13 && def->tolerance <= 0.1))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "tolerance is %.6g; it must be between 1e-13 and 0.1",
                          def->tolerance);
    if (def->loop && def->loop < 3)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "a motion has at least 3 points, not %zu", def->loop);
    return CAROM_OK;
}

static void read_solution(const carom_free_solution *s, carom_impact_solution *out)
{
    out->method = s->exact ? "exact" : "integrated";
    out->released = s->end == CAROM_FREE_PARTED;
    out->factor = s->factor;
    out->peak_force = s->peak_force;
    out->peak_indentation = s->peak_indentation;
    out->peak_rate = s->peak_rate;
    out->max_indentation = s->max_indentation;
    out->duration = s->duration;
    out->duration_to_zero = s->duration_to_zero;
    out->v_out = s->achieved_restitution * out->v_in;
    out->e_got = s->achieved_restitution;
    out->energy_lost = 0.5 * out->mass * out->v_in * out->v_in * s->loss;
    if (!out->released)
        snprintf(out->note, sizeof out->note,
                 "not released after %.3g s: the damping is too strong for a rebound, at release %s the body creeps "
                 "back without parting",
                 s->time, out->law.release);
}

static carom_status solve(const carom_law *law, const carom_impact_def *def, carom_free_points *points,
                          carom_impact_solution *out)
{
    const carom_free_impact impact = {.law = &law->normal,
                                      .mass = def->mass,
                                      .speed = def->speed,
                                      .tolerance = def->tolerance,
                                      .integrate = def->integrate};
    carom_free_solution s;
    CAROM_TRY(carom_free_impact_solve(&impact, def->loop ? points : NULL, &s));
    if (s.end == CAROM_FREE_BEYOND_LIMIT)
        return beyond_limit(law, def);
    if (s.end == CAROM_FREE_UNFINISHED && s.time == 0)
        return carom_fail(law->ctx, CAROM_ERROR_SOLVER, NULL,
                          "nothing that the law stores stops a body of %.3g kg at %.3g m/s", def->mass, def->speed);
    if (s.end == CAROM_FREE_UNFINISHED)
        return carom_fail(law->ctx, CAROM_ERROR_SOLVER, NULL, "the impact has not ended after %.3g s", s.time);
    read_solution(&s, out);
    CAROM_TRY(make_loop(law->ctx, def->loop, out));
    if (def->loop)
        carom_free_impact_motion(&impact, &s, points, def->loop, out->time, out->delta, out->rate, out->force);
    return CAROM_OK;
}

carom_status carom_impact_solve(carom_context *ctx, const carom_impact_def *def, carom_impact_solution *out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, out);
    memset(out, 0, sizeof *out);
    carom_impact_def own = carom_default_impact_def();
    CAROM_TRY(carom_take_def(ctx, def, &own, sizeof own, "impact_def"));
    def = &own;
    CAROM_TRY(check_def(ctx, def));
    carom_law *law;
    CAROM_TRY(carom_law_compile(ctx, &def->law, &law));
    out->law = law->info;
    out->mass = def->mass;
    out->v_in = def->speed;
    out->e_asked = law->info.restitution;
    carom_free_points points = {.ctx = ctx};
    carom_status status = solve(law, def, &points, out);
    carom_free_points_free(&points);
    carom_law_free(law);
    return status;
}

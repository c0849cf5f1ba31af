/* What depends on the motion and lies between the places of a long step where the integrator looked: a gust that a body
   flies through, a hump of a path, a cam as a relation. Between its ends the motion of a step keeps the equations as
   well as the dense output is; where it misses them by far, the step has passed something over.
   docs/theory/integrators.md, section 9. */
#include "sim/sim.h"

#include <math.h>

#define LOOKS 1024              /* of a run; longer steps than two of them are looked at, once each */
#define NOTICED 100             /* change that the rates miss by over one of them, of its tolerance */
#define NEARBY 1e-3             /* of one: where slopes of the motion are taken */
#define FIRST 0.125             /* of one: the first step behind the place that was right */
#define LEAST 0.1               /* of one: by which the run goes on at least */

/* Forces, relations and rates over the motion that only their values tell, and paths; what else there is changes with
   the distances that steps tell of. */
static bool has_unknown(const carom_model *m)
{
    for (int k = 0; k < m->expr_count; k++)
        if (m->exprs[k].uses_measures)
            return true;
    for (int k = 0; k < m->joint_count; k++)
        if (m->joints[k].kind->follow || m->joints[k].kind->outside)
            return true;
    for (int k = 0; k < m->load_count; k++)
        if (m->loads[k].kind->outside)
            return true;
    return false;
}

carom_status carom_passed_create(carom_simulation *sim)
{
    const carom_run *run = &sim->run;
    const carom_integrator_kind *method = run->integrator;
    if (method->fixed_step || method->holds || method->rigid || run->stabilization->index2 || run->kinematic ||
        !(run->until > 0) || !isfinite(run->until) || !has_unknown(sim->model))
        return CAROM_OK;
    sim->beside[0] = carom_arena_alloc(&sim->arena, carom_sim_vector_room(sim), sizeof(double));
    sim->beside[1] = carom_arena_alloc(&sim->arena, carom_sim_vector_room(sim), sizeof(double));
    return sim->beside[0] && sim->beside[1] ? CAROM_OK : carom_fail_memory(sim->ctx);
}

/* Whether the motion of the step misses the rates at a time by so much that over `part` it makes an error. */
static bool misses(carom_simulation *sim, double t, double part)
{
    const carom_state *s = &sim->s;
    const double aside = NEARBY * part, local = carom_rhs_local_tolerance(sim);
    double *const y = sim->y_scratch, *const rate = sim->root_scratch, **beside = sim->beside;
    if (!carom_step_interpolate(sim, t - aside, beside[0]) || !carom_step_interpolate(sim, t + aside, beside[1]) ||
        !carom_step_interpolate(sim, t, y) || carom_rhs_evaluate(sim, sim->probe, t, y, rate) != 0)
        return false;
    for (size_t k = 0; k < s->integrated; k++) {
        const double off = fabs((beside[1][k] - beside[0][k]) / (2 * aside) - rate[k]) * part;
        if (off > NOTICED * (sim->tolerance[k] + local * fabs(y[k])))
            return true;
    }
    return false;
}

int carom_step_looks(const carom_simulation *sim, double length)
{
    const double looks = length / (sim->run.until / LOOKS);
    return looks > 2 && looks < 2 * LOOKS ? (int)ceil(looks) : 0;
}

bool carom_passed_over(carom_simulation *sim, double *end)
{
    const double begin = sim->integrator->t_before;
    const int parts = sim->beside[0] && !sim->taken ? carom_step_looks(sim, *end - begin) : 0;
    const double part = parts ? (*end - begin) / parts : 0;
    for (int n = 0; n < parts; n++) {
        if (!misses(sim, begin + (n + 0.5) * part, part))
            continue;
        *end = begin + (n ? n - 0.5 : LEAST) * part;
        *sim->s.first_step = FIRST * part;
        return true;
    }
    return false;
}

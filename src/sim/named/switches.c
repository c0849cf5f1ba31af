/* Switches of expressions, loads and friction, as they are just after the present time. */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* Poses and measures a little ahead of the present state, and the time there: a root of the state that has just been
   located is zero within rounding, and the branch to take is the one on its far side. */
static double pose_ahead(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    double ahead = 1e-11 * fmax(fabs(*s->time), 1e-2 * sim->run.until), *y = sim->y_scratch;
    sim->s.formulation->position_rate(m, s->q, s->v, sim->rate_scratch);
    carom_system_velocity_rate(sim->d, sim->rate_scratch + (s->v - s->q));
    memcpy(y, s->q, s->integrated * sizeof *y);
    for (int k = 0; k < sim->s.layout.positions + sim->s.layout.velocities; k++)
        y[k] = s->q[k] + ahead * sim->rate_scratch[k];
    double *states = y + (s->states - s->q);
    for (int k = 0; k < m->state_count; k++)
        states[k] = s->states[k] + ahead * sim->d->state_rate[k];
    if (m->late_measure_count && carom_rhs_evaluate(sim, sim->probe, *s->time + ahead, y, sim->root_scratch) == 0)
        return *s->time + ahead;
    carom_system_pose(sim->probe, s, *s->time + ahead, y, y + (s->v - s->q));
    carom_dynamics_measures(sim->probe, s, *s->time + ahead, states);
    return *s->time + ahead;
}

/* Motors that compute their effort, from all within their limits on: those beyond come to theirs, until no more do. */
static void set_computed(carom_simulation *sim, double ahead)
{
    const carom_model *m = sim->model;
    for (int k = 0; k < m->load_count; k++)
        if (m->loads[k].computed >= 0 && m->loads[k].edges)
            sim->s.switches[m->loads[k].first_switch] = 1;
    for (int round = 0; round < 2 * m->computed_count + 2; round++)
        if (carom_rhs_evaluate(sim, sim->probe, ahead, sim->y_scratch, sim->root_scratch) != 0 ||
            !carom_dynamics_computed_switches(sim->probe, &sim->s))
            return;
}

void carom_switches_update(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    sim->next_break = carom_inputs_update(sim);
    bool of_state = m->step_measure_count || m->switching_load_count;
    double ahead = of_state ? pose_ahead(sim) : *s->time;
    for (int k = 0; k < m->expr_count; k++) {
        const carom_model_expr *e = &m->exprs[k];
        carom_expr_set_switches_ahead(e->expr, *s->time, e->uses_measures ? ahead : *s->time, sim->probe->measures,
                                      s->switches + e->first_switch);
        sim->next_break = fmin(sim->next_break, carom_expr_next_break(m->exprs[k].expr, *s->time));
    }
    carom_dynamics_load_switches(sim->probe, s, ahead);
    if (m->computed_count && m->switching_load_count)
        set_computed(sim, ahead);
    if (m->site_count)
        carom_state_pose(sim->probe, s);
    carom_joint_friction_switches(sim->probe, s, false);
}

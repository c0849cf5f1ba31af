/* Switches of expressions, loads and friction, as they are just after the present time. */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* Poses and measures at sim->y_scratch; returns the time there. */
static double pose(carom_simulation *sim, double t)
{
    carom_state *s = &sim->s;
    const double *y = sim->y_scratch;
    if (sim->model->late_measure_count && carom_rhs_evaluate(sim, sim->probe, t, y, sim->root_scratch) == 0)
        return t;
    carom_system_pose(sim->probe, s, t, y, y + (s->v - s->q));
    carom_dynamics_measures(sim->probe, s, t, y + (s->states - s->q));
    return t;
}

double carom_switches_ahead(const carom_simulation *sim)
{
    return 1e-11 * fmax(fabs(*sim->s.time), 1e-2 * sim->run.until);
}

/* The same a little ahead of the present state: a root of the state that has just been located is zero within rounding,
   and the branch to take is the one on its far side. */
static double pose_ahead(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    const double ahead = carom_switches_ahead(sim);
    double *y = sim->y_scratch;
    sim->s.formulation->position_rate(m, s->q, s->v, sim->rate_scratch);
    carom_system_velocity_rate(sim->d, sim->rate_scratch + (s->v - s->q));
    memcpy(y, s->q, s->integrated * sizeof *y);
    for (int k = 0; k < sim->s.layout.positions + sim->s.layout.velocities; k++)
        y[k] = s->q[k] + ahead * sim->rate_scratch[k];
    double *states = y + (s->states - s->q);
    for (int k = 0; k < m->state_count; k++)
        states[k] = s->states[k] + ahead * sim->d->state_rate[k];
    return pose(sim, *s->time + ahead);
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

static bool of_state(const carom_model *m) { return m->step_measure_count || m->switching_load_count; }

/* Branches at the time `ahead`, of which poses and measures are known. */
static void set(carom_simulation *sim, double ahead)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    for (int k = 0; k < m->expr_count; k++) {
        const carom_model_expr *e = &m->exprs[k];
        carom_expr_set_switches_ahead(e->expr, *s->time, e->uses_measures ? ahead : *s->time, sim->probe->measures,
                                      s->switches + e->first_switch);
    }
    carom_dynamics_load_switches(sim->probe, s, ahead);
    carom_stops_hold(sim);
    if (m->computed_count && m->switching_load_count)
        set_computed(sim, ahead);
}

void carom_switches_update(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    sim->next_break = carom_inputs_update(sim);
    set(sim, of_state(m) ? pose_ahead(sim) : *s->time);
    for (int k = 0; k < m->expr_count; k++)
        sim->next_break = fmin(sim->next_break, carom_expr_next_break(m->exprs[k].expr, *s->time));
    if (m->site_count)
        carom_state_pose(sim->probe, s);
    carom_joint_friction_switches(sim->probe, s, false);
    if (carom_joint_friction_breaks(m, s) &&
        carom_rhs_evaluate(sim, sim->probe, *s->time, s->q, sim->root_scratch) == 0)
        carom_joint_friction_part(sim->probe, s);
}

/* ---- switches whose branch the start of a step does not tell ---- */

/* First steps are short, and may end on either side by rounding. Where both branches push to the other one, the step
   goes over the edge with the last one tried, and the next one begins on the other side. */
#define MOST_TRIALS 50

/* Root functions of the switches of expressions and loads, negative where a switch has left its branch; those of
   friction in joints are left out. NULL: they cannot be found. */
static const double *roots_at(carom_simulation *sim, double t, const double *y)
{
    for (int k = 0; k < sim->model->root_count; k++)
        sim->switch_roots[k] = 1;
    return carom_step_switch_roots(sim, t, y, false, sim->switch_roots) ? NULL : sim->switch_roots;
}

void carom_switches_restart(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const bool known = sim->branches_known;
    sim->branches_known = sim->in_doubt = false;
    sim->branch_trials = known ? sim->branch_trials + 1 : 0;
    if (!known)
        carom_switches_update(sim);
    const double *root = of_state(m) ? roots_at(sim, *sim->s.time, sim->s.q) : NULL;
    for (int k = 0; root && k < m->root_count; k++)
        sim->in_doubt |= sim->doubted[k] = root[k] <= 0;
}

bool carom_switches_left(carom_simulation *sim)
{
    const double *y = sim->integrator->y, t = sim->integrator->t;
    if (!sim->in_doubt)
        return false;
    const double *root = roots_at(sim, t, y);
    sim->in_doubt = false;
    for (int k = 0; root && k < sim->model->root_count; k++) {
        sim->branches_known |= sim->doubted[k] && root[k] < 0;
        sim->in_doubt |= sim->doubted[k] = sim->doubted[k] && root[k] <= 0;
    }
    if (!sim->branches_known)
        return false;
    if (sim->branch_trials == MOST_TRIALS) {
        sim->branches_known = false;
        sim->restart = true;
        return false;
    }
    memcpy(sim->y_scratch, y, sim->s.integrated * sizeof *y);
    set(sim, pose(sim, t));
    return true;
}

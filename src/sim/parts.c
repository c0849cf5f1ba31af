/* Bodies that nothing joins, part by part: what a step does to a body is done while it is near (carom_ode_parts). */
#include "dynamics/contact/contact_set.h"
#include "sim/sim.h"

#include <string.h>

/* Whether weight and contact sets are all that acts on the bodies. */
static bool bodies_are_free(const carom_model *m)
{
    return !m->row_count && !m->contact_count && !m->load_count && !m->site_count && !m->applied_count &&
           !m->state_count && !m->step_measure_count && !m->late_measure_count && !m->reaction_measure_count &&
           !m->computed_count;
}

static void range(void *user, int k, int *first_q, int *end_q, int *first_v, int *end_v)
{
    const carom_simulation *sim = user;
    const carom_layout layout = sim->s.layout;
    const int q = layout.positions / sim->model->body_count, v = layout.velocities / sim->model->body_count;
    int first;
    const int end = carom_body_part(sim->model, k, &first);
    *first_q = first * q;
    *end_q = end * q;
    *first_v = first * v;
    *end_v = end * v;
}

static int position_rate(void *user, int k, const double *q, const double *v, double *rate)
{
    const carom_simulation *sim = user;
    int first;
    const int end = carom_body_part(sim->model, k, &first);
    sim->s.formulation->each->position_rate(sim->model, 0, end - first, q, v, rate);
    return 0;
}

static void reached(void *user, int k, double *y)
{
    const carom_simulation *sim = user;
    int first;
    const int end = carom_body_part(sim->model, k, &first);
    sim->s.formulation->each->normalise(sim->model, first, end, y);
    sim->s.formulation->each->pose(sim->trial, first, end, y, y + (sim->s.v - sim->s.q));
    carom_broad_move(sim->system->sets->broad, k, sim->trial->pose);
}

static int velocity_rate(void *user, int k, double *rate)
{
    const carom_simulation *sim = user;
    carom_evaluation *d = sim->trial;
    const int size = carom_twist_size(sim->model);
    int first;
    const int end = carom_body_part(sim->model, k, &first);
    const size_t count = (size_t)(end - first);
    carom_sets_collect(d, k);
    memcpy(&d->wrench[first + 1], &d->set_wrench[first + 1], count * sizeof *d->wrench);
    carom_dynamics_weigh(d, first, end);
    carom_dynamics_turn_inertias(d, first, end);
    sim->s.formulation->each->accelerate(d, first, end);
    double *own = rate + (sim->s.v - sim->s.q) + first * size;
    memcpy(own, d->acceleration + first * size, count * (size_t)size * sizeof *own);
    return carom_all_finite(own, count * (size_t)size) ? 0 : 1;
}

/* Into the present state, while the numbers are near; see carom_simulation.taken. */
static void take_over(const carom_simulation *sim, int k, const double *y)
{
    int first_q, end_q, first_v, end_v;
    range((void *)(uintptr_t)sim, k, &first_q, &end_q, &first_v, &end_v);
    memcpy(sim->s.q + first_q, y + first_q, (size_t)(end_q - first_q) * sizeof *y);
    memcpy(sim->s.v + first_v, y + (sim->s.v - sim->s.q) + first_v, (size_t)(end_v - first_v) * sizeof *y);
}

static void corrected(void *user, int k, const double *y)
{
    const carom_simulation *sim = user;
    carom_evaluation *d = sim->trial;
    int first;
    const int end = carom_body_part(sim->model, k, &first);
    sim->s.formulation->each->twist(d, first, end, y + (sim->s.v - sim->s.q));
    d->part_sums[k] = carom_dynamics_part_sums(d, k);
    take_over(sim, k, y);
}

carom_ode_parts carom_sim_parts(const carom_simulation *sim)
{
    const carom_formulation *f = sim->s.formulation;
    const bool has = sim->run.integrator->corrects && sim->system->sets && f->each && !f->settle && !f->pose_at &&
                     bodies_are_free(sim->model);
    return has ? (carom_ode_parts){carom_body_parts(sim->model), range, position_rate, reached, velocity_rate,
                                   corrected}
               : (carom_ode_parts){0};
}

/* The pipeline at one instant: pose, contact, load, constrain, accelerate, book. */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* Powers and forces whose integrals are the books. */
static void book(carom_simulation *sim, double *rate)
{
    const carom_model *m = sim->model;
    const carom_dynamics *d = sim->d;
    const carom_state *s = &sim->s;
    double *contact = rate + (s->book_contact - s->q), *impulse = rate + (s->book_impulse - s->q);
    double *work = rate + (s->book_work - s->q), *loss = rate + (s->book_loss - s->q);
    double *drive = rate + (s->book_drive - s->q);
    for (int k = 0; k < m->contact_count; k++) {
        const carom_contact_point *p = &d->contacts[k];
        contact[k] = s->contact_open[k] ? -p->damping * p->gap_rate : 0;
        impulse[k] = s->contact_open[k] ? p->force : 0;
    }
    for (int k = 0; k < m->load_count; k++) {
        work[k] = d->loads[k].work_power;
        loss[k] = d->loads[k].dissipation;
    }
    for (int k = 0; k < m->element_count; k++) {
        const carom_element *e = &m->elements[k];
        if (e->drive >= 0)
            drive[e->drive] = d->multipliers[e->first_row] * d->row_rate[e->first_row];
    }
}

int carom_step_rates(void *user, double t, const double *y, double *rate)
{
    carom_simulation *sim = user;
    carom_dynamics *d = sim->d;
    const carom_state *s = &sim->s;
    const carom_model *m = sim->model;
    const double *q = y, *v = y + (s->v - s->q);
    d->evaluations++;
    d->evaluated = false;
    d->time = t;
    memset(d->wrench, 0, ((size_t)m->body_count + 1) * sizeof *d->wrench);
    carom_dynamics_pose(d, q, v);
    carom_dynamics_contacts(d, s);
    carom_dynamics_loads(d, s, t);
    carom_dynamics_constraints(d, s, t);
    if (!carom_cartesian_accelerate(d, &sim->run))
        return 1;
    carom_dynamics_position_rate(d, q, rate);
    memcpy(rate + (s->v - s->q), d->acceleration, (size_t)(m->body_count * m->v_per_body) * sizeof(double));
    book(sim, rate);
    memcpy(d->evaluated_y, y, s->integrated * sizeof *y);
    d->evaluated = true;
    double sum = 0;
    for (size_t k = 0; k < s->integrated; k++)
        sum += rate[k];
    return isfinite(sum) ? 0 : 1;
}

int carom_step_root_count(const carom_model *m) { return 2 * m->contact_count + m->root_count; }

int carom_step_roots(void *user, double t, const double *y, double *values)
{
    carom_simulation *sim = user;
    const carom_state *s = &sim->s;
    const carom_model *m = sim->model;
    const double *q = y, *v = y + (s->v - s->q);
    for (int k = 0; k < m->contact_count; k++) {
        const carom_model_contact *c = &m->contacts[k];
        carom_body_pose i = carom_dynamics_body_pose(m, carom_contact_body(m, k, 0), q, v);
        carom_body_pose j = carom_dynamics_body_pose(m, carom_contact_body(m, k, 1), q, v);
        carom_contact_point point;
        carom_contact_geometry_at(m, k, &i, &j, &point);
        values[k] = point.gap;
        double *other = &values[m->contact_count + k];
        *other = 1;
        if (!s->contact_open[k])
            continue;
        if (c->velocity == CAROM_VELOCITY_REARMED)
            *other = point.gap_rate - (s->contact_compressing[k] ? c->minimum_speed : 0);
        else if (c->release == CAROM_RELEASE_LATCH_OPEN && !s->contact_latched[k]) {
            carom_contact_force_at(m, s, k, &point);
            *other = point.raw_force;
        }
    }
    if (!m->root_count)
        return 0;
    if (m->measure_count) {
        sim->d->evaluated = false;
        carom_dynamics_pose(sim->d, q, v);
        carom_dynamics_measures(sim->d, s);
    }
    double *out = values + 2 * m->contact_count;
    for (int k = 0; k < m->expr_count; k++)
        carom_expr_roots(m->exprs[k].expr, t, sim->d->measures, s->switches + m->exprs[k].first_switch,
                         out + m->exprs[k].first_root);
    return 0;
}

/* While an impact is open the projection waits, so that it cannot move the indentation; a contact that lasts much longer
   than an impact is a support, and the constraints are kept under it. */
static bool impact_open(const carom_simulation *sim, double t)
{
    const carom_state *s = &sim->s;
    for (int k = 0; k < sim->model->contact_count; k++)
        if (s->contact_open[k] && t - s->contact_onset[k] < 20 * s->contact_time_scale[k])
            return true;
    return false;
}

int carom_step_project(void *user, double t, double *y, double *error)
{
    carom_simulation *sim = user;
    (void)error;
    if (impact_open(sim, t))
        return 0;
    double *v = y + (sim->s.v - sim->s.q);
    double tolerance = fmax(0.01 * carom_loop_local_tolerance(sim), 1e-15) * fmax(1, sim->model->length_scale);
    return carom_cartesian_project(sim->d, &sim->s, t, y, v, tolerance, 20) ? 0 : 1;
}

/* Gravity, loads and the measures that their expressions read. */
#include "dynamics/dynamics.h"

#include <string.h>

static double measure_value(const carom_dynamics *d, const carom_state *s, const carom_measure *measure)
{
    const carom_body_pose *a = measure->type <= CAROM_MEASURE_SPEED ? NULL : &d->pose[measure->a];
    double rate;
    carom_row row;
    switch (measure->type) {
    case CAROM_MEASURE_ANGLE:
        return carom_dynamics_coordinate(d, measure->a, s->coordinate[d->model->joints[measure->a].coordinate], &row, &rate);
    case CAROM_MEASURE_SPEED:
        carom_dynamics_coordinate(d, measure->a, 0, &row, &rate);
        return rate;
    case CAROM_MEASURE_X: return a->p.x;
    case CAROM_MEASURE_Y: return a->p.y;
    case CAROM_MEASURE_Z: return a->p.z;
    case CAROM_MEASURE_VX: return a->v.x;
    case CAROM_MEASURE_VY: return a->v.y;
    case CAROM_MEASURE_VZ: return a->v.z;
    case CAROM_MEASURE_TURN: return a->angle;
    case CAROM_MEASURE_SPIN: return a->w.z;
    case CAROM_MEASURE_DISTANCE: return carom_v3_norm(carom_v3_sub(d->pose[measure->b].p, a->p));
    }
    return 0;
}

void carom_dynamics_measures(carom_dynamics *d, const carom_state *s)
{
    for (int k = 0; k < d->model->measure_count; k++)
        d->measures[k] = measure_value(d, s, &d->model->measures[k]);
}

static void add_wrench(carom_dynamics *d, int body, carom_vec3 arm, carom_vec3 force, carom_vec3 torque)
{
    double scale = 1 + d->load_fault;
    carom_wrench *w = &d->wrench[body];
    w->force = carom_v3_add_scaled(w->force, scale, force);
    w->torque = carom_v3_add_scaled(w->torque, scale, carom_v3_add(torque, carom_v3_cross(arm, force)));
}

static void apply(carom_dynamics *d, const carom_state *s, int load, double t)
{
    const carom_model *m = d->model;
    const carom_compiled_load *l = &m->loads[load];
    carom_load_input in = {.p = l->p, .dimension = m->dimension};
    if (l->slot_count) {
        memcpy(d->load_values, l->p, (size_t)l->param_size * sizeof(double));
        for (int k = 0; k < l->slot_count; k++) {
            const carom_model_expr *e = &m->exprs[l->slots[k].expr];
            d->load_values[l->slots[k].offset] = carom_expr_value(e->expr, t, d->measures, s->switches + e->first_switch);
        }
        in.p = d->load_values;
    }
    in.i = carom_dynamics_frame_pose(&d->pose[l->i.body], &l->i, m->dimension);
    in.j = carom_dynamics_frame_pose(&d->pose[l->j.body], &l->j, m->dimension);
    carom_load_output *out = &d->loads[load];
    l->kind->apply(&in, out);
    add_wrench(d, l->i.body, in.i.arm, out->force_i, out->torque_i);
    add_wrench(d, l->j.body, in.j.arm, out->force_j, out->torque_j);
}

void carom_dynamics_loads(carom_dynamics *d, const carom_state *s, double t)
{
    const carom_model *m = d->model;
    for (int body = 1; body <= m->body_count; body++) {
        carom_wrench *w = &d->wrench[body];
        w->force = carom_v3_add_scaled(w->force, m->bodies[body].mass, m->gravity);
    }
    if (m->measure_count)
        carom_dynamics_measures(d, s);
    for (int k = 0; k < m->load_count; k++)
        apply(d, s, k, t);
}

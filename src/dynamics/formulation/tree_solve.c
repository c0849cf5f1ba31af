/* Accelerations in joint coordinates; the sweeps are in tree_sweeps.c, the constraint rows in tree_rows.c. Vectors of
   the evaluation are accelerations of bodies, as in the cartesian formulation; those that a step or a rate of the
   coordinates needs are in d->tree. */
#include "dynamics/formulation/tree.h"
#include "dynamics/dynamics.h"

#include <math.h>
#include <string.h>

/* What keeps each body from accelerating: gyroscopic torque less the wrench on it. */
static void start_sweep(const carom_evaluation *d, carom_wrench *p)
{
    const carom_model *m = d->model;
    for (int body = 1; body <= m->body_count; body++) {
        const carom_wrench *w = &d->wrench[body];
        p[body] = (carom_wrench){carom_v3_neg(w->force), carom_v3_neg(w->torque)};
        if (m->dimension == 2 || m->bodies[body].isotropic)
            continue;
        const carom_body_pose *pose = &d->pose[body];
        const carom_vec3 turn = carom_m3_apply_t(&pose->axes, pose->w);
        const carom_vec3 gyro = carom_v3_cross(turn, carom_m3_apply(&m->bodies[body].inertia, turn));
        p[body].torque = carom_v3_add(p[body].torque, carom_m3_apply(&pose->axes, gyro));
    }
}

/* c and the prescribed part of the motion. */
static carom_motion_vector known_motion(const carom_evaluation *d, int body)
{
    const carom_tree_motion *motion = &d->tree->motion[body];
    if (d->model->tree.bodies[body].motion < 0)
        return motion->c;
    const double rate = d->tree->drive[body].acceleration;
    return (carom_motion_vector){carom_v3_add_scaled(motion->c.turn, rate, motion->s[0].turn),
                                 carom_v3_add_scaled(motion->c.move, rate, motion->s[0].move)};
}

/* z of the forces on all bodies. */
static void sweep_forces(const carom_evaluation *d, double *z)
{
    const carom_model *m = d->model;
    const carom_tree *t = &m->tree;
    carom_tree_work *work = d->system->tree;
    start_sweep(d, work->p);
    for (int k = m->body_count - 1; k >= 0; k--) {
        const int body = t->order[k];
        const carom_tree_body *tb = &t->bodies[body];
        if (carom_tree_is_root(tb)) {
            carom_tree_sweep_in(d, body, z + tb->first_free, work->p, NULL);
            continue;
        }
        /* I c, of which the free coordinates take W W^T c */
        const carom_motion_vector c = known_motion(d, body);
        carom_motion_vector bias = carom_articulated_apply(&work->body[body].inertia, &c);
        for (int i = 0; i < tb->v_count - carom_tree_first(tb); i++) {
            const carom_motion_vector *w = &work->body[body].w[i];
            const double share = carom_motion_pair(&c, w);
            bias.turn = carom_v3_add_scaled(bias.turn, -share, w->turn);
            bias.move = carom_v3_add_scaled(bias.move, -share, w->move);
        }
        carom_tree_sweep_in(d, body, z + tb->first_free, work->p, &bias);
    }
}

/* Accelerations of all bodies and rates of all speeds from z, prescribed ones and c included. */
static void sweep_motion(carom_evaluation *d, const double *z)
{
    const carom_model *m = d->model;
    const carom_tree *t = &m->tree;
    carom_tree_sweep *sweep = d->system->tree->body;
    memset(d->acceleration, 0, (size_t)(m->body_count * carom_twist_size(m)) * sizeof *d->acceleration);
    for (int k = 0; k < m->body_count; k++) {
        const int body = t->order[k];
        const carom_tree_body *tb = &t->bodies[body];
        const int first = carom_tree_first(tb);
        carom_motion_vector a = {{0, 0, 0}, {0, 0, 0}};
        if (!carom_tree_is_root(tb)) {
            a = known_motion(d, body);
            if (tb->parent) {
                const carom_motion_vector with = carom_tree_carried(&sweep[tb->parent].a, d->tree->motion[body].r);
                a.turn = carom_v3_add(a.turn, with.turn);
                a.move = carom_v3_add(a.move, with.move);
            }
        }
        if (first)
            d->tree->rates[tb->first_v] = d->tree->drive[body].acceleration;
        carom_tree_sweep_out(d, body, z + tb->first_free, &a, d->tree->rates + tb->first_v + first);
        sweep[body].a = a;
        carom_tree_add_to_body(m, body, &a, d->acceleration);
    }
}

/* Torques of armatures, which their joints bear. */
static void armature_efforts(carom_evaluation *d)
{
    const carom_model *m = d->model;
    for (int body = 1; body <= m->body_count && m->armature_count; body++) {
        const carom_tree_body *tb = &m->tree.bodies[body];
        if (tb->armature >= 0)
            d->multipliers[m->blocks[tb->armature].first_row] =
                -m->blocks[tb->armature].armature * d->tree->rates[tb->first_v];
    }
}

/* Efforts of prescribed coordinates: S^T (I a + p), of the subtree as it accelerates, and of the armature. */
static void drive_efforts(carom_evaluation *d)
{
    const carom_model *m = d->model;
    const carom_tree *t = &m->tree;
    const carom_tree_work *work = d->system->tree;
    for (int k = 0; k < m->body_count; k++) {
        const int body = t->order[k];
        const carom_tree_body *tb = &t->bodies[body];
        if (tb->motion < 0)
            continue;
        const carom_tree_sweep *s = &work->body[body];
        const carom_motion_vector force = carom_articulated_apply(&s->inertia, &s->a);
        const carom_motion_vector *axis = &d->tree->motion[body].s[0];
        d->multipliers[m->blocks[tb->motion].first_row] =
            carom_motion_pair(axis, &force) + carom_v3_dot(axis->turn, work->p[body].torque) +
            carom_v3_dot(axis->move, work->p[body].force) +
            carom_tree_armature(m, tb) * d->tree->drive[body].acceleration;
    }
}

static double correction(const carom_evaluation *d, int row)
{
    const carom_stabilization_kind *kind = d->system->stabilization;
    const double *params = d->system->stabilization_params;
    return kind && kind->correction ? CAROM_KIND_CALL(kind, correction, params, d->rows[row].phi, d->phi_rate[row]) : 0;
}

/* The constraint rows push on p, so that the efforts of drives know them. */
static void add_row_wrenches(const carom_evaluation *d)
{
    const carom_tree *t = &d->model->tree;
    carom_wrench *const w = d->wrench;
    const int size = carom_twist_size(d->model);
    for (int k = 0; k < t->row_count; k++) {
        const carom_jacobian_row *row = &d->jacobian[t->rows[k]];
        for (int n = 0; n < row->count; n++) {
            double push[6];
            if (!row->part[n].body)
                continue;
            for (int i = 0; i < size; i++)
                push[i] = -d->multipliers[t->rows[k]] * row->part[n].j[i];
            carom_tree_take_part(d->model, &w[row->part[n].body], push);
        }
    }
}

bool carom_tree_accelerate(carom_evaluation *d)
{
    const carom_model *m = d->model;
    const carom_tree *t = &m->tree;
    carom_tree_work *work = d->system->tree;
    if (work->by_rows)
        return carom_formulation_cartesian.accelerate(d);
    if (!carom_tree_factor(d))
        return false;
    sweep_forces(d, work->force);
    sweep_motion(d, work->force);
    if (t->row_count) {
        for (int k = 0; k < t->row_count; k++) {
            const int r = t->rows[k];
            work->b[k] = carom_tree_is_idle(d, r)
                             ? 0
                             : d->rows[r].gamma + d->row_acceleration[r] - correction(d, r) -
                                   d->system->formulation->row_times(d, &d->jacobian[r], d->acceleration);
        }
        carom_tree_solve_rows(d, work->b, work->y);
        for (int k = 0; k < t->row_count; k++)
            d->multipliers[t->rows[k]] = carom_tree_is_idle(d, t->rows[k]) ? 0 : work->b[k];
        for (int k = 0; k < t->free_count; k++)
            work->force[k] += work->y[k];
        sweep_motion(d, work->force);
    }
    if (t->driven) {
        if (t->row_count) {
            /* p with the constraint rows, for the efforts alone */
            memcpy(work->kept, d->wrench, ((size_t)m->body_count + 1) * sizeof *d->wrench);
            add_row_wrenches(d);
            sweep_forces(d, work->y);
            memcpy(d->wrench, work->kept, ((size_t)m->body_count + 1) * sizeof *d->wrench);
        }
        drive_efforts(d);
    }
    armature_efforts(d);
    return true;
}

static carom_motion_vector body_motion(const carom_evaluation *d, int body)
{
    const carom_body_acceleration a = carom_formulation_cartesian.body_change(d, d->acceleration, body);
    return (carom_motion_vector){a.angular, a.linear};
}

/* Rates of the speeds of a body on a joint from the accelerations of both bodies, by least squares. */
static void rates_between(const carom_evaluation *d, int body, double *out)
{
    const carom_tree_body *tb = &d->model->tree.bodies[body];
    const carom_tree_motion *motion = &d->tree->motion[body];
    const int first = carom_tree_first(tb), n = tb->v_count - first;
    double a[CAROM_TREE_COLUMNS * CAROM_TREE_COLUMNS];
    int pivot[CAROM_TREE_COLUMNS];
    const carom_motion_vector own = body_motion(d, body), parent = body_motion(d, tb->parent);
    const carom_motion_vector with = carom_tree_carried(&parent, motion->r), known = known_motion(d, body);
    const carom_motion_vector left = {carom_v3_sub(own.turn, carom_v3_add(with.turn, known.turn)),
                                      carom_v3_sub(own.move, carom_v3_add(with.move, known.move))};
    if (first)
        out[0] = d->tree->drive[body].acceleration;
    for (int i = 0; i < n; i++) {
        out[first + i] = carom_motion_pair(&motion->s[first + i], &left);
        for (int k = 0; k < n; k++)
            a[i + k * n] = carom_motion_pair(&motion->s[first + i], &motion->s[first + k]);
    }
    if (n && !carom_dense_eliminate(n, a, pivot, out + first))
        for (int i = 0; i < n; i++)
            out[first + i] = (double)NAN;
}

void carom_tree_velocity_rate(const carom_evaluation *d, double *out)
{
    const carom_model *m = d->model;
    const carom_tree *t = &m->tree;
    if (!d->system->tree->by_rows) {
        memcpy(out, d->tree->rates, (size_t)t->velocities * sizeof *out);
        return;
    }
    for (int body = 1; body <= m->body_count; body++) {
        const carom_tree_body *tb = &t->bodies[body];
        if (!carom_tree_is_root(tb)) {
            rates_between(d, body, out + tb->first_v);
            continue;
        }
        const carom_motion_vector a = body_motion(d, body);
        carom_tree_root_vector(tb->v_count, a.turn, a.move, out + tb->first_v);
    }
}

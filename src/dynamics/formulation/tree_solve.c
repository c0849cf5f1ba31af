/* Accelerations in joint coordinates; the sweeps are in tree_sweeps.c, the constraint rows in tree_rows.c. Vectors of
   the evaluation are accelerations of bodies, as in the cartesian formulation; those that a step or a rate of the
   coordinates needs are in d->tree. */
#include "dynamics/formulation/tree.h"
#include "dynamics/dynamics.h"

#include <math.h>
#include <string.h>

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

/* Accelerations and multipliers from z of the forces on all bodies, which is in work->force. */
static void finish(carom_evaluation *d)
{
    const carom_model *m = d->model;
    const carom_tree *t = &m->tree;
    carom_tree_work *work = d->system->tree;
    carom_tree_sweep_motion(d, work->force);
    if (t->row_count) {
        for (int k = 0; k < t->row_count; k++) {
            const int r = t->rows[k];
            work->b[k] = carom_tree_is_idle(d, r)
                             ? 0
                             : d->rows[r].gamma + d->row_acceleration[r] - carom_system_correction(d, r) -
                                   d->system->formulation->row_times(d, &d->jacobian[r], d->acceleration);
        }
        carom_tree_solve_rows(d, work->b, work->y);
        for (int k = 0; k < t->row_count; k++)
            d->multipliers[t->rows[k]] = carom_tree_is_idle(d, t->rows[k]) ? 0 : work->b[k];
        for (int k = 0; k < t->free_count; k++)
            work->force[k] += work->y[k];
        carom_tree_sweep_motion(d, work->force);
    }
    if (t->driven) {
        if (t->row_count) {
            /* p with the constraint rows, for the efforts alone */
            memcpy(work->kept, d->wrench, ((size_t)m->body_count + 1) * sizeof *d->wrench);
            add_row_wrenches(d);
            carom_tree_sweep_all_in(d, work->y);
            memcpy(d->wrench, work->kept, ((size_t)m->body_count + 1) * sizeof *d->wrench);
        }
        drive_efforts(d);
    }
    armature_efforts(d);
}

bool carom_tree_accelerate(carom_evaluation *d)
{
    carom_tree_work *work = d->system->tree;
    if (work->by_rows)
        return carom_formulation_cartesian.accelerate(d);
    if (!carom_tree_factor(d, work->force))
        return false;
    finish(d);
    return true;
}

bool carom_tree_accelerate_again(carom_evaluation *d, const double *root)
{
    const carom_tree *t = &d->model->tree;
    carom_tree_work *work = d->system->tree;
    if (work->by_rows)
        return carom_formulation_cartesian.accelerate(d);
    /* multipliers and efforts need the forces themselves */
    if (!root || t->row_count || t->driven)
        carom_tree_sweep_all_in(d, work->force);
    else
        for (int k = 0; k < t->free_count; k++)
            work->force[k] += root[k];
    finish(d);
    return true;
}

static carom_motion_vector body_motion(const carom_evaluation *d, const double *x, int body)
{
    const carom_body_acceleration a = carom_formulation_cartesian.body_change(d, x, body);
    return (carom_motion_vector){a.angular, a.linear};
}

/* Numbers along the free columns of a body on a joint that make a motion against the one that carries it, by least
   squares. */
static void along_columns(const carom_evaluation *d, int body, const carom_motion_vector *left, double *out)
{
    const carom_tree_body *tb = &d->model->tree.bodies[body];
    const carom_motion_vector *s = d->tree->motion[body].s + carom_tree_first(tb);
    const int n = tb->v_count - carom_tree_first(tb);
    double a[CAROM_TREE_COLUMNS * CAROM_TREE_COLUMNS];
    int pivot[CAROM_TREE_COLUMNS];
    for (int i = 0; i < n; i++) {
        out[i] = carom_motion_pair(&s[i], left);
        for (int k = 0; k < n; k++)
            a[i + k * n] = carom_motion_pair(&s[i], &s[k]);
    }
    if (n && !carom_dense_eliminate(n, a, pivot, out))
        for (int i = 0; i < n; i++)
            out[i] = (double)NAN;
}

static carom_motion_vector less(const carom_motion_vector *a, const carom_motion_vector *b)
{
    return (carom_motion_vector){carom_v3_sub(a->turn, b->turn), carom_v3_sub(a->move, b->move)};
}

/* Rates of the speeds of a body on a joint from the accelerations of both bodies. */
static void rates_between(const carom_evaluation *d, int body, double *out)
{
    const carom_tree_body *tb = &d->model->tree.bodies[body];
    const carom_tree_motion *motion = &d->tree->motion[body];
    const carom_motion_vector own = body_motion(d, d->acceleration, body);
    const carom_motion_vector parent = body_motion(d, d->acceleration, tb->parent);
    /* of the accelerations beyond a0 */
    const carom_motion_vector beyond = less(&parent, &d->tree->motion[tb->parent].a0);
    const carom_motion_vector with = carom_tree_carried(&beyond, motion->r), apart = less(&own, &with);
    const carom_motion_vector left = less(&apart, &motion->a0);
    if (carom_tree_first(tb))
        out[0] = d->tree->drive[body].acceleration;
    along_columns(d, body, &left, out + carom_tree_first(tb));
}

void carom_tree_speeds(const carom_evaluation *d, const double *x, double *out)
{
    const carom_tree *t = &d->model->tree;
    memset(out, 0, (size_t)t->velocities * sizeof *out);
    for (int body = 1; body <= d->model->body_count; body++) {
        const carom_tree_body *tb = &t->bodies[body];
        const carom_motion_vector own = body_motion(d, x, body);
        if (carom_tree_is_root(tb)) {
            carom_tree_root_vector(tb->v_count, own.turn, own.move, out + tb->first_v);
            continue;
        }
        const carom_motion_vector parent = body_motion(d, x, tb->parent);
        const carom_motion_vector with = carom_tree_carried(&parent, d->tree->motion[body].r);
        const carom_motion_vector left = less(&own, &with);
        along_columns(d, body, &left, out + tb->first_v + carom_tree_first(tb));
    }
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
        const carom_motion_vector a = body_motion(d, d->acceleration, body);
        carom_tree_root_vector(tb->v_count, a.turn, a.move, out + tb->first_v);
    }
}

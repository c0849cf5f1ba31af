/* Reactions of the joints that the coordinates hold: an inward pass over the accelerations (recursive Newton-Euler,
   Featherstone 2008, table 5.1) gives the wrench that each joint carries, and its rows the multipliers of it, so that
   all who read multipliers need not know of coordinates. */
#include "dynamics/formulation/tree.h"
#include "dynamics/dynamics.h"

#include <math.h>
#include <string.h>

/* Rows of a joint and of its motion. */
#define MOST_ROWS (CAROM_JOINT_ROWS + 1)

/* What a wrench on a body is made of beside that which its joint carries: inertia, applied wrench, constraint rows. */
static void own_wrenches(const carom_evaluation *d, carom_wrench *w)
{
    const carom_model *m = d->model;
    for (int body = 1; body <= m->body_count; body++) {
        const carom_model_body *b = &m->bodies[body];
        const carom_body_pose *pose = &d->pose[body];
        const carom_body_acceleration a = d->system->formulation->body_acceleration(d, body);
        w[body].force = carom_v3_sub(carom_v3_scale(b->mass, a.linear), d->wrench[body].force);
        if (m->dimension == 2) {
            w[body].torque = carom_v3(0, 0, b->inertia.m[2][2] * a.angular.z - d->wrench[body].torque.z);
            continue;
        }
        const carom_vec3 turn = carom_m3_apply_t(&pose->axes, pose->w);
        const carom_vec3 rate = carom_m3_apply_t(&pose->axes, a.angular);
        const carom_vec3 own =
            carom_v3_add(carom_m3_apply(&b->inertia, rate), carom_v3_cross(turn, carom_m3_apply(&b->inertia, turn)));
        w[body].torque = carom_v3_sub(carom_m3_apply(&pose->axes, own), d->wrench[body].torque);
    }
    const carom_tree *t = &m->tree;
    const int size = carom_twist_size(m);
    for (int k = 0; k < t->row_count; k++) {
        const carom_jacobian_row *row = &d->jacobian[t->rows[k]];
        const double f = d->multipliers[t->rows[k]];
        for (int n = 0; n < row->count; n++) {
            carom_wrench *to = &w[row->part[n].body];
            const double *j = row->part[n].j;
            to->force = carom_v3_sub(to->force, carom_v3(f * j[0], f * j[1], size == 6 ? f * j[2] : 0));
            to->torque =
                carom_v3_sub(to->torque, size == 6 ? carom_v3(f * j[3], f * j[4], f * j[5]) : carom_v3(0, 0, f * j[2]));
        }
    }
}

/* Multipliers of rows that make a wrench on the body that a joint carries: least squares about the place of the joint,
   where forces and couples do not mix. */
static void multipliers_of(const carom_evaluation *d, const carom_tree_body *tb, carom_wrench w, const int *rows,
                           int count, double *out)
{
    const carom_model *m = d->model;
    const carom_model_joint *joint = &m->joints[tb->joint];
    const carom_marker *far = tb->reversed ? &joint->i : &joint->j;
    const carom_vec3 arm = carom_m3_apply(&d->pose[tb->reversed ? joint->i.body : joint->j.body].axes, far->at);
    double a[MOST_ROWS * MOST_ROWS], g[MOST_ROWS][6], b[MOST_ROWS];
    int pivot[MOST_ROWS];
    w.torque = carom_v3_sub(w.torque, carom_v3_cross(arm, w.force));
    for (int k = 0; k < count; k++) {
        const carom_row *row = &d->rows[rows[k]];
        const carom_vec3 l = tb->reversed ? row->Li : row->Lj;
        const carom_vec3 t = carom_v3_sub(tb->reversed ? row->Ai : row->Aj, carom_v3_cross(arm, l));
        const double entries[6] = {l.x, l.y, l.z, t.x, t.y, t.z};
        memcpy(g[k], entries, sizeof entries);
        b[k] = carom_v3_dot(l, w.force) + carom_v3_dot(t, w.torque);
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            double sum = 0;
            for (int n = 0; n < 6; n++)
                sum += g[i][n] * g[k][n];
            a[i + k * count] = sum;
        }
    const bool solved = carom_dense_eliminate(count, a, pivot, b);
    for (int k = 0; k < count; k++)
        out[rows[k]] = solved ? b[k] : (double)NAN;
}

/* The wrench less that of the armature, which is along the coordinate of the joint. */
static void take_armature(const carom_evaluation *d, const carom_tree_body *tb, carom_wrench *w)
{
    const int row = d->model->blocks[tb->armature].first_row;
    const carom_row *r = &d->rows[row];
    const double f = -d->multipliers[row];
    w->force = carom_v3_add_scaled(w->force, f, tb->reversed ? r->Li : r->Lj);
    w->torque = carom_v3_add_scaled(w->torque, f, tb->reversed ? r->Ai : r->Aj);
}

void carom_tree_reactions(carom_evaluation *d, const carom_state *s, double t)
{
    const carom_model *m = d->model;
    const carom_tree *tree = &m->tree;
    carom_wrench *w = d->system->tree->kept;
    if (d->system->tree->by_rows)
        return;
    w[0] = (carom_wrench){{0, 0, 0}, {0, 0, 0}};
    own_wrenches(d, w);
    for (int k = 0; k < m->block_count; k++)
        if (tree->kept[k])
            carom_dynamics_block(d, s, &m->blocks[k], t);
    for (int k = m->body_count - 1; k >= 0; k--) {
        const int body = tree->order[k];
        const carom_tree_body *tb = &tree->bodies[body];
        int rows[MOST_ROWS], count = 0;
        carom_wrench rest = w[body];
        if (carom_tree_is_root(tb))
            continue;
        const carom_model_joint *joint = &m->joints[tb->joint];
        if (tb->armature >= 0)
            take_armature(d, tb, &rest);
        for (int r = 0; r < joint->clearance.rows; r++)
            rows[count++] = joint->first_row + r;
        if (tb->motion >= 0)
            rows[count++] = m->blocks[tb->motion].first_row;
        multipliers_of(d, tb, rest, rows, count, d->multipliers);
        carom_wrench *to = &w[tb->parent];
        to->force = carom_v3_add(to->force, w[body].force);
        to->torque = carom_v3_add(to->torque,
                                  carom_v3_add(w[body].torque, carom_v3_cross(d->tree->motion[body].r, w[body].force)));
    }
}

/* Mass matrix and rows over the velocities in joint coordinates, for those who ask for them: the composite-rigid-body
   algorithm (Featherstone 2008, Rigid Body Dynamics Algorithms, chapter 6), and the forces that a row makes along each
   coordinate. Equations of motion need neither. */
#include "dynamics/formulation/tree.h"

#include <string.h>

/* Columns of the motion of a body against the one that carries it. */
static int columns_of(const carom_evaluation *d, int body, carom_motion_vector *out)
{
    const carom_tree_body *tb = &d->model->tree.bodies[body];
    if (!carom_tree_is_root(tb)) {
        memcpy(out, d->tree->motion[body].s, (size_t)tb->v_count * sizeof *out);
        return tb->v_count;
    }
    memset(out, 0, 6 * sizeof *out);
    out[0].move.x = out[1].move.y = 1;
    if (d->model->dimension == 2) {
        out[2].turn.z = 1;
        return 3;
    }
    out[2].move.z = out[3].turn.x = out[4].turn.y = out[5].turn.z = 1;
    return 6;
}

/* What a force and a torque about the centre of mass of a body do along all coordinates that move it. */
static void add_along(const carom_evaluation *d, int body, carom_vec3 force, carom_vec3 torque, double *out)
{
    while (body) {
        const carom_tree_body *tb = &d->model->tree.bodies[body];
        carom_motion_vector columns[6];
        const int count = columns_of(d, body, columns);
        for (int k = 0; k < count; k++)
            out[tb->first_v + k] += carom_v3_dot(columns[k].turn, torque) + carom_v3_dot(columns[k].move, force);
        if (tb->parent)
            torque = carom_v3_add(torque, carom_v3_cross(d->tree->motion[body].r, force));
        body = tb->parent;
    }
}

void carom_tree_row_entries(const carom_evaluation *d, const carom_row *row, int body_i, int body_j, double *a)
{
    add_along(d, body_i, row->Li, row->Ai, a);
    add_along(d, body_j, row->Lj, row->Aj, a);
}

void carom_tree_mass_matrix(const carom_evaluation *d, double *out)
{
    const carom_model *m = d->model;
    const carom_tree *t = &m->tree;
    const int n = t->velocities;
    carom_tree_sweep *composite = d->system->tree->body;
    memset(out, 0, (size_t)n * (size_t)n * sizeof *out);
    for (int body = 1; body <= m->body_count; body++)
        carom_tree_own_inertia(d, body, &composite[body].inertia);
    for (int k = m->body_count - 1; k >= 0; k--) {
        const int body = t->order[k];
        const carom_tree_body *tb = &t->bodies[body];
        carom_motion_vector columns[6];
        const int count = columns_of(d, body, columns);
        for (int c = 0; c < count; c++) {
            const carom_motion_vector force = carom_articulated_apply(&composite[body].inertia, &columns[c]);
            double *row = out + (size_t)(tb->first_v + c) * (size_t)n;
            add_along(d, body, force.move, force.turn, row);
        }
        if (tb->parent)
            carom_articulated_add_shifted(&composite[tb->parent].inertia, &composite[body].inertia,
                                          d->tree->motion[body].r);
    }
    /* the row of a coordinate has those towards the root: the others are theirs */
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            if (out[i * n + k] != 0)
                out[k * n + i] = out[i * n + k];
}

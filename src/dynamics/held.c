/* Constraint rows for methods that hold them on the positions. */
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"
#include "dynamics/formulation/tree.h"

#include <math.h>
#include <string.h>

/* Rows of joints in a tree are held by its coordinates, those of armatures and of computed efforts hold no position. */
bool carom_dynamics_is_held(const carom_system *sys, int block)
{
    return carom_block_constrains(&sys->model->blocks[block]) &&
           !(sys->tree && sys->model->tree.kept[block]);
}

int carom_dynamics_held_count(const carom_system *sys)
{
    int count = 0;
    for (int k = 0; k < sys->model->block_count; k++)
        count += carom_dynamics_is_held(sys, k) ? sys->model->blocks[k].row_count : 0;
    return count;
}

/* M^-1 J^T of rows over the velocities of a tree, of which prescribed ones answer nothing. */
static bool answer_tree(const carom_evaluation *d, const double *rows, int count, double *mass, int *pivot, double *out)
{
    const carom_model *m = d->model;
    const int n = m->tree.velocities;
    d->system->formulation->mass_matrix(d, mass);
    memcpy(out, rows, (size_t)count * (size_t)n * sizeof *out);
    for (int body = 1; body <= m->body_count; body++) {
        const carom_tree_body *tb = &m->tree.bodies[body];
        if (tb->motion < 0) {
            if (tb->v_count)
                mass[tb->first_v * n + tb->first_v] += carom_tree_armature(m, tb);
            continue;
        }
        for (int k = 0; k < n; k++)
            mass[tb->first_v * n + k] = mass[k * n + tb->first_v] = k == tb->first_v;
        for (int r = 0; r < count; r++)
            out[r * n + tb->first_v] = 0;
    }
    if (!carom_lu_factor(n, mass, pivot))
        return false;
    for (int r = 0; r < count; r++)
        carom_lu_solve(n, mass, pivot, out + (size_t)r * (size_t)n);
    return true;
}

/* The same of a row of bodies, each of which answers for itself. */
static void answer_bodies(const carom_jacobian_row *row, int width, double *out)
{
    for (int n = 0; n < row->count; n++)
        for (int k = 0; row->part[n].body && k < width; k++)
            out[(row->part[n].body - 1) * width + k] += row->part[n].w[k];
}

bool carom_dynamics_held_rows(const carom_evaluation *d, double *mass, int *pivot, carom_held_level level,
                              double *phi, double *jacobian, double *answer)
{
    const carom_model *m = d->model;
    const int n = d->system->layout.velocities;
    int count = 0;
    const size_t size = (size_t)carom_dynamics_held_count(d->system) * (size_t)n;
    if (jacobian)
        memset(jacobian, 0, size * sizeof *jacobian);
    if (answer)
        memset(answer, 0, size * sizeof *answer);
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        const int end = e->first_row + (carom_dynamics_is_held(d->system, k) ? e->row_count : 0);
        for (int r = e->first_row; r < end; r++, count++) {
            phi[count] = carom_held_miss(d, r, level);
            if (!jacobian || (d->idle && d->idle[r]))
                continue;
            carom_block_entries(d, e, r, jacobian + count * n);
            if (!d->system->tree && answer)
                answer_bodies(&d->jacobian[r], carom_twist_size(m), answer + count * n);
        }
    }
    return !d->system->tree || !count || !answer || answer_tree(d, jacobian, count, mass, pivot, answer);
}

void carom_dynamics_held_kinds(const carom_evaluation *d, bool *angle, bool *rate)
{
    const carom_model *m = d->model;
    int count = 0;
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        for (int r = 0; carom_dynamics_is_held(d->system, k) && r < e->row_count; r++, count++) {
            angle[count] = carom_row_is_angle(&d->rows[e->first_row + r]);
            rate[count] = r >= e->row_count - e->rate_rows;
        }
    }
}

/* Whether the joints of the tree hold row k of those that it does not keep. */
static bool held_by_tree(const carom_evaluation *d, int k)
{
    const int width = carom_tree_width(&d->model->tree);
    const double *z = d->system->tree->z + (size_t)k * (size_t)width;
    for (int i = 0; i < width; i++)
        if (z[i] != 0)
            return false;
    return true;
}

void carom_dynamics_held_already(const carom_evaluation *d, bool *held)
{
    const carom_model *m = d->model;
    const bool known = d->system->tree && !d->system->tree->by_rows;
    for (int k = 0, count = 0, kept = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        for (int r = 0; r < e->row_count && carom_dynamics_is_held(d->system, k); r++)
            held[count++] = known && held_by_tree(d, kept + r);
        kept += known && !m->tree.kept[k] ? e->row_count : 0;
    }
}

void carom_dynamics_velocity_scales(const carom_evaluation *d, double *mass, double *scale)
{
    const carom_model *m = d->model;
    const int n = d->system->layout.velocities, size = carom_twist_size(m);
    if (!d->system->tree) {
        for (int k = 0; k < n; k++) {
            const carom_model_body *body = &m->bodies[k / size + 1];
            const double (*i)[3] = body->inertia.m;
            const double turned = m->dimension == 2 ? i[2][2] : (i[0][0] + i[1][1] + i[2][2]) / 3;
            scale[k] = 1 / sqrt(k % size < m->dimension ? body->mass : turned);
        }
        return;
    }
    d->system->formulation->mass_matrix(d, mass);
    for (int body = 1; body <= m->body_count; body++) {
        const carom_tree_body *tb = &m->tree.bodies[body];
        for (int k = tb->first_v; k < tb->first_v + tb->v_count; k++) {
            const double own = mass[k * n + k] + (tb->motion < 0 && k == tb->first_v ? carom_tree_armature(m, tb) : 0);
            scale[k] = tb->motion < 0 && own > 0 ? 1 / sqrt(own) : 0;
        }
    }
}

/* Constraint rows in joint coordinates: the factor Z of J H^-1 J^T (tree_sweeps.c), multipliers, responses to forces,
   rank, and the projection onto the constraints. Of rows that depend on each other the multipliers of least norm. */
#include "dynamics/formulation/tree.h"
#include "dynamics/dynamics.h"

#include <math.h>
#include <string.h>

/* z of a unit multiplier of a row. */
static void row_sweep(const carom_evaluation *d, const carom_jacobian_row *row, double *z)
{
    carom_tree_work *work = d->system->tree;
    int bodies[CAROM_ROW_BODIES];
    for (int n = 0; n < row->count; n++)
        work->p[bodies[n] = row->part[n].body] = (carom_wrench){{0, 0, 0}, {0, 0, 0}};
    for (int n = 0; n < row->count; n++)
        if (row->part[n].body)
            carom_tree_take_part(d->model, &work->p[row->part[n].body], row->part[n].j);
    carom_tree_sweep_paths_in(d, bodies, row->count, z);
}

/* Inverse mass of a unit force and couple on a body that no joint holds. */
static double free_response(const carom_evaluation *d, int body, carom_vec3 force, carom_vec3 couple)
{
    const carom_model_body *b = &d->model->bodies[body];
    const double moved = b->inverse_mass * carom_v3_dot(force, force);
    if (d->model->dimension == 2)
        return moved + b->inverse_inertia.m[2][2] * couple.z * couple.z;
    const carom_vec3 own = carom_m3_apply_t(&d->pose[body].axes, couple);
    return moved + carom_v3_dot(own, carom_m3_apply(&b->inverse_inertia, own));
}

/* A row that the joints of the tree hold already, as those across the plane of a planar loop, is zero but for
   rounding; by the shares that decide of rows among each other. Returns the share that is left; 1: none, which is
   cleared. */
static double clear_held(const carom_evaluation *d, const carom_jacobian_row *row, double *z)
{
    const double share = d->system->held_share > 0 ? d->system->held_share : CAROM_DEPENDENT_SHARE;
    const int width = carom_tree_width(&d->model->tree);
    double free = 0, own = 0;
    for (int n = 0; n < row->count; n++) {
        const double *j = row->part[n].j;
        const bool planar = d->model->dimension == 2;
        if (row->part[n].body)
            free += free_response(d, row->part[n].body, carom_v3(j[0], j[1], planar ? 0 : j[2]),
                                  planar ? carom_v3(0, 0, j[2]) : carom_v3_load(j + 3));
    }
    for (int k = 0; k < width; k++)
        own += z[k] * z[k];
    if (own > share * share * free)
        return sqrt(own / free);
    memset(z, 0, (size_t)width * sizeof *z);
    return 1;
}

/* Z, a row for each constraint row. Returns the least share of a row that the joints of the tree leave. */
static double fill_rows(const carom_evaluation *d)
{
    const carom_tree *t = &d->model->tree;
    double least = 1;
    for (int k = 0; k < t->row_count; k++) {
        double *z = d->system->tree->z + (size_t)k * (size_t)carom_tree_width(t);
        if (carom_tree_is_idle(d, t->rows[k]))
            memset(z, 0, (size_t)carom_tree_width(t) * sizeof *z);
        else
            row_sweep(d, &d->jacobian[t->rows[k]], z);
        least = fmin(least, clear_held(d, &d->jacobian[t->rows[k]], z));
    }
    /* an armature is a rotor whose speed, a column more, is the rate of the coordinate */
    const carom_constraint_block *e = carom_model_armatures(d->model);
    const int first = t->row_count - t->armature_count;
    for (int k = 0, n = first; k < d->model->armature_count; k++)
        if (!t->kept[e - d->model->blocks + k]) {
            d->system->tree->z[n * carom_tree_width(t) + t->free_count + n - first] = 1 / sqrt(e[k].armature);
            n++;
        }
    return least;
}

static void fill_orthogonal(const carom_evaluation *d)
{
    const carom_tree *t = &d->model->tree;
    const carom_tree_work *work = d->system->tree;
    bool *angle = carom_orthogonal_angles(work->orthogonal);
    for (int k = 0; k < t->row_count; k++)
        angle[k] = carom_row_is_angle(&d->rows[t->rows[k]]);
    memcpy(carom_orthogonal_rows(work->orthogonal), work->z,
           (size_t)t->row_count * (size_t)carom_tree_width(t) * sizeof *work->z);
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* The places where a row of Z is not zero: those of the joints on the paths to the roots. */
static int filled(const double *z, int width, int *places)
{
    int count = 0;
    for (int k = 0; k < width; k++) {
        places[count] = k;
        count += z[k] != 0;
    }
    return count;
}

static double dot_at(const double *a, const double *b, const int *places, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += a[places[k]] * b[places[k]];
    return sum;
}

static bool factor_rows(const carom_evaluation *d)
{
    const carom_tree *t = &d->model->tree;
    carom_tree_work *work = d->system->tree;
    const int n = t->row_count, width = carom_tree_width(t);
    if (!n)
        return true;
    work->least = fill_rows(d);
    const carom_stabilization_kind *method = d->system->stabilization;
    const bool soft = d->system->soft.n > 0;
    work->by_orthogonal = !soft && (work->redundant || (method && method->orthogonal));
    if (!work->by_orthogonal) {
        double *s = carom_dense_matrix(work->dense);
        for (int column = 0; column < n; column++) {
            const double *own = work->z + column * width;
            const int count = filled(own, width, work->filled);
            for (int row = column; row < n; row++)
                s[column * n + row] = dot_at(own, work->z + row * width, work->filled, count);
            if (carom_tree_is_idle(d, t->rows[column]))
                s[column * n + column] = 1;
        }
        if (soft) {
            work->soft = d->system->soft;
            work->soft.n = n;
            return carom_proximal_factor(&work->soft, work->dense);
        }
        if (carom_dense_factor(work->dense))
            return true;
    }
    work->by_orthogonal = true;
    fill_orthogonal(d);
    return carom_orthogonal_factor(work->orthogonal);
}

double carom_tree_weakest(const carom_system *system)
{
    const carom_tree_work *work = system->tree;
    if (!system->model->tree.row_count)
        return 1;
    const double pivot =
        work->by_orthogonal ? carom_orthogonal_weakest(work->orthogonal) : sqrt(carom_dense_weakest(work->dense));
    return fmin(pivot, work->least);
}

/* Multipliers that make the rows accelerate as b has it, in the place of b, and in y what they are over the free
   coordinates. */
void carom_tree_solve_rows(const carom_evaluation *d, double *b, double *y)
{
    const carom_tree *t = &d->model->tree;
    carom_tree_work *work = d->system->tree;
    const int width = carom_tree_width(t);
    if (work->by_orthogonal) {
        memcpy(y, carom_orthogonal_solve(work->orthogonal, b), (size_t)width * sizeof *y);
        return;
    }
    if (d->system->soft.n)
        carom_proximal_solve(&work->soft, work->dense, b);
    else
        carom_dense_solve(work->dense, b);
    memset(y, 0, (size_t)width * sizeof *y);
    for (int k = 0; k < t->row_count; k++)
        for (int i = 0; i < width; i++)
            y[i] += b[k] * work->z[k * width + i];
}

bool carom_tree_factor(const carom_evaluation *d, double *z) { return carom_tree_articulate(d, z) && factor_rows(d); }

/* ---- responses ---- */

double carom_tree_free_delassus(const carom_evaluation *d, const carom_force_pair *pair)
{
    double inverse = 0;
    if (d->system->tree->by_rows)
        return carom_formulation_cartesian.free_delassus(d, pair);
    for (int side = 0; side < 2; side++) {
        const int body = side ? pair->body_j : pair->body_i;
        const carom_vec3 turn = carom_v3_cross(side ? pair->arm_j : pair->arm_i, pair->direction);
        if (body)
            inverse += free_response(d, body, pair->direction, turn);
    }
    return inverse;
}

int carom_tree_root_size(const carom_system *system)
{
    return system->tree->by_rows ? 0 : carom_tree_width(&system->model->tree);
}

static double root_of(const carom_evaluation *d, const carom_force_pair *pair, double *root)
{
    const carom_tree *t = &d->model->tree;
    carom_tree_work *work = d->system->tree;
    const int sides[2] = {pair->body_i, pair->body_j}, width = carom_tree_width(t);
    int bodies[2] = {pair->body_i, pair->body_j};
    for (int side = 0; side < 2; side++)
        work->p[sides[side]] = (carom_wrench){{0, 0, 0}, {0, 0, 0}};
    for (int side = 0; side < 2; side++) {
        /* p is less the force */
        const carom_vec3 force = side ? carom_v3_neg(pair->direction) : pair->direction;
        carom_wrench *p = &work->p[sides[side]];
        p->force = carom_v3_add(p->force, force);
        p->torque = carom_v3_add(p->torque, carom_v3_cross(side ? pair->arm_j : pair->arm_i, force));
    }
    carom_tree_sweep_paths_in(d, bodies, 2, root);
    double inverse = dot(root, root, width);
    if (t->row_count) {
        for (int k = 0; k < t->row_count; k++)
            work->b[k] = -dot(work->z + k * width, root, width);
        carom_tree_solve_rows(d, work->b, work->y);
        inverse += dot(work->y, root, width);
        for (int k = 0; k < width; k++)
            root[k] += work->y[k];
    }
    return inverse;
}

void carom_tree_roots(const carom_evaluation *d, const carom_force_pair *pair, const carom_vec3 *directions, int count,
                      double *const *roots, double *inverse, double *free)
{
    const carom_tree *t = &d->model->tree;
    const int width = carom_tree_width(t);
    const bool one = count == 2 && !t->row_count && (!pair->body_i || !pair->body_j);
    carom_force_pair along = *pair;
    carom_wrench p[2];
    for (int k = 0; k < count; k++) {
        along.direction = directions[k];
        free[k] = carom_tree_free_delassus(d, &along);
        if (one) {
            p[k].force = pair->body_j ? carom_v3_neg(directions[k]) : directions[k];
            p[k].torque = carom_v3_cross(pair->body_j ? pair->arm_j : pair->arm_i, p[k].force);
        } else {
            inverse[k] = root_of(d, &along, roots[k]);
        }
    }
    if (!one)
        return;
    carom_tree_sweep_path_in(d, pair->body_i + pair->body_j, p, roots);
    for (int k = 0; k < count; k++)
        inverse[k] = dot(roots[k], roots[k], width);
}

void carom_tree_root_column(const carom_evaluation *d, const double *root, double *column)
{
    memset(column, 0, (size_t)(d->model->body_count * carom_twist_size(d->model)) * sizeof *column);
    carom_tree_sweep_all_out(d, root, column, NULL);
}

double carom_tree_delassus(const carom_evaluation *d, const carom_force_pair *pair, bool factored, double *column,
                           double *free)
{
    const carom_model *m = d->model;
    carom_tree_work *work = d->system->tree;
    if (work->by_rows)
        return carom_formulation_cartesian.delassus(d, pair, factored, column, free);
    if (!factored && !carom_tree_factor(d, NULL)) {
        memset(column, 0, (size_t)(m->body_count * carom_twist_size(m)) * sizeof *column);
        const double inverse = carom_tree_free_delassus(d, pair);
        if (free)
            *free = inverse;
        return inverse;
    }
    if (free)
        *free = carom_tree_free_delassus(d, pair);
    const double inverse = root_of(d, pair, work->force);
    carom_tree_root_column(d, work->force, column);
    return inverse;
}

/* ---- constraints ---- */

carom_status carom_tree_rank(const carom_evaluation *d, bool *redundant, int *rank)
{
    const carom_model *m = d->model;
    const carom_tree *t = &m->tree;
    carom_tree_work *work = d->system->tree;
    int own = 0, idle = carom_model_hard_rows(m) - carom_dynamics_active_rows(d);
    if (t->row_count && carom_tree_articulate(d, NULL)) {
        const double least = fill_rows(d);
        if (!(d->system->held_share > 0) && !carom_system_is_driven(d->system))
            d->system->held_share = carom_passed_share(least, d->system->passed_share);
        fill_orthogonal(d);
        own = carom_orthogonal_rank(work->orthogonal, work->dependent);
    }
    own -= t->row_count ? t->armature_count : 0;
    const int hard = t->row_count - t->armature_count;
    work->redundant = own < hard - idle;
    if (work->by_rows)
        return carom_formulation_cartesian.rank(d, redundant, rank);
    memset(redundant, 0, (size_t)m->row_count * sizeof *redundant);
    for (int k = 0; k < t->row_count; k++)
        redundant[t->rows[k]] = work->dependent[k] && !carom_tree_is_idle(d, t->rows[k]);
    *rank = carom_model_hard_rows(m) - hard + own;
    return CAROM_OK;
}

/* A step in velocities that answers b: over all bodies in `moves`, over the coordinates in `step`. */
static void answer(carom_evaluation *d, double *moves, double *step)
{
    const carom_model *m = d->model;
    carom_tree_work *work = d->system->tree;
    carom_tree_solve_rows(d, work->b, work->y);
    memset(moves, 0, (size_t)(m->body_count * carom_twist_size(m)) * sizeof *moves);
    memset(step, 0, (size_t)m->tree.velocities * sizeof *step);
    carom_tree_sweep_all_out(d, work->y, moves, step);
}

bool carom_tree_project(carom_evaluation *d, const carom_state *s, double t, double *q, double *v, double tolerance,
                        int iterations)
{
    const carom_model *m = d->model;
    const carom_tree *tree = &m->tree;
    carom_tree_work *work = d->system->tree;
    const carom_formulation *f = d->system->formulation;
    double before = HUGE_VAL;
    f->settle(d, s, t, q, v);
    if (!tree->row_count)
        return true;
    for (int iteration = 0;; iteration++) {
        f->pose(d, q, v);
        carom_dynamics_constraints(d, s, t);
        double worst = 0;
        tolerance = fmax(tolerance, carom_row_rounding(d, false));
        for (int k = 0; k < tree->row_count; k++)
            worst = fmax(worst, carom_row_violation(d, tree->rows[k]));
        const bool settled = worst <= tolerance || (iteration > 3 && worst < 1e3 * tolerance && worst > 0.5 * before);
        if (!isfinite(worst) || (iteration >= iterations && !settled) || !carom_tree_factor(d, NULL))
            return false;
        if (settled)
            break;
        before = worst;
        for (int k = 0; k < tree->row_count; k++)
            work->b[k] = -d->rows[tree->rows[k]].phi;
        answer(d, d->system->step, work->step);
        const double share = carom_step_shorten(d, d->system->step);
        for (int k = 0; k < tree->velocities; k++)
            work->step[k] *= share;
        f->retract(m, work->step, q);
    }
    for (int k = 0; k < tree->row_count; k++)
        work->b[k] = -d->phi_rate[tree->rows[k]];
    answer(d, d->system->step, work->step);
    for (int k = 0; k < tree->velocities; k++)
        v[k] += work->step[k];
    f->pose(d, q, v);
    carom_dynamics_constraints(d, s, t);
    return true;
}

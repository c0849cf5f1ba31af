/* The cartesian formulation: Newton-Euler equations in absolute coordinates with Lagrange multipliers,
     M a = f + J^T lambda,   J a = gamma + prescribed acceleration - stabilisation
   (Machado et al. 2012, eqs. (1)-(6)), solved through S = J M^-1 J^T. */
#include "dynamics/dynamics.h"

#include <math.h>
#include <string.h>

/* A pivot of S below this share of its diagonal marks a row that depends on earlier ones. */
#define DEPENDENT_PIVOT 1e-11

static double dot(const double *a, const double *b, int n)
{
    double sum = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    if (n == 6)
        sum += a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
    return sum;
}

/* S into a dense matrix (column-major, lower part). */
static void fill_dense(const carom_evaluation *d, double *s)
{
    const carom_model *m = d->model;
    int n = m->row_count, size = m->v_per_body;
    memset(s, 0, (size_t)n * (size_t)n * sizeof *s);
    for (int k = 0; k < m->coupling_count; k++) {
        const carom_coupling *c = &m->couplings[k];
        const carom_element *a = &m->elements[c->a], *b = &m->elements[c->b];
        for (int i = 0; i < b->row_count; i++) {
            int column = b->first_row + i;
            const double *w = d->jacobian[column].w[c->side_b];
            for (int j = c->a == c->b ? i : 0; j < a->row_count; j++) {
                int row = a->first_row + j;
                s[column * n + row] += dot(d->jacobian[row].j[c->side_a], w, size);
            }
        }
    }
}

/* S into the sparse values; sparse_place lists two positions for each product, in the order of this loop. */
static void fill_sparse(const carom_evaluation *d)
{
    const carom_model *m = d->model;
    int size = m->v_per_body, at = 0;
    double *s = carom_sparse_values(d->system->sparse);
    memset(s, 0, (size_t)d->system->sparse_entries * sizeof *s);
    for (int k = 0; k < m->coupling_count; k++) {
        const carom_coupling *c = &m->couplings[k];
        const carom_element *a = &m->elements[c->a], *b = &m->elements[c->b];
        for (int i = 0; i < b->row_count; i++) {
            const double *w = d->jacobian[b->first_row + i].w[c->side_b];
            for (int j = c->a == c->b ? i : 0; j < a->row_count; j++, at += 2) {
                double value = dot(d->jacobian[a->first_row + j].j[c->side_a], w, size);
                s[d->system->sparse_place[at]] += value;
                if (d->system->sparse_place[at + 1] != d->system->sparse_place[at])
                    s[d->system->sparse_place[at + 1]] += value;
            }
        }
    }
}

static bool factor(const carom_evaluation *d)
{
    if (d->model->row_count == 0)
        return true;
    if (d->system->sparse && !d->system->redundant) {
        fill_sparse(d);
        return carom_sparse_factor(d->system->sparse);
    }
    fill_dense(d, carom_dense_matrix(d->system->dense));
    return carom_dense_factor(d->system->dense, d->system->redundant);
}

void carom_cartesian_solve(const carom_evaluation *d, double *b)
{
    if (d->model->row_count == 0)
        return;
    if (d->system->sparse && !d->system->redundant)
        carom_sparse_solve(d->system->sparse, b);
    else
        carom_dense_solve(d->system->dense, b);
}

/* Free accelerations M^-1 f, gyroscopic term included. */
static void accelerate_free(carom_evaluation *d)
{
    const carom_model *m = d->model;
    for (int body = 1; body <= m->body_count; body++) {
        const carom_model_body *b = &m->bodies[body];
        const carom_wrench *w = &d->wrench[body];
        double *a = d->acceleration + (body - 1) * m->v_per_body;
        a[0] = b->inverse_mass * w->force.x;
        a[1] = b->inverse_mass * w->force.y;
        if (m->dimension == 2) {
            a[2] = b->inverse_inertia.m[2][2] * w->torque.z;
            continue;
        }
        a[2] = b->inverse_mass * w->force.z;
        carom_vec3 torque = w->torque;
        if (!b->isotropic) {
            const carom_body_pose *pose = &d->pose[body];
            carom_vec3 turn = carom_m3_apply_t(&pose->axes, pose->w);
            carom_vec3 gyro = carom_v3_cross(turn, carom_m3_apply(&b->inertia, turn));
            torque = carom_v3_sub(torque, carom_m3_apply(&pose->axes, gyro));
        }
        carom_vec3 spin = carom_m3_apply(&d->inverse_inertia[body], torque);
        a[3] = spin.x;
        a[4] = spin.y;
        a[5] = spin.z;
    }
}

void carom_cartesian_add(const carom_evaluation *d, const double *y, double *x)
{
    const carom_model *m = d->model;
    for (int r = 0; r < m->row_count; r++)
        for (int side = 0; side < 2; side++) {
            int body = d->jacobian[r].body[side];
            if (body == 0)
                continue;
            double *a = x + (body - 1) * m->v_per_body;
            const double *w = d->jacobian[r].w[side];
            for (int k = 0; k < m->v_per_body; k++)
                a[k] += y[r] * w[k];
        }
}

static double row_times(const carom_evaluation *d, int r, const double *x)
{
    const carom_model *m = d->model;
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        int body = d->jacobian[r].body[side];
        if (body)
            sum += dot(d->jacobian[r].j[side], x + (body - 1) * m->v_per_body, m->v_per_body);
    }
    return sum;
}

bool carom_cartesian_accelerate(carom_evaluation *d)
{
    const carom_model *m = d->model;
    const carom_stabilization_kind *kind = d->system->stabilization;
    const double *params = d->system->stabilization_params;
    accelerate_free(d);
    if (m->row_count == 0)
        return true;
    if (!factor(d))
        return false;
    for (int r = 0; r < m->row_count; r++) {
        double correction = kind && kind->correction ? kind->correction(params, d->rows[r].phi, d->phi_rate[r]) : 0;
        d->multipliers[r] =
            d->rows[r].gamma + d->row_acceleration[r] - correction - row_times(d, r, d->acceleration);
    }
    carom_cartesian_solve(d, d->multipliers);
    carom_cartesian_add(d, d->multipliers, d->acceleration);
    return m->rub_count == 0 || carom_rubbing_search(d);
}

/* The unit line n through a point with an arm on a body that moves, and M^-1 times it; returns their product. */
static double line_response(const carom_evaluation *d, int body, carom_vec3 arm, carom_vec3 n, double *line,
                            double *response)
{
    const carom_model *m = d->model;
    const carom_vec3 turn = carom_v3_cross(arm, n);
    const double im = m->bodies[body].inverse_mass;
    if (m->dimension == 2) {
        const double l[3] = {n.x, n.y, turn.z};
        const double w[3] = {im * n.x, im * n.y, m->bodies[body].inverse_inertia.m[2][2] * turn.z};
        memcpy(line, l, sizeof l);
        memcpy(response, w, sizeof w);
    } else {
        carom_vec3 spin = carom_m3_apply(&d->inverse_inertia[body], turn);
        const double l[6] = {n.x, n.y, n.z, turn.x, turn.y, turn.z};
        const double w[6] = {im * n.x, im * n.y, im * n.z, spin.x, spin.y, spin.z};
        memcpy(line, l, sizeof l);
        memcpy(response, w, sizeof w);
    }
    return dot(line, response, m->v_per_body);
}

double carom_cartesian_free_response(const carom_evaluation *d, int body_i, int body_j, const carom_contact_point *point)
{
    double line[6], response[6], inverse = 0;
    if (body_i)
        inverse += line_response(d, body_i, point->arm_i, carom_v3_neg(point->normal), line, response);
    if (body_j)
        inverse += line_response(d, body_j, point->arm_j, point->normal, line, response);
    return inverse;
}

double carom_cartesian_response(const carom_evaluation *d, int body_i, int body_j, const carom_contact_point *point,
                                carom_vec3 direction, bool factored, double *response, double *free)
{
    const carom_model *m = d->model;
    const int bodies[2] = {body_i, body_j};
    memset(response, 0, (size_t)(m->body_count * m->v_per_body) * sizeof *response);
    double line[2][6] = {{0}}, inverse = 0;
    for (int side = 0; side < 2; side++) {
        if (bodies[side] == 0)
            continue;
        inverse += line_response(d, bodies[side], side ? point->arm_j : point->arm_i,
                                 side ? direction : carom_v3_neg(direction), line[side],
                                 response + (bodies[side] - 1) * m->v_per_body);
    }
    if (free)
        *free = inverse;
    if (!m->row_count || (!factored && !factor(d)))
        return inverse;
    for (int r = 0; r < m->row_count; r++)
        d->system->solve[r] = -row_times(d, r, response);
    carom_cartesian_solve(d, d->system->solve);
    carom_cartesian_add(d, d->system->solve, response);
    inverse = 0;
    for (int side = 0; side < 2; side++)
        if (bodies[side])
            inverse += dot(line[side], response + (bodies[side] - 1) * m->v_per_body, m->v_per_body);
    return inverse;
}

double carom_cartesian_effective_mass(const carom_evaluation *d, int body_i, int body_j, const carom_contact_point *point)
{
    double free;
    double inverse =
        carom_cartesian_response(d, body_i, body_j, point, point->normal, false, d->system->column, &free);
    return inverse > 1e-12 * free ? 1 / inverse : HUGE_VAL;
}

/* Moves a position vector along a twist increment. */
static void move(const carom_model *m, const double *twist, double *q)
{
    for (int body = 0; body < m->body_count; body++) {
        double *x = q + body * m->q_per_body;
        const double *u = twist + body * m->v_per_body;
        for (int k = 0; k < 3; k++)
            x[k] += u[k];
        if (m->dimension == 2)
            continue;
        carom_quat turn = carom_quat_from_rotation(carom_v3_load(u + 3));
        carom_quat now = carom_quat_normalise(carom_quat_multiply(turn, (carom_quat){x[3], x[4], x[5], x[6]}));
        x[3] = now.w;
        x[4] = now.x;
        x[5] = now.y;
        x[6] = now.z;
    }
}

bool carom_cartesian_project(carom_evaluation *d, const carom_state *s, double t, double *q, double *v, double tolerance,
                             int iterations)
{
    const carom_model *m = d->model;
    int rows = m->row_count, size = m->body_count * m->v_per_body;
    double *step = d->system->step;
    if (rows == 0)
        return true;
    double before = HUGE_VAL;
    for (int iteration = 0;; iteration++) {
        carom_dynamics_pose(d, q, v);
        carom_dynamics_constraints(d, s, t);
        double worst = 0;
        for (int r = 0; r < rows; r++)
            worst = fmax(worst, fabs(d->rows[r].phi));
        bool settled = worst <= tolerance || (iteration > 3 && worst < 1e3 * tolerance && worst > 0.5 * before);
        if (!isfinite(worst) || (iteration >= iterations && !settled))
            return false;
        if (!factor(d))
            return false;
        if (settled)
            break;
        before = worst;
        for (int r = 0; r < rows; r++)
            d->system->solve[r] = -d->rows[r].phi;
        carom_cartesian_solve(d, d->system->solve);
        memset(step, 0, (size_t)size * sizeof(double));
        carom_cartesian_add(d, d->system->solve, step);
        /* a step of more than half a turn or many lengths of the model helps nobody: shorten it */
        double longest = 0;
        for (int k = 0; k < size; k++)
            longest = fmax(longest, fabs(step[k]));
        double limit = fmax(1, m->length_scale), scale = longest > limit ? limit / longest : 1;
        for (int k = 0; k < size; k++)
            step[k] *= scale;
        move(m, step, q);
    }
    for (int r = 0; r < rows; r++)
        d->system->solve[r] = -d->phi_rate[r];
    carom_cartesian_solve(d, d->system->solve);
    carom_cartesian_add(d, d->system->solve, v);
    carom_dynamics_pose(d, q, v);
    carom_dynamics_constraints(d, s, t);
    return true;
}

/* The lower part of S. */
static void fill_skyline(const carom_evaluation *d, carom_skyline *s)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->coupling_count; k++) {
        const carom_coupling *c = &m->couplings[k];
        const carom_element *a = &m->elements[c->a], *b = &m->elements[c->b];
        for (int i = 0; i < b->row_count; i++) {
            const double *w = d->jacobian[b->first_row + i].w[c->side_b];
            for (int j = c->a == c->b ? i : 0; j < a->row_count; j++)
                s->row[a->first_row + j][b->first_row + i] +=
                    dot(d->jacobian[a->first_row + j].j[c->side_a], w, m->v_per_body);
        }
    }
}

carom_status carom_cartesian_rank(const carom_evaluation *d, bool *redundant, int *rank)
{
    const carom_model *m = d->model;
    carom_arena scratch;
    carom_arena_init(&scratch, d->system->ctx);
    int *first = carom_arena_alloc(&scratch, (size_t)m->row_count, sizeof *first);
    carom_status status = first ? CAROM_OK : carom_fail_memory(d->system->ctx);
    for (int r = 0; first && r < m->row_count; r++)
        first[r] = r;
    for (int k = 0; first && k < m->coupling_count; k++) {
        const carom_element *a = &m->elements[m->couplings[k].a], *b = &m->elements[m->couplings[k].b];
        for (int r = a->first_row; r < a->first_row + a->row_count; r++)
            if (b->first_row < first[r])
                first[r] = b->first_row;
    }
    carom_skyline s;
    if (status == CAROM_OK)
        status = carom_skyline_create(&scratch, m->row_count, first, &s);
    if (status == CAROM_OK) {
        fill_skyline(d, &s);
        *rank = carom_skyline_rank(&s, DEPENDENT_PIVOT, redundant);
    }
    carom_arena_free(&scratch);
    return status;
}

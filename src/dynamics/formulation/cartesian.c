/* The cartesian formulation: Newton-Euler equations in absolute coordinates with Lagrange multipliers,
     M a = f + J^T lambda,   J a = gamma + prescribed acceleration - stabilisation
   (Machado et al. 2012, eqs. (1)-(6)), solved through S = J M^-1 J^T. The coordinates of a body are x, y, angle and
   their rates in the plane; in space the centre of mass and a quaternion, velocity and angular velocity in world
   axes. */
#include "base/team.h"
#include "dynamics/formulation/formulation.h"
#include "dynamics/dynamics.h"
#include "dynamics/formulation/cartesian.h"

#include <math.h>
#include <string.h>

/* Share of its condition at first at which the sparse matrix is near a singular position, and the rows themselves are
   decomposed: the square of a share of 3e-5 of the weakest row. */
#define SINGULAR 1e-9
/* Of many rows: a pivot of S below this share of its diagonal marks one that depends on earlier ones. */
#define DEPENDENT_PIVOT 1e-11

/* ---- rows and bodies ---- */

static double make_row(const carom_evaluation *d, const carom_row_entry *entries, int count, carom_jacobian_row *out)
{
    const carom_model *m = d->model;
    double rate = 0;
    out->count = count;
    for (int n = 0; n < count; n++) {
        const int body = entries[n].body;
        const carom_body_pose *pose = &d->pose[body];
        const carom_vec3 *l = entries[n].linear, *a = entries[n].angular;
        double *j = out->part[n].j, *w = out->part[n].w, im = m->bodies[body].inverse_mass;
        out->part[n].body = body;
        if (m->dimension == 2) {
            rate += l->x * pose->v.x + l->y * pose->v.y + a->z * pose->w.z;
            j[0] = l->x;
            j[1] = l->y;
            j[2] = a->z;
            w[0] = im * j[0];
            w[1] = im * j[1];
            w[2] = m->bodies[body].inverse_inertia.m[2][2] * j[2];
            continue;
        }
        rate += carom_v3_dot(*l, pose->v) + carom_v3_dot(*a, pose->w);
        carom_vec3 turn = carom_m3_apply(&d->inverse_inertia[body], *a);
        const double values[6] = {l->x, l->y, l->z, a->x, a->y, a->z};
        const double weighted[6] = {im * l->x, im * l->y, im * l->z, turn.x, turn.y, turn.z};
        for (int k = 0; k < 6; k++) {
            j[k] = values[k];
            w[k] = weighted[k];
        }
    }
    return rate;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    if (n == 6)
        sum += a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
    return sum;
}

static double couple(const carom_evaluation *d, const carom_jacobian_row *a, const carom_jacobian_row *b)
{
    const int size = carom_cartesian_velocities(d->model);
    double sum = 0;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            for (int k = 0; a->part[i].body && a->part[i].body == b->part[j].body && k < size; k++)
                sum += a->part[i].j[k] * b->part[j].w[k];
    return sum;
}

static double row_times(const carom_evaluation *d, const carom_jacobian_row *row, const double *x)
{
    const int size = carom_cartesian_velocities(d->model);
    double sum = 0;
    for (int n = 0; n < row->count; n++)
        for (int k = 0; row->part[n].body && k < size; k++)
            sum += row->part[n].j[k] * x[(row->part[n].body - 1) * size + k];
    return sum;
}

static void add_row(const carom_evaluation *d, const carom_jacobian_row *row, double f, double *x)
{
    const int size = carom_cartesian_velocities(d->model);
    for (int n = 0; n < row->count; n++)
        for (int k = 0; row->part[n].body && k < size; k++)
            x[(row->part[n].body - 1) * size + k] += f * row->part[n].w[k];
}

static carom_body_acceleration body_change(const carom_evaluation *d, const double *x, int body)
{
    if (body == 0)
        return (carom_body_acceleration){{0, 0, 0}, {0, 0, 0}};
    const double *a = x + (body - 1) * carom_cartesian_velocities(d->model);
    if (d->model->dimension == 2)
        return (carom_body_acceleration){{a[0], a[1], 0}, {0, 0, a[2]}};
    return (carom_body_acceleration){carom_v3_load(a), carom_v3_load(a + 3)};
}

static carom_body_acceleration body_acceleration(const carom_evaluation *d, int body)
{
    return body_change(d, d->acceleration, body);
}

/* ---- equations of motion ---- */

/* Where the products of the walk go: entry (row, column) of S, row >= column. */
typedef void (*product_sink)(void *sink, int row, int column, double value);

/* S = J M^-1 J^T, product by product, each to be added to its entry. */
static inline void walk_products(const carom_evaluation *d, product_sink add, void *sink)
{
    const carom_model *m = d->model;
    const int size = carom_cartesian_velocities(m);
    for (int k = 0; k < m->coupling_count; k++) {
        const carom_coupling *c = &m->couplings[k];
        const carom_constraint_block *a = &m->blocks[c->a], *b = &m->blocks[c->b];
        for (int i = 0; i < b->row_count; i++) {
            const int column = b->first_row + i;
            const double *w = d->jacobian[column].part[c->side_b].w;
            for (int j = c->a == c->b ? i : 0; j < a->row_count; j++) {
                const int row = a->first_row + j;
                add(sink, row, column, dot(d->jacobian[row].part[c->side_a].j, w, size));
            }
        }
    }
}

/* A dense matrix, column-major, lower part. */
typedef struct dense_sink {
    double *s;
    int n;
} dense_sink;

static void add_dense(void *sink, int row, int column, double value)
{
    dense_sink *to = sink;
    to->s[column * to->n + row] += value;
}

static void fill_dense(const carom_evaluation *d, double *s)
{
    const int n = d->model->row_count;
    dense_sink sink = {s, n};
    memset(s, 0, (size_t)n * (size_t)n * sizeof *s);
    walk_products(d, add_dense, &sink);
    for (int r = 0; d->idle && r < n; r++)
        if (d->idle[r])
            s[r * n + r] = 1;
    const carom_constraint_block *e = carom_model_armatures(d->model);
    for (int k = 0; k < d->model->armature_count; k++)
        s[e[k].first_row * n + e[k].first_row] += 1 / e[k].armature;
}

/* Sparse values, both triangles; `place` has two positions for each product, in the order of the walk. */
typedef struct sparse_sink {
    double *s;
    const int *place;
} sparse_sink;

static void add_sparse(void *sink, int row, int column, double value)
{
    sparse_sink *to = sink;
    (void)row;
    (void)column;
    to->s[to->place[0]] += value;
    if (to->place[1] != to->place[0])
        to->s[to->place[1]] += value;
    to->place += 2;
}

static void fill_sparse(const carom_evaluation *d)
{
    const carom_system *sys = d->system;
    sparse_sink sink = {carom_sparse_values(sys->sparse), sys->sparse_place};
    memset(sink.s, 0, (size_t)sys->sparse_entries * sizeof *sink.s);
    walk_products(d, add_sparse, &sink);
    for (int r = 0; d->idle && r < d->model->row_count; r++)
        if (d->idle[r])
            sink.s[sys->diagonal_place[r]] = 1;
    const carom_constraint_block *e = carom_model_armatures(d->model);
    for (int k = 0; k < d->model->armature_count; k++)
        sink.s[sys->diagonal_place[e[k].first_row]] += 1 / e[k].armature;
}

/* v of a body = C x with C C^T = M^-1: the norm of x is then the mass-weighted norm of v. */
static void root_of_inverse_mass(const carom_evaluation *d, int body, double c[6][6])
{
    const carom_model *m = d->model;
    const carom_model_body *b = &m->bodies[body];
    memset(c, 0, 36 * sizeof(double));
    double linear = sqrt(b->inverse_mass);
    for (int k = 0; k < m->dimension; k++)
        c[k][k] = linear;
    if (m->dimension == 2) {
        c[2][2] = sqrt(b->inverse_inertia.m[2][2]);
        return;
    }
    const double(*a)[3] = d->inverse_inertia[body].m;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (int k = 0; k < j; k++)
                sum -= c[3 + i][3 + k] * c[3 + j][3 + k];
            c[3 + i][3 + j] = i == j ? sqrt(sum) : sum / c[3 + j][3 + j];
        }
}

/* x += C y of a body. */
static void add_root(double c[6][6], const double *y, int size, double *x)
{
    for (int i = 0; i < size; i++)
        for (int k = 0; k <= i; k++)
            x[i] += c[i][k] * y[k];
}

/* J C, the rows in the metric of the mass matrix; one of a joint that is not locked is zero. An armature is a rotor
   whose speed, a column more, is the rate of the coordinate. */
static void fill_rows(const carom_evaluation *d)
{
    const carom_model *m = d->model;
    const int size = carom_cartesian_velocities(m), bodies = m->body_count * size, n = bodies + m->armature_count;
    double *rows = carom_orthogonal_rows(d->system->orthogonal);
    bool *angle = carom_orthogonal_angles(d->system->orthogonal);
    for (int r = 0; r < m->row_count; r++)
        angle[r] = carom_row_is_angle(&d->rows[r]);
    memset(rows, 0, (size_t)m->row_count * (size_t)n * sizeof *rows);
    for (int body = 1; body <= m->body_count; body++) {
        double c[6][6];
        root_of_inverse_mass(d, body, c);
        for (int r = 0; r < m->row_count; r++)
            for (int p = 0; p < d->jacobian[r].count; p++) {
                const double *j = d->jacobian[r].part[p].j;
                double *out = rows + (size_t)r * (size_t)n + (size_t)((body - 1) * size);
                for (int i = 0; d->jacobian[r].part[p].body == body && i < size; i++)
                    for (int k = 0; k <= i; k++)
                        out[k] += j[i] * c[i][k];
            }
    }
    const carom_constraint_block *e = carom_model_armatures(m);
    for (int k = 0; k < m->armature_count; k++)
        rows[(size_t)e[k].first_row * (size_t)n + (size_t)(bodies + k)] = 1 / sqrt(e[k].armature);
}

static bool factor(const carom_evaluation *d)
{
    carom_system *sys = d->system;
    sys->by_rows = false;
    if (d->model->row_count == 0)
        return true;
    if (sys->soft.n) {
        fill_dense(d, carom_dense_matrix(sys->dense));
        return carom_proximal_factor(&sys->soft, sys->dense);
    }
    const bool orthogonal = sys->stabilization && sys->stabilization->orthogonal;
    if (sys->sparse && !sys->redundant && !orthogonal) {
        fill_sparse(d);
        const bool done = carom_sparse_factor(sys->sparse);
        if (done && !(sys->rcond > 0))
            sys->rcond = carom_sparse_rcond(sys->sparse);
        if (!sys->orthogonal || (done && carom_sparse_rcond(sys->sparse) > SINGULAR * sys->rcond))
            return done;
    }
    if (!sys->redundant && !sys->sparse && !orthogonal) {
        fill_dense(d, carom_dense_matrix(sys->dense));
        if (carom_dense_factor(sys->dense))
            return true;
    }
    sys->by_rows = true;
    fill_rows(d);
    return carom_orthogonal_factor(sys->orthogonal);
}

static double weakest(const carom_system *sys)
{
    if (!sys->model->row_count)
        return 1;
    if (sys->by_rows)
        return carom_orthogonal_weakest(sys->orthogonal);
    return sqrt(sys->sparse && !sys->soft.n ? carom_sparse_rcond(sys->sparse) : carom_dense_weakest(sys->dense));
}

static void solve(const carom_evaluation *d, double *b)
{
    if (d->model->row_count == 0)
        return;
    if (d->system->by_rows)
        carom_orthogonal_solve(d->system->orthogonal, b);
    else if (d->system->soft.n)
        carom_proximal_solve(&d->system->soft, d->system->dense, b);
    else if (d->system->sparse)
        carom_sparse_solve(d->system->sparse, b);
    else
        carom_dense_solve(d->system->dense, b);
}

/* Free accelerations M^-1 f, gyroscopic term included. */
static void accelerate_of(const carom_evaluation *d, int first, int end, const carom_wrench *wrench, double *out)
{
    const carom_model *m = d->model;
    for (int body = first + 1; body <= end; body++) {
        const carom_body_inertia *own = carom_system_inertia(d->system, body);
        const carom_wrench *w = &wrench[body - first - 1];
        double *a = out + (body - first - 1) * carom_cartesian_velocities(m);
        a[0] = own->inverse_mass * w->force.x;
        a[1] = own->inverse_mass * w->force.y;
        if (m->dimension == 2) {
            a[2] = own->inverse_inertia * w->torque.z;
            continue;
        }
        a[2] = own->inverse_mass * w->force.z;
        carom_vec3 torque = w->torque;
        if (own->inverse_inertia > 0) {
            const double inverse = own->inverse_inertia;
            a[3] = inverse * torque.x;
            a[4] = inverse * torque.y;
            a[5] = inverse * torque.z;
            continue;
        }
        const carom_body_pose *pose = &d->pose[body];
        carom_vec3 turn = carom_m3_apply_t(&pose->axes, pose->w);
        carom_vec3 gyro = carom_v3_cross(turn, carom_m3_apply(&m->bodies[body].inertia, turn));
        torque = carom_v3_sub(torque, carom_m3_apply(&pose->axes, gyro));
        carom_vec3 spin = carom_m3_apply(&d->inverse_inertia[body], torque);
        a[3] = spin.x;
        a[4] = spin.y;
        a[5] = spin.z;
    }
}

static void accelerate_some(void *user, int first, int end)
{
    carom_evaluation *d = user;
    accelerate_of(d, first, end, &d->wrench[first + 1],
                  d->acceleration + first * carom_cartesian_velocities(d->model));
}

static const carom_body_wise each_body = {.position_rate = carom_cartesian_position_rate_of,
                                          .normalise = carom_cartesian_normalise_of,
                                          .pose = carom_cartesian_pose_of,
                                          .twist = carom_cartesian_twist_of,
                                          .accelerate = accelerate_of};

static void add_rows(const carom_evaluation *d, const double *y, double *x)
{
    const int size = carom_cartesian_velocities(d->model);
    for (int r = 0; r < d->model->row_count; r++)
        for (int n = 0; n < d->jacobian[r].count; n++) {
            const int body = d->jacobian[r].part[n].body;
            if (body == 0)
                continue;
            double *a = x + (body - 1) * size;
            const double *w = d->jacobian[r].part[n].w;
            for (int k = 0; k < size; k++)
                a[k] += y[r] * w[k];
        }
}

/* Solves for the multipliers in the place of b, and x += M^-1 J^T times them; from the rows without the multipliers,
   whose rounding the inverse of a small inertia would enlarge. */
static void answer(const carom_evaluation *d, double *b, double *x)
{
    const int size = carom_cartesian_velocities(d->model);
    if (!d->system->by_rows) {
        solve(d, b);
        add_rows(d, b, x);
        return;
    }
    const double *y = carom_orthogonal_solve(d->system->orthogonal, b);
    for (int body = 1; body <= d->model->body_count; body++) {
        double c[6][6];
        root_of_inverse_mass(d, body, c);
        add_root(c, y + (body - 1) * size, size, x + (body - 1) * size);
    }
}

static double constraint_times(const carom_evaluation *d, int r, const double *x)
{
    const int size = carom_cartesian_velocities(d->model);
    double sum = 0;
    for (int n = 0; n < d->jacobian[r].count; n++) {
        const int body = d->jacobian[r].part[n].body;
        if (body)
            sum += dot(d->jacobian[r].part[n].j, x + (body - 1) * size, size);
    }
    return sum;
}

static bool accelerate(carom_evaluation *d)
{
    const carom_model *m = d->model;
    carom_team_share(d->system->threads, m->body_count, accelerate_some, d);
    if (m->row_count == 0)
        return true;
    if (!factor(d))
        return false;
    for (int r = 0; r < m->row_count; r++) {
        d->multipliers[r] = d->rows[r].gamma + d->row_acceleration[r] - carom_system_correction(d, r) -
                            constraint_times(d, r, d->acceleration);
    }
    answer(d, d->multipliers, d->acceleration);
    return m->site_count == 0 || carom_joint_friction_solve(d);
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
    return dot(line, response, carom_cartesian_velocities(m));
}

static double free_delassus(const carom_evaluation *d, const carom_force_pair *pair)
{
    double line[6], response[6], inverse = 0;
    if (pair->body_i)
        inverse += line_response(d, pair->body_i, pair->arm_i, carom_v3_neg(pair->direction), line, response);
    if (pair->body_j)
        inverse += line_response(d, pair->body_j, pair->arm_j, pair->direction, line, response);
    return inverse;
}

static double delassus(const carom_evaluation *d, const carom_force_pair *pair, bool factored, double *column,
                       double *free)
{
    const carom_model *m = d->model;
    const int bodies[2] = {pair->body_i, pair->body_j}, size = carom_cartesian_velocities(m);
    memset(column, 0, (size_t)(m->body_count * size) * sizeof *column);
    double line[2][6] = {{0}}, inverse = 0;
    for (int side = 0; side < 2; side++) {
        if (bodies[side] == 0)
            continue;
        inverse += line_response(d, bodies[side], side ? pair->arm_j : pair->arm_i,
                                 side ? pair->direction : carom_v3_neg(pair->direction), line[side],
                                 column + (bodies[side] - 1) * size);
    }
    if (free)
        *free = inverse;
    if (!m->row_count || (!factored && !factor(d)))
        return inverse;
    for (int r = 0; r < m->row_count; r++)
        d->system->solve[r] = -constraint_times(d, r, column);
    answer(d, d->system->solve, column);
    inverse = 0;
    for (int side = 0; side < 2; side++)
        if (bodies[side])
            inverse += dot(line[side], column + (bodies[side] - 1) * size, size);
    return inverse;
}

static bool project(carom_evaluation *d, const carom_state *s, double t, double *q, double *v, double tolerance,
                             int iterations)
{
    const carom_model *m = d->model;
    int rows = m->row_count, size = m->body_count * carom_cartesian_velocities(m);
    double *step = d->system->step;
    if (rows == 0)
        return true;
    double before = HUGE_VAL;
    for (int iteration = 0;; iteration++) {
        carom_cartesian_pose_all(d, q, v);
        carom_dynamics_constraints(d, s, t);
        double worst = 0;
        tolerance = fmax(tolerance, carom_row_rounding(d, false));
        for (int r = 0; r < rows; r++)
            worst = fmax(worst, carom_row_violation(d, r));
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
        memset(step, 0, (size_t)size * sizeof(double));
        answer(d, d->system->solve, step);
        carom_step_shorten(d, step);
        carom_cartesian_retract(m, step, q);
    }
    for (int r = 0; r < rows; r++)
        d->system->solve[r] = -d->phi_rate[r];
    answer(d, d->system->solve, v);
    carom_cartesian_pose_all(d, q, v);
    carom_dynamics_constraints(d, s, t);
    return true;
}

static void add_skyline(void *sink, int row, int column, double value)
{
    carom_skyline *to = sink;
    to->row[row][column] += value;
}

static carom_status find_rank(const carom_evaluation *d, bool *redundant, int *rank)
{
    const carom_model *m = d->model;
    carom_system *system = d->system;
    *rank = 0;
    if (!m->row_count)
        return CAROM_OK;
    if (!system->sparse) {
        fill_rows(d);
        *rank = carom_orthogonal_rank(system->orthogonal, redundant) - m->armature_count;
        for (int r = 0; d->idle && r < m->row_count; r++)
            redundant[r] = redundant[r] && !d->idle[r];
        return CAROM_OK;
    }
    carom_arena scratch;
    carom_arena_init(&scratch, system->ctx);
    /* where joints are locked it is found again in the run, which takes no memory then */
    carom_skyline own, *s = m->lock_count ? &system->skyline : &own;
    carom_status status = CAROM_OK;
    if (m->lock_count && s->row)
        carom_skyline_clear(s);
    else
        status = carom_system_make_skyline(m, m->lock_count ? &system->arena : &scratch, s);
    if (status == CAROM_OK) {
        walk_products(d, add_skyline, s);
        for (int r = 0; d->idle && r < m->row_count; r++)
            if (d->idle[r])
                s->row[r][r] = 1;
        const carom_constraint_block *e = carom_model_armatures(m);
        for (int k = 0; k < m->armature_count; k++)
            s->row[e[k].first_row][e[k].first_row] += 1 / e[k].armature;
        *rank = carom_skyline_rank(s, DEPENDENT_PIVOT, redundant) - (m->row_count - carom_dynamics_active_rows(d));
    }
    carom_arena_free(&scratch);
    return status;
}

/* ---- rows over all velocities ---- */

static void row_entries(const carom_evaluation *d, const carom_row *row, int body_i, int body_j, double *a)
{
    const carom_model *m = d->model;
    for (int side = 0; side < 2; side++) {
        const int body = side ? body_j : body_i;
        const carom_vec3 *linear = side ? &row->Lj : &row->Li, *angular = side ? &row->Aj : &row->Ai;
        double *at = a + (body - 1) * carom_cartesian_velocities(m);
        if (body == 0)
            continue;
        at[0] += linear->x;
        at[1] += linear->y;
        if (m->dimension == 2) {
            at[2] += angular->z;
            continue;
        }
        at[2] += linear->z;
        at[3] += angular->x;
        at[4] += angular->y;
        at[5] += angular->z;
    }
}

static void scale_rows(const carom_evaluation *d, const double *rows, int count, double *out)
{
    const carom_model *m = d->model;
    const int size = carom_cartesian_velocities(m), n = m->body_count * size;
    for (int body = 1; body <= m->body_count; body++) {
        double c[6][6];
        root_of_inverse_mass(d, body, c);
        for (int r = 0; r < count; r++)
            for (int k = 0; k < size; k++) {
                double sum = 0;
                for (int i = 0; i < size; i++)
                    sum += rows[(size_t)r * (size_t)n + (size_t)((body - 1) * size + i)] * c[i][k];
                out[(size_t)((body - 1) * size + k) * (size_t)count + (size_t)r] = sum;
            }
    }
}

static void scale_back(const carom_evaluation *d, const double *x, double *v)
{
    const carom_model *m = d->model;
    const int size = carom_cartesian_velocities(m);
    for (int body = 1; body <= m->body_count; body++) {
        double c[6][6], *out = v + (body - 1) * size;
        root_of_inverse_mass(d, body, c);
        memset(out, 0, (size_t)size * sizeof *out);
        add_root(c, x + (body - 1) * size, size, out);
    }
}

const carom_formulation carom_formulation_cartesian = {
    .name = "cartesian",
    .title = "Newton-Euler equations in absolute coordinates with Lagrange multipliers.",
    .source = "Machado et al. 2012, equations (1) to (6).",
    .layout = carom_cartesian_layout,
    .pose = carom_cartesian_pose_all,
    .twist = carom_cartesian_twist,
    .body_pose = carom_cartesian_body_pose,
    .position_rate = carom_cartesian_position_rate,
    .each = &each_body,
    .normalise = carom_cartesian_normalise,
    .retract = carom_cartesian_retract,
    .difference = carom_cartesian_difference,
    .body_place = carom_cartesian_body_place,
    .get_body = carom_cartesian_get_body,
    .put_body = carom_cartesian_put_body,
    .move_body = carom_cartesian_move_body,
    .tolerate = carom_cartesian_tolerate,
    .accelerate = accelerate,
    .body_acceleration = body_acceleration,
    .body_change = body_change,
    .delassus = delassus,
    .free_delassus = free_delassus,
    .row = make_row,
    .couple = couple,
    .row_times = row_times,
    .add_row = add_row,
    .solve = solve,
    .add_rows = add_rows,
    .newton_position = carom_cartesian_newton_position,
    .newton_turn = carom_cartesian_newton_turn,
    .newton_rate = carom_cartesian_newton_rate,
    .project = project,
    .weakest = weakest,
    .rank = find_rank,
    .row_entries = row_entries,
    .scale_rows = scale_rows,
    .scale_back = scale_back,
};

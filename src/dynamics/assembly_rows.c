/* Rows of the assembly: which there are, and their solution. Few rows are solved densely by singular values, those of a
   system whose equations are sparse by Cholesky's method within their skyline. */
#include "dynamics/assembly.h"

#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"
#include "kinds/joint/joint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Singular values below this share of the largest one are none. */
#define RANK_TOLERANCE 1e-11
/* Norms of rows within this factor. */
#define ALIKE 1e3
/* From so many velocities on the rows are solved sparsely, however few the constraint rows are. */
#define SPARSE_VELOCITIES 256

void carom_row_name(const carom_model *m, int row, char *text, size_t size)
{
    static const char *const axes[] = {"x", "y", "z", "angle"};
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        if (row < e->first_row || row >= e->first_row + e->row_count)
            continue;
        if (e->type == CAROM_BLOCK_JOINT)
            snprintf(text, size, "joint '%s', row %d", m->joints[e->object].name, row - e->first_row + 1);
        else if (e->type == CAROM_BLOCK_JOINT_MOTION)
            snprintf(text, size, "motion of joint '%s'", m->joints[e->object].name);
        else if (e->type == CAROM_BLOCK_ARMATURE)
            snprintf(text, size, "armature of joint '%s'", m->joints[e->object].name);
        else if (e->type == CAROM_BLOCK_COMPUTED)
            snprintf(text, size, "computed effort of load '%s'", m->loads[e->load].name);
        else if (e->type == CAROM_BLOCK_LOCK)
            snprintf(text, size, "lock of joint '%s'", m->joints[e->object].name);
        else
            snprintf(text, size, "motion %s of body '%s'", axes[e->axis], m->bodies[e->object].name);
        return;
    }
    snprintf(text, size, "row %d", row);
}

void carom_row_part_name(const carom_model *m, int row, char *text, size_t size)
{
    carom_row_name(m, row, text, size);
    char *number = strstr(text, "', row ");
    if (number)
        number[1] = 0;
}

const carom_place *carom_row_place(const carom_model *m, int row)
{
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        if (row >= e->first_row && row < e->first_row + e->row_count)
            return e->type == CAROM_BLOCK_BODY_MOTION ? &m->bodies[e->object].place : &m->joints[e->object].place;
    }
    return NULL;
}

/* ---- which rows ---- */

static carom_status create(carom_evaluation *d, int more, bool sparse, carom_assembly_rows *out)
{
    const carom_model *m = d->model;
    carom_context *ctx = d->system->ctx;
    const int n = d->system->layout.velocities;
    const int most = m->row_count + m->joint_count + CAROM_JOINT_ROWS * m->clearance_count + 6 * m->body_count + more;
    const size_t rows = (size_t)most, nm = (size_t)n * rows, longest = (size_t)(n > most ? n : most);
    *out = (carom_assembly_rows){.d = d,
                                 .columns = n,
                                 .capacity = most,
                                 .sparse = sparse,
                                 .b = carom_allocate(ctx, rows, sizeof(double)),
                                 .source = carom_allocate(ctx, rows, sizeof *out->source),
                                 .angle = carom_allocate(ctx, rows, sizeof *out->angle),
                                 .step = carom_allocate(ctx, (size_t)d->system->layout.positions, sizeof(double))};
    bool done = out->b && out->source && out->angle && out->step;
    if (out->sparse) {
        out->jacobian = carom_allocate(ctx, rows, sizeof *out->jacobian);
        done = done && out->jacobian;
    } else {
        out->a = carom_allocate(ctx, nm, sizeof(double));
        out->work = carom_allocate(ctx, nm, sizeof(double));
        out->x = carom_allocate(ctx, longest, sizeof(double));
        done = done && out->a && out->work && out->x;
    }
    if (done)
        return CAROM_OK;
    carom_assembly_rows_free(out);
    return carom_fail_memory(ctx);
}

carom_status carom_assembly_rows_create(carom_evaluation *d, carom_assembly_rows *out)
{
    return create(d, 0, d->system->sparse || d->system->layout.velocities >= SPARSE_VELOCITIES, out);
}

carom_status carom_assembly_rows_create_sparse(carom_evaluation *d, int more, carom_assembly_rows *out)
{
    return create(d, more, true, out);
}

void carom_assembly_rows_free(carom_assembly_rows *rows)
{
    carom_context *ctx = rows->d->system->ctx;
    const size_t count = (size_t)rows->capacity, nm = (size_t)rows->columns * count;
    carom_release(ctx, rows->a, nm, sizeof(double));
    carom_release(ctx, rows->work, nm, sizeof(double));
    carom_release(ctx, rows->x, (size_t)(rows->columns > rows->capacity ? rows->columns : rows->capacity),
                  sizeof(double));
    carom_release(ctx, rows->jacobian, count, sizeof *rows->jacobian);
    carom_release(ctx, rows->b, count, sizeof(double));
    carom_release(ctx, rows->source, count, sizeof *rows->source);
    carom_release(ctx, rows->angle, count, sizeof *rows->angle);
    carom_release(ctx, rows->step, (size_t)rows->d->system->layout.positions, sizeof(double));
}

static void add_row(carom_assembly_rows *rows, const carom_row *row, int body_i, int body_j, double value,
                    carom_row_source source)
{
    const int r = rows->count++;
    rows->b[r] = value;
    rows->source[r] = source;
    rows->angle[r] = carom_row_is_angle(row);
    if (rows->sparse) {
        carom_row_between(rows->d, row, body_i, body_j, &rows->jacobian[r]);
        return;
    }
    double *a = rows->a + (size_t)r * (size_t)rows->columns;
    memset(a, 0, (size_t)rows->columns * sizeof *a);
    rows->d->system->formulation->row_entries(rows->d, row, body_i, body_j, a);
}

/* Row r of a constraint block. */
static void add_block_row(carom_assembly_rows *rows, const carom_constraint_block *e, int r, double value)
{
    const int k = rows->count++;
    rows->b[k] = value;
    rows->source[k] = (carom_row_source){CAROM_SOURCE_ROW, r};
    rows->angle[k] = carom_row_is_angle(&rows->d->rows[r]);
    if (rows->sparse) {
        carom_block_row(rows->d, e, r, &rows->jacobian[k]);
        return;
    }
    double *a = rows->a + (size_t)k * (size_t)rows->columns;
    memset(a, 0, (size_t)rows->columns * sizeof *a);
    carom_block_entries(rows->d, e, r, a);
}

void carom_assembly_constraints(carom_assembly_rows *rows, bool closing)
{
    const carom_evaluation *d = rows->d;
    const carom_model *m = d->model;
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        if (e->type == CAROM_BLOCK_LOCK || !carom_block_constrains(e))
            continue; /* nothing is locked at the start */
        const int end = e->first_row + e->row_count - (closing ? e->rate_rows : 0);
        for (int r = e->first_row; r < end; r++)
            add_block_row(rows, e, r, closing ? -d->rows[r].phi : d->row_rate[r]);
    }
}

void carom_assembly_ideal(carom_assembly_rows *rows, int joint, bool closing)
{
    const carom_evaluation *d = rows->d;
    const carom_model *m = d->model;
    const carom_model_joint *j = &m->joints[joint];
    carom_row row[CAROM_JOINT_ROWS];
    carom_frame_pose fi = carom_dynamics_frame_pose(&d->pose[j->i.body], &j->i, m->dimension);
    carom_frame_pose fj = carom_dynamics_frame_pose(&d->pose[j->j.body], &j->j, m->dimension);
    carom_joint_rows(j->kind, j->p, &fi, &fj, m->dimension, 0, row);
    for (int r = 0; r < j->clearance.rows; r++)
        add_row(rows, &row[r], j->i.body, j->j.body, closing ? -row[r].phi : 0,
                (carom_row_source){CAROM_SOURCE_IDEAL, joint});
}

void carom_assembly_given(carom_assembly_rows *rows)
{
    const carom_model *m = rows->d->model;
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_joint *j = &m->joints[k];
        carom_row row;
        double rate;
        if (!j->rate_given)
            continue;
        carom_dynamics_coordinate(rows->d, k, 0, &row, &rate);
        add_row(rows, &row, j->i.body, j->j.body, j->rate, (carom_row_source){CAROM_SOURCE_RATE, k});
    }
    for (int body = 1; body <= m->body_count; body++) {
        const carom_model_body *b = &m->bodies[body];
        const double v[3] = {b->velocity.x, b->velocity.y, b->velocity.z}, w[3] = {b->spin.x, b->spin.y, b->spin.z};
        for (int k = 0; k < 3; k++) {
            const carom_vec3 axis = carom_v3(k == 0, k == 1, k == 2);
            const carom_row moves = {.Lj = axis}, turns = {.Aj = axis};
            if (b->velocity_given[k])
                add_row(rows, &moves, 0, body, v[k], (carom_row_source){CAROM_SOURCE_VELOCITY, body});
            if (b->spin_given[k])
                add_row(rows, &turns, 0, body, w[k], (carom_row_source){CAROM_SOURCE_SPIN, body});
        }
    }
}

static int block_of(const carom_model *m, int row)
{
    int k = 0;
    while (k < m->block_count - 1 && row >= m->blocks[k].first_row + m->blocks[k].row_count)
        k++;
    return k;
}

bool carom_assembly_same_part(const carom_assembly_rows *rows, int a, int b)
{
    const carom_row_source one = rows->source[a], two = rows->source[b];
    const carom_model *m = rows->d->model;
    if (one.type != two.type)
        return false;
    return one.index == two.index ||
           (one.type == CAROM_SOURCE_ROW && block_of(m, one.index) == block_of(m, two.index));
}

/* ---- solution ---- */

double carom_assembly_open(const carom_assembly_rows *rows, int row)
{
    return fabs(rows->b[row]) / (rows->angle[row] ? 1 : rows->d->model->length_scale);
}

double carom_assembly_off(const carom_assembly_rows *rows, int r, const double *v)
{
    double sum = -rows->b[r];
    if (rows->sparse)
        return sum + rows->d->system->formulation->row_times(rows->d, &rows->jacobian[r], v);
    for (int k = 0; k < rows->columns; k++)
        sum += rows->a[(size_t)r * (size_t)rows->columns + (size_t)k] * v[k];
    return sum;
}

double carom_assembly_miss(const carom_assembly_rows *rows, int row, const double *v)
{
    return fabs(carom_assembly_off(rows, row, v)) / (rows->angle[row] ? 1 : rows->d->model->length_scale);
}

double carom_assembly_asked(const carom_assembly_rows *rows)
{
    double most = 0;
    for (int r = 0; r < rows->count; r++)
        most = fmax(most, carom_assembly_open(rows, r));
    return most;
}

static double norm_of(const carom_assembly_rows *rows, int count, int r)
{
    double sum = 0;
    for (int k = 0; k < rows->columns; k++)
        sum = hypot(sum, rows->work[(size_t)k * (size_t)count + (size_t)r]);
    return sum;
}

/* Rows of the metric, and what they are to be, to the norm 1, so that the rank depends on no unit. Where their norms
   are alike, it does not anyway. */
static void scale_to_norm(const carom_assembly_rows *rows, int count)
{
    double least = HUGE_VAL, largest = 0;
    for (int r = 0; r < count; r++) {
        const double norm = norm_of(rows, count, r);
        least = norm > 0 ? fmin(least, norm) : least;
        largest = fmax(largest, norm);
    }
    for (int r = 0; r < count && largest > ALIKE * least; r++) {
        const double norm = norm_of(rows, count, r);
        for (int k = 0; k < rows->columns && norm > 0; k++)
            rows->work[(size_t)k * (size_t)count + (size_t)r] /= norm;
        rows->x[r] /= norm > 0 ? norm : 1;
    }
}

static carom_status solve_dense(const carom_assembly_rows *rows, int count, double *v)
{
    const carom_evaluation *d = rows->d;
    const carom_formulation *formulation = d->system->formulation;
    int rank;
    formulation->scale_rows(d, rows->a, count, rows->work);
    memcpy(rows->x, rows->b, (size_t)count * sizeof *rows->x);
    scale_to_norm(rows, count);
    CAROM_TRY(carom_least_norm(d->system->ctx, count, rows->columns, rows->work, rows->x, RANK_TOLERANCE, &rank));
    formulation->scale_back(d, rows->x, v);
    return CAROM_OK;
}

carom_status carom_assembly_solve(const carom_assembly_rows *rows, int count, double *v, int *worst, double *residual)
{
    if (rows->sparse)
        CAROM_TRY(carom_assembly_solve_sparse(rows, count, false, v, NULL));
    else
        CAROM_TRY(solve_dense(rows, count, v));
    *residual = 0;
    for (int r = 0; r < count; r++) {
        const double miss = carom_assembly_miss(rows, r, v);
        if (!(miss <= *residual)) {
            *residual = miss;
            *worst = r;
        }
    }
    return CAROM_OK;
}

static carom_status sparse_culprit(const carom_assembly_rows *rows, double allowed, double *v, int *row)
{
    carom_context *ctx = rows->d->system->ctx;
    bool *redundant = carom_allocate(ctx, (size_t)rows->count, sizeof *redundant);
    carom_status status = redundant ? carom_assembly_solve_sparse(rows, rows->count, true, v, redundant)
                                    : carom_fail_memory(ctx);
    for (int r = 0; status == CAROM_OK && r < rows->count && *row < 0; r++)
        if (redundant[r] && !(carom_assembly_miss(rows, r, v) <= allowed))
            *row = r;
    carom_release(ctx, redundant, (size_t)rows->count, sizeof *redundant);
    return status;
}

carom_status carom_assembly_culprit(const carom_assembly_rows *rows, double allowed, double *v, int *row)
{
    int worst = 0;
    double residual = 0;
    *row = -1;
    if (rows->sparse)
        return sparse_culprit(rows, allowed, v, row);
    /* the first count at which a residual appears; those before say its value */
    for (int count = 1; count <= rows->count; count++) {
        CAROM_TRY(carom_assembly_solve(rows, count, v, &worst, &residual));
        if (residual <= allowed)
            continue;
        CAROM_TRY(carom_assembly_solve(rows, count - 1, v, &worst, &residual));
        *row = count - 1;
        return CAROM_OK;
    }
    return CAROM_OK;
}

/* Coefficient of a row at a column; `unit` are zeros. */
static double coefficient(const carom_assembly_rows *rows, int r, int column, double *unit)
{
    if (!rows->sparse)
        return rows->a[(size_t)r * (size_t)rows->columns + (size_t)column];
    unit[column] = 1;
    const double value = rows->d->system->formulation->row_times(rows->d, &rows->jacobian[r], unit);
    unit[column] = 0;
    return value;
}

/* The columns of the rows into `a`, each divided by its norm, which `norm` takes; b behind them. */
static void equilibrate(const carom_assembly_rows *rows, double *a, double *norm, double *b, double *unit)
{
    for (int k = 0; k < rows->columns; k++) {
        double *column = a + (size_t)k * (size_t)rows->count, sum = 0;
        for (int r = 0; r < rows->count; r++)
            sum = hypot(sum, column[r] = coefficient(rows, r, k, unit));
        norm[k] = sum > 0 ? sum : 1;
        for (int r = 0; r < rows->count; r++)
            column[r] /= norm[k];
    }
    memcpy(b, rows->b, (size_t)rows->count * sizeof *b);
}

carom_status carom_assembly_agree(const carom_assembly_rows *rows, double share, bool *agree)
{
    carom_context *ctx = rows->d->system->ctx;
    const size_t count = (size_t)rows->count, columns = (size_t)rows->columns, size = count * columns;
    double *a = carom_allocate(ctx, size + 1, sizeof *a), *norm = carom_allocate(ctx, 2 * columns + 1, sizeof *norm);
    double *b = carom_allocate(ctx, count + columns + 1, sizeof *b);
    const double scale = carom_assembly_asked(rows);
    carom_status status = a && norm && b ? CAROM_OK : carom_fail_memory(ctx);
    int rank;
    *agree = true;
    if (status == CAROM_OK) {
        memset(norm, 0, 2 * columns * sizeof *norm);
        equilibrate(rows, a, norm, b, norm + columns);
        status = carom_least_norm(ctx, rows->count, rows->columns, a, b, RANK_TOLERANCE, &rank);
    }
    for (size_t k = 0; status == CAROM_OK && k < columns; k++)
        b[k] /= norm[k];
    for (int r = 0; status == CAROM_OK && r < rows->count; r++)
        *agree = *agree && carom_assembly_miss(rows, r, b) <= share * scale;
    carom_release(ctx, a, size + 1, sizeof *a);
    carom_release(ctx, norm, 2 * columns + 1, sizeof *norm);
    carom_release(ctx, b, count + columns + 1, sizeof *b);
    return status;
}

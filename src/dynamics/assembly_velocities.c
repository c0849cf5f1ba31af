/* Velocities at the start: constraints are kept, then what is given, and the rest has the least norm. And which of the
   given velocities or accelerations contradict. */
#include "dynamics/assembly.h"

#include <math.h>
#include <stdio.h>

/* Largest residual of velocities that agree, relative to what is asked. */
#define CONTRADICTION 1e-9
/* Of the heaviest body's mass, what is light and does no harm. */
#define LIGHT 1e-6

/* Refuses a row; `off` is its value from those before it less what is asked; `what` are "velocities", say. */
static carom_status contradiction(const carom_assembly_rows *rows, const char *what, int row, double off)
{
    const carom_model *m = rows->d->model;
    char name[200];
    const carom_place *place = NULL;
    carom_row_source source = rows->source[row];
    if (source.type == CAROM_SOURCE_ROW) {
        carom_row_name(m, source.index, name, sizeof name);
        place = carom_row_place(m, source.index);
    } else if (source.type == CAROM_SOURCE_RATE) {
        snprintf(name, sizeof name, "rate of joint '%s'", m->joints[source.index].name);
        place = &m->joints[source.index].place;
    } else {
        snprintf(name, sizeof name, "%s of body '%s'",
                 source.type == CAROM_SOURCE_SPIN ? "angular velocity" : "velocity", m->bodies[source.index].name);
        place = &m->bodies[source.index].place;
    }
    const double made = rows->b[row] + off, given = fabs(rows->b[row]) > 1e-12 * fabs(made) ? rows->b[row] : 0;
    return carom_fail(
        rows->d->system->ctx, CAROM_ERROR_MODEL, place,
        "the given %s contradict: %s is given as %.6g, but the joints and what precedes it make it %.6g; leave one "
        "out",
        what, name, given, made);
}

/* Least of a body's mass and of its inertia over the square of the model's length [kg]. */
static double least_inertia(const carom_model *m, int body)
{
    const carom_model_body *b = &m->bodies[body];
    const double l2 = m->length_scale * m->length_scale;
    double least = fmin(b->mass, b->inertia.m[2][2] / l2);
    for (int k = 0; m->dimension == 3 && k < 2; k++)
        least = fmin(least, b->inertia.m[k][k] / l2);
    return least;
}

/* The refusal of rows that agree, and that the masses keep from being solved. */
static carom_status ill_conditioned(const carom_assembly_rows *rows, const char *what)
{
    const carom_model *m = rows->d->model;
    int light = 1, heavy = 1;
    for (int body = 2; body <= m->body_count; body++) {
        light = least_inertia(m, body) < least_inertia(m, light) ? body : light;
        heavy = m->bodies[body].mass > m->bodies[heavy].mass ? body : heavy;
    }
    const carom_model_body *l = &m->bodies[light], *h = &m->bodies[heavy];
    const double l2 = m->length_scale * m->length_scale, least = LIGHT * h->mass;
    if (least_inertia(m, light) >= least)
        return carom_fail(rows->d->system->ctx, CAROM_ERROR_MODEL, &(carom_place){m->file, 0, 0},
                          "the joints agree, but the %s cannot be solved: some joints hold nearly the same; leave out "
                          "one of them, or let it hold less, such as `spherical` in place of `revolute`",
                          what);
    return carom_fail(
        rows->d->system->ctx, CAROM_ERROR_MODEL, &l->place,
        "the joints agree, but the %s cannot be solved beside masses so far apart: body '%s' has %.4g kg and an "
        "inertia of %.4g kg m^2 beside %.4g kg of '%s'; give it some %.1g kg and %.1g kg m^2, which change little, or "
        "leave it out and join its joints to one body",
        what, l->name, l->mass, m->dimension == 2 ? l->inertia.m[2][2] : least_inertia(m, light) * l2, h->mass,
        h->name, least, least * l2);
}

/* Refuses the first row that contradicts those before it by more than `allowed`, or the worst one of a solution. */
static carom_status refuse(const carom_assembly_rows *rows, const char *what, double allowed, double *v, int worst)
{
    int row;
    bool agree;
    CAROM_TRY(carom_assembly_agree(rows, CONTRADICTION, &agree));
    if (agree)
        return ill_conditioned(rows, what);
    CAROM_TRY(carom_assembly_culprit(rows, allowed, v, &row));
    row = row < 0 ? worst : row;
    return contradiction(rows, what, row, carom_assembly_off(rows, row, v));
}

/* Velocities at which the journals rest in their bearings, as far as that agrees with what is given, joint by joint. */
static carom_status solve_ideal(carom_assembly_rows *rows, double *v, double allowed)
{
    const carom_model *m = rows->d->model;
    bool solved = true;
    for (int k = 0; k < m->joint_count; k++) {
        if (m->joints[k].clearance.index < 0)
            continue;
        const int count = rows->count;
        int worst;
        double residual;
        carom_assembly_ideal(rows, k, false);
        CAROM_TRY(carom_assembly_solve(rows, rows->count, v, &worst, &residual));
        solved = residual <= allowed;
        if (!solved)
            rows->count = count;
    }
    int worst = 0;
    return solved ? CAROM_OK : carom_assembly_solve(rows, rows->count, v, &worst, &(double){0});
}

static carom_status solve_velocities(carom_assembly_rows *rows, double *v, double *out)
{
    int worst = 0;
    double residual = 0;
    carom_assembly_constraints(rows, false);
    carom_assembly_given(rows);
    const double scale = fmax(carom_assembly_asked(rows), 1e-300);
    CAROM_TRY(carom_assembly_solve(rows, rows->count, v, &worst, &residual));
    for (int r = 0; r < rows->count; r++)
        *out = fmax(*out, fabs(carom_assembly_off(rows, r, v)));
    if (residual <= CONTRADICTION * scale)
        return solve_ideal(rows, v, CONTRADICTION * scale);
    return refuse(rows, "velocities", 0.1 * CONTRADICTION * scale, v, worst);
}

carom_status carom_assembly_velocities(carom_evaluation *d, carom_state *s, double *residual)
{
    *residual = 0;
    if (d->model->row_count == 0 && d->model->clearance_count == 0) {
        /* the given velocities stand as they are and the least norm of the others is zero */
        carom_state_move_bodies(s);
        return CAROM_OK;
    }
    carom_assembly_rows rows;
    CAROM_TRY(carom_assembly_rows_create(d, &rows));
    carom_status status = solve_velocities(&rows, s->v, residual);
    carom_assembly_rows_free(&rows);
    return status;
}

carom_status carom_assembly_refuse_accelerations(carom_evaluation *d, double miss)
{
    carom_assembly_rows rows;
    CAROM_TRY(carom_assembly_rows_create(d, &rows));
    const size_t size = (size_t)rows.columns;
    double *a = carom_allocate(d->system->ctx, size, sizeof *a), residual = 0;
    int worst = 0;
    carom_status status = a ? CAROM_OK : carom_fail_memory(d->system->ctx);
    carom_assembly_constraints(&rows, false);
    for (int r = 0; r < rows.count; r++)
        rows.b[r] = d->rows[rows.source[r].index].gamma + d->row_acceleration[rows.source[r].index];
    if (status == CAROM_OK)
        status = carom_assembly_solve(&rows, rows.count, a, &worst, &residual);
    if (status == CAROM_OK)
        status = refuse(&rows, "accelerations", 0.1 * miss, a, worst);
    carom_release(d->system->ctx, a, size, sizeof *a);
    carom_assembly_rows_free(&rows);
    return status;
}

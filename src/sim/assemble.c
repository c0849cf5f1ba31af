/* Initial conditions: positions onto the constraints, velocities that keep what was given, consistent accelerations. */
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Largest violation that counts as assembled, relative to the model's length, and of velocities to its speed. */
#define POSITION_TOLERANCE 1e-13
#define CONTRADICTION 1e-9

void carom_row_name(const carom_model *m, int row, char *text, size_t size)
{
    static const char *const axes[] = {"x", "y", "z", "angle"};
    for (int k = 0; k < m->element_count; k++) {
        const carom_element *e = &m->elements[k];
        if (row < e->first_row || row >= e->first_row + e->row_count)
            continue;
        if (e->type == CAROM_ELEMENT_JOINT)
            snprintf(text, size, "joint '%s', row %d", m->joints[e->object].name, row - e->first_row + 1);
        else if (e->type == CAROM_ELEMENT_JOINT_MOTION)
            snprintf(text, size, "motion of joint '%s'", m->joints[e->object].name);
        else if (e->type == CAROM_ELEMENT_LOCK)
            snprintf(text, size, "lock of joint '%s'", m->joints[e->object].name);
        else
            snprintf(text, size, "motion %s of body '%s'", axes[e->axis], m->bodies[e->object].name);
        return;
    }
    snprintf(text, size, "row %d", row);
}

/* Where the joint or body of a row stands in the model file. */
static const carom_place *row_place(const carom_model *m, int row)
{
    for (int k = 0; k < m->element_count; k++) {
        const carom_element *e = &m->elements[k];
        if (row >= e->first_row && row < e->first_row + e->row_count)
            return e->type == CAROM_ELEMENT_BODY_MOTION ? &m->bodies[e->object].place : &m->joints[e->object].place;
    }
    return NULL;
}

/* ---- positions ---- */

static carom_status find_rank(carom_simulation *sim)
{
    sim->s.formulation->pose(sim->d, sim->s.q, sim->s.v);
    carom_dynamics_constraints(sim->d, &sim->s, 0);
    CAROM_TRY(sim->system->formulation->rank(sim->d, sim->redundant, &sim->rank));
    sim->system->redundant = sim->rank < carom_dynamics_active_rows(sim->d);
    return CAROM_OK;
}

static int worst_row(const carom_simulation *sim)
{
    int worst = 0;
    for (int r = 0; r < sim->model->row_count; r++)
        if (!(fabs(sim->d->rows[r].phi) <= fabs(sim->d->rows[worst].phi)))
            worst = r;
    return worst;
}

/* Iterates of a failed assembly jump about; the nearest one shows what is missing. */
static void nearest_iterate(carom_simulation *sim, double tolerance)
{
    double least = HUGE_VAL;
    int best = 0;
    for (int k = 0; k < 20; k++) {
        carom_state_place_bodies(&sim->s);
        sim->system->formulation->project(sim->d, &sim->s, 0, sim->s.q, sim->s.v, tolerance, k);
        double violation = fabs(sim->d->rows[worst_row(sim)].phi);
        if (violation < least) {
            least = violation;
            best = k;
        }
    }
    carom_state_place_bodies(&sim->s);
    sim->system->formulation->project(sim->d, &sim->s, 0, sim->s.q, sim->s.v, tolerance, best);
}

static carom_status positions(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    double tolerance = POSITION_TOLERANCE * fmax(1e-3, m->length_scale);
    CAROM_TRY(find_rank(sim));
    bool assembled = sim->system->formulation->project(sim->d, s, 0, s->q, s->v, tolerance, 60);
    if (!assembled && !sim->system->redundant) {
        /* the guess may pass a singular pose: least-norm steps get through */
        sim->system->redundant = true;
        carom_state_place_bodies(&sim->s);
        assembled = sim->system->formulation->project(sim->d, s, 0, s->q, s->v, tolerance, 60);
    }
    if (!assembled)
        nearest_iterate(sim, tolerance);
    int worst = worst_row(sim);
    sim->assembly_residual = m->row_count ? fabs(sim->d->rows[worst].phi) : 0;
    if (!assembled) {
        char name[160];
        carom_row_name(m, worst, name, sizeof name);
        return carom_fail(
            sim->ctx, CAROM_ERROR_MODEL, row_place(m, worst),
            "the parts cannot be assembled: %s is left open by %.3g; check lengths and the positions `at`", name,
            fabs(sim->d->rows[worst].phi));
    }
    CAROM_TRY(find_rank(sim));
    for (int body = 1; body <= m->body_count; body++) {
        carom_vec3 moved = carom_v3_sub(sim->d->pose[body].p, m->bodies[body].position);
        sim->assembly_moved = fmax(sim->assembly_moved, carom_v3_norm(moved));
    }
    return CAROM_OK;
}

/* ---- velocities: rows of A x = b with x = M^(1/2) v, in order of precedence ---- */

/* Where a row comes from: a constraint row, what is given for a joint or a body, or the ideal joint in the place of one with
   clearance. */
typedef struct row_source {
    enum { SOURCE_ROW, SOURCE_RATE, SOURCE_VELOCITY, SOURCE_SPIN, SOURCE_IDEAL } type;
    int index;
} row_source;

typedef struct velocity_rows {
    int columns, count, capacity;
    double *a;                  /* rows, `columns` numbers each, over v */
    double *b;
    row_source *source;
    double *work, *x;           /* of the solution */
} velocity_rows;

static double *add_row(velocity_rows *rows, double value, row_source source)
{
    rows->b[rows->count] = value;
    rows->source[rows->count] = source;
    return rows->a + (size_t)rows->count++ * (size_t)rows->columns;
}

static void add_entries(const carom_simulation *sim, double *a, const carom_row *row, int body_i, int body_j)
{
    sim->system->formulation->row_entries(sim->model, row, body_i, body_j, a);
}

/* Constraint rows for velocities, or for a step that closes their violations. */
static void collect_constraints(carom_simulation *sim, velocity_rows *rows, bool closing)
{
    const carom_model *m = sim->model;
    for (int k = 0; k < m->element_count; k++) {
        const carom_element *e = &m->elements[k];
        if (e->type == CAROM_ELEMENT_LOCK)
            continue; /* nothing is locked at the start */
        for (int r = e->first_row; r < e->first_row + e->row_count; r++) {
            const carom_row *row = &sim->d->rows[r];
            double *a = add_row(rows, closing ? -row->phi : sim->d->row_rate[r], (row_source){SOURCE_ROW, r});
            add_entries(sim, a, row, e->body_i, e->body_j);
        }
    }
}

/* The rows that a joint with clearance would have without it. */
static void collect_ideal(carom_simulation *sim, velocity_rows *rows, int joint, bool closing)
{
    const carom_model *m = sim->model;
    const carom_model_joint *j = &m->joints[joint];
    carom_row row[CAROM_JOINT_ROWS];
    carom_frame_pose fi = carom_dynamics_frame_pose(&sim->d->pose[j->i.body], &j->i, m->dimension);
    carom_frame_pose fj = carom_dynamics_frame_pose(&sim->d->pose[j->j.body], &j->j, m->dimension);
    CAROM_KIND_CALL(j->kind, rows, j->p, &fi, &fj, m->dimension, row);
    for (int r = 0; r < j->clearance.rows; r++) {
        double *a = add_row(rows, closing ? -row[r].phi : 0, (row_source){SOURCE_IDEAL, joint});
        add_entries(sim, a, &row[r], j->i.body, j->j.body);
    }
}

static void collect_rows(carom_simulation *sim, velocity_rows *rows)
{
    const carom_model *m = sim->model;
    collect_constraints(sim, rows, false);
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_joint *j = &m->joints[k];
        if (!j->rate_given)
            continue;
        carom_row row;
        double rate, *a = add_row(rows, j->rate, (row_source){SOURCE_RATE, k});
        carom_dynamics_coordinate(sim->d, k, 0, &row, &rate);
        add_entries(sim, a, &row, j->i.body, j->j.body);
    }
    for (int body = 1; body <= m->body_count; body++) {
        const carom_model_body *b = &m->bodies[body];
        const double v[3] = {b->velocity.x, b->velocity.y, b->velocity.z}, w[3] = {b->spin.x, b->spin.y, b->spin.z};
        for (int k = 0; k < 3; k++) {
            const carom_vec3 axis = carom_v3(k == 0, k == 1, k == 2);
            const carom_row moves = {.Lj = axis}, turns = {.Aj = axis};
            if (b->velocity_given[k])
                add_entries(sim, add_row(rows, v[k], (row_source){SOURCE_VELOCITY, body}), &moves, 0, body);
            if (b->spin_given[k])
                add_entries(sim, add_row(rows, w[k], (row_source){SOURCE_SPIN, body}), &turns, 0, body);
        }
    }
}

/* A row's value at v less what is asked. */
static double row_off(const velocity_rows *rows, int r, const double *v)
{
    double sum = -rows->b[r];
    for (int k = 0; k < rows->columns; k++)
        sum += rows->a[(size_t)r * (size_t)rows->columns + (size_t)k] * v[k];
    return sum;
}

/* Solves the first `count` rows for v. Returns the worst row's residual. */
static carom_status solve_rows(carom_simulation *sim, const velocity_rows *rows, int count, double *v, int *worst,
                               double *residual)
{
    const carom_formulation *formulation = sim->system->formulation;
    int rank;
    formulation->scale_rows(sim->d, rows->a, count, rows->work);
    memcpy(rows->x, rows->b, (size_t)count * sizeof *rows->x);
    CAROM_TRY(carom_least_norm(sim->ctx, count, rows->columns, rows->work, rows->x, 1e-11, &rank));
    formulation->scale_back(sim->d, rows->x, v);
    *residual = 0;
    for (int r = 0; r < count; r++) {
        double off = fabs(row_off(rows, r, v));
        if (!(off <= *residual)) {
            *residual = off;
            *worst = r;
        }
    }
    return CAROM_OK;
}

/* Refuses a row; `off` is its value from those before it less what is asked. */
static carom_status contradiction(carom_simulation *sim, const velocity_rows *rows, int row, double off)
{
    const carom_model *m = sim->model;
    char name[200];
    const carom_place *place = NULL;
    row_source source = rows->source[row];
    if (source.type == SOURCE_ROW) {
        carom_row_name(m, source.index, name, sizeof name);
        place = row_place(m, source.index);
    } else if (source.type == SOURCE_RATE) {
        snprintf(name, sizeof name, "rate of joint '%s'", m->joints[source.index].name);
        place = &m->joints[source.index].place;
    } else {
        snprintf(name, sizeof name, "%s of body '%s'", source.type == SOURCE_SPIN ? "angular velocity" : "velocity",
                 m->bodies[source.index].name);
        place = &m->bodies[source.index].place;
    }
    return carom_fail(
        sim->ctx, CAROM_ERROR_MODEL, place,
        "the given velocities contradict: %s is given as %.6g, but the joints and what precedes it make it %.6g; "
        "leave one out",
        name, rows->b[row], rows->b[row] + off);
}

/* Velocities at which the journals rest in their bearings, as far as that agrees with what is given, joint by joint. */
static carom_status solve_ideal(carom_simulation *sim, velocity_rows *rows, double allowed)
{
    const carom_model *m = sim->model;
    bool solved = true;
    for (int k = 0; k < m->joint_count; k++) {
        if (m->joints[k].clearance.index < 0)
            continue;
        const int count = rows->count;
        int worst;
        double residual;
        collect_ideal(sim, rows, k, false);
        CAROM_TRY(solve_rows(sim, rows, rows->count, sim->s.v, &worst, &residual));
        solved = residual <= allowed;
        if (!solved)
            rows->count = count;
    }
    int worst = 0;
    return solved ? CAROM_OK : solve_rows(sim, rows, rows->count, sim->s.v, &worst, &(double){0});
}

static carom_status solve_velocities(carom_simulation *sim, velocity_rows *rows)
{
    int worst = 0;
    double residual = 0, scale = 1e-300;
    collect_rows(sim, rows);
    for (int r = 0; r < rows->count; r++)
        scale = fmax(scale, fabs(rows->b[r]));
    CAROM_TRY(solve_rows(sim, rows, rows->count, sim->s.v, &worst, &residual));
    sim->velocity_residual = residual;
    if (residual <= CONTRADICTION * scale)
        return solve_ideal(sim, rows, CONTRADICTION * scale);
    /* which row does not fit those before it? the first count at which a residual appears; those before say its value */
    for (int count = 1; count <= rows->count; count++) {
        CAROM_TRY(solve_rows(sim, rows, count, sim->s.v, &worst, &residual));
        if (residual <= 0.1 * CONTRADICTION * scale)
            continue;
        CAROM_TRY(solve_rows(sim, rows, count - 1, sim->s.v, &worst, &residual));
        return contradiction(sim, rows, count - 1, row_off(rows, count - 1, sim->s.v));
    }
    return contradiction(sim, rows, worst, residual);
}

/* Runs a part of the assembly with room for all rows. */
static carom_status with_rows(carom_simulation *sim, carom_status (*part)(carom_simulation *sim, velocity_rows *rows))
{
    const carom_model *m = sim->model;
    int n = sim->s.layout.velocities;
    int most = m->row_count + m->joint_count + CAROM_JOINT_ROWS * m->clearance_count + 6 * m->body_count;
    velocity_rows rows = {.columns = n, .capacity = most};
    size_t nm = (size_t)n * (size_t)most, longest = (size_t)(n > most ? n : most);
    rows.a = carom_allocate(sim->ctx, nm, sizeof(double));
    rows.b = carom_allocate(sim->ctx, (size_t)most, sizeof(double));
    rows.source = carom_allocate(sim->ctx, (size_t)most, sizeof *rows.source);
    rows.work = carom_allocate(sim->ctx, nm, sizeof(double));
    rows.x = carom_allocate(sim->ctx, longest, sizeof(double));
    carom_status status =
        rows.a && rows.b && rows.source && rows.work && rows.x ? part(sim, &rows) : carom_fail_memory(sim->ctx);
    carom_release(sim->ctx, rows.a, nm, sizeof(double));
    carom_release(sim->ctx, rows.b, (size_t)most, sizeof(double));
    carom_release(sim->ctx, rows.source, (size_t)most, sizeof *rows.source);
    carom_release(sim->ctx, rows.work, nm, sizeof(double));
    carom_release(sim->ctx, rows.x, longest, sizeof(double));
    return status;
}

/* All that is given of the velocities is zero, and so is the least norm that agrees with it. */
static bool is_at_rest(const carom_simulation *sim)
{
    const carom_model *m = sim->model;
    bool rest = true;
    for (int r = 0; r < m->row_count; r++)
        rest = rest && sim->d->row_rate[r] == 0;
    for (int k = 0; k < m->joint_count; k++)
        rest = rest && !(m->joints[k].rate_given && m->joints[k].rate != 0);
    for (int body = 1; body <= m->body_count; body++) {
        const carom_model_body *b = &m->bodies[body];
        rest = rest && carom_v3_norm(b->velocity) == 0 && carom_v3_norm(b->spin) == 0;
    }
    return rest;
}

static carom_status velocities(carom_simulation *sim)
{
    if (is_at_rest(sim)) {
        memset(sim->s.v, 0, (size_t)sim->s.layout.velocities * sizeof *sim->s.v);
        return CAROM_OK;
    }
    if (sim->model->row_count > 0 || sim->model->clearance_count > 0)
        return with_rows(sim, solve_velocities);
    /* the given velocities stand as they are and the least norm of the others is zero */
    carom_state_move_bodies(&sim->s);
    return CAROM_OK;
}

/* ---- joints with clearance: centred where the given positions do not fit their play ---- */

/* Whether parts of a joint with clearance overlap in the present pose. */
static bool overlaps(const carom_simulation *sim, const carom_model_joint *j)
{
    const carom_model *m = sim->model;
    for (int k = j->clearance.first_contact; k < j->clearance.first_contact + j->clearance.contact_count; k++) {
        carom_contact_point p;
        carom_contact_geometry_at(m, NULL, k, &sim->d->pose[m->contacts[k].body_i],
                                  &sim->d->pose[m->contacts[k].body_j], &p);
        if (p.gap < -1e-9 * j->clearance.play)
            return true;
    }
    return false;
}

/* Marks those that overlap; true if one of them was not marked before. */
static bool mark_overlapping(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    bool more = false;
    sim->s.formulation->pose(sim->d, sim->s.q, sim->s.v);
    for (int k = 0; k < m->joint_count; k++) {
        const int index = m->joints[k].clearance.index;
        if (index < 0 || sim->s.clearance_centred[index] || !overlaps(sim, &m->joints[k]))
            continue;
        sim->s.clearance_centred[index] = 1;
        more = true;
    }
    return more;
}

/* Newton's method on the constraints and on the ideal joints in the place of those that are marked. */
static carom_status centre(carom_simulation *sim, velocity_rows *rows)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    const double tolerance = POSITION_TOLERANCE * fmax(1e-3, m->length_scale);
    const size_t speeds = (size_t)(sim->s.layout.velocities);
    int worst = 0;
    for (int iteration = 0; iteration < 60; iteration++) {
        double residual, largest = 0;
        memset(s->v, 0, speeds * sizeof *s->v);
        sim->s.formulation->pose(sim->d, s->q, s->v);
        carom_dynamics_constraints(sim->d, s, 0);
        rows->count = 0;
        collect_constraints(sim, rows, true);
        for (int k = 0; k < m->joint_count; k++)
            if (m->joints[k].clearance.index >= 0 && s->clearance_centred[m->joints[k].clearance.index])
                collect_ideal(sim, rows, k, true);
        for (int r = 0; r < rows->count; r++)
            if (!(fabs(rows->b[r]) <= largest)) {
                largest = fabs(rows->b[r]);
                worst = r;
            }
        if (largest <= tolerance)
            return CAROM_OK;
        CAROM_TRY(solve_rows(sim, rows, rows->count, s->v, &(int){0}, &residual));
        sim->s.formulation->pose(sim->d, s->q, s->v);
        sim->s.formulation->position_rate(m, s->q, s->v, sim->rate_scratch);
        for (int k = 0; k < sim->s.layout.positions; k++)
            s->q[k] += sim->rate_scratch[k];
    }
    char name[200];
    const carom_place *place = rows->source[worst].type == SOURCE_IDEAL ? &m->joints[rows->source[worst].index].place
                                                                        : row_place(m, rows->source[worst].index);
    if (rows->source[worst].type == SOURCE_IDEAL)
        snprintf(name, sizeof name, "joint '%s', centred in its clearance,", m->joints[rows->source[worst].index].name);
    else
        carom_row_name(m, rows->source[worst].index, name, sizeof name);
    return carom_fail(sim->ctx, CAROM_ERROR_MODEL, place,
                      "the parts cannot be assembled: %s is left open by %.3g; check lengths and the positions `at`",
                      name, fabs(rows->b[worst]));
}

/* Positions on the constraints. A joint with clearance stays where the given positions put it as long as its parts do not
   overlap there, else it is centred. */
static carom_status assemble_positions(carom_simulation *sim)
{
    carom_state *s = &sim->s;
    carom_state_place_bodies(&sim->s);
    mark_overlapping(sim);
    for (int round = 0; round <= sim->model->clearance_count; round++) {
        carom_state_place_bodies(&sim->s);
        for (int k = 0; k < sim->model->clearance_count; k++)
            if (s->clearance_centred[k]) {
                CAROM_TRY(with_rows(sim, centre));
                break;
            }
        memset(s->v, 0, (size_t)(sim->s.layout.velocities) * sizeof *s->v);
        sim->assembly_moved = 0;
        CAROM_TRY(positions(sim));
        if (!mark_overlapping(sim))
            break;
    }
    return CAROM_OK;
}

/* ---- accelerations ---- */

/* With redundant rows the accelerations exist only if the dependent ones agree. */
static carom_status accelerations(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_evaluation *d = sim->d;
    bool solved = carom_rhs_update(sim) == 0;
    if (!solved && sim->system->state_fault >= 0)
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &m->states[sim->system->state_fault].place,
                          "state '%s': its rate is not finite at the start", m->states[sim->system->state_fault].name);
    if (!solved)
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &(carom_place){m->file, 0, 0},
                          "the accelerations cannot be solved at the start; a force or motion is not finite there");
    double scale = 0;
    for (int k = 0; k < sim->s.layout.velocities; k++)
        scale = fmax(scale, fabs(d->acceleration[k]));
    for (int r = 0; r < m->row_count; r++) {
        double sum = -d->rows[r].gamma - d->row_acceleration[r];
        sum += sim->system->formulation->row_times(d, &d->jacobian[r], d->acceleration);
        if (fabs(sum) <= 1e-6 * (scale + fabs(d->row_acceleration[r]) + fabs(d->rows[r].gamma)) + 1e-9)
            continue;
        char name[160];
        carom_row_name(m, r, name, sizeof name);
        return carom_fail(sim->ctx, CAROM_ERROR_MODEL, row_place(m, r),
                          "the accelerations contradict: %s is off by %.3g; two motions drive the same coordinate",
                          name, sum);
    }
    return CAROM_OK;
}

void carom_assemble_branches(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    sim->s.formulation->pose(sim->d, s->q, s->v);
    for (int k = 0; k < m->joint_count; k++) {
        carom_row row;
        double rate;
        if (m->joints[k].coordinate >= 0)
            s->coordinate[m->joints[k].coordinate] =
                carom_dynamics_coordinate(sim->d, k, s->coordinate[m->joints[k].coordinate], &row, &rate);
    }
    if (m->step_measure_count)
        carom_dynamics_measures(sim->d, s, *s->time, s->states);
    if (*s->time > 0)
        for (int k = 0; k < m->expr_count; k++)
            carom_expr_set_switches(m->exprs[k].expr, *s->time, sim->d->measures,
                                    s->switches + m->exprs[k].first_switch);
    carom_dynamics_load_switches(sim->d, s, *s->time);
}

carom_status carom_assemble(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    for (int k = 0; k < m->expr_count; k++)
        carom_expr_set_switches(m->exprs[k].expr, 0, sim->d->measures, s->switches + m->exprs[k].first_switch);
    CAROM_TRY(assemble_positions(sim));
    CAROM_TRY(velocities(sim));
    carom_assemble_branches(sim);
    return accelerations(sim);
}

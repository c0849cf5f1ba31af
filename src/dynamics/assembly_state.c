/* A caller's state onto the constraints, with the joint coordinates and rates that are wished: positions by Newton's
   method, velocities by one solution, both with the least change in the metric of the mass matrix. */
#include "dynamics/assembly.h"

#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Violation at which positions are assembled, relative to the model's length, and that which a state may have
   untouched. */
#define POSITION_TOLERANCE 1e-13
#define DEFAULT_TOLERANCE 1e-9
#define ITERATIONS 60
/* A wish is approached in steps of so many radians, or of this share of the model's length, so that the branch of the
   assembly is kept. */
#define WISH_STEP 0.2
#define WISH_STEPS 500

/* The rows of the constraints, then those of the wishes of one sort, as one system S x = b. */
typedef struct rows {
    carom_evaluation *d;
    carom_state *s;
    int count, capacity;
    const carom_wish **wishes;
    carom_row *wish_rows;
    carom_jacobian_row *wish_jacobian;
    bool rolls;                 /* there are rows of rates, */
    bool closing;               /* and positions are solved for, of which these know nothing */
    bool sparse;                /* with `all` and `source` in the place of `matrix` and `root` */
    carom_jacobian_row *all;
    carom_row_source *source;
    double *matrix, *root;      /* S, and of each row the root of its diagonal */
    double *b, *twist;
    double *rate;               /* of the positions */
    double *before;             /* the positions as they came */
    double open;                /* the largest part that is missing, angles times the model's length [m] or [m/s] */
} rows;

/* Those of the constraints; the rows of the wishes follow. */
static int own_rows(const rows *r) { return carom_model_hard_rows(r->d->model); }

static void release(rows *r)
{
    carom_context *ctx = r->d->system->ctx;
    const size_t n = (size_t)r->capacity;
    carom_release(ctx, r->wishes, n, sizeof *r->wishes);
    carom_release(ctx, r->wish_rows, n, sizeof *r->wish_rows);
    carom_release(ctx, r->wish_jacobian, n, sizeof *r->wish_jacobian);
    carom_release(ctx, r->all, n, sizeof *r->all);
    carom_release(ctx, r->source, n, sizeof *r->source);
    carom_release(ctx, r->matrix, n * n, sizeof *r->matrix);
    carom_release(ctx, r->root, n, sizeof *r->root);
    carom_release(ctx, r->b, n, sizeof *r->b);
    carom_release(ctx, r->twist, (size_t)r->s->layout.velocities, sizeof *r->twist);
    carom_release(ctx, r->rate, (size_t)r->s->layout.positions, sizeof *r->rate);
    carom_release(ctx, r->before, (size_t)r->s->layout.positions, sizeof *r->before);
}

static carom_status allocate(rows *r)
{
    carom_context *ctx = r->d->system->ctx;
    const size_t n = (size_t)r->capacity;
    r->wishes = carom_allocate(ctx, n, sizeof *r->wishes);
    r->wish_rows = carom_allocate(ctx, n, sizeof *r->wish_rows);
    r->wish_jacobian = carom_allocate(ctx, n, sizeof *r->wish_jacobian);
    bool done;
    if ((r->sparse = r->d->system->sparse != NULL)) {
        r->all = carom_allocate(ctx, n, sizeof *r->all);
        r->source = carom_allocate(ctx, n, sizeof *r->source);
        done = r->all && r->source;
    } else {
        r->matrix = carom_allocate(ctx, n * n, sizeof *r->matrix);
        r->root = carom_allocate(ctx, n, sizeof *r->root);
        done = r->matrix && r->root;
    }
    r->b = carom_allocate(ctx, n, sizeof *r->b);
    r->twist = carom_allocate(ctx, (size_t)r->s->layout.velocities, sizeof *r->twist);
    r->rate = carom_allocate(ctx, (size_t)r->s->layout.positions, sizeof *r->rate);
    r->before = carom_allocate(ctx, (size_t)r->s->layout.positions, sizeof *r->before);
    done = done && r->wishes && r->wish_rows && r->wish_jacobian && r->b && r->twist && r->rate && r->before;
    return done ? CAROM_OK : carom_fail_memory(ctx);
}

/* Takes the wishes for coordinates, or those for rates. */
static void select_wishes(rows *r, bool rate)
{
    r->count = own_rows(r);
    for (size_t k = 0; k < r->s->wish_count; k++)
        if (r->s->wishes[k].rate == rate)
            r->wishes[r->count++ - own_rows(r)] = &r->s->wishes[k];
}

static bool rolls(const carom_model *m)
{
    bool any = false;
    for (int k = 0; k < m->block_count; k++)
        any = any || m->blocks[k].rate_rows > 0;
    return any;
}

/* Whether a row constrains velocities alone. */
static bool is_of_rates(const carom_model *m, int row)
{
    for (int k = 0; k < m->block_count; k++) {
        const int end = m->blocks[k].first_row + m->blocks[k].row_count;
        if (row < end)
            return row >= end - m->blocks[k].rate_rows;
    }
    return false;
}

static const carom_jacobian_row *jacobian(const rows *r, int k)
{
    static const carom_jacobian_row none = {0};
    const int own = own_rows(r);
    if (r->closing && r->rolls && k < own && is_of_rates(r->d->model, k))
        return &none;
    return k < own ? &r->d->jacobian[k] : &r->wish_jacobian[k - own];
}

/* Poses, constraints and wished coordinates where the state is. */
static void evaluate(rows *r)
{
    carom_evaluation *d = r->d;
    const carom_model *m = r->d->model;
    carom_state_pose(d, r->s);
    carom_dynamics_constraints(d, r->s, *r->s->time);
    for (int k = own_rows(r); k < r->count; k++) {
        const carom_wish *wish = r->wishes[k - own_rows(r)];
        const carom_model_joint *j = &m->joints[wish->joint];
        carom_row *row = &r->wish_rows[k - own_rows(r)];
        double rate;
        carom_dynamics_coordinate(d, wish->joint, wish->rate ? 0 : wish->value, row, &rate);
        carom_row_between(d, row, j->i.body, j->j.body, &r->wish_jacobian[k - own_rows(r)]);
        r->b[k] = wish->rate ? wish->value - rate : wish->value - row->phi;
    }
}

/* What is missing of positions, or of velocities; the wish `target` may stand for the value of the wishes. */
static double missing(rows *r, bool rate, const double *targets, int *worst)
{
    const carom_model *m = r->d->model;
    const carom_evaluation *d = r->d;
    double largest = 0;
    r->open = 0;
    r->closing = !rate;
    for (int k = 0; k < r->count; k++) {
        const carom_row *row = k < own_rows(r) ? &d->rows[k] : &r->wish_rows[k - own_rows(r)];
        const double lever = carom_row_is_angle(row) ? m->length_scale : 1;
        if (k < own_rows(r))
            r->b[k] = rate ? -d->phi_rate[k] : -d->rows[k].phi;
        else if (targets)
            r->b[k] = targets[k - own_rows(r)] - r->wish_rows[k - own_rows(r)].phi;
        largest = fmax(largest, fabs(r->b[k]));
        if (!(lever * fabs(r->b[k]) <= r->open)) {
            r->open = lever * fabs(r->b[k]);
            *worst = k;
        }
    }
    return largest;
}

static carom_status solve_sparse(rows *r)
{
    const int n = r->count, own = own_rows(r);
    for (int k = 0; k < n; k++) {
        r->all[k] = *jacobian(r, k);
        r->source[k] = (carom_row_source){k < own ? CAROM_SOURCE_ROW : CAROM_SOURCE_RATE, k};
    }
    const carom_assembly_rows all = {.d = r->d,
                                     .columns = r->s->layout.velocities,
                                     .count = n,
                                     .capacity = n,
                                     .sparse = true,
                                     .b = r->b,
                                     .source = r->source,
                                     .jacobian = r->all};
    return carom_assembly_solve_sparse(&all, n, false, r->twist, NULL);
}

/* x of S x = b with the least norm, and M^-1 J^T x as the twist of all bodies. */
static carom_status solve(rows *r)
{
    const int n = r->count;
    int rank;
    if (r->sparse)
        return solve_sparse(r);
    /* scaled by the roots of its diagonal: the rank depends on no unit */
    for (int a = 0; a < n; a++) {
        const double own = r->s->formulation->couple(r->d, jacobian(r, a), jacobian(r, a));
        r->root[a] = own > 0 ? sqrt(own) : 1;
    }
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++)
            r->matrix[(size_t)b * (size_t)n + (size_t)a] =
                r->s->formulation->couple(r->d, jacobian(r, a), jacobian(r, b)) / (r->root[a] * r->root[b]);
        r->b[a] /= r->root[a];
    }
    CAROM_TRY(carom_least_norm(r->d->system->ctx, n, n, r->matrix, r->b, 1e-11, &rank));
    memset(r->twist, 0, (size_t)r->s->layout.velocities * sizeof *r->twist);
    for (int a = 0; a < n; a++)
        r->s->formulation->add_row(r->d, jacobian(r, a), r->b[a] / r->root[a], r->twist);
    return CAROM_OK;
}

/* Moves the bodies along the twist. */
static void move(rows *r)
{
    const carom_model *m = r->d->model;
    carom_step_shorten(r->d, r->twist);
    r->s->formulation->pose(r->d, r->s->q, r->twist);
    r->s->formulation->position_rate(m, r->s->q, r->twist, r->rate);
    for (int k = 0; k < r->s->layout.positions; k++)
        r->s->q[k] += r->rate[k];
    r->s->formulation->normalise(m, r->s->q);
}

static void row_name(const rows *r, int k, char *text, size_t size)
{
    const carom_model *m = r->d->model;
    if (k < own_rows(r))
        carom_row_name(m, k, text, size);
    else
        snprintf(text, size, "the %s of joint '%s'", r->wishes[k - own_rows(r)]->rate ? "rate" : "coordinate",
                 m->joints[r->wishes[k - own_rows(r)]->joint].name);
}

/* ---- positions ---- */

/* Newton's method to one set of targets; `tolerance` of the model's length. */
static carom_status reach(rows *r, const double *targets, double tolerance)
{
    int worst;
    r->open = HUGE_VAL;
    for (int iteration = 0;; iteration++) {
        const double before = r->open;
        evaluate(r);
        missing(r, false, targets, &worst);
        const double allowed = fmax(tolerance, carom_row_rounding(r->d, false)) * r->d->model->length_scale;
        if (r->open <= allowed || (iteration > 3 && r->open < 1e3 * allowed && r->open > 0.5 * before))
            return CAROM_OK;
        if (!isfinite(r->open) || iteration >= ITERATIONS)
            return CAROM_ERROR_MODEL;
        CAROM_TRY(solve(r));
        move(r);
    }
}

/* The constraints and the wishes for coordinates. */
static void fill(void *user, carom_assembly_rows *out)
{
    rows *r = user;
    evaluate(r);
    missing(r, false, NULL, &(int){0});
    for (int k = 0; k < r->count; k++) {
        const bool own = k < own_rows(r);
        out->jacobian[k] = *jacobian(r, k);
        out->b[k] = r->b[k];
        out->angle[k] =
            carom_row_is_angle(own ? &r->d->rows[k] : &r->wish_rows[k - own_rows(r)]);
        out->source[k] = own ? (carom_row_source){CAROM_SOURCE_ROW, k}
                             : (carom_row_source){CAROM_SOURCE_RATE, r->wishes[k - own_rows(r)]->joint};
    }
    out->count = r->count;
}

/* Damped steps from the positions as they came; where Newton's method got there, `near`, only if they end nearer.
   Velocities stay as they are. */
static carom_status close_far(rows *r, const double *near)
{
    const carom_assembly_target target = {.fill = fill,
                                          .user = r,
                                          .more = (int)r->s->wish_count,
                                          .tolerance = POSITION_TOLERANCE,
                                          .what = "the state",
                                          .remedy = "ask for positions or coordinates that the joints allow",
                                          .loose = CAROM_LOOSE_NONE};
    carom_context *ctx = r->d->system->ctx;
    const size_t speeds = (size_t)r->s->layout.velocities, places = (size_t)r->s->layout.positions;
    double *v = carom_allocate(ctx, speeds, sizeof *v);
    if (!v)
        return carom_fail_memory(ctx);
    bool closed = false;
    const double way = near ? carom_assembly_distance(r->d, r->s, r->before, near) : HUGE_VAL;
    memcpy(v, r->s->v, speeds * sizeof *v);
    memcpy(r->s->q, r->before, places * sizeof *r->before);
    carom_status status = carom_assembly_close(r->d, r->s, &target, &closed);
    if (status == CAROM_OK && !closed && !near)
        status = carom_assembly_refuse(r->d, r->s, &target);
    if (near && !(closed && carom_assembly_distance(r->d, r->s, r->before, r->s->q) < CAROM_MUCH_NEARER * way))
        memcpy(r->s->q, near, places * sizeof *near);
    memcpy(r->s->v, v, speeds * sizeof *v);
    carom_release(ctx, v, speeds, sizeof *v);
    return status;
}

/* Newton's method was there from a rough guess, without wishes: the nearer of both ways. */
static carom_status choose_nearer(rows *r)
{
    carom_context *ctx = r->d->system->ctx;
    const size_t places = (size_t)r->s->layout.positions;
    double *near = carom_allocate(ctx, places, sizeof *near);
    if (!near)
        return carom_fail_memory(ctx);
    memcpy(near, r->s->q, places * sizeof *near);
    const carom_status status = close_far(r, near);
    carom_release(ctx, near, places, sizeof *near);
    return status;
}

/* In steps to the values that are wished. */
static carom_status approach(rows *r)
{
    const carom_model *m = r->d->model;
    const int wishes = r->count - own_rows(r);
    int steps = 1;
    double *from = carom_allocate(r->d->system->ctx, (size_t)wishes, 2 * sizeof *from);
    if (!from)
        return carom_fail_memory(r->d->system->ctx);
    double *to = from + wishes;
    evaluate(r);
    for (int k = 0; k < wishes; k++) {
        const carom_model_joint *j = &m->joints[r->wishes[k]->joint];
        const bool turns = j->kind->coordinate_unit[0] == 'r';
        from[k] = r->wish_rows[k].phi;
        const double share = fabs(r->wishes[k]->value - from[k]) / (turns ? WISH_STEP : WISH_STEP * m->length_scale);
        steps = share > steps ? (share > WISH_STEPS ? WISH_STEPS : (int)ceil(share)) : steps;
    }
    carom_status status = CAROM_OK;
    for (int n = 1; n <= steps && status == CAROM_OK; n++) {
        for (int k = 0; k < wishes; k++)
            to[k] = from[k] + (r->wishes[k]->value - from[k]) * n / steps;
        status = reach(r, to, n < steps ? 1e-4 : POSITION_TOLERANCE);
    }
    carom_release(r->d->system->ctx, from, (size_t)wishes, 2 * sizeof *from);
    return status;
}

static carom_status assemble_positions(rows *r, double violation)
{
    select_wishes(r, false);
    const carom_model *m = r->d->model;
    const bool wishes = r->count > own_rows(r);
    const bool rough = violation > CAROM_ROUGH_GUESS * fmin(1, m->length_scale);
    if (!wishes && !(r->sparse && r->d->system->redundant)) {
        if (r->s->formulation->project(r->d, r->s, *r->s->time, r->s->q, r->s->v, POSITION_TOLERANCE, ITERATIONS))
            return rough ? choose_nearer(r) : CAROM_OK;
    } else {
        const carom_status status = approach(r);
        if (status != CAROM_ERROR_MODEL)
            return status == CAROM_OK && !wishes && rough ? choose_nearer(r) : status;
    }
    return close_far(r, NULL);
}

/* ---- velocities ---- */

static carom_status assemble_velocities(rows *r)
{
    const carom_model *m = r->d->model;
    double scale = m->speed_scale;
    int worst = 0;
    select_wishes(r, true);
    for (int body = 1; body <= m->body_count; body++) {
        const carom_body_acceleration v = r->s->formulation->body_change(r->d, r->s->v, body);
        scale = fmax(scale, fmax(carom_v3_norm(v.linear), carom_v3_norm(v.angular) * m->length_scale));
    }
    for (int round = 0; round < 2 && r->count; round++) {
        evaluate(r);
        missing(r, true, NULL, &worst);
        scale = fmax(scale, r->open);
        CAROM_TRY(solve(r));
        for (int k = 0; k < r->s->layout.velocities; k++)
            r->s->v[k] += r->twist[k];
    }
    evaluate(r);
    const double left = missing(r, true, NULL, &worst);
    if (r->open <= DEFAULT_TOLERANCE * scale)
        return CAROM_OK;
    char name[200];
    row_name(r, worst, name, sizeof name);
    return carom_fail(r->d->system->ctx, CAROM_ERROR_MODEL, NULL,
                      "the velocities of the state contradict: %s is left open by %.3g; wish for rates that the joints "
                      "and the prescribed motions allow",
                      name, left);
}

/* ---- all ---- */

/* Largest violations, wishes included, and whether positions and velocities are within a tolerance. */
static void measure(rows *r, double *position, double *velocity, double tolerance, bool fits[2], int *worst)
{
    const carom_model *m = r->d->model;
    int other;
    select_wishes(r, false);
    evaluate(r);
    *position = missing(r, false, NULL, worst);
    fits[0] = r->open <= tolerance * m->length_scale;
    select_wishes(r, true);
    evaluate(r);
    *velocity = missing(r, true, NULL, &other);
    fits[1] = r->open <= tolerance * m->speed_scale;
}

static carom_status refuse(const rows *r, int worst, double position, double velocity)
{
    char name[200];
    carom_row_name(r->d->model, worst, name, sizeof name);
    return carom_fail(r->d->system->ctx, CAROM_ERROR_MODEL, NULL,
                      "the state does not fit the constraints: positions are off by %.3g (%s), velocities by %.3g; let "
                      "it be assembled (carom_assembly_def.refuse), or allow more by its tolerance",
                      position, worst < own_rows(r) ? name : "a wished coordinate", velocity);
}

static carom_status assemble(rows *r, const carom_assembly_def *def, carom_assembly *out)
{
    const carom_model *m = r->d->model;
    const double tolerance = def && def->tolerance > 0 ? def->tolerance : DEFAULT_TOLERANCE;
    double position, velocity;
    int worst = 0;
    bool fits[2];
    measure(r, &position, &velocity, tolerance, fits, &worst);
    out->position_residual = out->position_left = position;
    out->velocity_residual = out->velocity_left = velocity;
    if (fits[0] && fits[1])
        return CAROM_OK;
    if (def && def->refuse)
        return refuse(r, worst, position, velocity);
    const size_t places = (size_t)r->s->layout.positions;
    double *before = r->before;
    memcpy(before, r->s->q, places * sizeof *before);
    if (!fits[0])
        CAROM_TRY(assemble_positions(r, position));
    CAROM_TRY(assemble_velocities(r));
    for (int body = 0; body < m->body_count; body++) {
        const carom_vec3 a = r->s->formulation->body_pose(m, body + 1, before, r->s->v).p;
        const carom_vec3 b = r->s->formulation->body_pose(m, body + 1, r->s->q, r->s->v).p;
        out->moved = fmax(out->moved, carom_v3_norm(carom_v3_sub(b, a)));
    }
    measure(r, &out->position_left, &out->velocity_left, tolerance, fits, &worst);
    return CAROM_OK;
}

/* The unwrapped coordinates: as wished, else nearest to those before. */
static void settle_coordinates(carom_evaluation *d, carom_state *s)
{
    carom_row row;
    double rate;
    carom_state_pose(d, s);
    for (int k = 0; k < d->model->joint_count; k++) {
        const int c = d->model->joints[k].coordinate;
        if (c < 0)
            continue;
        double near = s->coordinate[c];
        for (size_t n = 0; n < s->wish_count; n++)
            if (s->wishes[n].joint == k && !s->wishes[n].rate)
                near = s->wishes[n].value;
        s->coordinate[c] = carom_dynamics_coordinate(d, k, near, &row, &rate);
    }
    s->wish_count = 0;
}

carom_status carom_assembly_move(carom_evaluation *d, carom_state *state, const carom_assembly_def *def,
                                 carom_assembly *out)
{
    const carom_model *m = d->model;
    carom_assembly unused;
    rows r = {.d = d, .s = state, .rolls = rolls(m), .capacity = carom_model_hard_rows(m) + (int)state->wish_count};
    out = out ? out : &unused;
    *out = (carom_assembly){0};
    for (int k = 0; k < m->expr_count; k++)
        if (!m->exprs[k].uses_measures)
            carom_expr_set_switches(m->exprs[k].expr, *state->time, d->measures,
                                    state->switches + m->exprs[k].first_switch);
    /* a place on a path is followed from where it is wished, with its laps */
    for (size_t k = 0; k < state->wish_count; k++)
        if (!state->wishes[k].rate && m->joints[state->wishes[k].joint].kind->follow)
            state->coordinate[m->joints[state->wishes[k].joint].coordinate] = state->wishes[k].value;
    state->formulation->normalise(m, state->q);
    carom_status status = r.capacity ? allocate(&r) : CAROM_OK;
    if (status == CAROM_OK && r.capacity)
        status = assemble(&r, def, out);
    if (r.capacity)
        release(&r);
    if (status == CAROM_OK)
        settle_coordinates(d, state);
    return status;
}

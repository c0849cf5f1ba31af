/* The start of a model: positions onto the constraints, velocities that keep what was given, branches. */
#include "dynamics/assembly.h"

#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <string.h>

/* Largest violation that counts as assembled, relative to the model's length. */
#define POSITION_TOLERANCE 1e-13
#define ITERATIONS 60
/* Largest turn of a body in the first of these tries that begin elsewhere than the guess [rad]; then ten times that. */
#define TURNED 0.01
#define TURNED_TRIES 2
/* Share of what was open, below which another end is the nearer one. */
#define NEARER 0.9
/* Multiples of it modulo 1 are spread evenly. */
#define GOLDEN_SHARE 0.6180339887498949
/* A motion that begins farther from the guess than this [rad], or this share of the model's length, is told of. */
#define DRIVEN_TURN 0.3
#define DRIVEN_WAY 0.2

/* ---- positions ---- */

carom_status carom_assembly_rank(carom_evaluation *d, const carom_state *s, bool *redundant, int *rank)
{
    carom_state_pose(d, s);
    carom_dynamics_constraints(d, s, *s->time);
    CAROM_TRY(d->system->formulation->rank(d, redundant, rank));
    const bool dependent = *rank < carom_dynamics_active_rows(d);
    if (!carom_system_is_driven(d->system) && (!d->system->sparse || !dependent))
        carom_system_set_share(d->system, d->system->sparse ? CAROM_PASSED_SHARE : 0);
    return carom_system_set_redundant(d->system, dependent);
}

static int worst_row(const carom_evaluation *d)
{
    int worst = 0;
    for (int r = 0; r < d->model->row_count; r++)
        if (!(carom_row_violation(d, r) <= carom_row_violation(d, worst)))
            worst = r;
    return worst;
}

/* Largest violation of the positions, of the model's length or of 1 rad. */
static double violation(carom_evaluation *d, carom_state *s)
{
    memset(s->v, 0, (size_t)s->layout.velocities * sizeof *s->v);
    carom_state_pose(d, s);
    carom_dynamics_constraints(d, s, *s->time);
    return carom_row_violation(d, worst_row(d));
}

/* Newton's method with the multipliers of the formulation. */
static bool reach(carom_evaluation *d, carom_state *s, double tolerance, int iterations)
{
    return d->system->formulation->project(d, s, *s->time, s->q, s->v, tolerance, iterations);
}

/* The same for many rows of which some depend on others. */
static carom_status reach_sparse(carom_evaluation *d, carom_state *s, double tolerance, bool *assembled)
{
    const carom_model *m = d->model;
    double before = HUGE_VAL;
    carom_assembly_rows rows;
    CAROM_TRY(carom_assembly_rows_create(d, &rows));
    carom_status status = CAROM_OK;
    *assembled = false;
    for (int iteration = 0; status == CAROM_OK; iteration++) {
        memset(s->v, 0, (size_t)s->layout.velocities * sizeof *s->v);
        carom_state_pose(d, s);
        carom_dynamics_constraints(d, s, *s->time);
        const double worst = carom_row_violation(d, worst_row(d));
        tolerance = fmax(tolerance, carom_row_rounding(d, false));
        *assembled = worst <= tolerance || (iteration > 3 && worst < 1e3 * tolerance && worst > 0.5 * before);
        if (*assembled || !isfinite(worst) || iteration >= ITERATIONS)
            break;
        before = worst;
        double residual;
        rows.count = 0;
        carom_assembly_constraints(&rows, true);
        status = carom_assembly_solve(&rows, rows.count, s->v, &(int){0}, &residual);
        carom_step_shorten(d, s->v);
        s->formulation->retract(m, s->v, s->q);
    }
    carom_assembly_rows_free(&rows);
    return status;
}

/* What the assembly of the start works with: the guess, and room for two more sets of positions. */
typedef struct work {
    carom_evaluation *d;
    carom_state *s;
    carom_start *out;
    carom_assembly_target target;
    size_t size;                /* of a set [bytes] */
    double *guess, *near, *before;
} work;

/* Newton's method from the present positions on the constraints alone. */
static carom_status newton(const work *w, bool *assembled)
{
    carom_evaluation *d = w->d;
    carom_state *s = w->s;
    carom_system *system = d->system;
    const double tolerance = w->target.tolerance;
    memcpy(w->before, s->q, w->size);
    memset(s->v, 0, (size_t)s->layout.velocities * sizeof *s->v);
    CAROM_TRY(carom_assembly_rank(d, s, w->out->redundant, &w->out->rank));
    *assembled = false;
    if (!system->sparse || !system->redundant) {
        *assembled = reach(d, s, tolerance, ITERATIONS);
        if (!*assembled)
            memcpy(s->q, w->before, w->size);
    }
    /* the guess may pass a singular pose: least-norm steps get through */
    if (!*assembled && system->sparse)
        return reach_sparse(d, s, tolerance, assembled);
    if (!*assembled && !system->redundant) {
        CAROM_TRY(carom_system_set_redundant(system, true));
        *assembled = reach(d, s, tolerance, ITERATIONS);
    }
    return CAROM_OK;
}

/* From the guess: joints that are marked centred, then the constraints. */
static carom_status close_near(const work *w, bool *assembled)
{
    carom_state_place_bodies(w->s);
    CAROM_TRY(carom_assembly_centre(w->d, w->s, assembled));
    return *assembled ? newton(w, assembled) : CAROM_OK;
}

/* Constraints, and the ideal joints instead of those that are marked. */
static void fill(void *user, carom_assembly_rows *rows)
{
    carom_assembly_constraints(rows, true);
    carom_assembly_centred(rows, user);
}

/* The same by damped steps. Where it leaves the rows open the state is where they are least so. */
static carom_status close_far(const work *w, bool *assembled)
{
    carom_state_place_bodies(w->s);
    CAROM_TRY(carom_assembly_close(w->d, w->s, &w->target, assembled));
    return *assembled ? newton(w, assembled) : CAROM_OK;
}

/* Joints that are marked as near to their centres as the others let them, if that is within their play. */
static carom_status close_in_play(const work *w, bool *assembled)
{
    carom_assembly_target target = w->target;
    const bool any = carom_assembly_any_centred(w->s);
    *assembled = false;
    if (!any)
        return CAROM_OK;
    memcpy(w->near, w->s->q, w->size);
    target.loose = CAROM_LOOSE_IDEAL;
    target.tolerance *= 1e6; /* Newton's method does the rest */
    CAROM_TRY(carom_assembly_close(w->d, w->s, &target, assembled));
    if (*assembled)
        CAROM_TRY(newton(w, assembled));
    *assembled = *assembled && !carom_assembly_overlaps(w->d, w->s);
    if (!*assembled)
        memcpy(w->s->q, w->near, w->size);
    return CAROM_OK;
}

/* The guess with each body turned by an angle of its own up to `most` [rad], the same in every run. */
static void turn_bodies(const work *w, double most)
{
    carom_state *s = w->s;
    const int size = s->layout.velocities / w->d->model->body_count;
    double share = 0;
    carom_state_place_bodies(s);
    for (int i = 0; i < s->layout.velocities; i++) {
        share = fmod(share + GOLDEN_SHARE, 1);
        s->v[i] = i % size < w->d->model->dimension ? 0 : most * (2 * share - 1);
    }
    s->formulation->retract(w->d->model, s->v, s->q);
}

/* From a guess in which all bodies lie along a line, or one side mirrors the other, the rows ask for no turn to either
   side, and both ways end where they do not close: from guesses that are turned a little. Where none closes, what is
   open is told at the one that ends nearest to it. */
static carom_status close_turned(const work *w, bool *assembled)
{
    carom_state *s = w->s;
    double least = violation(w->d, s);
    memcpy(w->near, s->q, w->size);
    *assembled = false;
    for (int try = 0; try < TURNED_TRIES && w->d->model->body_count; try++) {
        turn_bodies(w, TURNED * pow(10, try));
        CAROM_TRY(carom_assembly_close(w->d, s, &w->target, assembled));
        const double left = violation(w->d, s);
        if (*assembled)
            CAROM_TRY(newton(w, assembled));
        if (*assembled)
            return CAROM_OK;
        if (left < NEARER * least) {
            memcpy(w->near, s->q, w->size);
            least = left;
        }
    }
    memcpy(s->q, w->near, w->size);
    return CAROM_OK;
}

/* Whether the bodies of the model are far from where the rows have them, or joints have to be centred. */
static bool is_rough(carom_evaluation *d, carom_state *s)
{
    if (carom_assembly_any_centred(s))
        return true;
    carom_state_place_bodies(s);
    return d->model->row_count && !(violation(d, s) <= CAROM_ROUGH_GUESS);
}

/* Positions on the rows: of both ways the one that ends nearer to the guess. */
static carom_status close_rows(const work *w)
{
    carom_state *s = w->s;
    const bool rough = is_rough(w->d, s);
    bool near, far;
    carom_state_place_bodies(s);
    memcpy(w->guess, s->q, w->size);
    CAROM_TRY(close_near(w, &near));
    if (near && !rough)
        return CAROM_OK;
    memcpy(w->near, s->q, w->size);
    const double way = near ? carom_assembly_distance(w->d, s, w->guess, w->near) : HUGE_VAL;
    CAROM_TRY(close_far(w, &far));
    if (far && carom_assembly_distance(w->d, s, w->guess, s->q) < CAROM_MUCH_NEARER * way)
        return CAROM_OK;
    if (!near) {
        CAROM_TRY(close_in_play(w, &near));
        if (!near)
            CAROM_TRY(close_turned(w, &near));
        if (near)
            return CAROM_OK;
        CAROM_TRY(carom_assembly_refuse(w->d, s, &w->target));
        return newton(w, &near);
    }
    memcpy(s->q, w->near, w->size);
    return newton(w, &near);
}

static carom_status positions(const work *w)
{
    const carom_model *m = w->d->model;
    CAROM_TRY(close_rows(w));
    CAROM_TRY(carom_assembly_rank(w->d, w->s, w->out->redundant, &w->out->rank));
    w->out->residual = m->row_count ? fabs(w->d->rows[worst_row(w->d)].phi) : 0;
    w->out->moved = 0;
    for (int body = 1; body <= m->body_count; body++) {
        carom_vec3 moved = carom_v3_sub(w->d->pose[body].p, m->bodies[body].position);
        w->out->moved = fmax(w->out->moved, carom_v3_norm(moved));
    }
    return CAROM_OK;
}

/* Violations at the poses of the model; an angle is one of less than half a turn. Only here all rows are filled: a
   formulation that holds joints by its coordinates fills none of theirs. */
static void keep_written(const carom_evaluation *d, double *written, bool *angles)
{
    for (int k = 0; k < d->model->block_count; k++) {
        const carom_constraint_block *e = &d->model->blocks[k];
        const bool turns = e->type == CAROM_BLOCK_JOINT_MOTION && carom_row_is_angle(&d->rows[e->first_row]);
        for (int r = e->first_row; r < e->first_row + e->row_count; r++) {
            const double phi = d->idle && d->idle[r] ? 0 : d->rows[r].phi;
            angles[r] = carom_row_is_angle(&d->rows[r]);
            written[r] = turns ? phi - 2 * CAROM_PI * nearbyint(phi / (2 * CAROM_PI)) : phi;
        }
        for (int r = e->first_row + e->row_count - e->rate_rows; r < e->first_row + e->row_count; r++)
            written[r] = 0;
    }
}

/* The joint whose motion begins farthest from where the model has its bodies, beyond what a guess may be off. */
static void find_driven(carom_evaluation *d, carom_state *s, carom_start *out)
{
    const carom_model *m = d->model;
    double farthest = 1;
    out->driven = -1;
    carom_dynamics_constraints(d, s, *s->time);
    for (int k = 0; k < m->block_count; k++) {
        const carom_constraint_block *e = &m->blocks[k];
        if (e->type != CAROM_BLOCK_JOINT_MOTION)
            continue;
        const bool turns = m->joints[e->object].kind->coordinate_unit[0] == 'r';
        double off = d->rows[e->first_row].phi, unused;
        off -= turns ? 2 * CAROM_PI * nearbyint(off / (2 * CAROM_PI)) : 0;
        const double share = fabs(off) / (turns ? DRIVEN_TURN : DRIVEN_WAY * m->length_scale);
        if (!(share > farthest))
            continue;
        carom_row row;
        farthest = share;
        out->driven = e->object;
        out->driven_from = carom_dynamics_coordinate(d, e->object, 0, &row, &unused);
        out->driven_to = out->driven_from - off;
    }
}

/* A joint that is not centred stays so unless the assembly makes its parts overlap. */
static carom_status positions_of_all(carom_evaluation *d, carom_state *s, carom_start *out)
{
    carom_context *ctx = d->system->ctx;
    const size_t places = (size_t)s->layout.positions;
    double *room = carom_allocate(ctx, places, 3 * sizeof *room);
    if (!room)
        return carom_fail_memory(ctx);
    const work w = {.d = d,
                    .s = s,
                    .out = out,
                    .target = {.fill = fill,
                               .user = s,
                               .tolerance = POSITION_TOLERANCE,
                               .what = "the parts",
                               .remedy = "check lengths and the positions `at`",
                               .loose = CAROM_LOOSE_NONE},
                    .size = places * sizeof *room,
                    .guess = room,
                    .near = room + places,
                    .before = room + 2 * places};
    carom_state_place_bodies(s);
    carom_assembly_mark_overlapping(d, s);
    find_driven(d, s, out);
    if (out->written)
        keep_written(d, out->written, out->angles);
    carom_status status = positions(&w);
    for (int round = 0; round < d->model->clearance_count && status == CAROM_OK; round++) {
        if (!carom_assembly_mark_overlapping(d, s))
            break;
        status = positions(&w);
    }
    carom_release(ctx, room, places, 3 * sizeof *room);
    return status;
}

/* ---- all ---- */

void carom_assembly_switches(carom_evaluation *d, carom_state *s)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->expr_count; k++)
        carom_expr_set_switches(m->exprs[k].expr, *s->time, d->measures, s->switches + m->exprs[k].first_switch);
}

void carom_assembly_branches(carom_evaluation *d, carom_state *s)
{
    const carom_model *m = d->model;
    carom_state_pose(d, s);
    for (int k = 0; k < m->joint_count; k++) {
        carom_row row;
        double rate;
        if (m->joints[k].coordinate >= 0)
            s->coordinate[m->joints[k].coordinate] =
                carom_dynamics_coordinate(d, k, s->coordinate[m->joints[k].coordinate], &row, &rate);
    }
    if (m->step_measure_count)
        carom_dynamics_measures(d, s, *s->time, s->states);
    carom_assembly_switches(d, s);
    carom_dynamics_load_switches(d, s, *s->time);
}

carom_status carom_assembly_take(carom_evaluation *d, const carom_state *from, carom_state *to)
{
    carom_state_pose(d, from);
    CAROM_TRY(carom_state_share(to, from));
    to->placing = false;
    to->formulation->take_bodies(d->model, d->pose, to->coordinate, to->q, to->v);
    carom_system_settle(to->formulation, d, to, *to->time, to->q, to->v);
    return CAROM_OK;
}

carom_status carom_assembly_start(carom_evaluation *d, carom_state *s, carom_start *out)
{
    carom_assembly_switches(d, s);
    CAROM_TRY(positions_of_all(d, s, out));
    CAROM_TRY(carom_assembly_velocities(d, s, &out->velocity_residual));
    carom_assembly_branches(d, s);
    return CAROM_OK;
}

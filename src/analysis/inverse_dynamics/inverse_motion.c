/* Positions, velocities and accelerations of a motion that is wholly prescribed: with the rows J of all constraints and
   drives J dq = -Phi by Newton's method, J v = -Phi_t, J a = gamma. All three are solved with one decomposition of J in
   the metric of the mass matrix, so that rows that depend on others are no matter.
   Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, chapters 3 and 5. */
#include "analysis/inverse_dynamics/inverse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Violation of a position that is closed, of the model's length or of 1 rad. */
#define CLOSED 1e-14
#define ITERATIONS 40
/* Newton's method has ended where the violation is no longer halved, below this. */
#define STALLED 1e-10
/* Way of a predicted step at most: turn of a body [rad], and share of the model's length. */
#define STEP_TURN 0.15
#define STEP_WAY 0.15
/* Share by which a velocity or acceleration may miss a row; of those of the model, which may all be 0, this one
   counts. */
#define AGREES 1e-7
#define AT_REST 1e-3

/* ---- rows ---- */

static carom_jet wanted_of(carom_inverse *w, const carom_drive *drive)
{
    if (drive->block >= 0)
        return carom_dynamics_motion(w->d, w->s, &w->m->blocks[drive->block], *w->s->time);
    if (drive->target >= 0)
        return carom_dynamics_jet(w->d, w->s, drive->target, *w->s->time);
    return (carom_jet){drive->constant, 0, 0};
}

/* Row, coordinate and what is wanted of a drive. */
static void fill_drive(carom_inverse *w, carom_drive *drive, double *row, double *violation)
{
    const carom_model *m = w->m;
    const carom_formulation *f = w->d->system->formulation;
    const carom_jet jet = drive->prescribes ? wanted_of(w, drive) : (carom_jet){0, 0, 0};
    double rate = 0;
    *violation = 0;
    if (drive->joint < 0) {
        const carom_constraint_block *e = &m->blocks[drive->block];
        drive->row = w->d->rows[e->first_row];
        drive->coordinate = drive->row.phi + jet.value;
        f->row_entries(w->d, &drive->row, e->body_i, e->body_j, row);
    } else {
        const carom_model_joint *j = &m->joints[drive->joint];
        const double near = drive->prescribes ? jet.value : w->s->coordinate[j->coordinate];
        drive->coordinate = carom_dynamics_coordinate(w->d, drive->joint, near, &drive->row, &rate);
        f->row_entries(w->d, &drive->row, j->i.body, j->j.body, row);
    }
    if (!drive->prescribes) {
        drive->rate = rate;
        return;
    }
    *violation = drive->coordinate - jet.value;
    drive->rate = jet.rate;
    drive->acceleration = jet.acceleration;
}

void carom_inverse_rows(carom_inverse *w)
{
    const size_t n = (size_t)w->columns, count = (size_t)w->count;
    const carom_formulation *f = w->d->system->formulation;
    carom_dynamics_constraints(w->d, w->s, *w->s->time);
    memset(w->rows, 0, count * n * sizeof *w->rows);
    for (int k = 0; k < w->held_count; k++) {
        const int r = w->held[k];
        carom_block_entries(w->d, &w->m->blocks[w->held_block[k]], r, w->rows + (size_t)k * n);
        w->violation[k] = w->d->rows[r].phi;
        w->angle[k] = carom_row_is_angle(&w->d->rows[r]);
    }
    for (int k = 0; k < w->drive_count; k++) {
        const int r = w->held_count + k;
        fill_drive(w, &w->drives[k], w->rows + (size_t)r * n, &w->violation[r]);
        w->angle[r] = w->drives[k].turns;
    }
    for (size_t k = 0; k < count; k++)
        f->scale_rows(w->d, w->rows + k * n, 1, w->scaled + k * n);
}

/* Decomposes the rows that prescribe; `positions`: those of velocities alone left out. */
static bool factor(carom_inverse *w, bool positions)
{
    const size_t n = (size_t)w->columns;
    double *out = carom_orthogonal_rows(w->all);
    bool *angle = carom_orthogonal_angles(w->all);
    memset(out, 0, (size_t)w->count * n * sizeof *out);
    for (int k = 0; k < w->count; k++) {
        angle[k] = w->angle[k];
        const bool left = k < w->held_count ? positions && w->velocity_only[k]
                                            : !w->drives[k - w->held_count].prescribes;
        if (!left)
            memcpy(out + (size_t)k * n, w->scaled + (size_t)k * n, n * sizeof *out);
    }
    return carom_orthogonal_factor(w->all);
}

/* The velocities v = C x of the right-hand side. */
static void solve(carom_inverse *w, double *v)
{
    memcpy(w->x, carom_orthogonal_solve(w->all, w->b), (size_t)w->columns * sizeof *w->x);
    w->d->system->formulation->scale_back(w->d, w->x, v);
}

static double largest_violation(const carom_inverse *w, int *worst)
{
    double most = 0;
    *worst = 0;
    for (int k = 0; k < w->count; k++) {
        const double own = w->velocity_only[k] ? 0 : fabs(w->violation[k]) / (w->angle[k] ? 1 : w->m->length_scale);
        if (!(own <= most)) {
            most = own;
            *worst = k;
        }
    }
    return most;
}

static void name_row(const carom_inverse *w, int k, char *text, size_t size)
{
    if (k < w->held_count)
        carom_row_name(w->m, w->held[k], text, size);
    else
        snprintf(text, size, "the motion of '%s'", w->drives[k - w->held_count].name);
}

/* ---- branches ---- */

/* Those of expressions of the time as they are between the instant before and this one: at the end of a piece the
   motion is that of the piece, also where the run ends with it. */
static void set_switches(carom_inverse *w)
{
    const carom_model *m = w->m;
    for (int k = 0; k < m->expr_count; k++)
        carom_expr_set_switches_ahead(m->exprs[k].expr, w->branch_time, *w->s->time, w->d->measures,
                                      w->s->switches + m->exprs[k].first_switch);
}

/* The branches of a time hold at the state. */
static void take_branches(carom_inverse *w, double of)
{
    const double t = *w->s->time;
    w->branch_time = *w->s->time = of;
    carom_records_update(w->d->system->records, w->s);
    *w->s->time = t;
}

double carom_inverse_next_break(const carom_inverse *w)
{
    double next = carom_records_update(w->d->system->records, w->s);
    for (int k = 0; k < w->m->expr_count; k++)
        next = fmin(next, carom_expr_next_break(w->m->exprs[k].expr, *w->s->time));
    return next;
}

/* ---- positions ---- */

static carom_status close_positions(carom_inverse *w)
{
    carom_state *s = w->s;
    double before = HUGE_VAL;
    for (int iteration = 0;; iteration++) {
        int worst;
        memset(s->v, 0, (size_t)w->columns * sizeof *s->v);
        set_switches(w);
        carom_state_pose(w->d, s);
        carom_inverse_rows(w);
        const double most = largest_violation(w, &worst);
        if (most <= fmax(CLOSED, carom_row_rounding(w->d, false)) || (most < STALLED && most > 0.5 * before)) {
            w->position_residual = fmax(w->position_residual, fabs(w->violation[worst]));
            return CAROM_OK;
        }
        if (!isfinite(most) || iteration == ITERATIONS || !factor(w, true)) {
            char name[160];
            name_row(w, worst, name, sizeof name);
            return carom_fail(w->ctx, CAROM_ERROR_SOLVER, w->place,
                              "inverse-dynamics: at t = %.6g s the prescribed motion cannot be reached: %s stays open "
                              "by %.3g; the mechanism does not come so far, or passes a singular position",
                              *s->time, name, w->violation[worst]);
        }
        before = most;
        for (int k = 0; k < w->count; k++)
            w->b[k] = w->velocity_only[k] ? 0 : -w->violation[k];
        solve(w, s->v);
        carom_step_shorten(w->d, s->v);
        s->formulation->retract(w->m, s->v, s->q);
        s->formulation->normalise(w->m, s->q);
    }
}

/* ---- velocities and accelerations ---- */

static double times(const carom_inverse *w, int k, const double *v, double *size)
{
    double sum = 0;
    for (int i = 0; i < w->columns; i++) {
        const double part = w->rows[(size_t)k * (size_t)w->columns + (size_t)i] * v[i];
        sum += part;
        *size += fabs(part);
    }
    return sum;
}

/* Redundant rows agree, or two motions contradict; `v` has what the rows `b` ask for. */
static carom_status agree(carom_inverse *w, const double *b, const double *v, const char *what)
{
    const carom_model *m = w->m;
    double most = 0;
    for (int body = 1; body <= m->body_count; body++)
        most = fmax(most, carom_v3_norm(w->d->pose[body].v) + m->length_scale * carom_v3_norm(w->d->pose[body].w));
    most = most > 0 ? most : m->speed_scale;
    if (v == w->acceleration)
        most = carom_v3_norm(m->gravity) + most * most / m->length_scale;
    for (int k = 0; k < w->count; k++) {
        double size = AT_REST * most / (w->angle[k] ? m->length_scale : 1) + fabs(b[k]);
        if (k >= w->held_count && !w->drives[k - w->held_count].prescribes)
            continue;
        const double off = times(w, k, v, &size) - b[k];
        if (fabs(off) <= AGREES * size)
            continue;
        char name[160];
        name_row(w, k, name, sizeof name);
        return carom_fail(w->ctx, CAROM_ERROR_SOLVER, w->place,
                          "inverse-dynamics: at t = %.6g s the %s contradict: %s is off by %.3g; two motions drive the "
                          "same coordinate, or the mechanism is in a singular position",
                          *w->s->time, what, name, off);
    }
    return CAROM_OK;
}

/* J v = rates, or J a = gamma + accelerations; `b` is lost in the solution, `y` has a copy. */
static carom_status find_rates(carom_inverse *w, bool accelerations, double *v)
{
    const carom_evaluation *d = w->d;
    for (int k = 0; k < w->held_count; k++)
        w->y[k] = accelerations ? d->rows[w->held[k]].gamma + d->row_acceleration[w->held[k]]
                                : d->row_rate[w->held[k]];
    for (int k = 0; k < w->drive_count; k++) {
        const carom_drive *drive = &w->drives[k];
        double *out = &w->y[w->held_count + k];
        *out = !drive->prescribes ? 0 : accelerations ? drive->row.gamma + drive->acceleration : drive->rate;
    }
    memcpy(w->b, w->y, (size_t)w->count * sizeof *w->b);
    solve(w, v);
    return agree(w, w->y, v, accelerations ? "accelerations" : "velocities");
}

static carom_status find_motion(carom_inverse *w)
{
    carom_state *s = w->s;
    CAROM_TRY(close_positions(w));
    if (!factor(w, false))
        return carom_fail(w->ctx, CAROM_ERROR_SOLVER, w->place, "inverse-dynamics: a row is not finite at t = %.6g s",
                          *s->time);
    if (carom_orthogonal_found(w->all) < w->columns)
        return carom_fail(w->ctx, CAROM_ERROR_SOLVER, w->place,
                          "inverse-dynamics: at t = %.6g s the mechanism is in a singular position: there the drives "
                          "do not determine its motion; end before it, or drive another coordinate",
                          *s->time);
    CAROM_TRY(find_rates(w, false, s->v));
    carom_assembly_branches(w->d, s);
    set_switches(w);
    carom_inverse_rows(w);
    return find_rates(w, true, w->acceleration);
}

int carom_inverse_steps(const carom_inverse *w, double h)
{
    double most = 1;
    for (int body = 1; body <= w->m->body_count; body++) {
        const carom_body_pose *p = &w->d->pose[body];
        const carom_body_acceleration a = w->d->system->formulation->body_change(w->d, w->acceleration, body);
        const double way = h * carom_v3_norm(p->v) + 0.5 * h * h * carom_v3_norm(a.linear);
        const double turn = h * carom_v3_norm(p->w) + 0.5 * h * h * carom_v3_norm(a.angular);
        most = fmax(most, fmax(way / (STEP_WAY * w->m->length_scale), turn / STEP_TURN));
    }
    return (int)ceil(fmin(most, 1e5));
}

carom_status carom_inverse_move(carom_inverse *w, double t)
{
    carom_state *s = w->s;
    const double from = *s->time;
    take_branches(w, t > from ? 0.5 * (from + t) : from);
    if (t <= from)
        return find_motion(w);
    for (int i = 0; i < w->columns; i++)
        s->v[i] = (t - from) * (s->v[i] + 0.5 * (t - from) * w->acceleration[i]);
    s->formulation->retract(w->m, s->v, s->q);
    s->formulation->normalise(w->m, s->q);
    *s->time = t;
    return find_motion(w);
}

/* ---- projection ---- */

double carom_inverse_product(const carom_inverse *w, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < w->columns; i++)
        sum += a[i] * b[i];
    return sum;
}

void carom_inverse_project(carom_inverse *w, double *x)
{
    for (int k = 0; k < w->held_count; k++)
        w->y[k] = carom_inverse_product(w, carom_inverse_row(w, k), x);
    if (!w->held_count)
        w->y[0] = 0;
    const double *borne = carom_orthogonal_solve(w->joints, w->y);
    for (int i = 0; i < w->columns; i++)
        x[i] -= borne[i];
}

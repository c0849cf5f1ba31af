/* Assembly from afar: damped least squares. Each step solves (S + mu D) y = -Phi, v = M^-1 J^T y, where S = J M^-1 J^T
   and D is the largest diagonal of S so far: the least of |Phi - J v|^2 / D + mu |v|^2, |v| in the metric of the mass
   matrix, so that neither units nor sizes of the rows matter. The damping follows what a step gained of what it
   promised. Where the rows cannot be met it ends where their sum of squares is least, and what is left there is the
   gap.
   Source: Marquardt 1963, SIAM J. Appl. Math. 11, 431-441; More 1978, Lecture Notes in Mathematics 630, 105-116. */
#include "dynamics/assembly.h"

#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <string.h>

#define ITERATIONS 300
#define FIRST_DAMPING 1e-2
#define LEAST_DAMPING 1e-10
#define GREATEST_DAMPING 1e8
/* Largest turn [rad], and largest way as a share of the model's length, of a step. */
#define LONGEST_STEP 0.3
/* A promise of less than this share of the sum of squares ends the search. */
#define NO_PROMISE 1e-9
/* Weight of the rows that count for nothing. */
#define LOOSE 1e8

typedef struct search {
    const carom_assembly_target *target;
    carom_evaluation *d;
    carom_state *s;
    carom_assembly_rows rows;
    double *weight;             /* D, one a row */
    double *from;               /* positions before the step */
    double sum, worst;          /* of squares Phi^2/D; largest violation of a row that is not loose */
} search;

static bool is_loose(const search *w, int row)
{
    const int loose = w->target->loose;
    return loose == CAROM_LOOSE_IDEAL ? w->rows.source[row].type == CAROM_SOURCE_IDEAL
                                      : loose >= 0 && carom_assembly_same_part(&w->rows, loose, row);
}

static void evaluate(search *w)
{
    memset(w->s->v, 0, (size_t)w->s->layout.velocities * sizeof *w->s->v);
    carom_state_pose(w->d, w->s);
    carom_dynamics_constraints(w->d, w->s, *w->s->time);
    w->rows.count = 0;
    w->target->fill(w->target->user, &w->rows);
    w->sum = w->worst = 0;
    for (int r = 0; r < w->rows.count; r++) {
        const double phi = w->rows.b[r];
        w->sum += w->weight[r] > 0 ? phi * phi / w->weight[r] : 0;
        if (!isfinite(phi))
            w->worst = HUGE_VAL;
        else if (!is_loose(w, r))
            w->worst = fmax(w->worst, carom_assembly_open(&w->rows, r));
    }
}

/* A row that moves nothing where the search is takes the weight of another. */
static void weigh(search *w)
{
    double largest = 0;
    for (int r = 0; r < w->rows.count; r++) {
        const carom_jacobian_row *j = &w->rows.jacobian[r];
        const double own = w->d->system->formulation->couple(w->d, j, j);
        largest = fmax(largest, own);
        w->weight[r] = fmax(w->weight[r], is_loose(w, r) ? LOOSE * own : own);
    }
    w->sum = 0;
    for (int r = 0; r < w->rows.count; r++) {
        w->weight[r] = w->weight[r] > 0 ? w->weight[r] : largest > 0 ? largest : 1;
        w->sum += w->rows.b[r] * w->rows.b[r] / w->weight[r];
    }
}

/* What the sum of squares would be after the step v, were the rows linear. */
static double promised(const search *w, const double *v)
{
    double sum = 0;
    for (int r = 0; r < w->rows.count; r++) {
        const double off = carom_assembly_off(&w->rows, r, v);
        sum += off * off / w->weight[r];
    }
    return sum;
}

static void shorten(const search *w, double *v)
{
    const carom_model *m = w->d->model;
    double share = 0;
    for (int body = 0; body < m->body_count; body++) {
        const carom_body_acceleration step = w->s->formulation->body_change(w->d, v, body + 1);
        share = fmax(share, carom_v3_norm(step.linear) / (LONGEST_STEP * m->length_scale));
        share = fmax(share, carom_v3_norm(step.angular) / LONGEST_STEP);
    }
    for (int k = 0; k < w->s->layout.velocities && share > 1; k++)
        v[k] /= share;
}

/* One step, and the damping of the next; `done` where nothing more can be gained. */
static carom_status advance(search *w, double *damping, double *growth, bool *done)
{
    const size_t places = (size_t)w->s->layout.positions;
    const double before = w->sum, worst = w->worst;
    double *v = w->s->v;
    CAROM_TRY(carom_assembly_solve_damped(&w->rows, w->weight, *damping, v));
    shorten(w, v);
    const double promise = before - promised(w, v);
    memcpy(w->from, w->s->q, places * sizeof *w->from);
    w->s->formulation->retract(w->d->model, v, w->s->q);
    evaluate(w);
    const double gained = before - w->sum, share = promise > 0 ? gained / promise : -1;
    if (!(share > 1e-4) || !isfinite(w->worst)) {
        memcpy(w->s->q, w->from, places * sizeof *w->from);
        evaluate(w);
        w->worst = worst;
        *damping *= *growth;
        *growth *= 2;
        *done = *damping > GREATEST_DAMPING || !(promise > NO_PROMISE * before);
        return CAROM_OK;
    }
    const double change = 2 * share - 1;
    *damping = fmax(LEAST_DAMPING, *damping * fmax(0.1, 1 - change * change * change));
    *growth = 2;
    *done = !(promise > NO_PROMISE * before);
    weigh(w);
    return CAROM_OK;
}

static bool closes(const search *w) { return w->worst <= fmax(w->target->tolerance, carom_row_rounding(w->d, false)); }

static carom_status run(search *w, bool *closed)
{
    double damping = FIRST_DAMPING, growth = 2;
    evaluate(w);
    weigh(w);
    /* loose rows are closed as far as the others let them */
    bool done = w->target->loose == CAROM_LOOSE_NONE && closes(w);
    for (int iteration = 0; iteration < ITERATIONS && !done; iteration++) {
        CAROM_TRY(advance(w, &damping, &growth, &done));
        done = done || (w->target->loose == CAROM_LOOSE_NONE && closes(w));
    }
    *closed = closes(w);
    return CAROM_OK;
}

carom_status carom_assembly_close(carom_evaluation *d, carom_state *s, const carom_assembly_target *target,
                                  bool *closed)
{
    carom_context *ctx = d->system->ctx;
    search w = {.target = target, .d = d, .s = s};
    CAROM_TRY(carom_assembly_rows_create_sparse(d, target->more, &w.rows));
    const size_t rows = (size_t)w.rows.capacity, places = (size_t)s->layout.positions;
    w.weight = carom_allocate(ctx, rows, sizeof *w.weight);
    w.from = carom_allocate(ctx, places, sizeof *w.from);
    carom_status status = w.weight && w.from ? CAROM_OK : carom_fail_memory(ctx);
    if (status == CAROM_OK) {
        memset(w.weight, 0, rows * sizeof *w.weight);
        status = run(&w, closed);
    }
    carom_release(ctx, w.weight, rows, sizeof *w.weight);
    carom_release(ctx, w.from, places, sizeof *w.from);
    carom_assembly_rows_free(&w.rows);
    return status;
}

double carom_assembly_distance(carom_evaluation *d, const carom_state *s, const double *from, const double *to)
{
    double *step = d->system->step;
    s->formulation->difference(d->model, from, to, step);
    s->formulation->pose(d, from, step);
    return sqrt(2 * carom_dynamics_kinetic(d));
}

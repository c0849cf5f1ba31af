/* Continuation of the loads: forces f0 that the start leaves unbalanced are held by a support at first, of which the
   share 1 - lambda is left,
     N^T (f(q) - (1 - lambda) f0) = 0,
   and lambda goes from 0 to 1 in steps that Newton's method with a line search can solve. It keeps to the branch of the
   start, stable or not. The unknowns are lengths along the motions that are allowed where the step begins; along those
   without stiffness the step is none.
   Source: Allgower and Georg 1990, Numerical Continuation Methods, chapter 1 (the global homotopy). */
#include "analysis/equilibrium/equilibrium.h"

#include "integrate/nonlinear.h"

#include <math.h>
#include <string.h>

/* Steps of Newton's method at most, and the least step of lambda. */
#define MOST_STEPS 40
#define LEAST_STEP 1e-3
/* Longest step of Newton's method, and the longest way, of the model's length. */
#define LONGEST 0.3
#define FARTHEST 3
/* Most that a body turns in a chart [rad]: of a joint that turns by less than half a turn it is known how often. */
#define MOST_TURN 1.5
/* Residual of a solution on the way, of the forces that act. */
#define NEAR 1e-8

typedef struct chart {
    carom_balance *b;
    carom_balance_place from;   /* where it begins */
    double *support;            /* f0 */
    double share;               /* 1 - lambda */
    double *x, *back, *ahead;
    double soft;                /* stiffness that motions without any are given */
} chart;

static bool residual(void *user, const double *u, double *f)
{
    const chart *w = user;
    carom_balance *b = w->b;
    bool found;
    carom_balance_motion(b, u, w->x);
    if (carom_balance_move(b, &w->from, w->x, &found) != CAROM_OK || !found)
        return false;
    for (int k = 0; k < b->columns; k++)
        b->force[k] -= w->share * w->support[k];
    carom_balance_along(b, f);
    return true;
}

/* By central differences that leave no contact, no stop and no branch. */
static bool jacobian(void *user, const double *u, double *matrix)
{
    const chart *w = user;
    carom_balance *b = w->b;
    const int n = b->width;
    double *moved = b->work;
    memcpy(moved, u, (size_t)n * sizeof *moved);
    for (int c = 0; c < n; c++) {
        if (!residual(user, u, w->back))
            return false;
        const double h =
            carom_balance_difference(b, b->basis + (size_t)c * (size_t)b->columns, CAROM_STEP_LENGTH, CAROM_STEP_DEPTH);
        b->branches_stay = true;
        moved[c] = u[c] - h;
        const bool behind = residual(user, moved, w->back);
        moved[c] = u[c] + h;
        const bool ahead = behind && residual(user, moved, w->ahead);
        b->branches_stay = false;
        if (!ahead)
            return false;
        moved[c] = u[c];
        for (int k = 0; k < n; k++)
            matrix[c * n + k] = (w->ahead[k] - w->back[k]) / (2 * h);
        if (fabs(b->eigenvalue[c]) <= b->none)
            matrix[c * n + c] -= w->soft;
    }
    return true;
}

/* The equilibrium with the share of the support that is left, from where the chart begins. */
static carom_status solve(chart *w, double tolerance, bool *found)
{
    carom_balance *b = w->b;
    double *u = b->column;
    const double length = b->m->length_scale * carom_balance_root_of_mass(b);
    const carom_nonlinear problem = {b->width, w, residual, jacobian, tolerance, LONGEST * length, MOST_STEPS};
    memset(u, 0, (size_t)b->width * sizeof *u);
    CAROM_TRY(carom_nonlinear_solve(b->ctx, &problem, u, found, &b->iterations));
    double far = 0;
    for (int k = 0; k < b->width; k++)
        far += u[k] * u[k];
    double way, turn;
    *found = residual(w, u, w->back) && *found && sqrt(far) < FARTHEST * length;
    carom_balance_reach(b, w->x, &way, &turn);
    *found = *found && turn < MOST_TURN;
    return CAROM_OK;
}

/* Begins a chart where the state is. */
static carom_status recentre(chart *w, bool *found)
{
    carom_balance *b = w->b;
    CAROM_TRY(carom_balance_evaluate(b, found));
    carom_balance_keep(b, &w->from);
    if (!*found)
        return CAROM_OK;
    CAROM_TRY(carom_balance_motions(b));
    CAROM_TRY(carom_balance_stiffness(b, false));
    const double most = b->width ? fmax(fabs(b->eigenvalue[0]), fabs(b->eigenvalue[b->width - 1])) : 0;
    w->soft = fmax(most, b->residual / (b->m->length_scale * carom_balance_root_of_mass(b)));
    return CAROM_OK;
}

static carom_status follow(chart *w, bool *found)
{
    carom_balance *b = w->b;
    double step = 1;
    CAROM_TRY(recentre(w, found));
    if (!*found || b->width == 0)
        return CAROM_OK;
    memcpy(w->support, b->force, (size_t)b->columns * sizeof *b->force);
    const double tolerance = NEAR * fmax(b->scale, b->residual);
    for (double left = 1; left > 0 && step > LEAST_STEP;) {
        bool solved;
        w->share = fmax(left - step, 0);
        CAROM_TRY(solve(w, tolerance, &solved));
        if (solved) {
            left = w->share;
            step *= 2;
            b->load_steps++;
            CAROM_TRY(recentre(w, &solved));
        } else {
            carom_balance_return(b, &w->from);
            step /= 4;
        }
    }
    if (w->share == 0 && step > LEAST_STEP) /* as near as it goes */
        CAROM_TRY(solve(w, tolerance * 1e-6, found));
    CAROM_TRY(carom_balance_evaluate(b, found));
    *found = *found && b->residual <= carom_balance_small(b);
    return CAROM_OK;
}

carom_status carom_balance_continue(carom_balance *b, bool *found)
{
    carom_arena arena;
    carom_arena_init(&arena, b->ctx);
    const size_t n = (size_t)b->columns;
    chart w = {.b = b, .share = 1};
    const bool done = carom_balance_place_create(b, &arena, &w.from) &&
                      (w.support = carom_arena_alloc(&arena, n, sizeof(double))) &&
                      (w.x = carom_arena_alloc(&arena, n, sizeof(double))) &&
                      (w.back = carom_arena_alloc(&arena, n, sizeof(double))) &&
                      (w.ahead = carom_arena_alloc(&arena, n, sizeof(double)));
    *found = false;
    const carom_status status = done ? follow(&w, found) : carom_fail_memory(b->ctx);
    carom_arena_free(&arena);
    return status;
}

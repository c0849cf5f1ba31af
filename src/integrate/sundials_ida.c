/* The adapter of IDA: stabilised index 2 by variable-order BDF,
       q' = v + e,      v' = f + d,      Phi(q) = 0,      J v = -Phi_t,
   where f are the accelerations whose multipliers keep the rows on the level of accelerations, and e and d what further
   multipliers of positions and velocities add, of the order of the local error: they are the least, by the masses, that
   keep the rows, and so unique where rows depend on each other. They are the last numbers of IDA's vector.
   Newton's equations are those of the rates, I - gamma J, and rows whose answer to e and d is taken to be gamma times
   these: accelerations that keep the rows give nothing along them.
   source: Gear, Leimkuhler and Gupta 1985, J. Comput. Appl. Math. 12-13:77-90; Brenan, Campbell and Petzold 1996,
   Numerical Solution of Initial-Value Problems in Differential-Algebraic Equations, sections 5.2 and 6.2. */
#include "integrate/integrator.h"
#include "integrate/sundials_newton.h"
#include "integrate/sundials_vector.h"

#include <stdio.h> /* before IDA, whose headers use FILE */

#include <ida/ida.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

/* The corrector is iterated to this share of the local tolerance, as that of CVODE. */
#define ITERATION_SHARE 0.003
#define ITERATIONS 6
/* Of its convergence: it is taken to slow down at most so from one iteration to the next, and has diverged where a
   change is so many times the one before. */
#define SLOWS 0.3
#define DIVERGES 2.0
/* Units of rounding to which a number is kept at best, as by CVODE. */
#define ROUNDING 200
/* Weight of the multipliers, which are to converge only as far as the state does. */
#define NO_WEIGHT 1e-100
/* Tolerances over which the rates of the rates are taken at the begin. */
#define AHEAD 100

typedef struct ida_integrator {
    carom_integrator base;
    SUNContext context;
    void *memory;
    int whole;                  /* length of IDA's vector */
    N_Vector y, rate, id, interpolated;
    N_Vector at, rates, weight, moved;  /* of the system: the last state and its rates; room */
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver corrector;
    double change, convergence; /* norm of its last change, and estimated ratio of two */
    carom_differences slopes;
    int *direction;
    double relative, gamma;     /* gamma: of the matrix */
    double evaluated_time;      /* of the last right-hand side */
    double *block, *tolerance, *e, *d, *phi, *phi_rate, *jacobian, *b, *step, *along, *scratch, *move;
    size_t block_size;
} ida_integrator;

/* ---- the equations ---- */

static int rates_at(void *user, double t, const double *y, double *rate)
{
    ida_integrator *self = user;
    const carom_ode *ode = &self->base.ode;
    const int result = ode->rhs(ode->user, t, y, rate);
    self->base.evaluations++;
    self->evaluated_time = result == 0 ? t : (double)NAN;
    if (y != NV_DATA_S(self->at))
        memcpy(NV_DATA_S(self->at), y, (size_t)ode->size * sizeof *y);
    return result;
}

static int take_rows(ida_integrator *self)
{
    const carom_ode *ode = &self->base.ode;
    if (!ode->row_count)
        return 0;
    const int result = ode->rows(ode->user, 1, 0, self->phi, NULL, NULL);
    return result != 0 ? result : ode->rows(ode->user, 0, 1, self->phi_rate, NULL, NULL);
}

/* Rates of the positions of y by `speed` in the place of its velocities. */
static int position_rates(ida_integrator *self, const double *y, const double *speed, double *rate)
{
    return self->base.ode.position_rate(self->base.ode.user, y, speed, rate);
}

static int residual(realtype t, N_Vector whole, N_Vector rate, N_Vector out, void *user)
{
    ida_integrator *self = user;
    const carom_ode *ode = &self->base.ode;
    const double *y = NV_DATA_S(whole);
    const int n = ode->size, p = ode->position_count, v = ode->velocity_count;
    double *f = NV_DATA_S(self->rates), *r = NV_DATA_S(out);
    int result = rates_at(self, t, y, f);
    if (result != 0 || (result = take_rows(self)) != 0)
        return result;
    memset(r, 0, (size_t)self->whole * sizeof *r);
    for (int k = 0; k < n; k++)
        r[k] = NV_Ith_S(rate, k) - f[k];
    if (!ode->row_count)
        return 0;
    memcpy(self->e, y + n, (size_t)v * sizeof *y);
    memcpy(self->d, y + n + v, (size_t)v * sizeof *y);
    if (position_rates(self, y, self->e, self->move) != 0)
        return 1;
    for (int k = 0; k < p; k++)
        r[k] -= self->move[k];
    for (int k = 0; k < v; k++)
        r[p + k] -= self->d[k];
    return 0;
}

static int roots(realtype t, N_Vector y, N_Vector rate, realtype *values, void *user)
{
    (void)rate;
    const ida_integrator *self = user;
    return self->base.ode.roots(self->base.ode.user, t, NV_DATA_S(y), values);
}

/* ---- Newton's equations ---- */

/* At the state of the last residual. */
static int factor(realtype t, realtype cj, N_Vector y, N_Vector rate, N_Vector r, SUNMatrix matrix, void *user,
                  N_Vector work1, N_Vector work2, N_Vector work3)
{
    (void)rate;
    (void)r;
    (void)matrix;
    (void)work1;
    (void)work2;
    (void)work3;
    ida_integrator *self = user;
    const carom_ode *ode = &self->base.ode;
    self->gamma = 1 / cj;
    int result = 0;
    if (ode->row_count && ((result = ode->rows(ode->user, 1, 0, self->phi, self->jacobian, NULL)) != 0 ||
                           (result = ode->decompose(ode->user, self->jacobian)) != 0))
        return result;
    if (!self->slopes.ode) {
        result = ode->newton.evaluate(ode->user, t, NV_DATA_S(y));
        return result != 0 ? result : ode->newton.factor(ode->user, self->gamma);
    }
    memcpy(self->scratch, NV_DATA_S(y), (size_t)ode->size * sizeof *self->scratch);
    if (carom_weights(ode->size, self->scratch, self->relative, self->tolerance, NV_DATA_S(self->weight)) != 0)
        return -1;
    memcpy(self->along, NV_DATA_S(self->at), (size_t)ode->size * sizeof *self->along);
    memcpy(NV_DATA_S(self->interpolated), self->scratch, (size_t)ode->size * sizeof *self->scratch);
    NV_LENGTH_S(self->interpolated) = ode->size;
    result = carom_differences_take(&self->slopes, t, self->interpolated, self->rates, self->gamma, self->weight,
                                    self->moved);
    NV_LENGTH_S(self->interpolated) = self->whole;
    memcpy(NV_DATA_S(self->at), self->along, (size_t)ode->size * sizeof *self->along);
    self->evaluated_time = NAN;
    return result != 0 ? result : carom_differences_factor(&self->slopes, self->gamma);
}

static void solve_rates(ida_integrator *self, double *b)
{
    const carom_ode *ode = self->slopes.ode ? &self->slopes.solver : &self->base.ode;
    ode->newton.solve(ode->user, b);
}

/* The new multipliers: `old` with what changes J x by -miss after a change of it by J `moved`. Puts their change into
   `out`. */
static void correct(ida_integrator *self, const double *miss, const double *moved, const bool *left, double gamma,
                    const double *old, double *out)
{
    const carom_ode *ode = &self->base.ode;
    const int v = ode->velocity_count;
    for (int r = 0; r < ode->row_count; r++) {
        const double *row = self->jacobian + (size_t)r * (size_t)v;
        double was = 0, changed = 0;
        for (int k = 0; k < v; k++) {
            was += row[k] * old[k];
            changed += row[k] * moved[k];
        }
        self->b[r] = left && left[r] ? 0 : was - (miss[r] + changed) / gamma;
    }
    ode->least(ode->user, self->b, out);
    for (int k = 0; k < v; k++)
        out[k] -= old[k];
}

/* Changes x of the right-hand side b of IDA. */
static int solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b, realtype tolerance)
{
    (void)matrix;
    (void)tolerance;
    ida_integrator *self = solver->content;
    const carom_ode *ode = &self->base.ode;
    const int n = ode->size, p = ode->position_count, v = ode->velocity_count;
    realtype cj;
    if (IDAGetCurrentCj(self->memory, &cj) != 0)
        return -1;
    const double now = 1 / cj, gamma = 2 * now * self->gamma / (now + self->gamma);
    double *dy = NV_DATA_S(x), *de = dy + n, *dd = de + v, *y = NV_DATA_S(self->at);
    memcpy(self->along, NV_DATA_S(b), (size_t)n * sizeof *dy);
    for (int k = 0; k < n; k++)
        dy[k] = gamma * self->along[k];
    solve_rates(self, dy);
    if (!ode->row_count)
        return SUNLS_SUCCESS;
    for (int k = 0; k < p; k++)
        self->move[k] = y[k] + dy[k];
    ode->difference(ode->user, y, self->move, self->step);
    correct(self, self->phi, self->step, ode->rate_rows, now, self->e, de);
    correct(self, self->phi_rate, dy + p, NULL, now, self->d, dd);
    if (position_rates(self, y, de, self->move) != 0)
        return 1;
    for (int k = 0; k < n; k++)
        dy[k] = gamma * (self->along[k] + (k < p ? self->move[k] : k < p + v ? dd[k - p] : 0));
    solve_rates(self, dy);
    return SUNLS_SUCCESS;
}

static SUNLinearSolver_Type solver_type(SUNLinearSolver solver)
{
    (void)solver;
    return SUNLINEARSOLVER_DIRECT;
}

static int free_solver(SUNLinearSolver solver)
{
    solver->content = NULL; /* it is the integrator */
    SUNLinSolFreeEmpty(solver);
    return SUNLS_SUCCESS;
}

static int clear(SUNMatrix matrix)
{
    (void)matrix;
    return SUNMAT_SUCCESS;
}

/* ---- weights and messages ---- */

/* Norms are of the whole vector: what is allowed of the state is a share of it. */
static int weights(N_Vector y, N_Vector weight, void *user)
{
    const ida_integrator *self = user;
    const int n = self->base.ode.size;
    double *w = NV_DATA_S(weight);
    if (carom_weights(n, NV_DATA_S(y), self->relative, self->tolerance, w) != 0)
        return -1;
    for (int k = 0; k < self->whole; k++)
        w[k] = k < n ? w[k] * sqrt((double)self->whole / n) : NO_WEIGHT;
    return 0;
}

static void keep_message(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code;
    carom_integrator *self = user;
    snprintf(self->message, sizeof self->message, "%s %s: %s", module, function, text);
}

/* ---- the corrector's end ---- */

/* That of CVODE: a change within the tolerance ends the iteration even where it is no smaller than the one before, as
   changes that are rounding are. IDA's own test takes those for divergence. */
static int converged(SUNNonlinearSolver corrector, N_Vector y, N_Vector change, realtype tolerance, N_Vector weight,
                     void *user)
{
    (void)y;
    ida_integrator *self = user;
    const double norm = N_VWrmsNorm(change, weight), before = self->change;
    int iteration;
    if (SUNNonlinSolGetCurIter(corrector, &iteration) != 0)
        return -1;
    if (iteration > 0)
        self->convergence = fmax(SLOWS * self->convergence, norm / before);
    else
        self->convergence = 1;
    if (norm * fmin(1, self->convergence) <= tolerance)
        return SUN_NLS_SUCCESS;
    self->change = norm;
    return iteration > 0 && norm > DIVERGES * before ? SUN_NLS_CONV_RECVR : SUN_NLS_CONTINUE;
}

/* ---- creation ---- */

static bool make_arrays(ida_integrator *self)
{
    const carom_ode *ode = &self->base.ode;
    const size_t n = (size_t)ode->size, v = (size_t)ode->velocity_count, r = (size_t)ode->row_count;
    double **const of_state[] = {&self->tolerance, &self->along, &self->scratch, &self->move};
    double **const of_velocities[] = {&self->e, &self->d, &self->step};
    double **const of_rows[] = {&self->phi, &self->phi_rate, &self->b};
    self->block_size = CAROM_COUNT(of_state) * n + CAROM_COUNT(of_velocities) * v + CAROM_COUNT(of_rows) * r + r * v;
    self->block = carom_allocate(self->base.ctx, self->block_size, sizeof(double));
    self->base.root_found = carom_allocate(self->base.ctx, (size_t)ode->root_count, sizeof(int));
    self->direction = carom_allocate(self->base.ctx, (size_t)ode->root_count, sizeof(int));
    if (!self->block || !self->base.root_found || !self->direction)
        return false;
    double *p = self->block;
    for (size_t k = 0; k < CAROM_COUNT(of_state); k++, p += n)
        *of_state[k] = p;
    for (size_t k = 0; k < CAROM_COUNT(of_velocities); k++, p += v)
        *of_velocities[k] = p;
    for (size_t k = 0; k < CAROM_COUNT(of_rows); k++, p += r)
        *of_rows[k] = p;
    self->jacobian = p;
    return true;
}

static bool make_vectors(ida_integrator *self)
{
    const int n = self->base.ode.size;
    self->whole = n + (self->base.ode.row_count ? 2 * self->base.ode.velocity_count : 0);
    N_Vector *const of_all[] = {&self->y, &self->rate, &self->id, &self->interpolated};
    N_Vector *const of_state[] = {&self->at, &self->rates, &self->weight, &self->moved};
    for (size_t k = 0; k < CAROM_COUNT(of_all); k++)
        if (!(*of_all[k] = carom_vector_new(self->whole, NULL, self->context)))
            return false;
    for (size_t k = 0; k < CAROM_COUNT(of_state); k++)
        if (!(*of_state[k] = carom_vector_new(n, NULL, self->context)))
            return false;
    for (int k = 0; k < self->whole; k++)
        NV_Ith_S(self->id, k) = k < n;
    for (int k = 0; k < n; k++)
        self->tolerance[k] = 1;
    self->base.y = NV_DATA_S(self->y);
    return true;
}

static bool make_solver(ida_integrator *self)
{
    const carom_ode *ode = &self->base.ode;
    if (!ode->newton.solve && !carom_differences_create(self->base.ctx, ode, rates_at, self, &self->slopes))
        return false;
    self->matrix = carom_newton_matrix_new(self->context);
    self->linear = SUNLinSolNewEmpty(self->context);
    if (!self->matrix || !self->linear)
        return false;
    self->matrix->ops->zero = clear;
    self->linear->ops->gettype = solver_type;
    self->linear->ops->solve = solve;
    self->linear->ops->free = free_solver;
    self->linear->content = self;
    return IDASetLinearSolver(self->memory, self->linear, self->matrix) == 0 &&
           IDASetJacFn(self->memory, factor) == 0 && IDASetLinearSolutionScaling(self->memory, SUNFALSE) == 0;
}

static bool make_corrector(ida_integrator *self)
{
    self->corrector = SUNNonlinSol_Newton(self->y, self->context);
    return self->corrector && IDASetNonlinearSolver(self->memory, self->corrector) == 0 &&
           SUNNonlinSolSetConvTestFn(self->corrector, converged, self) == 0 &&
           IDASetMaxNonlinIters(self->memory, ITERATIONS) == 0;
}

static bool set_up(ida_integrator *self)
{
    const carom_ode *ode = &self->base.ode;
    if (SUNContext_Create(NULL, &self->context) != 0 || !make_arrays(self) || !make_vectors(self))
        return false;
    self->memory = IDACreate(self->context);
    return self->memory && IDASetErrHandlerFn(self->memory, keep_message, self) == 0 &&
           IDAInit(self->memory, residual, 0, self->y, self->rate) == 0 && IDASetUserData(self->memory, self) == 0 &&
           IDAWFtolerances(self->memory, weights) == 0 && IDASetMaxNumSteps(self->memory, -1) == 0 &&
           IDASetMaxErrTestFails(self->memory, 20) == 0 && IDASetMaxConvFails(self->memory, 20) == 0 &&
           IDASetNoInactiveRootWarn(self->memory) == 0 &&
           IDASetId(self->memory, self->id) == 0 && IDASetSuppressAlg(self->memory, SUNTRUE) == 0 &&
           (!ode->root_count || IDARootInit(self->memory, ode->root_count, roots) == 0) && make_solver(self) &&
           make_corrector(self);
}

static void destroy(carom_integrator *base)
{
    ida_integrator *self = (ida_integrator *)base;
    carom_context *ctx = base->ctx;
    const size_t roots_size = (size_t)base->ode.root_count;
    if (self->memory)
        IDAFree(&self->memory);
    if (self->corrector)
        SUNNonlinSolFree(self->corrector);
    if (self->linear)
        SUNLinSolFree(self->linear);
    if (self->matrix)
        SUNMatDestroy(self->matrix);
    N_Vector const vectors[] = {self->y,  self->rate,  self->id,     self->interpolated,
                                self->at, self->rates, self->weight, self->moved};
    for (size_t k = 0; k < CAROM_COUNT(vectors); k++)
        if (vectors[k])
            N_VDestroy(vectors[k]);
    if (self->context)
        SUNContext_Free(&self->context);
    carom_differences_free(&self->slopes);
    carom_release(ctx, self->block, self->block_size, sizeof(double));
    carom_release(ctx, base->root_found, roots_size, sizeof(int));
    carom_release(ctx, self->direction, roots_size, sizeof(int));
    carom_release(ctx, self, 1, sizeof *self);
}

static carom_status create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                           carom_integrator **out)
{
    ida_integrator *self = carom_allocate(ctx, 1, sizeof *self);
    if (!self)
        return carom_fail_memory(ctx);
    self->base = (carom_integrator){.ctx = ctx, .kind = kind, .ode = *ode};
    if (!set_up(self)) {
        destroy(&self->base);
        return carom_fail_memory(ctx);
    }
    *out = &self->base;
    return CAROM_OK;
}

/* ---- steps ---- */

/* IDA's own first step moves the state by its tolerance, which in an impact is rounding: in its place that of the local
   error of order 1, from the rates a little way ahead. The rates at y are in self->rate. */
static double first_step_of(ida_integrator *self, double max_step)
{
    const carom_ode *ode = &self->base.ode;
    const double *f = NV_DATA_S(self->rate);
    double *w = NV_DATA_S(self->weight), *ahead = NV_DATA_S(self->moved), *y = self->along, moves = 0, bends = 0;
    if (carom_weights(ode->size, self->base.y, self->relative, self->tolerance, w) != 0)
        return 0;
    for (int k = 0; k < ode->size; k++)
        moves += w[k] * f[k] * w[k] * f[k];
    const double h = fmax(moves > 0 ? AHEAD * sqrt(ode->size / moves) : 1e-6, 1e3 * DBL_EPSILON * fabs(self->base.t));
    for (int k = 0; k < ode->size; k++)
        y[k] = self->base.y[k] + h * f[k];
    const bool found = ode->rhs(ode->user, self->base.t + h, y, ahead) == 0;
    self->base.evaluations++;
    for (int k = 0; k < ode->size; k++) {
        const double bend = found ? w[k] * (ahead[k] - f[k]) / h : 0;
        bends += bend * bend;
    }
    const double first = bends > 0 ? sqrt(sqrt(ode->size / bends)) : 0;
    return max_step > 0 ? fmin(first, max_step) : first;
}

static bool restart(carom_integrator *base, double t, const double *y, double relative, const double *tolerance,
                    const int *direction, double first_step, double max_step)
{
    ida_integrator *self = (ida_integrator *)base;
    const carom_ode *ode = &base->ode;
    const size_t n = (size_t)ode->size;
    N_VConst(0, self->y);
    N_VConst(0, self->rate);
    memcpy(base->y, y, n * sizeof *y);
    memcpy(self->tolerance, tolerance, n * sizeof *tolerance);
    memcpy(self->direction, direction, (size_t)ode->root_count * sizeof *direction);
    self->relative = relative;
    base->t = base->t_before = t;
    base->rates = CAROM_RATES_ELSEWHERE;
    base->message[0] = '\0';
    const double share = carom_bound_by_rounding(ode, self->tolerance, ROUNDING, ITERATION_SHARE);
    if (rates_at(self, t, base->y, NV_DATA_S(self->rate)) != 0)
        return false;
    const double first = first_step > 0 ? first_step : first_step_of(self, max_step);
    return IDASetNonlinConvCoef(self->memory, share) == 0 && IDAReInit(self->memory, t, self->y, self->rate) == 0 &&
           IDASetInitStep(self->memory, first) == 0 && IDASetMaxStep(self->memory, max_step) == 0 &&
           (!ode->root_count || IDASetRootDirection(self->memory, self->direction) == 0);
}

static carom_step_result step(carom_integrator *base, double stop)
{
    ida_integrator *self = (ida_integrator *)base;
    realtype t = base->t;
    base->t_before = base->t;
    if (IDASetStopTime(self->memory, stop) != 0)
        return CAROM_STEP_FAILED;
    const int result = IDASolve(self->memory, stop, &t, self->y, self->rate, IDA_ONE_STEP);
    const size_t bytes = (size_t)base->ode.size * sizeof(double);
    base->t = t;
    base->rates = self->evaluated_time == t && memcmp(NV_DATA_S(self->at), base->y, bytes) == 0
                      ? CAROM_RATES_AT_END : CAROM_RATES_ELSEWHERE;
    if (IDAGetLastOrder(self->memory, &base->order) != 0)
        base->order = 0;
    if (result == IDA_ROOT_RETURN)
        return IDAGetRootInfo(self->memory, base->root_found) == 0 ? CAROM_STEP_ROOT : CAROM_STEP_FAILED;
    if (result == IDA_TSTOP_RETURN)
        return CAROM_STEP_STOP;
    return result >= 0 ? CAROM_STEP_DONE : CAROM_STEP_FAILED;
}

static bool interpolate(carom_integrator *base, double t, int count, double *y)
{
    ida_integrator *self = (ida_integrator *)base;
    if (IDAGetDky(self->memory, t, 0, self->interpolated) != 0)
        return false;
    memcpy(y, NV_DATA_S(self->interpolated), (size_t)count * sizeof *y);
    return true;
}

const carom_integrator_kind carom_integrator_ggl = {
    .kind = {.name = "ida"},
    .stiff = true,
    .holds = true,
    .begins_closed = true,
    .create = create,
    .destroy = destroy,
    .restart = restart,
    .step = step,
    .interpolate = interpolate,
};

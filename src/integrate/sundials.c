/* The adapter of SUNDIALS: CVODE (Adams and BDF) and ARKODE's explicit Runge-Kutta methods. No files but sundials*.c
   include its headers. */
#include "integrate/integrator.h"
#include "integrate/sundials_newton.h"
#include "integrate/sundials_vector.h"

#include <stdio.h> /* before ARKODE, whose headers use FILE */

#include <arkode/arkode_butcher_erk.h>
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

/* The corrector is iterated to this share of the local tolerance. CVODE's own 0.1 leaves errors of one sign that add up
   over a run: on the free four-bar 0.003 gives a fortieth of the error with fewer evaluations. */
#define ITERATION_SHARE 0.003

/* Units of rounding to which an implicit method keeps a number at best. Less is noise to its long steps: on a stack of
   boxes at rest it falls to order 1 and takes ten times the evaluations, most of them for Jacobians that the corrector
   asks for. */
#define STIFF_ROUNDING 200

typedef struct sundials_integrator {
    carom_integrator base;
    SUNContext context;
    void *memory;
    bool erk;
    N_Vector y, tolerance, interpolated;
    carom_vector_terms *terms;  /* of the last interpolated vector, */
    int polynomial;             /* so many, if they are the coefficients of CVODE's polynomial in the last step */
    double polynomial_end, polynomial_step;     /* its time is that from this end over this step [s] */
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver nonlinear;
    int *direction;
    double first_step, max_step, relative;
    double evaluated_time;      /* of the last right-hand side, and its state */
    N_Vector evaluated;         /* before the first one after a restart `known`: its rates */
    bool known;
    bool stiff;
    carom_differences slopes;
} sundials_integrator;

static int rates_at(sundials_integrator *self, double t, const double *y, double *rate)
{
    const carom_ode *ode = &self->base.ode;
    const int result = ode->rhs(ode->user, t, y, rate);
    self->base.evaluations++;
    self->evaluated_time = result == 0 ? t : (double)NAN;
    memcpy(NV_DATA_S(self->evaluated), y, (size_t)ode->size * sizeof *y);
    return result;
}

static int rhs(realtype t, N_Vector y, N_Vector rate, void *user)
{
    sundials_integrator *self = user;
    const size_t bytes = (size_t)self->base.ode.size * sizeof(double);
    const bool known = self->known && t == self->base.t && memcmp(NV_DATA_S(y), self->base.y, bytes) == 0;
    self->known = false;
    if (known) {
        memcpy(NV_DATA_S(rate), NV_DATA_S(self->evaluated), bytes);
        return 0;
    }
    return rates_at(self, t, NV_DATA_S(y), NV_DATA_S(rate));
}

/* Says whether the last right-hand side is that of the step's end: the last stage of a method may be, and a corrector
   that has nothing to correct. */
static void compare_rates(sundials_integrator *self)
{
    const bool same = self->evaluated_time == self->base.t && memcmp(NV_DATA_S(self->evaluated), self->base.y,
                                                                     (size_t)self->base.ode.size * sizeof(double)) == 0;
    self->base.rates = same ? CAROM_RATES_AT_END : CAROM_RATES_ELSEWHERE;
}

static int roots(realtype t, N_Vector y, realtype *values, void *user)
{
    const sundials_integrator *self = user;
    const carom_ode *ode = &self->base.ode;
    return ode->roots(ode->user, t, NV_DATA_S(y), values);
}

/* CVODE asks for the correction, not for the projected state. */
static int project(realtype t, N_Vector y, N_Vector correction, realtype tolerance, N_Vector error, void *user)
{
    (void)tolerance;
    sundials_integrator *self = user;
    const carom_ode *ode = &self->base.ode;
    size_t bytes = (size_t)ode->size * sizeof(double);
    double *moved = NV_DATA_S(self->interpolated);
    memcpy(moved, NV_DATA_S(y), bytes);
    int result = ode->project(ode->user, t, moved, error ? NV_DATA_S(error) : NULL);
    for (int k = 0; k < ode->size; k++)
        NV_Ith_S(correction, k) = moved[k] - NV_Ith_S(y, k);
    return result;
}

/* Newton's equations by differences; the rates of columns. */
static int differences_rates(void *user, double t, const double *y, double *rate)
{
    return rates_at(user, t, y, rate);
}

static int differences_system(realtype t, N_Vector y, N_Vector rate, SUNMatrix matrix, booleantype current,
                              booleantype *taken, realtype gamma, void *user, N_Vector weight, N_Vector moved,
                              N_Vector unused)
{
    (void)matrix;
    (void)unused;
    sundials_integrator *self = user;
    *taken = !current;
    if (!current && CVodeGetErrWeights(self->memory, weight) != 0)
        return -1;
    const int result = current ? 0 : carom_differences_take(&self->slopes, t, y, rate, gamma, weight, moved);
    return result != 0 ? result : carom_differences_factor(&self->slopes, gamma);
}

static int weights(N_Vector y, N_Vector weight, void *user)
{
    const sundials_integrator *self = user;
    return carom_weights(self->base.ode.size, NV_DATA_S(y), self->relative, NV_DATA_S(self->tolerance),
                         NV_DATA_S(weight));
}

static void keep_message(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code;
    carom_integrator *self = user;
    snprintf(self->message, sizeof self->message, "%s %s: %s", module, function, text);
}

static carom_status create_common(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                                  sundials_integrator **out)
{
    sundials_integrator *self = carom_allocate(ctx, 1, sizeof *self);
    if (!self)
        return carom_fail_memory(ctx);
    self->base = (carom_integrator){.ctx = ctx, .kind = kind, .ode = *ode};
    *out = self;
    size_t roots_size = (size_t)ode->root_count;
    self->base.root_found = carom_allocate(ctx, roots_size, sizeof(int));
    self->direction = carom_allocate(ctx, roots_size, sizeof(int));
    if (!self->base.root_found || !self->direction || SUNContext_Create(NULL, &self->context) != 0)
        return carom_fail_memory(ctx);
    self->y = carom_vector_new(ode->size, &self->base.ode.size, self->context);
    self->tolerance = carom_vector_new(ode->size, &self->base.ode.size, self->context);
    self->interpolated = carom_vector_new_sum(ode->size, self->context, &self->terms);
    self->evaluated = carom_vector_new(ode->size, &self->base.ode.size, self->context);
    if (!self->y || !self->tolerance || !self->interpolated || !self->evaluated)
        return carom_fail_memory(ctx);
    self->base.y = NV_DATA_S(self->y);
    N_VConst(0, self->y);
    N_VConst(1, self->tolerance);
    return CAROM_OK;
}

static void destroy_common(sundials_integrator *self)
{
    carom_context *ctx = self->base.ctx;
    if (self->nonlinear)
        SUNNonlinSolFree(self->nonlinear);
    if (self->linear)
        SUNLinSolFree(self->linear);
    if (self->matrix)
        SUNMatDestroy(self->matrix);
    if (self->y)
        N_VDestroy(self->y);
    if (self->tolerance)
        N_VDestroy(self->tolerance);
    if (self->interpolated)
        N_VDestroy(self->interpolated);
    if (self->evaluated)
        N_VDestroy(self->evaluated);
    if (self->context)
        SUNContext_Free(&self->context);
    carom_release(ctx, self->base.root_found, (size_t)self->base.ode.root_count, sizeof(int));
    carom_release(ctx, self->direction, (size_t)self->base.ode.root_count, sizeof(int));
    carom_differences_free(&self->slopes);
    carom_release(ctx, self, 1, sizeof *self);
}

/* Copies what a restart is given. */
static void load_restart(sundials_integrator *self, double t, const double *y, double relative,
                         const double *tolerance, const int *direction)
{
    size_t n = (size_t)self->base.ode.size;
    memcpy(self->base.y, y, n * sizeof *y);
    memcpy(NV_DATA_S(self->tolerance), tolerance, n * sizeof *y);
    memcpy(self->direction, direction, (size_t)self->base.ode.root_count * sizeof(int));
    self->relative = relative;
    self->base.t = self->base.t_before = t;
    self->base.rates = CAROM_RATES_ELSEWHERE;
    self->evaluated_time = NAN;
    self->known = self->base.known != NULL;
    if (self->known)
        memcpy(NV_DATA_S(self->evaluated), self->base.known, n * sizeof *y);
    self->base.message[0] = '\0';
    self->polynomial = 0;
}

/* ---- CVODE ---- */

/* Newton's equations: those of the system, or of differences. */
static bool set_up_newton(sundials_integrator *self)
{
    const carom_ode *ode = &self->base.ode;
    const bool own = ode->newton.solve != NULL;
    if (!own && !carom_differences_create(self->base.ctx, ode, differences_rates, self, &self->slopes))
        return false;
    self->matrix = carom_newton_matrix_new(self->context);
    if (!self->matrix)
        return false;
    self->linear = carom_newton_solver_new(own ? ode : &self->slopes.solver, self->context);
    if (!self->linear || CVodeSetLinearSolver(self->memory, self->linear, self->matrix) != 0)
        return false;
    return CVodeSetLinSysFn(self->memory, own ? carom_newton_system : differences_system) == 0;
}

static bool cvode_set_up(sundials_integrator *self, bool stiff)
{
    const carom_ode *ode = &self->base.ode;
    self->stiff = stiff;
    self->memory = CVodeCreate(stiff ? CV_BDF : CV_ADAMS, self->context);
    if (!self->memory || CVodeSetErrHandlerFn(self->memory, keep_message, self) != 0 ||
        CVodeInit(self->memory, rhs, 0, self->y) != 0 || CVodeSetUserData(self->memory, self) != 0 ||
        CVodeWFtolerances(self->memory, weights) != 0 || CVodeSetMaxNumSteps(self->memory, -1) != 0 ||
        CVodeSetMaxErrTestFails(self->memory, 20) != 0 || CVodeSetNoInactiveRootWarn(self->memory) != 0)
        return false;
    if (ode->root_count && CVodeRootInit(self->memory, ode->root_count, roots) != 0)
        return false;
    if (CVodeSetNonlinConvCoef(self->memory, ITERATION_SHARE) != 0)
        return false;
    if (!stiff) {
        self->nonlinear = SUNNonlinSol_FixedPoint(self->y, 0, self->context);
        return self->nonlinear && CVodeSetNonlinearSolver(self->memory, self->nonlinear) == 0;
    }
    if (!set_up_newton(self))
        return false;
    return !ode->project || CVodeSetProjFn(self->memory, project) == 0;
}

carom_status carom_cvode_create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode, bool stiff,
                                carom_integrator **out)
{
    sundials_integrator *self = NULL;
    carom_status status = create_common(ctx, kind, ode, &self);
    if (status == CAROM_OK && !cvode_set_up(self, stiff))
        status = carom_fail_memory(ctx);
    if (status != CAROM_OK) {
        if (self)
            carom_cvode_destroy(&self->base);
        return status;
    }
    *out = &self->base;
    return CAROM_OK;
}

void carom_cvode_destroy(carom_integrator *base)
{
    sundials_integrator *self = (sundials_integrator *)base;
    if (self->memory)
        CVodeFree(&self->memory);
    destroy_common(self);
}

bool carom_cvode_restart(carom_integrator *base, double t, const double *y, double relative, const double *tolerance,
                         const int *direction, double first_step, double max_step)
{
    sundials_integrator *self = (sundials_integrator *)base;
    load_restart(self, t, y, relative, tolerance, direction);
    const carom_ode *ode = &base->ode;
    self->slopes.solver.size = ode->size;
    const double share = self->stiff ? carom_bound_by_rounding(ode, NV_DATA_S(self->tolerance), STIFF_ROUNDING,
                                                               ITERATION_SHARE)
                                     : ITERATION_SHARE;
    return CVodeSetNonlinConvCoef(self->memory, share) == 0 &&
           (!self->stiff || CVodeSetStabLimDet(self->memory, SUNFALSE) == 0) &&
           CVodeReInit(self->memory, t, self->y) == 0 && CVodeSetInitStep(self->memory, first_step) == 0 &&
           CVodeSetMaxStep(self->memory, max_step) == 0 &&
           (!base->ode.root_count || CVodeSetRootDirection(self->memory, self->direction) == 0);
}

void carom_cvode_watch_stability(carom_integrator *base)
{
    const sundials_integrator *self = (sundials_integrator *)base;
    CVodeSetStabLimDet(self->memory, SUNTRUE);
}

carom_step_result carom_cvode_step(carom_integrator *base, double stop)
{
    sundials_integrator *self = (sundials_integrator *)base;
    base->t_before = base->t;
    self->polynomial = 0;
    realtype t = base->t;
    if (CVodeSetStopTime(self->memory, stop) != 0)
        return CAROM_STEP_FAILED;
    int result = CVode(self->memory, stop, self->y, &t, CV_ONE_STEP);
    base->t = t;
    compare_rates(self);
    if (CVodeGetLastOrder(self->memory, &base->order) != 0)
        base->order = 0;
    if (result == CV_ROOT_RETURN)
        return CVodeGetRootInfo(self->memory, base->root_found) == 0 ? CAROM_STEP_ROOT : CAROM_STEP_FAILED;
    if (result == CV_TSTOP_RETURN)
        return CAROM_STEP_STOP;
    return result >= 0 ? CAROM_STEP_DONE : CAROM_STEP_FAILED;
}

/* Powers of s as CVodeGetDky() makes them, the highest first. */
static void polynomial_factors(double s, int count, double *factors)
{
    for (int n = 0; n < count; n++) {
        factors[n] = 1;
        for (int i = 0; i < count - 1 - n; i++)
            factors[n] *= s;
    }
}

/* The interpolating polynomial is summed up over the length of the vector that takes it. */
static bool ask_polynomial(sundials_integrator *self, double t, int count, double *y)
{
    double factors[CAROM_VECTOR_TERMS];
    NV_LENGTH_S(self->interpolated) = count;
    const bool found = CVodeGetDky(self->memory, t, 0, self->interpolated) == 0;
    NV_LENGTH_S(self->interpolated) = self->base.ode.size;
    if (!found)
        return false;
    memcpy(y, NV_DATA_S(self->interpolated), (size_t)count * sizeof *y);
    if (CVodeGetCurrentTime(self->memory, &self->polynomial_end) != 0 ||
        CVodeGetLastStep(self->memory, &self->polynomial_step) != 0)
        return true;
    /* the sum made here must have the same bits */
    polynomial_factors((t - self->polynomial_end) / self->polynomial_step, self->terms->count, factors);
    if (self->terms->count > 0)
        carom_vector_combine(self->terms, factors, count, NV_DATA_S(self->interpolated));
    if (memcmp(y, NV_DATA_S(self->interpolated), (size_t)count * sizeof *y) == 0)
        self->polynomial = self->terms->count;
    return true;
}

bool carom_cvode_interpolate(carom_integrator *base, double t, int count, double *y)
{
    sundials_integrator *self = (sundials_integrator *)base;
    const double since = self->polynomial_end - t;
    if (!self->polynomial || !(since >= 0 && since <= self->polynomial_step))
        return ask_polynomial(self, t, count, y);
    double factors[CAROM_VECTOR_TERMS];
    polynomial_factors(-since / self->polynomial_step, self->polynomial, factors);
    carom_vector_combine(self->terms, factors, count, y);
    return true;
}

/* ---- ARKODE ---- */

static bool erkode_set_up(sundials_integrator *self)
{
    self->memory = ERKStepCreate(rhs, 0, self->y, self->context);
    if (!self->memory || ERKStepSetErrHandlerFn(self->memory, keep_message, self) != 0 ||
        ERKStepSetUserData(self->memory, self) != 0 ||
        ERKStepSetTableNum(self->memory, ARKODE_DORMAND_PRINCE_7_4_5) != 0 ||
        ERKStepWFtolerances(self->memory, weights) != 0 || ERKStepSetMaxNumSteps(self->memory, -1) != 0 ||
        ERKStepSetMaxErrTestFails(self->memory, 20) != 0 ||
        ERKStepSetInterpolantType(self->memory, ARK_INTERP_HERMITE) != 0 ||
        ERKStepSetInterpolantDegree(self->memory, 5) != 0)
        return false;
    return !self->base.ode.root_count || (ERKStepRootInit(self->memory, self->base.ode.root_count, roots) == 0 &&
                                          ERKStepSetNoInactiveRootWarn(self->memory) == 0);
}

carom_status carom_erkode_create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                                 carom_integrator **out)
{
    sundials_integrator *self = NULL;
    carom_status status = create_common(ctx, kind, ode, &self);
    if (status == CAROM_OK && !erkode_set_up(self))
        status = carom_fail_memory(ctx);
    if (status != CAROM_OK) {
        if (self)
            carom_erkode_destroy(&self->base);
        return status;
    }
    *out = &self->base;
    return CAROM_OK;
}

void carom_erkode_destroy(carom_integrator *base)
{
    sundials_integrator *self = (sundials_integrator *)base;
    if (self->memory)
        ERKStepFree(&self->memory);
    destroy_common(self);
}

bool carom_erkode_restart(carom_integrator *base, double t, const double *y, double relative, const double *tolerance,
                         const int *direction, double first_step, double max_step)
{
    sundials_integrator *self = (sundials_integrator *)base;
    load_restart(self, t, y, relative, tolerance, direction);
    return ERKStepReInit(self->memory, rhs, t, self->y) == 0 && ERKStepSetInitStep(self->memory, first_step) == 0 &&
           ERKStepSetMaxStep(self->memory, max_step) == 0 &&
           (!base->ode.root_count || ERKStepSetRootDirection(self->memory, self->direction) == 0);
}

carom_step_result carom_erkode_step(carom_integrator *base, double stop)
{
    sundials_integrator *self = (sundials_integrator *)base;
    base->t_before = base->t;
    realtype t = base->t;
    if (ERKStepSetStopTime(self->memory, stop) != 0)
        return CAROM_STEP_FAILED;
    int result = ERKStepEvolve(self->memory, stop, self->y, &t, ARK_ONE_STEP);
    base->t = t;
    compare_rates(self);
    if (ERKStepGetCurrentStep(self->memory, &base->next_step) != 0)
        base->next_step = 0;
    if (result == ARK_ROOT_RETURN)
        return ERKStepGetRootInfo(self->memory, base->root_found) == 0 ? CAROM_STEP_ROOT : CAROM_STEP_FAILED;
    if (result == ARK_TSTOP_RETURN)
        return CAROM_STEP_STOP;
    return result >= 0 ? CAROM_STEP_DONE : CAROM_STEP_FAILED;
}

bool carom_erkode_interpolate(carom_integrator *base, double t, int count, double *y)
{
    sundials_integrator *self = (sundials_integrator *)base;
    if (ERKStepGetDky(self->memory, t, 0, self->interpolated) != 0)
        return false;
    memcpy(y, NV_DATA_S(self->interpolated), (size_t)count * sizeof *y);
    return true;
}

/* The system's own solve of Newton's equations behind the interfaces of SUNDIALS. */
#include "integrate/sundials_newton.h"

#include "math/solve.h"

#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdint.h>
#include <string.h>

/* The share of the corrector where rounding bounds a number: less is noise to long steps. */
#define ROUNDED_SHARE 0.03
/* Least increment of a number for differences, of its size: the power 2/3 of the rounding, of which differences of the
   rates over so little keep five digits. */
#define LEAST_INCREMENT 3.7e-11

int carom_newton_system(realtype t, N_Vector y, N_Vector rate, SUNMatrix matrix, booleantype current,
                        booleantype *taken, realtype gamma, void *user, N_Vector work1, N_Vector work2, N_Vector work3)
{
    (void)rate;
    (void)matrix;
    (void)work1;
    (void)work2;
    (void)work3;
    const carom_integrator *self = user;
    const carom_ode *ode = &self->ode;
    *taken = !current;
    const int result = current ? 0 : ode->newton.evaluate(ode->user, t, NV_DATA_S(y));
    return result != 0 ? result : ode->newton.factor(ode->user, gamma);
}

/* ---- the solver ---- */

static SUNLinearSolver_Type solver_type(SUNLinearSolver solver)
{
    (void)solver;
    return SUNLINEARSOLVER_DIRECT;
}

static int solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b, realtype tolerance)
{
    (void)matrix;
    (void)tolerance;
    const carom_ode *ode = solver->content;
    memcpy(NV_DATA_S(x), NV_DATA_S(b), (size_t)ode->size * sizeof(double));
    ode->newton.solve(ode->user, NV_DATA_S(x));
    return SUNLS_SUCCESS;
}

static int free_solver(SUNLinearSolver solver)
{
    solver->content = NULL; /* it is the integrator's */
    SUNLinSolFreeEmpty(solver);
    return SUNLS_SUCCESS;
}

SUNLinearSolver carom_newton_solver_new(const carom_ode *ode, SUNContext context)
{
    SUNLinearSolver solver = SUNLinSolNewEmpty(context);
    if (!solver)
        return NULL;
    solver->ops->gettype = solver_type;
    solver->ops->solve = solve;
    solver->ops->free = free_solver;
    solver->content = (void *)(uintptr_t)ode;
    return solver;
}

/* ---- the matrix ---- */

static SUNMatrix_ID matrix_type(SUNMatrix matrix)
{
    (void)matrix;
    return SUNMATRIX_CUSTOM;
}

static void free_matrix(SUNMatrix matrix) { SUNMatFreeEmpty(matrix); }

SUNMatrix carom_newton_matrix_new(SUNContext context)
{
    SUNMatrix matrix = SUNMatNewEmpty(context);
    if (!matrix)
        return NULL;
    matrix->ops->getid = matrix_type;
    matrix->ops->destroy = free_matrix;
    return matrix;
}

/* ---- equations by differences ---- */

static void solve_differences(void *user, double *b)
{
    const carom_differences *self = user;
    const int n = self->ode->coupled_count, size = self->ode->size;
    carom_lu_solve(n, self->factors, self->pivot, b);
    for (int j = 0; j < n; j++) {
        const double *column = self->slopes + (size_t)j * (size_t)size, f = self->gamma * b[j];
        for (int i = n; i < size; i++)
            b[i] += f * column[i];
    }
}

bool carom_differences_create(carom_context *ctx, const carom_ode *ode,
                              int (*rates)(void *user, double t, const double *y, double *rate), void *user,
                              carom_differences *out)
{
    const size_t n = (size_t)ode->coupled_count;
    *out = (carom_differences){.ctx = ctx, .ode = ode, .rates = rates, .user = user, .solver = *ode};
    out->solver.user = out;
    out->solver.newton.solve = solve_differences;
    return !n || ((out->slopes = carom_allocate(ctx, n * (size_t)carom_ode_whole(ode), sizeof(double))) &&
                  (out->factors = carom_allocate(ctx, n * n, sizeof(double))) &&
                  (out->pivot = carom_allocate(ctx, n, sizeof(int))));
}

void carom_differences_free(carom_differences *self)
{
    if (!self->ode)
        return;
    const size_t n = (size_t)self->ode->coupled_count;
    carom_release(self->ctx, self->slopes, n * (size_t)carom_ode_whole(self->ode), sizeof(double));
    carom_release(self->ctx, self->factors, n * n, sizeof(double));
    carom_release(self->ctx, self->pivot, n, sizeof(int));
}

/* Forward differences, without the allocation of CVODE's; the rates do not depend on the works, which follow positions
   and velocities: columns of what they depend on alone. Increments are CVODE's, but no larger than what the tolerance
   leaves open of a number, unless rounding asks for more: friction of feet that slide by micrometres a second turns
   within some 1e-9 of the positions, and slopes over more than that lead Newton's method astray. */
int carom_differences_take(carom_differences *self, double t, N_Vector y, N_Vector rate, double gamma, N_Vector weight,
                           N_Vector moved)
{
    const carom_ode *ode = self->ode;
    double norm = N_VWrmsNorm(rate, weight), *p = NV_DATA_S(y);
    double least = norm > 0 ? 1000 * fabs(gamma) * DBL_EPSILON * carom_ode_whole(ode) * norm : 1;
    for (int j = 0; j < ode->coupled_count; j++) {
        double *column = self->slopes + (size_t)j * (size_t)ode->size, kept = p[j];
        const double open = fmax(1 / NV_Ith_S(weight, j), LEAST_INCREMENT * fabs(kept));
        double increment = fmax(fmin(sqrt(DBL_EPSILON) * fabs(kept), open), least / NV_Ith_S(weight, j));
        p[j] = kept + increment;
        int result = self->rates(self->user, t, p, NV_DATA_S(moved));
        p[j] = kept;
        if (result != 0)
            return result;
        for (int i = 0; i < ode->size; i++)
            column[i] = (NV_Ith_S(moved, i) - NV_Ith_S(rate, i)) / increment;
    }
    return 0;
}

/* I - gamma J over the numbers that rates depend on; the others follow from these. */
int carom_differences_factor(carom_differences *self, double gamma)
{
    const size_t n = (size_t)self->ode->coupled_count, size = (size_t)self->ode->size;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++)
            self->factors[j * n + i] = -gamma * self->slopes[j * size + i];
        self->factors[j * n + j] += 1;
    }
    self->gamma = gamma;
    return carom_lu_factor((int)n, self->factors, self->pivot) ? 0 : 1;
}

/* ---- tolerances ---- */

/* In one pass: those of SUNDIALS take five over vectors so short. */
int carom_weights(int count, const double *y, double relative, const double *tolerance, double *weight)
{
    for (int k = 0; k < count; k++) {
        const double bound = relative * fabs(y[k]) + tolerance[k];
        if (!(bound > 0))
            return -1;
        weight[k] = 1 / bound;
    }
    return 0;
}

double carom_bound_by_rounding(const carom_ode *ode, double *tolerance, double units, double share)
{
    for (int k = 0; ode->rounding && k < ode->size; k++) {
        const double least = units * ode->rounding[k];
        if (!(tolerance[k] < least))
            continue;
        tolerance[k] = least;
        share = ROUNDED_SHARE;
    }
    return share;
}

/* The system's own solve of Newton's equations behind the interfaces of SUNDIALS. */
#include "integrate/sundials_newton.h"

#include <nvector/nvector_serial.h>
#include <stdint.h>
#include <string.h>

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

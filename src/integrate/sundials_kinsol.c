/* The adapter of KINSOL: Newton's method with a line search on dense equations. */
#include "integrate/nonlinear.h"
#include "integrate/sundials_vector.h"

#include <stdio.h> /* before KINSOL, whose headers use FILE */

#include <kinsol/kinsol.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct solver {
    const carom_nonlinear *problem;
    SUNContext context;
    void *memory;
    N_Vector x, scale;
    SUNMatrix matrix;
    SUNLinearSolver linear;
} solver;

/* KINSOL shortens its step where there are no residuals. */
static int residual(N_Vector x, N_Vector f, void *user)
{
    const carom_nonlinear *p = ((const solver *)user)->problem;
    return p->residual(p->user, NV_DATA_S(x), NV_DATA_S(f)) ? 0 : 1;
}

static int jacobian(N_Vector x, N_Vector f, SUNMatrix matrix, void *user, N_Vector work1, N_Vector work2)
{
    (void)f;
    (void)work1;
    (void)work2;
    const carom_nonlinear *p = ((const solver *)user)->problem;
    return p->jacobian(p->user, NV_DATA_S(x), SUNDenseMatrix_Data(matrix)) ? 0 : 1;
}

static void silent(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code;
    (void)module;
    (void)function;
    (void)text;
    (void)user;
}

static bool create(solver *s)
{
    const int n = s->problem->size;
    return SUNContext_Create(NULL, &s->context) == 0 && (s->memory = KINCreate(s->context)) &&
           (s->x = carom_vector_new(n, NULL, s->context)) && (s->scale = carom_vector_new(n, NULL, s->context)) &&
           (s->matrix = SUNDenseMatrix(n, n, s->context)) &&
           (s->linear = SUNLinSol_Dense(s->x, s->matrix, s->context)) &&
           KINSetErrHandlerFn(s->memory, silent, NULL) == 0 && KINSetUserData(s->memory, s) == 0 &&
           KINInit(s->memory, residual, s->x) == 0 && KINSetLinearSolver(s->memory, s->linear, s->matrix) == 0 &&
           KINSetJacFn(s->memory, jacobian) == 0 && KINSetMaxSetupCalls(s->memory, 1) == 0 &&
           KINSetFuncNormTol(s->memory, s->problem->tolerance) == 0 && KINSetScaledStepTol(s->memory, 1e-300) == 0 &&
           KINSetMaxNewtonStep(s->memory, s->problem->longest) == 0 &&
           KINSetNumMaxIters(s->memory, s->problem->most) == 0;
}

static void release(solver *s)
{
    if (s->memory)
        KINFree(&s->memory);
    if (s->linear)
        SUNLinSolFree(s->linear);
    if (s->matrix)
        SUNMatDestroy(s->matrix);
    if (s->x)
        N_VDestroy(s->x);
    if (s->scale)
        N_VDestroy(s->scale);
    if (s->context)
        SUNContext_Free(&s->context);
}

carom_status carom_nonlinear_solve(carom_context *ctx, const carom_nonlinear *problem, double *x, bool *found,
                                   int *steps)
{
    solver s = {.problem = problem};
    const size_t bytes = (size_t)problem->size * sizeof *x;
    *found = false;
    if (!create(&s)) {
        release(&s);
        return carom_fail_memory(ctx);
    }
    N_VConst(1, s.scale);
    memcpy(NV_DATA_S(s.x), x, bytes);
    long int taken = 0;
    const int result = KINSol(s.memory, s.x, KIN_LINESEARCH, s.scale, s.scale);
    *found = result == KIN_SUCCESS || result == KIN_INITIAL_GUESS_OK;
    KINGetNumNonlinSolvIters(s.memory, &taken);
    *steps += (int)taken;
    memcpy(x, NV_DATA_S(s.x), bytes);
    release(&s);
    return CAROM_OK;
}

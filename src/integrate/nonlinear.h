/* Nonlinear equations of several unknowns: Newton's method with a line search (KINSOL). */
#ifndef CAROM_NONLINEAR_H
#define CAROM_NONLINEAR_H

#include "base/context.h"

typedef struct carom_nonlinear {
    int size;
    void *user;
    /* Residuals f (size) at x (size); false: there are none. */
    bool (*residual)(void *user, const double *x, double *f);
    /* Their derivatives (size x size, column by column) at x; false: there are none. It must not be singular. */
    bool (*jacobian)(void *user, const double *x, double *matrix);
    double tolerance;           /* largest residual of a solution */
    double longest;             /* step [of x], Euclidean norm */
    int most;                   /* steps at most */
} carom_nonlinear;

/* Solves f(x) = 0 from x on; `found`: the residuals are within the tolerance, else x is where it ended; its steps are
   added to `steps`. Errors: CAROM_ERROR_MEMORY. Source: Dennis and Schnabel 1996, Numerical Methods for Unconstrained
   Optimization and Nonlinear Equations, section 6.3. */
carom_status carom_nonlinear_solve(carom_context *ctx, const carom_nonlinear *problem, double *x, bool *found,
                                   int *steps);

#endif

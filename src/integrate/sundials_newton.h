/* Newton's matrix of the system for implicit methods of SUNDIALS: a linear solver, and a matrix that is but its name.
   What they do is the system's own (carom_ode.newton). */
#ifndef CAROM_SUNDIALS_NEWTON_H
#define CAROM_SUNDIALS_NEWTON_H

#include "integrate/integrator.h"

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

/* NULL: no memory. The ode lives as long as the solver. */
SUNLinearSolver carom_newton_solver_new(const carom_ode *ode, SUNContext context);
SUNMatrix carom_newton_matrix_new(SUNContext context);
/* Takes the derivatives at (t, y) unless those there are do (`current`), and factors I - gamma J; for
   CVodeSetLinSysFn(), with a carom_integrator as `user`. */
int carom_newton_system(realtype t, N_Vector y, N_Vector rate, SUNMatrix matrix, booleantype current,
                        booleantype *taken, realtype gamma, void *user, N_Vector work1, N_Vector work2,
                        N_Vector work3);

/* The same by forward differences of the rates, where the system has no equations of its own. */
typedef struct carom_differences {
    carom_context *ctx;
    const carom_ode *ode;       /* NULL: there are none */
    int (*rates)(void *user, double t, const double *y, double *rate);
    void *user;                 /* of these */
    double *slopes, *factors;   /* size x coupled_count, and its factors of I - gamma J */
    int *pivot;
    double gamma;
    carom_ode solver;           /* whose solve is that of these equations */
} carom_differences;

/* False: no memory. It stays where it is as long as it is used. */
bool carom_differences_create(carom_context *ctx, const carom_ode *ode,
                              int (*rates)(void *user, double t, const double *y, double *rate), void *user,
                              carom_differences *out);
void carom_differences_free(carom_differences *differences);
/* Derivatives at y, of which `rate` are the rates; `weight` are the reciprocals of what is allowed of each number, and
   `moved` is room for rates. Results as of the callbacks. */
int carom_differences_take(carom_differences *differences, double t, N_Vector y, N_Vector rate, double gamma,
                           N_Vector weight, N_Vector moved);
int carom_differences_factor(carom_differences *differences, double gamma);

/* Reciprocals of the tolerances relative |y_k| + tolerance[k]; -1: one is not above 0. */
int carom_weights(int count, const double *y, double relative, const double *tolerance, double *weight);
/* Bounds the tolerances of an implicit method by `units` of rounding; returns its share for the corrector: `share`
   where none was bounded. */
double carom_bound_by_rounding(const carom_ode *ode, double *tolerance, double units, double share);

#endif

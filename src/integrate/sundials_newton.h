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

#endif

/* Dopri5: the explicit Runge-Kutta pair of Dormand and Prince, order 5(4), with step control.
   source: Dormand and Prince 1980, J. Comput. Appl. Math. 6:19-26, through SUNDIALS ARKODE.
   Validity: non-stiff motion; cheap restarts make it quick where impacts are frequent and tolerances moderate. */
#include "integrate/integrator.h"

const carom_integrator_kind carom_integrator_dopri5 = {
    .kind = {.name = "dopri5",
             .title = "Dormand-Prince explicit Runge-Kutta pair of order 5(4) with step control (ARKODE).",
             .formula = "7 stages, order 5, embedded order 4; interpolation by quintic Hermite polynomials",
             .source = "Dormand and Prince 1980, J. Comput. Appl. Math. 6:19-26; SUNDIALS ARKODE",
             .validity =
                 "Non-stiff motion. A restart costs nothing, so that it suits models with many short impacts; at "
                 "tolerances below 1e-10 adams needs fewer evaluations."},
    .order = 5,
    .can_project = true,
    .create = carom_erkode_create,
    .destroy = carom_erkode_destroy,
    .restart = carom_erkode_restart,
    .step = carom_erkode_step,
    .interpolate = carom_erkode_interpolate,
};

/* Method of Hilber, Hughes and Taylor for constrained systems, index 3 (HHT-I3), order 2, with step control.
   source: Hilber, Hughes and Taylor 1977, Earthq. Eng. Struct. Dyn. 5:283-292; Negrut, Rampalli, Ottarsson and Sajdak
   2007, J. Comput. Nonlinear Dyn. 2:73-85, eqs. (9) to (14). Forces are averaged as the accelerations that they make.
   Validity: stiff systems and closed loops; `hht_alpha` from -1/3 to 0 is what is damped of high frequencies. */
#include "integrate/integrator.h"

static carom_status create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                           carom_integrator **out)
{
    return carom_newmark_create(ctx, kind, ode, 0, -ode->hht_alpha, out);
}

const carom_integrator_kind carom_integrator_hht = {
    .kind = {.name = "hht",
             .title = "Method of Hilber, Hughes and Taylor of order 2 that holds the constraints on the positions.",
             .formula = "a' = (1 + alpha) vdot' - alpha vdot, v' = v + h ((1 - g) a + g a'), Phi(q') = 0; "
                        "g = 1/2 - alpha, beta = (1 - alpha)^2/4",
             .source = "Hilber, Hughes and Taylor 1977, Earthq. Eng. Struct. Dyn. 5:283-292; Negrut et al. 2007, J. "
                       "Comput. Nonlinear Dyn. 2:73-85, eqs. (9) to (14)",
             .validity =
                 "Stiff systems and closed loops at moderate accuracy, as generalised-alpha, which damps the motion "
                 "less at the same damping of high frequencies. `hht_alpha` 0 is the trapezoidal rule, -1/3 the "
                 "greatest damping. With `step` the step is constant, else its local error is controlled."},
    .stiff = true,
    .holds = true,
    .order = 2,
    .can_project = true,
    .create = create,
    .destroy = carom_newmark_destroy,
    .restart = carom_newmark_restart,
    .step = carom_newmark_step,
    .interpolate = carom_newmark_interpolate,
};

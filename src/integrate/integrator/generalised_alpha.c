/* Generalised-alpha method for constrained systems, index 3, order 2, with step control.
   source: Chung and Hulbert 1993, J. Appl. Mech. 60:371-375; Arnold and Bruels 2007, Multibody Syst. Dyn. 18:185-202.
   Validity: stiff systems and closed loops; high frequencies are damped as `spectral_radius` asks. */
#include "integrate/integrator.h"

static carom_status create(carom_context *ctx, const carom_integrator_kind *kind, const carom_ode *ode,
                           carom_integrator **out)
{
    const double rho = ode->spectral_radius;
    return carom_newmark_create(ctx, kind, ode, (2 * rho - 1) / (rho + 1), rho / (rho + 1), out);
}

const carom_integrator_kind carom_integrator_generalised_alpha = {
    .kind = {.name = "generalised-alpha",
             .aliases = "generalized-alpha",
             .title = "Generalised-alpha method of order 2 that holds the constraints on the positions (index 3).",
             .formula = "(1 - am) a' + am a = (1 - af) vdot' + af vdot, v' = v + h ((1 - g) a + g a'), Phi(q') = 0; "
                        "am = (2 rho - 1)/(rho + 1), af = rho/(rho + 1)",
             .source = "Chung and Hulbert 1993, J. Appl. Mech. 60:371-375; Arnold and Bruels 2007, Multibody Syst. "
                       "Dyn. 18:185-202; Bruels, Cardona and Arnold 2012, Mech. Mach. Theory 48:121-137",
             .validity =
                 "Stiff systems and closed loops at moderate accuracy: order 2 needs many steps at tight tolerances. "
                 "Positions stay on the constraints without any `constraints`, velocities to the local error. "
                 "`spectral_radius` is what is left of the highest frequencies in a step: 1 nothing is lost, 0 all. "
                 "With `step` the step is constant, else its local error is controlled."},
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

/* Baumgarte stabilisation: Phi'' + 2 alpha Phi' + beta^2 Phi = 0 in place of Phi'' = 0.
   source: Baumgarte, Comput. Methods Appl. Mech. Eng. 1 (1972) 1-16; Machado et al. 2012, eq. (6).
   Validity: any integrator. The gains are rates of decay; the defaults are critically damped and slow against an impact
   (tens of microseconds), fast against a machine's cycle (tens of milliseconds). */
#include "kinds/stabilization/stabilization.h"

static const carom_param_row params[] = {
    {"alpha", "1/s", 1, 0, 50, 0, 1e6, "gain of the velocity violation: its rate of decay"},
    {"beta", "1/s", 1, 0, 50, 0, 1e6, "gain of the position violation; alpha = beta is critically damped"},
};

static double correction(const double *p, double phi, double phi_rate)
{
    return 2 * p[0] * phi_rate + p[1] * p[1] * phi;
}

const carom_stabilization_kind carom_stabilization_baumgarte = {
    .kind = {.name = "baumgarte",
             .title = "Violations of the constraints decay like a critically damped oscillator.",
             .formula = "Phi'' + 2 alpha Phi' + beta^2 Phi = 0",
             .source = "Baumgarte 1972, Comput. Methods Appl. Mech. Eng. 1:1-16; Machado et al. 2012, eq. (6)",
             .validity = "Any integrator. Without it (gains 0) the violation of the positions grows with the square of "
                         "time; gains of 50/s hold it near the tolerance without adding stiffness; during an impact of "
                         "microseconds the correction is far below the contact's acceleration.",
             .params = params,
             .param_count = 2},
    .correction = correction,
};

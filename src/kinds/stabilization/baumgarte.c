/* Baumgarte stabilisation: Phi'' + 2 alpha Phi' + beta^2 Phi = 0 in place of Phi'' = 0.
   source: Baumgarte, Comput. Methods Appl. Mech. Eng. 1 (1972) 1-16; Machado et al. 2012, eq. (6).
   Validity: any integrator. The gains are rates of decay; the defaults are critically damped and slow against an impact
   (tens of microseconds), fast against a machine's cycle (tens of milliseconds). The steps of an
   explicit method are not much longer than 1/gain, so that a motion with a time scale of more than OF_TIME/GAIN = 2 s
   has gains of OF_TIME over that. */
#include "kinds/stabilization/stabilization.h"

#include <math.h>

#define GAIN 50.0
#define OF_TIME 100

static const carom_param_row params[] = {
    {"alpha", "1/s", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, 1e6,
     "gain of the velocity violation: its rate of decay; without it 50/s, or 100 over the time scale of a motion for "
     "which that is less"},
    {"beta", "1/s", 1, CAROM_PARAM_OPTIONAL, (double)NAN, 0, 1e6,
     "gain of the position violation, likewise; alpha = beta is critically damped"},
};

static void suit(double *p, double rate)
{
    for (int k = 0; k < 2; k++)
        p[k] = isnan(p[k]) ? fmin(GAIN, OF_TIME * rate) : p[k];
}

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
    .suit = suit,
    .correction = correction,
};

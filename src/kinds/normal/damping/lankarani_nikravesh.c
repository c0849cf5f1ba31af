/* Damping factor A = 3(1 - e^2)/4. Force Fd = Fe A rate/v0 (Lankarani and Nikravesh).
   Source: Lankarani and Nikravesh 1990, J. Mech. Des. 112, 369; Machado et al. 2012, eqs. (37), (38); Autiero et
   al. 2022, eqs. (87), (88).
   Validity: 0 <= e <= 1. Small dissipation: exact for e -> 1, too elastic below 0.8; returns 0.663 of the speed at
   e = 0. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, 1, "Coefficient of restitution e asked for."},
};

static double factor(double e) { return 0.75 * (1 - e) * (1 + e); }

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

const carom_damping_kind carom_damping_lankarani_nikravesh = {
    .kind = {.name = "lankarani-nikravesh",
             .title = "Damping of Lankarani and Nikravesh (1990).",
             .formula = "Fd = Fe A rate/v0, A = 3(1 - e^2)/4",
             .source = "Lankarani and Nikravesh 1990, J. Mech. Des. 112, 369; Machado et al. 2012, eqs. (37), "
                       "(38); Autiero et al. 2022, eqs. (87), (88).",
             .validity = "Derived for small dissipation: exact in the limit e -> 1, too elastic below e = 0.8, and "
                         "at e = 0 the contact still returns 0.663 of the speed.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};

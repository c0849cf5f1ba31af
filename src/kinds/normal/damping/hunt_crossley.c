/* Damping factor A = 3(1 - e)/2. Force Fd = Fe A rate/v0 (Hunt and Crossley).
   Source: Hunt and Crossley 1975, J. Appl. Mech. 42, 440; Machado et al. 2012, eqs. (29), (30); Autiero et al.
   2022, eqs. (21)-(23).
   Validity: 0 <= e <= 1. First order in 1 - e: exact for e -> 1; at low e far too much speed is returned (0.516 for
   0.1). */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, 1, "Coefficient of restitution e asked for."},
};

static double factor(double e) { return 1.5 * (1 - e); }

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

const carom_damping_kind carom_damping_hunt_crossley = {
    .kind = {.name = "hunt-crossley",
             .title = "Damping of Hunt and Crossley (1975).",
             .formula = "Fd = Fe A rate/v0, A = 3(1 - e)/2",
             .source = "Hunt and Crossley 1975, J. Appl. Mech. 42, 440; Machado et al. 2012, eqs. (29), (30); "
                       "Autiero et al. 2022, eqs. (21)-(23).",
             .validity = "First order in 1 - e and exact in the limit e -> 1. At low restitution the contact "
                         "returns far more speed than asked, and at e = 0 still 0.488 of it.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};

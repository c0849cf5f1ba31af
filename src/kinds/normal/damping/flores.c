/* Damping factor A = 8(1 - e)/(5e). Force Fd = Fe A rate/v0 (Flores et al.).
   Source: Flores et al. 2011, Multibody Syst. Dyn. 25, 357, eqs. (43), (44); Machado et al. 2012, eqs. (46), (47);
   Autiero et al. 2022, eq. (126).
   Validity: 0 < e <= 1. All e > 0, within 0.046 of the restitution asked; A -> 8(1 - e)/5 in place of 3(1 - e)/2
   for e -> 1. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, 1,
     "Coefficient of restitution e asked for."},
};

static double factor(double e) { return 8 * (1 - e) / (5 * e); }

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

const carom_damping_kind carom_damping_flores = {
    .kind = {.name = "flores",
             .title = "Damping of Flores et al. (2011).",
             .formula = "Fd = Fe A rate/v0, A = 8(1 - e)/(5e)",
             .source = "Flores et al. 2011, Multibody Syst. Dyn. 25, 357, eqs. (43), (44); Machado et al. 2012, "
                       "eqs. (46), (47); Autiero et al. 2022, eq. (126).",
             .validity = "Usable for every e > 0 and within 0.046 of the restitution asked; A -> 8(1 - e)/5 in "
                         "place of 3(1 - e)/2 for e -> 1. The peak force falls with e only down to e = 0.691 and "
                         "exceeds that of Hertz below 0.39.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};

/* Damping factor A = 6(1 - e)/((2e - 1)^2 + 3). Force Fd = Fe A rate/v0 (Herbert and McWhannell).
   Source: Herbert and McWhannell 1977, J. Eng. Ind. 99, 513; Machado et al. 2012, eqs. (31), (32); Autiero et al.
   2022, eqs. (24), (25).
   Validity: 0 <= e <= 1. Exact for e -> 1, good above 0.8; identical to the full factor of Marhefka and Orin 1999. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, 1, "Coefficient of restitution e asked for."},
};

static double factor(double e) { return 6 * (1 - e) / ((2 * e - 1) * (2 * e - 1) + 3); }

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

const carom_damping_kind carom_damping_herbert_mcwhannell = {
    .kind = {.name = "herbert-mcwhannell",
             .title = "Damping of Herbert and McWhannell (1977).",
             .formula = "Fd = Fe A rate/v0, A = 6(1 - e)/((2e - 1)^2 + 3) = 3(1 - e)/(2(1 - e + e^2))",
             .source = "Herbert and McWhannell 1977, J. Eng. Ind. 99, 513; Machado et al. 2012, eqs. (31), (32); "
                       "Autiero et al. 2022, eqs. (24), (25).",
             .validity = "Exact in the limit e -> 1 and good above e = 0.8. Identical to the full factor of "
                         "Marhefka and Orin, 3(1 - e^2)/(2(1 + e^3)) (Autiero et al. 2022, eq. (105)). At e = 0 "
                         "the contact still returns 0.488 of the speed.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};

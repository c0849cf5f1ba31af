/* Damping factor A = 3(1 - e^2)/(2(1 + e^3)). Force Fd = Fe A rate/v0 (Marhefka and Orin, full).
   Source: Marhefka and Orin 1999, IEEE Trans. Syst. Man Cybern. A 29, 566; Autiero et al. 2022, eq. (105).
   Validity: 0 <= e <= 1. Identical to herbert-mcwhannell: exact for e -> 1, good above 0.8. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, 1, "Coefficient of restitution e asked for."},
};

static double factor(double e) { return 1.5 * (1 - e) / (1 - e + e * e); }

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

const carom_damping_kind carom_damping_marhefka_orin = {
    .kind = {.name = "marhefka-orin",
             .aliases = "marhefka-orin3",
             .title = "Damping of Marhefka and Orin (1999), full factor.",
             .formula = "Fd = Fe A rate/v0, A = 3(1 - e^2)/(2(1 + e^3)) = 3(1 - e)/(2(1 - e + e^2))",
             .source = "Marhefka and Orin 1999, IEEE Trans. Syst. Man Cybern. A 29, 566; Autiero et al. 2022, eq. "
                       "(105).",
             .validity = "Identical to the factor of Herbert and McWhannell, since 2 - 3x + 3x^2 - x^3 = 1 + e^3 "
                         "for x = 1 - e. Exact in the limit e -> 1 and good above e = 0.8; at e = 0 the contact "
                         "still returns 0.488 of the speed. Misprint: in Autiero et al. 2022, eq. (107), the "
                         "bracket closes before the rate.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};

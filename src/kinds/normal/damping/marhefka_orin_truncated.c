/* Damping factor A = 3x(2 - x)/(2(2 - 3x)), x = 1 - e. Force Fd = Fe A rate/v0 (Marhefka and Orin, truncated).
   Source: Marhefka and Orin 1999, IEEE Trans. Syst. Man Cybern. A 29, 566; Autiero et al. 2022, eq. (108).
   Validity: 1/3 < e <= 1: there is a pole at 1/3, and below it the damping would give energy. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 1.0 / 3, 1,
     "Coefficient of restitution e asked for, above 1/3."},
};

static double factor(double e) { return 1.5 * (1 - e) * (1 + e) / (3 * e - 1); }

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

const carom_damping_kind carom_damping_marhefka_orin_truncated = {
    .kind = {.name = "marhefka-orin-truncated",
             .aliases = "marhefka-orin1",
             .title = "Damping of Marhefka and Orin (1999), truncated factor.",
             .formula = "Fd = Fe A rate/v0, A = 3x(2 - x)/(2(2 - 3x)) = 3(1 - e^2)/(2(3e - 1)), x = 1 - e",
             .source = "Marhefka and Orin 1999, IEEE Trans. Syst. Man Cybern. A 29, 566; Autiero et al. 2022, eq. "
                       "(108).",
             .validity = "Above e = 1/3 only: the factor has a pole there and is negative below it, a source of "
                         "energy, which is refused. Good above e = 0.7, far too dissipative below 0.5 (0.380 "
                         "returned for 0.5, 0.158 for 0.4). Misprint: in Autiero et al. 2022, eq. (108), the "
                         "bracket closes before the rate.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};

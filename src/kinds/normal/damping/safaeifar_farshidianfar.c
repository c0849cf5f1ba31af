/* Damping factor A = 5(1 - e)/(4e). Force Fd = Fe A rate/v0 (Safaeifar and Farshidianfar).
   Source: Safaeifar and Farshidianfar 2020, Multibody Syst. Dyn. 50, 233 (formula unverified).
   Validity: unverified: formula not compared with the paper. 0 < e <= 1; within 0.039 of the restitution asked. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, 1,
     "Coefficient of restitution e asked for."},
};

static double factor(double e) { return 1.25 * (1 - e) / e; }

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

const carom_damping_kind carom_damping_safaeifar_farshidianfar = {
    .kind = {.name = "safaeifar-farshidianfar",
             .title = "Damping of Safaeifar and Farshidianfar (2020), unverified.",
             .formula = "Fd = Fe A rate/v0, A = 5(1 - e)/(4e)",
             .source = "Safaeifar and Farshidianfar 2020, Multibody Syst. Dyn. 50, 233 (formula unverified).",
             .validity = "unverified: the formula was not compared with the paper. e > 0; within 0.039 of the "
                         "restitution asked, low below 0.22 and high above. A -> 5(1 - e)/4 in place of 3(1 - e)/2 "
                         "for e -> 1.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};

/* Damping factor A = 3(1 - e)/(2e). Force Fd = Fe A rate/v0 (Hu and Guo).
   Source: Hu and Guo 2015, Multibody Syst. Dyn. 35, 131; Autiero et al. 2022, eqs. (151), (152).
   Validity: 0 < e <= 1; within 0.035 of the restitution asked, within 0.01 above 0.53. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, 1,
     "Coefficient of restitution e asked for."},
};

static double factor(double e) { return 1.5 * (1 - e) / e; }

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

const carom_damping_kind carom_damping_hu_guo = {
    .kind = {.name = "hu-guo",
             .title = "Damping of Hu and Guo (2015).",
             .formula = "Fd = Fe A rate/v0, A = 3(1 - e)/(2e)",
             .source = "Hu and Guo 2015, Multibody Syst. Dyn. 35, 131; Autiero et al. 2022, eqs. (151), (152).",
             .validity = "e > 0; exact in the limit e -> 1, within 0.01 of the restitution asked above 0.53 and "
                         "within 0.035 everywhere, always low: closer than Flores, whose ellipse it replaces by the "
                         "relation of the elastic Hertz impact.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};

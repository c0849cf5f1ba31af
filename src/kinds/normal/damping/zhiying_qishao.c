/* Damping factor A = 3(1 - e^2) exp(2(1 - e))/4. Force Fd = Fe A rate/v0 (Zhiying and Qishao).
   Source: Zhiying and Qishao 2006, J. Dyn. Control 4, 294; Machado et al. 2012, eqs. (43), (44).
   Validity: 0 <= e <= 1. Within 0.027 of e above 0.3; returns 0.179 of the speed at e = 0. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, 1, "Coefficient of restitution e asked for."},
};

static double factor(double e) { return 0.75 * (1 - e) * (1 + e) * exp(2 * (1 - e)); }

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

const carom_damping_kind carom_damping_zhiying_qishao = {
    .kind = {.name = "zhiying-qishao",
             .title = "Damping of Zhiying and Qishao (2006).",
             .formula = "Fd = Fe A rate/v0, A = 3(1 - e^2) exp(2(1 - e))/4",
             .source = "Zhiying and Qishao 2006, J. Dyn. Control 4, 294; Machado et al. 2012, eqs. (43), (44).",
             .validity = "Within 0.027 of the restitution asked above e = 0.3: high below 0.395, low above; at e = 0 "
                         "the contact still returns 0.179 of the speed.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};

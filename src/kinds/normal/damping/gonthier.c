/* Damping factor A = (1 - e^2)/e. Force Fd = Fe A rate/v0 (Gonthier et al.).
   Source: Gonthier et al. 2004, Multibody Syst. Dyn. 11, 209; Machado et al. 2012, eqs. (39), (41), (42).
   Validity: 0 < e <= 1. Initial guess of the implicit relation; within 0.033 of the restitution asked at every e;
   for the root itself see exact. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, 1,
     "Coefficient of restitution e asked for."},
};

static double factor(double e) { return (1 - e) * (1 + e) / e; }

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

const carom_damping_kind carom_damping_gonthier = {
    .kind = {.name = "gonthier",
             .aliases = "gonthier-approx",
             .title = "Damping of Gonthier et al. (2004), explicit approximation.",
             .formula = "Fd = Fe A rate/v0, A = (1 - e^2)/e",
             .source = "Gonthier et al. 2004, Multibody Syst. Dyn. 11, 209; Machado et al. 2012, eqs. (39), (41), "
                       "(42).",
             .validity = "The approximation d = 1 - e^2 of the implicit relation, which papers use as a law of its "
                         "own. Within 0.033 of the restitution asked everywhere, but A -> 2(1 - e) in place of 3(1 "
                         "- e)/2 for e -> 1. The root of the relation itself is the kind exact.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};

/* Damping factor A = 3(1 - e)/4. Force Fd = Fe A rate/v0 (Lee and Wang).
   Source: Lee and Wang 1983, J. Mech. Transm. Autom. Des. 105, 534; Machado et al. 2012, eqs. (33), (34); Autiero
   et al. 2022, eq. (39).
   Validity: 0 <= e <= 1. Half the damping that first order in 1 - e demands: too elastic at every e below 1. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, 1, "Coefficient of restitution e asked for."},
};

static double factor(double e) { return 0.75 * (1 - e); }

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

const carom_damping_kind carom_damping_lee_wang = {
    .kind = {.name = "lee-wang",
             .aliases = "lee-wang1",
             .title = "Damping of Lee and Wang (1983), first function.",
             .formula = "Fd = Fe A rate/v0, A = 3(1 - e)/4",
             .source = "Lee and Wang 1983, J. Mech. Transm. Autom. Des. 105, 534; Machado et al. 2012, eqs. (33), "
                       "(34); Autiero et al. 2022, eq. (39).",
             .validity = "Half of what first order in 1 - e demands, for any exponent: the contact is too elastic "
                         "at every e below 1 (0.952 for 0.9) and returns 0.663 of the speed at e = 0. Autiero et "
                         "al. 2022, eq. (39), has it with n = 1, Machado et al. 2012, eq. (34), with n = 1.5.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};

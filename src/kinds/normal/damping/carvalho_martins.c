/* Damping factor A = 3(1 - e)(11 - e)/(2(1 + 9e)). Force Fd = Fe A rate/v0 (Carvalho and Martins).
   Source: Carvalho and Martins 2019, Mech. Mach. Theory 139, 174, as programmed in Exudyn
   (contactSphereSphereTest).
   Validity: 0 <= e <= 1; within 0.004 of the restitution asked above e = 0.3, within 0.0002 above 0.5. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, 1, "Coefficient of restitution e asked for."},
};

static double factor(double e) { return 1.5 * (1 - e) * (11 - e) / (1 + 9 * e); }

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

const carom_damping_kind carom_damping_carvalho_martins = {
    .kind = {.name = "carvalho-martins",
             .title = "Damping of Carvalho and Martins (2019), closed form.",
             .formula = "Fd = Fe A rate/v0, A = 3(1 - e)(11 - e)/(2(1 + 9e))",
             .source = "Carvalho and Martins 2019, Mech. Mach. Theory 139, 174, as programmed in Exudyn "
                       "(contactSphereSphereTest).",
             .validity = "An explicit approximation of the exact factor: within 0.0002 of the restitution asked "
                         "above e = 0.5, within 0.004 above 0.3; at e = 0 the contact returns 0.061 of the speed. "
                         "Where four digits do not do, the kind exact is the root itself. Formula read in a "
                         "program, not in the paper.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};

/* Damping factor A = 3(1 - e^2)/4 with a linear spring. Force Fd = Fe A rate/v0 (Khulief and Shabana).
   Source: Khulief and Shabana 1987, Mech. Mach. Theory 22, 213; Autiero et al. 2022, eqs. (70), (71).
   Validity: 0 <= e <= 1, linear elastic parts. Exact in the limit e -> 1; returns 0.663 of the speed at e = 0. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED, 0, 0, 1, "Coefficient of restitution e asked for."},
};

static double factor(double e) { return 0.75 * (1 - e) * (1 + e); }

static const char *prepare(const double *p, double *c) { return carom_hysteresis_prepare(factor(p[RESTITUTION]), c); }

static const char *fits(bool power_law, double exponent)
{
    return power_law && exponent == 1 ? NULL : "it is for linear springs, n = 1; lankarani-nikravesh has no such limit";
}

const carom_damping_kind carom_damping_khulief_shabana = {
    .kind = {.name = "khulief-shabana",
             .title = "Damping of Khulief and Shabana (1987), for linear springs.",
             .formula = "Fd = Fe A rate/v0, A = 3(1 - e^2)/4, n = 1",
             .source = "Khulief and Shabana 1987, Mech. Mach. Theory 22, 213; Autiero et al. 2022, eqs. (70), (71).",
             .validity = "The factor of Lankarani and Nikravesh with n = 1: exact in the limit e -> 1, too elastic "
                         "below e = 0.8, and at e = 0 the contact still returns 0.663 of the speed. Misprints of "
                         "Autiero et al. 2022: eq. (71) needs v^3 in its bracket and reduces to this factor; eqs. "
                         "(67), (68), (72) print the rate for the indentation; eq. (58) needs 1 - e^2.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .fits = fits,
    .force = carom_hysteresis_force,
};

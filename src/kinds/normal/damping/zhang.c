/* Damping factor A = 3(1 - e)/(2 e^s), s = 0.89. Force Fd = Fe A rate/v0 (Zhang et al.).
   Source: Zhang et al. 2020, Mech. Mach. Theory 153 (formula and exponent unverified).
   Validity: unverified: formula and exponent not compared with the paper. 0 < e <= 1; within 0.0082 of the
   restitution asked. */
#include "kinds/normal/hysteresis.h"
#include "kinds/normal/law.h"

enum { RESTITUTION, RESTITUTION_EXPONENT };

static const carom_param_row params[] = {
    {"restitution", "-", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, 1,
     "Coefficient of restitution e asked for."},
    {"restitution_exponent", "-", 1, CAROM_PARAM_ABOVE, 0.89, 0, HUGE_VAL, "Exponent s of e in the factor."},
};

static double factor_with(double e, double exponent) { return 1.5 * (1 - e) / pow(e, exponent); }

static double factor(double e) { return factor_with(e, 0.89); }

static const char *prepare(const double *p, double *c)
{
    return carom_hysteresis_prepare(factor_with(p[RESTITUTION], p[RESTITUTION_EXPONENT]), c);
}

const carom_damping_kind carom_damping_zhang = {
    .kind = {.name = "zhang",
             .title = "Damping of Zhang et al. (2020), unverified.",
             .formula = "Fd = Fe A rate/v0, A = 3(1 - e)/(2 e^s), s = 0.89",
             .source = "Zhang et al. 2020, Mech. Mach. Theory 153 (formula and exponent unverified).",
             .validity = "unverified: the formula and its exponent 0.89 were not compared with the paper; the "
                         "exponent is a parameter. e > 0; within 0.0082 of the restitution asked at every e, which "
                         "no other simple factor is. The table is that of s = 0.89; s = 1 is Hu and Guo.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .takes_restitution = true,
    .factor = factor,
    .ratio = carom_hysteresis_ratio,
    .prepare = prepare,
    .force = carom_hysteresis_force,
};

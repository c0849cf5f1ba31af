/* Empirical damper Fd = chi delta^p rate, p = 0.65 unless given (Bordbar and Hyppaenen; Schwager and Poeschel).
   Source: Bordbar and Hyppaenen 2007, J. Numer. Anal. Ind. Appl. Math. 2, 115; Schwager and Poeschel 1998, Phys.
   Rev. E 57, 650; Alves et al., table 1.
   Validity: any elastic part, made for Hertz; chi is empirical, its unit depends on p. */
#include "kinds/normal/dashpot.h"
#include "kinds/normal/law.h"

static const carom_param_row params[] = {
    {"chi", "N s/m^(p+1)", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Damping coefficient, empirical."},
    {"power", "-", 1, 0, 0.65, 0, HUGE_VAL, "Exponent p of the indentation in the damping."},
};

const carom_damping_kind carom_damping_bordbar_hyppaenen = {
    .kind = {.name = "bordbar-hyppaenen",
             .aliases = "bordbar-hyppanen schwager-poeschel",
             .title = "Empirical damper of Bordbar and Hyppaenen (2007) and of Schwager and Poeschel (1998).",
             .formula = "Fd = chi delta^p rate, p = 0.65",
             .source = "Bordbar and Hyppaenen 2007, J. Numer. Anal. Ind. Appl. Math. 2, 115; Schwager and Poeschel "
                       "1998, Phys. Rev. E 57, 650; Alves et al., table 1.",
             .validity = "Any elastic part, made for Hertz. chi is empirical and means nothing without p. The force "
                         "pulls before the end, which tension: clip, the default, cuts.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .ignores_v0 = true,
    .prepare = carom_empirical_prepare,
    .force = carom_empirical_force,
};

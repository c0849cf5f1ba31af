/* Empirical damper Fd = chi delta^p rate, p = 0 unless given (Ristow; Schaefer et al.).
   Source: Ristow 1992, J. Phys. I France 2, 649; Schaefer, Dippel and Wolf 1996, J. Phys. I France 6, 5; Alves et
   al., table 1.
   Validity: any elastic part; chi is empirical, its unit depends on p. */
#include "kinds/normal/dashpot.h"
#include "kinds/normal/law.h"

static const carom_param_row params[] = {
    {"chi", "N s/m^(p+1)", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Damping coefficient, empirical."},
    {"power", "-", 1, 0, 0, 0, HUGE_VAL, "Exponent p of the indentation in the damping."},
};

const carom_damping_kind carom_damping_ristow_schaefer = {
    .kind = {.name = "ristow-schaefer",
             .aliases = "ristow-schafer ristow schaefer",
             .title = "Empirical damper of Ristow (1992) and Schaefer et al. (1996).",
             .formula = "Fd = chi delta^p rate, p = 0",
             .source = "Ristow 1992, J. Phys. I France 2, 649; Schaefer, Dippel and Wolf 1996, J. Phys. I France 6, "
                       "5; Alves et al., table 1.",
             .validity = "Any elastic part. chi is empirical and means nothing without p. With p = 0 the force "
                         "jumps at the onset; with p below the elastic exponent it pulls before the end, which "
                         "tension: clip, the default, cuts. Alves et al., table 1, prints p = 1, although its text "
                         "calls the damping linear in the rate alone.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .ignores_v0 = true,
    .prepare = carom_empirical_prepare,
    .force = carom_empirical_force,
};

/* Contact law of Bordbar and Hyppaenen (2007) and of Schwager and Poeschel (1998): F = K delta^n + chi delta^p
   rate, p = 0.65.
   Source: Bordbar and Hyppaenen 2007, J. Numer. Anal. Ind. Appl. Math. 2, 115; Schwager and Poeschel 1998, Phys.
   Rev. E 57, 650; Alves et al., table 1.
   Validity: chi is empirical and its unit, N s/m^1.65, depends on the exponent p. The force pulls before the end,
   which release: clamp, the default, cuts. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_bordbar_hyppaenen = {
    .kind = {.name = "bordbar-hyppaenen",
             .aliases = "bordbar-hyppanen schwager-poeschel",
             .title = "Contact law of Bordbar and Hyppaenen (2007) and of Schwager and Poeschel (1998).",
             .formula = "F = K delta^n + chi delta^p rate, p = 0.65",
             .source = "Bordbar and Hyppaenen 2007, J. Numer. Anal. Ind. Appl. Math. 2, 115; Schwager and Poeschel "
                       "1998, Phys. Rev. E 57, 650; Alves et al., table 1.",
             .validity = "chi is empirical and its unit, N s/m^1.65, depends on the exponent p. The force pulls "
                         "before the end, which release: clamp, the default, cuts."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "bordbar-hyppaenen",
    .exponent = 1.5,
};

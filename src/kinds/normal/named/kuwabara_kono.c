/* Contact law of Kuwabara and Kono (1987) and of Brilliantov et al. (1996): viscoelastic spheres: F = K delta^1.5 +
   chi delta^0.5 rate, chi = 3 K A/2.
   Source: Kuwabara and Kono 1987, Jpn. J. Appl. Phys. 26, 1230; Brilliantov et al. 1996, Phys. Rev. E 53, 5382;
   Alves et al., table 1.
   Validity: Slow impacts of viscoelastic spheres: e = 1 - 1.153 x + ... with x in proportion to v0^(1/5). The force
   pulls before the end, which release: clamp, the default, cuts. Misprints: Alves et al., table 1, lacks the factor
   3/2, has 1 - nu in place of 1 - nu^2, and v^2 in place of nu^2. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_kuwabara_kono = {
    .kind = {.name = "kuwabara-kono",
             .aliases = "brilliantov",
             .title = "Contact law of Kuwabara and Kono (1987) and of Brilliantov et al. (1996): viscoelastic "
                      "spheres.",
             .formula = "F = K delta^1.5 + chi delta^0.5 rate, chi = 3 K A/2",
             .source = "Kuwabara and Kono 1987, Jpn. J. Appl. Phys. 26, 1230; Brilliantov et al. 1996, Phys. Rev. E "
                       "53, 5382; Alves et al., table 1.",
             .validity = "Slow impacts of viscoelastic spheres: e = 1 - 1.153 x + ... with x in proportion to "
                         "v0^(1/5). The force pulls before the end, which release: clamp, the default, cuts. "
                         "Misprints: Alves et al., table 1, lacks the factor 3/2, has 1 - nu in place of 1 - nu^2, "
                         "and v^2 in place of nu^2."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "kuwabara-kono",
    .exponent = 1.5,
};

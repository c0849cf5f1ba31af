/* Contact law of Ristow (1992) and Schaefer et al. (1996): Hertz with a linear damper: F = K delta^n + chi delta^p
   rate, p = 0.
   Source: Ristow 1992, J. Phys. I France 2, 649; Schaefer, Dippel and Wolf 1996, J. Phys. I France 6, 5; Alves et
   al., table 1.
   Validity: chi is empirical and its unit depends on p. With p = 0 the force jumps by chi v0 at the onset and pulls
   before the end. Alves et al., table 1, prints p = 1, although its text calls the damping linear in the rate
   alone; give power: 1 for that form. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_ristow_schaefer = {
    .kind = {.name = "ristow-schaefer",
             .aliases = "ristow-schafer ristow schaefer",
             .title = "Contact law of Ristow (1992) and Schaefer et al. (1996): Hertz with a linear damper.",
             .formula = "F = K delta^n + chi delta^p rate, p = 0",
             .source = "Ristow 1992, J. Phys. I France 2, 649; Schaefer, Dippel and Wolf 1996, J. Phys. I France 6, "
                       "5; Alves et al., table 1.",
             .validity = "chi is empirical and its unit depends on p. With p = 0 the force jumps by chi v0 at the "
                         "onset and pulls before the end. Alves et al., table 1, prints p = 1, although its text "
                         "calls the damping linear in the rate alone; give power: 1 for that form."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "ristow-schaefer",
    .exponent = 1.5,
};

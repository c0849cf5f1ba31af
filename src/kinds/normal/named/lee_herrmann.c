/* Contact law of Lee and Herrmann (1993): Hertz with a damper in proportion to the mass: F = K delta^n + m chi
   delta^p rate, p = 0.
   Source: Lee and Herrmann 1993, J. Phys. A 26, 373; Alves et al., table 1.
   Validity: chi is empirical, its unit 1/(s m^p). With p = 0 the force jumps by m chi v0 at the onset and pulls
   before the end. Alves et al., table 1, prints p = 1, although its text calls the damping linear in the rate
   alone; give power: 1 for that form. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_lee_herrmann = {
    .kind = {.name = "lee-herrmann",
             .title = "Contact law of Lee and Herrmann (1993): Hertz with a damper in proportion to the mass.",
             .formula = "F = K delta^n + m chi delta^p rate, p = 0",
             .source = "Lee and Herrmann 1993, J. Phys. A 26, 373; Alves et al., table 1.",
             .validity = "chi is empirical, its unit 1/(s m^p). With p = 0 the force jumps by m chi v0 at the onset "
                         "and pulls before the end. Alves et al., table 1, prints p = 1, although its text calls "
                         "the damping linear in the rate alone; give power: 1 for that form."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "lee-herrmann",
    .exponent = 1.5,
};

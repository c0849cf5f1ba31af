/* Contact law of Jankowski (2006): damping in compression only: F = K delta^1.5 + 2 xi sqrt(K sqrt(delta) m) rate
   for rate > 0, F = K delta^1.5 else.
   Source: Jankowski 2005, Earthq. Eng. Struct. Dyn. 34, 595; Jankowski 2006, Earthq. Eng. Struct. Dyn. 35, 517;
   Alves et al., table 1.
   Validity: e > 0; within 0.009 of the restitution asked, never tensile. A free impact returns exp(-z
   acos(z)/sqrt(1 - z^2)), z = 2 xi/sqrt(5). Misprint: Alves et al., table 1, multiplies the damping by delta, which
   is unsound in its units. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_jankowski = {
    .kind = {.name = "jankowski",
             .title = "Contact law of Jankowski (2006): damping in compression only.",
             .formula = "F = K delta^1.5 + 2 xi sqrt(K sqrt(delta) m) rate for rate > 0, F = K delta^1.5 else",
             .source = "Jankowski 2005, Earthq. Eng. Struct. Dyn. 34, 595; Jankowski 2006, Earthq. Eng. Struct. "
                       "Dyn. 35, 517; Alves et al., table 1.",
             .validity = "e > 0; within 0.009 of the restitution asked, never tensile. A free impact returns exp(-z "
                         "acos(z)/sqrt(1 - z^2)), z = 2 xi/sqrt(5). Misprint: Alves et al., table 1, multiplies the "
                         "damping by delta, which is unsound in its units."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "jankowski",
    .exponent = 1.5,
};

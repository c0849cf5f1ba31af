/* Contact law that returns exactly the restitution asked in a free impact: F = K delta^n (1 + A rate/v0), ln((1 +
   A)/(1 - A e)) = A (1 + e).
   Source: Gonthier et al. 2004, Multibody Syst. Dyn. 11, 209; Zhang and Sharf 2009, J. Appl. Mech. 76, 051002;
   Autiero et al. 2022, eqs. (113)-(116).
   Validity: e > 0; exact for every exponent in a free direct impact, the external forces of a mechanism change it.
   Misprints: with d = A e the relation is (1 + d/e)/(1 - d) = exp(d(1 + 1/e)); Machado et al. 2012, eq. (40), has
   the fraction bar elsewhere and another root, Autiero et al. 2022, eq. (115), prints c for e and eq. (110) is
   inverted. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_exact = {
    .kind = {.name = "exact",
             .aliases = "gonthier-exact",
             .title = "Contact law that returns exactly the restitution asked in a free impact.",
             .formula = "F = K delta^n (1 + A rate/v0), ln((1 + A)/(1 - A e)) = A (1 + e)",
             .source = "Gonthier et al. 2004, Multibody Syst. Dyn. 11, 209; Zhang and Sharf 2009, J. Appl. Mech. "
                       "76, 051002; Autiero et al. 2022, eqs. (113)-(116).",
             .validity = "e > 0; exact for every exponent in a free direct impact, the external forces of a "
                         "mechanism change it. Misprints: with d = A e the relation is (1 + d/e)/(1 - d) = exp(d(1 "
                         "+ 1/e)); Machado et al. 2012, eq. (40), has the fraction bar elsewhere and another root, "
                         "Autiero et al. 2022, eq. (115), prints c for e and eq. (110) is inverted."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "exact",
    .exponent = 1.5,
};

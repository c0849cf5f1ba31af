/* Contact law of Hunt and Crossley (1975) with the material constant alpha: F = K delta^n (1 + 3 alpha/2 rate).
   Source: Hunt and Crossley 1975, J. Appl. Mech. 42, 440; Autiero et al. 2022, eqs. (22), (153).
   Validity: Knows no impact velocity: the restitution falls with it as in experiments, e = 1 - alpha v0 while alpha
   v0 is small, and rest and long contacts need no policy. alpha from 0.08 to 0.32 s/m for steel, bronze and ivory;
   a free impact leaves slower than 2/(3 alpha). Misprint: the exponent of the rate in Autiero et al. 2022, eq.
   (153), is sound only as 1. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_hunt_crossley_alpha = {
    .kind = {.name = "hunt-crossley-alpha",
             .title = "Contact law of Hunt and Crossley (1975) with the material constant alpha.",
             .formula = "F = K delta^n (1 + 3 alpha/2 rate)",
             .source = "Hunt and Crossley 1975, J. Appl. Mech. 42, 440; Autiero et al. 2022, eqs. (22), (153).",
             .validity = "Knows no impact velocity: the restitution falls with it as in experiments, e = 1 - alpha "
                         "v0 while alpha v0 is small, and rest and long contacts need no policy. alpha from 0.08 to "
                         "0.32 s/m for steel, bronze and ivory; a free impact leaves slower than 2/(3 alpha). "
                         "Misprint: the exponent of the rate in Autiero et al. 2022, eq. (153), is sound only as 1."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "hunt-crossley-alpha",
    .exponent = 1.5,
};

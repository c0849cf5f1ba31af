/* Contact law of Kelvin and Voigt: linear spring and linear damper: F = K delta + D rate.
   Source: Autiero et al. 2022, eqs. (12), (46); Lankarani and Nikravesh 1990, J. Mech. Des. 112, 369.
   Validity: The force jumps by D v0 at the onset and pulls before the end. With z = D/(2 sqrt(K m)) < 1 and release:
   clamp, the default, a free impact returns exp(-2 z acos(z)/sqrt(1 - z^2)) of the speed, with release: raw exp(-pi
   z/sqrt(1 - z^2)), whatever the speed. For z >= 0.5 the jump at the onset is the peak force; for z >= 1 release: raw
   never lets go. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_kelvin_voigt = {
    .kind = {.name = "kelvin-voigt",
             .title = "Contact law of Kelvin and Voigt: linear spring and linear damper.",
             .formula = "F = K delta + D rate",
             .source = "Autiero et al. 2022, eqs. (12), (46); Lankarani and Nikravesh 1990, J. Mech. Des. 112, 369.",
             .validity = "The force jumps by D v0 at the onset and pulls before the end. With z = D/(2 sqrt(K m)) < "
                         "1 and release: clamp, the default, a free impact returns exp(-2 z acos(z)/sqrt(1 - z^2)) "
                         "of the speed, with release: raw exp(-pi z/sqrt(1 - z^2)), whatever the speed. For z >= 0.5 "
                         "the jump at the onset is the peak force; for z >= 1 release: raw never lets go."},
    .elastic = "hooke",
    .damping = "kelvin-voigt",
    .exponent = 1,
};

/* Contact law of Lankarani and Nikravesh (1990): F = K delta^n (1 + 3(1 - e^2)/4 rate/v0).
   Source: Lankarani and Nikravesh 1990, J. Mech. Des. 112, 369; Machado et al. 2012, eqs. (35)-(38); Autiero et
   al. 2022, eqs. (87), (88).
   Validity: For e near 1, where little energy is lost; too elastic below 0.8. With exponent 1 it is the law of
   Khulief and Shabana. Misprint: Autiero et al. 2022, eq. (71), needs v^3 in the bracket. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_lankarani_nikravesh = {
    .kind = {.name = "lankarani-nikravesh",
             .title = "Contact law of Lankarani and Nikravesh (1990).",
             .formula = "F = K delta^n (1 + 3(1 - e^2)/4 rate/v0)",
             .source = "Lankarani and Nikravesh 1990, J. Mech. Des. 112, 369; Machado et al. 2012, eqs. (35)-(38); "
                       "Autiero et al. 2022, eqs. (87), (88).",
             .validity = "For e near 1, where little energy is lost; too elastic below 0.8. With exponent 1 it is "
                         "the law of Khulief and Shabana. Misprint: Autiero et al. 2022, eq. (71), needs v^3 in "
                         "the bracket."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "lankarani-nikravesh",
    .exponent = 1.5,
};

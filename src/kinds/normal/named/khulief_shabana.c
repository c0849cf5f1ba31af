/* Contact law of Khulief and Shabana (1987): linear spring and hysteresis damping: F = K delta (1 + 3(1 - e^2)/4
   rate/v0).
   Source: Khulief and Shabana 1987, Mech. Mach. Theory 22, 213; Autiero et al. 2022, eqs. (70), (71).
   Validity: For e near 1, where little energy is lost; too elastic below 0.8. The law of Lankarani and Nikravesh
   with n = 1. Misprints of Autiero et al. 2022: eq. (71) needs v^3 in its bracket, eqs. (67), (68), (72) print the
   rate for the indentation. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_khulief_shabana = {
    .kind = {.name = "khulief-shabana",
             .title = "Contact law of Khulief and Shabana (1987): linear spring and hysteresis damping.",
             .formula = "F = K delta (1 + 3(1 - e^2)/4 rate/v0)",
             .source = "Khulief and Shabana 1987, Mech. Mach. Theory 22, 213; Autiero et al. 2022, eqs. (70), (71).",
             .validity = "For e near 1, where little energy is lost; too elastic below 0.8. The law of Lankarani "
                         "and Nikravesh with n = 1. Misprints of Autiero et al. 2022: eq. (71) needs v^3 in its "
                         "bracket, eqs. (67), (68), (72) print the rate for the indentation."},
    .elastic = "power",
    .damping = "khulief-shabana",
    .exponent = 1,
};

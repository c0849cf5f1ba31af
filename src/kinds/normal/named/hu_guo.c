/* Contact law of Hu and Guo (2015): F = K delta^n (1 + 3(1 - e)/(2e) rate/v0).
   Source: Hu and Guo 2015, Multibody Syst. Dyn. 35, 131; Autiero et al. 2022, eqs. (151), (152).
   Validity: e > 0; within 0.01 of the restitution asked above 0.53, within 0.035 everywhere, always a little low. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_hu_guo = {
    .kind = {.name = "hu-guo",
             .title = "Contact law of Hu and Guo (2015).",
             .formula = "F = K delta^n (1 + 3(1 - e)/(2e) rate/v0)",
             .source = "Hu and Guo 2015, Multibody Syst. Dyn. 35, 131; Autiero et al. 2022, eqs. (151), (152).",
             .validity = "e > 0; within 0.01 of the restitution asked above 0.53, within 0.035 everywhere, always a "
                         "little low."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "hu-guo",
    .exponent = 1.5,
};

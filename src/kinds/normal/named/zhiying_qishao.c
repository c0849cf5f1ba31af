/* Contact law of Zhiying and Qishao (2006): F = K delta^n (1 + 3(1 - e^2) exp(2(1 - e))/4 rate/v0).
   Source: Zhiying and Qishao 2006, J. Dyn. Control 4, 294; Machado et al. 2012, eqs. (43), (44).
   Validity: Within 0.027 of the restitution asked above e = 0.3; at e = 0 the contact still returns 0.179 of the
   speed. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_zhiying_qishao = {
    .kind = {.name = "zhiying-qishao",
             .title = "Contact law of Zhiying and Qishao (2006).",
             .formula = "F = K delta^n (1 + 3(1 - e^2) exp(2(1 - e))/4 rate/v0)",
             .source = "Zhiying and Qishao 2006, J. Dyn. Control 4, 294; Machado et al. 2012, eqs. (43), (44).",
             .validity = "Within 0.027 of the restitution asked above e = 0.3; at e = 0 the contact still returns "
                         "0.179 of the speed."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "zhiying-qishao",
    .exponent = 1.5,
};

/* Contact law of Safaeifar and Farshidianfar (2020), unverified: F = K delta^n (1 + 5(1 - e)/(4e) rate/v0).
   Source: Safaeifar and Farshidianfar 2020, Multibody Syst. Dyn. 50, 233 (formula unverified).
   Validity: unverified: the formula was not compared with the paper. e > 0; within 0.039 of the restitution asked,
   too elastic above 0.22. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_safaeifar_farshidianfar = {
    .kind = {.name = "safaeifar-farshidianfar",
             .title = "Contact law of Safaeifar and Farshidianfar (2020), unverified.",
             .formula = "F = K delta^n (1 + 5(1 - e)/(4e) rate/v0)",
             .source = "Safaeifar and Farshidianfar 2020, Multibody Syst. Dyn. 50, 233 (formula unverified).",
             .validity = "unverified: the formula was not compared with the paper. e > 0; within 0.039 of the "
                         "restitution asked, too elastic above 0.22."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "safaeifar-farshidianfar",
    .exponent = 1.5,
};

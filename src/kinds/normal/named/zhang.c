/* Contact law of Zhang et al. (2020), unverified: F = K delta^n (1 + 3(1 - e)/(2 e^s) rate/v0), s = 0.89.
   Source: Zhang et al. 2020, Mech. Mach. Theory 153 (formula and exponent unverified).
   Validity: unverified: the formula and its exponent were not compared with the paper. e > 0; within 0.0082 of the
   restitution asked at every e with s = 0.89. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_zhang = {
    .kind = {.name = "zhang",
             .title = "Contact law of Zhang et al. (2020), unverified.",
             .formula = "F = K delta^n (1 + 3(1 - e)/(2 e^s) rate/v0), s = 0.89",
             .source = "Zhang et al. 2020, Mech. Mach. Theory 153 (formula and exponent unverified).",
             .validity = "unverified: the formula and its exponent were not compared with the paper. e > 0; within "
                         "0.0082 of the restitution asked at every e with s = 0.89."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "zhang",
    .exponent = 1.5,
};

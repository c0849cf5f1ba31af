/* Contact law of Walton and Braun (1986): F = k1 delta on loading, k2 (delta - delta_p) on un- and reloading.
   Source: Walton and Braun 1986, J. Rheol. 30, 949; Altair EDEM, Hysteretic Spring Model.
   Validity: the paper itself was not read. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_walton_braun = {
    .kind = {.name = "walton-braun",
             .title = "Contact law of Walton and Braun (1986), two linear stiffnesses.",
             .formula =
                 "F = k1 delta on loading, F = k2 (delta - delta_p) on unloading, k2 = k1/e^2 or k2 = k1 + S F_m",
             .source = "Walton and Braun 1986, J. Rheol. 30, 949; Altair EDEM, Hysteretic Spring Model, for un- and "
                       "reloading.",
             .validity =
                 "With restitution it returns exactly e at every speed, with hardening S it returns 1/sqrt(1 + S v0 "
                 "sqrt(m/k1)) in a free direct impact. The form k2 = k1 + S F_m is unverified: the paper was not "
                 "read."},
    .elastic = "walton-braun",
    .damping = "none",
    .exponent = 1,
};

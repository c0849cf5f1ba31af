/* Second contact law of Gharib and Hurmuzlu (2012), with permanent indentation: F = K delta^n on loading, K_r (delta -
   delta_p)^n on unloading, K_r = K/e_w^(2n), delta_p = delta_m (1 - e_w^2).
   Source: Gharib and Hurmuzlu 2012, J. Appl. Mech. 79, 064506; Autiero et al. 2022, eqs. (135)-(145).
   Validity: returns exactly e_w in a free direct impact. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_gharib_hurmuzlu_2 = {
    .kind = {.name = "gharib-hurmuzlu-2",
             .aliases = "gharib-hurmuzlu2",
             .title = "Second contact law of Gharib and Hurmuzlu (2012), with permanent indentation.",
             .formula =
                 "F = K delta^n on loading, F = K_r (delta - delta_p)^n on unloading, K_r = K/e_w^(2n), delta_p = "
                 "delta_m (1 - e_w^2)",
             .source = "Gharib and Hurmuzlu 2012, J. Appl. Mech. 79, 064506; Autiero et al. 2022, eqs. (135)-(145).",
             .validity =
                 "Returns exactly e_w in a free direct impact, at every speed; the contact ends at delta_p. The "
                 "loss is plastic work on loading, there is no damping. Called gharib_hurmuzlu2 in the reference "
                 "data; identical to lankarani-nikravesh-1994. Misprints in Autiero et al. 2022: the sign of eq. "
                 "(141), the ratio of eq. (142), the references of eq. (145)."},
    .elastic = "gharib-hurmuzlu-2",
    .damping = "none",
    .exponent = 1.5,
};

/* Contact law of Flores, Machado, Silva and Martins (2011): F = K delta^n (1 + 8(1 - e)/(5e) rate/v0).
   Source: Flores et al. 2011, Multibody Syst. Dyn. 25, 357, eqs. (43), (44); Machado et al. 2012, eqs. (46), (47);
   Autiero et al. 2022, eq. (126).
   Validity: e > 0; within 0.046 of the restitution asked, always a little low. Misprints: Flores et al. 2011, eq.
   (40), and Machado et al. 2012, eq. (45), need (1 + e), the factor itself is right; eq. (41) of the former lacks
   a square. That the peak force falls with e (Flores et al. 2011) holds down to e = 0.691; below 0.39 it exceeds
   that of Hertz. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_flores = {
    .kind = {.name = "flores",
             .title = "Contact law of Flores, Machado, Silva and Martins (2011).",
             .formula = "F = K delta^n (1 + 8(1 - e)/(5e) rate/v0)",
             .source = "Flores et al. 2011, Multibody Syst. Dyn. 25, 357, eqs. (43), (44); Machado et al. 2012, "
                       "eqs. (46), (47); Autiero et al. 2022, eq. (126).",
             .validity = "e > 0; within 0.046 of the restitution asked, always a little low. Misprints: Flores et "
                         "al. 2011, eq. (40), and Machado et al. 2012, eq. (45), need (1 + e), the factor itself "
                         "is right; eq. (41) of the former lacks a square. That the peak force falls with e "
                         "(Flores et al. 2011) holds down to e = 0.691; below 0.39 it exceeds that of Hertz."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "flores",
    .exponent = 1.5,
};

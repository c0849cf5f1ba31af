/* Contact law of Lankarani and Nikravesh (1994) with permanent indentation: F = K delta^n on loading, F_m ((delta -
   delta_p)/(delta_m - delta_p))^n on unloading, delta_p = delta_m (1 - e^2).
   Source: Lankarani and Nikravesh 1994, Nonlinear Dyn. 5, 193; Autiero et al. 2022, eqs. (91)-(97).
   Validity: returns exactly e in a free direct impact. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_lankarani_nikravesh_1994 = {
    .kind = {.name = "lankarani-nikravesh-1994",
             .aliases = "lankarani-nikravesh94",
             .title = "Contact law of Lankarani and Nikravesh (1994) with permanent indentation.",
             .formula =
                 "F = K delta^n on loading, F = F_m ((delta - delta_p)/(delta_m - delta_p))^n on unloading, delta_p = "
                 "delta_m (1 - e^2)",
             .source = "Lankarani and Nikravesh 1994, Nonlinear Dyn. 5, 193; Autiero et al. 2022, eqs. (91)-(97).",
             .validity =
                 "Returns exactly e in a free direct impact, at every speed; the contact ends at delta_p. The loss "
                 "is plastic work on loading, there is no damping. Called lankarani_nikravesh94 in the reference "
                 "data; identical to gharib-hurmuzlu-2. Misprint: Autiero et al. 2022, eq. (97), needs the square "
                 "of the impact velocity."},
    .elastic = "lankarani-nikravesh-1994",
    .damping = "none",
    .exponent = 1.5,
};

/* Contact law of Hunt and Crossley (1975): F = K delta^n (1 + 3(1 - e)/2 rate/v0).
   Source: Hunt and Crossley 1975, J. Appl. Mech. 42, 440; Machado et al. 2012, eqs. (28)-(30); Autiero et al.
   2022, eqs. (21)-(23).
   Validity: For e near 1; at low e the contact returns far more speed than asked. Misprints: Alves et al., table
   1, prints K/delta where K over the impact velocity is meant; Autiero et al. 2022, eq. (9), second line, needs (1
   - alpha v)^2, and the factor 3e(1 - e)/4 given for this law in section 3.10 is 3e(1 - e)/2. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_hunt_crossley = {
    .kind = {.name = "hunt-crossley",
             .title = "Contact law of Hunt and Crossley (1975).",
             .formula = "F = K delta^n (1 + 3(1 - e)/2 rate/v0)",
             .source = "Hunt and Crossley 1975, J. Appl. Mech. 42, 440; Machado et al. 2012, eqs. (28)-(30); "
                       "Autiero et al. 2022, eqs. (21)-(23).",
             .validity = "For e near 1; at low e the contact returns far more speed than asked (table above). "
                         "Misprints: Alves et al., table 1, prints K/delta where K over the impact velocity is "
                         "meant; Autiero et al. 2022, eq. (9), second line, needs (1 - alpha v)^2, and the factor "
                         "3e(1 - e)/4 given for this law in section 3.10 is 3e(1 - e)/2."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "hunt-crossley",
    .exponent = 1.5,
};

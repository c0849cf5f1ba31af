/* Linear elastic contact, without damping: F = K delta.
   Source: Machado et al. 2012, eq. (17) with n = 1; Autiero et al. 2022, section 3.1.
   Validity: Returns the impact speed in full (e = 1). Duration of a free impact pi sqrt(m/K), independent of the
   speed. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_hooke = {
    .kind = {.name = "hooke",
             .title = "Linear elastic contact, without damping.",
             .formula = "F = K delta",
             .source = "Machado et al. 2012, eq. (17) with n = 1; Autiero et al. 2022, section 3.1.",
             .validity = "Returns the impact speed in full (e = 1). Duration of a free impact pi sqrt(m/K), "
                         "independent of the speed."},
    .elastic = "hooke",
    .damping = "none",
    .exponent = 1,
};

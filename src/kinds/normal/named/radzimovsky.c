/* Line contact of two cylinders after Radzimovsky, without damping.
   delta = W/(pi E*) (ln(8 E* dR/(1.6^2 W)) + 2/3), W = F/L.
   Source: Autiero et al. 2022, Table 1 and section 4; Radzimovsky 1953, University of Illinois.
   Validity: Two parallel cylinders, outside each other or one inside the other; ends at delta = 0.7127 dR. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_radzimovsky = {
    .kind = {.name = "radzimovsky",
             .aliases = "radzimowsky",
             .title = "Line contact of two cylinders after Radzimovsky, without damping.",
             .formula = "delta = W/(pi E*) (ln(8 E* dR/(1.6^2 W)) + 2/3), W = F/L",
             .source = "Autiero et al. 2022, Table 1 and section 4; Radzimovsky 1953, University of Illinois.",
             .validity = "Two parallel cylinders, outside each other or one inside the other; ends at delta = 0.7127 "
                         "dR. Returns the impact speed in full (e = 1); `damping` adds a loss. Range, misprints and "
                         "conventions: the elastic part `radzimovsky`."},
    .elastic = "radzimovsky",
    .elastic_without_stiffness = "radzimovsky",
    .damping = "none",
    .exponent = 1.5,
};

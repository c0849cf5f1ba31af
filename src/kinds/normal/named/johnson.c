/* Line contact of two cylinders after Johnson, without damping.
   delta = W/(pi E*) (ln(4 pi E* dR/W) - 1), W = F/L.
   Source: Autiero et al. 2022, Table 1; Johnson, Contact Mechanics, section 5.6.
   Validity: Two parallel cylinders, outside each other or one inside the other; ends at delta = 0.5413 dR. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_johnson = {
    .kind = {.name = "johnson",
             .title = "Line contact of two cylinders after Johnson, without damping.",
             .formula = "delta = W/(pi E*) (ln(4 pi E* dR/W) - 1), W = F/L",
             .source = "Autiero et al. 2022, Table 1; Johnson, Contact Mechanics, section 5.6.",
             .validity = "Two parallel cylinders, outside each other or one inside the other; ends at delta = 0.5413 "
                         "dR. Returns the impact speed in full (e = 1); `damping` adds a loss. Range, misprints and "
                         "conventions: the elastic part `johnson`."},
    .elastic = "johnson",
    .elastic_without_stiffness = "johnson",
    .damping = "none",
    .exponent = 1.5,
};

/* Line contact of two cylinders after Goldsmith, without damping.
   delta = W (h_i + h_j) (ln(L^3/(F R (h_i + h_j))) + 1), W = F/L, h = (1 - nu^2)/(pi E).
   Source: Autiero et al. 2022, Table 1; Goldsmith, Impact.
   Validity: Two parallel cylinders or a cylinder on a plane, L^2 well above R delta; ends at delta = L^2/R. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_goldsmith = {
    .kind = {.name = "goldsmith",
             .title = "Line contact of two cylinders after Goldsmith, without damping.",
             .formula = "delta = W (h_i + h_j) (ln(L^3/(F R (h_i + h_j))) + 1), W = F/L, h = (1 - nu^2)/(pi E)",
             .source = "Autiero et al. 2022, Table 1; Goldsmith, Impact.",
             .validity = "Two parallel cylinders or a cylinder on a plane, L^2 well above R delta; ends at delta = "
                         "L^2/R. Returns the impact speed in full (e = 1); `damping` adds a loss. Range, misprints "
                         "and conventions: the elastic part `goldsmith`."},
    .elastic = "goldsmith",
    .elastic_without_stiffness = "goldsmith",
    .damping = "none",
    .exponent = 1.5,
};

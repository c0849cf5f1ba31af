/* Elastic contact after Hertz, without damping: F = K delta^n.
   Source: Hertz 1882; Machado et al. 2012, eqs. (17)-(20).
   Validity: Returns the impact speed in full (e = 1) whatever the materials; the loss of real impacts is missing.
   With a stiffness any exponent may be given, without one K follows from materials and radii with n = 1.5. Peak
   indentation of a free impact (5 m v0^2/(4K))^(2/5), duration 2.943 times that over v0. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_hertz = {
    .kind = {.name = "hertz",
             .title = "Elastic contact after Hertz, without damping.",
             .formula = "F = K delta^n",
             .source = "Hertz 1882; Machado et al. 2012, eqs. (17)-(20).",
             .validity = "Returns the impact speed in full (e = 1) whatever the materials; the loss of real "
                         "impacts is missing. With a stiffness any exponent may be given, without one K follows "
                         "from materials and radii with n = 1.5. Peak indentation of a free impact (5 m "
                         "v0^2/(4K))^(2/5), duration 2.943 times that over v0."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "none",
    .exponent = 1.5,
};

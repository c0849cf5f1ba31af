/* Line contact of spur gear teeth after Yang and Sun, without damping: K delta, K = pi/2 E* L.
   Source: Yang and Sun 1985, J. Mech. Transm. Autom. Des. 107, 529; Machado et al. 2012, eqs. (23), (24).
   Validity: Teeth of the face width L ('length'); of equal materials K = pi E L/(4(1 - nu^2)) as printed. Returns
   the impact speed in full unless a damping part is named. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_yang_sun = {
    .kind = {.name = "yang-sun",
             .title = "Line contact of spur gear teeth after Yang and Sun, without damping.",
             .formula = "F = K delta, K = pi/2 E* L",
             .source = "Yang and Sun 1985, J. Mech. Transm. Autom. Des. 107, 529; Machado et al. 2012, eqs. (23), "
                       "(24).",
             .validity = "Teeth of the face width L ('length'); of equal materials K = pi E L/(4(1 - nu^2)) as "
                         "printed. Returns the impact speed in full unless a damping part is named."},
    .elastic = "yang-sun",
    .elastic_without_stiffness = "yang-sun",
    .damping = "none",
    .exponent = 1,
};

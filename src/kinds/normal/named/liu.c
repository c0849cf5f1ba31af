/* Pin in a hole after Liu, Zhang and Yang, without damping: pi/2 E* L delta sqrt(delta/(2(dR + delta))).
   Source: Liu, Zhang and Yang 2005, Acta Mech. Sin. 21, 451; Machado et al. 2012, eqs. (25), (26).
   Validity: Internal contact of cylinders with a radial clearance dR = R_hole - R_pin > 0, small clearances and
   large loads. Not a power law: damping parts that need K and n do not fit. Returns the impact speed in full unless
   a damping part is named. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_liu = {
    .kind = {.name = "liu",
             .title = "Pin in a hole after Liu, Zhang and Yang, without damping.",
             .formula = "F = pi/2 E* L delta sqrt(delta/(2(dR + delta)))",
             .source = "Liu, Zhang and Yang 2005, Acta Mech. Sin. 21, 451; Machado et al. 2012, eqs. (25), (26).",
             .validity = "Internal contact of cylinders with a radial clearance dR = R_hole - R_pin > 0, small "
                         "clearances and large loads. Not a power law: damping parts that need K and n do not fit. "
                         "Returns the impact speed in full unless a damping part is named."},
    .elastic = "liu",
    .elastic_without_stiffness = "liu",
    .damping = "none",
    .exponent = 1.5,
};

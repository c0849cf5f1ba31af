/* Law of Lankarani and Nikravesh as tabulated for cylinders, without damping: 4/3 E* sqrt(R) delta^n, R = R_i
   R_j/dR.
   Source: Lankarani and Nikravesh 1990, J. Mech. Des. 112, 369; Autiero et al. 2022, table 1.
   Validity: With n = 1.5 it is hertz, a law of spheres without the length of the contact; other n are unsound in
   their units. The damped law of this name is lankarani-nikravesh. Returns the impact speed in full unless a damping
   part is named. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_lankarani_nikravesh_cylinder = {
    .kind = {.name = "lankarani-nikravesh-cylinder",
             .title = "Law of Lankarani and Nikravesh as tabulated for cylinders, without damping.",
             .formula = "F = 4/3 E* sqrt(R) delta^n, R = R_i R_j/dR",
             .source = "Lankarani and Nikravesh 1990, J. Mech. Des. 112, 369; Autiero et al. 2022, table 1.",
             .validity = "With n = 1.5 it is hertz, a law of spheres without the length of the contact; other n are "
                         "unsound in their units. The damped law of this name is lankarani-nikravesh. Returns the "
                         "impact speed in full unless a damping part is named."},
    .elastic = "lankarani-nikravesh-cylinder",
    .elastic_without_stiffness = "lankarani-nikravesh-cylinder",
    .damping = "none",
    .exponent = 1.5,
};

/* Coordinate partitioning: independent coordinates are integrated, dependent ones solved from the constraints at each
   evaluation; which they are is chosen by a pivoted factorisation, anew after each step.
   source: Wehage and Haug 1982, J. Mech. Design 104:247-255.
   Validity: dopri5. */
#include "kinds/stabilization/stabilization.h"

const carom_stabilization_kind carom_stabilization_coordinate_partitioning = {
    .kind = {.name = "coordinate-partitioning",
             .aliases = "wehage-haug",
             .title = "Dependent coordinates are solved from the constraints at each evaluation.",
             .formula = "Phi(u, w, t) = 0 for w, J_w w' = -Phi_t - J_u u'; J_w of the largest pivots",
             .source = "Wehage and Haug 1982, J. Mech. Design 104:247-255",
             .validity = "With dopri5, which it takes by itself. Independent coordinates keep what the integrator gave "
                         "them, dependent ones are exact; in singular positions it has fewer of these."},
    .closes = true,
    .parts = true,
};

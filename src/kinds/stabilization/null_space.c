/* Null-space method: accelerations in the null space of the constraint rows, whose orthonormal basis is that of an
   orthogonal decomposition in the metric of the mass matrix; the state is closed at each evaluation.
   source: Mani, Haug and Atkinson 1985, J. Mech. Transm. Autom. Des. 107:82-87 (singular values); Kim and Vanderploeg
   1986, J. Mech. Transm. Autom. Des. 108:183-188 (QR).
   Validity: dopri5; constraints of any condition and rank. */
#include "kinds/stabilization/stabilization.h"

const carom_stabilization_kind carom_stabilization_null_space = {
    .kind = {.name = "null-space",
             .title = "Accelerations in the orthogonal null space of the constraints; the state is closed at each "
                      "evaluation.",
             .formula = "J C = L Q', C C' = M^-1: a = C (Q y + (1 - Q Q') C' f), L y = gamma",
             .source =
                 "Mani, Haug and Atkinson 1985, J. Mech. Transm. Autom. Des. 107:82-87; Kim and Vanderploeg 1986, "
                 "J. Mech. Transm. Autom. Des. 108:183-188",
             .validity =
                 "With dopri5, which it takes by itself. Its condition is that of the rows, not its square: for "
                 "constraints that are nearly dependent. Positions and velocities keep them to rounding, at "
                 "the cost of a projection an evaluation. Up to 600 rows."},
    .orthogonal = true,
    .closes = true,
};

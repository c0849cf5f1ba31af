/* Stabilised index 2 of Gear, Gupta and Leimkuhler: the constraints on positions and on velocities hold together, each
   by multipliers of its own.
   source: Gear, Leimkuhler and Gupta 1985, J. Comput. Appl. Math. 12-13:77-90; Hindmarsh et al. 2005, ACM Trans. Math.
   Softw. 31:363-396 (SUNDIALS IDA).
   Validity: closed loops with stiff springs and dampers, at tight tolerances too. */
#include "kinds/stabilization/stabilization.h"

const carom_stabilization_kind carom_stabilization_ggl = {
    .kind = {.name = "ggl",
             .title = "Stabilised index 2 of Gear, Gupta and Leimkuhler by BDF (IDA): holds positions and velocities.",
             .formula = "q' = v + M^-1 J' eta, v' = M^-1 (f + J' mu), Phi(q) = 0, J v = -Phi_t",
             .source = "Gear, Leimkuhler and Gupta 1985, J. Comput. Appl. Math. 12-13:77-90; Hindmarsh et al. 2005, "
                       "ACM Trans. Math. Softw. 31:363-396",
             .validity = "With the integrator that it has, variable-order BDF (1 to 5): for stiff springs and dampers "
                         "in closed loops. Positions and velocities keep the constraints to a small share of the "
                         "tolerance at a fifth more steps than bdf."},
    .index2 = true,
};

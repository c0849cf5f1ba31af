/* Coordinate projection: after a step, positions and velocities are moved onto the constraints, least in the metric of
   the mass matrix.
   source: Eich 1993, SIAM J. Numer. Anal. 30:1467-1482; SUNDIALS CVodeSetProjFn.
   Validity: bdf, dopri5 and fixed steps; SUNDIALS projects with BDF only, so adams is refused. */
#include "kinds/stabilization/stabilization.h"

const carom_stabilization_kind carom_stabilization_projection = {
    .kind = {.name = "projection",
             .title =
                 "After each step the state is projected onto the constraints, least in the metric of the mass matrix.",
             .formula = "min (dq' M dq) with Phi(q + dq) = 0, then min (dv' M dv) with J (v + dv) = -Phi_t",
             .source = "Eich 1993, SIAM J. Numer. Anal. 30:1467-1482",
             .validity =
                 "With bdf, dopri5 and the fixed-step methods; not with adams, because SUNDIALS projects with BDF "
                 "only. It pauses while an impact is open, so that it cannot move the indentation."},
    .projects = true,
};

/* Augmented Lagrangian formulation of index 1 with mass-orthogonal projections: penalty terms whose forces are
   corrected until the constraints hold, then positions and velocities moved onto the constraints between steps.
   source: Bayo, Garcia de Jalon and Serna 1988, Comput. Methods Appl. Mech. Eng. 71:183-195, eqs. (14), (15); Bayo and
   Ledesma 1996, Nonlinear Dyn. 9:113-130 (projections).
   Validity: as projection; redundant and singular constraints without a rank. */
#include "kinds/stabilization/stabilization.h"

static const carom_param_row params[] = {
    {"penalty", "-", 1, 0, 1e6, 1, 1e12, "inertia of a constraint over the effective mass of what it holds"},
};

static double softness(const double *p) { return 1 / p[0]; }

const carom_stabilization_kind carom_stabilization_augmented_lagrangian = {
    .kind = {.name = "augmented-lagrangian",
             .aliases = "bayo",
             .title = "Penalty terms with multipliers that are corrected until the constraints hold; mass-orthogonal "
                      "projections.",
             .formula = "(M + J' alpha J) a_(k+1) = f + J' (alpha gamma - lambda_k), lambda_(k+1) = lambda_k + alpha "
                        "(J a_(k+1) - gamma)",
             .source = "Bayo, Garcia de Jalon and Serna 1988, Comput. Methods Appl. Mech. Eng. 71:183-195; Bayo and "
                       "Ledesma 1996, Nonlinear Dyn. 9:113-130",
             .validity = "With bdf, dopri5, auto and the fixed-step methods; not with adams, because SUNDIALS projects "
                         "with BDF only. No rank is needed: redundant constraints share their forces, and singular "
                         "positions are passed. Up to 600 rows.",
             .params = params,
             .param_count = 1},
    .projects = true,
    .softness = softness,
    .rounds = 20,
};

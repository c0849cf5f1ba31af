/* Penalty formulation: the multipliers are those of stiff springs, dampers and masses in the constraints.
   source: Bayo, Garcia de Jalon and Serna 1988, Comput. Methods Appl. Mech. Eng. 71:183-195, eqs. (8), (11).
   Validity: any integrator; redundant and singular constraints. Constraints yield by the inverse of the penalty. */
#include "kinds/stabilization/stabilization.h"

static const carom_param_row params[] = {
    {"penalty", "-", 1, 0, 1e10, 1, 1e14, "inertia of a constraint over the effective mass of what it holds"},
    {"omega", "1/s", 1, 0, 50, 0, 1e6, "natural frequency of its violations"},
    {"zeta", "-", 1, 0, 1, 0, 1e3, "damping ratio of its violations"},
};

static double softness(const double *p) { return 1 / p[0]; }

static double correction(const double *p, double phi, double phi_rate)
{
    return 2 * p[2] * p[1] * phi_rate + p[1] * p[1] * phi;
}

const carom_stabilization_kind carom_stabilization_penalty = {
    .kind = {.name = "penalty",
             .title = "Masses, springs and dampers in the constraints, which yield a little.",
             .formula = "lambda = -alpha (Phi'' + 2 zeta omega Phi' + omega^2 Phi), (S + diag(S)/penalty) lambda = rhs",
             .source = "Bayo, Garcia de Jalon and Serna 1988, Comput. Methods Appl. Mech. Eng. 71:183-195",
             .validity = "Any integrator. The rank does not matter: redundant constraints share their forces, and "
                         "singular positions are passed. Constraints yield by about the acceleration that they bear "
                         "over penalty omega^2, and the energy residual shows it: for comparison, and where rows "
                         "contradict each other a little. Up to 600 rows.",
             .params = params,
             .param_count = 3},
    .correction = correction,
    .softness = softness,
    .rounds = 1,
};

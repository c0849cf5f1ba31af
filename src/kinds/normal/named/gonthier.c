/* Contact law of Gonthier et al. (2004) with its explicit approximation: F = K delta^n (1 + (1 - e^2)/e rate/v0).
   Source: Gonthier et al. 2004, Multibody Syst. Dyn. 11, 209; Machado et al. 2012, eqs. (39), (41), (42).
   Validity: e > 0; within 0.033 of the restitution asked. Machado et al. 2012 call eq. (42) the exact solution,
   which it is not: d = 1 - e^2 is the initial guess of the implicit relation; the law exact solves it. Called
   gonthier_approx in the reference data. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_gonthier = {
    .kind = {.name = "gonthier",
             .aliases = "gonthier-approx",
             .title = "Contact law of Gonthier et al. (2004) with its explicit approximation.",
             .formula = "F = K delta^n (1 + (1 - e^2)/e rate/v0)",
             .source = "Gonthier et al. 2004, Multibody Syst. Dyn. 11, 209; Machado et al. 2012, eqs. (39), (41), "
                       "(42).",
             .validity = "e > 0; within 0.033 of the restitution asked. Machado et al. 2012 call eq. (42) the "
                         "exact solution, which it is not: d = 1 - e^2 is the initial guess of the implicit "
                         "relation; the law exact solves it. Called gonthier_approx in the reference data."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "gonthier",
    .exponent = 1.5,
};

/* Contact law of Lee and Wang (1983), first function: F = K delta^n (1 + 3(1 - e)/4 rate/v0).
   Source: Lee and Wang 1983, J. Mech. Transm. Autom. Des. 105, 534; Machado et al. 2012, eqs. (33), (34); Autiero
   et al. 2022, eq. (39).
   Validity: Too elastic at every e below 1: half the damping that first order demands. Called lee_wang1 in the
   reference data, lee_wang1_linear with exponent 1, which is the form of Autiero et al. 2022, eq. (39). Misprints:
   the rate in eq. (38) and in eq. (41) there is one too many. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_lee_wang = {
    .kind = {.name = "lee-wang",
             .aliases = "lee-wang1",
             .title = "Contact law of Lee and Wang (1983), first function.",
             .formula = "F = K delta^n (1 + 3(1 - e)/4 rate/v0)",
             .source = "Lee and Wang 1983, J. Mech. Transm. Autom. Des. 105, 534; Machado et al. 2012, eqs. (33), "
                       "(34); Autiero et al. 2022, eq. (39).",
             .validity = "Too elastic at every e below 1: half the damping that first order demands. Called "
                         "lee_wang1 in the reference data, lee_wang1_linear with exponent 1, which is the form of "
                         "Autiero et al. 2022, eq. (39). Misprints: the rate in eq. (38) and in eq. (41) there is "
                         "one too many."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "lee-wang",
    .exponent = 1.5,
};

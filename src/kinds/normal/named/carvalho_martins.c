/* Contact law of Carvalho and Martins (2019), closed form: F = K delta^n (1 + 3(1 - e)(11 - e)/(2(1 + 9e))
   rate/v0).
   Source: Carvalho and Martins 2019, Mech. Mach. Theory 139, 174, as programmed in Exudyn
   (contactSphereSphereTest).
   Validity: Within 0.0002 of the restitution asked above e = 0.5, within 0.004 above 0.3; returns 0.061 of the
   speed at e = 0. The law exact is the root of the relation that it approximates. Formula read in a program, not in
   the paper. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_carvalho_martins = {
    .kind = {.name = "carvalho-martins",
             .title = "Contact law of Carvalho and Martins (2019), closed form.",
             .formula = "F = K delta^n (1 + 3(1 - e)(11 - e)/(2(1 + 9e)) rate/v0)",
             .source = "Carvalho and Martins 2019, Mech. Mach. Theory 139, 174, as programmed in Exudyn "
                       "(contactSphereSphereTest).",
             .validity = "Within 0.0002 of the restitution asked above e = 0.5, within 0.004 above 0.3; returns "
                         "0.061 of the speed at e = 0. The law exact is the root of the relation that it "
                         "approximates. Formula read in a program, not in the paper."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "carvalho-martins",
    .exponent = 1.5,
};

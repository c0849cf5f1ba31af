/* Contact law of Gharib and Hurmuzlu (2012), first law: F = K delta^n (1 + rate/(e v0)).
   Source: Gharib and Hurmuzlu 2012, J. Appl. Mech. 79, 064506; Autiero et al. 2022, eqs. (133), (134); Alves et
   al., table 1.
   Validity: Low restitution only: within 0.019 of that asked up to e = 0.3, 0.501 returned for 0.7 and 0.594 for 1,
   where it should be elastic. The speed -e v0 of its derivation is approached but never reached. The second law,
   with permanent indentation, is that of Lankarani and Nikravesh (1994). Called gharib_hurmuzlu1 in the reference
   data. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_gharib_hurmuzlu = {
    .kind = {.name = "gharib-hurmuzlu",
             .aliases = "gharib-hurmuzlu1",
             .title = "Contact law of Gharib and Hurmuzlu (2012), first law.",
             .formula = "F = K delta^n (1 + rate/(e v0))",
             .source = "Gharib and Hurmuzlu 2012, J. Appl. Mech. 79, 064506; Autiero et al. 2022, eqs. (133), "
                       "(134); Alves et al., table 1.",
             .validity = "Low restitution only: within 0.019 of that asked up to e = 0.3, 0.501 returned for 0.7 "
                         "and 0.594 for 1, where it should be elastic. The speed -e v0 of its derivation is "
                         "approached but never reached. The second law, with permanent indentation, is that of "
                         "Lankarani and Nikravesh (1994). Called gharib_hurmuzlu1 in the reference data."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "gharib-hurmuzlu",
    .exponent = 1.5,
};

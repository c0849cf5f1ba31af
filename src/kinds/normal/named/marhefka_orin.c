/* Contact law of Marhefka and Orin (1999), full factor: F = K delta^n (1 + 3(1 - e^2)/(2(1 + e^3)) rate/v0).
   Source: Marhefka and Orin 1999, IEEE Trans. Syst. Man Cybern. A 29, 566; Autiero et al. 2022, eq. (105).
   Validity: Good above e = 0.8; identical to the law of Herbert and McWhannell. Alves et al., table 1, lists
   Marhefka and Orin with the factor 3(1 - e)/2 of Hunt and Crossley, a third version. Misprint: in Autiero et al.
   2022, eq. (107), the bracket closes before the rate, which belongs to the second term only. Called marhefka_orin3
   in the reference data. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_marhefka_orin = {
    .kind = {.name = "marhefka-orin",
             .aliases = "marhefka-orin3",
             .title = "Contact law of Marhefka and Orin (1999), full factor.",
             .formula = "F = K delta^n (1 + 3(1 - e^2)/(2(1 + e^3)) rate/v0)",
             .source = "Marhefka and Orin 1999, IEEE Trans. Syst. Man Cybern. A 29, 566; Autiero et al. 2022, eq. "
                       "(105).",
             .validity = "Good above e = 0.8; identical to the law of Herbert and McWhannell. Alves et al., table "
                         "1, lists Marhefka and Orin with the factor 3(1 - e)/2 of Hunt and Crossley, a third "
                         "version. Misprint: in Autiero et al. 2022, eq. (107), the bracket closes before the rate, "
                         "which belongs to the second term only. Called marhefka_orin3 in the reference data."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "marhefka-orin",
    .exponent = 1.5,
};

/* Contact law of Marhefka and Orin (1999), truncated factor: F = K delta^n (1 + 3x(2 - x)/(2(2 - 3x)) rate/v0), x =
   1 - e.
   Source: Marhefka and Orin 1999, IEEE Trans. Syst. Man Cybern. A 29, 566; Autiero et al. 2022, eq. (108).
   Validity: Above e = 1/3 only, where the factor has a pole; below it the damping would be negative. Good above e =
   0.7. The powers of x that are left out are not small at low e: prefer the law marhefka-orin. Misprint: in Autiero
   et al. 2022, eq. (108), the bracket closes before the rate. Called marhefka_orin1 in the reference data. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_marhefka_orin_truncated = {
    .kind = {.name = "marhefka-orin-truncated",
             .aliases = "marhefka-orin1",
             .title = "Contact law of Marhefka and Orin (1999), truncated factor.",
             .formula = "F = K delta^n (1 + 3x(2 - x)/(2(2 - 3x)) rate/v0), x = 1 - e",
             .source = "Marhefka and Orin 1999, IEEE Trans. Syst. Man Cybern. A 29, 566; Autiero et al. 2022, eq. "
                       "(108).",
             .validity = "Above e = 1/3 only, where the factor has a pole; below it the damping would be negative. "
                         "Good above e = 0.7. The powers of x that are left out are not small at low e: prefer the "
                         "law marhefka-orin. Misprint: in Autiero et al. 2022, eq. (108), the bracket closes before "
                         "the rate. Called marhefka_orin1 in the reference data."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "marhefka-orin-truncated",
    .exponent = 1.5,
};

/* Contact law of Herbert and McWhannell (1977): F = K delta^n (1 + 6(1 - e)/((2e - 1)^2 + 3) rate/v0).
   Source: Herbert and McWhannell 1977, J. Eng. Ind. 99, 513; Machado et al. 2012, eqs. (31), (32); Autiero et al.
   2022, eqs. (24), (25).
   Validity: Good above e = 0.8. Equal to the full law of Marhefka and Orin (Autiero et al. 2022, eq. (105)). The
   statement that its loop differs from that of Hunt and Crossley by 1.5 % (Machado et al. 2012) holds near e =
   0.985 only; it is 16 % at 0.7. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_herbert_mcwhannell = {
    .kind = {.name = "herbert-mcwhannell",
             .title = "Contact law of Herbert and McWhannell (1977).",
             .formula = "F = K delta^n (1 + 6(1 - e)/((2e - 1)^2 + 3) rate/v0)",
             .source = "Herbert and McWhannell 1977, J. Eng. Ind. 99, 513; Machado et al. 2012, eqs. (31), (32); "
                       "Autiero et al. 2022, eqs. (24), (25).",
             .validity = "Good above e = 0.8. Equal to the full law of Marhefka and Orin (Autiero et al. 2022, eq. "
                         "(105)). The statement that its loop differs from that of Hunt and Crossley by 1.5 % "
                         "(Machado et al. 2012) holds near e = 0.985 only; it is 16 % at 0.7."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "herbert-mcwhannell",
    .exponent = 1.5,
};

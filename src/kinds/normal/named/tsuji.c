/* Contact law of Tsuji, Tanaka and Ishida (1992): F = K delta^n + alpha sqrt(K m) delta^((n-1)/2) rate, alpha =
   sqrt(2(n+1)) zeta(e).
   Source: Tsuji, Tanaka and Ishida 1992, Powder Technol. 71, 239; Autiero et al. 2022, eqs. (89), (90); Alves et
   al., table 1.
   Validity: Returns e exactly with release: raw, where the force pulls before the end; with release: clamp, the
   default, more: 0.550 for 0.5, 0.397 for 0.3, 0.253 for 0.1. Give alpha or restitution; alpha is sqrt(5) zeta(e)
   for Hertz. Misprint: Alves et al., table 1, prints delta^(1/2) in the law and 1/4 in its column. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_tsuji = {
    .kind = {.name = "tsuji",
             .title = "Contact law of Tsuji, Tanaka and Ishida (1992).",
             .formula = "F = K delta^n + alpha sqrt(K m) delta^((n-1)/2) rate, alpha = sqrt(2(n+1)) zeta(e)",
             .source = "Tsuji, Tanaka and Ishida 1992, Powder Technol. 71, 239; Autiero et al. 2022, eqs. (89), "
                       "(90); Alves et al., table 1.",
             .validity = "Returns e exactly with release: raw, where the force pulls before the end; with release: "
                         "clamp, the default, more: 0.550 for 0.5, 0.397 for 0.3, 0.253 for 0.1. Give alpha or "
                         "restitution; alpha is sqrt(5) zeta(e) for Hertz. Misprint: Alves et al., table 1, prints "
                         "delta^(1/2) in the law and 1/4 in its column."},
    .elastic = "power",
    .elastic_without_stiffness = "hertz",
    .damping = "tsuji",
    .exponent = 1.5,
};

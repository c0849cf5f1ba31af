/* Pin in a hollow cylinder after ESDU 78035, without damping.
   delta = W (h_i + h_j) (ln(4 (R_i - R_j)/(W (h_i + h_j))) + 1), W = F/L, h = (1 - nu^2)/(pi E).
   Source: Autiero et al. 2022, Table 1 (there also EDSU-78035); ESDU 78035.
   Validity: A pin in a hollow cylinder; ends at delta = 4 dR. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_esdu_78035 = {
    .kind = {.name = "esdu-78035",
             .aliases = "esdu",
             .title = "Pin in a hollow cylinder after ESDU 78035, without damping.",
             .formula = "delta = W (h_i + h_j) (ln(4 (R_i - R_j)/(W (h_i + h_j))) + 1), W = F/L, h = (1 - nu^2)/(pi "
                        "E)",
             .source = "Autiero et al. 2022, Table 1 (there also EDSU-78035); ESDU 78035.",
             .validity = "A pin in a hollow cylinder; ends at delta = 4 dR. Returns the impact speed in full (e = "
                         "1); `damping` adds a loss. Range, misprints and conventions: the elastic part "
                         "`esdu-78035`."},
    .elastic = "esdu-78035",
    .elastic_without_stiffness = "esdu-78035",
    .damping = "none",
    .exponent = 1.5,
};

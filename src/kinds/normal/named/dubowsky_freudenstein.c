/* Pin in a hollow cylinder after Dubowsky and Freudenstein, without damping.
   delta = F (h_i + h_j)/L (ln(L^3 (R_i - R_j)/(F R_i R_j (h_i + h_j))) + 1), h = (1 - nu^2)/(pi E).
   Source: Autiero et al. 2022, Table 1 and eq. (8); Dubowsky and Freudenstein 1971, J. Eng. Ind. 93, 305.
   Validity: A pin in a hollow cylinder, L^2 well above R delta; ends at delta = L^2/R. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_dubowsky_freudenstein = {
    .kind = {.name = "dubowsky-freudenstein",
             .aliases = "dubowsky",
             .title = "Pin in a hollow cylinder after Dubowsky and Freudenstein, without damping.",
             .formula = "delta = F (h_i + h_j)/L (ln(L^3 (R_i - R_j)/(F R_i R_j (h_i + h_j))) + 1), h = (1 - "
                        "nu^2)/(pi E)",
             .source = "Autiero et al. 2022, Table 1 and eq. (8); Dubowsky and Freudenstein 1971, J. Eng. Ind. 93, "
                       "305.",
             .validity = "A pin in a hollow cylinder, L^2 well above R delta; ends at delta = L^2/R. Returns the "
                         "impact speed in full (e = 1); `damping` adds a loss. Range, misprints and conventions: the "
                         "elastic part `dubowsky-freudenstein`."},
    .elastic = "dubowsky-freudenstein",
    .elastic_without_stiffness = "dubowsky-freudenstein",
    .damping = "none",
    .exponent = 1.5,
};

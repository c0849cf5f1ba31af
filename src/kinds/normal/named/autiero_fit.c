/* Power-law fit of a line contact by Autiero et al. (2022), without damping.
   F = K(dR) L delta^n(dR).
   Source: Autiero et al. 2022, Tables 2-9.
   Validity: Steel or aluminium, dR from 0.5 to 80 mm, forces up to 1000 N a mm of length; `carom force --fit`
   fits any law anew. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_autiero_fit = {
    .kind = {.name = "autiero-fit",
             .aliases = "autiero",
             .title = "Power-law fit of a line contact by Autiero et al. (2022), without damping.",
             .formula = "F = K(dR) L delta^n(dR)",
             .source = "Autiero et al. 2022, Tables 2-9.",
             .validity = "Steel or aluminium, dR from 0.5 to 80 mm, forces up to 1000 N a mm of length. Returns the "
                         "impact speed in full (e = 1); `damping` adds a loss. `carom force --fit` fits any law "
                         "anew, for other materials, radii and forces. Range, misprints and conventions: the elastic "
                         "part `autiero-fit`; ours beside the printed tables: docs/validation.md."},
    .elastic = "autiero-fit",
    .elastic_without_stiffness = "autiero-fit",
    .damping = "none",
    .exponent = 1.5,
};

/* Line contact of rollers after Braendlein, without damping: K delta^1.08.
   Source: Braendlein, Eschmann and Hasbargen 1998, Die Waelzlagerpraxis; Machado et al. 2012, eq. (21).
   Validity: A fit for rolling bearings: K holds the length of the contact, not the radii; its unit is N/m^1.08 (1
   N/mm^1.08 is 1737.8 N/m^1.08). Returns the impact speed in full unless a damping part is named. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_braendlein = {
    .kind = {.name = "braendlein",
             .aliases = "brandlein",
             .title = "Line contact of rollers after Braendlein, without damping.",
             .formula = "F = K delta^1.08",
             .source = "Braendlein, Eschmann and Hasbargen 1998, Die Waelzlagerpraxis; Machado et al. 2012, eq. "
                       "(21).",
             .validity = "A fit for rolling bearings: K holds the length of the contact, not the radii; its unit is "
                         "N/m^1.08 (1 N/mm^1.08 is 1737.8 N/m^1.08). Returns the impact speed in full unless a "
                         "damping part is named."},
    .elastic = "braendlein",
    .damping = "none",
    .exponent = 1.08,
};

/* Line contact of a cylinder and a half-space after van Nijen, without damping: K delta^n.
   Source: van Nijen 1997, On the overrolling of local imperfections in rolling bearings, thesis, University of
   Twente; Machado et al. 2012, text below eq. (21).
   Validity: Unverified: Machado et al. 2012 print neither K nor n, so that both are required. Returns the impact
   speed in full unless a damping part is named. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_nijen = {
    .kind = {.name = "nijen",
             .title = "Line contact of a cylinder and a half-space after van Nijen, without damping.",
             .formula = "F = K delta^n",
             .source = "van Nijen 1997, On the overrolling of local imperfections in rolling bearings, thesis, "
                       "University of Twente; Machado et al. 2012, text below eq. (21).",
             .validity = "Unverified: Machado et al. 2012 print neither K nor n, so that both are required. Returns "
                         "the impact speed in full unless a damping part is named."},
    .elastic = "nijen",
    .damping = "none",
    .exponent = 1.08,
};

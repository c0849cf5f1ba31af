/* Hertz's contact law modified by Goldsmith (1960) for a permanent indentation: F = K delta^n on loading, F_max
   ((delta - delta_p)/(delta_max - delta_p))^n on unloading.
   Source: Goldsmith 1960, Impact; Machado et al. 2012, eq. (22).
   Validity: returns sqrt(1 - delta_p/delta_max) in a free direct impact. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_goldsmith_permanent = {
    .kind =
        {.name = "goldsmith-permanent",
         .aliases = "goldsmith-plastic",
         .title = "Hertz's contact law modified by Goldsmith (1960) for a permanent indentation.",
         .formula =
             "F = K delta^n on loading, F = F_max ((delta - delta_p)/(delta_max - delta_p))^n on unloading, delta_p "
             "= permanent_ratio delta_max",
         .source = "Goldsmith 1960, Impact; Machado et al. 2012, eq. (22).",
         .validity = "Give permanent_ratio, delta_p/delta_max, or restitution, which sets it to 1 - e^2 as Lankarani "
                     "and Nikravesh 1994 do, to whom Machado et al. 2012 refer for delta_p. Returns sqrt(1 - "
                     "permanent_ratio) in a free direct impact, at every speed. Called goldsmith_plastic in the "
                     "reference data. How Goldsmith himself takes delta_p is unverified: the book was not read."},
    .elastic = "goldsmith-permanent",
    .damping = "none",
    .exponent = 1.5,
};

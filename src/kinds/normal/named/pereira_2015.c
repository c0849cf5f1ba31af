/* Internal and external contact of cylinders after Pereira et al. (2015), empirical, without damping: (a dR + b)/dR E*
   L delta^n in mm, N and MPa, n of dR.
   Source: Pereira, Ramalho and Ambrosio 2015, Multibody Syst. Dyn. 35, 277; Autiero et al. 2022, table 1.
   Validity: Internal contact (one radius negative) with dR from 0.005 to 10 mm, other dR are refused; external
   contact of two convex cylinders, of which no range is printed. Models stay in SI. Returns the impact speed in full
   unless a damping part is named. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_pereira_2015 = {
    .kind = {.name = "pereira-2015",
             .title = "Internal and external contact of cylinders after Pereira et al. (2015), empirical, without "
                      "damping.",
             .formula = "F = (a dR + b)/dR E* L delta^n in mm, N and MPa, n of dR",
             .source = "Pereira, Ramalho and Ambrosio 2015, Multibody Syst. Dyn. 35, 277; Autiero et al. 2022, "
                       "table 1.",
             .validity = "Internal contact (one radius negative) with dR from 0.005 to 10 mm, other dR are refused; "
                         "external contact of two convex cylinders, of which no range is printed. Models stay in "
                         "SI. Returns the impact speed in full unless a damping part is named."},
    .elastic = "pereira-2015",
    .elastic_without_stiffness = "pereira-2015",
    .damping = "none",
    .exponent = 1.5,
};

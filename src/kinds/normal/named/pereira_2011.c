/* Internal contact of cylinders after Pereira et al. (2011), empirical, without damping: (0.49 dR + 0.10)/dR E* L
   delta^n in mm, N and MPa, n of dR.
   Source: Pereira, Ramalho and Ambrosio 2011, Surface Effects and Contact Mechanics X, WIT Press, 49; Autiero et al.
   2022, table 1.
   Validity: A pin in a hole with dR = R_hole - R_pin from 0.005 to 10 mm; other dR are refused, and n jumps by 2.3 %
   at 0.75 mm. Models stay in SI. Returns the impact speed in full unless a damping part is named. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_pereira_2011 = {
    .kind = {.name = "pereira-2011",
             .title = "Internal contact of cylinders after Pereira et al. (2011), empirical, without damping.",
             .formula = "F = (0.49 dR + 0.10)/dR E* L delta^n in mm, N and MPa, n of dR",
             .source = "Pereira, Ramalho and Ambrosio 2011, Surface Effects and Contact Mechanics X, WIT Press, 49; "
                       "Autiero et al. 2022, table 1.",
             .validity = "A pin in a hole with dR = R_hole - R_pin from 0.005 to 10 mm; other dR are refused, and n "
                         "jumps by 2.3 % at 0.75 mm. Models stay in SI. Returns the impact speed in full unless a "
                         "damping part is named."},
    .elastic = "pereira-2011",
    .elastic_without_stiffness = "pereira-2011",
    .damping = "none",
    .exponent = 1.5,
};

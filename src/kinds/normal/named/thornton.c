/* Contact law of Thornton (1997) for elastic-perfectly plastic spheres: Hertz up to yield, linear above, unloading
   Hertz with an enlarged radius.
   Source: Thornton 1997, J. Appl. Mech. 64, 383 (re-derived, the paper was not read).
   Validity: restitution 1 up to the speed of yield v_y, falling with the speed above. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_thornton = {
    .kind = {.name = "thornton",
             .title = "Contact law of Thornton (1997), elastic-perfectly plastic spheres: restitution from the yield.",
             .formula =
                 "F = 4/3 E* sqrt(R) delta^1.5 up to delta_y, then F_y + pi p_y R (delta - delta_y); on unloading 4/3 "
                 "E* sqrt(R_p) (delta - delta_p)^1.5",
             .source = "Thornton 1997, J. Appl. Mech. 64, 383 (re-derived, the paper was not read).",
             .validity =
                 "Takes no restitution: with x = v_y/v0 a free direct impact returns e^2 = (6 sqrt(3)/5)(1 - x^2/6) "
                 "sqrt(x/(x + 2 sqrt(6/5 - x^2/5))) above the speed of yield v_y, 1 below it; v_y^2 = 16/15 (E* "
                 "R^3/m)(pi p_y/(2 E*))^5. Materials (E, nu, and yield or contact_yield) and radii are needed. The "
                 "force law is unverified at its source; it gives the published restitution exactly."},
    .elastic = "thornton",
    .elastic_without_stiffness = "thornton",
    .damping = "none",
    .exponent = 1.5,
};

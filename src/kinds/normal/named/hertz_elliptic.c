/* Elliptical contact after Hertz, exact, without damping: K delta^1.5, K from materials, principal radii and the
   angle between their planes.
   Source: Johnson, Contact Mechanics, section 4.2; Bulirsch 1965, Numer. Math. 7, 78.
   Validity: Point contact with two positive relative curvatures; equal to hertz where they are the same. Returns the
   impact speed in full unless a damping part is named. */
#include "kinds/normal/law.h"

const carom_law_kind carom_law_hertz_elliptic = {
    .kind = {.name = "hertz-elliptic",
             .title = "Elliptical contact after Hertz, exact, without damping.",
             .formula = "F = K delta^1.5, K from materials, principal radii and the angle between their planes",
             .source = "Johnson, Contact Mechanics, section 4.2; Bulirsch 1965, Numer. Math. 7, 78.",
             .validity = "Point contact with two positive relative curvatures; equal to hertz where they are the "
                         "same. Returns the impact speed in full unless a damping part is named."},
    .elastic = "hertz-elliptic",
    .elastic_without_stiffness = "hertz-elliptic",
    .damping = "none",
    .exponent = 1.5,
};

/* Line contact of parallel cylinders after Johnson: delta = W/(pi E*) (ln(4 pi E* dR/W) - 1), W = Fe/L, dR = R_i - R_j
   in a hollow cylinder, R_i + R_j outside.
   Source: Autiero et al. 2022, Table 1; Johnson, Contact Mechanics, section 5.6.
   Validity: delta < 0.5413 dR; inverted in closed form. */
#include "kinds/normal/law.h"
#include "kinds/normal/line.h"
#include "base/base.h"

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)p;
    carom_line_contact line;
    const char *refusal = carom_line_read(geometry, &line);
    if (refusal)
        return refusal;
    double A = 1 / (CAROM_PI * line.modulus);
    return carom_line_prepare(A, 4 * CAROM_PI * line.modulus * line.cylinders.difference, -1, line.length, c);
}

const carom_elastic_kind carom_elastic_johnson = {
    .kind = {.name = "johnson",
             .title = "Line contact of two cylinders after Johnson.",
             .formula =
                 "delta = W/(pi E*) (ln(4 pi E* dR/W) - 1), W = Fe/L, 1/E* = (1 - nu_i^2)/E_i + (1 - nu_j^2)/E_j, "
                 "dR = R_i + R_j outside, R_i - R_j inside",
             .source = "Autiero et al. 2022, Table 1; Johnson, Contact Mechanics, section 5.6.",
             .validity =
                 "Two elastic cylinders with parallel axes, outside each other or one in a hollow cylinder (its "
                 "radius negative), not a plane; the force depends on the radii through dR alone. Exact inverse "
                 "by Lambert's W up to delta = 0.5413 dR, where it reaches 1.70 E* dR a length and has no "
                 "continuation; the theory wants a contact width small against the radii and ends long before. "
                 "The clearance of nearly conforming surfaces shrinks the range to zero."},
    .needs = CAROM_NEEDS_MATERIALS | CAROM_NEEDS_RADII | CAROM_NEEDS_LENGTH,
    .prepare = prepare,
    .force = carom_line_force,
    .limit = carom_line_limit,
};

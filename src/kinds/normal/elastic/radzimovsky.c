/* Line contact of parallel cylinders after Radzimovsky: delta = W/(pi E*) (2/3 + ln(4 R_i/b) + ln(4 R_j/b)), W = Fe/L,
   b = 1.60 sqrt(W D/E*) the width of the contact, D = D_i D_j/(D_i -+ D_j) of the diameters; the product of the two
   logarithms' arguments is 8 E* dR/(1.6^2 W).
   Source: Autiero et al. 2022, Table 1 and section 4; Radzimovsky 1953, University of Illinois.
   Validity: delta < 0.7127 dR; inverted in closed form. */
#include "kinds/normal/law.h"
#include "kinds/normal/line.h"
#include "base/base.h"

enum { WIDTH_FROM };

static const carom_param_row params[] = {
    {"width_from", "diameters|radii", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "What D of the contact width b is made of: `diameters`, as meant (8 in the logarithm), or `radii`, with which "
     "Tables "
     "2, 3 and 11 of Autiero et al. were computed (16)."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    carom_line_contact line;
    const char *refusal = carom_line_read(geometry, &line);
    if (refusal)
        return refusal;
    double A = 1 / (CAROM_PI * line.modulus), factor = p[WIDTH_FROM] == 1 ? 16 : 8;
    return carom_line_prepare(A, factor * line.modulus * line.cylinders.difference / (1.6 * 1.6), 2.0 / 3, line.length,
                              c);
}

const carom_elastic_kind carom_elastic_radzimovsky = {
    .kind = {.name = "radzimovsky",
             .aliases = "radzimowsky",
             .title = "Line contact of two cylinders after Radzimovsky.",
             .formula =
                 "delta = W/(pi E*) (ln(8 E* dR/(1.6^2 W)) + 2/3), W = Fe/L, 1/E* = (1 - nu_i^2)/E_i + "
                 "(1 - nu_j^2)/E_j, dR = R_i + R_j outside, R_i - R_j inside; 16 in place of 8 with `width_from: "
                 "radii`",
             .source = "Autiero et al. 2022, Table 1 and section 4; Radzimovsky 1953, University of Illinois.",
             .validity =
                 "Two elastic cylinders with parallel axes, outside each other or one in a hollow cylinder (its "
                 "radius negative), not a plane; the force depends on the radii through dR alone. Table 1 leaves "
                 "b undefined: it is the width 1.60 sqrt(W D/E*) with D of the diameters, which is Hertz's "
                 "within 0.3 % and gives section 4's logarithm. Tables 2, 3 and 11 were computed with radii; "
                 "with diameters their K are up to 24 % larger. Exact inverse by Lambert's W up to delta = "
                 "0.7127 dR (1.4255 dR with radii).",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .needs = CAROM_NEEDS_MATERIALS | CAROM_NEEDS_RADII | CAROM_NEEDS_LENGTH,
    .prepare = prepare,
    .force = carom_line_force,
    .limit = carom_line_limit,
};

/* Line contact of parallel cylinders after Goldsmith: delta = W (h_i + h_j) (ln(L^m/(Fe R (h_i + h_j))) + 1), W = Fe/L,
   m = 3, h = (1 - nu^2)/(pi E), R = R_i R_j/dR.
   Source: Autiero et al. 2022, Table 1 (Goldsmith, Impact).
   Validity: delta < L^2/R; inverted in closed form. */
#include "kinds/normal/law.h"
#include "kinds/normal/line.h"
#include "base/base.h"

enum { CONVENTION, LENGTH_EXPONENT };

static const carom_param_row params[] = {
    {"convention", "literature|printed", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "Compliance of a side: `literature`, h = (1 - nu^2)/(pi E), or `printed`, h = (1 - nu^2)/E as in Autiero et al., "
     "which is pi times too soft."},
    {"length_exponent", "-", 1, 0, 3, 0, 10,
     "Exponent m of L inside the logarithm; with any but 3 the argument has a unit and L^m, R and h are taken in mm "
     "and "
     "N/mm^2, as in Autiero et al."},
};

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    carom_line_contact line;
    const char *refusal = carom_line_read(geometry, &line);
    if (refusal)
        return refusal;
    double stiffness = p[CONVENTION] == 1 ? line.modulus : CAROM_PI * line.modulus; /* 1/(h_i + h_j) */
    double m = p[LENGTH_EXPONENT], unit = m == 3 ? 1 : pow(line.length / 1e-3, m - 3);
    double B = line.length * line.length * unit * stiffness / line.cylinders.radius;
    return carom_line_prepare(1 / stiffness, B, 1, line.length, c);
}

const carom_elastic_kind carom_elastic_goldsmith = {
    .kind = {.name = "goldsmith",
             .title = "Line contact of two cylinders after Goldsmith.",
             .formula = "delta = W (h_i + h_j) (ln(L^3/(Fe R (h_i + h_j))) + 1), W = Fe/L, h = (1 - nu^2)/(pi E), "
                        "1/R = 1/R_i + 1/R_j",
             .source = "Autiero et al. 2022, Table 1; Goldsmith, Impact.",
             .validity =
                 "Two elastic cylinders with parallel axes, outside each other or one in a hollow cylinder (its "
                 "radius negative), or a cylinder on a plane; the indentation depends on the length by itself "
                 "and needs L^2 well above R delta: the range ends at delta = L^2/R. Table 1 prints m = 1 for "
                 "the exponent, one row too high, which leaves the logarithm with a unit; m = 3 is sound and "
                 "makes the law that of Dubowsky and Freudenstein. Its nomenclature drops the pi of h; "
                 "Tables 6, 7 and 11 have it, and used L^m = 1e8 (mm, N) with L = 1 mm outside the logarithm.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .needs = CAROM_NEEDS_MATERIALS | CAROM_NEEDS_RADII | CAROM_NEEDS_LENGTH,
    .prepare = prepare,
    .force = carom_line_force,
    .limit = carom_line_limit,
};

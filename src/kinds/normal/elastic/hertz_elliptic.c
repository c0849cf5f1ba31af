/* Hertz's law for an elliptical contact, exact: Fe = K delta^1.5, K = 2 pi E* k sqrt(E/(A + B))/(3 K_e^1.5), where k =
   a/b >= 1 is the root of (k^2 E - K_e)/(K_e - E) = B/A, K_e and E are the complete elliptic integrals of the parameter
   1 - 1/k^2, and A <= B are half the principal relative curvatures.
   Source: Johnson, Contact Mechanics, section 4.2; Bulirsch 1965, Numer. Math. 7, 78 (the integrals).
   Validity: as Hertz's law; point contact of any ellipse, but not the line contact of parallel cylinders. */
#include "base/base.h"
#include "kinds/normal/geometry.h"
#include "kinds/normal/law.h"
#include "math/elliptic.h"

enum { RADIUS_I2, RADIUS_J2, ANGLE };
enum { STIFFNESS, EXPONENT, AXIS_RATIO, CURVATURE };

static const carom_param_row params[] = {
    {"radius_i2", "m", 1, CAROM_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
     "Second principal radius of the first side, in the plane square to that of radius_i; negative where hollow, 0 "
     "where straight (a cylinder); where not given that of the shape, else radius_i."},
    {"radius_j2", "m", 1, CAROM_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
     "Second principal radius of the second side, in the plane square to that of radius_j; negative where hollow, 0 "
     "where straight (a cylinder); where not given that of the shape, else radius_j."},
    {"angle", "rad", 1, 0, 0, -HUGE_VAL, HUGE_VAL,
     "Angle between the planes of radius_i and radius_j, about the normal."},
};

/* Second radius of a side: as the first where not given, flat where 0. */
static double second(double given, double first) { return isnan(given) ? first : given == 0 ? HUGE_VAL : given; }

/* Those of the shapes, where they are known and not given otherwise. */
static bool known_curvatures(const double *p, const carom_contact_geometry *geometry, double *high, double *low)
{
    *low = geometry->relative[0];
    *high = geometry->relative[1];
    return *high > 0 && isnan(p[RADIUS_I2]) && isnan(p[RADIUS_J2]);
}

/* Principal relative curvatures of two surfaces, high >= low [1/m]. They are the eigenvalues of the sum of the two
   curvature matrices, whose trace and determinant are sums of p, the curvatures of side i against those of side j. */
static void relative_curvatures(const double *p, const double *radius, double *high, double *low)
{
    const double i2 = second(p[RADIUS_I2], radius[0]), j2 = second(p[RADIUS_J2], radius[1]);
    const double p11 = carom_contact_curvature(radius[0], radius[1]), p12 = carom_contact_curvature(radius[0], j2);
    const double p21 = carom_contact_curvature(i2, radius[1]), p22 = carom_contact_curvature(i2, j2);
    const double s = sin(p[ANGLE]), c = cos(p[ANGLE]), ss = s * s, cc = c * c;
    const double first = cc * p11 + ss * p12, other = cc * p22 + ss * p21;
    const double mixed = c * s * carom_contact_curvature(radius[1], -j2);
    *high = 0.5 * (first + other + hypot(first - other, 2 * mixed));
    *low = (cc * p11 * p22 + ss * p12 * p21) / *high;
    /* rounding may leave the lower one above */
    if (*low > *high)
        *low = *high;
}

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    double compliance, high, low; /* 1/E* [1/Pa]; 2B, 2A [1/m] */
    const char *refusal = carom_contact_compliance(geometry, &compliance);
    if (refusal)
        return refusal;
    if (!known_curvatures(p, geometry, &high, &low))
        relative_curvatures(p, geometry->radius, &high, &low);
    if (!(high > 0) || !(low > 0))
        return "Hertz's law of an ellipse needs two positive relative curvatures: these surfaces are flat, conform, or "
               "touch along a line (parallel cylinders: use a law of line contact)";
    const double kc = carom_elliptic_axis_ratio(high / low);
    if (!(kc > 0))
        return "Hertz's law of an ellipse needs a finite ratio of the relative curvatures: these touch along a line";
    const double first = carom_elliptic_integral(kc, 1, 1), second_kind = carom_elliptic_integral(kc, 1, kc * kc);
    c[AXIS_RATIO] = 1 / kc;
    c[CURVATURE] = 0.5 * (high + low);
    c[STIFFNESS] = 2 * CAROM_PI * sqrt(second_kind / (first * c[CURVATURE])) / (3 * compliance * kc * first);
    c[EXPONENT] = 1.5;
    return NULL;
}

static void force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)history;
    carom_three_halves_force(c[STIFFNESS], delta, out);
}

const carom_elastic_kind carom_elastic_hertz_elliptic = {
    .kind = {.name = "hertz-elliptic",
             .title = "Hertz's law for elliptical contacts, from materials and principal radii, exact.",
             .formula = "Fe = K delta^1.5, K = 2 pi/3 E* k sqrt(E/(A + B))/K_e^1.5, (k^2 E - K_e)/(K_e - E) = B/A; "
                        "A + B = (1/R_i + 1/R_i2 + 1/R_j + 1/R_j2)/2, B - A = sqrt(D_i^2 + D_j^2 + 2 D_i D_j cos(2 "
                        "angle))/2, D = 1/R - 1/R_2; K_e, E complete elliptic integrals of the parameter 1 - 1/k^2, "
                        "k = a/b",
             .source = "Johnson, Contact Mechanics, section 4.2; Bulirsch 1965, Numer. Math. 7, 78.",
             .validity = "Elastic and frictionless contact of smooth non-conformal surfaces, both half axes of the "
                         "ellipse small against the radii. Equal to hertz where B = A. The integrals come from the "
                         "arithmetic-geometric mean and k from Newton's method to machine precision, in place of "
                         "the fits of Brewe and Hamrock, whose K is off by up to 9 % for B/A below 100. A line "
                         "contact (A = 0) is refused.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .power_law = true,
    .needs = CAROM_NEEDS_MATERIALS | CAROM_NEEDS_RADII,
    .prepare = prepare,
    .force = force,
};

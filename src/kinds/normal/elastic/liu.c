/* Pin in a cylindrical hole: Fe = pi/2 E* L delta sqrt(delta/(2(dR + delta))), dR the radial clearance.
   Source: Liu, Zhang and Yang 2005, Acta Mech. Sin. 21, 451; Machado et al. 2012, eqs. (25), (26).
   Validity: internal contact of cylinders with parallel axes, dR > 0; made for small clearances and large loads, where
   Hertz fails. */
#include "base/base.h"
#include "kinds/normal/geometry.h"
#include "kinds/normal/law.h"

enum { MODULUS, CLEARANCE };

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)p;
    double compliance; /* 1/E* [1/Pa] */
    carom_cylinders cylinders;
    const char *refusal = carom_contact_compliance(geometry, &compliance);
    if (!refusal)
        refusal = carom_contact_cylinders(geometry, &cylinders);
    if (refusal)
        return refusal;
    if (!(geometry->length > 0))
        return "the law of Liu et al. needs 'length', the length of the line contact [m]";
    if (!cylinders.internal)
        return "the law of Liu et al. is for a pin in a hole: one of the radii must be negative (concave)";
    c[MODULUS] = 0.5 * CAROM_PI * geometry->length / compliance;
    c[CLEARANCE] = cylinders.difference;
    return NULL;
}

/* Integral of t^1.5/sqrt(1 + t) from 0, with t = sinh^2 x: (sinh 4x/4 - 2 sinh 2x + 3x)/4, whose series has positive
   terms only, where the closed form cancels. */
static double stored(double t)
{
    double x = asinh(sqrt(t));
    if (x > 1)
        return 0.25 * sqrt(t) * sqrt(1 + t) * (2 * t - 3) + 0.75 * x;
    /* terms (4x)^j/(4 j!) - 2 (2x)^j/j! of j = 5, 7, ..; the lower ones cancel with 3x */
    double power = x * x * x * x * x, four = 256 * power / 120, two = 64 * power / 120, sum = 0;
    for (int j = 5; j < 40; j += 2) {
        sum += four - two;
        four *= 16 * x * x / ((j + 1) * (j + 2));
        two *= 4 * x * x / ((j + 1) * (j + 2));
    }
    return 0.25 * sum;
}

static void force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)history;
    if (delta <= 0) {
        *out = (carom_elastic_force){0};
        return;
    }
    const double clearance = c[CLEARANCE], secant = c[MODULUS] * sqrt(delta / (2 * (clearance + delta)));
    out->force = secant * delta;
    out->slope = secant * (1.5 - 0.5 * delta / (clearance + delta));
    out->energy = c[MODULUS] * sqrt(0.5) * clearance * clearance * stored(delta / clearance);
    out->loss = 0;
}

const carom_elastic_kind carom_elastic_liu = {
    .kind = {.name = "liu",
             .title = "Pin in a hole after Liu, Zhang and Yang, for cylindrical joints with clearance.",
             .formula = "Fe = pi/2 E* L delta sqrt(delta/(2(dR + delta))), 1/E* = (1 - nu_i^2)/E_i + (1 - "
                        "nu_j^2)/E_j, dR = R_hole - R_pin",
             .source = "Liu, Zhang and Yang 2005, Acta Mech. Sin. 21, 451; Machado et al. 2012, eqs. (25), (26).",
             .validity = "Internal contact of cylinders with parallel axes and a radial clearance dR > 0 (the "
                         "hole's radius is negative). Made for small clearances and large loads, where Hertz's "
                         "theory of line contact does not hold; explicit, defined for every indentation, and "
                         "compared with finite elements (Machado et al. 2012). For delta much above dR it tends to "
                         "the line pi/2 E* L delta/sqrt(2)."},
    .needs = CAROM_NEEDS_MATERIALS | CAROM_NEEDS_RADII | CAROM_NEEDS_LENGTH,
    .prepare = prepare,
    .force = force,
};

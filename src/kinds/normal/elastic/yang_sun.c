/* Line contact of spur gear teeth, linear: Fe = K delta, K = pi/2 E* L, 1/E* = sum (1 - nu^2)/E.
   Source: Yang and Sun 1985, J. Mech. Transm. Autom. Des. 107, 529; Machado et al. 2012, eqs. (23), (24).
   Validity: teeth in line contact. The printed K = pi E L/(4(1 - nu^2)) holds for equal materials, where E* is
   E/(2(1 - nu^2)); with two, each side is a spring pi E L/(2(1 - nu^2)) in series, which gives pi/2 E* L. */
#include "base/base.h"
#include "kinds/normal/geometry.h"
#include "kinds/normal/law.h"

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)p;
    double compliance; /* 1/E* [1/Pa] */
    const char *refusal = carom_contact_compliance(geometry, &compliance);
    if (refusal)
        return refusal;
    if (!(geometry->length > 0))
        return "the law of Yang and Sun needs 'length', the face width of the teeth in contact [m]";
    c[0] = 0.5 * CAROM_PI * geometry->length / compliance;
    c[1] = 1;
    return NULL;
}

static void force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)history;
    carom_linear_force(c[0], delta, out);
}

const carom_elastic_kind carom_elastic_yang_sun = {
    .kind = {.name = "yang-sun",
             .title = "Line contact of spur gear teeth after Yang and Sun, linear.",
             .formula = "Fe = K delta, K = pi/2 E* L, 1/E* = (1 - nu_i^2)/E_i + (1 - nu_j^2)/E_j; of equal "
                        "materials K = pi E L/(4(1 - nu^2))",
             .source = "Yang and Sun 1985, J. Mech. Transm. Autom. Des. 107, 529; Machado et al. 2012, eqs. (23), "
                       "(24).",
             .validity = "Line contact of gear teeth of the face width L ('length'), independent of the radii and "
                         "linear in the indentation, so that it lacks the stiffening of a line contact with the "
                         "load. The source has one material; two are taken as springs pi E L/(2(1 - nu^2)) in "
                         "series, which gives the printed K where they are equal."},
    .power_law = true,
    .needs = CAROM_NEEDS_MATERIALS | CAROM_NEEDS_LENGTH,
    .prepare = prepare,
    .force = force,
};

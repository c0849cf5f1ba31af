/* Hertz's law from materials and radii: Fe = K delta^1.5, K = 4/3 E* sqrt(R), 1/E* = sum (1 - nu^2)/E,
   1/R = 1/R_i + 1/R_j (convex positive, concave negative, flat zero).
   Source: Machado et al. 2012, eqs. (18)-(20); Johnson, Contact Mechanics, section 4.2.
   Validity: elastic, frictionless, non-conformal contact; contact radius and indentation small against R. */
#include "kinds/batch.h"
#include "kinds/normal/geometry.h"
#include "kinds/normal/law.h"

static const char *prepare(const double *p, const carom_contact_geometry *geometry, double *c)
{
    (void)p;
    if (!geometry->has_materials)
        return "Hertz's law needs the materials (E, nu) of both shapes: name a material on each, or give a stiffness";
    double compliance; /* 1/E* [1/Pa] */
    const char *refusal = carom_contact_compliance(geometry, &compliance);
    if (refusal)
        return refusal;
    double k = carom_contact_curvature(geometry->radius[0], geometry->radius[1]);
    if (!(k > 0))
        return "Hertz's law needs 1/R = 1/R_i + 1/R_j > 0: these surfaces are flat or conform (concave radii are "
               "negative); "
               "give a stiffness";
    c[0] = 4 / (3 * compliance * sqrt(k));
    c[1] = 1.5;
    return NULL;
}

static void force(const double *c, const double *history, double delta, carom_elastic_force *out)
{
    (void)history;
    carom_three_halves_force(c[0], delta, out);
}

CAROM_ELASTIC_BATCH(force)

const carom_elastic_kind carom_elastic_hertz = {
    .kind = {.name = "hertz",
             .title = "Hertz's law for spheres, from materials and radii.",
             .formula = "Fe = K delta^1.5, K = 4/3 E* sqrt(R), 1/E* = (1 - nu_i^2)/E_i + (1 - nu_j^2)/E_j, "
                        "1/R = 1/R_i + 1/R_j",
             .source = "Machado et al. 2012, eqs. (18)-(20); Johnson, Contact Mechanics, section 4.2.",
             .validity =
                 "Elastic and frictionless contact of smooth non-conformal surfaces, with a contact radius small "
                 "against R and an impact slow against elastic waves. Radii are positive for convex, negative for "
                 "concave and infinite for flat surfaces. In planar models discs and lines are taken as spheres and "
                 "planes: the same formula is used, the length of a cylinder does not enter."},
    .power_law = true,
    .needs = CAROM_NEEDS_MATERIALS | CAROM_NEEDS_RADII,
    .prepare = prepare,
    .force = force,
    .batch = batch,
};

/* What several elastic kinds take from the geometry of a contact. Radii: convex positive, concave negative, flat
   HUGE_VAL. */
#ifndef CAROM_NORMAL_GEOMETRY_H
#define CAROM_NORMAL_GEOMETRY_H

#include "kinds/kind.h"

/* 1/E* = sum (1 - nu^2)/E [1/Pa]. Returns NULL or the sentence of the refusal. */
static inline const char *carom_contact_compliance(const carom_contact_geometry *geometry, double *out)
{
    *out = 0;
    if (!geometry->has_materials)
        return "the law needs the materials (E, nu) of both sides: name a material on each shape, or give E_i, nu_i, "
               "E_j, nu_j";
    for (int side = 0; side < 2; side++)
        *out += (1 - geometry->poisson[side] * geometry->poisson[side]) / geometry->young[side];
    return *out > 0 && isfinite(*out) ? NULL : "the law needs a finite, positive modulus E* of the two materials";
}

/* 1/a + 1/b [1/m], written so that nearly equal radii of opposite sign do not cancel twice. */
static inline double carom_contact_curvature(double a, double b)
{
    if (isinf(a))
        return isinf(b) ? 0 : 1 / b;
    if (isinf(b))
        return 1 / a;
    return (a + b) / (a * b);
}

/* Two cylinders with parallel axes, or a cylinder and a plane (dR = HUGE_VAL). */
typedef struct carom_cylinders {
    bool internal;     /* one of them lies in the hollow of the other */
    double difference; /* dR = |R_i + R_j| of the signed radii: R_hollow - R_pin, or R_i + R_j [m] */
    double radius;     /* R = R_i R_j/dR of the sizes [m] */
} carom_cylinders;

/* Returns NULL or the sentence of the refusal. */
static inline const char *carom_contact_cylinders(const carom_contact_geometry *geometry, carom_cylinders *out)
{
    const double a = geometry->radius[0], b = geometry->radius[1];
    const double curvature = carom_contact_curvature(a, b);
    if (!(curvature > 0))
        return "the law needs 1/R = 1/R_i + 1/R_j > 0: these surfaces are flat or conform; a concave radius is "
               "negative and larger in size than that of the pin";
    out->internal = a < 0 || b < 0;
    out->difference = fabs(a + b);
    out->radius = 1 / curvature;
    return NULL;
}

#endif

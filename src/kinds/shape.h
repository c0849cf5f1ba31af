/* Shapes and pairs: their kinds, and what pairs need of shapes. */
#ifndef CAROM_SHAPE_H
#define CAROM_SHAPE_H

#include "kinds/kinds.h"

#define CAROM_KIND(symbol) extern const carom_shape_kind carom_shape_##symbol;
#include "kinds/shape/shape.def"
#undef CAROM_KIND
#define CAROM_KIND(symbol) extern const carom_pair_kind carom_pair_##symbol;
#include "kinds/pair/pair.def"
#undef CAROM_KIND

/* Radius of a sphere [m]; negative: hollow, the material lies outside. */
static inline double carom_sphere_radius(const double *p) { return p[0]; }

/* Radius of a ring or bore [m]. */
static inline double carom_round_radius(const double *p) { return p[0]; }

/* Unit vector along a (any length but zero); the length is scaled where its square would leave the range of doubles. */
static inline carom_vec3 carom_unit(carom_vec3 a)
{
    double square = carom_v3_dot(a, a);
    if (!(square > 1e-200 && square < 1e200)) {
        double largest = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
        a = carom_v3(a.x / largest, a.y / largest, a.z / largest);
        square = carom_v3_dot(a, a);
    }
    return carom_v3_scale(1 / sqrt(square), a);
}

/* Unit normal of a plane out of the material, world axes [-]. */
static inline carom_vec3 carom_plane_normal(const carom_shape_pose *plane)
{
    return carom_unit(carom_m3_apply(&plane->axes, carom_v3_load(plane->p)));
}

/* Unit vector along the axis of a ring or bore, world axes [-]. */
static inline carom_vec3 carom_round_axis(const carom_shape_pose *shape)
{
    return carom_unit(carom_m3_apply(&shape->axes, carom_v3_load(shape->p + 1)));
}

#endif

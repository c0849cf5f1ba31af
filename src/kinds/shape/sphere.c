/* Sphere (a disc in planar models) about the origin of the shape: |r| = R; a negative radius is a hollow sphere with
   the material outside.
   Source: Machado et al. 2012, section 3 (contact geometry) and eq. (20) (sign of the radius).
   Validity: any radius but zero. */
#include "kinds/shape.h"

static const carom_param_row params[] = {
    {"radius", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_NONZERO, 0, -HUGE_VAL, HUGE_VAL,
     "Radius; negative: a hollow sphere with the other shape inside."},
};

static double bounding_radius(const double *p)
{
    double radius = carom_sphere_radius(p);
    return radius > 0 ? radius : HUGE_VAL;
}

const carom_shape_kind carom_shape_sphere = {
    .kind = {.name = "sphere",
             .title = "Sphere, or disc in planar models; hollow when the radius is negative.",
             .formula = "|r| = radius",
             .source = "Machado et al. 2012, section 3 and eq. (20) (sign of the radius).",
             .validity = "Any radius but zero. The material of a hollow sphere fills the space outside.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_2d = true,
    .in_3d = true,
    .bounding_radius = bounding_radius,
};

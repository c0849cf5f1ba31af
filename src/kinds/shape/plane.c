/* Plane (a line in planar models) through the origin of the shape: normal . r = 0; the material lies behind the normal.
   Source: Machado et al. 2012, section 4, eq. (20) (plane surface as infinite radius).
   Validity: unbounded; the body behind it is a half-space. */
#include "kinds/shape.h"

static const carom_param_row params[] = {
    {"normal", "-", 3, CAROM_PARAM_REQUIRED | CAROM_PARAM_NONZERO, 0, -HUGE_VAL, HUGE_VAL,
     "Normal out of the material, of any length."},
};

static double bounding_radius(const double *p)
{
    (void)p;
    return HUGE_VAL;
}

const carom_shape_kind carom_shape_plane = {
    .kind = {.name = "plane",
             .title = "Plane, or line in planar models, through the origin of the shape.",
             .formula = "normal . r = 0, material where normal . r < 0",
             .source = "Machado et al. 2012, section 4, eq. (20).",
             .validity = "Unbounded in all directions; the material behind it is a half-space.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .has_axes = true,
    .in_2d = true,
    .in_3d = true,
    .bounding_radius = bounding_radius,
};

/* Cylinder about the z-axis of the shape, closed by flat ends, its rims rounded or sharp (in space).
   Source: Machado et al. 2012, section 3, eqs. (7)-(13); Rodrigues da Silva et al. 2024, section 3.1.
   Validity: the rims' rounding at most the radius and half the length. */
#include "kinds/shape/shape_solid.h"

static const carom_param_row params[] = {
    {"radius", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Radius."},
    {"length", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Length along z, half of it to each side of the origin."},
    {"rim", "m", 1, 0, 0, 0, HUGE_VAL, "Radius of the rounding of the rims; 0: sharp."},
    {"hollow", "false|true", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "`true`: the material is outside, the other shape inside, between both ends, which are closed."},
};

static const char *solid(const double *p, const carom_spline_table *splines, double *out)
{
    (void)splines;
    double *a = carom_solid_begin(out, &carom_surface_cylinder, p[3] > 0);
    a[0] = p[0];
    a[1] = 0.5 * p[1];
    a[2] = p[2];
    return carom_solid_check(out);
}

const carom_shape_kind carom_shape_cylinder = {
    .kind = {.name = "cylinder",
             .title = "Cylinder about the z-axis of the shape, with flat ends (3-D).",
             .formula = "hypot(x, y) = radius, |z| <= length/2",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(13) (common normal); Rodrigues da Silva et al. 2024, "
                       "section 3.1 (parametric surfaces).",
             .validity =
                 "The rounding of the rims is at most the radius and half the length. On a plane it touches with "
                 "the lowest point of each end, and so it lies on two points; standing upright it has five, those "
                 "of its flat end. On boxes, meshes, cylinders, cones and height fields a flat end has eight corners "
                 "in the material, the first towards x: between two of them an upright cylinder tips at 0.924 of the "
                 "radius, up to 7.6 % before a round end. At a sharp rim the radius is zero: give the contact a "
                 "stiffness, or radii.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_3d = true,
    .solid = solid,
};

/* Cone or truncated cone about the z-axis of the shape, closed by flat ends, its rims rounded or sharp (in space).
   Source: Machado et al. 2012, section 3, eqs. (7)-(13); Rodrigues da Silva et al. 2024, section 3.1.
   Validity: one of the radii is positive; rounded rims leave flat ends. */
#include "kinds/shape/shape_solid.h"

static const carom_param_row params[] = {
    {"radius_below", "m", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Radius of the end at -z; 0: a tip."},
    {"radius_above", "m", 1, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Radius of the end at +z; 0: a tip."},
    {"length", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Length along z, half of it to each side of the origin."},
    {"rim", "m", 1, 0, 0, 0, HUGE_VAL, "Radius of the rounding of the rims; 0: sharp."},
    {"hollow", "false|true", 1, CAROM_PARAM_TEXT, 0, 0, 1,
     "`true`: the material is outside, the other shape inside, between both ends, which are closed."},
};

static const char *solid(const double *p, const carom_spline_table *splines, double *out)
{
    (void)splines;
    double *a = carom_solid_begin(out, &carom_surface_cone, p[4] > 0);
    a[0] = p[0];
    a[1] = p[1];
    a[2] = 0.5 * p[2];
    a[3] = p[3];
    return carom_solid_check(out);
}

const carom_shape_kind carom_shape_cone = {
    .kind = {.name = "cone",
             .title = "Cone or truncated cone about the z-axis of the shape, with flat ends (3-D).",
             .formula = "hypot(x, y) = (radius_below + radius_above)/2 + (radius_above - radius_below) z/length",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(13) (common normal); Rodrigues da Silva et al. 2024, "
                 "section 3.1 (parametric surfaces).",
             .validity = "One of the radii is positive. On a plane it touches with the lowest point of each end, "
                 "and stands on five points of a flat one. At a sharp rim or tip the radius is zero: give the contact "
                 "a stiffness, or radii.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_3d = true,
    .solid = solid,
};

/* Ellipsoid about the origin of the shape, its axes those of the shape (in space).
   Source: Machado et al. 2012, section 3, eqs. (7)-(13); Rodrigues da Silva et al. 2024, section 3.1.
   Validity: any positive half axes. */
#include "kinds/shape/shape_solid.h"

static const carom_param_row params[] = {
    {"half_axes", "m", 3, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Half axes along x, y and z."},
    {"hollow", "false|true", 1, CAROM_PARAM_TEXT, 0, 0, 1, "`true`: the material is outside, the other shape inside."},
};

static const char *solid(const double *p, const carom_spline_table *splines, double *out)
{
    (void)splines;
    double *a = carom_solid_begin(out, &carom_surface_ellipsoid, p[3] > 0);
    for (int k = 0; k < 3; k++)
        a[k] = p[k];
    return carom_solid_check(out);
}

const carom_shape_kind carom_shape_ellipsoid = {
    .kind = {.name = "ellipsoid",
             .title = "Ellipsoid about the origin of the shape (3-D).",
             .formula = "(x/a)^2 + (y/b)^2 + (z/c)^2 = 1",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(13) (common normal); Rodrigues da Silva et al. 2024, "
                       "section 3.1 (parametric surfaces).",
             .validity =
                 "Any positive half axes. A hollow one is touched in one point, the deepest: what is inside must "
                 "be rounder than it.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_3d = true,
    .solid = solid,
};

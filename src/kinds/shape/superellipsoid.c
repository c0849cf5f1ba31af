/* Superellipsoid about the origin of the shape, from a rounded box (small exponents) over the ellipsoid (1, 1) to an
   octahedron with bulging faces (in space).
   Source: Barr 1981, IEEE Computer Graphics and Applications 1(1), 11-23; Machado et al. 2012, section 3, eqs.
   (7)-(13). Validity: exponents from 0.2 to 1.8. */
#include "kinds/shape/shape_solid.h"

static const carom_param_row params[] = {
    {"half_axes", "m", 3, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Half axes along x, y and z."},
    {"e1", "-", 1, 0, 1, 0.2, 1.8, "Exponent of the meridians, from the equator to the poles."},
    {"e2", "-", 1, 0, 1, 0.2, 1.8, "Exponent of the equator."},
    {"hollow", "false|true", 1, CAROM_PARAM_TEXT, 0, 0, 1, "`true`: the material is outside, the other shape inside."},
};

static const char *solid(const double *p, const carom_spline_table *splines, double *out)
{
    (void)splines;
    double *a = carom_solid_begin(out, &carom_surface_superellipsoid, p[5] > 0);
    for (int k = 0; k < 5; k++)
        a[k] = p[k];
    return carom_solid_check(out);
}

const carom_shape_kind carom_shape_superellipsoid = {
    .kind = {.name = "superellipsoid",
             .title = "Superellipsoid about the origin of the shape (3-D).",
             .formula = "(|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1) = 1",
             .source =
                 "Barr 1981, IEEE Computer Graphics and Applications 1(1), 11-23; Machado et al. 2012, section 3, "
                 "eqs. (7)-(13).",
             .validity =
                 "Exponents from 0.2 to 1.8, where it is convex and has one normal everywhere. Below 1 it is flat "
                 "at its axes, so that laws which take the radii from the geometry refuse a contact there; above 1"
                 " its curvature is unbounded there.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_3d = true,
    .solid = solid,
};

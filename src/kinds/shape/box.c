/* Box (a rectangle in the plane) about the origin of the shape.
   Source: Machado et al. 2012, section 3, eqs. (7)-(16) (contact of planar profiles and of surfaces).
   Validity: positive sides. */
#include "kinds/shape/shape_solid.h"

static const carom_param_row params[] = {
    {"size", "m", 3, CAROM_PARAM_REQUIRED, 0, 0, HUGE_VAL, "Lengths along x, y and, in space, z."},
    {"edge", "m", 1, 0, 0, 0, HUGE_VAL, "In space: radius of the rounding of the edges; 0: sharp."},
};

static const char *curve(const double *p, const carom_shape_lists *lists, double *curve, int *item)
{
    (void)lists;
    *item = -1;
    if (p[3] > 0)
        return "`edge` is for models in space; the corners of a box in the plane are sharp";
    return carom_outline_box(curve, carom_v2(0, 0), p[0], p[1], 0);
}

static const char *solid(const double *p, const carom_spline_table *splines, double *out)
{
    (void)splines;
    double *a = carom_solid_begin(out, &carom_surface_box, false);
    for (int k = 0; k < 3; k++)
        a[k] = 0.5 * p[k];
    a[3] = p[3];
    return carom_solid_check(out);
}

const carom_shape_kind carom_shape_box = {
    .kind =
        {.name = "box",
         .title = "Box about the origin of the shape; in the plane a rectangle.",
         .formula = "|x| = size_x/2 or |y| = size_y/2, in space or |z| = size_z/2",
         .source = "Machado et al. 2012, section 3, eqs. (7)-(16) (contact of planar profiles).",
         .validity =
             "It rests on a plane on its corners, on another box in space on the corners of the patch on which their "
             "faces lie over each other; on a curve or another solid it touches in one point at a time. At a sharp "
             "corner the radius is zero: give the contact a stiffness, or radii, or in space round "
             "the edges.",
         .params = params,
         .param_count = (int)(sizeof params / sizeof params[0])},
    .surface = "curve",
    .in_2d = true,
    .in_3d = true,
    .curve = curve,
    .solid = solid,
    .bounding_radius = carom_curve_bounding_radius,
    .mesh = carom_curve_mesh,
};

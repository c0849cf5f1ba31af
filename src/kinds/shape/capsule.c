/* Capsule (a stadium): all points within the radius of the line between two points.
   Source: Machado et al. 2012, section 3, eqs. (7)-(16) (contact of planar profiles and of surfaces).
   Validity: the points differ. */
#include "kinds/shape/shape_solid.h"

static const carom_param_row params[] = {
    {"from", "m", 3, CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL, "Centre of the first round end."},
    {"to", "m", 3, CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL, "Centre of the second round end."},
    {"radius", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Radius of the ends; half the width."},
};

static const char *curve(const double *p, const carom_shape_lists *lists, double *curve, int *item)
{
    (void)lists;
    *item = -1;
    return carom_outline_capsule(curve, carom_v2(p[0], p[1]), carom_v2(p[3], p[4]), p[6], false);
}

static const char *solid(const double *p, const carom_spline_table *splines, double *out)
{
    (void)splines;
    const carom_vec3 from = carom_v3_load(p), to = carom_v3_load(p + 3), way = carom_v3_sub(to, from);
    const double length = carom_v3_norm(way);
    double *a = carom_solid_begin(out, &carom_surface_capsule, false);
    if (!(length > 0))
        return "the two points of a capsule must differ; about one point it is a sphere";
    a[0] = p[6];
    a[1] = 0.5 * length;
    carom_solid_place(out, carom_v3_scale(0.5, carom_v3_add(from, to)), way);
    return carom_solid_check(out);
}

const carom_shape_kind carom_shape_capsule = {
    .kind = {.name = "capsule",
             .title = "Capsule: a bar with round ends.",
             .formula = "distance of r from the line from - to = radius",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(16) (contact of planar profiles).",
             .validity =
                 "The two points differ. It rests on a plane, on boxes, meshes and the ends of cylinders, and in the "
                 "bore of a tube at both ends; on a curve or another solid it touches in one point at a time.",
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

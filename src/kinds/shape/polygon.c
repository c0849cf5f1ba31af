/* Polygon through points, closed, with the material inside.
   Source: Machado et al. 2012, section 3, eqs. (7)-(16) (contact of planar profiles).
   Validity: counterclockwise and without crossings. */
#include "kinds/shape/shape.h"

static const carom_param_row params[] = {
    {"points", "m", 0, CAROM_PARAM_REQUIRED | CAROM_PARAM_POINTS, 0, -HUGE_VAL, HUGE_VAL,
     "Corners counterclockwise, three at least; the last is joined to the first."},
};

static int segments(const double *p, const carom_shape_lists *lists)
{
    (void)p;
    return (int)lists->point_count;
}

static const char *curve(const double *p, const carom_shape_lists *lists, double *curve, int *item)
{
    (void)p;
    *item = -1;
    if (lists->point_count < 3)
        return "a polygon has at least three points; a wall between two is a segment";
    carom_curve_builder b = carom_curve_begin(curve, (int)lists->point_count);
    carom_curve_polyline(&b, (const carom_vec2 *)lists->points, (int)lists->point_count, true);
    const char *refusal = carom_curve_finish(&b, true, CAROM_MATERIAL_INSIDE);
    *item = b.segment;
    return refusal;
}

const carom_shape_kind carom_shape_polygon = {
    .kind =
        {.name = "polygon",
         .title = "Polygon, closed, with the material inside (2-D).",
         .formula = "lines through the points in turn",
         .source = "Machado et al. 2012, section 3, eqs. (7)-(16) (contact of planar profiles).",
         .validity =
             "Counterclockwise, without crossings; it may be concave. It rests on a plane on its convex corners; on a "
             "curve it "
             "touches in one point at a time. At a corner the radius is zero: give the contact a stiffness, or radii.",
         .params = params,
         .param_count = (int)(sizeof params / sizeof params[0])},
    .surface = "curve",
    .in_2d = true,
    .segments = segments,
    .curve = curve,
    .bounding_radius = carom_curve_bounding_radius,
    .mesh = carom_curve_mesh,
};

/* Whole outlines: segment, circle, capsule, box, sector, polygon. Hollows are the same outlines the other way round. */
#include "geometry/curve/segment.h"

static const char *finish(carom_curve_builder *b, bool hollow)
{
    if (carom_curve_finish(b, true, CAROM_MATERIAL_INSIDE))
        return b->refusal;
    if (hollow)
        carom_curve_reverse(b->curve);
    return NULL;
}

const char *carom_outline_segment(double *curve, carom_vec2 from, carom_vec2 to)
{
    carom_curve_builder b = carom_curve_begin(curve, 1);
    carom_curve_line(&b, from, to);
    return carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT);
}

const char *carom_outline_circle(double *curve, carom_vec2 centre, double radius, bool hollow)
{
    carom_curve_builder b = carom_curve_begin(curve, 1);
    carom_curve_arc(&b, centre, radius, 0, 2 * CAROM_PI);
    return finish(&b, hollow);
}

const char *carom_outline_capsule(double *curve, carom_vec2 from, carom_vec2 to, double radius, bool hollow)
{
    carom_vec2 along = carom_v2_sub(to, from);
    double length = carom_v2_norm(along), angle = atan2(along.y, along.x);
    if (!(radius > 0 && isfinite(radius)))
        return "the radius must be positive: half the width between the straight sides";
    if (!(length > 1e-9 * radius && isfinite(length)))
        return "the two centres are the same: give a circle instead, or move them apart";
    carom_vec2 side = carom_v2_scale(radius / length, carom_v2_right(along));
    carom_curve_builder b = carom_curve_begin(curve, 4);
    carom_curve_line(&b, carom_v2_add(from, side), carom_v2_add(to, side));
    carom_curve_arc(&b, to, radius, angle - 0.5 * CAROM_PI, angle + 0.5 * CAROM_PI);
    carom_curve_line(&b, carom_v2_sub(to, side), carom_v2_sub(from, side));
    carom_curve_arc(&b, from, radius, angle + 0.5 * CAROM_PI, angle + 1.5 * CAROM_PI);
    return finish(&b, hollow);
}

const char *carom_outline_box(double *curve, carom_vec2 centre, double length, double height, double angle)
{
    if (!(length > 0 && height > 0 && isfinite(length) && isfinite(height)))
        return "the length and the height of the box must be positive";
    carom_pose2 X = carom_pose2_of(angle, centre);
    const double a = 0.5 * length, b = 0.5 * height;
    const carom_vec2 corners[4] = {carom_pose2_apply(&X, carom_v2(-a, -b)), carom_pose2_apply(&X, carom_v2(a, -b)),
                                   carom_pose2_apply(&X, carom_v2(a, b)), carom_pose2_apply(&X, carom_v2(-a, b))};
    return carom_outline_polygon(curve, corners, 4);
}

const char *carom_outline_sector(double *curve, carom_vec2 centre, double radius, double half_width, double from,
                                 double to, bool hollow)
{
    if (!(half_width > 0 && radius > half_width && isfinite(radius)))
        return "the half width must be positive and less than the radius of the centre line";
    if (!(to > from && to - from <= 2 * CAROM_PI))
        return "the second angle must be the larger one, by at most a whole turn";
    carom_vec2 first = carom_v2_add_scaled(centre, radius, carom_v2(cos(from), sin(from)));
    carom_vec2 second = carom_v2_add_scaled(centre, radius, carom_v2(cos(to), sin(to)));
    carom_curve_builder b = carom_curve_begin(curve, 4);
    carom_curve_arc(&b, centre, radius + half_width, from, to);
    carom_curve_arc(&b, second, half_width, to, to + CAROM_PI);
    carom_curve_arc(&b, centre, radius - half_width, to, from);
    carom_curve_arc(&b, first, half_width, from + CAROM_PI, from + 2 * CAROM_PI);
    return finish(&b, hollow);
}

const char *carom_outline_polygon(double *curve, const carom_vec2 *points, int count)
{
    carom_curve_builder b = carom_curve_begin(curve, count);
    carom_curve_polyline(&b, points, count, true);
    return finish(&b, false);
}

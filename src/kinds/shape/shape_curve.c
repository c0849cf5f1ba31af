/* What the shapes and pairs of curves share: segments from their definitions, poses of the plane, points of contact. */
#include "kinds/shape/shape.h"

#include <string.h>

/* ---- outlines ---- */

static carom_curve_spline_ends spline_ends(const carom_outline_def *segment)
{
    if (segment->ends && strcmp(segment->ends, "periodic") == 0)
        return CAROM_SPLINE_PERIODIC;
    return segment->ends && strcmp(segment->ends, "clamped") == 0 ? CAROM_SPLINE_CLAMPED : CAROM_SPLINE_NATURAL;
}

int carom_outline_segments(const carom_outline_def *segment)
{
    return strcmp(segment->type, "spline") == 0 ? (int)segment->point_count : 1;
}

/* Points of the plane are pairs of doubles, as a carom_vec2 is. */
_Static_assert(sizeof(carom_vec2) == 2 * sizeof(double), "a carom_vec2 is two doubles");

static const char *add_spline(carom_curve_builder *b, const carom_outline_def *segment)
{
    carom_curve_spline_ends ends = spline_ends(segment);
    if (ends == CAROM_SPLINE_CLAMPED && segment->tangent_count != 2)
        return "clamped ends need `tangents`, the directions at the first and the last point";
    if (ends != CAROM_SPLINE_CLAMPED && segment->tangent_count)
        return "`tangents` go with `ends: clamped`";
    return carom_curve_spline(b, (const carom_vec2 *)segment->points, (int)segment->point_count, ends,
                              ends == CAROM_SPLINE_CLAMPED ? (const carom_vec2 *)segment->tangents : NULL);
}

const char *carom_outline_add(carom_curve_builder *b, const carom_outline_def *segment)
{
    if (strcmp(segment->type, "arc") == 0)
        return carom_curve_arc(b, carom_v2(segment->centre[0], segment->centre[1]), segment->radius, segment->from,
                               segment->to);
    if (strcmp(segment->type, "polynomial") == 0) {
        if (segment->coefficient_count < 1 || segment->coefficient_count > CAROM_CURVE_DEGREE + 1)
            return "a polynomial has 1 to 8 coefficients, beginning with the constant one";
        return carom_curve_polynomial(b, segment->coefficients, (int)segment->coefficient_count - 1, segment->from,
                                      segment->to);
    }
    if (strcmp(segment->type, "spline") == 0)
        return add_spline(b, segment);
    if (segment->point_count != 2)
        return "a line has two points, its ends";
    const double *p = segment->points;
    return carom_curve_line(b, carom_v2(p[0], p[1]), carom_v2(p[2], p[3]));
}

/* ---- pairs ---- */

carom_pose2 carom_shape_pose2(const carom_shape_pose *shape)
{
    return (carom_pose2){shape->axes.m[0][0], shape->axes.m[1][0], carom_v2(shape->origin.x, shape->origin.y)};
}

/* Radius of a curvature; no curvature is flat, an infinite one a corner. */
static double radius_of(double curvature)
{
    if (isinf(curvature))
        return 0;
    return curvature != 0 ? 1 / curvature : HUGE_VAL;
}

void carom_curve_pair_point(const carom_shape_pose *i, const carom_shape_pose *j, const carom_curve_contact *contact,
                            carom_pair_point *out)
{
    const carom_pose2 frame = carom_shape_pose2(i);
    const carom_vec2 normal = carom_pose2_turn(&frame, contact->normal);
    const carom_vec2 middle = carom_v2_scale(0.5, carom_v2_add(contact->point_i, contact->point_j));
    const carom_vec2 from = carom_pose2_turn(&frame, middle);
    out->gap = contact->gap;
    out->normal = carom_v3(normal.x, normal.y, 0);
    out->from_i = carom_v3(from.x, from.y, 0);
    out->point = carom_v3_add(i->origin, out->from_i);
    out->from_j = carom_v3_add(out->from_i, carom_v3_sub(i->origin, j->origin));
    out->radius_i = radius_of(contact->curvature_i);
    out->radius_j = radius_of(contact->curvature_j);
    out->place_i = contact->s_i;
    out->place_j = contact->s_j;
    out->residual = fmax(contact->parallel, contact->along);
    out->common = contact->common;
}

/* The points by which a curve may lie on a plane. Sides that are straight or concave touch a plane by their ends,
   so that these are the points: each convex corner (or open end) between two such sides, and the lowest point of
   each run of convex segments, which takes the corners at its own ends with it. A polygon lies on its corners, a
   capsule on its two rounds, a smooth convex outline on one point. */
#include "geometry/curve/segment.h"

#include <string.h>

/* Whether a segment may touch a plane between its ends. */
static bool is_round(const double *segment)
{
    if (carom_segment_arc(segment))
        return segment[CAROM_SEGMENT_ARC_SWEEP] > 0;
    if (carom_segment_line(segment))
        return false;
    for (int k = 0; k <= 8; k++) {
        carom_segment_point c;
        carom_segment_eval(segment, k / 8.0, &c);
        if (carom_segment_curvature(&c) > 0)
            return true;
    }
    return false;
}

int carom_curve_segment_before(const double *curve, int joint)
{
    const int count = carom_curve_segments(curve);
    return joint > 0 ? joint - 1 : carom_curve_closed(curve) ? count - 1 : -1;
}

int carom_curve_segment_behind(const double *curve, int joint)
{
    const int count = carom_curve_segments(curve);
    return joint < count ? joint : carom_curve_closed(curve) ? 0 : -1;
}

static bool round_at(const double *curve, int segment)
{
    return segment >= 0 && is_round(carom_segment(curve, segment));
}

/* Whether a joint is a point by itself. */
static bool is_point(const double *curve, int joint)
{
    carom_curve_joint at;
    if (round_at(curve, carom_curve_segment_before(curve, joint)) ||
        round_at(curve, carom_curve_segment_behind(curve, joint)))
        return false;
    carom_curve_joint_at(curve, joint, &at);
    return at.kind == CAROM_JOINT_CONVEX || at.kind == CAROM_JOINT_END;
}

/* Whether a run begins with a segment. Segments that are round all the way are one run, which begins with the first. */
static bool begins_run(const double *curve, int segment)
{
    if (!round_at(curve, segment))
        return false;
    if (!round_at(curve, carom_curve_segment_before(curve, segment)))
        return true;
    for (int k = 0; k < carom_curve_segments(curve); k++)
        if (!round_at(curve, k))
            return false;
    return segment == 0 && carom_curve_closed(curve);
}

/* Joints and runs in turn. Segments have room for all but the last support of an open curve that has one at each
   joint. */
void carom_curve_mark_supports(double *curve)
{
    const int segments = carom_curve_segments(curve), joints = segments + (carom_curve_closed(curve) ? 0 : 1);
    int count = 0;
    for (int k = 0; k < joints; k++) {
        const bool run = k < segments && begins_run(curve, k);
        if (!run && !is_point(curve, k))
            continue;
        if (count < segments)
            curve[carom_curve_size(count) + CAROM_SEGMENT_SUPPORT] = run ? -1 - k : k;
        count++;
    }
    curve[CAROM_CURVE_SUPPORTS] = count;
    curve[CAROM_CURVE_SIDES] = 0;
    for (int k = 0; k < segments; k++)
        curve[CAROM_CURVE_SIDES] += carom_segment_line(carom_segment(curve, k));
}

/* The joint of a support, or the first segment of its run; -1: it is the other. */
static void look_up(const double *curve, int index, int *joint, int *segment)
{
    const bool kept = index < carom_curve_segments(curve);
    const int place = kept ? (int)carom_segment(curve, index)[CAROM_SEGMENT_SUPPORT] : index;
    *joint = place >= 0 ? place : -1;
    *segment = place >= 0 ? -1 : -1 - place;
}

/* Lowest point of one segment; radius of the surface there by the segment itself, where its end is a smooth joint. */
static void lowest(const double *curve, int segment, carom_vec2 origin, carom_vec2 up, carom_curve_contact *out)
{
    double one[CAROM_CURVE_HEADER + CAROM_CURVE_SEGMENT], u;
    memcpy(one, curve, CAROM_CURVE_HEADER * sizeof(double));
    memcpy(one + CAROM_CURVE_HEADER, carom_segment(curve, segment), CAROM_CURVE_SEGMENT * sizeof(double));
    one[CAROM_CURVE_COUNT] = 1;
    one[CAROM_CURVE_CLOSED] = one[CAROM_CURVE_CORNERS] = 0;
    one[CAROM_CURVE_SIDES] = carom_segment_line(one + CAROM_CURVE_HEADER);
    carom_curve_half_plane(one, origin, up, out);
    u = out->s_i;
    out->s_i = carom_curve_join(curve, segment, u);
    out->place_i = CAROM_PLACE_SMOOTH;
    carom_curve_joint joint = {.kind = CAROM_JOINT_C2};
    if (u <= 0 || u >= 1)
        carom_curve_joint_at(curve, u <= 0 ? segment : segment + 1, &joint);
    if (joint.kind == CAROM_JOINT_CONVEX || joint.kind == CAROM_JOINT_END)
        out->place_i = joint.kind == CAROM_JOINT_END ? CAROM_PLACE_END : CAROM_PLACE_CORNER;
    carom_segment_point c;
    carom_segment_eval(carom_segment(curve, segment), u, &c);
    out->curvature_i = out->place_i == CAROM_PLACE_SMOOTH ? carom_segment_curvature(&c) : HUGE_VAL;
}

void carom_curve_support(const double *curve, int index, carom_vec2 origin, carom_vec2 up, carom_curve_contact *out)
{
    int joint, segment;
    *out = (carom_curve_contact){.gap = HUGE_VAL, .normal = carom_v2_neg(up), .searched = true, .common = true};
    look_up(curve, index, &joint, &segment);
    if (joint >= 0) {
        carom_curve_joint at;
        carom_curve_joint_at(curve, joint, &at);
        out->point_i = at.at;
        out->gap = carom_v2_dot(up, carom_v2_sub(at.at, origin));
        out->point_j = carom_v2_add_scaled(at.at, -out->gap, up);
        out->s_i = joint;
        out->curvature_i = HUGE_VAL;
        out->place_i = CAROM_PLACE_CORNER;
        return;
    }
    for (int k = segment, n = 0; n < carom_curve_segments(curve) && round_at(curve, k); n++) {
        carom_curve_contact at = {0};
        lowest(curve, k, origin, up, &at);
        if (at.gap < out->gap)
            *out = at;
        k = carom_curve_segment_behind(curve, k + 1);
    }
}

carom_vec2 carom_curve_support_point(const double *curve, int index)
{
    int joint, segment;
    carom_curve_joint at;
    look_up(curve, index, &joint, &segment);
    carom_curve_joint_at(curve, joint >= 0 ? joint : segment, &at);
    return at.at;
}

int carom_curve_support_joint(const double *curve, int index)
{
    int joint, segment;
    look_up(curve, index, &joint, &segment);
    return joint;
}

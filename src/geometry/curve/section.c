/* Sections of a curve: what lies between its inner corners. A disc in an inner corner touches both sides of it, each
   by a point of its own, so that a curve is touched section by section. */
#include "geometry/curve/segment.h"

/* Turn of a corner from which it is an inner corner [rad]: the normal jumps by more than a thousandth. */
#define INNER_TURN 1e-3

static bool is_inner(const double *segment)
{
    return segment[CAROM_SEGMENT_JOINT] == (double)CAROM_JOINT_CONCAVE && segment[CAROM_SEGMENT_TURN] < -INNER_TURN;
}

/* Those of a closed curve begin at its inner corners, the first of an open one at its end. */
void carom_curve_mark_sections(double *curve)
{
    const int segments = carom_curve_segments(curve);
    int count = 0;
    for (int k = 0; k < segments; k++)
        if ((k == 0 && !carom_curve_closed(curve)) || is_inner(carom_segment(curve, k)))
            curve[carom_curve_size(count++) + CAROM_SEGMENT_SECTION] = k;
    if (count == 0)
        curve[carom_curve_size(count++) + CAROM_SEGMENT_SECTION] = 0;
    curve[CAROM_CURVE_SECTIONS] = count;
}

/* First segment and number of them. */
static int section_at(const double *curve, int index, int *count)
{
    const int segments = carom_curve_segments(curve), sections = carom_curve_sections(curve);
    const int begin = (int)carom_segment(curve, index)[CAROM_SEGMENT_SECTION];
    int end = segments;
    if (index + 1 < sections)
        end = (int)carom_segment(curve, index + 1)[CAROM_SEGMENT_SECTION];
    else if (carom_curve_closed(curve))
        end += (int)carom_segment(curve, 0)[CAROM_SEGMENT_SECTION];
    *count = end - begin;
    return begin;
}

carom_vec2 carom_curve_section_begin(const double *curve, int section)
{
    int count;
    return carom_segment_pair(carom_segment(curve, section_at(curve, section, &count)), CAROM_SEGMENT_FROM);
}

/* The foot at an end that is an inner corner, as if the segment ended there and went on as a line. */
static void finish_end(const double *curve, carom_vec2 p, int k, double u, carom_curve_foot *out)
{
    carom_segment_point c;
    carom_segment_eval(carom_segment(curve, k), u, &c);
    const carom_vec2 normal = carom_v2_right(carom_v2_unit(c.d1)), d = carom_v2_sub(p, c.at);
    const double distance = carom_v2_norm(d);
    *out = (carom_curve_foot){.distance = distance,
                              .s = carom_curve_join(curve, k, u),
                              .at = c.at,
                              .normal = distance > 0 ? carom_v2_scale(1 / distance, d) : normal,
                              .curvature = carom_segment_curvature(&c),
                              .place = CAROM_PLACE_END,
                              .evaluations = out->evaluations + 1,
                              .searched = true};
}

static void turn_back(carom_curve_foot *foot)
{
    foot->distance = -foot->distance;
    foot->normal = carom_v2_scale(-1, foot->normal);
}

/* Behind the foot on a closed curve, where `out` says that the point lies, the material may end: it lies in the
   material of this section only where no point of the outline is nearer, and else sees the section from behind, which
   it cannot touch. A point in the material is no deeper than a disc that the area holds. Returns the share. */
static double behind(const double *curve, carom_vec2 p, carom_curve_foot *out)
{
    const double depth = -out->distance, area = curve[CAROM_CURVE_AREA];
    carom_curve_foot whole = {.distance = 1};
    if (area < 0 || CAROM_PI * depth * depth <= area) {
        carom_curve_closest_within(curve, p, depth * (1 + 1e-9), &whole);
        out->evaluations += whole.evaluations;
    }
    if (whole.distance < 0 && depth <= -whole.distance + 1e-9 * curve[CAROM_CURVE_EXTENT])
        return 1;
    turn_back(out);
    return 0;
}

/* The foot at an inner corner, where the section begins or ends; returns the share. */
static double finish_corner(const double *curve, carom_vec2 p, int k, bool begins, carom_curve_foot *out)
{
    carom_curve_joint joint;
    carom_curve_joint_at(curve, begins ? k : k + 1, &joint);
    finish_end(curve, p, k, begins ? 0 : 1, out);
    const carom_vec2 d = carom_v2_sub(p, joint.at);
    /* beyond both sides there is nothing but material */
    if (!carom_curve_closed(curve) || !(carom_v2_dot(d, joint.before) > 0 && carom_v2_dot(d, joint.after) < 0))
        return 1;
    turn_back(out);
    return behind(curve, p, out);
}

/* Whether s lies within the segments of a section, its ends left out. */
static bool within(const double *curve, int first, int count, double s)
{
    const double segments = carom_curve_segments(curve), from = s < first ? s + segments : s;
    return from > first && from < first + count;
}

double carom_curve_section_closest(const double *curve, int section, carom_vec2 p, const double *near,
                                   carom_curve_foot *out)
{
    int count, where = -1;
    double best = HUGE_VAL, at = 0;
    const int segments = carom_curve_segments(curve), first = section_at(curve, section, &count);
    const double slack = 1e-9 * curve[CAROM_CURVE_EXTENT];
    const bool open = !carom_curve_closed(curve);
    if (near && within(curve, first, count, *near)) {
        carom_curve_closest_from(curve, p, *near, out);
        if (!out->searched && within(curve, first, count, out->s))
            return !open && out->distance < 0 ? behind(curve, p, out) : 1;
    }
    out->evaluations = 0;
    out->searched = true;
    for (int k = first; k < first + count; k++) {
        double u = 0;
        if (carom_segment_closest(carom_segment(curve, k % segments), p, slack, &u, &best, &out->evaluations)) {
            where = k;
            at = u;
        }
    }
    const int last = first + count - 1;
    const bool begins = where == first && at == 0 && !(open && first == 0);
    const bool ends = where == last && at == 1 && !(open && last == segments - 1);
    if (begins || ends)
        return finish_corner(curve, p, where % segments, begins, out);
    carom_curve_foot_finish(curve, p, where % segments, at, out);
    return !open && out->distance < 0 ? behind(curve, p, out) : 1;
}

/* Sections of a curve: what lies between its inner corners. A disc in an inner corner touches both sides of it, each
   by a point of its own, so that a curve is touched section by section.

   What lies between two inner corners of a closed curve may go round its body and come back: the two walls of a U, or
   the two sides of a single inner corner. It is cut once more, at a seam far from both, where half of its turning is
   done: at a convex corner, or in a tenth of a segment in its middle. There both sections have the same nearest point,
   and share the contact: the share of the one falls from 1 to 0 and that of the other rises, by the direction of the
   point from the corner or by its place along the segment. */
#include "geometry/curve/segment.h"

/* Turn of a corner from which it is an inner corner, or a seam [rad]: the normal jumps by more than a thousandth. */
#define INNER_TURN 1e-3
/* The part of a segment over which two sections share the contact. */
#define SEAM_FROM 0.45
#define SEAM_TO 0.55
/* Parts over which the turning of a segment of polynomials is added. */
#define TURN_PARTS 32

static bool is_inner(const double *segment)
{
    return segment[CAROM_SEGMENT_JOINT] == (double)CAROM_JOINT_CONCAVE && segment[CAROM_SEGMENT_TURN] < -INNER_TURN;
}

/* ---- where they are ---- */

/* Turn of the tangent along a segment, left positive [rad]. */
static double turning(const double *segment)
{
    if (carom_segment_arc(segment) || carom_segment_line(segment))
        return carom_segment_arc(segment) ? segment[CAROM_SEGMENT_ARC_SWEEP] : 0;
    carom_segment_point before, after;
    double sum = 0;
    carom_segment_eval(segment, 0, &before);
    for (int n = 1; n <= TURN_PARTS; n++) {
        carom_segment_eval(segment, (double)n / TURN_PARTS, &after);
        sum += atan2(carom_v2_cross(before.d1, after.d1), carom_v2_dot(before.d1, after.d1));
        before = after;
    }
    return sum;
}

/* Place of the seam between the inner corner at joint `first` of a closed curve and the next one: the number of a
   joint, or of a segment and a half; -1: there is none. */
static double find_seam(const double *curve, int first)
{
    const int segments = carom_curve_segments(curve);
    double total = 0, sum = 0;
    int end = first;
    do {
        const double *segment = carom_segment(curve, end % segments);
        total += turning(segment) + (end > first ? segment[CAROM_SEGMENT_TURN] : 0);
        end++;
    } while (end < first + segments && !is_inner(carom_segment(curve, end % segments)));
    if (end - first < 2 || (end - first < segments && total <= 2 * CAROM_PI + INNER_TURN))
        return -1;
    for (int k = first; k < end; k++) {
        const double *segment = carom_segment(curve, k % segments);
        const double turn = k > first ? segment[CAROM_SEGMENT_TURN] : 0;
        const double half = 0.5 * total * (1 - 1e-9);
        sum += turn;
        if (turn > INNER_TURN && sum / half >= 1)
            return k % segments;
        sum += turning(segment);
        if (sum / half >= 1)
            return k % segments + 0.5;
    }
    return -1;
}

/* The beginnings ascend; returns their number. */
static int insert(double *curve, int count, double begin)
{
    int at = count;
    for (; at > 0 && carom_segment(curve, at - 1)[CAROM_SEGMENT_SECTION] > begin; at--)
        curve[carom_curve_size(at) + CAROM_SEGMENT_SECTION] = carom_segment(curve, at - 1)[CAROM_SEGMENT_SECTION];
    curve[carom_curve_size(at) + CAROM_SEGMENT_SECTION] = begin;
    return count + 1;
}

/* Those of a closed curve begin at its inner corners and seams, the first of an open one at its end. */
void carom_curve_mark_sections(double *curve)
{
    const int segments = carom_curve_segments(curve);
    const bool closed = carom_curve_closed(curve);
    int count = 0;
    for (int k = 0; k < segments; k++) {
        const bool inner = is_inner(carom_segment(curve, k));
        if (inner || (k == 0 && !closed))
            count = insert(curve, count, k);
        const double seam = inner && closed ? find_seam(curve, k) : -1;
        if (seam >= 0)
            count = insert(curve, count, seam);
    }
    if (count == 0)
        count = insert(curve, count, 0);
    curve[CAROM_CURVE_SECTIONS] = count;
}

/* Its segments, and its ends as places along the curve; those behind the end of a closed curve go on counting. */
typedef struct section {
    int first, last;
    double from, to;
} section;

static section section_at(const double *curve, int index)
{
    const int segments = carom_curve_segments(curve), sections = carom_curve_sections(curve);
    const double begin = carom_segment(curve, index)[CAROM_SEGMENT_SECTION];
    double end = segments;
    if (index + 1 < sections)
        end = carom_segment(curve, index + 1)[CAROM_SEGMENT_SECTION];
    else if (carom_curve_closed(curve))
        end += carom_segment(curve, 0)[CAROM_SEGMENT_SECTION];
    section out = {.first = (int)begin, .last = (int)ceil(end) - 1, .from = begin, .to = end};
    if (begin > out.first)
        out.from = out.first + SEAM_FROM;
    if (end < out.last + 1)
        out.to = out.last + SEAM_TO;
    return out;
}

carom_vec2 carom_curve_section_begin(const double *curve, int index)
{
    const section at = section_at(curve, index);
    return carom_segment_at(carom_segment(curve, at.first), at.from - at.first);
}

/* ---- the nearest point ---- */

/* The foot at an end, as if the segment ended there and went on as a line. */
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

/* The foot at an inner corner or at the corner of a seam, where the section begins or ends; returns the share. */
static double finish_corner(const double *curve, carom_vec2 p, int k, bool begins, carom_curve_foot *out)
{
    carom_curve_joint joint;
    carom_curve_joint_at(curve, begins ? k : k + 1, &joint);
    finish_end(curve, p, k, begins ? 0 : 1, out);
    const carom_vec2 d = carom_v2_sub(p, joint.at);
    const double passed = carom_v2_dot(d, joint.before), before = carom_v2_dot(d, joint.after);
    if (joint.kind == CAROM_JOINT_CONCAVE) {
        /* beyond both sides there is nothing but material */
        if (!carom_curve_closed(curve) || !(passed > 0 && before < 0))
            return 1;
        turn_back(out);
        return behind(curve, p, out);
    }
    const double beyond = begins ? atan2(-before, carom_v2_dot(d, carom_v2_right(joint.after)))
                                 : atan2(passed, carom_v2_dot(d, carom_v2_right(joint.before)));
    const double share = fmin(fmax(1 - beyond / joint.turn, 0), 1);
    out->place = CAROM_PLACE_CORNER;
    if (share > 0)
        out->curvature = HUGE_VAL;
    return share;
}

/* Share of a section at a place, which counts as its segments do. */
static double share_at(const section *at, double s)
{
    double share = 1;
    if (at->from > at->first && s < at->first + 1)
        share = (s - at->from) / (SEAM_TO - SEAM_FROM);
    else if (at->to < at->last + 1 && s > at->last)
        share = (at->to - s) / (SEAM_TO - SEAM_FROM);
    return fmin(fmax(share, 0), 1);
}

/* Nearest place of a section, between its ends. */
static double nearest(const double *curve, const section *at, carom_vec2 p, int *evaluations)
{
    const double slack = 1e-9 * curve[CAROM_CURVE_EXTENT];
    const int segments = carom_curve_segments(curve);
    double best = HUGE_VAL, s = at->from;
    for (int k = at->first; k <= at->last; k++) {
        const double *segment = carom_segment(curve, k % segments);
        const double low = fmax(at->from - k, 0), high = fmin(at->to - k, 1);
        const bool part = low > 0 || high < 1;
        double u = 0, distance = part ? HUGE_VAL : best;
        if (!carom_segment_closest(segment, p, slack, &u, &distance, evaluations))
            continue;
        if (u < low || u > high) {
            u = u < low ? low : high;
            distance = carom_v2_distance(carom_segment_at(segment, u), p);
            ++*evaluations;
        }
        if (distance < best) {
            best = distance;
            s = k + u;
        }
    }
    return s;
}

/* The place s as the segments of the section count. */
static double counted(const double *curve, const section *at, double s)
{
    return s < at->from ? s + carom_curve_segments(curve) : s;
}

static bool within(const double *curve, const section *at, double s)
{
    const double place = counted(curve, at, s);
    return place > at->from && place < at->to;
}

double carom_curve_section_closest(const double *curve, int index, carom_vec2 p, const double *near,
                                   carom_curve_foot *out)
{
    const section at = section_at(curve, index);
    const bool closed = carom_curve_closed(curve);
    const int segments = carom_curve_segments(curve);
    double share = 1;
    out->searched = true;
    if (near && within(curve, &at, *near))
        carom_curve_closest_from(curve, p, *near, out);
    if (out->searched || !within(curve, &at, out->s)) {
        out->evaluations = 0;
        out->searched = true;
        const double s = nearest(curve, &at, p, &out->evaluations);
        const int k = s < at.to ? (int)s : at.last;
        const bool begins = s == at.from && (closed || at.first > 0);
        const bool ends = s == at.to && (closed || at.last < segments - 1);
        if ((begins && at.from == at.first) || (ends && at.to == at.last + 1))
            return finish_corner(curve, p, k % segments, begins, out);
        if (begins || ends) {
            finish_end(curve, p, k % segments, s - k, out);
            return 0;
        }
        carom_curve_foot_finish(curve, p, k % segments, s - k, out);
    }
    if (closed && out->distance < 0)
        share = behind(curve, p, out);
    return share * share_at(&at, counted(curve, &at, out->s));
}

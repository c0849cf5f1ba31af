/* Straight sides of two outlines along each other, one of which has rounds as well, such as capsules on boxes. The
   point where such outlines are nearest is at one end or the other of the stretch over which the sides lie, and jumps
   from end to end as they rock. Both ends of the stretch are therefore places, each with a whole law, as corners of
   polygons are: an end of either side over the line of the other one, with the exact gap at any tilt.
     a round that goes on from the side: a disc about its centre; a corner, or an open end: a point.
   Where ends of both sides lie next to each other they share the law, and over a stretch of no length both of its
   ends have half of it. Sides that are tilted bear less, and from STEEP on the deepest point bears alone: there one end
   is that point.
   Source: Ericson 2005, Real-Time Collision Detection, section 5.1.9 (two segments that do not cross have their least
   distance at an end of one of them); the shares are those of lines of solids (surface/patch/lines.c). */
#include "geometry/curve/segment.h"

/* Sines of the tilt between both sides up to which their ends bear wholly, and from which on not at all. */
#define FLAT 0.08
#define STEEP 0.12
/* Turn from one side to another, and of a round between: only one side is then tilted by less than STEEP [rad]. */
#define APART 0.3
/* Share of what the outlines are thick or long from which stretch on both ends bear a whole law. */
#define LONG 0.3
/* Depths over the stretch or what the outlines are thick: from where on the ends bear less, and another side of the
   outlines is nearer. */
#define SHALLOW 0.3
#define DEEP 0.6
/* Share of the stretch within which ends of both sides lie next to each other. */
#define FLUSH 1e-3
/* Ends beyond the other side leave it by so much of their distance from its end. */
#define AWAY 10

/* ---- outlines that can bear by their sides ---- */

static bool is_round(const double *segment)
{
    return carom_segment_arc(segment) && segment[CAROM_SEGMENT_ARC_SWEEP] > 0;
}

/* Whether an outline turns at a joint as it may: from side to side by enough, to the left everywhere. */
static bool turns_enough(const double *curve, int joint)
{
    const double *before = carom_segment(curve, carom_curve_segment_before(curve, joint));
    const double *behind = carom_segment(curve, carom_curve_segment_behind(curve, joint));
    carom_curve_joint at;
    carom_curve_joint_at(curve, joint, &at);
    if (at.kind == CAROM_JOINT_CONCAVE)
        return false;
    return is_round(before) || is_round(behind) || (at.kind == CAROM_JOINT_CONVEX && at.turn >= APART);
}

/* Whether a round beside a side turns by enough that the side is not tilted less than STEEP where its far end bears. */
static bool round_enough(const double *curve, int k)
{
    const double *segment = carom_segment(curve, k);
    const int count = carom_curve_segments(curve);
    if (!is_round(segment))
        return false;
    const bool beside = carom_segment_line(carom_segment(curve, (k + 1) % count)) ||
                        carom_segment_line(carom_segment(curve, (k + count - 1) % count));
    return !beside || segment[CAROM_SEGMENT_ARC_SWEEP] >= APART;
}

void carom_curve_mark_level(double *curve)
{
    const int count = carom_curve_segments(curve);
    const bool closed = carom_curve_closed(curve);
    bool level = closed ? curve[CAROM_CURVE_AREA] > 0 && curve[CAROM_CURVE_SIDES] > 0
                        : count == 1 && curve[CAROM_CURVE_SIDES] > 0;
    for (int k = 0; k < count && level && closed; k++)
        level = turns_enough(curve, k) && (carom_segment_line(carom_segment(curve, k)) || round_enough(curve, k));
    curve[CAROM_CURVE_LEVEL] = level;
}

/* ---- the sides ---- */

/* X: pose of the curve's frame in that of i, NULL: it is i. */
static carom_curve_side side_of(const double *curve, int k, const carom_pose2 *X)
{
    const double *segment = carom_segment(curve, k);
    carom_curve_side side = {.segment = k,
                             .from = carom_segment_pair(segment, CAROM_SEGMENT_FROM),
                             .to = carom_segment_pair(segment, CAROM_SEGMENT_TO),
                             .along = carom_segment_pair(segment, CAROM_SEGMENT_TANGENT_FROM)};
    if (X) {
        side.from = carom_pose2_apply(X, side.from);
        side.to = carom_pose2_apply(X, side.to);
        side.along = carom_pose2_turn(X, side.along);
    }
    side.normal = carom_v2_right(side.along);
    return side;
}

static double side_length(const carom_curve_side *side) { return carom_v2_distance(side->from, side->to); }

/* The round about an end of a side, in the frame of i; of a corner or an open end its point. */
typedef struct disc {
    carom_vec2 centre;
    double radius;
    double s; /* of the end */
} disc;

static disc end_disc(const double *curve, const carom_curve_side *side, bool last)
{
    const int joint = side->segment + last;
    const int next = last ? carom_curve_segment_behind(curve, joint) : carom_curve_segment_before(curve, joint);
    disc d = {last ? side->to : side->from, 0, carom_curve_join(curve, side->segment, last)};
    if (next < 0 || !is_round(carom_segment(curve, next)))
        return d;
    carom_curve_joint at;
    carom_curve_joint_at(curve, joint, &at);
    if (at.kind != CAROM_JOINT_C1 && at.kind != CAROM_JOINT_C2)
        return d;
    d.radius = carom_segment(curve, next)[CAROM_SEGMENT_ARC_RADIUS];
    d.centre = carom_v2_add_scaled(d.centre, -d.radius, side->normal);
    return d;
}

/* How far the material reaches beneath a side [m]; of an open curve without an end. */
static double thickness(const double *curve, int side)
{
    const carom_vec2 down = carom_v2_neg(carom_curve_side_normal(curve, side));
    const double top = carom_v2_dot(down, carom_segment_pair(carom_segment(curve, side), CAROM_SEGMENT_FROM));
    double most = 0;
    for (int k = 0; k < carom_curve_segments(curve); k++) {
        const double *segment = carom_segment(curve, k);
        most = fmax(most, carom_v2_dot(down, carom_segment_pair(segment, CAROM_SEGMENT_FROM)) - top);
        if (!carom_segment_arc(segment))
            continue;
        const double u = carom_arc_parameter(segment, down);
        if (u >= 0 && u <= 1)
            most = fmax(most, carom_v2_dot(down, carom_segment_at(segment, u)) - top);
    }
    return carom_curve_closed(curve) ? most : HUGE_VAL;
}

/* A point of a side's line at a place along another direction. */
static carom_vec2 point_beside(const carom_curve_side *side, carom_vec2 common, double place)
{
    const double way = place - carom_v2_dot(side->from, common);
    return carom_v2_add_scaled(side->from, way / carom_v2_dot(side->along, common), side->along);
}

/* The stretch of two sides that look at each other; returns the gap in its middle, -HUGE_VAL: there is none. */
static double stretch(carom_curve_flat *f)
{
    const carom_curve_side *a = &f->side[0], *b = &f->side[1];
    f->common = carom_v2_unit(carom_v2_sub(a->along, b->along));
    f->low = fmax(carom_v2_dot(a->from, f->common), carom_v2_dot(b->to, f->common));
    f->high = fmin(carom_v2_dot(a->to, f->common), carom_v2_dot(b->from, f->common));
    if (!(f->high > f->low))
        return -HUGE_VAL;
    const double middle = 0.5 * (f->low + f->high);
    return carom_v2_dot(carom_v2_right(f->common), carom_v2_sub(point_beside(b, f->common, middle),
                                                                point_beside(a, f->common, middle)));
}

/* How much the ends of the stretch bear, and which part of a law each. */
static void weigh(const double *i, const double *j, double gap, carom_curve_flat *f)
{
    const carom_curve_side *a = &f->side[0], *b = &f->side[1];
    const double length = f->high - f->low, tilt = fabs(carom_v2_cross(a->along, b->along));
    const double first = thickness(i, a->segment), second = thickness(j, b->segment);
    const double thick = isinf(first) ? second : isinf(second) ? first : 0.5 * (first + second);
    const double shallow = 1 - carom_ramp(-gap / fmin(length, thick), SHALLOW, DEEP);
    const double least = fmin(thick, fmin(side_length(a), side_length(b)) + thick);
    f->part = 0.5 + 0.5 * shallow * carom_ramp(length / least, 0, LONG);
    f->weight = shallow * (1 - carom_ramp(tilt, FLAT, STEEP));
}

/* Whether two sides look at each other, tilted by little; b in the frame of j. */
static bool look_at(const carom_curve_side *a, const double *b, const carom_pose2 *X)
{
    const carom_vec2 along = carom_pose2_turn(X, carom_segment_pair(b, CAROM_SEGMENT_TANGENT_FROM));
    return carom_v2_dot(a->along, along) < 0 && fabs(carom_v2_cross(a->along, along)) < STEEP;
}

void carom_curve_flat_find(const double *i, const double *j, const carom_pose2 *X, carom_curve_flat *out)
{
    double best = -HUGE_VAL;
    out->weight = 0;
    for (int m = 0; m < carom_curve_segments(i); m++) {
        if (!carom_segment_line(carom_segment(i, m)))
            continue;
        carom_curve_flat at = {.side[0] = side_of(i, m, NULL), .weight = 0};
        for (int n = 0; n < carom_curve_segments(j); n++) {
            if (!carom_segment_line(carom_segment(j, n)) || !look_at(&at.side[0], carom_segment(j, n), X))
                continue;
            at.side[1] = side_of(j, n, X);
            const double gap = stretch(&at);
            if (gap > best) {
                best = gap;
                *out = at;
            }
        }
    }
    if (best > -HUGE_VAL)
        weigh(i, j, best, out);
}

/* ---- places ---- */

double carom_curve_flat_end(const double *i, const double *j, const carom_curve_flat *flat, int end,
                            carom_curve_contact *out)
{
    const bool second = end >= 2, last = end % 2;
    const carom_curve_side *of = &flat->side[second], *over = &flat->side[!second];
    const disc d = end_disc(second ? j : i, of, last);
    const carom_vec2 normal = over->normal;
    const double gap = carom_v2_dot(carom_v2_sub(d.centre, over->from), normal) - d.radius;
    const carom_vec2 point = carom_v2_add_scaled(d.centre, -d.radius, normal);
    const carom_vec2 foot = carom_v2_add_scaled(point, -gap, normal);
    const double part = carom_v2_dot(carom_v2_sub(foot, over->from), over->along) / side_length(over);
    const double s = carom_curve_join(second ? i : j, over->segment, fmin(fmax(part, 0), 1));
    const double curvature = d.radius > 0 ? 1 / d.radius : HUGE_VAL;
    *out = (carom_curve_contact){.gap = gap,
                                 .normal = second ? normal : carom_v2_neg(normal),
                                 .point_i = second ? foot : point,
                                 .point_j = second ? point : foot,
                                 .s_i = second ? s : d.s,
                                 .s_j = second ? d.s : s,
                                 .curvature_i = second ? 0 : curvature,
                                 .curvature_j = second ? curvature : 0,
                                 .common = true};
    /* outwards along the common direction, which a side of j goes the other way; the other side's end there */
    const double way = last != second ? 1 : -1;
    const carom_vec2 own = last ? of->to : of->from, other = last ? over->from : over->to;
    const double beyond = way * carom_v2_dot(flat->common, carom_v2_sub(own, other));
    const double band = FLUSH * (flat->high - flat->low);
    out->gap += AWAY * fmax(beyond - band, 0);
    return flat->part * (1 - carom_ramp(beyond, -band, band));
}

/* The corner of another outline against the sides of a curve. The nearest side is not always the one that can push it
   out: where two boxes of one width lie on each other, their corners lie on the lines of each other's sides, and one of
   them would fall through the other one along these. A side out of which an edge of the corner leads back into the
   material is none that the corner came through; its neighbour is. */
#include "geometry/curve/segment.h"

/* Cosine of the angle between a side's normal and an edge of the corner from which on the edge leads back, and the
   tangent of what it is short of half a turn: 2 degrees. With more between their sides both outlines are nearest to
   each other in one place, continuously, and a corner that hands over to another one would do so at another depth. */
#define BACK -0.9994
#define SLANT 0.035
/* What keeps a foot off the ends of its side. */
#define END 1e-9

static bool leads_back(const carom_curve_edges *edges, carom_vec2 normal)
{
    for (int k = 0; k < edges->count; k++)
        if (carom_v2_dot(normal, edges->edge[k]) < BACK)
            return true;
    return false;
}

/* The side behind or before one, if they meet in a convex corner; -1: they do not. */
static int neighbour(const double *curve, int side, bool behind)
{
    const int at = behind ? side + 1 : side;
    const int next = behind ? carom_curve_segment_behind(curve, at) : carom_curve_segment_before(curve, at);
    carom_curve_joint joint;
    carom_curve_joint_at(curve, at, &joint);
    return joint.kind == CAROM_JOINT_CONVEX ? next : -1;
}

static carom_vec2 side_normal(const double *curve, int side)
{
    const double *segment = carom_segment(curve, side);
    return carom_v2_right(carom_v2_unit(carom_v2_sub(carom_segment_pair(segment, CAROM_SEGMENT_TO),
                                                     carom_segment_pair(segment, CAROM_SEGMENT_FROM))));
}

double carom_curve_side_distance(const double *curve, int side, carom_vec2 point)
{
    const carom_vec2 from = carom_segment_pair(carom_segment(curve, side), CAROM_SEGMENT_FROM);
    return carom_v2_dot(carom_v2_sub(point, from), side_normal(curve, side));
}

/* The foot on a side, where the point lies beneath it or no higher than `above`, beside it by no more than a slant
   allows; false: it does not. */
static bool foot_on(const double *curve, carom_vec2 point, int side, double above, carom_curve_foot *out)
{
    const double *segment = carom_segment(curve, side);
    const carom_vec2 from = carom_segment_pair(segment, CAROM_SEGMENT_FROM);
    const carom_vec2 way = carom_v2_sub(carom_segment_pair(segment, CAROM_SEGMENT_TO), from);
    const double length = carom_v2_norm(way), along = carom_v2_dot(carom_v2_sub(point, from), way) / length;
    const double distance = carom_curve_side_distance(curve, side, point), beside = fmax(-SLANT * distance, above);
    if (!carom_segment_line(segment) || distance > above || along < -beside || along > length + beside)
        return false;
    const carom_vec2 normal = side_normal(curve, side);
    *out = (carom_curve_foot){.distance = distance,
                              .s = carom_curve_join(curve, side, fmin(fmax(along / length, END), 1 - END)),
                              .at = carom_v2_add_scaled(point, -distance, normal),
                              .normal = normal,
                              .place = CAROM_PLACE_SMOOTH};
    return true;
}

/* Takes the foot on the side beside `side`, if the corner may lie along both. */
static void take(const double *curve, carom_vec2 point, const carom_curve_edges *edges, int side, bool behind,
                 const carom_curve_foot *nearest, double above, carom_curve_behind *out)
{
    const int next = neighbour(curve, side, behind);
    carom_curve_foot foot;
    if (next < 0 || !foot_on(curve, point, next, above, &foot) || leads_back(edges, foot.normal) ||
        nearest->distance > fmax(-SLANT * foot.distance, above))
        return;
    foot.evaluations = nearest->evaluations;
    *out = (carom_curve_behind){side, behind ? side + 1 : side, foot};
}

/* The side beside that of the nearest point along which the corner may as well lie, out of which an edge leads back. */
static void find_beside(const double *curve, carom_vec2 point, const carom_curve_edges *edges,
                        const carom_curve_foot *nearest, double above, carom_curve_behind *out)
{
    double u;
    const int side = carom_curve_split(curve, nearest->s, &u);
    for (int behind = 0; behind < 2; behind++) {
        const int next = neighbour(curve, side, behind);
        if (next >= 0 && leads_back(edges, side_normal(curve, next)) &&
            fabs(carom_curve_side_distance(curve, next, point)) <= fmax(-SLANT * nearest->distance, above))
            *out = (carom_curve_behind){next, behind ? side + 1 : side, *nearest};
    }
}

bool carom_curve_corner_behind(const double *curve, carom_vec2 point, const carom_curve_edges *edges,
                               const carom_curve_foot *nearest, carom_curve_behind *out)
{
    const double above = CAROM_CURVE_FLUSH * curve[CAROM_CURVE_EXTENT];
    double u;
    *out = (carom_curve_behind){.foot.distance = -HUGE_VAL};
    if (nearest->place == CAROM_PLACE_CORNER && nearest->distance <= above) {
        /* corners that touch */
        const int joint = carom_curve_corner(curve, nearest->s);
        const int sides[2] = {carom_curve_segment_before(curve, joint), carom_curve_segment_behind(curve, joint)};
        for (int k = 0; k < 2; k++)
            if (leads_back(edges, side_normal(curve, sides[k])))
                take(curve, point, edges, sides[k], k == 0, nearest, above, out);
    } else if (nearest->place == CAROM_PLACE_SMOOTH && leads_back(edges, nearest->normal)) {
        const int side = carom_curve_split(curve, nearest->s, &u);
        take(curve, point, edges, side, u > 0.5, nearest, above, out);
    } else if (nearest->place == CAROM_PLACE_SMOOTH && nearest->distance <= above) {
        find_beside(curve, point, edges, nearest, above, out);
    }
    return out->foot.distance > -HUGE_VAL;
}

int carom_curve_side_back(const double *curve, int joint, const carom_curve_edges *edges)
{
    const int sides[2] = {carom_curve_segment_before(curve, joint), carom_curve_segment_behind(curve, joint)};
    for (int k = 0; k < 2; k++)
        if (sides[k] >= 0 && leads_back(edges, side_normal(curve, sides[k])))
            return sides[k];
    return -1;
}

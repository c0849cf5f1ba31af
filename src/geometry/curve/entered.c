/* The side by which a corner that lies in an outline is pushed out. The nearest one is not always right: where an
   outline is thin the one opposite is nearer, once the corner is deeper than half of it. A corner cannot leave through
   a side through which an edge of it leads back into the outline, and goes out by the side that it came in through, or
   by those that it gets to from there over such as it can leave through. */
#include "geometry/curve/segment.h"

carom_curve_edges carom_curve_edges_at(const double *curve, int joint)
{
    carom_curve_joint at;
    carom_curve_edges edges = {.count = 0};
    carom_curve_joint_at(curve, joint, &at);
    if (carom_curve_segment_before(curve, joint) >= 0)
        edges.edge[edges.count++] = carom_v2_neg(at.before);
    if (carom_curve_segment_behind(curve, joint) >= 0)
        edges.edge[edges.count++] = at.after;
    return edges;
}

static bool lets_out(const double *curve, int side, const carom_curve_edges *edges)
{
    return side >= 0 && carom_curve_leads(edges, carom_curve_side_normal(curve, side)) >= -CAROM_CURVE_LEANS;
}

/* The side before (-1) or behind (1) another one; -1: there is none. */
static int beside(const double *curve, int side, int step)
{
    return step < 0 ? carom_curve_segment_before(curve, side) : carom_curve_segment_behind(curve, side + 1);
}

/* How many sides a corner gets to in one direction over those that let it out, and one more that does not, which bounds
   them; none that faces the other way. *convex: how many over convex joints alone. */
static int reach(const double *curve, const carom_curve_edges *edges, int side, int step, int *convex)
{
    const carom_vec2 normal = carom_curve_side_normal(curve, side);
    bool last = lets_out(curve, side, edges) ||
                (!lets_out(curve, beside(curve, side, -1), edges) && !lets_out(curve, beside(curve, side, 1), edges));
    int count = 0;
    *convex = 0;
    for (int k = side; count + 1 < carom_curve_segments(curve); count++) {
        const int next = beside(curve, k, step);
        const bool out = lets_out(curve, next, edges);
        carom_curve_joint joint;
        if (next < 0 || (!out && !last) ||
            carom_v2_dot(carom_curve_side_normal(curve, next), normal) < -CAROM_CURVE_LEANS)
            break;
        carom_curve_joint_at(curve, step < 0 ? k : k + 1, &joint);
        *convex += *convex == count && joint.kind != CAROM_JOINT_CONCAVE;
        if (!out)
            return count + 1;
        k = next;
        last = true;
    }
    return count;
}

void carom_curve_entered_foot(const double *curve, carom_vec2 point, const carom_curve_edges *edges, double s,
                              carom_curve_foot *foot)
{
    double u;
    int convex[2];
    const int side = carom_curve_split(curve, s, &u), segments = carom_curve_segments(curve);
    const int back = reach(curve, edges, side, -1, &convex[0]), ahead = reach(curve, edges, side, 1, &convex[1]);
    const int joint = foot->place == CAROM_PLACE_SMOOTH ? -1 : carom_curve_corner(curve, foot->s);
    const int smooth = carom_curve_split(curve, foot->s, &u);
    const int nearest[2] = {joint < 0 ? smooth : carom_curve_segment_before(curve, joint),
                            joint < 0 ? -1 : carom_curve_segment_behind(curve, joint)};
    for (int k = 0; k < 2; k++)
        if (nearest[k] >= 0 && ((nearest[k] - side + segments) % segments <= ahead ||
                                (side - nearest[k] + segments) % segments <= back))
            return;
    int best = side;
    for (int k = -convex[0]; k <= convex[1]; k++) {
        const int other = (side + k + segments) % segments;
        if (carom_curve_side_distance(curve, other, point) > carom_curve_side_distance(curve, best, point))
            best = other;
    }
    if (carom_curve_side_distance(curve, best, point) < 0)
        carom_curve_side_foot(curve, best, point, foot);
}

int carom_curve_leaving_joint(const double *curve, carom_vec2 point, const carom_curve_edges *edges,
                              const carom_curve_foot *nearest)
{
    const double thick = carom_curve_feature(curve);
    const int near = carom_curve_near_joint(curve, nearest);
    double u, least = thick;
    const int side = carom_curve_split(curve, nearest->s, &u);
    int joint = -1;
    if (nearest->place != CAROM_PLACE_SMOOTH || lets_out(curve, side, edges))
        return near;
    for (int k = 0; nearest->distance < 0 && k < carom_curve_segments(curve); k++) {
        const double depth = -carom_curve_side_distance(curve, k, point), part = carom_curve_side_part(curve, k, point);
        if (depth > 0 && depth < least && part >= 0 && part <= 1 && lets_out(curve, k, edges)) {
            least = depth;
            joint = k + (part > 0.5);
        }
    }
    const bool before = lets_out(curve, beside(curve, side, -1), edges);
    if (joint < 0 && before != lets_out(curve, beside(curve, side, 1), edges))
        joint = before ? side : side + 1;
    carom_curve_joint at;
    carom_curve_joint_at(curve, joint < 0 ? near : joint, &at);
    return carom_v2_distance(at.at, point) < 2 * thick ? joint < 0 ? near : joint : -1;
}

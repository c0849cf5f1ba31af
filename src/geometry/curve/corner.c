/* Two corners, one of each outline, that overlap. The nearest side is not always the one that pushes such a corner out:
   that of a box on another one of its width lies on the line of the other's flank, at no distance from it, while its
   own bottom leads through that flank into the material.
   The obstacle that two convex corners are for each other is the cone of the edges of the one and of the edges of the
   other, turned about. A side is a face of it where no edge of the other's corner leads back through it. Where the
   faces are one side of each, its depth is the lesser one of those beneath them, and one of the corners presses. Where
   they are both of one outline, and where sides lie on each other between the two corners, the nearest side is right
   for each of them.
   Source: the obstacle of two polygons, Lozano-Perez 1983, IEEE Transactions on Computers C-32. */
#include "geometry/curve/segment.h"

#define LEANS CAROM_CURVE_LEANS
/* Of an extent: where one corner hands over to another one the normal turns over twice this way, if the sides are flat
   on each other; over less where they are not, as it is of unit length though the depth changes by less. Beyond 20
   degrees it is an edge from which both sides push away, and the force turns at once. */
#define WIDTH 1e-5
/* Of the sines of one angle, found from an edge and a normal and from two edges. */
#define ROUNDING 1e-12
/* What keeps a foot off the ends of its side. */
#define END 1e-9

carom_vec2 carom_curve_side_normal(const double *curve, int side)
{
    const double *segment = carom_segment(curve, side);
    return carom_v2_right(carom_v2_unit(carom_v2_sub(carom_segment_pair(segment, CAROM_SEGMENT_TO),
                                                     carom_segment_pair(segment, CAROM_SEGMENT_FROM))));
}

double carom_curve_side_distance(const double *curve, int side, carom_vec2 point)
{
    const carom_vec2 from = carom_segment_pair(carom_segment(curve, side), CAROM_SEGMENT_FROM);
    return carom_v2_dot(carom_v2_sub(point, from), carom_curve_side_normal(curve, side));
}

static double side_length(const double *curve, int side)
{
    const double *segment = carom_segment(curve, side);
    return carom_v2_norm(carom_v2_sub(carom_segment_pair(segment, CAROM_SEGMENT_TO),
                                      carom_segment_pair(segment, CAROM_SEGMENT_FROM)));
}

double carom_curve_side_part(const double *curve, int side, carom_vec2 point)
{
    const carom_vec2 from = carom_segment_pair(carom_segment(curve, side), CAROM_SEGMENT_FROM);
    const carom_vec2 along = carom_v2_left(carom_curve_side_normal(curve, side));
    return carom_v2_dot(carom_v2_sub(point, from), along) / side_length(curve, side);
}

bool carom_curve_side_end(const double *curve, int joint, bool behind, carom_curve_end *out)
{
    carom_curve_joint at;
    carom_curve_joint_at(curve, joint, &at);
    const int sides[2] = {carom_curve_segment_before(curve, joint), carom_curve_segment_behind(curve, joint)};
    const int side = sides[behind], other = sides[!behind];
    if (side < 0 || (at.kind != CAROM_JOINT_CONVEX && at.kind != CAROM_JOINT_END))
        return false;
    const carom_vec2 edges[2] = {carom_v2_neg(at.before), at.after};
    *out = (carom_curve_end){.side = side,
                             .corner = at.at,
                             .edge = edges[behind],
                             .normal = carom_curve_side_normal(curve, side),
                             .length = side_length(curve, side),
                             .tip = other < 0};
    if (other >= 0) {
        out->other_edge = edges[!behind];
        out->other_normal = carom_curve_side_normal(curve, other);
        out->other_length = side_length(curve, other);
    }
    return true;
}

carom_curve_edges carom_curve_edges_of(const carom_curve_end *end)
{
    return (carom_curve_edges){{end->edge, end->other_edge}, end->tip ? 1 : 2};
}

double carom_curve_leads(const carom_curve_edges *edges, carom_vec2 normal)
{
    const double sine = carom_v2_dot(edges->edge[0], normal);
    return edges->count > 1 ? fmin(sine, carom_v2_dot(edges->edge[1], normal)) : sine;
}

/* How far an edge leads into a side where a's corner is pushed out along its normal. */
static double leaves(const carom_curve_end *a, carom_vec2 normal)
{
    const carom_curve_edges edges = carom_curve_edges_of(a);
    return carom_curve_leads(&edges, normal);
}

/* Cosine of the angle between a normal and that of a's side that faces it best. */
static double faces(const carom_curve_end *a, carom_vec2 normal)
{
    const double facing = carom_v2_dot(a->normal, normal);
    return a->tip ? facing : fmin(facing, carom_v2_dot(a->other_normal, normal));
}

/* Whether a's corner leaves through the side of b and not through the other one there: through that an edge leads
   back, or it is less flat on a. */
static bool leaves_by(const carom_curve_end *a, const carom_curve_end *b)
{
    return leaves(a, b->normal) >= -LEANS && (b->tip || leaves(a, b->other_normal) < -LEANS ||
                                              carom_v2_dot(a->normal, b->normal) < faces(a, b->other_normal));
}

/* Whether the sides are flat on each other and go opposite ways from their corners: what leans back through such a side
   by less than LEANS, as leads() has it, is an edge that goes away from it, and no face of the obstacle. */
static bool run_apart(const carom_curve_end *i, const carom_curve_end *j)
{
    return carom_v2_dot(i->edge, j->edge) < 0 && fabs(carom_v2_cross(i->edge, j->edge)) < LEANS + ROUNDING;
}

bool carom_curve_ends_meet(const carom_curve_end *i, const carom_curve_end *j, double extent, carom_curve_meeting *out)
{
    const double flush = CAROM_CURVE_FLUSH * extent;
    if (!leaves_by(i, j) || !leaves_by(j, i) || run_apart(i, j))
        return false;
    const carom_vec2 apart = carom_v2_sub(i->corner, j->corner);
    const carom_vec2 up = carom_v2_unit(carom_v2_sub(j->normal, i->normal));
    const carom_vec2 right = carom_v2_right(up);
    const carom_vec2 outward = carom_v2_dot(right, carom_v2_add(i->edge, j->edge)) < 0 ? right : carom_v2_neg(right);
    const double beyond = carom_v2_dot(apart, outward);
    const double slope = -0.5 * carom_v2_dot(outward, carom_v2_add(i->normal, j->normal));
    const double width = fmax(WIDTH * extent * (1 - slope * slope / (LEANS * LEANS)), 0);
    const double under_j = carom_v2_dot(apart, j->normal), under_i = -carom_v2_dot(apart, i->normal);
    const double depth = beyond > width ? -under_i : -under_j;
    /* the ends lie over each other's sides, and no deeper than the outlines are there */
    if (!(depth > -flush) || -beyond > j->length || beyond > i->length || (!i->tip && depth > i->other_length) ||
        (!j->tip && depth > j->other_length))
        return false;
    *out = (carom_curve_meeting){.beyond = beyond - width,
                                 .distance = under_j,
                                 .normal = j->normal};
    if (width > 0 && beyond >= -width) { /* the kink between both sides, rounded */
        out->distance = 0.5 * (under_i + under_j + slope * (beyond * beyond / width + width));
        out->normal = carom_v2_unit(carom_v2_add_scaled(carom_v2_scale(0.5, carom_v2_sub(j->normal, i->normal)),
                                                        slope * beyond / width, outward));
    }
    return true;
}

int carom_curve_near_joint(const double *curve, const carom_curve_foot *nearest)
{
    double u;
    const int side = carom_curve_split(curve, nearest->s, &u);
    return nearest->place == CAROM_PLACE_SMOOTH ? side + (u > 0.5) : carom_curve_corner(curve, nearest->s);
}

void carom_curve_side_foot(const double *curve, int side, carom_vec2 point, carom_curve_foot *foot)
{
    const carom_vec2 normal = carom_curve_side_normal(curve, side);
    const double part = carom_curve_side_part(curve, side, point);
    foot->distance = carom_curve_side_distance(curve, side, point);
    foot->s = carom_curve_join(curve, side, fmin(fmax(part, END), 1 - END));
    foot->at = carom_v2_add_scaled(point, -foot->distance, normal);
    foot->normal = normal;
    foot->curvature = foot->residual = 0;
    foot->place = CAROM_PLACE_SMOOTH;
}

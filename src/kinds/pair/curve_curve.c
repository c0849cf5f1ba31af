/* Two curves i and j: apart the least distance; where they cross minus the greatest depth. Where both are smooth the
   points satisfy the common-normal equations n_j x n_i = 0 and d x n_i = 0. The wrench acts halfway between them.
   Two outlines of straight sides touch by their corners, each a contact of its own, so that sides can lie on sides.
   Source: Machado et al. 2012, section 3, eqs. (7)-(16).
   Validity: depths below the radii of curvature. */
#include "kinds/shape/shape.h"

#include <stdio.h>

static const char *check(const double *pi, const double *pj)
{
    const bool hollow_i = carom_curve_closed(pi) && pi[CAROM_CURVE_AREA] < 0;
    const bool hollow_j = carom_curve_closed(pj) && pj[CAROM_CURVE_AREA] < 0;
    if (hollow_i && hollow_j)
        return "two hollow shapes cannot touch: one of them must have its material inside";
    return NULL;
}

/* Pose of j's frame in i's. */
static carom_pose2 relative_pose(const carom_shape_pose *i, const carom_shape_pose *j)
{
    const carom_pose2 a = carom_shape_pose2(i), b = carom_shape_pose2(j);
    return (carom_pose2){a.cosine * b.cosine + a.sine * b.sine, a.cosine * b.sine - a.sine * b.cosine,
                         carom_pose2_apply_back(&a, b.at)};
}

static void find(const carom_shape_pose *i, const carom_shape_pose *j, const carom_pose2 *X, carom_curve_contact *out)
{
    if (i->near && j->near)
        carom_curve_gap_from(i->p, j->p, X, *i->near, *j->near, out);
    else
        carom_curve_gap(i->p, j->p, X, out);
}

/* ---- two polygons: each corner of one against the other ---- */

static bool by_corners(const double *pi, const double *pj)
{
    return carom_curve_is_polygon(pi) && carom_curve_is_polygon(pj);
}

static int points(const double *pi, const double *pj)
{
    return by_corners(pi, pj) ? carom_curve_supports(pi) + carom_curve_supports(pj) : 1;
}

static void point_name(const double *pi, const double *pj, int point, char *text, size_t size)
{
    const int first = carom_curve_supports(pi);
    const carom_vec2 at = carom_curve_support_point(point < first ? pi : pj, point < first ? point : point - first);
    snprintf(text, size, "corner at (%.3g, %.3g) m", at.x, at.y);
}

/* A corner of `a` and its foot on `b`. */
typedef struct corner {
    const carom_shape_pose *a, *b;
    carom_vec3 from_a;     /* from the origin of a, world axes */
    carom_pose2 frame;     /* of b */
    carom_curve_foot foot; /* in it */
} corner;

/* Edges of one outline in the frame of the other. */
static carom_curve_edges turned(carom_curve_edges edges, const carom_pose2 *from, const carom_pose2 *to)
{
    for (int k = 0; k < edges.count; k++)
        edges.edge[k] = carom_pose2_turn_back(to, carom_pose2_turn(from, edges.edge[k]));
    return edges;
}

/* A point of a shape, from the shape's origin in world axes. */
static carom_vec3 arm_to(const carom_pose2 *frame, carom_vec2 point)
{
    const carom_vec2 arm = carom_pose2_turn(frame, point);
    return carom_v3(arm.x, arm.y, 0);
}

static carom_vec2 seen_from(const carom_pose2 *frame, const carom_shape_pose *of, carom_vec3 arm)
{
    const carom_vec3 at = carom_v3_add(of->origin, arm);
    return carom_pose2_apply_back(frame, carom_v2(at.x, at.y));
}

/* Two corners meet where sides lie on each other, one of i, at that joint of its outline, and one of j: that of j is
   the one that presses where it lies within i's side, else that of i, so that it is one of them in every pose. Rounding
   does not decide where both are flush. */
static bool presses(const carom_shape_pose *i, const carom_shape_pose *j, bool of_i, int joint,
                    const carom_curve_behind *behind, carom_vec2 in_i, double distance)
{
    const double within = -CAROM_CURVE_FLUSH * i->p[CAROM_CURVE_EXTENT];
    if (!of_i)
        return carom_curve_side_distance(i->p, behind->side, in_i) < within;
    carom_curve_joint other;
    carom_curve_joint_at(j->p, behind->joint, &other);
    const carom_pose2 frame_i = carom_shape_pose2(i), frame_j = carom_shape_pose2(j);
    const carom_curve_edges edges = turned(carom_curve_joint_edges(j->p, behind->joint), &frame_j, &frame_i);
    const int side = carom_curve_side_back(i->p, joint, &edges);
    const carom_vec2 at = seen_from(&frame_i, j, arm_to(&frame_j, other.at));
    return side >= 0 ? carom_curve_side_distance(i->p, side, at) >= within : distance < 0;
}

static corner find_corner(const carom_shape_pose *i, const carom_shape_pose *j, int point)
{
    const int first = carom_curve_supports(i->p);
    const bool of_i = point < first;
    const int support = of_i ? point : point - first;
    corner c = {.a = of_i ? i : j, .b = of_i ? j : i, .frame = carom_shape_pose2(of_i ? j : i)};
    const carom_pose2 frame = carom_shape_pose2(c.a);
    c.from_a = arm_to(&frame, carom_curve_support_point(c.a->p, support));
    const carom_vec2 in_b = seen_from(&c.frame, c.a, c.from_a);
    const double extent = c.b->p[CAROM_CURVE_EXTENT];
    carom_curve_closest(c.b->p, in_b, &c.foot);
    if (c.foot.distance > CAROM_CURVE_BESIDE * extent)
        return c;
    const int joint = carom_curve_support_joint(c.a->p, support);
    const carom_curve_edges edges = turned(carom_curve_joint_edges(c.a->p, joint), &frame, &c.frame);
    carom_curve_behind behind;
    if (!carom_curve_corner_behind(c.b->p, in_b, &edges, &c.foot, &behind))
        return c;
    /* an open end has no other corner beside it */
    const bool ends = edges.count == 1;
    if (ends ? c.foot.distance < 0 : presses(i, j, of_i, joint, &behind, in_b, c.foot.distance))
        c.foot = behind.foot;
    else /* apart, by a gap that does not pass zero */
        c.foot.distance = fmax(fabs(c.foot.distance), CAROM_CURVE_FLUSH * extent);
    return c;
}

static void corner_gap(const carom_shape_pose *i, const carom_shape_pose *j, int point, carom_pair_point *out)
{
    const corner c = find_corner(i, j, point);
    const carom_vec2 up = carom_pose2_turn(&c.frame, c.foot.normal);
    const carom_vec3 out_of_b = carom_v3(up.x, up.y, 0);
    const carom_vec3 from_b = carom_v3_add(c.from_a, carom_v3_sub(c.a->origin, c.b->origin));
    const bool of_i = c.a == i;
    out->gap = c.foot.distance;
    out->normal = of_i ? carom_v3_neg(out_of_b) : out_of_b;
    out->point = carom_v3_add(c.a->origin, c.from_a);
    out->from_i = of_i ? c.from_a : from_b;
    out->from_j = of_i ? from_b : c.from_a;
    out->radius_i = of_i ? 0 : HUGE_VAL;
    out->radius_j = of_i ? HUGE_VAL : 0;
    out->residual = c.foot.residual;
    out->common = true;
    out->place_i = of_i ? 0 : c.foot.s;
    out->place_j = of_i ? c.foot.s : 0;
}

static carom_vec3 corner_normal_rate(const carom_shape_pose *i, const carom_shape_pose *j, int point)
{
    const corner c = find_corner(i, j, point);
    const carom_vec3 from_b = carom_v3_add(c.from_a, carom_v3_sub(c.a->origin, c.b->origin));
    const carom_vec3 moved = carom_v3_add(c.a->velocity, carom_v3_cross(c.a->spin, c.from_a));
    const carom_vec3 relative = carom_v3_sub(carom_v3_sub(moved, c.b->velocity), carom_v3_cross(c.b->spin, from_b));
    double s_rate;
    carom_vec2 turning;
    carom_curve_foot_rate(c.b->p, &c.foot, carom_pose2_turn_back(&c.frame, carom_v2(relative.x, relative.y)), &s_rate,
                          &turning);
    const carom_vec2 rate = carom_pose2_turn(&c.frame, turning), up = carom_pose2_turn(&c.frame, c.foot.normal);
    const carom_vec3 turned = carom_v3_cross(c.b->spin, carom_v3(up.x, up.y, 0));
    const carom_vec3 total = carom_v3(rate.x + turned.x, rate.y + turned.y, 0);
    return c.a == i ? carom_v3_neg(total) : total;
}

/* ---- others: the nearest or deepest point ---- */

static void gap(const carom_shape_pose *i, const carom_shape_pose *j, int point, carom_pair_point *out)
{
    if (by_corners(i->p, j->p)) {
        corner_gap(i, j, point, out);
        return;
    }
    const carom_pose2 X = relative_pose(i, j);
    carom_curve_contact contact;
    find(i, j, &X, &contact);
    carom_curve_pair_point(i, j, &contact, out);
}

static carom_vec3 normal_rate(const carom_shape_pose *i, const carom_shape_pose *j, int point)
{
    if (by_corners(i->p, j->p))
        return corner_normal_rate(i, j, point);
    const carom_pose2 X = relative_pose(i, j), frame = carom_shape_pose2(i);
    const carom_vec3 relative = carom_v3_sub(carom_v3_sub(j->velocity, i->velocity),
                                             carom_v3_cross(i->spin, carom_v3_sub(j->origin, i->origin)));
    carom_curve_contact contact;
    carom_curve_rates rates;
    find(i, j, &X, &contact);
    carom_curve_contact_rates(i->p, j->p, &X, &contact, carom_pose2_turn_back(&frame, carom_v2(relative.x, relative.y)),
                              j->spin.z - i->spin.z, &rates);
    const carom_vec2 rate = carom_pose2_turn(&frame, rates.normal), normal = carom_pose2_turn(&frame, contact.normal);
    const carom_vec3 turned = carom_v3_cross(i->spin, carom_v3(normal.x, normal.y, 0));
    return carom_v3(rate.x + turned.x, rate.y + turned.y, 0);
}

static bool nowhere_below(const carom_shape_pose *i, const carom_shape_pose *j, int point, double least)
{
    (void)point;
    const carom_pose2 X = relative_pose(i, j);
    return !by_corners(i->p, j->p) && carom_curve_nowhere_below(i->p, j->p, &X, *i->near, *j->near, least);
}

static double overlap(const carom_shape_pose *i, const carom_shape_pose *j, carom_vec3 *at)
{
    const carom_pose2 X = relative_pose(i, j), frame = carom_shape_pose2(i);
    carom_vec2 in_i;
    const double depth = by_corners(i->p, j->p) ? carom_curve_overlap(i->p, j->p, &X, &in_i) : 0;
    if (depth > 0)
        *at = carom_v3_add(i->origin, arm_to(&frame, in_i));
    return depth;
}

static void curvature(const double *pi, const double *pj, double *radius_i, double *radius_j)
{
    *radius_i = carom_curve_typical_radius(pi);
    *radius_j = carom_curve_typical_radius(pj);
}

static double feature_size(const double *pi, const double *pj)
{
    return fmin(carom_curve_feature(pi), carom_curve_feature(pj));
}

const carom_pair_kind carom_pair_curve_curve = {
    .kind = {.name = "curve-curve",
             .title = "Two of profile, polygon, box, capsule, segment, slot (2-D).",
             .formula = "n_j x n_i = 0, d x n_i = 0 with d between the points; gap = d . n_i",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(16).",
             .validity =
                 "Two outlines of straight sides touch by their corners: each convex corner (or open end) of one "
                 "against the other is a contact of its own. Others have one contact, at the least distance or "
                 "the greatest depth of the whole curves. Depths below the radii of curvature. The wrench acts "
                 "at the corner, or halfway between the points."},
    .shape_i = "curve",
    .shape_j = "curve",
    .varies = true,
    .check = check,
    .points = points,
    .points_word = "corners",
    .point_name = point_name,
    .gap_at = gap,
    .nowhere_below = nowhere_below,
    .overlap = overlap,
    .normal_rate_at = normal_rate,
    .curvature = curvature,
    .feature_size = feature_size,
};

/* Two curves i and j: apart the least distance; where they cross minus the greatest depth. Where both are smooth the
   points satisfy the common-normal equations n_j x n_i = 0 and d x n_i = 0. The wrench acts halfway between them.
   Two outlines of straight sides touch by their corners, each a contact of its own, so that sides can lie on sides.
   Convex ones with rounds, such as capsules, touch by the ends of the stretch over which their sides lie along each
   other, in the place of the deepest point.
   Source: Machado et al. 2012, section 3, eqs. (7)-(16).
   Validity: of convex places any depth, of others depths below the radii of curvature. */
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

static bool hands_over(const double *pi, const double *pj) { return by_corners(pi, pj); }

static int points(const double *pi, const double *pj)
{
    if (by_corners(pi, pj))
        return carom_curve_supports(pi) + carom_curve_supports(pj);
    return carom_curve_lie_flat(pi, pj) ? 1 + CAROM_CURVE_FLAT_PLACES : 1;
}

static void point_name(const double *pi, const double *pj, int point, char *text, size_t size)
{
    if (!by_corners(pi, pj)) {
        if (point == 0)
            snprintf(text, size, "the deepest point");
        else
            snprintf(text, size, "end %d of the side of the %s", 2 - point % 2, point < 3 ? "first" : "second");
        return;
    }
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

/* Edges of a corner of one shape in the frame of the other. */
static carom_curve_edges seen_edges(const carom_pose2 *frame, const carom_shape_pose *of, carom_curve_edges edges)
{
    const carom_pose2 own = carom_shape_pose2(of);
    for (int k = 0; k < edges.count; k++)
        edges.edge[k] = carom_pose2_turn_back(frame, carom_pose2_turn(&own, edges.edge[k]));
    return edges;
}

/* The end of a side of j in the frame of i. */
static carom_curve_end seen_end(carom_curve_end end, const carom_shape_pose *i, const carom_shape_pose *j)
{
    const carom_pose2 frame_i = carom_shape_pose2(i), frame_j = carom_shape_pose2(j);
    carom_vec2 *const turned[] = {&end.edge, &end.other_edge, &end.normal, &end.other_normal};
    end.corner = seen_from(&frame_i, j, arm_to(&frame_j, end.corner));
    for (size_t k = 0; k < CAROM_COUNT(turned); k++)
        *turned[k] = carom_pose2_turn_back(&frame_i, carom_pose2_turn(&frame_j, *turned[k]));
    return end;
}

/* Sides of both that lie on each other where the corner at a joint of `a` is near one of `b`. */
typedef struct meeting {
    carom_curve_meeting m; /* in the frame of i */
    carom_curve_end a, b;  /* the ends, in the frames of a and of b */
} meeting;

/* The sides at those joints of a and of b that lie on each other, if there are such. Computed from both corners they
   are the same to the last bit. */
static bool meet_at(const carom_shape_pose *i, const carom_shape_pose *j, bool of_i, const int joint[2], meeting *out)
{
    for (int k = 0; k < 4; k++) {
        carom_curve_end of[2];
        carom_curve_meeting m;
        if (!carom_curve_side_end(i->p, joint[!of_i], k % 2, &of[0]) ||
            !carom_curve_side_end(j->p, joint[of_i], k / 2, &of[1]))
            continue;
        const carom_curve_end seen = seen_end(of[1], i, j);
        if (carom_curve_ends_meet(&of[0], &seen, i->p[CAROM_CURVE_EXTENT], &m)) {
            *out = (meeting){m, of[!of_i], of[of_i]};
            return true;
        }
    }
    return false;
}

/* Whether the end of a is the one next to b's corner, as that of b is next to a's. */
static bool is_near(const corner *c, const carom_curve_end *a, const carom_curve_end *b)
{
    const carom_pose2 frame = carom_shape_pose2(c->a);
    carom_curve_foot foot;
    carom_curve_joint at;
    const carom_vec2 in_a = seen_from(&frame, c->b, arm_to(&c->frame, b->corner));
    const carom_curve_edges edges = seen_edges(&frame, c->b, carom_curve_edges_of(b));
    carom_curve_closest(c->a->p, in_a, &foot);
    const int joint = carom_curve_leaving_joint(c->a->p, in_a, &edges, &foot);
    if (joint < 0)
        return false;
    carom_curve_joint_at(c->a->p, joint, &at);
    return carom_v2_distance(at.at, a->corner) == 0;
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
    const int joint = carom_curve_support_joint(c.a->p, support);
    const carom_curve_edges edges = seen_edges(&c.frame, c.a, carom_curve_edges_at(c.a->p, joint));
    carom_curve_closest(c.b->p, in_b, &c.foot);
    const bool beside = c.foot.distance <= CAROM_CURVE_BESIDE * c.b->p[CAROM_CURVE_EXTENT];
    const int joints[2] = {joint, beside ? carom_curve_leaving_joint(c.b->p, in_b, &edges, &c.foot) : -1};
    meeting met;
    if (c.b->near)
        carom_curve_entered_foot(c.b->p, in_b, &edges, *c.b->near, &c.foot);
    if (joints[1] < 0 || !meet_at(i, j, of_i, joints, &met) || !is_near(&c, &met.a, &met.b))
        return c;
    carom_curve_side_foot(c.b->p, met.b.side, in_b, &c.foot);
    if (of_i ? met.m.beyond > 0 : met.m.beyond <= 0) { /* apart, by its way to where it would press */
        c.foot.distance = fabs(met.m.beyond) + CAROM_CURVE_FLUSH * i->p[CAROM_CURVE_EXTENT];
    } else if (of_i) {
        const carom_pose2 frame_i = carom_shape_pose2(i);
        c.foot.distance = met.m.distance;
        c.foot.normal = carom_pose2_turn_back(&c.frame, carom_pose2_turn(&frame_i, met.m.normal));
        c.foot.at = carom_v2_add_scaled(in_b, -c.foot.distance, c.foot.normal);
    }
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

/* ---- sides along each other, of outlines that are round elsewhere ---- */

/* A place that is none, far away, as round as the outlines. */
static void put_nowhere(const double *pi, const double *pj, const carom_pose2 *X, carom_curve_contact *out)
{
    const double way = carom_v2_norm(X->at);
    *out = (carom_curve_contact){.gap = way + pi[CAROM_CURVE_EXTENT] + pj[CAROM_CURVE_EXTENT],
                                 .normal = way > 0 ? carom_v2_scale(1 / way, X->at) : carom_v2(1, 0),
                                 .point_j = X->at,
                                 .curvature_i = 1 / carom_curve_typical_radius(pi),
                                 .curvature_j = 1 / carom_curve_typical_radius(pj),
                                 .common = true};
}

/* The deepest point where sides bear wholly in its place: the deeper end, where it would not touch. */
static void put_deeper_end(const double *pi, const double *pj, const carom_curve_flat *flat, carom_curve_contact *out)
{
    out->gap = HUGE_VAL;
    for (int end = 0; end < CAROM_CURVE_FLAT_PLACES; end++) {
        carom_curve_contact at;
        if (carom_curve_flat_end(pi, pj, flat, end, &at) > 0 && at.gap < out->gap)
            *out = at;
    }
    out->gap = fmax(out->gap, 0) + fmin(pi[CAROM_CURVE_EXTENT], pj[CAROM_CURVE_EXTENT]);
}

/* The deepest point or an end of a side, and the share of the law that acts there. `turns_with`: 0 or 1, the outline
   that the normal turns with, -1: neither. */
static double flat_at(const carom_shape_pose *i, const carom_shape_pose *j, const carom_pose2 *X, int point,
                      int *turns_with, carom_curve_contact *out)
{
    carom_curve_flat flat;
    carom_curve_flat_find(i->p, j->p, X, &flat);
    *turns_with = point == 0 ? -1 : point < 3;
    if (point == 0 && flat.weight < 1)
        find(i, j, X, out);
    else if (point == 0)
        put_deeper_end(i->p, j->p, &flat, out);
    if (point == 0)
        return 1 - flat.weight;
    if (flat.weight > 0)
        return flat.weight * carom_curve_flat_end(i->p, j->p, &flat, point - 1, out);
    put_nowhere(i->p, j->p, X, out);
    return 0;
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
    double share = 1;
    int turns_with;
    if (carom_curve_lie_flat(i->p, j->p))
        share = flat_at(i, j, &X, point, &turns_with, &contact);
    else
        find(i, j, &X, &contact);
    carom_curve_pair_point(i, j, &contact, out);
    out->less = 1 - share;
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
    int turns_with = -1;
    if (carom_curve_lie_flat(i->p, j->p))
        flat_at(i, j, &X, point, &turns_with, &contact);
    else
        find(i, j, &X, &contact);
    if (turns_with >= 0) {
        const carom_vec2 n = carom_pose2_turn(&frame, contact.normal);
        return carom_v3_cross(turns_with ? j->spin : i->spin, carom_v3(n.x, n.y, 0));
    }
    carom_curve_contact_rates(i->p, j->p, &X, &contact, carom_pose2_turn_back(&frame, carom_v2(relative.x, relative.y)),
                              j->spin.z - i->spin.z, &rates);
    const carom_vec2 rate = carom_pose2_turn(&frame, rates.normal), normal = carom_pose2_turn(&frame, contact.normal);
    const carom_vec3 turned = carom_v3_cross(i->spin, carom_v3(normal.x, normal.y, 0));
    return carom_v3(rate.x + turned.x, rate.y + turned.y, 0);
}

static bool nowhere_below(const carom_shape_pose *i, const carom_shape_pose *j, int point, double least)
{
    if (by_corners(i->p, j->p))
        return false;
    const carom_pose2 X = relative_pose(i, j);
    if (carom_curve_lie_flat(i->p, j->p)) {
        carom_curve_flat flat;
        carom_curve_flat_find(i->p, j->p, &X, &flat);
        if (point > 0 || flat.weight >= 1)
            return true; /* nothing is searched */
    }
    return carom_curve_nowhere_below(i->p, j->p, &X, *i->near, *j->near, least);
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
                 "against the other is a contact of its own. Two convex ones of lines and arcs, such as capsules and "
                 "boxes, touch at both ends of the stretch over which sides of them lie along each other. Others have "
                 "one contact, at the least distance or "
                 "the greatest depth of the whole curves. Depths below the radii of curvature where one of the "
                 "places is hollow. The wrench acts "
                 "at the corner, or halfway between the points."},
    .shape_i = "curve",
    .shape_j = "curve",
    .varies = true,
    .hands_over = hands_over,
    .check = check,
    .points = points,
    .points_word = "corners and ends",
    .point_name = point_name,
    .gap_at = gap,
    .nowhere_below = nowhere_below,
    .overlap = overlap,
    .normal_rate_at = normal_rate,
    .curvature = curvature,
    .feature_size = feature_size,
};

/* Curve i on plane j, in as many points as it may lie on (geometry/curve/support.c): gap = N . (c - o) with the point
   c, the plane's unit normal N out of its material and a point o of it. The normal from i to j is -N; the wrench
   acts at c.
   Source: Machado et al. 2012, section 3, eqs. (7)-(16) and (20) (plane surface as infinite radius).
   Validity: solids and open curves, not hollows. */
#include "kinds/shape/shape.h"

#include <stdio.h>

static const char *check(const double *pi, const double *pj)
{
    (void)pj;
    if (carom_curve_closed(pi) && pi[CAROM_CURVE_AREA] < 0)
        return "a hollow shape cannot touch a plane: give one with its material inside";
    return carom_curve_supports(pi) > 0 ? NULL : "the curve is concave all along: it cannot touch a plane";
}

static int points(const double *pi, const double *pj)
{
    (void)pj;
    return carom_curve_supports(pi);
}

static void point_name(const double *pi, const double *pj, int point, char *text, size_t size)
{
    (void)pj;
    const carom_vec2 at = carom_curve_support_point(pi, point);
    snprintf(text, size, "corner at (%.3g, %.3g) m", at.x, at.y);
}

static void gap(const carom_shape_pose *i, const carom_shape_pose *j, int point, carom_pair_point *out)
{
    const carom_pose2 frame = carom_shape_pose2(i);
    const carom_vec3 up = carom_plane_normal(j);
    const carom_vec2 origin = carom_pose2_apply_back(&frame, carom_v2(j->origin.x, j->origin.y));
    carom_curve_contact contact;
    carom_curve_support(i->p, point, origin, carom_pose2_turn_back(&frame, carom_v2(up.x, up.y)), &contact);
    const carom_vec2 from = carom_pose2_turn(&frame, contact.point_i);
    out->gap = contact.gap;
    out->normal = carom_v3_neg(up);
    out->from_i = carom_v3(from.x, from.y, 0);
    out->point = carom_v3_add(i->origin, out->from_i);
    out->from_j = carom_v3_sub(out->point, j->origin);
    out->radius_i = isinf(contact.curvature_i) ? 0 : contact.curvature_i != 0 ? 1 / contact.curvature_i : HUGE_VAL;
    out->radius_j = HUGE_VAL;
    out->residual = 0;
    out->common = true;
    out->place_i = contact.s_i;
    out->place_j = 0;
}

static void curvature(const double *pi, const double *pj, double *radius_i, double *radius_j)
{
    (void)pj;
    *radius_i = carom_curve_typical_radius(pi);
    *radius_j = HUGE_VAL;
}

static double feature_size(const double *pi, const double *pj)
{
    (void)pj;
    return carom_curve_feature(pi);
}

const carom_pair_kind carom_pair_curve_plane = {
    .kind =
        {.name = "curve-plane",
         .title = "Profile, polygon, box, capsule or segment on a line (2-D), in several points.",
         .formula = "gap = N . (c - o) at each convex corner and the lowest point c of each round",
         .source = "Machado et al. 2012, section 3, eqs. (7)-(16) and (20).",
         .validity =
             "Each convex corner between straight sides and each run of convex segments is a contact of its own, with "
             "the law of all: a box rests on two. Corners at the ends of a round belong to it: a half disc "
             "lies on one point at a time. The wrench acts at the point of the curve."},
    .shape_i = "curve",
    .shape_j = "plane",
    .varies = true,
    .check = check,
    .points = points,
    .points_word = "corners",
    .point_name = point_name,
    .gap_at = gap,
    .normal_rate = carom_plane_normal_rate,
    .curvature = curvature,
    .feature_size = feature_size,
};

/* Sphere i (a disc) and curve j: gap = signed distance of the centre from the curve less the radius; the normal
   from i to j is against the curve's at the foot: about an outer corner it turns with the centre. In an inner corner
   the disc touches both sides: each section of the curve between inner corners is a contact of its own, and two share
   one at a seam (geometry/curve/section.c). The wrench acts halfway between the surfaces.
   Source: Machado et al. 2012, section 3, eqs. (7)-(16) with a circle for one of the bodies.
   Validity: positive radius; in a hollow smaller than that of the curve. */
#include "kinds/shape/shape.h"

#include <stdio.h>

static const char *check(const double *pi, const double *pj)
{
    const double radius = carom_sphere_radius(pi), hollow = pj[CAROM_CURVE_HOLLOWEST];
    const bool slot = carom_curve_closed(pj) && pj[CAROM_CURVE_AREA] < 0;
    if (!(radius > 0))
        return "a hollow sphere cannot touch a curve: draw the hollow as a profile, an arc clockwise";
    if (slot && radius * -hollow >= 1)
        return "the sphere does not fit into the hollow: its radius must be below the least one there";
    return NULL;
}

typedef struct touch {
    carom_pose2 frame; /* of the curve in the world */
    carom_vec2 centre; /* of the sphere, in it */
    carom_curve_foot foot;
    double share; /* of the contact that acts there */
} touch;

static int points(const double *pi, const double *pj)
{
    (void)pi;
    return carom_curve_sections(pj);
}

static void point_name(const double *pi, const double *pj, int section, char *text, size_t size)
{
    (void)pi;
    const carom_vec2 from = carom_curve_section_begin(pj, section);
    snprintf(text, size, "section from (%.3g, %.3g) m", from.x, from.y);
}

static touch find(const carom_shape_pose *i, const carom_shape_pose *j, int section)
{
    touch t = {.frame = carom_shape_pose2(j), .share = 1};
    t.centre = carom_pose2_apply_back(&t.frame, carom_v2(i->origin.x, i->origin.y));
    if (carom_curve_sections(j->p) > 1)
        t.share = carom_curve_section_closest(j->p, section, t.centre, j->near, &t.foot);
    else if (j->near)
        carom_curve_closest_from(j->p, t.centre, *j->near, &t.foot);
    else
        carom_curve_closest(j->p, t.centre, &t.foot);
    return t;
}

static void gap(const carom_shape_pose *i, const carom_shape_pose *j, int section, carom_pair_point *out)
{
    const double radius = carom_sphere_radius(i->p);
    const touch t = find(i, j, section);
    const carom_vec2 normal = carom_pose2_turn(&t.frame, t.foot.normal);
    const double reach = radius + 0.5 * (t.foot.distance - radius);
    out->gap = t.foot.distance - radius;
    out->normal = carom_v3(-normal.x, -normal.y, 0);
    out->from_i = carom_v3_scale(reach, out->normal);
    out->point = carom_v3_add(i->origin, out->from_i);
    out->from_j = carom_v3_add(out->from_i, carom_v3_sub(i->origin, j->origin));
    out->radius_i = radius;
    out->radius_j = isinf(t.foot.curvature) ? 0 : t.foot.curvature != 0 ? 1 / t.foot.curvature : HUGE_VAL;
    out->place_j = t.foot.s;
    out->residual = t.foot.residual;
    out->common = true;
    out->less = 1 - t.share;
}

static carom_vec3 normal_rate(const carom_shape_pose *i, const carom_shape_pose *j, int section)
{
    const touch t = find(i, j, section);
    const carom_vec3 arm = carom_v3_sub(i->origin, j->origin);
    const carom_vec3 relative = carom_v3_sub(carom_v3_sub(i->velocity, j->velocity), carom_v3_cross(j->spin, arm));
    double s_rate;
    carom_vec2 turning;
    carom_curve_foot_rate(j->p, &t.foot, carom_pose2_turn_back(&t.frame, carom_v2(relative.x, relative.y)), &s_rate,
                          &turning);
    const carom_vec2 rate = carom_pose2_turn(&t.frame, turning), normal = carom_pose2_turn(&t.frame, t.foot.normal);
    const carom_vec3 turned = carom_v3_cross(j->spin, carom_v3(normal.x, normal.y, 0));
    return carom_v3(-rate.x - turned.x, -rate.y - turned.y, 0);
}

static void curvature(const double *pi, const double *pj, double *radius_i, double *radius_j)
{
    *radius_i = carom_sphere_radius(pi);
    *radius_j = carom_curve_typical_radius(pj);
}

static double feature_size(const double *pi, const double *pj)
{
    (void)pj;
    return carom_sphere_radius(pi);
}

/* The narrowest hollow of a slot is as wide as its rounds. */
static double play(const double *pi, const double *pj)
{
    const double hollow = pj[CAROM_CURVE_HOLLOWEST];
    const bool slot = carom_curve_closed(pj) && pj[CAROM_CURVE_AREA] < 0;
    return slot && hollow < 0 ? -1 / hollow - carom_sphere_radius(pi) : HUGE_VAL;
}

const carom_pair_kind carom_pair_sphere_curve = {
    .kind = {.name = "sphere-curve",
             .title = "Disc on a profile, polygon, box, capsule, segment or in a slot (2-D).",
             .formula = "gap = distance of the centre from the curve, negative inside, less R",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(16) with a circle for one of the bodies.",
             .validity = "Positive radius, below the least radius of hollows of the curve. One contact, at the nearest "
                         "point of the curve, or one of each section between inner corners; the wrench acts halfway "
                         "between the surfaces."},
    .shape_i = "sphere",
    .shape_j = "curve",
    .varies = true,
    .turns = true,
    .check = check,
    .points = points,
    .points_word = "sections",
    .point_name = point_name,
    .gap_at = gap,
    .normal_rate_at = normal_rate,
    .curvature = curvature,
    .feature_size = feature_size,
    .play = play,
};

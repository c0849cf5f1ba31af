/* Sphere i on plane j: gap = N . (c - o) - R with the plane's unit normal N out of its material and a point o of it.
   The normal from i to j is -N; the wrench acts at the sphere's deepest point, c - R N.
   Source: Machado et al. 2012, section 3, eqs. (8)-(11); Rodrigues da Silva et al. 2024, section 5.1 (foot on ground).
   Validity: positive radius. */
#include "kinds/batch.h"
#include "kinds/shape/shape.h"

static const char *check(const double *pi, const double *pj)
{
    (void)pj;
    return carom_sphere_radius(pi) > 0 ? NULL : "a hollow sphere cannot touch a plane: give it a positive radius";
}

static void gap_by(const carom_shape_pose *i, const carom_shape_pose *j, carom_vec3 normal, carom_pair_point *out)
{
    double radius = carom_sphere_radius(i->p);
    out->gap = carom_v3_dot(normal, carom_v3_sub(i->origin, j->origin)) - radius;
    out->normal = carom_v3_neg(normal);
    out->from_i = carom_v3_scale(-radius, normal);
    out->point = carom_v3_add(i->origin, out->from_i);
    out->from_j = carom_v3_sub(out->point, j->origin);
}

static void gap(const carom_shape_pose *i, const carom_shape_pose *j, carom_pair_point *out)
{
    gap_by(i, j, carom_plane_normal(j), out);
}

static void arm_rates(const carom_shape_pose *i, const carom_shape_pose *j, carom_vec3 *from_i, carom_vec3 *from_j)
{
    *from_i = carom_v3_scale(-carom_sphere_radius(i->p), carom_v3_cross(j->spin, carom_plane_normal(j)));
    *from_j = carom_v3_add(carom_v3_sub(i->velocity, j->velocity), *from_i);
}

static void curvature(const double *pi, const double *pj, double *radius_i, double *radius_j)
{
    (void)pj;
    *radius_i = carom_sphere_radius(pi);
    *radius_j = HUGE_VAL;
}

static double feature_size(const double *pi, const double *pj)
{
    (void)pj;
    return carom_sphere_radius(pi);
}

CAROM_PAIR_BATCH_ON(carom_plane_normal, gap_by, gap)

const carom_pair_kind carom_pair_sphere_plane = {
    .kind = {.name = "sphere-plane",
             .title = "Sphere on a plane (disc on a line).",
             .formula = "gap = N . (c - o) - R",
             .source = "Machado et al. 2012, section 3, eqs. (8)-(11); Rodrigues da Silva et al. 2024, section 5.1.",
             .validity =
                 "Positive radius. The wrench acts at the deepest point of the sphere, c - R N, so that the spin of "
                 "the sphere enters the tangential velocity."},
    .shape_i = "sphere",
    .shape_j = "plane",
    .check = check,
    .gap = gap,
    .normal_rate = carom_plane_normal_rate,
    .arm_rates = arm_rates,
    .curvature = curvature,
    .feature_size = feature_size,
    .batch = batch,
};

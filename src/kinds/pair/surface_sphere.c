/* Surface i and sphere j: gap = signed distance of the centre from the surface less the radius, negative in the
   material; the normal is that of the surface at the foot. The wrench acts halfway between the surfaces.
   Source: Machado et al. 2012, section 3, eqs. (7)-(13), with a sphere for one of the bodies.
   Validity: positive radius; in a hollow the ball is rounder than the wall. */
#include "kinds/shape/shape_solid.h"

static const char *check(const double *pi, const double *pj)
{
    const double radius = carom_sphere_radius(pj);
    if (!(radius > 0))
        return "a hollow sphere cannot touch this shape: make it an ellipsoid with `hollow: true` for a spherical "
               "hollow";
    if (carom_solid_surface(pi).hollow && radius >= carom_solid_inner_radius(pi))
        return "the ball does not fit into the hollow, which is closed at its ends: its radius must be below that of "
               "the largest ball between walls and ends; what is open, such as a seat or a funnel, is a height-field";
    return NULL;
}

static void find(const carom_solid *i, const carom_shape_pose *j, carom_surface_contact *out)
{
    carom_surface_sphere(&i->surface, &i->pose, carom_sphere_radius(j->p), j, NULL, out);
}

static void gap(const carom_shape_pose *i, const carom_shape_pose *j, carom_pair_point *out)
{
    carom_solid solid;
    carom_surface_contact contact;
    carom_solid_at(i, false, &solid);
    find(&solid, j, &contact);
    carom_solid_contact(&contact, i, solid.offset, carom_v3(0, 0, 0), 0.5, out);
}

static carom_vec3 normal_rate(const carom_shape_pose *i, const carom_shape_pose *j)
{
    carom_solid solid;
    carom_surface_contact contact;
    carom_solid_at(i, true, &solid);
    find(&solid, j, &contact);
    return carom_surface_normal_rate(&contact, &solid.pose, j);
}

static void curvature(const double *pi, const double *pj, double *radius_i, double *radius_j)
{
    *radius_i = carom_solid_typical_radius(pi);
    *radius_j = carom_sphere_radius(pj);
}

static double feature_size(const double *pi, const double *pj)
{
    return fmin(carom_solid_inner_radius(pi), carom_sphere_radius(pj));
}

const carom_pair_kind carom_pair_surface_sphere = {
    .kind = {.name = "surface-sphere",
             .title = "Sphere on or in a solid: ellipsoid, torus, cylinder, tube, box, ... (3-D).",
             .formula = "gap = distance of the centre from the surface, negative inside, less R",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(13), with a sphere for one of the bodies.",
             .validity =
                 "Positive radius, in a hollow below that of its widest place. One contact, at the nearest point "
                 "of the surface; the wrench acts halfway between the surfaces. In a hollow the ball is "
                 "rounder than the wall, else it would touch in two points, of which one is seen."},
    .shape_i = "surface",
    .shape_j = "sphere",
    .varies = true,
    .check = check,
    .gap = gap,
    .normal_rate = normal_rate,
    .curvature = curvature,
    .feature_size = feature_size,
};

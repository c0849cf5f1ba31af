/* Height field i and sphere j: gap = signed distance of the centre from the surface less the radius; the normal is that
   of the surface at the foot. The wrench acts halfway between the surfaces.
   Source: Machado et al. 2012, section 3, eqs. (7)-(13), with a sphere for one of the bodies.
   Validity: positive radius, below those of the hollows of the field. */
#include "geometry/surface/field.h"
#include "kinds/shape/shape_solid.h"

static const char *check(const double *pi, const double *pj)
{
    (void)pi;
    return carom_sphere_radius(pj) > 0 ? NULL
                                       : "a hollow sphere cannot touch a height field: give it a positive radius";
}

static void gap(const carom_shape_pose *i, const carom_shape_pose *j, carom_pair_point *out)
{
    carom_surface_contact contact;
    const carom_vec3 none = {0, 0, 0};
    carom_field_sphere(i->p, i, carom_sphere_radius(j->p), j, &contact);
    carom_solid_contact(&contact, i, none, none, 0.5, out);
}

static carom_vec3 normal_rate(const carom_shape_pose *i, const carom_shape_pose *j)
{
    carom_surface_contact contact;
    carom_field_sphere(i->p, i, carom_sphere_radius(j->p), j, &contact);
    return carom_surface_normal_rate(&contact, i, j);
}

static void curvature(const double *pi, const double *pj, double *radius_i, double *radius_j)
{
    (void)pi;
    *radius_i = HUGE_VAL;
    *radius_j = carom_sphere_radius(pj);
}

static double feature_size(const double *pi, const double *pj)
{
    return fmin(carom_field_cell(pi), carom_sphere_radius(pj));
}

const carom_pair_kind carom_pair_field_sphere = {
    .kind = {.name = "field-sphere",
             .title = "Sphere on a height field (3-D).",
             .formula = "gap = distance of the centre from the surface, negative inside, less R",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(13), with a sphere for one of the bodies.",
             .validity = "Positive radius. One contact, at the nearest point of the surface: in a hollow that is less "
                         "wide than the ball it touches two, of which one is seen."},
    .shape_i = "height-field",
    .shape_j = "sphere",
    .varies = true,
    .check = check,
    .gap = gap,
    .normal_rate = normal_rate,
    .curvature = curvature,
    .feature_size = feature_size,
};

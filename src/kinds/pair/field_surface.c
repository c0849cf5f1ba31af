/* Height field i and solid j: the places of the solid that bear on a plane, corners and ends, each against its foot on
   the field; of a capsule also the deepest place between its ends, once that is deeper than they are. The wrench acts
   halfway between the surfaces.
   Source: Machado et al. 2012, section 3, eqs. (7)-(13).
   Validity: solids that are not hollow, on ground that is smooth over the distance between their places. */
#include "geometry/surface/field.h"
#include "kinds/shape/shape_solid.h"

#include <stdio.h>

static const char *check(const double *pi, const double *pj)
{
    (void)pi;
    return carom_solid_surface(pj).hollow ? "a hollow shape cannot touch a height field: leave out `hollow`" : NULL;
}

static int points(const double *pi, const double *pj)
{
    (void)pi;
    const carom_surface surface = carom_solid_surface(pj);
    return carom_field_places(&surface);
}

static void point_name(const double *pi, const double *pj, int point, char *text, size_t size)
{
    const carom_surface surface = carom_solid_surface(pj);
    (void)pi;
    if (surface.kind == &carom_surface_box)
        snprintf(text, size, "corner x%c y%c z%c", point & 1 ? '+' : '-', point & 2 ? '+' : '-', point & 4 ? '+' : '-');
    else if (surface.kind == &carom_surface_capsule && point == 2)
        snprintf(text, size, "the middle");
    else if (surface.kind != &carom_surface_polyhedron && point < 2)
        snprintf(text, size, "rim z%c", point ? '+' : '-');
    else
        snprintf(text, size, "place %d", point + 1);
}

static void find(const carom_shape_pose *i, const carom_shape_pose *j, bool motion, int point, carom_solid *b,
                 carom_surface_contact *contact, double *share)
{
    carom_solid_at(j, motion, b);
    carom_field_solid(i->p, i, &b->surface, &b->pose, point, contact, share);
}

static void gap_at(const carom_shape_pose *i, const carom_shape_pose *j, int point, carom_pair_point *out)
{
    carom_solid b;
    carom_surface_contact contact;
    double share;
    find(i, j, false, point, &b, &contact, &share);
    carom_solid_contact(&contact, i, carom_v3(0, 0, 0), b.offset, 0.5, out);
    out->less = 1 - share;
}

static carom_vec3 normal_rate_at(const carom_shape_pose *i, const carom_shape_pose *j, int point)
{
    carom_solid b;
    carom_surface_contact contact;
    double share;
    find(i, j, true, point, &b, &contact, &share);
    return carom_surface_normal_rate(&contact, i, &b.pose);
}

static void curvature(const double *pi, const double *pj, double *radius_i, double *radius_j)
{
    (void)pi;
    *radius_i = HUGE_VAL;
    *radius_j = carom_solid_typical_radius(pj);
}

static double feature_size(const double *pi, const double *pj)
{
    return fmin(carom_field_cell(pi), carom_solid_inner_radius(pj));
}

const carom_pair_kind carom_pair_field_surface = {
    .kind = {.name = "field-surface",
             .title = "Solid on a height field: box, mesh, capsule, cylinder, cone, ellipsoid, ... (3-D).",
             .formula = "gap = (x - f) . N, x the place of the solid that is lowest against N, f its foot",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(13).",
             .validity = "Solids that are not hollow. Boxes and meshes touch at their corners; cylinders, cones and "
                         "tubes at the lowest point of each rim, and upright, by less than 6 to 17 degrees, at eight "
                         "points of an end, with four times the law in all; capsules at both ends and between them; "
                         "the others in one point, if they are rounder there than the hollows of the field."},
    .shape_i = "height-field",
    .shape_j = "surface",
    .varies = true,
    .check = check,
    .points = points,
    .points_word = "corners and ends",
    .point_name = point_name,
    .gap_at = gap_at,
    .normal_rate_at = normal_rate_at,
    .curvature = curvature,
    .feature_size = feature_size,
};

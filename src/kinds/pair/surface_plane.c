/* Surface i on plane j: gap = N . (x - o) with the plane's unit normal N out of its material, a point o of it and the
   lowest point x of the solid, of a box each of its 8 corners, of cylinders, cones, capsules and tubes the lowest point
   of each end and four points more of a flat one, of a torus the same points of its circle
   (geometry/surface/meridian.c). The normal from i to j is -N; the wrench acts at x.
   Source: Machado et al. 2012, section 3, eqs. (7)-(13), with a plane for one of the bodies.
   Validity: solids that are not hollow. */
#include "geometry/surface/hull.h"
#include "kinds/shape/shape_solid.h"

#include <stdio.h>

static const char *check(const double *pi, const double *pj)
{
    (void)pj;
    return carom_solid_surface(pi).hollow ? "a hollow shape cannot touch a plane: leave out `hollow`" : NULL;
}

static int points(const double *pi, const double *pj)
{
    (void)pj;
    const carom_surface surface = carom_solid_surface(pi);
    return carom_surface_plane_count(&surface);
}

/* Corners of a box, ends of a cylinder, cone, capsule or tube. */
static void point_name(const double *pi, const double *pj, int point, char *text, size_t size)
{
    (void)pj;
    const carom_surface surface = carom_solid_surface(pi);
    const int place = (point - 2) % CAROM_END_POINTS;
    const bool both = carom_surface_plane_count(&surface) > 2 + CAROM_END_POINTS;
    const char *end = !both ? "the flat end" : point < 2 + CAROM_END_POINTS ? "end z-" : "end z+";
    if (surface.kind == &carom_surface_polyhedron)
        snprintf(text, size, "place %d of the mesh", point + 1);
    else if (surface.kind == &carom_surface_box)
        snprintf(text, size, "corner x%c y%c z%c", point & 1 ? '+' : '-', point & 2 ? '+' : '-', point & 4 ? '+' : '-');
    else if (surface.kind == &carom_surface_torus && point < 2)
        snprintf(text, size, "the %s point", point ? "opposite" : "lowest");
    else if (surface.kind == &carom_surface_torus)
        snprintf(text, size, "place %d", point - 1);
    else if (point < 2)
        snprintf(text, size, "end z%c", point ? '+' : '-');
    else if (place == 0)
        snprintf(text, size, "far side of %s", end);
    else
        snprintf(text, size, "face %d of %s", place, end);
}

static bool has_corners(const carom_surface *surface)
{
    return surface->kind == &carom_surface_polyhedron || surface->kind == &carom_surface_box;
}

/* A corner of a mesh or of a box, with its share: a ball of the radius of the edges there, also where a face or an edge
   lies flat on the plane. */
static void corner_at(const carom_solid *solid, const carom_shape_pose *i, const carom_shape_pose *j, int point,
                      carom_pair_point *out)
{
    const carom_surface_kind *kind = solid->surface.kind;
    const double *p = solid->surface.p;
    const carom_vec3 up = carom_plane_normal(j);
    const carom_vec3 down = carom_m3_apply_t(&solid->pose.axes, carom_v3_neg(up));
    const double radius = kind->bearing_edge(p);
    double share = 1;
    const carom_vec3 at = kind == &carom_surface_polyhedron ? carom_polyhedron_place(p, point, down, &share)
                                                            : kind->bearing(p, point, down);
    out->from_i = carom_v3_add(solid->offset, carom_m3_apply(&solid->pose.axes, at));
    out->point = carom_v3_add(i->origin, out->from_i);
    const carom_vec3 away = carom_v3_sub(out->point, j->origin);
    out->gap = carom_v3_dot(up, away);
    out->normal = carom_v3_neg(up);
    out->from_j = away;
    out->common = true;
    out->less = 1 - share;
    out->radius_i = radius;
    out->radius_j = HUGE_VAL;
    out->curvature[0] = out->curvature[1] = radius > 0 ? 1 / radius : HUGE_VAL;
}

static void gap_at(const carom_shape_pose *i, const carom_shape_pose *j, int point, carom_pair_point *out)
{
    carom_solid solid;
    carom_surface_contact contact;
    carom_solid_at(i, false, &solid);
    if (has_corners(&solid.surface)) {
        corner_at(&solid, i, j, point, out);
        return;
    }
    carom_surface_plane(&solid.surface, &solid.pose, carom_plane_normal(j), j, point, &contact);
    carom_solid_contact(&contact, i, solid.offset, carom_v3(0, 0, 0), 0, out);
    /* what bears a flat end is a ball of the radius of its rim, as the corners of a box are */
    if (point >= 2) {
        out->radius_i = solid.surface.kind->bearing_edge(solid.surface.p);
        out->curvature[0] = out->curvature[1] = out->radius_i > 0 ? 1 / out->radius_i : HUGE_VAL;
    }
}

static void curvature(const double *pi, const double *pj, double *radius_i, double *radius_j)
{
    (void)pj;
    const carom_surface surface = carom_solid_surface(pi);
    *radius_i = has_corners(&surface) ? surface.kind->bearing_edge(surface.p) : carom_solid_typical_radius(pi);
    *radius_j = HUGE_VAL;
}

static double feature_size(const double *pi, const double *pj)
{
    (void)pj;
    return carom_solid_inner_radius(pi);
}

const carom_pair_kind carom_pair_surface_plane = {
    .kind = {.name = "surface-plane",
             .title = "Solid on a plane: ellipsoid, torus, cylinder, tube, box, ... (3-D).",
             .formula = "gap = N . (x - o), x the lowest point of the solid, or of each of its corners or ends",
             .source = "Machado et al. 2012, section 3, eqs. (7)-(13), with a plane for one of the bodies.",
             .validity =
                 "Solids that are not hollow. A box touches at each of its 8 corners; cylinders, cones, capsules "
                 "and tubes at the lowest point of each end, so that they lie on two points, and with a flat "
                 "end also at the opposite point of its rim and three between, so that they stand on five, as a torus "
                 "lies. The others touch in their lowest point."},
    .shape_i = "surface",
    .shape_j = "plane",
    .varies = true,
    .check = check,
    .points = points,
    .points_word = "corners and ends",
    .point_name = point_name,
    .gap_at = gap_at,
    .normal_rate = carom_plane_normal_rate,
    .curvature = curvature,
    .feature_size = feature_size,
};

/* Solid shapes: the packed form and what pairs take from it.
   Equivalent radii of a contact: with the principal relative curvatures low <= high, laws for round contacts get the
   curvature sqrt(low high), shared between the sides as their mean curvatures are; in a line contact (low = 0) the
   radii of the sides across the line.
   Source: Johnson, Contact Mechanics, section 4.2 (equivalent radius (R' R'')^(1/2)). */
#include "kinds/shape/shape_solid.h"

#include <string.h>
#include "base/base.h"
#include "geometry/surface/on_box.h"
#include "geometry/surface/patch/lines.h"

/* Relative curvatures whose ratio is less touch along a line. */
#define LINE 1e-9

double *carom_solid_begin(double *solid, const carom_surface_kind *kind, bool hollow)
{
    size_t index = 0;
    while (carom_surface_kind_at(index) && carom_surface_kind_at(index) != kind)
        index++;
    memset(solid, 0, CAROM_SOLID_PARAMS * sizeof *solid);
    solid[CAROM_SOLID_KIND] = (double)index;
    solid[CAROM_SOLID_HOLLOW] = hollow;
    for (int k = 0; k < 3; k++)
        solid[CAROM_SOLID_AXES + 4 * k] = 1;
    return solid + CAROM_SOLID_PARAMS;
}

void carom_solid_place(double *solid, carom_vec3 origin, carom_vec3 axis)
{
    const carom_vec3 n = carom_unit(axis);
    const carom_mat3 axes = carom_m3_axes(n, fabs(n.x) < 0.9 ? carom_v3(1, 0, 0) : carom_v3(0, 1, 0));
    const double at[3] = {origin.x, origin.y, origin.z};
    solid[CAROM_SOLID_PLACED] = 1;
    for (int r = 0; r < 3; r++) {
        solid[CAROM_SOLID_ORIGIN + r] = at[r];
        for (int c = 0; c < 3; c++)
            solid[CAROM_SOLID_AXES + 3 * r + c] = axes.m[r][c];
    }
}

const char *carom_solid_check(const double *solid)
{
    const carom_surface surface = carom_solid_surface(solid);
    return surface.kind->check ? surface.kind->check(surface.p) : NULL;
}

void carom_solid_at(const carom_shape_pose *shape, bool motion, carom_solid *out)
{
    const double *solid = shape->p;
    out->surface = carom_solid_surface(solid);
    out->pose = *shape;
    out->pose.p = out->surface.p;
    out->offset = carom_v3(0, 0, 0);
    if (!(solid[CAROM_SOLID_PLACED] > 0))
        return;
    carom_mat3 axes;
    memcpy(axes.m, solid + CAROM_SOLID_AXES, sizeof axes.m);
    out->offset = carom_m3_apply(&shape->axes, carom_v3_load(solid + CAROM_SOLID_ORIGIN));
    out->pose.origin = carom_v3_add(shape->origin, out->offset);
    out->pose.axes = carom_m3_multiply(&shape->axes, &axes);
    if (motion)
        out->pose.velocity = carom_v3_add(shape->velocity, carom_v3_cross(shape->spin, out->offset));
}

double carom_solid_bounding_radius(const double *solid)
{
    const carom_surface surface = carom_solid_surface(solid);
    const carom_vec3 origin = carom_v3_load(solid + CAROM_SOLID_ORIGIN);
    return surface.hollow ? HUGE_VAL : surface.kind->bounding_radius(surface.p) + carom_v3_norm(origin);
}

double carom_solid_inner_radius(const double *solid)
{
    const carom_surface surface = {carom_solid_surface(solid).kind, solid + CAROM_SOLID_PARAMS, false};
    const double *p = surface.p;
    carom_surface_point foot;
    if (surface.kind == &carom_surface_tube)
        return 0.5 * (p[1] - p[0]);
    if (surface.kind == &carom_surface_torus)
        return p[1];
    /* of a body of revolution on its axis, of the others in the middle */
    double best = -carom_surface_distance(&surface, carom_v3(0, 0, 0), &foot);
    const double size = surface.kind->bounding_radius(p);
    for (int k = -8; k <= 8; k++)
        best = fmax(best, -carom_surface_distance(&surface, carom_v3(0, 0, k / 8.0 * size), &foot));
    return best;
}

double carom_solid_typical_radius(const double *solid)
{
    const carom_surface surface = carom_solid_surface(solid);
    const carom_surface_kind *kind = surface.kind;
    const double *p = surface.p;
    double radius = p[0];
    if (kind == &carom_surface_ellipsoid || kind == &carom_surface_superellipsoid)
        radius = cbrt(p[0] * p[1] * p[2]);
    else if (kind == &carom_surface_torus || kind == &carom_surface_tube)
        radius = p[1];
    else if (kind == &carom_surface_cone)
        radius = fmax(p[0], p[1]);
    else if (kind == &carom_surface_box)
        radius = p[3];
    else if (kind == &carom_surface_polyhedron)
        radius = 0;
    else if (kind == &carom_surface_polynomial || kind == &carom_surface_spline)
        radius = kind->support(p, carom_v3(1, 0, 0)).x;
    return surface.hollow ? -radius : radius;
}

/* ---- contacts ---- */

static double radius_of(double curvature) { return isinf(curvature) ? 0 : curvature != 0 ? 1 / curvature : HUGE_VAL; }

/* Curvature of a side along a direction of the tangent plane; an infinite one adds nothing across its direction. */
static double curvature_along(const double *curvature, const carom_vec3 *direction, carom_vec3 along)
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        const double c = carom_v3_dot(direction[k], along);
        sum += curvature[k] != 0 && fabs(c) > 1e-12 ? curvature[k] * c * c : 0;
    }
    return sum;
}

static void put_radii(const carom_surface_contact *contact, carom_pair_point *out)
{
    double low, high;
    carom_vec3 along;
    carom_surface_relative_curvature(contact, &low, &high, &along);
    const carom_vec3 across = carom_v3_cross(contact->normal, along);
    double side[2];
    out->curvature[0] = low;
    out->curvature[1] = high;
    if (!(low > LINE * high) || isinf(high)) {
        side[0] = curvature_along(contact->curvature_i, contact->direction_i, across);
        side[1] = curvature_along(contact->curvature_j, contact->direction_j, across);
    } else {
        const double share = sqrt(low * high) / (0.5 * (low + high));
        side[0] = 0.5 * share * (contact->curvature_i[0] + contact->curvature_i[1]);
        side[1] = 0.5 * share * (contact->curvature_j[0] + contact->curvature_j[1]);
    }
    out->radius_i = radius_of(side[0]);
    out->radius_j = radius_of(side[1]);
}

void carom_solid_contact(const carom_surface_contact *contact, const carom_shape_pose *i, carom_vec3 offset_i,
                         carom_vec3 offset_j, double share, carom_pair_point *out)
{
    out->gap = contact->gap;
    out->normal = contact->normal;
    out->from_i = carom_v3_add_scaled(carom_v3_add(offset_i, contact->from_i), share * contact->gap, contact->normal);
    out->from_j =
        carom_v3_add_scaled(carom_v3_add(offset_j, contact->from_j), (share - 1) * contact->gap, contact->normal);
    out->point = carom_v3_add(i->origin, out->from_i);
    out->residual = contact->residual;
    out->common = contact->converged;
    put_radii(contact, out);
}

/* Sine between axes that count as parallel. */
#define PARALLEL 1e-6

static bool has_line(const carom_surface *a)
{
    return a->kind == &carom_surface_cylinder || a->kind == &carom_surface_capsule;
}

bool carom_solid_parallel(const carom_shape_pose *i, const carom_shape_pose *j)
{
    carom_solid a, b;
    carom_solid_at(i, false, &a);
    carom_solid_at(j, false, &b);
    if (!has_line(&a.surface) || !has_line(&b.surface))
        return false;
    const carom_vec3 u = carom_m3_column(&a.pose.axes, 2), v = carom_m3_column(&b.pose.axes, 2);
    const double along = carom_v3_dot(u, carom_v3_sub(b.pose.origin, a.pose.origin));
    return carom_v3_norm(carom_v3_cross(u, v)) < PARALLEL && fabs(along) < a.surface.p[1] + b.surface.p[1];
}

bool carom_solid_bears_line(const double *pi, const double *pj)
{
    const carom_surface i = carom_solid_surface(pi), j = carom_solid_surface(pj);
    return carom_lines_count(&i, &j) > 0;
}

bool carom_solid_bears_on_box(const double *pi, const double *pj)
{
    const carom_surface i = carom_solid_surface(pi), j = carom_solid_surface(pj);
    return carom_surface_on_box_count(&i, &j) > 0 || carom_surface_on_box_count(&j, &i) > 0;
}

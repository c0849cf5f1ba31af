/* The families of surfaces by name, a point of a surface with the side of its material, and the steps of the
   searches on surfaces: moves along the principal directions and placing one surface in the axes of another. */
#include "geometry/surface/surface.h"

#include <string.h>

static const carom_surface_kind *const kinds[] = {
    &carom_surface_ellipsoid, &carom_surface_superellipsoid, &carom_surface_torus,      &carom_surface_cylinder,
    &carom_surface_cone,      &carom_surface_capsule,        &carom_surface_tube,       &carom_surface_box,
    &carom_surface_polynomial, &carom_surface_spline,        &carom_surface_polyhedron,
};

const carom_surface_kind *carom_surface_kind_at(size_t index)
{
    return index < sizeof kinds / sizeof kinds[0] ? kinds[index] : NULL;
}

const carom_surface_kind *carom_surface_find(const char *name)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (strcmp(kinds[k]->name, name) == 0)
            return kinds[k];
    return NULL;
}

void carom_surface_turn_out(carom_surface_point *point)
{
    point->normal = carom_v3_neg(point->normal);
    for (int k = 0; k < 2; k++)
        point->curvature[k] = -point->curvature[k];
}

void carom_surface_at(const carom_surface *surface, double u, double v, carom_surface_point *out)
{
    surface->kind->at(surface->p, u, v, out);
    if (surface->hollow)
        carom_surface_turn_out(out);
}

/* (way, turn) has unit length where turns count `scale` times. */
void carom_surface_moves_of(const double *curvature, double scale, carom_surface_moves *out)
{
    for (int k = 0; k < 2; k++) {
        if (isinf(curvature[k])) {
            out->way[k] = 0;
            out->turn[k] = copysign(1 / scale, curvature[k]);
            continue;
        }
        out->way[k] = 1 / hypot(1, curvature[k] * scale);
        out->turn[k] = curvature[k] * out->way[k];
    }
}

carom_surface_placed carom_surface_place(const carom_shape_pose *i, const carom_shape_pose *j)
{
    return (carom_surface_placed){carom_m3_multiply_t(&i->axes, &j->axes),
                                  carom_m3_apply_t(&i->axes, carom_v3_sub(j->origin, i->origin))};
}

carom_surface_point carom_surface_moved(const carom_surface_placed *placed, const carom_surface_point *point)
{
    const carom_mat3 *a = &placed->axes;
    carom_surface_point out = *point;
    out.position = carom_v3_add(placed->origin, carom_m3_apply(a, point->position));
    out.normal = carom_m3_apply(a, point->normal);
    out.du = carom_m3_apply(a, point->du);
    out.dv = carom_m3_apply(a, point->dv);
    for (int k = 0; k < 2; k++)
        out.direction[k] = carom_m3_apply(a, point->direction[k]);
    return out;
}

/* Boxes about solids on the ground, along the axes of their surfaces, from the farthest points along these. */
#include "dynamics/contact/fixed_box.h"

#include "kinds/shape/shape_solid.h"

#include <math.h>
#include <string.h>

/* Support points are found to this share of a size. */
#define MARGIN 1e-6

bool carom_fixed_box_of(const carom_model_shape *shape, const carom_body_pose *ground, carom_fixed_box *out)
{
    if (!carom_shape_is_solid(shape->kind, false))
        return false;
    const double *solid = shape->p;
    const carom_surface surface = carom_solid_surface(solid);
    if (surface.hollow || !surface.kind->support)
        return false;
    double middle[3];
    for (int k = 0; k < 3; k++) {
        const carom_vec3 along = carom_v3(k == 0, k == 1, k == 2);
        const double high = carom_v3_dot(along, surface.kind->support(surface.p, along));
        const double low = carom_v3_dot(along, surface.kind->support(surface.p, carom_v3_neg(along)));
        middle[k] = 0.5 * (low + high);
        out->half[k] = 0.5 * (1 + MARGIN) * (high - low);
    }
    carom_vec3 origin = carom_v3_add(ground->p, carom_m3_apply(&ground->axes, shape->at));
    out->axes = carom_m3_multiply(&ground->axes, &shape->axes);
    if (solid[CAROM_SOLID_PLACED] > 0) {
        carom_mat3 axes;
        memcpy(axes.m, solid + CAROM_SOLID_AXES, sizeof axes.m);
        origin = carom_v3_add(origin, carom_m3_apply(&out->axes, carom_v3_load(solid + CAROM_SOLID_ORIGIN)));
        out->axes = carom_m3_multiply(&out->axes, &axes);
    }
    out->centre = carom_v3_add(origin, carom_m3_apply(&out->axes, carom_v3_load(middle)));
    return true;
}

double carom_fixed_box_distance2(const carom_fixed_box *box, carom_vec3 x)
{
    const carom_vec3 away = carom_m3_apply_t(&box->axes, carom_v3_sub(x, box->centre));
    const double beyond[3] = {fmax(fabs(away.x) - box->half[0], 0), fmax(fabs(away.y) - box->half[1], 0),
                              fmax(fabs(away.z) - box->half[2], 0)};
    return beyond[0] * beyond[0] + beyond[1] * beyond[1] + beyond[2] * beyond[2];
}

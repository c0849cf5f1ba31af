/* Ring: a circle without thickness about the origin of the shape, in the plane across its axis: the rim of a journal's
   end. Source: docs/theory/clearance.md (journal that tilts in its bearing). Validity: any radius above zero; three
   dimensions. */
#include "base/base.h"
#include "kinds/shape/shape.h"

static const carom_param_row params[] = {
    {"radius", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Radius."},
    {"axis", "-", 3, CAROM_PARAM_NONZERO | CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL,
     "Axis, across the ring's plane, of any length."},
};

static double bounding_radius(const double *p) { return carom_round_radius(p); }

#define RIM 64 /* points of the circle */

/* The circle, with a line from its centre that shows how it turns. */
static void mesh(const double *p, bool planar, double reach, const carom_mesh_sink *sink)
{
    (void)planar;
    (void)reach;
    const carom_vec3 normal = carom_unit(carom_v3_load(p + 1));
    const carom_mat3 axes = carom_m3_axes(normal, carom_v3(1, 0, 0));
    const double radius = carom_round_radius(p);
    for (int k = 0; k < RIM; k++) {
        double angle = 2 * CAROM_PI * k / RIM;
        sink->point(sink->user, carom_m3_apply(&axes, carom_v3(radius * cos(angle), radius * sin(angle), 0)), normal);
    }
    sink->point(sink->user, carom_v3(0, 0, 0), normal);
    for (int k = 0; k < RIM; k++) {
        sink->triangle(sink->user, RIM, k, (k + 1) % RIM);
        sink->line(sink->user, k, (k + 1) % RIM);
    }
    sink->line(sink->user, RIM, 0);
}

const carom_shape_kind carom_shape_ring = {
    .kind = {.name = "ring",
             .title = "Circle about the origin of the shape: the rim at the end of a journal.",
             .formula = "|r| = radius, axis . r = 0",
             .source = "Geometry of a journal that tilts in its bearing: docs/theory/clearance.md.",
             .validity = "Three dimensions, any radius above zero. It touches by its rim only.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_3d = true,
    .bounding_radius = bounding_radius,
    .mesh = mesh,
};

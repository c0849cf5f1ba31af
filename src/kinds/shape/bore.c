/* Bore: the inside of a circular cylinder about the axis through the origin of the shape; the material lies outside.
   Source: Machado et al. 2012, section 3 (internal contact of cylinders).
   Validity: three dimensions; what lies in it is taken to stay within its length. */
#include "base/base.h"
#include "kinds/shape/shape.h"

static const carom_param_row params[] = {
    {"radius", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL, "Radius."},
    {"axis", "-", 3, CAROM_PARAM_NONZERO | CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL, "Axis, of any length."},
    {"length", "m", 1, CAROM_PARAM_REQUIRED | CAROM_PARAM_ABOVE, 0, 0, HUGE_VAL,
     "Length that is drawn, half of it to each side of the origin."},
};

static double bounding_radius(const double *p)
{
    (void)p;
    return HUGE_VAL;
}

#define RIM 64 /* points of a circle */

/* The wall from inside, with the circles at both ends and four lines along it. */
static void mesh(const double *p, bool planar, double reach, const carom_mesh_sink *sink)
{
    (void)planar;
    (void)reach;
    const carom_mat3 axes = carom_m3_axes(carom_v3_load(p + 1), carom_v3(1, 0, 0));
    const double radius = carom_round_radius(p), half = 0.5 * p[4];
    for (int k = 0; k < 2 * RIM; k++) {
        const int place = k / 2;
        const double angle = 2 * CAROM_PI * place / RIM, c = cos(angle), s = sin(angle);
        sink->point(sink->user, carom_m3_apply(&axes, carom_v3(radius * c, radius * s, k % 2 ? half : -half)),
                    carom_m3_apply(&axes, carom_v3(-c, -s, 0)));
    }
    for (int k = 0; k < RIM; k++) {
        const int a = 2 * k, b = 2 * ((k + 1) % RIM);
        sink->triangle(sink->user, a, a + 1, b);
        sink->triangle(sink->user, b, a + 1, b + 1);
        sink->line(sink->user, a, b);
        sink->line(sink->user, a + 1, b + 1);
        if (k % (RIM / 4) == 0)
            sink->line(sink->user, a, a + 1);
    }
}

const carom_shape_kind carom_shape_bore = {
    .kind = {.name = "bore",
             .title = "Inside of a circular cylinder, with the material outside: a bearing for a journal.",
             .formula = "|r - (axis . r) axis| = radius, axis a unit vector",
             .source = "Machado et al. 2012, section 3 (internal contact of cylinders).",
             .validity = "Three dimensions. What lies in it is taken to stay within its length.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_3d = true,
    .bounding_radius = bounding_radius,
    .mesh = mesh,
};

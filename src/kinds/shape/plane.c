/* Plane (a line in planar models) through the origin of the shape: normal . r = 0; the material lies behind the normal.
   Source: Machado et al. 2012, section 4, eq. (20) (plane surface as infinite radius).
   Validity: unbounded; the body behind it is a half-space. */
#include "kinds/shape/shape.h"

static const carom_param_row params[] = {
    {"normal", "-", 3, CAROM_PARAM_REQUIRED | CAROM_PARAM_NONZERO, 0, -HUGE_VAL, HUGE_VAL,
     "Normal out of the material, of any length."},
};

static double bounding_radius(const double *p)
{
    (void)p;
    return HUGE_VAL;
}

/* A square about the origin whose half side is the reach, with its outline; in the plane a line. */
static void mesh(const double *p, bool planar, double reach, const carom_mesh_sink *sink)
{
    const carom_vec3 n = carom_unit(carom_v3_load(p));
    if (planar) {
        const carom_vec3 along = carom_v3(-n.y * reach, n.x * reach, 0);
        sink->point(sink->user, carom_v3_neg(along), n);
        sink->point(sink->user, along, n);
        sink->line(sink->user, 0, 1);
        return;
    }
    static const int sides[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const carom_mat3 axes = carom_m3_axes(n, carom_v3(1, 0, 0));
    for (int k = 0; k < 4; k++)
        sink->point(sink->user, carom_m3_apply(&axes, carom_v3(sides[k][0] * reach, sides[k][1] * reach, 0)), n);
    sink->triangle(sink->user, 0, 1, 2);
    sink->triangle(sink->user, 0, 2, 3);
    for (int k = 0; k < 4; k++)
        sink->line(sink->user, k, (k + 1) % 4);
}

const carom_shape_kind carom_shape_plane = {
    .kind = {.name = "plane",
             .aliases = "line half-space",
             .title = "Plane, or line in planar models, through the origin of the shape.",
             .formula = "normal . r = 0, material where normal . r < 0",
             .source = "Machado et al. 2012, section 4, eq. (20).",
             .validity = "Unbounded in all directions; the material behind it is a half-space.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_2d = true,
    .in_3d = true,
    .bounding_radius = bounding_radius,
    .mesh = mesh,
};

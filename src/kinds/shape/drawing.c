/* Drawing (in space): the triangles of a mesh file as they are, hollows and all.
   Source: Rossignac, Borrel 1993, Multi-resolution 3D approximations for rendering complex scenes (vertex clustering).
   Validity: it touches nothing. */
#include "kinds/shape/shape.h"

#include <stdio.h>

static const carom_param_row params[] = {
    {"scale", "-", 3, CAROM_PARAM_EVEN, 1, -HUGE_VAL, HUGE_VAL,
     "Factors along x, y and z, or one for all of them; 0.001 for a file in millimetres."},
    {"file", "-", 0, CAROM_PARAM_TRIANGLES, 0, -HUGE_VAL, HUGE_VAL,
     "File with the mesh, STL (binary or text) or OBJ, as seen from the folder of the model file."},
};

static bool check(const double *p, char *text, size_t size)
{
    if (p[0] != 0 && p[1] != 0 && p[2] != 0)
        return true;
    snprintf(text, size, "a factor of `scale` is 0, which leaves the mesh no volume");
    return false;
}

/* Packed: the number of triangles, then three points of each [m]. */
static double bounding_radius(const double *p)
{
    double radius = 0;
    for (int k = 0; k < 3 * (int)p[0]; k++)
        radius = fmax(radius, carom_v3_norm(carom_v3_load(p + 1 + 3 * k)));
    return radius;
}

static void mesh(const double *p, bool planar, double reach, const carom_mesh_sink *sink)
{
    (void)planar;
    (void)reach;
    for (int k = 0; k < (int)p[0]; k++) {
        const double *at = p + 1 + 9 * k;
        const carom_vec3 a = carom_v3_load(at), b = carom_v3_load(at + 3), c = carom_v3_load(at + 6);
        const carom_vec3 across = carom_v3_cross(carom_v3_sub(b, a), carom_v3_sub(c, a));
        const carom_vec3 normal = carom_v3_norm(across) > 0 ? carom_unit(across) : carom_v3(0, 0, 1);
        sink->point(sink->user, a, normal);
        sink->point(sink->user, b, normal);
        sink->point(sink->user, c, normal);
        sink->triangle(sink->user, 3 * k, 3 * k + 1, 3 * k + 2);
    }
}

const carom_shape_kind carom_shape_drawing = {
    .kind = {.name = "drawing",
             .title = "Drawing: the triangles of a mesh file, which are drawn and touch nothing (3-D).",
             .formula = "the triangles of the file, times scale",
             .source = "Rossignac, Borrel 1993, Multi-resolution 3D approximations for rendering complex scenes.",
             .validity = "It touches nothing; a shape `mesh` touches, and is its convex hull. Of a file with more than "
                         "1500 triangles points that are near each other are joined until as many are left, which is "
                         "told.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_3d = true,
    .check = check,
    .triangles = true,
    .bounding_radius = bounding_radius,
    .mesh = mesh,
};

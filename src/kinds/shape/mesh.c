/* Convex mesh (in space): the convex hull of the points of a mesh.
   Source: Barber, Dobkin, Huhdanpaa 1996, The quickhull algorithm for convex hulls; Gilbert, Johnson, Keerthi 1988.
   Validity: points that have a volume; hollows of the mesh are filled. */
#include "kinds/shape/shape_solid.h"

#include <stdio.h>

static const carom_param_row params[] = {
    {"scale", "-", 3, CAROM_PARAM_EVEN, 1, -HUGE_VAL, HUGE_VAL,
     "Factors along x, y and z, or one for all of them; 0.001 for a file in millimetres."},
    {"file", "-", 0, CAROM_PARAM_MESH, 0, -HUGE_VAL, HUGE_VAL,
     "File with the mesh, STL (binary or text) or OBJ, as seen from the folder of the model file. Its numbers are "
     "metres, before `scale`."},
    {"points", "m", 0, CAROM_PARAM_CORNERS, 0, -HUGE_VAL, HUGE_VAL,
     "Instead of a file: the corners `[x, y, z]`, four at least."},
};

static bool check(const double *p, char *text, size_t size)
{
    if (p[0] != 0 && p[1] != 0 && p[2] != 0)
        return true;
    snprintf(text, size, "a factor of `scale` is 0, which leaves the mesh no volume");
    return false;
}

const carom_shape_kind carom_shape_mesh = {
    .kind = {.name = "mesh",
             .title = "Mesh: the convex hull of the points of a mesh file, or of points (3-D).",
             .formula = "x = sum of c_k x_k, c_k >= 0, sum of c_k = 1",
             .source = "Barber, Dobkin, Huhdanpaa 1996, The quickhull algorithm for convex hulls; Gilbert, Johnson, "
                       "Keerthi 1988 (pairs).",
             .validity =
                 "Hollows of the mesh are filled: of a body that is not convex take several meshes. Files hold "
                 "triangles; which way they turn and whether they close does not matter. On a plane it touches at its "
                 "corners, on meshes and boxes at the corners of the patch on which their faces lie over each other, "
                 "with at most four times the law in all; on other solids in one point, where the gap is least. Its "
                 "edges are sharp: give the contact a stiffness, or radii.",
             .params = params,
             .param_count = (int)(sizeof params / sizeof params[0])},
    .in_3d = true,
    .check = check,
    .hull = true,
};

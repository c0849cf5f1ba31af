/* Meshes in files: STL, binary and text, and OBJ. */
#ifndef CAROM_IMPORT_MESH_H
#define CAROM_IMPORT_MESH_H

#include "base/base.h"
#include "math/vec.h"

/* Points and the triangles between them, as the file has them. */
typedef struct carom_mesh_data {
    double *points; /* x, y, z of each */
    size_t point_count;
    int (*triangles)[3];
    size_t triangle_count;
} carom_mesh_data;

/* Reads a file, by the ending of its name, or without one by what it begins with. In the arena. Errors: CAROM_ERROR_IO
   (not readable), CAROM_ERROR_MODEL (the file with line or byte, and what is wrong), CAROM_ERROR_MEMORY. */
carom_status carom_mesh_read(carom_arena *arena, const char *path, carom_mesh_data *out);
/* The same of the bytes of a file. */
carom_status carom_mesh_parse(carom_arena *arena, const char *path, const char *bytes, size_t size,
                              carom_mesh_data *out);

/* At most so many triangles to be drawn instead, nine numbers of single precision each, in the arena. */
carom_status carom_mesh_drawn(carom_arena *arena, const carom_mesh_data *mesh, size_t most, double **out,
                              size_t *count);

/* What the surface holds, by the divergence theorem; `closed`: the triangles have no rim, as far as the sum of their
   areas tells. A mesh that is inside out counts as its opposite. */
typedef struct carom_mesh_mass {
    bool closed;
    double volume;     /* of points in metres [m^3] */
    carom_vec3 centre; /* [m] */
    double inertia[6]; /* of the density 1 about the centre, Ixx Iyy Izz Ixy Ixz Iyz [m^5] */
} carom_mesh_mass;
carom_mesh_mass carom_mesh_mass_of(const carom_mesh_data *mesh, const double *scale);

#endif

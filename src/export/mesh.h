/* Meshes of shapes: gathers what a shape's kind draws into arrays. */
#ifndef CAROM_IO_MESH_H
#define CAROM_IO_MESH_H

#include <stdint.h>
#include "base/base.h"
#include "kinds/shape/shape.h"

/* A shape's drawing in its own axes about its origin. */
typedef struct carom_mesh {
    size_t point_count, triangle_count, line_count;
    double *points, *normals; /* x, y, z of each point [m]; normals are unit vectors out of the material */
    uint32_t *triangles;      /* 3 points each, counterclockwise as seen against the normal */
    uint32_t *lines;          /* 2 points each */
} carom_mesh;

/* Draws a shape of a kind with the compiled parameters `p`; `reach` [m] is how far an unbounded one is drawn from its
   origin. The arena owns the arrays. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_mesh_make(carom_arena *arena, const carom_shape_kind *kind, const double *p, bool planar,
                             double reach, carom_mesh *out);

#endif

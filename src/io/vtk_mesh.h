/* Shapes as points, lines and polygons in the axes of their bodies, and VTK's raw appended arrays. */
#ifndef CAROM_IO_VTK_MESH_H
#define CAROM_IO_VTK_MESH_H

#include <stddef.h>
#include <stdint.h>
#include "model/model.h"

typedef struct carom_vtk_point {
    carom_vec3 at, normal;      /* body axes; the normal out of the material */
    int body;                   /* 0: ground */
} carom_vtk_point;

/* Cells of one sort: corners of all, and where the corners of each end. */
typedef struct carom_vtk_cells {
    int64_t *corners, *ends;
    size_t corner_count, count;
} carom_vtk_cells;

typedef struct carom_vtk_mesh {
    carom_vtk_point *points;
    size_t point_count;
    carom_vtk_cells lines, polys;
    int32_t *cell_body, *cell_shape;    /* of the lines, then of the polygons */
} carom_vtk_mesh;

/* Mesh of all shapes; `reach` is half the side of the square of each plane [m], one a shape. The arena owns it. */
carom_status carom_vtk_mesh_make(carom_arena *arena, const carom_model *model, const double *reach,
                                 carom_vtk_mesh *out);

/* One DataArray; neighbours of the same element share it. */
typedef struct carom_vtk_array {
    const char *element;        /* with attributes: "Points", "PointData Normals=\"normal\"" */
    const char *name, *type;
    int components;
    const void *data;
    size_t bytes;
} carom_vtk_array;

/* "LittleEndian" or "BigEndian", as this machine writes. */
const char *carom_vtk_byte_order(void);
/* Ends a Piece of PolyData with these arrays and the file with their raw data. */
void carom_vtk_append_arrays(carom_text *text, const carom_vtk_array *arrays, size_t count);

#endif

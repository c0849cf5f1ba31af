/* The shapes of a scene as VTK's points and cells, and VTK's raw appended arrays. */
#ifndef CAROM_IO_VTK_MESH_H
#define CAROM_IO_VTK_MESH_H

#include <stddef.h>
#include <stdint.h>
#include "export/scene.h"

/* Cells of one sort: corners of all, and where the corners of each end. */
typedef struct carom_vtk_cells {
    int64_t *corners, *ends;
    size_t corner_count, count;
} carom_vtk_cells;

/* The meshes of all shapes behind each other. */
typedef struct carom_vtk_mesh {
    size_t point_count;
    carom_vtk_cells lines, polys;
    int32_t *cell_body, *cell_shape;    /* of the lines, then of the polygons */
} carom_vtk_mesh;

/* Cells of all shapes; the arena owns the arrays. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_vtk_mesh_make(carom_arena *arena, const carom_scene *scene, carom_vtk_mesh *out);
/* World positions [m] and normals of all points, the bodies being at `poses`. */
void carom_vtk_mesh_move(const carom_scene *scene, const carom_scene_pose *poses, double *points, double *normals);

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

/* Convex hull of points in space, and the polyhedron that contacts know it as (polyhedron.c). */
#ifndef CAROM_HULL_H
#define CAROM_HULL_H

#include "base/base.h"
#include "geometry/surface/surface.h"

/* Triangles counterclockwise as seen from outside. `beside[k]`: the triangle across the side from corner k to corner
   k + 1. */
typedef struct carom_hull {
    int count, triangle_count;
    int *point;                 /* of each corner, ascending: its place among the points given */
    int (*triangle)[3], (*beside)[3];           /* corners by their number among those of the hull */
} carom_hull;

/* Points that are within 1e-7 of the size of the hull are no corners. In the arena; *refusal is NULL or a sentence: too
   few points, no volume. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_hull_make(carom_arena *arena, const double *points, size_t count, carom_hull *out,
                             const char **refusal);

/* The parameters of the surface `polyhedron` behind `before` zeros, `size` numbers in all: the hull of points that are
   scaled along the axes, about `origin`, the centre of its volume. Errors as above. */
carom_status carom_polyhedron_make(carom_arena *arena, const double *points, size_t count, const double *scale,
                                   int before, double **p, int *size, carom_vec3 *origin, const char **refusal);

/* Most corners of a polyhedron, and most places where it bears. */
#define CAROM_POLYHEDRON_CORNERS 200000
#define CAROM_POLYHEDRON_PLACES 64

/* ---- a polyhedron ---- */

/* Fields of the parameters; those from CORNERS on are places in the array. */
enum {
    CAROM_POLYHEDRON_SIZE,
    CAROM_POLYHEDRON_CORNER_COUNT,
    CAROM_POLYHEDRON_TRIANGLE_COUNT,
    CAROM_POLYHEDRON_FACE_COUNT,
    CAROM_POLYHEDRON_PLACE_COUNT,
    CAROM_POLYHEDRON_RADIUS,            /* about the origin, of a ball around it [m] */
    CAROM_POLYHEDRON_INNER,             /* and of one in it [m] */
    CAROM_POLYHEDRON_CORNER,            /* x, y, z */
    CAROM_POLYHEDRON_NEXT_AT,           /* corners that a side joins to each: where its list begins */
    CAROM_POLYHEDRON_NEXT,
    CAROM_POLYHEDRON_TRIANGLE,          /* the row below */
    CAROM_POLYHEDRON_FIRST_TRIANGLE,    /* one at each corner */
    CAROM_POLYHEDRON_START,             /* the farthest corner along the directions of a grid */
    CAROM_POLYHEDRON_PLANE,             /* normal and offset of each face */
    CAROM_POLYHEDRON_OUTLINE_AT,        /* corners of each face */
    CAROM_POLYHEDRON_OUTLINE,
    CAROM_POLYHEDRON_AROUND_AT,         /* faces at each corner, each followed by its turn */
    CAROM_POLYHEDRON_AROUND,
    CAROM_POLYHEDRON_PLACE_AT,          /* corners of each place */
    CAROM_POLYHEDRON_PLACE,
    CAROM_POLYHEDRON_PLACE_OF,          /* place of each corner */
    CAROM_POLYHEDRON_HEADER
};

/* Row of a triangle: corners, triangles beside its sides, normal, offset. */
enum {
    CAROM_TRIANGLE_CORNER,
    CAROM_TRIANGLE_BESIDE = 3,
    CAROM_TRIANGLE_NORMAL = 6,
    CAROM_TRIANGLE_OFFSET = 9,
    CAROM_TRIANGLE_ROW = 10
};

/* Directions of the grid: of each side of a cube so many rows and columns. */
#define CAROM_POLYHEDRON_GRID 4
#define CAROM_POLYHEDRON_CELLS (6 * CAROM_POLYHEDRON_GRID * CAROM_POLYHEDRON_GRID)
carom_vec3 carom_polyhedron_cell(int cell);

int carom_polyhedron_corner_count(const double *p);
int carom_polyhedron_face_count(const double *p);
carom_vec3 carom_polyhedron_corner(const double *p, int corner);
/* A flat face: its outline of `count` corners, counterclockwise as seen from outside, and its plane normal . x =
   offset. */
typedef struct carom_polyhedron_face {
    carom_vec3 normal;
    double offset;
    int count;
    const double *corner;       /* their numbers */
} carom_polyhedron_face;
carom_polyhedron_face carom_polyhedron_face_at(const double *p, int face);
/* The face across the side from the k-th corner of an outline to the next one. */
int carom_polyhedron_face_beside(const double *p, int face, int k);
/* The corner farthest along a direction. */
int carom_polyhedron_farthest(const double *p, carom_vec3 n);
/* Faces that meet at a corner, and the angle by which the outline of the k-th turns there [rad]. */
int carom_polyhedron_faces_of(const double *p, int corner);
int carom_polyhedron_face_of(const double *p, int corner, int k, double *turn);

/* Places that bear on a plane: the corners, those that never bear together one place. The one of a place that is
   deepest along n (unit), and its share of the law (at most 1): corners of a face that lies flat have four at most in
   all. */
int carom_polyhedron_place_count(const double *p);
int carom_polyhedron_place_of(const double *p, int corner);
carom_vec3 carom_polyhedron_place(const double *p, int place, carom_vec3 n, double *share);

#endif

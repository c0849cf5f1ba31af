/* Curves in space over their arc length, and the foot of a point on them.

   A path is a packed array of doubles, so that it can be the parameter array of a joint: CAROM_PATH_HEADER numbers and
   then `segments` times CAROM_PATH_SEGMENT numbers. Each segment is a polynomial of degree eight over the arc length
   s that meets place, tangent and curvature of the curve at both ends and in the middle; the whole is twice
   continuously differentiable. A closed path repeats itself beyond its length, an open one goes on straight beyond its
   ends.

   `across` is a vector field, twice continuously differentiable, nearly a unit normal of the path, that turns about it
   as little as it can: with its product with the tangent it spans what is across the path, where the normal
   and binormal of Frenet have no direction or jump.

   All functions but the maker are pure: no allocation, no globals. Source: Stoer, Bulirsch, Introduction to Numerical
   Analysis, section 2.1.5 (Hermite interpolation); Bishop 1975, Amer. Math. Monthly 82, 246 (frames that turn
   least). */
#ifndef CAROM_PATH_H
#define CAROM_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include "base/base.h"
#include "math/vec.h"

enum {
    CAROM_PATH_COUNT,           /* segments */
    CAROM_PATH_CLOSED,          /* 1 closed, 0 open */
    CAROM_PATH_LENGTH,          /* [m] */
    CAROM_PATH_SIZE,            /* greatest distance of two of its places, within a factor of 2 [m] */
    CAROM_PATH_HEADER
};

enum {
    CAROM_PATH_START,           /* s where the segment begins [m] */
    CAROM_PATH_EXTENT,          /* its length [m] */
    CAROM_PATH_POINT,           /* nine coefficients in powers of w, from -1 to 1 over the segment, x, y, z of each */
    CAROM_PATH_ACROSS = CAROM_PATH_POINT + 27,  /* likewise */
    CAROM_PATH_SEGMENT = CAROM_PATH_ACROSS + 27
};

typedef struct carom_path_point {
    carom_vec3 at, d1, d2, d3;  /* place and its derivatives by s */
    carom_vec3 across, across1, across2;        /* the field and its derivatives by s */
} carom_path_point;

void carom_path_at(const double *path, double s, carom_path_point *out);
/* The foot of a point x on the path, (x - c) . c' = 0, that is reached from `near`: the arc length there, of a closed
   path with the laps that `near` has. */
double carom_path_follow(const double *path, carom_vec3 x, double near);
/* The foot nearest to x; of a closed path within its length. */
double carom_path_nearest(const double *path, carom_vec3 x);

/* A curve over a parameter: place, first and second derivative. It is smooth between its knots, ascending, the first
   and the last of which are its ends. */
typedef struct carom_path_source {
    void (*at)(void *user, double u, carom_vec3 out[3]);
    void *user;
    const double *knots;
    size_t knot_count;          /* 2 or more */
    bool closed;
} carom_path_source;

/* Most segments of a path. */
#define CAROM_PATH_SEGMENTS 20000

/* Makes the packed path in the arena; segments are halved until the path meets the curve within 1e-13 of its size, its
   tangent within 1e-12 and its curvature within 1e-10 of its own or of that of its size. *refusal is NULL or a
   sentence, with the parameter *where it is meant. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_path_make(carom_arena *arena, const carom_path_source *source, double **path, const char **refusal,
                             double *where);

/* The source of a cubic spline through points with continuous curvature, over the sums of their distances: natural at
   open ends, periodic where it is closed. `work` has CAROM_PATH_SPLINE_WORK doubles for each point and one more, and
   lives as long as the source. Returns NULL or the sentence of the refusal, with the point *where it is meant. */
typedef struct carom_path_spline {
    size_t count;               /* knots */
    const double *u, *y[3], *bend[3];
} carom_path_spline;
#define CAROM_PATH_SPLINE_WORK 12
const char *carom_path_spline_make(const double *points, size_t count, int dimension, bool closed, double *work,
                                   carom_path_spline *spline, carom_path_source *source, size_t *where);

#endif

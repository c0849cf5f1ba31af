/* What all of geometry shares: the pose of a shape, and what a shape is drawn on. Pure values: no bodies, no time. */
#ifndef CAROM_GEOMETRY_H
#define CAROM_GEOMETRY_H

#include "math/vec.h"

typedef struct carom_shape_pose {
    const double *p;            /* compiled parameters of the shape */
    carom_vec3 origin;          /* world [m] */
    carom_mat3 axes;            /* shape axes to world */
    carom_vec3 velocity, spin;  /* of the origin, of the body, world axes [m/s], [rad/s] */
    const double *near; /* place on a curve from which its point is followed; NULL: the whole curve is searched */
} carom_shape_pose;

/* What a shape draws itself on. Points count from 0 in the order they are given. */
typedef struct carom_mesh_sink {
    void *user;
    /* A point in shape axes [m] and the unit normal there, out of the material. */
    void (*point)(void *user, carom_vec3 at, carom_vec3 normal);
    /* Corners counterclockwise as seen against the normal. */
    void (*triangle)(void *user, int a, int b, int c);
    void (*line)(void *user, int a, int b);
} carom_mesh_sink;

#endif

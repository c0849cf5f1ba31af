/* Plain values of space: vectors, matrices, poses. */
#ifndef CAROM_SPACE_H
#define CAROM_SPACE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_vec3 {
    double x, y, z;
} carom_vec3;

/* Row-major; maps components in the moving axes to components in the fixed ones: its columns are the moving axes. */
typedef struct carom_mat3 {
    double m[3][3];
} carom_mat3;

/* Pose and motion of a frame on a body, world axes. */
typedef struct carom_frame_pose {
    carom_vec3 p;               /* origin [m] */
    carom_vec3 arm;             /* origin minus the body's centre of mass [m] */
    carom_vec3 v;               /* velocity of the origin [m/s] */
    carom_vec3 w;               /* angular velocity of the body [rad/s] */
    carom_vec3 centripetal;     /* w x (w x arm) [m/s^2] */
    carom_mat3 axes;            /* columns f, g, h */
    double angle;               /* 2-D: unwrapped angle of f against the world x-axis when h is z [rad] */
} carom_frame_pose;

/* Pose and motion of a shape, world axes. */
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

#ifdef __cplusplus
}
#endif
#endif

/* What there is to draw of a result: bodies, shapes with their meshes, joints, loads and contacts of its model text,
   and the recorded snapshots (docs/results.md). For the exports and the report. */
#ifndef CAROM_IO_SCENE_H
#define CAROM_IO_SCENE_H

#include "base/base.h"
#include "carom/model.h"
#include "carom/result.h"
#include "math/vec.h"

/* Where a body is in a snapshot, world axes. */
typedef struct carom_scene_pose {
    carom_vec3 p; /* of the centre of mass [m] */
    carom_mat3 axes;
} carom_scene_pose;

/* A body; index 0 is the ground. The columns have one value a snapshot; all NULL for the ground, and without
   snapshots. */
typedef struct carom_scene_body {
    const char *name;             /* "ground", ... */
    double mass;                  /* [kg]; 0: the ground */
    const double *position[3];    /* of the centre of mass [m]; z NULL in planar models */
    const double *angle;          /* planar models [rad] */
    const double *orientation[4]; /* spatial models: w, x, y, z */
} carom_scene_body;

typedef struct carom_scene_shape {
    const char *name, *kind; /* kind: "sphere", "plane", ... */
    int body, mesh;          /* indices; equal shapes share a mesh */
    carom_vec3 at;           /* of its origin from the body's centre of mass, body axes [m] */
    carom_mat3 axes;         /* shape axes to body axes */
    double reach;            /* how far it is drawn, where its kind has no bounds [m] */
    bool hidden;             /* it is not drawn */
    int colour;              /* 0xrrggbb; -1: that of the body */
} carom_scene_shape;

#define CAROM_SCENE_CURVE 512

typedef struct carom_scene_joint {
    const char *name, *type; /* type: the kind's name */
    int body[2];
    carom_vec3 at[2]; /* origins of both frames from the centres of mass, each in its body's axes [m] */
    bool has_axis;
    carom_vec3 axis; /* unit vector in the axes of body[0] */
    const char *drawn; /* as carom_joint_info.drawn */
    double *curve;     /* CAROM_SCENE_CURVE places on its curve in the axes of body[0], x, y, z of each; NULL: none */
} carom_scene_joint;

typedef struct carom_scene_contact {
    const char *name;
    int body[2], shape[2];
    bool friction;          /* it has a friction law */
    const double *point[3]; /* world [m], one value a snapshot; z NULL in planar models; all NULL without snapshots */
    const double *force[3]; /* total force on body[1], world [N]; likewise */
} carom_scene_contact;

/* A load that is drawn; forces and torques on a frame are not, their values are not recorded. */
typedef struct carom_scene_load {
    const char *name, *type;    /* type: the kind's name */
    const char *drawn;          /* as in carom_load_info */
    int body[2];
    carom_vec3 at[2];           /* of both frames from the centres of mass, each in its body's axes [m] */
    carom_vec3 axis;            /* z of the first frame, unit vector in the axes of body[0] */
} carom_scene_load;

typedef struct carom_scene {
    carom_context *ctx;
    carom_arena arena;
    const char *path; /* of the result */
    carom_model *compiled;
    double *masses;               /* of its bodies, without the ground */
    const carom_model *model;   /* it, or the same with the structure of contacts that the result has */
    int dimension;
    carom_vec3 gravity; /* [m/s^2] */
    double length;      /* length scale of the model [m] */
    size_t body_count, mesh_count, shape_count, joint_count, load_count, contact_count, snapshot_count;
    carom_scene_body *bodies;
    carom_mesh *meshes;
    carom_scene_shape *shapes;
    carom_scene_joint *joints;
    carom_scene_load *loads;
    carom_scene_contact *contacts;
    const double *time; /* of the snapshots [s]; NULL without snapshots */
} carom_scene;

/* Compiles the model text of a result, with the values of `set` in its options, and gathers the scene, which reads the
   columns of the result and must be freed before it is closed. A result without snapshots gives snapshot_count 0.
   Errors: CAROM_ERROR_USAGE (no model text), CAROM_ERROR_MODEL (the text does not compile), CAROM_ERROR_IO (a pose is
   missing or not readable), CAROM_ERROR_MEMORY. */
carom_status carom_scene_create(carom_result *result, carom_scene **out);
void carom_scene_free(carom_scene *scene);

/* Fails with CAROM_ERROR_USAGE and what to do if the result has no snapshots. */
carom_status carom_scene_need_frames(const carom_scene *scene);
/* Poses of all bodies, the ground first, in a snapshot. `poses` has room for body_count. */
void carom_scene_poses(const carom_scene *scene, size_t frame, carom_scene_pose *poses);

#endif

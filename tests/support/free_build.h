/* Models built through the spec interface, for tests: bodies, joints and loads are added one by one to a fixed
   store. */
#ifndef CAROM_TEST_FREE_BUILD_H
#define CAROM_TEST_FREE_BUILD_H

#include "carom/carom.h"

#define FREE_BODIES 40
#define FREE_JOINTS 48
#define FREE_LOADS 8
#define FREE_PARAMS 4

typedef struct free_build {
    carom_spec spec;
    carom_body_def bodies[FREE_BODIES];
    carom_joint_def joints[FREE_JOINTS];
    carom_load_def loads[FREE_LOADS];
    carom_param joint_params[FREE_JOINTS][FREE_PARAMS], load_params[FREE_LOADS][FREE_PARAMS];
    carom_run_def run;
    char names[FREE_BODIES + FREE_JOINTS][16];
    int name_count;
} free_build;

/* An empty model with gravity 9.81 m/s^2 along -y (2-D) or -z (3-D) and a run of `until` [s]. */
void free_begin(free_build *b, int dimension, double until);
/* A body at a place; `inertia` is one number in the plane, three or six in space. */
carom_body_def *free_body(free_build *b, const char *name, double mass, int inertia_size, const double *inertia,
                          double x, double y, double z);
/* A joint between points of two bodies, given from their centres of mass in body axes; NULL is the centre of mass. */
carom_joint_def *free_joint(free_build *b, const char *name, const char *type, const char *body_i,
                            const double *point_i, const char *body_j, const double *point_j);
/* A load on a point of one body, or between points of two. */
carom_load_def *free_load(free_build *b, const char *name, const char *type, const char *body_i, const double *point_i,
                          const char *body_j, const double *point_j);
/* Parameters of the joint or load that was added last. */
void free_joint_vector(free_build *b, const char *name, const double *numbers);
void free_joint_number(free_build *b, const char *name, double number);
void free_load_vector(free_build *b, const char *name, const double *numbers);
void free_load_number(free_build *b, const char *name, double number);
/* A name "stemN" that lives as long as the store. */
const char *free_name(free_build *b, const char *stem, int number);
/* The unit quaternion w x y z of a rotation vector [rad]. */
void free_turn(double x, double y, double z, double quaternion[4]);

#endif

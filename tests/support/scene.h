/* Scenes of bodies, shapes and contacts built through the public spec interface, run and reported in one call. */
#ifndef CAROM_TEST_SCENE_H
#define CAROM_TEST_SCENE_H

#include "carom/carom.h"

#define SCENE_SIZE 12 /* bodies, shapes, contacts, loads */
#define SCENE_PARAMS 4

/* A spec and the storage it borrows from; it must not be moved or copied between scene_begin() and its use. */
typedef struct scene {
    carom_spec spec;
    carom_body_def bodies[SCENE_SIZE];
    carom_shape_def shapes[SCENE_SIZE];
    carom_contact_def contacts[SCENE_SIZE];
    carom_load_def loads[SCENE_SIZE];
    carom_param shape_params[SCENE_SIZE][SCENE_PARAMS], contact_params[SCENE_SIZE][SCENE_PARAMS];
    carom_param load_params[SCENE_SIZE][SCENE_PARAMS];
    carom_run_def run;
} scene;

/* An empty scene of 2 or 3 dimensions without gravity; the run lasts `until` [s]. */
void scene_begin(scene *s, int dimension, double until);
/* A body of mass [kg] and isotropic inertia [kg m^2]; vectors of 3 numbers, spin.z alone in the plane. Returns its
   index. */
int scene_body(scene *s, double mass, double inertia, const double *at, const double *velocity, const double *spin);
/* Shapes on a body (-1: ground) at a point of it; return their index. A negative radius is a hollow sphere. */
int scene_sphere(scene *s, int body, const double *at, double radius);
int scene_plane(scene *s, int body, const double *at, const double *normal);
/* A contact of two shapes; stiffness [N/m^n], restitution NAN: the law takes none. */
int scene_contact(scene *s, int shape_i, int shape_j, const char *law, double stiffness, double restitution);
/* A force at the centre of a body, world axes [N]. */
void scene_force(scene *s, int body, const double *force);
/* A force along x given by an expression of t [N]. */
void scene_force_expression(scene *s, int body, const char *force_x);

#define SCENE_IMPACTS 256

typedef struct scene_result {
    carom_status status;
    char error[512];
    size_t count, open;                 /* impacts in all, contacts open at the end */
    carom_impact impacts[SCENE_IMPACTS];
    carom_body_state body[SCENE_SIZE];
    carom_ledger ledger;
    carom_statistics statistics;
    size_t warnings;
    char warning[512];                  /* the first one */
} scene_result;

/* Compiles the scene and runs it with an integrator at a tolerance (0: the run's). */
void scene_run(carom_context *ctx, const scene *s, const char *integrator, double tolerance, scene_result *out);
/* Compiles only; the caller frees the model. Fails the test on an error. */
carom_model *scene_compile(carom_context *ctx, const scene *s);
/* What a simulation has come to. */
void scene_report(carom_context *ctx, carom_simulation *sim, const scene *s, carom_status status, scene_result *out);

#endif

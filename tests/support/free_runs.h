/* Simulations of contact-free models for tests: opened in one call, asked by names, any failure ends the test with its
   text. Public interface of the library only. */
#ifndef CAROM_TEST_FREE_RUNS_H
#define CAROM_TEST_FREE_RUNS_H

#include <stddef.h>
#include "carom/carom.h"

typedef struct free_run {
    carom_context *ctx;
    carom_model *model;
    carom_simulation *sim;
} free_run;

/* Opens a model of the folder models/ with overrides `name=value`; tolerance 0 is the run's, integrator NULL the
   run's. */
void free_run_open(free_run *run, const char *model, const char *const *overrides, size_t count, double tolerance,
                   const char *integrator);
/* The same in a formulation instead of the run's. */
void free_run_open_in(free_run *run, const char *model, const char *formulation);
/* The same by an integrator and a constraint method (NULL: none), in a formulation. */
void free_run_open_by(free_run *run, const char *model, const char *integrator, const char *constraints,
                      const char *formulation, double tolerance);
/* The same with a fixed step [s]. */
void free_run_open_step(free_run *run, const char *model, const char *integrator, const char *formulation,
                        double step);
/* The same with overrides, to another end [s]. */
void free_run_open_long(free_run *run, const char *model, const char *const *overrides, size_t count,
                        const char *integrator, double step, double until);
/* The same with one parameter's `NAME=VALUE`, which may be NULL. */
void free_run_open_with(free_run *run, const char *model, const char *override, const char *integrator,
                        const char *constraints, const char *formulation, double tolerance);
/* The same from the text of a model. */
void free_run_parse(free_run *run, const char *text, double tolerance, const char *integrator);
/* The same from a spec. */
void free_run_compile(free_run *run, const carom_spec *spec, double tolerance, const char *integrator);
void free_run_close(free_run *run);

/* Advances to a time [s]. */
void free_run_to(free_run *run, double time);
/* A scalar channel or one component of a vector, now. */
double free_run_get(free_run *run, const char *channel);
/* State of a body by its name. */
carom_body_state free_run_body(const free_run *run, const char *name);
/* Whether a warning of a code, such as "[W48]", is told. */
bool free_run_is_told(const free_run *run, const char *code);
/* Rotation matrix of a quaternion w x y z, row major, body to world. */
void free_rotation(const double quaternion[4], double matrix[9]);

/* The text of the error that a spec or a model text gives when it is compiled and assembled; "" if it gives none. The
   text lives until the next call. */
const char *free_error_of_spec(const carom_spec *spec);
const char *free_error_of_text(const char *text);

#endif

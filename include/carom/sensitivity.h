/* Derivatives of a run: of its state, its channels and the numbers of its impacts by parameters of the model and by the
   state that it starts from. They are found beside the motion, by the variational equations and their jumps at events
   (docs/theory/sensitivities.md). */
#ifndef CAROM_SENSITIVITY_H
#define CAROM_SENSITIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_sensitivity carom_sensitivity;

/* What derivatives are taken by; each name is looked for in this order:
     a number of `parameters:` of the model file                        all that is made of it follows
     gravity.x, body.NAME.mass, load.NAME.PARAMETER, ...                as carom_simulation_set_parameter() takes it
     body.NAME.velocity.y, joint.NAME.rate, state.NAME, ...             the start: a number that carom_state_set()
                                                                        takes, assembled as by
                                                                        carom_simulation_set_state() */
typedef struct carom_sensitivity_def {
    size_t size;
    const char *const *parameters;
    size_t parameter_count;
    const carom_simulation_def *simulation;     /* the run; NULL: the default. Not: a controller */
    double step;                /* of the values beside each parameter, as a share of its size, 1e-12 to 0.1; 0: 1e-5 */
} carom_sensitivity_def;

CAROM_API carom_sensitivity_def carom_default_sensitivity_def(void);

typedef enum carom_sensitivity_kind {
    CAROM_SENSITIVITY_PARAMETER,        /* of `parameters:` */
    CAROM_SENSITIVITY_NUMBER,           /* of the compiled model */
    CAROM_SENSITIVITY_START             /* of the state at the start */
} carom_sensitivity_kind;

typedef struct carom_sensitivity_parameter {
    const char *name;           /* lives as long as the sensitivity */
    const char *unit;           /* "" where it is not known */
    carom_sensitivity_kind kind;
    double value;
    double step;                /* to the values beside it */
    bool one_sided;             /* there is a value on one side alone: errors are of the order of the step */
    bool influences;            /* something so far depends on it: the motion, an impact or a channel that was read */
    double lost;                /* [s] from when on derivatives by it are not defined (a warning of the simulation says
                                   why); HUGE_VAL: all are */
    double end;                 /* once the run has ended, derivative of the time at which it does [s per unit], which
                                   an event that stops it or a parameter in `until` moves; NAN: there is none */
} carom_sensitivity_parameter;

/* Prepares a run with derivatives of a document of the same context, which stays as it is and is not needed afterwards.
   Errors: CAROM_ERROR_USAGE (a name that is none, with the nearest; a word; a parameter that changes what the model is
   made of; what of the run is not covered), those of carom_model_compile() and carom_simulation_create(). */
CAROM_API carom_status carom_sensitivity_create(carom_context *ctx, const carom_document *document,
                                                const carom_sensitivity_def *def, carom_sensitivity **out);
CAROM_API void carom_sensitivity_free(carom_sensitivity *sensitivity);

/* Its simulation and its model, which live as long as it. The simulation is run, advanced and sampled as any; it cannot
   be given states, parameters or forces, nor be reset, resumed or cloned with its derivatives. */
CAROM_API carom_simulation *carom_sensitivity_simulation(carom_sensitivity *sensitivity);
CAROM_API const carom_model *carom_sensitivity_model(const carom_sensitivity *sensitivity);
/* The parameters in the order of the definition, as they are now; valid until the next call. */
CAROM_API const carom_sensitivity_parameter *carom_sensitivity_parameters(carom_sensitivity *sensitivity,
                                                                          size_t *count);

/* Derivatives at the present time, NAN where they are not defined, parameter after parameter. Between the calls that
   advance, in samples of carom_simulation_run_sampled() and from observers of steps. */
/* Of a channel: of each parameter the channel's `size` numbers [its unit per that of the parameter]. Errors:
   CAROM_ERROR_SOLVER, CAROM_ERROR_USAGE (a channel of another simulation). */
CAROM_API carom_status carom_sensitivity_read(carom_sensitivity *sensitivity, const carom_channel_ref *channel,
                                              double *out);
/* The same by its name. Errors: CAROM_ERROR_USAGE (no such channel, with the nearest). */
CAROM_API carom_status carom_sensitivity_channel(carom_sensitivity *sensitivity, const char *name, double *out);
/* Of what a channel has where the run has ended, whose time moves with the parameters (`end`): numbers as above. Before
   the end of the run as carom_sensitivity_read(). */
CAROM_API carom_status carom_sensitivity_final(carom_sensitivity *sensitivity, const carom_channel_ref *channel,
                                               double *out);
/* Of positions and velocities, in the coordinates of the run, by one parameter; both may be NULL. */
CAROM_API carom_status carom_sensitivity_state(carom_sensitivity *sensitivity, size_t parameter, double *positions,
                                               double *velocities);

/* Records derivatives of `count` channels at the output interval from the next call that advances on, if the simulation
   has a sink: `row` is called with each time [s] and, parameter after parameter, the numbers of the channels in their
   order; the rows are those of the sink's group 0, which gets them later, in blocks. A status other than CAROM_OK ends
   the run with it. `row` NULL: no more. Errors: CAROM_ERROR_MEMORY, CAROM_ERROR_USAGE (from within a step). */
CAROM_API carom_status carom_sensitivity_record(carom_sensitivity *sensitivity, const carom_channel_ref *channels,
                                                size_t count,
                                                carom_status (*row)(void *user, double time, const double *data),
                                                void *user);

/* The same at other times [s], which ascend and are not past; they are copied. */
CAROM_API carom_status carom_sensitivity_record_at(carom_sensitivity *sensitivity, const carom_channel_ref *channels,
                                                   size_t count, const double *times, size_t time_count,
                                                   carom_status (*row)(void *user, double time, const double *data),
                                                   void *user);

/* Derivatives of impact 0 ... of carom_simulation_impacts() by a parameter: the members of `out` that are numbers are
   those of the impact [its unit per that of the parameter], the others are the impact's. What the impact does not have
   (NAN) has none. Errors: CAROM_ERROR_USAGE (no such impact or parameter). */
CAROM_API carom_status carom_sensitivity_impact(carom_sensitivity *sensitivity, size_t impact, size_t parameter,
                                                carom_impact *out);

#ifdef __cplusplus
}
#endif
#endif

/* What a run says, compiled for one simulation. */
#ifndef CAROM_SIM_RUN_H
#define CAROM_SIM_RUN_H

#include "carom/simulation.h"
#include "dynamics/formulation/formulation.h"
#include "integrate/integrator.h"
#include "kinds/stabilization/stabilization.h"

typedef struct carom_run {
    double until, tolerance, absolute, max_step, step, output_every;
    bool rows_end_steps;                /* of fixed length: what touches in contact sets is known at their ends only */
    bool cuts_steps;                    /* the interval of rows is given, and cuts them */
    bool contacts_every_step, contacts_given;   /* the latter: the run says which */
    bool without_places;        /* places of contact sets are not recorded each by itself */
    bool newton;                        /* derivatives of the elements for implicit methods */
    double spectral_radius, hht_alpha;  /* of integrators that hold the constraints */
    double theta;                       /* of the one with rigid contacts */
    bool ignored;                       /* a constraint method is given that the integrator needs not */
    bool kinematic;                     /* analysis kinematics: the constraints alone tell the motion, */
    bool stops_at_singular;             /* which ends at the first singular position */
    carom_place analysis_place;
    const carom_integrator_kind *integrator;
    const carom_formulation *formulation;
    const carom_stabilization_kind *stabilization;
    double stabilization_given[CAROM_STABILIZATION_PARAMS];     /* NaN: by default, for the motion; */
    double stabilization_params[CAROM_STABILIZATION_PARAMS];    /* as they are now */
    double softness;                    /* share that these are of the former; 0: they are equal */
    double suited;                      /* rate of the motion that they are made for [1/s] */
    const char *const *channels;        /* of the definition */
    size_t channel_count;
    carom_place channels_place;
    double max_size;                    /* of the file of results [bytes]; 0: any */
    bool step_unused;                   /* `step` is given, and the integrator of the same definition chooses its own */
} carom_run;

/* Compiles the run of a simulation's definition, with the overrides in it: `def->run_def`, or number `def->run` of the
   model. The run refers to texts of the definition of the run. */
carom_status carom_run_compile(carom_context *ctx, const carom_model *model, const carom_simulation_def *def,
                               carom_run *out);

/* Makes the parameters of the constraint method for a motion of so many of its time scales a second [1/s]. */
void carom_run_suit(carom_run *run, double rate);

/* The interval of rows nearest to the run's that holds a whole number of its steps [s]. */
double carom_run_whole_every(const carom_run *run);

/* Whether all steps have the length `step`, but for what cuts them short. */
static inline bool carom_run_keeps_step(const carom_run *run)
{
    return run->integrator->fixed_step || (run->integrator->holds && run->integrator->order && run->step > 0);
}

#endif

/* A trial run: a model is run from its present state until its contacts have touched, to know how. */
#ifndef CAROM_TRIAL_H
#define CAROM_TRIAL_H

#include "sim/sim.h"

typedef struct carom_touch {
    double speed, mass; /* of approach [m/s], effective there [kg]; NAN speed: it has not touched */
} carom_touch;

typedef struct carom_trial {
    carom_touch *touches;       /* of each contact; NULL: there was no trial */
    const char *text;   /* how a touch was found, or why not: "trial run of ..." */
} carom_trial;

/* Runs a copy of the simulation for at most `steps` steps, fewer in models of many bodies, until all contacts have
   touched that are apart now. Not where none is, where `steps` is 0, and not with contact sets. The results are in the
   simulation's arena. Errors: CAROM_ERROR_MEMORY; a run that fails is told in the text. */
carom_status carom_trial_run(carom_simulation *sim, uint64_t steps, carom_trial *out);

#endif

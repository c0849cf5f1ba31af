/* What a state that was taken from a simulation keeps of the run until then, for one that resumes there. */
#ifndef CAROM_PAST_H
#define CAROM_PAST_H

#include "carom/simulation.h"
#include "dynamics/state.h"
#include "dynamics/system.h"

struct carom_past {
    bool kept;                  /* the state was taken from a simulation */
    carom_impact *impacts;      /* that have ended, without names */
    size_t impact_count, impact_capacity;
    carom_fired_event *fired;
    size_t fired_count, fired_capacity;
    uint64_t parameters;        /* hash of those that were changed in the simulation, */
    uint64_t *laws;             /* of the numbers of the law of each contact, */
    size_t law_count, law_capacity;
    carom_energy energy;        /* and the energy of the state with them */
};

/* Room for a past of so many impacts, events and contacts; what it holds stays. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_past_room(carom_state *state, size_t impacts, size_t fired, size_t laws);
/* Makes the past of `to` that of `from`, or none. Errors: CAROM_ERROR_MEMORY; `to` is then as before. */
carom_status carom_past_assign(carom_state *to, const carom_state *from);
void carom_past_free(carom_state *state);

#endif

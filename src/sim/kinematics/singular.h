/* Singular positions: those where rows of the constraints that are independent elsewhere depend on each other, so that
   the mechanism has a motion more. */
#ifndef CAROM_SIM_SINGULAR_H
#define CAROM_SIM_SINGULAR_H

#include "sim/sim.h"

/* Room for the watch, in runs of mechanisms with loops; without them there are none. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_singular_create(carom_simulation *sim);
/* Looks for a singular position within the last step, up to `end`, to which that is set where the run stops at it. */
bool carom_singular_passed(carom_simulation *sim, double *end);
/* Tells of the one that the last step has found, if it has. A prescribed motion is told to have passed it once it has
   gone on behind it, since it may end there. */
carom_status carom_singular_note(carom_simulation *sim, bool found);
/* The motions that are free at the poses of an evaluation, `mobility` of them: "'a' turns, ...", up to eight. */
carom_status carom_singular_motions(carom_simulation *sim, carom_evaluation *d, int mobility, char *text, size_t size);
/* The block of the drive that the mechanism cannot follow at the present poses, as the other rows hold the same; -1: it
   is none of the drives. */
int carom_singular_drive(carom_simulation *sim);

#endif

/* Motions that are wholly prescribed: analysis kinematics. */
#ifndef CAROM_SIM_KINEMATICS_H
#define CAROM_SIM_KINEMATICS_H

#include "sim/sim.h"

/* Refuses a mechanism that can move otherwise than prescribed, at the assembled start, by name. Errors:
   CAROM_ERROR_MODEL, CAROM_ERROR_MEMORY, CAROM_ERROR_SOLVER. */
carom_status carom_kinematics_start(carom_simulation *sim);
/* Whether more than `most` steps, one after the other, have become so short, of a time of the motion [s], that it does
   not go on; after each step. */
bool carom_kinematics_halts(carom_simulation *sim, double whole, int most);
/* Steps after which a motion that is wholly prescribed does not. */
#define CAROM_SHORT_STEPS 200
/* Why no step can be made; "": not because of this. */
const char *carom_kinematics_stuck(carom_simulation *sim, char *text, size_t size);

#endif

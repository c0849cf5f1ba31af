/* Motions that are wholly prescribed: analysis kinematics. */
#ifndef CAROM_SIM_KINEMATICS_H
#define CAROM_SIM_KINEMATICS_H

#include "sim/sim.h"

/* Refuses a mechanism that can move otherwise than prescribed, at the assembled start, by name. Errors:
   CAROM_ERROR_MODEL, CAROM_ERROR_MEMORY, CAROM_ERROR_SOLVER. */
carom_status carom_kinematics_start(carom_simulation *sim);
/* Whether the steps have become so short that the motion does not go on; after each step. */
bool carom_kinematics_halts(carom_simulation *sim);
/* Why no step can be made; "": not because of this. */
const char *carom_kinematics_stuck(carom_simulation *sim, char *text, size_t size);

#endif

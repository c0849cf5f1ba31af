/* Coordinate partitioning: dependent coordinates by a pivoted factorisation of the constraint rows. */
#ifndef CAROM_SIM_PARTITION_H
#define CAROM_SIM_PARTITION_H

#include "sim/sim.h"

/* Room for the others, in runs of this constraint method. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_partition_create(carom_simulation *sim);
/* Chooses the dependent coordinates at the present evaluation; in runs of another method it does nothing. */
void carom_partition_choose(carom_simulation *sim);
/* Solves these from the constraints at t, near y, the independent ones kept; a callback of carom_ode. */
int carom_partition_close(void *sim, double t, double *y, double *error);

#endif

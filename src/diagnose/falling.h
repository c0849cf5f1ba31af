/* Bodies that fall through everything, as no contact names a shape of them. */
#ifndef CAROM_FALLING_H
#define CAROM_FALLING_H

#include "sim/sim.h"

/* Warns of them at the start, of the first with the number of all. */
carom_status carom_falling_judge(carom_simulation *sim);

#endif

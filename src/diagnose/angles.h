/* Angles that look like degrees taken for radians. */
#ifndef CAROM_ANGLES_H
#define CAROM_ANGLES_H

#include "sim/sim.h"

/* Warns of such angles: of bodies in the plane at the start, of loads on joints, of prescribed motions and targets. */
carom_status carom_angles_judge(carom_simulation *sim);

#endif

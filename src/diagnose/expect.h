/* What to expect of a contact before it happens: the speed at which its sides first touch. */
#ifndef CAROM_EXPECT_H
#define CAROM_EXPECT_H

#include "sim/sim.h"

/* Closing speed at the first touch [m/s] from the evaluated state; NAN if the sides do not touch within the run on the
   motion that is assumed. *assumed tells it as a sentence (a constant). */
double carom_expect_touch(const carom_simulation *sim, int contact, const char **assumed);

#endif

/* Values of a model that no such machine has: mostly units taken for others. */
#ifndef CAROM_PLAUSIBLE_H
#define CAROM_PLAUSIBLE_H

#include "sim/sim.h"

/* Warns of them, once each; `checks` are those of the contacts. */
carom_status carom_plausible_judge(carom_simulation *sim, const carom_contact_check *checks, size_t count);

#endif

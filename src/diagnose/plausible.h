/* Values of a model that no such machine has: mostly units taken for others. */
#ifndef CAROM_PLAUSIBLE_H
#define CAROM_PLAUSIBLE_H

#include "sim/sim.h"

/* Warns of a mechanism that cannot move though no motion is prescribed: it is locked by a joint too many. */
carom_status carom_plausible_locked(carom_simulation *sim);
/* Warns of such values, once each; `checks` are those of the contacts. */
carom_status carom_plausible_judge(carom_simulation *sim, const carom_contact_check *checks, size_t count);

#endif

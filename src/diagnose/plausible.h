/* Values of a model that no such machine has: mostly units taken for others. */
#ifndef CAROM_PLAUSIBLE_H
#define CAROM_PLAUSIBLE_H

#include "sim/sim.h"

/* Warns of such values at the start of a run, once each, and of a mechanism that cannot move. */
carom_status carom_plausible_judge(carom_simulation *sim);
/* The same of contacts; `checks` are what is known of them. */
carom_status carom_plausible_judge_contacts(carom_simulation *sim, const carom_contact_check *checks, size_t count);

#endif

/* Advice on contacts: what `carom check` tells of each, and the warnings at the onset of an episode. The rules and their
   thresholds are in law/validity.h. */
#ifndef CAROM_ADVICE_H
#define CAROM_ADVICE_H

#include "sim/sim.h"

/* Fills *out for a contact from the evaluated state; the texts are in the simulation's arena. */
carom_status carom_advise_contact(carom_simulation *sim, int contact, carom_contact_check *out);
/* The same of a law between two groups of a pool, for the two shapes that it was made from. */
carom_status carom_advise_law(carom_simulation *sim, int pool, const carom_model_contact *law,
                              carom_contact_check *out);
/* Warns of what the actual impact speed of the episode that has just begun violates, once a rule and contact. */
carom_status carom_advise_onset(carom_simulation *sim, int contact);

/* Warns of contacts whose shapes overlap at the start by a good part of their size. */
carom_status carom_advise_start(carom_simulation *sim);

/* Steps after which contacts that slide with a law with state are told to be stiff. */
#define CAROM_ADVISE_COST_STEPS 100000
/* Warns once of contacts whose friction makes the present integrator expensive. */
carom_status carom_advise_cost(carom_simulation *sim);

#endif

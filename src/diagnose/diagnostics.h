/* Advice on contacts: what `carom check` says of each, and the warnings at the onset of an episode. The rules and their
   thresholds are in law/validity.h. */
#ifndef CAROM_DIAGNOSTICS_H
#define CAROM_DIAGNOSTICS_H

#include "diagnose/trial.h"
#include "sim/sim.h"

/* Fills *out for a contact from the evaluated state and a trial run, if there was one; the texts are in the
   simulation's arena. */
carom_status carom_advise_contact(carom_simulation *sim, int contact, const carom_trial *trial,
                                  carom_contact_check *out);
/* The same of a law between two groups of a set, for the two shapes that it was made from. */
carom_status carom_advise_law(carom_simulation *sim, int set, const carom_model_contact *law,
                              carom_contact_check *out);
/* Warns of contacts whose shapes overlap at the start by a good part of their size, of what the impact speed of an
   episode that has just begun violates, and of contacts whose friction makes the present integrator expensive; once
   each. */
extern const carom_sim_listener carom_diagnostics_listener;

#endif

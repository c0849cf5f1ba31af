/* What happens in a run and who is told: onsets, releases, steps. The schedulers of contacts call these functions;
   diagnostics and observers subscribe, so that nothing below them calls them by name. */
#ifndef CAROM_EVENTS_H
#define CAROM_EVENTS_H

#include "dynamics/contact/episode.h"

/* An observer of a simulation: any of its functions may be NULL; an error that one returns ends the run. They see the
   state as it is and do not change it but for the flags of their reports. Contacts are counted as in carom_impact:
   those with located events, then the contact sets. */
typedef struct carom_sim_listener {
    void *user;
    /* The simulation is assembled and evaluated at its start. */
    carom_status (*start)(void *user, carom_simulation *sim);
    /* An episode has opened. */
    carom_status (*onset)(void *user, carom_simulation *sim, size_t contact);
    /* An episode has ended as this impact. */
    carom_status (*release)(void *user, carom_simulation *sim, const carom_impact *impact);
    /* An onset, the end of an episode, an event of the model. */
    carom_status (*event)(void *user, carom_simulation *sim, const carom_event *event);
    /* A step has been accepted, its contacts are updated. */
    carom_status (*step)(void *user, carom_simulation *sim);
    /* A step that leads to an event has been accepted, the contacts are those from before; the integrator starts. */
    carom_status (*arrive)(void *user, carom_simulation *sim);
    carom_status (*restart)(void *user, carom_simulation *sim);
} carom_sim_listener;

/* Creates a simulation that the listeners observe from its assembly on; see carom_simulation_create(). */
carom_status carom_sim_create(carom_context *ctx, const carom_model *model, const carom_simulation_def *def,
                              const carom_sim_listener *listeners, size_t count, carom_simulation **out);
/* Adds an observer; it is told in the order of the subscriptions. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_sim_subscribe(carom_simulation *sim, const carom_sim_listener *listener);

carom_status carom_events_start(carom_simulation *sim);
carom_status carom_events_onset(carom_simulation *sim, size_t contact);
/* Name of a contact between two shapes of a set; NULL: no memory. */
const char *carom_set_contact_name(carom_simulation *sim, int set, int shape_i, int shape_j);
/* Whose episode ends: its law, and the name and the indices of its impact. */
typedef struct carom_contact_of {
    const carom_model_contact *contact;
    const char *name;
    size_t index;
    int shapes[2];
} carom_contact_of;

/* Makes the row of an episode that has ended at a time [s] and a speed of separation [m/s], if it was an impact; the
   list is in the order of the ends until it is sorted by onsets. */
carom_status carom_events_release(carom_simulation *sim, const carom_contact_of *of, const carom_episode *episode,
                                  double end, double v_out);
/* Adds the row of an impact, whose name and indices are left out, and tells of it. */
carom_status carom_events_impact(carom_simulation *sim, const carom_contact_of *of, carom_impact *impact);
carom_status carom_events_step(carom_simulation *sim);
carom_status carom_events_arrive(carom_simulation *sim);
carom_status carom_events_restart(carom_simulation *sim);
/* The row of an event of the model. */
carom_fired_event carom_events_fired_event(const carom_model *model, int event, double time, double energy);
/* Its actions have been taken. */
carom_status carom_events_action(carom_simulation *sim, const carom_fired_event *fired);
/* Sorts the list: impacts, then rests, by onsets; of one instant by contact, then by shapes. */
void carom_events_sort_impacts(carom_simulation *sim);
/* Place of an impact in the sorted list, known by its contact, its times and its end; impact_count: it is not there. */
size_t carom_events_find_impact(const carom_simulation *sim, const carom_impact *impact);

#endif

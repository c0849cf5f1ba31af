/* Onsets, releases and steps: the list of impacts, and the observers that are told. */
#include "sim/events.h"
#include "sim/sim.h"

#include <stdlib.h>

carom_status carom_sim_subscribe(carom_simulation *sim, const carom_sim_listener *listener)
{
    CAROM_TRY(carom_grow(sim->ctx, &sim->listeners, &sim->listener_capacity, sim->listener_count + 1,
                         sizeof *sim->listeners));
    sim->listeners[sim->listener_count++] = *listener;
    return CAROM_OK;
}

/* How many are told. */
static size_t told(const carom_simulation *sim) { return sim->muted ? 0 : sim->listener_count; }

carom_status carom_events_start(carom_simulation *sim)
{
    for (size_t k = 0; k < told(sim); k++)
        if (sim->listeners[k].start)
            CAROM_TRY(sim->listeners[k].start(sim->listeners[k].user, sim));
    return CAROM_OK;
}

carom_status carom_events_onset(carom_simulation *sim, size_t contact)
{
    for (size_t k = 0; k < told(sim); k++)
        if (sim->listeners[k].onset)
            CAROM_TRY(sim->listeners[k].onset(sim->listeners[k].user, sim, contact));
    return CAROM_OK;
}

carom_status carom_events_step(carom_simulation *sim)
{
    for (size_t k = 0; k < told(sim); k++)
        if (sim->listeners[k].step)
            CAROM_TRY(sim->listeners[k].step(sim->listeners[k].user, sim));
    return CAROM_OK;
}

/* ---- impacts ---- */

carom_status carom_events_release(carom_simulation *sim, const carom_contact_of *of, const carom_episode *e, double end,
                                  double v_out)
{
    if (!carom_episode_was_impact(e, end))
        return CAROM_OK;
    carom_impact impact = carom_episode_impact(of->contact, e, end, v_out);
    impact.contact = of->name;
    impact.contact_index = of->index;
    impact.shapes[0] = (size_t)of->shapes[0];
    impact.shapes[1] = (size_t)of->shapes[1];
    CAROM_TRY(carom_grow(sim->ctx, &sim->impacts, &sim->impact_capacity, sim->impact_count + 1, sizeof *sim->impacts));
    sim->impacts[sim->impact_count++] = impact;
    for (size_t k = 0; k < told(sim); k++)
        if (sim->listeners[k].release)
            CAROM_TRY(sim->listeners[k].release(sim->listeners[k].user, sim, &impact));
    return CAROM_OK;
}

/* By onset; of one instant by contact, then by shapes. */
static int before(const void *a, const void *b)
{
    const carom_impact *x = a, *y = b;
    const double of[2][4] = {{x->onset, (double)x->contact_index, (double)x->shapes[0], (double)x->shapes[1]},
                             {y->onset, (double)y->contact_index, (double)y->shapes[0], (double)y->shapes[1]}};
    for (int k = 0; k < 4; k++)
        if (of[0][k] != of[1][k])
            return of[0][k] < of[1][k] ? -1 : 1;
    return 0;
}

void carom_events_sort_impacts(const carom_simulation *sim)
{
    if (sim->impact_count > 1)
        qsort(sim->impacts, sim->impact_count, sizeof *sim->impacts, before);
}

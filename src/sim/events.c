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

static carom_status tell(carom_simulation *sim, const carom_event *event)
{
    for (size_t k = 0; k < told(sim); k++)
        if (sim->listeners[k].event)
            CAROM_TRY(sim->listeners[k].event(sim->listeners[k].user, sim, event));
    return CAROM_OK;
}

carom_fired_event carom_events_fired_event(const carom_model *model, int event, double time, double energy)
{
    const carom_model_event *e = &model->events[event];
    return (carom_fired_event){.event = e->name,
                               .event_index = (size_t)event,
                               .time = time,
                               .energy = energy,
                               .kind = e->kind,
                               .action = e->does};
}

carom_status carom_events_action(carom_simulation *sim, const carom_fired_event *fired)
{
    return tell(sim, &(carom_event){CAROM_EVENT_ACTION, fired->event, fired->event_index, fired->time, fired->action});
}

carom_status carom_events_onset(carom_simulation *sim, size_t contact)
{
    for (size_t k = 0; k < told(sim); k++)
        if (sim->listeners[k].onset)
            CAROM_TRY(sim->listeners[k].onset(sim->listeners[k].user, sim, contact));
    bool hears = false;
    for (size_t k = 0; k < told(sim); k++)
        hears = hears || sim->listeners[k].event;
    if (!hears)
        return CAROM_OK;
    const carom_open_contact open = carom_simulation_opened(sim, contact);
    return tell(sim, &(carom_event){CAROM_EVENT_ONSET, open.contact, contact, open.onset, ""});
}

carom_status carom_events_step(carom_simulation *sim)
{
    for (size_t k = 0; k < told(sim); k++)
        if (sim->listeners[k].step)
            CAROM_TRY(sim->listeners[k].step(sim->listeners[k].user, sim));
    return CAROM_OK;
}

carom_status carom_events_arrive(carom_simulation *sim)
{
    for (size_t k = 0; k < told(sim); k++)
        if (sim->listeners[k].arrive)
            CAROM_TRY(sim->listeners[k].arrive(sim->listeners[k].user, sim));
    return CAROM_OK;
}

carom_status carom_events_restart(carom_simulation *sim)
{
    for (size_t k = 0; k < told(sim); k++)
        if (sim->listeners[k].restart)
            CAROM_TRY(sim->listeners[k].restart(sim->listeners[k].user, sim));
    return CAROM_OK;
}

/* ---- impacts ---- */

carom_status carom_events_impact(carom_simulation *sim, const carom_contact_of *of, carom_impact *impact)
{
    impact->contact = of->name;
    impact->contact_index = of->index;
    impact->shapes[0] = (size_t)of->shapes[0];
    impact->shapes[1] = (size_t)of->shapes[1];
    CAROM_TRY(carom_grow(sim->ctx, &sim->impacts, &sim->impact_capacity, sim->impact_count + 1, sizeof *sim->impacts));
    sim->impacts[sim->impact_count++] = *impact;
    for (size_t k = 0; k < told(sim); k++)
        if (sim->listeners[k].release)
            CAROM_TRY(sim->listeners[k].release(sim->listeners[k].user, sim, impact));
    return CAROM_OK;
}

carom_status carom_events_release(carom_simulation *sim, const carom_contact_of *of, const carom_episode *e, double end,
                                  double v_out)
{
    CAROM_TRY(tell(sim, &(carom_event){CAROM_EVENT_RELEASE, of->name, of->index, end, ""}));
    if (!carom_episode_was_impact(e, end))
        return CAROM_OK;
    carom_impact impact = carom_episode_impact(of->contact, e, end, v_out);
    return carom_events_impact(sim, of, &impact);
}

/* Impacts, then rests; by onset; of one instant by contact, then by shapes. */
static int before(const void *a, const void *b)
{
    const carom_impact *x = a, *y = b;
    const double of[2][5] = {
        {carom_impact_is_rest(x), x->onset, (double)x->contact_index, (double)x->shapes[0], (double)x->shapes[1]},
        {carom_impact_is_rest(y), y->onset, (double)y->contact_index, (double)y->shapes[0], (double)y->shapes[1]}};
    for (int k = 0; k < 5; k++)
        if (of[0][k] != of[1][k])
            return of[0][k] < of[1][k] ? -1 : 1;
    return 0;
}

void carom_events_sort_impacts(carom_simulation *sim)
{
    if (sim->impact_count > 1)
        qsort(sim->impacts, sim->impact_count, sizeof *sim->impacts, before);
}

size_t carom_events_find_impact(const carom_simulation *sim, const carom_impact *impact)
{
    const carom_impact *found =
        sim->impact_count ? bsearch(impact, sim->impacts, sim->impact_count, sizeof *impact, before) : NULL;
    return found && found->duration == impact->duration && found->v_out == impact->v_out
               ? (size_t)(found - sim->impacts)
               : sim->impact_count;
}

/* ---- onsets ---- */

const char *carom_set_contact_name(carom_simulation *sim, int set, int shape_i, int shape_j)
{
    const carom_model *m = sim->model;
    return carom_arena_format(&sim->arena, "%s.%s-%s", m->contact_sets[set].name, m->shapes[shape_i].name,
                              m->shapes[shape_j].name);
}

carom_open_contact carom_simulation_opened(const carom_simulation *sim, size_t contact)
{
    const carom_model *m = sim->model;
    const bool located = contact < (size_t)m->contact_count;
    const carom_episode *e = located ? &sim->s.located[contact] : &sim->s.episodes[sim->s.episode_count - 1];
    const char *name = located ? m->contacts[contact].name
                               : carom_set_contact_name((carom_simulation *)(uintptr_t)sim, e->set,
                                                        m->members[e->i].shape, m->members[e->j].shape);
    return (carom_open_contact){.contact = name ? name : m->contact_sets[e->set].name,
                                .contact_index = contact,
                                .onset = e->onset,
                                .v_in = e->speed,
                                .indentation = located ? -sim->d->contacts[contact].gap : -e->gap,
                                .mass = e->mass};
}

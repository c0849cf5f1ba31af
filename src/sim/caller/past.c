/* The past of a run in the states that are taken from it: impacts and events until then, and what the parameters make
   of the energy, so that a run that resumes there goes on with them. */
#include "dynamics/state/past.h"
#include "sim/sim.h"

#include <string.h>

carom_status carom_past_take_room(const carom_simulation *sim, carom_state *out)
{
    return carom_past_room(out, sim->impact_count, sim->fired_count, (size_t)sim->model->contact_count);
}

void carom_past_take(const carom_simulation *sim, carom_state *out)
{
    carom_past *p = out->past;
    for (size_t k = 0; k < sim->impact_count; k++) {
        p->impacts[k] = sim->impacts[k];
        p->impacts[k].contact = NULL; /* names live as long as the simulation, found again by the indices */
    }
    for (size_t k = 0; k < sim->fired_count; k++)
        p->fired[k] = sim->fired[k];
    for (int k = 0; k < sim->model->contact_count; k++)
        p->laws[k] = carom_parameters_law(sim, k);
    p->impact_count = sim->impact_count;
    p->fired_count = sim->fired_count;
    p->law_count = (size_t)sim->model->contact_count;
    p->parameters = carom_parameters_hash(sim, 0);
    p->energy = carom_system_energy(sim->d, &sim->s);
    p->kept = true;
}

bool carom_past_of_other_parameters(const carom_simulation *sim, const carom_state *state)
{
    return state->past->parameters != carom_parameters_hash(sim, 0);
}

carom_status carom_past_check(carom_simulation *sim, const carom_state *state)
{
    const carom_past *p = state->past;
    if (!carom_past_of_other_parameters(sim, state))
        return CAROM_OK;
    for (int k = 0; k < sim->model->contact_count; k++)
        if (state->located[k].open && p->laws[k] != carom_parameters_law(sim, k))
            return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                              "contact '%s' is open in the state, and its law has other numbers here than where the "
                              "state was taken: it is that of its onset; give the simulation those numbers before, or "
                              "take the state while the contact is apart",
                              sim->model->contacts[k].name);
    return CAROM_OK;
}

/* ---- given ---- */

/* Names of the impacts; those that the sink has been given go first. */
static carom_status sort_out(carom_simulation *sim, carom_past_given *g)
{
    const carom_model *m = sim->model;
    carom_events_sort_impacts(sim);
    for (size_t k = 0; k < g->impact_count; k++) {
        carom_impact *impact = &g->impacts[k];
        const int contact = (int)impact->contact_index;
        const size_t known = carom_events_find_impact(sim, impact);
        impact->contact = known < sim->impact_count    ? sim->impacts[known].contact
                          : contact < m->contact_count ? m->contacts[contact].name
                                                       : carom_set_contact_name(sim, contact - m->contact_count,
                                                                                (int)impact->shapes[0],
                                                                                (int)impact->shapes[1]);
        if (!impact->contact)
            return carom_fail_memory(sim->ctx);
        if (known < sim->impacts_sent) {
            const carom_impact sent = *impact;
            *impact = g->impacts[g->sent];
            g->impacts[g->sent++] = sent;
        }
    }
    return CAROM_OK;
}

/* So many of the events are those that the sink has been given. */
static size_t fired_sent(const carom_simulation *sim, const carom_past *p)
{
    size_t k = 0;
    while (k < sim->fired_sent && k < p->fired_count && sim->fired[k].event_index == p->fired[k].event_index &&
           sim->fired[k].time == p->fired[k].time)
        k++;
    return k;
}

carom_status carom_past_prepare(carom_simulation *sim, const carom_state *state, carom_past_given *out)
{
    const carom_past *p = state->past;
    *out = (carom_past_given){.impact_count = p->impact_count};
    CAROM_TRY(carom_grow(sim->ctx, &sim->fired, &sim->fired_capacity, p->fired_count, sizeof *sim->fired));
    CAROM_TRY(carom_grow(sim->ctx, &out->impacts, &out->capacity, p->impact_count, sizeof *out->impacts));
    if (p->impact_count)
        memcpy(out->impacts, p->impacts, p->impact_count * sizeof *out->impacts);
    const carom_status status = sort_out(sim, out);
    if (status != CAROM_OK)
        carom_past_drop(sim, out);
    return status;
}

void carom_past_give(carom_simulation *sim, const carom_state *state, carom_past_given *g)
{
    const carom_past *p = state->past;
    carom_release(sim->ctx, sim->impacts, sim->impact_capacity, sizeof *sim->impacts);
    sim->impacts = g->impacts;
    sim->impact_capacity = g->capacity;
    sim->impact_count = g->impact_count;
    sim->impacts_sent = g->sent;
    sim->fired_sent = fired_sent(sim, p);
    for (size_t k = 0; k < p->fired_count; k++)
        sim->fired[k] = p->fired[k];
    sim->fired_count = p->fired_count;
    *g = (carom_past_given){.impacts = NULL};
}

void carom_past_drop(carom_simulation *sim, carom_past_given *g)
{
    carom_release(sim->ctx, g->impacts, g->capacity, sizeof *g->impacts);
    *g = (carom_past_given){.impacts = NULL};
}

/* Contacts that last: those that have ended, which are rows of the list of impacts, and those that are open now. */
#include "dynamics/contact/contact_set.h"
#include "sim/sim.h"

#include <math.h>

static carom_status add(carom_simulation *sim, const carom_impact *impact, bool ended)
{
    if (!carom_impact_is_rest(impact))
        return CAROM_OK;
    CAROM_TRY(carom_grow(sim->ctx, &sim->rests, &sim->rest_capacity, sim->rest_count + 1, sizeof *sim->rests));
    sim->rests[sim->rest_count++] = carom_rest_of(impact, ended);
    return CAROM_OK;
}

/* What a located contact that is open would be if it ended now, without a speed. */
static carom_impact located_now(const carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    carom_episode e = sim->s.located[k];
    carom_located_end_sums(sim, k, &e);
    carom_impact out = carom_episode_impact(c, &e, *sim->s.time, 0);
    out.contact = c->name;
    out.contact_index = (size_t)k;
    out.shapes[0] = (size_t)c->shape_i;
    out.shapes[1] = (size_t)c->shape_j;
    return out;
}

static carom_status add_open_set(carom_simulation *sim, const carom_episode *e)
{
    const carom_model *m = sim->model;
    const int i = m->members[e->i].shape, j = m->members[e->j].shape;
    carom_impact out = carom_episode_impact(carom_set_law(m, e), e, *sim->s.time, 0);
    if (!carom_impact_is_rest(&out))
        return CAROM_OK;
    out.contact = carom_set_contact_name(sim, e->set, i, j);
    out.contact_index = (size_t)(m->contact_count + e->set);
    out.shapes[0] = (size_t)i;
    out.shapes[1] = (size_t)j;
    return out.contact ? add(sim, &out, false) : carom_fail_memory(sim->ctx);
}

carom_status carom_simulation_rests(carom_simulation *sim, const carom_rest **out, size_t *count)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, out);
    CAROM_NEED(sim->ctx, count);
    size_t ended;
    carom_simulation_impacts(sim, &ended);
    sim->rest_count = 0;
    carom_sets_write_back(sim);
    for (size_t k = ended; k < sim->impact_count; k++)
        CAROM_TRY(add(sim, &sim->impacts[k], true));
    for (int k = 0; k < sim->model->contact_count; k++)
        if (sim->s.located[k].open) {
            const carom_impact now = located_now(sim, k);
            CAROM_TRY(add(sim, &now, false));
        }
    for (size_t k = 0; k < sim->s.episode_count; k++)
        CAROM_TRY(add_open_set(sim, &sim->s.episodes[k]));
    *out = sim->rests;
    *count = sim->rest_count;
    return CAROM_OK;
}

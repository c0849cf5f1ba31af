/* Contacts that are open now, those of contact sets with fixed steps behind the others. Places of a patch that others
   bear for, which touch with no share of the law, are left out. */
#include <string.h>

#include "sim/sim.h"

/* The name of a pair of a set; that of the set where there is no memory for it. */
static const char *name_of(carom_simulation *sim, size_t place, const carom_episode *e)
{
    const carom_model *m = sim->model;
    if (place >= sim->open_name_count) {
        if (carom_grow(sim->ctx, &sim->open_names, &sim->open_name_capacity, place + 1, sizeof *sim->open_names) !=
            CAROM_OK)
            return m->contact_sets[e->set].name;
        memset(sim->open_names + sim->open_name_count, 0, (place + 1 - sim->open_name_count) * sizeof *sim->open_names);
        sim->open_name_count = place + 1;
    }
    struct carom_open_name *known = &sim->open_names[place];
    if (!known->name || known->set != e->set || known->i != e->i || known->j != e->j)
        *known = (struct carom_open_name){
            e->set, e->i, e->j,
            carom_set_contact_name(sim, e->set, m->members[e->i].shape, m->members[e->j].shape)};
    return known->name ? known->name : m->contact_sets[e->set].name;
}

static carom_open_contact open_of(const char *name, size_t index, const carom_episode *e)
{
    return (carom_open_contact){.contact = name,
                                .contact_index = index,
                                .onset = e->onset,
                                .v_in = e->speed,
                                .peak_force = e->peak_force,
                                .max_indentation = e->peak_depth,
                                .mass = e->mass};
}

size_t carom_simulation_open_contacts(const carom_simulation *sim, carom_open_contact *out, size_t capacity)
{
    if (!sim)
        return 0;
    size_t count = 0, of_sets = 0;
    carom_simulation *own = (carom_simulation *)(uintptr_t)sim; /* names, and what steps keep beside the state */
    const carom_state *s = &sim->s;
    if (capacity)
        carom_sets_write_back(own);
    const size_t located = (size_t)sim->model->contact_count;
    for (size_t k = 0; k < located; k++) {
        if (!s->located[k].open || sim->d->contacts[k].less >= 1)
            continue;
        if (count < capacity) {
            out[count] = open_of(sim->model->contacts[k].name, k, &s->located[k]);
            out[count].indentation = -sim->d->contacts[k].gap;
            out[count].force = sim->d->contacts[k].force;
        }
        count++;
    }
    for (size_t k = 0; k < s->episode_count; k++) {
        const carom_episode *e = &s->episodes[k];
        if (!e->open || e->less >= 1)
            continue;
        if (count < capacity) {
            out[count] = open_of(name_of(own, of_sets, e), located + (size_t)e->set, e);
            out[count].indentation = -e->gap;
            out[count].force = e->force;
        }
        of_sets++;
        count++;
    }
    return count;
}

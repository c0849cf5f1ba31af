/* Channels of the energy ledger: the terms of ledger_fields.def that change in a run. */
#include "base/fields.h"
#include "sim/sim.h"

#define AT (CAROM_AT_INTERVALS | CAROM_AT_STEPS)

static const carom_ledger *ledger_of(carom_reading *r)
{
    if (r->ledger_made != r->number)
        r->ledger = carom_ledger_at(r->d, r->s);
    r->ledger_made = r->number;
    return &r->ledger;
}

#define CAROM_LEDGER_FIELD(name, role, unit, head, description) \
    static void fill_##name(carom_reading *r, int k, double *out) \
    { \
        (void)k; \
        *out = ledger_of(r)->name; \
    }
#include "base/ledger_fields.def"

static const carom_quantity quantities[CAROM_LEDGER_FIELDS] = {
#define CAROM_LEDGER_FIELD(name, role, unit, head, description) {#name, unit, description, 1, 1, AT, fill_##name},
#include "base/ledger_fields.def"
};

/* Those that vanish where constants change within episodes, or that events take, are there in models that do so. */
static bool is_recorded(const carom_model *m, int k)
{
    if (k == CAROM_LEDGER_FIELD_start || k == CAROM_LEDGER_FIELD_cutoff_loss ||
        k == CAROM_LEDGER_FIELD_residual_fraction)
        return false;
    if (k == CAROM_LEDGER_FIELD_events)
        return m->event_count > 0;
    bool switches = k != CAROM_LEDGER_FIELD_switch_term;
    for (int i = 0; i < m->contact_count && !switches; i++)
        switches = m->contacts[i].segments;
    return switches;
}

void carom_channels_of_energy(carom_channel_list *list)
{
    for (int k = 0; k < CAROM_LEDGER_FIELDS; k++)
        if (is_recorded(list->model, k))
            carom_channels_add(list, &quantities[k], 1, "energy", "", k, NULL);
}

/* Of the list those that are recorded. */
#define QUANTITIES(which, first, end) \
    {"energy", which, &quantities[CAROM_LEDGER_FIELD_##first], \
     CAROM_LEDGER_FIELD_##end - CAROM_LEDGER_FIELD_##first, NULL}

const carom_quantity_group carom_quantities_of_energy[] = {
    QUANTITIES("", kinetic, cutoff_loss),
    QUANTITIES("", dissipated_friction, switch_term),
    QUANTITIES("in models with `radii: segments`", switch_term, events),
    QUANTITIES("in models with events", events, work),
    QUANTITIES("", work, residual_fraction),
    {NULL, NULL, NULL, 0, NULL}};

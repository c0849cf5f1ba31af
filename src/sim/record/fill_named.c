/* Channels of what the user named: inputs, states, outputs, and how often events were taken. */
#include "sim/sim.h"

#define AT CAROM_AT_INTERVALS

static void input(carom_reading *r, int k, double *out)
{
    *out = carom_dynamics_input(r->d, r->s, k, r->d->time).value;
}
static void state(carom_reading *r, int k, double *out) { *out = r->s->states[k]; }
static void event(carom_reading *r, int k, double *out) { *out = r->s->event_fired[k]; }

/* Switches are set as they stand: what an output reads has no influence on the steps. */
static void output(carom_reading *r, int k, double *out)
{
    const carom_expr *expr = r->model->outputs[k].expr;
    if (r->measures_made != r->number)
        carom_dynamics_all_measures(r->d, r->s, r->d->time, r->measures);
    r->measures_made = r->number;
    carom_expr_set_switches(expr, r->d->time, r->measures, r->switches);
    *out = carom_expr_value(expr, r->d->time, r->measures, r->switches);
}

static const carom_quantity quantities[] = {
    {"", "-", "input", 1, 1, AT, input},
    {"", "-", "state", 1, 1, AT, state},
    {"", "-", "output", 1, 1, AT, output},
    {"", "-", "how often the actions of the event have been taken", 1, 1, AT, event},
};

static void add(carom_channel_list *list, const carom_quantity *quantity, const char *type, const char *name, int index,
                const char *unit, const char *description)
{
    carom_channels_add(list, quantity, 1, type, name, index, unit);
    if (list->items && description)
        list->items[list->count - 1].description = description;
}

void carom_channels_of_names(carom_channel_list *list)
{
    const carom_model *m = list->model;
    for (int k = 0; k < m->input_count; k++)
        add(list, &quantities[0], "input", m->inputs[k].name, k, m->inputs[k].unit, m->inputs[k].description);
    for (int k = 0; k < m->state_count; k++)
        add(list, &quantities[1], "state", m->states[k].name, k, m->states[k].unit, m->states[k].description);
    for (int k = 0; k < m->output_count; k++)
        add(list, &quantities[2], "output", m->outputs[k].name, k, m->outputs[k].unit, m->outputs[k].description);
    for (int k = 0; k < m->event_count; k++)
        add(list, &quantities[3], "event", m->events[k].name, k, NULL, NULL);
}

const carom_quantity_group carom_quantities_of_names[] = {
    {"input", "", &quantities[0], 1, "its own"},
    {"state", "", &quantities[1], 1, "its own"},
    {"output", "", &quantities[2], 1, "its own"},
    {"event", "", &quantities[3], 1, NULL},
    {NULL, NULL, NULL, 0, NULL}};

/* Channels of loads: forces, powers, stored energy, and length or effort where there is one. */
#include "sim/sim.h"

#define AT CAROM_AT_INTERVALS

static void force(carom_reading *r, int k, double *out)
{
    carom_put_vector(r, carom_dynamics_load_force(r->d, k), out);
}
static void torque(carom_reading *r, int k, double *out)
{
    carom_put_turn(r, carom_dynamics_load_torque(r->d, k), out);
}
static void power(carom_reading *r, int k, double *out) { *out = r->d->loads[k].work_power; }
static void loss(carom_reading *r, int k, double *out) { *out = r->d->loads[k].dissipation; }
static void work(carom_reading *r, int k, double *out) { *out = r->s->work_load[k]; }
static void lost(carom_reading *r, int k, double *out) { *out = r->s->work_load_damper[k]; }
static void stored(carom_reading *r, int k, double *out) { *out = r->d->loads[k].stored; }
static void pull(carom_reading *r, int k, double *out) { *out = carom_dynamics_load_pull(r->d, k); }
static void length(carom_reading *r, int k, double *out)
{
    double rate;
    carom_dynamics_load_line(r->d, k, out, &rate);
}
static void length_rate(carom_reading *r, int k, double *out)
{
    double now;
    carom_dynamics_load_line(r->d, k, &now, out);
}

static const carom_quantity quantities[] = {
    {"force", "N", "force on the second body, or on that of the one frame, world axes", 2, 3, AT, force},
    {"torque", "N m", "torque on that body about its frame, world axes", 1, 3, AT, torque},
    {"power", "W", "power that the load gives from outside", 1, 1, AT, power},
    {"loss", "W", "power lost in its damper", 1, 1, AT, loss},
    {"stored", "J", "energy in its spring", 1, 1, AT, stored},
    {"work", "J", "work that the load has given from outside since the start", 1, 1, AT, work},
    {"lost", "J", "work lost in its damper since the start", 1, 1, AT, lost},
};
static const carom_quantity of_line[] = {
    {"pull", "N", "force along the line between the frames, positive pulls them together", 1, 1, AT, pull},
    {"length", "m", "distance of the frames", 1, 1, AT, length},
    {"length_rate", "m/s", "rate of the distance", 1, 1, AT, length_rate},
};
/* States of loads; `k` counts those of all loads. */
static void state(carom_reading *r, int k, double *out) { *out = r->s->load_states[k]; }

static void add_states(carom_channel_list *list, const carom_compiled_load *l)
{
    for (int k = 0; k < l->state_count; k++) {
        const carom_load_state *s = &l->kind->states[k];
        carom_quantity *own = list->items ? carom_arena_alloc(list->arena, 1, sizeof *own) : NULL;
        const carom_quantity quantity = {s->name, s->unit, s->description, 1, 1, AT, state};
        if (list->items && !own)
            list->failed = true;
        if (own)
            *own = quantity;
        carom_channels_add(list, own ? own : &quantity, 1, "load", l->name, l->first_state + k, NULL);
    }
}

/* That of built-in loads. */
static const carom_quantity integral = {
    "integral", "", "integral of the difference of the coordinate", 1, 1, AT, state};

static const carom_quantity of_joint = {"effort", "",  "force or torque along the coordinate of the joint", 1, 1,
                                        AT,       pull};

void carom_channels_of_loads(carom_channel_list *list)
{
    const carom_model *m = list->model;
    for (int k = 0; k < m->load_count; k++) {
        const carom_compiled_load *l = &m->loads[k];
        carom_channels_add(list, quantities, CAROM_COUNT(quantities), "load", l->name, k, NULL);
        if (l->joint >= 0)
            carom_channels_add(list, &of_joint, 1, "load", l->name, k,
                               m->joints[l->joint].kind->coordinate_unit[0] == 'r' ? "N m" : "N");
        else if (l->frames == 2)
            carom_channels_add(list, of_line, CAROM_COUNT(of_line), "load", l->name, k, NULL);
        if (l->kind->outside)
            add_states(list, l);
        else if (l->state_count)
            carom_channels_add(list, &integral, 1, "load", l->name, l->first_state,
                               m->joints[l->joint].kind->coordinate_unit[0] == 'r' ? "rad s" : "m s");
    }
}

const carom_quantity_group carom_quantities_of_loads[] = {
    {"load", "", quantities, CAROM_COUNT(quantities), NULL},
    {"load", "of loads between two frames", of_line, CAROM_COUNT(of_line), NULL},
    {"load", "of loads on a joint", &of_joint, 1, "N or N m"},
    {"load", "of motors with an integral", &integral, 1, "m s or rad s"},
    {NULL, NULL, NULL, 0, NULL}};

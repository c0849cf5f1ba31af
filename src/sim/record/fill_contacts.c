/* Channels of contacts: forces, geometry, friction, and the sums of contact sets. */
#include "dynamics/contact/contact_set.h"
#include "sim/sim.h"

#include <math.h>

#define AT (CAROM_AT_INTERVALS | CAROM_AT_STEPS)
#define AT_OPEN (AT | CAROM_OF_CONTACTS)
#define DRAWN (CAROM_AT_SNAPSHOTS | CAROM_OF_CONTACTS)

static void force(carom_reading *r, int k, double *out) { *out = r->d->contacts[k].force; }
static void elastic(carom_reading *r, int k, double *out) { *out = r->d->contacts[k].elastic; }
static void damping(carom_reading *r, int k, double *out) { *out = r->d->contacts[k].damping; }

/* Contacts that are not open have no geometry in the workspace of a sample between steps: it is made here, once a
   reading. */
static const carom_contact_point *point_now(carom_reading *r, int k)
{
    if (r->s->located[k].open)
        return &r->d->contacts[k];
    if (r->point_made[k] != r->number)
        carom_contact_known_geometry(r->d->system, NULL, k, &r->d->pose[carom_contact_body(r->model, k, 0)],
                                     &r->d->pose[carom_contact_body(r->model, k, 1)], &r->points[k]);
    r->point_made[k] = r->number;
    return &r->points[k];
}
static void indentation(carom_reading *r, int k, double *out) { *out = -point_now(r, k)->gap; }
static void indentation_rate(carom_reading *r, int k, double *out) { *out = -point_now(r, k)->gap_rate; }

static const carom_quantity quantities[] = {
    {"force", "N", "normal force, positive repels", 1, 1, AT_OPEN, force},
    {"indentation", "m", "indentation, negative is the gap", 1, 1, AT_OPEN, indentation},
    {"indentation_rate", "m/s", "rate of the indentation, positive approaching", 1, 1, AT_OPEN, indentation_rate},
    {"elastic", "N", "elastic part of the normal force", 1, 1, AT_OPEN, elastic},
    {"damping", "N", "damping part of the normal force", 1, 1, AT_OPEN, damping},
};

/* Of pairs that solve for a common normal. */
static void residual(carom_reading *r, int k, double *out) { *out = point_now(r, k)->residual; }

static const carom_quantity normal_residual = {
    "residual", "-", "residual of the equations of the common normal", 1, 1, AT, residual};

/* Of contacts with friction. */
static void friction(carom_reading *r, int k, double *out) { carom_put_vector(r, r->d->contacts[k].friction, out); }
static void slip(carom_reading *r, int k, double *out) { carom_put_vector(r, point_now(r, k)->slip, out); }
static void friction_work(carom_reading *r, int k, double *out)
{
    *out = r->s->work_friction[r->model->contacts[k].friction_work];
}

static const carom_quantity frictions[] = {
    {"friction", "N", "friction force on the second body, world axes", 2, 3, AT, friction},
    {"slip", "m/s", "tangential velocity of the second body's surface against the first's, world axes", 2, 3, AT, slip},
    {"friction_work", "J", "work that friction has taken", 1, 1, AT, friction_work},
};

/* What draws a contact: also of contacts that are not open. */
static void point(carom_reading *r, int k, double *out) { carom_put_vector(r, point_now(r, k)->point, out); }
static void total_force(carom_reading *r, int k, double *out)
{
    const carom_contact_point *p = &r->d->contacts[k];
    carom_vec3 total = carom_v3(0, 0, 0);
    if (r->s->located[k].open)
        total = carom_v3_add_scaled(p->friction, p->force, p->normal);
    carom_put_vector(r, total, out);
}

static const carom_quantity drawn[] = {
    {"point", "m", "where the contact is, world axes", 2, 3, DRAWN, point},
    {"total_force", "N", "normal force and friction on the second body, world axes", 2, 3, DRAWN, total_force},
};

/* ---- contact sets ---- */

static void set_count(carom_reading *r, int k, double *out) { *out = r->d->sums[k].count; }
static void set_force(carom_reading *r, int k, double *out) { *out = r->d->sums[k].force; }
static void set_largest(carom_reading *r, int k, double *out) { *out = r->d->sums[k].largest; }
static void set_energy(carom_reading *r, int k, double *out) { *out = r->d->sums[k].energy; }
static void set_work(carom_reading *r, int k, double *out) { *out = r->s->work_set[k]; }
static void set_friction_work(carom_reading *r, int k, double *out)
{
    const int work = r->model->contact_sets[k].friction_work;
    *out = work >= 0 ? r->s->work_set_friction[work] : 0;
}

static const carom_quantity set_quantities[] = {
    {"count", "-", "places that bear, of which a pair of balls has one", 1, 1, CAROM_AT_INTERVALS, set_count},
    {"force", "N", "sum of the normal forces of all places", 1, 1, CAROM_AT_INTERVALS, set_force},
    {"largest_force", "N", "largest normal force of a place", 1, 1, CAROM_AT_INTERVALS, set_largest},
    {"energy", "J", "elastic energy of all pairs", 1, 1, CAROM_AT_INTERVALS, set_energy},
    {"damping_work", "J", "work lost in the damping parts and permanent indentations of all pairs", 1, 1,
     CAROM_AT_INTERVALS, set_work},
    {"friction_work", "J", "work that friction has taken", 1, 1, CAROM_AT_INTERVALS, set_friction_work},
};

/* The same of sets whose pairs are located each. */
static carom_set_sums sums_of(const carom_reading *r, int k)
{
    const carom_located_set *set = &r->model->located_sets[k];
    carom_set_sums sums = {0};
    for (int i = set->first; i < set->first + set->count; i++) {
        const carom_contact_point *p = &r->d->contacts[i];
        if (!r->s->located[i].open || p->less >= 1 || p->force == 0)
            continue;
        sums.count++;
        sums.force += p->force;
        sums.largest = fmax(sums.largest, p->force);
        sums.energy += p->energy;
    }
    return sums;
}
static void located_count(carom_reading *r, int k, double *out) { *out = sums_of(r, k).count; }
static void located_force(carom_reading *r, int k, double *out) { *out = sums_of(r, k).force; }
static void located_largest(carom_reading *r, int k, double *out) { *out = sums_of(r, k).largest; }
static void located_energy(carom_reading *r, int k, double *out) { *out = sums_of(r, k).energy; }
static void located_work(carom_reading *r, int k, double *out)
{
    const carom_located_set *set = &r->model->located_sets[k];
    *out = 0;
    for (int i = set->first; i < set->first + set->count; i++)
        *out += r->s->work_contact[i];
}
static void located_friction_work(carom_reading *r, int k, double *out)
{
    const carom_located_set *set = &r->model->located_sets[k];
    *out = 0;
    for (int i = set->first; i < set->first + set->count; i++)
        if (r->model->contacts[i].friction_work >= 0)
            *out += r->s->work_friction[r->model->contacts[i].friction_work];
}

static const carom_quantity located_quantities[] = {
    {"count", "-", "places that bear", 1, 1, CAROM_AT_INTERVALS | CAROM_OF_CONTACTS, located_count},
    {"force", "N", "sum of the normal forces of all places", 1, 1, CAROM_AT_INTERVALS | CAROM_OF_CONTACTS,
     located_force},
    {"largest_force", "N", "largest normal force of a place", 1, 1, CAROM_AT_INTERVALS | CAROM_OF_CONTACTS,
     located_largest},
    {"energy", "J", "elastic energy of all places", 1, 1, CAROM_AT_INTERVALS | CAROM_OF_CONTACTS, located_energy},
    {"damping_work", "J", "work lost in the damping parts and permanent indentations of all places", 1, 1,
     CAROM_AT_INTERVALS, located_work},
    {"friction_work", "J", "work that friction has taken", 1, 1, CAROM_AT_INTERVALS, located_friction_work},
};

/* Whether a contact is a place of a set. */
static bool is_of_set(const carom_model *m, int k)
{
    for (int s = 0; s < m->located_set_count; s++)
        if (k >= m->located_sets[s].first && k < m->located_sets[s].first + m->located_sets[s].count)
            return true;
    return false;
}

void carom_channels_of_contacts(carom_channel_list *list)
{
    const carom_model *m = list->model;
    for (int k = 0; k < m->contact_count; k++) {
        const carom_model_contact *c = &m->contacts[k];
        const size_t first = list->count;
        carom_channels_add(list, quantities, CAROM_COUNT(quantities), "contact", c->name, k, NULL);
        if (c->pair->varies)
            carom_channels_add(list, &normal_residual, 1, "contact", c->name, k, NULL);
        if (c->friction_work >= 0)
            carom_channels_add(list, frictions, CAROM_COUNT(frictions), "contact", c->name, k, NULL);
        carom_channels_add(list, drawn, CAROM_COUNT(drawn), "contact", c->name, k, NULL);
        for (size_t n = first; list->items && list->without_places && is_of_set(m, k) && n < list->count; n++)
            list->items[n].groups = 0;
    }
    for (int k = 0; k < m->located_set_count; k++)
        carom_channels_add(list, located_quantities, CAROM_COUNT(located_quantities), "contact",
                           m->located_sets[k].name, k, NULL);
    for (int k = 0; k < m->contact_set_count; k++)
        carom_channels_add(list, set_quantities, CAROM_COUNT(set_quantities), "contact", m->contact_sets[k].name, k,
                           NULL);
}

const carom_quantity_group carom_quantities_of_contacts[] = {
    {"contact", "", quantities, CAROM_COUNT(quantities), NULL},
    {"contact", "of contacts with a curve or a surface", &normal_residual, 1, NULL},
    {"contact", "of contacts with friction", frictions, CAROM_COUNT(frictions), NULL},
    {"contact", "", drawn, CAROM_COUNT(drawn), NULL},
    {"contact", "of contact sets", set_quantities, CAROM_COUNT(set_quantities), NULL},
    {NULL, NULL, NULL, 0, NULL}};

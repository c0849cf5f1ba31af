/* Deflections of friction that holds by them: those that make, at rest, the forces with which it was found to hold.
   The force of a law grows with the deflection against which it points; where that is not in proportion, the secant
   is taken again. */
#include "analysis/equilibrium/equilibrium.h"

#include <math.h>
#include <string.h>

/* The force is met to this share, and what more is left of laws that do not reach it; secants at most. */
#define MET 1e-14
#define MOST_SECANTS 50

/* A contact or a place of a joint. */
typedef struct rubbing {
    carom_balance *b;
    int contact, site;          /* -1: it is none */
    const carom_friction_kind *law;
    const double *constants;
    double *z;                  /* its states */
} rubbing;

/* Force at the states as they are; `rate`, may be NULL: of the states. */
static carom_vec3 force_of(const rubbing *of, double *rate)
{
    const carom_balance *b = of->b;
    if (of->contact >= 0)
        return carom_friction_with_state(b->m, b->s, of->contact, &b->d->contacts[of->contact], carom_v3(0, 0, 0),
                                         of->z, rate);
    double force[CAROM_FRICTION_SLIPS] = {0};
    carom_joint_friction_law(b->d, of->site, b->d->sites[of->site].normal, force, rate);
    return carom_v3_load(force);
}

/* The fourth number of the states stands still at rest: its rate is linear in it. */
static void settle_fourth(const rubbing *of)
{
    double rate[2][CAROM_FRICTION_STATE] = {{0}};
    for (int end = 0; of->law->state > 3 && end < 2; end++) {
        of->z[3] = end;
        force_of(of, rate[end]);
    }
    if (of->law->state > 3)
        of->z[3] = rate[0][3] != rate[1][3] ? rate[0][3] / (rate[0][3] - rate[1][3]) : 0;
}

static void store(double *z, double length, carom_vec3 along)
{
    z[0] = length * along.x;
    z[1] = length * along.y;
    z[2] = length * along.z;
}

static void deflect(const rubbing *of, carom_vec3 force, double depth)
{
    const double wanted = carom_v3_norm(force);
    memset(of->z, 0, (size_t)of->law->state * sizeof *of->z);
    settle_fourth(of);
    if (!(wanted > 0))
        return;
    const carom_vec3 along = carom_v3_scale(-1 / wanted, force);
    double length = CAROM_KIND_CALL(of->law, scale, of->constants, depth), before = 0, made = 0;
    double at = 1e-3 * length;
    for (int n = 0; n < MOST_SECANTS; n++) {
        store(of->z, at, along);
        const double now = -carom_v3_dot(force_of(of, NULL), along);
        if (!(fabs(now - wanted) > MET * wanted) || !(now != made))
            return;
        const double next = at + (wanted - now) * (at - before) / (now - made);
        before = at;
        made = now;
        at = next;
    }
}

void carom_balance_deflect(carom_balance *b)
{
    const carom_model *m = b->m;
    for (int k = 0; k < m->contact_count; k++) {
        const carom_model_contact *c = &m->contacts[k];
        if (c->friction_state < 0)
            continue;
        const rubbing of = {b, k, -1, c->friction, c->friction_constants, b->s->friction + c->friction_state};
        if (b->s->located[k].open)
            deflect(&of, b->d->contacts[k].friction, b->s->located[k].depth_scale);
        else
            memset(of.z, 0, (size_t)c->friction->state * sizeof *of.z);
    }
    for (int k = 0; k < m->site_count; k++) {
        const carom_model_friction *friction = &m->joints[m->sites[k].joint].friction;
        double held[CAROM_FRICTION_SLIPS] = {0};
        if (m->sites[k].state < 0)
            continue;
        const rubbing of = {b, -1, k, friction->law, friction->constants, b->s->friction + m->sites[k].state};
        memcpy(held, b->d->sites[k].friction, (size_t)m->sites[k].slip_count * sizeof *held);
        deflect(&of, carom_v3_load(held), 0);
    }
    carom_balance_hold(b, false);
}

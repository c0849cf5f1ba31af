/* Contact sets at one instant: geometry, force, wrench of the open episodes. */
#include "dynamics/contact/contact_set.h"

#include <math.h>
#include <string.h>

carom_status carom_sets_create(carom_context *ctx, const carom_model *m, carom_sets **out)
{
    *out = NULL;
    carom_sets *p = carom_allocate(ctx, 1, sizeof *p);
    if (!p)
        return carom_fail_memory(ctx);
    p->ctx = ctx;
    carom_status status = carom_broad_create(ctx, m, &p->broad);
    if (status != CAROM_OK) {
        carom_sets_free(p);
        return status;
    }
    *out = p;
    return CAROM_OK;
}

void carom_sets_free(carom_sets *p)
{
    if (!p)
        return;
    carom_broad_free(p->broad);
    carom_release(p->ctx, p->contacts, p->contact_capacity, sizeof *p->contacts);
    carom_release(p->ctx, p, 1, sizeof *p);
}

carom_status carom_sets_grow(carom_sets *p, carom_state *state, size_t episodes)
{
    CAROM_TRY(carom_grow(p->ctx, &p->contacts, &p->contact_capacity, episodes, sizeof *p->contacts));
    return carom_state_grow(state, episodes);
}

const carom_model_contact *carom_set_law(const carom_model *m, const carom_episode *e)
{
    const carom_contact_set *set = &m->contact_sets[e->set];
    return set->laws[m->members[e->i].group * set->group_count + m->members[e->j].group];
}

void carom_set_bind(carom_evaluation *d, const carom_state *s, size_t k, int candidate)
{
    const carom_model *m = d->model;
    const carom_episode *e = &s->episodes[k];
    const carom_set_member *i = &m->members[e->i], *j = &m->members[e->j];
    carom_set_contact *contact = &d->system->sets->contacts[k];
    contact->law = carom_set_law(m, e);
    contact->i = &m->shapes[i->shape];
    contact->j = &m->shapes[j->shape];
    contact->body_i = i->body;
    contact->body_j = j->body;
    contact->candidate = candidate;
}

void carom_set_force(carom_evaluation *d, const carom_state *s, size_t k)
{
    const carom_episode *e = &s->episodes[k];
    carom_set_contact *contact = &d->system->sets->contacts[k];
    const carom_model_contact *c = contact->law;
    const carom_contact_sides sides = {contact->i, contact->j, e->point, c->pair->varies ? e->parameter : NULL};
    carom_contact_point *p = &contact->point;
    carom_contact_geometry_of(c, &sides, &d->pose[contact->body_i], &d->pose[contact->body_j], p);
    p->friction = p->couple = carom_v3(0, 0, 0);
    p->friction_power = 0;
    if (p->gap >= 0) {
        p->elastic = p->damping = p->force = p->raw_force = p->energy = p->elastic_slope = p->loss = 0;
        return;
    }
    carom_episode_force(c, e, p);
    /* between two steps nothing tells when a law begins to pull: the force is zero wherever it would */
    if (c->law.tension != CAROM_TENSION_ALLOW && p->force < 0) {
        p->damping = -p->elastic;
        p->force = 0;
    }
}

void carom_set_friction(carom_evaluation *d, size_t k, double h, double *z)
{
    carom_set_contact *contact = &d->system->sets->contacts[k];
    if (contact->law->friction_work >= 0)
        carom_friction_over(contact->law, &d->pose[contact->body_i], &d->pose[contact->body_j], h, z, &contact->point);
}

/* Adds the force on j at the contact point and its opposite on i, and both couples. */
static void add_wrenches(carom_evaluation *d, int body_i, int body_j, bool friction, const carom_contact_point *p)
{
    carom_wrench *wi = &d->wrench[body_i], *wj = &d->wrench[body_j];
    carom_vec3 force = carom_v3_scale(p->force, p->normal);
    if (friction) {
        force = carom_v3_add(force, p->friction);
        wj->torque = carom_v3_add(wj->torque, p->couple);
        wi->torque = carom_v3_sub(wi->torque, p->couple);
    }
    wj->force = carom_v3_add(wj->force, force);
    wj->torque = carom_v3_add(wj->torque, carom_v3_cross(p->arm_j, force));
    wi->force = carom_v3_sub(wi->force, force);
    wi->torque = carom_v3_sub(wi->torque, carom_v3_cross(p->arm_i, force));
}

/* Adds the part of a contact that acts on the body, about its centre of mass. */
static void add_share(carom_wrench *w, int body, int body_i, int body_j, bool friction, const carom_contact_point *p)
{
    const double sign = body == body_j ? 1 : -1;
    if (body != body_i && body != body_j)
        return;
    carom_vec3 force = carom_v3_scale(p->force, p->normal);
    if (friction) {
        force = carom_v3_add(force, p->friction);
        w->torque = carom_v3_add_scaled(w->torque, sign, p->couple);
    }
    w->force = carom_v3_add_scaled(w->force, sign, force);
    w->torque =
        carom_v3_add_scaled(w->torque, sign, carom_v3_cross(body == body_j ? p->arm_j : p->arm_i, force));
}

carom_wrench carom_dynamics_contact_wrench(const carom_evaluation *d, const carom_state *s, int body)
{
    const carom_model *m = d->model;
    carom_wrench w = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < m->contact_count; k++)
        if (s->located[k].open)
            add_share(&w, body, m->contacts[k].body_i, m->contacts[k].body_j, m->contacts[k].friction_work >= 0,
                      &d->contacts[k]);
    for (size_t k = 0; k < s->episode_count; k++) {
        const carom_set_contact *contact = &d->system->sets->contacts[k];
        if (contact->point.gap < 0)
            add_share(&w, body, contact->body_i, contact->body_j, contact->law->friction_work >= 0, &contact->point);
    }
    return w;
}

void carom_sets_evaluate(carom_evaluation *d, const carom_state *s)
{
    for (size_t k = 0; k < s->episode_count; k++) {
        double z[CAROM_FRICTION_STATE];
        memcpy(z, s->episodes[k].friction, sizeof z);
        carom_set_force(d, s, k);
        carom_set_friction(d, k, 0, z);
    }
}

void carom_dynamics_sets(carom_evaluation *d, const carom_state *s)
{
    memset(d->sums, 0, (size_t)d->model->contact_set_count * sizeof *d->sums);
    for (size_t k = 0; k < s->episode_count; k++) {
        const carom_episode *e = &s->episodes[k];
        const carom_set_contact *contact = &d->system->sets->contacts[k];
        const carom_contact_point *p = &contact->point;
        carom_set_sums *sums = &d->sums[e->set];
        sums->count++;
        if (p->gap >= 0)
            continue;
        add_wrenches(d, contact->body_i, contact->body_j, contact->law->friction_work >= 0, p);
        sums->force += p->force;
        sums->largest = fmax(sums->largest, p->force);
        sums->energy += p->energy;
        sums->loss_power -= (p->damping + p->loss) * p->gap_rate;
        sums->friction_power += p->friction_power;
    }
}

/* Contacts with located events at one instant: force, friction and wrench of all open episodes. */
#include "dynamics/dynamics.h"

#include <math.h>

static void clear_forces(carom_contact_point *p)
{
    p->elastic = p->damping = p->force = p->raw_force = p->energy = p->loss = p->friction_power = 0;
    p->friction = p->couple = carom_v3(0, 0, 0);
}

/* Of rigid contacts: the force that the impulse of the last step was, over that step. */
static void held_force(carom_evaluation *d, const carom_state *s, int k)
{
    carom_contact_point *point = &d->contacts[k];
    const carom_vec3 force = s->located[k].pressed;
    clear_forces(point);
    if (d->system->contact_forces == CAROM_NO_FORCES || isnan(force.x))
        return;
    point->force = point->raw_force = carom_v3_dot(force, point->normal);
    if (d->model->contacts[k].friction_work >= 0)
        point->friction = carom_v3_add_scaled(force, -point->force, point->normal);
    carom_contact_add_force(d, k, force);
}

void carom_dynamics_contacts(carom_evaluation *d, const carom_state *s, const double *friction)
{
    const carom_model *m = d->model;
    const carom_system *sys = d->system;
    for (int n = 0; n < d->forced_count; n++) {
        carom_contact_point *former = &d->contacts[d->forced[n]];
        if (s->located[d->forced[n]].open)
            continue;
        clear_forces(former);
        former->spare = 1;
    }
    d->forced_count = 0;
    for (int n = 0; n < sys->touching_count; n++) {
        const int k = sys->touching[n];
        const carom_model_contact *c = &m->contacts[k];
        carom_contact_point *point = &d->contacts[k];
        if (!s->located[k].open)
            continue;
        d->forced[d->forced_count++] = k;
        const carom_body_pose *pose_i = &d->pose[c->body_i], *pose_j = &d->pose[c->body_j];
        carom_contact_known_geometry(d->system, s, k, pose_i, pose_j, point);
        if (d->system->contact_forces != CAROM_FORCES_OF_LAWS) {
            held_force(d, s, k);
            for (int i = 0; c->friction_state >= 0 && i < c->friction->state; i++)
                d->friction_rate[c->friction_state + i] = 0;
            continue;
        }
        carom_episode_force(c, &s->located[k], point);
        carom_vec3 force = carom_v3_scale(point->force, point->normal);
        if (c->friction_work >= 0) {
            bool state = c->friction_state >= 0;
            carom_friction_at(m, s, k, pose_i, pose_j, state ? friction + c->friction_state : NULL, point,
                              state ? d->friction_rate + c->friction_state : NULL);
            force = carom_v3_add(force, point->friction);
            d->wrench[c->body_j].torque = carom_v3_add(d->wrench[c->body_j].torque, point->couple);
            d->wrench[c->body_i].torque = carom_v3_sub(d->wrench[c->body_i].torque, point->couple);
        }
        carom_contact_add_force(d, k, force);
    }
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
    for (int n = 0; n < d->system->touching_count; n++) {
        const int k = d->system->touching[n];
        if (s->located[k].open)
            add_share(&w, body, m->contacts[k].body_i, m->contacts[k].body_j, m->contacts[k].friction_work >= 0,
                      &d->contacts[k]);
    }
    if (d->set_wrench) {
        w.force = carom_v3_add(w.force, d->set_wrench[body].force);
        w.torque = carom_v3_add(w.torque, d->set_wrench[body].torque);
    }
    return w;
}

carom_wrench carom_dynamics_clearance_reaction(const carom_evaluation *d, const carom_state *s, int joint)
{
    const carom_model *m = d->model;
    const carom_model_joint *j = &m->joints[joint];
    carom_wrench w = {{0, 0, 0}, {0, 0, 0}};
    carom_frame_pose f = carom_dynamics_frame_pose(&d->pose[j->j.body], &j->j, m->dimension);
    for (int k = j->clearance.first_contact; k < j->clearance.first_contact + j->clearance.contact_count; k++) {
        if (!s->located[k].open)
            continue;
        const carom_contact_point *p = &d->contacts[k];
        const carom_vec3 force = carom_v3_add_scaled(p->friction, p->force, p->normal);
        w.force = carom_v3_add(w.force, force);
        w.torque =
            carom_v3_add(w.torque, carom_v3_add(p->couple, carom_v3_cross(carom_v3_sub(p->arm_j, f.arm), force)));
    }
    return w;
}

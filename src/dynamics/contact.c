/* Contacts at one instant: geometry, force, wrench. */
#include "dynamics/dynamics.h"

#include <math.h>

int carom_contact_body(const carom_model *m, int contact, int side)
{
    return side ? m->contacts[contact].body_j : m->contacts[contact].body_i;
}

/* Pose of a shape; returns its origin from the body's centre of mass. */
static carom_vec3 shape_pose(const carom_model_shape *shape, const carom_body_pose *body, carom_shape_pose *out)
{
    carom_vec3 offset = shape->centred ? carom_v3(0, 0, 0) : carom_m3_apply(&body->axes, shape->at);
    out->p = shape->p;
    out->origin = carom_v3_add(body->p, offset);
    if (shape->kind->has_axes)
        out->axes = shape->parallel ? body->axes : carom_m3_multiply(&body->axes, &shape->axes);
    return offset;
}

/* Velocity of the body's material. */
static carom_vec3 velocity_at(const carom_body_pose *body, carom_vec3 arm)
{
    return carom_v3_add(body->v, carom_v3_cross(body->w, arm));
}

void carom_contact_geometry_at(const carom_model *m, int contact, const carom_body_pose *pose_i,
                               const carom_body_pose *pose_j, carom_contact_point *out)
{
    const carom_model_contact *c = &m->contacts[contact];
    carom_shape_pose i, j;
    carom_pair_point pair;
    carom_vec3 offset_i = shape_pose(&m->shapes[c->shape_i], pose_i, &i);
    carom_vec3 offset_j = shape_pose(&m->shapes[c->shape_j], pose_j, &j);
    c->pair->gap(c->swapped ? &j : &i, c->swapped ? &i : &j, &pair);
    out->gap = pair.gap;
    out->normal = c->swapped ? carom_v3_neg(pair.normal) : pair.normal;
    out->point = pair.point;
    out->arm_i = carom_v3_add(c->swapped ? pair.from_j : pair.from_i, offset_i);
    out->arm_j = carom_v3_add(c->swapped ? pair.from_i : pair.from_j, offset_j);
    carom_vec3 vi = velocity_at(pose_i, out->arm_i), vj = velocity_at(pose_j, out->arm_j);
    out->gap_rate = carom_v3_dot(out->normal, carom_v3_sub(vj, vi));
}

void carom_contact_force_at(const carom_model *m, const carom_state *s, int contact, carom_contact_point *out)
{
    const carom_model_contact *c = &m->contacts[contact];
    /* Beyond the release, in the part of a step that is thrown away, the law is continued as an odd function: an integrator
       meets no kink before the root is located. */
    double delta = fabs(out->gap), side = out->gap <= 0 ? 1 : -1;
    carom_elastic_force elastic;
    c->elastic->force(c->elastic_constants, NULL, delta, &elastic);
    carom_damping_input in = {.delta = delta,
                              .rate = -out->gap_rate,
                              .elastic = elastic.force,
                              .elastic_slope = elastic.slope,
                              .v0 = s->contact_v0[contact],
                              .mass = s->contact_mass[contact],
                              .stiffness = c->stiffness,
                              .exponent = c->exponent};
    carom_damping_force damping;
    c->damping->force(c->damping_constants, &in, &damping);
    out->energy = elastic.energy;
    out->raw_force = elastic.force + damping.force;
    bool zero = c->release == CAROM_RELEASE_LATCH_OPEN && s->contact_latched[contact];
    if (zero || (c->release != CAROM_RELEASE_RAW && out->raw_force < 0))
        damping.force = -elastic.force;
    out->elastic = side * elastic.force;
    out->damping = side * damping.force;
    out->raw_force *= side;
    out->force = out->elastic + out->damping;
}

void carom_dynamics_contacts(carom_dynamics *d, const carom_state *s)
{
    const carom_model *m = d->model;
    for (int k = 0; k < m->contact_count; k++) {
        if (!s->contact_open[k])
            continue;
        int bi = m->contacts[k].body_i, bj = m->contacts[k].body_j;
        carom_contact_point *point = &d->contacts[k];
        carom_contact_geometry_at(m, k, &d->pose[bi], &d->pose[bj], point);
        carom_contact_force_at(m, s, k, point);
        carom_vec3 force = carom_v3_scale(point->force, point->normal);
        carom_wrench *wi = &d->wrench[bi], *wj = &d->wrench[bj];
        wj->force = carom_v3_add(wj->force, force);
        wj->torque = carom_v3_add(wj->torque, carom_v3_cross(point->arm_j, force));
        wi->force = carom_v3_sub(wi->force, force);
        wi->torque = carom_v3_sub(wi->torque, carom_v3_cross(point->arm_i, force));
    }
}

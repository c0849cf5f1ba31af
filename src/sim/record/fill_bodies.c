/* Channels of bodies: motion of the centre of mass and of the axes. */
#include "dynamics/formulation/formulation.h"
#include "sim/record/channels.h"

static void position(carom_reading *r, int k, double *out) { carom_put_vector(r, r->d->pose[k + 1].p, out); }
static void velocity(carom_reading *r, int k, double *out) { carom_put_vector(r, r->d->pose[k + 1].v, out); }
static void acceleration(carom_reading *r, int k, double *out)
{
    carom_put_vector(r, r->s->formulation->body_acceleration(r->d, k + 1).linear, out);
}
static void angle(carom_reading *r, int k, double *out) { *out = r->d->pose[k + 1].angle; }
static void orientation(carom_reading *r, int k, double *out)
{
    /* from the axes, so that interpolated states give unit quaternions; w > 0 */
    const carom_quat q = carom_quat_from_axes(&r->d->pose[k + 1].axes);
    out[0] = q.w;
    out[1] = q.x;
    out[2] = q.y;
    out[3] = q.z;
}
static void angular_velocity(carom_reading *r, int k, double *out) { carom_put_turn(r, r->d->pose[k + 1].w, out); }
static void angular_acceleration(carom_reading *r, int k, double *out)
{
    carom_put_turn(r, r->s->formulation->body_acceleration(r->d, k + 1).angular, out);
}

#define AT CAROM_AT_INTERVALS
#define DRAWN (CAROM_AT_INTERVALS | CAROM_AT_SNAPSHOTS)
static const carom_quantity quantities[] = {
    {"position", "m", "position of the centre of mass, world axes", 2, 3, DRAWN | CAROM_OF_POSES, position},
    {"velocity", "m/s", "velocity of the centre of mass, world axes", 2, 3, AT | CAROM_OF_POSES, velocity},
    {"acceleration", "m/s^2", "acceleration of the centre of mass, world axes", 2, 3, AT, acceleration},
    {"angle", "rad", "angle about z, unwrapped", 1, 0, DRAWN | CAROM_OF_POSES, angle},
    {"orientation", "-", "unit quaternion, body to world, w >= 0", 0, 4, DRAWN | CAROM_OF_POSES, orientation},
    {"angular_velocity", "rad/s", "angular velocity, world axes", 1, 3, AT | CAROM_OF_POSES, angular_velocity},
    {"angular_acceleration", "rad/s^2", "angular acceleration, world axes", 1, 3, AT, angular_acceleration},
};

/* Of models with contacts: read when they are asked for, recorded where a run names them. */
static void contact_force(carom_reading *r, int k, double *out)
{
    carom_put_vector(r, carom_dynamics_contact_wrench(r->d, r->s, k + 1).force, out);
}
static void contact_torque(carom_reading *r, int k, double *out)
{
    carom_put_turn(r, carom_dynamics_contact_wrench(r->d, r->s, k + 1).torque, out);
}
static const carom_quantity contacts[] = {
    {"contact_force", "N", "sum of the contact forces on it, friction included, world axes", 2, 3, 0, contact_force},
    {"contact_torque", "N m", "their torque about the centre of mass, world axes", 1, 3, 0, contact_torque},
};

void carom_channels_of_bodies(carom_channel_list *list)
{
    const carom_model *m = list->model;
    const bool touches = m->contact_count || m->contact_set_count;
    for (int k = 0; k < m->body_count; k++) {
        carom_channels_add(list, quantities, CAROM_COUNT(quantities), "body", m->bodies[k + 1].name, k, NULL);
        if (touches)
            carom_channels_add(list, contacts, CAROM_COUNT(contacts), "body", m->bodies[k + 1].name, k, NULL);
    }
}

const carom_quantity_group carom_quantities_of_bodies[] = {
    {"body", "", quantities, CAROM_COUNT(quantities), NULL},
    {"body", "of models with contacts", contacts, CAROM_COUNT(contacts), NULL},
    {NULL, NULL, NULL, 0, NULL}};

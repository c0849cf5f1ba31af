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
    {"position", "m", "position of the centre of mass, world axes", 2, 3, DRAWN, position},
    {"velocity", "m/s", "velocity of the centre of mass, world axes", 2, 3, AT, velocity},
    {"acceleration", "m/s^2", "acceleration of the centre of mass, world axes", 2, 3, AT, acceleration},
    {"angle", "rad", "angle about z, unwrapped", 1, 0, DRAWN, angle},
    {"orientation", "-", "unit quaternion, body to world", 0, 4, DRAWN, orientation},
    {"angular_velocity", "rad/s", "angular velocity, world axes", 1, 3, AT, angular_velocity},
    {"angular_acceleration", "rad/s^2", "angular acceleration, world axes", 1, 3, AT, angular_acceleration},
};

void carom_channels_of_bodies(carom_channel_list *list)
{
    for (int k = 0; k < list->model->body_count; k++)
        carom_channels_add(list, quantities, CAROM_COUNT(quantities), "body", list->model->bodies[k + 1].name, k, NULL);
}

const carom_quantity_group carom_quantities_of_bodies[] = {
    {"body", "", quantities, CAROM_COUNT(quantities), NULL},
    {NULL, NULL, NULL, 0, NULL}};

/* Channels of the frames of bodies: read when they are asked for, recorded where a run names them. */
#include "sim/sim.h"

static carom_frame_pose pose_of(const carom_reading *r, int k)
{
    const carom_marker *marker = &r->model->frames[k].marker;
    return carom_dynamics_frame_pose(&r->d->pose[marker->body], marker, r->model->dimension);
}
static void position(carom_reading *r, int k, double *out) { carom_put_vector(r, pose_of(r, k).p, out); }
static void velocity(carom_reading *r, int k, double *out) { carom_put_vector(r, pose_of(r, k).v, out); }

/* a + alpha x r + w x (w x r) */
static void acceleration(carom_reading *r, int k, double *out)
{
    const carom_frame_pose f = pose_of(r, k);
    const carom_body_acceleration a = r->s->formulation->body_acceleration(r->d, r->model->frames[k].marker.body);
    carom_put_vector(r, carom_v3_add(carom_v3_add(a.linear, carom_v3_cross(a.angular, f.arm)), f.centripetal), out);
}

static const carom_quantity quantities[] = {
    {"position", "m", "origin of the frame, world axes", 2, 3, 0, position},
    {"velocity", "m/s", "velocity of the origin, world axes", 2, 3, 0, velocity},
    {"acceleration", "m/s^2", "acceleration of the origin, world axes", 2, 3, 0, acceleration},
};

void carom_channels_of_frames(carom_channel_list *list)
{
    for (int k = 0; k < list->model->frame_count; k++)
        carom_channels_add(list, quantities, CAROM_COUNT(quantities), "frame", list->model->frames[k].name, k, NULL);
}

const carom_quantity_group carom_quantities_of_frames[] = {
    {"frame", "", quantities, CAROM_COUNT(quantities), NULL},
    {NULL, NULL, NULL, 0, NULL}};

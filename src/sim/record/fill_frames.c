/* Channels of the frames of bodies: read when they are asked for, recorded where a run names them. */
#include "sim/sim.h"

#include <string.h>

static carom_frame_pose pose_of(const carom_reading *r, int k)
{
    const carom_marker *marker = &r->model->frames[k].marker;
    return carom_dynamics_frame_pose(&r->d->pose[marker->body], marker, r->model->dimension);
}
static void position(carom_reading *r, int k, double *out) { carom_put_vector(r, pose_of(r, k).p, out); }
static void velocity(carom_reading *r, int k, double *out) { carom_put_vector(r, pose_of(r, k).v, out); }

static carom_vec3 acceleration_of(const carom_reading *r, int k, const carom_frame_pose *f)
{
    return carom_dynamics_frame_acceleration(r->d, r->model->frames[k].marker.body, f);
}
static void acceleration(carom_reading *r, int k, double *out)
{
    const carom_frame_pose f = pose_of(r, k);
    carom_put_vector(r, acceleration_of(r, k, &f), out);
}
static void angle(carom_reading *r, int k, double *out)
{
    const carom_marker *marker = &r->model->frames[k].marker;
    *out = r->d->pose[marker->body].angle + marker->angle;
}
static void orientation(carom_reading *r, int k, double *out)
{
    const carom_frame_pose f = pose_of(r, k);
    const carom_quat q = carom_quat_from_axes(&f.axes);
    const double numbers[4] = {q.w, q.x, q.y, q.z};
    memcpy(out, numbers, sizeof numbers);
}
static void angular_velocity(carom_reading *r, int k, double *out) { carom_put_turn(r, pose_of(r, k).w, out); }

/* ---- sensors on the frame: in its axes ---- */

static void own_velocity(carom_reading *r, int k, double *out)
{
    const carom_frame_pose f = pose_of(r, k);
    carom_put_vector(r, carom_m3_apply_t(&f.axes, f.v), out);
}
static void gyroscope(carom_reading *r, int k, double *out)
{
    const carom_frame_pose f = pose_of(r, k);
    carom_put_turn(r, carom_m3_apply_t(&f.axes, f.w), out);
}
/* What a mass on a spring shows: the acceleration less gravity. */
static void accelerometer(carom_reading *r, int k, double *out)
{
    const carom_frame_pose f = pose_of(r, k);
    carom_put_vector(r, carom_m3_apply_t(&f.axes, carom_v3_sub(acceleration_of(r, k, &f), r->model->gravity)), out);
}

static const carom_quantity quantities[] = {
    {"position", "m", "origin of the frame, world axes", 2, 3, 0, position},
    {"velocity", "m/s", "velocity of the origin, world axes", 2, 3, 0, velocity},
    {"acceleration", "m/s^2", "acceleration of the origin, world axes", 2, 3, 0, acceleration},
    {"angle", "rad", "angle about z, unwrapped", 1, 0, 0, angle},
    {"orientation", "-", "unit quaternion, frame to world", 0, 4, 0, orientation},
    {"angular_velocity", "rad/s", "angular velocity, world axes", 1, 3, 0, angular_velocity},
    {"own_velocity", "m/s", "velocity of the origin, in the frame's axes", 2, 3, 0, own_velocity},
    {"gyroscope", "rad/s", "angular velocity, in the frame's axes", 1, 3, 0, gyroscope},
    {"accelerometer", "m/s^2", "acceleration of the origin less that of gravity, in the frame's axes", 2, 3, 0,
     accelerometer},
};

void carom_channels_of_frames(carom_channel_list *list)
{
    for (int k = 0; k < list->model->frame_count; k++)
        carom_channels_add(list, quantities, CAROM_COUNT(quantities), "frame", list->model->frames[k].name, k, NULL);
}

const carom_quantity_group carom_quantities_of_frames[] = {
    {"frame", "", quantities, CAROM_COUNT(quantities), NULL},
    {NULL, NULL, NULL, 0, NULL}};

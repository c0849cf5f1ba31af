/* Coordinates of the cartesian formulation: x, y and angle of a body in the plane, centre of mass and unit quaternion
   in space; their rates, poses, and what moves or compares them. */
#include "base/team.h"
#include "dynamics/dynamics.h"
#include "dynamics/formulation/cartesian.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <string.h>

carom_layout carom_cartesian_layout(const carom_model *m)
{
    return (carom_layout){m->body_count * carom_cartesian_positions(m), m->body_count * carom_cartesian_velocities(m)};
}

static void pose_body(const carom_model *m, int body, const double *q, const double *v, carom_body_pose *pose)
{
    const double *x = q + (body - 1) * carom_cartesian_positions(m);
    const double *u = v + (body - 1) * carom_cartesian_velocities(m);
    if (m->dimension == 2) {
        double c = cos(x[2]), s = sin(x[2]);
        pose->axes = (carom_mat3){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
        pose->p = carom_v3(x[0], x[1], 0);
        pose->v = carom_v3(u[0], u[1], 0);
        pose->w = carom_v3(0, 0, u[2]);
        pose->angle = x[2];
        return;
    }
    pose->axes = carom_quat_matrix((carom_quat){x[3], x[4], x[5], x[6]});
    pose->p = carom_v3_load(x);
    pose->v = carom_v3_load(u);
    pose->w = carom_v3_load(u + 3);
    pose->angle = 0;
}

carom_body_pose carom_cartesian_body_pose(const carom_model *m, int body, const double *q, const double *v)
{
    carom_body_pose pose;
    if (body == 0)
        return (carom_body_pose){.axes = carom_m3_identity()};
    pose_body(m, body, q, v, &pose);
    return pose;
}

void carom_cartesian_pose_of(carom_evaluation *d, int first, int end, const double *q, const double *v)
{
    for (int body = first + 1; body <= end; body++)
        pose_body(d->model, body, q, v, &d->pose[body]);
}

typedef struct pose_task {
    carom_evaluation *d;
    const double *q, *v;
} pose_task;

static void pose_some(void *user, int first, int end)
{
    const pose_task *task = user;
    carom_cartesian_pose_of(task->d, first, end, task->q, task->v);
}

void carom_cartesian_pose_all(carom_evaluation *d, const double *q, const double *v)
{
    pose_task task = {d, q, v};
    carom_team_share(d->system->threads, d->model->body_count, pose_some, &task);
}

void carom_cartesian_normalise_of(const carom_model *m, int first, int end, double *q)
{
    for (int body = first; body < end && m->dimension == 3; body++) {
        double *x = q + body * carom_cartesian_positions(m) + 3;
        const carom_quat unit = carom_quat_normalise((carom_quat){x[0], x[1], x[2], x[3]});
        x[0] = unit.w;
        x[1] = unit.x;
        x[2] = unit.y;
        x[3] = unit.z;
    }
}

void carom_cartesian_normalise(const carom_model *m, double *q)
{
    carom_cartesian_normalise_of(m, 0, m->body_count, q);
}

void carom_cartesian_twist_of(carom_evaluation *d, int first, int end, const double *v)
{
    const carom_model *m = d->model;
    const bool planar = m->dimension == 2;
    for (int body = first + 1; body <= end; body++) {
        const double *u = v + (body - 1) * carom_cartesian_velocities(m);
        d->pose[body].v = carom_v3(u[0], u[1], planar ? 0 : u[2]);
        d->pose[body].w = planar ? carom_v3(0, 0, u[2]) : carom_v3_load(u + 3);
    }
}

void carom_cartesian_twist(carom_evaluation *d, const double *v)
{
    carom_cartesian_twist_of(d, 0, d->model->body_count, v);
}

void carom_cartesian_position_rate_of(const carom_model *m, int first, int end, const double *q, const double *v,
                                      double *rate)
{
    if (m->dimension == 2) {
        memcpy(rate + 3 * first, v + 3 * first, (size_t)(end - first) * 3 * sizeof *rate);
        return;
    }
    for (int body = first; body < end; body++) {
        const double *x = q + body * carom_cartesian_positions(m) + 3, *u = v + body * carom_cartesian_velocities(m);
        double *r = rate + body * carom_cartesian_positions(m);
        r[0] = u[0];
        r[1] = u[1];
        r[2] = u[2];
        carom_quat turn = carom_quat_rate((carom_quat){x[0], x[1], x[2], x[3]}, carom_v3_load(u + 3));
        r[3] = turn.w;
        r[4] = turn.x;
        r[5] = turn.y;
        r[6] = turn.z;
    }
}

void carom_cartesian_position_rate(const carom_model *m, const double *q, const double *v, double *rate)
{
    carom_cartesian_position_rate_of(m, 0, m->body_count, q, v, rate);
}

void carom_cartesian_retract(const carom_model *m, const double *step, double *q)
{
    for (int body = 0; body < m->body_count; body++) {
        double *x = q + body * carom_cartesian_positions(m);
        const double *u = step + body * carom_cartesian_velocities(m);
        for (int k = 0; k < 3; k++)
            x[k] += u[k];
        if (m->dimension == 2)
            continue;
        carom_quat turn = carom_quat_from_rotation(carom_v3_load(u + 3));
        carom_quat now = carom_quat_normalise(carom_quat_multiply(turn, (carom_quat){x[3], x[4], x[5], x[6]}));
        x[3] = now.w;
        x[4] = now.x;
        x[5] = now.y;
        x[6] = now.z;
    }
}

void carom_cartesian_difference(const carom_model *m, const double *from, const double *to, double *step)
{
    for (int body = 0; body < m->body_count; body++) {
        const double *a = from + body * carom_cartesian_positions(m), *b = to + body * carom_cartesian_positions(m);
        double *u = step + body * carom_cartesian_velocities(m);
        for (int k = 0; k < 3; k++)
            u[k] = b[k] - a[k];
        if (m->dimension == 2)
            continue;
        const carom_quat back = {a[3], -a[4], -a[5], -a[6]};
        const carom_quat turn = carom_quat_multiply((carom_quat){b[3], b[4], b[5], b[6]}, back);
        const carom_vec3 rotation = carom_quat_rotation(carom_quat_normalise(turn));
        u[3] = rotation.x;
        u[4] = rotation.y;
        u[5] = rotation.z;
    }
}

int carom_cartesian_body_place(const carom_model *m, int body, bool velocity, bool angular)
{
    const int size = velocity ? carom_cartesian_velocities(m) : carom_cartesian_positions(m);
    return body * size + (angular ? m->dimension : 0);
}

void carom_cartesian_get_body(const carom_model *m, int body, const double *q0, const double *v0, carom_body_state *out)
{
    const double *q = q0 + body * carom_cartesian_positions(m), *v = v0 + body * carom_cartesian_velocities(m);
    *out = (carom_body_state){.position = {q[0], q[1], 0}, .velocity = {v[0], v[1], 0}, .orientation = {1, 0, 0, 0}};
    if (m->dimension == 2) {
        out->angle = q[2];
        out->angular_velocity[2] = v[2];
        out->orientation[0] = cos(0.5 * q[2]);
        out->orientation[3] = sin(0.5 * q[2]);
        return;
    }
    carom_quat n = carom_quat_normalise((carom_quat){q[3], q[4], q[5], q[6]});
    const double orientation[4] = {n.w, n.x, n.y, n.z};
    memcpy(out->orientation, orientation, sizeof orientation);
    out->position[2] = q[2];
    out->velocity[2] = v[2];
    memcpy(out->angular_velocity, v + 3, 3 * sizeof(double));
}

void carom_cartesian_put_body(const carom_model *m, int body, const carom_body_state *at, double *q0)
{
    double *q = q0 + body * carom_cartesian_positions(m);
    memcpy(q, at->position, (size_t)m->dimension * sizeof *q);
    if (m->dimension == 2)
        q[2] = at->angle;
    else
        memcpy(q + 3, at->orientation, sizeof at->orientation);
}

void carom_cartesian_move_body(const carom_model *m, int body, const carom_body_state *at, double *v0)
{
    double *v = v0 + body * carom_cartesian_velocities(m);
    memcpy(v, at->velocity, (size_t)m->dimension * sizeof *v);
    if (m->dimension == 2)
        v[2] = at->angular_velocity[2];
    else
        memcpy(v + 3, at->angular_velocity, sizeof at->angular_velocity);
}

void carom_cartesian_tolerate(const carom_model *m, int body, const carom_body_bounds *bounds, double *q0, double *v0)
{
    double *q = q0 + body * carom_cartesian_positions(m), *v = v0 + body * carom_cartesian_velocities(m);
    for (int k = 0; k < carom_cartesian_positions(m); k++)
        q[k] = fmin(q[k], k < m->dimension ? bounds->length : bounds->angle);
    for (int k = 0; k < carom_cartesian_velocities(m); k++)
        v[k] = fmin(v[k], k < m->dimension ? bounds->speed : bounds->spin);
}

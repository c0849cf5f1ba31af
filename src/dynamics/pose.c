/* Positions and velocities to world poses and twists. */
#include "dynamics/dynamics.h"

#include <math.h>

static void body_pose(const carom_model *m, int body, const double *q, const double *v, carom_body_pose *pose)
{
    const double *x = q + (body - 1) * m->q_per_body, *u = v + (body - 1) * m->v_per_body;
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

carom_body_pose carom_dynamics_body_pose(const carom_model *m, int body, const double *q, const double *v)
{
    carom_body_pose pose;
    if (body == 0)
        return (carom_body_pose){.axes = carom_m3_identity()};
    body_pose(m, body, q, v, &pose);
    return pose;
}

void carom_dynamics_pose(carom_evaluation *d, const double *q, const double *v)
{
    for (int body = 1; body <= d->model->body_count; body++)
        body_pose(d->model, body, q, v, &d->pose[body]);
}

void carom_dynamics_normalise(const carom_model *m, double *q)
{
    for (int body = 0; body < m->body_count && m->dimension == 3; body++) {
        double *x = q + body * m->q_per_body + 3;
        const carom_quat unit = carom_quat_normalise((carom_quat){x[0], x[1], x[2], x[3]});
        x[0] = unit.w;
        x[1] = unit.x;
        x[2] = unit.y;
        x[3] = unit.z;
    }
}

void carom_dynamics_twist(carom_evaluation *d, const double *v)
{
    const carom_model *m = d->model;
    const bool planar = m->dimension == 2;
    for (int body = 1; body <= m->body_count; body++) {
        const double *u = v + (body - 1) * m->v_per_body;
        d->pose[body].v = carom_v3(u[0], u[1], planar ? 0 : u[2]);
        d->pose[body].w = planar ? carom_v3(0, 0, u[2]) : carom_v3_load(u + 3);
    }
}

void carom_dynamics_position_rate(const carom_model *m, const double *q, const double *v, double *rate)
{
    for (int body = 0; body < m->body_count; body++) {
        const double *x = q + body * m->q_per_body + 3, *u = v + body * m->v_per_body;
        double *r = rate + body * m->q_per_body;
        r[0] = u[0];
        r[1] = u[1];
        r[2] = u[2];
        if (m->dimension == 2)
            continue;
        carom_quat turn = carom_quat_rate((carom_quat){x[0], x[1], x[2], x[3]}, carom_v3_load(u + 3));
        r[3] = turn.w;
        r[4] = turn.x;
        r[5] = turn.y;
        r[6] = turn.z;
    }
}

static carom_frame_pose frame_pose_2d(const carom_body_pose *b, const carom_marker *k)
{
    double c = b->axes.m[0][0], s = b->axes.m[1][0], w = b->w.z;
    carom_frame_pose f;
    f.arm = carom_v3(c * k->at.x - s * k->at.y, s * k->at.x + c * k->at.y, 0);
    f.p = carom_v3(b->p.x + f.arm.x, b->p.y + f.arm.y, 0);
    f.v = carom_v3(b->v.x - w * f.arm.y, b->v.y + w * f.arm.x, 0);
    f.w = b->w;
    f.centripetal = carom_v3(-w * w * f.arm.x, -w * w * f.arm.y, 0);
    for (int col = 0; col < 3; col++) {
        double x = k->axes.m[0][col], y = k->axes.m[1][col];
        f.axes.m[0][col] = c * x - s * y;
        f.axes.m[1][col] = s * x + c * y;
        f.axes.m[2][col] = k->axes.m[2][col];
    }
    f.angle = b->angle + k->angle;
    return f;
}

carom_frame_pose carom_dynamics_frame_pose(const carom_body_pose *b, const carom_marker *k, int dimension)
{
    if (dimension == 2)
        return frame_pose_2d(b, k);
    carom_frame_pose f;
    f.arm = carom_m3_apply(&b->axes, k->at);
    f.p = carom_v3_add(b->p, f.arm);
    carom_vec3 turn = carom_v3_cross(b->w, f.arm);
    f.v = carom_v3_add(b->v, turn);
    f.w = b->w;
    f.centripetal = carom_v3_cross(b->w, turn);
    f.axes = carom_m3_multiply(&b->axes, &k->axes);
    f.angle = 0;
    return f;
}

double carom_dynamics_kinetic(const carom_evaluation *d)
{
    const carom_model *m = d->model;
    double sum = 0;
    for (int body = 1; body <= m->body_count; body++) {
        const carom_body_pose *p = &d->pose[body];
        const carom_model_body *b = &m->bodies[body];
        double turn;
        if (m->dimension == 2)
            turn = b->inertia.m[2][2] * p->w.z * p->w.z;
        else {
            carom_vec3 w = carom_m3_apply_t(&p->axes, p->w);
            turn = carom_v3_dot(w, carom_m3_apply(&b->inertia, w));
        }
        sum += 0.5 * (b->mass * carom_v3_dot(p->v, p->v) + turn);
    }
    return sum;
}

double carom_dynamics_potential(const carom_evaluation *d)
{
    double sum = 0;
    for (int body = 1; body <= d->model->body_count; body++)
        sum -= d->model->bodies[body].mass * carom_v3_dot(d->model->gravity, d->pose[body].p);
    return sum;
}

carom_body_pose carom_pose_after(const carom_body_pose *pose, carom_vec3 acceleration, carom_vec3 turning, double t)
{
    carom_body_pose out = *pose;
    carom_vec3 turn = carom_v3_add_scaled(carom_v3_scale(t, pose->w), 0.5 * t * t, turning);
    carom_mat3 rotation = carom_quat_matrix(carom_quat_from_rotation(turn));
    out.p = carom_v3_add_scaled(carom_v3_add_scaled(pose->p, t, pose->v), 0.5 * t * t, acceleration);
    out.v = carom_v3_add_scaled(pose->v, t, acceleration);
    out.axes = carom_m3_multiply(&rotation, &pose->axes);
    out.angle += turn.z;
    out.w = carom_v3_add_scaled(pose->w, t, turning);
    return out;
}

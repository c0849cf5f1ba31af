/* Frames on bodies, energies of bodies, and the poses that bodies will have. */
#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

#include <math.h>

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
    const carom_vec3 arm = carom_m3_apply(&b->axes, k->at), w = b->w, turn = carom_v3_cross(w, arm);
    return (carom_frame_pose){.p = carom_v3_add(b->p, arm),
                              .v = carom_v3_add(b->v, turn),
                              .w = w,
                              .arm = arm,
                              .centripetal = carom_v3_cross(w, turn),
                              .axes = carom_m3_multiply(&b->axes, &k->axes)};
}

carom_vec3 carom_dynamics_frame_acceleration(const carom_evaluation *d, int body, const carom_frame_pose *frame)
{
    const carom_body_acceleration a = d->system->formulation->body_acceleration(d, body);
    return carom_v3_add(carom_v3_add(a.linear, carom_v3_cross(a.angular, frame->arm)), frame->centripetal);
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
        else if (b->isotropic)
            turn = b->inertia.m[0][0] * carom_v3_dot(p->w, p->w);
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

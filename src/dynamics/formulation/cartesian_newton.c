/* Newton's equations of the positions in the cartesian formulation: x' = v, and in space the quaternion
   q' = (0, w) q/2, whose equations a quaternion solves. */
#include "dynamics/formulation/cartesian.h"

/* Small turn [rad], world axes, that a change of a quaternion is: twice the vector of dq q^-1. */
static carom_quat after(carom_quat change, carom_quat q)
{
    const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    const carom_quat inverse = {q.w / square, -q.x / square, -q.y / square, -q.z / square};
    return carom_quat_multiply(change, inverse);
}

/* (1 - gamma (0, w)/2)^-1 */
static carom_quat solver(const double *w, double gamma)
{
    const double h = 0.5 * gamma, scale = 1 / (1 + h * h * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
    return (carom_quat){scale, scale * h * w[0], scale * h * w[1], scale * h * w[2]};
}

static carom_quat load(const double *x) { return (carom_quat){x[0], x[1], x[2], x[3]}; }

void carom_cartesian_newton_position(const carom_model *m, const double *q, const double *v, double gamma,
                                     const double *r, const double *speed, double *move, double *dq)
{
    const bool planar = m->dimension == 2;
    for (int body = 0; body < m->body_count; body++) {
        const double *from = r + body * (planar ? 3 : 7), *u = speed + body * (planar ? 3 : 6);
        double *to = move + body * (planar ? 3 : 6), *out = dq ? dq + body * (planar ? 3 : 7) : NULL;
        for (int k = 0; k < 3; k++) {
            to[k] = from[k] + gamma * u[k];
            if (out)
                out[k] = to[k];
        }
        if (planar)
            continue;
        const carom_quat at = load(q + body * 7 + 3);
        const double h = 0.5 * gamma;
        carom_quat change = after(load(from + 3), at);
        change = (carom_quat){change.w, change.x + h * u[3], change.y + h * u[4], change.z + h * u[5]};
        change = carom_quat_multiply(solver(v + body * 6 + 3, gamma), change);
        to[3] = 2 * change.x;
        to[4] = 2 * change.y;
        to[5] = 2 * change.z;
        if (!out)
            continue;
        change = carom_quat_multiply(change, at);
        out[3] = change.w;
        out[4] = change.x;
        out[5] = change.y;
        out[6] = change.z;
    }
}

void carom_cartesian_newton_turn(const carom_model *m, int body, const double *q, const double *v, double gamma,
                                 double turn[3][3])
{
    (void)q;
    if (m->dimension == 2) {
        turn[0][0] = gamma;
        return;
    }
    const carom_quat s = solver(v + (body - 1) * 6 + 3, gamma);
    for (int k = 0; k < 3; k++) {
        const carom_quat by = carom_quat_multiply(s, (carom_quat){0, k == 0, k == 1, k == 2});
        turn[0][k] = gamma * by.x;
        turn[1][k] = gamma * by.y;
        turn[2][k] = gamma * by.z;
    }
}

void carom_cartesian_newton_rate(const carom_model *m, const double *q, const double *v, const double *dq,
                                 const double *dv, double *rate)
{
    const bool planar = m->dimension == 2;
    for (int body = 0; body < m->body_count; body++) {
        const double *u = dv + body * (planar ? 3 : 6);
        double *out = rate + body * (planar ? 3 : 7);
        for (int k = 0; k < 3; k++)
            out[k] = u[k];
        if (planar)
            continue;
        const carom_quat a = carom_quat_rate(load(dq + body * 7 + 3), carom_v3_load(v + body * 6 + 3));
        const carom_quat b = carom_quat_rate(load(q + body * 7 + 3), carom_v3_load(u + 3));
        out[3] = a.w + b.w;
        out[4] = a.x + b.x;
        out[5] = a.y + b.y;
        out[6] = a.z + b.z;
    }
}

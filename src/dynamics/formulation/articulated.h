/* Articulated inertias: small values and what is done with them. Source: Featherstone 2008, Rigid Body Dynamics
   Algorithms, sections 2.12 to 2.14, 7.2; about the centres of mass, world axes. */
#ifndef CAROM_ARTICULATED_H
#define CAROM_ARTICULATED_H

#include "math/vec.h"

/* A motion or an acceleration: of the axes of a body and of its centre of mass, world axes. Of a force: torque and
   force. */
typedef struct carom_motion_vector {
    carom_vec3 turn, move;
} carom_motion_vector;

/* An articulated inertia: torque = a turn + b move, force = b^T turn + c move; a and c are symmetric: xx xy xz yy yz
   zz. */
typedef struct carom_articulated {
    double a[6], c[6];
    carom_mat3 b;
} carom_articulated;

static inline carom_vec3 carom_symmetric_apply(const double s[6], carom_vec3 v)
{
    return carom_v3(s[0] * v.x + s[1] * v.y + s[2] * v.z, s[1] * v.x + s[3] * v.y + s[4] * v.z,
                    s[2] * v.x + s[4] * v.y + s[5] * v.z);
}

static inline carom_motion_vector carom_articulated_apply(const carom_articulated *i, const carom_motion_vector *x)
{
    return (carom_motion_vector){carom_v3_add(carom_symmetric_apply(i->a, x->turn), carom_m3_apply(&i->b, x->move)),
                                 carom_v3_add(carom_m3_apply_t(&i->b, x->turn), carom_symmetric_apply(i->c, x->move))};
}

static inline double carom_motion_pair(const carom_motion_vector *x, const carom_motion_vector *force)
{
    return carom_v3_dot(x->turn, force->turn) + carom_v3_dot(x->move, force->move);
}

/* I -= s w w^T, each product before s, which a division makes late. */
static inline void carom_articulated_take_off(carom_articulated *i, double s, const carom_motion_vector *w)
{
    const carom_vec3 t = w->turn, m = w->move;
    i->a[0] -= s * (t.x * t.x);
    i->a[1] -= s * (t.x * t.y);
    i->a[2] -= s * (t.x * t.z);
    i->a[3] -= s * (t.y * t.y);
    i->a[4] -= s * (t.y * t.z);
    i->a[5] -= s * (t.z * t.z);
    i->c[0] -= s * (m.x * m.x);
    i->c[1] -= s * (m.x * m.y);
    i->c[2] -= s * (m.x * m.z);
    i->c[3] -= s * (m.y * m.y);
    i->c[4] -= s * (m.y * m.z);
    i->c[5] -= s * (m.z * m.z);
    const double row[3] = {t.x, t.y, t.z};
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++) {
        i->b.m[k][0] -= s * (row[k] * m.x);
        i->b.m[k][1] -= s * (row[k] * m.y);
        i->b.m[k][2] -= s * (row[k] * m.z);
    }
}

/* X^T f */
static inline carom_motion_vector carom_force_shifted(const carom_motion_vector *f, carom_vec3 r)
{
    return (carom_motion_vector){carom_v3_add(f->turn, carom_v3_cross(r, f->move)), f->move};
}

/* out += X^T I X: the inertia about a centre of mass that lies at -r:
   B' = B + [r] C,  A' = A - B [r] + [r] B'^T. */
static inline void carom_articulated_add_shifted(carom_articulated *out, const carom_articulated *i, carom_vec3 r)
{
    const double(*b)[3] = i->b.m;
    double bs[3][3];
    const double c[3][3] = {{i->c[0], i->c[1], i->c[2]}, {i->c[1], i->c[3], i->c[4]}, {i->c[2], i->c[4], i->c[5]}};
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++) {
        bs[0][k] = b[0][k] + r.y * c[2][k] - r.z * c[1][k];
        bs[1][k] = b[1][k] + r.z * c[0][k] - r.x * c[2][k];
        bs[2][k] = b[2][k] + r.x * c[1][k] - r.y * c[0][k];
    }
    /* row i of B [r] is (B_i x r)^T, and column k of [r] B'^T is r x row k of B' */
    const double a0 = b[0][1] * r.z - b[0][2] * r.y, a1 = b[0][2] * r.x - b[0][0] * r.z,
                 a2 = b[0][0] * r.y - b[0][1] * r.x, a4 = b[1][2] * r.x - b[1][0] * r.z,
                 a5 = b[1][0] * r.y - b[1][1] * r.x, a8 = b[2][0] * r.y - b[2][1] * r.x;
    out->a[0] += i->a[0] - a0 + r.y * bs[0][2] - r.z * bs[0][1];
    out->a[1] += i->a[1] - a1 + r.y * bs[1][2] - r.z * bs[1][1];
    out->a[2] += i->a[2] - a2 + r.y * bs[2][2] - r.z * bs[2][1];
    out->a[3] += i->a[3] - a4 + r.z * bs[1][0] - r.x * bs[1][2];
    out->a[4] += i->a[4] - a5 + r.z * bs[2][0] - r.x * bs[2][2];
    out->a[5] += i->a[5] - a8 + r.x * bs[2][1] - r.y * bs[2][0];
#pragma GCC unroll 6
    for (int k = 0; k < 6; k++)
        out->c[k] += i->c[k];
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++)
#pragma GCC unroll 3
        for (int n = 0; n < 3; n++)
            out->b.m[k][n] += bs[k][n];
}

#endif

/* Small values of space: vectors, matrices, quaternions. All functions are pure and inline. */
#ifndef CAROM_VEC_H
#define CAROM_VEC_H

#include <math.h>
#include "carom/space.h"

typedef struct carom_quat {
    double w, x, y, z;
} carom_quat;

static inline carom_vec3 carom_v3(double x, double y, double z) { return (carom_vec3){x, y, z}; }
static inline carom_vec3 carom_v3_load(const double *p) { return (carom_vec3){p[0], p[1], p[2]}; }
static inline carom_vec3 carom_v3_add(carom_vec3 a, carom_vec3 b) { return carom_v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline carom_vec3 carom_v3_sub(carom_vec3 a, carom_vec3 b) { return carom_v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline carom_vec3 carom_v3_scale(double s, carom_vec3 a) { return carom_v3(s * a.x, s * a.y, s * a.z); }
static inline carom_vec3 carom_v3_neg(carom_vec3 a) { return carom_v3(-a.x, -a.y, -a.z); }
/* a + s b */
static inline carom_vec3 carom_v3_add_scaled(carom_vec3 a, double s, carom_vec3 b)
{
    return carom_v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline double carom_v3_dot(carom_vec3 a, carom_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline carom_vec3 carom_v3_cross(carom_vec3 a, carom_vec3 b)
{
    return carom_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double carom_v3_norm(carom_vec3 a) { return sqrt(carom_v3_dot(a, a)); }

static inline carom_mat3 carom_m3_identity(void) { return (carom_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }
static inline carom_vec3 carom_m3_apply(const carom_mat3 *a, carom_vec3 v)
{
    return carom_v3(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                    a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                    a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}
/* Transposed matrix times v: world components to moving components. */
static inline carom_vec3 carom_m3_apply_t(const carom_mat3 *a, carom_vec3 v)
{
    return carom_v3(a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                    a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                    a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z);
}
static inline carom_vec3 carom_m3_column(const carom_mat3 *a, int k)
{
    return carom_v3(a->m[0][k], a->m[1][k], a->m[2][k]);
}
static inline carom_mat3 carom_m3_columns(carom_vec3 f, carom_vec3 g, carom_vec3 h)
{
    return (carom_mat3){{{f.x, g.x, h.x}, {f.y, g.y, h.y}, {f.z, g.z, h.z}}};
}
static inline carom_mat3 carom_m3_multiply(const carom_mat3 *a, const carom_mat3 *b)
{
    carom_mat3 c;
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++)
#pragma GCC unroll 3
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return c;
}
/* a^T b */
static inline carom_mat3 carom_m3_multiply_t(const carom_mat3 *a, const carom_mat3 *b)
{
    carom_mat3 c;
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++)
#pragma GCC unroll 3
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a->m[0][i] * b->m[0][j] + a->m[1][i] * b->m[1][j] + a->m[2][i] * b->m[2][j];
    return c;
}
/* a b^T */
static inline carom_mat3 carom_m3_multiply_by_t(const carom_mat3 *a, const carom_mat3 *b)
{
    carom_mat3 c;
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++)
#pragma GCC unroll 3
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a->m[i][0] * b->m[j][0] + a->m[i][1] * b->m[j][1] + a->m[i][2] * b->m[j][2];
    return c;
}

/* Rotation matrix of a quaternion of any length other than zero (it is normalised here). */
static inline carom_mat3 carom_quat_matrix(carom_quat q)
{
    double n2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, s = 2 / n2;
    return (carom_mat3){{{1 - s * (q.y * q.y + q.z * q.z), s * (q.x * q.y - q.w * q.z), s * (q.x * q.z + q.w * q.y)},
                         {s * (q.x * q.y + q.w * q.z), 1 - s * (q.x * q.x + q.z * q.z), s * (q.y * q.z - q.w * q.x)},
                         {s * (q.x * q.z - q.w * q.y), s * (q.y * q.z + q.w * q.x), 1 - s * (q.x * q.x + q.y * q.y)}}};
}
static inline carom_quat carom_quat_normalise(carom_quat q)
{
    double n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (carom_quat){q.w / n, q.x / n, q.y / n, q.z / n};
}
static inline carom_quat carom_quat_multiply(carom_quat a, carom_quat b)
{
    return (carom_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
/* Rate of the quaternion of a body that turns with w (world axes): q' = 1/2 (0, w) q. */
static inline carom_quat carom_quat_rate(carom_quat q, carom_vec3 w)
{
    carom_quat r = carom_quat_multiply((carom_quat){0, w.x, w.y, w.z}, q);
    return (carom_quat){0.5 * r.w, 0.5 * r.x, 0.5 * r.y, 0.5 * r.z};
}
/* Quaternion of the rotation vector r (axis times angle [rad]). */
static inline carom_quat carom_quat_from_rotation(carom_vec3 r)
{
    double angle = carom_v3_norm(r);
    double s = angle > 1e-8 ? sin(0.5 * angle) / angle : 0.5 - angle * angle / 48;
    return (carom_quat){cos(0.5 * angle), s * r.x, s * r.y, s * r.z};
}

/* Rotation vector of a quaternion of any length, of at most half a turn; near no turn of one of unit length. */
static inline carom_vec3 carom_quat_rotation(carom_quat q)
{
    const double sign = q.w < 0 ? -1 : 1;
    const carom_vec3 axis = carom_v3_scale(sign, carom_v3(q.x, q.y, q.z));
    const double sine = carom_v3_norm(axis), angle = 2 * atan2(sine, sign * q.w);
    return carom_v3_scale(sine > 0 ? angle / sine : 2, axis);
}
/* Quaternion of axes, four times its largest component long; q[*largest] is that component.
   Source: Shepperd 1978, J. Guid. Control 1, 223. */
static inline void carom_quat_along_axes(const carom_mat3 *axes, double q[4], int *largest)
{
    const double(*a)[3] = axes->m;
    const double trace = a[0][0] + a[1][1] + a[2][2];
    const double squares[4] = {1 + trace, 1 + 2 * a[0][0] - trace, 1 + 2 * a[1][1] - trace, 1 + 2 * a[2][2] - trace};
    int big = 0;
    for (int k = 1; k < 4; k++)
        big = squares[k] > squares[big] ? k : big;
    const double s = squares[big], wx = a[2][1] - a[1][2], wy = a[0][2] - a[2][0], wz = a[1][0] - a[0][1];
    const double xy = a[0][1] + a[1][0], xz = a[0][2] + a[2][0], yz = a[1][2] + a[2][1];
    const double rows[4][4] = {{s, wx, wy, wz}, {wx, s, xy, xz}, {wy, xy, s, yz}, {wz, xz, yz, s}};
    for (int k = 0; k < 4; k++)
        q[k] = rows[big][k];
    *largest = big;
}
/* Unit quaternion of axes, w >= 0. */
static inline carom_quat carom_quat_from_axes(const carom_mat3 *axes)
{
    double q[4];
    int big;
    carom_quat_along_axes(axes, q, &big);
    const double s = 0.5 * sqrt(q[big]), f = 0.25 / s;
    for (int k = 0; k < 4; k++)
        q[k] = k == big ? s : f * q[k];
    const double sign = q[0] < 0 ? -1 : 1;
    return (carom_quat){sign * q[0], sign * q[1], sign * q[2], sign * q[3]};
}

/* Right-handed axes f, g, h as columns, with h along `axis` (any length > 0) and f as near as possible to `hint`. */
static inline carom_mat3 carom_m3_axes(carom_vec3 axis, carom_vec3 hint)
{
    carom_vec3 h = carom_v3_scale(1 / carom_v3_norm(axis), axis);
    carom_vec3 f = carom_v3_add_scaled(hint, -carom_v3_dot(hint, h), h);
    if (carom_v3_norm(f) < 1e-6 * carom_v3_norm(hint) + 1e-300) {
        carom_vec3 other = fabs(h.y) < 0.9 ? carom_v3(0, 1, 0) : carom_v3(0, 0, 1);
        f = carom_v3_add_scaled(other, -carom_v3_dot(other, h), h);
    }
    f = carom_v3_scale(1 / carom_v3_norm(f), f);
    return carom_m3_columns(f, carom_v3_cross(h, f), h);
}

/* Unit vector along a (any length but zero); the length is scaled where its square would leave the range of doubles. */
static inline carom_vec3 carom_unit(carom_vec3 a)
{
    double square = carom_v3_dot(a, a);
    if (!(square > 1e-200 && square < 1e200)) {
        double largest = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
        a = carom_v3(a.x / largest, a.y / largest, a.z / largest);
        square = carom_v3_dot(a, a);
    }
    return carom_v3_scale(1 / sqrt(square), a);
}

/* Pose and twist of a body, world axes. */
typedef struct carom_body_pose {
    carom_vec3 p, v, w;         /* of the centre of mass */
    carom_mat3 axes;
    double angle;               /* 2-D [rad] */
} carom_body_pose;

/* Where the positions of bodies stand, and their velocities with the spins behind these: those of each body so many
   numbers behind those of the one before it, from body `first` on. */
typedef struct carom_motions {
    const double *p, *v;
    int p_step, v_step, first;
} carom_motions;

/* Those of poses, the ground first. */
static inline carom_motions carom_motions_of(const carom_body_pose *pose)
{
    const int step = (int)(sizeof *pose / sizeof(double));
    return (carom_motions){&pose->p.x, &pose->v.x, step, step, 0};
}

static inline const double *carom_motions_p(const carom_motions *m, int body)
{
    return m->p + (body - m->first) * m->p_step;
}

static inline const double *carom_motions_v(const carom_motions *m, int body)
{
    return m->v + (body - m->first) * m->v_step;
}

#endif

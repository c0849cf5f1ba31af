/* Frames on bodies that move with known twist and acceleration, for the contract tests of joints and loads. */
#ifndef CAROM_TEST_FRAMES_H
#define CAROM_TEST_FRAMES_H

#include <stdint.h>
#include "kinds/kind.h"

/* Uniform in [low, high); xorshift64*, the same numbers on every machine. */
static inline double test_random(uint64_t *seed, double low, double high)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    const double unit = (double)((*seed * 2685821657736338717u) >> 11) / 9007199254740992.0;
    return low + (high - low) * unit;
}

/* Components in [-size, size]; z = 0 in planar models. */
static inline carom_vec3 test_random_vector(uint64_t *seed, int dimension, double size)
{
    const double x = test_random(seed, -size, size), y = test_random(seed, -size, size);
    return carom_v3(x, y, dimension == 3 ? test_random(seed, -size, size) : 0);
}

/* Rotation about z. */
static inline carom_mat3 test_turn_z(double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (carom_mat3){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}

/* Any rotation; about z in planar models. */
static inline carom_mat3 test_random_axes(uint64_t *seed, int dimension)
{
    if (dimension == 2)
        return test_turn_z(test_random(seed, -3, 3));
    return carom_quat_matrix((carom_quat){test_random(seed, -1, 1), test_random(seed, -1, 1), test_random(seed, -1, 1),
                                          test_random(seed, 0.1, 1)});
}

/* A frame on a body that moves: x(t) = x + v t + a t^2/2, turned by w t + alpha t^2/2 from `attitude`. */
typedef struct test_frame {
    int dimension;
    carom_vec3 x, v, a;
    carom_mat3 attitude;
    carom_vec3 w, alpha;
    carom_vec3 point; /* of the frame, body axes */
    carom_mat3 axes;  /* of the frame, body axes */
    double angle;     /* 2-D: of the frame's f at t = 0 */
} test_frame;

static inline carom_vec3 test_spin(const test_frame *f, carom_vec3 planar)
{
    return f->dimension == 3 ? planar : carom_v3(0, 0, planar.x);
}

/* Velocities of about 1 m/s and 1 rad/s, accelerations of about 1 m/s^2 and 1 rad/s^2. */
static inline void test_random_motion(uint64_t *seed, test_frame *f)
{
    f->v = test_random_vector(seed, f->dimension, 1.5);
    f->a = test_random_vector(seed, f->dimension, 1.5);
    f->w = test_spin(f, test_random_vector(seed, f->dimension, 1.5));
    f->alpha = test_spin(f, test_random_vector(seed, f->dimension, 1.5));
}

/* A body at a random pose with the triad `triad` (columns in the axes of the body's local frame, turned at random). */
static inline test_frame test_random_frame(uint64_t *seed, int dimension, carom_mat3 triad)
{
    test_frame f = {.dimension = dimension};
    f.x = test_random_vector(seed, dimension, 1);
    f.attitude = test_random_axes(seed, dimension);
    f.point = test_random_vector(seed, dimension, 0.7);
    const carom_mat3 turn = test_random_axes(seed, dimension);
    f.axes = carom_m3_multiply(&turn, &triad);
    const carom_mat3 world = carom_m3_multiply(&f.attitude, &f.axes);
    f.angle = atan2(world.m[1][0], world.m[0][0]);
    test_random_motion(seed, &f);
    return f;
}

/* A body at a random attitude whose frame has the origin p and the axes `axes` in the world. */
static inline test_frame test_frame_at(uint64_t *seed, int dimension, carom_vec3 p, carom_mat3 axes, double angle)
{
    test_frame f = {.dimension = dimension, .angle = angle};
    f.attitude = test_random_axes(seed, dimension);
    f.point = test_random_vector(seed, dimension, 0.7);
    f.x = carom_v3_sub(p, carom_m3_apply(&f.attitude, f.point));
    f.axes = carom_m3_multiply_t(&f.attitude, &axes);
    test_random_motion(seed, &f);
    return f;
}

/* Pose and twist at time t. With alpha = 0 the twist is exact at all times, else at t = 0 and to first order in t. */
static inline carom_frame_pose test_pose(const test_frame *f, double t)
{
    const carom_vec3 turn = carom_v3_add_scaled(carom_v3_scale(t, f->w), 0.5 * t * t, f->alpha);
    const carom_mat3 q = f->dimension == 3 ? carom_quat_matrix(carom_quat_from_rotation(turn)) : test_turn_z(turn.z);
    const carom_mat3 attitude = carom_m3_multiply(&q, &f->attitude);
    carom_frame_pose pose;
    pose.arm = carom_m3_apply(&attitude, f->point);
    pose.p = carom_v3_add(carom_v3_add_scaled(f->x, t, f->v), carom_v3_add_scaled(pose.arm, 0.5 * t * t, f->a));
    pose.w = carom_v3_add_scaled(f->w, t, f->alpha);
    pose.v = carom_v3_add(carom_v3_add_scaled(f->v, t, f->a), carom_v3_cross(pose.w, pose.arm));
    pose.centripetal = carom_v3_cross(pose.w, carom_v3_cross(pose.w, pose.arm));
    pose.axes = carom_m3_multiply(&attitude, &f->axes);
    pose.angle = f->angle + turn.z;
    return pose;
}

/* The same body without acceleration. */
static inline test_frame test_steady(const test_frame *f)
{
    test_frame steady = *f;
    steady.a = steady.alpha = carom_v3(0, 0, 0);
    return steady;
}

/* Weights of the central differences of eighth order at -4 .. 4, for the first and (times 1/h^2) second derivative. */
static const double test_first[9] = {1.0 / 280, -4.0 / 105, 1.0 / 5,   -4.0 / 5,  0,
                                     4.0 / 5,   -1.0 / 5,   4.0 / 105, -1.0 / 280};
static const double test_second[9] = {-1.0 / 560, 8.0 / 315, -1.0 / 5,  8.0 / 5,   -205.0 / 72,
                                      8.0 / 5,    -1.0 / 5,  8.0 / 315, -1.0 / 560};

#endif

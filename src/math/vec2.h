/* Small values of the plane: vectors and rigid poses. All functions are pure and inline. */
#ifndef CAROM_VEC2_H
#define CAROM_VEC2_H

#include <math.h>

typedef struct carom_vec2 {
    double x, y;
} carom_vec2;

static inline carom_vec2 carom_v2(double x, double y) { return (carom_vec2){x, y}; }
static inline carom_vec2 carom_v2_add(carom_vec2 a, carom_vec2 b) { return carom_v2(a.x + b.x, a.y + b.y); }
static inline carom_vec2 carom_v2_sub(carom_vec2 a, carom_vec2 b) { return carom_v2(a.x - b.x, a.y - b.y); }
static inline carom_vec2 carom_v2_scale(double s, carom_vec2 a) { return carom_v2(s * a.x, s * a.y); }
static inline carom_vec2 carom_v2_neg(carom_vec2 a) { return carom_v2(-a.x, -a.y); }
/* a + s b */
static inline carom_vec2 carom_v2_add_scaled(carom_vec2 a, double s, carom_vec2 b)
{
    return carom_v2(a.x + s * b.x, a.y + s * b.y);
}
static inline double carom_v2_dot(carom_vec2 a, carom_vec2 b) { return a.x * b.x + a.y * b.y; }
/* z component of a x b */
static inline double carom_v2_cross(carom_vec2 a, carom_vec2 b) { return a.x * b.y - a.y * b.x; }
static inline double carom_v2_norm(carom_vec2 a) { return sqrt(carom_v2_dot(a, a)); }
static inline double carom_v2_distance(carom_vec2 a, carom_vec2 b) { return carom_v2_norm(carom_v2_sub(a, b)); }
/* a turned by +90 and by -90 degrees */
static inline carom_vec2 carom_v2_left(carom_vec2 a) { return carom_v2(-a.y, a.x); }
static inline carom_vec2 carom_v2_right(carom_vec2 a) { return carom_v2(a.y, -a.x); }
/* Unit vector along a (any length but zero). */
static inline carom_vec2 carom_v2_unit(carom_vec2 a) { return carom_v2_scale(1 / carom_v2_norm(a), a); }

/* Pose of a frame B in a frame A: p_A = at + R p_B with R by the angle of cosine and sine. */
typedef struct carom_pose2 {
    double cosine, sine;
    carom_vec2 at;
} carom_pose2;

static inline carom_pose2 carom_pose2_of(double angle, carom_vec2 at)
{
    return (carom_pose2){cos(angle), sin(angle), at};
}
static inline carom_vec2 carom_pose2_turn(const carom_pose2 *X, carom_vec2 a)
{
    return carom_v2(X->cosine * a.x - X->sine * a.y, X->sine * a.x + X->cosine * a.y);
}
static inline carom_vec2 carom_pose2_turn_back(const carom_pose2 *X, carom_vec2 a)
{
    return carom_v2(X->cosine * a.x + X->sine * a.y, X->cosine * a.y - X->sine * a.x);
}
static inline carom_vec2 carom_pose2_apply(const carom_pose2 *X, carom_vec2 p)
{
    return carom_v2_add(X->at, carom_pose2_turn(X, p));
}
static inline carom_vec2 carom_pose2_apply_back(const carom_pose2 *X, carom_vec2 p)
{
    return carom_pose2_turn_back(X, carom_v2_sub(p, X->at));
}
/* Pose of A in B. */
static inline carom_pose2 carom_pose2_inverse(const carom_pose2 *X)
{
    return (carom_pose2){X->cosine, -X->sine, carom_v2_neg(carom_pose2_turn_back(X, X->at))};
}

#endif

/* Ring i in bore j. With the unit axis a of the bore, s the centre of the ring from the axis, h the ring's axis, and
   cosT = |a . h|: the projection of the ring across a is the ellipse s + R (u cos p + v sin p), u unit along a x h and
   v = cosT (a x u) in size. The contact is at the point farthest from the axis,
       d^2(p) = |s + R (u cos p + v sin p)|^2 = max,  gap = B - d,
   by Newton's method on the derivative from the best of sixteen points on the circle. The bore's normal there is
   radial; the rim has none of its own, so that this is the common normal. The wrench acts halfway between rim and bore,
   as between two discs. Source: docs/theory/clearance.md. Validity: the ring is smaller than the bore; at right angles
   to it or tilted. Where several points are equally far, at the centre and at strong tilts with a centred ring, one of
   them is taken. */
#include "base/base.h"
#include "kinds/shape/shape.h"
#include "math/roots.h"

/* Shares of an ellipse s + R (u cos p + v sin p): m + a cos p + b sin p + c cos 2p is d^2. */
typedef struct reach {
    double a, b, c;
} reach;

static double square(const reach *r, double p) { return r->a * cos(p) + r->b * sin(p) + r->c * cos(2 * p); }

#define STARTS 16
#define SPACING (2 * CAROM_PI / STARTS)

/* The maximum within a spacing of p, by Newton's method within a bracket. */
static double refine(const reach *r, double p)
{
    double low = p - SPACING, high = p + SPACING;
    for (int k = 0; k < 60; k++) {
        const double first = -r->a * sin(p) + r->b * cos(p) - 2 * r->c * sin(2 * p);
        const double second = -r->a * cos(p) - r->b * sin(p) - 4 * r->c * cos(2 * p);
        *(first > 0 ? &low : &high) = p;
        const double next = carom_newton_between(p, first, second < 0 ? second : 0, low, high);
        if (fabs(next - p) <= 1e-15 * CAROM_PI)
            break;
        p = next;
    }
    return p;
}

/* The angle at which the square of the distance is greatest: it has two maxima at most. */
static double farthest(const reach *r)
{
    const double begin = atan2(r->b, r->a);
    if (r->c == 0)
        return begin;
    double value[STARTS], best = begin, most = -HUGE_VAL;
    for (int k = 0; k < STARTS; k++)
        value[k] = square(r, begin + k * SPACING);
    for (int k = 0; k < STARTS; k++) {
        if (value[k] < value[(k + 1) % STARTS] || value[k] < value[(k + STARTS - 1) % STARTS])
            continue;
        const double p = refine(r, begin + k * SPACING), there = square(r, p);
        if (there > most) {
            most = there;
            best = p;
        }
    }
    return best;
}

static const char *check(const double *pi, const double *pj)
{
    return carom_round_radius(pi) < carom_round_radius(pj)
               ? NULL
               : "the ring does not fit into the bore: its radius must be the smaller one";
}

/* Point of the rim farthest from the bore's axis, from the ring's centre, and its unit direction out of the axis. */
static carom_vec3 rim_point(const carom_shape_pose *i, const carom_shape_pose *j, carom_vec3 *radial, double *distance)
{
    const double radius = carom_round_radius(i->p);
    const carom_vec3 axis = carom_round_axis(j), h = carom_round_axis(i), line = carom_v3_sub(i->origin, j->origin);
    const carom_vec3 s = carom_v3_add_scaled(line, -carom_v3_dot(line, axis), axis);
    /* without tilt any direction across the axis serves for u */
    carom_vec3 u = carom_v3_cross(axis, h);
    const carom_mat3 frame = carom_m3_axes(h, fabs(h.x) < 0.9 ? carom_v3(1, 0, 0) : carom_v3(0, 1, 0));
    u = carom_v3_norm(u) > 1e-12 ? carom_unit(u) : carom_m3_column(&frame, 0);
    const carom_vec3 w = carom_v3_cross(h, u); /* u and w span the ring */
    const carom_vec3 v = carom_v3_add_scaled(w, -carom_v3_dot(w, axis), axis);
    const carom_vec3 flat = carom_v3_add_scaled(u, -carom_v3_dot(u, axis), axis);
    const reach r = {.a = 2 * radius * carom_v3_dot(s, flat),
                     .b = 2 * radius * carom_v3_dot(s, v),
                     .c = 0.5 * radius * radius * (carom_v3_dot(flat, flat) - carom_v3_dot(v, v))};
    const double p = farthest(&r);
    const carom_vec3 rim = carom_v3_add_scaled(carom_v3_scale(radius * cos(p), u), radius * sin(p), w);
    const carom_vec3 out = carom_v3_add(s, carom_v3_add_scaled(rim, -carom_v3_dot(rim, axis), axis));
    *distance = carom_v3_norm(out);
    *radial = carom_unit(out);
    return rim;
}

static void gap(const carom_shape_pose *i, const carom_shape_pose *j, carom_pair_point *out)
{
    double distance;
    const carom_vec3 rim = rim_point(i, j, &out->normal, &distance);
    out->gap = carom_round_radius(j->p) - distance;
    out->from_i = carom_v3_add_scaled(rim, 0.5 * out->gap, out->normal);
    out->point = carom_v3_add(i->origin, out->from_i);
    out->from_j = carom_v3_sub(out->point, j->origin);
}

/* The normal turns with the point of the rim that is farthest: a central difference of the motion, whose error is of
   the order of the square of the angle. */
static carom_vec3 normal_rate(const carom_shape_pose *i, const carom_shape_pose *j)
{
    const carom_shape_pose *sides[2] = {i, j};
    const double speed = carom_v3_norm(carom_v3_sub(i->velocity, j->velocity)) / carom_round_radius(i->p) +
                         carom_v3_norm(i->spin) + carom_v3_norm(j->spin);
    if (!(speed > 0))
        return carom_v3(0, 0, 0);
    const double h = 1e-6 / speed;
    carom_vec3 normal[2];
    for (int k = 0; k < 2; k++) {
        carom_shape_pose moved[2];
        double distance;
        for (int side = 0; side < 2; side++) {
            const double t = k ? h : -h;
            carom_mat3 turn = carom_quat_matrix(carom_quat_from_rotation(carom_v3_scale(t, sides[side]->spin)));
            moved[side] = *sides[side];
            moved[side].origin = carom_v3_add_scaled(sides[side]->origin, t, sides[side]->velocity);
            moved[side].axes = carom_m3_multiply(&turn, &sides[side]->axes);
        }
        rim_point(&moved[0], &moved[1], &normal[k], &distance);
    }
    return carom_v3_scale(0.5 / h, carom_v3_sub(normal[1], normal[0]));
}

static void curvature(const double *pi, const double *pj, double *radius_i, double *radius_j)
{
    *radius_i = carom_round_radius(pi);
    *radius_j = -carom_round_radius(pj);
}

static double feature_size(const double *pi, const double *pj)
{
    (void)pj;
    return carom_round_radius(pi);
}

static double play(const double *pi, const double *pj) { return carom_round_radius(pj) - carom_round_radius(pi); }

const carom_pair_kind carom_pair_ring_bore = {
    .kind = {.name = "ring-bore",
             .title = "Rim of a ring, tilted or not, in a bore.",
             .formula = "gap = B - max over p of |s + R (u cos p + v sin p)| across the bore's axis",
             .source = "Geometry of a journal that tilts in its bearing: docs/theory/clearance.md.",
             .validity =
                 "The ring is smaller than the bore. The wrench acts halfway between the bore and the point of the rim "
                 "that is farthest from its axis, along the radius there; where several are equally far one is taken."},
    .shape_i = "ring",
    .shape_j = "bore",
    .check = check,
    .gap = gap,
    .normal_rate = normal_rate,
    .curvature = curvature,
    .feature_size = feature_size,
    .play = play,
};

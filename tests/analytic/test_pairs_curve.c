/* Pairs with curves, sphere_curve, curve_curve and curve_plane: against the closed forms of sphere-sphere and
   sphere-plane where the curve is a circle or a line, the rates of gap and normal against difference quotients, the
   points on which polygons and capsules lie, and the curves of segment, slot and curved_slot. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "kinds/shape/shape.h"
#include "support/near.h"

#define ROOM 512
#define POSES 300

static uint64_t seed = 7;

static double random_between(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

/* A shape in the plane that moves. */
typedef struct mover {
    const double *p;
    carom_vec2 at, velocity;
    double angle, spin;
} mover;

static carom_shape_pose pose_at(const mover *m, double t)
{
    const double angle = m->angle + m->spin * t;
    return (carom_shape_pose){.p = m->p,
                              .origin = carom_v3(m->at.x + t * m->velocity.x, m->at.y + t * m->velocity.y, 0),
                              .axes = {{{cos(angle), -sin(angle), 0}, {sin(angle), cos(angle), 0}, {0, 0, 1}}},
                              .velocity = carom_v3(m->velocity.x, m->velocity.y, 0),
                              .spin = carom_v3(0, 0, m->spin)};
}

static mover random_mover(const double *p, double near, double far)
{
    const double r = random_between(near, far), phi = random_between(-CAROM_PI, CAROM_PI);
    return (mover){.p = p,
                   .at = carom_v2(r * cos(phi), r * sin(phi)),
                   .velocity = carom_v2(random_between(-1, 1), random_between(-1, 1)),
                   .angle = random_between(-3, 3),
                   .spin = random_between(-2, 2)};
}

static void gap_at(const carom_pair_kind *pair, int point, const mover *a, const mover *b, double t,
                   carom_pair_point *out)
{
    const carom_shape_pose i = pose_at(a, t), j = pose_at(b, t);
    *out = (carom_pair_point){0};
    if (pair->points)
        pair->gap_at(&i, &j, point, out);
    else
        CAROM_KIND_CALL(pair, gap, &i, &j, out);
}

/* d(gap)/dt = n . (v_j - v_i) at the point, and the rate of the normal, by central differences. */
static void check_rates(const carom_pair_kind *pair, int point, const mover *a, const mover *b)
{
    const double h = 1e-6;
    carom_pair_point before, now, after;
    gap_at(pair, point, a, b, -h, &before);
    gap_at(pair, point, a, b, 0, &now);
    gap_at(pair, point, a, b, h, &after);
    if (fabs(before.place_j - after.place_j) > 0.01 || fabs(before.place_i - after.place_i) > 0.01)
        return; /* another side is the nearest */
    const carom_shape_pose i = pose_at(a, 0), j = pose_at(b, 0);
    const carom_vec3 vi = carom_v3_add(i.velocity, carom_v3_cross(i.spin, now.from_i));
    const carom_vec3 vj = carom_v3_add(j.velocity, carom_v3_cross(j.spin, now.from_j));
    const double rate = carom_v3_dot(now.normal, carom_v3_sub(vj, vi));
    assert_true(fabs(rate - (after.gap - before.gap) / (2 * h)) < 1e-6);
    const carom_vec3 turning =
        pair->normal_rate_at ? pair->normal_rate_at(&i, &j, point) : CAROM_KIND_CALL(pair, normal_rate, &i, &j);
    const carom_vec3 quotient = carom_v3_scale(1 / (2 * h), carom_v3_sub(after.normal, before.normal));
    assert_true(carom_v3_norm(carom_v3_sub(turning, quotient)) < 2e-5 * (1 + carom_v3_norm(turning)));
    assert_true(carom_v3_norm(carom_v3_sub(carom_v3_add(i.origin, now.from_i), now.point)) < 1e-12);
    assert_true(carom_v3_norm(carom_v3_sub(carom_v3_add(j.origin, now.from_j), now.point)) < 1e-12);
}

/* ---- against closed forms ---- */

static void test_circles(void **state)
{
    (void)state;
    double circle[ROOM], small[ROOM];
    const double big = 1, ball = 0.3, hollow = -1;
    assert_null(carom_outline_circle(circle, carom_v2(0, 0), 1, false));
    assert_null(carom_outline_circle(small, carom_v2(0, 0), 0.3, false));
    for (int n = 0; n < POSES; n++) {
        const mover c = random_mover(circle, 0, 1), b = random_mover(&ball, 2.1, 3);
        mover as_sphere = c, as_curve = b;
        as_sphere.p = &big;
        as_curve.p = small;
        carom_pair_point got, expected;
        gap_at(&carom_pair_sphere_sphere, 0, &b, &as_sphere, 0, &expected);
        gap_at(&carom_pair_sphere_curve, 0, &b, &c, 0, &got);
        assert_true(fabs(got.gap - expected.gap) < 1e-14 &&
                    carom_v3_norm(carom_v3_sub(got.point, expected.point)) < 1e-13);
        assert_true(carom_v3_norm(carom_v3_sub(got.normal, expected.normal)) < 1e-13);
        assert_true(got.radius_i == 0.3 && fabs(got.radius_j - 1) < 1e-14);
        check_rates(&carom_pair_sphere_curve, 0, &b, &c);
        gap_at(&carom_pair_curve_curve, 0, &as_curve, &c, 0, &got);
        assert_true(fabs(got.gap - expected.gap) < 1e-13 &&
                    carom_v3_norm(carom_v3_sub(got.point, expected.point)) < 1e-11);
        assert_true(got.residual < 1e-10 && got.common);
        check_rates(&carom_pair_curve_curve, 0, &as_curve, &c);
    }
    /* a ball inside */
    assert_null(carom_outline_circle(circle, carom_v2(0, 0), 1, true));
    for (int n = 0; n < POSES; n++) {
        const mover c = {.p = circle}, b = random_mover(&ball, 0.1, 0.8);
        mover as_sphere = c;
        as_sphere.p = &hollow;
        carom_pair_point got, expected;
        gap_at(&carom_pair_sphere_sphere, 0, &b, &as_sphere, 0, &expected);
        gap_at(&carom_pair_sphere_curve, 0, &b, &c, 0, &got);
        assert_true(fabs(got.gap - expected.gap) < 1e-14 &&
                    carom_v3_norm(carom_v3_sub(got.point, expected.point)) < 1e-13);
        assert_true(fabs(got.radius_j + 1) < 1e-14);
    }
    assert_non_null(carom_pair_sphere_curve.check(&big, circle));
    assert_non_null(carom_pair_sphere_curve.check(&hollow, circle));
    assert_null(carom_pair_sphere_curve.check(&ball, circle));
    assert_non_null(carom_pair_curve_curve.check(circle, circle));
}

/* ---- slots ---- */

static void test_slots(void **state)
{
    (void)state;
    double curve[ROOM];
    int item;
    const carom_shape_lists none = {0};
    /* curved_slot: centre line 60, half width 8, a pin of 7.9: 0.1 of clearance to each track */
    const double sector[] = {0, 0, 0, 60, 8, -1, 1}, pin = 7.9;
    assert_null(carom_shape_curved_slot.curve(sector, &none, curve, &item));
    for (double psi = -0.95; psi < 1; psi += 0.1)
        for (double r = 59.95; r < 60.06; r += 0.1) {
            carom_pair_point got;
            gap_at(&carom_pair_sphere_curve, 0, &(mover){.p = &pin, .at = carom_v2(r * cos(psi), r * sin(psi))},
                   &(mover){.p = curve}, 0, &got);
            assert_true(fabs(got.gap - 0.05) < 1e-12);
            assert_true(fabs(got.radius_j - (r > 60 ? -68 : 52)) < 1e-12);
        }
    /* straight: the nearest side */
    const double straight[] = {-1, 0, 0, 1, 0, 0, 0.2};
    assert_null(carom_shape_slot.curve(straight, &none, curve, &item));
    const double ball = 0.1;
    carom_pair_point got;
    gap_at(&carom_pair_sphere_curve, 0, &(mover){.p = &ball, .at = carom_v2(0.3, 0.04)}, &(mover){.p = curve}, 0, &got);
    assert_true(fabs(got.gap - 0.06) < 1e-14 && fabs(got.normal.y - 1) < 1e-14 && isinf(got.radius_j));
    gap_at(&carom_pair_sphere_curve, 0, &(mover){.p = &ball, .at = carom_v2(1.05, 0)}, &(mover){.p = curve}, 0, &got);
    assert_true(fabs(got.gap - 0.05) < 1e-14 && fabs(got.normal.x - 1) < 1e-14 && fabs(got.radius_j + 0.2) < 1e-14);
    /* segment: one side */
    const double ends[] = {0, 0, 0, 2, 0, 0};
    assert_null(carom_shape_segment.curve(ends, &none, curve, &item));
    gap_at(&carom_pair_sphere_curve, 0, &(mover){.p = &ball, .at = carom_v2(1, -0.3)}, &(mover){.p = curve}, 0, &got);
    assert_true(fabs(got.gap - 0.2) < 1e-14 && fabs(got.normal.y - 1) < 1e-14);
}

/* ---- lying on a plane ---- */

static int points_of(const carom_shape_kind *kind, const double *p, const carom_shape_lists *lists, double *curve)
{
    int item;
    const double up[3] = {0, 1, 0};
    assert_null(kind->curve(p, lists, curve, &item));
    return carom_pair_curve_plane.points(curve, up);
}

static void test_supports(void **state)
{
    (void)state;
    double curve[ROOM];
    const carom_shape_lists none = {0};
    const double size[] = {2, 1, 0, 0}, bar[] = {-1, 0, 0, 1, 0, 0, 0.25}, up[3] = {0, 1, 0}, up_wards[3] = {0, 2, 0};
    const double l_shape[] = {0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2};
    carom_pair_point got;
    assert_int_equal(points_of(&carom_shape_box, size, &none, curve), 4);
    int low = 0;
    for (int k = 0; k < 4; k++) {
        gap_at(&carom_pair_curve_plane, k, &(mover){.p = curve, .at = carom_v2(3, 0.5)}, &(mover){.p = up_wards}, 0,
               &got);
        assert_true(fabs(got.gap) < 1e-14 || fabs(got.gap - 1) < 1e-14);
        assert_true(got.radius_i == 0 && isinf(got.radius_j) && fabs(fabs(got.point.x - 3) - 1) < 1e-14);
        low += fabs(got.gap) < 1e-14;
        check_rates(&carom_pair_curve_plane, k, &(mover){.p = curve, .at = carom_v2(3, 0.5), .angle = 0.2, .spin = 1},
                    &(mover){.p = up, .velocity = carom_v2(0, 0.4), .spin = -0.5});
    }
    assert_int_equal(low, 2);
    /* an L has five convex corners */
    assert_int_equal(points_of(&carom_shape_polygon, NULL, &(carom_shape_lists){l_shape, 6, NULL, 0}, curve), 5);
    /* a capsule lies on its two rounds, and each is as low as its circle */
    assert_int_equal(points_of(&carom_shape_capsule, bar, &none, curve), 2);
    for (int n = 0; n < POSES; n++) {
        const mover m = random_mover(curve, 0, 1);
        double expected[2], gap[2];
        for (int k = 0; k < 2; k++) {
            gap_at(&carom_pair_curve_plane, k, &m, &(mover){.p = up}, 0, &got);
            check_rates(&carom_pair_curve_plane, k, &m, &(mover){.p = up});
            gap[k] = got.gap;
            expected[k] = m.at.y + (k ? -1 : 1) * sin(m.angle) - 0.25;
        }
        /* the round that points up touches with the end of its arc: no lower than its circle */
        assert_true(fabs(fmin(gap[0], gap[1]) - fmin(expected[0], expected[1])) < 1e-12);
        assert_true(fmax(gap[0], gap[1]) >= fmax(expected[0], expected[1]) - 1e-12);
    }
    gap_at(&carom_pair_curve_plane, 0, &(mover){.p = curve, .at = carom_v2(0, 0.25)}, &(mover){.p = up}, 0, &got);
    const double first = got.point.x;
    assert_true(fabs(got.gap) < 1e-14 && fabs(got.radius_i - 0.25) < 1e-12);
    gap_at(&carom_pair_curve_plane, 1, &(mover){.p = curve, .at = carom_v2(0, 0.25)}, &(mover){.p = up}, 0, &got);
    assert_true(fabs(got.gap) < 1e-14 && fabs(got.point.x + first) < 1e-12 && fabs(fabs(first) - 1) < 1e-12);
    /* hollows are refused */
    assert_null(carom_outline_circle(curve, carom_v2(0, 0), 1, true));
    assert_non_null(carom_pair_curve_plane.check(curve, up));
}

/* ---- profiles ---- */

/* The knee's femur and tibia at the starting position, with the radii of the reference. */
static void test_knee(void **state)
{
    (void)state;
    double femur[ROOM], tibia[ROOM];
    int item;
    const double no[2] = {0, 0}, f[] = {-0.04014, 0.247621, 6.889185, 270.4456, 8589.942};
    const double g[] = {0.213373, 0.0456051, 1.073446};
    const carom_outline_def upper = {
        .type = "polynomial", .coefficients = f, .coefficient_count = 5, .from = -0.065, .to = -0.02};
    const carom_outline_def lower = {
        .type = "polynomial", .coefficients = g, .coefficient_count = 3, .from = 0.02, .to = -0.06};
    assert_null(carom_shape_profile.curve(no, &(carom_shape_lists){NULL, 0, &upper, 1}, femur, &item));
    assert_null(carom_shape_profile.curve(no, &(carom_shape_lists){NULL, 0, &lower, 1}, tibia, &item));
    const mover a = {.p = femur};
    const mover b = {.p = tibia,
                     .at = carom_v2(-0.2016, -0.1749),
                     .angle = (35.21 - 90) * CAROM_PI / 180,
                     .spin = 1,
                     .velocity = carom_v2(0.1, -0.2)};
    carom_pair_point got;
    gap_at(&carom_pair_curve_curve, 0, &a, &b, 0, &got);
    near_relative("gap", "the start", got.gap, 6.49686724524761e-05, 1e-9);
    near_relative("femur", "the start", got.radius_i, 0.04242379892453686, 1e-9);
    near_relative("tibia", "the start", got.radius_j, -0.4658332440210105, 1e-9);
    assert_true(got.residual < 1e-12 && got.common);
    check_rates(&carom_pair_curve_curve, 0, &a, &b);
}

/* ---- corners on sides ---- */

/* A box on a segment: its four corners and the two ends; the two lower corners touch. */
static void test_corners(void **state)
{
    (void)state;
    double box[ROOM], floor[ROOM];
    assert_null(carom_outline_box(box, carom_v2(0, 0), 2, 1, 0));
    assert_null(carom_outline_segment(floor, carom_v2(5, 0), carom_v2(-5, 0)));
    assert_int_equal(carom_pair_curve_curve.points(box, floor), 6);
    int touching = 0;
    for (int k = 0; k < 6; k++) {
        carom_pair_point got;
        const mover b = {.p = box, .at = carom_v2(1, 0.49)}, f = {.p = floor};
        gap_at(&carom_pair_curve_curve, k, &b, &f, 0, &got);
        touching += fabs(got.gap + 0.01) < 1e-14 && fabs(got.normal.y + 1) < 1e-14 && got.radius_i == 0;
        assert_true(k < 4 || got.gap > 1);
    }
    assert_int_equal(touching, 2);
    for (int n = 0; n < POSES; n++) {
        const mover b = random_mover(box, 0, 1), f = random_mover(floor, 0, 1);
        for (int k = 0; k < 6; k++)
            check_rates(&carom_pair_curve_curve, k, &b, &f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_circles), cmocka_unit_test(test_slots),
                                       cmocka_unit_test(test_supports), cmocka_unit_test(test_corners),
                                       cmocka_unit_test(test_knee)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

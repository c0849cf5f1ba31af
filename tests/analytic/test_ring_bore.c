/* The pair ring-bore (shapes ring and bore): the farthest point of the rim against a search over the whole circle, gap
   rate and rate of the normal against differences along random motions, and the gaps of a journal's ends that are
   known. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "kinds/shape/shape.h"

#define TRIALS 500
#define RING 0.010
#define BORE 0.0105

/* Uniform in [-size, size); a fixed sequence (Knuth's MMIX generator). */
static double uniform(double size)
{
    static uint64_t state = 4711;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return size * (2 * (double)(state >> 11) * 0x1p-53 - 1);
}

static carom_vec3 random_vector(double size) { return carom_v3(uniform(size), uniform(size), uniform(size)); }

static const double ring[] = {RING, 0, 0, 1}, bore[] = {BORE, 0, 0, 1, 0.03};

typedef struct scene {
    carom_shape_pose ring, bore;
} scene;

/* A ring near the centre of a bore, tilted by `tilt` [rad] at most; both move. */
static scene random_scene(double tilt)
{
    carom_mat3 axes = carom_quat_matrix(carom_quat_from_rotation(random_vector(3)));
    carom_mat3 turn = carom_quat_matrix(carom_quat_from_rotation(carom_v3(uniform(tilt), uniform(tilt), uniform(1))));
    scene s = {.ring = {.p = ring, .velocity = random_vector(1), .spin = random_vector(20)},
               .bore = {.p = bore,
                        .axes = axes,
                        .origin = random_vector(0.1),
                        .velocity = random_vector(1),
                        .spin = random_vector(20)}};
    s.ring.axes = carom_m3_multiply(&axes, &turn);
    s.ring.origin =
        carom_v3_add(s.bore.origin, carom_m3_apply(&axes, carom_v3(uniform(5e-4), uniform(5e-4), uniform(0.01))));
    return s;
}

static carom_shape_pose moved(const carom_shape_pose *shape, double t)
{
    carom_shape_pose out = *shape;
    carom_mat3 turn = carom_quat_matrix(carom_quat_from_rotation(carom_v3_scale(t, shape->spin)));
    out.origin = carom_v3_add_scaled(shape->origin, t, shape->velocity);
    out.axes = carom_m3_multiply(&turn, &shape->axes);
    return out;
}

static carom_pair_point point_at(const scene *s, double t)
{
    carom_shape_pose i = moved(&s->ring, t), j = moved(&s->bore, t);
    carom_pair_point out;
    carom_pair_ring_bore.gap(&i, &j, &out);
    return out;
}

/* Greatest distance of the circle from the axis, by trying many points. */
static double searched(const scene *s)
{
    double most = 0;
    for (int k = 0; k < 20000; k++) {
        const double p = 2 * CAROM_PI * k / 20000;
        carom_vec3 at =
            carom_v3_add(s->ring.origin, carom_m3_apply(&s->ring.axes, carom_v3(RING * cos(p), RING * sin(p), 0)));
        carom_vec3 in_bore = carom_m3_apply_t(&s->bore.axes, carom_v3_sub(at, s->bore.origin));
        most = fmax(most, hypot(in_bore.x, in_bore.y));
    }
    return most;
}

static void farthest_point(void **state)
{
    (void)state;
    double worst = 0;
    for (int k = 0; k < TRIALS; k++) {
        scene s = random_scene(k % 2 ? 0.5 : 0.03);
        carom_pair_point p = point_at(&s, 0);
        worst = fmax(worst, fabs(p.gap - (BORE - searched(&s))));
        assert_true(fabs(carom_v3_norm(p.normal) - 1) < 1e-14);
        assert_true(fabs(carom_v3_dot(p.normal, carom_m3_column(&s.bore.axes, 2))) < 1e-12);
    }
    printf("gap against a search: %.1e m\n", worst);
    assert_true(worst < 1e-9); /* the search has 20000 points: (pi/20000)^2 R/2 */
}

static void rates(void **state)
{
    (void)state;
    double worst_gap = 0, worst_normal = 0;
    const double h = 1e-7;
    for (int k = 0; k < TRIALS; k++) {
        scene s = random_scene(0.03);
        carom_pair_point p = point_at(&s, 0), before = point_at(&s, -h), after = point_at(&s, h);
        carom_vec3 vi = carom_v3_add(s.ring.velocity, carom_v3_cross(s.ring.spin, p.from_i));
        carom_vec3 vj = carom_v3_add(s.bore.velocity, carom_v3_cross(s.bore.spin, p.from_j));
        const double rate = carom_v3_dot(p.normal, carom_v3_sub(vj, vi)),
                     difference = (after.gap - before.gap) / (2 * h);
        carom_vec3 turn = carom_v3_scale(0.5 / h, carom_v3_sub(after.normal, before.normal));
        carom_vec3 normal_rate = carom_pair_ring_bore.normal_rate(&s.ring, &s.bore);
        const double size = 1 + carom_v3_norm(turn);
        if (size > 1e5)
            continue; /* near the centre the normal turns at once */
        worst_gap = fmax(worst_gap, fabs(rate - difference));
        worst_normal = fmax(worst_normal, carom_v3_norm(carom_v3_sub(turn, normal_rate)) / (size * size));
    }
    printf("gap rate %.1e m/s, rate of the normal %.1e\n", worst_gap, worst_normal);
    assert_true(worst_gap < 1e-4);
    assert_true(worst_normal < 1e-4);
}

/* A journal of length L tilted by T about its centre in the axis: gap = B - L/2 sin T - R cos T at both ends while
   tan T < L/(2 R); without tilt, displaced by e: B - R - e. */
static void known_gaps(void **state)
{
    (void)state;
    const double length = 0.03;
    for (int k = 0; k <= 60; k++) {
        const double tilt = 0.001 * k;
        carom_mat3 turn = carom_quat_matrix(carom_quat_from_rotation(carom_v3(tilt, 0, 0)));
        for (int end = -1; end <= 1; end += 2) {
            scene s = {.ring = {.p = ring, .axes = turn}, .bore = {.p = bore, .axes = carom_m3_identity()}};
            s.ring.origin = carom_m3_apply(&turn, carom_v3(0, 0, end * length / 2));
            assert_true(fabs(point_at(&s, 0).gap - (BORE - length / 2 * sin(tilt) - RING * cos(tilt))) < 1e-16);
            s.ring =
                (carom_shape_pose){.p = ring, .axes = carom_m3_identity(), .origin = carom_v3(0, 0.0006 * tilt, end)};
            assert_true(fabs(point_at(&s, 0).gap - (BORE - RING - 0.0006 * tilt)) < 1e-16);
        }
    }
    assert_non_null(carom_pair_ring_bore.check(bore, ring));
    assert_null(carom_pair_ring_bore.check(ring, bore));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(farthest_point), cmocka_unit_test(rates),
                                       cmocka_unit_test(known_gaps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Pairs of solids with spheres, planes and each other, along random motions: the contact point is the same from both
   sides, the gap changes by n . (v_j - v_i) at it, the normal by its rate; radii at the contact against closed
   forms. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/solids.h"

#define TRIALS 6
#define STEP 1e-5

/* A shape that moves with constant velocity and spin of its origin. */
typedef struct mover {
    double p[64];
    carom_vec3 origin, velocity, spin;
    carom_mat3 axes;
} mover;

static uint64_t seed = 11;

static carom_vec3 random_vector(double size)
{
    return carom_v3(solid_uniform(&seed, -size, size), solid_uniform(&seed, -size, size),
                    solid_uniform(&seed, -size, size));
}

static void set_moving(mover *m)
{
    const carom_quat turn = carom_quat_from_rotation(random_vector(3));
    m->axes = carom_quat_matrix(turn);
    m->origin = random_vector(0.1);
    m->velocity = random_vector(1);
    m->spin = random_vector(2);
}

static carom_shape_pose pose_at(const mover *m, double t)
{
    const carom_quat turn = carom_quat_from_rotation(carom_v3_scale(t, m->spin));
    const carom_mat3 rotation = carom_quat_matrix(turn);
    return (carom_shape_pose){.p = m->p,
                              .origin = carom_v3_add_scaled(m->origin, t, m->velocity),
                              .axes = carom_m3_multiply(&rotation, &m->axes),
                              .velocity = m->velocity,
                              .spin = m->spin};
}

static carom_pair_point at(const carom_pair_kind *pair, const mover *i, const mover *j, int contact, double t)
{
    const carom_shape_pose a = pose_at(i, t), b = pose_at(j, t);
    carom_pair_point out = {0};
    if (pair->points)
        pair->gap_at(&a, &b, contact, &out);
    else
        CAROM_KIND_CALL(pair, gap, &a, &b, &out);
    return out;
}

/* Moves j along the normal until the gap is about the one wanted. */
static void bring_near(const carom_pair_kind *pair, const mover *i, mover *j, int contact, double wanted)
{
    for (int k = 0; k < 6; k++) {
        const carom_pair_point p = at(pair, i, j, contact, 0);
        j->origin = carom_v3_add_scaled(j->origin, wanted - p.gap, p.normal);
    }
}

static carom_vec3 velocity_of(const mover *m, carom_vec3 arm)
{
    return carom_v3_add(m->velocity, carom_v3_cross(m->spin, arm));
}

typedef struct tally {
    int tried, skipped;
    double point, rate, normal;
} tally;

/* Where the contact jumps to another place within the difference, or the search ends without a common normal, nothing
   is compared. */
static void compare(const carom_pair_kind *pair, const mover *i, const mover *j, int contact, tally *sum)
{
    const carom_pair_point p = at(pair, i, j, contact, 0), a = at(pair, i, j, contact, -STEP),
                           b = at(pair, i, j, contact, STEP);
    const carom_vec3 turn = carom_v3_sub(b.normal, a.normal);
    sum->tried++;
    if (!p.common || !a.common || !b.common || carom_v3_norm(turn) > 0.02 ||
        carom_v3_norm(carom_v3_sub(b.point, a.point)) > 0.02) {
        sum->skipped++;
        return;
    }
    const carom_shape_pose pi = pose_at(i, 0), pj = pose_at(j, 0);
    const carom_vec3 relative = carom_v3_sub(velocity_of(j, p.from_j), velocity_of(i, p.from_i));
    const carom_vec3 first = carom_v3_add(i->origin, p.from_i), second = carom_v3_add(j->origin, p.from_j);
    sum->point = fmax(sum->point, carom_v3_norm(carom_v3_sub(first, second)));
    sum->point = fmax(sum->point, carom_v3_norm(carom_v3_sub(first, p.point)));
    const double rate = (b.gap - a.gap) / (2 * STEP), error = fabs(rate - carom_v3_dot(p.normal, relative));
    const carom_vec3 difference = carom_v3_scale(0.5 / STEP, turn);
    const carom_vec3 turning =
        pair->normal_rate_at ? pair->normal_rate_at(&pi, &pj, contact) : CAROM_KIND_CALL(pair, normal_rate, &pi, &pj);
    const double off = carom_v3_norm(carom_v3_sub(turning, difference)) / (1 + carom_v3_norm(difference));
    if (error > 1e-3 || off > 1e-2)
        sum->skipped++; /* an edge or corner passed within the difference */
    else {
        sum->rate = fmax(sum->rate, error);
        sum->normal = fmax(sum->normal, off);
    }
}

static void finish(const char *what, const tally *sum)
{
    print_message("%s: %d tried, %d skipped, point %.1e, rate %.1e, normal %.1e\n", what, sum->tried, sum->skipped,
                  sum->point, sum->rate, sum->normal);
    assert_true(sum->skipped <= sum->tried / 10);
    assert_true(sum->point < 1e-9);
    assert_true(sum->rate < 1e-3 && sum->normal < 1e-2);
}

static void test_sphere(void **state)
{
    (void)state;
    const carom_shape_kind *kind;
    tally sum = {0};
    for (size_t k = 0; (kind = solid_kind_at(k)) != NULL; k++)
        for (int n = 0; n < 4 * TRIALS; n++) {
            mover i, j = {.p = {solid_uniform(&seed, 0.02, 0.05)}};
            const bool hollow = n % 2 == 1 && solid_may_be_hollow(kind);
            assert_true(solid_random(kind, &seed, hollow, i.p) >= 0);
            if (carom_pair_surface_sphere.check(i.p, j.p))
                continue;
            set_moving(&i);
            set_moving(&j);
            if (!hollow)
                j.origin = carom_v3_scale(30, j.origin);
            bring_near(&carom_pair_surface_sphere, &i, &j, 0, solid_uniform(&seed, -1e-3, 1e-2));
            compare(&carom_pair_surface_sphere, &i, &j, 0, &sum);
        }
    finish("surface-sphere", &sum);
}

static void test_plane(void **state)
{
    (void)state;
    const carom_shape_kind *kind;
    tally sum = {0};
    for (size_t k = 0; (kind = solid_kind_at(k)) != NULL; k++)
        for (int n = 0; n < 2 * TRIALS; n++) {
            mover i, j = {.p = {0.3, -0.4, 1.2}};
            assert_true(solid_random(kind, &seed, false, i.p) >= 0);
            assert_null(carom_pair_surface_plane.check(i.p, j.p));
            const int points = carom_pair_surface_plane.points(i.p, j.p);
            set_moving(&i);
            set_moving(&j);
            double least = HUGE_VAL;
            for (int c = 0; c < points; c++) {
                compare(&carom_pair_surface_plane, &i, &j, c, &sum);
                least = fmin(least, at(&carom_pair_surface_plane, &i, &j, c, 0).gap);
            }
            /* no point of the solid is lower than its contact points */
            carom_solid solid;
            const carom_shape_pose pose = pose_at(&i, 0), plane = pose_at(&j, 0);
            carom_surface_contact deepest;
            carom_solid_at(&pose, false, &solid);
            carom_surface_plane_deepest(&solid.surface, &solid.pose, carom_plane_normal(&plane), &plane, &deepest);
            assert_true(fabs(deepest.gap - least) < 1e-12);
        }
    finish("surface-plane", &sum);
}

static void test_surfaces(void **state)
{
    (void)state;
    const carom_shape_kind *a, *b;
    tally sum = {0};
    for (size_t k = 0; (a = solid_kind_at(k)) != NULL; k++)
        for (size_t l = 0; (b = solid_kind_at(l)) != NULL; l++) {
            mover i, j;
            assert_true(solid_random(a, &seed, false, i.p) >= 0 && solid_random(b, &seed, false, j.p) >= 0);
            if (carom_pair_surface_surface.points(i.p, j.p) > 1)
                continue;
            set_moving(&i);
            set_moving(&j);
            j.origin = carom_v3_scale(30, j.origin);
            bring_near(&carom_pair_surface_surface, &i, &j, 0, solid_uniform(&seed, -1e-3, 1e-2));
            compare(&carom_pair_surface_surface, &i, &j, 0, &sum);
        }
    finish("surface-surface", &sum);
}

/* A torus, a tube or a cone over a face of a box, in both orders: the least gap and each place that bears. */
static void test_over_box(void **state)
{
    (void)state;
    static const char *const names[] = {"torus", "tube", "cone"};
    static const double params[][5] = {{0.1, 0.02}, {0.05, 0.06, 0.1, 0.002}, {0.05, 0.02, 0.15, 0.002}};
    const carom_shape_kind *const kinds[] = {&carom_shape_torus, &carom_shape_tube, &carom_shape_cone};
    for (int k = 0; k < 3; k++) {
        tally sum = {0};
        int bearing = 0;
        for (int n = 0; n < 60; n++) {
            mover box, solid;
            const double size[4] = {0.8, 0.7, 0.6, n % 2 ? 0.02 : 0};
            assert_null(carom_shape_box.solid(size, NULL, box.p));
            assert_null(kinds[k]->solid(params[k], NULL, solid.p));
            set_moving(&box);
            set_moving(&solid);
            const carom_quat turn = carom_quat_from_rotation(random_vector(n % 3 ? 3 : 0.1));
            const carom_mat3 turned = carom_quat_matrix(turn), lying = {{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}};
            solid.axes = carom_m3_multiply(&box.axes, &turned);
            if (k == 2 && n % 3 == 0)
                solid.axes = carom_m3_multiply(&solid.axes, &lying);
            const carom_vec3 over = carom_v3(solid_uniform(&seed, -0.2, 0.2), solid_uniform(&seed, -0.2, 0.2), 0.6);
            solid.origin = carom_v3_add(box.origin, carom_m3_apply(&box.axes, over));
            bring_near(&carom_pair_surface_surface, &box, &solid, 0, solid_uniform(&seed, -1e-3, 1e-3));
            const int points = carom_pair_surface_surface.points(box.p, solid.p);
            for (int c = 0; c < points; c++) {
                const carom_pair_point p = at(&carom_pair_surface_surface, &box, &solid, c, 0);
                const carom_pair_point q = at(&carom_pair_surface_surface, &solid, &box, c, 0);
                if (c > 0 && (p.less > 0.999 || (k == 2 && c < points - 2)))
                    continue;
                assert_true(fabs(p.gap - q.gap) < 1e-15 && fabs(p.less - q.less) < 1e-15);
                bearing += c > 0;
                compare(&carom_pair_surface_surface, n % 2 ? &box : &solid, n % 2 ? &solid : &box, c, &sum);
            }
        }
        print_message("%s: %d places that bear\n", names[k], bearing);
        assert_true(bearing > 10);
        finish(names[k], &sum);
    }
}

/* Distance of a point from the line between two points. */
static double from_line(carom_vec3 x, carom_vec3 a, carom_vec3 b)
{
    const carom_vec3 way = carom_v3_sub(b, a), d = carom_v3_sub(x, a);
    const double at = fmin(fmax(carom_v3_dot(d, way) / carom_v3_dot(way, way), 0), 1);
    return carom_v3_norm(carom_v3_add_scaled(d, -at, way));
}

/* A ring on, beside and about a rod: no point of its circle is nearer to the line of the rod, by 4000 of them. */
static void test_ring(void **state)
{
    (void)state;
    tally sum = {0};
    const double hoop[3] = {0.1, 0.02}, rod[7] = {-0.3, 0, 0, 0.3, 0, 0, 0.015};
    for (int n = 0; n < 200; n++) {
        mover ring, bar;
        assert_null(carom_shape_torus.solid(hoop, NULL, ring.p));
        assert_null(carom_shape_capsule.solid(rod, NULL, bar.p));
        set_moving(&ring);
        set_moving(&bar);
        const carom_pair_point p = at(&carom_pair_surface_surface, n % 2 ? &ring : &bar, n % 2 ? &bar : &ring, 0, 0);
        const carom_vec3 reach = carom_m3_apply(&bar.axes, carom_v3(0.3, 0, 0));
        const carom_vec3 a = carom_v3_sub(bar.origin, reach), b = carom_v3_add(bar.origin, reach);
        double least = HUGE_VAL;
        for (int k = 0; k < 4000; k++) {
            const double angle = 2 * CAROM_PI * k / 4000;
            const carom_vec3 c = carom_m3_apply(&ring.axes, carom_v3(0.1 * cos(angle), 0.1 * sin(angle), 0));
            least = fmin(least, from_line(carom_v3_add(ring.origin, c), a, b));
        }
        if (least < 0.0151) /* the circle passes through the rod */
            continue;
        /* between two of them 0.1 m (pi/4000)^2/2 (1 + 0.1/0.015) at most */
        assert_true(p.gap <= least - 0.035 + 1e-12 && p.gap > least - 0.035 - 3e-7);
        compare(&carom_pair_surface_surface, n % 2 ? &ring : &bar, n % 2 ? &bar : &ring, 0, &sum);
    }
    assert_true(sum.tried > 60);
    finish("ring and rod", &sum);
}

/* A pin in a tube, nearly parallel: two contacts, in both orders of the shapes. */
static void test_pin(void **state)
{
    (void)state;
    tally sum = {0};
    for (int n = 0; n < 20; n++) {
        mover tube, pin;
        const double bush[4] = {0.1, 0.2, 0.4, 0}, rod[4] = {0.098, 0.6, 0, 0};
        assert_null(carom_shape_tube.solid(bush, NULL, tube.p));
        assert_null(carom_shape_cylinder.solid(rod, NULL, pin.p));
        assert_int_equal(carom_pair_surface_surface.points(tube.p, pin.p), 2);
        assert_int_equal(carom_pair_surface_surface.points(pin.p, tube.p), 2);
        set_moving(&tube);
        set_moving(&pin);
        const carom_mat3 tilt = carom_quat_matrix(carom_quat_from_rotation(random_vector(2e-3)));
        pin.axes = carom_m3_multiply(&tilt, &tube.axes);
        pin.origin = carom_v3_add(tube.origin, carom_m3_apply(&tube.axes, carom_v3(1.5e-3, 0.5e-3, 0.02)));
        pin.spin = carom_v3_add(tube.spin, random_vector(0.01));
        pin.velocity = carom_v3_add(tube.velocity, random_vector(0.01));
        for (int c = 0; c < 2; c++) {
            const carom_pair_point p = at(&carom_pair_surface_surface, &tube, &pin, c, 0);
            const carom_pair_point q = at(&carom_pair_surface_surface, &pin, &tube, c, 0);
            assert_true(fabs(p.gap - q.gap) < 1e-15 && carom_v3_norm(carom_v3_add(p.normal, q.normal)) < 1e-15);
            assert_true(fabs(p.radius_i + 0.1) < 1e-9 && fabs(p.radius_j - 0.098) < 1e-9);
            const carom_pair_point a = at(&carom_pair_surface_surface, &tube, &pin, c, -STEP),
                                   b = at(&carom_pair_surface_surface, &tube, &pin, c, STEP);
            const carom_vec3 relative = carom_v3_sub(velocity_of(&pin, p.from_j), velocity_of(&tube, p.from_i));
            sum.rate = fmax(sum.rate, fabs((b.gap - a.gap) / (2 * STEP) - carom_v3_dot(p.normal, relative)));
        }
    }
    print_message("pin in tube: rate %.1e\n", sum.rate);
    assert_true(sum.rate < 1e-4);
}

/* A pin that enters, leaves or sticks out, at any tilt that its clearance admits, with sharp and round edges: gap and
   normal change as the motion tells. */
static void test_pin_at_mouth(void **state)
{
    (void)state;
    tally sum = {0};
    for (int n = 0; n < 400; n++) {
        mover tube, pin;
        const bool capsule = n % 3 == 2;
        const double bush[4] = {0.1, 0.2, 0.4, n % 2 ? 0.02 : 0}, rod[4] = {0.09, 0.6, n % 3 ? 0.03 : 0, 0};
        const double pill[7] = {0, 0, -0.2, 0, 0, 0.2, 0.09};
        assert_null(carom_shape_tube.solid(bush, NULL, tube.p));
        assert_null(capsule ? carom_shape_capsule.solid(pill, NULL, pin.p)
                            : carom_shape_cylinder.solid(rod, NULL, pin.p));
        assert_int_equal(carom_pair_surface_surface.points(tube.p, pin.p), 2);
        set_moving(&tube);
        set_moving(&pin);
        const carom_mat3 tilt = carom_quat_matrix(carom_quat_from_rotation(random_vector(0.06)));
        pin.axes = carom_m3_multiply(&tilt, &tube.axes);
        const carom_vec3 at = carom_v3(solid_uniform(&seed, -0.008, 0.008), solid_uniform(&seed, -0.008, 0.008),
                                       solid_uniform(&seed, -0.6, 0.6));
        pin.origin = carom_v3_add(tube.origin, carom_m3_apply(&tube.axes, at));
        pin.spin = carom_v3_add(tube.spin, random_vector(0.1));
        pin.velocity = carom_v3_add(tube.velocity, random_vector(0.1));
        for (int c = 0; c < 2; c++)
            compare(&carom_pair_surface_surface, n % 5 ? &tube : &pin, n % 5 ? &pin : &tube, c, &sum);
    }
    finish("pin at a mouth", &sum);
    /* where the way about an edge, as near as 1 mm, ends within the difference, the bend of the gap jumps:
       STEP/4 (0.2 m/s)^2/1 mm = 1e-4 m/s */
    assert_true(sum.rate < 1e-4);
}

/* Radii and curvatures of contacts that are known. */
static void test_radii(void **state)
{
    (void)state;
    /* a ball of 0.02 m in a groove of 0.03 m about a ring of 0.2 m, at its bottom and outermost */
    mover ring = {.axes = carom_m3_identity()}, ball = {.p = {0.02}, .axes = carom_m3_identity()};
    const double groove[3] = {0.2, 0.03, 1};
    assert_null(carom_shape_torus.solid(groove, NULL, ring.p));
    for (int inner = 0; inner < 2; inner++) {
        ball.origin = carom_v3(inner ? 0.2 - 0.01 : 0.2 + 0.01, 0, 0);
        const carom_pair_point p = at(&carom_pair_surface_sphere, &ring, &ball, 0, 0);
        const double across = 1 / 0.02 - 1 / 0.03, along = 1 / 0.02 + (inner ? 1 / 0.17 : -1 / 0.23);
        assert_true(fabs(p.gap) < 1e-15);
        assert_true(fabs(p.curvature[0] - fmin(across, along)) < 1e-9);
        assert_true(fabs(p.curvature[1] - fmax(across, along)) < 1e-9);
        assert_true(fabs(1 / p.radius_i + 1 / p.radius_j - sqrt(across * along)) < 1e-9);
    }
    /* an ellipsoid on a plane: curvatures c/a^2 and c/b^2 under the axis z */
    mover egg = {.axes = carom_m3_identity(), .origin = carom_v3(0, 0, 0.5)}, floor = {.p = {0, 0, 1}};
    const double axes[4] = {0.3, 0.4, 0.5, 0};
    floor.axes = carom_m3_identity();
    assert_null(carom_shape_ellipsoid.solid(axes, NULL, egg.p));
    const carom_pair_point p = at(&carom_pair_surface_plane, &egg, &floor, 0, 0);
    assert_true(fabs(p.gap) < 1e-15 && isinf(p.radius_j));
    assert_true(fabs(p.curvature[0] - 0.5 / 0.16) < 1e-9 && fabs(p.curvature[1] - 0.5 / 0.09) < 1e-9);
    assert_true(fabs(p.radius_i - sqrt(0.16 * 0.09) / 0.5) < 1e-9);
}

/* A sphere as an ellipsoid is a sphere. */
static void test_sphere_as_ellipsoid(void **state)
{
    (void)state;
    for (int n = 0; n < 200; n++) {
        const double radius = solid_uniform(&seed, 0.05, 0.3), other = solid_uniform(&seed, 0.05, 0.3);
        const double axes[4] = {radius, radius, radius, 0}, others[4] = {other, other, other, 0};
        mover i, j, ball_i, ball_j;
        assert_null(carom_shape_ellipsoid.solid(axes, NULL, i.p));
        assert_null(carom_shape_ellipsoid.solid(others, NULL, j.p));
        set_moving(&i);
        set_moving(&j);
        j.origin = carom_v3_scale(4, j.origin);
        if (carom_v3_norm(carom_v3_sub(j.origin, i.origin)) < 0.5 * (radius + other))
            continue;
        ball_i = i;
        ball_j = j;
        ball_i.p[0] = radius;
        ball_j.p[0] = other;
        const carom_pair_point p = at(&carom_pair_surface_surface, &i, &j, 0, 0);
        const carom_pair_point q = at(&carom_pair_sphere_sphere, &ball_i, &ball_j, 0, 0);
        const carom_pair_point r = at(&carom_pair_surface_sphere, &i, &ball_j, 0, 0);
        assert_true(fabs(p.gap - q.gap) < 1e-12 && fabs(r.gap - q.gap) < 1e-12);
        assert_true(carom_v3_norm(carom_v3_sub(p.normal, q.normal)) < 1e-10);
        assert_true(carom_v3_norm(carom_v3_sub(p.point, q.point)) < 1e-10);
        assert_true(fabs(p.radius_i - radius) < 1e-9 && fabs(p.radius_j - other) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_over_box),
        cmocka_unit_test(test_ring),
        cmocka_unit_test(test_pin),
        cmocka_unit_test(test_pin_at_mouth),
        cmocka_unit_test(test_radii),
        cmocka_unit_test(test_sphere_as_ellipsoid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

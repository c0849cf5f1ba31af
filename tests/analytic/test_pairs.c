/* Shapes and pairs: sphere, plane, sphere-sphere, sphere-plane. Gap against the definition, its rate n . (v_j - v_i) at
   the contact point against differences along random motions, geometry of the point, degenerate positions. */
#include "carom_test.h"

#include <math.h>

#include "kinds/shape/shape.h"
#include "support/kinds.h"

#define TRIALS 2000

/* Uniform in [low, high); a fixed sequence (Knuth's MMIX generator). */
static double uniform(double low, double high)
{
    static uint64_t state = 12345;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

static carom_vec3 random_vector(double size, bool planar)
{
    return carom_v3(uniform(-size, size), uniform(-size, size), planar ? 0 : uniform(-size, size));
}

static carom_vec3 random_spin(double size, bool planar)
{
    return planar ? carom_v3(0, 0, uniform(-size, size)) : random_vector(size, false);
}

/* A shape on a body that moves with constant velocity and angular velocity (world axes). */
typedef struct mover {
    double p[3];
    carom_vec3 centre, arm;    /* of the body at t = 0, and from it to the shape [m] */
    carom_vec3 velocity, spin; /* [m/s], [rad/s] */
    carom_mat3 axes;           /* at t = 0 */
} mover;

static mover random_mover(bool planar)
{
    mover m = {.centre = random_vector(0.3, planar),
               .arm = random_vector(0.2, planar),
               .velocity = random_vector(2, planar),
               .spin = random_spin(3, planar)};
    carom_quat turn = carom_quat_from_rotation(random_spin(3, planar));
    m.axes = carom_quat_matrix(turn);
    return m;
}

static carom_shape_pose pose_at(const mover *m, double t)
{
    carom_quat turn = carom_quat_from_rotation(carom_v3_scale(t, m->spin));
    carom_mat3 rotation = carom_quat_matrix(turn);
    carom_vec3 centre = carom_v3_add_scaled(m->centre, t, m->velocity);
    return (carom_shape_pose){.p = m->p,
                              .origin = carom_v3_add(centre, carom_m3_apply(&rotation, m->arm)),
                              .axes = carom_m3_multiply(&rotation, &m->axes)};
}

static carom_vec3 velocity_of(const mover *m, carom_vec3 point)
{
    return carom_v3_add(m->velocity, carom_v3_cross(m->spin, carom_v3_sub(point, m->centre)));
}

static carom_pair_point gap_at(const carom_pair_kind *pair, const mover *i, const mover *j, double t)
{
    carom_shape_pose a = pose_at(i, t), b = pose_at(j, t);
    carom_pair_point out;
    CAROM_KIND_CALL(pair, gap, &a, &b, &out);
    return out;
}

/* n . (v_j - v_i) at the contact point against a five-point difference of the gap; returns the error [m/s]. */
static double rate_error(const carom_pair_kind *pair, const mover *i, const mover *j)
{
    const double h = 2e-4;
    carom_pair_point at = gap_at(pair, i, j, 0);
    double difference = (gap_at(pair, i, j, -2 * h).gap - 8 * gap_at(pair, i, j, -h).gap +
                         8 * gap_at(pair, i, j, h).gap - gap_at(pair, i, j, 2 * h).gap) /
                        (12 * h);
    carom_vec3 relative = carom_v3_sub(velocity_of(j, at.point), velocity_of(i, at.point));
    return fabs(carom_v3_dot(at.normal, relative) - difference);
}

/* Distance of the point from the line through `centre` along the normal [m]. */
static double off_line(const carom_pair_point *at, carom_vec3 centre)
{
    return carom_v3_norm(carom_v3_cross(carom_v3_sub(at->point, centre), at->normal));
}

static double distance(carom_vec3 a, carom_vec3 b) { return carom_v3_norm(carom_v3_sub(a, b)); }

/* Radii of the two spheres: side by side, or one hollow and the other one inside. */
static void random_radii(int sort, double *a, double *b)
{
    *a = uniform(0.01, 0.3);
    *b = uniform(0.01, 0.3);
    if (sort == 1)
        *b = -(*a + uniform(1e-4, 1));
    if (sort == 2)
        *a = -(*b + uniform(1e-4, 1));
}

static void test_sphere_sphere(void **state)
{
    (void)state;
    double worst = 0, lines = 0, surfaces = 0;
    for (int k = 0; k < TRIALS; k++) {
        bool planar = k % 2 == 0;
        mover i = random_mover(planar), j = random_mover(planar);
        random_radii(k % 3, &i.p[0], &j.p[0]);
        assert_null(carom_pair_sphere_sphere.check(i.p, j.p));
        carom_shape_pose a = pose_at(&i, 0), b = pose_at(&j, 0);
        double apart = distance(a.origin, b.origin);
        if (apart < 0.1)
            continue; /* the differences need a smooth gap */
        carom_pair_point at = gap_at(&carom_pair_sphere_sphere, &i, &j, 0);
        /* definition */
        double ri = i.p[0], rj = j.p[0];
        double expected = ri > 0 && rj > 0 ? apart - ri - rj : -ri - rj - apart;
        assert_true(fabs(at.gap - expected) < 1e-15);
        assert_true(fabs(carom_v3_norm(at.normal) - 1) < 1e-15);
        if (planar)
            assert_true(at.normal.z == 0 && at.point.z == 0);
        /* a normal force goes through both centres, and the point halves the gap */
        lines = fmax(lines, fmax(off_line(&at, a.origin), off_line(&at, b.origin)));
        double from_i = carom_v3_dot(at.normal, carom_v3_sub(at.point, a.origin));
        double to_j = carom_v3_dot(at.normal, carom_v3_sub(b.origin, at.point));
        surfaces = fmax(surfaces, fmax(fabs(from_i - ri - 0.5 * at.gap), fabs(to_j - rj - 0.5 * at.gap)));
        worst = fmax(worst, rate_error(&carom_pair_sphere_sphere, &i, &j));
        /* the other order: the same gap and point, the opposite normal */
        carom_pair_point other = gap_at(&carom_pair_sphere_sphere, &j, &i, 0);
        assert_true(other.gap == at.gap);
        assert_true(distance(other.point, at.point) < 1e-15);
        assert_true(distance(other.normal, carom_v3_neg(at.normal)) == 0);
    }
    printf("sphere-sphere: rate %.2g m/s, line %.2g m, surface %.2g m\n", worst, lines, surfaces);
    assert_true(worst < 1e-6 && lines < 1e-15 && surfaces < 1e-15);
}

static void test_sphere_plane(void **state)
{
    (void)state;
    double worst = 0, deepest = 0;
    for (int k = 0; k < TRIALS; k++) {
        bool planar = k % 2 == 0;
        mover i = random_mover(planar), j = random_mover(planar);
        i.p[0] = uniform(0.01, 0.3);
        carom_vec3 n = random_vector(pow(10, uniform(-5, 5)), planar);
        j.p[0] = n.x;
        j.p[1] = n.y;
        j.p[2] = n.z;
        assert_null(carom_pair_sphere_plane.check(i.p, j.p));
        carom_shape_pose a = pose_at(&i, 0), b = pose_at(&j, 0);
        carom_pair_point at = gap_at(&carom_pair_sphere_plane, &i, &j, 0);
        assert_true(fabs(carom_v3_norm(at.normal) - 1) < 1e-15);
        /* the normal goes into the plane's material; the point is the sphere's, `gap` above the plane */
        carom_vec3 out = carom_m3_apply(&b.axes, n);
        assert_true(carom_v3_dot(out, at.normal) < 0);
        assert_true(fabs(distance(at.point, a.origin) - i.p[0]) < 1e-15);
        double height = -carom_v3_dot(at.normal, carom_v3_sub(at.point, b.origin));
        deepest = fmax(deepest, fabs(height - at.gap));
        assert_true(off_line(&at, a.origin) < 1e-15);
        if (planar)
            assert_true(at.normal.z == 0 && at.point.z == 0);
        worst = fmax(worst, rate_error(&carom_pair_sphere_plane, &i, &j));
    }
    printf("sphere-plane: rate %.2g m/s, height %.2g m\n", worst, deepest);
    assert_true(worst < 1e-9 && deepest < 1e-15);
}

/* The difference error of the sphere pairs falls with the fourth power of the step; the rate itself is exact where the
   gap is a square root that can be differentiated by hand. */
static void test_rate_is_exact(void **state)
{
    (void)state;
    double worst = 0;
    for (int k = 0; k < TRIALS; k++) {
        mover i = random_mover(false), j = random_mover(false);
        random_radii(k % 3, &i.p[0], &j.p[0]);
        carom_shape_pose a = pose_at(&i, 0), b = pose_at(&j, 0);
        carom_vec3 line = carom_v3_sub(b.origin, a.origin);
        carom_vec3 rate = carom_v3_sub(velocity_of(&j, b.origin), velocity_of(&i, a.origin));
        double exact = carom_v3_dot(line, rate) / carom_v3_norm(line);
        if (i.p[0] < 0 || j.p[0] < 0)
            exact = -exact;
        carom_pair_point at = gap_at(&carom_pair_sphere_sphere, &i, &j, 0);
        carom_vec3 relative = carom_v3_sub(velocity_of(&j, at.point), velocity_of(&i, at.point));
        worst = fmax(worst, fabs(carom_v3_dot(at.normal, relative) - exact));
    }
    printf("sphere-sphere: rate by hand %.2g m/s\n", worst);
    assert_true(worst < 1e-14);
}

/* Five-point difference of normal (0), from_i (1) or from_j (2). */
static carom_vec3 rate_of(const carom_pair_kind *pair, const mover *i, const mover *j, int which)
{
    static const double weight[4] = {1, -8, 8, -1}, at[4] = {-2, -1, 1, 2};
    const double h = 2e-4;
    carom_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const carom_pair_point out = gap_at(pair, i, j, at[k] * h);
        const carom_vec3 vector = which == 0 ? out.normal : which == 1 ? out.from_i : out.from_j;
        sum = carom_v3_add_scaled(sum, weight[k] / (12 * h), vector);
    }
    return sum;
}

/* The point of contact is that of both arms, and normal and arms move at the rates that the pair says. */
static void check_rates(const carom_pair_kind *pair, const mover *i, const mover *j, double *worst)
{
    carom_shape_pose a = pose_at(i, 0), b = pose_at(j, 0);
    a.velocity = velocity_of(i, a.origin);
    b.velocity = velocity_of(j, b.origin);
    a.spin = i->spin;
    b.spin = j->spin;
    carom_vec3 from_i, from_j;
    const carom_pair_point at = gap_at(pair, i, j, 0);
    assert_true(distance(carom_v3_add(a.origin, at.from_i), at.point) < 1e-14);
    assert_true(distance(carom_v3_add(b.origin, at.from_j), at.point) < 1e-14);
    pair->arm_rates(&a, &b, &from_i, &from_j);
    *worst = fmax(*worst, distance(pair->normal_rate(&a, &b), rate_of(pair, i, j, 0)));
    *worst = fmax(*worst, distance(from_i, rate_of(pair, i, j, 1)));
    *worst = fmax(*worst, distance(from_j, rate_of(pair, i, j, 2)));
}

static void test_rates_of_arms(void **state)
{
    (void)state;
    double spheres = 0, planes = 0;
    for (int k = 0; k < TRIALS; k++) {
        mover i = random_mover(false), j = random_mover(false);
        random_radii(k % 3, &i.p[0], &j.p[0]);
        const carom_shape_pose a = pose_at(&i, 0), b = pose_at(&j, 0);
        if (distance(a.origin, b.origin) > 0.3)
            check_rates(&carom_pair_sphere_sphere, &i, &j, &spheres);
        i.p[0] = fabs(i.p[0]);
        check_rates(&carom_pair_sphere_plane, &i, &j, &planes);
    }
    printf("rates of normals and arms: spheres %.2g, planes %.2g\n", spheres, planes);
    assert_true(spheres < 1e-8 && planes < 1e-8);
}

static const carom_mat3 identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/* Indentations far below the radii come out to the rounding of the distance. */
static void test_small_gaps(void **state)
{
    (void)state;
    static const double radii[][2] = {{1, 1}, {0.02, 3}, {0.0254, 0.05}, {0.01, -0.0102}, {-7, 0.3}, {0.1, 1e-4}};
    double worst = 0;
    for (size_t k = 0; k < sizeof radii / sizeof radii[0]; k++)
        for (int n = 3; n < 14; n++) {
            const double a = radii[k][0], b = radii[k][1], depth = pow(10, -n) * fmin(fabs(a), fabs(b));
            const double touching = a > 0 && b > 0 ? a + b : -a - b;
            const double apart = a > 0 && b > 0 ? touching - depth : touching + depth;
            carom_shape_pose i = {.p = &a, .axes = identity};
            carom_shape_pose j = {.p = &b, .axes = identity, .origin = carom_v3(0, apart, 0)};
            carom_pair_point at;
            carom_pair_sphere_sphere.gap(&i, &j, &at);
            const long double l = (long double)apart, la = (long double)a, lb = (long double)b;
            const long double expected = a > 0 && b > 0 ? l - la - lb : -la - lb - l;
            worst = fmax(worst, (double)fabsl((long double)at.gap - expected) / apart);
        }
    printf("small gaps: %.2g of the distance\n", worst);
    assert_true(worst == 0);
}

static void test_degenerate(void **state)
{
    (void)state;
    static const double radii[][2] = {{0.1, 0.2}, {0.1, -0.2}, {-0.2, 0.1}};
    static const double offsets[] = {0, 1e-300, 1e-160, 5e-324};
    for (size_t k = 0; k < sizeof radii / sizeof radii[0]; k++)
        for (size_t o = 0; o < sizeof offsets / sizeof offsets[0]; o++) {
            carom_shape_pose i = {.p = &radii[k][0], .axes = identity};
            carom_shape_pose j = {.p = &radii[k][1], .axes = identity, .origin = carom_v3(0, offsets[o], 0)};
            carom_pair_point at;
            carom_pair_sphere_sphere.gap(&i, &j, &at);
            double expected = k == 0 ? -(0.1 + 0.2) : 0.2 - 0.1;
            assert_true(fabs(at.gap - expected) < 1e-16);
            assert_true(carom_v3_norm(at.normal) == 1 && at.normal.y == 0 && at.normal.z == 0);
            assert_true(isfinite(at.point.x) && isfinite(at.point.y) && isfinite(at.point.z));
        }
    /* normals of any length */
    static const double lengths[] = {1e-300, 1e-150, 1e-3, 1, 1e150, 1e300};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        const double radius = 0.5, normal[3] = {0, 3 * lengths[k], 4 * lengths[k]};
        carom_shape_pose i = {.p = &radius, .axes = identity, .origin = carom_v3(7, 1, 2)};
        carom_shape_pose j = {.p = normal, .axes = identity};
        carom_pair_point at;
        carom_pair_sphere_plane.gap(&i, &j, &at);
        assert_true(fabs(at.gap - (0.6 + 1.6 - 0.5)) < 1e-15);
        assert_true(distance(at.normal, carom_v3(0, -0.6, -0.8)) < 1e-15);
    }
}

/* Whether a shape is known to pairs by a name. */
static bool is_surface(const char *name)
{
    for (size_t k = 0; k < carom_kind_count(all_kinds(), CAROM_FAMILY_SHAPE); k++)
        for (int planar = 0; planar < 2; planar++)
            if (strcmp(carom_shape_surface((const carom_shape_kind *)carom_kind_at(all_kinds(), CAROM_FAMILY_SHAPE, k),
                                           planar),
                       name) == 0)
                return true;
    return false;
}

static void test_tables(void **state)
{
    (void)state;
    const double ball = 0.1, small = 0.02, hollow = -0.3, tight = -0.1, normal[3] = {0, 1, 0};
    double a, b;
    /* what fits */
    assert_null(carom_pair_sphere_sphere.check(&ball, &small));
    assert_null(carom_pair_sphere_sphere.check(&hollow, &small));
    assert_null(carom_pair_sphere_sphere.check(&ball, &hollow));
    assert_non_null(carom_pair_sphere_sphere.check(&hollow, &tight));
    assert_non_null(carom_pair_sphere_sphere.check(&ball, &tight));
    assert_non_null(carom_pair_sphere_sphere.check(&tight, &ball));
    assert_null(carom_pair_sphere_plane.check(&ball, normal));
    assert_non_null(carom_pair_sphere_plane.check(&hollow, normal));
    /* curvatures and sizes */
    carom_pair_sphere_sphere.curvature(&ball, &hollow, &a, &b);
    assert_true(a == 0.1 && b == -0.3);
    carom_pair_sphere_plane.curvature(&ball, normal, &a, &b);
    assert_true(a == 0.1 && isinf(b) && b > 0);
    assert_true(carom_pair_sphere_sphere.feature_size(&hollow, &small) == 0.02);
    assert_true(carom_pair_sphere_sphere.feature_size(&ball, &small) == 0.02);
    assert_true(carom_pair_sphere_plane.feature_size(&ball, normal) == 0.1);
    assert_true(carom_shape_sphere.bounding_radius(&ball) == 0.1);
    assert_true(isinf(carom_shape_sphere.bounding_radius(&hollow)));
    assert_true(isinf(carom_shape_plane.bounding_radius(normal)));
    assert_int_equal(carom_kind_param_size(&carom_shape_sphere.kind), 1);
    assert_int_equal(carom_kind_param_size(&carom_shape_plane.kind), 3);
    /* the shapes of every pair exist, in the dimensions of both */
    for (size_t k = 0; k < carom_kind_count(all_kinds(), CAROM_FAMILY_PAIR); k++) {
        const carom_pair_kind *pair = (const carom_pair_kind *)carom_kind_at(all_kinds(), CAROM_FAMILY_PAIR, k);
        assert_true(is_surface(pair->shape_i) && is_surface(pair->shape_j));
        assert_true((pair->points ? pair->gap_at != NULL : pair->gap != NULL) && pair->curvature);
        assert_true(pair->normal_rate || pair->normal_rate_at);
        assert_true(pair->feature_size && pair->check);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere_sphere), cmocka_unit_test(test_sphere_plane), cmocka_unit_test(test_rate_is_exact),
        cmocka_unit_test(test_rates_of_arms),
        cmocka_unit_test(test_small_gaps),    cmocka_unit_test(test_degenerate),   cmocka_unit_test(test_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Ten thousand seeded poses of pairs of surfaces: the common-normal equations hold, no direction separates two
   convex solids more and no point of another pair is deeper, a warm start agrees with the global search at few
   evaluations, and the rates of gap and normal are those of difference quotients. */
#include "carom_test.h"

#include <math.h>

#include "kinds/shape/shape.h"
#include "support/frames.h"
#include "support/near.h"
#include "support/surfaces.h"

#define PI 3.14159265358979323846

#ifdef __SANITIZE_ADDRESS__
#define CONVEX_POSES 900
#define OTHER_POSES 100
#else
#define CONVEX_POSES 9625
#define OTHER_POSES 300
#endif
#define DIRECTIONS 60
#define NEAR_DIRECTIONS 30
#define POINTS 100

static uint64_t seed = 20240711;

typedef struct pair {
    const char *name_i, *name_j;
    carom_surface i, j;
    carom_shape_pose pose_i, pose_j;
} pair;

static struct {
    int count, evaluations, most, global, changed, rates, bent, iterations;
    double residual, missed, warm;
} total;

static carom_vec3 unit_vector(void)
{
    for (;;) {
        const carom_vec3 v = test_random_vector(&seed, 3, 1);
        const double size = carom_v3_norm(v);
        if (size > 0.1 && size < 1)
            return carom_v3_scale(1 / size, v);
    }
}

static const char *label(const pair *p)
{
    static char text[64];
    snprintf(text, sizeof text, "%s on %s", p->name_i, p->name_j);
    return text;
}

static void solve(const pair *p, const double *hint, carom_surface_contact *c)
{
    carom_surface_pair(&p->i, &p->pose_i, &p->j, &p->pose_j, hint, c);
}

/* Separation of two convex solids along n, the axes of the world. */
static double along(const pair *p, carom_vec3 n)
{
    const carom_vec3 a = p->i.kind->support(p->i.p, carom_m3_apply_t(&p->pose_i.axes, n));
    const carom_vec3 b = p->j.kind->support(p->j.p, carom_m3_apply_t(&p->pose_j.axes, carom_v3_neg(n)));
    const carom_vec3 d = carom_v3_sub(carom_v3_add(p->pose_j.origin, carom_m3_apply(&p->pose_j.axes, b)),
                                      carom_v3_add(p->pose_i.origin, carom_m3_apply(&p->pose_i.axes, a)));
    return carom_v3_dot(d, n);
}

static void brute_convex(const pair *p, const carom_surface_contact *c)
{
    for (int k = 0; k < DIRECTIONS + NEAR_DIRECTIONS; k++) {
        carom_vec3 n = unit_vector();
        if (k >= DIRECTIONS)
            n = carom_unit(carom_v3_add_scaled(c->normal, pow(10, test_random(&seed, -4, -0.5)), n));
        const double excess = along(p, n) - c->gap;
        total.missed = fmax(total.missed, excess);
        if (excess > 1e-9)
            fail_msg("%s, pose %d: gap %.12g, a direction separates %.3g more", label(p), total.count, c->gap, excess);
    }
}

/* Distance to one surface of random points of the other one. */
static void brute_points(const pair *p, const carom_surface_contact *c)
{
    for (int side = 0; side < 2; side++) {
        const carom_surface *of = side ? &p->i : &p->j, *to = side ? &p->j : &p->i;
        const carom_shape_pose *pose = side ? &p->pose_i : &p->pose_j, *other = side ? &p->pose_j : &p->pose_i;
        const carom_surface_placed placed = carom_surface_place(other, pose);
        double low, high;
        of->kind->range(of->p, &low, &high);
        for (int k = 0; k < POINTS; k++) {
            carom_surface_point x, foot;
            carom_surface_at(of, test_random(&seed, -PI, PI), test_random(&seed, low, high), &x);
            x = carom_surface_moved(&placed, &x);
            const double excess = c->gap - carom_surface_distance(to, x.position, &foot);
            total.missed = fmax(total.missed, excess);
            if (excess > 1e-9)
                fail_msg("%s, pose %d: gap %.12g, a point is deeper by %.3g", label(p), total.count, c->gap, excess);
        }
    }
}

static void check_equations(const pair *p, const carom_surface_contact *c)
{
    const carom_vec3 x_i = carom_v3_add(p->pose_i.origin, c->from_i), x_j = carom_v3_add(p->pose_j.origin, c->from_j);
    const carom_vec3 d = carom_v3_sub(x_j, x_i);
    if (!c->converged || !(c->residual < 1e-10))
        fail_msg("%s, pose %d: residual %.3g after %d steps, gap %.6g", label(p), total.count, c->residual,
                 c->iterations, c->gap);
    total.residual = fmax(total.residual, c->residual);
    near("d along the normal", label(p), carom_v3_norm(carom_v3_cross(d, c->normal)), 0, 1, 1e-10);
    near("gap", label(p), carom_v3_dot(d, c->normal), c->gap, 1, 1e-12);
}

static void move(carom_shape_pose *pose, double t)
{
    const carom_mat3 turn = carom_quat_matrix(carom_quat_from_rotation(carom_v3_scale(t, pose->spin)));
    pose->origin = carom_v3_add_scaled(pose->origin, t, pose->velocity);
    pose->axes = carom_m3_multiply(&turn, &pose->axes);
}

static void at_time(const pair *p, double t, const double *hint, carom_surface_contact *out)
{
    pair moved = *p;
    move(&moved.pose_i, t);
    move(&moved.pose_j, t);
    solve(&moved, hint, out);
}

static carom_vec3 point_velocity(const carom_shape_pose *pose, carom_vec3 from)
{
    return carom_v3_add(pose->velocity, carom_v3_cross(pose->spin, from));
}

/* Rates against central differences with two steps; where these differ, an edge is passed. */
static void check_rates(const pair *p, const carom_surface_contact *c)
{
    const double h = 1e-5;
    carom_surface_contact a, b, a2, b2;
    at_time(p, -h, c->hint, &a);
    at_time(p, h, c->hint, &b);
    at_time(p, -0.5 * h, c->hint, &a2);
    at_time(p, 0.5 * h, c->hint, &b2);
    const double quotient = (b.gap - a.gap) / (2 * h), finer = (b2.gap - a2.gap) / h;
    const double slip = carom_v3_dot(
        c->normal, carom_v3_sub(point_velocity(&p->pose_j, c->from_j), point_velocity(&p->pose_i, c->from_i)));
    const double away = fabs(b.gap - c->gap) + fabs(c->gap - a.gap);
    if (!(away < 1e-3) || fabs(quotient - finer) > 1e-6)
        return;
    total.rates++;
    near("rate of the gap", label(p), quotient, slip, 1, 1e-5);
    const carom_vec3 n1 = carom_v3_scale(0.5 / h, carom_v3_sub(b.normal, a.normal));
    const carom_vec3 n2 = carom_v3_scale(1 / h, carom_v3_sub(b2.normal, a2.normal));
    const carom_vec3 left = carom_v3_scale(1 / h, carom_v3_sub(c->normal, a.normal));
    const double size = carom_v3_norm(n1);
    if (carom_v3_norm(carom_v3_sub(n1, n2)) > 1e-4 * (1 + size) ||
        carom_v3_norm(carom_v3_sub(n1, left)) > 1e-2 * (1 + size))
        return;
    total.bent++;
    const carom_vec3 rate = carom_surface_normal_rate(c, &p->pose_i, &p->pose_j);
    near("rate of the normal", label(p), carom_v3_norm(carom_v3_sub(n1, rate)), 0, 1 + size, 1e-3);
}

/* The same pose from the hint of one a little earlier. */
static void check_warm(const pair *p, const carom_surface_contact *c, bool convex)
{
    carom_surface_contact warm, cold;
    pair later = *p;
    move(&later.pose_i, 1e-3);
    move(&later.pose_j, 1e-3);
    warm = *c;
    solve(&later, warm.hint, &warm);
    solve(&later, NULL, &cold);
    check_equations(&later, &warm);
    total.evaluations += warm.evaluations;
    total.iterations += warm.iterations;
    total.most = warm.evaluations > total.most ? warm.evaluations : total.most;
    /* a deeper solution may lie elsewhere: a warm start keeps to its own */
    if (fabs(warm.gap - cold.gap) > 1e-9) {
        total.changed++;
        if (convex && cold.gap > 0)
            fail_msg("%s, pose %d: gap %.12g, from a hint %.12g", label(p), total.count, cold.gap, warm.gap);
    } else {
        total.warm = fmax(total.warm, fabs(warm.gap - cold.gap));
    }
}

static void random_motion(carom_shape_pose *pose)
{
    pose->velocity = test_random_vector(&seed, 3, 1);
    pose->spin = test_random_vector(&seed, 3, 1);
}

/* Random turns, and the origin of j where the gap is near `target`. */
static void place(pair *p, double target, carom_surface_contact *c)
{
    const double far = p->i.kind->bounding_radius(p->i.p) + p->j.kind->bounding_radius(p->j.p);
    p->pose_i = (carom_shape_pose){.origin = test_random_vector(&seed, 3, 2), .axes = test_random_axes(&seed, 3)};
    p->pose_j = (carom_shape_pose){.axes = test_random_axes(&seed, 3)};
    p->pose_j.origin = carom_v3_add_scaled(p->pose_i.origin, far, unit_vector());
    random_motion(&p->pose_i);
    random_motion(&p->pose_j);
    solve(p, NULL, c);
    p->pose_j.origin = carom_v3_add_scaled(p->pose_j.origin, target - c->gap, c->normal);
    solve(p, NULL, c);
}

static void check_pose(const pair *p, const carom_surface_contact *c, bool convex)
{
    total.count++;
    total.global += c->evaluations;
    check_equations(p, c);
    if (convex)
        brute_convex(p, c);
    else
        brute_points(p, c);
    check_warm(p, c, convex);
    check_rates(p, c);
}

static void print_total(const char *what)
{
    printf("%s: %d poses, residual %.2g, missed %.2g; %.1f evaluations for a global search; warm: %.2f steps, %.2f "
           "evaluations, at most %d, gap within %.2g, %d keep to another solution; rates of %d gaps and %d normals\n",
           what, total.count, total.residual, total.missed, (double)total.global / total.count,
           (double)total.iterations / total.count, (double)total.evaluations / total.count, total.most, total.warm,
           total.changed, total.rates, total.bent);
    assert_true(total.evaluations <= 20 * total.count);
    assert_true(total.rates > total.count / 2);
    memset(&total, 0, sizeof total);
}

static bool is_convex(const test_surface *t) { return t->kind->convex(t->p); }

static void test_convex(void **state)
{
    (void)state;
    const test_surface *list[32];
    size_t n = 0;
    const test_surface *t;
    for (size_t k = 0; (t = test_surface_at(k)) != NULL; k++)
        if (is_convex(t))
            list[n++] = t;
    for (size_t k = 0; k < CONVEX_POSES; k++) {
        const test_surface *a = list[k % n], *b = list[k / n % n];
        pair p = {.name_i = a->name, .name_j = b->name, .i = {a->kind, a->p, false}, .j = {b->kind, b->p, false}};
        carom_surface_contact c;
        place(&p, k % 2 ? test_random(&seed, 0.001, 0.5) : test_random(&seed, -0.06, 0), &c);
        check_pose(&p, &c, true);
    }
    print_total("convex");
}

/* Rings, tubes and waists: apart, or a little within each other. */
static void test_other(void **state)
{
    (void)state;
    const test_surface *list[32], *t;
    const char *const waisted[] = {"ring", "bush", "waist"};
    size_t n = 0;
    for (size_t k = 0; (t = test_surface_at(k)) != NULL; k++)
        list[n++] = t;
    for (size_t k = 0; k < OTHER_POSES; k++) {
        const carom_surface i = test_surface_named(waisted[k % 3]);
        const test_surface *b = list[k / 3 % n];
        pair p = {.name_i = waisted[k % 3], .name_j = b->name, .i = i, .j = {b->kind, b->p, false}};
        carom_surface_contact c;
        if (k % 2) {
            const carom_surface other = p.i;
            p.i = p.j;
            p.j = other;
        }
        place(&p, test_random(&seed, -0.01, 0.3), &c);
        check_pose(&p, &c, false);
    }
    print_total("waisted");
}

/* Bodies in sockets and races. */
static void test_hollow(void **state)
{
    (void)state;
    static const double egg[3] = {1.5, 1.3, 1.4}, cushion[5] = {1.4, 1.5, 1.3, 0.8, 0.7}, pill[2] = {1.2, 0.5};
    static const double race[2] = {2.0, 0.5}, small_pill[2] = {0.2, 0.25};
    static const carom_surface hollow[] = {{&carom_surface_ellipsoid, egg, true},
                                           {&carom_surface_superellipsoid, cushion, true},
                                           {&carom_surface_capsule, pill, true},
                                           {&carom_surface_torus, race, true}};
    static const char *const inside[] = {"egg", "needle", "cushion", "roller", "pill", "brick"};
    for (size_t k = 0; k < OTHER_POSES / 4; k++) {
        const size_t h = k % 4;
        pair p = {.name_i = "hollow", .name_j = inside[k % 6], .i = hollow[h], .j = test_surface_named(inside[k % 6])};
        if (h == 3)
            p.j = (carom_surface){&carom_surface_capsule, small_pill, false};
        p.pose_i = (carom_shape_pose){.origin = test_random_vector(&seed, 3, 2), .axes = test_random_axes(&seed, 3)};
        p.pose_j = (carom_shape_pose){.axes = test_random_axes(&seed, 3)};
        carom_vec3 at = test_random_vector(&seed, 3, 0.08);
        const double angle = test_random(&seed, -PI, PI);
        if (h == 3)
            at = carom_v3_add(at, carom_v3(2 * cos(angle), 2 * sin(angle), 0));
        p.pose_j.origin = carom_v3_add(p.pose_i.origin, carom_m3_apply(&p.pose_i.axes, at));
        random_motion(&p.pose_i);
        random_motion(&p.pose_j);
        carom_surface_contact c;
        solve(&p, NULL, &c);
        check_pose(&p, &c, false);
    }
    print_total("hollow");
}

/* Spheres as ellipsoids: the closed form of two spheres. */
static void test_spheres(void **state)
{
    (void)state;
    const double a[3] = {0.7, 0.7, 0.7}, b[3] = {0.4, 0.4, 0.4};
    pair p = {.name_i = "sphere",
              .name_j = "sphere",
              .i = {&carom_surface_ellipsoid, a, false},
              .j = {&carom_surface_ellipsoid, b, false}};
    for (int k = 0; k < 500; k++) {
        carom_surface_contact c;
        place(&p, test_random(&seed, -0.2, 0.5), &c);
        const carom_vec3 line = carom_v3_sub(p.pose_j.origin, p.pose_i.origin);
        near("spheres", "gap", c.gap, carom_v3_norm(line) - 1.1, 1, 4e-15);
        near("spheres", "normal", carom_v3_norm(carom_v3_sub(c.normal, carom_unit(line))), 0, 1, 1e-13);
        double low, high;
        carom_vec3 way;
        carom_surface_relative_curvature(&c, &low, &high, &way);
        near("spheres, curvature", "low", low, 1 / 0.7 + 1 / 0.4, 1, 1e-13);
        near("spheres, curvature", "high", high, 1 / 0.7 + 1 / 0.4, 1, 1e-13);
    }
}

/* Crossed cylinders: the axis distance, and the relative curvatures at the angle between the axes. */
static void test_crossed(void **state)
{
    (void)state;
    const double a[3] = {0.5, 2, 0}, b[3] = {0.3, 2, 0};
    pair p = {.name_i = "cylinder",
              .name_j = "cylinder",
              .i = {&carom_surface_cylinder, a, false},
              .j = {&carom_surface_cylinder, b, false}};
    for (int k = 0; k < 100; k++) {
        const double angle = test_random(&seed, 0.4, PI / 2), gap = test_random(&seed, -0.05, 0.3);
        p.pose_i = (carom_shape_pose){.axes = carom_m3_identity()};
        p.pose_j.axes = carom_quat_matrix(carom_quat_from_rotation(carom_v3(angle, 0, 0)));
        p.pose_j.origin =
            carom_v3_add(carom_v3(0.8 + gap, 0, test_random(&seed, -0.3, 0.3)),
                         carom_v3_scale(test_random(&seed, -0.3, 0.3), carom_m3_column(&p.pose_j.axes, 2)));
        carom_surface_contact c;
        solve(&p, NULL, &c);
        near("crossed cylinders", "gap", c.gap, gap, 1, 1e-13);
        near("crossed cylinders", "normal", c.normal.x, 1, 1, 1e-13);
        double low, high;
        carom_vec3 way;
        carom_surface_relative_curvature(&c, &low, &high, &way);
        const double ka = 2, kb = 1 / 0.3, half = 0.5 * sqrt(ka * ka + kb * kb + 2 * ka * kb * cos(2 * angle));
        near("crossed cylinders", "low", low, 0.5 * (ka + kb) - half, 1, 1e-12);
        near("crossed cylinders", "high", high, 0.5 * (ka + kb) + half, 1, 1e-12);
    }
}

/* Lines and areas of contact: faces on faces, parallel and coaxial bodies. One point of them with the exact gap. */
static void test_flat(void **state)
{
    (void)state;
    static const struct {
        const char *i, *j;
        double x, z, gap;
    } rows[] = {
        {"cube", "cube", 0, 1.02, 0.02},     {"cube", "cube", 0.03, 0.99, -0.01},    {"cube", "brick", 0.1, 0.95, 0.05},
        {"roller", "roller", 1.01, 0, 0.01}, {"roller", "roller", 0.99, 0.2, -0.01}, {"disc", "roller", 0, 0.89, -0.01},
        {"disc", "disc", 0, 0.45, 0.05},     {"frustum", "cube", 0, 0.99, -0.01},    {"pill", "pill", 0.58, 0.1, -0.02},
        {"pill", "cube", 0.81, 0, 0.01},     {"roller", "pill", 0, 1.59, -0.01},     {"ring", "disc", 0, 0.46, 0.01},
        {"egg", "egg", 0, 1.59, -0.01},      {"barrel", "cube", 0, 1.09, -0.01},     {"bush", "cube", 0, 0.89, -0.01},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        pair p = {.name_i = rows[k].i,
                  .name_j = rows[k].j,
                  .i = test_surface_named(rows[k].i),
                  .j = test_surface_named(rows[k].j)};
        p.pose_i = p.pose_j = (carom_shape_pose){.axes = carom_m3_identity()};
        p.pose_j.origin = carom_v3(rows[k].x, 0, rows[k].z);
        carom_surface_contact c, again;
        solve(&p, NULL, &c);
        near("lines and areas", label(&p), c.gap, rows[k].gap, 1, 1e-12);
        check_equations(&p, &c);
        solve(&p, c.hint, &again);
        near("lines and areas", label(&p), again.gap, rows[k].gap, 1, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres), cmocka_unit_test(test_crossed), cmocka_unit_test(test_flat),
        cmocka_unit_test(test_convex),  cmocka_unit_test(test_other),   cmocka_unit_test(test_hollow),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    near_print(28);
    return failed;
}

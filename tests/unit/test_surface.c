/* Surfaces by themselves: derivatives, normals and curvatures against difference quotients and closed forms, feet and
   supports against brute force, spheres and planes against them, pins in tubes. */
#include "carom_test.h"

#include <math.h>

#include "geometry/surface/patch/lines.h"
#include "geometry/surface/patch/patch.h"
#include "kinds/shape/shape.h"
#include "support/frames.h"
#include "support/near.h"
#include "support/surfaces.h"

#define PI 3.14159265358979323846
#define GRID 60
#define POINTS 150

static uint64_t seed = 7;

static carom_vec3 unit_vector(void)
{
    for (;;) {
        const carom_vec3 v = test_random_vector(&seed, 3, 1);
        const double size = carom_v3_norm(v);
        if (size > 0.1 && size < 1)
            return carom_v3_scale(1 / size, v);
    }
}

static double apart(carom_vec3 a, carom_vec3 b) { return carom_v3_norm(carom_v3_sub(a, b)); }

static void random_parameters(const carom_surface *s, double *u, double *v)
{
    double low, high;
    s->kind->range(s->p, &low, &high);
    *u = test_random(&seed, -PI, PI);
    *v = test_random(&seed, low, high);
}

/* Shape operator on a tangent: sum of k (t . e) e. */
static carom_vec3 bent(const carom_surface_point *x, carom_vec3 t)
{
    carom_vec3 sum = carom_v3(0, 0, 0);
    for (int k = 0; k < 2; k++)
        sum = carom_v3_add_scaled(sum, x->curvature[k] * carom_v3_dot(t, x->direction[k]), x->direction[k]);
    return sum;
}

/* Whether the curvatures near a point change slowly: no joint of the meridian and no flat pole is near. */
static bool calm(const carom_surface *s, const carom_surface_point *x, double h)
{
    carom_surface_point y;
    for (int k = 0; k < 4; k++) {
        carom_surface_at(s, x->u + (k == 0 ? h : k == 1 ? -h : 0), x->v + (k == 2 ? h : k == 3 ? -h : 0), &y);
        for (int a = 0; a < 2; a++)
            if (!(fabs(y.curvature[a] - x->curvature[a]) <= 1e-2 + 1e-2 * fabs(x->curvature[a])) ||
                fabs(x->curvature[a]) > 1e3)
                return false;
    }
    return true;
}

/* Derivatives and the turn of the normal by central differences; unit normal square to both derivatives. */
static void check_at(const char *name, const carom_surface *s, int *compared)
{
    const double h = 1e-5;
    carom_surface_point x, a, b;
    double u, v;
    random_parameters(s, &u, &v);
    carom_surface_at(s, u, v, &x);
    near("length of the normal", name, carom_v3_norm(x.normal), 1, 1, 1e-14);
    near("normal on du", name, carom_v3_dot(x.normal, x.du), 0, 1, 1e-13);
    near("normal on dv", name, carom_v3_dot(x.normal, x.dv), 0, 1, 1e-13);
    near("normal on direction 0", name, carom_v3_dot(x.normal, x.direction[0]), 0, 1, 1e-14);
    near("normal on direction 1", name, carom_v3_dot(x.normal, x.direction[1]), 0, 1, 1e-14);
    near("direction 0 on 1", name, carom_v3_dot(x.direction[0], x.direction[1]), 0, 1, 1e-14);
    s->kind->locate(s->p, x.position, s->hollow ? carom_v3_neg(x.normal) : x.normal, &u, &v);
    carom_surface_at(s, u, v, &a);
    near("located position", name, apart(a.position, x.position), 0, 1, 1e-7);
    if (!calm(s, &x, h))
        return;
    ++*compared;
    near("located position, smooth", name, apart(a.position, x.position), 0, 1, 1e-12);
    near("located normal, smooth", name, apart(a.normal, x.normal), 0, 1, 1e-10);
    for (int k = 0; k < 2; k++) {
        const carom_vec3 rate = k ? x.dv : x.du;
        carom_surface_at(s, x.u + (k ? 0 : h), x.v + (k ? h : 0), &b);
        carom_surface_at(s, x.u - (k ? 0 : h), x.v - (k ? h : 0), &a);
        const carom_vec3 quotient = carom_v3_scale(0.5 / h, carom_v3_sub(b.position, a.position));
        const carom_vec3 turn = carom_v3_scale(0.5 / h, carom_v3_sub(b.normal, a.normal));
        near("derivative", name, apart(quotient, rate), 0, 1 + carom_v3_norm(rate), 1e-7);
        near("turn of the normal", name, apart(turn, bent(&x, rate)), 0, 1 + carom_v3_norm(turn), 2e-5);
    }
}

static void test_differences(void **state)
{
    (void)state;
    const test_surface *t;
    for (size_t k = 0; (t = test_surface_at(k)) != NULL; k++)
        for (int hollow = 0; hollow < 2; hollow++) {
            const carom_surface s = {t->kind, t->p, hollow};
            int compared = 0;
            assert_null(t->kind->check(t->p));
            assert_ptr_equal(carom_surface_find(t->kind->name), t->kind);
            for (int n = 0; n < POINTS; n++)
                check_at(t->name, &s, &compared);
            /* a sharp cube has no smooth curved point, but its faces are */
            if (compared < POINTS / 10)
                fail_msg("%s: %d points compared", t->name, compared);
        }
}

/* Curvatures in closed form: ellipsoid at the ends of its axes, cylinder, cone, torus, tube, capsule. */
static void test_curvatures(void **state)
{
    (void)state;
    const double e[3] = {1.0, 0.6, 0.8}, cone[4] = {0.8, 0.4, 0.5, 0}, ring[2] = {0.8, 0.25},
                 tube[4] = {0.5, 0.8, 0.4, 0};
    carom_surface_point x;
    carom_surface s = {&carom_surface_ellipsoid, e, false};
    carom_surface_at(&s, 0, 0, &x);
    near("ellipsoid at a", "high", fmax(x.curvature[0], x.curvature[1]), e[0] / (e[1] * e[1]), 0, 1e-13);
    near("ellipsoid at a", "low", fmin(x.curvature[0], x.curvature[1]), e[0] / (e[2] * e[2]), 0, 1e-13);
    carom_surface_at(&s, 0.3, 0.5 * PI, &x);
    near("ellipsoid at c", "high", fmax(x.curvature[0], x.curvature[1]), e[2] / (e[1] * e[1]), 0, 1e-12);
    near("ellipsoid at c", "low", fmin(x.curvature[0], x.curvature[1]), e[2] / (e[0] * e[0]), 0, 1e-12);
    /* Gauss curvature of an ellipsoid: 1/(a b c (x^2/a^4 + y^2/b^4 + z^2/c^4))^2 */
    carom_surface_at(&s, 0.8, -0.6, &x);
    const double w = x.position.x * x.position.x / pow(e[0], 4) + x.position.y * x.position.y / pow(e[1], 4) +
                     x.position.z * x.position.z / pow(e[2], 4);
    near("ellipsoid, Gauss", "0.8, -0.6", x.curvature[0] * x.curvature[1], 1 / pow(e[0] * e[1] * e[2] * w, 2), 0,
         1e-12);
    double u, v;
    s = (carom_surface){&carom_surface_cone, cone, false};
    carom_surface_distance(&s, carom_v3(2, 0, 0.1), &x);
    near("cone", "round", x.curvature[0], cos(atan(0.4)) / x.position.x, 0, 1e-13);
    near("cone", "straight", x.curvature[1], 0, 0, 1e-13);
    s = (carom_surface){&carom_surface_torus, ring, true};
    s.kind->nearest(s.p, carom_v3(0.1, 0, 0), &u, &v);
    carom_surface_at(&s, u, v, &x);
    near("torus, hollow, inner side", "round", x.curvature[0], 1 / (0.8 - 0.25), 0, 1e-13);
    near("torus, hollow, inner side", "tube", x.curvature[1], -1 / 0.25, 0, 1e-13);
    s = (carom_surface){&carom_surface_tube, tube, false};
    const double distance = carom_surface_distance(&s, carom_v3(0.1, 0.2, 0.1), &x);
    near("bore", "distance", distance, 0.5 - hypot(0.1, 0.2), 0, 1e-14);
    near("bore", "curvature", x.curvature[0], -2, 0, 1e-13);
    assert_true(isinf((carom_surface_distance(&s, carom_v3(0.3, 0, 0.7), &x), x.curvature[1])));
}

/* Foot: the distance is that to the foot along its normal, and no point of a fine grid is nearer. */
static void check_foot(const char *name, const carom_surface *s, const carom_surface_point *grid, carom_vec3 x)
{
    carom_surface_point foot;
    const double g = carom_surface_distance(s, x, &foot);
    const double size = s->kind->bounding_radius(s->p);
    near("foot on the normal", name, apart(carom_v3_add_scaled(foot.position, g, foot.normal), x), 0, size, 1e-10);
    for (int k = 0; k < GRID * GRID; k++)
        if (apart(grid[k].position, x) < fabs(g) - 1e-10)
            fail_msg("%s: a point at %.12g, the foot at %.12g", name, apart(grid[k].position, x), g);
    carom_surface_point again;
    near("foot from a start", name, carom_surface_distance_near(s, x, foot.u, foot.v, &again), g, size, 1e-11);
}

static void fill_grid(const carom_surface *s, carom_surface_point *grid)
{
    double low, high;
    s->kind->range(s->p, &low, &high);
    for (int a = 0; a < GRID; a++)
        for (int b = 0; b < GRID; b++)
            carom_surface_at(s, PI * (2.0 * a / GRID - 1), low + (high - low) * b / (GRID - 1), &grid[GRID * a + b]);
}

static void test_feet(void **state)
{
    (void)state;
    static carom_surface_point grid[GRID * GRID];
    const test_surface *t;
    for (size_t k = 0; (t = test_surface_at(k)) != NULL; k++) {
        const carom_surface s = {t->kind, t->p, k % 3 == 1};
        fill_grid(&s, grid);
        const double size = t->kind->bounding_radius(t->p);
        for (int n = 0; n < GRID * GRID; n++)
            assert_true(carom_v3_norm(grid[n].position) <= size * (1 + 1e-12));
        for (int n = 0; n < POINTS; n++)
            check_foot(t->name, &s, grid, carom_v3_scale(test_random(&seed, 0, 2), unit_vector()));
        check_foot(t->name, &s, grid, carom_v3(0, 0, 0));
        check_foot(t->name, &s, grid, carom_v3(0, 0, 2));
        check_foot(t->name, &s, grid, carom_v3(0, 0, 0.05));
        check_foot(t->name, &s, grid, carom_v3(1.5, 0, 0));
    }
}

/* Plane: the support is not passed by any point of the grid, and the least candidate is the deepest point. */
static void test_planes(void **state)
{
    (void)state;
    static carom_surface_point grid[GRID * GRID];
    const test_surface *t;
    for (size_t k = 0; (t = test_surface_at(k)) != NULL; k++) {
        const carom_surface s = {t->kind, t->p, false};
        fill_grid(&s, grid);
        for (int n = 0; n < POINTS; n++) {
            carom_shape_pose pose = {.origin = test_random_vector(&seed, 3, 2), .axes = test_random_axes(&seed, 3)};
            carom_shape_pose plane = {.origin = test_random_vector(&seed, 3, 2), .axes = carom_m3_identity()};
            const carom_vec3 up = unit_vector();
            carom_surface_contact deepest, one;
            carom_surface_plane_deepest(&s, &pose, up, &plane, &deepest);
            double least = HUGE_VAL;
            for (int c = 0; c < carom_surface_plane_count(&s); c++) {
                carom_surface_plane(&s, &pose, up, &plane, c, &one);
                least = fmin(least, one.gap);
            }
            near("least candidate", t->name, least, deepest.gap, 1, 1e-13);
            for (int g = 0; g < GRID * GRID; g++) {
                const carom_vec3 x = carom_v3_add(pose.origin, carom_m3_apply(&pose.axes, grid[g].position));
                if (carom_v3_dot(up, carom_v3_sub(x, plane.origin)) < deepest.gap - 1e-10)
                    fail_msg("%s: a point is deeper than the support", t->name);
            }
            const carom_vec3 on = carom_v3_add(plane.origin, deepest.from_j);
            const carom_vec3 off = carom_v3_sub(on, carom_v3_add(pose.origin, deepest.from_i));
            near("gap along the normal", t->name, apart(off, carom_v3_scale(deepest.gap, deepest.normal)), 0, 1, 1e-13);
        }
    }
}

/* Ball on, in and about surfaces: closed forms. */
static void test_balls(void **state)
{
    (void)state;
    const double ring[2] = {0.8, 0.25}, r[3] = {0.7, 0.7, 0.7};
    const carom_surface race = {&carom_surface_torus, ring, true}, round = {&carom_surface_ellipsoid, r, false};
    for (int n = 0; n < POINTS; n++) {
        const carom_shape_pose pose = {.origin = test_random_vector(&seed, 3, 2), .axes = test_random_axes(&seed, 3)};
        const double angle = test_random(&seed, -PI, PI), off = test_random(&seed, 0.01, 0.1);
        const carom_vec3 across = carom_v3(0.6 * off * cos(angle), 0.6 * off * sin(angle), 0.8 * off);
        const carom_vec3 centre = carom_v3_add(carom_v3(0.8 * cos(angle), 0.8 * sin(angle), 0), across);
        carom_shape_pose ball = {.axes = carom_m3_identity()};
        ball.origin = carom_v3_add(pose.origin, carom_m3_apply(&pose.axes, centre));
        carom_surface_contact c;
        carom_surface_sphere(&race, &pose, 0.2, &ball, NULL, &c);
        near("ball in a race", "gap", c.gap, 0.25 - 0.2 - off, 1, 1e-14);
        near("ball in a race", "normal", apart(c.normal, carom_m3_apply(&pose.axes, carom_v3_scale(-1 / off, across))),
             0, 1, 1e-12);
        ball.origin = carom_v3_add(pose.origin, test_random_vector(&seed, 3, 2));
        const carom_vec3 line = carom_v3_sub(ball.origin, pose.origin);
        carom_surface_sphere(&round, &pose, 0.3, &ball, NULL, &c);
        near("ball on a sphere", "gap", c.gap, carom_v3_norm(line) - 1.0, 1, 1e-14);
        near("ball on a sphere", "normal", apart(c.normal, carom_unit(line)), 0, 1, 1e-13);
    }
}

/* Pin with parallel and with turned axis in a tube: the ends. */
static void test_pin(void **state)
{
    (void)state;
    const double bush[4] = {0.5, 0.8, 0.4, 0}, bar[3] = {0.48, 1.0, 0};
    const carom_surface tube = {&carom_surface_tube, bush, false}, pin = {&carom_surface_cylinder, bar, false};
    carom_shape_pose pose = {.axes = carom_m3_identity()}, at = pose;
    carom_surface_contact c;
    at.origin = carom_v3(0.012, -0.005, 0.1);
    for (int end = 0; end < 2; end++) {
        carom_surface_pin(&tube, &pose, &pin, &at, end, &c);
        near("parallel pin", "gap", c.gap, 0.02 - 0.013, 1, 1e-14);
        near("parallel pin", "end", c.from_i.z, end ? 0.4 : -0.4, 1, 1e-14);
        near("parallel pin", "normal", apart(c.normal, carom_v3(-0.012 / 0.013, 0.005 / 0.013, 0)), 0, 1, 1e-13);
    }
    const double tilt = 0.02;
    at.origin = carom_v3(0, 0, 0);
    at.axes = carom_quat_matrix(carom_quat_from_rotation(carom_v3(0, tilt, 0)));
    for (int end = 0; end < 2; end++) {
        carom_surface_pin(&tube, &pose, &pin, &at, end, &c);
        /* the edge of the mouth and the side of the pin: square to its axis */
        const double way = end ? 1 : -1;
        near("turned pin", "gap", c.gap, (0.5 - 0.4 * tan(tilt)) * cos(tilt) - 0.48, 1, 1e-13);
        near("turned pin", "normal", apart(c.normal, carom_v3(-way * cos(tilt), 0, way * sin(tilt))), 0, 1, 1e-12);
        near("turned pin", "on the edge", apart(c.from_i, carom_v3(way * 0.5, 0, way * 0.4)), 0, 1, 1e-12);
    }
    /* the end of a shorter pin, at the wall */
    const double peg[3] = {0.48, 0.2, 0}, ball[2] = {0.48, 0.2};
    const carom_surface inside = {&carom_surface_cylinder, peg, false};
    const carom_surface capsule = {&carom_surface_capsule, ball, false};
    for (int end = 0; end < 2; end++) {
        carom_surface_pin(&tube, &pose, &inside, &at, end, &c);
        near("turned peg", "gap", c.gap, 0.5 - 0.2 * sin(tilt) - 0.48 * cos(tilt), 1, 1e-13);
        near("turned peg", "normal", apart(c.normal, carom_v3(end ? -1 : 1, 0, 0)), 0, 1, 1e-12);
        carom_surface_pin(&tube, &pose, &capsule, &at, end, &c);
        near("turned capsule", "gap", c.gap, 0.5 - 0.2 * sin(tilt) - 0.48, 1, 1e-13);
    }
}

/* Where a superellipsoid with exponents above 1 is sharp the normal leads to the chart, not the position: beside the
   axis x the other coordinates are those of n to the power of nine, below the rounding of the first. */
static void test_sharp(void **state)
{
    (void)state;
    const double p[5] = {1, 0.8, 0.6, 1.8, 1.8};
    const carom_surface s = {&carom_surface_superellipsoid, p, false};
    for (int k = 0; k < 20; k++) {
        const double angle = 2 * PI * (k + 0.5) / 20, lean = 0.005 * (1 + k % 4);
        const carom_vec3 n = carom_v3(cos(lean), sin(lean) * cos(angle), sin(lean) * sin(angle));
        carom_surface_point x;
        double u, v;
        s.kind->locate(p, carom_v3(1, 0, 0), n, &u, &v);
        carom_surface_at(&s, u, v, &x);
        near("sharp end", "position", apart(x.position, carom_v3(1, 0, 0)), 0, 1, 1e-12);
        near("sharp end", "normal", apart(x.normal, n), 0, 1, 1e-10);
    }
}

/* Two cylinders side by side bear along a line, a cylinder across none. */
static void test_side_by_side(void **state)
{
    (void)state;
    const double r[3] = {0.05, 0.15, 0}, q[2] = {0.04, 0.1};
    const carom_surface can = {&carom_surface_cylinder, r, false}, pill = {&carom_surface_capsule, q, false};
    const carom_surface_placed beside = {carom_m3_identity(), {0.0899, 0, 0.02}};
    const carom_surface_placed across = {carom_m3_axes(carom_v3(0, 1, 0), carom_v3(1, 0, 0)), {0.0899, 0, 0.02}};
    carom_lines lines;
    carom_surface_contact least;
    carom_lines_find(&can, &pill, &beside, &lines);
    assert_true(lines.weight == 1);
    near("line", "ends", lines.low, -0.08, 1, 1e-14);
    near("line", "ends", lines.high, 0.12, 1, 1e-14);
    carom_lines_least(&lines, &least);
    near("line", "gap", least.gap, -1e-4, 1, 1e-14);
    carom_lines_find(&can, &pill, &across, &lines);
    assert_true(lines.weight == 0);
}

/* A pointed body whose ends lie on one side of the origin: its chart has the turn of the normal at the lower rim, where
   position and normal lead back to the chart. */
static void test_pointed(void **state)
{
    (void)state;
    static const double bodies[][5] = {{0.2, 1, 2, 0.3, -0.3}, {-1, -0.2, 2, 0.3, 0.3}, {0.5, 1.5, 2, 0.2, -0.2}};
    for (size_t k = 0; k < sizeof bodies / sizeof bodies[0]; k++) {
        const carom_surface s = {&carom_surface_polynomial, bodies[k], false};
        double low, high;
        int rims = 0;
        assert_null(s.kind->check(s.p));
        s.kind->range(s.p, &low, &high);
        for (int n = 0; n < 2000; n++) {
            carom_surface_point x, again;
            double u, v;
            carom_surface_at(&s, 0.7, low + (high - low) * (n + 0.5) / 2000, &x);
            assert_true(fabs(carom_v3_norm(x.normal) - 1) < 1e-12);
            s.kind->locate(s.p, x.position, x.normal, &u, &v);
            carom_surface_at(&s, u, v, &again);
            assert_true(apart(again.position, x.position) < 1e-10);
            const double end = bodies[k][3] * bodies[k][4] < 0 ? bodies[k][0] : bodies[k][1];
            const double out = hypot(x.position.x, x.position.y), radius = 2 * fabs(bodies[k][4]);
            if (fabs(x.position.z - end) < 1e-12 && fabs(out - radius) < 1e-12 && fabs(x.normal.z) < 0.99) {
                rims++;
                assert_true(apart(again.normal, x.normal) < 1e-10);
            }
        }
        assert_true(rims > 20);
    }
}

/* Signed distance of a point in a cylinder with sharp edges, of which it is not beyond both the side and an end. */
static double inside_can(const double *p, const carom_shape_pose *pose, carom_vec3 x)
{
    const carom_vec3 own = carom_m3_apply_t(&pose->axes, carom_v3_sub(x, pose->origin));
    return fmax(hypot(own.x, own.y) - p[0], fabs(own.z) - p[1]);
}

/* Pins across the mouth of a tube, side and end over its edge: never less deep than the deepest point of the edge, and
   not twice as deep. */
static void test_pin_across(void **state)
{
    (void)state;
    static const struct {
        double pin[3];
        carom_vec3 at, turn;
    } cases[] = {{{0.345, 0.093, 0}, {0.298, 0.295, 0.46}, {0.506, 1.308, -1.336}},
                 {{0.396, 0.658, 0}, {-0.178, -0.121, -0.854}, {1.391, -1.135, 0.977}}};
    static const double bush[4] = {0.5, 0.9, 0.4, 0};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const carom_surface tube = {&carom_surface_tube, bush, false},
                            pin = {&carom_surface_cylinder, cases[k].pin, false};
        const carom_shape_pose pose = {.axes = carom_m3_identity()};
        const carom_shape_pose at = {.origin = cases[k].at,
                                     .axes = carom_quat_matrix(carom_quat_from_rotation(cases[k].turn))};
        double deepest = HUGE_VAL;
        for (int n = 0; n < 20000; n++) {
            const double angle = 2 * PI * n / 20000;
            const carom_vec3 x = carom_v3(0.5 * cos(angle), 0.5 * sin(angle), at.origin.z > 0 ? 0.4 : -0.4);
            deepest = fmin(deepest, inside_can(cases[k].pin, &at, x));
        }
        for (int end = 0; end < 2; end++) {
            carom_surface_contact c;
            carom_surface_pin(&tube, &pose, &pin, &at, end, &c);
            assert_true(deepest < -0.01 && c.gap < deepest + 1e-3 && c.gap > 2 * deepest);
        }
    }
}

/* Solids whose faces lie deeper in each other than the solids do, whose least gap is along another direction: it bears
   alone. */
static void test_faces_behind(void **state)
{
    (void)state;
    static const double cone[4] = {0.68, 0.226, 0.971, 0}, coin[3] = {0.884, 0.677, 0.034};
    static const double brick[4] = {0.229, 0.466, 0.353, 0.01}, horn[4] = {0.984, 0.161, 0.42, 0};
    static const struct {
        carom_surface i, j;
        int quarter;
        carom_vec3 turn, at;
    } cases[] = {{{&carom_surface_cone, cone, false},
                  {&carom_surface_cylinder, coin, false},
                  0,
                  {0.01, 0.023, 0.049},
                  {0.038, 0.039, -0.088}},
                 {{&carom_surface_box, brick, false},
                  {&carom_surface_cone, horn, false},
                  3,
                  {0.078, -0.195, 0.041},
                  {-0.096, -0.067, -0.023}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const carom_mat3 first =
            carom_quat_matrix(carom_quat_from_rotation(carom_v3(0.5 * PI * cases[k].quarter, 0, 0)));
        const carom_mat3 turn = carom_quat_matrix(carom_quat_from_rotation(cases[k].turn));
        const carom_shape_pose i = {.axes = carom_m3_identity()};
        const carom_shape_pose j = {.origin = cases[k].at, .axes = carom_m3_multiply(&turn, &first)};
        carom_surface_contact c, least;
        double share;
        carom_surface_pair(&cases[k].i, &i, &cases[k].j, &j, NULL, &least);
        for (int n = 0; n < carom_surface_patch_count(&cases[k].i, &cases[k].j); n++) {
            carom_surface_patch(&cases[k].i, &i, &cases[k].j, &j, n, &c, &share);
            near("faces behind", "share", share, n == 0, 1, 1e-12);
        }
    }
}

/* Parameters that are refused, each with a sentence. */
static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const carom_surface_kind *kind;
        double p[8];
    } bad[] = {
        {&carom_surface_ellipsoid, {1, 0, 1}},
        {&carom_surface_ellipsoid, {1, NAN, 1}},
        {&carom_surface_superellipsoid, {1, 1, 1, 0.1, 1}},
        {&carom_surface_superellipsoid, {1, 1, 1, 1, 1.9}},
        {&carom_surface_torus, {0.5, 0.5}},
        {&carom_surface_cylinder, {1, 1, 1.1}},
        {&carom_surface_cylinder, {1, -1, 0}},
        {&carom_surface_cone, {0, 0, 1, 0}},
        {&carom_surface_cone, {1, 0, 1, 0.2}},
        {&carom_surface_capsule, {0, 1}},
        {&carom_surface_tube, {1, 0.9, 1, 0}},
        {&carom_surface_tube, {1, 1.2, 1, 0.1}},
        {&carom_surface_box, {1, 1, 0, 0}},
        {&carom_surface_box, {1, 1, 0.5, 0.6}},
        {&carom_surface_polynomial, {0, 1, 2, 0.1, -0.5}},
        {&carom_surface_polynomial, {1, 0, 1, 1}},
        {&carom_surface_spline, {3, 0, 0, 1, 1, 1, 1}},
        {&carom_surface_polynomial, {-1, 1, 3, 0.4, 0, 8}},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        const char *sentence = bad[k].kind->check(bad[k].p);
        if (!sentence || strlen(sentence) < 20)
            fail_msg("row %zu (%s) is not refused", k, bad[k].kind->name);
    }
    assert_null(carom_surface_find("teapot"));
    const double r[3] = {1, 1, 1};
    const carom_surface hollow = {&carom_surface_ellipsoid, r, true};
    assert_non_null(carom_surface_pair_check(&hollow, &hollow));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences),  cmocka_unit_test(test_curvatures),   cmocka_unit_test(test_feet),
        cmocka_unit_test(test_planes),       cmocka_unit_test(test_balls),        cmocka_unit_test(test_pin),
        cmocka_unit_test(test_sharp),        cmocka_unit_test(test_side_by_side), cmocka_unit_test(test_pin_across),
        cmocka_unit_test(test_faces_behind), cmocka_unit_test(test_pointed),      cmocka_unit_test(test_refusals),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    near_print(28);
    return failed;
}

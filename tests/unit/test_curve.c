/* Profile curves by themselves: derivatives, joints, splines, feet of points, half-planes, builds that are refused. */
#include "carom_test.h"

#include <math.h>

#include "geometry/curve/curve.h"
#include "support/drawing.h"
#include "support/frames.h"

#define PI 3.14159265358979323846
#define SEGMENTS 40
#define ROOM (CAROM_CURVE_HEADER + SEGMENTS * CAROM_CURVE_SEGMENT)

static double curve[ROOM], other[ROOM];

static void must(const char *refusal)
{
    if (refusal)
        fail_msg("%s", refusal);
}

static void must_refuse(const char *refusal, const char *word)
{
    assert_non_null(refusal);
    if (!strstr(refusal, word))
        fail_msg("'%s' does not speak of '%s'", refusal, word);
}

/* Closed spline of n points about the origin. */
static void blob(double *out, int n, double wave, double size)
{
    carom_vec2 points[SEGMENTS];
    for (int k = 0; k < n; k++) {
        double a = 2 * PI * k / n, r = size * (1 + wave * cos(2 * a) + 0.3 * wave * sin(3 * a));
        points[k] = carom_v2(r * cos(a), r * sin(a));
    }
    carom_curve_builder b = carom_curve_begin(out, SEGMENTS);
    carom_curve_spline(&b, points, n, CAROM_SPLINE_PERIODIC, NULL);
    must(carom_curve_finish(&b, true, CAROM_MATERIAL_INSIDE));
}

static void mixed(double *out)
{
    const double c[] = {0.1, -0.3, 0.5, 2, -3, 1, 0.4, -0.2};
    carom_curve_builder b = carom_curve_begin(out, SEGMENTS);
    carom_curve_polynomial(&b, c, 7, -0.4, 0.9);
    double y = 0, x = 0.9;
    for (int k = 7; k >= 0; k--)
        y = y * x + c[k];
    carom_curve_line(&b, carom_v2(x, y), carom_v2(x + 0.5, y));
    carom_curve_arc(&b, carom_v2(x + 0.5, y + 0.3), 0.3, -PI / 2, PI / 3);
    must(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT));
}

static void test_derivatives(void **state)
{
    (void)state;
    mixed(curve);
    blob(other, 9, 0.2, 0.05);
    double worst = 0;
    for (int which = 0; which < 2; which++) {
        const double *q = which ? other : curve;
        for (int n = 0; n < 500; n++) {
            double s = carom_curve_segments(q) * (n + 0.37) / 500, h = 1e-5;
            carom_curve_point c, a, b;
            carom_curve_eval(q, s, &c);
            if (floor(s - h) != floor(s + h))
                continue;
            carom_curve_eval(q, s - h, &a);
            carom_curve_eval(q, s + h, &b);
            double size = q[CAROM_CURVE_EXTENT];
            worst = fmax(worst, carom_v2_distance(carom_v2_scale(0.5 / h, carom_v2_sub(b.at, a.at)), c.d1) / size);
            worst = fmax(worst, carom_v2_distance(carom_v2_scale(0.5 / h, carom_v2_sub(b.d1, a.d1)), c.d2) / size);
            worst = fmax(worst, carom_v2_distance(carom_v2_scale(0.5 / h, carom_v2_sub(b.d2, a.d2)), c.d3) / size);
            /* The normal turns to the tangent by the curvature: dn/ds = k |c'| t. */
            carom_vec2 turn = carom_v2_scale(0.5 / h, carom_v2_sub(b.normal, a.normal));
            double expected = c.curvature * c.speed;
            assert_true(fabs(carom_v2_dot(turn, c.tangent) - expected) < 1e-6 * (1 + fabs(expected)));
            assert_true(fabs(carom_v2_cross(c.normal, c.tangent) - 1) < 1e-14);
        }
    }
    assert_true(worst < 1e-7);
    /* The polynomial keeps its values far from the origin of x. */
    const double far[] = {1e6 + 7, -2e3, 1};
    carom_curve_builder b = carom_curve_begin(curve, 1);
    carom_curve_polynomial(&b, far, 2, 1000, 1001);
    must(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT));
    carom_curve_point c;
    carom_curve_eval(curve, 0.25, &c);
    assert_true(c.at.x == 1000.25 && fabs(c.at.y - 7.0625) < 1e-9);
}

static void test_spline(void **state)
{
    (void)state;
    const carom_vec2 points[] = {{0, 0}, {1, 0.4}, {2.5, -0.2}, {3, 1}, {4, 1.2}}, tangents[] = {{0, -2}, {3, 0}},
                     loop[] = {{0, 0}, {2, -1}, {4, 0}, {3, 2}, {1, 1.5}};
    for (int ends = 0; ends < 3; ends++) {
        carom_curve_builder b = carom_curve_begin(curve, SEGMENTS);
        bool closed = ends == CAROM_SPLINE_PERIODIC;
        const carom_vec2 *through = closed ? loop : points;
        carom_curve_spline(&b, through, 5, (carom_curve_spline_ends)ends, tangents);
        must(carom_curve_finish(&b, closed, CAROM_MATERIAL_LEFT));
        assert_int_equal(carom_curve_segments(curve), closed ? 5 : 4);
        for (int k = closed ? 0 : 1; k < carom_curve_segments(curve); k++) {
            carom_curve_joint joint;
            carom_curve_joint_at(curve, k, &joint);
            assert_int_equal(joint.kind, CAROM_JOINT_C2);
            assert_true(carom_v2_distance(joint.at, through[k]) < 1e-14);
        }
        carom_curve_point first, last;
        carom_curve_eval(curve, 0, &first);
        carom_curve_eval(curve, 4, &last);
        if (ends == CAROM_SPLINE_NATURAL)
            assert_true(carom_v2_norm(first.d2) + carom_v2_norm(last.d2) < 1e-12);
        if (ends == CAROM_SPLINE_CLAMPED)
            assert_true(carom_v2_distance(first.tangent, carom_v2(0, -1)) +
                            carom_v2_distance(last.tangent, carom_v2(1, 0)) <
                        1e-13);
    }
    /* Many points of a circle: curvature and area to the fourth order. */
    blob(curve, 36, 0, 0.05);
    assert_true(fabs(curve[CAROM_CURVE_AREA] / (PI * 0.0025) - 1) < 1e-5);
    assert_true(fabs(curve[CAROM_CURVE_SHARPEST] * 0.05 - 1) < 5e-3);
}

static void test_joints(void **state)
{
    (void)state;
    must(carom_outline_capsule(curve, carom_v2(0, 0), carom_v2(1, 0), 0.2, false));
    carom_curve_joint joint;
    for (int k = 0; k <= 4; k++) {
        carom_curve_joint_at(curve, k, &joint);
        assert_int_equal(joint.kind, CAROM_JOINT_C1);
    }
    assert_true(fabs(curve[CAROM_CURVE_AREA] - (0.4 + PI * 0.04)) < 1e-15 && curve[CAROM_CURVE_CORNERS] == 0);
    const carom_vec2 arrow[] = {{0, 0}, {2, 1}, {0, 2}, {0.5, 1}};
    must(carom_outline_polygon(curve, arrow, 4));
    static const carom_curve_joint_kind kinds[] = {CAROM_JOINT_CONVEX, CAROM_JOINT_CONVEX, CAROM_JOINT_CONVEX,
                                                   CAROM_JOINT_CONCAVE};
    double turn = 0;
    for (int k = 0; k < 4; k++) {
        carom_curve_joint_at(curve, k, &joint);
        assert_int_equal(joint.kind, kinds[k]);
        turn += joint.turn;
    }
    assert_true(fabs(turn - 2 * PI) < 1e-14 && curve[CAROM_CURVE_CORNERS] == 4);
    /* Reversed: the same outline as a hollow. */
    memcpy(other, curve, sizeof other);
    carom_curve_reverse(other);
    assert_true(fabs(other[CAROM_CURVE_AREA] + curve[CAROM_CURVE_AREA]) < 1e-15);
    uint64_t seed = 2;
    for (int n = 0; n < 200; n++) {
        carom_vec2 p = carom_v2(test_random(&seed, -1, 3), test_random(&seed, -1, 3));
        carom_curve_foot a, b;
        carom_curve_closest(curve, p, &a);
        carom_curve_closest(other, p, &b);
        assert_true(fabs(a.distance + b.distance) < 1e-14 && a.place == b.place);
    }
}

/* Inside by the winding of a fine polygon. */
static bool inside(const double *q, carom_vec2 p)
{
    bool in = false;
    carom_curve_point a, b;
    carom_curve_eval(q, 0, &b);
    for (int n = 1; n <= 4000; n++) {
        a = b;
        carom_curve_eval(q, carom_curve_segments(q) * n / 4000.0, &b);
        if ((a.at.y > p.y) != (b.at.y > p.y) && p.x < a.at.x + (p.y - a.at.y) * (b.at.x - a.at.x) / (b.at.y - a.at.y))
            in = !in;
    }
    return in;
}

static void test_feet(void **state)
{
    (void)state;
    uint64_t seed = 9;
    long evaluations = 0, count = 0;
    for (int shape = 0; shape < 5; shape++) {
        const carom_vec2 arrow[] = {{-0.04, -0.04}, {0.06, 0}, {-0.04, 0.05}, {0, 0}};
        if (shape == 0)
            blob(curve, 14, 0.3, 0.05);
        else if (shape == 1)
            must(carom_outline_polygon(curve, arrow, 4));
        else if (shape == 2)
            must(carom_outline_sector(curve, carom_v2(0, 0), 0.06, 0.02, -1, 2, false));
        else if (shape == 3)
            must(carom_outline_box(curve, carom_v2(0.01, 0), 0.08, 0.05, 0.3));
        else
            mixed(curve);
        bool closed = carom_curve_closed(curve);
        double size = curve[CAROM_CURVE_RADIUS] * 1.3, segments = carom_curve_segments(curve);
        for (int n = 0; n < 100; n++) {
            carom_vec2 p = carom_v2(test_random(&seed, -size, size), test_random(&seed, -size, size));
            carom_curve_foot foot, near;
            carom_curve_closest(curve, p, &foot);
            evaluations += foot.evaluations;
            count++;
            double least = HUGE_VAL;
            carom_curve_point c;
            for (int m = 0; m <= 4000; m++) {
                carom_curve_eval(curve, segments * m / 4000, &c);
                least = fmin(least, carom_v2_distance(c.at, p));
            }
            assert_true(fabs(foot.distance) <= least + 1e-15 && fabs(foot.distance) > least - 1e-2 * size);
            assert_true(foot.residual < 1e-13);
            assert_true(carom_v2_distance(carom_v2_add_scaled(foot.at, foot.distance, foot.normal), p) < 1e-13);
            if (closed && fabs(foot.distance) > 1e-4 * size)
                assert_int_equal(foot.distance < 0, inside(curve, p));
            /* From a near place the same foot, and its rates. */
            carom_curve_closest_from(curve, p, foot.s + 0.01, &near);
            assert_true(fabs(near.distance - foot.distance) < 1e-14 && carom_v2_distance(near.at, foot.at) < 1e-8);
            const double h = 1e-7;
            carom_vec2 v = carom_v2(test_random(&seed, -1, 1), test_random(&seed, -1, 1)), normal_rate;
            carom_curve_foot a, b;
            double s_rate;
            carom_curve_foot_rate(curve, &foot, v, &s_rate, &normal_rate);
            carom_curve_closest_from(curve, carom_v2_add_scaled(p, -h, v), foot.s, &a);
            carom_curve_closest_from(curve, carom_v2_add_scaled(p, h, v), foot.s, &b);
            if (a.place != foot.place || b.place != foot.place || floor(a.s) != floor(b.s) ||
                fabs(s_rate) * size > 20 || fabs(foot.distance) < 0.01 * size)
                continue;
            double gap_rate = (b.distance - a.distance) / (2 * h);
            assert_true(fabs(gap_rate - carom_v2_dot(foot.normal, v)) < 1e-6);
            assert_true(fabs((b.s - a.s) / (2 * h) - s_rate) < 1e-5 * (1 + s_rate * s_rate));
            carom_vec2 turn = carom_v2_scale(0.5 / h, carom_v2_sub(b.normal, a.normal));
            assert_true(carom_v2_distance(turn, normal_rate) < 1e-4 * (1 + carom_v2_dot(normal_rate, normal_rate)));
        }
    }
    printf("feet: %.1f evaluations each\n", (double)evaluations / (double)count);
}

static void test_half_plane(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int n = 0; n < 600; n++) {
        if (n % 3 == 0)
            blob(curve, 8, 0.15, 0.05);
        else if (n % 3 == 1)
            must(carom_outline_box(curve, carom_v2(0.01, 0), 0.08, 0.05, 0.3));
        else
            must(carom_outline_capsule(curve, carom_v2(0, 0), carom_v2(0.1, 0.02), 0.02, false));
        double angle = test_random(&seed, -PI, PI), spin = test_random(&seed, -2, 2), least = HUGE_VAL;
        carom_vec2 o = carom_v2(test_random(&seed, -0.1, 0.1), test_random(&seed, -0.1, 0.1)),
                   up = carom_v2(cos(angle), sin(angle));
        carom_vec2 v = carom_v2(test_random(&seed, -1, 1), test_random(&seed, -1, 1));
        carom_curve_contact c, a, b;
        carom_curve_half_plane(curve, o, up, &c);
        for (int m = 0; m < 2000; m++) {
            carom_curve_point q;
            carom_curve_eval(curve, carom_curve_segments(curve) * m / 2000.0, &q);
            least = fmin(least, carom_v2_dot(up, carom_v2_sub(q.at, o)));
        }
        assert_true(c.gap <= least + 1e-15 && c.gap > least - 1e-4 && c.common && c.parallel < 1e-10);
        const double h = 1e-7;
        carom_curve_rates rates;
        carom_curve_half_plane_rates(curve, &c, o, v, spin, &rates);
        carom_curve_half_plane(curve, carom_v2_add_scaled(o, -h, v),
                               carom_v2(cos(angle - spin * h), sin(angle - spin * h)), &a);
        carom_curve_half_plane(curve, carom_v2_add_scaled(o, h, v),
                               carom_v2(cos(angle + spin * h), sin(angle + spin * h)), &b);
        if (floor(a.s_i) != floor(b.s_i) || fabs(rates.s_i) > 100)
            continue;
        assert_true(fabs((b.gap - a.gap) / (2 * h) - rates.gap) < 1e-7);
        assert_true(fabs((b.s_i - a.s_i) / (2 * h) - rates.s_i) < 1e-5 * (1 + rates.s_i * rates.s_i));
        assert_true(fabs((b.s_j - a.s_j) / (2 * h) - rates.s_j) < 1e-5);
    }
}

/* Contacts along a length, and centres that coincide, end and give the right distance. */
static void test_conforming(void **state)
{
    (void)state;
    carom_curve_contact c;
    carom_pose2 X = carom_pose2_of(0, carom_v2(0, 0));
    must(carom_outline_circle(curve, carom_v2(0, 0), 0.01, true));
    must(carom_outline_circle(other, carom_v2(0, 0), 0.009, false));
    carom_curve_gap(curve, other, &X, &c);
    assert_true(fabs(c.gap - 0.001) < 1e-15 && c.evaluations < 1000);
    must(carom_outline_box(curve, carom_v2(0, 0), 0.1, 0.02, 0));
    must(carom_outline_box(other, carom_v2(0, 0), 0.04, 0.02, 0));
    for (int n = 0; n < 3; n++) {
        double height = n == 0 ? 0.021 : n == 1 ? 0.0195 : 0.02;
        X.at = carom_v2(0.01, height);
        carom_curve_gap(curve, other, &X, &c);
        assert_true(fabs(c.gap - (height - 0.02)) < 1e-13 && c.evaluations < 5000);
    }
    blob(curve, 12, 0.2, 0.05);
    blob(other, 12, 0.2, 0.049);
    carom_curve_reverse(curve);
    X.at = carom_v2(0, 0);
    carom_curve_gap(curve, other, &X, &c);
    assert_true(c.gap > 0.0007 && c.gap < 0.001 && c.common && c.evaluations < 100000);
    /* a pose without a number ends at once, and has none */
    X.at = carom_v2((double)NAN, 0);
    carom_curve_gap(curve, other, &X, &c);
    assert_true(isnan(c.gap));
    carom_curve_gap_from(curve, other, &X, 0.5, 0.5, &c);
    assert_true(isnan(c.gap));
}

static void test_refusals(void **state)
{
    (void)state;
    carom_curve_builder b = carom_curve_begin(curve, SEGMENTS);
    must_refuse(carom_curve_line(&b, carom_v2(1, 1), carom_v2(1, 1)), "no length");
    must_refuse(carom_curve_line(&b, carom_v2(0, 1), carom_v2(1, 1)), "no length");
    must_refuse(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT), "no length");
    b = carom_curve_begin(curve, SEGMENTS);
    must_refuse(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT), "no segments");
    b = carom_curve_begin(curve, SEGMENTS);
    must_refuse(carom_curve_line(&b, carom_v2((double)NAN, 1), carom_v2(1, 1)), "finite");
    b = carom_curve_begin(curve, SEGMENTS);
    must_refuse(carom_curve_arc(&b, carom_v2(0, 0), -1, 0, 1), "positive");
    b = carom_curve_begin(curve, SEGMENTS);
    must_refuse(carom_curve_arc(&b, carom_v2(0, 0), 1, 0, 7), "whole turn");
    b = carom_curve_begin(curve, 1);
    carom_curve_line(&b, carom_v2(0, 0), carom_v2(1, 0));
    must_refuse(carom_curve_line(&b, carom_v2(1, 0), carom_v2(1, 1)), "room");
    const double c[] = {0, 1};
    b = carom_curve_begin(curve, SEGMENTS);
    must_refuse(carom_curve_polynomial(&b, c, 1, 2, 2), "no length");
    b = carom_curve_begin(curve, SEGMENTS);
    must_refuse(carom_curve_polynomial(&b, c, 8, 0, 2), "above 7");
    /* A gap, a wrong order, a cusp. */
    b = carom_curve_begin(curve, SEGMENTS);
    carom_curve_line(&b, carom_v2(0, 0), carom_v2(1, 0));
    carom_curve_line(&b, carom_v2(1, 1e-3), carom_v2(1, 1));
    must_refuse(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT), "gap");
    assert_int_equal(b.segment, 1);
    b = carom_curve_begin(curve, SEGMENTS);
    carom_curve_line(&b, carom_v2(0, 0), carom_v2(1, 0));
    carom_curve_line(&b, carom_v2(1, 0), carom_v2(0.5, 0));
    must_refuse(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT), "turns back");
    b = carom_curve_begin(curve, SEGMENTS);
    carom_curve_line(&b, carom_v2(0, 0), carom_v2(1, 0));
    must_refuse(carom_curve_finish(&b, false, CAROM_MATERIAL_INSIDE), "no inside");
    const carom_vec2 square[] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}}, eight[] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}},
                     line[] = {{0, 0}, {1, 0}, {1, 0}};
    must_refuse(carom_outline_polygon(curve, square, 4), "clockwise");
    must_refuse(carom_outline_polygon(curve, eight, 4), "crosses");
    must_refuse(carom_outline_polygon(curve, square, 2), "at least 3");
    b = carom_curve_begin(curve, SEGMENTS);
    must_refuse(carom_curve_spline(&b, line, 3, CAROM_SPLINE_NATURAL, NULL), "the same");
    b = carom_curve_begin(curve, SEGMENTS);
    must_refuse(carom_curve_spline(&b, square, 4, CAROM_SPLINE_CLAMPED, NULL), "direction");
    must_refuse(carom_outline_capsule(curve, carom_v2(0, 0), carom_v2(0, 0), 1, true), "circle");
    must_refuse(carom_outline_sector(curve, carom_v2(0, 0), 1, 1.5, 0, 1, true), "half width");
    must_refuse(carom_outline_sector(curve, carom_v2(0, 0), 1, 0.2, 0, 6.2, true), "crosses");
    must_refuse(carom_outline_box(curve, carom_v2(0, 0), 0, 1, 0), "positive");
}

/* Random stars are accepted, the same points in an order that crosses are refused. */
static void test_random_outlines(void **state)
{
    (void)state;
    uint64_t seed = 31;
    int crossing = 0;
    for (int n = 0; n < 300; n++) {
        int count = 4 + n % 12;
        carom_vec2 points[16];
        for (int k = 0; k < count; k++) {
            double a = 2 * PI * (k + test_random(&seed, -0.3, 0.3)) / count, r = test_random(&seed, 0.6, 1);
            points[k] = carom_v2(r * cos(a), r * sin(a));
        }
        must(carom_outline_polygon(curve, points, count));
        carom_curve_builder b = carom_curve_begin(curve, SEGMENTS);
        carom_curve_spline(&b, points, count, CAROM_SPLINE_PERIODIC, NULL);
        crossing += carom_curve_finish(&b, true, CAROM_MATERIAL_INSIDE) != NULL;
        /* On a circle, with two of them exchanged, two sides cross. */
        for (int k = 0; k < count; k++)
            points[k] = carom_v2_unit(points[k]);
        carom_vec2 keep = points[0];
        points[0] = points[2];
        points[2] = keep;
        if (count > 5)
            must_refuse(carom_outline_polygon(curve, points, count), "crosses");
    }
    printf("splines through stars: %d of 300 cross themselves\n", crossing);
    assert_true(crossing < 30);
    /* Through points whose polyline crosses, and a single arch. */
    const carom_vec2 loop[] = {{0, 0}, {2, 0}, {1, 1}, {0.8, -1}}, ends[] = {{0, 0}, {1, 0}},
                     tangents[] = {{1, 1}, {1, -1}};
    carom_curve_builder b = carom_curve_begin(curve, SEGMENTS);
    carom_curve_spline(&b, loop, 4, CAROM_SPLINE_NATURAL, NULL);
    must_refuse(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT), "crosses");
    b = carom_curve_begin(curve, SEGMENTS);
    carom_curve_spline(&b, ends, 2, CAROM_SPLINE_CLAMPED, tangents);
    must(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT));
}

/* What would take more points than an area is drawn of is drawn coarser, not by the ends of its segments: waves of half
   circles, whose chords stay within 1/400 of the radius. */
static void test_drawn_coarser(void **state)
{
    (void)state;
    static drawing d;
    for (int waves = 8; waves <= 38; waves += 10) {
        carom_curve_builder b = carom_curve_begin(curve, SEGMENTS);
        for (int k = 0; k < waves; k++)
            carom_curve_arc(&b, carom_v2(2 * k, 0), 1, PI, k % 2 ? 2 * PI : 0);
        must(carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT));
        const carom_mesh_sink sink = drawing_sink(&d);
        carom_curve_mesh(curve, true, 1, &sink);
        assert_true(d.points > 20u * (size_t)waves && d.points <= 1024);
        for (size_t k = 0; k < d.lines; k++) {
            const carom_vec3 a = d.at[d.line[k][0]], c = d.at[d.line[k][1]];
            const double x = 0.5 * (a.x + c.x), y = 0.5 * (a.y + c.y), centre = 2 * rint(0.5 * x);
            assert_true(fabs(hypot(x - centre, y) - 1) < 2.5e-3 || fabs(fabs(x - centre) - 1) < 1e-2);
        }
    }
}

/* A corner behind an arc of 150 degrees, whose second side leads back across the arc, is refused: both together turn by
   more than half a turn, though neither does alone. One that leads away is not. */
static void test_corner_back(void **state)
{
    (void)state;
    const double end = 150 * PI / 180, across = 30 * PI / 180;
    const carom_vec2 from = {cos(end), sin(end)}, to = {1.5 * cos(across), sin(across)};
    for (int away = 0; away < 2; away++) {
        carom_curve_builder b = carom_curve_begin(curve, SEGMENTS);
        carom_curve_arc(&b, carom_v2(0, 0), 1, 0, end);
        carom_curve_line(&b, from, away ? carom_v2(-3, from.y) : to);
        const char *refusal = carom_curve_finish(&b, false, CAROM_MATERIAL_LEFT);
        if (away)
            must(refusal);
        else
            must_refuse(refusal, "crosses");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),   cmocka_unit_test(test_spline),
        cmocka_unit_test(test_joints),        cmocka_unit_test(test_feet),
        cmocka_unit_test(test_half_plane),    cmocka_unit_test(test_conforming),
        cmocka_unit_test(test_refusals),      cmocka_unit_test(test_random_outlines),
        cmocka_unit_test(test_drawn_coarser), cmocka_unit_test(test_corner_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

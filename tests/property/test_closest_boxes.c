/* The nearest point of outlines of many segments, which is looked for in a tree of boxes: polygons like saw blades,
   wheels of arcs and lines, open lines, from 1 to 3000 segments, against the least of the distances of all segments,
   each found here. Few segments are looked at. */
#include "carom_test.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "geometry/curve/curve.h"

#define MOST 3000
#define POINTS 400

static double curve[CAROM_CURVE_HEADER + MOST * CAROM_CURVE_SEGMENT];
static carom_vec2 corner[MOST + 1];
static uint64_t seed;

static double chance(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static double to_line(carom_vec2 a, carom_vec2 b, carom_vec2 p)
{
    const carom_vec2 e = carom_v2_sub(b, a), d = carom_v2_sub(p, a);
    const double t = fmin(fmax(carom_v2_dot(d, e) / carom_v2_dot(e, e), 0), 1);
    return carom_v2_norm(carom_v2_add_scaled(d, -t, e));
}

/* Corners of a saw blade: teeth of random height, up to a share of the radius. */
static void set_corners(int count, double height)
{
    for (int k = 0; k < count; k++) {
        const double turn = 2 * CAROM_PI * k / count, r = 0.1 * (1 + height * (k % 2 ? 1 : 0.1) * chance());
        corner[k] = carom_v2(r * cos(turn), r * sin(turn));
    }
    corner[count] = corner[0];
}

static carom_vec2 some_point(int n)
{
    const double r = n % 3 == 0 ? 0.1 + 0.01 * chance() : n % 3 == 1 ? 0.3 * chance() : 0.1, turn = 7 * chance();
    return carom_v2(r * cos(turn), r * sin(turn));
}

/* Polygons, and lines that are open. */
static void check_lines(int count, bool closed)
{
    carom_curve_builder b = carom_curve_begin(curve, count);
    set_corners(closed ? count : count + 1, 0.2);
    assert_null(carom_curve_polyline(&b, corner, closed ? count : count + 1, closed));
    assert_null(carom_curve_finish(&b, closed, CAROM_MATERIAL_LEFT));
    assert_true(carom_curve_is_polygon(curve) && carom_curve_has_sides(curve));
    double looked = 0;
    for (int n = 0; n < POINTS; n++) {
        const carom_vec2 p = some_point(n);
        double least = HUGE_VAL;
        carom_curve_foot foot;
        for (int k = 0; k < count; k++)
            least = fmin(least, to_line(corner[k], corner[k + 1], p));
        carom_curve_closest(curve, p, &foot);
        assert_true(fabs(fabs(foot.distance) - least) < 1e-15);
        assert_true(fabs(carom_v2_distance(foot.at, p) - least) < 1e-15);
        looked += foot.evaluations;
    }
    print_message("%s of %d sides: %.1f segments looked at\n", closed ? "polygon" : "line", count, looked / POINTS);
    assert_true(looked / POINTS < 8 + 4 * log2(count));
}

/* A wheel: half discs side by side about a circle, each an arc outwards; an odd one is a line. */
static void check_arcs(int count)
{
    carom_curve_builder b = carom_curve_begin(curve, count);
    set_corners(count, 0);
    for (int k = 0; k < count; k++) {
        const carom_vec2 middle = carom_v2_scale(0.5, carom_v2_add(corner[k], corner[k + 1]));
        const carom_vec2 arm = carom_v2_sub(corner[k], middle);
        const double start = atan2(arm.y, arm.x);
        if (k % 2)
            assert_null(carom_curve_line(&b, corner[k], corner[k + 1]));
        else
            assert_null(carom_curve_arc(&b, middle, carom_v2_norm(arm), start, start + CAROM_PI));
    }
    assert_null(carom_curve_finish(&b, true, CAROM_MATERIAL_LEFT));
    assert_true(!carom_curve_is_polygon(curve) && carom_curve_has_sides(curve));
    for (int n = 0; n < POINTS; n++) {
        const carom_vec2 p = some_point(n);
        double least = HUGE_VAL;
        carom_curve_foot foot;
        for (int k = 0; k < count; k++) {
            const carom_vec2 middle = carom_v2_scale(0.5, carom_v2_add(corner[k], corner[k + 1]));
            const carom_vec2 arm = carom_v2_sub(corner[k], middle), d = carom_v2_sub(p, middle);
            const double ends = fmin(carom_v2_distance(p, corner[k]), carom_v2_distance(p, corner[k + 1]));
            const bool over = carom_v2_cross(arm, d) > 0;
            least = fmin(least, k % 2 ? to_line(corner[k], corner[k + 1], p)
                                : over ? fmin(ends, fabs(carom_v2_norm(d) - carom_v2_norm(arm)))
                                       : ends);
        }
        carom_curve_closest(curve, p, &foot);
        assert_true(fabs(carom_v2_distance(foot.at, p) - least) < 1e-14);
    }
}

static void test_lines(void **state)
{
    (void)state;
    static const int counts[] = {3, 4, 8, 9, 16, 17, 31, 100, 1000, MOST};
    for (size_t k = 0; k < CAROM_COUNT(counts); k++) {
        check_lines(counts[k], true);
        check_lines(counts[k] - 1, false);
    }
}

static void test_arcs(void **state)
{
    (void)state;
    static const int counts[] = {6, 8, 10, 18, 40, 100};
    for (size_t k = 0; k < CAROM_COUNT(counts); k++)
        check_arcs(counts[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_arcs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

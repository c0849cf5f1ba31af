/* Motions by splines with natural, clamped and periodic ends: position, velocity and acceleration against
   polynomials, the closed form of three points, and the period; what is refused. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define PI 3.14159265358979323846
#define ACCURACY 1e-11

#define CART(points)                                                                                              \
    "carom: 1\ndimension: 2\nsplines:\n  path: " points "\nbodies:\n"                                              \
    "  cart: {mass: 2, inertia: 1, motion: {x: \"spline(path, t)\", y: 0, angle: 0}}\nrun: {until: 20}\n"

/* Position, velocity and acceleration of the cart at t. */
static void cart_at(free_run *run, double t, double out[3])
{
    free_run_to(run, t);
    out[0] = free_run_get(run, "body.cart.position.x");
    out[1] = free_run_get(run, "body.cart.velocity.x");
    out[2] = free_run_get(run, "body.cart.acceleration.x");
}

static void expect(free_run *run, double t, double x, double v, double a, double accuracy)
{
    double now[3];
    cart_at(run, t, now);
    if (fabs(now[0] - x) > accuracy || fabs(now[1] - v) > accuracy || fabs(now[2] - a) > 10 * accuracy)
        fail_msg("t = %g: %.12g %.12g %.12g, expected %.12g %.12g %.12g", t, now[0], now[1], now[2], x, v, a);
}

/* 1 - 2 t + 0.5 t^2 + 0.25 t^3 with its end slopes is reproduced; beyond the end the path is straight. */
static void clamped_is_exact_for_cubics(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   CART("{points: [[0, 1], [0.7, -0.06925], [1.1, -0.26225], [2, 1], [3, 6.25]], ends: clamped, "
                        "slopes: [-2, 7.75]}"),
                   1e-12, NULL);
    for (int k = 0; k <= 29; k++) {
        double t = 0.1 * k + 0.03;
        expect(&run, t, 1 - 2 * t + 0.5 * t * t + 0.25 * t * t * t, -2 + t + 0.75 * t * t, 1 + 1.5 * t, ACCURACY);
    }
    expect(&run, 5, 6.25 + 2 * 7.75, 7.75, 0, ACCURACY);
    free_run_close(&run);
}

/* Through (0, -1), (1, 0), (2, 3): second derivatives 0, 3, 0. */
static void natural_of_three_points(void **state)
{
    (void)state;
    static const char *const texts[] = {CART("[[0, -1], [1, 0], [2, 3]]"),
                                        CART("{points: [[0, -1], [1, 0], [2, 3]], ends: natural}")};
    for (int k = 0; k < 2; k++) {
        free_run run;
        free_run_parse(&run, texts[k], 1e-12, NULL);
        expect(&run, 0.5, -1 + 0.25 + 0.0625, 0.5 + 0.375, 1.5, ACCURACY);
        expect(&run, 1.5, 1.3125, 3 + 0.125, 1.5, ACCURACY);
        expect(&run, 4, 3 + 2 * 3.5, 3.5, 0, ACCURACY);
        free_run_close(&run);
    }
}

/* Points of sin(2 pi t/P): the spline is near it with its derivatives, has its period to rounding, and its second
   derivative passes the seam without a jump. */
static void periodic_repeats(void **state)
{
    (void)state;
    char points[4096] = "{ends: periodic, points: [", text[8192];
    size_t at = strlen(points);
    for (int k = 0; k <= 32; k++)
        at += (size_t)snprintf(points + at, sizeof points - at, "%s[%.17g, %.17g]", k ? ", " : "", 0.3 + k / 16.0,
                               sin(2 * PI * (k % 32) / 32.0));
    snprintf(points + at, sizeof points - at, "]}");
    snprintf(text, sizeof text, CART("%s"), points);
    free_run run;
    free_run_parse(&run, text, 1e-12, NULL);
    double first[10][3], now[3], before[3];
    for (int k = 0; k < 10; k++) {
        double t = 0.2 * k + 0.05, phase = PI * (t - 0.3);
        cart_at(&run, t, first[k]);
        assert_true(fabs(first[k][0] - sin(phase)) < 1e-5 && fabs(first[k][1] - PI * cos(phase)) < 1e-3);
        assert_true(fabs(first[k][2] + PI * PI * sin(phase)) < 0.05);
    }
    for (int k = 0; k < 10; k++) {
        cart_at(&run, 0.2 * k + 0.05 + 6, now);
        for (int n = 0; n < 3; n++)
            assert_true(fabs(now[n] - first[k][n]) < 1e-9);
    }
    cart_at(&run, 10.3 - 1e-7, before);
    cart_at(&run, 10.3 + 1e-7, now);
    for (int n = 0; n < 3; n++)
        assert_true(fabs(now[n] - before[n]) < 1e-5);
    free_run_close(&run);
}

static void refuse(const char *text, const char *has)
{
    const char *error = free_error_of_text(text);
    if (!strstr(error, has))
        fail_msg("'%s' is not in '%s'", has, error);
}

static void wrong_ends(void **state)
{
    (void)state;
    refuse(CART("{points: [[0, 1], [1, 2], [2, 3], [3, 4]], ends: periodic}"),
           "its last y must be the first, 1, not 4");
    refuse(CART("{points: [[0, 1], [1, 2], [2, 1]], ends: periodic}"), "at least four points");
    refuse(CART("{points: [[0, 1], [1, 2], [2, 1]], ends: clampd}"), "did you mean 'clamped'");
    refuse(CART("{points: [[0, 1], [1, 2], [2, 1]], slopes: [0, 0]}"), "'slopes' are for 'ends: clamped'");
    refuse(CART("{points: [[0, 1], [1, 2], [2, 1]], end: clamped}"), "unknown key 'end'; did you mean 'ends'");
    refuse(CART("{ends: clamped}"), "missing key 'points'");
    refuse("carom: 1\ndimension: 2\nsplines:\n  p: {points: [[0, 1], [1, 2], [2, 3], [3, 1]], ends: "
           "periodic}\nbodies:\n  b: {mass: 1, inertia: 1, at: [1, 0]}\nloads:\n  s: {type: spring, between: "
           "[ground, b], curve: p}\nrun: {until: 1}\n",
           "the curve of a load is natural or clamped");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clamped_is_exact_for_cubics),
        cmocka_unit_test(natural_of_three_points),
        cmocka_unit_test(periodic_repeats),
        cmocka_unit_test(wrong_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

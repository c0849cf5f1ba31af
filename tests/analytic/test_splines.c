/* Motions by splines with natural, clamped and periodic ends: position, velocity and acceleration against
   polynomials, the closed form of three points, and the period; what is refused. Monotone ones against closed forms,
   as motion, force, curve of a spring and record; what is told where smooth ones leave their points. */
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

/* ---- monotone ---- */

/* Segments of lengths 1, 2, 1 and slopes 1, 3, 2, 4: the slopes at the points are the weighted harmonic means
   (w0 + w1)/(w0/d0 + w1/d1), w0 = h0 + 2 h1, w1 = 2 h0 + h1, and at the ends ((2 h0 + h1) d0 - h0 d1)/(h0 + h1);
   between them lies the cubic of Hermite. */
static void monotone_is_that_of_hermite(void **state)
{
    (void)state;
    static const double x[] = {0, 1, 3, 4, 5}, y[] = {0, 1, 7, 9, 13};
    static const double slope[] = {(4 * 1 - 1 * 3) / 3., 9 / (5 / 1. + 4 / 3.), 9 / (4 / 3. + 5 / 2.),
                                   6 / (3 / 2. + 3 / 4.), (3 * 4 - 1 * 2) / 2.};
    free_run run;
    free_run_parse(&run, CART("{points: [[0, 0], [1, 1], [3, 7], [4, 9], [5, 13]], between: monotone}"), 1e-12, NULL);
    for (int k = 0; k < 4; k++)
        for (double s = 0.15; s < 1; s += 0.2) {
            const double h = x[k + 1] - x[k], rise = y[k + 1] - y[k], m0 = h * slope[k], m1 = h * slope[k + 1];
            const double c = 3 * rise - 2 * m0 - m1, d = m0 + m1 - 2 * rise;
            expect(&run, x[k] + s * h, y[k] + s * (m0 + s * (c + s * d)), (m0 + s * (2 * c + s * 3 * d)) / h,
                   (2 * c + 6 * d * s) / (h * h), ACCURACY);
        }
    expect(&run, 7, 13 + 2 * slope[4], slope[4], 0, ACCURACY);
    free_run_close(&run);
}

/* A straight row of points is a line, clamped ends have their slopes, and a period of any length goes on: its velocity
   is the same on both sides of the seam. */
static void monotone_ends(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, CART("{points: [[0, 1], [1, 3], [4, 9], [9, 19]], between: monotone}"), 1e-12, NULL);
    for (double t = 0.5; t < 9; t += 1)
        expect(&run, t, 1 + 2 * t, 2, 0, ACCURACY);
    free_run_close(&run);
    free_run_parse(&run,
                   CART("{points: [[0, 0], [1, 1], [2, 4]], ends: clamped, slopes: [0.5, 6], between: "
                        "monotone}"),
                   1e-12, NULL);
    expect(&run, 0, 0, 0.5, 6 - 4 * 0.5 - 2 * 1.5, ACCURACY);
    expect(&run, 3, 10, 6, 0, ACCURACY);
    free_run_close(&run);
    /* the slope at the seam is 3/(2/1 + 1/0.5) = 0.9 of lengths 2 and 1 before and behind it: w0 = 4, w1 = 5 */
    free_run_parse(&run, CART("{points: [[0, 0], [1, 1], [2, -1], [4, 0]], ends: periodic, between: monotone}"), 1e-12,
                   NULL);
    const double seam = 9 / (4 / 0.5 + 5 / 1.);
    double now[3];
    for (int n = 0; n < 3; n++) {
        cart_at(&run, 4 * n + (n ? 0 : 1e-9), now);
        assert_true(fabs(now[0]) < 1e-8 && fabs(now[1] - seam) < 1e-8);
    }
    cart_at(&run, 9, now);
    assert_true(fabs(now[0] - 1) < ACCURACY && fabs(now[1]) < ACCURACY);
    free_run_close(&run);
}

#define PULSE "[[0, 0], [0.699, 0], [0.7, 100], [0.701, 0], [2, 0]]"
#define PUSHED(points)                                                                                            \
    "carom: 1\ndimension: 2\ngravity: [0, 0]\nsplines: {pulse: " points "}\nbodies: {c: {mass: 1, inertia: 1}}\n"    \
    "loads: {g: {type: force, on: c, force: [\"spline(pulse, t)\", 0]}}\nrun: {until: 2}\n"
#define BUFFER "[[-10*mm, -1000*N], [-5*mm, 0*N], [5*mm, 0*N], [10*mm, 1000*N]]"
#define SPRUNG(points, start)                                                                                     \
    "carom: 1\ndimension: 2\ngravity: [0, 0]\nsplines: {buffer: " points "}\nbodies:\n"                             \
    "  cart: {mass: 1, inertia: 1, at: [" start ", 0]}\njoints:\n"                                                \
    "  rail: {type: translational, between: [ground, cart], axis: [1, 0], spring: {curve: buffer}}\n"              \
    "run: {until: 0.2}\n"

/* A pulse of 100 N over two milliseconds gives 1 kg 0.1 m/s, the area beneath its cubics, whose slopes vanish at their
   ends; the smooth spline gave -40.8 km/s, and is told of. A buffer with free play: within it nothing acts, and what is
   stored beyond it at the start becomes the speed in the play, and as much on the other side. */
static void monotone_forces(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, PUSHED("{points: " PULSE ", between: monotone}"), 1e-10, NULL);
    assert_false(free_run_is_told(&run, "[W55]"));
    free_run_to(&run, 2);
    assert_true(fabs(free_run_get(&run, "body.c.velocity.x") - 0.1) < 1e-10);
    free_run_close(&run);
    free_run_parse(&run, SPRUNG("{points: " BUFFER ", between: monotone}", "1*mm"), 1e-10, NULL);
    free_run_to(&run, 0.2);
    assert_true(free_run_get(&run, "body.cart.position.x") == 1e-3);
    free_run_close(&run);
    free_run_parse(&run, SPRUNG("{points: " BUFFER ", between: monotone}", "8*mm"), 1e-10, NULL);
    /* slopes 0 and m1 at the ends of the last segment, of which the start is at the share s */
    const double s = 0.6, h = 5e-3, m1 = 20 * 200e3 / 15, c = 3 * 1000 - m1 * h, d = m1 * h - 2 * 1000;
    const double stored = h * (c * s * s * s / 3 + d * s * s * s * s / 4);
    double fastest = 0, farthest = 0;
    for (int k = 1; k <= 400; k++) {
        free_run_to(&run, 0.2 * k / 400);
        fastest = fmax(fastest, fabs(free_run_get(&run, "body.cart.velocity.x")));
        farthest = fmin(farthest, free_run_get(&run, "body.cart.position.x"));
    }
    print_message("speed in the play %.9g, of the energy %.9g m/s; to %.9g m\n", fastest, sqrt(2 * stored), farthest);
    assert_true(fabs(fastest - sqrt(2 * stored)) < 1e-8 && farthest > -8e-3 * (1 + 1e-7) && farthest < -7.99e-3);
    free_run_close(&run);
}

/* Told where a smooth spline goes beyond both neighbouring points by more than a hundredth of the range, or a tenth
   where the points have a crest: in a pulse, in free play, by 3/20 between two points on top; not of the points of a
   parabola or of a sine. */
static void overshoot_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
    } cases[] = {
        {PUSHED(PULSE), "between its points (0.701, 0) and (2, 0)"},
        {SPRUNG(BUFFER, "0"), "between: monotone"},
        {SPRUNG("{points: " BUFFER ", between: monotone}", "0"), NULL},
        {CART("[[0, 0], [1, 1], [2, 4], [3, 9]]"), NULL},
        {CART("[[0, 0], [1, 1], [2, 1], [3, 0]]"), "15 %"},
        {CART("[[0, 0], [1, 0.8], [2, 1], [3, 0.8], [4, 0]]"), NULL},
        {CART("[[0, 0.145], [1, 0.145], [2, 0.14500000000000002], [3, 0.145]]"), NULL},
        {CART("{value: sin(x), from: 0, to: 20, points: 40}"), NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        free_run run;
        free_run_parse(&run, cases[k].text, 1e-8, NULL);
        assert_true(free_run_is_told(&run, "[W55]") == (cases[k].told != NULL));
        if (cases[k].told)
            assert_true(free_run_is_told(&run, cases[k].told));
        free_run_close(&run);
    }
    refuse(CART("{points: [[0, 1], [1, 2], [2, 1]], between: monoton}"), "did you mean 'monotone'");
    refuse("carom: 1\ndimension: 3\nsplines:\n  m: {points: [[-1, 1], [0, 2], [1, 1]], between: monotone}\nbodies:\n"
           "  b: {mass: 1, inertia: [1, 1, 1]}\nshapes: {s: {type: revolution, on: b, meridian: m}}\nrun: {until: 1}\n",
           "whose curvature jumps at its points");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(monotone_is_that_of_hermite),
        cmocka_unit_test(monotone_ends),
        cmocka_unit_test(monotone_forces),
        cmocka_unit_test(overshoot_is_told),
        cmocka_unit_test(clamped_is_exact_for_cubics),
        cmocka_unit_test(natural_of_three_points),
        cmocka_unit_test(periodic_repeats),
        cmocka_unit_test(wrong_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

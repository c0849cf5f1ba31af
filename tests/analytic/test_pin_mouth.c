/* A peg in the mouth of a tube: a tilted one that a slide lets move along the tube alone is stopped as a wedge is, by
   the speed v sin(tilt) along the normal of its side, and thrown back; a free one that falls in keeps its energy. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"

#define SLIDE                                                                                                          \
    "carom: 1\ndimension: 3\ngravity: [0, 0, 0]\nbodies:\n"                                                            \
    "  p: {mass: 0.2, inertia: [3e-4, 3e-4, 1e-5], at: [0, 0, 0.06], orientation: {axis: [0, 1, 0], angle: 1*deg},\n"  \
    "      velocity: [0, 0, -0.3]}\n"                                                                                  \
    "joints: {g: {type: translational, between: [ground, p], axis: [0, 0, 1]}}\n"                                      \
    "shapes:\n  p: {%s, on: p}\n"                                                                                      \
    "  t: {type: tube, on: ground, bore: 0.01, radius: 0.03, length: 0.1%s}\n"                                         \
    "contacts: {s: {between: [%s], normal: {law: hertz, stiffness: %g}}}\nrun: {until: 0.3}\n"
#define FALL                                                                                                           \
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"                                                        \
    "  p: {mass: 0.2, inertia: [3e-4, 3e-4, 1e-5], at: [0.0003, 0, 0.11],\n"                                           \
    "      orientation: {axis: [%s, 1, 0], angle: 0.005}}\n"                                                           \
    "shapes:\n  p: {%s, on: p}\n"                                                                                      \
    "  t: {type: tube, on: ground, bore: 0.01, radius: 0.03, length: 0.1%s}\n"                                         \
    "  f: {type: plane, on: ground, at: [0, 0, -0.05], normal: [0, 0, 1]}\n"                                           \
    "contacts:\n  s: {between: [p, t], normal: {law: hertz, stiffness: 1e7}}\n"                                        \
    "  f: {between: [p, f], normal: {law: hertz, stiffness: 1e7}}\nrun: {until: 0.3}\n"

static const char *const pegs[] = {"type: cylinder, at: [0, 0, 0.05], radius: 0.0098, length: 0.1, rim: 0.002",
                                   "type: cylinder, at: [0, 0, 0.05], radius: 0.0098, length: 0.1",
                                   "type: capsule, from: [0, 0, 0.0098], to: [0, 0, 0.1], radius: 0.0098"};

/* The axis leaves x = 0 at z = 0.06 and leans by 1 degree. The edge of the mouth is the circle of the radius b at z = h
   - r, of a round rim its circle of b + r: it touches where (b + r - x) cos(tilt) = R + r. */
static double onset_of(double rim)
{
    const double tilt = CAROM_PI / 180, b = 0.01 + rim, z = 0.05 - rim;
    const double x = b - (0.0098 + rim) / cos(tilt);    /* of the axis at the mouth */
    return (0.06 - z + x / tan(tilt)) / 0.3;
}

static void test_slide(void **state)
{
    (void)state;
    for (int n = 0; n < 12; n++) {
        const double rim = n % 2 ? 0.001 : 0, stiffness = n % 4 < 2 ? 1e7 : 1e9;
        char text[1600];
        free_run run;
        snprintf(text, sizeof text, SLIDE, pegs[n / 4], rim > 0 ? ", rim: 0.001" : "", n % 3 ? "p, t" : "t, p",
                 stiffness);
        free_run_parse(&run, text, 1e-10, NULL);
        free_run_to(&run, 0.3);
        size_t count = 0;
        const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
        assert_int_equal(count, 1);
        assert_true(fabs(impacts[0].onset - onset_of(rim)) < 1e-9);
        assert_true(fabs(impacts[0].v_in - 0.3 * sin(CAROM_PI / 180)) < 1e-9);
        /* 0.4 K d^2.5 = m v^2 / 2 */
        const double depth = pow(0.009 / (0.4 * stiffness), 0.4);
        assert_true(fabs(impacts[0].max_indentation / depth - 1) < 1e-6);
        assert_true(fabs(free_run_body(&run, "p").velocity[2] - 0.3) < 1e-9);
        free_run_close(&run);
    }
}

/* Into the hole, to the ground and up again, in two directions: the balance closes. */
static void test_fall(void **state)
{
    (void)state;
    for (int n = 0; n < 12; n++) {
        static const char *const shapes[] = {"type: cylinder, radius: 0.0098, length: 0.1, rim: 0.002",
                                             "type: cylinder, radius: 0.0098, length: 0.1",
                                             "type: capsule, from: [0, 0, -0.04], to: [0, 0, 0.04], radius: 0.0098"};
        char text[1600];
        free_run run;
        snprintf(text, sizeof text, FALL, n % 2 ? "0.5" : "0", shapes[n / 4], n % 4 < 2 ? "" : ", rim: 0.001");
        free_run_parse(&run, text, 1e-9, NULL);
        free_run_to(&run, 0.3);
        const carom_ledger ledger = carom_simulation_ledger(run.sim);
        print_message("fall %d: residual %.1e of %.3f J\n", n, ledger.residual, ledger.start);
        assert_true(fabs(ledger.residual) < 1e-7 * ledger.start);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slide), cmocka_unit_test(test_fall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A disc in the inner corners of a profile touches both sides: sections of curves against the whole curve, a wheel that
   runs into a kink of any angle against the impact of a rigid one, and over a step that is drawn in two ways. */
#include "carom_test.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "geometry/curve/curve.h"
#include "support/frames.h"
#include "support/free_runs.h"

/* ---- geometry ---- */

/* The nearest of all sections is the nearest point of the curve, apart from it, with the same gap and normal. */
static void test_sections(void **state)
{
    (void)state;
    enum { POINTS = 9 };
    static const carom_vec2 star[POINTS] = {{0, -2}, {0.7, -0.6}, {2.2, -0.7},  {1, 0.3},    {1.4, 1.9},
                                            {0, 1},  {-1.4, 1.8}, {-0.9, 0.25}, {-2.1, -0.6}};
    static double curve[CAROM_CURVE_HEADER + POINTS * CAROM_CURVE_SEGMENT], other[CAROM_COUNT(curve)];
    assert_null(carom_outline_polygon(curve, star, POINTS));
    assert_int_equal(carom_curve_sections(curve), 4);
    memcpy(other, curve, sizeof other);
    carom_curve_reverse(other);
    assert_int_equal(carom_curve_sections(other), 5);
    uint64_t seed = 4;
    for (int n = 0; n < 1000; n++) {
        const double *q = n % 2 ? other : curve;
        const carom_vec2 p = carom_v2(test_random(&seed, -2.5, 2.5), test_random(&seed, -2.5, 2.5));
        carom_curve_foot whole, foot, near, least = {.distance = HUGE_VAL};
        carom_curve_closest(q, p, &whole);
        for (int k = 0; k < carom_curve_sections(q); k++) {
            carom_curve_section_closest(q, k, p, NULL, &foot);
            assert_true(fabs(foot.distance) >= fabs(whole.distance) - 1e-15);
            if (fabs(foot.distance) < fabs(least.distance))
                least = foot;
            /* from a place beside it the same */
            const double beside = foot.s + 1e-3;
            carom_curve_section_closest(q, k, p, &beside, &near);
            assert_true(fabs(near.distance - foot.distance) < 1e-14);
        }
        if (whole.distance > 0)
            assert_true(fabs(least.distance - whole.distance) < 1e-14 &&
                        carom_v2_distance(least.normal, whole.normal) < 1e-9);
    }
}

/* ---- kinks ---- */

/* A wheel rolls without friction into a kink: the normal speed of the first impact is v sin(angle), and the balance
   closes whatever the angle. */
static void test_kinks(void **state)
{
    (void)state;
    static const double degrees[] = {0.1, 0.5, 2, 5, 9, 15, 30, 60, 85};
    for (size_t n = 0; n < CAROM_COUNT(degrees); n++) {
        char text[1024];
        const double v = 2;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, 0]\n"
                 "bodies: {wheel: {mass: 2, inertia: 0.01, at: [-0.5, 0.1], velocity: [%.17g, 0]}}\n"
                 "shapes:\n"
                 "  tyre: {type: sphere, on: wheel, radius: 0.1}\n"
                 "  road: {type: profile, on: ground, flip: true,\n"
                 "         outline: [{line: [[-1, 0], [0, 0]]}, {line: [[0, 0], [2, 2*tan(%.17g*deg)]]}]}\n"
                 "contacts: {grip: {between: [tyre, road], normal: {law: exact, stiffness: 1e9, restitution: 0.4}}}\n"
                 "run: {until: 0.3}\n",
                 v, degrees[n]);
        free_run run;
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 0.3);
        size_t count;
        const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
        const double angle = degrees[n] * acos(-1) / 180, residual = carom_simulation_ledger(run.sim).residual_fraction;
        assert_true(count >= 1);
        printf("  %4g degrees: v in %.9g of v sin %.9g, %zu impacts, residual %.1e\n", degrees[n], impacts[0].v_in,
               v * sin(angle), count, residual);
        assert_true(fabs(impacts[0].v_in - v * sin(angle)) < 1e-6 * v);
        /* the other side is touched without speed: nothing is kept from what the law returns */
        assert_true(fabs(impacts[0].v_out - 0.4 * impacts[0].v_in) < 0.02 * impacts[0].v_in);
        assert_true(fabs(residual) < 1e-8);
        carom_simulation_warnings(run.sim, &count);
        assert_int_equal(count, 0);
        free_run_close(&run);
    }
}

/* ---- the step ---- */

#define WHEEL                                                                                            \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"                                                      \
    "bodies: {wheel: {mass: 2, inertia: 0.01, at: [0, 0.1], velocity: [2, 0], angular_velocity: -20}}\n" \
    "shapes:\n"                                                                                          \
    "  tyre: {type: sphere, on: wheel, radius: 0.1}\n"
#define GRIP                                                                 \
    "normal: {law: flores, stiffness: 1e6, exponent: 1, restitution: 0.4}, " \
    "friction: {law: threlfall, kinetic: 0.7}}"

/* As one profile with an inner corner, and as a line and a block: the same two impacts, after a rest. */
static void test_step(void **state)
{
    (void)state;
    static const char *const models[] = {
        WHEEL "  road: {type: profile, on: ground, flip: true,\n"
              "         outline: [{line: [[-1, 0], [0.6, 0]]}, {line: [[0.6, 0], [0.6, 0.02]]},\n"
              "                   {line: [[0.6, 0.02], [2, 0.02]]}]}\n"
              "contacts: {grip: {between: [tyre, road], " GRIP "}\n"
              "run: {until: 0.6}\n",
        WHEEL "  road: {type: segment, on: ground, from: [2, 0], to: [-1, 0]}\n"
              "  step: {type: polygon, on: ground, points: [[0.6, -0.2], [2, -0.2], [2, 0.02], [0.6, 0.02]]}\n"
              "contacts:\n"
              "  low: {between: [tyre, road], " GRIP "\n"
              "  high: {between: [tyre, step], " GRIP "\n"
              "run: {until: 0.6}\n"};
    carom_impact found[2][2];
    for (int n = 0; n < 2; n++) {
        free_run run;
        free_run_parse(&run, models[n], 0, NULL);
        free_run_to(&run, 0.6);
        size_t count;
        const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
        assert_int_equal(count, 2);
        memcpy(found[n], impacts, sizeof found[n]);
        const double residual = carom_simulation_ledger(run.sim).residual_fraction;
        printf("  step %s: v in %.6g and %.6g m/s, residual %.1e\n", n ? "of two shapes" : "of one profile",
               impacts[0].v_in, impacts[1].v_in, residual);
        assert_true(fabs(residual) < 1e-8);
        free_run_close(&run);
    }
    for (int k = 0; k < 2; k++) {
        assert_true(fabs(found[0][k].onset - found[1][k].onset) < 1e-7);
        assert_true(fabs(found[0][k].v_in - found[1][k].v_in) < 1e-6 * found[1][k].v_in);
        assert_true(fabs(found[0][k].v_out - found[1][k].v_out) < 1e-5 * found[1][k].v_in);
    }
}

/* ---- a single inner corner ---- */

#define ANGLE                                                                      \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"                                \
    "bodies: {wheel: {mass: 2, inertia: 0.01, at: [1, 0.3], velocity: [-2, 0]}}\n" \
    "shapes:\n"                                                                    \
    "  tyre: {type: sphere, on: wheel, radius: 0.1}\n"
#define STOP                                                                                               \
    "contacts: {grip: {between: [tyre, angle], normal: {law: exact, stiffness: 1e7, restitution: 0.4}}}\n" \
    "run: {until: 0.5}\n"

/* A wheel that rolls on one side of an angle meets the other at its speed, as where it is of two boxes. */
static void test_single(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   ANGLE "  angle: {type: polygon, on: ground,\n"
                         "          points: [[0, 0], [2, 0], [2, 0.2], [0.2, 0.2], [0.2, 1], [0, 1]]}\n" STOP,
                   0, NULL);
    free_run_to(&run, 0.5);
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    double fastest = 0;
    for (size_t k = 0; k < count; k++)
        fastest = fmax(fastest, impacts[k].v_in);
    printf("  a single inner corner: met at %.9g of 2 m/s, residual %.1e\n", fastest,
           carom_simulation_ledger(run.sim).residual_fraction);
    assert_true(fabs(fastest - 2) < 1e-6 && fabs(carom_simulation_ledger(run.sim).residual_fraction) < 1e-8);
    assert_false(free_run_is_told(&run, "[W02]"));
    free_run_close(&run);
}

/* ---- what still jumps ---- */

/* Both sides of an inner corner that is rounded by less than the wheel's radius are of one section, and the nearer one
   alone acts: the change from one to the other is told. */
static void test_jump(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   ANGLE
                   "  angle: {type: profile, on: ground, closed: true,\n"
                   "          outline: [{line: [[0, 0], [2, 0]]}, {line: [[2, 0], [2, 0.2]]},\n"
                   "                    {line: [[2, 0.2], [0.22, 0.2]]},\n"
                   "                    {arc: {centre: [0.22, 0.22], radius: 0.02, from: 270*deg, to: 180*deg}},\n"
                   "                    {line: [[0.2, 0.22], [0.2, 1]]}, {line: [[0.2, 1], [0, 1]]},\n"
                   "                    {line: [[0, 1], [0, 0]]}]}\n" STOP,
                   0, NULL);
    free_run_to(&run, 0.5);
    assert_true(free_run_is_told(&run, "[W02]"));
    free_run_close(&run);
}

/* An ellipse in a groove: what the warning of the jump asks for, a segment for each side, keeps the energy. */
static void test_remedy(void **state)
{
    (void)state;
    static const char *const grooves[] = {
        "  v: {type: polygon, on: ground, points: [[0, 0], [-0.3, 0.3], [-0.3, -0.3], [0.3, -0.3], [0.3, 0.3]]}\n",
        "  l: {type: segment, on: ground, from: [0.3, -0.3], to: [-0.3, 0.3]}\n"
        "  r: {type: segment, on: ground, from: [0.3, 0.3], to: [-0.3, -0.3]}\n"};
    for (int n = 0; n < 2; n++) {
        char text[1500];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -10]\n"
                 "bodies: {a: {mass: 1, inertia: 2e-3, at: [0.01, 0.2], angle: 0.2}}\n"
                 "shapes:\n"
                 "  a: {type: profile, on: a, closed: true,\n"
                 "      outline: [curve: {x: 0.1*cos(u), y: 0.06*sin(u), from: 0, to: 2*pi}]}\n%s"
                 "contacts: {c: {all: ['*'], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 500},\n"
                 "               friction: {law: coulomb, kinetic: 0.2}}}\n"
                 "run: {until: 0.5}\n",
                 grooves[n]);
        free_run run;
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 0.5);
        size_t count, told = 0;
        const char *const *warnings = carom_simulation_warnings(run.sim, &count);
        for (size_t k = 0; k < count; k++)
            told += strstr(warnings[k], "[W02]") && strstr(warnings[k], "a shape of its own, such as a segment");
        const double residual = carom_simulation_ledger(run.sim).residual_fraction;
        printf("  an ellipse in a groove of %s: residual %.1e\n", n ? "two segments" : "one outline", residual);
        assert_int_equal(told, 1 - n);
        assert_true(n == 0 || fabs(residual) < 1e-9);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections), cmocka_unit_test(test_kinks), cmocka_unit_test(test_step),
        cmocka_unit_test(test_single),   cmocka_unit_test(test_jump),  cmocka_unit_test(test_remedy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

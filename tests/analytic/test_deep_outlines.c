/* Outlines that lie deeper in each other than half of what they are thick: they are pushed out the way they came in. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "geometry/curve/curve.h"
#include "support/free_runs.h"

#define R 2e-3
#define HALF 0.1

/* ---- capsules: the way that parts them is the distance of the middle lines less both radii ---- */

static double capsule[CAROM_CURVE_HEADER + CAROM_OUTLINE_SEGMENTS * CAROM_CURVE_SEGMENT];

/* An upright one sinks into a lying one, `across` from its middle, leaning by `lean`: where the middle of its round end
   is above the line of the other, by the height; beside the end, by the distance of the middles of both round ends. */
static double sinks(double across, double lean, double above, double below)
{
    carom_curve_contact c;
    double worst = 0;
    bool followed = false;
    for (double h = above; h > below; h -= 1e-4) {
        const double angle = -0.5 * CAROM_PI + lean;
        const carom_vec2 middle = {across, h};
        carom_pose2 X = {cos(angle), sin(angle), {0, 0}};
        X.at = carom_v2_sub(middle, carom_pose2_turn(&X, carom_v2(HALF, 0)));
        if (followed)
            carom_curve_gap_from(capsule, capsule, &X, c.s_i, c.s_j, &c);
        else
            carom_curve_gap(capsule, capsule, &X, &c);
        followed = true;
        const double apart = across > HALF ? hypot(across - HALF, h) : h;
        worst = fmax(worst, fabs(c.gap - (apart - 2 * R)));
    }
    return worst;
}

static void test_capsules(void **state)
{
    (void)state;
    double worst = 0;
    assert_null(carom_outline_capsule(capsule, carom_v2(-HALF, 0), carom_v2(HALF, 0), R, false));
    for (int k = 0; k < 12; k++) {
        worst = fmax(worst, sinks(-0.09 + 0.016 * k, 0, 5e-3, -2 * R));
        worst = fmax(worst, sinks(-0.09 + 0.016 * k, 0.7, 5e-3, 0));
        worst = fmax(worst, sinks(-0.09 + 0.016 * k, -0.7, 5e-3, 0));
        worst = fmax(worst, sinks(HALF + 0.1 * R * k, 0, 5e-3, 0.2 * R));
    }
    print_message("capsules: gap within %.1e m\n", worst);
    assert_true(worst < 1e-13);
}

/* A bar hits another one, or a plate, with its end, or with its side: Hertz' impact without loss has the depth
   (5 m v^2/(4 K))^(2/5), m the effective mass, and one impact. */
static void hit(const char *plate, const char *bar, double mass, double speed, double reach)
{
    char text[1000];
    size_t count;
    free_run run;
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\nbodies:\n  a: {mass: 0.2, inertia: 7e-4}\n"
             "  b: {mass: 0.2, inertia: 7e-4, at: [0, 0.15], velocity: [0, %.17g]}\n"
             "shapes:\n  a: {on: a, %s}\n  b: {on: b, %s}\n"
             "contacts: {c: {between: [a, b], normal: {law: hertz, stiffness: 1e8*N/m^1.5}}}\nrun: {until: 0.05}\n",
             -speed, plate, bar);
    free_run_parse(&run, text, 1e-10, NULL);
    free_run_to(&run, 0.05);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_int_equal(count, 1);
    const double depth = pow(5 * mass * speed * speed / (4 * 1e8), 0.4);
    print_message("%s: %.7g m deep, %.7g m expected\n", plate, impacts[0].max_indentation, depth);
    assert_true(depth > reach);
    assert_true(fabs(impacts[0].max_indentation / depth - 1) < 1e-6);
    assert_true(fabs(impacts[0].v_out / speed - 1) < 1e-7);
    free_run_close(&run);
}

#define LYING "type: capsule, from: [-0.1, 0], to: [0.1, 0], radius: 2*mm"
#define UPRIGHT "type: capsule, from: [0, -0.1], to: [0, 0.1], radius: 2*mm"

static void test_bars(void **state)
{
    (void)state;
    hit(LYING, UPRIGHT, 0.1, 20, 1.5 * R);
    hit(LYING, UPRIGHT, 0.1, 30, 2 * R);
    hit("type: box, size: [0.2, 4*mm]", UPRIGHT, 0.1, 20, 1.5 * R);
    hit("type: box, size: [0.2, 4*mm]", UPRIGHT, 0.1, 30, 2 * R);
}

/* Bars that turn and meet with their ends: the run comes to its end, with its energy. */
static void test_turning(void **state)
{
    (void)state;
    free_run run;
    size_t count;
    free_run_parse(&run,
                   "carom: 1\ndimension: 2\nbodies:\n"
                   "  a: {mass: 0.2, inertia: 7e-4, angular_velocity: 200}\n"
                   "  b: {mass: 0.2, inertia: 7e-4, at: [3, 0.11], velocity: [-1, 0], angular_velocity: -170}\n"
                   "shapes:\n  a: {on: a, " LYING "}\n  b: {on: b, " LYING "}\n"
                   "contacts: {c: {between: [a, b], normal: {law: hertz, stiffness: 1e8*N/m^1.5}}}\nrun: {until: 5}\n",
                   0, NULL);
    free_run_to(&run, 5);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    const carom_body_state a = free_run_body(&run, "a"), b = free_run_body(&run, "b");
    double energy = 0;
    for (int k = 0; k < 2; k++)
        energy += 0.1 * (a.velocity[k] * a.velocity[k] + b.velocity[k] * b.velocity[k]);
    energy += 3.5e-4 * (a.angular_velocity[2] * a.angular_velocity[2] + b.angular_velocity[2] * b.angular_velocity[2]);
    assert_int_equal(count, 1);
    assert_true(impacts[0].max_indentation > R);
    assert_true(fabs(energy / (0.1 + 3.5e-4 * (200 * 200 + 170 * 170)) - 1) < 1e-6);
    free_run_close(&run);
}

/* ---- straight sides: a box on a plate, pushed out through the side that it came in through ---- */

#define K 1e7
#define PLATE 2e-3

/* The box is guided along the normal of the plate, `off` from the plate's middle; turned by `angle`. Returns the text's
   speed: that of an impact without loss as deep as `share` of the plate, K (2/5) depth^2.5 each corner of two. */
static double drop(char *text, size_t size, int form, double angle, bool swapped, double share, double off)
{
    const double v = sqrt(8 * K * pow(share * PLATE, 2.5) / 5), along[2] = {cos(angle), sin(angle)};
    const double up[2] = {-along[1], along[0]}, at = 0.012 + PLATE / 2;
    char plate[200];
    if (form == 0)
        snprintf(plate, sizeof plate, "type: box, size: [0.6, %g], orientation: %.17g", PLATE, angle);
    else
        snprintf(plate, sizeof plate,
                 "type: polygon, orientation: %.17g, points: [[-0.3, %g], [0.3, %g], [0.3, %g], [-0.3, %g]]", angle,
                 -PLATE / 2, -PLATE / 2, PLATE / 2, PLATE / 2);
    snprintf(text, size,
             "carom: 1\ndimension: 2\nbodies:\n"
             "  b: {mass: 1, inertia: 4e-3, at: [%.17g, %.17g], angle: %.17g, velocity: [%.17g, %.17g]}\n"
             "joints: {g: {type: translational, between: [{ground: [%.17g, %.17g]}, b], axis: [%.17g, %.17g]}}\n"
             "shapes:\n  s: {on: ground, %s}\n  b: {on: b, type: box, size: [0.2, 0.02]}\n"
             "contacts: {c: {between: [%s], normal: {law: hertz, stiffness: 1e7}}}\nrun: {until: 0.02}\n",
             off * along[0] + at * up[0], off * along[1] + at * up[1], angle, -v * up[0], -v * up[1], off * along[0],
             off * along[1], up[0], up[1], plate, swapped ? "b, s" : "s, b");
    return v;
}

/* Two corners press, those of the box, or one of it and one of the plate where the box stands over its end. */
static void test_plate(void **state)
{
    (void)state;
    static const double shares[] = {0.3, 0.7, 0.99, 1.5, 4};
    double worst = 0;
    for (size_t k = 0; k < 2 * 2 * 2 * 4 * CAROM_COUNT(shares); k++) {
        const bool over_end = k % 2, swapped = k / 4 % 2;
        const int form = (int)(k / 2 % 2), turned = (int)(k / 8 % 4);
        const double share = shares[k / 32];
        char text[1500];
        free_run run;
        size_t count;
        if (over_end && share > 1)
            continue;
        const double speed = drop(text, sizeof text, form, 0.9 * turned, swapped, share, over_end ? 0.33 : 0);
        free_run_parse(&run, text, 1e-10, NULL);
        free_run_to(&run, 0.02);
        const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
        assert_int_equal(count, 2);
        for (size_t n = 0; n < count; n++) {
            worst = fmax(worst, fabs(impacts[n].max_indentation / (share * PLATE) - 1));
            worst = fmax(worst, fabs(impacts[n].v_out / speed - 1));
        }
        assert_false(free_run_is_told(&run, "[W02]"));
        free_run_close(&run);
    }
    print_message("plate: depth and speed within %.1e\n", worst);
    assert_true(worst < 1e-6);
}

/* A press that becomes stronger and then holds: 2 K depth^1.5 is its force. */
static void test_press(void **state)
{
    (void)state;
    static const double forces[] = {5e3, 8e3, 12e3, 20e3, 60e3};
    for (size_t k = 0; k < CAROM_COUNT(forces); k++) {
        char text[900];
        free_run run;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\nbodies: {b: {mass: 5, inertia: 0.02, at: [0, 0.011]}}\n"
                 "joints: {g: {type: translational, between: [ground, b], axis: [0, 1]}}\n"
                 "shapes:\n  sheet: {type: box, on: ground, size: [0.6, 2*mm]}\n"
                 "  b: {type: box, on: b, size: [0.2, 20*mm]}\n"
                 "contacts: {c: {between: [sheet, b], normal: {law: flores, stiffness: 1e8, restitution: 0.3}}}\n"
                 "loads: {F: {type: force, on: b, force: [0, \"-%g*min(t, 1)\"]}}\nrun: {until: 2}\n",
                 forces[k]);
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 2);
        const double depth = 0.011 - free_run_body(&run, "b").position[1], expected = pow(forces[k] / 2e8, 2.0 / 3);
        print_message("press: %.9g m deep, %.9g m expected\n", depth, expected);
        assert_true(fabs(depth / expected - 1) < 1e-6);
        free_run_close(&run);
    }
}

/* Two loose plates on a floor: the upper one hits the lower one deeper than either is thick, and stays above it. */
static void test_plates(void **state)
{
    (void)state;
    free_run run;
    carom_accuracy accuracy;
    free_run_parse(&run,
                   "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
                   "  a: {mass: 1, inertia: 4e-3, at: [0, 0.0005]}\n"
                   "  b: {mass: 1, inertia: 4e-3, at: [0.05, 0.05], angle: 3*deg, velocity: [0, -3]}\n"
                   "shapes:\n  f: {type: plane, on: ground, normal: [0, 1]}\n"
                   "  a: {type: box, on: a, size: [0.2, 1*mm]}\n  b: {type: box, on: b, size: [0.2, 1*mm]}\n"
                   "contacts:\n"
                   "  fa: {between: [f, a], normal: {law: flores, stiffness: 1e7, restitution: 0.3}}\n"
                   "  ab: {between: [a, b], normal: {law: flores, stiffness: 1e7, restitution: 0.3}}\n"
                   "  fb: {between: [f, b], normal: {law: flores, stiffness: 1e7, restitution: 0.3}}\n"
                   "run: {until: 0.3}\n",
                   0, NULL);
    free_run_to(&run, 0.3);
    const carom_body_state a = free_run_body(&run, "a"), b = free_run_body(&run, "b");
    assert_true(b.position[1] - a.position[1] > 0.4e-3);
    assert_ok(run.ctx, carom_simulation_accuracy(run.sim, &accuracy));
    assert_true(accuracy.accurate);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_capsules),
        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_turning),
        cmocka_unit_test(test_plate),
        cmocka_unit_test(test_press),
        cmocka_unit_test(test_plates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Outlines that lie deeper in each other than half of what they are thick: they are pushed out the way they came in. */
#include "carom_test.h"

#include <math.h>

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
        const double angle = -0.5 * acos(-1) + lean;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_capsules),
        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_turning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Friction of joints where a run starts: a pendulum of mass m whose centre hangs l from its pin at the angle a from the
   vertical is held by the pin of radius r as far as m g l sin a <= mu r m g, and by a constant moment M as far as
   m g l sin a <= M. What is said of the start is what the run then does. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "support/free_runs.h"

#define MASS 2.0
#define ARM 0.5
#define GRAVITY 9.81
#define MU 0.3
#define RADIUS 0.02
#define MOMENT 0.4

static void run_at(double angle, bool constant, const char *formulation, bool holds)
{
    char text[800], friction[100];
    free_run run;
    carom_joint_friction f;
    if (constant)
        snprintf(friction, sizeof friction, "kinetic: 1, constant: %.17g", MOMENT);
    else
        snprintf(friction, sizeof friction, "kinetic: %.17g, radius: %.17g", MU, RADIUS);
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
             "bodies: {m: {mass: 2, inertia: 0.01, at: [%.17g, %.17g]}}\n"
             "joints: {pin: {type: revolute, between: [ground, {m: [%.17g, %.17g]}], friction: {law: coulomb, %s}}}\n"
             "run: {until: 1, formulation: %s}\n",
             ARM * sin(angle), -ARM * cos(angle), -ARM * sin(angle), ARM * cos(angle), friction, formulation);
    free_run_parse(&run, text, 0, NULL);
    assert_int_equal(carom_simulation_joint_friction(run.sim, &f, 1), 1);
    printf("%-9s %-8s %.6f rad: force %.9g, normal %.9g, %s\n", formulation, constant ? "constant" : "radius", angle,
           f.force, f.normal, f.sticks ? "holds" : f.begins ? "begins to slip" : "slips");
    assert_true(f.sticks == holds && f.begins == !holds && f.turns == constant);
    const double most = constant ? MOMENT : MU * f.normal, asked = MASS * GRAVITY * ARM * sin(angle);
    assert_true(fabs(f.force / (holds ? (constant ? asked : asked / RADIUS) : most) - 1) < 1e-9);
    if (holds)
        assert_true(fabs(f.normal / (constant ? MOMENT : MASS * GRAVITY) - 1) < 1e-9);
    free_run_to(&run, 0.1);
    assert_true((fabs(free_run_get(&run, "body.m.angular_velocity")) > 1e-4) == !holds);
    free_run_close(&run);
}

static void test_start(void **state)
{
    (void)state;
    static const char *const formulations[] = {"cartesian", "tree"};
    for (int f = 0; f < 2; f++)
        for (int constant = 0; constant < 2; constant++) {
            const double limit = asin(constant ? MOMENT / (MASS * GRAVITY * ARM) : MU * RADIUS / ARM);
            run_at(0.99 * limit, constant, formulations[f], true);
            run_at(1.01 * limit, constant, formulations[f], false);
            run_at(1.5, constant, formulations[f], false);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A contact that sticks where joints leave it one direction to move in: friction holds that one, the joints the other,
   and every integrator gets along. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"

static const char *const integrators[] = {"auto", "adams", "bdf", "dopri5"};

/* A sphere on a plane, on two sliders: it could move along x, and is pushed there. */
static const char sliders[] =
    "carom: 1\ndimension: 3\ngravity: [0, 0, -10]\nparameters: {K: 1e5}\n"
    "bodies:\n"
    "  ghost: {mass: 1e-3, inertia: [1e-4, 1e-4, 1e-4], at: [0, 0, 0.5]}\n"
    "  foot: {mass: 1, inertia: [1/6, 1/6, 1/6], at: [0, 0, 0.5 - 10/K], velocity: [0, 0, 0], "
    "angular_velocity: [0, 0, 0]}\n"
    "shapes:\n  foot: {type: sphere, on: foot, radius: 0.5}\n  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
    "contacts:\n  touch: {between: [floor, foot], normal: {law: kelvin-voigt, stiffness: K, damping: 200}, "
    "friction: {law: coulomb, kinetic: 1}}\n"
    "joints:\n"
    "  x: {type: translational, between: [{ground: [0, 0, 0.5]}, ghost], axis: [1, 0, 0]}\n"
    "  z: {type: translational, between: [ghost, foot], axis: [0, 0, 1]}\n"
    "loads:\n  push: {type: force, on: foot, force: [5, 2, 0]}\nrun: {until: 0.5}\n";

/* The same along an axis that is oblique to the tangents of the contact, under a force that changes. */
static const char oblique[] =
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  foot: {mass: 1, inertia: [4e-4, 4e-4, 4e-4], at: [0, 0, 0.09999]}\n"
    "  ghost: {mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], at: [0, 0, 0.09999]}\n"
    "shapes:\n  foot: {type: sphere, on: foot, radius: 0.1}\n  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
    "contacts:\n  touch: {between: [floor, foot], normal: {law: flores, stiffness: 1e8, restitution: 0.5}, "
    "friction: {law: coulomb, kinetic: 0.4, static: 0.5}}\n"
    "joints:\n"
    "  slide: {type: translational, between: [{ground: [0, 0, 0.09999]}, ghost], axis: [1, 0.5, 0]}\n"
    "  lift: {type: translational, between: [ghost, foot], axis: [0, 0, 1]}\n"
    "loads:\n  push: {type: force, on: foot, force: [\"2*sin(10*t)\", 1, 0]}\nrun: {until: 1}\n";

/* The foot of an arm on a hinge, which is pushed sideways: along y it cannot move. */
static const char hinged[] =
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
    "bodies:\n  foot: {mass: 1, inertia: [0.001, 0.1, 0.1], at: [0.5, 0, 0.0499]}\n"
    "shapes:\n  foot: {type: sphere, on: foot, at: [0.5, 0, 0], radius: 0.05}\n"
    "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
    "contacts:\n  touch: {between: [floor, foot], normal: {law: kelvin-voigt, stiffness: 1e5, damping: 100}, "
    "friction: {law: coulomb, kinetic: 0.5}}\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [{ground: [0, 0, 0.0499]}, {foot: [-0.5, 0, 0]}], axis: [0, 1, 0]}\n"
    "loads:\n  push: {type: force, on: foot, force: [0, 3, -2]}\nrun: {until: 1}\n";

/* Runs to the end and compares friction along the free direction with what the load asks for, and across it with
   none; `held` NAN: it is not known. */
static void expect_held(const char *text, const char *name, double until, double x, double y, double held)
{
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++) {
        free_run run;
        free_run_parse(&run, text, 0, integrators[k]);
        free_run_to(&run, until);
        const double fx = free_run_get(&run, "contact.touch.friction.x"),
                     fy = free_run_get(&run, "contact.touch.friction.y");
        const carom_body_state foot = free_run_body(&run, "foot");
        const double speed = hypot(foot.velocity[0], foot.velocity[1]);
        const long steps = (long)carom_simulation_statistics(run.sim).steps;
        print_message("%s, %s: %ld steps, friction %.6g N along and %.2g N across, slip %.2g m/s\n", name,
                      integrators[k], steps, x * fx + y * fy, x * fy - y * fx, speed);
        /* across, the contact gives way by 1e-9 of its own inverse mass; the forces are of 10 N */
        assert_true(fabs(x * fy - y * fx) < 1e-6);
        assert_true(isnan(held) || fabs(x * fx + y * fy - held) < 1e-5);
        /* the law's transition speed is 1e-6 m/s */
        assert_true(speed < 1e-6);
        assert_true(steps < 6000);
        free_run_close(&run);
    }
}

static void test_sliders(void **state)
{
    (void)state;
    expect_held(sliders, "two sliders", 0.5, 1, 0, -5);
}

static void test_oblique(void **state)
{
    (void)state;
    const double x = 1 / hypot(1, 0.5), y = 0.5 * x;
    expect_held(oblique, "oblique slider", 1, x, y, -(2 * sin(10.0) * x + y));
}

static void test_hinged(void **state)
{
    (void)state;
    expect_held(hinged, "hinged arm", 1, 1, 0, (double)NAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliders),
        cmocka_unit_test(test_oblique),
        cmocka_unit_test(test_hinged),
    };
    return cmocka_run_group_tests_name("held_directions", tests, NULL, NULL);
}

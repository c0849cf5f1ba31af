/* Friction of joints that no reaction changes: bodies come to rest by a constant torque or force and stay, in closed
   form, whatever their joints bear; and joints of robots that have it. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

/* An eccentric arm of 4 kg m^2 about its hinge, which bears centrifugal forces and no weight along the way. */
static void arm(char *text, size_t size, const char *law, double friction)
{
    snprintf(text, size,
             "{carom: 1, dimension: 3, bodies: {arm: {mass: 2, inertia: [1, 1, 2], at: [1, 0, 0]}},\n"
             "joints: {pin: {type: revolute, between: [ground, {arm: [-1, 0, 0]}], axis: [0, 0, 1], rate: 3,\n"
             "friction: {law: %s, constant: %.17g}}}, run: {until: 40}}",
             law, friction);
}

static void test_hinge(void **state)
{
    (void)state;
    static const char *const integrators[] = {"adams", "bdf", "auto", "dopri5"};
    const double friction = 0.5, inertia = 4, rest = 3 * inertia / friction, angle = 0.5 * 3 * rest;
    for (size_t k = 0; k < sizeof integrators / sizeof integrators[0]; k++) {
        char text[600];
        free_run run;
        arm(text, sizeof text, "coulomb, kinetic: 1", friction);
        free_run_parse(&run, text, 1e-9, integrators[k]);
        free_run_to(&run, 10);
        const double on_way = fabs(free_run_get(&run, "joint.pin.rate") - (3 - friction / inertia * 10));
        free_run_to(&run, rest + 5);
        const double turned = fabs(free_run_get(&run, "joint.pin.coordinate") - angle);
        const double creep = fabs(free_run_get(&run, "joint.pin.rate"));
        const double lost = fabs(free_run_get(&run, "joint.pin.friction_work") - 0.5 * inertia * 9);
        print_message("%-7s rate on the way %.1e, angle at rest %.1e of %g rad, creep %.1e rad/s, work %.1e J\n",
                      integrators[k], on_way, turned, angle, creep, lost);
        /* the run's tolerance of 1e-9 over 36 rad and 18 J */
        assert_true(on_way < 1e-7 && turned < 1e-6 && creep < 1e-9 && lost < 1e-6);
        free_run_close(&run);
    }
}

/* Pushed by less than the friction a slider stays, by more it moves with the difference. */
static void test_slider(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[600];
        free_run run;
        snprintf(text, sizeof text,
                 "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {box: {mass: 3, inertia: 1}},\n"
                 "joints: {rail: {type: translational, between: [ground, box], axis: [1, 0],\n"
                 "friction: {law: coulomb, kinetic: 1, constant: 0.5}}},\n"
                 "loads: {push: {type: force, on: box, force: [%g, 0]}}, run: {until: 4}}",
                 k ? 0.8 : 0.49);
        free_run_parse(&run, text, 1e-9, NULL);
        free_run_to(&run, 3);
        const double way = k ? 0.5 * (0.8 - 0.5) / 3 * 9 : 0;
        const double off = fabs(free_run_get(&run, "joint.rail.coordinate") - way);
        print_message("slider pushed by %g N: %.1e m off\n", k ? 0.8 : 0.49, off);
        assert_true(off < 1e-8);
        free_run_close(&run);
    }
}

static void test_refused(void **state)
{
    (void)state;
    char text[600];
    arm(text, sizeof text, "coulomb, kinetic: 1, radius: 0.1", 0.5);
    assert_non_null(strstr(free_error_of_text(text), "takes the place of sizes"));
    arm(text, sizeof text, "coulomb, kinetic: 1", -1);
    assert_non_null(strstr(free_error_of_text(text), "greater than 0"));
    assert_non_null(strstr(
        free_error_of_text(
            "{carom: 1, dimension: 3, bodies: {arm: {mass: 2, inertia: [1, 1, 2]}}, joints: {pin: {type: spherical, "
            "between: [ground, arm], friction: {law: coulomb, kinetic: 1, constant: 1}}}, run: {until: 1}}"),
        "joints with a coordinate"));
}

/* `friction` of URDF: an arm about the vertical that turns at 3 rad/s. */
static void test_robot(void **state)
{
    (void)state;
    FILE *file = fopen("arm.urdf", "w");
    assert_non_null(file);
    fputs(
        "<robot name='r'><link name='base'/><link name='arm'><inertial><origin xyz='1 0 0'/><mass value='2'/>"
        "<inertia ixx='1' iyy='1' izz='2'/></inertial></link><joint name='pin' type='continuous'><parent link='base'/>"
        "<child link='arm'/><axis xyz='0 0 1'/><dynamics friction='0.5' damping='0.25'/></joint></robot>",
        file);
    fclose(file);
    free_run run;
    free_run_parse(&run,
                   "{carom: 1, dimension: 3, include: arm.urdf, joints: {pin: {rate: 3}}, gravity: [0, 0, -9.81], run: "
                   "{until: 10}}",
                   1e-10, NULL);
    free_run_to(&run, 5);
    /* J w' = -f - c w */
    const double w = (3 + 0.5 / 0.25) * exp(-0.25 / 4 * 5) - 0.5 / 0.25;
    print_message("robot: %.1e rad/s\n", fabs(free_run_get(&run, "joint.pin.rate") - w));
    assert_true(fabs(free_run_get(&run, "joint.pin.rate") - w) < 1e-8);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hinge),
        cmocka_unit_test(test_slider),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_robot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

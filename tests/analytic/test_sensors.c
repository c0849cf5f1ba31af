/* Sensors as channels: accelerometer, gyroscope and velocity in the axes of a frame against closed forms (a turntable,
   a pendulum, free fall), pose of a frame, sums of contact forces on bodies in balance and as measures of events,
   reactions at joints with computed efforts in both formulations. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define PI 3.14159265358979323846
#define ACCURACY 1e-9 /* of quantities of order 10, at a tolerance of 1e-11 */

static double get3(free_run *run, const char *channel, int k)
{
    char name[100];
    snprintf(name, sizeof name, "%s.%c", channel, "xyz"[k]);
    return free_run_get(run, name);
}

static double off3(free_run *run, const char *channel, double x, double y, double z)
{
    return fmax(fabs(get3(run, channel, 0) - x),
                fmax(fabs(get3(run, channel, 1) - y), fabs(get3(run, channel, 2) - z)));
}

/* A turntable with the constant rate 3 rad/s about the vertical, a frame at 0.4 m turned by 30 degrees: gravity up,
   w^2 r towards the axis, and in its axes both. */
static void test_turntable(void **state)
{
    (void)state;
    free_run run;
    double worst = 0;
    free_run_parse(
        &run,
        "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies:\n  table: {mass: 2, inertia: [0.1, 0.2, 0.3], frames: {imu: {at: [0.4, 0, 0.1], orientation: "
        "{axis: [0, 0, 1], angle: 30*deg}}}}\n"
        "joints:\n  j: {type: revolute, between: [ground, table], axis: [0, 0, 1], motion: 3*t}\n"
        "run: {until: 2}\n",
        1e-11, NULL);
    for (int k = 0; k <= 10; k++) {
        const double t = 0.2 * k, a = 9 * 0.4, c = cos(PI / 6), s = sin(PI / 6), half = 0.5 * (3 * t + PI / 6);
        free_run_to(&run, t);
        worst = fmax(worst, off3(&run, "frame.table.imu.accelerometer", -a * c, a * s, 9.81));
        worst = fmax(worst, off3(&run, "frame.table.imu.gyroscope", 0, 0, 3));
        worst = fmax(worst, off3(&run, "frame.table.imu.own_velocity", 1.2 * s, 1.2 * c, 0));
        worst = fmax(worst, off3(&run, "frame.table.imu.angular_velocity", 0, 0, 3));
        const double w = free_run_get(&run, "frame.table.imu.orientation.w"),
                     z = free_run_get(&run, "frame.table.imu.orientation.z");
        worst = fmax(worst, fabs(w * sin(half) - z * cos(half)));
    }
    printf("turntable %.1e\n", worst);
    assert_true(worst < ACCURACY);
    free_run_close(&run);
}

/* In the plane: a pendulum of a point far from its hinge; a free body feels nothing at its centre. */
static void test_plane(void **state)
{
    (void)state;
    free_run run;
    double worst = 0;
    free_run_parse(
        &run,
        "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies:\n  rod: {mass: 1, inertia: 0.1, at: [0.5, 0], frames: {tip: [0.5, 0]}}\n"
        "  stone: {mass: 1, inertia: 0.1, at: [3, 0], velocity: [1, 2], angular_velocity: 4, frames: {in: {at: "
        "[0, 0], orientation: 0.3}, on: [0.2, 0]}}\n"
        "joints:\n  j: {type: revolute, between: [ground, {rod: [-0.5, 0]}]}\nrun: {until: 2}\n",
        1e-11, NULL);
    for (int k = 0; k <= 10; k++) {
        free_run_to(&run, 0.1 * k);
        /* the tip: w^2 l + g sin q along the rod, alpha l + g cos q across; the hinge bears the rest */
        const double q = free_run_get(&run, "joint.j.coordinate"), w = free_run_get(&run, "joint.j.rate");
        const double alpha = -9.81 * 0.5 * cos(q) / 0.35;
        worst = fmax(worst, fabs(free_run_get(&run, "frame.rod.tip.accelerometer.x") + w * w - 9.81 * sin(q)));
        worst = fmax(worst, fabs(free_run_get(&run, "frame.rod.tip.accelerometer.y") - alpha - 9.81 * cos(q)));
        worst = fmax(worst, fabs(free_run_get(&run, "frame.rod.tip.gyroscope") - w));
        worst = fmax(worst, fabs(free_run_get(&run, "frame.rod.tip.own_velocity.y") - w));
        worst = fmax(worst, fabs(free_run_get(&run, "frame.stone.in.accelerometer.x")));
        worst = fmax(worst, fabs(free_run_get(&run, "frame.stone.in.accelerometer.y")));
        worst = fmax(worst, fabs(free_run_get(&run, "frame.stone.in.angle") - 0.3 - 0.4 * k));
        worst = fmax(worst, fabs(free_run_get(&run, "frame.stone.on.accelerometer.x") + 16 * 0.2));
    }
    printf("pendulum and stone %.1e\n", worst);
    assert_true(worst < ACCURACY);
    free_run_close(&run);
}

#define TOWER                                                                                                      \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"                                                                \
    "bodies:\n  low: {mass: 2, inertia: 0.01, at: [0, 0.101]}\n  high: {mass: 1, inertia: 0.01, at: [0, 0.302]}\n" \
    "shapes:\n  a: {type: sphere, on: low, radius: 0.1}\n  b: {type: sphere, on: high, radius: 0.1}\n"             \
    "  floor: {type: plane, on: ground, normal: [0, 1]}\n"                                                         \
    "joints:\n  l: {type: translational, between: [ground, low], axis: [0, 1]}\n"                                  \
    "  h: {type: translational, between: [ground, high], axis: [0, 1]}\n"                                          \
    "contacts:\n  f: {between: [floor, a], normal: {law: kelvin-voigt, stiffness: 1e5, damping: 800}}\n"           \
    "  g: {between: [a, b], normal: {law: kelvin-voigt, stiffness: 1e5, damping: 800}}\n"

/* Two balls on each other come to rest: the floor bears both weights, the lower one the difference of its two contacts;
   an event where the upper one touches. */
static void test_contact_forces(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   TOWER "states: {touched: {rate: 0}}\n"
                         "events: {touch: {when: body.high.contact_force > 1, do: {set: {touched: t}}, once: yes}}\n"
                         "outputs: {floor: body.ground.contact_force_y, low: body.low.contact_force_y,\n"
                         "  size: body.low.contact_force}\nrun: {until: 3}\n",
                   1e-11, NULL);
    free_run_to(&run, 0.03);
    const double force = free_run_get(&run, "contact.f.force") - free_run_get(&run, "contact.g.force");
    double worst = fabs(free_run_get(&run, "body.low.contact_force.y") - force);
    worst = fmax(worst, fabs(free_run_get(&run, "output.low") - force));
    free_run_to(&run, 3);
    worst = fmax(worst, fabs(free_run_get(&run, "output.floor") + 3 * 9.81));
    worst = fmax(worst, fabs(free_run_get(&run, "body.low.contact_force.y") - 2 * 9.81));
    worst = fmax(worst, fabs(free_run_get(&run, "body.high.contact_force.y") - 9.81));
    worst = fmax(worst, fabs(free_run_get(&run, "output.size") - 2 * 9.81));
    size_t count;
    const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
    printf("contact forces %.1e, %zu touch at %.4f s\n", worst, count, row[0].time);
    assert_true(worst < 1e-7 && count == 1);
    assert_true(free_run_get(&run, "state.touched") == row[0].time && row[0].time > 0 && row[0].time < 0.1);
    free_run_close(&run);
}

/* Reactions at the joints of an arm whose efforts are computed: the same in both formulations, and those of the
   accelerations at the last joint. */
static void test_reactions(void **state)
{
    (void)state;
    double seen[2][6];
    for (int tree = 0; tree < 2; tree++) {
        free_run run;
        char text[1500];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\ntrajectories: {p: [[0, 0], [1, 0.8], [2, -0.3]]}\n"
                 "bodies:\n  a: {mass: 3, inertia: [0.1, 0.2, 0.3], at: [0.5, 0, 0]}\n"
                 "  b: {mass: 2, inertia: [0.1, 0.2, 0.3], at: [1.5, 0, 0]}\n"
                 "joints:\n  j: {type: revolute, between: [ground, {a: [-0.5, 0, 0]}], axis: [0, 1, 0]}\n"
                 "  k: {type: revolute, between: [{a: [0.5, 0, 0]}, {b: [-0.5, 0, 0]}], axis: [0, 0, 1]}\n"
                 "loads:\n  m: {type: motor, on: j, control: computed-torque, target: \"trajectory(p, t)\"}\n"
                 "  n: {type: motor, on: k, control: computed-torque, target: \"-trajectory(p, t)\", limit: 100}\n"
                 "run: {until: 2, formulation: %s}\n",
                 tree ? "tree" : "cartesian");
        free_run_parse(&run, text, 1e-11, NULL);
        free_run_to(&run, 0.7);
        for (int k = 0; k < 3; k++) {
            seen[tree][k] = get3(&run, "joint.j.reaction", k);
            seen[tree][3 + k] = get3(&run, "joint.j.moment", k);
            const double own = 2 * (get3(&run, "body.b.acceleration", k) + (k == 2 ? 9.81 : 0));
            assert_true(fabs(get3(&run, "joint.k.reaction", k) - own) < 1e-8);
        }
        free_run_close(&run);
    }
    double worst = 0, size = 0;
    for (int k = 0; k < 6; k++) {
        worst = fmax(worst, fabs(seen[0][k] - seen[1][k]));
        size = fmax(size, fabs(seen[0][k]));
    }
    printf("reactions with computed efforts differ by %.1e of %.3g\n", worst, size);
    assert_true(size > 10 && worst < 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turntable),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_contact_forces),
        cmocka_unit_test(test_reactions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

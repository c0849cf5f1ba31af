/* The keys `spring` and `damper` of joints in whole models against closed forms: oscillations along translational,
   revolute, cylindrical and point-in-line joints, through zero and over many turns, free play, one side, curves; the
   same as the loads joint-spring and joint-damper. Energy balances. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define PI 3.14159265358979323846
#define TOLERANCE 1e-12
#define ACCURACY 1e-10 /* of quantities of order 1 */

#define HEAD(dimension) "carom: 1\ndimension: " #dimension "\n"
#define RUN "run: {until: 10}\n"

typedef double (*closed_form)(double t);

/* The channel at 20 times, the ledger, the energy that dampers took against that lost. */
static void follow(const char *what, const char *text, const char *channel, closed_form exact, double until)
{
    free_run run;
    double worst = 0;
    free_run_parse(&run, text, TOLERANCE, NULL);
    for (int k = 0; k <= 20; k++) {
        double t = until * k / 20;
        free_run_to(&run, t);
        worst = fmax(worst, fabs(free_run_get(&run, channel) - exact(t)));
    }
    carom_ledger l = carom_simulation_ledger(run.sim);
    printf("%-44s error %.1e  ledger %.1e\n", what, worst, l.residual_fraction);
    assert_true(worst < ACCURACY);
    assert_true(l.residual_fraction < ACCURACY);
    assert_true(l.work == 0);
    free_run_close(&run);
}

/* 2 kg, 50 N/m, 4 N s/m; 0.2 kg m^2, 5 N m/rad, 0.4 N m s/rad: 5 rad/s, decay 1/s, from 0.3. */
static double swing(double t) { return 0.3 * cos(5 * t); }
static double fading(double t)
{
    double w = sqrt(24.0);
    return 0.3 * exp(-t) * (cos(w * t) + sin(w * t) / w);
}
static double shifted(double t) { return 0.1 + 0.2 * cos(5 * t); }
static double sagging(double t) { return -0.1962 * 2 * (1 - cos(5 * t)); }
static double wound(double t) { return 40 * sin(0.5 * t); }

#define SLIDE(keys)                                            \
    "bodies:\n  mass: {mass: 2, inertia: 0.1, at: [0.3, 0]}\n" \
    "joints:\n  j: {type: translational, between: [ground, mass], axis: [1, 0], " keys "}\n"
#define SLIDE_3D(type, keys)                                                  \
    "bodies:\n  mass: {mass: 2, inertia: [0.1, 0.1, 0.1], at: [0.3, 0, 0]}\n" \
    "joints:\n  j: {type: " type ", between: [ground, mass], axis: [1, 0, 0], " keys "}\n"
#define WHEEL(at, keys)                                         \
    "bodies:\n  mass: {mass: 1, inertia: 0.2, angle: " at "}\n" \
    "joints:\n  j: {type: revolute, between: [ground, mass], " keys "}\n"
#define WHEEL_3D(at, keys)                                                                                   \
    "bodies:\n  mass: {mass: 1, inertia: [0.15, 0.1, 0.2], orientation: {axis: [0, 0, 1], angle: " at "}}\n" \
    "joints:\n  j: {type: revolute, between: [ground, mass], axis: [0, 0, 1], " keys "}\n"
#define Q "joint.j.coordinate"

static void test_oscillations(void **state)
{
    (void)state;
    follow("translational", HEAD(2) SLIDE("spring: {stiffness: 50}") RUN, Q, swing, 8);
    follow("translational, damper", HEAD(2) SLIDE("spring: {stiffness: 50}, damper: {damping: 4}") RUN, Q, fading, 4);
    follow("translational, damping of the spring", HEAD(2) SLIDE("spring: {stiffness: 50, damping: 4}") RUN, Q, fading,
           4);
    follow("translational, free coordinate", HEAD(2) SLIDE("spring: {stiffness: 50, free: 0.1}") RUN, Q, shifted, 8);
    follow("translational, in space", HEAD(3) SLIDE_3D("translational", "spring: {stiffness: 50, damping: 4}") RUN, Q,
           fading, 4);
    follow("cylindrical", HEAD(3) SLIDE_3D("cylindrical", "spring: {stiffness: 50, damping: 4}") RUN, Q, fading, 4);
    follow("point-in-line", HEAD(3) SLIDE_3D("point-in-line", "spring: {stiffness: 50}, damper: {damping: 4}") RUN, Q,
           fading, 4);
    follow("revolute", HEAD(2) WHEEL("0.3", "spring: {stiffness: 5}, damper: {damping: 0.4}") RUN, Q, fading, 4);
    follow("revolute, in space", HEAD(3) WHEEL_3D("0.3", "spring: {stiffness: 5}, damper: {damping: 0.4}") RUN, Q,
           fading, 4);
    follow("revolute over many turns", HEAD(2) WHEEL("0", "rate: 20, spring: {stiffness: 0.05}") RUN, Q, wound, 8);
    follow("revolute over many turns, in space", HEAD(3) WHEEL_3D("0", "rate: 20, spring: {stiffness: 0.05}") RUN, Q,
           wound, 8);
    follow("hanging",
           HEAD(2) "gravity: [0, -9.81]\nbodies:\n  mass: {mass: 2, inertia: 0.1}\n"
                   "joints:\n  j: {type: translational, between: [ground, mass], axis: [0, 1], spring: {stiffness: "
                   "50}}\n" RUN,
           Q, sagging, 8);
}

/* From 0.3 over a quarter of the motion to the end of the free play, flight with 1/s through it, and back. */
static double with_play(double t)
{
    double quarter = 0.1 * PI, half = 2 * quarter + 0.2, sign = 1;
    for (; t > half; t -= half)
        sign = -sign;
    if (t <= quarter)
        return sign * (0.1 + 0.2 * cos(5 * t));
    if (t <= half - quarter)
        return sign * (0.1 - (t - quarter));
    return -sign * (0.1 + 0.2 * cos(5 * (half - t)));
}
/* One side alone: a half of the motion, then away for good. */
static double thrown(double t)
{
    double quarter = 0.1 * PI;
    return t < quarter ? 0.3 * cos(5 * t) : -1.5 * (t - quarter);
}

static void test_characteristics(void **state)
{
    (void)state;
    follow("free play", HEAD(2) SLIDE("spring: {stiffness: 50, gap: 0.1}") RUN, Q, with_play, 5);
    follow("free play, revolute in space", HEAD(3) WHEEL_3D("0.3", "spring: {stiffness: 5, gap: 0.1}") RUN, Q,
           with_play, 5);
    follow("one side", HEAD(2) SLIDE("spring: {stiffness: 50, only: positive}") RUN, Q, thrown, 3);
    follow("a straight curve",
           HEAD(2) "splines: {line: [[-1, -50], [0, 0], [1, 50]]}\n" SLIDE("spring: {curve: line, damping: 4}") RUN, Q,
           fading, 4);
}

/* A cubic spring alone: the period is 4 sqrt(m/(k3 a^2)) K(1/sqrt 2), K = 1.8540746773013719. */
static void test_cubic(void **state)
{
    (void)state;
    free_run run;
    double period = 4 * sqrt(2 / (500 * 0.09)) * 1.8540746773013719;
    free_run_parse(&run, HEAD(2) SLIDE("spring: {cubic: 500}") RUN, TOLERANCE, NULL);
    carom_ledger l = carom_simulation_ledger(run.sim);
    assert_true(fabs(l.elastic - 500 * pow(0.3, 4) / 4) < 1e-14);
    free_run_to(&run, 2 * period);
    double error = fabs(free_run_get(&run, Q) - 0.3);
    printf("%-44s error %.1e\n", "cubic, two periods", error);
    assert_true(error < ACCURACY);
    free_run_close(&run);
}

/* The keys and the loads that they stand for give the same bits. */
static void test_loads(void **state)
{
    (void)state;
    free_run keys, loads;
    free_run_parse(&keys, HEAD(2) SLIDE("spring: {stiffness: 50, free: 0.1}, damper: {damping: 4}") RUN, 0, NULL);
    free_run_parse(&loads,
                   HEAD(2) SLIDE("rate: 0") "loads:\n  a: {type: joint-spring, on: j, stiffness: 50, free: 0.1}\n"
                                            "  b: {type: joint-damper, on: j, damping: 4}\n" RUN,
                   0, NULL);
    free_run_to(&keys, 3);
    free_run_to(&loads, 3);
    assert_true(free_run_get(&keys, Q) == free_run_get(&loads, Q));
    assert_true(carom_simulation_ledger(keys.sim).dissipated_other ==
                carom_simulation_ledger(loads.sim).dissipated_other);
    free_run_close(&keys);
    free_run_close(&loads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oscillations),
        cmocka_unit_test(test_characteristics),
        cmocka_unit_test(test_cubic),
        cmocka_unit_test(test_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The pendulum with Coulomb friction in its pin (models/pendulum_pin_friction.yaml) against an integration of the
   test's own, whose acceleration is found together with the bearing force: every turn until the pin holds it, and the
   angle at which it does. The same in space, and its parts in the result. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define PI 3.14159265358979323846
#define G 9.81

/* Pendulum: the acceleration from I a = -m g c sin - mu r |R| sign(w), R from a, by fixed point. */
#define MASS 1.5
#define ARM 0.4
#define INERTIA 0.05 /* about the centre of mass */
#define MU_R (0.3 * 0.03)

static double swing(double angle, double rate, double sign)
{
    double a = 0;
    for (int k = 0; k < 100; k++) {
        const double along = MASS * (G * cos(angle) + ARM * rate * rate), across = MASS * (G * sin(angle) + ARM * a);
        a = (-MASS * G * ARM * sin(angle) - sign * MU_R * hypot(along, across)) / (INERTIA + MASS * ARM * ARM);
    }
    return a;
}

/* One step of Runge and Kutta's method. */
static void step(double *angle, double *rate, double sign, double h)
{
    double q = *angle, v = *rate;
    double a1 = swing(q, v, sign);
    double v2 = v + 0.5 * h * a1, a2 = swing(q + 0.5 * h * v, v2, sign);
    double v3 = v + 0.5 * h * a2, a3 = swing(q + 0.5 * h * v2, v3, sign);
    double v4 = v + h * a3, a4 = swing(q + h * v3, v4, sign);
    *angle += h * (v + 2 * v2 + 2 * v3 + v4) / 6;
    *rate += h * (a1 + 2 * a2 + 2 * a3 + a4) / 6;
}

/* Time and angle of the next turn. */
static void half_swing(double *time, double *angle)
{
    double rate = 0, sign = *angle > 0 ? -1 : 1, h = 1e-4;
    step(angle, &rate, sign, h);
    *time += h;
    while (h > 1e-14) {
        double q = *angle, v = rate;
        step(&q, &v, sign, h);
        if (v * sign <= 0) {
            h *= 0.5;
            continue;
        }
        *angle = q;
        rate = v;
        *time += h;
    }
}

/* Every turn, and rest at the first one from which the pin can hold the weight, beyond which the pin settles by 10 nm
   at its surface; `sign`: of the joint's coordinate. */
static void follow(const char *name, free_run *run, double sign)
{
    double time = 0, angle = PI / 3, turned = 0, late = 0;
    int turns = 0;
    while (fabs(sin(angle)) > MU_R / ARM) {
        half_swing(&time, &angle);
        free_run_to(run, time);
        turned = fmax(turned, fabs(sign * free_run_get(run, "joint.pin.coordinate") - angle));
        /* what is left of the rate, or what it has grown to, over the acceleration: how far the turn is off */
        late = fmax(late, fabs(free_run_get(run, "joint.pin.rate")) / (MU_R * G));
        turns++;
    }
    free_run_to(run, 30);
    const double rest = sign * free_run_get(run, "joint.pin.coordinate") - angle;
    const double torque = sign * free_run_get(run, "joint.pin.friction") - MASS * G * ARM * sin(angle);
    const double ledger = carom_simulation_ledger(run->sim).residual_fraction;
    printf("%-10s %d turns: angles %.1e rad (allowed 1e-8), times %.1e s (1e-3), rest at %.9f rad %.1e (1e-6), held by "
           "%.1e N m "
           "(1e-5), ledger %.1e (1e-9)\n",
           name, turns, turned, late, angle, rest, torque, ledger);
    assert_int_equal(turns, 20);
    assert_true(turned < 1e-8 && late < 1e-3 && fabs(rest) < 1e-6 && fabs(torque) < 1e-5 && ledger < 1e-9);
}

static void test_in_the_plane(void **state)
{
    (void)state;
    free_run run;
    free_run_open(&run, "pendulum_pin_friction.yaml", NULL, 0, 1e-10, NULL);
    follow("plane", &run, 1);
    free_run_close(&run);
}

static void test_in_space(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
                   "bodies: {rod: {mass: 1.5, inertia: [0.05, 0.05, 0.05], at: [0.4*sin(60*deg), 0, -0.4*cos(60*deg)], "
                   "orientation: "
                   "{axis: [0, -1, 0], angle: 60*deg}}}\n"
                   "joints: {pin: {type: revolute, between: [ground, {rod: [0, 0, 0.4]}], axis: [0, -1, 0], friction: "
                   "{law: coulomb, "
                   "kinetic: 0.3, radius: 0.03}}}\n"
                   "run: {until: 30}\n",
                   1e-10, NULL);
    follow("space", &run, 1);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_in_the_plane), cmocka_unit_test(test_in_space)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Loads, expressions and prescribed motions in whole models, against closed forms; kinks of expressions are stops of
   the integrator, so that the accuracy is the same across them. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define PI 3.14159265358979323846
#define ACCURACY 1e-7           /* at the tolerance 1e-9, of quantities of order 1 */
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Ways to write a model text: the head of a model in the plane or in space, and the tail with the run. */
#define HEAD(dimension) "carom: 1\ndimension: " #dimension "\n"
#define RUN "run: {until: 3}\n"

/* A value of the closed form at t. */
typedef double (*closed_form)(double t);

static void follow_by(const char *integrator, const char *what, const char *text, const char *channel,
                      closed_form exact, double until)
{
    free_run run;
    double worst = 0;
    free_run_parse(&run, text, 1e-9, integrator);
    for (int k = 0; k <= 12; k++) {
        double t = until * k / 12;
        free_run_to(&run, t);
        worst = fmax(worst, fabs(free_run_get(&run, channel) - exact(t)));
    }
    carom_ledger ledger = carom_simulation_ledger(run.sim);
    carom_statistics statistics = carom_simulation_statistics(run.sim);
    printf("%-46s error %.1e  ledger %.1e  %llu restarts\n", what, worst, ledger.residual_fraction,
           (unsigned long long)statistics.restarts);
    assert_true(worst < ACCURACY);
    assert_true(ledger.residual_fraction < ACCURACY);
    free_run_close(&run);
}

static void follow(const char *what, const char *text, const char *channel, closed_form exact, double until)
{
    follow_by(NULL, what, text, channel, exact, until);
}

/* ---- oscillators: 2 kg on 50 N/m, released 0.3 m from the rest position at 1 m ---- */

static double free_oscillation(double t) { return 1 + 0.3 * cos(5 * t); }
/* With 4 N s/m: decay 1/s, circular frequency sqrt(24) 1/s. */
static double damped_oscillation(double t)
{
    double w = sqrt(24.0);
    return 1 + 0.3 * exp(-t) * (cos(w * t) + sin(w * t) / w);
}

#define MASS_ON_GUIDE                                                              \
    "bodies:\n  mass: {mass: 2, inertia: 0.1, at: [1.3, 0]}\n"                     \
    "joints:\n  guide: {type: translational, between: [ground, mass], axis: [1, 0]}\n"
#define MASS_IN_SPACE                                                              \
    "bodies:\n  mass: {mass: 2, inertia: [0.1, 0.2, 0.2], at: [1.3, 0, 0]}\n"       \
    "joints:\n  guide: {type: cylindrical, between: [ground, mass], axis: [1, 0, 0]}\n"

static void test_springs(void **state)
{
    (void)state;
    static const char spring[] =
        "loads:\n  spring: {type: spring, between: [ground, mass], stiffness: 50, length: 1}\n" RUN;
    static const char damped[] =
        "loads:\n  spring: {type: spring, between: [ground, mass], stiffness: 50, length: 1, damping: 4}\n" RUN;
    static const char both[] = "loads:\n  spring: {type: spring, between: [mass, ground], stiffness: 50, length: 1}\n"
                               "  damper: {type: damper, between: [ground, mass], damping: 4}\n" RUN;
    static const char *const bushings[2][2] = {
        {"loads: {spring: {type: bushing, between: [{ground: [1, 0]}, mass], stiffness: [50, 3]}}\n" RUN,
         "loads: {spring: {type: bushing, between: [{ground: [1, 0, 0]}, mass], stiffness: [50, 3, 2]}}\n" RUN},
        {"loads: {spring: {type: bushing, between: [{ground: [1, 0]}, mass], stiffness: [50, 3], "
         "damping: [4, 1]}}\n" RUN,
         "loads: {spring: {type: bushing, between: [{ground: [1, 0, 0]}, mass], stiffness: [50, 3, 2], "
         "damping: [4, 1, 1]}}\n" RUN}};
    char text[2048];
    const struct {
        const char *what, *tail;
        closed_form exact;
    } rows[] = {{"spring", spring, free_oscillation},
                {"spring with damping", damped, damped_oscillation},
                {"spring and damper", both, damped_oscillation}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        snprintf(text, sizeof text, "%s%s%s", HEAD(2), MASS_ON_GUIDE, rows[k].tail);
        follow(rows[k].what, text, "body.mass.position.x", rows[k].exact, 3);
        snprintf(text, sizeof text, "%s%s%s", HEAD(3), MASS_IN_SPACE, rows[k].tail);
        follow(rows[k].what, text, "body.mass.position.x", rows[k].exact, 3);
    }
    for (int k = 0; k < 4; k++) {
        snprintf(text, sizeof text, "%s%s%s", k % 2 ? HEAD(3) : HEAD(2), k % 2 ? MASS_IN_SPACE : MASS_ON_GUIDE,
                 bushings[k / 2][k % 2]);
        follow("bushing", text, "body.mass.position.x", k / 2 ? damped_oscillation : free_oscillation, 3);
    }
}

/* The damper's share of the ledger is what the oscillator has lost. */
static void test_dissipation(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   HEAD(2) MASS_ON_GUIDE
                   "loads:\n  spring: {type: spring, between: [ground, mass], stiffness: "
                   "50, length: 1}\n  damper: {type: damper, between: [ground, mass], damping: 4}\n" RUN,
                   1e-10, NULL);
    free_run_to(&run, 1);
    double w = sqrt(24.0), x = damped_oscillation(1) - 1, v = -0.3 * exp(-1) * 25 / w * sin(w);
    carom_ledger ledger = carom_simulation_ledger(run.sim);
    assert_true(fabs(ledger.elastic - 25 * x * x) < ACCURACY);
    assert_true(fabs(ledger.kinetic - v * v) < ACCURACY);
    assert_true(fabs(ledger.dissipated_other - (25 * 0.09 - 25 * x * x - v * v)) < ACCURACY);
    assert_true(ledger.work == 0);
    free_run_close(&run);
}

/* ---- forces as expressions ---- */

static double pushed(double t) { return 1.3 + 3.0 / (2 * 16) * (4 * t - sin(4 * t)); }
/* 6 N along the body's x-axis, which turns with 2 rad/s from 0. */
static double turning_x(double t) { return 1.3 + 6.0 / (2 * 4) * (1 - cos(2 * t)); }
static double turning_y(double t) { return 6.0 / (2 * 4) * (2 * t - sin(2 * t)); }

static void test_forces(void **state)
{
    (void)state;
#define FORCE(components) "loads:\n  push: {type: force, on: mass, force: " components "}\n" RUN
    follow("force of x(mass)", HEAD(2) "parameters: {k: 50}\n" MASS_ON_GUIDE FORCE("[\"-k*(x(mass) - 1)\", 0]"),
           "body.mass.position.x", free_oscillation, 3);
    follow("force of x(mass) and vx(mass)",
           HEAD(2) "parameters: {k: 50}\n" MASS_ON_GUIDE FORCE("[\"-k*(x(mass) - 1) - 4*vx(mass)\", 0]"),
           "body.mass.position.x", damped_oscillation, 3);
    follow("force of coordinate and speed of a joint",
           HEAD(2) MASS_ON_GUIDE FORCE("[\"-50*(coordinate(guide) - 1) - 4*speed(guide)\", 0]"), "body.mass.position.x",
           damped_oscillation, 3);
    follow("force of a distance", HEAD(2) MASS_ON_GUIDE FORCE("[\"-50*(distance(ground, mass) - 1)\", 0]"),
           "body.mass.position.x", free_oscillation, 3);
    follow("force of time", HEAD(2) MASS_ON_GUIDE FORCE("[\"3*sin(4*t)\", 0]"), "body.mass.position.x", pushed, 3);
    follow("force of time, in space", HEAD(3) MASS_IN_SPACE FORCE("[\"3*sin(4*t)\", 0, 0]"), "body.mass.position.x",
           pushed, 3);
    static const char turning[] =
        HEAD(2) "bodies:\n  mass: {mass: 2, inertia: 0.1, at: [1.3, 0], velocity: [0, 0], angular_velocity: 2}\n"
                "loads:\n  push: {type: force, on: mass, force: [6, 0], axes: body}\n" RUN;
    follow("force in body axes, x", turning, "body.mass.position.x", turning_x, 3);
    follow("force in body axes, y", turning, "body.mass.position.y", turning_y, 3);
    static const char turning_in_space[] =
        HEAD(3) "bodies:\n  mass: {mass: 2, inertia: [0.1, 0.1, 0.1], at: [1.3, 0, 0], velocity: [0, 0, 0], "
                "angular_velocity: [0, 0, 2]}\n"
                "loads:\n  push: {type: force, on: mass, force: [6, 0, 0], axes: body}\n" RUN;
    follow("force in body axes, in space", turning_in_space, "body.mass.position.y", turning_y, 3);
}

/* ---- torsion: 0.2 kg m^2 about the pin on 5 N m/rad, turned by 0.4 rad ---- */

static double torsion(double t) { return 0.4 * cos(5 * t); }
/* With 0.4 N m s/rad. */
static double damped_torsion(double t)
{
    double w = sqrt(24.0);
    return 0.4 * exp(-t) * (cos(w * t) + sin(w * t) / w);
}
/* 3 rad/s against 0.4 N m s/rad alone. */
static double run_down(double t) { return 3 * exp(-2 * t); }

#define WHEEL(more)                                                                                              \
    "bodies:\n  wheel: {mass: 1, inertia: 0.2, angle: 0.4}\njoints:\n  pin: {type: revolute, between: [ground, " \
    "wheel]" more "}\n"
#define WHEEL_IN_SPACE(more)                                                                                        \
    "bodies:\n  wheel: {mass: 1, inertia: [0.15, 0.1, 0.2], orientation: {axis: [0, 0, 1], angle: 0.4}}\njoints:\n" \
    "  pin: {type: revolute, between: [ground, wheel], axis: [0, 0, 1]" more "}\n"
#define SPRING(more) \
    "loads:\n  spring: {type: torsion-spring, between: [ground, wheel], stiffness: 5, angle: 0" more "}\n"
#define DAMPER "  damper: {type: torsion-damper, between: [ground, wheel], damping: 0.4" 

static void test_torsion(void **state)
{
    (void)state;
    static const char *const angle = "joint.pin.coordinate", *const rate = "joint.pin.rate";
    follow("torsion spring", HEAD(2) WHEEL("") SPRING("") RUN, angle, torsion, 3);
    follow("torsion spring, in space", HEAD(3) WHEEL_IN_SPACE("") SPRING(", axis: [0, 0, 1]") RUN, angle, torsion, 3);
    follow("torsion spring with damping", HEAD(2) WHEEL("") SPRING(", damping: 0.4") RUN, angle, damped_torsion, 3);
    follow("torsion spring and damper", HEAD(2) WHEEL("") SPRING("") DAMPER "}\n" RUN, angle, damped_torsion, 3);
    follow("torsion spring and damper, in space",
           HEAD(3) WHEEL_IN_SPACE("") SPRING(", axis: [0, 0, 1]") DAMPER ", axis: [0, 0, 1]}\n" RUN, angle,
           damped_torsion, 3);
    follow("torsion damper", HEAD(2) WHEEL(", rate: 3") "loads:\n" DAMPER "}\n" RUN, rate, run_down, 3);
    follow("torque of angle and speed",
           HEAD(2)
               WHEEL("") "loads:\n  motor: {type: torque, on: wheel, torque: \"-5*angle(pin) - 0.4*speed(pin)\"}\n" RUN,
           angle, damped_torsion, 3);
    follow("torque of angle and speed, in space",
           HEAD(3) WHEEL_IN_SPACE("") "loads:\n  motor: {type: torque, on: wheel, torque: [0, 0, \"-5*angle(pin) - "
                                      "0.4*speed(pin)\"]}\n" RUN,
           angle, damped_torsion, 3);
    follow("torque of turn and spin",
           HEAD(2) WHEEL(
               "") "loads:\n  motor: {type: torque, on: wheel, torque: \"-5*turn(wheel) - 0.4*spin(wheel)\"}\n" RUN,
           angle, damped_torsion, 3);
}

/* A torque that turns a wheel in space many times: its coordinate is not reduced to one turn. */
static double spun(double t) { return 0.4 + 0.5 * 20 * t * t; }
static void test_many_turns(void **state)
{
    (void)state;
    follow("many turns", HEAD(2) WHEEL("") "loads:\n  motor: {type: torque, on: wheel, torque: 4}\n" RUN,
           "joint.pin.coordinate", spun, 2);
    follow("many turns, in space",
           HEAD(3) WHEEL_IN_SPACE("") "loads:\n  motor: {type: torque, on: wheel, torque: [0, 0, 4]}\n" RUN,
           "joint.pin.coordinate", spun, 2);
}

/* ---- kinks ---- */

/* 2 kg pushed by 8 N until 0.7123 s. */
static double switched_off(double t)
{
    double t0 = 0.7123;
    return t < t0 ? 1.3 + 2 * t * t : 1.3 + 2 * t0 * t0 + 4 * t0 * (t - t0);
}
/* 8 N rising as 3 s^2 - 2 s^3 from 0.5 to 1.5 s. */
static double ramped(double t)
{
    double s = t - 0.5;
    if (s <= 0)
        return 1.3;
    if (s <= 1)
        return 1.3 + 4 * (s * s * s * s / 4 - s * s * s * s * s / 10);
    return 1.3 + 4 * (0.15 + 0.5 * (s - 1) + 0.5 * (s - 1) * (s - 1));
}
/* Rectangular pulses of 8 N, on in the first half of every 0.5 s: speed 1 m/s more by each. */
static double pulsed(double t)
{
    double whole = floor(2 * t), s = t - 0.5 * whole;
    double from = 1.3 + 0.5 * whole * (whole - 1) / 2 + whole * (0.125 + 0.25);
    return from + whole * s + (s < 0.25 ? 2 * s * s : 0.125 + (s - 0.25));
}
/* 50 N/m beyond the rest position of 1 m, 200 N/m before it: halves of 0.2 pi s and 0.1 pi s. */
static double two_stiffnesses(double t)
{
    double s = fmod(t, 0.3 * PI);
    if (s < 0.05 * 2 * PI)
        return 1 + 0.3 * cos(5 * s);
    if (s < 0.05 * 2 * PI + 0.1 * PI)
        return 1 - 0.15 * sin(10 * (s - 0.1 * PI));
    return 1 + 0.3 * sin(5 * (s - 0.2 * PI));
}

static uint64_t restarts_of(const char *text)
{
    free_run run;
    free_run_parse(&run, text, 1e-9, NULL);
    free_run_to(&run, 3);
    uint64_t restarts = carom_simulation_statistics(run.sim).restarts;
    free_run_close(&run);
    return restarts;
}

static void test_kinks(void **state)
{
    (void)state;
    static const char off[] = HEAD(2) MASS_ON_GUIDE FORCE("[\"if(t < 0.7123, 8, 0)\", 0]");
    static const char ramp[] = HEAD(2) MASS_ON_GUIDE FORCE("[\"step(t, 0.5, 0, 1.5, 8)\", 0]");
    static const char pulses[] = HEAD(2) MASS_ON_GUIDE FORCE("[\"if(mod(t, 0.5) < 0.25, 8, 0)\", 0]");
    follow("if of time", off, "body.mass.position.x", switched_off, 3);
    follow("step of time", ramp, "body.mass.position.x", ramped, 3);
    follow("mod of time", pulses, "body.mass.position.x", pulsed, 3);
    /* the kinks are stops, and there are no others */
    assert_int_equal(restarts_of(off), 2);
    assert_in_range(restarts_of(ramp), 3, 3);
    assert_in_range(restarts_of(pulses), 12, 13); /* 11 inside the run; one may fall on its end */
}

/* A branch that depends on the state changes at a located root, on whichever side of it the rounding leaves the
   state. */
static void test_kinks_of_the_state(void **state)
{
    (void)state;
    static const char *const integrators[] = {"adams", "bdf", "dopri5"};
    static const char stiff[] = HEAD(2) MASS_ON_GUIDE FORCE("[\"-if(x(mass) > 1, 50, 200)*(x(mass) - 1)\", 0]");
    for (size_t k = 0; k < COUNT(integrators); k++)
        follow_by(integrators[k], "if of the state", stiff, "body.mass.position.x", two_stiffnesses, 3);
    assert_int_equal(restarts_of(stiff), 7); /* 0.314, 0.628, 1.257, 1.571, 2.199, 2.513 s */
}

/* ---- prescribed motions ---- */

/* Base 0.1 sin(3 t), mass of 2 kg on 50 N/m from 1 m ahead, at rest at the start: x = 1 + (A/(1 - r^2)) (sin wt - r sin
   5t), r = 3/5. */
static double shaken(double t) { return 1 + 0.1 / (1 - 0.36) * (sin(3 * t) - 0.6 * sin(5 * t)); }
/* A carriage that stands until 0.8 s and then accelerates with 0.6 m/s^2. */
static double carriage(double t) { return t < 0.8 ? 0 : 0.3 * (t - 0.8) * (t - 0.8); }

static void test_motions(void **state)
{
    (void)state;
    follow("base excitation",
           HEAD(2) "bodies:\n  base: {mass: 1, inertia: 1, motion: {x: 0.1*sin(3*t), y: 0, angle: 0}}\n"
                   "  mass: {mass: 2, inertia: 0.1, at: [1, 0], velocity: [0, 0]}\n"
                   "joints:\n  guide: {type: translational, between: [ground, mass], axis: [1, 0]}\n"
                   "loads:\n  spring: {type: spring, between: [base, mass], stiffness: 50, length: 1}\n" RUN,
           "body.mass.position.x", shaken, 3);
    static const char cart[] = HEAD(2) "bodies:\n  cart: {mass: 2, inertia: 1, motion: {x: \"if(t < 0.8, 0, 0.3*(t - "
                                       "0.8)^2)\", y: 0, angle: 0}}\n" RUN;
    follow("motion with a kink", cart, "body.cart.position.x", carriage, 3);
    assert_int_equal(restarts_of(cart), 2);
    free_run run;
    free_run_parse(&run, cart, 1e-9, NULL);
    free_run_to(&run, 0.79);
    assert_true(fabs(free_run_get(&run, "body.cart.drive_x")) < 1e-9);
    free_run_to(&run, 0.81);
    assert_true(fabs(free_run_get(&run, "body.cart.drive_x") - 1.2) < 1e-9);
    free_run_close(&run);
}

/* A spline through points on a straight line is that line: 2 kg under 2 t [N]. */
static double straight(double t) { return 1.3 + t * t * t / 6; }
static void test_spline(void **state)
{
    (void)state;
    follow("spline of time",
           HEAD(2) "splines:\n  profile: [[0, 0], [0.9, 1.8], [1.7, 3.4], [4, 8]]\n" MASS_ON_GUIDE FORCE(
               "[\"spline(profile, t)\", 0]"),
           "body.mass.position.x", straight, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_springs), cmocka_unit_test(test_dissipation), cmocka_unit_test(test_forces),
        cmocka_unit_test(test_torsion), cmocka_unit_test(test_many_turns),  cmocka_unit_test(test_kinks),
        cmocka_unit_test(test_motions), cmocka_unit_test(test_spline),      cmocka_unit_test(test_kinks_of_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

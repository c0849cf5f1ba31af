/* Loads in whole models against closed forms and quadrature: ligament, springs with free play, one-sided, cubic
   and by a curve, torsion over many turns, bushings, forces between bodies in the axes of frames, motors. Energy
   energy balances; loads between two bodies keep momentum and angular momentum. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define PI 3.14159265358979323846
#define TOLERANCE 1e-12
#define ACCURACY 1e-10          /* of quantities of order 1 */
#define BOOKS 1e-10             /* residual of the energy ledger, as a share */

#define HEAD(dimension) "carom: 1\ndimension: " #dimension "\n"
#define RUN "run: {until: 10}\n"

/* A value of the closed form at t. */
typedef double (*closed_form)(double t);

/* Errors within the accuracy asked for, and an energy balance as good. */
static void balanced(const free_run *run, const char *what, double worst, double accuracy)
{
    carom_ledger ledger = carom_simulation_ledger(run->sim);
    printf("%-44s error %.1e  ledger %.1e\n", what, worst, ledger.residual_fraction);
    assert_true(worst < accuracy);
    assert_true(ledger.residual_fraction < fmax(BOOKS, accuracy));
}

static void follow_by(const char *integrator, double accuracy, const char *what, const char *text, const char *channel,
                      closed_form exact, double until)
{
    free_run run;
    double worst = 0;
    free_run_parse(&run, text, integrator ? 1e-10 : TOLERANCE, integrator);
    for (int k = 0; k <= 20; k++) {
        double t = until * k / 20;
        free_run_to(&run, t);
        worst = fmax(worst, fabs(free_run_get(&run, channel) - exact(t)));
    }
    balanced(&run, what, worst, accuracy);
    free_run_close(&run);
}

static void follow(const char *what, const char *text, const char *channel, closed_form exact, double until)
{
    follow_by(NULL, ACCURACY, what, text, channel, exact, until);
}

/* ---- a mass of 2 kg on a guide, 0.3 m beyond the free length of 1 m ---- */

#define MASS \
    "bodies:\n  mass: {mass: 2, inertia: 0.1, at: [1.3, 0]}\n" \
    "joints:\n  guide: {type: translational, between: [ground, mass], axis: [1, 0]}\nloads:\n"
#define BETWEEN "between: [ground, mass], length: 1"
#define SPRING "  s: {type: spring, " BETWEEN ", "
#define BUSHING_ON(point) "  s: {type: bushing, between: [{ground: " point "}, mass], "
#define X "body.mass.position.x"

/* A motion of two mirrored halves: quarter(t) from the greatest elongation to the end of the force, then free
   flight with `speed` over `distance`, and so on with the other sign. */
static double mirrored(double t, double (*quarter)(double), double duration, double edge, double speed)
{
    double half = 2 * duration + 2 * edge / speed, sign = 1;
    for (; t > half; t -= half)
        sign = -sign;
    if (t <= duration)
        return sign * quarter(t);
    if (t <= half - duration)
        return sign * (edge - speed * (t - duration));
    return -sign * quarter(half - t);
}

/* Ligament of 900 N/m^2: quarter of the motion, and its time sqrt(3 m/(2 k s0)) B(1/3, 1/2)/3. */
#define LIGAMENT 900.0
#define THIRD_BETA 1.4021821053254542612
static void test_ligament(void **state)
{
    (void)state;
    double quarter = sqrt(3 * 2 / (2 * LIGAMENT * 0.3)) * THIRD_BETA, speed = sqrt(2 * LIGAMENT * 0.027 / (3 * 2));
    double half = 2 * quarter + 2 / speed;
    free_run run;
    free_run_parse(&run, HEAD(2) MASS "  band: {type: ligament, " BETWEEN ", stiffness: 900}\n" RUN, TOLERANCE, NULL);
    carom_ledger ledger = carom_simulation_ledger(run.sim);
    assert_true(fabs(ledger.elastic - LIGAMENT * 0.027 / 3) < 1e-13);
    free_run_to(&run, quarter + 0.5 / speed);
    double worst = fabs(free_run_get(&run, X) - 0.5);
    worst = fmax(worst, fabs(free_run_get(&run, "body.mass.velocity.x") + speed));
    assert_true(carom_simulation_ledger(run.sim).elastic == 0);
    for (int k = 1; k <= 3; k++) {
        free_run_to(&run, k * half);
        worst = fmax(worst, fabs(free_run_get(&run, X) - (k % 2 ? -1.3 : 1.3)));
    }
    balanced(&run, "ligament", worst, ACCURACY);
    free_run_close(&run);
}

static double spring_quarter(double t) { return 0.1 + 0.2 * cos(5 * t); }
static double with_play(double t) { return 1 + mirrored(t, spring_quarter, 0.1 * PI, 0.1, 1); }
static double rope_quarter(double t) { return 1 + 0.3 * cos(5 * t); }
static double rope(double t) { return mirrored(t, rope_quarter, 0.1 * PI, 1, 1.5); }
static double flight(double t) { return 1.3 + t; }

/* A rope with 4 N s/m goes slack where its damper would make it push. */
static double damped_rope(double t)
{
    double w = sqrt(24.0), slack = atan(w) / w, now = fmin(t, slack);
    double x = 1 + 0.3 * exp(-now) * (cos(w * now) + sin(w * now) / w);
    return x - fmax(t - slack, 0) * 0.3 * 25 / w * exp(-slack) * sin(w * slack);
}

static void test_sides(void **state)
{
    (void)state;
    follow("spring with free play", HEAD(2) MASS SPRING "stiffness: 50, gap: 0.1}\n" RUN,
           X, with_play, 5);
    follow("rope", HEAD(2) MASS SPRING "stiffness: 50, only: tension}\n" RUN, X, rope, 5);
    follow("rope with damping", HEAD(2) MASS SPRING "stiffness: 50, only: tension, damping: 4}\n" RUN,
           X, damped_rope, 0.5);
    follow("buffer out of reach",
           HEAD(2) "bodies:\n  mass: {mass: 2, inertia: 0.1, at: [1.3, 0], velocity: [1, 0]}\n"
                   "joints:\n  guide: {type: translational, between: [ground, mass], axis: [1, 0]}\nloads:\n"
                   SPRING "stiffness: 50, only: compression, damping: 4}\n" RUN,
           X, flight, 5);
}

/* Other integrators stop where the rope grows taut and slack as well. */
static void test_integrators(void **state)
{
    (void)state;
    static const char rope_text[] = HEAD(2) MASS SPRING "stiffness: 50, only: tension}\n"
                                                 "run: {until: 10, step: 0.002}\n";
    static const char damped_text[] = HEAD(2) MASS SPRING "stiffness: 50, only: tension, "
                                                                                  "damping: 4}\nrun: {until: 10, "
                                                                                  "step: 0.002}\n";
    static const char *const integrators[] = {"bdf", "dopri5", "rk4"};
    for (size_t k = 0; k < sizeof integrators / sizeof integrators[0]; k++) {
        follow_by(integrators[k], 1e-7, integrators[k], rope_text, X, rope, 5);
        follow_by(integrators[k], 1e-7, integrators[k], damped_text, X, damped_rope, 0.5);
    }
}

/* Where the rope is slack its lost energy is that of the ledger. */
static void test_slack_is_dissipation(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, HEAD(2) MASS SPRING "stiffness: 50, only: tension, damping: 4}\n" RUN,
           TOLERANCE,
                   NULL);
    free_run_to(&run, 0.5);
    double w = sqrt(24.0), slack = atan(w) / w, v = 0.3 * 25 / w * exp(-slack) * sin(w * slack);
    carom_ledger ledger = carom_simulation_ledger(run.sim);
    assert_true(ledger.elastic == 0 && ledger.work == 0);
    assert_true(fabs(ledger.dissipated_other - (25 * 0.09 - v * v)) < ACCURACY);
    free_run_close(&run);
}

/* Spring of 50 N/m and 400 N/m^3: the period by the trapezoidal rule, which converges for periodic functions. */
static void test_cubic(void **state)
{
    (void)state;
    double quarter = 0;
    for (int k = 0; k < 64; k++) {
        double s = sin(PI * (k + 0.5) / 128);
        quarter += PI / 128 / sqrt((50 + 400 * 0.09 * (1 + s * s) / 2) / 2);
    }
    free_run run;
    free_run_parse(&run, HEAD(2) MASS SPRING "stiffness: 50, cubic: 400}\n" RUN,
           TOLERANCE, NULL);
    assert_true(fabs(carom_simulation_ledger(run.sim).elastic - (25 * 0.09 + 100 * 0.0081)) < 1e-13);
    double worst = 0;
    for (int k = 1; k <= 8; k++) {
        free_run_to(&run, k * quarter);
        worst = fmax(worst, fabs(free_run_get(&run, X) - 1 - (k % 2 ? 0 : k % 4 ? -0.3 : 0.3)));
    }
    balanced(&run, "cubic spring", worst, ACCURACY);
    free_run_close(&run);
}

static double oscillation(double t) { return 1 + 0.3 * cos(5 * t); }
static double damped(double t)
{
    double w = sqrt(24.0);
    return 1 + 0.3 * exp(-t) * (cos(w * t) + sin(w * t) / w);
}

/* A spline through points of a line is a linear spring; one of three points has a closed integral: the middle second
   derivative is 3 and the integral from 0 to 1 is 11/8. */
static void test_curve(void **state)
{
    (void)state;
    follow("spring by a straight curve",
           HEAD(2) "splines:\n  line: [[-1, -50], [-0.2, -10], [0.1, 5], [1, 50]]\n" MASS SPRING
                   "curve: line}\n" RUN,
           X, oscillation, 3);
    follow("straight curve with free play",
           HEAD(2) "splines:\n  line: [[-1, -50], [-0.2, -10], [0.1, 5], [1, 50]]\n" MASS SPRING
                   "curve: line, gap: 0.1}\n" RUN,
           X, with_play, 5);
    free_run run;
    free_run_parse(&run,
                   HEAD(2) "splines:\n  bent: [[-1, -1], [0, 0], [1, 3]]\nbodies:\n  mass: {mass: 2, inertia: 0.1, "
                           "at: [3, 0]}\njoints:\n  guide: {type: translational, between: [ground, mass], axis: [1, "
                           "0]}\nloads:\n  s: {type: spring, between: [ground, mass], length: 2, curve: bent}\n" RUN,
                   TOLERANCE, NULL);
    assert_true(fabs(carom_simulation_ledger(run.sim).elastic - 1.375) < 1e-13);
    free_run_to(&run, 9);
    balanced(&run, "spring by a bent curve", 0, ACCURACY);
    free_run_close(&run);
}

static void test_line_force(void **state)
{
    (void)state;
    follow("force of its own length and rate",
           HEAD(2) MASS "  s: {type: line-force, between: [ground, mass], force: 50*(length(s) - 1) + 4*rate(s)}\n" RUN,
           X, damped, 3);
    follow("force of the stretch of a spring",
           HEAD(2) MASS "  soft: {type: spring, " BETWEEN ", stiffness: 10}\n  rest: {type: line-force, between: "
                        "[ground, mass], force: 40*stretch(soft) + 4*rate(soft)}\n" RUN,
           X, damped, 3);
}

/* ---- torsion: 0.2 kg m^2 about a pin ---- */

#define WHEEL(at, rate) \
    "bodies:\n  wheel: {mass: 1, inertia: 0.2, angle: " at "}\n" \
    "joints:\n  pin: {type: revolute, between: [ground, wheel], rate: " rate "}\nloads:\n"
#define WHEEL_3D(at, rate) \
    "bodies:\n  wheel: {mass: 1, inertia: [0.15, 0.1, 0.2], orientation: {axis: [0, 0, 1], angle: " at "}}\n" \
    "joints:\n  pin: {type: revolute, between: [ground, wheel], axis: [0, 0, 1], rate: " rate "}\nloads:\n"
#define TORSION(name) "  " name ": {type: torsion-spring, between: [ground, wheel], "
#define ANGLE "joint.pin.coordinate"

/* 0.05 N m/rad and 20 rad/s: more than six turns to each side. */
static double wound(double t) { return 40 * sin(0.5 * t); }
static double with_clearance(double t) { return mirrored(t, spring_quarter, 0.1 * PI, 0.1, 1); }

static void test_torsion(void **state)
{
    (void)state;
    follow("torsion over many turns",
           HEAD(2) WHEEL("0", "20") TORSION("s") "stiffness: 0.05, angle: 0}\n" RUN,
           ANGLE,
           wound, 8);
    follow("torsion over many turns, in space",
           HEAD(3) WHEEL_3D("0", "20") TORSION("s") "axis: [0, 0, 1], stiffness: 0.05, "
                                       "angle: 0}\n"
                                       "run: {until: 10, formulation: cartesian}\n",
           ANGLE, wound, 8);
    follow("stops with clearance",
           HEAD(2) WHEEL("0.3", "0") TORSION("s") "stiffness: 5, angle: 0, gap: 0.1}\n" RUN,
           ANGLE, with_clearance, 5);
    follow("two stops, one-sided, in space",
           HEAD(3) WHEEL_3D("0.3", "0") TORSION("a") "axis: [0, 0, 1], stiffness: 5, "
                                        "angle: 0, gap: 0.1, only: positive}\n"
                                        TORSION("b") "axis: [0, 0, 1], stiffness: 5, "
                                        "angle: -0.1, only: negative}\n" RUN,
           ANGLE, with_clearance, 5);
}

/* Turns are told by the rate: 2000 sin(t/2), in steps of many turns. */
static void test_turns_in_a_step(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   HEAD(3) WHEEL_3D("0", "1000") TORSION("s") "axis: [0, 0, 1], stiffness: 0.05, angle: 0}\n"
                                                 "run: {until: 10, formulation: tree}\n",
                   1e-8, NULL);
    double worst = 0;
    for (int k = 1; k <= 10; k++) {
        free_run_to(&run, k);
        worst = fmax(worst, fabs(free_run_get(&run, ANGLE) - 2000 * sin(0.5 * (double)k)));
    }
    const unsigned long long steps = (unsigned long long)carom_simulation_statistics(run.sim).steps;
    printf("%llu steps\n", steps);
    /* some 250 steps of the local error 1e-8, of 2000 rad */
    balanced(&run, "wheel of 1000 rad/s", worst / 2000, 250 * 1e-8);
    assert_true(steps < 400);
    free_run_close(&run);
}

/* The wheel is stopped at once and let go later: turns are told by the rate after the stop. */
static double stopped(double t)
{
    const double at_stop = 2000 * sin(0.5 * 3);
    return t < 3 ? 2000 * sin(0.5 * t) : t < 5 ? at_stop : at_stop * cos(0.5 * (t - 5));
}

static void test_turns_after_a_stop(void **state)
{
    (void)state;
    static const char *const formulations[] = {"tree", "cartesian"};
    for (int f = 0; f < 2; f++) {
        char text[1024];
        free_run run;
        double worst = 0;
        snprintf(text, sizeof text,
                 HEAD(3) WHEEL_3D("0", "1000") TORSION("s") "axis: [0, 0, 1], stiffness: 0.05, angle: 0}\n"
                 "events: {hold: {when: \"t > 3\", do: {lock: pin}}, go: {when: \"t > 5\", do: {unlock: pin}}}\n"
                 "run: {until: 10, formulation: %s}\n",
                 formulations[f]);
        free_run_parse(&run, text, 1e-8, NULL);
        for (int k = 1; k <= 20; k++) {
            free_run_to(&run, 0.5 * k);
            worst = fmax(worst, fabs(free_run_get(&run, ANGLE) - stopped(0.5 * k)));
        }
        /* less than 40,000 steps of the local error 1e-8, of 2000 rad, whose errors change their sign */
        balanced(&run, formulations[f], worst / 2000, 1e-6);
        free_run_close(&run);
    }
}

/* ---- motor ---- */

static double held(double t) { return damped(t) - 1; }
/* Lag behind the target 3 t^2/2 of a wheel that starts with it: I a/kp (1 - ...), with the roots of the damped
   torsion. */
static double lagging(double t)
{
    double w = sqrt(24.0);
    return 1.5 * t * t - 0.2 * 3 / 5 * (1 - exp(-t) * (cos(w * t) + sin(w * t) / w));
}
/* 4 N m at rest, none at 10 rad/s: the speed approaches 10 rad/s with the time 0.5 s. */
static double speeding_up(double t) { return 10 * (1 - exp(-2 * t)); }
static double pushed_up(double t) { return 0.5 * 20 * t * t; }

static void test_motor(void **state)
{
    (void)state;
#define MOTOR "  m: {type: motor, on: pin, "
    follow("motor that holds", HEAD(2) WHEEL("0.3", "0") MOTOR "target: 0, proportional: 5, derivative: 0.4}\n" RUN,
           ANGLE, held, 3);
    follow("motor that follows",
           HEAD(2) WHEEL("0", "0") MOTOR "target: 1.5*t^2, proportional: 5, derivative: 0.4}\n" RUN, ANGLE, lagging, 3);
    follow("motor that follows, in space",
           HEAD(3) WHEEL_3D("0", "0") MOTOR "target: 1.5*t^2, proportional: 5, derivative: 0.4}\n" RUN,
           ANGLE, lagging, 3);
    follow("motor at its line of speed",
           HEAD(2) WHEEL("0", "0") MOTOR "target: 1e4, proportional: 5, limit: 4, no_load_speed: 10}\n" RUN,
           "joint.pin.rate",
           speeding_up, 3);
    follow("motor at its limit", HEAD(2) WHEEL("0", "0") MOTOR "target: 1e4, proportional: 5, limit: 4}\n" RUN,
           ANGLE, pushed_up, 2);
    free_run run;
    free_run_parse(&run, HEAD(2) WHEEL("0", "0") MOTOR "target: 4, proportional: 5, derivative: 0.3, limit: 2}\n" RUN,
           TOLERANCE, NULL);
    free_run_to(&run, 9);
    balanced(&run, "motor in and out of its limit", 0, ACCURACY);
    free_run_close(&run);
}

/* ---- two bodies in space ---- */

#define PAIR \
    "bodies:\n" \
    "  a: {mass: 2, inertia: [0.3, 0.2, 0.4], at: [0.1, 0.2, 0.3], velocity: [0.3, 0, 0.1], " \
    "angular_velocity: [0.5, 1, -0.4],\n" \
    "      frames: {tip: {at: [0.2, 0.1, 0], orientation: {axis: [1, 2, 3], angle: 0.8}}}}\n" \
    "  b: {mass: 3, inertia: [0.5, 0.3, 0.4], at: [0.6, 0.1, 0.2], velocity: [0, 0.2, 0], " \
    "angular_velocity: [-0.3, 0.6, 0.2],\n" \
    "      frames: {root: [-0.2, 0.1, 0.1]}}\n" \
    "  c: {mass: 1, inertia: [1, 2, 3], at: [5, 5, 5], velocity: [0, 0, 0], angular_velocity: [0.2, 1, 0.3]}\n" \
    "loads:\n"

/* Momentum and angular momentum of the bodies a and b about the origin of the world. */
static void momentum(const free_run *run, double out[6])
{
    static const char *const names[] = {"a", "b"};
    static const double mass[] = {2, 3}, inertia[][3] = {{0.3, 0.2, 0.4}, {0.5, 0.3, 0.4}};
    memset(out, 0, 6 * sizeof *out);
    for (int k = 0; k < 2; k++) {
        carom_body_state s = free_run_body(run, names[k]);
        double r[9];
        free_rotation(s.orientation, r);
        double own[3] = {0}, p[3];
        for (int axis = 0; axis < 3; axis++) {
            double spin = 0;
            for (int n = 0; n < 3; n++)
                spin += r[3 * n + axis] * s.angular_velocity[n];
            for (int n = 0; n < 3; n++)
                own[n] += r[3 * n + axis] * inertia[k][axis] * spin;
        }
        for (int n = 0; n < 3; n++)
            out[n] += p[n] = mass[k] * s.velocity[n];
        for (int n = 0; n < 3; n++) {
            int i = (n + 1) % 3, j = (n + 2) % 3;
            out[3 + n] += own[n] + s.position[i] * p[j] - s.position[j] * p[i];
        }
    }
}

static void conserve(const char *what, const char *load)
{
    char text[4096];
    free_run run;
    double before[6], after[6], worst = 0;
    snprintf(text, sizeof text, "%s%s%s%s", HEAD(3), PAIR, load, RUN);
    free_run_parse(&run, text, TOLERANCE, NULL);
    momentum(&run, before);
    carom_ledger start = carom_simulation_ledger(run.sim);
    free_run_to(&run, 2);
    momentum(&run, after);
    for (int k = 0; k < 6; k++)
        worst = fmax(worst, fabs(after[k] - before[k]));
    balanced(&run, what, worst, ACCURACY);
    /* the load did something */
    assert_true(fabs(carom_simulation_ledger(run.sim).kinetic - start.kinetic) > 1e-3);
    free_run_close(&run);
}

#define BUSHING "  l: {type: bushing, between: [a.tip, b.root], stiffness: [40, 30, 20], turn_stiffness: [5, 4, 3]"

static void test_momentum(void **state)
{
    (void)state;
    conserve("bushing", BUSHING "}\n");
    conserve("bushing with damping", BUSHING ", damping: [3, 2, 1], turn_damping: [0.3, 0.2, 0.1]}\n");
    conserve("bushing with free play", BUSHING ", gap: [0.1, 0.05, 0.2], turn_gap: [0.1, 0.2, 0.3], damping: [3, 2, "
                                               "1]}\n");
    conserve("ligament", "  l: {type: ligament, between: [a.tip, b.root], stiffness: 200, length: 0.1, damping: 1}\n");
    conserve("force between bodies", "  l: {type: force, between: [a.tip, b.root], force: [1, 2*sin(3*t), 0.5]}\n");
    conserve("force in the axes of a third",
             "  l: {type: force, between: [a.tip, b.root], force: [1, 2*sin(3*t), 0.5], axes: c}\n");
    conserve("torque between bodies",
             "  l: {type: torque, between: [a.tip, b.root], torque: [0.1, 0.2*sin(3*t), 0.5], axes: a.tip}\n");
    conserve("line force", "  l: {type: line-force, between: [a.tip, b.root], force: 2 - length(l)^2}\n");
}

/* A bushing along one axis is a spring; about one axis it is a torsion spring at large angles, too. */
static double turned(double t) { return 2.5 * cos(5 * t); }
static void test_bushing_alone(void **state)
{
    (void)state;
    follow("bushing as a spring",
           HEAD(2) MASS BUSHING_ON("[1, 0]") "stiffness: [50, 7], turn_stiffness: 3}\n" RUN,
           X,
           oscillation, 3);
    follow("bushing as a spring with free play",
           HEAD(2) MASS BUSHING_ON("[1, 0]") "stiffness: [50, 7], gap: [0.1, 0]}\n" RUN,
           X,
           with_play, 5);
    follow("bushing turned far",
           HEAD(3)
               WHEEL_3D("2.5", "0") "  s: {type: bushing, between: [ground, wheel], turn_stiffness: [9, 7, 5]}\n" RUN,
           ANGLE, turned, 3);
}

/* In space a run ends at half a turn of a bushing with a moment about any axis, stiff or by a curve, and goes on
   without one. */
static void test_bushing_turns(void **state)
{
    (void)state;
    static const char *const moments[] = {"", ", stiffness: [10, 10, 10]", ", turn_stiffness: [0, 0, 1e-3]",
                                          ", turn_stiffness: [1e-3, 1e-3, 1e-3]", ", curve_turn_z: soft"};
    for (size_t k = 0; k < sizeof moments / sizeof moments[0]; k++) {
        char text[1000];
        free_run run;
        snprintf(text, sizeof text,
                 HEAD(3) "splines: {soft: [[-4, -4e-3], [0, 0], [4, 4e-3]]}\n"
                         "bodies: {b: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 2]}}\n"
                         "loads: {l: {type: bushing, between: [ground, b]%s}}\nrun: {until: 2}\n",
                 moments[k]);
        free_run_parse(&run, text, 0, NULL);
        const carom_status status = carom_simulation_advance(run.sim, 2);
        const double half = acos(-1) / 2;
        assert_int_equal(status, k < 2 ? CAROM_OK : CAROM_ERROR_SOLVER);
        assert_true(k < 2 || (strstr(carom_context_error(run.ctx), "by half a turn") &&
                              fabs(carom_simulation_time(run.sim) - half) < 2e-3));
        free_run_close(&run);
    }
}

/* The same scene turned as a whole moves as before: `axes` of frames turn with it, and those of the world are
   given again. */
static void scene(char *text, size_t size, double turn, const char *load)
{
    double c = cos(turn), s = sin(turn);
    snprintf(text, size,
             HEAD(2) "bodies:\n  a: {mass: 2, inertia: 0.3, at: [%.17g, %.17g], angle: %.17g, velocity: [0, 0], "
                     "angular_velocity: 1,\n      frames: {tip: {at: [0.2, 0.1], orientation: 0.4}}}\n  b: {mass: 3, "
                     "inertia: 0.5, at: [%.17g, %.17g], angle: %.17g, velocity: [0, 0], angular_velocity: "
                     "-0.5,\n      frames: {root: [-0.2, 0.1]}}\nloads:\n%s" RUN,
             c, s, 0.3 + turn, 1.5 * c - 0.2 * s, 1.5 * s + 0.2 * c, -0.2 + turn, load);
}

static void test_turned_world(void **state)
{
    (void)state;
    static const char *const loads[] = {
        ("  l: {type: bushing, between: [a.tip, b.root], stiffness: [40, 30], turn_stiffness: 5, damping: [1, 2], "
         "gap: [0.1, 0]}\n"),
        "  l: {type: force, between: [a.tip, b.root], force: [1, 2*sin(3*t)], axes: body}\n",
        "  l: {type: force, on: b.root, force: [1, 2*sin(3*t)], axes: a.tip}\n",
        "  l: {type: torque, between: [a, b], torque: 2*sin(3*t)}\n",
    };
    for (size_t k = 0; k < sizeof loads / sizeof loads[0]; k++) {
        char text[2048];
        double x[2][4];
        for (int way = 0; way < 2; way++) {
            double turn = way ? 0.9 : 0, c = cos(turn), s = sin(turn);
            free_run run;
            scene(text, sizeof text, turn, loads[k]);
            free_run_parse(&run, text, TOLERANCE, NULL);
            free_run_to(&run, 2);
            carom_body_state a = free_run_body(&run, "a"), b = free_run_body(&run, "b");
            x[way][0] = c * a.position[0] + s * a.position[1];
            x[way][1] = c * a.position[1] - s * a.position[0];
            x[way][2] = c * b.position[0] + s * b.position[1];
            x[way][3] = free_run_get(&run, "body.b.angle") - turn;
            free_run_close(&run);
        }
        for (int n = 0; n < 4; n++)
            assert_true(fabs(x[1][n] - x[0][n]) < ACCURACY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ligament),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_integrators),
        cmocka_unit_test(test_slack_is_dissipation),
        cmocka_unit_test(test_cubic),
        cmocka_unit_test(test_curve),
        cmocka_unit_test(test_line_force),
        cmocka_unit_test(test_torsion),
        cmocka_unit_test(test_turns_in_a_step),
        cmocka_unit_test(test_turns_after_a_stop),
        cmocka_unit_test(test_motor),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_bushing_alone),
        cmocka_unit_test(test_bushing_turns),
        cmocka_unit_test(test_turned_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

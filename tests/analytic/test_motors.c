/* Motors in whole models: PD and PID against the solutions of their linear equations, an integral that is clamped and
   comes off again, efforts at their limits and at the line of the no-load speed with the times at which they come there
   and leave, computed torque of a double pendulum and of an arm of six joints along trajectories, with limits,
   checkpoints, events, refusals. Energy balances. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define TOLERANCE 1e-12
#define ACCURACY 1e-10 /* of quantities of order 1 */

#define HEAD(dimension) "carom: 1\ndimension: " #dimension "\n"
#define RUN "run: {until: 10}\n"
#define WHEEL "bodies:\n  mass: {mass: 1, inertia: 0.2}\njoints:\n  j: {type: revolute, between: [ground, mass]}\n"
#define HELD \
    "bodies:\n  mass: {mass: 1, inertia: 0.2}\njoints:\n  j: {type: revolute, between: [ground, mass], motion: 0}\n"
#define MOTOR(keys) "loads:\n  m: {type: motor, on: j, " keys "}\n"
#define Q "joint.j.coordinate"

/* The model in one of the two formulations. */
static const char *in(int tree, const char *text)
{
    static char buffer[8000];
    const char *run = strstr(text, "run: {");
    assert_true(run && strlen(text) + 40 < sizeof buffer);
    snprintf(buffer, sizeof buffer, "%.*srun: {formulation: %s, %s", (int)(run - text), text,
             tree ? "tree" : "cartesian", run + strlen("run: {"));
    return buffer;
}

/* I = 0.2: the double pole at 5/s but underdamped, and the poles -1, -2 +- 3 i. */
static double pd(double t)
{
    const double w = sqrt(75.0);
    return 0.5 - 0.5 * exp(-5 * t) * (cos(w * t) + 5 / w * sin(w * t));
}
static double pid(double t)
{
    return 1 - (-0.4 * exp(-t) + exp(-2 * t) * (1.4 * cos(3 * t) + 0.8 * sin(3 * t)));
}

static void follow(const char *what, const char *text, const char *channel, double (*exact)(double), double until)
{
    free_run run;
    double worst = 0;
    free_run_parse(&run, text, TOLERANCE, NULL);
    for (int k = 0; k <= 40; k++) {
        free_run_to(&run, until * k / 40);
        worst = fmax(worst, fabs(free_run_get(&run, channel) - exact(until * k / 40)));
    }
    const carom_ledger l = carom_simulation_ledger(run.sim);
    printf("%-40s error %.1e  ledger %.1e\n", what, worst, l.residual_fraction);
    assert_true(worst < ACCURACY && l.residual_fraction < ACCURACY);
    free_run_close(&run);
}

static void test_linear(void **state)
{
    (void)state;
    follow("PD", HEAD(2) WHEEL MOTOR("target: 0.5, proportional: 20, derivative: 2") RUN, Q, pd, 2);
    follow("PID", HEAD(2) WHEEL MOTOR("target: 1, proportional: 3.4, derivative: 1, integral: 2.6") RUN, Q, pid, 6);
    follow("PID with wide limits",
           HEAD(2) WHEEL MOTOR("target: 1, proportional: 3.4, derivative: 1, integral: 2.6, limit: 50, "
                               "integral_limit: 40") RUN,
           Q, pid, 6);
}

/* Against a joint that is held the difference is the target: the integral goes up to its limit at t = 3/(4 0.5),
   stands, and comes down from there as soon as the target changes its sign at t = 4. */
static double clamped(double t)
{
    const double e = t < 4 ? 0.5 : -0.5, z = t < 1.5 ? 0.5 * t : t < 4 ? 0.75 : 0.75 - 0.5 * (t - 4);
    return 10 * e + 4 * fmax(z, -0.75);
}

static void test_clamped_integral(void **state)
{
    (void)state;
    free_run run;
    double worst = 0;
    free_run_parse(&run,
                   HEAD(2) HELD MOTOR("target: \"if(t < 4, 0.5, -0.5)\", proportional: 10, integral: 4, "
                                      "integral_limit: 3") RUN,
                   TOLERANCE, NULL);
    for (int k = 0; k <= 90; k++) {
        if (k == 40)
            continue;
        free_run_to(&run, 0.1 * k);
        worst = fmax(worst, fabs(free_run_get(&run, "load.m.effort") - clamped(0.1 * k)));
    }
    printf("clamped integral %.1e, integral at the end off by %.1e\n", worst,
           fabs(free_run_get(&run, "load.m.integral") + 0.75));
    assert_true(worst < ACCURACY && fabs(free_run_get(&run, "load.m.integral") + 0.75) < ACCURACY);
    free_run_close(&run);
}

static double zero_between(double (*f)(double), double low, double high)
{
    const double sign = f(low);
    for (int k = 0; k < 200; k++) {
        const double middle = 0.5 * (low + high);
        if (f(middle) * sign > 0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* From rest at the limit 3 with I = 0.2: s'' = 15, until 20 (1 - s) - 2 s' = 3. */
static double over_the_limit(double t) { return 20 * (1 - 7.5 * t * t) - 2 * 15 * t - 3; }
/* With the no-load speed 2: s' = 2 (1 - exp(-7.5 t)). */
static double over_the_line(double t)
{
    const double rate = 2 * (1 - exp(-7.5 * t)), s = 2 * t - 2 / 7.5 * (1 - exp(-7.5 * t));
    return 20 * (1 - s) - 2 * rate - (3 - 1.5 * rate);
}

static void saturate(const char *what, const char *text, double leaves, double no_load)
{
    free_run run;
    size_t count;
    double worst = 0;
    free_run_parse(&run, text, TOLERANCE, NULL);
    for (int k = 0; k <= 10; k++) {
        free_run_to(&run, leaves * 0.99 * k / 10);
        const double rate = free_run_get(&run, "joint.j.rate");
        worst = fmax(worst, fabs(free_run_get(&run, "load.m.effort") - 3 + (no_load > 0 ? 3 / no_load * rate : 0)));
    }
    free_run_to(&run, 3);
    const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
    const carom_ledger l = carom_simulation_ledger(run.sim);
    assert_true(count >= 2);
    printf("%-40s effort %.1e  leaves %.1e  ledger %.1e, %zu rows, then %s\n", what, worst,
           fabs(row[1].time - leaves), l.residual_fraction, count, count > 2 ? row[2].action : "nothing");
    assert_string_equal(row[0].action, "comes to its upper limit");
    assert_string_equal(row[1].action, "leaves its upper limit");
    assert_string_equal(row[0].kind, "saturation");
    assert_true(row[0].time == 0 && fabs(row[1].time - leaves) < ACCURACY);
    assert_true(worst < 1e-14 * 30 && l.residual_fraction < ACCURACY);
    free_run_close(&run);
}

static void test_saturation(void **state)
{
    (void)state;
    saturate("effort at its limit", HEAD(2) WHEEL MOTOR("target: 1, proportional: 20, derivative: 2, limit: 3") RUN,
             zero_between(over_the_limit, 0, 1), 0);
    saturate("effort at the line of the motor",
             HEAD(2) WHEEL MOTOR("target: 1, proportional: 20, derivative: 2, limit: 3, no_load_speed: 2") RUN,
             zero_between(over_the_line, 0, 2), 2);
}

/* ---- computed torque ---- */

#define PATHS                                                                                         \
    "trajectories:\n  one: [[0, 0], [0.7, 0.9], [1.5, -0.4, -1], [2.5, 0.3]]\n"                       \
    "  two: {through: [[0, 0], [0.5, -1.2], [1.8, 0.8], [2.5, 0]]}\n"

/* Inverse dynamics of two links of lengths 0.8 and 0.6, centres in their middles, angles from the x-axis and from the
   first link (Spong et al. 2006, section 7.4). */
static void efforts(const double q[2], const double v[2], const double a[2], double out[2])
{
    const double m1 = 3, m2 = 2, i1 = 0.2, i2 = 0.1, l1 = 0.8, c1 = 0.4, c2 = 0.3, g = 9.81;
    const double h = m2 * l1 * c2 * cos(q[1]), k = m2 * l1 * c2 * sin(q[1]), m22 = m2 * c2 * c2 + i2;
    const double m11 = m1 * c1 * c1 + i1 + m2 * l1 * l1 + m22 + 2 * h, m12 = m22 + h;
    const double g2 = m2 * g * c2 * cos(q[0] + q[1]), g1 = (m1 * c1 + m2 * l1) * g * cos(q[0]) + g2;
    out[0] = m11 * a[0] + m12 * a[1] - k * (2 * v[0] * v[1] + v[1] * v[1]) + g1;
    out[1] = m12 * a[0] + m22 * a[1] + k * v[0] * v[0] + g2;
}

static void test_double_pendulum_in(int tree)
{
    free_run run;
    double off = 0, effort_off = 0;
    free_run_parse(&run, in(tree,
                   HEAD(2) "gravity: [0, -9.81]\n" PATHS
                           "bodies:\n  a: {mass: 3, inertia: 0.2, at: [0.4, 0]}\n"
                           "  b: {mass: 2, inertia: 0.1, at: [1.1, 0]}\n"
                           "joints:\n  j: {type: revolute, between: [ground, {a: [-0.4, 0]}]}\n"
                           "  k: {type: revolute, between: [{a: [0.4, 0]}, {b: [-0.3, 0]}]}\n"
                           "loads:\n"
                           "  m: {type: motor, on: j, control: computed-torque, target: \"trajectory(one, t)\"}\n"
                           "  n: {type: motor, on: k, control: computed-torque, target: \"trajectory(two, t)\"}\n"
                           "outputs: {one: \"trajectory(one, t)\", two: \"trajectory(two, t)\"}\n"
                           "run: {until: 3}\n"),
                   TOLERANCE, NULL);
    for (int k = 1; k <= 49; k++) {
        free_run_to(&run, 0.05 * k);
        const double q[2] = {free_run_get(&run, "joint.j.coordinate"), free_run_get(&run, "joint.k.coordinate")};
        const double v[2] = {free_run_get(&run, "joint.j.rate"), free_run_get(&run, "joint.k.rate")};
        const double alpha = free_run_get(&run, "body.a.angular_acceleration");
        const double a[2] = {alpha, free_run_get(&run, "body.b.angular_acceleration") - alpha};
        double wanted[2];
        efforts(q, v, a, wanted);
        off = fmax(off, fabs(q[0] - free_run_get(&run, "output.one")));
        off = fmax(off, fabs(q[1] - free_run_get(&run, "output.two")));
        effort_off = fmax(effort_off, fabs(free_run_get(&run, "load.m.effort") - wanted[0]));
        effort_off = fmax(effort_off, fabs(free_run_get(&run, "load.n.effort") - wanted[1]));
    }
    const carom_ledger l = carom_simulation_ledger(run.sim);
    printf("double pendulum: off its trajectories %.1e, efforts %.1e, ledger %.1e, work %.6g\n", off, effort_off,
           l.residual_fraction, l.work);
    assert_true(off < 1e-8 && effort_off < 1e-9 && l.residual_fraction < ACCURACY);
    free_run_close(&run);
}

static void test_double_pendulum(void **state)
{
    (void)state;
    test_double_pendulum_in(0);
    test_double_pendulum_in(1);
}

/* An arm of six joints, three with limits that are not met, one that breaks away from its start by feedback. */
static void arm(char *text, size_t size, const char *axes[6])
{
    size_t n = (size_t)snprintf(text, size, HEAD(3) "gravity: [0, 0, -9.81]\n" PATHS "bodies:\n");
    for (int k = 0; k < 6; k++)
        n += (size_t)snprintf(text + n, size - n, "  b%d: {mass: %d, inertia: [0.05, 0.04, 0.03], at: [%g, 0, 0]}\n", k,
                              6 - k, 0.15 + 0.3 * k);
    n += (size_t)snprintf(text + n, size - n, "joints:\n");
    for (int k = 0; k < 6; k++) {
        char first[40] = "ground";
        if (k)
            snprintf(first, sizeof first, "{b%d: [0.15, 0, 0]}", k - 1);
        n += (size_t)snprintf(text + n, size - n,
                              "  j%d: {type: revolute, between: [%s, {b%d: [-0.15, 0, 0]}], axis: %s}\n", k, first, k,
                              axes[k]);
    }
    n += (size_t)snprintf(text + n, size - n, "loads:\n");
    for (int k = 0; k < 6; k++)
        n += (size_t)snprintf(text + n, size - n,
                              "  m%d: {type: motor, on: j%d, control: computed-torque, "
                              "target: \"%s%g*trajectory(%s, t)\"%s}\n",
                              k, k, k % 2 ? "-" : "", 0.5 + 0.1 * k, k % 3 ? "one" : "two",
                              k < 3 ? ", limit: 1000" : "");
    n += (size_t)snprintf(text + n, size - n,
                          "outputs: {one: \"trajectory(one, t)\", two: \"trajectory(two, t)\"}\n");
    snprintf(text + n, size - n, "run: {until: 3}\n");
}

static void test_arm_in(int tree)
{
    const char *axes[6] = {"[0, 0, 1]", "[0, 1, 0]", "[0, 1, 0]", "[1, 0, 0]", "[0, 1, 0]", "[1, 0, 0]"};
    char text[6000];
    free_run run;
    double off = 0;
    arm(text, sizeof text, axes);
    free_run_parse(&run, in(tree, text), TOLERANCE, NULL);
    for (int i = 1; i <= 30; i++) {
        free_run_to(&run, 0.1 * i);
        for (int k = 0; k < 6; k++) {
            char channel[40];
            snprintf(channel, sizeof channel, "joint.j%d.coordinate", k);
            const double path = free_run_get(&run, k % 3 ? "output.one" : "output.two");
            off = fmax(off, fabs(free_run_get(&run, channel) - (k % 2 ? -1 : 1) * (0.5 + 0.1 * k) * path));
        }
    }
    const carom_ledger l = carom_simulation_ledger(run.sim);
    printf("arm of six joints: off its trajectories %.1e, ledger %.1e, work %.6g\n", off, l.residual_fraction, l.work);
    assert_true(off < 1e-8 && l.residual_fraction < ACCURACY);
    free_run_close(&run);
}

static void test_arm(void **state)
{
    (void)state;
    test_arm_in(0);
    test_arm_in(1);
}

/* A difference at the start dies away as exp(-w t) (1 + w t), whatever the model is. */
static double dying(double t) { return 0.4 + 0.3 * t - 0.4 * exp(-6 * t) * (1 + 6 * t) - 0.3 * t * exp(-6 * t); }

/* I s*'' is at the limit where 60 u (1 - u) (1 - 2 u) 0.8/4 0.2 = 0.15, twice on the way up, twice on the way down;
   without feedback the motor comes to its limits and leaves them there. */
static double bend(double t)
{
    const double u = 0.5 * t;
    return 0.2 * 0.2 * 60 * u * (1 - u) * (1 - 2 * u);
}
static double above(double t) { return bend(t) - 0.15; }
static double below(double t) { return bend(t) + 0.15; }

static void test_computed_limits_in(int tree)
{
    free_run run;
    size_t count;
    follow("feedback of a computed torque",
           HEAD(2) WHEEL MOTOR("target: 0.4 + 0.3*t, control: computed-torque, frequency: 6") RUN, Q, dying, 2);
    free_run_parse(&run, in(tree,
                   HEAD(2) "trajectories: {up: [[0, 0], [2, 0.8]]}\n" WHEEL MOTOR(
                       "target: \"trajectory(up, t)\", control: computed-torque, limit: 0.15") RUN),
                   TOLERANCE, NULL);
    const double turn = 1 - 1 / sqrt(3.0);
    const double times[4] = {zero_between(above, 0, turn), zero_between(above, turn, 1),
                             zero_between(below, 1, 2 - turn), zero_between(below, 2 - turn, 2)};
    static const char *const actions[4] = {"comes to its upper limit", "leaves its upper limit",
                                           "comes to its lower limit", "leaves its lower limit"};
    double worst = 0, effort = 0;
    free_run_to(&run, 0.5 * (times[0] + times[1]));
    effort = fmax(effort, fabs(free_run_get(&run, "load.m.effort") - 0.15));
    free_run_to(&run, 1.01);
    effort = fmax(effort, fabs(free_run_get(&run, "load.m.effort") - bend(1.01)));
    free_run_to(&run, 0.5 * (times[2] + times[3]));
    effort = fmax(effort, fabs(free_run_get(&run, "load.m.effort") + 0.15));
    free_run_to(&run, 3);
    const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
    assert_int_equal(count, 4);
    for (int k = 0; k < 4; k++) {
        worst = fmax(worst, fabs(row[k].time - times[k]));
        assert_string_equal(row[k].action, actions[k]);
    }
    const carom_ledger l = carom_simulation_ledger(run.sim);
    printf("computed torque at its limits: times %.1e, efforts %.1e, ledger %.1e\n", worst, effort,
           l.residual_fraction);
    assert_true(worst < ACCURACY && effort < 1e-14 && l.residual_fraction < ACCURACY);
    free_run_close(&run);
}

static void test_computed_limits(void **state)
{
    (void)state;
    test_computed_limits_in(0);
    test_computed_limits_in(1);
}

/* The joint of a loop, and its motor switched off. */
static void test_events_and_loops_in(int tree)
{
    free_run run;
    double off = 0;
    free_run_parse(&run, in(tree,
                   HEAD(2) "gravity: [0, -9.81]\n"
                           "trajectories: {turn: {through: [[0, 0], [1, 0.5], [2, 0]], ends: periodic}}\n"
                           "bodies:\n  a: {mass: 1, inertia: 0.1, at: [0, 0.5]}\n"
                           "  b: {mass: 1, inertia: 0.1, at: [1, 1]}\n"
                           "  c: {mass: 1, inertia: 0.1, at: [2, 0.5]}\n"
                           "joints:\n  j: {type: revolute, between: [ground, {a: [0, -0.5]}]}\n"
                           "  k: {type: revolute, between: [{a: [0, 0.5]}, {b: [-1, 0]}]}\n"
                           "  l: {type: revolute, between: [{b: [1, 0]}, {c: [0, 0.5]}]}\n"
                           "  n: {type: revolute, between: [{ground: [2, 0]}, {c: [0, -0.5]}]}\n"
                           "loads:\n"
                           "  m: {type: motor, on: k, control: computed-torque, target: \"trajectory(turn, t)\"}\n"
                           "events: {end: {when: t > 3, do: {switch-off: m}}}\n"
                           "outputs: {turn: \"trajectory(turn, t)\"}\n" RUN),
                   TOLERANCE, NULL);
    for (int k = 1; k <= 30; k++) {
        free_run_to(&run, 0.1 * k);
        off = fmax(off, fabs(free_run_get(&run, "joint.k.coordinate") - free_run_get(&run, "output.turn")));
    }
    free_run_to(&run, 3.5);
    const carom_ledger l = carom_simulation_ledger(run.sim);
    printf("loop: off its trajectory %.1e, ledger %.1e, without its motor %.1e\n", off, l.residual_fraction,
           fabs(free_run_get(&run, "load.m.effort")));
    assert_true(off < 1e-8 && l.residual_fraction < ACCURACY && free_run_get(&run, "load.m.effort") == 0);
    assert_true(fabs(free_run_get(&run, "joint.k.coordinate") - free_run_get(&run, "output.turn")) > 1e-3);
    free_run_close(&run);
}

static void test_events_and_loops(void **state)
{
    (void)state;
    test_events_and_loops_in(0);
    test_events_and_loops_in(1);
}

/* Motors on both coordinates of a cylindrical joint, the further one by its name; it is stopped by its limit. */
static void test_further_coordinates_in(int tree)
{
    free_run run;
    size_t count;
    double off = 0;
    free_run_parse(&run,
                   in(tree, HEAD(3) "gravity: [0, 0, -9.81]\ntrajectories:\n  p: [[0, 0.3], [1, 0.1], [2, 0.3]]\n"
                                    "  r: [[0, 0], [1, 2], [2, 0]]\n"
                                    "bodies:\n  nut: {mass: 2, inertia: [0.01, 0.01, 0.02], at: [0, 0, 0.3]}\n"
                                    "joints:\n  j: {type: cylindrical, between: [ground, nut], axis: [0, 0, 1],\n"
                                    "      coordinates: {angle: {limits: {lower: -1, upper: 1.5}}}}\n"
                                    "loads:\n"
                                    "  m: {type: motor, on: j, control: computed-torque,\n"
                                    "      target: \"trajectory(p, t)\"}\n"
                                    "  n: {type: motor, on: j.angle, control: computed-torque, limit: 0.5,\n"
                                    "      target: \"trajectory(r, t)\"}\n"
                                    "outputs: {p: \"trajectory(p, t)\", r: \"trajectory(r, t)\"}\n" RUN),
                   TOLERANCE, NULL);
    for (int k = 1; k <= 7; k++) {
        free_run_to(&run, 0.1 * k);
        off = fmax(off, fabs(free_run_get(&run, "joint.j.coordinate") - free_run_get(&run, "output.p")));
        off = fmax(off, fabs(free_run_get(&run, "joint.j.angle.coordinate") - free_run_get(&run, "output.r")));
    }
    free_run_to(&run, 2);
    const double last = fabs(free_run_get(&run, "joint.j.coordinate") - free_run_get(&run, "output.p"));
    const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
    printf("both coordinates: off %.1e, at the end %.1e, %s %s at %.4f s\n", off, last, row[0].event, row[0].action,
           row[0].time);
    assert_true(off < 1e-8 && last < 1e-8 && count > 2);
    free_run_close(&run);
}

static void test_further_coordinates(void **state)
{
    (void)state;
    test_further_coordinates_in(0);
    test_further_coordinates_in(1);
}

/* Runs that go on from checkpoints have the same bits, with integrals, clamps, saturation and computed efforts. */
static void test_checkpoint(void **state)
{
    (void)state;
    const char *texts[] = {
        HEAD(2) WHEEL MOTOR("target: sin(3*t), proportional: 3.4, derivative: 1, integral: 2.6, limit: 1, "
                            "integral_limit: 0.3") RUN,
        HEAD(2) WHEEL MOTOR("target: sin(3*t), control: computed-torque, frequency: 4, limit: 1") RUN};
    for (size_t k = 0; k < 2; k++)
        for (double at = 0.17; at < 2; at += 0.31) {
            free_run whole, resumed;
            unsigned char *bytes;
            size_t size;
            free_run_parse(&whole, texts[k], 0, NULL);
            free_run_parse(&resumed, texts[k], 0, NULL);
            free_run_to(&whole, at);
            assert_ok(whole.ctx, carom_simulation_checkpoint(whole.sim, &bytes, &size));
            free_run_to(&whole, 4);
            assert_ok(resumed.ctx, carom_simulation_resume(resumed.sim, bytes, size));
            free_run_to(&resumed, 4);
            assert_true(free_run_get(&whole, Q) == free_run_get(&resumed, Q));
            assert_true(free_run_get(&whole, "load.m.work") == free_run_get(&resumed, "load.m.work"));
            assert_true(carom_simulation_ledger(whole.sim).residual_fraction < 1e-8);
            carom_bytes_free(whole.ctx, bytes, size);
            free_run_close(&whole);
            free_run_close(&resumed);
        }
}

/* Parameters that a program sets: gains, but not a state that is not there. More computed efforts than freedoms are
   warned of. */
static void test_parameters(void **state)
{
    (void)state;
    free_run run;
    size_t count;
    free_run_parse(&run, HEAD(2) WHEEL MOTOR("target: 0.5, proportional: 5, derivative: 2") RUN, TOLERANCE, NULL);
    assert_refused(run.ctx, carom_simulation_set_parameter(run.sim, "load.m.integral", 1), CAROM_ERROR_USAGE,
                   "would appear");
    assert_ok(run.ctx, carom_simulation_set_parameter(run.sim, "load.m.proportional", 20));
    free_run_to(&run, 1);
    assert_true(fabs(free_run_get(&run, Q) - pd(1)) < ACCURACY);
    free_run_close(&run);
    free_run_parse(&run,
                   HEAD(2) "bodies:\n  a: {mass: 1, inertia: 0.1, at: [0, 0.5]}\n"
                           "  b: {mass: 1, inertia: 0.1, at: [1, 1]}\n  c: {mass: 1, inertia: 0.1, at: [2, 0.5]}\n"
                           "joints:\n  j: {type: revolute, between: [ground, {a: [0, -0.5]}]}\n"
                           "  k: {type: revolute, between: [{a: [0, 0.5]}, {b: [-1, 0]}]}\n"
                           "  l: {type: revolute, between: [{b: [1, 0]}, {c: [0, 0.5]}]}\n"
                           "  n: {type: revolute, between: [{ground: [2, 0]}, {c: [0, -0.5]}]}\n"
                           "loads:\n  m: {type: motor, on: k, control: computed-torque, target: t^3}\n"
                           "  m2: {type: motor, on: j, control: computed-torque, target: -(t^3)}\n" RUN,
                   TOLERANCE, NULL);
    free_run_to(&run, 0.5);
    const double off = fabs(free_run_get(&run, "joint.k.coordinate") - 0.125);
    const char *const *warnings = carom_simulation_warnings(run.sim, &count);
    printf("two efforts on one freedom: off by %.1e, %zu warning\n", off, count);
    assert_true(off < 1e-8 && count >= 1 && strstr(warnings[0], "hold already"));
    free_run_close(&run);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *part;
    } wrong[] = {
        {"target: 1", "a motor needs a gain"},
        {"target: 1, control: computed-torque, proportional: 3", "in place of the gains"},
        {"target: 1, proportional: 3, frequency: 3", "'frequency' is for"},
        {"target: 1, proportional: 3, integral_limit: 3", "needs 'integral'"},
        {"target: 1, control: computed_torque", "did you mean 'computed-torque'"},
        {"target: angle(j), proportional: 3", "state"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        char text[600];
        snprintf(text, sizeof text, HEAD(2) WHEEL MOTOR("%s") RUN, wrong[k].keys);
        if (!strstr(free_error_of_text(text), wrong[k].part))
            fail_msg("'%s' gave '%s'", wrong[k].keys, free_error_of_text(text));
    }
    assert_non_null(strstr(free_error_of_text(HEAD(2) HELD MOTOR("target: 1, control: computed-torque") RUN),
                           "its motion is prescribed"));
    assert_non_null(strstr(free_error_of_text(HEAD(2) WHEEL MOTOR("target: 1, control: computed-torque") "  n: {type: "
                                              "motor, on: j, target: 2, control: computed-torque}\n" RUN),
                           "another motor"));
    assert_non_null(strstr(free_error_of_text(HEAD(2) WHEEL MOTOR("target: 1, control: computed-torque") "events: {e: "
                                              "{when: t > 1, do: {lock: j}}}\n" RUN),
                           "an event locks it"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_clamped_integral),
        cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_double_pendulum),
        cmocka_unit_test(test_arm),
        cmocka_unit_test(test_computed_limits),
        cmocka_unit_test(test_events_and_loops),
        cmocka_unit_test(test_further_coordinates),
        cmocka_unit_test(test_checkpoint),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

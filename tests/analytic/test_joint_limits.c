/* The key `limits` of joints (the load joint-limits) in whole models against the closed form of a free impact on a
   spring and a dashpot that do not pull: restitution, times and rows of the events, on all coordinates and over many
   turns; the inertia that defaults are made from; starts beyond a limit; checkpoints with bounces. Energy balances. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define PI 3.14159265358979323846
#define TOLERANCE 1e-12
#define ACCURACY 1e-10 /* of quantities of order 1, at a tolerance of 1e-12 */

#define HEAD(dimension) "carom: 1\ndimension: " #dimension "\n"
#define RUN "run: {until: 10}\n"
#define Q "joint.j.coordinate"

#define SLIDE(keys)                                            \
    "bodies:\n  mass: {mass: 2, inertia: 0.1, at: [0.3, 0]}\n" \
    "joints:\n  j: {type: translational, between: [ground, mass], axis: [1, 0], " keys "}\n"
#define SLIDE_3D(type, keys)                                                  \
    "bodies:\n  mass: {mass: 2, inertia: [0.1, 0.1, 0.1], at: [0.3, 0, 0]}\n" \
    "joints:\n  j: {type: " type ", between: [ground, mass], axis: [1, 0, 0], " keys "}\n"
#define WHEEL(keys)                                  \
    "bodies:\n  mass: {mass: 1, inertia: 0.2}\n"     \
    "joints:\n  j: {type: revolute, between: [ground, mass], " keys "}\n"
#define WHEEL_3D(keys)                                                \
    "bodies:\n  mass: {mass: 1, inertia: [0.15, 0.1, 0.2]}\n"         \
    "joints:\n  j: {type: revolute, between: [ground, mass], axis: [0, 0, 1], " keys "}\n"

/* A bounce between two limits: inertia, stiffness, damping, start, rate, limits. */
typedef struct bounce {
    double inertia, k, c, start, rate, lower, upper;
} bounce;

/* Goldsmith's spring and dashpot until their force is zero: duration and restitution. */
static void impact_of(const bounce *b, double *duration, double *restitution)
{
    const double w = sqrt(b->k / b->inertia), zeta = b->c / (2 * b->inertia * w), wd = w * sqrt(1 - zeta * zeta);
    *duration = (PI - 2 * asin(zeta)) / wd;
    *restitution = exp(-zeta * w * *duration);
}

/* Indentation and its rate t after the onset with the rate v. */
static double indentation(const bounce *b, double v, double t)
{
    const double w = sqrt(b->k / b->inertia), zeta = b->c / (2 * b->inertia * w), wd = w * sqrt(1 - zeta * zeta);
    return v / wd * exp(-zeta * w * t) * sin(wd * t);
}

/* Greatest effort of an impact: k x + c x', looked for in ten thousand places. */
static double peak_of(const bounce *b, double v)
{
    double duration, e, worst = 0;
    impact_of(b, &duration, &e);
    for (int k = 0; k <= 10000; k++) {
        const double t = duration * k / 10000, d = 1e-6 * duration;
        const double rate = (indentation(b, v, t + d) - indentation(b, v, t - d)) / (2 * d);
        worst = fmax(worst, b->k * indentation(b, v, t) + b->c * rate);
    }
    return worst;
}

static double coordinate_at(const bounce *b, double t)
{
    double q = b->start, v = b->rate, duration, e;
    impact_of(b, &duration, &e);
    for (;;) {
        const double limit = v > 0 ? b->upper : b->lower, flight = (limit - q) / v;
        if (t <= flight)
            return q + v * t;
        t -= flight;
        if (t <= duration)
            return limit + indentation(b, v, t);
        t -= duration;
        q = limit + indentation(b, v, duration);
        v = -e * v;
    }
}

/* The coordinate at many times, the rows of the first two impacts, the ledger. */
static void follow(const char *what, const char *text, const bounce *b, double until)
{
    free_run run;
    double worst = 0, duration, e, lost = 0;
    size_t count;
    impact_of(b, &duration, &e);
    free_run_parse(&run, text, TOLERANCE, NULL);
    for (int k = 0; k <= 60; k++) {
        free_run_to(&run, until * k / 60);
        worst = fmax(worst, fabs(free_run_get(&run, Q) - coordinate_at(b, until * k / 60)));
    }
    const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
    assert_true(count >= 3);
    const double met = (b->upper - b->start) / b->rate;
    /* it is left where the coordinate is back, after the force */
    const double back = indentation(b, b->rate, duration) / (e * b->rate);
    double off = fmax(fabs(row[0].time - met), fabs(row[1].time - met - duration - back));
    off = fmax(off, fmax(fabs(row[0].rate / b->rate - 1), fabs(row[1].rate / b->rate + e)));
    off = fmax(off, fabs(row[1].energy / (0.5 * b->inertia * b->rate * b->rate * (1 - e * e)) - 1));
    assert_string_equal(row[0].action, "upper limit met");
    assert_string_equal(row[1].action, "upper limit left");
    assert_string_equal(row[2].action, "lower limit met");
    assert_string_equal(row[0].kind, "limit");
    assert_string_equal(row[0].event, "j.limits");
    for (size_t k = 0; k < count; k++)
        lost += row[k].energy;
    const carom_ledger l = carom_simulation_ledger(run.sim);
    const double peak_off = fabs(row[1].peak / peak_of(b, b->rate) - 1);
    printf("%-30s e %.4f  %zu rows  error %.1e  rows %.1e  peak %.1e  ledger %.1e\n", what, e, count, worst, off,
           peak_off, l.residual_fraction);
    /* a parabola through places of a step: its third derivative, and differences of 1e-6 of the duration here */
    assert_true(peak_off < 1e-4 && row[0].peak == 0);
    /* angles of order 20 are known to 20 times as much */
    const double size = fmax(1, fmax(fabs(b->upper), fabs(b->lower)));
    assert_true(worst < ACCURACY * size && off < 10 * ACCURACY * size && l.residual_fraction < ACCURACY);
    if (strstr(row[count - 1].action, "left"))
        assert_true(fabs(lost - l.dissipated_other) < ACCURACY);
    free_run_close(&run);
}

static void test_bounces(void **state)
{
    (void)state;
#define LIMITS "rate: 1.5, limits: {lower: -0.2, upper: 0.6, stiffness: 5000, damping: 30}"
    const bounce slide = {2, 5000, 30, 0.3, 1.5, -0.2, 0.6};
    follow("translational", HEAD(2) SLIDE(LIMITS) RUN, &slide, 3);
    follow("translational in space", HEAD(3) SLIDE_3D("translational", LIMITS) RUN, &slide, 3);
    follow("cylindrical", HEAD(3) SLIDE_3D("cylindrical", LIMITS) RUN, &slide, 3);
    follow("point-in-line", HEAD(3) SLIDE_3D("point-in-line", LIMITS) RUN, &slide, 3);
#define ANGLES "rate: 3, limits: {lower: -0.5, upper: 0.8, stiffness: 800, damping: 6}"
    const bounce wheel = {0.2, 800, 6, 0, 3, -0.5, 0.8};
    follow("revolute", HEAD(2) WHEEL(ANGLES) RUN, &wheel, 2);
    follow("revolute in space", HEAD(3) WHEEL_3D(ANGLES) RUN, &wheel, 2);
#define TURNS "rate: 30, limits: {lower: -10, upper: 20, stiffness: 800, damping: 6}"
    const bounce turns = {0.2, 800, 6, 0, 30, -10, 20};
    follow("over many turns", HEAD(2) WHEEL(TURNS) RUN, &turns, 6);
    follow("over many turns in space", HEAD(3) WHEEL_3D(TURNS) RUN, &turns, 6);
}

/* An elastic stop: its greatest effort is v sqrt(k I), however far the steps are apart, by the parabola through places
   of a step. */
static void test_elastic_peak(void **state)
{
    (void)state;
    const struct {
        double tolerance, allowed;
    } rows[] = {{1e-4, 1e-4}, {1e-6, 1e-7}, {1e-8, 1e-9}};
    for (int k = 0; k < 3; k++) {
        free_run run;
        size_t count;
        free_run_parse(&run, HEAD(2) WHEEL("rate: 3, limits: {upper: 0.8, stiffness: 800, damping: 0}") RUN,
                       rows[k].tolerance, NULL);
        free_run_to(&run, 1);
        const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
        assert_true(count >= 2);
        const double off = fabs(row[1].peak / (3 * sqrt(800 * 0.2)) - 1);
        printf("elastic stop at %.0e: peak off by %.1e\n", rows[k].tolerance, off);
        assert_true(off < rows[k].allowed);
        free_run_close(&run);
    }
}

/* The rate after over that before the first impact. */
static double returned(const char *text)
{
    free_run run;
    size_t count;
    free_run_parse(&run, text, TOLERANCE, NULL);
    free_run_to(&run, 10);
    const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
    assert_true(count >= 2);
    const double e = -row[1].rate / row[0].rate;
    free_run_close(&run);
    return e;
}

static void assert_returns(const char *what, const char *text, double wanted)
{
    const double e = returned(text);
    printf("%-44s restitution %.12f, off by %.1e\n", what, e, fabs(e - wanted));
    assert_true(fabs(e - wanted) < ACCURACY);
}

/* Without gravity what the joint carries is one body, whatever it is made of, and its restitution is that asked for. */
static void test_restitution(void **state)
{
    (void)state;
#define GIVEN(e) "rate: 2, limits: {upper: 0.4, restitution: " #e "}"
    assert_returns("slider, 0.7", HEAD(2) SLIDE("rate: 2, limits: {upper: 0.6, restitution: 0.7}") RUN, 0.7);
    assert_returns("slider, default", HEAD(2) SLIDE("rate: 2, limits: {upper: 0.6}") RUN, 0.3);
    assert_returns("wheel, 1", HEAD(2) WHEEL(GIVEN(1)) RUN, 1);
    assert_returns("wheel, exp(-2)", HEAD(2) WHEEL(GIVEN(0.1353352832366127)) RUN, exp(-2.0));
    assert_returns("wheel, 0.05: beyond critical damping", HEAD(3) WHEEL_3D(GIVEN(0.05)) RUN, 0.05);
    assert_returns("rod on its end",
                   HEAD(2) "bodies:\n  rod: {mass: 3, inertia: 0.25, at: [0.5, 0.2]}\n"
                           "joints:\n  j: {type: revolute, between: [ground, {rod: [-0.5, -0.2]}], " GIVEN(0.5)
                               "}\n" RUN,
                   0.5);
    assert_returns("rod on its end, oblique in space",
                   HEAD(3) "bodies:\n  rod: {mass: 3, inertia: [0.1, 0.2, 0.25], at: [0.5, 0.2, 0.1]}\n"
                           "joints:\n  j: {type: revolute, between: [ground, {rod: [-0.5, -0.2, -0.1]}], axis: [1, 2, "
                           "2], " GIVEN(0.5) "}\n" RUN,
                   0.5);
    assert_returns("two bodies as one, the ground second",
                   HEAD(2) "bodies:\n  rod: {mass: 3, inertia: 0.25, at: [0.5, 0]}\n"
                           "  tip: {mass: 2, inertia: 0.1, at: [1, 0.5]}\n"
                           "joints:\n  j: {type: revolute, between: [{rod: [-0.5, 0]}, ground], " GIVEN(0.5) "}\n"
                           "  glue: {type: fixed, between: [rod, {tip: [-0.5, -0.5]}]}\n" RUN,
                   0.5);
}

/* A pendulum falls on its lower limit: it comes with sqrt(2 m g l (sin q0 - sin q1)/I), and where the bounces have died
   away it leans on the stop with its weight. */
static void test_pendulum(void **state)
{
    (void)state;
    free_run run;
    size_t count;
    free_run_parse(&run,
                   HEAD(2) "gravity: [0, -9.81]\nbodies:\n  rod: {mass: 1, inertia: 0.1, at: [0.5, 0]}\n"
                           "joints:\n  j: {type: revolute, between: [ground, {rod: [-0.5, 0]}], limits: {lower: -1.2, "
                           "upper: 0.5, restitution: 0.6}}\n" RUN,
                   1e-11, NULL);
    free_run_to(&run, 10);
    const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
    const double rate = -sqrt(2 * 9.81 * 0.5 * sin(1.2) / 0.35), q = free_run_get(&run, Q);
    const double stiffness = 2 * (0.5 * 0.35 * (9.81 * 0.5 / 0.25) + 9.81 * 0.5) / 1e-4;
    const double weight = 9.81 * 0.5 * cos(q), effort = free_run_get(&run, "load.j.limits.effort");
    const carom_ledger l = carom_simulation_ledger(run.sim);
    printf("pendulum: met at %.3e of the rate, leans with %.3e of its weight, %.3e of the indentation, %zu rows, "
           "ledger %.1e\n",
           fabs(row[0].rate / rate - 1), fabs(effort / weight - 1), fabs((-1.2 - q) / (weight / stiffness) - 1), count,
           l.residual_fraction);
    assert_true(fabs(row[0].rate / rate - 1) < 1e-9);
    assert_true(fabs(effort / weight - 1) < 1e-9 && fabs((-1.2 - q) / (weight / stiffness) - 1) < 1e-9);
    assert_true(l.residual_fraction < 1e-9);
    assert_true(count > 6 && count < 100);
    free_run_close(&run);
}

/* Fixed steps longer than an impact are shortened while a stop is met: the bounces of a method of fourth order. */
static void test_fixed_steps(void **state)
{
    (void)state;
    free_run run;
    const bounce slide = {2, 5000, 30, 0.3, 1.5, -0.2, 0.6};
    double worst = 0;
    free_run_parse(&run, HEAD(2) SLIDE(LIMITS) "run: {until: 3, integrator: rk4, step: 0.1}\n", 0, NULL);
    for (int k = 0; k <= 30; k++) {
        free_run_to(&run, 0.1 * k);
        worst = fmax(worst, fabs(free_run_get(&run, Q) - coordinate_at(&slide, 0.1 * k)));
    }
    printf("fixed steps of 0.1 s, error %.1e\n", worst);
    /* fifty steps an impact, w h = 0.063: 50 (w h)^5/120 = 4e-7 of the speed of 1.5 m/s in each of three, for 2 s */
    assert_true(worst < 3e-6);
    free_run_close(&run);
}

/* A limit that a program moves while the run is under way; what cannot be is refused and leaves all as it is. */
static void test_parameters(void **state)
{
    (void)state;
    free_run run;
    double value;
    const bounce slide = {2, 5000, 30, 0.3, 1.5, -0.2, 0.8};
    free_run_parse(&run, HEAD(2) SLIDE(LIMITS) RUN, TOLERANCE, NULL);
    assert_refused(run.ctx, carom_simulation_set_parameter(run.sim, "load.j.limits.upper", -0.3), CAROM_ERROR_USAGE,
                   "must be below");
    assert_refused(run.ctx, carom_simulation_set_parameter(run.sim, "load.j.limits.restitution", 0.3),
                   CAROM_ERROR_USAGE, "cannot be changed");
    assert_ok(run.ctx, carom_simulation_get_parameter(run.sim, "load.j.limits.upper", &value));
    assert_true(value == 0.6);
    assert_ok(run.ctx, carom_simulation_set_parameter(run.sim, "load.j.limits.upper", 0.8));
    free_run_to(&run, 1.2);
    const double off = fabs(free_run_get(&run, Q) - coordinate_at(&slide, 1.2));
    printf("a limit that was moved: error %.1e\n", off);
    assert_true(off < ACCURACY);
    free_run_close(&run);
}

/* A leg in flight, whose spring is free where its travel ends, lies at the stop without moving against it: rounding
   alone takes it beyond, which is no meeting, also where the run begins anew within the flight (the events), and
   whichever limit it is. The mechanism falls freely: 4.9 m, to the tolerance of 1e-8. */
static void test_touched_in_flight(void **state)
{
    (void)state;
    static const char *const formulations[] = {"cartesian", "tree"};
    static const char *const legs[] = {"axis: [0, -1], spring: {stiffness: 20e3, free: 1}, limits: {upper: 1}",
                                       "axis: [0, 1], spring: {stiffness: 20e3, free: -1}, limits: {lower: -1}",
                                       "axis: [0, 1], limits: {lower: -1, upper: 0.5}"};
    for (size_t k = 0; k < 6; k++) {
        free_run run;
        size_t count, limits = 0;
        char text[1500];
        snprintf(text, sizeof text,
                 HEAD(2) "gravity: [0, -9.81]\n"
                 "bodies:\n  body: {mass: 80, inertia: 5, at: [0, 1.2]}\n"
                 "  foot: {mass: 1, inertia: 1e-4, at: [0, 0.2]}\n"
                 "joints:\n  g1: {type: translational, between: [ground, body], axis: [0, 1]}\n"
                 "  g2: {type: translational, between: [body, foot], %s}\n"
                 "inputs: {n: {start: 0}}\n"
                 "events: {tick: {when: sin(200*t) > 0, do: {set: {n: n + 1}}}}\n"
                 "run: {until: 1, formulation: %s}\n",
                 legs[k / 2], formulations[k % 2]);
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 1);
        const carom_fired_event *rows = carom_simulation_fired_events(run.sim, &count);
        for (size_t n = 0; n < count; n++)
            limits += strcmp(rows[n].kind, "limit") == 0;
        const double fell = free_run_body(&run, "body").position[1] - 1.2 + 9.81 / 2;
        printf("a leg in flight: %zu rows of limits of %zu, error %.1e m\n", limits, count, fell);
        assert_true(count > 30);
        assert_int_equal(limits, 0);
        assert_true(fabs(fell) < 4.9e-8);
        free_run_close(&run);
    }
}

/* What is pressed against a stop at which it lies at rest meets it, at once and once, and comes to rest where the stop
   bears it: by F t^2/(2 m) = 1e-9 m at the latest, after 0.2 ms with 0.1 N on 2 kg. */
static void test_pressed_at_rest(void **state)
{
    (void)state;
    static const double forces[] = {0.1, 1e-3};
    for (size_t k = 0; k < 2; k++) {
        free_run run;
        size_t count;
        char text[1000];
        snprintf(text, sizeof text,
                 HEAD(2) SLIDE("limits: {upper: 0.3, stiffness: 5000, damping: 300}")
                 "loads: {push: {type: force, on: mass, force: [%g, 0]}}\nrun: {until: 2}\n",
                 forces[k]);
        free_run_parse(&run, text, TOLERANCE, NULL);
        free_run_to(&run, 2);
        const carom_fired_event *rows = carom_simulation_fired_events(run.sim, &count);
        const double depth = free_run_get(&run, Q) - 0.3;
        assert_int_equal(count, 1);
        printf("pressed by %g N: met at %.2e s, %.6e m\n", forces[k], rows[0].time, depth);
        assert_true(rows[0].time < 1.1 * sqrt(2 * 2 * 1e-9 / forces[k]));
        /* the slower of the two modes leaves exp(-19 t) */
        assert_true(fabs(depth - forces[k] / 5000) < 1e-11);
        free_run_close(&run);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    assert_non_null(strstr(free_error_of_text(HEAD(2) SLIDE("limits: {stiffness: 5}") RUN), "'lower'"));
    assert_non_null(strstr(free_error_of_text(HEAD(2) SLIDE("limits: {lower: 1, upper: 0}") RUN), "must be below"));
    assert_non_null(strstr(free_error_of_text(HEAD(2) SLIDE("limits: {lower: -1, damping: 2, restitution: 0.4}") RUN),
                           "one of the two"));
    assert_non_null(strstr(free_error_of_text(HEAD(2) SLIDE("limits: {upper: -1}") RUN), "upper limit of -1 m"));
    assert_non_null(strstr(free_error_of_text(HEAD(2) SLIDE("limits: {uper: 1}") RUN), "upper"));
    assert_non_null(strstr(free_error_of_text(HEAD(3) "bodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\n"
                                                      "joints:\n  j: {type: spherical, between: [ground, b], "
                                                      "limits: {upper: 1}}\n" RUN),
                           "no coordinate"));
    /* a soft stop may be pressed at the start */
    assert_string_equal(free_error_of_text(HEAD(2) SLIDE("limits: {upper: 0.2, stiffness: 5}") RUN), "");
}

/* A run that goes on from a checkpoint within an impact has the same rows and bits. */
static void test_checkpoint(void **state)
{
    (void)state;
    free_run whole, resumed;
    unsigned char *bytes;
    size_t size, count, other;
    const char *text = HEAD(2) SLIDE(LIMITS) RUN;
    free_run_parse(&whole, text, 0, NULL);
    free_run_parse(&resumed, text, 0, NULL);
    free_run_to(&whole, 0.21);
    assert_true(free_run_get(&whole, "load.j.limits.effort") < 0);
    assert_ok(whole.ctx, carom_simulation_checkpoint(whole.sim, &bytes, &size));
    free_run_to(&whole, 3);
    assert_ok(resumed.ctx, carom_simulation_resume(resumed.sim, bytes, size));
    free_run_to(&resumed, 3);
    const carom_fired_event *a = carom_simulation_fired_events(whole.sim, &count),
                            *b = carom_simulation_fired_events(resumed.sim, &other);
    assert_int_equal(count, other);
    assert_true(count > 4);
    for (size_t k = 0; k < count; k++) {
        assert_true(a[k].time == b[k].time && a[k].energy == b[k].energy && a[k].rate == b[k].rate);
        assert_string_equal(a[k].action, b[k].action);
        assert_string_equal(a[k].event, b[k].event);
    }
    assert_true(free_run_get(&whole, Q) == free_run_get(&resumed, Q));
    carom_bytes_free(whole.ctx, bytes, size);
    free_run_close(&whole);
    free_run_close(&resumed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounces),    cmocka_unit_test(test_elastic_peak),
        cmocka_unit_test(test_restitution), cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_checkpoint),
        cmocka_unit_test(test_fixed_steps), cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_touched_in_flight), cmocka_unit_test(test_pressed_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

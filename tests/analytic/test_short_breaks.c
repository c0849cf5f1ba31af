/* What ends for a while within a step, so that the ends of the step do not show it, against closed forms: dry friction
   in a joint and at a contact that an oscillating force exceeds by 0.2 to 20 per cent, a low hop of a ball that has
   left an indentation, and a damper that would pull for a moment. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"

#define PI 3.14159265358979323846
#define G 9.81

static const char *const integrators[] = {"auto", "adams", "bdf", "dopri5", "dop853"};

static void near(const char *what, double value, double expected, double allowed)
{
    printf("%-40s %.12g, off by %.1e (allowed %.0e)\n", what, value, fabs(value - expected), allowed);
    assert_true(fabs(value - expected) <= allowed);
}

static double work_of_friction(const free_run *run)
{
    return carom_simulation_ledger(run->sim).dissipated_friction;
}

/* ---- friction that holds ---- */

/* A mass m that friction holds up to `holds` and brakes with `slides`, under the force P sin(w t): it breaks away at
   sin(w t) = holds/P, and slides until its speed is zero again, which is before the force has come back. */
typedef struct slider {
    double m, holds, slides, P, w;
    double x, work;
} slider;

static double speed_since(const slider *s, double begin, double t, double sign)
{
    return s->P / s->m / s->w * (cos(s->w * begin) - cos(s->w * t)) - sign * s->slides / s->m * (t - begin);
}

static void slide_to(slider *s, double until)
{
    const double angle = asin(s->holds / s->P);
    for (int n = 0; (n * PI + angle) / s->w < until; n++) {
        const double begin = (n * PI + angle) / s->w, sign = n % 2 ? -1 : 1;
        double low = begin + 1e-3 / s->w, high = low;
        while (high < until && sign * speed_since(s, begin, high, sign) > 0)
            high += 1e-3 / s->w;
        high = fmin(high, until);
        for (int k = 0; k < 60 && !(sign * speed_since(s, begin, high, sign) > 0); k++) {
            low = fmax(low, high - 1e-3 / s->w);
            const double half = 0.5 * (low + high);
            *(sign * speed_since(s, begin, half, sign) > 0 ? &low : &high) = half;
            if (high - low < 1e-15)
                break;
        }
        const double way = s->P / s->m / s->w *
                               (cos(s->w * begin) * (high - begin) - (sin(s->w * high) - sin(s->w * begin)) / s->w) -
                           sign * s->slides / s->m * 0.5 * (high - begin) * (high - begin);
        s->x += way;
        s->work += s->slides * fabs(way);
    }
}

static void hold(const slider *of, const char *text, const char *integrator, double until, double x_allowed,
                 double work_allowed)
{
    free_run run;
    slider s = *of;
    slide_to(&s, until);
    free_run_parse(&run, text, 1e-8, integrator);
    free_run_to(&run, until);
    near(integrator, free_run_body(&run, "b").position[0], s.x, x_allowed);
    near("  friction", work_of_friction(&run), s.work, work_allowed * s.work);
    near("  ledger", carom_simulation_ledger(run.sim).residual_fraction, 0, 1e-6);
    free_run_close(&run);
}

static void test_joint(void **state)
{
    (void)state;
    static const double above[] = {1.01, 1.05, 1.2};
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++)
        for (size_t n = 0; n < CAROM_COUNT(above); n++)
            for (int drops = 0; drops < 2; drops++) {
                char text[700];
                const slider s = {1, 0.5 * G, drops ? 0.3 * G : 0.5 * G, above[n] * 0.5 * G, 5, 0, 0};
                snprintf(text, sizeof text,
                         "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  b: {mass: 1, inertia: 1e-3}\n"
                         "joints:\n  r: {type: translational, between: [ground, b], axis: [1, 0], "
                         "friction: {law: coulomb, kinetic: %s}}\n"
                         "loads:\n  f: {type: force, on: b, force: [\"%.17g*N*sin(5*t/s)\", 0]}\nrun: {until: 8}\n",
                         drops ? "0.3, static: 0.5" : "0.5", s.P);
                /* sliding begins and ends at the least speed */
                hold(&s, text, integrators[k], 8, 1e-7, 3e-4);
            }
}

/* The whole run in steps of many periods, if nothing moves. */
static void test_fast_force(void **state)
{
    (void)state;
    const slider s = {1, 0.5 * G, 0.3 * G, 1.05 * 0.5 * G, 300, 0, 0};
    char text[700];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  b: {mass: 1, inertia: 1e-3}\n"
             "joints:\n  r: {type: translational, between: [ground, b], axis: [1, 0], "
             "friction: {law: coulomb, kinetic: 0.3, static: 0.5}}\n"
             "loads:\n  f: {type: force, on: b, force: [\"%.17g*N*sin(300*t/s)\", 0]}\nrun: {until: 200}\n",
             s.P);
    hold(&s, text, "auto", 3, 1e-7, 2e-3);
}

/* A disc that does not turn, in the depth at which it stands. */
static void test_contact(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++) {
        char text[900];
        const slider s = {1, 0.5 * G, 0.3 * G, 1.002 * 0.5 * G, 200, 0, 0};
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
                 "  b: {mass: 1, inertia: 1e9, at: [0, 0.04997872941970745]}\n"
                 "shapes:\n  p: {type: plane, on: ground, normal: [0, 1]}\n  s: {type: sphere, on: b, radius: 0.05}\n"
                 "loads:\n  f: {type: force, on: b, force: [\"%.17g*N*sin(200*t/s)\", 0]}\n"
                 "contacts:\n  c: {between: [s, p], normal: {law: flores, stiffness: 1e8, restitution: 0.5}, "
                 "friction: {law: coulomb, kinetic: 0.3, static: 0.5}}\nrun: {until: 0.2}\n",
                 s.P);
        hold(&s, text, integrators[k], 0.2, 1e-8, 1e-3);
    }
}

/* ---- open contacts ---- */

/* Walton and Braun: loading K, unloading K/e^2 from (1 - e^2) delta_m on, then free to the surface, and a hop. */
static void test_hop(void **state)
{
    (void)state;
    const double K = 1e4, e = 0.5, v = 0.71, w = sqrt(K), e2 = e * e;
    const double turn = (PI - atan(v * w / G)) / w, deepest = G / K + hypot(G / K, v / w), left = deepest * (1 - e2);
    const double w2 = w / e, rest = G / (w2 * w2), swing = deepest - left - rest, phase = acos(-rest / swing);
    const double up = swing * w2 * sin(phase), out = sqrt(up * up - 2 * G * left);
    const double release = turn + phase / w2 + (up - out) / G, onset = release + 2 * out / G;
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++) {
        free_run run;
        size_t count;
        free_run_parse(&run,
                       "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
                       "  b: {mass: 1, inertia: 4e-3, at: [0, 0.1], velocity: [0, -0.71]}\n"
                       "shapes:\n  p: {type: plane, on: ground, normal: [0, 1]}\n"
                       "  s: {type: sphere, on: b, radius: 0.1}\n"
                       "contacts:\n  c: {between: [s, p], normal: {law: walton-braun, stiffness: 1e4, restitution: "
                       "0.5}}\nrun: {until: 0.1}\n",
                       1e-8, integrators[k]);
        free_run_to(&run, 0.1);
        const carom_impact *i = carom_simulation_impacts(run.sim, &count);
        assert_int_equal(count, 1);
        near(integrators[k], i->duration, release, 1e-8);
        near("  speed", i->v_out, out, 1e-7);
        carom_open_contact open;
        assert_int_equal(carom_simulation_open_contacts(run.sim, &open, 1), 1);
        near("  next onset", open.onset, onset, 1e-7);
        free_run_close(&run);
    }
}

/* A plate on a damped pad, driven: F = K d + c d', none from where it would pull until it is pressed again. */
static void test_pull(void **state)
{
    (void)state;
    const double K = 1e6, c = 1.74e4, w = 100, until = 0.2;
    const int parts = 400000;
    double work = 0;
    bool cut = false;
    for (int n = 0; n < parts; n++) {
        const double t = until * (n + 0.5) / parts, d = 1e-3 - 5e-4 * cos(w * t), rate = 5e-4 * w * sin(w * t);
        const double force = K * d + c * rate;
        cut = cut ? rate < 0 : force < 0;
        work += cut ? 0 : force * rate * until / parts;
    }
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++) {
        free_run run;
        free_run_parse(&run,
                       "carom: 1\ndimension: 2\nbodies:\n"
                       "  b: {at: [0, 0.0495], mass: 1, inertia: 1e-3, motion: {x: 0, y: \"0.049+0.0005*cos(100*t)\", "
                       "angle: 0}}\n"
                       "shapes:\n  p: {type: plane, on: ground, normal: [0, 1]}\n"
                       "  s: {type: sphere, on: b, radius: 0.05}\n"
                       "contacts:\n  c: {between: [s, p], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 1.74e4, "
                       "tension: cut-off}}\nrun: {until: 0.2}\n",
                       1e-8, integrators[k]);
        free_run_to(&run, until);
        /* the plate has a kinetic energy of its own */
        const carom_ledger l = carom_simulation_ledger(run.sim);
        near(integrators[k], l.work - l.kinetic, work, 1e-6 * work);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_joint), cmocka_unit_test(test_fast_force),
                                       cmocka_unit_test(test_contact), cmocka_unit_test(test_hop),
                                       cmocka_unit_test(test_pull)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Forces, paths and relations over the motion that lie between the ends of what an integrator takes for one step: a
   gust, a magnet beside the way, a hump, a cam. Before and behind them nothing asks for small steps. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"

static const char *const integrators[] = {"auto", "adams", "bdf", "dopri5", "dop853"};
static const double widths[] = {1, 0.3, 0.1, 0.03};

static const double pi = 3.14159265358979323846;

/* A body of 1 kg at 1 m/s gets the work of the force, the root of pi times the width. */
static void test_coasting(void **state)
{
    (void)state;
    double worst = 0;
    for (size_t k = 0; k < CAROM_COUNT(integrators) * CAROM_COUNT(widths); k++) {
        char text[400];
        free_run run;
        const double width = widths[k % 4];
        snprintf(text, sizeof text,
                 "{carom: 1, dimension: 2, bodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}}, "
                 "loads: {f: {type: force, on: a, force: ['exp(-((x(a) - 5)/%g)^2)', 0]}}, run: {until: 10}}",
                 width);
        free_run_parse(&run, text, 0, integrators[k / 4]);
        free_run_to(&run, 10);
        const double speed = free_run_body(&run, "a").velocity[0];
        worst = fmax(worst, fabs(0.5 * speed * speed - 0.5 - sqrt(pi) * width));
        free_run_close(&run);
    }
    print_message("coasting: work %.1e J off\n", worst);
    assert_true(worst < 1e-6);
}

/* A ball thrown through a vertical gust: its share of the speed acts from the middle of the gust on. */
static void test_gust(void **state)
{
    (void)state;
    double worst = 0;
    for (size_t k = 0; k < CAROM_COUNT(integrators) * CAROM_COUNT(widths); k++) {
        char text[500];
        free_run run;
        const double width = 2 * widths[k % 4];
        snprintf(text, sizeof text,
                 "{carom: 1, dimension: 2, gravity: [0, -9.81], "
                 "bodies: {ball: {mass: 1, inertia: 0.01, velocity: [20, 20]}}, "
                 "loads: {f: {type: force, on: ball, force: [0, '40*exp(-((x(ball) - 40)/%g)^2)']}}, run: {until: 4}}",
                 width);
        free_run_parse(&run, text, 0, integrators[k / 4]);
        free_run_to(&run, 4);
        const carom_body_state ball = free_run_body(&run, "ball");
        const double gained = 40 * sqrt(pi) * width / 20;
        worst = fmax(worst, fabs(ball.velocity[1] - (20 - 9.81 * 4 + gained)));
        worst = fmax(worst, fabs(ball.position[1] - (20 * 4 - 0.5 * 9.81 * 16 + gained * 2)));
        free_run_close(&run);
    }
    print_message("gust: %.1e off\n", worst);
    assert_true(worst < 1e-5);
}

/* What is too slow to get over comes back as fast as it went. */
static void test_humps(void **state)
{
    (void)state;
    static const char *const models[] = {
        "{carom: 1, dimension: 2, bodies: {r: {mass: 1, inertia: 0.01}}, "
        "joints: {j: {type: revolute, between: [ground, r], rate: 1}}, "
        "loads: {cog: {type: joint-effort, on: j, effort: '-0.02*exp(-((angle(j) - 5)/0.2)^2)'}}, run: {until: 10}}",
        "{carom: 1, dimension: 2, bodies: {r: {mass: 1, inertia: 0.01}, b: {mass: 1, inertia: 1, at: [1, 0]}}, "
        "joints: {j: {type: revolute, between: [ground, r], rate: 1}, "
        "k: {type: translational, between: [ground, b], axis: [1, 0]}, "
        "c: {type: coupler, joints: [j, k], relation: 'q2 - 1 - 0.3*exp(-((q1 - 5)/0.2)^2)'}}, "
        "loads: {s: {type: joint-spring, on: k, stiffness: 10, free: 1}}, run: {until: 10}}"};
    for (size_t k = 0; k < CAROM_COUNT(integrators) * CAROM_COUNT(models); k++) {
        free_run run;
        free_run_parse(&run, models[k % 2], 0, integrators[k / 2]);
        free_run_to(&run, 10);
        const double rate = free_run_body(&run, "r").angular_velocity[2];
        print_message("hump %zu, %-7s rate %.9f\n", k % 2, integrators[k / 2], rate);
        assert_true(fabs(rate + 1) < 1e-5);
        free_run_close(&run);
    }
}

/* A hump of a track that the bead is too slow for. */
static void test_track(void **state)
{
    (void)state;
    static const char track[] =
        "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {b: {mass: 1, inertia: 0.01, velocity: [1, 0]}}, "
        "joints: {j: {type: point-on-curve, between: [ground, b], curve: [u, '0.1*exp(-((u - 5)/0.2)^2)'], "
        "range: [-20, 20]}}, run: {until: 10}}";
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++) {
        free_run run;
        free_run_parse(&run, track, 0, integrators[k]);
        free_run_to(&run, 10);
        const double speed = free_run_body(&run, "b").velocity[0];
        print_message("track, %-7s speed %.9f\n", integrators[k], speed);
        assert_true(fabs(speed + 1) < 1e-5);
        free_run_close(&run);
    }
}

/* Rates of states and works of a body that is driven: nothing of the motion tells them. */
static void test_driven(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++) {
        free_run run;
        free_run_parse(&run,
                       "{carom: 1, dimension: 2, bodies: {a: {mass: 1, inertia: 1}}, "
                       "joints: {j: {type: translational, between: [ground, a], axis: [1, 0], motion: t}}, "
                       "loads: {f: {type: force, on: a, force: ['100*exp(-((x(a) - 5)/0.2)^2)', 0]}}, "
                       "states: {z: {rate: 'exp(-((x(a) - 5)/0.2)^2)'}}, run: {until: 10}}",
                       0, integrators[k]);
        free_run_to(&run, 10);
        const double z = free_run_get(&run, "state.z"), work = free_run_get(&run, "load.f.work");
        print_message("driven, %-7s state %.1e, work %.1e off\n", integrators[k], z - 0.2 * sqrt(pi),
                      work - 20 * sqrt(pi));
        assert_true(fabs(z - 0.2 * sqrt(pi)) < 1e-6 && fabs(work - 20 * sqrt(pi)) < 1e-4);
        free_run_close(&run);
    }
}

/* Forces that are on for a third of each period, by the time and by the place; halves of waves; and what switches too
   quickly is told. */
static void test_switched(void **state)
{
    (void)state;
    static const struct {
        const char *force, *velocity, *channel;
        double gained;
        bool told;
    } cases[] = {{"'if(sin(2*pi*5*t) > 0.5, 1, 0)'", "0", "body.b.velocity.y", 20.0 / 3, false},
                 {"'if(sin(2*pi*30*t) > 0.5, 1, 0)'", "0", "body.b.velocity.y", 20.0 / 3, false},
                 {"'if(sin(2*pi*50*t) > 0.5, 1, 0)'", "0", "body.b.velocity.y", 20.0 / 3, false},
                 {"'if(sin(2*pi*100*t) > 0.5, 1, 0)'", "0", "body.b.velocity.y", 20.0 / 3, false},
                 {"'if(sin(2*pi*400*t) > 0.5, 1, 0)'", "0", "body.b.velocity.y", 20.0 / 3, true},
                 {"'max(0, sin(2*pi*50*t))'", "0", "body.b.velocity.y", 20 / 3.14159265358979323846, false},
                 {"'if(cos(x(b)*2*pi) > 0.5, 1, 0)'", "1", "body.b.velocity.y", 20.0 / 3, false},
                 {"'if(cos(x(b)*pi) > 0.5, 1, 0)'", "1", "body.b.velocity.y", 20.0 / 3, false}};
    for (size_t k = 0; k < CAROM_COUNT(integrators) * CAROM_COUNT(cases); k++) {
        char text[400];
        free_run run;
        const size_t c = k % CAROM_COUNT(cases);
        snprintf(text, sizeof text,
                 "{carom: 1, dimension: 2, bodies: {b: {mass: 1, inertia: 1, velocity: [%s, 0]}}, "
                 "loads: {f: {type: force, on: b, force: [0, %s]}}, run: {until: 20}}",
                 cases[c].velocity, cases[c].force);
        free_run_parse(&run, text, 0, integrators[k / CAROM_COUNT(cases)]);
        assert_true(free_run_is_told(&run, "[W50]") == cases[c].told);
        free_run_to(&run, 20);
        const double off = free_run_get(&run, cases[c].channel) - cases[c].gained;
        if (!cases[c].told && fabs(off) > 1e-6 * cases[c].gained)
            fail_msg("%s by %s: %g off", cases[c].force, integrators[k / CAROM_COUNT(cases)], off);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_coasting), cmocka_unit_test(test_gust),
                                       cmocka_unit_test(test_humps), cmocka_unit_test(test_track),
                                       cmocka_unit_test(test_driven), cmocka_unit_test(test_switched)};
    return cmocka_run_group_tests_name("hidden_forces", tests, NULL, NULL);
}

/* Switches that leave their branch and come back within a step: a mass on a spring, x = sin t, whose steps of a second
   pass the crest. An event at x > sin a stops at the time a, and is seen for 2.4e-5 s in the last case; a ligament that
   is taut for 28 ms, 6e-5 of the amplitude, throws the mass back as it does where the longest step is a millisecond.
   A ligament between two points of one rigid body is at its edge by rounding alone, which is no reason for steps. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"

static const char *const integrators[] = {"auto", "adams", "bdf", "dopri5", "dop853"};

/* The mass begins at x = sin(phase). */
static void open_mass_at(free_run *run, double phase, const char *parts, const char *keys, const char *integrator)
{
    char text[2000];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\ngravity: [0, 0]\nbodies:\n"
             "  b: {mass: 1, inertia: 1, at: [%.17g, 0], velocity: [%.17g, 0]}\n"
             "loads:\n  s: {type: force, on: b, force: [\"-x(b)*N/m\", 0]}\n%s\nrun: {until: 4%s}\n",
             sin(phase), cos(phase), parts, keys);
    free_run_parse(run, text, 1e-10, integrator);
}

static void open_mass(free_run *run, const char *parts, const char *keys, const char *integrator)
{
    open_mass_at(run, 0, parts, keys, integrator);
}

static void test_event(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++)
        for (double before = 0.1; before > 1e-5; before *= 0.165) {
            char parts[200];
            free_run run;
            const double expected = 2 * atan(1) - before;
            snprintf(parts, sizeof parts, "events:\n  top: {when: x(b) > %.17g, do: stop}", sin(expected));
            open_mass(&run, parts, "", integrators[k]);
            free_run_to(&run, 4);
            const double time = carom_simulation_statistics(run.sim).time;
            print_message("%-7s %.9g s before the crest: %.2g s off\n", integrators[k], before, time - expected);
            /* an error of the height moves the time by that over the slope: a fifth of the tolerance is allowed */
            assert_true(fabs(time - expected) < 2e-11 / before);
            free_run_close(&run);
        }
}

/* The crest anywhere in a step: the mass begins at other places of its way. */
static void test_phases(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++) {
        double worst = 0;
        for (int n = 0; n < 60; n++) {
            char parts[200];
            free_run run;
            const double phase = -1.5 + 0.041 * n, before = 1e-3, expected = 2 * atan(1) - before - phase;
            snprintf(parts, sizeof parts, "events:\n  top: {when: x(b) > %.17g, do: stop}", cos(before));
            open_mass_at(&run, phase, parts, "", integrators[k]);
            free_run_to(&run, 4);
            worst = fmax(worst, fabs(carom_simulation_statistics(run.sim).time - expected));
            free_run_close(&run);
        }
        print_message("%-7s at 60 phases: %.2g s off at most\n", integrators[k], worst);
        assert_true(worst < 2e-8);
    }
}

/* The speed a while behind the crest. */
static double speed_after(const char *loads, const char *keys, const char *integrator)
{
    free_run run;
    open_mass(&run, loads, keys, integrator);
    free_run_to(&run, 3);
    const double speed = free_run_body(&run, "b").velocity[0];
    free_run_close(&run);
    return speed;
}

static void test_ligament(void **state)
{
    (void)state;
    const char *const ligament = "  l: {type: ligament, between: [ground, b], stiffness: 2e9, length: 0.9999}";
    const char *const branch = "  l: {type: line-force, between: [ground, b], "
                               "force: \"if(length(l) > 0.9999, 2e9*(length(l) - 0.9999)^2, 0)\"}";
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++) {
        const double taut = speed_after(ligament, "", integrators[k]);
        const double by_branch = speed_after(branch, "", integrators[k]);
        const double fine = speed_after(ligament, ", max_step: 1e-3", integrators[k]);
        print_message("%-7s %.9g m/s, %.2g off, by an expression %.2g\n", integrators[k], taut, taut - fine,
                      by_branch - fine);
        assert_true(fabs(fine - cos(3)) > 1e-3);
        assert_true(fabs(taut - fine) < 1e-7);
        assert_true(fabs(by_branch - fine) < 1e-7);
    }
}

static void test_rounding(void **state)
{
    (void)state;
    free_run run;
    free_run_open(&run, "../tests/data/ligament_within_a_body.yaml", NULL, 0, 0, NULL);
    free_run_to(&run, 0.02);
    const carom_statistics found = carom_simulation_statistics(run.sim);
    print_message("%llu steps, %llu restarts\n", (unsigned long long)found.steps, (unsigned long long)found.restarts);
    assert_true(found.steps < 10000);
    free_run_close(&run);
}

/* A force -20 sign(x) sqrt|x|, which has no value beyond the edge of a branch: from the speed 1 the mass is back with
   it after the period T = (8/3) A B(2/3, 1/2), with (40/3) A^(3/2) = 1/2. */
static void test_no_value_beyond(void **state)
{
    (void)state;
    const double amplitude = pow(0.0375, 2.0 / 3);
    const double period = 8.0 / 3 * amplitude * tgamma(2.0 / 3) * tgamma(0.5) / tgamma(7.0 / 6);
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++) {
        free_run run;
        free_run_parse(&run,
                       "{carom: 1, dimension: 2, bodies: {b: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}}, "
                       "loads: {s: {type: force, on: b, force: [\"-20*sign(x(b))*sqrt(abs(x(b)))\", 0]}},"
                       " run: {until: 4}}",
                       1e-10, integrators[k]);
        free_run_to(&run, 3 * period);
        const carom_body_state b = free_run_body(&run, "b");
        print_message("  %s: x %.2g m, v %.2g m/s off after three periods of %.6f s\n", integrators[k], b.position[0],
                      b.velocity[0] - 1, period);
        assert_true(fabs(b.position[0]) < 1e-7 && fabs(b.velocity[0] - 1) < 1e-7);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_event), cmocka_unit_test(test_phases),
                                       cmocka_unit_test(test_ligament), cmocka_unit_test(test_no_value_beyond),
                                       cmocka_unit_test(test_rounding)};
    return cmocka_run_group_tests_name("short_switches", tests, NULL, NULL);
}

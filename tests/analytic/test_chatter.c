/* Forces that jump where they drive the motion back on either side: the run says so, and ends where it makes no
   progress; switches that change as often by the time, in one direction or at a lower frequency are not told of. */
#include "carom_test.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "support/free_runs.h"

#define MASS(force, until)                                                                                         \
    "{carom: 1, dimension: 2, bodies: {m: {mass: 1, inertia: 0.1, at: [0, 0], velocity: [1, 0]}}, joints: {slide: " \
    "{type: translational, between: [ground, m], axis: [1, 0]}}, loads: {push: {type: force, on: m, force: [\""     \
    force "\", 0]}}, run: {until: " until ", integrator: %s}}"

static const char *const integrators[] = {"auto", "adams", "bdf", "dopri5", "dop853"};

/* Friction written by hand stops the mass at 0.2 s, 0.1 m. What holds it there is on neither side of the jump. */
static void test_rest(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++) {
        char text[1024];
        free_run run;
        snprintf(text, sizeof text, MASS("-5*sign(vx(m))", "1"), integrators[k]);
        free_run_parse(&run, text, 0, NULL);
        const carom_status status = carom_simulation_run(run.sim);
        const carom_body_state m = free_run_body(&run, "m");
        const uint64_t steps = carom_simulation_statistics(run.sim).steps;
        print_message("  %s: %llu steps, x %.3g m and v %.3g m/s off\n", integrators[k], (unsigned long long)steps,
                      m.position[0] - 0.1, m.velocity[0]);
        assert_int_equal(status, CAROM_ERROR_SOLVER);
        assert_true(steps <= 30000 && free_run_is_told(&run, "[W48]"));
        assert_true(fabs(m.position[0] - 0.1) < 1e-7 && fabs(m.velocity[0]) < 1e-7);
        free_run_close(&run);
    }
}

/* On-off control that a damping and a friction bring to rest at its edge: the changes pile up there. */
static void test_pile(void **state)
{
    (void)state;
    char text[1024];
    free_run run;
    snprintf(text, sizeof text, MASS("if(x(m) > 0.3, -20, 5) - 3*sign(vx(m))", "3"), "auto");
    free_run_parse(&run, text, 0, NULL);
    for (double t = 0.01; t < 3 && !free_run_is_told(&run, "[W48]"); t += 0.01)
        if (carom_simulation_advance(run.sim, t) != CAROM_OK)
            break;
    assert_true(free_run_is_told(&run, "[W48]"));
    assert_true(fabs(free_run_body(&run, "m").position[0] - 0.3) < 1e-4);
    free_run_close(&run);
}

static void test_not_told(void **state)
{
    (void)state;
    static const char *const models[] = {
        /* 2500 changes by the time, and 3000 edges in one direction, of a run of 1000 s */
        MASS("if(x(m) > -9, 1, 0)*if(5000*t - floor(5000*t) < 0.5, 1, -1)", "1000"),
        MASS("0.01*floor(12000*x(m))", "1000"),
        /* on-off control with a dead band, and without one where damping keeps the times apart */
        MASS("if(x(m) > 0.301, -20, if(x(m) < 0.299, 5, 0)) - 2*vx(m)", "1"),
        MASS("if(x(m) > 0.3, -20, 20)", "1"),
        /* a thousandth of a short run is a shorter time: an edge is passed every 0.5 us of 10 ms */
        MASS("if(x(m) > 0, -4e6, 4e6)", "0.01"),
    };
    for (size_t k = 0; k < CAROM_COUNT(models); k++) {
        char text[1024];
        free_run run;
        snprintf(text, sizeof text, models[k], "auto");
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, k < 2 ? 0.25 : k < 4 ? 1 : 8e-4);
        print_message("  model %zu: %llu steps\n", k, (unsigned long long)carom_simulation_statistics(run.sim).steps);
        assert_false(free_run_is_told(&run, "[W48]"));
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rest), cmocka_unit_test(test_pile),
                                       cmocka_unit_test(test_not_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Loads that start at the edge of a branch, at rest and without any acceleration, so that the start does not tell to
   which side they go: a mass that is pulled by a force a t or a t^2 against a spring that only pulls, a ligament,
   and an expression with a branch, each without a force at its start. Spring: m x'' = a t - k x, so that
   x = (a/k) (t - sin(w t)/w), w^2 = k/m; where the force goes the other way nothing holds it: x = a t^3/(6 m). */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define MASS 2.0
#define STIFFNESS 300.0
#define RISE 5.0 /* of the force [N/s] */
#define UNTIL 0.7

static double moved(const char *loads, const char *integrator)
{
    char text[2000];
    free_run run;
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\ngravity: [0, 0]\nbodies:\n  b: {mass: %g, inertia: 1, at: [1.25, 0]}\n"
             "loads:\n%s\nrun: {until: %g}\n",
             MASS, loads, UNTIL);
    free_run_parse(&run, text, 1e-9, integrator);
    free_run_to(&run, UNTIL);
    const double x = free_run_body(&run, "b").position[0] - 1.25;
    free_run_close(&run);
    return x;
}

static const char *const integrators[] = {"auto", "adams", "bdf", "dopri5", "dop853"};

static void test_spring(void **state)
{
    (void)state;
    const double w = sqrt(STIFFNESS / MASS), held = RISE / STIFFNESS * (UNTIL - sin(w * UNTIL) / w);
    const double free = RISE * UNTIL * UNTIL * UNTIL / 6 / MASS;
    for (size_t k = 0; k < sizeof integrators / sizeof *integrators; k++)
        for (int pushes = 0; pushes < 2; pushes++)
            for (int way = -1; way < 2; way += 2) {
                char loads[500];
                snprintf(loads, sizeof loads,
                         "  s: {type: spring, between: [ground, b], stiffness: %g, only: %s}\n"
                         "  f: {type: force, on: b, force: [\"%g*N/s*t\", 0]}\n",
                         STIFFNESS, pushes ? "compression" : "tension", way * RISE);
                const double x = moved(loads, integrators[k]), expected = way * (pushes == (way < 0) ? held : free);
                print_message("%-7s %-11s %+d: %.10g, %.2g off\n", integrators[k], pushes ? "compression" : "tension",
                              way, x, x - expected);
                assert_true(fabs(x - expected) < 1e-7 * free);
            }
}

/* The same force with a ligament and with an expression of the same law, which agree; a slack one does nothing. */
static void test_ligament(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof integrators / sizeof *integrators; k++) {
        const double ligament = moved("  l: {type: ligament, between: [ground, b], stiffness: 2e4}\n"
                                      "  f: {type: force, on: b, force: [\"5*N/s*t\", 0]}\n",
                                      integrators[k]);
        const double branch = moved("  l: {type: line-force, between: [ground, b], force: \"if(length(l) - 1.25 > 0, "
                                    "2e4*(length(l) - 1.25)^2, 0)\"}\n"
                                    "  f: {type: force, on: b, force: [\"5*N/s*t\", 0]}\n",
                                    integrators[k]);
        print_message("%-7s ligament %.10g, branch %.10g\n", integrators[k], ligament, branch);
        assert_true(ligament < 0.5 * RISE * UNTIL * UNTIL * UNTIL / 6 / MASS);
        assert_true(fabs(ligament - branch) < 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spring), cmocka_unit_test(test_ligament)};
    return cmocka_run_group_tests_name("edges_at_start", tests, NULL, NULL);
}

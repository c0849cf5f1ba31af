/* What ends a run that makes no progress is named: the load whose force is no number where the steps do not get to,
   also beside a greater one that is; and the load whose force grows without bound. */
#include "carom_test.h"

#include "base/base.h"
#include "support/free_runs.h"

static void check(const char *force, const char *integrator, const char *says, const char *not)
{
    char text[600];
    free_run run;
    snprintf(text, sizeof text,
             "{carom: 1, dimension: 2, bodies: {m: {mass: 1, inertia: 1, velocity: [1, 0]}}, loads: {pull: {type: "
             "force, on: m, force: [\"%s\", 0]}, other: {type: force, on: m, force: [0, 0.7]}}, run: {until: 2}}",
             force);
    free_run_parse(&run, text, 0, integrator);
    assert_int_equal(carom_simulation_run(run.sim), CAROM_ERROR_SOLVER);
    const char *error = carom_context_error(run.ctx);
    print_message("%s, %s: %s\n", integrator, force, error);
    assert_non_null(strstr(error, says));
    assert_null(strstr(error, not));
    free_run_close(&run);
}

static void test_loads(void **state)
{
    (void)state;
    static const char *const integrators[] = {"auto", "adams", "bdf", "dopri5", "dop853"};
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++) {
        check("sqrt(0.5 - x(m))", integrators[k], "the force of load 'pull' is no finite number", "'other'");
        check("1e-3/(0.5 - x(m))^2", integrators[k], "load 'pull' has a force of", "no finite number");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

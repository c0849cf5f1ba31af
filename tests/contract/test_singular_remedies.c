/* What a run names as the remedy beside a singular position helps: a spatial loop of a crank, a coupler on a ball and a
   universal joint, and a rocker, which flattens at t = 0.48193831 s. In joint coordinates the default method gives away
   half of the energy there, or makes no progress, at any tolerance. In absolute coordinates, and by dopri5, the energy
   balances and both agree on the rocker until behind the position. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/free_runs.h"

#define LOOP                                                                                                       \
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"                                                    \
    "  crank: {mass: 1, inertia: [0.01, 0.02, 0.03], at: [0.1, 0, 0]}\n"                                           \
    "  coupler: {mass: 2, inertia: [0.05, 0.06, 0.02], at: [0.3, 0.2, 0.2]}\n"                                     \
    "  rocker: {mass: 1.5, inertia: [0.03, 0.02, 0.03], at: [0.4, 0.4, 0.2]}\n"                                    \
    "joints:\n"                                                                                                    \
    "  a: {type: revolute, between: [ground, {crank: [-0.1, 0, 0]}], axis: [0, 0, 1], rate: 5}\n"                  \
    "  b: {type: spherical, between: [{crank: [0.1, 0, 0]}, {coupler: [-0.1, -0.2, -0.2]}]}\n"                     \
    "  c: {type: universal, between: [{coupler: [0.1, 0.2, 0.2]}, {rocker: [0, 0, 0.2]}], axis: [0, 1, -1], "      \
    "axis2: [1, 0, 0]}\n"                                                                                          \
    "  d: {type: revolute, between: [{ground: [0.4, 0.4, 0]}, {rocker: [0, 0, -0.2]}], axis: [1, 0, 0]}\n"         \
    "loads:\n  s: {type: spring, between: [ground, {rocker: [0, 0, 0.2]}], stiffness: 200, length: 0.4}\n"

#define UNTIL 0.55

/* Runs it; the status, the residual, the text of an inaccurate run or of a failure, the rocker at the end. */
static carom_status run_of(const char *run_keys, double tolerance, double *residual, double *end, char *text,
                           size_t size)
{
    char model[3000];
    free_run run;
    carom_accuracy accuracy;
    snprintf(model, sizeof model, LOOP "run: {until: 3%s}\n", run_keys);
    free_run_parse(&run, model, tolerance, NULL);
    const carom_status status = carom_simulation_advance(run.sim, UNTIL);
    text[0] = '\0';
    *residual = HUGE_VAL;
    if (status == CAROM_OK) {
        assert_ok(run.ctx, carom_simulation_accuracy(run.sim, &accuracy));
        *residual = accuracy.residual;
        *end = free_run_get(&run, "joint.d.coordinate");
        snprintf(text, size, "%s", accuracy.text);
    } else {
        snprintf(text, size, "%s", carom_context_error(run.ctx));
    }
    free_run_close(&run);
    return status;
}

static void test_remedies(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-7, 1e-8, 1e-9, 1e-10};
    char text[2000];
    double residual, end[2];
    int wrong = 0;
    for (int k = 0; k < 4; k++) {
        const carom_status status = run_of("", tolerances[k], &residual, &end[0], text, sizeof text);
        printf("%.0e: residual %.2g; %s\n", tolerances[k], residual, text);
        if (status == CAROM_OK && residual < 0.01)
            continue;
        wrong++;
        assert_non_null(strstr(text, "cartesian"));
        assert_null(strstr(text, "--tolerance"));
        assert_null(strstr(text, "baumgarte"));
    }
    assert_true(wrong > 0);
    for (int k = 0; k < 2; k++) {
        const char *const remedy[] = {", formulation: cartesian", ", integrator: dopri5"};
        assert_int_equal(run_of(remedy[k], 1e-9, &residual, &end[k], text, sizeof text), CAROM_OK);
        printf("%s: residual %.1e, rocker at %.9g\n", remedy[k] + 2, residual, end[k]);
        assert_true(residual < CAROM_GREATEST_RESIDUAL);
    }
    assert_true(fabs(end[0] - end[1]) < 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_remedies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Restarts of the integrator: what they cost, and what is said of one that has no rates. */
#include "carom_test.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "support/free_runs.h"
#include "support/trial.h"

/* The slider-crank and its block; returns the evaluations of the rates, and the block's speed at the end in
   `speed`. */
static double evaluations_of(const char *constraints, double *speed)
{
    carom_context *ctx = trial_context(NULL);
    carom_model *model;
    carom_simulation *sim;
    carom_body_state block;
    if (trial_compile(ctx, &trial_block, "dopri5", constraints, &model) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_OK);
    if (carom_simulation_run(sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    assert_int_equal(carom_simulation_body(sim, (size_t)carom_model_get_info(model).bodies - 1, &block), CAROM_OK);
    const carom_statistics count = carom_simulation_statistics(sim);
    *speed = block.velocity[0];
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
    return (double)count.rhs_evaluations;
}

/* Projection between the steps of a one-step method costs an evaluation of the end, not the length of the steps: with
   a first step of the method's own after each, the run took 5667 steps and eight times the evaluations. */
static void test_projection_keeps_the_step(void **state)
{
    (void)state;
    double held, projected;
    const double free_steps = evaluations_of("baumgarte", &held), with = evaluations_of("projection", &projected);
    print_message("evaluations: %.0f with baumgarte, %.0f with projection; speeds differ by %.2g m/s\n", free_steps,
                  with, fabs(held - projected));
    assert_true(with < 1.25 * free_steps);
    assert_true(fabs(held - projected) < 1e-7 * fabs(held));
}

/* A force has no value near x = 1.00025 m, where a step from 1 to 1.0005 s has its middle and one to 1.0003 s has not,
   and none behind 1.0005 s, where the run begins anew: what is said there is of the force, not of the step that failed
   before. */
static void test_says_why(void **state)
{
    (void)state;
    static const struct {
        double to, at;
        carom_status status;
        const char *says;
    } ways[] = {{1, 1, CAROM_OK, ""},
                {1.0005, 1, CAROM_ERROR_SOLVER, "the right-hand side could not be evaluated near t = 1 s"},
                {1.0003, 1.0003, CAROM_OK, ""},
                {1.6, 1.0005, CAROM_ERROR_SOLVER, "t = 1.0005 s: the accelerations cannot be solved: the force of load "
                                                  "'f' is no finite number"}};
    free_run run;
    free_run_parse(&run,
                   "carom: 1\ndimension: 2\nbodies: {b: {mass: 1, inertia: 1, velocity: [1, 0]}}\nloads:\n"
                   "  f: {type: force, on: b,\n"
                   "      force: [\"0*if(t < 1.0005, sqrt((x(b) - 1.00025)^2 - 1e-10), sqrt(-x(b)))*N\", 0]}\n"
                   "run: {until: 2, integrator: rk4, step: 0.01}\n",
                   0, NULL);
    for (size_t k = 0; k < CAROM_COUNT(ways); k++) {
        assert_int_equal(carom_simulation_advance(run.sim, ways[k].to), ways[k].status);
        assert_true(fabs(carom_simulation_time(run.sim) - ways[k].at) < 1e-12);
        assert_true(ways[k].status == CAROM_OK || strstr(carom_context_error(run.ctx), ways[k].says));
    }
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_projection_keeps_the_step),
                                       cmocka_unit_test(test_says_why)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

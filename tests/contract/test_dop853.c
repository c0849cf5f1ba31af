/* The method of order 8 by itself: order of its steps and of its dense output, steps in roots of the time, roots, steps
   that fail. */
#include "carom_test.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "integrate/integrator.h"
#include "support/free_runs.h"

/* ---- the system ---- */

/* y'' = -y with sin(t), cos(t), and the integral of y, which no rate depends on; from `fails` on there are no rates.
   `onset`: y' = t^1.5 in its place, not smooth at 0. */
typedef struct oscillator {
    double fails;
    int result, evaluations;
    bool onset;
    double level[2];            /* y[0] at which its root functions pass 0 */
} oscillator;

static int rhs(void *user, double t, const double *y, double *rate)
{
    oscillator *o = user;
    o->evaluations++;
    rate[0] = o->onset ? pow(fmax(t, 0), 1.5) : y[1];
    rate[1] = o->onset ? y[0] * pow(fmax(t, 0), 0.5) : -y[0];
    rate[2] = y[0];
    return t > o->fails ? o->result : 0;
}

static int roots(void *user, double t, const double *y, double *values)
{
    const oscillator *o = user;
    (void)t;
    values[0] = y[0] - o->level[0];
    values[1] = y[0] - o->level[1];
    return 0;
}

static carom_integrator *open_method(carom_context *ctx, oscillator *o, double relative, double first)
{
    const carom_ode ode = {.user = o, .size = 3, .position_count = 1, .velocity_count = 1, .coupled_count = 2,
                           .root_count = 2, .rhs = rhs, .roots = roots};
    const carom_integrator_kind *kind = &carom_integrator_dop853;
    const double y[3] = {0, o->onset ? 0 : 1, 0}, tolerance[3] = {relative, relative, relative};
    const int direction[2] = {0, 0};
    carom_integrator *method;
    assert_int_equal(kind->create(ctx, kind, &ode, &method), CAROM_OK);
    assert_true(kind->restart(method, 0, y, 0, tolerance, direction, first, 0));
    return method;
}

static carom_context *open_context(void)
{
    carom_context *ctx;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    return ctx;
}

/* ---- order ---- */

/* Error at the end of one step of length h, and the largest inside it, with all errors allowed. */
static void one_step(double h, double *end, double *inside)
{
    carom_context *ctx = open_context();
    oscillator o = {.fails = HUGE_VAL, .level = {9, 9}};
    carom_integrator *method = open_method(ctx, &o, 1e9, h);
    double y[3];
    assert_int_equal(method->kind->step(method, h), CAROM_STEP_STOP);
    *end = fmax(fabs(method->y[0] - sin(h)), fabs(method->y[2] - (1 - cos(h))));
    *inside = 0;
    for (int k = 1; k < 20; k++) {
        const double t = 0.05 * k * h;
        assert_true(method->kind->interpolate(method, t, 3, y));
        *inside = fmax(*inside, fmax(fabs(y[0] - sin(t)), fabs(y[2] - (1 - cos(t)))));
    }
    method->kind->destroy(method);
    carom_context_free(ctx);
}

/* The error of one step goes with h^9, that of the dense output with h^8. */
static void test_order(void **state)
{
    (void)state;
    double end[2], inside[2];
    one_step(1.0, &end[0], &inside[0]);
    one_step(0.5, &end[1], &inside[1]);
    const double order = log2(end[0] / end[1]), dense = log2(inside[0] / inside[1]);
    print_message("one step of 1 and 0.5: errors %.2e and %.2e, order %.2f; inside %.2e and %.2e, order %.2f\n", end[0],
                  end[1], order - 1, inside[0], inside[1], dense - 1);
    assert_true(order > 8.5 && order < 10.5);
    assert_true(dense > 7.5 && dense < 9.5);
}

/* ---- roots of the time ---- */

static double onset_error(int root, int *evaluations)
{
    carom_context *ctx = open_context();
    oscillator o = {.fails = HUGE_VAL, .onset = true, .level = {9, 9}};
    const carom_ode ode = {.user = &o, .size = 3, .position_count = 1, .velocity_count = 1, .coupled_count = 2,
                           .root_count = 2, .rhs = rhs, .roots = roots};
    const carom_integrator_kind *kind = &carom_integrator_dop853;
    const double y[3] = {0, 0, 0}, tolerance[3] = {1e-12, 1e-12, 1e-12};
    const int direction[2] = {0, 0};
    carom_integrator *method;
    assert_int_equal(kind->create(ctx, kind, &ode, &method), CAROM_OK);
    method->opening = root;
    method->scale = 0.5;
    assert_true(kind->restart(method, 0, y, 0, tolerance, direction, 0.05, 0));
    for (int n = 0; n < 10000 && method->t < 1; n++)
        assert_true(kind->step(method, 1) != CAROM_STEP_FAILED);
    /* y0 = t^2.5/2.5, y1 = t^4/10 */
    const double error = fmax(fabs(method->y[0] - 1 / 2.5), fabs(method->y[1] - 0.1));
    *evaluations = o.evaluations;
    kind->destroy(method);
    carom_context_free(ctx);
    return error;
}

/* In the root of the time in which rates are smooth the same error takes a fraction of the evaluations. */
static void test_onset(void **state)
{
    (void)state;
    int plain, mapped;
    const double error = onset_error(0, &plain), with = onset_error(2, &mapped);
    print_message("t^1.5 up to 1: error %.2e in %d evaluations, in sqrt(t) %.2e in %d\n", error, plain, with, mapped);
    assert_true(with < 1e-10 && error < 1e-8);
    assert_true(1.5 * mapped < plain);
}

/* A step to a stop in a root of the time until then. */
static void test_closing(void **state)
{
    (void)state;
    carom_context *ctx = open_context();
    oscillator o = {.fails = HUGE_VAL, .level = {9, 9}};
    carom_integrator *method = open_method(ctx, &o, 1e-11, 0.2);
    double y[3];
    for (int root = 2; root <= 4; root++) {
        const double stop = method->t + 0.4;
        method->closing = root;
        method->closes = stop;
        method->scale = 0.3;
        while (method->t < stop)
            assert_true(method->kind->step(method, stop) != CAROM_STEP_FAILED);
        assert_true(method->t == stop);
        assert_true(fabs(method->y[0] - sin(stop)) < 1e-9);
        const double t = 0.5 * (method->t_before + method->t);
        assert_true(method->kind->interpolate(method, t, 3, y));
        assert_true(fabs(y[0] - sin(t)) < 1e-8);
    }
    method->kind->destroy(method);
    carom_context_free(ctx);
}

/* ---- roots ---- */

static void test_roots(void **state)
{
    (void)state;
    carom_context *ctx = open_context();
    oscillator o = {.fails = HUGE_VAL, .level = {0.5, 0.6}};
    carom_integrator *method = open_method(ctx, &o, 1e-13, 0.1);
    const double expected[4] = {asin(0.5), asin(0.6), acos(-1) - asin(0.6), acos(-1) - asin(0.5)};
    for (int n = 0; n < 4;) {
        const carom_step_result result = method->kind->step(method, 3);
        assert_true(result != CAROM_STEP_FAILED && method->t < 3);
        if (result != CAROM_STEP_ROOT)
            continue;
        assert_true(fabs(method->t - expected[n]) < 1e-11);
        assert_true(fabs(method->y[0] - sin(method->t)) < 1e-11);
        assert_int_equal(method->root_found[0], n == 0 || n == 3);
        assert_int_equal(method->root_found[1], n == 1 || n == 2);
        n++;
    }
    method->kind->destroy(method);
    carom_context_free(ctx);
}

/* A root that the motion begins at, leaves and comes back to in the first step, at pi, and another one that is crossed
   later in the same step. The step is as long as no error allows, so that times are those of its dense output. */
static void test_comes_back(void **state)
{
    (void)state;
    carom_context *ctx = open_context();
    oscillator o = {.fails = HUGE_VAL, .level = {0, -0.3}};
    carom_integrator *method = open_method(ctx, &o, 1e9, 3.6);
    assert_true(method->kind->step(method, 9) == CAROM_STEP_ROOT);
    assert_true(fabs(method->t - acos(-1)) < 0.05);
    assert_true(method->root_found[0] && !method->root_found[1]);
    method->kind->destroy(method);
    carom_context_free(ctx);
}

/* The same of contacts: a pin that has just left its bush and touches it again before the next onset of another pin.
   Passed over, it is found there, so deep that the ledger is off by 1e-3 of its peak. */
static void test_touches_again(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-7, 5e-8, 2e-8, 1.3e-8};
    for (size_t k = 0; k < CAROM_COUNT(tolerances); k++) {
        free_run run;
        free_run_open(&run, "four_bar_clearance.yaml", NULL, 0, tolerances[k], "dop853");
        free_run_to(&run, 0.018);
        const double residual = carom_simulation_ledger(run.sim).residual_fraction;
        print_message("tolerance %.1e: residual %.1e of the peak\n", tolerances[k], residual);
        assert_true(fabs(residual) < 0.2 * tolerances[k]);
        free_run_close(&run);
    }
}

/* A stop behind the end of that root of the time, as where the release lies within rounding of the present time: the
   state moves on with the time. */
static void test_stops_behind_closing(void **state)
{
    (void)state;
    carom_context *ctx = open_context();
    oscillator o = {.fails = HUGE_VAL, .level = {9, 9}};
    carom_integrator *method = open_method(ctx, &o, 1e-10, 0.1);
    method->closing = 2;
    method->scale = 0.5;
    for (int n = 1; n <= 3; n++) {
        method->closes = method->t;
        assert_true(method->kind->step(method, 0.01 * n) == CAROM_STEP_STOP);
        assert_true(method->t == 0.01 * n && fabs(method->y[0] - sin(method->t)) < 1e-12);
    }
    method->kind->destroy(method);
    carom_context_free(ctx);
}

/* ---- failures ---- */

/* A step that cannot be made leaves time and state, and the next one goes on from there. */
static void test_failure(void **state)
{
    (void)state;
    for (int result = -1; result <= 1; result += 2) {
        carom_context *ctx = open_context();
        oscillator o = {.fails = HUGE_VAL, .result = result, .level = {9, 9}};
        carom_integrator *method = open_method(ctx, &o, 1e-10, 0.1);
        assert_true(method->kind->step(method, 2) == CAROM_STEP_DONE);
        const double t = method->t;
        double y[3];
        memcpy(y, method->y, sizeof y);
        o.fails = t;
        assert_true(method->kind->step(method, 2) == CAROM_STEP_FAILED);
        assert_true(method->message[0] != 0 && method->t == t);
        assert_memory_equal(y, method->y, sizeof y);
        o.fails = HUGE_VAL;
        while (method->t < 2)
            assert_true(method->kind->step(method, 2) != CAROM_STEP_FAILED);
        assert_true(fabs(method->y[0] - sin(2)) < 1e-8);
        method->kind->destroy(method);
        carom_context_free(ctx);
    }
}

/* Rates that end within a step: it is shortened until it can be made. */
static void test_recovery(void **state)
{
    (void)state;
    carom_context *ctx = open_context();
    oscillator o = {.fails = 0.3, .result = 1, .level = {9, 9}};
    carom_integrator *method = open_method(ctx, &o, 1e-6, 1);
    assert_true(method->kind->step(method, 2) == CAROM_STEP_DONE);
    assert_true(method->t > 0 && method->t <= 0.3);
    assert_true(fabs(method->y[0] - sin(method->t)) < 1e-7);
    method->kind->destroy(method);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order),   cmocka_unit_test(test_onset),
                                       cmocka_unit_test(test_closing), cmocka_unit_test(test_roots),
                                       cmocka_unit_test(test_comes_back), cmocka_unit_test(test_touches_again),
                                       cmocka_unit_test(test_stops_behind_closing),
                                       cmocka_unit_test(test_failure), cmocka_unit_test(test_recovery)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Integrators that a program registers: the same bits as a built-in one with the same formula, their order, rows
   between steps, and a failed step that leaves the state. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <carom/carom.h>

#include "support/trial.h"

/* rk4 as the built-in one has it, operation by operation. */
static int kutta(void *user, const carom_rates *rates, double t, double h, size_t n, double *y, const double *f,
                 double *work)
{
    double *k2 = work, *k3 = work + n, *k4 = work + 2 * n, *stage = work + 3 * n;
    (void)user;
    for (size_t i = 0; i < n; i++)
        stage[i] = y[i] + 0.5 * h * f[i];
    if (rates->at(rates->system, t + 0.5 * h, stage, k2))
        return 1;
    for (size_t i = 0; i < n; i++)
        stage[i] = y[i] + 0.5 * h * k2[i];
    if (rates->at(rates->system, t + 0.5 * h, stage, k3))
        return 1;
    for (size_t i = 0; i < n; i++)
        stage[i] = y[i] + h * k3[i];
    if (rates->at(rates->system, t + h, stage, k4))
        return 1;
    for (size_t i = 0; i < n; i++)
        y[i] = y[i] + h / 6 * (f[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    return 0;
}

/* Heun's method, of order 2; fails from the time `user` on, after it has spoilt y. */
static int heun(void *user, const carom_rates *rates, double t, double h, size_t n, double *y, const double *f,
                double *work)
{
    const double *fails_at = user;
    double *last = work, *stage = work + n;
    for (size_t i = 0; i < n; i++)
        stage[i] = y[i] + h * f[i];
    if (rates->at(rates->system, t + h, stage, last))
        return 1;
    for (size_t i = 0; i < n; i++)
        y[i] += 0.5 * h * (f[i] + last[i]);
    for (size_t i = 0; i < n && t + h > *fails_at; i++)
        y[i] = (double)NAN;
    return t + h > *fails_at;
}

static double fails_at = HUGE_VAL;

static carom_context *open_kinds(void)
{
    carom_context *ctx = trial_context(NULL);
    carom_integrator_kind_def own = carom_default_integrator_kind_def();
    own.kind.name = "kutta";
    own.kind.title = "Runge-Kutta method of order 4.";
    own.order = 4;
    own.vectors = 4;
    own.step = kutta;
    assert_int_equal(carom_register_integrator(ctx, &own), CAROM_OK);
    own.kind.name = "heun";
    own.kind.title = "Heun's method.";
    own.kind.user = &fails_at;
    own.order = 2;
    own.vectors = 2;
    own.step = heun;
    assert_int_equal(carom_register_integrator(ctx, &own), CAROM_OK);
    return ctx;
}

/* ---- bits ---- */

static void same_bits(const trial *of)
{
    carom_context *ctx = open_kinds();
    carom_model *model;
    carom_simulation *own, *built_in, *clone;
    carom_simulation_def def = carom_default_simulation_def();
    assert_int_equal(trial_compile(ctx, of, "rk4", NULL, &model), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &built_in), CAROM_OK);
    def.integrator = "kutta";
    assert_int_equal(carom_simulation_create(ctx, model, &def, &own), CAROM_OK);
    assert_int_equal(carom_simulation_advance(own, 0.3 * of->until), CAROM_OK);
    assert_int_equal(carom_simulation_advance(built_in, 0.3 * of->until), CAROM_OK);
    assert_true(trial_same(own, built_in, carom_model_get_info(model).bodies));
    assert_int_equal(carom_simulation_clone(own, NULL, &clone), CAROM_OK);
    assert_string_equal(carom_simulation_integrator(clone), "kutta");
    assert_int_equal(carom_simulation_run(clone), CAROM_OK);
    assert_int_equal(carom_simulation_run(own), CAROM_OK);
    assert_true(trial_same(own, clone, carom_model_get_info(model).bodies));
    carom_simulation_free(clone);
    carom_simulation_free(own);
    carom_simulation_free(built_in);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void test_bits(void **state)
{
    (void)state;
    same_bits(&trial_balls);
    same_bits(&trial_loads);
}

/* ---- order and rows between steps ---- */

#define SPRING                                                                                     \
    "carom: 1\ndimension: 2\ngravity: [0, 0]\nbodies: {mass: {mass: 1, inertia: 1, at: [1, 0]}}\n" \
    "loads: {pull: {type: force, on: mass, force: [-x(mass), 0]}}\nrun: {until: 3, integrator: %s, step: %.17g}\n"

static double position(carom_simulation *sim)
{
    carom_body_state mass;
    assert_int_equal(carom_simulation_body(sim, 0, &mass), CAROM_OK);
    return mass.position[0];
}

/* Largest error of cos(t) at times within steps. */
static double error_of(carom_context *ctx, const char *integrator, double step)
{
    char text[600];
    carom_model *model;
    carom_simulation *sim;
    double worst = 0;
    snprintf(text, sizeof text, SPRING, integrator, step);
    if (carom_model_parse(ctx, "spring.yaml", text, strlen(text), NULL, 0, &model) != CAROM_OK ||
        carom_simulation_create(ctx, model, NULL, &sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    for (int k = 1; k <= 50; k++) {
        assert_int_equal(carom_simulation_advance(sim, 0.0593 * k), CAROM_OK);
        worst = fmax(worst, fabs(position(sim) - cos(0.0593 * k)));
    }
    carom_simulation_free(sim);
    carom_model_free(model);
    return worst;
}

static void test_order(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double order;
    } methods[] = {{"heun", 2}, {"kutta", 4}};
    carom_context *ctx = open_kinds();
    for (int k = 0; k < 2; k++) {
        const double coarse = error_of(ctx, methods[k].name, 0.02), fine = error_of(ctx, methods[k].name, 0.01);
        const double order = log2(coarse / fine);
        printf("%s: order %.2f, error %.2g\n", methods[k].name, order, fine);
        assert_true(fabs(order - methods[k].order) < 0.25 && fine < (k ? 1e-9 : 1e-4));
    }
    carom_context_free(ctx);
}

/* ---- failed steps, refusals ---- */

static void test_failure(void **state)
{
    (void)state;
    char text[600];
    carom_context *ctx = open_kinds();
    carom_model *model;
    carom_simulation *sim;
    carom_state *before, *after;
    size_t count;
    snprintf(text, sizeof text, SPRING, "heun", 0.01);
    assert_int_equal(carom_model_parse(ctx, "spring.yaml", text, strlen(text), NULL, 0, &model), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_OK);
    assert_int_equal(carom_state_create(ctx, model, &before), CAROM_OK);
    assert_int_equal(carom_state_create(ctx, model, &after), CAROM_OK);
    assert_int_equal(carom_simulation_advance(sim, 1), CAROM_OK);
    assert_int_equal(carom_simulation_get_state(sim, before), CAROM_OK);
    fails_at = 1.005;
    assert_int_equal(carom_simulation_advance(sim, 2), CAROM_ERROR_SOLVER);
    assert_int_equal(carom_simulation_get_state(sim, after), CAROM_OK);
    const double *a = carom_state_positions(before, &count), *b = carom_state_positions(after, NULL);
    assert_memory_equal(a, b, count * sizeof *a);
    assert_memory_equal(carom_state_velocities(before, NULL), carom_state_velocities(after, NULL), count * sizeof *a);
    assert_true(carom_simulation_time(sim) == 1);
    fails_at = HUGE_VAL;
    assert_int_equal(carom_simulation_advance(sim, 2), CAROM_OK);
    assert_true(fabs(position(sim) - cos(2)) < 1e-4);
    carom_state_free(before);
    carom_state_free(after);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_integrator_kind_def def = carom_default_integrator_kind_def();
    def.kind.name = "none";
    def.kind.title = "A method without a step.";
    assert_int_equal(carom_register_integrator(ctx, &def), CAROM_ERROR_USAGE);
    assert_non_null(strstr(carom_context_error(ctx), "`step`"));
    def.step = heun;
    def.vectors = CAROM_STEP_VECTORS + 1;
    assert_int_equal(carom_register_integrator(ctx, &def), CAROM_ERROR_USAGE);
    def.vectors = 2;
    def.order = 0;
    assert_int_equal(carom_register_integrator(ctx, &def), CAROM_ERROR_USAGE);
    assert_int_equal(carom_register_integrator(ctx, NULL), CAROM_ERROR_USAGE);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits), cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

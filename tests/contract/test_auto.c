/* The integrator auto: numbers of steps against those of its methods, the method that it ends with, what it tells. */
#include "carom_test.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "integrate/integrator.h"
#include "support/free_runs.h"

/* A ball at rest on a floor from the start on. */
static const char rest[] = "carom: 1\n"
                           "dimension: 2\n"
                           "gravity: [0, -9.81]\n"
                           "bodies: {ball: {mass: 1, inertia: 0.004, at: [0, 0.1 - 9.81e-6]}}\n"
                           "shapes:\n"
                           "  ball: {type: sphere, on: ball, radius: 0.1}\n"
                           "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
                           "contacts:\n"
                           "  touch:\n"
                           "    between: [floor, ball]\n"
                           "    normal: {law: kelvin-voigt, stiffness: 1e6, damping: 200}\n"
                           "run: {until: 120}\n";

static carom_statistics finish(free_run *run)
{
    const carom_status status = carom_simulation_run(run->sim);
    if (status != CAROM_OK)
        fail_msg("%s", carom_context_error(run->ctx));
    return carom_simulation_statistics(run->sim);
}

static uint64_t steps_of_model(const char *model, double until, const char *integrator)
{
    free_run run;
    free_run_open(&run, model, NULL, 0, 0, integrator);
    free_run_to(&run, until);
    const uint64_t steps = carom_simulation_statistics(run.sim).steps;
    free_run_close(&run);
    return steps;
}

/* adams takes 39,300 steps, bdf 6,459 and dop853 3,235 of 17 evaluations. */
static void test_takes_the_stiff_method_at_rest(void **state)
{
    (void)state;
    free_run run;
    carom_method_use uses[3];
    uint64_t changes;
    free_run_open(&run, "box_on_table.yaml", NULL, 0, 0, "auto");
    const carom_statistics count = finish(&run);
    assert_true(count.steps < 3000);
    assert_int_equal(carom_simulation_methods(run.sim, uses, 3, &changes), 3);
    assert_string_equal(uses[0].method, "adams");
    assert_string_equal(uses[1].method, "bdf");
    assert_string_equal(uses[2].method, "dop853");
    assert_true(fabs(uses[0].time + uses[1].time + uses[2].time - 3) < 1e-9);
    assert_int_equal(uses[0].steps + uses[1].steps + uses[2].steps, count.steps);
    assert_true(changes > 0 && uses[1].time > 2);
    free_run_close(&run);
}

/* adams takes 1.22 million steps. */
static void test_rests_long(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, rest, 0, "auto");
    assert_true(finish(&run).steps < 6000);
    free_run_close(&run);
}

/* Adams limited by its corrector, at z far below its limit of stability, took 58,586 steps for the bearing; BDF at the
   limit of stability of order 4 16,070 for the chain. */
static void test_sees_other_limits(void **state)
{
    (void)state;
    static const char *const models[] = {"ball_bearing.yaml", "../bench/stiff/chain.yaml"};
    static const uint64_t most[] = {6000, 2000};
    for (size_t k = 0; k < CAROM_COUNT(models); k++) {
        free_run run;
        free_run_open(&run, models[k], NULL, 0, 1e-4, "auto");
        const carom_statistics count = finish(&run);
        print_message("%s: %llu steps\n", models[k], (unsigned long long)count.steps);
        assert_true(count.steps < most[k]);
        free_run_close(&run);
    }
}

/* Short hard impacts are not stiff: Dop853 takes them, with a fifth of the steps of adams, and BDF is not tried; where
   the surfaces stay together for long they take turns. */
static void test_takes_dop853_through_impacts(void **state)
{
    (void)state;
    free_run run;
    carom_method_use uses[3];
    uint64_t changes;
    free_run_open(&run, "bouncing_ball.yaml", NULL, 0, 0, "auto");
    const uint64_t steps = finish(&run).steps;
    assert_int_equal(carom_simulation_methods(run.sim, uses, 3, &changes), 3);
    assert_true(uses[1].steps == 0 && uses[1].time == 0 && uses[2].steps > uses[0].steps);
    assert_true(4 * steps < steps_of_model("bouncing_ball.yaml", carom_simulation_time(run.sim), "adams"));
    free_run_close(&run);
    assert_true(2 * steps_of_model("gear_backlash.yaml", 0.03, "auto") <
                steps_of_model("gear_backlash.yaml", 0.03, "adams"));
}

/* At tolerances at which its steps would be as long as the impacts allow adams keeps them, and without contacts. */
static void test_keeps_adams_elsewhere(void **state)
{
    (void)state;
    static const char *const models[] = {"bouncing_ball.yaml", "pendulum.yaml"};
    static const double tolerances[] = {1e-5, 0};
    for (size_t k = 0; k < CAROM_COUNT(models); k++) {
        free_run run;
        carom_method_use uses[3];
        free_run_open(&run, models[k], NULL, 0, tolerances[k], "auto");
        finish(&run);
        carom_simulation_methods(run.sim, uses, 3, NULL);
        assert_true(uses[0].steps > 0 && uses[2].steps == 0);
        free_run_close(&run);
    }
}

/* A clone and the run that goes on from a checkpoint in the stiff phase give the same bits: the method is state. */
static void test_goes_on_with_its_method(void **state)
{
    (void)state;
    free_run run;
    carom_simulation *clone;
    free_run_open(&run, "box_on_table.yaml", NULL, 0, 0, "auto");
    free_run_to(&run, 1);
    unsigned char *bytes;
    size_t size;
    assert_int_equal(carom_simulation_checkpoint(run.sim, &bytes, &size), CAROM_OK);
    assert_int_equal(carom_simulation_clone(run.sim, NULL, &clone), CAROM_OK);
    assert_int_equal(carom_simulation_resume(clone, bytes, size), CAROM_OK);
    free_run_to(&run, 2);
    assert_int_equal(carom_simulation_advance(clone, 2), CAROM_OK);
    carom_method_use here[3], there[3];
    uint64_t changes, others;
    carom_simulation_methods(run.sim, here, 3, &changes);
    carom_simulation_methods(clone, there, 3, &others);
    assert_int_equal(changes, others);
    for (int k = 0; k < 3; k++)
        assert_true(here[k].time == there[k].time && here[k].steps == there[k].steps);
    carom_body_state a, b;
    assert_int_equal(carom_simulation_body(run.sim, 0, &a), CAROM_OK);
    assert_int_equal(carom_simulation_body(clone, 0, &b), CAROM_OK);
    assert_memory_equal(&a, &b, sizeof a);
    /* at rest, bdf took few steps for the second */
    assert_true(carom_simulation_statistics(clone).steps == carom_simulation_statistics(run.sim).steps);
    carom_bytes_free(run.ctx, bytes, size);
    carom_simulation_free(clone);
    free_run_close(&run);
}

/* ---- results ---- */

/* Discs that fall into a box and come to rest in each other's way. */
static const char discs[] =
    "carom: 1\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "parameters: {r: 5*mm, across: 8, half: 0.5*across*2.4*r}\n"
    "materials: {soft: {E: 5e6, nu: 0.25}}\n"
    "bodies:\n"
    "  disc:\n"
    "    copies: 16\n"
    "    mass: 2500*pi*(r*(1 - 0.3*mod(copy, 2)))^2*10*mm\n"
    "    inertia: 1250*pi*(r*(1 - 0.3*mod(copy, 2)))^4*10*mm\n"
    "    at: ['(mod(copy - 1, across) + 0.5)*2.4*r - half + 0.3*r*(random(copy) - 0.5)',"
    " 'r*1.05 + floor((copy - 1)/across)*2.4*r']\n"
    "    velocity: [0, -0.5]\n"
    "shapes:\n"
    "  disc: {type: sphere, on: disc, radius: 'r*(1 - 0.3*mod(copy, 2))', material: soft}\n"
    "  floor: {type: plane, on: ground, normal: [0, 1], material: soft}\n"
    "  west: {type: plane, on: ground, at: [-half, 0], normal: [1, 0], material: soft}\n"
    "  east: {type: plane, on: ground, at: [half, 0], normal: [-1, 0], material: soft}\n"
    "contacts:\n"
    "  pour:\n"
    "    all: [disc, floor, west, east]\n"
    "    normal: {law: tsuji, restitution: 0.7}\n"
    "    friction: {law: mindlin, kinetic: 0.5}\n"
    "run: {until: 0.05, output: {every: 2*ms, contacts: every-step}}\n";

static carom_status count_rows(void *user, int group, size_t rows, const double *time, const double *data)
{
    (void)group, (void)time, (void)data;
    *(size_t *)user += rows;
    return CAROM_OK;
}

/* Rows of results do not change the motion, bit for bit: the dense output that they are made of was a cost of Dop853,
   by which the next method is chosen. */
static void test_results_leave_the_motion(void **state)
{
    (void)state;
    static const char *const models[] = {NULL, "box_on_table.yaml", "gear_backlash.yaml"};
    static const double until[] = {0.05, 2, 0.03};
    for (size_t k = 0; k < CAROM_COUNT(models); k++) {
        free_run run;
        size_t rows = 0;
        if (models[k])
            free_run_open(&run, models[k], NULL, 0, 0, "auto");
        else
            free_run_parse(&run, discs, 0, "auto");
        carom_sink sink = carom_default_sink();
        sink.user = &rows;
        sink.rows = count_rows;
        carom_simulation_def def = carom_default_simulation_def();
        def.integrator = "auto";
        def.sink = &sink;
        carom_simulation *recorded;
        assert_int_equal(carom_simulation_create(run.ctx, run.model, &def, &recorded), CAROM_OK);
        assert_int_equal(carom_simulation_advance(recorded, until[k]), CAROM_OK);
        free_run_to(&run, until[k]);
        const uint64_t steps = carom_simulation_statistics(run.sim).steps;
        print_message("%s: %llu steps, %zu rows\n", models[k] ? models[k] : "discs", (unsigned long long)steps, rows);
        assert_true(rows > 100 && steps > 100);
        assert_true(carom_simulation_statistics(recorded).steps == steps);
        for (size_t body = 0; body < carom_model_get_info(run.model).bodies; body++) {
            carom_body_state a, b;
            assert_int_equal(carom_simulation_body(run.sim, body, &a), CAROM_OK);
            assert_int_equal(carom_simulation_body(recorded, body, &b), CAROM_OK);
            assert_memory_equal(&a, &b, sizeof a);
        }
        carom_simulation_free(recorded);
        free_run_close(&run);
    }
}

/* One method: it stands in the place of the two. */
static void test_of_one_method(void **state)
{
    (void)state;
    free_run run;
    carom_method_use use;
    uint64_t changes;
    free_run_open(&run, "pendulum.yaml", NULL, 0, 0, "dopri5");
    free_run_to(&run, 0.5);
    assert_int_equal(carom_simulation_methods(run.sim, &use, 1, &changes), 1);
    assert_string_equal(use.method, "dopri5");
    assert_true(changes == 0 && fabs(use.time - 0.5) < 1e-12);
    assert_int_equal(use.steps, carom_simulation_statistics(run.sim).steps);
    free_run_close(&run);
}

/* `constraints: projection` judges the integrator that is used, not the one of the file. */
static void test_projects(void **state)
{
    (void)state;
    static const char swinging[] = "carom: 1\n"
                                   "dimension: 2\n"
                                   "gravity: [0, -9.81]\n"
                                   "bodies: {bob: {mass: 1, inertia: 0.1, at: [1, 0]}}\n"
                                   "joints: {pin: {type: revolute, between: [ground, {bob: [-1, 0]}]}}\n"
                                   "run: {until: 1, integrator: adams, constraints: projection}\n";
    static const char *const fit[] = {"auto", "bdf", "dopri5"};
    for (size_t k = 0; k < CAROM_COUNT(fit); k++) {
        free_run run;
        free_run_parse(&run, swinging, 0, fit[k]);
        finish(&run);
        free_run_close(&run);
    }
    assert_non_null(strstr(free_error_of_text(swinging), "adams cannot project"));
}

/* ---- what is known at the end of a step ---- */

/* A uniform motion, whose predictor has nothing to correct: the last evaluation is that of the step's end. */
typedef struct uniform {
    double t, y[2];             /* of the last evaluation */
} uniform;

static int uniform_rates(void *user, double t, const double *y, double *rate)
{
    uniform *last = user;
    *last = (uniform){t, {y[0], y[1]}};
    rate[0] = y[1];
    rate[1] = 0;
    return 0;
}

/* What is said to be known at the end of a step is what was evaluated last, though stiffness has been looked for there
   since, and the step interpolated. */
static void test_knows_the_end(void **state)
{
    (void)state;
    const double y[2] = {0, 1}, tolerance[2] = {1e-9, 1e-9};
    double memory[CAROM_METHOD_MEMORY] = {0}, inside[2];
    memory[sizeof(carom_method_memory) / sizeof *memory] = 1; /* BDF, of which each window is judged */
    uniform last;
    const carom_ode ode = {.user = &last, .size = 2, .position_count = 1, .velocity_count = 1, .coupled_count = 2,
                           .rhs = uniform_rates, .memory = memory};
    carom_context *ctx;
    carom_integrator *method;
    int known = 0;
    const int none = 0; /* root functions */
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    assert_int_equal(carom_integrator_auto.create(ctx, &carom_integrator_auto, &ode, &method), CAROM_OK);
    assert_true(carom_integrator_auto.restart(method, 0, y, 0, tolerance, &none, 1e-6, 1e-3));
    for (int n = 0; n < 400; n++) {
        assert_true(carom_integrator_auto.step(method, 1) == CAROM_STEP_DONE);
        assert_true(carom_integrator_auto.interpolate(method, 0.5 * (method->t_before + method->t), 2, inside));
        if (method->rates != CAROM_RATES_AT_END)
            continue;
        known++;
        assert_true(last.t == method->t && memcmp(last.y, method->y, sizeof last.y) == 0);
    }
    print_message("%d of 400 ends are known\n", known);
    assert_true(known > 300);
    carom_integrator_auto.destroy(method);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_takes_the_stiff_method_at_rest), cmocka_unit_test(test_rests_long),
        cmocka_unit_test(test_sees_other_limits),
        cmocka_unit_test(test_takes_dop853_through_impacts),   cmocka_unit_test(test_keeps_adams_elsewhere),
        cmocka_unit_test(test_goes_on_with_its_method),        cmocka_unit_test(test_results_leave_the_motion),
        cmocka_unit_test(test_of_one_method),                  cmocka_unit_test(test_projects),
        cmocka_unit_test(test_knows_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

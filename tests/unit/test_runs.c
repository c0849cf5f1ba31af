/* Runs: a model keeps their definitions, a simulation compiles one of them or one that its caller gives. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

static const char bodies[] = "carom: 1\n"
                             "dimension: 2\n"
                             "gravity: [0, -9.81]\n"
                             "bodies:\n"
                             "  bar: {mass: 1, inertia: 0.1, at: [0.3, -0.4]}\n"
                             "joints:\n"
                             "  pin: {type: revolute, between: [{ground: [0, 0]}, {bar: [-0.3, 0.4]}]}\n";

static carom_model *model_of(carom_context *ctx, const char *run)
{
    char text[1024];
    snprintf(text, sizeof text, "%s%s", bodies, run);
    carom_model *model = NULL;
    assert_ok(ctx, carom_model_parse(ctx, "bar.yaml", text, strlen(text), NULL, 0, &model));
    return model;
}

static void run_to_end(carom_simulation *sim, carom_body_state *out)
{
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    assert_int_equal(carom_simulation_body(sim, 0, out), CAROM_OK);
}

/* A run that the caller gives is that of a file with the same text, to the last bit; it is copied, for clones and a
   reset too. */
static void test_given_run(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *plain = model_of(ctx, "run: {until: 0.1}\n");
    carom_model *other = model_of(ctx, "run: {until: 0.4, integrator: dopri5, tolerance: 1.0e-6, constraints: {type: "
                                       "projection}, output: {channels: [body.bar]}}\n");
    char integrator[] = "dopri5", constraints[] = "projection", channel[] = "body.bar";
    const char *channels[] = {channel};
    carom_run_def run = *carom_model_get_run(plain, 0);
    run.until = 0.4;
    run.tolerance = 1e-6;
    run.integrator = integrator;
    run.constraints = constraints;
    run.channels = channels;
    run.channel_count = 1;
    carom_simulation_def def = carom_default_simulation_def();
    def.run_def = &run;
    carom_simulation *given, *clone, *filed;
    assert_int_equal(carom_simulation_create(ctx, plain, &def, &given), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, other, NULL, &filed), CAROM_OK);
    memset(integrator, 'x', strlen(integrator));
    memset(constraints, 'x', strlen(constraints));
    memset(channel, 'x', strlen(channel));
    memset(&run, 0, sizeof run);
    assert_int_equal(carom_simulation_clone(given, ctx, &clone), CAROM_OK);
    size_t given_count, filed_count;
    carom_simulation_channels(given, &given_count);
    carom_simulation_channels(filed, &filed_count);
    assert_int_equal(given_count, filed_count);
    assert_true(given_count > 0);
    carom_body_state a, b, c;
    run_to_end(filed, &a);
    run_to_end(given, &b);
    run_to_end(clone, &c);
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_equal(&a, &c, sizeof a);
    assert_int_equal(carom_simulation_reset(given), CAROM_OK);
    run_to_end(given, &b);
    assert_memory_equal(&a, &b, sizeof a);
    carom_simulation_free(given);
    carom_simulation_free(clone);
    carom_simulation_free(filed);
    carom_model_free(plain);
    carom_model_free(other);
    carom_context_free(ctx);
}

/* What is wrong with a run is told where a simulation of it is created, with its place; the others can be had. */
static void test_bad_runs(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model = model_of(ctx, "run:\n"
                                       "  - {until: 1}\n"
                                       "  - {until: 1, integrator: rk4}\n"
                                       "  - {until: 1, integrator: adams, constraints: {type: projection}}\n"
                                       "  - {until: 1, output: {every: 1.0e-9}}\n");
    const int lines[] = {0, 10, 11, 12};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        carom_simulation_def def = carom_default_simulation_def();
        def.run = k;
        carom_simulation *sim;
        const carom_status status = carom_simulation_create(ctx, model, &def, &sim);
        const carom_error error = carom_context_last_error(ctx);
        assert_int_equal(status, lines[k] ? CAROM_ERROR_MODEL : CAROM_OK);
        if (lines[k]) {
            assert_string_equal(error.file, "bar.yaml");
            assert_int_equal(error.line, lines[k]);
        }
        carom_simulation_free(sim);
    }
    assert_int_equal(carom_model_get_info(model).runs, 4);
    assert_null(carom_model_get_run(model, 4));
    carom_model_free(model);
    carom_context_free(ctx);
}

/* A spec needs no run; a simulation needs one. */
static void test_no_run(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_spec spec = carom_default_spec();
    carom_body_def body = carom_default_body_def();
    body.name = "ball";
    body.mass = 1;
    body.inertia = carom_value_number(1);
    spec.dimension = 2;
    spec.bodies = &body;
    spec.body_count = 1;
    carom_model *model;
    carom_simulation *sim;
    assert_int_equal(carom_model_compile(ctx, &spec, &model), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_ERROR_USAGE);
    carom_run_def run = carom_default_run_def();
    carom_simulation_def def = carom_default_simulation_def();
    def.run_def = &run;
    assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_ERROR_MODEL);
    run.until = 1;
    run.channel_count = 1;
    assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_ERROR_MODEL);
    run.channel_count = 0;
    assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_OK);
    assert_true(carom_simulation_until(sim) == 1);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

static size_t warnings_of(carom_context *ctx, const char *run, const char *integrator)
{
    carom_model *model = model_of(ctx, run);
    carom_simulation *sim;
    size_t count;
    carom_simulation_def def = carom_default_simulation_def();
    def.integrator = integrator;
    assert_ok(ctx, carom_simulation_create(ctx, model, &def, &sim));
    carom_simulation_warnings(sim, &count);
    carom_simulation_free(sim);
    carom_model_free(model);
    return count;
}

/* A constraint method is told to do nothing where another integrator holds the constraints, and only where there is
   one. */
static void test_idle_constraints(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    assert_int_equal(warnings_of(ctx, "run: {until: 0.1}\n", "hht"), 0);
    assert_int_equal(warnings_of(ctx, "run: {until: 0.1, constraints: baumgarte}\n", "hht"), 1);
    assert_int_equal(warnings_of(ctx, "run: {until: 0.1, constraints: baumgarte}\n", NULL), 0);
    carom_context_free(ctx);
}

/* Impacts of contact sets are counted behind the other contacts, each set with the index that the header says. */
static void test_indices_of_sets(void **state)
{
    (void)state;
    static const char text[] =
        "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {a: {mass: 1, inertia: 4e-3, at: [0, 0.11]}, "
        "b: {mass: 1, inertia: 4e-3, at: [1, 0.12]}, c: {mass: 1, inertia: 4e-3, at: [2, 0.13]}}, "
        "shapes: {sa: {type: sphere, on: a, radius: 0.1}, sb: {type: sphere, on: b, radius: 0.1}, "
        "sc: {type: sphere, on: c, radius: 0.1}, f: {type: plane, on: ground, normal: [0, 1]}}, "
        "contacts: {first: {all: [sa, f], normal: {law: hunt-crossley, stiffness: 1e6, restitution: 0.5}}, "
        "second: {all: [sb, f], normal: {law: flores, stiffness: 1e6, restitution: 0.5}}, "
        "third: {all: [sc, f], normal: {law: hertz, stiffness: 1e6}}}, "
        "run: {until: 0.12, integrator: verlet, step: 1e-5}}";
    carom_context *ctx = new_context();
    carom_model *model;
    carom_simulation *sim;
    size_t count;
    assert_ok(ctx, carom_model_parse(ctx, "sets.yaml", text, strlen(text), NULL, 0, &model));
    assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
    assert_ok(ctx, carom_simulation_run(sim));
    const carom_impact *impacts = carom_simulation_impacts(sim, &count);
    assert_int_equal(count, 3);
    for (size_t k = 0; k < count; k++)
        assert_int_equal(impacts[k].contact_index, k);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* ---- rows and steps of fixed length ---- */

/* A mass of 1 kg on a spring of 1000 N/m, 0.1 m out, beside what it could touch in a contact set, for 0.5 s. Returns
   the steps; the way at the end [m], and the warning of rows that cut steps, empty where there is none. */
static double oscillate(const char *set, const char *run, double *end, char *told, size_t size)
{
    char text[1500];
    carom_context *ctx = new_context();
    carom_model *model;
    carom_simulation *sim;
    carom_body_state state;
    size_t count;
    snprintf(text, sizeof text,
             "{carom: 1, dimension: 2, bodies: {a: {mass: 1, inertia: 1e-3, at: [0.1, 0]}, b: {mass: 1, inertia: 1e-3, "
             "at: [5, 0]}}, shapes: {a: {type: sphere, on: a, radius: 0.05}, b: {type: sphere, on: b, radius: 0.05}}, "
             "contacts: {c: {%s: [a, b], normal: {law: hooke, stiffness: 1e4}}}, loads: {s: {type: spring, between: "
             "[ground, a], stiffness: 1000, length: 0}}, run: {until: 0.5, integrator: verlet, %s}}",
             set, run);
    assert_ok(ctx, carom_model_parse(ctx, "rows.yaml", text, strlen(text), NULL, 0, &model));
    assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
    assert_ok(ctx, carom_simulation_run(sim));
    assert_int_equal(carom_simulation_body(sim, 0, &state), CAROM_OK);
    const double steps = (double)carom_simulation_statistics(sim).steps;
    const char *const *warnings = carom_simulation_warnings(sim, &count);
    *told = '\0';
    for (size_t k = 0; k < count; k++)
        if (strstr(warnings[k], "[W56]"))
            snprintf(told, size, "%s", warnings[k]);
    *end = state.position[0];
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
    return steps;
}

/* Rows of a run that gives no interval cut no step: the steps are those that the run asks for, and the way is that of
   velocity Verlet with this step, x0 cos(n theta) with sin(theta/2) = omega h/2 (Hairer, Lubich and Wanner, Geometric
   Numerical Integration, I.5), to the rounding of so many steps. */
static void test_whole_steps(void **state)
{
    (void)state;
    static const struct {
        const char *step;
        double h;
    } cases[] = {{"step: 0.02", 0.02},
                 {"step: 0.01", 0.01},
                 {"step: 0.004", 0.004},
                 {"step: 0.002", 0.002},
                 {"step: 0.0004", 0.0004},
                 {"step: 0.02, output: {every: 0.02}", 0.02},
                 {"step: 0.004, output: {every: 0.1}", 0.004},
                 {"step: 0.01, output: {every: 0.5}", 0.01},
                 {"step: 0.01, output: {every: 0.7}", 0.01}};
    char told[400];
    double end;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double h = cases[k].h, n = round(0.5 / h);
        const double steps = oscillate("all", cases[k].step, &end, told, sizeof told);
        const double exact = 0.1 * cos(n * 2 * asin(sqrt(1000) * h / 2));
        print_message("%s: %.0f steps, off by %.1e m\n", cases[k].step, steps, end - exact);
        assert_true(steps == n && fabs(end - exact) < 1e-12);
        assert_string_equal(told, "");
    }
    /* the last step is cut at the end of the run, which is not told of */
    assert_true(oscillate("all", "step: 0.0007", &end, told, sizeof told) == 715);
    assert_string_equal(told, "");
}

/* Rows that cut steps are told of, with the steps that the run then makes; where no step ends at a row they are not. */
static void test_cut_steps(void **state)
{
    (void)state;
    static const struct {
        const char *run;
        double steps;
        const char *told;       /* NULL: nothing */
    } cases[] = {
        {"step: 0.01, output: {every: 0.0025}", 200,
         "rows each 0.0025 s cut steps of 0.01 s to 0.0025 s, since a row ends a step: 200 steps in place of 50; take "
         "a multiple of `step`, `output: {every: 0.01}`"},
        {"step: 0.01, output: {every: 0.0137}", 73, "to 0.0037 s, since a row ends a step: 73 steps in place of 50"},
        {"step: 0.003, output: {every: 0.1}", 170, "170 steps in place of 167; take a multiple of `step`, `output: "
                                                   "{every: 0.099}`"},
        {"step: 0.01, output: {every: 0.3}", 50, NULL}, /* 30 times the step but for rounding */
    };
    char told[400];
    double end;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double steps = oscillate("all", cases[k].run, &end, told, sizeof told);
        print_message("%s: %.0f steps, '%s'\n", cases[k].run, steps, told);
        assert_true(steps == cases[k].steps);
        assert_true(cases[k].told ? strstr(told, cases[k].told) != NULL : !*told);
    }
    /* located contacts: rows are read within steps */
    assert_true(oscillate("between", "step: 0.01, output: {every: 0.0137}", &end, told, sizeof told) == 50);
    assert_string_equal(told, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_given_run),
        cmocka_unit_test(test_bad_runs),
        cmocka_unit_test(test_no_run),
        cmocka_unit_test(test_idle_constraints),
        cmocka_unit_test(test_indices_of_sets),
        cmocka_unit_test(test_whole_steps),
        cmocka_unit_test(test_cut_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

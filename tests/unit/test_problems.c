/* All problems of a model at once: those of reading it, and those of what it names. */
#include "carom_test.h"

#include "base/base.h"

/* The problems of a text, which must be at these lines, in the order of their discovery. */
static void expect(const char *text, const int *lines, size_t count)
{
    carom_context *ctx;
    carom_model *model;
    carom_error errors[30];
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    assert_int_equal(carom_model_parse(ctx, "m.yaml", text, strlen(text), NULL, 0, &model), CAROM_ERROR_MODEL);
    assert_int_equal(carom_context_errors(ctx, errors, CAROM_COUNT(errors)), count);
    for (size_t k = 0; k < count; k++) {
        assert_int_equal(errors[k].status, CAROM_ERROR_MODEL);
        if (lines)
            assert_int_equal(errors[k].line, lines[k]);
    }
    assert_string_equal(errors[0].text, carom_context_error(ctx));
    /* a call that succeeds afterwards, and one that fails alone */
    const char *good = "carom: 1\nbodies: {a: {mass: 1, inertia: 1}}\ndimension: 2\nrun: {until: 1}\n";
    assert_int_equal(carom_model_parse(ctx, "m.yaml", good, strlen(good), NULL, 0, &model), CAROM_OK);
    carom_model_free(model);
    assert_int_equal(carom_model_load(ctx, "none.yaml", NULL, 0, &model), CAROM_ERROR_IO);
    assert_int_equal(carom_context_errors(ctx, NULL, 0), 1);
    carom_context_free(ctx);
}

static void of_reading(void **state)
{
    (void)state;
    const int lines[] = {4, 5, 5, 7, 9};
    expect("carom: 1\n"
           "dimension: 2\n"
           "bodies:\n"
           "  a: {mas: 1, inertia: 1}\n"
           "  b: {mass: 1*kgg, inertia: 1, at: [1, 2, 3]}\n"
           "joints:\n"
           "  pin: {type: revolut, between: [ground, a]}\n"
           "shapes:\n"
           "  ball: {type: sphere, on: a, radus: 1}\n"
           "run: {until: 1}\n",
           lines, CAROM_COUNT(lines));
}

static void of_names(void **state)
{
    (void)state;
    const int lines[] = {6, 7, 9};
    expect("carom: 1\n"
           "dimension: 2\n"
           "bodies:\n"
           "  a: {mass: 1, inertia: 1, frames: {end: [1, 0]}}\n"
           "joints:\n"
           "  one: {type: revolute, between: [ground, b]}\n"
           "  two: {type: revolute, between: [ground, a.edn]}\n"
           "shapes:\n"
           "  ball: {type: sphere, on: c, radius: 1}\n"
           "  ball2: {type: sphere, on: a, radius: 1}\n"
           "run: {until: 1}\n",
           lines, CAROM_COUNT(lines));
}

/* What stands on a parameter without a value says nothing; all else does. */
static void of_parameters(void **state)
{
    (void)state;
    const int lines[] = {4, 5, 7, 11, 12, 13, 13};
    expect("carom: 1\n"
           "dimension: 2\n"
           "parameters:\n"
           "  a: 1*kgg\n"
           "  b: foo + 1\n"
           "  c: 2*a\n"
           "  d: e\n"
           "  e: d + 1*(\n"
           "  f: $a\n"
           "bodies:\n"
           "  a: {mass: 1, inertia: c, at: [1, 2, 3]}\n"
           "  x: {mass: bar, inertia: f, angle: $b}\n"
           "run: {until: a, integrator: nope, tolerance: 2}\n",
           lines, CAROM_COUNT(lines));
}

/* What calls a function that could not be read says nothing, whether there are parameters or not; those have their own
   problems told. */
static void of_functions(void **state)
{
    (void)state;
    static const char *const parameters[] = {"", "parameters: {k: 5}\n", "parameters: {k: 5*kgg}\n"};
    const int lines[] = {3, 4};
    for (size_t k = 0; k < CAROM_COUNT(parameters); k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\n"
                 "functions: {ramp(s): 'min(1, s/0.2)'}\n"
                 "%s"
                 "bodies: {a: {mass: 1, inertia: 0.01}}\n"
                 "joints: {j: {type: revolute, between: [ground, a]}}\n"
                 "loads: {m: {type: motor, on: j, target: 0.2*ramp(t), proportional: 5}}\n"
                 "run: {until: 1}\n",
                 parameters[k]);
        expect(text, lines, k < 2 ? 1 : 2);
    }
}

/* Runs are looked at whatever the mechanism is, and all outputs, events and rates of states. */
static void of_runs(void **state)
{
    (void)state;
    const int behind[] = {13, 6, 9, 10}, all[] = {11, 6, 8, 9};
    expect("carom: 1\n"
           "dimension: 2\n"
           "bodies:\n"
           "  a: {mass: 1, inertia: 1}\n"
           "joints:\n"
           "  pin: {type: revolute, between: [ground, nobody]}\n"
           "loads:\n"
           "  on_it: {type: joint-effort, on: pin, effort: 1}\n"
           "  push: {type: force, on: nix, force: [1, 0]}\n"
           "  pull: {type: joint-effort, on: pni, effort: 1}\n"
           "run:\n"
           "  - {until: 1}\n"
           "  - {until: 0.5, start: previous}\n",
           behind, CAROM_COUNT(behind));
    expect("carom: 1\n"
           "dimension: 2\n"
           "bodies:\n"
           "  a: {mass: 1, inertia: 1}\n"
           "states:\n"
           "  wear: {start: 0, rate: speed(b)}\n"
           "outputs:\n"
           "  o: {value: speed(c), unit: m/s}\n"
           "  p: {value: speed(d), unit: m/s}\n"
           "run:\n"
           "  - {until: 0.5, start: previous}\n",
           all, CAROM_COUNT(all));
}

static void at_most_twenty(void **state)
{
    (void)state;
    char text[4000] = "carom: 1\ndimension: 2\nbodies:\n";
    for (int k = 0; k < 50; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "  b%d: {mas: 1, inertia: 1}\n", k);
    }
    expect(text, NULL, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_reading), cmocka_unit_test(of_names),
                                       cmocka_unit_test(of_parameters), cmocka_unit_test(of_functions),
                                       cmocka_unit_test(of_runs),
                                       cmocka_unit_test(at_most_twenty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

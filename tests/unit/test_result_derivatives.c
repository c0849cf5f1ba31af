/* Derivatives of the impacts in results: what is read back is what the run has, in the order of the impacts; a file of
   another run and one that has them are refused. */
#include "carom_test.h"

#include <math.h>

#include "base/fields.h"
#include "carom/result.h"
#include "carom/sensitivity.h"

/* Two balls, of which the one that touches first parts last: the file has the impacts in the order of their ends. */
static const char balls[] = "carom: 1\n"
                            "dimension: 2\n"
                            "parameters: {K: 1e4, e: 0.6}\n"
                            "bodies:\n"
                            "  slow: {mass: 1, inertia: 1, at: [0, 0.11], velocity: [0, -1]}\n"
                            "  fast: {mass: 0.01, inertia: 1, at: [1, 0.12], velocity: [0, -1]}\n"
                            "shapes:\n"
                            "  s: {type: sphere, on: slow, radius: 0.1}\n"
                            "  f: {type: sphere, on: fast, radius: 0.1}\n"
                            "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
                            "contacts:\n"
                            "  soft: {between: [s, floor], normal: {law: flores, stiffness: K, restitution: e}}\n"
                            "  hard: {between: [f, floor], normal: {law: flores, stiffness: K, restitution: e}}\n"
                            "run: {until: 0.5}\n";

static const char *const by[] = {"K", "e", "gravity.y"};

static carom_sensitivity *run(carom_context *ctx, const char *path, const char *text)
{
    carom_document *document;
    carom_sensitivity *of;
    carom_writer *writer;
    carom_simulation_def def = carom_default_simulation_def();
    carom_sensitivity_def sensitivity = carom_default_sensitivity_def();
    carom_writer_def file = carom_default_writer_def();
    carom_sink sink = carom_default_sink();
    assert_ok(ctx, carom_document_parse(ctx, "model", text, strlen(text), NULL, 0, &document));
    file.path = path;
    file.model_name = "balls";
    assert_ok(ctx, carom_writer_create(ctx, &file, &writer));
    sink.user = carom_writer_sink(writer)->user;
    sink.impact = carom_writer_sink(writer)->impact;
    def.sink = &sink;
    sensitivity.simulation = &def;
    sensitivity.parameters = by;
    sensitivity.parameter_count = sizeof by / sizeof by[0];
    assert_ok(ctx, carom_sensitivity_create(ctx, document, &sensitivity, &of));
    carom_document_free(document);
    assert_ok(ctx, carom_simulation_run(carom_sensitivity_simulation(of)));
    assert_ok(ctx, carom_writer_close(writer, NULL, NULL));
    return of;
}

static void test_read_back(void **state)
{
    carom_context *ctx = new_context();
    carom_sensitivity *of = run(ctx, "balls.h5", balls);
    carom_result *result;
    const carom_result_derivative *list;
    size_t count, impacts, fields;
    const carom_field *field = carom_impact_fields(&fields);
    (void)state;
    assert_ok(ctx, carom_result_open(ctx, "balls.h5", &result));
    assert_ok(ctx, carom_result_derivatives(result, &list, &count));
    assert_int_equal(count, 0);
    carom_result_close(result);
    assert_ok(ctx, carom_result_add_derivatives(ctx, "balls.h5", of));
    assert_ok(ctx, carom_result_open(ctx, "balls.h5", &result));
    assert_ok(ctx, carom_result_derivatives(result, &list, &count));
    assert_int_equal(count, sizeof by / sizeof by[0]);
    const carom_impact *rows = carom_result_impacts(result, &impacts);
    assert_int_equal(impacts, 2);
    assert_string_equal(rows[0].contact, "soft");
    assert_true(rows[0].onset + rows[0].duration > rows[1].onset + rows[1].duration);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(list[i].parameter, by[i]);
        assert_true(list[i].influences && !list[i].one_sided && list[i].defined_until == 0.5);
        for (size_t k = 0; k < impacts; k++) {
            carom_impact d;
            assert_ok(ctx, carom_sensitivity_impact(of, k, i, &d));
            assert_string_equal(list[i].impacts[k].contact, d.contact);
            for (size_t f = 0; f < fields; f++)
                if (field[f].type == CAROM_FIELD_NUMBER)
                    assert_memory_equal((const char *)&list[i].impacts[k] + field[f].offset,
                                        (const char *)&d + field[f].offset, sizeof(double));
        }
    }
    assert_string_equal(carom_result_status(result), "completed");
    carom_result_close(result);
    assert_refused(ctx, carom_result_add_derivatives(ctx, "balls.h5", of), CAROM_ERROR_USAGE, "derivatives already");
    assert_refused(ctx, carom_result_add_derivatives(ctx, "none.h5", of), CAROM_ERROR_IO, "none.h5");
    carom_sensitivity_free(of);
    carom_context_free(ctx);
}

static void test_others(void **state)
{
    carom_context *ctx = new_context();
    carom_sensitivity *one = run(ctx, "one.h5", balls);
    char text[sizeof balls];
    (void)state;
    memcpy(text, balls, sizeof text);
    memcpy(strstr(text, "[0, 0.11]"), "[0, 0.13]", 9);
    carom_sensitivity *other = run(ctx, "other.h5", text);
    assert_refused(ctx, carom_result_add_derivatives(ctx, "one.h5", other), CAROM_ERROR_USAGE, "not those of the run");
    carom_sensitivity_free(one);
    carom_sensitivity_free(other);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read_back), cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What all of the public interface keeps: definitions with their size, versions that fit, errors in parts. */
#include "carom_test.h"

#include "carom/io.h"

static const char ball[] = "carom: 1\n"
                           "dimension: 2\n"
                           "bodies:\n"
                           "  ball: {mass: 1, inertia: 0.1, at: [0, 1]}\n"
                           "run: {until: 0.5}\n";

typedef struct fixture {
    carom_context *ctx;
    carom_document *document;
    carom_model *model;
} fixture;

static void set_up(fixture *f)
{
    f->ctx = new_context();
    assert_int_equal(carom_document_parse(f->ctx, "ball.yaml", ball, strlen(ball), NULL, 0, &f->document), CAROM_OK);
    assert_int_equal(carom_model_compile(f->ctx, carom_document_spec(f->document), &f->model), CAROM_OK);
}

static void tear_down(fixture *f)
{
    carom_model_free(f->model);
    carom_document_free(f->document);
    carom_context_free(f->ctx);
}

/* ---- sizes ---- */

static void expect_refusal(const fixture *f, carom_status status, const char *function)
{
    assert_int_equal(status, CAROM_ERROR_USAGE);
    if (!strstr(carom_context_error(f->ctx), function))
        fail_msg("the message does not name %s: %s", function, carom_context_error(f->ctx));
}

/* Calls with a definition that nobody filled, and with one larger than the library knows. */
static void try_sizes(const fixture *f, size_t size)
{
    carom_spec spec = carom_default_spec();
    carom_simulation_def simulation = carom_default_simulation_def();
    carom_law_def law = carom_default_law_def();
    carom_impact_def impact = carom_default_impact_def();
    carom_writer_def writer = carom_default_writer_def();
    carom_report_def report = carom_default_report_def();
    carom_figure figure = carom_default_figure();
    carom_model *model;
    carom_simulation *sim;
    carom_law *made;
    carom_impact_solution solution;
    carom_writer *w;
    spec.size = simulation.size = law.size = impact.size = writer.size = report.size = figure.size = size;
    expect_refusal(f, carom_model_compile(f->ctx, &spec, &model), "carom_default_spec()");
    expect_refusal(f, carom_simulation_create(f->ctx, f->model, &simulation, &sim), "carom_default_simulation_def()");
    expect_refusal(f, carom_law_compile(f->ctx, &law, &made), "carom_default_law_def()");
    expect_refusal(f, carom_impact_solve(f->ctx, &impact, &solution), "carom_default_impact_def()");
    expect_refusal(f, carom_writer_create(f->ctx, &writer, &w), "carom_default_writer_def()");
    expect_refusal(f, carom_report_write(f->ctx, &report, "report.html"), "carom_default_report_def()");
    expect_refusal(f, carom_figure_draw(f->ctx, &figure, "figure.svg"), "carom_default_figure()");
    carom_context_def context = carom_default_context_def();
    carom_context *ctx;
    context.size = size;
    assert_int_equal(carom_context_create(&context, &ctx), CAROM_ERROR_USAGE);
    assert_null(ctx);
    assert_non_null(strstr(carom_context_error(NULL), "carom_default_context_def()"));
}

static void test_sizes(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    try_sizes(&f, 0);
    try_sizes(&f, 100000);
    tear_down(&f);
}

/* A definition of an older header, which ends before `touch_speed`: what lies behind it is not read. */
static void test_older_definition(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    carom_simulation_def def;
    memset(&def, 0xff, sizeof def);
    const carom_simulation_def filled = carom_default_simulation_def();
    const size_t known = offsetof(carom_simulation_def, touch_speed);
    memcpy(&def, &filled, known);
    def.size = known;
    carom_simulation *sim = NULL;
    assert_int_equal(carom_simulation_create(f.ctx, f.model, &def, &sim), CAROM_OK);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    carom_simulation_free(sim);
    tear_down(&f);
}

/* ---- NULL ---- */

/* The call is refused, with the names of function and argument in the text of the context, or of none. */
#define assert_needs(ctx, call, function, argument)                                                       \
    do {                                                                                                  \
        carom_fail(ctx, CAROM_ERROR_MODEL, NULL, "an earlier failure");                                   \
        assert_refused(ctx, call, CAROM_ERROR_USAGE, #function "(): `" argument "` is NULL");             \
    } while (0)

static void test_null_of_models(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    carom_context *c = f.ctx;
    carom_model *model;
    carom_gap gap;
    double number;
    const carom_pose pose = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    carom_law *law;
    assert_needs(c, carom_model_parse(c, "m", ball, strlen(ball), NULL, 0, NULL), carom_model_parse, "out");
    assert_needs(c, carom_model_load(c, "m.yaml", NULL, 0, NULL), carom_model_load, "out");
    assert_needs(c, carom_model_compile(c, carom_document_spec(f.document), NULL), carom_model_compile, "out");
    assert_needs(NULL, carom_model_parse(NULL, "m", ball, 1, NULL, 0, &model), carom_model_parse, "ctx");
    assert_needs(c, carom_document_parse(c, "m", NULL, 5, NULL, 0, &f.document), carom_document_parse, "text");
    assert_needs(c, carom_document_set(f.document, "a", NULL), carom_document_set, "value");
    assert_needs(c, carom_model_contact_gap(c, f.model, 0, NULL, &pose, &gap), carom_model_contact_gap, "first");
    assert_needs(c, carom_model_contact_gap(c, NULL, 0, &pose, &pose, &gap), carom_model_contact_gap, "model");
    assert_needs(c, carom_law_number(c, "x", NULL, &number), carom_law_number, "text");
    assert_needs(c, carom_law_number(c, "x", "2", NULL), carom_law_number, "out");
    assert_needs(c, carom_law_compile(c, NULL, NULL), carom_law_compile, "out");
    assert_int_not_equal(carom_law_compile(c, NULL, &law), CAROM_OK);
    assert_null(carom_model_body_name(NULL, 0));
    assert_null(carom_model_get_run(NULL, 0));
    assert_int_equal(carom_model_get_info(NULL).bodies, 0);
    assert_false(carom_model_get_shape(f.model, 0, NULL));
    assert_non_null(carom_impact_fields(NULL));
    tear_down(&f);
}

static void test_null_of_simulations(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    carom_context *c = f.ctx;
    carom_simulation *s;
    carom_body_state body;
    const carom_rest *rests;
    unsigned char *bytes;
    size_t count = 7;
    assert_ok(c, carom_simulation_create(c, f.model, NULL, &s));
    assert_needs(c, carom_simulation_create(c, f.model, NULL, NULL), carom_simulation_create, "out");
    assert_needs(NULL, carom_simulation_advance(NULL, 1), carom_simulation_advance, "sim");
    assert_needs(NULL, carom_simulation_run(NULL), carom_simulation_run, "sim");
    assert_needs(NULL, carom_simulation_evaluate(NULL), carom_simulation_evaluate, "sim");
    assert_needs(NULL, carom_simulation_body(NULL, 0, &body), carom_simulation_body, "sim");
    assert_needs(c, carom_simulation_body(s, 0, NULL), carom_simulation_body, "out");
    assert_needs(c, carom_simulation_checkpoint(s, NULL, &count), carom_simulation_checkpoint, "bytes");
    assert_needs(c, carom_simulation_checkpoint(s, &bytes, NULL), carom_simulation_checkpoint, "size");
    assert_needs(c, carom_simulation_resume(s, NULL, 5), carom_simulation_resume, "bytes");
    assert_needs(c, carom_simulation_check(s, NULL), carom_simulation_check, "out");
    assert_needs(c, carom_simulation_accuracy(s, NULL), carom_simulation_accuracy, "out");
    assert_needs(c, carom_simulation_rests(s, NULL, &count), carom_simulation_rests, "out");
    assert_needs(c, carom_simulation_rests(s, &rests, NULL), carom_simulation_rests, "count");
    assert_needs(c, carom_simulation_channel(s, "time", NULL), carom_simulation_channel, "out");
    assert_non_null(carom_simulation_channels(s, NULL));
    carom_simulation_impacts(s, NULL);
    carom_simulation_warnings(s, NULL);
    assert_null(carom_simulation_impacts(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(carom_simulation_positions(NULL, NULL));
    assert_true(carom_simulation_time(NULL) != carom_simulation_time(NULL));
    assert_string_equal(carom_simulation_integrator(NULL), "");
    assert_true(carom_simulation_ledger(NULL).kinetic == 0);
    assert_int_equal(carom_simulation_open_contacts(NULL, NULL, 0), 0);
    carom_simulation_free(s);
    tear_down(&f);
}

static void test_null_of_json(void **state)
{
    (void)state;
    fixture f;
    carom_json *json;
    const char *text;
    set_up(&f);
    assert_ok(f.ctx, carom_json_create(f.ctx, false, &json));
    carom_json_begin(NULL, NULL, '{');
    carom_json_end(NULL, '}');
    carom_json_text(NULL, "a", "b");
    carom_json_number(NULL, "a", 1);
    carom_json_integer(NULL, "a", 1);
    carom_json_bool(NULL, "a", true);
    carom_json_null(NULL, "a");
    carom_json_numbers(NULL, "a", NULL, 0);
    carom_json_fields(NULL, NULL, 0, NULL);
    carom_json_numbers(json, NULL, NULL, 3);
    carom_json_fields(json, NULL, 3, NULL);
    carom_json_begin(json, NULL, '[');
    carom_json_text(json, NULL, NULL);
    carom_json_end(json, ']');
    assert_ok(f.ctx, carom_json_get(json, &text));
    assert_string_equal(text, "[null]");
    carom_json_free(json);
    carom_load_effort(NULL, 1, NULL);
    tear_down(&f);
}

static void test_null_of_results(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    carom_context *c = f.ctx;
    carom_simulation *s;
    carom_writer_def def = carom_default_writer_def();
    carom_writer *w;
    carom_result *r;
    size_t n;
    const double *time, *values;
    const char *unit;
    assert_ok(c, carom_simulation_create(c, f.model, NULL, &s));
    def.path = "null.h5";
    def.channels = carom_simulation_channels(s, &def.channel_count);
    assert_needs(c, carom_writer_create(c, &def, NULL), carom_writer_create, "out");
    assert_ok(c, carom_writer_create(c, &def, &w));
    assert_ok(c, carom_simulation_set_sink(s, carom_writer_sink(w)));
    assert_ok(c, carom_simulation_run(s));
    assert_needs(c, carom_writer_close_run(w, NULL, NULL), carom_writer_close_run, "sim");
    assert_needs(NULL, carom_writer_close_run(NULL, s, NULL), carom_writer_close_run, "writer");
    assert_ok(c, carom_writer_close_run(w, s, NULL));
    assert_ok(c, carom_result_open(c, def.path, &r));
    assert_needs(c, carom_result_open(c, def.path, NULL), carom_result_open, "out");
    assert_needs(c, carom_result_column(r, NULL, &n, &time, &values, &unit), carom_result_column, "name");
    assert_needs(c, carom_result_column(r, "time", &n, &time, &values, NULL), carom_result_column, "unit");
    assert_needs(NULL, carom_result_column(NULL, "time", &n, &time, &values, &unit), carom_result_column, "result");
    assert_needs(c, carom_result_sample(r, "time", 2, NULL, &values, &unit, &n), carom_result_sample, "times");
    assert_needs(c, carom_result_derivatives(r, NULL, &n), carom_result_derivatives, "out");
    carom_result_impacts(r, NULL);
    assert_false(carom_result_ledger(r, NULL));
    assert_false(carom_result_ledger(NULL, NULL));
    assert_null(carom_result_channels(NULL, &n));
    assert_int_equal(n, 0);
    assert_string_equal(carom_result_status(NULL), "");
    /* the definition is named as the header has it */
    carom_poincare_section_def section = {.size = 0};
    assert_refused(c, carom_result_poincare_section(r, &section, &n, &time, &n), CAROM_ERROR_USAGE,
                   "carom_default_poincare_section_def()");
    carom_result_close(r);
    carom_simulation_free(s);
    tear_down(&f);
}

/* ---- versions ---- */

static void test_versions(void **state)
{
    (void)state;
    carom_context *ctx = (carom_context *)1;
    assert_int_equal(carom_version_number(), CAROM_VERSION_NUMBER);
    assert_int_equal(carom_context_create_for(CAROM_VERSION_NUMBER + 1, NULL, &ctx), CAROM_OK);
    carom_context_free(ctx);
    assert_int_equal(carom_context_create_for(20304, NULL, &ctx), CAROM_ERROR_USAGE);
    assert_null(ctx);
    assert_non_null(strstr(carom_context_error(NULL), "2.3.4"));
    assert_non_null(strstr(carom_context_error(NULL), carom_version()));
}

/* ---- errors ---- */

static void test_error_in_parts(void **state)
{
    (void)state;
    static const char wrong[] = "carom: 1\n"
                                "dimension: 2\n"
                                "bodies:\n"
                                "  ball: {mass: 1, inertia: 0.1, at: [0, 1]}\n"
                                "joints:\n"
                                "  pin: {type: revolute, between: [ground, bal]}\n"
                                "run: {until: 0.5}\n";
    carom_context *ctx;
    carom_document *document = NULL;
    carom_model *model = NULL;
    ctx = new_context();
    carom_error error = carom_context_last_error(ctx);
    assert_int_equal(error.status, CAROM_OK);
    assert_string_equal(error.text, "");
    carom_status status = carom_document_parse(ctx, "wrong.yaml", wrong, strlen(wrong), NULL, 0, &document);
    if (status == CAROM_OK)
        status = carom_model_compile(ctx, carom_document_spec(document), &model);
    error = carom_context_last_error(ctx);
    assert_int_equal(status, CAROM_ERROR_MODEL);
    assert_int_equal(error.status, status);
    assert_string_equal(error.file, "wrong.yaml");
    assert_int_equal(error.line, 6);
    assert_true(error.column > 1);
    assert_string_equal(error.object, "joint 'pin'");
    assert_ptr_equal(error.text, carom_context_error(ctx));
    carom_document_free(document);
    /* a failure of another kind leaves nothing of this one */
    assert_int_equal(carom_document_read(ctx, "there/is/no/such.yaml", NULL, 0, &document), CAROM_ERROR_IO);
    error = carom_context_last_error(ctx);
    assert_int_equal(error.status, CAROM_ERROR_IO);
    assert_int_equal(error.line, 0);
    assert_string_equal(error.object, "");
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_of_models), cmocka_unit_test(test_null_of_simulations),
        cmocka_unit_test(test_null_of_json), cmocka_unit_test(test_null_of_results), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_older_definition),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_error_in_parts),
    };
    return cmocka_run_group_tests_name("interface", tests, NULL, NULL);
}

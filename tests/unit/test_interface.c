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
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_older_definition),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_error_in_parts),
    };
    return cmocka_run_group_tests_name("interface", tests, NULL, NULL);
}

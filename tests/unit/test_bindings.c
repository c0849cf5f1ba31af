/* What bindings of other languages are built on: live positions, sinks and progress that are changed, errors in parts,
   the end of a run in its results. */
#include "carom_test.h"

#include <math.h>

#include "carom/io.h"

static const char ball[] =
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies: {ball: {mass: 1, inertia: 0.1, at: [0, 0.3], velocity: [1, 0]}}\n"
    "shapes: {skin: {type: sphere, on: ball, radius: 0.1}, floor: {type: plane, on: ground, normal: [0, 1]}}\n"
    "contacts: {hit: {between: [floor, skin], normal: {law: flores, stiffness: 1e6, restitution: 0.8}}}\n"
    "run: {until: 1, output: {every: 0.1}}\n";

static carom_simulation *open(carom_context *ctx, carom_model **model)
{
    carom_simulation *sim = NULL;
    *model = new_model(ctx, ball);
    assert_ok(ctx, carom_simulation_create(ctx, *model, NULL, &sim));
    return sim;
}

/* The arrays are those of the present state and stay, whatever the caller does. */
static void check_views(carom_context *ctx, carom_simulation *sim, const double *q, const double *v)
{
    carom_body_state body;
    size_t count = 0;
    assert_ok(ctx, carom_simulation_body(sim, 0, &body));
    assert_ptr_equal(carom_simulation_positions(sim, &count), q);
    assert_int_equal(count, 3);
    assert_ptr_equal(carom_simulation_velocities(sim, NULL), v);
    assert_true(q[0] == body.position[0] && q[1] == body.position[1] && q[2] == body.angle);
    assert_true(v[0] == body.velocity[0] && v[1] == body.velocity[1] && v[2] == body.angular_velocity[2]);
}

static void views_stay(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model;
    carom_simulation *sim = open(ctx, &model), *copy;
    carom_state *taken;
    const double *q = carom_simulation_positions(sim, NULL), *v = carom_simulation_velocities(sim, NULL);
    check_views(ctx, sim, q, v);
    assert_ok(ctx, carom_simulation_advance(sim, 0.3));
    check_views(ctx, sim, q, v);
    assert_true(q[0] > 0.29);
    assert_ok(ctx, carom_simulation_apply_force(sim, 0, (const double[]){1, 2, 0}, NULL, CAROM_AXES_WORLD));
    check_views(ctx, sim, q, v);
    assert_ok(ctx, carom_state_create(ctx, model, &taken));
    assert_ok(ctx, carom_simulation_get_state(sim, taken));
    assert_ok(ctx, carom_simulation_step(sim));
    assert_ok(ctx, carom_simulation_clone(sim, NULL, &copy));
    assert_ok(ctx, carom_simulation_run(sim));
    check_views(ctx, sim, q, v);
    assert_true(carom_simulation_ledger(sim).residual_fraction < 1e-6);
    assert_ok(ctx, carom_simulation_set_state(sim, taken, NULL, NULL));
    check_views(ctx, sim, q, v);
    assert_ok(ctx, carom_simulation_reset(sim));
    check_views(ctx, sim, q, v);
    assert_true(q[0] == 0);
    carom_state_free(taken);
    carom_simulation_free(copy);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

typedef struct heard {
    size_t rows[3], impacts;
    double first, last;         /* of the rows of the output interval [s] */
} heard;

static carom_status take_rows(void *user, int group, size_t rows, const double *time, const double *data)
{
    heard *h = user;
    (void)data;
    if (group == 0 && h->rows[0] == 0)
        h->first = time[0];
    if (group == 0)
        h->last = time[rows - 1];
    h->rows[group] += rows;
    return CAROM_OK;
}

static carom_status take_impact(void *user, const carom_impact *impact)
{
    (void)impact;
    ((heard *)user)->impacts++;
    return CAROM_OK;
}

static bool stop(void *user, const carom_progress *progress)
{
    (void)progress;
    ++*(int *)user;
    return false;
}

static void sinks_change(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model;
    carom_simulation *sim = open(ctx, &model);
    heard first = {.impacts = 0}, second = {.impacts = 0};
    carom_sink sink = carom_default_sink();
    sink.user = &first;
    sink.rows = take_rows;
    sink.impact = take_impact;
    assert_ok(ctx, carom_simulation_advance(sim, 0.15));
    assert_ok(ctx, carom_simulation_set_sink(sim, &sink));
    assert_ok(ctx, carom_simulation_advance(sim, 0.5));
    sink.user = &second;
    assert_ok(ctx, carom_simulation_set_sink(sim, &sink));
    /* 0.2 to 0.5 s; the one impact is at 0.2 s */
    assert_int_equal(first.rows[0], 4);
    assert_true(fabs(first.first - 0.2) < 1e-12 && fabs(first.last - 0.5) < 1e-12);
    assert_int_equal(first.impacts, 1);
    assert_true(first.rows[1] > 0 && first.rows[2] > first.rows[0]);
    assert_ok(ctx, carom_simulation_run(sim));
    assert_int_equal(second.rows[0], 6);
    assert_true(fabs(second.first - 0.5) < 1e-12 && second.last == 1);
    assert_true(second.impacts >= first.impacts);
    assert_ok(ctx, carom_simulation_set_sink(sim, NULL));
    assert_ok(ctx, carom_simulation_reset(sim));
    int calls = 0;
    assert_ok(ctx, carom_simulation_set_progress(sim, stop, &calls));
    assert_refused(ctx, carom_simulation_run(sim), CAROM_INTERRUPTED, "interrupted at t");
    assert_int_equal(calls, 1);
    assert_ok(ctx, carom_simulation_set_progress(sim, NULL, NULL));
    assert_ok(ctx, carom_simulation_run(sim));
    assert_int_equal(second.rows[0], 6);
    sink.size = 0;
    assert_refused(ctx, carom_simulation_set_sink(sim, &sink), CAROM_ERROR_USAGE, "carom_default_sink");
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

static carom_status full_disk(void *user, int group, size_t rows, const double *time, const double *data)
{
    heard *h = user;
    (void)time;
    (void)data;
    h->rows[group] += rows;
    return group == 0 ? CAROM_ERROR_IO : CAROM_OK;
}

/* A sink that fails is told of once and let go: the simulation goes on, and the next sink gets rows from then on. */
static void sinks_fail(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model;
    carom_simulation *sim = open(ctx, &model);
    heard first = {.impacts = 0}, second = {.impacts = 0}, third = {.impacts = 0};
    carom_sink sink = carom_default_sink();
    sink.user = &first;
    sink.rows = full_disk;
    assert_ok(ctx, carom_simulation_set_sink(sim, &sink));
    assert_ok(ctx, carom_simulation_advance(sim, 0.35));
    assert_int_equal(carom_simulation_set_sink(sim, NULL), CAROM_ERROR_IO);
    assert_int_equal(first.rows[0], 4);
    assert_ok(ctx, carom_simulation_advance(sim, 0.5));
    assert_ok(ctx, carom_simulation_set_sink(sim, &sink));
    assert_ok(ctx, carom_simulation_advance(sim, 0.6));
    sink.user = &second;
    sink.rows = take_rows;
    sink.impact = take_impact;
    assert_int_equal(carom_simulation_set_sink(sim, &sink), CAROM_ERROR_IO);
    assert_ok(ctx, carom_simulation_advance(sim, 0.75));
    /* another one's: it gets what waits and stays; its own: it goes */
    assert_ok(ctx, carom_simulation_end_sink(sim, &third));
    assert_int_equal(second.rows[0], 2);
    assert_true(fabs(second.first - 0.6) < 1e-12 && second.impacts > 0);
    assert_ok(ctx, carom_simulation_advance(sim, 0.85));
    assert_ok(ctx, carom_simulation_end_sink(sim, &second));
    assert_int_equal(second.rows[0], 3);
    assert_ok(ctx, carom_simulation_run(sim));
    assert_int_equal(second.rows[0], 3);
    assert_int_equal(carom_simulation_end_sink(NULL, NULL), CAROM_ERROR_USAGE);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void errors_have_parts(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\nbodies:\n  ball: {mass: 1, inertia: 1, at: [0, 'x']}\n  bar: {mas: 2}\n";
    static const struct {
        int line, column;
        const char *key;
    } cases[] = {{1, 1, "carom"},           {3, 3, "bodies.ball"},        {3, 10, "bodies.ball.mass"},
                 {3, 16, "bodies.ball.mass"}, {3, 40, "bodies.ball.at[1]"}, {4, 9, "bodies.bar.mas"},
                 {0, 0, ""}};
    carom_context *ctx = new_context();
    carom_model *model;
    char key[64];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_ok(ctx, carom_document_key_at(ctx, text, sizeof text - 1, cases[k].line, cases[k].column, key,
                                             sizeof key));
        assert_string_equal(key, cases[k].key);
    }
    assert_ok(ctx, carom_document_key_at(ctx, text, sizeof text - 1, 3, 10, key, 8));
    assert_string_equal(key, "bodies.");
    assert_refused(ctx, carom_document_key_at(ctx, "a: [", 4, 1, 1, key, sizeof key), CAROM_ERROR_MODEL,
                   "a value is missing");
    assert_refused(ctx, carom_model_parse(ctx, "m", "carom: 1\nbodys: {}\n", 19, NULL, 0, &model), CAROM_ERROR_MODEL,
                   "did you mean");
    carom_error error = carom_context_last_error(ctx);
    assert_int_equal(error.line, 2);
    assert_string_equal(error.remedy, "did you mean 'bodies'?");
    /* what a semicolon in a text of the model is not */
    carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "`a; b` is no expression");
    assert_string_equal(carom_context_last_error(ctx).remedy, "");
    assert_string_equal(carom_context_last_error(NULL).remedy, "");
    carom_context_free(ctx);
}

static void results_end(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model;
    carom_simulation *sim = open(ctx, &model);
    carom_writer_def def = carom_default_writer_def();
    carom_writer *writer;
    carom_result *result;
    carom_ledger ledger;
    def.path = "run.h5";
    def.channels = carom_simulation_channels(sim, &def.channel_count);
    assert_ok(ctx, carom_writer_create(ctx, &def, &writer));
    assert_ok(ctx, carom_simulation_set_sink(sim, carom_writer_sink(writer)));
    assert_ok(ctx, carom_simulation_run(sim));
    assert_ok(ctx, carom_writer_close_run(writer, sim, NULL));
    assert_ok(ctx, carom_simulation_set_sink(sim, NULL));
    assert_ok(ctx, carom_result_open(ctx, "run.h5", &result));
    size_t count, impacts;
    assert_string_equal(carom_result_status(result), "completed");
    carom_result_impacts(result, &count);
    carom_simulation_impacts(sim, &impacts);
    assert_int_equal(count, impacts);
    assert_true(carom_result_ledger(result, &ledger));
    assert_true(ledger.kinetic == carom_simulation_ledger(sim).kinetic);
    assert_non_null(strstr(carom_result_methods(result), " s of the run"));
    carom_result_close(result);
    assert_int_equal(carom_writer_close_run(NULL, sim, NULL), CAROM_ERROR_USAGE);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* Closed before the end of the run, and with the sink still set: the file has all rows up to then, also those that
   waited, and the simulation goes on without it. */
static void results_end_early(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model;
    carom_simulation *sim = open(ctx, &model);
    carom_writer_def def = carom_default_writer_def();
    carom_writer *writer;
    carom_result *result;
    size_t count, impacts, rows;
    const double *time, *height;
    const char *unit;
    def.path = "part.h5";
    def.channels = carom_simulation_channels(sim, &def.channel_count);
    assert_ok(ctx, carom_writer_create(ctx, &def, &writer));
    assert_ok(ctx, carom_simulation_set_sink(sim, carom_writer_sink(writer)));
    assert_ok(ctx, carom_simulation_advance(sim, 0.55));
    assert_ok(ctx, carom_writer_close_run(writer, sim, NULL));
    assert_ok(ctx, carom_result_open(ctx, "part.h5", &result));
    assert_string_equal(carom_result_status(result), "part");
    assert_ok(ctx, carom_result_column(result, "body.ball.position.y", &rows, &time, &height, &unit));
    assert_int_equal(rows, 6);
    assert_true(fabs(time[5] - 0.5) < 1e-12);
    carom_result_impacts(result, &count);
    carom_simulation_impacts(sim, &impacts);
    assert_true(count > 0 && count == impacts);
    carom_result_close(result);
    assert_ok(ctx, carom_simulation_advance(sim, 0.8));
    assert_ok(ctx, carom_simulation_set_sink(sim, NULL));
    assert_ok(ctx, carom_simulation_run(sim));
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

typedef struct closing {
    carom_writer *writer;
    carom_status status;
} closing;

static carom_status close_within(void *user, carom_simulation *sim)
{
    closing *c = user;
    c->status = carom_writer_close_run(c->writer, sim, NULL);
    return CAROM_OK;
}

/* Within a step the writer stays, and is closed after it. */
static void results_do_not_end_within_steps(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model;
    carom_simulation *sim = open(ctx, &model);
    carom_writer_def def = carom_default_writer_def();
    closing c = {.status = CAROM_OK};
    carom_observer observer = carom_default_observer();
    def.path = "within.h5";
    def.channels = carom_simulation_channels(sim, &def.channel_count);
    observer.user = &c;
    observer.step = close_within;
    assert_ok(ctx, carom_writer_create(ctx, &def, &c.writer));
    assert_ok(ctx, carom_simulation_set_sink(sim, carom_writer_sink(c.writer)));
    assert_ok(ctx, carom_simulation_observe(sim, &observer));
    assert_ok(ctx, carom_simulation_step(sim));
    assert_int_equal(c.status, CAROM_ERROR_USAGE);
    assert_ok(ctx, carom_writer_close_run(c.writer, sim, NULL));
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(views_stay), cmocka_unit_test(sinks_change),
                                       cmocka_unit_test(sinks_fail),
                                       cmocka_unit_test(errors_have_parts), cmocka_unit_test(results_end),
                                       cmocka_unit_test(results_end_early),
                                       cmocka_unit_test(results_do_not_end_within_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Two threads with contexts of their own: each simulates its model and writes a result, both evaluate one constant law.
   Each result is to the last bit that of a run alone. The preset tsan runs this under the thread sanitizer. */
#include "carom_test.h"

#include <math.h>
#include <pthread.h>

#include "carom/io.h"

enum { THREADS = 2, POINTS = 200, MOST_ROWS = 4000 };

/* What a thread does, and what came of it. */
typedef struct job {
    const char *model, *channel, *file;
    const carom_law *law;
    pthread_t thread;
    char failure[400];          /* "" if all went well */
    size_t rows, impacts;
    double values[MOST_ROWS], forces[POINTS];
} job;

static carom_status write_result(carom_context *ctx, const char *file, const carom_model *model, size_t *impacts)
{
    carom_simulation *sim = NULL;
    carom_writer *writer = NULL;
    carom_writer_def file_def = carom_default_writer_def();
    carom_simulation_def def = carom_default_simulation_def();
    carom_status status = carom_simulation_create(ctx, model, &def, &sim);
    file_def.path = file;
    if (status == CAROM_OK) {
        file_def.channels = carom_simulation_channels(sim, &file_def.channel_count);
        status = carom_writer_create(ctx, &file_def, &writer);
    }
    carom_simulation_free(sim);
    sim = NULL;
    if (status != CAROM_OK)
        return status;
    def.sink = carom_writer_sink(writer);
    status = carom_simulation_create(ctx, model, &def, &sim);
    if (status == CAROM_OK)
        status = carom_simulation_run(sim);
    if (status == CAROM_OK)
        carom_simulation_impacts(sim, impacts);
    carom_status closed = carom_writer_close(writer, NULL, NULL);
    carom_simulation_free(sim);
    return status == CAROM_OK ? closed : status;
}

static carom_status read_result(carom_context *ctx, job *j)
{
    carom_result *result = NULL;
    const double *time, *values;
    const char *unit;
    carom_status status = carom_result_open(ctx, j->file, &result);
    if (status == CAROM_OK)
        status = carom_result_column(result, j->channel, &j->rows, &time, &values, &unit);
    if (status == CAROM_OK)
        memcpy(j->values, values, (j->rows < MOST_ROWS ? j->rows : MOST_ROWS) * sizeof *values);
    carom_result_close(result);
    return status;
}

static carom_status evaluate_law(job *j)
{
    for (int k = 0; k < POINTS; k++) {
        const carom_law_input in = {.delta = 1e-6 * k, .rate = 0.1, .speed = 0.3, .mass = 1};
        carom_law_output out;
        carom_status status = carom_law_force(j->law, &in, &out);
        if (status != CAROM_OK)
            return status;
        j->forces[k] = out.force;
    }
    return CAROM_OK;
}

static void *work(void *user)
{
    job *j = user;
    char path[1024];
    carom_context *ctx = NULL;
    carom_model *model = NULL;
    snprintf(path, sizeof path, "%s/%s", CAROM_MODELS, j->model);
    carom_status status = carom_context_create(NULL, &ctx);
    if (status == CAROM_OK)
        status = carom_model_load(ctx, path, NULL, 0, &model);
    if (status == CAROM_OK)
        status = write_result(ctx, j->file, model, &j->impacts);
    if (status == CAROM_OK)
        status = evaluate_law(j);
    if (status == CAROM_OK)
        status = read_result(ctx, j);
    if (status != CAROM_OK)
        snprintf(j->failure, sizeof j->failure, "%s: %.300s", j->model, carom_context_error(ctx));
    carom_model_free(model);
    carom_context_free(ctx);
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    static job alone[THREADS] = {
        {.model = "two_spheres.yaml", .channel = "time", .file = "alone_0.h5"},
        {.model = "slider_crank_block.yaml", .channel = "body.slider.position.x", .file = "alone_1.h5"},
    };
    static job together[THREADS];
    carom_context *ctx;
    carom_law *law = NULL;
    ctx = new_context();
    carom_param params[2] = {{.name = "stiffness", .value = carom_value_number(1e9)},
                             {.name = "restitution", .value = carom_value_number(0.7)}};
    carom_law_def def = carom_default_law_def();
    def.law = "flores";
    def.params = (carom_param_list){params, 2};
    assert_int_equal(carom_law_compile(ctx, &def, &law), CAROM_OK);
    for (int k = 0; k < THREADS; k++) {
        alone[k].law = law;
        together[k] = alone[k];
        together[k].file = k ? "together_1.h5" : "together_0.h5";
        work(&alone[k]);
        assert_string_equal(alone[k].failure, "");
        assert_true(alone[k].rows > 10 && alone[k].impacts > 0);
    }
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_create(&together[k].thread, NULL, work, &together[k]), 0);
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_join(together[k].thread, NULL), 0);
    for (int k = 0; k < THREADS; k++) {
        assert_string_equal(together[k].failure, "");
        assert_int_equal(together[k].rows, alone[k].rows);
        assert_int_equal(together[k].impacts, alone[k].impacts);
        assert_memory_equal(together[k].values, alone[k].values, sizeof alone[k].values);
        assert_memory_equal(together[k].forces, alone[k].forces, sizeof alone[k].forces);
    }
    carom_law_free(law);
    carom_context_free(ctx);
}

/* Two results open at once, written block by block in turn by many threads that share nothing else. */
typedef struct block_job {
    pthread_t thread;
    int number;
    bool failed;
} block_job;

static void *write_blocks(void *user)
{
    block_job *j = user;
    char path[32];
    const carom_channel channel = {.name = "x", .unit = "m", .description = "", .size = 1};
    carom_context *ctx = NULL;
    carom_writer *writer = NULL;
    carom_result *result = NULL;
    snprintf(path, sizeof path, "blocks_%d.h5", j->number);
    carom_writer_def def = carom_default_writer_def();
    def.path = path;
    def.model_name = "blocks";
    def.channels = &channel;
    def.channel_count = 1;
    j->failed = carom_context_create(NULL, &ctx) != CAROM_OK || carom_writer_create(ctx, &def, &writer) != CAROM_OK;
    for (int k = 0; k < 50 && !j->failed; k++) {
        const carom_sink *sink = carom_writer_sink(writer);
        const double time = k, x = 100 * j->number + k;
        j->failed = sink->rows(sink->user, 0, 1, &time, &x) != CAROM_OK;
    }
    if (writer)
        j->failed |= carom_writer_close(writer, NULL, NULL) != CAROM_OK;
    size_t rows = 0;
    const double *time, *values = NULL;
    const char *unit;
    j->failed = j->failed || carom_result_open(ctx, path, &result) != CAROM_OK ||
                carom_result_column(result, "x", &rows, &time, &values, &unit) != CAROM_OK || rows != 50;
    for (size_t k = 0; k < rows && !j->failed; k++)
        j->failed = !(fabs(values[k] - (100 * j->number + (double)k)) < 0.5);
    carom_result_close(result);
    carom_context_free(ctx);
    return NULL;
}

static void test_writers(void **state)
{
    (void)state;
    block_job jobs[4];
    for (int k = 0; k < 4; k++) {
        jobs[k] = (block_job){.number = k};
        assert_int_equal(pthread_create(&jobs[k].thread, NULL, write_blocks, &jobs[k]), 0);
    }
    for (int k = 0; k < 4; k++)
        assert_int_equal(pthread_join(jobs[k].thread, NULL), 0);
    for (int k = 0; k < 4; k++)
        assert_false(jobs[k].failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads), cmocka_unit_test(test_writers)};
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}

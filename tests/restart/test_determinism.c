/* Same binary, same input, same bits: two runs one after the other, interleaved, and in two threads that share a model;
   impacts, ledger, states, recorded rows and the datasets of result files. */
#include "carom_test.h"

#include <pthread.h>

#include "base/base.h"
#include "carom/result.h"
#include "support/sample.h"
#include "support/trial.h"

/* One simulation with all it records. */
typedef struct subject {
    trial_record record;
    carom_simulation *sim;
} subject;

static carom_status open_subject(carom_context *ctx, const carom_model *model, subject *s)
{
    trial_record_init(&s->record);
    carom_simulation_def def = carom_default_simulation_def();
    def.sink = &s->record.sink;
    carom_status status = carom_simulation_create(ctx, model, &def, &s->sim);
    if (status == CAROM_OK)
        trial_record_columns(&s->record, s->sim);
    return status;
}

static void close_subject(subject *s)
{
    carom_simulation_free(s->sim);
    trial_record_free(&s->record);
}

static void assert_same(const subject *a, const subject *b, const carom_model *model, const char *what)
{
    bool same = trial_same(a->sim, b->sim, carom_model_get_info(model).bodies) &&
                trial_same_counts(a->sim, b->sim, true) &&
                trial_rows_end_with(&a->record.group[0], &b->record.group[0], 0) &&
                trial_rows_end_with(&a->record.group[1], &b->record.group[1], 0) &&
                trial_rows_end_with(&a->record.group[2], &b->record.group[2], 0);
    if (!same || a->record.impacts != b->record.impacts)
        fail_msg("%s: two equal runs differ", what);
}

static const trial *const trials[] = {&trial_block, &trial_top, &trial_redundant, &trial_balls, &trial_balls_3d,
                                      &trial_rubbing, &trial_loads, &trial_driven, &trial_pins, &trial_many,
                                      &trial_events, &trial_drives};

/* Calls `each` for every trial and integrator, with short runs of the fixed steps. */
static void for_all(void (*each)(carom_context *ctx, const carom_model *model, const trial *t, const char *what))
{
    for (size_t k = 0; k < CAROM_COUNT(trials); k++)
        for (size_t i = 0; i < CAROM_COUNT(trial_integrators); i++) {
            if (!sample_turn((int)(k + i), 2, 6))
                continue;
            trial t = *trials[k];
            t.until *= 0.6;
            t.step *= 4;
            char what[128];
            snprintf(what, sizeof what, "%s, %s", t.name, trial_integrators[i]);
            carom_context *ctx = trial_context(NULL);
            carom_model *model;
            if (trial_compile(ctx, &t, trial_integrators[i], NULL, &model) != CAROM_OK)
                fail_msg("%s: %s", what, carom_context_error(ctx));
            each(ctx, model, &t, what);
            carom_model_free(model);
            carom_context_free(ctx);
        }
}

/* ---- twice ---- */

/* The second run has a model of its own, compiled again in another context. */
static void run_twice(carom_context *ctx, const carom_model *model, const trial *t, const char *what)
{
    carom_context *other = trial_context(NULL);
    carom_model *again;
    subject a, b;
    assert_int_equal(open_subject(ctx, model, &a), CAROM_OK);
    assert_int_equal(carom_simulation_run(a.sim), CAROM_OK);
    assert_int_equal(trial_compile(other, t, carom_simulation_integrator(a.sim), NULL, &again), CAROM_OK);
    assert_int_equal(open_subject(other, again, &b), CAROM_OK);
    assert_int_equal(carom_simulation_run(b.sim), CAROM_OK);
    assert_true(a.record.group[0].rows > 10);
    assert_same(&a, &b, model, what);
    close_subject(&a);
    close_subject(&b);
    carom_model_free(again);
    carom_context_free(other);
}

static void test_twice(void **state)
{
    (void)state;
    for_all(run_twice);
}

/* ---- interleaved ---- */

/* Both in the same context, in small steps by turns, against one that makes the same steps alone. */
static void run_interleaved(carom_context *ctx, const carom_model *model, const trial *t, const char *what)
{
    subject s[3];
    for (int k = 0; k < 3; k++)
        assert_int_equal(open_subject(ctx, model, &s[k]), CAROM_OK);
    enum { PARTS = 17 };
    for (int part = 1; part <= PARTS; part++)
        for (int k = 0; k < 2; k++)
            assert_int_equal(carom_simulation_advance(s[k].sim, part < PARTS ? t->until * part / PARTS : t->until),
                             CAROM_OK);
    for (int part = 1; part <= PARTS; part++)
        assert_int_equal(carom_simulation_advance(s[2].sim, part < PARTS ? t->until * part / PARTS : t->until),
                         CAROM_OK);
    for (int k = 0; k < 3; k++)
        assert_int_equal(carom_simulation_run(s[k].sim), CAROM_OK);
    assert_same(&s[0], &s[1], model, what);
    assert_same(&s[0], &s[2], model, what);
    for (int k = 0; k < 3; k++)
        close_subject(&s[k]);
}

static void test_interleaved(void **state)
{
    (void)state;
    for_all(run_interleaved);
}

/* ---- threads ---- */

typedef struct worker {
    pthread_t thread;
    const carom_model *model;
    carom_context *ctx;
    subject subject;
    carom_status status;
} worker;

static void *work(void *user)
{
    worker *w = user;
    w->status = open_subject(w->ctx, w->model, &w->subject);
    if (w->status == CAROM_OK)
        w->status = carom_simulation_run(w->subject.sim);
    return NULL;
}

static void run_threads(carom_context *ctx, const carom_model *model, const trial *t, const char *what)
{
    (void)t;
    worker w[2];
    subject alone;
    for (int k = 0; k < 2; k++) {
        w[k] = (worker){.model = model, .ctx = trial_context(NULL)};
        assert_non_null(w[k].ctx);
        assert_int_equal(pthread_create(&w[k].thread, NULL, work, &w[k]), 0);
    }
    for (int k = 0; k < 2; k++)
        assert_int_equal(pthread_join(w[k].thread, NULL), 0);
    assert_int_equal(open_subject(ctx, model, &alone), CAROM_OK);
    assert_int_equal(carom_simulation_run(alone.sim), CAROM_OK);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(w[k].status, CAROM_OK);
        assert_same(&alone, &w[k].subject, model, what);
        close_subject(&w[k].subject);
        carom_context_free(w[k].ctx);
    }
    close_subject(&alone);
}

static void test_threads(void **state)
{
    (void)state;
    for_all(run_threads);
}

/* ---- result files ---- */

static void write_result(const trial *t, const char *integrator, const char *path)
{
    carom_context *ctx = trial_context(NULL);
    carom_model *model;
    carom_simulation *sim, *lister;
    assert_int_equal(trial_compile(ctx, t, integrator, NULL, &model), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &lister), CAROM_OK);
    carom_writer_def wd = {.size = sizeof(carom_writer_def), .path = path, .model_name = t->name, .title = t->name,
                           .model_text = t->text, .options = integrator};
    wd.channels = carom_simulation_channels(lister, &wd.channel_count);
    carom_writer *writer;
    if (carom_writer_create(ctx, &wd, &writer) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    carom_simulation_def def = carom_default_simulation_def();
    def.sink = carom_writer_sink(writer);
    assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_OK);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    carom_ledger ledger = carom_simulation_ledger(sim);
    assert_int_equal(carom_writer_close(writer, &ledger, "completed"), CAROM_OK);
    carom_simulation_free(sim);
    carom_simulation_free(lister);
    carom_model_free(model);
    carom_context_free(ctx);
}

static size_t compare_columns(carom_result *a, carom_result *b, const char *name)
{
    size_t rows_a, rows_b;
    const double *time_a, *time_b, *x, *y;
    const char *unit_a, *unit_b;
    assert_int_equal(carom_result_column(a, name, &rows_a, &time_a, &x, &unit_a), CAROM_OK);
    assert_int_equal(carom_result_column(b, name, &rows_b, &time_b, &y, &unit_b), CAROM_OK);
    assert_int_equal(rows_a, rows_b);
    assert_string_equal(unit_a, unit_b);
    if (rows_a && (memcmp(x, y, rows_a * sizeof *x) != 0 || memcmp(time_a, time_b, rows_a * sizeof *x) != 0))
        fail_msg("dataset %s differs", name);
    return rows_a;
}

static void compare_impacts(const carom_result *a, const carom_result *b)
{
    size_t count_a, count_b;
    const carom_impact *x = carom_result_impacts(a, &count_a), *y = carom_result_impacts(b, &count_b);
    assert_int_equal(count_a, count_b);
    for (size_t k = 0; k < count_a; k++) {
        carom_impact p = x[k], q = y[k];
        assert_string_equal(p.contact, q.contact);
        p.contact = q.contact = NULL;
        assert_memory_equal(&p, &q, sizeof p);
    }
}

static void compare_results(const char *path_a, const char *path_b)
{
    carom_context *ctx = trial_context(NULL);
    carom_result *a, *b;
    assert_int_equal(carom_result_open(ctx, path_a, &a), CAROM_OK);
    assert_int_equal(carom_result_open(ctx, path_b, &b), CAROM_OK);
    size_t count, other, numbers = 0;
    const carom_channel *channels = carom_result_channels(a, &count);
    carom_result_channels(b, &other);
    assert_int_equal(count, other);
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < channels[k].size; i++) {
            char name[320];
            snprintf(name, sizeof name, channels[k].components ? "%s.%s" : "%s%s", channels[k].name,
                     channels[k].components ? channels[k].components[i] : "");
            numbers += compare_columns(a, b, name);
        }
    numbers += compare_columns(a, b, "time");
    assert_true(numbers > 1000);
    compare_impacts(a, b);
    carom_ledger x, y;
    assert_true(carom_result_ledger(a, &x));
    assert_true(carom_result_ledger(b, &y));
    assert_memory_equal(&x, &y, sizeof x);
    carom_result_close(a);
    carom_result_close(b);
    carom_context_free(ctx);
}

static void test_result_files(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(trials); k++) {
        write_result(trials[k], trial_integrators[k % 3], "determinism_a.h5");
        write_result(trials[k], trial_integrators[k % 3], "determinism_b.h5");
        compare_results("determinism_a.h5", "determinism_b.h5");
    }
    remove("determinism_a.h5");
    remove("determinism_b.h5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twice),
        cmocka_unit_test(test_interleaved),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_result_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

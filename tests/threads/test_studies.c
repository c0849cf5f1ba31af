/* Threads that share one study, each with a context and a runner of its own, make the table of one thread. */
#include "carom_test.h"

#include <pthread.h>

#include "carom/study.h"

enum { THREADS = 4, QUANTITIES = 3 };

typedef struct share {
    const carom_study *study;
    size_t first, step; /* runs first, first + step, ... */
    double (*values)[QUANTITIES];
    bool failed;
} share;

static void *make_runs(void *user)
{
    share *s = user;
    carom_context *ctx = NULL;
    carom_study_runner *runner = NULL;
    carom_study_outcome o;
    s->failed =
        carom_context_create(NULL, &ctx) != CAROM_OK || carom_study_runner_create(ctx, s->study, &runner) != CAROM_OK;
    for (size_t run = s->first; run < carom_study_get_info(s->study).runs && !s->failed; run += s->step) {
        s->failed = carom_study_run(runner, run, NULL, NULL, &o) != CAROM_OK || strcmp(o.status, "completed") != 0;
        if (!s->failed)
            memcpy(s->values[run], o.quantities, sizeof s->values[run]);
    }
    carom_study_runner_free(runner);
    carom_context_free(ctx);
    return NULL;
}

static void test_one_table(void **state)
{
    static const char text[] =
        "model: '" CAROM_MODELS "/two_spheres.yaml'\n"
        "parameters: {law: [flores, hunt-crossley], e: {from: 0.3, to: 0.9}, K: {from: 1e9, to: 1e10}}\n"
        "sampling: {type: sobol, count: 16}\n"
        "quantities: {e_got: 'impacts[1].e_got', peak: max(contact.hit.force),\n"
        "  back: when(body.left.velocity.x < 0)}\n";
    carom_context *ctx = new_context();
    carom_study *study;
    double alone[16][QUANTITIES], shared[16][QUANTITIES];
    pthread_t threads[THREADS];
    share shares[THREADS], all = {.first = 0, .step = 1, .values = alone};
    (void)state;
    assert_ok(ctx, carom_study_parse(ctx, "study.yaml", text, strlen(text), NULL, &study));
    assert_ok(ctx, carom_study_check(ctx, study));
    all.study = study;
    make_runs(&all);
    assert_false(all.failed);
    for (size_t k = 0; k < THREADS; k++) {
        shares[k] = (share){.study = study, .first = k, .step = THREADS, .values = shared};
        assert_int_equal(pthread_create(&threads[k], NULL, make_runs, &shares[k]), 0);
    }
    for (size_t k = 0; k < THREADS; k++) {
        assert_int_equal(pthread_join(threads[k], NULL), 0);
        assert_false(shares[k].failed);
    }
    assert_memory_equal(alone, shared, sizeof alone);
    carom_study_free(study);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

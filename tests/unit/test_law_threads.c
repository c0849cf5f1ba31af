/* Threads that share one const law get the bits of a thread alone, refusals included, and write nothing to its
   context. */
#include "carom_test.h"

#include <pthread.h>

enum { THREADS = 8, POINTS = 400, REPEATS = 25, LAWS = 4 };

/* Laws of each form: one factor, permanent indentation, a dashpot with mass, a line contact with a limit. */
static const char *const names[LAWS] = {"flores", "walton-braun", "tsuji", "johnson"};

typedef struct job {
    pthread_t thread;
    const carom_law *const *laws;
    const carom_law_output *expected; /* of all laws and points */
    long differing, refused;
} job;

/* One point of the motion, every tenth one that no law takes. */
static carom_law_input input_at(int k)
{
    return (carom_law_input){.delta = k % 10 == 9 ? -1e-6 : 1e-8 * k,
                             .rate = 0.3 * (1 - 2.0 * k / POINTS),
                             .speed = 0.3,
                             .mass = 0.05,
                             .from = k % 3 ? 0 : 6e-6};
}

static void *evaluate(void *user)
{
    job *j = user;
    for (int r = 0; r < REPEATS; r++)
        for (int l = 0; l < LAWS; l++)
            for (int k = 0; k < POINTS; k++) {
                char why[80];
                carom_law_output out;
                memset(&out, 0, sizeof out);
                const carom_law_input in = input_at(k);
                if (carom_law_force(j->laws[l], &in, &out) != CAROM_OK)
                    j->refused += !carom_law_accepts(j->laws[l], &in, why, sizeof why) && why[0];
                j->differing += memcmp(&out, &j->expected[l * POINTS + k], sizeof out) != 0;
            }
    return NULL;
}

static void test_shared_laws(void **state)
{
    (void)state;
    static carom_law_output expected[LAWS * POINTS];
    const carom_param params[] = {
        {.name = "stiffness", .value = {.type = CAROM_VALUE_NUMBER, .number = {5.5e9}}},
        {.name = "restitution", .value = {.type = CAROM_VALUE_NUMBER, .number = {0.7}}},
        {.name = "E_i", .value = {.type = CAROM_VALUE_NUMBER, .number = {207e9}}},
        {.name = "radius_i", .value = {.type = CAROM_VALUE_NUMBER, .number = {9.5e-3}}},
        {.name = "radius_j", .value = {.type = CAROM_VALUE_NUMBER, .number = {-9.6e-3}}},
        {.name = "length", .value = {.type = CAROM_VALUE_NUMBER, .number = {10e-3}}},
    };
    carom_context *ctx = NULL;
    carom_law *laws[LAWS] = {NULL};
    ctx = new_context();
    for (int l = 0; l < LAWS; l++) {
        carom_law_def def = carom_default_law_def();
        def.law = names[l];
        def.params = (carom_param_list){l == 3 ? params + 2 : params, l == 3 ? 4 : 2};
        if (carom_law_compile(ctx, &def, &laws[l]) != CAROM_OK)
            fail_msg("%s: %s", names[l], carom_context_error(ctx));
        for (int k = 0; k < POINTS; k++) {
            const carom_law_input in = input_at(k);
            carom_law_force(laws[l], &in, &expected[l * POINTS + k]);
        }
    }
    const size_t length = strlen(carom_context_error(ctx));
    job jobs[THREADS];
    for (int t = 0; t < THREADS; t++) {
        jobs[t] = (job){.laws = (const carom_law *const *)laws, .expected = expected};
        assert_int_equal(pthread_create(&jobs[t].thread, NULL, evaluate, &jobs[t]), 0);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(jobs[t].thread, NULL);
    for (int t = 0; t < THREADS; t++) {
        assert_int_equal(jobs[t].differing, 0);
        assert_int_equal(jobs[t].refused, REPEATS * LAWS * (POINTS / 10));
    }
    assert_int_equal(strlen(carom_context_error(ctx)), length);
    for (int l = 0; l < LAWS; l++)
        carom_law_free(laws[l]);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared_laws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

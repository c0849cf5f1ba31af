/* Dense solves in threads that share nothing give the bits of a solve alone: OpenBLAS built for one thread has tables
   that threads share, which it does not guard. */
#include "carom_test.h"

#include <pthread.h>

#include "math/solve.h"

enum { THREADS = 8, ORDER = 30, REPEATS = 2500 };

typedef struct job {
    pthread_t thread;
    int seed, repeats;
    double x[3][ORDER]; /* least norm, Cholesky, elimination: of the first solve */
    long differing[3];
    bool failed;
} job;

/* A symmetric matrix that is regular, with entries that depend on the seed. */
static void fill(double *a, int seed)
{
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < ORDER; j++)
            a[i * ORDER + j] =
                (i == j ? 2 * ORDER : 0) + 0.1 * ((i * 31 + j * 17 + seed) % 7 + (j * 31 + i * 17 + seed) % 7);
}

/* Keeps the first solution and counts those that differ from it. */
static void compare(job *j, int kind, const double *x, int repeat)
{
    if (repeat == 0)
        memcpy(j->x[kind], x, sizeof j->x[kind]);
    else
        j->differing[kind] += memcmp(j->x[kind], x, sizeof j->x[kind]) != 0;
}

static void *solve(void *user)
{
    job *j = user;
    carom_context *ctx = NULL;
    carom_dense *dense = NULL;
    j->failed = carom_context_create(NULL, &ctx) != CAROM_OK || carom_dense_create(ctx, ORDER, &dense) != CAROM_OK;
    for (int k = 0; !j->failed && k < j->repeats; k++) {
        double a[ORDER * ORDER], b[ORDER];
        int rank, pivot[ORDER];
        for (int i = 0; i < ORDER; i++)
            b[i] = i;
        fill(a, j->seed);
        j->failed = carom_least_norm(ctx, ORDER, ORDER, a, b, 1e-12, &rank) != CAROM_OK || rank != ORDER;
        compare(j, 0, b, k);
        for (int i = 0; i < ORDER; i++)
            b[i] = i;
        fill(carom_dense_matrix(dense), j->seed);
        j->failed = j->failed || !carom_dense_factor(dense);
        if (!j->failed)
            carom_dense_solve(dense, b);
        compare(j, 1, b, k);
        for (int i = 0; i < ORDER; i++)
            b[i] = i;
        fill(a, j->seed);
        j->failed = j->failed || !carom_dense_eliminate(ORDER, a, pivot, b);
        compare(j, 2, b, k);
    }
    carom_dense_free(dense);
    carom_context_free(ctx);
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    static job alone[THREADS], together[THREADS];
    for (int k = 0; k < THREADS; k++) {
        alone[k] = (job){.seed = k, .repeats = 1};
        solve(&alone[k]);
        assert_false(alone[k].failed);
        together[k] = (job){.seed = k, .repeats = REPEATS};
    }
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_create(&together[k].thread, NULL, solve, &together[k]), 0);
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_join(together[k].thread, NULL), 0);
    long differing[3] = {0};
    bool failed = false, first = true;
    for (int k = 0; k < THREADS; k++) {
        failed = failed || together[k].failed;
        first = first && memcmp(alone[k].x, together[k].x, sizeof alone[k].x) == 0;
        for (int i = 0; i < 3; i++)
            differing[i] += together[k].differing[i];
    }
    print_message("of %d solves differ: least norm %ld, Cholesky %ld, elimination %ld\n", THREADS * REPEATS,
                  differing[0], differing[1], differing[2]);
    assert_false(failed);
    assert_true(first);
    assert_true(differing[0] == 0 && differing[1] == 0 && differing[2] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests_name("dense_threads", tests, NULL, NULL);
}

/* Factors within the envelope against elimination of the whole matrix. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "math/solve.h"

#define MOST 40

static uint32_t seed = 1;

static double draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (double)(1 << 24) - 0.5;
}

static void test_solve(void **state)
{
    (void)state;
    static double a[MOST * MOST], b[MOST], x[MOST];
    carom_context *ctx = new_context();
    carom_arena arena;
    carom_envelope e;
    double worst = 0;
    carom_arena_init(&arena, ctx);
    assert_int_equal(carom_envelope_create(&arena, MOST, &e), CAROM_OK);
    for (int turn = 0; turn < 50; turn++) {
        int first[MOST], pivot[MOST];
        for (int i = 0; i < MOST; i++)
            first[i] = (int)(i * (0.5 + draw()));
        carom_envelope_shape(&e, first);
        carom_envelope_clear(&e);
        for (int i = 0; i < MOST; i++)
            for (int j = 0; j < MOST; j++) {
                const bool inside = i > j ? j >= first[i] : i >= first[j];
                const double value = (i == j ? 20 : 0) + draw();
                a[j * MOST + i] = inside ? value : 0;
                carom_envelope_add(&e, i, j, value); /* what lies outside is passed over */
            }
        for (int i = 0; i < MOST; i++)
            b[i] = x[i] = draw();
        assert_true(carom_envelope_factor(&e));
        carom_envelope_solve(&e, x);
        assert_true(carom_lu_factor(MOST, a, pivot));
        carom_lu_solve(MOST, a, pivot, b);
        for (int i = 0; i < MOST; i++)
            worst = fmax(worst, fabs(x[i] - b[i]));
    }
    print_message("largest difference %.1e\n", worst);
    assert_true(worst < 1e-14);
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

static void test_exchanges(void **state)
{
    (void)state;
    double a[4] = {0, 1, 2, 3}, b[2] = {4, 9}; /* by columns: 2 y = 4, x + 3 y = 9 */
    int pivot[2];
    assert_true(carom_lu_factor(2, a, pivot));
    carom_lu_solve(2, a, pivot, b);
    assert_true(fabs(b[0] - 3) < 1e-15 && fabs(b[1] - 2) < 1e-15);
    double singular[4] = {1, 2, 2, 4};
    assert_false(carom_lu_factor(2, singular, pivot));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solve), cmocka_unit_test(test_exchanges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

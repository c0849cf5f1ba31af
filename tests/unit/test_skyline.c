/* Rank in the order of the rows: Gram matrices of sparse rows, some of which are sums of earlier ones. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "math/solve.h"

#define ROWS 60
#define COLUMNS 80

static uint32_t seed = 1;

static double draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (double)(1 << 24) - 0.5;
}

/* Rows of a few neighbouring entries, as the joints of a chain have; every seventh is a sum of the two before it. */
static void draw_rows(double a[ROWS][COLUMNS])
{
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < COLUMNS; k++) {
            a[i][k] = k >= i && k < i + 5 ? draw() : 0;
            if (i % 7 == 6)
                a[i][k] = 2 * a[i - 1][k] - 3 * a[i - 2][k];
        }
}

static void test_rank(void **state)
{
    (void)state;
    static double a[ROWS][COLUMNS];
    carom_context *ctx;
    carom_arena arena;
    ctx = new_context();
    carom_arena_init(&arena, ctx);
    for (int n = 0; n < 20; n++) {
        int first[ROWS];
        bool redundant[ROWS];
        carom_skyline s;
        draw_rows(a);
        for (int i = 0; i < ROWS; i++) {
            first[i] = i;
            for (int j = i - 1; j >= 0; j--)
                for (int k = 0; k < COLUMNS; k++)
                    if (a[i][k] != 0 && a[j][k] != 0)
                        first[i] = j;
        }
        assert_int_equal(carom_skyline_create(&arena, ROWS, first, &s), CAROM_OK);
        for (int i = 0; i < ROWS; i++)
            for (int j = first[i]; j <= i; j++)
                for (int k = 0; k < COLUMNS; k++)
                    s.row[i][j] += a[i][k] * a[j][k];
        assert_int_equal(carom_skyline_rank(&s, 1e-11, redundant), ROWS - ROWS / 7);
        for (int i = 0; i < ROWS; i++)
            assert_int_equal(redundant[i], i % 7 == 6);
    }
    carom_arena_free(&arena);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rank)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

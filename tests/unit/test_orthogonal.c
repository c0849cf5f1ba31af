/* Rows of any rank and of any size: the rank, the shortest solutions and the multipliers do not depend on how a row or
   a unit is scaled, and rows whose product with themselves has lost all digits are still solved. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "math/solve.h"

#define ROWS 7
#define COLUMNS 9

static uint32_t seed = 1;

static double draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (double)(1 << 24) - 0.5;
}

/* Rows 0 to 3 are of lengths, the others of angles; row 3 is a sum of rows 0 and 2, and row 6 one of 4 and 5. */
static void draw_rows(double a[ROWS][COLUMNS], double *b)
{
    double x[COLUMNS];
    for (int k = 0; k < COLUMNS; k++)
        x[k] = draw();
    for (int i = 0; i < ROWS; i++) {
        b[i] = 0;
        for (int k = 0; k < COLUMNS; k++) {
            a[i][k] = i == 3 ? 2 * a[0][k] - 3 * a[2][k] : i == 6 ? a[4][k] + 2 * a[5][k] : draw();
            b[i] += a[i][k] * x[k];
        }
    }
}

static void solve(carom_orthogonal *o, double a[ROWS][COLUMNS], const double *scale, const double *b, double *x,
                  double *y)
{
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < COLUMNS; k++)
            carom_orthogonal_rows(o)[i * COLUMNS + k] = scale[i] * a[i][k];
        y[i] = scale[i] * b[i];
        carom_orthogonal_angles(o)[i] = i > 3;
    }
    assert_true(carom_orthogonal_factor(o));
    memcpy(x, carom_orthogonal_solve(o, y), COLUMNS * sizeof *x);
}

static double farthest(const double *a, const double *b, int n)
{
    double off = 0;
    for (int k = 0; k < n; k++)
        off = fmax(off, fabs(a[k] - b[k]));
    return off;
}

/* x and the multipliers of lengths and angles written in other units. */
static void test_units(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_orthogonal *o;
    double worst = 0;
    assert_int_equal(carom_orthogonal_create(ctx, ROWS, COLUMNS, &o), CAROM_OK);
    for (int n = 0; n < 200; n++) {
        double a[ROWS][COLUMNS], b[ROWS], x[COLUMNS], y[ROWS], x1[COLUMNS], y1[ROWS], one[ROWS], scale[ROWS];
        draw_rows(a, b);
        for (int i = 0; i < ROWS; i++) {
            one[i] = 1;
            scale[i] = i > 3 ? pow(10, 14 * draw()) : 1e-5;
            scale[i] = i > 4 ? scale[4] : scale[i];
        }
        solve(o, a, one, b, x, y);
        solve(o, a, scale, b, x1, y1);
        for (int i = 0; i < ROWS; i++) {
            double off = -b[i], product = -b[i];
            y1[i] *= scale[i];
            for (int k = 0; k < COLUMNS; k++)
                off += a[i][k] * x[k];
            for (int r = 0; r < ROWS; r++)
                for (int k = 0; k < COLUMNS; k++)
                    product += a[i][k] * a[r][k] * y[r];
            worst = fmax(worst, fmax(fabs(off), 0.01 * fabs(product)));
        }
        worst = fmax(worst, fmax(farthest(x, x1, COLUMNS), 0.01 * farthest(y, y1, ROWS)));
    }
    carom_orthogonal_free(o);
    carom_context_free(ctx);
    /* the condition of random rows of five is below 1e3 in 200 draws: of 16 digits 12 are left */
    print_message("rows and solutions are off by %.2g, allowed 1e-11\n", worst);
    assert_true(worst < 1e-11);
}

static void test_rank(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_orthogonal *o;
    assert_int_equal(carom_orthogonal_create(ctx, ROWS, COLUMNS, &o), CAROM_OK);
    for (int n = 0; n < 200; n++) {
        double a[ROWS][COLUMNS], b[ROWS];
        bool redundant[ROWS];
        draw_rows(a, b);
        for (int i = 0; i < ROWS; i++) {
            const double scale = pow(10, 24 * draw());
            for (int k = 0; k < COLUMNS; k++)
                carom_orthogonal_rows(o)[i * COLUMNS + k] = scale * a[i][k];
        }
        assert_int_equal(carom_orthogonal_rank(o, redundant), ROWS - 2);
        for (int i = 0; i < ROWS; i++)
            assert_int_equal(redundant[i], i == 3 || i == 6);
    }
    carom_orthogonal_free(o);
    carom_context_free(ctx);
}

/* Two rows that differ by 1e-6 of their length: their product with themselves has a condition of 4e12. */
static void test_nearly_parallel(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_orthogonal *o;
    carom_dense *dense;
    const double e = 1e-6, rows[2][3] = {{1, 0, 0}, {1, e, 0}};
    assert_int_equal(carom_orthogonal_create(ctx, 2, 3, &o), CAROM_OK);
    assert_int_equal(carom_dense_create(ctx, 2, &dense), CAROM_OK);
    memcpy(carom_orthogonal_rows(o), rows, sizeof rows);
    double b[2] = {1, 1 + 2 * e};
    assert_true(carom_orthogonal_factor(o));
    const double *x = carom_orthogonal_solve(o, b);
    print_message("x = %.17g %.17g %.17g, wanted 1 2 0\n", x[0], x[1], x[2]);
    /* b is rounded by 1e-16, and the second number is that over 1e-6 */
    assert_true(fabs(x[0] - 1) < 1e-15 && fabs(x[1] - 2) < 1e-9 && x[2] == 0);
    double *s = carom_dense_matrix(dense);
    s[0] = 1;
    s[1] = s[2] = 1;
    s[3] = 1 + e * e;
    assert_false(carom_dense_factor(dense));
    carom_dense_free(dense);
    carom_orthogonal_free(o);
    carom_context_free(ctx);
}

static void test_not_finite(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_orthogonal *o;
    assert_int_equal(carom_orthogonal_create(ctx, 2, 3, &o), CAROM_OK);
    carom_orthogonal_rows(o)[4] = NAN;
    assert_false(carom_orthogonal_factor(o));
    /* rows of zeros have no rank and no multipliers */
    memset(carom_orthogonal_rows(o), 0, 6 * sizeof(double));
    double b[2] = {0, 0};
    assert_true(carom_orthogonal_factor(o));
    assert_true(carom_orthogonal_solve(o, b)[0] == 0 && b[0] == 0 && b[1] == 0);
    carom_orthogonal_free(o);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_nearly_parallel),
        cmocka_unit_test(test_not_finite),
    };
    return cmocka_run_group_tests_name("orthogonal", tests, NULL, NULL);
}

/* Newton's method with a line search: Rosenbrock's and Powell's equations, steps that must be cut where there are no
   residuals, and equations without a solution. */
#include "carom_test.h"

#include <math.h>

#include "integrate/nonlinear.h"

static bool rosenbrock(void *user, const double *x, double *f)
{
    (void)user;
    f[0] = 10 * (x[1] - x[0] * x[0]);
    f[1] = 1 - x[0];
    return true;
}

static bool rosenbrock_slopes(void *user, const double *x, double *m)
{
    (void)user;
    m[0] = -20 * x[0];
    m[1] = -1;
    m[2] = 10;
    m[3] = 0;
    return true;
}

/* log(x) - 1: none at x <= 0. */
static bool logarithm(void *user, const double *x, double *f)
{
    ++*(int *)user;
    f[0] = log(x[0]) - 1;
    return x[0] > 0;
}

static bool logarithm_slope(void *user, const double *x, double *m)
{
    (void)user;
    m[0] = 1 / x[0];
    return true;
}

static bool never(void *user, const double *x, double *f)
{
    (void)user;
    f[0] = 1 + x[0] * x[0];
    return true;
}

static bool never_slope(void *user, const double *x, double *m)
{
    (void)user;
    m[0] = 2 * x[0];
    return true;
}

static void test_solve(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    int steps = 0, calls = 0;
    bool found;
    double x[2] = {-1.2, 1};
    const carom_nonlinear valley = {2, NULL, rosenbrock, rosenbrock_slopes, 1e-12, 10, 100};
    assert_ok(ctx, carom_nonlinear_solve(ctx, &valley, x, &found, &steps));
    assert_true(found && fabs(x[0] - 1) < 1e-12 && fabs(x[1] - 1) < 1e-12 && steps > 1 && steps < 30);
    double y = 9; /* Newton's step leads to 9 (2 - log 9) < 0 */
    const carom_nonlinear cut = {1, &calls, logarithm, logarithm_slope, 1e-13, 100, 50};
    assert_ok(ctx, carom_nonlinear_solve(ctx, &cut, &y, &found, &steps));
    assert_true(found && fabs(y - exp(1)) < 1e-12 && calls > 3);
    double z = 0.7;
    const carom_nonlinear none = {1, NULL, never, never_slope, 1e-12, 1, 30};
    assert_ok(ctx, carom_nonlinear_solve(ctx, &none, &z, &found, &steps));
    assert_false(found);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solve)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Lambert's W: both branches and the forms of the lower one, by their residual in extended precision and against values
   of 40 digits (mpmath). */
#include "carom_test.h"

#include <float.h>
#include <math.h>

#include "base/base.h"
#include "math/lambert.h"

#define POINTS 100000

/* u - ln(1 + u) in extended precision, as a series where it cancels. */
static long double excess_of(long double u)
{
    if (u > 0.1L)
        return u - logl(1 + u);
    long double sum = 0;
    for (int j = 30; j >= 2; j--)
        sum = sum * -u + 1.0L / j;
    return sum * u * u;
}

static double differ(double a, double b) { return a == b ? 0 : fabs(a - b) / fmax(fabs(a), fabs(b)); }

/* u of u - ln(1 + u) = t, t from 1e-300 to 745. A rounding of t shifts u by t/u (1 + u)/u < 1 roundings, so that the
   error is the function's own. */
static void test_excess(void **state)
{
    (void)state;
    double worst_u = 0, worst_w = 0, at = 0, before = 0;
    for (int k = 0; k <= POINTS; k++) {
        const double t = pow(10, -300 + k * (300 + 2.872) / POINTS), u = carom_lambert_excess(t);
        assert_true(u > before);
        before = u;
        const long double error = (excess_of(u) - t) * (1 + (long double)u) / u;
        if (fabsl(error) / u > worst_u) {
            worst_u = (double)(fabsl(error) / u);
            at = t;
        }
        worst_w = fmax(worst_w, (double)(fabsl(error) / (1 + (long double)u)));
    }
    printf("excess: relative error of u %.2g (at t = %g), of 1 + u %.2g\n", worst_u, at, worst_w);
    assert_true(worst_u < 1e-15 && worst_w < 3e-16);
    assert_true(carom_lambert_excess(0) == 0);
    assert_true(isnan(carom_lambert_excess(-1e-300)) && isnan(carom_lambert_excess((double)NAN)));
}

/* The same evenly, and densely about t = 1, where the rational function matters most. */
static void test_excess_evenly(void **state)
{
    (void)state;
    double worst = 0, before = 0;
    for (int k = 1; k <= 2 * POINTS; k++) {
        const double t = k <= POINTS ? 5.0 * k / POINTS : 5 + 745.0 * (k - POINTS) / POINTS;
        const double u = carom_lambert_excess(t);
        assert_true(u > before);
        before = u;
        worst = fmax(worst, (double)(fabsl(excess_of(u) - t) * (1 + (long double)u) / u / u));
    }
    printf("excess, evenly: %.2g\n", worst);
    assert_true(worst < 1e-15);
}

/* y (1 - ln y) = s over s from 1e-300 to 1, and near 1 by 1 - s from 1e-300. The error of y in units of its own: the
   residual over dy = ds/(-ln y). */
static void test_line(void **state)
{
    (void)state;
    double worst = 0, near = 0, u;
    for (int k = 0; k <= POINTS; k++) {
        const double s = pow(10, -300 + 300.0 * k / POINTS), y = carom_lambert_line(s, 1 - s, &u);
        assert_true(y > 0 && y <= 1 && u >= 0);
        if (s < 0.9) {
            const long double residual = y * (1 - logl(y)) - s;
            worst = fmax(worst, (double)fabsl(residual / -logl(y) / y));
        }
    }
    for (int k = 0; k <= POINTS; k++) {
        /* with rest = 1 - s, t = -ln(1 - rest) */
        const double rest = 0.1 * pow(10, -299.0 * k / POINTS), y = carom_lambert_line(1 - rest, rest, &u);
        const long double error = (excess_of(u) + log1pl(-(long double)rest)) * (1 + (long double)u) / u;
        near = fmax(near, (double)(fabsl(error) / u));
        assert_true(differ(y, exp(-u)) < 1e-15);
    }
    printf("line: relative error of y %.2g, of ln y near s = 1 %.2g\n", worst, near);
    assert_true(worst < 1e-15 && near < 1e-15);
    assert_true(carom_lambert_line(1, 0, &u) == 1 && u == 0);
    assert_true(carom_lambert_line(0, 1, &u) == 0 && isinf(u));
    assert_true(carom_lambert_line(DBL_TRUE_MIN, 1, &u) >= 0 && isfinite(u));
}

/* x from the least number to -1/e, dense near both ends. */
static void test_lower_branch(void **state)
{
    (void)state;
    double worst = 0, before = -HUGE_VAL;
    for (int k = 0; k <= POINTS; k++) {
        const double x = -pow(10, -323 + (323 - 0.43431) * k / POINTS), w = carom_lambert_wm1(x);
        assert_true(w >= before && w <= -1);
        before = w;
        /* w - ln(x/w) = 0, slope (w + 1)/w */
        const long double residual = w - logl((long double)x / w);
        worst = fmax(worst, (double)fabsl(residual / (1 + (long double)w)));
    }
    printf("lower branch: %.2g\n", worst);
    assert_true(worst < 1e-15);
}

static void test_upper_branch(void **state)
{
    (void)state;
    double worst = 0;
    for (int k = 0; k <= POINTS; k++) {
        const double size = pow(10, -300 + k * 600.0 / POINTS);
        for (int sign = -1; sign <= 1; sign += 2) {
            const double x = sign * size;
            if (x < -0.3678)
                continue;
            const double w = carom_lambert_w0(x);
            const long double residual = w - logl((long double)x / w);
            worst = fmax(worst, (double)fabsl(residual / (1 + (long double)w)));
        }
    }
    for (int k = 0; k <= POINTS; k++) {
        const double x = -0.3678 + 0.3678 * k / POINTS, w = carom_lambert_w0(x);
        if (x < 0)
            worst = fmax(worst, (double)fabsl((w - logl((long double)x / w)) / (1 + (long double)w)));
    }
    printf("upper branch: %.2g\n", worst);
    assert_true(worst < 1e-15);
}

/* mpmath, 40 digits, at exactly these doubles. */
static void test_values(void **state)
{
    (void)state;
    static const struct {
        double x, lower, upper;
    } rows[] = {
        {-0.3678794411714423, -1.000000015304254284642, -0.9999999846957458715048},
        {-0.36787944117, -1.000002800241816537296, -0.9999971997634110224325},
        {-0.3678794, -1.000473182613085381891, -0.9995269666077005325019},
        {-0.367, -1.07079188676805216693, -0.9323991847479282166778},
        {-0.36, -1.222770133978506156274, -0.80608431597081762445},
        {-0.35, -1.349717252192249078232, -0.716638816456073690141},
        {-0.3, -1.781337023421627696346, -0.489402227180214933565},
        {-0.25, -2.153292364110349649169, -0.3574029561813889030688},
        {-0.2, -2.542641357773526332798, -0.2591711018190737644766},
        {-0.1, -3.577152063957297141359, -0.1118325591589629718232},
        {-0.01, -6.472775124394004670121, -0.01010152719853875348535},
        {-1e-5, -14.16360081581018292109, -0.00001000010000150002748523},
        {-1e-10, -26.29523881924692565624, -1.000000000100000036447e-10},
        {-1e-50, -119.9160465354368151582, -1.000000000000000007616e-50},
        {-1e-300, -697.3227762954601609703, -1.000000000000000025059e-300},
        {-DBL_TRUE_MIN, -751.0615595398790806016, -DBL_TRUE_MIN},
    };
    double lower = 0, upper = 0;
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        lower = fmax(lower, differ(carom_lambert_wm1(rows[k].x), rows[k].lower));
        upper = fmax(upper, differ(carom_lambert_w0(rows[k].x), rows[k].upper));
    }
    /* exact: W_{-1}(-ln 2/2) = -2 ln 2, W_0 of it = -ln 2, W_0(e) = 1 */
    const double ln2 = 0.69314718055994530942;
    lower = fmax(lower, differ(carom_lambert_wm1(-0.5 * ln2), -2 * ln2));
    upper = fmax(upper, differ(carom_lambert_w0(-0.5 * ln2), -ln2));
    upper = fmax(upper, differ(carom_lambert_w0(2.71828182845904523536), 1));
    printf("values: lower %.2g, upper %.2g\n", lower, upper);
    assert_true(lower < 1e-15 && upper < 1e-15);
    /* the double nearest to -1/e lies 3e-17/e below it */
    assert_true(carom_lambert_wm1(-0.36787944117144233) == -1 && carom_lambert_w0(-0.36787944117144233) == -1);
    assert_true(isnan(carom_lambert_wm1(-0.3678794411714424)) && isnan(carom_lambert_w0(-0.3678794411714424)));
    assert_true(isnan(carom_lambert_wm1(0.1)) && isnan(carom_lambert_wm1((double)NAN)));
    assert_true(carom_lambert_wm1(0) == -HUGE_VAL && carom_lambert_w0(0) == 0 && isinf(carom_lambert_w0(HUGE_VAL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_excess),       cmocka_unit_test(test_excess_evenly), cmocka_unit_test(test_line),
        cmocka_unit_test(test_lower_branch), cmocka_unit_test(test_upper_branch),  cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

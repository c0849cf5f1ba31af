/* Samplers of studies: Sobol's sequence against published points, strata, discrepancy, and the sensitivity indices of
   functions whose indices are known in closed form, through studies without a model. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/study.h"
#include "study/sampler/sampler.h"

#define PI 3.14159265358979323846

static void assert_close(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%.17g is not %.17g to %g", got, expected, tolerance);
}

static carom_study *read_study(carom_context *ctx, const char *text)
{
    carom_study *study;
    assert_ok(ctx, carom_study_parse(ctx, "study.yaml", text, strlen(text), NULL, &study));
    assert_ok(ctx, carom_study_check(ctx, study));
    return study;
}

/* Values of the first quantity of all runs. */
static double *all_values(carom_context *ctx, const carom_study *study)
{
    const size_t runs = carom_study_get_info(study).runs;
    double *values = malloc(runs * sizeof *values);
    carom_study_runner *runner;
    assert_ok(ctx, carom_study_runner_create(ctx, study, &runner));
    for (size_t k = 0; k < runs; k++) {
        carom_study_outcome o;
        assert_ok(ctx, carom_study_run(runner, k, NULL, NULL, &o));
        assert_string_equal(o.status, "completed");
        values[k] = o.quantities[0];
    }
    carom_study_runner_free(runner);
    return values;
}

/* ---- Sobol's sequence ---- */

/* The first ten points in three dimensions that Joe and Kuo's program prints. */
static void test_sequence(void **state)
{
    static const double points[10][3] = {{0, 0, 0},
                                         {0.5, 0.5, 0.5},
                                         {0.75, 0.25, 0.25},
                                         {0.25, 0.75, 0.75},
                                         {0.375, 0.375, 0.625},
                                         {0.875, 0.875, 0.125},
                                         {0.625, 0.125, 0.875},
                                         {0.125, 0.625, 0.375},
                                         {0.1875, 0.3125, 0.9375},
                                         {0.6875, 0.8125, 0.4375}};
    (void)state;
    for (uint32_t k = 0; k < 10; k++)
        for (size_t side = 0; side < 3; side++)
            assert_close(carom_sobol_bits(side, k) * 0x1p-32, points[k][side], 0);
}

/* Each of 2^m equal parts of each side has one of 2^m points, in all sides of the table: it is a (t, s) sequence whose
   projections are (0, 1) sequences. */
static void test_one_point_in_each_part(void **state)
{
    enum { COUNT = 256 };
    (void)state;
    for (size_t side = 0; side < CAROM_SOBOL_SIDES; side++)
        for (uint64_t seed = 0; seed < 2; seed++) {
            bool seen[COUNT] = {false};
            for (size_t k = 0; k < COUNT; k++) {
                const size_t part = (size_t)(carom_sobol_coordinate(seed, side, k, COUNT) * COUNT);
                assert_true(part < COUNT);
                assert_false(seen[part]);
                seen[part] = true;
            }
        }
}

/* ---- discrepancy ---- */

/* Centred L2 discrepancy (F. J. Hickernell 1998, Math. Comp. 67, 299-322). */
static double discrepancy(carom_context *ctx, const carom_study *study)
{
    const carom_study_info info = carom_study_get_info(study);
    const size_t n = info.runs, d = info.parameters;
    double *x = malloc(n * d * sizeof *x), single = 0, pairs = 0;
    for (size_t i = 0; i < n; i++)
        assert_ok(ctx, carom_study_point(ctx, study, i, x + i * d));
    for (size_t i = 0; i < n; i++) {
        double product = 1;
        for (size_t k = 0; k < d; k++) {
            const double a = fabs(x[i * d + k] - 0.5);
            product *= 1 + 0.5 * a - 0.5 * a * a;
        }
        single += product;
        for (size_t j = 0; j < n; j++) {
            product = 1;
            for (size_t k = 0; k < d; k++)
                product *= 1 + 0.5 * fabs(x[i * d + k] - 0.5) + 0.5 * fabs(x[j * d + k] - 0.5) -
                           0.5 * fabs(x[i * d + k] - x[j * d + k]);
            pairs += product;
        }
    }
    free(x);
    return sqrt(pow(13.0 / 12, (double)d) - 2.0 / (double)n * single + pairs / (double)(n * n));
}

static double discrepancy_of(carom_context *ctx, const char *sampling)
{
    char text[512];
    snprintf(text, sizeof text,
             "parameters: {a: {from: 0, to: 1}, b: {from: 0, to: 1}, c: {from: 0, to: 1}, d: {from: 0, to: 1}}\n"
             "sampling: %s\nquantities: {y: a}\n",
             sampling);
    carom_study *study = read_study(ctx, text);
    const double value = discrepancy(ctx, study);
    carom_study_free(study);
    return value;
}

/* Mean square of independent points is ((5/4)^d - (13/12)^d)/n. Of strata in each side it is less, of Sobol's points an
   order of n less. */
static void test_discrepancy(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    const double expected = sqrt((pow(1.25, 4) - pow(13.0 / 12, 4)) / 256);
    double random = 0, latin = 0;
    char text[64];
    for (int seed = 1; seed <= 8; seed++) {
        snprintf(text, sizeof text, "{type: random, count: 256, seed: %d}", seed);
        random += discrepancy_of(ctx, text) / 8;
        snprintf(text, sizeof text, "{type: latin-hypercube, count: 256, seed: %d}", seed);
        latin += discrepancy_of(ctx, text) / 8;
    }
    const double sobol = discrepancy_of(ctx, "{type: sobol, count: 256}");
    assert_true(random > 0.8 * expected && random < 1.2 * expected);
    assert_true(latin < 0.8 * random);
    assert_true(sobol < 0.2 * random && sobol < 0.4 * latin);
    carom_context_free(ctx);
}

static void test_latin_hypercube(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_study *study = read_study(ctx, "parameters: {a: {from: 0, to: 10}, b: {from: 1, to: 100, scale: log}}\n"
                                         "sampling: {type: latin-hypercube, count: 50, seed: 7}\n"
                                         "quantities: {y: a}\n");
    bool seen[2][50] = {{false}};
    for (size_t k = 0; k < 50; k++) {
        double x[2];
        assert_ok(ctx, carom_study_point(ctx, study, k, x));
        const size_t a = (size_t)(x[0] * 5), b = (size_t)(log10(x[1]) / 2 * 50);
        assert_false(seen[0][a] || seen[1][b]);
        seen[0][a] = seen[1][b] = true;
    }
    carom_study_free(study);
    carom_context_free(ctx);
}

/* Quantiles of the standard normal distribution, from tables: 0.975 is 1.959963984540054. */
static void test_normal(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_study *study = read_study(ctx, "parameters: {a: {mean: 3, sd: 2}}\nsampling: {type: sobol, count: 4096}\n"
                                         "quantities: {y: a}\n");
    double sum = 0, square = 0, above = 0;
    for (size_t k = 0; k < 4096; k++) {
        double x;
        assert_ok(ctx, carom_study_point(ctx, study, k, &x));
        sum += x - 3;
        square += (x - 3) * (x - 3);
        above += x > 3 + 2 * 1.959963984540054;
    }
    /* points in the middle of equal parts: the tails beyond 1/8192 are left out, of variance 4 about 2e-3 */
    assert_close(sum / 4096, 0, 1e-9);
    assert_close(square / 4096, 4, 4e-3);
    assert_close(above, floor(0.025 * 4096 + 0.5), 0);
    carom_study_free(study);
    carom_context_free(ctx);
}

/* ---- sensitivity ---- */

/* Ishigami's function with a = 7, b = 0.1: I. M. Sobol', Y. L. Levitan 1999. */
#define ISHIGAMI                                                                             \
    "parameters: {x: {from: -pi, to: pi}, y: {from: -pi, to: pi}, z: {from: -pi, to: pi}}\n" \
    "quantities: {f: 'sin(x) + 7*sin(y)^2 + 0.1*z^4*sin(x)'}\n"

static void assert_index(double got, double low, double high, double exact, double tolerance)
{
    assert_close(got, exact, tolerance);
    /* the interval holds the exact value; it is one of 95 % for random samples, and Sobol's points do better */
    assert_true(low <= exact + tolerance && exact <= high + tolerance);
}

static void test_ishigami(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_study *study = read_study(ctx, ISHIGAMI "sampling: {type: saltelli, count: 4096}\n");
    double *values = all_values(ctx, study);
    carom_study_index index[3];
    size_t used;
    assert_ok(ctx, carom_study_indices(ctx, study, values, index, &used));
    assert_int_equal(used, 4096);
    const double a = 7, b = 0.1, p4 = pow(PI, 4), p8 = p4 * p4;
    const double v1 = 0.5 * pow(1 + b * p4 / 5, 2), v2 = a * a / 8, v13 = b * b * p8 * (1.0 / 18 - 1.0 / 50);
    const double v = v1 + v2 + v13;
    const double first[] = {v1 / v, v2 / v, 0}, total[] = {(v1 + v13) / v, v2 / v, v13 / v};
    for (int k = 0; k < 3; k++) {
        assert_index(index[k].first, index[k].first_low, index[k].first_high, first[k], 0.01);
        assert_index(index[k].total, index[k].total_low, index[k].total_high, total[k], 0.01);
    }
    free(values);
    carom_study_free(study);
    carom_context_free(ctx);
}

/* Sobol's g-function of six variables: a = 0, 0.5, 3, 9, 99, 99. */
static void test_g_function(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    static const double a[] = {0, 0.5, 3, 9, 99, 99};
    carom_study *study = read_study(
        ctx, "parameters: {x1: {from: 0, to: 1}, x2: {from: 0, to: 1}, x3: {from: 0, to: 1}, x4: {from: 0, to: 1},\n"
             "  x5: {from: 0, to: 1}, x6: {from: 0, to: 1}}\n"
             "sampling: {type: saltelli, count: 4096, seed: 3}\n"
             "quantities: {g: 'abs(4*x1-2)*(abs(4*x2-2)+0.5)/1.5*(abs(4*x3-2)+3)/4*(abs(4*x4-2)+9)/10"
             "*(abs(4*x5-2)+99)/100*(abs(4*x6-2)+99)/100'}\n");
    double *values = all_values(ctx, study), product = 1;
    carom_study_index index[6];
    size_t used;
    assert_ok(ctx, carom_study_indices(ctx, study, values, index, &used));
    for (int k = 0; k < 6; k++)
        product *= 1 + 1 / (3 * (1 + a[k]) * (1 + a[k]));
    for (int k = 0; k < 6; k++) {
        const double own = 1 / (3 * (1 + a[k]) * (1 + a[k])), v = product - 1;
        assert_index(index[k].first, index[k].first_low, index[k].first_high, own / v, 0.015);
        assert_index(index[k].total, index[k].total_low, index[k].total_high, own * product / (1 + own) / v, 0.015);
    }
    free(values);
    carom_study_free(study);
    carom_context_free(ctx);
}

/* Mean and mean size of the elementary effects over all points of the grid. */
static void exact_effects(int side, double *mean, double *star)
{
    static const double step = 2.0 / 3;
    double sum = 0, size = 0, count = 0;
    for (int n = 0; n < 2 * 4 * 4; n++) {
        double u[3], f[2];
        const int place[3] = {n % 2, n / 2 % 4, n / 8};
        for (int end = 0; end < 2; end++) {
            for (int k = 0; k < 3; k++)
                u[(side + k) % 3] = -PI + 2 * PI * (place[k] + (k == 0 ? 2 * end : 0)) / 3;
            f[end] = sin(u[0]) + 7 * sin(u[1]) * sin(u[1]) + 0.1 * pow(u[2], 4) * sin(u[0]);
        }
        sum += (f[1] - f[0]) / step;
        size += fabs(f[1] - f[0]) / step;
        count++;
    }
    *mean = sum / count;
    *star = size / count;
}

static void test_morris(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_study *study = read_study(ctx, ISHIGAMI "sampling: {type: morris, count: 2000, seed: 5}\n");
    double *values = all_values(ctx, study);
    carom_study_index index[3];
    size_t used;
    assert_int_equal(carom_study_get_info(study).runs, 8000);
    assert_ok(ctx, carom_study_indices(ctx, study, values, index, &used));
    for (int k = 0; k < 3; k++) {
        double mean, star;
        exact_effects(k, &mean, &star);
        /* four standard errors of the mean of 2000 trajectories */
        const double tolerance = 4 * index[k].first / sqrt(2000) + 1e-12;
        assert_close(index[k].mean, mean, tolerance);
        assert_close(index[k].total, star, tolerance);
        assert_true(index[k].total_low <= index[k].total && index[k].total <= index[k].total_high);
    }
    free(values);
    carom_study_free(study);
    /* a linear function has no scatter, and what it does in the range is its slope times the range */
    study = read_study(ctx, "parameters: {x: {from: 1, to: 3}, y: {from: 0, to: 10}}\n"
                            "sampling: {type: morris, count: 4}\nquantities: {f: 3*x - y}\n");
    values = all_values(ctx, study);
    assert_ok(ctx, carom_study_indices(ctx, study, values, index, &used));
    assert_close(index[0].mean, 6, 1e-12);
    assert_close(index[1].mean, -10, 1e-12);
    assert_close(index[1].total, 10, 1e-12);
    assert_close(index[0].first, 0, 1e-12);
    free(values);
    carom_study_free(study);
    carom_context_free(ctx);
}

/* Samples with a run that has no value are left out; other samplings have no indices. */
static void test_indices_refused(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_study *study = read_study(ctx, ISHIGAMI "sampling: {type: saltelli, count: 64}\n");
    double *values = all_values(ctx, study);
    carom_study_index index[3];
    size_t used;
    values[12] = NAN;
    assert_ok(ctx, carom_study_indices(ctx, study, values, index, &used));
    assert_int_equal(used, 63);
    for (size_t k = 0; k < 320; k++)
        values[k] = 2;
    assert_refused(ctx, carom_study_indices(ctx, study, values, index, &used), CAROM_ERROR_USAGE,
                   "the same in all runs");
    free(values);
    carom_study_free(study);
    study = read_study(ctx, ISHIGAMI "sampling: {type: sobol, count: 64}\n");
    assert_refused(ctx, carom_study_indices(ctx, study, &index[0].mean, index, &used), CAROM_ERROR_USAGE, "saltelli");
    carom_study_free(study);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequence),        cmocka_unit_test(test_one_point_in_each_part),
        cmocka_unit_test(test_discrepancy),     cmocka_unit_test(test_latin_hypercube),
        cmocka_unit_test(test_normal),          cmocka_unit_test(test_ishigami),
        cmocka_unit_test(test_g_function),      cmocka_unit_test(test_morris),
        cmocka_unit_test(test_indices_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

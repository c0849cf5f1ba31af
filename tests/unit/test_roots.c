/* The steps towards a root (math/roots.h) and the cubic of a step (math/hermite.h). */
#include "carom_test.h"

#include <math.h>

#include "math/hermite.h"
#include "math/roots.h"
#include "math/vec.h"

static void assert_near(double a, double b, double error) { assert_true(fabs(a - b) <= error); }

/* cos x = x */
static double f(double x) { return cos(x) - x; }
#define ROOT 0.73908513321516067

static void test_newton_stays_between(void **state)
{
    (void)state;
    assert_near(carom_newton_between(0.7, f(0.7), -sin(0.7) - 1, 0, 1), 0.739436497848058, 1e-14);
    assert_true(carom_newton_between(0.5, 1, 0, 0, 1) == 0.5);
    assert_true(carom_newton_between(0.1, 1, 0.5, 0, 1) == 0.5);
    assert_true(carom_newton_between(0.1, 0, 0, 0, 1) == 0.5);
}

static int steps_to_root(carom_bracket b, double *root)
{
    for (int k = 0; k < 100; k++) {
        const double x = carom_bracket_next(&b, false), value = f(x);
        carom_bracket_take(&b, x, value);
        assert_true(b.at_low * b.at_high <= 0);
        if (fabs(value) < 1e-15) {
            *root = x;
            return k;
        }
    }
    return 100;
}

static void test_bracket_both_ways(void **state)
{
    (void)state;
    double root = 0;
    assert_in_range(steps_to_root((carom_bracket){0, 20, f(0), f(20), 0}, &root), 1, 20);
    assert_near(root, ROOT, 1e-15);
    assert_in_range(steps_to_root((carom_bracket){20, 0, f(20), f(0), 0}, &root), 1, 20);
    assert_near(root, ROOT, 1e-15);
    const carom_bracket b = {0, 20, f(0), f(20), 0};
    assert_true(carom_bracket_next(&b, true) == 10);
}

static void test_zero_becomes_the_high_end(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        carom_bracket b = {0, 1, sign, -sign, 0};
        carom_bracket_take(&b, 0.25, 0);
        assert_true(b.low == 0 && b.high == 0.25 && b.at_high == 0);
    }
}

/* Exact for a cubic: x^3 - 2 x^2 + 3 from 1 to 3. */
static void test_hermite_is_exact_for_cubics(void **state)
{
    (void)state;
    const carom_hermite k = carom_hermite_between(2, 2, -1, 12, 15);
    for (int n = 0; n <= 10; n++) {
        const double s = 0.1 * n, x = 1 + 2 * s, value = x * x * x - 2 * x * x + 3;
        const carom_hermite_weights w = carom_hermite_at(s, 2);
        assert_near(carom_hermite_value(&k, s), value, 1e-13);
        assert_near(carom_hermite_slope(&k, s) / 2, 3 * x * x - 4 * x, 1e-13);
        assert_near(w.value0 * 2 + w.value1 * 12 + w.rate0 * -1 + w.rate1 * 15, value, 1e-13);
    }
}

/* Every component is the largest one once; the length is four times it. */
static void test_quaternion_of_axes(void **state)
{
    (void)state;
    const carom_quat turns[4] = {
        {0.9, 0.1, -0.3, 0.2}, {0.1, -0.9, 0.3, 0.2}, {-0.2, 0.1, 0.9, 0.3}, {0.3, 0.2, 0.1, -0.9}};
    for (int k = 0; k < 4; k++) {
        const carom_quat q = carom_quat_normalise(turns[k]);
        const carom_mat3 axes = carom_quat_matrix(q);
        double along[4];
        int largest;
        carom_quat_along_axes(&axes, along, &largest);
        assert_int_equal(largest, k);
        const double own[4] = {q.w, q.x, q.y, q.z}, sign = q.w < 0 ? -1 : 1;
        const carom_quat back = carom_quat_from_axes(&axes);
        const double got[4] = {back.w, back.x, back.y, back.z};
        for (int n = 0; n < 4; n++) {
            assert_near(along[n], 4 * fabs(own[k]) * own[n] * (own[k] < 0 ? -1 : 1), 1e-14);
            assert_near(got[n], sign * own[n], 1e-15);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newton_stays_between),
        cmocka_unit_test(test_bracket_both_ways),
        cmocka_unit_test(test_zero_becomes_the_high_end),
        cmocka_unit_test(test_hermite_is_exact_for_cubics),
        cmocka_unit_test(test_quaternion_of_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

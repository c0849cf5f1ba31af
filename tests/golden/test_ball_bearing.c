/* Ball bearing (models/ball_bearing.yaml) at rest under a radial load, against the distribution of the load over the
   balls that docs/theory/machines.md derives: stiffness of the elliptical contacts from their own integrals, the two
   of a ball in series, and the shift of the inner ring that balances the load. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/runs.h"
#include "support/sample.h"

#define BALLS 7
#define LEDGER 1e-6

/* Values of the model file [m, Pa]. */
static const double ball = 3e-3, pitch = 13e-3, groove = 0.52 * 6e-3, modulus = 1e9 / (2 * (1 - 0.4 * 0.4));

/* ---- closed form ---- */

/* Complete elliptic integrals of the eccentricity e, by the arithmetic-geometric mean. */
static void integrals(double e, double *first, double *second)
{
    double a = 1, b = sqrt(1 - e * e), c = e, power = 0.5, sum = 0.5 * e * e;
    while (fabs(c) > 1e-16) {
        const double mean = 0.5 * (a + b);
        c = 0.5 * (a - b);
        b = sqrt(a * b);
        a = mean;
        power *= 2;
        sum += power * c * c;
    }
    *first = CAROM_PI / (2 * a);
    *second = *first * (1 - sum);
}

/* Stiffness of an elliptical contact with the relative curvatures high > low: the half axes a > b of the ellipse,
   with b = 1 and b times the pressure over the modulus taken as one, give curvatures, approach and load. */
static double stiffness(double high, double low)
{
    double e_low = 1e-6, e_high = 1 - 1e-12, first, second, A = 0, e = 0;
    for (int n = 0; n < 200; n++) {
        e = 0.5 * (e_low + e_high);
        const double axes = 1 / (1 - e * e); /* (a/b)^2 */
        integrals(e, &first, &second);
        A = (first - second) / (axes * e * e);
        const double B = (axes * second - first) / (axes * e * e);
        *(B / A < high / low ? &e_low : &e_high) = e;
    }
    /* a length L scales: curvatures 1/L, approach L, load L^2 */
    const double length = 2 * A / low, load = 2 * CAROM_PI / (3 * sqrt(1 - e * e)) * length * length;
    return modulus * load / pow(first * length, 1.5);
}

static double stiffness_of_ball(double clearance)
{
    const double across = 1 / ball - 1 / groove, inner = 1 / ball + 1 / (pitch - ball - clearance);
    const double outer = 1 / ball - 1 / (pitch + ball + clearance);
    return pow(pow(stiffness(inner, across), -2 / 3.0) + pow(stiffness(outer, across), -2 / 3.0), -1.5);
}

/* Load of ball k where the inner ring has shifted. */
static double load_of(int k, double shift, double clearance, double K)
{
    return K * pow(fmax(0, shift * cos(2 * CAROM_PI * k / BALLS) - 2 * clearance), 1.5);
}

static double shift_under(double load, double clearance, double K)
{
    double low = 0, high = 1e-3;
    for (int n = 0; n < 100; n++) {
        const double shift = 0.5 * (low + high);
        double sum = 0;
        for (int k = 0; k < BALLS; k++)
            sum += load_of(k, shift, clearance, K) * cos(2 * CAROM_PI * k / BALLS);
        *(sum < load ? &low : &high) = shift;
    }
    return low;
}

/* ---- against the model ---- */

static void compare(double load, double clearance)
{
    run_sets sets = {0};
    free_run run;
    margin m;
    char name[64];
    run_set(&sets, "speed", 0);
    run_set(&sets, "mu", 0);
    run_set(&sets, "e", 0.7);
    run_set(&sets, "keep", 5000);
    run_set(&sets, "load", load);
    run_set(&sets, "clearance", clearance);
    run_open(&run, "ball_bearing.yaml", &sets, 1e-6);
    free_run_to(&run, 0.02);
    const double K = stiffness_of_ball(clearance), shift = shift_under(load, clearance, K);
    const double most = load_of(0, shift, clearance, K);
    snprintf(name, sizeof name, "%g N, clearance %g um", load, 1e6 * clearance);
    margin_begin(&m, name);
    margin_add(&m, "shift [m]", 0, -free_run_get(&run, "body.inner.position.y"), shift, 2e-3 * shift);
    printf("           %s: shift %.4g um, loads", name, 1e6 * shift);
    for (int k = 0; k < BALLS; k++) {
        const double expected = load_of(k, shift, clearance, K);
        for (int side = 0; side < 2; side++) {
            char channel[64];
            snprintf(channel, sizeof channel, "contact.%s_%d.force", side ? "out" : "in", k + 1);
            margin_add(&m, channel, (size_t)k, free_run_get(&run, channel), expected, 2e-3 * most);
        }
        printf(" %.4g", expected);
    }
    printf(" N\n");
    margin_add(&m, "ledger", 0, carom_simulation_ledger(run.sim).residual_fraction, 0, LEDGER);
    free_run_close(&run);
    margin_end(&m);
}

static void test_load(void **state)
{
    (void)state;
    static const double cases[][2] = {{5, 5e-6}, {20, 5e-6}, {5, 1e-6}};
    for (size_t k = 0; k < CAROM_COUNT(cases); k++)
        if (sample_turn((int)k, 3, 3))
            compare(cases[k][0], cases[k][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_load)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

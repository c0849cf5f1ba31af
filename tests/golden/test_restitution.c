/* Restitution of free central impacts against closed forms, and the momentum of free impacts.

   Every law F = K delta^n (1 + A rate/v0) separates with the speed e' v0, where A(1 + e') = ln((1 + A)/(1 - A e')),
   whatever K and n are. The law `exact` chooses A so that e' is what was asked. The equation is solved here by
   bisection, apart from the library. */
#include "carom_test.h"

#include <math.h>

#include "support/runs.h"

#define ALLOWED 1e-6

/* ---- closed forms ---- */

static double factor_hunt_crossley(double e) { return 1.5 * (1 - e); }
static double factor_herbert_mcwhannell(double e) { return 6 * (1 - e) / ((2 * e - 1) * (2 * e - 1) + 3); }
static double factor_lee_wang(double e) { return 0.75 * (1 - e); }
static double factor_lankarani_nikravesh(double e) { return 0.75 * (1 - e * e); }
static double factor_gonthier(double e) { return (1 - e * e) / e; }
static double factor_zhiying_qishao(double e) { return 0.75 * (1 - e * e) * exp(2 * (1 - e)); }
static double factor_flores(double e) { return 8 * (1 - e) / (5 * e); }

static const struct {
    const char *law;
    double (*factor)(double e);
} laws[] = {{"hunt-crossley", factor_hunt_crossley},
            {"herbert-mcwhannell", factor_herbert_mcwhannell},
            {"lee-wang", factor_lee_wang},
            {"lankarani-nikravesh", factor_lankarani_nikravesh},
            {"gonthier", factor_gonthier},
            {"zhiying-qishao", factor_zhiying_qishao},
            {"flores", factor_flores}};

#define LAWS (sizeof laws / sizeof laws[0])

/* e' of a factor A: the difference of the two sides rises from below zero at e' = 0 without bound at e' = 1/A. */
static double restitution(double a)
{
    double low = 0, high = fmin(1, 1 / a);
    if (a == 0)
        return 1;
    for (int k = 0; k < 200; k++) {
        double middle = 0.5 * (low + high);
        if (log1p(a) - log1p(-a * middle) - a * (1 + middle) < 0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* ---- central impacts ---- */

/* Stiffness [N/m^n] that makes the impact last some 0.15 ms. */
static double stiffness(double n) { return n < 1.5 ? 2e7 : n > 1.5 ? 1.5e12 : 5.5e9; }

static double run_impact(const char *law, double e, double n, bool planar)
{
    run_sets sets = {0};
    free_run run;
    size_t count;
    run_set_word(&sets, "law", law);
    run_set(&sets, "e", e);
    run_set(&sets, "n", n);
    run_set(&sets, "K", stiffness(n));
    run_open(&run, planar ? "two_spheres.yaml" : "two_spheres_3d.yaml", &sets, 1e-10);
    assert_int_equal(carom_simulation_run(run.sim), CAROM_OK);
    const carom_impact *i = carom_simulation_impacts(run.sim, &count);
    assert_int_equal(count, 1);
    double got = i->e_got;
    free_run_close(&run);
    return got;
}

static const double exponents[3] = {1, 1.5, 2};

static void test_exact(void **state)
{
    (void)state;
    for (size_t n = 0; n < 3; n++) {
        char name[64];
        margin m;
        snprintf(name, sizeof name, "exact, n = %g", exponents[n]);
        margin_begin(&m, name);
        for (int k = 1; k <= 20; k++) {
            double e = 0.05 * k;
            margin_add(&m, "plane", (size_t)k, run_impact("exact", e, exponents[n], true), e, ALLOWED);
            margin_add(&m, "space", (size_t)k, run_impact("exact", e, exponents[n], false), e, ALLOWED);
        }
        margin_end(&m);
    }
}

static void test_closed_forms(void **state)
{
    (void)state;
    for (size_t law = 0; law < LAWS; law++)
        for (size_t n = 0; n < 3; n++) {
            char name[64];
            margin m;
            snprintf(name, sizeof name, "%s, n = %g", laws[law].law, exponents[n]);
            margin_begin(&m, name);
            for (int k = 1; k <= 10; k++) {
                double e = 0.1 * k, expected = restitution(laws[law].factor(e));
                margin_add(&m, "e'", (size_t)k, run_impact(laws[law].law, e, exponents[n], k % 2), expected, ALLOWED);
            }
            margin_end(&m);
        }
}

/* This test's own root against the reference data. */
static void test_own_root(void **state)
{
    (void)state;
    static const double factor[] = {0.45, 0.5696202531645570, 0.225, 0.3825, 0.7285714285714286, 0.6348282812664165};
    static const double expected[] = {0.7679997890784757, 0.7226826490879225, 0.8693431103470632,
                                      0.7959725953653285, 0.6695813197483054, 0.7};
    for (size_t k = 0; k < 6; k++)
        assert_true(fabs(restitution(factor[k]) - expected[k]) < 1e-12);
}

/* ---- momentum ---- */

/* Momentum and angular momentum about the origin of the two spheres. */
static void momentum(const free_run *run, double mass, double inertia, double *p, double *h)
{
    static const char *const names[2] = {"left", "right"};
    memset(p, 0, 3 * sizeof *p);
    memset(h, 0, 3 * sizeof *h);
    for (int k = 0; k < 2; k++) {
        carom_body_state s = free_run_body(run, names[k]);
        const double *x = s.position, *v = s.velocity;
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, l = (i + 2) % 3;
            p[i] += mass * v[i];
            h[i] += mass * (x[j] * v[l] - x[l] * v[j]) + inertia * s.angular_velocity[i];
        }
    }
}

static void check_momentum(const char *law, double offset, bool planar, margin *m)
{
    const double mass = 0.092, radius = 20e-3, speed = 0.15;
    double p[2][3], h[2][3];
    run_sets sets = {0};
    free_run run;
    size_t count;
    run_set_word(&sets, "law", law);
    run_set(&sets, "offset", offset);
    run_open(&run, planar ? "two_spheres.yaml" : "two_spheres_3d.yaml", &sets, 1e-10);
    momentum(&run, mass, 0.4 * mass * radius * radius, p[0], h[0]);
    assert_int_equal(carom_simulation_run(run.sim), CAROM_OK);
    momentum(&run, mass, 0.4 * mass * radius * radius, p[1], h[1]);
    carom_simulation_impacts(run.sim, &count);
    assert_int_equal(count, 1);
    free_run_close(&run);
    for (int i = 0; i < 3; i++) {
        margin_add(m, "momentum", (size_t)i, p[1][i], p[0][i], 1e-10 * 2 * mass * speed);
        margin_add(m, "angular momentum", (size_t)i, h[1][i], h[0][i], 1e-10 * 2 * mass * speed * radius);
    }
}

static void test_momentum(void **state)
{
    (void)state;
    static const double offsets[] = {0, 5e-3, 20e-3, 36e-3};
    for (size_t k = 0; k < 4; k++) {
        char name[64];
        margin m;
        snprintf(name, sizeof name, "momentum, offset %g mm", 1e3 * offsets[k]);
        margin_begin(&m, name);
        for (size_t law = 0; law < LAWS; law++) {
            check_momentum(laws[law].law, offsets[k], true, &m);
            check_momentum(laws[law].law, offsets[k], false, &m);
        }
        check_momentum("hertz", offsets[k], true, &m);
        check_momentum("exact", offsets[k], false, &m);
        margin_end(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_root), cmocka_unit_test(test_exact),
                                       cmocka_unit_test(test_closed_forms), cmocka_unit_test(test_momentum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every elastic part, damping part and named law of the registry: what any of them must hold.
   Kinds: power, hooke, hertz; none, hunt-crossley, herbert-mcwhannell, lee-wang, lankarani-nikravesh, gonthier,
   zhiying-qishao, flores, exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "carom/explain.h"
#include "carom/model.h"
#include "kinds/impact.h"
#include "kinds/law.h"
#include "support/law.h"

static const double restitutions[] = {1, 0.999, 0.95, 0.9, 0.7, 0.5, 0.3, 0.1, 0.05, 0.001};
static const double indentations[] = {1e-12, 1e-9, 1e-6, 3.7e-5, 1e-3, 0.02};
static const double exponents[] = {1, 1.08, 1.25, 1.5, 2, 2.2, 3};

/* Relative difference of two numbers. */
static double differ(double a, double b) { return a == b ? 0 : fabs(a - b) / fmax(fabs(a), fabs(b)); }

static const carom_elastic_kind *elastic_at(size_t k)
{
    return (const carom_elastic_kind *)carom_kind_at(CAROM_FAMILY_ELASTIC, k);
}

static const carom_damping_kind *damping_at(size_t k)
{
    return (const carom_damping_kind *)carom_kind_at(CAROM_FAMILY_DAMPING, k);
}

static carom_contact_geometry steel_ball(double length_unit, double pressure_unit)
{
    return (carom_contact_geometry){.has_materials = true,
                                    .young = {207e9 / pressure_unit, 70e9 / pressure_unit},
                                    .poisson = {0.3, 0.33},
                                    .radius = {0.02 / length_unit, HUGE_VAL},
                                    .dimension = 3};
}

/* Constants of an elastic kind; `unit` are the units of length [m] and force [N] the numbers are given in. */
static void prepare_elastic(const carom_elastic_kind *kind, double exponent, double length, double force, double *c)
{
    const carom_contact_geometry geometry = steel_ball(length, force / (length * length));
    double n = carom_kind_param_offset(&kind->kind, "exponent") >= 0 ? exponent : 1;
    double p[8] = {1.3e8 / force * pow(length, n), exponent};
    assert_null(kind->prepare(p, &geometry, c));
    assert_true(kind->power_law);
    assert_true(c[0] > 0 && c[1] >= 1);
}

/* ---- registry and tables ---- */

static void test_registry(void **state)
{
    (void)state;
    static const char *const expected[] = {"hertz",         "hooke",
                                           "hunt-crossley", "herbert-mcwhannell",
                                           "lee-wang",      "lankarani-nikravesh",
                                           "gonthier",      "zhiying-qishao",
                                           "flores",        "exact"};
    for (size_t k = 0; k < CAROM_COUNT(expected); k++)
        assert_non_null(carom_kind_find(CAROM_FAMILY_LAW, expected[k]));
    assert_ptr_equal(carom_kind_find(CAROM_FAMILY_LAW, "gonthier-exact"), &carom_law_exact.kind);
    assert_null(carom_kind_find(CAROM_FAMILY_LAW, ""));
    assert_null(carom_kind_find(CAROM_FAMILY_LAW, "gonthier-"));
    assert_null(carom_kind_find(CAROM_FAMILY_LAW, NULL));
    assert_null(carom_kind_at(CAROM_FAMILY_LAW, 1000));
    assert_null(carom_kind_find(CAROM_FAMILY_COUNT, "hertz"));
    for (int f = 0; f < CAROM_FAMILY_COUNT; f++) {
        size_t count;
        const char *const *names = carom_kind_names((carom_family)f, &count);
        assert_int_equal(count, carom_kind_count((carom_family)f));
        assert_non_null(carom_family_name((carom_family)f));
        for (size_t k = 0; k < count; k++) {
            const carom_kind *kind = carom_kind_at((carom_family)f, k);
            assert_ptr_equal(carom_kind_find((carom_family)f, names[k]), kind);
            assert_true(kind->title && kind->formula && kind->source && kind->validity);
            assert_true(strspn(kind->name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(kind->name));
            int size = 0;
            for (int p = 0; p < kind->param_count; p++) {
                const carom_param_row *row = &kind->params[p];
                assert_true(row->name && row->unit && *row->unit && row->sentence && row->size > 0);
                assert_int_equal(carom_kind_param_offset(kind, row->name), size);
                size += row->size;
            }
            assert_int_equal(carom_kind_param_size(kind), size);
            assert_int_equal(carom_kind_param_offset(kind, "no such parameter"), -1);
        }
    }
}

static void test_law_parts(void **state)
{
    (void)state;
    for (size_t k = 0; k < carom_kind_count(CAROM_FAMILY_LAW); k++) {
        const carom_law_kind *law = (const carom_law_kind *)carom_kind_at(CAROM_FAMILY_LAW, k);
        const carom_kind *elastic = carom_kind_find(CAROM_FAMILY_ELASTIC, law->elastic);
        assert_non_null(elastic);
        assert_true(carom_kind_param_offset(elastic, "stiffness") >= 0);
        assert_non_null(carom_kind_find(CAROM_FAMILY_DAMPING, law->damping));
        if (law->elastic_without_stiffness) {
            const carom_kind *bare = carom_kind_find(CAROM_FAMILY_ELASTIC, law->elastic_without_stiffness);
            assert_non_null(bare);
            assert_true(((const carom_elastic_kind *)bare)->needs);
        }
        assert_int_equal(law->kind.param_count, 0);
        assert_true(law->exponent >= 1);
    }
}

/* ---- elastic parts ---- */

static void test_elastic_zero(void **state)
{
    (void)state;
    static const double none[] = {0, -0.0, -1e-300, -1e-9, -1, -1e300};
    for (size_t k = 0; k < carom_kind_count(CAROM_FAMILY_ELASTIC); k++)
        for (size_t n = 0; n < CAROM_COUNT(exponents); n++) {
            double c[CAROM_LAW_CONSTANTS];
            prepare_elastic(elastic_at(k), exponents[n], 1, 1, c);
            for (size_t d = 0; d < CAROM_COUNT(none); d++) {
                carom_elastic_force f = {.force = 1, .slope = 1, .energy = 1};
                elastic_at(k)->force(c, NULL, none[d], &f);
                assert_true(f.force == 0 && f.slope == 0 && f.energy == 0);
            }
            carom_elastic_force f;
            elastic_at(k)->force(c, NULL, DBL_TRUE_MIN, &f);
            assert_true(isfinite(f.force) && isfinite(f.slope) && isfinite(f.energy) && f.force >= 0);
        }
}

/* Slope and force are the derivatives of force and energy: five-point differences, whose error is about 1e-11. */
static void test_elastic_derivatives(void **state)
{
    (void)state;
    double worst = 0;
    for (size_t k = 0; k < carom_kind_count(CAROM_FAMILY_ELASTIC); k++)
        for (size_t n = 0; n < CAROM_COUNT(exponents); n++)
            for (size_t d = 0; d < CAROM_COUNT(indentations); d++) {
                double c[CAROM_LAW_CONSTANTS], delta = indentations[d], h = 1e-3 * delta;
                carom_elastic_force f, g[4];
                prepare_elastic(elastic_at(k), exponents[n], 1, 1, c);
                elastic_at(k)->force(c, NULL, delta, &f);
                static const double at[4] = {-2, -1, 1, 2};
                for (int i = 0; i < 4; i++)
                    elastic_at(k)->force(c, NULL, delta + at[i] * h, &g[i]);
                double slope = (g[0].force - 8 * g[1].force + 8 * g[2].force - g[3].force) / (12 * h);
                double force = (g[0].energy - 8 * g[1].energy + 8 * g[2].energy - g[3].energy) / (12 * h);
                worst = fmax(worst, fmax(differ(slope, f.slope), differ(force, f.force)));
                assert_true(f.force > 0 && f.slope > 0 && f.energy > 0);
                /* power laws: F delta/energy is n + 1 */
                assert_true(differ(f.force * delta, (c[1] + 1) * f.energy) < 1e-14);
                assert_true(differ(f.force, c[0] * pow(delta, c[1])) < 1e-14);
            }
    printf("elastic derivatives: %.2g\n", worst);
    assert_true(worst < 1e-9);
}

/* The same contact in millimetres and kilonewtons gives the same force. */
static void test_elastic_units(void **state)
{
    (void)state;
    const double length = 1e-3, force = 1e3;
    for (size_t k = 0; k < carom_kind_count(CAROM_FAMILY_ELASTIC); k++)
        for (size_t n = 0; n < CAROM_COUNT(exponents); n++)
            for (size_t d = 0; d < CAROM_COUNT(indentations); d++) {
                double si[CAROM_LAW_CONSTANTS], other[CAROM_LAW_CONSTANTS];
                carom_elastic_force a, b;
                prepare_elastic(elastic_at(k), exponents[n], 1, 1, si);
                prepare_elastic(elastic_at(k), exponents[n], length, force, other);
                elastic_at(k)->force(si, NULL, indentations[d], &a);
                elastic_at(k)->force(other, NULL, indentations[d] / length, &b);
                assert_true(differ(a.force, b.force * force) < 1e-13);
                assert_true(differ(a.slope, b.slope * force / length) < 1e-13);
                assert_true(differ(a.energy, b.energy * force * length) < 1e-13);
            }
}

static void test_hertz_refusals(void **state)
{
    (void)state;
    double c[CAROM_LAW_CONSTANTS];
    carom_contact_geometry g = steel_ball(1, 1);
    assert_null(carom_elastic_hertz.prepare(NULL, &g, c));
    g.has_materials = false;
    assert_non_null(carom_elastic_hertz.prepare(NULL, &g, c));
    static const double refused[][2] = {{HUGE_VAL, HUGE_VAL}, {0.01, -0.01}, {0.01, -0.009}, {-0.01, HUGE_VAL}};
    for (size_t k = 0; k < CAROM_COUNT(refused); k++) {
        g = steel_ball(1, 1);
        g.radius[0] = refused[k][0];
        g.radius[1] = refused[k][1];
        assert_non_null(carom_elastic_hertz.prepare(NULL, &g, c));
    }
    g = steel_ball(1, 1);
    g.young[0] = HUGE_VAL; /* one rigid side is a contact, two are not */
    assert_null(carom_elastic_hertz.prepare(NULL, &g, c));
    g.young[1] = HUGE_VAL;
    assert_non_null(carom_elastic_hertz.prepare(NULL, &g, c));
    /* order of the sides does not matter, internal contact is stiffer than external */
    g = steel_ball(1, 1);
    double swapped[CAROM_LAW_CONSTANTS];
    carom_contact_geometry h = g;
    for (int side = 0; side < 2; side++) {
        h.radius[side] = g.radius[1 - side];
        h.young[side] = g.young[1 - side];
        h.poisson[side] = g.poisson[1 - side];
    }
    assert_null(carom_elastic_hertz.prepare(NULL, &g, c));
    assert_null(carom_elastic_hertz.prepare(NULL, &h, swapped));
    assert_true(differ(c[0], swapped[0]) < 1e-15);
    g.radius[1] = -0.05;
    assert_null(carom_elastic_hertz.prepare(NULL, &g, swapped));
    assert_true(swapped[0] > c[0]);
}

/* ---- damping parts and whole laws ---- */

/* May the law be asked for this restitution? */
static bool allowed(const carom_damping_kind *damping, double e)
{
    if (!damping->takes_restitution)
        return true;
    const carom_param_row *row = &damping->kind.params[carom_kind_param_offset(&damping->kind, "restitution")];
    return e <= row->high && (row->flags & CAROM_PARAM_ABOVE ? e > row->low : e >= row->low);
}

static const char *name_of_law(size_t k) { return carom_kind_at(CAROM_FAMILY_LAW, k)->name; }

/* Zero at zero indentation, finite, derivatives right, not tensile down to rate = -v0/A, damping never gives energy. */
static void check_law(const char *name, double exponent, double e, double v0, double *worst)
{
    test_law law;
    assert_null(test_law_make(&law, name, 1.3e8, exponent, e));
    const double a = law.damping->factor(e), slowest = a > 0 ? -v0 / a : -5 * v0;
    test_law_force none = test_law_evaluate(&law, 0, v0, v0);
    assert_true(none.force == 0 && none.d_delta == 0 && none.d_rate == 0 && none.energy == 0);
    none = test_law_evaluate(&law, -1e-6, v0, v0);
    assert_true(none.force == 0 && none.damping == 0);
    for (size_t d = 0; d < CAROM_COUNT(indentations); d++)
        for (int r = 0; r <= 20; r++) {
            const double delta = indentations[d], rate = slowest + (v0 - slowest) * r / 20;
            const double h = 1e-3 * delta, s = 1e-3 * v0;
            const test_law_force f = test_law_evaluate(&law, delta, rate, v0);
            assert_true(isfinite(f.force) && isfinite(f.d_delta) && isfinite(f.d_rate));
            assert_true(f.force >= -1e-15 * f.elastic);
            assert_true(f.damping * rate >= 0);
            double c[4];
            static const double at[4] = {-2, -1, 1, 2};
            for (int i = 0; i < 4; i++)
                c[i] = test_law_evaluate(&law, delta + at[i] * h, rate, v0).force;
            double slope = (c[0] - 8 * c[1] + 8 * c[2] - c[3]) / (12 * h);
            for (int i = 0; i < 4; i++)
                c[i] = test_law_evaluate(&law, delta, rate + at[i] * s, v0).force;
            double damper = (c[0] - 8 * c[1] + 8 * c[2] - c[3]) / (12 * s);
            /* rounding of the differences: against the sizes of the two parts, which may cancel */
            double size = law.ce[1] * (f.elastic + fabs(f.damping)) / delta;
            *worst = fmax(*worst, fabs(slope - f.d_delta) / size);
            *worst = fmax(*worst, fabs(damper - f.d_rate) / ((f.elastic + fabs(f.damping)) / v0));
        }
}

static void test_laws(void **state)
{
    (void)state;
    static const double speeds[] = {1e-3, 0.3, 25};
    double worst = 0;
    for (size_t k = 0; k < carom_kind_count(CAROM_FAMILY_LAW); k++)
        for (size_t i = 0; i < CAROM_COUNT(restitutions); i++)
            for (size_t n = 0; n < CAROM_COUNT(exponents); n++)
                for (size_t v = 0; v < CAROM_COUNT(speeds); v++)
                    check_law(name_of_law(k), exponents[n], restitutions[i], speeds[v], &worst);
    printf("law derivatives: %.2g\n", worst);
    assert_true(worst < 1e-9);
}

/* Damping factors: zero at e = 1, falling with e, the known slope -dA/de at 1, refused where they are infinite. */
static void test_factors(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double slope;
        bool takes_zero;
        double at_zero;
    } rows[] = {
        {"hunt-crossley", 1.5, true, 1.5}, {"herbert-mcwhannell", 1.5, true, 1.5},
        {"lee-wang", 0.75, true, 0.75},    {"lankarani-nikravesh", 1.5, true, 0.75},
        {"gonthier", 2, false, 0},         {"zhiying-qishao", 1.5, true, 0.75 * 7.38905609893065},
        {"flores", 1.6, false, 0},         {"exact", 1.5, false, 0},
    };
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        const carom_damping_kind *d = (const carom_damping_kind *)carom_kind_find(CAROM_FAMILY_DAMPING, rows[k].name);
        assert_non_null(d);
        assert_true(d->takes_restitution);
        assert_true(d->factor(1) == 0);
        assert_true(differ(d->factor(1 - 1e-7) / 1e-7, rows[k].slope) < 5e-7);
        assert_int_equal(allowed(d, 0), rows[k].takes_zero);
        assert_true(allowed(d, 1) && !allowed(d, 1.0001) && !allowed(d, -0.1));
        if (rows[k].takes_zero)
            assert_true(differ(d->factor(0), rows[k].at_zero) < 1e-14);
        double before = 0;
        for (int i = 1; i < 1000; i++) {
            double a = d->factor(1 - i * 1e-3);
            assert_true(isfinite(a) && a > before);
            before = a;
        }
    }
    assert_int_equal(carom_kind_count(CAROM_FAMILY_DAMPING), CAROM_COUNT(rows) + 1);
    assert_true(carom_damping_none.factor(0.5) == 0);
    assert_false(carom_damping_none.takes_restitution);
    for (size_t k = 0; k < carom_kind_count(CAROM_FAMILY_DAMPING); k++) {
        double c[CAROM_LAW_CONSTANTS];
        const double tiny = DBL_TRUE_MIN;
        const char *refusal = damping_at(k)->prepare(&tiny, c);
        assert_true(refusal || isfinite(c[0]));
    }
}

/* `exact` returns what it is asked, also where the branches of its solution meet. */
static void test_exact_returns_what_it_is_asked(void **state)
{
    (void)state;
    double worst = 0;
    for (int k = 1; k <= 20000; k++) {
        const double e = k / 20000.0, got = carom_impact_restitution(carom_damping_exact.factor(e));
        worst = fmax(worst, fabs(got - e) / e);
    }
    static const double joints[] = {0.02, 0.3, 0.95};
    for (size_t k = 0; k < CAROM_COUNT(joints); k++)
        for (int i = -3; i <= 3; i++) {
            const double e = joints[k] * (1 + i * DBL_EPSILON);
            worst = fmax(worst, fabs(carom_impact_restitution(carom_damping_exact.factor(e)) - e) / e);
        }
    printf("exact: restitution returned, relative error %.2g\n", worst);
    assert_true(worst < 1e-14);
}

/* A free impact, integrated: the force of each law gives the closed forms (Runge-Kutta, 4000 steps in the impact). */
static void test_free_impacts(void **state)
{
    (void)state;
    static const double asked[] = {0.9, 0.5, 0.2};
    const double m = 0.046, v0 = 0.3;
    double worst = 0;
    for (size_t k = 0; k < carom_kind_count(CAROM_FAMILY_LAW); k++)
        for (size_t i = 0; i < CAROM_COUNT(asked); i++) {
            test_law law;
            assert_null(test_law_make(&law, name_of_law(k), 5.5e9, (double)NAN, asked[i]));
            const double a = law.damping->factor(asked[i]);
            const carom_impact impact = {law.ce[0], law.ce[1], a, m, v0};
            const double h = carom_impact_duration(&impact) / 4000;
            double x = 0, v = v0, deepest = 0, peak = 0, x_old = 0, v_old = v0;
            for (int step = 0; step < 5000 && x >= 0; step++) {
                x_old = x;
                v_old = v;
                double f1 = test_law_evaluate(&law, x, v, v0).force;
                double v2 = v - h / 2 * f1 / m, f2 = test_law_evaluate(&law, x + h / 2 * v, v2, v0).force;
                double v3 = v - h / 2 * f2 / m, f3 = test_law_evaluate(&law, x + h / 2 * v2, v3, v0).force;
                double v4 = v - h * f3 / m, f4 = test_law_evaluate(&law, x + h * v3, v4, v0).force;
                x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
                v -= h / 6 / m * (f1 + 2 * f2 + 2 * f3 + f4);
                deepest = fmax(deepest, x);
                peak = fmax(peak, test_law_evaluate(&law, x, v, v0).force);
            }
            double part = x_old / (x_old - x), exit = -(v_old + part * (v - v_old));
            worst = fmax(worst, fabs(exit / v0 - carom_impact_restitution(a)));
            worst = fmax(worst, differ(deepest, carom_impact_max_indentation(&impact)));
            worst = fmax(worst, differ(peak, carom_impact_max_force(&impact, NULL, NULL)));
        }
    printf("free impacts integrated: %.2g\n", worst);
    assert_true(worst < 2e-6);
}

/* ---- explain ---- */

static void test_explain(void **state)
{
    (void)state;
    carom_context *ctx;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    size_t families, count;
    const char *const *names = carom_explain_families(&families);
    assert_int_equal(families, CAROM_FAMILY_COUNT);
    for (size_t f = 0; f < families; f++) {
        char plural[32];
        snprintf(plural, sizeof plural, "%ss", names[f]);
        const char *const *kinds = carom_explain_names(plural, &count);
        assert_ptr_equal(kinds, carom_explain_names(names[f], &count));
        for (size_t k = 0; k < count; k++) {
            char *text = NULL, path[96];
            snprintf(path, sizeof path, "%s.%s", names[f], kinds[k]);
            assert_non_null(carom_explain_title(plural, kinds[k]));
            assert_int_equal(carom_explain(ctx, path, &text), CAROM_OK);
            assert_non_null(strstr(text, "Source"));
            carom_text_release(ctx, text);
            assert_int_equal(carom_explain(ctx, kinds[k], &text), CAROM_OK);
            carom_text_release(ctx, text);
        }
    }
    assert_null(carom_explain_names("no such family", &count));
    assert_int_equal(count, 0);
    assert_null(carom_explain_title("law", "no such law"));
    static const char *const pages[] = {"validity", "expressions", "laws", "gonthier-exact", "elastic.hertz"};
    for (size_t k = 0; k < CAROM_COUNT(pages); k++) {
        char *text = NULL;
        assert_int_equal(carom_explain(ctx, pages[k], &text), CAROM_OK);
        if (getenv("CAROM_TEST_PRINT"))
            printf("%s\n", text);
        carom_text_release(ctx, text);
    }
    char *text = NULL;
    assert_int_equal(carom_explain(ctx, "flores", &text), CAROM_OK);
    if (getenv("CAROM_TEST_PRINT"))
        printf("%s\n", text);
    /* the achieved restitution is computed: 0.4704 at 0.5 */
    assert_non_null(strstr(text, "0.4704"));
    assert_non_null(strstr(text, "stiffness [N/m^n], optional, > 0"));
    assert_non_null(strstr(text, "restitution [-], required, 0 < value <= 1"));
    carom_text_release(ctx, text);
    static const char *const wrong[][2] = {
        {"flors", "flores"}, {"validty", "validity"}, {"hunt_crossley", "hunt-crossley"}};
    for (size_t k = 0; k < CAROM_COUNT(wrong); k++) {
        text = NULL;
        assert_int_equal(carom_explain(ctx, wrong[k][0], &text), CAROM_ERROR_USAGE);
        assert_null(text);
        assert_non_null(strstr(carom_context_error(ctx), wrong[k][1]));
    }
    assert_int_equal(carom_explain(ctx, "", &text), CAROM_ERROR_USAGE);
    assert_int_equal(carom_explain(ctx, "law.", &text), CAROM_ERROR_USAGE);
    assert_int_equal(carom_explain(ctx, "xyzzyplugh", &text), CAROM_ERROR_USAGE);
    carom_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registry),
        cmocka_unit_test(test_law_parts),
        cmocka_unit_test(test_elastic_zero),
        cmocka_unit_test(test_elastic_derivatives),
        cmocka_unit_test(test_elastic_units),
        cmocka_unit_test(test_hertz_refusals),
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_factors),
        cmocka_unit_test(test_exact_returns_what_it_is_asked),
        cmocka_unit_test(test_free_impacts),
        cmocka_unit_test(test_explain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

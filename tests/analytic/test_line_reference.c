/* The implicit laws of line contact, johnson, radzimovsky, goldsmith, dubowsky-freudenstein and esdu-78035, against
   every implicit row of the group `cylinder` of the reference data (tests/data/contact.json), and what the reference
   does not say: energy, the end of the range, refusals, Newton's inversion. */
#include "carom_test.h"

#include <float.h>
#include <math.h>

#include "base/base.h"
#include "kinds/normal/law.h"
#include "kinds/normal/line.h"
#include "support/reference.h"

/* Compare to 1e-12 relative (contact-schema): the reference is computed with 40 digits. */
#define SAMPLE_TOLERANCE 1e-12
#define IMPACT_TOLERANCE 1e-9

static const struct {
    const char *law;
    const carom_elastic_kind *kind;
} laws[] = {
    {"johnson_cyl", &carom_elastic_johnson},
    {"radzimovsky_cyl", &carom_elastic_radzimovsky},
    {"goldsmith_cyl", &carom_elastic_goldsmith},
    {"dubowsky_cyl", &carom_elastic_dubowsky_freudenstein},
    {"esdu_cyl", &carom_elastic_esdu_78035},
};

static const carom_elastic_kind *kind_of(const char *law)
{
    for (size_t k = 0; k < CAROM_COUNT(laws); k++)
        if (strcmp(laws[k].law, law) == 0)
            return laws[k].kind;
    return NULL;
}

static double differ(double a, double b) { return a == b ? 0 : fabs(a - b) / fmax(fabs(a), fabs(b)); }

static double number(const json *object, const char *path) { return json_number(json_get(object, path)); }

static bool says(const json *row, const char *path, const char *word)
{
    const char *text = json_text(json_get(row, path));
    return text && strcmp(text, word) == 0;
}

/* A geometry of the row's E*, length and dR or R: two equal materials without Poisson's ratio; radii whose difference
   (sum) or product over it is exact. */
static carom_contact_geometry geometry_of(const json *row)
{
    const double modulus = number(row, "params.Es"), length = number(row, "params.L"), half = number(row, "params.a");
    carom_contact_geometry g = {.has_materials = true,
                                .young = {2 * modulus, 2 * modulus},
                                .length = isnan(length) ? 2 * half : length,
                                .dimension = 2};
    const double difference = number(row, "params.dR"), radius = number(row, "params.R");
    if (says(row, "contact", "external")) {
        g.radius[0] = g.radius[1] = isnan(difference) ? 2 * radius : difference / 2;
    } else {
        g.radius[0] = isnan(difference) ? -radius : -2 * difference;
        g.radius[1] = isnan(difference) ? radius / 2 : difference;
    }
    return g;
}

/* Compiled parameters of the row. */
static void params_of(const carom_elastic_kind *kind, const json *row, double *p)
{
    for (int k = 0; k < kind->kind.param_count; k++) {
        const char *name = kind->kind.params[k].name;
        p[k] = kind->kind.params[k].default_value;
        if (strcmp(name, "convention") == 0)
            p[k] = says(row, "params.conv", "seed");
        else if (strcmp(name, "width_from") == 0)
            p[k] = json_bool(json_get(row, "params.b_radius"));
        else if (strcmp(name, "length_exponent") == 0)
            p[k] = number(row, "params.m_exp");
    }
}

/* ---- impact by energy ---- */

typedef struct elastic_impact {
    const carom_elastic_kind *kind;
    const double *c;
    double mass, speed;
    double deepest, force, slope;       /* at the greatest indentation */
} elastic_impact;

static carom_elastic_force force_at(const elastic_impact *i, double delta)
{
    carom_elastic_force f;
    CAROM_KIND_CALL(i->kind, force, i->c, NULL, delta, &f);
    return f;
}

/* Indentation that stores the kinetic energy. */
static void find_deepest(elastic_impact *i)
{
    const double wanted = 0.5 * i->mass * i->speed * i->speed;
    double low = 0, high = CAROM_KIND_CALL(i->kind, limit, i->c);
    assert_true(force_at(i, high).energy > wanted);
    double delta = 0.5 * high;
    for (int k = 0; k < 200; k++) {
        const carom_elastic_force f = force_at(i, delta);
        if (f.energy > wanted)
            high = delta;
        else
            low = delta;
        double next = delta - (f.energy - wanted) / f.force;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (fabs(next - delta) <= DBL_EPSILON * delta)
            break;
        delta = next;
    }
    i->deepest = delta;
    i->force = force_at(i, delta).force;
    i->slope = force_at(i, delta).slope;
}

/* Twice the time to the greatest indentation: delta = delta_m (1 - x^2), 2 x delta_m dx/v; near x = 0 v^2 is the work
   of the force there, its next term x^2 below. */
static double integrand(const elastic_impact *i, double x, double rest)
{
    const double whole = 0.5 * i->mass * i->speed * i->speed, back = i->deepest * x * x;
    const double delta = i->deepest * rest * (1 + x);
    double energy = whole - force_at(i, delta).energy;
    if (x < 1e-3)
        energy = back * (i->force - 0.5 * i->slope * back);
    return 2 * x * i->deepest / sqrt(2 * energy / i->mass);
}

/* Double exponential rule over x in (0, 1): the integrand is smooth inside, with delta^2 ln delta at x = 1. */
static double duration_of(const elastic_impact *i)
{
    const double h = 1.0 / 32;
    double sum = 0;
    for (int k = -128; k <= 128; k++) {
        const double t = k * h, e = exp(-CAROM_PI * sinh(t)), x = 1 / (1 + e), rest = e / (1 + e);
        sum += integrand(i, x, rest) * CAROM_PI * cosh(t) * x * rest;
    }
    return 2 * h * sum;
}

static double check_impact(const carom_elastic_kind *kind, const double *c, const json *row, double *duration_error)
{
    elastic_impact i = {.kind = kind, .c = c, .mass = number(row, "params.m"), .speed = number(row, "params.v0")};
    find_deepest(&i);
    *duration_error = fmax(*duration_error, differ(duration_of(&i), number(row, "impact.duration")));
    return fmax(differ(i.deepest, number(row, "impact.dmax")), differ(i.force, number(row, "impact.Fmax")));
}

static void test_reference(void **state)
{
    (void)state;
    json *file = reference_open("contact.json");
    assert_non_null(file);
    const json *rows = json_get(file, "groups.cylinder");
    double constants = 0, forces = 0, slopes = 0, impacts = 0, durations = 0;
    size_t count = 0, samples = 0;
    for (size_t k = 0; k < json_size(rows); k++) {
        const json *row = json_item(rows, k);
        const carom_elastic_kind *kind = kind_of(json_text(json_get(row, "law")));
        if (!kind)
            continue;
        count++;
        double p[8], c[CAROM_LAW_CONSTANTS];
        const carom_contact_geometry geometry = geometry_of(row);
        params_of(kind, row, p);
        const char *refusal = CAROM_KIND_CALL(kind, prepare, p, &geometry, c);
        assert_null(refusal);
        constants = fmax(constants, differ(c[CAROM_LINE_A], number(row, "A")));
        constants = fmax(constants, differ(c[CAROM_LINE_B], number(row, "B")));
        assert_true(differ(c[CAROM_LINE_C], number(row, "c")) < 1e-15);
        constants = fmax(constants, differ(CAROM_KIND_CALL(kind, limit, c), number(row, "limit.delta")));
        constants = fmax(constants, differ(c[CAROM_LINE_FORCE], number(row, "limit.F")));
        const json *list = json_get(row, "samples");
        for (size_t s = 0; s < json_size(list); s++, samples++) {
            const json *sample = json_item(list, s);
            carom_elastic_force f;
            CAROM_KIND_CALL(kind, force, c, NULL, number(sample, "delta"), &f);
            forces = fmax(forces, differ(f.force, number(sample, "F")));
            slopes = fmax(slopes, differ(f.slope, number(sample, "dFddelta")));
        }
        impacts = fmax(impacts, check_impact(kind, c, row, &durations));
    }
    printf("%zu rows, %zu samples: constants and limits %.2g, forces %.2g, slopes %.2g, impacts %.2g, durations %.2g\n",
           count, samples, constants, forces, slopes, impacts, durations);
    assert_int_equal(count, 42);
    assert_true(constants < SAMPLE_TOLERANCE && forces < SAMPLE_TOLERANCE && slopes < SAMPLE_TOLERANCE);
    assert_true(impacts < IMPACT_TOLERANCE && durations < IMPACT_TOLERANCE);
    json_free(file);
}

/* ---- real geometry ---- */

static carom_contact_geometry pin_in_hole(void)
{
    return (carom_contact_geometry){.has_materials = true,
                                    .young = {207e9, 70e9},
                                    .poisson = {0.3, 0.33},
                                    .radius = {-0.0105, 0.01},
                                    .length = 0.02,
                                    .dimension = 2};
}

static void prepare(const carom_elastic_kind *kind, const carom_contact_geometry *geometry, double *c)
{
    double p[8];
    for (int k = 0; k < kind->kind.param_count; k++)
        p[k] = kind->kind.params[k].default_value;
    assert_null(CAROM_KIND_CALL(kind, prepare, p, geometry, c));
}

/* Force against the implicit law itself, energy against Gauss' integral of the force, slope against differences. */
static void test_consistency(void **state)
{
    (void)state;
    static const double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
    static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    double implicit = 0, energy = 0, slope = 0;
    for (size_t k = 0; k < CAROM_COUNT(laws); k++) {
        const carom_elastic_kind *kind = laws[k].kind;
        const carom_contact_geometry g = pin_in_hole();
        double c[CAROM_LAW_CONSTANTS];
        prepare(kind, &g, c);
        const double limit = CAROM_KIND_CALL(kind, limit, c);
        carom_elastic_force f, a, b, last = {0};
        CAROM_KIND_CALL(kind, force, c, NULL, limit * 1e-12, &last);
        for (double s = 1e-12; 1.25 * s < 1; s *= 1.25) {
            const double delta = 1.25 * s * limit;
            CAROM_KIND_CALL(kind, force, c, NULL, delta, &f);
            const double W = f.force / g.length;
            implicit =
                fmax(implicit, differ(c[CAROM_LINE_A] * W * (log(c[CAROM_LINE_B] / W) + c[CAROM_LINE_C]), delta));
            const double h = 1e-3 * fmin(delta, limit - delta);
            CAROM_KIND_CALL(kind, force, c, NULL, delta + h, &a);
            CAROM_KIND_CALL(kind, force, c, NULL, delta - h, &b);
            slope = fmax(slope, differ((a.force - b.force) / (2 * h), f.slope));
            double work = 0, middle = 1.125 * s * limit, half = 0.125 * s * limit;
            for (int i = 0; i < 4; i++)
                for (int sign = -1; sign <= 1; sign += 2) {
                    CAROM_KIND_CALL(kind, force, c, NULL, middle + sign * half * node[i], &a);
                    work += half * weight[i] * a.force;
                }
            energy = fmax(energy, differ(f.energy - last.energy, work));
            last = f;
        }
    }
    printf("implicit law %.2g, energy %.2g, slope (differences of relative width 1e-3) %.2g\n", implicit, energy,
           slope);
    assert_true(implicit < 1e-14 && energy < 1e-11 && slope < 1e-5);
}

/* At the limit the force stops; it is continuous there, the energy its work; nothing is infinite anywhere. */
static void test_limit(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(laws); k++) {
        const carom_elastic_kind *kind = laws[k].kind;
        const carom_contact_geometry g = pin_in_hole();
        double c[CAROM_LAW_CONSTANTS];
        prepare(kind, &g, c);
        const double limit = CAROM_KIND_CALL(kind, limit, c);
        carom_elastic_force before, at, after;
        CAROM_KIND_CALL(kind, force, c, NULL, nextafter(limit, 0), &before);
        CAROM_KIND_CALL(kind, force, c, NULL, limit, &at);
        CAROM_KIND_CALL(kind, force, c, NULL, 2 * limit, &after);
        assert_true(differ(before.force, at.force) < 1e-7 && differ(before.energy, at.energy) < 1e-7);
        assert_true(isfinite(before.slope) && before.slope > 0 && at.slope == 0 && after.slope == 0);
        assert_true(at.force == after.force && differ(after.energy - at.energy, limit * at.force) < 1e-14);
        assert_true(differ(at.energy, limit * at.force / 4) < 1e-14);
        static const double tiny[] = {DBL_TRUE_MIN, 1e-320, DBL_MIN, 1e-300, 1e-100, 1e-30};
        double last = 0;
        for (size_t i = 0; i < CAROM_COUNT(tiny); i++) {
            CAROM_KIND_CALL(kind, force, c, NULL, tiny[i], &at);
            assert_true(isfinite(at.force) && isfinite(at.slope) && isfinite(at.energy));
            assert_true(at.force >= last && at.slope >= 0 && at.energy >= 0);
            last = at.force;
        }
        CAROM_KIND_CALL(kind, force, c, NULL, 0, &at);
        assert_true(at.force == 0 && at.slope == 0 && at.energy == 0 && at.loss == 0);
        CAROM_KIND_CALL(kind, force, c, NULL, -1e-6, &at);
        assert_true(at.force == 0 && at.slope == 0 && at.energy == 0 && at.loss == 0);
    }
}

/* The indentations where the laws end, in units of dR (errata, section 3), and two published forces of Johnson's
   law. */
static void test_known_numbers(void **state)
{
    (void)state;
    const carom_contact_geometry g = pin_in_hole();
    const double dR = 0.0005, L2R = 0.02 * 0.02 * dR / (0.0105 * 0.01);
    double c[CAROM_LAW_CONSTANTS], p[2] = {1, 3};
    prepare(&carom_elastic_johnson, &g, c);
    assert_true(differ(c[CAROM_LINE_LIMIT], 0.54134113294645 * dR) < 1e-12);
    prepare(&carom_elastic_radzimovsky, &g, c);
    assert_true(differ(c[CAROM_LINE_LIMIT], 0.7127 * dR) < 1e-4);
    assert_null(carom_elastic_radzimovsky.prepare(p, &g, c));
    assert_true(differ(c[CAROM_LINE_LIMIT], 1.4255 * dR) < 1e-4);
    prepare(&carom_elastic_esdu_78035, &g, c);
    assert_true(differ(c[CAROM_LINE_LIMIT], 4 * dR) < 1e-12);
    assert_null(carom_elastic_esdu_78035.prepare(p, &g, c));
    assert_true(differ(c[CAROM_LINE_LIMIT], 4 * dR) < 1e-12);
    for (int printed = 0; printed < 2; printed++) {
        double q[2] = {printed, 3}, d[CAROM_LAW_CONSTANTS];
        assert_null(carom_elastic_goldsmith.prepare(q, &g, c));
        assert_null(carom_elastic_dubowsky_freudenstein.prepare(q, &g, d));
        assert_true(differ(c[CAROM_LINE_LIMIT], L2R) < 1e-12 && differ(d[CAROM_LINE_LIMIT], L2R) < 1e-12);
        assert_true(differ(d[CAROM_LINE_A] / c[CAROM_LINE_A], printed ? CAROM_PI : 1) < 1e-14);
    }
    /* steel on steel, L = 1 mm: dR = 0.5 mm, 0.01 mm: 585.001 N; 0.1 mm: 11379.6; dR = 5 mm, 0.05 mm: 2579.18 */
    static const double rows[][3] = {{0.5, 0.01, 585.001}, {0.5, 0.1, 11379.6}, {5, 0.05, 2579.18}};
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        const carom_contact_geometry steel = {.has_materials = true,
                                              .young = {207e9, 207e9},
                                              .poisson = {0.3, 0.3},
                                              .radius = {-2e-3 * rows[k][0], 1e-3 * rows[k][0]},
                                              .length = 1e-3,
                                              .dimension = 2};
        carom_elastic_force f;
        prepare(&carom_elastic_johnson, &steel, c);
        carom_elastic_johnson.force(c, NULL, 1e-3 * rows[k][1], &f);
        assert_true(differ(f.force, rows[k][2]) < 1e-5);
    }
}

/* An exponent of the length other than 3 is in mm: the argument gets the factor (L/mm)^(m - 3). */
static void test_length_exponent(void **state)
{
    (void)state;
    const carom_contact_geometry g = pin_in_hole();
    double c[CAROM_LAW_CONSTANTS], d[CAROM_LAW_CONSTANTS];
    const double p[2] = {0, 3}, q[2] = {0, 1};
    assert_null(carom_elastic_goldsmith.prepare(p, &g, c));
    assert_null(carom_elastic_goldsmith.prepare(q, &g, d));
    assert_true(differ(d[CAROM_LINE_B], c[CAROM_LINE_B] / 400) < 1e-14);
    /* an L of 1 mm: the exponent is without effect, the range the 18 N of the fits' section */
    carom_contact_geometry mm = {.has_materials = true,
                                 .young = {207e9, 207e9},
                                 .poisson = {0.3, 0.3},
                                 .radius = {-0.1, 0.0995},
                                 .length = 1e-3,
                                 .dimension = 2};
    assert_null(carom_elastic_goldsmith.prepare(q, &mm, d));
    printf("goldsmith as printed, L = 1 mm, dR = 0.5 mm: ends at %.4g N\n", d[CAROM_LINE_FORCE]);
    assert_true(d[CAROM_LINE_FORCE] > 17.5 && d[CAROM_LINE_FORCE] < 18.5);
}

static void test_refusals(void **state)
{
    (void)state;
    double c[CAROM_LAW_CONSTANTS];
    const double p[2] = {0, 3};
    for (size_t k = 0; k < CAROM_COUNT(laws); k++) {
        const carom_elastic_kind *kind = laws[k].kind;
        const bool inside_only =
            kind == &carom_elastic_dubowsky_freudenstein || kind == &carom_elastic_esdu_78035;
        assert_false(kind->power_law);
        assert_int_equal(kind->needs, CAROM_NEEDS_MATERIALS | CAROM_NEEDS_RADII | CAROM_NEEDS_LENGTH);
        carom_contact_geometry g = pin_in_hole();
        assert_null(CAROM_KIND_CALL(kind, prepare, p, &g, c));
        g.radius[0] = 0.0105;
        assert_true((CAROM_KIND_CALL(kind, prepare, p, &g, c) != NULL) == inside_only);
        g.radius[0] = HUGE_VAL;
        assert_true((CAROM_KIND_CALL(kind, prepare, p, &g, c) == NULL) == (kind == &carom_elastic_goldsmith));
        g = pin_in_hole();
        g.radius[1] = 0.0105;
        assert_non_null(CAROM_KIND_CALL(kind, prepare, p, &g, c));
        g.radius[1] = 0.02;
        assert_non_null(CAROM_KIND_CALL(kind, prepare, p, &g, c));
        g.radius[1] = -0.01;
        assert_non_null(CAROM_KIND_CALL(kind, prepare, p, &g, c));
        g = pin_in_hole();
        g.length = 0;
        assert_non_null(CAROM_KIND_CALL(kind, prepare, p, &g, c));
        g = pin_in_hole();
        g.has_materials = false;
        assert_non_null(CAROM_KIND_CALL(kind, prepare, p, &g, c));
        /* which side is hollow does not matter */
        double swapped[CAROM_LAW_CONSTANTS];
        g = pin_in_hole();
        g.radius[0] = 0.01;
        g.radius[1] = -0.0105;
        assert_null(CAROM_KIND_CALL(kind, prepare, p, &g, swapped));
        g = pin_in_hole();
        assert_null(CAROM_KIND_CALL(kind, prepare, p, &g, c));
        assert_true(differ(c[CAROM_LINE_LIMIT], swapped[CAROM_LINE_LIMIT]) < 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),     cmocka_unit_test(test_consistency),     cmocka_unit_test(test_limit),
        cmocka_unit_test(test_known_numbers), cmocka_unit_test(test_length_exponent), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

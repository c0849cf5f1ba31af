/* Explicit elastic laws against the reference data and closed forms.
   Kinds: braendlein, nijen, yang-sun, liu, lankarani-nikravesh-cylinder, pereira-2011, pereira-2015, hertz-elliptic. */
#include "carom_test.h"

#include <float.h>
#include <math.h>

#include "base/base.h"
#include "kinds/normal/law.h"
#include "math/elliptic.h"
#include "support/json_at.h"
#include "support/near.h"
#include "support/kinds.h"
#include "support/reference.h"

#define TOLERANCE 1e-12
#define IMPACT_TOLERANCE 1e-9
#define ROUNDING 1e-14 /* some tens of rounding errors of 2.2e-16 */

static json *contact;

static const carom_elastic_kind *elastic(const char *name)
{
    const carom_elastic_kind *kind =
        (const carom_elastic_kind *)carom_kind_find(all_kinds(), CAROM_FAMILY_ELASTIC, name);
    if (!kind)
        fail_msg("no elastic kind '%s'", name);
    return kind;
}

static void prepare(const carom_elastic_kind *kind, const double *p, const carom_contact_geometry *geometry, double *c)
{
    const char *refusal = CAROM_KIND_CALL(kind, prepare, p, geometry, c);
    if (refusal)
        fail_msg("%s refuses: %s", kind->kind.name, refusal);
}

/* Two equal materials of the modulus E*. */
static carom_contact_geometry modulus(double e_star)
{
    return (carom_contact_geometry){.has_materials = true, .young = {2 * e_star, 2 * e_star}, .dimension = 3};
}

static double energy(const carom_elastic_kind *kind, const double *c, double delta)
{
    carom_elastic_force f;
    CAROM_KIND_CALL(kind, force, c, NULL, delta, &f);
    return f.energy;
}

/* Indentation at which the stored energy [J] is reached, by bisection down to neighbouring numbers. */
static double deepest(const carom_elastic_kind *kind, const double *c, double wanted)
{
    double low = 0, high = 1e-9;
    while (energy(kind, c, high) < wanted)
        high *= 2;
    for (int k = 0; k < 200; k++) {
        double middle = 0.5 * (low + high);
        if (energy(kind, c, middle) < wanted)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Samples and the elastic impact of one case. */
static void check_case(const json *one, const char *id, const carom_elastic_kind *kind, const double *c)
{
    const json *samples = json_member(one, "samples");
    carom_elastic_force f;
    assert_true(json_size(samples) > 0);
    for (size_t s = 0; s < json_size(samples); s++) {
        const json *sample = json_item(samples, s);
        CAROM_KIND_CALL(kind, force, c, NULL, number_at(sample, "delta"), &f);
        near_relative("force", id, f.force, number_at(sample, "F"), TOLERANCE);
        if (json_member(sample, "dFddelta"))
            near_relative("slope", id, f.slope, number_at(sample, "dFddelta"), TOLERANCE);
        assert_true(f.loss == 0);
    }
    if (json_member(one, "K")) {
        assert_true(kind->power_law);
        near_relative("K", id, c[0], number_at(one, "K"), TOLERANCE);
        near_relative("n", id, c[1], number_at(one, "n"), TOLERANCE);
    }
    const double m = number_at(one, "params.m"), v0 = number_at(one, "params.v0");
    const double delta = deepest(kind, c, 0.5 * m * v0 * v0);
    CAROM_KIND_CALL(kind, force, c, NULL, delta, &f);
    near_relative("dmax", id, delta, number_at(one, "impact.dmax"), IMPACT_TOLERANCE);
    near_relative("Fmax", id, f.force, number_at(one, "impact.Fmax"), IMPACT_TOLERANCE);
}

static void test_cylinders(void **state)
{
    (void)state;
    static const struct {
        const char *reference, *kind;
        int expected;
    } laws[] = {{"liu_cyl", "liu", 3},
                {"lankarani_cyl", "lankarani-nikravesh-cylinder", 6},
                {"pereira2011", "pereira-2011", 2},
                {"pereira2015", "pereira-2015", 5}};
    const json *group = json_get(contact, "groups.cylinder");
    for (size_t l = 0; l < CAROM_COUNT(laws); l++) {
        const carom_elastic_kind *kind = elastic(laws[l].kind);
        int checked = 0;
        for (size_t k = 0; k < json_size(group); k++) {
            const json *one = json_item(group, k), *params = json_member(one, "params");
            if (strcmp(json_text(json_member(one, "law")), laws[l].reference) != 0)
                continue;
            const char *id = json_text(json_member(one, "id"));
            const bool internal = strcmp(json_text(json_member(one, "contact")), "internal") == 0;
            carom_contact_geometry g = modulus(number_at(params, "Es"));
            double c[CAROM_LAW_CONSTANTS], p[1] = {1.5};
            /* radii whose dR or R are those of the reference to the last bit */
            if (json_member(params, "R")) {
                const double r = number_at(params, "R");
                g.radius[0] = internal ? r / 2 : 2 * r;
                g.radius[1] = internal ? -r : 2 * r;
                p[0] = number_at(params, "n");
            } else {
                const double d = number_at(params, json_member(params, "dR") ? "dR" : "c");
                g.radius[0] = internal ? d : d / 2;
                g.radius[1] = internal ? -2 * d : d / 2;
                g.length = number_at(params, "L");
            }
            prepare(kind, p, &g, c);
            check_case(one, id, kind, c);
            checked++;
        }
        assert_int_equal(checked, laws[l].expected);
    }
}

static void test_braendlein(void **state)
{
    (void)state;
    const json *group = json_get(contact, "groups.impact");
    const carom_elastic_kind *kind = elastic("braendlein"), *nijen = elastic("nijen");
    assert_ptr_equal(elastic("brandlein"), kind);
    int checked = 0;
    for (size_t k = 0; k < json_size(group); k++) {
        const json *one = json_item(group, k);
        if (strcmp(json_text(json_member(one, "law")), "brandlein") != 0)
            continue;
        const double p[2] = {number_at(one, "params.K"), number_at(one, "params.n")};
        double c[CAROM_LAW_CONSTANTS];
        prepare(kind, p, NULL, c);
        assert_true(c[0] == p[0] && c[1] == 1.08);
        check_case(one, "braendlein", kind, c);
        prepare(nijen, p, NULL, c);
        check_case(one, "nijen", nijen, c);
        checked++;
    }
    assert_int_equal(checked, 4);
    /* the conversion that the text states */
    near_relative("10^3.24", "braendlein", pow(1000, 1.08), 1737.8, 1e-6);
}

/* Every row of groups.stiffness: hertz, and hertz-elliptic with the same radii in both planes; yang-sun. */
static void test_stiffness(void **state)
{
    (void)state;
    const json *group = json_get(contact, "groups.stiffness");
    const carom_elastic_kind *hertz = elastic("hertz"), *ellipse = elastic("hertz-elliptic");
    assert_int_equal(json_size(group), 9);
    for (size_t k = 0; k < json_size(group); k++) {
        const json *one = json_item(group, k), *params = json_member(one, "params");
        const char *kind = json_text(json_member(one, "kind"));
        double value = number_at(one, "value"), c[CAROM_LAW_CONSTANTS], p[3] = {(double)NAN, (double)NAN, 0.7};
        carom_contact_geometry g = {.has_materials = true, .radius = {1, HUGE_VAL}, .dimension = 3};
        if (strcmp(kind, "yang_sun") == 0) {
            g.young[0] = g.young[1] = number_at(params, "E");
            g.poisson[0] = g.poisson[1] = number_at(params, "nu");
            g.length = number_at(params, "L");
            prepare(elastic("yang-sun"), NULL, &g, c);
            near_relative("K", kind, c[0], value, TOLERANCE);
            assert_true(c[1] == 1);
            continue;
        }
        g.young[0] = number_at(params, "Ei");
        g.young[1] = number_at(params, "Ej");
        g.poisson[0] = number_at(params, "nui");
        g.poisson[1] = number_at(params, "nuj");
        if (strcmp(kind, "hertz_spheres") == 0) {
            g.radius[0] = number_at(params, "Ri");
            g.radius[1] = number_at(params, "Rj");
        } else if (strcmp(kind, "hertz_plane") == 0) {
            g.radius[0] = number_at(params, "R");
        } else {
            assert_string_equal(kind, "e_star");
            value *= 4.0 / 3; /* E* with R = 1 m */
        }
        prepare(hertz, NULL, &g, c);
        near_relative("K", kind, c[0], value, TOLERANCE);
        prepare(ellipse, p, &g, c);
        near_relative("K of a circle", kind, c[0], value, TOLERANCE);
    }
}

/* Two materials act as springs in series. */
static void test_yang_sun_of_two_materials(void **state)
{
    (void)state;
    const carom_elastic_kind *kind = elastic("yang-sun");
    carom_contact_geometry g = {
        .has_materials = true, .young = {207e9, 70e9}, .poisson = {0.3, 0.33}, .length = 0.02, .dimension = 3};
    double whole[CAROM_LAW_CONSTANTS], c[CAROM_LAW_CONSTANTS], compliance = 0;
    prepare(kind, NULL, &g, whole);
    for (int side = 0; side < 2; side++)
        compliance += 2 * (1 - g.poisson[side] * g.poisson[side]) / (CAROM_PI * g.young[side] * g.length);
    near_relative("K of two materials", "yang-sun", whole[0], 1 / compliance, ROUNDING);
    /* a rigid side leaves the other's spring */
    g.young[1] = HUGE_VAL;
    prepare(kind, NULL, &g, c);
    near_relative("K on a rigid side", "yang-sun", c[0], CAROM_PI * 207e9 * 0.02 / (2 * (1 - 0.09)), ROUNDING);
}

/* ---- elliptical contact ---- */

/* Integrals and roots computed with 40 digits and more for the doubles of the first column. */
static void test_integrals(void **state)
{
    (void)state;
    static const struct {
        double kc, K, E, B, D;
    } rows[] = {
        {1e-10, 24.4121452910603474, 1, 1, 23.4121452910603474},
        {0.1, 3.69563736298987462, 1.01599354502522394, 0.988926435752853725, 2.7067109272370209},
        {0.5, 2.15651564749964324, 1.21105602756845952, 0.895902820924731621, 1.26061282657491161},
        {0.999, 1.57158221617601734, 1.57001102685538307, 0.785594562031813431, 0.785987654144203906},
        {1, CAROM_PI / 2, CAROM_PI / 2, CAROM_PI / 4, CAROM_PI / 4},
    };
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        const double kc = rows[k].kc;
        near_relative("K_e", "40 digits", carom_elliptic_integral(kc, 1, 1), rows[k].K, 2e-15);
        near_relative("E_e", "40 digits", carom_elliptic_integral(kc, 1, kc * kc), rows[k].E, 2e-15);
        near_relative("B_e", "40 digits", carom_elliptic_integral(kc, 1, 0), rows[k].B, 2e-15);
        near_relative("D_e", "40 digits", carom_elliptic_integral(kc, 0, 1), rows[k].D, 2e-15);
    }
    near_relative("K_e", "logarithm", carom_elliptic_integral(1e-300, 1, 1), 692.161822259333595799, 2e-15);
}

static void test_axis_ratio(void **state)
{
    (void)state;
    static const double rows[][2] = {
        {1, 1},
        {1.000000001, 0.99999999933333327873},
        {1.0001, 0.99993333888839820008},
        {2, 0.6305957014280997047},
        {5, 0.34599908663735573791},
        {10, 0.22224951924622137648},
        {100, 0.054984018057118763645},
        {1e4, 0.0041248573583856217413},
        {1e8, 0.000030449128970768588465},
        {1e12, 2.5339099700177538852e-7},
    };
    for (size_t k = 0; k < CAROM_COUNT(rows); k++)
        near_relative("axis ratio", "50 digits", carom_elliptic_axis_ratio(rows[k][0]), rows[k][1], 2e-15);
    /* the five digits of the literature */
    static const double printed[][2] = {{2, 1.58580}, {5, 2.89018}, {10, 4.49945}, {100, 18.1871}};
    for (size_t k = 0; k < CAROM_COUNT(printed); k++)
        near_relative("axis ratio, printed", "6 digits", 1 / carom_elliptic_axis_ratio(printed[k][0]), printed[k][1],
                      3e-6);
    assert_true(isfinite(carom_elliptic_axis_ratio(1e300)) && carom_elliptic_axis_ratio(DBL_MAX) > 0);
    assert_true(isnan(carom_elliptic_axis_ratio(0.999)) && isnan(carom_elliptic_axis_ratio(HUGE_VAL)));
    assert_true(isnan(carom_elliptic_axis_ratio((double)NAN)));
}

/* K of hertz-elliptic for one side with principal radii against a plane. */
static double plane_stiffness(double first, double second, double angle)
{
    carom_contact_geometry g = modulus(1e11);
    double c[CAROM_LAW_CONSTANTS], p[3] = {second, (double)NAN, angle};
    g.radius[0] = first;
    g.radius[1] = HUGE_VAL;
    prepare(elastic("hertz-elliptic"), p, &g, c);
    return c[0];
}

/* Force at fixed indentation of Brewe and Hamrock's fit over the exact one. */
static void test_brewe_hamrock(void **state)
{
    (void)state;
    static const double rows[][2] = {{1, 8.7}, {2, 1.9}, {5, -0.7}, {10, -0.6}, {100, 5.9}};
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        const double r = rows[k][0], sum = 0.5 * (1 / 0.01 + 1 / (0.01 * r));
        const double axes = 1.0339 * pow(r, 0.636), e = 1.0003 + 0.5968 / r, big = 1.5277 + 0.6023 * log(r);
        const double fit = 2 * CAROM_PI / 3 * 1e11 * axes * sqrt(e / sum) / pow(big, 1.5);
        const double percent = 100 * (fit / plane_stiffness(0.01, 0.01 * r, 0) - 1);
        printf("Brewe and Hamrock at B/A = %3g: %+.3f %%\n", r, percent);
        assert_true(fabs(percent - rows[k][1]) <= 0.05 + 1e-9);
    }
}

/* The circle is Hertz's law, also as the limit, and the line is approached with finite numbers. */
static void test_ellipse_limits(void **state)
{
    (void)state;
    const double hertz = 4.0 / 3 * 1e11 * sqrt(0.01);
    near_relative("K at B/A = 1", "circle", plane_stiffness(0.01, 0.01, 0), hertz, ROUNDING);
    for (double x = 1e-16; x < 1e-7; x *= 10) {
        /* 1/R = A + B, and the ratio enters in second order */
        const double second = 0.01 * (1 + x), sum = 0.5 * (1 / 0.01 + 1 / second);
        near_relative("K at B/A -> 1", "circle", plane_stiffness(0.01, second, 0), 4.0 / 3 * 1e11 / sqrt(sum),
                      ROUNDING);
        near_relative("K at B/A -> 1", "circle", plane_stiffness(second, 0.01, 0.3), 4.0 / 3 * 1e11 / sqrt(sum),
                      ROUNDING);
    }
    double before = hertz;
    for (double r = 2; r < 2e8; r *= 2) {
        const double now = plane_stiffness(0.01, 0.01 * r, 0);
        assert_true(isfinite(now) && now > before);
        before = now;
    }
    /* B/A = 1e8: K_e = 11.7857475330666707, E = 1.00000000523178734 with 40 digits */
    const double sum = 0.5 * (100 + 1e-6), k = 1 / 0.000030449128970768588465;
    near_relative("K at B/A = 1e8", "line", plane_stiffness(0.01, 0.01 * 1e8, 0),
                  2 * CAROM_PI / 3 * 1e11 * k * sqrt(1.00000000523178734 / sum) / pow(11.7857475330666707, 1.5),
                  ROUNDING);
}

/* A and B from the radii: order of planes and sides, turn of the angle, crossed cylinders, hollow sides. */
static void test_relative_curvatures(void **state)
{
    (void)state;
    const carom_elastic_kind *kind = elastic("hertz-elliptic");
    double c[CAROM_LAW_CONSTANTS], d[CAROM_LAW_CONSTANTS];
    carom_contact_geometry g = modulus(1e11);
    g.radius[0] = 0.01;
    g.radius[1] = 0.03;
    for (int k = 0; k <= 12; k++) {
        const double angle = k * CAROM_PI / 12;
        prepare(kind, (const double[]){0.02, -0.07, angle}, &g, c);
        /* the printed form of A + B and B - A */
        const double di = 1 / 0.01 - 1 / 0.02, dj = 1 / 0.03 + 1 / 0.07;
        const double sum = 0.5 * (1 / 0.01 + 1 / 0.02 + 1 / 0.03 - 1 / 0.07);
        const double difference = 0.5 * sqrt(di * di + dj * dj + 2 * di * dj * cos(2 * angle));
        const double kc = carom_elliptic_axis_ratio((sum + difference) / (sum - difference));
        near_relative("axes at an angle", "hertz-elliptic", c[2], 1 / kc, 1e-13);
        near_relative("A + B", "hertz-elliptic", c[3], sum, ROUNDING);
        /* sides and planes exchanged */
        const carom_contact_geometry h = {
            .has_materials = true, .young = {g.young[0], g.young[1]}, .radius = {-0.07, 0.02}, .dimension = 3};
        prepare(kind, (const double[]){0.03, 0.01, angle}, &h, d);
        near_relative("sides exchanged", "hertz-elliptic", d[0], c[0], 1e-13);
    }
    /* equal cylinders crossed at right angles are a sphere on a plane */
    g.radius[0] = g.radius[1] = 0.01;
    prepare(kind, (const double[]){0, 0, CAROM_PI / 2}, &g, c);
    near_relative("crossed cylinders", "hertz-elliptic", c[0], 4.0 / 3 * 1e11 * sqrt(0.01), ROUNDING);
    /* sphere in a hollow sphere: no cancellation beyond that of the given radii */
    g.radius[1] = -0.0102;
    prepare(kind, (const double[]){(double)NAN, (double)NAN, 1}, &g, c);
    prepare(elastic("hertz"), NULL, &g, d);
    near_relative("hollow sphere", "hertz-elliptic", c[0], d[0], 1e-13);
}

/* ---- energy and refusals ---- */

/* Energy of liu over 14 decades, against 40 digits: E* = 1e11 Pa, L = 10 mm, dR = 0.5 mm. */
static void test_liu_energy(void **state)
{
    (void)state;
    static const double rows[][2] = {
        {1e-12, 1.9869176517399932742e-20},  {1e-09, 6.283180819195318373e-13}, {1e-07, 6.2827365605818116376e-8},
        {1e-06, 0.000019855000797742944746}, {1e-05, 0.0062388219750241839335}, {0.0001, 1.8595841683547125225},
        {0.0003, 25.997307354743725455},     {0.0005, 85.380214196220488812},   {0.00069, 178.00283389242591193},
        {0.0007, 183.88989610524693358},     {0.001, 408.7547580122842169},     {0.01, 53098.29714109840391},
        {1.0, 555083501.48188241643},
    };
    const carom_elastic_kind *kind = elastic("liu");
    carom_contact_geometry g = modulus(1e11);
    double c[CAROM_LAW_CONSTANTS];
    g.radius[0] = 5e-4;
    g.radius[1] = -1e-3;
    g.length = 0.01;
    prepare(kind, NULL, &g, c);
    for (size_t k = 0; k < CAROM_COUNT(rows); k++)
        near_relative("energy of liu", "40 digits", energy(kind, c, rows[k][0]), rows[k][1], 4e-15);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        double i, j, length;
        const char *reason; /* NULL: accepted */
    } rows[] = {
        {"liu", 0.01, -0.0105, 0.01, NULL},
        {"liu", -0.0105, 0.01, 0.01, NULL},
        {"liu", 0.01, 0.0105, 0.01, "pin in a hole"},
        {"liu", 0.01, HUGE_VAL, 0.01, "pin in a hole"},
        {"liu", 0.01, -0.009, 0.01, "conform"},
        {"liu", 0.01, -0.01, 0.01, "conform"},
        {"liu", 0.01, -0.0105, 0, "'length'"},
        {"yang-sun", HUGE_VAL, HUGE_VAL, 0.01, NULL},
        {"yang-sun", 0.01, 0.01, 0, "'length'"},
        {"lankarani-nikravesh-cylinder", 0.01, HUGE_VAL, 0, NULL},
        {"lankarani-nikravesh-cylinder", 0.01, -0.01, 0, "conform"},
        {"pereira-2011", 0.01, -0.0105, 0.01, NULL},
        {"pereira-2011", 0.1, -0.10000499, 0.01, "0.005 to 10 mm"},
        {"pereira-2011", 0.1, -0.10000501, 0.01, NULL},
        {"pereira-2011", 0.1, -0.1099, 0.01, NULL},
        {"pereira-2011", 0.1, -0.1101, 0.01, "0.005 to 10 mm"},
        {"pereira-2011", 0.01, 0.0105, 0.01, "pin in a hole"},
        {"pereira-2011", 0.01, -0.0105, 0, "'length'"},
        {"pereira-2015", 0.01, -0.0105, 0.01, NULL},
        {"pereira-2015", 0.1, -0.10000499, 0.01, "0.005 to 10 mm"},
        {"pereira-2015", 0.1, -0.1101, 0.01, "0.005 to 10 mm"},
        {"pereira-2015", 0.01, 0.5, 0.01, NULL},
        {"pereira-2015", 0.01, HUGE_VAL, 0.01, "flat side"},
        {"pereira-2015", 0.01, 0.5, 0, "'length'"},
        {"hertz-elliptic", HUGE_VAL, HUGE_VAL, 0, "line"},
        {"hertz-elliptic", 0.01, -0.01, 0, "line"},
        {"hertz-elliptic", 0.01, HUGE_VAL, 0, NULL},
    };
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        const carom_elastic_kind *kind = elastic(rows[k].kind);
        const double p[3] = {kind->kind.param_count == 1 ? 1.5 : (double)NAN, (double)NAN, 0};
        double c[CAROM_LAW_CONSTANTS];
        carom_contact_geometry g = modulus(1e11);
        g.radius[0] = rows[k].i;
        g.radius[1] = rows[k].j;
        g.length = rows[k].length;
        const char *refusal = CAROM_KIND_CALL(kind, prepare, p, &g, c);
        if (!rows[k].reason != !refusal || (refusal && !strstr(refusal, rows[k].reason)))
            fail_msg("%s, row %zu: %s", rows[k].kind, k, refusal ? refusal : "accepted");
        g.has_materials = false;
        refusal = CAROM_KIND_CALL(kind, prepare, p, &g, c);
        assert_true(refusal && strstr(refusal, "materials"));
    }
    /* parallel cylinders touch along a line */
    carom_contact_geometry g = modulus(1e11);
    double c[CAROM_LAW_CONSTANTS];
    g.radius[0] = g.radius[1] = 0.01;
    const char *refusal = elastic("hertz-elliptic")->prepare((const double[]){0, 0, 0}, &g, c);
    assert_true(refusal && strstr(refusal, "line"));
}

/* The exponent of pereira-2011 jumps at dR = 0.75 mm as its text says; that of pereira-2015 at 0.34954 mm does not. */
static void test_pereira_joints(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        double joint, jump, tolerance;
    } rows[] = {{"pereira-2011", 0.75e-3, 1.1119983601395589 / 1.0867850009861302 - 1, 1e-6},
                {"pereira-2015", 0.34954e-3, 0, 1e-6}};
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        double n[2];
        for (int side = 0; side < 2; side++) {
            carom_contact_geometry g = modulus(1e11);
            double c[CAROM_LAW_CONSTANTS];
            const double d = rows[k].joint * (1 + (side ? 1e-9 : -1e-9));
            g.radius[0] = d;
            g.radius[1] = -2 * d;
            g.length = 0.01;
            prepare(elastic(rows[k].kind), NULL, &g, c);
            n[side] = c[1];
        }
        printf("%s: n %.6f below and %.6f above dR = %g mm\n", rows[k].kind, n[0], n[1], 1e3 * rows[k].joint);
        assert_true(fabs(n[1] / n[0] - 1 - rows[k].jump) < rows[k].tolerance);
    }
}

static int open_reference(void **state)
{
    (void)state;
    contact = reference_open("contact.json");
    return contact ? 0 : -1;
}

static int close_reference(void **state)
{
    (void)state;
    near_print(22);
    json_free(contact);
    return 0;
}

/* The tables of Autiero et al. end at 0.5 and 80 mm, which differences of decimal radii miss by their rounding. */
static void test_ends_of_tables(void **state)
{
    (void)state;
    const carom_elastic_kind *kind = &carom_elastic_autiero_fit;
    const carom_contact_geometry line = {.radius = {-0.1, 0.02}, .length = 0.01, .dimension = 2};
    static const struct {
        double clearance;
        bool fits;
    } cases[] = {{0.0005, true}, {0.08, true}, {0.0005 * (1 - 1e-12), true}, {0.08 * (1 + 1e-12), true},
                 {0.02, true},   {0.0005 * (1 - 1e-6), false}, {0.08 * (1 + 1e-6), false}};
    double ends[2][CAROM_LAW_CONSTANTS];
    for (size_t k = 0; k < CAROM_COUNT(cases); k++) {
        double c[CAROM_LAW_CONSTANTS] = {0};
        const double p[4] = {0, 0, 0, cases[k].clearance};
        assert_true((kind->prepare(p, &line, c) == NULL) == cases[k].fits);
        if (k < 2)
            memcpy(ends[k], c, sizeof c);
        else if (k < 4)
            assert_memory_equal(ends[k - 2], c, sizeof c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cylinders),
        cmocka_unit_test(test_braendlein),
        cmocka_unit_test(test_stiffness),
        cmocka_unit_test(test_yang_sun_of_two_materials),
        cmocka_unit_test(test_integrals),
        cmocka_unit_test(test_axis_ratio),
        cmocka_unit_test(test_brewe_hamrock),
        cmocka_unit_test(test_ellipse_limits),
        cmocka_unit_test(test_relative_curvatures),
        cmocka_unit_test(test_liu_energy),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_pereira_joints),
        cmocka_unit_test(test_ends_of_tables),
    };
    return cmocka_run_group_tests(tests, open_reference, close_reference);
}

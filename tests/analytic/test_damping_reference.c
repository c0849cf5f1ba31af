/* Damping laws that are not of the hysteresis family against the reference data: forces, constants, and free impacts
   integrated with these forces for both endings; closed forms of Kelvin and Voigt, Tsuji and Jankowski. */
#include "carom_test.h"

#include <math.h>

#include "kinds/normal/impact.h"
#include "support/json_at.h"
#include "support/law.h"
#include "support/near.h"
#include "support/kinds.h"
#include "support/reference.h"

#define PI 3.14159265358979323846
#define FORCE_TOLERANCE 1e-12 /* of the larger of |F| and the elastic part */
#define COEFFICIENT_TOLERANCE 1e-13
#define CLOSED_TOLERANCE 1e-12
#define INTEGRATED_TOLERANCE 1e-11 /* fourth order, 4000 steps to the depth: 4e-15 times a constant */

static json *contact;

/* ---- laws and parameters by the names of contact.json ---- */

static const struct {
    const char *reference, *name;
    int cases;
} laws[] = {
    {"kelvin_voigt", "kelvin-voigt", 7},
    {"anagnostopoulos", "anagnostopoulos", 8},
    {"tsuji", "tsuji", 8},
    {"jankowski", "jankowski", 4},
    {"lee_wang2", "lee-wang-2", 4},
    {"ristow_schafer", "ristow-schaefer", 4},
    {"lee_herrmann", "lee-herrmann", 4},
    {"kuwabara_kono", "kuwabara-kono", 4},
    {"bordbar_hyppanen", "bordbar-hyppaenen", 2},
};

#define LAWS (sizeof laws / sizeof laws[0])

static void make(const json *params, const char *name, test_law *law)
{
    static const char *const keys[][2] = {
        {"K", "stiffness"}, {"e", "restitution"}, {"D", "damping"},   {"alpha", "alpha"},
        {"chi", "chi"},     {"p", "power"},       {"eps", "epsilon"}, {"q", "q"}};
    test_law_value values[8];
    size_t count = 0;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (json_member(params, keys[k][0]))
            values[count++] = (test_law_value){keys[k][1], number_at(params, keys[k][0])};
    const char *refusal = test_law_make_with(law, name, values, count);
    if (refusal)
        fail_msg("%s: %s", name, refusal);
}

/* ---- free impacts ---- */

/* Positive z with indentation z^4, rate and time: dt = 4 z^3 ds makes dz/ds = v, and every force here smooth. */
typedef struct motion {
    double z, v, t;
} motion;

typedef struct impact {
    const test_law *law;
    double mass, v0, transition; /* z of the edge of the transition zone; 0: none */
    bool to_zero;                /* ends at delta = 0, not at F = 0 */
} impact;

static test_law_force force_at(const impact *im, motion m)
{
    return test_law_evaluate_mass(im->law, m.z * m.z * m.z * m.z, m.v, im->v0, im->mass);
}

/* One step of Runge and Kutta's fourth order. */
static motion advance(const impact *im, motion m, double h)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    motion rate = {0, 0, 0}, sum = m;
    for (int k = 0; k < 4; k++) {
        const double g = part[k] * h;
        const motion at = {m.z + g * rate.z, m.v + g * rate.v, m.t + g * rate.t};
        const double stretch = 4 * at.z * at.z * at.z;
        rate = (motion){at.v, -stretch * force_at(im, at).force / im->mass, stretch};
        sum.z += weight[k] * h * rate.z;
        sum.v += weight[k] * h * rate.v;
        sum.t += weight[k] * h * rate.t;
    }
    return sum;
}

/* dF/dt along the motion, from the partial derivatives of the law. */
static double force_rate(const impact *im, motion m)
{
    const test_law_force f = force_at(im, m);
    return f.d_delta * m.v - f.d_rate * f.force / im->mass;
}

/* What a motion is watched for: the turn, the edge of the transition zone, the greatest force, the end. */
enum { TURN, EDGE, PEAK, END, EVENTS };

static double watched(const impact *im, motion m, int what)
{
    switch (what) {
    case TURN:
        return m.v;
    case EDGE:
        return im->transition > 0 ? m.z - im->transition : 1;
    case PEAK:
        return force_rate(im, m);
    default:
        return im->to_zero ? m.z : m.v > 0 ? 1 : force_at(im, m).force;
    }
}

/* Length up to h of the step at whose end what is watched has changed sign, just behind the change. */
static double find_change(const impact *im, motion m, double h, int what)
{
    const bool positive = watched(im, m, what) > 0;
    double low = 0, high = h;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        if ((watched(im, advance(im, m, middle), what) > 0) == positive)
            low = middle;
        else
            high = middle;
    }
    return high;
}

typedef struct outcome {
    motion end, deepest, peak;
    double peak_force;
} outcome;

static outcome run_impact(const impact *im, double deepest)
{
    const double scale = pow(deepest, 0.25), h = scale / im->v0 / 4000;
    motion m = {0, im->v0, 0};
    outcome out = {.peak = m, .peak_force = force_at(im, m).force};
    m = advance(im, m, h);
    for (int step = 0; step < 200000; step++) {
        double length = h;
        int event = -1;
        const motion next = advance(im, m, h);
        for (int what = 0; what < EVENTS; what++)
            if ((watched(im, m, what) > 0) != (watched(im, next, what) > 0)) {
                const double change = find_change(im, m, h, what);
                if (event < 0 || change < length) {
                    length = change;
                    event = what;
                }
            }
        m = advance(im, m, length);
        const double force = force_at(im, m).force;
        if (force > out.peak_force && (event == PEAK || event == EDGE || event == TURN)) {
            out.peak = m;
            out.peak_force = force;
        }
        if (event == TURN)
            out.deepest = m;
        if (event == END)
            break;
    }
    out.end = m;
    return out;
}

static double indentation(motion m) { return m.z * m.z * m.z * m.z; }

static void check_outcome(const json *one, const char *id, const impact *im)
{
    const json *result = json_member(one, "impact");
    const double dmax = number_at(result, "dmax"), fmax_ = number_at(result, "Fmax"),
                 duration = number_at(result, "duration");
    const double v0 = im->v0, energy = 0.5 * im->mass * v0 * v0, tolerance = INTEGRATED_TOLERANCE;
    const outcome out = run_impact(im, dmax);
    const double exit = -out.end.v;
    near("exit speed", id, exit, number_at(result, "exit_speed"), v0, tolerance);
    near("restitution", id, exit / v0, number_at(result, "e_post"), 1, tolerance);
    near("energy", id, 0.5 * im->mass * (v0 * v0 - exit * exit), number_at(result, "energy"), energy, tolerance);
    near("max indentation", id, indentation(out.deepest), dmax, dmax, tolerance);
    near("max force", id, out.peak_force, fmax_, fmax_, tolerance);
    /* the place of a maximum is the root of a derivative, which cancels */
    near("indentation at max force", id, indentation(out.peak), number_at(result, "delta_at_Fmax"), dmax,
         10 * tolerance);
    near("rate at max force", id, out.peak.v, number_at(result, "ddot_at_Fmax"), v0, 10 * tolerance);
    near("duration", id, out.end.t, duration, duration, tolerance);
    if (!im->to_zero) {
        const double left = indentation(out.end);
        near("indentation at release", id, left, number_at(result, "delta_exit"), dmax, tolerance);
        near("duration to delta = 0", id, out.end.t + left / exit, number_at(result, "duration_to_delta0"), duration,
             tolerance);
    }
    if (json_member(result, "F_onset"))
        near("force at onset", id, force_at(im, (motion){0, v0, 0}).force, number_at(result, "F_onset"),
             number_at(result, "F_onset"), FORCE_TOLERANCE);
}

/* Constants of the laws, read off their derivative by the rate at a large indentation. */
static void check_coefficients(const json *one, const char *id, const test_law *law, double mass, double v0)
{
    const json *coeff = json_member(one, "coeff"), *params = json_member(one, "params");
    const double k = number_at(params, "K"), delta = 1e-3;
    const double gain = test_law_evaluate_mass(law, delta, v0, v0, mass).d_rate;
    const double quarter = test_law_evaluate_mass(law, delta / 16, v0, v0, mass).d_rate;
    const double linear = gain / (2 * sqrt(k * mass));
    const struct {
        const char *name;
        double got;
    } rows[] = {
        {"zeta", law->ce[1] == 1 ? linear : linear * 2 / (sqrt(5) * pow(delta, 0.25))},
        {"D", gain},
        {"xi", linear / pow(delta, 0.25)},
        {"zeta2", gain},
        {"p", log(gain / quarter) / log(16)},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        if (json_member(coeff, rows[r].name)) {
            const double expected = number_at(coeff, rows[r].name);
            near(rows[r].name, id, rows[r].got, expected, expected == 0 ? 1 : expected, 10 * COEFFICIENT_TOLERANCE);
        }
    /* tsuji, given the restitution in place of alpha */
    if (json_member(coeff, "e_nominal")) {
        test_law other;
        const double e = number_at(coeff, "e_nominal");
        assert_null(test_law_make(&other, "tsuji", k, 1.5, e));
        const double asked = test_law_evaluate_mass(&other, delta, v0, v0, mass).d_rate;
        near("alpha of restitution", id, asked, gain, gain, 10 * COEFFICIENT_TOLERANCE);
    }
}

static void check_case(const json *one, const char *name)
{
    const char *id = json_text(json_member(one, "id"));
    const json *params = json_member(one, "params"), *samples = json_member(one, "samples");
    const double mass = number_at(params, "m"), v0 = number_at(params, "v0");
    test_law law;
    make(params, name, &law);
    assert_true(json_size(samples) > 0);
    for (size_t s = 0; s < json_size(samples); s++) {
        const json *sample = json_item(samples, s);
        const test_law_force f =
            test_law_evaluate_mass(&law, number_at(sample, "delta"), number_at(sample, "ddot"), v0, mass);
        const double expected = number_at(sample, "F");
        near("force", id, f.force, expected, fmax(fabs(expected), f.elastic), FORCE_TOLERANCE);
    }
    check_coefficients(one, id, &law, mass, v0);
    const json *eps = json_member(params, "eps");
    const char *rule = json_text(json_member(one, "rule"));
    assert_true(strcmp(rule, "delta0") == 0 || strcmp(rule, "force0") == 0);
    const impact im = {&law, mass, v0, eps ? pow(json_number(eps), 0.25) : 0, strcmp(rule, "delta0") == 0};
    check_outcome(one, id, &im);
}

static void test_impacts(void **state)
{
    (void)state;
    const json *group = json_get(contact, "groups.impact");
    for (size_t l = 0; l < LAWS; l++) {
        int checked = 0;
        for (size_t k = 0; k < json_size(group); k++) {
            const json *one = json_item(group, k);
            if (strcmp(json_text(json_member(one, "law")), laws[l].reference) != 0)
                continue;
            check_case(one, laws[l].name);
            checked++;
        }
        assert_int_equal(checked, laws[l].cases);
    }
}

/* ---- closed forms ---- */

/* acos(z)/sqrt(1 - z^2), continued to z > 1. */
static double angle(double z)
{
    if (fabs(z - 1) < 1e-6)
        return 1 + (1 - z) / 3;
    return z < 1 ? acos(z) / sqrt(1 - z * z) : acosh(z) / sqrt(z * z - 1);
}

/* Restitution of the linear oscillator with damping ratio z that ends at F = 0 and at delta = 0. */
static double at_force_zero(double z) { return exp(-2 * z * angle(z)); }
static double at_delta_zero(double z) { return z < 1 ? exp(-PI * z / sqrt(1 - z * z)) : 0; }

/* Damping ratio of a law, of its linear oscillator: of the rate's coefficient with K = m = 1. */
static double ratio_of(const char *name, double exponent, double e)
{
    test_law law;
    assert_null(test_law_make(&law, name, 1, exponent, e));
    const double n = law.ce[1], delta = 0.3;
    const double gain = test_law_evaluate(&law, delta, 1, 1).d_rate / pow(delta, 0.5 * (n - 1));
    return gain / sqrt(2 * (n + 1));
}

static void test_restitution_rows(void **state)
{
    (void)state;
    const json *group = json_get(contact, "groups.restitution");
    int checked = 0;
    for (size_t k = 0; k < json_size(group); k++) {
        const json *rows = json_get(json_item(group, k), "rows");
        const char *name = json_text(json_get(json_item(group, k), "law"));
        const bool jankowski = strcmp(name, "jankowski") == 0, oscillator = strcmp(name, "kelvin_voigt_tsuji") == 0;
        for (size_t r = 0; (jankowski || oscillator) && r < json_size(rows); r++) {
            const json *row = json_item(rows, r);
            const double e = number_at(row, "e");
            checked++;
            if (jankowski && e == 0) {
                test_law law;
                assert_non_null(test_law_make(&law, "jankowski", 1, (double)NAN, e));
                continue;
            }
            const double a = number_at(row, "A");
            if (jankowski) {
                const double z = ratio_of("jankowski", 1.5, e);
                near("xi", name, z * sqrt(5) / 2, a, a, COEFFICIENT_TOLERANCE);
                near("closed form", name, exp(-z * angle(z)), number_at(row, "e_post"), 1, CLOSED_TOLERANCE);
                continue;
            }
            static const double exponents[] = {1, 1.5, 2.2};
            near("zeta", name, ratio_of("anagnostopoulos", 1, e), a, a, COEFFICIENT_TOLERANCE);
            for (size_t i = 0; i < 3; i++) {
                const double z = ratio_of("tsuji", exponents[i], e);
                near("zeta", name, z, a, a, COEFFICIENT_TOLERANCE);
                near("closed form", name, at_delta_zero(z), number_at(row, "e_post"), 1, CLOSED_TOLERANCE);
                near("closed form", name, at_force_zero(z), number_at(row, "e_post_force0"), 1, CLOSED_TOLERANCE);
            }
        }
    }
    assert_int_equal(checked, 2 * 21);
}

/* Tsuji's law returns the same for every exponent: integrated, both endings. Hertz has delta^(1/4). */
static void test_tsuji(void **state)
{
    (void)state;
    static const double exponents[] = {1, 1.25, 1.5, 2, 3}, asked[] = {0.9, 0.5, 0.1};
    for (size_t n = 0; n < sizeof exponents / sizeof exponents[0]; n++)
        for (size_t k = 0; k < 3; k++)
            for (int to_zero = 0; to_zero < 2; to_zero++) {
                test_law law;
                const double mass = 0.046, v0 = 0.3, stiffness = 5.5e9, e = asked[k], z = ratio_of("tsuji", 1.5, e);
                assert_null(test_law_make(&law, "tsuji", stiffness, exponents[n], e));
                const carom_hysteresis_impact elastic = {stiffness, exponents[n], 0, mass, v0};
                const impact im = {&law, mass, v0, 0, to_zero != 0};
                const outcome out = run_impact(&im, carom_impact_max_indentation(&elastic));
                near("tsuji integrated", to_zero ? "delta = 0" : "F = 0", -out.end.v / v0,
                     to_zero ? at_delta_zero(z) : at_force_zero(z), 1, INTEGRATED_TOLERANCE);
            }
    test_law law;
    const test_law_value values[] = {{"stiffness", 16}, {"alpha", 0.5}};
    assert_null(test_law_make_with(&law, "tsuji", values, 2));
    near("tsuji", "Hertz", test_law_evaluate_mass(&law, 0.0625, 1, 1, 9).damping, 0.5 * 12 * 0.5, 3, 1e-15);
}

/* The coefficient a(e) of poursina-nikravesh: a = D with K = m = v0 = 1. The printed values, and impacts integrated by
   the other substitution of this file, which end at F = 0 with the restitution asked. */
static void test_poursina_nikravesh(void **state)
{
    (void)state;
    static const double rows[][2] = {{0.9, 0.06156}, {0.7, 0.21968}, {0.5, 0.45173}, {0.3, 0.84970}, {0.1, 1.93862}};
    static const double asked[] = {0.99999, 0.99, 0.9, 0.75, 0.5, 0.25, 0.1, 0.03, 0.01, 0.001};
    test_law law;
    for (size_t k = 0; k < 5; k++) {
        assert_null(test_law_make(&law, "poursina-nikravesh", 1, 1.5, rows[k][0]));
        near("a(e), printed", "poursina-nikravesh", test_law_evaluate(&law, 0.1, 1, 1).d_rate, rows[k][1], 1, 5.1e-6);
    }
    assert_null(test_law_make(&law, "poursina-nikravesh", 1, 1.5, 1));
    assert_true(test_law_evaluate(&law, 0.1, 1, 1).damping == 0);
    for (size_t k = 0; k < sizeof asked / sizeof asked[0]; k++) {
        const double mass = 0.046, v0 = 0.3, stiffness = 5.5e9;
        assert_null(test_law_make(&law, "poursina-nikravesh", stiffness, 1.5, asked[k]));
        const carom_hysteresis_impact elastic = {stiffness, 1.5, 0, mass, v0};
        const double d = test_law_evaluate_mass(&law, 1e-6, v0, v0, mass).d_rate;
        /* an overdamped impact goes as deep as m v0/D */
        const double deepest = fmin(carom_impact_max_indentation(&elastic), mass * v0 / d);
        const impact im = {&law, mass, v0, 0, false};
        near("a(e), integrated", "poursina-nikravesh", -run_impact(&im, deepest).end.v / v0, asked[k], 1,
             INTEGRATED_TOLERANCE);
        /* D in proportion to m^(3/5) K^(2/5) v0^(1/5) */
        const double other = test_law_evaluate_mass(&law, 1e-6, v0, 32 * v0, 32 * mass).d_rate;
        near("D", "poursina-nikravesh", other, 16 * d, 16 * d, 1e-14);
    }
}

/* ---- scalars, and laws without rows in the reference ---- */

static void test_scalars(void **state)
{
    (void)state;
    const json *group = json_get(contact, "groups.scalar");
    int checked = 0;
    for (size_t k = 0; k < json_size(group); k++) {
        const json *one = json_item(group, k), *params = json_member(one, "params");
        const char *kind = json_text(json_member(one, "kind"));
        const double value = json_member(one, "value") ? number_at(one, "value") : 0;
        test_law law, other;
        if (strcmp(kind, "brilliantov_chi") == 0) {
            const double stiffness = number_at(params, "K");
            const test_law_value viscosities[] = {{"stiffness", stiffness},
                                                  {"eta1", number_at(params, "eta1")},
                                                  {"eta2", number_at(params, "eta2")},
                                                  {"E", number_at(params, "E")},
                                                  {"nu", number_at(params, "nu")}};
            const test_law_value time[] = {{"stiffness", stiffness}, {"viscous_time", number_at(one, "A")}};
            assert_null(test_law_make_with(&law, "brilliantov", viscosities, 5));
            assert_null(test_law_make_with(&other, "kuwabara-kono", time, 2));
            near("chi", kind, test_law_evaluate(&law, 1, 1, 1).damping, value, value, COEFFICIENT_TOLERANCE);
            near("chi", kind, test_law_evaluate(&other, 1, 1, 1).damping, value, value, COEFFICIENT_TOLERANCE);
            near("A", kind, law.cd[1], number_at(one, "A"), number_at(one, "A"), COEFFICIENT_TOLERANCE);
            near("chi as printed", kind,
                 test_law_evaluate(&law, 1, 1, 1).damping / (1.5 * (1 + number_at(params, "nu"))),
                 number_at(one, "value_001_printed"), value, COEFFICIENT_TOLERANCE);
            checked++;
        } else if (strcmp(kind, "lee_wang_T2") == 0) {
            const test_law_value zone[] = {{"stiffness", 1},
                                           {"restitution", 0.5},
                                           {"epsilon", number_at(params, "eps")},
                                           {"q", number_at(params, "q")}};
            assert_null(test_law_make_with(&law, "lee-wang-2", zone, 4));
            const double full = test_law_evaluate(&law, 1, 1, 1).damping;
            near("T2", kind, test_law_evaluate(&law, number_at(params, "delta"), 1, 1).damping / full, value, value,
                 COEFFICIENT_TOLERANCE);
            checked++;
        }
    }
    assert_int_equal(checked, 1 + 4);
}

/* IMPACT(x, xdot, x1, k, e, cmax, d) = max(0, k (x1 - x)^e - STEP(x, x1 - d, cmax, x1, 0) xdot) of the manuals. */
static double adams_impact(double x, double xdot, double x1, double k, double e, double cmax, double d)
{
    const double s = (x - (x1 - d)) / d;
    const double step = s <= 0 ? cmax : s >= 1 ? 0 : cmax + (0 - cmax) * s * s * (3 - 2 * s);
    return x < x1 ? fmax(0, k * pow(x1 - x, e) - step * xdot) : 0;
}

static void test_adams_impact(void **state)
{
    (void)state;
    const double k = 1e8, e = 2.2, c = 1e4, d = 1e-4, x1 = 0.05;
    const test_law_value values[] = {{"stiffness", k}, {"exponent", e}, {"damping", c}, {"depth", d}};
    test_law law;
    assert_null(test_law_make_with(&law, "adams-impact", values, 4));
    for (int i = 0; i <= 30; i++)
        for (int r = -10; r <= 10; r++) {
            const double delta = i * 1e-5, rate = 0.1 * r;
            const test_law_force f = test_law_evaluate(&law, delta, rate, 1);
            /* x1 - x of the manual's formula is delta to rounding */
            near("IMPACT", "adams-impact", fmax(0, f.force), adams_impact(x1 - delta, -rate, x1, k, e, c, d),
                 f.elastic + fabs(f.damping) + 1e-3, 1e-11);
        }
}

/* Hunt and Crossley with alpha: a free impact of the family with A = 3 alpha v0/2; slow impacts return 1 - alpha v0. */
static void test_alpha(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        test_law law, family;
        const double alpha = 0.32, v0 = pow(10, k - 3), mass = 0.046;
        const test_law_value values[] = {{"stiffness", 5.5e9}, {"alpha", alpha}};
        assert_null(test_law_make_with(&law, "hunt-crossley-alpha", values, 2));
        const double a = CAROM_KIND_CALL(law.damping, ratio, law.cd, v0);
        near("A", "alpha", a, 1.5 * alpha * v0, a, 1e-15);
        if (alpha * v0 < 1) {
            assert_null(test_law_make(&family, "hunt-crossley", 5.5e9, 1.5, 1 - alpha * v0));
            const double same = test_law_evaluate(&family, 1e-5, -0.3 * v0, v0).force;
            near("force", "alpha", test_law_evaluate(&law, 1e-5, -0.3 * v0, 1).force, same, same, FORCE_TOLERANCE);
        }
        const carom_hysteresis_impact closed = {5.5e9, 1.5, a, mass, v0};
        const impact im = {&law, mass, v0, 0, true};
        const outcome out = run_impact(&im, carom_impact_max_indentation(&closed));
        near("alpha integrated", "exit", -out.end.v / v0, carom_achieved_restitution(a), 1, INTEGRATED_TOLERANCE);
        near("alpha integrated", "peak", out.peak_force, carom_impact_max_force(&closed, NULL, NULL), out.peak_force,
             INTEGRATED_TOLERANCE);
        assert_true(-out.end.v < 2 / (3 * alpha));
    }
}

/* Choices that prepare refuses, and parts that do not fit. */
static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        test_law_value values[3];
        const char *has; /* NULL: accepted */
    } rows[] = {
        {"tsuji", {{"alpha", 0.2}}, NULL},
        {"tsuji", {{"restitution", 0}}, NULL},
        {"tsuji", {{"alpha", 0.2}, {"restitution", 0.5}}, "either"},
        {"poursina-nikravesh", {{"damping", 60}}, NULL},
        {"poursina-nikravesh", {{"damping", 60}, {"restitution", 0.5}}, "either"},
        {"poursina-nikravesh", {{"damping", 60}, {"exponent", 1}}, "1.5"},
        {"kuwabara-kono", {{"chi", 60}, {"viscous_time", 1e-8}}, "one of"},
        {"kuwabara-kono", {{"chi", 60}, {"nu", 0.3}}, "one of"},
        {"kuwabara-kono", {{"eta1", 60}, {"nu", 0.3}}, "needs"},
        {"kuwabara-kono", {{"chi", 60}, {"exponent", 2}}, "1.5"},
        {"jankowski", {{"restitution", 0.5}, {"exponent", 1}}, "1.5"},
        {"jankowski", {{"restitution", 0}}, "too small"},
        {"zhang", {{"restitution", 0}}, "too small"},
        {"hu-guo", {{"restitution", 0}}, "too small"},
        {"khulief-shabana", {{"restitution", 0.5}, {"exponent", 1.5}}, "n = 1"},
        {"khulief-shabana", {{"restitution", 0.5}}, NULL},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        test_law law;
        size_t count = 0;
        test_law_value values[4] = {{"stiffness", 1e9}};
        while (count < 3 && rows[k].values[count].name) {
            values[count + 1] = rows[k].values[count];
            count++;
        }
        const char *refusal = test_law_make_with(&law, rows[k].name, values, count + 1);
        if (!rows[k].has)
            assert_null(refusal);
        else if (!refusal || !strstr(refusal, rows[k].has))
            fail_msg("%s, row %zu: '%s' without '%s'", rows[k].name, k, refusal ? refusal : "accepted", rows[k].has);
    }
    static const char *const none[] = {"tsuji", "poursina-nikravesh", "kuwabara-kono"};
    for (size_t k = 0; k < 3; k++) {
        const carom_damping_kind *kind =
            (const carom_damping_kind *)carom_kind_find(all_kinds(), CAROM_FAMILY_DAMPING, none[k]);
        const double p[6] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
        double c[CAROM_LAW_CONSTANTS];
        assert_non_null(strstr(CAROM_KIND_CALL(kind, prepare, p, c), "needs"));
    }
    /* linear dampers take linear springs only; a part that is no power law has no stiffness for them */
    static const char *const linear[] = {"anagnostopoulos", "lee-wang-2", "khulief-shabana"};
    for (size_t k = 0; k < 3; k++) {
        const carom_damping_kind *kind =
            (const carom_damping_kind *)carom_kind_find(all_kinds(), CAROM_FAMILY_DAMPING, linear[k]);
        assert_null(CAROM_KIND_CALL(kind, fits, true, 1));
        assert_non_null(CAROM_KIND_CALL(kind, fits, true, 1.5));
        assert_non_null(CAROM_KIND_CALL(kind, fits, false, (double)NAN));
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
    near_print(26);
    json_free(contact);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impacts), cmocka_unit_test(test_restitution_rows),
        cmocka_unit_test(test_tsuji),   cmocka_unit_test(test_poursina_nikravesh),
        cmocka_unit_test(test_scalars), cmocka_unit_test(test_adams_impact),
        cmocka_unit_test(test_alpha),   cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, open_reference, close_reference);
}

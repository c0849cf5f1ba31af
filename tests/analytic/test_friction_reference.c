/* Friction laws against the reference data, and the shapes their publications promise. */
#include "carom_test.h"

#include <math.h>

#include "support/friction.h"
#include "support/reference.h"

#define MAP_TOLERANCE 1e-12

static test_friction law_of(const char *name, const char *given)
{
    test_friction law;
    const char *refusal = test_friction_make(&law, name, given);
    if (refusal)
        fail_msg("%s: %s", name, refusal);
    return law;
}

static double map(const test_friction *law, double speed, double normal)
{
    return CAROM_KIND_CALL(law->kind, map, law->c, speed, normal);
}

/* The parameters of a case in the words of the law. */
static test_friction case_law(const json *params, const char *name)
{
    static const char *const words[][2] = {
        {"muk", "kinetic"}, {"mus", "static"}, {"v0", "transition_speed"}, {"v1", "full_speed"}, {"xi", "decay"}};
    bool continuous = strcmp(name, "threlfall_continuous") == 0;
    char given[512], keyword[64];
    size_t used = (size_t)snprintf(given, sizeof given, "cap=%s", continuous ? "continuous" : "printed");
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        const json *value = json_member(params, words[k][0]);
        if (value)
            used += (size_t)snprintf(given + used, sizeof given - used, " %s=%.17g", words[k][1], json_number(value));
    }
    snprintf(keyword, sizeof keyword, "%s", continuous ? "threlfall" : name);
    for (char *at = keyword; *at; at++)
        *at = *at == '_' ? '-' : *at;
    return law_of(keyword, given);
}

static void test_samples(void **state)
{
    (void)state;
    json *contact = reference_open("contact.json");
    const json *cases = json_get(contact, "groups.friction");
    double worst = 0;
    int compared = 0, resting = 0;
    for (size_t k = 0; k < json_size(cases); k++) {
        const json *one = json_item(cases, k), *samples = json_member(one, "samples");
        const char *name = json_text(json_member(one, "law"));
        double normal = json_number(json_get(one, "params.fn"));
        test_friction law = case_law(json_member(one, "params"), name);
        for (size_t s = 0; s < json_size(samples); s++) {
            double vt = json_number(json_get(json_item(samples, s), "vt"));
            double f = json_number(json_get(json_item(samples, s), "f"));
            /* the reference has no force at rest; the law's value there is the greatest force that holds */
            if (vt == 0 && law.kind->set_valued) {
                assert_true(f == 0 && map(&law, 0, normal) == map(&law, 1, normal));
                resting++;
                continue;
            }
            double got = copysign(map(&law, fabs(vt), normal), vt);
            double error = f == got ? 0 : fabs(got - f) / fabs(f);
            worst = fmax(worst, error);
            if (!(error <= MAP_TOLERANCE))
                fail_msg("%s at %g: %.17g, expected %.17g", name, vt, got, f);
            compared++;
        }
    }
    printf("%d samples, largest relative error %.2g\n", compared, worst);
    assert_int_equal(compared + resting, 220);
    assert_int_equal(resting, 2);
    json_free(contact);
}

/* The printed cap of Threlfall's law falls by 1 - exp(-3) - 0.95 of mu_k N at v0, the continuous one does not. */
static void test_threlfall_jump(void **state)
{
    (void)state;
    test_friction printed = law_of("threlfall", "kinetic=1 transition_speed=0.01");
    test_friction whole = law_of("threlfall", "kinetic=1 transition_speed=0.01 cap=continuous");
    double above = nextafter(0.01, 1), jump = map(&printed, 0.01, 1) - map(&printed, above, 1);
    printf("threlfall: jump %.10g of mu_k N\n", jump);
    assert_true(fabs(jump - 2.12931632136e-4) < 1e-15);
    assert_true(fabs(map(&whole, 0.01, 1) - map(&whole, above, 1)) < 1e-15);
    assert_true(map(&printed, 10, 1) == 0.95);
    assert_true(CAROM_KIND_CALL(printed.kind, cone, printed.c) == map(&printed, 0.01, 1));
}

/* Slip of the greatest force between two slips: golden section. */
static double peak_of(const test_friction *law, double low, double high)
{
    double g = 0.5 * (sqrt(5) - 1), a = low, b = high;
    for (int k = 0; k < 80; k++) {
        double x = b - g * (b - a), y = a + g * (b - a);
        if (map(law, x, 1) < map(law, y, 1))
            a = x;
        else
            b = y;
    }
    return 0.5 * (a + b);
}

/* The peak of Brown and McPhee: 4 mu_k sech^2(4x) = -(mu_s - mu_k) d/dx (x/(x^2/4 + 3/4)^2), just above x = 1. */
static void test_brown_mcphee_shape(void **state)
{
    (void)state;
    const double mu_k = 0.3, mu_s = 0.5, vt = 0.02;
    test_friction law = law_of("brown-mcphee", "kinetic=0.3 static=0.5 transition_speed=0.02");
    double x = peak_of(&law, 0.5 * vt, 2 * vt) / vt;
    double low = 1, high = 1.1;
    for (int k = 0; k < 60; k++) {
        double mid = 0.5 * (low + high), b = 0.25 * mid * mid + 0.75, sech = 1 / cosh(4 * mid);
        double slope = 4 * mu_k * sech * sech + (mu_s - mu_k) * (b - mid * mid) / (b * b * b);
        *(slope > 0 ? &low : &high) = mid;
    }
    printf("brown-mcphee: peak at %.7f vt (stationary point %.7f), %.9f of mu_s\n", x, low,
           map(&law, x * vt, 1) / mu_s);
    assert_true(fabs(x - low) < 1e-6); /* a maximum is found to the root of the rounding */
    assert_true(fabs(map(&law, vt, 1) - (mu_s - mu_k * (1 - tanh(4)))) < 1e-15);
    assert_true(map(&law, x * vt, 1) < mu_s && map(&law, x * vt, 1) > map(&law, vt, 1));
    assert_true(fabs(map(&law, 1e3, 1) - mu_k) < 1e-12);
    /* slope at rest: 4 mu_k + (mu_s - mu_k) 16/9 over vt */
    assert_true(fabs(map(&law, 1e-12, 1) / 1e-12 * vt / (4 * mu_k + (mu_s - mu_k) * 16 / 9) - 1) < 1e-9);
    /* the film: switched on by the load, not scaled by it */
    test_friction wet = law_of("brown-mcphee", "kinetic=0.3 viscous_damping=7 transition_load=2");
    assert_true(fabs(map(&wet, 5, 1e3) - (300 + 35)) < 1e-10 && map(&wet, 5, 0) == 0);
}

static void test_hollars_shape(void **state)
{
    (void)state;
    const double mu_k = 0.3, mu_s = 0.5, vt = 0.02, h = 1e-7;
    test_friction law = law_of("hollars", "kinetic=0.3 static=0.5 transition_speed=0.02");
    double peak = map(&law, vt, 1);
    double left = (peak - map(&law, vt * (1 - h), 1)) / h, right = (map(&law, vt * (1 + h), 1) - peak) / h;
    printf("hollars: peak %.17g, slopes times vt %.6f and %.6f\n", peak, left, right);
    assert_true(peak == mu_s && fabs(peak_of(&law, 0, 10 * vt) - vt) < 1e-7 * vt);
    assert_true(fabs(left - mu_k) < 1e-6 && fabs(right + (mu_s - mu_k)) < 1e-6);
    assert_true(fabs(map(&law, 1e6, 1) - mu_k) < 1e-12);
    test_friction wet = law_of("hollars", "kinetic=0.3 viscous=2");
    assert_true(fabs(map(&wet, 5, 3) - 3 * (0.3 + 10)) < 1e-12);
}

/* Stationary where (mu_k + d w)/(v0 cosh^2) = d w p u/v tanh, w = exp(-u), u = (v/vs)^p, d = mu_s - mu_k. */
static void test_andersson_shape(void **state)
{
    (void)state;
    const double mu_k = 0.3, d = 0.2, v0 = 1e-3, vs = 0.05, p = 1.4;
    test_friction law = law_of("andersson", "kinetic=0.3 static=0.5 transition_speed=0.001 stribeck_speed=0.05 "
                                            "stribeck_exponent=1.4");
    double low = v0, high = 20 * v0, peak = peak_of(&law, v0, 20 * v0);
    for (int k = 0; k < 60; k++) {
        double v = 0.5 * (low + high), u = pow(v / vs, p), w = exp(-u), sech = 1 / cosh(v / v0);
        double slope = (mu_k + d * w) * sech * sech / v0 - d * w * p * u / v * tanh(v / v0);
        *(slope > 0 ? &low : &high) = v;
    }
    printf("andersson: peak at %.7f v0 (stationary point %.7f), %.6f of mu_s\n", peak / v0, low / v0,
           map(&law, peak, 1) / 0.5);
    assert_true(fabs(peak / low - 1) < 1e-6);
    assert_true(fabs(map(&law, vs, 2) - 2 * (mu_k + d * exp(-1))) < 1e-15);
    assert_true(fabs(map(&law, 1e-13, 1) / 1e-13 * v0 / 0.5 - 1) < 1e-9);
    assert_true(fabs(map(&law, 1e3, 1) - mu_k) < 1e-15);
}

/* The kink of Bengisu and Akay at v0: slopes 0 and -xi (mu_s - mu_k). */
static void test_bengisu_akay_kink(void **state)
{
    (void)state;
    const double v0 = 0.02, h = 1e-9;
    test_friction law = law_of("bengisu-akay", "kinetic=0.3 static=0.5 transition_speed=0.02 decay=50");
    double peak = map(&law, v0, 1);
    assert_true(peak == 0.5 && fabs(peak - map(&law, v0 - h, 1)) < 1e-14);
    assert_true(fabs((map(&law, v0 + h, 1) - peak) / h + 50 * 0.2) < 1e-5);
}

/* Slip at which each regularised law carries half of mu_k N: the creep on half the slope that would slide. */
static void test_creep_speeds(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double speed; /* in transition speeds; full_speed is 8 of them */
    } rows[] = {
        {"threlfall", log(2) / 3}, {"bengisu-akay", 1 - sqrt(0.5)}, {"ambrosio", 4.5}, {"brown-mcphee", atanh(0.5) / 4},
        {"hollars", 0.5},          {"andersson", atanh(0.5)},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        test_friction law = law_of(rows[k].name, "kinetic=0.4 transition_speed=0.01 full_speed=0.08");
        double got = map(&law, rows[k].speed * 0.01, 50) / (0.4 * 50);
        printf("%-13s creeps at %.4f transition speeds\n", rows[k].name, rows[k].speed);
        if (!(fabs(got - 0.5) < 1e-14))
            fail_msg("%s: %.17g of mu_k N", rows[k].name, got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_threlfall_jump),
        cmocka_unit_test(test_brown_mcphee_shape),
        cmocka_unit_test(test_hollars_shape),
        cmocka_unit_test(test_andersson_shape),
        cmocka_unit_test(test_bengisu_akay_kink),
        cmocka_unit_test(test_creep_speeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Elastic laws through the model file: what each asks for, stiffness from a point, exponents, own radii. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "model/model.h"

static carom_context *ctx;

/* Loads a ball over a plane (or over a ball), of steel where `steel` is set, with this normal force. */
static carom_status load(const char *normal, bool steel, bool plane, carom_model **out)
{
    FILE *file = fopen("law.yaml", "w");
    assert_non_null(file);
    fprintf(file,
            "carom: 1\ndimension: 3\nmaterials: {steel: {E: 207*GPa, nu: 0.3}}\n"
            "bodies:\n  ball: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 0, 1]}\n"
            "shapes:\n  skin: {type: sphere, on: ball, radius: 0.02%s}\n  floor: {type: %s, on: ground%s}\n"
            "contacts:\n  hit: {between: [skin, floor], normal: {%s}}\nrun: {until: 0.1}\n",
            steel ? ", material: steel" : "", plane ? "plane" : "sphere",
            plane ? (steel ? ", normal: [0, 0, 1], material: steel" : ", normal: [0, 0, 1]")
                  : (steel ? ", radius: 0.03, material: steel" : ", radius: 0.03"),
            normal);
    fclose(file);
    return carom_model_load(ctx, "law.yaml", NULL, 0, out);
}

static void refused(const char *normal, bool steel, const char *reason)
{
    carom_model *model = NULL;
    if (load(normal, steel, false, &model) == CAROM_OK)
        fail_msg("{%s} is accepted", normal);
    if (!strstr(carom_context_error(ctx), reason))
        fail_msg("{%s}: %s", normal, carom_context_error(ctx));
}

/* K and n of an accepted contact. */
static void accepted(const char *normal, bool steel, bool plane, double k, double n)
{
    carom_model *model = NULL;
    if (load(normal, steel, plane, &model) != CAROM_OK)
        fail_msg("{%s}: %s", normal, carom_context_error(ctx));
    const carom_model_contact *contact = &model->contacts[0];
    if (!(fabs(contact->law.stiffness / k - 1) < 1e-12) || contact->law.exponent != n)
        fail_msg("{%s}: K = %.17g, n = %.17g, expected %.17g, %.17g", normal, contact->law.stiffness,
                 contact->law.exponent, k, n);
    carom_model_free(model);
}

static void test_needs(void **state)
{
    (void)state;
    refused("law: yang-sun, length: 0.01", false, "needs the materials");
    refused("law: yang-sun", true, "length");
    refused("law: liu, length: 0.01", true, "pin in a hole");
    refused("law: liu", true, "length");
    refused("law: liu, length: 0.01, stiffness: 1e9", true, "stiffness");
    refused("law: pereira-2011, length: 0.01, radius_j: -0.0501", true, "0.005 to 10 mm");
    refused("law: pereira-2015, length: 0.01, radius_j: -0.020004", true, "0.005 to 10 mm");
    refused("law: hertz-elliptic, radius_i2: 0, radius_j2: 0", true, "line");
    refused("law: hertz-elliptic", false, "needs the materials");
    refused("law: braendlein", true, "stiffness");
    /* the keys of the normal force serve in place of materials and shapes */
    const double e = 207e9 / 0.91;
    accepted("law: yang-sun, length: 0.01", true, false, CAROM_PI / 4 * e * 0.01, 1);
    accepted("law: yang-sun, length: 0.01, E_i: 207*GPa", false, false, CAROM_PI / 4 * e * 0.01, 1);
    accepted("law: lankarani-nikravesh-cylinder", true, false, 2.0 / 3 * e * sqrt(0.012), 1.5);
    accepted("law: lankarani-nikravesh-cylinder, exponent: 1.1", true, true, 2.0 / 3 * e * sqrt(0.02), 1.1);
    /* crossed cylinders of 20 mm are a ball of 20 mm on a plane */
    accepted("law: hertz-elliptic, radius_i2: 0, radius_j: 20*mm, radius_j2: 0, angle: 90*deg", true, false,
             2.0 / 3 * e * sqrt(0.02), 1.5);
    accepted("law: hertz-elliptic", true, true, 2.0 / 3 * e * sqrt(0.02), 1.5);
}

/* The exponent of nijen is the user's, and stiffness from a point holds for every exponent. */
static void test_exponents(void **state)
{
    (void)state;
    refused("law: nijen, stiffness: 1e7", false, "exponent");
    refused("law: nijen, from_point: {indentation: 10*um, force: 500}", false, "exponent");
    refused("elastic: nijen, damping: none, stiffness: 1e7", false, "exponent");
    accepted("law: nijen, stiffness: 1e7, exponent: 1.1", false, false, 1e7, 1.1);
    accepted("law: brandlein, stiffness: 2e5*N/mm^1.08", false, false, 2e5 * pow(1000, 1.08), 1.08);
    accepted("law: braendlein, stiffness: 1e7, damping: flores, restitution: 0.8", false, false, 1e7, 1.08);
    accepted("law: braendlein, from_point: {indentation: 10*um, force: 500}", false, false, 500 / pow(1e-5, 1.08),
             1.08);
    accepted("elastic: braendlein, damping: none, from_point: {indentation: 10*um, force: 500}", false, false,
             500 / pow(1e-5, 1.08), 1.08);
    accepted("elastic: hooke, damping: none, from_point: {indentation: 10*um, force: 500}", false, false, 5e7, 1);
    accepted("law: flores, elastic: hooke, restitution: 0.8, from_point: {indentation: 10*um, force: 500}", false,
             false, 5e7, 1);
    accepted("law: hertz, from_point: {indentation: 10*um, force: 500}", false, false, 500 / pow(1e-5, 1.5), 1.5);
}

/* An accepted contact is warned of with a text, or not (NULL). */
static void told(const char *normal, bool steel, const char *text)
{
    carom_model *model = NULL;
    bool found = false;
    if (load(normal, steel, false, &model) != CAROM_OK)
        fail_msg("{%s}: %s", normal, carom_context_error(ctx));
    for (int k = 0; k < model->warning_count; k++) {
        const bool unused = model->ignored[k].code == CAROM_WARN_UNUSED_RESTITUTION;
        if (!text && unused)
            fail_msg("{%s}: %s", normal, model->ignored[k].text);
        found = found || (text && unused && strstr(model->ignored[k].text, text));
    }
    if (text && !found)
        fail_msg("{%s}: nothing is told of", normal);
    carom_model_free(model);
}

/* What no part takes is not left out in silence: a spring with the exponent 2 was linear. */
static void test_foreign_keys(void **state)
{
    (void)state;
    told("law: kelvin-voigt, stiffness: 1e6, damping: 2, exponent: 2", false,
         "elastic hooke takes no exponent, its own is 1; the given one is ignored; leave `exponent` out, or write "
         "`elastic: power`");
    told("law: hooke, stiffness: 1e6, exponent: 1.5", false, "elastic hooke takes no exponent");
    told("law: anagnostopoulos, stiffness: 1e6, restitution: 0.5, exponent: 1.5", false, "takes no exponent");
    told("law: braendlein, stiffness: 1e7, exponent: 1.5", false, "its own is 1.08");
    told("law: flores, restitution: 0.5, exponent: 2", true, "elastic hertz takes no exponent, its own is 1.5");
    told("law: hertz-elliptic, exponent: 2", true, "takes no exponent");
    told("law: walton-braun, stiffness: 1e6, restitution: 0.5, exponent: 1.5", false,
         "elastic walton-braun takes no exponent");
    told("law: thornton, contact_yield: 1e9, exponent: 2", true, "takes no exponent");
    told("law: johnson, length: 0.01, radius_j: -0.05, exponent: 2", true, "takes no exponent");
    /* its own is no other one */
    told("law: hooke, stiffness: 1e6, exponent: 1", false, NULL);
    told("law: braendlein, stiffness: 1e7, exponent: 1.08", false, NULL);
    told("law: flores, stiffness: 1e6, restitution: 0.5, exponent: 2", false, NULL);
    accepted("law: kelvin-voigt, elastic: power, stiffness: 1e6, damping: 2, exponent: 2", false, false, 1e6, 2);
    told("law: flores, stiffness: 1e6, restitution: 0.5, reference_speed: 0.01", false,
         "velocity adaptive takes no reference_speed");
    told("law: flores, stiffness: 1e6, restitution: 0.5, velocity: per-impact, reference_speed: 0.01", false,
         "velocity per-impact takes no reference_speed");
    told("law: flores, stiffness: 1e6, restitution: 0.5, velocity: fixed-reference, reference_speed: 0.01", false,
         NULL);
    told("law: flores, damping: none, stiffness: 1e6, restitution: 0.5", false, "damping none takes no restitution");
    told("law: hertz, stiffness: 1e6, restitution: 0.5", false, "law hertz takes no restitution");
}

/* Two keys that say the same are refused as such, at the second one. */
static void test_either(void **state)
{
    (void)state;
    static const char *const both[] = {
        "law: walton-braun, stiffness: 1e6, restitution: 0.5, hardening: 10",
        "law: goldsmith-permanent, stiffness: 1e6, permanent_ratio: 0.5, restitution: 0.5",
        "law: tsuji, stiffness: 1e6, alpha: 0.1, restitution: 0.5",
    };
    for (size_t k = 0; k < sizeof both / sizeof both[0]; k++) {
        char column[40];
        refused(both[k], false, "not both");
        /* behind `  hit: {between: [skin, floor], normal: {` */
        const char *last = strrchr(both[k], ',') + 2;
        snprintf(column, sizeof column, ":%d:", (int)strlen("  hit: {between: [skin, floor], normal: {") +
                                                     (int)(last - both[k]) + 1);
        if (!strstr(carom_context_error(ctx), column))
            fail_msg("%s: not at column %s", carom_context_error(ctx), column);
    }
    refused("law: walton-braun, stiffness: 1e6", false, "needs what decides k2");
    refused("law: goldsmith-permanent, stiffness: 1e6", false, "needs what decides the permanent indentation");
}

static int create(void **state)
{
    (void)state;
    return carom_context_create(NULL, &ctx) == CAROM_OK ? 0 : -1;
}

static int destroy(void **state)
{
    (void)state;
    carom_context_free(ctx);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_needs), cmocka_unit_test(test_exponents),
                                       cmocka_unit_test(test_foreign_keys), cmocka_unit_test(test_either)};
    return cmocka_run_group_tests(tests, create, destroy);
}

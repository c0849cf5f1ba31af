/* Modes about an equilibrium that friction with a deflection holds: its spring has the stiffness of the law, and bears
   the load that pushes it. */
#include "carom_test.h"

#include <math.h>
#include <string.h>

#include "support/context.h"

#define PI 3.14159265358979323846

/* A ball of 2 kg on a rail 0.1 mm deep in a floor of 1e6 N/m, so N = 100 N, pushed by 2 N along it. Spring: kappa K of
   mindlin, and N sigma0 of dahl. */
static void expect(const char *law, double stiffness)
{
    static const char *const formulations[] = {"cartesian", "tree"};
    for (int f = 0; f < 2; f++) {
        char text[900];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [1, -10]\n"
                 "bodies: {a: {mass: 2, inertia: 0.01, at: [0, 0.0999]}}\n"
                 "joints: {j: {type: translational, between: [{ground: [0, 0.0999]}, a], axis: [1, 0]}}\n"
                 "shapes: {f: {type: plane, on: ground, normal: [0, 1]}, a: {type: sphere, on: a, radius: 0.1}}\n"
                 "contacts: {k: {between: [f, a], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 1000}, "
                 "friction: {%s, kinetic: 0.4}}}\n"
                 "run: {analysis: modes, formulation: %s}\n",
                 law, formulations[f]);
        carom_model *model = new_model(ctx, text);
        carom_analysis *a = NULL;
        double highest = 0, residual = 1;
        assert_ok(ctx, carom_analysis_run(ctx, model, NULL, &a));
        assert_ok(ctx, carom_analysis_get(a, "highest_frequency", &highest));
        assert_ok(ctx, carom_analysis_get(a, "residual", &residual));
        printf("%s: %.12g Hz, residual %.1e m/s^2\n", law, highest, residual);
        assert_true(fabs(highest * 2 * PI / sqrt(stiffness / 2) - 1) < 1e-8);
        assert_true(residual < 1e-9); /* the deflection bears the 2 N */
        carom_analysis_free(a);
        carom_model_free(model);
    }
}

static void test_spring(void **state)
{
    (void)state;
    expect("law: mindlin, stiffness_ratio: 0.8", 0.8 * 1e6);
    expect("law: dahl, bristle_stiffness: 2e4", 100 * 2e4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spring)};
    return cmocka_run_group_tests(tests, begin, end);
}

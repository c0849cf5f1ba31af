/* A slider on a rail breaks away at the instant at which a growing force exceeds its static friction, and not when its
   slip has grown: place and speed behind that, and their derivatives by friction and force, have closed forms. With
   `static` of 1.2 `kinetic` the slip began 0.6 ms late (place off by 0.24 mm, derivatives by 1.5e-4). */
#include "carom_test.h"

#include <math.h>

#include "carom/sensitivity.h"
#include "support/context.h"

#define RAIL                                                                                                          \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {mu: 0.3, c: 10}\n"                                     \
    "bodies: {a: {mass: 1, inertia: 0.01}}\n"                                                                         \
    "joints: {g: {type: translational, between: [ground, a], axis: [1, 0],\n"                                         \
    "  friction: {law: %s, kinetic: mu, static: 1.2*mu}}}\n"                                                          \
    "loads: {p: {type: force, on: a, force: [%s, 0]}}\n"                                                              \
    "run: {until: 1, tolerance: 1e-10, formulation: %s, integrator: %s}\n"

/* Place and speed at 1 s with m = 1: v' = c t - mu g from t0 = 1.2 mu g/c on. */
static void exact(double mu, double c, double *x, double *v)
{
    const double g = mu * 9.81, t = 1.2 * g / c;
    *v = c * (1 - t * t) / 2 - g * (1 - t);
    *x = c * ((1 - t * t * t) / 6 - t * t * (1 - t) / 2) - g * (1 - t) * (1 - t) / 2;
}

static void test_instant(void **state)
{
    (void)state;
    static const char *const laws[] = {"coulomb", "karnopp"}, *const formulations[] = {"cartesian", "tree"};
    static const char *const integrators[] = {"auto", "bdf"};
    for (int k = 0; k < 8; k++) {
        char text[900];
        double end[3], x, v;
        carom_model *model;
        carom_simulation *sim;
        snprintf(text, sizeof text, RAIL, laws[k % 2], "c*t", formulations[k / 2 % 2], integrators[k / 4]);
        assert_ok(ctx, carom_model_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &model));
        assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
        assert_ok(ctx, carom_simulation_run(sim));
        exact(0.3, 10, &x, &v);
        carom_channel_ref ref;
        assert_ok(ctx, carom_simulation_find_channel(sim, "body.a.position", &ref));
        assert_ok(ctx, carom_simulation_read(sim, &ref, end));
        printf("%s %s %s: off by %.1e m\n", laws[k % 2], formulations[k / 2 % 2], integrators[k / 4], end[0] - x);
        assert_true(fabs(end[0] - x) < 1e-8);
        carom_simulation_free(sim);
        carom_model_free(model);
    }
}

static void test_derivatives(void **state)
{
    (void)state;
    static const char *const names[] = {"mu", "c"};
    char text[900];
    carom_document *document;
    carom_sensitivity *s;
    snprintf(text, sizeof text, RAIL, "coulomb", "c*t", "cartesian", "auto");
    assert_ok(ctx, carom_document_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &document));
    carom_sensitivity_def def = carom_default_sensitivity_def();
    def.parameters = names;
    def.parameter_count = 2;
    assert_ok(ctx, carom_sensitivity_create(ctx, document, &def, &s));
    assert_ok(ctx, carom_simulation_run(carom_sensitivity_simulation(s)));
    double found[2][4];
    assert_ok(ctx, carom_sensitivity_channel(s, "body.a.position", found[0]));
    assert_ok(ctx, carom_sensitivity_channel(s, "body.a.velocity", found[1]));
    for (int p = 0; p < 2; p++) {
        const double h = 1e-4, mu = p ? 0 : 0.3 * h, c = p ? 10 * h : 0;
        double x[2], v[2];
        for (int i = 0; i < 2; i++)
            exact(0.3 + (i ? mu : -mu), 10 + (i ? c : -c), &x[i], &v[i]);
        const double dx = (x[1] - x[0]) / (2 * (mu + c)), dv = (v[1] - v[0]) / (2 * (mu + c));
        printf("by %s: place %.1e, speed %.1e\n", names[p], found[0][2 * p] / dx - 1, found[1][2 * p] / dv - 1);
        assert_true(fabs(found[0][2 * p] / dx - 1) < 1e-5 && fabs(found[1][2 * p] / dv - 1) < 1e-5);
    }
    carom_sensitivity_free(s);
    carom_document_free(document);
}

/* A force that swings, 3.5 sin 3t, never breaks away what holds 3.53 N; 6 sin 3t does again and again, against a
   program of its own with steps of 1 us, whose error is 2e-7 m: also where more is asked for than holds as it comes to
   rest. */
static void test_returns(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[900];
        double end[3];
        carom_model *model;
        carom_simulation *sim;
        snprintf(text, sizeof text, RAIL, "coulomb", k ? "6*sin(3*t)" : "3.5*sin(3*t)", "cartesian", "auto");
        strcpy(strstr(text, "until: 1"), "until: 5, tolerance: 1e-10}\n");
        assert_ok(ctx, carom_model_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &model));
        assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
        assert_ok(ctx, carom_simulation_run(sim));
        carom_channel_ref ref;
        assert_ok(ctx, carom_simulation_find_channel(sim, "body.a.position", &ref));
        assert_ok(ctx, carom_simulation_read(sim, &ref, end));
        double x = 0, v = 0;
        const int steps = 5000000;
        const double h = 5.0 / steps, hold = 1.2 * 0.3 * 9.81, slide = 0.3 * 9.81;
        for (int n = 0; n < steps && k; n++) {
            const double f = 6 * sin(3 * h * (n + 0.5));
            if (v == 0 && fabs(f) <= hold)
                continue;
            const double sign = v != 0 ? copysign(1, v) : copysign(1, f), a = f - sign * slide;
            const double next = v + h * a;
            x += next * sign < 0 ? 0 : h * 0.5 * (v + next);
            v = next * sign < 0 ? 0 : next;
        }
        printf("swings: %.9g m, by a program of its own %.9g\n", end[0], x);
        assert_true(fabs(end[0] - x) < 1e-6);
        carom_simulation_free(sim);
        carom_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instant),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_returns),
    };
    return cmocka_run_group_tests(tests, begin, end);
}

/* Derivatives of what a run ends with, where its end moves with the parameters, against closed forms: a throw that an
   event stops at a height below, a mass on a spring until a parameter, and runs that nothing or a time stops. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define G 9.81
/* A run of the default tolerance has its numbers to 1e-8, and their derivatives to some 1e-7 (docs/theory/
   sensitivities.md, section 5). */
#define ACCURACY 1e-6

typedef struct asked {
    carom_context *ctx;
    carom_document *document;
    carom_sensitivity *of;
} asked;

static void ask(asked *a, const char *text, const char *const *by, size_t count)
{
    *a = (asked){.ctx = new_context()};
    carom_sensitivity_def def = carom_default_sensitivity_def();
    def.parameters = by;
    def.parameter_count = count;
    assert_ok(a->ctx, carom_document_parse(a->ctx, "model", text, strlen(text), NULL, 0, &a->document));
    assert_ok(a->ctx, carom_sensitivity_create(a->ctx, a->document, &def, &a->of));
}

static void end(asked *a)
{
    carom_sensitivity_free(a->of);
    carom_document_free(a->document);
    carom_context_free(a->ctx);
}

static void check(const char *what, double found, double wanted, double size)
{
    print_message("%-28s %.10g, of the formula %.10g\n", what, found, wanted);
    assert_true(fabs(found - wanted) <= ACCURACY * size);
}

/* Derivatives of channels at the moving end and of its time. */
static void check_end(asked *a, const char *name, size_t count, const double *wanted_end, const double *wanted)
{
    carom_channel_ref channel;
    double d[8];
    size_t parameters;
    assert_ok(a->ctx, carom_simulation_find_channel(carom_sensitivity_simulation(a->of), name, &channel));
    assert_ok(a->ctx, carom_sensitivity_final(a->of, &channel, d));
    const carom_sensitivity_parameter *p = carom_sensitivity_parameters(a->of, &parameters);
    assert_int_equal(parameters, count);
    for (size_t k = 0; k < count; k++) {
        check("time of the end", p[k].end, wanted_end[k], fmax(fabs(wanted_end[k]), 1));
        check(name, d[k], wanted[k], fmax(fabs(wanted[k]), 1));
    }
}

/* From the height h at the angle b: y = v sin b t - g t^2/2 comes to -h at T = (v sin b + w)/g with
   w^2 = v^2 sin^2 b + 2 g h, and x = v cos b T. */
static void test_throw(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {b: 0.6, v: 7, h: 0.8, mb: 0.3}\n"
        "bodies: {p: {mass: mb, inertia: 1e-3, velocity: [v*cos(b), v*sin(b)]}}\n"
        "events: {ground: {when: y(p) < -h, do: stop}}\n"
        "run: {until: 5}\n";
    static const char *const by[] = {"b", "v", "h", "mb"};
    const double b = 0.6, v = 7, h = 0.8, s = sin(b), c = cos(b), w = sqrt(v * v * s * s + 2 * G * h);
    const double t = (v * s + w) / G, later[] = {v * c * t / w, s * t / w, 1 / w, 0}, none[4] = {0};
    const double x[] = {v * c * later[0] - v * s * t, v * c * later[1] + c * t, v * c * later[2], 0};
    const double y[] = {0, 0, -1, 0};
    const double vy[] = {-v * v * s * c / w, -v * s * s / w, -G / w, 0};
    asked a;
    double d[4];
    ask(&a, text, by, 4);
    carom_simulation *sim = carom_sensitivity_simulation(a.of);
    /* before the end nothing moves */
    assert_ok(a.ctx, carom_simulation_advance(sim, 0.5));
    const double early[] = {-v * s * 0.5, c * 0.5, 0, 0};
    check_end(&a, "body.p.position.x", 4, none, early);
    assert_ok(a.ctx, carom_simulation_run(sim));
    check("end", carom_simulation_time(sim), t, t);
    check_end(&a, "body.p.position.x", 4, later, x);
    check_end(&a, "body.p.position.y", 4, later, y);
    check_end(&a, "body.p.velocity.y", 4, later, vy);
    /* at a fixed time as ever */
    assert_ok(a.ctx, carom_sensitivity_channel(a.of, "body.p.position.x", d));
    check("x at one time by b", d[0], -v * s * t, v * t);
    end(&a);
}

/* x = sin(w T)/w of a mass with the speed 1 on a spring, w^2 = k: by T cos(w T); by k as at a fixed time. */
static void test_until(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\ngravity: [0, 0]\nparameters: {T: 0.8, k: 30, n: 2}\n"
        "bodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}}\n"
        "joints: {r: {type: translational, between: [ground, a], axis: [1, 0], spring: {stiffness: k}}}\n"
        "run: {until: n*T/2 + 0.1}\n";
    static const char *const by[] = {"T", "k", "n"};
    const double t = 0.9, k = 30, w = sqrt(k), c = cos(w * t), s = sin(w * t);
    const double later[] = {1, 0, 0.4}, x[] = {c, (w * t * c - s) / (2 * k * w), 0.4 * c};
    asked a;
    size_t count;
    ask(&a, text, by, 3);
    assert_ok(a.ctx, carom_simulation_run(carom_sensitivity_simulation(a.of)));
    check_end(&a, "body.a.position.x", 3, later, x);
    const carom_sensitivity_parameter *p = carom_sensitivity_parameters(a.of, &count);
    assert_true(p[0].influences && p[2].influences);
    end(&a);
    /* another end than that of the model is no parameter's */
    carom_context *ctx = new_context();
    carom_document *document;
    carom_simulation_def def = carom_default_simulation_def();
    carom_sensitivity_def sensitivity = carom_default_sensitivity_def();
    carom_sensitivity *of;
    assert_ok(ctx, carom_document_parse(ctx, "model", text, strlen(text), NULL, 0, &document));
    carom_run_def run = carom_document_spec(document)->runs[0];
    run.until = 0.5;
    def.run_def = &run;
    sensitivity.simulation = &def;
    sensitivity.parameters = by;
    sensitivity.parameter_count = 1;
    assert_ok(ctx, carom_sensitivity_create(ctx, document, &sensitivity, &of));
    assert_ok(ctx, carom_simulation_run(carom_sensitivity_simulation(of)));
    p = carom_sensitivity_parameters(of, &count);
    assert_true(p[0].end == 0 && !p[0].influences);
    carom_sensitivity_free(of);
    carom_document_free(document);
    carom_context_free(ctx);
}

/* A condition that a time makes true, behind one of the motion: the fall is g t^2/2 at T. */
static void test_time(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {T: 0.3, u: 2}\n"
                               "bodies: {p: {mass: 1, inertia: 1, velocity: [u, 1]}}\n"
                               "events: {late: {when: t > T and vy(p) < 0.5, do: stop}}\n"
                               "run: {until: 1}\n";
    static const char *const by[] = {"T", "u"};
    const double later[] = {1, 0}, y[] = {1 - G * 0.3, 0}, x[] = {2, 0.3};
    asked a;
    ask(&a, text, by, 2);
    assert_ok(a.ctx, carom_simulation_run(carom_sensitivity_simulation(a.of)));
    check_end(&a, "body.p.position.y", 2, later, y);
    check_end(&a, "body.p.position.x", 2, later, x);
    end(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_throw), cmocka_unit_test(test_until),
                                       cmocka_unit_test(test_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

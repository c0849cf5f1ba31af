/* Modes and stiffness where forces bend within less than 3e-3 of the model's length, or of its speed, against closed
   forms: a rod that hangs in a pin with play, balls in bowls of nearly their radius, films of 20 um, regularised
   friction. They are the same wherever the machine stands. What has no slope is told. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/context.h"

#define PI 3.14159265358979323846
#define G 9.81
#define HEAD "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"

static carom_model *model;
static carom_analysis *analysis;

static void run(const char *text, const char *kind)
{
    char all[2000];
    snprintf(all, sizeof all, "%srun: {analysis: %s}\n", text, kind);
    model = new_model(ctx, all);
    assert_ok(ctx, carom_analysis_run(ctx, model, NULL, &analysis));
}

static void end_run(void)
{
    carom_analysis_free(analysis);
    carom_model_free(model);
}

/* Frequency [rad/s] or damping ratio of the mode that is `k` of those that are not rigid. */
static double mode(size_t k, const char *column)
{
    const carom_analysis_table *t = carom_analysis_find_table(analysis, "modes");
    double rigid;
    assert_non_null(t);
    assert_ok(ctx, carom_analysis_get(analysis, "rigid", &rigid));
    const size_t row = k + (size_t)rigid;
    assert_true(row < t->row_count);
    for (size_t c = 0; c < t->column_count; c++)
        if (strcmp(t->columns[c].name, column) == 0)
            return t->cells[row * t->column_count + c].number * (strcmp(column, "damping_ratio") ? 2 * PI : 1);
    fail_msg("no column %s", column);
    return 0;
}

static bool is_told(const char *table, const char *part)
{
    const carom_analysis_table *t = carom_analysis_find_table(analysis, table);
    for (size_t k = 0; t && k < t->row_count * t->column_count; k++)
        if (t->cells[k].text && strstr(t->cells[k].text, part))
            return true;
    return false;
}

static void near(const char *what, double found, double expected, double allowed)
{
    const double off = fabs(found / expected - 1);
    printf("%-40s %.12g, off by %.1e of %.0e\n", what, found, off, allowed);
    assert_true(off <= allowed);
}

static double least_stiffness(const char *text)
{
    double out;
    run(text, "equilibrium");
    assert_ok(ctx, carom_analysis_get(analysis, "least_stiffness", &out));
    assert_false(is_told("verdict", "is open by"));
    end_run();
    return out;
}

/* The pin presses at the distance e = c + (m g/K)^(2/3) from the centre of its bore, which brings it back across with
   m g/e; below it the rod is a pendulum: x of the pin and the angle p with
   M = [m, m l; m l, I + m l^2], K = [m g/e, 0; 0, m g l]. */
static void test_hanging_rod(void **state)
{
    (void)state;
    const double m = 2, inertia = 0.05, l = 0.3, stiffness = 1e9;
    const double plays[] = {1e-5, 0.2e-3, 1e-3, 5e-3};
    for (size_t k = 0; k < CAROM_COUNT(plays); k++) {
        char text[600];
        snprintf(text, sizeof text,
                 HEAD "bodies:\n  rod: {mass: 2, inertia: 0.05, at: [0, -0.3], frames: {top: [0, 0.3]}}\n"
                      "joints:\n  pin: {type: revolute, between: [ground, rod.top], clearance: "
                      "{radial: %.17g, radius: 8*mm, normal: {law: hertz, stiffness: 1e9}}}\n",
                 plays[k]);
        const double depth = pow(m * G / stiffness, 2 / 3.0), across = m * G / (plays[k] + depth), turn = m * G * l;
        /* det(K - w2 M) = 0 */
        const double a = m * inertia, b = -(across * (inertia + m * l * l) + turn * m), c = across * turn;
        const double low = (-b - sqrt(b * b - 4 * a * c)) / (2 * a), high = (-b + sqrt(b * b - 4 * a * c)) / (2 * a);
        const double along = sqrt(1.5 * G / depth);
        run(text, "modes");
        near("hanging rod", mode(0, "natural_frequency"), sqrt(low), 1e-6);
        near("across the pin", mode(sqrt(high) < along ? 1 : 2, "natural_frequency"), sqrt(high), 1e-6);
        near("along the pin", mode(sqrt(high) < along ? 2 : 1, "natural_frequency"), along, 1e-6);
        assert_false(is_told("remarks", "is open by"));
        end_run();
    }
}

/* The centre of the ball goes round that of the bowl at the distance R - r + (m g/K)^(2/3). */
static void test_ball_in_bowl(void **state)
{
    (void)state;
    const struct {
        double x, r, stiffness;
    } cases[] = {{0, 0.02, 1e9},   {1, 0.02, 1e9},    {100, 0.02, 1e9},  {1e4, 0.02, 1e9},
                 {0, 0.09, 1e11},  {0, 0.09, 1e14},   {100, 0.09, 1e11}, {0, 0.0999, 1e9}};
    for (size_t k = 0; k < CAROM_COUNT(cases); k++) {
        const double d = 0.1 - cases[k].r;
        char text[600];
        snprintf(text, sizeof text,
                 HEAD "bodies:\n  ball: {mass: 1, inertia: 1e-4, at: [%.17g, %.17g]}\n"
                      "shapes:\n  bowl: {type: sphere, on: ground, at: [%.17g, 0], radius: -0.1}\n"
                      "  ball: {type: sphere, on: ball, radius: %.17g}\n"
                      "contacts:\n  c: {between: [bowl, ball], normal: {law: hertz, stiffness: %.17g}}\n",
                 cases[k].x, -d, cases[k].x, cases[k].r, cases[k].stiffness);
        const double w2 = G / (d + pow(G / cases[k].stiffness, 2 / 3.0));
        run(text, "modes");
        near("ball in a bowl", mode(0, "natural_frequency"), sqrt(w2), 1e-6);
        assert_false(is_told("remarks", "is open by"));
        end_run();
        near("its stiffness", least_stiffness(text), w2, 1e-6);
    }
}

/* A force C/gap^2 that bears m g: 2 m g/gap. */
static void test_film(void **state)
{
    (void)state;
    const double arms[] = {0.005, 0.5, 5};
    for (size_t k = 0; k < CAROM_COUNT(arms); k++) {
        char text[600];
        snprintf(text, sizeof text,
                 HEAD "bodies:\n  pad: {mass: 2, inertia: 1e-2, at: [%.17g, 20e-6]}\n"
                      "joints:\n  g: {type: translational, between: [{ground: [%.17g, 0]}, {pad: [%.17g, 0]}], "
                      "axis: [0, 1]}\n"
                      "loads:\n  film: {type: force, on: pad, force: [0, \"19.62*(20e-6/y(pad))^2\"]}\n",
                 arms[k], 2 * arms[k], arms[k]);
        run(text, "modes");
        near("film", mode(0, "natural_frequency"), sqrt(2 * G / 20e-6), 1e-6);
        end_run();
        near("its stiffness", least_stiffness(text), 2 * G / 20e-6, 1e-6);
    }
}

/* Threlfall's friction has the slope 3 mu N/v0 at rest and bends there; c/(2 sqrt(k m)) is the damping ratio. As the
   bend is at rest itself a difference is off by its step, until the probe takes that for rounding: 1e-6 of the slope,
   and several times as much between steps that agree. */
static void test_friction(void **state)
{
    (void)state;
    const double places[] = {0, 0.1, 100}, speeds[] = {1e-3, 1e-6};
    for (size_t k = 0; k < CAROM_COUNT(places) * CAROM_COUNT(speeds); k++) {
        const double x = places[k % CAROM_COUNT(places)], v = speeds[k / CAROM_COUNT(places)], mu = 10 * v;
        char text[600];
        snprintf(text, sizeof text,
                 HEAD "bodies:\n  cart: {mass: 1, inertia: 1e-3, at: [%.17g, 0]}\n"
                      "joints:\n  g: {type: translational, between: [ground, cart], axis: [1, 0], "
                      "spring: {stiffness: 1e6, free: %.17g}, "
                      "friction: {law: threlfall, kinetic: %.17g, transition_speed: %.17g}}\n",
                 x, x, mu, v);
        run(text, "modes");
        near("damping ratio", mode(0, "damping_ratio"), 3 * mu * G / v / 2e3, 1e-5);
        end_run();
    }
}

/* -sqrt(|x|) x has a slope that no step shows, x/sqrt(|x|) none; -x^3 has the slope 0, which is one. */
static void test_none(void **state)
{
    (void)state;
#define FORCE(f)                                                                        \
    "carom: 1\ndimension: 2\nbodies:\n  b: {mass: 1, inertia: 1}\n"                     \
    "joints:\n  g: {type: translational, between: [ground, b], axis: [1, 0]}\n"         \
    "loads:\n  s: {type: force, on: b, force: [\"" f "\", 0]}\n"
    const struct {
        const char *text;
        bool told;
    } cases[] = {{FORCE("-x(b)*abs(x(b))^0.5"), true},
                 {FORCE("-100*x(b)/sqrt(1e-24 + abs(x(b)))"), true},
                 {FORCE("-100*x(b)/sqrt(1e-12 + x(b)^2)"), false},
                 {FORCE("-1e9*x(b)^3"), false},
                 {FORCE("0"), false}};
    for (size_t k = 0; k < CAROM_COUNT(cases); k++) {
        run(cases[k].text, "modes");
        assert_true(is_told("remarks", "'g' slides: how the forces change beside the state is open by") ==
                    cases[k].told);
        end_run();
        run(cases[k].text, "equilibrium");
        assert_true(is_told("verdict", "'g' slides: how the forces change beside the state is open by") ==
                    cases[k].told);
        end_run();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hanging_rod), cmocka_unit_test(test_ball_in_bowl), cmocka_unit_test(test_film),
        cmocka_unit_test(test_friction),    cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, begin, end);
}

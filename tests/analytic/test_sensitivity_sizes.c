/* Derivatives by numbers whose value says nothing of their size: what rounding has left of zero (0.1 + 0.2 - 0.3 is
   5.6e-17) and small offsets of larger numbers, against closed forms. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Derivatives are promised to 1e-6 of value over parameter (docs/theory/sensitivities.md, section 5). */
#define ACCURACY 1e-6
#define MOST 8

typedef struct asked {
    const char *by, *channel;
    double wanted, size;
} asked;

static void check(const char *text, const char *const *overrides, size_t override_count, const asked *a, size_t count)
{
    carom_context *ctx = new_context();
    carom_document *document;
    carom_sensitivity *of;
    const char *by[MOST];
    double d[4 * MOST];
    size_t parameters;
    carom_sensitivity_def def = carom_default_sensitivity_def();
    for (size_t k = 0; k < count; k++)
        by[k] = a[k].by;
    def.parameters = by;
    def.parameter_count = count;
    assert_ok(ctx, carom_document_parse(ctx, "model", text, strlen(text), overrides, override_count, &document));
    assert_ok(ctx, carom_sensitivity_create(ctx, document, &def, &of));
    assert_ok(ctx, carom_simulation_run(carom_sensitivity_simulation(of)));
    const carom_sensitivity_parameter *p = carom_sensitivity_parameters(of, &parameters);
    for (size_t k = 0; k < count; k++) {
        assert_ok(ctx, carom_sensitivity_channel(of, a[k].channel, d));
        print_message("%-24s of %.3g by %-28s %.10g, of the formula %.10g\n", a[k].channel, p[k].value, a[k].by, d[k],
                      a[k].wanted);
        assert_true(fabs(d[k] - a[k].wanted) <= ACCURACY * a[k].size);
        assert_true(p[k].influences);
    }
    carom_sensitivity_free(of);
    carom_document_free(document);
    carom_context_free(ctx);
}

#define ZERO "0.1 + 0.2 - 0.3"

/* theta'' = -w^2 (theta - 0.5), w^2 = k/I, of a rotor that starts at rest at 0: its angle is (1 - cos w T)/2, that by
   the angle at the start cos w T, by the rate there sin(w T)/w. */
static void test_start_in_the_plane(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\n"
                               "bodies: {r: {mass: 1, inertia: 0.5, angle: " ZERO ", angular_velocity: " ZERO "}}\n"
                               "joints: {pin: {type: revolute, between: [ground, r],\n"
                               "              spring: {stiffness: 8, free: 0.5}}}\n"
                               "run: {until: 0.7}\n";
    const double w = 4, t = 0.7;
    const asked a[] = {{"joint.pin.coordinate", "joint.pin.coordinate", cos(w * t), 1},
                       {"joint.pin.rate", "joint.pin.coordinate", sin(w * t) / w, 1},
                       {"body.r.angle", "joint.pin.coordinate", cos(w * t), 1},
                       {"body.r.angular_velocity", "joint.pin.coordinate", sin(w * t) / w, 1}};
    static const char free_text[] = "carom: 1\ndimension: 2\n"
                                    "bodies: {r: {mass: 1, inertia: 0.5, angle: 1, angular_velocity: " ZERO "}}\n"
                                    "loads: {m: {type: torque, on: r, torque: sin(3*t)}}\n"
                                    "run: {until: 0.7}\n";
    const asked free_rotor[] = {{"body.r.angular_velocity", "body.r.angle", t, 1}};
    check(text, NULL, 0, a, CAROM_COUNT(a));
    check(free_text, NULL, 0, free_rotor, CAROM_COUNT(free_rotor));
}

/* Of a body with three equal moments of inertia the spin stays. */
static void test_start_in_space(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 3\n"
                               "bodies: {a: {mass: 1, inertia: [1, 1, 1], angular_velocity: [" ZERO ", 0, 1]}}\n"
                               "loads: {m: {type: torque, on: a, torque: [3, 0, 0]}}\n"
                               "run: {until: 1}\n";
    const asked a[] = {{"body.a.angular_velocity.x", "body.a.angular_velocity.x", 1, 1}};
    check(text, NULL, 0, a, CAROM_COUNT(a));
}

/* z' = 1 - z from z(0), z(T) = 1 + (z(0) - 1) exp(-T). */
static void test_start_of_a_state(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\nbodies: {a: {mass: 1, inertia: 1}}\n"
                               "states: {z: {start: " ZERO ", rate: (1 - z)*Hz}}\nrun: {until: 1}\n";
    const asked a[] = {{"state.z", "state.z", exp(-1), 1}};
    check(text, NULL, 0, a, CAROM_COUNT(a));
}

/* Down a rail at 30 degrees s = (g_x cos - g_y sin) T^2/2. */
static void test_gravity(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\ngravity: [" ZERO ", -9.81]\n"
                               "bodies: {b: {mass: 2, inertia: 1}}\n"
                               "joints: {r: {type: translational, between: [ground, b],\n"
                               "             axis: [cos(30*deg), sin(30*deg)]}}\nrun: {until: 0.8}\n";
    const double t = 0.8;
    const asked a[] = {{"gravity.x", "joint.r.coordinate", 0.5 * t * t * sqrt(0.75), 1},
                       {"gravity.y", "joint.r.coordinate", 0.5 * t * t * 0.5, 1}};
    check(text, NULL, 0, a, CAROM_COUNT(a));
}

/* An offset of velocities, of an angle, of the factor and of the sum of an expression of time: what it
   does is known, whatever small number it is. */
static void test_offsets(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\nparameters: {d: 0, k: 1 + d}\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: 1, velocity: [1 + d, 0]}\n"
        "  b: {mass: 1, inertia: 1, velocity: [0, k^2]}\n"
        "run: {until: 0.5}\n";
    static const char angle[] =
        "carom: 1\ndimension: 2\nparameters: {d: 0}\n"
        "bodies: {r: {mass: 1, inertia: 0.5, angle: d}}\n"
        "joints: {pin: {type: revolute, between: [ground, r], spring: {stiffness: 8, free: 0.5}}}\n"
        "run: {until: 0.5}\n";
    static const char factor[] =
        "carom: 1\ndimension: 2\nparameters: {d: 0}\nbodies: {a: {mass: 1, inertia: 1}}\n"
        "loads: {f: {type: force, on: a, force: [(1 + d)*N*sin(3*t/s), 0]}}\nrun: {until: 0.5}\n";
    static const char sum[] =
        "carom: 1\ndimension: 2\nparameters: {d: 0}\nbodies: {a: {mass: 1, inertia: 1}}\n"
        "loads: {f: {type: force, on: a, force: [10*N*sin(3*t/s) + d*N, 0]}}\nrun: {until: 0.5}\n";
    const double t = 0.5;
    const asked offset[] = {{"d", "body.a.position.x", t, 1}}, turned[] = {{"d", "body.r.angle", cos(4 * t), 1}};
    const asked times[] = {{"d", "body.a.position.x", t / 3 - sin(3 * t) / 9, 1}};
    const asked added[] = {{"d", "body.a.position.x", 0.5 * t * t, 1}};
    static const char *const values[] = {"d=0",     "d=0.1",   "d=1e-3",  "d=1e-6",  "d=-1e-8",
                                         "d=1e-10", "d=1e-12", "d=-4e-13", "d=1e-14", "d=1e-16", "d=5e-324"};
    for (size_t k = 0; k < CAROM_COUNT(values); k++) {
        const char *const with[] = {values[k]};
        const double d = strtod(values[k] + 2, NULL);
        const asked square[] = {{"d", "body.b.position.y", 2 * (1 + d) * t, 1}};
        check(text, with, 1, offset, 1);
        check(text, with, 1, square, 1);
        check(angle, with, 1, turned, 1);
        check(factor, with, 1, times, 1);
        check(sum, with, 1, added, 1);
    }
}

/* A number that the model has as a factor keeps its own size, however small: x = F T^2/(2 m) of a grain of dust. */
static void test_small_factors(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\nparameters: {grain: 1e-12, F: 1e-12}\n"
                               "bodies: {a: {mass: grain, inertia: 1e-20}}\n"
                               "loads: {f: {type: force, on: a, force: [F, 0]}}\nrun: {until: 0.5}\n";
    const double x = 0.125;
    const asked a[] = {{"grain", "body.a.position.x", -x / 1e-12, x / 1e-12},
                       {"F", "body.a.position.x", x / 1e-12, x / 1e-12}};
    check(text, NULL, 0, a, CAROM_COUNT(a));
}

/* Shares that are none. */
static void test_refusals(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\nparameters: {d: 1}\n"
                               "bodies: {a: {mass: d, inertia: 1}}\nrun: {until: 0.5}\n";
    static const double shares[] = {-1, (double)NAN, 10, 1e-300, HUGE_VAL};
    static const char *const by[] = {"d"};
    carom_context *ctx = new_context();
    carom_document *document;
    carom_sensitivity *of;
    carom_sensitivity_def def = carom_default_sensitivity_def();
    def.parameters = by;
    def.parameter_count = 1;
    assert_ok(ctx, carom_document_parse(ctx, "model", text, strlen(text), NULL, 0, &document));
    for (size_t k = 0; k < CAROM_COUNT(shares); k++) {
        def.step = shares[k];
        assert_refused(ctx, carom_sensitivity_create(ctx, document, &def, &of), CAROM_ERROR_USAGE, "0 for the default");
    }
    carom_document_free(document);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_in_the_plane), cmocka_unit_test(test_start_in_space),
        cmocka_unit_test(test_start_of_a_state),   cmocka_unit_test(test_gravity),
        cmocka_unit_test(test_offsets),            cmocka_unit_test(test_small_factors),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

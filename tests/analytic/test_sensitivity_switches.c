/* Derivatives of runs across switches against closed forms: switches that the time repeats (mod, floor, ceil, periodic
   splines), of rates of states, of a motor's integral and of works, at the start, by contacts, two at one instant. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Forces are polynomials in the time between breaks, which steps end at: what is left is the rounding of the times of
   breaks over the distance of the twins, 1e-16/1e-5, and the local error of the tangents, 1e-9 of value over
   parameter. */
#define ACCURACY 1e-7

typedef struct asked {
    carom_context *ctx;
    carom_document *document;
    carom_sensitivity *of;
    carom_simulation *sim;
} asked;

static void ask_with(asked *a, const char *text, const char *const *by, size_t count,
                     const carom_simulation_def *simulation)
{
    *a = (asked){.ctx = new_context()};
    carom_sensitivity_def def = carom_default_sensitivity_def();
    def.parameters = by;
    def.parameter_count = count;
    def.simulation = simulation;
    assert_ok(a->ctx, carom_document_parse(a->ctx, "model", text, strlen(text), NULL, 0, &a->document));
    assert_ok(a->ctx, carom_sensitivity_create(a->ctx, a->document, &def, &a->of));
    a->sim = carom_sensitivity_simulation(a->of);
    assert_ok(a->ctx, carom_simulation_run(a->sim));
}

static void ask(asked *a, const char *text, const char *const *by, size_t count)
{
    ask_with(a, text, by, count, NULL);
}

static void end(asked *a)
{
    carom_sensitivity_free(a->of);
    carom_document_free(a->document);
    carom_context_free(a->ctx);
}

static void near(const char *what, double found, double wanted)
{
    print_message("%-44s %.12g, of the formula %.12g\n", what, found, wanted);
    assert_true(fabs(found - wanted) <= ACCURACY * fmax(fabs(wanted), 1));
}

/* Derivative of a number of a channel by a parameter at the end of the run. */
static void check(asked *a, const char *channel, size_t number, size_t parameter, double wanted)
{
    carom_channel_ref ref;
    double d[16];
    size_t count;
    char what[120];
    const carom_sensitivity_parameter *p = carom_sensitivity_parameters(a->of, &count);
    assert_ok(a->ctx, carom_simulation_find_channel(a->sim, channel, &ref));
    assert_ok(a->ctx, carom_sensitivity_read(a->of, &ref, d));
    assert_true(p[parameter].lost == HUGE_VAL);
    snprintf(what, sizeof what, "%s %zu by %s", channel, number, p[parameter].name);
    near(what, d[parameter * (size_t)ref.size + number], wanted);
}

/* What is not defined, from when on and why. */
static void check_lost(asked *a, size_t parameter, double from, const char *why)
{
    size_t count, parameters;
    bool told = false;
    const carom_sensitivity_parameter *p = carom_sensitivity_parameters(a->of, &parameters);
    const char *const *warnings = carom_simulation_warnings(a->sim, &count);
    char name[80];
    snprintf(name, sizeof name, "derivatives by '%s' are not defined", p[parameter].name);
    assert_true(fabs(p[parameter].lost - from) <= 1e-12);
    for (size_t k = 0; k < count; k++)
        told = told || (strstr(warnings[k], name) && strstr(warnings[k], why));
    assert_true(told);
}

/* ---- switches of the time that come again ---- */

/* Unit masses at rest until 0.9 s. With T = 0.4 and r = 0.9 - 2 T, under mod(t, T) v = T^2 + r^2/2 and
   x = sum over both periods of [(0.9 - k T) T^2/2 - T^3/3] + r^3/6; floor(5 t + q) jumps at (k - q)/5, k = 1 to 4;
   floor(t/T) at T and 2 T, and ceil(t/T) is one more; a pulse of D P in each of five periods P gives v = 5 D P. */
static void test_repeated(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\nparameters: {T: 0.4, q: 0.3, P: 0.2, D: 0.3}\n"
        "bodies:\n  a: {mass: 1, inertia: 1}\n  b: {mass: 1, inertia: 1}\n  c: {mass: 1, inertia: 1}\n"
        "loads:\n  f: {type: force, on: a, force: [\"mod(t, T)\", floor(5*t + q)]}\n"
        "  g: {type: force, on: b, force: [floor(t/T), ceil(t/T)]}\n"
        "  h: {type: force, on: c, force: [\"if(mod(t, P) < D*P, 1, 0)\", \"sign(mod(t, P) - D*P)\"]}\n"
        "run: {until: 0.9}\n";
    static const char *const by[] = {"T", "q", "P", "D"};
    const double t = 0.9, T = 0.4, r = t - 2 * T, P = 0.2, D = 0.3;
    asked a;
    ask(&a, text, by, 4);
    check(&a, "body.a.velocity", 0, 0, 2 * T - 2 * r);
    check(&a, "body.a.position", 0, 0, (t * T - T * T) + ((t - T) * T - T * T / 2 - T * T) - r * r);
    check(&a, "body.a.velocity", 1, 1, 4 / 5.0);
    check(&a, "body.a.position", 1, 1, (4 * t + 4 * 0.3 / 5 - 10 / 5.0) / 5);
    check(&a, "body.b.velocity", 0, 0, -3);
    check(&a, "body.b.velocity", 1, 0, -3);
    check(&a, "body.c.position", 0, 3, P * (5 * t - 10 * P - 5 * D * P));
    check(&a, "body.c.velocity", 1, 2, -10 * D);
    check(&a, "body.c.velocity", 1, 3, -10 * P);
    for (size_t k = 0; k < 4; k++)
        check(&a, "body.c.velocity", 0, k, k == 2 ? 5 * D : k == 3 ? 5 * P : 0);
    end(&a);
}

/* A periodic force f(w t) of a spline: v = F(w t)/w with F' = f, so that dv/dw = (t f(w t) - v)/w. At w t = 7.3, behind
   18 periods, f is 1, the value of a point. Between points that are monotone only slopes are continuous, else
   curvatures. */
static void test_periodic_spline(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\nparameters: {w: 8}\n"
        "splines:\n  m: {points: [[0, 0], [0.1, 1], [0.3, -1], [0.4, 0]], ends: periodic, between: monotone}\n"
        "  s: {points: [[0, 0], [0.1, 1], [0.3, -1], [0.4, 0]], ends: periodic}\n"
        "bodies: {a: {mass: 1, inertia: 1}}\n"
        "loads: {f: {type: force, on: a, force: [\"spline(m, w*t)\", \"spline(s, w*t)\"]}}\n"
        "run: {until: 0.9125}\n";
    static const char *const by[] = {"w"};
    asked a;
    double v[2];
    ask(&a, text, by, 1);
    assert_ok(a.ctx, carom_simulation_channel(a.sim, "body.a.velocity", v));
    for (size_t k = 0; k < 2; k++)
        check(&a, "body.a.velocity", k, 0, (0.9125 - v[k]) / 8);
    end(&a);
}

/* A body follows a record whose curvature jumps at its points, which T does not move, behind a force that ends at T:
   the integral of its acceleration is its change of speed. */
static void test_record(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\nparameters: {T: 0.13}\ninputs: {u: {unit: m}}\n"
                               "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"
                               "joints: {s: {type: translational, between: [ground, a], axis: [1, 0], motion: u}}\n"
                               "states: {w: {rate: ax(a)}}\n"
                               "loads: {f: {type: force, on: b, force: [\"if(t < T, 2, 0)\", 0]}}\n"
                               "run: {until: 0.55}\n";
    static const char *const by[] = {"T"};
    const double t[] = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, u[] = {0, 0.01, 0.05, 0.02, 0.03, 0.04, 0};
    const carom_spline_def record = {.name = "u", .x = t, .y = u, .count = 7, .between = "monotone"};
    carom_simulation_def def = carom_default_simulation_def();
    def.inputs = &record;
    def.input_count = 1;
    asked a;
    ask_with(&a, text, by, 1, &def);
    check(&a, "body.b.velocity", 0, 0, 2);
    check(&a, "body.a.velocity", 0, 0, 0);
    check(&a, "state.w", 0, 0, 0);
    end(&a);
}

/* An event at a break: floor(t/P) comes to 5 at 5 P, where v is 10 P as it is sums of k P. */
static void test_stop(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\nparameters: {P: 0.15}\n"
                               "bodies: {a: {mass: 1, inertia: 1}}\n"
                               "loads: {f: {type: force, on: a, force: [floor(t/P), 0]}}\n"
                               "events: {e: {when: floor(t/P) >= 5, do: stop}}\nrun: {until: 2}\n";
    static const char *const by[] = {"P"};
    asked a;
    size_t count;
    double d[2];
    carom_channel_ref ref;
    ask(&a, text, by, 1);
    near("time of the end", carom_sensitivity_parameters(a.of, &count)[0].end, 5);
    assert_ok(a.ctx, carom_simulation_find_channel(a.sim, "body.a.velocity", &ref));
    assert_ok(a.ctx, carom_sensitivity_final(a.of, &ref, d));
    near("velocity at the end by P", d[0], 10);
    end(&a);
}

/* ---- two at one instant ---- */

/* At 0.4 s two switches change, of which a parameter moves one: the jump of that one counts. So it is where two bodies
   pass 0.4 m at one instant, of which v = 2 sqrt(1 + 2 T) - 1.9 in the end. */
static void test_two(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\nparameters: {T: 0.4, P: 0.2}\n"
        "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, velocity: [1, 0]},\n"
        "         c: {mass: 1, inertia: 1, velocity: [1, 0]}}\n"
        "loads:\n  f: {type: force, on: a, force: [\"if(t < T, 1, 0) + if(t < 0.4, 3, 0)\", \"if(t < 2*P, 5, 0)\"]}\n"
        "  g: {type: force, on: b, force: [\"sign(0.4 - x(b))\", 0]}\n"
        "  h: {type: force, on: c, force: [\"sign(T - x(c))\", 0]}\n"
        "run: {until: 0.9}\n";
    static const char *const by[] = {"T", "P"};
    asked a;
    ask(&a, text, by, 2);
    check(&a, "body.a.velocity", 0, 0, 1);
    check(&a, "body.a.position", 0, 0, 0.5);
    check(&a, "body.a.velocity", 0, 1, 0);
    check(&a, "body.a.velocity", 1, 0, 0);
    check(&a, "body.a.velocity", 1, 1, 10);
    check(&a, "body.b.velocity", 0, 0, 0);
    check(&a, "body.c.velocity", 0, 0, 2 / sqrt(1.8));
    end(&a);
}

/* Of a product of both the derivative is another one on either side. */
static void test_product(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\nparameters: {T: 0.4, F: 3}\n"
                               "bodies: {a: {mass: 1, inertia: 1}}\n"
                               "loads: {f: {type: force, on: a, force: [\"if(t < T, 1, 0)*if(t < 0.4, F, 0)\", 0]}}\n"
                               "run: {until: 0.9}\n";
    static const char *const by[] = {"T", "F"};
    asked a;
    ask(&a, text, by, 2);
    check(&a, "body.a.velocity", 0, 1, 0.4);
    check_lost(&a, 0, 0.4, "two switches change at the same instant");
    end(&a);
}

/* A switch that is at its edge as the run starts: a phase has another derivative on either side, one that puts off as
   one that brings forward. What else moves no break has its own, and so has all of a body that leaves the edge from
   rest, y = -(g + F) t^2/2, and of a state that starts beyond an edge, r = exp(-t) above D. */
static void test_start(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\ngravity: [0, -gr]\nparameters: {phase: 0, D: 0.3, F: 2, gr: 9.81, lead: 0}\n"
        "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"
        "states: {z: {rate: \"if(y(b) < 0, F, 0)\"}, r: {rate: \"-max(r, D)\", start: 1}}\n"
        "loads:\n  f: {type: force, on: a, force: [\"if(mod(t - phase, 0.2) < 0.2*D, 1, 0)\",\n"
        "    \"if(mod(t + lead, 0.2) < 0.2*D, 1, 0)\"]}\n"
        "  g: {type: force, on: b, force: [0, F*sign(y(b))]}\n"
        "run: {until: 0.9}\n";
    static const char *const by[] = {"phase", "D", "F", "gr", "lead"};
    asked a;
    ask(&a, text, by, 5);
    check_lost(&a, 0, 0, "just as the run starts");
    check_lost(&a, 4, 0, "just as the run starts");
    check(&a, "body.a.velocity", 0, 1, 1);
    check(&a, "body.b.position", 1, 2, -0.405);
    check(&a, "body.b.position", 1, 3, -0.405);
    check(&a, "state.z", 0, 2, 0.9);
    check(&a, "state.z", 0, 3, 0);
    check(&a, "state.r", 0, 1, 0);
    check(&a, "state.r", 0, 3, 0);
    end(&a);
}

/* ---- rates that are no accelerations ---- */

/* q = P Ton/C of a heater; w = T + 3 (t - T) where its own value switches its rate; the work F u T on a body that is
   driven with the speed u; the integral L/k of a motor at its limit L of effort. */
static void test_rates(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\nparameters: {P: 5, Ton: 0.2, C: 10, T: 0.25, F: 2, k: 30, L: 0.02}\n"
        "bodies: {a: {mass: 1, inertia: 0.02}, b: {mass: 1, inertia: 1}}\n"
        "joints:\n  h: {type: revolute, between: [ground, a]}\n"
        "  s: {type: translational, between: [ground, b], axis: [1, 0], motion: 0.3*t}\n"
        "states:\n  q: {rate: \"if(t < Ton, P, 0)/C\"}\n  w: {rate: \"if(w < T, 1, 3)\"}\n"
        "loads:\n  push: {type: force, on: b, force: [\"if(t < T, F, 0)\", 0]}\n"
        "  servo: {type: motor, on: h, target: \"0.5\", proportional: 0.4, derivative: 0.1,\n"
        "          integral: k, integral_limit: L}\n"
        "run: {until: 0.5}\n";
    static const char *const by[] = {"P", "Ton", "C", "T", "F", "k", "L"};
    asked a;
    ask(&a, text, by, 7);
    check(&a, "state.q", 0, 0, 0.02);
    check(&a, "state.q", 0, 1, 0.5);
    check(&a, "state.q", 0, 2, -0.01);
    check(&a, "state.w", 0, 3, -2);
    check(&a, "load.push.work", 0, 3, 0.6);
    check(&a, "load.push.work", 0, 4, 0.075);
    check(&a, "load.servo.integral", 0, 6, 1 / 30.0);
    check(&a, "load.servo.integral", 0, 5, -0.02 / 900);
    end(&a);
}

/* A clock of the time in contact, by a comparison that jumps with the contact, is the sum of the durations. */
static void test_contact(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {K: 1e7, e: 0.7, H: 0.3}\n"
        "bodies: {a: {mass: 1, inertia: 1e-3, at: [0, 0.05 + H]}}\n"
        "shapes: {s: {type: sphere, on: a, radius: 0.05}, f: {type: plane, on: ground, normal: [0, 1]}}\n"
        "contacts: {c: {between: [f, s], normal: {law: flores, stiffness: K, restitution: e}}}\n"
        "states: {z: {rate: \"if(contact.c.open > 0.5, 1, 0)\"}}\n"
        "run: {until: 0.7}\n";
    static const char *const by[] = {"K", "e", "H"};
    asked a;
    double d[3];
    size_t count;
    ask(&a, text, by, 3);
    carom_simulation_impacts(a.sim, &count);
    assert_int_equal(count, 2);
    assert_ok(a.ctx, carom_sensitivity_channel(a.of, "state.z", d));
    for (size_t k = 0; k < 3; k++) {
        const double size[] = {1e7, 0.7, 0.3};
        double sum = 0;
        for (size_t n = 0; n < count; n++) {
            carom_impact impact;
            assert_ok(a.ctx, carom_sensitivity_impact(a.of, n, k, &impact));
            sum += impact.duration;
        }
        /* a duration is some milliseconds */
        near("time in contact, of the whole parameter", 1e3 * size[k] * d[k], 1e3 * size[k] * sum);
        assert_true(fabs(1e3 * size[k] * sum) > 0.01);
    }
    end(&a);
}

/* ---- what depends on nothing ---- */

/* A force that is none until T lets nothing but the clock differ before it, and an output has parameters of its own. */
static void test_influence(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\nparameters: {T: 0.4, F: 3, k: 2, none: 1}\n"
        "bodies: {a: {mass: 1, inertia: 1}}\n"
        "loads: {f: {type: force, on: a, force: [\"if(not t < T, F, 0)\", 0]}}\n"
        "outputs: {o: k*x(a)}\nrun: {until: 1}\n";
    static const char *const by[] = {"T", "F", "k", "none"};
    asked a;
    size_t count;
    ask(&a, text, by, 4);
    const carom_sensitivity_parameter *p = carom_sensitivity_parameters(a.of, &count);
    assert_true(p[0].influences && p[1].influences && !p[2].influences && !p[3].influences);
    check(&a, "body.a.velocity", 0, 0, -3);
    check(&a, "body.a.position", 0, 0, -1.8);
    check(&a, "output.o", 0, 2, 0.54);
    p = carom_sensitivity_parameters(a.of, &count);
    assert_true(p[2].influences && !p[3].influences);
    end(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeated), cmocka_unit_test(test_periodic_spline), cmocka_unit_test(test_record),
        cmocka_unit_test(test_stop),     cmocka_unit_test(test_two),             cmocka_unit_test(test_product),
        cmocka_unit_test(test_start),    cmocka_unit_test(test_rates),           cmocka_unit_test(test_contact),
        cmocka_unit_test(test_influence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

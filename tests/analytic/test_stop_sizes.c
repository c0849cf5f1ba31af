/* Limits of joints of default stiffness in models that start at rest and are driven: the stop is sized where it is met.
   A constant effort Q on the effective mass m gives the rate v = sqrt(2 Q q/m) at the limit q; a stop without damping
   that is made for m v^2/2 + F d, F the effort that goes on there, lets in exactly d. Sliders, rotors, rotors with
   armature, a parallelogram, whose effective inertia is I1 + I2 + mc r^2 in each position; in the plane and in space.
   What is met slower, is given a stiffness, or is pressed harder later. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"

#define PI 3.14159265358979323846
#define Q "joint.j.coordinate"
#define HEAD(dimension) "carom: 1\ndimension: " #dimension "\n"
#define TOLERANCE 1e-11
/* An impact is looked at in so many places: the greatest is missed by (pi/2/PLACES)^2/2 of it at most. */
#define PLACES 1000
#define NEAR 1e-5

typedef struct driven {
    const char *name, *text;
    double acceleration, limit, depth;
    double driven;              /* the coordinate up to which the effort acts */
} driven;

/* An effort of 4 that goes on at the limit, or ends before it. */
#define PUSH "loads:\n  f: {type: joint-effort, on: j, effort: 4}\n"
#define RELEASED(q) "loads:\n  f: {type: joint-effort, on: j, effort: \"if(coordinate(j) < " #q ", 4, 0)\"}\n"
#define RUN "run: {until: 10}\n"

/* Joints and what they carry; `keys` are those of the joint. */
#define SLIDER(keys)                                              \
    HEAD(2) "bodies:\n  b: {mass: 2, inertia: 0.1, at: [0.3, 0]}\n" \
            "joints:\n  j: {type: translational, between: [ground, {b: [-0.3, 0]}], axis: [1, 0], " keys "}\n"
#define SLIDER_3D(keys)                                                         \
    HEAD(3) "bodies:\n  b: {mass: 2, inertia: [1, 1, 1], at: [0.3, 0, 0]}\n"    \
            "joints:\n  j: {type: translational, between: [ground, {b: [-0.3, 0, 0]}], axis: [1, 0, 0], " keys "}\n"
#define ROTOR(keys)                                     \
    HEAD(2) "bodies:\n  b: {mass: 1, inertia: 0.02}\n"  \
            "joints:\n  j: {type: revolute, between: [ground, b], " keys "}\n"
#define ROTOR_3D(keys)                                                \
    HEAD(3) "bodies:\n  b: {mass: 1, inertia: [0.02, 0.03, 0.04]}\n"  \
            "joints:\n  j: {type: revolute, between: [b, ground], axis: [1, 0, 0], " keys "}\n"
/* I1 = I2 = 0.002 + 0.1*0.5^2, mc = 0.2, r = 1: 0.254 in all. */
#define PARALLELOGRAM(keys)                                           \
    HEAD(2) "bodies:\n  a: {mass: 0.1, inertia: 0.002, at: [0, 0.5]}\n"  \
            "  b: {mass: 0.1, inertia: 0.002, at: [2, 0.5]}\n"           \
            "  c: {mass: 0.2, inertia: 0.03, at: [1, 1]}\n"              \
            "joints:\n  j: {type: revolute, between: [ground, {a: [0, -0.5]}], " keys "}\n" \
            "  k: {type: revolute, between: [{ground: [2, 0]}, {b: [0, -0.5]}]}\n"          \
            "  l: {type: revolute, between: [{a: [0, 0.5]}, {c: [-1, 0]}]}\n"               \
            "  m: {type: revolute, between: [{b: [0, 0.5]}, {c: [1, 0]}]}\n"

static const driven cases[] = {
    {"slider", SLIDER("limits: {upper: 0.5, damping: 0}") PUSH RUN, 2, 0.5, 0.003, HUGE_VAL},
    {"slider in space", SLIDER_3D("limits: {upper: 0.5, damping: 0}") PUSH RUN, 2, 0.5, 0.003, HUGE_VAL},
    {"slider with a short travel", SLIDER("limits: {lower: -0.01, upper: 0.04, damping: 0}") PUSH RUN, 2, 0.04, 0.0025,
     HUGE_VAL},
    {"rotor", ROTOR("limits: {upper: 1.5, damping: 0}") RELEASED(1.4) RUN, 200, 1.5, 0.01, 1.4},
    {"rotor in space, second side", ROTOR_3D("limits: {upper: 1.5, damping: 0}") PUSH RUN, 200, 1.5, 0.01, HUGE_VAL},
    {"rotor with armature", ROTOR("armature: 0.18, limits: {upper: 1.5, damping: 0}") PUSH RUN, 20, 1.5, 0.01,
     HUGE_VAL},
    {"parallelogram", PARALLELOGRAM("limits: {upper: 0.5, damping: 0}") PUSH RUN, 4 / 0.254, 0.5, 0.01, HUGE_VAL},
};

static void test_depths(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(cases); k++) {
        const driven *c = &cases[k];
        const double way = fmin(c->driven, c->limit), rate = sqrt(2 * c->acceleration * way);
        const double met = rate / c->acceleration + (c->limit - way) / rate;
        /* the stop's stiffness over the mass; with a constant effort the greatest is behind a quarter of the period */
        const double pressed = c->driven < c->limit ? 0 : 2 * c->acceleration * c->depth;
        const double w2 = (rate * rate + pressed) / (c->depth * c->depth);
        const double period = 2 * PI / sqrt(w2);
        double most = 0;
        size_t count;
        free_run run;
        free_run_parse(&run, c->text, TOLERANCE, NULL);
        for (int n = 0; n <= PLACES; n++) {
            free_run_to(&run, met + (0.2 + 0.1 * n / PLACES) * period);
            most = fmax(most, free_run_get(&run, Q) - c->limit);
        }
        free_run_to(&run, met + period);
        const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
        assert_true(count >= 2);
        const double off = fabs(row[0].rate / rate - 1), back = fabs(row[1].rate / rate + 1);
        const double peak = fabs(row[1].peak / (w2 * c->depth) * c->acceleration / 4 - 1);
        assert_true(row[0].depth == 0 && fabs(row[1].depth / c->depth - 1) < 1e-4);
        const carom_ledger ledger = carom_simulation_ledger(run.sim);
        printf("%-28s depth %.6g, off by %.1e, rate by %.1e, back by %.1e, peak by %.1e, ledger %.1e\n", c->name, most,
               fabs(most / c->depth - 1), off, back, peak, ledger.residual_fraction);
        assert_true(fabs(most / c->depth - 1) < NEAR);
        assert_true(off < 1e-8 && back < 1e-6 && peak < 1e-4 && ledger.residual_fraction < 1e-8);
        assert_false(free_run_is_told(&run, "[W51]"));
        free_run_close(&run);
    }
}

/* A damped stop lets in what comes with the rate v by g v/w = d, and a pushed slider comes to rest F/k deep:
   d/(2 (1 + E g^2/(F d))) with E its energy at the limit and g = exp(-zeta/sqrt(1 - zeta^2) acos zeta). */
static void test_rest(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, SLIDER("limits: {upper: 0.5}") PUSH RUN, 1e-10, NULL);
    free_run_to(&run, 10);
    double zeta[2] = {0, 1};
    while (zeta[1] - zeta[0] > 1e-14) { /* of the restitution of 0.3 */
        const double b = asin(0.5 * (zeta[0] + zeta[1]));
        zeta[exp(-tan(b) * (PI - 2 * b)) < 0.3] = sin(b);
    }
    const double g = exp(-zeta[0] / sqrt(1 - zeta[0] * zeta[0]) * acos(zeta[0]));
    const double wanted = 0.003 / (2 * (1 + 0.5 * g * g / 0.003)), e = free_run_get(&run, Q) - 0.5;
    printf("at rest %.9g m deep, off by %.1e\n", e, fabs(e / wanted - 1));
    assert_true(fabs(e / wanted - 1) < 1e-6);
    free_run_close(&run);
}

/* What is met slower than the default was made for leaves it: k = 2 E/d^2 of the start, m v^2/2 with v = 3. */
static void test_slower(void **state)
{
    (void)state;
    free_run run;
    size_t count;
    free_run_parse(&run,
                   SLIDER("rate: 3, limits: {upper: 0.5, damping: 0}")
                   "loads:\n  f: {type: joint-effort, on: j, effort: -14}\n" RUN,
                   TOLERANCE, NULL);
    free_run_to(&run, 1);
    const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
    assert_true(count >= 2);
    /* m v^2 = k e^2 + 2 F e at the greatest indentation e, where the effort is k e */
    const double v = sqrt(9 - 14 * 0.5), k = 2 * 9 / (0.003 * 0.003);
    const double peak = -14 + sqrt(14 * 14 + k * 2 * v * v);
    printf("met at %.9g, peak off by %.1e\n", row[0].rate, fabs(row[1].peak / peak - 1));
    assert_true(fabs(row[0].rate / v - 1) < 1e-8 && fabs(row[1].peak / peak - 1) < 1e-4);
    free_run_close(&run);
}

/* An effort that grows while it presses is told of, but not where the stiffness is given. */
static void test_pressed(void **state)
{
    (void)state;
#define PRESSED(limits)    \
    SLIDER("limits: {" limits "}") \
    "loads:\n  f: {type: joint-effort, on: j, effort: \"if(t < 5, 4, 4 + 1e5*(t - 5))\"}\nrun: {until: 6}\n"
    free_run run;
    free_run_parse(&run, PRESSED("upper: 0.5"), 0, NULL);
    free_run_to(&run, 4.9);
    assert_false(free_run_is_told(&run, "[W51]"));
    free_run_to(&run, 6);
    assert_true(free_run_is_told(&run, "[W51]"));
    free_run_close(&run);
    free_run_parse(&run, PRESSED("upper: 0.5, stiffness: 1e5"), 0, NULL);
    free_run_to(&run, 6);
    assert_false(free_run_is_told(&run, "[W51]"));
    free_run_close(&run);
}

/* A stiffness that a program gives is no default any more: m v^2/2 + F e = k e^2/2. */
static void test_given_later(void **state)
{
    (void)state;
    free_run run;
    size_t count;
    free_run_parse(&run, cases[0].text, TOLERANCE, NULL);
    assert_ok(run.ctx, carom_simulation_set_parameter(run.sim, "load.j.limits.stiffness", 1000));
    free_run_to(&run, 1.2);
    const carom_fired_event *row = carom_simulation_fired_events(run.sim, &count);
    assert_true(count >= 2);
    const double peak = 4 + sqrt(16 + 1000 * 4.0);
    printf("a stiffness given later: peak off by %.1e\n", fabs(row[1].peak / peak - 1));
    assert_true(fabs(row[1].peak / peak - 1) < 1e-4);
    free_run_close(&run);
}

/* A run that goes on from a checkpoint within an impact on a stop that was made stiffer has the same bits. */
static void test_checkpoint(void **state)
{
    (void)state;
    free_run whole, resumed;
    unsigned char *bytes;
    size_t size;
    const char *text = cases[0].text;
    free_run_parse(&whole, text, 0, NULL);
    free_run_parse(&resumed, text, 0, NULL);
    const double met = sqrt(0.5), inside = met + 0.25 * 2 * PI * 0.003 / sqrt(2.0);
    free_run_to(&whole, inside);
    assert_true(free_run_get(&whole, "load.j.limits.effort") < 0);
    assert_ok(whole.ctx, carom_simulation_checkpoint(whole.sim, &bytes, &size));
    free_run_to(&whole, 3);
    assert_ok(resumed.ctx, carom_simulation_resume(resumed.sim, bytes, size));
    free_run_to(&resumed, 3);
    assert_true(free_run_get(&whole, Q) == free_run_get(&resumed, Q));
    assert_true(free_run_get(&whole, "energy.elastic") == free_run_get(&resumed, "energy.elastic"));
    carom_bytes_free(whole.ctx, bytes, size);
    free_run_close(&whole);
    free_run_close(&resumed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depths),  cmocka_unit_test(test_rest),        cmocka_unit_test(test_slower),
        cmocka_unit_test(test_pressed), cmocka_unit_test(test_given_later), cmocka_unit_test(test_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

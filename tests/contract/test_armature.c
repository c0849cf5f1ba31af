/* Inertia on joint coordinates: against bodies that have it, against the mass matrix of a double pendulum, with
   redundant rows, many rows, implicit methods and prescribed motions, and what is refused. */
#include "carom_test.h"

#include <math.h>

#include <carom/carom.h>

typedef struct run {
    carom_context *ctx;
    carom_model *model;
    carom_simulation *sim;
} run;

static void open_run(run *r, const char *text)
{
    assert_int_equal(carom_context_create(NULL, &r->ctx), CAROM_OK);
    if (carom_model_parse(r->ctx, "armature.yaml", text, strlen(text), NULL, 0, &r->model) != CAROM_OK ||
        carom_simulation_create(r->ctx, r->model, NULL, &r->sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(r->ctx));
}

static void close_run(run *r)
{
    carom_simulation_free(r->sim);
    carom_model_free(r->model);
    carom_context_free(r->ctx);
}

static void expect(const char *what, double value, double expected, double tolerance)
{
    printf("%-44s %.15g, off by %.1e of %.1e allowed\n", what, value, fabs(value - expected), tolerance);
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s: %.17g, expected %.17g", what, value, expected);
}

static carom_ledger run_to_end(run *r)
{
    if (carom_simulation_run(r->sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(r->ctx));
    const carom_ledger ledger = carom_simulation_ledger(r->sim);
    expect("ledger", ledger.residual_fraction, 0, 1e-8);
    return ledger;
}

static double get(run *r, const char *channel)
{
    double value[12];
    if (carom_simulation_channel(r->sim, channel, value) != CAROM_OK)
        fail_msg("%s", carom_context_error(r->ctx));
    return value[0];
}

/* ---- on the ground: as if the body had it ---- */

/* A slider-crank in the plane or in space, where three rows are redundant; crank and slider have more inertia, or their
   joints have it. */
static void slider_crank(char *text, size_t size, int dimension, bool bodies, const char *run_keys)
{
    const bool space = dimension == 3;
    char crank[80], slider[80];
    const double i = bodies ? 0.02 + 0.3 : 0.02, m = bodies ? 1.5 + 4 : 1.5;
    snprintf(crank, sizeof crank, space ? "[0.01, 0.02, %.17g]" : "%.17g", bodies && !space ? i : 0.02 + (i - 0.02));
    snprintf(slider, sizeof slider, "%.17g", m);
    snprintf(text, size,
             "carom: 1\ndimension: %d\ngravity: %s\n"
             "bodies:\n"
             "  crank: {mass: 1, inertia: %s}\n"
             "  rod: {mass: 0.7, inertia: %s, at: [0.3, 0%s]}\n"
             "  slider: {mass: %s, inertia: %s, at: [0.5, 0%s]}\n"
             "joints:\n"
             "  pin: {type: revolute, between: [ground, crank]%s, rate: 9%s}\n"
             "  big: {type: revolute, between: [{crank: [0.1, 0%s]}, {rod: [-0.2, 0%s]}]%s}\n"
             "  small: {type: revolute, between: [{rod: [0.2, 0%s]}, slider]%s}\n"
             "  rail: {type: translational, between: [ground, slider], axis: [1, 0%s]%s}\n"
             "run: {until: 1.5, tolerance: 1e-11%s}\n",
             dimension, space ? "[0, -9.81, 0]" : "[0, -9.81]", crank, space ? "[0.02, 0.03, 0.03]" : "0.03",
             space ? ", 0" : "", slider, space ? "[1, 1, 1]" : "1", space ? ", 0" : "",
             space ? ", axis: [0, 0, 1]" : "", bodies ? "" : ", armature: 0.3", space ? ", 0" : "", space ? ", 0" : "",
             space ? ", axis: [0, 0, 1]" : "", space ? ", 0" : "", space ? ", axis: [0, 0, 1]" : "",
             space ? ", 0" : "", bodies ? "" : ", armature: 4*kg", run_keys);
}

static void against_bodies(int dimension, const char *run_keys, double allowed)
{
    double angle[2], kinetic[2];
    for (int bodies = 0; bodies < 2; bodies++) {
        char text[2048];
        run r;
        slider_crank(text, sizeof text, dimension, bodies, run_keys);
        /* in space the crank may not have an inertia about one axis alone that its others do not allow */
        if (dimension == 3 && bodies) {
            char *at = strstr(text, "[0.01, 0.02, ");
            memcpy(at, "[0.30, 0.30,", 12);
        }
        open_run(&r, text);
        kinetic[bodies] = carom_simulation_ledger(r.sim).kinetic;
        run_to_end(&r);
        angle[bodies] = get(&r, "joint.pin.coordinate");
        close_run(&r);
    }
    expect(dimension == 3 ? "crank in space" : "crank in the plane", angle[0], angle[1], allowed);
    expect("kinetic energy at the start", kinetic[0], kinetic[1], 1e-12 * kinetic[1]);
}

static void test_as_of_bodies(void **state)
{
    (void)state;
    against_bodies(2, "", 1e-8);
    against_bodies(3, "", 1e-8);
    against_bodies(2, ", integrator: bdf", 1e-6);
    against_bodies(3, ", integrator: bdf", 1e-6);
    against_bodies(2, ", constraints: projection", 1e-7);
}

/* ---- on a moving carrier ---- */

/* Two rods without gravity, both angles absolute: M = [[I1 + m2 l^2 + A, m2 l c cos(b - a) - A], [., I2 + m2 c^2 + A]],
   I1 about the pin. */
static void test_double_pendulum(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\n"
        "bodies: {one: {mass: 2, inertia: 0.1, at: [0.5, 0]}, two: {mass: 1, inertia: 0.05, at: [1, 0.3], angle: "
        "90*deg}}\n"
        "joints:\n"
        "  a: {type: revolute, between: [ground, {one: [-0.5, 0]}]}\n"
        "  b: {type: revolute, between: [{one: [0.5, 0]}, {two: [-0.3, 0]}], armature: 0.7, rate: 2}\n"
        "loads: {push: {type: torque, on: two, torque: 3}}\n"
        "run: {until: 2, tolerance: 1e-11}\n";
    run r;
    open_run(&r, text);
    carom_evaluated at;
    assert_int_equal(carom_simulation_evaluate_at(r.sim, NULL, &at), CAROM_OK);
    carom_body_state one, two;
    assert_int_equal(carom_simulation_body(r.sim, 0, &one), CAROM_OK);
    assert_int_equal(carom_simulation_body(r.sim, 1, &two), CAROM_OK);
    const double c = 0.3, A = 0.7, angle = two.angle - one.angle, w1 = one.angular_velocity[2],
                 w2 = two.angular_velocity[2];
    const double m11 = 0.1 + 2 * 0.25 + 1 + A, m12 = c * cos(angle) - A, m22 = 0.05 + c * c + A;
    const double f1 = c * sin(angle) * w2 * w2, f2 = 3 - c * sin(angle) * w1 * w1, det = m11 * m22 - m12 * m12;
    expect("acceleration of the first rod", at.accelerations[2], (m22 * f1 - m12 * f2) / det, 1e-12);
    expect("of the second", at.accelerations[5], (m11 * f2 - m12 * f1) / det, 1e-12);
    const double kinetic = 0.5 * (m11 * w1 * w1 + m22 * w2 * w2) + m12 * w1 * w2;
    expect("kinetic energy", at.kinetic, kinetic, 1e-13);
    run_to_end(&r);
    close_run(&r);
}

/* ---- many rows: the train of test_couplers.c, half of whose inertia is armature; one motion drives it ---- */

#define GEARS 60

static void test_train(void **state)
{
    (void)state;
    static char text[GEARS * 260];
    for (int driven = 0; driven < 2; driven++) {
        size_t end = (size_t)snprintf(text, sizeof text, "carom: 1\ndimension: 2\nbodies:\n");
        for (int k = 0; k < GEARS; k++)
            end += (size_t)snprintf(text + end, sizeof text - end, "  g%d: {mass: 1, inertia: 1e-3, at: [%d, 0]}\n", k,
                                    k);
        end += (size_t)snprintf(text + end, sizeof text - end, "joints:\n");
        for (int k = 0; k < GEARS; k++)
            end += (size_t)snprintf(text + end, sizeof text - end,
                                    "  j%d: {type: revolute, between: [{ground: [%d, 0]}, g%d], armature: 3e-3%s}\n", k,
                                    k, k, driven && k == 0 ? ", motion: 2*t^2" : "");
        for (int k = 1; k < GEARS; k++)
            end += (size_t)snprintf(text + end, sizeof text - end,
                                    "  m%d: {type: coupler, joints: [j%d, j%d], ratio: -1}\n", k, k - 1, k);
        snprintf(text + end, sizeof text - end, "loads: {drive: {type: torque, on: g0, torque: 0.6}}\n"
                                                "run: {until: 0.5}\n");
        run r;
        open_run(&r, text);
        carom_evaluated at;
        assert_int_equal(carom_simulation_evaluate_at(r.sim, NULL, &at), CAROM_OK);
        const double a = driven ? 4 : 0.6 / (GEARS * 4e-3);
        expect("last gear", at.accelerations[3 * (GEARS - 1) + 2], GEARS % 2 ? a : -a, 1e-9);
        carom_check check;
        assert_int_equal(carom_simulation_check(r.sim, &check), CAROM_OK);
        assert_int_equal(check.mobility, driven ? 0 : 1);
        assert_int_equal(check.redundant_count, 0);
        run_to_end(&r);
        if (driven)
            expect("torque of the motion", get(&r, "joint.j0.drive"), 4 * GEARS * 4e-3 - 0.6, 1e-9);
        close_run(&r);
    }
}

/* ---- what is refused ---- */

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *joint, *says;
    } wrong[] = {
        {"{type: fixed, between: [ground, one], armature: 2}", "no coordinate"},
        {"{type: revolute, between: [ground, one], armature: -2}", "armature"},
        {"{type: revolute, between: [ground, one], armature: 2*N}", "armature"},
        {"{type: revolute, between: [ground, one], armature: t}", "armature"},
        {"{type: revolute, between: [ground, one], armature: 1, clearance: {radial: 1*mm, radius: 9*mm, normal: {law: "
         "flores, stiffness: 1e8, restitution: 0.5}}}",
         "clearance"},
    };
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        char text[1024];
        carom_context *ctx;
        carom_model *model;
        assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\nbodies: {one: {mass: 1, inertia: 1}}\njoints:\n  k: %s\nrun: {until: 1}\n",
                 wrong[n].joint);
        if (carom_model_parse(ctx, "wrong.yaml", text, strlen(text), NULL, 0, &model) == CAROM_OK)
            fail_msg("%s is not refused", wrong[n].joint);
        printf("%s\n", carom_context_error(ctx));
        if (!strstr(carom_context_error(ctx), wrong[n].says) || !strstr(carom_context_error(ctx), "wrong.yaml:5"))
            fail_msg("%s: %s", wrong[n].joint, carom_context_error(ctx));
        carom_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_of_bodies),
        cmocka_unit_test(test_double_pendulum),
        cmocka_unit_test(test_train),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

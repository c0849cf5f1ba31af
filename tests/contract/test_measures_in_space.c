/* Measures of bodies, frames and sets of bodies in expressions: against the motion of a free body, momenta that are
   kept, and angles that are given. */
#include "carom_test.h"

#include <math.h>

#include <carom/carom.h>

static double get(carom_simulation *sim, carom_context *ctx, const char *channel)
{
    double value[12];
    if (carom_simulation_channel(sim, channel, value) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    return value[0];
}

static void expect(const char *what, double value, double expected, double tolerance)
{
    printf("%-36s %.15g, off by %.1e of %.1e allowed\n", what, value, fabs(value - expected), tolerance);
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s: %.17g, expected %.17g", what, value, expected);
}

/* Two bodies on a spring, thrown together without gravity: momentum, angular momentum about the common centre and the
   velocity of that are kept, and a frame moves as its body does. */
static void test_space(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 3\n"
        "bodies:\n"
        "  one: {mass: 2, inertia: [0.1, 0.2, 0.25], velocity: [1, 0.3, 0], angular_velocity: [1, 2, 3],\n"
        "        frames: {tip: {at: [0.5, 0, 0], orientation: {axis: [0, 0, 1], angle: 30*deg}}}}\n"
        "  two: {mass: 3, inertia: [0.3, 0.2, 0.3], at: [1, 0, 0], velocity: [0, -0.2, 0.1], angular_velocity: [0, 0, "
        "2]}\n"
        "loads: {s: {type: spring, between: [one.tip, two], stiffness: 40, length: 0.3}}\n"
        "outputs:\n"
        "  p: momentum_x(all)\n  q: momentum_y(one, two)\n  l: angular_momentum_z(all)\n  l1: angular_momentum_x(one)\n"
        "  c: centre_y(all)\n  v: centre_v_y(all)\n  w: wz(one)\n  tip: x(one.tip)\n  tip_v: vy(one.tip)\n"
        "  yaw: yaw(one.tip)\n  roll: roll(one)\n  pitch: pitch(one)\n"
        "run: {until: 2, tolerance: 1e-11}\n";
    carom_context *ctx = new_context();
    carom_model *model;
    carom_simulation *sim;
    assert_ok(ctx, carom_model_parse(ctx, "space.yaml", text, strlen(text), NULL, 0, &model));
    assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
    expect("yaw of a frame", get(sim, ctx, "output.yaw"), 3.14159265358979323846 / 6, 1e-15);
    expect("velocity of a frame", get(sim, ctx, "output.tip_v"), 0.3 + 3 * 0.5, 1e-15);
    expect("angular velocity", get(sim, ctx, "output.w"), 3, 0);
    expect("angular momentum of one", get(sim, ctx, "output.l1"), 0.1, 1e-15);
    const double l = 0.25 * 3 + 0.3 * 2 + 2 * 3 / 5.0 * (1 * (-0.2 - 0.3));
    expect("angular momentum", get(sim, ctx, "output.l"), l, 1e-14);
    assert_ok(ctx, carom_simulation_run(sim));
    expect("momentum along x", get(sim, ctx, "output.p"), 2, 1e-12);
    expect("along y", get(sim, ctx, "output.q"), 0, 1e-12);
    expect("angular momentum, kept", get(sim, ctx, "output.l"), l, 1e-9);
    expect("velocity of the centre", get(sim, ctx, "output.v"), 0, 1e-12);
    expect("centre of mass", get(sim, ctx, "output.c"), 0, 1e-11);
    /* the angles give the axes back */
    carom_body_state one;
    assert_ok(ctx, carom_simulation_body(sim, 0, &one));
    const double roll = get(sim, ctx, "output.roll"), pitch = get(sim, ctx, "output.pitch"), *n = one.orientation;
    expect("pitch", sin(pitch), 2 * (n[0] * n[2] - n[1] * n[3]), 1e-13);
    expect("roll", cos(pitch) * sin(roll), 2 * (n[2] * n[3] + n[0] * n[1]), 1e-13);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* A force that reads them, with an implicit method whose derivatives know the bodies that are read. */
static void test_forces(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\n"
        "bodies: {a: {mass: 2, inertia: 1, velocity: [1, 0], frames: {f: [0.1, 0]}}, b: {mass: 1, inertia: 1, at: [1, "
        "0]}}\n"
        "loads: {push: {type: force, on: a, force: [\"-3*centre_v_x(all) - 0*x(a.f)\", 0]}}\n"
        "run: {until: 1, tolerance: 1e-11, integrator: %s}\n";
    static const char *const methods[] = {"bdf", "adams"};
    for (int k = 0; k < 2; k++) {
        char own[1024];
        snprintf(own, sizeof own, text, methods[k]);
        carom_context *ctx = new_context();
        carom_model *model;
        carom_simulation *sim;
        assert_ok(ctx, carom_model_parse(ctx, "force.yaml", own, strlen(own), NULL, 0, &model));
        assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
        assert_ok(ctx, carom_simulation_run(sim));
        carom_body_state a;
        assert_ok(ctx, carom_simulation_body(sim, 0, &a));
        expect("speed", a.velocity[0], exp(-3 * 2 / 3.0 / 2.0), 1e-9);
        carom_simulation_free(sim);
        carom_model_free(model);
        carom_context_free(ctx);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *output, *says;
    } wrong[] = {
        {"x(one.tap)", "tap"}, {"momentum_x(one, too)", "too"}, {"wx(nobody)", "nobody"},
        {"momentum_x(ground)", "ground"},
        {"momentum_w(one)", "momentum_w"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        char text[512];
        carom_context *ctx = new_context();
        carom_model *model;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\nbodies: {one: {mass: 2, inertia: [1, 1, 1], frames: {tip: [1, 0, 0]}}}\n"
                 "outputs: {o: \"%s\"}\nrun: {until: 1}\n", wrong[k].output);
        if (carom_model_parse(ctx, "wrong.yaml", text, strlen(text), NULL, 0, &model) == CAROM_OK)
            fail_msg("%s is not refused", wrong[k].output);
        printf("%s\n", carom_context_error(ctx));
        if (!strstr(carom_context_error(ctx), wrong[k].says) || !strstr(carom_context_error(ctx), "wrong.yaml:4"))
            fail_msg("%s: %s", wrong[k].output, carom_context_error(ctx));
        carom_context_free(ctx);
    }
}

/* A pendulum of a rod with sensors at its tip, which reads w^2 r along the rod and nothing of gravity but its part, as
   the channels of the frame do; an event and a state read them. In the plane and in space, in both formulations. */
static void test_sensors(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: %d\ngravity: [0, -9.81%s]\n"
        "bodies: {rod: {mass: 1, inertia: %s, at: [0.5, 0%s], frames: {tip: {at: [0.3, 0%s]%s}}}}\n"
        "joints: {pin: {type: revolute, between: [ground, {rod: [-0.5, 0%s]}]%s, rate: -0.5}}\n"
        "states: {felt: {rate: accelerometer_x(rod.tip)}}\n"
        "events: {hard: {when: accelerometer_x(rod.tip) < -12, do: stop}}\n"
        "outputs: {a: ax(rod.tip), b: ay(rod), f: accelerometer_x(rod.tip), g: accelerometer_y(rod.tip),\n"
        "  w: gyroscope_z(rod.tip)}\n"
        "run: {until: 2, tolerance: 1e-10, formulation: %s}\n";
    for (int k = 0; k < 4; k++) {
        const bool space = k > 1;
        const char *zero = space ? ", 0" : "";
        char model_text[1024];
        snprintf(model_text, sizeof model_text, text, space ? 3 : 2, zero, space ? "[0.1, 0.1, 0.1]" : "0.1", zero,
                 zero, space ? ", orientation: {axis: [1, 0, 0], angle: 90*deg}" : "", zero,
                 space ? ", axis: [0, 0, 1]" : "", k % 2 ? "tree" : "cartesian");
        carom_context *ctx = new_context();
        carom_model *model;
        carom_simulation *sim;
        assert_ok(ctx, carom_model_parse(ctx, "sensors.yaml", model_text, strlen(model_text), NULL, 0, &model));
        assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
        assert_ok(ctx, carom_simulation_run(sim));
        double a[3], f[3];
        assert_ok(ctx, carom_simulation_channel(sim, "frame.rod.tip.acceleration", a));
        assert_ok(ctx, carom_simulation_channel(sim, "frame.rod.tip.accelerometer", f));
        expect("ax", get(sim, ctx, "output.a"), a[0], 0);
        expect("accelerometer_x", get(sim, ctx, "output.f"), f[0], 0);
        expect("accelerometer_y", get(sim, ctx, "output.g"), f[1], 0);
        assert_ok(ctx, carom_simulation_channel(sim, "body.rod.acceleration", a));
        expect("ay", get(sim, ctx, "output.b"), a[1], 0);
        const double q = get(sim, ctx, "joint.pin.coordinate"), w = get(sim, ctx, "joint.pin.rate");
        expect("along the rod", f[0], -0.8 * w * w + 9.81 * sin(q), 1e-9);
        expect("where the event ends the run", f[0], -12, 1e-6);
        expect("gyroscope", get(sim, ctx, "output.w"), space ? 0 : w, 1e-15);
        carom_simulation_free(sim);
        carom_model_free(model);
        carom_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_space), cmocka_unit_test(test_sensors),
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Joints that a program registers: friction and clearance as those of the built-in hinge, bit for bit; a screw, whose
   rows read the angle over its turns. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <carom/carom.h>

#include "support/outside.h"

static carom_context *open_kinds(void)
{
    carom_context *ctx;
    assert_int_equal(carom_context_create(NULL, &ctx), CAROM_OK);
    assert_int_equal(register_outside(ctx), CAROM_OK);
    return ctx;
}

static carom_simulation *open_model(carom_context *ctx, const char *text, carom_model **model)
{
    carom_simulation *sim = NULL;
    if (carom_model_parse(ctx, "joints.yaml", text, strlen(text), NULL, 0, model) != CAROM_OK ||
        carom_simulation_create(ctx, *model, NULL, &sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    return sim;
}

static void close_model(carom_simulation *sim, carom_model *model)
{
    carom_simulation_free(sim);
    carom_model_free(model);
}

static double get(carom_simulation *sim, const char *channel)
{
    double value = (double)NAN;
    assert_int_equal(carom_simulation_channel(sim, channel, &value), CAROM_OK);
    return value;
}

/* ---- friction and clearance ---- */

typedef struct outcome {
    carom_body_state rod;
    carom_ledger ledger;
    size_t impacts;
} outcome;

static outcome swing(const char *format, const char *type)
{
    char text[1200];
    carom_model *model = NULL;
    outcome out;
    memset(&out, 0, sizeof out);
    carom_context *ctx = open_kinds();
    snprintf(text, sizeof text, format, type);
    carom_simulation *sim = open_model(ctx, text, &model);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    assert_int_equal(carom_simulation_body(sim, 0, &out.rod), CAROM_OK);
    out.ledger = carom_simulation_ledger(sim);
    carom_simulation_impacts(sim, &out.impacts);
    close_model(sim, model);
    carom_context_free(ctx);
    return out;
}

static outcome same_swing(const char *format)
{
    const outcome own = swing(format, "outside-hinge"), built_in = swing(format, "revolute");
    assert_memory_equal(&own.rod, &built_in.rod, sizeof own.rod);
    assert_memory_equal(&own.ledger, &built_in.ledger, sizeof own.ledger);
    assert_int_equal(own.impacts, built_in.impacts);
    return own;
}

#define PENDULUM(more, run)                                                                                          \
    "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"                                                                    \
    "bodies: {rod: {mass: 0.5, inertia: 1e-2, at: [0.3, 0], frames: {eye: [-0.3, 0]}}}\n"                             \
    "joints: {pin: {type: %s, between: [ground, rod.eye], " more "}}\n" run

static void test_friction(void **state)
{
    (void)state;
    const outcome plane =
        same_swing(PENDULUM("friction: {law: coulomb, kinetic: 0.3, radius: 10*mm}", "run: {until: 1}\n"));
    assert_true(plane.ledger.dissipated_friction > 1e-3 && plane.ledger.residual_fraction < 1e-6);
    const outcome space = same_swing(
        "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies: {rod: {mass: 0.5, inertia: [1e-3, 1e-2, 1e-2], at: [0.3, 0, 0], frames: {eye: [-0.3, 0, 0]}}}\n"
        "joints: {pin: {type: %s, between: [ground, rod.eye], axis: [0, 1, 0.2],\n"
        "  friction: {law: threlfall, kinetic: 0.3, radius: 10*mm}}}\nrun: {until: 1}\n");
    assert_true(space.ledger.dissipated_friction > 1e-3 && space.ledger.residual_fraction < 1e-6);
}

static void test_clearance(void **state)
{
    (void)state;
    const outcome out = same_swing(PENDULUM("clearance: {radial: 0.2*mm, radius: 10*mm, normal: {law: "
                                            "lankarani-nikravesh, stiffness: 1e9, restitution: 0.8}}",
                                            "run: {until: 0.2}\n"));
    assert_true(out.impacts > 2);
}

/* ---- a screw ---- */

static carom_vec3 column(const carom_mat3 *a, int k) { return (carom_vec3){a->m[0][k], a->m[1][k], a->m[2][k]}; }

static carom_vec3 less(carom_vec3 a, double share, carom_vec3 b)
{
    return (carom_vec3){a.x - share * b.x, a.y - share * b.y, a.z - share * b.z};
}

/* j turns about h and moves along it by `pitch` [m/rad] for each radian. */
static void screw_rows(void *user, const carom_joint_input *in, carom_row *out)
{
    const carom_frame_pose *i = in->i, *j = in->j;
    const carom_row *turn = &in->coordinate;
    const double pitch = in->p[0];
    (void)user;
    carom_row_along(i, column(&i->axes, 0), j, out);
    carom_row_along(i, column(&i->axes, 1), j, out + 1);
    carom_row_perpendicular(i, column(&i->axes, 0), j, column(&j->axes, 2), out + 2);
    carom_row_perpendicular(i, column(&i->axes, 1), j, column(&j->axes, 2), out + 3);
    carom_row *lead = out + 4;
    carom_row_along(i, column(&i->axes, 2), j, lead);
    lead->phi -= pitch * turn->phi;
    lead->gamma -= pitch * turn->gamma;
    lead->Li = less(lead->Li, pitch, turn->Li);
    lead->Ai = less(lead->Ai, pitch, turn->Ai);
    lead->Lj = less(lead->Lj, pitch, turn->Lj);
    lead->Aj = less(lead->Aj, pitch, turn->Aj);
}

static void screw_coordinate(void *user, const double *p, const carom_frame_pose *i, const carom_frame_pose *j,
                             int dimension, carom_row *out)
{
    (void)user;
    (void)p;
    carom_row_angle(i, j, dimension, out);
}

static void register_screw(carom_context *ctx)
{
    static const carom_param_row params[] = {
        {"pitch", "m/rad", 1, CAROM_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL, "Travel per radian."}};
    carom_joint_kind_def def = carom_default_joint_kind_def();
    def.kind.name = "my-screw";
    def.kind.title = "Screw: the second body turns about the axis and moves along it in proportion.";
    def.kind.params = params;
    def.kind.param_count = 1;
    def.rows_3d = 5;
    def.has_axis = true;
    def.coordinate_unit = "rad";
    def.rows = screw_rows;
    def.coordinate = screw_coordinate;
    def.drawn = "coil"; /* of loads */
    assert_int_equal(carom_register_joint(ctx, &def), CAROM_ERROR_USAGE);
    def.drawn = "ring rail";
    if (carom_register_joint(ctx, &def) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
}

/* A nut of mass m and inertia J about a tilted axis under a torque T, without gravity: T = (J + m p^2) alpha; seven
   turns, with the travel p times the angle all the way, also after a state in the middle was taken and given back. */
static void test_screw(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 3\ngravity: [0, 0, 0]\n"
        "bodies: {nut: {mass: 2, inertia: [0.01, 0.01, 0.01]}}\n"
        "joints: {thread: {type: my-screw, between: [ground, nut], axis: [0, 0.6, 0.8], pitch: 0.05}}\n"
        "loads: {key: {type: torque, on: nut, torque: [0, 0.06, 0.08]}}\n"
        "run: {until: 4, tolerance: 1e-10}\n";
    const double pitch = 0.05, alpha = 0.1 / (0.01 + 2 * pitch * pitch);
    carom_context *ctx = open_kinds();
    carom_model *model = NULL;
    carom_state *middle;
    register_screw(ctx);
    carom_simulation *sim = open_model(ctx, text, &model);
    assert_int_equal(carom_state_create(ctx, model, &middle), CAROM_OK);
    carom_joint_info thread;
    assert_true(carom_model_get_joint(model, 0, &thread));
    assert_string_equal(thread.drawn, "ring rail");
    for (int round = 0; round < 2; round++) {
        for (int k = 1 + 10 * round; k <= 40; k++) {
            carom_body_state nut;
            const double t = 0.1 * k, angle = 0.5 * alpha * t * t;
            assert_int_equal(carom_simulation_advance(sim, t), CAROM_OK);
            assert_int_equal(carom_simulation_body(sim, 0, &nut), CAROM_OK);
            const double travel = 0.6 * nut.position[1] + 0.8 * nut.position[2];
            if (fabs(travel - pitch * angle) > 1e-8 || fabs(get(sim, "joint.thread.coordinate") - angle) > 1e-7)
                fail_msg("t = %.1f: travel %.12g, angle %.12g; expected %.12g, %.12g", t, travel,
                         get(sim, "joint.thread.coordinate"), pitch * angle, angle);
            if (k == 10)
                assert_int_equal(carom_simulation_get_state(sim, middle), CAROM_OK);
        }
        assert_true(get(sim, "joint.thread.coordinate") > 7 * 2 * 3.14);
        assert_true(carom_simulation_ledger(sim).residual_fraction < 1e-8);
        assert_int_equal(carom_simulation_set_state(sim, middle, NULL, NULL), CAROM_OK);
    }
    carom_state_free(middle);
    close_model(sim, model);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_friction), cmocka_unit_test(test_clearance),
                                       cmocka_unit_test(test_screw)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

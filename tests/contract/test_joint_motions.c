/* Joints in motion against closed forms. */
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
    if (carom_model_parse(r->ctx, "motion.yaml", text, strlen(text), NULL, 0, &r->model) != CAROM_OK ||
        carom_simulation_create(r->ctx, r->model, NULL, &r->sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(r->ctx));
}

static void go(run *r)
{
    if (carom_simulation_run(r->sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(r->ctx));
}

/* Ends the run; the ledger closes to `ledger`. */
static void close_run(run *r, double ledger)
{
    const double residual = fabs(carom_simulation_ledger(r->sim).residual_fraction);
    printf("%-40s %.1e of %.1e allowed\n", "ledger", residual, ledger);
    assert_true(residual <= ledger);
    carom_simulation_free(r->sim);
    carom_model_free(r->model);
    carom_context_free(r->ctx);
}

static double get(run *r, const char *channel)
{
    double value[12];
    if (carom_simulation_channel(r->sim, channel, value) != CAROM_OK)
        fail_msg("%s", carom_context_error(r->ctx));
    return value[0];
}

static void expect(const char *what, double value, double expected, double tolerance)
{
    printf("%-40s %.15g, off by %.1e of %.1e allowed\n", what, value, fabs(value - expected), tolerance);
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s: %.17g, expected %.17g", what, value, expected);
}

/* ---- screw ---- */

/* A nut runs down an upright screw with a left-handed thread: (m + I/lead^2) s'' = -m g. */
static void test_screw(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
                               "bodies: {nut: {mass: 2, inertia: [3e-3, 5e-3, 4e-3], at: [0.1, 0.2, 0.3]}}\n"
                               "joints: {thread: {type: screw, between: [{ground: [0.1, 0.2, 0.3]}, nut],\n"
                               "                  axis: [0, 0, 1], pitch: -20*mm, rate: 5}}\n"
                               "run: {until: 3, tolerance: 1e-11}\n";
    const double lead = -0.02 / (2 * 3.14159265358979323846);
    const double a = -2 * 9.81 / (2 + 4e-3 / (lead * lead)), s = 3 * 5 * lead + 4.5 * a;
    run r;
    open_run(&r, text);
    go(&r);
    carom_body_state nut;
    assert_int_equal(carom_simulation_body(r.sim, 0, &nut), CAROM_OK);
    expect("height of a nut", nut.position[2], 0.3 + s, 1e-10);
    expect("angle of a nut", get(&r, "joint.thread.coordinate"), s / lead, 1e-7);
    close_run(&r, 1e-9);
}

/* The same far from the ground, between two free bodies: their mass centre and their angular momentum stay, and with
   these the relative turn is steady, r' (m_r lead^2 + I_r) = constant. */
static void test_free_screw(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 3\n"
        "bodies:\n"
        "  bolt: {mass: 1, inertia: [2e-3, 2e-3, 1e-3]}\n"
        "  nut: {mass: 3, inertia: [3e-3, 3e-3, 5e-3], at: [0, 0, 0.4]}\n"
        "joints: {thread: {type: screw, between: [bolt, nut], axis: [0, 0, 1], pitch: 0.3, rate: 8}}\n"
        "run: {until: 4, tolerance: 1e-11}\n";
    run r;
    open_run(&r, text);
    go(&r);
    carom_body_state bolt, nut;
    assert_int_equal(carom_simulation_body(r.sim, 0, &bolt), CAROM_OK);
    assert_int_equal(carom_simulation_body(r.sim, 1, &nut), CAROM_OK);
    const double travel = 32 * 0.3 / (2 * 3.14159265358979323846);
    expect("turns of a free nut", get(&r, "joint.thread.coordinate"), 32, 1e-8);
    expect("distance of nut and bolt", nut.position[2] - bolt.position[2], 0.4 + travel, 1e-9);
    expect("their centre of mass", (3 * nut.position[2] + bolt.position[2]) / 4,
           0.3 + 4 * (3 * nut.velocity[2] + bolt.velocity[2]) / 4, 1e-9);
    close_run(&r, 1e-9);
}

/* ---- motions of one freedom of several ---- */

/* A cylindrical joint whose angle is driven while its travel falls; a planar one whose yaw is driven while it glides; a
   universal one whose first angle is driven, so that the second body swings about its second axis as a pendulum. */
static void test_freedoms(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 2, inertia: [0.03, 0.02, 0.04]}\n"
        "  table: {mass: 1, inertia: [0.1, 0.1, 0.15], at: [1, 0, 0]}\n"
        "  b: {mass: 1, inertia: [0.1, 0.1, 0.1], at: [0, 1, -0.5]}\n"
        "joints:\n"
        "  sleeve: {type: cylindrical, between: [ground, a], axis: [0, 0, 1], rate: 1,\n"
        "           coordinates: {angle: {motion: 3*t + t^2}}}\n"
        "  plane: {type: planar, between: [{ground: [1, 0, 0]}, table], axis: [0, 0, 1],\n"
        "          coordinates: {angle: {motion: 30*t}, x: {rate: 0.3}, y: {rate: -0.2}}}\n"
        "  cross: {type: universal, between: [{ground: [0, 1, 0]}, {b: [0, 0, 0.5]}],\n"
        "          axis: [1, 0, 0], axis2: [0, 1, 0],\n"
        "          coordinates: {angle: {motion: 90*deg}, angle2: {rate: 0.01}}}\n"
        "run: {until: 2, tolerance: 1e-11}\n";
    run r;
    open_run(&r, text);
    go(&r);
    expect("angle of a sleeve", get(&r, "joint.sleeve.angle.coordinate"), 10, 1e-9);
    expect("its travel", get(&r, "joint.sleeve.coordinate"), 2 - 0.5 * 9.81 * 4, 1e-8);
    expect("its torque", get(&r, "joint.sleeve.angle.drive"), 0.04 * 2, 1e-8);
    expect("yaw, many turns", get(&r, "joint.plane.angle.coordinate"), 60, 1e-8);
    expect("x of a planar joint", get(&r, "joint.plane.x.coordinate"), 0.6, 1e-8);
    expect("y", get(&r, "joint.plane.y.coordinate"), -0.4, 1e-8);
    const double w = sqrt(9.81 * 0.5 / (0.1 + 0.25));
    /* of the amplitude 0.0027 rad: the period is longer by 4e-7 */
    expect("swing about the second axis", get(&r, "joint.cross.angle2.rate"), 0.01 * cos(2 * w), 2e-7);
    expect("held angle", get(&r, "joint.cross.angle.coordinate"), 3.14159265358979323846 / 2, 1e-9);
    close_run(&r, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_screw),
        cmocka_unit_test(test_free_screw),
        cmocka_unit_test(test_freedoms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Joints in motion against closed forms. */
#include "carom_test.h"

#include <math.h>

#include <carom/carom.h>

#include "base/base.h"
#include "math/vec.h"

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

/* ---- rolling ---- */

/* A ball down an incline: 5/7 g sin(tilt); on a turntable its centre goes round a circle at 2/7 of the table's angular
   velocity, wherever it starts (Bloch 2003, section 1.5). */
static void test_balls(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {r: 0.1, M: 0.3, I: 0.4*M*r^2}\n"
        "bodies:\n"
        "  ball: {mass: M, inertia: [I, I, I], at: [0.2, 0, 0.1], velocity: [0.3, 0.1, 0]}\n"
        "  table: {mass: 5, inertia: [1, 1, 2]}\n"
        "  down: {mass: M, inertia: [I, I, I], at: [-0.06, 5, 0.08]}\n"
        "joints:\n"
        "  axle: {type: revolute, between: [ground, table], axis: [0, 0, 1], motion: 7*t}\n"
        "  rolls: {type: rolling, between: [table, ball], axis: [0, 0, 1], axis2: [1, 0, 0], radius: r, edge: r}\n"
        "  slope: {type: rolling, between: [{ground: [0, 5, 0]}, down], axis: [-0.6, 0, 0.8], axis2: [1, 0, 0], "
        "radius: r, edge: r}\n"
        "run: {until: 2, tolerance: 1e-11}\n";
    run r;
    open_run(&r, text);
    go(&r);
    carom_body_state ball, down;
    assert_int_equal(carom_simulation_body(r.sim, 0, &ball), CAROM_OK);
    assert_int_equal(carom_simulation_body(r.sim, 2, &down), CAROM_OK);
    const double w = 2, s = sin(2 * w) / w, c = (1 - cos(2 * w)) / w;
    expect("ball on a turntable, x", ball.position[0], 0.2 + 0.3 * s - 0.1 * c, 1e-9);
    expect("y", ball.position[1], 0.1 * s + 0.3 * c, 1e-9);
    expect("height", ball.position[2], 0.1, 1e-12);
    const double along = 0.5 * 5.0 / 7 * 9.81 * 0.6 * 4;
    expect("ball down an incline", down.position[0], -0.06 - 0.8 * along, 1e-8);
    close_run(&r, 1e-9);
}

/* A thin disc in steady motion: tilt t of its axis from the normal, precession W, spin n about the axis,
     W sin t ((C + m r^2) n - A W cos t) + m g r cos t = 0,
   whose centre goes round a circle of the radius r |n|/W (Neimark, Fufaev 1972, chapter 2, section 5; the sign is that
   of an axis that points up); n = 0, W^2 = 4 g/(r sin t): Euler's disc, whose centre rests. */
static void test_discs(void **state)
{
    (void)state;
    const double g = 9.81, r0 = 0.25, m = 1.4, A = 0.25 * m * r0 * r0, C = 0.5 * m * r0 * r0;
    const double pi = 3.14159265358979323846;
    for (int euler = 0; euler < 2; euler++) {
        const double t = euler ? 0.2 : 1.2, W = euler ? sqrt(4 * g / (r0 * sin(t))) : 3.0;
        const double n = (A * W * cos(t) - m * g * r0 * cos(t) / (W * sin(t))) / (C + m * r0 * r0);
        char text[2048];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
                 "bodies: {disc: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], at: [%.17g, 0, %.17g],\n"
                 "  orientation: {axis: [0, 1, 0], angle: %.17g}, angular_velocity: [%.17g, 0, %.17g]}}\n"
                 "joints: {rolls: {type: rolling, between: [ground, disc], axis: [0, 0, 1], axis2: [%.17g, 0, %.17g],\n"
                 "  radius: %.17g}}\nrun: {until: %.17g, tolerance: 1e-12}\n",
                 m, A, A, C, -r0 * n / W, r0 * sin(t), t, n * sin(t) - W * sin(t) * cos(t),
                 n * cos(t) + W * sin(t) * sin(t), sin(t), cos(t), r0, 2 * pi / W * 1.25);
        run r;
        open_run(&r, text);
        go(&r);
        carom_body_state disc;
        assert_int_equal(carom_simulation_body(r.sim, 0, &disc), CAROM_OK);
        /* a quarter of the circle behind the whole one */
        expect(euler ? "Euler's disc, x" : "disc round a circle, x", disc.position[0], 0, 1e-7);
        expect("y", disc.position[1], -r0 * n / W, 1e-7);
        expect("height", disc.position[2], r0 * sin(t), 1e-8);
        if (euler)
            expect("spin about the axis", n, 0, 1e-12);
        close_run(&r, 1e-10);
    }
}

/* A wheel with a rounded edge on a table that tilts, thrown anyhow: its energy is that of the table's drive. */
static void test_wheel(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  table: {mass: 5, inertia: [1, 1, 2]}\n"
        "  wheel: {mass: 2, inertia: [0.02, 0.02, 0.035], at: [0.1, 0.2, 0.21], orientation: {axis: [1, 0, 0], angle: "
        "80*deg},\n    angular_velocity: [0.5, 9, 1]}\n"
        "joints:\n"
        "  hinge: {type: revolute, between: [ground, table], axis: [0, 1, 0], motion: 0.1*sin(3*t)}\n"
        "  rolls: {type: rolling, between: [table, wheel], axis: [0, 0, 1], axis2: [0, -0.984807753012208, "
        "0.17364817766693], radius: 0.21, edge: 0.03}\n"
        "run: {until: 3, tolerance: 1e-11%s}\n";
    double x[3];
    for (int k = 0; k < 3; k++) {
        char own[2048];
        run r;
        snprintf(own, sizeof own, text,
                 k == 1 ? ", integrator: bdf" : k == 2 ? ", integrator: dopri5, constraints: projection" : "");
        open_run(&r, own);
        go(&r);
        carom_body_state wheel;
        assert_int_equal(carom_simulation_body(r.sim, 1, &wheel), CAROM_OK);
        x[k] = wheel.position[0];
        expect("wheel on a tilting table", x[k], x[0], 1e-6);
        close_run(&r, 1e-8);
    }
}

/* ---- constant angle ---- */

/* Of two free bodies, one tumbles and holds an axis of the other at 60 degrees: no energy is lost, and the angle
   stays. */
static void test_constant_angle(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 3\n"
        "bodies:\n"
        "  one: {mass: 1, inertia: [0.1, 0.2, 0.25], angular_velocity: [1, 2, 0.3]}\n"
        "  two: {mass: 2, inertia: [0.3, 0.2, 0.15], at: [1, 0, 0]}\n"
        "joints: {held: {type: constant-angle, between: [one, two], axis: [0, 0, 1], axis2: [0.8660254037844386, 0, "
        "0.5]}}\n"
        "run: {until: 10, tolerance: 1e-11}\n";
    run r;
    open_run(&r, text);
    carom_body_state after[2];
    go(&r);
    carom_vec3 axis[2];
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(carom_simulation_body(r.sim, k, &after[k]), CAROM_OK);
        const double *q = after[k].orientation, own[2][3] = {{0, 0, 1}, {0.8660254037844386, 0, 0.5}};
        const carom_mat3 axes = carom_quat_matrix((carom_quat){q[0], q[1], q[2], q[3]});
        axis[k] = carom_m3_apply(&axes, carom_v3(own[k][0], own[k][1], own[k][2]));
    }
    expect("cosine of a constant angle", carom_v3_dot(axis[0], axis[1]), 0.5, 1e-9);
    close_run(&r, 1e-10);
}

/* ---- gears and racks ---- */

/* The planetary gear of test_couplers.c by teeth instead of couplers, in the plane and in space; the bearing of the sun
   carries the force at its teeth. */
static void test_gears(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: %d\nparameters: {zs: 20, zp: 15, zr: 50, r: 0.035}\n"
        "bodies:\n"
        "  sun: {mass: 1, inertia: %s2e-3%s}\n"
        "  carrier: {mass: 0.5, inertia: %s1e-3%s}\n"
        "  planet: {mass: 0.2, inertia: %s3e-4%s, at: [r, 0%s]}\n"
        "joints:\n"
        "  s: {type: revolute, between: [ground, sun]%s}\n"
        "  c: {type: revolute, between: [ground, carrier]%s}\n"
        "  p: {type: revolute, between: [{carrier: [r, 0%s]}, planet]%s}\n"
        "  mesh_s: {type: gear, between: [sun, planet], teeth: [zs, zp]%s}\n"
        "  mesh_r: {type: gear, between: [planet, ground], teeth: [zp, zr], internal: true%s}\n"
        "loads: {drive: {type: torque, on: sun, torque: %s0.7%s}}\n"
        "run: {until: 1, tolerance: 1e-11}\n";
    const double carrier = 1 / (1 + 50.0 / 20), planet = carrier * (1 - 50.0 / 15);
    const double sun = 0.7 / (2e-3 + (1e-3 + 0.2 * 0.035 * 0.035) * carrier * carrier + 3e-4 * planet * planet);
    for (int space = 0; space < 2; space++) {
        char own[2048];
        const char *open = space ? "[1, 1, " : "", *close = space ? "]" : "", *z = space ? ", 0" : "";
        const char *axis = space ? ", axis: [0, 0, 1]" : "";
        snprintf(own, sizeof own, text, space ? 3 : 2, open, close, open, close, open, close, z, axis, axis, z, axis,
                 axis, axis, space ? "[0, 0, " : "", close);
        char *at = own;
        while (space && (at = strstr(at, "[1, 1, ")))
            memcpy(at, "[9, 9, ", 7); /* inertias about other axes count for nothing */
        run r;
        open_run(&r, own);
        carom_evaluated now;
        assert_int_equal(carom_simulation_evaluate_at(r.sim, NULL, &now), CAROM_OK);
        expect("acceleration of the sun", now.joints[0].acceleration, sun, 1e-9 * sun);
        expect("of the carrier", now.joints[1].acceleration, carrier * sun, 1e-9 * sun);
        expect("of the planet on it", now.joints[2].acceleration, (planet - carrier) * sun, 1e-9 * sun);
        /* teeth of the sun: its torque over its pitch radius 0.02 */
        expect("force at the teeth", fabs(now.joints[3].force[1]), (0.7 - 2e-3 * sun) / 0.02, 1e-9);
        expect("bearing of the sun", fabs(now.joints[0].force[1]), (0.7 - 2e-3 * sun) / 0.02, 1e-9);
        go(&r);
        expect("angle of the sun", get(&r, "joint.s.coordinate"), 0.5 * sun, 1e-7);
        expect("angle of the carrier", get(&r, "joint.c.coordinate"), 0.5 * carrier * sun, 1e-7);
        close_run(&r, 1e-9);
    }
}

/* The rack of test_couplers.c by its teeth: a rack that falls turns the pinion beside it; and a wheel that rolls down
   an inclined line, held at its height: 2/3 g sin(tilt) of a disc. */
static void test_racks(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies:\n"
        "  rack: {mass: 2, inertia: 1}\n"
        "  pinion: {mass: 1, inertia: 2e-3, at: [0.05, 0]}\n"
        "  wheel: {mass: 3, inertia: 0.5*3*0.2^2, at: [4.88, 0.16]}\n"
        "joints:\n"
        "  slide: {type: translational, between: [ground, rack], axis: [0, 1]}\n"
        "  turn: {type: revolute, between: [{ground: [0.05, 0]}, pinion], rate: 3}\n"
        "  teeth: {type: rack, between: [rack, pinion], direction: [0, 1], radius: -0.05}\n"
        "  height: {type: point-in-line, between: [{ground: [4.88, 0.16]}, wheel], axis: [0.8, 0.6]}\n"
        "  rolls: {type: rack, between: [{ground: [5, 0]}, wheel], direction: [0.8, 0.6]}\n"
        "run: {until: 2, tolerance: 1e-11}\n";
    run r;
    open_run(&r, text);
    go(&r);
    /* the pinion on the right of the rack turns to the left as the rack rises */
    const double a = -2 * 9.81 / (2 + 2e-3 / (0.05 * 0.05));
    expect("travel of a rack", get(&r, "joint.slide.coordinate"), -2 * 3 * 0.05 + 2 * a, 1e-8);
    expect("angle of its pinion", get(&r, "joint.turn.coordinate"), (-2 * 3 * 0.05 + 2 * a) / -0.05, 1e-6);
    expect("wheel down a line", get(&r, "joint.height.coordinate"), -0.5 * 2.0 / 3 * 9.81 * 0.6 * 4, 1e-8);
    carom_body_state wheel;
    assert_int_equal(carom_simulation_body(r.sim, 2, &wheel), CAROM_OK);
    expect("its angle", wheel.angle, 0.5 * 2.0 / 3 * 9.81 * 0.6 * 4 / 0.2, 1e-7);
    close_run(&r, 1e-9);
}

/* The line of a rack runs across the axis of its pinion: what is off that by less than a millionth has no direction
   there. */
static void test_rack_along_the_axis(void **state)
{
    (void)state;
    static const double across[] = {0, 3e-7, 3e-6, 1};
    for (size_t k = 0; k < CAROM_COUNT(across); k++) {
        char text[800];
        carom_model *model;
        carom_context *ctx = new_context();
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\nbodies:\n  rack: {mass: 2, inertia: [1, 1, 1]}\n"
                 "  pinion: {mass: 1, inertia: [1, 1, 1], at: [0, 0.1, 0]}\njoints:\n"
                 "  teeth: {type: rack, between: [rack, pinion], axis: [0, 0, 1], direction: [%g, 0, 2], radius: 0.1}\n"
                 "run: {until: 1}\n",
                 2 * across[k]);
        const carom_status status = carom_model_parse(ctx, "rack.yaml", text, strlen(text), NULL, 0, &model);
        assert_int_equal(status, across[k] < 1e-6 ? CAROM_ERROR_MODEL : CAROM_OK);
        if (status == CAROM_OK)
            carom_model_free(model);
        else
            assert_non_null(strstr(carom_context_error(ctx), "along the axis of the pinion"));
        carom_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_screw),
        cmocka_unit_test(test_free_screw),
        cmocka_unit_test(test_freedoms),
        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_discs),
        cmocka_unit_test(test_wheel),
        cmocka_unit_test(test_constant_angle),
        cmocka_unit_test(test_gears),
        cmocka_unit_test(test_racks),
        cmocka_unit_test(test_rack_along_the_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

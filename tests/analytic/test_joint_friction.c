/* Friction of ideal joints against closed forms: blocks on guides with and without a
   couple, an oscillator with friction in the pin, a ladder whose reactions depend on its friction, bearings
   in space, faces, rest and break-away, stick-slip, and what has no solution. Energy balances. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define PI 3.14159265358979323846
#define G 9.81
#define HEAD(dimension) "carom: 1\ndimension: " #dimension "\n"
#define DOWN(dimension) HEAD(dimension) "gravity: [" DOWN_##dimension "]\n"
#define DOWN_2 "0, -9.81"
#define DOWN_3 "0, 0, -9.81"
#define RUN "run: {until: 100, tolerance: 1e-10}\n"

/* Prints a margin and holds it. */
static void near(const char *what, double value, double expected, double allowed)
{
    double off = fabs(value - expected);
    printf("%-56s %.17g, off by %.1e (allowed %.0e)\n", what, value, off, allowed);
    assert_true(off <= allowed);
}

static void energy_balance(const free_run *run, const char *what)
{
    near(what, carom_simulation_ledger(run->sim).residual_fraction, 0, 1e-8);
}

/* ---- guides ---- */

/* Stops after v^2/(2 mu g) and stays. */
static void test_block(void **state)
{
    (void)state;
    static const char *const laws[] = {"coulomb", "karnopp", "hollars", "andersson", "brown-mcphee", "bengisu-akay"};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        char text[512];
        free_run run;
        snprintf(text, sizeof text,
                 DOWN(2) "bodies: {block: {mass: 2, inertia: 1, velocity: [3, 0]}}\n"
                         "joints: {rail: {type: translational, between: [ground, block], axis: [1, 0], "
                         "friction: {law: %s, kinetic: 0.3}}}\n" RUN,
                 laws[k]);
        free_run_parse(&run, text, 0, NULL);
        near(laws[k], free_run_get(&run, "body.block.acceleration.x"), -0.3 * G, 1e-13);
        near("  friction", free_run_get(&run, "joint.rail.friction"), -0.3 * 2 * G, 1e-13);
        near("  normal", free_run_get(&run, "joint.rail.normal"), 2 * G, 1e-13);
        free_run_to(&run, 0.5);
        near("  position", free_run_get(&run, "joint.rail.coordinate"), 1.5 - 0.15 * G * 0.25, 1e-10);
        free_run_to(&run, 1.2);
        near("  at rest", free_run_get(&run, "joint.rail.coordinate"), 9 / (0.6 * G), 1e-5);
        near("  work", free_run_get(&run, "joint.rail.friction_work"), 9, 1e-8);
        energy_balance(&run, "  ledger");
        free_run_close(&run);
    }
}

/* Centre of mass d ahead of the slider's frame and h above it: the couple d m g + h F is borne by the ends, so that
   N = 2 d m g/(L - 2 h mu). */
#define LEVER(height, length)                                                                               \
    DOWN(2)                                                                                                 \
    "bodies: {block: {mass: 2, inertia: 1, velocity: [3, 0]}}\n"                                            \
    "joints: {rail: {type: translational, between: [{ground: [-0.3, -" height "]}, {block: [-0.3, -" height \
    "]}], axis: [1, 0], friction: {law: coulomb, kinetic: 0.3, length: " length "}}}\n" RUN

static void test_couple(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, LEVER("0.2", "0.4"), 0, NULL);
    near("guide with a couple", free_run_get(&run, "joint.rail.normal"), 2 * 0.3 * 2 * G / (0.4 - 2 * 0.2 * 0.3),
         1e-11);
    near("  deceleration", free_run_get(&run, "body.block.acceleration.x"), -0.3 * 2 * 0.3 * G / (0.4 - 2 * 0.2 * 0.3),
         1e-12);
    energy_balance(&run, "  ledger");
    free_run_close(&run);

    /* a long slider: its ends are loaded to one side, and their sum is the force */
    free_run_parse(&run, LEVER("0.2", "2"), 0, NULL);
    near("long slider", free_run_get(&run, "joint.rail.normal"), 2 * G, 1e-12);
    free_run_close(&run);

    /* L < 2 h mu: no deceleration balances the couple that it makes */
    const char *error = free_error_of_text(LEVER("0.7", "0.4"));
    printf("%s\n", error);
    assert_non_null(strstr(error, "joint 'rail'"));
    assert_non_null(strstr(error, "no solution"));
}

/* In space the couple about the axis is borne by both sides. */
static void test_slider_in_space(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   DOWN(3) "bodies: {block: {mass: 2, inertia: [1, 1, 1], velocity: [3, 0, 0]}}\n"
                           "joints: {rail: {type: translational, between: [{ground: [0, 0.05, 0]}, {block: [0, 0.05, "
                           "0]}], axis: [1, "
                           "0, 0], friction: {law: coulomb, kinetic: 0.1, length: 0.8, width: 0.2}}}\n" RUN,
                   0, NULL);
    /* ends: the force m g and, across it, the couple 0.05 F about z, half on each; sides: 2 (0.05 m g)/0.2 */
    double force = 0, weight = 2 * G;
    for (int k = 0; k < 100; k++)
        force = 0.1 * (2 * hypot(0.5 * weight, 0.05 * force / 0.8) + 2 * 0.05 * weight / 0.2);
    near("slider in space, beside its centre", free_run_get(&run, "joint.rail.friction"), -force, 1e-12);
    free_run_close(&run);
}

/* ---- pins ---- */

/* A wheel between springs, k = 8 N m/rad: the amplitude falls by 2 T/k a half swing, T = mu r P. */
static void test_oscillator(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   HEAD(2) "bodies: {wheel: {mass: 1, inertia: 0.08, angle: 0.5}}\n"
                           "joints: {pin: {type: revolute, between: [ground, wheel], spring: {stiffness: 8}, "
                           "friction: {law: coulomb, kinetic: 0.2, radius: 0.02, preload: 100}}}\n" RUN,
                   0, NULL);
    const double torque = 0.2 * 0.02 * 100, half = PI / 10;
    for (int n = 1; n <= 4; n++) {
        char text[64];
        free_run_to(&run, n * half);
        snprintf(text, sizeof text, "amplitude after %d half swings", n);
        near(text, free_run_get(&run, "joint.pin.coordinate"), (n % 2 ? -1 : 1) * (0.5 - n * 2 * torque / 8), 1e-6);
    }
    /* 0.5 - 0.1 n <= T/k = 0.05 after five: it rests at zero amplitude */
    free_run_to(&run, 8 * half);
    near("  at rest", free_run_get(&run, "joint.pin.rate"), 0, 1e-9);
    energy_balance(&run, "  ledger");
    free_run_close(&run);
}

/* ---- a ladder on a wall and a floor: the reactions depend on the friction of both ends ---- */

/* Half length a, turned by q from the vertical, falling: N of the wall along x, of the floor along y, friction mu N
   against the slips. Unknowns: two reactions and the angular acceleration. */
static void test_ladder(void **state)
{
    (void)state;
    const double a = 1, q = 0.6, w = 0.8, mu = 0.25, m = 3, inertia = 0.9;
    char text[1024];
    free_run run;
    snprintf(text, sizeof text,
             DOWN(2) "bodies: {rod: {mass: 3, inertia: 0.9, at: [%.17g, %.17g], angle: %.17g, angular_velocity: 0.8}}\n"
                     "joints:\n"
                     "  wall:  {type: point-in-line, between: [ground, {rod: [0, 1]}], axis: [0, 1], friction: {law: "
                     "coulomb, kinetic: "
                     "0.25}}\n"
                     "  floor: {type: point-in-line, between: [ground, {rod: [0, -1]}], axis: [1, 0], friction: {law: "
                     "coulomb, "
                     "kinetic: 0.25}}\n" RUN,
             a * sin(q), a * cos(q), q);
    free_run_parse(&run, text, 0, NULL);
    /* x = a sin q, y = a cos q; the top slides down, the foot out: friction mu N1 up at the wall, -mu N2 at the
       floor. m x'' = N1 - mu N2, m y'' = N2 + mu N1 - m g, J q'' = a (cos q (-N1 - mu N2) + sin q (N2 - mu N1)) about
       the centre */
    double best = 0, n1 = 0, n2 = 0;
    for (int k = 0; k < 500; k++) {
        const double xx = a * (cos(q) * best - sin(q) * w * w), yy = -a * (sin(q) * best + cos(q) * w * w);
        n1 = (m * xx + mu * m * (yy + G)) / (1 + mu * mu);
        n2 = m * (yy + G) - mu * n1;
        const double moment = a * (cos(q) * (-n1 - mu * n2) + sin(q) * (n2 - mu * n1));
        best += 0.3 * (moment / inertia - best);
    }
    near("ladder, angular acceleration", free_run_get(&run, "body.rod.angular_acceleration"), best, 1e-11);
    near("  wall", free_run_get(&run, "joint.wall.normal"), fabs(n1), 1e-11);
    near("  floor", free_run_get(&run, "joint.floor.normal"), n2, 1e-11);
    free_run_to(&run, 0.3);
    energy_balance(&run, "  ledger");
    free_run_close(&run);
}

/* ---- joints in space ---- */

/* A wheel beside its bearing on a horizontal axis: both ends of it bear m g (1/2 +- b/L). */
static void test_bearing(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(
        &run,
        DOWN(3) "bodies: {wheel: {mass: 4, inertia: [0.3, 0.3, 0.3], angular_velocity: [0, 50, 0]}}\n"
                "joints: {hub: {type: revolute, between: [{ground: [0, -0.2, 0]}, {wheel: [0, -0.2, 0]}], axis: [0, 1, "
                "0], "
                "friction: {law: coulomb, kinetic: 0.1, radius: 0.02, length: 0.1, axial_radius: 0.04}}}\n" RUN,
        0, NULL);
    near("overhung wheel, normal", free_run_get(&run, "joint.hub.normal"), 4 * G * 2 * 0.2 / 0.1, 1e-10);
    near("  torque", free_run_get(&run, "joint.hub.friction"), -0.1 * 0.02 * 4 * G * 4, 1e-12);
    free_run_close(&run);
    free_run_parse(&run,
                   DOWN(3) "bodies: {wheel: {mass: 4, inertia: [0.3, 0.3, 0.3], angular_velocity: [0, 0, 50]}}\n"
                           "joints: {hub: {type: revolute, between: [ground, wheel], axis: [0, 0, 1], "
                           "friction: {law: coulomb, kinetic: 0.1, radius: 0.02, axial_radius: 0.04}}}\n" RUN,
                   0, NULL);
    near("wheel on a collar", free_run_get(&run, "body.wheel.angular_acceleration.z"), -0.1 * 0.04 * 4 * G / 0.3,
         1e-12);
    free_run_to(&run, 10);
    near("  rate after 10 s", free_run_get(&run, "joint.hub.rate"), 50 - 10 * 0.1 * 0.04 * 4 * G / 0.3, 1e-8);
    energy_balance(&run, "  ledger");
    free_run_close(&run);
}

/* Slips of several directions whose inertias are the same: the slip keeps its direction and falls by mu g, so that it
   rests after s/(mu g), having gone s^2/(2 mu g). */
static void rests(const char *name, const char *text, const char *first, double speed, const char *second, double other,
                  double arm)
{
    free_run run;
    char value[96];
    const double slip = hypot(speed, other), time = slip / (0.2 * G);
    free_run_parse(&run, text, 0, NULL);
    free_run_to(&run, 0.5 * time);
    near(name, free_run_get(&run, first), 0.5 * speed / (strstr(first, "angular") ? arm : 1), 1e-8);
    near("  the other", free_run_get(&run, second), 0.5 * other / arm, 1e-8);
    free_run_to(&run, 1.5 * time);
    near("  at rest", free_run_get(&run, first), 0, 1e-9);
    near("  the other", free_run_get(&run, second), 0, 1e-9);
    snprintf(value, sizeof value, "  ledger");
    energy_balance(&run, value);
    free_run_close(&run);
}

static void test_slips_of_several_directions(void **state)
{
    (void)state;
    rests("cylindrical",
          DOWN(3) "bodies: {sleeve: {mass: 2, inertia: [2*0.05^2, 1, 1], velocity: [0.6, 0, 0], angular_velocity: [16, "
                  "0, 0]}}\n"
                  "joints: {shaft: {type: cylindrical, between: [ground, sleeve], axis: [1, 0, 0], friction: {law: "
                  "coulomb, kinetic: "
                  "0.2, radius: 0.05}}}\n" RUN,
          "body.sleeve.velocity.x", 0.6, "body.sleeve.angular_velocity.x", 0.8, 0.05);
    rests("planar",
          DOWN(3) "bodies: {puck: {mass: 2, inertia: [1, 1, 2*0.05^2], velocity: [0.6, 0, 0], angular_velocity: [0, 0, "
                  "16]}}\n"
                  "joints: {table: {type: planar, between: [ground, puck], axis: [0, 0, 1], friction: {law: coulomb, "
                  "kinetic: 0.2, "
                  "radius: 0.05}}}\n" RUN,
          "body.puck.velocity.x", 0.6, "body.puck.angular_velocity.z", 0.8, 0.05);
    rests("spherical",
          DOWN(3) "bodies: {ball: {mass: 2, inertia: [2*0.05^2, 2*0.05^2, 2*0.05^2], angular_velocity: [12, 0, 16]}}\n"
                  "joints: {socket: {type: spherical, between: [ground, ball], friction: {law: coulomb, kinetic: 0.2, "
                  "radius: "
                  "0.05}}}\n" RUN,
          "body.ball.angular_velocity.x", 0.6, "body.ball.angular_velocity.z", 0.8, 0.05);
    rests("point in plane",
          DOWN(3) "bodies: {tip: {mass: 2, inertia: [1, 1, 1], velocity: [0.6, 0.8, 0]}}\n"
                  "joints: {face: {type: point-in-plane, between: [ground, tip], axis: [0, 0, 1], friction: {law: "
                  "coulomb, kinetic: "
                  "0.2}}}\n" RUN,
          "body.tip.velocity.x", 0.6, "body.tip.velocity.y", 0.8, 1);
}

/* A body that spins about one arm of the cross, under its weight. */
static void test_universal(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(
        &run,
        DOWN(3) "bodies: {fork: {mass: 2, inertia: [0.1, 0.2, 0.1], angular_velocity: [0, 5, 0]}}\n"
                "joints: {cross: {type: universal, between: [ground, fork], axis: [1, 0, 0], axis2: [0, 1, 0], "
                "friction: {law: coulomb, kinetic: 0.2, radius: 0.01}}}\n" RUN,
        0, NULL);
    near("universal", free_run_get(&run, "body.fork.angular_acceleration.y"), -0.2 * 0.01 * 2 * G / 0.2, 1e-12);
    near("  torque", free_run_get(&run, "joint.cross.friction.y"), -0.2 * 0.01 * 2 * G, 1e-13);
    near("  both pins", free_run_get(&run, "joint.cross.normal"), 2 * 2 * G, 1e-11);
    free_run_to(&run, 2);
    near("  rate", free_run_get(&run, "body.fork.angular_velocity.y"), 5 - 2 * 0.2 * 0.01 * 2 * G / 0.2, 1e-8);
    energy_balance(&run, "  ledger");
    free_run_close(&run);
}

/* ---- rest ---- */

/* Holds on a slope below mu_s, breaks away where a growing force asks for more, then slides with mu_k. */
static void test_rest(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(
        &run,
        DOWN(2) "bodies: {block: {mass: 2, inertia: 1}}\n"
                "joints: {rail: {type: translational, between: [ground, block], axis: [cos(0.25), sin(0.25)], "
                "friction: {law: coulomb, kinetic: 0.25, static: 0.3}}}\n" RUN,
        0, NULL);
    free_run_to(&run, 100);
    near("at rest on a slope, after 100 s", free_run_get(&run, "joint.rail.coordinate"), 0, 1e-12);
    near("  friction", free_run_get(&run, "joint.rail.friction"), 2 * G * sin(0.25), 1e-9);
    free_run_close(&run);
    free_run_parse(&run,
                   DOWN(2) "bodies: {block: {mass: 2, inertia: 1}}\n"
                           "joints: {rail: {type: translational, between: [ground, block], axis: [1, 0], "
                           "friction: {law: coulomb, kinetic: 0.25, static: 0.3}}}\n"
                           "loads: {pull: {type: force, on: block, force: [10*t, 0]}}\n" RUN,
                   0, NULL);
    const double begin = 0.3 * 2 * G / 10, t = begin + 1;
    free_run_to(&run, begin - 1e-3);
    near("holds until it breaks away", free_run_get(&run, "joint.rail.coordinate"), 0, 1e-12);
    free_run_to(&run, t);
    /* 2 x'' = 10 t - 0.25 m g from the time of break-away */
    const double excess = 10 * begin - 0.25 * 2 * G;
    near("  slides", free_run_get(&run, "joint.rail.coordinate"), 0.5 * (0.5 * excess + 10.0 / 6), 2e-3);
    energy_balance(&run, "  ledger");
    free_run_close(&run);
}

/* A closed loop whose four pins stick: they bear shares, and nothing moves. */
static void test_loop(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(
        &run,
        DOWN(
            2) "parameters: {r: 0.05}\n"
               "bodies:\n"
               "  left:  {mass: 1, inertia: 0.1, at: [0.01, 0.5]}\n"
               "  top:   {mass: 2, inertia: 0.2, at: [0.52, 1]}\n"
               "  right: {mass: 1, inertia: 0.1, at: [1.01, 0.5]}\n"
               "joints:\n"
               "  a: {type: revolute, between: [ground, {left: [-0.01, -0.5]}], friction: {law: coulomb, kinetic: 0.4, "
               "radius: r}}\n"
               "  b: {type: revolute, between: [{left: [0.01, 0.5]}, {top: [-0.5, 0]}], friction: {law: coulomb, "
               "kinetic: "
               "0.4, radius: r}}\n"
               "  c: {type: revolute, between: [{top: [0.5, 0]}, {right: [0.01, 0.5]}], friction: {law: coulomb, "
               "kinetic: "
               "0.4, radius: r}}\n"
               "  d: {type: revolute, between: [{ground: [1, 0]}, {right: [-0.01, -0.5]}], friction: {law: coulomb, "
               "kinetic: 0.4, radius: r}}\n"
               "run: {until: 20, tolerance: 1e-8}\n",
        0, NULL);
    const double before = free_run_get(&run, "joint.a.coordinate");
    free_run_to(&run, 20);
    near("four pins at rest, creep in 20 s", free_run_get(&run, "joint.a.coordinate"), before, 1e-7);
    near("  rate", free_run_get(&run, "joint.a.rate"), 0, 1e-8);
    free_run_close(&run);
}

/* A slab that sticks on a cart by its contacts while the cart rubs on its rail: both move with F/(m + M) - mu g. */
static void test_contact_on_a_cart(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   DOWN(2) "bodies:\n"
                           "  cart: {mass: 3, inertia: 1}\n"
                           "  slab: {mass: 1, inertia: 0.01, at: [0, 0.0299999]}\n"
                           "joints: {rail: {type: translational, between: [ground, cart], axis: [1, 0], "
                           "friction: {law: coulomb, kinetic: 0.2}}}\n"
                           "shapes:\n"
                           "  deck: {type: plane, on: cart, normal: [0, 1]}\n"
                           "  fore: {type: sphere, on: slab, at: [0.2, 0], radius: 0.03}\n"
                           "  aft:  {type: sphere, on: slab, at: [-0.2, 0], radius: 0.03}\n"
                           "contacts:\n"
                           "  fore: {between: [deck, fore], normal: {law: kelvin-voigt, stiffness: 4.905e7, damping: "
                           "1e4}, friction: "
                           "{law: coulomb, kinetic: 0.5}}\n"
                           "  aft:  {between: [deck, aft], normal: {law: kelvin-voigt, stiffness: 4.905e7, damping: "
                           "1e4}, friction: "
                           "{law: coulomb, kinetic: 0.5}}\n"
                           "loads: {pull: {type: force, on: cart, force: [12, 0]}}\n"
                           "run: {until: 0.5, tolerance: 1e-9}\n",
                   0, NULL);
    free_run_to(&run, 0.5);
    near("cart with a slab on it", free_run_get(&run, "body.cart.acceleration.x"), 3 - 0.2 * G, 1e-6);
    near("  slab", free_run_get(&run, "body.slab.acceleration.x"), 3 - 0.2 * G, 1e-6);
    near("  slab on the cart", free_run_get(&run, "body.slab.position.x") - free_run_get(&run, "body.cart.position.x"),
         0, 1e-5);
    energy_balance(&run, "  ledger");
    free_run_close(&run);
}

/* ---- laws with state ---- */

/* The stick-slip example of Canudas de Wit et al. 1995: 1 kg pulled by 2 N/m at 0.1 m/s, the law under 1 N. */
static void test_lugre(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(
        &run,
        HEAD(2) "bodies: {block: {mass: 1, inertia: 1}}\n"
                "joints: {rail: {type: translational, between: [ground, block], axis: [1, 0], friction: {law: lugre, "
                "kinetic: 1, static: 1.5, bristle_stiffness: 1e5, bristle_damping: sqrt(1e5), viscous: 0.4, "
                "stribeck_speed: "
                "0.001, preload: 1}}}\n"
                "loads: {pull: {type: force, on: block, force: [\"2*(0.1*t - x(block))\", 0]}}\n"
                "run: {until: 25, tolerance: 1e-9, integrator: bdf}\n",
        0, NULL);
    free_run_to(&run, 25);
    near("stick-slip of LuGre at 25 s", free_run_get(&run, "joint.rail.coordinate"), 1.90883919922, 1e-6);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block),
        cmocka_unit_test(test_couple),
        cmocka_unit_test(test_slider_in_space),
        cmocka_unit_test(test_oscillator),
        cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_bearing),
        cmocka_unit_test(test_slips_of_several_directions),
        cmocka_unit_test(test_universal),
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_contact_on_a_cart),
        cmocka_unit_test(test_lugre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

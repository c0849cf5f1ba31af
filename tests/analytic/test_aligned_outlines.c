/* Outlines of straight sides whose corners lie on the lines of each other's sides, as those of two boxes of one width
   do: they rest, bounce, slide and hit each other as if they were a little apart to the side. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"

#define G 9.81
#define K 1e7
#define SIDE 0.1

static const double shifts[] = {0, 1e-17, 1e-14, 1e-12, 1e-10, 2e-10, 1e-9, 1e-7, 1e-5, 1e-3};

/* A box on the ground's, both as boxes or as polygons, turned about the origin with gravity. */
static size_t put_shapes(char *text, size_t size, int form, double angle, bool swapped)
{
    static const char *const forms[] = {
        "type: box, size: [0.1, 0.1]",
        "type: polygon, points: [[-0.05, -0.05], [0.05, -0.05], [0.05, 0.05], [-0.05, 0.05]]"};
    return (size_t)snprintf(text, size,
                            "shapes:\n  low: {%s, on: under}\n  up: {%s, on: box}\n"
                            "contacts:\n  c: {between: [%s], normal: {law: exact, stiffness: 1e7, exponent: 1.5, "
                            "restitution: 0.6}}\n"
                            "joints: {base: {type: fixed, between: [{ground: [%.17g, %.17g]}, under]}}\n",
                            forms[form], forms[form], swapped ? "up, low" : "low, up", 0.3 * cos(angle),
                            0.3 * sin(angle));
}

static void open_two(free_run *run, int form, double angle, double shift, double gap, bool swapped, const char *more)
{
    char text[2500];
    const double along[2] = {cos(angle), sin(angle)}, up[2] = {-sin(angle), cos(angle)};
    size_t used = (size_t)snprintf(
        text, sizeof text,
        "carom: 1\ndimension: 2\ngravity: [%.17g, %.17g]\nbodies:\n"
        "  under: {mass: 1, inertia: 1e-3, at: [%.17g, %.17g], angle: %.17g}\n"
        "  box: {mass: 1, inertia: 1.67e-3, at: [%.17g, %.17g], angle: %.17g%s}\n",
        -G * up[0], -G * up[1], 0.3 * along[0], 0.3 * along[1], angle,
        (0.3 + shift) * along[0] + (SIDE + gap) * up[0], (0.3 + shift) * along[1] + (SIDE + gap) * up[1], angle, more);
    used += put_shapes(text + used, sizeof text - used, form, angle, swapped);
    snprintf(text + used, sizeof text - used, "run: {until: 0.3}\n");
    free_run_parse(run, text, 0, NULL);
}

/* Height over the place where the sides just touch. */
static double height(const free_run *run, double angle)
{
    const carom_body_state b = free_run_body(run, "box");
    return -sin(angle) * b.position[0] + cos(angle) * b.position[1] - SIDE;
}

/* Two corners carry the weight, each half of it. */
static void test_rests(void **state)
{
    (void)state;
    const double depth = pow(0.5 * G / K, 2.0 / 3);
    double worst = 0;
    for (int form = 0; form < 2; form++)
        for (int turned = 0; turned < 3; turned++)
            for (size_t k = 0; k < 4 * CAROM_COUNT(shifts); k++) {
                free_run run;
                const double angle = 0.7 * turned, shift = shifts[k / 4] * (k % 2 ? -1 : 1);
                if (shifts[k / 4] > 1e-5)
                    continue;
                open_two(&run, form, angle, shift, 0, k % 4 > 1, "");
                free_run_to(&run, 0.3);
                worst = fmax(worst, fabs(-height(&run, angle) / depth - 1));
                free_run_close(&run);
            }
    print_message("rests: depth within %.1e\n", worst);
    assert_true(worst < 1e-6);
}

/* The same on a wall as wide as the box, and a little wider or less wide, whose ends are corners as well. */
static void test_walls(void **state)
{
    (void)state;
    static const double wider[] = {-1e-4, -5e-5, -1e-8, -1e-14, 0, 1e-14, 1e-8, 5e-5, 1e-4};
    const double depth = pow(0.5 * G / K, 2.0 / 3);
    double worst = 0;
    for (size_t k = 0; k < 2 * CAROM_COUNT(wider); k++) {
        char text[1000];
        free_run run;
        const double half = 0.5 * (SIDE + wider[k / 2]);
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
                 "bodies: {box: {mass: 1, inertia: 1.67e-3, at: [0, 0.1]}}\n"
                 "shapes:\n  wall: {type: segment, on: ground, from: [%.17g, 0.05], to: [%.17g, 0.05]}\n"
                 "  up: {type: box, size: [0.1, 0.1], on: box}\n"
                 "contacts:\n"
                 "  c: {between: [%s], normal: {law: exact, stiffness: 1e7, exponent: 1.5, restitution: 0.6}}\n"
                 "run: {until: 0.2}\n",
                 half, -half, k % 2 ? "up, wall" : "wall, up");
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 0.2);
        worst = fmax(worst, fabs(-height(&run, 0) / depth - 1));
        free_run_close(&run);
    }
    print_message("walls: depth within %.1e\n", worst);
    assert_true(worst < 1e-6);
}

/* Falls by a millimetre; the speed behind the impact over that before. */
static double bounce(int form, double shift, bool swapped)
{
    free_run run;
    size_t count;
    double got = 0;
    open_two(&run, form, 0.4, shift, 1e-3, swapped, "");
    free_run_to(&run, 0.03);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    for (size_t n = 0; n < count; n++)
        if (impacts[n].peak_force > 1 && impacts[n].onset < 0.02)
            got = impacts[n].v_out / impacts[n].v_in;
    free_run_close(&run);
    return got;
}

/* It gives back what one gives back that lies a millimetre to the side. */
static void test_bounces(void **state)
{
    (void)state;
    const double wanted = bounce(0, 1e-3, false);
    double worst = 0;
    for (int form = 0; form < 2; form++)
        for (size_t k = 0; k < CAROM_COUNT(shifts) - 1; k++)
            worst = fmax(worst, fabs(bounce(form, shifts[k], k % 2) - wanted));
    print_message("bounces: %.4g of the speed, within %.1e\n", wanted, worst);
    assert_true(wanted > 0.4 && worst < 1e-2);
}

/* Slides over the other one and through the place where they are aligned, without friction: it is carried all the way,
   on two corners, and where one of them hands over to another its energy stays. */
static void test_slides(void **state)
{
    (void)state;
    const double depth = pow(0.5 * G / K, 2.0 / 3);
    for (int order = 0; order < 2; order++) {
        free_run run;
        double lowest = 0, highest = -1;
        open_two(&run, 0, 0.4, -2e-3, -depth, order, ", velocity: [0.02*cos(0.4), 0.02*sin(0.4)]");
        for (double t = 0.05; t < 0.3; t += 1e-3) {
            free_run_to(&run, t);
            lowest = fmin(lowest, height(&run, 0.4));
            highest = fmax(highest, height(&run, 0.4));
        }
        const double residual = carom_simulation_ledger(run.sim).residual_fraction;
        print_message("slides: depth from %.4g to %.4g of that at rest, residual %.1e\n", -highest / depth,
                      -lowest / depth, residual);
        assert_true(-highest / depth > 0.9 && -lowest / depth < 1.1 && residual < 1e-9);
        free_run_close(&run);
    }
}

/* Two boxes of one height on a floor, one of which slides into the other: v (1 - e)/2 and v (1 + e)/2. */
static void test_hits(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        char text[1500];
        free_run run;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
                 "  a: {mass: 1, inertia: 1.67e-3, at: [0, 0.05], velocity: [1, 0]}\n"
                 "  b: {mass: 1, inertia: 1.67e-3, at: [0.15, 0.05]}\n"
                 "shapes:\n  a: {type: box, on: a, size: [0.1, 0.1]}\n  b: {type: box, on: b, size: [0.1, 0.1]}\n"
                 "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
                 "contacts:\n"
                 "  f: {between: [floor, a], normal: {law: flores, stiffness: 1e7, exponent: 1.5, restitution: 0.3}}\n"
                 "  g: {between: [floor, b], normal: {law: flores, stiffness: 1e7, exponent: 1.5, restitution: 0.3}}\n"
                 "  c: {between: [%s], normal: {law: exact, stiffness: 1e7, exponent: 1.5, restitution: 0.5}}\n"
                 "run: {until: 0.2}\n",
                 order ? "b, a" : "a, b");
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 0.2);
        const double va = free_run_body(&run, "a").velocity[0], vb = free_run_body(&run, "b").velocity[0];
        print_message("hits: %.9f and %.9f m/s\n", va, vb);
        assert_true(fabs(va - 0.25) < 1e-6 && fabs(vb - 0.75) < 1e-6);
        free_run_close(&run);
    }
}

/* ---- corners that are not right angles ---- */

#define LINEAR 1e6 /* stiffness of the law of what follows [N/m] */

static void open_polygons(free_run *run, const char *low, const char *up, double height, double tilt, double speed)
{
    char text[2000];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\ngravity: [0, -10]\n"
             "bodies: {u: {mass: 1, inertia: 0.005, at: [0, %.17g], angle: %.17g, velocity: [%.17g, 0]}}\n"
             "shapes:\n  l: {type: polygon, on: ground, points: %s}\n  u: {type: polygon, on: u, points: %s}\n"
             "contacts: {c: {between: [l, u], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 1000}}}\n"
             "run: {until: 1}\n",
             height, tilt, speed, low, up);
    free_run_parse(run, text, 0, NULL);
}

/* Bottom and top width of a trapezoid 0.2 m high. */
static void trapezoid(char *text, size_t size, double bottom, double top)
{
    snprintf(text, size, "[[%.17g, -0.1], [%.17g, -0.1], [%.17g, 0.1], [%.17g, 0.1]]", -bottom / 2, bottom / 2,
             top / 2, -top / 2);
}

/* Trapezoids of one width where they meet, whose flanks are at 60 to 120 degrees to it: 5 N and 5 um a corner. */
static void test_trapezoids(void **state)
{
    (void)state;
    static const double degrees[] = {60, 70, 80, 85, 87, 89, 90, 91, 95, 110, 120};
    double worst = 0;
    for (size_t a = 0; a < CAROM_COUNT(degrees); a++)
        for (size_t b = 0; b < CAROM_COUNT(degrees); b++) {
            char low[200], up[200];
            free_run run;
            /* flanks of the lower one beneath its top, of the upper one above its bottom */
            trapezoid(low, sizeof low, 0.3 + 0.4 / tan(degrees[a] * acos(-1) / 180), 0.3);
            trapezoid(up, sizeof up, 0.3, 0.3 - 0.4 / tan(degrees[b] * acos(-1) / 180));
            open_polygons(&run, low, up, 0.2, 0, 0);
            free_run_to(&run, 0.3);
            const carom_body_state u = free_run_body(&run, "u");
            worst = fmax(worst, fabs((0.2 - u.position[1]) * 2 * LINEAR / 10 - 1) + fabs(u.position[0]) * LINEAR);
            free_run_close(&run);
        }
    print_message("trapezoids: depth within %.1e\n", worst);
    assert_true(worst < 1e-5);
}

/* A hexagon on another one, side on side. */
static void test_hexagons(void **state)
{
    (void)state;
    const char *const hexagon =
        "[[0.1, 0], [0.05, sqrt(3)/20], [-0.05, sqrt(3)/20], [-0.1, 0], [-0.05, -sqrt(3)/20], [0.05, -sqrt(3)/20]]";
    free_run run;
    open_polygons(&run, hexagon, hexagon, 0.1 * sqrt(3), 0, 0);
    free_run_to(&run, 0.3);
    const double depth = 0.1 * sqrt(3) - free_run_body(&run, "u").position[1];
    print_message("hexagons: depth %.9g of that of two corners\n", depth * 2 * LINEAR / 10);
    assert_true(fabs(depth * 2 * LINEAR / 10 - 1) < 1e-5);
    free_run_close(&run);
}

/* Falls on one of its width by 50 mm, as a trapezoid and as a box: both sides alike, and as on one that is wider. */
static void test_falls(void **state)
{
    (void)state;
    char low[200], up[200];
    double rebound[4];
    for (int k = 0; k < 4; k++) {
        free_run run;
        trapezoid(low, sizeof low, 0.235, k % 2 ? 0.21 : 0.2);
        trapezoid(up, sizeof up, 0.2, k < 2 ? 0.165 : 0.2);
        open_polygons(&run, low, up, 0.25, 0, 0);
        free_run_to(&run, 0.12);
        const carom_body_state u = free_run_body(&run, "u");
        rebound[k] = u.position[1];
        assert_true(fabs(u.velocity[0]) < 1e-6 && fabs(u.angular_velocity[2]) < 1e-6);
        free_run_close(&run);
    }
    print_message("falls: at %.9g and %.9g m after the rebound, wider %.9g m\n", rebound[0], rebound[2], rebound[1]);
    assert_true(fabs(rebound[0] - rebound[1]) < 1e-8 && fabs(rebound[2] - rebound[3]) < 1e-8);
}

/* A box that touches another one by its lower corner, tilted, and slides over that one's edge: without damping and
   friction its energy stays, however much it is tilted. */
static void test_tilted(void **state)
{
    (void)state;
    double worst = 0;
    for (int degrees = 1; degrees < 90; degrees += 2) {
        char text[1500];
        free_run run;
        const double tilt = degrees * acos(-1) / 180;
        const double right = 0.1 * cos(tilt) + 0.1 * sin(tilt), low = 0.1 * cos(tilt) + 0.1 * sin(tilt);
        /* turned clockwise: its lower right corner is the lowest */
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\n"
                 "bodies: {u: {mass: 1, inertia: 100, at: [%.17g, %.17g], angle: %.17g, velocity: [0.1, -0.1]}}\n"
                 "shapes: {l: {type: box, on: ground, size: [0.2, 0.2]}, u: {type: box, on: u, size: [0.2, 0.2]}}\n"
                 "contacts: {c: {between: [l, u], normal: {law: hooke, stiffness: 1e6}}}\nrun: {until: 0.05}\n",
                 0.1 - right + 2 * 0.1 * sin(tilt) - 1.5e-4, 0.1 + low, -tilt);
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 0.05);
        const carom_body_state u = free_run_body(&run, "u");
        const double speed = hypot(u.velocity[0], u.velocity[1]), spin = u.angular_velocity[2];
        const double energy = 0.5 * (speed * speed + 100 * spin * spin);
        worst = fmax(worst, fabs(energy / 0.01 - 1));
        assert_true(degrees > 44 || u.velocity[1] > 0);
        /* beyond 20 degrees the force turns at once */
        if (degrees < 79) /* above, sides are flat on each other again */
            assert_true(free_run_is_told(&run, "[W02]") == (degrees > 20));
        free_run_close(&run);
    }
    print_message("tilted: energy within %.1e\n", worst);
    assert_true(worst < 1e-4);
}

/* A box that falls between two as far apart as it is wide, past their corners, which it touches: y = 0.2 - g t^2/2. */
static void test_fits(void **state)
{
    (void)state;
    static const char *const laws[] = {"law: kelvin-voigt, stiffness: 1e6, damping: 1000",
                                       "law: hooke, stiffness: 1e6"};
    for (size_t k = 0; k < 2 * CAROM_COUNT(laws); k++) {
        char text[1500];
        free_run run;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -10]\nbodies: {x: {mass: 1, inertia: 0.0017, at: [0, 0.2]}}\n"
                 "shapes:\n  x: {type: box, on: x, size: [0.1, 0.1]}\n"
                 "  l: {type: box, on: ground, at: [-0.1, 0], size: [0.1, 0.2]}\n"
                 "  r: {type: box, on: ground, at: [0.1, 0], size: [0.1, 0.2]}\n"
                 "contacts: {k: {all: [%s], normal: {%s}}}\nrun: {until: 1}\n",
                 k % 2 ? "r, l, x" : "x, l, r", laws[k / 2]);
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 1);
        const carom_body_state x = free_run_body(&run, "x");
        print_message("fits: %.12g m at 1 s, beside by %.1e m\n", x.position[1], x.position[0]);
        assert_true(fabs(x.position[1] - 0.2 + 5) < 1e-9 && fabs(x.position[0]) < 1e-12);
        free_run_close(&run);
    }
}

/* Three boxes in a row that touch and are hit by a fourth one: contacts that only touched are pressed. The same by each
   integrator, and the momentum is that of the first. */
static void test_row(void **state)
{
    (void)state;
    static const char *const integrators[] = {NULL, "dop853", "dopri5", "adams", "bdf"};
    double last[CAROM_COUNT(integrators)];
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++) {
        char text[2000];
        free_run run;
        size_t used = (size_t)snprintf(text, sizeof text, "carom: 1\ndimension: 2\nbodies:\n");
        for (int n = 0; n < 4; n++)
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "  b%d: {mass: 1, inertia: 0.0017, at: [%.17g, 0], velocity: [%d, 0]}\n", n,
                                     n ? 0.1 * (n - 1) : -0.3, !n);
        used += (size_t)snprintf(text + used, sizeof text - used, "shapes:\n");
        for (int n = 0; n < 4; n++)
            used += (size_t)snprintf(text + used, sizeof text - used, "  b%d: {type: box, on: b%d, size: [0.1, 0.1]}\n",
                                     n, n);
        snprintf(text + used, sizeof text - used,
                 "contacts: {k: {all: ['*'], normal: {law: flores, stiffness: 1e7, exponent: 1.5, restitution: 0.8}}}\n"
                 "run: {until: 0.4}\n");
        free_run_parse(&run, text, 0, integrators[k]);
        free_run_to(&run, 0.4);
        double momentum = 0;
        for (int n = 0; n < 4; n++) {
            const char name[] = {'b', (char)('0' + n), 0};
            momentum += last[k] = free_run_body(&run, name).velocity[0];
        }
        assert_true(fabs(momentum - 1) < 1e-9 && fabs(last[k] - last[0]) < 1e-5);
        free_run_close(&run);
    }
    print_message("row: the last box leaves at %.6f m/s\n", last[0]);
}

#define STONES 7

/* How far the crown of a half-circular arch of mean radius 1 m falls in 0.2 s, its stones touching side on side. */
static double crown_falls(double thickness)
{
    char text[6000];
    free_run run;
    const double inner = 1 - thickness / 2, outer = 1 + thickness / 2, half = acos(-1) / STONES / 2;
    size_t used = (size_t)snprintf(text, sizeof text, "carom: 1\ndimension: 2\ngravity: [0, -10]\nbodies:\n");
    /* centroid of a stone on its middle line, about which it is symmetric */
    const double a = inner * cos(half), h = (outer - inner) * cos(half), b1 = inner * sin(half), b2 = outer * sin(half);
    const double centre = a + h / 3 * (b1 + 2 * b2) / (b1 + b2), mass = 1000 * h * (b1 + b2);
    for (int k = 0; k < STONES; k++) {
        const double angle = (2 * k + 1) * half;
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  v%d: {mass: %.17g, inertia: %.17g, at: [%.17g, %.17g], angle: %.17g}\n", k, mass,
                                 mass * (thickness * thickness + 4 * half * half) / 12, centre * cos(angle),
                                 centre * sin(angle), angle);
    }
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "shapes:\n  g: {type: box, on: ground, at: [0, -0.25], size: [4, 0.5]}\n");
    for (int k = 0; k < STONES; k++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  v%d: {type: polygon, on: v%d, points: [[%.17g, %.17g], [%.17g, %.17g], "
                                 "[%.17g, %.17g], [%.17g, %.17g]]}\n",
                                 k, k, a - centre, -b1, a + h - centre, -b2, a + h - centre, b2, a - centre, b1);
    snprintf(text + used, sizeof text - used,
             "contacts: {k: {all: ['*'], normal: {law: kelvin-voigt, stiffness: 1e8, damping: 1e5}, "
             "friction: {law: coulomb, kinetic: 0.6}}}\nrun: {until: 0.3}\n");
    free_run_parse(&run, text, 0, NULL);
    char middle[8];
    snprintf(middle, sizeof middle, "v%d", STONES / 2);
    const double before = free_run_body(&run, middle).position[1];
    free_run_to(&run, 0.3);
    const double fallen = before - free_run_body(&run, middle).position[1];
    free_run_close(&run);
    return fallen;
}

/* The least thickness of an arch of finitely many stones is near that of the continuous one, 0.107 of its radius
   (Heyman); the settlement of one that stands is that of its contacts. */
static void test_arch(void **state)
{
    (void)state;
    const double stands = crown_falls(0.24), falls = crown_falls(0.06);
    print_message("arch: the crown settles by %.3g m where it stands, falls by %.3g m where it does not\n", stands,
                  falls);
    assert_true(stands > 0 && stands < 1e-3 && falls > 0.02);
}

/* ---- corners that lead through each other's sides ---- */

/* A wedge of 30 degrees is pushed under a follower on a spring. The follower's lower corner is at the level of the
   wedge's tip, on the line of its bottom: it leaves through the slope, and lies on the flat top at the end. */
static void test_latch(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        char text[2000];
        free_run run;
        size_t count;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, 0]\nbodies:\n"
                 "  s: {mass: 0.5, inertia: 0.001, at: [-0.1, 0]}\n  c: {mass: 0.05, inertia: 0.0001, at: [0, 0.02]}\n"
                 "joints:\n  s: {type: translational, between: [ground, s], axis: [1, 0], motion: -0.1 + 0.05*t}\n"
                 "  c: {type: translational, between: [{ground: [0, 0]}, c], axis: [0, 1], "
                 "spring: {stiffness: 2000, free: 10*mm}}\n"
                 "shapes:\n"
                 "  s: {type: polygon, on: s, points: [[-0.05, -0.02], [0.05, -0.02], [0.01, 0.04*tan(30*deg) - 0.02], "
                 "[0, 0.04*tan(30*deg) - 0.02], [0, -0.015], [-0.05, -0.015]]}\n"
                 "  c: {type: polygon, on: c, points: [[0, -0.03], [0.035, -0.03], [0.04, 0.01], [0, 0.01]]}\n"
                 "contacts: {k: {between: [%s], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 100}, "
                 "friction: {law: coulomb, kinetic: 0.2}}}\nrun: {until: 2.2}\n",
                 order ? "c, s" : "s, c");
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 2.2);
        carom_simulation_impacts(run.sim, &count);
        /* two corners bear the spring */
        const double top = 0.04 * tan(acos(-1) / 6) + 0.01, depth = 2000 * (top - 0.01) / (2 * LINEAR + 2000);
        const double y = free_run_body(&run, "c").position[1];
        const double residual = carom_simulation_ledger(run.sim).residual_fraction;
        print_message("latch: %.9g of the height, %zu impacts, residual %.1e\n", y / (top - depth), count, residual);
        assert_true(fabs(y - top + depth) < 1e-9 && count < 20 && residual < 1e-6);
        free_run_close(&run);
    }
}

/* Two boxes side by side that touch, and one across both: friction holds them upright, so that each corner on the floor
   bears 7.5 N and each on the lower boxes 2.5 N. */
static void test_bricks(void **state)
{
    (void)state;
    char text[1500];
    free_run run;
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\ngravity: [0, -10]\nbodies:\n"
             "  a: {mass: 1, inertia: 0.005, at: [-0.1, 0.1]}\n  b: {mass: 1, inertia: 0.005, at: [0.1, 0.1]}\n"
             "  c: {mass: 1, inertia: 0.005, at: [0, 0.3]}\nshapes:\n  a: {type: box, on: a, size: [0.2, 0.2]}\n"
             "  b: {type: box, on: b, size: [0.2, 0.2]}\n  c: {type: box, on: c, size: [0.2, 0.2]}\n"
             "  f: {type: box, on: ground, at: [0, -0.1], size: [1, 0.2]}\n"
             "contacts: {k: {all: ['*'], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 1000}, "
             "friction: {law: coulomb, kinetic: 0.3}}}\nrun: {until: 0.5}\n");
    free_run_parse(&run, text, 0, NULL);
    free_run_to(&run, 0.5);
    const double a = 0.1 - free_run_body(&run, "a").position[1], c = 0.3 - free_run_body(&run, "c").position[1];
    print_message("bricks: %.9g and %.9g of the depths\n", a * LINEAR / 7.5, c * LINEAR / 10);
    assert_true(fabs(a * LINEAR / 7.5 - 1) < 1e-6 && fabs(c * LINEAR / 10 - 1) < 1e-6);
    free_run_close(&run);
}

/* What lies between two fixed flanks at an angle b to the vertical, flush with them along their whole length, sinks by
   m g/(4 k sin^2 b): a keystone, and hexagons and triangles as tiles. */
static void test_keyed(void **state)
{
    (void)state;
    static const struct {
        double angle; /* [degrees] */
        const char *left, *right, *between;
    } cases[] = {
        {10, "[[-0.2, 0], [-0.04, 0], [-0.04 - 0.1*tan(10*deg), 0.1], [-0.2, 0.1]]",
         "[[0.04, 0], [0.2, 0], [0.2, 0.1], [0.04 + 0.1*tan(10*deg), 0.1]]",
         "[[-0.04, 0], [0.04, 0], [0.04 + 0.1*tan(10*deg), 0.1], [-0.04 - 0.1*tan(10*deg), 0.1]]"},
        {30, "[[-0.2, 0], [0, 0], [-0.1, 0.1*sqrt(3)]]", "[[0, 0], [0.2, 0], [0.1, 0.1*sqrt(3)]]",
         "[[0, 0], [0.1, 0.1*sqrt(3)], [-0.1, 0.1*sqrt(3)]]"},
        {30, "[[-0.2, 0], [-0.1, 0], [-0.05, 0.05*sqrt(3)], [-0.1, 0.1*sqrt(3)], [-0.2, 0.1*sqrt(3)], "
             "[-0.25, 0.05*sqrt(3)]]",
         "[[0.1, 0], [0.2, 0], [0.25, 0.05*sqrt(3)], [0.2, 0.1*sqrt(3)], [0.1, 0.1*sqrt(3)], [0.05, 0.05*sqrt(3)]]",
         "[[-0.05, 0.05*sqrt(3)], [0.05, 0.05*sqrt(3)], [0.1, 0.1*sqrt(3)], [0.05, 0.15*sqrt(3)], "
         "[-0.05, 0.15*sqrt(3)], [-0.1, 0.1*sqrt(3)]]"}};
    double worst = 0;
    for (size_t k = 0; k < 2 * CAROM_COUNT(cases); k++) {
        char text[2000];
        free_run run;
        size_t warnings;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -10]\nbodies: {u: {mass: 1, inertia: 0.005, at: [0, 0]}}\n"
                 "shapes:\n  l: {type: polygon, on: ground, points: %s}\n  r: {type: polygon, on: ground, points: %s}\n"
                 "  u: {type: polygon, on: u, points: %s}\n"
                 "contacts: {c: {all: [%s], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 1000}}}\n"
                 "run: {until: 0.5}\n",
                 cases[k / 2].left, cases[k / 2].right, cases[k / 2].between, k % 2 ? "u, r, l" : "l, r, u");
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 0.5);
        const double sine = sin(cases[k / 2].angle * acos(-1) / 180), sinks = 10 / (4 * LINEAR * sine * sine);
        const carom_body_state u = free_run_body(&run, "u");
        worst = fmax(worst, fabs(-u.position[1] / sinks - 1) + fabs(u.position[0]) / sinks);
        carom_simulation_warnings(run.sim, &warnings);
        assert_true(warnings == 0);
        free_run_close(&run);
    }
    print_message("keyed: depth within %.1e\n", worst);
    assert_true(worst < 1e-5);
}

/* Two wedges of 15 degrees that make up a plate on a floor, the slope less steep than friction allows: they stay. */
static void test_wedges(void **state)
{
    (void)state;
    char text[1500];
    free_run run;
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\ngravity: [0, -10]\n"
             "bodies: {a: {mass: 1, inertia: 0.002, at: [0, 0]}, b: {mass: 1, inertia: 0.002, at: [0, 0]}}\n"
             "shapes:\n  f: {type: box, on: ground, at: [0, -0.1], size: [2, 0.2]}\n"
             "  a: {type: polygon, on: a, points: [[-0.1, 0], [0.1, 0], [0.1, 0.2*tan(15*deg)]]}\n"
             "  b: {type: polygon, on: b, points: [[0.1, 0.2*tan(15*deg)], [-0.1, 0.2*tan(15*deg)], [-0.1, 0]]}\n"
             "contacts: {k: {all: ['*'], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 1000}, "
             "friction: {law: coulomb, kinetic: 0.5}}}\nrun: {until: 0.3}\n");
    free_run_parse(&run, text, 0, NULL);
    free_run_to(&run, 0.3);
    const carom_body_state a = free_run_body(&run, "a"), b = free_run_body(&run, "b");
    const double moved = fmax(hypot(a.position[0], a.position[1]), hypot(b.position[0], b.position[1]));
    const double residual = carom_simulation_ledger(run.sim).residual_fraction;
    print_message("wedges: moved by %.3g um, residual %.1e\n", 1e6 * moved, residual);
    assert_true(moved < 20 / LINEAR && residual < 1e-5);
    free_run_close(&run);
}

/* Two triangles pass each other without a touch, more than 1.1 mm apart, a side of each within 10 degrees of facing one
   of the other and going the other way from the corners that are next to each other: what moves goes on as it did. */
static void test_passes(void **state)
{
    (void)state;
    static const char *const ways[] = {"all: [a, b]", "between: [a, b]"};
    for (int k = 0; k < 2; k++) {
        char text[1200];
        free_run run;
        size_t count;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\nbodies:\n"
                 "  a: {mass: 0.002, inertia: 1e-7, at: [0.0164662853287, 0.0138389477517], angle: 0.850371837467, "
                 "velocity: [-0.00634227456395, 0.0508994890424], angular_velocity: -0.234088831051}\n"
                 "  b: {mass: 0.002, inertia: 1e-7, at: [0.0296878239923, 0.0122063183212], angle: 1.60078807966, "
                 "velocity: [-0.0505119018269, -0.00186655804336], angular_velocity: 12.1172308164}\n"
                 "shapes:\n  a: {type: polygon, on: a, points: [[-6e-3, -4e-3], [6e-3, -4e-3], [0, 8e-3]]}\n"
                 "  b: {type: polygon, on: b, points: [[-6e-3, -4e-3], [6e-3, -4e-3], [0, 8e-3]]}\n"
                 "contacts: {c: {%s, normal: {law: kelvin-voigt, stiffness: 1e4, damping: 1}}}\n"
                 "run: {until: 0.005, integrator: verlet, step: 2e-5}\n",
                 ways[k]);
        free_run_parse(&run, text, 0, NULL);
        free_run_to(&run, 0.005);
        carom_simulation_impacts(run.sim, &count);
        const carom_ledger ledger = carom_simulation_ledger(run.sim);
        print_message("passes, %s: %.6g of its energy, %zu impacts\n", ways[k], ledger.kinetic / ledger.start, count);
        assert_true(count == 0 && fabs(ledger.kinetic / ledger.start - 1) < 1e-12);
        free_run_close(&run);
    }
}

/* A rectangle is turned through another one, millimetres deep, with steps that are too long for it: what its corners
   make as they hand over is told first, by the contact's name, and then the residual that the steps leave. */
static void test_named(void **state)
{
    (void)state;
    free_run run;
    carom_accuracy accuracy;
    free_run_parse(
        &run,
        "carom: 1\ndimension: 2\n"
        "bodies: {b: {mass: 1, inertia: 1e-5, at: [-0.00856435998, -0.00547331833], angle: 1.58521611}}\n"
        "shapes:\n"
        "  a: {type: polygon, on: ground, points: [[-0.00379568322, 0.00613129586], [-0.00419977955, -0.0058618983], "
        "[0.00379568322, -0.00613129586], [0.00419977955, 0.0058618983]]}\n"
        "  b: {type: polygon, on: b, points: [[-6e-3, -4e-3], [6e-3, -4e-3], [6e-3, 4e-3], [-6e-3, 4e-3]]}\n"
        "joints:\n  j: {type: revolute, between: [{ground: [-0.00856435998, -0.00547331833]}, b], motion: 1.58521611 + "
        "t}\n"
        "contacts: {stones: {all: [a, b], allow_connected: yes, normal: {law: hooke, stiffness: 1e4}}}\n"
        "run: {until: 1.5, integrator: verlet, step: 0.01}\n",
        0, NULL);
    free_run_to(&run, 1.5);
    const carom_ledger ledger = carom_simulation_ledger(run.sim);
    assert_ok(run.ctx, carom_simulation_accuracy(run.sim, &accuracy));
    print_message("named: %.3g J made, residual %.2g of the peak\n", -ledger.switch_term, ledger.residual_fraction);
    assert_true(-ledger.switch_term > 0.1 * fabs(ledger.residual) / ledger.residual_fraction);
    assert_true(ledger.residual_fraction > 1e-3 && !accuracy.accurate);
    const char *contact = strstr(accuracy.text, "contact 'stones'"), *left = strstr(accuracy.text, "residual");
    assert_true(contact && left && contact < left);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rests), cmocka_unit_test(test_walls),
                                       cmocka_unit_test(test_bounces),
                                       cmocka_unit_test(test_slides), cmocka_unit_test(test_hits),
                                       cmocka_unit_test(test_trapezoids), cmocka_unit_test(test_hexagons),
                                       cmocka_unit_test(test_falls), cmocka_unit_test(test_tilted),
                                       cmocka_unit_test(test_fits), cmocka_unit_test(test_row),
                                       cmocka_unit_test(test_arch), cmocka_unit_test(test_latch),
                                       cmocka_unit_test(test_bricks), cmocka_unit_test(test_keyed),
                                       cmocka_unit_test(test_wedges), cmocka_unit_test(test_passes),
                                       cmocka_unit_test(test_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

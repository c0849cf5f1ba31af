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
   on two corners. Where one of them hands over to another a thousandth of its energy may be lost. */
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
        assert_true(-highest / depth > 0.9 && -lowest / depth < 1.1 && residual < 1e-3);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rests), cmocka_unit_test(test_walls),
                                       cmocka_unit_test(test_bounces),
                                       cmocka_unit_test(test_slides), cmocka_unit_test(test_hits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

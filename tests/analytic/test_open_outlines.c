/* What a run says of contacts that begin deep, of forces that turn, and of outlines that bear in several places. */
#include "carom_test.h"

#include <stdio.h>
#include <string.h>

#include "support/free_runs.h"

/* The warning that has `part`; NULL: none has. */
static const char *warning(const carom_simulation *sim, const char *part)
{
    size_t count;
    const char *const *texts = carom_simulation_warnings(sim, &count);
    for (size_t k = 0; k < count; k++)
        if (strstr(texts[k], part))
            return texts[k];
    return NULL;
}

/* A disc that passes round the end of a segment from its back, 0.3 m below: when its middle passes the normal at the
   end, at x = -0.1 m or a little before, it lies 0.35 m deep at once. With the segment the other way round it passes in
   front of it, and with a disc 0.3 m higher it never comes near the line. */
#define BACK(x1, x2)                                                                                               \
    "carom: 1\ndimension: 2\ngravity: [0, 0]\n"                                                                    \
    "bodies:\n  x: {mass: 1, inertia: 0.0017, at: [-0.5, -0.3], velocity: [1, 0]}\n"                               \
    "shapes:\n  x: {type: sphere, on: x, radius: 0.05}\n"                                                          \
    "  c: {type: segment, on: ground, from: [" x1 ", 0], to: [" x2 ", 0]}\n"                                       \
    "contacts:\n  k: {between: [c, x], normal: {law: hooke, stiffness: 1e5}}\nrun: {until: 1.0}\n"

static void test_from_behind(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, BACK("0.1", "-0.1"), 1e-8, NULL);
    free_run_to(&run, 1);
    carom_accuracy accuracy;
    const char *text = warning(run.sim, "[W02]");
    assert_non_null(text);
    assert_non_null(strstr(text, "contact 'k': begins 0.35 m deep at t = 0.4"));
    assert_non_null(strstr(text, "came from behind"));
    assert_ok(run.ctx, carom_simulation_accuracy(run.sim, &accuracy));
    assert_false(accuracy.accurate);
    assert_non_null(strstr(accuracy.text, "the force of contact 'k' jumps"));
    free_run_close(&run);
    free_run_parse(&run, BACK("-0.1", "0.1"), 1e-8, NULL);
    free_run_to(&run, 1);
    assert_null(warning(run.sim, "[W02]"));
    free_run_close(&run);
}

/* A box slides from one outline to the next, into whose flank its corner has sunk: the force of that corner turns by a
   right angle where it passes to the top, from what the damper of 1000 N s/m takes at 1 m/s to a weight of 10 N. */
static void test_turn(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   "carom: 1\ndimension: 2\ngravity: [0, -10]\n"
                   "bodies: {b: {mass: 1, inertia: 0.0017, at: [-0.2, 0.05], velocity: [1, 0]}}\n"
                   "shapes:\n  b: {type: box, on: b, size: [0.1, 0.1]}\n"
                   "  f: {type: box, on: ground, at: [-0.5, -0.1], size: [1, 0.2]}\n"
                   "  g: {type: box, on: ground, at: [0.5, -0.1], size: [1, 0.2]}\n"
                   "contacts: {k: {all: ['*'], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 1000}}}\n"
                   "run: {until: 0.3}\n",
                   1e-8, NULL);
    free_run_to(&run, 0.3);
    const char *text = warning(run.sim, "[W02]");
    assert_non_null(text);
    const char *forces = strstr(text, "jumps from ");
    double before, after, degrees;
    assert_non_null(forces);
    assert_int_equal(sscanf(forces, "jumps from %lf N to %lf N and turns by %lf", &before, &after, &degrees), 3);
    assert_true(before > 950 && before < 1010 && after > 5 && after < 30 && degrees == 90);
    free_run_close(&run);
}

/* Two L-shaped outlines that tumble: the corner of the one hands over to that of the other, and the force turns by the
   angle between the sides that these leave through, at equal depth. */
#define ELL "[[-0.04, -0.04], [0.06, -0.04], [0.06, -0.02], [-0.02, -0.02], [-0.02, 0.06], [-0.04, 0.06]]"

static void test_hands_over(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   "carom: 1\ndimension: 2\ngravity: [0, 0]\nbodies:\n  a: {mass: 1, inertia: 0.002, at: [0, 0]}\n"
                   "  b: {mass: 0.5, inertia: 0.001, at: [0.031, 0.2], angle: 3.3415926535897933, velocity: [0, -2], "
                   "angular_velocity: -1}\n"
                   "shapes:\n  a: {type: polygon, on: a, points: " ELL "}\n  b: {type: polygon, on: b, points: " ELL
                   "}\ncontacts:\n  a_b: {between: [a, b], normal: {law: hooke, stiffness: 1e5}}\n"
                   "run: {until: 0.3}\n",
                   1e-8, NULL);
    free_run_to(&run, 0.3);
    const char *text = warning(run.sim, "[W02]");
    assert_non_null(text);
    assert_non_null(strstr(text, "its force of 141.5 N turns by 78 degrees"));
    assert_true(carom_simulation_ledger(run.sim).residual_fraction < 1e-7);
    free_run_close(&run);
}

/* Boxes bear on two corners, in a set too: they are outlines of straight sides alone. A cam with a flat and a box do
   not. */
static void test_flats(void **state)
{
    (void)state;
    static const char *const shapes[] = {
        "type: box, on: a, size: [0.2, 0.2]",
        "type: profile, on: a, closed: true, outline: [{line: [[0, -0.1], [0.1, -0.1]]}, "
        "{arc: {radius: 0.1*sqrt(2), from: -45*deg, to: 225*deg}}, "
        "{line: [[-0.1, -0.1], [0, -0.1]]}]"};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        free_run run;
        char text[900];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\ngravity: [0, -10]\nbodies:\n  a: {mass: 1, inertia: 0.005, at: [0, 0.1]}\n"
                 "shapes:\n  a: {%s}\n  f: {type: box, on: ground, at: [0, -0.5], size: [2, 1]}\n"
                 "contacts:\n  c: {all: ['*'], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 1000}}\n"
                 "run: {until: 0.05, integrator: verlet, step: 1e-5}\n",
                 shapes[k]);
        free_run_parse(&run, text, 1e-8, NULL);
        free_run_to(&run, 0.05);
        assert_true((warning(run.sim, "[W33]") != NULL) == (k == 1));
        free_run_close(&run);
    }
}

/* Half discs whose side is drawn in two lines, which no other side can lie along as a whole: of four in a set one
   warning tells of all six pairs; two contacts of two have one each. */
static void test_flats_of_sets(void **state)
{
    (void)state;
    static const char *const contacts[] = {"c: {all: ['*'], normal: {law: hooke, stiffness: 1e5}}",
                                           "k: {between: [a, b], normal: {law: hooke, stiffness: 1e5}}\n"
                                           "  l: {between: [d, e], normal: {law: hooke, stiffness: 1e5}}"};
    for (size_t k = 0; k < 2; k++) {
        free_run run;
        char text[1800];
        size_t used = (size_t)snprintf(text, sizeof text, "carom: 1\ndimension: 2\nbodies:\n"), count, told = 0;
        for (size_t n = 0; n < 4; n++)
            used += (size_t)snprintf(text + used, sizeof text - used, "  %c: {mass: 1, inertia: 0.01, at: [%zu, 0]}\n",
                                     "abde"[n], n);
        used += (size_t)snprintf(text + used, sizeof text - used, "shapes:\n");
        for (size_t n = 0; n < 4; n++)
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "  %c: {type: profile, on: %c, closed: true, outline: "
                                     "[{line: [[-0.1, 0], [0, 0]]}, {line: [[0, 0], [0.1, 0]]}, "
                                     "{arc: {radius: 0.1, from: 0, to: 180*deg}}]}\n",
                                     "abde"[n], "abde"[n]);
        snprintf(text + used, sizeof text - used, "contacts:\n  %s\nrun: {until: 0.01}\n", contacts[k]);
        free_run_parse(&run, text, 1e-8, NULL);
        const char *const *texts = carom_simulation_warnings(run.sim, &count);
        for (size_t n = 0; n < count; n++)
            told += strstr(texts[n], "[W33]") != NULL;
        assert_int_equal(told, k == 0 ? 1 : 2);
        assert_true((warning(run.sim, "contact 'c', 6 of its pairs: those such as 'a' and 'b' both have") != NULL) ==
                    (k == 0));
        assert_true((warning(run.sim, "contact 'l': 'd' and 'e' both have") != NULL) == (k == 1));
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_from_behind), cmocka_unit_test(test_turn),
                                       cmocka_unit_test(test_hands_over), cmocka_unit_test(test_flats),
                                       cmocka_unit_test(test_flats_of_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Static equilibrium against closed forms, in both formulations: coordinates, reactions, contact forces, energies,
   stability; what has none, and a motion that begins in it. */
#include "carom_test.h"

#include <math.h>

#include "support/context.h"

#define G 9.81
#define PLANE "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
#define SPACE "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
#define RUN "run: {analysis: equilibrium}\n"

static double value_of(const carom_analysis *a, const char *name)
{
    double value = (double)NAN;
    assert_ok(ctx, carom_analysis_get(a, name, &value));
    return value;
}

/* A number of the row of a table whose first cell is `row`. */
static double cell_of(const carom_analysis *a, const char *table, const char *row, const char *column)
{
    const carom_analysis_table *t = carom_analysis_find_table(a, table);
    assert_non_null(t);
    for (size_t r = 0; r < t->row_count; r++)
        for (size_t c = 0; c < t->column_count; c++)
            if (strcmp(t->cells[r * t->column_count].text, row) == 0 && strcmp(t->columns[c].name, column) == 0)
                return t->cells[r * t->column_count + c].number;
    fail_msg("no %s of %s in %s", column, row, table);
    return 0;
}

static bool says(const carom_analysis *a, const char *part)
{
    const carom_analysis_table *t = carom_analysis_find_table(a, "verdict");
    for (size_t r = 0; r < t->row_count; r++)
        if (strstr(t->cells[r].text, part))
            return true;
    return false;
}

static void near(const char *what, double value, double exact, double relative)
{
    if (!(fabs(value - exact) <= relative * fabs(exact)))
        fail_msg("%s: %.17g instead of %.17g, error %.1e", what, value, exact, fabs(value / exact - 1));
}

static carom_status analyse(const carom_model *model, int tree, carom_analysis **out)
{
    carom_run_def run = *carom_model_get_run(model, 0);
    carom_analysis_def def = carom_default_analysis_def();
    run.analysis = "equilibrium";
    run.formulation = tree ? "tree" : "cartesian";
    def.run_def = &run;
    return carom_analysis_run(ctx, model, &def, out);
}

static carom_analysis *found(const carom_model *model, int tree)
{
    carom_analysis *a = NULL;
    assert_ok(ctx, analyse(model, tree, &a));
    assert_true(value_of(a, "residual") < 1e-9);
    return a;
}

/* Calls `expect` with the equilibrium of a text in both formulations. */
static void in_both(const char *text, void (*expect)(const carom_analysis *a))
{
    carom_model *model = new_model(ctx, text);
    for (int tree = 0; tree < 2; tree++) {
        carom_analysis *a = found(model, tree);
        expect(a);
        carom_analysis_free(a);
    }
    carom_model_free(model);
}

static void refused(const char *text, const char *part)
{
    carom_model *model = new_model(ctx, text);
    for (int tree = 0; tree < 2; tree++) {
        carom_analysis *a = NULL;
        assert_refused(ctx, analyse(model, tree, &a), CAROM_ERROR_MODEL, part);
        assert_true(carom_context_last_error(ctx).line > 0);
    }
    carom_model_free(model);
}

/* ---- contacts ---- */

/* delta = (m g/K)^(2/3); the energy 2/5 K delta^(5/2). */
static void expect_ball(const carom_analysis *a)
{
    const double delta = pow(2 * G / 1e6, 2.0 / 3);
    near("indentation", cell_of(a, "contacts", "c", "indentation"), delta, 1e-12);
    near("normal force", cell_of(a, "contacts", "c", "normal"), 2 * G, 1e-12);
    near("elastic", value_of(a, "elastic"), 0.4 * 1e6 * pow(delta, 2.5), 1e-12);
    near("potential", value_of(a, "potential"), 2 * G * (0.05 - delta), 1e-12);
    near("stiffness", value_of(a, "least_stiffness"), 1.5 * 1e6 * sqrt(delta) / 2, 1e-6);
    assert_true(value_of(a, "neutral") == 5 && value_of(a, "unstable") == 0);
    assert_true(says(a, "neutral: nothing brings back 'ball' moves along x, 'ball' moves along y, "
                        "'ball' turns about x and "
                        "2 more; else stable"));
}

static void test_ball(void **state)
{
    (void)state;
    in_both(SPACE "bodies: {ball: {mass: 2, inertia: [1e-3, 1e-3, 1e-3], at: [0, 0, 0.3], velocity: [1, 0, 0]}}\n"
                  "shapes:\n  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
                  "  ball: {type: sphere, on: ball, radius: 0.05}\n"
                  "contacts: {c: {between: [floor, ball], normal: {law: flores, stiffness: 1e6, "
                  "restitution: 0.8}}}\n" RUN,
            expect_ball);
}

/* A cap on a base of K = 8e8 N/m, which a bolt of 2e8 N/m presses down by 10 kN before it is pulled up by P, without
   weights: it sinks by (10 kN - P)/1e9, or hangs in the bolt, stretched by P/2e8. What acts is nothing together. */
static void test_bolt(void **state)
{
    (void)state;
    static const double pulls[] = {0, 6e3, 9e3, 12e3};
    for (int n = 0; n < 4; n++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\ngravity: [0, 0, 0]\n"
                 "bodies:\n  cap: {mass: 2, inertia: [1e-3, 1e-3, 1e-3], at: [0, 0, 20*mm],\n"
                 "        frames: {bolt: [0, 0, 30*mm]}}\n"
                 "joints: {guide: {type: translational, between: [ground, cap], axis: [0, 0, 1]}}\n"
                 "shapes:\n  base: {type: plane, on: ground, normal: [0, 0, 1]}\n"
                 "  face: {type: sphere, on: cap, at: [0, 0, -10*mm], radius: 10*mm}\n"
                 "contacts: {seat: {between: [base, face], normal: {law: hooke, stiffness: 8e8}}}\n"
                 "loads:\n  bolt: {type: spring, between: [ground, cap.bolt], stiffness: 2e8, length: 49.95*mm}\n"
                 "  pull: {type: force, on: cap, force: [0, 0, %g]}\n" RUN,
                 pulls[n]);
        carom_model *model = new_model(ctx, text);
        for (int tree = 0; tree < 2; tree++) {
            carom_analysis *a = found(model, tree); /* residual < 1e-9 */
            const bool bears = pulls[n] < 1e4;
            const double sunk = bears ? (1e4 - pulls[n]) / 1e9 : (1e4 - pulls[n]) / 2e8;
            printf("bolt pulled by %g N: sunk by %g m, residual %.1e\n", pulls[n], sunk, value_of(a, "residual"));
            /* 70 roundings of 0.05 m */
            assert_true(fabs(cell_of(a, "joints", "guide", "after") - (0.02 - sunk)) < 5e-16);
            if (bears)
                near("seat", cell_of(a, "contacts", "seat", "normal"), 8e8 * sunk, 1e-10);
            near("stiffness", value_of(a, "least_stiffness"), bears ? 5e8 : 1e8, 1e-6);
            assert_true(says(a, "stable"));
            carom_analysis_free(a);
        }
        carom_model_free(model);
    }
}

#define STACKED(name, mass, z)                                                                                     \
    "  " name ": {mass: " mass ", inertia: [1e-3, 1e-3, 1e-3], at: [0, 0, " z "]}\n"
#define TUBE(name) "  tube_" name ": {type: translational, between: [ground, " name "], axis: [0, 0, 1]}\n"
#define BALL(name) "  " name ": {type: sphere, on: " name ", radius: 0.05}\n"
#define TOUCH(name, i, j)                                                                                          \
    "  " name ": {between: [" i ", " j "], normal: {law: lankarani-nikravesh, stiffness: 1e6, restitution: 0.8}}\n"

static void expect_stack(const carom_analysis *a)
{
    const double load[] = {7 * G, 6 * G, 4 * G}, mass[] = {1, 2, 4};
    const char *const names[] = {"a", "b", "c"}, *const tubes[] = {"tube_one", "tube_two", "tube_three"};
    double z = -0.05, energy = 0;
    for (int k = 0; k < 3; k++) {
        const double delta = pow(load[k] / 1e6, 2.0 / 3);
        near("indentation", cell_of(a, "contacts", names[k], "indentation"), delta, 1e-11);
        near("force", cell_of(a, "contacts", names[k], "fz"), load[k], 1e-11);
        z += 0.1 - delta;
        near("height", cell_of(a, "joints", tubes[k], "after"), z, 1e-13);
        energy += mass[k] * G * z;
    }
    near("potential", value_of(a, "potential"), energy, 1e-12);
    assert_true(says(a, "stable") && value_of(a, "neutral") == 0);
}

static void test_stack(void **state)
{
    (void)state;
    in_both(SPACE "bodies:\n" STACKED("one", "1", "0.051") STACKED("two", "2", "0.153") STACKED("three", "4", "0.256")
            "joints:\n" TUBE("one") TUBE("two") TUBE("three")
            "shapes:\n  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n" BALL("one") BALL("two") BALL("three")
            "contacts:\n" TOUCH("a", "floor", "one") TOUCH("b", "one", "two") TOUCH("c", "two", "three") RUN,
            expect_stack);
}

/* The feet of the hexapod's start lie as they do when it is turned by half a turn, so that each bears a sixth. */
static void test_hexapod(void **state)
{
    (void)state;
    carom_model *model = NULL;
    assert_ok(ctx, carom_model_load(ctx, CAROM_MODELS "/hexapod.yaml", NULL, 0, &model));
    const double weight = (2 + 6 * (0.1 + 0.15 + 0.1 + 0.02)) * G;
    for (int tree = 0; tree < 2; tree++) {
        carom_analysis *a = found(model, tree);
        double sum = 0;
        for (int k = 1; k <= 6; k++) {
            char name[20];
            snprintf(name, sizeof name, "foot_%d", k);
            const double force = cell_of(a, "contacts", name, "fz");
            near("foot", force, weight / 6, 1e-9);
            near("indentation", cell_of(a, "contacts", name, "indentation"), pow(weight / 6e6, 2.0 / 3), 1e-9);
            snprintf(name, sizeof name, "ankle_%d", k);
            near("ankle", cell_of(a, "reactions", name, "fz"), 0.02 * G - force, 1e-9);
            sum += force;
        }
        near("feet", sum, weight, 1e-11);
        assert_true(value_of(a, "neutral") == 3 && says(a, "'torso' turns about z; else stable"));
        carom_analysis_free(a);
    }
    carom_model_free(model);
}

#define BLOCK(slope, law)                                                                                          \
    SPACE "parameters: {slope: " slope "}\n"                                                                       \
          "bodies: {block: {mass: 2, inertia: [0.01, 0.01, 0.01], at: [0.06*sin(slope), 0, 0.06*cos(slope)], "     \
          "orientation: {axis: [0, 1, 0], angle: slope}}}\n"                                                       \
          "shapes:\n  slope: {type: plane, on: ground, normal: [sin(slope), 0, cos(slope)]}\n"                     \
          "  block: {type: box, on: block, size: [0.2, 0.2, 0.1]}\n"                                               \
          "contacts: {feet: {between: [slope, block], normal: {law: hunt-crossley, stiffness: 1e6, exponent: 1, "  \
          "restitution: 0.5}, friction: {law: " law ", kinetic: 0.5}}}\n" RUN

/* Friction of the four corners m g sin(slope), pressure m g cos(slope), moments about the middle of the lower face;
   that
   lies deeper by up to the indentation, 2e-5 of the height. */
static void expect_block(const carom_analysis *a)
{
    const double slope = 20 * acos(-1) / 180, low = 2 * G / 4 * (cos(slope) + sin(slope) * 0.05 / 0.1);
    const char *const feet[] = {"feet.1", "feet.2", "feet.3", "feet.4"};
    double normal = 0, most = 0, x = 0, z = 0;
    for (int k = 0; k < 4; k++) {
        normal += cell_of(a, "contacts", feet[k], "normal");
        most = fmax(most, cell_of(a, "contacts", feet[k], "normal"));
        x += cell_of(a, "contacts", feet[k], "fx");
        z += cell_of(a, "contacts", feet[k], "fz");
        near("spare", cell_of(a, "contacts", feet[k], "spare"), 1 - tan(slope) / 0.5, 1e-4);
    }
    near("normal force", normal, 2 * G * cos(slope), 1e-10);
    near("weight", z, 2 * G, 1e-10);
    near("lower feet", most, low, 1e-4);
    assert_true(fabs(x) < 1e-9 && value_of(a, "held_by_friction") == 3 && says(a, "stable"));
}

/* Two boxes of 1 and 2 kg, the upper one 0.03 m beside the middle of the floor and the lower one 0.01 m: moments about
   the left lower corner of each. Nothing but friction keeps them from turning off each other. */
static void expect_two_boxes(const carom_analysis *a)
{
    near("upper box, left", cell_of(a, "contacts", "k.a-b.5", "normal"), 10, 1e-4);
    near("upper box, right", cell_of(a, "contacts", "k.a-b.6", "normal"), 10, 1e-4);
    near("lower box, left", cell_of(a, "contacts", "k.a-f.1", "normal"), 13, 1e-4);
    near("lower box, right", cell_of(a, "contacts", "k.a-f.2", "normal"), 17, 1e-4);
    assert_true(value_of(a, "contacts") == 4 && value_of(a, "held_by_friction") == 2);
    /* to the side friction holds them anywhere: where they end depends on the way of the search */
    assert_true(value_of(a, "moved") < 1e-3 * 0.2);
    assert_true(says(a, "stable") && !says(a, "not near"));
}

#define TWO_BOXES(law)                                                                                             \
    "carom: 1\ndimension: 2\ngravity: [0, -10]\nbodies:\n"                                                        \
    "  a: {mass: 1, inertia: 0.005, at: [0.01, 0.1]}\n  b: {mass: 2, inertia: 0.005, at: [0.03, 0.3]}\n"           \
    "shapes:\n  a: {type: box, on: a, size: [0.2, 0.2]}\n  b: {type: box, on: b, size: [0.1, 0.2]}\n"             \
    "  f: {type: box, on: ground, at: [0, -0.5], size: [4, 1]}\n"                                                  \
    "contacts: {k: {all: ['*'], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 1000}, "                      \
    "friction: {law: " law ", kinetic: 0.4}}}\n" RUN

/* A rod that its hinge holds 0.02 rad beside its hanging pose: m g sin(0.02) 0.3 is less than mu N r. */
#define STIFF_HINGE(law)                                                                                           \
    PLANE "bodies: {rod: {mass: 2, inertia: 0.06, at: [0.3*sin(0.02), -0.3*cos(0.02)], angle: 0.02, "             \
          "frames: {root: [0, 0.3]}}}\njoints: {pin: {type: revolute, between: [ground, rod.root], "               \
          "friction: {law: " law ", kinetic: 0.4, radius: 0.05}}}\n" RUN

static void expect_stiff_hinge(const carom_analysis *a)
{
    near("angle", cell_of(a, "joints", "pin", "after"), 0.02, 1e-12);
    near("reaction", cell_of(a, "reactions", "pin", "fy"), 2 * G, 1e-12);
    assert_true(value_of(a, "held_by_friction") == 1 && says(a, "nothing can move"));
}

/* Laws that hold by a deflection hold as those do that solve for stick. */
static void test_friction_that_holds(void **state)
{
    (void)state;
    static const char *const laws[] = {"coulomb", "karnopp", "mindlin", "dahl", "lugre", "gonthier"};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        char text[900];
        snprintf(text, sizeof text, TWO_BOXES("%s"), laws[k]);
        in_both(text, expect_two_boxes);
        snprintf(text, sizeof text, BLOCK("20*deg", "%s"), laws[k]);
        if (k != 1) /* karnopp takes its speed of rest off the share that is left */
            in_both(text, expect_block);
        snprintf(text, sizeof text, BLOCK("35*deg", "%s"), laws[k]);
        refused(text, "the friction of contact 'feet.1' cannot hold");
        snprintf(text, sizeof text, STIFF_HINGE("%s"), laws[k]);
        if (k != 2) /* mindlin is for contacts */
            in_both(text, expect_stiff_hinge);
    }
}

static void test_friction(void **state)
{
    (void)state;
    in_both(BLOCK("20*deg", "coulomb"), expect_block);
    refused(BLOCK("35*deg", "coulomb"), "the friction of contact 'feet.1' cannot hold");
    refused(BLOCK("20*deg", "threlfall"), "is regularised and has no force at rest; `friction: coulomb` holds");
}

#define WHEEL(name, x, y)                                                                                          \
    "  w" name ": {mass: 1, inertia: [0.003, 0.005, 0.003], at: [" x ", " y ", 0.1]}\n"
#define AXLE(name, x, y)                                                                                           \
    "  a" name ": {type: revolute, between: [{box: [" x ", " y ", -0.2]}, w" name "], axis: [0, 1, 0]}\n"
#define TYRE(name) "  w" name ": {type: sphere, on: w" name ", radius: 0.1}\n"
#define ROLLS(name)                                                                                                \
    "  w" name ": {between: [floor, w" name "], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.5}, "  \
    "friction: {law: coulomb, kinetic: 0.6}}\n"

/* A trolley of 24 kg rolls 0.35 m down a slope of 0.1 rad to a bumper, which bears all of it: wheels that roll do
   not. */
static void expect_trolley(const carom_analysis *a)
{
    near("bumper", cell_of(a, "contacts", "bump", "normal"), 24 * G * sin(0.1), 1e-9);
    near("bumper's indentation", cell_of(a, "contacts", "bump", "indentation"), pow(24 * G * sin(0.1) / 1e5, 2.0 / 3),
         1e-9);
    double sum = 0;
    for (int k = 1; k <= 4; k++)
        sum += cell_of(a, "contacts", (const char *const[]){"w1", "w2", "w3", "w4"}[k - 1], "normal");
    near("floor", sum, 24 * G * cos(0.1), 1e-9);
    near("way", cell_of(a, "joints", "a1", "after"), (0.35 + pow(24 * G * sin(0.1) / 1e5, 2.0 / 3)) / 0.1, 1e-2);
    assert_true(value_of(a, "held_by_friction") == 6 && says(a, "stable"));
}

static void test_trolley(void **state)
{
    (void)state;
    in_both("carom: 1\ndimension: 3\ngravity: [9.81*sin(0.1), 0, -9.81*cos(0.1)]\nbodies:\n"
            "  box: {mass: 20, inertia: [1, 2, 2], at: [0, 0, 0.3]}\n"
            WHEEL("1", "0.4", "0.3") WHEEL("2", "0.4", "-0.3") WHEEL("3", "-0.4", "0.3") WHEEL("4", "-0.4", "-0.3")
            "joints:\n" AXLE("1", "0.4", "0.3")
            AXLE("2", "0.4", "-0.3") AXLE("3", "-0.4", "0.3") AXLE("4", "-0.4", "-0.3") "shapes:\n"
            "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
            "  stop: {type: plane, on: ground, normal: [-1, 0, 0], at: [1, 0, 0]}\n"
            "  nose: {type: sphere, on: box, at: [0.6, 0, 0], radius: 0.05}\n"
            TYRE("1") TYRE("2") TYRE("3") TYRE("4") "contacts:\n" ROLLS("1") ROLLS("2") ROLLS("3") ROLLS("4")
            "  bump: {between: [stop, nose], normal: {law: hunt-crossley, stiffness: 1e5, restitution: 0.5}}\n" RUN,
            expect_trolley);
}

/* ---- mechanisms ---- */

#define PIVOT "joints: {pin: {type: revolute, between: [ground, rod.root]}}\n"

static void expect_hanging(const carom_analysis *a)
{
    near("angle", cell_of(a, "joints", "pin", "after"), -acos(-1) / 2, 1e-13);
    near("reaction", cell_of(a, "reactions", "pin", "fy"), 2 * G, 1e-13);
    assert_true(fabs(cell_of(a, "reactions", "pin", "fx")) < 1e-12 && says(a, "stable"));
    near("stiffness", value_of(a, "least_stiffness"), 2 * G * 0.3 / (0.06 + 2 * 0.09), 1e-8);
    assert_true(cell_of(a, "reactions", "pin", "unique") == 1 && value_of(a, "degrees_of_freedom") == 1);
}

static void expect_upright(const carom_analysis *a)
{
    near("stiffness", value_of(a, "least_stiffness"), -2 * G * 0.3 / (0.06 + 2 * 0.09), 1e-8);
    assert_true(value_of(a, "unstable") == 1 && says(a, "unstable: it leaves this pose as 'pin' turns"));
    assert_true(value_of(a, "moved") < 1e-15);
}

/* A motion with an angle of 0.3 rad, at some rate, has the moment of rest. */
static void expect_driven(const carom_analysis *a)
{
    near("angle", cell_of(a, "joints", "pin", "after"), 0.3, 1e-13);
    near("moment", cell_of(a, "reactions", "pin", "mz"), 2 * G * 0.3 * cos(0.3), 1e-12);
    assert_true(says(a, "nothing can move") && fabs(cell_of(a, "reactions", "pin", "fx")) < 1e-12);
}

/* The motor of gain 100 is off its target 0.4 by e, where 100 e = m g c cos(0.4 - e). */
static void expect_motor(const carom_analysis *a)
{
    double e = 0;
    for (int k = 0; k < 60; k++)
        e = 2 * G * 0.3 * cos(0.4 - e) / 100;
    near("angle", cell_of(a, "joints", "pin", "after"), 0.4 - e, 1e-12);
    assert_true(says(a, "stable"));
}

/* The integral of a motor does not grow here. */
static void expect_integral(const carom_analysis *a)
{
    expect_motor(a);
    assert_true(says(a, "load 'm' is held as it starts"));
}

static void test_pendulum(void **state)
{
    (void)state;
    in_both(PLANE "bodies: {rod: {mass: 2, inertia: 0.06, at: [0.3, 0], frames: {root: [-0.3, 0]}}}\n" PIVOT RUN,
            expect_hanging);
    in_both(PLANE "bodies: {rod: {mass: 2, inertia: 0.06, at: [0, 0.3], angle: pi/2, frames: {root: [-0.3, "
                  "0]}}}\n" PIVOT
                RUN,
            expect_upright);
    in_both(PLANE "bodies: {rod: {mass: 2, inertia: 0.06, at: [0.3, 0], frames: {root: [-0.3, 0]}}}\n"
                  "joints: {pin: {type: revolute, between: [ground, rod.root], motion: 0.3 + 5*t + 40*t^2}}\n" RUN,
            expect_driven);
    in_both(PLANE "bodies: {rod: {mass: 2, inertia: 0.06, at: [0.3, 0], frames: {root: [-0.3, 0]}}}\n" PIVOT
                  "loads: {m: {type: motor, on: pin, target: 0.4 + 3*t, proportional: 100, derivative: 7}}\n" RUN,
            expect_motor);
    in_both(PLANE "bodies: {rod: {mass: 2, inertia: 0.06, at: [0.3, 0], frames: {root: [-0.3, 0]}}}\n" PIVOT
                  "loads: {m: {type: motor, on: pin, target: 0.4, proportional: 100, integral: 9, "
                  "derivative: 7}}\n" RUN,
            expect_integral);
}

/* A parallelogram with cranks of length 0.3 and 0.5 kg, a rod of 1.2 kg, and a spring of 9 N m/rad that rests at 1 rad:
   9 (theta - 1) + 1.7 g 0.3 cos(theta) = 0. */
static void expect_four_bar(const carom_analysis *a)
{
    const double moment = 1.7 * G * 0.3;
    double theta = 0.5;
    for (int k = 0; k < 40; k++)
        theta -= (9 * (theta - 1) + moment * cos(theta)) / (9 - moment * sin(theta));
    near("crank", cell_of(a, "joints", "left", "after"), theta, 1e-12);
    near("stiffness", value_of(a, "least_stiffness"),
         (9 - moment * sin(theta)) / (2 * (0.004 + 0.5 * 0.0225) + 1.2 * 0.09), 1e-7);
    near("elastic", value_of(a, "elastic"), 4.5 * pow(theta - 1, 2), 1e-11);
    near("support", cell_of(a, "reactions", "left", "fy") + cell_of(a, "reactions", "right", "fy"), 2.2 * G, 1e-12);
    assert_true(says(a, "stable"));
}

#define CRANK(name, x)                                                                                             \
    "  " name ": {mass: 0.5, inertia: 0.004, at: [" x " + 0.15*cos(1), 0.15*sin(1)], angle: 1, " \
    "frames: {a: [-0.15, 0], " \
    "b: [0.15, 0]}}\n"

static void test_four_bar(void **state)
{
    (void)state;
    in_both(PLANE "bodies:\n" CRANK("one", "0") CRANK("two", "0.4")
                  "  rod: {mass: 1.2, inertia: 0.02, at: [0.2 + 0.3*cos(1), 0.3*sin(1)], frames: {a: [-0.2, 0], "
                  "b: [0.2, 0]}}\n"
                  "joints:\n"
                  "  left: {type: revolute, between: [ground, one.a], spring: {stiffness: 9, free: 1}}\n"
                  "  right: {type: revolute, between: [{ground: [0.4, 0]}, two.a]}\n"
                  "  up: {type: revolute, between: [one.b, rod.a]}\n"
                  "  down: {type: revolute, between: [two.b, rod.b]}\n" RUN,
            expect_four_bar);
}

#define LINKS 10

/* Ten links of 0.2 m and 0.5 kg between points 1.4 m apart; the tangent of the angle of the k-th is (4.5 - k) w/H,
   and H
   closes the chain. */
static double pull(void)
{
    const double w = 0.5 * G;
    double low = 1e-3, high = 1e3;
    for (int n = 0; n < 200; n++) {
        const double h = 0.5 * (low + high);
        double span = 0;
        for (int k = 0; k < LINKS; k++)
            span += 0.2 * cos(atan((4.5 - k) * w / h));
        *(span < 1.4 ? &low : &high) = h;
    }
    return low;
}

static void expect_chain(const carom_analysis *a)
{
    const double h = pull(), w = 0.5 * G;
    for (int k = 0; k <= LINKS; k++) {
        char name[8];
        snprintf(name, sizeof name, "j%d", k);
        near("pull", cell_of(a, "reactions", name, "fx"), -h, 1e-11);
        assert_true(fabs(cell_of(a, "reactions", name, "fy") - (5 - k) * w) < 1e-11 * w);
    }
    near("first link", cell_of(a, "joints", "j0", "after"), -atan(4.5 * w / h), 1e-12);
    assert_true(value_of(a, "degrees_of_freedom") == LINKS - 2 && says(a, "stable"));
}

static void test_chain(void **state)
{
    (void)state;
    char text[6000];
    const double slope = acos(0.7);
    int n = snprintf(text, sizeof text, PLANE "bodies:\n");
    for (int k = 0; k < LINKS; k++) /* a V */
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  k%d: {mass: 0.5, inertia: 0.002, at: [%.15g, %.15g], angle: %.15g, frames: {a: [-0.1, 0], b: "
                      "[0.1, 0]}}\n",
                      k, 0.14 * (k + 0.5), -0.2 * sin(slope) * (k < 5 ? k + 0.5 : 9.5 - k), k < 5 ? -slope : slope);
    n += snprintf(text + n, sizeof text - (size_t)n, "joints:\n  j0: {type: revolute, between: [ground, k0.a]}\n");
    for (int k = 1; k < LINKS; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, "  j%d: {type: revolute, between: [k%d.b, k%d.a]}\n", k,
                      k - 1, k);
    snprintf(text + n, sizeof text - (size_t)n,
             "  j10: {type: revolute, between: [k9.b, {ground: [1.4, 0]}]}\n" RUN);
    in_both(text, expect_chain);
}

/* A pad on a vertical guide, pushed by a spring of free length hypot(0.3, 0.1) that stands 0.3 m beside: it rests 0.1
   m above
   or below, whichever is nearer, and between these on its point of change. */
#define TOGGLE(start)                                                                                              \
    "carom: 1\ndimension: 2\nbodies: {pad: {mass: 2, inertia: 0.01, at: [0.3, " start "]}}\n"                      \
    "joints: {guide: {type: translational, between: [{ground: [0.3, 0]}, pad], axis: [0, 1]}}\n"                   \
    "loads: {s: {type: spring, between: [ground, pad], stiffness: 2000, length: sqrt(0.1)}}\n" RUN

static void expect_up(const carom_analysis *a)
{
    near("height", cell_of(a, "joints", "guide", "after"), 0.1, 1e-12);
    near("stiffness", value_of(a, "least_stiffness"), 2000 * 0.01 / 0.1 / 2, 1e-8);
    assert_true(says(a, "stable"));
}

static void expect_down(const carom_analysis *a)
{
    near("height", cell_of(a, "joints", "guide", "after"), -0.1, 1e-12);
    assert_true(says(a, "stable"));
}

static void expect_between(const carom_analysis *a)
{
    assert_true(fabs(cell_of(a, "joints", "guide", "after")) < 1e-15);
    near("stiffness", value_of(a, "least_stiffness"), 1000 * (1 - sqrt(0.1) / 0.3), 1e-8);
    assert_true(says(a, "unstable: it leaves this pose as 'guide' slides"));
}

static void test_toggle(void **state)
{
    (void)state;
    in_both(TOGGLE("1e-4"), expect_up);
    in_both(TOGGLE("0.25"), expect_up);
    in_both(TOGGLE("-1e-4"), expect_down);
    in_both(TOGGLE("0"), expect_between);
}

/* Ziegler's column: masses of 2 and 1 kg on links of 1 m with springs of 1 N m/rad, pushed by P along the last link:
   2 x^2 - (7 - 2 P) x + 1 = 0; beyond P = 7/2 - sqrt(2) it flutters. */
#define COLUMN(push)                                                                                               \
    "carom: 1\ndimension: 2\nbodies:\n  one: {mass: 2, inertia: 1e-9, at: [1, 0], frames: {root: [-1, 0]}}\n"     \
    "  two: {mass: 1, inertia: 1e-9, at: [2, 0], frames: {root: [-1, 0]}}\n"                                       \
    "joints:\n  low: {type: revolute, between: [ground, one.root], spring: {stiffness: 1}}\n"                      \
    "  up: {type: revolute, between: [one, two.root], spring: {stiffness: 1}}\n"                                   \
    "loads: {push: {type: force, on: two, force: [-" push ", 0], axes: two}}\n" RUN

static void expect_column(const carom_analysis *a)
{
    near("stiffness", value_of(a, "least_stiffness"), (5 - sqrt(17)) / 4, 1e-7);
    near("reaction", cell_of(a, "reactions", "low", "fx"), 1, 1e-12);
    assert_true(says(a, "stable") && !says(a, "without a potential"));
}

static void expect_flutter(const carom_analysis *a)
{
    near("stiffness", value_of(a, "least_stiffness"), 0.5, 1e-7);
    assert_true(value_of(a, "unstable") == 0 && says(a, "forces without a potential couple motions"));
}

static void test_follower(void **state)
{
    (void)state;
    in_both(COLUMN("1"), expect_column);
    in_both(COLUMN("2.5"), expect_flutter);
}

/* Two hinged links of L with a spring k between them that P presses together: K = (4 k - 2 P L)/(2 J), with
   J = 1.1e-3 kg m^2 of a link about its end, L = 0.2 m; none at P = 2 k/L, of whatever size force and spring are. */
#define LINK(name, y)                                                                                              \
    "  " name ": {mass: 0.1, inertia: 1e-4, at: [0, " y "], angle: 90*deg, "                                       \
    "frames: {o: [-0.1, 0], e: [0.1, 0]}}\n"

static void test_buckling(void **state)
{
    (void)state;
    static const double share[] = {0, 0.9, 0.999999, 1, 1.000001, 1.01}, size[] = {1e-3, 1, 1e3, 0.7, 3e6 / 7};
    for (size_t s = 0; s < sizeof size / sizeof *size; s++)
        for (size_t k = 0; k < sizeof share / sizeof *share; k++) {
            char text[1200];
            snprintf(text, sizeof text,
                     "carom: 1\ndimension: 2\nparameters: {k: 10*%.17g, P: 100*%.17g*%.17g}\nbodies:\n"
                     LINK("a", "0.1") LINK("b", "0.3")
                     "joints:\n  A: {type: revolute, between: [ground, a.o]}\n"
                     "  M: {type: revolute, between: [a.e, b.o], spring: {stiffness: k}}\n"
                     "  E: {type: point-in-line, between: [ground, b.e], axis: [0, 1]}\n"
                     "loads: {p: {type: force, on: b.e, force: [0, -P]}}\n" RUN,
                     size[s], size[s], share[k]);
            carom_model *model = new_model(ctx, text);
            for (int tree = 0; tree < 2; tree++) {
                carom_analysis *a = found(model, tree);
                const double all = 40 * size[s] / 2.2e-3, least = value_of(a, "least_stiffness");
                assert_true(says(a, share[k] < 1   ? "stable"
                                    : share[k] > 1 ? "unstable: it leaves"
                                                   : "neutral: nothing brings back"));
                assert_true(value_of(a, "neutral") == (share[k] == 1));
                assert_true(fabs(least - all * (1 - share[k])) < 1e-9 * all);
                carom_analysis_free(a);
            }
            carom_model_free(model);
        }
}

/* A wheel that rolls up a slope of 0.2 rad, 100 (0.2 + 0.5 - x) = 3 g sin(0.2) at a spring; it stands on a point, and
   falls over unless it begins upright. */
static void expect_wheel(const carom_analysis *a)
{
    near("place", cell_of(a, "bodies", "wheel", "after"), 0.7 - 3 * G * sin(0.2) / 100, 1e-6);
    assert_true(value_of(a, "load_steps") > 0 && says(a, "unstable: it leaves this pose as 'wheel' turns about x"));
    assert_true(says(a, "the forces lead away from it"));
}

static void test_unstable(void **state)
{
    (void)state;
    in_both("carom: 1\ndimension: 3\ngravity: [-9.81*sin(0.2), 0, -9.81*cos(0.2)]\n"
            "bodies: {wheel: {mass: 3, inertia: [0.01, 0.015, 0.01], at: [0.5, 0, 0.1]}}\n"
            "joints: {roll: {type: rolling, between: [ground, wheel], radius: 0.1, axis: [0, 0, 1], "
            "axis2: [0, 1, 0]}}\n"
            "loads: {s: {type: spring, between: [{ground: [2, 0, 0.1]}, wheel], stiffness: 100, length: 1.3}}\n" RUN,
            expect_wheel);
}

/* ---- redundant, neutral ---- */

static void expect_door(const carom_analysis *a)
{
    near("low", cell_of(a, "reactions", "low", "fz"), 10 * G, 1e-12);
    near("high", cell_of(a, "reactions", "high", "fz"), 10 * G, 1e-12);
    assert_true(cell_of(a, "reactions", "low", "unique") == 0 && cell_of(a, "reactions", "stop", "unique") == 1);
    assert_true(value_of(a, "redundant") == 5 && value_of(a, "neutral") == 1);
    assert_true(says(a, "nothing brings back 'low' turns") && says(a, "reactions marked with unique = 0"));
}

/* Pans of a Roberval balance bear the same wherever their loads lie. */
static void expect_roberval(const carom_analysis *a)
{
    near("support", cell_of(a, "reactions", "p1", "fy") + cell_of(a, "reactions", "p2", "fy"), 4.6 * G, 1e-12);
    near("couple", cell_of(a, "reactions", "a1", "fx"), 2 * G * 0.07 / 0.1, 1e-12);
    assert_true(says(a, "neutral: nothing brings back 'p1' turns") && value_of(a, "neutral") == 1);
    assert_true(value_of(a, "moved") == 0);
}

static void test_redundant(void **state)
{
    (void)state;
    in_both(SPACE "bodies:\n"
                  "  leaf: {mass: 20, inertia: [5, 7, 2], at: [0.5, 0, 1], frames: {low: [-0.5, 0, -0.8], "
                  "high: [-0.5, 0, 0.8]}}\n"
                  "  bell: {mass: 1, inertia: [1, 1, 1], at: [3, 0, 0]}\n"
                  "joints:\n  low: {type: revolute, between: [{ground: [0, 0, 0.2]}, leaf.low], axis: [0, 0, 1]}\n"
                  "  high: {type: revolute, between: [{ground: [0, 0, 1.8]}, leaf.high], axis: [0, 0, 1]}\n"
                  "  stop: {type: fixed, between: [{ground: [3, 0, 0]}, bell]}\n" RUN,
            expect_door);
    in_both(PLANE "bodies:\n  top: {mass: 0.3, inertia: 4e-3, at: [0, 0.1], frames: {a: [-0.2, 0], b: [0.2, 0]}}\n"
                  "  low: {mass: 0.3, inertia: 4e-3, at: [0, 0], frames: {a: [-0.2, 0], b: [0.2, 0]}}\n"
                  "  left: {mass: 2, inertia: 0.01, at: [-0.27, 0.05], frames: {top: [0.07, 0.05], low: [0.07, "
                  "-0.05]}}\n"
                  "  right: {mass: 2, inertia: 0.01, at: [0.2, 0.05], frames: {top: [0, 0.05], low: [0, -0.05]}}\n"
                  "joints:\n  p1: {type: revolute, between: [{ground: [0, 0.1]}, top]}\n"
                  "  p2: {type: revolute, between: [ground, low]}\n"
                  "  a1: {type: revolute, between: [top.a, left.top]}\n  a2: {type: revolute, between: [low.a, "
                  "left.low]}\n"
                  "  b1: {type: revolute, between: [top.b, right.top]}\n  b2: {type: revolute, between: [low.b, "
                  "right.low]}\n"
            RUN,
            expect_roberval);
}

/* ---- none, and what follows ---- */

static void test_none(void **state)
{
    (void)state;
    refused(SPACE "bodies: {stone: {mass: 20, inertia: [5, 7, 2], at: [0.5, 0, 1]}}\n" RUN,
            "the bodies go away: after");
    refused(PLANE "bodies: {wheel: {mass: 20, inertia: 1, at: [0, 0]}}\n"
                  "joints: {axle: {type: revolute, between: [ground, wheel]}}\n"
                  "loads: {drive: {type: torque, on: wheel, torque: 3}}\n" RUN,
            "nothing balances the motion 'axle' turns, and body 'wheel' accelerates by 3 rad/s^2");
}

/* Boxes of 0.15 m and 0.1 m on one whose edge is at x = 0.1 m: their centre of mass is at (0.11 + x)/2 m, and beyond
   the edge they topple, whatever the friction is. A box that is pulled by 0.51 of its weight slides on a coefficient
   of 0.4. */
static void test_toppling(void **state)
{
    (void)state;
    static const char tower[] =
        PLANE "bodies:\n  b1: {mass: 2, inertia: 0.01, at: [0, 0.051]}\n  b2: {mass: 1, inertia: 0.005, at: [0.11, "
              "0.152]}\n  b3: {mass: 1, inertia: 0.005, at: [%s, 0.253]}\n"
              "shapes:\n  x: {type: box, on: b1, size: [0.2, 0.1]}\n  y: {type: box, on: b2, size: [0.15, 0.1]}\n"
              "  z: {type: box, on: b3, size: [0.1, 0.1]}\n  f: {type: plane, on: ground, normal: [0, 1]}\n"
              "contacts:\n"
              "  c1: {between: [f, x], normal: {law: hooke, stiffness: 1e6}, friction: {law: coulomb, kinetic: 0.4}}\n"
              "  c2: {between: [x, y], normal: {law: hooke, stiffness: 1e6}, friction: {law: coulomb, kinetic: 0.4}}\n"
              "  c3: {between: [y, z], normal: {law: hooke, stiffness: 1e6}, friction: {law: coulomb, kinetic: 0.4}}\n"
        RUN;
    char text[1600];
    snprintf(text, sizeof text, tower, "0.1");
    refused(text, "the bodies go away: after");
    assert_null(strstr(carom_context_error(ctx), "coefficient"));
    snprintf(text, sizeof text, tower, "0.08");
    carom_model *m = new_model(ctx, text);
    carom_analysis *a = NULL;
    assert_ok(ctx, carom_analysis_run(ctx, m, NULL, &a));
    carom_analysis_free(a);
    carom_model_free(m);
    refused(PLANE "bodies: {b: {mass: 1, inertia: 0.01, at: [0, 0.0501]}}\n"
                  "shapes:\n  y: {type: box, on: b, size: [0.2, 0.1]}\n"
                  "  f: {type: plane, on: ground, normal: [0, 1]}\n"
                  "loads: {pull: {type: force, on: b, force: [5, 0]}}\n"
                  "contacts: {c: {between: [f, y], normal: {law: hooke, stiffness: 1e6}, "
                  "friction: {law: coulomb, kinetic: 0.4}}}\n" RUN,
            "a greater coefficient or a stop would");
}

/* A motion that begins in the equilibrium stays there. */
static void test_previous(void **state)
{
    (void)state;
    static const char *const formulation[] = {"cartesian", "tree"};
    for (int tree = 0; tree < 2; tree++) {
        char text[900];
        snprintf(text, sizeof text,
                 SPACE "bodies: {arm: {mass: 2, inertia: [0.01, 0.06, 0.06], at: [0.3, 0, 0.06], "
                       "frames: {root: [-0.3, 0, 0]}}}\n"
                       "joints: {pin: {type: revolute, between: [{ground: [0, 0, 0.06]}, arm.root], axis: [0, 1, 0]}}\n"
                       "shapes:\n  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
                       "  tip: {type: sphere, on: arm, at: [0.3, 0, 0], radius: 0.05}\n"
                       "contacts: {c: {between: [floor, tip], normal: {law: flores, stiffness: 1e6, "
                       "restitution: 0.5}}}\n"
                       "run: [{analysis: equilibrium, formulation: %s}, {until: 0.5, start: previous, formulation: %s, "
                       "tolerance: 1e-10}]\n",
                 formulation[tree], formulation[tree]);
        carom_model *model = new_model(ctx, text);
        carom_analysis *rest = NULL, *motion = NULL;
        carom_analysis_def def = carom_default_analysis_def();
        assert_ok(ctx, carom_analysis_run(ctx, model, &def, &rest));
        def.run = 1;
        def.state = carom_analysis_state(rest);
        assert_ok(ctx, carom_analysis_run(ctx, model, &def, &motion));
        size_t count;
        const double *before = carom_state_positions(carom_analysis_state(rest), &count);
        const double *after = carom_state_positions(carom_analysis_state(motion), &count);
        for (size_t k = 0; k < count; k++)
            assert_true(fabs(after[k] - before[k]) < 1e-10);
        assert_true(value_of(motion, "time") == 0.5);
        carom_analysis_free(rest);
        carom_analysis_free(motion);
        carom_model_free(model);
    }
}

/* An arm of seven hinges that lies on the floor with two balls: a step along the valley in which they roll leaves
   forces of the floor, 1e8 times as stiff, which held the damped steps up. */
static void test_arm_on_floor(void **state)
{
    (void)state;
    carom_model *model = NULL;
    double potential[2], hand[2];
    assert_ok(ctx, carom_model_load(ctx, CAROM_MODELS "/iiwa_dropped.yaml", NULL, 0, &model));
    for (int tree = 0; tree < 2; tree++) {
        carom_analysis *a = found(model, tree);
        potential[tree] = value_of(a, "potential");
        hand[tree] = cell_of(a, "contacts", "hand", "normal");
        printf("arm on the floor: %g steps, potential %.12g J, hand %.9g N\n", value_of(a, "iterations"),
               potential[tree], hand[tree]);
        assert_true(value_of(a, "unstable") == 0 && value_of(a, "contacts") == 2);
        carom_analysis_free(a);
    }
    near("potential", potential[1], potential[0], 1e-9);
    near("hand", hand[1], hand[0], 1e-7);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),      cmocka_unit_test(test_stack),    cmocka_unit_test(test_hexapod),
        cmocka_unit_test(test_bolt),      cmocka_unit_test(test_buckling),
        cmocka_unit_test(test_friction),  cmocka_unit_test(test_friction_that_holds),
        cmocka_unit_test(test_pendulum), cmocka_unit_test(test_four_bar),
        cmocka_unit_test(test_chain),     cmocka_unit_test(test_toggle),   cmocka_unit_test(test_follower),
        cmocka_unit_test(test_unstable),  cmocka_unit_test(test_redundant), cmocka_unit_test(test_none),
        cmocka_unit_test(test_toppling),
        cmocka_unit_test(test_previous),  cmocka_unit_test(test_trolley),  cmocka_unit_test(test_arm_on_floor),
    };
    return cmocka_run_group_tests(tests, begin, end);
}

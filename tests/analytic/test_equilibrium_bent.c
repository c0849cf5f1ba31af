/* Equilibria at the end of bent ways about stiff contacts: a rod that turns about a bearing with play from any pose, a
   ball in a bowl, a slider-crank with a worn pin. Closed forms of where they rest, and the steps of the search, which
   are no more where the contact is stiffer; and chains that come to rest on stops of their joints, or on a force that
   an `if` begins; and feet of a machine that do not brace against each other. What ends at the most of steps says
   so. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/context.h"

#define G 9.81
#define PLANE "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"

static double value_of(const carom_analysis *a, const char *name)
{
    double value = (double)NAN;
    assert_ok(ctx, carom_analysis_get(a, name, &value));
    return value;
}

/* The number of a table's row that begins with these texts, behind them by so many columns. */
static double behind(const carom_analysis *a, const char *table, const char *row, const char *second, size_t columns)
{
    const carom_analysis_table *t = carom_analysis_find_table(a, table);
    for (size_t r = 0; t && r < t->row_count; r++) {
        const carom_analysis_cell *cell = t->cells + r * t->column_count;
        if (strcmp(cell[0].text, row) == 0 && strcmp(cell[1].text, second) == 0)
            return cell[1 + columns].number;
    }
    fail_msg("no %s, %s in %s", row, second, table);
    return 0;
}

static carom_analysis *rest_of(const char *text)
{
    carom_model *model = new_model(ctx, text);
    carom_analysis *a = NULL;
    assert_ok(ctx, carom_analysis_run(ctx, model, NULL, &a));
    assert_true(value_of(a, "residual") < 1e-9 && value_of(a, "unstable") == 0);
    carom_model_free(model);
    return a;
}

/* The rod hangs in its bearing, deeper by the play and the indentation (m g/K)^(2/3), from wherever it begins. */
static void rod_in_a_bearing(void **state)
{
    (void)state;
    static const double angles[] = {0.1, 0.5, 1, 2, 3, 3.1}, stiffness[] = {1e7, 1e9, 1e11};
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < 6; n++) {
            char text[900];
            snprintf(text, sizeof text,
                     PLANE "bodies: {rod: {mass: 2, inertia: 0.05, at: [%.17g, %.17g], angle: %g,\n"
                           "  frames: {top: [0, 0.3]}}}\n"
                           "joints: {pin: {type: revolute, between: [ground, rod.top], clearance: {radial: 0.2*mm,\n"
                           "  radius: 8*mm, normal: {law: hertz, stiffness: %g}}}}\nrun: {analysis: equilibrium}\n",
                     0.3 * sin(angles[n]), -0.3 * cos(angles[n]), angles[n], stiffness[k]);
            carom_analysis *a = rest_of(text);
            const double deep = 2e-4 + pow(2 * G / stiffness[k], 2.0 / 3);
            printf("rod from %g rad, K = %g: %g steps\n", angles[n], stiffness[k], value_of(a, "iterations"));
            assert_true(fabs(value_of(a, "potential") + 2 * G * (0.3 + deep)) < 1e-12);
            /* a step turns by 0.3 rad at most; some leave the pose on top, some close the end */
            assert_true(angles[n] > 3 || value_of(a, "iterations") <= 60);
            carom_analysis_free(a);
        }
}

/* A ball in a bowl without friction rests at its bottom, sunk by (m g/K)^(2/3), with the stiffness g/(R - r + d). */
static void ball_in_a_bowl(void **state)
{
    (void)state;
    for (int power = 6; power <= 13; power++) {
        char text[900];
        const double sunk = pow(G / pow(10, power), 2.0 / 3);
        snprintf(text, sizeof text,
                 PLANE "bodies: {ball: {mass: 1, inertia: 1e-4, at: [0.07, \"-sqrt(0.08^2 - 0.07^2)\"]}}\n"
                       "shapes:\n  bowl: {type: sphere, on: ground, radius: -0.1}\n"
                       "  ball: {type: sphere, on: ball, radius: 0.02}\n"
                       "contacts: {c: {between: [bowl, ball], normal: {law: hertz, stiffness: 1e%d}}}\n"
                       "run: {analysis: equilibrium}\n",
                 power);
        carom_analysis *a = rest_of(text);
        printf("ball in a bowl, K = 1e%d: %g steps\n", power, value_of(a, "iterations"));
        assert_true(fabs(value_of(a, "potential") + G * (0.08 + sunk)) < 1e-12);
        assert_true(fabs(value_of(a, "least_stiffness") * (0.08 + sunk) / G - 1) < 1e-4);
        assert_true(value_of(a, "iterations") <= 25);
        carom_analysis_free(a);
    }
}

/* Crank, rod and piston on a level guide: the crank hangs down, whatever play its pin has; with a play of c the rod is
   lower by at most c, as its other end is on the guide. */
#define CRANK(play)                                                                                                \
    PLANE "bodies:\n"                                                                                              \
          "  crank: {mass: 0.3, inertia: 1e-4, at: [0.02, 0.012], angle: 0.4,\n"                                   \
          "          frames: {a: [-0.025, 0], b: [0.025, 0]}}\n"                                                   \
          "  rod: {mass: 0.2, inertia: 4e-4, at: [0.12, 0.008], angle: -0.1,\n"                                    \
          "        frames: {a: [-0.075, 0], b: [0.075, 0]}}\n"                                                     \
          "  piston: {mass: 0.3, inertia: 1e-4, at: [0.19, 0]}\n"                                                  \
          "joints:\n  A: {type: revolute, between: [ground, crank.a]}\n"                                           \
          "  B: {type: revolute, between: [crank.b, rod.a]" play "}\n"                                             \
          "  C: {type: revolute, between: [rod.b, piston]}\n"                                                      \
          "  D: {type: translational, between: [ground, piston], axis: [1, 0]}\n"                                  \
          "run: {analysis: equilibrium}\n"

static void slider_crank_with_play(void **state)
{
    (void)state;
    carom_analysis *ideal = rest_of(CRANK("")), *worn = rest_of(CRANK(
        ", clearance: {radial: 0.1*mm, radius: 8*mm, normal: {law: flores, E_i: 207*GPa, restitution: 0.5}}"));
    const double wanted = -G * (0.3 * 0.025 + 0.2 * 0.025), lower = wanted - value_of(worn, "potential");
    printf("slider-crank with play: %g steps, lower by %.3g J of at most %.3g J\n", value_of(worn, "iterations"), lower,
           0.1 * G * 1e-4);
    assert_true(fabs(value_of(ideal, "potential") - wanted) < 1e-12);
    /* half of the weight of the rod goes down by the play and an indentation below 1 um */
    assert_true(fabs(lower / (0.1 * G * 1e-4) - 1) < 1e-2 && value_of(worn, "iterations") <= 60);
    carom_analysis_free(ideal);
    carom_analysis_free(worn);
}

/* A boom and its telescope, both on stops of 2 kN m/rad and 20 kN/m: the boom has turned down to the lower one, which
   bears the moment of the weights about the pivot, and the telescope is out at the upper one. Loads that are taken on
   in steps from the start lead past both stops to a pose upside down. */
static void boom_on_stops(void **state)
{
    (void)state;
    carom_analysis *a = rest_of(
        PLANE "bodies:\n  boom: {mass: 2, inertia: 0.007, at: [0.0895, -0.0549], angle: -0.55}\n"
              "  tele: {mass: 1.3, inertia: 0.013, at: [0.3094, 0.0069], angle: 0.73}\njoints:\n"
              "  j0: {type: revolute, between: [ground, {boom: [-0.105, 0]}], limits: {lower: -1.73, upper: 0.002, "
              "stiffness: 2000, damping: 5}}\n"
              "  j1: {type: translational, between: [{boom: [0.105, 0]}, {tele: [-0.175, 0]}], axis: [0.39, 0.92],\n"
              "       limits: {lower: -0.1, upper: 0.1, stiffness: 2e4, damping: 50}}\nrun: {analysis: equilibrium}\n");
    const double j0 = behind(a, "joints", "j0", "rad", 2), j1 = behind(a, "joints", "j1", "m", 2);
    const double tilt = behind(a, "bodies", "boom", "angle", 3) + 0.55 + atan2(0.92, 0.39);
    const double moment = G * (2 * behind(a, "bodies", "boom", "x", 3) + 1.3 * behind(a, "bodies", "tele", "x", 3));
    printf("boom on its stops: %.9g rad, %.9g m, %g steps\n", j0, j1, value_of(a, "iterations"));
    assert_true(fabs(2000 * (-1.73 - j0) - moment) < 1e-7 && moment > 1);
    assert_true(fabs(2e4 * (j1 - 0.1) + 1.3 * G * sin(tilt)) < 1e-7 && j1 > 0.1);
    carom_analysis_free(a);
}

/* A lever of 0.5 kg on a spring, or on a stop at -60 degrees, and a slide of 0.4 kg that it carries, which rests on its
   lower stop, 0.2 m from the hinge and 0.05 m lower for it. */
static void lever_and_slide(void **state)
{
    (void)state;
    static const char *holds[] = {"spring: {stiffness: 30}", "spring: {stiffness: 300}",
                                  "limits: {lower: -60*deg, upper: 60*deg, stiffness: 30}",
                                  "limits: {lower: -60*deg, upper: 60*deg, stiffness: 1e5}"};
    static const double stiffness[] = {30, 300, 30, 1e5};
    for (int k = 0; k < 4; k++) {
        char text[900];
        snprintf(text, sizeof text,
                 PLANE "bodies:\n  b: {mass: 0.5, inertia: 0.01, at: [0.1, 0]}\n"
                       "  w: {mass: 0.4, inertia: 0.0005, at: [0.2, -0.1]}\njoints:\n"
                       "  j2: {type: revolute, between: [ground, {b: [-0.1, 0]}], %s}\n"
                       "  j3: {type: translational, between: [{b: [0.1, 0]}, {w: [0, 0.1]}], axis: [0, 1], "
                       "limits: {lower: -0.05, upper: 0.05, stiffness: 5e5}}\nrun: {analysis: equilibrium}\n",
                 holds[k]);
        carom_analysis *a = rest_of(text);
        const double j2 = behind(a, "joints", "j2", "rad", 2), j3 = behind(a, "joints", "j3", "m", 2);
        const double moment = G * (0.5 * 0.1 * cos(j2) + 0.4 * (0.2 * cos(j2) - (j3 - 0.1) * sin(j2)));
        const double from = k < 2 ? 0 : -CAROM_PI / 3;
        printf("lever with %s: %.9g rad, %.9g m, %g steps\n", holds[k], j2, j3, value_of(a, "iterations"));
        assert_true(fabs(stiffness[k] * (from - j2) - moment) < 1e-7);
        assert_true(fabs(5e5 * (-0.05 - j3) - 0.4 * G * cos(j2)) < 1e-7);
        assert_true(value_of(a, "load_steps") == 0 && value_of(a, "iterations") <= 60);
        carom_analysis_free(a);
    }
}

/* Chains whose steps, taken as if a stop were not there, or held, went out of it and in again for ever. */
static void chains_on_stops(void **state)
{
    (void)state;
    static const char *chains[] = {
        "bodies:\n  b0: {mass: 1.208, inertia: 0.00728, at: [0.0808, 0.1074], angle: 0.926}\n"
        "  b1: {mass: 1.697, inertia: 0.0095, at: [0.2895, 0.2359], angle: 0.163}\njoints:\n"
        "  j0: {type: revolute, between: [ground, {b0: [-0.1344, 0]}], spring: {stiffness: 54.27, free: 0.926}}\n"
        "  j1: {type: translational, between: [{b0: [0.1344, 0]}, {b1: [-0.1296, 0]}], axis: [0.39, 0.92], "
        "limits: {lower: -0.1471, upper: 0.1696}}\n",
        "bodies:\n  b0: {mass: 2.842, inertia: 0.00247, at: [0.03738, 0.03479], angle: 0.7495}\n"
        "  b1: {mass: 2, inertia: 0.00474, at: [0.13549, 0.01105], angle: -0.7669}\n"
        "  b2: {mass: 2.07, inertia: 0.00953, at: [0.27077, 0.04338], angle: 0.8837}\njoints:\n"
        "  j0: {type: revolute, between: [ground, {b0: [-0.05106, 0]}], spring: {stiffness: 67.32, free: 0.7495}}\n"
        "  j1: {type: translational, between: [{b0: [0.05106, 0]}, {b1: [-0.08435, 0]}], axis: [-0.884, 0.4674], "
        "spring: {stiffness: 2768.5}}\n"
        "  j2: {type: translational, between: [{b1: [0.08435, 0]}, {b2: [-0.11753, 0]}], axis: [0.9803, 0.1974], "
        "limits: {lower: -0.0332, upper: 0.1275}}\n"};
    for (int k = 0; k < 2; k++) {
        char text[1200];
        snprintf(text, sizeof text, PLANE "%srun: {analysis: equilibrium}\n", chains[k]);
        carom_analysis *a = rest_of(text);
        printf("chain %d on stops: %g steps\n", k, value_of(a, "iterations"));
        assert_true(value_of(a, "load_steps") == 0 && value_of(a, "iterations") <= 60);
        carom_analysis_free(a);
    }
}

/* A slide falls until an `if` of its coordinate begins to hold it: at -0.3 m - m g/1000. */
static void force_that_begins(void **state)
{
    (void)state;
    carom_analysis *a =
        rest_of(PLANE "bodies: {a: {mass: 2, inertia: 0.01, at: [0, 0.5]}}\n"
                      "joints: {j: {type: translational, between: [{ground: [0, 0.5]}, a], axis: [0, 1]}}\n"
                      "loads: {f: {type: force, on: a, force: [0, \"if(joint.j.coordinate < -0.3*m, "
                      "1000*N/m*(-0.3*m - joint.j.coordinate), 0)\"]}}\nrun: {analysis: equilibrium}\n");
    assert_true(fabs(behind(a, "joints", "j", "m", 2) + 0.3 + 2 * G / 1000) < 1e-12);
    carom_analysis_free(a);
}

/* A base on two soft feet with friction that holds, which an arm on a spring tilts: the feet sink in by depths that
   differ by 0.3 mm, and bracing against each other by that they would hold the base in any tilt. They do not: nothing
   pulls along the floor, and friction has no force. Along the way one foot slides. */
static void machine_on_soft_feet(void **state)
{
    (void)state;
    static const double coefficient[] = {0.2, 0.5, 2};
    for (int k = 0; k < 3; k++) {
        char text[1200];
        snprintf(text, sizeof text,
                 PLANE "bodies:\n  base: {mass: 12, inertia: 0.4, at: [0, 0.1]}\n"
                       "  a: {mass: 3, inertia: 0.08, at: [0.3, 0.3]}\n"
                       "joints: {h: {type: revolute, between: [{base: [0, 0.2]}, {a: [-0.3, 0]}], "
                       "spring: {stiffness: 400}}}\nshapes:\n  floor: {type: plane, on: ground, normal: [0, 1]}\n"
                       "  f1: {type: sphere, on: base, at: [0.25, -0.08], radius: 20*mm}\n"
                       "  f3: {type: sphere, on: base, at: [-0.25, -0.08], radius: 20*mm}\ncontacts:\n"
                       "  c: {all: [floor, f1, f3], normal: {law: hertz, stiffness: 1e6}, "
                       "friction: {law: coulomb, kinetic: %g}}\nrun: {analysis: equilibrium}\n",
                 coefficient[k]);
        carom_analysis *a = rest_of(text);
        const double tilt = behind(a, "bodies", "base", "angle", 3), turn = behind(a, "joints", "h", "rad", 2);
        const double x = behind(a, "bodies", "base", "x", 3), arm = behind(a, "bodies", "a", "x", 3);
        const carom_analysis_table *t = carom_analysis_find_table(a, "contacts");
        assert_true(t && t->row_count == 2);
        double normal = 0, moment = 0;
        for (size_t r = 0; r < 2; r++) {
            const carom_analysis_cell *cell = t->cells + r * t->column_count;
            const double side = strstr(cell[0].text, "f1") ? 0.25 : -0.25;
            normal += cell[1].number;
            moment += cell[1].number * (x + side * cos(tilt) + 0.08 * sin(tilt));
            assert_true(cell[2].number < 1e-6);
        }
        printf("machine on soft feet, coefficient %g: tilt %.9g, %g steps\n", coefficient[k], tilt,
               value_of(a, "iterations"));
        assert_true(fabs(normal - 15 * G) < 1e-7 && fabs(moment - G * (12 * x + 3 * arm)) < 1e-7);
        assert_true(fabs(400 * turn + 3 * G * 0.3 * cos(tilt + turn)) < 1e-7 && tilt < -1e-4);
        assert_true(value_of(a, "iterations") <= 15);
        carom_analysis_free(a);
    }
}

/* A wheel that is driven for ever. */
static void most_of_steps(void **state)
{
    (void)state;
    carom_model *m = new_model(ctx, PLANE "bodies: {wheel: {mass: 20, inertia: 1}}\n"
                                          "joints: {axle: {type: revolute, between: [ground, wheel]}}\n"
                                          "loads: {drive: {type: torque, on: wheel, torque: 3}}\n"
                                          "run: {analysis: equilibrium}\n");
    carom_analysis *a = NULL;
    assert_refused(ctx, carom_analysis_run(ctx, m, NULL, &a), CAROM_ERROR_MODEL,
                   "after 600 steps, the most that are taken, nothing balances the motion 'axle' turns");
    assert_non_null(strstr(carom_context_error(ctx), "begin nearer to that, or let it settle by dynamics"));
    carom_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rod_in_a_bearing), cmocka_unit_test(ball_in_a_bowl),
                                       cmocka_unit_test(slider_crank_with_play), cmocka_unit_test(boom_on_stops),
                                       cmocka_unit_test(lever_and_slide), cmocka_unit_test(chains_on_stops),
                                       cmocka_unit_test(force_that_begins),
                                       cmocka_unit_test(machine_on_soft_feet), cmocka_unit_test(most_of_steps)};
    return cmocka_run_group_tests(tests, begin, end);
}

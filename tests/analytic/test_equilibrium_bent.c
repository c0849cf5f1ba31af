/* Equilibria at the end of bent ways about stiff contacts: a rod that turns about a bearing with play from any pose, a
   ball in a bowl, a slider-crank with a worn pin. Closed forms of where they rest, and the steps of the search, which
   are no more where the contact is stiffer. What ends at the most of steps says so. */
#include "carom_test.h"

#include <math.h>

#include "support/context.h"

#define G 9.81
#define PLANE "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"

static double value_of(const carom_analysis *a, const char *name)
{
    double value = (double)NAN;
    assert_ok(ctx, carom_analysis_get(a, name, &value));
    return value;
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
                                       cmocka_unit_test(slider_crank_with_play), cmocka_unit_test(most_of_steps)};
    return cmocka_run_group_tests(tests, begin, end);
}

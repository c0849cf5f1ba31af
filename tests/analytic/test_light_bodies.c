/* Bodies too light beside others to solve for: joints that agree are not said to contradict, the body is named, and
   with the mass that the refusal proposes the mechanism moves as its closed form says. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/free_runs.h"

/* models/planetary_gear.yaml with this sun. Willis: the sun turns 3.5 times as fast as the carrier, the planets
   1 - 50/15 times. 3 N m on the sun lift 20 kg on a drum of 40 mm. */
static char *gear(const char *mass, const char *inertia)
{
    static char text[6000];
    char model[5000], sun[80];
    FILE *file = fopen(CAROM_MODELS "/planetary_gear.yaml", "r");
    assert_non_null(file);
    const size_t size = fread(model, 1, sizeof model - 1, file);
    fclose(file);
    model[size] = '\0';
    static const char own[] = "sun: {mass: 0.3, inertia: 6e-5}";
    char *at = strstr(model, own);
    assert_non_null(at);
    snprintf(sun, sizeof sun, "sun: {mass: %s, inertia: %s}", mass, inertia);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - model), model, sun, at + strlen(own));
    return text;
}

static double closed_form(double inertia)
{
    const double r = 0.002 * 35 / 2, spin = 1 - 50.0 / 15, drum = 0.04;
    const double all = inertia * 3.5 * 3.5 + 6e-4 + 3 * (0.15 * r * r + 2e-5 * spin * spin) + 20 * drum * drum;
    return (3 * 3.5 - 20 * 9.81 * drum) / all;
}

static void test_gear(void **state)
{
    (void)state;
    const char *told = free_error_of_text(gear("1e-9", "1e-12"));
    assert_non_null(strstr(told, "the joints agree"));
    assert_non_null(strstr(told, "body 'sun' has 1e-09 kg"));
    /* "give it some A kg and B kg m^2" */
    const char *some = strstr(told, "some ");
    assert_non_null(some);
    char *end, mass[30], inertia[30];
    const double a = strtod(some + 5, &end), b = strtod(end + strlen(" kg and "), NULL);
    assert_true(a > 0 && b > 0);
    snprintf(mass, sizeof mass, "%g", a);
    snprintf(inertia, sizeof inertia, "%g", b);
    free_run run;
    free_run_parse(&run, gear(mass, inertia), 1e-9, NULL);
    free_run_to(&run, 0.5);
    const double speed = free_run_get(&run, "joint.bearing.rate") / 0.5;
    printf("sun of %s kg: acceleration %.9g, off by %.1e\n", mass, speed, fabs(speed / closed_form(b) - 1));
    assert_true(fabs(speed / closed_form(b) - 1) < 1e-6);
    free_run_close(&run);
}

/* Rows that do contradict are said to, whatever the masses: two motions of one coordinate. */
static void test_contradiction(void **state)
{
    (void)state;
    static const char text[] =
        "carom: 1\ndimension: 2\nbodies:\n  a: {mass: %s, inertia: 1}\n  b: {mass: 1, inertia: 1}\n"
        "joints:\n  one: {type: translational, between: [ground, a], axis: [1, 0], motion: t^2}\n"
        "  two: {type: translational, between: [ground, a], axis: [1, 0], motion: 2*t^2}\n"
        "  c: {type: revolute, between: [a, b]}\nrun: {until: 1}\n";
    static const char *const masses[] = {"1", "1e-9", "1e9"};
    for (int k = 0; k < 3; k++) {
        char model[600];
        snprintf(model, sizeof model, text, masses[k]);
        assert_non_null(strstr(free_error_of_text(model), "accelerations contradict: motion of joint 'two'"));
    }
}

/* A drive turns an arm of 2 kg, 0.3 m from its hinge, against a bracket that is fixed to the ground. The moment would
   turn the bracket alone by up to 1e15 rad/s^2, which the reactions cancel. */
static void test_fixed_bracket(void **state)
{
    (void)state;
    static const double inertias[] = {1e-9, 2e-8, 1e-7, 2e-7, 1e-6}, efforts[] = {1, 100, 1e6};
    for (int k = 0; k < 15; k++) {
        const double effort = efforts[k % 3];
        char text[700];
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 2\nbodies:\n  bracket: {mass: 0.005, inertia: %g, at: [0, 0]}\n"
                 "  arm: {mass: 2, inertia: 0.02, at: [0.3, 0.01]}\n"
                 "joints:\n  bolt: {type: fixed, between: [ground, bracket]}\n"
                 "  hinge: {type: revolute, between: [{bracket: [0, 10*mm]}, {arm: [-0.3, 0]}]}\n"
                 "loads: {drive: {type: joint-effort, on: hinge, effort: %g}}\n"
                 "run: {until: 1, formulation: cartesian}\n",
                 inertias[k / 3], effort);
        free_run run;
        free_run_parse(&run, text, 1e-8, NULL);
        const double wanted = effort / (0.02 + 2 * 0.3 * 0.3);
        /* forces of M/r cancel to rounding over the inertia; 1e-6 of it is far above */
        assert_true(fabs(free_run_get(&run, "body.arm.angular_acceleration") / wanted - 1) < 1e-6);
        free_run_close(&run);
    }
}

/* A chain of three bodies in space, `size` long and with masses of size^3, of which the first is given a velocity, and
   the others what `b` and `c` say. */
static char *chain(double size, const char *b, const char *c)
{
    static char text[1200];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\nparameters: {size: %g, mu: size^3, iota: size^5}\nbodies:\n"
             "  a: {mass: 750*mu, inertia: [15*iota, 15*iota, 15*iota], at: [0, 0, 0], velocity: [size, 0, 0]}\n"
             "  b: {mass: 60*mu, inertia: [0.6*iota, 0.6*iota, 0.06*iota], at: [2*size, 0, -size]%s}\n"
             "  c: {mass: 40*mu, inertia: [0.3*iota, 0.3*iota, 0.03*iota], at: [2*size, 0, -3*size]%s}\n"
             "joints:\n  h: {type: revolute, between: [{a: [2*size, 0, 0]}, {b: [0, 0, size]}], axis: [0, 1, 0]}\n"
             "  k: {type: revolute, between: [{b: [0, 0, -size]}, {c: [0, 0, size]}], axis: [0, 1, 0]}\n"
             "run: {until: 1, formulation: cartesian}\n",
             size, b, c);
    return text;
}

/* Its motion is the same at any size, and so is what contradicts: the links turn beside each other about y alone. */
static void test_size(void **state)
{
    (void)state;
    static const char spin[] = ", angular_velocity: [0.01, 0, 0]";
    double wanted[2] = {0, 0};
    for (int k = 0; k < 4; k++) {
        static const double sizes[] = {1, 1e-3, 1e-7, 1e4};
        free_run run;
        free_run_parse(&run, chain(sizes[k], "", ""), 1e-9, NULL);
        free_run_to(&run, 1);
        const double angle[2] = {free_run_get(&run, "joint.h.coordinate"), free_run_get(&run, "joint.k.coordinate")};
        for (int n = 0; n < 2; n++) {
            wanted[n] = k ? wanted[n] : angle[n];
            assert_true(fabs(angle[n] - wanted[n]) < 1e-6);
        }
        free_run_close(&run);
        const char *told = free_error_of_text(chain(sizes[k], spin, ", angular_velocity: [0, 0, 0]"));
        assert_non_null(strstr(told, "velocities contradict"));
    }
    assert_true(fabs(wanted[1]) > 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gear), cmocka_unit_test(test_contradiction),
                                       cmocka_unit_test(test_fixed_bracket), cmocka_unit_test(test_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Impacts far from the origin, where positions are rounded to 1e-12 m: they are as much work along each axis. */
#include "carom_test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "support/free_runs.h"

#define FAR 1e4

/* A ball that hits a wall ten kilometres away along each axis of the world. */
static void test_axes(void **state)
{
    (void)state;
    uint64_t least = UINT64_MAX, most = 0;
    for (int axis = 0; axis < 3; axis++) {
        char text[1024];
        double at[3] = {0}, velocity[3] = {0}, wall[3] = {0}, normal[3] = {0};
        free_run run;
        size_t count;
        wall[axis] = FAR;
        at[axis] = FAR + 0.06;
        normal[axis] = 1;
        velocity[axis] = -0.5;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\nbodies: {b: {mass: 1, inertia: [0.001, 0.001, 0.001], at: [%.17g, %.17g, "
                 "%.17g], velocity: [%g, %g, %g]}}\n"
                 "shapes:\n  b: {type: sphere, on: b, radius: 0.05}\n"
                 "  wall: {type: plane, on: ground, at: [%g, %g, %g], normal: [%g, %g, %g]}\n"
                 "contacts: {c: {between: [wall, b], normal: {law: hertz, stiffness: 1e10}}}\nrun: {until: 0.03}\n",
                 at[0], at[1], at[2], velocity[0], velocity[1], velocity[2], wall[0], wall[1], wall[2], normal[0],
                 normal[1], normal[2]);
        free_run_parse(&run, text, 1e-10, NULL);
        free_run_to(&run, 0.03);
        const uint64_t evaluations = carom_simulation_statistics(run.sim).rhs_evaluations;
        const carom_impact *of = carom_simulation_impacts(run.sim, &count);
        assert_int_equal(count, 1);
        print_message("along axis %d: %llu evaluations, restitution %.9f\n", axis, (unsigned long long)evaluations,
                      of->v_out / of->v_in);
        least = evaluations < least ? evaluations : least;
        most = evaluations > most ? evaluations : most;
        free_run_close(&run);
    }
    assert_true(5 * most <= 6 * least);
}

/* Two beads of 5 um that meet far from the origin, at e = 0.7, which is known to the share that rounding of the places
   is of the indentation, 7e-8 to 7e-4 here: tolerances below it ask for no more steps. Speeds that are to be better
   than that ask for millions, each of which adds its rounding: e was 1.07 at 10 km. */
static void test_beads(void **state)
{
    (void)state;
    static const double distances[] = {1, 10, 1e3, 1e4}, tolerances[] = {1e-5, 1e-8, 1e-10};
    for (size_t d = 0; d < sizeof distances / sizeof distances[0]; d++)
        for (size_t k = 0; k < sizeof tolerances / sizeof tolerances[0]; k++) {
            const double at = distances[d], mass = 1.3089969389957473e-12;
            char text[1200];
            free_run run;
            size_t count;
            snprintf(text, sizeof text,
                     "{carom: 1, dimension: 2, bodies: {a: {mass: %.17g, inertia: 1.309e-23, at: [%.17g, %.17g],"
                     " velocity: [0.01, 0]}, b: {mass: %.17g, inertia: 1.309e-23, at: [%.17g, %.17g]}},"
                     " shapes: {sa: {type: sphere, on: a, radius: 5e-6}, sb: {type: sphere, on: b, radius: 5e-6}},"
                     " contacts: {c: {between: [sa, sb], normal: {law: exact, stiffness: 46280, restitution: 0.7,"
                     " minimum_speed: 1e-5}}}, run: {until: 5e-4}}",
                     mass, at, at, mass, at + 1.05e-5, at + 1.5e-6);
            free_run_parse(&run, text, tolerances[k], NULL);
            free_run_to(&run, 5e-4);
            const uint64_t steps = carom_simulation_statistics(run.sim).steps;
            const carom_impact *of = carom_simulation_impacts(run.sim, &count);
            assert_int_equal(count, 1);
            const double share = DBL_EPSILON * sqrt(2) * at / of->max_indentation;
            print_message("%g m, %g: e %.7f, a share of %.1e, %llu steps\n", at, tolerances[k], of->e_got, share,
                          (unsigned long long)steps);
            assert_true(fabs(of->e_got - 0.7) <= fmax(2 * tolerances[0], 5 * share));
            assert_true(steps < 200);
            free_run_close(&run);
        }
}

/* What is left is told as what it is: a tighter tolerance is no remedy. */
static void test_cause(void **state)
{
    (void)state;
    free_run run;
    carom_accuracy accuracy;
    free_run_parse(&run,
                   "{carom: 1, dimension: 2, bodies: {a: {mass: 1.309e-12, inertia: 1.309e-23, at: [1e5, 1e5],"
                   " velocity: [0.01, 0]}, b: {mass: 1.309e-12, inertia: 1.309e-23, at: [100000.0000105, 1e5]}},"
                   " shapes: {sa: {type: sphere, on: a, radius: 5e-6}, sb: {type: sphere, on: b, radius: 5e-6}},"
                   " contacts: {c: {between: [sa, sb], normal: {law: exact, stiffness: 46280, restitution: 0.7,"
                   " minimum_speed: 1e-5}}}, run: {until: 5e-4}}",
                   0, NULL);
    free_run_to(&run, 5e-4);
    assert_ok(run.ctx, carom_simulation_accuracy(run.sim, &accuracy));
    print_message("%.2g: %s\n", accuracy.residual, accuracy.text);
    assert_false(accuracy.accurate);
    assert_non_null(strstr(accuracy.text, "put the origin of the model near the contact"));
    assert_null(strstr(accuracy.text, "--tolerance"));
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_axes), cmocka_unit_test(test_beads),
                                       cmocka_unit_test(test_cause)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

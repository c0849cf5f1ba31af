/* Impacts far from the origin, where positions are rounded to 1e-12 m: they are as much work along each axis. */
#include "carom_test.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_axes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

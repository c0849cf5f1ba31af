/* Impacts below `minimum_speed` are told of where the model itself is that slow, not of a body that comes to rest. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

/* A ball falls from `height` with gravity 9.81; `more` is a key of the normal force. */
static void drop(free_run *run, double radius, double mass, double height, const char *more, double until)
{
    char text[900];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\ngravity: [0, -9.81]\n"
             "bodies: {b: {mass: %g, inertia: %g, at: [0, %.17g]}}\n"
             "shapes:\n  b: {type: sphere, on: b, radius: %g}\n  f: {type: plane, on: ground, normal: [0, 1]}\n"
             "contacts: {c: {between: [f, b], normal: {law: flores, E_i: 160*GPa, restitution: 0.5%s}}}\n"
             "run: {until: %g}\n",
             mass, mass * radius * radius, radius + height, radius, more, until);
    free_run_parse(run, text, 0, NULL);
    free_run_to(run, until);
}

/* A grain of dust that falls by 5 um hits at 9.9 mm/s, and from its fifth impact on below the 1 mm/s of the default:
   these lose less than asked. With a lower one all impacts return the same, as a free impact depends on no speed. */
static void test_dust(void **state)
{
    (void)state;
    free_run run;
    size_t count;
    drop(&run, 5e-6, 1e-12, 5e-6, "", 2.9e-3);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_true(count > 6 && impacts[5].e_got > 0.7);
    assert_true(free_run_is_told(&run, "[W19]"));
    free_run_close(&run);
    drop(&run, 5e-6, 1e-12, 5e-6, ", minimum_speed: 1e-7", 2.78e-3);
    impacts = carom_simulation_impacts(run.sim, &count);
    assert_true(count > 5);
    for (size_t k = 1; k < count; k++)
        assert_true(fabs(impacts[k].e_got / impacts[0].e_got - 1) < 5e-3);
    assert_false(free_run_is_told(&run, "[W19]"));
    free_run_close(&run);
}

/* A ball that falls by 50 mm comes to rest by impacts that hold less than a thousandth of its energy. */
static void test_ball(void **state)
{
    (void)state;
    free_run run;
    size_t count;
    drop(&run, 2e-4, 2.6e-7, 0.05, "", 0.5);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    print_message("ball: %zu impacts, the last at %.3g m/s\n", count, impacts[count - 1].v_in);
    assert_true(count > 9 && impacts[count - 1].v_in < 1e-3);
    assert_false(free_run_is_told(&run, "[W19]"));
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dust), cmocka_unit_test(test_ball)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A slide by Mindlin's spring that begins with zero force: the impulse of friction is mu times the normal one,
   and the onset takes few steps, though the indentation is rounding there. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

/* A box just touches a belt that moves by 0.5 m/s from the start: it slides until 0.17 s. With the normal impulse
   m (g t + v_y) its speed is 0.3 (g t + v_y). */
static const char box[] =
    "carom: 1\ndimension: 2\ngravity: [0, -10]\n"
    "bodies:\n  a: {mass: 1, inertia: 0.005, at: [0, 0.05]}\n  b: {mass: 1, inertia: 0.005, at: [0, -0.1]}\n"
    "joints:\n  j: {type: translational, between: [{ground: [0, -0.1]}, b], axis: [1, 0], motion: 0.5*t}\n"
    "shapes:\n  a: {type: box, on: a, size: [0.2, 0.1]}\n  b: {type: box, on: b, size: [4, 0.2]}\n"
    "contacts:\n  c: {between: [b, a], normal: {law: kelvin-voigt, stiffness: 1e6, damping: 1000}, "
    "friction: {law: mindlin, kinetic: 0.3}}\n"
    "run: {until: 0.1}\n";

static void test_onset(void **state)
{
    (void)state;
    static const char *const integrators[] = {"auto", "bdf"};
    for (int k = 0; k < 2; k++) {
        free_run run;
        free_run_parse(&run, box, 1e-8, integrators[k]);
        free_run_to(&run, 0.1);
        const double speed = free_run_get(&run, "body.a.velocity.x");
        const double expected = 0.3 * (10 * 0.1 + free_run_get(&run, "body.a.velocity.y"));
        const size_t steps = (size_t)carom_simulation_statistics(run.sim).steps;
        printf("%s: speed %.12g m/s, off by %.1e, %zu steps\n", integrators[k], speed, speed / expected - 1, steps);
        assert_true(fabs(speed / expected - 1) < 1e-5);
        assert_true(steps < 5000);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_onset)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The orientation of a body is the same quaternion wherever a run tells it, with w >= 0: of a body that turns about z
   at 4 rad/s, +-(cos 2t, 0, 0, sin 2t) with the sign of cos 2t, as its motion and as its channel. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "support/free_runs.h"

static void test_one_sign(void **state)
{
    (void)state;
    static const char *const formulations[] = {"cartesian", "tree"}, *const names[] = {"w", "x", "y", "z"};
    for (int f = 0; f < 2; f++) {
        char text[300], channel[60];
        free_run run;
        double worst = 0;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\nbodies: {b: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 4]}}\n"
                 "run: {until: 4, tolerance: 1e-10, formulation: %s}\n",
                 formulations[f]);
        free_run_parse(&run, text, 0, NULL);
        for (double t = 0.1; t < 4; t += 0.1) {
            free_run_to(&run, t);
            const carom_body_state b = free_run_body(&run, "b");
            const double sign = cos(2 * t) < 0 ? -1 : 1;
            const double expected[4] = {sign * cos(2 * t), 0, 0, sign * sin(2 * t)};
            for (int k = 0; k < 4; k++) {
                snprintf(channel, sizeof channel, "body.b.orientation.%s", names[k]);
                worst = fmax(worst, fabs(b.orientation[k] - expected[k]));
                worst = fmax(worst, fabs(free_run_get(&run, channel) - expected[k]));
            }
        }
        printf("%s: orientation off by %.1e\n", formulations[f], worst);
        assert_true(worst < 1e-8);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_sign)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

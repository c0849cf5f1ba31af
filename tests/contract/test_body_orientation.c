/* The orientation of a body is the same quaternion wherever a run tells it, with w >= 0: of a body that turns about an
   axis n at 4 rad/s, +-(cos 2t, n sin 2t) with the sign of cos 2t, as its motion and as its channel. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "support/free_runs.h"

static void turn_about(const double *n)
{
    static const char *const formulations[] = {"cartesian", "tree"}, *const names[] = {"w", "x", "y", "z"};
    for (int f = 0; f < 2; f++) {
        char text[400], channel[60];
        free_run run;
        double worst = 0;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\n"
                 "bodies: {b: {mass: 1, inertia: [1, 1, 1], angular_velocity: [%.17g, %.17g, %.17g]}}\n"
                 "run: {until: 4, tolerance: 1e-10, formulation: %s}\n",
                 4 * n[0], 4 * n[1], 4 * n[2], formulations[f]);
        free_run_parse(&run, text, 0, NULL);
        for (double t = 0.1; t < 4; t += 0.1) {
            free_run_to(&run, t);
            const carom_body_state b = free_run_body(&run, "b");
            const double sign = cos(2 * t) < 0 ? -1 : 1;
            const double sine = sign * sin(2 * t);
            const double expected[4] = {sign * cos(2 * t), n[0] * sine, n[1] * sine, n[2] * sine};
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

static void test_one_sign(void **state)
{
    (void)state;
    static const double axes[][3] = {{0, 0, 1}, {-1, 0, 0}, {2 / 3.0, -2 / 3.0, 1 / 3.0}, {0.36, 0.48, -0.8}};
    for (size_t k = 0; k < sizeof axes / sizeof *axes; k++)
        turn_about(axes[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_sign)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

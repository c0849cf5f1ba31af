/* When the closing speed of a contact that others push together will be greatest, as it is told at the onset: against
   the motion itself, for pushes that bring the crest at a hundredth to a tenth of the compression. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "sim/sim.h"
#include "support/free_runs.h"

#define SPEED 0.1
#define GAP 1e-4

static void open_ball(free_run *run, double gravity)
{
    char text[1000];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 2\ngravity: [0, -%g]\nbodies:\n"
             "  ball: {mass: 1, inertia: 0.004, at: [0, %.17g], velocity: [0, -%g]}\n"
             "shapes:\n  ball: {type: sphere, on: ball, radius: 0.1}\n"
             "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
             "contacts:\n  hit: {between: [ball, floor], normal: {law: flores, stiffness: 1e8, restitution: 0.8}}\n"
             "run: {until: 0.1}\n",
             gravity, 0.1 + GAP, SPEED);
    free_run_parse(run, text, 1e-10, "dop853");
}

static void test_crests(void **state)
{
    (void)state;
    static const double gravity[] = {0.5, 2, 5};
    for (size_t k = 0; k < CAROM_COUNT(gravity); k++) {
        free_run run;
        open_ball(&run, gravity[k]);
        const double g = gravity[k], onset = (sqrt(SPEED * SPEED + 2 * g * GAP) - SPEED) / g;
        free_run_to(&run, onset + 1e-7);
        assert_true(run.sim->s.located[0].open);
        const double told = carom_located_until_crest(run.sim, 0), begin = *run.sim->s.time;
        double greatest = 0, crest = 0;
        for (int n = 1; n <= 400; n++) {
            const double t = begin + told * n / 200;
            free_run_to(&run, t);
            const double closing = -run.sim->d->contacts[0].gap_rate;
            crest = closing > greatest ? t - begin : crest;
            greatest = fmax(greatest, closing);
        }
        print_message("gravity %g m/s^2: told %.4g s, found %.4g s\n", g, told, crest);
        /* it is told as if the speed did not change till there, and the damping stayed */
        assert_true(isfinite(told) && fabs(told - crest) < 0.1 * crest);
        free_run_close(&run);
    }
}

/* Behind the crest, and without a push, there is none to come. */
static void test_none(void **state)
{
    (void)state;
    for (int pushed = 0; pushed < 2; pushed++) {
        free_run run;
        open_ball(&run, pushed ? 5 : 0);
        free_run_to(&run, pushed ? 1.5e-3 : GAP / SPEED + 1e-7);
        assert_true(run.sim->s.located[0].open);
        assert_true(carom_located_until_crest(run.sim, 0) == HUGE_VAL);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_crests), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests_name("crest_times", tests, NULL, NULL);
}

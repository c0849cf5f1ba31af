/* Models of drives: an arm that hits its stop and pushes against it with what its motor and its integral may give, a
   gripper whose motors press with their limits while friction lifts a disc, a walker whose gait is a table: it goes the
   same way each period and does not fall. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"
#include "support/sample.h"

#define PI 3.14159265358979323846

static const carom_fired_event *find(const carom_fired_event *rows, size_t count, const char *event, const char *action)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(rows[k].event, event) == 0 && strcmp(rows[k].action, action) == 0)
            return &rows[k];
    fail_msg("%s never %s", event, action);
    return NULL;
}

static void test_arm(void **state)
{
    (void)state;
    free_run run;
    size_t count;
    double line = 0, followed = 0;
    free_run_open(&run, "arm_at_stop.yaml", NULL, 0, 1e-10, NULL);
    for (int k = 1; k <= 480; k++) {
        free_run_to(&run, 0.01 * k);
        const double t = 0.01 * k, effort = free_run_get(&run, "load.elbow_motor.effort");
        const double rate = free_run_get(&run, "joint.elbow.rate"), q = free_run_get(&run, "joint.elbow.coordinate");
        assert_true(effort < 40 - 40 / 9.0 * rate + 1e-11 && effort > -40 - 40 / 9.0 * rate - 1e-11);
        assert_true(fabs(free_run_get(&run, "load.elbow_motor.integral")) < 15.0 / 800 * (1 + 1e-9));
        if (t > 1 && t < 1.4)
            line = fmax(line, fabs(effort - 40 + 40 / 9.0 * rate));
        if (t > 1 && t < 1.4) /* the stop is deeper by what the motor presses, less than a hundredth */
            assert_true(q > 100 * PI / 180 && q < 100 * PI / 180 + 0.01);
        if (t > 2 && t < 2.6)
            followed = fmax(followed, fabs(q - free_run_get(&run, "output.elbow_wanted")));
    }
    const carom_fired_event *rows = carom_simulation_fired_events(run.sim, &count);
    const double met = find(rows, count, "elbow.limits", "upper limit met")->time,
                 left = find(rows, count, "elbow.limits", "upper limit left")->time,
                 at = find(rows, count, "elbow_motor", "comes to its upper limit")->time,
                 off = find(rows, count, "elbow_motor", "leaves its upper limit")->time;
    const carom_ledger l = carom_simulation_ledger(run.sim);
    printf("arm: stop %.4f to %.4f s, motor at its limit %.4f to %.4f s, off its line %.1e, follows within %.3f rad, "
           "ledger %.1e\n",
           met, left, at, off, line, followed, l.residual_fraction);
    assert_true(met < at && at < off && off < left && left < 2 && met > 0.7);
    assert_true(line < 1e-11 && followed < 0.05 && l.residual_fraction < 1e-7);
    free_run_close(&run);
}

static void test_gripper(void **state)
{
    (void)state;
    free_run run;
    free_run_open(&run, "gripper.yaml", NULL, 0, 1e-9, NULL);
    free_run_to(&run, 1.19);
    const double weight = 0.3 * (9.81 + free_run_get(&run, "body.disc.acceleration.y")),
                 high = free_run_get(&run, "body.disc.position.y") - 0.03,
                 held = free_run_get(&run, "body.disc.contact_force.y"),
                 left = free_run_get(&run, "load.close_left.effort"),
                 right = free_run_get(&run, "load.close_right.effort"),
                 shares =
                     free_run_get(&run, "contact.left.friction.y") + free_run_get(&run, "contact.right.friction.y");
    free_run_to(&run, 3);
    const double low = free_run_get(&run, "body.disc.position.y") - 0.03;
    const carom_ledger l = carom_simulation_ledger(run.sim);
    printf(
        "gripper: lifted %.5f m, held with its weight within %.1e, pressed with %.15g and %.15g N, set down at %.1e m, "
        "ledger %.1e\n",
        high, fabs(held / weight - 1), left, right, low, l.residual_fraction);
    /* it slips while it is taken up, by less than a millimetre */
    assert_true(fabs(high - 0.2) < 1e-3 && fabs(held / weight - 1) < 1e-9 && fabs(shares / weight - 1) < 1e-6);
    assert_true(left == 15 && right == 15);
    assert_true(fabs(low) < 2e-4 && l.residual_fraction < 1e-7);
    free_run_close(&run);
}

static void test_gait(void **state)
{
    (void)state;
    free_run run;
    double before = 0, way = 0, change = 0, lowest = 1, tilt = 0;
    free_run_open(&run, "gait_table.yaml", NULL, 0, 0, NULL);
    for (int k = 0; k <= 40; k++) {
        free_run_to(&run, 0.08 * (k + 10));
        const double x = free_run_get(&run, "body.trunk.position.x");
        if (k % 10 == 0 && k) {
            change = fmax(change, k > 20 ? fabs(x - before - way) : 0);
            way = x - before;
        }
        before = k % 10 == 0 ? x : before;
        lowest = fmin(lowest, free_run_get(&run, "body.trunk.position.y"));
        tilt = fmax(tilt, fabs(free_run_get(&run, "body.trunk.angle")));
    }
    const carom_ledger l = carom_simulation_ledger(run.sim);
    printf(
        "walker: %.4f m a period, the same within %.1e m, trunk never below %.4f m nor tilted by more than %.4f rad, "
        "ledger %.1e\n",
        way, change, lowest, tilt, l.residual_fraction);
    /* the feet go back by 2 L cos(30 deg) sin(10 deg) = 0.15 m while they bear, twice a period */
    assert_true(way > 0.2 && way < 0.35 && change < 2e-3);
    assert_true(lowest > 0.47 && tilt < 0.02 && l.residual_fraction < 1e-5);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm),
        cmocka_unit_test(test_gripper),
        cmocka_unit_test(test_gait),
    };
    return sample_group_tests(tests, 1, 2, NULL, NULL);
}

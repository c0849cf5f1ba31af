/* A ball on a table that a drive lifts, touched rigidly (integrator moreau): the drive does what both gain. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define MODEL                                                                                    \
    "carom: 1\ndimension: 2\ngravity: [0, -10]\n"                                                \
    "bodies:\n"                                                                                  \
    "  table: {mass: 3, inertia: 1, at: [0, 0]}\n"                                               \
    "  ball: {mass: 2, inertia: 0.01, at: [0, 0.1]}\n"                                           \
    "joints:\n"                                                                                  \
    "  lift: {type: translational, between: [ground, table], axis: [0, 1], motion: \"t^2\"}\n"   \
    "shapes:\n"                                                                                  \
    "  top: {type: plane, on: table, normal: [0, 1]}\n"                                          \
    "  ball: {type: sphere, on: ball, radius: 0.1}\n"                                            \
    "contacts:\n"                                                                                \
    "  touch: {between: [top, ball], normal: {law: exact, stiffness: 1e9, restitution: 0.1}}\n"  \
    "run: {until: 1, integrator: moreau, step: 1e-3}\n"

static void work_of_the_drive(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, MODEL, 1e-8, "moreau");
    free_run_to(&run, 1);
    const double height = free_run_get(&run, "body.ball.position.y") - 0.1;
    const double speed = free_run_get(&run, "body.ball.velocity.y");
    const carom_ledger l = carom_simulation_ledger(run.sim);
    const double gained = 5 * 10 * 1.0 + 0.5 * 5 * 4;
    printf("height %.6f m, speed %.6f m/s, work %.6f J of %g, residual %.1e\n", height, speed, l.work, gained,
           l.residual_fraction);
    assert_true(fabs(height - 1) < 1e-4 && fabs(speed - 2) < 1e-6);
    assert_true(fabs(l.work / gained - 1) < 1e-5 && fabs(l.residual_fraction) < 1e-12);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(work_of_the_drive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

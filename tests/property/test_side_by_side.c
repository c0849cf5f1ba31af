/* Two equal free cans meet side by side in the middle, their axes at a small angle: the contact lies on the line of
   centres, so that the law's restitution e alone tells the velocities, (1 - e)/2 and (1 + e)/2 of that before, and
   nothing turns. Their ends lie over each other in a narrow lens, with the length of the cans for a depth, and bear
   nothing. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "support/runs.h"

#define SPEED 0.1
#define E 0.3

static const char *const cans =
    "carom: 1\ndimension: 3\ngravity: [0, 0, 0]\nparameters: {r: 0.05, L: 0.3, moment: (3*r^2 + L^2)/12}\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [moment, moment, r^2/2], at: [0, -r-0.001, 0], orientation: {axis: [0, 1, 0], "
    "angle: 90*deg}, velocity: [0, 0.1, 0]}\n"
    "  b: {mass: 1, inertia: [moment, moment, r^2/2], at: [0, r, 0], orientation: {axis: [0, 1, 0], angle: %g*deg}}\n"
    "shapes:\n  a: {type: cylinder, on: a, radius: r, length: L}\n  b: {type: cylinder, on: b, radius: r, length: L}\n"
    "contacts: {k: {between: [a, b], normal: {law: exact, stiffness: %g, restitution: 0.3}}}\nrun: {until: 0.1}\n";

static void test_cans(void **state)
{
    (void)state;
    static const struct {
        double angle, stiffness;
    } cases[] = {{5, 1e5}, {1, 1e6}, {5, 1e8}, {30, 1e5}, {90, 1e6}};
    margin m;
    margin_begin(&m, "cans side by side");
    for (size_t k = 0; k < (size_t)CAROM_COUNT(cases); k++) {
        char text[2048];
        snprintf(text, sizeof text, cans, 90 + cases[k].angle, cases[k].stiffness);
        free_run run;
        free_run_parse(&run, text, 1e-8, NULL);
        free_run_to(&run, 0.1);
        const carom_body_state a = free_run_body(&run, "a"), b = free_run_body(&run, "b");
        margin_add(&m, "first", k, a.velocity[1], 0.5 * (1 - E) * SPEED, 1e-8);
        margin_add(&m, "second", k, b.velocity[1], 0.5 * (1 + E) * SPEED, 1e-8);
        for (int axis = 0; axis < 3; axis++)
            margin_add(&m, "spin", k, fmax(fabs(a.angular_velocity[axis]), fabs(b.angular_velocity[axis])), 0, 1e-8);
        size_t count;
        const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
        margin_add(&m, "impacts", k, (double)count, 1, 0.5);
        margin_add(&m, "depth", k, count > 0 ? impacts[0].max_indentation : HUGE_VAL, 0, 1e-3);
        margin_add(&m, "ledger", k, carom_simulation_ledger(run.sim).residual_fraction, 0, 1e-8);
        free_run_close(&run);
    }
    margin_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

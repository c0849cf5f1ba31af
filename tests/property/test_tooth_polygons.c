/* Gears of 16 and 24 teeth drawn as polygons of 20 corners a tooth: 672 corners that may touch. What the policy of
   tension gives up is elastic energy that surfaces hold, so that no impact gives up less than none: it was counted from
   the law as it is continued where a corner is handed over to another place and is apart. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "support/runs.h"

#define MODULE 2e-3
#define PRESSURE (20 * CAROM_PI / 180)
#define PLAY 1e-4
#define PARTS 8
#define ROOM (1 << 17)

static int add(char *text, int used, double r, double angle)
{
    return used + snprintf(text + used, ROOM - (size_t)used, "      - [%.6f*mm, %.6f*mm]\n", 1e3 * r * cos(angle),
                           1e3 * r * sin(angle));
}

static double involute(double angle) { return tan(angle) - angle; }

/* Teeth of involutes with undercut roots, counterclockwise. */
static int write_gear(char *text, int used, const char *name, const char *body, int teeth)
{
    const double pitch = 0.5 * MODULE * teeth, base = pitch * cos(PRESSURE), tip = pitch + MODULE;
    const double root = pitch - 1.25 * MODULE, from = fmax(base, root);
    const double half = 0.5 * CAROM_PI / teeth - 0.5 * PLAY / pitch + involute(PRESSURE);
    used += snprintf(text + used, ROOM - (size_t)used, "  %s:\n    type: polygon\n    on: %s\n    points:\n", name,
                     body);
    for (int k = 0; k < teeth; k++) {
        const double middle = 2 * CAROM_PI * k / teeth, foot = half - involute(acos(fmin(1, base / from))) - 0.01;
        used = add(text, used, root, middle - foot - 0.02);
        for (int side = -1; side <= 1; side += 2)
            for (int n = 0; n <= PARTS; n++) {
                const double r = from + (tip - from) * (side < 0 ? n : PARTS - n) / PARTS;
                used = add(text, used, r, middle + side * (half - involute(acos(fmin(1, base / r)))));
            }
        used = add(text, used, root, middle + foot + 0.02);
    }
    return used;
}

static void test_gears(void **state)
{
    (void)state;
    char *text = malloc(ROOM);
    assert_non_null(text);
    int used = snprintf(text, ROOM,
                        "carom: 1\ndimension: 2\ngravity: [0, 0]\nbodies:\n  p: {mass: 0.2, inertia: 3e-5}\n"
                        "  g: {mass: 0.5, inertia: 1.5e-4, at: [40*mm, 0], angle: pi - pi/24}\njoints:\n"
                        "  jp: {type: revolute, between: [ground, p], motion: 20*t}\n"
                        "  jg: {type: revolute, between: [{ground: [40*mm, 0]}, g]}\nshapes:\n");
    used = write_gear(text, used, "sp", "p", 16);
    used = write_gear(text, used, "sg", "g", 24);
    snprintf(text + used, ROOM - (size_t)used,
             "contacts:\n  mesh: {between: [sp, sg], normal: {law: flores, stiffness: 1e9, restitution: 0.3}}\nloads:\n"
             "  brake: {type: torque, on: g, torque: 2}\n  drag: {type: torsion-damper, between: [ground, g], damping: "
             "0.01}\nrun: {until: 4*ms}\n");
    free_run run;
    free_run_parse(&run, text, 1e-8, NULL);
    free_run_to(&run, 4e-3);
    const carom_ledger ledger = carom_simulation_ledger(run.sim);
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    double least = 0;
    for (size_t k = 0; k < count; k++)
        least = fmin(least, impacts[k].cutoff_loss);
    print_message("%zu impacts, %.3g J given up, an impact no less than %.3g J\n", count, ledger.cutoff_loss, least);
    assert_true(count > 4 && ledger.cutoff_loss > 0);
    assert_true(least > -1e-12 * ledger.dissipated_contact);
    free_run_close(&run);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gears)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Places of a patch that hand over to each other as a body slides off its support have no impact of their own: none is
   listed with a restitution, which would be the speed of a place that leaves over that of one that comes, none without
   a force, and no warning speaks of their restitution. A cube that comes flat, without a
   weight, has that of its law at four places, 0.581 where 0.3 is asked, and is told of. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "support/runs.h"

#define CUBE "{type: box, on: b, size: [0.1, 0.1, 0.1]}"
#define MESH                                                                                                           \
    "{type: mesh, on: b, points: [[0.05, 0.05, 0.05], [-0.05, 0.05, 0.05], [0.05, -0.05, 0.05], [0.05, 0.05, -0.05], " \
    "[-0.05, -0.05, 0.05], [-0.05, 0.05, -0.05], [0.05, -0.05, -0.05], [-0.05, -0.05, -0.05]]}"
#define SLIDE "at: [-0.15, 0, 0.05], velocity: [1.2, 0, 0]"
#define DROP "at: [-0.4, 0, 0.06], velocity: [0, 0, -0.4]"

static void open_run(free_run *run, const char *shape, const char *start, double gravity)
{
    char text[2048];
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\ngravity: [0, 0, %g]\n"
             "bodies: {b: {mass: 1, inertia: [0.00167, 0.00167, 0.00167], %s}}\n"
             "shapes:\n  b: %s\n  t: {type: box, on: ground, at: [-0.5, 0, -0.1], size: [1, 1, 0.2]}\n"
             "contacts: {s: {between: [b, t], normal: {law: hunt-crossley, stiffness: 1e7, restitution: 0.3}, "
             "friction: {law: coulomb, kinetic: 0.1}}}\nrun: {until: 0.5}\n",
             -gravity, start, shape);
    free_run_parse(run, text, 1e-8, NULL);
}

static void test_slide(void **state)
{
    (void)state;
    static const char *const shapes[] = {CUBE, MESH};
    for (size_t k = 0; k < (size_t)CAROM_COUNT(shapes); k++) {
        free_run run;
        size_t count;
        open_run(&run, shapes[k], SLIDE, 9.81);
        free_run_to(&run, 0.5);
        const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
        for (size_t i = 0; i < count; i++) {
            assert_true(isnan(impacts[i].e_got));
            assert_true(impacts[i].peak_force > 0);
        }
        assert_false(free_run_is_told(&run, "W13"));
        assert_true(fabs(carom_simulation_ledger(run.sim).residual_fraction) < 1e-8);
        free_run_close(&run);
    }
}

static void test_drop(void **state)
{
    (void)state;
    static const char *const shapes[] = {CUBE, MESH};
    for (size_t k = 0; k < (size_t)CAROM_COUNT(shapes); k++) {
        free_run run;
        size_t count;
        int bounced = 0;
        open_run(&run, shapes[k], DROP, 0);
        free_run_to(&run, 0.06);
        const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
        for (size_t i = 0; i < count; i++)
            bounced += fabs(impacts[i].e_got - 0.581) < 5e-4;
        assert_int_equal(bounced, 4);
        assert_true(free_run_is_told(&run, "W13"));
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slide), cmocka_unit_test(test_drop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

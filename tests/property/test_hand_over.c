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

/* A bolt under a spring slides down the corner of a strike along its slope of 45 degrees, and then with its tip along
   the strike: at the handover the normal turns by 45 degrees, and the tip opens at the bolt's speed while its depth is
   still that of the slope. Its law would pull, so that the energy stored there, 2/5 K d^2.5, is cut off, and it parts
   without a force: no impact. The place on the slope has not parted, and has no restitution. */
static void test_latch(void **state)
{
    (void)state;
    static const double stiffness = 1e9;
    free_run run;
    size_t count;
    int handed = 0;
    double lost = 0;
    free_run_parse(&run,
                   "carom: 1\ndimension: 2\nbodies:\n"
                   "  door: {mass: 20, inertia: 5, at: [0, 0]}\n"
                   "  bolt: {mass: 0.05, inertia: 5e-6, at: [0, 20*mm]}\n"
                   "joints:\n"
                   "  d: {type: translational, between: [ground, door], axis: [1, 0], rate: 0.3}\n"
                   "  b: {type: translational, between: [door, bolt], axis: [0, 1], "
                   "spring: {stiffness: 300, free: 30*mm}, limits: {upper: 20*mm, restitution: 0.3}}\n"
                   "shapes:\n"
                   "  nose: {type: polygon, on: bolt, "
                   "points: [[-6*mm, -10*mm], [6*mm, -10*mm], [6*mm, 0], [-6*mm, 12*mm]]}\n"
                   "  strike: {type: box, on: ground, at: [20*mm, 26*mm], size: [12*mm, 8*mm]}\n"
                   "contacts:\n"
                   "  c: {between: [strike, nose], "
                   "normal: {law: hunt-crossley, stiffness: 1e9*N/m^1.5, restitution: 0.4}, "
                   "friction: {law: coulomb, kinetic: 0.2}}\nrun: {until: 0.07}\n",
                   1e-8, NULL);
    free_run_to(&run, 0.0673);
    const double depth = free_run_get(&run, "contact.c.1.indentation");
    free_run_to(&run, 0.07);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    for (size_t i = 0; i < count; i++) {
        assert_true(impacts[i].peak_force > 0);
        lost += impacts[i].energy_lost;
        if (impacts[i].onset + impacts[i].duration < 0.067)
            continue;
        handed++;
        assert_true(isnan(impacts[i].e_got) && fabs(impacts[i].v_out) < 1e-3);
    }
    assert_int_equal(handed, 1);
    const double cut = carom_simulation_ledger(run.sim).dissipated_contact - lost;
    assert_true(fabs(cut / (0.4 * stiffness * pow(depth, 2.5)) - 1) < 0.01);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slide), cmocka_unit_test(test_drop),
                                       cmocka_unit_test(test_latch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

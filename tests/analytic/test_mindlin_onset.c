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

/* A corner of a box that falls on a floor at a slant slides through its impact; its friction impulse is mu times the
   normal one. The slip passes the cone's reach in a hundredth of the impact, and in nothing at the release. */
static const char corner[] =
    "carom: 1\ndimension: 2\ngravity: [0, 0]\n"
    "bodies:\n  d: {mass: 0.01, inertia: 2e-6, at: [0, 0.025], angle: 0.2, velocity: [0.5, -0.02]}\n"
    "shapes:\n  d: {type: box, on: d, size: [0.0075, 0.048]}\n  floor: {type: plane, on: ground, normal: [0, 1]}\n"
    "contacts:\n  s: {between: [floor, d], normal: {law: hunt-crossley, stiffness: 1e6, exponent: 1, restitution: "
    "0.3}, friction: {law: mindlin, kinetic: 0.3}}\n"
    "run: {until: 0.05}\n";

static void test_slide(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, corner, 1e-8, "auto");
    free_run_to(&run, 0.05);
    const double slowed = 0.5 - free_run_get(&run, "body.d.velocity.x");
    const double pushed = free_run_get(&run, "body.d.velocity.y") + 0.02;
    const size_t steps = (size_t)carom_simulation_statistics(run.sim).steps;
    printf("slide: friction over normal impulse %.9g, %zu steps\n", slowed / pushed, steps);
    assert_true(pushed > 0.01 && fabs(slowed / pushed / 0.3 - 1) < 1e-6);
    assert_true(steps < 600);
    free_run_close(&run);
}

/* Two balls in a turning drum, whose law would pull before they part: the force is cut off, and friction with it, while
   the contact is still open. */
static const char drum[] =
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
    "bodies:\n  drum: {mass: 1, inertia: [2e-3, 2e-3, 2e-3]}\n"
    "  b: {copies: 2, mass: 0.01, inertia: [4e-7, 4e-7, 4e-7], at: [\"25*mm*cos(copy*180*deg)\", "
    "\"25*mm*sin(copy*180*deg)\", "
    "\"-25*mm+5*mm*random(copy)\"]}\n"
    "joints:\n  ax: {type: revolute, between: [ground, drum], axis: [0, 1, 0], motion: 5*t}\n"
    "shapes:\n  drum: {type: sphere, on: drum, radius: -0.06}\n  b: {type: sphere, on: b, radius: 0.01}\n"
    "contacts:\n  s: {all: [drum, b], normal: {law: tsuji, stiffness: 1e6, exponent: 1.5, restitution: 0.5}, "
    "friction: {law: mindlin, kinetic: 0.4}}\n"
    "run: {until: 0.12}\n";

static void test_cut_off(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run, drum, 1e-8, "auto");
    free_run_to(&run, 0.12);
    const size_t steps = (size_t)carom_simulation_statistics(run.sim).steps;
    size_t impacts = 0;
    carom_simulation_impacts(run.sim, &impacts);
    printf("drum: %zu impacts, %zu steps\n", impacts, steps);
    assert_true(impacts >= 5);
    assert_true(steps < 5000);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_onset),
        cmocka_unit_test(test_slide),
        cmocka_unit_test(test_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What the residual of the ledger is measured by: kinetic energy and the changes of the others, whatever energy springs
   hold, of either sign. Closed forms of the largest turnover; an oscillation that is lost is told. */
#include "carom_test.h"

#include <math.h>

#include "sim/sim.h"
#include "support/free_runs.h"

#define PLANE "carom: 1\ndimension: 2\ngravity: [0, 0]\n"

static bool accurate(free_run *run)
{
    carom_accuracy a;
    assert_ok(run->ctx, carom_simulation_accuracy(run->sim, &a));
    return a.accurate;
}

/* A snap spring F = -1000 x + 1e7 x^3 that holds W = -500 x^2 + 2.5e6 x^4 < 0: from x0 = 1 mm at rest, and with
   30 mm/s, the cart passes the bottom W = -25 mJ at x = 10 mm. The turnover is twice what it has gained there, and what
   it began with. */
static void spring_of_negative_energy(void **state)
{
    (void)state;
    static const double speeds[] = {0, 0.03};
    for (int k = 0; k < 2; k++) {
        free_run run;
        char text[600];
        snprintf(text, sizeof text,
                 PLANE "splines: {snap: {value: \"-1000*x + 1e7*x^3\", from: -20*mm, to: 20*mm, points: 161}}\n"
                       "bodies: {cart: {mass: 1, inertia: 1, at: [1*mm, 0], velocity: [%g, 0]}}\n"
                       "joints: {rail: {type: translational, between: [ground, cart], axis: [1, 0],\n"
                       "                spring: {curve: snap}}}\nrun: {until: 2}\n",
                 speeds[k]);
        free_run_parse(&run, text, 1e-9, "auto");
        free_run_to(&run, 2);
        const double start = -500 * 1e-6 + 2.5e6 * 1e-12, kinetic = 0.5 * speeds[k] * speeds[k];
        const double wanted = kinetic + 2 * (start + 0.025), peak = *run.sim->s.energy_peak;
        const carom_ledger l = carom_simulation_ledger(run.sim);
        printf("snap spring from %g m/s: turnover %.6g J of %.6g J, residual %.1e of it\n", speeds[k], peak, wanted,
               l.residual_fraction);
        /* some 60 steps a passage: the bottom is met within 1/100 of the way */
        assert_true(fabs(peak / wanted - 1) < 1e-3);
        assert_true(l.residual_fraction < 1e-7 && accurate(&run));
        free_run_close(&run);
    }
}

/* A mass that swings across two springs pulled by 100 kN each, which hold 10 kJ: of the 50 uJ of the swing most is
   lost with a tolerance of 1e-3, which was 5e-9 of what the springs hold. With 1e-8 it is kept. */
static void loss_beside_preload(void **state)
{
    (void)state;
    static const char text[] = PLANE
        "bodies: {m: {mass: 1, inertia: 1e-3, at: [0, 0], velocity: [0, 0.01]}}\nloads:\n"
        "  l: {type: spring, between: [{ground: [-1, 0]}, m], stiffness: 1e6, length: 0.9}\n"
        "  r: {type: spring, between: [{ground: [1, 0]}, m], stiffness: 1e6, length: 0.9}\nrun: {until: 10}\n";
    static const double tolerances[] = {1e-3, 1e-8};
    for (int k = 0; k < 2; k++) {
        free_run run;
        free_run_parse(&run, text, tolerances[k], "auto");
        free_run_to(&run, 10);
        const carom_ledger l = carom_simulation_ledger(run.sim);
        const double left = 1 + l.residual / 5e-5;
        printf("swing beside 10 kJ, tolerance %g: %.3g of it left, residual %.1e\n", tolerances[k], left,
               l.residual_fraction);
        assert_true(accurate(&run) == (fabs(left - 1) < 2e-3));
        assert_true(k ? fabs(left - 1) < 2e-3 : left < 0.5);
        free_run_close(&run);
    }
}

/* What a caller adds to the energy of a spring is no turnover: with d = 0.1 m more of length 1e4 N/m hold 50 J, which
   become kinetic energy and come back: twice that at most. */
static void spring_changed_by_the_caller(void **state)
{
    (void)state;
    free_run run;
    free_run_parse(&run,
                   PLANE "bodies: {m: {mass: 1, inertia: 1}}\n"
                         "loads: {s: {type: spring, between: [{ground: [-1, 0]}, m], stiffness: 1e4, length: 1}}\n"
                         "run: {until: 1}\n",
                   1e-9, "auto");
    free_run_to(&run, 0.1);
    assert_ok(run.ctx, carom_simulation_set_parameter(run.sim, "load.s.length", 1.1));
    free_run_to(&run, 1);
    printf("length changed: turnover %.6g J of 100 J\n", *run.sim->s.energy_peak);
    assert_true(fabs(*run.sim->s.energy_peak / 100 - 1) < 1e-3 && accurate(&run));
    free_run_close(&run);
}

/* At rest between springs that hold 10 kJ of either sign nothing is turned over: rounding is told by none. */
static void rest_beside_preload(void **state)
{
    (void)state;
    static const char *const laws[] = {"stiffness: 1e6", "curve: pulls"};
    for (int k = 0; k < 2; k++) {
        free_run run;
        char text[800];
        snprintf(text, sizeof text,
                 PLANE "splines: {pulls: {value: \"-1e6*x\", from: -0.3, to: 0.3, points: 21}}\n"
                       "bodies: {m: {mass: 1, inertia: 1e-3, at: [0, 0], frames: {p: [0.05, 0]}}}\n"
                       "joints: {pin: {type: revolute, between: [ground, m]}}\nloads:\n"
                       "  l: {type: spring, between: [{ground: [-1, 0]}, m.p], %s, length: 0.9}\n"
                       "  r: {type: spring, between: [{ground: [1, 0]}, m.p], %s, length: 0.9}\nrun: {until: 1}\n",
                 laws[k], laws[k]);
        free_run_parse(&run, text, 1e-8, "auto");
        free_run_to(&run, 1);
        const carom_ledger l = carom_simulation_ledger(run.sim);
        printf("at rest beside %.4g J: residual %.1e of the peak\n", l.elastic, l.residual_fraction);
        assert_true(fabs(l.elastic) > 9e3 && accurate(&run));
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spring_of_negative_energy), cmocka_unit_test(loss_beside_preload),
        cmocka_unit_test(spring_changed_by_the_caller), cmocka_unit_test(rest_beside_preload)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Drives that a mechanism cannot follow: a four-bar linkage whose crank cannot pass, driven at a constant rate. With
   the crank of 0.2 m at the angle 2 t its end is as far from the rocker's pivot (0.5, 0.25) as coupler and rocker
   together reach, 0.3 m + 0.2 m, where 0.04 + 0.3125 - 0.4 (0.5 cos 2t + 0.25 sin 2t) = 0.25. There kinematics ends,
   and so does dynamics, with the work that has become kinetic energy. A slider that passes its dead centres, where it
   turns round, drives its crank on. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/free_runs.h"

#define FOUR_BAR                                                                                                  \
    "carom: 1\ndimension: 2\nbodies:\n"                                                                           \
    "  c: {mass: 1, inertia: 0.01, at: [0.1, 0], frames: {a: [-0.1, 0], b: [0.1, 0]}}\n"                          \
    "  r: {mass: 1, inertia: 0.01, at: [0.35, 0], frames: {a: [-0.15, 0], b: [0.15, 0]}}\n"                       \
    "  o: {mass: 1, inertia: 0.01, at: [0.5, 0.1], angle: 90*deg, frames: {a: [-0.1, 0], b: [0.1, 0]}}\n"         \
    "joints:\n"                                                                                                   \
    "  m: {type: revolute, between: [ground, c.a], motion: 2*t}\n"                                                \
    "  p1: {type: revolute, between: [c.b, r.a]}\n"                                                               \
    "  p2: {type: revolute, between: [r.b, o.a]}\n"                                                               \
    "  g: {type: revolute, between: [{ground: [0.5, 0.25]}, o.b]}\n"

static double time_of_lock(void)
{
    const double far = sqrt(0.3125), cosine = (0.04 + 0.3125 - 0.25) / (0.4 * far);
    return (atan2(0.25, 0.5) + acos(cosine)) / 2;
}

typedef struct end {
    carom_status status;
    double time, residual, kinetic, work;
    unsigned long steps;
    char text[1000];
} end;

static end run_of(const char *model, const char *keys, const char *formulation, double tolerance)
{
    char text[3000];
    free_run run;
    end out;
    snprintf(text, sizeof text, "%srun: {until: 4, formulation: %s%s}\n", model, formulation, keys);
    free_run_parse(&run, text, tolerance, NULL);
    out.status = carom_simulation_run(run.sim);
    const carom_statistics statistics = carom_simulation_statistics(run.sim);
    const carom_ledger ledger = carom_simulation_ledger(run.sim);
    out.time = statistics.time;
    out.steps = (unsigned long)statistics.steps;
    out.residual = ledger.residual_fraction;
    out.kinetic = ledger.kinetic - ledger.start;
    out.work = ledger.work;
    snprintf(out.text, sizeof out.text, "%s", out.status == CAROM_OK ? "" : carom_context_error(run.ctx));
    free_run_close(&run);
    return out;
}

static const char *const formulations[] = {"cartesian", "tree"};

static void test_locked(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        double tolerance, before, behind; /* [s] it may end before and behind the place: steps are then shorter than
                                             5e-11 s, and at least 1e-4 of what is left at these tolerances */
    } cases[] = {
        {", analysis: kinematics", 0, 1e-8, 1e-10},
        {"", 1e-4, 4e-6, 1e-10},
        {"", 1e-8, 5e-7, 1e-10},
        {"", 1e-10, 5e-7, 1e-10},
        {", integrator: adams", 1e-8, 5e-7, 1e-10},
        {", integrator: bdf", 1e-8, 5e-7, 1e-10},
        {", integrator: dopri5", 1e-8, 5e-7, 1e-10},
        {", integrator: dopri5", 1e-4, 0, 1e-3}, /* steps over it, to where a motion is violated by 1e-4 */
        {", integrator: rk4, step: 1*ms", 0, 0, 4e-3},
        {", integrator: verlet, step: 1*ms", 0, 0, 4e-3},
    };
    const double lock = time_of_lock();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int f = 0; f < 2; f++) {
            const end e = run_of(FOUR_BAR, cases[k].keys, formulations[f], cases[k].tolerance);
            const double off = e.time - lock;
            printf("%-26s %.0e %-9s %+.1e s, %lu steps, residual %.1e\n", cases[k].keys, cases[k].tolerance,
                   formulations[f], off, e.steps, e.residual);
            assert_int_equal(e.status, CAROM_ERROR_SOLVER);
            assert_true(off > -cases[k].before && off < cases[k].behind && e.steps < 5000);
            if (cases[k].behind > 1e-10)
                continue;
            assert_non_null(strstr(e.text, "the prescribed motion cannot be reached beyond this time"));
            /* the velocities are those beside a position that the constraints leave open by 1e-5 of the way and less,
               to 4e-12 by dopri5 */
            const double energy = strstr(cases[k].keys, "dopri5") ? 2e-2 : 2 * CAROM_GREATEST_RESIDUAL;
            assert_true(fabs(e.work / e.kinetic - 1) < energy);
            if (k > 0)
                assert_non_null(strstr(e.text, "the motion of joint 'm' takes"));
        }
}

/* No run of a motion that goes on is told that it cannot, whatever else ends it beside a dead centre; by steps of 1 ms
   the crank is where the motion has it after five dead centres. */
static void test_passes(void **state)
{
    (void)state;
    static const char slider[] =
        "carom: 1\ndimension: 2\nparameters: {r: 0.1, l: 0.3, w: 5, f: 0.4}\nbodies:\n"
        "  crank: {mass: 1, inertia: 1e-3, at: [0, 0], angle: f, frames: {tip: [r, 0]}}\n"
        "  rod: {mass: 1, inertia: 0.01, at: ['r*cos(f)', 'r*sin(f)'], angle: '-asin(r*sin(f)/l)', "
        "frames: {tip: [l, 0]}}\n"
        "  slider: {mass: 1, inertia: 1e-3, at: ['r*cos(f) + sqrt(l^2 - (r*sin(f))^2)', 0]}\njoints:\n"
        "  main: {type: revolute, between: [ground, crank]}\n"
        "  pin: {type: revolute, between: [crank.tip, rod]}\n"
        "  wrist: {type: revolute, between: [rod.tip, slider]}\n"
        "  guide: {type: translational, between: [ground, slider], axis: [1, 0], "
        "motion: 'r*cos(w*t + f) + sqrt(l^2 - (r*sin(w*t + f))^2)'}\n";
    static const char *const keys[] = {"",
                                       ", integrator: adams",
                                       ", integrator: bdf",
                                       ", integrator: dopri5",
                                       ", integrator: hht, step: 1*ms",
                                       ", integrator: verlet, step: 1*ms",
                                       ", integrator: rk4, step: 1*ms"};
    static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
    int went = 0;
    for (int k = 0; k < 7; k++)
        for (int f = 0; f < 2; f++)
            for (int n = 0; n < 4; n++) {
                const end e = run_of(slider, keys[k], formulations[f], tolerances[n]);
                went += e.status == CAROM_OK;
                assert_null(strstr(e.text, "cannot be reached"));
                assert_true(k < 6 || e.status == CAROM_OK);
            }
    printf("slider that drives its crank: %d of 56 runs complete\n", went);
    char text[3000];
    free_run run;
    snprintf(text, sizeof text, "%srun: {until: 4, integrator: rk4, step: 1*ms}\n", slider);
    free_run_parse(&run, text, 0, NULL);
    free_run_to(&run, 3);
    const double off = free_run_get(&run, "body.crank.angle") - (15 + 0.4);
    printf("crank after five dead centres: %.1e rad off\n", off);
    assert_true(fabs(off) < 1e-4);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_locked), cmocka_unit_test(test_passes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

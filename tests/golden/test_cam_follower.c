/* Disc cam and roller follower (models/cam_follower.yaml) against the closed forms of docs/theory/machines.md: the
   force while the roller stays on the cam, from segment to segment of the outline, the critical speed, the place of the
   lift-off above it. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/runs.h"

#define DEG (CAROM_PI / 180)
#define LEDGER 1e-6

/* Values of the model file. */
static const double lift = 0.01, base = 0.03, roller = 8e-3, rise = 120 * DEG, mass = 0.5, stiffness = 2000,
                    preload = 20, g = 9.81;

/* Lift of the cycloidal law where the cam has turned by `turn` from the middle of the lower dwell, and its
   derivatives. */
static double law(double turn, double *first, double *second)
{
    const double t = turn - 2 * CAROM_PI * floor(turn / (2 * CAROM_PI)), mirror = fmin(t, 2 * CAROM_PI - t);
    const double u = fmin(fmax((mirror - 30 * DEG) / rise, 0), 1);
    *first = (t > CAROM_PI ? -1 : 1) * lift / rise * (1 - cos(2 * CAROM_PI * u));
    *second = 2 * CAROM_PI * lift / (rise * rise) * sin(2 * CAROM_PI * u);
    return lift * (u - sin(2 * CAROM_PI * u) / (2 * CAROM_PI));
}

/* Force of the cam on the roller along its normal that the law asks for. */
static double law_force(double turn, double omega)
{
    double first, second;
    const double s = law(turn, &first, &second), slope = first / (base + roller + s);
    return (mass * (second * omega * omega + g) + preload + stiffness * s) * sqrt(1 + slope * slope);
}

/* Least speed at which the law asks for no force somewhere. */
static double critical_speed(void)
{
    double least = HUGE_VAL;
    for (int k = 1; k < 60000; k++) {
        double first, second;
        const double s = law(30 * DEG + rise * k / 60000, &first, &second);
        if (second < 0)
            least = fmin(least, (mass * g + preload + stiffness * s) / (-mass * second));
    }
    return sqrt(least);
}

static void open_cam(free_run *run, run_sets *sets, double omega, double friction, double tolerance)
{
    run_set(sets, "omega", omega);
    run_set(sets, "mu", friction);
    run_open(run, "cam_follower.yaml", sets, tolerance);
}

static void close_cam(free_run *run, margin *m)
{
    margin_add(m, "ledger", 0, carom_simulation_ledger(run->sim).residual_fraction, 0, LEDGER);
    free_run_close(run);
    margin_end(m);
}

/* ---- on the cam ---- */

static void test_force(void **state)
{
    (void)state;
    const double omega = 60;
    double worst = 0, height = 0, peak = 0;
    run_sets sets = {0};
    free_run run;
    margin m;
    open_cam(&run, &sets, omega, 0, 1e-9);
    for (int k = 1; k <= 1440; k++) {
        const double turn = 0.5 * k * DEG, force = law_force(turn, omega);
        double first, second;
        free_run_to(&run, turn / omega);
        worst = fmax(worst, fabs(free_run_get(&run, "contact.touch.force") - force));
        height = fmax(height,
                      fabs(free_run_get(&run, "body.roller.position.y") - base - roller - law(turn, &first, &second)));
        peak = fmax(peak, force);
    }
    size_t count, rests;
    const carom_rest *rest;
    carom_simulation_impacts(run.sim, &count);
    assert_int_equal(carom_simulation_rests(run.sim, &rest, &rests), CAROM_OK);
    for (size_t k = 0; k < rests; k++)
        count += rest[k].ended != 0;
    printf("           force up to %.4g N, off the law's by up to %.3g N, height by %.3g um; %zu releases\n", peak,
           worst, 1e6 * height, count);
    margin_begin(&m, "force on the cam");
    margin_add(&m, "force [N]", 0, worst, 0, 0.01 * peak);
    margin_add(&m, "height [m]", 0, height, 0, 5e-6);
    margin_add(&m, "releases", 0, (double)count, 0, 0.5);
    close_cam(&run, &m);
}

/* The roller passes from segment to segment at 30, 35, 40, ... degrees; the force before and after differs by what it
   changes in that time. */
static void test_segments(void **state)
{
    (void)state;
    const double omega = 60, apart[2] = {1e-6, 1e-7};
    double jump[2] = {0, 0};
    run_sets sets = {0};
    free_run run;
    margin m;
    open_cam(&run, &sets, omega, 0, 1e-10);
    for (int k = 30; k <= 330; k += k == 150 ? 60 : 5) {
        const double t = k * DEG / omega;
        double before[2], after[2];
        for (int n = 0; n < 2; n++) {
            free_run_to(&run, t - apart[n]);
            before[n] = free_run_get(&run, "contact.touch.force");
        }
        for (int n = 1; n >= 0; n--) {
            free_run_to(&run, t + apart[n]);
            after[n] = free_run_get(&run, "contact.touch.force");
        }
        for (int n = 0; n < 2; n++)
            jump[n] = fmax(jump[n], fabs(after[n] - before[n]));
    }
    printf("           from segment to segment the force changes by %.2g N in 2 us, %.2g N in 0.2 us\n", jump[0],
           jump[1]);
    margin_begin(&m, "from segment to segment");
    margin_add(&m, "change in 2 us [N]", 0, jump[0], 0, 0.02);
    margin_add(&m, "change in 0.2 us [N]", 0, jump[1], 0, 0.002);
    close_cam(&run, &m);
}

/* Friction rolls the roller: in the upper dwell its surface has the cam's speed. */
static void test_rolling(void **state)
{
    (void)state;
    const double omega = 60, speed = -omega * (base + lift) / roller;
    run_sets sets = {0};
    free_run run;
    margin m;
    open_cam(&run, &sets, omega, 0.1, 1e-8);
    free_run_to(&run, CAROM_PI / omega);
    margin_begin(&m, "rolling");
    margin_add(&m, "roller's spin in the upper dwell", 0, free_run_get(&run, "body.roller.angular_velocity"), speed,
               -1e-3 * speed);
    close_cam(&run, &m);
}

/* ---- off the cam ---- */

static size_t releases_at(double omega, double modulus, double *first, margin *m)
{
    run_sets sets = {0};
    free_run run;
    size_t count, rests;
    const carom_rest *rest;
    run_set(&sets, "E", modulus);
    open_cam(&run, &sets, omega, 0, 1e-8);
    free_run_to(&run, 2 * CAROM_PI / omega);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    assert_int_equal(carom_simulation_rests(run.sim, &rest, &rests), CAROM_OK);
    /* the contact of the start began at rest: it is a rest, or an impact without restitution */
    assert_true(count == 0 || impacts[0].onset > 0 || isnan(impacts[0].e_got));
    *first = count ? (impacts[0].onset + impacts[0].duration) * omega : 0;
    for (size_t k = rests; k-- > 0;)
        if (rest[k].ended != 0) {
            *first = (rest[k].begin + rest[k].duration) * omega;
            count++;
        }
    margin_add(m, "ledger", 0, carom_simulation_ledger(run.sim).residual_fraction, 0, LEDGER);
    free_run_close(&run);
    return count;
}

/* Below the critical speed the roller stays; above it leaves where a rigid one would, but for a lag that goes to zero
   with the compliance of the contact. */
static void test_jump(void **state)
{
    (void)state;
    static const double shares[] = {0.9, 0.98, 1.02, 1.1, 1.2, 1.4}, moduli[] = {207e9, 207e11, 207e13};
    const double critical = critical_speed();
    margin m;
    margin_begin(&m, "lift-off");
    for (int k = 0; k < 6; k++) {
        const double omega = shares[k] * critical;
        double lag = HUGE_VAL, turn, expected = 30 * DEG;
        while (expected < 150 * DEG && law_force(expected, omega) > 0)
            expected += 0.001 * DEG;
        for (int n = 0; n < (shares[k] < 1 ? 1 : 3); n++) {
            const size_t count = releases_at(omega, moduli[n], &turn, &m);
            printf("           %.2f of %.4g rad/s, %8.3g GPa: %zu releases in a turn", shares[k], critical,
                   moduli[n] / 1e9, count);
            if (shares[k] < 1) {
                margin_add(&m, "releases", (size_t)k, (double)count, 0, 0.5);
                printf("\n");
                continue;
            }
            printf(", the first %.3f degrees after %.3f\n", (turn - expected) / DEG, expected / DEG);
            assert_true(count > 0 && turn > expected && turn - expected < lag);
            lag = turn - expected;
        }
        if (shares[k] > 1)
            margin_add(&m, "lag of the stiffest", (size_t)k, lag, 0, 0.4 * DEG);
    }
    margin_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_force), cmocka_unit_test(test_segments),
                                       cmocka_unit_test(test_rolling), cmocka_unit_test(test_jump)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

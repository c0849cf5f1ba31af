/* Geneva wheel (models/geneva_wheel.yaml) against closed forms derived in docs/theory/machines.md: the pin's entry,
   the ideal kinematics within the play, peaks of speed and acceleration, the gap of the locking disc at every angle,
   the force that locks, and the index of a quarter of a turn. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/runs.h"

#define DEG (CAROM_PI / 180)
#define LEDGER 1e-6

/* Values of the model file; `play` is set by the tests. */
static const double c = 0.1, slack = 1e-4, pin = 6e-3, tip = 3e-3, edge = 2e-3, omega = 2 * CAROM_PI;

typedef struct wheel {
    double r, h, play;   /* crank, half width of the slots, play */
    double hollow, disc; /* radii */
} wheel;

static wheel wheel_with(double play)
{
    const double r = c * sin(CAROM_PI / 4), h = pin + play, hollow = r - h - 2 * tip;
    return (wheel){.r = r, .h = h, .play = play, .hollow = hollow, .disc = hollow - slack};
}

static void open_wheel(free_run *run, run_sets *sets, double start, double play, double tolerance)
{
    run_set(sets, "start", start);
    run_set(sets, "play", play);
    run_set(sets, "duration", 1.25);
    run_open(run, "geneva_wheel.yaml", sets, tolerance);
}

static void close_wheel(free_run *run, margin *m)
{
    margin_add(m, "ledger", 0, carom_simulation_ledger(run->sim).residual_fraction, 0, LEDGER);
    free_run_close(run);
    margin_end(m);
}

/* Angle of the ideal wheel from the line of centres, and its first and second derivative over the crank's angle. */
static double ideal(const wheel *w, double a, double *first, double *second)
{
    const double q = w->r / c, n = 1 + q * q - 2 * q * cos(a);
    *first = q * (cos(a) - q) / n;
    *second = q * (q * q - 1) * sin(a) / (n * n);
    return atan2(q * sin(a), 1 - q * cos(a));
}

static double distance_of(double x, double y) { return sqrt(x * x + y * y); }

/* ---- the pin enters ---- */

/* A wheel at rest in the middle of its play is touched where the pin has come in by the play, r (1 - cos x) = play,
   with the speed omega r sin x. */
static void test_entry(void **state)
{
    (void)state;
    static const double plays[] = {1e-5, 5e-5, 2e-4};
    margin m;
    for (int k = 0; k < 3; k++) {
        const wheel w = wheel_with(plays[k]);
        const double start = -60 * DEG, x = acos(1 - w.play / w.r), speed = omega * w.r * sin(x);
        run_sets sets = {0};
        free_run run;
        size_t count;
        run_set(&sets, "torque", 0);
        open_wheel(&run, &sets, start, w.play, 1e-10);
        free_run_to(&run, 0.08);
        const carom_impact *impact = carom_simulation_impacts(run.sim, &count);
        assert_true(count > 0);
        assert_string_equal(impact[0].contact, "pin");
        printf("           play %.0e m: touched %.3f degrees after the mouth at %.5f m/s, %.1f %% of the pin's speed\n",
               w.play, x / DEG, impact[0].v_in, 100 * impact[0].v_in / (omega * w.r));
        margin_begin(&m, "entry of the pin");
        margin_add(&m, "onset", 0, impact[0].onset, (-45 * DEG + x - start) / omega, 1e-9);
        margin_add(&m, "speed", 0, impact[0].v_in, speed, 1e-7 * speed);
        close_wheel(&run, &m);
    }
}

/* ---- the pin drives ---- */

static double deepest_of(free_run *run, const char *contact)
{
    double deepest = 0;
    size_t count;
    const carom_impact *impacts = carom_simulation_impacts(run->sim, &count);
    for (size_t k = 0; k < count; k++)
        if (impacts[k].contact[0] == contact[0])
            deepest = fmax(deepest, impacts[k].max_indentation);
    return deepest;
}

/* While the pin is in the slot the wheel is where the ideal one is, give or take play and indentation over the pin's
   distance from the axle, and the gap of the contact is the play less the pin's distance from the middle of the slot.
   */
static void test_follows(void **state)
{
    (void)state;
    const double play = 5e-5, start = -48 * DEG;
    const wheel w = wheel_with(play);
    run_sets sets = {0};
    free_run run;
    margin m;
    double worst = 0, gap_error = 0, deepest = 0;
    open_wheel(&run, &sets, start, play, 1e-9);
    for (int k = -450; k <= 450; k++) {
        const double a = 0.1 * k * DEG;
        double first, second;
        free_run_to(&run, (a - start) / omega);
        const double off = free_run_get(&run, "body.wheel.angle") + ideal(&w, a, &first, &second);
        const double arm = distance_of(c - w.r * cos(a), w.r * sin(a)),
                     indentation = free_run_get(&run, "contact.pin.indentation");
        deepest = fmax(deepest, indentation);
        worst = fmax(worst, arm * fabs(sin(off)));
        gap_error = fmax(gap_error, fabs(fabs(arm * sin(off)) - play - indentation));
    }
    deepest = fmax(deepest, deepest_of(&run, "pin"));
    printf("           pin off the slot's middle by up to %.3f um: play %.0f um, largest indentation %.3f um\n",
           1e6 * worst, 1e6 * play, 1e6 * deepest);
    margin_begin(&m, "ideal kinematics within the play");
    margin_add(&m, "off the middle of the slot", 0, worst, 0, (play + deepest) * (1 + 1e-6));
    margin_add(&m, "gap of the pin", 0, gap_error, 0, 1e-12);
    close_wheel(&run, &m);
}

/* With next to no play, and a torque that presses the slot on the pin throughout, speed and acceleration are those of
   the ideal wheel: peaks sin/(1 - sin) of 45 degrees, and at cos a = (sqrt(B^2 + 8) - B)/2 with B = (1 + q^2)/(2 q),
   here 5.407. */
static void test_peaks(void **state)
{
    (void)state;
    const double play = 1e-6, start = -46 * DEG, q = sin(CAROM_PI / 4), B = (1 + q * q) / (2 * q), window = 1.5 * DEG;
    const double at = -acos((sqrt(B * B + 8) - B) / 2);
    const wheel w = wheel_with(play);
    run_sets sets = {0};
    free_run run;
    margin m;
    double peak = 0, first, second, before, after;
    run_set(&sets, "torque", 1);
    run_set(&sets, "mu", 0);
    open_wheel(&run, &sets, start, play, 1e-9);
    free_run_to(&run, (at - window - start) / omega);
    before = -free_run_get(&run, "body.wheel.angular_velocity");
    free_run_to(&run, (at + window - start) / omega);
    after = -free_run_get(&run, "body.wheel.angular_velocity");
    for (int k = -50; k <= 50; k++) {
        free_run_to(&run, (0.1 * k * DEG - start) / omega);
        peak = fmax(peak, -free_run_get(&run, "body.wheel.angular_velocity"));
    }
    margin_begin(&m, "peaks of the ideal wheel");
    margin_add(&m, "peak speed over the crank's", 0, peak / omega, q / (1 - q), 1e-3 * q / (1 - q));
    ideal(&w, at, &first, &second);
    assert_true(fabs(second - 5.407) < 5e-4);
    const double mean = (after - before) / omega / (2 * window);
    printf("           peak speed %.5f of the crank's, not %.5f; mean acceleration about its peak %.4f of its square",
           peak / omega, q / (1 - q), mean);
    double low, high;
    ideal(&w, at - window, &low, &second);
    ideal(&w, at + window, &high, &second);
    printf(", not %.4f\n", (high - low) / (2 * window));
    margin_add(&m, "mean acceleration about its peak", 0, mean, (high - low) / (2 * window),
               1e-2 * (high - low) / (2 * window));
    close_wheel(&run, &m);
}

/* ---- the disc locks ---- */

/* A tip of the hollow that faces the driver, side 1 above and -1 below, from the driver's axis, where the wheel has
   turned by `turn` from the middle of its play. */
static void tip_at(const wheel *w, int side, double turn, double *x, double *y)
{
    const double arm = distance_of(w->r, w->h + tip),
                 angle = CAROM_PI - side * (45 * DEG - atan2(w->h + tip, w->r)) + turn;
    *x = c + arm * cos(angle);
    *y = arm * sin(angle);
}

static double wrapped(double angle) { return angle - 2 * CAROM_PI * floor(angle / (2 * CAROM_PI) + 0.5); }

/* Gap of disc and wheel: tips against the round of the disc, edges of the disc against the hollow and the tips. */
static double lock_gap(const wheel *w, double a, double turn)
{
    const double arm = w->disc - edge, centre[2] = {c - c * cos(turn), -c * sin(turn)};
    double least = HUGE_VAL;
    for (int side = -1; side <= 1; side += 2) {
        double x, y;
        tip_at(w, side, turn, &x, &y);
        if (fabs(wrapped(atan2(y, x) - a)) >= 45 * DEG)
            least = fmin(least, distance_of(x, y) - tip - w->disc);
        for (int end = -1; end <= 1; end += 2) {
            const double u = arm * cos(a + end * 45 * DEG), v = arm * sin(a + end * 45 * DEG);
            const double from[2] = {u - centre[0], v - centre[1]};
            if (fabs(wrapped(atan2(from[1], from[0]) - turn)) <= 45 * DEG)
                least = fmin(least, w->hollow - edge - distance_of(from[0], from[1]));
            least = fmin(least, distance_of(u - x, v - y) - edge - tip);
        }
    }
    return least;
}

/* Angle by which the wheel turns from the middle until a tip is `depth` in the disc. */
static double held_within(const wheel *w, double depth)
{
    const double arm = distance_of(w->r, w->h + tip), reach = w->disc + tip - depth;
    const double middle = 45 * DEG - atan2(w->h + tip, w->r);
    return middle - acos((c * c + arm * arm - reach * reach) / (2 * c * arm));
}

/* From the exit of the pin to the next entry and exit: the gap of the lock, the angle held, two rests a turn apart. */
static void test_dwell(void **state)
{
    (void)state;
    const double play = 5e-5, start = 180 * DEG;
    const wheel w = wheel_with(play);
    run_sets sets = {0};
    free_run run;
    margin m;
    double gap_error = 0, held = 0, rest[2] = {0, 0}, depth[2] = {0, 0};
    open_wheel(&run, &sets, start, play, 1e-8);
    for (int k = 1800; k <= 6200; k += 2) {
        const double a = 0.1 * k * DEG, phase = wrapped(a) / DEG;
        const int quarter = k > 3600 ? 1 : 0;
        free_run_to(&run, (a - start) / omega);
        const double turn = free_run_get(&run, "body.wheel.angle") - 45 * DEG + quarter * 90 * DEG;
        const double indentation = free_run_get(&run, "contact.lock.indentation");
        if (fabs(phase) > 46)
            gap_error = fmax(gap_error, fabs(-indentation - lock_gap(&w, a, turn)));
        if (fabs(phase) >= 90)
            held = fmax(held, fabs(turn));
        if (k == 2600 || k == 6200) {
            rest[quarter] = turn;
            depth[quarter] = indentation;
        }
    }
    const double most = held_within(&w, deepest_of(&run, "lock"));
    printf("           dwell: held within %.5f degrees of %.5f, gap of the lock within %.1g m of the closed form\n",
           held / DEG, most / DEG, gap_error);
    printf("           indexed by 90 degrees to %.1g, rests %.6f degrees behind the middle\n",
           fabs(rest[1] - rest[0]) / DEG, rest[0] / DEG);
    margin_begin(&m, "dwell");
    margin_add(&m, "gap of the lock [m]", 0, gap_error, 0, 1e-11);
    margin_add(&m, "held within", 0, held, 0, most);
    margin_add(&m, "index of a quarter of a turn", 0, rest[1] - rest[0], 0, 1e-6);
    for (int k = 0; k < 2; k++)
        margin_add(&m, "at rest on a tip", (size_t)k, rest[k], held_within(&w, depth[k]), 1e-9);
    close_wheel(&run, &m);
}

/* At rest on a tip, without friction, the disc presses with the torque over c sin of the angle at which it sees the
   tip. */
static void test_locking_force(void **state)
{
    (void)state;
    const double play = 5e-5, start = 100 * DEG, torque = 0.1;
    const wheel w = wheel_with(play);
    run_sets sets = {0};
    free_run run;
    margin m;
    run_set(&sets, "mu", 0);
    run_set(&sets, "torque", torque);
    open_wheel(&run, &sets, start, play, 1e-9);
    free_run_to(&run, 150 * DEG / omega);
    double x, y;
    tip_at(&w, 1, free_run_get(&run, "body.wheel.angle") - 45 * DEG, &x, &y);
    const double force = torque / (c * sin(atan2(y, x)));
    margin_begin(&m, "locking force");
    margin_add(&m, "at rest [N]", 0, free_run_get(&run, "contact.lock.force"), force, 1e-4 * force);
    close_wheel(&run, &m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_entry), cmocka_unit_test(test_follows),
                                       cmocka_unit_test(test_peaks), cmocka_unit_test(test_dwell),
                                       cmocka_unit_test(test_locking_force)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Orders of the integrators against the closed form of a pendulum, with constraints (absolute coordinates) and without
   (joint coordinates); and the integrators that hold the constraints on the positions, generalised-alpha and hht:
   published numbers, closed forms and other integrators. */
#include "carom_test.h"

#include "base/base.h"
#include "math/elliptic.h"
#include "support/free_runs.h"
#include "support/json.h"

#include <math.h>

/* ---- pendulum ---- */

#define LENGTH 1.0
#define GRAVITY 9.81
#define END 1.5
#define PI 3.14159265358979323846

/* A uniform rod of 3/2 LENGTH at its end swings as a point at LENGTH does; from the horizontal. */
static const char *const pendulum_text =
    "carom: 1\n"
    "dimension: %d\n"
    "gravity: %s\n"
    "bodies:\n"
    "  rod: {mass: 1, inertia: %s, at: %s, frames: {pivot: %s}}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, rod.pivot]%s}\n"
    "run: {until: 1.5, integrator: %s, formulation: %s, tolerance: %s}\n";

/* Angle at t from sin(theta/2) = k sn(K - omega t), the amplitude by descending arithmetic-geometric means (Abramowitz
   and Stegun 16.4). */
static double closed_form(double t)
{
    const double k = sin(PI / 4), omega = sqrt(GRAVITY / LENGTH);
    double a[12], c[12], b = sqrt(1 - k * k);
    const double u = carom_elliptic_integral(b, 1, 1) - omega * t;
    int n = 0;
    a[0] = 1;
    c[0] = k;
    while (n < 11 && fabs(c[n]) > 1e-17) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        n++;
    }
    double phi = ldexp(a[n], n) * u;
    for (; n > 0; n--)
        phi = 0.5 * (phi + asin(c[n] / a[n] * sin(phi)));
    return 2 * asin(k * sin(phi));
}

/* Error of the angle at the end, or the largest at so many times, and the number of steps; `more` is the tolerance and
   further keys. */
static double pendulum_errors(int dimension, const char *integrator, const char *formulation, const char *more,
                              int times, double *steps)
{
    double error = 0;
    char text[1000];
    const bool space = dimension == 3;
    free_run run;
    snprintf(text, sizeof text, pendulum_text, dimension, space ? "[0, 0, -9.81]" : "[0, -9.81]",
             space ? "[0.1, 0.1875, 0.1875]" : "0.1875", space ? "[0.75, 0, 0]" : "[0.75, 0]",
             space ? "[-0.75, 0, 0]" : "[-0.75, 0]", space ? ", axis: [0, -1, 0]" : "", integrator, formulation, more);
    free_run_parse(&run, text, 0, NULL);
    for (int k = 1; k <= times; k++) {
        const double t = END * k / times;
        free_run_to(&run, t);
        const double now = free_run_get(&run, "joint.pin.coordinate") + PI / 2 - closed_form(t);
        error = fabs(now) > fabs(error) ? now : error;
    }
    *steps = (double)carom_simulation_statistics(run.sim).steps;
    free_run_close(&run);
    return error;
}

static double pendulum_error(int dimension, const char *integrator, const char *formulation, const char *more,
                             double *steps)
{
    return pendulum_errors(dimension, integrator, formulation, more, 1, steps);
}

static void orders(void **state)
{
    (void)state;
    static const struct {
        const char *integrator, *keys;
        double step, order;
    } rows[] = {{"semi-implicit-euler", "", 1e-3, 1},
                {"verlet", "", 4e-3, 2},
                {"rk4", "", 8e-3, 4},
                {"moreau", "", 4e-3, 2}, /* of order 1 at impacts */
                {"moreau", ", theta: 1", 4e-3, 1},
                {"generalised-alpha", "", 4e-3, 2},
                {"generalised-alpha", ", spectral_radius: 0", 4e-3, 2},
                {"generalised-alpha", ", spectral_radius: 1", 4e-3, 2},
                {"hht", "", 4e-3, 2},
                {"hht", ", hht_alpha: 0", 4e-3, 2},
                {"hht", ", hht_alpha: -1/3", 4e-3, 2}};
    static const char *const formulations[] = {"cartesian", "tree"};
    for (size_t k = 0; k < CAROM_COUNT(rows); k++)
        for (int dimension = 2; dimension <= 3; dimension++)
            for (int f = 0; f < 2; f++) {
                char more[80];
                double error[2], steps;
                for (int n = 0; n < 2; n++) {
                    snprintf(more, sizeof more, "1e-11%s, step: %.9g", rows[k].keys, ldexp(rows[k].step, -n));
                    error[n] = pendulum_error(dimension, rows[k].integrator, formulations[f], more, &steps);
                }
                const double order = log2(error[0] / error[1]);
                printf("%d-D %-9s %-20s%-22s error %9.2e, %9.2e: order %.2f\n", dimension, formulations[f],
                       rows[k].integrator, rows[k].keys, error[0], error[1], order);
                if (!(fabs(order - rows[k].order) < 0.2))
                    fail_msg("%s: order %g", rows[k].integrator, order);
            }
}

/* Methods that control their steps: errors go with the power of the number of steps that is their order. */
static void orders_of_controlled_steps(void **state)
{
    (void)state;
    static const struct {
        const char *integrator, *formulation, *coarse, *fine;
        double order;
    } rows[] = {{"dopri5", "cartesian", "1e-6", "1e-8", 5},          {"dopri5", "tree", "1e-8", "1e-10", 5},
                {"generalised-alpha", "cartesian", "1e-6", "1e-8", 2}, {"generalised-alpha", "tree", "1e-6", "1e-8", 2},
                {"hht", "cartesian", "1e-6", "1e-8", 2},             {"hht", "tree", "1e-6", "1e-8", 2}};
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        double steps[2], error[2] = {
            pendulum_error(3, rows[k].integrator, rows[k].formulation, rows[k].coarse, &steps[0]),
            pendulum_error(3, rows[k].integrator, rows[k].formulation, rows[k].fine, &steps[1])};
        const double order = log(error[0] / error[1]) / log(steps[1] / steps[0]);
        printf("%-9s %-20s errors %9.2e, %9.2e in %5.0f, %6.0f steps: order %.2f\n", rows[k].formulation,
               rows[k].integrator, error[0], error[1], steps[0], steps[1], order);
        if (!(fabs(order - rows[k].order) < 0.2))
            fail_msg("%s: order %g", rows[k].integrator, order);
    }
}

/* Methods that vary their order claim none: their errors, here the largest at ten times, go with the tolerance. The
   slope of a straight line through the logarithms of both, over five decades, by least squares. */
static void errors_of_varied_orders(void **state)
{
    (void)state;
    static const char *const integrators[] = {"adams", "bdf", "auto"}, *const formulations[] = {"cartesian", "tree"};
    for (size_t k = 0; k < CAROM_COUNT(integrators); k++)
        for (int f = 0; f < 2; f++) {
            double sum[2] = {0}, squares = 0, products = 0, steps, ends[2] = {0};
            const int count = 11;
            for (int n = 0; n < count; n++) {
                char tolerance[32];
                const double x = -5 - 0.5 * n;
                snprintf(tolerance, sizeof tolerance, "%.3e", pow(10, x));
                const double error =
                    fabs(pendulum_errors(3, integrators[k], formulations[f], tolerance, 10, &steps)), y = log10(error);
                ends[n > 0] = error;
                sum[0] += x;
                sum[1] += y;
                squares += x * x;
                products += x * y;
            }
            const double slope = (count * products - sum[0] * sum[1]) / (count * squares - sum[0] * sum[0]);
            printf("%-9s %-20s errors %9.2e to %9.2e at 1e-5 to 1e-10: as tolerance^%.2f\n", formulations[f],
                   integrators[k], ends[0], ends[1], slope);
            if (!(slope > 0.8 && slope < 1.3))
                fail_msg("%s: slope %g", integrators[k], slope);
        }
}

/* ---- Andrews' mechanism ---- */

/* beta, Theta, gamma, Phi, delta, Omega, epsilon at 0.03 s, whose first ten digits are those of the test set of IVP
   solvers (tests/data/mechanisms.json, bm-andrews). The run is at 1e-6. */
static const double andrews_end[7] = {15.81077119515011,  -15.756371058407344, 0.04082224011961086, -0.534730116342141,
                                      0.5244099658799524, 0.5347301163421404,  1.048080741041937};

static void andrews(void **state)
{
    (void)state;
    static const char *const names[] = {"one", "two", "three", "four", "five", "six", "seven"};
    static const char *const integrators[] = {"generalised-alpha", "hht"};
    for (int n = 0; n < 2; n++) {
        free_run run;
        double a[7], worst = 0;
        free_run_open(&run, "andrews.yaml", NULL, 0, 1e-6, integrators[n]);
        free_run_to(&run, 0.03);
        for (int k = 0; k < 7; k++)
            a[k] = free_run_body(&run, names[k]).angle;
        const double q[7] = {a[0], a[1] - a[0], a[2], a[3] - a[4], a[4], a[5] - a[6], a[6]};
        for (int k = 0; k < 7; k++)
            worst = fmax(worst, fabs(q[k] - andrews_end[k]));
        const carom_violation v = carom_simulation_violation(run.sim);
        printf("andrews, %s: error %.2e rad in %llu steps, position %.1e, velocity %.1e\n", integrators[n], worst,
               (unsigned long long)carom_simulation_statistics(run.sim).steps, v.position, v.velocity);
        assert_true(worst < 1e-4);
        assert_true(v.position < 1e-10);
        free_run_close(&run);
    }
}

/* ---- other integrators ---- */

/* A coordinate at the end of a run against that of adams at a tight tolerance. */
static double differs(const char *text, const char *formulation, const char *integrator, double tolerance,
                      const char *channel, double end, double *value)
{
    char whole[4000];
    free_run run;
    snprintf(whole, sizeof whole, "%srun: {until: %g, formulation: %s, integrator: adams}\n", text, end, formulation);
    free_run_parse(&run, whole, 1e-11, NULL);
    free_run_to(&run, end);
    const double wanted = free_run_get(&run, channel);
    free_run_close(&run);
    snprintf(whole, sizeof whole, "%srun: {until: %g, formulation: %s, integrator: %s}\n", text, end, formulation,
             integrator);
    free_run_parse(&run, whole, tolerance, NULL);
    free_run_to(&run, end);
    *value = free_run_get(&run, channel);
    const carom_violation v = carom_simulation_violation(run.sim);
    printf("%-9s %-18s %s = %.9g, differs by %.1e; position %.1e, velocity %.1e; ledger %.1e\n", formulation,
           integrator, channel, *value, *value - wanted, v.position, v.velocity,
           carom_simulation_ledger(run.sim).residual_fraction);
    assert_true(v.position < 1e-9);
    free_run_close(&run);
    return fabs(*value - wanted);
}

/* Two rows of it depend on the others. */
static const char parallelogram[] = "carom: 1\n"
                                    "dimension: 2\n"
                                    "gravity: [0, -9.81]\n"
                                    "bodies:\n"
                                    "  a: {mass: 1, inertia: 1/12, at: [0, 0.5], angle: 90*deg,\n"
                                    "    frames: {o: [-0.5, 0], e: [0.5, 0]}}\n"
                                    "  b: {mass: 1, inertia: 1/12, at: [1, 0.5], angle: 90*deg,\n"
                                    "    frames: {o: [-0.5, 0], e: [0.5, 0]}}\n"
                                    "  c: {mass: 1, inertia: 1/12, at: [2, 0.5], angle: 90*deg,\n"
                                    "    frames: {o: [-0.5, 0], e: [0.5, 0]}}\n"
                                    "  p: {mass: 2, inertia: 8/12, at: [1, 1], frames: {l: [-1, 0], r: [1, 0]}}\n"
                                    "joints:\n"
                                    "  A: {type: revolute, between: [ground, a.o], rate: 1}\n"
                                    "  B: {type: revolute, between: [{ground: [1, 0]}, b.o]}\n"
                                    "  C: {type: revolute, between: [{ground: [2, 0]}, c.o]}\n"
                                    "  D: {type: revolute, between: [a.e, p.l]}\n"
                                    "  E: {type: revolute, between: [b.e, p]}\n"
                                    "  F: {type: revolute, between: [c.e, p.r]}\n";

static const char top[] = "carom: 1\n"
                          "dimension: 3\n"
                          "gravity: [0, 0, -9.81]\n"
                          "bodies:\n"
                          "  top: {mass: 1, inertia: [0.02, 0.02, 0.01], at: [0.1, 0, 0.2],\n"
                          "    frames: {tip: [-0.1, 0, -0.2]}, angular_velocity: [3, 0, 60]}\n"
                          "joints:\n"
                          "  tip: {type: spherical, between: [ground, top.tip]}\n";

static const char ball[] = "carom: 1\n"
                           "dimension: 2\n"
                           "gravity: [0, -9.81]\n"
                           "bodies:\n"
                           "  ball: {mass: 1, inertia: 0.001, at: [0, 0.2]}\n"
                           "shapes:\n"
                           "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
                           "  ball: {type: sphere, on: ball, radius: 0.05}\n"
                           "contacts:\n"
                           "  hit: {between: [floor, ball], \n"
                           "    normal: {law: kelvin-voigt, stiffness: 1e7, damping: 200}}\n";

/* It hits a stop, with friction in a pin; in impacts the steps are so short that velocities are held. */
static const char slider_crank[] =
    "carom: 1\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "parameters: {x: sqrt(0.21)}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: 0.01, at: [0, 0.1], angle: 90*deg, frames: {o: [-0.1, 0], e: [0.1, 0]}}\n"
    "  rod: {mass: 1, inertia: 0.03, at: [x/2, 0.1], angle: -asin(0.4), frames: {o: [-0.25, 0], e: [0.25, 0]}}\n"
    "  slide: {mass: 2, inertia: 0.01, at: [x, 0]}\n"
    "joints:\n"
    "  O: {type: revolute, between: [ground, crank.o], rate: -15, friction: {law: coulomb, kinetic: 0.1, radius: "
    "0.01}}\n"
    "  P: {type: revolute, between: [crank.e, rod.o]}\n"
    "  Q: {type: revolute, between: [rod.e, slide]}\n"
    "  R: {type: translational, between: [ground, slide], axis: [1, 0]}\n"
    "shapes:\n"
    "  stop: {type: plane, on: ground, normal: [-1, 0], at: [0.6, 0]}\n"
    "  nose: {type: sphere, on: slide, radius: 0.05}\n"
    "contacts:\n"
    "  stop: {between: [stop, nose], normal: {law: flores, stiffness: 1e9, restitution: 0.7}}\n";

static void others(void **state)
{
    (void)state;
    static const char *const formulations[] = {"cartesian", "tree"};
    static const char *const integrators[] = {"generalised-alpha", "hht", "auto, constraints: ggl",
                                              "auto, jacobian: differences, constraints: ggl"};
    double value;
    for (int f = 0; f < 2; f++)
        for (size_t n = 0; n < CAROM_COUNT(integrators); n++) {
            const char *in = formulations[f], *by = integrators[n];
            assert_true(differs(parallelogram, in, by, 1e-7, "joint.A.coordinate", 0.5, &value) < 1e-5);
            assert_true(differs(top, in, by, 1e-7, "body.top.position.x", 0.5, &value) < 1e-5);
            assert_true(differs(slider_crank, in, by, 1e-6, "body.slide.position.x", 0.1, &value) < 1e-5);
            assert_true(differs(ball, in, by, 1e-7, "body.ball.position.y", 0.5, &value) < 1e-6);
        }
}

/* Keys that do not fit are refused; by another name of the integrator a constraint method of the file is ignored. */
static void refusals(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"hht, constraints: projection", "hht holds the constraints itself"},
                                          {"generalised-alpha, spectral_radius: 1.5", "spectral_radius is 1.5"},
                                          {"hht, hht_alpha: -0.5", "hht_alpha is -0.5"}};
    char text[2000];
    for (size_t k = 0; k < CAROM_COUNT(rows); k++) {
        snprintf(text, sizeof text, "%srun: {until: 1, integrator: %s}\n", parallelogram, rows[k][0]);
        assert_non_null(strstr(free_error_of_text(text), rows[k][1]));
    }
    snprintf(text, sizeof text, "%srun: {until: 1, constraints: projection}\n", parallelogram);
    free_run run;
    free_run_parse(&run, text, 0, "hht");
    free_run_to(&run, 0.1);
    size_t count;
    const char *const *warnings = carom_simulation_warnings(run.sim, &count);
    assert_int_equal(count, 1);
    assert_non_null(strstr(warnings[0], "`constraints` of the run does nothing"));
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(orders), cmocka_unit_test(orders_of_controlled_steps),
                                       cmocka_unit_test(errors_of_varied_orders),
                                       cmocka_unit_test(andrews), cmocka_unit_test(others),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

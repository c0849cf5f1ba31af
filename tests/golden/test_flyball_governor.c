/* IFToMM A05, the stiff flyball governor: energy over 10 s in both formulations, and the rigid limit: with rods in
   place of the springs the governor has one freedom, whose equation is integrated here by itself; the stiff one comes
   nearer to it in proportion to 1/K. */
#include "carom_test.h"

#include <math.h>

#include "support/free_runs.h"

#define PI 3.14159265358979323846

/* ---- the rigid governor: arms at phi below the horizontal, slider at L - L sin(phi) ---- */

typedef struct rigid {
    double mr, mb, mass, c, ic, spin, momentum;
} rigid;

static double about_shaft(const rigid *g, double phi)
{
    const double w = 0.01, a = 0.1, along = g->mr * w * w / 6, across = g->ic + g->mr * w * w / 12;
    const double r = a / 2 + g->c * cos(phi);
    return g->mr * w * w / 6 + g->mb * a * a / 6 +
           2 * (g->mass * r * r + along * sin(phi) * sin(phi) + across * cos(phi) * cos(phi));
}

/* phi'' from the Lagrangian with the angular momentum in place of the spin. */
static double turn(const rigid *g, double phi, double rate)
{
    const double gravity = 9.81, h = 1e-5;
    const double own = 2 * (g->ic + g->mr * 1e-4 / 12 + g->mass * g->c * g->c);
    const double inertia = own + g->mb * cos(phi) * cos(phi), slope = -2 * g->mb * cos(phi) * sin(phi);
    const double of_spin = (about_shaft(g, phi - 2 * h) - 8 * about_shaft(g, phi - h) + 8 * about_shaft(g, phi + h) -
                            about_shaft(g, phi + 2 * h)) /
                           (12 * h);
    const double i = about_shaft(g, phi);
    const double force = 0.5 * g->momentum * g->momentum / (i * i) * of_spin +
                         gravity * cos(phi) * (2 * g->mass * g->c + g->mb);
    return (force - 0.5 * slope * rate * rate) / inertia;
}

/* Height of the slider at a time, by Runge-Kutta's method of order 4. */
static double rigid_height(double end)
{
    rigid g = {.mr = 0.3, .mb = 3};
    g.mass = g.mr + 5;
    g.c = (g.mr * 0.5 + 5) / g.mass;
    g.ic = g.mr / 12 + g.mr * (g.c - 0.5) * (g.c - 0.5) + 5 * (1 - g.c) * (1 - g.c);
    double x = PI / 6, v = 0;
    g.momentum = about_shaft(&g, x) * 2 * PI;
    const int steps = 20000;
    const double h = end / steps;
    for (int k = 0; k < steps; k++) {
        const double a1 = turn(&g, x, v), v2 = v + 0.5 * h * a1, a2 = turn(&g, x + 0.5 * h * v, v2),
                     v3 = v + 0.5 * h * a2, a3 = turn(&g, x + 0.5 * h * v2, v3), v4 = v + h * a3,
                     a4 = turn(&g, x + h * v3, v4);
        x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return 1 - sin(x);
}

/* ---- runs ---- */

static void open_run(free_run *run, const char *stiffness, double tolerance)
{
    const char *const set[] = {stiffness};
    free_run_open(run, "../tests/data/flyball_governor.yaml", set, 1, tolerance, NULL);
}

static void test_energy(void **state)
{
    (void)state;
    static const char *const formulations[] = {"cartesian", "tree"};
    double height[2];
    for (int f = 0; f < 2; f++) {
        free_run run;
        free_run_open_in(&run, "../tests/data/flyball_governor.yaml", formulations[f]);
        free_run_to(&run, 10);
        height[f] = free_run_get(&run, "body.slider.position.z");
        const carom_ledger l = carom_simulation_ledger(run.sim);
        printf("A05 %s: slider at %.9f m after 10 s, energy residual %.1e\n", formulations[f], height[f],
               l.residual_fraction);
        assert_true(l.residual_fraction < 1e-6);
        free_run_close(&run);
    }
    assert_true(fabs(height[0] - height[1]) < 1e-6);
}

static void test_rigid_limit(void **state)
{
    (void)state;
    static const char *const stiffness[] = {"K=8e5", "K=8e6", "K=8e7"};
    const double expected = rigid_height(2);
    double off[3];
    for (int k = 0; k < 3; k++) {
        free_run run;
        open_run(&run, stiffness[k], 1e-10);
        free_run_to(&run, 2);
        off[k] = fabs(free_run_get(&run, "body.slider.position.z") - expected);
        printf("A05 with %s: %.2e m from the governor with rods, at %.9f m after 2 s\n", stiffness[k], off[k],
               expected);
        free_run_close(&run);
    }
    for (int k = 0; k < 2; k++) {
        const double order = log10(off[k] / off[k + 1]);
        printf("order in 1/K: %.3f\n", order);
        assert_true(fabs(order - 1) < 0.05);
    }
    assert_true(off[0] < 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_energy), cmocka_unit_test(test_rigid_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

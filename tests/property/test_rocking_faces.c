/* Faces of boxes that rock on each other hold as one: their corners do not brace each other, piles of crates and of
   trapezoids take few steps, and a box that lands askew on a slope holds on it or slides down as Coulomb's law has
   it. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "sim/sim.h"
#include "support/free_runs.h"

#define CRATES                                                                                                         \
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"                                                       \
    "  crate: {copies: 2, mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], at: [0.003*copy, 0.002*copy, "                      \
    "0.03 + 0.062*(copy - 1)]}\nshapes:\n  crate: {type: box, on: crate, size: [0.08, 0.08, 0.06], edge: 3*mm}\n"     \
    "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\ncontacts:\n"                                               \
    "  pile: {all: [crate, floor], normal: {law: kelvin-voigt, stiffness: 4e4, damping: 5}, friction: {law: coulomb, " \
    "kinetic: 0.3%s}}\nrun: {until: 0.06}\n"

/* What the corners under the lower crate bear in all, of their net force, while all of them stick and the upper crate
   rocks on it. They lie on each other within micrometres, and all carry the same share of one force. */
static void test_no_bracing(void **state)
{
    (void)state;
    free_run run;
    char text[2048];
    snprintf(text, sizeof text, CRATES, "");
    free_run_parse(&run, text, 1e-8, NULL);
    free_run_to(&run, 0.0215);
    const carom_evaluation *d = run.sim->d;
    carom_vec3 net = {0, 0, 0};
    double all = 0;
    int sticking = 0;
    for (int k = 0; k < d->model->contact_count; k++) {
        const carom_model_contact *c = &d->model->contacts[k];
        if (!run.sim->s.located[k].open || (c->body_i > 0 && c->body_j > 0))
            continue;
        sticking += run.sim->s.located[k].stick == CAROM_STICKING;
        net = carom_v3_add(net, d->contacts[k].friction);
        all += carom_v3_norm(d->contacts[k].friction);
    }
    print_message("%d corners bear %.6f N, of which %.6f N are a force\n", sticking, all, carom_v3_norm(net));
    assert_int_equal(sticking, 4);
    assert_true(all > 0.1);
    /* a couple about the normal has a part of it: braced corners have three times as much */
    assert_true(all < 1.1 * carom_v3_norm(net));
    free_run_close(&run);
}

static void expect_steps(const char *name, const char *text, double until, double most)
{
    free_run run;
    free_run_parse(&run, text, 1e-8, NULL);
    free_run_to(&run, until);
    const double steps = (double)carom_simulation_statistics(run.sim).steps;
    const double residual = carom_simulation_ledger(run.sim).residual_fraction;
    print_message("%s: %.0f steps, ledger %.1e\n", name, steps, residual);
    assert_true(steps < most);
    assert_true(residual < 1e-7);
    free_run_close(&run);
}

/* Regularised friction takes about 1,000 steps; corners that braced each other took 7,700, with a static coefficient
   49,000, and the trapezoids 5,300. */
static void test_piles(void **state)
{
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, CRATES, "");
    expect_steps("two crates", text, 0.06, 3000);
    snprintf(text, sizeof text, CRATES, ", static: 0.4");
    expect_steps("two crates, static", text, 0.06, 3000);
    int n = snprintf(text, sizeof text, "carom: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n");
    for (int k = 0; k < 5; k++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  c%d: {mass: 0.2, inertia: 1e-4, at: [%g, %g], angle: %g}\n", k, 0.003 * k, 0.0305 + 0.062 * k,
                      k ? 0 : 0.01);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "shapes:\n  floor: {type: plane, on: ground, normal: [0, 1]}\n");
    for (int k = 0; k < 5; k++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  c%d: {type: polygon, on: c%d, points: [[-0.04, -0.03], [0.04, -0.03], [0.03, 0.03], [-0.03, "
                      "0.03]]}\n",
                      k, k);
    snprintf(text + n, sizeof text - (size_t)n,
             "contacts:\n  pile: {all: [c0, c1, c2, c3, c4, floor], normal: {law: kelvin-voigt, stiffness: 4e4, "
             "damping: 5}, friction: {law: coulomb, kinetic: 0.3}}\nrun: {until: 0.1}\n");
    expect_steps("five trapezoids", text, 0.1, 3500);
}

/* A box that lands askew on a slope: below atan(mu) = 16.7 degrees it stays where it has come to rest, above it slides
   down with g (sin - mu cos). */
static void test_slope(void **state)
{
    (void)state;
    static const double slopes[] = {10, 16, 17.5, 25};
    for (size_t k = 0; k < CAROM_COUNT(slopes); k++) {
        const double angle = slopes[k] * CAROM_PI / 180, down = 9.81 * (sin(angle) - 0.3 * cos(angle));
        char text[2048];
        free_run run;
        snprintf(text, sizeof text,
                 "carom: 1\ndimension: 3\ngravity: [%.17g, 0, %.17g]\nbodies:\n"
                 "  crate: {mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], at: [0.003, 0.002, 0.0305], orientation: {axis: "
                 "[1, 0.4, 0], angle: 0.01}}\nshapes:\n"
                 "  crate: {type: box, on: crate, size: [0.08, 0.08, 0.06], edge: 3*mm}\n"
                 "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\ncontacts:\n"
                 "  c: {between: [floor, crate], normal: {law: kelvin-voigt, stiffness: 4e4, damping: 15}, friction: "
                 "{law: coulomb, kinetic: 0.3}}\nrun: {until: 0.6}\n",
                 9.81 * sin(angle), -9.81 * cos(angle));
        free_run_parse(&run, text, 1e-8, NULL);
        free_run_to(&run, 0.5);
        const double before = free_run_body(&run, "crate").velocity[0];
        free_run_to(&run, 0.6);
        const double after = free_run_body(&run, "crate").velocity[0];
        const double steps = (double)carom_simulation_statistics(run.sim).steps;
        print_message("%g degrees: %.9f m/s^2, %.9f without a rest, %.1e m/s, %.0f steps\n", slopes[k],
                      (after - before) / 0.1, down, after, steps);
        if (down > 0)
            assert_true(fabs((after - before) / 0.1 - down) < 1e-6);
        else
            assert_true(fabs(after) < 1e-11);
        assert_true(steps < 3000);
        free_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_bracing), cmocka_unit_test(test_piles),
                                       cmocka_unit_test(test_slope)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

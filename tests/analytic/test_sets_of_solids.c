/* Solids of a contact set that fall onto each other, by fixed steps. Their places hand over to each other from one step
   to the next: the gap of a place jumps, and no impact is faster than what has fallen. What is stored then appears or
   vanishes; with that the books are closed. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "support/free_runs.h"

#define UNTIL 0.25
#define HIGHEST 0.24            /* of a centre at the start [m] */

static const char text[] =
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  box: {copies: 2, mass: 0.1, inertia: [2e-5, 2e-5, 2e-5],\n"
    "    at: ['0.004*random(copy)', '0.004*random(copy + 0.3)', '0.05 + 0.06*(copy - 1)'],\n"
    "    orientation: {axis: [1, 0.3, 0.2], angle: '0.5*random(copy + 0.7)'}}\n"
    "  pin: {copies: 2, mass: 0.1, inertia: [2e-5, 2e-5, 1e-5],\n"
    "    at: ['0.004*random(copy + 9)', '0.004*random(copy + 9.3)', '0.17 + 0.06*(copy - 1)'],\n"
    "    orientation: {axis: [1, 0.3, 0.2], angle: '1.5*random(copy + 0.7)'}}\n"
    "shapes:\n"
    "  box: {type: box, on: box, size: [0.035, 0.035, 0.035], edge: 2*mm}\n"
    "  pin: {type: capsule, on: pin, from: [0, 0, -0.01], to: [0, 0, 0.01], radius: 0.012}\n"
    "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
    "contacts:\n"
    "  heap: {all: [box, pin, floor], normal: {law: hunt-crossley, stiffness: 1e6, restitution: 0.3},\n"
    "    friction: {law: mindlin, kinetic: 0.4}}\n"
    "run: {until: 0.25, integrator: verlet, step: %g}\n";

/* Runs by a step [s]; the residual, as a share of the energy's peak. */
static double fall(double step)
{
    char model[4096];
    free_run run;
    size_t count;
    double fastest_in = 0, fastest_out = 0;
    snprintf(model, sizeof model, text, step);
    free_run_parse(&run, model, 0, NULL);
    free_run_to(&run, UNTIL);
    const carom_impact *impacts = carom_simulation_impacts(run.sim, &count);
    for (size_t k = 0; k < count; k++) {
        fastest_in = fmax(fastest_in, impacts[k].v_in);
        fastest_out = fmax(fastest_out, impacts[k].v_out);
    }
    const carom_ledger ledger = carom_simulation_ledger(run.sim);
    printf("step %g s: %zu impacts, fastest in %.4g m/s, out %.4g m/s, %.3g J of %.3g J vanished, residual %.2g\n",
           step, count, fastest_in, fastest_out, ledger.switch_term, ledger.start, ledger.residual_fraction);
    assert_true(count > 20);
    /* what falls turns as well: edges are faster than centres */
    const double falls = sqrt(2 * 9.81 * HIGHEST);
    assert_true(fastest_in < falls && fastest_out < falls);
    free_run_close(&run);
    return ledger.residual_fraction;
}

static void test_heap(void **state)
{
    (void)state;
    assert_true(fall(4e-5) < 1e-3);
    assert_true(fall(5e-6) < 2e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_heap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

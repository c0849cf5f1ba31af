/* Solids of a contact set that fall onto each other, by fixed steps. Their places hand over to each other from one step
   to the next: the gap of a place jumps, and no impact is faster than what has fallen. What is stored then appears or
   vanishes; with that the books are closed. */
#include "carom_test.h"

#include <math.h>
#include <stdio.h>

#include "support/free_runs.h"

#define UNTIL 0.25
#define MOST_OPEN 64
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

/* Pairs of boxes that spin, meet and part. */
static const char pairs[] =
    "carom: 1\ndimension: 3\n"
    "bodies:\n"
    "  a: {copies: 60, mass: 0.05, inertia: [6e-6, 5e-6, 7e-6],\n"
    "    at: ['copy - 0.02', '0.016*random(copy) - 0.008', '0.016*random(copy + 0.1) - 0.008'],\n"
    "    velocity: ['0.2 + 0.8*random(copy + 0.2)', 0, 0],\n"
    "    orientation: {axis: ['random(copy + 0.3) - 0.5', 'random(copy + 0.4) - 0.5', 0.1],\n"
    "      angle: '3*random(copy + 0.5)'},\n"
    "    angular_velocity: ['120*random(copy + 0.6) - 60', '120*random(copy + 0.7) - 60',\n"
    "      '120*random(copy + 0.8) - 60']}\n"
    "  b: {copies: 60, mass: 0.05, inertia: [6e-6, 5e-6, 7e-6], at: ['copy + 0.02', 0, 0],\n"
    "    velocity: ['-0.2 - 0.8*random(copy + 100.2)', 0, 0],\n"
    "    orientation: {axis: ['random(copy + 100.3) - 0.5', 'random(copy + 100.4) - 0.5', 0.1],\n"
    "      angle: '3*random(copy + 100.5)'},\n"
    "    angular_velocity: ['120*random(copy + 100.6) - 60', '120*random(copy + 100.7) - 60',\n"
    "      '120*random(copy + 100.8) - 60']}\n"
    "shapes:\n"
    "  a: {type: box, on: a, size: [0.03, 0.02, 0.016]}\n"
    "  b: {type: box, on: b, size: [0.03, 0.02, 0.016]}\n"
    "contacts:\n"
    "  c: {all: [a, b], normal: {law: hertz, stiffness: 1e8}}\n"
    "run: {until: 0.03, integrator: verlet, step: 1e-5}\n";

/* A place that has gone elsewhere on the surfaces leaves, even where its points approach each other there. */
static void test_parted(void **state)
{
    (void)state;
    free_run run;
    size_t count;
    carom_open_contact open[MOST_OPEN];
    double farthest = 0;
    free_run_parse(&run, pairs, 0, NULL);
    free_run_to(&run, 0.03);
    carom_simulation_impacts(run.sim, &count);
    const size_t places = carom_simulation_open_contacts(run.sim, open, MOST_OPEN);
    assert_true(count > 100 && places <= MOST_OPEN);
    for (size_t k = 0; k < places; k++)
        farthest = fmax(farthest, -open[k].indentation);
    printf("%zu impacts, %zu places touch, at most %.3g m apart\n", count, places, farthest);
    assert_true(farthest < 1e-4);
    free_run_close(&run);
}

/* Two cubes on each other at rest: four corners bear in each of both places, with a quarter of what lies above and by
   F/k deep. What else the patches have touches with no share of the law, and is no open contact. */
static void test_stack(void **state)
{
    (void)state;
    static const char stack[] =
        "{carom: 1, dimension: 3, gravity: [0, 0, -10], bodies: {b: {copies: 2, mass: 0.5, inertia: [2e-4, 2e-4, "
        "2e-4], at: [0, 0, 0.02 + 0.04*(copy - 1)]}}, shapes: {b: {type: box, on: b, size: [0.05, 0.05, 0.04]}, floor: "
        "{type: plane, on: ground, normal: [0, 0, 1]}}, contacts: {c: {all: [b, floor], normal: {law: kelvin-voigt, "
        "stiffness: 1e5, damping: 100}}}, run: {until: 0.2, integrator: verlet, step: 1e-4}}";
    free_run run;
    carom_open_contact open[64];
    free_run_parse(&run, stack, 0, NULL);
    free_run_to(&run, 0.2);
    const size_t count = carom_simulation_open_contacts(run.sim, open, 64);
    assert_true(free_run_get(&run, "contact.c.count") == (double)count);
    assert_int_equal(count, 8);
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        const double bears = strcmp(open[k].contact, "c.b_1-b_2") == 0 ? 1.25 : 2.5;
        assert_true(fabs(open[k].force / bears - 1) < 1e-6);
        assert_true(fabs(open[k].indentation / (bears / 1e5) - 1) < 1e-6);
        sum += open[k].force;
    }
    printf("%zu places bear %.9g N\n", count, sum);
    assert_true(fabs(sum / 15 - 1) < 1e-6);
    assert_true(fabs(free_run_get(&run, "contact.c.force") / sum - 1) < 1e-12);
    free_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_heap), cmocka_unit_test(test_parted),
                                       cmocka_unit_test(test_stack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

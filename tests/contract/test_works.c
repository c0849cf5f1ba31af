/* Methods integrate without the works of closed contacts: the run has the bits of one whose method has all of them.
   Internal headers: the second run is told to. */
#include "carom_test.h"

#include <string.h>

#include "integrate/integrator.h"
#include "sim/sim.h"

/* Two boxes and a ball that fall into a corner of planes and upon each other. */
static const char model[] =
    "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  p: {copies: 2, mass: 0.1, inertia: [3e-5, 3e-5, 3e-5], at: ['5*mm*copy', '4*mm*copy', '50*mm*copy - 22*mm'],\n"
    "      orientation: {axis: [1, 1, 0.2], angle: 0.2*copy}, velocity: [0, 0, '-0.5*copy']}\n"
    "  b: {mass: 0.05, inertia: [1e-5, 1e-5, 1e-5], at: ['45*mm', 0, '20*mm'], velocity: ['-1', 0, 0]}\n"
    "shapes:\n"
    "  p: {type: box, on: p, size: ['40*mm', '40*mm', '40*mm'], edge: 2*mm}\n"
    "  b: {type: sphere, on: b, radius: 18*mm}\n"
    "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
    "  wall: {type: plane, on: ground, at: ['-30*mm', 0, 0], normal: [1, 0, 0]}\n"
    "contacts:\n"
    "  s: {all: [p, b, floor, wall], normal: {law: flores, stiffness: 1e6, exponent: 1.5, restitution: 0.5},\n"
    "      friction: {law: %s, kinetic: 0.3}}\n"
    "loads:\n  pull: {type: spring, between: [{ground: [0, 0, 0.3]}, b], stiffness: 20, damping: 0.1, length: 0.2}\n"
    "run: {until: %g, %s}\n";

static carom_simulation *open_run(carom_context **ctx, carom_model **out, const char *text, bool whole)
{
    carom_simulation *sim = NULL;
    *ctx = new_context();
    if (carom_model_parse(*ctx, "works.yaml", text, strlen(text), NULL, 0, out) != CAROM_OK ||
        carom_simulation_create(*ctx, *out, NULL, &sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(*ctx));
    assert_non_null(sim->works);
    if (whole)
        sim->works = NULL; /* as it has all numbers until the first restart */
    return sim;
}

static void compare(const char *friction, double until, const char *run)
{
    char text[3000];
    carom_context *ctx[2];
    carom_model *of[2];
    carom_simulation *sim[2];
    int least = 1 << 30;
    snprintf(text, sizeof text, model, friction, until, run);
    for (int k = 0; k < 2; k++)
        sim[k] = open_run(&ctx[k], &of[k], text, k == 1);
    const carom_state *a = &sim[0]->s, *b = &sim[1]->s;
    for (int n = 1; n <= 5; n++) {
        for (int k = 0; k < 2; k++)
            if (carom_simulation_advance(sim[k], until * n / 5) != CAROM_OK)
                fail_msg("%s", carom_context_error(ctx[k]));
        assert_int_equal(a->size, b->size);
        assert_memory_equal(a->block, b->block, a->size);
        assert_int_equal(carom_ode_whole(&sim[0]->integrator->ode), (int)a->integrated);
        assert_int_equal(sim[1]->integrator->ode.size, (int)a->integrated);
        least = sim[0]->integrator->ode.size < least ? sim[0]->integrator->ode.size : least;
    }
    size_t impacts;
    double lost = 0;
    carom_simulation_impacts(sim[0], &impacts);
    for (int k = 0; k < sim[0]->model->contact_count; k++)
        lost += a->work_contact[k];
    print_message("%-12s %-40s %zu impacts, %g J lost, %d of %zu numbers\n", friction, run, impacts, lost, least,
                  a->integrated);
    assert_true(impacts > 1 && lost > 1e-4 && least < (int)a->integrated - 150);
    for (int k = 0; k < 2; k++) {
        carom_simulation_free(sim[k]);
        carom_model_free(of[k]);
        carom_context_free(ctx[k]);
    }
}

static void test_methods(void **state)
{
    (void)state;
    compare("brown-mcphee", 0.03, "tolerance: 1e-8");
    compare("brown-mcphee", 0.03, "integrator: dop853");
    compare("brown-mcphee", 0.02, "integrator: adams");
    compare("coulomb", 0.02, "integrator: bdf");
    compare("mindlin", 0.02, "integrator: bdf, tolerance: 1e-6");
    compare("brown-mcphee", 0.02, "integrator: bdf, jacobian: differences");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_methods)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

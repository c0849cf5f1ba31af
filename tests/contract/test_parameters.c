/* Numbers of the model that a simulation changes for itself, and parameters of a document: a changed simulation is that
   of a model compiled with the number, to the last bit where tolerances play no part; others of the same model keep
   theirs. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/free_runs.h"
#include "support/trial.h"

#define MUST(run, call)                                        \
    do {                                                       \
        if ((call) != CAROM_OK)                                \
            fail_msg("%s", carom_context_error((run)->ctx));   \
    } while (0)

/* A ball between a spring and a floor; every number that is changed is a parameter. */
static const char text[] =
    "{carom: 1, dimension: 2, gravity: [0, grav], parameters: {grav: -9.81, mass: 0.1, iner: 4e-6, stiff: 1e6, rest: "
    "0.8, coil: 50, damp: 0.1, push: 0.2},\n"
    " bodies: {ball: {mass: mass, inertia: iner, at: [0, 0.03], angular_velocity: 3}},\n"
    " shapes: {skin: {type: sphere, on: ball, radius: 0.01}, plate: {type: plane, on: ground, normal: [0, 1]}},\n"
    " contacts: {hit: {between: [plate, skin], normal: {law: flores, stiffness: stiff, restitution: rest}}},\n"
    " loads: {coil: {type: spring, between: [{ground: [0.1, 0.1]}, {ball: [0, 0.005]}], stiffness: coil, length: "
    "0.1},\n"
    "  pot: {type: damper, between: [{ground: [0.1, 0.1]}, ball], damping: damp}, push: {type: force, on: ball, force: "
    "[push, 0]},\n"
    "  late: {type: force, on: ball, force: [0, 0.01*t]}},\n"
    " run: {until: 0.4, integrator: rk4, step: 1e-4}}";

static const struct {
    const char *name, *override;
    double value;
} changes[] = {{"gravity.y", "grav=-3.71", -3.71},        {"body.ball.mass", "mass=0.25", 0.25},
               {"body.ball.inertia", "iner=9e-6", 9e-6},  {"contact.hit.stiffness", "stiff=3e6", 3e6},
               {"contact.hit.restitution", "rest=0.6", 0.6}, {"load.coil.stiffness", "coil=80", 80},
               {"load.pot.damping", "damp=0.03", 0.03},   {"load.push.force.x", "push=-0.1", -0.1}};

static carom_model *compile(carom_context *ctx, const char *const *overrides, size_t count)
{
    carom_model *model;
    assert_ok(ctx, carom_model_parse(ctx, "ball.yaml", text, sizeof text - 1, overrides, count, &model));
    return model;
}

static void assert_runs_same(carom_simulation *a, carom_simulation *b, const char *what)
{
    assert_int_equal(carom_simulation_run(a), CAROM_OK);
    assert_int_equal(carom_simulation_run(b), CAROM_OK);
    size_t count;
    carom_simulation_impacts(a, &count);
    assert_true(count > 0);
    if (!trial_same(a, b, 1))
        fail_msg("%s: the runs differ", what);
}

static void test_as_compiled(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(changes); k++) {
        carom_context *ctx = trial_context(NULL), *own = trial_context(NULL);
        carom_model *plain = compile(ctx, NULL, 0), *other = compile(ctx, &changes[k].override, 1);
        carom_simulation *changed, *compiled, *clone, *untouched, *fresh;
        double value;
        assert_int_equal(carom_simulation_create(ctx, plain, NULL, &changed), CAROM_OK);
        assert_int_equal(carom_simulation_create(ctx, plain, NULL, &untouched), CAROM_OK);
        assert_int_equal(carom_simulation_create(ctx, other, NULL, &compiled), CAROM_OK);
        assert_ok(ctx, carom_simulation_set_parameter(changed, changes[k].name, changes[k].value));
        assert_int_equal(carom_simulation_get_parameter(changed, changes[k].name, &value), CAROM_OK);
        assert_true(value == changes[k].value);
        assert_int_equal(carom_simulation_reset(changed), CAROM_OK);
        assert_int_equal(carom_simulation_clone(changed, own, &clone), CAROM_OK);
        assert_runs_same(changed, compiled, changes[k].name);
        assert_int_equal(carom_simulation_run(clone), CAROM_OK);
        assert_true(trial_same(changed, clone, 1));
        /* the model has not changed */
        assert_int_equal(carom_simulation_create(ctx, plain, NULL, &fresh), CAROM_OK);
        assert_runs_same(untouched, fresh, "untouched");
        assert_false(carom_simulation_ledger(fresh).kinetic == carom_simulation_ledger(changed).kinetic);
        carom_simulation_free(changed);
        carom_simulation_free(compiled);
        carom_simulation_free(clone);
        carom_simulation_free(untouched);
        carom_simulation_free(fresh);
        carom_model_free(plain);
        carom_model_free(other);
        carom_context_free(own);
        carom_context_free(ctx);
    }
}

/* In the middle of a run, with any integrator: the balance of energies continues. */
static void test_later(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(changes); k++) {
        free_run run;
        free_run_parse(&run, text, 1e-9, "adams");
        free_run_to(&run, 0.05);
        const carom_ledger before = carom_simulation_ledger(run.sim);
        MUST(&run, carom_simulation_set_parameter(run.sim, changes[k].name, changes[k].value));
        const carom_ledger after = carom_simulation_ledger(run.sim);
        assert_true(fabs(after.residual - before.residual) < 1e-15 && after.work == before.work);
        MUST(&run, carom_simulation_run(run.sim));
        if (!(carom_simulation_ledger(run.sim).residual_fraction < 1e-7))
            fail_msg("%s: residual %g", changes[k].name, carom_simulation_ledger(run.sim).residual_fraction);
        free_run_close(&run);
    }
}

static void refused(free_run *run, const char *name, double value, const char *part)
{
    assert_int_equal(carom_simulation_set_parameter(run->sim, name, value), CAROM_ERROR_USAGE);
    if (!strstr(carom_context_error(run->ctx), part))
        fail_msg("'%s' does not hold '%s'", carom_context_error(run->ctx), part);
}

static void test_refusals(void **state)
{
    (void)state;
    free_run run, other;
    double value;
    free_run_parse(&run, text, 0, NULL);
    free_run_parse(&other, text, 0, NULL);
    refused(&run, "body.ball.mas", 1, "did you mean 'mass'?");
    refused(&run, "contact.hit.stifness", 1, "did you mean 'stiffness'?");
    refused(&run, "contact.hut.stiffness", 1, "no such contact");
    refused(&run, "lod.coil.stiffness", 1, "did you mean 'load'?");
    refused(&run, "body.ball.mass", -1, "above 0");
    refused(&run, "body.ball.mass", NAN, "above 0");
    refused(&run, "load.coil.stiffness", -5, "it must be at least 0");
    refused(&run, "contact.hit.restitution", 1.5, "above 0 and at most 1");
    refused(&run, "contact.hit.restitution.x", 0.5, "no components");
    refused(&run, "load.push.force", 1, "one component");
    refused(&run, "load.late.force.y", 1, "expression");
    refused(&run, "gravity.z", 1, ".x and .y");
    refused(&run, "joint.pin.rate", 1, "structure");
    refused(&run, NULL, 1, "NULL");
    assert_int_equal(carom_simulation_get_parameter(run.sim, "gravity.x", NULL), CAROM_ERROR_USAGE);
    assert_int_equal(carom_simulation_set_parameter(NULL, "gravity.x", 0), CAROM_ERROR_USAGE);
    assert_int_equal(carom_simulation_get_parameter(run.sim, "contact.hit.restitution", &value), CAROM_OK);
    assert_true(value == 0.8);
    assert_runs_same(run.sim, other.sim, "refused");
    free_run_close(&run);
    free_run_close(&other);
    free_run_parse(&run,
                   "{carom: 1, dimension: 2, bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [3, 0]}}, "
                   "shapes: {a: {type: sphere, on: a, radius: 0.1}, b: {type: sphere, on: b, radius: 0.1}}, contacts: "
                   "{all: {all: [a, b], normal: {law: hertz, stiffness: 1e6}}}, "
                   "run: {until: 1, integrator: verlet, step: 1e-3}}", 0, NULL);
    refused(&run, "contact.all.stiffness", 1, "contact set");
    refused(&run, "contact.some.stiffness", 1, "no such contact");
    free_run_close(&run);
}

/* While a contact is open its numbers are read and not changed. */
static void test_open_contact(void **state)
{
    (void)state;
    static const char *const names[] = {"contact.hit.restitution", "contact.hit.stiffness"};
    const double values[] = {0.8, 1e6};
    free_run run;
    size_t open = 0;
    free_run_parse(&run, text, 0, NULL);
    for (int k = 1; k <= 4000 && !open; k++) {
        MUST(&run, carom_simulation_advance(run.sim, 1e-4 * k));
        open = carom_simulation_open_contacts(run.sim, NULL, 0);
    }
    assert_true(open == 1);
    for (size_t k = 0; k < CAROM_COUNT(names); k++) {
        double value;
        MUST(&run, carom_simulation_get_parameter(run.sim, names[k], &value));
        assert_true(value == values[k]);
        refused(&run, names[k], 0.9 * values[k], "the contact is open");
        MUST(&run, carom_simulation_get_parameter(run.sim, names[k], &value));
        assert_true(value == values[k]);
    }
    free_run_close(&run);
}

/* A parameter of the document, set and set again, is that of an override; a wrong one changes nothing. */
static void test_document(void **state)
{
    (void)state;
    carom_context *ctx = trial_context(NULL);
    carom_document *document;
    carom_model *set, *overridden;
    carom_simulation *a, *b;
    static const char *const overrides[] = {"grav=-2", "stiff=3e6"};
    assert_int_equal(carom_document_parse(ctx, "ball.yaml", text, sizeof text - 1, overrides, 1, &document), CAROM_OK);
    assert_int_equal(carom_document_set(document, "stiff", "2*1e6"), CAROM_OK);
    assert_int_equal(carom_document_set(document, "stiff", "3e6"), CAROM_OK);
    assert_int_equal(carom_document_set(document, "stif", "3e6"), CAROM_ERROR_USAGE);
    assert_int_not_equal(carom_document_set(document, "stiff", "3e6*("), CAROM_OK);
    assert_int_equal(carom_document_set(document, NULL, "1"), CAROM_ERROR_USAGE);
    assert_int_equal(carom_document_set(NULL, "stiff", "1"), CAROM_ERROR_USAGE);
    assert_int_equal(carom_model_compile(ctx, carom_document_spec(document), &set), CAROM_OK);
    overridden = compile(ctx, overrides, 2);
    assert_int_equal(carom_simulation_create(ctx, set, NULL, &a), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, overridden, NULL, &b), CAROM_OK);
    assert_runs_same(a, b, "document");
    carom_simulation_free(a);
    carom_simulation_free(b);
    carom_model_free(set);
    carom_model_free(overridden);
    carom_document_free(document);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_compiled), cmocka_unit_test(test_later),
                                       cmocka_unit_test(test_refusals), cmocka_unit_test(test_open_contact),
                                       cmocka_unit_test(test_document)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

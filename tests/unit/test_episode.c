/* One episode whoever schedules it: policies for tension and impact velocity, the end of the force, and the same impact
   from located events and from fixed steps. */
#include "carom_test.h"

#include <math.h>

#include "dynamics/contact/episode.h"
#include "support/trial.h"

static const carom_contact_point inside = {.gap = -1e-6, .gap_rate = 0.1}, touching = {.gap_rate = 0.1};

static void tension_clips_until_the_law_repels(void **state)
{
    (void)state;
    const carom_model_contact clip = {.law.tension = CAROM_TENSION_CLIP};
    carom_episode e = {0};
    assert_false(carom_episode_tension(&clip, &e, 0.5, &inside));
    assert_false(carom_episode_tension(&clip, &e, -0.5, &touching));
    assert_true(carom_episode_tension(&clip, &e, -0.5, &inside));
    assert_true(e.cut_off);
    assert_true(carom_episode_tension(&clip, &e, 0.5, &inside));
    assert_false(e.cut_off);
}

static void tension_stays_cut_off(void **state)
{
    (void)state;
    const carom_model_contact cut = {.law.tension = CAROM_TENSION_CUT_OFF};
    carom_episode e = {.peak_force = 3};
    assert_true(carom_episode_tension(&cut, &e, -0.5, &inside));
    assert_false(carom_episode_tension(&cut, &e, 0.5, &inside));
    assert_true(e.cut_off);
    /* until it is pressed again */
    const carom_contact_point pressed = {.gap = -1e-6, .gap_rate = -1e-9};
    assert_true(carom_episode_tension(&cut, &e, 0.5, &pressed));
    assert_false(e.cut_off);
}

/* A law that pulls from the onset on is cut off only after it has pressed. */
static void tension_from_the_onset_ends(void **state)
{
    (void)state;
    const carom_model_contact cut = {.law.tension = CAROM_TENSION_CUT_OFF};
    carom_episode e = {0};
    assert_false(carom_episode_begin_tension(&e, 1));
    assert_true(carom_episode_begin_tension(&e, -1) && e.cut_off);
    assert_false(carom_episode_latched(&cut, &e));
    assert_true(carom_episode_tension(&cut, &e, 0.5, &inside));
    assert_false(e.cut_off);
    e.peak_force = 3;
    assert_true(carom_episode_tension(&cut, &e, -0.5, &inside));
    assert_true(carom_episode_latched(&cut, &e));
}

static void force_ends_once_and_begins_again(void **state)
{
    (void)state;
    carom_episode e = {.force_end = -1};
    carom_episode_note_force_end(&e, 2, 0.1, 1);
    assert_true(e.force_end < 0);
    carom_episode_note_force_end(&e, 0, 0.1, 2);
    carom_episode_note_force_end(&e, 0, 0.1, 3);
    assert_true(e.force_end == 2);
    carom_episode_note_force_end(&e, 2, -0.1, 4);
    assert_true(e.force_end < 0);
}

static void rows_are_of_the_episode(void **state)
{
    (void)state;
    const carom_damping_kind damping = {.ignores_v0 = false};
    carom_model_contact c = {.law = {.restitution = 0.5, .damping = &damping}};
    const carom_episode e = {.onset = 1, .speed = 2, .fastest = 4, .greatest_v0 = 3, .mass = 3,
                             .peak_force = 4, .peak_depth = 5, .impulse = 6,
                             .loss = 7, .friction_loss = 8, .cutoff_loss = 9, .switch_term = 10, .force_end = 1.25};
    const carom_impact i = carom_episode_impact(&c, &e, 1.5, 0.5);
    assert_true(i.duration == 0.5 && i.force_duration == 0.25 && i.e_got == 0.25 && i.e_asked == 0.5);
    assert_true(i.mass == 3 && i.peak_force == 4 && i.max_indentation == 5 && i.impulse == 6 && i.energy_lost == 7);
    assert_true(i.friction_lost == 8 && i.cutoff_loss == 9 && i.switch_term == 10);
    assert_true(i.v_max == 4 && i.v0 == 3);
    c.law.velocity = CAROM_VELOCITY_ADAPTIVE;
    assert_true(carom_episode_impact(&c, &e, 1.5, 0.5).e_got == 0.25);
    carom_episode hit = e;
    hit.fastest = 4.1;
    assert_true(isnan(carom_episode_impact(&c, &hit, 1.5, 0.5).e_got));
    c.law.velocity = CAROM_VELOCITY_PER_IMPACT;
    const carom_episode rest = {.onset = 1, .speed = 1e-12, .force_end = -1};
    assert_true(isnan(carom_episode_impact(&c, &rest, 1.5, 0.5).e_got));
    assert_true(carom_episode_impact(&c, &rest, 1.5, 0.5).force_duration == 0.5);
}

/* First impact of a ball that falls on a floor, with the contact as it is written. */
static carom_impact first_impact(const char *contact, const char *run)
{
    char text[1024];
    carom_context *ctx;
    carom_document *document;
    carom_model *model;
    carom_simulation *sim = NULL;
    size_t count;
    snprintf(text, sizeof text,
             "carom: 1\ndimension: 3\ngravity: [0, 0, -9.81]\n"
             "bodies: {ball: {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], at: [0, 0, 0.021], velocity: [0, 0, -0.5], "
             "angular_velocity: [0, 0, 0]}}\n"
             "shapes:\n  skin: {type: sphere, on: ball, radius: 0.02}\n"
             "  floor: {type: plane, on: ground, normal: [0, 0, 1]}\n"
             "contacts: {hit: {%s, normal: {law: hunt-crossley-alpha, stiffness: 1e6, alpha: 0.5}}}\n"
             "run: {until: 0.02, %s}\n",
             contact, run);
    ctx = new_context();
    assert_ok(ctx, carom_document_parse(ctx, "ball.yaml", text, strlen(text), NULL, 0, &document));
    if (carom_model_compile(ctx, carom_document_spec(document), &model) != CAROM_OK ||
        carom_simulation_create(ctx, model, NULL, &sim) != CAROM_OK || carom_simulation_run(sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    const carom_impact *impacts = carom_simulation_impacts(sim, &count);
    assert_true(count > 0);
    const carom_impact out = impacts[0];
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_document_free(document);
    carom_context_free(ctx);
    return out;
}

static void near(double a, double b, double relative)
{
    if (!(fabs(a - b) <= relative * fabs(b)))
        fail_msg("%.9g is not %.9g within %g", a, b, relative);
}

static void schedulers_find_the_same_impact(void **state)
{
    (void)state;
    const carom_impact located = first_impact("between: [floor, skin]", "tolerance: 1e-10");
    const carom_impact stepped =
        first_impact("all: [floor, skin]", "integrator: verlet, step: 1e-7, output: {every: 1e-3}");
    near(stepped.onset, located.onset, 1e-6);
    near(stepped.v_in, located.v_in, 1e-6);
    near(stepped.v_out, located.v_out, 1e-5);
    near(stepped.duration, located.duration, 1e-5);
    near(stepped.peak_force, located.peak_force, 1e-5);
    near(stepped.max_indentation, located.max_indentation, 1e-5);
    near(stepped.impulse, located.impulse, 1e-5);
    near(stepped.energy_lost, located.energy_lost, 1e-5);
    near(stepped.mass, located.mass, 1e-12);
}

/* A run of a trial with one integrator; the model was compiled with another one named. */
static carom_simulation *run_of(carom_context *ctx, const char *compiled_with, const char *integrator,
                                carom_model **model)
{
    carom_simulation *sim = NULL;
    carom_simulation_def def = carom_default_simulation_def();
    def.integrator = integrator;
    if (trial_compile(ctx, &trial_many, compiled_with, NULL, model) != CAROM_OK ||
        carom_simulation_create(ctx, *model, &def, &sim) != CAROM_OK || carom_simulation_run(sim) != CAROM_OK)
        fail_msg("%s", carom_context_error(ctx));
    return sim;
}

/* What a run is does not depend on the integrator that the file names. */
static void one_model_takes_any_integrator(void **state)
{
    (void)state;
    static const char *const integrators[] = {"adams", "verlet"};
    carom_context *ctx = new_context();
    size_t impacts[2];
    for (int k = 0; k < 2; k++) {
        carom_model *own, *other;
        carom_simulation *a = run_of(ctx, integrators[k], NULL, &own);
        carom_simulation *b = run_of(ctx, integrators[1 - k], integrators[k], &other);
        assert_true(trial_same(a, b, 4) && trial_same_counts(a, b, true));
        const carom_impact *first = carom_simulation_impacts(a, &impacts[k]);
        /* as sets all impacts are of one contact */
        assert_true(k == 0 || first[impacts[k] - 1].contact_index == first[0].contact_index);
        carom_simulation_free(a);
        carom_simulation_free(b);
        carom_model_free(own);
        carom_model_free(other);
    }
    assert_true(impacts[0] > 2 && impacts[1] > 2);
    carom_context_free(ctx);
}

/* What one structure cannot have is refused only to the run that needs it. */
static void refusals_wait_for_the_run(void **state)
{
    (void)state;
    static const char text[] =
        "{carom: 1, dimension: 2, gravity: [0, -9.81], bodies: {a: {mass: 1, inertia: 1, at: [0, 0.99]}}, shapes: {s: "
        "{type: sphere, on: a, radius: 1}, f: {type: plane, on: ground, normal: [0, 1]}}, contacts: {c: {all: '*', "
        "normal: {law: hunt-crossley-alpha, stiffness: 1e5, alpha: 0.1}, friction: {law: coulomb, kinetic: 0.3, "
        "static: 0.3}}}, run: {until: 0.01, step: 1e-5}}";
    carom_context *ctx;
    carom_document *document;
    carom_model *model;
    carom_simulation *sim = NULL;
    carom_simulation_def def = carom_default_simulation_def();
    ctx = new_context();
    assert_int_equal(carom_document_parse(ctx, "c.yaml", text, strlen(text), NULL, 0, &document), CAROM_OK);
    assert_ok(ctx, carom_model_compile(ctx, carom_document_spec(document), &model));
    def.integrator = "verlet";
    assert_refused(ctx, carom_simulation_create(ctx, model, &def, &sim), CAROM_ERROR_USAGE, "friction coulomb");
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_OK);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_document_free(document);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tension_clips_until_the_law_repels), cmocka_unit_test(tension_stays_cut_off),
        cmocka_unit_test(tension_from_the_onset_ends),
        cmocka_unit_test(force_ends_once_and_begins_again), cmocka_unit_test(rows_are_of_the_episode),
        cmocka_unit_test(schedulers_find_the_same_impact), cmocka_unit_test(one_model_takes_any_integrator),
        cmocka_unit_test(refusals_wait_for_the_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

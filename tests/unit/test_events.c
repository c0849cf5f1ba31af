/* Observers of a run: every onset is told before its release, releases are the impacts, and an error ends the run. */
#include "carom_test.h"

#include "sim/sim.h"
#include "support/trial.h"

typedef struct witness {
    size_t starts, onsets, releases, steps;
    double last_release;        /* [s] */
    bool before_start;          /* a step was told before the start */
    size_t stop_at;             /* this release fails; 0: none */
} witness;

static carom_status see_start(void *user, carom_simulation *sim)
{
    (void)sim;
    ((witness *)user)->starts++;
    return CAROM_OK;
}

static carom_status see_onset(void *user, carom_simulation *sim, size_t contact)
{
    assert_true(contact < (size_t)(sim->model->contact_count + sim->model->contact_set_count));
    ((witness *)user)->onsets++;
    return CAROM_OK;
}

static carom_status see_release(void *user, carom_simulation *sim, const carom_impact *impact)
{
    witness *w = user;
    w->releases++;
    assert_true(w->releases <= w->onsets);
    assert_true(impact->duration > 0);
    w->last_release = impact->onset + impact->duration;
    return w->releases == w->stop_at ? carom_fail(sim->ctx, CAROM_INTERRUPTED, NULL, "enough") : CAROM_OK;
}

static carom_status see_step(void *user, carom_simulation *sim)
{
    (void)sim;
    witness *w = user;
    w->before_start = w->before_start || !w->starts;
    w->steps++;
    return CAROM_OK;
}

static carom_simulation *observed(carom_context *ctx, const carom_model *model, witness *w)
{
    const carom_sim_listener listener = {
        .user = w, .start = see_start, .onset = see_onset, .release = see_release, .step = see_step};
    carom_simulation *sim;
    assert_int_equal(carom_sim_create(ctx, model, NULL, &listener, 1, &sim), CAROM_OK);
    return sim;
}

/* Impacts and rests that have ended: releases with a force. */
static size_t count_ended(carom_simulation *sim)
{
    size_t impacts, rests, count = 0;
    const carom_rest *rest;
    carom_simulation_impacts(sim, &impacts);
    assert_int_equal(carom_simulation_rests(sim, &rest, &rests), CAROM_OK);
    for (size_t k = 0; k < rests; k++)
        count += rest[k].ended != 0;
    return impacts + count;
}

static void watch(const trial *of, const char *integrator)
{
    carom_context *ctx;
    carom_model *model;
    ctx = new_context();
    assert_int_equal(trial_compile(ctx, of, integrator, NULL, &model), CAROM_OK);
    witness w = {0};
    carom_simulation *sim = observed(ctx, model, &w);
    assert_int_equal(w.starts, 1);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    size_t impacts;
    impacts = count_ended(sim);
    assert_true(impacts > 2);
    assert_int_equal(w.releases, impacts);
    assert_int_equal(w.steps, carom_simulation_statistics(sim).steps);
    assert_false(w.before_start);
    carom_simulation_free(sim);

    w = (witness){.stop_at = 2};
    sim = observed(ctx, model, &w);
    assert_int_equal(carom_simulation_run(sim), CAROM_INTERRUPTED);
    assert_int_equal(w.releases, 2);
    assert_true(carom_simulation_time(sim) <= w.last_release);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void located_contacts_are_told(void **state)
{
    (void)state;
    watch(&trial_balls, "adams");
}

static void contact_sets_are_told(void **state)
{
    (void)state;
    watch(&trial_many, "verlet");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(located_contacts_are_told),
                                       cmocka_unit_test(contact_sets_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Controllers are called at their samples, exactly; steps, observers; what callbacks may not do. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/trial.h"

typedef struct sampler {
    double period;              /* [s] */
    size_t count, stop_at;      /* samples; the one that fails, 0: none */
    bool meddles;               /* calls what may not be called */
} sampler;

static carom_status sample(void *user, carom_simulation *sim, double time)
{
    sampler *s = user;
    const double nominal = (double)s->count++ * s->period;
    assert_true(time == nominal);
    assert_true(fabs(carom_simulation_time(sim) - nominal) <= 4e-16 * nominal);
    if (s->meddles) {
        carom_state *state = NULL;
        assert_int_equal(carom_simulation_advance(sim, 1e9), CAROM_ERROR_USAGE);
        assert_int_equal(carom_simulation_step(sim), CAROM_ERROR_USAGE);
        assert_int_equal(carom_simulation_run(sim), CAROM_ERROR_USAGE);
        assert_int_equal(carom_simulation_reset(sim), CAROM_ERROR_USAGE);
        assert_int_equal(carom_simulation_set_state(sim, state, NULL, NULL), CAROM_ERROR_USAGE);
        assert_int_equal(carom_simulation_set_control(sim, NULL), CAROM_ERROR_USAGE);
    }
    return s->stop_at && s->count == s->stop_at ? CAROM_INTERRUPTED : CAROM_OK;
}

static carom_simulation *open_trial(const trial *of, const char *integrator, sampler *s, carom_context **ctx,
                                    carom_model **model)
{
    carom_simulation *sim;
    *ctx = trial_context(NULL);
    carom_simulation_def def = carom_default_simulation_def();
    carom_control control = carom_default_control();
    if (s)
        control = (carom_control){sizeof control, s->period, sample, s};
    def.control = &control;
    assert_int_equal(trial_compile(*ctx, of, integrator, NULL, model), CAROM_OK);
    assert_int_equal(carom_simulation_create(*ctx, *model, &def, &sim), CAROM_OK);
    return sim;
}

static void close_trial(carom_simulation *sim, carom_context *ctx, carom_model *model)
{
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* What nobody filled is refused, wherever it is given. */
static void test_sizes(void **state)
{
    (void)state;
    carom_context *ctx;
    carom_model *model;
    carom_simulation *sim = open_trial(&trial_balls, "adams", NULL, &ctx, &model), *none;
    const carom_control control = {.period = 1, .function = sample};
    const carom_observer observer = {.size = 3 * sizeof observer};
    const carom_sink sink = {.size = 0};
    carom_simulation_def with_control = carom_default_simulation_def(), with_sink = with_control;
    with_control.control = &control;
    with_sink.sink = &sink;
    assert_refused(ctx, carom_simulation_set_control(sim, &control), CAROM_ERROR_USAGE, "carom_default_control()");
    assert_refused(ctx, carom_simulation_observe(sim, &observer), CAROM_ERROR_USAGE, "carom_default_observer()");
    assert_int_equal(carom_simulation_create(ctx, model, &with_control, &none), CAROM_ERROR_USAGE);
    assert_refused(ctx, carom_simulation_create(ctx, model, &with_sink, &none),
                   CAROM_ERROR_USAGE, "carom_default_sink()");
    assert_null(none);
    close_trial(sim, ctx, model);
}

/* A period that no output interval and no step fits; the run in one piece and in pieces, one of which ends at a
   sample. */
static void samples(const trial *of, const char *integrator)
{
    carom_context *ctx;
    carom_model *model;
    sampler s = {.period = of->until / 37.4, .meddles = true};
    carom_simulation *sim = open_trial(of, integrator, &s, &ctx, &model);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    assert_int_equal(s.count, 38);
    assert_int_equal(carom_simulation_reset(sim), CAROM_OK);
    s.count = 0;
    assert_int_equal(carom_simulation_advance(sim, 7.5 * s.period), CAROM_OK);
    assert_int_equal(s.count, 8);
    assert_int_equal(carom_simulation_advance(sim, 9 * s.period), CAROM_OK);
    assert_int_equal(s.count, 9);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    assert_int_equal(s.count, 38);
    s = (sampler){.period = s.period, .stop_at = 5};
    assert_int_equal(carom_simulation_reset(sim), CAROM_OK);
    assert_int_equal(carom_simulation_run(sim), CAROM_INTERRUPTED);
    assert_int_equal(s.count, 5);
    assert_non_null(strstr(carom_context_error(ctx), "controller"));
    close_trial(sim, ctx, model);
}

static void test_samples(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(trial_integrators); k++)
        samples(&trial_balls, trial_integrators[k]);
    samples(&trial_many, "verlet");
}

/* Samples go on in a checkpoint; a controller that is given later begins at the next multiple. */
static void test_later(void **state)
{
    (void)state;
    carom_context *ctx;
    carom_model *model;
    carom_simulation *sim = open_trial(&trial_balls, "adams", NULL, &ctx, &model);
    const double period = 0.01, until = trial_balls.until;
    sampler s = {.period = period, .count = 4};
    assert_int_equal(carom_simulation_advance(sim, 3.5 * period), CAROM_OK);
    assert_int_equal(carom_simulation_set_control(sim, &(carom_control){sizeof(carom_control), -1, sample, &s}),
                     CAROM_ERROR_USAGE);
    assert_int_equal(carom_simulation_set_control(sim, &(carom_control){sizeof(carom_control), period, sample, &s}),
                     CAROM_OK);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    assert_true(s.count >= (size_t)(until / period * (1 - 1e-12)));
    close_trial(sim, ctx, model);
}

/* Steps lead where a run leads, to the last bit. */
static void test_steps(void **state)
{
    (void)state;
    carom_context *ctx;
    carom_model *model;
    carom_simulation *sim = open_trial(&trial_balls, "adams", NULL, &ctx, &model), *whole;
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &whole), CAROM_OK);
    assert_int_equal(carom_simulation_run(whole), CAROM_OK);
    size_t steps = 0;
    for (double before = -1; carom_simulation_time(sim) < carom_simulation_until(sim); steps++) {
        assert_true(carom_simulation_time(sim) >= before);
        before = carom_simulation_time(sim);
        assert_int_equal(carom_simulation_step(sim), CAROM_OK);
    }
    assert_int_equal(steps, carom_simulation_statistics(sim).steps);
    assert_int_equal(carom_simulation_step(sim), CAROM_ERROR_USAGE);
    assert_true(trial_same(sim, whole, carom_model_get_info(model).bodies));
    carom_simulation_free(whole);
    close_trial(sim, ctx, model);
}

/* ---- observers ---- */

typedef struct witness {
    size_t steps, onsets, releases, stop_at, arrivals, restarts;
    size_t events[3];           /* by type */
    double last_onset;          /* [s] */
    bool of_set;                /* contacts have the names of their pairs, as impacts have */
} witness;

static carom_status see_step(void *user, carom_simulation *sim)
{
    (void)sim;
    ((witness *)user)->steps++;
    return CAROM_OK;
}

static carom_status see_arrive(void *user, carom_simulation *sim)
{
    (void)sim;
    ((witness *)user)->arrivals++;
    return CAROM_OK;
}

static carom_status see_restart(void *user, carom_simulation *sim)
{
    witness *w = user;
    assert_true(w->restarts > 0 || carom_simulation_time(sim) == 0);
    w->restarts++;
    return CAROM_OK;
}

static carom_status see_onset(void *user, carom_simulation *sim, const carom_open_contact *contact)
{
    witness *w = user;
    w->onsets++;
    w->last_onset = contact->onset;
    assert_non_null(strstr(contact->contact, w->of_set ? "c.ball" : ""));
    /* of contact sets within the step, whose length is that of the file */
    assert_true(contact->onset <= carom_simulation_time(sim) + trial_many.step && contact->v_in >= 0);
    return CAROM_OK;
}

static carom_status see_release(void *user, carom_simulation *sim, const carom_impact *impact)
{
    witness *w = user;
    (void)sim;
    w->releases++;
    assert_non_null(strstr(impact->contact, w->of_set ? "c.ball" : ""));
    assert_true(impact->duration > 0 && impact->onset <= w->last_onset);
    return w->releases == w->stop_at ? CAROM_INTERRUPTED : CAROM_OK;
}

static carom_status see_event(void *user, carom_simulation *sim, const carom_event *event)
{
    witness *w = user;
    w->events[event->type]++;
    assert_non_null(strstr(event->name, w->of_set ? "c.ball" : ""));
    assert_true(event->time <= carom_simulation_time(sim) + trial_many.step);
    assert_true(event->type != CAROM_EVENT_ONSET || event->time == w->last_onset);
    return CAROM_OK;
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

static void observe(const trial *of, const char *integrator)
{
    carom_context *ctx;
    carom_model *model;
    size_t impacts;
    carom_simulation *sim = open_trial(of, integrator, NULL, &ctx, &model);
    witness a = {.of_set = of == &trial_many}, b = {.of_set = a.of_set};
    const carom_observer all = {sizeof all,  &a,        see_step,   see_onset,
                                see_release, see_event, see_arrive, see_restart};
    assert_int_equal(carom_simulation_observe(sim, &all), CAROM_OK);
    assert_int_equal(
        carom_simulation_observe(sim, &(carom_observer){sizeof(carom_observer), .user = &b, .release = see_release}),
        CAROM_OK);
    b.last_onset = HUGE_VAL;
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    impacts = count_ended(sim);
    assert_true(impacts > 2 && a.releases == impacts && b.releases == impacts && a.onsets >= impacts);
    assert_int_equal(a.steps, carom_simulation_statistics(sim).steps);
    /* of contact sets nothing is located */
    assert_true(a.arrivals < a.steps && (of == &trial_many || a.arrivals >= a.onsets + impacts));
    assert_true(a.restarts > 0 && (of == &trial_many || a.restarts >= a.onsets + impacts));
    assert_int_equal(a.events[CAROM_EVENT_ONSET], a.onsets);
    assert_true(a.events[CAROM_EVENT_RELEASE] >= impacts && a.events[CAROM_EVENT_RELEASE] <= a.onsets);
    assert_int_equal(a.events[CAROM_EVENT_ACTION], 0);
    assert_int_equal(carom_simulation_reset(sim), CAROM_OK);
    b = (witness){.stop_at = 2, .last_onset = HUGE_VAL};
    assert_int_equal(carom_simulation_run(sim), CAROM_INTERRUPTED);
    impacts = count_ended(sim);
    assert_int_equal(impacts, 2);
    assert_non_null(strstr(carom_context_error(ctx), "observer of releases"));
    close_trial(sim, ctx, model);
}

static void test_observers(void **state)
{
    (void)state;
    observe(&trial_balls, "adams");
    observe(&trial_many, "verlet");
}

static carom_status end_step(void *user, carom_simulation *sim)
{
    (void)user;
    (void)sim;
    return CAROM_INTERRUPTED;
}

static carom_status end_onset(void *user, carom_simulation *sim, const carom_open_contact *contact)
{
    (void)contact;
    return end_step(user, sim);
}

static carom_status end_release(void *user, carom_simulation *sim, const carom_impact *impact)
{
    (void)impact;
    return end_step(user, sim);
}

static carom_status end_event(void *user, carom_simulation *sim, const carom_event *event)
{
    (void)event;
    return end_step(user, sim);
}

/* What ends a run is named, also behind an earlier error, whose text is not taken for its reason. */
static void test_reasons(void **state)
{
    (void)state;
    const struct {
        carom_observer observer;
        const char *says;
    } cases[] = {{{sizeof(carom_observer), .step = end_step}, "observer of steps"},
                 {{sizeof(carom_observer), .arrive = end_step}, "observer of steps"},
                 {{sizeof(carom_observer), .restart = end_step}, "observer of restarts"},
                 {{sizeof(carom_observer), .onset = end_onset}, "observer of onsets"},
                 {{sizeof(carom_observer), .release = end_release}, "observer of releases"},
                 {{sizeof(carom_observer), .event = end_event}, "observer of events"}};
    for (size_t k = 0; k < CAROM_COUNT(cases); k++) {
        carom_context *ctx;
        carom_model *model;
        carom_channel_ref none;
        carom_simulation *sim = open_trial(&trial_balls, "adams", NULL, &ctx, &model);
        assert_int_equal(carom_simulation_observe(sim, &cases[k].observer), CAROM_OK);
        assert_int_not_equal(carom_simulation_find_channel(sim, "none", &none), CAROM_OK);
        assert_int_equal(carom_simulation_run(sim), CAROM_INTERRUPTED);
        assert_non_null(strstr(carom_context_error(ctx), cases[k].says));
        close_trial(sim, ctx, model);
    }
}

static void count_sample(void *user, carom_simulation *sim, double time)
{
    double *last = user;
    assert_true(fabs(carom_simulation_time(sim) - time) <= 1e-15);
    *last = time;
}

static carom_status take_rows(void *user, int group, size_t rows, const double *time, const double *data)
{
    double *last = user;
    (void)data;
    if (group == 0 && rows)
        *last = time[rows - 1];
    return CAROM_OK;
}

/* A run that an event stops has the samples before it, none behind, and a row at its end. */
static void test_samples_until_a_stop(void **state)
{
    (void)state;
    static const char text[] = "{carom: 1, dimension: 2, bodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}},"
                               " events: {far: {when: x(a) > 0.55, do: stop}},"
                               " run: {until: 1, output: {every: 0.2}}}";
    static const double times[] = {0.1, 0.3, 0.5, 0.7, 0.9};
    carom_context *ctx = new_context();
    carom_model *model = new_model(ctx, text);
    carom_simulation *sim;
    double last = 0, row = 0;
    carom_sink sink = carom_default_sink();
    sink.user = &row;
    sink.rows = take_rows;
    carom_simulation_def def = carom_default_simulation_def();
    def.sink = &sink;
    assert_ok(ctx, carom_simulation_create(ctx, model, &def, &sim));
    assert_ok(ctx, carom_simulation_run_sampled(sim, CAROM_COUNT(times), times, count_sample, &last));
    assert_true(last == 0.5 && fabs(carom_simulation_time(sim) - 0.55) < 1e-12);
    assert_true(row == carom_simulation_time(sim));
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* ---- the end ---- */

/* Behind its end a run is not continued, and a step says what has ended it: a body passes 0.55 m at 1 m/s, long before
   the run's end. */
static void test_no_way_behind_the_end(void **state)
{
    (void)state;
    static const char text[] = "{carom: 1, dimension: 2, bodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}},"
                               " events: {far: {when: x(a) > 0.55, do: stop}}, run: {until: 1}}";
    carom_context *ctx = new_context();
    carom_model *model = new_model(ctx, text);
    carom_simulation *sim;
    size_t calls = 0;
    assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
    while (carom_simulation_time(sim) < carom_simulation_until(sim) && !carom_simulation_stopped_by(sim)) {
        assert_ok(ctx, carom_simulation_advance(sim, fmin(0.1 * (double)++calls, 1)));
        assert_true(calls <= 6);
    }
    assert_true(calls == 6 && fabs(carom_simulation_time(sim) - 0.55) < 1e-12);
    assert_ok(ctx, carom_simulation_advance(sim, 0.7));
    assert_true(fabs(carom_simulation_time(sim) - 0.55) < 1e-12);
    assert_refused(ctx, carom_simulation_step(sim), CAROM_ERROR_USAGE, "event 'far' has stopped it");
    assert_ok(ctx, carom_simulation_run(sim));
    assert_refused(ctx, carom_simulation_advance(sim, 0.3), CAROM_ERROR_USAGE, "is past");
    assert_ok(ctx, carom_simulation_reset(sim));
    assert_ok(ctx, carom_simulation_advance(sim, 0.3));
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* ---- what may act ---- */

static carom_status act_in_a_step(void *user, carom_simulation *sim)
{
    size_t *refusals = user;
    *refusals += carom_simulation_set_input(sim, 0, 5) == CAROM_ERROR_USAGE;
    *refusals += carom_simulation_clear_forces(sim) == CAROM_ERROR_USAGE;
    return CAROM_OK;
}

static carom_status act_at_a_sample(void *user, carom_simulation *sim, double time)
{
    (void)user;
    return carom_simulation_set_input(sim, 0, time);
}

/* An observer may not set an input, a controller may. */
static void test_inputs(void **state)
{
    (void)state;
    static const char text[] = "carom: 1\ndimension: 2\ninputs: {u: 1}\nbodies: {cart: {mass: 2, inertia: 1}}\n"
                               "loads: {pull: {type: force, on: cart, force: [u, 0]}}\nrun: {until: 1}\n";
    carom_context *ctx = trial_context(NULL);
    carom_model *model;
    carom_simulation *sim;
    double u;
    size_t refusals = 0;
    assert_int_equal(carom_model_parse(ctx, "cart.yaml", text, strlen(text), NULL, 0, &model), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_OK);
    assert_int_equal(carom_simulation_observe(
                         sim, &(carom_observer){sizeof(carom_observer), .user = &refusals, .step = act_in_a_step}),
                     CAROM_OK);
    assert_int_equal(carom_simulation_advance(sim, 0.5), CAROM_OK);
    assert_int_equal(carom_simulation_channel(sim, "input.u", &u), CAROM_OK);
    assert_true(u == 1 && refusals == 2 * carom_simulation_statistics(sim).steps);
    assert_int_equal(
        carom_simulation_set_control(sim, &(carom_control){sizeof(carom_control), 0.25, act_at_a_sample, NULL}),
        CAROM_OK);
    assert_int_equal(carom_simulation_advance(sim, 0.8), CAROM_OK);
    assert_int_equal(carom_simulation_channel(sim, "input.u", &u), CAROM_OK);
    assert_true(u == 0.75);
    close_trial(sim, ctx, model);
}

/* Calls without what they need are refused, as all others are. */
static void test_missing_arguments(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model = NULL;
    carom_simulation *sim = NULL;
    carom_channel_ref channel;
    double value[4];
    const double times[1] = {0};
    assert_refused(ctx, carom_simulation_create(ctx, NULL, NULL, &sim), CAROM_ERROR_USAGE, "`model` is NULL");
    assert_null(sim);
    static const char text[] = "{carom: 1, dimension: 2, bodies: {b: {mass: 1, inertia: 1}}, run: {until: 1}}";
    assert_ok(ctx, carom_model_parse(ctx, "m", text, sizeof text - 1, NULL, 0, &model));
    assert_refused(ctx, carom_simulation_create(ctx, model, NULL, NULL), CAROM_ERROR_USAGE, "`out` is NULL");
    assert_int_equal(carom_simulation_create(NULL, model, NULL, &sim), CAROM_ERROR_USAGE);
    assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
    assert_refused(ctx, carom_simulation_find_channel(sim, NULL, &channel), CAROM_ERROR_USAGE, "needs a name");
    assert_refused(ctx, carom_simulation_find_channel(sim, "body.b.position", NULL), CAROM_ERROR_USAGE, "a place");
    assert_refused(ctx, carom_simulation_channel(sim, NULL, value), CAROM_ERROR_USAGE, "needs a name");
    assert_refused(ctx, carom_simulation_channel(sim, "body.b.position", NULL), CAROM_ERROR_USAGE, "is NULL");
    assert_refused(ctx, carom_simulation_read(sim, NULL, value), CAROM_ERROR_USAGE, "is NULL");
    assert_refused(ctx, carom_simulation_run_sampled(sim, 1, times, NULL, NULL), CAROM_ERROR_USAGE, "a function");
    assert_refused(ctx, carom_simulation_run_sampled(sim, 1, NULL, NULL, NULL), CAROM_ERROR_USAGE, "times");
    assert_refused(ctx, carom_simulation_advance(sim, (double)NAN), CAROM_ERROR_USAGE, "is no number");
    const double force[3] = {1, 0, 0}, torque[3] = {0, 0, 1};
    assert_refused(ctx, carom_simulation_apply_force(sim, 0, force, NULL, (carom_axes)7), CAROM_ERROR_USAGE, "axes 7");
    assert_refused(ctx, carom_simulation_apply_torque(sim, 0, torque, (carom_axes)2), CAROM_ERROR_USAGE, "axes 2");
    static const double tolerances[] = {-1, (double)NAN, 1e-14, 1, HUGE_VAL};
    for (size_t k = 0; k < CAROM_COUNT(tolerances); k++) {
        carom_simulation *other = NULL;
        carom_simulation_def def = carom_default_simulation_def();
        def.tolerance = tolerances[k];
        assert_refused(ctx, carom_simulation_create(ctx, model, &def, &other), CAROM_ERROR_USAGE, "between 1e-13");
        assert_null(other);
    }
    assert_ok(ctx, carom_simulation_run(sim));
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_missing_arguments),
                                       cmocka_unit_test(test_samples), cmocka_unit_test(test_later),
                                       cmocka_unit_test(test_steps), cmocka_unit_test(test_observers),
                                       cmocka_unit_test(test_reasons), cmocka_unit_test(test_samples_until_a_stop),
                                       cmocka_unit_test(test_no_way_behind_the_end),
                                       cmocka_unit_test(test_inputs), cmocka_unit_test(test_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

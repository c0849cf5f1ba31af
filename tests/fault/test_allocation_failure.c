/* Each allocation of the library fails once, and from each on all fail: every call gives CAROM_ERROR_MEMORY with a text
   or succeeds, every block comes back with the size it was asked for, and nothing is left. The reader of models, the
   reference page, the schema, and the writer and reader of results have such tests of their own (tests/unit). */
#include "carom_test.h"

#include "base/base.h"
#include "support/kinds.h"
#include "support/sample.h"
#include "support/trial.h"

/* A sequence of calls that gives back all it took. */
typedef carom_status (*scenario)(carom_context *ctx, const void *user);

/* Runs a scenario with the n-th allocation failing. Returns false once there is no n-th allocation. */
static bool fail_once(scenario run, const void *user, size_t n, bool after, const char *what)
{
    trial_allocator a = {0};
    carom_context *ctx = trial_context(&a);
    assert_non_null(ctx);
    size_t blocks = a.blocks, bytes = a.bytes;
    a.calls = 0;
    a.fail_at = n;
    a.fail_after = after;
    carom_status status = run(ctx, user);
    bool injected = a.calls >= n;
    if (status != CAROM_OK && (status != CAROM_ERROR_MEMORY || !injected))
        fail_msg("%s, allocation %zu: %s: %s", what, n, carom_status_name(status), carom_context_error(ctx));
    if (status == CAROM_ERROR_MEMORY && strlen(carom_context_error(ctx)) == 0)
        fail_msg("%s, allocation %zu: no text", what, n);
    if (a.blocks != blocks || a.bytes != bytes || a.misuses)
        fail_msg("%s, allocation %zu: %zu blocks and %zu bytes are left, %zu sizes are wrong", what, n,
                 a.blocks - blocks, a.bytes - bytes, a.misuses);
    carom_context_free(ctx);
    assert_int_equal(a.blocks, 0);
    return injected;
}

/* The next allocation to fail: each of the first 100, then each a quarter later, as searches repeat theirs. */
static size_t next_allocation(size_t n) { return n + 1 + (n > 100 ? n / 4 : 0); }

static void fail_each(scenario run, const void *user, const char *what)
{
    size_t n = 1;
    while (fail_once(run, user, n, false, what))
        assert_true((n = next_allocation(n)) < 100000);
    for (size_t k = 1; k < n; k = next_allocation(k))
        fail_once(run, user, k, true, what);
    print_message("%-40s %4zu allocations\n", what, n - 1);
}

/* ---- models ---- */

static const trial *const trials[] = {&trial_block, &trial_top, &trial_redundant, &trial_balls, &trial_balls_3d,
                                      &trial_rubbing, &trial_loads, &trial_driven, &trial_pins, &trial_many,
                                      &trial_events, &trial_drives};

static carom_status read_and_compile(carom_context *ctx, const void *user)
{
    carom_model *model;
    carom_status status = trial_compile(ctx, user, "bdf", "projection", &model);
    assert_true((status == CAROM_OK) == (model != NULL));
    carom_model_free(model);
    return status;
}

static carom_status load_with_overrides(carom_context *ctx, const void *user)
{
    static const char *const overrides[] = {"law=hertz", "omega=2*pi*20"};
    carom_model *model = NULL;
    carom_status status = carom_model_load(ctx, user, overrides, 2, &model);
    assert_true((status == CAROM_OK) == (model != NULL));
    carom_model_free(model);
    return status;
}

static void test_models(void **state)
{
    (void)state;
    for (size_t k = 0; k < CAROM_COUNT(trials); k++)
        if (sample_turn((int)k, 1, 4))
            fail_each(read_and_compile, trials[k], trials[k]->name);
    static char text[16384];
    trial chain = {"chain of 25 bars", trial_chain_text(25, text, sizeof text), 1, 1, 1};
    fail_each(read_and_compile, &chain, chain.name);
    fail_each(load_with_overrides, CAROM_MODELS "/slider_crank_block.yaml", "a file with overrides");
}

/* A wrong model is called wrong, or memory is short; never anything else. */
static carom_status compile_wrong(carom_context *ctx, const void *user)
{
    carom_model *model = NULL;
    carom_status status = carom_model_load(ctx, user, NULL, 0, &model);
    assert_null(model);
    assert_true(strlen(carom_context_error(ctx)) > 0);
    return status == CAROM_ERROR_MODEL ? CAROM_OK : status;
}

/* Another value of a parameter, which reads the text again. */
static carom_status set_parameter(carom_context *ctx, const void *user)
{
    carom_document *document = NULL;
    carom_model *model = NULL;
    carom_status status = carom_document_read(ctx, user, NULL, 0, &document);
    if (status == CAROM_OK) {
        const carom_status set = carom_document_set(document, "B", "0.07");
        /* on failure the document is as before */
        status = carom_model_compile(ctx, carom_document_spec(document), &model);
        status = set == CAROM_OK ? status : set;
    }
    carom_model_free(model);
    carom_document_free(document);
    return status;
}

static carom_status read_record(carom_context *ctx, const void *user)
{
    carom_spline_def record = {0};
    carom_status status = carom_record_read(ctx, "push", user, "push", &record);
    if (status == CAROM_OK)
        assert_int_equal(record.count, 3);
    carom_record_free(ctx, &record);
    return status;
}

static void test_inputs(void **state)
{
    (void)state;
    fail_each(set_parameter, CAROM_MODELS "/latch.yaml", "another value of a parameter");
    FILE *file = fopen("record.csv", "w");
    assert_non_null(file);
    fputs("time [s],other,push [N m]\n0,1,0.3\n0.003,2,0.5\n0.02,3,0.1\n", file);
    fclose(file);
    fail_each(read_record, "record.csv", "a record");
}

static carom_status import_robot(carom_context *ctx, const void *user)
{
    char *text = NULL;
    const carom_status status = carom_import_text(ctx, user, NULL, &text);
    assert_true((status == CAROM_OK) == (text != NULL));
    carom_text_free(ctx, text);
    return status;
}

static carom_status include_robot(carom_context *ctx, const void *user)
{
    char text[1024];
    carom_model *model = NULL;
    snprintf(text, sizeof text,
             "{carom: 1, dimension: 3, include: [{file: %s, start: {lbr_iiwa_joint_2: 0.3}}, {file: %s, prefix: b_}], "
             "joints: {b_lbr_iiwa_joint_1: {damper: {damping: 1}}}, run: {until: 1}}",
             (const char *)user, (const char *)user);
    const carom_status status = carom_model_parse(ctx, "test.yaml", text, strlen(text), NULL, 0, &model);
    assert_true((status == CAROM_OK) == (model != NULL));
    carom_model_free(model);
    return status;
}

static void test_robots(void **state)
{
    (void)state;
    fail_each(import_robot, CAROM_MODELS "/robots/iiwa.urdf", "a robot imported");
    fail_each(include_robot, CAROM_MODELS "/robots/iiwa.urdf", "two robots included");
}

static void test_wrong_models(void **state)
{
    (void)state;
    static const char *const files[] = {"misspelt_law", "misspelt_body", "misspelt_measure", "unknown_material",
                                        "misspelt_shape_parameter", "contact_of_two_planes", "misspelt_frame"};
    for (size_t k = 0; k < CAROM_COUNT(files); k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/../tests/wrong/%s.yaml", CAROM_MODELS, files[k]);
        fail_each(compile_wrong, path, files[k]);
    }
}

/* ---- simulations ---- */

/* What a scenario works on: made in a context of its own, whose allocations do not fail. */
typedef struct subject {
    const carom_model *model;
    const char *integrator;
    bool record;
    double until;               /* [s] */
} subject;

static carom_status use(carom_simulation *sim, const subject *s, trial_record *record)
{
    size_t count;
    carom_check check;
    CAROM_TRY(carom_simulation_check(sim, &check));
    if (!carom_simulation_channels(sim, &count))
        return CAROM_ERROR_MEMORY;
    double value[4];
    CAROM_TRY(carom_simulation_channel(sim, "energy.kinetic", value));
    if (s->record)
        trial_record_columns(record, sim);
    CAROM_TRY(carom_simulation_advance(sim, s->until));
    return s->record ? carom_simulation_run(sim) : CAROM_OK;
}

static carom_status create_and_run(carom_context *ctx, const void *user)
{
    const subject *s = user;
    trial_record record;
    trial_record_init(&record);
    carom_simulation_def def = carom_default_simulation_def();
    def.integrator = s->integrator;
    def.sink = s->record ? &record.sink : NULL;
    def.trial_steps = 20;
    carom_simulation *sim;
    carom_status status = carom_simulation_create(ctx, s->model, &def, &sim);
    assert_true((status == CAROM_OK) == (sim != NULL));
    if (status == CAROM_OK)
        status = use(sim, s, &record);
    carom_simulation_free(sim);
    trial_record_free(&record);
    return status;
}

static carom_status copy_by_checkpoint(carom_context *ctx, const void *user)
{
    const subject *s = user;
    carom_simulation *from = NULL, *to = NULL;
    unsigned char *bytes = NULL;
    size_t size = 0;
    carom_status status = carom_simulation_create(ctx, s->model, NULL, &from);
    if (status == CAROM_OK)
        status = carom_simulation_advance(from, s->until);
    if (status == CAROM_OK)
        status = carom_simulation_checkpoint(from, &bytes, &size);
    assert_true((status == CAROM_OK) == (bytes != NULL));
    if (status == CAROM_OK)
        status = carom_simulation_create(ctx, s->model, NULL, &to);
    if (status == CAROM_OK)
        status = carom_simulation_resume(to, bytes, size);
    /* on failure the simulation is as before, at its start */
    if (to)
        assert_true(carom_simulation_time(to) == (status == CAROM_OK ? s->until : 0));
    carom_bytes_free(ctx, bytes, size);
    carom_simulation_free(from);
    carom_simulation_free(to);
    return status;
}

static carom_status see_step(void *user, carom_simulation *sim)
{
    (void)user;
    (void)sim;
    return CAROM_OK;
}

/* States, forces, parameters, copies. */
static carom_status act(carom_context *ctx, const subject *s, carom_simulation *sim, carom_state *state,
                        carom_simulation **clone)
{
    static const double push[3] = {1e-3, 0, 0};
    char name[128];
    double mass;
    size_t n;
    carom_evaluated at;
    CAROM_TRY(carom_simulation_advance(sim, 0.5 * s->until));
    CAROM_TRY(carom_simulation_get_state(sim, state));
    const double *q = carom_state_positions(state, &n);
    CAROM_TRY(carom_state_set_positions(state, q, n));
    CAROM_TRY(carom_simulation_evaluate_at(sim, state, &at));
    CAROM_TRY(carom_simulation_set_state(sim, state, NULL, NULL));
    CAROM_TRY(carom_simulation_apply_force(sim, 0, push, NULL, CAROM_AXES_WORLD));
    snprintf(name, sizeof name, "body.%s.mass", carom_model_body_name(s->model, 0));
    CAROM_TRY(carom_simulation_get_parameter(sim, name, &mass));
    CAROM_TRY(carom_simulation_set_parameter(sim, name, 1.01 * mass));
    CAROM_TRY(carom_simulation_observe(sim, &(carom_observer){.size = sizeof(carom_observer), .step = see_step}));
    CAROM_TRY(carom_simulation_clone(sim, ctx, clone));
    CAROM_TRY(carom_simulation_advance(*clone, s->until));
    CAROM_TRY(carom_simulation_reset(sim));
    return carom_simulation_advance(sim, 0.5 * s->until);
}

static carom_status create_and_act(carom_context *ctx, const void *user)
{
    const subject *s = user;
    carom_simulation *sim = NULL, *clone = NULL;
    carom_state *state = NULL;
    carom_status status = carom_simulation_create(ctx, s->model, NULL, &sim);
    if (status == CAROM_OK)
        status = carom_state_create(ctx, s->model, &state);
    assert_true((status == CAROM_OK) == (state != NULL));
    if (status == CAROM_OK)
        status = act(ctx, s, sim, state, &clone);
    carom_simulation_free(clone);
    carom_state_free(state);
    carom_simulation_free(sim);
    return status;
}

static carom_model *make_model(carom_context *ctx, const trial *t)
{
    carom_model *model;
    if (trial_compile(ctx, t, "adams", NULL, &model) != CAROM_OK)
        fail_msg("%s: %s", t->name, carom_context_error(ctx));
    return model;
}

static void test_simulations(void **state)
{
    (void)state;
    static char text[16384];
    trial chain = {"chain of 25 bars", trial_chain_text(25, text, sizeof text), 0.01, 1e-3, 1e-3};
    for (size_t k = 0; k <= CAROM_COUNT(trials); k++) {
        trial t = k < CAROM_COUNT(trials) ? *trials[k] : chain;
        t.until *= 0.2;
        carom_context *ctx = trial_context(NULL);
        carom_model *model = make_model(ctx, &t);
        for (size_t i = 0; i < CAROM_COUNT(trial_integrators); i++) {
            if (!sample_turn((int)(k + i), 2, 6))
                continue;
            subject s = {model, trial_integrators[i], i % 2 == 0, 0.5 * t.until};
            char what[128];
            snprintf(what, sizeof what, "%s, %s", t.name, trial_integrators[i]);
            fail_each(create_and_run, &s, what);
        }
        carom_model *held = NULL;
        if ((k == 0 || sample_turn((int)k, 1, 2)) && trial_compile(ctx, &t, "auto", "ggl", &held) == CAROM_OK) {
            subject s = {.model = held, .record = true, .until = 0.1 * t.until};
            char what[128];
            snprintf(what, sizeof what, "%s, ggl", t.name);
            fail_each(create_and_run, &s, what);
            /* none left out, where rows are held that depend on each other */
            for (size_t n = 100; k == 0 && fail_once(create_and_run, &s, n, false, what);)
                n++;
        }
        carom_model_free(held);
        subject s = {.model = model, .until = t.until};
        if (sample_turn((int)k, 1, 4)) {
            fail_each(copy_by_checkpoint, &s, "checkpoint and resume");
            fail_each(create_and_act, &s, "states, forces, parameters, clones");
        }
        carom_model_free(model);
        carom_context_free(ctx);
    }
}

/* Records of inputs, a run of the caller's own, a clone of both, inputs set, the list of events. */
static carom_status use_inputs(carom_context *ctx, const void *user)
{
    static const double times[] = {0, 0.003, 0.055}, values[] = {0.3, 0.5, 0.1};
    static const char *const channels[] = {"input.gust", "state", "output", "event"};
    const subject *s = user;
    const carom_spline_def record = {.name = "gust", .x = times, .y = values, .count = 3};
    carom_run_def run = *carom_model_get_run(s->model, 0);
    run.until = 0.1;
    run.channels = channels;
    run.channel_count = CAROM_COUNT(channels);
    carom_simulation_def def = carom_default_simulation_def();
    def.inputs = &record;
    def.input_count = 1;
    def.run_def = &run;
    carom_simulation *sim = NULL, *clone = NULL;
    size_t input, count = 0;
    double value[4];
    carom_status status = carom_simulation_create(ctx, s->model, &def, &sim);
    if (status == CAROM_OK)
        status = carom_simulation_advance(sim, 0.004);
    if (status == CAROM_OK)
        status = carom_simulation_find_input(sim, "brake", &input);
    if (status == CAROM_OK)
        status = carom_simulation_set_input(sim, input, 0.2);
    if (status == CAROM_OK)
        status = carom_simulation_clone(sim, ctx, &clone);
    if (status == CAROM_OK)
        status = carom_simulation_advance(clone, 0.06);
    if (status == CAROM_OK)
        status = carom_simulation_channel(clone, "output.grip", value);
    if (status == CAROM_OK) {
        carom_simulation_fired_events(clone, &count);
        assert_true(count >= 4);
        assert_string_equal(carom_simulation_stopped_by(clone), "end");
    }
    carom_simulation_free(clone);
    carom_simulation_free(sim);
    return status;
}

static void test_events(void **state)
{
    (void)state;
    carom_context *ctx = trial_context(NULL);
    carom_model *model = make_model(ctx, &trial_events);
    subject s = {.model = model};
    fail_each(use_inputs, &s, "records, inputs, events, clones");
    carom_model_free(model);
    carom_context_free(ctx);
}

/* ---- analyses ---- */

typedef struct analysed {
    const carom_model *model;
    const char *name;
    carom_status end;           /* of it where memory is there: models are refused that an analysis is not for */
} analysed;

static carom_status analyse(carom_context *ctx, const void *user)
{
    const analysed *what = user;
    carom_run_def run = *carom_model_get_run(what->model, 0);
    carom_analysis_def def = carom_default_analysis_def();
    run.analysis = what->name;
    run.until *= 0.1;
    def.run_def = &run;
    carom_analysis *a = NULL;
    carom_status status = carom_analysis_run(ctx, what->model, &def, &a);
    assert_true((status == CAROM_OK) == (a != NULL));
    carom_analysis_free(a);
    return status == what->end ? CAROM_OK : status;
}

/* On a chain that is assembled sparsely, and on some trials. */
static void test_analyses(void **state)
{
    (void)state;
    static char text[16384];
    trial chain = {"chain of 60 bars", trial_chain_text(60, text, sizeof text), 0.01, 1e-3, 1e-3};
    size_t analyses;
    int taken = 3;
    const int first = sample_first((int)CAROM_COUNT(trials), &taken);
    const char *const *names = carom_explain_names(all_kinds(), "analysis", &analyses);
    for (int k = 0; k <= taken; k++) {
        carom_context *ctx = trial_context(NULL);
        carom_model *model = make_model(ctx, k < taken ? trials[(first + k) % (int)CAROM_COUNT(trials)] : &chain);
        for (size_t n = 0; n < analyses; n++) {
            if (!sample_turn((int)n + k, 2, 6))
                continue;
            analysed what = {model, names[n], CAROM_OK};
            what.end = analyse(ctx, &what);
            fail_each(analyse, &what, names[n]);
        }
        carom_model_free(model);
        carom_context_free(ctx);
    }
}

/* Long enough for the list of impacts to grow twice and for the warning of slow impacts. */
static void test_many_impacts(void **state)
{
    (void)state;
    trial t = trial_balls;
    t.until = 1.5;
    carom_context *ctx = trial_context(NULL);
    carom_model *model = make_model(ctx, &t);
    subject s = {.model = model, .integrator = "adams", .record = true, .until = 1};
    fail_each(create_and_run, &s, "many impacts");
    subject c = {.model = model, .until = t.until};
    fail_each(copy_by_checkpoint, &c, "many impacts, checkpoint and resume");
    carom_model_free(model);
    carom_context_free(ctx);
}

/* A simulation that ran out of memory in a run keeps what was computed and may be asked and freed. */
static void test_asked_after_failure(void **state)
{
    (void)state;
    trial_allocator a = {0};
    carom_context *ctx = trial_context(&a);
    carom_model *model = make_model(ctx, &trial_balls);
    carom_simulation *sim;
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_OK);
    a.calls = 0;
    a.fail_at = 1;
    a.fail_after = true;
    carom_status status = carom_simulation_run(sim);
    if (status != CAROM_OK) {
        assert_int_equal(status, CAROM_ERROR_MEMORY);
        assert_string_equal(carom_context_error(ctx), "out of memory");
        assert_true(carom_simulation_time(sim) > 0);
    }
    a.fail_at = 0;
    carom_body_state body;
    double value[4];
    assert_int_equal(carom_simulation_body(sim, 0, &body), CAROM_OK);
    assert_int_equal(carom_simulation_channel(sim, "body.low.position", value), CAROM_OK);
    assert_true(value[0] == body.position[0] && value[1] == body.position[1]);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
    assert_int_equal(a.blocks, 0);
}

/* ---- texts ---- */

static carom_status explain(carom_context *ctx, const void *user)
{
    char *text = NULL;
    carom_status status = carom_explain(ctx, user, &text);
    assert_true((status == CAROM_OK) == (text != NULL));
    carom_text_free(ctx, text);
    return status == CAROM_ERROR_USAGE ? CAROM_OK : status;
}

static void test_explain(void **state)
{
    (void)state;
    size_t families, count;
    const char *const *family = carom_explain_families(&families);
    for (size_t k = 0; k < families; k++) {
        const char *const *names = carom_explain_names(all_kinds(), family[k], &count);
        for (size_t i = 0; i < count; i++)
            if (sample_turn((int)(k + i), 1, 4))
                fail_each(explain, names[i], names[i]);
    }
    fail_each(explain, "validity", "validity");
    fail_each(explain, "expressions", "expressions");
    fail_each(explain, "no-such-word", "no-such-word");
}

/* ---- fits and optimal designs ---- */

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static carom_status fit_study(carom_context *ctx, const void *path)
{
    carom_fit *fit;
    carom_fit_result result = {0};
    char *text = NULL;
    carom_status status = carom_fit_read(ctx, path, NULL, &fit);
    assert_true((status == CAROM_OK) == (fit != NULL));
    if (status == CAROM_OK)
        status = carom_fit_check(ctx, fit);
    if (status == CAROM_OK)
        status = carom_fit_solve(ctx, fit, NULL, &result);
    if (status == CAROM_OK)
        status = carom_fit_model_text(ctx, fit, &result, &text);
    carom_text_free(ctx, text);
    carom_fit_result_free(ctx, &result);
    carom_fit_free(fit);
    return status;
}

static carom_status optimise_study(carom_context *ctx, const void *path)
{
    carom_optimise *study;
    carom_optimise_result result = {0};
    char *text = NULL;
    carom_status status = carom_optimise_read(ctx, path, &study);
    assert_true((status == CAROM_OK) == (study != NULL));
    if (status == CAROM_OK)
        status = carom_optimise_check(ctx, study);
    if (status == CAROM_OK)
        status = carom_optimise_solve(ctx, study, NULL, &result);
    if (status == CAROM_OK)
        status = carom_optimise_model_text(ctx, study, &result, &text);
    carom_text_free(ctx, text);
    carom_optimise_result_free(ctx, &result);
    carom_optimise_free(study);
    return status;
}

static void test_fits(void **state)
{
    (void)state;
    write_file("record.csv", "d [um], F [N], w [N]\n1, 2, 1\n2, 5, 1\n3, 10, 1\n4, 17, 2\n5, 22, 2\n");
    write_file("law.yaml", "laws: [hertz, flores, kuwabara-kono]\n"
                           "parameters: {stiffness: {from: 1e6, to: 1e11, scale: log}, exponent: {from: 1, to: 2}}\n"
                           "starts: 1\nrecords:\n  - file: record.csv\n"
                           "    indentation: d\n    compare: {F: force}\n    sigma: w\n    offset: true\n");
    write_file("expression.yaml", "loss: huber\nparameters: {a: {from: -9, to: 9}}\nstarts: 1\nrecords:\n"
                                  "  - file: record.csv\n    each: {d: d}\n    compare: {F: a*d}\n"
                                  "    unknown: {b: {from: 0, to: 2}}\n");
    write_file("model.yaml", "carom: 1\ndimension: 2\nparameters: {x: 1}\n"
                             "bodies: {a: {mass: 1, inertia: 1, at: [x, 0], velocity: [1, 0]}}\nrun: {until: 0.1}\n");
    write_file("motion.csv", "t [s], x [m]\n0, 2\n0.1, 2.11\n");
    write_file("motion.yaml", "model: model.yaml\nparameters: {x: {from: 1, to: 3}}\nstarts: 1\nprofile: false\n"
                              "records:\n  - file: motion.csv\n    time: t\n    compare: {x: body.a.position.x}\n");
    write_file("design.yaml", "model: model.yaml\nparameters: {x: {from: 1, to: 3}}\nstarts: 1\nevaluations: 4\n"
                              "quantities: {q: end(body.a.position.x)}\nminimise: q\nconstraints: [q >= 2*m]\n");
    fail_each(fit_study, "law.yaml", "fit of a law");
    fail_each(fit_study, "expression.yaml", "fit of expressions");
    fail_each(fit_study, "motion.yaml", "fit of a model");
    fail_each(optimise_study, "design.yaml", "optimal design");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),        cmocka_unit_test(test_robots), cmocka_unit_test(test_wrong_models),
        cmocka_unit_test(test_inputs),        cmocka_unit_test(test_events),
        cmocka_unit_test(test_analyses),
        cmocka_unit_test(test_simulations),   cmocka_unit_test(test_many_impacts),
        cmocka_unit_test(test_asked_after_failure), cmocka_unit_test(test_explain),
        cmocka_unit_test(test_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

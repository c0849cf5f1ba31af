/* A run that checkpoints and continues equals the run resumed from the checkpoint bit for bit; checkpoints of equal
   states are equal bytes; damaged, truncated and foreign checkpoints are refused and change nothing. */
#include "carom_test.h"

#include <math.h>

#include "base/base.h"
#include "support/sample.h"
#include "support/trial.h"

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

/* One simulation with all it records. */
typedef struct subject {
    trial_record record;
    carom_simulation *sim;
} subject;

static void open_subject(carom_context *ctx, const carom_model *model, subject *s)
{
    trial_record_init(&s->record);
    carom_simulation_def def = carom_default_simulation_def();
    def.sink = &s->record.sink;
    assert_ok(ctx, carom_simulation_create(ctx, model, &def, &s->sim));
    trial_record_columns(&s->record, s->sim);
}

static void close_subject(subject *s)
{
    carom_simulation_free(s->sim);
    trial_record_free(&s->record);
}

static bytes take(carom_simulation *sim)
{
    bytes b;
    assert_int_equal(carom_simulation_checkpoint(sim, &b.data, &b.size), CAROM_OK);
    return b;
}

static void assert_same_bytes(const bytes *a, const bytes *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

/* Whether the resumed run recorded what the other one did after `time`; a step may end at the very time of the
   checkpoint. */
static bool same_rows(const trial_rows *whole, const trial_rows *tail, double time)
{
    size_t width = whole->columns + 1, before = whole->rows - tail->rows;
    return tail->rows <= whole->rows && (before == 0 || whole->data[(before - 1) * width] <= time) &&
           (tail->rows == 0 || tail->data[0] >= time) && trial_rows_end_with(whole, tail, before);
}

/* ---- continued and resumed ---- */

static void compare_at(carom_context *ctx, const carom_model *model, double time, const char *what)
{
    subject whole, resumed, other;
    open_subject(ctx, model, &whole);
    open_subject(ctx, model, &resumed);
    open_subject(ctx, model, &other);
    assert_int_equal(carom_simulation_advance(whole.sim, time), CAROM_OK);
    assert_int_equal(carom_simulation_advance(other.sim, time), CAROM_OK);
    bytes first = take(whole.sim), second = take(other.sim);
    assert_same_bytes(&first, &second);
    assert_int_equal(carom_simulation_run(whole.sim), CAROM_OK);
    if (carom_simulation_resume(resumed.sim, first.data, first.size) != CAROM_OK)
        fail_msg("%s: %s", what, carom_context_error(ctx));
    bytes third = take(resumed.sim);
    assert_same_bytes(&first, &third);
    assert_int_equal(carom_simulation_run(resumed.sim), CAROM_OK);
    /* ARKODE remembers its last root over a restart and looks at it again, which costs evaluations and changes
       nothing */
    bool evaluations = strcmp(carom_simulation_integrator(whole.sim), "dopri5") != 0;
    bool same = trial_same(whole.sim, resumed.sim, carom_model_get_info(model).bodies) &&
                trial_same_counts(whole.sim, resumed.sim, evaluations);
    for (int group = 0; group < 3; group++)
        same = same && same_rows(&whole.record.group[group], &resumed.record.group[group], time);
    if (!same || whole.record.impacts != resumed.record.impacts)
        fail_msg("%s: the resumed run differs from the one that went on from t = %.9g s", what, time);
    carom_bytes_free(ctx, first.data, first.size);
    carom_bytes_free(ctx, second.data, second.size);
    carom_bytes_free(ctx, third.data, third.size);
    close_subject(&whole);
    close_subject(&resumed);
    close_subject(&other);
}

/* At the start, in free flight, at an output time, inside and at the onset of the first impact, and just before the
   end. */
static void compare(const trial *t, const char *integrator, const char *constraints)
{
    static int calls;
    char what[128];
    /* one integrator further on with each trial */
    calls++;
    if (!sample_turn(calls + calls / (int)CAROM_COUNT(trial_integrators), 2, 6))
        return;
    snprintf(what, sizeof what, "%s, %s, %s", t->name, integrator, constraints ? constraints : "default constraints");
    carom_context *ctx = trial_context(NULL);
    carom_model *model;
    if (trial_compile(ctx, t, integrator, constraints, &model) != CAROM_OK)
        fail_msg("%s: %s", what, carom_context_error(ctx));
    carom_simulation *sim;
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_OK);
    assert_int_equal(carom_simulation_run(sim), CAROM_OK);
    size_t count, impacts = 0;
    const carom_impact *list = carom_simulation_impacts(sim, &impacts);
    double times[8] = {0, 0.377 * t->until, 3 * t->every, t->until * (1 - 1e-6), 1e-9 * t->until};
    count = 5;
    for (size_t k = 0; k < impacts && k < 3; k++)
        times[count++] = k == 2 ? list[k].onset : list[k].onset + 0.4 * list[k].duration;
    for (size_t k = 0; k < count; k++)
        compare_at(ctx, model, times[k], what);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void compare_all(const trial *t)
{
    for (size_t k = 0; k < CAROM_COUNT(trial_integrators); k++)
        compare(t, trial_integrators[k], NULL);
}

static void test_slider_crank_block(void **state)
{
    (void)state;
    trial t = trial_block;
    t.step = 2e-5;
    compare_all(&t);
    compare(&t, "bdf", "projection");
    compare(&t, "auto", "ggl");
    compare(&t, "dopri5", "projection");
}

static void test_balls(void **state)
{
    (void)state;
    trial t = trial_balls, u = trial_balls_3d, v = trial_rubbing;
    t.step = u.step = 5e-4;
    t.every = u.every = 4e-3;
    compare_all(&t);
    compare_all(&u);
    compare_all(&v);
}

static void test_models_in_space(void **state)
{
    (void)state;
    trial t = trial_top, u = trial_redundant;
    t.until = 0.3;
    t.step = 1e-3;
    u.until = 0.02;
    u.step = 5e-5;
    compare_all(&t);
    compare(&t, "rk4", "projection");
    compare_all(&u);
    compare(&u, "dopri5", "projection");
}

static void test_loads_and_motions(void **state)
{
    (void)state;
    compare_all(&trial_loads);
    compare_all(&trial_driven);
    compare_all(&trial_pins);
    compare_all(&trial_many);
    compare(&trial_events, "adams", NULL);
    compare_all(&trial_drives);
    compare(&trial_events, "verlet", NULL);
}

static void test_sparse_chain(void **state)
{
    (void)state;
    static char text[16384];
    trial t = {"chain of 25 bars", trial_chain_text(25, text, sizeof text), 0.03, 1e-3, 3e-3};
    compare_all(&t);
    compare(&t, "rk4", "projection");
}

/* ---- what is no checkpoint ---- */

typedef struct victim {
    carom_context *ctx;
    carom_model *model;
    carom_simulation *sim;      /* stands at another time than the checkpoint */
    bytes good, before;
} victim;

static bool few_steps(void *user, const carom_progress *progress)
{
    (void)progress;
    return ++*(int *)user % 4 != 0;
}

static int progress_calls;

static void open_victim(victim *v, const trial *t)
{
    v->ctx = trial_context(NULL);
    assert_int_equal(trial_compile(v->ctx, t, "adams", NULL, &v->model), CAROM_OK);
    carom_simulation_def def = carom_default_simulation_def();
    def.progress = few_steps;
    def.progress_user = &progress_calls;
    carom_simulation *other;
    assert_int_equal(carom_simulation_create(v->ctx, v->model, NULL, &other), CAROM_OK);
    assert_int_equal(carom_simulation_advance(other, 0.08), CAROM_OK);
    v->good = take(other);
    carom_simulation_free(other);
    assert_int_equal(carom_simulation_create(v->ctx, v->model, &def, &v->sim), CAROM_OK);
    assert_int_equal(carom_simulation_advance(v->sim, 0.002), CAROM_OK);
    v->before = take(v->sim);
}

static void close_victim(victim *v)
{
    carom_bytes_free(v->ctx, v->good.data, v->good.size);
    carom_bytes_free(v->ctx, v->before.data, v->before.size);
    carom_simulation_free(v->sim);
    carom_model_free(v->model);
    carom_context_free(v->ctx);
}

/* Resumes; a failure has a text and leaves the simulation as it was. */
static carom_status attempt(victim *v, const unsigned char *data, size_t size)
{
    carom_status status = carom_simulation_resume(v->sim, data, size);
    if (status == CAROM_OK)
        return status;
    assert_true(strlen(carom_context_error(v->ctx)) > 0);
    bytes after = take(v->sim);
    assert_same_bytes(&v->before, &after);
    carom_bytes_free(v->ctx, after.data, after.size);
    return status;
}

static void test_every_flipped_byte_is_found(void **state)
{
    (void)state;
    victim v;
    open_victim(&v, &trial_balls);
    for (size_t k = 0; k < v.good.size; k++)
        for (int bit = 0; bit < 8; bit += 7) {
            v.good.data[k] ^= (unsigned char)(1 << bit);
            assert_int_equal(attempt(&v, v.good.data, v.good.size), CAROM_ERROR_IO);
            v.good.data[k] ^= (unsigned char)(1 << bit);
        }
    assert_int_equal(attempt(&v, v.good.data, v.good.size), CAROM_OK);
    close_victim(&v);
}

static void test_every_other_length_is_found(void **state)
{
    (void)state;
    victim v;
    open_victim(&v, &trial_balls);
    /* blocks of exactly that length, so that a read beyond is seen by the sanitizer */
    for (size_t size = 0; size <= v.good.size + 9; size++) {
        unsigned char *part = malloc(size ? size : 1);
        assert_non_null(part);
        memset(part, 0, size);
        memcpy(part, v.good.data, size < v.good.size ? size : v.good.size);
        if (size != v.good.size)
            assert_int_equal(attempt(&v, part, size), CAROM_ERROR_IO);
        free(part);
    }
    assert_int_equal(attempt(&v, NULL, 0), CAROM_ERROR_IO);
    assert_int_equal(attempt(&v, v.good.data, v.good.size), CAROM_OK);
    close_victim(&v);
}

/* Layout of a checkpoint as far as these tests make false ones: the hash stands behind the 8 bytes of the magic. */
enum { HASH_AT = 8, HEADER = 112 };

static void sign(bytes *b)
{
    memset(b->data + HASH_AT, 0, 8);
    uint64_t hash = carom_hash(b->data + HEADER, b->size - HEADER, carom_hash(b->data, HEADER, 0));
    memcpy(b->data + HASH_AT, &hash, 8);
}

/* Wrong content under a right hash: refused, or a simulation that runs or fails with a text. */
static void test_false_content_never_crashes(void **state)
{
    (void)state;
    victim v;
    open_victim(&v, &trial_balls);
    bytes false_one = {malloc(v.good.size), v.good.size};
    assert_non_null(false_one.data);
    memcpy(false_one.data, v.good.data, v.good.size);
    sign(&false_one);
    assert_same_bytes(&v.good, &false_one);
    size_t accepted = 0;
    for (size_t k = 0; k < v.good.size; k++) {
        memcpy(false_one.data, v.good.data, v.good.size);
        false_one.data[k] ^= 0xc1;
        sign(&false_one);
        if (attempt(&v, false_one.data, false_one.size) != CAROM_OK)
            continue;
        accepted++;
        carom_status status = carom_simulation_run(v.sim);
        assert_true(status == CAROM_OK || strlen(carom_context_error(v.ctx)) > 0);
        assert_int_equal(carom_simulation_resume(v.sim, v.before.data, v.before.size), CAROM_OK);
    }
    print_message("%zu of %zu false checkpoints ran\n", accepted, v.good.size);
    free(false_one.data);
    close_victim(&v);
}

/* A state that is no number is refused; one that cannot be evaluated is given up for the former one. */
static void test_state_that_cannot_be_evaluated(void **state)
{
    (void)state;
    victim v;
    open_victim(&v, &trial_balls_3d);
    double none = (double)NAN, fast[3] = {1e200, 2e200, 3e200};
    unsigned char *q = v.good.data + HEADER, *spin = q + (2 * 7 + 3) * sizeof(double);
    double kept;
    memcpy(&kept, q, sizeof kept);
    memcpy(q, &none, sizeof none);
    sign(&v.good);
    assert_int_equal(attempt(&v, v.good.data, v.good.size), CAROM_ERROR_IO);
    memcpy(q, &kept, sizeof kept);
    memcpy(spin, fast, sizeof fast);
    sign(&v.good);
    assert_int_equal(attempt(&v, v.good.data, v.good.size), CAROM_ERROR_SOLVER);
    close_victim(&v);
}

/* ---- foreign checkpoints ---- */

static void refuse(carom_context *ctx, const bytes *b, const trial *t, const char *integrator, double tolerance)
{
    carom_model *model;
    carom_simulation *sim;
    carom_simulation_def def = carom_default_simulation_def();
    def.tolerance = tolerance;
    assert_int_equal(trial_compile(ctx, t, integrator, NULL, &model), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, model, &def, &sim), CAROM_OK);
    assert_refused(ctx, carom_simulation_resume(sim, b->data, b->size), CAROM_ERROR_USAGE, "belongs to another model");
    carom_simulation_free(sim);
    carom_model_free(model);
}

static void test_foreign_checkpoints(void **state)
{
    (void)state;
    carom_context *ctx = trial_context(NULL);
    carom_model *model;
    carom_simulation *sim;
    assert_int_equal(trial_compile(ctx, &trial_balls, "adams", NULL, &model), CAROM_OK);
    assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_OK);
    bytes b = take(sim);
    trial other = trial_balls;
    refuse(ctx, &b, &trial_block, "adams", 0);
    refuse(ctx, &b, &trial_balls_3d, "adams", 0);
    refuse(ctx, &b, &trial_balls, "bdf", 0);
    refuse(ctx, &b, &trial_balls, "adams", 1e-6);
    other.every *= 2;
    refuse(ctx, &b, &other, "adams", 0);
    carom_bytes_free(ctx, b.data, b.size);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slider_crank_block),
        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_models_in_space),
        cmocka_unit_test(test_loads_and_motions),
        cmocka_unit_test(test_sparse_chain),
        cmocka_unit_test(test_every_flipped_byte_is_found),
        cmocka_unit_test(test_every_other_length_is_found),
        cmocka_unit_test(test_false_content_never_crashes),
        cmocka_unit_test(test_state_that_cannot_be_evaluated),
        cmocka_unit_test(test_foreign_checkpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A run with points gives the same bits whether checkpoints are taken at them or not, and whether it goes on from one
   or is continued by another simulation, whose sink has the same rows in the same blocks. */
#include "carom_test.h"

#include "base/base.h"
#include "support/sample.h"
#include "support/trial.h"

#define STEPS 40  /* between points, at most */
#define MOST 400  /* points that are looked at */
#define PARTS 12  /* of them, from which the run goes on to the next one */

/* What waits for the sink at a checkpoint. */
typedef struct waiting {
    size_t before, rows;
    double *time, *data;
} waiting;

typedef struct subject {
    trial_record record;
    carom_sink counting;        /* that record's, and sums of blocks */
    size_t calls, points, at;   /* blocks given, points passed; the point of the checkpoint, 0: none */
    carom_simulation *sim;
    unsigned char *bytes;
    size_t size, given[3], columns[3], impacts;
    waiting waits[3];
    struct {
        unsigned char *bytes;
        size_t size;
    } all[MOST];                /* of the points, if `keeps` */
    bool keeps;
} subject;

static carom_status count_rows(void *user, int group, size_t rows, const double *time, const double *data)
{
    subject *s = user;
    s->calls++;
    s->given[group] += rows;
    return s->record.sink.rows(s->record.sink.user, group, rows, time, data);
}

static carom_status count_impact(void *user, const carom_impact *impact)
{
    subject *s = user;
    return s->record.sink.impact(s->record.sink.user, impact);
}

/* Keeps the checkpoint of its point. */
static carom_status at_point(void *user, carom_simulation *sim)
{
    subject *s = user;
    if (s->keeps && s->points < MOST)
        assert_int_equal(
            carom_simulation_checkpoint(sim, &s->all[s->points].bytes, &s->all[s->points].size), CAROM_OK);
    if (++s->points != s->at)
        return CAROM_OK;
    s->impacts = s->record.impacts;
    for (int group = 0; group < 3; group++) {
        const double *time, *data;
        waiting *w = &s->waits[group];
        w->before = s->given[group];
        w->rows = carom_simulation_pending_rows(sim, group, &time, &data);
        w->time = malloc((w->rows + 1) * sizeof *w->time);
        w->data = malloc((w->rows * s->columns[group] + 1) * sizeof *w->data);
        assert_true(w->time && w->data);
        if (w->rows) {
            memcpy(w->time, time, w->rows * sizeof *time);
            memcpy(w->data, data, w->rows * s->columns[group] * sizeof *data);
        }
    }
    return carom_simulation_checkpoint(sim, &s->bytes, &s->size);
}

static void open_subject(carom_context *ctx, const carom_model *model, size_t at, subject *s)
{
    *s = (subject){.at = at};
    trial_record_init(&s->record);
    s->counting = s->record.sink;
    s->counting.user = s;
    s->counting.rows = count_rows;
    s->counting.impact = count_impact;
    carom_simulation_def def = carom_default_simulation_def();
    def.sink = &s->counting;
    assert_ok(ctx, carom_simulation_create(ctx, model, &def, &s->sim));
    trial_record_columns(&s->record, s->sim);
    size_t count;
    const carom_channel *channels = carom_simulation_channels(s->sim, &count);
    for (size_t k = 0; k < count; k++)
        s->columns[channels[k].group] += (size_t)channels[k].size;
    assert_ok(ctx, carom_simulation_set_points(s->sim, STEPS, at_point, s));
}

static void close_subject(carom_context *ctx, subject *s)
{
    for (int group = 0; group < 3; group++) {
        free(s->waits[group].time);
        free(s->waits[group].data);
    }
    for (size_t k = 0; k < MOST; k++)
        carom_bytes_free(ctx, s->all[k].bytes, s->all[k].size);
    carom_bytes_free(ctx, s->bytes, s->size);
    carom_simulation_free(s->sim);
    trial_record_free(&s->record);
}

static bool same_warnings(const carom_simulation *a, const carom_simulation *b)
{
    size_t count[2];
    const char *const *x = carom_simulation_warnings(a, &count[0]), *const *y = carom_simulation_warnings(b, &count[1]);
    bool same = count[0] == count[1];
    for (size_t k = 0; same && k < count[0]; k++)
        same = strcmp(x[k], y[k]) == 0;
    return same;
}

static void check_same(subject *whole, subject *other, size_t bodies, const char *what)
{
    const bool evaluations = strcmp(carom_simulation_integrator(whole->sim), "dopri5") != 0;
    bool same = trial_same(whole->sim, other->sim, bodies) &&
                trial_same_counts(whole->sim, other->sim, evaluations) && same_warnings(whole->sim, other->sim);
    for (int group = 0; group < 3; group++) {
        const trial_rows *rows = &whole->record.group[group], *tail = &other->record.group[group];
        const size_t before = other->bytes ? 0 : other->waits[group].before;
        same = same && before + tail->rows == rows->rows && trial_rows_end_with(rows, tail, before);
    }
    if (!same)
        fail_msg("%s: the run differs from the one that went through", what);
}

/* Continues a run from its n-th point with another simulation. */
static void compare_at(carom_context *ctx, const carom_model *model, subject *whole, size_t n, const char *name)
{
    char what[160];
    static subject saved, next;
    const size_t bodies = carom_model_get_info(model).bodies;
    snprintf(what, sizeof what, "%s, point %zu of %zu", name, n, whole->points);
    open_subject(ctx, model, n, &saved);
    assert_ok(ctx, carom_simulation_run(saved.sim));
    assert_non_null(saved.bytes);
    check_same(whole, &saved, bodies, what);
    assert_int_equal(saved.points, whole->points);
    open_subject(ctx, model, 0, &next);
    assert_ok(ctx, carom_simulation_continue(next.sim, saved.bytes, saved.size));
    for (int group = 0; group < 3; group++) {
        const waiting *w = &saved.waits[group];
        assert_ok(ctx, carom_simulation_continue_rows(next.sim, group, w->before, w->rows, w->time, w->data));
        next.waits[group].before = w->before;
    }
    const size_t calls = saved.calls;
    assert_ok(ctx, carom_simulation_run(next.sim));
    assert_true(next.calls <= calls);
    check_same(whole, &next, bodies, what);
    assert_int_equal(saved.impacts + next.record.impacts, whole->record.impacts);
    close_subject(ctx, &next);
    close_subject(ctx, &saved);
}

/* The checkpoint of a point, to which a simulation came that was continued from the one before. */
static carom_status at_next(void *user, carom_simulation *sim)
{
    subject *s = user;
    assert_int_equal(carom_simulation_checkpoint(sim, &s->bytes, &s->size), CAROM_OK);
    return CAROM_INTERRUPTED;
}

/* Nothing but the checkpoint decides what the next one is. */
static void compare_next(carom_context *ctx, const carom_model *model, const subject *whole, size_t k, const char *name)
{
    static subject next;
    open_subject(ctx, model, 0, &next);
    assert_ok(ctx, carom_simulation_continue(next.sim, whole->all[k].bytes, whole->all[k].size));
    assert_ok(ctx, carom_simulation_set_points(next.sim, STEPS, at_next, &next));
    assert_int_equal(carom_simulation_run(next.sim), CAROM_INTERRUPTED);
    if (next.size != whole->all[k + 1].size || memcmp(next.bytes, whole->all[k + 1].bytes, next.size) != 0)
        fail_msg("%s: a run continued from point %zu of %zu comes to another next one, at t = %.9g s", name, k + 1,
                 whole->points, carom_simulation_time(next.sim));
    close_subject(ctx, &next);
}

static void compare(const trial *t, const char *integrator, const char *constraints)
{
    static int calls;
    char what[128];
    calls++;
    if (!sample_turn(calls + calls / (int)CAROM_COUNT(trial_integrators), 3, 12))
        return;
    snprintf(what, sizeof what, "%s, %s, %s", t->name, integrator, constraints ? constraints : "default constraints");
    carom_context *ctx = trial_context(NULL);
    carom_model *model;
    static subject whole;
    assert_ok(ctx, trial_compile(ctx, t, integrator, constraints, &model));
    open_subject(ctx, model, 0, &whole);
    whole.keeps = true;
    assert_ok(ctx, carom_simulation_run(whole.sim));
    const size_t points = whole.points < MOST ? whole.points : MOST;
    /* ARKODE looks at its last root again, which costs evaluations that a checkpoint counts */
    for (size_t k = 0; k + 1 < points && strcmp(integrator, "dopri5") != 0; k += 1 + points / PARTS)
        compare_next(ctx, model, &whole, k, what);
    if (points)
        compare_at(ctx, model, &whole, (points + 1) / 2, what);
    close_subject(ctx, &whole);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void compare_all(const trial *t)
{
    for (size_t k = 0; k < CAROM_COUNT(trial_integrators); k++)
        compare(t, trial_integrators[k], NULL);
}

static void test_contacts(void **state)
{
    (void)state;
    trial block = trial_block, balls = trial_balls, space = trial_balls_3d, rubbing = trial_rubbing;
    block.step = 2e-5;
    balls.step = space.step = rubbing.step = 5e-4;
    compare_all(&block);
    compare(&block, "bdf", "projection");
    compare(&block, "auto", "ggl");
    compare_all(&balls);
    compare_all(&space);
    compare_all(&rubbing);
    compare_all(&trial_many);
}

static void test_others(void **state)
{
    (void)state;
    trial top = trial_top, redundant = trial_redundant;
    top.until = 0.3;
    top.step = 1e-3;
    redundant.until = 0.02;
    redundant.step = 5e-5;
    compare_all(&top);
    compare_all(&redundant);
    compare_all(&trial_loads);
    compare_all(&trial_driven);
    compare_all(&trial_pins);
    compare_all(&trial_drives);
    compare(&trial_events, "adams", NULL);
    compare(&trial_events, "verlet", NULL);
}

/* Rows that do not wait, and points where none may be. */
static void test_refused(void **state)
{
    (void)state;
    carom_context *ctx = trial_context(NULL);
    carom_model *model;
    carom_simulation *sim;
    const double number = 0;
    assert_ok(ctx, trial_compile(ctx, &trial_balls, "adams", NULL, &model));
    assert_ok(ctx, carom_simulation_create(ctx, model, NULL, &sim));
    assert_refused(ctx, carom_simulation_continue_rows(sim, 0, 0, 1, &number, &number), CAROM_ERROR_USAGE, "rows of");
    assert_int_equal(carom_simulation_set_points(NULL, 1, NULL, NULL), CAROM_ERROR_USAGE);
    carom_simulation_free(sim);
    static subject s;
    open_subject(ctx, model, 0, &s);
    assert_refused(ctx, carom_simulation_continue_rows(s.sim, 0, 0, 1 << 20, &number, &number), CAROM_ERROR_USAGE,
                   "rows of group 0 behind 0 are not those that wait");
    assert_refused(ctx, carom_simulation_continue_rows(s.sim, 0, 5, SIZE_MAX - 2, &number, &number), CAROM_ERROR_USAGE,
                   "behind 5 are not those that wait");
    assert_refused(ctx, carom_simulation_continue_rows(s.sim, 3, 0, 0, NULL, NULL), CAROM_ERROR_USAGE, "group 3");
    assert_refused(ctx, carom_simulation_continue_rows(s.sim, 0, 0, 1, NULL, NULL), CAROM_ERROR_USAGE, "rows of");
    close_subject(ctx, &s);
    carom_model_free(model);
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contacts),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Loops of contact sets that threads share: the same bits by one, two and four, from checkpoints, in simulations at the
   same time and behind fork(), without memory as well, and nothing that the thread sanitizer sees. */
#include "carom_test.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/trial.h"

#define UNTIL 0.003 /* [s] */

static const int threads[] = {1, 2, 4};
enum { NUMBERS = sizeof threads / sizeof *threads };

/* A bed of balls that touch, of which each holds some hundred in its part of a loop. */
static const char *file = CAROM_MODELS "/poured_balls.yaml", *pitch = "pitch=0.00998";

static carom_status make(carom_context *ctx, int number, carom_model **model, carom_simulation **sim)
{
    const char *const overrides[] = {"count=600", "duration=0.12", pitch};
    carom_simulation_def def = carom_default_simulation_def();
    def.threads = number;
    *sim = NULL;
    carom_status status = carom_model_load(ctx, file, overrides, 3, model);
    if (status == CAROM_OK)
        status = carom_simulation_create(ctx, *model, &def, sim);
    return status;
}

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

/* The checkpoint at the end of a run by so many threads, from a checkpoint or from the start. */
static bytes run_by(int number, const bytes *from, double until, double *contacts)
{
    carom_context *ctx = new_context();
    carom_model *model;
    carom_simulation *sim;
    unsigned char *taken;
    bytes out;
    assert_ok(ctx, make(ctx, number, &model, &sim));
    if (from)
        assert_ok(ctx, carom_simulation_resume(sim, from->data, from->size));
    assert_ok(ctx, carom_simulation_advance(sim, until));
    assert_ok(ctx, carom_simulation_channel(sim, "contact.pour.count", contacts));
    assert_ok(ctx, carom_simulation_checkpoint(sim, &taken, &out.size));
    out.data = malloc(out.size);
    assert_non_null(out.data);
    memcpy(out.data, taken, out.size);
    carom_bytes_free(ctx, taken, out.size);
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
    return out;
}

static void assert_same(const bytes *a, const bytes *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

/* ---- the same bits ---- */

static bytes by_one;

static void test_threads(void **state)
{
    (void)state;
    double contacts = 0;
    by_one = run_by(1, NULL, UNTIL, &contacts);
    for (int k = 1; k < NUMBERS; k++) {
        bytes other = run_by(threads[k], NULL, UNTIL, &contacts);
        assert_same(&other, &by_one);
        free(other.data);
    }
    print_message("600 balls by 1, 2 and 4 threads: %.0f contacts, the same %zu bytes of state\n", contacts,
                  by_one.size);
    assert_true(contacts > 500);
}

/* Balls that fall apart, so that contacts open in steps of one pass. */
static void test_openings(void **state)
{
    (void)state;
    double contacts = 0, before = 0;
    pitch = "pitch=0.0103";
    bytes one = run_by(1, NULL, UNTIL, &before), two = run_by(2, NULL, UNTIL, &contacts);
    assert_same(&two, &one);
    free(one.data);
    free(two.data);
    one = run_by(1, NULL, 2 * UNTIL, &contacts);
    two = run_by(2, NULL, 2 * UNTIL, &contacts);
    pitch = "pitch=0.00998";
    assert_same(&two, &one);
    free(one.data);
    free(two.data);
    print_message("%.0f contacts, then %.0f\n", before, contacts);
    assert_true(contacts > before);
}

/* Of discs poses are made and copied in each step. */
static void test_discs(void **state)
{
    (void)state;
    double contacts = 0;
    file = CAROM_MODELS "/poured_discs.yaml";
    pitch = "pitch=0.0092";
    const bytes one = run_by(1, NULL, UNTIL, &contacts), three = run_by(3, NULL, UNTIL, &contacts);
    file = CAROM_MODELS "/poured_balls.yaml";
    pitch = "pitch=0.00998";
    assert_same(&three, &one);
    free(one.data);
    free(three.data);
    print_message("600 discs: %.0f contacts\n", contacts);
    assert_true(contacts > 10);
}

/* A checkpoint of one number of threads is resumed by another one, and equals that of the others. */
static void test_checkpoints(void **state)
{
    (void)state;
    bytes half[NUMBERS], end[NUMBERS];
    double contacts;
    for (int k = 0; k < NUMBERS; k++) {
        half[k] = run_by(threads[k], NULL, 0.5 * UNTIL, &contacts);
        assert_same(&half[k], &half[0]);
        end[k] = run_by(threads[NUMBERS - 1 - k], &half[k], UNTIL, &contacts);
        assert_same(&end[k], &end[0]);
    }
    for (int k = 0; k < NUMBERS; k++) {
        free(half[k].data);
        free(end[k].data);
    }
}

/* ---- read between two steps ---- */

/* What a function of progress reads of the simulation, which steps leave behind until then unless somebody observes
   them. */
typedef struct reading {
    carom_context *ctx;
    carom_simulation *sim;
    int count;
    double numbers[16][3 + 4 + 6 + 3];
    double *positions[16];
    size_t position_count;
} reading;

static bool read_now(void *user, const carom_progress *progress)
{
    static const char *const channels[] = {"body.ball_77.position", "body.ball_77.orientation",
                                           "body.ball_77.velocity", "body.ball_77.angular_velocity",
                                           "body.ball_77.acceleration"};
    reading *r = user;
    double *at = r->numbers[r->count];
    (void)progress;
    for (size_t k = 0; k < sizeof channels / sizeof *channels; k++) {
        carom_channel_ref channel;
        assert_ok(r->ctx, carom_simulation_find_channel(r->sim, channels[k], &channel));
        assert_ok(r->ctx, carom_simulation_read(r->sim, &channel, at));
        at += channel.size;
    }
    const double *q = carom_simulation_positions(r->sim, &r->position_count);
    r->positions[r->count] = malloc(r->position_count * sizeof *q);
    assert_non_null(r->positions[r->count]);
    memcpy(r->positions[r->count++], q, r->position_count * sizeof *q);
    return true;
}

static carom_status look_on(void *user, carom_simulation *sim)
{
    (void)user;
    (void)sim;
    return CAROM_OK;
}

static void test_reading(void **state)
{
    (void)state;
    static reading by[2];
    for (int k = 0; k < 2; k++) {
        reading *r = &by[k];
        carom_model *model;
        r->ctx = new_context();
        carom_observer observer = carom_default_observer();
        observer.step = look_on;
        assert_ok(r->ctx, make(r->ctx, 2, &model, &r->sim));
        assert_ok(r->ctx, carom_simulation_set_progress(r->sim, read_now, r));
        if (k == 1)
            assert_ok(r->ctx, carom_simulation_observe(r->sim, &observer));
        assert_ok(r->ctx, carom_simulation_advance(r->sim, UNTIL));
        assert_true(r->count >= 4);
        carom_simulation_free(r->sim);
        carom_model_free(model);
        carom_context_free(r->ctx);
    }
    assert_int_equal(by[0].count, by[1].count);
    assert_memory_equal(by[0].numbers, by[1].numbers, sizeof by[0].numbers);
    assert_true(by[0].numbers[0][2] != by[0].numbers[1][2]);
    for (int n = 0; n < by[0].count; n++) {
        assert_memory_equal(by[0].positions[n], by[1].positions[n], by[0].position_count * sizeof(double));
        free(by[0].positions[n]);
        free(by[1].positions[n]);
    }
}

/* ---- simulations at the same time ---- */

static void *run_beside(void *user)
{
    double contacts;
    *(bytes *)user = run_by(4, NULL, UNTIL, &contacts);
    return NULL;
}

static void test_at_the_same_time(void **state)
{
    (void)state;
    pthread_t other;
    bytes beside, own;
    double contacts;
    assert_int_equal(pthread_create(&other, NULL, run_beside, &beside), 0);
    own = run_by(4, NULL, UNTIL, &contacts);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_same(&own, &by_one);
    assert_same(&beside, &by_one);
    free(own.data);
    free(beside.data);
}

/* A child of fork() has none of the threads. */
static void test_behind_fork(void **state)
{
    (void)state;
#ifdef __SANITIZE_THREAD__
    skip(); /* the sanitizer ends a child that makes threads */
#endif
    double contacts;
    int status;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const bytes own = run_by(4, NULL, UNTIL, &contacts);
        _exit(own.size == by_one.size && memcmp(own.data, by_one.data, own.size) == 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* ---- memory ---- */

/* Each of some allocations fails: an error of memory with a text, and nothing is left. */
static void test_allocation_failure(void **state)
{
    (void)state;
    bool injected = true;
    int failures = 0;
    for (size_t n = 1; injected; n += 1 + n / 2) {
        trial_allocator a = {0};
        carom_context *ctx = trial_context(&a);
        carom_model *model = NULL;
        carom_simulation *sim;
        a.calls = 0;
        a.fail_at = n;
        carom_status status = make(ctx, 2 + 2 * (int)(n % 2), &model, &sim);
        if (status == CAROM_OK)
            status = carom_simulation_advance(sim, 0.1 * UNTIL);
        injected = a.calls >= n;
        assert_true(status == CAROM_OK || (status == CAROM_ERROR_MEMORY && injected));
        assert_true(status == CAROM_OK || strlen(carom_context_error(ctx)) > 0);
        failures += status != CAROM_OK;
        carom_simulation_free(sim);
        carom_model_free(model);
        carom_context_free(ctx);
        assert_int_equal(a.blocks, 0);
        assert_int_equal(a.misuses, 0);
    }
    assert_true(failures > 5);
}

static void test_number_is_refused(void **state)
{
    (void)state;
    carom_context *ctx = new_context();
    carom_model *model =
        new_model(ctx, "{carom: 1, dimension: 2, bodies: {ball: {mass: 1, inertia: 1}}, run: {until: 1}}");
    carom_simulation *sim;
    carom_simulation_def def = carom_default_simulation_def();
    def.threads = -1;
    assert_refused(ctx, carom_simulation_create(ctx, model, &def, &sim), CAROM_ERROR_USAGE, "threads");
    carom_model_free(model);
    carom_context_free(ctx);
}

static int forget(void **state)
{
    (void)state;
    free(by_one.data);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),     cmocka_unit_test(test_openings), cmocka_unit_test(test_checkpoints),
        cmocka_unit_test(test_discs),
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_at_the_same_time), cmocka_unit_test(test_behind_fork),
        cmocka_unit_test(test_allocation_failure), cmocka_unit_test(test_number_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}

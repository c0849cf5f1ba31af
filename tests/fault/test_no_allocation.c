/* No allocation in a step: malloc and its relatives are wrapped for the whole program, shared libraries included, and
   the library's own requests are counted by the context's allocator, whose blocks come from a static pool.

   Not part of a step, and told apart: the list of ended impacts and the list of warnings grow by the context's
   allocator when an impact ends or a warning is first given. Chunks of a run in which the counts of both stay the same
   allow no request at all; the others allow requests of the context's allocator, as many as the growths by doubling
   that the counts explain, and none of malloc. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "carom_test.h"

#include <dlfcn.h>

#include "base/base.h"
#include "support/trial.h"

#if defined(__SANITIZE_ADDRESS__)

static void test_skipped(void **state)
{
    (void)state;
    print_message("AddressSanitizer owns malloc: allocations in steps are counted in the other builds\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_skipped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

/* ---- malloc and its relatives ---- */

static volatile bool counting;
static volatile size_t calls;

/* Memory for the time in which dlsym() itself asks for some [bytes]. */
static union {
    char bytes[65536];
    max_align_t align;
} early;
static size_t early_used;

static void *early_allocate(size_t size)
{
    size_t rounded = (size + 15) & ~(size_t)15;
    if (early_used + rounded > sizeof early.bytes)
        return NULL;
    void *block = early.bytes + early_used;
    early_used += rounded;
    return block;
}

static bool is_early(const void *block)
{
    return (uintptr_t)block >= (uintptr_t)early.bytes && (uintptr_t)block < (uintptr_t)early.bytes + sizeof early.bytes;
}

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    void *(*aligned_alloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
    bool ready, resolving;
} real;

/* Address of the next definition of a symbol; ISO C has no cast from void * to a function. */
static void find(const char *name, void *function)
{
    void *address = dlsym(RTLD_NEXT, name);
    memcpy(function, &address, sizeof address);
}

static bool resolve(void)
{
    if (real.ready || real.resolving)
        return real.ready;
    real.resolving = true;
    find("malloc", &real.malloc);
    find("calloc", &real.calloc);
    find("realloc", &real.realloc);
    find("free", &real.free);
    find("aligned_alloc", &real.aligned_alloc);
    find("posix_memalign", &real.posix_memalign);
    real.ready = true;
    return true;
}

static void count(void)
{
    if (counting)
        calls++;
}

void *malloc(size_t size)
{
    count();
    return resolve() ? real.malloc(size) : early_allocate(size);
}

void *calloc(size_t number, size_t size)
{
    count();
    return resolve() ? real.calloc(number, size) : early_allocate(number * size);
}

void *realloc(void *block, size_t size)
{
    count();
    if (resolve() && !is_early(block))
        return real.realloc(block, size);
    void *other = malloc(size);
    if (other && block)
        memcpy(other, block, size < (size_t)(early.bytes + sizeof early.bytes - (char *)block)
                                 ? size
                                 : (size_t)(early.bytes + sizeof early.bytes - (char *)block));
    return other;
}

void free(void *block)
{
    if (block)
        count();
    if (!is_early(block) && resolve())
        real.free(block);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    count();
    return resolve() ? real.aligned_alloc(alignment, size) : NULL;
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    count();
    return resolve() ? real.posix_memalign(out, alignment, size) : 12;
}

/* ---- the context's allocator, on a pool of its own ---- */

#define POOL_SIZE ((size_t)64 << 20)
static unsigned char *pool;
static size_t pool_used, pool_calls;

static void *pool_allocate(void *user, size_t size)
{
    (void)user;
    pool_calls++;
    size_t rounded = (size + 15) & ~(size_t)15;
    if (pool_used + rounded > POOL_SIZE)
        return NULL;
    void *block = pool + pool_used;
    pool_used += rounded;
    return block;
}

static void pool_release(void *user, void *block, size_t size)
{
    (void)user;
    (void)block;
    (void)size;
    pool_calls++;
}

/* ---- runs ---- */

#define STEPS 1000
#define CHUNKS 400

static size_t impacts_of(carom_simulation *sim)
{
    size_t impacts;
    carom_simulation_impacts(sim, &impacts);
    return impacts;
}

static size_t warnings_of(const carom_simulation *sim)
{
    size_t warnings;
    carom_simulation_warnings(sim, &warnings);
    return warnings;
}

/* Times a list that starts at 8 and doubles grows between two counts. */
static size_t growths(size_t before, size_t after)
{
    size_t times = before == 0 && after > 0, capacity = 8;
    while (capacity < after) {
        times += capacity >= before;
        capacity *= 2;
    }
    return times;
}

static size_t fired_of(carom_simulation *sim)
{
    size_t count;
    carom_simulation_fired_events(sim, &count);
    return count;
}

/* One chunk; returns its steps. */
static uint64_t advance_counted(carom_simulation *sim, double time, const char *what)
{
    size_t impacts = impacts_of(sim), warnings = warnings_of(sim), fired = fired_of(sim);
    uint64_t steps = carom_simulation_statistics(sim).steps;
    calls = pool_calls = 0;
    counting = true;
    carom_status status = carom_simulation_advance(sim, time);
    counting = false;
    assert_int_equal(status, CAROM_OK);
    /* a growth is a request and a release; a warning also keeps its text, at most one chunk of an arena */
    size_t new_warnings = warnings_of(sim) - warnings;
    size_t allowed = 2 * growths(impacts, impacts_of(sim)) + 2 * growths(warnings, warnings + new_warnings) +
                     new_warnings + 2 * growths(fired, fired_of(sim));
    if (calls || pool_calls > allowed)
        fail_msg(
            "%s: %zu calls of malloc and %zu of the context's allocator, of which %zu are explained, until t = %g s",
            what, (size_t)calls, pool_calls, allowed, time);
    return carom_simulation_statistics(sim).steps - steps;
}

/* A controller that pushes a body, and an observer: neither makes a step allocate. */
static carom_status push(void *user, carom_simulation *sim, double time)
{
    const double force[3] = {time > 0 ? 1e-4 : -1e-4, 0, 0};
    (void)user;
    carom_status status = carom_simulation_clear_forces(sim);
    return status == CAROM_OK ? carom_simulation_apply_force(sim, 0, force, NULL, CAROM_AXES_BODY) : status;
}

static carom_status see_step(void *user, carom_simulation *sim)
{
    (void)sim;
    ++*(size_t *)user;
    return CAROM_OK;
}

static bool controlled;
static size_t seen;

/* Runs a trial, each time after a warm-up of a twentieth of it, until `STEPS` steps are made. */
static void run_counted(const trial *s, const char *integrator, const char *constraints)
{
    char what[128];
    snprintf(what, sizeof what, "%s, %s, %s", s->name, integrator, constraints ? constraints : "default constraints");
    pool_used = 0;
    carom_context_def def = carom_default_context_def();
    def.allocator = (carom_allocator){pool_allocate, pool_release, NULL};
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(&def, &ctx), CAROM_OK);
    carom_model *model;
    if (trial_compile(ctx, s, integrator, constraints, &model) != CAROM_OK)
        fail_msg("%s: %s", what, carom_context_error(ctx));
    uint64_t steps = 0;
    size_t impacts = 0, rounds = 0;
    while (steps < STEPS) {
        carom_simulation *sim;
        assert_int_equal(carom_simulation_create(ctx, model, NULL, &sim), CAROM_OK);
        if (controlled) {
            const carom_observer observer = {.size = sizeof observer, .user = &seen, .step = see_step};
            const carom_control control = {.size = sizeof control, .period = s->until / 211, .function = push};
            assert_int_equal(carom_simulation_observe(sim, &observer), CAROM_OK);
            assert_int_equal(carom_simulation_set_control(sim, &control), CAROM_OK);
        }
        double begin = 0.05 * s->until;
        assert_int_equal(carom_simulation_advance(sim, begin), CAROM_OK);
        for (int k = 1; k <= CHUNKS; k++)
            steps += advance_counted(sim, k < CHUNKS ? begin + (s->until - begin) * k / CHUNKS : s->until, what);
        impacts += impacts_of(sim);
        carom_simulation_free(sim);
        assert_true(++rounds < 50);
    }
    print_message("%-60s %6llu steps, %3zu impacts\n", what, (unsigned long long)steps, impacts);
    carom_model_free(model);
    carom_context_free(ctx);
}

static void run_all_integrators(const trial *s)
{
    for (size_t k = 0; k < CAROM_COUNT(trial_integrators); k++)
        run_counted(s, trial_integrators[k], NULL);
}

static void test_slider_crank_block(void **state)
{
    (void)state;
    run_all_integrators(&trial_block);
    run_counted(&trial_block, "bdf", "projection");
    run_counted(&trial_block, "dopri5", "projection");
}

static void test_spinning_top(void **state)
{
    (void)state;
    run_all_integrators(&trial_top);
    run_counted(&trial_top, "rk4", "projection");
}

static void test_redundant_rows(void **state)
{
    (void)state;
    run_all_integrators(&trial_redundant);
    run_counted(&trial_redundant, "bdf", "projection");
    run_counted(&trial_redundant, "auto", "ggl");
}

static void test_long_chain(void **state)
{
    (void)state;
    static char text[16384];
    trial chain = {"chain of 31 bars", trial_chain_text(31, text, sizeof text), 0.2, 1e-4, 1e-2};
    run_all_integrators(&chain);
    run_counted(&chain, "dopri5", "projection");
}

static void test_bouncing_balls(void **state)
{
    (void)state;
    run_all_integrators(&trial_balls);
    run_all_integrators(&trial_balls_3d);
    run_all_integrators(&trial_rubbing);
    trial rattle = trial_balls;
    rattle.name = "balls, a long run";
    rattle.until = 3;
    run_counted(&rattle, "adams", NULL);
}

static void test_loads_and_motions(void **state)
{
    (void)state;
    run_all_integrators(&trial_loads);
    run_all_integrators(&trial_driven);
    run_all_integrators(&trial_pins);
}

static void test_states_and_events(void **state)
{
    (void)state;
    run_all_integrators(&trial_events);
    run_all_integrators(&trial_drives);
}

static void test_callbacks(void **state)
{
    (void)state;
    controlled = true;
    run_all_integrators(&trial_block);
    run_all_integrators(&trial_balls);
    controlled = false;
    assert_true(seen > 0);
}

/* Loops that threads share ask malloc for nothing; the list of open contacts may grow by the context's allocator. */
static void test_threads(void **state)
{
    (void)state;
    static const char *const overrides[] = {"count=600", "duration=0.12", "pitch=0.00998"};
    for (int threads = 2; threads <= 4; threads += 2) {
        carom_context *ctx = NULL;
        carom_model *model;
        carom_simulation *sim;
        carom_simulation_def def = carom_default_simulation_def();
        carom_context_def pooled = carom_default_context_def();
        pool_used = 0;
        pooled.allocator = (carom_allocator){pool_allocate, pool_release, NULL};
        assert_int_equal(carom_context_create(&pooled, &ctx), CAROM_OK);
        def.threads = threads;
        assert_ok(ctx, carom_model_load(ctx, CAROM_MODELS "/poured_balls.yaml", overrides, 3, &model));
        assert_ok(ctx, carom_simulation_create(ctx, model, &def, &sim));
        calls = 0;
        counting = true;
        const carom_status status = carom_simulation_advance(sim, 0.003);
        counting = false;
        assert_ok(ctx, status);
        assert_int_equal(calls, 0);
        carom_simulation_free(sim);
        carom_model_free(model);
        carom_context_free(ctx);
    }
}

/* The wrapper itself: calls in the program and in a shared library are seen. */
static void test_wrapper_counts(void **state)
{
    (void)state;
    calls = 0;
    counting = true;
    void *volatile block = malloc(10); /* volatile: the compiler leaves none out */
    free(block);
    char *volatile copy = strdup("a library call");
    counting = false;
    free(copy);
    assert_true(calls >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrapper_counts),     cmocka_unit_test(test_slider_crank_block),
        cmocka_unit_test(test_spinning_top),       cmocka_unit_test(test_redundant_rows),
        cmocka_unit_test(test_long_chain),         cmocka_unit_test(test_bouncing_balls),
        cmocka_unit_test(test_loads_and_motions),  cmocka_unit_test(test_states_and_events),
        cmocka_unit_test(test_callbacks),          cmocka_unit_test(test_threads),
    };
    static unsigned char memory[POOL_SIZE];
    pool = memory;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif

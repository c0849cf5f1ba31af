/* Loops of contact sets that threads share: the same bits by one, two and four, and nothing that the thread sanitizer
   sees. */
#include "carom_test.h"

#include <stdlib.h>

#ifndef CAROM_MODELS
#define CAROM_MODELS "models"
#endif

/* The checkpoint after a time, by so many threads. */
static void run_by(int threads, double time, unsigned char **bytes, size_t *size, double *contacts)
{
    static const char *const overrides[] = {"count=600", "duration=0.12", "pitch=0.00998"};
    carom_context *ctx = new_context();
    carom_model *model;
    carom_simulation *sim;
    carom_simulation_def def = carom_default_simulation_def();
    def.threads = threads;
    assert_ok(ctx, carom_model_load(ctx, CAROM_MODELS "/poured_balls.yaml", overrides, 3, &model));
    assert_ok(ctx, carom_simulation_create(ctx, model, &def, &sim));
    assert_ok(ctx, carom_simulation_advance(sim, time));
    assert_ok(ctx, carom_simulation_channel(sim, "contact.pour.count", contacts));
    assert_ok(ctx, carom_simulation_checkpoint(sim, bytes, size));
    unsigned char *own = malloc(*size);
    assert_non_null(own);
    memcpy(own, *bytes, *size);
    carom_bytes_free(ctx, *bytes, *size);
    *bytes = own;
    carom_simulation_free(sim);
    carom_model_free(model);
    carom_context_free(ctx);
}

/* No bit of a state depends on how many threads share the loops. */
static void test_threads(void **state)
{
    static const int threads[] = {1, 2, 4};
    unsigned char *bytes[3];
    size_t size[3];
    double contacts[3];
    (void)state;
    for (int k = 0; k < 3; k++) {
        run_by(threads[k], 0.003, &bytes[k], &size[k], &contacts[k]);
        assert_int_equal(size[k], size[0]);
        assert_memory_equal(bytes[k], bytes[0], size[0]);
    }
    print_message("600 balls by 1, 2 and 4 threads: %.0f contacts, the same %zu bytes of state\n", contacts[0],
                  size[0]);
    assert_true(contacts[0] > 500);
    for (int k = 0; k < 3; k++)
        free(bytes[k]);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

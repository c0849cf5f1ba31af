/* Memory does not grow with the length of a run, but by the impacts that it lists: neither that of a simulation, nor
   that of a writer of results and of HDF5 below it. */
#include "carom_test.h"

#include <malloc.h>
#include <math.h>

#include "carom/io.h"
#include "support/trial.h"

static const trial swing = {"pendulum",
                            "carom: 1\n"
                            "dimension: 2\n"
                            "gravity: [0, -9.81]\n"
                            "bodies: {m: {mass: 1, inertia: 0.1, at: [1, 0]}}\n"
                            "joints: {pin: {type: revolute, between: [ground, {m: [-1, 0]}]}}\n"
                            "loads: {wind: {type: force, on: m, force: ['if(sin(20*t) > 0, 1, -1)', 0]}}\n"
                            "run: {until: 1}\n",
                            1000, 1e-3, 1e-2};

static carom_status take_nothing(void *user, int group, size_t rows, const double *time, const double *data)
{
    (void)group;
    (void)time;
    (void)data;
    *(size_t *)user += rows;
    return CAROM_OK;
}

static void test_simulation(void **state)
{
    (void)state;
    for (int recorded = 0; recorded < 2; recorded++) {
        trial_allocator allocator = {.blocks = 0};
        carom_context *ctx = trial_context(&allocator);
        carom_model *model;
        carom_simulation *sim;
        size_t rows = 0;
        carom_sink sink = carom_default_sink();
        sink.user = &rows;
        sink.rows = take_nothing;
        carom_simulation_def def = carom_default_simulation_def();
        def.sink = recorded ? &sink : NULL;
        assert_ok(ctx, trial_compile(ctx, &swing, "rk4", NULL, &model));
        assert_ok(ctx, carom_simulation_create(ctx, model, &def, &sim));
        assert_ok(ctx, carom_simulation_set_points(sim, 100, NULL, NULL));
        assert_ok(ctx, carom_simulation_advance(sim, 1));
        const size_t bytes = allocator.bytes, blocks = allocator.blocks;
        assert_ok(ctx, carom_simulation_advance(sim, 30));
        assert_true(carom_simulation_statistics(sim).steps >= 30000);
        assert_int_equal(allocator.bytes, bytes);
        assert_int_equal(allocator.blocks, blocks);
        assert_true(!recorded || rows >= 2048);
        carom_simulation_free(sim);
        carom_model_free(model);
        carom_context_free(ctx);
    }
}

#define BLOCK 1024

/* HDF5 keeps of each column a part of the index of its chunks, within the limits of its cache. */
#define MOST_GROWTH (256 << 10)

static void test_writer(void **state)
{
    (void)state;
    static double time[BLOCK], data[BLOCK][3];
    static const char *const axes[] = {"x", "y", "z"};
    const carom_channel channels[] = {
        {.name = "a", .unit = "m", .description = "a", .components = axes, .size = 3, .group = 0}};
    carom_context *ctx = new_context();
    carom_writer_def def = carom_default_writer_def();
    def.path = "long.h5";
    def.model_name = "long";
    def.channels = channels;
    def.channel_count = 1;
    def.block_rows[0] = BLOCK;
    carom_writer *writer;
    assert_ok(ctx, carom_writer_create(ctx, &def, &writer));
    const carom_sink *sink = carom_writer_sink(writer);
    size_t used = 0;
    for (size_t block = 0; block < 1000; block++) {
        for (size_t k = 0; k < BLOCK; k++) {
            time[k] = 1e-3 * (double)(block * BLOCK + k);
            data[k][0] = data[k][1] = data[k][2] = floor(time[k]);
        }
        assert_ok(ctx, sink->rows(sink->user, 0, BLOCK, time, &data[0][0]));
        if (block == 99)
            used = mallinfo2().uordblks;
    }
    const size_t grown = mallinfo2().uordblks - used;
    print_message("100 blocks: %zu bytes, 1000: %zu more\n", used, grown);
    assert_true(mallinfo2().uordblks <= used || grown <= MOST_GROWTH);
    assert_ok(ctx, carom_writer_close(writer, NULL, NULL));
    carom_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_simulation), cmocka_unit_test(test_writer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

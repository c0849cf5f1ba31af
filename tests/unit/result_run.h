/* What the tests of results share: an allocator that counts and can fail, and a run to write and compare. */
#ifndef CAROM_TEST_RESULT_H
#define CAROM_TEST_RESULT_H

#include "carom_test.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>
#include <hdf5.h>

#include "base/base.h"
#include "carom/io.h"
#include "support/channel.h"

#define FILE_A "result_a.h5"
#define FILE_B "result_b.h5"

/* ---- an allocator that counts and can fail ---- */

typedef struct counting_allocator {
    size_t blocks, bytes, calls;
    size_t fail_at;             /* this call and all later ones return NULL; 0: none */
} counting_allocator;

static inline void *count_allocate(void *user, size_t size)
{
    counting_allocator *a = user;
    if (++a->calls >= a->fail_at && a->fail_at)
        return NULL;
    void *block = malloc(size);
    if (block) {
        a->blocks++;
        a->bytes += size;
    }
    return block;
}

static inline void count_release(void *user, void *block, size_t size)
{
    counting_allocator *a = user;
    a->blocks--;
    a->bytes -= size;
    free(block);
}

static inline carom_context *make_context(counting_allocator *a)
{
    carom_context_def def = carom_default_context_def();
    def.allocator = (carom_allocator){count_allocate, count_release, a};
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(&def, &ctx), CAROM_OK);
    return ctx;
}

static inline bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* ---- a run to record ---- */

static const char *const xyz[] = {"x", "y", "z"};
static const carom_channel channels[] = {
    CHANNEL("body.slider.position", "m", "Position of the centre of mass.", 3, xyz, 0),
    CHANNEL("contact.hit.force", "N", "Normal force.", 1, NULL, 1),
    CHANNEL("joint.pin.reaction", "N", "Reaction of the joint.", 3, xyz, 0),
    CHANNEL("body.slider.angle", "rad", "Angle.", 1, NULL, 0),
    CHANNEL("contact.hit/left.point", "m", "Point of contact.", 3, xyz, 1),
    CHANNEL("contact.hit.total_force", "N", "Force on the second body.", 1, NULL, 2),
};
enum { WIDTH_0 = 7, WIDTH_1 = 4, WIDTH_2 = 1 };

static inline carom_writer_def make_def(const char *path)
{
    return (carom_writer_def){.size = sizeof(carom_writer_def), .path = path,
                              .model_name = "slider_crank",
                              .title = "Slider–crank with clearance",
                              .model_text = "model: slider_crank\nbodies: []\n",
                              .options = "integrator adams, tolerance 1e-8",
                              .channels = channels,
                              .channel_count = CAROM_COUNT(channels)};
}

/* Number in column `column` of row `row`, with special values among them. */
static inline double value_at(int group, size_t row, size_t column)
{
    if (row == 3 && column == 1)
        return (double)NAN;
    if (row == 4)
        return column ? -0.0 : HUGE_VAL;
    if (row == 5)
        return 4.9406564584124654e-324;
    return sin((double)(row + 1) * 0.1 + (double)column + 100.0 * group) * exp((double)column);
}

static inline double time_at(int group, size_t row) { return (double)row * (group ? 1e-6 / 3 : 1e-3 / 7); }

static inline void send(const carom_sink *sink, int group, size_t first, size_t rows)
{
    size_t width = group == 2 ? WIDTH_2 : group ? WIDTH_1 : WIDTH_0;
    double *time = test_malloc((rows + 1) * sizeof *time), *data = test_malloc((rows * width + 1) * sizeof *data);
    for (size_t k = 0; k < rows; k++) {
        time[k] = time_at(group, first + k);
        for (size_t i = 0; i < width; i++)
            data[k * width + i] = value_at(group, first + k, i);
    }
    assert_int_equal(sink->rows(sink->user, group, rows, time, data), CAROM_OK);
    test_free(time);
    test_free(data);
}

static inline carom_impact impact_at(size_t k)
{
    return (carom_impact){.contact = k % 2 ? "hit" : "Prüfung", .contact_index = k % 2, .onset = 1e-3 * (double)k / 3,
                          .duration = 7e-5, .v_in = 0.3 + (double)k, .v_out = 0.2, .e_asked = k % 2 ? 0.7 : (double)NAN,
                          .e_got = 0.69, .peak_force = 1234.5 + (double)(k * 7919 % 1009), .max_indentation = 1e-5,
                          .impulse = 0.01, .force_duration = 6e-5, .energy_lost = 1e-3, .cutoff_loss = 1e-4,
                          .switch_term = -5e-5, .friction_lost = 2e-4,
                          .mass = k % 3 ? 0.046 : HUGE_VAL};
}

static const carom_ledger ledger = {1, 2, -3, 4, 5, 6, 7, 0.5, 0.25, 0.125, 8, 1e-9, 3e-10};

static inline void write_run(carom_context *ctx, const char *path, size_t rows_0, size_t rows_1, size_t impacts)
{
    carom_writer_def def = make_def(path);
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    const carom_sink *sink = carom_writer_sink(writer);
    for (size_t first = 0; first < rows_0; first += 100)
        send(sink, 0, first, rows_0 - first < 100 ? rows_0 - first : 100);
    send(sink, 1, 0, rows_1);
    send(sink, 2, 0, 300);
    char cut[1100] = "";                /* in the middle of a character */
    for (size_t k = 0; k + 1 < sizeof cut - 1; k += 2)
        memcpy(cut + k, "\xC3\xBC", 3);
    assert_int_equal(carom_writer_warn(writer, "contact 'hit': faster than the law allows"), CAROM_OK);
    assert_int_equal(carom_writer_warn(writer, cut), CAROM_OK);
    for (size_t k = 0; k < impacts; k++) {
        carom_impact impact = impact_at(k);
        assert_int_equal(sink->impact(sink->user, &impact), CAROM_OK);
    }
    assert_int_equal(carom_writer_close(writer, &ledger, "completed"), CAROM_OK);
}

static inline bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static inline void check_column(carom_result *result, const char *name, int group, size_t column, size_t rows,
                         const char *unit)
{
    size_t got;
    const double *time, *values;
    const char *got_unit;
    assert_int_equal(carom_result_column(result, name, &got, &time, &values, &got_unit), CAROM_OK);
    assert_int_equal(got, rows);
    assert_string_equal(got_unit, unit);
    for (size_t k = 0; k < rows; k++) {
        assert_true(same(time[k], time_at(group, k)));
        assert_true(same(values[k], value_at(group, k, column)));
    }
}

#endif

/* Results: written and read back bit for bit, killed writers, full disks, wrong files, equal runs, failing memory, CSV. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE     /* syscall() */
#endif
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <hdf5.h>
#include "base/base.h"
#include "carom/result.h"

#define FILE_A "result_a.h5"
#define FILE_B "result_b.h5"

/* ---- an allocator that counts and can fail ---- */

typedef struct counting_allocator {
    size_t blocks, bytes, calls;
    size_t fail_at;             /* this call and all later ones return NULL; 0: none */
} counting_allocator;

static void *count_allocate(void *user, size_t size)
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

static void count_release(void *user, void *block, size_t size)
{
    counting_allocator *a = user;
    a->blocks--;
    a->bytes -= size;
    free(block);
}

static carom_context *make_context(counting_allocator *a)
{
    carom_context_def def = carom_default_context_def();
    def.allocator = (carom_allocator){count_allocate, count_release, a};
    carom_context *ctx = NULL;
    assert_int_equal(carom_context_create(&def, &ctx), CAROM_OK);
    return ctx;
}

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* ---- a run to record ---- */

static const char *const xyz[] = {"x", "y", "z"};
static const carom_channel channels[] = {
    {"body.slider.position", "m", "Position of the centre of mass.", 3, xyz, 0},
    {"contact.hit.force", "N", "Normal force.", 1, NULL, 1},
    {"joint.pin.reaction", "N", "Reaction of the joint.", 3, xyz, 0},
    {"body.slider.angle", "rad", "Angle.", 1, NULL, 0},
    {"contact.hit/left.point", "m", "Point of contact.", 3, xyz, 1},
};
enum { WIDTH_0 = 7, WIDTH_1 = 4 };

static carom_writer_def make_def(const char *path)
{
    return (carom_writer_def){.path = path,
                              .model_name = "slider_crank",
                              .title = "Slider–crank with clearance",
                              .model_text = "model: slider_crank\nbodies: []\n",
                              .options = "integrator adams, tolerance 1e-8",
                              .channels = channels,
                              .channel_count = CAROM_COUNT(channels)};
}

/* Number in column `column` of row `row`, with special values among them. */
static double value_at(int group, size_t row, size_t column)
{
    if (row == 3 && column == 1)
        return (double)NAN;
    if (row == 4)
        return column ? -0.0 : HUGE_VAL;
    if (row == 5)
        return 4.9406564584124654e-324;
    return sin((double)(row + 1) * 0.1 + (double)column + 100.0 * group) * exp((double)column);
}

static double time_at(int group, size_t row) { return (double)row * (group ? 1e-6 / 3 : 1e-3 / 7); }

static void send(const carom_sink *sink, int group, size_t first, size_t rows)
{
    size_t width = group ? WIDTH_1 : WIDTH_0;
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

static carom_impact impact_at(size_t k)
{
    return (carom_impact){.contact = k % 2 ? "hit" : "Prüfung", .contact_index = k % 2, .onset = 1e-3 * (double)k / 3,
                          .duration = 7e-5, .v_in = 0.3 + (double)k, .v_out = 0.2, .e_asked = k % 2 ? 0.7 : (double)NAN,
                          .e_got = 0.69, .peak_force = 1234.5, .max_indentation = 1e-5, .impulse = 0.01,
                          .energy_lost = 1e-3, .mass = k % 3 ? 0.046 : HUGE_VAL};
}

static const carom_ledger ledger = {1, 2, -3, 4, 5, 6, 7, 8, 1e-9, 3e-10};

static void write_run(carom_context *ctx, const char *path, size_t rows_0, size_t rows_1, size_t impacts)
{
    carom_writer_def def = make_def(path);
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    const carom_sink *sink = carom_writer_sink(writer);
    for (size_t first = 0; first < rows_0; first += 100)
        send(sink, 0, first, rows_0 - first < 100 ? rows_0 - first : 100);
    send(sink, 1, 0, rows_1);
    for (size_t k = 0; k < impacts; k++) {
        carom_impact impact = impact_at(k);
        assert_int_equal(sink->impact(sink->user, &impact), CAROM_OK);
    }
    assert_int_equal(carom_writer_close(writer, &ledger, "completed"), CAROM_OK);
}

static bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static void check_column(carom_result *result, const char *name, int group, size_t column, size_t rows,
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

/* ---- tests ---- */

static void test_round_trip(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    size_t before = a.bytes;
    write_run(ctx, FILE_A, 1030, 700, 130);
    assert_int_equal(a.bytes, before);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    assert_string_equal(carom_result_model_name(result), "slider_crank");
    assert_string_equal(carom_result_title(result), "Slider–crank with clearance");
    assert_string_equal(carom_result_model_text(result), "model: slider_crank\nbodies: []\n");
    assert_string_equal(carom_result_options(result), "integrator adams, tolerance 1e-8");
    assert_string_equal(carom_result_version(result), carom_version());
    assert_true(strlen(carom_result_host(result)) > 0);
    assert_string_equal(carom_result_status(result), "completed");
    size_t count;
    const carom_channel *list = carom_result_channels(result, &count);
    assert_int_equal(count, CAROM_COUNT(channels));
    for (size_t k = 0; k < count; k++) {
        assert_string_equal(list[k].name, channels[k].name);
        assert_string_equal(list[k].unit, channels[k].unit);
        assert_string_equal(list[k].sentence, channels[k].sentence);
        assert_int_equal(list[k].size, channels[k].size);
        assert_int_equal(list[k].group, channels[k].group);
        assert_true(!list[k].components == !channels[k].components);
        for (int i = 0; list[k].components && i < list[k].size; i++)
            assert_string_equal(list[k].components[i], xyz[i]);
    }
    check_column(result, "body.slider.position.x", 0, 0, 1030, "m");
    check_column(result, "body.slider.position.z", 0, 2, 1030, "m");
    check_column(result, "joint.pin.reaction.y", 0, 4, 1030, "N");
    check_column(result, "body.slider.angle", 0, 6, 1030, "rad");
    check_column(result, "contact.hit.force", 1, 0, 700, "N");
    check_column(result, "contact.hit/left.point.z", 1, 3, 700, "m");
    carom_ledger got;
    assert_true(carom_result_ledger(result, &got));
    assert_memory_equal(&got, &ledger, sizeof got);
    const carom_impact *impacts = carom_result_impacts(result, &count);
    assert_int_equal(count, 130);
    for (size_t k = 0; k < count; k++) {
        carom_impact want = impact_at(k);
        assert_string_equal(impacts[k].contact, want.contact);
        assert_int_equal(impacts[k].contact_index, want.contact_index);
        assert_memory_equal(&impacts[k].onset, &want.onset, sizeof want - offsetof(carom_impact, onset));
    }
    carom_result_close(result);
    carom_context_destroy(ctx);
    assert_int_equal(a.blocks, 0);
    assert_int_equal(a.bytes, 0);
}

static void test_empty_run(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_writer_def def = {.path = FILE_A};
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    assert_int_equal(carom_writer_close(writer, NULL, "failed"), CAROM_OK);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    assert_string_equal(carom_result_status(result), "failed");
    assert_string_equal(carom_result_title(result), "");
    carom_ledger got;
    assert_false(carom_result_ledger(result, &got));
    size_t count = 7;
    carom_result_impacts(result, &count);
    assert_int_equal(count, 0);
    const double *time, *values;
    const char *unit;
    assert_int_equal(carom_result_column(result, "time", &count, &time, &values, &unit), CAROM_OK);
    assert_int_equal(count, 0);
    assert_int_equal(carom_result_column(result, "x", &count, &time, &values, &unit), CAROM_ERROR_USAGE);
    carom_result_close(result);
    assert_int_equal(carom_writer_close(NULL, NULL, NULL), CAROM_OK);
    carom_result_close(NULL);
    carom_context_destroy(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_large_model_text(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    size_t length = 300000;
    char *text = test_malloc(length + 1);
    memset(text, '#', length);
    text[length] = '\0';
    carom_writer_def def = make_def(FILE_A);
    def.model_text = text;
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    assert_int_equal(carom_writer_close(writer, &ledger, "interrupted"), CAROM_OK);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    assert_string_equal(carom_result_model_text(result), text);
    assert_string_equal(carom_result_status(result), "interrupted");
    carom_result_close(result);
    test_free(text);
    carom_context_destroy(ctx);
}

static void test_impacts_are_sorted_and_names_cut(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_writer_def def = {.path = FILE_A, .model_name = "m"};
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    const carom_sink *sink = carom_writer_sink(writer);
    char name[80] = "";
    memset(name, 'a', 62);
    strcpy(name + 62, "ü and more");    /* its two bytes would be bytes 63 and 64 */
    carom_impact late = impact_at(9), early = impact_at(1);
    early.contact = name;
    assert_int_equal(sink->impact(sink->user, &late), CAROM_OK);
    assert_int_equal(sink->impact(sink->user, &early), CAROM_OK);
    assert_int_equal(carom_writer_close(writer, NULL, NULL), CAROM_OK);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    size_t count;
    const carom_impact *impacts = carom_result_impacts(result, &count);
    assert_int_equal(count, 2);
    assert_true(impacts[0].onset == early.onset && impacts[1].onset == late.onset);
    name[62] = '\0';
    assert_string_equal(impacts[0].contact, name);
    carom_result_close(result);
    carom_context_destroy(ctx);
}

static void test_wrong_names(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    write_run(ctx, FILE_A, 10, 10, 0);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    static const struct { const char *name, *says; } wrong[] = {
        {"body.slidr.position.x", "did you mean 'body.slider.position.x'?"},
        {"body.slider.position", "components x, y, z; name one, as in 'body.slider.position.x'"},
        {"body.slider.position.w", "did you mean 'body.slider.position.x'?"},
        {"nothing at all like that one", "no channel 'nothing at all like that one'; it has 5 channels"},
        {"", "no channel ''"},
    };
    for (size_t k = 0; k < CAROM_COUNT(wrong); k++) {
        size_t rows;
        const double *time, *values;
        const char *unit;
        assert_int_equal(carom_result_column(result, wrong[k].name, &rows, &time, &values, &unit), CAROM_ERROR_USAGE);
        assert_non_null(strstr(carom_context_error(ctx), wrong[k].says));
        assert_non_null(strstr(carom_context_error(ctx), FILE_A));
    }
    carom_result_close(result);
    carom_context_destroy(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_wrong_definitions(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    static const char *const blank[] = {"x y"};
    static const carom_channel wrong[] = {
        {"", "m", "", 1, NULL, 0},     {"a", "m", "", 1, NULL, 2},  {"time", "s", "", 1, NULL, 1},
        {"a", "m", "", 3, NULL, 0},    {"a", "m", "", 0, NULL, 0},  {"a", "m", "", 1, blank, 0},
    };
    unlink(FILE_B);
    carom_writer *writer = NULL;
    for (size_t k = 0; k < CAROM_COUNT(wrong); k++) {
        carom_writer_def def = {.path = FILE_B, .channels = &wrong[k], .channel_count = 1};
        assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_ERROR_USAGE);
        assert_null(writer);
        assert_false(exists(FILE_B));
    }
    carom_writer_def def = {.path = ""};
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_ERROR_USAGE);
    /* two channels of one name leave no file */
    const carom_channel twice[] = {{"a", "m", "", 1, NULL, 0}, {"a", "m", "", 1, NULL, 0}};
    def = (carom_writer_def){.path = FILE_B, .channels = twice, .channel_count = 2};
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_ERROR_IO);
    assert_non_null(strstr(carom_context_error(ctx), "channel 'a'"));
    assert_false(exists(FILE_B));
    carom_context_destroy(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_unwritable_paths(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    static const struct { const char *path, *says; } wrong[] = {
        {"no/such/folder/result.h5", "No such file or directory; make the folder first"},
        {".", "is not an ordinary file"},
        {"/dev/null", "is not an ordinary file"},
    };
    for (size_t k = 0; k < CAROM_COUNT(wrong); k++) {
        carom_writer_def def = make_def(wrong[k].path);
        carom_writer *writer = (carom_writer *)&a;
        assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_ERROR_IO);
        assert_null(writer);
        if (!strstr(carom_context_error(ctx), wrong[k].says))
            fail_msg("%s", carom_context_error(ctx));
        assert_ptr_equal(strstr(carom_context_error(ctx), wrong[k].path), carom_context_error(ctx));
    }
    assert_false(exists("no"));
    assert_true(exists("/dev/null"));
    carom_context_destroy(ctx);
    assert_int_equal(a.bytes, 0);
}

/* Runs `body` in a child; returns its wait status. */
static int in_child(void (*body)(void))
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        body();
        _exit(0);
    }
    int status = 0;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static off_t disk_size;         /* files with a name cannot grow beyond it [bytes]; 0: no limit */
static bool disk_lies;          /* room can be reserved that is not there */
static off_t room, written;     /* largest end of what was reserved and of what was written [bytes] */

/* These two stand before the C library's functions, which the writer and HDF5 call. */
int posix_fallocate(int file, off_t offset, off_t count)
{
    if (disk_size && !disk_lies && offset + count > disk_size)
        return ENOSPC;
    if (offset + count > room)
        room = offset + count;
    return syscall(SYS_fallocate, file, 0, offset, count) == 0 ? 0 : errno;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset)
{
    struct stat info;
    bool named = fstat(file, &info) == 0 && info.st_nlink > 0;
    if (named && offset + (off_t)count > written)
        written = offset + (off_t)count;
    if (disk_size && named && offset + (off_t)count > disk_size) {
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_pwrite64, file, bytes, count, offset);
}

/* Fills a disk of `size` bytes: the run fails with remedy and the file keeps the rows of the blocks before. */
static void fill_the_disk(off_t size)
{
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_writer_def def = make_def(FILE_A);
    carom_writer *writer = NULL;
    static double time[500], data[500 * WIDTH_0];
    size_t blocks = 0;
    unlink(FILE_A);
    disk_size = size;
    carom_status status = carom_writer_create(ctx, &def, &writer);
    bool made = status == CAROM_OK;
    for (; status == CAROM_OK; blocks++) {
        for (size_t k = 0; k < 500; k++)
            time[k] = data[k * WIDTH_0 + 6] = (double)(blocks * 500 + k);
        status = carom_writer_sink(writer)->rows(writer, 0, 500, time, data);
    }
    disk_lies = false;
    assert_int_equal(status, CAROM_ERROR_IO);
    assert_non_null(strstr(carom_context_error(ctx), "No space left on device; make room on the disk"));
    if (made) {
        assert_int_equal(carom_writer_sink(writer)->rows(writer, 0, 500, time, data), CAROM_ERROR_IO);
        assert_int_equal(carom_writer_close(writer, NULL, "failed"), CAROM_ERROR_IO);
    }
    assert_int_equal(exists(FILE_A), made);
    disk_size = 0;
    carom_result *result = NULL;
    if (made) {
        assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
        assert_string_equal(carom_result_status(result), "failed");
        size_t rows;
        const double *times, *values;
        const char *unit;
        assert_int_equal(carom_result_column(result, "body.slider.angle", &rows, &times, &values, &unit), CAROM_OK);
        assert_int_equal(rows, (blocks - 1) * 500);
        for (size_t k = 0; k < rows; k++)
            assert_true(times[k] == (double)k && values[k] == (double)k);
        carom_result_close(result);
    }
    carom_context_destroy(ctx);
    assert_int_equal(a.bytes, 0);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

static void test_full_disk(void **state)
{
    (void)state;
    static const off_t sizes[] = {100, 5000, 100000, 400000, 1000000, 3000000};
    for (size_t k = 0; k < CAROM_COUNT(sizes); k++)
        fill_the_disk(sizes[k]);
}

/* A file system that fails a write of rows although it promised the room. */
static void test_failing_write(void **state)
{
    (void)state;
    disk_lies = true;
    fill_the_disk(300000);
    disk_lies = true;
    fill_the_disk(3000000);
}

/* HDF5 never writes where room was not reserved. */
static void test_room_is_reserved(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_writer_def def = make_def(FILE_A);
    carom_writer *writer = NULL;
    room = written = 0;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    const carom_sink *sink = carom_writer_sink(writer);
    for (size_t k = 0; k < 300; k++) {
        carom_impact impact = impact_at(k);
        assert_int_equal(sink->impact(sink->user, &impact), CAROM_OK);
        size_t rows = k % 50 ? 1 + k % 300 : 3000;
        send(sink, (int)(k % 2), 0, rows);
        assert_true(written > 0 && written <= room);
    }
    assert_int_equal(carom_writer_close(writer, &ledger, "completed"), CAROM_OK);
    assert_true(written <= room);
    struct stat info;
    assert_int_equal(stat(FILE_A, &info), 0);
    assert_int_equal(info.st_size, written);
    carom_context_destroy(ctx);
    assert_int_equal(a.bytes, 0);
}

static void test_unreadable_files(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    FILE *text = fopen("not_hdf5.h5", "w");
    fputs("time,force\n0,0\n", text);
    fclose(text);
    fclose(fopen("empty.h5", "w"));
    hid_t other = H5Fcreate("other.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(other);
    write_run(ctx, "truncated.h5", 5000, 100, 1);
    assert_int_equal(truncate("truncated.h5", 100000), 0);
    static const struct { const char *path, *says; } wrong[] = {
        {"missing.h5", "No such file or directory"},
        {".", "is not an ordinary file"},
        {"not_hdf5.h5", "is not an HDF5 file"},
        {"empty.h5", "is empty"},
        {"other.h5", "no text attribute 'format'"},
        {"truncated.h5", "is truncated"},
    };
    for (size_t k = 0; k < CAROM_COUNT(wrong); k++) {
        carom_result *result = (carom_result *)&a;
        assert_int_equal(carom_result_open(ctx, wrong[k].path, &result), CAROM_ERROR_IO);
        assert_null(result);
        if (!strstr(carom_context_error(ctx), wrong[k].says))
            fail_msg("%s", carom_context_error(ctx));
        assert_ptr_equal(strstr(carom_context_error(ctx), wrong[k].path), carom_context_error(ctx));
    }
    carom_context_destroy(ctx);
    assert_int_equal(a.bytes, 0);
}

/* ---- killed and living writers ---- */

static void write_and_die(void)
{
    carom_context *ctx = NULL;
    carom_context_create(NULL, &ctx);
    carom_writer_def def = make_def(FILE_A);
    carom_writer *writer = NULL;
    if (carom_writer_create(ctx, &def, &writer) != CAROM_OK)
        _exit(1);
    const carom_sink *sink = carom_writer_sink(writer);
    carom_impact impact = impact_at(1);
    sink->impact(sink->user, &impact);
    for (size_t k = 0; k < 20; k++) {
        send(sink, 0, k * 100, 100);
        send(sink, 1, k * 33, 33);
    }
    kill(getpid(), SIGKILL);
}

static void check_killed(carom_context *ctx)
{
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    assert_string_equal(carom_result_status(result), "killed");
    check_column(result, "body.slider.position.y", 0, 1, 2000, "m");
    check_column(result, "contact.hit.force", 1, 0, 660, "N");
    size_t count;
    const carom_impact *impacts = carom_result_impacts(result, &count);
    assert_int_equal(count, 1);
    assert_string_equal(impacts[0].contact, "hit");
    carom_ledger got;
    assert_false(carom_result_ledger(result, &got));
    carom_result_close(result);
}

static void test_killed_writer(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    int status = in_child(write_and_die);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    H5E_auto2_t print;
    void *data;
    H5Eget_auto2(H5E_DEFAULT, &print, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    assert_true(H5Fopen(FILE_A, H5F_ACC_RDONLY, H5P_DEFAULT) < 0);
    H5Eset_auto2(H5E_DEFAULT, print, data);
    struct stat before, after;
    assert_int_equal(stat(FILE_A, &before), 0);
    check_killed(ctx);
    /* it is now an ordinary file of the same size, for any reader */
    assert_int_equal(stat(FILE_A, &after), 0);
    assert_true(after.st_size >= before.st_size);
    hid_t file = H5Fopen(FILE_A, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    H5Fclose(file);
    check_killed(ctx);
    carom_context_destroy(ctx);
    assert_int_equal(a.bytes, 0);
}

/* Exit status 0 if FILE_A, which the parent writes, reads as a running file of 200 rows and cannot be overwritten. */
static void look_at_living_writer(void)
{
    carom_context *ctx = NULL;
    carom_context_create(NULL, &ctx);
    carom_result *result = NULL;
    if (carom_result_open(ctx, FILE_A, &result) != CAROM_OK)
        _exit(2);
    size_t rows;
    const double *time, *values;
    const char *unit;
    if (strcmp(carom_result_status(result), "running") != 0 ||
        carom_result_column(result, "body.slider.angle", &rows, &time, &values, &unit) != CAROM_OK || rows != 200 ||
        !same(values[199], value_at(0, 199, 6)))
        _exit(3);
    carom_result_close(result);
    carom_writer_def def = make_def(FILE_A);
    carom_writer *writer = NULL;
    if (carom_writer_create(ctx, &def, &writer) != CAROM_ERROR_IO ||
        !strstr(carom_context_error(ctx), "another run is writing it"))
        _exit(4);
    carom_context_destroy(ctx);
}

/* The reader is a fresh process, because HDF5 shares the state of a file that its process has open. */
static void test_living_writer(void **state)
{
    const char *program = *state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_writer_def def = make_def(FILE_A);
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    const carom_sink *sink = carom_writer_sink(writer);
    send(sink, 0, 0, 200);
    pid_t child = fork();
    if (child == 0) {
        execl(program, program, "look", (char *)NULL);
        _exit(9);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    send(sink, 0, 200, 200);
    assert_int_equal(carom_writer_close(writer, &ledger, "completed"), CAROM_OK);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    check_column(result, "body.slider.angle", 0, 6, 400, "rad");
    assert_string_equal(carom_result_status(result), "completed");
    carom_result_close(result);
    carom_context_destroy(ctx);
    assert_int_equal(a.bytes, 0);
}

/* ---- equal runs ---- */

static unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = test_malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

static void test_equal_runs_give_equal_files(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    write_run(ctx, FILE_A, 1030, 700, 130);
    write_run(ctx, FILE_B, 1030, 700, 130);
    size_t size_a, size_b;
    unsigned char *bytes_a = read_bytes(FILE_A, &size_a), *bytes_b = read_bytes(FILE_B, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);
    test_free(bytes_a);
    test_free(bytes_b);
    carom_context_destroy(ctx);
}

/* ---- failing memory ---- */

static void test_every_allocation_of_the_writer_fails(void **state)
{
    (void)state;
    carom_status status = CAROM_ERROR_MEMORY;
    for (size_t n = 2; status != CAROM_OK; n++) {
        assert_true(n < 100);
        counting_allocator a = {0};
        carom_context *ctx = make_context(&a);
        a.fail_at = n;
        unlink(FILE_B);
        carom_writer_def def = make_def(FILE_B);
        carom_writer *writer = NULL;
        status = carom_writer_create(ctx, &def, &writer);
        if (status == CAROM_OK) {
            assert_int_equal(carom_writer_close(writer, &ledger, "completed"), CAROM_OK);
        } else {
            assert_int_equal(status, CAROM_ERROR_MEMORY);
            assert_false(exists(FILE_B));
            assert_null(writer);
        }
        carom_context_destroy(ctx);
        assert_int_equal(a.blocks, 0);
        assert_int_equal(a.bytes, 0);
    }
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

static void ignore_text(void *user, const char *text, size_t length)
{
    (void)user;
    (void)text;
    (void)length;
}

/* Opens, reads a column, exports; the status of the first failure. */
static carom_status read_something(carom_context *ctx)
{
    carom_result *result = NULL;
    carom_status status = carom_result_open(ctx, FILE_A, &result);
    size_t rows;
    const double *time, *values;
    const char *unit;
    if (status == CAROM_OK)
        status = carom_result_column(result, "body.slider.position.x", &rows, &time, &values, &unit);
    if (status == CAROM_OK)
        status = carom_result_csv(result, 1, NULL, 0, ignore_text, NULL);
    carom_result_close(result);
    return status;
}

static void test_every_allocation_of_the_reader_fails(void **state)
{
    (void)state;
    counting_allocator good = {0};
    carom_context *writer_ctx = make_context(&good);
    write_run(writer_ctx, FILE_A, 1000, 100, 70);
    carom_context_destroy(writer_ctx);
    carom_status status = CAROM_ERROR_MEMORY;
    size_t n = 2;
    for (; status != CAROM_OK; n++) {
        assert_true(n < 200);
        counting_allocator a = {0};
        carom_context *ctx = make_context(&a);
        a.fail_at = n;
        status = read_something(ctx);
        assert_true(status == CAROM_OK || status == CAROM_ERROR_MEMORY);
        carom_context_destroy(ctx);
        assert_int_equal(a.blocks, 0);
        assert_int_equal(a.bytes, 0);
    }
    assert_true(n > 10);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

/* ---- CSV ---- */

typedef struct collected {
    char text[400000];
    size_t length, calls;
} collected;

static void collect(void *user, const char *text, size_t length)
{
    collected *c = user;
    assert_true(c->length + length < sizeof c->text);
    memcpy(c->text + c->length, text, length);
    c->length += length;
    c->text[c->length] = '\0';
    c->calls++;
}

static void test_csv(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    write_run(ctx, FILE_A, 2000, 7, 0);
    carom_result *result = NULL;
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    static collected out;
    const char *names[] = {"body.slider.angle", "joint.pin.reaction.y", "body.slider.position"};
    out.length = out.calls = 0;
    assert_int_equal(carom_result_csv(result, 0, names, 3, collect, &out), CAROM_OK);
    assert_true(out.calls > 1);
    const char *header = "time [s],body.slider.angle [rad],joint.pin.reaction.y [N],body.slider.position.x [m],"
                         "body.slider.position.y [m],body.slider.position.z [m]\n";
    assert_memory_equal(out.text, header, strlen(header));
    char *p = out.text + strlen(header);
    static const size_t columns[] = {6, 4, 0, 1, 2};
    for (size_t row = 0; row < 2000; row++) {
        assert_true(same(strtod(p, &p), time_at(0, row)));
        for (size_t k = 0; k < CAROM_COUNT(columns); k++) {
            assert_int_equal(*p++, ',');
            double want = value_at(0, row, columns[k]), got = strtod(p, &p);
            assert_true(same(want, got) || (isnan(want) && isnan(got)));
        }
        assert_int_equal(*p++, '\n');
    }
    assert_int_equal(*p, '\0');
    out.length = out.calls = 0;
    assert_int_equal(carom_result_csv(result, 1, NULL, 0, collect, &out), CAROM_OK);
    header = "time [s],contact.hit.force [N],contact.hit/left.point.x [m],contact.hit/left.point.y [m],"
             "contact.hit/left.point.z [m]\n0,";
    assert_memory_equal(out.text, header, strlen(header));
    assert_int_equal(carom_result_csv(result, 1, names, 1, collect, &out), CAROM_ERROR_USAGE);
    assert_non_null(strstr(carom_context_error(ctx), "at the output interval"));
    names[0] = "body.slider.angel";
    assert_int_equal(carom_result_csv(result, 0, names, 1, collect, &out), CAROM_ERROR_USAGE);
    assert_non_null(strstr(carom_context_error(ctx), "did you mean 'body.slider.angle'?"));
    assert_int_equal(carom_result_csv(result, 2, names, 1, collect, &out), CAROM_ERROR_USAGE);
    carom_result_close(result);
    carom_context_destroy(ctx);
    assert_int_equal(a.bytes, 0);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "look") == 0) {
        look_at_living_writer();
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_empty_run),
        cmocka_unit_test(test_large_model_text),
        cmocka_unit_test(test_impacts_are_sorted_and_names_cut),
        cmocka_unit_test(test_wrong_names),
        cmocka_unit_test(test_wrong_definitions),
        cmocka_unit_test(test_unwritable_paths),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_failing_write),
        cmocka_unit_test(test_room_is_reserved),
        cmocka_unit_test(test_unreadable_files),
        cmocka_unit_test(test_killed_writer),
        cmocka_unit_test_prestate(test_living_writer, argv[0]),
        cmocka_unit_test(test_equal_runs_give_equal_files),
        cmocka_unit_test(test_every_allocation_of_the_writer_fails),
        cmocka_unit_test(test_every_allocation_of_the_reader_fails),
        cmocka_unit_test(test_csv),
    };
    return cmocka_run_group_tests_name("result", tests, NULL, NULL);
}

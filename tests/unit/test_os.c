/* What the library of results asks of the system, in the system's way and in the portable one. */
#include "carom_test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/cores.h"
#include "carom/io.h"
#include "result/os/os.h"

static void each_way(void (*test)(void))
{
    const bool kept = carom_os_portable;
    for (int way = 0; way < 2; way++) {
        carom_os_portable = way;
        test();
    }
    carom_os_portable = kept;
}

static off_t size_of(int file)
{
    struct stat info;
    assert_int_equal(fstat(file, &info), 0);
    return info.st_size;
}

static void reserve(void)
{
    char text[8] = "";
    unlink("room");
    const int file = open("room", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    assert_true(file >= 0);
    assert_int_equal(write(file, "carom", 5), 5);
    assert_int_equal(carom_os_reserve(file, 0, 200000), 0);
    assert_int_equal(size_of(file), 200000);
    assert_int_equal(carom_os_reserve(file, 1000, 1000), 0);
    assert_int_equal(size_of(file), 200000);
    assert_int_equal(pread(file, text, 8, 0), 8);
    assert_string_equal(text, "carom");
    assert_int_equal(pread(file, text, 1, 199999), 1);
    assert_int_equal(text[0], 0);
    close(file);
    const int closed = open("room", O_RDONLY | O_CLOEXEC);
    assert_int_equal(carom_os_reserve(closed, 200000, 10), EBADF);
    close(closed);
}

static void scratch(void)
{
    const int file = carom_os_scratch();
    char text[4] = "";
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, "abc", 3, 5000), 3);
    assert_int_equal(pread(file, text, 3, 5000), 3);
    assert_string_equal(text, "abc");
    assert_true(fcntl(file, F_GETFD) & FD_CLOEXEC);
    close(file);
}

/* Whether another process finds the file in use. */
static bool seen_by_other(const char *path)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        const int file = open(path, O_RDONLY | O_CLOEXEC);
        _exit(carom_os_is_shared(file));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status) == 1;
}

static void lock(void)
{
    const int file = open("held", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    assert_true(file >= 0);
    assert_false(seen_by_other("held"));
    assert_true(carom_os_share(file));
    assert_true(seen_by_other("held"));
    carom_os_unlock(file);
    assert_false(seen_by_other("held"));
    assert_true(carom_os_share(file));
    close(file);
    assert_false(seen_by_other("held"));
    const int folder = open(".", O_RDONLY | O_CLOEXEC);
    assert_int_equal(carom_os_take_folder(folder), !carom_os_portable);
    close(folder);
}

static void see(void *user, int file)
{
    if (file == ((int *)user)[0])
        ((int *)user)[1]++;
}

static void process(void)
{
    int seen[2] = {open("/dev/null", O_RDONLY | O_CLOEXEC), 0};
    carom_os_each_file(see, seen);
    assert_int_equal(seen[1], 1);
    close(seen[0]);
    assert_int_equal(carom_os_address_space() > 0, !carom_os_portable);
    assert_in_range(carom_os_cores(carom_os_portable), 1, 100000);
    int ends[2];
    char byte = 0;
    assert_true(carom_os_pipe(ends));
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_true((fcntl(ends[0], F_GETFD) & FD_CLOEXEC) && (fcntl(ends[1], F_GETFD) & FD_CLOEXEC));
    close(ends[0]);
    close(ends[1]);
}

/* A result is written and read in both ways, and has the same bytes. */
static void result(void)
{
    static const double time[2] = {0, 1}, data[2] = {3, 4};
    const carom_channel channel = {.name = "a", .unit = "m", .description = "a", .size = 1, .group = 0};
    carom_context *ctx = new_context();
    carom_writer_def def = carom_default_writer_def();
    carom_writer *writer;
    carom_result *read;
    def.path = carom_os_portable ? "portable.h5" : "system.h5";
    def.model_name = "m";
    def.channels = &channel;
    def.channel_count = 1;
    assert_ok(ctx, carom_writer_create(ctx, &def, &writer));
    const carom_sink *sink = carom_writer_sink(writer);
    assert_ok(ctx, sink->rows(sink->user, 0, 2, time, data));
    assert_true(seen_by_other(def.path));
    assert_ok(ctx, carom_writer_close(writer, NULL, NULL));
    assert_ok(ctx, carom_result_open(ctx, def.path, &read));
    size_t rows;
    const double *t, *values;
    const char *unit;
    assert_ok(ctx, carom_result_column(read, "a", &rows, &t, &values, &unit));
    assert_int_equal(rows, 2);
    assert_true(values[1] == 4);
    carom_result_close(read);
    carom_context_free(ctx);
}

static void test_room(void **state) { (void)state, each_way(reserve); }
static void test_scratch(void **state) { (void)state, each_way(scratch); }
static void test_lock(void **state) { (void)state, each_way(lock); }
static void test_process(void **state) { (void)state, each_way(process); }

static void test_result(void **state)
{
    (void)state;
    each_way(result);
    assert_int_equal(system("cmp system.h5 portable.h5"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_room), cmocka_unit_test(test_scratch),
                                       cmocka_unit_test(test_lock), cmocka_unit_test(test_process),
                                       cmocka_unit_test(test_result)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Results that go wrong: paths that cannot be written, full disks, damaged files, killed and living writers. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE     /* syscall() */
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "result_run.h"

/* ---- paths and disks ---- */

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
    carom_context_free(ctx);
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

static int next_writes;         /* this one of the writes fails */
static int writes_left = -1;    /* then all fail, of memory files as well; -1: none does */
static int next_opens;          /* this one of HDF5's openings of FILE_A fails, the next is 1 */

/* These stand before the C library's functions, which the writer and HDF5 call. */
int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const int mode = flags & O_CREAT ? va_arg(args, int) : 0;
    va_end(args);
    if (strcmp(path, FILE_A) == 0 && !(flags & O_CLOEXEC) && next_opens > 0 && --next_opens == 0) {
        errno = EMFILE;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

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
    if (writes_left == 0) {
        errno = ENOSPC;
        return -1;
    }
    writes_left -= writes_left > 0;
    if (named && next_writes > 0 && --next_writes == 0) {
        errno = EIO;
        return -1;
    }
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
    assert_refused(ctx, status, CAROM_ERROR_IO, "No space left on device; make room on the disk");
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
    carom_context_free(ctx);
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

static int left_of_child;

enum { REFUSED = 10, WRITTEN, WRONG };

/* Begins a file that cannot be written to its end, and opens it; the status of the process says how that ended. */
static void lose_all_room(void)
{
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_writer_def def = make_def(FILE_A);
    carom_writer *writer = NULL;
    carom_result *result = NULL;
    alarm(20);
    unlink(FILE_A);
    carom_writer_create(ctx, &def, &writer);
    send(carom_writer_sink(writer), 0, 0, 3000);
    writes_left = left_of_child;
    if (carom_writer_close(writer, NULL, "completed") == CAROM_OK)
        _exit(WRITTEN);
    writes_left = -1;
    const bool refused = carom_result_open(ctx, FILE_A, &result) == CAROM_ERROR_IO &&
                         strstr(carom_context_error(ctx), "read it with another one");
    carom_context_free(ctx);
    _exit(refused && a.bytes == 0 ? REFUSED : WRONG); /* HDF5 ends badly with a file that it could not close */
}

/* The writes of a close fail from some one on, those to memory as well: HDF5 keeps the file, which must not be read
   with what it holds of it, nor touched again. */
static void test_no_room_at_all(void **state)
{
    (void)state;
    int status = 0;
    for (left_of_child = 0; left_of_child < 100; left_of_child++) {
        status = in_child(lose_all_room);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != REFUSED)
            break;
    }
    print_message("a close of %d writes\n", left_of_child);
    assert_true(left_of_child > 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), WRITTEN);
}

/* A file system that fails a write of rows although it promised the room. */
static void test_failing_write(void **state)
{
    (void)state;
    disk_lies = true;
    fill_the_disk(300000);
    disk_lies = true;
    fill_the_disk(3100000);
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
    carom_context_free(ctx);
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
    carom_context_free(ctx);
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
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

/* A result with an override, which is written before the rows. */
static carom_status write_override(carom_context *ctx)
{
    static const char *const overrides[] = {"e=0.5"};
    carom_writer_def def = make_def(FILE_A);
    carom_writer *writer = NULL;
    def.overrides = overrides;
    def.override_count = 1;
    CAROM_TRY(carom_writer_create(ctx, &def, &writer));
    return carom_writer_close(writer, &ledger, "completed");
}

/* A write that fails while the file is made is told, or has lost nothing. */
static void test_failing_begin(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    for (int k = 1; k <= 12; k++) {
        unlink(FILE_A);
        next_writes = k;
        const carom_status status = write_override(ctx);
        next_writes = 0;
        if (status != CAROM_OK) {
            assert_int_equal(status, CAROM_ERROR_IO);
            continue;
        }
        carom_result *result = NULL;
        size_t count;
        assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
        const char *const *got = carom_result_overrides(result, &count);
        assert_int_equal(count, 1);
        assert_string_equal(got[0], "e=0.5");
        carom_result_close(result);
    }
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

/* An opening that fails for the moment is no sign of a writer that was killed: the file stays as it is. */
static void test_no_room_to_open(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    write_run(ctx, FILE_A, 200, 30, 2);
    carom_result *result = NULL;
    next_opens = 1;                     /* in the child that looks first, and in this process */
    assert_int_equal(carom_result_open(ctx, FILE_A, &result), CAROM_OK);
    next_opens = 0;
    assert_string_equal(carom_result_status(result), "completed");
    check_column(result, "body.slider.position.y", 0, 1, 200, "m");
    carom_result_close(result);
    carom_context_free(ctx);
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
    carom_context_free(ctx);
}

/* The reader is a fresh process, because HDF5 shares the state of a file that its process has open. */
static void test_living_writer(void **state)
{
    (void)state;
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_writer_def def = make_def(FILE_A);
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    const carom_sink *sink = carom_writer_sink(writer);
    send(sink, 0, 0, 200);
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "result_faults", "look", (char *)NULL);
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
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "look") == 0) {
        look_at_living_writer();
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unwritable_paths),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_failing_write),
        cmocka_unit_test(test_no_room_at_all),
        cmocka_unit_test(test_room_is_reserved),
        cmocka_unit_test(test_unreadable_files),
        cmocka_unit_test(test_killed_writer),
        cmocka_unit_test(test_failing_begin),
        cmocka_unit_test(test_no_room_to_open),
        cmocka_unit_test(test_living_writer),
    };
    return cmocka_run_group_tests_name("result_faults", tests, NULL, NULL);
}

/* A writer that dies at any of its writes to the disk, also in the middle of one, and a reader that dies while it mends
   the file: what was flushed can be read, in full, again and again. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall() */
#endif
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "result/h5.h"
#include "support/sample.h"
#include "unit/result_run.h"

#define BLOCKS 4
#define PAGE 4096

/* What the child leaves; shared with the test. */
typedef struct trace {
    size_t writes;   /* begun */
    size_t deadly;   /* the one that kills, from 1; 0: none */
    bool torn;       /* a part of it, up to the last page boundary in it, is written */
    bool created;    /* the writer was made */
    size_t sent[3];  /* rows given to the sink, at the beginning of the call */
    size_t taken[3]; /* rows that the sink has taken */
} trace;

static trace *shared;
static bool watched; /* in the child */

/* Stands before the C library's function, which HDF5 calls. */
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset)
{
    if (watched && ++shared->writes == shared->deadly) {
        off_t boundary = (offset + (off_t)count - 1) / PAGE * PAGE;
        if (shared->torn && boundary > offset)
            (void)!syscall(SYS_pwrite64, file, bytes, (size_t)(boundary - offset), offset);
        kill(getpid(), SIGKILL);
    }
    return syscall(SYS_pwrite64, file, bytes, count, offset);
}

/* ---- the child ---- */

static void send_counted(const carom_sink *sink, int group, size_t rows)
{
    shared->sent[group] += rows;
    send(sink, group, shared->taken[group], rows);
    shared->taken[group] += rows;
}

static void write_all(void)
{
    carom_context *ctx = NULL;
    carom_writer *writer = NULL;
    carom_writer_def def = make_def(FILE_A);
    if (carom_context_create(NULL, &ctx) != CAROM_OK || carom_writer_create(ctx, &def, &writer) != CAROM_OK)
        _exit(1);
    shared->created = true;
    const carom_sink *sink = carom_writer_sink(writer);
    for (size_t k = 0; k < BLOCKS; k++) {
        for (size_t i = 0; i < 20; i++) {
            carom_impact impact = impact_at(20 * k + i);
            if (sink->impact(sink->user, &impact) != CAROM_OK)
                _exit(2);
        }
        send_counted(sink, 0, 256);
        send_counted(sink, 1, 90 + 50 * k);
        send_counted(sink, 2, 40 * k);
    }
    if (carom_writer_warn(writer, "the last word") != CAROM_OK ||
        carom_writer_close(writer, &ledger, "completed") != CAROM_OK)
        _exit(3);
}

static void read_all(void)
{
    carom_context *ctx = NULL;
    carom_result *result = NULL;
    if (carom_context_create(NULL, &ctx) != CAROM_OK)
        _exit(1);
    const carom_status status = carom_result_open(ctx, FILE_A, &result);
    /* a child of this process mends the file; where that is killed this one dies as well */
    if (status != CAROM_OK && strstr(carom_context_error(ctx), "signal 9"))
        kill(getpid(), SIGKILL);
    if (status != CAROM_OK)
        _exit(1);
    carom_result_close(result);
}

/* Runs `body` in a child that dies at the write `deadly`; returns whether it did. */
static bool run_child(void (*body)(void), size_t deadly, bool torn)
{
    shared->writes = 0;
    shared->deadly = deadly;
    shared->torn = torn;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        watched = true;
        body();
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return true;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("write %zu%s: wait status %d", deadly, torn ? ", torn" : "", status);
    return false;
}

/* ---- what is left ---- */

typedef struct counts {
    size_t rows[3], impacts;
} counts;

/* The file reads, each group has the rows that were taken or were being taken, and all numbers are those written. */
static counts check_result(size_t deadly)
{
    static const struct {
        const char *name, *unit;
        size_t column;
    } columns[] = {{"joint.pin.reaction.z", "N", 5},
                   {"contact.hit.force", "N", 0},
                   {"contact.hit.total_force", "N", 0}};
    counts got = {0};
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_result *result = NULL;
    if (carom_result_open(ctx, FILE_A, &result) != CAROM_OK)
        fail_msg("write %zu: %s", deadly, carom_context_error(ctx));
    for (int g = 0; g < 3; g++) {
        got.rows[g] = carom_result_rows(result, g);
        if (got.rows[g] < shared->taken[g] || got.rows[g] > shared->sent[g])
            fail_msg("write %zu: group %d has %zu rows of %zu to %zu", deadly, g, got.rows[g], shared->taken[g],
                     shared->sent[g]);
        check_column(result, columns[g].name, g, columns[g].column, got.rows[g], columns[g].unit);
    }
    const carom_impact *impacts = carom_result_impacts(result, &got.impacts);
    for (size_t k = 0; k < got.impacts; k++) {
        carom_impact expected = impact_at(k);
        assert_string_equal(impacts[k].contact, expected.contact);
        assert_true(impacts[k].onset == expected.onset && impacts[k].v_in == expected.v_in);
    }
    carom_result_close(result);
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
    return got;
}

/* Any program with HDF5 can read the mended file. */
static void check_ordinary(size_t deadly)
{
    hid_t file = H5Fopen(FILE_A, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        fail_msg("write %zu: the file was not mended", deadly);
    H5Fclose(file);
}

static void check_same(counts a, counts b) { assert_memory_equal(&a, &b, sizeof a); }

/* A file whose writer had not begun to write rows: an error that says so, or an empty result. */
static void check_unborn(void)
{
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_result *result = NULL;
    carom_status status = carom_result_open(ctx, FILE_A, &result);
    if (status == CAROM_OK) {
        assert_int_equal(carom_result_rows(result, 0), 0);
        carom_result_close(result);
    } else {
        assert_int_equal(status, CAROM_ERROR_IO);
        assert_non_null(strstr(carom_context_error(ctx), FILE_A));
    }
    carom_context_free(ctx);
    assert_int_equal(a.bytes, 0);
}

/* ---- tests ---- */

static void test_every_write(void **state)
{
    (void)state;
    size_t killed = 0, unborn = 0, torn = 0, complete = 0, turns = 0;
    *shared = (trace){0};
    unlink(FILE_A);
    assert_false(run_child(write_all, 0, false));
    const size_t all = shared->writes;
    for (size_t deadly = 1; deadly <= all; deadly++) {
        if (!sample_turn((int)deadly / 2, 4, 6))
            continue;
        turns++;
        *shared = (trace){0};
        unlink(FILE_A);
        bool tear = deadly % 2 == 0;
        assert_true(run_child(write_all, deadly, tear));
        killed++;
        torn += tear;
        if (!shared->created) {
            unborn++;
            check_unborn();
            continue;
        }
        counts first = check_result(deadly);
        complete += first.rows[2] == shared->sent[2] && first.impacts == 20 * BLOCKS;
        check_ordinary(deadly);
        check_same(first, check_result(deadly));
    }
    print_message("killed at each of %zu of %zu writes, every second one torn (%zu); %zu before the file was made, "
                  "%zu with all rows on the disk\n",
                  killed, all, torn, unborn, complete);
    assert_true(all > 50 && killed == turns && unborn < killed / 2 && complete > 0);
}

/* A reader mends the file of a killed writer; it is killed at each of its writes, and the next one mends. */
static void test_every_write_of_mending(void **state)
{
    (void)state;
    *shared = (trace){0};
    unlink(FILE_A);
    assert_false(run_child(write_all, 0, false));
    size_t all = shared->writes, killed = 0;
    int turn = 0;
    for (size_t deadly = all / 2; deadly < all; deadly += all / 8, turn++)
        for (size_t second = 1; sample_turn(turn, 4, 4); second++) {
            *shared = (trace){0};
            unlink(FILE_A);
            assert_true(run_child(write_all, deadly, false) && shared->created);
            bool dead = run_child(read_all, second, false);
            check_same(check_result(deadly), check_result(deadly));
            check_ordinary(deadly);
            if (!dead)
                break;
            killed++;
        }
    print_message("readers killed at %zu writes of their mending\n", killed);
    assert_true(killed > 0);
}

int main(void)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_write),
        cmocka_unit_test(test_every_write_of_mending),
    };
    return cmocka_run_group_tests_name("torn_writes", tests, NULL, NULL);
}

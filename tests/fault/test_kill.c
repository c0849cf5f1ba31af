/* `carom run` killed at any moment, without a reader of its output, and on a full disk: what was flushed is exported,
   drawn and reported in full, byte for byte as of the run that was not killed. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* nanosleep(), kill() */
#endif
#include "carom_test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <hdf5.h>

#include "carom/io.h"
#include "support/command.h"

/* Under the sanitizer all takes longer by itself, and the disk sees the same. */
#ifdef __SANITIZE_ADDRESS__
#define KILLS 10
#define LEAST_IN_WRITING 4
#define CLOSING 3         /* runs killed when their file is closed */
#else
#define KILLS 30
#define LEAST_IN_WRITING 18
#define CLOSING 10
#endif
#define MOST_KILLS 200    /* where a busy machine lets few of them fall into the writing */
#define EARLY 6           /* of them in the first milliseconds */
#define EVERY 1e-3        /* output interval [s] */

static const char model[] = "carom: 1\n"
                            "title: Ball that never comes to rest\n"
                            "dimension: 2\n"
                            "gravity: [0, -9.81]\n"
                            "parameters: {end: 60}\n"
                            "bodies:\n"
                            "  ball: {mass: 1, inertia: 0.004, at: [0, 0.2], velocity: [0.1, 0]}\n"
                            "shapes:\n"
                            "  ball: {type: sphere, on: ball, radius: 0.1}\n"
                            "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
                            "contacts:\n"
                            "  bounce: {between: [floor, ball], normal: {law: hertz, stiffness: 1e8}}\n"
                            "run:\n"
                            "  until: end\n"
                            "  integrator: adams\n" /* many rows */
                            "  output: {every: 1*ms, channels: [body.ball.position, contact.bounce.force]}\n";

/* The groups of rows that are exported, and what the run that was not killed gives. */
static const char *const groups[] = {"intervals", "steps"};
#define GROUPS 2
static char *whole[GROUPS];

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void wait_until(double time)
{
    double rest = time - clock_seconds();
    if (rest <= 0)
        return;
    struct timespec pause = {(time_t)rest, (long)(1e9 * (rest - (double)(time_t)rest))};
    nanosleep(&pause, NULL);
}

/* ---- the runs ---- */

/* Starts `carom run ball.yaml` into a folder. */
static pid_t start(const char *folder, const char *end)
{
    char set[32];
    snprintf(set, sizeof set, "end=%s", end);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int sink = open("/dev/null", O_WRONLY);
        dup2(sink, STDOUT_FILENO);
        execl(CAROM_EXECUTABLE, "carom", "run", "ball.yaml", "-q", "--no-report", "--set", set, "-o", folder,
              (char *)NULL);
        _exit(99);
    }
    return child;
}

/* Kills a run; returns whether it was still there. */
static bool finish(pid_t child)
{
    int status;
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGKILL;
    assert_int_equal(WEXITSTATUS(status), 0);
    return false;
}

/* ---- what is left ---- */

/* Numbers of complete rows as the file has them, without Carom; false where there are none. */
static bool flushed_rows(const char *path, int64_t *rows)
{
    int64_t all[16] = {0};
    hid_t access_list = H5Pcreate(H5P_FILE_ACCESS);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5Pset_metadata_read_attempts(access_list, 24);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access_list);
    if (file < 0)
        file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access_list);
    hid_t set = file < 0 ? -1 : H5Dopen2(file, "rows", H5P_DEFAULT);
    hid_t space = set < 0 ? -1 : H5Dget_space(set);
    bool done = space >= 0 && H5Sget_simple_extent_npoints(space) <= 16 &&
                H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (set >= 0)
        H5Dclose(set);
    if (file >= 0)
        H5Fclose(file);
    H5Pclose(access_list);
    memcpy(rows, all, GROUPS * sizeof *rows);
    return done;
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (const char *c = text; (c = strchr(c, '\n')); c++)
        lines++;
    return lines;
}

/* A CSV of the group has the flushed rows, and they are the first ones of the whole run. */
static void check_rows(const char *path, int group, int64_t flushed)
{
    outcome first = carom("export %s --group %s", path, groups[group]);
    outcome second = carom("export %s --csv --group %s", path, groups[group]);
    if (first.status != 0)
        fail_msg("%s: exit status %d: %s", path, first.status, first.err);
    if (count_lines(first.out) != (size_t)flushed + 1)
        fail_msg("%s: %zu lines of %s, %lld rows were flushed", path, count_lines(first.out), groups[group],
                 (long long)flushed);
    if (strncmp(first.out, whole[group], strlen(first.out)) != 0)
        fail_msg("%s: the rows of %s are not those of the whole run", path, groups[group]);
    if (strcmp(first.out, second.out) != 0)
        fail_msg("%s: a second export differs", path);
    free_outcome(&first);
    free_outcome(&second);
}

/* A command on the result ends with status 0, without rows to draw also with 2, and leaves a file. */
static void check_made(const char *file, bool some, const char *command)
{
    unlink(file);
    outcome o = carom("%s", command);
    bool nothing = !some && o.status == 2 && strstr(o.err, "nothing to draw");
    if (o.status != 0 && !nothing)
        fail_msg("carom %s: exit status %d: %s", command, o.status, o.err);
    assert_true(nothing || exists(file));
    free_outcome(&o);
}

/* Everything that reads results reads this one. */
static void check_killed(const char *path, const int64_t *flushed, bool report)
{
    char command[256];
    for (int g = 0; g < GROUPS; g++)
        check_rows(path, g, flushed[g]);
    snprintf(command, sizeof command, "export %s --mat -o killed.mat", path);
    check_made("killed.mat", flushed[0] > 0, command);
    snprintf(command, sizeof command, "plot %s body.ball.position.y -o killed.svg", path);
    check_made("killed.svg", flushed[0] > 0, command);
    snprintf(command, sizeof command, "report %s -o killed.html", path);
    if (report)
        check_made("killed.html", flushed[0] > 0, command);
}

/* No file, or one without its objects: all readers say so with status 4. */
static void check_unborn(const char *path)
{
    static const char *const commands[] = {"export %s --csv", "export %s --mat -o killed.mat",
                                           "plot %s body.ball.position.y -o killed.svg"};
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        char command[256];
        snprintf(command, sizeof command, commands[k], path);
        expect_error(4, path, command);
    }
}

typedef struct tally {
    int unborn, writing, over;
} tally;

static void check_left(const char *folder, bool was_killed, bool report, tally *count)
{
    char path[64];
    int64_t rows[GROUPS];
    snprintf(path, sizeof path, "%s/ball.h5", folder);
    /* killed between the creation and the first flush, a file has the rows of nothing */
    if (!exists(path) || !flushed_rows(path, rows)) {
        assert_true(was_killed);
        check_unborn(path);
        count->unborn++;
    } else {
        check_killed(path, rows, report);
        if (was_killed && rows[0] > 0)
            count->writing++;
        else
            count->over++;
    }
    char remove[96];
    snprintf(remove, sizeof remove, "rm -rf %s", folder);
    assert_int_equal(system(remove), 0);
}

/* ---- the whole run ---- */

/* Times of the grid, ascending; the steps' between them. */
static void check_times(const char *csv, bool grid)
{
    double before = -1;
    size_t row = 0;
    for (const char *line = strchr(csv, '\n') + 1; *line; line = strchr(line, '\n') + 1, row++) {
        double time = strtod(line, NULL);
        if (!(time > before))
            fail_msg("row %zu: %.17g s after %.17g s", row, time, before);
        if (grid)
            assert_true(time > EVERY * ((double)row - 1e-6) && time < EVERY * ((double)row + 1e-6));
        before = time;
    }
    assert_true(row > 1000);
}

/* Runs the model to its end and keeps its rows; returns how long it took [s]. */
static double run_whole(const char *end)
{
    double begin = clock_seconds();
    pid_t child = start("whole", end);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    double wall = clock_seconds() - begin;
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    for (int g = 0; g < GROUPS; g++) {
        outcome o = carom("export whole/ball.h5 --group %s", groups[g]);
        assert_int_equal(o.status, 0);
        check_times(o.out, g == 0);
        free(whole[g]);
        whole[g] = o.out;
        free(o.err);
    }
    assert_int_equal(system("rm -rf whole"), 0);
    return wall;
}

/* ---- tests ---- */

/* The k-th number of a sequence that fills (0, 1) evenly. */
static double fraction(int k)
{
    double x = 0.5 + 0.61803398874989485 * k;
    return x - (double)(int)x;
}

static void test_killed_runs(void **state)
{
    (void)state;
    tally count = {0};
    write_text("ball.yaml", model);
    double wall = run_whole("60"), measured = wall;
    int k = 0;
    for (; k < KILLS || (count.writing < LEAST_IN_WRITING && k < MOST_KILLS); k += 2) {
        double delay[2];
        pid_t child[2];
        char folder[2][16];
        bool killed[2];
        for (int i = 0; i < 2; i++) {
            delay[i] = k + i < EARLY ? 2e-3 * (k + i) : 0.9 * wall * fraction(k + i);
            snprintf(folder[i], sizeof folder[i], "run-%d", k + i);
        }
        double begin = clock_seconds();
        for (int i = 0; i < 2; i++)
            child[i] = start(folder[i], "60");
        int first = delay[1] < delay[0];
        for (int i = 0; i < 2; i++) {
            int which = i ? 1 - first : first;
            wait_until(begin + delay[which]);
            killed[which] = finish(child[which]);
            /* the machine has become faster than when the whole run was measured */
            if (!killed[which])
                wall *= 0.8;
        }
        for (int i = 0; i < 2; i++)
            check_left(folder[i], killed[i], k % 10 == 8, &count);
    }
    print_message("%d kills in a run of %.2f s: %d before the file was made, %d in writing, %d after\n", k,
                  measured, count.unborn, count.writing, count.over);
    assert_true(count.writing >= LEAST_IN_WRITING);
}

/* The mark of a file that is open for writing: a byte of HDF5's superblock; 0 also where there is no file. */
static int open_mark(const char *path)
{
    unsigned char mark = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && pread(file, &mark, 1, 11) != 1)
        mark = 0;
    if (file >= 0)
        close(file);
    return mark;
}

/* Kills runs as soon as the mark falls, which is the last write of closing, and some moments before and after. */
static void test_killed_while_closing(void **state)
{
    (void)state;
    tally count = {0};
    write_text("ball.yaml", model);
    run_whole("3");
    for (int k = 0; k < CLOSING; k++) {
        char folder[16], path[32];
        snprintf(folder, sizeof folder, "end-%d", k);
        snprintf(path, sizeof path, "%s/ball.h5", folder);
        double limit = clock_seconds() + 20;
        pid_t child = start(folder, "3");
        while (!open_mark(path) && clock_seconds() < limit)
            ;
        while (open_mark(path) && clock_seconds() < limit)
            ;
        wait_until(clock_seconds() + 1e-4 * k);
        bool killed = finish(child);
        int64_t rows[GROUPS];
        assert_true(flushed_rows(path, rows) && rows[0] == 3001);
        check_left(folder, killed, false, &count);
    }
    assert_int_equal(count.unborn, 0);
}

/* Status that the result itself tells. */
static void check_status(const char *path, const char *expected)
{
    carom_context *context;
    carom_result *result;
    context = new_context();
    assert_int_equal(carom_result_open(context, path, &result), CAROM_OK);
    assert_string_equal(carom_result_status(result), expected);
    carom_result_close(result);
    carom_context_free(context);
}

/* Nobody reads the output: the results are complete all the same. */
static void test_closed_output(void **state)
{
    (void)state;
    write_text("ball.yaml", model);
    char command[512];
    snprintf(command, sizeof command, "'%s' run ball.yaml --set end=1 --no-report -o pipe 2>err.txt | true",
             CAROM_EXECUTABLE);
    assert_int_equal(system(command), 0);
    check_status("pipe/ball.h5", "completed");
    char *text = read_text("err.txt");
    expect_text(text, "cannot write to standard output: Broken pipe");
    free(text);
    snprintf(command, sizeof command, "'%s' run ball.yaml --set end=1 --no-report -o closed >&- 2>err.txt",
             CAROM_EXECUTABLE);
    int status = system(command);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 4);
    check_status("closed/ball.h5", "completed");
}

/* A disk of 1 MB, in a name space of its own: the run ends with status 4 and remedy, and keeps what had room. */
static void test_full_disk(void **state)
{
    (void)state;
    write_text("ball.yaml", model);
    assert_int_equal(system("mkdir disk"), 0);
    if (system("unshare -rm mount -t tmpfs -o size=1m none disk 2>/dev/null") != 0)
        skip();
    char command[512];
    snprintf(command, sizeof command,
             "unshare -rm sh -c \"mount -t tmpfs -o size=1m none disk && "
             "'%s' run ball.yaml --no-report -q -o disk 2>err.txt; echo \\$? >status.txt; cp disk/ball.h5 full.h5\"",
             CAROM_EXECUTABLE);
    assert_int_equal(system(command), 0);
    char *text = read_text("err.txt"), *number = read_text("status.txt");
    assert_int_equal(atoi(number), 4);
    expect_text(text, "No space left on device; make room on the disk");
    free(text);
    free(number);
    check_status("full.h5", "failed");
    int64_t rows[GROUPS];
    assert_true(flushed_rows("full.h5", rows) && rows[0] > 256);
    outcome o = carom("export full.h5 --csv");
    assert_int_equal(o.status, 0);
    assert_int_equal(count_lines(o.out), rows[0] + 1);
    free_outcome(&o);
}

static int tear_down(void **state)
{
    for (int g = 0; g < GROUPS; g++)
        free(whole[g]);
    return leave_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_killed_runs),
        cmocka_unit_test(test_killed_while_closing),
        cmocka_unit_test(test_closed_output),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests_name("kill", tests, enter_folder, tear_down);
}

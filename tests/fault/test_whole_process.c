/* The program with a call of the C library that fails, of many kinds, at any place: it ends with a sentence and its
   status, never by a signal; what calls itself done has written what it writes without the fault, and what was left can
   be opened or is told as unfinished. tests/fault/faults/faults.c makes the faults; CAROM_FAULTS=N lets each of the
   first N calls of each kind fail, CAROM_FAULTS_OF=NAME in one of the commands alone. */
#include "carom_test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "carom/io.h"
#include "support/sample.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 }; /* has functions of its own in the place of these */
#else
enum { SANITIZED = 0 };
#endif

enum { TRIES = 14 };            /* of all kinds and commands, in a commit */

static const char model[] = "carom: 1\n"
                            "dimension: 2\n"
                            "gravity: [0, -9.81]\n"
                            "parameters: {e: 0.6}\n"
                            "bodies: {ball: {mass: 1, inertia: 1e-3, at: [0, 0.3]}}\n"
                            "shapes:\n"
                            "  ball: {type: sphere, on: ball, radius: 5*cm}\n"
                            "  floor: {type: plane, on: ground, normal: [0, 1]}\n"
                            "contacts: {hit: {between: [ball, floor], normal: {law: flores, stiffness: 1e6,\n"
                            "           restitution: e}}}\n"
                            "run: {until: 0.3}\n";

typedef struct command {
    const char *name, *arguments[12];
    const char *result;         /* HDF5 that it writes */
} command;

static const command commands[] = {
    {"run", {"run", "m.yaml", "-o", "out", NULL}, "out/m.h5"},
    {"report", {"report", "kept/m.h5", "-o", "page.html", NULL}, NULL},
    {"export", {"export", "kept/m.h5", NULL}, NULL},
    {"mat", {"export", "kept/m.h5", "--mat", NULL}, NULL},
    {"compare", {"compare", "m.yaml", "--vary", "e=0.5", "--results", "out", NULL}, "out/m-e=0.5.h5"},
    {"plot", {"plot", "kept/m.h5", "body.ball.position.y", "-o", "a.svg", NULL}, NULL},
    {"resume", {"run", "m.yaml", "-o", "out", "--resume", "kept/m.ckpt", NULL}, "out/m.h5"},
};

static const struct {
    const char *name;
    int numbers[3];
} kinds[] = {
    {"memory", {ENOMEM}},    {"read", {EIO}},           {"write", {EIO, ENOSPC, EPIPE}},
    {"room", {ENOSPC, EIO}}, {"sync", {EIO, ENOSPC}},   {"rename", {EACCES, EIO}},
    {"mmap", {ENOMEM}},      {"open", {EIO, EROFS, EMFILE}},
};

static size_t tries, faults, refused, done, bad;
static rlim_t largest;          /* file that the program may write [bytes]; 0: any */

static void empty_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    char path[512];
    while (directory && (entry = readdir(directory)))
        if (entry->d_name[0] != '.' && snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
            unlink(path);
    if (directory)
        closedir(directory);
}

/* Starts the program with a fault; returns the wait status. */
static int start(const command *c, const char *kind, size_t at, int number, bool on)
{
    fflush(NULL);
    empty_folder("out");
    unlink("told");
    const pid_t child = fork();
    if (child == 0) {
        char text[32];
        const char *arguments[16] = {"carom"};
        for (size_t k = 0; c->arguments[k]; k++)
            arguments[k + 1] = c->arguments[k];
        const int out = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        const int error = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(out, 1);
        dup2(error, 2);
        close(out);
        close(error);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        if (largest)
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){largest, largest});
        alarm(60);
        snprintf(text, sizeof text, "%zu", at);
        setenv("CAROM_FAULT_AT", text, 1);
        snprintf(text, sizeof text, "%d", number);
        setenv("CAROM_FAULT_ERRNO", text, 1);
        if (on)
            setenv("CAROM_FAULT_ON", "1", 1);
        setenv("CAROM_FAULT", kind, 1);
        setenv("CAROM_FAULT_TOLD", "told", 1);
        setenv("LD_PRELOAD", CAROM_FAULTS_LIBRARY, 1);
        execv(CAROM_EXECUTABLE, (char **)arguments);
        _exit(99);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static size_t read_file(const char *path, char *text, size_t room)
{
    FILE *file = fopen(path, "rb");
    const size_t got = file ? fread(text, 1, room - 1, file) : 0;
    if (file)
        fclose(file);
    text[got] = 0;
    return got;
}

static uint64_t hash_of(const char *path)
{
    static char bytes[1 << 22];
    return carom_hash(bytes, read_file(path, bytes, sizeof bytes), 0);
}

/* Whether what is left is a result, or is told as none. */
static bool is_readable(const char *path)
{
    if (access(path, F_OK) != 0)
        return true;
    carom_context *ctx = new_context();
    carom_result *r = NULL;
    const carom_status status = carom_result_open(ctx, path, &r);
    const bool good = status == CAROM_OK || (status == CAROM_ERROR_IO && strstr(carom_context_error(ctx), path));
    carom_result_close(r);
    carom_context_free(ctx);
    return good;
}

/* False: there is no call of this number. */
static bool try_fault(const command *c, const char *kind, size_t at, int number, bool on, uint64_t whole)
{
    char said[1 << 16], table[1 << 16]; /* HDF5 that cannot begin prints where, before the sentence */
    /* fontconfig begins again without end while there is no memory */
    on = on && strcmp(c->name, "plot") != 0;
    const int status = start(c, kind, at, number, on);
    const bool reached = access("told", F_OK) == 0;
    const char *what = NULL;
    read_file("stderr", said, sizeof said);
    read_file("stdout", table, sizeof table); /* of variants has a sentence for each */
    tries++;
    faults += reached;
    if (WIFSIGNALED(status))
        what = "ends by a signal";
    else if (WEXITSTATUS(status) > 4)
        what = "has a status of its own";
    else if (WEXITSTATUS(status) != 0 && !strstr(said, "carom: error: ") && !strstr(table, "failed: "))
        what = "ends without a sentence";
    else if (WEXITSTATUS(status) == 0 && c->result && hash_of(c->result) != whole)
        what = "calls itself done, with another result";
    else if (c->result && !is_readable(c->result))
        what = "leaves what cannot be read";
    refused += WEXITSTATUS(status) != 0;
    done += reached && WEXITSTATUS(status) == 0;
    if (what) {
        bad++;
        const bool killed = WIFSIGNALED(status);
        print_error("%s: %s %zu%s, errno %d: %s (%s %d): %.2000s\n", c->name, kind, at, on ? " and later" : "", number,
                    what, killed ? "signal" : "status", killed ? WTERMSIG(status) : WEXITSTATUS(status), said);
    }
    return reached;
}

static void prepare(void)
{
    FILE *file = fopen("m.yaml", "w");
    assert_non_null(file);
    fputs(model, file);
    fclose(file);
    mkdir("out", 0777);
    mkdir("kept", 0777);
    assert_int_equal(system("'" CAROM_EXECUTABLE "' run m.yaml -o kept -q --no-report --checkpoint 0.1"), 0);
}

static void test_each_call(void **state)
{
    (void)state;
    const char *asked = getenv("CAROM_FAULTS"), *of = getenv("CAROM_FAULTS_OF");
    const size_t most = asked ? strtoull(asked, NULL, 10) : sample_all() ? 100 : 0;
    if (SANITIZED || !CAROM_EXECUTABLE[0])
        skip();
    prepare();
    int number = 0;
    uint64_t chance = (uint64_t)sample_first(1 << 28, &number) * 0x9E3779B97F4A7C15u;
    for (size_t i = 0; i < CAROM_COUNT(commands); i++) {
        const command *c = &commands[i];
        if (of && strcmp(of, c->name) != 0)
            continue;
        const int status = start(c, "none", 0, 0, false);
        if (status != 0) {
            char said[4096];
            read_file("stderr", said, sizeof said);
            fail_msg("%s: wait status %#x: %s", c->name, (unsigned)status, said);
        }
        const uint64_t whole = c->result ? hash_of(c->result) : 0;
        for (size_t k = 0; k < CAROM_COUNT(kinds); k++)
            for (size_t e = 0; e < 3 && kinds[k].numbers[e]; e++) {
                const bool on = (k + e + i) % 2;
                for (size_t at = 1; at <= most && try_fault(c, kinds[k].name, at, kinds[k].numbers[e], on, whole); at++)
                    ;
            }
        for (size_t k = 0; k < TRIES / CAROM_COUNT(commands) && !most; k++) {
            chance = chance * 6364136223846793005u + 1442695040888963407u;
            const size_t kind = k ? (size_t)(chance >> 40) % CAROM_COUNT(kinds) : 0;
            const size_t e = kinds[kind].numbers[1] ? chance >> 62 & 1 : 0;
            const size_t far = kind == 0 ? 20000 : kind < 3 ? 300 : 12; /* calls that there are, about */
            size_t at = 1 + (size_t)(chance >> 33) % far;
            while (!try_fault(c, kinds[kind].name, at, kinds[kind].numbers[e], chance >> 32 & 1, whole) && at > 1)
                at /= 4;
        }
    }
    print_message("%zu starts, %zu faults: %zu ended with a sentence, %zu were got over, %zu bad\n", tries, faults,
                  refused, done, bad);
    assert_int_equal(bad, 0);
}

/* Files that may not grow, as on a full disk. */
static void test_full_disk(void **state)
{
    (void)state;
    static const rlim_t sizes[] = {8192, 60000, 300000};
    if (SANITIZED || !CAROM_EXECUTABLE[0])
        skip();
    prepare();
    for (size_t i = 0; i < CAROM_COUNT(commands); i++) {
        int number = 0;
        largest = 0;
        assert_int_equal(start(&commands[i], "none", 0, 0, false), 0);
        const uint64_t whole = commands[i].result ? hash_of(commands[i].result) : 0;
        largest = sizes[((size_t)sample_first(1 << 28, &number) + i) % CAROM_COUNT(sizes)];
        try_fault(&commands[i], "none", 0, 0, false, whole);
    }
    largest = 0;
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_call), cmocka_unit_test(test_full_disk)};
    return cmocka_run_group_tests_name("whole_process", tests, NULL, NULL);
}

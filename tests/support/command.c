#include "carom_test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/command.h"

#define MOST_ARGUMENTS 16

/* ---- the folder ---- */

static char folder[] = "/tmp/carom-test-XXXXXX";

int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

int leave_folder(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = 0, capacity = 4096;
    char *text = malloc(capacity);
    assert_non_null(text);
    for (size_t got; (got = fread(text + length, 1, capacity - length - 1, file)) > 0;) {
        length += got;
        if (length + 1 == capacity) {
            text = realloc(text, capacity *= 2);
            assert_non_null(text);
        }
    }
    text[length] = '\0';
    fclose(file);
    return text;
}

void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* ---- the program ---- */

outcome carom(const char *format, ...)
{
    char arguments[2048], command[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(arguments, sizeof arguments, format, args);
    va_end(args);
    snprintf(command, sizeof command, "'%s' %s >out.txt 2>err.txt", CAROM_EXECUTABLE, arguments);
    int status = system(command);
    assert_true(WIFEXITED(status));
    outcome o = {WEXITSTATUS(status), read_text("out.txt"), read_text("err.txt")};
    return o;
}

void free_outcome(outcome *o)
{
    free(o->out);
    free(o->err);
    *o = (outcome){0};
}

static void wait_seconds(double seconds)
{
    struct timespec pause = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&pause, NULL);
}

int interrupt(const char *const *arguments, const char *out, const char *awaited, double more, int signal)
{
    char *all[MOST_ARGUMENTS + 2] = {"carom"};
    for (size_t k = 0; arguments[k]; k++) {
        assert_true(k < MOST_ARGUMENTS);
        all[k + 1] = (char *)(uintptr_t)arguments[k]; /* execv() changes none */
    }
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666), STDOUT_FILENO);
        execv(CAROM_EXECUTABLE, all);
        _exit(99);
    }
    for (int k = 0; k < 400 && !exists(awaited); k++)
        wait_seconds(0.05);
    wait_seconds(more);
    assert_int_equal(kill(child, signal), 0);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

void expect_error(int status, const char *part, const char *arguments)
{
    outcome o = carom("%s", arguments);
    const char *newline = strchr(o.err, '\n');
    if (o.status != status || !strstr(o.err, part) || !newline || newline[1] || *o.out)
        fail_msg("carom %s: exit status %d, expected %d and '%s'; stderr: %s; stdout: %s", arguments, o.status, status,
                 part, o.err, o.out);
    assert_int_equal(strncmp(o.err, "carom: error: ", 14), 0);
    free_outcome(&o);
}

void expect_text(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is missing in\n%s", part, text);
}

json *expect_json(const char *text)
{
    json *value = json_parse_text(text);
    if (!value)
        fail_msg("not JSON: %.400s", text);
    return value;
}

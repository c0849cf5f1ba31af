#include "support/sample.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number of this commit, or another one that is given, or -1 where all cases are wanted. */
static long commit_number(void)
{
    static long number = -2;
    if (number != -2)
        return number;
    const char *all = getenv("CAROM_TEST_ALL"), *source = getenv("CAROM_SOURCE_DIR"), *turn = getenv("CAROM_TEST_TURN");
    char command[1100], hash[16] = "";
    if (all && strcmp(all, "0") != 0)
        return number = -1;
    if (turn)
        return number = strtol(turn, NULL, 16);
    snprintf(command, sizeof command, "git -C '%s' rev-parse --short=7 HEAD 2>/dev/null", source ? source : ".");
    FILE *pipe = popen(command, "r");
    if (pipe && !fgets(hash, sizeof hash, pipe))
        *hash = 0;
    if (pipe)
        pclose(pipe);
    return number = strtol(hash, NULL, 16);
}

bool sample_all(void) { return commit_number() < 0; }

int sample_first(int total, int *count)
{
    const long number = commit_number();
    if (number < 0) {
        *count = total;
        return 0;
    }
    return (int)(number % total);
}

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

bool sample_turn(int k, int plain, int sanitized)
{
    const long number = commit_number();
    const int parts = SANITIZED ? sanitized : plain;
    return number < 0 || k % parts == number % parts;
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

int sample_models(sample_name *names, int room)
{
    const char *folder = getenv("CAROM_MODELS");
    DIR *directory = opendir(folder ? folder : CAROM_MODELS);
    const struct dirent *entry;
    int count = 0, taken = 0;
    assert_non_null(directory);
    while ((entry = readdir(directory))) {
        const size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 5, ".yaml") != 0)
            continue;
        assert_true(count < room && length < sizeof *names);
        memset(names[count], 0, sizeof *names);
        memcpy(names[count++], entry->d_name, length - 5);
    }
    closedir(directory);
    qsort(names, (size_t)count, sizeof *names, by_name);
    for (int k = 0; k < count; k++)
        if (sample_turn(k, 4, 16))
            memmove(names[taken++], names[k], sizeof *names);
    return taken;
}

int sample_run_tests(const char *group, const struct CMUnitTest *tests, size_t count, int plain, int sanitized,
                     CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    struct CMUnitTest *taken = calloc(count, sizeof *taken);
    size_t n = 0;
    assert_non_null(taken);
    for (size_t k = 0; k < count; k++)
        if (sample_turn((int)k, plain, sanitized))
            taken[n++] = tests[k];
    const int failed = _cmocka_run_group_tests(group, taken, n, set_up, tear_down);
    free(taken);
    return failed;
}

/* What `carom run --checkpoint-every` goes on with, with changed bytes: the file of a run under way, whose hash, its
   checkpoint's and its writer's fit again, and the result beside it. The command goes on, or refuses by its status, and
   leaves nothing. The first byte of the input is odd where the hashes stay; four bytes are one change: the part, the
   place in it, by two, and value. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* syscall() */
#endif
#include "fuzz.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "support/cli.h"

static const char model[] = "carom: 1\n"
                            "dimension: 2\n"
                            "gravity: [0, -9.81]\n"
                            "bodies: {ball: {mass: 1, inertia: 1e-3, at: [0, 0.051], velocity: [0.1, 0]}}\n"
                            "shapes: {ball: {type: sphere, on: ball, radius: 5*cm},\n"
                            "  floor: {type: plane, on: ground, normal: [0, 1]}}\n"
                            "contacts: {hit: {between: [ball, floor], normal: {law: flores, stiffness: 1e6,\n"
                            "  restitution: 0.6}}}\n"
                            "run: {until: 0.15, integrator: rk4, step: 1e-4, output: {every: 1e-4, channels:\n"
                            "  [body.ball.position, contact.hit.force]}}\n";

enum { PATIENCE = 5 };                                          /* [s] */
enum { PARTS = 7, SIZES = 24, HEAD = SIZES + 8 * PARTS };       /* cli/run/run_unfinished.c */
enum { SIMULATION = 2, WRITER = 3 };
enum { CHECKPOINT_HEAD = 112, WRITER_HEAD = 208, HASH = 8 };    /* checkpoint.c, writer_continue.c */

typedef struct content {
    unsigned char *bytes;
    size_t size;
} content;

static char folder[64], names[3][96];   /* of the model, the file of the run under way, and the result */
static content under_way, result;
static bool keep;

/* Stands before the C library's: a run that has ended leaves the file. */
int unlink(const char *path)
{
    const size_t length = strlen(path);
    if (keep && length > 11 && strcmp(path + length - 11, ".unfinished") == 0)
        return 0;
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static void put(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        fuzz_fail("no room for a file");
}

static content take(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        fuzz_fail("no file of a run under way, or no result");
    content c = {.size = (size_t)ftell(file)};
    rewind(file);
    c.bytes = malloc(c.size);
    if (!c.bytes || fread(c.bytes, 1, c.size, file) != c.size)
        fuzz_fail("no room for a file");
    fclose(file);
    return c;
}

/* `every`: of its checkpoints. A state can ask for steps of no length to speak of, which a run takes its time for: then
   the user has enough of it. */
static int go(char *every)
{
    char *arguments[] = {names[0], "-o", folder, "-q", "--no-report", "--checkpoint-every", every, NULL};
    const struct itimerspec patience = {.it_value = {.tv_sec = PATIENCE}};
    struct sigevent ring = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGTERM};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &ring, &timer) != 0 || timer_settime(timer, 0, &patience, NULL) != 0)
        fuzz_fail("no timer");
    const int status = command_run((int)(sizeof arguments / sizeof *arguments) - 1, arguments);
    timer_delete(timer);
    return status;
}

static uint64_t part_size(const unsigned char *bytes, int part)
{
    uint64_t size;
    memcpy(&size, bytes + SIZES + 8 * part, sizeof size);
    return size;
}

static size_t part_at(const unsigned char *bytes, int part)
{
    size_t at = HEAD;
    for (int k = 0; k < part; k++)
        at += (size_t)part_size(bytes, k);
    return at;
}

/* Of a block whose hash stands behind its mark and is taken with 0 there. */
static void fit(unsigned char *block, size_t head, size_t size)
{
    memset(block + HASH, 0, 8);
    const uint64_t hash = carom_hash(block + head, size - head, carom_hash(block, head, 0));
    memcpy(block + HASH, &hash, sizeof hash);
}

/* The parts are those of the file without changes. */
static void fit_all(unsigned char *bytes, size_t size)
{
    const unsigned char *as_made = under_way.bytes;
    fit(bytes + part_at(as_made, SIMULATION), CHECKPOINT_HEAD, (size_t)part_size(as_made, SIMULATION));
    fit(bytes + part_at(as_made, WRITER), WRITER_HEAD, (size_t)part_size(as_made, WRITER));
    const uint64_t hash = carom_hash(bytes + SIZES, size - SIZES, 0);
    memcpy(bytes + 16, &hash, sizeof hash);
}

static void clean(void)
{
    for (int k = 0; k < 3; k++)
        unlink(names[k]);
    rmdir(folder);
}

static void make_base(void)
{
    snprintf(folder, sizeof folder, "fuzz-unfinished-%d", (int)getpid());
    static const char *const of[] = {"m.yaml", "m.unfinished", "m.h5"};
    for (int k = 0; k < 3; k++)
        snprintf(names[k], sizeof names[k], "%s/%s", folder, of[k]);
    mkdir(folder, 0777);
    put(names[0], model, sizeof model - 1);
    keep = true;
    const int status = go("1e-9s");
    keep = false;
    if (status != EXIT_DONE)
        fuzz_fail("the run itself fails");
    under_way = take(names[1]);
    result = take(names[2]);
    content same = take(names[1]);
    fit_all(same.bytes, same.size);
    if (memcmp(same.bytes, under_way.bytes, same.size) != 0)
        fuzz_fail("the parts of the file have other heads than here");
    free(same.bytes);
    atexit(clean);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!under_way.bytes)
        make_base();
    unsigned char *bytes = malloc(under_way.size), *other = malloc(result.size);
    if (!bytes || !other)
        fuzz_fail("no room for a file");
    memcpy(bytes, under_way.bytes, under_way.size);
    memcpy(other, result.bytes, result.size);
    for (size_t k = 1; k + 3 < size; k += 4) {
        const size_t place = (size_t)data[k + 1] << 8 | data[k + 2];
        const int part = data[k] % (PARTS + 2) - 1;     /* -1: the head, PARTS: the result */
        unsigned char *at = part == PARTS ? other : bytes + (part < 0 ? 0 : part_at(under_way.bytes, part));
        const size_t length = part == PARTS ? result.size
                              : part < 0    ? HEAD
                                            : (size_t)part_size(under_way.bytes, part);
        if (length)
            at[(place + (data[k] / (PARTS + 2)) * 65536u) % length] ^= data[k + 3];
    }
    if (size > 0 && data[0] % 2 == 0)
        fit_all(bytes, under_way.size);
    const size_t kept = size % 4 == 3 ? under_way.size * data[size - 1] / 256 : under_way.size;
    put(names[1], bytes, kept);
    put(names[2], other, result.size);
    free(bytes);
    free(other);
    const int status = go("1e-2s");
    if (status < EXIT_DONE || (status > EXIT_IO && status != EXIT_SIGNAL + SIGTERM))
        fuzz_fail("a status that `carom run` does not have");
    return 0;
}

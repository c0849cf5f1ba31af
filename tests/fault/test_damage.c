/* Results with damaged bytes, by accident and by somebody who makes the checksums of HDF5 fit again: each is read, or
   told as damaged by a sentence with its name; no signal, and nothing left. CAROM_DAMAGES=N makes N damages of each
   kind of file and prints what came of them: by a process that looks at thousands of them itself, as the child that
   carom_look() makes for each would. One that ends this process, or is told in another way, is opened again by a child
   of its own, and so is each hundredth. CAROM_DAMAGES_OF=closed, killed or run: of that file alone; CAROM_DAMAGES_AT=K:
   one of them, in this process. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <zlib.h>

/* This program's carom_look() stands in the place of the library's. */
#define carom_look look_by_child
#include "result/look.c"
#undef carom_look

#include "result/h5.h"
#include "support/sample.h"
#include "unit/result_run.h"

#define DAMAGED "damaged.h5"
#define DAMAGES 24              /* of a file, without the sanitizer; each commit makes others */
#define MANY 2000               /* from so many on one process looks at */
#define A_PROCESS 5000          /* of them, */
#define COMPARED 100            /* and each of this number is opened by a child as well */
#define SECONDS 5               /* for one, before a child tries it */
#define BLOCKS 4000
#define MOST_BLOCK 6000         /* bytes of a block of metadata */

enum outcome { SAME, OTHER, UNNOTICED, REFUSED, BY_SIGNAL, BY_TIME, DIED, OUTCOMES };

/* A block of the file that ends in a checksum of its bytes. */
typedef struct block {
    size_t at, size;
} block;

typedef struct subject {
    unsigned char *bytes;
    size_t size;
    block blocks[BLOCKS];
    size_t block_count;
    uint64_t content;           /* hash of what is read */
} subject;

/* What the child that reads tells; shared. */
typedef struct tally {
    size_t next, count[OUTCOMES], told_badly;
    size_t again, other;        /* opened by a child as well; and what it said was another thing */
    char text[512];
} tally;

static tally *shared;
static bool looks_itself;
static char damaged[64];

carom_status carom_look(carom_context *ctx, const char *path, carom_look_reading *read);
carom_status carom_look(carom_context *ctx, const char *path, carom_look_reading *read)
{
    return looks_itself ? read(ctx, path) : look_by_child(ctx, path, read);
}

/* ---- numbers by chance ---- */

static uint64_t chance;

static uint64_t any(void)
{
    uint64_t z = chance += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static size_t below(size_t most) { return most ? (size_t)(any() % most) : 0; }

/* ---- checksums of HDF5: "lookup3", hashlittle(), by Bob Jenkins (public domain) ---- */

static uint32_t turned(uint32_t x, int k) { return x << k | x >> (32 - k); }

static uint32_t checksum(const unsigned char *key, size_t length)
{
    uint32_t a, b, c;
    a = b = c = 0xdeadbeefu + (uint32_t)length;
    if (length == 0)
        return c;
    uint32_t w[3];
    for (; length > 12; length -= 12, key += 12) {
        memcpy(w, key, 12);
        a += w[0], b += w[1], c += w[2];
        a -= c, a ^= turned(c, 4), c += b;
        b -= a, b ^= turned(a, 6), a += c;
        c -= b, c ^= turned(b, 8), b += a;
        a -= c, a ^= turned(c, 16), c += b;
        b -= a, b ^= turned(a, 19), a += c;
        c -= b, c ^= turned(b, 4), b += a;
    }
    unsigned char last[12] = {0};
    memcpy(last, key, length);
    memcpy(w, last, 12);
    a += w[0], b += w[1], c += w[2];
    c ^= b, c -= turned(b, 14);
    a ^= c, a -= turned(c, 11);
    b ^= a, b -= turned(a, 25);
    c ^= b, c -= turned(b, 16);
    a ^= c, a -= turned(c, 4);
    b ^= a, b -= turned(a, 14);
    c ^= b, c -= turned(b, 24);
    return c;
}

static void find_blocks(subject *s)
{
    static const char *const marks[] = {"OHDR", "OCHK", "FRHP", "FHIB", "FHDB", "BTHD", "BTIN", "BTLF", "EAHD", "EAIB",
                                        "EASB", "EADB", "FAHD", "FADB", "FSHD", "FSSE", "\x89HDF"};
    for (size_t k = 0; k + 16 < s->size && s->block_count < BLOCKS; k++)
        for (size_t m = 0; m < CAROM_COUNT(marks); m++) {
            if (memcmp(s->bytes + k, marks[m], 4) != 0)
                continue;
            for (size_t size = 8; size < MOST_BLOCK && k + size + 4 <= s->size; size++) {
                uint32_t sum;
                memcpy(&sum, s->bytes + k + size, sizeof sum);
                if (sum == checksum(s->bytes + k, size)) {
                    s->blocks[s->block_count++] = (block){k, size};
                    break;
                }
            }
        }
}

/* ---- damages ---- */

static void put_odd(unsigned char *at, size_t room)
{
    static const uint64_t odd[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000u, 0xffffffffu,
                                   UINT64_MAX, UINT64_MAX - 1, (uint64_t)1 << 40};
    const uint64_t value = odd[below(CAROM_COUNT(odd))];
    const size_t widths[] = {1, 2, 4, 8}, width = widths[below(4)];
    memcpy(at, &value, width < room ? width : room);
}

static void change(unsigned char *bytes, size_t size)
{
    for (size_t k = 0, count = 1 + below(below(4) ? 2 : 8); k < count; k++) {
        const size_t at = below(size);
        switch (below(4)) {
        case 0: bytes[at] ^= (unsigned char)(1u << below(8)); break;
        case 1: bytes[at] = (unsigned char)any(); break;
        case 2: bytes[at] = (unsigned char)(bytes[at] + (below(2) ? 1 : 255)); break;
        default: put_odd(bytes + at, size - at);
        }
    }
}

/* Damages a copy; returns its size. `meant`: by somebody who knows the format. */
static size_t damage(const subject *s, unsigned char *copy, bool *meant)
{
    memcpy(copy, s->bytes, s->size);
    const size_t span = (size_t)1 << (3 + below(10)), at = below(s->size), other = below(s->size);
    const size_t kind = below(10), length = span < s->size - at ? span : s->size - at;
    *meant = kind < 5 && s->block_count;
    if (*meant) { /* metadata whose checksum fits again */
        for (size_t k = 0, count = 1 + below(3); k < count; k++) {
            const block *b = &s->blocks[below(s->block_count)];
            change(copy + b->at + 4, b->size - 4);
            const uint32_t sum = checksum(copy + b->at, b->size);
            memcpy(copy + b->at + b->size, &sum, sizeof sum);
        }
    } else if (kind == 5 && s->block_count) {
        const block *b = &s->blocks[below(s->block_count)];
        change(copy + b->at, b->size + 4);
    } else if (kind == 6) {
        memset(copy + at, below(2) ? 0 : 255, length);
    } else if (kind == 7) {
        memmove(copy + at, s->bytes + other, length < s->size - other ? length : s->size - other);
    } else if (kind == 8) {
        return at;
    } else {
        change(copy, s->size);
    }
    return s->size;
}

/* ---- reading ---- */

static uint64_t hash_text(uint64_t hash, const char *text) { return carom_hash(text, strlen(text), hash); }

/* Reads all that the interface gives. */
static carom_status read_all(carom_context *ctx, carom_result *r, uint64_t *hash)
{
    size_t count, rows;
    const double *time, *values;
    const char *unit;
    const carom_result_derivative *derivatives;
    const carom_channel *list = carom_result_channels(r, &count);
    carom_ledger got;
    uint64_t h = hash_text(0, carom_result_status(r));
    h = hash_text(hash_text(h, carom_result_model_text(r)), carom_result_title(r));
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < list[k].size; i++) {
            char name[4096];
            snprintf(name, sizeof name, "%s%s%s", list[k].name, list[k].components ? "." : "",
                     list[k].components ? list[k].components[i] : "");
            CAROM_TRY(carom_result_column(r, name, &rows, &time, &values, &unit));
            h = carom_hash(values, rows * sizeof *values, carom_hash(time, rows * sizeof *time, hash_text(h, unit)));
        }
    const carom_impact *impacts = carom_result_impacts(r, &count);
    for (size_t k = 0; k < count; k++)
        h = carom_hash(&impacts[k].onset, sizeof(double), hash_text(h, impacts[k].contact));
    const carom_rest *rests = carom_result_rests(r, &count);
    for (size_t k = 0; k < count; k++)
        h = carom_hash(&rests[k].begin, sizeof(double), hash_text(h, rests[k].contact));
    const carom_fired_event *events = carom_result_events(r, &count);
    for (size_t k = 0; k < count; k++)
        h = hash_text(hash_text(h, events[k].event), events[k].action);
    const char *const *warnings = carom_result_warnings(r, &count);
    for (size_t k = 0; k < count; k++)
        h = hash_text(h, warnings[k]);
    carom_result_ledger(r, &got);
    CAROM_TRY(carom_result_derivatives(r, &derivatives, &count));
    for (size_t k = 0; k < count; k++)
        h = carom_hash(&derivatives[k].value, sizeof(double), hash_text(h, derivatives[k].parameter));
    *hash = carom_hash(&got, sizeof got, h);
    (void)ctx;
    return CAROM_OK;
}

/* OUTCOMES: neither read nor told as it should be. */
static enum outcome open_and_read(const char *path, uint64_t content)
{
    counting_allocator a = {0};
    carom_context *ctx = make_context(&a);
    carom_result *r = NULL;
    uint64_t hash = 0;
    carom_status status = carom_result_open(ctx, path, &r);
    if (status == CAROM_OK)
        status = read_all(ctx, r, &hash);
    const char *text = carom_context_error(ctx);
    enum outcome outcome = status != CAROM_OK ? REFUSED : hash == content ? SAME : OTHER;
    if (status != CAROM_OK && (!strstr(text, path) || !strstr(text, "; "))) {
        outcome = OUTCOMES;
        snprintf(shared->text, sizeof shared->text, "%.500s", text);
    } else if (status != CAROM_OK && strstr(text, "HDF5 cannot read it and ends")) {
        outcome = BY_SIGNAL;
    } else if (status != CAROM_OK && strstr(text, "CPU time")) {
        outcome = BY_TIME;
    }
    carom_result_close(r);
    carom_context_free(ctx);
    if (a.bytes || a.blocks) {
        snprintf(shared->text, sizeof shared->text, "%zu bytes are left", a.bytes);
        return OUTCOMES;
    }
    return outcome;
}

static void put_damaged(const unsigned char *bytes, size_t size)
{
    const int file = open(damaged, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size || ftruncate(file, (off_t)size) != 0)
        _exit(3);
    close(file);
}

/* As a child of carom_look() begins. */
static void begin_to_look(off_t size)
{
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, 2);
    set_limits(size);
    LIMIT(RLIMIT_CPU, RLIM_INFINITY);
    alarm(0);
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, SIGPROF); /* which set_limits() has blocked */
    sigprocmask(SIG_UNBLOCK, &own, NULL);
    H5Lunregister(H5L_TYPE_EXTERNAL);
}

/* Opens one by this process, and by a child where that has to be. */
static enum outcome try_one(const subject *s, const unsigned char *copy, size_t size, bool itself)
{
    const struct itimerval most = {.it_value.tv_sec = SECONDS}, none = {0};
    enum outcome first = OUTCOMES;
    put_damaged(copy, size);
    if (itself) {
        looks_itself = true;
        setitimer(ITIMER_PROF, &most, NULL);
        first = open_and_read(damaged, s->content);
        setitimer(ITIMER_PROF, &none, NULL);
        looks_itself = false;
        if (first != OUTCOMES && shared->next % COMPARED != 0)
            return first;
        put_damaged(copy, size); /* opening mends one of a run that was killed */
        shared->again++;
    }
    const enum outcome outcome = open_and_read(damaged, s->content);
    if (first != OUTCOMES && first != outcome)
        shared->other++;
    shared->told_badly += outcome == OUTCOMES;
    return outcome == OUTCOMES ? REFUSED : outcome;
}

/* Damages from number `shared->next` on, until all are made; `itself`: looks at some thousands without a child. */
static void work(const subject *s, uint64_t seed, size_t count, bool itself)
{
    unsigned char *copy = test_malloc(s->size);
    for (const size_t first = shared->next; shared->next < count; shared->next++) {
        if (itself && shared->next - first == A_PROCESS)
            break;
        chance = seed + shared->next * 0x1000003u;
        bool meant;
        const size_t size = damage(s, copy, &meant);
        const enum outcome outcome = try_one(s, copy, size, itself);
        shared->count[outcome == OTHER && !meant ? UNNOTICED : outcome]++;
        if (shared->next % 20000 == 19999)
            print_message("%zu\n", shared->next + 1);
    }
    test_free(copy);
}

/* Works in a child; returns its wait status. */
static int work_apart(const subject *s, uint64_t seed, size_t count, bool itself)
{
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (int fault = 1; fault < 32; fault++) /* cmocka's go on with the next test */
            signal(fault, SIG_DFL);
        if (itself)
            begin_to_look((off_t)s->size);
        work(s, seed, count, itself);
        fflush(NULL);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* Of all children that have ended. */
static double cpu_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void damage_many(const subject *s, const char *what, size_t count)
{
    int number = 0;
    const char *of = getenv("CAROM_DAMAGES_OF"), *at = getenv("CAROM_DAMAGES_AT");
    if (of && strcmp(of, what) != 0)
        return;
    const uint64_t seed = (uint64_t)(sample_first(1 << 28, &number)) << 32;
    const bool itself = count >= MANY;
    const double begin = cpu_seconds();
    size_t ended = 0;
    snprintf(damaged, sizeof damaged, "/dev/shm/carom-damaged-%d.h5", (int)getpid());
    const int place = open(damaged, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (place < 0)
        snprintf(damaged, sizeof damaged, "%s", DAMAGED);
    else
        close(place);
    *shared = (tally){0};
    if (at) { /* one of them, in this process */
        shared->next = strtoull(at, NULL, 10);
        work(s, seed, shared->next + 1, false);
    }
    while (shared->next < count) {
        int status = work_apart(s, seed, count, itself);
        if (itself && status != 0) {
            ended++;
            status = work_apart(s, seed, shared->next + 1, false);
        }
        if (status != 0) {
            print_error("%s: damage %zu of seed %llx: wait status %#x\n", what, shared->next, (unsigned long long)seed,
                        (unsigned)status);
            char name[64], command[256];
            snprintf(name, sizeof name, "found-%s-%zu.h5", what, shared->next);
            snprintf(command, sizeof command, "cp %s %s", damaged, name);
            if (system(command) != 0)
                print_error("%s: is not kept\n", damaged);
            shared->count[DIED]++;
            shared->next++;
        }
    }
    unlink(damaged);
    const size_t *n = shared->count;
    print_message("%s, %zu bytes, %zu blocks: %zu damages: %zu read as before, %zu with other numbers (%zu "
                  "by accident)\n",
                  what, s->size, s->block_count, count, n[SAME], n[OTHER] + n[UNNOTICED], n[UNNOTICED]);
    print_message("%zu told as damaged, %zu of them where HDF5 ends by a signal, %zu that take too long; %zu ended the "
                  "reader\n",
                  n[REFUSED] + n[BY_SIGNAL] + n[BY_TIME], n[BY_SIGNAL], n[BY_TIME], n[DIED]);
    if (itself)
        print_message("%zu ended the process that looks at many, %zu were opened by a child as well: %zu of them were "
                      "another thing there; %.3g ms of CPU time each\n", ended, ended + shared->again, shared->other,
                      1e3 * (cpu_seconds() - begin) / (double)count);
    if (shared->told_badly)
        print_error("%s: %zu times: %s\n", what, shared->told_badly, shared->text);
    assert_int_equal(shared->count[DIED] + shared->told_badly, 0);
}

/* ---- files ---- */

static void take(subject *s, const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    s->size = (size_t)ftell(file);
    rewind(file);
    s->bytes = test_malloc(s->size);
    assert_int_equal(fread(s->bytes, 1, s->size, file), s->size);
    fclose(file);
    find_blocks(s);
    carom_context *ctx = new_context();
    carom_result *r = NULL;
    assert_ok(ctx, carom_result_open(ctx, path, &r));
    assert_ok(ctx, read_all(ctx, r, &s->content));
    carom_result_close(r);
    carom_context_free(ctx);
}

static void write_some(carom_context *ctx, bool die)
{
    carom_writer_def def = make_def(FILE_A);
    carom_writer *writer = NULL;
    assert_int_equal(carom_writer_create(ctx, &def, &writer), CAROM_OK);
    const carom_sink *sink = carom_writer_sink(writer);
    send(sink, 0, 0, 300);
    send(sink, 1, 0, 100);
    send(sink, 2, 0, 20);
    const carom_rest rest = {.contact = "floor", .begin = 0.1, .duration = 0.2, .ended = 1};
    const carom_fired_event event = {.event = "lock", .kind = "lock", .action = "pin", .time = 0.1};
    for (size_t k = 0; k < 5; k++) {
        carom_impact impact = impact_at(k);
        assert_int_equal(sink->impact(sink->user, &impact), CAROM_OK);
        assert_int_equal(sink->rest(sink->user, &rest), CAROM_OK);
        assert_int_equal(sink->event(sink->user, &event), CAROM_OK);
    }
    assert_int_equal(carom_writer_warn(writer, "contact 'hit': faster than the law allows"), CAROM_OK);
    if (die)
        kill(getpid(), SIGKILL);
    assert_int_equal(carom_writer_close(writer, &ledger, "completed"), CAROM_OK);
}

static void test_closed(void **state)
{
    static subject s;
    carom_context *ctx = new_context();
    write_some(ctx, false);
    carom_context_free(ctx);
    take(&s, FILE_A);
    damage_many(&s, "closed", *(const size_t *)*state);
    test_free(s.bytes);
}

static void test_killed(void **state)
{
    static subject s, after;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        carom_context *ctx = new_context();
        write_some(ctx, true);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(link(FILE_A, "killed.h5"), 0);
    FILE *file = fopen("killed.h5", "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    s.size = (size_t)ftell(file);
    rewind(file);
    s.bytes = test_malloc(s.size);
    assert_int_equal(fread(s.bytes, 1, s.size, file), s.size);
    fclose(file);
    find_blocks(&s);
    take(&after, "killed.h5"); /* opening mends the file */
    s.content = after.content;
    damage_many(&s, "killed", *(const size_t *)*state);
    test_free(s.bytes);
    test_free(after.bytes);
}

/* A result of the program, with derivatives and more than eight links in each group. */
static void test_of_a_run(void **state)
{
    static subject s;
    char command[2048];
    if (!CAROM_EXECUTABLE[0])
        skip();
    snprintf(command, sizeof command, "'%s' run '%s/bouncing_ball.yaml' --derivatives e -q -o run >/dev/null 2>&1",
             CAROM_EXECUTABLE, CAROM_MODELS);
    assert_int_equal(system(command), 0);
    take(&s, "run/bouncing_ball.h5");
    damage_many(&s, "run", *(const size_t *)*state);
    test_free(s.bytes);
}

/* ---- files that are whole, and ask for what they must not have ---- */

static void link_outside(hid_t file)
{
    hid_t other = H5Fcreate("other.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Ocopy(file, "time", other, "time", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(other);
    H5Ldelete(file, "time", H5P_DEFAULT);
    H5Lcreate_external("other.h5", "/time", file, "time", H5P_DEFAULT, H5P_DEFAULT);
}

/* Puts a column that nothing is written to in the place of an impact's. */
static void put_column(hid_t file, hid_t plan)
{
    const hsize_t rows = 5;
    hid_t space = H5Screate_simple(1, &rows, NULL);
    H5Ldelete(file, "impacts/v_in", H5P_DEFAULT);
    H5Dclose(H5Dcreate2(file, "impacts/v_in", H5T_IEEE_F64LE, space, H5P_DEFAULT, plan, H5P_DEFAULT));
    H5Sclose(space);
}

static void keep_outside(hid_t file)
{
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(plan, FILE_A, 0, 5 * sizeof(double));
    put_column(file, plan);
    H5Pclose(plan);
}

/* Rows that the file has no bytes for. */
static void leave_unwritten(hid_t file) { put_column(file, H5P_DEFAULT); }

/* Puts a packed chunk of zeros, so many bytes, in the place of the first one. */
static void put_chunk(hid_t file, const char *link, size_t bytes)
{
    const hsize_t place[2] = {0, 0};
    unsigned char *zeros = test_calloc(bytes, 1), *packed = test_malloc(bytes + 1000);
    uLongf count = bytes + 1000;
    compress(packed, &count, zeros, bytes);
    hid_t set = H5Dopen2(file, link, H5P_DEFAULT);
    H5Dwrite_chunk(set, H5P_DEFAULT, 0, place, count, packed);
    H5Dclose(set);
    test_free(zeros);
    test_free(packed);
}

static void put_short_chunk(hid_t file) { put_chunk(file, "channels/body.slider.angle", 100); }
static void put_long_chunk(hid_t file) { put_chunk(file, "channels/body.slider.angle", 10000000); }

static void put_short_impacts(hid_t file) { put_chunk(file, "impacts/v_in", 100); }

static void widen(hid_t file)
{
    const hsize_t extent[2] = {5, 1000};
    hid_t space = H5Screate_simple(2, extent, NULL);
    H5Ldelete(file, "impacts/v_in", H5P_DEFAULT);
    H5Dclose(H5Dcreate2(file, "impacts/v_in", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
}

static void tell_of_more(hid_t file)
{
    const hsize_t extent[2] = {2000000000, 1};
    const int64_t rows[CAROM_H5_COMPLETE_COUNT] = {2000000000, 100, 5, 20, 1};
    hid_t set = H5Dopen2(file, "time", H5P_DEFAULT);
    H5Dset_extent(set, extent);
    H5Dclose(set);
    set = H5Dopen2(file, CAROM_H5_COMPLETE, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows);
    H5Dclose(set);
}

static void test_hostile(void **state)
{
    (void)state;
    static void (*const make[])(hid_t) = {link_outside, keep_outside, leave_unwritten, put_short_chunk, put_long_chunk,
                                          put_short_impacts, widen, tell_of_more};
    for (size_t k = 0; k < CAROM_COUNT(make); k++) {
        carom_context *ctx = new_context();
        write_some(ctx, false);
        hid_t file = H5Fopen(FILE_A, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(file >= 0);
        make[k](file);
        H5Fclose(file);
        carom_result *r = NULL;
        uint64_t hash;
        carom_status status = carom_result_open(ctx, FILE_A, &r);
        if (status == CAROM_OK)
            status = read_all(ctx, r, &hash);
        if (status != CAROM_ERROR_IO || !strstr(carom_context_error(ctx), FILE_A))
            fail_msg("file %zu: %s: %s", k, carom_status_name(status), carom_context_error(ctx));
        carom_result_close(r);
        carom_context_free(ctx);
    }
}

/* ---- types of numbers whose bits lie beyond their bytes ---- */

/* Message of the type IEEE_F64LE: class and version, bit field, size; offset, precision, places and sizes of exponent
   and mantissa, bias. */
static const unsigned char real[] = {0x11, 0x20, 0x3f, 0,    8, 0,    0,    0, 0, 0,
                                     0x40, 0,    0x34, 0x0b, 0, 0x34, 0xff, 3, 0, 0};
enum { SIGN_AT = 2, OFFSET_AT = 8, PRECISION_AT = 11, EXPONENT_AT, EXPONENT_BITS_AT, MANTISSA_AT, MANTISSA_BITS_AT };

static void test_types(void **state)
{
    (void)state;
    static const int fields[] = {SIGN_AT,          OFFSET_AT,   PRECISION_AT,    EXPONENT_AT,
                                 EXPONENT_BITS_AT, MANTISSA_AT, MANTISSA_BITS_AT};
    static subject s;
    size_t types = 0, refused = 0;
    carom_context *ctx = new_context();
    write_some(ctx, false);
    carom_context_free(ctx);
    take(&s, FILE_A);
    snprintf(damaged, sizeof damaged, "%s", DAMAGED);
    unsigned char *copy = test_malloc(s.size);
    for (size_t k = 0; k < s.block_count; k++)
        for (size_t at = s.blocks[k].at, end = at + s.blocks[k].size; at + sizeof real <= end; at++) {
            if (memcmp(s.bytes + at, real, sizeof real) != 0)
                continue;
            memcpy(copy, s.bytes, s.size);
            copy[at + (size_t)fields[types++ % CAROM_COUNT(fields)]] = 0xf1;
            const uint32_t sum = checksum(copy + s.blocks[k].at, s.blocks[k].size);
            memcpy(copy + end, &sum, sizeof sum);
            put_damaged(copy, s.size);
            const enum outcome outcome = open_and_read(damaged, s.content);
            if (outcome != REFUSED && outcome != SAME)
                fail_msg("type %zu, at %zu, byte %d: outcome %d", types - 1, at,
                         fields[(types - 1) % CAROM_COUNT(fields)], (int)outcome);
            refused += outcome == REFUSED;
        }
    print_message("%zu types of numbers, %zu told as damaged, by HDF5 or before it\n", types, refused);
    assert_true(types > 20 && refused > types / 2);
    test_free(copy);
    test_free(s.bytes);
}

int main(void)
{
    const char *asked = getenv("CAROM_DAMAGES");
    static size_t count = DAMAGES;
#ifdef __SANITIZE_ADDRESS__
    count = DAMAGES / 4;
#endif
    count = asked ? strtoull(asked, NULL, 10) : sample_all() ? 20 * count : count;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_closed, &count),
        cmocka_unit_test_prestate(test_killed, &count),
        cmocka_unit_test_prestate(test_of_a_run, &count),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_types),
    };
    if (shared == MAP_FAILED)
        return 1;
    unlink("killed.h5");
    return cmocka_run_group_tests_name("damage", tests, NULL, NULL);
}

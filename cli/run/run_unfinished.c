/* Runs that are killed and go on by the same command: --checkpoint-every. The clock decides when the file is written,
   and no bit of the run. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "run/run.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Steps from one point to the next, at most. A restart costs methods of variable order some tens of steps. */
#define FIXED_STEPS 200
#define STEPS 1000
#define PATIENCE 2 /* how long a signal may wait for the next point [s] */

/* Parts of the file, in their order. */
enum { PART_KEYS, PART_TOLD, PART_SIMULATION, PART_WRITER, PART_ROWS, PART_COUNT = PART_ROWS + UNFINISHED_GROUPS };

typedef struct file_head {
    char magic[16];
    uint64_t hash; /* of all behind it */
    uint64_t size[PART_COUNT];
} file_head;

static const char magic[16] = "carom-unfinished";

typedef struct part {
    void *bytes;
    size_t size;
} part;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int run_unfinished_every(const char *command, const char *text, double *seconds)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
    char *end = NULL;
    *seconds = 0;
    if (!text)
        return EXIT_DONE;
    const double number = strtod(text, &end);
    const bool is_number = end != text && number > 0 && isfinite(number);
    while (*end == ' ' || *end == '*')
        end++;
    for (size_t k = 0; is_number && k < COUNT(units); k++)
        if (strcmp(end, units[k].unit) == 0)
            *seconds = number * units[k].seconds;
    if (*seconds > 0)
        return EXIT_DONE;
    if (is_number && !*end)
        return usage_error(command, "--checkpoint-every %s: of what? It is a time of the clock: %ss, %smin or %sh",
                           text, text, text, text);
    return usage_error(command, "--checkpoint-every takes a time of the clock, such as 30s, 10min or 2h, not '%s'",
                       text);
}

/* ---- whose file it is ---- */

static uint64_t hash_bytes(const void *bytes, size_t size, uint64_t hash)
{
    const unsigned char *b = bytes;
    for (size_t k = 0; k < size; k++)
        hash = (hash ^ b[k]) * 1099511628211u;
    return hash;
}

#define HASH_SEED 14695981039346656037u

/* A line "KEY: VALUE", of which `text` may be NULL, at the end of others; NULL: out of memory. */
static char *add_key(char *lines, const char *key, const char *text)
{
    char *longer = lines ? format_text("%s%s: %s\n", lines, key, text ? text : "") : NULL;
    free(lines);
    for (char *c = longer ? strrchr(longer, '\n') - strlen(text ? text : "") : NULL; c && c[1]; c++)
        if (*c == '\n')
            *c = ' ';
    return longer;
}

static char *add_number(char *lines, const char *key, double number)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", number);
    return add_key(lines, key, text);
}

static char *add_list(char *lines, const char *key, const text_list *list)
{
    for (size_t k = 0; k < list->count; k++)
        lines = add_key(lines, key, list->items[k]);
    return add_number(lines, key, (double)list->count);
}

/* All that the bits of the run depend on, a line each, as a user would say it. */
static char *make_keys(const run_job *job)
{
    const run_options *o = job->options;
    const carom_run_def run = run_job_def(job);
    const char *text = job->spec->text ? job->spec->text : "";
    char hash[32];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)hash_bytes(text, strlen(text), HASH_SEED));
    char *lines = format_text("version of Carom: %s\n", carom_version());
    lines = add_key(lines, "text of the model", hash);
    lines = add_number(lines, "number of the analysis", (double)job->index + 1);
    lines = add_list(lines, "--set", &o->set);
    lines = add_list(lines, "--input", &o->inputs);
    lines = add_key(lines, "integrator", carom_simulation_integrator(job->sim));
    lines = add_key(lines, "formulation", carom_simulation_formulation(job->sim));
    lines = add_number(lines, "tolerance", o->tolerance > 0 ? o->tolerance : run.tolerance);
    lines = add_number(lines, "step", run.step);
    lines = add_number(lines, "end of the run", run.until);
    lines = add_number(lines, "output interval", run.output_every);
    lines = add_key(lines, "largest size", run.max_size);
    return add_key(lines, "results", o->no_results ? "not written" : "written");
}

/* Says in what the run of a file differs. */
static int refuse_other(const run_job *job, const char *theirs, const char *ours)
{
    while (*theirs && *theirs != '\n') {
        const size_t a = strcspn(theirs, "\n"), b = strcspn(ours, "\n");
        if (a != b || strncmp(theirs, ours, a) != 0) {
            const size_t key = strcspn(theirs, ":");
            return session_fail(job->session, EXIT_USAGE,
                                "%s: '%s' is of another run: its %.*s is '%.*s', and here it is '%.*s'; give the same "
                                "options and the same model, another folder, or remove the file to begin anew",
                                job->options->command, job->unfinished.path, (int)key, theirs,
                                (int)(a > key + 2 ? a - key - 2 : 0), theirs + key + 2,
                                (int)(b > key + 2 ? b - key - 2 : 0), b > key + 2 ? ours + key + 2 : "");
        }
        theirs += a + 1;
        ours += b + (ours[b] == '\n');
    }
    return session_fail(job->session, EXIT_USAGE,
                        "%s: '%s' is of another run; give another folder, or remove the file to begin anew",
                        job->options->command, job->unfinished.path);
}

/* ---- reading ---- */

static int refuse_damaged(const run_job *job)
{
    return session_fail(job->session, EXIT_IO, "%s: '%s' is damaged; remove it to begin anew", job->options->command,
                        job->unfinished.path);
}

/* The part of the bytes that were read. */
static part part_of(const run_unfinished *u, int index)
{
    file_head head;
    memcpy(&head, u->bytes, sizeof head);
    unsigned char *at = u->bytes + sizeof head;
    for (int k = 0; k < index; k++)
        at += head.size[k];
    return (part){at, (size_t)head.size[index]};
}

static bool is_whole(const run_unfinished *u)
{
    file_head head;
    if (u->size < sizeof head)
        return false;
    memcpy(&head, u->bytes, sizeof head);
    size_t left = u->size - sizeof head;
    for (int k = 0; k < PART_COUNT; k++) {
        if (head.size[k] > left)
            return false;
        left -= (size_t)head.size[k];
    }
    const size_t hashed = offsetof(file_head, size);
    return left == 0 && memcmp(head.magic, magic, sizeof magic) == 0 &&
           head.hash == hash_bytes(u->bytes + hashed, u->size - hashed, HASH_SEED) &&
           head.size[PART_TOLD] == sizeof u->of && head.size[PART_KEYS] > 0;
}

static int check_read(run_job *job)
{
    run_unfinished *u = &job->unfinished;
    if (!is_whole(u))
        return refuse_damaged(job);
    const part keys = part_of(u, PART_KEYS), told = part_of(u, PART_TOLD);
    if (((char *)keys.bytes)[keys.size - 1])
        return refuse_damaged(job);
    char *ours = make_keys(job);
    if (!ours)
        return memory_error();
    const int result = strcmp(ours, keys.bytes) == 0 ? EXIT_DONE : refuse_other(job, keys.bytes, ours);
    free(ours);
    if (result != EXIT_DONE)
        return result;
    memcpy(&u->of, told.bytes, sizeof u->of);
    u->of.count++;
    if (!job->options->no_results && access(job->results, R_OK) != 0)
        return session_fail(job->session, EXIT_IO,
                            "%s: '%s' needs the rows in '%s', which cannot be read: %s; put it back, or remove the "
                            "former to begin anew",
                            job->options->command, u->path, job->results, strerror(errno));
    return EXIT_DONE;
}

int run_unfinished_prepare(run_job *job, char *path)
{
    run_unfinished *u = &job->unfinished;
    u->path = path;
    u->every = job->options->checkpoint_seconds;
    if (!path)
        return memory_error();
    struct stat info;
    if (stat(path, &info) != 0)
        return EXIT_DONE;
    struct tm local;
    if (localtime_r(&info.st_mtime, &local))
        strftime(u->written, sizeof u->written, "%Y-%m-%d %H:%M:%S", &local);
    const int result = run_read_file(path, &u->bytes, &u->size);
    return result == EXIT_DONE ? check_read(job) : result;
}

/* ---- writing ---- */

static bool write_all(int file, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size > 0) {
        const ssize_t written = write(file, from, size);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            from += written;
            size -= (size_t)written;
        }
    }
    return true;
}

/* So that the name lasts as well. Where a folder cannot be opened or synchronised, the file is there all the same. */
static void synchronise_folder(const char *path)
{
    char *folder = format_text("%s", path);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        slash[slash == folder] = '\0';
    const int file = folder ? open(slash ? folder : ".", O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        (void)fsync(file);
        close(file);
    }
    free(folder);
}

/* Another file takes the place of the former one when it is whole and on the disk. */
static int write_parts(const run_unfinished *u, const part *parts)
{
    file_head head = {.hash = HASH_SEED};
    memcpy(head.magic, magic, sizeof magic);
    for (int k = 0; k < PART_COUNT; k++)
        head.size[k] = parts[k].size;
    head.hash = hash_bytes(head.size, sizeof head.size, HASH_SEED);
    for (int k = 0; k < PART_COUNT; k++)
        head.hash = hash_bytes(parts[k].bytes, parts[k].size, head.hash);
    char *other = format_text("%s.part", u->path);
    if (!other)
        return memory_error();
    const int file = open(other, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool done = file >= 0 && write_all(file, &head, sizeof head);
    for (int k = 0; done && k < PART_COUNT; k++)
        done = write_all(file, parts[k].bytes, parts[k].size);
    done = done && fsync(file) == 0;
    int error = errno;
    if (file >= 0 && close(file) != 0 && done) {
        error = errno;
        done = false;
    }
    if (done && rename(other, u->path) != 0) {
        error = errno;
        done = false;
    }
    if (done)
        synchronise_folder(u->path);
    else
        unlink(other);
    free(other);
    if (done)
        return EXIT_DONE;
    print_error("cannot write '%s': %s; make room on the disk, or give another folder by --output", u->path,
                strerror(error));
    return EXIT_IO;
}

/* Numbers in a row of a group, its time not among them. */
static size_t row_width(const run_job *job, int group)
{
    size_t count, width = 0;
    const carom_channel *channels = carom_simulation_channels(job->sim, &count);
    for (size_t k = 0; k < count; k++)
        width += channels[k].group == group ? (size_t)channels[k].size : 0;
    return width;
}

/* The rows of a group that wait for the end of their block: times, then numbers. */
static bool take_rows(run_job *job, int group, part *out)
{
    const double *time, *data;
    const size_t rows = carom_simulation_pending_rows(job->sim, group, &time, &data);
    const size_t width = row_width(job, group);
    job->unfinished.of.waiting[group] = rows;
    out->size = rows * (width + 1) * sizeof(double);
    out->bytes = malloc(out->size + 1);
    if (out->bytes && rows) {
        memcpy(out->bytes, time, rows * sizeof *time);
        memcpy((double *)out->bytes + rows, data, rows * width * sizeof *data);
    }
    return out->bytes != NULL;
}

static int write_now(run_job *job)
{
    run_unfinished *u = &job->unfinished;
    part parts[PART_COUNT] = {{NULL, 0}};
    unsigned char *simulation = NULL, *writer = NULL;
    size_t simulation_size = 0, writer_size = 0;
    carom_status status = carom_simulation_checkpoint(job->sim, &simulation, &simulation_size);
    if (status == CAROM_OK && u->writer)
        status = carom_writer_save(u->writer, &writer, &writer_size);
    bool room = true;
    for (int group = 0; group < UNFINISHED_GROUPS; group++)
        room = take_rows(job, group, &parts[PART_ROWS + group]) && room;
    run_resumption told = u->of;
    told.time = carom_simulation_time(job->sim);
    told.seconds += now() - u->begun;
    char *keys = make_keys(job);
    parts[PART_KEYS] = (part){keys, keys ? strlen(keys) + 1 : 0};
    parts[PART_TOLD] = (part){&told, sizeof told};
    parts[PART_SIMULATION] = (part){simulation, simulation_size};
    parts[PART_WRITER] = (part){writer, writer_size};
    int result = status != CAROM_OK ? session_error(job->session, status)
                 : room && keys     ? write_parts(u, parts)
                                    : memory_error();
    carom_bytes_free(job->session->ctx, simulation, simulation_size);
    carom_bytes_free(job->session->ctx, writer, writer_size);
    for (int group = 0; group < UNFINISHED_GROUPS; group++)
        free(parts[PART_ROWS + group].bytes);
    free(keys);
    u->last = now();
    return result;
}

/* ---- the run ---- */

static carom_status on_point(void *user, carom_simulation *sim)
{
    run_job *job = user;
    run_unfinished *u = &job->unfinished;
    (void)sim;
    if (!caught_signal() && now() - u->last < u->every)
        return CAROM_OK;
    job->stop_status = write_now(job);
    return job->stop_status != EXIT_DONE ? CAROM_ERROR_IO : caught_signal() ? CAROM_INTERRUPTED : CAROM_OK;
}

bool run_unfinished_waits(run_job *job)
{
    run_unfinished *u = &job->unfinished;
    if (!u->path)
        return false;
    if (u->asked == 0)
        u->asked = now();
    return now() - u->asked < PATIENCE;
}

carom_status run_unfinished_open(run_job *job, const carom_writer_def *def, carom_writer **writer)
{
    run_unfinished *u = &job->unfinished;
    carom_writer_def own = *def;
    own.resumable = u->path != NULL;
    const part saved = u->bytes ? part_of(u, PART_WRITER) : (part){NULL, 0};
    const carom_status status =
        u->bytes ? carom_writer_continue(job->session->ctx, &own, saved.bytes, saved.size, writer)
                 : carom_writer_create(job->session->ctx, &own, writer);
    u->writer = *writer;
    return status;
}

/* Hands the rows of a group that wait to the simulation; `damaged`: there are not as many as are told. */
static carom_status give_rows(run_job *job, int group, bool *damaged)
{
    const run_unfinished *u = &job->unfinished;
    const part rows = part_of(u, PART_ROWS + group);
    const size_t waiting = (size_t)u->of.waiting[group], row = (row_width(job, group) + 1) * sizeof(double);
    *damaged = rows.size % row || rows.size / row != waiting;
    if (*damaged || (!u->writer && !waiting))
        return CAROM_OK;
    double *numbers = malloc(rows.size + 1); /* where a double may stand */
    if (!numbers)
        return CAROM_ERROR_MEMORY;
    memcpy(numbers, rows.bytes, rows.size);
    const carom_status status = carom_simulation_continue_rows(job->sim, group, (size_t)u->of.given[group], waiting,
                                                               numbers, numbers + waiting);
    free(numbers);
    return status;
}

static int go_on(run_job *job)
{
    run_unfinished *u = &job->unfinished;
    const part state = part_of(u, PART_SIMULATION);
    bool damaged = false;
    carom_status status = carom_simulation_continue(job->sim, state.bytes, state.size);
    for (int group = 0; group < UNFINISHED_GROUPS && status == CAROM_OK && !damaged; group++)
        status = give_rows(job, group, &damaged);
    free(u->bytes);
    u->bytes = NULL;
    if (status == CAROM_ERROR_MEMORY)
        return memory_error();
    return status != CAROM_OK ? session_error(job->session, status) : damaged ? refuse_damaged(job) : EXIT_DONE;
}

int run_unfinished_begin(run_job *job)
{
    run_unfinished *u = &job->unfinished;
    if (!u->path)
        return EXIT_DONE;
    const int result = u->bytes ? go_on(job) : EXIT_DONE;
    if (result != EXIT_DONE)
        return result;
    const size_t steps = carom_simulation_step_size(job->sim) > 0 ? FIXED_STEPS : STEPS;
    const carom_status status = carom_simulation_set_points(job->sim, steps, on_point, job);
    u->begun = u->last = now();
    return status == CAROM_OK ? EXIT_DONE : session_error(job->session, status);
}

void run_unfinished_end(run_job *job, bool ended)
{
    if (job->unfinished.path && ended)
        unlink(job->unfinished.path);
}

void run_unfinished_free(run_unfinished *u)
{
    free(u->path);
    free(u->bytes);
    *u = (run_unfinished){.path = NULL};
}

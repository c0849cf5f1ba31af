/* carom-sweep-mpi: `carom sweep` over the processes of MPI. Process 0 holds the store and hands out the runs, the
   others make them. What a process that dies had under way is lost, and made by the next call of the same command. */
#include "sweep/sweep.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TAG_WORK = 1, TAG_MADE };

#define PORTION_SECONDS 0.1 /* work of a portion */
#define MOST_PORTION 4096   /* runs of it */
#define SEND_SECONDS 0.05   /* between messages of what is made */
#define MOST_MESSAGE 512

/* A run that is made, as it is sent; its quantities and its message stand behind it. */
typedef struct made_head {
    uint64_t run;
    double seconds;
    uint32_t status, length;
} made_head;

static const char *const statuses[] = {"completed", "completed, inaccurate", "failed", "refused", "out of time"};

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Waits without taking a core, longer the longer nothing has come. */
static void rest(unsigned *idle)
{
    const long microseconds = *idle < 20 ? 50 : *idle < 200 ? 500 : 2000;
    ++*idle;
    nanosleep(&(struct timespec){.tv_nsec = 1000 * microseconds}, NULL);
}

/* ---- process 0 ---- */

typedef struct worker {
    size_t pending; /* runs that it has */
    bool ended;
} worker;

typedef struct dealer {
    sweep *w;
    worker *workers;
    int size;
    size_t next;
    double run_seconds, made; /* of the runs so far */
    unsigned char *bytes;
    size_t room;
} dealer;

/* Runs of the next portion: about a tenth of a second, few where few are left, so that all end at once. */
static size_t portion(const dealer *d)
{
    const size_t left = d->w->todo_count - d->next;
    const double mean = d->made > 0 ? d->run_seconds / d->made : PORTION_SECONDS;
    const double wanted = fmin(MOST_PORTION, fmax(1, PORTION_SECONDS / fmax(mean, 1e-9)));
    const double share = ceil((double)left / (2.0 * (d->size - 1)));
    const double count = fmin(wanted, share);
    return count < (double)left ? (size_t)count : left;
}

static void deal(dealer *d, int rank)
{
    worker *one = &d->workers[rank];
    uint64_t runs[MOST_PORTION];
    const size_t count = sweep_goes_on(d->w) ? portion(d) : 0;
    if (one->ended || (count == 0 && one->pending > 0))
        return;
    for (size_t k = 0; k < count; k++)
        runs[k] = d->w->todo[d->next++];
    MPI_Send(runs, (int)(count * sizeof *runs), MPI_BYTE, rank, TAG_WORK, MPI_COMM_WORLD);
    one->pending += count;
    one->ended = count == 0;
}

/* Takes a message of runs that were made. */
static int take(dealer *d, const MPI_Status *probed)
{
    int size;
    MPI_Get_count(probed, MPI_BYTE, &size);
    if ((size_t)size > d->room) {
        unsigned char *more = realloc(d->bytes, (size_t)size);
        if (!more)
            return memory_error();
        d->bytes = more;
        d->room = (size_t)size;
    }
    if (MPI_Recv(d->bytes, size, MPI_BYTE, probed->MPI_SOURCE, TAG_MADE, MPI_COMM_WORLD, MPI_STATUS_IGNORE) !=
        MPI_SUCCESS)
        return EXIT_SOLVER;
    const size_t quantities = d->w->info.quantities * sizeof(double);
    double *numbers = malloc(quantities + sizeof *numbers);
    if (!numbers)
        return memory_error();
    for (size_t at = 0; at + sizeof(made_head) + quantities <= (size_t)size;) {
        made_head head;
        char message[MOST_MESSAGE + 1];
        memcpy(&head, d->bytes + at, sizeof head);
        at += sizeof head;
        memcpy(numbers, d->bytes + at, quantities);
        at += quantities;
        memcpy(message, d->bytes + at, head.length);
        message[head.length] = '\0';
        at += head.length;
        const carom_study_outcome outcome = {statuses[head.status], message, head.seconds, numbers};
        sweep_take(d->w, (size_t)head.run, &outcome);
        d->workers[probed->MPI_SOURCE].pending--;
        d->run_seconds += head.seconds;
        d->made++;
    }
    free(numbers);
    return EXIT_DONE;
}

static bool all_ended(const dealer *d)
{
    for (int k = 1; k < d->size; k++)
        if (!d->workers[k].ended)
            return false;
    return true;
}

static int deal_all(dealer *d)
{
    unsigned idle = 0;
    int code = EXIT_DONE;
    double told = 0;
    for (int k = 1; k < d->size; k++)
        deal(d, k);
    while (code == EXIT_DONE && !all_ended(d) && caught_signal() == 0) {
        int there = 0;
        MPI_Status status;
        if (MPI_Iprobe(MPI_ANY_SOURCE, TAG_MADE, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS)
            code = EXIT_SOLVER;
        if (there && code == EXIT_DONE) {
            idle = 0;
            code = take(d, &status);
            /* the next portion is there before the one under way is made */
            if (d->workers[status.MPI_SOURCE].pending <= portion(d) / 2 + 1)
                deal(d, status.MPI_SOURCE);
        } else if (code == EXIT_DONE) {
            rest(&idle);
        }
        if (clock_seconds() - told > 0.05) {
            sweep_tick(d->w);
            told = clock_seconds();
        }
    }
    return code;
}

static size_t count_workers(const sweep *w)
{
    int size;
    (void)w;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size > 1 ? (size_t)size - 1 : 1;
}

/* Tells the others the study, as texts; none: there is nothing to do. */
static void tell_study(const carom_study_info *info)
{
    const char *texts[] = {info ? info->file : "", info ? info->text : "",
                           info && info->model_text ? info->model_text : ""};
    uint64_t sizes[4] = {info != NULL, 0, 0, 0};
    for (int k = 0; k < 3; k++)
        sizes[k + 1] = strlen(texts[k]) + 1;
    MPI_Bcast(sizes, 4, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int k = 0; k < 3; k++)
        MPI_Bcast((void *)(uintptr_t)texts[k], (int)sizes[k + 1], MPI_CHAR, 0, MPI_COMM_WORLD);
}

static bool told;

static int perform(sweep *w)
{
    dealer d = {.w = w};
    MPI_Comm_size(MPI_COMM_WORLD, &d.size);
    if (d.size == 1) {
        w->workers = 1;
        return sweep_threads.perform(w);
    }
    d.workers = calloc((size_t)d.size, sizeof *d.workers);
    if (!d.workers)
        return memory_error();
    tell_study(&w->info);
    told = true;
    const int code = deal_all(&d);
    free(d.workers);
    free(d.bytes);
    return code;
}

static const sweep_crew processes = {count_workers, perform};

/* ---- the others ---- */

typedef struct maker {
    carom_context *ctx;
    carom_study *study;
    carom_study_runner *runner;
    size_t quantities;
    unsigned char *bytes; /* what is made and not sent */
    size_t length, room;
    double sent;
} maker;

static bool go_on(void *user)
{
    (void)user;
    return caught_signal() == 0;
}

static void send_made(maker *m)
{
    if (m->length > 0)
        MPI_Send(m->bytes, (int)m->length, MPI_BYTE, 0, TAG_MADE, MPI_COMM_WORLD);
    m->length = 0;
    m->sent = clock_seconds();
}

static bool pack(maker *m, size_t run, const carom_study_outcome *o)
{
    const size_t length = strlen(o->message), kept = length < MOST_MESSAGE ? length : MOST_MESSAGE;
    const size_t numbers = m->quantities * sizeof(double), need = sizeof(made_head) + numbers + kept;
    if (m->length + need > m->room) {
        unsigned char *more = realloc(m->bytes, 2 * (m->length + need));
        if (!more)
            return false;
        m->bytes = more;
        m->room = 2 * (m->length + need);
    }
    made_head head = {.run = run, .seconds = o->seconds, .length = (uint32_t)kept};
    while (strcmp(statuses[head.status], o->status) != 0)
        head.status++;
    memcpy(m->bytes + m->length, &head, sizeof head);
    memcpy(m->bytes + m->length + sizeof head, o->quantities, numbers);
    memcpy(m->bytes + m->length + sizeof head + numbers, o->message, kept);
    m->length += need;
    return true;
}

/* Waits for a portion; returns its number of runs, 0: there are no more. */
static size_t receive(maker *m, uint64_t *runs)
{
    unsigned idle = 0;
    int there = 0, size = 0;
    MPI_Status status;
    while (!there && caught_signal() == 0) {
        MPI_Iprobe(0, TAG_WORK, MPI_COMM_WORLD, &there, &status);
        if (!there && m->length > 0)
            send_made(m);
        else if (!there)
            rest(&idle);
    }
    if (!there)
        return 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    MPI_Recv(runs, size, MPI_BYTE, 0, TAG_WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return (size_t)size / sizeof *runs;
}

static int make_all(maker *m)
{
    uint64_t runs[MOST_PORTION];
    size_t count;
    while ((count = receive(m, runs)) > 0)
        for (size_t k = 0; k < count; k++) {
            carom_study_outcome outcome;
            const carom_status status = carom_study_run(m->runner, (size_t)runs[k], go_on, NULL, &outcome);
            if (status == CAROM_INTERRUPTED)
                return EXIT_SIGNAL + caught_signal();
            if (status != CAROM_OK || !pack(m, (size_t)runs[k], &outcome))
                return memory_error();
            if (clock_seconds() - m->sent > SEND_SECONDS)
                send_made(m);
        }
    return EXIT_DONE;
}

/* The texts of process 0; false: there is nothing to do. */
static bool hear_study(char *texts[3])
{
    uint64_t sizes[4];
    MPI_Bcast(sizes, 4, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int k = 0; k < 3; k++) {
        texts[k] = malloc(sizes[k + 1]);
        if (!texts[k])
            MPI_Abort(MPI_COMM_WORLD, memory_error());
        MPI_Bcast(texts[k], (int)sizes[k + 1], MPI_CHAR, 0, MPI_COMM_WORLD);
    }
    return sizes[0] != 0;
}

static int work(void)
{
    char *texts[3];
    maker m = {.sent = clock_seconds()};
    int code = EXIT_DONE;
    if (hear_study(texts)) {
        watch_signals();
        carom_status status = carom_context_create(NULL, &m.ctx);
        if (status == CAROM_OK)
            status =
                carom_study_parse(m.ctx, texts[0], texts[1], strlen(texts[1]), texts[2][0] ? texts[2] : NULL, &m.study);
        if (status == CAROM_OK)
            status = carom_study_check(m.ctx, m.study);
        if (status == CAROM_OK)
            status = carom_study_runner_create(m.ctx, m.study, &m.runner);
        if (status == CAROM_OK) {
            m.quantities = carom_study_get_info(m.study).quantities;
            code = make_all(&m);
        } else {
            print_error("%s", carom_context_error(m.ctx));
            code = exit_status_of(status);
        }
        if (code != EXIT_DONE && caught_signal() == 0)
            MPI_Abort(MPI_COMM_WORLD, code);
        carom_study_runner_free(m.runner);
        carom_study_free(m.study);
        carom_context_free(m.ctx);
        free(m.bytes);
    }
    for (int k = 0; k < 3; k++)
        free(texts[k]);
    return code;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int code;
    if (rank == 0) {
        /* that another process has died is no reason to lose what is made */
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        code = sweep_command(argc - 1, argv + 1, &processes);
        if (!told && size > 1)
            tell_study(NULL);
        fflush(stdout);
    } else {
        code = work();
    }
    /* who is ended by a signal does not wait for the others */
    if (caught_signal())
        _exit(EXIT_SIGNAL + caught_signal());
    MPI_Finalize();
    /* mpirun tells of every process that ends with another status than 0: one is enough */
    return rank == 0 ? code : EXIT_DONE;
}

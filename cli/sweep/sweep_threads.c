/* The crew of `carom sweep`: threads, each with a context and a runner of its own. Under mpirun the command becomes
   carom-sweep-mpi. */
#include "support/own_path.h"
#include "support/signals.h"
#include "sweep/sweep.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* An outcome that waits for the store. */
typedef struct made {
    struct made *next;
    size_t run;
    double seconds;
    const char *status;
    char *message;
    double quantities[];
} made;

/* What the threads share. */
typedef struct crew {
    sweep *w;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next;    /* of `todo` */
    size_t working; /* threads */
    made *first, **end;
    carom_status status; /* of a thread that cannot work */
} crew;

static bool go_on(void *user)
{
    (void)user;
    return caught_signal() == 0;
}

static made *keep(const sweep *w, size_t run, const carom_study_outcome *o)
{
    const size_t count = w->info.quantities;
    made *m = malloc(sizeof *m + count * sizeof *m->quantities);
    char *message = format_text("%s", o->message);
    if (!m || !message) {
        free(m);
        free(message);
        return NULL;
    }
    *m = (made){.run = run, .seconds = o->seconds, .status = o->status, .message = message};
    memcpy(m->quantities, o->quantities, count * sizeof *m->quantities);
    return m;
}

static carom_status work_on(crew *c, carom_study_runner *runner)
{
    sweep *w = c->w;
    carom_status status = CAROM_OK;
    pthread_mutex_lock(&c->lock);
    while (c->next < w->todo_count && c->status == CAROM_OK && w->code == EXIT_DONE && caught_signal() == 0) {
        const size_t run = w->todo[c->next++];
        pthread_mutex_unlock(&c->lock);
        carom_study_outcome outcome;
        status = carom_study_run(runner, run, go_on, NULL, &outcome);
        made *m = status == CAROM_OK ? keep(w, run, &outcome) : NULL;
        if (status == CAROM_OK && !m)
            status = CAROM_ERROR_MEMORY;
        pthread_mutex_lock(&c->lock);
        if (status != CAROM_OK)
            break;
        *c->end = m;
        c->end = &m->next;
        pthread_cond_signal(&c->changed);
    }
    if (status != CAROM_OK && status != CAROM_INTERRUPTED && c->status == CAROM_OK)
        c->status = status;
    pthread_mutex_unlock(&c->lock);
    return status;
}

static void *work(void *user)
{
    crew *c = user;
    carom_context *ctx = NULL;
    carom_study_runner *runner = NULL;
    watch_faults_of_thread();
    carom_status status = carom_context_create(NULL, &ctx);
    if (status == CAROM_OK)
        status = carom_study_runner_create(ctx, c->w->study, &runner);
    if (status == CAROM_OK)
        work_on(c, runner);
    carom_study_runner_free(runner);
    carom_context_free(ctx);
    pthread_mutex_lock(&c->lock);
    if (status != CAROM_OK && c->status == CAROM_OK)
        c->status = status;
    c->working--;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void store_made(sweep *w, made *m)
{
    while (m) {
        made *next = m->next;
        const carom_study_outcome outcome = {m->status, m->message, m->seconds, m->quantities};
        sweep_take(w, m->run, &outcome);
        free(m->message);
        free(m);
        m = next;
    }
}

/* Takes what is made until nobody works. */
static void take_all(crew *c)
{
    pthread_mutex_lock(&c->lock);
    for (bool working = true; working;) {
        if (c->working > 0)
            progress_wait(&c->changed, &c->lock);
        working = c->working > 0;
        made *first = c->first;
        c->first = NULL;
        c->end = &c->first;
        pthread_mutex_unlock(&c->lock);
        store_made(c->w, first);
        sweep_tick(c->w);
        /* so that many short runs wake the writer seldom */
        if (working)
            nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        pthread_mutex_lock(&c->lock);
    }
    pthread_mutex_unlock(&c->lock);
}

static size_t count_workers(const sweep *w)
{
    double jobs = w->options->jobs;
    if (isnan(jobs)) {
        const long cores = sysconf(_SC_NPROCESSORS_ONLN);
        jobs = cores > 0 ? (double)cores : 1;
    }
    return (size_t)jobs;
}

static int perform(sweep *w)
{
    crew c = {.w = w, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    c.end = &c.first;
    const size_t wanted = w->workers < w->todo_count ? w->workers : w->todo_count;
    pthread_t *threads = malloc((wanted + 1) * sizeof *threads);
    size_t started = 0;
    int failure = threads ? 0 : ENOMEM;
    pthread_mutex_lock(&c.lock);
    while (failure == 0 && started < wanted) {
        failure = pthread_create(&threads[started], NULL, work, &c);
        started += failure == 0;
    }
    c.working = started;
    pthread_mutex_unlock(&c.lock);
    if (started > 0)
        take_all(&c);
    for (size_t k = 0; k < started; k++)
        pthread_join(threads[k], NULL);
    free(threads);
    pthread_mutex_destroy(&c.lock);
    pthread_cond_destroy(&c.changed);
    if (wanted > 0 && started == 0) {
        print_error("no thread could be started: %s", strerror(failure));
        return EXIT_SOLVER;
    }
    return c.status == CAROM_OK ? EXIT_DONE : memory_error();
}

const sweep_crew sweep_threads = {count_workers, perform};

/* ---- under mpirun ---- */

static bool is_under_mpi(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
    for (size_t k = 0; k < COUNT(names); k++) {
        const char *size = getenv(names[k]);
        if (size && atoi(size) > 1)
            return true;
    }
    return false;
}

/* Becomes carom-sweep-mpi, which stands beside this program; returns only if that fails. */
static int become_mpi(int argc, char **argv)
{
    char *path = path_beside("carom-sweep-mpi");
    char **arguments = calloc((size_t)argc + 2, sizeof *arguments);
    if (!path || !arguments) {
        free(path);
        free(arguments);
        return memory_error();
    }
    arguments[0] = path;
    memcpy(arguments + 1, argv, (size_t)argc * sizeof *arguments);
    execvp(path, arguments);
    print_error(
        "sweep: under mpirun the program '%s' is needed, which cannot be run: %s; build Carom where Open MPI is "
        "installed (libopenmpi-dev), or share the runs by --array K/N",
        path, strerror(errno));
    free(path);
    free(arguments);
    return EXIT_USAGE;
}

int command_sweep(int argc, char **argv)
{
    return is_under_mpi() ? become_mpi(argc, argv) : sweep_command(argc, argv, &sweep_threads);
}

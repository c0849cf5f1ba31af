/* Threads that share the tasks of predictions; they sleep between them. */
#include "fit/fit_call.h"
#include "support/save.h"
#include "support/signals.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes tasks until there are none; the lock is held at both ends. */
static void take_tasks(fit_pool *p, size_t worker)
{
    while (p->next < p->total) {
        const size_t k = p->next++;
        const carom_fit_task task = p->task;
        void *job = p->job;
        pthread_mutex_unlock(&p->lock);
        task(job, worker, k);
        pthread_mutex_lock(&p->lock);
    }
}

typedef struct seat {
    fit_pool *p;
    size_t worker;
} seat;

static void *work(void *user)
{
    seat *own = user;
    fit_pool *p = own->p;
    const size_t worker = own->worker;
    free(own);
    watch_faults_of_thread();
    pthread_mutex_lock(&p->lock);
    for (unsigned long seen = 0; !p->end;) {
        if (p->round == seen) {
            pthread_cond_wait(&p->work, &p->lock);
            continue;
        }
        seen = p->round;
        p->busy++;
        take_tasks(p, worker);
        p->busy--;
        pthread_cond_signal(&p->done);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

bool fit_pool_open(fit_pool *p, size_t workers)
{
    *p = (fit_pool){
        .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};
    p->threads = calloc(workers + 1, sizeof *p->threads);
    for (size_t k = 1; p->threads && k < workers; k++) {
        seat *s = malloc(sizeof *s);
        if (!s)
            break;
        *s = (seat){p, p->count + 1};
        if (pthread_create(&p->threads[p->count], NULL, work, s) != 0) {
            free(s);
            break;
        }
        p->count++;
    }
    return p->threads != NULL;
}

void fit_pool_perform(fit_pool *p, size_t count, carom_fit_task task, void *job)
{
    pthread_mutex_lock(&p->lock);
    p->task = task;
    p->job = job;
    p->next = 0;
    p->total = count;
    p->round++;
    if (count > 1)
        pthread_cond_broadcast(&p->work);
    take_tasks(p, 0);
    while (p->busy > 0)
        pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

void fit_pool_close(fit_pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->end = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (size_t k = 0; k < p->count; k++)
        pthread_join(p->threads[k], NULL);
    free(p->threads);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->work);
    pthread_cond_destroy(&p->done);
}

/* ---- what both commands share ---- */

/* The runs of a law alone take microseconds, and threads would wait for each other. */
size_t fit_workers(double jobs, bool of_model)
{
    if (!isnan(jobs))
        return (size_t)jobs;
    const long cores = of_model ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
    return cores > 0 ? (size_t)cores : 1;
}

int check_fit_jobs(const char *command, double jobs)
{
    if (isnan(jobs) || (jobs >= 1 && jobs <= 4096 && jobs == floor(jobs)))
        return EXIT_DONE;
    return usage_error(command, "--jobs takes a whole number from 1 to 4096, not '%.10g'", jobs);
}

int write_fit_model(const session *s, const char *path, const char *text)
{
    return save_text(path, text) ? EXIT_DONE
                                 : session_fail(s, EXIT_IO,
                                                "%s: cannot be written: %s; give another file by --model, or make room",
                                                path, strerror(errno));
}

/* Threads that share a loop: a team of workers for the whole process, which waits actively for a moment, then sleeps.
   The caller offers a loop, works on it like the others, and closes it when no number is left: it waits for workers
   that have come in, never for one that has not, so that a busy machine, or a child of fork() without workers, takes
   longer and no more. While one caller has the team, another one does its loop alone. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "base/team.h"
#include "base/os/cores.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

/* Loops over fewer numbers than this take less time than sharing them. */
#define SHORTEST 250
/* Looks for the next loop, some 50 us, and further ones, some 0.5 ms, between which others may have the processor,
   before a worker sleeps: loops of a step follow each other more closely. */
#define LOOKS 1000
#define MORE_LOOKS 1000
#define MOST_THREADS 256

/* The gate: whether a loop is open, how many more workers may come in, how many are in. */
#define OPEN 0x80000000u
#define ONE_MORE 0x1000u
#define MORE(gate) (((gate) & ~OPEN) / ONE_MORE)
#define IN(gate) ((gate) % ONE_MORE)

static struct {
    atomic_flag taken;          /* by a caller */
    atomic_uint loops;          /* that were offered */
    atomic_uint gate;
    atomic_int next, sleepers;
    /* the loop */
    void (*task)(void *user, int k);
    void *user;
    int count;
    int workers;                /* that there are */
    bool watched;               /* fork() is */
    pthread_mutex_t lock;
    pthread_cond_t wake, empty;
} team = {.taken = ATOMIC_FLAG_INIT,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER,
          .empty = PTHREAD_COND_INITIALIZER};

/* Between the look k and the next one. */
static void look_again(int k)
{
    if (k >= LOOKS) {
        sched_yield();
        return;
    }
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void take_numbers(void)
{
    const int count = team.count;
    for (int k; (k = atomic_fetch_add_explicit(&team.next, 1, memory_order_relaxed)) < count;)
        team.task(team.user, k);
}

/* ---- workers ---- */

static bool come_in(void)
{
    unsigned gate = atomic_load(&team.gate);
    while (gate & OPEN && MORE(gate) > 0)
        if (atomic_compare_exchange_weak(&team.gate, &gate, gate - ONE_MORE + 1))
            return true;
    return false;
}

static void leave(void)
{
    const unsigned gate = atomic_fetch_sub(&team.gate, 1) - 1;
    if (gate & OPEN || IN(gate) > 0)
        return;
    pthread_mutex_lock(&team.lock);
    pthread_cond_signal(&team.empty);
    pthread_mutex_unlock(&team.lock);
}

/* Waits for a loop after the `last` one. */
static unsigned next_loop(unsigned last)
{
    for (int k = 0; k < LOOKS + MORE_LOOKS; look_again(k++))
        if (atomic_load(&team.loops) != last)
            return atomic_load(&team.loops);
    pthread_mutex_lock(&team.lock);
    atomic_fetch_add(&team.sleepers, 1);
    while (atomic_load(&team.loops) == last)
        pthread_cond_wait(&team.wake, &team.lock);
    atomic_fetch_sub(&team.sleepers, 1);
    pthread_mutex_unlock(&team.lock);
    return atomic_load(&team.loops);
}

static void *work(void *unused)
{
    (void)unused;
    for (unsigned last = 0;;) {
        last = next_loop(last);
        if (come_in()) {
            take_numbers();
            leave();
        }
    }
    return NULL;
}

/* A child of fork() has no workers, and a lock may be that of one. */
static void forget_workers(void)
{
    team.workers = 0;
    atomic_store(&team.gate, 0);
    atomic_store(&team.sleepers, 0);
    pthread_mutex_init(&team.lock, NULL);
    pthread_cond_init(&team.wake, NULL);
    pthread_cond_init(&team.empty, NULL);
    atomic_flag_clear(&team.taken);
}

/* Called by who has taken the team. Fewer workers than asked for are enough. */
static void hire(int workers)
{
    sigset_t all, before;
    if (workers > MOST_THREADS - 1)
        workers = MOST_THREADS - 1;
    if (team.workers >= workers)
        return;
    if (!team.watched)
        team.watched = pthread_atfork(NULL, NULL, forget_workers) == 0;
    /* signals are for the threads of the program */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (pthread_t thread; team.workers < workers && pthread_create(&thread, NULL, work, NULL) == 0; team.workers++)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int carom_team_size(int asked)
{
    int size = asked > 0 ? asked : carom_os_cores(0);
    size = size < 1 ? 1 : size > MOST_THREADS ? MOST_THREADS : size;
    /* before the run, in which nothing is allocated */
    if (size > 1 && !atomic_flag_test_and_set(&team.taken)) {
        hire(size - 1);
        atomic_flag_clear(&team.taken);
    }
    return size;
}

/* ---- loops ---- */

/* Closes the loop and waits for those who are in. */
static void close_loop(void)
{
    unsigned gate = atomic_fetch_and(&team.gate, ~OPEN);
    for (int k = 0; k < LOOKS + MORE_LOOKS && IN(gate) > 0; look_again(k++))
        gate = atomic_load(&team.gate);
    if (IN(gate) == 0)
        return;
    pthread_mutex_lock(&team.lock);
    while (IN(atomic_load(&team.gate)) > 0)
        pthread_cond_wait(&team.empty, &team.lock);
    pthread_mutex_unlock(&team.lock);
}

void carom_team_run(int threads, int count, void (*task)(void *user, int k), void *user)
{
    if (threads > count)
        threads = count;
    if (threads < 2 || atomic_flag_test_and_set(&team.taken)) {
        for (int k = 0; k < count; k++)
            task(user, k);
        return;
    }
    hire(threads - 1);
    team.task = task;
    team.user = user;
    team.count = count;
    atomic_store(&team.next, 0);
    atomic_store(&team.gate, OPEN + ONE_MORE * ((unsigned)(threads < MOST_THREADS ? threads : MOST_THREADS) - 1));
    atomic_fetch_add(&team.loops, 1);
    if (atomic_load(&team.sleepers) > 0) {
        pthread_mutex_lock(&team.lock);
        pthread_cond_broadcast(&team.wake);
        pthread_mutex_unlock(&team.lock);
    }
    take_numbers();
    close_loop();
    atomic_flag_clear(&team.taken);
}

typedef struct shared_range {
    void (*range)(void *user, int first, int end);
    void *user;
    int count, parts;
} shared_range;

static void part(void *user, int k)
{
    const shared_range *s = user;
    const int first = (int)((long long)s->count * k / s->parts), end = (int)((long long)s->count * (k + 1) / s->parts);
    s->range(s->user, first, end);
}

void carom_team_share(int threads, int count, void (*range)(void *user, int first, int end), void *user)
{
    const int most = count / SHORTEST;
    shared_range s = {range, user, count, threads < most ? threads : most};
    if (s.parts < 2)
        range(user, 0, count);
    else
        carom_team_run(s.parts, s.parts, part, &s);
}

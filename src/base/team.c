/* Threads that share a loop: the one file that knows OpenMP. */
#include "base/team.h"

#include <stdbool.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* Loops over fewer numbers than this take less time than sharing them. */
#define SHORTEST 250

/* The thread sanitizer does not see the barriers of OpenMP's library: it is told of them. */
#if defined(__SANITIZE_THREAD__) && defined(_OPENMP)
void __tsan_acquire(void *address);
void __tsan_release(void *address);
static int gate, exit_gate;
#define TELL(call, address) call(address)
#define UNWATCHED __attribute__((no_sanitize("thread")))
#else
#define TELL(call, address) (void)0
#define UNWATCHED
#endif

int carom_team_size(int asked)
{
#ifdef _OPENMP
    return asked > 0 ? asked : omp_get_num_procs();
#else
    (void)asked;
    return 1;
#endif
}

UNWATCHED void carom_team_run(int threads, int count, void (*task)(void *user, int k), void *user)
{
    if (threads > count)
        threads = count;
#ifdef _OPENMP
    if (threads > 1) {
        TELL(__tsan_release, &gate);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
        for (int k = 0; k < count; k++) {
            TELL(__tsan_acquire, &gate);
            task(user, k);
            TELL(__tsan_release, &exit_gate);
        }
        TELL(__tsan_acquire, &exit_gate);
        return;
    }
#endif
    for (int k = 0; k < count; k++)
        task(user, k);
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

/* The functions of glue.h that are no Python. */
#include <stdatomic.h>
#include <time.h>

#include "carom/carom.h"
#include "carom/io.h"

typedef struct carom_python_clock {
    double period, next;
    void *hooks;
} carom_python_clock;

typedef struct carom_python_end {
    carom_ledger ledger;
    carom_statistics statistics;
    carom_accuracy accuracy;
    const carom_impact *impacts;
    const carom_rest *rests;
    const carom_fired_event *events;
    const char *const *warnings;
    size_t impact_count, rest_count, event_count, warning_count;
} carom_python_end;

static carom_status carom_python_take_end(carom_simulation *sim, carom_python_end *out)
{
    out->ledger = carom_simulation_ledger(sim);
    out->statistics = carom_simulation_statistics(sim);
    out->impacts = carom_simulation_impacts(sim, &out->impact_count);
    out->events = carom_simulation_fired_events(sim, &out->event_count);
    out->warnings = carom_simulation_warnings(sim, &out->warning_count);
    const carom_status status = carom_simulation_accuracy(sim, &out->accuracy);
    return status == CAROM_OK ? carom_simulation_rests(sim, &out->rests, &out->rest_count) : status;
}

/* ---- a part of a run ---- */

typedef struct carom_python_part {
    carom_sink sink;
    const carom_sink *to;
    double begin;
    size_t events;
} carom_python_part;

static carom_status pass_rows(void *user, int group, size_t rows, const double *time, const double *data)
{
    const carom_python_part *part = user;
    return part->to->rows(part->to->user, group, rows, time, data);
}

/* A sink that is set is given all impacts, rests and events since the start. An impact that had begun before the part
   is none of it. */
static carom_status pass_impact(void *user, const carom_impact *impact)
{
    const carom_python_part *part = user;
    return impact->onset < part->begin ? CAROM_OK : part->to->impact(part->to->user, impact);
}

static carom_status pass_event(void *user, const carom_fired_event *event)
{
    carom_python_part *part = user;
    if (part->events > 0) {
        part->events--;
        return CAROM_OK;
    }
    return part->to->event(part->to->user, event);
}

static carom_status pass_rest(void *user, const carom_rest *rest)
{
    const carom_python_part *part = user;
    const bool before = rest->begin + rest->duration <= part->begin;
    return before ? CAROM_OK : part->to->rest(part->to->user, rest);
}

static void carom_python_take_part(carom_python_part *part, const carom_sink *to, double begin, size_t events)
{
    part->sink = carom_default_sink();
    part->sink.user = part;
    part->sink.rows = pass_rows;
    part->sink.impact = pass_impact;
    part->sink.event = pass_event;
    part->sink.rest = pass_rest;
    part->to = to;
    part->begin = begin;
    part->events = events;
}

static bool carom_python_progress(void *hooks, const carom_progress *progress);

static bool carom_python_tick(void *user, const carom_progress *progress)
{
    carom_python_clock *clock = user;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (seconds < clock->next)
        return true;
    clock->next = seconds + (clock->period > 0 ? clock->period : 0.05);
    return carom_python_progress(clock->hooks, progress);
}

/* ---- one thread at a time ---- */

#define CAROM_PYTHON_BUSY (-1)
#define CAROM_PYTHON_PAST (-2)

typedef struct carom_python_guard {
    char *_Atomic owner;        /* of the thread: its `here`, the second one while it only reads */
    int depth;
} carom_python_guard;

static _Thread_local _Alignas(2) char here[2];

/* Refused while another thread is at work; one that reads is waited for, without the interpreter's lock. */
static bool enter_as(carom_python_guard *guard, char *as)
{
    for (;;) {
        char *owner = NULL;
        if (atomic_compare_exchange_strong(&guard->owner, &owner, as) || owner == here || owner == here + 1)
            break;
        if ((uintptr_t)owner % 2 == 0)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
    }
    guard->depth++;
    return true;
}

static bool carom_python_enter(carom_python_guard *guard) { return enter_as(guard, here); }
static bool carom_python_look(carom_python_guard *guard) { return enter_as(guard, here + 1); }

static void carom_python_leave(carom_python_guard *guard)
{
    if (--guard->depth == 0)
        atomic_store(&guard->owner, NULL);
}

static int carom_python_advance(carom_python_guard *guard, carom_simulation *sim, double time)
{
    if (!carom_python_enter(guard))
        return CAROM_PYTHON_BUSY;
    const double now = carom_simulation_time(sim);
    int status = CAROM_PYTHON_PAST;
    /* a step refuses to go on behind the event that has stopped the run, and names it */
    if (time > now * (1 + 1e-12) && carom_simulation_stopped_by(sim))
        status = (int)carom_simulation_step(sim);
    else if (!(time < now * (1 - 1e-12)))
        status = (int)carom_simulation_advance(sim, time);
    carom_python_leave(guard);
    return status;
}

static int carom_python_one_step(carom_python_guard *guard, carom_simulation *sim)
{
    if (!carom_python_enter(guard))
        return CAROM_PYTHON_BUSY;
    const int status = (int)carom_simulation_step(sim);
    carom_python_leave(guard);
    return status;
}

static int carom_python_set_input(carom_python_guard *guard, carom_simulation *sim, size_t input, double value)
{
    if (!carom_python_enter(guard))
        return CAROM_PYTHON_BUSY;
    const int status = (int)carom_simulation_set_input(sim, input, value);
    carom_python_leave(guard);
    return status;
}

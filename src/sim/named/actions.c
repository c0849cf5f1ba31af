/* Events of the model: where a condition has become true its actions are taken, and what energy they take is
   counted. */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rounds in which the actions of events make conditions of others true, at one instant. */
#define MOST_ROUNDS 100

/* So many firings of an event within this share of the run: they accumulate at an instant, or would take 1e11 to its
   end. */
#define FIRINGS 1000
#define SHARE 1e-8
/* So many in a row come ever sooner where they accumulate; rounding may make the next one later by a part. */
#define SOONER 10
#define LATER 1.1
#define STUCK 1e-5              /* of the run: the last gap of firings that leave their condition true */
#define STUCK_SOON 1e-6         /* the same behind few firings, of bounces that lose nearly all their speed */
/* Gaps of so many roundings of the time, of which a few are enough: the next bounce may be lower than what rounding
   leaves of the place, and would be passed. */
#define ROUNDINGS 1e6
#define FEW 3

static bool holds(const carom_simulation *sim, const carom_model_event *event)
{
    const carom_model_expr *e = &sim->model->exprs[event->expr];
    return carom_expr_value(e->expr, *sim->s.time, sim->probe->measures, sim->s.switches + e->first_switch) != 0;
}

static carom_status evaluate(carom_simulation *sim)
{
    return carom_rhs_update(sim) == 0 ? CAROM_OK : carom_rhs_unsolved(sim);
}

static double energy_of(const carom_simulation *sim)
{
    const carom_energy e = carom_system_energy(sim->d, &sim->s);
    return e.kinetic + e.potential + e.elastic;
}

/* ---- actions ---- */

/* Whether the condition of an event reads the coordinate of a joint. */
static bool is_asked_for(const carom_model *m, int joint)
{
    bool asked = false;
    for (int e = 0; e < m->event_count && !asked; e++)
        for (int k = 0; k < m->measure_count && !asked; k++)
            asked = m->measures[k].type == CAROM_MEASURE_ANGLE && m->measures[k].a == joint &&
                    carom_expr_reads(m->exprs[m->events[e].expr].expr, k);
    return asked;
}

/* Holds a joint where its coordinate is; where conditions read it, at the time by which branches are chosen: one that
   has become true is true there, and stays so. */
static void lock(carom_simulation *sim, int lock)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    for (int k = 0; k < m->joint_count; k++)
        if (m->joints[k].lock == lock && !s->locked[lock]) {
            carom_row row;
            double rate;
            s->lock_value[lock] =
                carom_dynamics_coordinate(sim->d, k, s->coordinate[m->joints[k].coordinate], &row, &rate);
            s->lock_value[lock] += is_asked_for(m, k) ? rate * carom_switches_ahead(sim) : 0;
            s->locked[lock] = 1;
        }
}

/* Values of all actions that set, before any is taken. */
static carom_status find_values(carom_simulation *sim, const carom_model_event *event, double *values)
{
    carom_dynamics_all_measures(sim->d, &sim->s, *sim->s.time, sim->free_measures);
    for (int k = 0, n = 0; k < event->action_count; k++) {
        const carom_expr *value = event->actions[k].value;
        if (!value)
            continue;
        carom_expr_set_switches(value, *sim->s.time, sim->free_measures, sim->free_switches);
        values[n] = carom_expr_value(value, *sim->s.time, sim->free_measures, sim->free_switches);
        if (!isfinite(values[n++]))
            return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, &event->place,
                              "t = %.9g s: event '%s' sets a value that is not finite", *sim->s.time, event->name);
    }
    return CAROM_OK;
}

/* Changes state and switches; *rows says whether constraints have changed. */
static void take(carom_simulation *sim, int index, const double *values, bool *rows)
{
    const carom_model_event *event = &sim->model->events[index];
    carom_state *s = &sim->s;
    for (int k = 0; k < event->action_count; k++) {
        const carom_model_action *a = &event->actions[k];
        switch (a->type) {
        case CAROM_ACTION_LOCK:
            lock(sim, a->object);
            *rows = true;
            break;
        case CAROM_ACTION_UNLOCK:
            s->locked[a->object] = 0;
            *rows = true;
            break;
        case CAROM_ACTION_SWITCH_OFF:
        case CAROM_ACTION_SWITCH_ON:
            s->load_off[a->object] = a->type == CAROM_ACTION_SWITCH_OFF;
            break;
        case CAROM_ACTION_SET_INPUT:
            s->input[a->object] = *values++;
            break;
        case CAROM_ACTION_SET_STATE:
            s->states[a->object] = *values++;
            break;
        case CAROM_ACTION_STOP:
            *s->event_stop = 1 + index;
            break;
        }
    }
}

static carom_status find_rank(carom_simulation *sim)
{
    return carom_assembly_rank(sim->probe, &sim->s, sim->start.redundant, &sim->start.rank);
}

carom_status carom_actions_restore(carom_simulation *sim)
{
    return sim->model->lock_count ? find_rank(sim) : CAROM_OK;
}

/* Finds the rank with the rows that hold now, and makes the velocities keep them: a plastic impact of the constraints,
   by the least change of the velocities in the metric of the masses. */
static carom_status constrain(carom_simulation *sim, const carom_model_event *event)
{
    carom_state *s = &sim->s;
    CAROM_TRY(find_rank(sim));
    if (sim->system->formulation->project(sim->probe, s, *s->time, s->q, s->v, HUGE_VAL, 1))
        return CAROM_OK;
    return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, &event->place,
                      "t = %.9g s: event '%s': the velocities cannot be made to keep the locked joints", *s->time,
                      event->name);
}

static carom_status fire(carom_simulation *sim, int index)
{
    const carom_model_event *event = &sim->model->events[index];
    carom_state *s = &sim->s;
    bool rows = false;
    CAROM_TRY(find_values(sim, event, sim->set_values));
    const double before = energy_of(sim);
    take(sim, index, sim->set_values, &rows);
    carom_located_forget(sim);
    if (rows)
        CAROM_TRY(constrain(sim, event));
    CAROM_TRY(evaluate(sim));
    const double taken = before - energy_of(sim);
    s->event_energy[index] += taken;
    const double gap = *s->time - s->event_time[index];
    const bool sooner = s->event_fired[index] && gap <= LATER * s->event_gap[index];
    s->event_sooner[index] = sooner ? s->event_sooner[index] + 1 : 0;
    s->event_gap[index] = gap;
    s->event_time[index] = *s->time;
    s->event_fired[index]++;
    if (sim->muted) { /* the list is that of the run */
        carom_ledger_accept(sim);
        return CAROM_OK;
    }
    CAROM_TRY(carom_grow(sim->ctx, &sim->fired, &sim->fired_capacity, sim->fired_count + 1, sizeof *sim->fired));
    sim->fired[sim->fired_count++] = carom_events_fired_event(sim->model, index, *s->time, taken);
    carom_ledger_accept(sim);
    return carom_events_action(sim, &sim->fired[sim->fired_count - 1]);
}

/* ---- events that accumulate ---- */

/* Whether an event that has fired does so in ever shorter times, as a ball bounces whose bounces are events:
   infinitely often in a finite time. Rounding leaves firings that do not bring the run on, or the last of them can no
   more make the condition false, which then stays true. */
static bool accumulates(carom_simulation *sim, int k, char *text, size_t size)
{
    carom_state *s = &sim->s;
    const double now = *s->time, least = SHARE * sim->run.until;
    if (s->event_fired[k] % FIRINGS == 0) {
        const double took = now - s->event_since[k];
        s->event_since[k] = now;
        snprintf(text, size, "%d times within %.3g s", FIRINGS, took);
        if (took <= least)
            return true;
    }
    snprintf(text, size, "%d times ever sooner, now after %.3g s", s->event_sooner[k], s->event_gap[k]);
    if (s->event_sooner[k] >= FEW && s->event_gap[k] <= ROUNDINGS * DBL_EPSILON * fabs(now))
        return true;
    if (!s->event_holds[k] || s->event_sooner[k] < FEW)
        return false;
    return s->event_gap[k] <= (s->event_sooner[k] >= SOONER ? STUCK : STUCK_SOON) * sim->run.until;
}

/* Looks at the events that were taken at this instant. */
static carom_status watch(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    char text[96];
    for (int k = 0; k < m->event_count; k++)
        if (sim->s.event_fired[k] && sim->s.event_time[k] == *sim->s.time && accumulates(sim, k, text, sizeof text))
            return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, &m->events[k].place,
                              "t = %.9g s: event '%s' fires without end, %s: its firings accumulate, as the bounces of "
                              "a ball do; let a second event hold what comes to rest there, by `set` or `lock`, where "
                              "speeds are small, or end the run by `stop`",
                              *sim->s.time, m->events[k].name, text);
    return CAROM_OK;
}

/* Whether all that an event does is still done: its joints are locked, or its loads switched, as rounding of what a
   lock holds makes its condition true again. */
static bool is_done(const carom_simulation *sim, const carom_model_event *event)
{
    const carom_state *s = &sim->s;
    bool done = true;
    for (int k = 0; k < event->action_count && done; k++) {
        const carom_model_action *a = &event->actions[k];
        switch (a->type) {
        case CAROM_ACTION_LOCK: done = s->locked[a->object]; break;
        case CAROM_ACTION_UNLOCK: done = !s->locked[a->object]; break;
        case CAROM_ACTION_SWITCH_OFF: done = s->load_off[a->object]; break;
        case CAROM_ACTION_SWITCH_ON: done = !s->load_off[a->object]; break;
        default: done = false;
        }
    }
    return done;
}

carom_status carom_actions_update(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    carom_state *s = &sim->s;
    for (int round = 0;; round++) {
        bool any = false;
        int last = 0;
        for (int k = 0; k < m->event_count; k++) {
            const carom_model_event *event = &m->events[k];
            const bool now = holds(sim, event), begins = now && !s->event_holds[k];
            s->event_holds[k] = now;
            if (!begins || (s->event_fired[k] && (event->once || is_done(sim, event))))
                continue;
            if (!any)
                CAROM_TRY(evaluate(sim));
            any = true;
            last = k;
            CAROM_TRY(fire(sim, k));
        }
        if (!any)
            return round ? watch(sim) : CAROM_OK;
        if (round == MOST_ROUNDS)
            return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, &m->events[last].place,
                              "t = %.9g s: event '%s' and others make each other true without end", *s->time,
                              m->events[last].name);
        carom_switches_update(sim);
    }
}

carom_status carom_actions_create(carom_simulation *sim)
{
    const carom_model *m = sim->model;
    for (int k = 0; k < m->event_count; k++)
        for (int a = 0; a < m->events[k].action_count; a++) {
            const carom_model_action *action = &m->events[k].actions[a];
            if (action->type == CAROM_ACTION_SET_INPUT && sim->records && sim->records[action->object].n)
                return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &m->events[k].place,
                                  "event '%s' sets the input '%s', which follows its record", m->events[k].name,
                                  m->inputs[action->object].name);
        }
    sim->free_measures = carom_arena_alloc(&sim->arena, (size_t)m->measure_count, sizeof(double));
    sim->free_switches = carom_arena_alloc(&sim->arena, (size_t)m->free_switch_count, sizeof(int));
    sim->set_values = carom_arena_alloc(&sim->arena, (size_t)m->set_count, sizeof(double));
    return sim->free_measures && sim->free_switches && sim->set_values ? CAROM_OK : carom_fail_memory(sim->ctx);
}

const carom_fired_event *carom_simulation_fired_events(const carom_simulation *sim, size_t *count)
{
    if (!sim)
        return carom_give_none(count);
    carom_give_count(count, sim->fired_count);
    return sim->fired;
}

const char *carom_simulation_stopped_by(const carom_simulation *sim)
{
    if (!sim)
        return NULL;
    const int stop = *sim->s.event_stop;
    return !stop ? NULL : stop <= sim->model->event_count ? sim->model->events[stop - 1].name : "a singular position";
}

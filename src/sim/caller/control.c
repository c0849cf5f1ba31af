/* What calls the caller while a simulation runs: the controller at its samples, observers. */
#include "base/context.h"
#include "sim/sim.h"

#include <math.h>

/* Gives a callback's refusal a text where it has none. */
static carom_status explain(carom_simulation *sim, carom_status status, const char *who)
{
    if (status == CAROM_OK || sim->ctx->failure.text[0])
        return status;
    return carom_fail(sim->ctx, status, NULL, "t = %.9g s: %s stopped the run", *sim->s.time, who);
}

/* ---- the controller ---- */

carom_control carom_default_control(void) { return (carom_control){.size = sizeof(carom_control)}; }

carom_status carom_simulation_set_control(carom_simulation *sim, const carom_control *control)
{
    CAROM_NEED(NULL, sim);
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_set_control()"));
    CAROM_TRY(carom_simulation_check_alone(sim, "carom_simulation_set_control()"));
    carom_control own = carom_default_control();
    const carom_control *c = &own;
    CAROM_TRY(carom_take_def(sim->ctx, control, &own, sizeof own, "control"));
    if (c->function && !(c->period > 0 && isfinite(c->period)))
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "control.period is %.3g s: it must be above 0", c->period);
    if (c->function && sim->run.until / c->period > 1e9)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                          "control.period is %.3g s: a run of %.3g s has more than 1e9 samples of it", c->period,
                          sim->run.until);
    sim->control = own;
    sim->def.control = NULL;
    carom_control_begin(sim);
    return CAROM_OK;
}

void carom_control_begin(carom_simulation *sim)
{
    const carom_control *c = &sim->control;
    *sim->s.control_index = c->function ? (int)ceil(*sim->s.time / c->period * (1 - 1e-12)) : 0;
}

double carom_control_next(const carom_simulation *sim)
{
    const carom_control *c = &sim->control;
    return c->function ? *sim->s.control_index * c->period : HUGE_VAL;
}

carom_status carom_control_update(carom_simulation *sim)
{
    const carom_control *c = &sim->control;
    const double sample = carom_control_next(sim);
    if (!(*sim->s.time >= sample))
        return CAROM_OK;
    ++*sim->s.control_index;
    sim->ctx->failure.text[0] = '\0';
    sim->controlling = true;
    carom_status status = c->function(c->user, sim, sample);
    sim->controlling = false;
    return explain(sim, status, "the controller");
}

/* ---- observers ---- */

carom_observer carom_default_observer(void) { return (carom_observer){.size = sizeof(carom_observer)}; }

static carom_status tell_step(void *user, carom_simulation *sim)
{
    const carom_observer *o = user;
    sim->ctx->failure.text[0] = '\0';
    return explain(sim, o->step(o->user, sim), "an observer of steps");
}

static carom_status tell_arrive(void *user, carom_simulation *sim)
{
    const carom_observer *o = user;
    sim->ctx->failure.text[0] = '\0';
    return explain(sim, o->arrive(o->user, sim), "an observer of steps");
}

static carom_status tell_restart(void *user, carom_simulation *sim)
{
    const carom_observer *o = user;
    sim->ctx->failure.text[0] = '\0';
    return explain(sim, o->restart(o->user, sim), "an observer of restarts");
}

static carom_status tell_onset(void *user, carom_simulation *sim, size_t contact)
{
    const carom_observer *o = user;
    const carom_open_contact open = carom_simulation_opened(sim, contact);
    sim->ctx->failure.text[0] = '\0';
    return explain(sim, o->onset(o->user, sim, &open), "an observer of onsets");
}

static carom_status tell_release(void *user, carom_simulation *sim, const carom_impact *impact)
{
    const carom_observer *o = user;
    sim->ctx->failure.text[0] = '\0';
    return explain(sim, o->release(o->user, sim, impact), "an observer of releases");
}

static carom_status tell_event(void *user, carom_simulation *sim, const carom_event *event)
{
    const carom_observer *o = user;
    sim->ctx->failure.text[0] = '\0';
    return explain(sim, o->event(o->user, sim, event), "an observer of events");
}

carom_status carom_simulation_observe(carom_simulation *sim, const carom_observer *observer)
{
    CAROM_NEED(NULL, sim);
    if (!observer)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "the observer is NULL");
    CAROM_TRY(carom_simulation_check_idle(sim, "carom_simulation_observe()"));
    carom_observer *own = carom_arena_alloc(&sim->arena, 1, sizeof *own);
    if (!own)
        return carom_fail_memory(sim->ctx);
    *own = carom_default_observer();
    CAROM_TRY(carom_take_def(sim->ctx, observer, own, sizeof *own, "observer"));
    return carom_sim_subscribe(sim, &(carom_sim_listener){.user = own,
                                                          .step = own->step ? tell_step : NULL,
                                                          .onset = own->onset ? tell_onset : NULL,
                                                          .release = own->release ? tell_release : NULL,
                                                          .event = own->event ? tell_event : NULL,
                                                          .arrive = own->arrive ? tell_arrive : NULL,
                                                          .restart = own->restart ? tell_restart : NULL});
}

/* A trial run of a model until its contacts have touched. */
#include "diagnose/trial.h"
#include "base/context.h"

#include <math.h>

/* Steps of all bodies and places together that a trial may take: those of `steps` for a model of a few. */
#define FEW_BODIES 20
#define FEW_PLACES 100

/* What the observer of a trial fills. */
typedef struct watch {
    carom_touch *touches;
    bool *waits;        /* of the first place of each pair: none of its places has touched */
    int left;           /* these pairs */
} watch;

static carom_status on_onset(void *user, carom_simulation *sim, const carom_open_contact *contact)
{
    watch *w = user;
    if (contact->contact_index >= (size_t)sim->model->contact_count)
        return CAROM_OK;
    carom_touch *touch = &w->touches[contact->contact_index];
    if (!isnan(touch->speed))
        return CAROM_OK;
    bool *waits = &w->waits[(int)contact->contact_index - sim->model->contacts[contact->contact_index].point];
    w->left -= *waits;
    *waits = false;
    *touch = (carom_touch){contact->v_in, contact->mass};
    return CAROM_OK;
}

static carom_status prepare(carom_simulation *sim, watch *w)
{
    const carom_model *m = sim->model;
    w->touches = carom_arena_alloc(&sim->arena, (size_t)m->contact_count, sizeof *w->touches);
    w->waits = carom_arena_alloc(&sim->arena, (size_t)m->contact_count, sizeof *w->waits);
    if (!w->touches || !w->waits)
        return carom_fail_memory(sim->ctx);
    for (int k = 0; k < m->contact_count; k++) {
        w->touches[k] = (carom_touch){(double)NAN, (double)NAN};
        w->waits[k] = m->contacts[k].point == 0;
    }
    for (int k = 0; k < m->contact_count; k++)
        if (sim->s.located[k].open)
            w->waits[k - m->contacts[k].point] = false;
    for (int k = 0; k < m->contact_count; k++)
        w->left += w->waits[k];
    return CAROM_OK;
}

/* Steps until all pairs have touched; the failure of a step is no failure of the trial. */
static carom_status follow(carom_simulation *copy, uint64_t steps, const watch *w, uint64_t *taken)
{
    carom_status status = CAROM_OK;
    for (*taken = 0; *taken < steps && w->left > 0 && status == CAROM_OK; ++*taken) {
        if (!(carom_simulation_time(copy) < carom_simulation_until(copy)) || carom_simulation_stopped_by(copy))
            break;
        status = carom_simulation_step(copy);
    }
    return status;
}

static const char *tell(carom_simulation *sim, const carom_simulation *copy, carom_status status, uint64_t taken,
                        bool all)
{
    const double time = carom_simulation_time(copy);
    const unsigned long long count = (unsigned long long)taken;
    if (status != CAROM_OK)
        return carom_arena_format(&sim->arena, "a trial run, which ended at %.4g s: %s", time,
                                  carom_context_error(sim->ctx));
    if (all || !(time < carom_simulation_until(copy)))
        return carom_arena_format(&sim->arena, "a trial run of %.4g s, %llu steps", time, count);
    return carom_arena_format(&sim->arena, "a trial run of the first %.4g s, %llu steps", time, count);
}

carom_status carom_trial_run(carom_simulation *sim, uint64_t steps, carom_trial *out)
{
    const carom_model *m = sim->model;
    watch w = {0};
    *out = (carom_trial){0};
    if (steps == 0 || m->contact_set_count)
        return CAROM_OK;
    CAROM_TRY(prepare(sim, &w));
    if (w.left == 0)
        return CAROM_OK;
    const double larger = fmax((double)m->body_count / FEW_BODIES, (double)m->contact_count / FEW_PLACES);
    if (larger > 1)
        steps = (uint64_t)((double)steps / larger) + 1;
    carom_observer observer = carom_default_observer();
    observer.user = &w;
    observer.onset = on_onset;
    carom_simulation *copy = NULL;
    CAROM_TRY(carom_simulation_clone(sim, NULL, &copy));
    const carom_failure failure = sim->ctx->failure;
    const carom_log_fn log = sim->ctx->log;
    uint64_t taken = 0;
    sim->ctx->log = NULL; /* what it warns of is not of this run */
    carom_status status = carom_simulation_observe(copy, &observer);
    if (status == CAROM_OK)
        status = follow(copy, steps, &w, &taken);
    out->text = tell(sim, copy, status, taken, w.left == 0);
    carom_simulation_free(copy);
    sim->ctx->log = log;
    if (status == CAROM_ERROR_MEMORY)
        return status;
    sim->ctx->failure = failure;
    out->touches = w.touches;
    return out->text ? CAROM_OK : carom_fail_memory(sim->ctx);
}

/* Checkpoints: the state block, the ended episodes, the warnings and the counters, as bytes; equal states give equal
   bytes. */
#include "sim/checkpoint/checkpoint.h"
#include "dynamics/contact/contact_set.h"

#include <math.h>
#include <string.h>

typedef struct header {
    char magic[8];
    uint64_t hash;              /* of all bytes, taken with 0 here */
    uint64_t model, state_size, episode_count, impact_count, fired_count;
    uint64_t steps, evaluations, rhs_evaluations, restarts;
    uint64_t warnings, warning_bytes;
    double time;                /* [s] */
} header;

static const char magic[8] = "caromck8";

/* ---- whose checkpoint it is ---- */

static uint64_t hash_text(const char *text, uint64_t seed) { return carom_hash(text, strlen(text) + 1, seed); }

/* Names, masses and counts: a model that was not read from a file has no text to be known by. */
static uint64_t hash_model(const carom_model *m)
{
    const int counts[] = {m->dimension,    m->body_count,  m->row_count,        m->contact_count,     m->load_count,
                          m->switch_count, m->drive_count, m->coordinate_count, m->contact_set_count, m->member_count,
                          m->input_count,  m->state_count, m->event_count,      m->load_state_count,
                          m->notice_count};
    uint64_t hash = carom_hash(counts, sizeof counts, m->hash);
    for (int k = 1; k <= m->body_count; k++) {
        hash = hash_text(m->bodies[k].name, hash);
        hash = carom_hash(&m->bodies[k].mass, sizeof(double), hash);
        hash = carom_hash(&m->bodies[k].inertia, sizeof(carom_mat3), hash);
    }
    for (int k = 0; k < m->joint_count; k++)
        hash = hash_text(m->joints[k].name, hash_text(m->joints[k].kind->kind.name, hash));
    for (int k = 0; k < m->contact_count; k++)
        hash = hash_text(m->contacts[k].name, hash_text(m->contacts[k].law.name, hash));
    for (int k = 0; k < m->load_count; k++)
        hash = hash_text(m->loads[k].name, hash_text(m->loads[k].kind->kind.name, hash));
    return hash;
}

static uint64_t identity(const carom_simulation *sim)
{
    const carom_run *run = &sim->run;
    uint64_t hash =
        hash_text(run->stabilization->kind.name, hash_text(run->integrator->kind.name, hash_model(sim->model)));
    hash = carom_parameters_hash(sim, hash);
    const double numbers[] = {run->tolerance, run->absolute, run->max_step, run->step, run->output_every};
    hash = carom_hash(numbers, sizeof numbers, hash);
    const double of_integrator[] = {run->spectral_radius, run->hht_alpha};
    if (run->integrator->holds)
        hash = carom_hash(of_integrator, sizeof of_integrator, hash);
    for (int k = 0; sim->records && k < sim->model->input_count; k++)
        if (sim->records[k].n)
            hash =
                carom_hash(sim->records[k].x, 3 * sim->records[k].n * sizeof(double), carom_hash(&k, sizeof k, hash));
    return hash;
}

/* ---- bytes ---- */

/* An event that was taken, without its name. */
typedef struct fired_bytes {
    uint64_t index;
    double time, energy, rate, peak, depth;
} fired_bytes;

static uint64_t content_hash(header h, const unsigned char *rest, size_t size)
{
    h.hash = 0;
    return carom_hash(rest, size, carom_hash(&h, sizeof h, 0));
}

carom_status carom_checkpoint_settle(carom_simulation *sim)
{
    const uint64_t evaluations = sim->system->evaluations;
    carom_sim_catch_up(sim);
    carom_sets_write_back(sim);
    if (carom_rhs_update(sim) != 0)
        return carom_rhs_unsolved(sim);
    sim->system->evaluations = evaluations;
    sim->restart = true;
    return CAROM_OK;
}

static header make_header(const carom_simulation *sim)
{
    const carom_statistics *count = &sim->statistics;
    header h = {.model = identity(sim),
                .state_size = sim->s.size,
                .episode_count = sim->s.episode_count,
                .impact_count = sim->impact_count,
                .fired_count = sim->fired_count,
                .steps = count->steps,
                .evaluations = sim->system->evaluations,
                .rhs_evaluations = count->rhs_evaluations,
                .restarts = count->restarts,
                .warnings = sim->warning_count,
                .warning_bytes = carom_checkpoint_warning_bytes(sim),
                .time = count->time};
    memcpy(h.magic, magic, sizeof magic);
    return h;
}

static void *put(unsigned char **to, const void *from, size_t size)
{
    void *place = *to;
    if (size)
        memcpy(place, from, size);
    *to += size;
    return place;
}

/* What stands behind the header. */
static void write_content(carom_simulation *sim, unsigned char *to)
{
    put(&to, sim->s.block, sim->s.size);
    put(&to, sim->s.episodes, sim->s.episode_count * sizeof *sim->s.episodes);
    carom_events_sort_impacts(sim);
    for (size_t k = 0; k < sim->impact_count; k++) {
        carom_impact impact = sim->impacts[k];
        impact.contact = NULL; /* found again by its indices */
        put(&to, &impact, sizeof impact);
    }
    for (size_t k = 0; k < sim->fired_count; k++) {
        const carom_fired_event *of = &sim->fired[k];
        const fired_bytes fired = {of->event_index, of->time, of->energy, of->rate, of->peak,
                                   of->depth};
        put(&to, &fired, sizeof fired);
    }
    carom_checkpoint_put_warnings(sim, to);
}

/* Bytes behind the header. */
static size_t content_size(const header *h)
{
    return h->state_size + h->episode_count * sizeof(carom_episode) + h->impact_count * sizeof(carom_impact) +
           h->fired_count * sizeof(fired_bytes) + h->warning_bytes;
}

carom_status carom_simulation_checkpoint(carom_simulation *sim, unsigned char **bytes, size_t *size)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, bytes);
    CAROM_NEED(sim->ctx, size);
    carom_sets_write_back(sim);
    header h = make_header(sim);
    const size_t total = sizeof h + content_size(&h);
    unsigned char *block = carom_allocate(sim->ctx, total, 1);
    *bytes = NULL;
    *size = 0;
    if (!block)
        return carom_fail_memory(sim->ctx);
    write_content(sim, block + sizeof h);
    h.hash = content_hash(h, block + sizeof h, total - sizeof h);
    memcpy(block, &h, sizeof h);
    /* what is evaluated stems from the last step's path, and tolerances are made from it: both runs go on from the
       state */
    const carom_status status = sim->points.settled ? CAROM_OK : carom_checkpoint_settle(sim);
    if (status != CAROM_OK) {
        carom_release(sim->ctx, block, total, 1);
        return status;
    }
    *bytes = block;
    *size = total;
    return CAROM_OK;
}

/* Whether the integrated numbers are finite. */
static bool is_finite(const carom_simulation *sim, const unsigned char *state)
{
    for (size_t k = 0; k < sim->s.integrated; k++) {
        double x;
        memcpy(&x, state + k * sizeof x, sizeof x);
        if (!isfinite(x))
            return false;
    }
    return true;
}

/* The state's time stands in the header, too, and lies in the run. */
static bool time_fits(const carom_simulation *sim, const header *h, const unsigned char *state)
{
    double time;
    memcpy(&time, state + (sim->s.time - (double *)sim->s.block) * (ptrdiff_t)sizeof time, sizeof time);
    return time == h->time && time >= 0 && time <= sim->run.until * (1 + 1e-12);
}

static int stored(const carom_simulation *sim, const unsigned char *state, const int *of)
{
    int out;
    memcpy(&out, state + ((const char *)of - (const char *)sim->s.block), sizeof out);
    return out;
}

/* The row and the event that the state names are there, and its contacts do what they can. */
static carom_status check_state(const carom_simulation *sim, const unsigned char *state)
{
    const carom_model *m = sim->model;
    const int row = stored(sim, state, sim->s.worst_row), event = stored(sim, state, sim->s.event_stop);
    bool fits = row >= 0 && row <= m->row_count && event >= 0 && event <= m->event_count + 1;
    for (int k = 0; k < m->contact_count && fits; k++) {
        const carom_friction_kind *friction = m->contacts[k].friction;
        const int stick = stored(sim, state, &sim->s.located[k].stick),
                  compressing = stored(sim, state, &sim->s.located[k].compressing);
        fits = stick >= CAROM_SLIPPING &&
               stick <= (friction && friction->set_valued ? CAROM_BREAKING_AWAY : CAROM_SLIPPING) &&
               compressing >= CAROM_OPENING && compressing <= CAROM_CREST;
    }
    return fits ? CAROM_OK
                : carom_fail(sim->ctx, CAROM_ERROR_IO, NULL,
                             "the checkpoint names a row or an event that is not there, or holds a contact that sticks "
                             "without friction");
}

static carom_status check_impacts(const carom_simulation *sim, const unsigned char *bytes, size_t count)
{
    const carom_model *m = sim->model;
    const size_t contacts = (size_t)(m->contact_count + m->contact_set_count), shapes = (size_t)m->shape_count;
    for (size_t k = 0; k < count; k++) {
        carom_impact impact;
        memcpy(&impact, bytes + k * sizeof impact, sizeof impact);
        if (impact.contact_index >= contacts || impact.shapes[0] >= shapes || impact.shapes[1] >= shapes)
            return carom_fail(sim->ctx, CAROM_ERROR_IO, NULL,
                              "the checkpoint names contact %zu of %zu, or a shape that is not there",
                              impact.contact_index + 1, contacts);
    }
    return CAROM_OK;
}

/* Each stands in its set, between two groups that have a law. */
static carom_status check_episodes(const carom_simulation *sim, const unsigned char *bytes, size_t count)
{
    const carom_model *m = sim->model;
    for (size_t k = 0; k < count; k++) {
        carom_episode e;
        memcpy(&e, bytes + k * sizeof e, sizeof e);
        bool fits = e.set >= 0 && e.set < m->contact_set_count && isfinite(e.force) && isfinite(e.gap);
        if (fits) {
            const carom_contact_set *set = &m->contact_sets[e.set];
            fits = e.i >= set->first && e.i < e.j && e.j < set->first + set->count && carom_set_law(m, &e);
        }
        if (!fits)
            return carom_fail(sim->ctx, CAROM_ERROR_IO, NULL,
                              "the checkpoint holds an open contact of shapes that do not touch");
    }
    return CAROM_OK;
}

static carom_status check(const carom_simulation *sim, const unsigned char *bytes, size_t size, header *h)
{
    carom_context *ctx = sim->ctx;
    if (!bytes || size < sizeof *h)
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "not a checkpoint: %zu bytes", size);
    memcpy(h, bytes, sizeof *h);
    if (memcmp(h->magic, magic, sizeof magic) != 0)
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "not a checkpoint of this version of Carom");
    if (h->hash != content_hash(*h, bytes + sizeof *h, size - sizeof *h))
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "the checkpoint is damaged or truncated");
    if (h->model != identity(sim) || h->state_size != sim->s.size)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "the checkpoint belongs to another model, run, integrator, tolerance or set of parameters");
    if (h->impact_count > size / sizeof(carom_impact) || h->episode_count > size / sizeof(carom_episode) ||
        h->fired_count > size / sizeof(fired_bytes) || h->warning_bytes > size ||
        size != sizeof *h + content_size(h))
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "the checkpoint is damaged or truncated");
    if (!is_finite(sim, bytes + sizeof *h))
        return carom_fail(ctx, CAROM_ERROR_IO, NULL, "the checkpoint holds a number that is not finite");
    if (!time_fits(sim, h, bytes + sizeof *h))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "the checkpoint's time, %.9g s, lies outside the run", h->time);
    CAROM_TRY(check_state(sim, bytes + sizeof *h));
    CAROM_TRY(check_episodes(sim, bytes + sizeof *h + sim->s.size, h->episode_count));
    return check_impacts(sim, bytes + sizeof *h + sim->s.size + h->episode_count * sizeof(carom_episode),
                         h->impact_count);
}

/* Takes over the state, or puts back the former one if the new one cannot be evaluated. */
static carom_status load_state(carom_simulation *sim, const unsigned char *state, size_t episodes)
{
    carom_state *s = &sim->s;
    carom_sets_write_back(sim);
    const size_t size = s->size, former_count = s->episode_count, bytes = former_count * sizeof *s->episodes;
    if (sim->system->sets)
        CAROM_TRY(carom_sets_grow(sim->system->sets, s, episodes));
    unsigned char *former = carom_allocate(sim->ctx, size + bytes, 1);
    if (!former)
        return carom_fail_memory(sim->ctx);
    uint64_t evaluations = sim->system->evaluations;
    memcpy(former, s->block, size);
    if (bytes)
        memcpy(former + size, s->episodes, bytes);
    memcpy(s->block, state, size);
    if (episodes)
        memcpy(s->episodes, state + size, episodes * sizeof *s->episodes);
    s->episode_count = episodes;
    carom_status status = carom_sets_restart(sim);
    if (status == CAROM_OK)
        status = carom_actions_restore(sim);
    if (status == CAROM_OK && carom_rhs_update(sim) != 0)
        status = carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL, "the checkpoint's state cannot be evaluated");
    if (status != CAROM_OK) {
        memcpy(s->block, former, size);
        if (bytes)
            memcpy(s->episodes, former + size, bytes);
        s->episode_count = former_count;
        carom_sets_restart(sim);
        carom_actions_restore(sim);
        carom_rhs_update(sim);
        sim->system->evaluations = evaluations;
    }
    carom_release(sim->ctx, former, size + bytes, 1);
    return status;
}

/* Names of impacts, which a checkpoint has not. */
static carom_status name_impacts(carom_simulation *sim, carom_impact *impacts, size_t count)
{
    const carom_model *m = sim->model;
    for (size_t k = 0; k < count; k++) {
        const int contact = (int)impacts[k].contact_index;
        impacts[k].contact = contact < m->contact_count
                                 ? m->contacts[contact].name
                                 : carom_set_contact_name(sim, contact - m->contact_count, (int)impacts[k].shapes[0],
                                                           (int)impacts[k].shapes[1]);
        if (!impacts[k].contact)
            return carom_fail_memory(sim->ctx);
    }
    return CAROM_OK;
}

static carom_status check_fired(carom_simulation *sim, const unsigned char *bytes, size_t count)
{
    const carom_model *m = sim->model;
    CAROM_TRY(carom_grow(sim->ctx, &sim->fired, &sim->fired_capacity, count, sizeof *sim->fired));
    for (size_t k = 0; k < count; k++) {
        fired_bytes fired;
        memcpy(&fired, bytes + k * sizeof fired, sizeof fired);
        if (fired.index >= (uint64_t)carom_notices_rows(m))
            return carom_fail(sim->ctx, CAROM_ERROR_IO, NULL, "the checkpoint names an event that is not there");
    }
    return CAROM_OK;
}

static void take_fired(carom_simulation *sim, const unsigned char *bytes, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        fired_bytes fired;
        memcpy(&fired, bytes + k * sizeof fired, sizeof fired);
        const carom_fired_event of = {
            .time = fired.time, .energy = fired.energy, .rate = fired.rate, .peak = fired.peak,
            .depth = fired.depth};
        sim->fired[k] = fired.index < (uint64_t)sim->model->event_count
                            ? carom_events_fired_event(sim->model, (int)fired.index, fired.time, fired.energy)
                            : carom_notices_row(sim->model, (int)fired.index, &of);
    }
    sim->fired_count = count;
}

/* Impacts, events and warnings of a checkpoint, ready to be taken over. */
typedef struct contents {
    carom_impact *impacts;
    size_t capacity;
    carom_checkpoint_warnings warnings;
} contents;

static void drop_contents(carom_simulation *sim, contents *c)
{
    carom_release(sim->ctx, c->impacts, c->capacity, sizeof *c->impacts);
    carom_checkpoint_drop_warnings(sim, &c->warnings);
}

static carom_status read_contents(carom_simulation *sim, const header *h, const unsigned char *impacts, contents *out)
{
    CAROM_TRY(carom_grow(sim->ctx, &out->impacts, &out->capacity, h->impact_count, sizeof *out->impacts));
    if (h->impact_count)
        memcpy(out->impacts, impacts, h->impact_count * sizeof *out->impacts);
    const unsigned char *fired = impacts + h->impact_count * sizeof *out->impacts;
    CAROM_TRY(name_impacts(sim, out->impacts, h->impact_count));
    CAROM_TRY(check_fired(sim, fired, h->fired_count));
    return carom_checkpoint_read_warnings(sim, fired + h->fired_count * sizeof(fired_bytes), h->warning_bytes,
                                          h->warnings, &out->warnings);
}

/* `goes_on`: the sink has what has been given until then. */
static carom_status take_over(carom_simulation *sim, const unsigned char *bytes, size_t size, bool goes_on)
{
    header h;
    CAROM_TRY(check(sim, bytes, size, &h));
    const unsigned char *impacts = bytes + sizeof h + sim->s.size + h.episode_count * sizeof(carom_episode);
    contents of = {.impacts = NULL};
    carom_status status = read_contents(sim, &h, impacts, &of);
    if (status == CAROM_OK)
        status = load_state(sim, bytes + sizeof h, h.episode_count);
    if (status != CAROM_OK) {
        drop_contents(sim, &of);
        return status;
    }
    carom_release(sim->ctx, sim->impacts, sim->impact_capacity, sizeof *sim->impacts);
    sim->impacts = of.impacts;
    sim->impact_capacity = of.capacity;
    sim->impact_count = h.impact_count;
    sim->impacts_sent = goes_on ? h.impact_count : 0;
    take_fired(sim, impacts + h.impact_count * sizeof *sim->impacts, h.fired_count);
    sim->fired_sent = goes_on ? h.fired_count : 0;
    carom_checkpoint_take_warnings(sim, &of.warnings);
    sim->statistics.time = h.time;
    sim->statistics.steps = h.steps;
    sim->statistics.rhs_evaluations = h.rhs_evaluations;
    sim->statistics.restarts = h.restarts;
    sim->system->evaluations = h.evaluations;
    sim->restart = true;
    return CAROM_OK;
}

carom_status carom_simulation_resume(carom_simulation *sim, const unsigned char *bytes, size_t size)
{
    CAROM_NEED(NULL, sim);
    if (size)
        CAROM_NEED(sim->ctx, bytes);
    CAROM_TRY(carom_simulation_check_alone(sim, "carom_simulation_resume()"));
    return take_over(sim, bytes, size, false);
}

carom_status carom_simulation_continue(carom_simulation *sim, const unsigned char *bytes, size_t size)
{
    CAROM_NEED(NULL, sim);
    if (size)
        CAROM_NEED(sim->ctx, bytes);
    CAROM_TRY(carom_simulation_check_alone(sim, "carom_simulation_continue()"));
    return take_over(sim, bytes, size, true);
}

void carom_bytes_free(carom_context *ctx, unsigned char *bytes, size_t size) { carom_release(ctx, bytes, size, 1); }

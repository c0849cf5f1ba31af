/* Checkpoints: the state block, the ended episodes and the counters, as bytes. */
#include "sim/sim.h"

#include <string.h>

typedef struct header {
    char magic[8];
    uint64_t model_hash, state_size, impact_count;
    carom_statistics statistics;
    double energy;              /* spare, keeps the layout a multiple of 8 */
} header;

static const char magic[8] = "caromck1";

static uint64_t identity(const carom_simulation *sim)
{
    uint64_t hash = carom_hash(sim->run.integrator->kind.name, strlen(sim->run.integrator->kind.name), sim->model->hash);
    return carom_hash(&sim->run.tolerance, sizeof sim->run.tolerance, hash);
}

carom_status carom_simulation_checkpoint(carom_simulation *sim, unsigned char **bytes, size_t *size)
{
    size_t impacts = sim->impact_count * sizeof *sim->impacts;
    *size = sizeof(header) + sim->s.size + impacts;
    *bytes = carom_allocate(sim->ctx, *size, 1);
    if (!*bytes)
        return carom_fail_memory(sim->ctx);
    header h = {.model_hash = identity(sim), .state_size = sim->s.size, .impact_count = sim->impact_count,
                .statistics = sim->statistics};
    memcpy(h.magic, magic, sizeof magic);
    memcpy(*bytes, &h, sizeof h);
    memcpy(*bytes + sizeof h, sim->s.block, sim->s.size);
    if (impacts)
        memcpy(*bytes + sizeof h + sim->s.size, sim->impacts, impacts);
    sim->restart = true;
    return CAROM_OK;
}

carom_status carom_simulation_resume(carom_simulation *sim, const unsigned char *bytes, size_t size)
{
    header h;
    if (size < sizeof h)
        return carom_fail(sim->ctx, CAROM_ERROR_IO, NULL, "not a checkpoint: %zu bytes", size);
    memcpy(&h, bytes, sizeof h);
    if (memcmp(h.magic, magic, sizeof magic) != 0)
        return carom_fail(sim->ctx, CAROM_ERROR_IO, NULL, "not a checkpoint of this version of Carom");
    if (h.model_hash != identity(sim) || h.state_size != sim->s.size)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "the checkpoint belongs to another model, integrator, tolerance or set of parameters");
    if (h.impact_count > size / sizeof(carom_impact) || size != sizeof h + sim->s.size + h.impact_count * sizeof(carom_impact))
        return carom_fail(sim->ctx, CAROM_ERROR_IO, NULL, "the checkpoint is truncated");
    CAROM_TRY(carom_grow(sim->ctx, &sim->impacts, &sim->impact_capacity, h.impact_count, sizeof *sim->impacts));
    memcpy(sim->s.block, bytes + sizeof h, sim->s.size);
    if (h.impact_count)
        memcpy(sim->impacts, bytes + sizeof h + sim->s.size, h.impact_count * sizeof *sim->impacts);
    sim->impact_count = h.impact_count;
    sim->impacts_sent = 0;
    for (size_t k = 0; k < sim->impact_count; k++) {
        if (sim->impacts[k].contact_index >= (size_t)sim->model->contact_count)
            return carom_fail(sim->ctx, CAROM_ERROR_IO, NULL, "the checkpoint is damaged");
        sim->impacts[k].contact = sim->model->contacts[sim->impacts[k].contact_index].name;
    }
    sim->statistics = h.statistics;
    sim->d->evaluations = h.statistics.rhs_evaluations;
    sim->restart = true;
    return carom_loop_evaluate(sim) == 0 ? CAROM_OK
                                         : carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL, "the checkpoint's state cannot be evaluated");
}

void carom_bytes_release(carom_context *ctx, unsigned char *bytes, size_t size) { carom_release(ctx, bytes, size, 1); }

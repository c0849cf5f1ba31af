/* Samples of the channels of a group, held in blocks that the sink takes. */
#include "sim/sim.h"

carom_status carom_record_create(carom_simulation *sim)
{
    carom_recorder *r = &sim->recorder;
    if (!sim->def.sink)
        return CAROM_OK;
    CAROM_TRY(carom_channels_list(sim));
    for (int group = 0; group < CAROM_RECORD_GROUPS; group++) {
        r->time[group] = carom_arena_alloc(&sim->arena, CAROM_BLOCK_SAMPLES, sizeof(double));
        r->block[group] = carom_arena_alloc(&sim->arena, CAROM_BLOCK_SAMPLES * r->columns[group], sizeof(double));
        if (!r->time[group] || !r->block[group])
            return carom_fail_memory(sim->ctx);
    }
    return CAROM_OK;
}

static carom_status flush_group(carom_simulation *sim, int group)
{
    carom_recorder *r = &sim->recorder;
    size_t samples = r->samples[group];
    r->samples[group] = 0;
    const carom_sink *sink = sim->def.sink;
    if (!samples || !sink || !sink->rows)
        return CAROM_OK;
    return sink->rows(sink->user, group, samples, r->time[group], r->block[group]);
}

carom_status carom_record_flush(carom_simulation *sim)
{
    for (int group = 0; group < CAROM_RECORD_GROUPS; group++)
        CAROM_TRY(flush_group(sim, group));
    return CAROM_OK;
}

void carom_record_values(carom_simulation *sim, int group, carom_evaluation *d, const carom_state *s, double *out)
{
    carom_recorder *r = &sim->recorder;
    carom_reading_begin(&r->reading, d, s);
    for (size_t k = 0; k < r->group_count[group]; k++) {
        const carom_compiled_channel *c = &r->list.items[r->of_group[group][k]];
        carom_channel_fill(&r->reading, c, out);
        out += c->size;
    }
}

carom_status carom_record_sample(carom_simulation *sim, int group, double t, carom_evaluation *d,
                                 const carom_state *s)
{
    carom_recorder *r = &sim->recorder;
    if (!sim->def.sink || r->columns[group] == 0)
        return CAROM_OK;
    size_t sample = r->samples[group]++;
    r->time[group][sample] = t;
    carom_record_values(sim, group, d, s, r->block[group] + sample * r->columns[group]);
    return r->samples[group] == CAROM_BLOCK_SAMPLES ? flush_group(sim, group) : CAROM_OK;
}

size_t carom_simulation_pending_rows(const carom_simulation *sim, int group, const double **time, const double **data)
{
    const carom_recorder *r = &sim->recorder;
    bool known = sim->def.sink && group >= 0 && group < CAROM_RECORD_GROUPS;
    *time = known ? r->time[group] : NULL;
    *data = known ? r->block[group] : NULL;
    return known ? r->samples[group] : 0;
}

/* Samples of the channels of a group, held in blocks that the sink takes. */
#include "base/blocks.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

size_t carom_record_room(const carom_simulation *sim, int group)
{
    const double rows = sim->run.until / sim->run.output_every;
    const size_t bytes = (sim->recorder.columns[group] + 1) * sizeof(double);
    const size_t most = group == CAROM_RECORD_STEPS ? CAROM_STEP_BLOCK_SAMPLES : CAROM_LONG_BLOCK_SAMPLES;
    size_t room = CAROM_BLOCK_SAMPLES;
    /* steps in contact come in a number of their own */
    while (room < most && 2 * room * bytes <= CAROM_LONG_BLOCK_BYTES &&
           (group == CAROM_RECORD_STEPS || (double)(2 * room * CAROM_LEAST_BLOCKS) <= rows))
        room *= 2;
    return room;
}

carom_status carom_record_create(carom_simulation *sim)
{
    carom_recorder *r = &sim->recorder;
    if (!sim->def.sink)
        return CAROM_OK;
    CAROM_TRY(carom_channels_list(sim));
    for (int group = 0; group < CAROM_RECORD_GROUPS; group++) {
        r->room[group] = carom_block_part(carom_record_room(sim, group));
        r->time[group] = carom_arena_alloc(&sim->arena, r->room[group], sizeof(double));
        r->block[group] = carom_arena_alloc(&sim->arena, r->room[group] * r->columns[group], sizeof(double));
        if (!r->time[group] || !r->block[group])
            return carom_fail_memory(sim->ctx);
    }
    return CAROM_OK;
}

static carom_status flush_group(carom_simulation *sim, int group)
{
    carom_recorder *r = &sim->recorder;
    const size_t samples = r->samples[group];
    if (!samples)
        return CAROM_OK;
    r->last[group] = samples - 1;
    r->samples[group] = 0;
    r->place[group] = (r->place[group] + samples) % r->room[group];
    const carom_sink *sink = sim->def.sink;
    if (!sink || !sink->rows)
        return CAROM_OK;
    return sink->rows(sink->user, group, samples, r->time[group], r->block[group]);
}

carom_status carom_record_flush(carom_simulation *sim)
{
    for (int group = 0; group < CAROM_RECORD_GROUPS; group++)
        CAROM_TRY(flush_group(sim, group));
    return CAROM_OK;
}

void carom_record_let_go(carom_simulation *sim)
{
    sim->def.sink = NULL;
    for (int group = 0; group < CAROM_RECORD_GROUPS; group++)
        flush_group(sim, group);
}

void carom_record_values(carom_simulation *sim, int group, carom_evaluation *d, const carom_state *s, double *out)
{
    carom_recorder *r = &sim->recorder;
    carom_reading_begin(&r->reading, d, s);
    const carom_record_item *end = r->plan[group] + r->group_count[group];
    for (const carom_record_item *item = r->plan[group]; item < end; out += item++->size)
        item->fill(&r->reading, item->index, out);
}

/* Room for the next sample of a group, at t; NULL: nothing of it is recorded. */
static double *begin_sample(carom_simulation *sim, int group, double t)
{
    carom_recorder *r = &sim->recorder;
    if (!sim->def.sink || r->columns[group] == 0)
        return NULL;
    const size_t sample = r->samples[group]++;
    r->time[group][sample] = t;
    return r->block[group] + sample * r->columns[group];
}

static carom_status end_sample(carom_simulation *sim, int group)
{
    const carom_recorder *r = &sim->recorder;
    return r->place[group] + r->samples[group] == r->room[group] ? flush_group(sim, group) : CAROM_OK;
}

carom_status carom_record_sample(carom_simulation *sim, int group, double t, carom_evaluation *d,
                                 const carom_state *s)
{
    double *to = begin_sample(sim, group, t);
    if (!to)
        return CAROM_OK;
    carom_record_values(sim, group, d, s, to);
    return end_sample(sim, group);
}

carom_status carom_record_again(carom_simulation *sim, int group, double t)
{
    const carom_recorder *r = &sim->recorder;
    const size_t columns = r->columns[group], last = r->samples[group] ? r->samples[group] - 1 : r->last[group];
    double *to = begin_sample(sim, group, t);
    if (!to)
        return CAROM_OK;
    memmove(to, r->block[group] + last * columns, columns * sizeof *to);
    return end_sample(sim, group);
}

/* Bytes of the file for those of the numbers, where all of them move, and those of a channel: docs/results.md. */
#define PACKED_SHARE 0.8
#define CHANNEL_BYTES 2640.0

carom_status carom_simulation_estimate_output(carom_simulation *sim, carom_output_estimate *out)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, out);
    *out = (carom_output_estimate){.most = sim->run.max_size};
    if (sim->run.without_places && !sim->run.channel_count)
        out->not_recorded = (size_t)sim->model->set_point_count;
    else if (!sim->run.without_places && !sim->run.contacts_every_step && !sim->run.contacts_given)
        out->at_interval = (size_t)sim->model->set_point_count;
    CAROM_TRY(carom_channels_list(sim));
    const carom_recorder *r = &sim->recorder;
    const int groups[] = {CAROM_RECORD_INTERVALS, CAROM_RECORD_SNAPSHOTS};
    out->rows = fmax(floor(sim->run.until / sim->run.output_every + 1e-9) + 1 - *sim->s.output_index, 0);
    for (size_t k = 0; k < CAROM_COUNT(groups); k++)
        out->numbers += r->columns[groups[k]] ? r->columns[groups[k]] + 1 : 0;
    out->bytes = PACKED_SHARE * out->rows * (double)(out->numbers * sizeof(double)) +
                 CHANNEL_BYTES * (double)r->channel_count;
    return CAROM_OK;
}

size_t carom_simulation_pending_rows(const carom_simulation *sim, int group, const double **time, const double **data)
{
    if (!sim || !time || !data)
        return 0;
    const carom_recorder *r = &sim->recorder;
    bool known = sim->def.sink && group >= 0 && group < CAROM_RECORD_GROUPS;
    *time = known ? r->time[group] : NULL;
    *data = known ? r->block[group] : NULL;
    return known ? r->samples[group] : 0;
}

size_t carom_simulation_block_rows(carom_simulation *sim, int group)
{
    if (!sim)
        return 0;
    const bool known = group >= 0 && group < CAROM_RECORD_GROUPS && carom_channels_list(sim) == CAROM_OK;
    return known ? carom_record_room(sim, group) : 0;
}

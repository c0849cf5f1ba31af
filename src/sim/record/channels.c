/* The list of channels: compiled once from the model; found by name, read alone. */
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

/* ---- compiling ---- */

static void add_all(carom_channel_list *list)
{
    list->count = 0;
    carom_channels_of_bodies(list);
    carom_channels_of_joints(list);
    carom_channels_of_contacts(list);
    carom_channels_of_loads(list);
    carom_channels_of_frames(list);
    carom_channels_of_names(list);
    carom_channels_of_energy(list);
    carom_channels_of_solver(list);
}

/* Whether the run's list of channels names this one: wholly, by a beginning that ends at a dot, or by a pattern. */
static bool is_wanted(const carom_simulation *sim, const char *name)
{
    for (size_t k = 0; k < sim->run.channel_count; k++)
        if (carom_text_names(sim->run.channels[k], name))
            return true;
    return sim->run.channel_count == 0;
}

/* Refuses an item of the run's list that names no channel. */
static carom_status check_wanted(const carom_simulation *sim)
{
    const carom_channel_list *list = &sim->recorder.list;
    for (size_t i = 0; i < sim->run.channel_count; i++) {
        const char *item = sim->run.channels[i];
        char name[CAROM_CHANNEL_NAME], nearest[CAROM_CHANNEL_NAME] = "";
        bool found = false;
        for (size_t k = 0; k < list->count && !found; k++) {
            carom_channel_name(&list->items[k], name);
            found = carom_text_names(item, name);
            const char *candidate = name;
            if (strchr(item, '*') && list->items[k].object[0])
                snprintf(name, sizeof name, "%s.*.%s", list->items[k].type, list->items[k].quantity->name);
            if (!found && !*nearest && carom_nearest_name(item, &candidate, 1))
                snprintf(nearest, sizeof nearest, "%s", name);
        }
        if (!found)
            return carom_fail(sim->ctx, CAROM_ERROR_MODEL, &sim->run.channels_place,
                              "output: there is no channel '%.80s'%s%s%s", item,
                              *nearest ? "; did you mean '" : "; `carom plot RESULT --list` lists those of a run",
                              nearest, *nearest ? "'?" : "");
    }
    return CAROM_OK;
}

/* Leaves out of the records what the run does not want; snapshots are always recorded. */
static void choose(carom_simulation *sim)
{
    carom_channel_list *list = &sim->recorder.list;
    for (size_t k = 0; k < list->count && !sim->run.contacts_every_step; k++)
        list->items[k].groups &= ~CAROM_AT_STEPS;
    for (size_t k = 0; k < list->count && sim->run.channel_count; k++) {
        char name[CAROM_CHANNEL_NAME];
        carom_channel_name(&list->items[k], name);
        if (!is_wanted(sim, name))
            list->items[k].groups &= CAROM_AT_SNAPSHOTS;
        else if (!list->items[k].groups)
            list->items[k].groups = CAROM_AT_INTERVALS;
    }
}

static carom_status index_groups(carom_simulation *sim)
{
    carom_recorder *r = &sim->recorder;
    r->needs = CAROM_NEEDS_POSES;
    for (int group = 0; group < CAROM_RECORD_GROUPS; group++) {
        size_t count = 0;
        for (size_t k = 0; k < r->list.count; k++)
            count += r->list.items[k].groups >> group & 1;
        r->of_group[group] = carom_arena_alloc(&sim->arena, count, sizeof *r->of_group[group]);
        r->plan[group] = carom_arena_alloc(&sim->arena, count, sizeof *r->plan[group]);
        if (!r->of_group[group] || !r->plan[group])
            return carom_fail_memory(sim->ctx);
        r->group_count[group] = r->columns[group] = 0;
        for (size_t k = 0; k < r->list.count; k++) {
            if (!(r->list.items[k].groups >> group & 1))
                continue;
            const carom_compiled_channel *c = &r->list.items[k];
            const carom_reading_needs needs = c->quantity->groups & CAROM_OF_POSES      ? CAROM_NEEDS_POSES
                                              : c->quantity->groups & CAROM_OF_CONTACTS ? CAROM_NEEDS_CONTACTS
                                                                                        : CAROM_NEEDS_ALL;
            r->needs = group != CAROM_RECORD_STEPS && needs < r->needs ? needs : r->needs;
            r->plan[group][r->group_count[group]] = (carom_record_item){c->quantity->fill, c->index, c->size};
            r->of_group[group][r->group_count[group]++] = k;
            r->columns[group] += (size_t)r->list.items[k].size;
        }
    }
    return CAROM_OK;
}

/* The same for lists whose channels have the same names and sizes at the same places. */
static uint64_t identify(const carom_channel_list *list)
{
    uint64_t hash = carom_hash(&list->count, sizeof list->count, 0);
    for (size_t k = 0; k < list->count; k++) {
        const carom_compiled_channel *c = &list->items[k];
        const char *names[] = {c->type, c->object, c->quantity->name};
        for (size_t n = 0; n < CAROM_COUNT(names); n++)
            hash = carom_hash(names[n], strlen(names[n]) + 1, hash);
        hash = carom_hash(&c->size, sizeof c->size, hash);
    }
    return hash;
}

carom_status carom_channels_compile(carom_simulation *sim)
{
    carom_recorder *r = &sim->recorder;
    const size_t contacts = (size_t)sim->model->contact_count;
    if (r->list.items)
        return CAROM_OK;
    carom_channel_list list = {
        .model = sim->model, .without_places = sim->run.without_places, .arena = &sim->arena};
    add_all(&list);
    list.items = carom_arena_alloc(&sim->arena, list.count, sizeof *list.items);
    r->reading = (carom_reading){.model = sim->model};
    r->reading.points = carom_arena_alloc(&sim->arena, contacts, sizeof *r->reading.points);
    r->reading.point_made = carom_arena_alloc(&sim->arena, contacts, sizeof *r->reading.point_made);
    r->reading.measures = sim->free_measures;
    r->reading.switches = sim->free_switches;
    if (!list.items || !r->reading.points || !r->reading.point_made)
        return carom_fail_memory(sim->ctx);
    add_all(&list);
    if (list.failed)
        return carom_fail_memory(sim->ctx);
    r->list = list;
    r->identity = identify(&list);
    carom_status status = check_wanted(sim);
    if (status == CAROM_OK) {
        choose(sim);
        status = index_groups(sim);
    }
    if (status != CAROM_OK)
        r->list = (carom_channel_list){0};
    return status;
}

carom_status carom_channels_list(carom_simulation *sim)
{
    carom_recorder *r = &sim->recorder;
    CAROM_TRY(carom_channels_compile(sim));
    if (r->channels)
        return CAROM_OK;
    const char **names = carom_arena_alloc(&sim->arena, r->list.count, sizeof *names);
    const size_t count = r->group_count[0] + r->group_count[1] + r->group_count[2];
    carom_channel *channels = carom_arena_alloc(&sim->arena, count, sizeof *channels);
    if (!names || !channels)
        return carom_fail_memory(sim->ctx);
    size_t listed = 0;
    for (int group = 0; group < CAROM_RECORD_GROUPS; group++)
        for (size_t i = 0; i < r->group_count[group]; i++) {
            const size_t k = r->of_group[group][i];
            const carom_compiled_channel *c = &r->list.items[k];
            char name[CAROM_CHANNEL_NAME];
            carom_channel_name(c, name);
            if (!names[k])
                names[k] = carom_arena_text(&sim->arena, name);
            if (!names[k])
                return carom_fail_memory(sim->ctx);
            channels[listed++] = (carom_channel){.name = names[k],
                                                 .unit = c->unit,
                                                 .description = c->description,
                                                 .size = c->size,
                                                 .components = carom_channel_components(c->size),
                                                 .group = group,
                                                 .type = c->type,
                                                 .object = c->object,
                                                 .quantity = c->quantity->name};
        }
    r->channels = channels;
    r->channel_count = count;
    return CAROM_OK;
}

const carom_channel *carom_simulation_channels(carom_simulation *sim, size_t *count)
{
    if (!sim)
        return carom_give_none(count);
    const bool listed = carom_channels_list(sim) == CAROM_OK;
    carom_give_count(count, listed ? sim->recorder.channel_count : 0);
    return listed ? sim->recorder.channels : NULL;
}

/* ---- reading one ---- */

void carom_reading_begin(carom_reading *r, carom_evaluation *d, const carom_state *s)
{
    r->d = d;
    r->s = s;
    r->number++;
}

carom_status carom_simulation_find_channel(carom_simulation *sim, const char *name, carom_channel_ref *out)
{
    CAROM_NEED(NULL, sim);
    if (!name || !out)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "a channel needs a name and a place for it, not NULL");
    CAROM_TRY(carom_channels_compile(sim));
    const carom_channel_list *list = &sim->recorder.list;
    for (size_t k = 0; k < list->count; k++) {
        const carom_compiled_channel *c = &list->items[k];
        int component;
        if (!carom_channel_matches(c, name, &component))
            continue;
        *out = (carom_channel_ref){
            .index = k, .component = component, .size = component < 0 ? c->size : 1, .unit = c->unit,
            .list = sim->recorder.identity};
        return CAROM_OK;
    }
    char near[CAROM_CHANNEL_NAME];
    const char *nearest = carom_channels_nearest(list, name, near);
    return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                      nearest ? "no channel '%s'; did you mean '%s'?" : "no channel '%s'%s", name,
                      nearest ? nearest : "");
}

carom_status carom_channels_check(carom_simulation *sim, const carom_channel_ref *channel)
{
    const carom_recorder *r = &sim->recorder;
    CAROM_TRY(carom_channels_compile(sim));
    const bool found = channel->list == r->identity && channel->index < r->list.count;
    const int size = found ? r->list.items[channel->index].size : 0;
    if (channel->component < 0 ? found && channel->size == size : channel->component < size && channel->size == 1)
        return CAROM_OK;
    return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                      "the channel, number %zu, was not found in this simulation, or in one with the same channels; "
                      "find it by carom_simulation_find_channel()",
                      channel->index);
}

carom_status carom_simulation_read(carom_simulation *sim, const carom_channel_ref *channel, double *out)
{
    CAROM_NEED(NULL, sim);
    if (!channel || !out)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL, "the channel, or the place for its value, is NULL");
    carom_recorder *r = &sim->recorder;
    CAROM_TRY(carom_channels_check(sim, channel));
    const carom_compiled_channel *c = &r->list.items[channel->index];
    double all[4];
    carom_sim_catch_up(sim);
    carom_reading_begin(&r->reading, sim->d, &sim->s);
    carom_channel_fill(&r->reading, c, all);
    memcpy(out, channel->component < 0 ? all : all + channel->component, (size_t)channel->size * sizeof *out);
    return CAROM_OK;
}

carom_status carom_simulation_channel(carom_simulation *sim, const char *name, double *out)
{
    CAROM_NEED(NULL, sim);
    CAROM_NEED(sim->ctx, out);
    carom_channel_ref channel;
    CAROM_TRY(carom_simulation_find_channel(sim, name, &channel));
    return carom_simulation_read(sim, &channel, out);
}

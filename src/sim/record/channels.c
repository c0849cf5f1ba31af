/* The list of channels: compiled once from the model; found by name, read alone. */
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

#define NAME_SIZE 256   /* of a channel's name; names of objects are shorter than half of it */

static const char *const xyz[] = {"x", "y", "z"};
static const char *const wxyz[] = {"w", "x", "y", "z"};

/* ---- compiling ---- */

void carom_channels_add(carom_channel_list *list, const carom_quantity *quantities, size_t count, const char *type,
                        const char *object, int index, const char *unit)
{
    for (size_t k = 0; k < count; k++) {
        const carom_quantity *q = &quantities[k];
        const int size = list->model->dimension == 2 ? q->size_2d : q->size_3d;
        if (size == 0)
            continue;
        if (list->items)
            list->items[list->count] = (carom_compiled_channel){.quantity = q,
                                                                .type = type,
                                                                .object = object,
                                                                .unit = unit ? unit : q->unit,
                                                                .sentence = q->sentence,
                                                                .index = index,
                                                                .size = size,
                                                                .groups = q->groups};
        list->count++;
    }
}

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

static const char *const *components_of(int size) { return size == 1 ? NULL : size == 4 ? wxyz : xyz; }

/* "body.slider.position", or "energy.kinetic" of what belongs to no object, or "input.torque" of what is a number itself. */
static void write_name(const carom_compiled_channel *c, char text[NAME_SIZE])
{
    const char *name = c->quantity->name;
    snprintf(text, NAME_SIZE, "%s%s%s%s%s", c->type, c->object[0] ? "." : "", c->object, name[0] ? "." : "", name);
}

/* Whether the run's list of channels names this one, wholly or by a prefix that ends at a dot. */
static bool is_wanted(const carom_simulation *sim, const char *name)
{
    for (size_t k = 0; k < sim->run.channel_count; k++) {
        size_t n = strlen(sim->run.channels[k]);
        if (strncmp(name, sim->run.channels[k], n) == 0 && (name[n] == '\0' || name[n] == '.'))
            return true;
    }
    return sim->run.channel_count == 0;
}

/* Leaves out of the records what the run does not want; snapshots are always recorded. */
static void choose(carom_simulation *sim)
{
    carom_channel_list *list = &sim->recorder.list;
    for (size_t k = 0; k < list->count && sim->run.channel_count; k++) {
        char name[NAME_SIZE];
        write_name(&list->items[k], name);
        if (!is_wanted(sim, name))
            list->items[k].groups &= CAROM_AT_SNAPSHOTS;
        else if (!list->items[k].groups)
            list->items[k].groups = CAROM_AT_INTERVALS;
    }
}

static carom_status index_groups(carom_simulation *sim)
{
    carom_recorder *r = &sim->recorder;
    for (int group = 0; group < CAROM_RECORD_GROUPS; group++) {
        size_t count = 0;
        for (size_t k = 0; k < r->list.count; k++)
            count += r->list.items[k].groups >> group & 1;
        r->of_group[group] = carom_arena_alloc(&sim->arena, count, sizeof *r->of_group[group]);
        if (!r->of_group[group])
            return carom_fail_memory(sim->ctx);
        r->group_count[group] = r->columns[group] = 0;
        for (size_t k = 0; k < r->list.count; k++) {
            if (!(r->list.items[k].groups >> group & 1))
                continue;
            r->of_group[group][r->group_count[group]++] = k;
            r->columns[group] += (size_t)r->list.items[k].size;
        }
    }
    return CAROM_OK;
}

carom_status carom_channels_compile(carom_simulation *sim)
{
    carom_recorder *r = &sim->recorder;
    const size_t contacts = (size_t)sim->model->contact_count;
    if (r->list.items)
        return CAROM_OK;
    carom_channel_list list = {.model = sim->model};
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
    r->list = list;
    choose(sim);
    carom_status status = index_groups(sim);
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
            char name[NAME_SIZE];
            write_name(c, name);
            if (!names[k])
                names[k] = carom_arena_text(&sim->arena, name);
            if (!names[k])
                return carom_fail_memory(sim->ctx);
            channels[listed++] = (carom_channel){.name = names[k],
                                                 .unit = c->unit,
                                                 .sentence = c->sentence,
                                                 .size = c->size,
                                                 .components = components_of(c->size),
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
    const bool listed = carom_channels_list(sim) == CAROM_OK;
    *count = listed ? sim->recorder.channel_count : 0;
    return listed ? sim->recorder.channels : NULL;
}

/* ---- reading one ---- */

void carom_reading_begin(carom_reading *r, const carom_evaluation *d, const carom_state *s)
{
    r->d = d;
    r->s = s;
    r->number++;
}

/* Whether a name is a channel's, wholly (*component -1) or with a component. */
static bool matches(const carom_compiled_channel *c, const char *name, int *component)
{
    const char *const parts[] = {c->type, c->object, c->quantity->name};
    const char *p = name;
    for (int k = 0; k < 3; k++) {
        const size_t n = strlen(parts[k]);
        if (n == 0)
            continue;
        if (p > name && *p++ != '.')
            return false;
        if (strncmp(p, parts[k], n) != 0)
            return false;
        p += n;
    }
    *component = -1;
    if (*p == '\0')
        return true;
    const char *const *components = components_of(c->size);
    for (int i = 0; components && *p == '.' && i < c->size; i++)
        if (strcmp(p + 1, components[i]) == 0) {
            *component = i;
            return true;
        }
    return false;
}

/* The channel whose name is nearest to one that there is not, in `out`; NULL: none is near. */
static const char *find_nearest(const carom_channel_list *list, const char *name, char out[NAME_SIZE])
{
    char candidate[NAME_SIZE];
    const char *nearest = NULL;
    for (size_t k = 0; k < list->count; k++) {
        write_name(&list->items[k], candidate);
        const char *two[] = {nearest, candidate};
        const char *chosen = carom_nearest_name(name, nearest ? two : two + 1, nearest ? 2 : 1);
        if (chosen == candidate)
            nearest = memcpy(out, candidate, sizeof candidate);
    }
    return nearest;
}

carom_status carom_simulation_find_channel(carom_simulation *sim, const char *name, carom_channel_ref *out)
{
    CAROM_TRY(carom_channels_compile(sim));
    const carom_channel_list *list = &sim->recorder.list;
    for (size_t k = 0; k < list->count; k++) {
        const carom_compiled_channel *c = &list->items[k];
        int component;
        if (!matches(c, name, &component))
            continue;
        *out = (carom_channel_ref){
            .index = k, .component = component, .size = component < 0 ? c->size : 1, .unit = c->unit};
        return CAROM_OK;
    }
    char near[NAME_SIZE];
    const char *nearest = find_nearest(list, name, near);
    return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                      nearest ? "no channel '%s'; did you mean '%s'?" : "no channel '%s'%s", name,
                      nearest ? nearest : "");
}

carom_status carom_simulation_read(carom_simulation *sim, const carom_channel_ref *channel, double *out)
{
    carom_recorder *r = &sim->recorder;
    if (channel->index >= r->list.count || channel->component >= r->list.items[channel->index].size)
        return carom_fail(sim->ctx, CAROM_ERROR_USAGE, NULL,
                          "no channel %zu; find it by carom_simulation_find_channel() of this simulation",
                          channel->index);
    const carom_compiled_channel *c = &r->list.items[channel->index];
    double all[4];
    carom_reading_begin(&r->reading, sim->d, &sim->s);
    carom_channel_fill(&r->reading, c, all);
    memcpy(out, channel->component < 0 ? all : all + channel->component, (size_t)channel->size * sizeof *out);
    return CAROM_OK;
}

carom_status carom_simulation_channel(carom_simulation *sim, const char *name, double *out)
{
    carom_channel_ref channel;
    CAROM_TRY(carom_simulation_find_channel(sim, name, &channel));
    return carom_simulation_read(sim, &channel, out);
}

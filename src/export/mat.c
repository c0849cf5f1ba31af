/* A result as a MAT-file: its channels, tables and texts as variables, which docs/results.md lists. */
#include "carom/export.h"
#include "result/h5.h"

#include <stdio.h>
#include <string.h>

#include "export/mat_file.h"
#include "export/save.h"

typedef struct mat_file {
    carom_result *result;
    carom_context *ctx;
    carom_arena arena;
    carom_mat_array root, units, names; /* the variables, and the structs of texts that go with them */
    carom_names taken;                  /* of the variables */
    carom_names bases;                  /* their names before a number was added, */
    size_t *uses;                       /* and how many variables had each */
    size_t base_count;
} mat_file;

/* ---- names ---- */

/* Name of the next variable: with a number behind it if the name is taken. */
static carom_status make_unique(mat_file *m, char out[CAROM_MAT_NAME], const char *prefix, const char *name)
{
    carom_mat_name(out, prefix, name);
    const char *base = carom_arena_text(&m->arena, out);
    if (!base)
        return carom_fail_memory(m->ctx);
    if (carom_names_add(&m->bases, base, (int)m->base_count))
        m->base_count++;
    size_t *uses = &m->uses[carom_names_find(&m->bases, base)];
    ++*uses;
    for (size_t number = *uses > 1 ? *uses : 2; carom_names_find(&m->taken, out) >= 0; number++) {
        char ending[24];
        int length = snprintf(ending, sizeof ending, "_%zu", number);
        snprintf(out, CAROM_MAT_NAME, "%.*s%s", CAROM_MAT_NAME - 1 - length, base, ending);
    }
    return CAROM_OK;
}

/* ---- the variables ---- */

static carom_status add_times(mat_file *m, int group, const char *name)
{
    size_t rows;
    const double *time;
    CAROM_TRY(carom_result_times(m->result, group, &time, &rows));
    carom_mat_array *array = carom_mat_add_numbers(&m->arena, &m->root, name, rows, 1);
    if (!array)
        return carom_fail_memory(m->ctx);
    array->columns[0] = time;
    carom_mat_add_text(&m->units, name, "s");
    return CAROM_OK;
}

/* One component of a channel, or all for -1, as variable; `name` is the channel's with that component. */
static carom_status add_channel(mat_file *m, size_t channel, int component, const char *name)
{
    size_t count;
    const carom_channel *c = &carom_result_channels(m->result, &count)[channel];
    const size_t rows = carom_result_rows(m->result, c->group);
    int first = component < 0 ? 0 : component, last = component < 0 ? c->size - 1 : component;
    char variable[CAROM_MAT_NAME];
    static const char *const prefixes[CAROM_H5_GROUPS] = {"", "steps_", "snapshots_"};
    CAROM_TRY(make_unique(m, variable, prefixes[c->group], name));
    carom_mat_array *array = carom_mat_add_numbers(&m->arena, &m->root, variable, rows, (size_t)(last - first + 1));
    if (!array)
        return carom_fail_memory(m->ctx);
    for (int k = first; k <= last; k++)
        CAROM_TRY(carom_result_values(m->result, channel, k, &array->columns[k - first]));
    carom_names_add(&m->taken, array->name, 0);
    carom_mat_add_text(&m->units, variable, c->unit);
    carom_mat_add_text(&m->names, variable, name);
    return CAROM_OK;
}

/* The channels asked for, from all groups that have one; all for count 0. */
static carom_status add_channels(mat_file *m, const char *const *names, size_t count)
{
    size_t channels;
    const carom_channel *list = carom_result_channels(m->result, &channels);
    for (size_t k = 0; !count && k < channels; k++)
        CAROM_TRY(add_channel(m, k, -1, list[k].name));
    for (size_t k = 0; k < count; k++) {
        if (strcmp(names[k], "time") == 0) /* always there, of each group */
            continue;
        for (int group = 0; group < CAROM_H5_GROUPS; group++) {
            size_t found;
            int component;
            CAROM_TRY(carom_result_find(m->result, group, names[k], &found, &component));
            if (list[found].group == group)
                CAROM_TRY(add_channel(m, found, component, names[k]));
        }
    }
    return CAROM_OK;
}

/* Adds a struct of `count` fields as variable, and one of their units to `units`. */
static carom_status add_struct(mat_file *m, const char *name, size_t count, carom_mat_array **out,
                               carom_mat_array **units)
{
    *out = carom_mat_add(&m->root, CAROM_MX_STRUCT, name);
    *units = carom_mat_add(&m->units, CAROM_MX_STRUCT, name);
    CAROM_TRY(carom_mat_reserve(&m->arena, *out, count));
    return carom_mat_reserve(&m->arena, *units, count);
}

/* A struct of columns from rows of structs. */
static carom_status add_rows(mat_file *m, const char *name, const carom_field *fields, size_t field_count,
                             const void *rows, size_t size, size_t count)
{
    carom_mat_array *table, *units, *column;
    CAROM_TRY(add_struct(m, name, field_count, &table, &units));
    for (size_t i = 0; i < field_count; i++) {
        const carom_field *field = &fields[i];
        const char *at = (const char *)rows + field->offset;
        carom_mat_add_text(units, field->name, field->unit);
        if (field->type == CAROM_FIELD_TEXT) {
            column = carom_mat_add(table, CAROM_MX_CELL, field->name);
            CAROM_TRY(carom_mat_reserve(&m->arena, column, count));
            for (size_t k = 0; k < count; k++) {
                const char *text;
                memcpy(&text, at + k * size, sizeof text);
                carom_mat_add_text(column, "", text);
            }
            continue;
        }
        double *values = carom_arena_alloc(&m->arena, count, sizeof *values);
        column = carom_mat_add_numbers(&m->arena, table, field->name, count, 1);
        if (!values || !column)
            return carom_fail_memory(m->ctx);
        column->columns[0] = values;
        for (size_t k = 0; k < count; k++) {
            size_t index = 0;
            memcpy(&index, at + k * size, sizeof index);
            values[k] = field->type == CAROM_FIELD_INDEX ? (double)index
                                                         : carom_field_number(field, (const char *)rows + k * size);
        }
    }
    return CAROM_OK;
}

static carom_status add_impacts(mat_file *m)
{
    size_t impacts, rests;
    const carom_impact *impact = carom_result_impacts(m->result, &impacts);
    const carom_rest *rest = carom_result_rests(m->result, &rests);
    CAROM_TRY(add_rows(m, "impacts", carom_impact_field, CAROM_IMPACT_FIELDS, impact, sizeof *impact, impacts));
    return add_rows(m, "rests", carom_rest_field, CAROM_REST_FIELDS, rest, sizeof *rest, rests);
}

static carom_status add_events(mat_file *m)
{
    size_t count;
    const carom_fired_event *events = carom_result_events(m->result, &count);
    static const char *const names[] = {"name", "kind", "action"};
    carom_mat_array *table, *units, *column;
    CAROM_TRY(add_struct(m, "events", 8, &table, &units));
    static const char *const numbers[] = {"time", "energy", "rate", "peak", "depth"};
    static const char *const unit[] = {"s", "J", "m/s or rad/s", "N or N m", "m or rad"};
    for (int i = 0; i < 5; i++) {
        double *values = carom_arena_alloc(&m->arena, count, sizeof *values);
        column = carom_mat_add_numbers(&m->arena, table, numbers[i], count, 1);
        if (!values || !column)
            return carom_fail_memory(m->ctx);
        column->columns[0] = values;
        for (size_t k = 0; k < count; k++) {
            const carom_fired_event *e = &events[k];
            const double of[] = {e->time, e->energy, e->rate, e->peak, e->depth};
            values[k] = of[i];
        }
        carom_mat_add_text(units, numbers[i], unit[i]);
    }
    for (size_t i = 0; i < CAROM_COUNT(names); i++) {
        column = carom_mat_add(table, CAROM_MX_CELL, names[i]);
        CAROM_TRY(carom_mat_reserve(&m->arena, column, count));
        for (size_t k = 0; k < count; k++)
            carom_mat_add_text(column, "", i == 0 ? events[k].event : i == 1 ? events[k].kind : events[k].action);
        carom_mat_add_text(units, names[i], "");
    }
    return CAROM_OK;
}

static carom_status add_ledger(mat_file *m)
{
    carom_mat_array *table, *units, *field;
    carom_ledger *ledger = carom_arena_alloc(&m->arena, 1, sizeof *ledger);
    if (!ledger)
        return carom_fail_memory(m->ctx);
    carom_result_ledger(m->result, ledger);
    CAROM_TRY(add_struct(m, "ledger", CAROM_LEDGER_FIELDS, &table, &units));
    for (size_t i = 0; i < CAROM_LEDGER_FIELDS; i++) {
        field = carom_mat_add_numbers(&m->arena, table, carom_ledger_field[i].name, 1, 1);
        if (!field)
            return carom_fail_memory(m->ctx);
        field->columns[0] = (const double *)(const void *)((const char *)ledger + carom_ledger_field[i].offset);
        carom_mat_add_text(units, carom_ledger_field[i].name, carom_ledger_field[i].unit);
    }
    return CAROM_OK;
}

static carom_status collect(mat_file *m, const char *const *names, size_t count)
{
    enum { FIXED = 16 }; /* variables that are no channels */
    const carom_result *r = m->result;
    size_t channels;
    carom_result_channels(r, &channels);
    size_t most = (count ? CAROM_H5_GROUPS * count : channels) + FIXED;
    CAROM_TRY(carom_mat_reserve(&m->arena, &m->root, most));
    CAROM_TRY(carom_mat_reserve(&m->arena, &m->units, most));
    CAROM_TRY(carom_mat_reserve(&m->arena, &m->names, most));
    m->uses = carom_arena_alloc(&m->arena, most, sizeof *m->uses);
    if (!m->uses)
        return carom_fail_memory(m->ctx);
    CAROM_TRY(carom_names_create(&m->arena, most, &m->taken));
    CAROM_TRY(carom_names_create(&m->arena, most, &m->bases));
    m->units.class = m->names.class = CAROM_MX_STRUCT;
    snprintf(m->units.name, CAROM_MAT_NAME, "units");
    snprintf(m->names.name, CAROM_MAT_NAME, "names");
    carom_mat_add_text(&m->root, "model_name", carom_result_model_name(r));
    carom_mat_add_text(&m->root, "title", carom_result_title(r));
    carom_mat_add_text(&m->root, "model_text", carom_result_model_text(r));
    carom_mat_add_text(&m->root, "options", carom_result_options(r));
    carom_mat_add_text(&m->root, "methods", carom_result_methods(r));
    carom_mat_add_text(&m->root, "status", carom_result_status(r));
    carom_mat_add_text(&m->root, "version", carom_result_version(r));
    CAROM_TRY(add_times(m, 0, "time"));
    CAROM_TRY(add_times(m, 1, "steps_time"));
    CAROM_TRY(add_times(m, 2, "snapshots_time"));
    CAROM_TRY(add_impacts(m));
    CAROM_TRY(add_events(m));
    CAROM_TRY(add_ledger(m));
    /* their places are taken now, so that no channel gets their names, and filled when the channels are known */
    size_t units = m->root.count, fields = units + 1;
    carom_mat_add(&m->root, CAROM_MX_STRUCT, "units");
    carom_mat_add(&m->root, CAROM_MX_STRUCT, "names");
    for (size_t k = 0; k < m->root.count; k++)
        carom_names_add(&m->taken, m->root.items[k].name, 0);
    CAROM_TRY(add_channels(m, names, count));
    m->root.items[units] = m->units;
    m->root.items[fields] = m->names;
    return CAROM_OK;
}

/* ---- the file ---- */

static carom_status save(mat_file *m, const char *path)
{
    if (carom_is_same_file(path, carom_result_path(m->result)))
        return carom_fail(m->ctx, CAROM_ERROR_USAGE, NULL, "%s: is the result itself; give the MAT-file another name",
                          path);
    return carom_mat_save(m->ctx, &m->root, path);
}

carom_status carom_result_write_mat(carom_result *result, const char *const *names, size_t count, const char *path)
{
    CAROM_NEED(NULL, result);
    mat_file m = {.result = result, .ctx = carom_result_context(result)};
    if (!path || !*path || (!names && count))
        return carom_fail(m.ctx, CAROM_ERROR_USAGE, NULL, "carom_result_write_mat: no path or no names");
    carom_arena_init(&m.arena, m.ctx);
    carom_status status = collect(&m, names, count);
    if (status == CAROM_OK)
        status = save(&m, path);
    carom_arena_free(&m.arena);
    return status;
}

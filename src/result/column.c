/* Columns of a result by name: of a channel that is recorded at the output interval and at solver steps the rows of
   both, merged by their times. */
#include "result/h5.h"

#include <stdio.h>
#include <string.h>

/* A merged column, kept for the next time it is asked for. */
struct carom_merged {
    size_t channel;             /* of the steps */
    int component;
    size_t rows;
    const double *time, *values;
    struct carom_merged *next;
};

/* Rows of one group. */
typedef struct rows_of {
    size_t count, at;
    const double *time, *values;
} rows_of;

static carom_status load(carom_result *result, size_t channel, int component, rows_of *out)
{
    size_t count;
    int group = carom_result_channels(result, &count)[channel].group;
    *out = (rows_of){0};
    CAROM_TRY(carom_result_times(result, group, &out->time, &out->count));
    return carom_result_values(result, channel, component, &out->values);
}

/* Merges by time; of equal times the step's row is kept. */
static carom_status merge(carom_result *result, rows_of *intervals, rows_of *steps, struct carom_merged *out)
{
    carom_arena *arena = carom_result_arena(result);
    double *time = carom_arena_alloc(arena, intervals->count + steps->count, sizeof *time);
    double *values = carom_arena_alloc(arena, intervals->count + steps->count, sizeof *values);
    if (!time || !values)
        return carom_fail_memory(carom_result_context(result));
    size_t row = 0;
    while (intervals->at < intervals->count || steps->at < steps->count) {
        bool step = intervals->at == intervals->count ||
                    (steps->at < steps->count && steps->time[steps->at] <= intervals->time[intervals->at]);
        rows_of *from = step ? steps : intervals;
        if (step && intervals->at < intervals->count && steps->time[steps->at] == intervals->time[intervals->at])
            intervals->at++;
        time[row] = from->time[from->at];
        values[row++] = from->values[from->at++];
    }
    out->rows = row;
    out->time = time;
    out->values = values;
    return CAROM_OK;
}

static carom_status find_merged(carom_result *result, size_t interval, size_t step, int component,
                                const struct carom_merged **out)
{
    struct carom_merged **list = carom_result_merged(result);
    for (const struct carom_merged *m = *list; m; m = m->next)
        if (m->channel == step && m->component == component) {
            *out = m;
            return CAROM_OK;
        }
    rows_of intervals, steps;
    struct carom_merged *m = carom_arena_alloc(carom_result_arena(result), 1, sizeof *m);
    if (!m)
        return carom_fail_memory(carom_result_context(result));
    CAROM_TRY(load(result, interval, component, &intervals));
    CAROM_TRY(load(result, step, component, &steps));
    *m = (struct carom_merged){.channel = step, .component = component, .next = *list};
    CAROM_TRY(merge(result, &intervals, &steps, m));
    *list = m;
    *out = m;
    return CAROM_OK;
}

static carom_status fail_vector(carom_result *result, const carom_channel *c, const char *name)
{
    char list[256] = "";
    for (int k = 0; k < c->size; k++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", k ? ", " : "", c->components[k]);
    }
    return carom_fail(carom_result_context(result), CAROM_ERROR_USAGE, NULL,
                      "%s: channel '%s' has the components %s; name one, as in '%s.%s'", carom_result_path(result),
                      name, list, name, c->components[0]);
}

carom_status carom_result_column(carom_result *result, const char *name, size_t *rows, const double **time,
                                 const double **values, const char **unit)
{
    CAROM_NEED(NULL, result);
    CAROM_NEED(carom_result_context(result), name);
    CAROM_NEED(carom_result_context(result), rows);
    CAROM_NEED(carom_result_context(result), time);
    CAROM_NEED(carom_result_context(result), values);
    CAROM_NEED(carom_result_context(result), unit);
    *rows = 0;
    *time = *values = NULL;
    *unit = "";
    if (strcmp(name, "time") == 0) {
        *unit = "s";
        CAROM_TRY(carom_result_times(result, 0, values, rows));
        *time = *values;
        return CAROM_OK;
    }
    size_t count, channel, interval;
    int component, same;
    const carom_channel *list = carom_result_channels(result, &count);
    CAROM_TRY(carom_result_find(result, 1, name, &channel, &component));
    CAROM_TRY(carom_result_find(result, 0, name, &interval, &same));
    if (component < 0 && list[channel].components)
        return fail_vector(result, &list[channel], name);
    component = component < 0 ? 0 : component;
    *unit = list[channel].unit;
    if (list[channel].group == 1 && list[interval].group == 0) {
        const struct carom_merged *m = NULL;
        CAROM_TRY(find_merged(result, interval, channel, component, &m));
        *rows = m->rows;
        *time = m->time;
        *values = m->values;
        return CAROM_OK;
    }
    CAROM_TRY(carom_result_times(result, list[channel].group, time, rows));
    return carom_result_values(result, channel, component, values);
}

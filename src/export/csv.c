/* Channels of a result as CSV: one line a row, numbers with 17 digits, a header "name [unit]". */
#include "carom/export.h"
#include "result/h5.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 65536     /* bytes handed to the caller at a time */
#define ROWS ((size_t)4096)     /* read at a time */

typedef void (*write_fn)(void *user, const char *text, size_t length);

typedef struct column {
    size_t channel;
    int component;
    carom_open_column open;
    double *values;             /* of the rows of a block */
} column;

typedef struct table {
    carom_context *ctx;
    column *columns;
    size_t count, capacity, opened;
    double *values;             /* of all columns, the times first */
} table;

/* Adds one component of a channel, or all of them for component -1. */
static carom_status add_channel(table *t, const carom_channel *c, size_t channel, int component)
{
    int first = component < 0 ? 0 : component, last = component < 0 ? c->size - 1 : component;
    for (int k = first; k <= last; k++) {
        CAROM_TRY(carom_grow(t->ctx, &t->columns, &t->capacity, t->count + 1, sizeof *t->columns));
        column *add = &t->columns[t->count];
        *add = (column){.channel = channel, .component = k};
        t->count++;
    }
    return CAROM_OK;
}

static carom_status choose(table *t, carom_result *result, int group, const char *const *names, size_t count)
{
    static const char *const recorded[CAROM_H5_GROUPS] = {"at the output interval",
                                                          "at solver steps with a contact open", "for snapshots"};
    size_t channels;
    const carom_channel *list = carom_result_channels(result, &channels);
    for (size_t k = 0; !count && k < channels; k++)
        if (list[k].group == group)
            CAROM_TRY(add_channel(t, &list[k], k, -1));
    for (size_t k = 0; k < count; k++) {
        size_t channel;
        int component;
        if (strcmp(names[k], "time") == 0) /* the first column of every table */
            continue;
        CAROM_TRY(carom_result_find(result, group, names[k], &channel, &component));
        if (list[channel].group != group)
            return carom_fail(t->ctx, CAROM_ERROR_USAGE, NULL,
                              "channel '%s' is recorded %s; a table has channels of one kind only", names[k],
                              recorded[list[channel].group]);
        CAROM_TRY(add_channel(t, &list[channel], channel, component));
    }
    return CAROM_OK;
}

static carom_status append_header(carom_text *text, const table *t, const carom_channel *list)
{
    carom_text_append(text, "time [s]");
    for (size_t k = 0; k < t->count; k++) {
        const carom_channel *c = &list[t->columns[k].channel];
        carom_text name = {.ctx = t->ctx};
        carom_text_append(&name, "%s", c->name);
        if (c->components)
            carom_text_append(&name, ".%s", c->components[t->columns[k].component]);
        if (c->unit[0])
            carom_text_append(&name, " [%s]", c->unit);
        carom_text_append(text, ",");
        if (!name.failed)
            carom_text_append_csv(text, name.data);
        bool failed = name.failed || text->failed;
        carom_text_clear(&name);
        if (failed)
            return carom_fail_memory(t->ctx);
    }
    carom_text_append(text, "\n");
    return text->failed ? carom_fail_memory(t->ctx) : CAROM_OK;
}

/* A number with 17 digits and a point, whatever the locale; "nan", "inf", "-inf". */
static void append_number(carom_text *text, double value)
{
    if (!isfinite(value)) {
        carom_text_append(text, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    char digits[40];
    carom_number_text(digits, value);
    carom_text_append_n(text, digits, strlen(digits));
}

/* Opens the columns, the times as the first of them. */
static carom_status open_columns(table *t, carom_result *result, int group)
{
    CAROM_TRY(carom_grow(t->ctx, &t->columns, &t->capacity, t->count + 1, sizeof *t->columns));
    memmove(t->columns + 1, t->columns, t->count * sizeof *t->columns);
    t->columns[0] = (column){.channel = CAROM_TIMES};
    t->count++;
    t->values = carom_allocate(t->ctx, t->count * ROWS, sizeof *t->values);
    if (!t->values)
        return carom_fail_memory(t->ctx);
    for (; t->opened < t->count; t->opened++) {
        column *c = &t->columns[t->opened];
        c->values = t->values + t->opened * ROWS;
        CAROM_TRY(carom_result_open_column(result, group, c->channel, c->component, &c->open));
    }
    return CAROM_OK;
}

/* Writes `count` rows from `first` on. */
static carom_status append_rows(carom_text *text, const table *t, size_t first, size_t count, write_fn write,
                                void *user)
{
    for (size_t k = 0; k < t->count; k++)
        CAROM_TRY(carom_result_read_column(&t->columns[k].open, first, count, t->columns[k].values));
    for (size_t row = 0; row < count; row++) {
        for (size_t k = 0; k < t->count; k++) {
            if (k)
                carom_text_append_n(text, ",", 1);
            append_number(text, t->columns[k].values[row]);
        }
        carom_text_append_n(text, "\n", 1);
        if (text->failed)
            return carom_fail_memory(t->ctx);
        if (text->length >= BLOCK) {
            write(user, text->data, text->length);
            text->length = 0;
        }
    }
    return CAROM_OK;
}

carom_status carom_result_csv(carom_result *result, int group, const char *const *names, size_t count, write_fn write,
                              void *user)
{
    CAROM_NEED(NULL, result);
    carom_context *ctx = carom_result_context(result);
    CAROM_NEED(ctx, write);
    if (group < 0 || group >= CAROM_H5_GROUPS)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "no group %d of channels; it is 0, 1 or 2", group);
    const size_t rows = carom_result_rows(result, group);
    size_t channels;
    table t = {.ctx = ctx};
    carom_text text = {.ctx = ctx};
    carom_status status = choose(&t, result, group, names, count);
    if (status == CAROM_OK)
        status = append_header(&text, &t, carom_result_channels(result, &channels));
    if (status == CAROM_OK)
        status = open_columns(&t, result, group);
    for (size_t row = 0; status == CAROM_OK && row < rows; row += ROWS)
        status = append_rows(&text, &t, row, rows - row < ROWS ? rows - row : ROWS, write, user);
    if (status == CAROM_OK && text.length)
        write(user, text.data, text.length);
    for (size_t k = 0; k < t.opened; k++)
        carom_result_close_column(&t.columns[k].open);
    carom_text_clear(&text);
    carom_release(ctx, t.values, t.values ? t.count * ROWS : 0, sizeof *t.values);
    carom_release(ctx, t.columns, t.capacity, sizeof *t.columns);
    return status;
}

void carom_csv_cell(const char *text, void (*write)(void *user, const char *text, size_t length), void *user)
{
    if (write)
        carom_csv_put(text ? text : "", write, user);
}

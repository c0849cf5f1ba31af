/* Columns of a result: found by name, read whole or by ranges of rows. */
#include "result/chunks.h"
#include "result/reader.h"

#include <stdlib.h>
#include <string.h>

const char *const carom_result_time_links[CAROM_H5_GROUPS] = {"time", "steps/time", "snapshots/time"};

carom_status carom_result_damaged(const carom_result *r, const char *what)
{
    char text[512];
    carom_h5_reason(text, sizeof text);
    return carom_fail(r->ctx, CAROM_ERROR_IO, NULL, "%s: %s cannot be read (%s); the file is damaged, run again",
                      r->path, what, text);
}

/* ---- some of the rows ---- */

/* Reads of a column the rows that are shown. */
static carom_status pick(carom_result *r, int group, size_t channel, int component, double *out)
{
    enum { ROWS = 4096 };
    double rows[ROWS];
    const size_t *index = r->view->index[group], count = r->rows[group];
    carom_open_column c;
    carom_status status = carom_result_open_column(r, group, channel, component, &c);
    for (size_t k = 0; status == CAROM_OK && k < count;) {
        const size_t first = index[k], read = c.rows - first < ROWS ? c.rows - first : ROWS;
        /* the last of them that lies in the block */
        size_t end = k;
        while (end < count && index[end] < first + read)
            end++;
        status = carom_result_read_column(&c, first, index[end - 1] - first + 1, rows);
        for (; k < end && status == CAROM_OK; k++)
            out[k] = rows[index[k] - first];
    }
    carom_result_close_column(&c);
    return status;
}

static carom_status put_aside(carom_result *r)
{
    r->view = carom_allocate(r->ctx, 1, sizeof *r->view);
    if (!r->view)
        return carom_fail_memory(r->ctx);
    r->view->values = carom_allocate(r->ctx, r->channel_count, sizeof *r->view->values);
    if (!r->view->values) {
        carom_release(r->ctx, r->view, 1, sizeof *r->view);
        r->view = NULL;
        return carom_fail_memory(r->ctx);
    }
    for (int g = 0; g < CAROM_H5_GROUPS; g++) {
        r->view->rows[g] = r->rows[g];
        r->view->times[g] = r->times[g];
    }
    for (size_t k = 0; k < r->channel_count; k++)
        r->view->values[k] = r->data[k].values;
    return CAROM_OK;
}

carom_status carom_result_show_rows(carom_result *r, int group, const size_t *index, size_t count)
{
    if (!r->view)
        CAROM_TRY(put_aside(r));
    size_t *own = carom_allocate(r->ctx, count, sizeof *own);
    if (!own)
        return carom_fail_memory(r->ctx);
    memcpy(own, index, count * sizeof *own);
    r->view->index[group] = own;
    r->rows[group] = count;
    r->times[group] = NULL;
    for (size_t k = 0; k < r->channel_count; k++)
        if (r->channels[k].group == group)
            r->data[k].values = NULL;
    return CAROM_OK;
}

void carom_result_show_all(carom_result *r)
{
    carom_view *view = r->view;
    for (size_t k = 0; view && k < r->channel_count; k++) {
        const carom_channel *c = &r->channels[k];
        if (view->index[c->group]) {
            carom_release(r->ctx, r->data[k].values, r->rows[c->group] * (size_t)c->size, sizeof(double));
            r->data[k].values = view->values[k];
        }
    }
    for (int g = 0; view && g < CAROM_H5_GROUPS; g++)
        if (view->index[g]) {
            carom_release(r->ctx, r->times[g], r->rows[g], sizeof(double));
            carom_release(r->ctx, view->index[g], r->rows[g], sizeof *view->index[g]);
            r->times[g] = view->times[g];
            r->rows[g] = view->rows[g];
        }
    if (view)
        carom_release(r->ctx, view->values, r->channel_count, sizeof *view->values);
    carom_release(r->ctx, view, 1, sizeof *view);
    r->view = NULL;
}

/* ---- times ---- */

static carom_status read_times(carom_result *r, int group, double *times)
{
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    hid_t set = H5Dopen2(r->file, carom_result_time_links[group], H5P_DEFAULT);
    const bool done = set >= 0 && carom_h5_read_rows(set, H5T_NATIVE_DOUBLE, r->rows[group], 1, times);
    const carom_status status = done ? CAROM_OK : carom_result_damaged(r, "times");
    if (set >= 0)
        H5Dclose(set);
    carom_h5_leave(&scope);
    return status;
}

size_t carom_result_rows(const carom_result *result, int group) { return result->rows[group]; }

size_t carom_result_all_rows(const carom_result *r, int group)
{
    return r->view ? r->view->rows[group] : r->rows[group];
}

carom_status carom_result_times(carom_result *r, int group, const double **time, size_t *rows)
{
    *rows = 0;
    *time = NULL;
    if (!r->times[group]) {
        double *times = carom_allocate(r->ctx, r->rows[group], sizeof *times);
        if (!times)
            return carom_fail_memory(r->ctx);
        const carom_status status = r->view && r->view->index[group] ? pick(r, group, CAROM_TIMES, 0, times)
                                                                     : read_times(r, group, times);
        if (status != CAROM_OK) {
            carom_release(r->ctx, times, r->rows[group], sizeof *times);
            return status;
        }
        r->times[group] = times;
    }
    *rows = r->rows[group];
    *time = r->times[group];
    return CAROM_OK;
}

int carom_result_compare_parts(const void *a, const void *b)
{
    const carom_channel *x = *(const carom_channel *const *)a, *y = *(const carom_channel *const *)b;
    int order = (x->group > y->group) - (x->group < y->group);
    order = order ? order : strcmp(x->type, y->type);
    order = order ? order : strcmp(x->object, y->object);
    return order ? order : strcmp(x->quantity, y->quantity);
}

/* ---- columns ---- */

/* The channel of a group with this name, with or without component. */
static bool find_in_group(const carom_result *result, int group, const char *name, size_t *channel, int *component)
{
    for (size_t k = 0; k < result->channel_count; k++) {
        const carom_channel *c = &result->channels[k];
        size_t length = strlen(c->name);
        if (c->group != group || strncmp(c->name, name, length) != 0)
            continue;
        *channel = k;
        *component = -1;
        if (name[length] == '\0')
            return true;
        for (int i = 0; c->components && name[length] == '.' && i < c->size; i++)
            if (strcmp(c->components[i], name + length + 1) == 0) {
                *component = i;
                return true;
            }
    }
    return false;
}

bool carom_result_find_quantity(const carom_result *result, int group, const char *type, const char *object,
                                const char *quantity, size_t *channel)
{
    const carom_channel key = {.group = group, .type = type, .object = object, .quantity = quantity}, *wanted = &key;
    const carom_channel **found =
        bsearch(&wanted, result->by_parts, result->channel_count, sizeof *result->by_parts, carom_result_compare_parts);
    if (found)
        *channel = (size_t)(*found - result->channels);
    return found != NULL;
}

bool carom_result_repeats(const carom_result *result, size_t channel)
{
    if (!result)
        return false;
    const carom_channel *c = channel < result->channel_count ? &result->channels[channel] : NULL;
    for (int group = 0; c && group < c->group; group++)
        if (carom_result_find_quantity(result, group, c->type, c->object, c->quantity, &(size_t){0}))
            return true;
    return false;
}

/* The column of the same quantity that has most of the name's parts: the sum of a contact set for one of its places. */
static const char *same_quantity(const carom_result *result, const char *name)
{
    const char *last = strrchr(name, '.'), *best = NULL;
    size_t most = 1;
    for (size_t k = 0; last && k < result->column_count; k++) {
        const char *column = result->columns[k], *end = strrchr(column, '.');
        size_t parts = 0;
        if (!end || strcmp(end, last) != 0)
            continue;
        for (size_t i = 0; name[i] && name[i] == column[i]; i++)
            parts += name[i] == '.';
        if (parts > most) {
            most = parts;
            best = column;
        }
    }
    return best;
}

carom_status carom_result_find(carom_result *result, int group, const char *name, size_t *channel, int *component)
{
    static const int others[CAROM_H5_GROUPS][CAROM_H5_GROUPS] = {{0, 1, 2}, {1, 0, 2}, {2, 1, 0}};
    for (int g = 0; g < CAROM_H5_GROUPS; g++)
        if (find_in_group(result, others[group][g], name, channel, component))
            return CAROM_OK;
    const char *nearest = carom_nearest_name(name, result->columns, result->column_count);
    nearest = nearest ? nearest : same_quantity(result, name);
    if (nearest)
        return carom_fail(result->ctx, CAROM_ERROR_USAGE, NULL, "%s: no channel '%s'; did you mean '%s'?", result->path,
                          name, nearest);
    return carom_fail(result->ctx, CAROM_ERROR_USAGE, NULL, "%s: no channel '%s'; it has %zu channels, such as '%s'",
                      result->path, name, result->channel_count,
                      result->columns[result->column_count > 1 ? 1 : 0]);
}

/* Reads a channel and stores it column after column. */
static carom_status load(carom_result *r, size_t channel)
{
    const carom_channel *c = &r->channels[channel];
    size_t size = (size_t)c->size, rows = r->rows[c->group];
    double *columns = carom_allocate(r->ctx, rows * size, sizeof *columns);
    double *row_by_row = c->size == 1 ? NULL : carom_allocate(r->ctx, rows * size, sizeof *row_by_row);
    carom_status status = columns && (size == 1 || row_by_row) ? CAROM_OK : carom_fail_memory(r->ctx);
    if (status == CAROM_OK) {
        carom_h5_scope scope;
        carom_h5_enter(&scope);
        hid_t set = H5Dopen2(r->file, r->data[channel].link, H5P_DEFAULT);
        if (set < 0 || !carom_h5_read_rows(set, H5T_NATIVE_DOUBLE, rows, size, row_by_row ? row_by_row : columns))
            status = carom_result_damaged(r, c->name);
        if (set >= 0)
            H5Dclose(set);
        carom_h5_leave(&scope);
    }
    for (size_t i = 0; status == CAROM_OK && row_by_row && i < size; i++)
        for (size_t k = 0; k < rows; k++)
            columns[i * rows + k] = row_by_row[k * size + i];
    carom_release(r->ctx, row_by_row, rows * size, sizeof *row_by_row);
    if (status == CAROM_OK)
        r->data[channel].values = columns;
    else
        carom_release(r->ctx, columns, rows * size, sizeof *columns);
    return status;
}

/* The same of the rows that are shown. */
static carom_status load_shown(carom_result *r, size_t channel)
{
    const carom_channel *c = &r->channels[channel];
    const size_t rows = r->rows[c->group];
    double *columns = carom_allocate(r->ctx, rows * (size_t)c->size, sizeof *columns);
    carom_status status = columns ? CAROM_OK : carom_fail_memory(r->ctx);
    for (int i = 0; status == CAROM_OK && i < c->size; i++)
        status = pick(r, c->group, channel, i, columns + (size_t)i * rows);
    if (status == CAROM_OK)
        r->data[channel].values = columns;
    else
        carom_release(r->ctx, columns, rows * (size_t)c->size, sizeof *columns);
    return status;
}

carom_status carom_result_values(carom_result *result, size_t channel, int component, const double **values)
{
    const bool some = result->view && result->view->index[result->channels[channel].group];
    if (!result->data[channel].values)
        CAROM_TRY(some ? load_shown(result, channel) : load(result, channel));
    *values = result->data[channel].values + (size_t)component * result->rows[result->channels[channel].group];
    return CAROM_OK;
}

/* ---- ranges ---- */

/* Reads rows of one component. */
static bool read_component(carom_chunks *c, hsize_t first, hsize_t rows, int component, double *out)
{
    double numbers[4096];
    if (c->columns == 1)
        return carom_chunks_read(c, first, rows, out);
    const hsize_t most = CAROM_COUNT(numbers) / c->columns;
    for (hsize_t r = 0, count; most > 0 && r < rows; r += count) {
        count = rows - r < most ? rows - r : most;
        if (!carom_chunks_read(c, first + r, count, numbers))
            return false;
        for (hsize_t k = 0; k < count; k++)
            out[r + k] = numbers[k * c->columns + (hsize_t)component];
    }
    return most > 0;
}

carom_status carom_result_open_column(carom_result *r, int group, size_t channel, int component,
                                      carom_open_column *out)
{
    const bool times = channel == CAROM_TIMES;
    *out = (carom_open_column){.result = r, .set = -1, .rows = carom_result_all_rows(r, group)};
    out->component = times ? 0 : component;
    out->name = times ? "times" : r->channels[channel].name;
    const size_t columns = times ? 1 : (size_t)r->channels[channel].size;
    out->chunks = carom_allocate(r->ctx, 1, sizeof *out->chunks);
    if (!out->chunks)
        return carom_fail_memory(r->ctx);
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    out->set = H5Dopen2(r->file, times ? carom_result_time_links[group] : r->data[channel].link, H5P_DEFAULT);
    const bool done = out->set >= 0 && carom_chunks_open(out->chunks, out->set, H5T_NATIVE_DOUBLE) &&
                      out->chunks->columns == columns;
    const carom_status status = done ? CAROM_OK : carom_result_damaged(r, out->name);
    carom_h5_leave(&scope);
    return status;
}

carom_status carom_result_read_column(const carom_open_column *c, size_t first, size_t rows, double *out)
{
    if (!rows)
        return CAROM_OK;
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    const bool done = read_component(c->chunks, first, rows, c->component, out);
    const carom_status status = done ? CAROM_OK : carom_result_damaged(c->result, c->name);
    carom_h5_leave(&scope);
    return status;
}

void carom_result_close_column(carom_open_column *c)
{
    carom_h5_scope scope;
    carom_h5_enter(&scope);
    if (c->chunks) {
        carom_chunks_close(c->chunks);
        carom_release(c->result->ctx, c->chunks, 1, sizeof *c->chunks);
    }
    if (c->set >= 0)
        H5Dclose(c->set);
    c->chunks = NULL;
    c->set = -1;
    carom_h5_leave(&scope);
}

/* The rows of large results that a report looks at: a page has some ten thousand, and all of ten million would need
   gigabytes of memory. Of rows of channels those with the extrema of each column in each of equal parts; of frames
   those of impacts, which are close together, and as many others at equal distances. */
#include "report/report.h"

#include <math.h>
#include <stdlib.h>

#define MOST_ROWS 200000        /* of a group, of which all are looked at */
#define LEAST_ROWS 4096
#define MOST_NUMBERS 8e6        /* of the rows that are kept */
#define MOST_READ 1e9           /* numbers that are read for their extrema */
#define BLOCK ((size_t)4096)
#define DENSE 0.5               /* frames of impacts are closer than this share of the mean distance */

typedef struct choice {
    carom_context *ctx;
    carom_result *result;
    int group;
    size_t rows, keep, columns;
    size_t *index, count, room;
} choice;

static int compare(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static carom_status add(choice *c, size_t row)
{
    CAROM_TRY(carom_grow(c->ctx, &c->index, &c->room, c->count + 1, sizeof *c->index));
    c->index[c->count++] = row;
    return CAROM_OK;
}

/* Rows at equal distances, the first and the last among them. */
static carom_status add_equal(choice *c, size_t count)
{
    for (size_t k = 0; k < count; k++)
        CAROM_TRY(add(c, (size_t)((double)k * (double)(c->rows - 1) / (double)(count - 1))));
    return CAROM_OK;
}

/* Of each of `parts` parts of a column the rows of the least and of the greatest value. */
static carom_status add_extrema(choice *c, size_t channel, int component, size_t parts)
{
    double values[BLOCK], least = HUGE_VAL, greatest = -HUGE_VAL;
    size_t at[2] = {0, 0}, part = 0;
    carom_open_column column;
    carom_status status = carom_result_open_column(c->result, c->group, channel, component, &column);
    for (size_t row = 0, count; status == CAROM_OK && row < c->rows; row += count) {
        count = c->rows - row < BLOCK ? c->rows - row : BLOCK;
        status = carom_result_read_column(&column, row, count, values);
        for (size_t k = 0; status == CAROM_OK && k < count; k++) {
            const size_t now = (row + k) * parts / c->rows;
            if (now != part) {
                for (int i = 0; i < 2 && status == CAROM_OK; i++)
                    status = add(c, at[i]);
                part = now;
                least = HUGE_VAL;
                greatest = -HUGE_VAL;
                at[0] = at[1] = row + k;
            }
            at[0] = values[k] < least ? row + k : at[0];
            at[1] = values[k] > greatest ? row + k : at[1];
            least = fmin(least, values[k]);
            greatest = fmax(greatest, values[k]);
        }
    }
    for (int i = 0; i < 2 && status == CAROM_OK; i++)
        status = add(c, at[i]);
    carom_result_close_column(&column);
    return status;
}

static carom_status choose_series(choice *c)
{
    size_t channels;
    const carom_channel *list = carom_result_channels(c->result, &channels);
    const size_t parts = c->keep / 2 / (2 * c->columns + 1);
    if (parts == 0 || (double)c->rows * (double)c->columns > MOST_READ)
        return add_equal(c, c->keep);
    for (size_t k = 0; k < channels; k++)
        for (int i = 0; list[k].group == c->group && i < list[k].size; i++)
            CAROM_TRY(add_extrema(c, k, i, parts));
    return add_equal(c, c->keep / 2);
}

/* Counts frames that are close together, and with a `stride` above 0 adds one of so many of them. */
static carom_status add_dense(choice *c, size_t stride, size_t *dense)
{
    double time[BLOCK], ends[2], before = -HUGE_VAL;
    carom_open_column column;
    carom_status status = carom_result_open_column(c->result, c->group, CAROM_TIMES, 0, &column);
    for (int i = 0; i < 2 && status == CAROM_OK; i++)
        status = carom_result_read_column(&column, i ? c->rows - 1 : 0, 1, &ends[i]);
    *dense = 0;
    for (size_t row = 0, count; status == CAROM_OK && row < c->rows; row += count) {
        count = c->rows - row < BLOCK ? c->rows - row : BLOCK;
        status = carom_result_read_column(&column, row, count, time);
        for (size_t k = 0; status == CAROM_OK && k < count; before = time[k++]) {
            if (!(time[k] - before < DENSE * (ends[1] - ends[0]) / (double)(c->rows - 1)))
                continue;
            if (stride && *dense % stride == 0)
                status = add(c, row + k);
            ++*dense;
        }
    }
    carom_result_close_column(&column);
    return status;
}

static carom_status choose_frames(choice *c)
{
    size_t dense;
    CAROM_TRY(add_dense(c, 0, &dense));
    CAROM_TRY(add_dense(c, dense / (c->keep / 2) + 1, &dense));
    return add_equal(c, c->keep / 2);
}

static carom_status show(choice *c)
{
    size_t count = 0;
    qsort(c->index, c->count, sizeof *c->index, compare);
    for (size_t k = 0; k < c->count; k++)
        if (!k || c->index[k] != c->index[count - 1])
            c->index[count++] = c->index[k];
    return carom_result_show_rows(c->result, c->group, c->index, count);
}

carom_status carom_report_show_some(carom_context *ctx, carom_report_run *run)
{
    size_t channels;
    const carom_channel *list = carom_result_channels(run->result, &channels);
    carom_status status = CAROM_OK;
    for (int group = 0; status == CAROM_OK && group < CAROM_H5_GROUPS; group++) {
        choice c = {.ctx = ctx, .result = run->result, .group = group, .rows = carom_result_rows(run->result, group)};
        run->groups[group].all = carom_result_all_rows(run->result, group);
        if (c.rows <= MOST_ROWS)
            continue;
        c.columns = 1;
        for (size_t k = 0; k < channels; k++)
            c.columns += list[k].group == group ? (size_t)list[k].size : 0;
        c.keep = (size_t)fmax(LEAST_ROWS, fmin(MOST_ROWS, MOST_NUMBERS / (double)c.columns));
        status = group == 2 ? choose_frames(&c) : choose_series(&c);
        if (status == CAROM_OK)
            status = show(&c);
        carom_release(ctx, c.index, c.room, sizeof *c.index);
    }
    return status;
}

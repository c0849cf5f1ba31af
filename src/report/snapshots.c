/* Thins the snapshots of a report: those are dropped that their neighbours tell best. The error of a snapshot is the
   largest distance of its numbers from the straight line between the frames left beside it; lengths and forces count
   as parts of the largest range that any has in the run, angles and quaternions as they are. So impacts, where forces
   and speeds change, keep their frames, and a flight through empty space needs few. */
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT_A_TIME 4 /* one snapshot of so many is dropped before the errors are found again */
#define SAMPLE 4096 /* errors by which it is judged which are small */

typedef struct tracked {
    const double *values;
    const char *unit;
    double range, weight; /* weight: 1 / what counts as much as 1 rad */
} tracked;

typedef struct thinning {
    carom_context *ctx;
    carom_report_rows *rows;
    tracked *columns;
    size_t column_count, column_capacity;
    double *error; /* of the snapshots left */
    double sample[SAMPLE];
} thinning;

static bool is_absolute(const char *unit) { return strcmp(unit, "rad") == 0 || strcmp(unit, "1") == 0 || !unit[0]; }

/* Largest less smallest of the numbers. */
static double range_of(const double *values, size_t count)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t k = 0; k < count; k++) {
        low = fmin(low, values[k]);
        high = fmax(high, values[k]);
    }
    return isfinite(high - low) ? high - low : 0;
}

static carom_status find_columns(thinning *t, carom_report_run *run)
{
    size_t channels;
    const carom_channel *list = carom_result_channels(run->result, &channels);
    for (size_t k = 0; k < channels; k++)
        for (int i = 0; list[k].group == 2 && i < list[k].size; i++) {
            CAROM_TRY(carom_grow(t->ctx, &t->columns, &t->column_capacity, t->column_count + 1, sizeof *t->columns));
            tracked *c = &t->columns[t->column_count];
            c->unit = list[k].unit;
            CAROM_TRY(carom_result_values(run->result, k, i, &c->values));
            c->range = range_of(c->values, t->rows->of);
            t->column_count++;
        }
    return CAROM_OK;
}

static int compare_units(const void *a, const void *b)
{
    return strcmp(((const tracked *)a)->unit, ((const tracked *)b)->unit);
}

/* Weighs the columns of each unit by the largest range that any of them has; puts those of a unit side by side. */
static void find_weights(thinning *t)
{
    qsort(t->columns, t->column_count, sizeof *t->columns, compare_units);
    for (size_t first = 0, end; first < t->column_count; first = end) {
        double range = 0;
        for (end = first; end < t->column_count && !compare_units(&t->columns[first], &t->columns[end]); end++)
            range = fmax(range, t->columns[end].range);
        if (is_absolute(t->columns[first].unit))
            range = 1;
        for (size_t k = first; k < end; k++)
            t->columns[k].weight = range > 0 ? 1 / range : 0;
    }
}

/* How far frame `k` lies from the line between snapshots `a` and `b`. */
static double error_of(const thinning *t, size_t a, size_t k, size_t b)
{
    double span = t->rows->time[b] - t->rows->time[a];
    double part = span > 0 ? (t->rows->time[k] - t->rows->time[a]) / span : 0, largest = 0;
    for (size_t i = 0; i < t->column_count; i++) {
        const double *v = t->columns[i].values;
        largest = fmax(largest, t->columns[i].weight * fabs(v[k] - v[a] - part * (v[b] - v[a])));
    }
    return largest;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* An error that about `part` of all inner snapshots do not exceed. */
static double find_limit(thinning *t, double part)
{
    size_t inner = t->rows->count - 2, count = inner < SAMPLE ? inner : SAMPLE;
    for (size_t k = 0; k < count; k++)
        t->sample[k] = t->error[1 + k * inner / count];
    qsort(t->sample, count, sizeof *t->sample, compare);
    return t->sample[(size_t)(part * (double)(count - 1))];
}

/* Drops up to `most` snapshots of the smallest errors, no two beside each other. */
static void drop_some(thinning *t, size_t most)
{
    carom_report_rows *g = t->rows;
    size_t left = 1, dropped = 0;
    for (size_t k = 1; k + 1 < g->count; k++)
        t->error[k] = error_of(t, g->index[k - 1], g->index[k], g->index[k + 1]);
    double part = (double)most / (double)(g->count - 2);
    double limit = find_limit(t, part < 1.0 / AT_A_TIME ? part : 1.0 / AT_A_TIME);
    bool before = false;
    for (size_t k = 1; k < g->count; k++) {
        before = !before && k + 1 < g->count && dropped < most && t->error[k] <= limit;
        dropped += before;
        if (!before)
            g->index[left++] = g->index[k];
    }
    g->count = left;
}

carom_status carom_report_thin_frames(carom_context *ctx, carom_report_run *run, size_t keep)
{
    thinning *t = carom_allocate(ctx, 1, sizeof *t);
    if (!t)
        return carom_fail_memory(ctx);
    *t = (thinning){.ctx = ctx, .rows = &run->groups[2]};
    size_t snapshots = t->rows->count;
    t->error = carom_allocate(ctx, snapshots, sizeof *t->error);
    carom_status status = t->error ? find_columns(t, run) : carom_fail_memory(ctx);
    if (status == CAROM_OK) {
        find_weights(t);
        while (t->rows->count > keep)
            drop_some(t, t->rows->count - keep);
    }
    carom_release(ctx, t->error, snapshots, sizeof *t->error);
    carom_release(ctx, t->columns, t->column_capacity, sizeof *t->columns);
    carom_release(ctx, t, 1, sizeof *t);
    return status;
}

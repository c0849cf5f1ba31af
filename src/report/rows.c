/* Which rows a report has: all, or where they are too many, rows of the largest groups left out. */
#include "report/report.h"

#include <math.h>
#include <string.h>

#define LEAST 16     /* rows of a group that are left, */
#define LEAST_IMPACTS 500 /* and impacts, which take little */
#define TIME_BYTES 8 /* of a row: its time, then 4 a number */
#define NUMBER_BYTES 4

/* Bytes of an impact: its number, then its columns. */
static size_t impact_width(void)
{
    size_t width = NUMBER_BYTES;
    for (size_t k = 0; k < CAROM_IMPACT_FIELDS; k++)
        width += carom_impact_field[k].type == CAROM_FIELD_NUMBER ? sizeof(double) : NUMBER_BYTES;
    return width;
}

carom_status carom_report_rows_begin(carom_context *ctx, carom_report_run *run)
{
    size_t channels;
    const carom_channel *list = carom_result_channels(run->result, &channels);
    for (int group = 0; group < CAROM_REPORT_GROUPS; group++) {
        carom_report_rows *g = &run->groups[group];
        if (group == CAROM_REPORT_IMPACTS)
            carom_result_impacts(run->result, &g->of);
        else
            CAROM_TRY(carom_result_times(run->result, group, &g->time, &g->of));
        g->width = group == CAROM_REPORT_IMPACTS ? impact_width() : TIME_BYTES;
        g->index = carom_allocate(ctx, g->of, sizeof *g->index);
        if (!g->index)
            return carom_fail_memory(ctx);
    }
    for (size_t k = 0; k < channels; k++)
        run->groups[list[k].group].width += NUMBER_BYTES * (size_t)list[k].size;
    carom_report_rows_restore(run, 1);
    return CAROM_OK;
}

void carom_report_rows_restore(carom_report_run *runs, size_t count)
{
    for (size_t r = 0; r < count; r++)
        for (int group = 0; group < CAROM_REPORT_GROUPS; group++) {
            carom_report_rows *g = &runs[r].groups[group];
            g->count = g->of;
            for (size_t k = 0; k < g->of; k++)
                g->index[k] = k;
        }
}

void carom_report_rows_end(carom_context *ctx, carom_report_run *run)
{
    for (int group = 0; group < CAROM_REPORT_GROUPS; group++)
        carom_release(ctx, run->groups[group].index, run->groups[group].of, sizeof *run->groups[group].index);
}

size_t carom_report_rows_bytes(const carom_report_run *runs, size_t count)
{
    size_t bytes = 0;
    for (size_t k = 0; k < count; k++)
        for (int group = 0; group < CAROM_REPORT_GROUPS; group++)
            bytes += runs[k].groups[group].of * runs[k].groups[group].width;
    return bytes;
}

/* ---- groups ---- */

static void thin_intervals(carom_report_rows *g, size_t keep)
{
    g->count = keep;
    for (size_t k = 0; k < keep; k++)
        g->index[k] = (k * (g->of - 1) + (keep - 1) / 2) / (keep - 1);
}

static bool is_force(const carom_channel *c)
{
    return c->group == 1 && c->size == 1 && strcmp(c->type, "contact") == 0 && strcmp(c->quantity, "force") == 0;
}

/* Sum of the contact forces of each step. */
static carom_status sum_forces(carom_report_run *run, double *sum)
{
    size_t channels;
    const carom_channel *list = carom_result_channels(run->result, &channels);
    for (size_t k = 0; k < channels; k++) {
        const double *force;
        if (!is_force(&list[k]))
            continue;
        CAROM_TRY(carom_result_values(run->result, k, 0, &force));
        for (size_t row = 0; row < run->groups[1].of; row++)
            sum[row] += isnan(force[row]) ? 0 : fabs(force[row]);
    }
    return CAROM_OK;
}

/* Of each of equal parts of the rows the first and that of the largest force, and the last of all. */
static carom_status thin_steps(carom_context *ctx, carom_report_run *run, size_t keep)
{
    carom_report_rows *g = &run->groups[1];
    double *sum = carom_allocate(ctx, g->of, sizeof *sum);
    carom_status status = sum ? sum_forces(run, sum) : carom_fail_memory(ctx);
    size_t parts = (keep - 1) / 2;
    g->count = 0;
    for (size_t k = 0; status == CAROM_OK && k < parts; k++) {
        size_t first = k * g->of / parts, end = (k + 1) * g->of / parts, peak = first;
        for (size_t row = first; row < end; row++)
            if (sum[row] > sum[peak])
                peak = row;
        g->index[g->count++] = first;
        if (peak > first)
            g->index[g->count++] = peak;
    }
    if (status == CAROM_OK && g->index[g->count - 1] < g->of - 1)
        g->index[g->count++] = g->of - 1;
    carom_release(ctx, sum, g->of, sizeof *sum);
    return status;
}

static carom_status thin_group(carom_context *ctx, carom_report_run *run, int group, double bytes)
{
    carom_report_rows *g = &run->groups[group];
    double fitting = floor(bytes / (double)g->width);
    const size_t least = group == CAROM_REPORT_IMPACTS ? LEAST_IMPACTS : LEAST;
    size_t keep = fitting < (double)least ? least : (size_t)fitting;
    if (keep >= g->count)
        return CAROM_OK;
    if (group == 1)
        return thin_steps(ctx, run, keep);
    if (group == 2)
        return carom_report_thin_frames(ctx, run, keep);
    if (group == CAROM_REPORT_IMPACTS)
        return carom_report_thin_impacts(ctx, run, keep);
    thin_intervals(g, keep);
    return CAROM_OK;
}

/* ---- all groups ---- */

/* Bytes of all groups if none has more than `most`. */
static double capped(const carom_report_run *runs, size_t count, double most)
{
    double bytes = 0;
    for (size_t k = 0; k < count; k++)
        for (int group = 0; group < CAROM_REPORT_GROUPS; group++)
            bytes += fmin(most, (double)runs[k].groups[group].of * (double)runs[k].groups[group].width);
    return bytes;
}

carom_status carom_report_rows_thin(carom_context *ctx, carom_report_run *runs, size_t count, size_t bytes)
{
    double low = 0, high = (double)carom_report_rows_bytes(runs, count);
    while (high - low > 1) {
        double middle = 0.5 * (low + high);
        if (capped(runs, count, middle) <= (double)bytes)
            low = middle;
        else
            high = middle;
    }
    for (size_t k = 0; k < count; k++)
        for (int group = 0; group < CAROM_REPORT_GROUPS; group++)
            CAROM_TRY(thin_group(ctx, &runs[k], group, low));
    return CAROM_OK;
}

/* Columns of large results: ranges of rows, and what of them is seen in a figure, read block by block. */
#include "result/h5.h"

#include <math.h>

#define ROWS ((size_t)65536)    /* read at a time */
#define POINTS 4                /* of a part */

/* ---- which column ---- */

/* A column of a group by name; channel CAROM_TIMES: the times. */
typedef struct column {
    int group, component;
    size_t channel;
    const char *unit;
} column;

static carom_status find(carom_result *result, int group, const char *name, column *out)
{
    size_t count;
    *out = (column){.channel = CAROM_TIMES, .unit = "s"};
    if (strcmp(name, "time") == 0)
        return CAROM_OK;
    CAROM_TRY(carom_result_find(result, group, name, &out->channel, &out->component));
    const carom_channel *c = &carom_result_channels(result, &count)[out->channel];
    if (out->component < 0 && c->components) /* the sentence is that of whole columns */
        return carom_result_column(result, name, &(size_t){0}, &(const double *){0}, &(const double *){0},
                                   &(const char *){0});
    out->component = out->component < 0 ? 0 : out->component;
    out->group = c->group;
    out->unit = c->unit;
    return CAROM_OK;
}

/* The times and the values of a column. */
typedef struct pair {
    carom_open_column time, value;
} pair;

static carom_status open_pair(carom_result *result, const column *c, pair *out)
{
    *out = (pair){.time.set = -1, .value.set = -1};
    CAROM_TRY(carom_result_open_column(result, c->group, CAROM_TIMES, 0, &out->time));
    return carom_result_open_column(result, c->group, c->channel, c->component, &out->value);
}

static void close_pair(pair *p)
{
    carom_result_close_column(&p->time);
    carom_result_close_column(&p->value);
}

/* ---- ranges ---- */

carom_status carom_result_count_rows(carom_result *result, const char *name, size_t *rows, const char **unit)
{
    CAROM_NEED(NULL, result);
    CAROM_NEED(carom_result_context(result), name);
    CAROM_NEED(carom_result_context(result), rows);
    CAROM_NEED(carom_result_context(result), unit);
    column c;
    CAROM_TRY(find(result, 0, name, &c));
    *rows = carom_result_all_rows(result, c.group);
    *unit = c.unit;
    return CAROM_OK;
}

carom_status carom_result_read_rows(carom_result *result, const char *name, size_t first, size_t count, double *time,
                                    double *values)
{
    CAROM_NEED(NULL, result);
    CAROM_NEED(carom_result_context(result), name);
    column c;
    pair p;
    CAROM_TRY(find(result, 0, name, &c));
    const size_t rows = carom_result_all_rows(result, c.group);
    if (first > rows || count > rows - first)
        return carom_fail(carom_result_context(result), CAROM_ERROR_USAGE, NULL,
                          "%s: rows %zu to %zu of '%s'; it has %zu rows", carom_result_path(result), first,
                          first + count, name, rows);
    carom_status status = open_pair(result, &c, &p);
    if (status == CAROM_OK && time)
        status = carom_result_read_column(&p.time, first, count, time);
    if (status == CAROM_OK && values)
        status = carom_result_read_column(&p.value, first, count, values);
    close_pair(&p);
    return status;
}

/* ---- outlines ---- */

typedef struct point {
    double time, value;
} point;

/* Points of a group in ascending order of time. */
typedef struct outline {
    point *points;
    size_t count, room, at;
    double begin, width;        /* of the parts [s] */
    size_t part;                /* that is being gathered, with its points; `some`: it has any */
    bool some;
    point first, least, greatest, last;
} outline;

/* Puts the points of the part that was gathered in their order. */
static void end_part(outline *o)
{
    const bool turned = o->greatest.time < o->least.time;
    const point inner[2] = {turned ? o->greatest : o->least, turned ? o->least : o->greatest};
    if (!o->some || o->count + POINTS > o->room)
        return;
    o->points[o->count++] = o->first;
    for (int k = 0; k < 2; k++)
        if (inner[k].time > o->points[o->count - 1].time && inner[k].time < o->last.time)
            o->points[o->count++] = inner[k];
    if (o->last.time > o->first.time)
        o->points[o->count++] = o->last;
    o->some = false;
}

static void take(outline *o, point p)
{
    const double place = o->width > 0 ? (p.time - o->begin) / o->width : 0;
    const size_t part = place > 0 ? (size_t)place : 0;
    if (o->some && part != o->part)
        end_part(o);
    if (!o->some) {
        o->first = o->least = o->greatest = o->last = p;
        o->part = part;
        o->some = true;
        return;
    }
    o->last = p;
    if (p.value < o->least.value || isnan(o->least.value))
        o->least = p;
    if (p.value > o->greatest.value || isnan(o->greatest.value))
        o->greatest = p;
}

/* The first row at or after a time, or behind all. */
static carom_status first_row(const pair *p, double time, bool behind, size_t *row)
{
    size_t low = 0, high = p->time.rows;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        double at;
        CAROM_TRY(carom_result_read_column(&p->time, middle, 1, &at));
        if (at < time || (behind && at == time))
            low = middle + 1;
        else
            high = middle;
    }
    *row = low;
    return CAROM_OK;
}

static carom_status gather(const pair *p, size_t first, size_t end, double *buffer, outline *o)
{
    for (size_t row = first, count; row < end; row += count) {
        count = end - row < ROWS ? end - row : ROWS;
        CAROM_TRY(carom_result_read_column(&p->time, row, count, buffer));
        CAROM_TRY(carom_result_read_column(&p->value, row, count, buffer + ROWS));
        for (size_t k = 0; k < count; k++)
            take(o, (point){buffer[k], buffer[ROWS + k]});
    }
    end_part(o);
    return CAROM_OK;
}

/* Rows of the groups by time; of equal times that of the second one, the steps. */
static carom_status merge(carom_result *result, outline *o, size_t *rows, const double **time, const double **values)
{
    carom_arena *arena = carom_result_arena(result);
    const size_t most = o[0].count + o[1].count;
    double *t = carom_arena_alloc(arena, most, sizeof *t), *v = carom_arena_alloc(arena, most, sizeof *v);
    if (!t || !v)
        return carom_fail_memory(carom_result_context(result));
    *rows = 0;
    while (o[0].at < o[0].count || o[1].at < o[1].count) {
        const point *a = o[0].at < o[0].count ? &o[0].points[o[0].at] : NULL;
        const point *b = o[1].at < o[1].count ? &o[1].points[o[1].at] : NULL;
        const bool second = b && (!a || b->time <= a->time);
        o[0].at += !second || (a && a->time == b->time);
        o[1].at += second;
        t[*rows] = second ? b->time : a->time;
        v[(*rows)++] = second ? b->value : a->value;
    }
    *time = t;
    *values = v;
    return CAROM_OK;
}

/* Outlines of the groups, whose pairs are open. */
static carom_status trace(carom_result *result, const pair *pairs, int groups, double from, double to, size_t parts,
                          outline *o, double *buffer)
{
    size_t first[2], end[2];
    double begin = HUGE_VAL, last = -HUGE_VAL;
    for (int g = 0; g < groups; g++) {
        double at[2];
        CAROM_TRY(first_row(&pairs[g], from, false, &first[g]));
        CAROM_TRY(first_row(&pairs[g], to, true, &end[g]));
        if (first[g] >= end[g])
            continue;
        CAROM_TRY(carom_result_read_column(&pairs[g].time, first[g], 1, &at[0]));
        CAROM_TRY(carom_result_read_column(&pairs[g].time, end[g] - 1, 1, &at[1]));
        begin = fmin(begin, at[0]);
        last = fmax(last, at[1]);
    }
    for (int g = 0; g < groups; g++) {
        o[g].room = POINTS * (parts + 2);
        o[g].points = carom_allocate(carom_result_context(result), o[g].room, sizeof *o[g].points);
        if (!o[g].points)
            return carom_fail_memory(carom_result_context(result));
        o[g].begin = begin;
        o[g].width = (last - begin) / (double)parts;
        CAROM_TRY(gather(&pairs[g], first[g], end[g], buffer, &o[g]));
    }
    return CAROM_OK;
}

carom_status carom_result_outline(carom_result *result, const char *name, double from, double to, size_t parts,
                                  size_t *rows, const double **time, const double **values, const char **unit)
{
    CAROM_NEED(NULL, result);
    CAROM_NEED(carom_result_context(result), name);
    CAROM_NEED(carom_result_context(result), rows);
    CAROM_NEED(carom_result_context(result), time);
    CAROM_NEED(carom_result_context(result), values);
    CAROM_NEED(carom_result_context(result), unit);
    carom_context *ctx = carom_result_context(result);
    column c[2];
    pair pairs[2];
    outline o[2] = {0};
    *rows = 0;
    CAROM_TRY(find(result, 0, name, &c[0]));
    CAROM_TRY(find(result, 1, name, &c[1]));
    const int groups = c[0].group == 0 && c[1].group == 1 ? 2 : 1;
    size_t all = 0;
    for (int g = 0; g < groups; g++)
        all += carom_result_all_rows(result, c[g].group);
    if (parts < 1 || all / POINTS <= parts)
        return carom_result_column(result, name, rows, time, values, unit);
    *unit = c[0].unit;
    double *buffer = carom_allocate(ctx, 2 * ROWS, sizeof *buffer);
    carom_status status = buffer ? CAROM_OK : carom_fail_memory(ctx);
    for (int g = 0; g < groups; g++) {
        pairs[g] = (pair){.time.set = -1, .value.set = -1};
        status = status == CAROM_OK ? open_pair(result, &c[g], &pairs[g]) : status;
    }
    if (status == CAROM_OK)
        status = trace(result, pairs, groups, from, to, parts, o, buffer);
    if (status == CAROM_OK)
        status = merge(result, o, rows, time, values);
    for (int g = 0; g < groups; g++) {
        close_pair(&pairs[g]);
        carom_release(ctx, o[g].points, o[g].points ? o[g].room : 0, sizeof *o[g].points);
    }
    carom_release(ctx, buffer, buffer ? 2 * ROWS : 0, sizeof *buffer);
    return status;
}

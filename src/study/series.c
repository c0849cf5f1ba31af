/* Rows of channels over the time of a run. */
#include "study/runner.h"

void carom_series_free(carom_context *ctx, carom_series *s)
{
    carom_release(ctx, s->time, s->capacity, sizeof *s->time);
    carom_release(ctx, s->values, s->value_capacity, sizeof *s->values);
    carom_release(ctx, s->scale, s->width, sizeof *s->scale);
    *s = (carom_series){0};
}

carom_status carom_series_add(carom_context *ctx, carom_series *s, double time, const double *values)
{
    if (s->count == s->capacity)
        CAROM_TRY(carom_grow(ctx, &s->time, &s->capacity, s->count + 1, sizeof *s->time));
    if ((s->count + 1) * s->width > s->value_capacity)
        CAROM_TRY(carom_grow(ctx, &s->values, &s->value_capacity, (s->count + 1) * s->width, sizeof *s->values));
    s->time[s->count] = time;
    memcpy(s->values + s->count * s->width, values, s->width * sizeof *values);
    s->count++;
    return CAROM_OK;
}

static void find_scales(carom_series *s)
{
    for (size_t c = 0; c < s->width; c++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t k = 0; k < s->count; k++) {
            const double value = s->values[k * s->width + c];
            if (isfinite(value)) {
                low = fmin(low, value);
                high = fmax(high, value);
            }
        }
        s->scale[c] = high > low ? high - low : 0;
    }
}

/* Share of the output interval by which its rows lie apart from those of steps: of two rows close to each other the
   difference is that of interpolation and step, and a polynomial through both would follow it. */
#define APART 0.02

/* Whether row k, which is not the first or last, lies beside one of the steps before and behind it. */
static bool is_beside(const carom_series *s, size_t k, const carom_series *steps, size_t next)
{
    if (k == 0 || k + 1 >= s->count)
        return false;
    const double apart = APART * (s->time[k] - s->time[k - 1]), t = s->time[k];
    return (next > 0 && t - steps->time[next - 1] < apart) || (next < steps->count && steps->time[next] - t < apart);
}

carom_status carom_series_merge(carom_context *ctx, carom_series *s, const carom_series *other)
{
    carom_series all = {.width = s->width};
    carom_status status = CAROM_OK;
    size_t own = 0, its = 0;
    while (status == CAROM_OK && (own < s->count || its < other->count)) {
        const bool first = its == other->count || (own < s->count && s->time[own] <= other->time[its]);
        const carom_series *from = first ? s : other;
        const size_t k = first ? own++ : its++;
        if (first && is_beside(s, k, other, its))
            continue;
        /* of its own rows at one time, before and after an event, the later one */
        if (all.count > 0 && all.time[all.count - 1] == from->time[k]) {
            if (!first)
                continue;
            all.count--;
        }
        status = carom_series_add(ctx, &all, from->time[k], from->values + k * s->width);
    }
    all.scale = s->scale;
    s->scale = NULL;
    carom_release(ctx, s->time, s->capacity, sizeof *s->time);
    carom_release(ctx, s->values, s->value_capacity, sizeof *s->values);
    *s = all;
    find_scales(s);
    return status;
}

double carom_series_at(const carom_series *s, size_t column, double t)
{
    if (s->count == 0)
        return NAN;
    const carom_time_rows rows = {s->count, s->width, s->time, s->values + column};
    if (s->count == 1 || t <= s->time[0])
        return rows.values[0];
    if (t >= s->time[s->count - 1])
        return rows.values[(s->count - 1) * s->width];
    const size_t k = carom_rows_before(&rows, t);
    bool coarse;
    if (t == s->time[k])
        return rows.values[k * s->width];
    return carom_rows_between(&rows, k, t, s->scale[column], &coarse);
}

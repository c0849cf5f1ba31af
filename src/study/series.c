/* Rows of channels over the time of a run. */
#include "study/runner.h"

#include <float.h>

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

/* Share of a channel's range from which on its values at both sides of an event are a jump: less is what the projection
   onto constraints and rounding make of a state that stays. */
#define JUMP 1e-4

/* Whether the rows k and k + 1 are both sides of an event. */
static bool is_pair(const carom_series *s, size_t k)
{
    return k + 1 < s->count && s->time[k + 1] - s->time[k] <= DBL_EPSILON * s->time[k + 1];
}

static bool jumps(const carom_series *s, size_t k, size_t column)
{
    const double *v = s->values + k * s->width + column;
    return is_pair(s, k) && !(fabs(v[s->width] - v[0]) <= JUMP * s->scale[column]);
}

/* Rows on either side of a time that carom_rows_between() looks at. */
#define REACH 3

/* The rows of a column about a time. */
typedef struct window {
    size_t count, before;       /* index of the row before the time */
    double time[2 * REACH], values[2 * REACH];
} window;

/* Those about the time between the rows k and k + 1 that no jump lies between, of pairs without one the later rows. */
static window find_window(const carom_series *s, size_t k, size_t column)
{
    size_t rows[2 * REACH] = {[REACH - 1] = k}, first = REACH - 1, end = REACH;
    for (size_t i = k; first > 0 && i > 0 && !jumps(s, i - 1, column);) {
        const size_t back = is_pair(s, i - 1) ? 2 : 1;
        if (back > i)
            break;
        rows[--first] = i -= back;
    }
    for (size_t i = k + 1; end < 2 * REACH && i < s->count; i++) {
        if (is_pair(s, i) && !jumps(s, i, column))
            i++;
        rows[end++] = i;
        if (jumps(s, i, column))
            break;
    }
    window w = {.count = end - first, .before = REACH - 1 - first};
    for (size_t n = 0; n < w.count; n++) {
        w.time[n] = s->time[rows[first + n]];
        w.values[n] = s->values[rows[first + n] * s->width + column];
    }
    return w;
}

static size_t row_before(const carom_series *s, double t)
{
    const carom_time_rows rows = {s->count, s->width, s->time, s->values};
    return carom_rows_before(&rows, t);
}

double carom_series_at(const carom_series *s, size_t column, double t)
{
    if (s->count == 0)
        return NAN;
    const double *values = s->values + column;
    if (s->count == 1 || t <= s->time[0])
        return values[0];
    if (t >= s->time[s->count - 1])
        return values[(s->count - 1) * s->width];
    const size_t k = row_before(s, t);
    if (t == s->time[k])
        return values[k * s->width];
    bool coarse;
    const window w = find_window(s, k, column);
    const carom_time_rows rows = {w.count, 1, w.time, w.values};
    return carom_rows_between(&rows, w.before, t, s->scale[column], &coarse);
}

static bool any_jumps(const carom_series *s, size_t k)
{
    bool found = false;
    for (size_t c = 0; c < s->width && !found; c++)
        found = jumps(s, k, c);
    return found;
}

void carom_series_clear_span(const carom_series *s, double t, double *low, double *high)
{
    if (s->count < 2 || !(t >= s->time[0] && t <= s->time[s->count - 1]))
        return;
    const size_t k = row_before(s, t);
    for (size_t i = k; i > 0 && s->time[i] >= *low; i--)
        if (s->time[i] <= t && any_jumps(s, i - 1))
            *low = s->time[i];
    for (size_t i = k; i + 1 < s->count && s->time[i] <= *high; i++)
        if (s->time[i] >= t && any_jumps(s, i))
            *high = s->time[i];
}

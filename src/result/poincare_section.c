/* Sections of a motion: the times at which it is sampled, at equal intervals or where a column passes through a value,
   and columns there, by interpolation of their rows. */
#include "math/rows.h"
#include "result/h5.h"

#include <math.h>
#include <string.h>

/* Greatest number of samples of one section. */
#define MOST_SAMPLES 10000000
/* Rows farther apart than this share of the modulus do not tell how often a column has passed. */
#define COARSE_TURN 0.25

/* ---- interpolation ---- */

/* A column without rows at equal times, and what is large in it. */
typedef struct rows {
    size_t count;
    const double *time, *value;
    double range;               /* of its finite values */
} rows;

static carom_status read_rows(carom_result *result, const char *name, rows *out, const char **unit)
{
    carom_arena *arena = carom_result_arena(result);
    const double *time, *value;
    size_t count;
    *out = (rows){0};
    CAROM_TRY(carom_result_column(result, name, &count, &time, &value, unit));
    double *t = carom_arena_alloc(arena, count, sizeof *t), *v = carom_arena_alloc(arena, count, sizeof *v);
    if (!t || !v)
        return carom_fail_memory(carom_result_context(result));
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(value[k]))
            continue;
        low = fmin(low, value[k]);
        high = fmax(high, value[k]);
        /* of rows at one time, before and after an event, the later one */
        if (out->count && t[out->count - 1] == time[k])
            out->count--;
        t[out->count] = time[k];
        v[out->count++] = value[k];
    }
    out->time = t;
    out->value = v;
    out->range = out->count ? high - low : 0;
    return CAROM_OK;
}

/* Value between the rows k and k + 1. */
static double between(const rows *r, size_t k, double t, double scale, bool *coarse)
{
    const carom_time_rows rows_of = {r->count, 1, r->time, r->value};
    return carom_rows_between(&rows_of, k, t, scale, coarse);
}

/* ---- times ---- */

typedef struct times {
    carom_result *result;
    double *items;
    size_t count, capacity, coarse;
} times;

static carom_status add_time(times *out, double t)
{
    if (out->count == MOST_SAMPLES)
        return carom_fail(carom_result_context(out->result), CAROM_ERROR_USAGE, NULL,
                          "%s: the section has more than %d points; make its range of time shorter",
                          carom_result_path(out->result), MOST_SAMPLES);
    if (out->count == out->capacity) {
        const size_t capacity = out->capacity ? 2 * out->capacity : 256;
        double *items = carom_arena_alloc(carom_result_arena(out->result), capacity, sizeof *items);
        if (!items)
            return carom_fail_memory(carom_result_context(out->result));
        if (out->count)
            memcpy(items, out->items, out->count * sizeof *items);
        out->items = items;
        out->capacity = capacity;
    }
    out->items[out->count++] = t;
    return CAROM_OK;
}

/* start + k period within the range, with the rounding of sums at its ends. */
static carom_status stroboscope(const carom_poincare_section_def *def, double first, double last, times *out)
{
    const double slack = 1e-9 * def->period;
    const double from = fmax(def->from, first) - slack, to = fmin(def->to, last) + slack;
    const double begin = fmax(ceil((from - def->start) / def->period), 0);
    for (double k = begin; def->start + k * def->period <= to; k++)
        CAROM_TRY(add_time(out, fmin(fmax(def->start + k * def->period, first), last)));
    return CAROM_OK;
}

/* Time between the rows k and k + 1 at which the interpolated column is `target`, which lies between their values:
   halving, where the interpolation of the ends is exact. */
static double crossing(const rows *r, size_t k, double target, double scale, bool *coarse)
{
    double low = r->time[k], high = r->time[k + 1];
    const bool rises = r->value[k] < target;
    for (int n = 0; n < 60 && high - low > 1e-15 * fabs(high); n++) {
        const double middle = low + 0.5 * (high - low);
        if (!(middle > low && middle < high))
            break;
        *((between(r, k, middle, scale, coarse) < target) == rises ? &low : &high) = middle;
    }
    between(r, k, high, scale, coarse);
    return high;
}

/* Passages between the rows k and k + 1. With a modulus the values value + n modulus are passed one after the other. */
static carom_status passages(const carom_poincare_section_def *def, const rows *r, size_t k, times *out)
{
    const double a = r->value[k] - def->value, b = r->value[k + 1] - def->value;
    const double modulus = def->modulus > 0 ? def->modulus : 0, scale = modulus > 0 ? modulus : r->range;
    const double from = modulus > 0 ? floor(a / modulus) : a < 0 ? -1 : 0;
    const double to = modulus > 0 ? floor(b / modulus) : b < 0 ? -1 : 0;
    const int direction = to > from ? 1 : -1;
    if (from == to || (def->direction && def->direction != direction))
        return CAROM_OK;
    for (double n = from; n != to; n += direction) {
        const double target = def->value + (direction > 0 ? n + 1 : n) * modulus;
        bool coarse;
        const double t = crossing(r, k, target, scale, &coarse);
        if (t < def->from || t > def->to)
            continue;
        out->coarse += coarse || (modulus > 0 && fabs(b - a) > COARSE_TURN * modulus);
        CAROM_TRY(add_time(out, t));
    }
    return CAROM_OK;
}

static carom_status check(carom_result *result, const carom_poincare_section_def *def)
{
    const char *fault = NULL;
    if (!def->channel && !(def->period > 0 && isfinite(def->period)))
        fault = "a section needs a channel, or a period above 0";
    else if (!def->channel && !isfinite(def->start))
        fault = "the start of the periods is not finite";
    else if (def->channel && !isfinite(def->value))
        fault = "the value of the section is not finite";
    else if (!(def->from < def->to))
        fault = "the range of time of a section is empty";
    else if (def->direction < -1 || def->direction > 1)
        fault = "the direction of a section is 1 (rising), -1 (falling) or 0 (both)";
    else if (!(def->modulus >= 0 && isfinite(def->modulus)))
        fault = "the modulus of a section is above 0, or 0 for none";
    return fault ? carom_fail(carom_result_context(result), CAROM_ERROR_USAGE, NULL, "%s", fault) : CAROM_OK;
}

carom_poincare_section_def carom_default_poincare_section_def(void)
{
    return (carom_poincare_section_def){.size = sizeof(carom_poincare_section_def), .from = -HUGE_VAL, .to = HUGE_VAL};
}

carom_status carom_result_poincare_section(carom_result *result, const carom_poincare_section_def *def, size_t *count,
                                  const double **out, size_t *coarse)
{
    CAROM_NEED(NULL, result);
    CAROM_NEED(carom_result_context(result), count);
    CAROM_NEED_AS(carom_result_context(result), out, "times");
    CAROM_NEED(carom_result_context(result), coarse);
    times found = {.result = result};
    rows r;
    const char *unit;
    *count = *coarse = 0;
    *out = NULL;
    carom_poincare_section_def own = carom_default_poincare_section_def();
    CAROM_TRY(carom_take_def(carom_result_context(result), def, &own, sizeof own, "poincare_section_def"));
    def = &own;
    CAROM_TRY(check(result, def));
    CAROM_TRY(read_rows(result, def->channel ? def->channel : "time", &r, &unit));
    if (r.count < 2)
        return CAROM_OK;
    if (!def->channel)
        CAROM_TRY(stroboscope(def, r.time[0], r.time[r.count - 1], &found));
    for (size_t k = 0; def->channel && k + 1 < r.count; k++)
        CAROM_TRY(passages(def, &r, k, &found));
    *count = found.count;
    *out = found.items;
    *coarse = found.coarse;
    return CAROM_OK;
}

carom_status carom_result_sample(carom_result *result, const char *name, size_t count, const double *at,
                                 const double **values, const char **unit, size_t *coarse)
{
    CAROM_NEED(NULL, result);
    CAROM_NEED(carom_result_context(result), name);
    if (count > 0)
        CAROM_NEED_AS(carom_result_context(result), at, "times");
    CAROM_NEED(carom_result_context(result), values);
    CAROM_NEED(carom_result_context(result), unit);
    CAROM_NEED(carom_result_context(result), coarse);
    rows r;
    *values = NULL;
    *coarse = 0;
    CAROM_TRY(read_rows(result, name, &r, unit));
    double *out = carom_arena_alloc(carom_result_arena(result), count, sizeof *out);
    if (!out)
        return carom_fail_memory(carom_result_context(result));
    const carom_time_rows table = {r.count, 1, r.time, r.value};
    for (size_t k = 0; k < count; k++) {
        const bool inside = r.count > 1 && at[k] >= r.time[0] && at[k] <= r.time[r.count - 1];
        bool rough = false;
        out[k] = inside ? between(&r, carom_rows_before(&table, at[k]), at[k], r.range, &rough) : (double)NAN;
        *coarse += rough;
    }
    *values = out;
    return CAROM_OK;
}

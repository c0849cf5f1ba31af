/* Derivatives of the predictions by the unknowns: those of the runs where there are any (derivatives.c), else central
   differences, where a bound or a prediction that fails is in the way one-sided ones. The offsets have theirs in closed
   form. */
#include "fit/fit.h"

#include <math.h>

/* Least size of a number, as a share of its range, that a step is a part of. */
#define LEAST_SHARE 0.01

/* Step of the scaled unknown. */
static double step_of(const carom_fit *f, const carom_unknown *u, double value)
{
    const double range = u->high - u->low;
    if (u->log)
        return fmin(f->difference / log(u->high / u->low), 0.1);
    return f->difference * fmax(fabs(value), LEAST_SHARE * range) / range;
}

/* The points of the differences: of each unknown one above and one below, where the bounds allow it. */
typedef struct steps {
    size_t count;
    double *values, *out;
    size_t *record;
    bool *good;
    double *at; /* scaled step of each point, with its sign */
    size_t *unknown;
} steps;

static carom_status make_steps(carom_fit_work *w, carom_arena *arena, const double *values, const size_t *free,
                               size_t free_count, steps *s)
{
    const carom_fit *f = w->fit;
    const size_t n = f->unknown_count, most = 2 * free_count + 1;
    s->values = carom_arena_alloc(arena, most * n, sizeof *s->values);
    s->out = carom_arena_alloc(arena, most * f->data, sizeof *s->out);
    s->record = carom_arena_alloc(arena, most, sizeof *s->record);
    s->good = carom_arena_alloc(arena, most, sizeof *s->good);
    s->at = carom_arena_alloc(arena, most, sizeof *s->at);
    s->unknown = carom_arena_alloc(arena, most, sizeof *s->unknown);
    if (!s->values || !s->out || !s->record || !s->good || !s->at || !s->unknown)
        return carom_fail_memory(w->ctx);
    for (size_t k = 0; k < free_count; k++) {
        const carom_unknown *u = &f->unknowns[free[k]];
        const double scaled = carom_unknown_scaled(u, values[free[k]]), step = step_of(f, u, values[free[k]]);
        if (u->kind == CAROM_UNKNOWN_OFFSET)
            continue;
        for (int sign = 1; sign >= -1; sign -= 2) {
            const double to = scaled + sign * step;
            if (to < 0 || to > 1)
                continue;
            double *point = s->values + s->count * n;
            memcpy(point, values, n * sizeof *point);
            point[free[k]] = carom_unknown_value(u, to);
            s->record[s->count] = u->record;
            s->at[s->count] = to - scaled;
            s->unknown[s->count++] = k;
        }
    }
    return CAROM_OK;
}

static void add_offset(const carom_fit *f, size_t unknown, double *column)
{
    for (size_t k = 0; k < f->response_count; k++)
        for (size_t i = 0; f->responses[k].offset == unknown && i < f->responses[k].count; i++)
            column[f->responses[k].first + i] = carom_unknown_stretch(&f->unknowns[unknown]);
}

/* The derivative from the points that could be predicted. */
static void difference(const carom_fit *f, const steps *s, const double *predicted, size_t k, double *column)
{
    const double *above = NULL, *below = NULL;
    double up = 0, down = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->unknown[i] != k || !s->good[i])
            continue;
        *(s->at[i] > 0 ? &above : &below) = s->out + i * f->data;
        *(s->at[i] > 0 ? &up : &down) = s->at[i];
    }
    if (!above && !below)
        return;
    for (size_t i = 0; i < f->data; i++)
        column[i] = ((above ? above[i] : predicted[i]) - (below ? below[i] : predicted[i])) / (up - down);
}

/* By differences, of the unknowns that `free` lists. */
static carom_status by_differences(carom_fit_work *w, const double *values, const double *predicted,
                                   const size_t *free, size_t free_count, double *const *columns)
{
    const carom_fit *f = w->fit;
    carom_arena arena;
    steps s = {.count = 0};
    carom_arena_init(&arena, w->ctx);
    carom_status status = make_steps(w, &arena, values, free, free_count, &s);
    if (status == CAROM_OK && s.count > 0) {
        const carom_fit_points points = {
            .count = s.count, .values = s.values, .record = s.record, .base = predicted, .out = s.out, .good = s.good};
        status = carom_fit_predict(w, &points);
    }
    for (size_t k = 0; status == CAROM_OK && k < free_count; k++) {
        memset(columns[k], 0, f->data * sizeof *columns[k]);
        if (f->unknowns[free[k]].kind == CAROM_UNKNOWN_OFFSET)
            add_offset(f, free[k], columns[k]);
        else
            difference(f, &s, predicted, k, columns[k]);
    }
    carom_arena_free(&arena);
    return status;
}

carom_status carom_fit_sensitivity(carom_fit_work *w, const double *values, const double *predicted, const size_t *free,
                                   size_t free_count, double *out)
{
    const carom_fit *f = w->fit;
    bool found[CAROM_FIT_UNKNOWNS] = {false};
    size_t others[CAROM_FIT_UNKNOWNS], count = 0;
    double *columns[CAROM_FIT_UNKNOWNS];
    CAROM_TRY(carom_fit_exact(w, values, free, free_count, out, found));
    for (size_t k = 0; k < free_count; k++) {
        const carom_unknown *u = &f->unknowns[free[k]];
        if (found[k]) {
            const double scaled = carom_unknown_scaled(u, values[free[k]]), step = step_of(f, u, values[free[k]]);
            w->derivatives.saved += (size_t)(scaled + step <= 1) + (size_t)(scaled - step >= 0);
            continue;
        }
        columns[count] = out + k * f->data;
        others[count++] = free[k];
    }
    return by_differences(w, values, predicted, others, count, columns);
}

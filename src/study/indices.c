/* Sensitivity of a quantity to the parameters: Sobol's indices of first order (Saltelli et al. 2010) and total ones
   (Jansen 1999), Morris's elementary effects; their intervals by resampling samples or trajectories with replacement
   (Efron 1979), 2.5 and 97.5 % of the resampled values. */
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RESAMPLES 1000
#define RESAMPLE_SEED 20100201

/* Samples, or trajectories, that have all their values, row by row. */
typedef struct samples {
    const double *values;
    size_t *kept, count; /* their numbers */
    size_t rows, sides;  /* runs of each, parameters */
    const carom_study *study;
} samples;

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Resamples in which the quantity does not vary have no index, and are left out; where they are more than half, as of
   two or three samples, there is no interval. */
static void set_interval(double *sorted, double *low, double *high)
{
    size_t count = 0;
    for (size_t k = 0; k < RESAMPLES; k++)
        if (isfinite(sorted[k]))
            sorted[count++] = sorted[k];
    *low = *high = NAN;
    if (2 * count < RESAMPLES)
        return;
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    *low = sorted[(size_t)(0.025 * (double)count)];
    *high = sorted[(size_t)(0.975 * (double)count)];
}

/* ---- Sobol ---- */

/* First-order and total index of a side from the samples that `pick` names; NULL: all. */
static void sobol_index(const samples *s, size_t side, const size_t *pick, double *first, double *total)
{
    double mean = 0, square = 0, shared = 0, jansen = 0;
    const double count = (double)s->count;
    for (size_t k = 0; k < s->count; k++) {
        const double *row = s->values + s->kept[pick ? pick[k] : k] * s->rows;
        mean += row[0] + row[1];
    }
    mean /= 2 * count;
    for (size_t k = 0; k < s->count; k++) {
        const double *row = s->values + s->kept[pick ? pick[k] : k] * s->rows;
        const double a = row[0] - mean, b = row[1] - mean, ab = row[2 + side] - mean;
        square += a * a + b * b;
        shared += b * (ab - a);
        jansen += (a - ab) * (a - ab);
    }
    const double variance = square / (2 * count);
    *first = variance > 0 ? shared / count / variance : (double)NAN;
    *total = variance > 0 ? jansen / (2 * count) / variance : (double)NAN;
}

/* ---- Morris ---- */

/* The elementary effect of a side in a trajectory: the change of the quantity over that of the side, in its range. */
static double effect(const samples *s, size_t side, size_t trajectory)
{
    const carom_study *study = s->study;
    const double *row = s->values + trajectory * s->rows;
    for (size_t k = 0; k + 1 < s->rows; k++) {
        const size_t run = trajectory * s->rows + k;
        const double from = study->sampler->coordinate(&study->design, run, side);
        const double to = study->sampler->coordinate(&study->design, run + 1, side);
        if (to != from)
            return (row[k + 1] - row[k]) / (to - from);
    }
    return 0;
}

static void morris_index(const samples *s, const double *effects, const size_t *pick, double *sigma, double *star,
                         double *mean)
{
    double sum = 0, size = 0, square = 0;
    for (size_t k = 0; k < s->count; k++) {
        const double e = effects[pick ? pick[k] : k];
        sum += e;
        size += fabs(e);
    }
    *mean = sum / (double)s->count;
    *star = size / (double)s->count;
    for (size_t k = 0; k < s->count; k++) {
        const double e = effects[pick ? pick[k] : k] - *mean;
        square += e * e;
    }
    *sigma = sqrt(square / (double)(s->count - 1));
}

/* ---- both ---- */

static carom_status find_index(carom_context *ctx, const samples *s, size_t side, bool morris, carom_study_index *out)
{
    const size_t count = s->count;
    double *effects = carom_allocate(ctx, count, sizeof *effects);
    size_t *pick = carom_allocate(ctx, count, sizeof *pick);
    double *first = carom_allocate(ctx, RESAMPLES, sizeof *first),
           *total = carom_allocate(ctx, RESAMPLES, sizeof *total);
    const bool room = effects && pick && first && total;
    double unused;
    for (size_t k = 0; k < count && room && morris; k++)
        effects[k] = effect(s, side, s->kept[k]);
    out->mean = NAN;
    if (room && morris)
        morris_index(s, effects, NULL, &out->first, &out->total, &out->mean);
    else if (room)
        sobol_index(s, side, NULL, &out->first, &out->total);
    for (size_t n = 0; n < RESAMPLES && room; n++) {
        for (size_t k = 0; k < count; k++)
            pick[k] = carom_random_below(RESAMPLE_SEED, n, k, count);
        if (morris)
            morris_index(s, effects, pick, &first[n], &total[n], &unused);
        else
            sobol_index(s, side, pick, &first[n], &total[n]);
    }
    if (room) {
        set_interval(first, &out->first_low, &out->first_high);
        set_interval(total, &out->total_low, &out->total_high);
    }
    carom_release(ctx, effects, count, sizeof *effects);
    carom_release(ctx, pick, count, sizeof *pick);
    carom_release(ctx, first, RESAMPLES, sizeof *first);
    carom_release(ctx, total, RESAMPLES, sizeof *total);
    return room ? CAROM_OK : carom_fail_memory(ctx);
}

/* Whether the values of the kept samples differ. */
static bool varies(const samples *s)
{
    for (size_t k = 0; k < s->count; k++)
        for (size_t i = 0; i < s->rows; i++)
            if (s->values[s->kept[k] * s->rows + i] != s->values[s->kept[0] * s->rows])
                return true;
    return false;
}

carom_status carom_study_indices(carom_context *ctx, const carom_study *study, const double *values,
                                 carom_study_index *out, size_t *used)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, study);
    CAROM_NEED(ctx, values);
    CAROM_NEED(ctx, out);
    CAROM_NEED(ctx, used);
    const bool morris = strcmp(study->sampler->name, "morris") == 0;
    if (!morris && strcmp(study->sampler->name, "saltelli") != 0)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "sensitivity is found from `sampling: saltelli` or `morris`, and this study has '%s'",
                          study->sampler->name);
    samples s = {
        .values = values, .rows = study->side_count + (morris ? 1 : 2), .sides = study->side_count, .study = study};
    const size_t all = study->runs / s.rows;
    s.kept = carom_allocate(ctx, all, sizeof *s.kept);
    if (!s.kept)
        return carom_fail_memory(ctx);
    for (size_t k = 0; k < all; k++) {
        bool whole = true;
        for (size_t i = 0; i < s.rows; i++)
            whole = whole && isfinite(values[k * s.rows + i]);
        if (whole)
            s.kept[s.count++] = k;
    }
    carom_status status = CAROM_OK;
    *used = s.count;
    if (s.count < 2)
        status = carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%zu of %zu samples have all their values; two are needed",
                            s.count, all);
    else if (!varies(&s))
        status = carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "the quantity is the same in all runs");
    for (size_t side = 0; side < s.sides && status == CAROM_OK; side++)
        status = find_index(ctx, &s, side, morris, &out[side]);
    carom_release(ctx, s.kept, all, sizeof *s.kept);
    return status;
}

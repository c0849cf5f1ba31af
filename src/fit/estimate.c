/* The best minimum of all starts, and the standard deviations that the study does not give. */
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>

/* Points that are looked at for each start that is searched from. */
#define LOOKED_AT 12
/* Relative difference of misfits, and in itself, that is none. */
#define EQUAL 1e-8
/* The same of what searches end at, which converge to a part of it; of a misfit of nothing its square of each datum. */
#define SAME 1e-4
#define SIGMA_ROUNDS 12
#define SIGMA_CHANGE 1e-4
/* Least deviation, as a share of the largest value: residuals of data without noise. */
#define LEAST_SIGMA 1e-9
/* Deviation of a normal distribution over the median of its sizes. */
#define MEDIAN_TO_SIGMA 1.482602218505602

void carom_fit_free_unknowns(const carom_fit_work *w, bool *free)
{
    for (size_t k = 0; k < w->fit->unknown_count; k++)
        free[k] = w->fit->taken[w->law][k];
}

size_t carom_fit_count(const carom_fit_work *w)
{
    size_t count = 0;
    for (size_t k = 0; k < w->fit->data; k++)
        count += w->use[w->fit->datum_run[k]];
    return count;
}

size_t carom_fit_estimated_sigmas(const carom_fit *f)
{
    size_t count = 0;
    for (size_t k = 0; k < f->response_count; k++)
        count += !f->responses[k].sigma_given;
    return count;
}

/* ---- deviations ---- */

static double largest_of(const carom_response *q)
{
    double largest = 0;
    for (size_t k = 0; k < q->count; k++)
        largest = fmax(largest, fabs(q->measured[k]));
    return largest > 0 ? largest : 1;
}

static void set_sigma(carom_fit_work *w, const carom_response *q, double sigma)
{
    const double least = LEAST_SIGMA * largest_of(q);
    for (size_t k = 0; k < q->count; k++)
        w->sigma[q->first + k] = fmax(sigma, least);
}

/* Before anything is known: that of the values about their mean. */
static void guess_sigmas(carom_fit_work *w)
{
    for (size_t k = 0; k < w->fit->response_count; k++) {
        const carom_response *q = &w->fit->responses[k];
        double mean = 0, sum = 0;
        if (q->sigma_given)
            continue;
        for (size_t i = 0; i < q->count; i++)
            mean += q->measured[i] / (double)q->count;
        for (size_t i = 0; i < q->count; i++)
            sum += (q->measured[i] - mean) * (q->measured[i] - mean);
        const double spread = sqrt(sum / (double)q->count);
        set_sigma(w, q, spread > 0.01 * largest_of(q) ? spread : 0.1 * largest_of(q));
    }
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of the residuals of a minimum, with the share of the unknowns: root mean square, or of robust losses by the
   median. */
static carom_status sigma_of(carom_fit_work *w, const carom_response *q, const double *predicted, double share,
                             double *out)
{
    double sum = 0;
    size_t n = 0;
    double *sizes = carom_allocate(w->ctx, q->count, sizeof *sizes);
    if (!sizes)
        return carom_fail_memory(w->ctx);
    for (size_t k = 0; k < q->count; k++)
        if (w->use[w->fit->datum_run[q->first + k]]) {
            const double r = q->measured[k] - predicted[q->first + k];
            sizes[n++] = fabs(r);
            sum += r * r;
        }
    if (n > 0 && w->fit->loss != CAROM_LOSS_LINEAR) {
        qsort(sizes, n, sizeof *sizes, by_size);
        const double median = n % 2 ? sizes[n / 2] : 0.5 * (sizes[n / 2 - 1] + sizes[n / 2]);
        *out = MEDIAN_TO_SIGMA * median / sqrt(share);
    } else {
        *out = n > 0 ? sqrt(sum / ((double)n * share)) : 1;
    }
    carom_release(w->ctx, sizes, q->count, sizeof *sizes);
    return CAROM_OK;
}

/* Takes the deviations of a minimum; *change is the largest of their changes, relative. */
static carom_status take_sigmas(carom_fit_work *w, const double *predicted, size_t unknowns, double *change)
{
    const double count = (double)carom_fit_count(w);
    const double share = count > (double)unknowns ? (count - (double)unknowns) / count : 1 / count;
    *change = 0;
    for (size_t k = 0; k < w->fit->response_count; k++) {
        const carom_response *q = &w->fit->responses[k];
        double sigma = 1;
        if (q->sigma_given)
            continue;
        CAROM_TRY(sigma_of(w, q, predicted, share, &sigma));
        const double before = w->sigma[q->first];
        set_sigma(w, q, sigma);
        *change = fmax(*change, fabs(log(w->sigma[q->first] / before)));
    }
    return CAROM_OK;
}

/* With several columns, or outliers, the minimum depends on the deviations, and these on the minimum. */
static carom_status find_sigmas(carom_fit_work *w, const bool *free, carom_fit_minimum *at)
{
    const size_t estimated = carom_fit_estimated_sigmas(w->fit);
    const bool once = w->fit->loss == CAROM_LOSS_LINEAR && w->fit->response_count == 1;
    size_t unknowns = 0;
    for (size_t k = 0; k < w->fit->unknown_count; k++)
        unknowns += free[k];
    for (int k = 0; estimated > 0 && k < SIGMA_ROUNDS; k++) {
        double change;
        CAROM_TRY(take_sigmas(w, at->predicted, unknowns, &change));
        at->misfit = carom_fit_misfit(w, at->predicted);
        if (once || change < SIGMA_CHANGE)
            break;
        CAROM_TRY(carom_fit_minimise(w, free, at));
    }
    return CAROM_OK;
}

double carom_fit_deviance(const carom_fit_work *w, const carom_fit_minimum *at, size_t *sigmas)
{
    const carom_fit *f = w->fit;
    double sum = 0, slope;
    *sigmas = carom_fit_estimated_sigmas(f);
    for (size_t k = 0; k < f->response_count; k++) {
        const carom_response *q = &f->responses[k];
        double squares = 0, lossy = 0, n = 0;
        for (size_t i = 0; i < q->count; i++)
            if (w->use[f->datum_run[q->first + i]]) {
                const double r = q->measured[i] - at->predicted[q->first + i];
                const double l = carom_fit_lossy(f, r / w->sigma[q->first + i], &slope);
                squares += r * r;
                lossy += l * l;
                n++;
            }
        if (q->sigma_given)
            sum += lossy;
        else if (f->loss == CAROM_LOSS_LINEAR)
            sum += n * (1 + log(fmax(squares / n, w->sigma[q->first] * w->sigma[q->first] * 1e-6)));
        else
            sum += 2 * n * log(w->sigma[q->first]) + lossy;
    }
    return sum;
}

/* ---- starts ---- */

/* A point that was looked at. */
typedef struct start {
    double misfit;
    size_t index;
} start;

static int by_misfit(const void *a, const void *b)
{
    const start *x = a, *y = b;
    return x->misfit != y->misfit ? (x->misfit > y->misfit) - (x->misfit < y->misfit)
                                  : (x->index > y->index) - (x->index < y->index);
}

/* Point 0 is the study's start, the others lie evenly within the bounds. */
static void fill_point(const carom_fit *f, const bool *free, size_t index, size_t count, double *out)
{
    for (size_t k = 0; k < f->unknown_count; k++) {
        const carom_unknown *u = &f->unknowns[k];
        const bool moved = index > 0 && free[k] && u->kind != CAROM_UNKNOWN_OFFSET;
        out[k] = moved ? carom_unknown_value(u, carom_sobol_coordinate(0, k, index - 1, count)) : u->start;
    }
}

/* Looks at many points and puts the best to the front; those that cannot be predicted go to the end. */
static carom_status look_around(carom_fit_work *w, carom_arena *arena, const bool *free, size_t count, double *values,
                                start *starts)
{
    const carom_fit *f = w->fit;
    double *out = carom_arena_alloc(arena, count * f->data + 1, sizeof *out);
    bool *good = carom_arena_alloc(arena, count, sizeof *good);
    if (!out || !good)
        return carom_fail_memory(w->ctx);
    for (size_t k = 0; k < count; k++)
        fill_point(f, free, k, count, values + k * f->unknown_count);
    for (size_t k = 0; k < count * f->data; k++)
        out[k] = NAN; /* of what an interruption leaves out */
    const carom_fit_points points = {.count = count, .values = values, .out = out, .good = good};
    const carom_status status = carom_fit_predict(w, &points);
    if (status != CAROM_OK && status != CAROM_INTERRUPTED)
        return status;
    for (size_t k = 0; k < count; k++) {
        const double misfit = carom_fit_misfit(w, out + k * f->data);
        starts[k] = (start){isfinite(misfit) ? misfit : HUGE_VAL, k};
        if (starts[k].misfit < w->so_far_misfit) {
            w->so_far_misfit = starts[k].misfit;
            memcpy(w->so_far, values + k * f->unknown_count, f->unknown_count * sizeof *values);
        }
    }
    CAROM_TRY(status);
    qsort(starts + 1, count - 1, sizeof *starts, by_misfit);
    return CAROM_OK;
}

static size_t count_at_bounds(const carom_fit *f, const bool *free, const double *values)
{
    size_t count = 0;
    for (size_t k = 0; k < f->unknown_count; k++)
        count += free[k] && (values[k] <= f->unknowns[k].low || values[k] >= f->unknowns[k].high);
    return count;
}

/* Of minima that are equal, as those along a direction that is not determined, the one away from bounds. */
static bool is_better(const carom_fit *f, const bool *free, const carom_fit_minimum *a, const carom_fit_minimum *b)
{
    const double equal = EQUAL * b->misfit + EQUAL;
    if (fabs(a->misfit - b->misfit) > equal)
        return a->misfit < b->misfit;
    return count_at_bounds(f, free, a->values) < count_at_bounds(f, free, b->values);
}

carom_status carom_fit_estimate_all(carom_fit_work *w, carom_fit_minimum *out)
{
    const carom_fit *f = w->fit;
    carom_arena arena;
    bool free[CAROM_FIT_UNKNOWNS], found = false;
    const size_t count = f->starts > 1 ? 1 + LOOKED_AT * (f->starts - 1) : 1;
    carom_fit_minimum at;
    carom_arena_init(&arena, w->ctx);
    double *values = carom_arena_alloc(&arena, count * f->unknown_count + 1, sizeof *values);
    double *ends = carom_arena_alloc(&arena, count, sizeof *ends);
    size_t ended = 0;
    start *starts = carom_arena_alloc(&arena, count, sizeof *starts);
    carom_status status = values && starts && ends ? carom_fit_minimum_create(w, &at) : carom_fail_memory(w->ctx);
    carom_fit_free_unknowns(w, free);
    guess_sigmas(w);
    w->misfit = w->so_far_misfit = HUGE_VAL;
    if (status == CAROM_OK)
        status = look_around(w, &arena, free, count, values, starts);
    for (size_t k = 0; status == CAROM_OK && k < f->starts && k < count; k++) {
        if (!isfinite(starts[k].misfit))
            continue;
        memcpy(at.values, values + starts[k].index * f->unknown_count, f->unknown_count * sizeof *values);
        at.misfit = HUGE_VAL;
        status = carom_fit_minimise(w, free, &at);
        if (status == CAROM_OK)
            ends[ended++] = at.misfit;
        if (status == CAROM_ERROR_SOLVER)
            status = CAROM_OK;
        else if (status == CAROM_OK && (!found || is_better(f, free, &at, out))) {
            carom_fit_minimum_copy(w, out, &at);
            found = true;
        }
    }
    if (status == CAROM_OK && found)
        status = carom_fit_move_shifts(w, free, out);
    if (status == CAROM_OK && found) {
        const double most = out->misfit * (1 + SAME) + SAME * SAME * (double)carom_fit_count(w);
        out->searches = ended;
        out->same = 0;
        for (size_t k = 0; k < ended; k++)
            out->same += ends[k] <= most;
    }
    if (status == CAROM_OK && !found)
        status = carom_fail(w->ctx, CAROM_ERROR_SOLVER, NULL, "nothing could be predicted from any start: %s", w->why);
    if (status == CAROM_OK)
        status = find_sigmas(w, free, out);
    carom_arena_free(&arena);
    return status;
}

/* One minimum of the misfit, within the bounds: Levenberg's and Marquardt's steps go where they like, and the
   predictions are those of the nearest point within the bounds. What lies beyond has no derivative and stays at its
   bound; from there the search begins anew. */
#include "fit/fit.h"

#include <math.h>

#define ROUNDS 6
#define TOLERANCE 1e-9
/* Share of the misfit by which another round has to better it. */
#define WORTH 1e-7

/* ---- losses ---- */

/* Huber 1964, Ann. Math. Stat. 35, 73; soft L1: 2 c^2 (sqrt(1 + (r/c)^2) - 1); Cauchy: c^2 ln(1 + (r/c)^2). */
double carom_fit_lossy(const carom_fit *f, double r, double *slope)
{
    const double c = f->loss_scale, s = (r / c) * (r / c);
    double square = r * r, rise = 1; /* of the square by that of r */
    if (f->loss == CAROM_LOSS_HUBER && fabs(r) > c) {
        square = c * (2 * fabs(r) - c);
        rise = c / fabs(r);
    } else if (f->loss == CAROM_LOSS_SOFT_L1) {
        /* without cancellation for small r */
        square = 2 * r * r / (sqrt(1 + s) + 1);
        rise = 1 / sqrt(1 + s);
    } else if (f->loss == CAROM_LOSS_CAUCHY) {
        square = c * c * log1p(s);
        rise = 1 / (1 + s);
    }
    const double size = sqrt(square);
    *slope = size > 0 ? rise * fabs(r) / size : 1;
    return r < 0 ? -size : size;
}

double carom_fit_pull(const carom_fit *f, double r, double *slope)
{
    const double c = f->loss_scale, s = (r / c) * (r / c);
    if (f->loss == CAROM_LOSS_HUBER) {
        *slope = fabs(r) <= c;
        return fabs(r) <= c ? r : r < 0 ? -c : c;
    }
    if (f->loss == CAROM_LOSS_SOFT_L1) {
        *slope = pow(1 + s, -1.5);
        return r / sqrt(1 + s);
    }
    if (f->loss == CAROM_LOSS_CAUCHY) {
        *slope = (1 - s) / ((1 + s) * (1 + s));
        return r / (1 + s);
    }
    *slope = 1;
    return r;
}

static double measured(const carom_fit *f, size_t datum)
{
    const carom_response *q = &f->responses[f->datum_response[datum]];
    return q->measured[datum - q->first];
}

double carom_fit_misfit(const carom_fit_work *w, const double *predicted)
{
    const carom_fit *f = w->fit;
    double sum = 0, slope;
    for (size_t k = 0; k < f->data; k++)
        if (w->use[f->datum_run[k]]) {
            const double r = carom_fit_lossy(f, (measured(f, k) - predicted[k]) / w->sigma[k], &slope);
            sum += r * r;
        }
    return sum;
}

/* ---- the least squares ---- */

typedef struct search {
    carom_fit_work *w;
    const size_t *free;
    size_t n, m; /* unknowns, residuals */
    double *values, *predicted, *slopes;
    double *seen; /* x of the predictions */
    carom_fit_minimum *best;
    bool found;
    carom_status status; /* what ended it */
} search;

static bool predict(search *s, const double *x)
{
    carom_fit_work *w = s->w;
    bool good = false;
    for (size_t k = 0; k < s->n; k++)
        s->values[s->free[k]] = carom_unknown_value(&w->fit->unknowns[s->free[k]], x[k]);
    const carom_fit_points points = {.count = 1, .values = s->values, .out = s->predicted, .good = &good};
    if (s->status == CAROM_OK)
        s->status = carom_fit_predict(w, &points);
    memcpy(s->seen, x, s->n * sizeof *x);
    return good && s->status == CAROM_OK;
}

static bool residuals(void *user, const double *x, double *r)
{
    search *s = user;
    const carom_fit *f = s->w->fit;
    if (!predict(s, x))
        return false;
    double sum = 0, slope;
    size_t row = 0;
    for (size_t k = 0; k < f->data; k++)
        if (s->w->use[f->datum_run[k]]) {
            r[row] = carom_fit_lossy(f, (measured(f, k) - s->predicted[k]) / s->w->sigma[k], &slope);
            sum += r[row] * r[row];
            row++;
        }
    while (row < s->m)
        r[row++] = 0;
    if (!s->found || sum < s->best->misfit) {
        s->found = true;
        s->best->misfit = s->w->misfit = sum;
        memcpy(s->best->values, s->values, f->unknown_count * sizeof *s->values);
        memcpy(s->best->predicted, s->predicted, f->data * sizeof *s->predicted);
        if (sum < s->w->so_far_misfit) {
            s->w->so_far_misfit = sum;
            memcpy(s->w->so_far, s->values, f->unknown_count * sizeof *s->values);
        }
    }
    return true;
}

static bool jacobian(void *user, const double *x, double *out)
{
    search *s = user;
    const carom_fit *f = s->w->fit;
    if (memcmp(s->seen, x, s->n * sizeof *x) != 0 && !predict(s, x))
        return false;
    s->status = carom_fit_sensitivity(s->w, s->values, s->predicted, s->free, s->n, s->slopes);
    if (s->status != CAROM_OK)
        return false;
    for (size_t c = 0; c < s->n; c++) {
        const bool beyond = x[c] < 0 || x[c] > 1;
        size_t row = 0;
        for (size_t k = 0; k < f->data; k++)
            if (s->w->use[f->datum_run[k]]) {
                double slope;
                carom_fit_lossy(f, (measured(f, k) - s->predicted[k]) / s->w->sigma[k], &slope);
                out[c * s->m + row++] = beyond ? 0 : -slope * s->slopes[c * f->data + k] / s->w->sigma[k];
            }
        while (row < s->m)
            out[c * s->m + row++] = 0;
    }
    return true;
}

/* ---- rounds ---- */

static carom_status round_of(search *s, double *x, bool *beyond)
{
    const carom_least_squares p = {.m = s->m,
                                   .n = s->n,
                                   .residuals = residuals,
                                   .jacobian = jacobian,
                                   .user = s,
                                   .tolerance = TOLERANCE,
                                   .first_step = 1,
                                   .most = 100 + 20 * s->n};
    bool converged;
    const carom_status status = carom_least_squares_solve(s->w->ctx, &p, x, &converged);
    if (s->status != CAROM_OK)
        return s->status;
    if (status != CAROM_OK)
        return status == CAROM_ERROR_SOLVER ? carom_fail(s->w->ctx, status, NULL, "%s", s->w->why) : status;
    s->best->converged = converged;
    *beyond = false;
    for (size_t k = 0; k < s->n; k++) {
        *beyond = *beyond || x[k] < 0 || x[k] > 1;
        x[k] = carom_unknown_scaled(&s->w->fit->unknowns[s->free[k]], s->best->values[s->free[k]]);
        x[k] = fmin(fmax(x[k], 0), 1);
    }
    return CAROM_OK;
}

static carom_status make_search(carom_fit_work *w, carom_arena *arena, const bool *free, carom_fit_minimum *at,
                                search *s, double **x)
{
    const carom_fit *f = w->fit;
    size_t *list = carom_arena_alloc(arena, f->unknown_count + 1, sizeof *list);
    *s = (search){.w = w, .free = list, .best = at};
    for (size_t k = 0; list && k < f->unknown_count; k++)
        if (free[k])
            list[s->n++] = k;
    for (size_t k = 0; k < f->data; k++)
        s->m += w->use[f->datum_run[k]];
    s->m = s->m > s->n ? s->m : s->n;
    s->values = carom_arena_alloc(arena, f->unknown_count + 1, sizeof *s->values);
    s->predicted = carom_arena_alloc(arena, f->data + 1, sizeof *s->predicted);
    s->slopes = carom_arena_alloc(arena, f->data * (s->n + 1), sizeof *s->slopes);
    s->seen = carom_arena_alloc(arena, s->n + 1, sizeof *s->seen);
    *x = carom_arena_alloc(arena, s->n + 1, sizeof **x);
    if (!list || !s->values || !s->predicted || !s->slopes || !s->seen || !*x)
        return carom_fail_memory(w->ctx);
    memcpy(s->values, at->values, f->unknown_count * sizeof *s->values);
    for (size_t k = 0; k < s->n; k++)
        (*x)[k] = fmin(fmax(carom_unknown_scaled(&f->unknowns[list[k]], at->values[list[k]]), 0), 1);
    return CAROM_OK;
}

carom_status carom_fit_minimum_create(carom_fit_work *w, carom_fit_minimum *out)
{
    *out = (carom_fit_minimum){.misfit = HUGE_VAL};
    out->values = carom_arena_alloc(&w->arena, w->fit->unknown_count + 1, sizeof *out->values);
    out->predicted = carom_arena_alloc(&w->arena, w->fit->data + 1, sizeof *out->predicted);
    return out->values && out->predicted ? CAROM_OK : carom_fail_memory(w->ctx);
}

void carom_fit_minimum_copy(const carom_fit_work *w, carom_fit_minimum *to, const carom_fit_minimum *from)
{
    memcpy(to->values, from->values, w->fit->unknown_count * sizeof *to->values);
    memcpy(to->predicted, from->predicted, w->fit->data * sizeof *to->predicted);
    to->misfit = from->misfit;
    to->converged = from->converged;
    to->searches = from->searches;
    to->same = from->same;
}

carom_status carom_fit_minimise(carom_fit_work *w, const bool *free, carom_fit_minimum *at)
{
    carom_arena arena;
    search s;
    double *x;
    bool beyond = true;
    carom_arena_init(&arena, w->ctx);
    carom_status status = make_search(w, &arena, free, at, &s, &x);
    if (status == CAROM_OK && s.n == 0) {
        status = predict(&s, x) ? CAROM_OK : s.status != CAROM_OK ? s.status : CAROM_ERROR_SOLVER;
        if (status == CAROM_OK) {
            memcpy(at->predicted, s.predicted, w->fit->data * sizeof *at->predicted);
            at->misfit = carom_fit_misfit(w, s.predicted);
            at->converged = true;
        } else if (status == CAROM_ERROR_SOLVER) {
            status = carom_fail(w->ctx, status, NULL, "%s", w->why);
        }
        beyond = false;
    }
    double before = HUGE_VAL;
    for (int k = 0; status == CAROM_OK && beyond && k < ROUNDS; k++) {
        status = round_of(&s, x, &beyond);
        if (!(at->misfit < before * (1 - WORTH)))
            break;
        before = at->misfit;
    }
    carom_arena_free(&arena);
    return status;
}

/* The whole of a fit: laws, the best minimum, what it is worth. */
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>

/* How often a lower minimum that a profile finds is taken for the start of another. */
#define AGAIN 3

typedef struct content {
    carom_arena arena;
    carom_fit_statistics stats;
} content;

void carom_fit_result_free(carom_context *ctx, carom_fit_result *result)
{
    if (!result || !result->own)
        return;
    content *c = result->own;
    carom_text_clear(&c->stats.sentences);
    carom_arena_free(&c->arena);
    carom_release(ctx, c, 1, sizeof *c);
    *result = (carom_fit_result){0};
}

/* Lines of a text as a list. */
static carom_status split_lines(content *c, const carom_text *first, const carom_text *second, carom_fit_result *out)
{
    const carom_text *const texts[] = {first, second};
    size_t count = 0;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < texts[k]->length; i++)
            count += texts[k]->data[i] == '\n';
    const char **lines = carom_arena_alloc(&c->arena, count + 1, sizeof *lines);
    if (!lines)
        return carom_fail_memory(c->arena.ctx);
    for (int k = 0; k < 2; k++)
        for (size_t at = 0; at < texts[k]->length;) {
            const char *line = texts[k]->data + at, *end = memchr(line, '\n', texts[k]->length - at);
            const char *copy = carom_arena_text_n(&c->arena, line, (size_t)(end - line));
            if (!copy)
                return carom_fail_memory(c->arena.ctx);
            lines[out->sentence_count++] = copy;
            at += (size_t)(end - line) + 1;
        }
    out->sentences = lines;
    return CAROM_OK;
}

static carom_status fill_residuals(const carom_fit_work *w, content *c, const carom_fit_minimum *at,
                                   carom_fit_result *out)
{
    const carom_fit *f = w->fit;
    carom_fit_residuals *rows = carom_arena_alloc(&c->arena, f->response_count + 1, sizeof *rows);
    double *numbers = carom_arena_alloc(&c->arena, 2 * f->data + 1, sizeof *numbers);
    if (!rows || !numbers)
        return carom_fail_memory(w->ctx);
    for (size_t k = 0; k < f->response_count; k++) {
        const carom_response *q = &f->responses[k];
        double *predicted = numbers + q->first, *residuals = numbers + f->data + q->first, squares = 0, sigmas = 0;
        for (size_t i = 0; i < q->count; i++) {
            const double r = q->measured[i] - at->predicted[q->first + i], sigma = w->sigma[q->first + i];
            predicted[i] = at->predicted[q->first + i];
            residuals[i] = r / sigma;
            squares += r * r;
            sigmas += sigma * sigma;
            rows[k].misfit += residuals[i] * residuals[i];
        }
        rows[k].sigma = sqrt(sigmas / (double)q->count);
        rows[k].rms = sqrt(squares / (double)q->count);
        rows[k].predicted = predicted;
        rows[k].residuals = residuals;
    }
    out->residuals = rows;
    return CAROM_OK;
}

/* Errors, intervals and sentences; a lower minimum that a profile finds is where all begins again. */
static carom_status judge(carom_fit_work *w, content *c, carom_fit_minimum *at)
{
    const carom_fit *f = w->fit;
    bool better = true;
    c->stats.sentences.ctx = w->ctx;
    c->stats.estimates = carom_arena_alloc(&c->arena, f->unknown_count + 1, sizeof *c->stats.estimates);
    c->stats.correlations =
        carom_arena_alloc(&c->arena, f->unknown_count * f->unknown_count + 1, sizeof *c->stats.correlations);
    if (!c->stats.estimates || !c->stats.correlations)
        return carom_fail_memory(w->ctx);
    for (int k = 0; better && k < AGAIN; k++) {
        bool free[CAROM_FIT_UNKNOWNS];
        better = false;
        CAROM_TRY(carom_fit_make_statistics(w, at, &c->stats));
        if (!f->profile || w->options->brief)
            break;
        CAROM_TRY(carom_fit_make_profiles(w, at, &c->stats, &better));
        carom_fit_free_unknowns(w, free);
        if (better)
            at->same = 0; /* no search ended there */
        if (better)
            CAROM_TRY(carom_fit_minimise(w, free, at));
    }
    carom_fit_tell_bounds(f, &c->stats);
    return c->stats.sentences.failed ? carom_fail_memory(w->ctx) : CAROM_OK;
}

static carom_status perform(carom_fit_work *w, content *c, carom_fit_result *out)
{
    const carom_fit *f = w->fit;
    carom_fit_minimum at;
    carom_fit_law *laws = NULL;
    carom_text ranking = {.ctx = w->ctx};
    CAROM_TRY(carom_fit_minimum_create(w, &at));
    carom_status status = CAROM_OK;
    w->doing = "estimate";
    if (f->law_count > 0) {
        status = carom_fit_rank(w, &c->arena, &laws, &out->law_count, &at, &ranking);
        out->law = status == CAROM_OK ? f->laws[w->law] : NULL;
        out->laws = laws;
    } else {
        status = carom_fit_estimate_all(w, &at);
    }
    if (status == CAROM_OK)
        status = judge(w, c, &at);
    if (status == CAROM_OK)
        status = fill_residuals(w, c, &at, out);
    if (status == CAROM_OK)
        status = ranking.failed ? carom_fail_memory(w->ctx) : split_lines(c, &ranking, &c->stats.sentences, out);
    carom_text_clear(&ranking);
    out->converged = at.converged;
    out->misfit = at.misfit;
    out->freedom = c->stats.freedom;
    out->predictions = w->predictions;
    if (status == CAROM_OK)
        status = carom_fit_tell_derivatives(f, &w->derivatives, &c->arena, &out->derivatives);
    out->estimates = c->stats.estimates;
    out->correlations = c->stats.correlations;
    return status;
}

carom_status carom_fit_solve(carom_context *ctx, carom_fit *fit, const carom_fit_options *options,
                             carom_fit_result *out)
{
    CAROM_NEED(ctx, ctx);
    CAROM_NEED(ctx, fit);
    CAROM_NEED(ctx, out);
    carom_fit_options own = carom_default_fit_options();
    *out = (carom_fit_result){0};
    CAROM_TRY(carom_take_def(ctx, options, &own, sizeof own, "fit_options"));
    content *c = carom_allocate(ctx, 1, sizeof *c);
    if (!c)
        return carom_fail_memory(ctx);
    carom_arena_init(&c->arena, ctx);
    out->own = c;
    carom_fit_work w;
    CAROM_TRY(carom_fit_work_create(ctx, fit, &own, &w));
    const carom_status status = perform(&w, c, out);
    double *so_far = status == CAROM_INTERRUPTED && isfinite(w.so_far_misfit)
                         ? carom_arena_alloc(&c->arena, fit->unknown_count + 1, sizeof *so_far)
                         : NULL;
    if (so_far) {
        memcpy(so_far, w.so_far, fit->unknown_count * sizeof *so_far);
        out->so_far = so_far;
        out->law = fit->law_count > 0 ? fit->laws[w.law] : NULL;
    }
    carom_fit_work_free(&w);
    return status;
}

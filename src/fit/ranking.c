/* Laws by how well they fit: the corrected criterion of Akaike (Hurvich and Tsai 1989, Biometrika 76, 297) and
   cross-validation. */
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Laws at most that are named together. */
#define NAMED 6

/* AICc of a deviance, -2 ln of the likelihood, with k numbers from n data. */
static double aicc_of(double deviance, double k, double n)
{
    return n - k - 1 > 0 ? deviance + 2 * k + 2 * k * (k + 1) / (n - k - 1) : (double)INFINITY;
}

static size_t free_count(const carom_fit_work *w)
{
    size_t count = 0;
    for (size_t k = 0; k < w->fit->unknown_count; k++)
        count += w->fit->taken[w->law][k];
    return count;
}

/* Of a model whose law does not take an unknown, nothing depends on it: it is none that was fitted. */
static carom_status count_silent(carom_fit_work *w, const carom_fit_minimum *at, size_t *silent)
{
    const carom_fit *f = w->fit;
    size_t free[CAROM_FIT_UNKNOWNS], count = 0;
    *silent = 0;
    for (size_t k = 0; k < f->unknown_count; k++)
        if (f->taken[w->law][k])
            free[count++] = k;
    double *slopes = f->of_law ? NULL : carom_allocate(w->ctx, count * f->data + 1, sizeof *slopes);
    if (f->of_law)
        return CAROM_OK;
    if (!slopes)
        return carom_fail_memory(w->ctx);
    const carom_status status = carom_fit_sensitivity(w, at->values, at->predicted, free, count, slopes);
    for (size_t k = 0; k < count; k++) {
        bool any = false;
        for (size_t i = 0; i < f->data && !any; i++)
            any = slopes[k * f->data + i] != 0;
        *silent += !any;
    }
    carom_release(w->ctx, slopes, count * f->data + 1, sizeof *slopes);
    return status;
}

static const char *keep(carom_arena *arena, const char *text) { return carom_arena_text(arena, text); }

/* Fits one law; *at has its minimum. What cannot be fitted is left out with its reason. */
static carom_status fit_law(carom_fit_work *w, carom_arena *arena, carom_fit_law *law, carom_fit_minimum *at)
{
    const carom_fit *f = w->fit;
    size_t sigmas;
    *law = (carom_fit_law){.name = f->laws[w->law], .left_out = f->left_out[w->law], .validation = NAN};
    law->aicc = law->misfit = law->rms = law->difference = (double)NAN;
    if (law->left_out)
        return CAROM_OK;
    const carom_status status = carom_fit_estimate_all(w, at);
    if (status == CAROM_ERROR_SOLVER) {
        law->left_out = keep(arena, carom_context_error(w->ctx));
        return law->left_out ? CAROM_OK : carom_fail_memory(w->ctx);
    }
    CAROM_TRY(status);
    double *values = carom_arena_alloc(arena, f->unknown_count + 1, sizeof *values);
    if (!values)
        return carom_fail_memory(w->ctx);
    for (size_t k = 0; k < f->unknown_count; k++)
        values[k] = f->taken[w->law][k] ? at->values[k] : (double)NAN;
    law->values = values;
    size_t silent;
    CAROM_TRY(count_silent(w, at, &silent));
    law->unknowns = free_count(w) - silent;
    law->misfit = at->misfit;
    const double deviance = carom_fit_deviance(w, at, &sigmas);
    law->aicc = aicc_of(deviance, (double)(law->unknowns + sigmas), (double)carom_fit_count(w));
    return CAROM_OK;
}

/* Root mean square of the residuals over the sigmas of the best law. */
static double rms_of(const carom_fit_work *w, const double *predicted)
{
    const carom_fit *f = w->fit;
    double sum = 0;
    for (size_t k = 0; k < f->data; k++) {
        const carom_response *q = &f->responses[f->datum_response[k]];
        const double r = (q->measured[k - q->first] - predicted[k]) / w->sigma[k];
        sum += r * r;
    }
    return sqrt(sum / (double)f->data);
}

static int by_aicc(const void *a, const void *b)
{
    const carom_fit_law *x = a, *y = b;
    if (!x->left_out != !y->left_out)
        return x->left_out ? 1 : -1;
    if (x->left_out || x->aicc == y->aicc)
        return strcmp(x->name, y->name);
    return x->aicc < y->aicc ? -1 : 1;
}

static void weigh(carom_fit_law *laws, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count && !laws[k].left_out; k++) {
        laws[k].difference = laws[k].aicc - laws[0].aicc;
        if (isnan(laws[k].difference))
            laws[k].difference = 0;
        laws[k].weight = exp(-0.5 * laws[k].difference);
        sum += laws[k].weight;
    }
    for (size_t k = 0; k < count && !laws[k].left_out; k++)
        laws[k].weight /= sum;
}

/* What the ranking says, in a sentence. */
static void tell(const carom_fit_law *laws, size_t count, carom_text *out)
{
    size_t fitted = 0, as_good = 0;
    while (fitted < count && !laws[fitted].left_out)
        fitted++;
    while (as_good < fitted && laws[as_good].difference < 2)
        as_good++;
    if (fitted < 2)
        return;
    if (as_good == 1) {
        carom_text_append(out, "%s fits best: the next law, %s, has an AICc higher by %.3g\n", laws[0].name,
                          laws[1].name, laws[1].difference);
        return;
    }
    carom_text_append(out,
                      "%zu laws fit equally well, with an AICc within 2 of the best: these records do not choose "
                      "among ",
                      as_good);
    const size_t named = as_good < NAMED ? as_good : NAMED;
    for (size_t k = 0; k < named; k++)
        carom_text_append(out, "%s%s", k == 0 ? "" : k + 1 == as_good ? " and " : ", ", laws[k].name);
    carom_text_append(out, "%s\n", as_good > NAMED ? " and others" : "");
}

carom_status carom_fit_rank(carom_fit_work *w, carom_arena *arena, carom_fit_law **laws, size_t *count,
                            carom_fit_minimum *best, carom_text *sentences)
{
    const carom_fit *f = w->fit;
    carom_fit_minimum at;
    double lowest = HUGE_VAL, *sigma = carom_arena_alloc(arena, f->data + 1, sizeof *sigma);
    double *predicted = carom_arena_alloc(arena, f->law_count * f->data + 1, sizeof *predicted);
    size_t chosen = CAROM_FIT_NONE;
    *laws = carom_arena_alloc(arena, f->law_count + 1, sizeof **laws);
    *count = f->law_count;
    if (!sigma || !predicted || !*laws)
        return carom_fail_memory(w->ctx);
    CAROM_TRY(carom_fit_minimum_create(w, &at));
    for (w->law = 0; w->law < f->law_count; w->law++) {
        carom_fit_law *law = &(*laws)[w->law];
        w->doing = law->name = f->laws[w->law];
        CAROM_TRY(fit_law(w, arena, law, &at));
        if (law->left_out)
            continue;
        memcpy(predicted + w->law * f->data, at.predicted, f->data * sizeof *predicted);
        if (chosen == CAROM_FIT_NONE || law->aicc < lowest) {
            chosen = w->law;
            lowest = law->aicc;
            carom_fit_minimum_copy(w, best, &at);
            memcpy(sigma, w->sigma, f->data * sizeof *sigma);
        }
    }
    if (chosen == CAROM_FIT_NONE)
        return carom_fail(w->ctx, CAROM_ERROR_SOLVER, NULL, "no law could be fitted: %s: %s", f->laws[0],
                          (*laws)[0].left_out);
    memcpy(w->sigma, sigma, f->data * sizeof *sigma);
    for (w->law = 0; w->law < f->law_count; w->law++) {
        carom_fit_law *law = &(*laws)[w->law];
        if (law->left_out)
            continue;
        law->rms = rms_of(w, predicted + w->law * f->data);
        double values[CAROM_FIT_UNKNOWNS];
        w->doing = "cross-validation";
        for (size_t k = 0; k < f->unknown_count; k++)
            values[k] = isnan(law->values[k]) ? f->unknowns[k].start : law->values[k];
        if (!w->options->brief && f->law_count > 1)
            CAROM_TRY(carom_fit_validate(w, values, &law->validation));
    }
    w->law = chosen;
    qsort(*laws, *count, sizeof **laws, by_aicc);
    weigh(*laws, *count);
    tell(*laws, *count, sentences);
    return CAROM_OK;
}

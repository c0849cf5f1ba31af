/* What a minimum is worth: standard errors, intervals, correlations, and in sentences what the data tell apart.
   theory/identification.md has the equations. */
#include "fit/fit.h"
#include "math/distributions.h"
#include "math/singular.h"

#include <math.h>
#include <stdio.h>

/* Share of the largest singular value of the scaled derivatives below which a direction is not determined: the noise of
   differences. */
#define RANK 1e-6
/* Collinearity from which unknowns are hardly told apart: Brun, Reichert and Kuensch 2001, Water Resour. Res. 37,
   1015-1030, who take 5 to 20. */
#define COLLINEAR 20
/* Part of an unknown in a direction from which it is named. */
#define PART 0.2
/* Relative change along a direction, at one sigma, from which that is said to be much. */
#define MUCH 0.1
/* Lag-1 correlation of residuals from which they are said to follow each other. */
#define FOLLOWING 0.5
/* Root mean squares of residuals that are rounding, of their sigmas and of the largest datum: the records are exact. */
#define EXACT 1e-6
#define EXACT_OF_DATA 1e-8
#define ROWS_OF_CURVES 20

/* The derivatives by the logarithms or values of the free unknowns. */
typedef struct slopes {
    size_t n, m;
    size_t free[CAROM_FIT_UNKNOWNS];
    double *a; /* m x n by columns, over sigma */
    double norm[CAROM_FIT_UNKNOWNS];
    double v[CAROM_FIT_UNKNOWNS * CAROM_FIT_UNKNOWNS], s[CAROM_FIT_UNKNOWNS];
    double pull, pull_slope; /* means of the squares of pulls and of their slopes */
} slopes;

static void say(carom_fit_statistics *out, const char *format, ...) CAROM_PRINTF(2, 3);
static void say(carom_fit_statistics *out, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    carom_text_append(&out->sentences, "%s\n", text);
}

/* Name of an unknown with its record. */
static const char *label(const carom_fit *f, size_t k, char text[160])
{
    const carom_unknown *u = &f->unknowns[k];
    if (u->record == CAROM_FIT_NONE || f->record_count == 1)
        snprintf(text, 160, "%.80s", u->name);
    else
        snprintf(text, 160, "%.70s of %.70s", u->name, f->records[u->record].name);
    return text;
}

/* ---- derivatives ---- */

/* Within rounding of the scaled number. */
static bool is_at(double scaled, double bound) { return fabs(scaled - bound) < 1e-9; }

static void find_bounds(carom_fit_work *w, const carom_fit_minimum *at, carom_fit_statistics *out, slopes *s)
{
    const carom_fit *f = w->fit;
    bool free[CAROM_FIT_UNKNOWNS];
    carom_fit_free_unknowns(w, free);
    for (size_t k = 0; k < f->unknown_count; k++) {
        carom_fit_estimate *e = &out->estimates[k];
        const double scaled = carom_unknown_scaled(&f->unknowns[k], at->values[k]);
        *e = (carom_fit_estimate){.value = at->values[k],
                                  .error = NAN,
                                  .low = NAN,
                                  .high = NAN,
                                  .profile_low = NAN,
                                  .profile_high = NAN,
                                  .fixed = !free[k],
                                  .at_low = free[k] && is_at(scaled, 0),
                                  .at_high = free[k] && is_at(scaled, 1)};
        if (free[k] && !e->at_low && !e->at_high)
            s->free[s->n++] = k;
    }
}

static carom_status fill_slopes(carom_fit_work *w, const carom_fit_minimum *at, carom_arena *arena, slopes *s)
{
    const carom_fit *f = w->fit;
    double *all = carom_arena_alloc(arena, f->data * (s->n + 1), sizeof *all);
    s->m = carom_fit_count(w);
    s->m = s->m > s->n ? s->m : s->n;
    s->a = carom_arena_alloc(arena, s->m * (s->n + 1), sizeof *s->a);
    if (!all || !s->a)
        return carom_fail_memory(w->ctx);
    CAROM_TRY(carom_fit_sensitivity(w, at->values, at->predicted, s->free, s->n, all));
    for (size_t c = 0; c < s->n; c++) {
        const double stretch = carom_unknown_stretch(&f->unknowns[s->free[c]]);
        double *column = s->a + c * s->m, sum = 0;
        size_t row = 0;
        for (size_t k = 0; k < f->data; k++)
            if (w->use[f->datum_run[k]]) {
                column[row] = all[c * f->data + k] / (stretch * w->sigma[k]);
                sum += column[row] * column[row];
                row++;
            }
        s->norm[c] = sqrt(sum);
    }
    return CAROM_OK;
}

/* Unknowns on which nothing depends are told and taken out. */
static void drop_silent(const carom_fit *f, carom_fit_statistics *out, slopes *s)
{
    size_t kept = 0;
    char text[160];
    for (size_t c = 0; c < s->n; c++) {
        if (!(s->norm[c] > 0)) {
            say(out, "the records do not depend on %s: its value is where the search began",
                label(f, s->free[c], text));
            continue;
        }
        memmove(s->a + kept * s->m, s->a + c * s->m, s->m * sizeof *s->a);
        s->norm[kept] = s->norm[c];
        s->free[kept++] = s->free[c];
    }
    s->n = kept;
}

/* Means over the residuals, of robust losses: Huber 1981, Robust Statistics, section 7.6. */
static void mean_pulls(const carom_fit_work *w, const carom_fit_minimum *at, slopes *s)
{
    const carom_fit *f = w->fit;
    double squares = 0, rises = 0, n = 0;
    for (size_t k = 0; k < f->data; k++)
        if (w->use[f->datum_run[k]]) {
            const carom_response *q = &f->responses[f->datum_response[k]];
            double slope;
            const double pull = carom_fit_pull(f, (q->measured[k - q->first] - at->predicted[k]) / w->sigma[k], &slope);
            squares += pull * pull;
            rises += slope;
            n++;
        }
    const double freedom = n > (double)s->n ? n - (double)s->n : 1;
    s->pull_slope = rises > 0.1 * n ? rises / n : 0.1;
    s->pull = f->loss == CAROM_LOSS_LINEAR ? 1 : squares / freedom;
    if (f->loss == CAROM_LOSS_LINEAR)
        s->pull_slope = 1;
}

/* ---- covariance ---- */

/* Covariance of two free unknowns, of the directions that are determined. */
static double covariance(const slopes *s, size_t a, size_t b)
{
    double sum = 0;
    for (size_t k = 0; k < s->n; k++)
        if (s->s[k] > RANK * s->s[0])
            sum += s->v[k * s->n + a] * s->v[k * s->n + b] / (s->s[k] * s->s[k]);
    return sum * s->pull / (s->pull_slope * s->pull_slope) / (s->norm[a] * s->norm[b]);
}

/* Whether an unknown takes part in a direction that is not determined. */
static bool is_lost(const slopes *s, size_t a)
{
    for (size_t k = 0; k < s->n; k++)
        if (!(s->s[k] > RANK * s->s[0]) && fabs(s->v[k * s->n + a]) > 1e-3)
            return true;
    return false;
}

static void fill_estimates(const carom_fit_work *w, const slopes *s, carom_fit_statistics *out)
{
    const carom_fit *f = w->fit;
    const size_t n = f->unknown_count;
    for (size_t k = 0; k < n * n; k++)
        out->correlations[k] = NAN;
    for (size_t a = 0; a < s->n; a++) {
        const carom_unknown *u = &f->unknowns[s->free[a]];
        carom_fit_estimate *e = &out->estimates[s->free[a]];
        if (is_lost(s, a))
            continue;
        e->free = true;
        const double deviation = sqrt(covariance(s, a, a)), reach = out->quantile * deviation;
        e->error = u->log ? e->value * deviation : deviation;
        e->low = u->log ? e->value * exp(-reach) : e->value - reach;
        e->high = u->log ? e->value * exp(reach) : e->value + reach;
        for (size_t b = 0; b < s->n; b++)
            if (!is_lost(s, b))
                out->correlations[s->free[a] * n + s->free[b]] =
                    covariance(s, a, b) / sqrt(covariance(s, a, a) * covariance(s, b, b));
    }
}

/* ---- what the data tell apart ---- */

/* How an unknown changes by one sigma along direction k, "K by +12 %"; the relative size. */
static double change_text(const carom_fit *f, const slopes *s, const carom_fit_minimum *at, size_t k, size_t a,
                          double length, char text[240])
{
    const carom_unknown *u = &f->unknowns[s->free[a]];
    const double value = at->values[s->free[a]];
    const double change = s->v[k * s->n + a] / s->norm[a] * length;
    const double relative = u->log ? expm1(change) : value != 0 ? change / value : HUGE_VAL;
    char name[160];
    label(f, s->free[a], name);
    if (fabs(relative) < 1e4)
        snprintf(text, 240, "%s by %+.2g %%", name, 100 * relative);
    else
        snprintf(text, 240, "%s by %+.2g%s%s", name, u->log ? value * relative : change, u->unit ? " " : "",
                 u->unit ? u->unit : "");
    return fabs(relative);
}

/* "K, n and e"; "K by +12 %, n by -1 %". */
static size_t list_parts(const carom_fit *f, const slopes *s, const carom_fit_minimum *at, size_t k, double length,
                         char *names, char *changes, size_t size, double *largest)
{
    size_t count = 0, shown = 0;
    *largest = 0;
    for (size_t a = 0; a < s->n; a++)
        count += fabs(s->v[k * s->n + a]) > PART;
    names[0] = changes[0] = '\0';
    for (size_t a = 0; a < s->n; a++) {
        char name[160], change[240];
        if (!(fabs(s->v[k * s->n + a]) > PART))
            continue;
        const double relative = change_text(f, s, at, k, a, length, change);
        *largest = fmax(*largest, relative);
        shown++;
        const char *joint = shown == 1 ? "" : shown == count ? " and " : ", ";
        size_t used = strlen(names);
        snprintf(names + used, size - used, "%s%s", joint, label(f, s->free[a], name));
        used = strlen(changes);
        snprintf(changes + used, size - used, "%s%s", joint, change);
    }
    return count;
}

static void tell_direction(const carom_fit_work *w, const slopes *s, const carom_fit_minimum *at, size_t k,
                           carom_fit_statistics *out)
{
    const carom_fit *f = w->fit;
    char names[512], changes[700];
    double largest;
    const bool lost = !(s->s[k] > RANK * s->s[0]);
    const double sigma = sqrt(s->pull) / s->pull_slope;
    const double length = lost ? 0.1 / PART * s->norm[0] / (double)s->n : sigma / s->s[k];
    const size_t count = list_parts(f, s, at, k, length, names, changes, sizeof names, &largest);
    if (count == 0)
        return;
    if (lost && count == 1)
        say(out, "%s is not determined by these records: give it by `set`, or add a record that depends on it", names);
    else if (lost)
        say(out,
            "%s cannot be told apart by these records: they can change together with no prediction changing; fix "
            "one of them by `set`, or add a record that depends on them otherwise",
            names);
    else if (count > 1 && largest > MUCH)
        say(out,
            "%s can hardly be told apart by these records: %s at once change no more than the noise does; fix one "
            "of them by `set`, or add a record that depends on them otherwise",
            names, changes);
    else if (count > 1)
        say(out,
            "%s are strongly correlated, and these records still tell them apart: within the noise they change "
            "together, %s",
            names, changes);
}

static void tell_directions(const carom_fit_work *w, const slopes *s, const carom_fit_minimum *at,
                            carom_fit_statistics *out)
{
    bool told = false;
    for (size_t k = s->n; k-- > 0;)
        if (!(s->s[k] * COLLINEAR > 1)) {
            tell_direction(w, s, at, k, out);
            told = true;
        }
    if (told || s->n < 2)
        return;
    size_t unknowns = 0;
    for (size_t k = 0; k < w->fit->unknown_count; k++)
        unknowns += w->fit->taken[w->law][k];
    say(out, "%sthe records tell %s unknowns apart (collinearity %.3g; from %d on they hardly would)",
        at->same < at->searches ? "near this minimum " : "",
        s->n < unknowns ? "the other"
        : s->n == 2     ? "both"
                        : "all",
        1 / s->s[s->n - 1], COLLINEAR);
}

/* Whether others found it as well. */
static void tell_searches(const carom_fit_minimum *at, carom_fit_statistics *out)
{
    if (at->searches < 2)
        return;
    if (at->same == at->searches)
        say(out, "all %zu searches ended at this misfit", at->searches);
    else if (at->same == 0)
        say(out,
            "the %zu searches ended higher, and a profile or a look along the shift found this misfit: more `starts` "
            "may find a lower one",
            at->searches);
    else
        say(out, "%zu of %zu searches ended at this misfit, the others at higher ones%s", at->same, at->searches,
            2 * at->same > at->searches ? "" : ": there are several minima, and more `starts` may find a lower one");
}

/* ---- what else there is to say ---- */

void carom_fit_tell_bounds(const carom_fit *f, carom_fit_statistics *out)
{
    char text[160];
    for (size_t k = 0; k < f->unknown_count; k++) {
        const carom_fit_estimate *e = &out->estimates[k];
        const carom_unknown *u = &f->unknowns[k];
        if (!e->at_low && !e->at_high)
            continue;
        const bool untold = e->open_low && e->open_high;
        label(f, k, text);
        say(out,
            "%s lies at its %s bound, %.6g%s%s: it has no standard error, and those of the others hold with "
            "it there; %s",
            text, e->at_low ? "lower" : "upper", e->value, u->unit ? " " : "", u->unit ? u->unit : "",
            untold ? "the records do not tell it, since its profile goes from bound to bound: give records that depend "
                     "on it, or its value"
                   : "widen the bound if the model allows it");
    }
}

static void tell_freedom(const carom_fit_statistics *out, carom_text *sentences)
{
    if (!(out->freedom > 0))
        carom_text_append(sentences,
                          "there are as many unknowns as data: the model meets them whatever it is, and nothing "
                          "checks it; give more data\n");
}

/* Whether the deviations that the study gives are those of the residuals. */
static void tell_misfit(const carom_fit_work *w, const carom_fit_minimum *at, carom_fit_statistics *out)
{
    const carom_fit *f = w->fit;
    if (carom_fit_estimated_sigmas(f) > 0 || f->loss != CAROM_LOSS_LINEAR || !(out->freedom > 0))
        return;
    const double ratio = at->misfit / out->freedom, scatter = sqrt(2 / out->freedom);
    if (ratio < EXACT * EXACT)
        return;
    if (ratio > 1 + 3 * scatter)
        say(out,
            "the residuals are %.3g times the sigma of the study: the model misses something, or sigma is "
            "too small; "
            "the intervals are too narrow by about as much",
            sqrt(ratio));
    else if (ratio < 1 - 3 * scatter)
        say(out,
            "the residuals are %.3g times the sigma of the study, which is larger than the scatter of the "
            "data; the "
            "intervals are wider than they need be",
            sqrt(ratio));
}

/* Residuals of a curve that follow each other. */
static void tell_following(const carom_fit_work *w, const carom_fit_minimum *at, carom_fit_statistics *out)
{
    const carom_fit *f = w->fit;
    for (size_t k = 0; k < f->response_count; k++) {
        const carom_response *q = &f->responses[k];
        double squares = 0, products = 0, before = 0, misses = 0, largest = 0;
        if (f->records[q->record].kind == CAROM_RECORD_ROWS || q->count < ROWS_OF_CURVES)
            continue;
        for (size_t i = 0; i < q->count; i++) {
            const double miss = q->measured[i] - at->predicted[q->first + i], r = miss / w->sigma[q->first + i];
            misses += miss * miss;
            largest = fmax(largest, fabs(q->measured[i]));
            squares += r * r;
            products += r * before;
            before = r;
        }
        const double n = (double)q->count;
        const bool exact = squares <= n * EXACT * EXACT || misses <= n * pow(EXACT_OF_DATA * largest, 2);
        if (!exact && products > FOLLOWING * squares)
            say(out,
                "residuals of %s in %s follow each other (correlation of neighbours %.2f): the model "
                "misses a part of "
                "the curve, and the intervals, made for independent errors, are too narrow",
                q->column, f->records[q->record].name, products / squares);
    }
}

carom_status carom_fit_make_statistics(carom_fit_work *w, const carom_fit_minimum *at, carom_fit_statistics *out)
{
    const carom_fit *f = w->fit;
    carom_arena arena;
    carom_arena_init(&arena, w->ctx);
    slopes *s = carom_arena_alloc(&arena, 1, sizeof *s);
    carom_text_clear(&out->sentences);
    if (s)
        find_bounds(w, at, out, s);
    carom_status status = s ? fill_slopes(w, at, &arena, s) : carom_fail_memory(w->ctx);
    if (status == CAROM_OK) {
        drop_silent(f, out, s);
        out->freedom = (double)carom_fit_count(w) - (double)s->n;
        const double p = 0.5 + 0.5 * f->confidence;
        const bool known = carom_fit_estimated_sigmas(f) == 0;
        out->quantile = known              ? carom_normal_quantile(p)
                        : out->freedom > 0 ? carom_student_quantile(p, out->freedom)
                                           : HUGE_VAL;
        mean_pulls(w, at, s);
        out->rise = out->quantile * out->quantile * s->pull / s->pull_slope;
        for (size_t c = 0; c < s->n; c++)
            for (size_t k = 0; k < s->m; k++)
                s->a[c * s->m + k] /= s->norm[c];
        carom_singular_values(s->m, s->n, s->a, s->v, s->s);
        fill_estimates(w, s, out);
        if (!at->converged)
            say(out, "the search was ended before it converged: give a better start, or more narrow bounds");
        tell_searches(at, out);
        tell_directions(w, s, at, out);
        tell_freedom(out, &out->sentences);
        tell_misfit(w, at, out);
        tell_following(w, at, out);
    }
    carom_arena_free(&arena);
    return out->sentences.failed ? carom_fail_memory(w->ctx) : status;
}

/* Intervals by the profile of the likelihood: the values of an unknown at which the misfit, least over all others, is
   higher by what the confidence allows. Venzon and Moolgavkar 1988, Appl. Stat. 37, 87; Raue et al. 2009,
   Bioinformatics 25, 1923. */
#include "fit/fit.h"

#include <math.h>

#define STEPS 12
/* Of the root of the rise: where the search for an end stops. */
#define CLOSE 0.005
/* Rise, as a share of that at the ends, by which a lower minimum is another one. */
#define LOWER 0.02

typedef struct profile {
    carom_fit_work *w;
    carom_fit_minimum *at, other;
    const carom_fit_statistics *stats;
    bool free[CAROM_FIT_UNKNOWNS];
    size_t unknown;
    bool better;
} profile;

/* Root of the rise of the misfit, over that at the ends, with the unknown held; HUGE_VAL: no prediction. */
static carom_status rise_at(profile *p, double scaled, double *out)
{
    p->other.values[p->unknown] = carom_unknown_value(&p->w->fit->unknowns[p->unknown], scaled);
    const carom_status status = carom_fit_minimise(p->w, p->free, &p->other);
    *out = HUGE_VAL;
    if (status == CAROM_ERROR_SOLVER)
        return CAROM_OK;
    CAROM_TRY(status);
    const double rise = (p->other.misfit - p->at->misfit) / p->stats->rise;
    if (rise < -LOWER) {
        carom_fit_minimum_copy(p->w, p->at, &p->other);
        p->better = true;
    }
    *out = rise > 0 ? sqrt(rise) : 0;
    return CAROM_OK;
}

/* Searches the end on one side: the secant of the root, which is a straight line where the model is linear. */
static carom_status find_end(profile *p, double start, double step, double *end, bool *open)
{
    double inside = start, at_inside = 0, outside = NAN, at_outside = 0, x = start + step;
    carom_fit_minimum_copy(p->w, &p->other, p->at);
    *open = false;
    for (int k = 0; k < STEPS; k++) {
        double rise;
        x = fmin(fmax(x, 0), 1);
        CAROM_TRY(rise_at(p, x, &rise));
        if (p->better)
            return CAROM_OK;
        if (fabs(rise - 1) < CLOSE)
            break;
        if (rise < 1 && (x <= 0 || x >= 1)) {
            *open = true;
            break;
        }
        if (rise < 1) {
            inside = x;
            at_inside = rise;
        } else {
            outside = x;
            at_outside = rise;
        }
        if (isnan(outside)) {
            const double factor = at_inside > 0.05 ? 1 / at_inside : 3;
            x = start + (inside - start) * fmin(fmax(factor, 1.2), 3);
        } else if (isinf(at_outside)) {
            x = 0.5 * (inside + outside);
        } else {
            const double part = (1 - at_inside) / (at_outside - at_inside);
            x = inside + fmin(fmax(part, 0.05), 0.95) * (outside - inside);
        }
    }
    *end = carom_unknown_value(&p->w->fit->unknowns[p->unknown], x);
    return CAROM_OK;
}

static carom_status profile_unknown(profile *p, carom_fit_estimate *e)
{
    const carom_unknown *u = &p->w->fit->unknowns[p->unknown];
    const double at = carom_unknown_scaled(u, p->at->values[p->unknown]);
    const double reach = e->free ? fmax(fabs(carom_unknown_scaled(u, e->high) - at), 1e-9) : 0.1;
    carom_fit_free_unknowns(p->w, p->free);
    p->free[p->unknown] = false;
    e->profile_low = u->low;
    e->profile_high = u->high;
    if (!e->at_low)
        CAROM_TRY(find_end(p, at, -fmin(reach, 0.5), &e->profile_low, &e->open_low));
    else
        e->open_low = true;
    if (p->better)
        return CAROM_OK;
    if (!e->at_high)
        CAROM_TRY(find_end(p, at, fmin(reach, 0.5), &e->profile_high, &e->open_high));
    else
        e->open_high = true;
    return CAROM_OK;
}

carom_status carom_fit_make_profiles(carom_fit_work *w, carom_fit_minimum *at, carom_fit_statistics *out, bool *better)
{
    profile p = {.w = w, .at = at, .stats = out};
    *better = false;
    w->doing = "profiles";
    if (!(out->rise > 0) || !isfinite(out->rise) || !(out->freedom > 0))
        return CAROM_OK;
    CAROM_TRY(carom_fit_minimum_create(w, &p.other));
    for (size_t k = 0; k < w->fit->shared_count && !p.better; k++) {
        p.unknown = k;
        if (!out->estimates[k].fixed)
            CAROM_TRY(profile_unknown(&p, &out->estimates[k]));
    }
    *better = p.better;
    return CAROM_OK;
}

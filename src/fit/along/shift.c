/* Minima along the shift of a record, between which derivatives do not lead. */
#include "fit/fit.h"

#include <math.h>

/* Places that are looked at on either side of a shift, half a sample apart, and how often it is moved. */
#define PLACES 8
#define MOVES 20
/* Share of a misfit, and in itself, by which a lower one is lower. */
#define LOWER 1e-4
#define LOWER_BY 1e-8

/* The point whose shift is best among the places about that of `at`, which is left out. */
static carom_status look_along(carom_fit_work *w, carom_arena *arena, size_t shift, const carom_fit_minimum *at,
                               double *best, bool *found)
{
    const carom_fit *f = w->fit;
    const carom_unknown *u = &f->unknowns[shift];
    const carom_record *r = &f->records[u->record];
    const double sample = r->rows > 1 ? (r->x[r->rows - 1] - r->x[0]) / (double)(r->rows - 1) : 0;
    double *values = carom_arena_alloc(arena, 2 * PLACES * f->unknown_count, sizeof *values);
    double *out = carom_arena_alloc(arena, 2 * PLACES * f->data + 1, sizeof *out), least = HUGE_VAL;
    bool good[2 * PLACES];
    carom_fit_points points = {.values = values, .out = out, .good = good};
    if (!values || !out)
        return carom_fail_memory(w->ctx);
    for (int k = -PLACES; k <= PLACES; k++) {
        double *to = values + points.count * f->unknown_count;
        const double place = at->values[shift] + 0.5 * sample * k;
        if (k == 0 || !(place > u->low && place < u->high))
            continue;
        memcpy(to, at->values, f->unknown_count * sizeof *to);
        to[shift] = place;
        points.count++;
    }
    *found = false;
    if (points.count > 0)
        CAROM_TRY(carom_fit_predict(w, &points));
    for (size_t k = 0; k < points.count; k++) {
        const double misfit = good[k] ? carom_fit_misfit(w, out + k * f->data) : HUGE_VAL;
        if (misfit < least) {
            least = misfit;
            memcpy(best, values + k * f->unknown_count, f->unknown_count * sizeof *best);
            *found = true;
        }
    }
    return CAROM_OK;
}

/* Where a prediction jumps, as an acceleration at an onset, the misfit jumps as the shift brings a sample to its other
   side: derivatives do not lead over that, so the places beyond are looked at. */
static carom_status move_shift(carom_fit_work *w, const bool *free, size_t shift, carom_fit_minimum *at)
{
    carom_arena arena;
    carom_fit_minimum other;
    carom_arena_init(&arena, w->ctx);
    carom_status status = carom_fit_minimum_create(w, &other);
    bool better = status == CAROM_OK, found;
    for (int k = 0; better && k < MOVES; k++) {
        better = false;
        status = look_along(w, &arena, shift, at, other.values, &found);
        if (status != CAROM_OK || !found)
            break;
        other.misfit = HUGE_VAL;
        status = carom_fit_minimise(w, free, &other);
        if (status == CAROM_ERROR_SOLVER)
            status = CAROM_OK;
        else if (status == CAROM_OK)
            better = other.misfit < at->misfit * (1 - LOWER) - LOWER_BY;
        if (better)
            carom_fit_minimum_copy(w, at, &other);
    }
    carom_arena_free(&arena);
    return status;
}

carom_status carom_fit_move_shifts(carom_fit_work *w, const bool *free, carom_fit_minimum *at)
{
    for (size_t k = 0; k < w->fit->unknown_count; k++)
        if (free[k] && w->fit->unknowns[k].kind == CAROM_UNKNOWN_SHIFT)
            CAROM_TRY(move_shift(w, free, k, at));
    return CAROM_OK;
}

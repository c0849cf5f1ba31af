/* Cross-validation: parts of the data are left out in turn, the rest is fitted, and what was left out predicted. With
   several records a part is a record, whose own unknowns are then found from it; with one a share of its runs. Stone
   1974, J. R. Stat. Soc. B 36, 111. */
#include "fit/fit.h"

#include <math.h>

#define PARTS 10

typedef struct validation {
    carom_fit_work *w;
    bool *use;    /* runs that count in all */
    size_t *part; /* of each run */
    size_t count;
    carom_fit_minimum at;
    double squares, data;
} validation;

static void choose_parts(const carom_fit *f, validation *v)
{
    if (f->record_count > 1) {
        v->count = f->record_count;
        for (size_t k = 0; k < f->record_count; k++)
            for (size_t run = 0; run < f->records[k].runs; run++)
                v->part[f->records[k].first_run + run] = k;
        return;
    }
    v->count = f->runs < PARTS ? f->runs : PARTS;
    for (size_t run = 0; run < f->runs; run++)
        v->part[run] = run % v->count;
}

/* Whether an unknown is of a record that is left out. */
static bool is_left_out(const validation *v, size_t unknown, size_t part)
{
    const carom_fit *f = v->w->fit;
    const size_t record = f->unknowns[unknown].record;
    return record != CAROM_FIT_NONE && f->record_count > 1 && v->part[f->records[record].first_run] == part;
}

/* Fits the rest, then the unknowns of what was left out alone, and adds its residuals. */
static carom_status leave_out(validation *v, size_t part, const double *values)
{
    carom_fit_work *w = v->w;
    const carom_fit *f = w->fit;
    bool free[CAROM_FIT_UNKNOWNS];
    for (int of_part = 0; of_part < 2; of_part++) {
        for (size_t run = 0; run < f->runs; run++)
            w->use[run] = v->use[run] && (v->part[run] == part) == (of_part == 1);
        carom_fit_free_unknowns(w, free);
        for (size_t k = 0; k < f->unknown_count; k++)
            free[k] = free[k] && is_left_out(v, k, part) == (of_part == 1);
        if (of_part == 0)
            memcpy(v->at.values, values, f->unknown_count * sizeof *values);
        v->at.misfit = HUGE_VAL;
        CAROM_TRY(carom_fit_minimise(w, free, &v->at));
    }
    for (size_t k = 0; k < f->data; k++)
        if (w->use[f->datum_run[k]]) {
            const carom_response *q = &f->responses[f->datum_response[k]];
            const double r = (q->measured[k - q->first] - v->at.predicted[k]) / w->sigma[k];
            v->squares += r * r;
            v->data++;
        }
    return CAROM_OK;
}

carom_status carom_fit_validate(carom_fit_work *w, const double *values, double *out)
{
    const carom_fit *f = w->fit;
    validation v = {.w = w};
    *out = NAN;
    if (f->runs < 2)
        return CAROM_OK;
    v.use = carom_allocate(w->ctx, f->runs, sizeof *v.use);
    v.part = carom_allocate(w->ctx, f->runs, sizeof *v.part);
    carom_status status = v.use && v.part ? carom_fit_minimum_create(w, &v.at) : carom_fail_memory(w->ctx);
    if (status == CAROM_OK) {
        memcpy(v.use, w->use, f->runs * sizeof *v.use);
        choose_parts(f, &v);
    }
    for (size_t part = 0; status == CAROM_OK && part < v.count; part++)
        status = leave_out(&v, part, values);
    if (v.use)
        memcpy(w->use, v.use, f->runs * sizeof *v.use);
    carom_release(w->ctx, v.use, f->runs, sizeof *v.use);
    carom_release(w->ctx, v.part, f->runs, sizeof *v.part);
    if (status == CAROM_OK)
        *out = sqrt(v.squares / v.data);
    return status == CAROM_ERROR_SOLVER ? CAROM_OK : status;
}

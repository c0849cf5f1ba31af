/* Sparse solves by SuiteSparse KLU; this file alone knows that library. */
#include "math/solve.h"

#include <klu.h>
#include <string.h>

/* Estimated reciprocal condition below which a factor counts as singular. */
#define SINGULAR_RCOND 1e-14

struct carom_sparse {
    carom_context *ctx;
    int n, entries;
    int *start, *row;
    double *values;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

void carom_sparse_free(carom_sparse *s)
{
    if (!s)
        return;
    if (s->numeric)
        klu_free_numeric(&s->numeric, &s->common);
    if (s->symbolic)
        klu_free_symbolic(&s->symbolic, &s->common);
    carom_release(s->ctx, s->start, (size_t)s->n + 1, sizeof *s->start);
    carom_release(s->ctx, s->row, (size_t)s->entries, sizeof *s->row);
    carom_release(s->ctx, s->values, (size_t)s->entries, sizeof *s->values);
    carom_release(s->ctx, s, 1, sizeof *s);
}

carom_status carom_sparse_create(carom_context *ctx, int n, const int *column_start, const int *row, carom_sparse **out)
{
    carom_sparse *s = carom_allocate(ctx, 1, sizeof *s);
    if (!s)
        return carom_fail_memory(ctx);
    s->ctx = ctx;
    s->n = n;
    s->entries = column_start[n];
    s->start = carom_allocate(ctx, (size_t)n + 1, sizeof *s->start);
    s->row = carom_allocate(ctx, (size_t)s->entries, sizeof *s->row);
    s->values = carom_allocate(ctx, (size_t)s->entries, sizeof *s->values);
    if (!s->start || !s->row || !s->values) {
        carom_sparse_free(s);
        return carom_fail_memory(ctx);
    }
    memcpy(s->start, column_start, ((size_t)n + 1) * sizeof *s->start);
    memcpy(s->row, row, (size_t)s->entries * sizeof *s->row);
    /* the matrix is symmetric and positive: pivots stay on the diagonal, whatever the values of the first factor were,
       so that later factors need no new pivots and a factor does not depend on those before it */
    klu_defaults(&s->common);
    s->common.btf = 0;
    s->common.tol = 0;
    s->symbolic = klu_analyze(n, s->start, s->row, &s->common);
    if (!s->symbolic) {
        bool memory = s->common.status == KLU_OUT_OF_MEMORY;
        carom_sparse_free(s);
        return memory ? carom_fail_memory(ctx)
                      : carom_fail(ctx, CAROM_ERROR_SOLVER, NULL, "the sparse ordering of %d rows failed", n);
    }
    *out = s;
    return CAROM_OK;
}

double *carom_sparse_values(carom_sparse *s) { return s->values; }

bool carom_sparse_factor(carom_sparse *s)
{
    bool done = true;
    if (s->numeric)
        done = klu_refactor(s->start, s->row, s->values, s->symbolic, s->numeric, &s->common);
    else
        s->numeric = klu_factor(s->start, s->row, s->values, s->symbolic, &s->common);
    return done && s->numeric && klu_rcond(s->symbolic, s->numeric, &s->common) && s->common.rcond > SINGULAR_RCOND;
}

double carom_sparse_rcond(const carom_sparse *s) { return s->common.rcond; }

void carom_sparse_solve(carom_sparse *s, double *b) { klu_solve(s->symbolic, s->numeric, s->n, 1, b, &s->common); }

void carom_sparse_forget(carom_sparse *s)
{
    if (s->numeric)
        klu_free_numeric(&s->numeric, &s->common);
    s->numeric = NULL;
}

/* Solution of many rows J v = b, of which some may depend on others: v = M^-1 J^T y with S y = b, S = J M^-1 J^T, has
   the least norm in the metric of M. S is factored by Cholesky's method within its skyline, and rows that depend on
   those before are left out, which changes no v where they agree. Corrections by the residual take off what the squared
   condition costs. */
#include "dynamics/assembly.h"

#include "dynamics/formulation/formulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pivot of S below this share of its diagonal marks a row that depends on others. */
#define DEPENDENT_PIVOT 1e-11
#define CORRECTIONS 4

/* Place of a row in the order of elimination. */
typedef struct place {
    int key, row;
} place;

typedef struct solver {
    const carom_assembly_rows *rows;
    int count;
    place *order;
    int *first;
    carom_skyline s;
    bool *redundant;            /* in the order of elimination */
    double *y;
} solver;

static int compare(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->row > y->row) - (x->row < y->row);
}

/* What is given of a body follows the first constraint on it, so that the skyline stays low; `ordered`: all in their
   own order. */
static bool set_order(solver *w, carom_arena *scratch, bool ordered)
{
    const int bodies = w->rows->d->model->body_count + 1, after = w->count;
    int *joined = carom_arena_alloc(scratch, (size_t)bodies, sizeof *joined);
    if (!joined)
        return false;
    for (int body = 0; body < bodies; body++)
        joined[body] = after + body;
    for (int r = 0; r < w->count; r++) {
        const carom_jacobian_row *j = &w->rows->jacobian[r];
        const bool constraint = w->rows->source[r].type == CAROM_SOURCE_ROW;
        int key = constraint ? r : after + bodies;
        for (int n = 0; n < j->count; n++) {
            const int body = j->part[n].body;
            if (constraint && body && joined[body] >= after)
                joined[body] = r;
            else if (!constraint && body && joined[body] < key)
                key = joined[body];
        }
        w->order[r] = (place){ordered ? r : key, r};
    }
    qsort(w->order, (size_t)w->count, sizeof *w->order, compare);
    return true;
}

static const carom_jacobian_row *row_at(const solver *w, int k) { return &w->rows->jacobian[w->order[k].row]; }

/* The first row, in the order of elimination, that shares a body with each. */
static bool set_profile(solver *w, carom_arena *scratch)
{
    const int bodies = w->rows->d->model->body_count + 1;
    int *seen = carom_arena_alloc(scratch, (size_t)bodies, sizeof *seen);
    if (!seen)
        return false;
    for (int body = 0; body < bodies; body++)
        seen[body] = w->count;
    for (int k = 0; k < w->count; k++) {
        const carom_jacobian_row *j = row_at(w, k);
        w->first[k] = k;
        for (int n = 0; n < j->count; n++) {
            const int body = j->part[n].body;
            if (body && seen[body] > k)
                seen[body] = k;
            if (body && seen[body] < w->first[k])
                w->first[k] = seen[body];
        }
    }
    return true;
}

/* S, or S + damping times a diagonal. */
static carom_status factor(solver *w, carom_arena *scratch, const double *diagonal, double damping)
{
    const carom_evaluation *d = w->rows->d;
    CAROM_TRY(carom_skyline_create(scratch, w->count, w->first, &w->s));
    for (int k = 0; k < w->count; k++)
        for (int i = w->first[k]; i <= k; i++)
            w->s.row[k][i] = d->system->formulation->couple(d, row_at(w, k), row_at(w, i));
    for (int k = 0; k < w->count && diagonal; k++)
        w->s.row[k][k] += damping * diagonal[w->order[k].row];
    carom_skyline_rank(&w->s, DEPENDENT_PIVOT, w->redundant);
    return CAROM_OK;
}

/* Largest residual of the rows that are not left out. */
static double residual(solver *w, const double *v)
{
    const carom_evaluation *d = w->rows->d;
    double largest = 0;
    for (int k = 0; k < w->count; k++) {
        const double off = w->rows->b[w->order[k].row] - d->system->formulation->row_times(d, row_at(w, k), v);
        w->y[k] = w->redundant[k] ? 0 : off;
        largest = fmax(largest, fabs(w->y[k]));
    }
    return largest;
}

static carom_status solve(solver *w, carom_arena *scratch, double *v)
{
    const carom_evaluation *d = w->rows->d;
    const size_t n = (size_t)w->rows->columns;
    double *former = carom_arena_alloc(scratch, n, sizeof *former), before = HUGE_VAL;
    if (!former)
        return carom_fail_memory(d->system->ctx);
    memset(v, 0, n * sizeof *v);
    for (int round = 0; round <= CORRECTIONS; round++) {
        const double now = residual(w, v);
        if (!(now < before)) {
            memcpy(v, former, n * sizeof *v);
            break;
        }
        if (now == 0)
            break;
        before = now;
        memcpy(former, v, n * sizeof *v);
        carom_skyline_solve(&w->s, w->redundant, w->y);
        for (int k = 0; k < w->count; k++)
            d->system->formulation->add_row(d, row_at(w, k), w->y[k], v);
    }
    return CAROM_OK;
}

/* Takes the memory of a solver from the arena and sets the order of its rows. */
static bool prepare(solver *w, carom_arena *scratch, bool ordered)
{
    const size_t n = (size_t)w->count;
    w->order = carom_arena_alloc(scratch, n, sizeof *w->order);
    w->first = carom_arena_alloc(scratch, n, sizeof *w->first);
    w->redundant = carom_arena_alloc(scratch, n, sizeof *w->redundant);
    w->y = carom_arena_alloc(scratch, n, sizeof *w->y);
    return w->order && w->first && w->redundant && w->y && set_order(w, scratch, ordered) && set_profile(w, scratch);
}

carom_status carom_assembly_solve_sparse(const carom_assembly_rows *rows, int count, bool ordered, double *v,
                                         bool *redundant)
{
    carom_context *ctx = rows->d->system->ctx;
    carom_arena scratch;
    carom_arena_init(&scratch, ctx);
    solver w = {.rows = rows, .count = count};
    carom_status status = prepare(&w, &scratch, ordered) ? factor(&w, &scratch, NULL, 0) : carom_fail_memory(ctx);
    if (status == CAROM_OK)
        status = solve(&w, &scratch, v);
    for (int k = 0; k < count && redundant && status == CAROM_OK; k++)
        redundant[w.order[k].row] = w.redundant[k];
    carom_arena_free(&scratch);
    return status;
}

carom_status carom_assembly_solve_damped(const carom_assembly_rows *rows, const double *diagonal, double damping,
                                         double *v)
{
    carom_context *ctx = rows->d->system->ctx;
    carom_arena scratch;
    carom_arena_init(&scratch, ctx);
    solver w = {.rows = rows, .count = rows->count};
    carom_status status = prepare(&w, &scratch, false) ? factor(&w, &scratch, diagonal, damping)
                                                       : carom_fail_memory(ctx);
    if (status == CAROM_OK) {
        memset(v, 0, (size_t)rows->columns * sizeof *v);
        for (int k = 0; k < w.count; k++)
            w.y[k] = rows->b[w.order[k].row];
        carom_skyline_solve(&w.s, w.redundant, w.y);
        for (int k = 0; k < w.count; k++)
            rows->d->system->formulation->add_row(rows->d, row_at(&w, k), w.y[k], v);
    }
    carom_arena_free(&scratch);
    return status;
}

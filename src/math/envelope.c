/* Triangular factors of a general matrix of symmetric pattern, within its envelope and without exchanges. */
#include "math/solve.h"

#include <math.h>
#include <string.h>

carom_status carom_envelope_create(carom_arena *arena, int n, carom_envelope *out)
{
    const size_t size = (size_t)n, half = size * (size - (size > 0)) / 2;
    *out = (carom_envelope){.n = n};
    out->first = carom_arena_alloc(arena, size, sizeof *out->first);
    out->start = carom_arena_alloc(arena, size + 1, sizeof *out->start);
    out->diagonal = carom_arena_alloc(arena, size, sizeof(double));
    out->lower = carom_arena_alloc(arena, half, sizeof(double));
    out->upper = carom_arena_alloc(arena, half, sizeof(double));
    const bool done = out->first && out->start && out->diagonal && out->lower && out->upper;
    return done ? CAROM_OK : carom_fail_memory(arena->ctx);
}

void carom_envelope_shape(carom_envelope *e, const int *first)
{
    size_t at = 0;
    for (int i = 0; i < e->n; i++) {
        e->first[i] = first[i];
        e->start[i] = at;
        at += (size_t)(i - first[i]);
    }
    e->start[e->n] = at;
}

void carom_envelope_clear(carom_envelope *e)
{
    memset(e->diagonal, 0, (size_t)e->n * sizeof *e->diagonal);
    memset(e->lower, 0, e->start[e->n] * sizeof *e->lower);
    memset(e->upper, 0, e->start[e->n] * sizeof *e->upper);
}

static double product(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

bool carom_envelope_factor(carom_envelope *e)
{
    for (int i = 0; i < e->n; i++) {
        const int fi = e->first[i];
        double *l = e->lower + e->start[i], *u = e->upper + e->start[i];
        for (int j = fi; j < i; j++) {
            const int fj = e->first[j], from = fi > fj ? fi : fj;
            const double *lj = e->lower + e->start[j] + (from - fj), *uj = e->upper + e->start[j] + (from - fj);
            l[j - fi] = (l[j - fi] - product(l + (from - fi), uj, j - from)) / e->diagonal[j];
            u[j - fi] -= product(lj, u + (from - fi), j - from);
        }
        e->diagonal[i] -= product(l, u, i - fi);
        if (!(fabs(e->diagonal[i]) > 0) || !isfinite(e->diagonal[i]))
            return false;
    }
    return true;
}

void carom_envelope_solve(const carom_envelope *e, double *b)
{
    for (int i = 0; i < e->n; i++)
        b[i] -= product(e->lower + e->start[i], b + e->first[i], i - e->first[i]);
    for (int i = e->n; i-- > 0;) {
        const double *u = e->upper + e->start[i];
        b[i] /= e->diagonal[i];
        for (int k = e->first[i]; k < i; k++)
            b[k] -= b[i] * u[k - e->first[i]];
    }
}

/* Symmetric matrices whose rows begin at their first entry, and their factorisation with dependent rows left out. */
#include "base/base.h"
#include "math/solve.h"

#include <math.h>
#include <string.h>

carom_status carom_skyline_create(carom_arena *arena, int n, const int *first, carom_skyline *out)
{
    size_t total = 0;
    *out = (carom_skyline){.n = n, .first = first, .row = carom_arena_alloc(arena, (size_t)n, sizeof *out->row)};
    if (!out->row)
        return carom_fail_memory(arena->ctx);
    for (int k = 0; k < n; k++)
        total += (size_t)(k - first[k] + 1);
    double *values = carom_arena_alloc(arena, total, sizeof *values);
    if (!values)
        return carom_fail_memory(arena->ctx);
    for (int k = 0; k < n; k++) {
        out->row[k] = values - first[k];
        values += k - first[k] + 1;
    }
    return CAROM_OK;
}

void carom_skyline_clear(carom_skyline *s)
{
    for (int k = 0; k < s->n; k++)
        memset(s->row[k] + s->first[k], 0, (size_t)(k - s->first[k] + 1) * sizeof **s->row);
}

int carom_skyline_rank(carom_skyline *s, double share, bool *redundant)
{
    int rank = 0;
    for (int j = 0; j < s->n; j++) {
        double *row = s->row[j], diagonal = row[j];
        for (int k = s->first[j]; k < j; k++) {
            if (redundant[k])
                continue;
            const double *above = s->row[k];
            for (int p = s->first[j] > s->first[k] ? s->first[j] : s->first[k]; p < k; p++)
                if (!redundant[p])
                    row[k] -= above[p] * row[p];
            row[k] *= above[k];
        }
        for (int p = s->first[j]; p < j; p++)
            if (!redundant[p])
                row[j] -= row[p] * row[p];
        redundant[j] = !(row[j] > share * diagonal);
        rank += !redundant[j];
        /* of an independent row the reciprocal of the diagonal is kept */
        row[j] = redundant[j] ? 0 : 1 / sqrt(row[j]);
    }
    return rank;
}

void carom_skyline_solve(const carom_skyline *s, const bool *redundant, double *b)
{
    for (int j = 0; j < s->n; j++) {
        for (int p = s->first[j]; p < j; p++)
            b[j] -= s->row[j][p] * b[p];
        b[j] = redundant[j] ? 0 : b[j] * s->row[j][j];
    }
    for (int j = s->n - 1; j >= 0; j--) {
        b[j] *= s->row[j][j];
        for (int p = s->first[j]; p < j; p++)
            b[p] = redundant[p] ? 0 : b[p] - s->row[j][p] * b[j];
    }
}

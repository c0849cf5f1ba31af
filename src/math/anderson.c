/* Anderson's acceleration: least squares by Gram and Schmidt over the last differences. */
#include "math/anderson.h"

#include <math.h>
#include <string.h>

/* Share of a difference that is left beside the others below which it tells nothing new. */
#define DEPENDENT 1e-9

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static void add(double *to, double times, const double *v, int n)
{
    for (int k = 0; k < n; k++)
        to[k] += times * v[k];
}

void carom_anderson_start(carom_anderson *a, int n, const double *weight, double *work)
{
    const size_t length = (size_t)n;
    *a = (carom_anderson){.n = n, .count = -1, .weight = weight};
    a->image = work;
    a->change = a->image + length;
    a->images = a->change + length;
    a->changes = a->images + CAROM_ANDERSON_DEPTH * length;
    a->basis = a->changes + CAROM_ANDERSON_DEPTH * length;
}

/* Notes the difference from the last images and changes to these. */
static void note(carom_anderson *a, const double *x, const double *g)
{
    const size_t n = (size_t)a->n;
    double *images = a->images + (size_t)a->next * n, *changes = a->changes + (size_t)a->next * n;
    for (size_t k = 0; k < n; k++) {
        const double change = a->weight[k] * (g[k] - x[k]);
        images[k] = g[k] - a->image[k];
        changes[k] = change - a->change[k];
        a->image[k] = g[k];
        a->change[k] = change;
    }
    if (a->count >= 0)
        a->next = (a->next + 1) % CAROM_ANDERSON_DEPTH;
    a->count += a->count < CAROM_ANDERSON_DEPTH;
}

void carom_anderson_next(carom_anderson *a, const double *x, double *g)
{
    const int n = a->n;
    double r[CAROM_ANDERSON_DEPTH][CAROM_ANDERSON_DEPTH], share[CAROM_ANDERSON_DEPTH];
    int used[CAROM_ANDERSON_DEPTH], rank = 0;
    note(a, x, g);
    /* the newest first: of those that depend on others the oldest are left out */
    for (int i = 0; i < a->count; i++) {
        const int which = (a->next - 1 - i + 2 * CAROM_ANDERSON_DEPTH) % CAROM_ANDERSON_DEPTH;
        double *q = a->basis + (size_t)rank * (size_t)n;
        memcpy(q, a->changes + (size_t)which * (size_t)n, (size_t)n * sizeof *q);
        const double size = sqrt(dot(q, q, n));
        for (int j = 0; j < rank; j++) {
            const double *other = a->basis + (size_t)j * (size_t)n;
            r[j][rank] = dot(other, q, n);
            add(q, -r[j][rank], other, n);
        }
        r[rank][rank] = sqrt(dot(q, q, n));
        if (!(r[rank][rank] > DEPENDENT * size))
            continue;
        for (int k = 0; k < n; k++)
            q[k] /= r[rank][rank];
        used[rank++] = which;
    }
    for (int i = rank - 1; i >= 0; i--) {
        share[i] = dot(a->basis + (size_t)i * (size_t)n, a->change, n);
        for (int j = i + 1; j < rank; j++)
            share[i] -= r[i][j] * share[j];
        share[i] /= r[i][i];
    }
    for (int i = 0; i < rank; i++)
        add(g, -share[i], a->images + (size_t)used[i] * (size_t)n, n);
}

/* Values between rows of a table over the time: by the polynomial through four rows where it agrees with the parabolas
   through three of them, through six where that agrees with it, else by the straight line between two. The four are
   those about the time, or those of one side alone where a kink lies on the other.
   Source: Harten, Engquist, Osher and Chakravarthy 1987, J. Comput. Phys. 71:231-303 (the choice of rows). */
#ifndef CAROM_MATH_ROWS_H
#define CAROM_MATH_ROWS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Share of the range of the values by which parabolas through three rows may differ. */
#define CAROM_ROWS_COARSE 0.01

/* Share of their difference by which the polynomials through four and six rows may differ. */
#define CAROM_ROWS_SMOOTH 0.3

/* `values` lie `stride` numbers apart. */
typedef struct carom_time_rows {
    size_t count, stride;
    const double *time, *values;
} carom_time_rows;

/* Lagrange's polynomial through `count` rows from `first` on. */
static inline double carom_rows_lagrange(const carom_time_rows *r, size_t first, size_t count, double t)
{
    double sum = 0;
    for (size_t k = first; k < first + count; k++) {
        double weight = 1;
        for (size_t i = first; i < first + count; i++)
            weight *= i == k ? 1 : (t - r->time[i]) / (r->time[k] - r->time[i]);
        sum += weight * r->values[k * r->stride];
    }
    return sum;
}

/* Third divided difference of four rows from `first` on. */
static inline double carom_rows_third(const carom_time_rows *r, size_t first)
{
    double d[4];
    for (size_t k = 0; k < 4; k++)
        d[k] = r->values[(first + k) * r->stride];
    for (size_t order = 1; order < 4; order++)
        for (size_t k = 3; k >= order; k--)
            d[k] = (d[k] - d[k - 1]) / (r->time[first + k] - r->time[first + k - order]);
    return fabs(d[3]);
}

/* Share of the third differences of the rows about a time below which those of one side are free of a kink. */
#define CAROM_ROWS_KINK 1e-3

/* Whether the rows of one side of a kink beside the rows k and k + 1 should be taken, and from which one on. */
static inline bool carom_rows_beside_kink(const carom_time_rows *r, size_t k, size_t *first)
{
    if (k < 2 || k + 3 >= r->count)
        return false;
    const double most = CAROM_ROWS_KINK * carom_rows_third(r, k - 1), left = carom_rows_third(r, k - 2);
    const double right = carom_rows_third(r, k);
    *first = left <= right ? k - 2 : k;
    return left < most || right < most;
}

/* Value at t between the rows k and k + 1, whose times differ; `scale` is the range of all values. *coarse: it lies on
   the straight line. */
static inline double carom_rows_between(const carom_time_rows *r, size_t k, double t, double scale, bool *coarse)
{
    const double v = r->values[k * r->stride], w = r->values[(k + 1) * r->stride];
    const double part = (t - r->time[k]) / (r->time[k + 1] - r->time[k]);
    const double line = v + part * (w - v);
    const size_t first = k > 0 ? k - 1 : k, end = k + 2 < r->count ? k + 3 : k + 2;
    *coarse = false;
    if (end - first < 3)
        return line;
    if (end - first < 4) {
        const double parabola = carom_rows_lagrange(r, first, 3, t);
        *coarse = !(fabs(parabola - line) <= CAROM_ROWS_COARSE * scale);
        return *coarse ? line : parabola;
    }
    const double spread =
        fabs(carom_rows_lagrange(r, first, 3, t) - carom_rows_lagrange(r, first + 1, 3, t));
    *coarse = !(spread <= CAROM_ROWS_COARSE * scale);
    if (*coarse)
        return line;
    size_t beside;
    if (carom_rows_beside_kink(r, k, &beside))
        return carom_rows_lagrange(r, beside, 4, t);
    const double cubic = carom_rows_lagrange(r, first, 4, t);
    if (first == 0 || end == r->count)
        return cubic;
    const double quintic = carom_rows_lagrange(r, first - 1, 6, t);
    return fabs(quintic - cubic) <= CAROM_ROWS_SMOOTH * spread ? quintic : cubic;
}

/* The row at or before a time that lies between the first and the last. */
static inline size_t carom_rows_before(const carom_time_rows *r, double t)
{
    size_t low = 0, high = r->count - 1;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(r->time[middle] <= t ? &low : &high) = middle;
    }
    return low;
}

#endif

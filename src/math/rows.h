/* Values between rows of a table over the time: by the polynomial through four rows where it agrees with the parabolas
   through three of them, else by the straight line between two. */
#ifndef CAROM_MATH_ROWS_H
#define CAROM_MATH_ROWS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Share of the range of the values by which parabolas through three rows may differ. */
#define CAROM_ROWS_COARSE 0.01

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
    return *coarse ? line : carom_rows_lagrange(r, first, 4, t);
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

/* Triangular factors of a small general matrix, by elimination with row exchanges. */
#include "base/wide.h"
#include "math/solve.h"

#include <math.h>

static CAROM_WIDE bool factor(int n, double *a, int *pivot)
{
    for (int k = 0; k < n; k++) {
        double *column = a + (size_t)k * (size_t)n;
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(column[i]) > fabs(column[best]))
                best = i;
        pivot[k] = best;
        if (!(fabs(column[best]) > 0) || !isfinite(column[best]))
            return false;
        if (best != k)
            for (int j = 0; j < n; j++) {
                double *c = a + (size_t)j * (size_t)n, kept = c[k];
                c[k] = c[best];
                c[best] = kept;
            }
        const double inverse = 1 / column[k];
        for (int i = k + 1; i < n; i++)
            column[i] *= inverse;
        for (int j = k + 1; j < n; j++) {
            double *c = a + (size_t)j * (size_t)n;
            if (c[k] != 0)
                carom_four_add_scaled(n - k - 1, -c[k], column + k + 1, c + k + 1);
        }
    }
    return true;
}

static CAROM_WIDE void solve(int n, const double *a, const int *pivot, double *b)
{
    for (int k = 0; k < n; k++) {
        const double kept = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = kept;
    }
    for (int k = 0; k < n; k++) {
        const double *column = a + (size_t)k * (size_t)n;
        if (b[k] != 0)
            carom_four_add_scaled(n - k - 1, -b[k], column + k + 1, b + k + 1);
    }
    for (int k = n; k-- > 0;) {
        const double *column = a + (size_t)k * (size_t)n;
        b[k] /= column[k];
        if (b[k] != 0)
            carom_four_add_scaled(k, -b[k], column, b);
    }
}

bool carom_lu_factor(int n, double *a, int *pivot) { return factor(n, a, pivot); }

void carom_lu_solve(int n, const double *a, const int *pivot, double *b) { solve(n, a, pivot, b); }

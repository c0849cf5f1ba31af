/* Triangular factors of a small general matrix, by elimination with row exchanges. */
#include "math/solve.h"

#include <math.h>

bool carom_lu_factor(int n, double *a, int *pivot)
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
            double *c = a + (size_t)j * (size_t)n, f = c[k];
            if (f == 0)
                continue;
            for (int i = k + 1; i < n; i++)
                c[i] -= f * column[i];
        }
    }
    return true;
}

void carom_lu_solve(int n, const double *a, const int *pivot, double *b)
{
    for (int k = 0; k < n; k++) {
        const double kept = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = kept;
    }
    for (int k = 0; k < n; k++)
        for (int i = k + 1; b[k] != 0 && i < n; i++)
            b[i] -= b[k] * a[(size_t)k * (size_t)n + (size_t)i];
    for (int k = n; k-- > 0;) {
        b[k] /= a[(size_t)k * (size_t)n + (size_t)k];
        for (int i = 0; b[k] != 0 && i < k; i++)
            b[i] -= b[k] * a[(size_t)k * (size_t)n + (size_t)i];
    }
}

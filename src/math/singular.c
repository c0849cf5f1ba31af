/* Singular values by one-sided rotations. */
#include "math/singular.h"

#include <float.h>
#include <math.h>

#define SWEEPS 60

static void rotate(size_t m, double *p, double *q, double c, double s)
{
    for (size_t k = 0; k < m; k++) {
        const double x = p[k], y = q[k];
        p[k] = c * x - s * y;
        q[k] = s * x + c * y;
    }
}

/* Makes two columns orthogonal, and the first the longer one; returns whether they were. */
static int orthogonalise(size_t m, size_t n, double *p, double *q, double *vp, double *vq)
{
    double pp = 0, qq = 0, pq = 0;
    for (size_t k = 0; k < m; k++) {
        pp += p[k] * p[k];
        qq += q[k] * q[k];
        pq += p[k] * q[k];
    }
    if (pp >= qq && fabs(pq) <= 4 * DBL_EPSILON * sqrt(pp) * sqrt(qq))
        return 1;
    if (pq == 0) {
        rotate(m, p, q, 0, -1);
        rotate(n, vp, vq, 0, -1);
        return 0;
    }
    const double zeta = (qq - pp) / (2 * pq);
    double t = (zeta >= 0 ? 1 : -1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    /* of the two rotations the one that leaves the longer column first */
    if (t * pq > 0)
        t = -1 / t;
    const double c = 1 / sqrt(1 + t * t);
    rotate(m, p, q, c, c * t);
    rotate(n, vp, vq, c, c * t);
    return 0;
}

void carom_singular_values(size_t m, size_t n, double *a, double *v, double *s)
{
    for (size_t k = 0; k < n * n; k++)
        v[k] = k % (n + 1) == 0;
    for (int sweep = 0, done = 0; sweep < SWEEPS && !done; sweep++) {
        done = 1;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++)
                done &= orthogonalise(m, n, a + i * m, a + j * m, v + i * n, v + j * n);
    }
    for (size_t k = 0; k < n; k++) {
        double sum = 0;
        for (size_t i = 0; i < m; i++)
            sum += a[k * m + i] * a[k * m + i];
        s[k] = sqrt(sum);
    }
}

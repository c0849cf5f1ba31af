/* Dense solves: Cholesky while the matrix is regular, elimination and singular values by LAPACK. */
#include "math/solve.h"

#include <lapacke.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

/* Below this share of its diagonal a pivot has lost so many digits that others than the rows' own product are to be
   used. It depends on no unit. */
#define PIVOT_SHARE 1e-6

struct carom_dense {
    carom_context *ctx;
    int n;
    double *a;                  /* matrix, then its factor */
    double *least;              /* pivots must be larger */
    double share;               /* than this one of their diagonal */
    double weakest;             /* share that was left of one */
};

/* An OpenBLAS built for one thread hands out its buffers unguarded: two threads get the same one, and wrong numbers (1
   of
   20,000 least-norm solves of 30 unknowns in eight threads). Any blocked routine takes such a buffer, so all have the
   lock; own loops instead of the larger ones would give other bits. */
static pthread_mutex_t lapack = PTHREAD_MUTEX_INITIALIZER;

static void release(carom_context *ctx, double *block, size_t count)
{
    carom_release(ctx, block, count, sizeof *block);
}

carom_status carom_dense_create(carom_context *ctx, int n, carom_dense **out)
{
    carom_dense *d = carom_allocate(ctx, 1, sizeof *d);
    if (!d)
        return carom_fail_memory(ctx);
    d->ctx = ctx;
    d->n = n;
    d->share = PIVOT_SHARE;
    d->a = carom_allocate(ctx, (size_t)n * (size_t)n, sizeof *d->a);
    d->least = carom_allocate(ctx, (size_t)n, sizeof *d->least);
    if (!d->a || !d->least) {
        carom_dense_free(d);
        return carom_fail_memory(ctx);
    }
    *out = d;
    return CAROM_OK;
}

void carom_dense_free(carom_dense *d)
{
    if (!d)
        return;
    size_t n = (size_t)d->n;
    release(d->ctx, d->a, n * n);
    release(d->ctx, d->least, n);
    carom_release(d->ctx, d, 1, sizeof *d);
}

double *carom_dense_matrix(carom_dense *d) { return d->a; }

double carom_dense_weakest(const carom_dense *d) { return d->weakest; }

void carom_dense_set_pivot(carom_dense *d, double share) { d->share = share > 0 ? share : PIVOT_SHARE; }

/* Column-oriented: at the sizes of a mechanism (up to some dozen rows) the call of a library costs more than the work;
   larger matrices go to LAPACK. */
bool carom_dense_factor(carom_dense *d)
{
    int n = d->n;
    d->weakest = 1;
    if (n > 24) {
        for (int k = 0; k < n; k++)
            d->least[k] = d->share * d->a[k * n + k];
        pthread_mutex_lock(&lapack);
        lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, d->a, n);
        pthread_mutex_unlock(&lapack);
        for (int k = 0; k < n && info == 0; k++) {
            const double pivot = d->a[k * n + k] * d->a[k * n + k];
            if (!(pivot > d->least[k]))
                return false;
            d->weakest = fmin(d->weakest, pivot * d->share / d->least[k]);
        }
        return info == 0;
    }
    for (int j = 0; j < n; j++) {
        double *restrict cj = d->a + j * n;
        const double diagonal = cj[j], least = d->share * diagonal;
        for (int k = 0; k < j; k++) {
            const double *restrict ck = d->a + k * n;
            double s = ck[j];
            if (s == 0)
                continue;
            for (int i = j; i < n; i++)
                cj[i] -= s * ck[i];
        }
        if (!(cj[j] > least))
            return false;
        d->weakest = cj[j] < d->weakest * diagonal ? cj[j] / diagonal : d->weakest;
        double r = 1 / sqrt(cj[j]);
        for (int i = j; i < n; i++)
            cj[i] *= r;
    }
    return true;
}

void carom_dense_solve(const carom_dense *d, double *b)
{
    int n = d->n;
    const double *a = d->a;
    for (int j = 0; j < n; j++) {
        double x = b[j] /= a[j * n + j];
        for (int i = j + 1; i < n; i++)
            b[i] -= x * a[j * n + i];
    }
    for (int j = n - 1; j >= 0; j--) {
        double s = b[j];
        for (int i = j + 1; i < n; i++)
            s -= a[j * n + i] * b[i];
        b[j] = s / a[j * n + j];
    }
}

bool carom_dense_eliminate(int n, double *a, int *pivot, double *b)
{
    pthread_mutex_lock(&lapack);
    lapack_int info = LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, 1, a, n, pivot, b, n);
    pthread_mutex_unlock(&lapack);
    return info == 0;
}

carom_status carom_least_norm(carom_context *ctx, int m, int n, double *a, double *b, double rank_tolerance, int *rank)
{
    *rank = 0;
    if (m == 0 || n == 0) {
        memset(b, 0, (size_t)n * sizeof *b);
        return CAROM_OK;
    }
    int small = m < n ? m : n, large = m > n ? m : n;
    int work_size = 12 * small + 2 * large + small * 64 + 64 * (small + large) + 1024;
    int level = (int)fmax(0, log2((double)small / 26.0)) + 2;
    size_t iwork_size = (size_t)(3 * small * level + 11 * small + 64);
    work_size += small * (25 * 2 + 8 * level + 1) + 26 * 26;
    double *s = carom_allocate(ctx, (size_t)small, sizeof *s);
    double *work = carom_allocate(ctx, (size_t)work_size, sizeof *work);
    lapack_int *iwork = carom_allocate(ctx, iwork_size, sizeof *iwork);
    carom_status status = CAROM_OK;
    if (!s || !work || !iwork)
        status = carom_fail_memory(ctx);
    else {
        lapack_int found = 0;
        pthread_mutex_lock(&lapack);
        lapack_int info = LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, m, n, 1, a, m, b, large, s, rank_tolerance, &found,
                                              work, work_size, iwork);
        pthread_mutex_unlock(&lapack);
        *rank = found;
        if (info != 0)
            status = carom_fail(ctx, CAROM_ERROR_SOLVER, NULL,
                                "the singular value decomposition of %d rows did not converge", m);
    }
    carom_release(ctx, s, (size_t)small, sizeof *s);
    carom_release(ctx, work, (size_t)work_size, sizeof *work);
    carom_release(ctx, iwork, iwork_size, sizeof *iwork);
    return status;
}

carom_status carom_right_singular(carom_context *ctx, int m, int n, double *a, double *values, double *vt)
{
    const int small = m < n ? m : n, work_size = 5 * (m > n ? m : n) + 64 * (m + n) + 64;
    if (m == 0) {
        for (int k = 0; k < n * n; k++)
            vt[k] = k % (n + 1) == 0;
        return CAROM_OK;
    }
    double *work = carom_allocate(ctx, (size_t)work_size, sizeof *work), unused;
    if (!work)
        return carom_fail_memory(ctx);
    pthread_mutex_lock(&lapack);
    const lapack_int info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'A', m, n, a, m, values, &unused, 1, vt, n, work,
                                                work_size);
    pthread_mutex_unlock(&lapack);
    carom_release(ctx, work, (size_t)work_size, sizeof *work);
    return info == 0 ? CAROM_OK
                     : carom_fail(ctx, CAROM_ERROR_SOLVER, NULL,
                                  "the singular value decomposition of %d rows did not converge", small);
}

static carom_status eigen_status(carom_context *ctx, int n, lapack_int info)
{
    return info == 0 ? CAROM_OK
                     : carom_fail(ctx, CAROM_ERROR_SOLVER, NULL, "the eigenvalues of %d unknowns did not converge", n);
}

carom_status carom_symmetric_eigen(carom_context *ctx, int n, double *a, double *values)
{
    const int work_size = 40 * n + 64;
    if (n == 0)
        return CAROM_OK;
    double *work = carom_allocate(ctx, (size_t)work_size, sizeof *work);
    if (!work)
        return carom_fail_memory(ctx);
    pthread_mutex_lock(&lapack);
    const lapack_int info = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, values, work, work_size);
    pthread_mutex_unlock(&lapack);
    carom_release(ctx, work, (size_t)work_size, sizeof *work);
    return eigen_status(ctx, n, info);
}

carom_status carom_eigen(carom_context *ctx, int n, double *a, double *real, double *imaginary, double *vectors)
{
    const int work_size = 34 * n + 64;
    if (n == 0)
        return CAROM_OK;
    double *work = carom_allocate(ctx, (size_t)work_size, sizeof *work);
    if (!work)
        return carom_fail_memory(ctx);
    pthread_mutex_lock(&lapack);
    const lapack_int info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'V', n, a, n, real, imaginary, NULL, 1, vectors,
                                               n, work, work_size);
    pthread_mutex_unlock(&lapack);
    carom_release(ctx, work, (size_t)work_size, sizeof *work);
    return eigen_status(ctx, n, info);
}

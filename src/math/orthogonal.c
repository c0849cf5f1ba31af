/* Rows of any rank: Q R of their transpose with the largest remaining column first, and of R^T where rows depend on
   others (complete orthogonal decomposition, Golub and Van Loan 2013, sections 5.2.2, 5.4.2, 5.4.7). Each row is
   scaled to the norm 1, so that the rank does not depend on the units that they are written in; where rows depend on
   others, those of one unit have one scale. The product of the rows with themselves is never made: its condition is the
   square of theirs. */
#include "math/solve.h"

#include <math.h>
#include <string.h>

/* Of what was left of the weakest row, the part below which a row counts as dependent later. */
#define WEAKEST_SHARE 0.01
/* Of the inverse iteration for the least singular value. */
#define ITERATIONS 3

struct carom_orthogonal {
    carom_context *ctx;
    int m, n, rank;
    double share;               /* of a row that is left where the others hold it */
    double least;               /* what was left of the weakest independent row when the rank was found */
    double *a;                  /* n x m by columns: the rows, then reflectors below and R above the diagonal */
    double *t;                  /* m x rank by columns: R^T, then reflectors and T; where the rank is not full */
    bool *angle;                /* rows of the other unit */
    double *scale;              /* of each row its reciprocal norm; where the rank is not full, that of its unit */
    double *beta, *beta_t;      /* factors of the reflectors */
    double *diagonal, *diagonal_t;
    double *c, *x;              /* solutions */
    int *pivot;
};

static size_t largest(const carom_orthogonal *o) { return (size_t)(o->m > o->n ? o->m : o->n); }

carom_status carom_orthogonal_create(carom_context *ctx, int m, int n, carom_orthogonal **out)
{
    carom_orthogonal *o = carom_allocate(ctx, 1, sizeof *o);
    if (!o)
        return carom_fail_memory(ctx);
    *o = (carom_orthogonal){.ctx = ctx, .m = m, .n = n, .share = CAROM_DEPENDENT_SHARE};
    const size_t rows = (size_t)m;
    double **const vectors[] = {&o->scale, &o->c, &o->beta, &o->beta_t, &o->diagonal, &o->diagonal_t};
    bool done = (o->a = carom_allocate(ctx, rows * (size_t)n, sizeof *o->a)) &&
                (o->t = carom_allocate(ctx, rows * rows, sizeof *o->t)) &&
                (o->x = carom_allocate(ctx, largest(o), sizeof *o->x)) &&
                (o->angle = carom_allocate(ctx, rows, sizeof *o->angle)) &&
                (o->pivot = carom_allocate(ctx, rows, sizeof *o->pivot));
    for (size_t k = 0; k < CAROM_COUNT(vectors) && done; k++)
        done = (*vectors[k] = carom_allocate(ctx, rows, sizeof **vectors[k])) != NULL;
    if (!done) {
        carom_orthogonal_free(o);
        return carom_fail_memory(ctx);
    }
    *out = o;
    return CAROM_OK;
}

void carom_orthogonal_free(carom_orthogonal *o)
{
    if (!o)
        return;
    const size_t rows = (size_t)o->m;
    double *const vectors[] = {o->scale, o->c, o->beta, o->beta_t, o->diagonal, o->diagonal_t};
    carom_release(o->ctx, o->a, rows * (size_t)o->n, sizeof *o->a);
    carom_release(o->ctx, o->t, rows * rows, sizeof *o->t);
    carom_release(o->ctx, o->x, largest(o), sizeof *o->x);
    carom_release(o->ctx, o->angle, rows, sizeof *o->angle);
    carom_release(o->ctx, o->pivot, rows, sizeof *o->pivot);
    for (size_t k = 0; k < CAROM_COUNT(vectors); k++)
        carom_release(o->ctx, vectors[k], rows, sizeof *vectors[k]);
    carom_release(o->ctx, o, 1, sizeof *o);
}

double *carom_orthogonal_rows(carom_orthogonal *o) { return o->a; }

bool *carom_orthogonal_angles(carom_orthogonal *o) { return o->angle; }

/* In four sums, which do not wait for each other. */
static double dot(const double *a, const double *b, int n)
{
    double sum[4] = {0};
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int i = 0; i < 4; i++)
            sum[i] += a[k + i] * b[k + i];
    for (; k < n; k++)
        sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Makes the reflector of v that leaves only its first number, which is returned; H = 1 - beta v v^T. */
static double reflector(double *v, int n, double *beta)
{
    const double norm = sqrt(dot(v, v, n)), kept = v[0] > 0 ? -norm : norm;
    v[0] -= kept;
    *beta = norm > 0 ? -1 / (kept * v[0]) : 0;
    return kept;
}

static void reflect(const double *v, double beta, double *x, int n)
{
    const double f = beta * dot(v, x, n);
    if (f == 0)
        return;
    for (int k = 0; k < n; k++)
        x[k] -= f * v[k];
}

/* Rows to the norm 1; one of zeros stays so. False if a number is not finite. */
static bool scale_rows(carom_orthogonal *o)
{
    double sum = 0;
    for (int r = 0; r < o->m; r++) {
        double *row = o->a + (size_t)r * (size_t)o->n, most = 0;
        for (int k = 0; k < o->n; k++)
            most = fabs(row[k]) > most ? fabs(row[k]) : most;
        o->scale[r] = most > 0 ? 1 / most : 0;
        for (int k = 0; k < o->n; k++)
            row[k] *= o->scale[r];
        const double norm = sqrt(dot(row, row, o->n)), f = norm > 0 ? 1 / norm : 0;
        for (int k = 0; k < o->n; k++)
            row[k] *= f;
        o->scale[r] *= f;
        sum += norm;
    }
    return isfinite(sum);
}

static double *column(const carom_orthogonal *o, int k) { return o->a + (size_t)k * (size_t)o->n; }

static void swap(carom_orthogonal *o, int a, int b)
{
    if (a == b)
        return;
    for (int k = 0; k < o->n; k++) {
        const double x = column(o, a)[k];
        column(o, a)[k] = column(o, b)[k];
        column(o, b)[k] = x;
    }
    const int p = o->pivot[a];
    o->pivot[a] = o->pivot[b];
    o->pivot[b] = p;
}

/* A row that was zero from the start. */
static bool is_zero(const carom_orthogonal *o, int k) { return o->scale[o->pivot[k]] == 0; }

/* The row of which most is left; false if no more than rounding and violations are left of any. */
static bool next_row(carom_orthogonal *o, int k, int *next)
{
    double most = 0;
    *next = k;
    for (int r = k; r < o->m; r++) {
        if (is_zero(o, r))
            continue;
        const double *rest = column(o, r) + k, square = dot(rest, rest, o->n - k);
        if (square > most) {
            most = square;
            *next = r;
        }
    }
    return most > o->share * o->share;
}

static void reflect_others(carom_orthogonal *o, int k)
{
    double *v = column(o, k) + k;
    o->diagonal[k] = reflector(v, o->n - k, &o->beta[k]);
    for (int r = k + 1; r < o->m; r++)
        if (!is_zero(o, r))
            reflect(v, o->beta[k], column(o, r) + k, o->n - k);
}

/* R^T = Z T, where rows depend on others; of each unit the largest row has the norm 1. */
static void factor_transpose(carom_orthogonal *o)
{
    const int m = o->m, rank = o->rank;
    double least[2] = {HUGE_VAL, HUGE_VAL};
    for (int r = 0; r < m; r++)
        if (o->scale[r] > 0)
            least[o->angle[r]] = fmin(least[o->angle[r]], o->scale[r]);
    for (int r = 0; r < m; r++) {
        const int row = o->pivot[r];
        const double share = o->scale[row] > 0 ? least[o->angle[row]] / o->scale[row] : 0;
        for (int k = 0; k < rank; k++)
            o->t[(size_t)k * (size_t)m + (size_t)r] =
                share * (r > k ? column(o, r)[k] : r == k ? o->diagonal[k] : 0);
        o->scale[row] *= share;
    }
    for (int k = 0; k < rank; k++) {
        double *v = o->t + (size_t)k * (size_t)m + k;
        o->diagonal_t[k] = reflector(v, m - k, &o->beta_t[k]);
        for (int c = k + 1; c < rank; c++)
            reflect(v, o->beta_t[k], o->t + (size_t)c * (size_t)m + k, m - k);
    }
}

bool carom_orthogonal_factor(carom_orthogonal *o)
{
    const int most = o->m < o->n ? o->m : o->n;
    if (!scale_rows(o))
        return false;
    for (int r = 0; r < o->m; r++)
        o->pivot[r] = r;
    o->rank = 0;
    for (int k = 0, next; k < most && next_row(o, k, &next); k++) {
        swap(o, k, next);
        reflect_others(o, k);
        o->rank = k + 1;
    }
    if (o->rank < o->m)
        factor_transpose(o);
    return true;
}

/* The least singular value of R by inverse iteration from the row that was last: the number that is left of that row
   jumps where rows change their order. */
double carom_orthogonal_weakest(const carom_orthogonal *o)
{
    const int rank = o->rank;
    double *x = o->c, largest = 0;
    memset(x, 0, (size_t)rank * sizeof *x);
    if (rank)
        x[rank - 1] = 1;
    for (int iteration = 0; iteration < ITERATIONS && rank; iteration++) {
        for (int k = 0; k < rank; k++)
            x[k] = (x[k] - dot(column(o, k), x, k)) / o->diagonal[k];
        for (int k = rank - 1; k >= 0; k--) {
            x[k] /= o->diagonal[k];
            for (int i = 0; i < k; i++)
                x[i] -= column(o, k)[i] * x[k];
        }
        largest = sqrt(dot(x, x, rank));
        for (int k = 0; k < rank; k++)
            x[k] /= largest;
    }
    return rank ? 1 / sqrt(largest) : 1;
}

int carom_orthogonal_found(const carom_orthogonal *o) { return o->rank; }

/* c of R^T c = b, by least squares where rows depend on others; b in the order of the pivots is lost. */
static void solve_transpose(const carom_orthogonal *o, double *b)
{
    const int m = o->m, rank = o->rank;
    if (rank == m) {
        for (int k = 0; k < m; k++)
            b[k] = (b[k] - dot(column(o, k), b, k)) / o->diagonal[k];
        return;
    }
    for (int k = 0; k < rank; k++)
        reflect(o->t + (size_t)k * (size_t)m + k, o->beta_t[k], b + k, m - k);
    for (int k = rank - 1; k >= 0; k--) {
        for (int c = k + 1; c < rank; c++)
            b[k] -= o->t[(size_t)c * (size_t)m + (size_t)k] * b[c];
        b[k] /= o->diagonal_t[k];
    }
}

/* The shortest x of R x = c, in its place. */
static void solve_rows(const carom_orthogonal *o, double *c)
{
    const int m = o->m, rank = o->rank;
    if (rank == m) {
        for (int k = m - 1; k >= 0; k--) {
            c[k] /= o->diagonal[k];
            for (int i = 0; i < k; i++)
                c[i] -= column(o, k)[i] * c[k];
        }
        return;
    }
    for (int k = 0; k < rank; k++)
        c[k] = (c[k] - dot(o->t + (size_t)k * (size_t)m, c, k)) / o->diagonal_t[k];
    for (int k = rank; k < m; k++)
        c[k] = 0;
    for (int k = rank - 1; k >= 0; k--)
        reflect(o->t + (size_t)k * (size_t)m + k, o->beta_t[k], c + k, m - k);
}

const double *carom_orthogonal_solve(carom_orthogonal *o, double *b)
{
    double *c = o->c;
    for (int k = 0; k < o->m; k++)
        c[k] = o->scale[o->pivot[k]] * b[o->pivot[k]];
    solve_transpose(o, c);
    memset(o->x, 0, (size_t)o->n * sizeof *o->x);
    memcpy(o->x, c, (size_t)o->rank * sizeof *o->x);
    for (int k = o->rank - 1; k >= 0; k--)
        reflect(column(o, k) + k, o->beta[k], o->x + k, o->n - k);
    solve_rows(o, c);
    for (int k = 0; k < o->m; k++)
        b[o->pivot[k]] = o->scale[o->pivot[k]] * c[k];
    return o->x;
}

int carom_orthogonal_rank(carom_orthogonal *o, bool *redundant)
{
    int rank = 0;
    double least = 1;
    scale_rows(o);
    for (int r = 0; r < o->m; r++) {
        double *row = column(o, r), beta;
        for (int k = 0; k < rank; k++)
            reflect(column(o, o->pivot[k]) + k, o->beta[k], row + k, o->n - k);
        const double square = rank < o->n ? dot(row + rank, row + rank, o->n - rank) : 0;
        redundant[r] = !(square > CAROM_DEPENDENT_SHARE * CAROM_DEPENDENT_SHARE);
        if (redundant[r])
            continue;
        least = fmin(least, square);
        reflector(row + rank, o->n - rank, &beta);
        o->beta[rank] = beta;
        o->pivot[rank++] = r;
    }
    o->least = sqrt(least);
    return rank;
}

double carom_passed_share(double weakest, double most)
{
    return fmin(most, fmax(CAROM_DEPENDENT_SHARE, WEAKEST_SHARE * weakest));
}

double carom_orthogonal_share(const carom_orthogonal *o, double most) { return carom_passed_share(o->least, most); }

void carom_orthogonal_set_share(carom_orthogonal *o, double share) { o->share = share; }

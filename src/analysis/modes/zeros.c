/* Eigenvalues 0 of a linearisation and the motions that belong to them. As c' = 0 in an eigenvector of 0,
       A (c, c', s) = 0  if and only if  B (c, s) = 0,   B = [K E; G H],
   where K, E are the accelerations by c and s, and G, H the rates of s by these. The eigenvectors are the null space
   of B: one for a motion whose eigenvalue 0 is double, as nothing brings it back or brakes it, and one for a motion
   that a damper brakes, or for an integral, whose eigenvalue 0 is single. With the null spaces Z of A and W of A^T as
   many eigenvalues are double as W^T Z has less than full rank. Lengths are in the model's, times in 1/none, states in
   their scale: what makes no eigenvalue above `none` is below 1 then.
   Source: Golub and Van Loan 2013, Matrix Computations, sections 2.4 and 7.6.5 (Jordan blocks from null spaces). */
#include "analysis/modes/modes.h"
#include "math/solve.h"

#include <math.h>
#include <string.h>

/* Singular value of W^T Z that is none. */
#define DOUBLE 1e-2
/* Entry of a vector of the null space, whose columns are orthonormal, that is none. */
#define ENTRY 1e-6

typedef struct zeros {
    carom_analysis *a;
    const carom_linear *l;
    double none;
    int size;                   /* f + more */
    double *scale;              /* of c and s */
    double *b, *copy, *singular, *vt;
    double *right, *left;       /* null spaces of B and of its transpose, by columns */
    int count;
} zeros;

/* A of the columns of c (k < f), of their rates, or of s: rate r of c' (r < f) or of s by it, scaled. */
static double entry(const zeros *z, int r, int k, bool by_rate)
{
    const carom_linear *l = z->l;
    const int row = r + l->f, column = k < l->f && !by_rate ? k : k + l->f;
    const double time = (r < l->f ? z->none * z->none : z->none) / (by_rate ? z->none : 1);
    return l->a[(size_t)column * (size_t)l->n + (size_t)row] * z->scale[k] / (z->scale[r] * time);
}

static bool allocate(zeros *z)
{
    carom_arena *arena = &z->a->arena;
    const size_t n = (size_t)z->size;
    double **squares[] = {&z->b, &z->copy, &z->vt, &z->right, &z->left};
    bool done = (z->scale = carom_arena_alloc(arena, n, sizeof(double))) &&
                (z->singular = carom_arena_alloc(arena, n, sizeof(double)));
    for (size_t k = 0; k < CAROM_COUNT(squares); k++)
        done = done && (*squares[k] = carom_arena_alloc(arena, n * n, sizeof(double)));
    return done;
}

static void set_scales(zeros *z)
{
    const carom_linear *l = z->l;
    double length, angle;
    for (int k = 0; k < l->f; k++) {
        carom_balance_reach(l->b, l->b->basis + (size_t)k * (size_t)l->b->columns, &length, &angle);
        z->scale[k] = l->b->m->length_scale / fmax(length, angle * l->b->m->length_scale);
    }
    for (int k = l->f; k < z->size; k++)
        z->scale[k] = carom_linear_state_scale(l, k - l->f);
}

static void copy_rows(zeros *z, bool transposed)
{
    const size_t n = (size_t)z->size;
    for (size_t k = 0; k < n; k++)
        for (size_t r = 0; r < n; r++)
            z->copy[k * n + r] = transposed ? z->b[r * n + k] : z->b[k * n + r];
}

/* Makes the norms of rows 1 that are longer: the null space stays, and what is soft is not lost beside stiff rows. */
static void shorten_rows(zeros *z)
{
    const size_t n = (size_t)z->size;
    for (size_t r = 0; r < n; r++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += z->copy[k * n + r] * z->copy[k * n + r];
        for (size_t k = 0; k < n && sum > 1; k++)
            z->copy[k * n + r] /= sqrt(sum);
    }
}

/* Null space of B or of its transpose. */
static carom_status null_space(zeros *z, bool transposed, double *out)
{
    const size_t n = (size_t)z->size;
    copy_rows(z, transposed);
    CAROM_TRY(carom_right_singular(z->a->ctx, z->size, z->size, z->copy, z->singular, z->vt));
    int rank = 0;
    while (rank < z->size && z->singular[rank] > 1)
        rank++;
    z->count = z->size - rank;
    if (!z->count)
        return CAROM_OK;
    copy_rows(z, transposed);
    shorten_rows(z);
    CAROM_TRY(carom_right_singular(z->a->ctx, z->size, z->size, z->copy, z->singular, z->vt));
    for (int c = 0; c < z->count; c++)
        for (size_t k = 0; k < n; k++)
            out[(size_t)c * n + k] = z->vt[k * n + (size_t)(rank + c)];
    return CAROM_OK;
}

/* Rank of W^T Z, with the part of W for c of W1 = -D^T W2 - F^T W3. */
static carom_status single(zeros *z, int *out)
{
    const size_t n = (size_t)z->size, f = (size_t)z->l->f, count = (size_t)z->count;
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < count; i++) {
            const double *w = z->left + i * n, *x = z->right + c * n;
            double sum = 0;
            for (size_t r = 0; r < n; r++) {
                for (size_t k = 0; k < f; k++)
                    sum -= w[r] * entry(z, (int)r, (int)k, true) * x[k];
                sum += r >= f ? w[r] * x[r] : 0;
            }
            z->copy[c * count + i] = sum;
        }
    CAROM_TRY(carom_right_singular(z->a->ctx, z->count, z->count, z->copy, z->singular, z->vt));
    *out = 0;
    while (*out < z->count && z->singular[*out] > DOUBLE)
        ++*out;
    return CAROM_OK;
}

/* The largest entry of rows first ... end in the vectors from `from` on. */
static double pivot(const zeros *z, int from, int first, int end, int *row, int *column)
{
    double most = 0;
    for (int c = from; c < z->count; c++)
        for (int r = first; r < end; r++) {
            const double size = fabs(z->right[(size_t)c * (size_t)z->size + (size_t)r]);
            if (size > most * (1 + 1e-9)) {
                most = size;
                *row = r;
                *column = c;
            }
        }
    return most;
}

/* Brings vector `column` to place c and makes its entry `row` the only one in that row. */
static void eliminate(zeros *z, int c, int row, int column)
{
    const size_t n = (size_t)z->size;
    double *x = z->right + (size_t)c * n, *y = z->right + (size_t)column * n;
    for (size_t k = 0; k < n; k++) {
        const double kept = x[k];
        x[k] = y[k];
        y[k] = kept;
    }
    for (int i = 0; i < z->count; i++) {
        double *other = z->right + (size_t)i * n;
        const double share = i == c ? 0 : other[row] / x[row];
        for (size_t k = 0; k < n && share != 0; k++)
            other[k] = k == (size_t)row ? 0 : other[k] - share * x[k];
    }
}

/* Orders them: motions, states of the user and of loads alone, states of friction laws alone; each with an entry that
   is its own. Returns how many have an entry in rows first ... end. */
static int sort_out(zeros *z, int from, int first, int end)
{
    int row = 0, column = 0, c = from;
    while (c < z->count && pivot(z, c, first, end, &row, &column) > ENTRY)
        eliminate(z, c++, row, column);
    for (int i = c; i < z->count; i++) /* what is left of it is rounding */
        for (int k = first; k < end; k++)
            z->right[(size_t)i * (size_t)z->size + (size_t)k] = 0;
    return c - from;
}

/* The entries of c: f x f numbers by rows times them. */
static void turn(zeros *z, const double *by)
{
    const int f = z->l->f;
    for (int c = 0; c < z->count; c++) {
        double *x = z->right + (size_t)c * (size_t)z->size;
        for (int i = 0; i < f; i++) {
            z->singular[i] = 0;
            for (int k = 0; k < f; k++)
                z->singular[i] += by[i * f + k] * x[k];
        }
        memcpy(x, z->singular, (size_t)f * sizeof *x);
    }
}

/* From the allowed motions to the coordinates that name the states, in lengths of the model: each vector that is
   sorted out has one of these for itself. */
static void take_coordinates(zeros *z, const carom_linear *l)
{
    for (int c = 0; c < z->count; c++)
        for (int k = 0; k < l->f; k++)
            z->right[(size_t)c * (size_t)z->size + (size_t)k] *= z->scale[k];
    turn(z, l->t);
    for (int k = 0; k < l->f; k++)
        z->scale[k] = l->b->m->length_scale / carom_linear_scale(l, l->chosen[k]);
    for (int c = 0; c < z->count; c++)
        for (int k = 0; k < l->f; k++)
            z->right[(size_t)c * (size_t)z->size + (size_t)k] /= z->scale[k];
}

/* And back, all in their units: vectors (c, c' = 0, s). */
static carom_status take_motions(zeros *z, const carom_linear *l, carom_linear_zeros *out)
{
    const size_t n = (size_t)l->n, f = (size_t)l->f;
    double *x = out->vectors = carom_arena_alloc(&z->a->arena, n * (size_t)out->count, sizeof *x);
    if (!x)
        return carom_fail_memory(z->a->ctx);
    memset(x, 0, n * (size_t)out->count * sizeof *x);
    for (int c = 0; c < out->count; c++, x += n) {
        double *from = z->right + (size_t)c * (size_t)z->size;
        for (int k = 0; k < z->size; k++)
            from[k] *= z->scale[k];
        carom_linear_in_basis(l, from, x);
        memcpy(x + 2 * f, from + f, (size_t)l->more * sizeof *x);
    }
    return CAROM_OK;
}

carom_status carom_linear_find_zeros(carom_analysis *a, const carom_linear *l, double none, carom_linear_zeros *out)
{
    zeros z = {.a = a, .l = l, .none = none, .size = l->f + l->more};
    int single_ones;
    memset(out, 0, sizeof *out);
    if (!allocate(&z))
        return carom_fail_memory(a->ctx);
    set_scales(&z);
    for (int k = 0; k < z.size; k++)
        for (int r = 0; r < z.size; r++)
            z.b[(size_t)k * (size_t)z.size + (size_t)r] = entry(&z, r, k, false);
    if (z.size)
        CAROM_TRY(null_space(&z, true, z.left));
    if (z.count)
        CAROM_TRY(null_space(&z, false, z.right));
    if (!z.count)
        return CAROM_OK;
    CAROM_TRY(single(&z, &single_ones));
    out->eigenvalues = 2 * z.count - single_ones;
    take_coordinates(&z, l);
    out->motions = sort_out(&z, 0, 0, l->f);
    out->count = out->motions + sort_out(&z, out->motions, l->f + l->b->m->friction_state_count, z.size);
    return take_motions(&z, l, out);
}

/* Direct solves of symmetric positive semidefinite systems, dense (LAPACK) and sparse (KLU), behind one small interface
   each. All memory is taken at creation; factor and solve allocate nothing. */
#ifndef CAROM_SOLVE_H
#define CAROM_SOLVE_H

#include "base/base.h"

/* ---- dense ---- */

typedef struct carom_dense carom_dense;

/* System of n unknowns. The matrix is filled by the caller: carom_dense_matrix() is n x n, column-major, lower part. */
carom_status carom_dense_create(carom_context *ctx, int n, carom_dense **out);
void carom_dense_free(carom_dense *dense);
double *carom_dense_matrix(carom_dense *dense);
/* Factors by Cholesky. Destroys the matrix. False if it is singular, or so near to it that a solution has lost six
   digits. */
bool carom_dense_factor(carom_dense *dense);
/* Share of the diagonal that was left of the weakest pivot of the last factorisation. */
double carom_dense_weakest(const carom_dense *dense);
/* The share of its diagonal that a pivot must have from now on; 0: that of the six digits. */
void carom_dense_set_pivot(carom_dense *dense, double share);
void carom_dense_solve(const carom_dense *dense, double *b);

/* Solves the general n x n system A x = b (column-major, destroyed) by elimination with row exchanges; x in b, `pivot`
   is room for n numbers. False if the matrix is singular. */
bool carom_dense_eliminate(int n, double *a, int *pivot, double *b);

/* Factors of a general n x n matrix (column-major) in its place, with row exchanges; false if it is singular. And the
   solution with them, in the place of b. */
bool carom_lu_factor(int n, double *a, int *pivot);
void carom_lu_solve(int n, const double *a, const int *pivot, double *b);

/* ---- symmetric positive semidefinite S by S + R, R a share of its diagonal: proximal.c ---- */

typedef struct carom_proximal {
    int n, rounds;              /* at most; 1: the solution of S + R itself */
    double share;
    double *regular, *x;        /* R; room for a solution */
} carom_proximal;

/* The arena owns its room. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_proximal_create(carom_arena *arena, int n, double share, int rounds, carom_proximal *out);
/* Factors S + R of the dense matrix, which has S. */
bool carom_proximal_factor(carom_proximal *proximal, carom_dense *dense);
/* x in the place of b. */
void carom_proximal_solve(const carom_proximal *proximal, const carom_dense *dense, double *b);

/* ---- rows A x = b of any rank ---- */

typedef struct carom_orthogonal carom_orthogonal;

/* m rows of n numbers. */
carom_status carom_orthogonal_create(carom_context *ctx, int m, int n, carom_orthogonal **out);
void carom_orthogonal_free(carom_orthogonal *rows);
/* The rows, one after the other, to be filled by the caller. */
double *carom_orthogonal_rows(carom_orthogonal *rows);
/* Which rows are of angles, the others being of lengths; all are of lengths until the caller says so. */
bool *carom_orthogonal_angles(carom_orthogonal *rows);
/* Factors. Destroys the rows. False if one holds a non-finite number. */
bool carom_orthogonal_factor(carom_orthogonal *rows);
/* The rank that was found by it. */
int carom_orthogonal_found(const carom_orthogonal *rows);
/* The shortest x of A x = b, which stays until the next solution; and in the place of b the y of A A^T y = b that is
   shortest, by least squares where rows contradict: for both, the rows of each unit count by the largest norm among
   them. */
const double *carom_orthogonal_solve(carom_orthogonal *rows, double *b);
/* The rank, and the rows that depend on earlier ones. Destroys the rows, which are not factored then. */
int carom_orthogonal_rank(carom_orthogonal *rows, bool *redundant);
/* A row of which less than this share is left without the others depends on them. Rows that depend on others do so up
   to the violation of the constraints, which is 1e-8 with loose tolerances. */
#define CAROM_DEPENDENT_SHARE 3e-7
/* Where the rows were far from that once, as those of a linkage that has yet to pass its flat position, a row of which
   less than this is left is taken to depend on the others: what it would be asked for is rounding over that share, and
   an integrator does not get past. */
#define CAROM_PASSED_SHARE 1e-5
/* What was left of the weakest row that the last factorisation took for independent, of a norm of 1. */
double carom_orthogonal_weakest(const carom_orthogonal *rows);
/* The share below which rows count as dependent later, of which the weakest had this share at first; at most `most`. */
double carom_passed_share(double weakest, double most);
/* That of the rows as the last rank found them; and sets one for later factorisations. */
double carom_orthogonal_share(const carom_orthogonal *rows, double most);
void carom_orthogonal_set_share(carom_orthogonal *rows, double share);

/* ---- general, of symmetric pattern, each row and column from its first entry on; no exchanges ---- */

/* Of the row i and the column i the entries from first[i] to the diagonal. */
typedef struct carom_envelope {
    int n, *first;
    size_t *start;              /* of each row of `lower`, and column of `upper` */
    double *diagonal, *lower, *upper;
} carom_envelope;

/* Room for any envelope. The arena owns it. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_envelope_create(carom_arena *arena, int n, carom_envelope *out);
/* Gives it its form, first[i] <= i; the entries are then to be cleared. */
void carom_envelope_shape(carom_envelope *envelope, const int *first);
void carom_envelope_clear(carom_envelope *envelope);
/* Adds to an entry; one outside of the envelope is passed over. */
static inline void carom_envelope_add(carom_envelope *e, int row, int column, double value)
{
    const int far = row > column ? row : column, near = row > column ? column : row;
    if (row == column)
        e->diagonal[row] += value;
    else if (near >= e->first[far])
        (row > column ? e->lower : e->upper)[e->start[far] + (size_t)(near - e->first[far])] += value;
}
/* Factors in their order (Golub and Van Loan 2013, section 4.3); false if a pivot is zero. */
bool carom_envelope_factor(carom_envelope *envelope);
void carom_envelope_solve(const carom_envelope *envelope, double *b);

/* ---- sparse ---- */

typedef struct carom_sparse carom_sparse;

/* Square matrix of order n with the given pattern (compressed columns, rows ascending, both triangles). */
carom_status carom_sparse_create(carom_context *ctx, int n, const int *column_start, const int *row,
                                 carom_sparse **out);
void carom_sparse_free(carom_sparse *sparse);
double *carom_sparse_values(carom_sparse *sparse);
/* Factors; the first call orders and pivots, later ones reuse that. False if the matrix is singular. */
bool carom_sparse_factor(carom_sparse *sparse);
/* Smallest over largest pivot of the last factorisation. */
double carom_sparse_rcond(const carom_sparse *sparse);
void carom_sparse_solve(carom_sparse *sparse, double *b);
/* The next factorisation pivots as the first one does, whatever was factored before. */
void carom_sparse_forget(carom_sparse *sparse);

/* ---- symmetric, each row from its first entry on: what is before stays zero in the factorisation ---- */

/* Entry (i, j), first[i] <= j <= i, is row[i][j]. */
typedef struct carom_skyline {
    int n;
    const int *first;
    double **row;
} carom_skyline;

/* All entries zero; keeps `first`. The arena owns it. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_skyline_create(carom_arena *arena, int n, const int *first, carom_skyline *out);
/* Makes all entries zero again. */
void carom_skyline_clear(carom_skyline *s);
/* Factors in the order of the rows, and leaves out those that depend on earlier ones: whose pivot is not above `share`
   of their diagonal. Returns the rank. Source: Cholesky's method, Golub and Van Loan 2013, section 4.2. */
int carom_skyline_rank(carom_skyline *s, double share, bool *redundant);
/* Solves for the unknowns of the rows that were not left out; those of the others are 0, whatever stands in b. */
void carom_skyline_solve(const carom_skyline *s, const bool *redundant, double *b);

/* ---- least squares with all of it: minimum-norm solution of A x = b (m x n, column-major, destroyed) ---- */

/* x in b (length max(m, n)); `rank_tolerance` relative to the largest singular value. Allocates its workspace from
   ctx. */
carom_status carom_least_norm(carom_context *ctx, int m, int n, double *a, double *b, double rank_tolerance, int *rank);
/* Singular values of A (m x n, column-major, destroyed), the largest first, min(m, n) of them, and V^T (n x n,
   column-major): its last rows span the null space. Allocates its workspace from ctx. Errors: CAROM_ERROR_MEMORY,
   CAROM_ERROR_SOLVER. */
carom_status carom_right_singular(carom_context *ctx, int m, int n, double *a, double *values, double *vt);
/* Eigenvalues of a symmetric matrix (n x n, its lower part), the least first, and in its place the eigenvectors of norm
   1, column by column. Allocates its workspace from ctx. Errors: CAROM_ERROR_MEMORY, CAROM_ERROR_SOLVER. */
carom_status carom_symmetric_eigen(carom_context *ctx, int n, double *a, double *values);
/* Eigenvalues of any matrix (n x n, destroyed) and its right eigenvectors of norm 1, column by column; of a pair of
   conjugate ones, which stand together, the columns are the real and the imaginary part. Allocates its workspace from
   ctx. Errors: CAROM_ERROR_MEMORY, CAROM_ERROR_SOLVER. */
carom_status carom_eigen(carom_context *ctx, int n, double *a, double *real, double *imaginary, double *vectors);

#endif

/* Singular values of small matrices. */
#ifndef CAROM_MATH_SINGULAR_H
#define CAROM_MATH_SINGULAR_H

#include <stddef.h>

/* A = U S V^T of m rows and n columns, m >= n, by columns: in the place of A come the columns U S, in v (n x n, by
   columns) the right singular vectors, in s the singular values, the largest first. One-sided rotations, which keep
   the relative precision of small singular values: Hestenes 1958; Demmel and Veselic 1992, SIAM J. Matrix Anal. Appl.
   13, 1204. */
void carom_singular_values(size_t m, size_t n, double *a, double *v, double *s);

#endif

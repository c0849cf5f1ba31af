/* Acceleration of fixed points x = g(x): the next x is the combination of the last images that leaves least of their
   changes. Source: Anderson 1965, J. ACM 12:547-560; Walker and Ni 2011, SIAM J. Numer. Anal. 49:1715-1735. */
#ifndef CAROM_ANDERSON_H
#define CAROM_ANDERSON_H

#include <stddef.h>

/* Differences that it keeps. */
#define CAROM_ANDERSON_DEPTH 8

typedef struct carom_anderson {
    int n;                      /* numbers of x */
    int count, next;            /* differences that there are; where the next one goes */
    const double *weight;       /* of each number in the least squares */
    double *image, *change;     /* of the last x: g, and weight (g - x) */
    double *images, *changes;   /* their differences, DEPTH vectors of n */
    double *basis;              /* of the differences of changes, orthonormal */
} carom_anderson;

/* Length of its work for n numbers. */
static inline size_t carom_anderson_size(int n) { return (size_t)n * (2 + 3 * CAROM_ANDERSON_DEPTH); }
/* Begins anew; `work` stays where it is as long as it is used. */
void carom_anderson_start(carom_anderson *a, int n, const double *weight, double *work);
/* Takes x and g(x), and puts the next x in the place of g. */
void carom_anderson_next(carom_anderson *a, const double *x, double *g);

#endif

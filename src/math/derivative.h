/* Derivatives of many functions of one number x at x = 0, by differences whose step is looked for. */
#ifndef CAROM_DERIVATIVE_H
#define CAROM_DERIVATIVE_H

#include <stdbool.h>

#define CAROM_DERIVATIVE_ROOM 14

typedef struct carom_derivative {
    /* All functions at x; false: they have no values there. */
    bool (*evaluate)(void *user, double x, double *out);
    void *user;
    int count;                  /* of functions; */
    int from, alike;            /* from this one on so many are of one kind */
    int judged;                 /* the one of these that counts for the doubt; -1: all do */
    double size, blur;          /* of those of one kind: what they are sums of, and are known to besides rounding */
    const double *here;         /* their values at 0 */
    double *room;               /* CAROM_DERIVATIVE_ROOM numbers for each */
} carom_derivative;

/* Derivatives into `out`. A difference has at most the step `h`; x is known to `rounded`; `natural` is a derivative of
   those of one kind that matters beside none. `doubt` is made as large as what is left open of a derivative, as a share
   of it: 1e-6 or less where there is a step at which the functions neither bend nor are lost in rounding. false: there
   are no values near 0. */
bool carom_derivative_find(const carom_derivative *d, double h, double rounded, double natural, double *out,
                           double *doubt);

#endif

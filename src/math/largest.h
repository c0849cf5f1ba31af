/* The largest value of a function between two places. */
#ifndef CAROM_LARGEST_H
#define CAROM_LARGEST_H

typedef double (*carom_value_at)(void *user, double x);

/* Largest value of a function between a and b, where it rises at a and falls at b, to a few 1e-5 of their distance in
   place; `at` takes where it is, NULL: nobody asks. */
double carom_largest_between(carom_value_at value, void *user, double a, double b, double *at);

#endif

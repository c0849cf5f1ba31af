/* Quantiles of the distributions that intervals are made of. */
#ifndef CAROM_MATH_DISTRIBUTIONS_H
#define CAROM_MATH_DISTRIBUTIONS_H

/* Inverse of the normal distribution, to about 1e-16. */
double carom_normal_quantile(double p);
/* Student's distribution of t with `freedom` > 0 degrees of freedom, and its inverse. */
double carom_student(double t, double freedom);
double carom_student_quantile(double p, double freedom);

#endif

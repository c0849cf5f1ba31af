/* The two real branches of Lambert's W, w exp(w) = x, and the forms of the lower one that keep their precision where x
   does not: W_{-1}(-exp(-1 - t)) = -(1 + u) with u - ln(1 + u) = t, and y (1 - ln y) = s with s = exp(-t), u = -ln y.
   Relative errors are below 1e-15 wherever the argument determines the value that well. */
#ifndef CAROM_LAMBERT_H
#define CAROM_LAMBERT_H

/* Root u >= 0 of u - ln(1 + u) = t for t in [0, 752]; NAN for t < 0. One square root and a rational function, neither
   logarithm nor iteration. */
double carom_lambert_excess(double t);

/* Root y in (0, 1] of y (1 - ln y) = s for s in (0, 1]; `rest` is 1 - s, given apart because it cancels near s = 1.
   Stores u = -ln y >= 0. For s <= 0: y = 0 and u = HUGE_VAL. */
double carom_lambert_line(double s, double rest, double *u);

/* Lower branch, x in [-1/e, 0): falls from -1 to -infinity; -HUGE_VAL at 0, NAN outside. */
double carom_lambert_wm1(double x);

/* Upper branch, x >= -1/e: -1 at -1/e, 0 at 0; NAN below. */
double carom_lambert_w0(double x);

#endif

/* Cubic Hermite polynomials: values and rates at both ends of a step. */
#ifndef CAROM_HERMITE_H
#define CAROM_HERMITE_H

#include <stddef.h>
#include <string.h>

/* At the fraction s of a step of length h: the parts of both values and of both rates in the interpolated value. */
typedef struct carom_hermite_weights {
    double value0, value1, rate0, rate1;
} carom_hermite_weights;

static inline carom_hermite_weights carom_hermite_at(double s, double h)
{
    const double r = 1 - s;
    return (carom_hermite_weights){r * r * (1 + 2 * s), s * s * (3 - 2 * s), s * r * r * h, -s * s * r * h};
}

/* `count` numbers at t, of a step from t0 to t1 with the rates f; a step of no length is its end. */
static inline void carom_hermite_interpolate(double t, double t0, double t1, int count, const double *y0,
                                             const double *f0, const double *y1, const double *f1, double *y)
{
    const double h = t1 - t0;
    if (!(h > 0)) {
        memcpy(y, y1, (size_t)count * sizeof *y);
        return;
    }
    const carom_hermite_weights w = carom_hermite_at((t - t0) / h, h);
    for (int k = 0; k < count; k++)
        y[k] = w.value0 * y0[k] + w.value1 * y1[k] + w.rate0 * f0[k] + w.rate1 * f1[k];
}

/* The polynomial of one number in powers of the fraction x of the step: a + b x + c x^2 + d x^3. */
typedef struct carom_hermite {
    double a, b, c, d;
} carom_hermite;

static inline carom_hermite carom_hermite_between(double h, double value0, double rate0, double value1, double rate1)
{
    const double r0 = h * rate0, r1 = h * rate1, rise = value1 - value0;
    return (carom_hermite){value0, r0, 3 * rise - 2 * r0 - r1, r0 + r1 - 2 * rise};
}

static inline double carom_hermite_value(const carom_hermite *k, double x)
{
    return k->a + x * (k->b + x * (k->c + x * k->d));
}

/* By x; over the length of the step it is the rate. */
static inline double carom_hermite_slope(const carom_hermite *k, double x)
{
    return k->b + x * (2 * k->c + 3 * x * k->d);
}

#endif

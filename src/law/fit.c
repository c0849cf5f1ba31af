/* Least squares of the force, Fe - K delta^n, over a uniform grid of forces.
   Source: Autiero et al. 2022, Tables 2-9 and 11, whose numbers it returns with F_max = 1000 N a mm of length. */
#include "law/fit.h"

#include <float.h>

/* Indentation of the force `wanted`, Newton's method from `start` above or below it; the force never falls. */
static double indentation_of(const carom_elastic_kind *kind, const double *c, double wanted, double start)
{
    double delta = start, low = 0, high = HUGE_VAL;
    for (int k = 0; k < 200; k++) {
        carom_elastic_force at;
        CAROM_KIND_CALL(kind, force, c, NULL, delta, &at);
        double miss = at.force - wanted;
        if (miss > 0)
            high = delta;
        else
            low = delta;
        if (fabs(miss) <= DBL_EPSILON * wanted || fabs(miss) <= 2 * DBL_EPSILON * delta * at.slope)
            break;
        double next = at.slope > 0 ? delta - miss / at.slope : 0;
        if (!(next > low && next < high))
            next = isinf(high) ? 2 * delta : 0.5 * (low + high);
        if (high - low <= 2 * DBL_EPSILON * high)
            break;
        delta = next;
    }
    return delta;
}

/* Indentation where the part reaches the force; 0: nowhere. */
static double reach(const carom_elastic_kind *kind, const double *c, double force)
{
    const double limit = kind->limit ? CAROM_KIND_CALL(kind, limit, c) : HUGE_VAL;
    carom_elastic_force at;
    double delta = fmin(1e-6, limit);
    CAROM_KIND_CALL(kind, force, c, NULL, delta, &at);
    while (at.force < force) {
        if (delta >= limit || delta > 1e6)
            return 0;
        delta = fmin(2 * delta, limit);
        CAROM_KIND_CALL(kind, force, c, NULL, delta, &at);
    }
    return indentation_of(kind, c, force, delta);
}

typedef struct fit_sums {
    double powers, products;                /* sum x^2n, sum f x^n */
    double log_powers, log_products;        /* the same with ln x */
    double log_log_powers, log_log_products; /* with ln^2 x */
} fit_sums;

/* Sums over the points f = k/points, x = delta/delta_max. */
static fit_sums sum_points(const carom_elastic_kind *kind, const double *c, const carom_power_fit_range *range,
                           double deepest, double n)
{
    fit_sums s = {0};
    double delta = deepest;
    for (int k = range->points; k >= 1; k--) {
        double f = (double)k / range->points;
        delta = k == range->points ? deepest : indentation_of(kind, c, f * range->max_force, delta);
        double l = log(delta / deepest), power = exp(n * l);
        s.powers += power * power;
        s.products += f * power;
        s.log_powers += l * power * power;
        s.log_products += l * f * power;
        s.log_log_powers += l * l * power * power;
        s.log_log_products += l * l * f * power;
    }
    return s;
}

/* Largest error at the points from min_indentation on and at that indentation. */
static void find_largest_error(const carom_elastic_kind *kind, const double *c, const carom_power_fit_range *range,
                               carom_power_fit *out)
{
    out->largest_error = 0;
    out->at = out->max_indentation;
    double delta = out->max_indentation;
    for (int k = range->points; k >= 0; k--) {
        double wanted = range->max_force * ((double)k / range->points);
        if (k > 0 && k < range->points)
            delta = indentation_of(kind, c, wanted, delta);
        bool last = k == 0 || delta < range->min_indentation;
        if (last)
            delta = range->min_indentation;
        carom_elastic_force at;
        CAROM_KIND_CALL(kind, force, c, NULL, delta, &at);
        double error = at.force > 0 ? fabs(out->stiffness * pow(delta, out->exponent) - at.force) / at.force : 0;
        if (error > out->largest_error && delta <= out->max_indentation) {
            out->largest_error = error;
            out->at = delta;
        }
        if (last)
            break;
    }
}

const char *carom_power_fit_make(const carom_elastic_kind *kind, const double *c, const carom_power_fit_range *range,
                                 carom_power_fit *out)
{
    if (!(range->max_force > 0) || isinf(range->max_force) || range->points < 2 || !(range->min_indentation >= 0))
        return "a fit needs a greatest force above 0, at least two points and a smallest indentation of at least 0";
    double deepest = reach(kind, c, range->max_force);
    if (!(deepest > 0))
        return "the law does not reach the greatest force of the fit: it lies beyond the law's range";
    carom_elastic_force at;
    CAROM_KIND_CALL(kind, force, c, NULL, deepest, &at);
    /* with K the best for each n, dS/dn = 0 is sum (f - K x^n) ln x x^n = 0: Newton's method on it, K held in the slope
       by its own derivative */
    double n = fmax(0.1, at.slope * deepest / at.force), factor = 1;
    if (!isfinite(n))
        n = 1.5;
    for (int k = 0; k < 60; k++) {
        const fit_sums s = sum_points(kind, c, range, deepest, n);
        factor = s.products / s.powers;
        double factor_slope = (s.log_products - 2 * factor * s.log_powers) / s.powers;
        double value = s.log_products - factor * s.log_powers;
        double slope = s.log_log_products - factor_slope * s.log_powers - 2 * factor * s.log_log_powers;
        double step = slope < 0 ? value / slope : -copysign(0.1, value);
        step = fmax(-0.5, fmin(0.5, step));
        if (fabs(step) <= 1e-13 * n)
            break;
        n -= step;
    }
    out->exponent = n;
    out->stiffness = factor * range->max_force / pow(deepest, n);
    out->max_indentation = deepest;
    find_largest_error(kind, c, range, out);
    return NULL;
}

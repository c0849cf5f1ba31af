/* Closed forms of a free direct impact with the hysteresis family of contact laws.
   Source: Autiero et al. 2022, eqs. (112), (113); Gonthier et al. 2004; Zhang and Sharf. */
#include "kinds/normal/impact.h"
#include "base/base.h"

#include <math.h>

double carom_log1p_minus(double y)
{
    if (fabs(y) > 0.5)
        return log1p(y) - y;
    /* ln(1 + y) = 2 artanh(r), r = y/(2 + y) in [-1/3, 1/5], and y = 2r + r y */
    double r = y / (2 + y), r2 = r * r, sum = 0;
    for (int k = 17; k >= 0; k--)
        sum = sum * r2 + 1.0 / (2 * k + 3);
    return r * (2 * r2 * sum - y);
}

/* g(y) = y - ln(1 + y) */
static double g(double y) { return -carom_log1p_minus(y); }

/* g is convex and the start lies above the root: Newton descends to it. */
double carom_impact_root_above(double value)
{
    double p = sqrt(2 * value);
    if (p < 1e-5)
        return p + p * p / 3 + p * p * p / 36;
    double y = value + p;
    for (int k = 0; k < 60; k++) {
        double step = (g(y) - value) * (1 + y) / y;
        y -= step;
        if (fabs(step) < 4e-16 * y)
            break;
    }
    return y;
}

double carom_impact_root_below(double value)
{
    double p = sqrt(2 * value);
    if (p < 1e-5)
        return p - p * p / 3 + p * p * p / 36;
    if (value > 0.19) {
        /* s = 1 - w = exp(q), q = s - 1 - value */
        double s = exp(-1 - value), q = s - 1 - value;
        for (int k = 0; k < 60; k++) {
            s = exp(q);
            double step = (q + 1 + value - s) / (1 - s);
            q -= step;
            if (fabs(step) < 1e-16)
                break;
        }
        return 1 - exp(q);
    }
    double w = p - p * p / 3 + p * p * p / 36;
    for (int k = 0; k < 60; k++) {
        double step = (g(-w) - value) * (1 - w) / w;
        w -= step;
        if (fabs(step) < 4e-16 * w)
            break;
    }
    return w;
}

/* 1 - e' as a power series of A; the first term left out is below 1e-17 of the sum for A <= 0.05. */
static double complement_series(double a)
{
    static const double coefficient[] = {
        2.0 / 3,
        -4.0 / 9,
        44.0 / 135,
        -104.0 / 405,
        40.0 / 189,
        -7648.0 / 42525,
        2848.0 / 18225,
        -31712.0 / 229635,
        23429344.0 / 189448875,
        -89072576.0 / 795685275,
        1441952704.0 / 14105329875.0,
        -893393408.0 / 9499507875.0,
        9352282112.0 / 107417512125.0,
    };
    double sum = 0;
    for (int k = (int)(sizeof coefficient / sizeof coefficient[0]) - 1; k >= 0; k--)
        sum = sum * a + coefficient[k];
    return sum * a;
}

double carom_achieved_restitution(double factor)
{
    if (!(factor >= 0))
        return (double)NAN;
    if (factor <= 0.05)
        return 1 - complement_series(factor);
    return carom_impact_root_below(g(factor)) / factor;
}

double carom_impact_loss(double factor)
{
    double lost = factor <= 0.05 ? complement_series(factor) : 1 - carom_achieved_restitution(factor);
    return lost * (2 - lost);
}

/* (A - ln(1 + A))/A^2, 1/2 at A = 0 */
static double energy_part(double a) { return a < 1e-9 ? 0.5 - a / 3 : g(a) / a / a; }

double carom_impact_max_indentation(const carom_hysteresis_impact *impact)
{
    double n = impact->exponent;
    double energy = impact->mass * impact->speed * impact->speed * energy_part(impact->factor);
    return pow((n + 1) * energy / impact->stiffness, 1 / (n + 1));
}

double carom_impact_max_force(const carom_hysteresis_impact *impact, double *indentation, double *rate)
{
    double n = impact->exponent, a = impact->factor;
    double y = 0, scaled = (n + 1) / (2 * n); /* y and y/A^2 */
    if (a > 1e-100) {
        /* convex and increasing in y, positive at y = A: Newton descends to the root */
        double all = (n + 1) * g(a);
        y = a;
        for (int k = 0; k < 100; k++) {
            double step = (n * y + (n + 1) * g(y) - all) / (n + (n + 1) * y / (1 + y));
            y -= step;
            if (fabs(step) < 4e-16 * y)
                break;
        }
        scaled = y / a / a;
    }
    double delta = pow(n * impact->mass * impact->speed * impact->speed * scaled / impact->stiffness, 1 / (n + 1));
    if (indentation)
        *indentation = delta;
    if (rate)
        *rate = a > 1e-100 ? y / a * impact->speed : 0;
    return impact->stiffness * pow(delta, n) * (1 + y);
}

double carom_impact_elastic_duration(double exponent, double max_indentation, double speed)
{
    double p = 1 / (exponent + 1);
    return 2 * sqrt(CAROM_PI) * exp(lgamma(1 + p) - lgamma(p + 0.5)) * max_indentation / speed;
}

/* Integrand of the duration at the part rho of the greatest indentation, A/y + A/w, where y = A rate/v0 in compression
   and -w in restitution both solve g = g(A)(1 - rho^(n+1)). `rest` is 1 - rho. */
static double duration_integrand(double n, double a, double whole, double rho, double rest)
{
    double log_rho = rest < 0.5 ? log1p(-rest) : log(rho);
    double value = -whole * expm1((n + 1) * log_rho);
    return a / carom_impact_root_above(value) + a / carom_impact_root_below(value);
}

/* Sum over the nodes t = start, start + h, ... of the double exponential rule rho = 1/(1 + exp(-pi sinh t)), which
   converges in spite of the inverse square root at rho = 1 and of the power at rho = 0. */
static double duration_sum(double n, double a, double whole, double start, double h)
{
    double sum = 0;
    for (double t = start; t < 4.3; t += h) {
        double x = exp(-CAROM_PI * sinh(t));
        double rho = 1 / (1 + x), rest = x / (1 + x);
        sum += duration_integrand(n, a, whole, rho, rest) * CAROM_PI * cosh(t) * rho * rest;
    }
    return sum;
}

double carom_impact_duration(const carom_hysteresis_impact *impact)
{
    double n = impact->exponent, a = impact->factor, deepest = carom_impact_max_indentation(impact);
    /* A/y + A/w = 2 A/sqrt(2 g) (1 + O(A^2)), so that the integral is that of the elastic impact times a constant */
    if (a < 1e-7)
        return carom_impact_elastic_duration(n, deepest, impact->speed) / sqrt(2 * energy_part(a));
    double whole = g(a), h = 0.25, sum = duration_sum(n, a, whole, -4.25, h), integral = sum * h;
    for (int level = 0; level < 6; level++) {
        double before = integral;
        sum += duration_sum(n, a, whole, -4.25 + 0.5 * h, h);
        h *= 0.5;
        integral = sum * h;
        if (fabs(integral - before) < 1e-13 * integral)
            break;
    }
    return integral * deepest / impact->speed;
}

/* The normal distribution and Student's. */
#include "math/distributions.h"

#include <math.h>

/* ---- normal ---- */

static double polynomial(const double *c, int count, double x)
{
    double sum = 0;
    for (int k = count; k-- > 0;)
        sum = sum * x + c[k];
    return sum;
}

/* Inverse of the normal distribution, to about 1e-16: M. J. Wichura 1988, Applied Statistics 37, 477-484 (AS 241). */
double carom_normal_quantile(double p)
{
    static const double a[] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                               1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                               3.3430575583588128105e+4, 2.5090809287301226727e+3};
    static const double b[] = {1,
                               4.2313330701600911252e+1,
                               6.8718700749205790830e+2,
                               5.3941960214247511077e+3,
                               2.1213794301586595867e+4,
                               3.9307895800092710610e+4,
                               2.8729085735721942674e+4,
                               5.2264952788528545610e+3};
    static const double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                               3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                               2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static const double d[] = {1,
                               2.05319162663775882187e0,
                               1.67638483018380384940e0,
                               6.89767334985100004550e-1,
                               1.48103976427480074590e-1,
                               1.51986665636164571966e-2,
                               5.47593808499534494600e-4,
                               1.05075007164441684324e-9};
    static const double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                               2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                               2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static const double f[] = {1,
                               5.99832206555887937690e-1,
                               1.36929880922735805310e-1,
                               1.48753612908506148525e-2,
                               7.86869131145613259100e-4,
                               1.84631831751005468180e-5,
                               1.42151175831644588870e-7,
                               2.04426310338993978564e-15};
    const double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * polynomial(a, 8, r) / polynomial(b, 8, r);
    }
    const double r = sqrt(-log(q < 0 ? p : 1 - p));
    const double x = r <= 5 ? polynomial(c, 8, r - 1.6) / polynomial(d, 8, r - 1.6)
                            : polynomial(e, 8, r - 5) / polynomial(f, 8, r - 5);
    return q < 0 ? -x : x;
}

/* ---- Student ---- */

/* Smallest number in place of a denominator of 0, and terms at most: Lentz's method. */
#define TINY 1e-300
#define TERMS 500

static double away_from_zero(double x) { return fabs(x) < TINY ? TINY : x; }

/* Continued fraction of the incomplete beta function, for x < (a + 1)/(a + b + 2): Abramowitz and Stegun 26.5.8. */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;
    for (int k = 1; k <= TERMS; k++) {
        const double even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        value *= c * d;
        const double odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        const double factor = c * d;
        value *= factor;
        if (fabs(factor - 1) < 1e-16)
            break;
    }
    return value;
}

/* Regularised incomplete beta function; `rest` is 1 - x. */
static double beta_share(double a, double b, double x, double rest)
{
    if (x <= 0 || rest <= 0)
        return x <= 0 ? 0 : 1;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, rest) / b;
}

double carom_student(double t, double freedom)
{
    const double sum = freedom + t * t;
    const double tail = 0.5 * beta_share(0.5 * freedom, 0.5, freedom / sum, t * t / sum);
    return t > 0 ? 1 - tail : tail;
}

double carom_student_quantile(double p, double freedom)
{
    if (p == 0.5)
        return 0;
    const double wanted = p > 0.5 ? p : 1 - p;
    double low = 0, high = 2;
    while (carom_student(high, freedom) < wanted && high < 1e300)
        high *= 4;
    for (int k = 0; k < 200 && high - low > 1e-15 * high; k++) {
        const double middle = 0.5 * (low + high);
        *(carom_student(middle, freedom) < wanted ? &low : &high) = middle;
    }
    return p > 0.5 ? high : -high;
}

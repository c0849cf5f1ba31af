/* Lambert's W.
   Source: Corless, Gonnet, Hare, Jeffrey and Knuth 1996, Adv. Comput. Math. 5, 329 (branch point, iterations); Fritsch,
   Shafer and Crowley 1973, Commun. ACM 16, 123 (the fourth-order step of the upper branch). */
#include "math/lambert.h"

#include <math.h>

/* exp(1) as a sum of two doubles, and the double nearest to -1/e (3e-17/e below it). */
#define E_HIGH 2.718281828459045091
#define E_LOW 1.4456468917292501579e-16
#define BRANCH_POINT (-0.36787944117144233)

/* Sum of the coefficients of even and odd powers apart, two chains that run side by side. */
static inline double polynomial(const double c[12], double p, double square)
{
    double even = c[10], odd = c[11];
    for (int k = 8; k >= 0; k -= 2) {
        even = even * square + c[k];
        odd = odd * square + c[k + 1];
    }
    return even + p * odd;
}

double carom_lambert_excess(double t)
{
    /* u - t = ln(1 + u) = p P(p)/Q(p) with p = sqrt(2 t), where u is analytic: minimax of the error over u on
       0 <= p <= 38.8 (t < 752), 9e-18; all terms are positive, nothing cancels */
    static const double numerator[12] = {1.0,
                                         1.254858238658140557,
                                         0.7150075135804007937,
                                         0.2363352130528725264,
                                         0.04859045871030723494,
                                         0.006231379788299912709,
                                         0.0004768438885136637656,
                                         0.00002007192667372975766,
                                         4.142098847310912329e-7,
                                         3.512714547665818187e-9,
                                         8.539213777998615938e-12,
                                         9.189306067229099118e-16};
    static const double denominator[12] = {1.0,
                                           1.42152490532480631,
                                           0.9241505533567875923,
                                           0.3545772060566786117,
                                           0.08704923659258870115,
                                           0.01392515323425070887,
                                           0.001420960093402242904,
                                           0.00008748707807917603312,
                                           2.981625946173380703e-6,
                                           4.984355006034206972e-8,
                                           3.377870981773802831e-10,
                                           6.179527542148782555e-13};
    if (!(t >= 0))
        return (double)NAN;
    double square = 2 * t, p = sqrt(square);
    return t + p * polynomial(numerator, p, square) / polynomial(denominator, p, square);
}

double carom_lambert_line(double s, double rest, double *u)
{
    if (!(s > 0)) {
        *u = HUGE_VAL;
        return 0;
    }
    *u = carom_lambert_excess(s < 0.5 ? -log(s) : -log1p(-rest));
    return s / (1 + *u);
}

/* 1 + e x without cancellation; zero at the double nearest to -1/e. */
static double above_branch_point(double x) { return x == BRANCH_POINT ? 0 : fma(E_HIGH, x, 1) + E_LOW * x; }

double carom_lambert_wm1(double x)
{
    if (!(x >= BRANCH_POINT) || x > 0)
        return (double)NAN;
    if (x == 0)
        return -HUGE_VAL;
    double t = x > -0.2 ? -1 - log(-x) : -log1p(-above_branch_point(x));
    return -1 - carom_lambert_excess(t);
}

/* Root u of u - ln(1 + u) = p^2/2 with the sign of p, |p| <= 0.3: the series of the branch point, whose coefficients
   follow from u u' = p (1 + u); its radius is 2 sqrt(pi), the first term left out 2e-17 of the sum. */
static double branch_series(double p)
{
    static const double c[] = {1.0,
                               1.0 / 3,
                               1.0 / 36,
                               -1.0 / 270,
                               1.0 / 4320,
                               1.0 / 17010,
                               -139.0 / 5443200,
                               1.0 / 204120,
                               -571.0 / 2351462400.0,
                               -281.0 / 1515591000.0,
                               163879.0 / 2172751257600.0,
                               -5221.0 / 354648294000.0,
                               5246819.0 / 10168475885568000.0,
                               5459.0 / 7447614174000.0};
    double sum = 0;
    for (int k = 13; k >= 0; k--)
        sum = sum * p + c[k];
    return sum * p;
}

double carom_lambert_w0(double x)
{
    if (!(x >= BRANCH_POINT))
        return (double)NAN;
    if (x == 0 || isinf(x))
        return x;
    double w = log1p(x);
    if (x < 0) {
        double q = above_branch_point(x), p = sqrt(-2 * log1p(-q));
        if (p <= 0.3)
            return -1 - branch_series(-p);
        double root = sqrt(2 * q);
        w = x > -0.1 ? x * (1 - x) : -1 + root * (1 - root * (1.0 / 3 - root * (11.0 / 72)));
    } else {
        w *= 1 - log1p(w) / (2 + w);
    }
    for (int k = 0; k < 4; k++) {
        double z = log(x / w) - w, q = 2 * (1 + w) * (1 + w + 2.0 / 3 * z);
        double step = z / (1 + w) * (q - z) / (q - 2 * z);
        w += w * step;
        if (fabs(step) < 1e-5)
            break;
    }
    return w;
}

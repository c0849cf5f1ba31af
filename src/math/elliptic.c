/* Complete elliptic integrals by the arithmetic-geometric mean.
   Source: Bulirsch 1965, Numer. Math. 7, 78 (the general complete integral); Johnson, Contact Mechanics, section
   4.2. */
#include "math/elliptic.h"
#include "base/base.h"

#include <math.h>

double carom_elliptic_integral(double kc, double a, double b)
{
    /* Gauss' transformation keeps the integral over sqrt(x^2 cos^2 + y^2 sin^2) while x and y become their means; a and
       b become weighted means of each other and meet, too */
    double x = 1, y = kc;
    for (int k = 0; k < 40 && fabs(x - y) > 4e-16 * x; k++) {
        double sum = x + y, next = (b * x + a * y) / sum;
        a = 0.5 * (a + b);
        b = next;
        y = sqrt(x * y);
        x = 0.5 * sum;
    }
    return 0.5 * CAROM_PI * 0.5 * (a + b) / x;
}

double carom_elliptic_axis_ratio(double curvature_ratio)
{
    const double r = curvature_ratio;
    if (!(r >= 1) || isinf(r))
        return (double)NAN;
    /* r kc^2 D = B; D >= B and kc D <= B bound the root, and ln(r kc^2 D/B) increases with kc */
    double low = 1 / r, high = 1 / sqrt(r), kc = pow(r, -2.0 / 3);
    for (int k = 0; k < 100; k++) {
        double b = carom_elliptic_integral(kc, 1, 0), d = carom_elliptic_integral(kc, 0, 1);
        double residual = log(r * kc * kc * (d / b)), m = (1 - kc) * (1 + kc);
        if (residual > 0)
            high = kc;
        else
            low = kc;
        /* of ln(D/B) by m: dD/dm = (B/(1 - m) - D)/(2m), dB/dm = (D - B)/(2m); 1/4 at the circle */
        double by_m = m > 1e-6 ? (b / (kc * kc * d) - d / b) / (2 * m) : 0.25;
        double next = kc - kc * residual / (2 - 2 * kc * kc * by_m);
        if (!(next >= low && next <= high))
            next = 0.5 * (low + high);
        double step = fabs(next - kc);
        kc = next;
        if (step <= 4e-16 * kc)
            break;
    }
    return kc;
}

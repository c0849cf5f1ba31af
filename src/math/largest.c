#include "math/largest.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Parabolas through the best three points, with a golden section where they do not shrink the bracket (Brent 1973,
   chapter 5). */
double carom_largest_between(carom_value_at value, void *user, double a, double b, double *at)
{
    const double golden = 0.381966011250105, least = 1e-5 * (b - a);
    double x = 0.5 * (a + b), fx = value(user, x), w = x, fw = fx, v = x, fv = fx, step = b - a, before = step;
    for (int iteration = 0; iteration < 12 && b - a > 4 * least; iteration++) {
        double p = 0, q = 0, middle = 0.5 * (a + b);
        if (fw != fx || fv != fx) {
            double r = (x - w) * (fx - fv), z = (x - v) * (fx - fw);
            p = (x - v) * z - (x - w) * r;
            q = 2 * (z - r);
            if (q > 0)
                p = -p;
            q = fabs(q);
        }
        bool parabola = q > 0 && fabs(p) < fabs(0.5 * q * before) && p > q * (a - x) && p < q * (b - x);
        before = step;
        step = parabola ? p / q : golden * (x < middle ? b - x : a - x);
        if (fabs(step) < least) {
            if (parabola && iteration > 3)
                break;
            step = step < 0 ? -least : least;
        }
        double u = x + step, fu = value(user, u);
        if (fu >= fx) {
            *(u > x ? &a : &b) = x;
            v = w, fv = fw;
            w = x, fw = fx;
            x = u, fx = fu;
        } else {
            *(u > x ? &b : &a) = u;
            if (fu >= fw || w == x) {
                v = w, fv = fw;
                w = u, fw = fu;
            } else if (fu >= fv || v == x || v == w) {
                v = u, fv = fu;
            }
        }
    }
    if (at)
        *at = x;
    return fx;
}

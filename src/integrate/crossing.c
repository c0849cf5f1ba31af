/* Where within a step a root function first crosses zero, by steps of trial lengths. */
#include "integrate/integrator.h"

#include <float.h>
#include <math.h>

bool carom_crossing_of(const carom_crossing *c, int k, const double *now)
{
    const int d = c->direction[k];
    if (d <= 0 && c->before[k] > 0 && now[k] <= 0)
        return true;
    return d >= 0 && c->before[k] < 0 && now[k] >= 0;
}

int carom_crossing_first(const carom_crossing *c, const double *now)
{
    for (int k = 0; k < c->count; k++)
        if (carom_crossing_of(c, k, now))
            return k;
    return -1;
}

double carom_crossing_locate(const carom_crossing *c, double t, double h)
{
    double low = 0, high = h, tolerance = 100 * DBL_EPSILON * (fabs(t) + h);
    int k = carom_crossing_first(c, c->now);
    double value_low = c->before[k], value_high = c->now[k];
    int same_side = 0;
    for (int iteration = 0; iteration < 200 && high - low > tolerance; iteration++) {
        /* false position with halving of the value at the end that stays (Illinois), bisection now and then */
        double x = iteration % 8 == 7 ? 0.5 * (low + high) : low + (high - low) * value_low / (value_low - value_high);
        if (!(x > low && x < high))
            x = 0.5 * (low + high);
        /* not nearer to an end than what is asked: once one has come to the root, so does the other */
        x = fmin(fmax(x, low + 0.5 * tolerance), high - 0.5 * tolerance);
        if (c->reach(c->user, x) != 0)
            return -1;
        int earliest = carom_crossing_first(c, c->now);
        if (earliest >= 0) {
            high = x;
            if (earliest != k) {
                k = earliest;
                value_low = c->before[k];
                low = 0;
                same_side = 0;
            } else if (++same_side > 1)
                value_low *= 0.5;
            value_high = c->now[k];
            if (value_high == 0)
                return x;
        } else {
            low = x;
            value_low = c->now[k];
            if (--same_side < -1)
                value_high *= 0.5;
            if (same_side > 0)
                same_side = 0;
        }
    }
    return c->reach(c->user, high) != 0 ? -1 : high;
}

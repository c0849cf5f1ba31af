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

/* The first root that has crossed, one that is zero only where there is no other: a zero may be rounding, as of
   surfaces that touch and do not move, and must not hide a crossing before it. */
static int clearest(const carom_crossing *c, const double *now)
{
    const int first = carom_crossing_first(c, now);
    for (int k = first; k >= 0 && k < c->count; k++)
        if (now[k] != 0 && carom_crossing_of(c, k, now))
            return k;
    return first;
}

/* A value that may be rounding, of that at the begin. */
#define SMALL 1e-6

/* By how much the value at the end that stays is lessened when the other one moves again (Anderson and Bjorck 1973). */
static double lessened(double before, double now)
{
    const double share = 1 - now / before;
    return share > 0 ? share : 0.5;
}

double carom_crossing_locate(const carom_crossing *c, double t, double h)
{
    double low = 0, high = h, tolerance = 100 * DBL_EPSILON * (fabs(t) + h);
    int k = clearest(c, c->now), moved = 0; /* the end that moved last: 1 high, -1 low */
    double value_low = c->before[k], value_high = c->now[k];
    for (int iteration = 0; iteration < 200 && high - low > tolerance; iteration++) {
        /* false position, bisection now and then */
        double x = iteration % 8 == 7 ? 0.5 * (low + high) : low + (high - low) * value_low / (value_low - value_high);
        if (!(x > low && x < high))
            x = 0.5 * (low + high);
        /* not nearer to an end than what is asked: once one has come to the root, so does the other */
        x = fmin(fmax(x, low + 0.5 * tolerance), high - 0.5 * tolerance);
        if (c->reach(c->user, x) != 0)
            return -1;
        int earliest = clearest(c, c->now);
        if (earliest >= 0) {
            high = x;
            if (earliest != k) {
                k = earliest;
                value_low = c->before[k];
                low = 0;
            } else if (moved > 0) {
                value_low *= lessened(value_high, c->now[k]);
            }
            /* the same small number elsewhere is rounding */
            const bool rounded = moved > 0 && c->now[k] == value_high && fabs(value_high) < SMALL * fabs(c->before[k]);
            moved = 1;
            value_high = c->now[k];
            if (value_high == 0 || rounded)
                return x;
        } else {
            if (moved < 0)
                value_high *= lessened(value_low, c->now[k]);
            low = x;
            moved = -1;
            value_low = c->now[k];
        }
    }
    return c->reach(c->user, high) != 0 ? -1 : high;
}

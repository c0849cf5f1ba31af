/* The scale of an unknown: from 0 to 1 between its bounds, or between their logarithms. */
#include "fit/fit.h"

#include <math.h>

double carom_unknown_value(const carom_unknown *u, double scaled)
{
    const double s = fmin(fmax(scaled, 0), 1);
    if (s == 0 || s == 1)
        return s == 0 ? u->low : u->high;
    return u->log ? u->low * pow(u->high / u->low, s) : u->low + s * (u->high - u->low);
}

double carom_unknown_scaled(const carom_unknown *u, double value)
{
    return u->log ? log(value / u->low) / log(u->high / u->low) : (value - u->low) / (u->high - u->low);
}

double carom_unknown_stretch(const carom_unknown *u) { return u->log ? log(u->high / u->low) : u->high - u->low; }

double carom_unknown_slope(const carom_unknown *u, double value)
{
    return carom_unknown_stretch(u) * (u->log ? value : 1);
}

/* What all of geometry shares: the pose of a shape, what a shape is drawn on, and a ramp. Pure values: no bodies, no
   time. */
#ifndef CAROM_GEOMETRY_H
#define CAROM_GEOMETRY_H

#include "carom/space.h"
#include "math/vec.h"

/* From 0 at low to 1 at high, without a kink. */
static inline double carom_ramp(double x, double low, double high)
{
    const double s = (x - low) / (high - low);
    return s <= 0 ? 0 : s < 1 ? s * s * (3 - 2 * s) : 1;
}

#endif

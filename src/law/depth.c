/* Force and energy of a loading curve, inverted by bisection. */
#include "law/depth.h"

#include <math.h>

/* Indentation at which the loading curve reaches a force or a stored energy; HUGE_VAL if not up to `most`. */
static double depth_where(const carom_elastic_kind *elastic, const double *constants, bool energy, double value,
                          double most)
{
    carom_elastic_force f;
    double low = 0, high = 1e-9;
    for (int k = 0;; k++, high *= 2) {
        CAROM_KIND_CALL(elastic, force, constants, NULL, high, &f);
        if (!((energy ? f.energy : f.force) < value))
            break;
        if (k == 200 || high > most)
            return HUGE_VAL;
    }
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        CAROM_KIND_CALL(elastic, force, constants, NULL, middle, &f);
        *((energy ? f.energy : f.force) < value ? &low : &high) = middle;
    }
    return high;
}

double carom_elastic_depth(const carom_elastic_kind *elastic, const double *constants, double energy)
{
    return depth_where(elastic, constants, true, energy, HUGE_VAL);
}

double carom_elastic_indentation(const carom_elastic_kind *elastic, const double *constants, double force, double limit)
{
    return depth_where(elastic, constants, false, force, limit);
}

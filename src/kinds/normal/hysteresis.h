/* The hysteresis family of contact damping, Fd = Fe(delta) A rate/v0: what its damping kinds share. A = chi v0/K is a
   number that depends on the restitution alone, v0 the impact velocity of the episode (Hunt and Crossley 1975). */
#ifndef CAROM_HYSTERESIS_H
#define CAROM_HYSTERESIS_H

#include "kinds/kind.h"

/* Stores the factor A [-] as c[0]; refuses one that is not a finite number. */
static inline const char *carom_hysteresis_prepare(double factor, double *c)
{
    c[0] = factor;
    return isfinite(factor) ? NULL : "the restitution is too small: the damping factor is infinite";
}

/* Fd [N] and its partial derivatives [N/m], [N s/m]. */
static inline void carom_hysteresis_force(const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    double gain = c[0] / in->v0; /* A/v0 [s/m] */
    double ratio = gain * in->rate;
    out->force = in->elastic * ratio;
    out->d_delta = in->elastic_slope * ratio;
    out->d_rate = in->elastic * gain;
}

/* The factor A, whatever the speed. */
static inline double carom_hysteresis_ratio(const double *c, double v0)
{
    (void)v0;
    return c[0];
}

#endif

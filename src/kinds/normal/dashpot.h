/* Dashpots of contact damping, Fd = coefficient delta^p rate: what their damping kinds share. */
#ifndef CAROM_DASHPOT_H
#define CAROM_DASHPOT_H

#include "base/base.h"
#include "kinds/kind.h"

#include <math.h>

/* Damping ratio zeta(e) = -ln e/sqrt(pi^2 + ln^2 e) of the linear oscillator that returns to delta = 0 with e times the
   speed of its onset; 1 for e = 0. */
static inline double carom_damping_ratio(double restitution)
{
    double decay = fabs(log(restitution));
    return restitution > 0 ? decay / hypot(CAROM_PI, decay) : 1;
}

/* delta^p; that of Hertz' contact, p = 1/4, by roots. */
static inline double carom_dashpot_power(double delta, double power)
{
    return power == 0.25 ? sqrt(sqrt(delta)) : pow(delta, power);
}

/* Fd [N] and its partial derivatives [N/m], [N s/m]; all zero for delta < 0. Where p is between 0 and 1 the derivative
   by delta is infinite at delta = 0, and zero is returned in its place. */
static inline void carom_dashpot_force(double coefficient, double power, const carom_damping_input *in,
                                       carom_damping_force *out)
{
    if (in->delta < 0) {
        *out = (carom_damping_force){0, 0, 0};
        return;
    }
    double gain = coefficient * carom_dashpot_power(in->delta, power);
    double slope = in->delta > 0 ? power * gain / in->delta * in->rate : 0;
    out->force = gain * in->rate;
    out->d_delta = isfinite(slope) ? slope : 0;
    out->d_rate = gain;
}

/* Empirical dashpots, c = {chi, p}, from parameters in that order. */
static inline const char *carom_empirical_prepare(const double *p, double *c)
{
    c[0] = p[0];
    c[1] = p[1];
    return NULL;
}

static inline void carom_empirical_force(const double *c, const carom_damping_input *in, carom_damping_force *out)
{
    carom_dashpot_force(c[0], c[1], in, out);
}

#endif

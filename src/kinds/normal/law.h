/* Normal contact laws: the elastic, damping and named-law kinds, and the powers that several elastic kinds evaluate. */
#ifndef CAROM_LAW_H
#define CAROM_LAW_H

#include "kinds/kind.h"

#define CAROM_KIND(symbol) extern const carom_elastic_kind carom_elastic_##symbol;
#include "kinds/normal/elastic/elastic.def"
#undef CAROM_KIND
#define CAROM_KIND(symbol) extern const carom_damping_kind carom_damping_##symbol;
#include "kinds/normal/damping/damping.def"
#undef CAROM_KIND
#define CAROM_KIND(symbol, ...) extern const carom_law_kind carom_law_##symbol;
#include "kinds/normal/named.def"
#undef CAROM_KIND

/* Fe = K delta: force [N], slope [N/m], energy [J]; all zero for delta <= 0 [m]. */
static inline void carom_linear_force(double stiffness, double delta, carom_elastic_force *out)
{
    if (delta <= 0) {
        *out = (carom_elastic_force){0};
        return;
    }
    out->force = stiffness * delta;
    out->slope = stiffness;
    out->energy = 0.5 * out->force * delta;
    out->loss = 0;
}

/* Fe = K delta^1.5. */
static inline void carom_three_halves_force(double stiffness, double delta, carom_elastic_force *out)
{
    if (delta <= 0) {
        *out = (carom_elastic_force){0};
        return;
    }
    double slope = stiffness * sqrt(delta);
    out->force = slope * delta;
    out->slope = 1.5 * slope;
    out->energy = 0.4 * out->force * delta;
    out->loss = 0;
}

/* Fe = K delta^n, n >= 1. */
static inline void carom_power_force(double stiffness, double exponent, double delta, carom_elastic_force *out)
{
    if (exponent == 1.5) {
        carom_three_halves_force(stiffness, delta, out);
    } else if (exponent == 1) {
        carom_linear_force(stiffness, delta, out);
    } else if (delta <= 0) {
        *out = (carom_elastic_force){0};
    } else {
        /* K delta^(n-1) is finite for n >= 1, so that neither part divides by delta */
        double secant = stiffness * (exponent == 2 ? delta : pow(delta, exponent - 1));
        out->force = secant * delta;
        out->slope = exponent * secant;
        out->energy = out->force * delta / (exponent + 1);
        out->loss = 0;
    }
}

#endif

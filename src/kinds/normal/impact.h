/* Closed forms of a free direct impact with the hysteresis family, F = K delta^n (1 + A rate/v0): m delta'' = -F from
   delta = 0 with the rate v0 until delta = 0 again, no other force, m the effective mass. A = chi v0/K >= 0 is a
   number.

   With g(y) = y - ln(1 + y) and w = rate/v0 the first integral is A^2 K delta^(n+1)/((n+1) m v0^2) = g(A) - g(A w), so
   that the restitution depends on A alone (Autiero et al. 2022, eq. (113)) and rate = -v0/A is never passed: no force
   of a free impact is tensile. */
#ifndef CAROM_IMPACT_H
#define CAROM_IMPACT_H

typedef struct carom_hysteresis_impact {
    double stiffness, exponent; /* K [N/m^n], n [-] */
    double factor;              /* A [-], >= 0 */
    double mass, speed;         /* m [kg], v0 [m/s] */
} carom_hysteresis_impact;

/* ln(1 + y) - y without cancellation at small y > -1. */
double carom_log1p_minus(double y);

/* Root y > 0 of g(y) = value >= 0, and root w in (0, 1) of g(-w) = value: y = A rate/v0 in compression, w = -A rate/v0
   in restitution. */
double carom_impact_root_above(double value);
double carom_impact_root_below(double value);

/* Restitution e' in (0, 1] of A, the root of A (1 + e') = ln((1 + A)/(1 - A e')); NAN for A < 0. */
double carom_achieved_restitution(double factor);

/* 1 - e'^2, the part of the kinetic energy that is lost; accurate for small A, too. */
double carom_impact_loss(double factor);

/* Greatest indentation [m]: K delta^(n+1)/(n+1) = m v0^2 (A - ln(1 + A))/A^2. */
double carom_impact_max_indentation(const carom_hysteresis_impact *impact);

/* Greatest force [N], and the indentation [m] and rate [m/s] where it acts (NULL: not wanted). With y = A w it lies at
   the root of n y = (n + 1)(g(A) - g(y)). */
double carom_impact_max_force(const carom_hysteresis_impact *impact, double *indentation, double *rate);

/* Time from onset to release [s], by quadrature to about 1e-12. */
double carom_impact_duration(const carom_hysteresis_impact *impact);

/* The same without damping, 2 sqrt(pi) Gamma(1 + p)/Gamma(p + 1/2) delta_max/v0 with p = 1/(n + 1) [s]: 2.9432 for
   Hertz, pi for a linear spring. */
double carom_impact_elastic_duration(double exponent, double max_indentation, double speed);

#endif

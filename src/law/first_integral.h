/* The free direct impact by its first integral: m delta'' = -F from delta = 0 with the rate v0, no other force, m the
   effective mass, F = Fe(delta)(1 + A rate/v0) with a number A >= 0, or A = 0 and an elastic part with history.

   With g(y) = y - ln(1 + y), w = rate/v0 and W(delta) the work of Fe from delta to the greatest indentation on the same
   branch, the first integral is A^2 W(delta)/(m v0^2) = g(A w): the restitution depends on A alone, whatever Fe is.
   Without damping m v0^2 w^2/2 = W(delta) on each branch. Power laws have the closed forms of kinds/normal/impact.h,
   others take one quadrature. */
#ifndef CAROM_FIRST_INTEGRAL_H
#define CAROM_FIRST_INTEGRAL_H

#include "law/free_impact.h"

typedef struct carom_first_integral {
    const carom_elastic_kind *elastic;
    const double *constants;    /* of the elastic part */
    double factor;              /* A [-], >= 0; 0 where the elastic part has history */
    double mass, speed;         /* m [kg], v0 [m/s] */
    bool brief;                 /* restitution and greatest indentation only: a hundredth of the work */
} carom_first_integral;

/* Solves the impact into a solution that is zero: achieved restitution, loss, depth, peak, duration, history. Returns
   false if the elastic part does not reach the energy of the impact within its limit; then out->max_indentation is the
   limit. */
bool carom_first_integral_solve(const carom_first_integral *impact, carom_free_solution *out);

/* Motion at `count` >= 3 instants from onset to the end of the force, as carom_free_impact_motion(). */
void carom_first_integral_motion(const carom_first_integral *impact, const carom_free_solution *solution, size_t count,
                                 double *time, double *delta, double *rate, double *force);

#endif

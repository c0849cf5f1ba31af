/* The free direct impact of any elastic part, exactly: m delta'' = -F from delta = 0 with the rate v0, no other force, m
   the effective mass, F = Fe(delta)(1 + A rate/v0) with a number A >= 0, or A = 0 and an elastic part with memory.

   With g(y) = y - ln(1 + y), w = rate/v0 and W(delta) the work of Fe from delta to the greatest indentation on the same
   branch, the first integral is A^2 W(delta)/(m v0^2) = g(A w): the restitution depends on A alone, whatever Fe is. Without
   damping m v0^2 w^2/2 = W(delta) on each branch. Power laws have the closed forms of kinds/normal/impact.h. */
#ifndef CAROM_IMPACT_GENERAL_H
#define CAROM_IMPACT_GENERAL_H

#include "kinds/kind.h"

typedef struct carom_free_impact {
    const carom_elastic_kind *elastic;
    const double *constants;    /* of the elastic part */
    double factor;              /* A [-], >= 0; 0 where the elastic part has memory */
    double mass, speed;         /* m [kg], v0 [m/s] */
    bool brief;                 /* restitution and greatest indentation only: a hundredth of the work */
} carom_free_impact;

typedef struct carom_free_solution {
    double restitution;         /* speed of separation over v0 */
    double loss;                /* 1 - restitution^2, accurate where it is small */
    double max_indentation;     /* [m] */
    double end;                 /* indentation at which the force ends for good [m], 0 without memory */
    double peak_force;          /* [N] */
    double peak_indentation, peak_rate; /* [m], [m/s] at the greatest force */
    double duration;            /* from onset to the end of the force [s] */
    double memory[2][CAROM_LAW_MEMORY]; /* in compression and in restitution */
} carom_free_solution;

/* Solves the impact. Returns false if the elastic part does not reach the energy of the impact within its limit; then
   out->max_indentation is the limit. */
bool carom_free_impact_solve(const carom_free_impact *impact, carom_free_solution *out);

/* Motion at `count` >= 3 instants from onset to the end of the force, close where the motion turns: time [s], indentation
   [m], rate [m/s], force [N]. The greatest indentation is among them if `count` is odd. */
void carom_free_impact_loop(const carom_free_impact *impact, const carom_free_solution *solution, size_t count,
                            double *time, double *delta, double *rate, double *force);

#endif

/* Constraint methods: what keeps positions and velocities on the constraints while accelerations are integrated. */
#ifndef CAROM_STABILIZATION_H
#define CAROM_STABILIZATION_H

#include "kinds/kind.h"

/* Most numbers of the parameters of a stabilization. */
#define CAROM_STABILIZATION_PARAMS 8

typedef struct carom_stabilization_kind {
    carom_kind kind;
    const carom_stabilization_kind_def *outside;  /* NULL: built in */
    bool projects;              /* the state is projected between steps */
    /* Share by which the diagonal of S = J M^-1 J^T is raised for the multipliers, and how often what that leaves is
       solved for: 1 once, so that constraints yield. NULL: they are those of S. */
    double (*softness)(const double *p);
    int rounds;
    bool orthogonal;            /* the multipliers are those of an orthogonal decomposition of the rows */
    /* At each evaluation the state is closed onto the constraints: least in the metric of the mass matrix, or, `parts`,
       by dependent coordinates alone. The integrator is Dopri5. */
    bool closes, parts;
    bool index2;                /* held by an integrator of its own, on positions and velocities */
    /* Fills parameters that are not given, and NaN, for a motion of so many of its time scales a second [1/s]; NULL: it
       has none. */
    void (*suit)(double *p, double rate);
    /* What is subtracted from the right-hand side of J a = gamma, from the violations Phi and Phi'. `p` are the
       compiled parameters. NULL: nothing. */
    double (*correction)(const double *p, double phi, double phi_rate);
} carom_stabilization_kind;

#define CAROM_KIND(symbol) extern const carom_stabilization_kind carom_stabilization_##symbol;
#include "kinds/stabilization/stabilization.def"
#undef CAROM_KIND

#endif

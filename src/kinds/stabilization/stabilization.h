/* Constraint methods: what keeps positions and velocities on the constraints while accelerations are integrated. */
#ifndef CAROM_CONSTRAINT_H
#define CAROM_CONSTRAINT_H

#include "kinds/kind.h"

typedef struct carom_constraint_kind {
    carom_kind kind;
    bool projects;              /* the state is projected between steps */
    /* What is subtracted from the right-hand side of J a = gamma, from the violations Phi and Phi'. `p` are the compiled
       parameters. NULL: nothing. */
    double (*correction)(const double *p, double phi, double phi_rate);
} carom_constraint_kind;

#define CAROM_KIND(symbol) extern const carom_constraint_kind carom_constraint_##symbol;
#include "kinds/stabilization/stabilization.def"
#undef CAROM_KIND

#endif

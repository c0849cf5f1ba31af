/* Analysis modes: what its files share. Everything is in absolute coordinates. */
#ifndef CAROM_MODES_H
#define CAROM_MODES_H

#include "analysis/equilibrium/equilibrium.h"

/* The motion beside a state, dz/dt = A z + B u, y = C z + D u: z are f displacements along the motions that are
   allowed, their f rates, and what else has a rate (states of friction laws, the user's, those of loads); u are the
   inputs of the model, y its outputs. Matrices are by columns. */
typedef struct carom_linear {
    carom_balance *b;
    int f, more, n;             /* freedoms, further states, all: 2 f + more */
    int inputs, outputs;        /* of the model: inputs without a record, and outputs; */
    int *input;                 /* which they are */
    double *q, *v, *states;     /* the state: positions, velocities, further states */
    double *measure;            /* f x columns, row by row: motion z of velocities x, N^T M */
    double *a, *in, *out, *through;     /* n x n, n x inputs, outputs x n, outputs x inputs */
    double *rate[6], *value[6]; /* of the differences: rates of z, and outputs */
    double *measures;           /* of expressions */
    int *switches;
    double *step, *acceleration;        /* velocities of all bodies */
    double *change, *steps;     /* of z and u; and the steps of their differences */
    double speed;               /* [m/s] of the differences by rates */
} carom_linear;

/* ---- linear.c ---- */

/* At the state of `b`, which is evaluated and whose motions are found. Errors: CAROM_ERROR_MEMORY, CAROM_ERROR_SOLVER
   (no accelerations beside it). */
carom_status carom_linear_make(carom_analysis *a, carom_balance *b, const double *v, carom_linear *out);

/* ---- coordinates.c ---- */

/* Velocity k of all bodies: "x", "rz", "angle"; whether it is a turn. */
const char *carom_linear_part(const carom_balance *b, int k);
bool carom_linear_turns(const carom_balance *b, int k);

/* Gives z the meaning of joint coordinates, or of coordinates of bodies, and of their rates: changes the matrices, and
   puts the displacements of the allowed motions by the new coordinates, f x f, into `back`. `names` has room for n
   names, which the arena of the analysis owns. Errors: CAROM_ERROR_MEMORY, CAROM_ERROR_SOLVER. */
carom_status carom_linear_name(carom_analysis *a, carom_linear *l, double *back, const char **names);

#endif

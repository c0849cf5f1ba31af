/* Analysis modes: what its files share. Everything is in absolute coordinates. */
#ifndef CAROM_MODES_H
#define CAROM_MODES_H

#include "analysis/equilibrium/equilibrium.h"

/* Axes of the coordinates of bodies: of the world, or that turn with each body, for its turns or for its places too. */
typedef enum carom_linear_axes {
    CAROM_LINEAR_WORLD,
    CAROM_LINEAR_TURNS,
    CAROM_LINEAR_BODIES
} carom_linear_axes;

/* The motion beside a state, dz/dt = A z + B u, y = C z + D u: z are f displacements of the coordinates, their f rates,
   and what else has a rate (states of friction laws, the user's, those of loads); u are the inputs of the model, y its
   outputs. While it is made the coordinates are taken along the allowed motions, T^-1 c. Matrices are by columns. */
typedef struct carom_linear {
    carom_balance *b;
    int f, more, n;             /* freedoms, further states, all: 2 f + more */
    int inputs, outputs;        /* of the model: inputs without a record, and outputs; */
    int *input;                 /* which they are */
    int *chosen;                /* the f coordinates: joints, behind them the velocities of bodies */
    bool moves;                 /* the state has velocities */
    carom_linear_axes axes_of;  /* what of bodies is in axes that turn with them: */
    carom_mat3 *axes, *home;    /* world axes as each body has turned them, since it had these axes of its own */
    double *q, *v, *states;     /* the state: positions, velocities, further states */
    double *at_state;           /* its accelerations */
    double *t, *back;           /* f x f: coordinates by the allowed motions, by rows; its inverse */
    double *a, *in, *out, *through;     /* n x n, n x inputs, outputs x n, outputs x inputs */
    double *here, *slope, *room;        /* rates of z and outputs of the state; by one number, and room for that */
    int changed;                /* the number of z and u by which it is differenced */
    double doubt;               /* share of the accelerations that the differences leave open, by the number: */
    int doubtful;
    double *own_rate, *own_acceleration;        /* of the coordinates where it was evaluated last */
    double *left;               /* of the rows of the constraints */
    double *measures;           /* of expressions */
    int *switches, *pivot;
    double *factors;
    double *step;               /* displacement of all bodies */
    double *change, *steps;     /* of x, w, further states and u; and the steps of their differences */
    double speed;               /* [m/s] of the differences by rates */
} carom_linear;

/* ---- linear.c ---- */

/* Room for it, and the coordinates, at the state of `b`, which is evaluated and whose motions are found. Errors:
   CAROM_ERROR_MEMORY, CAROM_ERROR_SOLVER (no coordinates tell the motions apart). */
carom_status carom_linear_create(carom_analysis *a, carom_balance *b, carom_linear *out);
/* Beside the state of the balance with the velocities v, NULL: at rest; turns the basis of the motions, which have to
   be those of the state. Errors: CAROM_ERROR_SOLVER (no accelerations beside it). */
carom_status carom_linear_make(carom_linear *l, const double *v);
/* T and its inverse at the motions of the balance; and T^-1 c. Errors: CAROM_ERROR_SOLVER. */
carom_status carom_linear_chart(carom_linear *l);
void carom_linear_in_basis(const carom_linear *l, const double *c, double *out);
/* Largest acceleration of a body that those of the coordinates make in the state, turns in lengths [m/s^2]. */
double carom_linear_acceleration(const carom_linear *l);

/* What a further state, counted from 0, is compared with: its scale, or its size. */
double carom_linear_state_scale(const carom_linear *l, int k);

/* ---- zeros.c ---- */

/* What has the eigenvalue 0: eigenvectors (of z, in the allowed motions), first motions, then states of the user and of
   loads alone, each with a coordinate or state that no other has; not those of states of friction laws alone, which no
   force and no rate feels. And how many eigenvalues are 0, of all. */
typedef struct carom_linear_zeros {
    int count, motions, eigenvalues;
    double *vectors;
} carom_linear_zeros;

/* What makes no eigenvalue above `none` [1/s] is none. Before names are taken. Errors: CAROM_ERROR_MEMORY,
   CAROM_ERROR_SOLVER. */
carom_status carom_linear_find_zeros(carom_analysis *a, const carom_linear *l, double none, carom_linear_zeros *out);

/* ---- steady.c ---- */

/* How fast the state moves: spins, and speeds over the model's length [1/s]. */
double carom_linear_speed(const carom_linear *l);
/* Contacts, forces and accelerations where the bodies of the balance are, with the velocities v. */
carom_status carom_linear_settle(carom_balance *b, const double *v, bool *found);
/* Whether the coordinates accelerate by less than `small` [m/s^2], and the linear system stays the same a little later.
   If it does not in world axes, turns of bodies, and then their places too, are taken in axes that turn with them where
   it does in these. */
carom_status carom_linear_steady(carom_analysis *a, carom_linear *l, double small, bool *steady);

/* ---- coordinates.c ---- */

/* Velocity k of all bodies: "x", "rz", "angle"; whether it is a turn. */
const char *carom_linear_part(const carom_balance *b, int k);
bool carom_linear_turns(const carom_balance *b, int k);

/* Coordinates that tell the allowed motions apart. Errors: CAROM_ERROR_MEMORY, CAROM_ERROR_SOLVER. */
carom_status carom_linear_choose(carom_analysis *a, carom_linear *l);
/* How much each of them moves in each allowed motion: T, by rows. */
void carom_linear_rows(const carom_linear *l, double *out);
/* Turns the axes with the bodies, where they do, to the poses of the evaluation. */
void carom_linear_set_axes(carom_linear *l);
/* Their rates in the state that is evaluated, of turns in space the angular velocity. */
void carom_linear_own_rates(const carom_linear *l, double *out);
/* Their rates and accelerations there as those of displacements from l->q and l->v, by l->step. */
void carom_linear_rates(const carom_linear *l, double *rate, double *acceleration);
/* Of one: lengths for it, 1 or the model's length. */
double carom_linear_scale(const carom_linear *l, int number);
/* Whether one is of a body that spins. */
bool carom_linear_spins(const carom_linear *l);
/* Takes z from T^-1 c to the coordinates c and their rates: changes the matrices. */
void carom_linear_take_names(carom_linear *l);
/* The names of z; the arena of the analysis owns them. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_linear_name(carom_analysis *a, const carom_linear *l, const char **names);

/* ---- further.c ---- */

/* The name of a further state, counted from 0: "state.temperature", "load.tyre.slip", "friction.1". */
void carom_linear_further(const carom_linear *l, int k, char *text, size_t size);
/* Whether no body moves in an eigenvector of z (imaginary part NULL: it is real), of further states alone; then the
   largest of them in words. */
bool carom_linear_stands(const carom_linear *l, const double *real, const double *imaginary, char *text, size_t size);

#endif

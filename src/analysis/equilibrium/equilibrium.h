/* Analysis equilibrium: what its files share. Everything is in absolute coordinates. */
#ifndef CAROM_EQUILIBRIUM_H
#define CAROM_EQUILIBRIUM_H

#include "analysis/analysis.h"
#include "dynamics/assembly.h"
#include "dynamics/dynamics.h"

/* Beyond so many velocities or rows it is refused: the decompositions would take minutes. */
#define CAROM_EQUILIBRIUM_MOST 900

typedef struct carom_balance {
    carom_context *ctx;
    const carom_model *m;
    carom_evaluation *d;
    carom_state *s;             /* in absolute coordinates, at rest */
    int size, columns;          /* velocities of a body and of all */
    /* What the forces leave at the state: M a of bodies, without the inertia of armatures; and its size, sqrt(a M a),
       beside that of the forces that act. */
    double *force, residual, scale;
    /* Motions x that constraints, and contacts and joints whose friction holds, allow: by columns, x M x = 1. */
    double *basis;
    int width;                  /* how many they are */
    int held, rank;             /* rows of the constraints, and independent ones among them */
    double *stiffness;          /* width x width: loss of force along each by motion along each [1/s^2] */
    double *eigenvalue, *eigenvector;   /* of its symmetric part, the least first; width of them */
    double none;                /* an eigenvalue that is none [1/s^2] */
    double *q;                  /* a copy of the positions */
    double *rows, *scaled, *singular, *vt, *column, *change, *step, *work;
    bool *loose;                /* joints whose reactions are not unique */
    bool *kept;                 /* radii of contacts whose constants are made once */
    int iterations, damped;     /* steps, and of these damped ones */
} carom_balance;

/* ---- balance.c: forces, motions that are allowed, stiffness ---- */

carom_status carom_balance_create(carom_analysis *a, carom_evaluation *d, carom_state *s, carom_balance *out);
/* Opens the contacts whose shapes overlap at the positions, closes the others, and finds what the forces leave. */
carom_status carom_balance_evaluate(carom_balance *b, bool *found);
/* The allowed motions where it was evaluated. */
carom_status carom_balance_motions(carom_balance *b);
/* Finds the joints whose reactions are not the only ones that balance; and whether one is none of them. */
carom_status carom_balance_unique(carom_balance *b);
bool carom_balance_is_unique(const carom_balance *b, int joint);
/* Force along each of them. */
void carom_balance_along(const carom_balance *b, double *out);
/* Tangent stiffness and its eigenvalues, by central differences. */
carom_status carom_balance_stiffness(carom_balance *b);
/* Velocities of the motion that is c of the allowed ones. */
void carom_balance_motion(const carom_balance *b, const double *c, double *x);
/* Largest displacement [m] and turn [rad] of a body in a motion. */
void carom_balance_reach(const carom_balance *b, const double *x, double *length, double *angle);

/* ---- search.c ---- */

/* Moves the state into an equilibrium. Errors: CAROM_ERROR_MODEL where there is none. */
carom_status carom_balance_search(carom_balance *b);

/* ---- names.c ---- */

#define CAROM_MOTION_NAME 200
/* The motion x in words: "'pin' turns". */
void carom_balance_name(const carom_balance *b, const double *x, char *text, size_t size);
/* The motions without stiffness in words, whose eigenvalues are `count` from `first` on: of these, which are known but
   for their combinations, each is taken that one joint or body names. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_balance_neutral(const carom_balance *b, int first, int count, char (*names)[CAROM_MOTION_NAME]);

#endif

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
       beside that of the forces that act, each for itself. */
    double *force, residual, scale;
    /* Motions x that constraints, and contacts and joints whose friction holds, allow: by columns, x M x = 1. */
    double *basis;
    int width;                  /* how many they are */
    int held, rank;             /* rows of the constraints, and independent ones among them */
    double *stiffness;          /* width x width: loss of force along each by motion along each [1/s^2] */
    double *eigenvalue, *eigenvector;   /* its own, real parts, the least first; width of them */
    double *imaginary;          /* parts of the eigenvalues; 0 of a stiffness that has a potential */
    double none;                /* an eigenvalue that is none [1/s^2] */
    double *q;                  /* a copy of the positions */
    double *here;               /* forces along the motions at the pose; room for derivatives behind them */
    int moved;                  /* the motion along which it is moved */
    double doubt;               /* share of the stiffness that its differences leave open, along the motion: */
    int doubtful;
    double *rows, *scaled, *singular, *vt, *column, *change, *step, *work;
    bool *loose;                /* joints whose reactions are not unique */
    bool *kept;                 /* radii of contacts whose constants are made once */
    bool branches_stay;         /* of loads, as stops are, and of expressions: beside a pose they are that pose's */
    bool deflected_hold;        /* friction that holds by a deflection holds, whatever that is: carom_balance_hold() */
    double way;                 /* sum of the longest motions in all steps, turns by the model's length [m] */
    int iterations, damped;     /* steps, and of these damped ones */
    int *found, found_count;    /* states of the user whose rates are brought to 0; the others are held */
    int restless;               /* of these, the one that the last step changed most, of its size */
    bool rate_factored;         /* the derivatives of the rates of these are factored: */
    double *rate_factors, *rate_column, *rate_sizes;
    int *rate_pivot;
    int load_steps;             /* steps of the loads of a continuation; 0: there was none */
} carom_balance;

/* Positions, and the turns of joints there. */
typedef struct carom_balance_place {
    double *q, *coordinate;
} carom_balance_place;

/* ---- balance.c: forces, motions that are allowed, stiffness ---- */

/* Runs an analysis in absolute coordinates: `run` gets an evaluation and the state of the analysis in these, which then
   becomes the analysis' own; while it runs, a->state is that one. */
carom_status carom_balance_run(carom_analysis *a,
                               carom_status (*run)(carom_analysis *a, carom_evaluation *d, carom_state *s));
/* Where the search for an equilibrium begins: assembled, or where the run before it ended, and at rest. `dropped`:
   velocities were left out. */
carom_status carom_balance_begin(carom_analysis *a, carom_evaluation *d, carom_state *s, carom_balance *out,
                                 bool *dropped);
carom_status carom_balance_create(carom_analysis *a, carom_evaluation *d, carom_state *s, carom_balance *out);
/* Whether friction that holds by a deflection takes the force that it needs, as friction does that solves for stick;
   else the one that its deflection makes. */
void carom_balance_hold(carom_balance *b, bool deflected);
/* Whether friction of a law holds. */
bool carom_balance_law_holds(const carom_balance *b, const carom_friction_kind *law);
/* Whether that of an open contact holds, and has some of its force left. */
bool carom_balance_holds(const carom_balance *b, int contact);
/* Opens the contacts whose shapes overlap at the positions, closes the others, takes the branches of loads and
   expressions there, with coordinates of joints that turn next to those before, and finds what the forces leave. */
carom_status carom_balance_evaluate(carom_balance *b, bool *found);
/* Room for a place; false: there is no memory. To keep the state's there, and to give the state a place. */
bool carom_balance_place_create(const carom_balance *b, carom_arena *arena, carom_balance_place *out);
void carom_balance_keep(const carom_balance *b, carom_balance_place *to);
void carom_balance_return(carom_balance *b, const carom_balance_place *to);
/* Goes from a place along a motion, back onto the constraints, and evaluates; false: it cannot be. */
carom_status carom_balance_move(carom_balance *b, const carom_balance_place *from, const double *x, bool *found);
/* Residual of an equilibrium: small among the forces that act, or what the last digits of the positions make. */
double carom_balance_small(const carom_balance *b);
/* Length of a motion of all bodies by 1 m, in the metric of the mass matrix. */
double carom_balance_root_of_mass(const carom_balance *b);
/* The allowed motions where it was evaluated. */
carom_status carom_balance_motions(carom_balance *b);
/* Finds the joints whose reactions are not the only ones that balance; and whether one is none of them. */
carom_status carom_balance_unique(carom_balance *b);
bool carom_balance_is_unique(const carom_balance *b, int joint);
/* Force along each of them. */
void carom_balance_along(const carom_balance *b, double *out);
/* Tangent stiffness and its eigenvalues, by central differences; `told`: their steps are looked for. */
carom_status carom_balance_stiffness(carom_balance *b, bool told);
/* Step of a difference along a motion: these shares of the model's length and of the indentation of each contact. */
double carom_balance_difference(const carom_balance *b, const double *x, double of_length, double of_depth);
/* What rounding of the places makes of a displacement along a motion. */
double carom_balance_rounded(const carom_balance *b, const double *x);
/* What the forces along the motions are known to, besides rounding. */
double carom_balance_blur(const carom_balance *b);
#define CAROM_STEP_LENGTH 1e-6
#define CAROM_STEP_DEPTH 1e-3
/* The longest ones of differences of order 6 whose step is looked for. */
#define CAROM_LONGEST_LENGTH 1e-3
#define CAROM_LONGEST_DEPTH 0.02
/* M x of a body, from 1. */
void carom_balance_times_mass(const carom_balance *b, int body, const double *x, double *out);
/* Velocities of the motion that is c of the allowed ones. */
void carom_balance_motion(const carom_balance *b, const double *c, double *x);
/* Largest displacement [m] and turn [rad] of a body in a motion. */
void carom_balance_reach(const carom_balance *b, const double *x, double *length, double *angle);

/* Share of what is differenced that is told if it is left open, and its sentence: along `motion`. */
#define CAROM_BALANCE_OPEN 1e-4
carom_status carom_balance_say_open(carom_analysis *a, double doubt, const char *motion, int table);

/* ---- states.c ---- */

/* Finds which states of the user have rates that tell where they rest, and brings them there. */
carom_status carom_balance_find_states(carom_analysis *a, carom_balance *b);
/* Evaluates at the positions with these states where they rest there; false: it cannot be. */
bool carom_balance_rest(carom_balance *b);
/* Sentences on states that were found, and on states and loads that are held though they would change. */
carom_status carom_balance_say_states(carom_analysis *a, const carom_balance *b, int table);

/* ---- deflections.c ---- */

/* Gives friction that holds by a deflection the one that makes its force, where it was evaluated, and lets it hold by
   that from then on. */
void carom_balance_deflect(carom_balance *b);

/* ---- search.c ---- */

/* Moves the state into an equilibrium, which friction that holds by a deflection has its part in: the deflections are
   those of its forces then. Errors: CAROM_ERROR_MODEL where there is none. */
carom_status carom_balance_search(carom_balance *b);

/* ---- continuation.c ---- */

/* Goes from the state, whose forces are not balanced, to an equilibrium by taking them on in steps. */
carom_status carom_balance_continue(carom_balance *b, bool *found);

/* ---- names.c ---- */

#define CAROM_MOTION_NAME 200
/* The motion x in words: "'pin' turns". */
void carom_balance_name(const carom_balance *b, const double *x, char *text, size_t size);
/* The motions without stiffness in words, whose eigenvalues are `count` from `first` on: of these, which are known but
   for their combinations, each is taken that one joint or body names. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_balance_neutral(const carom_balance *b, int first, int count, char (*names)[CAROM_MOTION_NAME]);

#endif

/* Analysis inverse-dynamics: what its files share. Everything is in absolute coordinates. */
#ifndef CAROM_INVERSE_H
#define CAROM_INVERSE_H

#include "analysis/analysis.h"
#include "dynamics/assembly.h"
#include "dynamics/dynamics.h"

/* Beyond so many velocities or rows it is refused: the decompositions would take minutes. */
#define CAROM_INVERSE_MOST 900

/* A coordinate that is prescribed, or along which an actuator acts, or both. */
typedef struct carom_drive {
    const char *name;           /* of the joint, or "body.x" */
    bool turns;                 /* the coordinate is an angle */
    int joint;                  /* -1: a motion of a body */
    int block;                  /* of a prescribed motion, -1: none */
    int load;                   /* motor with a target, -1: none */
    int target;                 /* expression of that, -1: it is constant: */
    double constant;
    bool prescribes, acts;
    bool unique;                /* its effort is the only one that makes the motion */
    double coordinate, rate, acceleration, effort;
    double passed, passed_time; /* largest share of the limit of its motor, and when */
    carom_row row;
} carom_drive;

typedef struct carom_inverse {
    carom_context *ctx;
    const carom_place *place;   /* of the analysis in the model file */
    const carom_model *m;
    carom_evaluation *d;
    carom_state *s;             /* in absolute coordinates */
    int size, columns;          /* velocities of a body and of all */
    carom_drive *drives;
    int drive_count, actuators;
    int *held, *held_block;     /* constraint rows that are no drive's, and their blocks */
    int held_count, count;      /* of these; and with those of the drives, which come behind them */
    double *rows, *scaled;      /* over the velocities; in the metric of the mass matrix: J C, C C^T = M^-1 */
    double *violation;          /* of positions, of each row */
    bool *angle, *velocity_only;
    carom_orthogonal *all, *joints;     /* decompositions of those that prescribe the motion, and of `held` */
    double *b, *y, *x;          /* right-hand side; multipliers; accelerations as C x */
    double *acceleration, *load, *rest, *column, *basis, *effort;
    bool *unique;               /* of each constraint row: its multiplier is the only one that balances */
    int freedoms, rank, spare;  /* of the mechanism without drives; of `held`; efforts that are not determined */
    int sticking;               /* most places at once whose friction holds */
    double *beyond;             /* of each load that stops a joint, how far that was beyond its limit at most */
    double *overlap;            /* of each contact, how deep its shapes lie in each other at the start [m] */
    bool touching;              /* contacts have been looked at */
    int missed;                 /* contact whose beginning or end was not located, -1: none, */
    double missed_time;         /* and when */
    double branch_time;         /* whose branches expressions and records have: within the piece that was passed [s] */
    double position_residual, force_residual;   /* largest so far */
} carom_inverse;

/* ---- inverse_drives.c: what is prescribed, and what acts ---- */

carom_status carom_inverse_create(carom_analysis *a, carom_evaluation *d, carom_state *s, carom_inverse *out);
void carom_inverse_free(carom_inverse *w);
/* Motors with a target act as loads again. */
void carom_inverse_release_motors(carom_inverse *w);
/* Refuses a motion that is not wholly prescribed, and actuators that cannot make it, and tells which efforts and
   reactions are the only ones; at the start. */
carom_status carom_inverse_check(carom_analysis *a, carom_inverse *w);

/* ---- inverse_motion.c: positions, velocities and accelerations that are prescribed ---- */

/* Rows of constraints and drives at the poses and the time of the state. */
void carom_inverse_rows(carom_inverse *w);
/* Parts into which a way of h [s] from the state is to be divided, so that bodies turn and move little in each. */
int carom_inverse_steps(const carom_inverse *w, double h);
/* Time behind that of the state at which expressions of the time or records have another branch. */
double carom_inverse_next_break(const carom_inverse *w);
/* From the state at its time to that of the time t, no further than the next break: there it is the motion before it,
   and the one behind it where t is the time of the state. Errors: CAROM_ERROR_SOLVER. */
carom_status carom_inverse_move(carom_inverse *w, double t);

/* Of forces over the scaled velocities what constraints bear is taken off, by the decomposition of `joints`; their
   multipliers are in `y`. */
void carom_inverse_project(carom_inverse *w, double *x);
double carom_inverse_product(const carom_inverse *w, const double *a, const double *b);
/* Row k of `scaled`. */
static inline const double *carom_inverse_row(const carom_inverse *w, int k)
{
    return w->scaled + (size_t)k * (size_t)w->columns;
}

/* ---- inverse_mark.c: instants that are gone back to ---- */

typedef struct carom_inverse_mark {
    carom_state *s;
    carom_drive *drives;
    double *acceleration, *beyond;
    bool touching;
    int sticking;
    double position_residual, force_residual;
} carom_inverse_mark;

carom_status carom_inverse_mark_create(carom_analysis *a, const carom_inverse *w, carom_inverse_mark *out);
void carom_inverse_mark_free(carom_inverse_mark *mark);
carom_status carom_inverse_keep(const carom_inverse *w, carom_inverse_mark *mark);
/* Poses are then those of the mark; forces are not. */
carom_status carom_inverse_go_back(carom_inverse *w, const carom_inverse_mark *mark);

/* ---- inverse_events.c: when contacts begin and end ---- */

/* Two instants with the first beginning or end of a contact between them. */
typedef struct carom_inverse_event {
    bool found;
    double before, after;       /* [s] */
} carom_inverse_event;

typedef struct carom_inverse_search carom_inverse_search;

carom_status carom_inverse_search_create(carom_analysis *a, const carom_inverse *w, carom_inverse_search **out);
void carom_inverse_search_free(carom_inverse_search *search);
/* The first one between the state and the time t, no further than one part of carom_inverse_steps(); the state stays
   where it is. Errors: CAROM_ERROR_SOLVER. */
carom_status carom_inverse_next_event(carom_inverse *w, carom_inverse_search *search, double t,
                                      carom_inverse_event *out);
/* Whether a contact begins, or one that is open ends, by its gap. */
bool carom_inverse_turns(const carom_model *m, const carom_episode *e, double gap);

/* ---- inverse_path.c: sums over the motion ---- */

/* Of an actuator. */
typedef struct carom_actuator_sums {
    double peak, peak_time, speed, power, braking, square, work;
} carom_actuator_sums;

/* Of the reactions of a joint. */
typedef struct carom_joint_sums {
    double force, force_time, moment, moment_time;
} carom_joint_sums;

/* Sums of all. */
typedef struct carom_inverse_totals {
    double samples, peak_power;
} carom_inverse_totals;

typedef struct carom_path {
    carom_inverse w;
    carom_actuator_sums *actuators, *kept_actuators;
    carom_joint_sums *joints, *kept_joints;
    carom_inverse_totals totals, kept_totals;
    double *power;              /* of each drive at the five instants of a step [W] */
    carom_inverse_mark mark;
    carom_inverse_search *search;
    carom_analysis_cell *row;   /* of the table of efforts */
    double *before;             /* positions as the model file has them */
    double start, until, energy;
    double strongest;           /* power of a step so far [W] */
} carom_path;

carom_status carom_path_create(carom_analysis *a, carom_path *p);
void carom_path_free(carom_path *p);
double carom_path_energy(const carom_inverse *w);
/* Motion and forces at the time t; they count in the sums with a weight, the instant's in an integral over time [s]. */
carom_status carom_path_sample(carom_path *p, double t, double weight);
/* From the instant that was sampled to t; where the motion or a force has a break there it is sampled behind it as
   well, but not at the end of the run. */
carom_status carom_path_advance(carom_path *p, double t);

/* ---- inverse_contacts.c ---- */

/* Forces of contacts at the state, as wrenches of the evaluation; `sticking`: those whose friction is not told. */
carom_status carom_inverse_contacts(carom_inverse *w, int *sticking);

/* ---- inverse_remarks.c ---- */

/* Notes limits that are passed where forces were found. */
void carom_inverse_note(carom_inverse *w);
/* Sentences, each a row of a table. */
carom_status carom_inverse_remark(carom_analysis *a, const carom_inverse *w, int table);

/* ---- inverse_forces.c ---- */


/* Efforts and reactions at the state, in the evaluation. Errors: CAROM_ERROR_SOLVER. */
carom_status carom_inverse_forces(carom_inverse *w);

#endif

/* Assembly: positions and velocities onto the constraints of joints and prescribed motions. It works on a system and a
   state; the evaluation that it is given is its workspace, and holds the poses and constraint rows of the state
   afterwards. */
#ifndef CAROM_ASSEMBLY_H
#define CAROM_ASSEMBLY_H

#include "base/warnings.h"
#include "carom/simulation.h"
#include "dynamics/system.h"

/* ---- assembly.c: the start of a model ---- */

typedef struct carom_start {
    bool *redundant;            /* rows that depend on earlier ones: buffer of the caller, one a row */
    double *written;            /* violations of the rows at the poses of the model: likewise; NULL: not wanted */
    bool *angles;               /* which of them are angles [rad], the others lengths [m]: likewise, with `written` */
    int rank;
    double residual;            /* largest violation of positions [m or rad] */
    double moved;               /* largest distance by which a body was moved [m] */
    double velocity_residual;   /* largest difference from what is given or asked of velocities */
    int driven;                 /* joint whose motion begins far from where the model has its bodies, -1: none; */
    double driven_from, driven_to; /* its coordinate there, and where the motion begins [m or rad] */
} carom_start;

/* Moves a state from where the model has its bodies onto the constraints at the state's time, gives it velocities that
   keep what is given with the least norm in the metric of the mass matrix, and sets the branches. Tells the system
   whether rows are redundant. Errors: CAROM_ERROR_MODEL (with the joint or body that does not fit, and its place),
   CAROM_ERROR_MEMORY. */
carom_status carom_assembly_start(carom_evaluation *d, carom_state *s, carom_start *out);
/* Branches of expressions as the time of the state has them, measures as they are. */
void carom_assembly_switches(carom_evaluation *d, carom_state *s);
/* Poses and constraint rows of a state, and which of these depend on earlier ones; tells the system whether any
   does. */
carom_status carom_assembly_rank(carom_evaluation *d, const carom_state *s, bool *redundant, int *rank);
/* Takes a state in absolute coordinates over into those of another formulation. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_assembly_take(carom_evaluation *d, const carom_state *from, carom_state *to);
/* Branches of expressions and loads, and joint coordinates, as the state has them. */
void carom_assembly_branches(carom_evaluation *d, carom_state *s);

/* ---- assembly_open.c: what was open where the model has its bodies ---- */

/* What a block of rows had open, behind carom_assembly_start() with `written`; without a name. */
carom_initial_gap carom_assembly_open_of(const carom_start *start, const carom_constraint_block *block);
/* The warning of bodies that the assembly has moved far, by a motion or by a joint that was open; false: none. */
bool carom_assembly_warning(const carom_model *model, const carom_start *start, carom_warning_code *code, char *text,
                            size_t size);

/* ---- assembly_state.c: a state of the caller ---- */

/* Moves it onto the constraints and to the wishes in it. `def` and `out` may be NULL. */
carom_status carom_assembly_move(carom_evaluation *d, carom_state *state, const carom_assembly_def *def,
                                 carom_assembly *out);

/* ---- assembly_rows.c: rows J v = b over the velocities, in order of precedence ---- */

/* "joint 'pin', row 2" */
void carom_row_name(const carom_model *model, int row, char *text, size_t size);
/* The same without the row's number: its joint or motion. */
void carom_row_part_name(const carom_model *model, int row, char *text, size_t size);
/* Where the joint or body of a row stands in the model file. */
const carom_place *carom_row_place(const carom_model *model, int row);

/* Where a row comes from: a constraint row, what is given for a joint or a body, or the ideal joint instead of one with
   clearance. */
typedef struct carom_row_source {
    enum { CAROM_SOURCE_ROW, CAROM_SOURCE_RATE, CAROM_SOURCE_VELOCITY, CAROM_SOURCE_SPIN, CAROM_SOURCE_IDEAL } type;
    int index;
} carom_row_source;

typedef struct carom_assembly_rows {
    carom_evaluation *d;
    int columns, count, capacity;
    bool sparse;                /* all but `a`, `work` and `x`; else these, and no `jacobian` */
    double *b;
    carom_row_source *source;
    bool *angle;                /* rows of angles, not of lengths */
    double *a;                  /* rows, `columns` numbers each, over v */
    double *work, *x;           /* of the solution */
    carom_jacobian_row *jacobian;
    double *step;               /* one a position */
} carom_assembly_rows;

/* Room for all rows that the start of a model may have. */
carom_status carom_assembly_rows_create(carom_evaluation *d, carom_assembly_rows *out);
/* The same as sparse rows, whatever the system, with room for `more`. */
carom_status carom_assembly_rows_create_sparse(carom_evaluation *d, int more, carom_assembly_rows *out);
void carom_assembly_rows_free(carom_assembly_rows *rows);
/* Constraint rows for velocities, or for a step that closes their violations. */
void carom_assembly_constraints(carom_assembly_rows *rows, bool closing);
/* The rows that a joint with clearance would have without it. */
void carom_assembly_ideal(carom_assembly_rows *rows, int joint, bool closing);
/* Velocities and rates that are given. */
void carom_assembly_given(carom_assembly_rows *rows);
/* What a row asks for, of the model's length or of 1 rad. */
double carom_assembly_open(const carom_assembly_rows *rows, int row);
/* A row's value at v less what is asked. */
double carom_assembly_off(const carom_assembly_rows *rows, int row, const double *v);
/* The size of that, and the largest that is asked of a row, in model's lengths or rad: rows of both kinds are compared,
   and a model has the same answer at any scale. */
double carom_assembly_miss(const carom_assembly_rows *rows, int row, const double *v);
double carom_assembly_asked(const carom_assembly_rows *rows);
/* Whether two rows are of one joint or motion. */
bool carom_assembly_same_part(const carom_assembly_rows *rows, int a, int b);
/* Solves the first `count` rows for the v of the least norm in the metric of the mass matrix, and tells the largest
   miss and its row. */
carom_status carom_assembly_solve(const carom_assembly_rows *rows, int count, double *v, int *worst, double *residual);
/* The first row that misses those before it by more than `allowed`, and v by these; the row is -1 if there is
   none. */
carom_status carom_assembly_culprit(const carom_assembly_rows *rows, double allowed, double *v, int *row);
/* Whether the rows can all be kept within a share of the largest that is asked, whatever the masses: their columns are
   scaled to the norm 1. */
carom_status carom_assembly_agree(const carom_assembly_rows *rows, double share, bool *agree);

/* ---- assembly_sparse.c ---- */

/* The same as carom_assembly_solve() without the residual; `redundant` are the rows that depend on others, and in their
   order, `ordered`, on earlier ones. */
carom_status carom_assembly_solve_sparse(const carom_assembly_rows *rows, int count, bool ordered, double *v,
                                         bool *redundant);

/* Solves (S + damping D) y = b, v = M^-1 J^T y, for all rows; D is diagonal and positive. */
carom_status carom_assembly_solve_damped(const carom_assembly_rows *rows, const double *diagonal, double damping,
                                         double *v);

/* ---- assembly_damped.c ---- */

/* A guess that violates a constraint by more than this, of the model's length or in rad, is assembled by Newton's
   method and by damped steps; these are taken where they end below this share of the other's way. */
#define CAROM_ROUGH_GUESS 1e-3
#define CAROM_MUCH_NEARER 0.9

enum { CAROM_LOOSE_NONE = -1, CAROM_LOOSE_IDEAL = -2 };    /* those of ideal joints instead of ones with clearance */

/* Rows that are to be closed. */
typedef struct carom_assembly_target {
    /* Adds the rows, at the poses and constraint rows of the evaluation, with the steps that close them in `b`. */
    void (*fill)(void *user, carom_assembly_rows *rows);
    void *user;
    int more;                   /* rows that may come besides those of the start of a model */
    double tolerance;           /* largest violation of a row that is closed, of the model's length or of 1 rad */
    const char *what, *remedy;  /* "the parts", "check lengths and the positions `at`" */
    int loose;                  /* rows that count for nothing against the others: those of the joint or motion that
                                   this row is of, or: */
} carom_assembly_target;

/* Moves the positions of a state from afar until the rows are closed, with little change in the metric of the mass
   matrix, or to where the sum of squares of their violations is least; velocities become 0. */
carom_status carom_assembly_close(carom_evaluation *d, carom_state *s, const carom_assembly_target *target,
                                  bool *closed);
/* The error for rows that cannot be closed, at a state where carom_assembly_close() has left them: which do not fit
   together, and by how much. No error where they are all closed once the worst of them has been left out of account,
   as a nut may be another turn further on its thread: the state is there then. */
carom_status carom_assembly_refuse(carom_evaluation *d, carom_state *s, const carom_assembly_target *target);
/* How far two sets of positions are apart in the metric of the mass matrix. */
double carom_assembly_distance(carom_evaluation *d, const carom_state *s, const double *from, const double *to);

/* ---- assembly_velocities.c, assembly_clearance.c ---- */

carom_status carom_assembly_velocities(carom_evaluation *d, carom_state *s, double *residual);
/* The error for accelerations of rows that contradict, one of them by `miss`, in model's lengths or rad: names the
   first row, in their order, whose acceleration those before it give another value. */
carom_status carom_assembly_refuse_accelerations(carom_evaluation *d, double miss);
/* Marks the joints with clearance whose parts overlap at the poses of the state; true if one of them was not marked
   before. */
bool carom_assembly_mark_overlapping(carom_evaluation *d, carom_state *s);
/* Whether parts of any joint with clearance overlap; whether any joint is marked. */
bool carom_assembly_overlaps(carom_evaluation *d, carom_state *s);
bool carom_assembly_any_centred(const carom_state *s);
/* The rows that close the ideal joints instead of those that are marked. */
void carom_assembly_centred(carom_assembly_rows *rows, const carom_state *s);
/* Positions on the constraints and on these, where there are any; `done`: they are. */
carom_status carom_assembly_centre(carom_evaluation *d, carom_state *s, bool *done);

#endif

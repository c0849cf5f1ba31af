/* Derivatives of a motion by parameters, beside the motion: of each a tangent s = dy/dp of the integrated vector, which
   the integrator carries behind y. Its rates are differences of the rates of two twins, simulations of the model with
   other values of the parameter, at y + offset s. Each tangent has a clock of its own, which compares the twins where
   they are in the same phase: dy/dp at one time is s - clock f. docs/theory/sensitivities.md. */
#ifndef CAROM_TANGENT_H
#define CAROM_TANGENT_H

#include "sim/sim.h"

/* What of a run's derivatives is not defined, from when on. */
typedef struct carom_tangent {
    const char *name;           /* of the parameter, for messages */
    carom_simulation *twin[2];  /* borrowed */
    double offset[2];           /* of the parameter in each, from its value */
    double size;                /* what a change of the parameter is compared with */
    double clock;               /* by the parameter: by how much the twins are late [s per unit] */
    double end;                 /* of the time at which an event has ended the run [s per unit]; NAN: there is none */
    double lost;                /* [s] from when on it is not defined; HUGE_VAL: always */
    bool told;                  /* that it has grown large */
    bool noticed;               /* a channel that was read depends on it */
} carom_tangent;

/* Derivatives of an impact: those of its numbers by parameter after parameter, CAROM_TANGENT_FIELDS each. */
typedef struct carom_tangent_impact {
    size_t contact;
    double onset;
    double *d;
} carom_tangent_impact;

/* Makes the twin of a side with another offset, at the start of its run, in place of the former one, which goes. */
typedef carom_status carom_tangent_remake(void *user, size_t tangent, int side, double offset,
                                          carom_simulation **twin);

/* Takes a row of derivatives of channels at a time: of each tangent the numbers of all channels. */
typedef carom_status carom_tangent_row(void *user, double time, const double *data);

/* Channels whose derivatives are recorded at the output interval. */
typedef struct carom_tangent_records {
    const carom_channel_ref *channels;
    size_t count, numbers;      /* channels, their numbers */
    double *row;                /* of all tangents */
    carom_tangent_row *take;    /* NULL: nothing is recorded */
    void *user;
    int index;                  /* of the next row */
    const double *times;        /* of the rows, ascending; NULL: those of the output interval */
    int time_count;
} carom_tangent_records;

/* Newton's equations by differences of the rates, of models whose elements have no derivatives. */
typedef struct carom_tangent_newton {
    size_t coupled;             /* numbers that rates depend on */
    double gamma, *slopes, *factors;    /* derivatives by columns of y's length; of I - gamma J */
    int *pivot;
} carom_tangent_newton;

typedef struct carom_tangents {
    carom_context *ctx;
    carom_arena arena;          /* of the vectors */
    size_t count, n;            /* tangents; numbers of y */
    carom_tangent *of;
    double *y, *last;           /* y and the tangents behind it at the accepted time, and at the one before */
    double *inside;             /* the same within a step */
    double *rate, *tolerance, *rounding;        /* of all */
    double *scale;              /* sizes of positions and velocities */
    double *moved, *side[2], *flow; /* of one: a twin's state, the rates of both, those of the motion */
    double *peak[2];            /* room of its peaks */
    double *roots[2];           /* root functions of both */
    carom_vec3 *slips;          /* of the motion's contacts where the twins are evaluated: theirs are beside it */
    carom_episode *before;      /* episodes before the events of the present time */
    double *apart;              /* of each contact that changes now: by how much later its twins are than the clock */
    double *due;                /* of each branch that changes now: derivative of when it does */
    double *leaving, *after;    /* of each switch when it leaves its branch; rates behind all that changes */
    int *kept;                  /* branches before that */
    bool *force_settled, *depth_settled;        /* of each contact: its peak is that of the twins */
    bool stopped;               /* an event has ended the run, and `end` of each tangent is known */
    bool by_root, by_time;      /* what ended the last step: a root function, a break of an expression */
    carom_tangent_impact *impacts;      /* in the order of their ends */
    size_t impact_count, impact_capacity;
    carom_tangent_records records;
    carom_tangent_newton newton;
    carom_tangent_remake *remake;
    void *user;
} carom_tangents;

static inline double *carom_tangent_vector(const carom_tangents *t, double *all, size_t tangent)
{
    return all + (tangent + 1) * t->n;
}

/* Numbers of an impact. */
size_t carom_tangent_fields(void);
void carom_tangents_free(carom_tangents *tangents);

/* ---- rates.c: called by the simulation ---- */

/* Makes the system that of y and its tangents; false: out of memory. */
bool carom_tangents_ode(carom_simulation *sim, carom_ode *ode);
/* What the integrator restarts with, in place of y, its tolerances and the rates there; false: they are not found. */
bool carom_tangents_begin(carom_simulation *sim, double *relative, const double **y, const double **tolerance);
/* Takes the tangents over with the state at a time of the last step. */
bool carom_tangents_take(carom_simulation *sim, double t);
/* Moves the tangents onto the constraints as the state has been. */
void carom_tangents_project(carom_simulation *sim);
/* Rate of a tangent at (t, y). */
int carom_tangents_rate(carom_simulation *sim, size_t tangent, double t, const double *y, const double *s,
                        double *rate);

/* ---- newton.c ---- */

/* Gives implicit methods the equations of all; false: out of memory. */
bool carom_tangents_newton(carom_simulation *sim, carom_ode *ode);

/* ---- twins.c ---- */

/* Takes the slips of the motion at an evaluated state, for the twins beside it. */
void carom_tangents_slips_of(carom_tangents *tangents, const carom_evaluation *motion);
/* Puts a twin at the state of vectors at a time of the motion. */
void carom_tangent_put(const carom_simulation *sim, size_t tangent, int side, double t, const double *y,
                       const double *s);
/* Both twins at the state of vectors at a time, evaluated; their rates are in `side`, those of the motion in `flow`. */
carom_status carom_tangent_place_at(carom_simulation *sim, size_t tangent, double t, const double *y, const double *s);
/* The same at the accepted state. */
carom_status carom_tangent_place(carom_simulation *sim, size_t tangent);
/* Evaluates a twin at a state of vectors without putting it there; NULL: it cannot. */
const carom_evaluation *carom_tangent_at(carom_simulation *sim, size_t tangent, int side, double t, const double *y,
                                         const double *s);
/* The greatest number of a tangent's positions and velocities, as a share of its size [per unit of the parameter]. */
double carom_tangent_size(const carom_simulation *sim, size_t tangent);
/* Derivative from the values of both twins. */
double carom_tangent_slope(const carom_tangent *tangent, double value_0, double value_1);
/* Gives the twins what states have that is no number of theirs: switches, branches, hints. */
void carom_tangents_copy(carom_simulation *sim);
/* Ends a tangent: from now on it is not defined, and why. */
carom_status carom_tangent_lose(carom_simulation *sim, size_t tangent, const char *why);

/* Makes a simulation a twin: weakens what pulls it back onto its constraints, and puts its slips beside those of the
   motion. */
void carom_tangent_prepare(const carom_tangents *tangents, carom_simulation *twin);
/* Where a tangent has grown so much that the twins are no more close to the motion they come nearer. */
carom_status carom_tangents_watch(carom_simulation *sim);

/* ---- jumps.c: events ---- */

/* Before the events of an accepted step are looked for. */
void carom_tangents_before(carom_simulation *sim);
/* Contacts have been opened, closed, or have come to another branch. */
carom_status carom_tangents_contacts(carom_simulation *sim);
/* Switches of expressions, loads and friction have been set. */
carom_status carom_tangents_switches(carom_simulation *sim);

/* ---- peaks.c ---- */

/* Follows the greatest forces and indentations of open contacts from `begin` to the accepted state. */
carom_status carom_tangents_track(carom_simulation *sim, double begin);
/* Those of a contact that closes. */
carom_status carom_tangents_settle(carom_simulation *sim, int contact);

/* ---- attach.c ---- */

/* Whether the motion is one whose steps and events are covered. Errors: CAROM_ERROR_USAGE (what is not, by name). */
carom_status carom_tangents_check(carom_simulation *sim);
/* Gives a simulation that has not moved yet its tangents. Errors: those of the check, CAROM_ERROR_USAGE (a parameter
   that changes what the model is made of), CAROM_ERROR_MEMORY. */
carom_status carom_tangents_attach(carom_simulation *sim, size_t count, const carom_tangent *tangents,
                                   carom_tangent_remake *remake, void *user);

/* ---- read.c ---- */

/* Derivatives of the integrated vector at the present time: n numbers. */
carom_status carom_tangents_state(carom_simulation *sim, size_t tangent, double *out);
/* Derivatives of a channel now: of each tangent as many numbers as the channel has. */
carom_status carom_tangents_channel(carom_simulation *sim, const carom_channel_ref *channel, double *out);
/* The same where the present time moves with the parameters, by `moves` of each [s per unit]. */
carom_status carom_tangents_moving(carom_simulation *sim, const carom_channel_ref *channel, const double *moves,
                                   double *out);
/* Rows of the output interval up to `end`, within the last step, whose events are still to come. */
carom_status carom_tangents_record(carom_simulation *sim, double end);
/* Vectors at a time within the last step; false: there is no dense output. */
bool carom_tangents_inside(carom_simulation *sim, double t, double *out);

#endif

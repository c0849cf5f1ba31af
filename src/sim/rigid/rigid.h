/* Rigid contacts: steps of integrator moreau, which end with impulses, and the episodes that these make. */
#ifndef CAROM_SIM_RIGID_H
#define CAROM_SIM_RIGID_H

#include "math/nsgs.h"
#include "sim/sim.h"

/* A contact that is closed in the middle of a step. Vectors along its normal, then its tangents. */
typedef struct carom_touch {
    int contact;
    carom_vec3 along[CAROM_NSGS_ROWS];          /* unit vectors, of forces on j */
    double loss, friction_loss; /* work that the impulses take [J] */
    carom_vec3 arm_i, arm_j;    /* of the point about the centres of mass [m] */
    double before[CAROM_NSGS_ROWS];             /* velocities of j against i as the step begins, */
    double after[CAROM_NSGS_ROWS];              /* and as it ends [m/s] */
    double gap;                 /* in the middle of the step [m] */
    double mass;                /* effective, along the normal [kg] */
    double driven;              /* approach that forces make in the step [m/s] */
    bool jams; /* it slides, and a normal force would draw the surfaces together by its friction: Painleve's paradox */
} carom_touch;

/* Speeds of contacts below this share of the model's are rounding. */
#define CAROM_TOUCH_NOISE 1e-9

typedef struct carom_rigid {
    double t, h;                /* the last step: its begin and its length [s] */
    double left;                /* change of a velocity by the last sweep, where impulses were not found [m/s] */
    int room;                   /* touches at most */
    carom_touch *touches;
    carom_nsgs problem;
    double *columns;            /* M^-1 H; those of the problem are what p does at the end of the step */
    double *column;             /* accelerations of bodies */
    double *state, *rate, *b;   /* as long as y */
    bool *prescribed;           /* velocities that motions tell */
    double *drive;              /* work of each drive against the impulses [J] */
    double *radius;             /* of each shape: of the ball about its origin that holds it; HUGE_VAL: none does [m] */
    /* Derivatives by differences, where the system has no equations of its own: of the rates behind the positions, by
       the velocities, which move the positions, and by the states behind them. NULL: there are equations. */
    int unknowns;               /* velocities and states */
    double *slopes, *factors;   /* by columns; I - gamma J of the unknowns, factored */
    int *pivot;
    double *moved, *moved_rate; /* as long as y */
    double gamma;               /* of the factors [s]; 0: there are none */
} carom_rigid;

/* Room for it. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_rigid_create(carom_simulation *sim);
/* Rates without contacts, and a step (carom_ode.leap); why it fails is in step_status. */
int carom_rigid_rates(void *sim, double t, const double *y, double *rate);
int carom_rigid_leap(void *sim, double t, const double *y, const double *f, double h, double *y_new);
/* The force on j that an impulse of the last step was, over that step [N]. */
carom_vec3 carom_rigid_force(const carom_rigid *rigid, int touch);

/* ---- differences.c ---- */

/* Room for them. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_rigid_differences_create(carom_simulation *sim);
/* Takes and factors I - gamma J at (t, y), whose rates are in `rate`; false if it is singular. */
bool carom_rigid_differences(carom_simulation *sim, double t, const double *y, double gamma);
/* x of (I - gamma J) x = b in the place of b, as long as y and zero in its positions. */
void carom_rigid_differences_solve(const carom_simulation *sim, double *b);

/* ---- episodes.c ---- */

/* What overlaps as the run starts, and what of the contacts a run with rigid contacts leaves out. */
carom_status carom_rigid_start(carom_simulation *sim);
/* Forces of contacts that the impulses of the last step are. */
void carom_rigid_take(carom_simulation *sim);
/* Impacts and rests, once the step is accepted. */
carom_status carom_rigid_update(carom_simulation *sim);

#endif

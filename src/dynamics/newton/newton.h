/* Newton's equations of implicit methods, (I - gamma J) x = b with the derivatives J of the rates by the state, solved
   without J itself: each force element, constraint block and friction site gives its derivatives by the coordinates of
   the few bodies that it touches, and what is solved is
       M dv - J^T dmu - gamma (K dx + C dv + ...) = M r,
       J dv - gamma (...) = J r,     dmu = gamma dlambda,
   bordered by the forces of friction in joints, of contacts that stick, and by the states of laws and of the user's
   own. docs/theory/integrators.md. */
#ifndef CAROM_NEWTON_H
#define CAROM_NEWTON_H

#include "dynamics/dynamics.h"
#include "dynamics/formulation/formulation.h"

/* Most bodies of one element. */
#define CAROM_SLOPE_BODIES 8
/* Most numbers of a body's velocity. */
#define CAROM_SLOPE_WIDTH 6

typedef struct carom_newton carom_newton;
typedef struct carom_slopes carom_slopes;

/* Derivatives of what one element gives: generalised forces on its bodies, then further rows; by the poses (as small
   motions, turns in world axes) and twists of its bodies, then by further unknowns. */
struct carom_slopes {
    void (*fill)(carom_newton *newton, carom_slopes *slopes);   /* takes them from the evaluation */
    int object;                 /* body, block, contact, load, site */
    int block;                  /* of a site: that of its joint's rows */
    bool on;                    /* it gives anything now */
    bool crowded;               /* it touches more bodies than there is room for */
    int body_count, body[CAROM_SLOPE_BODIES];   /* those that move */
    int row_count, *row;        /* equations; -1 - k: the integral or state k of y */
    int column_count, *column;  /* unknowns of the equations */
    int height;                 /* of a column of d: forces and rows */
    double *d;                  /* by columns: of each body its pose and its twist, then the further ones */
};

/* The order of elimination, and what it is found with. */
typedef struct carom_newton_order {
    bool made;
    bool *counted;              /* elements whose pattern it has */
    int *degree, *list, *neighbour;     /* of each body its neighbours: how many, where, which */
    int *queue, *place;         /* bodies in their order; the rank of each */
    int *behind;                /* of each unknown that is no velocity the rank of the body that it follows */
    int *position, *first;      /* of each unknown its position; of each position where the envelope begins */
    double *permuted;           /* right-hand side in this order */
} carom_newton_order;

struct carom_newton {
    carom_context *ctx;
    carom_system *system;
    const carom_model *model;
    const carom_state *state;   /* whose open episodes and switches hold; y is its integrated vector */
    carom_arena arena;
    carom_evaluation *at;       /* the state of the derivatives, */
    carom_sticking *sticking;   /* and its contacts that stick: those of the system follow the last rates */
    double time;
    double *y;                  /* numbers that rates depend on there, */
    double *states;             /* those of the user's states and the loads', to be varied */
    int width;                  /* numbers of a body's velocity */
    /* First unknowns of each part, in this order; the velocities are the first. */
    int rows, slips, sticks, others, order;
    int *stick;                 /* of each contact its first unknown among the sticks, -1: it never sticks */
    int positions, velocities, other_count;     /* others: states of friction laws, of the user, of loads */
    carom_slopes *slopes;
    int count;
    double gamma, move_by;      /* of the last factors: by what velocities move the positions, gamma or another */
    bool held;                  /* constraints are held on the positions */
    /* Few unknowns: order x order, by columns, then its factors; NULL: in the envelope. */
    double *matrix;
    int *pivot;
    carom_newton_order order_of;
    carom_envelope envelope;
    double *slots;              /* derivatives of the contacts that are closed, so many at most of one size */
    size_t slot_size;
    int slot_count, slots_used;
    double *b, *unknowns;       /* right-hand side and solution; changes of the unknowns */
    double *move, *speed;       /* small motions and changes of the velocities of all bodies */
    double *low, *high;         /* of an element that is varied */
};

/* NULL in `out` where the system has what it cannot treat: the integrator then takes differences. The state lives as
   long as it. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_newton_create(carom_context *ctx, carom_system *system, const carom_state *state,
                                 carom_newton **out);
void carom_newton_free(carom_newton *newton);
/* Takes the derivatives at (t, y); false if the system cannot be evaluated there. */
bool carom_newton_evaluate(carom_newton *newton, double t, const double *y);
/* Factors the equations for gamma [s]; false if they are singular. */
bool carom_newton_factor(carom_newton *newton, double gamma);
/* x of (I - gamma J) x = b in the place of b, which is as long as y. */
void carom_newton_solve(carom_newton *newton, double *b);
/* The same for methods that hold the constraints on the positions (carom_ode_newton.solve_held, where the terms are
   told); `d` is the evaluation of the last rates. */
bool carom_newton_factor_held(carom_newton *newton, double gamma, double move);
void carom_newton_solve_held(carom_newton *newton, const carom_evaluation *d, double *b, double *impulse,
                             carom_held_level level);
/* J x in `out`, as long as y; after carom_newton_factor() with gamma = 0. */
void carom_newton_times(carom_newton *newton, const double *x, double *out);

/* ---- order.c ---- */

carom_status carom_newton_order_create(carom_newton *newton);
/* Whether other elements count than when it was made; notes which do. */
bool carom_newton_order_changed(carom_newton *newton);
/* Order and envelope for the elements that count. */
void carom_newton_order_make(carom_newton *newton);

/* ---- elements: slopes*.c ---- */

/* What of an element is varied: adds its forces and rows, in the order of d, to `out`, which is zero. */
typedef void (*carom_slopes_values)(carom_newton *newton, const carom_slopes *slopes, double *out);

/* Numbers of a body, among those of an element; -1: it does not move. */
int carom_slopes_place(const carom_newton *newton, const carom_slopes *slopes, int body);
/* Adds a wrench about the centre of mass to the forces of a body. */
void carom_slopes_add_wrench(const carom_newton *newton, const carom_slopes *slopes, int body,
                             const carom_wrench *wrench, double *out);
/* Pose moved by h along a coordinate: displacements, turns, velocities, spins; in the plane x, y, angle and theirs. */
carom_body_pose carom_slopes_moved(const carom_body_pose *pose, int dimension, int coordinate, double h);
/* Steps of central differences by displacements [m], turns [rad], velocities [m/s] and spins [rad/s]. */
typedef struct carom_slope_steps {
    double length, angle, speed, spin;
} carom_slope_steps;
/* Derivatives by poses and twists of its bodies, by central differences. */
void carom_slopes_vary_bodies(carom_newton *newton, carom_slopes *slopes, carom_slopes_values values,
                              const carom_slope_steps *steps);
/* By a further column, whose number is `x`. */
void carom_slopes_vary(carom_newton *newton, carom_slopes *slopes, carom_slopes_values values, int column, double *x,
                       double h);
/* Whether a contact that sticks bears the greatest force of its law. */
bool carom_slopes_clipped(const carom_newton *newton, int contact);
/* Rows of a contact that sticks, by the rates of its slip and by its forces along both tangents: where it holds the
   rates and what it gives way by, at the edge of its cone the force along it, and across it what turns the force. */
void carom_slopes_stick_rows(const carom_newton *newton, int contact, double rate[2][2], double force[2][2]);
/* Whether the friction of a joint's site that sticks lies on the edge of its cone and may turn there. */
bool carom_slopes_turns(const carom_newton *newton, int site);
/* Rows of such a site, by the rates of its slips and by its forces. */
void carom_slopes_site_rows(const carom_newton *newton, int site,
                            double rate[CAROM_FRICTION_SLIPS][CAROM_FRICTION_SLIPS],
                            double force[CAROM_FRICTION_SLIPS][CAROM_FRICTION_SLIPS]);
double *carom_slopes_column(const carom_newton *newton, const carom_slopes *slopes, int column);
carom_slope_steps carom_slopes_steps(const carom_newton *newton);

void carom_slopes_fill_body(carom_newton *newton, carom_slopes *slopes);
void carom_slopes_fill_block(carom_newton *newton, carom_slopes *slopes);
void carom_slopes_fill_contact(carom_newton *newton, carom_slopes *slopes);
void carom_slopes_fill_load(carom_newton *newton, carom_slopes *slopes);
void carom_slopes_fill_states(carom_newton *newton, carom_slopes *slopes);
void carom_slopes_fill_site(carom_newton *newton, carom_slopes *slopes);

#endif

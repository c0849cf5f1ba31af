/* Formulations: the coordinates that a system is described in, and its equations of motion in them. One file and one
   row of spec/formulation.def each. All else sees bodies: their poses, twists, wrenches and accelerations, and rows of
   constraints on them; of positions and velocities it knows how many numbers they have. */
#ifndef CAROM_FORMULATION_H
#define CAROM_FORMULATION_H

#include "dynamics/system.h"

/* A unit force on body j through a point and along a direction, and its opposite on body i; arms are those of the point
   about the centres of mass. */
typedef struct carom_force_pair {
    int body_i, body_j;
    carom_vec3 arm_i, arm_j, direction;
} carom_force_pair;

/* Bounds of what the coordinates of a body change. */
typedef struct carom_body_bounds {
    double length, angle;       /* [m], [rad] */
    double speed, spin;         /* [m/s], [rad/s] */
} carom_body_bounds;

/* What is done body by body where the numbers of each stand side by side: of the bodies behind `first` up to `end`. */
typedef struct carom_body_wise {
    void (*position_rate)(const carom_model *m, int first, int end, const double *q, const double *v, double *rate);
    void (*normalise)(const carom_model *m, int first, int end, double *q);
    void (*pose)(carom_evaluation *d, int first, int end, const double *q, const double *v);
    void (*twist)(carom_evaluation *d, int first, int end, const double *v);
    /* Accelerations by wrenches, without constraints; both arrays begin with those of these bodies. */
    void (*accelerate)(const carom_evaluation *d, int first, int end, const carom_wrench *wrench, double *out);
} carom_body_wise;

struct carom_formulation {
    const char *name, *title, *source;
    /* The one that it is for a model, and then nothing else; NULL: it is one itself. */
    const carom_formulation *(*choose)(const carom_model *m);

    carom_layout (*layout)(const carom_model *m);

    /* ---- its own workspace; NULL: it has none ---- */

    carom_status (*create)(carom_system *system);
    void (*destroy)(carom_system *system);
    /* The same of an evaluation. */
    carom_status (*prepare)(carom_evaluation *d);
    /* Whether the equations of all constraint rows are solved; NULL: they are. And what it is told if not: whether the
       rows that it has depend on each other. */
    bool (*needs_rows)(const carom_system *system);
    void (*set_redundant)(carom_system *system, bool redundant);
    /* The rows that it decomposes where they depend on each other; NULL: those of the system. */
    carom_orthogonal *(*orthogonal)(const carom_system *system);

    /* ---- coordinates ---- */

    /* Poses and twists of all bodies. */
    void (*pose)(carom_evaluation *d, const double *q, const double *v);
    /* The same at a time, with the coordinates that motions prescribe as they have them then; and puts these in their
       places. NULL: no motion prescribes a coordinate itself. */
    void (*pose_at)(carom_evaluation *d, const carom_state *state, double t, const double *q, const double *v);
    void (*settle)(carom_evaluation *d, const carom_state *state, double t, double *q, double *v);
    /* The coordinate of a joint at the poses that are there, where it is among the coordinates; else `near`. NULL: none
       is. */
    double (*coordinate)(const carom_evaluation *d, int joint, double near);
    /* The row of a joint's coordinate that is an angle among the coordinates, about an axis that both bodies keep;
       false: it is none. NULL: none is. */
    bool (*angle)(const carom_evaluation *d, int joint, carom_row *row);
    /* Twists alone, at the poses that are there. */
    void (*twist)(carom_evaluation *d, const double *v);
    /* Pose and twist of one body; the ground is 0. */
    carom_body_pose (*body_pose)(const carom_model *m, int body, const double *q, const double *v);
    void (*position_rate)(const carom_model *m, const double *q, const double *v, double *rate);
    const carom_body_wise *each; /* NULL: bodies are not found one by one */
    /* Rates of the velocities, behind the accelerations. NULL: they are the accelerations of the bodies. */
    void (*velocity_rate)(const carom_evaluation *d, double *out);
    /* What a change x of the accelerations of bodies, constraints kept, is for the velocities. NULL: the same. */
    void (*speeds)(const carom_evaluation *d, const double *x, double *out);
    /* Takes off what rounding and integration do to coordinates that depend on each other. */
    void (*normalise)(const carom_model *m, double *q);
    /* Moves positions along a step in velocities, and the step from one set of positions to another. */
    void (*retract)(const carom_model *m, const double *step, double *q);
    void (*difference)(const carom_model *m, const double *from, const double *to, double *step);
    /* Coordinates of bodies that are assembled, NULL: as the model has them at its start; with `coordinates`, those of
       all joints, angles are the nearest to these. NULL: bodies are put one by one, by put_body and move_body. */
    void (*take_bodies)(const carom_model *m, const carom_body_pose *poses, const double *coordinates, double *q,
                        double *v);
    /* Place of a body's numbers, counted from 0, among the positions or velocities: of its centre of mass or,
       `angular`, of its axes. -1: they are not among them. */
    int (*body_place)(const carom_model *m, int body, bool velocity, bool angular);
    /* Motion of a body, counted from 0. */
    void (*get_body)(const carom_model *m, int body, const double *q, const double *v, carom_body_state *out);
    /* Position and orientation, then velocities; of several bodies in their order. */
    void (*put_body)(const carom_model *m, int body, const carom_body_state *at, double *q);
    void (*move_body)(const carom_model *m, int body, const carom_body_state *at, double *v);
    /* Makes the tolerances of the coordinates of a body, counted from 0, at most those of the bounds. */
    void (*tolerate)(const carom_model *m, int body, const carom_body_bounds *bounds, double *q, double *v);

    /* ---- equations of motion, at the poses, constraint rows and wrenches of an evaluation ---- */

    /* Accelerations and multipliers. False if the system cannot be solved. */
    bool (*accelerate)(carom_evaluation *d);
    /* The same once more, where forces on bodies have changed since and nothing else has; `root` is that of the change,
       below, NULL: it is not known. NULL: as the first time. */
    bool (*accelerate_again)(carom_evaluation *d, const double *root);
    /* Multipliers of the rows that the coordinates hold, and these rows; NULL: it has all multipliers. */
    void (*reactions)(carom_evaluation *d, const carom_state *state, double t);
    /* Acceleration of the centre of mass and of the axes of a body. */
    carom_body_acceleration (*body_acceleration)(const carom_evaluation *d, int body);
    /* What a change x of the accelerations, or of the velocities, is for a body. */
    carom_body_acceleration (*body_change)(const carom_evaluation *d, const double *x, int body);
    /* Delassus column of a unit force pair: the change of the accelerations, constraints kept, in `column`; returns
       that of the relative acceleration along it, the inverse of the effective mass, and in `free` (may be NULL) that
       without constraints. `factored`: the constraint matrix is that of the last acceleration. */
    double (*delassus)(const carom_evaluation *d, const carom_force_pair *pair, bool factored, double *column,
                       double *free);
    /* Numbers of a column's root; 0: it has none. NULL: none has one. */
    int (*root_size)(const carom_system *system);
    /* The same as `delassus` behind the last acceleration, but for the column its root: the product of those of two
       force pairs is the relative acceleration along one by the other. Of forces along one or two directions. And the
       column of a root. */
    void (*roots)(const carom_evaluation *d, const carom_force_pair *pair, const carom_vec3 *directions, int count,
                  double *const *roots, double *inverse, double *free);
    void (*root_column)(const carom_evaluation *d, const double *root, double *column);
    /* Its inverse mass without constraints alone [1/kg]. */
    double (*free_delassus)(const carom_evaluation *d, const carom_force_pair *pair);
    /* A row of at most CAROM_ROW_BODIES bodies in the coordinates; returns its rate. */
    double (*row)(const carom_evaluation *d, const carom_row_entry *entries, int count, carom_jacobian_row *out);
    /* a M^-1 b^T of two rows. */
    double (*couple)(const carom_evaluation *d, const carom_jacobian_row *a, const carom_jacobian_row *b);
    /* A row times a vector of velocities. */
    double (*row_times)(const carom_evaluation *d, const carom_jacobian_row *row, const double *x);
    /* x += f M^-1 J^T of a row. */
    void (*add_row)(const carom_evaluation *d, const carom_jacobian_row *row, double f, double *x);
    /* Multipliers that answer accelerations of the constraint rows, in their place; of the last factored matrix. */
    void (*solve)(const carom_evaluation *d, double *b);
    /* x += M^-1 J^T y over the constraint rows. */
    void (*add_rows)(const carom_evaluation *d, const double *y, double *x);

    /* ---- Newton's equations of implicit methods (dynamics/newton); NULL: they cannot be made ---- */

    /* Solves those of the positions, dq - gamma dq' = r, with changes of the velocities: the small motion of each body,
       displacement and turn in world axes in the order of its velocities, and dq, which may be r or NULL. */
    void (*newton_position)(const carom_model *m, const double *q, const double *v, double gamma, const double *r,
                            const double *speed, double *move, double *dq);
    /* Derivative of that turn of a body by its spin; in the plane turn[0][0]. */
    void (*newton_turn)(const carom_model *m, int body, const double *q, const double *v, double gamma,
                        double turn[3][3]);
    /* Change of the positions' rates. */
    void (*newton_rate)(const carom_model *m, const double *q, const double *v, const double *dq, const double *dv,
                        double *rate);

    /* ---- constraints; with take_bodies the last two may be NULL ---- */

    /* Moves positions, then velocities onto the constraints, least in the metric of the mass matrix; `iterations` at
       most. Returns false if the violation stays above `tolerance` (relative to the model's length, or 1 rad). */
    bool (*project)(carom_evaluation *d, const carom_state *state, double t, double *q, double *v, double tolerance,
                    int iterations);
    /* What the last factorisation of the rows had left of the weakest one, of a norm of 1: about what is left of a row
       beside the others. NULL: not known. */
    double (*weakest)(const carom_system *system);
    /* Independent rows in order; redundant[k] is set for those that depend on earlier ones. */
    carom_status (*rank)(const carom_evaluation *d, bool *redundant, int *rank);
    /* Entries of a row of two bodies among the velocities: a += row. */
    void (*row_entries)(const carom_evaluation *d, const carom_row *row, int body_i, int body_j, double *a);
    /* The mass matrix over the velocities, row by row. NULL: it is that of the bodies, each in its place. */
    void (*mass_matrix)(const carom_evaluation *d, double *out);
    /* A root C of the inverse mass matrix, C C^T = M^-1: `rows` times it, by columns; and C x as velocities. */
    void (*scale_rows)(const carom_evaluation *d, const double *rows, int count, double *out);
    void (*scale_back)(const carom_evaluation *d, const double *x, double *v);
};

#define CAROM_FORMULATION(name, description) extern const carom_formulation carom_formulation_##name;
#include "spec/formulation.def"
#undef CAROM_FORMULATION

/* Poses and twists of all bodies at a time, whatever prescribes them. */
static inline void carom_system_pose(carom_evaluation *d, const carom_state *state, double t, const double *q,
                                     const double *v)
{
    const carom_formulation *f = d->system->formulation;
    d->sums_known = false;
    if (f->pose_at)
        f->pose_at(d, state, t, q, v);
    else
        f->pose(d, q, v);
    if (d->followed)
        carom_dynamics_follow(d, state);
}
/* Poses and twists of all bodies by the coordinates of a state. */
static inline void carom_state_pose(carom_evaluation *d, const carom_state *state)
{
    d->sums_known = false;
    state->formulation->pose(d, state->q, state->v);
    if (d->followed)
        carom_dynamics_follow(d, state);
}
/* Puts prescribed coordinates, where there are such, in their places at a time. */
static inline void carom_system_settle(const carom_formulation *f, carom_evaluation *d, const carom_state *state,
                                       double t, double *q, double *v)
{
    if (f->settle)
        f->settle(d, state, t, q, v);
}
static inline bool carom_system_accelerate_again(carom_evaluation *d, const double *root)
{
    const carom_formulation *f = d->system->formulation;
    return f->accelerate_again ? f->accelerate_again(d, root) : f->accelerate(d);
}
static inline int carom_system_root_size(const carom_system *system)
{
    return system->formulation->root_size ? system->formulation->root_size(system) : 0;
}
/* Rates of the velocities. */
static inline void carom_system_velocity_rate(const carom_evaluation *d, double *out)
{
    if (d->system->formulation->velocity_rate) {
        d->system->formulation->velocity_rate(d, out);
        return;
    }
    for (int k = 0; k < d->system->layout.velocities; k++)
        out[k] = d->acceleration[k];
}
/* Multipliers of all rows, for those who read reactions of joints. */
static inline void carom_system_reactions(carom_evaluation *d, const carom_state *state, double t)
{
    if (d->system->formulation->reactions)
        d->system->formulation->reactions(d, state, t);
}

/* NULL: there is none of that name. The name NULL is the first one. */
const carom_formulation *carom_formulation_find(const char *name);
/* The one that a formulation is for a model: never `auto`. */
const carom_formulation *carom_formulation_for(const carom_model *m, const carom_formulation *formulation);
/* The same, or an error with the names that there are. */
carom_status carom_formulation_require(carom_context *ctx, const carom_place *place, const char *name,
                                       const carom_formulation **out);
/* Effective mass along the normal of a contact point between two bodies; HUGE_VAL if it cannot move. */
double carom_effective_mass(const carom_evaluation *d, int body_i, int body_j, const carom_contact_point *point);
/* Inverse of that without constraints [1/kg]. */
double carom_free_inverse_mass(const carom_evaluation *d, int body_i, int body_j, const carom_contact_point *point);

#endif

/* Poses, contacts, loads and accelerations of a model at one instant: the workspace that the pipeline (sim/rhs.c)
   fills from left to right. Contacts and loads see poses, twists and wrenches only. */
#ifndef CAROM_DYNAMICS_H
#define CAROM_DYNAMICS_H

#include "dynamics/state.h"
#include "math/solve.h"

/* Pose and twist of a body, world axes. */
typedef struct carom_body_pose {
    carom_mat3 axes;
    carom_vec3 p, v, w;
    double angle;               /* 2-D [rad] */
} carom_body_pose;

typedef struct carom_wrench {
    carom_vec3 force, torque;   /* about the centre of mass */
} carom_wrench;

/* Two shapes and one of their points; `near`: places on both from which it is followed, NULL: all is searched. */
typedef struct carom_contact_sides {
    const carom_model_shape *i, *j;
    int point;
    const double *near;
} carom_contact_sides;

/* A constraint row in the coordinates of the formulation: bodies i and j, v_per_body numbers each. */
typedef struct carom_jacobian_row {
    int body[2];
    double j[2][6];             /* J */
    double w[2][6];             /* M^-1 J^T */
} carom_jacobian_row;

/* A contact that sticks, while the force that holds it is found. */
typedef struct carom_sticking {
    int count;                  /* tangents: 1 in the plane, 2 in space; 0: does not stick */
    carom_vec3 tangent[2];
    double *response[2];        /* P J^T of both */
    double own[2][2];           /* inverse masses along both [1/kg] */
    double inverse[2][2];       /* of them [kg] */
    carom_vec3 wanted;          /* rate of the slip without accelerations, and what lets it die away [m/s^2] */
    double greatest;            /* force that holds at most [N] */
    double residual[2], step[2], reply[2];      /* of the conjugate gradients */
    carom_vec3 applied;         /* part of the force that the accelerations know [N] */
    carom_vec3 change;
} carom_sticking;

/* A place where the parts of a joint rub, at one instant; vectors of three are along the directions of its slip. */
typedef struct carom_rub {
    double slip[CAROM_RUBBING_SLIPS], speed;    /* of j against i [m/s] */
    double normal;              /* with the preload [N] */
    double friction[CAROM_RUBBING_SLIPS];       /* on j [N] */
    double power;               /* work that friction takes [W] */
    const double *state;        /* of the law; NULL: none */
    bool stick;
    bool clipped;               /* sticks, but with the greatest force of its law, along: */
    double clip[CAROM_RUBBING_SLIPS];
    int visits[3]; /* of a slip of one direction: searches in which it held, was clipped forward, backward */
    double direction[CAROM_RUBBING_SLIPS]; /* of a law that holds, where it slides: that of the force, the other way */
    int bearing_count;
    carom_vec3 bearing[CAROM_RUBBING_BEARINGS]; /* forces of the bearing without friction [N] */
} carom_rub;

/* A direction in which a place slips. */
typedef struct carom_rub_slip {
    carom_row row;
    carom_jacobian_row jacobian;
    double rate; /* of the slip without friction, and what lets it die away where the place sticks [m/s^2] */
    bool spare;                 /* of a place that sticks: those before hold it as well, and it has no force */
    double *coupling, *reply;   /* J M^-1 of the constraint rows on it; the multipliers that a unit force makes */
    carom_vec3 *bearing;        /* forces of the bearings that it makes, CAROM_RUBBING_BEARINGS for each place */
} carom_rub_slip;

/* Room of the search for the forces: vectors and matrices over all directions of slip. */
typedef struct carom_rub_search {
    double *mobility;           /* acceleration of each slip by each force [1/kg] */
    double *matrix, *residual;  /* Newton's derivative and residual, */
    double *scale;              /* the sizes that a residual is made of, */
    double *force, *base, *change, *slope;
    int *pivot;
} carom_rub_search;

typedef struct carom_dynamics {
    carom_context *ctx;
    const carom_model *model;
    carom_arena arena;
    double time;
    bool evaluated;             /* the workspace holds the pipeline at (time, evaluated_y) with the present episodes */
    double *evaluated_y;
    bool posed;                 /* the poses are those of the evaluation that comes next */
    carom_body_pose *pose;      /* by body, the ground first */
    carom_wrench *wrench;       /* applied, without constraints */
    carom_mat3 *inverse_inertia;        /* world axes */
    carom_row *rows;            /* constraint rows, Phi with the prescribed value taken off */
    double *row_rate, *row_acceleration;        /* prescribed rate and acceleration of each row */
    double *phi_rate;           /* J v - rate */
    carom_jacobian_row *jacobian;
    double *multipliers;        /* one a row [N or N m] */
    double *acceleration;       /* v_per_body a body */
    double *solve;              /* right-hand side of the multiplier equation */
    carom_contact_point *contacts;
    double *friction_rate;      /* of the friction states */
    carom_sticking *sticking;   /* one a contact; NULL: no law holds */
    double *sticking_reply;     /* accelerations that a step of the search makes */
    carom_rub *rubs;
    carom_rub_slip *slips;
    carom_rub_search rub_search;
    int rub_fault;              /* place whose friction was not found in the last evaluation, -1: none */
    carom_load_output *loads;
    double *load_values;        /* largest parameter array of a load */
    double *load_rates;         /* rates of these */
    double *measures;
    carom_dense *dense;
    carom_sparse *sparse;       /* NULL: dense */
    int *sparse_place;          /* two positions in the sparse values for each product of the coupling loop */
    int sparse_entries;
    bool redundant;             /* rows are dependent: least-norm multipliers */
    uint64_t evaluations;
    double load_fault;          /* test aid: see carom_simulation_def.ledger_fault */
    struct carom_pools *pools;  /* dynamics/contact/pool.h; NULL: no contact of many shapes */
} carom_dynamics;

carom_status carom_dynamics_create(carom_context *ctx, const carom_model *model, carom_dynamics **out);
void carom_dynamics_free(carom_dynamics *d);

/* ---- pose.c ---- */

/* Poses and twists of all bodies from positions and velocities. */
void carom_dynamics_pose(carom_dynamics *d, const double *q, const double *v);
/* Pose of one body. */
carom_body_pose carom_dynamics_body_pose(const carom_model *model, int body, const double *q, const double *v);
/* Pose and twist after the time t [s] with constant linear and angular accelerations. */
carom_body_pose carom_pose_after(const carom_body_pose *pose, carom_vec3 acceleration, carom_vec3 turning, double t);
carom_frame_pose carom_dynamics_frame_pose(const carom_body_pose *body, const carom_marker *marker, int dimension);
/* Makes the quaternions of the positions in space unit ones. */
void carom_dynamics_normalise(const carom_model *model, double *q);
/* Twists of all bodies from velocities; the poses stay. */
void carom_dynamics_twist(carom_dynamics *d, const double *v);
/* Rates of the positions. */
void carom_dynamics_position_rate(const carom_model *model, const double *q, const double *v, double *rate);

/* ---- contact.c ---- */

/* Gap, normal, point and gap rate of a contact between two body poses. Points on curves are those nearest or deepest of
   all, but with a state and an open episode those followed from where the state has them. */
void carom_contact_geometry_at(const carom_model *model, const carom_state *state, int contact,
                               const carom_body_pose *poses_i, const carom_body_pose *pose_j, carom_contact_point *out);
/* The same from what it needs of model and state. */
carom_contact_sides carom_contact_sides_of(const carom_model *model, const carom_state *state, int contact);
void carom_contact_geometry_of(const carom_model_contact *contact, const carom_contact_sides *sides,
                               const carom_body_pose *pose_i, const carom_body_pose *pose_j, carom_contact_point *out);
/* Warning of its pair about these poses; empty without one, and of all but the first of several points. */
void carom_contact_remark(const carom_model *model, int contact, const carom_body_pose *pose_i,
                          const carom_body_pose *pose_j, char *text, size_t size);
/* Rate of the normal [1/s]. */
carom_vec3 carom_contact_normal_rate(const carom_model *model, const carom_state *state, int contact,
                                     const carom_body_pose *pose_i, const carom_body_pose *pose_j);
/* All open contacts: adds their wrenches; `friction` are the friction states. */
void carom_dynamics_contacts(carom_dynamics *d, const carom_state *state, const double *friction);
int carom_contact_body(const carom_model *model, int contact, int side);
/* Adds a force on j at the contact point, and its opposite on i. */
void carom_contact_add_force(carom_dynamics *d, int contact, carom_vec3 force);

/* ---- friction.c ---- */

/* Friction of an open contact whose normal force is known: force, couple, power; rates of its state (zero where NULL). Of
   a sticking contact only the couple: its force is found by carom_friction_hold(). */
void carom_friction_at(const carom_model *model, const carom_state *state, int contact, const carom_body_pose *pose_i,
                       const carom_body_pose *pose_j, const double *z, carom_contact_point *point, double *rate);
/* The same of an episode in a pool, by a law that has no state or can change it over a step: z, its state, is changed by the
   step of h [s] that ends at `point`, whose normal force is known; h = 0: the force of z as it is. */
void carom_friction_over(const carom_model_contact *contact, const carom_body_pose *pose_i,
                         const carom_body_pose *pose_j, double h, double *z, carom_contact_point *point);
/* Forces of the contacts that stick, such that they do not slip; call after the acceleration, which is made anew.
   False if the system cannot be solved. */
bool carom_friction_hold(carom_dynamics *d, const carom_state *state, const carom_model_run *run);

/* ---- rubbing.c, rubbing_search.c: friction of ideal joints ---- */

/* Slips of all places, and what their laws have of the state; after the constraints. `friction` are the friction states. */
void carom_dynamics_rubbing(carom_dynamics *d, const carom_state *state, const double *friction);
/* Adds to accelerations and multipliers what friction does to them, with normal forces from the multipliers that come out;
   called by the formulation. False if there are none: rub_fault is then the place. */
bool carom_rubbing_search(carom_dynamics *d);
/* Rates of the states of the laws, and the work that friction takes; after the accelerations. */
void carom_rubbing_finish(carom_dynamics *d);
/* Force of a law that slides at a normal force, along the directions of the slip [N]; rates of its state (may be NULL). */
void carom_rubbing_law(const carom_dynamics *d, int rub, double normal, double *force, double *rate);
/* Root functions of the places with friction that holds: positive while they stick or slide on, as they do now. */
void carom_rubbing_roots(carom_dynamics *d, const carom_state *state, double *out);
/* Lets places stick or slide as the poses have them; `start`: whatever they did before. */
void carom_rubbing_switches(carom_dynamics *d, carom_state *state, bool start);
/* Friction on the second body about the origin of its frame. */
carom_wrench carom_rubbing_wrench(const carom_dynamics *d, int joint);

/* ---- load.c ---- */

/* Gravity and loads: adds their wrenches. `coordinates` are the joint coordinates last accepted (for unwrapping). */
void carom_dynamics_loads(carom_dynamics *d, const carom_state *state, double t);
void carom_dynamics_measures(carom_dynamics *d, const carom_state *state);
/* Sets the switches of the loads as the poses, the measures and the time have them. */
void carom_dynamics_load_switches(carom_dynamics *d, carom_state *state, double t);
/* Root functions of the loads' switches: positive while the frozen branch holds. */
void carom_dynamics_load_roots(carom_dynamics *d, const carom_state *state, double t, double *out);

/* ---- constraints.c ---- */

/* Constraint rows, their Jacobian in (v, w) and the violations; prescribed values at time t. */
void carom_dynamics_constraints(carom_dynamics *d, const carom_state *state, double t);
/* Coordinate of a joint (unwrapped near `near`), its rate and row. */
double carom_dynamics_coordinate(const carom_dynamics *d, int joint, double near, carom_row *row, double *rate);
/* Force and moment about the second frame that multipliers of the rows of an ideal joint are on its second body; `motion`:
   with those of its prescribed motion. */
carom_wrench carom_dynamics_reaction(const carom_dynamics *d, int joint, const double *multipliers, bool motion);
/* A row in the coordinates of the formulation; returns J v. */
double carom_dynamics_jacobian(const carom_dynamics *d, const carom_row *row, int body_i, int body_j,
                               carom_jacobian_row *out);

/* ---- cartesian.c: the formulation in absolute coordinates ---- */

/* Accelerations and multipliers from poses, wrenches and constraints. False if the system cannot be solved. */
bool carom_cartesian_accelerate(carom_dynamics *d, const carom_model_run *run);
/* Multipliers that answer accelerations of the constraint rows, in their place; of the last factored matrix. */
void carom_cartesian_solve(carom_dynamics *d, double *b);
/* x += M^-1 J^T y over the constraint rows. */
void carom_cartesian_add(const carom_dynamics *d, const double *y, double *x);
/* P J^T of the unit line along `direction` through a point between two bodies; returns J P J^T, the inverse of the effective
   mass, and in `free` (may be NULL) that without constraints. `factored`: the constraint matrix is that of the last
   acceleration. */
double carom_cartesian_response(carom_dynamics *d, int body_i, int body_j, const carom_contact_point *point,
                                carom_vec3 direction, bool factored, double *response, double *free);
/* Inverse of the effective mass along the normal through `point` without constraints [1/kg]. */
double carom_cartesian_free_response(const carom_dynamics *d, int body_i, int body_j, const carom_contact_point *point);
/* Effective mass along the unit line (normal through `point`) between two bodies; HUGE_VAL if it cannot move. */
double carom_cartesian_effective_mass(carom_dynamics *d, int body_i, int body_j, const carom_contact_point *point);
/* Moves positions, then velocities onto the constraints, least in the metric of the mass matrix; `iterations` at most.
   Returns false if the violation stays above `tolerance` (relative to the model's length). */
bool carom_cartesian_project(carom_dynamics *d, const carom_state *state, double t, double *q, double *v,
                             double tolerance, int iterations);
/* Independent rows in order; redundant[k] is set for those that depend on earlier ones. Returns the rank. */
carom_status carom_cartesian_rank(carom_dynamics *d, bool *redundant, int *rank);

/* ---- energies ---- */

double carom_dynamics_kinetic(const carom_dynamics *d);
double carom_dynamics_potential(const carom_dynamics *d);

#endif

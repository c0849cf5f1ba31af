/* A system that moves: the model, and the workspace in which it is evaluated. It has no state of its own: whoever needs
   poses, forces or accelerations at a state evaluates that state, and reads the evaluation. */
#ifndef CAROM_SYSTEM_H
#define CAROM_SYSTEM_H

#include "carom/simulation.h"
#include "dynamics/state.h"
#include "kinds/stabilization/stabilization.h"
#include "math/solve.h"

typedef struct carom_body_acceleration {
    carom_vec3 linear, angular; /* of the centre of mass, world axes [m/s^2], [rad/s^2] */
} carom_body_acceleration;

typedef struct carom_wrench {
    carom_vec3 force, torque;   /* about the centre of mass */
} carom_wrench;

/* What a step of many bodies reads of each; of the inertia what all its axes share, in the plane zz. */
typedef struct carom_body_inertia {
    double mass, inverse_mass;
    double inertia, inverse_inertia;    /* the latter 0: its axes differ */
} carom_body_inertia;

/* Two shapes and one of their points; `near`: places on both from which it is followed, NULL: all is searched. */
typedef struct carom_contact_sides {
    const carom_model_shape *i, *j;
    int point;
    const double *near;
    carom_pair_memory *memory;  /* of the system that asks; NULL: none */
} carom_contact_sides;

/* Most bodies of a row. */
#define CAROM_ROW_BODIES (2 * CAROM_COUPLED_JOINTS)

/* What a row has of the twist of a body. */
typedef struct carom_row_entry {
    int body;
    const carom_vec3 *linear, *angular;
} carom_row_entry;

/* A row in the coordinates of the formulation: a short list of bodies; the ground may be among them. */
typedef struct carom_jacobian_row {
    int count;
    struct {
        int body;
        double j[6];            /* J */
        double w[6];            /* M^-1 J^T */
    } part[CAROM_ROW_BODIES];
} carom_jacobian_row;

/* A contact that sticks, while the force that holds it is found. */
/* Searches for forces that hold at most: contacts that share a body give way by what their forces differ from those of
   the search before, of the first from none. */
#define CAROM_REFINEMENTS 8

typedef struct carom_sticking {
    int count;                  /* tangents: 1 in the plane and where it can move in one direction only, else 2;
                                   0: does not stick */
    carom_vec3 normal, shift;   /* of the plane in which its friction acts, and the way of its point into it [m] */
    double part;                /* how far it is one of the places of a face that hold as one, 0 to 1 */
    carom_vec3 tangent[2];
    double *delassus[2];        /* columns of both, or where there are such their roots */
    double own[2][2];           /* inverse masses along both [1/kg] */
    double mass;                /* the greatest one in any direction [1/kg] */
    double little;              /* a force that is none [N] */
    int sharing;                /* sticking contacts that share a body with it, itself among them */
    carom_vec3 wanted;          /* rate of the slip without accelerations, and what lets it die away [m/s^2] */
    double yield;               /* how it gives way beside others that share a body [1/kg] */
    double softness;            /* what of it holds now [1/kg] */
    double reference[2];        /* force from which it gives way [N] */
    double mobility;            /* mean of both inverse masses [1/kg] */
    double settle;              /* rate at which its slip dies away [1/s] */
    double greatest;            /* force that holds at most [N] */
    double residual[2], step[2], product[2];      /* of the conjugate gradients */
    int touched[2];             /* bodies of it that no earlier one that sticks touches; 0: none */
    carom_vec3 applied;         /* part of the force that the accelerations know [N] */
    carom_vec3 change;
    int row;                    /* of its first tangent among those of all contacts that stick */
    bool on_edge;               /* its force is at the edge of the cone, */
    double toward[2];           /* along this, */
    double pull;                /* against the slip that is left, of this rate [m/s^2] */
} carom_sticking;

/* Search for forces of contacts that stick within their cones: vectors of the tangents of all. */
typedef struct carom_cone_search {
    int room, count;            /* tangents at most, and now */
    double *mobility;           /* rate of each slip by each force [1/kg] */
    double *matrix, *solution;  /* Newton's system, */
    int *first;                 /* and where its rows begin */
    double *begin, *rate, *rate_change; /* rates of the slips without forces, with them, and by the step [m/s^2] */
    double *force, *change;     /* [N] */
    bool braced;                /* at rest directions along which contacts would brace are left out of the mobility */
} carom_cone_search;

/* A place where the parts of a joint site, at one instant; vectors of three are along the directions of its slip. */
typedef struct carom_friction_site {
    double slip[CAROM_FRICTION_SLIPS], speed;    /* of j against i [m/s] */
    double normal;              /* with the preload [N] */
    double friction[CAROM_FRICTION_SLIPS];       /* on j [N] */
    double power;               /* work that friction takes [W] */
    const double *state;        /* of the law; NULL: none */
    bool stick;
    bool parting;               /* breaks away: it has the force of sliding against `direction`, the slip is to begin */
    double spare;               /* of one that sticks: 1 less the force that it needs, of the greatest of its law */
    bool sliding;               /* sticks, but with the greatest force of its law, along: */
    double clip[CAROM_FRICTION_SLIPS];
    int visits[3]; /* of a slip of one direction: searches in which it held, was clipped forward, backward */
    double direction[CAROM_FRICTION_SLIPS]; /* of a law that holds, where it slides: that of the force, the other way */
    int bearing_count;
    carom_vec3 bearing[CAROM_FRICTION_BEARINGS]; /* forces of the bearing without friction [N] */
} carom_friction_site;

/* A direction in which a friction site slips. */
typedef struct carom_friction_slip {
    carom_row row;
    carom_jacobian_row jacobian;
    double rate; /* of the slip without friction, and what lets it die away where the site sticks [m/s^2] */
    bool redundant;                 /* of a site that sticks: those before hold it as well, and it has no force */
    double *coupling, *multipliers;   /* J M^-1 of the constraint rows on it; the multipliers that a unit force makes */
    carom_vec3 *bearing;        /* forces of the bearings that it makes, CAROM_FRICTION_BEARINGS for each site */
} carom_friction_slip;

/* Workspace of the active-set friction solve: vectors and matrices over all directions of slip. */
typedef struct carom_friction_active_set {
    double *mobility;           /* acceleration of each slip by each force [1/kg] */
    double *matrix, *residual;  /* Newton's derivative and residual, */
    double *scale;              /* the sizes that a residual is made of, */
    double *force, *base, *change, *slope;
    int *pivot;
} carom_friction_active_set;

/* A force and a torque that the caller applies to a body. */
typedef struct carom_applied {
    int body;
    carom_vec3 force, torque;   /* [N], [N m] */
    carom_vec3 point;           /* where the force acts, from the centre of mass, body axes [m] */
    bool turns;                 /* they turn with the body: body axes; else world axes */
} carom_applied;

/* Where the forces of located contacts come from. */
typedef enum carom_force_origin {
    CAROM_FORCES_OF_LAWS,
    CAROM_FORCES_OF_IMPULSES,   /* mean forces of the last step of a method with rigid contacts: episode.pressed */
    CAROM_NO_FORCES             /* within such a step, whose impulses come behind the rates */
} carom_force_origin;

/* Model and workspace. What stands here is written and read within one call. */
typedef struct carom_system {
    carom_context *ctx;
    const carom_model *model;
    const carom_formulation *formulation;
    carom_layout layout;
    struct carom_tree_work *tree;       /* of formulations in joint coordinates; NULL: it is none */
    const carom_stabilization_kind *stabilization; /* of the constraints; NULL: none */
    const double *stabilization_params;
    double *held_correction;    /* of the rows, by carom_system_hold_corrections() */
    bool corrections_held;
    carom_arena arena;
    carom_dense *dense;         /* NULL: it has not been needed */
    carom_orthogonal *orthogonal;       /* of rows that depend on others, or nearly; with `dense` */
    carom_proximal soft;        /* of methods whose multipliers are those of S + R; n = 0: it is none */
    bool by_rows;               /* the last factorisation is that of `orthogonal` */
    carom_sparse *sparse;       /* NULL: dense */
    int *sparse_place;          /* two positions in the sparse values for each product of the coupling loop */
    int sparse_entries;
    int *diagonal_place;        /* position of the diagonal of each row in the sparse values; NULL: no row is ever idle
                                   or of an armature */
    carom_skyline skyline;      /* of the rank, where joints are locked in a run; no row: not made yet */
    int threads;                /* that share its loops */
    bool isotropic;             /* the inertia of each body is a multiple of the unit matrix */
    carom_body_inertia *inertias;       /* one a body, the ground first */
    bool alike;                 /* those of all bodies are equal */
    bool redundant;             /* rows are dependent: least-norm multipliers, by `orthogonal` */
    carom_force_origin contact_forces;
    int *touching, touching_count;      /* contacts with located events, ascending, of which the open ones are among
                                           these: all, or while a motion keeps the list (touching_kept) these alone */
    bool touching_kept;
    bool follows;               /* the motion is that which the constraints prescribe, whatever force that takes */
    double rcond;               /* of the sparse matrix, at the first rank; 0: none yet, or singular */
    double passed_share;        /* the most that the next two are */
    double share;               /* that `orthogonal` takes for dependent, from the first rank; 0: none was found yet */
    double held_share;          /* of a row that the joints of a tree leave, which they hold; 0: none yet */
    double *solve;              /* right-hand side of the multiplier equation */
    double *step;               /* of a projection, in velocities */
    double *column;             /* accelerations that a unit force makes */
    carom_sticking *sticking;   /* one a contact; NULL: no law holds */
    int *holding, holding_count;        /* those of them that stick, ascending */
    double *sticking_column;    /* accelerations that a step of the conjugate gradients makes */
    carom_cone_search cones;
    carom_friction_active_set active_set;
    struct carom_known_geometry *geometry;      /* one a contact; NULL: no pair costs a search */
    carom_pair_memory pair_memory;
    bool at_rest;               /* what is prescribed stands still: it has its value, and no rates */
    int state_fault;            /* state whose rate was not finite since the last accepted step, -1: none */
    const carom_edges *records; /* of inputs; n = 0: it is set. NULL: none has a record */
    const carom_motion_def *motions; /* of drives, by their index; NULL: all are the model's, `at` NULL: that one is */
    int friction_fault;              /* site whose friction was not found in the last evaluation, -1: none */
    double *load_values;        /* largest parameter array of a load */
    double *load_rates, *load_accelerations;    /* rates of these, and the rates of these */
    const double *load_zeros;   /* both, of loads whose parameters are constant */
    struct carom_sets *sets;    /* dynamics/contact/contact_set.h; NULL: no contact set */
    uint64_t evaluations;
    carom_applied *applied;     /* they belong to the caller's simulation, not to the state */
    size_t applied_count, applied_capacity;
    double load_fault;          /* test aid: applied loads are scaled by 1 + this outside the ledger */
} carom_system;

/* Of many bodies one alone is read where they are alike. */
static inline const carom_body_inertia *carom_system_inertia(const carom_system *system, int body)
{
    return &system->inertias[system->alike ? 1 : body];
}

/* What was found at a state: the pipeline fills it from left to right. Contacts that are not open have a point only
   where somebody asked for it. */
typedef struct carom_evaluation {
    carom_system *system;
    const carom_model *model;
    double time;
    carom_body_pose *pose;      /* by body, the ground first */
    const carom_motions *motions;       /* where they are while poses are not made (sim/parts.c), else NULL */
    carom_wrench *wrench;       /* applied, without constraints */
    carom_mat3 *inverse_inertia;        /* world axes */
    carom_row *rows;            /* constraint rows, Phi with the prescribed value taken off */
    carom_row *other_rows;      /* of joints of others: the parts of those before the last one; NULL: there are none */
    double *row_rate, *row_acceleration;        /* prescribed rate and acceleration of each row */
    double *phi_rate;           /* J v - rate */
    double *followed;           /* coordinates of joints on paths, where the poses have them; NULL: there are none */
    bool *idle;                 /* rows of joints that are not locked: no constraint now; NULL: there are none */
    carom_jacobian_row *jacobian;
    double *multipliers;        /* one a row [N or N m] */
    double *acceleration;       /* of all bodies, as their velocities in the cartesian formulation */
    struct carom_tree_evaluation *tree;         /* of formulations in joint coordinates; NULL: it is none */
    carom_contact_point *contacts;
    int *forced, forced_count;  /* those of them that were open when it was made: all others have no forces */
    struct carom_set_sums *sums;       /* one a contact set */
    carom_wrench *set_wrench;          /* of the contact sets on each body; NULL: there are none */
    struct carom_body_sums *part_sums; /* over the bodies, part by part */
    bool sums_known;            /* these are those of the poses that are there */
    double *friction_rate;      /* of the friction states */
    carom_friction_site *sites;
    carom_friction_slip *slips;
    carom_load_output *loads;
    double applied_power;       /* of the caller's forces [W] */
    double *measures;
    carom_jet *measure_jets;    /* of inputs, and of coordinates that are related */
    double *state_rate;         /* of the user's states */
    double *load_state_rate;    /* of the states of loads */
} carom_evaluation;

static inline carom_motions carom_evaluation_motions(const carom_evaluation *d)
{
    return d->motions ? *d->motions : carom_motions_of(d->pose);
}

/* Numbers of the acceleration of a body, or of a change of its velocity. */
static inline int carom_twist_size(const carom_model *m) { return m->dimension == 2 ? 3 : 6; }

carom_status carom_system_create(carom_context *ctx, const carom_model *model, const carom_formulation *formulation,
                                 carom_system **out);
void carom_system_free(carom_system *system);
/* From now on the list of touching contacts is that of the open ones of a state, which whoever opens or closes one of
   it keeps (nothing happens while no list is kept); or all contacts again. */
void carom_system_keep_touching(carom_system *system, const carom_state *state);
void carom_system_touches(carom_system *system, int contact, bool open);
void carom_system_touch_all(carom_system *system);
/* Makes the room that contacts need of which laws with a state shall hold as those do that solve for stick: of an
   episode or a place whose `stick` says so, up to the law's cone, whatever its deflection is. */
carom_status carom_system_hold_deflected(carom_system *system);
/* Takes mass and inertia of a body of the model, which have changed. */
void carom_system_change_inertia(carom_system *system, int body);
/* Says whether rows are dependent, and makes the dense matrix where it is needed. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_system_set_redundant(carom_system *system, bool redundant);
/* What stabilisation adds to the accelerations of a row. */
double carom_system_correction(const carom_evaluation *d, int row);
/* Takes those of an evaluation for those of all stages of a step that begins there, with gains that let a step of
   that length [s] close most of a violation; 0: they are found anew in each; less: those taken last. Stages that are
   off the constraints by powers of the step would have large ones, and a method of high order would take short steps
   for them. */
void carom_system_hold_corrections(const carom_evaluation *d, double step);
/* The longest step [s] of which they may be held. */
double carom_system_longest_hold(const carom_system *system);
/* The constraint method, with compiled parameters that outlive the system; NULL: none. Errors: CAROM_ERROR_MEMORY,
   CAROM_ERROR_USAGE (too many rows for it). */
carom_status carom_system_set_method(carom_system *system, const carom_stabilization_kind *kind, const double *params);
/* The share of a row that is left where it counts as dependent from now on; 0: the one that the first rank tells.
   A system that has one keeps it. */
void carom_system_set_share(carom_system *system, double share);
/* Whether a motion is prescribed: no force that it takes near a dead centre may be left out then. False where motions
   tell the positions, which a dead centre ends. */
bool carom_system_is_driven(const carom_system *system);
/* Room for the lower part of S; each row begins at the first one that it shares a body with. Errors:
   CAROM_ERROR_MEMORY. */
carom_status carom_system_make_skyline(const carom_model *m, carom_arena *arena, carom_skyline *out);
/* The matrix of the sparse equations, and where the products of its entries go; pattern.c. */
carom_status carom_system_create_sparse(carom_system *system);
/* Room for an evaluation, which lives as long as the system. NULL: no memory. */
carom_evaluation *carom_system_workspace(carom_system *system);

/* Evaluates (t, y) with the open episodes and the switches of a state; y is the vector that is integrated. False if the
   accelerations were not found. */
bool carom_system_evaluate(carom_evaluation *out, const carom_state *state, double t, const double *y);
/* The same where the poses, and the forces of contact sets at them, are in the evaluation already. */
bool carom_system_evaluate_posed(carom_evaluation *out, const carom_state *state, double t, const double *y);
/* Coordinates of joints on paths at the poses, each the one that is reached from that of the state. */
void carom_dynamics_follow(carom_evaluation *d, const carom_state *state);
/* The point of a contact that is not open; it has no forces. */
void carom_system_closed_contact(carom_evaluation *out, int contact);

/* Energies of an evaluated state [J]. */
typedef struct carom_energy {
    double kinetic, potential, elastic;
    double loads; /* part of elastic that loads store */
} carom_energy;

carom_energy carom_system_energy(const carom_evaluation *at, const carom_state *state);

#endif

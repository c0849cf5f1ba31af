/* The compiled model: constant, indices in place of names. Body 0 is the ground. */
#ifndef CAROM_MODEL_INTERNAL_H
#define CAROM_MODEL_INTERNAL_H

#include "carom/model.h"
#include "base/base.h"
#include "base/warnings.h"
#include "expr/expr.h"
#include "kinds/kind.h"
#include "law/normal_law.h"

/* A frame fixed on a body. */
typedef struct carom_marker {
    int body;
    carom_vec3 at;              /* from the centre of mass, body axes [m] */
    carom_mat3 axes;            /* columns f, g, h in body axes */
    double angle;               /* 2-D: angle of f in the body [rad] */
} carom_marker;

typedef struct carom_model_body {
    double mass;                /* [kg]; ground: 0 with inverse 0 */
    double inverse_mass;
    bool isotropic;             /* the inertia is a multiple of the unit matrix */
    bool principal;             /* the body axes are principal axes */
    carom_mat3 inverse_inertia, inertia;        /* body axes, centre of mass [kg m^2]; 2-D: zz only */
    const char *name;
    carom_vec3 position;        /* start [m] */
    carom_quat orientation;
    double angle;               /* 2-D start [rad] */
    bool velocity_given[3], spin_given[3];
    carom_vec3 velocity, spin;  /* start, world axes */
    carom_place place;
} carom_model_body;

/* An expression of time or of the state that a run evaluates. */
typedef struct carom_model_expr {
    carom_expr *expr;
    int first_switch, first_root;
    bool uses_measures;
    carom_place place;          /* of its first character */
} carom_model_expr;

typedef enum carom_measure_type {
    CAROM_MEASURE_ANGLE,        /* coordinate of a joint */
    CAROM_MEASURE_SPEED,        /* its rate */
    CAROM_MEASURE_X, CAROM_MEASURE_Y, CAROM_MEASURE_Z, CAROM_MEASURE_VX, CAROM_MEASURE_VY, CAROM_MEASURE_VZ,
    CAROM_MEASURE_TURN,         /* planar angle of a body */
    CAROM_MEASURE_SPIN,         /* planar angular velocity of a body */
    CAROM_MEASURE_WX, CAROM_MEASURE_WY, CAROM_MEASURE_WZ,       /* angular velocity, world axes */
    CAROM_MEASURE_ROLL, CAROM_MEASURE_PITCH, CAROM_MEASURE_YAW, /* axes = Rz(yaw) Ry(pitch) Rx(roll) */
    CAROM_MEASURE_GYROSCOPE,    /* angular velocity in the own axes, three components */
    CAROM_MEASURE_LAST_OF_GYROSCOPE = CAROM_MEASURE_GYROSCOPE + 2,
    CAROM_MEASURE_DISTANCE,     /* between two bodies' centres of mass */
    CAROM_MEASURE_LENGTH,       /* between the two frames of a load */
    CAROM_MEASURE_STRETCH,      /* the same, less the load's free length */
    CAROM_MEASURE_LENGTH_RATE,
    /* of several bodies together, three components each: centre of mass, its velocity, momentum, angular momentum about
       it */
    CAROM_MEASURE_CENTRE,
    CAROM_MEASURE_DRIFT = CAROM_MEASURE_CENTRE + 3,
    CAROM_MEASURE_MOMENTUM = CAROM_MEASURE_CENTRE + 6,
    CAROM_MEASURE_ANGULAR_MOMENTUM = CAROM_MEASURE_CENTRE + 9,
    CAROM_MEASURE_LAST_OF_SET = CAROM_MEASURE_CENTRE + 11,
    CAROM_MEASURE_INPUT,        /* value of an input */
    CAROM_MEASURE_STATE,        /* value of a state of the user's own */
    /* of a contact, or of `b` places from the one at `a` on together: of the deepest one, sums of the others */
    CAROM_MEASURE_INDENTATION, CAROM_MEASURE_INDENTATION_RATE,
    CAROM_MEASURE_COUNT,        /* of its episodes that have begun */
    CAROM_MEASURE_OPEN,         /* of its episodes that are open */
    /* from here on known behind the forces of the same instant */
    CAROM_MEASURE_CONTACT_FORCE, CAROM_MEASURE_CONTACT_FRICTION,
    CAROM_MEASURE_LOAD_FORCE, CAROM_MEASURE_LOAD_TORQUE, CAROM_MEASURE_LOAD_POWER, CAROM_MEASURE_LOAD_STORED,
    CAROM_MEASURE_REACTION, CAROM_MEASURE_MOMENT,       /* of a joint, their sizes */
    CAROM_MEASURE_DRIVE,        /* effort of a prescribed motion */
    CAROM_MEASURE_TOUCH, CAROM_MEASURE_TOUCH_X, CAROM_MEASURE_TOUCH_Y, CAROM_MEASURE_TOUCH_Z,   /* sum of the contact
                                                                                forces on a body, size and components */
    /* of a frame, three components each: acceleration in world axes, and less that of gravity in its own */
    CAROM_MEASURE_ACCELERATION,
    CAROM_MEASURE_ACCELEROMETER = CAROM_MEASURE_ACCELERATION + 3,
    CAROM_MEASURE_LAST = CAROM_MEASURE_ACCELEROMETER + 2
} carom_measure_type;

/* Measures that the forces of the instant make: expressions of forces cannot read them. */
static inline bool carom_measure_is_late(carom_measure_type type) { return type >= CAROM_MEASURE_CONTACT_FORCE; }
/* And whether multipliers of joints are. */
static inline bool carom_measure_is_reaction(carom_measure_type type)
{
    return type >= CAROM_MEASURE_REACTION && type <= CAROM_MEASURE_DRIVE;
}

typedef struct carom_measure {
    carom_measure_type type;
    int a, b;                   /* joint, bodies, input, state, contact, block of rows, or load and place of its free
                                   length */
    const carom_marker *frame;  /* of a body; NULL: its centre of mass and axes */
    const int *bodies;          /* of several bodies; `b` counts them */
} carom_measure;

/* A frame of a body, for those who ask where it is. */
typedef struct carom_model_frame {
    const char *name;           /* BODY.FRAME */
    carom_marker marker;
} carom_model_frame;

/* A number that expressions read and a program sets, or a record of the simulation. */
typedef struct carom_model_input {
    const char *name, *unit, *description;
    const char *between;        /* of its record, as of a spline */
    double start;
    bool rates_wanted;          /* somewhere its time derivatives are needed, first at: */
    carom_place rates_place;
} carom_model_input;

/* A first-order state of the user's own. */
typedef struct carom_model_state {
    const char *name, *unit, *description;
    double start, scale;
    int expr;                   /* its rate */
    carom_place place;
} carom_model_state;

typedef enum carom_action_type {
    CAROM_ACTION_LOCK, CAROM_ACTION_UNLOCK, CAROM_ACTION_SWITCH_OFF, CAROM_ACTION_SWITCH_ON, CAROM_ACTION_SET_INPUT,
    CAROM_ACTION_SET_STATE, CAROM_ACTION_STOP
} carom_action_type;

typedef struct carom_model_action {
    carom_action_type type;
    int object;                 /* lock, load, input or state */
    carom_expr *value;          /* of those that set; its switches are set as it is read */
} carom_model_action;

typedef struct carom_model_event {
    const char *name;
    const char *kind, *does;    /* as carom_fired_event.kind and .action */
    int expr;                   /* condition: not zero while it holds */
    bool once;
    carom_model_action *actions;
    int action_count;
    carom_place place;
} carom_model_event;

/* A quantity of the user's own, read from accepted states alone: its switches are set as it is read. */
typedef struct carom_model_output {
    const char *name, *unit, *description;
    carom_expr *expr;
} carom_model_output;

/* Clearance of a joint: its contacts replace its rows. */
typedef struct carom_model_clearance {
    int index;                  /* among the joints with clearance, -1: the joint is ideal */
    int first_contact, contact_count;
    int rows;                   /* of the ideal joint, for the start */
    double play;                /* as in carom_clearance_parts */
    bool round_about;
} carom_model_clearance;

/* Friction of an ideal joint. */
typedef struct carom_model_friction {
    const carom_friction_kind *law;     /* NULL: none */
    double constants[CAROM_FRICTION_CONSTANTS];
    double size[CAROM_FRICTION_SIZES];   /* [m]; 0: not given */
    double preload;             /* [N] */
    bool constant;              /* the preload is all, and arms are 1 m */
    int friction_work;                /* index among what has friction, for its work; -1: none */
} carom_model_friction;

/* A friction site of a joint. */
typedef struct carom_model_friction_site {
    int joint, place;
    int slip_count, first_slip; /* directions of its slip among those of all sites */
    int state;                  /* where the law's state starts among the model's, -1: none */
    int root;                   /* index among the root functions behind those of the contacts, -1: none */
} carom_model_friction_site;

typedef struct carom_model_joint {
    const char *name;
    const carom_joint_kind *kind;
    double *p;
    carom_marker i, j;          /* of a joint of others those of the last one */
    int coupled[CAROM_COUPLED_JOINTS];  /* these joints; -1: none, or no more */
    int relation;               /* the expression that couples them, -1: their kind does */
    int relation_slot[CAROM_COUPLED_JOINTS];    /* of their coordinates among the measures; -1: it does not read it */
    int of;                     /* the joint whose further coordinate it is, without rows; -1: it is a joint itself */
    int freedom;                /* of the coordinate among the freedoms of that one */
    bool rate_given;
    double rate;
    int first_row;              /* in the list of constraint rows; -1 with clearance */
    int coordinate;             /* index among joint coordinates, -1: none */
    int lock;                   /* index among the joints that an event may lock, -1: none does */
    double zero;                /* of its coordinate, as its kind gives it [m or rad] */
    double near;                /* its coordinate at the start, on a path [m] */
    double armature;            /* of its coordinate [kg or kg m^2]; 0: none */
    carom_model_clearance clearance;
    carom_model_friction friction;
    carom_place place;
} carom_model_joint;

typedef enum carom_block_type {
    CAROM_BLOCK_JOINT,
    CAROM_BLOCK_JOINT_MOTION,
    CAROM_BLOCK_BODY_MOTION,
    CAROM_BLOCK_LOCK,           /* coordinate of a joint that an event holds; idle until then */
    CAROM_BLOCK_COMPUTED,       /* acceleration of a joint that a motor computes its effort for; else idle */
    CAROM_BLOCK_ARMATURE        /* inertia on the coordinate of a joint: no constraint, see below */
} carom_block_type;

/* A group of constraint rows between two bodies, or those of several joints. The row of an armature A is that of the
   coordinate with phi = 0: its multiplier is the force of that inertia, J a - gamma + multiplier/A = 0, so that the
   diagonal of J M^-1 J^T has 1/A more there. A formulation whose mass matrix has A on the coordinate leaves it out. */
typedef struct carom_constraint_block {
    carom_block_type type;
    int object;                 /* joint or body */
    int axis;                   /* body motion: 0 x, 1 y, 2 z, 3 angle */
    carom_marker marker;        /* body motion: the driven point */
    int body_i, body_j;
    int others[2 * (CAROM_COUPLED_JOINTS - 1)]; /* bodies of the coupled joints before the last one */
    int other_count;            /* of these; 0: it couples none */
    int first_other;            /* their rows among those of all */
    int first_row, row_count;
    int rate_rows;              /* the last ones, which constrain velocities alone */
    int expr;                   /* prescribed value, -1: none */
    int drive;                  /* index among drives, -1: none */
    int lock;                   /* index among locks, of those */
    int load;                   /* the motor, of computed efforts */
    double armature;            /* [kg or kg m^2] of those */
} carom_constraint_block;

typedef struct carom_model_warning {
    carom_warning_code code;
    char *text;
} carom_model_warning;

typedef struct carom_model_shape {
    const char *name;
    const carom_shape_kind *kind;
    double *p;                  /* parameters, or the curve or packed solid made of them */
    int size;                   /* of p */
    int body;
    carom_vec3 at;
    carom_mat3 axes;
    bool centred, parallel;     /* at the centre of mass; axes are the body's */
    int material;               /* index among the model's, -1: none */
    bool visual, hidden;        /* touches nothing; is not drawn */
    int colour;                 /* 0xrrggbb; -1: that of the body */
} carom_model_shape;

/* Words of the policy for radii in model files, ended by NULL (compile_law.c). */
extern const char *const carom_radii_words[];

/* Root functions of a contact. */
typedef enum carom_contact_root {
    CAROM_ROOT_GAP,             /* onset and release */
    CAROM_ROOT_COMPRESSION,     /* velocity per compression: the indentation's rate; adaptive: also v0 against it */
    CAROM_ROOT_TENSION,         /* the law would pull */
    CAROM_ROOT_BRANCH,          /* laws with history variables, or with two branches */
    CAROM_ROOT_STICK,           /* friction that holds */
    CAROM_ROOT_SEGMENT,         /* radii of segments: the contact passes to another segment of a curve */
    CAROM_CONTACT_ROOTS
} carom_contact_root;

typedef struct carom_model_contact {
    const char *name;
    int shape_i, shape_j;       /* in the order of the file */
    int body_i, body_j;
    const carom_pair_kind *pair;
    bool swapped;               /* the pair kind takes them in the other order */
    int point;                  /* which one, of pairs with several */
    bool hands_over;            /* to another of these: its gap jumps */
    carom_normal_law law;
    bool varies;                /* the elastic constants are made from the radii at each onset */
    bool segments;              /* and where an open episode passes to another segment of a curve */
    bool radii_of_start;        /* they are made once, from the radii where the run starts */
    const carom_friction_kind *friction;        /* NULL: none */
    double friction_constants[CAROM_FRICTION_CONSTANTS];
    int friction_state;         /* where its state starts among the model's, -1: none */
    double rolling, spinning, rolling_speed;    /* [m], [m], [rad/s] */
    int friction_work; /* index among what has friction: joints with friction, contacts with friction or couples; -1:
                          none */
    int roots[CAROM_CONTACT_ROOTS];     /* index of each root function, -1: not needed */
    double feature_size;        /* [m] */
    carom_place place;
} carom_model_contact;

/* Most exclusions of a contact set: bits of a mask. */
#define CAROM_SET_EXCLUSIONS 32

/* A shape in a contact set. */
typedef struct carom_set_member {
    int shape, body;
    int group;                  /* shapes of a group have one kind and one material */
    double radius;              /* bounding, about the shape's origin [m]; HUGE_VAL: unbounded */
    uint32_t exclude[2];        /* bits of the exclusions that name it first, second */
} carom_set_member;

/* A contact set: any two of its members may touch. Its open episodes are a list, see dynamics/contact/contact_set.h. */
typedef struct carom_contact_set {
    const char *name;
    int first, count;           /* of its members among the model's */
    int group_count;
    /* Of the groups of the shapes i and j, i before j: the contact as it would be between two of them; NULL: they never
       touch. Where `varies` is set the constants are made at each onset. */
    carom_model_contact **laws;
    bool allow_connected;       /* bodies that a joint connects touch, too */
    int friction_work;                /* friction or couples somewhere: index among the sets that have any, -1: none */
    carom_place place;
} carom_contact_set;

/* The places of the pairs of a contact set of which each is located: contacts `first` and the `count` behind it. */
typedef struct carom_located_set {
    const char *name;
    int first, count;
} carom_located_set;

/* Gap of a contact at one of its points between the poses of its shapes, in the order of the pair kind. */
static inline void carom_model_gap(const carom_model_contact *c, int point, const carom_shape_pose *i,
                                   const carom_shape_pose *j, carom_pair_point *out)
{
    if (c->pair->points)
        c->pair->gap_at(i, j, point, out);
    else
        CAROM_KIND_CALL(c->pair, gap, i, j, out);
}

/* The same with the memory of a system. */
static inline void carom_model_gap_with(const carom_model_contact *c, int point, const carom_shape_pose *i,
                                        const carom_shape_pose *j, carom_pair_memory *memory, carom_pair_point *out)
{
    if (memory && c->pair->points && c->pair->gap_with)
        c->pair->gap_with(i, j, point, memory, out);
    else
        carom_model_gap(c, point, i, j, out);
}

/* Rate of the normal there, likewise [1/s]. */
static inline carom_vec3 carom_model_normal_rate(const carom_model_contact *c, int point, const carom_shape_pose *i,
                                                 const carom_shape_pose *j)
{
    return c->pair->normal_rate_at ? c->pair->normal_rate_at(i, j, point) : CAROM_KIND_CALL(c->pair, normal_rate, i, j);
}

typedef struct carom_param_slot {
    int offset, expr;
    bool rate;                  /* the rate is wanted as well */
} carom_param_slot;

typedef struct carom_compiled_load {
    const char *name;
    const carom_load_kind *kind;
    double *p;
    int param_size;
    carom_param_slot *slots;
    int slot_count;
    int frames;                 /* 1 or 2 */
    int joint;                  /* of loads on a joint, else -1 */
    carom_marker i, j;          /* of loads on a joint those of the joint */
    bool has_reference;
    carom_marker reference;     /* the frame in whose axes components are given */
    carom_edges *edges;         /* of each switch of the kind; NULL: none switches */
    int first_switch, first_root;
    int first_state, state_count;       /* of its own among those of all loads */
    double stop_time;           /* of stops, that of an impact on one [s] */
    carom_load_sized sized;     /* and what of them is a default */
    int notice;                 /* index among the loads whose switches are told of, -1: they are not */
    int computed;               /* block of its row, -1: its effort is not computed */
    carom_place place;
} carom_compiled_load;

/* Constants of a joint with one coordinate q along or about an axis h that both bodies keep: the second frame turns by
   `turn` q about it and advances by offset + lead q. */
typedef struct carom_axial_joint {
    bool is;
    bool hinge;                 /* turn is 1, lead and offset are 0 */
    bool fixed;                 /* it has no coordinate: the axes are `still`, the place is `near` */
    int about;                  /* the axis about which it turns is the axis 1, 2 or 3 of both bodies, or less one of
                                   these; 0: it is none of them */
    double turn;                /* 0 or 1 */
    double lead, offset;        /* [m or m/rad], [m] */
    carom_vec3 axis;            /* h, in the axes of the carrying body, along which the own one advances */
    carom_vec3 near, far;       /* the frames of the joint, on the carrying body and on the own one */
    /* axes of the body in those of the carrying one: still + cosine cos q + sine sin q */
    carom_mat3 still, cosine, sine;
} carom_axial_joint;

/* A body in the spanning tree of the joints: how it moves against the body that carries it. */
typedef struct carom_tree_body {
    int parent;                 /* 0: the ground */
    int joint;                  /* -1: it moves freely, against the ground */
    bool leaf;                  /* it carries none */
    bool last;                  /* of those that a body carries, in the order of the tree */
    bool reversed;              /* it is the first body of its joint */
    int first_q, q_count;       /* its numbers among the positions, */
    int first_v, v_count;       /* and the velocities */
    int motion;                 /* block of the prescribed motion of its first coordinate, -1: none */
    int armature;               /* block of the armature on its first coordinate, -1: none */
    int first_free;             /* of its coordinates that are not prescribed, among those of all */
    double turns;               /* 2-D: whole turns by which its angle starts beyond that of the joint [rad] */
    bool angular;               /* 2-D: its first coordinate is an angle */
    carom_axial_joint axial;
} carom_tree_body;

/* The spanning tree of the joints that have coordinates of their own (kinds/kind.h, carom_joint_freedoms), for
   formulations in joint coordinates; the rows of all other joints and motions stay constraints. */
typedef struct carom_tree {
    carom_tree_body *bodies;    /* by body, the ground first */
    int *order;                 /* all bodies, the carrying ones first */
    int *place;                 /* of each body in that order; the ground: -1 */
    bool *kept;                 /* by block of rows: the coordinates hold it */
    int *rows;                  /* the constraint rows that are left */
    int row_count;
    int armature_count;         /* of them those of armatures, the last ones */
    int *cut;                   /* joints with coordinates of their own that close loops */
    int cut_count;
    int positions, velocities;
    int free_count;             /* velocities that no motion prescribes */
    bool driven;                /* a motion prescribes some */
} carom_tree;

/* Two row groups that share a body which can move: block of the Schur complement. */
typedef struct carom_coupling {
    int a, b;                   /* blocks, a >= b */
    int body;
    int side_a, side_b;         /* 0: body_i, 1: body_j, from 2 on: others */
} carom_coupling;

struct carom_model {
    carom_context *ctx;
    carom_arena arena;
    const char *name, *title, *text;
    const char *file;           /* NULL: none */
    size_t text_length;
    uint64_t hash;
    int dimension;
    carom_vec3 gravity;
    carom_model_body *bodies;   /* body_count + 1, the ground first */
    carom_model_joint *joints;
    carom_model_friction_site *sites;
    carom_constraint_block *blocks;
    carom_coupling *couplings;
    carom_tree tree;
    carom_model_shape *shapes;
    const char **materials;     /* their names */
    carom_model_contact *contacts;
    carom_contact_set *contact_sets;
    carom_set_member *members;
    carom_located_set *located_sets;
    carom_compiled_load *loads;
    carom_spline_table *curves;        /* the splines of the spec, in their order */
    carom_model_expr *exprs;
    carom_measure *measures;
    carom_model_input *inputs;
    carom_model_frame *frames;
    carom_model_state *states;
    carom_model_output *outputs;
    carom_model_event *events;
    const carom_run_def *runs;  /* copies of the spec's: a simulation compiles its own */
    carom_model_warning *ignored; /* of the compilation */
    int body_count, joint_count, block_count, coupling_count, shape_count, contact_count, load_count, expr_count;
    int site_count, slip_count;
    int frame_count, input_count, state_count, output_count, event_count;
    int load_state_count;       /* of loads' own */
    int other_row_count;        /* rows of coupled joints before the last one */
    int path_count;             /* joints whose coordinate is followed along a path */
    int lock_count;             /* joints that an event may lock */
    int part_count;             /* joints that are further coordinates of others: the last ones */
    int armature_count;         /* joints with armature: their blocks are the last ones */
    int computed_count;         /* motors with computed efforts */
    int notice_count;           /* loads whose switches are told of */
    int set_count;              /* most actions of an event that set */
    int step_measure_count;     /* measures that steps need; those behind them are read by outputs alone */
    int late_measure_count;     /* of them, those that the forces make, */
    int reaction_measure_count; /* and of these, what joints and their motions bear */
    int free_switch_count;      /* most switches of an expression that is read from accepted states alone */
    int measure_count, run_count, clearance_count, coordinate_count, drive_count, friction_state_count,
        friction_work_count;
    int row_count, switch_count, root_count, contact_root_count, warning_count;
    int switching_load_count;
    int contact_set_count, member_count, set_friction_work_count;
    int set_point_count;        /* of the contacts, those of pairs of a set */
    int located_set_count;
    int applied_count;          /* of a simulation's copy: 1 once its caller applies forces */
    double length_scale, speed_scale;           /* of the model as it starts [m], [m/s] */
    double distance_scale;      /* of its bodies from the origin as it starts, at least its length [m] */
    bool speed_guessed;         /* nothing gives it a speed: it is that of the length in a second */
    size_t expr_capacity, measure_capacity, warning_capacity;
    /* Contact sets are of two structures: sets, for fixed steps, or a contact of each pair, for located events. `other`
       is the model with the other one; NULL: it has no contact sets, or cannot be so, and other_refusal says why. */
    bool stepped;
    carom_model *other;
    const char *other_refusal;
};

/* The bodies of a block. */
/* Whether its rows are constraints; those of armatures and of computed efforts are for accelerations alone. */
static inline bool carom_block_constrains(const carom_constraint_block *e)
{
    return e->type != CAROM_BLOCK_ARMATURE && e->type != CAROM_BLOCK_COMPUTED;
}
static inline int carom_block_sides(const carom_constraint_block *e) { return 2 + e->other_count; }
static inline int carom_block_body(const carom_constraint_block *e, int side)
{
    return side == 0 ? e->body_i : side == 1 ? e->body_j : e->others[side - 2];
}

/* The constraint rows: those of armatures are the last ones. */
static inline int carom_model_hard_rows(const carom_model *m) { return m->row_count - m->armature_count; }
static inline const carom_constraint_block *carom_model_armatures(const carom_model *m)
{
    return m->blocks + m->block_count - m->armature_count;
}

/* Whether there are rows that may be idle: they hold at times only. */
static inline bool carom_model_may_idle(const carom_model *m) { return m->lock_count || m->computed_count; }

/* Whether two members of a set may touch: they are on two bodies, one of which moves, no joint connects, none
   excluded. */
bool carom_contact_set_pairs(const carom_model *model, const carom_contact_set *set, const carom_set_member *a,
                            const carom_set_member *b);

/* Share of 1 rad or of the model's length up to which a coordinate is at its limit. */
#define CAROM_AT_LIMIT 1e-9
/* The same of a joint [rad], [m]. */
static inline double carom_model_at_limit(const carom_model *m, const carom_model_joint *joint)
{
    return CAROM_AT_LIMIT * (joint->kind->coordinate_unit[0] == 'r' ? 1 : m->length_scale);
}
/* Whether an angle [rad] looks like one in degrees: a whole multiple of 5 beyond a turn, but for a relative error. */
static inline bool carom_model_degrees(double angle, double error)
{
    return fabs(angle) > 2 * CAROM_PI && fabs(angle / 5 - nearbyint(angle / 5)) <= error * fabs(angle / 5);
}
/* How far a coordinate of this rate may be beyond a stop that is free on this branch and only touched [m or rad]: next
   to nothing where it is faster than rounding makes it; 0 of other loads and branches. */
double carom_model_touch(const carom_model *m, const carom_compiled_load *l, int branch, double rate);
/* Pose of a marker at the start, from the bodies' start poses (used where no motion matters). */
carom_mat3 carom_model_start_axes(const carom_model *model, int body);

#endif

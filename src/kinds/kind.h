/* Kinds: laws, joints, shapes, pairs, loads, integrators, stabilizations. One file a kind, one row in its family's
   .def. A kind is a constant struct that begins with a carom_kind: name, texts and parameter table; from these follow
   the keyword, its checks, `carom explain`, the manual and the contract tests. Functions of a kind are pure: no
   allocation, no globals, no input or output. */
#ifndef CAROM_KINDS_H
#define CAROM_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include "base/base.h"
#include "carom/kind.h"
#include "expr/expr.h"
#include "geometry/geometry.h"
#include "math/vec.h"

typedef enum carom_family {
    CAROM_FAMILY_ELASTIC,
    CAROM_FAMILY_DAMPING,
    CAROM_FAMILY_LAW,
    CAROM_FAMILY_FRICTION,
    CAROM_FAMILY_JOINT,
    CAROM_FAMILY_SHAPE,
    CAROM_FAMILY_PAIR,
    CAROM_FAMILY_LOAD,
    CAROM_FAMILY_INTEGRATOR,
    CAROM_FAMILY_STABILIZATION,
    CAROM_FAMILY_COUNT
} carom_family;

/* What a parameter of a built-in kind may be besides what carom/kind.h has. */
enum {
    CAROM_PARAM_SPLINE = 256,   /* with TEXT: name of a spline of the model; stored as 1 + its index, 0 not given */
    CAROM_PARAM_FRAME = 512,    /* with TEXT: or `body` or `body.frame`, stored as the number of the words in `unit` */
    CAROM_PARAM_RATE = 1024,    /* with TIME: of time alone; the load is given its rate as well */
    CAROM_PARAM_POINTS = 4096,  /* a list of points of the plane, with size 0: given to the kind beside the array */
    CAROM_PARAM_OUTLINE = 8192, /* a list of the segments of an outline, likewise */
    CAROM_PARAM_CORNERS = 16384,/* a table of points in space, x, y, z of each, with size 0: likewise */
    CAROM_PARAM_MESH = 32768,   /* the same from a file with a mesh */
    CAROM_PARAM_EVEN = 65536,   /* of three numbers: one stands for all of them */
    CAROM_PARAM_GRID = 131072,  /* with size 0: a table of rows of numbers */
    CAROM_PARAM_GRID_FILE = 262144, /* the same from a file */
    CAROM_PARAM_GRAPH = 524288, /* the same of an expression of x and y, over `size` with as many `lines` */
    CAROM_PARAM_UP_TO = 1048576,/* a list of at most so many numbers; the rest are 0 */
    CAROM_PARAM_TRIANGLES = 2097152,/* points of triangles, three each, from a file with a mesh; with size 0 */
    CAROM_PARAM_CURVE = 4194304,/* with size 0: expressions of `u`, one of each dimension; likewise */
    CAROM_PARAM_TABLE = CAROM_PARAM_CORNERS | CAROM_PARAM_MESH | CAROM_PARAM_TRIANGLES | CAROM_PARAM_GRID |
                        CAROM_PARAM_GRID_FILE | CAROM_PARAM_GRAPH,
    CAROM_PARAM_LIST = CAROM_PARAM_POINTS | CAROM_PARAM_OUTLINE | CAROM_PARAM_TABLE | CAROM_PARAM_CURVE,
    CAROM_PARAM_NO_NUMBER = CAROM_PARAM_LIST | CAROM_PARAM_TEXT
};

typedef struct carom_kind {
    const char *name;           /* keyword, ASCII with hyphens */
    const char *aliases;        /* further names, separated by blanks, or NULL */
    const char *title;          /* one sentence */
    const char *formula;        /* as text */
    const char *source;         /* paper and equation */
    const char *validity;       /* range and remarks, one paragraph */
    const carom_param_row *params;
    int param_count;
} carom_kind;

/* Calls a function of a kind. Those of kinds that a program registered are in its definition and take its `user`; their
   places in the struct here are set, if there are any, only to say so. */
#define CAROM_KIND_CALL(k, function, ...)                                                \
    ((k)->outside ? (k)->outside->function((k)->outside->kind.user, __VA_ARGS__)         \
                  : (k)->function(__VA_ARGS__))

/* ---- registry (registry.c): what a context knows ---- */

typedef struct carom_registry carom_registry;

/* The built-in kinds of a family. */
typedef struct carom_family_table {
    carom_family family;
    const carom_kind *const *kinds;
    size_t count;
} carom_family_table;

/* Gives a new context its registry: the built-in kinds of this layer, and those of the layers above in `further`. It is
   released with the context. */
carom_status carom_registry_create(carom_context *ctx, const carom_family_table *further, size_t count);
/* Adds kinds that live in the registry's arena: one, or all or none. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_registry_add(carom_context *ctx, carom_family family, const carom_kind *kind);
carom_status carom_registry_add_all(carom_context *ctx, const carom_family *families, const carom_kind *const *kinds,
                                    size_t count);
carom_arena *carom_registry_arena(carom_context *ctx);

const char *carom_family_name(carom_family family);             /* "elastic", "joint", ... */
size_t carom_kind_count(const carom_context *ctx, carom_family family);
const carom_kind *carom_kind_at(const carom_context *ctx, carom_family family, size_t index);
/* By name or alias; NULL if there is none. */
const carom_kind *carom_kind_find(const carom_context *ctx, carom_family family, const char *name);
/* Names of a family, for suggestions. They live as long as the context. */
const char *const *carom_kind_names(const carom_context *ctx, carom_family family, size_t *count);
/* Doubles of the compiled parameter array, and where a parameter starts in it (-1: no such). */
int carom_kind_param_size(const carom_kind *kind);
int carom_kind_param_offset(const carom_kind *kind, const char *name);

/* ---- contact laws ---- */

/* Contacts of a set, many at a time (kinds/batch.h). Functions of one may be NULL. */
typedef struct carom_batch carom_batch;

/* Elastic part Fe(delta), delta >= 0. `c` are the constants made by prepare; c[0] is K [N/m^n] and c[1] the exponent n
   of power laws. `p` is the compiled parameter array of this kind. A law with history keeps `history` numbers for each
   episode, zero at its onset and constant on each branch (loading, unloading, free); NULL instead of them means
   loading. */
typedef struct carom_elastic_kind {
    carom_kind kind;
    const carom_elastic_kind_def *outside;  /* NULL: built in */
    bool power_law;
    unsigned needs;
    int history;                /* numbers, at most CAROM_LAW_HISTORY */
    /* Returns NULL or the sentence of the refusal. */
    const char *(*prepare)(const double *p, const carom_contact_geometry *geometry, double *c);
    void (*force)(const double *c, const double *history, double delta, carom_elastic_force *out);
    /* With history: a value that is positive on the present branch and falls through zero where it ends, and the update
       of the history variables there. */
    double (*branch)(const double *c, const double *history, double delta, double rate);
    void (*update)(const double *c, double *history, double delta, double rate);
    /* Indentation up to which the law holds [m]; NULL: any. `force` stays at that of the limit beyond it. */
    double (*limit)(const double *c);
    void (*batch)(const double *c, carom_batch *contacts);      /* without history */
} carom_elastic_kind;

/* Damping part Fd(delta, rate, episode, Fe). */
typedef struct carom_damping_kind {
    carom_kind kind;
    const carom_damping_kind_def *outside;  /* NULL: built in */
    bool undamped;              /* Fd = 0 */
    bool takes_restitution;
    bool returns_what_is_asked; /* a free direct impact returns its restitution exactly, whatever the elastic part */
    bool uses_mass;             /* needs a finite effective mass */
    bool uses_stiffness;        /* needs an elastic part that is a power law */
    bool kinked;                /* its form changes with the sign of the rate: the turn is located */
    bool ignores_v0;            /* Fd is the same whatever v0 */
    const carom_elastic_kind *only_with;        /* the one part that it fits: of a whole normal force; NULL: any */
    /* Damping factor A(e) of the hysteresis family Fd = Fe A rate/v0; NULL for the others. */
    double (*factor)(double restitution);
    /* A of an impact at the speed v0 for every Fd = Fe A rate/v0 whatever its parameters; NULL: not of that form. */
    double (*ratio)(const double *c, double v0);
    const char *(*prepare)(const double *p, double *c);
    /* Refuses an elastic part with the sentence why (NULL: it fits); NULL: any part fits. */
    const char *(*fits)(bool power_law, double exponent);
    void (*force)(const double *c, const carom_damping_input *in, carom_damping_force *out);
    void (*batch)(const double *c, const double *constants, double stiffness, double exponent, carom_batch *contacts);
} carom_damping_kind;

/* A named law: an elastic part, a damping part and their defaults. */
typedef struct carom_law_kind {
    carom_kind kind;            /* its parameter table is empty: those of the parts count */
    const char *elastic;        /* used when a stiffness is given: "power" */
    const char *elastic_without_stiffness; /* "hertz", or NULL: a stiffness is required */
    const char *damping;
    double exponent;            /* default of the power law */
} carom_law_kind;

/* ---- friction ---- */

/* A friction law: a static map of the slip speed (`map`), or one with state (`state` > 0, `force`). `c` are the
   constants made by prepare. The force opposes slip; laws are isotropic. */
typedef struct carom_friction_kind {
    carom_kind kind;
    const carom_friction_kind_def *outside;  /* NULL: built in */
    int state;                  /* integrated numbers, 0, 3 or 4; all zero at the onset of an episode */
    bool spring;                /* the vector of the state times the elastic slope is the force */
    /* Stick is solved for the force that holds, up to map(c, 0, normal), while the slip is below stick_speed. */
    bool set_valued;
    /* Returns NULL or the sentence of the refusal. Made once: of the geometry only the materials may enter. */
    const char *(*prepare)(const double *p, const carom_contact_geometry *geometry, double *c);
    /* Magnitude of the force at a slip speed [N]; of laws that hold, at speed 0 the greatest force that holds. */
    double (*map)(const double *c, double speed, double normal);
    void (*force)(const double *c, const carom_friction_input *in, carom_friction_force *out);
    /* Changes the state by a step of h >= 0 [s] with the input of its end, whatever h is, and returns the force on j
       then [N]; `in->state` is not read. NULL: the law needs small steps. */
    carom_vec3 (*update)(const double *c, const carom_friction_input *in, double h, double *state);
    double (*stick_speed)(const double *c);     /* [m/s] of laws that hold */
    /* Typical size of the vector of the state [m], for the tolerances; `depth` as in the input. */
    double (*scale)(const double *c, double depth);
    /* Greatest |force|/normal over all states, the cone that bounds it, viscous part left out. */
    double (*cone)(const double *c);
    void (*batch)(const double *c, double h, carom_batch *contacts);    /* of `update` */
} carom_friction_kind;

/* ---- frames, joints ---- */

/* A joint. `p` is the compiled parameter array. The axes h of both frames lie along the joint's axis at the start
   (unless axis2_on_j), f of each is the x-axis of its frame projected; axes_locked joints have both triads equal at the
   start. Without axis the triads are the frames' own axes. In 2-D h is z, or with axis_in_plane h is the axis, g is z
   and f lies in the plane (f = g x h). */
#define CAROM_JOINT_POSITIONS 4
#define CAROM_JOINT_SPEEDS 3
/* Most coordinates of a joint. */
#define CAROM_JOINT_COORDINATES 3

/* A motion of the frame j against the frame i, in the axes of i: its spin, and the velocity of its origin as i sees
   it. */
typedef struct carom_joint_twist {
    carom_vec3 turn, move;
} carom_joint_twist;

/* The coordinates of a joint that holds, for formulations in joint coordinates: positions q and speeds u. q[0] is the
   joint's coordinate where it has one. `p` is the compiled parameter array. */
typedef struct carom_joint_freedoms {
    int positions, speeds;
    /* Where the coordinates put j: its origin and its axes, in the axes of i; and the coordinates of such a place,
       angles within half a turn. */
    void (*place)(const double *p, const double *q, carom_vec3 *origin, carom_mat3 *axes);
    void (*coordinates)(const double *p, const carom_vec3 *origin, const carom_mat3 *axes, double *q);
    /* Motion subspace S, a column for each speed: the motion of j is S u. */
    void (*subspace)(const double *p, const double *q, carom_joint_twist *columns);
    /* Its rate in the axes of i, S' u. NULL: S is constant there. */
    void (*subspace_rate)(const double *p, const double *q, const double *u, carom_joint_twist *out);
    /* q' of the speeds u; q moved along a step in speeds; the step from one q to another. NULL: q' = u. */
    void (*rate)(const double *q, const double *u, double *out);
    void (*retract)(const double *step, double *q);
    void (*difference)(const double *from, const double *to, double *step);
} carom_joint_freedoms;

typedef struct carom_joint_kind carom_joint_kind;
struct carom_joint_kind {
    carom_kind kind;
    const carom_joint_kind_def *outside;  /* NULL: built in */
    int rows_2d, rows_3d;               /* 0: the joint does not exist in that dimension */
    const char *in_plane;               /* of one that does not in the plane: what takes its place there, as the end of
                                           a sentence; NULL: nothing is told */
    int rate_rows;                      /* the last ones, which constrain velocities alone: phi = 0 */
    bool has_axis;                      /* takes `axis` */
    bool axis_in_plane;                 /* 2-D: the axis lies in the plane (translational), else it is z */
    bool axes_locked;                   /* second triad is the first one's at the start */
    bool axis2_on_j;                    /* takes `axis2`, the h of the second frame */
    const char *coordinate_unit;        /* "rad", "m" or NULL: no joint coordinate */
    const char *drawn;                  /* what pictures show, as carom_joint_info.drawn; NULL: nothing */
    /* Fills default parameters that depend on the start (e.g. the length of a distance joint); may be NULL. Returns
       NULL or the sentence of the refusal. */
    const char *(*start)(double *p, const carom_frame_pose *i, const carom_frame_pose *j);
    void (*rows)(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out);
    /* Coordinate (phi), its rate (J) and gamma of its second derivative; 3-D angles come wrapped to (-pi, pi]. */
    void (*coordinate)(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension,
                       carom_row *out);
    /* Of a joint whose coordinate is a place on a path, which the compiler makes of its parameters and packs in the
       place of them (geometry/path/path.h): the coordinate that is reached from one a little before, and rows and
       coordinate there. `rows` and `coordinate` are those at the nearest place. */
    double (*follow)(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, double near);
    void (*rows_at)(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension, double at,
                    carom_row *out);
    void (*coordinate_at)(const double *p, const carom_frame_pose *i, const carom_frame_pose *j, double at,
                          carom_row *out);
    /* A joint of two others: instead of `rows`, `start`. */
    void (*couple)(const double *p, const double *coordinates, const double *rates, carom_coupled_row *out);
    const char *(*couple_start)(double *p, const double *coordinates);
    bool has_relation;                  /* takes `relation` instead of its parameters */
    const carom_joint_freedoms *freedoms;       /* NULL: only its rows are known */
    /* Its coordinates besides that one, ended by NULL: kinds with a name, a unit and `coordinate` alone, in the order
       of the freedoms behind it. Of each the compiler makes a joint without rows, JOINT.NAME. */
    const carom_joint_kind *const *coordinates;
    /* What it may have besides; NULL: it has not. Their functions get `user`. */
    void *user;
    const carom_joint_clearance_kind *clearance;
    const carom_joint_friction_kind *friction;
};

/* ---- shapes, pairs ---- */

/* A spline of the model, with its integrals from the first knot to each knot. */
typedef struct carom_spline_table {
    carom_edges spline;
    const double *sums;
} carom_spline_table;

/* Parameters of a shape that are lists. */
typedef struct carom_shape_lists {
    const double *points;       /* x, y of each [m] */
    size_t point_count;
    const struct carom_outline_def *outline;
    size_t outline_count;
} carom_shape_lists;

typedef struct carom_shape_kind {
    carom_kind kind;
    const carom_shape_kind_def *outside;  /* NULL: built in */
    const char *surface;        /* what pairs know it by; NULL: its own name */
    bool in_2d, in_3d;
    bool isotropic;             /* a ball about its origin: the orientation is not computed */
    /* Whether the parameters fit each other; `text` becomes the sentence of the refusal or, where they do, of a
       warning, and stays empty without one. NULL: any fit. */
    bool (*check)(const double *p, char *text, size_t size);
    /* In models in space, of solids (kinds/shape/shape_solid.h): the packed solid takes the place of the parameters,
       pairs know it by the name "surface", and its size and drawing are those of the surface. Returns NULL or the
       sentence of the refusal; `solid_size`: doubles of it, NULL: CAROM_SOLID_SIZE. `splines` are those of the
       model. */
    const char *(*solid)(const double *p, const carom_spline_table *splines, double *solid);
    int (*solid_size)(const double *p, const carom_spline_table *splines);
    /* Instead of `solid`: it is the convex hull of the points in the table of one of its parameters, scaled along the
       axes by the three numbers that begin its parameters. */
    bool hull;
    /* It is a height field (geometry/surface/field.h), made of the table of one of its parameters, its size, the word
       whether it is straight, and the factor of its heights, which come first among its parameters. */
    bool field;
    /* It is drawn alone: its parameters become the number of triangles in the table of one of them, and their points,
       scaled by the three numbers that come first. */
    bool triangles;
    /* Shapes with the surface "curve" (geometry/curve/curve.h), which takes the place of their parameters: room in
       segments (NULL: CAROM_OUTLINE_SEGMENTS), and the curve. Returns NULL or the sentence of the refusal; `item` is
       then the entry of the list it is about, else -1. */
    int (*segments)(const double *p, const carom_shape_lists *lists);
    const char *(*curve)(const double *p, const carom_shape_lists *lists, double *curve, int *item);
    /* The functions below get the curve where there is one; shapes that are solids alone leave them out. */
    double (*bounding_radius)(const double *p);         /* about `at` [m]; HUGE_VAL unbounded */
    /* Draws the shape: a solid by triangles, in planar models an area in z = 0, outlines and marks by lines; the same
       calls for the same arguments. `reach` [m]: how far an unbounded shape is drawn from its origin. */
    void (*mesh)(const double *p, bool planar, double reach, const carom_mesh_sink *sink);
} carom_shape_kind;

/* Room of one system for pairs, of zeros at first. */
typedef struct carom_pair_memory {
    double room[256];
} carom_pair_memory;

typedef struct carom_pair_kind {
    carom_kind kind;
    const carom_pair_kind_def *outside;  /* NULL: built in */
    const char *shape_i, *shape_j;      /* their surfaces */
    bool varies;                /* the radii are those of the pair point; `curvature` gives typical ones */
    /* Refuses shapes that do not fit each other (NULL: they fit). */
    const char *(*check)(const double *pi, const double *pj);
    /* What the refusal prints of each side instead of typical radii: its name ("base pitches") and size [m]. */
    const char *checked;
    double (*checked_size)(const double *p);
    /* What is to be warned of where the bodies start; `text` stays empty without that. NULL: nothing ever. */
    void (*remark)(const carom_shape_pose *i, const carom_shape_pose *j, char *text, size_t size);
    const char *apart;                  /* how shapes that overlap at the start are put right; NULL: as curves are */
    void (*gap)(const carom_shape_pose *i, const carom_shape_pose *j, carom_pair_point *out);
    /* Pairs that may touch in several points at once: their number, and instead of `gap` that of one of them. */
    int (*points)(const double *pi, const double *pj);
    void (*gap_at)(const carom_shape_pose *i, const carom_shape_pose *j, int point, carom_pair_point *out);
    /* The same, with a memory of what all points have in common at the last poses that it was called with: no bit
       depends on it. NULL: that costs little. */
    void (*gap_with)(const carom_shape_pose *i, const carom_shape_pose *j, int point, carom_pair_memory *memory,
                     carom_pair_point *out);
    /* Whether it is proved, with less than a whole search, that the gap is nowhere below `least`; i->near and j->near
       are where it is least as far as is known. false: not known. NULL: always. */
    bool (*nowhere_below)(const carom_shape_pose *i, const carom_shape_pose *j, int point, double least);
    /* How deep the shapes lie in each other at least, and where, if the points need not show it; NULL: they do [m]. */
    double (*overlap)(const carom_shape_pose *i, const carom_shape_pose *j, carom_vec3 *at);
    bool turns;                         /* at a corner of a curve the normal turns about it, and does not jump */
    /* Whether one of several points hands over to another one at once, so that their gaps jump; NULL: none does. */
    bool (*hands_over)(const double *pi, const double *pj);
    const char *points_word;            /* what they are: "corners"; NULL: "points" */
    /* Name of one of them, such as "corner x- y+ z-"; NULL: its number. */
    void (*point_name)(const double *pi, const double *pj, int point, char *text, size_t size);
    /* Rate of the unit normal [1/s], from velocity and spin of the poses, which `gap` does not read. */
    carom_vec3 (*normal_rate)(const carom_shape_pose *i, const carom_shape_pose *j);
    /* The same of one of several points, where the normals there differ; NULL: they do not. */
    carom_vec3 (*normal_rate_at)(const carom_shape_pose *i, const carom_shape_pose *j, int point);
    /* Rates of from_i and from_j, likewise [m/s]; NULL: not known. */
    void (*arm_rates)(const carom_shape_pose *i, const carom_shape_pose *j, carom_vec3 *from_i, carom_vec3 *from_j);
    void (*curvature)(const double *pi, const double *pj, double *radius_i, double *radius_j);
    /* Length over which the gap may change sign twice: the step of a free approach stays below it [m]. */
    double (*feature_size)(const double *pi, const double *pj);
    /* Of one inside the hollow of the other: what it can move from the middle to a wall where the hollow is narrowest,
       HUGE_VAL beside each other; the gap is that to the nearer wall, and has a kink between the two. NULL: none
       [m]. */
    double (*play)(const double *pi, const double *pj);
    void (*batch)(const carom_body_pose *pose, carom_batch *contacts);  /* of `gap`; the radii do not vary */
} carom_pair_kind;

/* ---- loads ---- */

/* What the joint that a load is on carries, as one rigid body at the start: the bodies on the side of the joint that
   does not lead to the ground, on the lighter one where both do or neither does. */
typedef struct carom_load_carried {
    double inertia;             /* along the coordinate [kg] or [kg m^2] */
    double energy;              /* at the model's speed, and over its length against gravity [J] */
    double length;              /* of the coordinate: that of the model [m], or 1 [rad] */
} carom_load_carried;

/* Defaults of a stop that are sized by what it has to hold. */
typedef struct carom_load_sized {
    double depth;               /* indentation that its stiffness is made for [m] or [rad]; 0: the stiffness is given */
    bool damping;               /* the damping is made for a restitution, of stiffness and mass */
    double ratio;               /* and has this share of the critical one [-] */
} carom_load_sized;

/* What a load has that stops the coordinate of its joint at limits. */
typedef struct carom_load_stops {
    /* Fills parameters that depend on what the joint carries. */
    carom_load_sized (*fill)(double *p, const carom_load_carried *carried);
    /* Where the stop of the level 1 or -1 begins. */
    double (*limit)(const double *p, int level);
    /* The stiffness [N/m] or [N m/rad]; and parameters with another one, 0: as it is, for an effective mass [kg] or
       [kg m^2], 0: not known. */
    double (*stiffness)(const double *p);
    void (*suit)(double *p, double stiffness, double mass, const carom_load_sized *sized);
    /* Share of the indentation of an undamped impact that the default damping leaves; 1 with a damping that is
       given. */
    double (*damped)(const carom_load_sized *sized);
    /* How far a coordinate is beyond its limit, below zero at the lower one, and the energy that is stored there
       [J]. */
    double (*beyond)(const double *p, double coordinate, double *energy);
    /* Time of an impact of a mass [kg] or [kg m^2] without damping [s]. */
    double (*duration)(const double *p, double mass);
} carom_load_stops;

/* Changes of the first switch of a load that are rows of the events of a run. */
typedef struct carom_load_notices {
    const char *kind;           /* of the row: "limit" */
    /* Which one a branch is: 1 or -1, 0 none. */
    int (*level)(const double *p, int branch);
    const char *begins[2], *ends[2];    /* of the level -1, and of 1 */
} carom_load_notices;

typedef struct carom_load_kind {
    carom_kind kind;
    const carom_load_kind_def *outside;  /* NULL: built in */
    int frame_count;                    /* 1: on; 2: between */
    bool may_react;                     /* with 1: also between two frames, the opposite acts on the first */
    bool on_joint;                      /* with 1: on a joint that has a coordinate */
    bool has_axis;                      /* takes `axis`: h of both frames (2-D: z), f the x-axis of each projected */
    const char *drawn;                  /* what a picture shows between the frames, "coil", "dashpot" or "line", or at
                                           the first, "spiral", or both, "bushing"; NULL: nothing */
    bool counts_turns;                  /* deflections are told from those a turn away by the last one and its rate */
    int switches;                       /* at most CAROM_LOAD_SWITCHES */
    const carom_load_state *states;
    int state_count;
    /* Of built-in kinds with states: whether a load with these parameters has them, and their rates. */
    bool (*keeps)(const double *p);
    void (*rates)(const carom_load_input *in, const carom_load_output *out, double *rates);
    /* Whether its effort is the one that gives the acceleration `wanted`; NULL: no. The joint's row does the rest. */
    bool (*computed)(const double *p);
    /* Thresholds of a switch, ascending, into `out` unless that is NULL; returns their number, 0: it never switches. */
    size_t (*edges)(const double *p, const carom_spline_table *curves, int dimension, int which, double *out);
    /* The last switch, beyond its edge, ends the run for this reason; NULL: it does not. */
    const char *ends;
    /* Fills default parameters that depend on the start (e.g. the free length of a spring); may be NULL. Returns NULL
       or the sentence of the refusal. */
    const char *(*start)(double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension);
    /* Length over the unstrained one; NULL or 0: there is none. */
    double (*stretch)(const double *p, const carom_frame_pose *i, const carom_frame_pose *j);
    const carom_load_stops *stops;      /* NULL: it stops nothing */
    const carom_load_notices *notices;  /* NULL: no row tells of its switches */
    /* Sets all of `out`; the side j of a load with one frame is zero. */
    void (*apply)(const carom_load_input *in, carom_load_output *out);
} carom_load_kind;

/* ---- integrators: src/integrate ---- */

typedef enum carom_step_result {
    CAROM_STEP_DONE,            /* a step ended somewhere before the stop time */
    CAROM_STEP_STOP,            /* the stop time was reached */
    CAROM_STEP_ROOT,            /* a root function changed sign at the new time */
    CAROM_STEP_FAILED
} carom_step_result;

/* Numbers of the state that belong to the integrator: those of the method, of one that has several a
   carom_method_memory first, and those of passages of singular positions. */
#define CAROM_METHODS 3
#define CAROM_METHOD_MEMORY 22
#define CAROM_PASSING_MEMORY 4
#define CAROM_INTEGRATOR_MEMORY (CAROM_METHOD_MEMORY + CAROM_PASSING_MEMORY)

/* What an integrator has used of its methods since the start of the run. */
typedef struct carom_method_memory {
    double time[CAROM_METHODS], steps[CAROM_METHODS];   /* [s] of the run */
    double changes;             /* from one to another */
} carom_method_memory;

typedef struct carom_ode carom_ode;
typedef struct carom_integrator carom_integrator;

typedef struct carom_integrator_kind {
    carom_kind kind;
    const carom_integrator_kind_def *outside;   /* NULL: built in */
    bool fixed_step;
    bool rigid;                 /* contacts are rigid: a step ends with impulses (ode.leap) */
    bool corrects;              /* velocities are corrected by the rates at the end of the step, which are kept */
    bool stiff;                 /* its steps are not limited by what decays fast */
    bool holds;                 /* it holds the constraints on the positions itself, and may have steps of one length */
    bool begins_closed;         /* it begins on the constraints to a hundredth of the local tolerance */
    bool maps;                  /* its steps may be made in a root of the time: carom_integrator.opening, .closing */
    bool (*maps_now)(const carom_integrator *self);     /* the same of the next step, where it varies; may be NULL */
    int order;                  /* of the method; 0: it varies from step to step */
    bool projects;              /* calls ode.project itself after each step */
    bool can_project;           /* the stabilization `projection` may be used */
    bool shortens;              /* ode.size may change before a restart: what it lacks then of the first one stands in
                                   ode.left_out */
    /* Of fixed-step ones, NULL of those from outside, which have their own: one step from (t, y) with rates f to y_new
       over h, where work holds 5 n numbers; and what the rates f_new at its end, which remain those of the next step,
       still change of y_new (may be NULL; 0: nothing, less: the rates cannot be found). */
    int (*method)(const carom_ode *ode, double t, const double *y, const double *f, double h, double *y_new,
                  double *work);
    int (*correct)(const carom_ode *ode, const double *y, const double *f, double h, double *f_new,
                    double *y_new);
    const struct carom_integrator_kind *methods[CAROM_METHODS];        /* between which it changes; none: it is one */
    carom_status (*create)(carom_context *ctx, const struct carom_integrator_kind *kind, const carom_ode *ode,
                           carom_integrator **out);
    void (*destroy)(carom_integrator *self);
    /* Restarts at t with y (copied). `relative` and `tolerance` bound the error of each component by
       relative |y_k| + tolerance[k]; `direction` is the sign of the
       crossing that counts for each root (+1, -1, 0 both); arrays are copied. first_step and max_step may be 0: chosen
       by the method; fixed-step methods use max_step as their step. */
    bool (*restart)(carom_integrator *self, double t, const double *y, double relative,
                    const double *tolerance, const int *direction, double first_step, double max_step);
    /* One step, not beyond `stop`. */
    carom_step_result (*step)(carom_integrator *self, double stop);
    /* The first `count` of the ode.size numbers at a time within the last step. */
    bool (*interpolate)(carom_integrator *self, double t, int count, double *y);
} carom_integrator_kind;

/* Whether contact sets are followed as such; with other methods each pair of theirs is a contact of its own. */
static inline bool carom_integrator_has_sets(const carom_integrator_kind *kind)
{
    return kind->fixed_step && !kind->rigid;
}

#endif

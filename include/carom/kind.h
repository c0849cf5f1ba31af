/* Kinds of a program's own: laws, friction, joints, shapes with their pairs, loads, integrators, stabilizations,
   written in C.

   A kind is a definition struct: name, texts, a table of parameters, functions. carom_register_...() adds it to a
   context. From then on it is like a built-in one there: model files and definitions name it, its parameters are
   checked with file, line and column, carom_explain() and the reference page show it.

   Fill a definition with its carom_default_..._kind_def() first, which sets size and version. Texts, tables and the
   definition are copied; `user` and the functions must live as long as the context. Kinds of a context end with it, and
   with them the models that name them; such a model may run in other contexts while its own lives.

   The functions of a kind are called from the right-hand side, many times a step and for trial states that are
   rejected: they allocate nothing, keep nothing, and give the same result for the same arguments. Models shared between
   threads call them from several threads. All units are SI. docs/extending.md has an example of each. */
#ifndef CAROM_KIND_H
#define CAROM_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/base.h"
#include "carom/space.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when a struct of this header changes; the library refuses definitions of another version. */
#define CAROM_KIND_VERSION 2

/* ---- parameters ---- */

/* What a parameter may be. */
enum {
    CAROM_PARAM_REQUIRED = 1,
    CAROM_PARAM_TIME = 2,       /* of loads: may be an expression of time and measures */
    CAROM_PARAM_ABOVE = 4,      /* low is excluded */
    CAROM_PARAM_BELOW = 8,      /* high is excluded */
    CAROM_PARAM_NONZERO = 16,   /* zero (a zero vector) is refused */
    CAROM_PARAM_TEXT = 32,      /* a word out of those in `unit`, "world|body"; stored as its index, 0 the first */
    CAROM_PARAM_OPTIONAL = 64,  /* NAN when not given: the kind decides */
    CAROM_PARAM_AXIAL = 128     /* vector about an axis: one number in planar models, which is the z component */
};

/* One parameter. `size` doubles in the compiled array: 1 a number, 3 a vector (2 numbers in planar models, z = 0; with
   CAROM_PARAM_AXIAL one number, x = y = 0). The parameters stand in the array in the order of the table. */
typedef struct carom_param_row {
    const char *name;           /* keyword */
    const char *unit;           /* "m", "N/m^n", "-" */
    int size;
    unsigned flags;
    double default_value;            /* default of each component */
    double low, high;           /* range of each component */
    const char *description;
} carom_param_row;

/* What every definition begins with. */
typedef struct carom_kind_def {
    size_t size;                /* of the whole definition, and the version; set by its carom_default_..._kind_def() */
    int version;
    const char *name;           /* keyword: lower-case ASCII letters, digits and hyphens, beginning with a letter */
    const char *title;          /* one sentence */
    const char *formula, *source, *validity;    /* texts of its page; may be NULL */
    const carom_param_row *params;              /* NULL: none */
    size_t param_count;
    void *user;                 /* first argument of all functions */
} carom_kind_def;

/* All carom_register_...() return CAROM_ERROR_USAGE with what is missing or wrong: a definition of another size or
   version, a name that is taken or none, a parameter without unit or description, a function that is missing; and
   CAROM_ERROR_MEMORY. The context is then as before. */

/* ---- normal force: elastic part ---- */

/* What a normal law may know of the two sides. Radii: convex positive, concave negative, flat HUGE_VAL. */
typedef struct carom_contact_geometry {
    bool has_materials;
    double young[2], poisson[2];        /* [Pa], [-] */
    double radius[2];                   /* [m] local curvature radii; of an elliptical contact equivalent ones */
    double relative[2];                 /* principal relative curvatures, low and high [1/m]; 0: those of `radius` */
    double length;                      /* [m] of line contacts; 0: none */
    double density[2], yield[2];        /* [kg/m^3], [Pa]; 0: not given */
    int dimension;
} carom_contact_geometry;

#define CAROM_LAW_CONSTANTS 12
#define CAROM_LAW_HISTORY 4

/* What an elastic part needs of the geometry: given by the shapes and their materials, or by the keys E_i, nu_i, E_j,
   nu_j, radius_i, radius_j, length of the normal force. */
enum { CAROM_NEEDS_MATERIALS = 1, CAROM_NEEDS_RADII = 2, CAROM_NEEDS_LENGTH = 4 };

typedef struct carom_elastic_force {
    double force;               /* Fe [N] */
    double slope;               /* dFe/d delta [N/m] */
    double energy;              /* stored, what unloading gives back [J]: the integral of Fe without history */
    double loss;                /* part of Fe whose work is lost in permanent indentation, Fe - d energy/d delta [N] */
} carom_elastic_force;

/* Elastic part Fe(delta), delta >= 0. `c` are CAROM_LAW_CONSTANTS numbers made by prepare; c[0] is K [N/m^n] and c[1]
   the exponent n of power laws. `p` is the compiled parameter array. With history it keeps `history` numbers for each
   episode, zero at its onset and constant on each branch (loading, unloading, free); NULL instead of them means
   loading. */
typedef struct carom_elastic_kind_def {
    carom_kind_def kind;
    bool power_law;
    unsigned needs;             /* CAROM_NEEDS_... */
    int history;                /* numbers, at most CAROM_LAW_HISTORY */
    /* Returns NULL or the sentence of the refusal. */
    const char *(*prepare)(void *user, const double *p, const carom_contact_geometry *geometry, double *c);
    void (*force)(void *user, const double *c, const double *history, double delta, carom_elastic_force *out);
    /* With history: a value that is positive on the present branch and falls through zero where it ends, and the update
       of the history variables there. */
    double (*branch)(void *user, const double *c, const double *history, double delta, double rate);
    void (*update)(void *user, const double *c, double *history, double delta, double rate);
    /* Indentation up to which the law holds [m]; NULL: any. `force` stays at that of the limit beyond it. */
    double (*limit)(void *user, const double *c);
} carom_elastic_kind_def;

CAROM_API carom_elastic_kind_def carom_default_elastic_kind_def(void);
CAROM_API carom_status carom_register_elastic(carom_context *ctx, const carom_elastic_kind_def *def);

/* ---- normal force: damping part ---- */

typedef struct carom_damping_input {
    double delta, rate;         /* [m], [m/s], rate > 0 in compression */
    double elastic, elastic_slope;
    double v0;                  /* impact velocity of the episode [m/s], floored by the policy */
    double mass;                /* effective mass at onset [kg] */
    double stiffness, exponent; /* of the elastic part where it is a power law */
    const double *constants;    /* of the elastic part */
} carom_damping_input;

typedef struct carom_damping_force {
    double force;               /* Fd [N], may be negative */
    double d_delta, d_rate;     /* partial derivatives */
} carom_damping_force;

/* Damping part Fd(delta, rate, episode, Fe). */
typedef struct carom_damping_kind_def {
    carom_kind_def kind;
    bool takes_restitution;
    bool uses_mass;             /* needs a finite effective mass */
    bool uses_stiffness;        /* needs an elastic part that is a power law */
    bool kinked;                /* its form changes with the sign of the rate: the turn is located */
    /* Damping factor A(e) of the hysteresis family Fd = Fe A rate/v0; NULL for the others. */
    double (*factor)(void *user, double restitution);
    /* A of an impact at the speed v0 for every Fd = Fe A rate/v0 whatever its parameters; NULL: not of that form. */
    double (*ratio)(void *user, const double *c, double v0);
    /* NULL: without constants. Returns NULL or the sentence of the refusal. */
    const char *(*prepare)(void *user, const double *p, double *c);
    /* Refuses an elastic part with the sentence why (NULL: it fits); NULL: any part fits. */
    const char *(*fits)(void *user, bool power_law, double exponent);
    void (*force)(void *user, const double *c, const carom_damping_input *in, carom_damping_force *out);
    bool ignores_v0;            /* Fd is the same whatever v0: no impact velocity is followed for it */
} carom_damping_kind_def;

CAROM_API carom_damping_kind_def carom_default_damping_kind_def(void);
CAROM_API carom_status carom_register_damping(carom_context *ctx, const carom_damping_kind_def *def);

/* ---- named laws ---- */

/* An elastic part, a damping part and their defaults under one name. Its parameters are those of the parts. */
typedef struct carom_law_kind_def {
    carom_kind_def kind;
    const char *elastic;                /* used when a stiffness is given */
    const char *elastic_without_stiffness;      /* NULL: a stiffness is required */
    const char *damping;
    double exponent;                    /* default of a power law */
} carom_law_kind_def;

CAROM_API carom_law_kind_def carom_default_law_kind_def(void);
/* The parts must be registered before. */
CAROM_API carom_status carom_register_law(carom_context *ctx, const carom_law_kind_def *def);

/* A whole normal force as one function. */
typedef struct carom_normal_input {
    double delta, rate;         /* indentation, >= 0, and its rate, positive in compression [m], [m/s] */
    double v0;                  /* impact velocity of the episode [m/s] */
    double mass;                /* effective mass at the onset [kg] */
} carom_normal_input;

typedef struct carom_normal_force {
    double force;               /* F(delta, rate) [N] */
    double d_delta, d_rate;     /* partial derivatives [N/m], [N s/m] */
    double energy;              /* stored [J]: the integral of F(delta, 0) */
} carom_normal_force;

/* The force at rate 0 is the elastic one: there it must not depend on v0 and mass. The rest is dissipated. */
typedef struct carom_normal_kind_def {
    carom_kind_def kind;
    unsigned needs;             /* CAROM_NEEDS_... */
    bool uses_mass;             /* needs a finite effective mass */
    bool kinked;                /* its form changes with the sign of the rate: the turn is located */
    const char *(*prepare)(void *user, const double *p, const carom_contact_geometry *geometry, double *c);
    void (*force)(void *user, const double *c, const carom_normal_input *in, carom_normal_force *out);
    bool ignores_v0;            /* the force is the same whatever v0: no impact velocity is followed for it */
} carom_normal_kind_def;

CAROM_API carom_normal_kind_def carom_default_normal_kind_def(void);
/* Registers the law, and under the same name its elastic and its damping part. */
CAROM_API carom_status carom_register_normal(carom_context *ctx, const carom_normal_kind_def *def);

/* ---- friction ---- */

#define CAROM_FRICTION_CONSTANTS 12
#define CAROM_FRICTION_STATE 4

typedef struct carom_friction_input {
    carom_vec3 slip;            /* velocity of j's surface against i's in the tangent plane [m/s] */
    double speed;               /* its norm */
    double normal;              /* normal force, >= 0 [N] */
    double delta, rate;         /* indentation [m] and its rate [m/s] */
    double elastic, elastic_slope;      /* Fe [N], dFe/d delta [N/m] */
    double depth;               /* expected greatest indentation of the episode [m]; 0: not known */
    double duration;            /* expected duration of an impact of that depth [s]; 0: not known */
    const double *state;        /* numbers 0..2: a vector in the tangent plane, world axes; 3: a scalar */
} carom_friction_input;

typedef struct carom_friction_force {
    carom_vec3 force;           /* on j [N] */
    double rate[CAROM_FRICTION_STATE];  /* of the state; the rotation of the tangent plane is added by the pipeline */
} carom_friction_force;

/* A friction law: a static map of the slip speed (`map`), or one with state (`state` > 0, `force`). `c` are the
   constants made by prepare. The force opposes slip; laws are isotropic. */
typedef struct carom_friction_kind_def {
    carom_kind_def kind;
    int state;                  /* integrated numbers, 0, 3 or 4; all zero at the onset of an episode */
    bool spring;                /* the vector of the state times the elastic slope is the force */
    /* Stick is solved for the force that holds, up to map(c, 0, normal), while the slip is below stick_speed. */
    bool set_valued;
    /* Returns NULL or the sentence of the refusal. Made once: of the geometry only the materials may enter. */
    const char *(*prepare)(void *user, const double *p, const carom_contact_geometry *geometry, double *c);
    /* Magnitude of the force at a slip speed [N]; of set-valued laws, at speed 0 the greatest force that holds. */
    double (*map)(void *user, const double *c, double speed, double normal);
    void (*force)(void *user, const double *c, const carom_friction_input *in, carom_friction_force *out);
    /* Changes the state by a step of h >= 0 [s] with the input of its end, whatever h is, and returns the force on j
       then [N]; `in->state` is not read. NULL: the law needs small steps. */
    carom_vec3 (*update)(void *user, const double *c, const carom_friction_input *in, double h, double *state);
    double (*stick_speed)(void *user, const double *c);         /* [m/s] of laws that hold */
    /* Typical size of the vector of the state [m], for the tolerances; `depth` as in the input. */
    double (*scale)(void *user, const double *c, double depth);
    /* Greatest |force|/normal over all states, the cone that bounds it, viscous part left out. */
    double (*cone)(void *user, const double *c);
} carom_friction_kind_def;

CAROM_API carom_friction_kind_def carom_default_friction_kind_def(void);
CAROM_API carom_status carom_register_friction(carom_context *ctx, const carom_friction_kind_def *def);

/* ---- joints ---- */

/* One constraint row between the bodies i and j, over world twists (v of the centre of mass, w):
   Phi(q), J.(vi, wi, vj, wj) = Li.vi + Ai.wi + Lj.vj + Aj.wj, and J a = gamma (gamma = -Jdot v). */
typedef struct carom_row {
    double phi, gamma;
    carom_vec3 Li, Ai, Lj, Aj;
} carom_row;

#define CAROM_JOINT_ROWS 6

/* Rows that joints are made of. d = p_j - p_i. */

/* Coincidence of the origins: the first `count` world components of d = 0 (2 in planar models, else 3) [m]. */
CAROM_API void carom_row_point(const carom_frame_pose *i, const carom_frame_pose *j, int count, carom_row *out);
/* dot-1: a . b = 0 for the unit vectors a, fixed in body i, and b, fixed in body j [-]. */
CAROM_API void carom_row_perpendicular(const carom_frame_pose *i, carom_vec3 a, const carom_frame_pose *j, carom_vec3 b,
                                       carom_row *out);
/* dot-2: a . d = 0 for the unit vector a, fixed in body i [m]. */
CAROM_API void carom_row_along(const carom_frame_pose *i, carom_vec3 a, const carom_frame_pose *j, carom_row *out);
/* Distance |d| of the origins [m]; where they coincide the direction is undefined and J and gamma are zero. */
CAROM_API void carom_row_distance(const carom_frame_pose *i, const carom_frame_pose *j, carom_row *out);
/* Angle from f_i to f_j about h_i [rad]: 3-D the angle of f_j's projection on the plane of f_i and g_i, within half a
   turn; 2-D the difference of the unwrapped angles. Undefined in 3-D where f_j is parallel to h_i: J is then zero. */
CAROM_API void carom_row_angle(const carom_frame_pose *i, const carom_frame_pose *j, int dimension, carom_row *out);

/* Spin of j against i about the unit vector a, fixed in a body of angular velocity `turn`, times an arm [m/s]: a slip
   of friction. phi is 0. */
CAROM_API void carom_row_spin(const carom_frame_pose *i, carom_vec3 a, carom_vec3 turn, const carom_frame_pose *j,
                              double arm, carom_row *out);

/* ---- what joints may have besides ---- */

/* Sizes of a joint with clearance; their names are those of the model file. */
typedef enum carom_clearance_size {
    CAROM_CLEARANCE_RADIAL,
    CAROM_CLEARANCE_GAP,
    CAROM_CLEARANCE_RADIUS,
    CAROM_CLEARANCE_LENGTH,
    CAROM_CLEARANCE_HEIGHT,
    CAROM_CLEARANCE_WIDTH,
    CAROM_CLEARANCE_AXIAL,
    CAROM_CLEARANCE_EDGE,
    CAROM_CLEARANCE_SIZES
} carom_clearance_size;

#define CAROM_CLEARANCE_SHAPES 12
#define CAROM_CLEARANCE_CONTACTS 16

/* A shape of a joint with clearance, in the axes f, g, h of its side's frame. */
typedef struct carom_clearance_shape {
    const char *name;           /* behind the joint's: "journal" */
    const char *type;           /* a shape kind */
    int side;                   /* 0: on the first body, 1: on the second */
    carom_vec3 at;              /* from the frame's origin [m] */
    double radius;              /* [m]; 0: none */
    double length;              /* [m]; 0: none */
    carom_vec3 direction;       /* normal of a plane, axis of a cylinder or circle */
} carom_clearance_shape;

/* What a joint with clearance is made of instead of its constraint rows. */
typedef struct carom_clearance_parts {
    int shape_count, contact_count;
    carom_clearance_shape shapes[CAROM_CLEARANCE_SHAPES];
    int contacts[CAROM_CLEARANCE_CONTACTS][2];  /* shapes on the first and the second body */
    double play;                /* distance over which the second frame moves freely from the first one [m] */
    bool round_about;           /* it may move so along h as well as along f and g */
    double line;                /* length of a line contact [m]; 0: none */
} carom_clearance_parts;

/* Sizes of the parts of a joint where it has friction; their names are those of the model file. */
typedef enum carom_friction_size {
    CAROM_FRICTION_RADIUS,
    CAROM_FRICTION_AXIAL_RADIUS,
    CAROM_FRICTION_LENGTH,
    CAROM_FRICTION_WIDTH,
    CAROM_FRICTION_SIZES
} carom_friction_size;

/* How a joint with friction moves at its sites. */
typedef enum carom_joint_slips { CAROM_SLIPS_SLIDE, CAROM_SLIPS_TURN, CAROM_SLIPS_BOTH } carom_joint_slips;

/* Friction sites of a joint, directions of the slip at one of them, and forces of its bearing. */
#define CAROM_FRICTION_SITES 2
#define CAROM_FRICTION_SLIPS 3
#define CAROM_FRICTION_BEARINGS 3

/* Clearance: the parts of a joint that may move apart. */
typedef struct carom_joint_clearance_kind {
    /* Bits 1 << carom_clearance_size of the sizes that must be given, and of further ones that may, in the plane and in
       space. */
    unsigned needs[2], takes[2];
    /* The parts from the CAROM_CLEARANCE_SIZES sizes [m], 0 where not given. `out` comes zeroed. */
    void (*parts)(void *user, const double *size, int dimension, carom_clearance_parts *out);
} carom_joint_clearance_kind;

/* What the rows and the friction of a joint are made from. */
typedef struct carom_joint_input {
    const double *p;            /* the compiled parameter array */
    const carom_frame_pose *i, *j;
    int dimension;
    carom_row coordinate;       /* of kinds with `coordinate`: what that gives, but an angle counts its turns */
} carom_joint_input;

/* Friction under the joint's reaction, with any friction law that is not for contacts alone. */
typedef struct carom_joint_friction_kind {
    /* Bits 1 << carom_friction_size, likewise. */
    unsigned needs[2], takes[2];
    carom_joint_slips slip_types;
    /* Slip of j against i at one of the sites [m/s], a row for each direction: J v, and gamma of its rate; phi is not
       read. Returns the number of directions, 0: there is no such site. `size`: CAROM_FRICTION_SIZES numbers [m], 0
       where not given. */
    int (*slips)(void *user, const double *size, const carom_joint_input *in, int site, carom_row *out);
    /* Forces with which the bearing of a site takes the reaction, force [N] and moment [N m] about the origin of j on
       j; linear in it, the normal force is the sum of their norms. Returns their number, 1 to
       CAROM_FRICTION_BEARINGS. */
    int (*bearings)(void *user, const double *size, const carom_joint_input *in, int site, carom_vec3 force,
                    carom_vec3 moment, carom_vec3 *out);
} carom_joint_friction_kind;

/* What a joint of others makes of their coordinates, c0, c1, ...: phi(c0, c1, ...) = 0. */
typedef struct carom_coupled_row {
    double phi;
    double slope[CAROM_COUPLED_JOINTS]; /* d phi/d c0, d phi/d c1, ... */
    double bend;                /* sum of d2 phi/dck dcl ck' cl', the part of phi'' at constant rates */
} carom_coupled_row;

/* A joint. `p` is the compiled parameter array. The axes h of both frames lie along the joint's axis at the start
   (unless axis2_on_j), f of each is the x-axis of its frame projected; axes_locked joints have both triads equal at the
   start. Without axis the triads are the frames' own axes. In 2-D h is z, or with axis_in_plane h is the axis, g is z
   and f lies in the plane (f = g x h). A motion may be prescribed of a joint that has a coordinate. */
typedef struct carom_joint_kind_def {
    carom_kind_def kind;
    int rows_2d, rows_3d;               /* 0: the joint does not exist in that dimension; at most CAROM_JOINT_ROWS */
    bool has_axis;                      /* takes `axis` */
    bool axis_in_plane;                 /* 2-D: the axis lies in the plane (translational), else it is z */
    bool axes_locked;                   /* second triad is the first one's at the start */
    bool axis2_on_j;                    /* takes `axis2`, the h of the second frame */
    const char *coordinate_unit;        /* "rad", "m" or NULL: no joint coordinate */
    /* What pictures show of it: "ring" about the axis, "ball" (both a pin in the plane), "rail" along the axis,
       "ring rail", "ball rail", "bar" between the origins, or "none". NULL: "ball". */
    const char *drawn;
    /* Fills default parameters that depend on the start (e.g. the length of a distance joint); may be NULL. Returns
       NULL or the sentence of the refusal. */
    const char *(*start)(void *user, double *p, const carom_frame_pose *i, const carom_frame_pose *j);
    /* The constraint rows; each is exact at every pose: J v = d phi/dt. */
    void (*rows)(void *user, const carom_joint_input *in, carom_row *out);
    /* Coordinate (phi), its rate (J) and gamma of its second derivative; 3-D angles come wrapped to (-pi, pi]. */
    void (*coordinate)(void *user, const double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension,
                       carom_row *out);
    const carom_joint_clearance_kind *clearance;        /* copied; NULL: takes none */
    const carom_joint_friction_kind *friction;          /* copied; NULL: takes none */
    /* A joint of others, which `joints: [A, B, ...]` names instead of `between`: gears, racks, cams, differentials. It
       has one row instead of `rows`, over the bodies of all these joints, no axis, coordinate, clearance nor friction;
       the multiplier is the force or torque on the coordinate whose slope is 1. Coordinates that are angles count their
       turns; there are CAROM_COUPLED_JOINTS of them and of the rates, 0 where there is no joint. */
    void (*couple)(void *user, const double *p, const double *coordinates, const double *rates, carom_coupled_row *out);
    /* `start` of such a joint, the coordinates NAN where there is no joint; may be NULL: there are two joints then. */
    const char *(*couple_start)(void *user, double *p, const double *coordinates);
} carom_joint_kind_def;

CAROM_API carom_joint_kind_def carom_default_joint_kind_def(void);
CAROM_API carom_status carom_register_joint(carom_context *ctx, const carom_joint_kind_def *def);

/* ---- shapes, pairs ---- */

/* Room for a sentence that a kind writes with its numbers. */
#define CAROM_KIND_TEXT 320

typedef struct carom_shape_kind_def {
    carom_kind_def kind;
    const char *surface;        /* what pairs know it by; NULL: its own name */
    bool in_2d, in_3d;
    bool isotropic;             /* a ball about its origin: the orientation is not computed */
    /* Whether the parameters fit each other; `text` (CAROM_KIND_TEXT) becomes the sentence of the refusal or, where
       they do, of a warning, and stays empty without one. NULL: any fit. */
    bool (*check)(void *user, const double *p, char *text, size_t size);
    double (*bounding_radius)(void *user, const double *p);     /* about the origin [m]; HUGE_VAL unbounded */
    /* Draws the shape: a solid by triangles, in planar models an area in z = 0, outlines and marks by lines; the same
       calls for the same arguments. `reach` [m]: how far an unbounded shape is drawn from its origin. */
    void (*mesh)(void *user, const double *p, bool planar, double reach, const carom_mesh_sink *sink);
} carom_shape_kind_def;

CAROM_API carom_shape_kind_def carom_default_shape_kind_def(void);
CAROM_API carom_status carom_register_shape(carom_context *ctx, const carom_shape_kind_def *def);

typedef struct carom_pair_point {
    double gap;                 /* [m] > 0 separated, indentation = -gap */
    carom_vec3 normal;          /* unit, from i to j, world */
    carom_vec3 point;           /* where the contact wrench acts, world [m] */
    carom_vec3 from_i, from_j;  /* the same from the origins of the shapes, free of the rounding of far positions [m] */
    /* Of pairs whose radii vary along the surfaces: */
    double radius_i, radius_j;  /* at the contact [m]: convex positive, flat HUGE_VAL, 0 at a corner */
    double place_i, place_j;    /* on curves */
    double curvature[2];        /* principal relative curvatures, low and high [1/m]; both 0: not known */
    double residual;            /* of the common-normal equations, the larger one [-] */
    bool common;                /* there is a common normal; false where the deepest point is as near to two places */
    double less;                /* share of the law that does not act there, of pairs whose points share it [-] */
} carom_pair_point;

/* What can touch: shapes of two surfaces. `pi`, `pj` are the compiled parameters of the shapes. */
typedef struct carom_pair_kind_def {
    carom_kind_def kind;
    const char *shape_i, *shape_j;      /* their surfaces */
    bool varies;                /* the radii are those of the pair point; `curvature` gives typical ones */
    /* Refuses shapes that do not fit each other (NULL: they fit). */
    const char *(*check)(void *user, const double *pi, const double *pj);
    /* Sets all of `out`. */
    void (*gap)(void *user, const carom_shape_pose *i, const carom_shape_pose *j, carom_pair_point *out);
    /* Rate of the unit normal [1/s], from velocity and spin of the poses, which `gap` does not read. */
    carom_vec3 (*normal_rate)(void *user, const carom_shape_pose *i, const carom_shape_pose *j);
    /* Radii of the two sides, convex positive, hollow negative, flat HUGE_VAL [m]. */
    void (*curvature)(void *user, const double *pi, const double *pj, double *radius_i, double *radius_j);
    /* Length over which the gap may change sign twice: the step of a free approach stays below it [m]. */
    double (*feature_size)(void *user, const double *pi, const double *pj);
} carom_pair_kind_def;

CAROM_API carom_pair_kind_def carom_default_pair_kind_def(void);
CAROM_API carom_status carom_register_pair(carom_context *ctx, const carom_pair_kind_def *def);

/* ---- loads ---- */

/* Greatest number of switches of a built-in load; a program's own has none. */
#define CAROM_LOAD_SWITCHES 13

typedef struct carom_load_input {
    const double *p;                    /* values of this instant */
    const double *rates, *accelerations;        /* for built-in loads */
    carom_frame_pose i, j;              /* of loads on a joint those of the joint */
    int frames;                         /* 2: the load acts between both */
    int dimension;
    carom_mat3 reference;               /* for built-in loads */
    double deflection;                  /* for built-in loads */
    carom_row coordinate;               /* of loads on a joint: its coordinate, phi unwrapped, */
    double coordinate_rate;             /* and the rate */
    const struct carom_spline_table *curves;    /* for built-in loads, like the rest */
    const struct carom_edges *edges;
    const int *branch;
    double time;                        /* [s] */
    const double *states;               /* of loads with states of their own */
} carom_load_input;

typedef struct carom_load_output {
    carom_vec3 force_i, torque_i;       /* on i at its frame's origin, world axes [N], [N m] */
    carom_vec3 force_j, torque_j;
    double stored;                      /* energy in springs [J] */
    double dissipation;                 /* power of dampers, >= 0 [W] */
    double work_power;                  /* power given to the system by an outside source [W] */
    double deflection, deflection_rate; /* for built-in loads, like the rest */
    double wanted, limit, shift;
    double quantity[CAROM_LOAD_SWITCHES];
    double noise[CAROM_LOAD_SWITCHES];  /* what rounding leaves of it: less beyond an edge is no change */
    int branch[CAROM_LOAD_SWITCHES];
} carom_load_output;

/* Greatest number of states of a load. */
#define CAROM_LOAD_STATES 8

/* A number of a load's own that is integrated with the motion: a charge, a temperature, the fill of a cylinder. It is
   the channel load.LOAD.NAME of each load of the kind. */
typedef struct carom_load_state {
    const char *name;                   /* lower-case letters, digits and '_', begins with a letter; no other channel of
                                           loads */
    const char *unit, *description;
    double start;                       /* in its unit */
    double scale;                       /* its size, for the absolute tolerance; 0: that of the start, or 1 */
} carom_load_state;

/* A load. In the ledger of a run: power of its wrenches = work_power - dissipation - d stored/dt; what a function books
   wrongly shows as the residual. `stored` may depend on states. */
typedef struct carom_load_kind_def {
    carom_kind_def kind;
    int frame_count;                    /* 1: on; 2: between */
    bool may_react;                     /* with 1: also between two frames, the opposite acts on the first */
    bool on_joint;                      /* with 1: on a joint that has a coordinate */
    bool has_axis;                      /* takes `axis`: h of both frames (2-D: z), f the x-axis of each projected */
    const char *drawn;                  /* what a picture shows between the frames: "coil", "dashpot", "line" or NULL */
    /* Fills default parameters that depend on the start (e.g. the free length of a spring); may be NULL. Returns NULL
       or the sentence of the refusal. */
    const char *(*start)(void *user, double *p, const carom_frame_pose *i, const carom_frame_pose *j, int dimension);
    /* Adds to `out`, which comes zeroed. */
    void (*apply)(void *user, const carom_load_input *in, carom_load_output *out);
    /* States; NULL and 0: none. They go on while an event has switched the load off. */
    const carom_load_state *states;
    size_t state_count;
    /* Rates of the states [their units/s], at the poses and with the parameters of `apply`. */
    void (*rates)(void *user, const carom_load_input *in, double *rates);
    /* Their values at the start, which come as `start` of the table says, from the parameters; NULL: they stay. */
    void (*begin)(void *user, const double *p, double *states);
} carom_load_kind_def;

/* Of loads on a joint: adds the wrenches of an effort along its coordinate [N] or [N m], the reaction on the first
   body. Its power is effort times in->coordinate_rate. */
CAROM_API void carom_load_effort(const carom_load_input *in, double effort, carom_load_output *out);

CAROM_API carom_load_kind_def carom_default_load_kind_def(void);
CAROM_API carom_status carom_register_load(carom_context *ctx, const carom_load_kind_def *def);

/* ---- integrators ---- */

/* Most vectors of numbers that a step may use as buffers. */
#define CAROM_STEP_VECTORS 8

/* The system y' = f(t, y) that a step is made of. */
typedef struct carom_rates {
    /* Puts the rates at (t, y) into `rate`; another result than 0: they do not exist there, and the step returns it. */
    int (*at)(void *system, double t, const double *y, double *rate);
    void *system;
} carom_rates;

/* A one-step method with steps of given length, `integrator` of a run, which takes `step` then. Roots are located by
   shorter steps, rows between the ends of a step are interpolated by cubic Hermite polynomials. It has no
   parameters. */
typedef struct carom_integrator_kind_def {
    carom_kind_def kind;
    int order;                          /* of the method, 1 to 20 */
    int vectors;                        /* of n numbers each in `work`, at most CAROM_STEP_VECTORS */
    /* Moves y, n numbers, from t by h [s], which may be shorter than the run's step. `rate` are the rates at its
       beginning; they are not to be changed. 0: done; else the step has failed, and what is in y is dropped. */
    int (*step)(void *user, const carom_rates *rates, double t, double h, size_t n, double *y, const double *rate,
                double *work);
} carom_integrator_kind_def;

CAROM_API carom_integrator_kind_def carom_default_integrator_kind_def(void);
CAROM_API carom_status carom_register_integrator(carom_context *ctx, const carom_integrator_kind_def *def);

/* ---- stabilizations ---- */

/* What keeps positions and velocities on the constraints while accelerations are integrated: `constraints` of a run. */
typedef struct carom_stabilization_kind_def {
    carom_kind_def kind;
    /* What is subtracted from the right-hand side of J a = gamma, from the violations Phi and Phi'. */
    double (*correction)(void *user, const double *p, double phi, double phi_rate);
} carom_stabilization_kind_def;

CAROM_API carom_stabilization_kind_def carom_default_stabilization_kind_def(void);
CAROM_API carom_status carom_register_stabilization(carom_context *ctx, const carom_stabilization_kind_def *def);

#ifdef __cplusplus
}
#endif
#endif

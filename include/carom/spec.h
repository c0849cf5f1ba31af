/* The definition of a model: what the YAML reader, importers and C callers fill, and what carom_model_compile() reads.

   All texts and arrays are borrowed: they must live until the model is compiled, which copies what it needs. Fill
   structs with their carom_default_…() first. carom_spec.size stands for all of them: those in arrays have no size of
   their own. SI units throughout. Numbers that may depend on time are a carom_value: either a number or the text of an
   expression (see docs/model-format.md). */
#ifndef CAROM_SPEC_H
#define CAROM_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_value_type {
    CAROM_VALUE_NONE = 0,       /* not given */
    CAROM_VALUE_NUMBER,         /* number[0] */
    CAROM_VALUE_VECTOR,         /* number[0 .. size-1]; expressions of time sit in expression[k] where not NULL */
    CAROM_VALUE_EXPRESSION,     /* text: an expression that may depend on time and measures */
    CAROM_VALUE_TEXT,           /* text: a name or a sentence */
    CAROM_VALUE_POINTS,         /* points: count pairs x, y */
    CAROM_VALUE_OUTLINE,        /* outline: count segments */
    CAROM_VALUE_TABLE           /* points: count rows of `size` numbers; text: a remark on them, or NULL */
} carom_value_type;

#define CAROM_VALUE_SIZE 9

/* A segment of the outline of a profile, by its type. Lengths and angles in the axes of the shape. */
typedef struct carom_outline_def {
    const char *type;           /* "line", "arc", "polynomial", "spline" */
    const double *points;       /* line: the two ends; spline: its points; x, y of each [m] */
    size_t point_count;
    double centre[2], radius;   /* arc [m] */
    double from, to;            /* arc: angles [rad], counterclockwise where to > from; polynomial: x of the ends [m] */
    const double *coefficients; /* polynomial: y = sum of coefficients[k] x^k [m^(1-k)] */
    size_t coefficient_count;
    const char *ends;           /* spline: "natural" (NULL), "clamped", "periodic" */
    const double *tangents;     /* clamped: directions at both ends, x, y of each */
    size_t tangent_count;       /* 2 with clamped ends, else 0 */
    carom_place place;
} carom_outline_def;

/* A value of the model file. */
typedef struct carom_value {
    carom_value_type type;
    int size;                                   /* of a vector, of the rows of a table */
    double number[CAROM_VALUE_SIZE];
    const char *expression[CAROM_VALUE_SIZE];   /* of a vector with parts that depend on time; else NULL */
    const char *text;
    const double *points;
    const carom_outline_def *outline;
    size_t count;                               /* of points, segments or rows */
    carom_place place;                          /* of the value's first character */
    const carom_place *places;                  /* of the components of a vector; NULL: not known */
} carom_value;

/* A parameter of a kind, by its keyword: `radius`, `stiffness`, `axis`. */
typedef struct carom_param {
    const char *name;
    carom_value value;
    carom_place place;                          /* of the key */
} carom_param;

typedef struct carom_param_list {
    const carom_param *items;
    size_t count;
} carom_param_list;

/* A point with axes on a body: the body's name and one of its frames, or a point in body axes from the centre of
   mass. */
typedef struct carom_frame_ref {
    const char *body;           /* "ground" for the world */
    const char *frame;          /* NULL: the point below */
    double point[3];            /* [m] */
    double orientation[4];      /* of the axes at the point, quaternion w x y z in body axes; all 0: body axes */
    carom_place place;
} carom_frame_ref;

typedef struct carom_frame_def {
    const char *name;
    double at[3];               /* from the centre of mass, body axes [m] */
    carom_value orientation;    /* NONE, NUMBER (2-D angle [rad]), or VECTOR of 4: quaternion w x y z */
    carom_place place;
} carom_frame_def;

typedef struct carom_body_def {
    const char *name;
    double mass;                /* [kg], > 0 */
    carom_value
        inertia; /* NUMBER (2-D) or VECTOR of 3 or 6 [kg m^2]: Ixx Iyy Izz Ixy Ixz Iyz, about the centre of mass */
    double at[3];               /* centre of mass, world [m]: a guess that the assembly may move */
    double angle;               /* 2-D [rad] */
    double orientation[4];      /* 3-D quaternion w x y z, body to world */
    carom_value velocity;       /* VECTOR, NONE: free [m/s], world */
    carom_value angular_velocity; /* NUMBER (2-D) or VECTOR of 3, world axes; NONE: free [rad/s] */
    const carom_frame_def *frames;
    size_t frame_count;
    /* Prescribed world coordinates of the centre of mass or of frame motion_point; NONE: free. */
    carom_value motion_x, motion_y, motion_z, motion_angle;
    const char *motion_point;
    carom_place place, motion_point_place;
} carom_body_def;

typedef struct carom_shape_def {
    const char *name;
    const char *type;           /* a shape kind */
    const char *on;             /* body */
    double at[3];               /* body axes [m] */
    double orientation[4];      /* quaternion in body axes */
    const char *material;       /* NULL: none */
    bool visual, hidden;        /* drawn alone: it touches nothing; not drawn */
    const char *colour;         /* "#rrggbb"; NULL: that of the body */
    carom_param_list params;
    carom_place place, type_place, on_place, material_place;
} carom_shape_def;

typedef struct carom_material_def {
    const char *name;
    double young;               /* E [Pa] */
    double poisson;             /* nu [-] */
    double density, yield;      /* [kg/m^3], [Pa]; 0: not given */
    carom_place place;
} carom_material_def;

/* Shapes that do not touch each other in a contact set. */
typedef struct carom_except_def {
    const char *shapes[2];      /* names, or patterns with '*' */
    carom_place place;
} carom_except_def;

typedef struct carom_contact_def {
    const char *name;
    const char *owner;          /* what messages call it; NULL: "contact 'NAME'" */
    const char *between[2];     /* shapes; the normal goes from the first to the second */
    carom_place between_place[2];
    /* Instead of `between`: every two of these shapes, names or patterns with '*', but those of one body, of two bodies
       that a joint connects, and those excluded. With fixed steps a broad phase finds the near ones, and onsets are
       interpolated; with other integrators every pair is a contact of its own. */
    const char *const *all;
    size_t all_count;
    const carom_except_def *exclude;
    size_t exclude_count;
    bool allow_connected;       /* shapes of bodies that a joint connects touch, too */
    const char *law;            /* a named law, or NULL with elastic and damping given */
    const char *elastic, *damping;      /* kinds that override the law's; NULL: the law's */
    const char *velocity;       /* "adaptive" (NULL), "per-impact", "per-compression", "fixed-reference" */
    const char *tension;        /* "clip" (NULL), "allow", "cut-off" */
    const char *radii;          /* those that the elastic part sees: "onset" (NULL), "segments" of the curves,
                                   "start" of the run */
    double minimum_speed;       /* [m/s] */
    carom_param_list normal;    /* stiffness, exponent, restitution, from_point, ... */
    const char *friction;       /* a friction law; NULL: none */
    carom_param_list friction_params;   /* kinetic, static, ... */
    double rolling, spinning;   /* arms of the couples that resist rolling and spinning [m] */
    double rolling_speed;       /* [rad/s] over which they build up */
    double length;              /* of the line contact where `normal` gives none [m]; 0: none */
    carom_place place, law_place, elastic_place, damping_place, velocity_place, tension_place, radii_place,
        friction_place, all_place;
} carom_contact_def;

/* Clearance of a joint: its sizes, 0 where not given, and how its parts touch. The first body carries the hollow
   part. */
typedef struct carom_clearance_def {
    size_t given;               /* 0: the joint is ideal */
    double radial;              /* radius of the bearing less that of the journal [m] */
    double gap;                 /* between slider and each wall of the guide when centred [m] */
    double radius, length, height, width, axial, edge;  /* [m] */
    carom_contact_def contact;  /* normal force and friction of each of its contacts; no names, no shapes */
    carom_place place;
} carom_clearance_def;

/* Spring, damper or limits of a joint with a coordinate: the load `joint-spring`, `joint-damper` or `joint-limits` on
   it, with its parameters. */
typedef struct carom_joint_load_def {
    size_t given;               /* 0: none */
    carom_param_list params;    /* stiffness, free, damping, lower, upper, ... */
    carom_place place;
} carom_joint_load_def;

/* Friction of an ideal joint: a friction law under the joint's reaction, and the sizes of the parts that rub, 0 where
   not given. */
typedef struct carom_joint_friction_def {
    size_t given;               /* 0: none */
    const char *law;            /* a friction law */
    carom_param_list params;    /* kinetic, static, ... */
    double radius, axial_radius, length, width; /* [m] */
    double preload;             /* added to the normal force [N] */
    double constant;            /* in place of normal force and arm: their product [N or N m]; 0: not given */
    carom_place place, law_place;
} carom_joint_friction_def;

typedef struct carom_joint_def {
    const char *name;
    const char *type;           /* a joint kind */
    carom_frame_ref between[2];
    const char *joints[CAROM_COUPLED_JOINTS];   /* of kinds that couple others, instead of `between`; NULL: no more */
    carom_place joint_places[CAROM_COUPLED_JOINTS];
    const char *relation;       /* of a coupler: expression of q1, q2, ..., inputs and t that stays 0; NULL: none */
    carom_place relation_place;
    carom_value motion;         /* NUMBER or EXPRESSION of t: prescribed joint coordinate [m or rad] */
    carom_value rate;           /* NUMBER: initial rate of the coordinate [m/s or rad/s] */
    double zero;                /* where the coordinate is 0, as the frames give it [m or rad] */
    double armature;            /* inertia on the coordinate, of a drive behind its gear [kg or kg m^2] */
    carom_param_list params;    /* axis, axis2, length, ... as the kind's table says */
    carom_clearance_def clearance;
    carom_joint_friction_def friction;
    carom_joint_load_def spring, damper, limits;
    const struct carom_joint_def *coordinates;  /* further coordinates by name: motion, rate, armature, spring, ... */
    size_t coordinate_count;
    bool cut;                   /* in joint coordinates it closes a loop, and carries no body */
    carom_place place, type_place;
} carom_joint_def;

typedef struct carom_load_def {
    const char *name;
    const char *type;           /* a load kind */
    carom_frame_ref on[2]; /* loads on one frame use on[0], on a joint its body names it; those between two use both */
    int frame_count;
    carom_param_list params;
    carom_place place, type_place;
} carom_load_def;

typedef struct carom_parameter_def {
    const char *name;
    double value;
    const char *unit;           /* SI unit that its value was given in, "kg m^2"; NULL: none, it fits any */
} carom_parameter_def;

/* A function of the user's own, which expressions call by its name: `lift(a)`. */
typedef struct carom_function_def {
    const char *name;
    const char *const *arguments;   /* names that its value may read, each a number */
    size_t argument_count;
    const char *value;          /* expression of the arguments, parameters and whatever the caller's may read */
    carom_place place;          /* of the value */
} carom_function_def;

typedef struct carom_spline_def {
    const char *name;
    const double *x, *y;
    size_t count;
    const char *ends;           /* "natural" (NULL), "clamped" or "periodic" */
    double slopes[2];           /* of clamped ends: dy/dx at the first and the last point */
    carom_place place;
    const char *units[2];       /* SI units that x and y were given in; NULL: none, they fit any */
    const char *between;        /* "smooth" (NULL), or "monotone": rises and falls where its points do */
} carom_spline_def;

/* A curve through via points for expressions, `trajectory(name, t)`: polynomials of fifth or third degree. */
typedef struct carom_trajectory_def {
    const char *name;
    const double *x, *y;        /* via points, x ascending */
    const double *rates, *accelerations;        /* dy/dx and d2y/dx2 there, NaN where they are free; NULL: all free */
    size_t count;
    const char *degree;         /* "quintic" (NULL) or "cubic", which takes no accelerations */
    const char *ends;           /* "rest" (NULL): there rates and accelerations not given are 0; "free", "periodic" */
    carom_place place;
    const char *units[2];       /* SI units that x and y were given in; NULL: none, they fit any */
} carom_trajectory_def;

/* A number that every expression may read by its name, and that a program or a record sets while a run is under way. */
typedef struct carom_input_def {
    const char *name;           /* letters, digits and _ */
    double start;               /* value until it is set, in its unit */
    const char *unit;           /* NULL: none is told */
    const char *description;    /* what it is; NULL: none */
    carom_place place;
    const char *between;        /* of its record, where that says nothing: as that of carom_spline_def */
} carom_input_def;

/* A number of the user's own that is integrated with the motion: dz/dt = rate. Every expression may read it by its
   name. */
typedef struct carom_state_def {
    const char *name;           /* letters, digits and _ */
    carom_value rate;           /* NUMBER or EXPRESSION of t, measures, inputs and states [its unit/s] */
    double start;               /* in its unit */
    double scale;               /* its size, for the absolute tolerance; 0: that of the start, or 1 */
    const char *unit;           /* NULL: none is told */
    const char *description;    /* what it is; NULL: none */
    carom_place place;
} carom_state_def;

/* What an event does. */
typedef struct carom_action_def {
    const char *type;           /* "lock", "unlock", "switch-off", "switch-on", "set", "stop" */
    const char *object;         /* a joint, a load, or an input or state; NULL with stop */
    carom_value value;          /* with set: NUMBER or EXPRESSION of t, measures, inputs and states */
    carom_place place;
} carom_action_def;

/* Actions that are taken where a condition becomes true; the place in time is located. */
typedef struct carom_event_def {
    const char *name;
    carom_value when;           /* EXPRESSION: a condition of t, measures, inputs and states */
    const carom_action_def *actions;    /* values of all `set` are those before the first action */
    size_t action_count;
    bool once;                  /* the first time only */
    carom_place place;
} carom_event_def;

/* A quantity of the user's own that a run records: the channel output.NAME. */
typedef struct carom_output_def {
    const char *name;
    carom_value value;          /* NUMBER or EXPRESSION of t, measures, inputs and states */
    const char *unit;           /* NULL: none is told */
    const char *description;    /* what it is; NULL: none */
    carom_place place;
} carom_output_def;

/* One analysis. */
typedef struct carom_run_def {
    const char *analysis;       /* NULL: dynamics; see carom/analysis.h */
    double until;               /* [s], > 0 of motions */
    const char *start;          /* "model" (NULL), or "previous": where the run before it in the list ended */
    const char *singular;       /* of kinematics: singular positions "pass" (NULL), or "stop" the run */
    const char *about;          /* of modes: the "equilibrium" (NULL), or the "state" of the start */
    const char *integrator;     /* an integrator kind; NULL: auto */
    double tolerance;           /* relative */
    carom_value absolute;       /* NONE or NUMBER: absolute tolerance of all coordinates in their units */
    const char *jacobian;       /* of implicit methods: of the "elements" (NULL), or "differences" of all rates */
    double max_step, step;      /* [s]; 0: automatic / not given */
    const char *formulation;    /* NULL: auto */
    const char *constraints;    /* a constraint kind; NULL: baumgarte */
    carom_param_list constraint_params; /* alpha, beta [1/s] */
    double output_every;        /* [s]; 0: until/200, of contact sets with fixed steps rounded to whole ones */
    const char *output_contacts;/* "every-step" or "interval"; NULL: the latter with more than 50 places of contacts
                                   of sets, with more than 500 not each by itself */
    const char *const *channels;/* names or prefixes to record; count 0: all */
    size_t channel_count;
    const char *max_size;       /* of the file of results, "300 MB"; NULL: any */
    const char *const *actuators;   /* of inverse-dynamics: joints that make the motion; count 0: what prescribes it */
    size_t actuator_count;
    double spectral_radius;     /* of generalised-alpha, 0 to 1 */
    double theta;               /* of moreau, 0.5 to 1 */
    double hht_alpha;           /* of hht, -1/3 to 0 */
    carom_place place, analysis_place, integrator_place, constraints_place, step_place, formulation_place;
    carom_place output_contacts_place, jacobian_place, start_place, singular_place,
        about_place, actuators_place, channels_place, max_size_place;
} carom_run_def;

typedef struct carom_spec {
    size_t size;
    const char *file;           /* for messages; may be NULL */
    const char *name;           /* short name of the model, used for result files */
    const char *title;
    int dimension;              /* 2 or 3 */
    double gravity[3];          /* [m/s^2] */
    const carom_parameter_def *parameters;
    size_t parameter_count;
    const carom_spline_def *splines;
    size_t spline_count;
    const carom_trajectory_def *trajectories;
    size_t trajectory_count;
    const carom_input_def *inputs;
    size_t input_count;
    const carom_state_def *states;
    size_t state_count;
    const carom_material_def *materials;
    size_t material_count;
    const carom_body_def *bodies;
    size_t body_count;
    const carom_joint_def *joints;
    size_t joint_count;
    const carom_shape_def *shapes;
    size_t shape_count;
    const carom_contact_def *contacts;
    size_t contact_count;
    const carom_load_def *loads;
    size_t load_count;
    const carom_event_def *events;
    size_t event_count;
    const carom_output_def *outputs;
    size_t output_count;
    const carom_run_def *runs;
    size_t run_count;
    const char *text;           /* the model text, kept in results; may be NULL */
    size_t text_length;
    const carom_function_def *functions;
    size_t function_count;
} carom_spec;

/* Defaults of every definition, as docs/reference.md lists them. */
CAROM_API carom_spec carom_default_spec(void);
CAROM_API carom_body_def carom_default_body_def(void);
CAROM_API carom_joint_def carom_default_joint_def(void);
CAROM_API carom_shape_def carom_default_shape_def(void);
CAROM_API carom_material_def carom_default_material_def(void);
CAROM_API carom_contact_def carom_default_contact_def(void);
CAROM_API carom_load_def carom_default_load_def(void);
CAROM_API carom_run_def carom_default_run_def(void);
CAROM_API carom_input_def carom_default_input_def(void);
CAROM_API carom_state_def carom_default_state_def(void);
CAROM_API carom_output_def carom_default_output_def(void);
CAROM_API carom_event_def carom_default_event_def(void);

/* Values in one line. */
CAROM_API carom_value carom_value_number(double number);
CAROM_API carom_value carom_value_vector(int size, const double *numbers);
CAROM_API carom_value carom_value_expression(const char *text);
CAROM_API carom_value carom_value_text(const char *text);

#ifdef __cplusplus
}
#endif
#endif

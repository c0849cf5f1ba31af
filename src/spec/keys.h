/* The table of keys of the model file. From it follow the parser, the defaults, the reference page and the JSON Schema.
   Parameters of kinds (`radius`, `stiffness`, `axis`) are not here: they are in the tables of the kinds. */
#ifndef CAROM_MODEL_KEYS_H
#define CAROM_MODEL_KEYS_H

#include "base/base.h"
#include "carom/model.h"
#include "carom/spec.h"
#include "kinds/kind.h"

/* Mappings of the model file; the rows are in keys.def. */
typedef enum carom_object {
    CAROM_OBJECT_MODEL,
    CAROM_OBJECT_INCLUDE,
    CAROM_OBJECT_INCLUDE_START,
    CAROM_OBJECT_INPUT,
    CAROM_OBJECT_STATE,
    CAROM_OBJECT_BODY,
    CAROM_OBJECT_MOTION,
    CAROM_OBJECT_FRAME,
    CAROM_OBJECT_PATTERN,
    CAROM_OBJECT_TURN,
    CAROM_OBJECT_MATERIAL,
    CAROM_OBJECT_JOINT,
    CAROM_OBJECT_COORDINATE,
    CAROM_OBJECT_CLEARANCE,
    CAROM_OBJECT_JOINT_FRICTION,
    CAROM_OBJECT_JOINT_SPRING,
    CAROM_OBJECT_JOINT_DAMPER,
    CAROM_OBJECT_JOINT_LIMITS,
    CAROM_OBJECT_SHAPE,
    CAROM_OBJECT_SEGMENT,
    CAROM_OBJECT_ARC,
    CAROM_OBJECT_POLYNOMIAL,
    CAROM_OBJECT_CURVE,
    CAROM_OBJECT_POLAR,
    CAROM_OBJECT_TRACE,
    CAROM_OBJECT_CONTACT,
    CAROM_OBJECT_NORMAL,
    CAROM_OBJECT_FROM_POINT,
    CAROM_OBJECT_FRICTION,
    CAROM_OBJECT_LOAD,
    CAROM_OBJECT_EVENT,
    CAROM_OBJECT_NAMED_OUTPUT,
    CAROM_OBJECT_RUN,
    CAROM_OBJECT_CONSTRAINTS,
    CAROM_OBJECT_OUTPUT,
    CAROM_OBJECT_COUNT
} carom_object;

/* What a key takes, and the type of the field it fills. */
typedef enum carom_key_type {
    CAROM_KEY_VERSION,              /* number 1; no field */
    CAROM_KEY_INTEGER,              /* int */
    CAROM_KEY_NUMBER,               /* double */
    CAROM_KEY_NUMBER_VALUE,         /* carom_value: NUMBER */
    CAROM_KEY_TIME_VALUE,           /* carom_value: NUMBER or EXPRESSION of t */
    CAROM_KEY_STATE_VALUE,          /* carom_value: NUMBER or EXPRESSION of t and the state */
    CAROM_KEY_TEXT,                 /* const char *: any text */
    CAROM_KEY_EXPRESSION,           /* const char *: an expression, which the model compiles */
    CAROM_KEY_WORD,                 /* const char *: one of `choices` */
    CAROM_KEY_KIND,                 /* const char *: a kind of `family` */
    CAROM_KEY_NAME,                 /* const char *: name of an object defined elsewhere */
    CAROM_KEY_VECTOR,               /* double[3]: as many numbers as the model has dimensions */
    CAROM_KEY_VECTOR3,              /* double[3]: three numbers */
    CAROM_KEY_VECTOR_VALUE,         /* carom_value: VECTOR, as many numbers as the model has dimensions */
    CAROM_KEY_SPIN,                 /* carom_value: NUMBER in the plane, VECTOR of 3 in space */
    CAROM_KEY_INERTIA,              /* carom_value: NUMBER in the plane, VECTOR of 3 or 6 in space */
    CAROM_KEY_ORIENTATION,          /* double[4]: quaternion */
    CAROM_KEY_ORIENTATION_VALUE,    /* carom_value: NUMBER (angle) in the plane, VECTOR of 4 in space */
    CAROM_KEY_FRAME,                /* carom_frame_ref, and 1 into the count */
    CAROM_KEY_FRAME_PAIR,           /* carom_frame_ref[2], and 2 into the count if there is one */
    CAROM_KEY_NAME_PAIR,            /* const char *[2], carom_place[2] */
    CAROM_KEY_JOINT_NAMES,          /* const char *[CAROM_COUPLED_JOINTS], places of as many; two names at least */
    CAROM_KEY_TEXTS,                /* const char *const * and count */
    CAROM_KEY_SECTION,              /* a nested mapping `element` that fills the same struct */
    CAROM_KEY_MAP,                  /* array of `element` by name, and count */
    CAROM_KEY_LIST,                 /* array of `element`, one mapping or a list of them, and count */
    CAROM_KEY_PARAMETERS,           /* carom_parameter_def array and count */
    CAROM_KEY_FUNCTIONS,            /* carom_function_def array and count */
    CAROM_KEY_SPLINES,              /* carom_spline_def array and count */
    CAROM_KEY_TRAJECTORIES,         /* carom_trajectory_def array and count */
    CAROM_KEY_POINTS,               /* const double *: x, y of each point, and count of points */
    CAROM_KEY_NUMBERS,              /* const double * and count */
    CAROM_KEY_POINT_PARAM,          /* becomes a carom_param of two numbers */
    CAROM_KEY_PATTERN,              /* read with the copies that it stands for; no field */
    CAROM_KEY_SAMPLED,              /* carom_outline_def: a spline through points of the curve `element` */
    CAROM_KEY_VALUES,               /* values of the parameters of a part; no field */
    CAROM_KEY_COLUMNS,              /* read with the file; no field */
    CAROM_KEY_POINT_FILE,           /* const double *: x, y of each point in a file, and count of points */
    CAROM_KEY_COPIES,               /* a whole number: so many objects are read instead of one */
    CAROM_KEY_SHAPE_NAMES,          /* const char *const * and count; of copied shapes all copies */
    CAROM_KEY_EXCEPTIONS,           /* carom_except_def array and count */
    CAROM_KEY_YES,                  /* bool: yes or no */
    CAROM_KEY_ACTIONS,              /* carom_action_def array and count */
    CAROM_KEY_INCLUDES,             /* read before all others; no field */
    CAROM_KEY_FILES,                /* tables as texts by the names of files; no field */
    CAROM_KEY_TYPE_COUNT
} carom_key_type;

enum {
    CAROM_KEY_REQUIRED = 1,
    CAROM_KEY_LOW = 2,              /* at least `low` */
    CAROM_KEY_ABOVE = 4,            /* greater than `low` */
    CAROM_KEY_HIGH = 8,             /* at most `high` */
    CAROM_KEY_BELOW = 16,           /* less than `high` */
    CAROM_KEY_2D = 32,              /* planar models only */
    CAROM_KEY_3D = 64,              /* spatial models only */
    CAROM_KEY_FIRST = 128,          /* read before the other keys of its mapping */
    CAROM_KEY_DEFAULT = 256,       /* `default_value` is a default */
    CAROM_KEY_DIAGONAL = 512        /* the range holds for the first three numbers only */
};

typedef struct carom_key {
    carom_object object;
    const char *name;
    carom_key_type type;
    size_t offset;                  /* of the field in the object's struct */
    size_t place_offset;            /* of a carom_place for the value; 0: none */
    size_t count_offset;            /* of a size_t (int for frames) count; 0: none */
    carom_object element;           /* of sections, maps and lists */
    carom_family family;            /* of kinds */
    unsigned flags;
    double default_value, low, high;
    const char *word;               /* default of texts and words; NULL: none */
    const char *choices;            /* words, separated by blanks */
    const char *alias;              /* former name of the key, still read; NULL: none */
    const char *former;             /* former words of `choices`, still read, in their order */
    const char *otherwise;          /* default as a sentence for the reference page */
    const char *unit;
    const char *description;
} carom_key;

typedef struct carom_object_row {
    const char *name;               /* for messages and headings: "body" */
    const char *path;               /* where it stands in the file: "bodies.NAME" */
    size_t size;                    /* of the struct; sections fill their owner's */
    size_t place_offset;            /* 0: none */
    size_t params_offset;           /* of a carom_param_list; 0: takes no parameters of kinds */
    bool has_family;                /* the key `type` names a kind of `family` */
    carom_family family;
    const char *kind_key;           /* that key where it is not `type` */
    const char *kind;               /* with has_family and no such key: the kind, whose parameters are the keys */
    const char *shorthand;          /* key that a value which is no mapping stands for, or NULL */
    const char *description;
} carom_object_row;

/* Target of the mapping {axis, angle} or {zxz}; NAN where not given. */
typedef struct carom_turn_def {
    double axis[3], angle;
    double zxz[3];                  /* [rad] */
} carom_turn_def;

/* Target of an entry of `include`. */
typedef struct carom_include_def {
    const char *file, *prefix, *base, *keyframe;
    double at[3], orientation[4];
    const carom_import_start *start;
    const char *const *packages;
    size_t start_count, package_count;
    bool strict;
    carom_place place, file_place, prefix_place;
} carom_include_def;

/* Target of the curves of an outline that are given by functions. */
typedef struct carom_trace_def {
    const char *radius;             /* of phi */
    const char *x, *y;              /* of u */
    double centre[2], from, to, offset, points;
    carom_place radius_place, x_place, y_place, from_place, to_place, points_place;
} carom_trace_def;

/* Target of `pattern`; NAN where not given. */
typedef struct carom_pattern_def {
    double count, spacing[3];       /* in a row */
    double centre[3], axis[3], step;/* around an axis [rad] */
    carom_place count_place, axis_place, step_place;
} carom_pattern_def;

/* Target of {indentation, force}. */
typedef struct carom_from_point_def {
    double indentation;             /* [m] */
    double force;                   /* [N] */
} carom_from_point_def;

const carom_object_row *carom_object_get(carom_object object);
/* The rows of one object, in the order of keys.def. */
const carom_key *carom_keys_of(carom_object object, size_t *count);
/* By name or alias; NULL if the object has no such key. */
const carom_key *carom_key_find(carom_object object, const char *name);
/* Fills the fields of an object, those of its sections included, with the defaults of the table. */
void carom_key_defaults(carom_object object, void *target);
/* What a key takes, in words: "number", "2 or 3 numbers". */
const char *carom_key_type_text(carom_key_type type);

/* Parameters `axis` and `axis2` of joints and loads that have an axis. */
const carom_param_row *carom_axis_params(size_t *count);

#endif

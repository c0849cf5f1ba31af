/* Parts of the compilation, each a file: what they share. */
#ifndef CAROM_COMPILE_H
#define CAROM_COMPILE_H

#include "kinds/parameters.h"
#include "model/model.h"

typedef struct carom_compiler {
    carom_context *ctx;
    const carom_spec *spec;
    carom_model *model;
    const carom_model *other;   /* the same with the other structure of contact sets; NULL: none yet */
    carom_expr_scope scope;     /* parameters, time allowed, measures */
    const char **names;         /* scratch for suggestions */
    carom_names body_index, shape_index, joint_index;   /* of the model's, the ground among the bodies */
    double **trajectories;      /* x and coefficients of each trajectory of the spec */
    const char *included;       /* name of the included file that a place was in last; NULL: none yet */
    carom_place text_place;     /* of the expression that is being compiled */
    bool late_measures;         /* it may read what the forces make */
    carom_contact_set *sets;    /* all, of whichever structure */
    carom_located_set *located; /* of each, its definitions of two shapes; the model's are made of them */
    size_t set_count;
    struct carom_corner_note *corners;  /* of each shape; NULL: none yet */
    struct carom_flats_note *flats;     /* NULL: none yet */
    carom_model_joint *related; /* whose coordinates it may read as q1, q2, ...; NULL: none */
} carom_compiler;

/* Fails with "no <what> '<word>'; did you mean '…'?" among the scratch names (count of them filled by the caller). */
carom_status carom_compile_unknown(carom_compiler *c, const carom_place *place, const char *owner, const char *what,
                                   const char *word, size_t name_count);
/* Finds a body (0 for "ground"). */
carom_status carom_compile_find_body(carom_compiler *c, const carom_place *place, const char *owner, const char *name,
                                     int *out);
/* Resolves body and frame of a reference; axes are the frame's, identity for a bare point. */
carom_status carom_compile_marker(carom_compiler *c, const char *owner, const carom_frame_ref *ref, carom_marker *out);
/* Kind of a family by name, or an error with the nearest name. */
carom_status carom_compile_find_kind(carom_compiler *c, const carom_place *place, const char *owner,
                                     carom_family family, const char *name, const carom_kind **out);
/* The unit that an expression must have, and whose it is. */
typedef struct carom_wanted_unit {
    const char *owner;          /* "load 'push', force" */
    const char *unit;           /* NULL: any */
    int alternative;            /* of "m or rad"; -1: either */
    bool per_second;            /* the unit is that of its integral */
    bool strict;                /* measures must have it as well: the unit says what they are */
} carom_wanted_unit;
/* The tables of all splines, and what expressions may name. */
carom_status carom_compile_splines(carom_compiler *c);
/* Warns of a curve of the model, such as "spline 'path'", that goes far beyond its points. */
carom_status carom_compile_warn_overshoot(carom_compiler *c, const carom_place *place, const char *owner,
                                          const carom_overshoot *overshoot, const char *remedy);
/* What the model file gives of a joint; NULL: nothing, of a further coordinate. */
const carom_joint_def *carom_compile_joint_def(const carom_compiler *c, int joint);
/* Joints for the further coordinates of the joints that there are. */
carom_status carom_compile_coordinates(carom_compiler *c);
/* The expression that relates the coordinates of `count` joints. */
carom_status carom_compile_relation(carom_compiler *c, const char *owner, const carom_joint_def *def, int count,
                                    carom_model_joint *joint);
/* Puts the path of a joint that follows one in the place of its parameters. */
carom_status carom_compile_path(carom_compiler *c, const char *owner, const carom_joint_def *def,
                                carom_model_joint *joint);
/* Whether a name is that of a parameter, an input or a state. */
bool carom_compile_is_taken(const carom_compiler *c, const char *name);
/* Length, speed and distance from the origin of the model as it starts, of its bodies, joints and shapes. Errors:
   CAROM_ERROR_MODEL (of the ends of loads), CAROM_ERROR_MEMORY. */
carom_status carom_compile_scale(carom_compiler *c);
/* Rows of the armatures of joints, behind all others. */
carom_status carom_compile_armatures(carom_compiler *c);
carom_status carom_compile_trajectories(carom_compiler *c);
carom_status carom_compile_scope(carom_compiler *c);
/* Adds an expression to the model; `value` is a NUMBER or an EXPRESSION in `unit`, which may be NULL. */
carom_status carom_compile_expr(carom_compiler *c, const carom_value *value, const carom_wanted_unit *unit,
                                bool measures_allowed, int *out);
/* Resolve a measure and a variable of an expression: slot, -1 unknown, -2 error reported, -3 out of memory; see
   carom_expr_scope. The last one is for expressions whose time derivatives are wanted. */
int carom_compile_measure(void *compiler, carom_context *ctx, const char *function, const char *const *arguments,
                          size_t argument_count);
int carom_compile_variable(void *compiler, carom_context *ctx, size_t index);
carom_dimension carom_compile_measure_dimension(void *compiler, int slot);
int carom_compile_moving_variable(void *compiler, carom_context *ctx, size_t index);
/* One time-dependent component of a vector. */
carom_status carom_compile_expr_text(carom_compiler *c, const char *text, const carom_place *place,
                                     const carom_wanted_unit *unit, bool measures_allowed, int *out);
/* Fills the parameter array of a kind from a list. Time-dependent values go to slots (may be NULL: refused). */
carom_status carom_compile_params(carom_compiler *c, const char *owner, const carom_kind *kind,
                                  const carom_param_list *list, const carom_place *place, double **out,
                                  carom_param_slot **slots, int *slot_count);
/* A vector parameter of 2 or 3 numbers by the model's dimension; z = 0 in the plane. */
carom_status carom_compile_vector(carom_compiler *c, const char *owner, const carom_param *param, carom_vec3 *out);
/* The same place with a file name that lives as long as the model: of what it includes that of the included file.
   Errors: CAROM_ERROR_MEMORY. */
carom_status carom_compile_place(carom_compiler *c, carom_place place, carom_place *out);
/* Keeps a warning that every run of the model repeats. */
carom_status carom_compile_warn(carom_compiler *c, carom_warning_code code, const char *format, ...)
    CAROM_PRINTF(3, 4);
/* The same with the line of a place before it. */
carom_status carom_compile_warn_at(carom_compiler *c, carom_warning_code code, const carom_place *place,
                                   const char *text);

/* The normal force of a contact whose pair is known, between sides of that geometry. */
carom_status carom_compile_normal(carom_compiler *c, const char *owner, const carom_contact_def *def,
                                  const carom_contact_geometry *geometry, carom_model_contact *contact);
carom_status carom_compile_friction(carom_compiler *c, const char *owner, const carom_contact_def *def,
                                    carom_model_contact *contact);

/* Points in which the shapes of a contact may touch at once; 1 where that is not known. */
int carom_compile_point_count(const carom_compiler *c, const carom_contact_def *def);
/* One of the `count` points of a contact between two shapes. */
carom_status carom_compile_contact(carom_compiler *c, const carom_contact_def *def, int point, int count,
                                   carom_model_contact *contact);
/* Whether a spec has contact sets, and whether all its runs have fixed steps. */
bool carom_compile_has_sets(const carom_spec *spec);
bool carom_compile_steps(carom_context *ctx, const carom_spec *spec);
/* Contact sets: sets if the model is stepped, else one definition for each pair. `defs` are those of the spec on entry,
   and those of two shapes on return. */
carom_status carom_compile_sets(carom_compiler *c, const carom_contact_def **defs, size_t *count);
/* Warns of pairs of shapes that are in two contacts of the spec; its sets have their members. */
carom_status carom_compile_doubles(carom_compiler *c);
/* Notes the corners of a shape that is round elsewhere, for the contact `owner`; warns of all that were noted, once for
   each shape (outlines/corners.c). */
carom_status carom_corners_note(carom_compiler *c, const char *owner, int shape);
carom_status carom_corners_warn(carom_compiler *c);
/* Notes two outlines that may lie flat on each other but touch in one point at a time, of a contact or a pair of a set;
   warns of all that were noted, once for each contact or set (outlines/flats.c). */
carom_status carom_flats_note(carom_compiler *c, const carom_contact_def *def, const char *owner,
                              const carom_model_shape *i, const carom_model_shape *j);
carom_status carom_flats_warn(carom_compiler *c);
/* The friction of an ideal joint: law, sizes, its friction sites. */
carom_status carom_compile_joint_friction(carom_compiler *c, const carom_joint_def *def, carom_model_joint *joint);

/* Numbers the root functions of the contacts. */
void carom_compile_roots(carom_model *model);

/* Soundness of the spec: lists, names, finite numbers, types of values. */
carom_status carom_compile_check(carom_compiler *c);
/* Inputs and states, and then the rates of the states, which may read all that is compiled. */
carom_status carom_compile_variables(carom_compiler *c);
carom_status carom_compile_state_rates(carom_compiler *c);
/* All frames of bodies. */
carom_status carom_compile_frames(carom_compiler *c);
/* Blocks of rows that hold joints which events lock; behind those of joints and motions. */
carom_status carom_compile_locks(carom_compiler *c);
carom_status carom_compile_events(carom_compiler *c);
/* Outputs; measures that are new here are read from accepted states alone. */
carom_status carom_compile_outputs(carom_compiler *c);
/* An expression that is read from accepted states alone; `owner` begins messages of the compiler. */
carom_status carom_compile_free_expr(carom_compiler *c, const carom_value *value, const carom_wanted_unit *unit,
                                     carom_expr **out);
carom_status carom_compile_bodies(carom_compiler *c);
carom_status carom_compile_joints(carom_compiler *c);
/* The spanning tree of the joints; behind all blocks of rows. */
carom_status carom_compile_tree(carom_compiler *c);
/* Numbers the rows of a block, and adds it. */
carom_constraint_block *carom_compile_block(carom_model *model, carom_constraint_block element);
/* Adds the shapes and contacts of the joints with clearance to the compiler's spec; the joints are compiled. */
carom_status carom_compile_clearances(carom_compiler *c);
carom_status carom_compile_shapes(carom_compiler *c);
carom_status carom_compile_contacts(carom_compiler *c);
carom_status carom_compile_loads(carom_compiler *c);
/* What loads name, where joints, shapes or contacts have failed. */
carom_status carom_compile_look_at_loads(carom_compiler *c);
/* What a joint with a coordinate carries; the model's length and speed are known. */
carom_status carom_compile_carried(carom_compiler *c, const carom_model_joint *joint, carom_load_carried *out);
/* Copies of the definitions of the runs. */
carom_status carom_compile_runs(carom_compiler *c);
/* Axes of both frames about a common axis h, world axes at the start, from which an angle about h is told: h is their
   z-axis, and their x-axis is across it in the direction of the frame's x-axis; where that of a frame is nearly along
   h, of the y-axes of both, or else of the z-axes. */
void carom_compile_axes(const carom_model *m, const carom_marker *i, const carom_marker *j, carom_vec3 axis,
                        carom_mat3 *first, carom_mat3 *second);
/* Pose of a marker at the start, at rest. */
carom_frame_pose carom_compile_start_pose(const carom_model *model, const carom_marker *marker);

#endif

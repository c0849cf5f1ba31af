/* Models: read a file (or fill a spec), compile, ask. A compiled model is constant and may be shared between
   threads. */
#ifndef CAROM_MODEL_H
#define CAROM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "carom/base.h"
#include "carom/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- model files ---- */

/* A model file in memory: owns the spec read from it. */
typedef struct carom_document carom_document;

/* Reads a YAML or JSON model file. `overrides` are `name=value` texts that replace values of parameters (and only of
   parameters); may be NULL when the count is 0. The caller frees *out with carom_document_free().
   Errors: CAROM_ERROR_IO (not readable), CAROM_ERROR_MODEL (with file:line:column), CAROM_ERROR_USAGE (an override
   names no parameter), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_document_read(carom_context *ctx, const char *path, const char *const *overrides,
                                           size_t override_count, carom_document **out);
/* The same from memory; `name` stands for the file in messages. */
CAROM_API carom_status carom_document_parse(carom_context *ctx, const char *name, const char *text, size_t length,
                                            const char *const *overrides, size_t override_count,
                                            carom_document **out);
/* Gives a parameter of `parameters:` another value, a text such as "0.3" or "207*GPa", and reads the file's text again:
   all that is made of the parameter follows. What carom_document_spec() had returned is gone. On failure the document
   is as before. Errors: as carom_document_parse(). */
CAROM_API carom_status carom_document_set(carom_document *document, const char *parameter, const char *value);
/* Another document with the same text and values, read again. Errors: as carom_document_parse(). */
CAROM_API carom_status carom_document_copy(const carom_document *document, carom_document **out);
/* The spec in the document; valid as long as the document. */
CAROM_API const carom_spec *carom_document_spec(const carom_document *document);
CAROM_API void carom_document_free(carom_document *document);

/* The entry of a model text that stands at a place, such as that of an error, as "bodies.ball.at[0]", in `out`, cut to
   `size` bytes; "": none does. Errors: CAROM_ERROR_MODEL (the text is no YAML), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_document_key_at(carom_context *ctx, const char *text, size_t length, int line, int column,
                                             char *out, size_t size);

/* Reads a record of an input for carom_simulation_def.inputs: times [s] from the first column of a table, values from
   the column that has the heading `column` (NULL: the input's name), or from the second of two. Columns are separated
   by commas, semicolons or blanks; lines that begin with # are skipped; the first line may hold headings. Units in
   brackets behind them, "t [ms]", convert to SI; out->units says which they are, and the simulation compares that of
   the values with the unit of the input. `input` and `path` are borrowed. The caller frees *out with
   carom_record_free().
   Errors: CAROM_ERROR_IO (not readable), CAROM_ERROR_MODEL (with file:line:column), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_record_read(carom_context *ctx, const char *input, const char *path, const char *column,
                               carom_spline_def *out);
CAROM_API void carom_record_free(carom_context *ctx, carom_spline_def *record);

/* ---- descriptions of robots ---- */

/* What the root of a robot is: free, or held by the ground. */
typedef enum carom_import_base {
    CAROM_IMPORT_BASE_AUTO = 0,     /* the ground where it has no inertia, else free */
    CAROM_IMPORT_BASE_FIXED,
    CAROM_IMPORT_BASE_FREE
} carom_import_base;

/* Coordinate of a joint at the start. */
typedef struct carom_import_start {
    const char *joint;
    double value;               /* [m or rad] */
    carom_place place;
} carom_import_start;

/* A motor of the model that a robot is read for. */
typedef struct carom_import_motor {
    const char *joint;          /* of the robot, with the prefix */
    bool limits_effort, limits_speed;   /* in the model */
} carom_import_motor;

/* How a robot is read, and where it stands. */
typedef struct carom_import_def {
    size_t size;
    const char *prefix;         /* of all names; NULL: none */
    double at[3];               /* origin of the description, world [m] */
    double orientation[4];      /* quaternion w x y z, of any length but zero */
    carom_import_base base;
    const carom_import_start *start;    /* of other joints: 0, or what the description says */
    size_t start_count;
    const char *keyframe;       /* of MJCF: the <key> that has the start; NULL: none */
    const char *folder;         /* from which the model names files; NULL: the working folder */
    const char *const *packages;        /* folders in which packages are looked for */
    size_t package_count;
    bool strict;                /* refuses what would be ignored */
    const carom_import_motor *motors;   /* of the model: limits of drives are told where one has none; NULL: unknown */
    size_t motor_count;
} carom_import_def;
CAROM_API carom_import_def carom_default_import_def(void);

/* Reads a URDF or MJCF file and writes the model that it is as a text in the model format, with comments that say
   where each part came from. What the file holds and the model does not is sent to the log as warnings, with lines.
   The caller frees *out with carom_text_free(). Errors: CAROM_ERROR_IO (not readable), CAROM_ERROR_MODEL (with
   file:line:column), CAROM_ERROR_USAGE (`at` or `orientation` are no place), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_import_text(carom_context *ctx, const char *path, const carom_import_def *def,
                                         char **out);
/* The same from memory; `name` stands for the file in messages, and meshes are looked for around it. */
CAROM_API carom_status carom_import_parse(carom_context *ctx, const char *name, const char *text, size_t length,
                                          const carom_import_def *def, char **out);

/* ---- models ---- */

typedef struct carom_model carom_model;

/* Checks and compiles a spec; the model keeps nothing of it. Runs are copied: what they say is compiled, and refused,
   where a simulation is created. The caller frees *out with carom_model_free().
   Errors: CAROM_ERROR_MODEL with the place in the spec, CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_model_compile(carom_context *ctx, const carom_spec *spec, carom_model **out);
/* Reads and compiles a file: carom_document_read() and carom_model_compile() in one call. */
CAROM_API carom_status carom_model_load(carom_context *ctx, const char *path, const char *const *overrides,
                                        size_t override_count, carom_model **out);
/* The same from memory: carom_document_parse() and carom_model_compile(). */
CAROM_API carom_status carom_model_parse(carom_context *ctx, const char *name, const char *text, size_t length,
                                         const char *const *overrides, size_t override_count, carom_model **out);
CAROM_API void carom_model_free(carom_model *model);

/* Counts of a model. */
typedef struct carom_model_info {
    const char *name, *title;
    int dimension;
    size_t bodies;              /* without ground */
    size_t joints, shapes, contacts, loads, runs;
    size_t coordinates;         /* velocities of the first run's formulation; 0: there is none of its name */
    size_t rows;                /* constraint rows, prescribed motions included */
    double gravity[3];          /* [m/s^2] */
    double length;              /* what lengths of the model compare with [m] */
} carom_model_info;
CAROM_API carom_model_info carom_model_get_info(const carom_model *model);
/* Name of body 0 ... bodies-1 in the file's order; NULL beyond. */
CAROM_API const char *carom_model_body_name(const carom_model *model, size_t body);
/* Run 0 ... runs-1 as the file or spec defines it; NULL beyond. It lives as long as the model. */
CAROM_API const carom_run_def *carom_model_get_run(const carom_model *model, size_t index);

/* ---- parts of a model ---- */

/* Origin and axes of a frame. `axes` holds a matrix row by row; its columns are the unit vectors of the frame. */
typedef struct carom_pose {
    double position[3];         /* [m] */
    double axes[9];
} carom_pose;

/* A frame fixed on a body. */
typedef struct carom_attachment {
    int body;                   /* index, -1: the ground */
    carom_pose pose;            /* from the body's centre of mass, body axes */
} carom_attachment;

/* Names and types live as long as the model. */
typedef struct carom_joint_info {
    const char *name, *type;    /* type: its kind */
    carom_attachment side[2];
    bool has_axis;              /* the z axes of the frames are the joint's axis */
    const char *drawn;          /* what pictures show: "ring", "ball", "rail", "ring rail", "ball rail", "bar"; NULL:
                                   nothing */
} carom_joint_info;

typedef struct carom_load_info {
    const char *name, *type;
    carom_attachment side[2];   /* of loads on one frame equal */
    const char *drawn;          /* what pictures show between the frames: "coil", "dashpot", "line"; at the first:
                                   "spiral"; at both: "bushing"; NULL: nothing */
} carom_load_info;

typedef struct carom_shape_info {
    const char *name, *type;
    carom_attachment on;        /* origin and axes of the shape */
    double radius;              /* of a sphere about the origin that holds it [m]; HUGE_VAL: unbounded */
    const double *numbers;      /* `number_count` numbers: shapes of one type with equal ones are equal */
    size_t number_count;
    bool visual, hidden;        /* drawn alone; not drawn */
    int colour;                 /* 0xrrggbb; -1: that of the body */
} carom_shape_info;

typedef struct carom_contact_info {
    const char *name, *law;     /* law: where it is composed of parts, the damping part */
    const char *friction;       /* its friction law, or NULL */
    int shape[2], body[2];      /* the normal points from the first to the second; bodies: -1 the ground */
} carom_contact_info;

/* Part `index` of the file's order; false, with *out untouched, beyond the last. A contact set is none here. */
CAROM_API bool carom_model_get_joint(const carom_model *model, size_t index, carom_joint_info *out);
/* Of a joint whose point moves on a curve: `count` places on it, evenly over its length, the ends included, from the
   centre of mass of the first body in that body's axes: x, y, z of each [m], 3 count numbers. False if it has none. */
CAROM_API bool carom_model_joint_curve(const carom_model *model, size_t index, size_t count, double *points);
CAROM_API bool carom_model_get_load(const carom_model *model, size_t index, carom_load_info *out);
CAROM_API bool carom_model_get_shape(const carom_model *model, size_t index, carom_shape_info *out);
CAROM_API bool carom_model_get_contact(const carom_model *model, size_t index, carom_contact_info *out);

/* The model as runs with fixed steps have it, or as those have it whose integrator locates onsets: there a contact set
   is a contact of each pair of its shapes. Without contact sets both are the model itself. It lives as long as the
   model; NULL if it cannot be so, which a simulation says when it is created. */
CAROM_API const carom_model *carom_model_for_steps(const carom_model *model, bool fixed_step);

/* A shape as points, triangles and lines, in its own axes about its origin. */
typedef struct carom_mesh {
    size_t point_count, triangle_count, line_count;
    double *points, *normals;   /* x, y, z of each point [m]; normals are unit vectors out of the material */
    uint32_t *triangles;        /* 3 points each, counterclockwise as seen against the normal */
    uint32_t *lines;            /* 2 points each */
} carom_mesh;

/* Draws a shape: a solid by triangles, in planar models an area in z = 0, outlines and marks by lines. `reach` [m] is
   how far an unbounded shape is drawn from its origin. Free with carom_mesh_free(). Errors: CAROM_ERROR_USAGE (no such
   shape), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_model_shape_mesh(carom_context *ctx, const carom_model *model, size_t shape, double reach,
                                              carom_mesh *out);
CAROM_API void carom_mesh_free(carom_context *ctx, carom_mesh *mesh);

/* Where two shapes are nearest. */
typedef struct carom_gap {
    double gap;                 /* [m], < 0: indentation */
    double point[3];            /* where the contact force acts, world [m] */
    double normal[3];           /* unit vector from the first shape to the second, world */
} carom_gap;

/* The gap of a contact with its bodies, each about its centre of mass, at these poses in the world. Errors:
   CAROM_ERROR_USAGE (no such contact). */
CAROM_API carom_status carom_model_contact_gap(carom_context *ctx, const carom_model *model, size_t contact,
                                               const carom_pose *first, const carom_pose *second, carom_gap *out);

#ifdef __cplusplus
}
#endif
#endif

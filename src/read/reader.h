/* Inside of the model reader: from the tree of a file to the spec, by the table of keys. */
#ifndef CAROM_IO_READER_H
#define CAROM_IO_READER_H

#include "expr/expr.h"
#include "tree/tree.h"
#include "spec/keys.h"
#include "spec/numbers.h"

#define CAROM_READER_PARAMETERS 4096    /* most parameters of a model */
#define CAROM_NAME_LENGTH 63            /* longest name of an object */
#define CAROM_READER_COPIES 100000      /* most copies of an entry */
#define CAROM_READER_ENTRIES 200000     /* most objects of a section, copies among them */
#define CAROM_COPY_NAME "copy"          /* in the expressions of an entry, the number of the copy, from 1 */

/* A parameter of the model while it is read. */
typedef struct carom_reader_parameter {
    const char *name;
    carom_place place;          /* of its key */
    const char *text;           /* value in the file, or that of the override */
    carom_place text_place;
    const char *file_text;      /* value in the file */
    bool overridden;
    bool failed;                /* it has no value, and that is told */
    bool is_word;               /* its value is the text `word`, else the number `number` */
    const char *word;
    double number;
    carom_dimension dimension;
} carom_reader_parameter;

typedef struct carom_reader_spline {
    const char *name;
    carom_edges table;
    bool repeats;               /* periodic */
    carom_dimension dimension[2];       /* of x and y; what no point has is free */
} carom_reader_spline;

typedef struct carom_reader_trajectory {
    const char *name;
    size_t count;
    const double *x, *coefficients;
    bool repeats;
    carom_dimension dimension[2];       /* of x and y */
} carom_reader_trajectory;

/* An entry that was read several times: its objects are called NAME_1, NAME_2, ... */
typedef struct carom_reader_copies {
    const char *name;
    size_t count;
    carom_object object;
} carom_reader_copies;

/* What a file held that the model file names. */
typedef struct carom_reader_file {
    const char *name;           /* as the model file names it */
    bool held;                  /* by the model text itself */
    carom_value table;
} carom_reader_file;

typedef struct carom_reader {
    carom_context *ctx;
    carom_arena *arena;         /* of the document */
    carom_arena scratch;        /* given back when the file is read */
    const char *file;
    carom_spec *spec;
    const char *where;          /* begins a message: "joint 'pin': ", or "" */
    const char *const *overrides;
    size_t override_count;
    carom_reader_parameter *parameters;
    size_t parameter_count;
    const char **variables;     /* names of inputs and states, which expressions may read wherever they stand */
    carom_dimension *variable_dimensions;
    size_t variable_count;
    const char **all_names;     /* of all parameters */
    size_t defined;             /* of the parameters, those that have their value */
    const char **names;         /* numbers among them, for expressions */
    double *values;
    carom_dimension *dimensions;
    size_t count;
    carom_unit_scope units;     /* what the units of the present mapping name */
    const carom_joint_kind *joint;      /* that of the present joint; NULL: none */
    const char *its_unit;       /* of an input, state or output; NULL: none */
    carom_reader_spline *splines;
    carom_reader_trajectory *trajectories;
    size_t spline_count, trajectory_count;
    carom_reader_copies *copies;
    size_t copies_count;
    const carom_node *columns;  /* of the file of points in the present mapping; NULL: the first two */
    size_t copy;                /* number of the copy that is read; 0: none */
    bool has_parameters;        /* they are read, and the functions */
    const carom_node *expanded; /* the file with what it includes; NULL: it includes nothing */
    const carom_node *files;    /* what the model text holds of files; NULL: nothing */
    carom_reader_file *read_files;
    size_t file_count, file_capacity;
    carom_read_numbers *numbers;        /* those that are read; NULL: not kept */
} carom_reader;

/* ---- names.c: messages and names ---- */

/* Stores "place: where text"; returns CAROM_ERROR_MODEL. */
carom_status carom_read_fail(const carom_reader *r, const carom_place *place, const char *format, ...)
    CAROM_PRINTF(3, 4);
/* "; did you mean 'x'?" in `buffer`, or "". */
const char *carom_suggest(const char *word, const char *const *names, size_t count, char *buffer, size_t size);
#define CAROM_SUGGESTION 96

/* A name of letters, digits, _ and -, beginning with a letter. */
carom_status carom_check_name(const carom_reader *r, const char *what, const char *name, const carom_place *place);
/* A name that may stand in an expression: no hyphen, no word of the language. */
carom_status carom_check_expression_name(const carom_reader *r, const char *what, const carom_node *node);

/* ---- scope.c: what expressions may name ---- */

const carom_reader_parameter *carom_reader_parameter_find(const carom_reader *r, const char *name);
/* The text is a word, not a number or an expression. */
bool carom_reader_is_word(const carom_reader *r, const char *text);
/* Refuses parameter `p` in the value of `self` unless it is defined before it. */
carom_status carom_check_order(const carom_reader *r, const carom_reader_parameter *p, const carom_place *place,
                               const carom_reader_parameter *self);
/* Refuses names of parameters in an expression that are words, or not defined yet (`self` is the parameter whose value
   it is, NULL elsewhere). */
carom_status carom_check_identifiers(const carom_reader *r, const char *text, const carom_place *place,
                                     const carom_reader_parameter *self);
/* The scope of expressions. */
carom_expr_scope carom_reader_scope(const carom_reader *r, bool time, bool measures);
/* A spline of the file by its name; NULL: there is none. */
const carom_reader_spline *carom_reader_find_spline(const carom_reader *r, const char *name);

/* ---- variables.c: names in expressions that vary in a run ---- */

/* Takes the names of inputs and states from the file, before any expression is read. */
carom_status carom_reader_variables(carom_reader *r, const carom_node *root);
/* A name for expressions that is none of a parameter or of another variable. */
carom_status carom_check_variable_name(const carom_reader *r, const char *what, const carom_node *node);

/* ---- values.c: scalars, vectors, texts ---- */

/* Refuses a value that is no scalar or empty; `what` says what is expected. */
carom_status carom_read_scalar(const carom_reader *r, const carom_node *node, const char *what);
carom_status carom_read_text(const carom_reader *r, const carom_node *node, const char **out);
/* An expression that is kept as text, with the number of the present copy for `copy`. */
carom_status carom_reader_number_copy(carom_reader *r, const char **text);
/* A number in `unit`; NULL and texts that are no unit take any. The same holds for the others. */
carom_status carom_read_number(const carom_reader *r, const carom_node *node, const char *unit, double *out);
/* A number with its dimension. */
carom_status carom_read_quantity(const carom_reader *r, const carom_node *node, double *out,
                                 carom_dimension *dimension);
/* A number, or an expression of t (and of measures if `measures`). */
carom_status carom_read_time_value(carom_reader *r, const carom_node *node, const char *unit, bool measures,
                                   carom_value *out);
/* A list of n numbers. */
carom_status carom_read_vector(const carom_reader *r, const carom_node *node, const char *unit, int n, double *out);
/* The same as a value with the places of its parts; components may depend on time if `time`. */
carom_status carom_read_vector_value(carom_reader *r, const carom_node *node, const char *unit, int n, bool time,
                                     carom_value *out);
/* A list of points [x, y]. */
carom_status carom_read_points(carom_reader *r, const carom_node *node, const char *unit, const double **out);

/* ---- parameters.c ---- */

/* Parameters, with the overrides instead of their values; node may be NULL. */
carom_status carom_read_parameters(carom_reader *r, const carom_node *node);
carom_status carom_read_splines(carom_reader *r, const carom_node *node);
carom_status carom_read_trajectories(carom_reader *r, const carom_node *node);
/* One number of a point of the `what` of that name, with the dimension that its points have so far; numbers without
   unit fit all. */
carom_status carom_read_coordinate(carom_reader *r, const char *what, const char *name, const carom_node *node,
                                   double *out, carom_dimension *dimension);

/* ---- kinds.c: keys that are parameters of kinds ---- */

typedef struct carom_param_tables {
    const carom_param_row *rows[8];
    size_t counts[8];
    int tables;
    const char *owner;          /* "joint 'revolute'", for messages */
    bool normal;                /* of a normal force */
    bool damping_is_param;      /* the key `damping` of a normal force is the parameter of that name */
    double exponent;            /* of a power law that the file gives none; NAN: that of the elastic part */
} carom_param_tables;

/* The parameters that this mapping may hold, by the kinds it names. */
carom_status carom_reader_tables(carom_reader *r, carom_object object, const carom_node *node,
                                 const carom_place *place, carom_param_tables *out);
const carom_param_row *carom_tables_find(const carom_param_tables *tables, const char *name);
/* Further name of the parameter `damping` of a normal force, whose key `damping` names the damping part. */
#define CAROM_DAMPING_CONSTANT "damping_constant"
/* Reads a parameter that is no outline. */
carom_status carom_read_param(carom_reader *r, const carom_param_row *row, const carom_node *node, carom_value *out);
/* Reads a parameter that is an expression of x and y over a grid. */
carom_status carom_read_graph(carom_reader *r, const carom_param_tables *tables, const carom_param_row *row,
                              const carom_node *shape, const carom_node *node, carom_value *out);
/* Reads a word that names a kind. */
carom_status carom_read_kind(carom_reader *r, carom_family family, const carom_node *node, const carom_kind **out);
/* The exponent n of a power law that the unit N/m^n of a row names; NAN: not known. */
double carom_reader_exponent(carom_reader *r, const carom_param_tables *tables, const carom_param_row *row,
                             const carom_node *node);

/* ---- words/functions.c ---- */

/* The functions of the file: `name(a, b): expression`. */
carom_status carom_read_functions(carom_reader *r, const carom_node *node);
/* Refuses those that no expression has called and that none could. */
carom_status carom_check_functions(carom_reader *r);

/* ---- words/patterns.c ---- */

/* How many `pattern` of an entry stands for, and where they are. */
carom_status carom_check_pattern(carom_reader *r, const carom_node *entry, const carom_node *node,
                                 carom_pattern_def *pattern, size_t *count);
/* Moves an object that was read to its place as the copy of that number. */
void carom_pattern_place(const carom_reader *r, const carom_pattern_def *pattern, carom_object object,
                         const carom_node *entry, size_t number, void *target);

/* ---- words/traces.c ---- */

/* A spline through points of a curve that is given by functions. */
carom_status carom_read_trace(carom_reader *r, carom_object object, const carom_node *node,
                              const carom_trace_def *trace, carom_outline_def *out);

/* ---- files.c ---- */

/* Two columns of a table (CSV), as rows of two numbers in SI units, and the dimensions of both. `columns` are their
   headings or numbers, NULL: the first two. */
carom_status carom_read_point_file(carom_reader *r, const carom_node *node, const carom_node *columns,
                                   carom_value *out, carom_dimension dimension[2], const int **lines);

/* A path from the folder of the model file; in the arena of the document, NULL without memory. */
const char *carom_reader_path(const carom_reader *r, const char *path);
#define CAROM_TABLE_COLUMNS 100000
/* The heights of a grid in a file: rows of numbers, or an image. */
carom_status carom_read_grid_file(carom_reader *r, const carom_node *node, carom_value *out);
/* The corners of the convex hull of a mesh in a file. */
carom_status carom_read_mesh(carom_reader *r, const carom_node *node, carom_value *out);
/* The same with the points of triangles to be drawn, three each. */
carom_status carom_read_triangles(carom_reader *r, const carom_node *node, carom_value *out);
/* Puts what files held into the text of the spec; `flow`: the text is one mapping in braces. */
carom_status carom_reader_hold_files(carom_reader *r, bool flow);

/* ---- actions.c ---- */

/* What an event does: one action or a list of them. */
carom_status carom_read_actions(carom_reader *r, const carom_node *node, const carom_action_def **out, size_t *count);

/* ---- copies.c ---- */

/* Copies that an entry of a mapping stands for: its `copies`, of a shape those of its body; 0: it is one object. */
carom_status carom_reader_copy_count(carom_reader *r, carom_object object, const carom_node *node, size_t *count);
/* Refuses copies within copies, by `node`, and a parameter that has the name of their number. */
carom_status carom_check_copies(const carom_reader *r, const char *what, const carom_node *entry,
                                const carom_node *node);
/* Whether an entry of shapes has copies because its body has. */
bool carom_copies_of_body(const carom_reader *r, carom_object object, const carom_node *entry);
/* The value of `copies` in an entry, which is a `what`. */
/* Counts the objects of an entry to those of its section. Errors: CAROM_ERROR_MODEL, they are too many. */
carom_status carom_count_entries(const carom_reader *r, const char *section, const carom_node *entry, size_t copies,
                                 size_t *total);
carom_status carom_read_copy_count(carom_reader *r, const char *what, const carom_node *entry,
                                   const carom_node *node, size_t *count);
/* The entry of the present copy: `$copy` and `$(...)` in its names are numbers, and bodies, shapes and joints with
   copies that a joint, contact or load names stand for their copies of that number. */
carom_status carom_copies_node(carom_reader *r, carom_object object, const carom_node *node, const carom_node **out);
/* The numbers that expressions may name outside of an entry that has names of its own. */
typedef struct carom_names_scope {
    const char **names;
    double *values;
    carom_dimension *dimensions;
} carom_names_scope;

/* Lets expressions read one more name, whose value is the last of `values`, until carom_reader_remove_name(). */
carom_status carom_reader_add_name(carom_reader *r, const char *name, carom_dimension dimension,
                                   carom_names_scope *former);
void carom_reader_remove_name(carom_reader *r, const carom_names_scope *former);
/* Gives expressions the number of the copy, until carom_copies_end(). */
carom_status carom_copies_begin(carom_reader *r, carom_names_scope *former);
/* Begins the copy of a number, from 1; its name, NULL without memory. */
const char *carom_copies_next(carom_reader *r, const char *name, size_t number);
/* Puts the copy of a shape on the copy of its body. */
carom_status carom_copies_place(carom_reader *r, carom_shape_def *shape, size_t number);
/* Ends an entry that was read with this status; keeps its name if it is good. */
carom_status carom_copies_end(carom_reader *r, const carom_names_scope *former, carom_object object, const char *name,
                              size_t count, carom_status status);
/* Names of shapes, or patterns; the name of copied shapes stands for all copies. */
carom_status carom_read_shape_names(carom_reader *r, const carom_node *node, const char *const **out, size_t *count);
/* Pairs of shapes, or patterns. */
carom_status carom_read_exceptions(carom_reader *r, const carom_node *node, const carom_except_def **out);

/* ---- frames.c ---- */

/* The `orientation` of the axes at a point, {body: [x, y], orientation: ...}; NULL: none. */
const carom_node *carom_frame_turn(const carom_node *node);
/* `name`, or `name.part`; the part is NULL if there is none. */
carom_status carom_read_dotted(carom_reader *r, const char *what, const char *what_part, const carom_node *node,
                               const char **name, const char **part);
/* The frame without that. */
carom_status carom_read_frame_ref(carom_reader *r, const carom_node *node, carom_frame_ref *out);
/* An angle in the plane, an orientation in space; as a quaternion. `turn` is the mapping, if it is one. */
carom_status carom_read_orientation(carom_reader *r, const carom_node *node, const carom_turn_def *turn,
                                    double *quaternion);
carom_status carom_read_orientation_value(carom_reader *r, const carom_node *node, const carom_turn_def *turn,
                                          carom_value *out);

/* ---- keys.c: types of keys that hold no objects ---- */

/* Reads the value `node` of `key` into its field. */
typedef carom_status (*carom_key_reader)(carom_reader *r, const carom_key *key, const carom_node *node, void *field);
/* NULL: keys of this type are read with the mapping that they are in. */
carom_key_reader carom_reader_of_key(carom_key_type type);

/* ---- words/parts.c ---- */

/* The file with the parts that it includes, YAML, put before its own entries of the same sections; what it includes
   else stays. */
carom_status carom_reader_parts(carom_reader *r, const carom_node *root, const carom_node **out);

/* ---- words/rename.c ---- */

/* Puts a prefix before all names that a part defines and that its texts name, and the folder of the part before its
   files. */
carom_status carom_reader_rename(carom_reader *r, const carom_node *part, const char *prefix, const char *folder,
                                 const carom_node **out);

/* ---- include.c ---- */

/* The file with included trees put before its own entries of the same sections; its includes of the type are left out
   where they are in `included`. */
carom_status carom_reader_put_before(carom_reader *r, const carom_node *root, const carom_node *const *included,
                                     size_t count, const carom_node *rest, const carom_node **out);

/* The file with what it includes put before its own entries of the same sections. */
carom_status carom_reader_merge(carom_reader *r, const carom_node *root, const carom_include_def *includes,
                                size_t count, const carom_node **out);

/* ---- checks.c ---- */

/* The entry of a key under its name or its former one. */
const carom_node *carom_read_entry(const carom_node *node, const carom_key *key);
/* Refuses keys that neither the object nor its kinds have. */
carom_status carom_check_known(const carom_reader *r, carom_object object, const carom_param_tables *tables,
                               const carom_node *node);
carom_status carom_check_required(const carom_reader *r, carom_object object, const carom_node *node,
                                  const carom_place *place);
/* What a table of single keys cannot say. */
carom_status carom_check_object(const carom_reader *r, carom_object object, const carom_node *node,
                                const carom_place *place, const void *target);

/* ---- reader.c ---- */

/* Reads a tree into the reader's spec. */
carom_status carom_reader_run(carom_reader *r, const carom_node *root);

/* ---- document.c ---- */

/* The document with another value of a parameter. `numbers`: NULL, or with the context alone, those that were read,
   given back by carom_read_numbers_free(), also after a failure. Errors: as carom_document_set(). */
carom_status carom_document_with(const carom_document *document, const char *parameter, double value,
                                 carom_read_numbers *numbers, carom_document **out);

#endif

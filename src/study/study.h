/* Inside of studies: parameters and quantities as they are compiled. */
#ifndef CAROM_STUDY_INTERNAL_H
#define CAROM_STUDY_INTERNAL_H

#include "analysis/analysis.h"
#include "base/base.h"
#include "carom/analysis.h"
#include "carom/model.h"
#include "carom/simulation.h"
#include "carom/study.h"
#include "expr/expr.h"
#include "study/sampler/sampler.h"
#include "tree/tree.h"

#define CAROM_STUDY_QUANTITIES 500
#define CAROM_STUDY_CHANNELS 256
#define CAROM_STUDY_SET 256
#define CAROM_STUDY_NAME 63

/* Whether a text is a letter and letters, digits and _ behind it, no longer than a name may be. */
bool carom_study_is_name(const char *text);

/* A parameter that varies: a list of values, or a range from `low` to `high`, or a normal distribution. */
typedef struct carom_study_side {
    const char *name, *unit;
    carom_place place;
    size_t count;               /* of values; 0: none, a range */
    const char *const *words;   /* NULL: numbers */
    const char *const *texts;   /* of numbers as the file gives them, with units; NULL: made */
    const double *numbers;
    double low, high, mean, deviation;
    bool log, normal;
    const char *low_text, *high_text;   /* as the file gives them */
} carom_study_side;

/* ---- quantities ---- */

/* A list of the results that has columns. */
typedef enum carom_rows { CAROM_ROWS_IMPACTS, CAROM_ROWS_RESTS } carom_rows;

typedef struct carom_program carom_program;

/* Of a variable of an expression: what it reads. */
typedef enum carom_leaf_type {
    CAROM_LEAF_PARAMETER,       /* number `index` of the model, by name */
    CAROM_LEAF_QUANTITY,        /* one before it */
    CAROM_LEAF_CHANNEL,         /* `index` of the study's channels, at a time */
    CAROM_LEAF_FIELD,           /* of the present row of a list */
    CAROM_LEAF_ELEMENT,         /* field of row `row` of a list */
    CAROM_LEAF_LEDGER,
    CAROM_LEAF_VALUE,           /* number `name` of an analysis that is no motion */
    CAROM_LEAF_CELL,            /* `column` of row `row` of its table `name` */
    CAROM_LEAF_REDUCTION
} carom_leaf_type;

typedef struct carom_reduction carom_reduction;

typedef struct carom_leaf {
    carom_leaf_type type;
    size_t index;
    const char *name, *column;
    const char *label;          /* as the file has it, for messages */
    const char *unit;           /* as its source has it; NULL: not known */
    carom_rows rows;
    const char *contact;        /* whose rows; NULL: of all */
    long row;                   /* from 1, or from the last one, -1 */
    const carom_field *field;
    const carom_reduction *reduction;
    carom_program *body;        /* of the time or of a row; NULL: of a list without column */
    carom_program *arguments[2];
    size_t argument_count;
    size_t at;                  /* in the text */
} carom_leaf;

/* An expression and what its variables read. */
struct carom_program {
    carom_expr *expr;
    carom_leaf *leaves;
    size_t leaf_count;
    const char *label;
    bool of_rows;               /* of a list: its leaves have the rows */
    carom_rows rows;
    const char *contact;
};

#define CAROM_PROGRAM_LEAVES 64
#define CAROM_PROGRAM_SWITCHES 128
#define CAROM_EXPR_ARGUMENTS_READ 8     /* of a call, that are looked at */

typedef struct carom_study_item {
    const char *name, *text, *unit;
    carom_place place;          /* of the text */
    bool of_time;               /* a number at each of the times of a probe, not one of the run */
    carom_program *program;
} carom_study_item;

struct carom_study {
    carom_arena arena;
    const char *file, *title, *text;
    const char *model, *model_text;     /* NULL: no model */
    size_t model_length;
    const carom_node *root;
    carom_study_side *sides;
    size_t side_count;
    const char **set;           /* "NAME=VALUE" */
    carom_place *set_places;
    size_t set_count;
    const char *integrator, *formulation;       /* of `run`; NULL: the model's */
    double until, tolerance, limit;     /* 0: not given */
    const carom_sampler *sampler;
    carom_design design;
    size_t runs;
    carom_study_item *items;
    size_t item_count;
    const char **channels;      /* that the quantities read */
    const char **bases;         /* of them, without component: what a run records */
    size_t channel_count, channel_capacity;
    size_t reduction_count;     /* in the programs */
    bool reads_motion;          /* a quantity asks for a motion, or for an analysis that is none */
    const char **names;         /* of the numbers of the model, that expressions may read */
    size_t name_count;
    const char *identity;
    const char **options;       /* of `carom run`, NULL behind the last */
    const carom_analysis_kind *analysis;        /* of the run, once it is known and no motion; NULL */
};

/* ---- build.c ---- */

/* A study that a part of another file makes: `root` has the keys model, parameters, set and run, and lives as long as
   the study; the items are its quantities. It has no runs of its own: carom_study_run_at() makes them. */
typedef struct carom_study_parts {
    const char *file;
    const carom_node *root;
    const carom_study_item *items;
    size_t item_count;
    const char *model_text;     /* NULL: it is read */
} carom_study_parts;
carom_status carom_study_build(carom_context *ctx, const carom_study_parts *parts, carom_study **out);

/* ---- study.c: what building shares with reading ---- */

carom_status carom_study_read_set(carom_study *s, const carom_node *node);
carom_status carom_study_read_run(carom_study *s, const carom_node *node);
/* The model, or without one the names of the numbers. */
carom_status carom_study_read_model(carom_study *s, const carom_node *node, const char *model_text);

/* ---- fail.c ---- */

/* Stores "place: text"; returns CAROM_ERROR_MODEL. */
carom_status carom_study_fail(carom_context *ctx, const carom_place *place, const char *format, ...)
    CAROM_PRINTF(3, 4);

/* ---- parameters.c ---- */

carom_status carom_study_read_sides(carom_study *s, const carom_node *node);
/* Value of a parameter at a place in [0, 1] of its side; of words the index. */
double carom_study_side_value(const carom_study_side *side, double coordinate);
/* A number with units that needs no parameter. */
carom_status carom_study_number(carom_study *s, const carom_node *node, double *out);

/* ---- sampling.c ---- */

/* Reads `sampling`, NULL: there is none, and counts the runs. */
carom_status carom_study_read_sampling(carom_study *s, const carom_node *node, const carom_place *place);

/* ---- run.c ---- */

/* The run of the model with what the study replaces. */
carom_run_def carom_study_run_def(const carom_study *s, const carom_run_def *given);
/* Whether a name is that of a channel, or of its component *component. */
bool carom_study_is_column(const carom_channel *c, const char *name, size_t *component);

/* ---- quantities.c ---- */

carom_status carom_study_read_quantities(carom_study *s, const carom_node *node);
/* Compiles all quantities. `units` of the channels, NULL: not known; then those of the quantities are not found. */
carom_status carom_study_compile_items(carom_study *s, carom_arena *arena, const char *const *units,
                                       const char *const *parameter_units, bool keep);

/* ---- mentions.c ---- */

/* A method by which a channel or a column becomes one number. */
struct carom_reduction {
    const char *name, *arguments, *text;
    bool of_time, of_rows;
    size_t least, most;         /* arguments behind the first */
    int id;
};
enum {
#define CAROM_REDUCTION(id, name, arguments, time, rows, least, most, text) CAROM_REDUCTION_##id,
#include "study/reductions.def"
#undef CAROM_REDUCTION
    CAROM_REDUCTION_COUNT_OF_ALL
};
extern const carom_reduction carom_reductions[];
const carom_reduction *carom_reduction_find(const char *name, size_t length);

#endif

/* Analyses: one file and one row of spec/analysis.def each. An analysis takes a model and a run, and fills the numbers,
   tables and the state that its constant struct declares; people and programs read these alone. */
#ifndef CAROM_ANALYSIS_INTERNAL_H
#define CAROM_ANALYSIS_INTERNAL_H

#include "carom/analysis.h"
#include "dynamics/assembly.h"
#include "dynamics/formulation/formulation.h"

/* Most matrices of an analysis. */
#define CAROM_ANALYSIS_MATRICES 8

typedef struct carom_analysis_table_kind {
    const char *name, *description;
    const carom_analysis_quantity *columns;
    int column_count;
} carom_analysis_table_kind;

typedef struct carom_analysis_kind {
    const char *text;           /* how it is computed */
    const char *source;
    const carom_analysis_quantity *quantities;
    int quantity_count;
    const carom_analysis_table_kind *tables;
    int table_count;
    /* Fills the result; what it has of numbers begins as NaN, its state is the one that
       it begins in: the model's start, not assembled, or where the run before it ended. */
    carom_status (*run)(carom_analysis *a);
} carom_analysis_kind;

#define CAROM_ANALYSIS(id, name, moves, description) extern const carom_analysis_kind carom_analysis_##id;
#include "spec/analysis.def"
#undef CAROM_ANALYSIS

struct carom_analysis {
    carom_context *ctx;
    const carom_model *model;
    const char *name;
    const carom_analysis_kind *kind;
    const carom_run_def *run;
    const carom_spline_def *inputs;     /* records of inputs, */
    size_t input_count;
    const carom_edges *records;         /* and by the inputs of the model; NULL: there are none */
    carom_arena arena;
    double *values;             /* of the quantities */
    carom_analysis_table *tables;
    size_t *capacity;           /* of their cells */
    carom_analysis_matrix matrices[CAROM_ANALYSIS_MATRICES];
    size_t matrix_count;
    carom_state *about;         /* of modes, in absolute coordinates: what they are beside; NULL: it has none */
    carom_state *state;
};

/* The kind of a name; NULL: there is none. The name NULL is the first one. */
const carom_analysis_kind *carom_analysis_kind_find(const char *name);

/* ---- system.c ---- */

/* A system in the formulation of a state with the records of the analysis, and an evaluation of it; the caller frees
   the system. */
carom_status carom_analysis_system(carom_analysis *a, carom_state *state, carom_system **out, carom_evaluation **d);
/* The state assembled, where the run begins at the model's start, or as the run before left it. Logs the warning of
   bodies that the assembly has moved far. The arena owns what is in `start`. Errors: as carom_assembly_start(). */
carom_status carom_analysis_start(carom_analysis *a, carom_evaluation *d, carom_state *s, carom_start *start);

/* ---- dynamics.c: what motions have in common ---- */

#define CAROM_ANALYSIS_MOTION_QUANTITIES 6
#define CAROM_ANALYSIS_MOTION_TABLES 3
extern const carom_analysis_quantity carom_analysis_motion_quantities[];
extern const carom_analysis_table_kind carom_analysis_motion_tables[];
/* Runs a simulation to its end; its numbers and tables are these. */
carom_status carom_analysis_simulate(carom_analysis *a);

/* ---- result.c ---- */

/* Adds a matrix, whose values and names the arena of the analysis owns. */
void carom_analysis_add_matrix(carom_analysis *a, const carom_analysis_matrix *matrix);
/* Adds a row to a table; texts are copied. Errors: CAROM_ERROR_MEMORY. */
carom_status carom_analysis_add(carom_analysis *a, int table, const carom_analysis_cell *cells);
/* A table of the coordinates of bodies: position and orientation at some positions and at those of the state, and its
   rates. */
extern const carom_analysis_quantity carom_analysis_body_columns[];
#define CAROM_ANALYSIS_BODY_COLUMNS 6
carom_status carom_analysis_add_bodies(carom_analysis *a, int table, const double *before);

#endif

/* Analyses: what the key `analysis` of a run asks of a model, as named numbers, tables and a state. */
#ifndef CAROM_ANALYSIS_H
#define CAROM_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/model.h"
#include "carom/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an analysis found. */
typedef struct carom_analysis carom_analysis;

typedef struct carom_analysis_def {
    size_t size;
    size_t run;                 /* index in the model's list of runs */
    const carom_run_def *run_def;       /* a run that the model need not have, copied; NULL: number `run` */
    const carom_state *state;   /* it begins in, of the same model and formulation, copied; NULL: the model's start */
    /* Records of inputs, copied; see carom_simulation_def.inputs. */
    const carom_spline_def *inputs;
    size_t input_count;
} carom_analysis_def;

CAROM_API carom_analysis_def carom_default_analysis_def(void);

/* What a number or a column is. */
typedef struct carom_analysis_quantity {
    const char *name;           /* "velocity_residual" */
    const char *unit;           /* "1": none; "": a text */
    const char *description;
} carom_analysis_quantity;

/* A text where the unit of the column is "", else a number. */
typedef struct carom_analysis_cell {
    const char *text;
    double number;
} carom_analysis_cell;

typedef struct carom_analysis_table {
    const char *name, *description;
    const carom_analysis_quantity *columns;
    size_t column_count, row_count;
    const carom_analysis_cell *cells;   /* row by row */
} carom_analysis_table;

/* A matrix, by columns. */
typedef struct carom_analysis_matrix {
    const char *name, *description;
    size_t rows, columns;
    const double *values;       /* values[r + c * rows] */
    const char *const *row_names, *const *column_names;
} carom_analysis_matrix;

/* Whether a run is a motion, which carom_simulation_create() steps and records. Others are computed by
   carom_analysis_run() alone. NULL: no. */
CAROM_API bool carom_run_moves(const carom_run_def *run);
/* Whether it begins where the run before it in the list ended. The caller hands that state on: to an analysis by
   carom_analysis_def.state, to a simulation by carom_simulation_set_state(). NULL: no. */
CAROM_API bool carom_run_follows(const carom_run_def *run);

/* Computes the analysis of a run, of a motion to its end. `def` may be NULL: the first run. The model must outlive
   *out, which the caller frees with carom_analysis_free(). Errors: CAROM_ERROR_MODEL (the run is wrong or the model
   cannot be analysed, with the place), CAROM_ERROR_SOLVER, CAROM_ERROR_USAGE (no such run), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_analysis_run(carom_context *ctx, const carom_model *model, const carom_analysis_def *def,
                                          carom_analysis **out);
CAROM_API void carom_analysis_free(carom_analysis *analysis);

/* Name of the analysis as in model files: "dynamics", "assembly", ... */
CAROM_API const char *carom_analysis_name(const carom_analysis *analysis);
/* The numbers that it has, and the values of them in the same order; they live as long as the analysis. */
CAROM_API const carom_analysis_quantity *carom_analysis_quantities(const carom_analysis *analysis, size_t *count);
CAROM_API const double *carom_analysis_values(const carom_analysis *analysis);
/* One of them by its name. Errors: CAROM_ERROR_USAGE (no such number; nearest name). */
CAROM_API carom_status carom_analysis_get(const carom_analysis *analysis, const char *name, double *out);
/* Its tables; they live as long as the analysis. */
CAROM_API const carom_analysis_table *carom_analysis_tables(const carom_analysis *analysis, size_t *count);
/* The table of a name; NULL: there is none. */
CAROM_API const carom_analysis_table *carom_analysis_find_table(const carom_analysis *analysis, const char *name);
/* Its matrices; they live as long as the analysis. */
CAROM_API const carom_analysis_matrix *carom_analysis_matrices(const carom_analysis *analysis, size_t *count);
/* A state of a mode, from 0 in the table of modes: displaced from what the modes are beside by `amplitude`, a share of
   the model's length, at a phase [rad]. `out` keeps its time; it is in the coordinates of `formulation: cartesian`, its
   velocities are 0 and its contacts open, for drawing: large amplitudes leave the constraints. Errors:
   CAROM_ERROR_USAGE (no such mode, a state of another model or formulation), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_analysis_mode_state(const carom_analysis *analysis, size_t mode, double amplitude,
                                                 double phase, carom_state *out);
/* The state at its end, such as a simulation of the model may be given; it lives as long as the analysis. */
CAROM_API const carom_state *carom_analysis_state(const carom_analysis *analysis);

#ifdef __cplusplus
}
#endif
#endif

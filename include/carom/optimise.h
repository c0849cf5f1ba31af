/* Optimal designs: what `carom optimise` does (docs/fit.md, section 6). */
#ifndef CAROM_OPTIMISE_API_H
#define CAROM_OPTIMISE_API_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/base.h"
#include "carom/fit.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_optimise carom_optimise;

/* Reads the study of an optimisation and the model that it names, from the folder of the study. The caller frees *out
   with carom_optimise_free(). Errors: CAROM_ERROR_IO, CAROM_ERROR_MODEL (with the place), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_optimise_read(carom_context *ctx, const char *path, carom_optimise **out);
/* NULL is allowed. */
CAROM_API void carom_optimise_free(carom_optimise *study);
/* Compiles the model with the ends of all ranges and finds what the quantities name. To be called once. Errors: as
   carom_study_check(). */
CAROM_API carom_status carom_optimise_check(carom_context *ctx, carom_optimise *study);

/* Texts live as long as the study. */
typedef struct carom_optimise_info {
    const char *file, *title, *model;   /* title: "" if the file has none; model: NULL: expressions alone */
    const char *method;         /* "cobyla", "slsqp", ... */
    bool maximise;
    size_t unknowns, quantities, constraints, starts;
} carom_optimise_info;
CAROM_API carom_optimise_info carom_optimise_get_info(const carom_optimise *study);
/* False, with *out untouched, beyond the last. */
CAROM_API bool carom_optimise_get_unknown(const carom_optimise *study, size_t index, carom_fit_unknown *out);

/* Numbers of a design: the quantities, the objective, then the constraints. */
typedef struct carom_optimise_item {
    const char *name, *expression, *unit;       /* of a constraint name and expression are its text; unit: NULL: none */
} carom_optimise_item;
CAROM_API bool carom_optimise_get_item(const carom_optimise *study, size_t index, carom_optimise_item *out);

/* How a search from one start ended. */
typedef struct carom_optimise_end {
    double objective;           /* NAN: nothing could be evaluated */
    bool feasible;              /* all constraints hold */
    bool converged;
    size_t evaluations;
} carom_optimise_end;

typedef struct carom_optimise_result {
    bool feasible, converged;
    size_t evaluations;
    const char *derivatives;    /* by which unknowns they were exact, by which differences and why; NULL: none was
                                   asked for, or all were differences */
    const double *values;       /* of the unknowns */
    const double *numbers;      /* of the items; of a constraint how far it holds, negative: how much it is violated */
    const bool *active;         /* of each constraint: it holds just so */
    const carom_optimise_end *ends;     /* a row a start, the best first */
    size_t end_count;
    const char *const *sentences;
    size_t sentence_count;
    void *own;                  /* the memory of all this */
} carom_optimise_result;

/* Searches the best design of a checked study, the starts shared by workers. *out is to be freed by
   carom_optimise_result_free(), also after a failure. Errors: CAROM_ERROR_SOLVER (no design could be evaluated),
   CAROM_INTERRUPTED (*out has the best design so far; its values are NULL if there is none), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_optimise_solve(carom_context *ctx, carom_optimise *study, const carom_fit_options *options,
                                            carom_optimise_result *out);
CAROM_API void carom_optimise_result_free(carom_context *ctx, carom_optimise_result *result);

/* The text of the model with the best values. *out is freed with carom_text_free(); NULL: there is no model. Errors:
   CAROM_ERROR_MEMORY, CAROM_ERROR_MODEL. */
CAROM_API carom_status carom_optimise_model_text(carom_context *ctx, const carom_optimise *study,
                                                 const carom_optimise_result *result, char **out);

#ifdef __cplusplus
}
#endif
#endif

/* Studies: many runs of one model with other parameters, and what is asked of each. A study file says which parameters
   vary, how they are sampled and which quantities are kept (docs/sweeps.md). A study is constant once it is checked and
   may be shared between threads. */
#ifndef CAROM_STUDY_H
#define CAROM_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_study carom_study;

/* Most runs of a study, and most parameters that vary. */
#define CAROM_STUDY_RUNS 10000000
#define CAROM_STUDY_PARAMETERS 64

/* Reads a study file and the model that it names, from the folder of the study. The caller frees *out with
   carom_study_free(). Errors: CAROM_ERROR_IO (not readable), CAROM_ERROR_MODEL (with file:line:column),
   CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_study_read(carom_context *ctx, const char *path, carom_study **out);
/* The same from memory: `name` stands for the study in messages, `model_text` for what the model file holds; NULL: the
   model is read. */
CAROM_API carom_status carom_study_parse(carom_context *ctx, const char *name, const char *text, size_t length,
                                         const char *model_text, carom_study **out);
/* NULL is allowed. */
CAROM_API void carom_study_free(carom_study *study);

/* Texts live as long as the study. */
typedef struct carom_study_info {
    const char *file, *title, *text;    /* title: "" if the file has none */
    const char *model, *model_text;     /* path and text, with what it includes; NULL: quantities of parameters alone */
    const char *identity;       /* what makes the table: studies with the same one have the same runs, a line a fact */
    const char *const *options; /* words of `carom run` that all runs have: "--until", "0.2", "--set", "n=1.5"; NULL
                                   behind the last */
    const char *sampler;
    size_t runs, parameters, quantities;
} carom_study_info;
CAROM_API carom_study_info carom_study_get_info(const carom_study *study);

/* A parameter that varies. */
typedef struct carom_study_parameter {
    const char *name, *unit;    /* unit: that of the model; NULL: none is known */
    const char *const *words;   /* of `values`, if they are words; NULL: numbers */
    size_t values;              /* number of them; 0: a range */
    double low, high;           /* numbers; of a normal distribution two standard deviations below and above the mean */
    bool log;                   /* even in its logarithm */
} carom_study_parameter;
/* False, with *out untouched, beyond the last. */
CAROM_API bool carom_study_get_parameter(const carom_study *study, size_t index, carom_study_parameter *out);

/* A number that is kept of each run. */
typedef struct carom_study_quantity {
    const char *name, *expression, *unit;       /* unit: NULL before the check, or if none is known */
} carom_study_quantity;
CAROM_API bool carom_study_get_quantity(const carom_study *study, size_t index, carom_study_quantity *out);

/* The values of run 0, 1, ...: a number for each parameter, of words their index. Errors: CAROM_ERROR_USAGE (no such
   run). */
CAROM_API carom_status carom_study_point(carom_context *ctx, const carom_study *study, size_t run, double *out);
/* The value of a parameter as it is given to the model, "flores" or "0.3", in text[64]; returns text. */
CAROM_API const char *carom_study_value_text(const carom_study *study, size_t parameter, double value, char *text);

/* Reads and compiles the model with values from all over the study and finds what the quantities name, so that what is
   wrong with them is said before the first run. Values that the model refuses are passed over where it takes others.
   To be called once, before the study is shared. Errors: CAROM_ERROR_MODEL (with the place in the study, or in the
   model that takes none of the values), CAROM_ERROR_USAGE (a name of the study that the model has not),
   CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_study_check(carom_context *ctx, carom_study *study);

/* ---- runs ---- */

/* What became of a run. Texts and numbers are good until the runner's next run. */
typedef struct carom_study_outcome {
    const char *status;         /* "completed", "completed, inaccurate", "failed" (the solver gave up), "refused" (the
                                   model is wrong with these values), "out of time" */
    const char *message;        /* why, or which quantity there is none of; "" */
    double seconds;             /* elapsed */
    const double *quantities;   /* NAN: none */
} carom_study_outcome;

/* Makes the runs of one thread. */
typedef struct carom_study_runner carom_study_runner;
/* Both outlive the runner, which the caller frees; one thread uses a runner and its context. Errors:
   CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_study_runner_create(carom_context *ctx, const carom_study *study,
                                                 carom_study_runner **out);
CAROM_API void carom_study_runner_free(carom_study_runner *runner);
/* Makes run 0, 1, ... of the study. What fails is an outcome. `go_on` may be NULL; it is asked every few milliseconds,
   and false ends the run. Errors: CAROM_INTERRUPTED, CAROM_ERROR_USAGE (no such run), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_study_run(carom_study_runner *runner, size_t run, bool (*go_on)(void *user), void *user,
                                       carom_study_outcome *out);

/* ---- sensitivity ---- */

/* What a parameter does to a quantity, with 95 % intervals from a bootstrap of 1000 resamples. */
typedef struct carom_study_index {
    double first, first_low, first_high;        /* Sobol's first-order index; Morris: sigma, the standard deviation */
    double total, total_low, total_high;        /* Sobol's total index; Morris: mu*, the mean of |elementary effects| */
    double mean;                                /* Morris: mu, their mean; NAN else */
} carom_study_index;

/* Indices of all parameters on a quantity, from its values of all runs in order; runs that have none are left out with
   their sample or trajectory. *used is the number of these. NAN: not found, as the variance is 0; intervals also where
   it is in more than half of the resamples, as of two samples. Errors: CAROM_ERROR_USAGE (sampled otherwise than by
   saltelli or morris; fewer than two samples; a quantity that does not vary), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_study_indices(carom_context *ctx, const carom_study *study, const double *values,
                                           carom_study_index *out, size_t *used);

#ifdef __cplusplus
}
#endif
#endif

/* Parameters of models and laws from records of measurements, and optimal designs: what `carom fit` and
   `carom optimise` do (docs/fit.md). */
#ifndef CAROM_FIT_API_H
#define CAROM_FIT_API_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/base.h"
#include "carom/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most unknowns of a fit, those of single records among them. */
#define CAROM_FIT_UNKNOWNS 64

/* ---- the study ---- */

typedef struct carom_fit carom_fit;

typedef struct carom_fit_def {
    size_t size;
    /* Reads the file of a record; NULL: carom_table_read_csv(). The table is freed by carom_table_free(). */
    carom_status (*read_table)(carom_context *ctx, const char *path, carom_table *out);
} carom_fit_def;
CAROM_API carom_fit_def carom_default_fit_def(void);

/* Reads the study of a fit, its records, and the model that it names, from the folder of the study; `def` may be NULL.
   The caller frees *out with carom_fit_free(). Errors: CAROM_ERROR_IO (not readable), CAROM_ERROR_MODEL (with the place
   in study or record), CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_fit_read(carom_context *ctx, const char *path, const carom_fit_def *def, carom_fit **out);
/* NULL is allowed. */
CAROM_API void carom_fit_free(carom_fit *fit);
/* Compiles the model with the ends of all ranges and finds what the records are compared with. To be called once.
   Errors: as carom_study_check(). */
CAROM_API carom_status carom_fit_check(carom_context *ctx, carom_fit *fit);

/* Texts live as long as the fit. */
typedef struct carom_fit_info {
    const char *file, *title, *text;    /* title: "" if the file has none */
    const char *model;          /* path; NULL: of a law, or of expressions alone */
    const char *loss;           /* "linear", "huber", "soft-l1", "cauchy" */
    size_t unknowns, shared;    /* the shared ones come first, then those of single records */
    size_t records, responses, data, runs;      /* runs: of one prediction of all records */
    size_t laws;                /* that are compared; 0: none is named */
    double confidence;          /* of intervals, such as 0.95 */
} carom_fit_info;
CAROM_API carom_fit_info carom_fit_get_info(const carom_fit *fit);

typedef struct carom_fit_unknown {
    const char *name, *unit;    /* unit: NULL: none is known */
    const char *record;         /* of which alone it is; NULL: of all */
    double low, high, start;
    bool log;
} carom_fit_unknown;
/* False, with *out untouched, beyond the last; so the others. */
CAROM_API bool carom_fit_get_unknown(const carom_fit *fit, size_t index, carom_fit_unknown *out);
CAROM_API const char *carom_fit_get_law(const carom_fit *fit, size_t index);

/* A column of a record and what it is compared with. Numbers are SI. */
typedef struct carom_fit_response {
    const char *record, *column, *unit, *expression;        /* unit: that of the column; NULL: none */
    const char *si_unit;        /* of the numbers below; "1": none */
    const char *x_name, *x_unit;        /* of the abscissa: time, indentation, what the rows vary first, or the row */
    bool is_curve;              /* over time or indentation, not a run a row */
    size_t count;
    const double *x, *measured;
    bool sigma_given;           /* else it is estimated */
} carom_fit_response;
CAROM_API bool carom_fit_get_response(const carom_fit *fit, size_t index, carom_fit_response *out);

/* The files of the records, in their order; NULL beyond the last. */
CAROM_API const char *carom_fit_get_file(const carom_fit *fit, size_t record);
/* Lines that say what of the records is left out. */
CAROM_API const char *carom_fit_get_note(const carom_fit *fit, size_t index);

/* ---- the fit ---- */

/* A part of the work; `worker` tells whose memory it may use. */
typedef void (*carom_fit_task)(void *job, size_t worker, size_t k);

/* How it is done; fill with carom_default_fit_options() first. */
typedef struct carom_fit_options {
    size_t size;
    /* Calls task(job, worker, k) for k = 0 ... count-1, with workers below `workers` and none twice at a time. NULL: in
       this thread. */
    size_t workers;
    void (*perform)(void *user, size_t count, carom_fit_task task, void *job);
    bool (*go_on)(void *user);  /* asked now and then; false ends it. NULL: go on */
    void (*progress)(void *user, const char *what, size_t predictions, double misfit);  /* NULL: not wanted */
    void *user;
    bool brief;                 /* no profiles and no cross-validation */
} carom_fit_options;
CAROM_API carom_fit_options carom_default_fit_options(void);

/* What an unknown is. */
typedef struct carom_fit_estimate {
    double value, error;        /* standard error; NAN: not determined */
    double low, high;           /* interval by the standard error */
    double profile_low, profile_high;   /* by the profile of the likelihood; NAN: not asked for */
    bool open_low, open_high;   /* the bound of the study comes before the end of the profile */
    bool fixed;                 /* the law does not take it */
    bool at_low, at_high;       /* it lies at its bound */
    bool free;                  /* it is determined by the data: it has an error and correlations */
} carom_fit_estimate;

/* How well a column is met. Numbers are SI, in the order of the response. */
typedef struct carom_fit_residuals {
    double sigma;               /* given (of relative ones the root mean square) or estimated */
    double misfit, rms;         /* sum of squares of residuals over sigma; root of the mean square of the residuals */
    const double *predicted, *residuals;        /* residuals in sigma: (measured - predicted)/sigma */
} carom_fit_residuals;

/* A law among those that are compared, the best first. */
typedef struct carom_fit_law {
    const char *name, *left_out;        /* left_out: why it could not be fitted; NULL: it was */
    size_t unknowns;
    double misfit, rms;         /* rms of residuals over the sigma of the best law */
    double aicc, difference, weight;    /* difference to the best, Akaike's weight */
    double validation;          /* root mean square, in sigma, of what was left out in turn; NAN: not made */
    const double *values;       /* of all unknowns; NAN: the law has it not */
} carom_fit_law;

typedef struct carom_fit_result {
    const char *law;            /* the best one; NULL: none is named */
    bool converged;
    double misfit;              /* of the least squares, the losses of robust ones included */
    double freedom;             /* data less unknowns */
    size_t predictions;         /* that were made */
    const char *derivatives;    /* by which unknowns they were exact, by which differences and why; NULL: none was
                                   needed */
    const carom_fit_estimate *estimates;        /* a row an unknown */
    const double *correlations; /* unknowns x unknowns; NAN: of those that are not free */
    const carom_fit_residuals *residuals;       /* a row a response */
    const carom_fit_law *laws;
    size_t law_count;
    const double *so_far;       /* of a fit that was interrupted: the best values of all unknowns yet; NULL: none */
    const char *const *sentences;       /* what the numbers mean: what the data do not tell apart, bounds, misfit */
    size_t sentence_count;
    void *own;                  /* the memory of all this */
} carom_fit_result;

/* Fits a checked study. *out is to be freed by carom_fit_result_free(), also after a failure. Errors:
   CAROM_ERROR_SOLVER (no prediction could be made, with the reason of the first), CAROM_INTERRUPTED,
   CAROM_ERROR_MEMORY. */
CAROM_API carom_status carom_fit_solve(carom_context *ctx, carom_fit *fit, const carom_fit_options *options,
                                       carom_fit_result *out);
CAROM_API void carom_fit_result_free(carom_context *ctx, carom_fit_result *result);

/* The text of a model that runs with the estimates: the model of the study with other parameters, or the free impact
   of its law. *out is freed with carom_text_free(); NULL: expressions alone have no model. Errors: CAROM_ERROR_MEMORY,
   CAROM_ERROR_MODEL. */
CAROM_API carom_status carom_fit_model_text(carom_context *ctx, const carom_fit *fit, const carom_fit_result *result,
                                            char **out);

#ifdef __cplusplus
}
#endif
#endif

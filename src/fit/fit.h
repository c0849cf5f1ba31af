/* Inside of fits: unknowns, records and what they are compared with, predictions, least squares. */
#ifndef CAROM_FIT_INTERNAL_H
#define CAROM_FIT_INTERNAL_H

#include "base/base.h"
#include "carom/fit.h"
#include "carom/law.h"
#include "expr/expr.h"
#include "study/runner.h"
#include "study/study.h"
#include "tree/tree.h"

#define CAROM_FIT_NONE SIZE_MAX
#define CAROM_FIT_RECORDS 1000
#define CAROM_FIT_LAWS 256
#define CAROM_FIT_EACH 32

/* ---- what a study says ---- */

typedef enum carom_unknown_kind {
    CAROM_UNKNOWN_VALUE,        /* of a parameter */
    CAROM_UNKNOWN_OFFSET,       /* that is added to a prediction */
    CAROM_UNKNOWN_SHIFT         /* the time of the record at which that of the prediction is 0 */
} carom_unknown_kind;

typedef struct carom_unknown {
    carom_unknown_kind kind;
    const char *name, *unit;
    const carom_node *node;     /* of the file */
    carom_place place;
    size_t record;              /* of which alone it is; CAROM_FIT_NONE: shared */
    double low, high, start;    /* SI */
    bool log;
} carom_unknown;

/* A parameter whose value each row of a record gives. */
typedef struct carom_each {
    const char *name;
    carom_place place;
    const char *unit;           /* NULL: the column has none */
    carom_dimension dimension;
    double *values;             /* SI, a number a row */
} carom_each;

typedef enum carom_record_kind {
    CAROM_RECORD_ROWS,          /* a run a row, numbers of each */
    CAROM_RECORD_TIME,          /* one run, curves over the time, or over the indentation of its contact `along` */
    CAROM_RECORD_LOOP           /* one law, forces over indentations */
} carom_record_kind;

/* A column of a record and what it is compared with. */
typedef struct carom_response {
    size_t record;
    const char *column, *text, *unit;   /* unit: of the column; NULL: none */
    const char *si_unit;
    carom_place place;          /* of the expression */
    carom_dimension dimension;  /* of the column */
    double factor;
    size_t count, first;        /* data, the first of them among all */
    double *x, *measured, *sigma;       /* SI; sigma: 1 where it is estimated */
    size_t *rows;
    bool sigma_given;
    size_t offset;              /* unknown; CAROM_FIT_NONE */
    carom_expr *expr;           /* of a law */
} carom_response;

/* Place of a row among the data of a response; its count: the row has none. The rows ascend. */
static inline size_t carom_response_find(const carom_response *q, size_t row)
{
    size_t low = 0, high = q->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (q->rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < q->count && q->rows[low] == row ? low : q->count;
}

/* Where the value of a side of the record's study comes from. */
typedef struct carom_fit_source {
    enum { CAROM_FROM_UNKNOWN, CAROM_FROM_EACH, CAROM_FROM_LAW } from;
    size_t index;
} carom_fit_source;

typedef struct carom_record {
    const char *name, *file;
    const carom_node *node;
    carom_record_kind kind;
    carom_table table;
    size_t rows, runs, first_run;
    double *x, *rate;           /* of curves: time or indentation, and its rate; NULL */
    const carom_node *along;    /* name of the contact of a model over whose indentation the curves are; NULL */
    const char *x_name, *x_unit;        /* SI */
    carom_each each[CAROM_FIT_EACH];
    size_t each_count;
    size_t shift;               /* unknown; CAROM_FIT_NONE */
    size_t response, response_count;
    double from, to;            /* window of x */
    carom_study *study;         /* NULL: of a law */
    carom_fit_source *sources;  /* a side of the study */
} carom_record;

typedef enum carom_loss { CAROM_LOSS_LINEAR, CAROM_LOSS_HUBER, CAROM_LOSS_SOFT_L1, CAROM_LOSS_CAUCHY } carom_loss;

struct carom_fit {
    carom_arena arena;
    carom_tree_maker maker;
    carom_status (*read_table)(carom_context *ctx, const char *path, carom_table *out);
    const char *file, *title, *text;
    const carom_node *root;
    const carom_node *model, *set, *run, *records_node; /* keys; NULL: there is none */
    const char *model_path, *model_text;
    bool of_law;                /* a law alone makes the predictions */
    bool names_law;             /* `law` or `laws` is given */
    const char *laws[CAROM_FIT_LAWS];
    const char *left_out[CAROM_FIT_LAWS];       /* why; NULL: it is fitted */
    size_t law_count;
    carom_place law_place;
    carom_unknown unknowns[CAROM_FIT_UNKNOWNS];
    size_t unknown_count, shared_count;
    bool taken[CAROM_FIT_LAWS][CAROM_FIT_UNKNOWNS];     /* by each law */
    carom_record *records;
    size_t record_count;
    carom_response *responses;
    size_t response_count, response_capacity;
    size_t data, runs;
    size_t *datum_run, *datum_response;
    carom_loss loss;
    double loss_scale, confidence, difference;  /* difference: step of differences, relative */
    size_t starts;
    bool profile;
    const char **notes;
    size_t note_count;
    bool has_curves;
};

/* ---- keys.c ---- */

/* Reads all but the records. */
carom_status carom_fit_read_keys(carom_fit *f);
/* An unknown of `parameters`, `unknown` or `shift`. */
carom_status carom_fit_read_unknown(carom_fit *f, const carom_node *node, size_t record, carom_unknown *out);
carom_status carom_fit_add_unknown(carom_fit *f, const carom_unknown *unknown);
/* The unknowns of `parameters`. */
carom_status carom_fit_read_parameters(carom_fit *f, const carom_node *node);
/* Finds the entries of a mapping by the names of its keys; `owner` as "record". */
carom_status carom_fit_find_keys(carom_context *ctx, const carom_node *node, const char *owner,
                                 const char *const *keys, size_t count, const carom_node *found[]);
carom_status carom_fit_number(carom_fit *f, const carom_node *node, double *out, carom_dimension *dimension);
carom_status carom_fit_note(carom_fit *f, const char *format, ...) CAROM_PRINTF(2, 3);

/* ---- units.c ---- */

/* Takes "F [N]" apart: name and unit, NULL where there is none. */
carom_status carom_fit_split_unit(carom_arena *arena, const char *text, const char **name, const char **unit);
/* Whether a column of `each` has the dimension of a unit; one of "1" needs none of its own. */
carom_status carom_fit_check_each(const carom_fit *f, const carom_each *e, const char *unit);

/* ---- records.c ---- */

carom_status carom_fit_read_records(carom_fit *f, const carom_node *node);

/* ---- sigma.c ---- */

/* The standard deviations of a record's data; `node` may be NULL. */
carom_status carom_fit_read_sigma(carom_fit *f, const carom_record *record, const carom_node *node);
/* Values of a column of the record in SI; its heading may have the unit, "F [N]". */
carom_status carom_fit_take_column(carom_fit *f, const carom_record *r, const carom_place *place, const char *text,
                                   const carom_table_column **column, const char **unit, double *factor,
                                   carom_dimension *dimension);

/* ---- parts.c ---- */

/* Adds the range of an unknown to the `parameters` of a study. */
void carom_fit_add_range(carom_fit *f, carom_node *to, const carom_unknown *u);

/* Makes the studies of the records, and their unknowns' sources. */
carom_status carom_fit_make_studies(carom_fit *f);
/* Whether columns and expressions have the same dimension, after the check. */
carom_status carom_fit_check_units(carom_fit *f);

/* ---- law_names.c ---- */

/* What expressions of a law read first: of curves force, indentation and rate, of rows the numbers of the impact. */
enum { CAROM_LAW_FORCE, CAROM_LAW_INDENTATION, CAROM_LAW_RATE, CAROM_LAW_CURVES };
enum {
    CAROM_LAW_E_GOT,
    CAROM_LAW_V_IN,
    CAROM_LAW_V_OUT,
    CAROM_LAW_PEAK_FORCE,
    CAROM_LAW_PEAK_INDENTATION,
    CAROM_LAW_MAX_INDENTATION,
    CAROM_LAW_DURATION,
    CAROM_LAW_ENERGY_LOST,
    CAROM_LAW_NUMBERS
};
/* Room for what an expression reads: outputs, unknowns, columns of `each`. */
#define CAROM_LAW_READS (CAROM_LAW_NUMBERS + CAROM_FIT_UNKNOWNS + CAROM_FIT_EACH)
carom_status carom_fit_compile_law_items(carom_fit *f);
/* Fills the numbers behind the outputs: unknowns, then the columns of `each` of a run. */
void carom_fit_law_reads(const carom_fit *f, size_t record, size_t run, const double *values, double *out);
/* Unit of a parameter of laws, of mass or speed; NULL: none is known. */
const char *carom_fit_law_unit(const carom_context *ctx, const char *name);

/* ---- law_run.c ---- */

/* Predictions of a record's run by a law: those of its data go to out[data]. A failure leaves a text in why[256]. */
carom_status carom_fit_run_law(carom_context *ctx, const carom_fit *f, size_t law, size_t record, size_t run,
                       const double *values, double *out, char *why);
/* Whether a law takes an unknown, or a value of `set`: law parameters, mass and speed. */
bool carom_fit_law_takes(const carom_context *ctx, const carom_fit *f, size_t law, const char *name);
/* Compiles a law with given values of the unknowns; the context has the reason of a failure. */
carom_status carom_fit_try_law(carom_context *ctx, const carom_fit *f, size_t law, const double *values);

/* Duration of the free impact of a mass at a speed with the values of the first record [s]. */
double carom_fit_impact_time(carom_context *ctx, const carom_fit *f, size_t law, const double *values, double mass,
                             double speed);

/* ---- replace.c ---- */

/* Appends the text of a model with other values of its parameters: those that value() gives, NULL: as they are.
   Errors: CAROM_ERROR_MODEL (a value that stands on several lines), CAROM_ERROR_MEMORY. */
carom_status carom_fit_replace_values(carom_context *ctx, const carom_study *s,
                                      const char *(*value)(const void *user, const char *name, char text[40]),
                                      const void *user, carom_text *out);

/* ---- predict.c ---- */

typedef struct carom_fit_worker {
    carom_context *ctx;
    bool own;
    carom_study_runner **runners;       /* of the records, made when they are needed */
    double *point, *curve, *times;
    size_t failed;              /* task; CAROM_FIT_NONE */
    char why[512];
    carom_status status;        /* other than CAROM_OK: out of memory */
} carom_fit_worker;

/* How the derivatives by the unknowns are found. */
typedef struct carom_fit_derivatives {
    bool known;                 /* `exact` and `why` are those of law `law` */
    size_t law;
    bool exact[CAROM_FIT_UNKNOWNS];     /* by the derivatives of runs */
    char why[CAROM_FIT_UNKNOWNS][256];  /* why not, at first or at last; "": they are */
    size_t points;              /* at which runs with derivatives were made */
    size_t saved;               /* predictions of differences that were not */
} carom_fit_derivatives;

/* A fit under way. */
typedef struct carom_fit_work {
    carom_context *ctx;
    const carom_fit *fit;
    const carom_fit_options *options;
    carom_arena arena;
    carom_fit_worker *workers;
    size_t worker_count;
    size_t law;
    bool *use;                  /* runs that count */
    double *sigma;              /* of the data */
    size_t predictions;
    carom_fit_derivatives derivatives;
    double misfit;              /* the last one, for the progress */
    const char *doing;
    char why[512];              /* of the last prediction that failed */
    double *so_far, so_far_misfit;      /* the best values yet, with the present law and sigmas */
} carom_fit_work;

carom_status carom_fit_work_create(carom_context *ctx, const carom_fit *f, const carom_fit_options *options,
                                   carom_fit_work *out);
void carom_fit_work_free(carom_fit_work *w);

/* Points at which all is predicted. */
typedef struct carom_fit_points {
    size_t count;
    const double *values;       /* unknowns of each */
    const size_t *record;       /* of each the only one that differs from `base`; NULL or CAROM_FIT_NONE: all */
    const double *base;         /* predictions */
    double *out;                /* data of each */
    bool *good;
} carom_fit_points;
/* Errors: CAROM_ERROR_MEMORY, CAROM_INTERRUPTED. */
carom_status carom_fit_predict(carom_fit_work *w, const carom_fit_points *points);

/* The study's runner of a record of a worker; NULL: out of memory, which worker->status says. */
carom_study_runner *carom_fit_runner(const carom_fit *f, carom_fit_worker *worker, size_t record);
/* The values of the parameters of the record's study in a run; `values` of the unknowns. */
void carom_fit_point(const carom_fit_work *w, const carom_record *r, size_t run, const double *values, double *point);
/* Where the curves of a record are read, with the room of a worker. */
carom_study_probe carom_fit_probe(const carom_record *r, carom_fit_worker *worker, const double *values);
bool carom_fit_goes_on(void *user);
/* CAROM_OK, or what a worker met. */
carom_status carom_fit_gathered(carom_fit_work *w);

/* ---- derivatives.c ---- */

/* Exact derivatives of the predictions by the unknowns that `free` lists, as carom_fit_sensitivity() gives them;
   found[] tells of which. */
carom_status carom_fit_exact(carom_fit_work *w, const double *values, const size_t *free, size_t free_count,
                             double *out, bool *found);
/* "exact of 3 parameters, differences of 1: n, ..." */
carom_status carom_fit_tell_derivatives(const carom_fit *f, const carom_fit_derivatives *d, carom_arena *arena,
                                        const char **out);

/* ---- sensitivity.c ---- */

/* Derivatives of the predictions at a point, by the scaled unknowns (0 and 1 are their bounds) that `free` lists: data
   of each. What cannot be predicted on either side has none, 0. */
carom_status carom_fit_sensitivity(carom_fit_work *w, const double *values, const double *predicted, const size_t *free,
                                   size_t free_count, double *out);

/* ---- unknown.c ---- */

/* Between the scale from 0 to 1 and values. */
double carom_unknown_value(const carom_unknown *u, double scaled);
double carom_unknown_scaled(const carom_unknown *u, double value);
/* Derivative of ln(value), or of the value, by the scaled one. */
double carom_unknown_stretch(const carom_unknown *u);
/* Derivative of the value of an unknown by its scaled one. */
double carom_unknown_slope(const carom_unknown *u, double value);

/* ---- minpack.c ---- */

/* Least squares of `m` residuals over `n` numbers by Levenberg and Marquardt. */
typedef struct carom_least_squares {
    size_t m, n;
    /* False: they cannot be computed, and the step is rejected. */
    bool (*residuals)(void *user, const double *x, double *r);
    /* m numbers a column; false ends it. */
    bool (*jacobian)(void *user, const double *x, double *jacobian);
    void *user;
    double tolerance, first_step;
    size_t most;                /* calls of residuals */
} carom_least_squares;
/* Changes x to the best one; *converged: to the tolerance. Errors: CAROM_ERROR_SOLVER (the residuals of the start
   cannot be computed), CAROM_ERROR_MEMORY. */
carom_status carom_least_squares_solve(carom_context *ctx, const carom_least_squares *p, double *x, bool *converged);

/* ---- minimise.c ---- */

/* A minimum of the misfit. */
typedef struct carom_fit_minimum {
    double *values;             /* of all unknowns */
    double *predicted;          /* data */
    double misfit;
    bool converged;
    size_t searches, same;      /* from how many starts one ended, and of these at this misfit; 0: not searched for */
} carom_fit_minimum;
carom_status carom_fit_minimum_create(carom_fit_work *w, carom_fit_minimum *out);
void carom_fit_minimum_copy(const carom_fit_work *w, carom_fit_minimum *to, const carom_fit_minimum *from);
/* From the values of `at`, over the unknowns that `free` marks. Errors: CAROM_ERROR_SOLVER (nothing can be predicted
   at the start), CAROM_ERROR_MEMORY, CAROM_INTERRUPTED. */
carom_status carom_fit_minimise(carom_fit_work *w, const bool *free, carom_fit_minimum *at);
/* Sum of squares, after the loss, of the data that count. */
double carom_fit_misfit(const carom_fit_work *w, const double *predicted);
/* A residual over sigma after the loss, whose square counts; *slope its derivative. */
double carom_fit_lossy(const carom_fit *f, double r, double *slope);
/* Half the derivative of the square of that, and its derivative: what a residual pulls with (Huber's psi). */
double carom_fit_pull(const carom_fit *f, double r, double *slope);

/* ---- estimate.c ---- */

/* Goes on from a minimum to lower ones beside it along the shifts of records. Errors: as carom_fit_minimise(). */
carom_status carom_fit_move_shifts(carom_fit_work *w, const bool *free, carom_fit_minimum *at);
/* The best minimum from all starts, with the sigmas that are not given. Errors: as carom_fit_minimise(). */
carom_status carom_fit_estimate_all(carom_fit_work *w, carom_fit_minimum *out);
/* Which unknowns the present law has. */
void carom_fit_free_unknowns(const carom_fit_work *w, bool *free);
/* Data that count, and -2 ln of the likelihood of a minimum without its constant. */
size_t carom_fit_count(const carom_fit_work *w);
double carom_fit_deviance(const carom_fit_work *w, const carom_fit_minimum *at, size_t *sigmas);
size_t carom_fit_estimated_sigmas(const carom_fit *f);

/* ---- statistics.c ---- */

/* Covariance and what follows: fills the estimates, correlations, sentences. */
typedef struct carom_fit_statistics {
    carom_fit_estimate *estimates;
    double *correlations;
    double freedom, quantile;
    double rise;                /* of the misfit at the ends of an interval */
    carom_text sentences;       /* each ended by a line end */
} carom_fit_statistics;
carom_status carom_fit_make_statistics(carom_fit_work *w, const carom_fit_minimum *at, carom_fit_statistics *out);
/* Sentences of unknowns at their bounds, behind the profiles. */
void carom_fit_tell_bounds(const carom_fit *fit, carom_fit_statistics *out);

/* ---- profile.c ---- */

/* Fills the profile intervals; a better minimum than `at` is taken over. *better tells of it. */
carom_status carom_fit_make_profiles(carom_fit_work *w, carom_fit_minimum *at, carom_fit_statistics *out, bool *better);

/* ---- ranking.c ---- */

/* Fits all laws; the minimum of the best one stays, with its sigmas in w. */
carom_status carom_fit_rank(carom_fit_work *w, carom_arena *arena, carom_fit_law **laws, size_t *count,
                            carom_fit_minimum *best, carom_text *sentences);

/* ---- validation.c ---- */

/* Root mean square, in sigma, of what was left out in turn, from the values of a minimum on; NAN: there is nothing to
   leave out, or a part could not be predicted. */
carom_status carom_fit_validate(carom_fit_work *w, const double *values, double *out);

#endif

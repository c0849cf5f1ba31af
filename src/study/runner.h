/* One thread's runs of a study: what a run leaves for the quantities to read. */
#ifndef CAROM_STUDY_RUNNER_H
#define CAROM_STUDY_RUNNER_H

#include "carom/sensitivity.h"
#include "math/rows.h"
#include "study/study.h"

/* Rows of the channels that the quantities read, in the order of the time. */
typedef struct carom_series {
    size_t count, capacity, width;
    double *time, *values;      /* `width` numbers a row */
    size_t value_capacity;
    double *scale;              /* range of each channel */
} carom_series;

/* Times at which the items of_time are read, and where their values go: those of an item one after the other. */
typedef struct carom_study_probe {
    size_t count;
    double *times;
    double *values;
    const double *depths;       /* values of item `depth`: the times are those at which it has them about its greatest
                                   value, before it up to the greatest of these and after it behind that, and are found;
                                   of what it does not come to that of its greatest value. NULL: the times are given */
    size_t depth;
} carom_study_probe;

/* Derivatives of what a run leaves, by some of its parameters. A number that has none is NAN. */
typedef struct carom_study_slopes {
    size_t count;
    const size_t *sides;        /* the parameters */
    double *quantities;         /* of each the items one after the other */
    double *curves;             /* of each what the probe has for values; NULL: there is no probe */
    double *later;              /* of these values by the times of the probe; NULL: not wanted */
} carom_study_slopes;

/* What the quantities read in place of the run: the same beside it. */
typedef struct carom_study_beside {
    bool on;
    size_t slope;               /* index of the parameter among those of the slopes */
    double offset;              /* of it */
} carom_study_beside;

struct carom_study_runner {
    carom_context *ctx;
    const carom_study *study;
    carom_simulation *sim;      /* of the present run, NULL: none */
    carom_analysis *analysis;
    const carom_spec *spec;
    carom_series series, steps; /* in the end all rows are in the first one */
    double *row;                /* the last row of a step, which is not among `steps` yet: a number a channel */
    double row_time;            /* [s] */
    bool has_row, row_jumped;   /* there is one; what it was before an event is among `steps` */
    carom_channel_ref *refs;    /* of the channels */
    size_t *places, row_width;  /* of them in a row of the output interval */
    double *quantities, *point;
    const carom_study_probe *probe;     /* of the present run; NULL: none */
    double *cache;              /* results of methods in this run; */
    bool *cached;
    double *times;              /* at which they took it from the course [s]; NAN: from all of it, or not at all */
    double *ran;                /* the point of `times` */
    bool has_run;               /* there is one */
    const carom_impact *impacts;
    const carom_rest *rests;
    size_t impact_count, rest_count;
    carom_ledger ledger;
    size_t depth;
    carom_study_slopes *slopes; /* of the present run; NULL: not wanted */
    carom_sensitivity *sensitivity;     /* whose simulation is that of the run; NULL */
    carom_series slope_rows, slope_steps;       /* of each parameter derivatives of the channels */
    double *slope_final;        /* the same where the run ends, whose time moves by `ends` of each parameter */
    double ends[CAROM_STUDY_PARAMETERS];
    bool slopes_of_course;      /* means and integrals over the time are read */
    double *parameter_slopes;   /* of each parameter, of the numbers of the model */
    size_t parameter_slope_count;
    carom_study_beside beside;
    char missing[256];          /* why a quantity has no value; "": it has one */
    char message[512];
    bool (*go_on)(void *user);
    void *user;
    double begin;               /* [s] of the clock */
    bool late;                  /* it took longer than the study allows */
};

/* ---- run.c ---- */

/* A run with any values of the parameters, a number for each, of words their index; as carom_study_run(). */
carom_status carom_study_run_at(carom_study_runner *r, const double *point, const carom_study_probe *probe,
                                bool (*go_on)(void *user), void *user, carom_study_outcome *out);

/* The same with derivatives. Those of a run that did not complete are all NAN. */
carom_status carom_study_run_slopes(carom_study_runner *r, const double *point, const carom_study_probe *probe,
                                    carom_study_slopes *slopes, bool (*go_on)(void *user), void *user,
                                    carom_study_outcome *out);
/* Whether there are derivatives of the run at a point by parameter `side`: "" in why[256], or why there are none.
   Errors: CAROM_ERROR_MEMORY. */
carom_status carom_study_slopes_check(carom_study_runner *r, const double *point, size_t side, char *why);

/* ---- slopes.c ---- */

/* Why no derivatives of the quantities are found, whatever the run; NULL: they are. */
const char *carom_study_without_slopes(const carom_study *s);
/* Whether derivatives are read at the times that the quantities of a run without them tell. */
bool carom_study_slopes_at_times(const carom_study *s);
/* Makes the simulation of the run with derivatives. */
carom_status carom_study_slopes_begin(carom_study_runner *r, const carom_document *document,
                                      const carom_simulation_def *motion);
/* Records what the quantities need of derivatives, before the run. */
carom_status carom_study_slopes_record(carom_study_runner *r);
/* The row at the end of the run. */
carom_status carom_study_slopes_end(carom_study_runner *r);
/* The row of derivatives at the end of a step. */
carom_status carom_study_slopes_step(carom_study_runner *r);
/* Fills r->slopes, after the quantities were found. */
carom_status carom_study_slopes_find(carom_study_runner *r, const carom_document *document);
void carom_study_slopes_clear(carom_study_runner *r);
/* ---- series.c ---- */

void carom_series_free(carom_context *ctx, carom_series *series);
/* A row at the end; values of `width` numbers. */
carom_status carom_series_add(carom_context *ctx, carom_series *series, double time, const double *values);
/* Takes the rows of steps between its own; its own that lie beside one go. */
carom_status carom_series_merge(carom_context *ctx, carom_series *series, const carom_series *other);
/* Of channel `column` at a time within the rows, or that of the nearest one. Two rows that lie next to each other in
   rounding of the time are both sides of an event: a channel that jumps there is read from rows of one side. */
double carom_series_at(const carom_series *series, size_t column, double t);
/* Narrows a span about a time so that no channel jumps in it. */
void carom_series_clear_span(const carom_series *series, double t, double *low, double *high);

/* ---- reduce.c ---- */

/* Value of an expression at a time, or of a row of its list. */
double carom_program_value(carom_study_runner *r, const carom_program *p, double t, const void *row);
/* Fills r->quantities, and the values of the probe. */
void carom_study_find_quantities(carom_study_runner *r);

#endif

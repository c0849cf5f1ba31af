/* One thread's runs of a study: what a run leaves for the quantities to read. */
#ifndef CAROM_STUDY_RUNNER_H
#define CAROM_STUDY_RUNNER_H

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
    const double *times;
    double *values;
} carom_study_probe;

struct carom_study_runner {
    carom_context *ctx;
    const carom_study *study;
    carom_simulation *sim;      /* of the present run, NULL: none */
    carom_analysis *analysis;
    const carom_spec *spec;
    carom_series series, steps; /* in the end all rows are in the first one */
    carom_channel_ref *refs;    /* of the channels */
    size_t *places, row_width;  /* of them in a row of the output interval */
    double *quantities, *point;
    const carom_study_probe *probe;     /* of the present run; NULL: none */
    double *cache;              /* results of methods in this run; */
    bool *cached;
    const carom_impact *impacts;
    const carom_rest *rests;
    size_t impact_count, rest_count;
    carom_ledger ledger;
    size_t depth;
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

/* ---- series.c ---- */

void carom_series_free(carom_context *ctx, carom_series *series);
/* A row at the end; values of `width` numbers. */
carom_status carom_series_add(carom_context *ctx, carom_series *series, double time, const double *values);
/* Takes the rows of steps between its own; its own that lie beside one go. */
carom_status carom_series_merge(carom_context *ctx, carom_series *series, const carom_series *other);
/* Of channel `column` at a time within the rows. */
double carom_series_at(const carom_series *series, size_t column, double t);

/* ---- reduce.c ---- */

/* Value of an expression at a time, or of a row of its list. */
double carom_program_value(carom_study_runner *r, const carom_program *p, double t, const void *row);

#endif

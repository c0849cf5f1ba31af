/* Derivatives of a motion: `carom run --derivatives`. */
#ifndef CAROM_CLI_DERIVATIVES_H
#define CAROM_CLI_DERIVATIVES_H

#include "support/cli.h"
#include "support/options.h"

/* What a job has of them. */
typedef struct run_derivatives {
    carom_sensitivity *of;      /* NULL: none are asked for */
    carom_channel_ref *channels;        /* of which they are recorded */
    const char **names;
    size_t count, numbers;      /* channels; their numbers for all parameters */
    carom_channel *listed;      /* channels of the results: those of the motion, then these */
    char **texts;               /* their names and units */
    size_t listed_count, text_count;
    size_t width;               /* numbers of a row of the motion */
    double *rows;               /* recorded, and not yet handed on: a time and the numbers */
    size_t row_count, capacity, taken;
    double *merged;             /* rows of both */
    size_t merged_capacity;
    char *table;                /* path of the file of impacts, once it is written */
} run_derivatives;

struct run_job;

/* Creates the simulation of a job with derivatives; as carom_simulation_create() else. */
int run_derivatives_create(struct run_job *job, const carom_simulation_def *def);
/* Chooses the channels and what the results are told of them. */
int run_derivatives_prepare(struct run_job *job);
/* Hands rows of the motion on with their derivatives. */
carom_status run_derivatives_rows(struct run_job *job, size_t rows, const double *time, const double *data);
/* Writes the table of impacts beside the results. */
int run_derivatives_write(struct run_job *job);
void run_derivatives_print(const struct run_job *job);
void run_derivatives_print_json(const struct run_job *job, carom_json *json);
void run_derivatives_free(run_derivatives *d);

#endif

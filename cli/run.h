/* One analysis of `carom run`: what the run makes and the printers read. */
#ifndef CAROM_CLI_RUN_H
#define CAROM_CLI_RUN_H

#include "cli.h"
#include "json.h"
#include "options.h"
#include "progress.h"

typedef struct run_options {
    const char *model, *output, *integrator, *formulation, *resume;
    double tolerance, checkpoint; /* 0; NAN: not given */
    text_list set;
    number_list at;
    bool json, no_results, quiet, all;
} run_options;

/* A time at which the run stops by for a sample, a checkpoint or both. */
typedef struct run_stop {
    double time;
    bool sample, checkpoint;
    carom_body_state *bodies; /* NULL until the sample is taken */
} run_stop;

/* One analysis; lives from the check of the model to the end of the program. */
typedef struct run_job {
    session *session;
    const run_options *options;
    const carom_model *model;
    carom_model_info info;
    const carom_run_def *def;
    carom_simulation *sim;
    carom_sink sink; /* given to the simulation; hands on to the writer's */
    const carom_sink *target;
    run_stop *stops;
    size_t stop_count;
    char *results, *checkpoint; /* paths, NULL: none */
    progress_bar bar;
    double wall_seconds;
    size_t mobility;
    const char *status; /* "completed", "interrupted", "failed" */
    carom_status outcome;
    int stop_status; /* exit status of a sample or checkpoint that failed */
} run_job;

/* Prints the header line before the run. */
void run_print_header(const run_job *job);
/* Prints summary, impacts, open contacts, ledger, constraints, warnings and paths. */
void run_print_text(const run_job *job);
/* Writes the object of one analysis. */
void run_print_json(const run_job *job, json_writer *json);

#endif

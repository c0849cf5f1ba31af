/* One analysis of a model: what the run makes and the printers read; shared by `carom run` and `carom compare`. */
#ifndef CAROM_CLI_RUN_H
#define CAROM_CLI_RUN_H

#include "run/run_derivatives.h"
#include "run/run_unfinished.h"
#include "support/cli.h"
#include "support/json.h"
#include "support/options.h"
#include "support/output.h"
#include "support/points.h"
#include "support/progress.h"
#include "support/signals.h"

typedef struct run_options {
    const char *command; /* in messages */
    const char *model, *output, *integrator, *formulation, *resume, *matrices, *max_size;
    const char *until, *step_text, *every_text; /* as the user gave them; NULL: the file's */
    const char *checkpoint_every;               /* the same; NULL: never, */
    double checkpoint_seconds;                  /* and its value [s of the clock] */
    double end, step, every;      /* their values [s]; 0: the file's */
    double tolerance, checkpoint; /* 0; NAN: not given */
    double threads;               /* 0: not given */
    measured measured; /* data that the page shows */
    text_list set, live, inputs, tables, derivatives, derivatives_of;
    number_list at;
    bool json, no_results, no_report, quiet, all, final, strict, open;
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
    const carom_document *document;
    const carom_spec *spec;
    const carom_model *model;
    carom_model_info info;
    size_t index;     /* of the analysis */
    struct run_job *before; /* the one before it in the list, NULL: none */
    carom_state *end; /* of a motion, where the next one asks for it */
    const char *name; /* of the files, without ending; NULL: the model's */
    const carom_run_def *def;
    carom_simulation *sim;    /* of a motion; NULL: of another analysis */
    run_derivatives derivatives;
    carom_analysis *analysis; /* that one, once it is computed */
    carom_spline_def *records; /* of inputs, one for each --input */
    size_t record_count;
    carom_sink sink; /* given to the simulation; hands on to the writer's */
    const carom_sink *target;
    run_stop *stops;
    size_t stop_count;
    char *results, *checkpoint, *report; /* paths, NULL: none; the report once it is written */
    run_unfinished unfinished;
    progress_bar bar;
    size_t told; /* warnings that a waiting user has been told of, or need not be */
    live_view live; /* without channels: nothing is shown */
    double wall_seconds;
    carom_check check; /* of the start */
    carom_output_estimate rows;
    char full[256]; /* that the results have come to their largest size, "": no */
    const char *status; /* "completed", "completed, inaccurate", "interrupted", "failed" */
    carom_status outcome;
    carom_accuracy accuracy; /* of a motion that has ended */
    int stop_status; /* exit status of a sample or checkpoint that failed */
} run_job;

/* Says what is wrong on the command line, which is the user's fault, not the model's. */
int run_check_options(const session *s, run_options *o);
/* Reads the records of --input. */
int run_job_read_records(run_job *job);
/* Reads what --input names once; says what is wrong with it. */
int run_check_inputs(session *s, const run_options *o);

/* Says which --table no analysis that was computed has. */
int run_analysis_check_tables(const run_job *jobs, size_t count);

/* The job of one analysis of a document that was compiled, which both outlive it; nothing is made yet. */
run_job run_job_of(session *s, const run_options *o, const carom_document *document, const carom_model *model,
                   size_t index);
/* The run of a job, with the formulation and the end of the command line. */
carom_run_def run_job_def(const run_job *job);
/* Writes rows that a function records instead of a motion into the results of a job that is prepared. */
int run_job_draw(run_job *job, carom_status (*draw)(void *user, carom_simulation *sim), void *user);
/* Draws the modes of an analysis that has them: a file of results each, and a page of all; `report` is the page. */
int run_modes_draw(run_job *job);
/* Creates the simulation of an analysis and all that can fail before anything is written. */
int run_job_prepare(run_job *job);
/* The state in which the job before it ended, where the run begins there; NULL: it does not, or that failed, which was
   told. */
const carom_state *run_job_start(run_job *job);
/* Reads a checkpoint; says what is wrong. */
int run_read_file(const char *path, unsigned char **bytes, size_t *size);
/* Runs a prepared analysis to its end and closes its results; says what failed, not the outcome. Several jobs, each
   with a session and a model of its own, may run in threads. */
int run_job_execute(run_job *job);
/* Writes the report of an executed job beside its results, if it has any; that it cannot be written is a warning. */
int run_job_report(run_job *job);
void run_job_free(run_job *job);

/* Makes a folder and those above it; *made tells whether the last one is new. */
int make_folder(const char *path, bool *made);

/* Status of a run that reached its end with numbers that its model has not. */
#define STATUS_INACCURATE "completed, inaccurate"

/* The same for an analysis that is no motion: options that ask for one, computing, printing. */
int run_check_motion(const run_job *jobs, size_t count);
int run_analysis_execute(run_job *job);
void run_analysis_print_text(const run_job *job);
void run_analysis_print_json(const run_job *job, carom_json *json);

/* Prints the header line before the run. */
void run_print_header(const run_job *job);
/* Prints summary, impacts, open contacts, with `final` the bodies, ledger, constraints, warnings and paths. */
void run_print_text(const run_job *job);
/* The methods that the integrator has used, in one line for the caller to free; NULL: out of memory. */
char *run_methods_line(const run_job *job);
/* Writes the object of one analysis; key as for carom_json_begin(). */
void run_print_json(const run_job *job, carom_json *json, const char *key);

#endif

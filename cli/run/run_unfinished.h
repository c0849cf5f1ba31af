/* What a run writes beside its results while it is under way, so that the same command goes on with it. */
#ifndef CAROM_CLI_RUN_UNFINISHED_H
#define CAROM_CLI_RUN_UNFINISHED_H

#include <stddef.h>
#include <stdint.h>
#include "carom/result.h"
#include "carom/simulation.h"

struct run_job;

#define UNFINISHED_GROUPS 3 /* of rows */

/* What is told of a run that goes on. */
typedef struct run_resumption {
    uint64_t count; /* how often the run has gone on, 0: never */
    double time;    /* where it went on last [s] */
    double seconds; /* of computing before */
    uint64_t given[UNFINISHED_GROUPS], waiting[UNFINISHED_GROUPS]; /* rows that the results have, and that wait */
} run_resumption;

typedef struct run_unfinished {
    char *path;         /* DIR/MODEL.unfinished; NULL: the run has none */
    double every, begun, last; /* [s] of the clock */
    double asked;       /* when a signal asked to end, 0: not yet */
    carom_writer *writer;
    run_resumption of;
    char written[32]; /* when what was read was written, for people */
    unsigned char *bytes; /* that were read; NULL: the run begins anew */
    size_t size;
} run_unfinished;

/* Reads a time of the clock, "30s", "10min" or "2h"; text NULL: 0. */
int run_unfinished_every(const char *command, const char *text, double *seconds);
/* Names the file of a job and reads it, if it is there; refuses that of another run. */
int run_unfinished_prepare(struct run_job *job, char *path);
/* Makes the writer of the results go on, or begin. */
carom_status run_unfinished_open(struct run_job *job, const carom_writer_def *def, carom_writer **writer);
/* Makes the simulation go on and write from time to time. */
int run_unfinished_begin(struct run_job *job);
/* Whether a run that a signal asks to end goes on for a moment, to the next point at which it can be written. */
bool run_unfinished_waits(struct run_job *job);
/* Removes the file of a run that has ended. */
void run_unfinished_end(struct run_job *job, bool ended);
void run_unfinished_free(run_unfinished *u);

#endif

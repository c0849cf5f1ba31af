/* `carom sweep`: the runs of a study, and the store that takes them. */
#ifndef CAROM_CLI_SWEEP_H
#define CAROM_CLI_SWEEP_H

#include "support/cli.h"
#include "support/options.h"
#include "support/progress.h"
#include "support/signals.h"

typedef struct sweep_options {
    const char *study, *output, *array;
    double jobs, show; /* NAN: not given */
    bool retry, check, csv, quiet;
} sweep_options;

/* A sweep under way. One thread takes what the others make. */
typedef struct sweep {
    session *session;
    const sweep_options *options;
    carom_study *study;
    carom_study_info info;
    carom_store *store;
    char *path; /* of the store */
    size_t part, parts;
    size_t *todo, todo_count; /* runs that the store has not */
    size_t taken;             /* of them that are made */
    size_t before;            /* runs that were there */
    progress_bar bar;
    double begun, committed, told; /* [s] of the clock */
    size_t workers;
    int code; /* exit status of what ended it */
} sweep;

/* Makes the runs of `todo` and hands every outcome to sweep_take(), until all are made or sweep_goes_on() says no. */
typedef struct sweep_crew {
    size_t (*workers)(const sweep *w);
    int (*perform)(sweep *w);
} sweep_crew;

/* The command with a crew; `carom sweep` has threads, carom-sweep-mpi the processes of MPI. */
int sweep_command(int argc, char **argv, const sweep_crew *crew);
extern const sweep_crew sweep_threads;

/* Puts an outcome into the store. */
void sweep_take(sweep *w, size_t run, const carom_study_outcome *outcome);
/* Commits what is due and shows the progress; to be called a few times a second. */
void sweep_tick(sweep *w);
bool sweep_goes_on(const sweep *w);

/* ---- sweep_print.c ---- */

/* What would be run. */
void print_sweep_plan(const sweep *w);
/* How a run of the study, from 1, is made alone. */
int print_sweep_run(const sweep *w, double number);
/* What became of it: quantities, what failed and why, where it is. */
int print_sweep_summary(const sweep *w);

/* ---- sweep_merge.c ---- */

int sweep_merge(session *s, const text_list *stores, const char *output);
/* Prints the table of a store to standard output. */
int print_store_csv(const session *s, carom_store *store);

#endif

/* Runs of models of models/ against reference numbers: overrides put together, state at sample times, margins
   counted and printed. Public interface of the library only. */
#ifndef CAROM_TEST_RUNS_H
#define CAROM_TEST_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include "support/free_runs.h"
#include "support/reference.h"

/* ---- overrides ---- */

#define RUN_SETS 16

typedef struct run_sets {
    size_t count;
    char text[RUN_SETS][64];
    const char *item[RUN_SETS];
} run_sets;

/* Adds `name=value`; an earlier value of that name is replaced. */
void run_set(run_sets *sets, const char *name, double value);
void run_set_word(run_sets *sets, const char *name, const char *word);
/* Opens a model of models/ with them: free_run_open(). */
void run_open(free_run *run, const char *model, run_sets *sets, double tolerance);

/* ---- margins ---- */

/* The largest share of what was allowed that errors of one group had, and where. */
typedef struct margin {
    const char *name;
    size_t compared;
    double worst;
    char where[96];
} margin;

void margin_begin(margin *m, const char *name);
/* Counts |got - expected| against `allowed` > 0. */
void margin_add(margin *m, const char *what, size_t index, double got, double expected, double allowed);
/* Prints a line and fails the test unless all errors are within what is allowed; frees nothing. */
void margin_end(const margin *m);

/* What the reference allows: the larger of ten of its error estimates and `relative` of the largest value. */
double reference_allowed(const json *one_case, const char *name, size_t index, double relative);
/* margin_add() of output `name` at `index` with that allowance. */
void margin_reference(margin *m, const json *one_case, const char *name, size_t index, double got, double relative);
/* Length of an output that is a list; 0 for a scalar. */
size_t reference_count(const json *one_case, const char *name);

#endif

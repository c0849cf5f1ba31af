/* A progress bar on standard error, only when that is a terminal. */
#ifndef CAROM_CLI_PROGRESS_H
#define CAROM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/simulation.h"

typedef struct progress_bar {
    bool shown; /* standard error is a terminal and the user wants it */
    bool drawn;
    double begin, last; /* [s] of the clock */
    double first_time;  /* [s] simulated when the run began */
} progress_bar;

/* Starts the clock. */
void progress_begin(progress_bar *bar, bool quiet, double time);
/* Draws the bar anew, at most ten times a second. */
void progress_update(progress_bar *bar, const carom_progress *progress);
/* Draws "3 of 12 variants" in place of the bar, likewise. */
void progress_count(progress_bar *bar, size_t done, size_t total, const char *what);
/* Clears the bar and returns the seconds since the beginning. */
double progress_end(progress_bar *bar);

#endif

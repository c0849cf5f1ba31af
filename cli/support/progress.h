/* A progress bar on standard error, with sparklines above it; only when that is a terminal. */
#ifndef CAROM_CLI_PROGRESS_H
#define CAROM_CLI_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include "carom/simulation.h"
#include "support/live.h"

#define PROGRESS_LINES 64

/* What the recent speed is taken from: sums of advance and time in which the past fades. */
typedef struct progress_rate {
    double clock, value;   /* [s], what has been reached, at the last update */
    double passed, gained; /* faded sums */
} progress_rate;

typedef struct progress_bar {
    bool shown; /* standard error is a terminal and the user wants it */
    bool utf8;
    double begin, last;   /* [s] of the clock */
    double first_time;    /* [s] simulated when the run began, or the number of what was done */
    progress_rate rate;
    size_t lines;                   /* drawn now */
    size_t columns[PROGRESS_LINES]; /* of each of them */
} progress_bar;

/* Starts the clock. */
void progress_begin(progress_bar *bar, bool quiet, double time);
/* Whether it is time to draw, ten times a second at most; always false where nothing is shown. */
bool progress_is_due(progress_bar *bar);
/* Draws the bar again; above it the sparklines of a view, unless it is NULL. */
void progress_update(progress_bar *bar, const carom_progress *progress, const live_view *live);
/* Draws "3 of 12 variants" in place of the bar, when it is due. */
void progress_count(progress_bar *bar, size_t done, size_t total, const char *what);
/* Draws a line of text in its place, when it is due. */
void progress_text(progress_bar *bar, const char *text);
/* Waits for a change, but no longer than a bar stands still. */
void progress_wait(pthread_cond_t *changed, pthread_mutex_t *lock);
/* Whether the user has waited for some seconds. */
bool progress_is_long(const progress_bar *bar);
/* Clears what is drawn, so that a line can be written in its place; the bar is drawn again behind that. */
void progress_clear(progress_bar *bar);
/* Clears what is drawn and returns the seconds since the beginning. */
double progress_end(progress_bar *bar);

/* Takes over what has been reached at a time of the clock [s], `elapsed` since the beginning. */
void progress_rate_update(progress_rate *rate, double clock, double elapsed, double value);
/* Seconds that the rest takes at the recent speed; infinite where nothing is known. */
double progress_rate_left(const progress_rate *rate, double rest);

#endif

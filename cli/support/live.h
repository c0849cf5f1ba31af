/* Sparklines of channels while a run is under way: `carom run --live`. */
#ifndef CAROM_CLI_LIVE_H
#define CAROM_CLI_LIVE_H

#include "support/cli.h"
#include "support/options.h"
#include "support/terminal.h"

#define LIVE_BINS 60  /* equal parts of the run's time */
#define LIVE_GROUPS 3 /* of rows: intervals, steps, snapshots */

/* One column of the rows, and what of it is shown. */
typedef struct live_channel {
    const char *name; /* as on the command line */
    const char *unit;
    bool in[LIVE_GROUPS];       /* groups that have it; all are followed */
    size_t place[LIVE_GROUPS];  /* in a row of the group */
    double now, time;           /* latest value and its time [s]; NaN: none yet */
    double least, most;
    double bins[LIVE_BINS]; /* value of the largest magnitude in each part of the time; NaN: no row */
} live_channel;

typedef struct live_view {
    live_channel *channels;
    size_t count;
    double from, until;         /* [s] */
    size_t width[LIVE_GROUPS];  /* numbers a row */
    size_t taken[LIVE_GROUPS];  /* of the rows that wait for the sink */
} live_view;

/* Prepares the channels with these names of a run from one time to another [s]; says what is wrong with a name. The
   names and channels must outlive it. Free it in every case. */
int live_open(live_view *view, const char *command, const text_list *names, const carom_channel *channels,
              size_t channel_count, double from, double until);
void live_free(live_view *view);

/* Takes the rows that wait for the sink. */
void live_take_pending(live_view *view, const carom_simulation *sim);
/* Takes what the sink is given: these rows but those taken while they waited. */
void live_take(live_view *view, int group, size_t rows, const double *time, const double *data);

/* Makes the line of a channel, fit for the line's width. */
void live_line(const live_view *view, size_t channel, bool utf8, text_line *line);
/* Prints the lines of all channels to standard error. */
void live_print(const live_view *view);

#endif

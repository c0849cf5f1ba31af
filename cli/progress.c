/* Progress bar. */
#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "table.h"

#define BAR_WIDTH 24
#define BAR_INTERVAL 0.1

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(progress_bar *bar, bool quiet, double time)
{
    const char *terminal = getenv("TERM");
    bool dumb = terminal && strcmp(terminal, "dumb") == 0;
    bar->shown = !quiet && !dumb && isatty(STDERR_FILENO);
    bar->drawn = false;
    bar->begin = bar->last = clock_seconds();
    bar->first_time = time;
}

/* Whether it is time to draw. */
static bool is_due(progress_bar *bar, double now)
{
    if (!bar->shown || now - bar->last < BAR_INTERVAL)
        return false;
    bar->last = now;
    return bar->drawn = true;
}

/* Draws the filled part of the bar at the beginning of the line. */
static void draw_bar(double part)
{
    int eighths = (int)(8 * BAR_WIDTH * fmin(1, fmax(0, part)));
    static const char *const blocks[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    fputc('\r', stderr);
    for (int k = 0; k < BAR_WIDTH; k++) {
        int filled = eighths - 8 * k;
        fputs(blocks[filled < 0 ? 0 : filled > 8 ? 8 : filled], stderr);
    }
}

void progress_update(progress_bar *bar, const carom_progress *progress)
{
    double now = clock_seconds();
    if (!is_due(bar, now))
        return;
    draw_bar(progress->until > 0 ? progress->time / progress->until : 0);
    char time[32], until[32];
    fprintf(stderr, "  %s of %s s  %" PRIu64 " impact%s  %" PRIu64 " steps  x%.3g real time\033[K",
            short_number(time, progress->time, 4), short_number(until, progress->until, 4), progress->impacts,
            progress->impacts == 1 ? "" : "s", progress->steps,
            (progress->time - bar->first_time) / (now - bar->begin));
    fflush(stderr);
}

void progress_count(progress_bar *bar, size_t done, size_t total, const char *what)
{
    double now = clock_seconds();
    if (!is_due(bar, now))
        return;
    draw_bar((double)done / (double)total);
    fprintf(stderr, "  %zu of %zu %s  %.0f s\033[K", done, total, what, now - bar->begin);
    fflush(stderr);
}

double progress_end(progress_bar *bar)
{
    if (bar->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        bar->drawn = false;
    }
    return clock_seconds() - bar->begin;
}

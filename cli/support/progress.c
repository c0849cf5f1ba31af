/* Progress bar: what has been reached, and an estimate of the remaining time. */
#include "support/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/table.h"
#include "support/terminal.h"

#define BAR_COLUMNS 24
#define LEAST_BAR_COLUMNS 12
#define BAR_INTERVAL 0.1
/* The estimate looks back over this share of the elapsed time, at least so many seconds, and is shown after some. */
#define LOOK_BACK 0.3
#define LEAST_LOOK_BACK 2.0
#define FIRST_ESTIMATE 1.0
/* A run that takes longer is waited for [s]. */
#define LONG 2.0

/* Of the simulated time, which is compared with the end of the run. */
static const unit_scale units_progress[] = {{"us", 1e-6, 0}, {"ms", 1e-3, 1e-4}, {"s", 1, 0.1}, {NULL, 0, 0}};

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(progress_bar *bar, bool quiet, double time)
{
    double now = clock_seconds();
    *bar = (progress_bar){.shown = !quiet && terminal_can_draw(), .begin = now, .last = now, .first_time = time};
    bar->utf8 = bar->shown && terminal_is_utf8();
    bar->rate = (progress_rate){.clock = now, .value = time};
}

bool progress_is_due(progress_bar *bar)
{
    if (!bar->shown)
        return false;
    double now = clock_seconds();
    if (now - bar->last < BAR_INTERVAL)
        return false;
    bar->last = now;
    return true;
}

/* ---- remaining time ---- */

void progress_rate_update(progress_rate *rate, double clock, double elapsed, double value)
{
    double passed = clock - rate->clock;
    double kept = exp(-passed / fmax(LEAST_LOOK_BACK, LOOK_BACK * elapsed));
    rate->passed = kept * rate->passed + passed;
    rate->gained = kept * rate->gained + value - rate->value;
    rate->clock = clock;
    rate->value = value;
}

double progress_rate_left(const progress_rate *rate, double rest)
{
    return rate->gained > 0 ? rate->passed / rate->gained * rest : HUGE_VAL;
}

/* "about 2 min left", in steps as coarse as the estimate; empty where there is none. */
static void left_text(char *text, size_t size, double seconds, double elapsed)
{
    static const struct {
        const char *name;
        double size, below, step; /* [s], [s], in units of the size */
    } scales[] = {{"s", 1, 10, 1}, {"s", 1, 57.5, 5}, {"min", 60, 5400, 1}, {"h", 3600, 129600, 1},
                  {"d", 86400, 8.64e7, 1}};
    *text = '\0';
    if (elapsed < FIRST_ESTIMATE)
        return;
    for (size_t k = 0; k < COUNT(scales); k++)
        if (seconds < scales[k].below) {
            double count = scales[k].step * fmax(1, round(seconds / scales[k].size / scales[k].step));
            snprintf(text, size, "about %.0f %s left", count, scales[k].name);
            return;
        }
}

/* ---- drawing ---- */

/* Moves to the beginning of what is drawn; lines that a narrower terminal has broken take several rows. */
static void move_to_top(progress_bar *bar, size_t columns)
{
    size_t rows = 0;
    for (size_t k = 0; k < bar->lines; k++)
        rows += bar->columns[k] > columns ? (bar->columns[k] - 1) / columns + 1 : 1;
    if (rows > 1)
        fprintf(stderr, "\r\033[%zuA", rows - 1);
    else
        fputc('\r', stderr);
    bar->lines = 0;
}

static void draw_line(progress_bar *bar, const text_line *line)
{
    if (bar->lines > 0)
        fputs("\r\n", stderr);
    fprintf(stderr, "%s\033[K", line->text);
    bar->columns[bar->lines++] = line->columns;
}

/* The filled part of the bar. */
static void add_bar(text_line *line, double part, int columns, bool utf8)
{
    static const char *const blocks[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    int eighths = (int)(8 * columns * fmin(1, fmax(0, part)));
    line_add(line, "%s", utf8 ? "▕" : "[");
    for (int k = 0; k < columns; k++) {
        int filled = eighths - 8 * k;
        filled = filled < 0 ? 0 : filled > 8 ? 8 : filled;
        line_add(line, "%s", utf8 ? blocks[filled] : filled > 4 ? "#" : " ");
    }
    line_add(line, "%s", utf8 ? "▏" : "]");
}

/* A text beside the bar; the parts of the highest number are left out first where the terminal is too narrow. */
typedef struct bar_part {
    int rank;
    char text[64];
} bar_part;

/* Draws the bar with the parts that fit beside it. */
static void draw_bar(progress_bar *bar, double done, const bar_part *parts, size_t count, size_t width)
{
    int rank = 0;
    size_t total = 0;
    for (int limit = (int)count; limit > 0 && rank == 0; limit--) {
        total = 0;
        for (size_t k = 0; k < count; k++)
            if (parts[k].rank <= limit && *parts[k].text)
                total += 2 + display_width(parts[k].text);
        if (total + LEAST_BAR_COLUMNS + 2 <= width)
            rank = limit;
    }
    size_t columns = rank > 0 ? width - total - 2 : width > 2 ? width - 2 : 0;
    text_line line = {.width = width};
    add_bar(&line, done, columns < BAR_COLUMNS ? (int)columns : BAR_COLUMNS, bar->utf8);
    for (size_t k = 0; k < count; k++)
        if (parts[k].rank <= rank && *parts[k].text)
            line_add(&line, "  %s", parts[k].text);
    draw_line(bar, &line);
    fputs("\033[J", stderr);
    fflush(stderr);
}

/* "1.234 of 6 s", with as many decimals at all times. */
static void time_text(char *text, size_t size, const carom_progress *progress)
{
    const unit_scale *unit = unit_for(units_progress, progress->until);
    double until = progress->until / unit->size;
    int decimals = until > 0 ? 3 - (int)floor(log10(until)) : 3;
    char end[32];
    snprintf(text, size, "%.*f of %s %s", decimals < 0 ? 0 : decimals > 6 ? 6 : decimals, progress->time / unit->size,
             short_number(end, until, 6), unit->name);
}

void progress_update(progress_bar *bar, const carom_progress *progress, const live_view *live)
{
    double now = clock_seconds(), elapsed = now - bar->begin;
    size_t columns, rows;
    terminal_size(&columns, &rows);
    progress_rate_update(&bar->rate, now, elapsed, progress->time);
    move_to_top(bar, columns);
    for (size_t k = 0; live && k < live->count && k + 2 < rows && k + 1 < PROGRESS_LINES; k++) {
        text_line line = {.width = columns - 1};
        live_line(live, k, bar->utf8, &line);
        draw_line(bar, &line);
    }
    char number[32];
    const unit_scale *unit = unit_for(units_short_time, progress->step);
    enum { PART_TIME, PART_STEPS, PART_STEP, PART_IMPACTS, PART_SPEED, PART_LEFT, PARTS };
    bar_part parts[PARTS] = {{.rank = 1}, {.rank = 4}, {.rank = 6}, {.rank = 3}, {.rank = 5}, {.rank = 2}};
    const size_t size = sizeof parts[0].text;
    time_text(parts[PART_TIME].text, size, progress);
    snprintf(parts[PART_STEPS].text, size, "%" PRIu64 " steps", progress->steps);
    snprintf(parts[PART_STEP].text, size, "step %s %s", short_number(number, progress->step / unit->size, 3),
             unit->name);
    snprintf(parts[PART_IMPACTS].text, size, "%" PRIu64 " impact%s", progress->impacts,
             progress->impacts == 1 ? "" : "s");
    snprintf(parts[PART_SPEED].text, size, "x%s real time",
             short_number(number, (progress->time - bar->first_time) / elapsed, 3));
    left_text(parts[PART_LEFT].text, size, progress_rate_left(&bar->rate, progress->until - progress->time), elapsed);
    double span = progress->until - bar->first_time;
    draw_bar(bar, span > 0 ? (progress->time - bar->first_time) / span : 0, parts, PARTS, columns - 1);
}

void progress_count(progress_bar *bar, size_t done, size_t total, const char *what)
{
    if (!progress_is_due(bar))
        return;
    double elapsed = bar->last - bar->begin;
    size_t columns, rows;
    terminal_size(&columns, &rows);
    move_to_top(bar, columns);
    bar_part parts[] = {{.rank = 1}, {.rank = 3}, {.rank = 2}};
    snprintf(parts[0].text, sizeof parts[0].text, "%zu of %zu %s", done, total, what);
    snprintf(parts[1].text, sizeof parts[1].text, "%.0f s", elapsed);
    /* variants end seldom and many at a time: their mean speed says more than the recent one */
    const double made = (double)done - bar->first_time;
    double left = made > 0 ? elapsed / made * (double)(total - done) : HUGE_VAL;
    left_text(parts[2].text, sizeof parts[2].text, left, elapsed);
    draw_bar(bar, (double)done / (double)total, parts, COUNT(parts), columns - 1);
}

void progress_text(progress_bar *bar, const char *text)
{
    size_t columns, rows;
    if (!progress_is_due(bar))
        return;
    terminal_size(&columns, &rows);
    move_to_top(bar, columns);
    text_line line = {.width = columns - 1};
    line_add(&line, "%s", text);
    draw_line(bar, &line);
    fputs("\033[J", stderr);
    fflush(stderr);
}

bool progress_is_long(const progress_bar *bar) { return clock_seconds() - bar->begin > LONG; }

void progress_clear(progress_bar *bar)
{
    size_t columns, rows;
    if (bar->lines == 0)
        return;
    terminal_size(&columns, &rows);
    move_to_top(bar, columns);
    fputs("\033[J", stderr);
    fflush(stderr);
}

double progress_end(progress_bar *bar)
{
    progress_clear(bar);
    return clock_seconds() - bar->begin;
}

void progress_wait(pthread_cond_t *changed, pthread_mutex_t *lock)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(1e9 * BAR_INTERVAL);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(changed, lock, &until);
}

/* Axes of figures: ranges, ticks and labels as numbers and texts, without drawing. */
#ifndef CAROM_IO_FIGURE_H
#define CAROM_IO_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/result.h"

#define CAROM_AXIS_TEXT 256
/* Numbers beyond this are gaps: their differences would overflow. */
#define CAROM_FIGURE_LIMIT 1e300

typedef struct carom_axis {
    double low, high;           /* range, in the unit given */
    double offset;              /* number taken off before ticks are written, in the unit given */
    double factor;              /* number shown = (value - offset) * factor */
    double step;                /* between ticks, as shown */
    double first;               /* first tick, in steps */
    int count;                  /* number of ticks */
    int minor;                  /* parts between two ticks */
    int decimals;
    char label[CAROM_AXIS_TEXT];
} carom_axis;

/* Chooses prefix, offset and at most `max_ticks` ticks of 1, 2 or 5 times a power of ten for low < high. */
void carom_axis_plan(carom_axis *axis, const char *label, const char *unit, double low, double high, int max_ticks);
/* Value of a tick in the unit given, and its text. `part` of `minor` parts beyond tick `k`, which may be -1. */
double carom_axis_tick(const carom_axis *axis, int k, int part);
void carom_axis_tick_text(const carom_axis *axis, int k, char *out, size_t size);
/* True if the numbers from low to high differ by more than rounding. */
bool carom_axis_is_wide(double low, double high);
/* Range for data from low to high: wider than nothing, with zero where it is near; `pad` is a fraction of the range. */
void carom_axis_widen(double *low, double *high, double pad);

/* Ranges of x and y that show what can be drawn: x as the figure sets it or as the curves, y as the curves in it.
   Errors: CAROM_ERROR_USAGE (nothing to draw). */
carom_status carom_figure_ranges(carom_context *ctx, const carom_figure *f, double x[2], double y[2]);

/* Copies a text, in which bytes that are not UTF-8 become '?', cut to `size` bytes. */
void carom_figure_text(char *out, size_t size, const char *text);
/* True if the number is finite and can be drawn. */
bool carom_figure_is_point(double x, double y);

#endif

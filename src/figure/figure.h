/* Figures: axes, ranges, ticks and labels as numbers and texts, and the drawing into memory. */
#ifndef CAROM_IO_FIGURE_H
#define CAROM_IO_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include "base/base.h"
#include "carom/figure.h"

#define CAROM_AXIS_TEXT 256
/* Numbers beyond this are gaps: their differences would overflow. */
#define CAROM_FIGURE_LIMIT 1e300

/* Where ticks are: at multiples of a step, or on a logarithmic axis at powers of ten or at 1, 2 and 5 times these. */
typedef enum carom_axis_kind {
    CAROM_AXIS_LINEAR,
    CAROM_AXIS_DECADES,
    CAROM_AXIS_MANTISSAS,
    CAROM_AXIS_NAMES            /* names at 0, 1, ... */
} carom_axis_kind;

typedef struct carom_axis {
    carom_axis_kind kind;
    double low, high;           /* range, in the unit given */
    double offset;              /* number taken off before ticks are written, in the unit given */
    double factor;              /* number shown = (value - offset) * factor */
    double step;                /* between ticks, as shown; of powers of ten, in exponents */
    double first;               /* first tick, in steps */
    int count;                  /* number of ticks */
    int minor;                  /* parts between two ticks */
    int decimals;
    const char *const *names;
    char label[CAROM_AXIS_TEXT];
} carom_axis;

/* An axis of names at 0, 1, ... */
void carom_axis_plan_names(carom_axis *axis, const char *label, const char *const *names, size_t count);

/* Chooses prefix, offset and at most `max_ticks` ticks of 1, 2 or 5 times a power of ten for low < high. */
void carom_axis_plan(carom_axis *axis, const char *label, const char *unit, double low, double high, int max_ticks);
/* The same with the prefix of numbers up to `size`. */
void carom_axis_plan_sized(carom_axis *axis, const char *label, const char *unit, double low, double high, double size,
                           int max_ticks);
/* The same for a logarithmic axis, 0 < low < high: at powers of ten if there are two, else at 1, 2 and 5 times these if
   there are three, else as carom_axis_plan(). */
void carom_axis_plan_log(carom_axis *axis, const char *label, const char *unit, double low, double high, int max_ticks);
/* Value of a tick in the unit given, and its text. `part` of the parts beyond tick `k`, which may be -1. */
int carom_axis_parts(const carom_axis *axis, int k);
double carom_axis_tick(const carom_axis *axis, int k, int part);
void carom_axis_tick_text(const carom_axis *axis, int k, char *out, size_t size);
/* True if the numbers from low to high differ by more than rounding. */
bool carom_axis_is_wide(double low, double high);
/* Range of the finite values of a map; false if there are none. */
bool carom_map_range(const carom_map *map, double range[2]);
/* Range for data from low to high: wider than nothing, with zero where it is near; `pad` is a fraction of the range. */
void carom_axis_widen(double *low, double *high, double pad);

/* True if the number is finite and can be drawn. */
bool carom_figure_is_point(double x, double y);
/* True if point k of a curve is drawn: logarithmic axes have no place for numbers of 0 and below. */
bool carom_figure_shows(const carom_figure *f, const carom_curve *c, size_t k);
/* The number or, on a logarithmic axis, its logarithm of base 10. */
double carom_figure_to_scale(bool log, double value);
/* True if a curve is of the vertical axis 0 (left) or 1 (right). */
bool carom_figure_has_axis(const carom_figure *f, int axis);
/* Checks all but the path. Errors: CAROM_ERROR_USAGE. */
carom_status carom_figure_check(carom_context *ctx, const carom_figure *f, double width, double height);
/* Ranges of x and of the vertical axes that show what can be drawn, as the figure sets them or as the curves: of y
   those that lie in the range of x. On logarithmic axes they are of logarithms; y[1] is set if a curve is of the right
   axis. Errors: CAROM_ERROR_USAGE (nothing to draw). */
carom_status carom_figure_ranges(carom_context *ctx, const carom_figure *f, double x[2], double y[2][2]);

/* Draws a figure as SVG into memory: the bytes that carom_figure_draw() writes to a file are appended to *out, which
   has its ctx set; the caller frees it in every case. Errors: as carom_figure_draw(), without CAROM_ERROR_IO of a
   file. */
carom_status carom_figure_svg(carom_context *ctx, const carom_figure *figure, carom_text *out);

/* Copies a text, in which bytes that are not UTF-8 become '?', cut to `size` bytes. */
void carom_figure_text(char *out, size_t size, const char *text);

#endif

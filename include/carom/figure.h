/* Figures of curves as SVG, PDF or PNG. */
#ifndef CAROM_FIGURE_API_H
#define CAROM_FIGURE_API_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_curve {
    const char *label;
    size_t count;
    const double *x, *y;
    int axis;                   /* vertical axis: 0 left, 1 right */
    bool markers;               /* a marker at each point in place of a line */
    bool dots;                  /* with `markers`: small filled ones, for sections of thousands of points */
    bool bars;                  /* a bar from x = 0 to each point, `thickness` high, in place of a line */
    double thickness;           /* of bars, in the unit of y */
    const double *low, *high;   /* ends of a whisker, of bars in x, of markers in y; NULL: none */
} carom_curve;

/* Values over a grid of points, drawn as bands of colour with lines between them behind the curves; the right axis
   tells the colours. */
typedef struct carom_map {
    size_t columns, rows;
    const double *x, *y;        /* ascending, `columns` and `rows` of them */
    const double *values;       /* values[column + row * columns]; what is not finite is left white */
} carom_map;

/* Sizes of page, type and lines, and colours. */
typedef enum carom_figure_style {
    CAROM_FIGURE_SCREEN,        /* 120 mm x 80 mm, 8 to 10 pt, grid */
    CAROM_FIGURE_SINGLE_COLUMN, /* of a journal: 85 mm x 62 mm, 8 pt, axes of 0.5 pt, no grid, dark colours first */
    CAROM_FIGURE_DOUBLE_COLUMN, /* 178 mm x 80 mm, else as single column */
    CAROM_FIGURE_SLIDE          /* 254 mm x 143 mm, 18 to 22 pt, thick lines */
} carom_figure_style;

typedef enum carom_figure_legend {
    CAROM_LEGEND_AUTO,          /* in the emptiest corner, or above the curves where they fill all corners */
    CAROM_LEGEND_OUTSIDE,       /* above the frame */
    CAROM_LEGEND_NONE
} carom_figure_legend;

typedef struct carom_figure {
    size_t size;
    const char *title;          /* may be NULL */
    const char *x_label, *x_unit, *y_label, *y_unit;
    const carom_curve *curves;
    size_t curve_count;
    double x_min, x_max;        /* equal: automatic */
    double width, height;       /* [mm]; 0: of the style; from 40 x 30 to 1000 x 1000 */
    const char *y2_label, *y2_unit;         /* right axis, of the curves with axis 1 */
    double y_min, y_max, y2_min, y2_max;    /* equal: automatic */
    bool x_log, y_log, y2_log;  /* logarithmic: values of 0 and below are gaps */
    bool equal_scales;          /* equal lengths for equal numbers of x and y, whose ranges grow for it */
    carom_figure_style style;
    carom_figure_legend legend;
    const carom_map *map;       /* NULL: none; its y2_label and y2_unit name the colours; without a right axis */
    const char *const *y_names; /* in place of the numbers 0, 1, ... of the left axis; NULL: numbers */
    size_t y_name_count;
} carom_figure;

/* Axes that fit the curves, of which there are none yet. */
CAROM_IO_API carom_figure carom_default_figure(void);

/* Draws a figure to .svg, .pdf or .png by the ending of the path; a PNG has 200 dots an inch, in the styles of a
   journal 600. The axes choose a prefix for units such as m, s, N ("ms" and "kN" are understood, too) and a power of
   ten for others. Numbers that are not finite are gaps. Equal figures give equal files. Errors: CAROM_ERROR_USAGE
   (ending, size, ranges, nothing to draw), CAROM_ERROR_IO. */
CAROM_IO_API carom_status carom_figure_draw(carom_context *ctx, const carom_figure *figure, const char *path);
/* Draws several figures on one page, `columns` beside each other; all have the size and style of the first. */
CAROM_IO_API carom_status carom_figures_draw(carom_context *ctx, const carom_figure *figures, size_t count,
                                             size_t columns, const char *path);

/* The label of an axis for a channel as an engineer writes it, without unit: "Force F" of contact.hit.force, "Velocity
   v in x" of body.a.velocity.x. False: there is none for it, and the buffer is as before. */
CAROM_IO_API bool carom_figure_label(const char *channel, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif

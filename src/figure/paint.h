/* What the files that draw figures share: the page that is painted, its look, and the steps of painting. */
#ifndef CAROM_IO_FIGURE_PAINT_H
#define CAROM_IO_FIGURE_PAINT_H

#include <cairo.h>
#include "base/base.h"
#include "carom/figure.h"
#include "figure/figure.h"

#define CAROM_MM (72.0 / 25.4)      /* one millimetre in points */
#define CAROM_CELLS_X 96            /* cells that say where curves are */
#define CAROM_CELLS_Y 64
#define CAROM_LINE_HEIGHT 1.35      /* of lines of text, in sizes of type */

/* Sizes and colours of a style; lengths in points unless said otherwise. */
typedef struct carom_look {
    double width, height;           /* of the page [mm] */
    double dots;                    /* of a PNG, an inch */
    double title, label, text;      /* sizes of type; `text` of ticks and legend */
    double unit;                    /* of the distances between texts and lines, 1 mm on the screen */
    double row;                     /* least distance of ticks of y */
    double margin;                  /* around all */
    double tick;                    /* length; half of it is that of minor ticks */
    double line, frame, grid;       /* widths of lines; grid 0: none */
    double dot, marker;             /* radii of a lone point and of a marker */
    double dash;                    /* unit of the lengths of dashes */
    bool boxed;                     /* a line around the legend */
    const double (*colours)[3];
    size_t colour_count;
} carom_look;

/* One direction of the plot area: its range, of logarithms of base 10 if `log`. */
typedef struct carom_scale {
    double low, high;
    bool log;
} carom_scale;

typedef struct carom_painter {
    carom_context *ctx;
    const carom_figure *figure;
    const carom_look *look;
    cairo_t *cr;
    double width, height;           /* of the page */
    double x, y, w, h;              /* plot area, y downwards */
    double head;                    /* room between title and plot area */
    bool right;                     /* there is a right axis */
    double bar;                     /* between plot area and right axis, for the colours of a map; 0: none */
    carom_scale x_scale, y_scale[2];
    carom_axis x_axis, y_axis[2];
    unsigned char cells[CAROM_CELLS_Y][CAROM_CELLS_X];
} carom_painter;

/* ---- style.c ---- */

/* Look of a style; NULL if there is none of that number. */
const carom_look *carom_figure_look(carom_figure_style style);

/* ---- text.c: sizes of type are set by cairo_set_font_size() or carom_paint_fit() ---- */

double carom_paint_width(cairo_t *cr, const char *text);
/* Shows a text with its baseline at (x, y); `align` 0 left, 0.5 centred, 1 right. */
void carom_paint_text(cairo_t *cr, double x, double y, double align, const char *text);
/* Sets a size of type, at most `points`, at which the text is at most `available` wide. */
void carom_paint_fit(cairo_t *cr, const char *text, double points, double available);
/* Cuts a text with an ellipsis to `available` wide; `size` is that of the array, with four bytes to spare. */
void carom_paint_cut(cairo_t *cr, double available, char *text, size_t size);

/* ---- layout.c ---- */

/* Places the plot area between title, labels and ticks, and plans the axes. */
void carom_paint_lay_out(carom_painter *p);
/* Lays out and lets one range grow until equal numbers of x and y have equal lengths. */
void carom_paint_equal(carom_painter *p);
/* Places on the page, which are numbers also for values far off it. */
double carom_paint_x(const carom_painter *p, double value);
double carom_paint_y(const carom_painter *p, int axis, double value);
void carom_paint_grid(const carom_painter *p);
/* Frame, ticks, labels and title. */
void carom_paint_frame(const carom_painter *p);

/* ---- map.c ---- */

/* Bands of colour, lines between them, and the bar of the colours beside the plot area. */
void carom_paint_map(const carom_painter *p);

/* ---- curves.c ---- */

void carom_paint_curves(carom_painter *p);
/* Notes the cells that curves cross. */
void carom_paint_mark_cells(carom_painter *p);
/* Line or marker of a curve, as the legend shows it, around (x + 0.5 length, y). */
void carom_paint_sample(const carom_painter *p, size_t curve, double x, double y, double length);

/* ---- legend.c ---- */

typedef struct carom_legend {
    double x, y, w, h;
    double column;              /* width of a column */
    size_t columns, lines;
    size_t named;               /* curves with a line of their own; a last line says how many have none */
    bool shown;
} carom_legend;

/* Finds the place of the legend, if there is one, and lays out the page so that it has room. */
carom_legend carom_paint_place_legend(carom_painter *p);
void carom_paint_legend(const carom_painter *p, const carom_legend *l);
/* Name of a curve; with two vertical axes it says of which it is. */
void carom_paint_curve_name(const carom_painter *p, size_t curve, char *out, size_t size);

#endif

/* Draws figures with cairo: SVG and PDF in points, PNG at 200 dots an inch. Equal figures give equal files. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "io/figure.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "base/base.h"
#include "carom/result.h"

#define MM (72.0 / 25.4)            /* one millimetre in points */
#define DOTS 200.0                  /* of a PNG, an inch */
#define MANY_POINTS 20000           /* curves of more are thinned to a few points a column */
#define COLUMN (72.0 / DOTS)        /* width of such a column [pt] */
#define MARGIN (3 * MM)             /* around all */
#define TICK (1.4 * MM)
#define TITLE_SIZE 10.0             /* sizes of type [pt] */
#define LABEL_SIZE 9.0
#define TICK_SIZE 8.0
#define FAR 1e9                     /* of points off the page, in widths of it */
#define CELLS_X 96                  /* cells that say where curves are */
#define CELLS_Y 64
#define NAME_ROOM 160

typedef enum ending { SVG, PDF, PNG } ending;

typedef struct painter {
    carom_context *ctx;
    const carom_figure *figure;
    cairo_t *cr;
    ending ending;
    double width, height;           /* of the page [pt] */
    double x, y, w, h;              /* plot area, y downwards [pt] */
    double x_low, x_high, y_low, y_high;
    carom_axis x_axis, y_axis;
    unsigned char cells[CELLS_Y][CELLS_X];
} painter;

/* Colours of Okabe and Ito (2008) that stand out from white, and lengths of dashes and gaps [mm]. */
static const double colours[][3] = {{0, 0.447, 0.698}, {0.835, 0.369, 0}, {0, 0.620, 0.451}, {0.800, 0.475, 0.655},
                                    {0.902, 0.624, 0},     {0.337, 0.706, 0.914}, {0, 0, 0}};
static const struct {
    int count;
    double mm[6];
} dashes[] = {{0, {0}},
              {2, {2.2, 0.9}},
              {4, {2.2, 0.8, 0.5, 0.8}},
              {2, {0.7, 0.7}},
              {6, {2.2, 0.7, 0.5, 0.7, 0.5, 0.7}}};

/* ---- texts ---- */

static void set_size(cairo_t *cr, double points) { cairo_set_font_size(cr, points); }

static double text_width(cairo_t *cr, const char *text)
{
    cairo_text_extents_t e;
    cairo_text_extents(cr, text, &e);
    return e.x_advance;
}

/* Shows a text with its baseline at (x, y); `align` 0 left, 0.5 centred, 1 right. */
static void show(cairo_t *cr, double x, double y, double align, const char *text)
{
    cairo_move_to(cr, x - align * text_width(cr, text), y);
    cairo_show_text(cr, text);
    cairo_new_path(cr);
}

/* Sets a size of type at which the text is at most `room` wide. */
static void fit_size(cairo_t *cr, const char *text, double points, double room)
{
    set_size(cr, points);
    double width = text_width(cr, text);
    if (width > room)
        set_size(cr, points * room / width);
}

/* ---- layout ---- */

static carom_status find_ranges(painter *p)
{
    double x[2], y[2];
    CAROM_TRY(carom_figure_ranges(p->ctx, p->figure, x, y));
    p->x_low = x[0];
    p->x_high = x[1];
    p->y_low = y[0];
    p->y_high = y[1];
    return CAROM_OK;
}

static double widest_tick(painter *p, const carom_axis *axis)
{
    double widest = 0;
    char text[64];
    set_size(p->cr, TICK_SIZE);
    for (int k = 0; k < axis->count; k++) {
        carom_axis_tick_text(axis, k, text, sizeof text);
        widest = fmax(widest, text_width(p->cr, text));
    }
    return widest;
}

/* Places the plot area between title, labels and ticks, and plans both axes. */
static void lay_out(painter *p)
{
    const carom_figure *f = p->figure;
    p->y = MARGIN + (f->title && f->title[0] ? TITLE_SIZE * 1.5 : 0);
    p->h = p->height - p->y - (MARGIN + LABEL_SIZE * 1.25 + TICK_SIZE * 1.6);
    int rows = (int)(p->h / (9 * MM));
    rows = rows < 2 ? 2 : rows;
    do
        carom_axis_plan(&p->y_axis, f->y_label, f->y_unit, p->y_low, p->y_high, rows++);
    while (p->y_axis.count < 2 && rows < 6);
    p->x = MARGIN + (p->y_axis.label[0] ? LABEL_SIZE * 1.5 : 0) + widest_tick(p, &p->y_axis) + 1.2 * MM;
    /* half of the text of a tick at the right end must find room beside the frame */
    carom_axis_plan(&p->x_axis, f->x_label, f->x_unit, p->x_low, p->x_high, 5);
    p->w = p->width - p->x - fmax(1.5 * MARGIN, 0.5 * widest_tick(p, &p->x_axis) + 1.5 * MM);
    /* the most ticks whose texts keep their distance */
    for (int ticks = 9; ticks >= 1; ticks--) {
        carom_axis_plan(&p->x_axis, f->x_label, f->x_unit, p->x_low, p->x_high, ticks);
        double distance = p->x_axis.step / p->x_axis.factor / (p->x_high - p->x_low) * p->w;
        if (distance > 1.5 * widest_tick(p, &p->x_axis) + 2 * MM)
            break;
    }
}

/* Part of the range from low to high, limited so that places on the page stay numbers. */
static double part_of(double value, double low, double high)
{
    return fmax(-FAR, fmin(FAR, (value - low) / (high - low)));
}

static double to_x(const painter *p, double value) { return p->x + part_of(value, p->x_low, p->x_high) * p->w; }

static double to_y(const painter *p, double value) { return p->y + p->h - part_of(value, p->y_low, p->y_high) * p->h; }

/* ---- axes ---- */

static void line(cairo_t *cr, double x0, double y0, double x1, double y1)
{
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
}

static void draw_grid(const painter *p)
{
    cairo_set_source_rgb(p->cr, 0.88, 0.88, 0.88);
    cairo_set_line_width(p->cr, 0.12 * MM);
    for (int k = 0; k < p->x_axis.count; k++) {
        double x = to_x(p, carom_axis_tick(&p->x_axis, k, 0));
        line(p->cr, x, p->y, x, p->y + p->h);
    }
    for (int k = 0; k < p->y_axis.count; k++) {
        double y = to_y(p, carom_axis_tick(&p->y_axis, k, 0));
        line(p->cr, p->x, y, p->x + p->w, y);
    }
    cairo_stroke(p->cr);
}

/* Ticks of both axes at all four sides of the frame, pointing inwards. */
static void draw_ticks(const painter *p)
{
    for (int upright = 0; upright < 2; upright++) {
        const carom_axis *a = upright ? &p->y_axis : &p->x_axis;
        for (int k = -1; k < a->count; k++)
            for (int part = 0; part < a->minor; part++) {
                double value = carom_axis_tick(a, k, part), length = part ? 0.55 * TICK : TICK;
                double margin = 1e-6 * (a->high - a->low);
                if (value < a->low - margin || value > a->high + margin)
                    continue;
                if (upright) {
                    line(p->cr, p->x, to_y(p, value), p->x + length, to_y(p, value));
                    line(p->cr, p->x + p->w, to_y(p, value), p->x + p->w - length, to_y(p, value));
                } else {
                    line(p->cr, to_x(p, value), p->y + p->h, to_x(p, value), p->y + p->h - length);
                    line(p->cr, to_x(p, value), p->y, to_x(p, value), p->y + length);
                }
            }
    }
    cairo_stroke(p->cr);
}

static void draw_frame(const painter *p)
{
    cairo_set_source_rgb(p->cr, 0, 0, 0);
    cairo_set_line_width(p->cr, 0.2 * MM);
    cairo_rectangle(p->cr, p->x, p->y, p->w, p->h);
    cairo_stroke(p->cr);
    draw_ticks(p);
    char text[CAROM_AXIS_TEXT];
    set_size(p->cr, TICK_SIZE);
    for (int k = 0; k < p->x_axis.count; k++) {
        carom_axis_tick_text(&p->x_axis, k, text, sizeof text);
        show(p->cr, to_x(p, carom_axis_tick(&p->x_axis, k, 0)), p->y + p->h + 1.35 * TICK_SIZE, 0.5, text);
    }
    for (int k = 0; k < p->y_axis.count; k++) {
        carom_axis_tick_text(&p->y_axis, k, text, sizeof text);
        show(p->cr, p->x - 1.2 * MM, to_y(p, carom_axis_tick(&p->y_axis, k, 0)) + 0.36 * TICK_SIZE, 1, text);
    }
    fit_size(p->cr, p->x_axis.label, LABEL_SIZE, p->w + MARGIN);
    show(p->cr, p->x + 0.5 * p->w, p->height - MARGIN, 0.5, p->x_axis.label);
    fit_size(p->cr, p->y_axis.label, LABEL_SIZE, p->height - 2 * MM);
    double half = 0.5 * text_width(p->cr, p->y_axis.label);
    double middle = fmin(fmax(p->y + 0.5 * p->h, half + MM), p->height - half - MM);
    cairo_save(p->cr);
    cairo_translate(p->cr, MARGIN + 0.75 * LABEL_SIZE, middle);
    cairo_rotate(p->cr, -0.5 * CAROM_PI);
    show(p->cr, 0, 0, 0.5, p->y_axis.label);
    cairo_restore(p->cr);
    if (p->figure->title && p->figure->title[0]) {
        carom_figure_text(text, sizeof text, p->figure->title);
        fit_size(p->cr, text, TITLE_SIZE, p->width - 2 * MARGIN);
        half = 0.5 * text_width(p->cr, text);
        show(p->cr, fmin(p->x + 0.5 * p->w, p->width - MARGIN - half), MARGIN + 0.8 * TITLE_SIZE, 0.5, text);
    }
}

/* ---- curves ---- */

/* Receives the points of a curve on the page one after the other; `pen` is up before the first and after a gap. */
typedef struct trace {
    painter *painter;
    bool drawing;               /* else the cells that the curve crosses are marked */
    bool pen, moved;            /* there is a last point; the path ends there */
    double x, y;                /* last point */
    bool extended;              /* not all points since the last gap are the same */
    size_t run;                 /* points since the last gap */
} trace;

/* Cuts the segment a-b to the plot area with a margin of 2 mm (Liang and Barsky 1984); false if nothing is left. */
static bool cut(const painter *p, double a[2], double b[2])
{
    const double low[2] = {p->x - 2 * MM, p->y - 2 * MM}, high[2] = {p->x + p->w + 2 * MM, p->y + p->h + 2 * MM};
    double from = 0, to = 1, d[2] = {b[0] - a[0], b[1] - a[1]};
    for (int k = 0; k < 2; k++) {
        if (d[k] == 0) {
            if (a[k] < low[k] || a[k] > high[k])
                return false;
            continue;
        }
        double t0 = (low[k] - a[k]) / d[k], t1 = (high[k] - a[k]) / d[k];
        from = fmax(from, fmin(t0, t1));
        to = fmin(to, fmax(t0, t1));
    }
    if (from > to)
        return false;
    const double start[2] = {a[0], a[1]};
    for (int k = 0; k < 2; k++) {
        if (to < 1)
            b[k] = start[k] + to * d[k];
        if (from > 0)
            a[k] = start[k] + from * d[k];
    }
    return true;
}

/* Marks the cells along a segment. */
static void mark(painter *p, const double a[2], const double b[2])
{
    double cell_w = p->w / CELLS_X, cell_h = p->h / CELLS_Y;
    int steps = 1 + (int)(2 * fmax(fabs(b[0] - a[0]) / cell_w, fabs(b[1] - a[1]) / cell_h));
    for (int k = 0; k <= steps; k++) {
        double t = (double)k / steps;
        double x = (a[0] + t * (b[0] - a[0]) - p->x) / cell_w, y = (a[1] + t * (b[1] - a[1]) - p->y) / cell_h;
        if (x >= 0 && x < CELLS_X && y >= 0 && y < CELLS_Y)
            p->cells[(int)y][(int)x] = 1;
    }
}

static void add_point(trace *t, double x, double y)
{
    painter *p = t->painter;
    t->run++;
    if (t->pen) {
        double a[2] = {t->x, t->y}, b[2] = {x, y};
        bool seen = cut(p, a, b);
        t->extended = t->extended || x != t->x || y != t->y;
        if (seen && !t->drawing)
            mark(p, a, b);
        if (seen && t->drawing) {
            if (!t->moved || a[0] != t->x || a[1] != t->y)
                cairo_move_to(p->cr, a[0], a[1]);
            cairo_line_to(p->cr, b[0], b[1]);
        }
        t->moved = seen && b[0] == x && b[1] == y;
    }
    t->pen = true;
    t->x = x;
    t->y = y;
}

/* Ends a piece of a curve; a piece of one point, met once or more often, becomes a dot. */
static void add_gap(trace *t)
{
    painter *p = t->painter;
    bool dot = t->run > 0 && !t->extended;
    bool inside = t->x >= p->x && t->x <= p->x + p->w && t->y >= p->y && t->y <= p->y + p->h;
    if (dot && inside && t->drawing) {
        cairo_stroke(p->cr);
        cairo_arc(p->cr, t->x, t->y, 0.6 * MM, 0, 2 * CAROM_PI);
        cairo_fill(p->cr);
    }
    if (dot && inside && !t->drawing)
        mark(p, (double[2]){t->x, t->y}, (double[2]){t->x, t->y});
    t->pen = t->moved = t->extended = false;
    t->run = 0;
}

/* Last point of the points k … that lie in one column of the page and belong together. */
static size_t end_of_column(const painter *p, const carom_curve *c, size_t k)
{
    double column = floor((to_x(p, c->x[k]) - p->x) / COLUMN);
    while (k + 1 < c->count && carom_figure_is_point(c->x[k + 1], c->y[k + 1]) &&
           floor((to_x(p, c->x[k + 1]) - p->x) / COLUMN) == column)
        k++;
    return k;
}

/* Of points first … last, those that are seen: the first, the lowest and the highest in their order, the last. */
static void add_extremes(trace *t, const carom_curve *c, size_t first, size_t last)
{
    size_t low = first, high = first;
    for (size_t k = first; k <= last; k++) {
        if (c->y[k] < c->y[low])
            low = k;
        if (c->y[k] > c->y[high])
            high = k;
    }
    size_t chosen[4] = {first, low < high ? low : high, low < high ? high : low, last};
    for (int k = 0; k < 4; k++)
        if (k == 0 || chosen[k] != chosen[k - 1])
            add_point(t, to_x(t->painter, c->x[chosen[k]]), to_y(t->painter, c->y[chosen[k]]));
}

static void trace_curve(painter *p, const carom_curve *c, bool drawing)
{
    trace t = {.painter = p, .drawing = drawing};
    for (size_t k = 0; k < c->count; k++) {
        if (!carom_figure_is_point(c->x[k], c->y[k])) {
            add_gap(&t);
        } else if (c->count > MANY_POINTS) {
            size_t last = end_of_column(p, c, k);
            add_extremes(&t, c, k, last);
            k = last;
        } else {
            add_point(&t, to_x(p, c->x[k]), to_y(p, c->y[k]));
        }
    }
    add_gap(&t);
}

static void set_pen(cairo_t *cr, size_t curve)
{
    const double *colour = colours[curve % CAROM_COUNT(colours)];
    double lengths[6];
    int count = dashes[curve % CAROM_COUNT(dashes)].count;
    for (int k = 0; k < count; k++)
        lengths[k] = dashes[curve % CAROM_COUNT(dashes)].mm[k] * MM;
    cairo_set_source_rgb(cr, colour[0], colour[1], colour[2]);
    cairo_set_line_width(cr, 0.35 * MM);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_dash(cr, lengths, count, 0);
}

static void draw_curves(painter *p)
{
    cairo_save(p->cr);
    cairo_rectangle(p->cr, p->x, p->y, p->w, p->h);
    cairo_clip(p->cr);
    for (size_t k = 0; k < p->figure->curve_count; k++) {
        set_pen(p->cr, k);
        trace_curve(p, &p->figure->curves[k], true);
        cairo_stroke(p->cr);
    }
    cairo_restore(p->cr);
}

/* ---- legend ---- */

typedef struct legend {
    double x, y, w, h;          /* [pt] */
    double column;              /* width of a column [pt] */
    size_t columns, lines;
    size_t named;               /* curves with a line of their own; a last line says how many have none */
} legend;

#define SAMPLE (8 * MM)         /* length of the line before a name */
#define LEGEND_GAP (1.6 * MM)   /* from the frame, and inside the box */
#define LEGEND_COLUMNS 4        /* at most */
#define LINE_HEIGHT (1.35 * TICK_SIZE)

/* Name of a curve, cut with an ellipsis to `room` points. */
static void curve_name(cairo_t *cr, const carom_curve *curve, double room, char *out, size_t size)
{
    carom_figure_text(out, size - 4, curve->label);
    if (text_width(cr, out) <= room)
        return;
    size_t length = strlen(out);
    char cut_off[NAME_ROOM] = "…";
    while (length > 0) {
        do
            length--;
        while (length > 0 && ((unsigned char)out[length] & 0xC0) == 0x80);
        snprintf(cut_off, sizeof cut_off, "%.*s…", (int)length, out);
        if (text_width(cr, cut_off) <= room)
            break;
    }
    snprintf(out, size, "%s", cut_off);
}

static double name_room(const painter *p) { return 0.75 * p->w - SAMPLE - 4 * LEGEND_GAP; }

static legend measure_legend(painter *p, size_t columns)
{
    size_t count = p->figure->curve_count;
    size_t most = columns * (size_t)fmax(1, (0.8 * p->h - 2 * LEGEND_GAP) / LINE_HEIGHT);
    legend l = {.columns = columns, .named = count <= most ? count : most - 1};
    l.lines = ((count <= most ? count : most) + columns - 1) / columns;
    double widest = 0;
    set_size(p->cr, TICK_SIZE);
    for (size_t k = 0; k < l.named; k++) {
        char name[NAME_ROOM];
        curve_name(p->cr, &p->figure->curves[k], name_room(p), name, sizeof name);
        widest = fmax(widest, text_width(p->cr, name));
    }
    l.column = widest + SAMPLE + 3 * LEGEND_GAP;
    l.w = (double)columns * l.column;
    l.h = (double)l.lines * LINE_HEIGHT + LEGEND_GAP;
    return l;
}

/* Cells with curves under a legend with its surroundings. */
static int count_cells(const painter *p, const legend *l)
{
    int count = 0;
    for (int j = 0; j < CELLS_Y; j++)
        for (int i = 0; i < CELLS_X; i++) {
            double x = p->x + (i + 0.5) * p->w / CELLS_X, y = p->y + (j + 0.5) * p->h / CELLS_Y;
            if (p->cells[j][i] && x > l->x - 1.5 * MM && x < l->x + l->w + 1.5 * MM && y > l->y - 1.5 * MM &&
                y < l->y + l->h + 1.5 * MM)
                count++;
        }
    return count;
}

/* Moves the legend to the corner with the fewest cells of curves; returns their number. */
static int choose_corner(painter *p, legend *l)
{
    static const int corners[4][2] = {{1, 0}, {0, 0}, {1, 1}, {0, 1}};
    memset(p->cells, 0, sizeof p->cells);
    for (size_t k = 0; k < p->figure->curve_count; k++)
        trace_curve(p, &p->figure->curves[k], false);
    int best = -1;
    legend chosen = *l;
    for (int k = 0; k < 4; k++) {
        l->x = corners[k][0] ? p->x + p->w - l->w - TICK - LEGEND_GAP : p->x + TICK + LEGEND_GAP;
        l->y = corners[k][1] ? p->y + p->h - l->h - TICK - LEGEND_GAP : p->y + TICK + LEGEND_GAP;
        int count = count_cells(p, l);
        if (best < 0 || count < best) {
            best = count;
            chosen = *l;
        }
    }
    *l = chosen;
    return best;
}

/* Finds the place of the legend; where curves fill all corners, the range of y grows to make room above them for a
   legend of as many columns as fit. */
static legend place_legend(painter *p)
{
    legend l = measure_legend(p, 1);
    if (choose_corner(p, &l) == 0)
        return l;
    size_t columns = p->figure->curve_count < LEGEND_COLUMNS ? p->figure->curve_count : LEGEND_COLUMNS;
    while (columns > 1 && measure_legend(p, columns).w > p->w - 2 * (TICK + LEGEND_GAP))
        columns--;
    double room = measure_legend(p, columns).h + TICK + LEGEND_GAP + 2 * MM;
    if (room < 0.45 * p->h) {
        p->y_high += (p->y_high - p->y_low) * room / (p->h - room);
        lay_out(p);
        l = measure_legend(p, columns);
        choose_corner(p, &l);
    }
    return l;
}

static void draw_legend(painter *p, const legend *l)
{
    size_t count = p->figure->curve_count;
    cairo_rectangle(p->cr, l->x, l->y, l->w, l->h);
    cairo_set_source_rgba(p->cr, 1, 1, 1, 0.9);
    cairo_fill_preserve(p->cr);
    cairo_set_source_rgb(p->cr, 0.75, 0.75, 0.75);
    cairo_set_line_width(p->cr, 0.12 * MM);
    cairo_stroke(p->cr);
    set_size(p->cr, TICK_SIZE);
    for (size_t k = 0; k < l->named || (k == l->named && k < count); k++) {
        double x = l->x + (double)(k / l->lines) * l->column + LEGEND_GAP;
        double y = l->y + 0.5 * LEGEND_GAP + ((double)(k % l->lines) + 0.5) * LINE_HEIGHT;
        char name[NAME_ROOM];
        if (k == l->named) {
            snprintf(name, sizeof name, "and %zu more", count - k);
        } else {
            curve_name(p->cr, &p->figure->curves[k], name_room(p), name, sizeof name);
            cairo_save(p->cr);
            set_pen(p->cr, k);
            line(p->cr, x, y, x + SAMPLE, y);
            cairo_stroke(p->cr);
            cairo_restore(p->cr);
        }
        cairo_set_source_rgb(p->cr, 0, 0, 0);
        show(p->cr, x + SAMPLE + LEGEND_GAP, y + 0.36 * TICK_SIZE, 0, name);
    }
}

/* ---- the page ---- */

static bool has_legend(const carom_figure *f)
{
    for (size_t k = 0; f->curve_count > 1 && k < f->curve_count; k++)
        if (f->curves[k].label && f->curves[k].label[0])
            return true;
    return false;
}

static void draw_page(painter *p)
{
    bool legend_shown = has_legend(p->figure);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(p->cr, options);
    cairo_font_options_destroy(options);
    cairo_select_font_face(p->cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_source_rgb(p->cr, 1, 1, 1);
    cairo_paint(p->cr);
    lay_out(p);
    legend l = {0};
    if (legend_shown)
        l = place_legend(p);
    draw_grid(p);
    draw_curves(p);
    draw_frame(p);
    if (legend_shown)
        draw_legend(p, &l);
}

static cairo_status_t keep_bytes(void *user, const unsigned char *bytes, unsigned int length)
{
    carom_text *text = user;
    carom_text_append_n(text, (const char *)bytes, length);
    return text->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *make_surface(painter *p, carom_text *bytes)
{
    if (p->ending == SVG)
        return cairo_svg_surface_create_for_stream(keep_bytes, bytes, p->width, p->height);
    if (p->ending == PDF) {
        cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(keep_bytes, bytes, p->width, p->height);
        char title[CAROM_AXIS_TEXT];
        carom_figure_text(title, sizeof title, p->figure->title);
        /* a fixed length for what drop_date() takes out */
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Carom");
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
        return surface;
    }
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(p->width / 72 * DOTS),
                                      (int)lround(p->height / 72 * DOTS));
}

/* Draws the figure into memory. */
static carom_status render(painter *p, carom_text *bytes)
{
    cairo_surface_t *surface = make_surface(p, bytes);
    p->cr = cairo_create(surface);
    if (p->ending == PNG)
        cairo_scale(p->cr, DOTS / 72, DOTS / 72);
    draw_page(p);
    cairo_status_t status = cairo_status(p->cr);
    cairo_destroy(p->cr);
    if (status == CAIRO_STATUS_SUCCESS && p->ending == PNG)
        status = cairo_surface_write_to_png_stream(surface, keep_bytes, bytes);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (bytes->failed || status == CAIRO_STATUS_NO_MEMORY)
        return carom_fail_memory(p->ctx);
    if (status != CAIRO_STATUS_SUCCESS)
        return carom_fail(p->ctx, CAROM_ERROR_IO, NULL, "figure: cannot be drawn: %s; try another size or ending",
                          cairo_status_to_string(status));
    return CAROM_OK;
}

/* Overwrites the date of a PDF with blanks, so that equal figures give equal files. */
static void drop_date(carom_text *pdf)
{
    static const char key[] = "/CreationDate (";
    for (size_t k = 0; k + sizeof key < pdf->length; k++)
        if (memcmp(pdf->data + k, key, sizeof key - 1) == 0) {
            char *end = memchr(pdf->data + k, ')', pdf->length - k);
            if (end)
                memset(pdf->data + k, ' ', (size_t)(end + 1 - pdf->data) - k);
            return;
        }
}

static void append_xml(carom_text *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '&' || *p == '<' || *p == '>')
            carom_text_append(out, *p == '&' ? "&amp;" : *p == '<' ? "&lt;" : "&gt;");
        else
            carom_text_append_n(out, p, 1);
    }
}

/* Copies an SVG and adds, after its first tag, a title and a description for those who cannot see its glyphs. */
static carom_status describe(const painter *p, const carom_text *svg, carom_text *out)
{
    const char *tag = strstr(svg->data, "<svg"), *end = tag ? strchr(tag, '>') : NULL;
    char text[CAROM_AXIS_TEXT];
    size_t head = end ? (size_t)(end + 1 - svg->data) : 0;
    carom_text_append_n(out, svg->data, head);
    if (head) {
        carom_figure_text(text, sizeof text, p->figure->title);
        carom_text_append(out, "\n<title>");
        append_xml(out, text);
        carom_text_append(out, "</title>\n<desc>");
        append_xml(out, p->x_axis.label);
        carom_text_append(out, "; ");
        append_xml(out, p->y_axis.label);
        for (size_t k = 0; k < p->figure->curve_count; k++) {
            carom_figure_text(text, sizeof text, p->figure->curves[k].label);
            carom_text_append(out, k ? ", " : "; ");
            append_xml(out, text);
        }
        carom_text_append(out, "</desc>");
    }
    /* cairo numbers its surfaces: the number is left out, so that equal figures give equal files */
    const char *id = strstr(svg->data + head, "id=\"surface");
    if (id) {
        size_t before = (size_t)(id - svg->data) + strlen("id=\"surface");
        carom_text_append_n(out, svg->data + head, before - head);
        head = before + strspn(svg->data + before, "0123456789");
    }
    carom_text_append_n(out, svg->data + head, svg->length - head);
    return out->failed ? carom_fail_memory(p->ctx) : CAROM_OK;
}

/* ---- the file ---- */

static carom_status save(carom_context *ctx, const char *path, const carom_text *bytes)
{
    FILE *file = fopen(path, "wb");
    struct stat info;
    bool ordinary = file && fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode);
    bool done = file && fwrite(bytes->data, 1, bytes->length, file) == bytes->length;
    int error = errno;
    if (file && fclose(file) != 0) {
        error = done ? errno : error;
        done = false;
    }
    if (done)
        return CAROM_OK;
    if (ordinary)
        remove(path);
    return carom_fail(ctx, CAROM_ERROR_IO, NULL, "%s: cannot be written: %s; %s", path, strerror(error),
                      error == ENOENT   ? "make the folder first"
                      : error == ENOSPC ? "make room on the disk"
                                        : "choose another name or folder");
}

static bool find_ending(const char *path, ending *out)
{
    static const char *const endings[] = {".svg", ".pdf", ".png"};
    size_t length = path ? strlen(path) : 0;
    for (int k = 0; k < 3; k++)
        if (length > 4 && strcmp(path + length - 4, endings[k]) == 0) {
            *out = (ending)k;
            return true;
        }
    return false;
}

static carom_status check_figure(carom_context *ctx, const carom_figure *f, double width, double height)
{
    if (!(width >= 40 && height >= 30 && width <= 1000 && height <= 1000))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "figure: %g mm x %g mm; the width is from 40 to 1000, the height from 30 to 1000", width,
                          height);
    if (!(f->x_min <= f->x_max) || !carom_figure_is_point(f->x_min, f->x_max))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "figure: x from %g to %g; give the smaller one first",
                          f->x_min, f->x_max);
    if (f->x_min < f->x_max && !carom_axis_is_wide(f->x_min, f->x_max))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "figure: x from %.17g to %.17g; give a wider range", f->x_min,
                          f->x_max);
    if (!f->curve_count)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "figure: nothing to draw, there is no curve; give at least one");
    for (size_t k = 0; k < f->curve_count; k++)
        if (f->curves[k].count && (!f->curves[k].x || !f->curves[k].y))
            return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "figure: curve %zu has %zu points but no arrays of them",
                              k + 1, f->curves[k].count);
    return CAROM_OK;
}

carom_status carom_figure_draw(carom_context *ctx, const carom_figure *figure, const char *path)
{
    double width = figure->width != 0 ? figure->width : 120, height = figure->height != 0 ? figure->height : 80;
    ending kind;
    if (!find_ending(path, &kind))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "%s: a figure ends in .svg, .pdf or .png; choose one of these",
                          path ? path : "");
    CAROM_TRY(check_figure(ctx, figure, width, height));
    painter *p = carom_allocate(ctx, 1, sizeof *p);
    if (!p)
        return carom_fail_memory(ctx);
    *p = (painter){.ctx = ctx, .figure = figure, .ending = kind, .width = width * MM, .height = height * MM};
    carom_text drawn = {.ctx = ctx}, described = {.ctx = ctx};
    carom_status status = find_ranges(p);
    if (status == CAROM_OK)
        status = render(p, &drawn);
    if (status == CAROM_OK && kind == SVG)
        status = describe(p, &drawn, &described);
    if (status == CAROM_OK && kind == PDF)
        drop_date(&drawn);
    if (status == CAROM_OK)
        status = save(ctx, path, kind == SVG ? &described : &drawn);
    carom_text_free(&drawn);
    carom_text_free(&described);
    carom_release(ctx, p, 1, sizeof *p);
    return status;
}

/* Curves of figures: lines cut to the plot area and thinned, dots, markers, and the cells that they cross. */
#include "figure/paint.h"

#include <math.h>
#include <string.h>

#define MANY_POINTS 20000   /* curves of more are thinned to a few points a column */
#define COLUMN (72.0 / 200) /* width of such a column [pt] */

/* Lengths of dashes and gaps, in units of the look. */
static const struct {
    int count;
    double length[6];
} dashes[] = {
    {0, {0}}, {2, {2.2, 0.9}}, {4, {2.2, 0.8, 0.5, 0.8}}, {2, {0.7, 0.7}}, {6, {2.2, 0.7, 0.5, 0.7, 0.5, 0.7}}};

/* Markers: corners on the unit circle, from `first` turns on; 0: a circle. */
static const struct {
    int corners;
    double first;
} markers[] = {{0, 0}, {4, 0.125}, {3, 0.75}, {4, 0}, {3, 0.25}, {5, 0.75}};

/* ---- lines ---- */

/* Receives the points of a curve on the page one after the other; `pen` is up before the first and after a gap. */
typedef struct trace {
    carom_painter *painter;
    bool drawing;    /* else the cells that the curve crosses are marked */
    bool pen, moved; /* there is a last point; the path ends there */
    double x, y;     /* last point */
    bool extended;   /* not all points since the last gap are the same */
    size_t run;      /* points since the last gap */
} trace;

/* Cuts the segment a-b to the plot area with a margin of 2 mm (Liang and Barsky 1984); false if nothing is left. */
static bool cut(const carom_painter *p, double a[2], double b[2])
{
    const double low[2] = {p->x - 2 * CAROM_MM, p->y - 2 * CAROM_MM},
                 high[2] = {p->x + p->w + 2 * CAROM_MM, p->y + p->h + 2 * CAROM_MM};
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
static void mark(carom_painter *p, const double a[2], const double b[2])
{
    double cell_w = p->w / CAROM_CELLS_X, cell_h = p->h / CAROM_CELLS_Y;
    int steps = 1 + (int)(2 * fmax(fabs(b[0] - a[0]) / cell_w, fabs(b[1] - a[1]) / cell_h));
    for (int k = 0; k <= steps; k++) {
        double t = (double)k / steps;
        double x = (a[0] + t * (b[0] - a[0]) - p->x) / cell_w, y = (a[1] + t * (b[1] - a[1]) - p->y) / cell_h;
        if (x >= 0 && x < CAROM_CELLS_X && y >= 0 && y < CAROM_CELLS_Y)
            p->cells[(int)y][(int)x] = 1;
    }
}

static void add_point(trace *t, double x, double y)
{
    carom_painter *p = t->painter;
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
    carom_painter *p = t->painter;
    bool dot = t->run > 0 && !t->extended;
    bool inside = t->x >= p->x && t->x <= p->x + p->w && t->y >= p->y && t->y <= p->y + p->h;
    if (dot && inside && t->drawing) {
        cairo_stroke(p->cr);
        cairo_arc(p->cr, t->x, t->y, p->look->dot, 0, 2 * CAROM_PI);
        cairo_fill(p->cr);
    }
    if (dot && inside && !t->drawing)
        mark(p, (double[2]){t->x, t->y}, (double[2]){t->x, t->y});
    t->pen = t->moved = t->extended = false;
    t->run = 0;
}

/* Last point of the points k … that lie in one column of the page and belong together. */
static size_t end_of_column(const carom_painter *p, const carom_curve *c, size_t k)
{
    double column = floor((carom_paint_x(p, c->x[k]) - p->x) / COLUMN);
    while (k + 1 < c->count && carom_figure_shows(p->figure, c, k + 1) &&
           floor((carom_paint_x(p, c->x[k + 1]) - p->x) / COLUMN) == column)
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
            add_point(t, carom_paint_x(t->painter, c->x[chosen[k]]),
                      carom_paint_y(t->painter, c->axis, c->y[chosen[k]]));
}

static void trace_curve(carom_painter *p, const carom_curve *c, bool drawing)
{
    trace t = {.painter = p, .drawing = drawing};
    for (size_t k = 0; k < c->count; k++) {
        if (!carom_figure_shows(p->figure, c, k)) {
            add_gap(&t);
        } else if (c->count > MANY_POINTS) {
            size_t last = end_of_column(p, c, k);
            add_extremes(&t, c, k, last);
            k = last;
        } else {
            add_point(&t, carom_paint_x(p, c->x[k]), carom_paint_y(p, c->axis, c->y[k]));
        }
    }
    add_gap(&t);
}

/* ---- markers ---- */

static void draw_marker(const carom_painter *p, size_t curve, double x, double y)
{
    size_t shape = curve % CAROM_COUNT(markers);
    if (p->figure->curves[curve].dots) {
        cairo_new_path(p->cr);
        cairo_arc(p->cr, x, y, p->look->dot, 0, 2 * CAROM_PI);
        cairo_fill(p->cr);
        return;
    }
    int corners = markers[shape].corners;
    double radius = corners ? 1.2 * p->look->marker : p->look->marker;
    cairo_new_path(p->cr);
    for (int k = 0; k < corners; k++) {
        double angle = 2 * CAROM_PI * (markers[shape].first + (double)k / corners);
        cairo_line_to(p->cr, x + radius * cos(angle), y + radius * sin(angle));
    }
    if (!corners)
        cairo_arc(p->cr, x, y, radius, 0, 2 * CAROM_PI);
    cairo_close_path(p->cr);
    cairo_stroke(p->cr);
}

/* The error of a point: a line with short ends. */
static void draw_whisker(const carom_painter *p, const carom_curve *c, size_t k, double x)
{
    if (!carom_figure_is_point(c->low[k], c->high[k]))
        return;
    const double low = carom_paint_y(p, c->axis, c->low[k]), high = carom_paint_y(p, c->axis, c->high[k]);
    const double end = 0.6 * CAROM_MM, ends[2] = {low, high};
    cairo_set_dash(p->cr, NULL, 0, 0);
    cairo_set_line_width(p->cr, 0.7 * p->look->line);
    cairo_move_to(p->cr, x, low);
    cairo_line_to(p->cr, x, high);
    for (int n = 0; n < 2; n++) {
        cairo_move_to(p->cr, x - end, ends[n]);
        cairo_line_to(p->cr, x + end, ends[n]);
    }
    cairo_stroke(p->cr);
}

/* Draws the markers of the points in the plot area, or marks their cells; among a great number of points only those
   that are seen apart from the one before. */
static void mark_points(carom_painter *p, size_t curve, bool drawing)
{
    const carom_curve *c = &p->figure->curves[curve];
    double last[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t k = 0; k < c->count; k++) {
        if (!carom_figure_shows(p->figure, c, k))
            continue;
        double at[2] = {carom_paint_x(p, c->x[k]), carom_paint_y(p, c->axis, c->y[k])};
        const double edge = 0.01;
        bool inside =
            at[0] >= p->x - edge && at[0] <= p->x + p->w + edge && at[1] >= p->y - edge && at[1] <= p->y + p->h + edge;
        bool near = c->count > MANY_POINTS && hypot(at[0] - last[0], at[1] - last[1]) < COLUMN;
        if (!inside || near)
            continue;
        if (drawing && c->low && c->high)
            draw_whisker(p, c, k, at[0]);
        if (drawing)
            draw_marker(p, curve, at[0], at[1]);
        else
            mark(p, at, at);
        last[0] = at[0];
        last[1] = at[1];
    }
}

/* ---- bars ---- */

/* Bars from x = 0, and whiskers with ends half as high. */
static void draw_bars(const carom_painter *p, size_t curve)
{
    const carom_curve *c = &p->figure->curves[curve];
    const double zero = carom_paint_x(p, 0);
    cairo_set_dash(p->cr, NULL, 0, 0);
    for (size_t k = 0; k < c->count; k++) {
        if (!carom_figure_shows(p->figure, c, k))
            continue;
        const double top = carom_paint_y(p, c->axis, c->y[k] + 0.5 * c->thickness);
        const double bottom = carom_paint_y(p, c->axis, c->y[k] - 0.5 * c->thickness);
        cairo_rectangle(p->cr, zero, top, carom_paint_x(p, c->x[k]) - zero, bottom - top);
        cairo_fill(p->cr);
    }
    if (!c->low || !c->high)
        return;
    cairo_set_source_rgb(p->cr, 0, 0, 0);
    cairo_set_line_width(p->cr, 0.7 * p->look->line);
    for (size_t k = 0; k < c->count; k++) {
        if (!carom_figure_is_point(c->low[k], c->high[k]) || !carom_figure_is_point(c->y[k], 0))
            continue;
        const double low = carom_paint_x(p, c->low[k]), high = carom_paint_x(p, c->high[k]);
        const double y = carom_paint_y(p, c->axis, c->y[k]);
        const double end = 0.25 * fabs(carom_paint_y(p, c->axis, c->y[k] + c->thickness) - y);
        cairo_move_to(p->cr, low, y - end);
        cairo_line_to(p->cr, low, y + end);
        cairo_move_to(p->cr, low, y);
        cairo_line_to(p->cr, high, y);
        cairo_move_to(p->cr, high, y - end);
        cairo_line_to(p->cr, high, y + end);
    }
    cairo_stroke(p->cr);
}

/* ---- all curves ---- */

static void set_pen(const carom_painter *p, size_t curve)
{
    const carom_look *l = p->look;
    const double *colour = l->colours[curve % l->colour_count];
    double lengths[6];
    bool solid = p->figure->curves[curve].markers;
    int count = solid ? 0 : dashes[curve % CAROM_COUNT(dashes)].count;
    for (int k = 0; k < count; k++)
        lengths[k] = dashes[curve % CAROM_COUNT(dashes)].length[k] * l->dash;
    cairo_set_source_rgb(p->cr, colour[0], colour[1], colour[2]);
    cairo_set_line_width(p->cr, solid ? 0.8 * l->line : l->line);
    cairo_set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_dash(p->cr, lengths, count, 0);
}

void carom_paint_mark_cells(carom_painter *p)
{
    memset(p->cells, 0, sizeof p->cells);
    for (size_t k = 0; k < p->figure->curve_count; k++)
        if (p->figure->curves[k].markers || p->figure->curves[k].bars)
            mark_points(p, k, false);
        else
            trace_curve(p, &p->figure->curves[k], false);
}

void carom_paint_curves(carom_painter *p)
{
    cairo_save(p->cr);
    cairo_rectangle(p->cr, p->x, p->y, p->w, p->h);
    cairo_clip(p->cr);
    for (size_t k = 0; k < p->figure->curve_count; k++) {
        if (p->figure->curves[k].markers)
            continue;
        set_pen(p, k);
        if (p->figure->curves[k].bars) {
            draw_bars(p, k);
            continue;
        }
        trace_curve(p, &p->figure->curves[k], true);
        cairo_stroke(p->cr);
    }
    cairo_restore(p->cr);
    /* markers lie on the lines, and whole on the frame */
    cairo_save(p->cr);
    for (size_t k = 0; k < p->figure->curve_count; k++)
        if (p->figure->curves[k].markers) {
            set_pen(p, k);
            mark_points(p, k, true);
        }
    cairo_restore(p->cr);
}

void carom_paint_sample(const carom_painter *p, size_t curve, double x, double y, double length)
{
    cairo_save(p->cr);
    set_pen(p, curve);
    if (p->figure->curves[curve].markers) {
        draw_marker(p, curve, x + 0.5 * length, y);
    } else if (p->figure->curves[curve].bars) {
        cairo_rectangle(p->cr, x, y - 0.3 * p->look->text, length, 0.6 * p->look->text);
        cairo_fill(p->cr);
    } else {
        cairo_move_to(p->cr, x, y);
        cairo_line_to(p->cr, x + length, y);
        cairo_stroke(p->cr);
    }
    cairo_restore(p->cr);
}

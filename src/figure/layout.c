/* The plot area of a figure: where it lies between title, labels and ticks, its frame, grid and axes. */
#include "figure/paint.h"

#include <math.h>
#include <stdio.h>

#define FAR 1e9 /* of points off the page, in widths of it */
#define MOST_X_TICKS 9
#define LOWEST (-323) /* exponents of the powers of ten that are numbers */
#define HIGHEST 307

/* ---- places ---- */

/* Part of the range of a scale, limited so that places on the page stay numbers. */
static double part_of(const carom_scale *s, double value)
{
    double at = carom_figure_to_scale(s->log, value);
    return fmax(-FAR, fmin(FAR, (at - s->low) / (s->high - s->low)));
}

double carom_paint_x(const carom_painter *p, double value) { return p->x + part_of(&p->x_scale, value) * p->w; }

double carom_paint_y(const carom_painter *p, int axis, double value)
{
    return p->y + p->h - part_of(&p->y_scale[axis], value) * p->h;
}

/* ---- layout ---- */

static double widest_tick(const carom_painter *p, const carom_axis *axis)
{
    double widest = 0;
    char text[64];
    cairo_set_font_size(p->cr, p->look->text);
    for (int k = 0; k < axis->count; k++) {
        carom_axis_tick_text(axis, k, text, sizeof text);
        widest = fmax(widest, carom_paint_width(p->cr, text));
    }
    return widest;
}

static double size_of(const carom_scale *s) { return fmax(fabs(s->low), fabs(s->high)); }

/* Plans an axis; with equal scales x and y have the same prefix. */
static void plan_axis(const carom_painter *p, carom_axis *axis, const char *label, const char *unit,
                      const carom_scale *s, int max_ticks)
{
    double size = p->figure->equal_scales ? fmax(size_of(&p->x_scale), size_of(&p->y_scale[0])) : size_of(s);
    if (s->log)
        carom_axis_plan_log(axis, label, unit, pow(10, fmax(s->low, LOWEST)), pow(10, fmin(s->high, HIGHEST)),
                            max_ticks);
    else
        carom_axis_plan_sized(axis, label, unit, s->low, s->high, size, max_ticks);
}

static void plan_y(carom_painter *p, int axis)
{
    const carom_figure *f = p->figure;
    if (axis == 0 && f->y_names) {
        carom_axis_plan_names(&p->y_axis[0], f->y_label, f->y_names, f->y_name_count);
        return;
    }
    int rows = (int)(p->h / p->look->row);
    rows = rows < 2 ? 2 : rows;
    do
        plan_axis(p, &p->y_axis[axis], axis ? f->y2_label : f->y_label, axis ? f->y2_unit : f->y_unit,
                  &p->y_scale[axis], rows++);
    while (p->y_axis[axis].count < 2 && rows < 6);
}

/* Room beside the plot area for label and ticks of a vertical axis. */
static double room_beside(const carom_painter *p, int axis)
{
    const carom_axis *a = &p->y_axis[axis];
    return p->look->margin + (a->label[0] ? p->look->label * 1.5 : 0) + widest_tick(p, a) + 1.2 * p->look->unit;
}

/* Least distance of two ticks of x on the page. */
static double tick_distance(const carom_painter *p)
{
    const carom_axis *a = &p->x_axis;
    if (!p->x_scale.log)
        return a->step / a->factor / (p->x_scale.high - p->x_scale.low) * p->w;
    double least = HUGE_VAL;
    for (int k = 1; k < a->count; k++)
        least =
            fmin(least, carom_paint_x(p, carom_axis_tick(a, k, 0)) - carom_paint_x(p, carom_axis_tick(a, k - 1, 0)));
    return least;
}

void carom_paint_lay_out(carom_painter *p)
{
    const carom_figure *f = p->figure;
    const carom_look *l = p->look;
    p->y = l->margin + (f->title && f->title[0] ? l->title * 1.5 : 0) + p->head;
    p->h = p->height - p->y - (l->margin + l->label * 1.25 + l->text * 1.6);
    plan_y(p, 0);
    p->x = room_beside(p, 0);
    /* half of the text of a tick at the right end must find room beside the frame */
    plan_axis(p, &p->x_axis, f->x_label, f->x_unit, &p->x_scale, 5);
    double beside = fmax(1.5 * l->margin, 0.5 * widest_tick(p, &p->x_axis) + 1.5 * l->unit);
    if (p->right) {
        plan_y(p, 1);
        beside = fmax(beside, room_beside(p, 1) + p->bar);
    }
    p->w = p->width - p->x - beside;
    /* the most ticks whose texts keep their distance */
    for (int ticks = MOST_X_TICKS; ticks >= 1; ticks--) {
        plan_axis(p, &p->x_axis, f->x_label, f->x_unit, &p->x_scale, ticks);
        if (tick_distance(p) > 1.5 * widest_tick(p, &p->x_axis) + 2 * l->unit)
            break;
    }
}

static void grow(carom_scale *s, double span)
{
    double more = 0.5 * (span - (s->high - s->low));
    s->low -= more;
    s->high += more;
}

void carom_paint_equal(carom_painter *p)
{
    const carom_scale x = p->x_scale, y = p->y_scale[0];
    carom_paint_lay_out(p);
    /* the plot area depends on the texts of the ticks, and these on the ranges: a few rounds settle both */
    for (int round = 0; round < 4; round++) {
        double length = fmax((x.high - x.low) / p->w, (y.high - y.low) / p->h);
        p->x_scale = x;
        p->y_scale[0] = y;
        grow(&p->x_scale, length * p->w);
        grow(&p->y_scale[0], length * p->h);
        carom_paint_lay_out(p);
    }
}

/* ---- axes ---- */

static void line(cairo_t *cr, double x0, double y0, double x1, double y1)
{
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
}

void carom_paint_grid(const carom_painter *p)
{
    if (p->look->grid == 0)
        return;
    cairo_set_source_rgb(p->cr, 0.88, 0.88, 0.88);
    cairo_set_line_width(p->cr, p->look->grid);
    for (int k = 0; k < p->x_axis.count; k++) {
        double x = carom_paint_x(p, carom_axis_tick(&p->x_axis, k, 0));
        line(p->cr, x, p->y, x, p->y + p->h);
    }
    for (int k = 0; k < p->y_axis[0].count; k++) {
        double y = carom_paint_y(p, 0, carom_axis_tick(&p->y_axis[0], k, 0));
        line(p->cr, p->x, y, p->x + p->w, y);
    }
    cairo_stroke(p->cr);
}

static bool is_in_range(const carom_scale *s, double value)
{
    double at = carom_figure_to_scale(s->log, value), margin = 1e-6 * (s->high - s->low);
    return at >= s->low - margin && at <= s->high + margin;
}

/* Ticks of x at the lower and the upper side. */
static void draw_ticks_x(const carom_painter *p)
{
    const carom_axis *a = &p->x_axis;
    for (int k = -1; k < a->count; k++)
        for (int part = 0; part < carom_axis_parts(a, k); part++) {
            double value = carom_axis_tick(a, k, part), length = part ? 0.55 * p->look->tick : p->look->tick;
            if (!is_in_range(&p->x_scale, value))
                continue;
            double x = carom_paint_x(p, value);
            line(p->cr, x, p->y + p->h, x, p->y + p->h - length);
            line(p->cr, x, p->y, x, p->y + length);
        }
}

/* Ticks of a vertical axis: the left one has them at both sides if there is no right one. */
static void draw_ticks_y(const carom_painter *p, int axis)
{
    const carom_axis *a = &p->y_axis[axis];
    for (int k = -1; k < a->count; k++)
        for (int part = 0; part < carom_axis_parts(a, k); part++) {
            double value = carom_axis_tick(a, k, part), length = part ? 0.55 * p->look->tick : p->look->tick;
            if (!is_in_range(&p->y_scale[axis], value))
                continue;
            double y = carom_paint_y(p, axis, value);
            if (axis == 0)
                line(p->cr, p->x, y, p->x + length, y);
            const double side = p->x + p->w + (axis == 1 ? p->bar : 0);
            if (axis == 1 || !p->right || p->bar > 0)
                line(p->cr, side, y, side - length, y);
        }
}

static void draw_upright_label(const carom_painter *p, int axis, double x)
{
    const char *label = p->y_axis[axis].label;
    double unit = p->look->unit;
    carom_paint_fit(p->cr, label, p->look->label, p->height - 2 * unit);
    double half = 0.5 * carom_paint_width(p->cr, label);
    double middle = fmin(fmax(p->y + 0.5 * p->h, half + unit), p->height - half - unit);
    cairo_save(p->cr);
    cairo_translate(p->cr, x, middle);
    cairo_rotate(p->cr, -0.5 * CAROM_PI);
    carom_paint_text(p->cr, 0, 0, 0.5, label);
    cairo_restore(p->cr);
}

static void draw_labels(const carom_painter *p)
{
    const carom_look *l = p->look;
    carom_paint_fit(p->cr, p->x_axis.label, l->label, p->w + l->margin);
    carom_paint_text(p->cr, p->x + 0.5 * p->w, p->height - l->margin, 0.5, p->x_axis.label);
    draw_upright_label(p, 0, l->margin + 0.75 * l->label);
    if (p->right)
        draw_upright_label(p, 1, p->width - l->margin - 0.25 * l->label);
    if (!p->figure->title || !p->figure->title[0])
        return;
    char text[CAROM_AXIS_TEXT];
    carom_figure_text(text, sizeof text, p->figure->title);
    carom_paint_fit(p->cr, text, l->title, p->width - 2 * l->margin);
    double half = 0.5 * carom_paint_width(p->cr, text);
    carom_paint_text(p->cr, fmin(p->x + 0.5 * p->w, p->width - l->margin - half), l->margin + 0.8 * l->title, 0.5,
                     text);
}

void carom_paint_frame(const carom_painter *p)
{
    const carom_look *l = p->look;
    cairo_set_source_rgb(p->cr, 0, 0, 0);
    cairo_set_line_width(p->cr, l->frame);
    cairo_rectangle(p->cr, p->x, p->y, p->w, p->h);
    cairo_stroke(p->cr);
    draw_ticks_x(p);
    for (int axis = 0; axis < (p->right ? 2 : 1); axis++)
        draw_ticks_y(p, axis);
    cairo_stroke(p->cr);
    char text[CAROM_AXIS_TEXT];
    cairo_set_font_size(p->cr, l->text);
    for (int k = 0; k < p->x_axis.count; k++) {
        carom_axis_tick_text(&p->x_axis, k, text, sizeof text);
        double x = carom_paint_x(p, carom_axis_tick(&p->x_axis, k, 0));
        carom_paint_text(p->cr, x, p->y + p->h + 1.35 * l->text, 0.5, text);
    }
    for (int axis = 0; axis < (p->right ? 2 : 1); axis++)
        for (int k = 0; k < p->y_axis[axis].count; k++) {
            carom_axis_tick_text(&p->y_axis[axis], k, text, sizeof text);
            double y = carom_paint_y(p, axis, carom_axis_tick(&p->y_axis[axis], k, 0)) + 0.36 * l->text;
            double x = axis ? p->x + p->w + p->bar + 1.2 * l->unit : p->x - 1.2 * l->unit;
            carom_paint_text(p->cr, x, y, axis ? 0 : 1, text);
        }
    draw_labels(p);
}

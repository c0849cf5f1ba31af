/* Legends of figures: names of the curves where they cover no curve, or above the frame. */
#include "figure/paint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAMPLE 8  /* length of the line before a name, in units of the look */
#define GAP 1.6   /* from the frame, and inside the box, likewise */
#define COLUMNS 4 /* at most, inside the frame */
#define NAME_ROOM 160

static const char right_mark[] = " (right)";

static bool is_marked(const carom_painter *p, size_t curve)
{
    const carom_curve *c = &p->figure->curves[curve];
    return c->axis == 1 && c->label && c->label[0];
}

void carom_paint_curve_name(const carom_painter *p, size_t curve, char *out, size_t size)
{
    carom_figure_text(out, size - sizeof right_mark, p->figure->curves[curve].label);
    if (is_marked(p, curve))
        snprintf(out + strlen(out), sizeof right_mark, "%s", right_mark);
}

/* Name of a curve, cut to a width, but for the mark of the right axis. */
static void short_name(const carom_painter *p, size_t curve, double available, char *out, size_t size)
{
    bool marked = is_marked(p, curve);
    size_t spare = marked ? sizeof right_mark + 4 : 4;
    carom_figure_text(out, size - spare, p->figure->curves[curve].label);
    carom_paint_cut(p->cr, available - (marked ? carom_paint_width(p->cr, right_mark) : 0), out, size - spare + 4);
    if (marked)
        snprintf(out + strlen(out), sizeof right_mark, "%s", right_mark);
}

static double gap(const carom_painter *p) { return GAP * p->look->unit; }

/* Longest name: with a box around it a legend leaves a quarter of the width free, else it may fill it. */
static double name_width(const carom_painter *p)
{
    double free = p->look->boxed ? 0.25 * p->w : 2 * p->look->tick;
    return p->w - free - SAMPLE * p->look->unit - (p->look->boxed ? 4 : 5) * gap(p);
}

/* Size of a legend of so many columns that is at most `height` high. */
static carom_legend measure(const carom_painter *p, size_t columns, double height)
{
    size_t count = p->figure->curve_count;
    double line_height = CAROM_LINE_HEIGHT * p->look->text;
    size_t most = columns * (size_t)fmax(1, (height - 2 * gap(p)) / line_height);
    carom_legend l = {.columns = columns, .named = count <= most ? count : most - 1, .shown = true};
    l.lines = ((count <= most ? count : most) + columns - 1) / columns;
    double widest = 0;
    cairo_set_font_size(p->cr, p->look->text);
    for (size_t k = 0; k < l.named; k++) {
        char name[NAME_ROOM];
        short_name(p, k, name_width(p), name, sizeof name);
        widest = fmax(widest, carom_paint_width(p->cr, name));
    }
    l.column = widest + SAMPLE * p->look->unit + 3 * gap(p);
    l.w = (double)columns * l.column;
    l.h = (double)l.lines * line_height + gap(p);
    return l;
}

/* The most columns, up to `most`, of a legend that is at most `width` wide. */
static size_t fitting_columns(const carom_painter *p, size_t most, double width, double height)
{
    size_t columns = p->figure->curve_count < most ? p->figure->curve_count : most;
    while (columns > 1 && measure(p, columns, height).w > width)
        columns--;
    return columns;
}

/* ---- inside the frame ---- */

/* Cells with curves under a legend with its surroundings. */
static int count_cells(const carom_painter *p, const carom_legend *l)
{
    int count = 0;
    double around = 1.5 * p->look->unit;
    for (int j = 0; j < CAROM_CELLS_Y; j++)
        for (int i = 0; i < CAROM_CELLS_X; i++) {
            double x = p->x + (i + 0.5) * p->w / CAROM_CELLS_X, y = p->y + (j + 0.5) * p->h / CAROM_CELLS_Y;
            if (p->cells[j][i] && x > l->x - around && x < l->x + l->w + around && y > l->y - around &&
                y < l->y + l->h + around)
                count++;
        }
    return count;
}

/* Moves the legend to the corner with the fewest cells of curves; returns their number. */
static int choose_corner(carom_painter *p, carom_legend *l)
{
    static const int corners[4][2] = {{1, 0}, {0, 0}, {1, 1}, {0, 1}};
    carom_paint_mark_cells(p);
    int best = -1;
    carom_legend chosen = *l;
    for (int k = 0; k < 4; k++) {
        l->x = corners[k][0] ? p->x + p->w - l->w - p->look->tick - gap(p) : p->x + p->look->tick + gap(p);
        l->y = corners[k][1] ? p->y + p->h - l->h - p->look->tick - gap(p) : p->y + p->look->tick + gap(p);
        int count = count_cells(p, l);
        if (best < 0 || count < best) {
            best = count;
            chosen = *l;
        }
    }
    *l = chosen;
    return best;
}

/* Where curves fill all corners, the ranges of y grow to make space above them for a legend of as many columns as fit,
   unless the figure sets them. */
static carom_legend place_inside(carom_painter *p)
{
    const carom_figure *f = p->figure;
    carom_legend l = measure(p, 1, 0.8 * p->h);
    if (choose_corner(p, &l) == 0 || f->equal_scales || f->y_min < f->y_max || f->y2_min < f->y2_max)
        return l;
    double tall = 0.8 * p->h;
    size_t columns = fitting_columns(p, COLUMNS, p->w - 2 * (p->look->tick + gap(p)), tall);
    double height = measure(p, columns, tall).h + p->look->tick + gap(p) + 2 * p->look->unit;
    if (height < 0.45 * p->h) {
        for (int axis = 0; axis < (p->right ? 2 : 1); axis++)
            p->y_scale[axis].high += (p->y_scale[axis].high - p->y_scale[axis].low) * height / (p->h - height);
        carom_paint_lay_out(p);
        l = measure(p, columns, 0.8 * p->h);
        choose_corner(p, &l);
    }
    return l;
}

/* ---- outside ---- */

static carom_legend place_outside(carom_painter *p)
{
    double tall = 0.45 * p->h;
    size_t columns = fitting_columns(p, p->figure->curve_count, p->w, tall);
    carom_legend l = measure(p, columns, tall);
    p->head = l.h;
    if (p->figure->equal_scales)
        carom_paint_equal(p);
    else
        carom_paint_lay_out(p);
    l.x = p->x + 0.5 * (p->w - l.w);
    l.y = p->y - l.h;
    return l;
}

/* ---- the legend ---- */

static bool has_legend(const carom_figure *f)
{
    if (f->legend == CAROM_LEGEND_NONE)
        return false;
    for (size_t k = 0; f->curve_count > 1 && k < f->curve_count; k++)
        if (f->curves[k].label && f->curves[k].label[0])
            return true;
    return false;
}

carom_legend carom_paint_place_legend(carom_painter *p)
{
    if (p->figure->equal_scales)
        carom_paint_equal(p);
    else
        carom_paint_lay_out(p);
    if (!has_legend(p->figure))
        return (carom_legend){.shown = false};
    return p->figure->legend == CAROM_LEGEND_OUTSIDE ? place_outside(p) : place_inside(p);
}

static void draw_box(const carom_painter *p, const carom_legend *l)
{
    cairo_rectangle(p->cr, l->x, l->y, l->w, l->h);
    if (p->look->boxed)
        cairo_set_source_rgba(p->cr, 1, 1, 1, 0.9);
    else
        cairo_set_source_rgb(p->cr, 1, 1, 1);
    cairo_fill_preserve(p->cr);
    cairo_set_source_rgb(p->cr, 0.75, 0.75, 0.75);
    cairo_set_line_width(p->cr, 0.12 * CAROM_MM);
    if (p->look->boxed)
        cairo_stroke(p->cr);
    cairo_new_path(p->cr);
}

void carom_paint_legend(const carom_painter *p, const carom_legend *l)
{
    size_t count = p->figure->curve_count;
    double sample = SAMPLE * p->look->unit, line_height = CAROM_LINE_HEIGHT * p->look->text;
    if (p->figure->legend != CAROM_LEGEND_OUTSIDE)
        draw_box(p, l);
    cairo_set_font_size(p->cr, p->look->text);
    for (size_t k = 0; k < l->named || (k == l->named && k < count); k++) {
        double x = l->x + (double)(k / l->lines) * l->column + gap(p);
        double y = l->y + 0.5 * gap(p) + ((double)(k % l->lines) + 0.5) * line_height;
        char name[NAME_ROOM];
        if (k == l->named) {
            snprintf(name, sizeof name, "and %zu more", count - k);
        } else {
            short_name(p, k, name_width(p), name, sizeof name);
            carom_paint_sample(p, k, x, y, sample);
        }
        cairo_set_source_rgb(p->cr, 0, 0, 0);
        carom_paint_text(p->cr, x + sample + gap(p), y + 0.36 * p->look->text, 0, name);
    }
}

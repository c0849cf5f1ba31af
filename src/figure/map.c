/* Maps: values over a grid as bands of colour. Each cell is four triangles about its middle, in which the values are
   linear; of each level the part above it is filled at once, over those before it, so that no seams are seen. */
#include "figure/paint.h"

#include <math.h>

#define MOST_LEVELS 64

/* Points of the colour map viridis (S. van der Walt, N. Smith 2015), even in lightness. */
static const double colours[][3] = {{0.267, 0.005, 0.329}, {0.283, 0.141, 0.458}, {0.254, 0.265, 0.530},
                                    {0.207, 0.372, 0.553}, {0.164, 0.471, 0.558}, {0.128, 0.567, 0.551},
                                    {0.135, 0.659, 0.518}, {0.267, 0.749, 0.441}, {0.478, 0.821, 0.318},
                                    {0.741, 0.873, 0.150}, {0.993, 0.906, 0.144}};

typedef struct corner {
    double x, y, value;
} corner;

static void set_colour(cairo_t *cr, double part)
{
    const double at = fmin(1, fmax(0, part)) * (double)(CAROM_COUNT(colours) - 1);
    const size_t k = at < (double)(CAROM_COUNT(colours) - 1) ? (size_t)at : CAROM_COUNT(colours) - 2;
    const double rest = at - (double)k;
    double c[3];
    for (int i = 0; i < 3; i++)
        c[i] = colours[k][i] + rest * (colours[k + 1][i] - colours[k][i]);
    cairo_set_source_rgb(cr, c[0], c[1], c[2]);
}

static corner between(const corner *a, const corner *b, double level)
{
    const double part = (level - a->value) / (b->value - a->value);
    return (corner){a->x + part * (b->x - a->x), a->y + part * (b->y - a->y), level};
}

/* Adds the part of a triangle at or above a level to the path. */
static void add_above(cairo_t *cr, const corner t[3], double level)
{
    bool begun = false;
    for (int k = 0; k < 3; k++) {
        const corner *a = &t[k], *b = &t[(k + 1) % 3];
        if (a->value >= level) {
            (begun ? cairo_line_to : cairo_move_to)(cr, a->x, a->y);
            begun = true;
        }
        if ((a->value >= level) != (b->value >= level)) {
            const corner c = between(a, b, level);
            (begun ? cairo_line_to : cairo_move_to)(cr, c.x, c.y);
            begun = true;
        }
    }
    if (begun)
        cairo_close_path(cr);
}

/* Adds the line of a level through a triangle. */
static void add_line(cairo_t *cr, const corner t[3], double level)
{
    bool begun = false;
    for (int k = 0; k < 3; k++) {
        const corner *a = &t[k], *b = &t[(k + 1) % 3];
        if ((a->value >= level) == (b->value >= level))
            continue;
        const corner c = between(a, b, level);
        (begun ? cairo_line_to : cairo_move_to)(cr, c.x, c.y);
        begun = true;
    }
}

static corner corner_at(const carom_painter *p, size_t column, size_t row)
{
    const carom_map *m = p->figure->map;
    return (corner){carom_paint_x(p, m->x[column]), carom_paint_y(p, 0, m->y[row]),
                    m->values[column + row * m->columns]};
}

static void add_level(const carom_painter *p, double level, void (*add)(cairo_t *cr, const corner t[3], double level))
{
    const carom_map *m = p->figure->map;
    for (size_t row = 0; row + 1 < m->rows; row++)
        for (size_t column = 0; column + 1 < m->columns; column++) {
            const corner c[4] = {corner_at(p, column, row), corner_at(p, column + 1, row),
                                 corner_at(p, column + 1, row + 1), corner_at(p, column, row + 1)};
            corner middle = {0, 0, 0};
            for (int k = 0; k < 4; k++) {
                middle.x += 0.25 * c[k].x;
                middle.y += 0.25 * c[k].y;
                middle.value += 0.25 * c[k].value;
            }
            for (int k = 0; k < 4 && carom_figure_is_point(middle.value, 0); k++)
                add(p->cr, (const corner[3]){c[k], c[(k + 1) % 4], middle}, level);
        }
}

/* Levels: the ticks of the colours and the middles between them; the first is the lowest value. */
static int find_levels(const carom_painter *p, double *levels)
{
    const carom_axis *a = &p->y_axis[1];
    int count = 0;
    levels[count++] = p->y_scale[1].low;
    for (int k = -1; k < a->count && count < MOST_LEVELS; k++)
        for (int half = 0; half < 2 && count < MOST_LEVELS; half++) {
            const double tick = carom_axis_tick(a, k, 0), level = tick + 0.5 * half * a->step / a->factor;
            if (level > levels[count - 1] && level < p->y_scale[1].high)
                levels[count++] = level;
        }
    return count;
}

static void draw_bar(const carom_painter *p, const double *levels, int count)
{
    const double left = p->x + p->w + 0.4 * p->bar, width = 0.6 * p->bar;
    for (int k = 0; k < count; k++) {
        const double low = levels[k], high = k + 1 < count ? levels[k + 1] : p->y_scale[1].high;
        const double y = carom_paint_y(p, 1, low);
        set_colour(p->cr, count > 1 ? (double)k / (count - 1) : 0.5);
        cairo_rectangle(p->cr, left, carom_paint_y(p, 1, high), width, y - carom_paint_y(p, 1, high));
        cairo_fill(p->cr);
    }
    cairo_set_source_rgb(p->cr, 0, 0, 0);
    cairo_set_line_width(p->cr, p->look->frame);
    cairo_rectangle(p->cr, left, p->y, width, p->h);
    cairo_stroke(p->cr);
}

void carom_paint_map(const carom_painter *p)
{
    double levels[MOST_LEVELS];
    const int count = find_levels(p, levels);
    cairo_save(p->cr);
    cairo_rectangle(p->cr, p->x, p->y, p->w, p->h);
    cairo_clip(p->cr);
    for (int k = 0; k < count; k++) {
        add_level(p, levels[k], add_above);
        set_colour(p->cr, count > 1 ? (double)k / (count - 1) : 0.5);
        cairo_fill(p->cr);
    }
    cairo_set_source_rgba(p->cr, 1, 1, 1, 0.6);
    cairo_set_line_width(p->cr, 0.6 * p->look->line);
    for (int k = 1; k < count; k++)
        add_level(p, levels[k], add_line);
    cairo_stroke(p->cr);
    cairo_restore(p->cr);
    draw_bar(p, levels, count);
}

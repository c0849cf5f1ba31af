/* Ranges of figures: what of the curves can be drawn, and from where to where the axes reach. */
#include "figure/figure.h"

#include <math.h>

#define PAD_Y 0.05 /* of the range of y, above and below the curves */
#define PAD_X 0.04 /* of the range of x where curves go back in x or have markers */

bool carom_figure_is_point(double x, double y) { return fabs(x) < CAROM_FIGURE_LIMIT && fabs(y) < CAROM_FIGURE_LIMIT; }

/* ---- scales ---- */

static bool y_is_log(const carom_figure *f, int axis) { return axis ? f->y2_log : f->y_log; }

double carom_figure_to_scale(bool log, double value) { return log ? log10(value) : value; }

bool carom_figure_shows(const carom_figure *f, const carom_curve *c, size_t k)
{
    return carom_figure_is_point(c->x[k], c->y[k]) && !(f->x_log && c->x[k] <= 0) &&
           !(y_is_log(f, c->axis) && c->y[k] <= 0);
}

/* A point on the scales of its axes. */
static void scale_point(const carom_figure *f, const carom_curve *c, size_t k, double out[2])
{
    out[0] = carom_figure_to_scale(f->x_log, c->x[k]);
    out[1] = carom_figure_to_scale(y_is_log(f, c->axis), c->y[k]);
}

/* Widens a range of logarithms as carom_axis_widen() does one of numbers. */
static void widen_log(double *low, double *high, double pad)
{
    double span = *high - *low, more = span > 1e-9 ? pad * span : 0.15;
    *low -= more;
    *high += more;
}

static void widen(bool log, double range[2], double pad)
{
    if (log)
        widen_log(&range[0], &range[1], pad);
    else
        carom_axis_widen(&range[0], &range[1], pad);
}

/* ---- x ---- */

/* True if a curve goes back in x, such as a loop of force over indentation. */
static bool returns(const carom_figure *f)
{
    for (size_t c = 0; c < f->curve_count; c++)
        for (size_t k = 1; k < f->curves[c].count; k++)
            if (f->curves[c].x[k] < f->curves[c].x[k - 1])
                return true;
    return false;
}

static bool has_markers(const carom_figure *f)
{
    for (size_t c = 0; c < f->curve_count; c++)
        if (f->curves[c].markers)
            return true;
    return false;
}

static carom_status find_x(carom_context *ctx, const carom_figure *f, double x[2])
{
    x[0] = HUGE_VAL;
    x[1] = -HUGE_VAL;
    for (size_t c = 0; c < f->curve_count; c++)
        for (size_t k = 0; k < f->curves[c].count; k++)
            if (carom_figure_shows(f, &f->curves[c], k)) {
                double here[2];
                scale_point(f, &f->curves[c], k, here);
                x[0] = fmin(x[0], here[0]);
                x[1] = fmax(x[1], here[0]);
            }
    if (!(x[0] <= x[1]))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "figure: nothing to draw, no curve has a finite point%s",
                          f->x_log || f->y_log || f->y2_log ? " above 0, as a logarithmic axis needs; use a linear one"
                                                            : "");
    if (f->x_min < f->x_max) {
        x[0] = carom_figure_to_scale(f->x_log, f->x_min);
        x[1] = carom_figure_to_scale(f->x_log, f->x_max);
    } else if (f->x_log ? x[1] - x[0] < 1e-9 : !carom_axis_is_wide(x[0], x[1])) {
        widen(f->x_log, x, 0);
    } else if (returns(f) || has_markers(f)) {
        double pad = PAD_X * (x[1] - x[0]);
        x[0] -= pad;
        x[1] += pad;
    }
    return CAROM_OK;
}

/* ---- y ---- */

/* Adds the ordinates of the part of a segment from a to b that lies in the range of x. */
static void include_part(const double x[2], const double a[2], const double b[2], double y[2])
{
    double from = fmax(fmin(a[0], b[0]), x[0]), to = fmin(fmax(a[0], b[0]), x[1]);
    if (from > to)
        return;
    double ends[2] = {from, to};
    for (int k = 0; k < 2; k++) {
        double at = a[0] == b[0] ? (k ? b[1] : a[1]) : a[1] + (ends[k] - a[0]) / (b[0] - a[0]) * (b[1] - a[1]);
        y[0] = fmin(y[0], at);
        y[1] = fmax(y[1], at);
    }
}

static void include_curve(const carom_figure *f, const carom_curve *curve, const double x[2], double y[2])
{
    for (size_t k = 0; k < curve->count; k++) {
        if (!carom_figure_shows(f, curve, k))
            continue;
        bool joined = !curve->markers && !curve->bars && k > 0 && carom_figure_shows(f, curve, k - 1);
        double here[2], before[2];
        scale_point(f, curve, k, here);
        scale_point(f, curve, joined ? k - 1 : k, before);
        include_part(x, before, here, y);
        if (curve->markers && curve->low && curve->high && carom_figure_is_point(curve->low[k], curve->high[k])) {
            const bool log = y_is_log(f, curve->axis);
            const double ends[2][2] = {
                {here[0], log && curve->low[k] <= 0 ? here[1] : carom_figure_to_scale(log, curve->low[k])},
                {here[0], carom_figure_to_scale(log, curve->high[k])}};
            include_part(x, ends[0], ends[1], y);
        }
    }
}

static carom_status find_y(carom_context *ctx, const carom_figure *f, const double x[2], int axis, double y[2])
{
    double low = axis ? f->y2_min : f->y_min, high = axis ? f->y2_max : f->y_max;
    bool log = y_is_log(f, axis);
    y[0] = HUGE_VAL;
    y[1] = -HUGE_VAL;
    for (size_t c = 0; c < f->curve_count; c++)
        if (f->curves[c].axis == axis)
            include_curve(f, &f->curves[c], x, y);
    if (!(y[0] <= y[1]))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "figure: nothing to draw, no curve%s has a point from x = %g to %g; choose another range",
                          axis ? " of the right axis" : "", f->x_log ? pow(10, x[0]) : x[0],
                          f->x_log ? pow(10, x[1]) : x[1]);
    if (low < high) {
        y[0] = carom_figure_to_scale(log, low);
        y[1] = carom_figure_to_scale(log, high);
    } else {
        widen(log, y, PAD_Y);
    }
    return CAROM_OK;
}

bool carom_figure_has_axis(const carom_figure *f, int axis)
{
    for (size_t c = 0; c < f->curve_count; c++)
        if (f->curves[c].axis == axis)
            return true;
    return false;
}

carom_status carom_figure_ranges(carom_context *ctx, const carom_figure *f, double x[2], double y[2][2])
{
    CAROM_TRY(find_x(ctx, f, x));
    CAROM_TRY(find_y(ctx, f, x, 0, y[0]));
    return carom_figure_has_axis(f, 1) ? find_y(ctx, f, x, 1, y[1]) : CAROM_OK;
}

bool carom_map_range(const carom_map *map, double range[2])
{
    range[0] = HUGE_VAL;
    range[1] = -HUGE_VAL;
    for (size_t k = 0; k < map->columns * map->rows; k++)
        if (carom_figure_is_point(map->values[k], 0)) {
            range[0] = fmin(range[0], map->values[k]);
            range[1] = fmax(range[1], map->values[k]);
        }
    return range[0] <= range[1];
}

/* ---- checks ---- */

static carom_status check_map(carom_context *ctx, const carom_figure *f)
{
    double range[2];
    const carom_map *map = f->map;
    if (map->columns < 2 || map->rows < 2 || !map->x || !map->y || !map->values)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "figure: a map has at least 2 x 2 points, not %zu x %zu; draw curves", map->columns,
                          map->rows);
    if (!carom_map_range(map, range))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "figure: nothing to draw, the map has no finite value");
    if (carom_figure_has_axis(f, 1))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "figure: the right axis tells the colours of the map; leave its curves out");
    return CAROM_OK;
}

static carom_status check_range(carom_context *ctx, const char *axis, double low, double high, bool log)
{
    if (!(low <= high) || !carom_figure_is_point(low, high))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "figure: %s from %g to %g; give the smaller one first", axis,
                          low, high);
    if (low < high && !carom_axis_is_wide(low, high))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "figure: %s from %.17g to %.17g; give a wider range", axis, low,
                          high);
    if (log && low < high && !(low > 0))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "figure: %s from %g to %g on a logarithmic axis; begin above 0",
                          axis, low, high);
    return CAROM_OK;
}

static carom_status check_curves(carom_context *ctx, const carom_figure *f)
{
    if (!f->curve_count)
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "figure: nothing to draw, there is no curve; give at least one");
    for (size_t k = 0; k < f->curve_count; k++) {
        if (f->curves[k].count && (!f->curves[k].x || !f->curves[k].y))
            return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "figure: curve %zu has %zu points but no arrays of them",
                              k + 1, f->curves[k].count);
        if (f->curves[k].axis != 0 && f->curves[k].axis != 1)
            return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                              "figure: curve %zu is of axis %d; 0 is the left one, 1 the right one", k + 1,
                              f->curves[k].axis);
    }
    if (!carom_figure_has_axis(f, 0))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "figure: all curves are of the right axis; give at least one to the left one, axis 0");
    return CAROM_OK;
}

carom_status carom_figure_check(carom_context *ctx, const carom_figure *f, double width, double height)
{
    if (!(width >= 40 && height >= 30 && width <= 1000 && height <= 1000))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL,
                          "figure: %g mm x %g mm; the width is from 40 to 1000, the height from 30 to 1000", width,
                          height);
    CAROM_TRY(check_range(ctx, "x", f->x_min, f->x_max, f->x_log));
    CAROM_TRY(check_range(ctx, "y", f->y_min, f->y_max, f->y_log));
    CAROM_TRY(check_range(ctx, "y2", f->y2_min, f->y2_max, f->y2_log));
    CAROM_TRY(check_curves(ctx, f));
    if (f->map)
        CAROM_TRY(check_map(ctx, f));
    bool right = carom_figure_has_axis(f, 1);
    if (f->equal_scales && (f->x_log || f->y_log || right))
        return carom_fail(ctx, CAROM_ERROR_USAGE, NULL, "figure: equal scales with a %s axis; leave one of the two out",
                          right ? "right" : "logarithmic");
    return CAROM_OK;
}

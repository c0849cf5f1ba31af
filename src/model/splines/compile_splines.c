/* The tables of the model's splines, and a word where one goes far beyond its points. */
#include "model/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the range of its points: by how much a spline may leave both neighbouring ones without a word, where the points
   have a crest or a trough, and where they rise on both sides, fall, or go on level. */
#define BEYOND_CREST 0.1
#define BEYOND 0.01
/* Of the greatest of them: a range below it is rounding, of points that are level. */
#define LEVEL 1e-9

static double rise_of(const carom_spline_def *s, size_t k) { return s->y[k + 1] - s->y[k]; }

/* Whether the points turn at one end of segment k or the other. */
static bool is_crest(const carom_spline_def *s, size_t k)
{
    const double rise = rise_of(s, k), before = k > 0 ? rise_of(s, k - 1) : rise;
    return before * (k + 2 < s->count ? rise_of(s, k + 1) : rise) < 0;
}

/* HUGE_VAL: none but rounding. */
static double range_of(const carom_spline_def *s)
{
    double low = s->y[0], high = s->y[0];
    for (size_t k = 1; k < s->count; k++) {
        low = fmin(low, s->y[k]);
        high = fmax(high, s->y[k]);
    }
    return high - low > LEVEL * fmax(fabs(low), fabs(high)) ? high - low : HUGE_VAL;
}

/* Warns of a spline that overshoots, in its worst segment. */
static carom_status warn_of_overshoot(carom_compiler *c, const carom_spline_def *s, const carom_edges *spline)
{
    const double range = range_of(s);
    double most = 0, x = 0, at = 0;
    size_t worst = 0;
    for (size_t k = 0; k + 1 < s->count; k++) {
        const double beyond = carom_spline_beyond(spline, k, &at);
        if (beyond > most && beyond > (is_crest(s, k) ? BEYOND_CREST : BEYOND) * range) {
            most = beyond;
            worst = k;
            x = at;
        }
    }
    if (!(most > 0))
        return CAROM_OK;
    double y, slope, bend;
    carom_spline_segment(spline, (int)worst + 1, x, &y, &slope, &bend);
    char place[200] = "";
    if (s->place.line > 0 && s->place.file && (!c->model->file || strcmp(s->place.file, c->model->file) != 0))
        snprintf(place, sizeof place, "%s:%d: ", s->place.file, s->place.line);
    else if (s->place.line > 0)
        snprintf(place, sizeof place, "line %d: ", s->place.line);
    return carom_compile_warn(c, CAROM_WARN_OVERSHOOT,
                              "%sspline '%s': between its points (%.6g, %.6g) and (%.6g, %.6g) it goes to %.4g, at "
                              "x = %.6g, %.3g %% of the range of its points beyond them; write `between: monotone`, "
                              "which stays between its points, or give more points there",
                              place, s->name, s->x[worst], s->y[worst], s->x[worst + 1], s->y[worst + 1], y, x,
                              100 * most / range);
}

/* Tables of all splines: x, y, second derivatives, and the room for the fit, which then holds the integrals. */
carom_status carom_compile_splines(carom_compiler *c)
{
    const carom_spec *spec = c->spec;
    carom_spline_table *curves = c->model->curves =
        carom_arena_alloc(&c->model->arena, spec->spline_count, sizeof *curves);
    if (!curves)
        return carom_fail_memory(c->ctx);
    for (size_t k = 0; k < spec->spline_count; k++) {
        const carom_spline_def *s = &spec->splines[k];
        double *table = carom_arena_alloc(&c->model->arena, s->count, 6 * sizeof *table);
        if (!table)
            return carom_fail_memory(c->ctx);
        double *sums = table + 4 * s->count;
        memcpy(table, s->x, s->count * sizeof *table);
        memcpy(table + s->count, s->y, s->count * sizeof *table);
        if (!carom_spline_fit_ends(s->between, s->ends, s->slopes, s->count, table, table + s->count,
                                   table + 2 * s->count, sums, &curves[k].spline))
            return carom_fail(c->ctx, CAROM_ERROR_MODEL, &s->place,
                              "spline '%s': ends are natural, clamped (2 points or more) or periodic (4 or more), and "
                              "between them it is smooth or monotone",
                              s->name);
        curves[k].sums = sums;
        carom_spline_sums(&curves[k].spline, sums);
        CAROM_TRY(warn_of_overshoot(c, s, &curves[k].spline));
    }
    return CAROM_OK;
}

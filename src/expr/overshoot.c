/* Where a curve through points goes far beyond those at both ends of one of its segments. */
#include "expr/expr.h"

#include <math.h>
#include <stdio.h>

/* Of the range of its points: by how much a curve may leave both neighbouring ones without a word, where the points
   have a crest or a trough, and where they rise on both sides, fall, or go on level. */
#define BEYOND_CREST 0.1
#define BEYOND 0.01
/* Of the greatest of them: a range below it is rounding, of points that are level. */
#define LEVEL 1e-9

static double rise_of(const carom_via_points *p, size_t k) { return p->y[k + 1] - p->y[k]; }

/* Whether the points turn at one end of segment k or the other. */
static bool is_crest(const carom_via_points *p, size_t k)
{
    const size_t last = p->n - 2;
    const bool repeats = p->ends == CAROM_ENDS_PERIODIC;
    const double rise = rise_of(p, k), seam = rise_of(p, k == 0 ? last : 0);
    const double before = k > 0 ? rise_of(p, k - 1) : repeats ? seam : rise;
    const double after = k < last ? rise_of(p, k + 1) : repeats ? seam : rise;
    return rise != 0 ? before * rise < 0 || rise * after < 0 : before * after < 0;
}

/* Whether a rate that is given at an end of segment k leads out of the range of its points. */
static bool is_led_out(const carom_via_points *p, size_t k)
{
    const double rise = rise_of(p, k);
    for (size_t n = k; p->rates && n <= k + 1; n++)
        if (p->rates[n] != 0 && p->rates[n] * rise <= 0)
            return true;
    return false;
}

/* HUGE_VAL: none but rounding. */
static double range_of(const carom_via_points *p)
{
    double low = p->y[0], high = p->y[0];
    for (size_t k = 1; k < p->n; k++) {
        low = fmin(low, p->y[k]);
        high = fmax(high, p->y[k]);
    }
    return high - low > LEVEL * fmax(fabs(low), fabs(high)) ? high - low : HUGE_VAL;
}

bool carom_curve_overshoots(const carom_edges *curve, const carom_via_points *p, carom_overshoot *out)
{
    const double range = range_of(p);
    double most = 0, at = 0, slope, bend;
    size_t worst = 0;
    for (size_t k = 0; k + 1 < p->n; k++) {
        const double beyond = (curve->y2 ? carom_spline_beyond : carom_trajectory_beyond)(curve, k, &at);
        if (beyond > most && beyond > (is_crest(p, k) ? BEYOND_CREST : BEYOND) * range && !is_led_out(p, k)) {
            most = beyond;
            worst = k;
            out->x = at;
        }
    }
    if (!(most > 0))
        return false;
    (curve->y2 ? carom_spline_segment : carom_trajectory_segment)(curve, (int)worst + 1, out->x, &out->y, &slope,
                                                                  &bend);
    for (size_t k = 0; k < 2; k++) {
        out->ends[k][0] = p->x[worst + k];
        out->ends[k][1] = p->y[worst + k];
    }
    out->share = most / range;
    return true;
}

void carom_overshoot_text(const carom_overshoot *o, char *text, size_t size)
{
    snprintf(text, size,
             "between its points (%.6g, %.6g) and (%.6g, %.6g) it goes to %.4g, at x = %.6g, %.3g %% of the range of "
             "its points beyond them",
             o->ends[0][0], o->ends[0][1], o->ends[1][0], o->ends[1][1], o->y, o->x, 100 * o->share);
}

/* Cubic splines with natural, clamped or periodic ends, smooth or monotone between their points: the fit, one segment
   at a point, how far it leaves its points, integrals. */
#include "expr/expr_program.h"

#include <math.h>
#include <string.h>

/* Tridiagonal system for the second derivatives, y2 zero at both ends (Stoer & Bulirsch, section 2.4). */
void carom_spline_fit(size_t n, const double *x, const double *y, double *y2, double *work)
{
    if (n == 0)
        return;
    y2[0] = work[0] = 0.0;
    for (size_t i = 1; i + 1 < n; i++) {
        double below = x[i] - x[i - 1], above = x[i + 1] - x[i];
        double fraction = below / (below + above);
        double pivot = fraction * y2[i - 1] + 2.0;
        double bend = ((y[i + 1] - y[i]) / above - (y[i] - y[i - 1]) / below) / (below + above);
        y2[i] = (fraction - 1.0) / pivot;
        work[i] = (6.0 * bend - fraction * work[i - 1]) / pivot;
    }
    y2[n - 1] = 0.0;
    for (size_t i = n - 1; i-- > 0;)
        y2[i] = y2[i] * y2[i + 1] + work[i];
    y2[0] = 0.0;
}

/* Slope of the chord from knot i to the next. */
static double chord_of(const double *x, const double *y, size_t i) { return (y[i + 1] - y[i]) / (x[i + 1] - x[i]); }

/* Given slopes at both ends: rows h/6 (2 y2_0 + y2_1) = chord - slope there. */
static void fit_clamped(size_t n, const double *x, const double *y, const double *slopes, double *y2, double *work)
{
    y2[0] = -0.5;
    work[0] = 3.0 / (x[1] - x[0]) * (chord_of(x, y, 0) - slopes[0]);
    for (size_t i = 1; i + 1 < n; i++) {
        double below = x[i] - x[i - 1], above = x[i + 1] - x[i];
        double fraction = below / (below + above);
        double pivot = fraction * y2[i - 1] + 2.0;
        double bend = (chord_of(x, y, i) - chord_of(x, y, i - 1)) / (below + above);
        y2[i] = (fraction - 1.0) / pivot;
        work[i] = (6.0 * bend - fraction * work[i - 1]) / pivot;
    }
    double end = 6.0 / (x[n - 1] - x[n - 2]) * (slopes[1] - chord_of(x, y, n - 2));
    y2[n - 1] = (end - work[n - 2]) / (y2[n - 2] + 2.0);
    for (size_t i = n - 1; i-- > 0;)
        y2[i] = y2[i] * y2[i + 1] + work[i];
}

/* Solves the tridiagonal system of the periodic spline, diagonal changed at both ends, for one right-hand side. */
static void solve_open(size_t m, const double *x, const double *diagonal, double *right, double *upper)
{
    for (size_t i = 0; i < m; i++) {
        double below = i ? x[i] - x[i - 1] : 0.0, above = i + 1 < m ? x[i + 1] - x[i] : 0.0;
        double own = i == 0 ? diagonal[0] : i + 1 == m ? diagonal[1] : 2.0 * (x[i + 1] - x[i - 1]);
        double pivot = own - (i ? below * upper[i - 1] : 0.0);
        upper[i] = above / pivot;
        right[i] = (right[i] - (i ? below * right[i - 1] : 0.0)) / pivot;
    }
    for (size_t i = m - 1; i-- > 0;)
        right[i] -= upper[i] * right[i + 1];
}

/* The first and the last point are the same point of the period: a cyclic system, by the formula of Sherman and
   Morrison (Stoer & Bulirsch, section 2.4). */
static void fit_periodic(size_t n, const double *x, const double *y, double *y2, double *work)
{
    size_t m = n - 1;
    double *other = work + n, last = x[m] - x[m - 1], first = x[1] - x[0];
    double own = 2.0 * (last + first), gamma = -own;
    double diagonal[2] = {own - gamma, 2.0 * (x[m] - x[m - 2]) - last * last / gamma};
    for (size_t i = 0; i < m; i++) {
        y2[i] = 6.0 * (chord_of(x, y, i) - chord_of(x, y, i ? i - 1 : m - 1));
        other[i] = i == 0 ? gamma : i + 1 == m ? last : 0.0;
    }
    solve_open(m, x, diagonal, y2, work);
    solve_open(m, x, diagonal, other, work);
    double share = (y2[0] + last * y2[m - 1] / gamma) / (1.0 + other[0] + last * other[m - 1] / gamma);
    for (size_t i = 0; i < m; i++)
        y2[i] -= share * other[i];
    y2[m] = y2[0];
}

/* ---- monotone ---- */

/* Slope at a point between two segments of lengths h and slopes d: 0 where the points turn, else the harmonic mean
   (Fritsch and Butland 1984, SIAM J. Sci. Stat. Comput. 5, 300; weights of Brodlie). It is at most three times the
   lesser of both slopes, which keeps the cubic monotone (Fritsch and Carlson 1980, SIAM J. Numer. Anal. 17, 238). */
static double slope_between(double h0, double d0, double h1, double d1)
{
    if (!(d0 * d1 > 0))
        return 0;
    const double w0 = h0 + 2 * h1, w1 = 2 * h0 + h1;
    return (w0 + w1) / (w0 / d0 + w1 / d1);
}

/* Slope at an end: of the parabola through three points, within the same limits. */
static double slope_at_end(double h0, double d0, double h1, double d1)
{
    const double slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
    if (!(slope * d0 > 0))
        return 0;
    return d0 * d1 <= 0 && fabs(slope) > 3 * fabs(d0) ? 3 * d0 : slope;
}

static double length_of(const double *x, size_t k) { return x[k + 1] - x[k]; }

static void monotone_slopes(const char *ends, const double *slopes, size_t n, const double *x, const double *y,
                            double *out)
{
    const size_t last = n - 2;
    for (size_t k = 1; k <= last; k++)
        out[k] = slope_between(length_of(x, k - 1), chord_of(x, y, k - 1), length_of(x, k), chord_of(x, y, k));
    if (ends && strcmp(ends, "clamped") == 0) {
        out[0] = slopes[0];
        out[n - 1] = slopes[1];
    } else if (ends && strcmp(ends, "periodic") == 0) {
        out[0] = out[n - 1] =
            slope_between(length_of(x, last), chord_of(x, y, last), length_of(x, 0), chord_of(x, y, 0));
    } else if (n == 2) {
        out[0] = out[1] = chord_of(x, y, 0);
    } else {
        out[0] = slope_at_end(length_of(x, 0), chord_of(x, y, 0), length_of(x, 1), chord_of(x, y, 1));
        out[n - 1] = slope_at_end(length_of(x, last), chord_of(x, y, last), length_of(x, last - 1),
                                  chord_of(x, y, last - 1));
    }
}

/* The second derivatives at both ends of each segment from its slopes there. */
static void fit_slopes(size_t n, const double *x, const double *y, const double *slope, double *y2, double *before)
{
    before[0] = y2[n - 1] = 0;
    for (size_t k = 0; k + 1 < n; k++) {
        const double chord = chord_of(x, y, k), h = length_of(x, k);
        y2[k] = (6 * chord - 4 * slope[k] - 2 * slope[k + 1]) / h;
        before[k + 1] = (2 * slope[k] + 4 * slope[k + 1] - 6 * chord) / h;
    }
}

bool carom_spline_fit_ends(const char *between, const char *ends, const double *slopes, size_t n, const double *x,
                           const double *y, double *y2, double *work, carom_edges *out)
{
    const bool natural = !ends || strcmp(ends, "natural") == 0, clamped = !natural && strcmp(ends, "clamped") == 0;
    const bool periodic = !natural && strcmp(ends, "periodic") == 0;
    *out = (carom_edges){.n = n, .x = x, .y = y, .y2 = y2};
    if (!(natural || (clamped && n > 1) || (periodic && n > 3)))
        return false;
    if (between && strcmp(between, "smooth") != 0) {
        if (strcmp(between, "monotone") != 0 || n < 2)
            return false;
        monotone_slopes(ends, slopes, n, x, y, work);
        fit_slopes(n, x, y, work, y2, y2 + n);
        out->before = y2 + n;
    } else if (natural) {
        carom_spline_fit(n, x, y, y2, work);
    } else if (clamped) {
        fit_clamped(n, x, y, slopes, y2, work);
    } else {
        fit_periodic(n, x, y, y2, work);
    }
    return true;
}

/* ---- values ---- */

/* The second derivative at the end of segment k. */
static double bend_at_end(const carom_edges *spline, size_t k)
{
    return (spline->before ? spline->before : spline->y2)[k + 1];
}

void carom_spline_segment(const carom_edges *spline, int branch, double x, double *f, double *f1, double *f2)
{
    size_t n = spline->n;
    size_t k = branch < 1 ? 0 : (size_t)branch > n - 1 ? n - 2 : (size_t)branch - 1;
    double x0 = spline->x[k], x1 = spline->x[k + 1], h = x1 - x0;
    double y0 = spline->y[k], y1 = spline->y[k + 1];
    double c0 = spline->y2[k], c1 = bend_at_end(spline, k);
    double chord = (y1 - y0) / h;
    if (branch < 1) {
        *f1 = chord - h * (c0 / 3.0 + c1 / 6.0);
        *f = y0 + *f1 * (x - x0);
        *f2 = 0.0;
    } else if ((size_t)branch > n - 1) {
        *f1 = chord + h * (c0 / 6.0 + c1 / 3.0);
        *f = y1 + *f1 * (x - x1);
        *f2 = 0.0;
    } else {
        double a = (x1 - x) / h, b = (x - x0) / h;
        *f = a * y0 + b * y1 + ((a * a - 1.0) * a * c0 + (b * b - 1.0) * b * c1) * (h * h / 6.0);
        *f1 = chord + ((3.0 * b * b - 1.0) * c1 - (3.0 * a * a - 1.0) * c0) * (h / 6.0);
        *f2 = a * c0 + b * c1;
    }
}

double carom_spline_beyond(const carom_edges *spline, size_t k, double *x)
{
    const double h = length_of(spline->x, k), y0 = spline->y[k], y1 = spline->y[k + 1];
    const double bend = spline->y2[k], change = bend_at_end(spline, k) - bend;
    double start, most = 0, f, f1, f2;
    carom_spline_segment(spline, (int)k + 1, spline->x[k], &f, &start, &f2);
    /* its slope, start + h (bend s + change s^2/2), is zero at most twice: the roots of a quadratic, without loss */
    const double a = 0.5 * change * h, b = bend * h, root = sqrt(fmax(b * b - 4 * a * start, 0));
    const double q = -0.5 * (b + copysign(root, b)), at[2] = {a != 0 ? q / a : -1, q != 0 ? start / q : -1};
    for (int n = 0; n < 2; n++) {
        if (!(at[n] > 0 && at[n] < 1))
            continue;
        const double place = spline->x[k] + at[n] * h;
        carom_spline_segment(spline, (int)k + 1, place, &f, &f1, &f2);
        const double beyond = fmax(f - fmax(y0, y1), fmin(y0, y1) - f);
        if (beyond > most) {
            most = beyond;
            *x = place;
        }
    }
    return most;
}

/* Integral over the segment k from its left knot to x, with b the share of the segment. */
static double segment_integral(const carom_edges *spline, size_t k, double x)
{
    double h = spline->x[k + 1] - spline->x[k], b = (x - spline->x[k]) / h, a = 1.0 - b;
    double linear = 0.5 * ((1.0 - a * a) * spline->y[k] + b * b * spline->y[k + 1]);
    double from_left = 0.25 * (1.0 - a * a * a * a) - 0.5 * (1.0 - a * a);
    double from_right = 0.25 * b * b * b * b - 0.5 * b * b;
    return h * (linear + (from_left * spline->y2[k] + from_right * bend_at_end(spline, k)) * (h * h / 6.0));
}

double carom_spline_integral(const carom_edges *spline, const double *sums, int branch, double x)
{
    size_t n = spline->n;
    if (branch >= 1 && (size_t)branch <= n - 1)
        return sums[branch - 1] + segment_integral(spline, (size_t)branch - 1, x);
    size_t end = branch < 1 ? 0 : n - 1;
    double f, f1, f2, beyond = x - spline->x[end];
    carom_spline_segment(spline, branch, spline->x[end], &f, &f1, &f2);
    return sums[end] + beyond * (f + 0.5 * f1 * beyond);
}

void carom_spline_sums(const carom_edges *spline, double *sums)
{
    for (size_t k = 0; k < spline->n; k++)
        sums[k] = k ? sums[k - 1] + segment_integral(spline, k - 1, spline->x[k]) : 0.0;
}

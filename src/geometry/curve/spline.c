/* Cubic splines through points as segments of a curve: x and y over the chord length, C2. The tridiagonal system for
   the slopes at the points (Stoer & Bulirsch, section 2.4.2; periodic ones by Sherman and Morrison) is solved in the
   space of the segments themselves. */
#include <string.h>
#include "geometry/curve/segment.h"

/* Work of point k in the space of its segment. */
enum { SLOPE_X = CAROM_SEGMENT_DATA, SLOPE_Y, RATIO, CORRECTION, LENGTH };

typedef struct spline {
    double *work; /* of the first segment */
    const carom_vec2 *points;
    int count; /* points, of periodic splines without repetition */
    bool periodic;
} spline;

static double *row(const spline *s, int k) { return s->work + k * CAROM_CURVE_SEGMENT; }
static carom_vec2 point(const spline *s, int k) { return s->points[k % s->count]; }

/* Lower, diagonal, upper entry and right-hand sides of row k inside: slopes m of
   m[k-1]/h[k-1] + 2 m[k] (1/h[k-1] + 1/h[k]) + m[k+1]/h[k] = 3 (chord[k-1]/h[k-1]^2 + chord[k]/h[k]^2). */
static void inner_row(const spline *s, int k, double entry[3], carom_vec2 *right)
{
    int before = k > 0 ? k - 1 : s->count - 1;
    double h0 = row(s, before)[LENGTH], h1 = row(s, k)[LENGTH];
    carom_vec2 c0 = carom_v2_sub(point(s, k), point(s, before)), c1 = carom_v2_sub(point(s, k + 1), point(s, k));
    entry[0] = 1 / h0;
    entry[1] = 2 / h0 + 2 / h1;
    entry[2] = 1 / h1;
    *right = carom_v2_add(carom_v2_scale(3 / (h0 * h0), c0), carom_v2_scale(3 / (h1 * h1), c1));
}

static void end_row(const spline *s, int k, carom_curve_spline_ends ends, const carom_vec2 *tangents, double entry[3],
                    carom_vec2 *right)
{
    entry[0] = entry[2] = 0;
    entry[1] = 1;
    if (ends == CAROM_SPLINE_CLAMPED) {
        *right = carom_v2_unit(tangents[k > 0]);
        return;
    }
    /* No second derivative: 2 m + m' = 3 chord/h */
    int segment = k > 0 ? k - 1 : 0;
    double h = row(s, segment)[LENGTH];
    entry[1] = 2;
    entry[k > 0 ? 0 : 2] = 1;
    *right = carom_v2_scale(3 / h, carom_v2_sub(point(s, segment + 1), point(s, segment)));
}

/* Solves for the slopes; periodic ones with the corner entries taken into a second right-hand side. */
static void solve(const spline *s, carom_curve_spline_ends ends, const carom_vec2 *tangents, double last[4])
{
    int n = s->count;
    double gamma = 0, beta = 0, alpha = 0, before[4] = {0, 0, 0, 0};
    for (int k = 0; k < n; k++) {
        double entry[3], *now = k == n - 1 ? last : row(s, k) + SLOPE_X, extra = 0;
        carom_vec2 right;
        if (!s->periodic && (k == 0 || k == n - 1)) {
            end_row(s, k, ends, tangents, entry, &right);
        } else {
            inner_row(s, k, entry, &right);
        }
        if (s->periodic && k == 0) {
            beta = entry[0];
            alpha = beta;
            gamma = -entry[1];
            entry[1] -= gamma;
            extra = gamma;
        } else if (s->periodic && k == n - 1) {
            entry[1] -= alpha * beta / gamma;
            extra = alpha;
        }
        double lower = k > 0 ? entry[0] : 0, pivot = entry[1] - lower * before[2];
        now[0] = (right.x - lower * before[0]) / pivot;
        now[1] = (right.y - lower * before[1]) / pivot;
        now[2] = entry[2] / pivot;
        now[3] = (extra - lower * before[3]) / pivot;
        memcpy(before, now, sizeof before);
    }
    for (int k = n - 2; k >= 0; k--) {
        double *now = row(s, k) + SLOPE_X;
        const double *next = k == n - 2 ? last : row(s, k + 1) + SLOPE_X;
        now[0] -= now[2] * next[0];
        now[1] -= now[2] * next[1];
        now[3] -= now[2] * next[3];
    }
    if (!s->periodic)
        return;
    const double *first = row(s, 0) + SLOPE_X;
    double share = beta / gamma, below = 1 + first[3] + share * last[3];
    double fx = (first[0] + share * last[0]) / below, fy = (first[1] + share * last[1]) / below;
    for (int k = 0; k < n; k++) {
        double *now = k == n - 1 ? last : row(s, k) + SLOPE_X;
        now[0] -= fx * now[3];
        now[1] -= fy * now[3];
    }
}

/* Cubic of a segment in powers of w from its end points and slopes over the chord length (Hermite form). */
static void cubic(double *segment, double h, carom_vec2 p0, carom_vec2 p1, carom_vec2 m0, carom_vec2 m1)
{
    double *x = segment + CAROM_SEGMENT_DATA, *y = x + CAROM_CURVE_DEGREE + 1;
    memset(segment, 0, CAROM_CURVE_SEGMENT * sizeof *segment);
    m0 = carom_v2_scale(0.5 * h, m0);
    m1 = carom_v2_scale(0.5 * h, m1);
    segment[CAROM_SEGMENT_DEGREE] = 3;
    x[0] = 0.5 * (p0.x + p1.x) + 0.25 * (m0.x - m1.x);
    y[0] = 0.5 * (p0.y + p1.y) + 0.25 * (m0.y - m1.y);
    x[1] = 0.75 * (p1.x - p0.x) - 0.25 * (m0.x + m1.x);
    y[1] = 0.75 * (p1.y - p0.y) - 0.25 * (m0.y + m1.y);
    x[2] = 0.25 * (m1.x - m0.x);
    y[2] = 0.25 * (m1.y - m0.y);
    x[3] = 0.25 * (p0.x - p1.x) + 0.25 * (m0.x + m1.x);
    y[3] = 0.25 * (p0.y - p1.y) + 0.25 * (m0.y + m1.y);
}

static const char *refuse(carom_curve_builder *b, int segment, const char *sentence)
{
    b->refusal = sentence;
    b->segment = segment;
    return sentence;
}

static const char *check(carom_curve_builder *b, const carom_vec2 *points, int count, carom_curve_spline_ends ends,
                         const carom_vec2 *tangents)
{
    bool periodic = ends == CAROM_SPLINE_PERIODIC;
    int segments = periodic ? count : count - 1;
    if (count < (periodic ? 3 : 2))
        return refuse(b, b->count,
                      periodic ? "a closed spline needs at least 3 points" : "a spline needs at least 2 points");
    if (b->count + segments > b->capacity)
        return refuse(b, b->count, "the curve has more segments than there is room for");
    double size = 0;
    for (int k = 0; k < count; k++) {
        if (!(isfinite(points[k].x) && isfinite(points[k].y)))
            return refuse(b, b->count + k, "the spline needs finite points");
        size = fmax(size, fmax(fabs(points[k].x), fabs(points[k].y)));
    }
    for (int k = 0; k < segments; k++)
        if (!(carom_v2_distance(points[k], points[(k + 1) % count]) > 1e-12 * size))
            return refuse(b, b->count + k,
                          periodic && k == count - 1
                              ? "the last point of a closed spline repeats the first: leave it out"
                              : "two points of the spline that follow each other are the same");
    for (int k = 0; k < 2 && ends == CAROM_SPLINE_CLAMPED; k++)
        if (!tangents || !(carom_v2_norm(tangents[k]) > 0 && isfinite(carom_v2_norm(tangents[k]))))
            return refuse(b, b->count, "a clamped spline needs a direction at each end that is not zero");
    return NULL;
}

const char *carom_curve_spline(carom_curve_builder *b, const carom_vec2 *points, int count,
                               carom_curve_spline_ends ends, const carom_vec2 *tangents)
{
    if (b->refusal || check(b, points, count, ends, tangents))
        return b->refusal;
    spline s = {b->curve + carom_curve_size(b->count), points, count, ends == CAROM_SPLINE_PERIODIC};
    int segments = s.periodic ? count : count - 1;
    for (int k = 0; k < segments; k++)
        row(&s, k)[LENGTH] = carom_v2_distance(point(&s, k), point(&s, k + 1));
    double last[4];
    solve(&s, ends, tangents, last);
    carom_vec2 first = carom_v2(row(&s, 0)[SLOPE_X], row(&s, 0)[SLOPE_Y]), m0 = first;
    for (int k = 0; k < segments; k++) {
        const double *next = k + 1 == count - 1 ? last : row(&s, k + 1) + SLOPE_X;
        carom_vec2 m1 = k + 1 == count ? first : carom_v2(next[0], next[1]);
        cubic(row(&s, k), row(&s, k)[LENGTH], point(&s, k), point(&s, k + 1), m0, m1);
        carom_segment_complete(row(&s, k));
        m0 = m1;
    }
    b->count += segments;
    return NULL;
}

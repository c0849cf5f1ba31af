/* Building curves: segments from what a user gives, and the checks of the whole. */
#include <string.h>
#include "geometry/curve/segment.h"

/* Ends nearer than this share of the extent are joined. */
#define JOINED 1e-9
/* Curvatures that differ by less than this share are the same. */
#define SAME_BEND 1e-6

carom_curve_builder carom_curve_begin(double *curve, int capacity)
{
    return (carom_curve_builder){.curve = curve, .capacity = capacity};
}

static const char *refuse(carom_curve_builder *b, int segment, const char *sentence)
{
    if (!b->refusal) {
        b->refusal = sentence;
        b->segment = segment;
    }
    return b->refusal;
}

/* Room for one more segment, all zero; NULL after a refusal. */
static double *extend(carom_curve_builder *b)
{
    if (b->refusal)
        return NULL;
    if (b->count >= b->capacity) {
        refuse(b, b->count, "the curve has more segments than there is room for");
        return NULL;
    }
    double *segment = b->curve + carom_curve_size(b->count++);
    memset(segment, 0, CAROM_CURVE_SEGMENT * sizeof *segment);
    return segment;
}

/* ---- segments ---- */

static bool finite_point(carom_vec2 p) { return isfinite(p.x) && isfinite(p.y); }

const char *carom_curve_line(carom_curve_builder *b, carom_vec2 from, carom_vec2 to)
{
    int at = b->count;
    double *segment = extend(b);
    if (!segment)
        return b->refusal;
    if (!finite_point(from) || !finite_point(to))
        return refuse(b, at, "the line needs finite points");
    double size = fmax(fmax(fabs(from.x), fabs(from.y)), fmax(fabs(to.x), fabs(to.y)));
    if (!(carom_v2_distance(from, to) > 1e-12 * size))
        return refuse(b, at, "the line has no length: its two points must differ");
    carom_segment_set_line(segment, from, to);
    return NULL;
}

const char *carom_curve_arc(carom_curve_builder *b, carom_vec2 centre, double radius, double from, double to)
{
    int at = b->count;
    double *segment = extend(b);
    if (!segment)
        return b->refusal;
    if (!finite_point(centre) || !isfinite(from) || !isfinite(to))
        return refuse(b, at, "the arc needs a finite centre and finite angles");
    if (!(radius > 0 && isfinite(radius)))
        return refuse(b, at,
                      "the radius of the arc must be positive; the direction of travel says on which side the "
                      "material lies");
    double sweep = to - from;
    if (!(fabs(sweep) > 1e-9))
        return refuse(b, at, "the arc has no length: its two angles must differ");
    if (!(fabs(sweep) <= 2 * CAROM_PI * (1 + 1e-12)))
        return refuse(b, at, "the arc makes more than a whole turn: bring its angles within 2 pi of each other");
    segment[CAROM_SEGMENT_ARC] = 1;
    segment[CAROM_SEGMENT_ARC_CENTRE] = centre.x;
    segment[CAROM_SEGMENT_ARC_CENTRE + 1] = centre.y;
    segment[CAROM_SEGMENT_ARC_RADIUS] = radius;
    segment[CAROM_SEGMENT_ARC_START] = from;
    segment[CAROM_SEGMENT_ARC_SWEEP] = sweep;
    carom_segment_complete(segment);
    return NULL;
}

const char *carom_curve_polynomial(carom_curve_builder *b, const double *c, int degree, double x0, double x1)
{
    int at = b->count;
    double *segment = extend(b);
    if (!segment)
        return b->refusal;
    if (degree < 0 || degree > CAROM_CURVE_DEGREE)
        return refuse(b, at, "the polynomial has a degree above 7: split it, or give points for a spline");
    bool finite = isfinite(x0) && isfinite(x1);
    for (int k = 0; k <= degree; k++)
        finite = finite && isfinite(c[k]);
    if (!finite)
        return refuse(b, at, "the polynomial needs finite coefficients and a finite range");
    if (!(fabs(x1 - x0) > 1e-12 * fmax(fabs(x0), fabs(x1))))
        return refuse(b, at, "the polynomial has no length: the ends of its range must differ");
    /* Powers of w = (x - middle)/half: a shift by repeated synthetic division, then a scale. */
    double middle = 0.5 * (x0 + x1), half = 0.5 * (x1 - x0), scale = 1;
    double *x = segment + CAROM_SEGMENT_DATA, *y = x + CAROM_CURVE_DEGREE + 1;
    memcpy(y, c, (size_t)(degree + 1) * sizeof *y);
    for (int k = 0; k < degree; k++)
        for (int n = degree - 1; n >= k; n--)
            y[n] += middle * y[n + 1];
    for (int k = 1; k <= degree; k++)
        y[k] *= scale *= half;
    x[0] = middle;
    x[1] = half;
    segment[CAROM_SEGMENT_DEGREE] = degree > 1 ? degree : 1;
    carom_segment_complete(segment);
    return NULL;
}

const char *carom_curve_polyline(carom_curve_builder *b, const carom_vec2 *points, int count, bool closed)
{
    if (count < (closed ? 3 : 2))
        return refuse(b, b->count, closed ? "a polygon needs at least 3 points" : "a polyline needs at least 2 points");
    for (int k = 0; k + (closed ? 0 : 1) < count; k++)
        if (carom_curve_line(b, points[k], points[(k + 1) % count]))
            return b->refusal;
    return b->refusal;
}

/* ---- checks of the whole ---- */

static double extent_of(const double *curve, int count)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < count; k++)
        for (int axis = 0; axis < 2; axis++) {
            const double *segment = carom_segment(curve, k);
            low[axis] = fmin(low[axis], segment[CAROM_SEGMENT_CENTRE + axis] - segment[CAROM_SEGMENT_RADIUS]);
            high[axis] = fmax(high[axis], segment[CAROM_SEGMENT_CENTRE + axis] + segment[CAROM_SEGMENT_RADIUS]);
        }
    return hypot(high[0] - low[0], high[1] - low[1]);
}

/* 1/2 of the integral of x dy - y dx along a segment. */
static double area_of(const double *segment)
{
    if (carom_segment_arc(segment)) {
        double r = segment[CAROM_SEGMENT_ARC_RADIUS], sweep = segment[CAROM_SEGMENT_ARC_SWEEP];
        carom_vec2 o = carom_segment_pair(segment, CAROM_SEGMENT_ARC_CENTRE);
        carom_vec2 chord = carom_v2_sub(carom_segment_pair(segment, CAROM_SEGMENT_TO),
                                        carom_segment_pair(segment, CAROM_SEGMENT_FROM));
        return 0.5 * (r * r * sweep + carom_v2_cross(o, chord));
    }
    const double *x = segment + CAROM_SEGMENT_DATA, *y = x + CAROM_CURVE_DEGREE + 1;
    double sum = 0;
    /* Powers of w over [-1, 1]: odd ones vanish, w^n gives 2/(n + 1). */
    for (int a = 0; a <= CAROM_CURVE_DEGREE; a++)
        for (int d = 1; d <= CAROM_CURVE_DEGREE; d++)
            if ((a + d - 1) % 2 == 0)
                sum += (x[a] * y[d] - y[a] * x[d]) * d * 2 / (a + d);
    return 0.5 * sum;
}

/* Joint of segment k with the one before it. */
static const char *join(carom_curve_builder *b, int before, int k, double extent)
{
    const double *p = carom_segment(b->curve, before);
    double *q = b->curve + carom_curve_size(k);
    carom_vec2 end = carom_segment_pair(p, CAROM_SEGMENT_TO), start = carom_segment_pair(q, CAROM_SEGMENT_FROM);
    if (carom_v2_distance(end, start) > JOINED * extent)
        return refuse(b, k,
                      "the segment does not begin where the one before it ends: close the gap, or put the segments in "
                      "the order of travel");
    carom_vec2 t0 = carom_segment_pair(p, CAROM_SEGMENT_TANGENT_TO),
               t1 = carom_segment_pair(q, CAROM_SEGMENT_TANGENT_FROM);
    double turn = atan2(carom_v2_cross(t0, t1), carom_v2_dot(t0, t1));
    if (fabs(turn) > CAROM_PI - 1e-6)
        return refuse(b, k,
                      "the segment turns back on the one before it: a corner must leave an angle between its sides");
    carom_segment_point before_joint, after_joint;
    carom_segment_eval(p, 1, &before_joint);
    carom_segment_eval(q, 0, &after_joint);
    double bend0 = carom_segment_curvature(&before_joint), bend1 = carom_segment_curvature(&after_joint);
    bool same = fabs(bend0 - bend1) <= SAME_BEND * fmax(fabs(bend0), fabs(bend1)) + 1e-9 / extent;
    q[CAROM_SEGMENT_TURN] = turn;
    q[CAROM_SEGMENT_JOINT] = fabs(turn) <= CAROM_CURVE_SMOOTH ? (same ? CAROM_JOINT_C2 : CAROM_JOINT_C1)
                           : turn > 0                       ? CAROM_JOINT_CONVEX
                                                            : CAROM_JOINT_CONCAVE;
    return NULL;
}

/* Curvature bounds of the whole, sampled, and a refusal of points where the direction is lost. */
static const char *measure_bends(carom_curve_builder *b, double extent)
{
    double *curve = b->curve;
    for (int k = 0; k < b->count; k++)
        for (int n = 0; n <= 64; n++) {
            carom_segment_point c;
            carom_segment_eval(carom_segment(curve, k), n / 64.0, &c);
            if (!(carom_v2_norm(c.d1) > 1e-9 * carom_segment(curve, k)[CAROM_SEGMENT_RADIUS]) || !(extent > 0))
                return refuse(b, k, "the segment stands still at a point: its points must go on in one direction");
            double bend = carom_segment_curvature(&c);
            curve[CAROM_CURVE_SHARPEST] = fmax(curve[CAROM_CURVE_SHARPEST], bend);
            curve[CAROM_CURVE_HOLLOWEST] = fmin(curve[CAROM_CURVE_HOLLOWEST], bend);
        }
    return NULL;
}

const char *carom_curve_finish(carom_curve_builder *b, bool closed, carom_curve_material material)
{
    if (b->refusal)
        return b->refusal;
    if (b->count == 0)
        return refuse(b, 0, "the curve has no segments");
    double *curve = b->curve, extent = extent_of(curve, b->count), radius = 0, area = 0;
    memset(curve, 0, CAROM_CURVE_HEADER * sizeof *curve);
    for (int k = closed ? 0 : 1; k < b->count; k++)
        if (join(b, k > 0 ? k - 1 : b->count - 1, k, extent))
            return b->refusal;
    for (int k = 0; k < b->count; k++) {
        const double *segment = carom_segment(curve, k);
        int joint = (int)segment[CAROM_SEGMENT_JOINT];
        radius = fmax(radius,
                      carom_v2_norm(carom_segment_pair(segment, CAROM_SEGMENT_CENTRE)) + segment[CAROM_SEGMENT_RADIUS]);
        area += area_of(segment);
        curve[CAROM_CURVE_CORNERS] += joint == CAROM_JOINT_CONVEX || joint == CAROM_JOINT_CONCAVE;
    }
    curve[CAROM_CURVE_COUNT] = b->count;
    curve[CAROM_CURVE_CLOSED] = closed;
    curve[CAROM_CURVE_RADIUS] = radius;
    curve[CAROM_CURVE_EXTENT] = extent;
    curve[CAROM_CURVE_AREA] = closed ? area : 0;
    carom_curve_mark_sections(curve);
    carom_curve_mark_supports(curve);
    carom_curve_mark_level(curve);
    carom_curve_mark_boxes(curve);
    if (measure_bends(b, extent))
        return b->refusal;
    int crossing = carom_curve_crosses_itself(curve);
    if (crossing >= 0)
        return refuse(b, crossing, "the curve crosses or touches itself: an outline must go round its area once");
    if (material != CAROM_MATERIAL_LEFT && !closed)
        return refuse(b, 0, "an open curve has no inside: close it");
    if (material == CAROM_MATERIAL_INSIDE && area < 0)
        return refuse(b, 0,
                      "the outline runs clockwise, which leaves the material outside: give its points "
                      "counterclockwise, or for a hollow draw it as a closed profile, which may run clockwise");
    if (material == CAROM_MATERIAL_OUTSIDE && area > 0)
        return refuse(b, 0,
                      "the outline of a hollow runs counterclockwise, which leaves the material inside: give its "
                      "points clockwise");
    return NULL;
}

void carom_curve_reverse(double *curve)
{
    int count = carom_curve_segments(curve);
    /* The order of the segments, then each of them, then the joints. */
    for (int k = 0; k < count / 2; k++) {
        double *a = curve + carom_curve_size(k), *b = curve + carom_curve_size(count - 1 - k), keep;
        for (int n = 0; n < CAROM_CURVE_SEGMENT; n++) {
            keep = a[n];
            a[n] = b[n];
            b[n] = keep;
        }
    }
    for (int k = 0; k < count; k++) {
        double *segment = curve + carom_curve_size(k);
        if (carom_segment_arc(segment)) {
            segment[CAROM_SEGMENT_ARC_START] += segment[CAROM_SEGMENT_ARC_SWEEP];
            segment[CAROM_SEGMENT_ARC_SWEEP] = -segment[CAROM_SEGMENT_ARC_SWEEP];
        } else {
            for (int n = 1; n <= CAROM_CURVE_DEGREE; n += 2) {
                segment[CAROM_SEGMENT_DATA + n] = -segment[CAROM_SEGMENT_DATA + n];
                segment[CAROM_SEGMENT_DATA + CAROM_CURVE_DEGREE + 1 + n] *= -1;
            }
        }
        carom_segment_complete(segment);
    }
    carom_curve_builder b = {.curve = curve, .capacity = count, .count = count};
    double sharpest = curve[CAROM_CURVE_SHARPEST];
    curve[CAROM_CURVE_SHARPEST] = -curve[CAROM_CURVE_HOLLOWEST];
    curve[CAROM_CURVE_HOLLOWEST] = -sharpest;
    curve[CAROM_CURVE_AREA] = -curve[CAROM_CURVE_AREA];
    curve[carom_curve_size(0) + CAROM_SEGMENT_JOINT] = CAROM_JOINT_END;
    curve[carom_curve_size(0) + CAROM_SEGMENT_TURN] = 0;
    for (int k = carom_curve_closed(curve) ? 0 : 1; k < count; k++)
        join(&b, k > 0 ? k - 1 : count - 1, k, curve[CAROM_CURVE_EXTENT]);
    carom_curve_mark_sections(curve);
    carom_curve_mark_supports(curve);
    carom_curve_mark_level(curve);
    carom_curve_mark_boxes(curve);
}

/* The nearest point of a whole curve, and its signed distance.

   A part of a segment, a <= u <= b, lies within the sagitta M (b - a)^2/8 of its chord, M the bound of |c''|; so no
   point of it is nearer than the distance of the chord less the sagitta, which excludes the part or halves it. A part
   is done as well where D'' > 0 for half the squared distance D = |c - p|^2/2, D'' = |c'|^2 + c''.(c - p), by bounds of
   the three: it then has one minimum at most, which D'(a) < 0 < D'(b) brackets for safeguarded Newton steps. */
#include "geometry/curve/segment.h"
#include "math/roots.h"

/* Half-done parts; each halving adds one. */
#define PARTS 64
/* Shortest part: 2^-40 is below the rounding of D'. */
#define SHORTEST 9.1e-13

typedef struct part {
    double a, b;
    carom_vec2 at_a, at_b;
} part;

static void offer(double u, double distance, double *best_u, double *best)
{
    if (distance < *best) {
        *best = distance;
        *best_u = u;
    }
}

/* The root of D' between a and b, where D' < 0 and > 0. */
static double bracketed(const double *segment, carom_vec2 p, double a, double b, int *evaluations)
{
    double u = 0.5 * (a + b);
    for (int k = 0; k < 60; k++) {
        carom_segment_point c;
        carom_segment_eval(segment, u, &c);
        ++*evaluations;
        carom_vec2 d = carom_v2_sub(c.at, p);
        double slope = carom_v2_dot(c.d1, d), bend = carom_v2_dot(c.d1, c.d1) + carom_v2_dot(c.d2, d);
        if (slope == 0)
            return u;
        *(slope < 0 ? &a : &b) = u;
        const double next = carom_newton_between(u, slope, bend > 0 ? bend : 0, a, b);
        if (fabs(next - u) < 1e-15)
            return next;
        u = next;
    }
    return u;
}

/* True where the part is done: D has one minimum in it at most, and that is offered. */
static bool single(const double *segment, carom_vec2 p, const part *q, double *best_u, double *best, int *evaluations)
{
    double h = q->b - q->a, bend = segment[CAROM_SEGMENT_BEND];
    carom_vec2 chord = carom_v2_sub(q->at_b, q->at_a);
    /* chord/h is the mean of c', from which c' differs by less than M h. */
    double least = carom_v2_norm(chord) / h - bend * h;
    double farthest =
        fmax(carom_v2_distance(q->at_a, p), carom_v2_distance(q->at_b, p)) + carom_segment_sagitta(segment, h);
    if (!(least > 0 && least * least > bend * farthest))
        return false;
    carom_segment_point a, b;
    carom_segment_eval(segment, q->a, &a);
    carom_segment_eval(segment, q->b, &b);
    *evaluations += 2;
    if (carom_v2_dot(a.d1, carom_v2_sub(a.at, p)) < 0 && carom_v2_dot(b.d1, carom_v2_sub(b.at, p)) > 0) {
        double u = bracketed(segment, p, q->a, q->b, evaluations);
        offer(u, carom_v2_distance(carom_segment_at(segment, u), p), best_u, best);
    }
    return true;
}

static void polynomial_closest(const double *segment, carom_vec2 p, double slack, double *best_u, double *best,
                               int *evaluations)
{
    part stack[PARTS];
    int count = 1;
    stack[0] =
        (part){0, 1, carom_segment_pair(segment, CAROM_SEGMENT_FROM), carom_segment_pair(segment, CAROM_SEGMENT_TO)};
    while (count > 0) {
        part q = stack[--count];
        double h = q.b - q.a;
        if (carom_chord_point_distance(q.at_a, q.at_b, p) - carom_segment_sagitta(segment, h) >= *best - slack)
            continue;
        if (single(segment, p, &q, best_u, best, evaluations) || h < SHORTEST || count + 2 > PARTS)
            continue;
        double m = 0.5 * (q.a + q.b);
        carom_vec2 at = carom_segment_at(segment, m);
        ++*evaluations;
        offer(m, carom_v2_distance(at, p), best_u, best);
        /* The half that begins or ends nearer comes first. */
        part low = {q.a, m, q.at_a, at}, high = {m, q.b, at, q.at_b};
        bool low_first = carom_v2_distance(q.at_a, p) < carom_v2_distance(q.at_b, p);
        stack[count++] = low_first ? high : low;
        stack[count++] = low_first ? low : high;
    }
}

/* Completes a u that the search left within its slack of the minimum; arcs and lines are exact. */
static double sharpen(const double *segment, carom_vec2 p, double u, int *evaluations)
{
    if (carom_segment_arc(segment) || carom_segment_line(segment) || u <= 0 || u >= 1)
        return u;
    double start = u, least = carom_v2_distance(carom_segment_at(segment, u), p);
    for (int n = 0; n < 8; n++) {
        carom_segment_point c;
        carom_segment_eval(segment, u, &c);
        ++*evaluations;
        carom_vec2 d = carom_v2_sub(c.at, p);
        double bend = carom_v2_dot(c.d1, c.d1) + carom_v2_dot(c.d2, d), step = -carom_v2_dot(c.d1, d) / bend;
        if (!(bend > 0 && u + step > 0 && u + step < 1))
            return start;
        u += step;
        if (fabs(step) < 1e-15)
            break;
    }
    return carom_v2_distance(carom_segment_at(segment, u), p) <= least * (1 + 1e-12) ? u : start;
}

bool carom_segment_closest(const double *segment, carom_vec2 p, double slack, double *u, double *distance,
                           int *evaluations)
{
    double best = *distance;
    ++*evaluations;
    offer(0, carom_v2_distance(carom_segment_pair(segment, CAROM_SEGMENT_FROM), p), u, &best);
    offer(1, carom_v2_distance(carom_segment_pair(segment, CAROM_SEGMENT_TO), p), u, &best);
    if (carom_segment_arc(segment)) {
        carom_vec2 arm = carom_v2_sub(p, carom_segment_pair(segment, CAROM_SEGMENT_ARC_CENTRE));
        double reach = carom_v2_norm(arm), away = fabs(reach - segment[CAROM_SEGMENT_ARC_RADIUS]);
        /* the place along the arc is asked for last: it costs most */
        double at = away < best ? (reach > 0 ? carom_arc_parameter(segment, arm) : 0.5) : 2;
        if (at <= 1)
            offer(at, away, u, &best);
    } else if (carom_segment_line(segment)) {
        carom_vec2 a = carom_segment_pair(segment, CAROM_SEGMENT_FROM);
        carom_vec2 e = carom_v2_sub(carom_segment_pair(segment, CAROM_SEGMENT_TO), a), d = carom_v2_sub(p, a);
        double t = carom_v2_dot(d, e) / carom_v2_dot(e, e);
        if (t > 0 && t < 1)
            offer(t, fabs(carom_v2_cross(e, d)) / carom_v2_norm(e), u, &best);
    } else {
        polynomial_closest(segment, p, slack, u, &best, evaluations);
    }
    bool less = best < *distance;
    *distance = best;
    return less;
}

/* The segment whose circle is nearest to a point. */
static int nearest_circle(const double *curve, carom_vec2 p)
{
    int first = 0;
    double nearest = HUGE_VAL;
    for (int k = 0; k < carom_curve_segments(curve); k++) {
        const double *segment = carom_segment(curve, k);
        const double d =
            carom_v2_distance(carom_segment_pair(segment, CAROM_SEGMENT_CENTRE), p) - segment[CAROM_SEGMENT_RADIUS];
        if (d < nearest) {
            nearest = d;
            first = k;
        }
    }
    return first;
}

void carom_curve_closest_within(const double *curve, carom_vec2 p, double bound, carom_curve_foot *out)
{
    const int count = carom_curve_segments(curve);
    /* a search without a bound begins with the segment that is likely to give a good one */
    const int first = bound == HUGE_VAL && count > 1 ? nearest_circle(curve, p) : 0;
    const double slack = 1e-9 * curve[CAROM_CURVE_EXTENT];
    double best = bound, at = 0;
    int where = -1;
    out->evaluations = 0;
    for (int turn = -1; turn < count; turn++) {
        const int k = turn < 0 ? first : turn;
        const double *segment = carom_segment(curve, k), reach = best + segment[CAROM_SEGMENT_RADIUS];
        const carom_vec2 way = carom_v2_sub(carom_segment_pair(segment, CAROM_SEGMENT_CENTRE), p);
        if ((turn >= 0 && k == first) || carom_v2_dot(way, way) > reach * reach)
            continue;
        double u = 0;
        if (carom_segment_closest(segment, p, slack, &u, &best, &out->evaluations)) {
            where = k;
            at = u;
        }
    }
    if (where < 0 && bound < HUGE_VAL) {
        carom_curve_closest_within(curve, p, HUGE_VAL, out);
        return;
    }
    out->searched = true;
    int k = where < 0 ? 0 : where;
    at = sharpen(carom_segment(curve, k), p, at, &out->evaluations);
    carom_curve_foot_finish(curve, p, k, at, out);
}

void carom_curve_closest(const double *curve, carom_vec2 p, carom_curve_foot *out)
{
    carom_curve_closest_within(curve, p, HUGE_VAL, out);
}

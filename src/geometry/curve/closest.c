/* The nearest point of a whole curve, and its signed distance.

   A part of a segment, a <= u <= b, lies within the sagitta M (b - a)^2/8 of its chord, M the bound of |c''|; so no
   point of it is nearer than the distance of the chord less the sagitta, which excludes the part or halves it. A part
   is done as well where D'' > 0 for half the squared distance D = |c - p|^2/2, D'' = |c'|^2 + c''.(c - p), by bounds of
   the three: it then has one minimum at most, which D'(a) < 0 < D'(b) brackets for safeguarded Newton steps. */
#include "geometry/curve/segment.h"
#include "math/roots.h"

#include <string.h>

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

/* ---- the whole curve: a tree of boxes over its segments ----
   A range of more than FEW segments is halved at its middle one, which keeps the box about all of them, as the middle
   of a range of few does. */

/* Segments that are looked at one after the other. */
#define FEW 8
/* Ranges that wait; each halving adds one. */
#define RANGES 64

typedef struct range {
    int first, end;
    double square;              /* of the least distance of its box [m^2] */
} range;

/* Halves a range; false: it has few segments. */
static bool split(const range *r, range *low, range *high)
{
    const int middle = r->first + (r->end - r->first) / 2;
    *low = (range){r->first, middle, 0};
    *high = (range){middle, r->end, 0};
    return r->end - r->first > FEW;
}

static double *box_place(double *curve, const range *r)
{
    return curve + carom_curve_size(r->first + (r->end - r->first) / 2) + CAROM_SEGMENT_BOX;
}

/* Low x, y and high x, y of the box about the circles of the segments. */
static void set_box(double *curve, const range *r)
{
    range half[2];
    double box[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    const bool halved = split(r, &half[0], &half[1]);
    for (int n = 0; halved && n < 2; n++) {
        set_box(curve, &half[n]);
        const double *own = box_place(curve, &half[n]);
        for (int axis = 0; axis < 2; axis++) {
            box[axis] = fmin(box[axis], own[axis]);
            box[2 + axis] = fmax(box[2 + axis], own[2 + axis]);
        }
    }
    for (int k = r->first; !halved && k < r->end; k++)
        for (int axis = 0; axis < 2; axis++) {
            const double *segment = carom_segment(curve, k), radius = segment[CAROM_SEGMENT_RADIUS];
            box[axis] = fmin(box[axis], segment[CAROM_SEGMENT_CENTRE + axis] - radius);
            box[2 + axis] = fmax(box[2 + axis], segment[CAROM_SEGMENT_CENTRE + axis] + radius);
        }
    memcpy(box_place(curve, r), box, sizeof box);
}

void carom_curve_mark_boxes(double *curve) { set_box(curve, &(range){0, carom_curve_segments(curve), 0}); }

static double greater(double a, double b) { return a > b ? a : b; }

/* Square of the distance of a point from the box of a range. */
static double box_square(const double *curve, const range *r, carom_vec2 p)
{
    const double *box = carom_segment(curve, r->first + (r->end - r->first) / 2) + CAROM_SEGMENT_BOX;
    const double x = greater(greater(box[0] - p.x, p.x - box[2]), 0);
    const double y = greater(greater(box[1] - p.y, p.y - box[3]), 0);
    return x * x + y * y;
}

/* The segment of a range whose circle is nearest to a point. */
static int nearest_circle(const double *curve, const range *r, carom_vec2 p)
{
    int first = r->first;
    double nearest = HUGE_VAL;
    for (int k = r->first; k < r->end; k++) {
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

typedef struct nearest {
    double slack, best, at;
    int where, evaluations;
} nearest;

/* Looks at few segments, one after the other. */
static void look_at(const double *curve, const range *r, carom_vec2 p, nearest *n)
{
    /* a search without a bound begins with the segment that is likely to give a good one */
    const int first = n->best == HUGE_VAL && r->end - r->first > 1 ? nearest_circle(curve, r, p) : r->first;
    for (int turn = r->first - 1; turn < r->end; turn++) {
        const int k = turn < r->first ? first : turn;
        const double *segment = carom_segment(curve, k), reach = n->best + segment[CAROM_SEGMENT_RADIUS];
        const carom_vec2 way = carom_v2_sub(carom_segment_pair(segment, CAROM_SEGMENT_CENTRE), p);
        if ((turn >= r->first && k == first) || carom_v2_dot(way, way) > reach * reach)
            continue;
        double u = 0;
        if (carom_segment_closest(segment, p, n->slack, &u, &n->best, &n->evaluations)) {
            n->where = k;
            n->at = u;
        }
    }
}

/* Looks at the nearer half of a range first, and at none whose box is farther away than what is found. */
static nearest search(const double *curve, carom_vec2 p, double bound)
{
    nearest n = {.slack = 1e-9 * curve[CAROM_CURVE_EXTENT], .best = bound, .where = -1};
    range stack[RANGES] = {{0, carom_curve_segments(curve), 0}};
    for (int count = 1; count > 0;) {
        const range r = stack[--count];
        range low, high;
        if (r.square > n.best * n.best)
            continue;
        if (!split(&r, &low, &high)) {
            look_at(curve, &r, p, &n);
            continue;
        }
        low.square = box_square(curve, &low, p);
        high.square = box_square(curve, &high, p);
        const bool low_first = low.square <= high.square;
        stack[count++] = low_first ? high : low;
        stack[count++] = low_first ? low : high;
    }
    return n;
}

void carom_curve_closest_within(const double *curve, carom_vec2 p, double bound, carom_curve_foot *out)
{
    nearest n = search(curve, p, bound);
    if (n.where < 0 && bound < HUGE_VAL)
        n = search(curve, p, HUGE_VAL);
    const int k = n.where < 0 ? 0 : n.where;
    out->searched = true;
    out->evaluations = n.evaluations;
    const double at = sharpen(carom_segment(curve, k), p, n.at, &out->evaluations);
    carom_curve_foot_finish(curve, p, k, at, out);
}

void carom_curve_closest(const double *curve, carom_vec2 p, carom_curve_foot *out)
{
    carom_curve_closest_within(curve, p, HUGE_VAL, out);
}

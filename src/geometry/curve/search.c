/* The two searches of a contact, branch and bound over parts of the curves.

   Separated: no points of two parts are nearer than their chords less both sagittas. Pairs of lines and arcs are
   solved in closed form: the least distance of segments that do not cross lies at an end of one of them or on the line
   through the centres.

   Crossing: a point of j below i is no deeper than its distance to any part of i. Of the points of a part of j that lie
   below i none is deeper than the larger distance of the ends of its chord from the chord between their feet, plus both
   sagittas (the distance to a chord is a convex function); and the signed distance changes no faster than the point
   moves. */
#include "geometry/curve/segment.h"

#define PAIRS 200
#define PARTS 128
/* Parts looked at before a search ends with what it has: surfaces that conform along a length. */
#define PATIENCE 20000

/* ---- nearest ---- */

typedef struct pair {
    double a[2], b[2];
    carom_vec2 at_a[2], at_b[2];
    double bound; /* no points of the parts are nearer [m] */
} pair;

typedef struct nearest {
    const double *curve[2];
    const carom_pose2 *X;
    double slack, distance, s[2];
    int evaluations, patience;
} nearest;

static void offer_pair(nearest *n, const int k[2], double u, double v, double distance)
{
    if (distance < n->distance) {
        n->distance = distance;
        n->s[0] = carom_curve_join(n->curve[0], k[0], u);
        n->s[1] = carom_curve_join(n->curve[1], k[1], v);
    }
}

/* Ends of each segment against the other segment. */
static void ends_of_pair(nearest *n, const int k[2], const double *p, const double *q)
{
    for (int end = 0; end < 2; end++) {
        double u = 0, d = n->distance;
        carom_vec2 e = carom_pose2_apply(n->X, carom_segment_pair(q, end ? CAROM_SEGMENT_TO : CAROM_SEGMENT_FROM));
        if (carom_segment_closest(p, e, n->slack, &u, &d, &n->evaluations))
            offer_pair(n, k, u, end, d);
        d = n->distance;
        e = carom_pose2_apply_back(n->X, carom_segment_pair(p, end ? CAROM_SEGMENT_TO : CAROM_SEGMENT_FROM));
        if (carom_segment_closest(q, e, n->slack, &u, &d, &n->evaluations))
            offer_pair(n, k, end, u, d);
    }
}

/* A segment that is a line or an arc, in the frame of i, and the one normal of it that matters. */
typedef struct normal_line {
    const double *segment;
    carom_vec2 at; /* centre of the arc, or the foot on the line */
    double radius; /* 0 of a line */
    double u;      /* of the foot on the line */
} normal_line;

/* The centre of an arc; `X` NULL: a segment of i. */
static carom_vec2 centre_of(const double *arc, const carom_pose2 *X)
{
    carom_vec2 centre = carom_segment_pair(arc, CAROM_SEGMENT_ARC_CENTRE);
    return X ? carom_pose2_apply(X, centre) : centre;
}

/* The foot of `from` on a line and the line's normal; false: beside the line. */
static bool foot_of(normal_line *line, const carom_pose2 *X, carom_vec2 from, carom_vec2 *normal)
{
    carom_vec2 begin = carom_segment_pair(line->segment, CAROM_SEGMENT_FROM);
    carom_vec2 along = carom_v2_sub(carom_segment_pair(line->segment, CAROM_SEGMENT_TO), begin);
    if (X) {
        begin = carom_pose2_apply(X, begin);
        along = carom_pose2_turn(X, along);
    }
    line->u = carom_v2_dot(carom_v2_sub(from, begin), along) / carom_v2_dot(along, along);
    line->at = carom_v2_add_scaled(begin, line->u, along);
    *normal = carom_v2_left(along);
    return line->u > 0 && line->u < 1;
}

/* The place on the segment in a direction of the frame of i; above 1: none. */
static double place_of(const normal_line *l, const carom_pose2 *X, carom_vec2 direction)
{
    if (l->radius == 0)
        return l->u;
    return carom_arc_parameter(l->segment, X ? carom_pose2_turn_back(X, direction) : direction);
}

/* Common normals of two segments, each a line or an arc, through the centres. */
static void centres_of_pair(nearest *n, const int k[2], const double *p, const double *q)
{
    bool arc_p = carom_segment_arc(p), arc_q = carom_segment_arc(q);
    normal_line a = {.segment = p}, b = {.segment = q};
    carom_vec2 e;
    if (!arc_p && !arc_q)
        return;
    if (arc_p) {
        a.at = centre_of(p, NULL);
        a.radius = p[CAROM_SEGMENT_ARC_RADIUS];
    }
    if (arc_q) {
        b.at = centre_of(q, n->X);
        b.radius = q[CAROM_SEGMENT_ARC_RADIUS];
    }
    if (arc_p && arc_q)
        e = carom_v2_sub(b.at, a.at);
    else if (!(arc_p ? foot_of(&b, n->X, a.at, &e) : foot_of(&a, NULL, b.at, &e)))
        return;
    if (e.x == 0 && e.y == 0)
        return;
    e = carom_v2_unit(e);
    for (int sign = 0; sign < 4; sign++) {
        carom_vec2 to_p = sign & 1 ? carom_v2_neg(e) : e, to_q = sign & 2 ? carom_v2_neg(e) : e;
        carom_vec2 at_p = carom_v2_add_scaled(a.at, a.radius, to_p), at_q = carom_v2_add_scaled(b.at, b.radius, to_q);
        /* places along arcs cost most: only of points that may be nearer */
        if (carom_v2_distance(at_p, at_q) > n->distance + n->slack)
            continue;
        double u = place_of(&a, NULL, to_p), v = place_of(&b, n->X, to_q);
        if (u > 1 || v > 1)
            continue;
        n->evaluations += 2;
        offer_pair(n, k, u, v,
                   carom_v2_distance(carom_segment_at(p, u), carom_pose2_apply(n->X, carom_segment_at(q, v))));
    }
}

static void offer_points(nearest *n, const int k[2], double u, double v, carom_vec2 a, carom_vec2 b)
{
    const carom_vec2 way = carom_v2_sub(b, a);
    const double square = carom_v2_dot(way, way);
    if (square < n->distance * n->distance)
        offer_pair(n, k, u, v, sqrt(square));
}

/* The point u of one segment (in the frame of i) against both ends of a part of the other. */
static void offer_ends(nearest *n, const int k[2], int side, double u, carom_vec2 at, const pair *q)
{
    const int other = 1 - side;
    for (int end = 0; end < 2; end++) {
        const double v = end ? q->b[other] : q->a[other];
        const carom_vec2 to = end ? q->at_b[other] : q->at_a[other];
        offer_points(n, k, side == 0 ? u : v, side == 0 ? v : u, at, to);
    }
}

static double bound_of(const pair *q, const double *p0, const double *p1)
{
    return carom_chord_distance(q->at_a[0], q->at_b[0], q->at_a[1], q->at_b[1]) -
           carom_segment_sagitta(p0, q->b[0] - q->a[0]) - carom_segment_sagitta(p1, q->b[1] - q->a[1]);
}

static bool simple(const double *segment) { return carom_segment_arc(segment) || carom_segment_line(segment); }

/* The point u of one segment (in the frame of i) against the whole of the other, which is a line or an arc. */
static void offer_point(nearest *n, const int k[2], int side, double u, carom_vec2 at)
{
    const double *other = carom_segment(n->curve[1 - side], k[1 - side]);
    double v = 0, d = n->distance;
    if (side == 0)
        at = carom_pose2_apply_back(n->X, at);
    if (carom_segment_closest(other, at, n->slack, &v, &d, &n->evaluations))
        offer_pair(n, k, side == 0 ? u : v, side == 0 ? v : u, d);
}

static void search_pair(nearest *n, const int k[2])
{
    const double *segment[2] = {carom_segment(n->curve[0], k[0]), carom_segment(n->curve[1], k[1])};
    pair stack[PAIRS];
    int count = 1;
    for (int side = 0; side < 2; side++) {
        carom_vec2 from = carom_segment_pair(segment[side], CAROM_SEGMENT_FROM);
        carom_vec2 to = carom_segment_pair(segment[side], CAROM_SEGMENT_TO);
        stack[0].a[side] = 0;
        stack[0].b[side] = 1;
        stack[0].at_a[side] = side == 1 ? carom_pose2_apply(n->X, from) : from;
        stack[0].at_b[side] = side == 1 ? carom_pose2_apply(n->X, to) : to;
    }
    offer_ends(n, k, 0, 0, stack[0].at_a[0], &stack[0]);
    offer_ends(n, k, 0, 1, stack[0].at_b[0], &stack[0]);
    for (int side = 0; side < 2; side++)
        if (simple(segment[1 - side])) {
            offer_point(n, k, side, 0, stack[0].at_a[side]);
            offer_point(n, k, side, 1, stack[0].at_b[side]);
        }
    stack[0].bound = bound_of(&stack[0], segment[0], segment[1]);
    while (count > 0 && n->patience > 0) {
        const pair q = stack[--count];
        if (q.bound >= n->distance - n->slack || count + 2 > PAIRS)
            continue;
        n->patience--;
        double h0 = q.b[0] - q.a[0], h1 = q.b[1] - q.a[1];
        int side = carom_segment_sagitta(segment[0], h0) > carom_segment_sagitta(segment[1], h1) ? 0 : 1;
        double m = 0.5 * (q.a[side] + q.b[side]);
        carom_vec2 at = carom_segment_at(segment[side], m);
        n->evaluations++;
        if (side == 1)
            at = carom_pose2_apply(n->X, at);
        pair low = q, high = q;
        low.b[side] = high.a[side] = m;
        low.at_b[side] = high.at_a[side] = at;
        offer_ends(n, k, side, m, at, &q);
        if (simple(segment[1 - side]))
            offer_point(n, k, side, m, at);
        low.bound = bound_of(&low, segment[0], segment[1]);
        high.bound = bound_of(&high, segment[0], segment[1]);
        /* The half with the smaller bound first. */
        const bool low_first = low.bound < high.bound;
        stack[count++] = low_first ? high : low;
        stack[count++] = low_first ? low : high;
    }
}

static void segments_of_pair(nearest *n, const int k[2])
{
    const double *p = carom_segment(n->curve[0], k[0]), *q = carom_segment(n->curve[1], k[1]);
    if (simple(p) && simple(q)) {
        ends_of_pair(n, k, p, q);
        centres_of_pair(n, k, p, q);
    } else {
        search_pair(n, k);
    }
}

/* True where the circle about a segment comes nearer than `distance` to a circle. */
static bool circles_within(carom_vec2 centre, double radius, const double *segment, double distance)
{
    const carom_vec2 way = carom_v2_sub(carom_segment_pair(segment, CAROM_SEGMENT_CENTRE), centre);
    const double reach = distance + radius + segment[CAROM_SEGMENT_RADIUS];
    return reach > 0 && carom_v2_dot(way, way) < reach * reach;
}

void carom_curve_nearest(const double *i, const double *j, const carom_pose2 *X, double slack, double *distance,
                         double *s_i, double *s_j, int *evaluations)
{
    nearest n = {
        .curve = {i, j}, .X = X, .slack = slack, .distance = *distance, .s = {*s_i, *s_j}, .patience = PATIENCE};
    int first[2] = {0, 0}, k[2];
    double least = HUGE_VAL;
    for (k[0] = 0; k[0] < carom_curve_segments(i); k[0]++) {
        const double *p = carom_segment(i, k[0]), radius = p[CAROM_SEGMENT_RADIUS];
        const carom_vec2 centre = carom_pose2_apply_back(X, carom_segment_pair(p, CAROM_SEGMENT_CENTRE));
        for (k[1] = 0; k[1] < carom_curve_segments(j); k[1]++) {
            const double *q = carom_segment(j, k[1]);
            const double bound = carom_v2_distance(centre, carom_segment_pair(q, CAROM_SEGMENT_CENTRE)) - radius -
                                 q[CAROM_SEGMENT_RADIUS];
            if (bound < least) {
                least = bound;
                first[0] = k[0];
                first[1] = k[1];
            }
        }
    }
    segments_of_pair(&n, first);
    for (k[0] = 0; k[0] < carom_curve_segments(i); k[0]++) {
        const double *p = carom_segment(i, k[0]), radius = p[CAROM_SEGMENT_RADIUS];
        const carom_vec2 centre = carom_pose2_apply_back(X, carom_segment_pair(p, CAROM_SEGMENT_CENTRE));
        for (k[1] = 0; k[1] < carom_curve_segments(j); k[1]++)
            if ((k[0] != first[0] || k[1] != first[1]) &&
                circles_within(centre, radius, carom_segment(j, k[1]), n.distance - slack))
                segments_of_pair(&n, k);
    }
    *distance = n.distance;
    *s_i = n.s[0];
    *s_j = n.s[1];
    *evaluations += n.evaluations;
}

/* ---- deepest ---- */

typedef struct sample {
    double u;      /* of the segment of j */
    carom_vec2 at; /* in the frame of i */
    double gap, s; /* signed distance from i, parameter of the foot */
    carom_vec2 foot;
} sample;

typedef struct part {
    sample a, b;
} part;

typedef struct deepest {
    const double *i, *j;
    const carom_pose2 *X;
    double slack, gap, s_i, s_j;
    int evaluations, patience;
} deepest;

static sample take(deepest *d, int k, double u, const sample *near)
{
    sample q = {.u = u, .at = carom_pose2_apply(d->X, carom_segment_at(carom_segment(d->j, k), u))};
    carom_curve_foot foot;
    double bound = near ? carom_v2_distance(q.at, near->foot) * (1 + 1e-12) + 1e-300 : HUGE_VAL;
    carom_curve_closest_within(d->i, q.at, bound, &foot);
    d->evaluations += foot.evaluations + 1;
    q.gap = foot.distance;
    q.s = foot.s;
    q.foot = foot.at;
    if (q.gap < d->gap) {
        d->gap = q.gap;
        d->s_i = q.s;
        d->s_j = carom_curve_join(d->j, k, u);
    }
    return q;
}

/* Sagitta of the part of i between two feet; HUGE_VAL where they do not lie on one segment. */
static double sagitta_between(const double *i, double s, double t)
{
    double low = fmin(s, t), high = fmax(s, t);
    int count = carom_curve_segments(i);
    if (carom_curve_closed(i) && low == 0 && high > count - 1) {
        low = high;
        high = count;
    }
    int k = (int)fmin(floor(low), count - 1);
    if (high > k + 1)
        return HUGE_VAL;
    return carom_segment_sagitta(carom_segment(i, k), high - low);
}

static double bound_of_part(const deepest *d, int k, const part *q)
{
    double sagitta = carom_segment_sagitta(carom_segment(d->j, k), q->b.u - q->a.u);
    double move = 0.5 * carom_v2_distance(q->a.at, q->b.at) + sagitta;
    double least = fmin(q->a.gap, q->b.gap) - move;
    double other = sagitta_between(d->i, q->a.s, q->b.s);
    double to_a = fmax(carom_v2_distance(q->a.at, q->a.foot), carom_v2_distance(q->b.at, q->a.foot));
    double to_b = fmax(carom_v2_distance(q->a.at, q->b.foot), carom_v2_distance(q->b.at, q->b.foot));
    double deep = fmin(to_a, to_b);
    if (other < HUGE_VAL)
        deep = fmin(deep, other + fmax(carom_chord_point_distance(q->a.foot, q->b.foot, q->a.at),
                                       carom_chord_point_distance(q->a.foot, q->b.foot, q->b.at)));
    return fmax(least, -(deep + sagitta));
}

static void search_part(deepest *d, int k, double a, double b)
{
    part stack[PARTS];
    int count = 1;
    stack[0].a = take(d, k, a, NULL);
    stack[0].b = take(d, k, b, &stack[0].a);
    while (count > 0 && d->patience > 0) {
        part q = stack[--count];
        double slack = fmax(d->slack, 1e-6 * fabs(d->gap));
        if (bound_of_part(d, k, &q) >= d->gap - slack || count + 2 > PARTS)
            continue;
        d->patience--;
        part low = q, high = q;
        low.b = high.a = take(d, k, 0.5 * (q.a.u + q.b.u), q.a.gap < q.b.gap ? &q.a : &q.b);
        bool low_first = q.a.gap < q.b.gap;
        stack[count++] = low_first ? high : low;
        stack[count++] = low_first ? low : high;
    }
}

void carom_curve_deepest(const double *i, const double *j, const carom_pose2 *X, double a, double b, double slack,
                         double *gap, double *s_i, double *s_j, int *evaluations)
{
    deepest d = {.i = i, .j = j, .X = X, .slack = slack, .gap = *gap, .s_i = *s_i, .s_j = *s_j, .patience = PATIENCE};
    int count = carom_curve_segments(j);
    for (int k = (int)floor(a); k < b; k++) {
        double from = fmax(a - k, 0), to = fmin(b - k, 1);
        if (to - from > 1e-14)
            search_part(&d, k % count, from, to);
    }
    *gap = d.gap;
    *s_i = d.s_i;
    *s_j = d.s_j;
    *evaluations += d.evaluations;
}

/* Crossings of two curves, proved: pairs of parts of two segments are halved until their chords are farther apart than
   both sagittas together, or until the directions of both parts exclude each other, which leaves one crossing at
   most for Newton steps to find. */
#include "geometry/curve/segment.h"

#include <string.h>

#define PAIRS 160

/* Parts a to b of two segments and their ends; the second segment is seen through the pose X. */
typedef struct pair {
    double a[2], b[2];
    carom_vec2 at_a[2], at_b[2];
} pair;

typedef struct two {
    const double *segment[2];
    const carom_pose2 *X;
    double tiny; /* what lies nearer touches [m] */
    int evaluations;
} two;

static void evaluate(two *t, int side, double u, carom_segment_point *c)
{
    carom_segment_eval(t->segment[side], u, c);
    t->evaluations++;
    if (side == 1) {
        c->at = carom_pose2_apply(t->X, c->at);
        c->d1 = carom_pose2_turn(t->X, c->d1);
        c->d2 = carom_pose2_turn(t->X, c->d2);
    }
}

/* True where every direction of one part crosses every direction of the other. */
static bool directions_differ(const two *t, const pair *q)
{
    double open[2];
    carom_vec2 chord[2];
    for (int side = 0; side < 2; side++) {
        double h = q->b[side] - q->a[side];
        chord[side] = carom_v2_sub(q->at_b[side], q->at_a[side]);
        double size = carom_v2_norm(chord[side]), spread = t->segment[side][CAROM_SEGMENT_BEND] * h * h;
        if (!(size > spread))
            return false;
        open[side] = spread > 0 ? asin(spread / size) : 0;
        chord[side] = carom_v2_scale(1 / size, chord[side]);
    }
    double between = atan2(fabs(carom_v2_cross(chord[0], chord[1])), fabs(carom_v2_dot(chord[0], chord[1])));
    return between > open[0] + open[1] + 1e-9;
}

/* Newton steps on c_i(u) = c_j(v) from the middle of both parts. */
static bool meet(two *t, const pair *q, double u[2])
{
    u[0] = 0.5 * (q->a[0] + q->b[0]);
    u[1] = 0.5 * (q->a[1] + q->b[1]);
    double last = HUGE_VAL;
    for (int n = 0; n < 12 && last > 1e-12; n++) {
        carom_segment_point c[2];
        evaluate(t, 0, u[0], &c[0]);
        evaluate(t, 1, u[1], &c[1]);
        carom_vec2 d = carom_v2_sub(c[1].at, c[0].at);
        double det = carom_v2_cross(c[0].d1, c[1].d1);
        if (det == 0)
            return false;
        double du = carom_v2_cross(d, c[1].d1) / det, dv = carom_v2_cross(d, c[0].d1) / det;
        u[0] += du;
        u[1] += dv;
        last = fabs(du) + fabs(dv);
        if (!(last < 2))
            return false;
    }
    if (!(last < 1e-9))
        return false;
    for (int side = 0; side < 2; side++) {
        double margin = 1e-9 + 1e-9 * (q->b[side] - q->a[side]);
        if (!(u[side] >= q->a[side] - margin && u[side] <= q->b[side] + margin))
            return false;
        u[side] = fmin(fmax(u[side], 0), 1);
    }
    return true;
}

/* Halves the part with the larger sagitta. */
static int halve(two *t, const pair *q, pair *stack, int count)
{
    double h0 = q->b[0] - q->a[0], h1 = q->b[1] - q->a[1];
    double s0 = carom_segment_sagitta(t->segment[0], h0), s1 = carom_segment_sagitta(t->segment[1], h1);
    int side = s0 > s1 || (s0 == s1 && h0 > h1) ? 0 : 1;
    double m = 0.5 * (q->a[side] + q->b[side]);
    carom_vec2 at = carom_segment_at(t->segment[side], m);
    t->evaluations++;
    if (side == 1)
        at = carom_pose2_apply(t->X, at);
    stack[count] = stack[count + 1] = *q;
    stack[count].b[side] = m;
    stack[count].at_b[side] = at;
    stack[count + 1].a[side] = m;
    stack[count + 1].at_a[side] = at;
    return count + 2;
}

typedef struct found {
    int count, capacity;
    double u[CAROM_BREAKS][2];
} found;

/* Whether two numbers are both more than `least` above two others. */
static bool above(double a, double b, double c, double d, double least)
{
    return (a < b ? a : b) - (c > d ? c : d) > least;
}

/* True where the chords are farther apart than `least` along an axis, which is quicker found than their distance. */
static bool boxes_apart(const pair *q, double least)
{
    const carom_vec2 a = q->at_a[0], b = q->at_b[0], c = q->at_a[1], d = q->at_b[1];
    const double more = least * (1 + 1e-12); /* rounding never parts what the distance does not */
    return above(a.x, b.x, c.x, d.x, more) || above(c.x, d.x, a.x, b.x, more) || above(a.y, b.y, c.y, d.y, more) ||
           above(c.y, d.y, a.y, b.y, more);
}

static void cross_segments(two *t, found *out)
{
    pair stack[PAIRS];
    int count = 1;
    for (int side = 0; side < 2; side++) {
        carom_vec2 from = carom_segment_pair(t->segment[side], CAROM_SEGMENT_FROM);
        carom_vec2 to = carom_segment_pair(t->segment[side], CAROM_SEGMENT_TO);
        stack[0].a[side] = 0;
        stack[0].b[side] = 1;
        stack[0].at_a[side] = side == 1 ? carom_pose2_apply(t->X, from) : from;
        stack[0].at_b[side] = side == 1 ? carom_pose2_apply(t->X, to) : to;
    }
    while (count > 0) {
        pair q = stack[--count];
        double sagitta = carom_segment_sagitta(t->segment[0], q.b[0] - q.a[0]) +
                         carom_segment_sagitta(t->segment[1], q.b[1] - q.a[1]);
        if (boxes_apart(&q, sagitta + t->tiny) ||
            carom_chord_distance(q.at_a[0], q.at_b[0], q.at_a[1], q.at_b[1]) > sagitta + t->tiny)
            continue;
        double u[2];
        bool differ = directions_differ(t, &q), met = differ && meet(t, &q, u);
        if (!met && sagitta <= t->tiny) {
            /* Tangent to within rounding, or lines one on the other. */
            u[0] = 0.5 * (q.a[0] + q.b[0]);
            u[1] = 0.5 * (q.a[1] + q.b[1]);
            met = true;
        }
        if (met) {
            if (out->count < out->capacity) {
                out->u[out->count][0] = u[0];
                out->u[out->count][1] = u[1];
            }
            out->count++;
            if (out->count > out->capacity)
                return;
        } else if (count + 2 <= PAIRS) {
            count = halve(t, &q, stack, count);
        }
    }
}

static bool circles_apart(const double *a, const double *b, const carom_pose2 *X, double tiny)
{
    carom_vec2 at = carom_pose2_apply(X, carom_segment_pair(b, CAROM_SEGMENT_CENTRE));
    double reach = a[CAROM_SEGMENT_RADIUS] + b[CAROM_SEGMENT_RADIUS] + tiny;
    carom_vec2 d = carom_v2_sub(at, carom_segment_pair(a, CAROM_SEGMENT_CENTRE));
    return carom_v2_dot(d, d) > reach * reach;
}

/* True where two segments, an arc and a line or arc, cannot meet as the whole circle and the whole line or circle do
   not. */
static bool wholly_apart(const double *a, const double *b, const carom_pose2 *X, double tiny)
{
    if (!carom_segment_arc(a) && !carom_segment_arc(b))
        return false;
    if (carom_segment_arc(a) && carom_segment_arc(b)) {
        carom_vec2 at = carom_pose2_apply(X, carom_segment_pair(b, CAROM_SEGMENT_ARC_CENTRE));
        double apart = carom_v2_distance(at, carom_segment_pair(a, CAROM_SEGMENT_ARC_CENTRE));
        double r = a[CAROM_SEGMENT_ARC_RADIUS], s = b[CAROM_SEGMENT_ARC_RADIUS];
        return apart > r + s + 4 * tiny || apart < fabs(r - s) - 4 * tiny;
    }
    const bool second = carom_segment_arc(b);
    const double *arc = second ? b : a, *line = second ? a : b;
    if (!carom_segment_line(line))
        return false;
    carom_vec2 centre = carom_segment_pair(arc, CAROM_SEGMENT_ARC_CENTRE);
    centre = second ? carom_pose2_apply(X, centre) : carom_pose2_apply_back(X, centre);
    carom_vec2 from = carom_segment_pair(line, CAROM_SEGMENT_FROM);
    carom_vec2 along = carom_v2_sub(carom_segment_pair(line, CAROM_SEGMENT_TO), from);
    double reach = (arc[CAROM_SEGMENT_ARC_RADIUS] + 4 * tiny) * carom_v2_norm(along);
    return fabs(carom_v2_cross(along, carom_v2_sub(centre, from))) > reach;
}

/* Crossings of whole circles and lines in closed form are taken where they are clear: so far from a touch, in units of
   `tiny`, and so far from the ends of the segments, in their parameter. */
#define CLEAR 1e3
#define CLEAR_OF_ENDS 1e-7

typedef enum place { WITHIN, OUTSIDE, UNCLEAR } place;

/* Where a parameter lies of 0 to 1, of an arc past whose end it goes on to `whole`, where it is at the begin again. */
static place place_of(double u, double whole)
{
    const double m = CLEAR_OF_ENDS;
    if (u > m && u < 1 - m)
        return WITHIN;
    return u < -m || (u > 1 + m && u < whole - m) ? OUTSIDE : UNCLEAR;
}

static place place_on_arc(const double *arc, carom_vec2 direction, double *u)
{
    *u = carom_arc_parameter(arc, direction);
    return place_of(*u, 2 * CAROM_PI / fabs(arc[CAROM_SEGMENT_ARC_SWEEP]));
}

/* Adds the crossing at u if it lies within both segments; false: that is not clear. */
static bool take_crossing(const place at[2], const double u[2], found *out)
{
    if (at[0] == OUTSIDE || at[1] == OUTSIDE)
        return true;
    if (at[0] == UNCLEAR || at[1] == UNCLEAR)
        return false;
    memcpy(out->u[out->count++], u, sizeof *out->u);
    return true;
}

/* Half the chord of two circles that are `apart`, and its place on the way from the first centre; 0: it is not clear
   whether they cross. */
static double half_chord(double r, double s, double apart, double tiny, double *along)
{
    const double outer = r + s - apart, inner = apart - fabs(r - s);
    if (!(outer > CLEAR * tiny && inner > CLEAR * tiny && apart > CLEAR * tiny))
        return 0;
    *along = (apart * apart + (r - s) * (r + s)) / (2 * apart);
    return sqrt(outer * (r + s + apart) * inner * (apart + fabs(r - s))) / (2 * apart);
}

/* Crossings of two arcs; false: they are not clear. */
static bool cross_arcs(const two *t, found *out)
{
    const double *a = t->segment[0], *b = t->segment[1];
    const carom_vec2 from = carom_segment_pair(a, CAROM_SEGMENT_ARC_CENTRE);
    const carom_vec2 to = carom_pose2_apply(t->X, carom_segment_pair(b, CAROM_SEGMENT_ARC_CENTRE));
    const carom_vec2 way = carom_v2_sub(to, from);
    const double apart = carom_v2_norm(way);
    double along;
    const double half = half_chord(a[CAROM_SEGMENT_ARC_RADIUS], b[CAROM_SEGMENT_ARC_RADIUS], apart, t->tiny, &along);
    if (!(half > 0))
        return false;
    const carom_vec2 e = carom_v2_scale(1 / apart, way);
    for (int side = -1; side <= 1; side += 2) {
        const carom_vec2 arm = carom_v2_add_scaled(carom_v2_scale(along, e), side * half, carom_v2_left(e));
        double u[2];
        const place at[2] = {place_on_arc(a, arm, &u[0]),
                             place_on_arc(b, carom_pose2_turn_back(t->X, carom_v2_sub(arm, way)), &u[1])};
        if (!take_crossing(at, u, out))
            return false;
    }
    return true;
}

/* The same of an arc, segment `arc`, and a line. */
static bool cross_arc_line(const two *t, int arc, found *out)
{
    const double *a = t->segment[arc], *line = t->segment[1 - arc];
    carom_vec2 ends[2] = {carom_segment_pair(line, CAROM_SEGMENT_FROM), carom_segment_pair(line, CAROM_SEGMENT_TO)};
    for (int k = 0; k < 2; k++)
        ends[k] = carom_v2_sub(arc == 0 ? carom_pose2_apply(t->X, ends[k]) : carom_pose2_apply_back(t->X, ends[k]),
                               carom_segment_pair(a, CAROM_SEGMENT_ARC_CENTRE));
    const carom_vec2 way = carom_v2_sub(ends[1], ends[0]);
    const double length = carom_v2_norm(way), r = a[CAROM_SEGMENT_ARC_RADIUS];
    if (!(length > CLEAR * t->tiny))
        return false;
    const carom_vec2 e = carom_v2_scale(1 / length, way);
    const double off = fabs(carom_v2_cross(e, ends[0])), foot = -carom_v2_dot(e, ends[0]);
    if (!(r - off > CLEAR * t->tiny))
        return false;
    const double half = sqrt((r - off) * (r + off));
    for (int side = -1; side <= 1; side += 2) {
        const double x = foot + side * half;
        double u[2];
        place at[2];
        at[arc] = place_on_arc(a, carom_v2_add_scaled(ends[0], x, e), &u[arc]);
        u[1 - arc] = x / length;
        at[1 - arc] = place_of(u[1 - arc], HUGE_VAL);
        if (!take_crossing(at, u, out))
            return false;
    }
    return true;
}

/* Crossings of two segments, in closed form where they are clear. */
static void cross(two *t, found *out)
{
    const bool arcs[2] = {carom_segment_arc(t->segment[0]), carom_segment_arc(t->segment[1])};
    bool clear = false;
    if (arcs[0] && arcs[1])
        clear = cross_arcs(t, out);
    else if (arcs[0] && carom_segment_line(t->segment[1]))
        clear = cross_arc_line(t, 0, out);
    else if (arcs[1] && carom_segment_line(t->segment[0]))
        clear = cross_arc_line(t, 1, out);
    if (clear)
        return;
    out->count = 0;
    cross_segments(t, out);
}

/* Adds a break in order; one at the same place is the same, and a crossing outweighs a ray. */
static bool add(carom_curve_breaks *b, double s, bool ray)
{
    int at = b->count;
    for (int k = 0; k < b->count; k++)
        if (fabs(b->s[k] - s) < 1e-10) {
            b->ray[k] = b->ray[k] && ray;
            return true;
        }
    if (b->count == CAROM_BREAKS)
        return false;
    for (; at > 0 && b->s[at - 1] > s; at--) {
        b->s[at] = b->s[at - 1];
        b->ray[at] = b->ray[at - 1];
    }
    b->s[at] = s;
    b->ray[at] = ray;
    b->count++;
    return true;
}

/* Breaks of `other`, seen through X, by the rays behind the two ends of an open curve. */
static bool cross_rays(const double *curve, const double *other, const carom_pose2 *X, double tiny,
                       carom_curve_breaks *of_other, int *evaluations)
{
    double reach = curve[CAROM_CURVE_RADIUS] + other[CAROM_CURVE_RADIUS] + carom_v2_norm(X->at);
    bool all = true;
    for (int end = 0; end < 2; end++) {
        carom_curve_joint joint;
        carom_curve_joint_at(curve, end == 0 ? 0 : carom_curve_segments(curve), &joint);
        double ray[CAROM_CURVE_SEGMENT];
        carom_segment_set_line(ray, joint.at, carom_v2_add_scaled(joint.at, 2 * reach, carom_v2_left(joint.before)));
        for (int k = 0; k < carom_curve_segments(other); k++) {
            const double *segment = carom_segment(other, k);
            if (circles_apart(ray, segment, X, tiny))
                continue;
            two t = {.segment = {ray, segment}, .X = X, .tiny = tiny};
            found f = {.capacity = CAROM_BREAKS};
            cross(&t, &f);
            *evaluations += t.evaluations;
            all = all && f.count <= f.capacity;
            for (int n = 0; n < f.count && n < f.capacity; n++) {
                /* It counts only where the end is what lies nearest. */
                carom_curve_foot foot;
                carom_vec2 p = carom_segment_at(ray, f.u[n][0]);
                carom_curve_closest(curve, p, &foot);
                *evaluations += foot.evaluations;
                double to_end = carom_v2_distance(p, joint.at);
                if (fabs(foot.distance) >= to_end * (1 - 1e-9) - tiny)
                    all = add(of_other, carom_curve_join(other, k, f.u[n][1]), true) && all;
            }
        }
    }
    return all;
}

bool carom_curve_breaks_find(const double *i, const double *j, const carom_pose2 *X, carom_curve_breaks *of_i,
                             carom_curve_breaks *of_j, bool *crossed, int *evaluations)
{
    double tiny = 1e-15 * (i[CAROM_CURVE_RADIUS] + j[CAROM_CURVE_RADIUS] + carom_v2_norm(X->at));
    bool all = true;
    of_i->count = of_j->count = 0;
    for (int a = 0; a < carom_curve_segments(i); a++)
        for (int b = 0; b < carom_curve_segments(j); b++) {
            const double *p = carom_segment(i, a), *q = carom_segment(j, b);
            if (circles_apart(p, q, X, tiny) || wholly_apart(p, q, X, tiny))
                continue;
            two t = {.segment = {p, q}, .X = X, .tiny = tiny};
            found f = {.capacity = CAROM_BREAKS};
            cross(&t, &f);
            *evaluations += t.evaluations;
            all = all && f.count <= f.capacity;
            for (int n = 0; n < f.count && n < f.capacity; n++) {
                all = add(of_i, carom_curve_join(i, a, f.u[n][0]), false) && all;
                all = add(of_j, carom_curve_join(j, b, f.u[n][1]), false) && all;
            }
        }
    *crossed = of_i->count > 0;
    if (!carom_curve_closed(i))
        all = cross_rays(i, j, X, tiny, of_j, evaluations) && all;
    carom_pose2 back = carom_pose2_inverse(X);
    if (!carom_curve_closed(j))
        all = cross_rays(j, i, &back, tiny, of_i, evaluations) && all;
    return all;
}

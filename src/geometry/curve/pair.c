/* The contact of two curves: searches over both whole curves, completed by Newton steps. */
#include "geometry/curve/segment.h"

/* What a search may miss of a depth, and Newton steps then find: ten times the slack of carom_curve_deepest. */
#define MISSED 1e-5
/* Searches that Newton steps improve are repeated at most so often. */
#define ROUNDS 4

typedef struct problem {
    const double *i, *j;
    const carom_pose2 *X;
    carom_pose2 back;
    double extent;
    int iterations, evaluations;
} problem;

/* Newton steps from s_i, s_j, kept where they end as near to `gap` as `reach`; else the points as they are, that of
   the curve `side` (1: j) and its foot on the other. */
static void complete(problem *p, double s_i, double s_j, double gap, double reach, int side, carom_curve_contact *out)
{
    bool found = carom_curve_gap_newton(p->i, p->j, p->X, s_i, s_j, out);
    p->iterations += out->iterations;
    p->evaluations += out->evaluations;
    if (found && fabs(out->gap - gap) <= reach)
        return;
    *out = (carom_curve_contact){.searched = true};
    carom_curve_contact_at(p->i, p->j, p->X, s_i, s_j, side, out);
    p->evaluations += out->evaluations;
}

/* ---- separated ---- */

/* The normal and the sign of a least distance beside an open end, where the nearest point lies behind the curve. */
static void make_positive(carom_curve_contact *out)
{
    carom_vec2 d = carom_v2_sub(out->point_j, out->point_i);
    double length = carom_v2_norm(d);
    out->gap = length;
    if (length > 0)
        out->normal = carom_v2_scale(1 / length, d);
    out->common = false;
}

static void separated(problem *p, carom_curve_contact *out)
{
    double distance = HUGE_VAL, s_i = 0, s_j = 0, slack = 1e-6 * p->extent;
    bool less = true;
    carom_curve_nearest(p->i, p->j, p->X, slack, &distance, &s_i, &s_j, &p->evaluations);
    for (int round = 0; round < ROUNDS && less; round++) {
        complete(p, s_i, s_j, distance, 2 * slack + 1e-6 * distance, 1, out);
        double exact = fmin(distance, fabs(out->gap));
        slack = 1e-13 * p->extent + 1e-8 * exact;
        distance = exact;
        carom_curve_nearest(p->i, p->j, p->X, slack, &distance, &s_i, &s_j, &p->evaluations);
        less = distance < exact - slack;
    }
    if (less)
        complete(p, s_i, s_j, distance, 2 * slack, 1, out);
    if (out->gap < 0)
        make_positive(out);
}

/* ---- crossing ---- */

/* A part of a curve, `from` < `to` of s; none where they are the same. */
typedef struct stretch {
    double from, to;
} stretch;

/* carom_curve_deepest on the range a to b of j without a part. */
static void deepest_without(problem *p, const double *i, const double *j, const carom_pose2 *X, double a, double b,
                            const stretch *without, double *gap, double *s_i, double *s_j)
{
    const double slack = 1e-13 * p->extent, turn = a >= without->to ? carom_curve_segments(j) : 0;
    const double from = fmin(fmax(without->from + turn, a), b), to = fmin(fmax(without->to + turn, a), b);
    if (!(to > from)) {
        carom_curve_deepest(i, j, X, a, b, slack, gap, s_i, s_j, &p->evaluations);
        return;
    }
    carom_curve_deepest(i, j, X, a, from, slack, gap, s_i, s_j, &p->evaluations);
    carom_curve_deepest(i, j, X, to, b, slack, gap, s_i, s_j, &p->evaluations);
}

/* Calls that on the ranges of j that lie below i: those between crossings, or ends, whose middle does. */
static void below(problem *p, const double *i, const double *j, const carom_pose2 *X, const carom_curve_breaks *breaks,
                  const stretch *without, double *gap, double *s_i, double *s_j)
{
    int segments = carom_curve_segments(j), n = breaks->count;
    bool closed = carom_curve_closed(j);
    for (int r = closed && n > 0 ? 0 : -1; r < n; r++) {
        double a = r < 0 ? 0 : breaks->s[r];
        double b = r + 1 < n ? breaks->s[r + 1] : closed && n > 0 ? breaks->s[0] + segments : segments;
        bool ray = (r >= 0 && breaks->ray[r]) || (r + 1 < n && breaks->ray[r + 1]) ||
                   (closed && n > 0 && r + 1 == n && breaks->ray[0]);
        const double turn = a >= without->to ? segments : 0;
        if (ray || !(b - a > 1e-12) || (without->from + turn <= a && b <= without->to + turn))
            continue;
        carom_curve_point c;
        carom_curve_eval(j, 0.5 * (a + b), &c);
        carom_curve_foot foot;
        carom_curve_closest(i, carom_pose2_apply(X, c.at), &foot);
        p->evaluations += foot.evaluations + 1;
        if (foot.distance < 0)
            deepest_without(p, i, j, X, a, b, without, gap, s_i, s_j);
    }
}

/* Both directions; false: nothing lies below. */
static bool penetrating(problem *p, const carom_curve_breaks *of_i, const carom_curve_breaks *of_j,
                        carom_curve_contact *out)
{
    const stretch none = {0, 0};
    double gap = 0, s_i = 0, s_j = 0;
    bool any = false;
    below(p, p->i, p->j, p->X, of_j, &none, &gap, &s_i, &s_j);
    if (gap < 0) {
        complete(p, s_i, s_j, gap, MISSED * fabs(gap) + 1e-12 * p->extent, 1, out);
        gap = fmin(gap, out->gap);
        any = true;
    }
    double deeper = gap;
    below(p, p->j, p->i, &p->back, of_i, &none, &deeper, &s_j, &s_i);
    /* The same pair of points to within rounding is kept as j sees it. */
    if (deeper < gap - MISSED * fabs(gap) - 1e-12 * p->extent || (!any && deeper < 0)) {
        complete(p, s_i, s_j, deeper, MISSED * fabs(deeper) + 1e-12 * p->extent, 0, out);
        any = true;
    }
    return any;
}

/* Curves that touch and do no more: the touch with the least gap. */
static void touching(problem *p, const carom_curve_breaks *of_j, carom_curve_contact *out)
{
    double least = HUGE_VAL;
    for (int n = 0; n < of_j->count; n++) {
        if (of_j->ray[n])
            continue;
        carom_curve_point c;
        carom_curve_foot foot;
        carom_curve_contact trial;
        carom_curve_eval(p->j, of_j->s[n], &c);
        carom_curve_closest(p->i, carom_pose2_apply(p->X, c.at), &foot);
        p->evaluations += foot.evaluations + 1;
        complete(p, foot.s, of_j->s[n], foot.distance, 1e-9 * p->extent, 1, &trial);
        if (trial.gap < least) {
            least = trial.gap;
            *out = trial;
        }
    }
}

/* True where one of two curves that do not cross lies wholly below the other. */
static bool swallowed(problem *p, const double *i, const double *j, const carom_pose2 *X,
                      const carom_curve_breaks *of_j)
{
    if (of_j->count > 0)
        return false;
    carom_curve_foot foot;
    carom_curve_closest(i, carom_pose2_apply(X, carom_segment_pair(carom_segment(j, 0), CAROM_SEGMENT_FROM)), &foot);
    p->evaluations += foot.evaluations;
    return foot.distance < 0;
}

static problem problem_of(const double *i, const double *j, const carom_pose2 *X)
{
    return (problem){.i = i,
                     .j = j,
                     .X = X,
                     .back = carom_pose2_inverse(X),
                     .extent = fmin(i[CAROM_CURVE_EXTENT], j[CAROM_CURVE_EXTENT])};
}

void carom_curve_gap(const double *i, const double *j, const carom_pose2 *X, carom_curve_contact *out)
{
    problem p = problem_of(i, j, X);
    carom_curve_breaks of_i, of_j;
    bool crossed;
    *out = (carom_curve_contact){.searched = true};
    if (!isfinite(X->at.x + X->at.y + X->cosine + X->sine)) {
        out->gap = NAN; /* no bound excludes a part there */
        return;
    }
    carom_curve_breaks_find(i, j, X, &of_i, &of_j, &crossed, &p.evaluations);
    if (crossed) {
        if (!penetrating(&p, &of_i, &of_j, out))
            touching(&p, &of_j, out);
    } else if (!((swallowed(&p, i, j, X, &of_j) || swallowed(&p, j, i, &p.back, &of_i)) &&
                 penetrating(&p, &of_i, &of_j, out))) {
        separated(&p, out);
    }
    out->searched = true;
    out->iterations = p.iterations;
    out->evaluations = p.evaluations;
}

void carom_curve_gap_from(const double *i, const double *j, const carom_pose2 *X, double s_i, double s_j,
                          carom_curve_contact *out)
{
    *out = (carom_curve_contact){.searched = false};
    if (carom_curve_gap_newton(i, j, X, s_i, s_j, out))
        return;
    int iterations = out->iterations, evaluations = out->evaluations;
    carom_curve_gap(i, j, X, out);
    out->iterations += iterations;
    out->evaluations += evaluations;
}

/* ---- nowhere deeper ---- */

/* Evaluations from which on a search may have ended before it was done. */
#define MANY 10000

/* Bound of the third derivative of a segment over u. */
static double third_derivative(const double *segment)
{
    if (carom_segment_arc(segment))
        return segment[CAROM_SEGMENT_ARC_RADIUS] * pow(fabs(segment[CAROM_SEGMENT_ARC_SWEEP]), 3);
    const double *x = segment + CAROM_SEGMENT_DATA, *y = x + CAROM_CURVE_DEGREE + 1;
    double bound_x = 0, bound_y = 0;
    for (int n = 3; n <= CAROM_CURVE_DEGREE; n++) {
        const double factor = 8.0 * n * (n - 1) * (n - 2);
        bound_x += factor * fabs(x[n]);
        bound_y += factor * fabs(y[n]);
    }
    return hypot(bound_x, bound_y);
}

/* Two segments, the second seen through a pose, and a place on each: `u` and their distance. */
typedef struct couple {
    const double *segment[2];
    const carom_pose2 *X;
    double u[2], distance;
} couple;

/* Goes on by `step` of j and as far of i as leads to about the foot; false: off a segment, or back on i. */
static bool move(const couple *from, double step, double rate, couple *to)
{
    carom_segment_point c;
    *to = *from;
    to->u[1] += step;
    to->u[0] += rate * step;
    for (int side = 0; side < 2; side++)
        if (!(to->u[side] >= 0 && to->u[side] <= 1))
            return false;
    const carom_vec2 at = carom_pose2_apply(to->X, carom_segment_at(to->segment[1], to->u[1]));
    carom_segment_eval(to->segment[0], to->u[0], &c);
    to->u[0] += carom_v2_dot(carom_v2_sub(at, c.at), c.d1) / carom_v2_dot(c.d1, c.d1);
    if (!(to->u[0] >= 0 && to->u[0] <= 1 && (to->u[0] - from->u[0]) * rate * step > 0))
        return false;
    to->distance = carom_v2_distance(at, carom_segment_at(to->segment[0], to->u[0]));
    return true;
}

/* Continues from two places by parts in which nothing is deeper: no farther apart are two points that move evenly along
   them than those at the ends, and both sagittas. */
static void extend(couple *at, double step, double rate, double depth)
{
    const double shortest = fabs(step) / 16;
    while (fabs(step) > shortest) {
        couple next;
        const bool moved = move(at, step, rate, &next);
        const double sagittas = carom_segment_sagitta(at->segment[0], next.u[0] - at->u[0]) +
                                carom_segment_sagitta(at->segment[1], next.u[1] - at->u[1]);
        if (moved && fmax(at->distance, next.distance) + sagittas < depth) {
            *at = next;
            step *= 1.5;
        } else {
            step *= 0.5;
        }
    }
}

/* The parts of both curves about two points of a common normal in which nothing is deeper than -least. The point
   s_j + x of j is no deeper than its distance from any point of i; that from the one which moves along with it, as
   fast, is |e| with e = c_j(s_j + x) - c_i(s_i + rate x). e.e falls to both sides, its second derivative being negative
   at x = 0, for as far as the bound of its third one allows; the same pairs bound the points of i. */
static bool hold(problem *p, const double s[2], double least, stretch held[2])
{
    const double *curve[2] = {p->i, p->j};
    couple start = {.X = p->X};
    carom_segment_point c[2];
    double longest[2];
    for (int side = 0; side < 2; side++) {
        start.segment[side] = carom_segment(curve[side], carom_curve_split(curve[side], s[side], &start.u[side]));
        carom_segment_eval(start.segment[side], start.u[side], &c[side]);
        longest[side] = fmin(start.u[side], 1 - start.u[side]);
    }
    const carom_vec2 d1 = carom_pose2_turn(p->X, c[1].d1), d2 = carom_pose2_turn(p->X, c[1].d2);
    const carom_vec2 e = carom_v2_sub(carom_pose2_apply(p->X, c[1].at), c[0].at);
    const double rate = carom_v2_dot(c[0].d1, d1) / carom_v2_dot(c[0].d1, c[0].d1), depth = carom_v2_norm(e);
    const carom_vec2 e1 = carom_v2_add_scaled(d1, -rate, c[0].d1), e2 = carom_v2_add_scaled(d2, -rate * rate, c[0].d2);
    const double bend = start.segment[1][CAROM_SEGMENT_BEND] + rate * rate * start.segment[0][CAROM_SEGMENT_BEND];
    const double twist =
        third_derivative(start.segment[1]) + fabs(rate * rate * rate) * third_derivative(start.segment[0]);
    const double falls = -(carom_v2_dot(e1, e1) + carom_v2_dot(e, e2)), slope = fabs(carom_v2_dot(e, e1));
    if (!(depth > 0 && depth < -least && falls > 0 && rate != 0))
        return false;
    double h = fmin(sqrt(falls) / bend, fmin(longest[1], longest[0] / fabs(rate)));
    bool proved = false;
    for (int n = 0; n < 20 && !proved; n++) {
        h *= 0.7;
        const double moves = carom_v2_norm(e1) + bend * h, far = depth + moves * h;
        proved = falls >= h * (moves * bend + far * twist / 3) && slope * h <= depth * (-least - depth);
    }
    if (!proved || !(h > 0))
        return false;
    couple end[2];
    for (int k = 0; k < 2; k++) {
        const double step = k ? h : -h;
        end[k] = start;
        end[k].u[0] += rate * step;
        end[k].u[1] += step;
        end[k].distance = carom_v2_distance(carom_segment_at(end[k].segment[0], end[k].u[0]),
                                            carom_pose2_apply(p->X, carom_segment_at(end[k].segment[1], end[k].u[1])));
        extend(&end[k], 0.5 * step, rate, -least);
    }
    for (int side = 0; side < 2; side++) {
        const double a = s[side] + (end[0].u[side] - start.u[side]), b = s[side] + (end[1].u[side] - start.u[side]);
        held[side] = (stretch){fmin(a, b), fmax(a, b)};
    }
    return true;
}

bool carom_curve_nowhere_below(const double *i, const double *j, const carom_pose2 *X, double s_i, double s_j,
                               double least)
{
    problem p = problem_of(i, j, X);
    const double s[2] = {s_i, s_j}, slack = 1e-13 * p.extent - 1e-6 * least, from = least + slack;
    carom_curve_breaks of_i, of_j;
    stretch held[2];
    bool crossed;
    if (!(from < 0) || !hold(&p, s, least, held) ||
        !carom_curve_breaks_find(i, j, X, &of_i, &of_j, &crossed, &p.evaluations) || !crossed)
        return false;
    double gap = from, at_i, at_j;
    below(&p, i, j, X, &of_j, &held[1], &gap, &at_i, &at_j);
    if (gap == from)
        below(&p, j, i, &p.back, &of_i, &held[0], &gap, &at_j, &at_i);
    return gap == from && p.evaluations < MANY;
}

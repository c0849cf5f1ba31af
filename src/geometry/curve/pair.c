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

/* Calls carom_curve_deepest on the ranges of j that lie below i: those between crossings, or ends, whose middle
   does. */
static void below(problem *p, const double *i, const double *j, const carom_pose2 *X, const carom_curve_breaks *breaks,
                  double *gap, double *s_i, double *s_j)
{
    int segments = carom_curve_segments(j), n = breaks->count;
    bool closed = carom_curve_closed(j);
    for (int r = closed && n > 0 ? 0 : -1; r < n; r++) {
        double a = r < 0 ? 0 : breaks->s[r];
        double b = r + 1 < n ? breaks->s[r + 1] : closed && n > 0 ? breaks->s[0] + segments : segments;
        bool ray = (r >= 0 && breaks->ray[r]) || (r + 1 < n && breaks->ray[r + 1]) ||
                   (closed && n > 0 && r + 1 == n && breaks->ray[0]);
        if (ray || !(b - a > 1e-12))
            continue;
        carom_curve_point c;
        carom_curve_eval(j, 0.5 * (a + b), &c);
        carom_curve_foot foot;
        carom_curve_closest(i, carom_pose2_apply(X, c.at), &foot);
        p->evaluations += foot.evaluations + 1;
        if (foot.distance < 0)
            carom_curve_deepest(i, j, X, a, b, 1e-13 * p->extent, gap, s_i, s_j, &p->evaluations);
    }
}

/* Both directions; false: nothing lies below. */
static bool penetrating(problem *p, const carom_curve_breaks *of_i, const carom_curve_breaks *of_j,
                        carom_curve_contact *out)
{
    double gap = 0, s_i = 0, s_j = 0;
    bool any = false;
    below(p, p->i, p->j, p->X, of_j, &gap, &s_i, &s_j);
    if (gap < 0) {
        complete(p, s_i, s_j, gap, MISSED * fabs(gap) + 1e-12 * p->extent, 1, out);
        gap = fmin(gap, out->gap);
        any = true;
    }
    double deeper = gap;
    below(p, p->j, p->i, &p->back, of_i, &deeper, &s_j, &s_i);
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

void carom_curve_gap(const double *i, const double *j, const carom_pose2 *X, carom_curve_contact *out)
{
    problem p = {.i = i,
                 .j = j,
                 .X = X,
                 .back = carom_pose2_inverse(X),
                 .extent = fmin(i[CAROM_CURVE_EXTENT], j[CAROM_CURVE_EXTENT])};
    carom_curve_breaks of_i, of_j;
    bool crossed;
    *out = (carom_curve_contact){.searched = true};
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

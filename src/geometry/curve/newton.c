/* The common-normal equations of two curves by Newton steps, over borders and corners, and their rates.

   With d = c_j - c_i and unit tangents and normals, Machado et al. 2012, eqs. (12)-(13) read in the frame of i
       d x n_i = 0  <=>  t_i . d = 0,        n_j x n_i = 0  <=>  t_j . n_i = 0,
   and their determinant is proportional to k_i + k_j + g k_i k_j with the curvatures k and the gap g = n_i . d: the
   contact is a local one where that and 1 + g k_i, 1 + g k_j are positive. Where both are convex the first is enough:
   the way -g that parts them along n_i has a local minimum over the directions of n_i, with the second derivative
   1/k_i + 1/k_j + g (of a support function h, h + h'' is the radius of curvature), though it may exceed a radius. */
#include "geometry/curve/segment.h"

#define STEPS 30

/* Both curves during the steps; the frame is that of i. */
typedef struct walk {
    const double *curve[2];
    const carom_pose2 *X;
    int k[2];
    double u[2];
    bool pinned[2]; /* to a corner or end */
    int iterations, evaluations;
} walk;

/* Point and derivatives of curve `side` in the frame of i. */
static void evaluate(walk *w, int side, carom_segment_point *c)
{
    carom_segment_eval(carom_segment(w->curve[side], w->k[side]), w->u[side], c);
    w->evaluations++;
    if (side == 1) {
        c->at = carom_pose2_apply(w->X, c->at);
        c->d1 = carom_pose2_turn(w->X, c->d1);
        c->d2 = carom_pose2_turn(w->X, c->d2);
    }
}

static double place_of(const walk *w, int side) { return carom_curve_join(w->curve[side], w->k[side], w->u[side]); }

static void put(walk *w, int side, double s)
{
    w->k[side] = carom_curve_split(w->curve[side], s, &w->u[side]);
    w->pinned[side] = carom_curve_corner(w->curve[side], place_of(w, side)) >= 0;
}

/* Moves one side, at most to the border of its segment; over it where the joint is smooth. */
static void move(walk *w, int side, double step)
{
    const double *curve = w->curve[side];
    double next = w->u[side] + fmin(fmax(step, -0.5), 0.5);
    if (next >= 0 && next <= 1) {
        w->u[side] = next;
        return;
    }
    int count = carom_curve_segments(curve), onward = next > 1 ? 1 : -1, k = w->k[side] + onward;
    w->u[side] = onward > 0 ? 1 : 0;
    if (carom_curve_corner(curve, place_of(w, side)) >= 0) {
        w->pinned[side] = true;
        return;
    }
    w->k[side] = (k + count) % count;
    w->u[side] = onward > 0 ? 0 : 1;
}

typedef struct equations {
    double f[2];    /* t_i . d [m], t_j . n_i [-] */
    double m[2][2]; /* derivatives over the two u */
    double speed[2], curvature[2], gap;
} equations;

static void set_up(const carom_segment_point *i, const carom_segment_point *j, equations *e)
{
    e->speed[0] = carom_v2_norm(i->d1);
    e->speed[1] = carom_v2_norm(j->d1);
    carom_vec2 ti = carom_v2_scale(1 / e->speed[0], i->d1), tj = carom_v2_scale(1 / e->speed[1], j->d1);
    carom_vec2 ni = carom_v2_right(ti), d = carom_v2_sub(j->at, i->at);
    e->curvature[0] = carom_segment_curvature(i);
    e->curvature[1] = carom_segment_curvature(j);
    e->gap = carom_v2_dot(ni, d);
    e->f[0] = carom_v2_dot(ti, d);
    e->f[1] = carom_v2_dot(tj, ni);
    /* t' = -k |c'| n, n' = k |c'| t over u */
    double bend_i = e->curvature[0] * e->speed[0], bend_j = e->curvature[1] * e->speed[1];
    carom_vec2 nj = carom_v2_right(tj);
    e->m[0][0] = -bend_i * e->gap - e->speed[0];
    e->m[0][1] = carom_v2_dot(ti, j->d1);
    e->m[1][0] = bend_i * carom_v2_dot(tj, ti);
    e->m[1][1] = -bend_j * carom_v2_dot(nj, ni);
}

/* One step of the free pair; returns 1 converged, 0 onward, -1 no contact in reach. */
static int step_free(walk *w)
{
    carom_segment_point i, j;
    evaluate(w, 0, &i);
    evaluate(w, 1, &j);
    w->iterations++;
    equations e;
    set_up(&i, &j, &e);
    double det = e.m[0][0] * e.m[1][1] - e.m[0][1] * e.m[1][0];
    double size = e.speed[0] * e.speed[1] * (fabs(e.curvature[0]) + fabs(e.curvature[1]));
    bool opposed = carom_v2_dot(i.d1, j.d1) < 0;
    if (!opposed || !(fabs(det) > 1e-12 * size))
        return -1;
    double si = (e.m[0][1] * e.f[1] - e.m[1][1] * e.f[0]) / det;
    double sj = (e.m[1][0] * e.f[0] - e.m[0][0] * e.f[1]) / det;
    /* Outside the basin of a local contact a step may lead anywhere. */
    double sum = e.curvature[0] + e.curvature[1] + e.gap * e.curvature[0] * e.curvature[1];
    bool convex = e.curvature[0] >= 0 && e.curvature[1] >= 0;
    if (sum <= 0 || (!convex && (1 + e.gap * e.curvature[0] <= 0 || 1 + e.gap * e.curvature[1] <= 0)))
        return -1;
    bool last = fabs(si) < 1e-8 && fabs(sj) < 1e-8;
    move(w, 0, si);
    move(w, 1, sj);
    return last && !w->pinned[0] && !w->pinned[1] ? 1 : 0;
}

/* One step with the corner of `side` held: the foot of that corner on the other curve, and whether the corner holds. */
static int step_pinned(walk *w, int side)
{
    const carom_pose2 back = carom_pose2_inverse(w->X);
    const carom_pose2 *to_other = side == 1 ? w->X : &back, *to_own = side == 1 ? &back : w->X;
    carom_curve_joint joint;
    carom_curve_joint_at(w->curve[side], carom_curve_corner(w->curve[side], place_of(w, side)), &joint);
    carom_curve_foot foot;
    carom_curve_closest_from(w->curve[1 - side], carom_pose2_apply(to_other, joint.at), place_of(w, 1 - side), &foot);
    w->iterations++;
    w->evaluations += foot.evaluations;
    put(w, 1 - side, foot.s);
    /* Signed distance along the curve, onward and backward from the corner: it must not fall. */
    carom_vec2 normal = carom_pose2_turn(to_own, foot.normal);
    double onward = carom_v2_dot(normal, joint.after), backward = -carom_v2_dot(normal, joint.before);
    bool end = joint.kind == CAROM_JOINT_END, first = end && w->k[side] == 0 && w->u[side] == 0;
    int count = carom_curve_segments(w->curve[side]);
    int corner = carom_curve_corner(w->curve[side], place_of(w, side));
    if (onward < -1e-12 && !(end && !first)) {
        w->k[side] = corner % count;
        w->u[side] = 0;
    } else if (backward < -1e-12 && !first) {
        w->k[side] = (corner - 1 + count) % count;
        w->u[side] = 1;
    } else {
        return 1;
    }
    w->pinned[side] = false;
    return 0;
}

/* ---- results ---- */

/* What a point of a curve is by itself, in the frame of the curve. */
typedef struct own_point {
    double s, curvature;
    carom_vec2 at, tangent;
    carom_curve_place place;
} own_point;

static own_point own_of(const double *curve, double s)
{
    carom_curve_point c;
    carom_curve_eval(curve, s, &c);
    own_point p = {s, c.curvature, c.at, c.tangent, CAROM_PLACE_SMOOTH};
    int corner = carom_curve_corner(curve, s);
    if (corner >= 0) {
        carom_curve_joint joint;
        carom_curve_joint_at(curve, corner, &joint);
        p.place = joint.kind == CAROM_JOINT_END ? CAROM_PLACE_END : CAROM_PLACE_CORNER;
        p.curvature = joint.kind == CAROM_JOINT_CONCAVE ? -HUGE_VAL : HUGE_VAL;
    }
    return p;
}

/* Distances, of the extent or of a segment, below which a place is that of a corner by rounding. */
#define TOUCH 1e-9

/* The contact of a point of the curve `side` (1: j) and its foot on the other. Where a corner lies on it the direction
   from one to the other is rounding, and the normal is that of the point. */
static void contact_at(const double *i, const double *j, const carom_pose2 *X, double s_i, double s_j, int side,
                       carom_curve_contact *out)
{
    const double *curve[2] = {i, j};
    const carom_pose2 back = carom_pose2_inverse(X);
    const double *base = curve[1 - side];
    own_point p = own_of(curve[side], side == 1 ? s_j : s_i);
    carom_vec2 seen = carom_pose2_apply(side == 1 ? X : &back, p.at);
    carom_curve_foot foot = {.evaluations = 1};
    double u;
    int k = carom_curve_split(base, side == 1 ? s_i : s_j, &u);
    carom_curve_foot_finish(base, seen, k, u, &foot);
    out->evaluations += foot.evaluations;
    out->gap = foot.distance;
    out->s_i = side == 1 ? foot.s : p.s;
    out->s_j = side == 1 ? p.s : foot.s;
    out->curvature_i = side == 1 ? foot.curvature : p.curvature;
    out->curvature_j = side == 1 ? p.curvature : foot.curvature;
    out->place_i = side == 1 ? foot.place : p.place;
    out->place_j = side == 1 ? p.place : foot.place;
    out->normal = side == 1 ? foot.normal : carom_v2_neg(carom_pose2_turn(X, foot.normal));
    out->point_i = side == 1 ? foot.at : p.at;
    out->point_j = carom_pose2_apply(X, side == 1 ? p.at : foot.at);
    carom_vec2 tangent = side == 1 ? carom_pose2_turn(X, p.tangent) : p.tangent;
    const double extent = fmin(i[CAROM_CURVE_EXTENT], j[CAROM_CURVE_EXTENT]);
    if (foot.place != CAROM_PLACE_SMOOTH && p.place == CAROM_PLACE_SMOOTH && fabs(foot.distance) < TOUCH * extent)
        out->normal = side == 1 ? carom_v2_left(tangent) : carom_v2_right(tangent);
    out->parallel = p.place == CAROM_PLACE_SMOOTH ? fabs(carom_v2_dot(tangent, out->normal)) : 0;
    out->along = foot.residual * base[CAROM_CURVE_EXTENT] / extent;
    out->common = out->parallel < 1e-9 && out->along < 1e-9;
}

/* The corner that a place is at by rounding; else the place. */
static double at_corner(const double *curve, double s)
{
    const double nearest = nearbyint(s);
    return fabs(s - nearest) < TOUCH && carom_curve_corner(curve, nearest) >= 0 ? nearest : s;
}

void carom_curve_contact_at(const double *i, const double *j, const carom_pose2 *X, double s_i, double s_j, int side,
                            carom_curve_contact *out)
{
    contact_at(i, j, X, s_i, s_j, side, out);
    if (out->common || fabs(out->gap) >= TOUCH * fmin(i[CAROM_CURVE_EXTENT], j[CAROM_CURVE_EXTENT]))
        return;
    const double corner_i = at_corner(i, out->s_i), corner_j = at_corner(j, out->s_j);
    if (corner_i != out->s_i || corner_j != out->s_j)
        contact_at(i, j, X, corner_i, corner_j, corner_j != out->s_j, out);
}

bool carom_curve_gap_newton(const double *i, const double *j, const carom_pose2 *X, double s_i, double s_j,
                            carom_curve_contact *out)
{
    walk w = {.curve = {i, j}, .X = X};
    put(&w, 0, s_i);
    put(&w, 1, s_j);
    int state = 0;
    for (int n = 0; n < STEPS && state == 0; n++)
        state = w.pinned[1] ? step_pinned(&w, 1) : w.pinned[0] ? step_pinned(&w, 0) : step_free(&w);
    out->iterations = w.iterations;
    out->evaluations = w.evaluations;
    out->searched = false;
    if (state != 1)
        return false;
    carom_curve_contact_at(i, j, X, place_of(&w, 0), place_of(&w, 1), w.pinned[0] && !w.pinned[1] ? 0 : 1, out);
    return out->common;
}

/* ---- rates ---- */

static void rates_free(const double *i, const double *j, const carom_pose2 *X, const carom_curve_contact *contact,
                       carom_vec2 moved, double spin, carom_curve_rates *out)
{
    walk w = {.curve = {i, j}, .X = X};
    put(&w, 0, contact->s_i);
    put(&w, 1, contact->s_j);
    carom_segment_point a, b;
    evaluate(&w, 0, &a);
    evaluate(&w, 1, &b);
    equations e;
    set_up(&a, &b, &e);
    /* m (s_i', s_j') + (t_i . v, spin x t_j . n_i) = 0 */
    carom_vec2 ti = carom_v2_unit(a.d1), tj = carom_v2_unit(b.d1);
    double g0 = carom_v2_dot(ti, moved), g1 = spin * carom_v2_dot(carom_v2_left(tj), contact->normal);
    double det = e.m[0][0] * e.m[1][1] - e.m[0][1] * e.m[1][0];
    bool regular = det != 0;
    out->s_i = regular ? (e.m[0][1] * g1 - e.m[1][1] * g0) / det : 0;
    out->s_j = regular ? (e.m[1][0] * g0 - e.m[0][0] * g1) / det : 0;
    out->normal = carom_v2_scale(e.curvature[0] * e.speed[0] * out->s_i, ti);
}

void carom_curve_contact_rates(const double *i, const double *j, const carom_pose2 *X,
                               const carom_curve_contact *contact, carom_vec2 velocity, double spin,
                               carom_curve_rates *out)
{
    carom_vec2 arm = carom_v2_sub(contact->point_j, X->at);
    carom_vec2 moved = carom_v2_add_scaled(velocity, spin, carom_v2_left(arm));
    out->gap = carom_v2_dot(contact->normal, moved);
    out->s_i = out->s_j = 0;
    carom_curve_foot foot = {.distance = contact->gap};
    if (contact->place_j != CAROM_PLACE_SMOOTH) {
        /* A corner of j above i. */
        foot.s = contact->s_i;
        foot.normal = contact->normal;
        foot.place = contact->place_i;
        carom_curve_foot_rate(i, &foot, moved, &out->s_i, &out->normal);
    } else if (contact->place_i != CAROM_PLACE_SMOOTH) {
        /* A corner of i above j: as j sees it, and back; the frame of j turns with the spin. */
        carom_vec2 at_corner = carom_v2_sub(contact->point_i, X->at);
        carom_vec2 seen = carom_v2_neg(carom_v2_add_scaled(velocity, spin, carom_v2_left(at_corner)));
        carom_vec2 turn;
        foot.s = contact->s_j;
        foot.normal = carom_v2_neg(carom_pose2_turn_back(X, contact->normal));
        foot.place = contact->place_j;
        carom_curve_foot_rate(j, &foot, carom_pose2_turn_back(X, seen), &out->s_j, &turn);
        out->normal = carom_v2_sub(carom_v2_scale(spin, carom_v2_left(contact->normal)), carom_pose2_turn(X, turn));
    } else {
        rates_free(i, j, X, contact, moved, spin, out);
    }
}

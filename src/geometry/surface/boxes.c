/* Two boxes: the patch on which a face of one lies over a face of the other is a convex polygon, whose corners bear.
   A corner of the patch is a corner of one box over the face of the other, or where an edge of one crosses an edge of
   the other: 8 + 8 + 4 x 4 places, each with its own exact gap, a corner's height over a plane or the distance of two
   lines along their common normal. What changes as the boxes slide and turn are the shares with which they bear: the
   angle by which the outline of the patch turns at a corner over a right angle. Where an edge cuts a corner off the
   patch the shares of the two new ones add up to that of the old one, a parallel edge has none, and all of them add up
   to four, as on a plane: the forces are continuous in the pose.
   The two faces are those that look at each other along the axis that separates the boxes most. Edges with a radius:
   core boxes, and gaps less both radii.
   Source: the separating axes of two boxes and the outline of a patch cut by half planes, Ericson 2005, Real-Time
   Collision Detection, sections 4.4.1, 8.3.4; the shares are made here. */
#include "base/base.h"
#include "geometry/surface/surface.h"

#include <math.h>

/* Edges whose directions differ by less are no axis of their own. */
#define SLANTED 1e-2
/* Of faces that are equal but for this share the first ones are taken, so that rounding does not change them. */
#define TIE 1e-9
/* Lines whose directions differ by less do not cross. */
#define PARALLEL 1e-6
/* Patches below this share of the smaller face bear less. */
#define NARROW 0.01
/* Places that are farther from touching than this share of the smaller face's size have no use for the patch. */
#define FAR 0.01
/* Places beside the patch leave the surface by so much of their distance from it: more than faces that touch may
   tilt. */
#define AWAY 10
/* Corners of a quadrangle cut by four lines. */
#define CORNERS 12

/* A face of a box; corners and edges in the order of the outline, about the direction of the patch. */
typedef struct face {
    carom_vec3 normal;          /* out of the box */
    double offset;              /* of the plane along it, with the radius of the edges */
    int corner[4];              /* bit k: on the positive side of axis k */
    carom_vec3 at[4];
    double x[4], y[4];          /* in the plane of the patch */
    double area;
} face;

typedef struct solid {
    carom_vec3 centre, axis[3]; /* in the axes of i */
    double half[3], edge;
} solid;

typedef struct patch {
    solid box[2];
    face side[2];
    carom_vec3 across;          /* from i to j */
    double apart;               /* along the normal of the one that separates the boxes most */
    int count;
    double x[CORNERS], y[CORNERS];
    int leaving[CORNERS];       /* the edge that leaves a corner: of i 0 to 3, of j 4 to 7 */
    double fade;                /* of patches that are narrow */
} patch;

static double reach(const solid *box, carom_vec3 n)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += box->half[k] * fabs(carom_v3_dot(box->axis[k], n));
    return sum;
}

static carom_vec3 corner_of(const solid *box, int corner)
{
    carom_vec3 x = box->centre;
    for (int k = 0; k < 3; k++)
        x = carom_v3_add_scaled(x, corner >> k & 1 ? box->half[k] : -box->half[k], box->axis[k]);
    return x;
}

/* The face whose normal is most along n. */
static void face_along(const solid *box, carom_vec3 n, int *axis, int *positive)
{
    double most = -1;
    for (int k = 0; k < 3; k++) {
        const double along = carom_v3_dot(box->axis[k], n);
        if (fabs(along) > most + TIE) {
            most = fabs(along);
            *axis = k;
            *positive = along > 0;
        }
    }
}

/* `turned`: the outline goes round against the face's own normal. */
static void set_face(const solid *box, int axis, int positive, bool turned, face *out)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    static const int round[4] = {0, 1, 3, 2};   /* bit 0: along u, bit 1: along v */
    out->normal = carom_v3_scale(positive ? 1 : -1, box->axis[axis]);
    out->offset = carom_v3_dot(box->centre, out->normal) + box->half[axis] + box->edge;
    out->area = 4 * box->half[u] * box->half[v];
    for (int m = 0; m < 4; m++) {
        const int place = round[(positive > 0) != turned ? m : 3 - m];
        out->corner[m] = (place & 1) << u | (place >> 1) << v | positive << axis;
        out->at[m] = corner_of(box, out->corner[m]);
    }
}

/* Keeps the axis n (unit) if it separates the boxes more than those before. */
static void try_axis(const patch *p, carom_vec3 d, carom_vec3 n, double tie, double *most, carom_vec3 *best)
{
    const double along = carom_v3_dot(d, n), apart = fabs(along) - reach(&p->box[0], n) - reach(&p->box[1], n);
    if (!(apart > *most + tie))
        return;
    *most = apart;
    *best = carom_v3_scale(along < 0 ? -1 : 1, n);
}

/* The two faces that look at each other along the axis that separates the boxes most, a normal of a face or one of two
   edges. */
static void find_faces(patch *p)
{
    const solid *a = &p->box[0], *b = &p->box[1];
    const carom_vec3 d = carom_v3_sub(b->centre, a->centre);
    const double tie = TIE * (a->half[0] + a->edge + b->half[0] + b->edge);
    carom_vec3 best = {0, 0, 1};
    int axis = 0, positive = 0;
    p->apart = -HUGE_VAL;
    for (int k = 0; k < 6; k++)
        try_axis(p, d, k < 3 ? a->axis[k] : b->axis[k - 3], tie, &p->apart, &best);
    for (int k = 0; k < 9; k++) {
        const carom_vec3 n = carom_v3_cross(a->axis[k / 3], b->axis[k % 3]);
        const double sine = carom_v3_norm(n);
        if (sine > SLANTED)
            try_axis(p, d, carom_v3_scale(1 / sine, n), tie, &p->apart, &best);
    }
    p->apart -= a->edge + b->edge;
    face_along(a, best, &axis, &positive);
    set_face(a, axis, positive, false, &p->side[0]);
    face_along(b, carom_v3_neg(best), &axis, &positive);
    set_face(b, axis, positive, true, &p->side[1]);
    p->across = carom_unit(carom_v3_sub(p->side[0].normal, p->side[1].normal));
}

/* How far a point lies within the edge m of a face, in the plane of the patch. */
static double within(const face *f, int m, double x, double y)
{
    const int next = (m + 1) % 4;
    const double ex = f->x[next] - f->x[m], ey = f->y[next] - f->y[m], length = hypot(ex, ey);
    return length > 0 ? (ex * (y - f->y[m]) - ey * (x - f->x[m])) / length : 0;
}

/* Cuts off what lies beyond an edge of the face of j. */
static void cut(patch *p, int edge)
{
    const int count = p->count;
    double x[CORNERS], y[CORNERS], in[CORNERS];
    int leaving[CORNERS];
    for (int m = 0; m < count; m++) {
        x[m] = p->x[m];
        y[m] = p->y[m];
        leaving[m] = p->leaving[m];
        in[m] = within(&p->side[1], edge, x[m], y[m]);
    }
    p->count = 0;
    for (int m = 0; m < count; m++) {
        const int next = (m + 1) % count;
        if (in[m] >= 0) {
            p->x[p->count] = x[m];
            p->y[p->count] = y[m];
            p->leaving[p->count++] = leaving[m];
        }
        if ((in[m] >= 0) == (in[next] >= 0))
            continue;
        const double share = in[m] / (in[m] - in[next]);
        p->x[p->count] = x[m] + share * (x[next] - x[m]);
        p->y[p->count] = y[m] + share * (y[next] - y[m]);
        p->leaving[p->count++] = in[m] >= 0 ? 4 + edge : leaving[m];
    }
}

static double area_of(const patch *p)
{
    double sum = 0;
    for (int m = 0; m < p->count; m++) {
        const int next = (m + 1) % p->count;
        sum += 0.5 * (p->x[m] * p->y[next] - p->x[next] * p->y[m]);
    }
    return sum;
}

/* Both faces in the plane of the patch. */
static void lay_out(patch *p)
{
    const bool steep = fabs(carom_v3_dot(p->box[0].axis[0], p->across)) > 0.7;
    const carom_mat3 plane = carom_m3_axes(p->across, p->box[0].axis[steep]);
    const carom_vec3 right = carom_m3_column(&plane, 0), up = carom_m3_column(&plane, 1);
    for (int b = 0; b < 2; b++)
        for (int m = 0; m < 4; m++) {
            const carom_vec3 from = carom_v3_sub(p->side[b].at[m], p->side[0].at[0]);
            p->side[b].x[m] = carom_v3_dot(from, right);
            p->side[b].y[m] = carom_v3_dot(from, up);
        }
}

static void find_patch(patch *p)
{
    p->count = 4;
    for (int m = 0; m < 4; m++) {
        p->x[m] = p->side[0].x[m];
        p->y[m] = p->side[0].y[m];
        p->leaving[m] = m;
    }
    for (int edge = 0; edge < 4 && p->count > 0; edge++)
        cut(p, edge);
    const double wide = fmax(area_of(p), 0) / (NARROW * fmin(p->side[0].area, p->side[1].area));
    p->fade = wide < 1 ? wide * wide * (3 - 2 * wide) : 1;
}

static void direction_of(const patch *p, int edge, double *x, double *y)
{
    const face *f = &p->side[edge / 4];
    const int m = edge % 4, next = (m + 1) % 4;
    *x = f->x[next] - f->x[m];
    *y = f->y[next] - f->y[m];
}

/* Share of the corner of the patch where the edge `from` ends and the edge `to` begins, 0: there is none. */
static double share_of(const patch *p, int from, int to)
{
    for (int m = 0; m < p->count; m++) {
        if (p->leaving[m] != from || p->leaving[(m + 1) % p->count] != to)
            continue;
        if (from / 4 == to / 4)
            return p->fade;
        double ax, ay, bx, by;
        direction_of(p, from, &ax, &ay);
        direction_of(p, to, &bx, &by);
        return p->fade * fmax(atan2(ax * by - ay * bx, ax * bx + ay * by), 0) / (0.5 * CAROM_PI);
    }
    return 0;
}

/* ---- places ---- */

static bool is_near(const patch *p, double gap)
{
    const double size = sqrt(fmin(p->side[0].area, p->side[1].area)) + p->box[0].edge + p->box[1].edge;
    return gap < FAR * size;
}

typedef struct place {
    carom_vec3 on[2], normal;   /* points on both boxes; from i to j */
    carom_vec3 along[2];        /* of crossing edges, their directions */
    double gap, share, outside; /* outside: how far from the patch */
    bool crossing;
} place;

/* A corner of a box over the face of the other one. */
static void corner_place(patch *p, int b, int corner, place *out)
{
    const solid *box = &p->box[b];
    const face *own = &p->side[b], *other = &p->side[1 - b];
    const carom_vec3 x = corner_of(box, corner), n = other->normal;
    const double height = carom_v3_dot(x, n) - other->offset;
    int m = 0;
    out->gap = height - box->edge;
    out->normal = carom_v3_scale(b == 0 ? -1 : 1, n);
    out->on[b] = carom_v3_add_scaled(x, -box->edge, n);
    out->on[1 - b] = carom_v3_add_scaled(x, -height, n);
    while (m < 4 && own->corner[m] != corner)
        m++;
    if (m == 4) /* not of the face */
        out->gap = fmax(out->gap, sqrt(own->area));
    if (m == 4 || !is_near(p, out->gap))
        return;
    lay_out(p);
    for (int k = 0; k < 4; k++)
        out->outside = fmax(out->outside, -within(other, k, own->x[m], own->y[m]));
    if (is_near(p, out->outside)) {
        find_patch(p);
        out->share = share_of(p, 4 * b + (m + 3) % 4, 4 * b + m);
    }
}

/* An edge of i across an edge of j. */
static void crossing_place(patch *p, int i, int j, place *out)
{
    const face *a = &p->side[0], *b = &p->side[1];
    const carom_vec3 xa = a->at[i], xb = b->at[j];
    const carom_vec3 ea = carom_v3_sub(a->at[(i + 1) % 4], xa), eb = carom_v3_sub(b->at[(j + 1) % 4], xb);
    const double la = carom_v3_norm(ea), lb = carom_v3_norm(eb);
    const carom_vec3 u = carom_v3_scale(1 / la, ea), v = carom_v3_scale(1 / lb, eb), w = carom_v3_cross(u, v);
    const double sine = carom_v3_norm(w), radii = p->box[0].edge + p->box[1].edge;
    out->crossing = true;
    out->along[0] = u;
    out->along[1] = v;
    if (sine < PARALLEL) {
        out->normal = p->across;
        out->on[0] = xa;
        out->on[1] = xb;
        out->gap = la;
        return;
    }
    out->normal = carom_v3_scale((carom_v3_dot(w, p->across) < 0 ? -1 : 1) / sine, w);
    const carom_vec3 d = carom_v3_sub(xb, xa);
    const double s = carom_v3_dot(carom_v3_cross(d, v), w) / (sine * sine);
    const double t = carom_v3_dot(carom_v3_cross(d, u), w) / (sine * sine);
    out->on[0] = carom_v3_add_scaled(carom_v3_add_scaled(xa, s, u), p->box[0].edge, out->normal);
    out->on[1] = carom_v3_add_scaled(carom_v3_add_scaled(xb, t, v), -p->box[1].edge, out->normal);
    out->gap = carom_v3_dot(d, out->normal) - radii;
    out->outside = fmax(fmax(-s, s - la), fmax(fmax(-t, t - lb), 0));
    if (!is_near(p, out->gap) || !is_near(p, 0.1 * out->outside))
        return;
    lay_out(p);
    find_patch(p);
    out->share = share_of(p, i, 4 + j) + share_of(p, 4 + j, i);
}

static void find_place(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                       const carom_shape_pose *pose_j, int which, patch *p, place *out)
{
    const carom_surface_placed placed = carom_surface_place(pose_i, pose_j);
    const carom_surface *surface[2] = {i, j};
    for (int b = 0; b < 2; b++) {
        p->box[b].centre = b ? placed.origin : carom_v3(0, 0, 0);
        p->box[b].edge = surface[b]->p[3];
        for (int k = 0; k < 3; k++) {
            p->box[b].axis[k] = b ? carom_m3_column(&placed.axes, k) : carom_v3(k == 0, k == 1, k == 2);
            p->box[b].half[k] = surface[b]->p[k] - surface[b]->p[3];
        }
    }
    find_faces(p);
    *out = (place){.share = 0};
    if (which < 16)
        corner_place(p, which / 8, which % 8, out);
    else
        crossing_place(p, (which - 16) / 4, (which - 16) % 4, out);
    /* what does not bear leaves the surface as it moves away from the patch, and while the boxes are apart */
    if (!(out->share > 0))
        out->gap = fmax(out->gap + AWAY * out->outside, p->apart);
}

void carom_surface_boxes(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                         const carom_shape_pose *pose_j, int which, carom_surface_contact *out, double *share)
{
    patch p;
    place at;
    find_place(i, pose_i, j, pose_j, which, &p, &at);
    *share = at.share;
    *out = (carom_surface_contact){.gap = at.gap, .converged = true, .evaluations = 1};
    out->normal = carom_m3_apply(&pose_i->axes, at.normal);
    out->from_i = carom_m3_apply(&pose_i->axes, at.on[0]);
    out->from_j = carom_m3_apply(&pose_i->axes, carom_v3_sub(at.on[1], p.box[1].centre));
    for (int b = 0; b < 2; b++) {
        const bool bends = at.crossing || which / 8 == b;
        const double round = !bends ? 0 : p.box[b].edge > 0 ? 1 / p.box[b].edge : HUGE_VAL;
        double *curvature = b ? out->curvature_j : out->curvature_i;
        curvature[0] = at.crossing ? 0 : round;
        curvature[1] = round;
    }
    const carom_mat3 axes = carom_m3_axes(out->normal, carom_m3_column(&pose_i->axes, 0));
    for (int k = 0; k < 2; k++)
        out->direction_i[k] = out->direction_j[k] = carom_m3_column(&axes, k);
}

carom_vec3 carom_surface_boxes_normal_rate(const carom_surface *i, const carom_shape_pose *pose_i,
                                           const carom_surface *j, const carom_shape_pose *pose_j, int which)
{
    patch p;
    place at;
    find_place(i, pose_i, j, pose_j, which, &p, &at);
    const carom_vec3 n = carom_m3_apply(&pose_i->axes, at.normal);
    if (!at.crossing)
        return carom_v3_cross(which < 8 ? pose_j->spin : pose_i->spin, n);
    const carom_vec3 u = carom_m3_apply(&pose_i->axes, at.along[0]), v = carom_m3_apply(&pose_i->axes, at.along[1]);
    const carom_vec3 w = carom_v3_cross(u, v);
    const double sine = carom_v3_dot(w, n);
    if (fabs(sine) < PARALLEL)
        return carom_v3_cross(pose_i->spin, n);
    const carom_vec3 rate = carom_v3_add(carom_v3_cross(carom_v3_cross(pose_i->spin, u), v),
                                         carom_v3_cross(u, carom_v3_cross(pose_j->spin, v)));
    return carom_v3_scale(1 / sine, carom_v3_add_scaled(rate, -carom_v3_dot(rate, n), n));
}

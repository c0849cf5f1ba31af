/* Two boxes: the patch on which a face of one lies over a face of the other is a convex polygon, whose corners bear.
   A corner of the patch is a corner of one box over the face of the other, or where an edge of one crosses an edge of
   the other: 8 + 8 + 4 x 4 places, each with its own exact gap, a corner's height over a plane or the distance of two
   lines along their common normal. What changes as the boxes slide and turn are the shares with which they bear: the
   angle by which the outline of the patch turns at a corner over a right angle. Where an edge cuts a corner off the
   patch the shares of the two new ones add up to that of the old one, a parallel edge has none, and all of them add up
   to four, as on a plane: the forces are continuous in the pose.
   The two faces are those that look at each other along the axis that separates the boxes most.
   Where the patch is narrow, or there is none, the place where the gap is least bears in its stead, with the whole law:
   its energy is a function of that gap, and so none is made as the boxes turn.
   Edges with a radius: core boxes, and gaps less both radii. The cores are apart as the boxes touch, and the direction
   in which they are nearest turns with the pose without a jump: faces and patch are those along it, and the patch
   bears less as it leaves the normals of both faces, over edges and corners, where the least gap bears alone.
   Source: the separating axes of two boxes and the outline of a patch cut by half planes, Ericson 2005, Real-Time
   Collision Detection, sections 4.4.1, 8.3.4; the shares are made here. */
#include "base/base.h"
#include "geometry/surface/patch/face.h"
#include "geometry/surface/surface.h"

#include <math.h>
#include <string.h>

/* Edges whose directions differ by less are no axis of their own. */
#define SLANTED 1e-2
/* Of faces that are equal but for this share the first ones are taken, so that rounding does not change them. */
#define TIE 1e-9
/* Lines whose directions differ by less do not cross. */
#define PARALLEL 1e-6
/* Patches below this share of the smaller face bear less, and the least gap in their stead. */
#define NARROW 0.01
/* Sines between the edges of a face and the plane of the other one, the least of all: the patch bears wholly up to the
   first, and not at all from the second on. */
#define FLAT 0.08
#define STEEP 0.25
/* Sine between the direction in which rounded boxes are nearest and the normal of either face from which on it bears
   not at all: an edge is nearer than the face. */
#define OVER_EDGE 0.03
/* A direction whose component along an axis is less has an edge or a face of the box along that axis. */
#define ALONG 1e-7
/* Of the least gap what is left to find, of the size. */
#define EXACT 1e-14
#define GROWTH 120
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
    double weight;              /* how much the patch bears */
    double off[2];              /* sines between the direction in which the boxes are nearest and both faces' normals */
    double beyond;              /* of the sine from which on it does not, because of an edge that is nearer */
    bool searched;
    carom_surface_guess least;  /* of the cores, where they are nearest, */
    double gap;                 /* and of the boxes the gap there */
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

/* The axis that separates the cores most, from i to j, a normal of a face or one of two edges, and by how much. */
static carom_vec3 find_axis(const patch *p, double *apart)
{
    const solid *a = &p->box[0], *b = &p->box[1];
    const carom_vec3 d = carom_v3_sub(b->centre, a->centre);
    const double tie = TIE * (a->half[0] + a->edge + b->half[0] + b->edge);
    carom_vec3 best = {0, 0, 1};
    *apart = -HUGE_VAL;
    for (int k = 0; k < 6; k++)
        try_axis(p, d, k < 3 ? a->axis[k] : b->axis[k - 3], tie, apart, &best);
    for (int k = 0; k < 9; k++) {
        const carom_vec3 n = carom_v3_cross(a->axis[k / 3], b->axis[k % 3]);
        const double sine = carom_v3_norm(n);
        if (sine > SLANTED)
            try_axis(p, d, carom_v3_scale(1 / sine, n), tie, apart, &best);
    }
    return best;
}

/* The two faces that look at each other along this direction. */
static void find_faces(patch *p, carom_vec3 along)
{
    int axis = 0, positive = 0;
    face_along(&p->box[0], along, &axis, &positive);
    set_face(&p->box[0], axis, positive, false, &p->side[0]);
    face_along(&p->box[1], carom_v3_neg(along), &axis, &positive);
    set_face(&p->box[1], axis, positive, true, &p->side[1]);
    /* of rounded boxes along that normal of a face along which they are nearest, so that corners over it are over the
       patch */
    for (int b = 0; b < 2; b++)
        p->off[b] = carom_v3_norm(carom_v3_cross(along, p->side[b].normal));
    const double share = p->searched && p->off[0] + p->off[1] > 0 ? p->off[1] / (p->off[0] + p->off[1]) : 0.5;
    p->across = carom_unit(carom_v3_sub(carom_v3_scale(share, p->side[0].normal),
                                        carom_v3_scale(1 - share, p->side[1].normal)));
}

/* How far a point lies within the edge m of a face, in the plane of the patch. */
static double within(const face *f, int m, double x, double y)
{
    const int next = (m + 1) % 4;
    const double ex = f->x[next] - f->x[m], ey = f->y[next] - f->y[m], length = hypot(ex, ey);
    return length > 0 ? (ex * (y - f->y[m]) - ey * (x - f->x[m])) / length : 0;
}

static double size_of(const patch *p)
{
    return sqrt(fmin(p->side[0].area, p->side[1].area)) + p->box[0].edge + p->box[1].edge;
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
        /* of edges that lie along each other but for rounding those of i bound the patch */
        in[m] = fabs(in[m]) < TIE * size_of(p) ? 0 : in[m];
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

/* The least sine between an edge of a face and the plane of the other one: where all are tilted no more than a point
   touches, and that is where the gap is least. */
static double least_tilt(const patch *p)
{
    double least = 1;
    for (int b = 0; b < 2; b++)
        for (int m = 0; m < 2; m++) {
            const carom_vec3 edge = carom_v3_sub(p->side[b].at[m + 1], p->side[b].at[m]);
            const double tilt = carom_v3_dot(edge, p->side[1 - b].normal) / carom_v3_norm(edge);
            least = fmin(least, p->searched ? hypot(tilt, p->off[1 - b]) : fabs(tilt));
        }
    return least;
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
    p->weight = carom_ramp(area_of(p) / fmin(p->side[0].area, p->side[1].area), 0, NARROW);
    p->weight *= 1 - carom_ramp(least_tilt(p), FLAT, STEEP);
    if (!p->searched)
        return;
    const double off = fmin(p->off[0], p->off[1]);
    p->weight *= 1 - carom_ramp(off, 0, OVER_EDGE);
    p->beyond = fmax(off - OVER_EDGE, 0);
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
            return p->weight;
        double ax, ay, bx, by;
        direction_of(p, from, &ax, &ay);
        direction_of(p, to, &bx, &by);
        return p->weight * fmax(atan2(ax * by - ay * bx, ax * bx + ay * by), 0) / (0.5 * CAROM_PI);
    }
    return 0;
}

/* ---- places ---- */

static bool is_near(const patch *p, double gap) { return gap < FAR * size_of(p); }

typedef struct place {
    carom_vec3 on[2], normal;   /* points on both boxes; from i to j */
    carom_vec3 along[2];        /* of crossing edges, their directions */
    double gap, share, outside; /* outside: how far from the patch */
    int flat[2];                /* directions in which a box is flat there: 2 of a face, 1 of an edge, 0 of a corner */
    bool crossing, beyond;      /* beyond: a corner or edge of a rounded box is nearer than the face or edge */
} place;

/* Beyond the face of a core the edge or corner of that core is nearest to the corner x of the other one. */
static void end_face(const patch *p, int b, carom_vec3 x, place *out)
{
    const solid *other = &p->box[1 - b];
    const carom_vec3 from = carom_v3_sub(x, other->centre);
    carom_vec3 foot = other->centre;
    int flat = 0;
    for (int k = 0; k < 3; k++) {
        const double at = carom_v3_dot(from, other->axis[k]), most = other->half[k];
        if (fabs(at) < most) {
            out->along[1 - b] = other->axis[k];
            flat++;
        }
        foot = carom_v3_add_scaled(foot, fmin(fmax(at, -most), most), other->axis[k]);
    }
    const carom_vec3 to = carom_v3_sub(foot, x);
    const double distance = carom_v3_norm(to);
    out->flat[1 - b] = flat;
    if (flat >= 2 || !(distance > 0))
        return;
    const carom_vec3 n = carom_v3_scale(1 / distance, to);
    out->beyond = true;
    out->normal = b == 0 ? n : carom_v3_neg(n);
    out->gap = distance - p->box[0].edge - p->box[1].edge;
    out->on[b] = carom_v3_add_scaled(x, p->box[b].edge, n);
    out->on[1 - b] = carom_v3_add_scaled(foot, -other->edge, n);
}

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
    out->flat[b] = 0;
    out->flat[1 - b] = 2;
    if (p->searched && p->gap > -(p->box[0].edge + p->box[1].edge))
        end_face(p, b, x, out);
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

/* Edges with a radius, from xa along u as long as la and from xb along v as long as lb: where one ends before the point
   nearest to the other line, its corner is nearest. */
static void end_edges(const patch *p, carom_vec3 xa, carom_vec3 u, double la, carom_vec3 xb, carom_vec3 v, double lb,
                      double s, place *out)
{
    const carom_vec3 d = carom_v3_sub(xb, xa);
    const double cosine = carom_v3_dot(u, v), du = carom_v3_dot(d, u), dv = carom_v3_dot(d, v);
    double at_a = fmin(fmax(s, 0), la);
    const double at_b = fmin(fmax(at_a * cosine - dv, 0), lb);
    at_a = fmin(fmax(at_b * cosine + du, 0), la);
    const carom_vec3 a = carom_v3_add_scaled(xa, at_a, u), b = carom_v3_add_scaled(xb, at_b, v);
    const carom_vec3 between = carom_v3_sub(b, a);
    const double distance = carom_v3_norm(between);
    if (!(distance > 0) || !(carom_v3_dot(between, p->across) > 0))
        return;
    out->beyond = true;
    out->flat[0] = at_a > 0 && at_a < la;
    out->flat[1] = at_b > 0 && at_b < lb;
    out->normal = carom_v3_scale(1 / distance, between);
    out->gap = distance - p->box[0].edge - p->box[1].edge;
    out->on[0] = carom_v3_add_scaled(a, p->box[0].edge, out->normal);
    out->on[1] = carom_v3_add_scaled(b, -p->box[1].edge, out->normal);
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
    out->flat[0] = out->flat[1] = 1;
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
    if (p->searched && out->outside > 0 && p->gap > -radii)
        end_edges(p, xa, u, la, xb, v, lb, s, out);
    if (!is_near(p, out->gap) || !is_near(p, 0.1 * out->outside))
        return;
    lay_out(p);
    find_patch(p);
    out->share = share_of(p, i, 4 + j) + share_of(p, 4 + j, i);
}

/* The axis along which the box has an edge, or of a face the first of both, where it is farthest along n; count: how
   many axes there are of these. */
static int free_axes(const solid *box, carom_vec3 n, int *axis)
{
    int count = 0;
    for (int k = 2; k >= 0; k--)
        if (fabs(carom_v3_dot(box->axis[k], n)) < ALONG) {
            *axis = k;
            count++;
        }
    return count;
}

/* The middle of the edge or face, or the corner, that is farthest along n. */
static carom_vec3 middle_along(const solid *box, carom_vec3 n)
{
    carom_vec3 x = box->centre;
    for (int k = 0; k < 3; k++) {
        const double along = carom_v3_dot(box->axis[k], n);
        if (fabs(along) >= ALONG)
            x = carom_v3_add_scaled(x, along < 0 ? -box->half[k] : box->half[k], box->axis[k]);
    }
    return x;
}

/* Of two edges along `a` of i and `b` of j the place on that of i where they are nearest, as a distance from its
   middle; of parallel ones the middle of what lies side by side. */
static double nearest_on_edge(const patch *p, int a, int b, carom_vec3 x, carom_vec3 y)
{
    const carom_vec3 u = p->box[0].axis[a], v = p->box[1].axis[b], d = carom_v3_sub(y, x), w = carom_v3_cross(u, v);
    const double square = carom_v3_dot(w, w);
    if (square > PARALLEL * PARALLEL)
        return carom_v3_dot(carom_v3_cross(d, v), w) / square;
    const double at = carom_v3_dot(d, u), half = p->box[0].half[a], other = p->box[1].half[b];
    return 0.5 * (fmax(-half, at - other) + fmin(half, at + other));
}

/* Where the gap is least, as a point of the core of i, and the curvatures of both boxes there. */
static carom_vec3 nearest_point(const patch *p, carom_surface_contact *out)
{
    const carom_vec3 n = p->least.normal;
    int axis[2] = {0, 0}, count[2];
    for (int b = 0; b < 2; b++) {
        const solid *box = &p->box[b];
        const double round = box->edge > 0 ? 1 / box->edge : HUGE_VAL;
        double *curvature = b ? out->curvature_j : out->curvature_i;
        carom_vec3 *direction = b ? out->direction_j : out->direction_i;
        count[b] = free_axes(box, n, &axis[b]);
        const carom_mat3 axes = carom_m3_axes(n, box->axis[axis[b]]);
        for (int k = 0; k < 2; k++) {
            direction[k] = carom_m3_column(&axes, k);
            curvature[k] = count[b] > k ? 0 : round;
        }
    }
    const carom_vec3 x = middle_along(&p->box[0], n), y = middle_along(&p->box[1], carom_v3_neg(n));
    if (count[0] == 0)
        return x;
    if (count[1] == 0)
        return carom_v3_add_scaled(y, -carom_v3_dot(carom_v3_sub(y, x), n), n);
    if (count[0] == 1 && count[1] == 1)
        return carom_v3_add_scaled(x, nearest_on_edge(p, axis[0], axis[1], x, y), p->box[0].axis[axis[0]]);
    return p->least.x_i;
}

/* The place where the gap is least: so the instant at which the boxes touch is known, whichever place then bears. */
static double put_least(patch *p, carom_surface_contact *out)
{
    *out = (carom_surface_contact){.gap = p->gap, .normal = p->least.normal, .converged = true, .evaluations = 1};
    const carom_vec3 x = nearest_point(p, out);
    out->from_i = carom_v3_add_scaled(x, p->box[0].edge, p->least.normal);
    out->from_j = carom_v3_sub(carom_v3_add_scaled(out->from_i, p->gap, p->least.normal), p->box[1].centre);
    if (!is_near(p, p->gap))
        return 0;
    lay_out(p);
    find_patch(p);
    return 1 - p->weight;
}

/* The direction in which the cores are nearest, or overlap least. Just as they touch that is known best of the axes
   that separate them. */
static void find_least(const carom_surface *i, const carom_surface *j, const carom_surface_placed *placed,
                       carom_vec3 axis, double apart, patch *p)
{
    carom_surface core[2] = {*i, *j};
    double half[2][4];
    carom_gjk hull;
    for (int b = 0; b < 2; b++) {
        for (int k = 0; k < 3; k++)
            half[b][k] = p->box[b].half[k];
        half[b][3] = 0;
        core[b].p = half[b];
    }
    carom_gjk_start(&hull, &core[0], &core[1], placed);
    p->least = (carom_surface_guess){.normal = axis};
    const double separation = carom_gjk_least(&hull, EXACT, GROWTH, &p->least);
    if (separation <= apart)
        p->least.normal = axis;
    p->gap = fmax(separation, apart) - p->box[0].edge - p->box[1].edge;
}

/* What all places of two boxes have in common, and of what it was found. */
typedef struct known_boxes {
    bool known, least;
    double size[2][4];
    carom_surface_placed placed;
    patch at;
} known_boxes;

_Static_assert(sizeof(known_boxes) <= CAROM_BOXES_MEMORY, "the memory has room for it");

static bool is_known(const known_boxes *k, const carom_surface *i, const carom_surface *j,
                     const carom_surface_placed *placed, bool least)
{
    return k && k->known && (k->least || !least) && memcmp(k->size[0], i->p, sizeof k->size[0]) == 0 &&
           memcmp(k->size[1], j->p, sizeof k->size[1]) == 0 && memcmp(&k->placed, placed, sizeof *placed) == 0;
}

static void keep(known_boxes *k, const carom_surface *i, const carom_surface *j, const carom_surface_placed *placed,
                 bool least, const patch *p)
{
    k->known = true;
    k->least = least;
    memcpy(k->size[0], i->p, sizeof k->size[0]);
    memcpy(k->size[1], j->p, sizeof k->size[1]);
    k->placed = *placed;
    k->at = *p;
}

static void find_boxes(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                       const carom_shape_pose *pose_j, bool least, known_boxes *known, patch *p)
{
    const carom_surface_placed placed = carom_surface_place(pose_i, pose_j);
    const carom_surface *surface[2] = {i, j};
    if (is_known(known, i, j, &placed, least)) {
        *p = known->at;
        return;
    }
    *p = (patch){.searched = i->p[3] + j->p[3] > 0};
    for (int b = 0; b < 2; b++) {
        p->box[b].centre = b ? placed.origin : carom_v3(0, 0, 0);
        p->box[b].edge = surface[b]->p[3];
        for (int k = 0; k < 3; k++) {
            p->box[b].axis[k] = b ? carom_m3_column(&placed.axes, k) : carom_v3(k == 0, k == 1, k == 2);
            p->box[b].half[k] = surface[b]->p[k] - surface[b]->p[3];
        }
    }
    double apart;
    const carom_vec3 axis = find_axis(p, &apart);
    p->apart = apart - p->box[0].edge - p->box[1].edge;
    if (p->searched || least)
        find_least(i, j, &placed, axis, apart, p);
    find_faces(p, p->searched ? p->least.normal : axis);
    if (known)
        keep(known, i, j, &placed, p->searched || least, p);
}

static void find_place(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                       const carom_shape_pose *pose_j, int which, known_boxes *known, patch *p, place *out)
{
    find_boxes(i, pose_i, j, pose_j, false, known, p);
    *out = (place){.share = 0};
    if (which < 16)
        corner_place(p, which / 8, which % 8, out);
    else if (which < CAROM_BOXES_LEAST)
        crossing_place(p, (which - 16) / 4, (which - 16) % 4, out);
    /* what does not bear leaves the surface as it moves away from the patch, and while the boxes are apart */
    if (!(out->share > 0))
        out->gap = fmax(out->gap + AWAY * (out->outside + p->beyond * size_of(p)), p->searched ? p->gap : p->apart);
}

/* The place where the gap is least, in world axes. */
static double least_in_world(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                             const carom_shape_pose *pose_j, known_boxes *known, carom_surface_contact *out)
{
    patch p;
    find_boxes(i, pose_i, j, pose_j, true, known, &p);
    const double share = put_least(&p, out);
    out->normal = carom_m3_apply(&pose_i->axes, out->normal);
    out->from_i = carom_m3_apply(&pose_i->axes, out->from_i);
    out->from_j = carom_m3_apply(&pose_i->axes, out->from_j);
    for (int k = 0; k < 2; k++) {
        out->direction_i[k] = carom_m3_apply(&pose_i->axes, out->direction_i[k]);
        out->direction_j[k] = carom_m3_apply(&pose_i->axes, out->direction_j[k]);
    }
    return share;
}

void carom_surface_boxes(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                         const carom_shape_pose *pose_j, int which, void *memory, carom_surface_contact *out,
                         double *share)
{
    patch p;
    place at;
    if (which == CAROM_BOXES_LEAST) {
        *share = least_in_world(i, pose_i, j, pose_j, memory, out);
        return;
    }
    find_place(i, pose_i, j, pose_j, which, memory, &p, &at);
    *share = at.share;
    *out = (carom_surface_contact){.gap = at.gap, .converged = true, .evaluations = 1};
    out->normal = carom_m3_apply(&pose_i->axes, at.normal);
    out->from_i = carom_m3_apply(&pose_i->axes, at.on[0]);
    out->from_j = carom_m3_apply(&pose_i->axes, carom_v3_sub(at.on[1], p.box[1].centre));
    for (int b = 0; b < 2; b++) {
        const double round = p.box[b].edge > 0 ? 1 / p.box[b].edge : HUGE_VAL;
        double *curvature = b ? out->curvature_j : out->curvature_i;
        for (int k = 0; k < 2; k++)
            curvature[k] = k < at.flat[b] ? 0 : round;
        const carom_vec3 along = at.flat[b] == 1 ? at.along[b] : carom_v3(1, 0, 0);
        const carom_mat3 axes = carom_m3_axes(out->normal, carom_m3_apply(&pose_i->axes, along));
        for (int k = 0; k < 2; k++)
            (b ? out->direction_j : out->direction_i)[k] = carom_m3_column(&axes, k);
    }
}

carom_vec3 carom_surface_boxes_normal_rate(const carom_surface *i, const carom_shape_pose *pose_i,
                                           const carom_surface *j, const carom_shape_pose *pose_j, int which)
{
    patch p;
    place at;
    carom_surface_contact contact;
    double share;
    find_place(i, pose_i, j, pose_j, which, NULL, &p, &at);
    if (which == CAROM_BOXES_LEAST || at.beyond) {
        carom_surface_boxes(i, pose_i, j, pose_j, which, NULL, &contact, &share);
        return carom_surface_normal_rate(&contact, pose_i, pose_j);
    }
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

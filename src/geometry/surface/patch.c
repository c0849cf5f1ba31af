/* Polyhedra whose faces lie on each other: the faces most along the normal where the gap is least make a patch, a
   convex polygon, whose corners bear with the angles by which its outline turns there, over a right angle (boxes.c says
   why that is continuous). The place of a corner is the edge of either face along which the patch goes on from it; a
   place has the number of the corner of the polyhedron where its edge begins, so that it goes over from face to face
   with that corner. Faces that are tilted against each other bear less, down to nothing, and so do faces that are
   small: there the deepest point bears instead.
   Cylinders, cones and capsules have faces as well: a flat end is a polygon of eight corners, fixed in the material,
   and hands over to the deepest point, which runs round the rim, at little tilt; the side is the line that is most
   along the normal, and bears where it ends or crosses the outline of the other face, with a share of one at each end.
   Source: Ericson 2005, Real-Time Collision Detection, section 8.3.4 (outline of a patch cut by half planes); the
   shares are made here. */
#include "geometry/surface/patch.h"

#include "base/base.h"
#include "geometry/surface/hull.h"

/* Sines of the tilt between two faces up to which the patch bears wholly, and from which on not at all. */
#define FLAT 0.08
#define STEEP 0.25
/* The same of a flat end of eight corners: less, so that it rolls on its rim. */
#define ROUND_FLAT 0.02
#define ROUND_STEEP 0.15
/* Square roots of the area of a face, over the size of its solid: the same. */
#define SMALL 0.05
#define LARGE 0.15
/* Of faces that are equal but for this share the first one is taken. */
#define TIE 1e-9
/* Of the size: what is left to find of the gap. */
#define EXACT 1e-12
#define GROWTH 120
/* Lines whose directions differ by less do not cross. */
#define PARALLEL 1e-6
/* Patches below this share of the smaller face bear less. */
#define NARROW 0.01
/* Places beside the patch leave the surface by so much of their distance from it. */
#define AWAY 10
/* Share of a line beyond an edge from which on the line bears at that edge, not at its own end. */
#define OVERHANG 0.02
/* A flat end along whose normal the solids are apart least by more than this of the root of its area is compared with
   the least gap: it bears less from there on, and not at all where it lags behind by the second of these, if the least
   gap lies across it, from one sine to the other between both normals. */
#define BEHIND 0.03
#define FAR_BEHIND 0.12
#define ASKEW 0.3
#define SIDEWAYS 0.6
/* Lines that lie within the other face by less than this share of its area over half its outline bear less. */
#define BESIDE 0.05
#define RIM 8
/* Corners of a face that are looked at, and of a patch. */
#define SIDES 12
#define CORNERS (4 * SIDES)

typedef struct face {
    carom_vec3 normal;          /* out of the solid, in the axes of i */
    double offset, edge;        /* of the plane, with the radius of the edges */
    double tip;                 /* radius of the corners */
    carom_vec3 sunk;            /* from the corners to the middle of a round edge */
    bool round;                 /* a flat end of a round solid */
    int count, place[SIDES];
    carom_vec3 at[SIDES];       /* about the direction of the patch */
    double x[SIDES], y[SIDES], area, size;
} face;

typedef struct patch {
    face side[2];
    carom_vec3 across, origin_j;
    double weight;              /* how much the patch bears */
    int count;
    double x[CORNERS], y[CORNERS];
    int line;                   /* the side that is a line, -1: none */
    double begin, end;          /* of the line what lies over the other face, */
    int cut_by[2];              /* ended by these edges of that, -1: by the line itself */
    int leaving[CORNERS];       /* the edge that leaves a corner: of i from 0 on, of j from SIDES on */
} patch;

static double ramp(double x, double low, double high)
{
    const double s = (x - low) / (high - low);
    return s <= 0 ? 0 : s < 1 ? s * s * (3 - 2 * s) : 1;
}

static bool is_box(const carom_surface *a) { return a->kind == &carom_surface_box && !a->hollow; }
static bool is_mesh(const carom_surface *a) { return a->kind == &carom_surface_polyhedron && !a->hollow; }

static bool is_capsule(const carom_surface *a) { return a->kind == &carom_surface_capsule && !a->hollow; }
static bool is_can(const carom_surface *a)
{
    return (a->kind == &carom_surface_cylinder || a->kind == &carom_surface_cone) && !a->hollow;
}
static bool is_round(const carom_surface *a) { return is_can(a) || is_capsule(a); }

static int places_of(const carom_surface *a)
{
    if (is_box(a))
        return 4;
    if (is_round(a))
        return is_can(a) ? RIM : 2;
    const int places = carom_polyhedron_place_count(a->p);
    return places < SIDES ? places : SIDES;
}

int carom_surface_patch_count(const carom_surface *i, const carom_surface *j)
{
    if (!(is_mesh(i) || is_box(i) || is_round(i)) || !(is_mesh(j) || is_box(j) || is_round(j)) ||
        (is_box(i) && is_box(j)) || (is_capsule(i) && is_capsule(j)))
        return 0;
    return 1 + places_of(i) + places_of(j);
}

/* ---- faces ---- */

/* The face of a box whose normal is most along n, corners counterclockwise from outside. Opposite corners share a
   place. */
static void box_face(const double *p, carom_vec3 n, face *out)
{
    const double along[3] = {n.x, n.y, n.z};
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(along[k]) > fabs(along[axis]) + TIE)
            axis = k;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3, up = along[axis] > 0;
    static const int round[4] = {0, 1, 3, 2};   /* bit 0: along u, bit 1: along v */
    double normal[3] = {0, 0, 0};
    normal[axis] = up ? 1 : -1;
    out->normal = carom_v3_load(normal);
    out->offset = p[axis];
    out->edge = out->tip = p[3];
    out->count = 4;
    for (int m = 0; m < 4; m++) {
        const int place = round[up ? m : 3 - m], corner = (place & 1) << u | (place >> 1) << v | up << axis;
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = corner >> k & 1 ? p[k] - p[3] : p[3] - p[k];
        out->at[m] = carom_v3_load(x);
        out->place[m] = corner < 4 ? corner : 7 - corner;
    }
}

/* The same of a mesh: among the faces at its farthest corner. Long outlines lose corners evenly. */
static void mesh_face(const carom_surface *a, carom_vec3 n, face *out)
{
    const double *p = a->p;
    int best = 0;
    double most = -HUGE_VAL;
    const int corner_most = carom_polyhedron_farthest(p, n);
    for (int k = 0; k < carom_polyhedron_faces_of(p, corner_most); k++) {
        double turn;
        const int other = carom_polyhedron_face_of(p, corner_most, k, &turn);
        const double along = carom_v3_dot(carom_polyhedron_face_at(p, other).normal, n);
        if (along > most + TIE) {
            most = along;
            best = other;
        }
    }
    const carom_polyhedron_face f = carom_polyhedron_face_at(p, best);
    const bool own = carom_polyhedron_place_count(p) <= SIDES;
    out->normal = f.normal;
    out->offset = f.offset;
    out->edge = out->tip = 0;
    out->count = f.count < SIDES ? f.count : SIDES;
    for (int m = 0; m < out->count; m++) {
        const int corner = (int)f.corner[f.count <= SIDES ? m : m * f.count / SIDES];
        out->at[m] = carom_polyhedron_corner(p, corner);
        out->place[m] = own ? carom_polyhedron_place_of(p, corner) : m;
    }
}

/* The flat end of a cylinder or cone, with the point of the material on the x-axis for its first corner. */
static void end_face(const carom_surface *a, bool up, face *out)
{
    const bool cone = a->kind == &carom_surface_cone;
    const double *p = a->p, half = p[cone ? 2 : 1], rim = p[cone ? 3 : 2], radius = p[cone && up ? 1 : 0] - rim;
    out->normal = carom_v3(0, 0, up ? 1 : -1);
    out->offset = half;
    out->edge = out->tip = rim;
    out->round = true;
    out->count = RIM;
    for (int m = 0; m < RIM; m++) {
        const int corner = up ? m : RIM - 1 - m;
        const double angle = 2 * CAROM_PI * corner / RIM;
        out->at[m] = carom_v3(radius * cos(angle), radius * sin(angle), up ? half - rim : rim - half);
        out->place[m] = corner;
    }
}

/* The line of a cylinder or capsule that is most along n. */
static void side_line(const carom_surface *a, carom_vec3 n, face *out)
{
    const double *p = a->p, flat = hypot(n.x, n.y), rim = is_capsule(a) ? p[0] : p[2];
    const double half = is_capsule(a) ? p[1] : p[1] - rim;
    out->normal = flat > 0 ? carom_v3(n.x / flat, n.y / flat, 0) : carom_v3(1, 0, 0);
    out->offset = out->edge = p[0];
    out->tip = rim;
    out->sunk = carom_v3_scale(rim - p[0], out->normal);
    out->count = 2;
    for (int m = 0; m < 2; m++) {
        out->at[m] = carom_v3_add_scaled(carom_v3(0, 0, m ? half : -half), p[0] - rim, out->normal);
        out->place[m] = m;
    }
}

/* The end or the side of a round solid, whichever is more along n; a cone has ends alone. */
static void round_face(const carom_surface *a, carom_vec3 n, face *out)
{
    if (is_can(a) && (a->kind == &carom_surface_cone || 2 * n.z * n.z > carom_v3_dot(n, n)))
        end_face(a, n.z > 0, out);
    else
        side_line(a, n, out);
}

static void turn_round(face *f)
{
    for (int a = 0, b = f->count - 1; a < b; a++, b--) {
        const carom_vec3 at = f->at[a];
        const int place = f->place[a];
        f->at[a] = f->at[b];
        f->place[a] = f->place[b];
        f->at[b] = at;
        f->place[b] = place;
    }
}

/* The face of a solid most along n, both in the axes of i. */
static void find_face(const carom_surface *a, const carom_surface_placed *placed, carom_vec3 n, face *out)
{
    const carom_vec3 own = carom_m3_apply_t(&placed->axes, n);
    out->sunk = carom_v3(0, 0, 0);
    out->round = false;
    if (is_box(a))
        box_face(a->p, own, out);
    else if (is_round(a))
        round_face(a, own, out);
    else
        mesh_face(a, own, out);
    out->size = a->kind->bounding_radius(a->p);
    out->normal = carom_m3_apply(&placed->axes, out->normal);
    out->sunk = carom_m3_apply(&placed->axes, out->sunk);
    out->offset += carom_v3_dot(out->normal, placed->origin);
    for (int m = 0; m < out->count; m++)
        out->at[m] = carom_v3_add(placed->origin, carom_m3_apply(&placed->axes, out->at[m]));
}

/* ---- the patch ---- */

/* How far a point lies within the edge m of a face, in the plane of the patch. */
static double within(const face *f, int m, double x, double y)
{
    const int next = (m + 1) % f->count;
    const double ex = f->x[next] - f->x[m], ey = f->y[next] - f->y[m], length = hypot(ex, ey);
    return length > 0 ? (ex * (y - f->y[m]) - ey * (x - f->x[m])) / length : 0;
}

static double outside(const face *f, double x, double y)
{
    double most = 0;
    for (int m = 0; m < f->count; m++)
        most = fmax(most, -within(f, m, x, y));
    return most;
}

static void lay_out(patch *p)
{
    const carom_vec3 side = carom_v3_sub(p->side[0].at[1], p->side[0].at[0]);
    const carom_mat3 plane = carom_m3_axes(p->across, side);
    const carom_vec3 right = carom_m3_column(&plane, 0), up = carom_m3_column(&plane, 1);
    for (int b = 0; b < 2; b++) {
        face *f = &p->side[b];
        f->area = 0;
        for (int m = 0; m < f->count; m++) {
            const carom_vec3 from = carom_v3_sub(f->at[m], p->side[0].at[0]);
            f->x[m] = carom_v3_dot(from, right);
            f->y[m] = carom_v3_dot(from, up);
        }
        for (int m = 0; m < f->count; m++) {
            const int next = (m + 1) % f->count;
            f->area += 0.5 * (f->x[m] * f->y[next] - f->x[next] * f->y[m]);
        }
    }
}

/* Cuts off what lies beyond an edge of the face of j. */
static void cut(patch *p, int edge)
{
    const patch from = *p;
    double in[CORNERS];
    for (int m = 0; m < from.count; m++)
        in[m] = within(&p->side[1], edge, from.x[m], from.y[m]);
    p->count = 0;
    for (int m = 0; m < from.count; m++) {
        const int next = (m + 1) % from.count;
        if (in[m] >= 0) {
            p->x[p->count] = from.x[m];
            p->y[p->count] = from.y[m];
            p->leaving[p->count++] = from.leaving[m];
        }
        if ((in[m] >= 0) == (in[next] >= 0))
            continue;
        const double share = in[m] / (in[m] - in[next]);
        p->x[p->count] = from.x[m] + share * (from.x[next] - from.x[m]);
        p->y[p->count] = from.y[m] + share * (from.y[next] - from.y[m]);
        p->leaving[p->count++] = in[m] >= 0 ? SIDES + edge : from.leaving[m];
    }
}

/* What of the line lies over the other face. Returns how much of a law it bears with. */
static double cut_line(patch *p)
{
    const face *line = &p->side[p->line], *other = &p->side[1 - p->line];
    double least = HUGE_VAL, outline = 0;
    p->begin = 0;
    p->end = 1;
    p->cut_by[0] = p->cut_by[1] = -1;
    for (int m = 0; m < other->count; m++) {
        const double from = within(other, m, line->x[0], line->y[0]), to = within(other, m, line->x[1], line->y[1]);
        const int next = (m + 1) % other->count;
        outline += hypot(other->x[next] - other->x[m], other->y[next] - other->y[m]);
        if (from < 0 && to < 0)
            return 0;
        const double at = from != to ? from / (from - to) : 0;
        if (from < 0 && at > p->begin) {
            p->begin = at;
            p->cut_by[0] = m;
        }
        if (to < 0 && at < p->end) {
            p->end = at;
            p->cut_by[1] = m;
        }
    }
    const double middle = 0.5 * (p->begin + p->end);
    for (int m = 0; m < other->count; m++)
        least = fmin(least, within(other, m, line->x[0] + middle * (line->x[1] - line->x[0]),
                                   line->y[0] + middle * (line->y[1] - line->y[0])));
    const double length = hypot(line->x[1] - line->x[0], line->y[1] - line->y[0]);
    return p->begin < p->end && outline > 0
               ? ramp(least, 0, BESIDE * 2 * other->area / outline) * ramp(length / line->size, SMALL, LARGE)
               : 0;
}

/* By how much the crossing of the line with the edge that ends it bears in place of the line's end: 0 to 1. */
static double overhang(const patch *p, int end)
{
    return p->cut_by[end] >= 0 ? ramp(end ? 1 - p->end : p->begin, 0, OVERHANG) : 0;
}

/* A line that crosses an edge at less of an angle than it is tilted touches it far from where it ends, if at all: sine
   between the common normal of both and that of the face. */
static double slant(const patch *p, int end)
{
    const face *line = &p->side[p->line], *other = &p->side[1 - p->line];
    const int m = p->cut_by[end];
    const carom_vec3 u = carom_unit(carom_v3_sub(line->at[1], line->at[0]));
    const carom_vec3 v = carom_unit(carom_v3_sub(other->at[(m + 1) % other->count], other->at[m]));
    const carom_vec3 w = carom_v3_cross(u, v);
    const double sine = carom_v3_norm(w);
    return sine < PARALLEL ? 1 : carom_v3_norm(carom_v3_cross(w, other->normal)) / sine;
}

/* How much a line bears that ends at edges. */
static double squareness(const patch *p)
{
    double share = 1;
    for (int end = 0; end < 2; end++) {
        const double over = overhang(p, end);
        if (over > 0)
            share *= 1 - over * ramp(slant(p, end), FLAT, STEEP);
    }
    return share;
}

/* How much a patch bears whose faces are tilted against each other. */
static double flatness(const patch *p)
{
    const bool round = p->side[0].round || p->side[1].round;
    const carom_vec3 tilt = carom_v3_cross(p->side[0].normal, p->side[1].normal);
    const double facing = -carom_v3_dot(p->side[0].normal, p->side[1].normal);
    return facing > 0 ? 1 - ramp(carom_v3_norm(tilt), round ? ROUND_FLAT : FLAT, round ? ROUND_STEEP : STEEP) : 0;
}

static double fullness(const face *f) { return ramp(sqrt(fmax(f->area, 0)) / f->size, SMALL, LARGE); }

static void find_patch(patch *p)
{
    lay_out(p);
    p->weight = flatness(p);
    p->count = 0;
    if (p->line >= 0) {
        const bool both = p->side[0].count == 2 && p->side[1].count == 2;
        p->weight *= both ? 0 : cut_line(p) * fullness(&p->side[1 - p->line]);
        p->weight *= p->weight > 0 ? squareness(p) : 0;
        return;
    }
    p->count = p->side[0].count;
    for (int m = 0; m < p->count; m++) {
        p->x[m] = p->side[0].x[m];
        p->y[m] = p->side[0].y[m];
        p->leaving[m] = m;
    }
    for (int edge = 0; edge < p->side[1].count && p->count > 0; edge++)
        cut(p, edge);
    double area = 0;
    for (int m = 0; m < p->count; m++) {
        const int next = (m + 1) % p->count;
        area += 0.5 * (p->x[m] * p->y[next] - p->x[next] * p->y[m]);
    }
    for (int b = 0; b < 2; b++)
        p->weight *= fullness(&p->side[b]);
    p->weight *= ramp(area / fmin(p->side[0].area, p->side[1].area), 0, NARROW);
}

/* ---- places ---- */

typedef struct place {
    carom_vec3 on[2], normal;   /* points on both solids; from i to j */
    carom_vec3 along[2];        /* of crossing edges, their directions */
    double gap, share;
    bool crossing;
    int corner_of;              /* whose corner it is; 2: crossing edges */
} place;

/* A point of the solid b at its corner x, over the face of the other one. */
static void over(const patch *p, int b, carom_vec3 x, place *out)
{
    const carom_vec3 n = p->side[1 - b].normal;
    const double height = carom_v3_dot(x, n) - p->side[1 - b].offset, edge = p->side[b].tip;
    out->gap = height - edge;
    out->normal = carom_v3_scale(b == 0 ? -1 : 1, n);
    out->on[b] = carom_v3_add_scaled(x, -edge, n);
    out->on[1 - b] = carom_v3_add_scaled(x, -height, n);
    out->corner_of = b;
}

/* The edge a of i across the edge b of j; false: they are parallel. */
static bool across(const patch *p, int a, int b, place *out)
{
    const face *i = &p->side[0], *j = &p->side[1];
    const carom_vec3 xa = carom_v3_add(i->at[a], i->sunk), xb = carom_v3_add(j->at[b], j->sunk);
    const carom_vec3 u = carom_unit(carom_v3_sub(i->at[(a + 1) % i->count], i->at[a]));
    const carom_vec3 v = carom_unit(carom_v3_sub(j->at[(b + 1) % j->count], j->at[b])), w = carom_v3_cross(u, v);
    const double sine = carom_v3_norm(w);
    if (sine < PARALLEL)
        return false;
    out->normal = carom_v3_scale((carom_v3_dot(w, p->across) < 0 ? -1 : 1) / sine, w);
    const carom_vec3 d = carom_v3_sub(xb, xa);
    const double s = carom_v3_dot(carom_v3_cross(d, v), w) / (sine * sine);
    const double t = carom_v3_dot(carom_v3_cross(d, u), w) / (sine * sine);
    out->on[0] = carom_v3_add_scaled(carom_v3_add_scaled(xa, s, u), i->edge, out->normal);
    out->on[1] = carom_v3_add_scaled(carom_v3_add_scaled(xb, t, v), -j->edge, out->normal);
    out->gap = carom_v3_dot(d, out->normal) - i->edge - j->edge;
    out->along[0] = u;
    out->along[1] = v;
    out->crossing = true;
    out->corner_of = 2;
    return true;
}

/* By what the outline turns from one edge to another: two of one solid as they are, else in the plane of the patch. */
static double turn_between(const patch *p, int from, int to)
{
    double e[2][2];
    if (from / SIDES == to / SIDES) {
        const face *f = &p->side[to / SIDES];
        const int a = from % SIDES, b = to % SIDES;
        const carom_vec3 in = carom_v3_sub(f->at[(a + 1) % f->count], f->at[a]);
        const carom_vec3 out = carom_v3_sub(f->at[(b + 1) % f->count], f->at[b]);
        return atan2(carom_v3_norm(carom_v3_cross(in, out)), carom_v3_dot(in, out));
    }
    for (int k = 0; k < 2; k++) {
        const int edge = k ? to : from;
        const face *f = &p->side[edge / SIDES];
        const int m = edge % SIDES, next = (m + 1) % f->count;
        e[k][0] = f->x[next] - f->x[m];
        e[k][1] = f->y[next] - f->y[m];
    }
    return fmax(atan2(e[0][0] * e[1][1] - e[0][1] * e[1][0], e[0][0] * e[1][0] + e[0][1] * e[1][1]), 0);
}

/* The edge m of the solid b that does not bound the patch: its point nearest to the other face, which leaves that as it
   moves away. */
static void beside(const patch *p, int b, int m, place *out)
{
    const face *f = &p->side[b], *other = &p->side[1 - b];
    const int next = (m + 1) % f->count;
    double low = 0, high = 1;
    for (int k = 0; k < 40; k++) {
        const double s = low + (high - low) / 3, t = high - (high - low) / 3;
        const double at_s = outside(other, f->x[m] + s * (f->x[next] - f->x[m]), f->y[m] + s * (f->y[next] - f->y[m]));
        const double at_t = outside(other, f->x[m] + t * (f->x[next] - f->x[m]), f->y[m] + t * (f->y[next] - f->y[m]));
        *(at_s <= at_t ? &high : &low) = at_s <= at_t ? t : s;
    }
    const double s = 0.5 * (low + high);
    over(p, b, carom_v3_add_scaled(f->at[m], s, carom_v3_sub(f->at[next], f->at[m])), out);
    out->gap += AWAY * outside(other, f->x[m] + s * (f->x[next] - f->x[m]), f->y[m] + s * (f->y[next] - f->y[m]));
}

/* The place of the edge of solid b that begins at a corner with this number; false: the face has none. */
static bool edge_place(const patch *p, int b, int number, place *out)
{
    const face *f = &p->side[b];
    int m = 0;
    while (m < f->count && f->place[m] != number)
        m++;
    if (m == f->count)
        return false;
    const int edge = b * SIDES + m;
    for (int k = 0; k < p->count; k++) {
        const int from = p->leaving[(k + p->count - 1) % p->count];
        if (p->leaving[k] != edge)
            continue;
        /* two edges of one solid meet in its corner, which for j lies at the beginning of the edge as well */
        if (from / SIDES == b)
            over(p, b, f->at[m], out);
        else if (!across(p, b == 0 ? m : from % SIDES, b == 0 ? from % SIDES : m, out))
            break;
        out->share = p->weight * turn_between(p, from, edge) / (0.5 * CAROM_PI);
        return true;
    }
    beside(p, b, m, out);
    return true;
}

/* Where the line ends, or crosses the edge of the other face that ends it. False: it has no such place. */
static bool line_place(const patch *p, int b, int number, place *out)
{
    const face *f = &p->side[b];
    int m = 0;
    while (m < f->count && f->place[m] != number)
        m++;
    if (m == f->count)
        return false;
    if (b == p->line) {
        over(p, b, f->at[m], out);
        out->share = p->weight * (1 - overhang(p, m));
        return true;
    }
    for (int end = 0; end < 2 && p->weight > 0; end++) {
        const double share = overhang(p, end);
        if (p->cut_by[end] != m || !(share > 0) || !across(p, b == 0 ? m : 0, b == 0 ? 0 : m, out))
            continue;
        out->share = p->weight * share;
        return true;
    }
    return false;
}

/* Where the gap is least: between two polyhedra the polytope of their differences comes to its end. Boxes with edges of
   a radius are taken as their cores. */
static void find_deepest(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                         const carom_shape_pose *pose_j, carom_surface_contact *out)
{
    const carom_surface *given[2] = {i, j};
    carom_surface core[2] = {*i, *j};
    double half[2][4], edges = 0;
    for (int b = 0; b < 2; b++) {
        if (!is_box(given[b]))
            continue;
        for (int k = 0; k < 3; k++)
            half[b][k] = given[b]->p[k] - given[b]->p[3];
        half[b][3] = 0;
        edges += given[b]->p[3];
        core[b].p = half[b];
    }
    const carom_surface_placed placed = carom_surface_place(pose_i, pose_j);
    carom_gjk hull;
    carom_surface_guess guess = {.normal = {0, 0, 1}};
    double separation = 0;
    carom_gjk_start(&hull, &core[0], &core[1], &placed);
    for (int k = 0; k < GROWTH && carom_gjk_best(&hull, NULL, 0, &guess); k++) {
        const bool grown = carom_gjk_grow(&hull, guess.normal, &separation);
        if (!grown || guess.bound - separation <= EXACT * hull.size)
            break;
    }
    *out = (carom_surface_contact){.gap = separation - edges, .converged = true, .evaluations = hull.evaluations};
    out->normal = carom_m3_apply(&pose_i->axes, guess.normal);
    /* where faces are parallel any of their points is found on either: their middle is taken */
    const carom_vec3 middle = carom_v3_scale(0.5, carom_v3_add(guess.x_i, guess.x_j));
    const carom_vec3 on_i = carom_v3_add_scaled(middle, -0.5 * out->gap, guess.normal);
    out->from_i = carom_m3_apply(&pose_i->axes, on_i);
    out->from_j = carom_m3_apply(&pose_i->axes, carom_v3_sub(carom_v3_add_scaled(on_i, out->gap, guess.normal),
                                                             placed.origin));
    const carom_mat3 axes = carom_m3_axes(out->normal, carom_m3_column(&pose_i->axes, 0));
    for (int k = 0; k < 2; k++) {
        out->curvature_i[k] = out->curvature_j[k] = HUGE_VAL;
        out->direction_i[k] = out->direction_j[k] = carom_m3_column(&axes, k);
    }
}

/* ---- faces of round solids on others ---- */

/* Meshes with more faces are not gone through. */
#define FACES 2000

/* Faces that may be the one along which two solids are apart most; -1: too many. */
static int faces_of(const carom_surface *a)
{
    if (is_box(a))
        return 6;
    if (is_round(a))
        return is_can(a) ? 2 : 0;
    const int count = carom_polyhedron_face_count(a->p);
    return count <= FACES ? count : -1;
}

/* Outward normal and distance of such a face from the origin of its solid. */
static carom_vec3 face_plane(const carom_surface *a, int k, double *offset)
{
    if (is_mesh(a)) {
        const carom_polyhedron_face f = carom_polyhedron_face_at(a->p, k);
        *offset = f.offset;
        return f.normal;
    }
    double normal[3] = {0, 0, 0};
    const int axis = is_box(a) ? k / 2 : 2;
    normal[axis] = k % 2 ? 1 : -1;
    *offset = is_box(a) ? a->p[axis] : a->p[a->kind == &carom_surface_cone ? 2 : 1];
    return carom_v3_load(normal);
}

/* The face of either solid along whose normal they are apart most, and the other's nearest point there, as a contact in
   the axes of i; false: there are too many faces. */
static bool facing(const carom_surface *i, const carom_surface *j, const carom_surface_placed *placed,
                   carom_surface_contact *out)
{
    const carom_surface *solid[2] = {i, j};
    const carom_surface_placed at[2] = {{carom_m3_identity(), {0, 0, 0}}, *placed};
    *out = (carom_surface_contact){.gap = -HUGE_VAL};
    for (int b = 0; b < 2; b++) {
        const int count = faces_of(solid[b]);
        if (count < 0)
            return false;
        for (int k = 0; k < count; k++) {
            double offset;
            const carom_vec3 own = face_plane(solid[b], k, &offset), n = carom_m3_apply(&at[b].axes, own);
            const carom_surface *other = solid[1 - b];
            const carom_vec3 down = carom_m3_apply_t(&at[1 - b].axes, carom_v3_neg(n));
            const carom_vec3 x = carom_v3_add(at[1 - b].origin,
                                              carom_m3_apply(&at[1 - b].axes, other->kind->support(other->p, down)));
            const double gap = carom_v3_dot(n, carom_v3_sub(x, at[b].origin)) - offset;
            if (gap <= out->gap)
                continue;
            const carom_vec3 foot = carom_v3_add_scaled(x, -gap, n);
            out->gap = gap;
            out->normal = carom_v3_scale(b == 0 ? 1 : -1, n);
            out->from_i = b == 0 ? foot : x;
            out->from_j = b == 0 ? x : foot;
        }
    }
    return out->gap > -HUGE_VAL;
}

/* The same in world axes, as the least gap, which has no share where the patch bears wholly. */
static void put_facing(const carom_surface_contact *facing, const carom_surface_placed *placed,
                       const carom_shape_pose *pose_i, carom_surface_contact *out)
{
    *out = (carom_surface_contact){.gap = facing->gap, .converged = true};
    out->normal = carom_m3_apply(&pose_i->axes, facing->normal);
    out->from_i = carom_m3_apply(&pose_i->axes, facing->from_i);
    out->from_j = carom_m3_apply(&pose_i->axes, carom_v3_sub(facing->from_j, placed->origin));
    const carom_mat3 axes = carom_m3_axes(out->normal, carom_m3_column(&pose_i->axes, 0));
    for (int k = 0; k < 2; k++) {
        out->curvature_i[k] = out->curvature_j[k] = HUGE_VAL;
        out->direction_i[k] = out->direction_j[k] = carom_m3_column(&axes, k);
    }
}

/* How much of the patch is left where its faces are not those along which the solids are apart most, as the ends of
   two cans side by side: looked at where they lie so deep that it may be. */
static double foremost(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                       const carom_shape_pose *pose_j, const carom_surface_contact *facing, const patch *p)
{
    const double width = sqrt(fmin(p->side[0].area, p->side[1].area));
    if (p->line >= 0 || !(p->weight > 0) || -facing->gap <= BEHIND * width)
        return 1;
    carom_surface_contact least;
    carom_surface_pair(i, pose_i, j, pose_j, NULL, &least);
    const carom_vec3 own = carom_m3_apply_t(&pose_i->axes, least.normal);
    const double turned = carom_v3_norm(carom_v3_cross(own, facing->normal));
    const double aside = carom_v3_dot(own, facing->normal) > 0 ? ramp(turned, ASKEW, SIDEWAYS) : 1;
    return 1 - aside * ramp((fmin(least.gap, 0) - facing->gap) / width, BEHIND, FAR_BEHIND);
}

/* Whether a line goes on beyond the face that it lies on: its far end is then the point of `facing`, and lies deep
   below that face's plane where the solids do not touch. */
static bool hangs_over(const patch *p) { return p->line >= 0 && (p->cut_by[0] >= 0 || p->cut_by[1] >= 0); }

/* Whether the least gap is looked for, or is that of the faces. */
static bool looked_for(const patch *p) { return p->weight < 1 || hangs_over(p); }

static void put_deepest(const carom_surface_contact *deepest, const patch *p, place *out)
{
    *out = (place){.gap = deepest->gap, .share = 1 - p->weight};
}

/* The faces most along n, and the patch on which they lie. */
static void find_faces(const carom_surface *i, const carom_surface *j, const carom_surface_placed *placed,
                       carom_vec3 n, patch *p)
{
    const carom_surface_placed here = {carom_m3_identity(), {0, 0, 0}};
    p->origin_j = placed->origin;
    find_face(i, &here, n, &p->side[0]);
    find_face(j, placed, carom_v3_neg(n), &p->side[1]);
    p->line = p->side[0].count == 2 ? 0 : p->side[1].count == 2 ? 1 : -1;
    if (p->line == 0)
        find_face(i, &here, carom_v3_neg(p->side[1].normal), &p->side[0]);
    else if (p->line == 1)
        find_face(j, placed, carom_v3_neg(p->side[0].normal), &p->side[1]);
    if (p->line >= 0 && p->side[p->line].count != 2)
        p->line = -1;
    p->across = carom_unit(carom_v3_sub(p->side[0].normal, p->side[1].normal));
    turn_round(&p->side[1]);
    find_patch(p);
}

/* The place `which` of the contact whose least gap is `deepest`; of round solids that is looked for where it bears or
   where there is no other way to the faces. */
static void find_place(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                       const carom_shape_pose *pose_j, int which, carom_surface_contact *deepest, patch *p, place *out)
{
    const carom_surface_placed placed = carom_surface_place(pose_i, pose_j);
    const bool round = is_round(i) || is_round(j);
    carom_surface_contact faces;
    if (round && facing(i, j, &placed, &faces)) {
        find_faces(i, j, &placed, faces.normal, p);
        p->weight *= foremost(i, pose_i, j, pose_j, &faces, p);
        if (which == 0 && looked_for(p))
            carom_surface_pair(i, pose_i, j, pose_j, NULL, deepest);
        else
            put_facing(&faces, &placed, pose_i, deepest);
    } else {
        if (round)
            carom_surface_pair(i, pose_i, j, pose_j, NULL, deepest);
        else
            find_deepest(i, pose_i, j, pose_j, deepest);
        find_faces(i, j, &placed, carom_m3_apply_t(&pose_i->axes, deepest->normal), p);
    }
    *out = (place){.share = 0};
    if (which == 0) {
        put_deepest(deepest, p, out);
        return;
    }
    const int first = places_of(i), b = which > first;
    const int number = which - 1 - (b ? first : 0);
    if ((round && !(p->weight > 0)) ||
        !(p->line >= 0 ? line_place(p, b, number, out) : edge_place(p, b, number, out))) {
        over(p, b, p->side[b].at[0], out);
        out->gap = fmax(out->gap, 0) + p->side[b].size;
    }
    /* what does not bear is at least as far as the solids are apart */
    if (!(out->share > 0))
        out->gap = fmax(out->gap, deepest->gap);
}

void carom_surface_patch(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                         const carom_shape_pose *pose_j, int which, carom_surface_contact *out, double *share)
{
    patch p;
    place at;
    carom_surface_contact deepest;
    find_place(i, pose_i, j, pose_j, which, &deepest, &p, &at);
    *share = at.share;
    if (which == 0) {
        *out = deepest;
        return;
    }
    *out = (carom_surface_contact){.gap = at.gap, .converged = true, .evaluations = deepest.evaluations};
    out->normal = carom_m3_apply(&pose_i->axes, at.normal);
    out->from_i = carom_m3_apply(&pose_i->axes, at.on[0]);
    out->from_j = carom_m3_apply(&pose_i->axes, carom_v3_sub(at.on[1], p.origin_j));
    for (int b = 0; b < 2; b++) {
        const double edge = p.side[b].edge, round = edge > 0 ? 1 / edge : HUGE_VAL;
        double *curvature = b ? out->curvature_j : out->curvature_i;
        curvature[0] = at.corner_of == b ? round : 0;
        curvature[1] = at.corner_of == b || at.crossing ? round : 0;
    }
    const carom_mat3 axes = carom_m3_axes(out->normal, carom_m3_column(&pose_i->axes, 0));
    for (int k = 0; k < 2; k++)
        out->direction_i[k] = out->direction_j[k] = carom_m3_column(&axes, k);
}

carom_vec3 carom_surface_patch_normal_rate(const carom_surface *i, const carom_shape_pose *pose_i,
                                           const carom_surface *j, const carom_shape_pose *pose_j, int which)
{
    patch p;
    place at;
    carom_surface_contact deepest;
    find_place(i, pose_i, j, pose_j, which, &deepest, &p, &at);
    if (which == 0 && !looked_for(&p))
        return carom_v3_cross(pose_i->spin, deepest.normal);
    if (which == 0) {
        carom_surface_pair(i, pose_i, j, pose_j, NULL, &deepest);
        return carom_surface_normal_rate(&deepest, pose_i, pose_j);
    }
    const carom_vec3 n = carom_m3_apply(&pose_i->axes, at.normal);
    if (!at.crossing)
        return carom_v3_cross(at.corner_of == 0 ? pose_j->spin : pose_i->spin, n);
    const carom_vec3 u = carom_m3_apply(&pose_i->axes, at.along[0]), v = carom_m3_apply(&pose_i->axes, at.along[1]);
    const double sine = carom_v3_dot(carom_v3_cross(u, v), n);
    const carom_vec3 rate = carom_v3_add(carom_v3_cross(carom_v3_cross(pose_i->spin, u), v),
                                         carom_v3_cross(u, carom_v3_cross(pose_j->spin, v)));
    return carom_v3_scale(1 / sine, carom_v3_add_scaled(rate, -carom_v3_dot(rate, n), n));
}

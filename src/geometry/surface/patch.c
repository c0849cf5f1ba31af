/* Polyhedra whose faces lie on each other: the faces most along the normal where the gap is least make a patch, a
   convex polygon, whose corners bear with the angles by which its outline turns there, over a right angle (boxes.c says
   why that is continuous). The place of a corner is the edge of either face along which the patch goes on from it; a
   place has the number of the corner of the polyhedron where its edge begins, so that it goes over from face to face
   with that corner. Faces that are tilted against each other bear less, down to nothing, and so do faces that are
   small: there the deepest point bears instead.
   Source: Ericson 2005, Real-Time Collision Detection, section 8.3.4 (outline of a patch cut by half planes); the
   shares are made here. */
#include "geometry/surface/patch.h"

#include "base/base.h"
#include "geometry/surface/hull.h"

/* Sines of the tilt between two faces up to which the patch bears wholly, and from which on not at all. */
#define FLAT 0.08
#define STEEP 0.25
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
/* Corners of a face that are looked at, and of a patch. */
#define SIDES 12
#define CORNERS (4 * SIDES)

typedef struct face {
    carom_vec3 normal;          /* out of the solid, in the axes of i */
    double offset, edge;        /* of the plane, with the radius of the edges */
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
    int leaving[CORNERS];       /* the edge that leaves a corner: of i from 0 on, of j from SIDES on */
} patch;

static double ramp(double x, double low, double high)
{
    const double s = (x - low) / (high - low);
    return s <= 0 ? 0 : s < 1 ? s * s * (3 - 2 * s) : 1;
}

static bool is_box(const carom_surface *a) { return a->kind == &carom_surface_box && !a->hollow; }
static bool is_mesh(const carom_surface *a) { return a->kind == &carom_surface_polyhedron && !a->hollow; }

static int places_of(const carom_surface *a)
{
    if (is_box(a))
        return 4;
    const int places = carom_polyhedron_place_count(a->p);
    return places < SIDES ? places : SIDES;
}

int carom_surface_patch_count(const carom_surface *i, const carom_surface *j)
{
    if (!(is_mesh(i) || is_box(i)) || !(is_mesh(j) || is_box(j)) || (is_box(i) && is_box(j)))
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
    out->edge = p[3];
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
    out->edge = 0;
    out->count = f.count < SIDES ? f.count : SIDES;
    for (int m = 0; m < out->count; m++) {
        const int corner = (int)f.corner[f.count <= SIDES ? m : m * f.count / SIDES];
        out->at[m] = carom_polyhedron_corner(p, corner);
        out->place[m] = own ? carom_polyhedron_place_of(p, corner) : m;
    }
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
    if (is_box(a))
        box_face(a->p, own, out);
    else
        mesh_face(a, own, out);
    out->size = a->kind->bounding_radius(a->p);
    out->normal = carom_m3_apply(&placed->axes, out->normal);
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

static void find_patch(patch *p)
{
    lay_out(p);
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
    const carom_vec3 tilt = carom_v3_cross(p->side[0].normal, p->side[1].normal);
    const double facing = -carom_v3_dot(p->side[0].normal, p->side[1].normal);
    p->weight = facing > 0 ? 1 - ramp(carom_v3_norm(tilt), FLAT, STEEP) : 0;
    for (int b = 0; b < 2; b++)
        p->weight *= ramp(sqrt(fmax(p->side[b].area, 0)) / p->side[b].size, SMALL, LARGE);
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
    const double height = carom_v3_dot(x, n) - p->side[1 - b].offset, edge = p->side[b].edge;
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
    const carom_vec3 xa = i->at[a], xb = j->at[b];
    const carom_vec3 u = carom_unit(carom_v3_sub(i->at[(a + 1) % i->count], xa));
    const carom_vec3 v = carom_unit(carom_v3_sub(j->at[(b + 1) % j->count], xb)), w = carom_v3_cross(u, v);
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

static void put_deepest(const carom_surface_contact *deepest, const patch *p, place *out)
{
    *out = (place){.gap = deepest->gap, .share = 1 - p->weight};
}

/* The place `which` of the contact whose least gap is `deepest`. */
static void find_place(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                       const carom_shape_pose *pose_j, int which, carom_surface_contact *deepest, patch *p, place *out)
{
    const carom_surface_placed here = {carom_m3_identity(), {0, 0, 0}}, placed = carom_surface_place(pose_i, pose_j);
    find_deepest(i, pose_i, j, pose_j, deepest);
    const carom_vec3 n = carom_m3_apply_t(&pose_i->axes, deepest->normal);
    p->origin_j = placed.origin;
    find_face(i, &here, n, &p->side[0]);
    find_face(j, &placed, carom_v3_neg(n), &p->side[1]);
    p->across = carom_unit(carom_v3_sub(p->side[0].normal, p->side[1].normal));
    turn_round(&p->side[1]);
    find_patch(p);
    *out = (place){.share = 0};
    if (which == 0) {
        put_deepest(deepest, p, out);
        return;
    }
    const int first = places_of(i), b = which > first;
    if (!edge_place(p, b, which - 1 - (b ? first : 0), out)) {
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
    if (which == 0 && p.weight >= 1)
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

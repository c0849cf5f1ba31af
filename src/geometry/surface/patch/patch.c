/* Polyhedra whose faces lie on each other: the faces most along the normal where the gap is least make a patch, a
   convex polygon, whose corners bear with the angles by which its outline turns there, over a right angle (boxes.c says
   why that is continuous). The place of a corner is the edge of either face along which the patch goes on from it; a
   place has the number of the corner of the polyhedron where its edge begins, so that it goes over from face to face
   with that corner. Faces that are tilted against each other bear less, down to an edge of one of them that lies along
   the other, or to nothing, and so do faces that are small: there the deepest point bears instead. It runs from corner
   to corner where small faces come to lie flat, so that the corners bear its law there, as a whole.
   Cylinders, cones and capsules have faces as well: a flat end is a polygon of eight corners, fixed in the material,
   and hands over to the deepest point, which runs round the rim, at little tilt; the side is the line that is most
   along the normal, and bears where it ends or crosses the outline of the other face, with a share of one at each end.
   Source: Ericson 2005, Real-Time Collision Detection, section 8.3.4 (outline of a patch cut by half planes); the
   shares are made here. */
#include "geometry/surface/patch/patch.h"

#include "base/base.h"
#include "geometry/surface/patch/face.h"
#include "geometry/surface/patch/least.h"
#include "geometry/surface/patch/lines.h"
#include "geometry/surface/patch/outline.h"

/* Lines whose directions differ by less do not cross. */
#define PARALLEL 1e-6
/* Places beside the patch leave the surface by so much of their distance from it. */
#define AWAY 10
/* A flat end along whose normal the solids are apart least by more than this of the root of its area is compared with
   the least gap: it bears less from there on, and not at all where it lags behind by the second of these, if the least
   gap lies across it, from one sine to the other between both normals. */
#define BEHIND 0.03
#define FAR_BEHIND 0.12
#define ASKEW 0.3
#define SIDEWAYS 0.6
/* A place is doubted whose middle lies outside of either solid by more than these shares of its depth, from where on
   and wholly, or that is deep (BEHIND, of the size); and bears only as the solids are really in each other, the least
   gap from one share of its depth on to the other. */
#define DOUBTED 0.01
#define DENIED 0.1
#define SHAM 0.7
#define SOUND 0.95
/* Of the size: rounding of a depth. At less a point lies outside of a solid, or the least gap is none, by chance. */
#define ROUNDING 1e-12
/* Share of a law from which on a place that is not there takes all from its line or patch. */
#define HEAVY 0.1

/* Places of the faces alone; two capsules have none. */
static int faces_places(const carom_surface *i, const carom_surface *j)
{
    const bool capsules = carom_surface_is_capsule(i) && carom_surface_is_capsule(j);
    return capsules ? 0 : carom_face_places(i) + carom_face_places(j);
}

int carom_surface_patch_count(const carom_surface *i, const carom_surface *j)
{
    if (carom_face_places(i) == 0 || carom_face_places(j) == 0 || (carom_surface_is_box(i) && carom_surface_is_box(j)))
        return 0;
    return 1 + faces_places(i, j) + carom_lines_count(i, j);
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
static void over(const carom_patch *p, int b, carom_vec3 x, place *out)
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
static bool across(const carom_patch *p, int a, int b, place *out)
{
    const carom_face *i = &p->side[0], *j = &p->side[1];
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

/* How far the point at a share s of the edge m lies outside of the other face. */
static double beyond_at(const carom_face *f, int m, double s, const carom_face *other)
{
    const int next = (m + 1) % f->count;
    return carom_patch_outside(other, f->x[m] + s * (f->x[next] - f->x[m]), f->y[m] + s * (f->y[next] - f->y[m]));
}

/* The edge m of the solid b that does not bound the patch: its point nearest to the other face, which leaves that as it
   moves away. */
static void beside(const carom_patch *p, int b, int m, place *out)
{
    const carom_face *f = &p->side[b], *other = &p->side[1 - b];
    const int next = (m + 1) % f->count;
    double low = 0, high = 1;
    for (int k = 0; k < 40; k++) {
        const double s = low + (high - low) / 3, t = high - (high - low) / 3;
        const double at_s = beyond_at(f, m, s, other), at_t = beyond_at(f, m, t, other);
        *(at_s <= at_t ? &high : &low) = at_s <= at_t ? t : s;
    }
    const double s = 0.5 * (low + high);
    over(p, b, carom_v3_add_scaled(f->at[m], s, carom_v3_sub(f->at[next], f->at[m])), out);
    out->gap += AWAY * beyond_at(f, m, s, other);
}

/* The corner of a face with a number; `count`: there is none. */
static int corner_numbered(const carom_face *f, int number)
{
    int m = 0;
    while (m < f->count && f->place[m] != number)
        m++;
    return m;
}

/* The place where the edge m of solid b begins to bound the patch; false: it does not. */
static bool bears_at(const carom_patch *p, int b, int m, place *out)
{
    const int edge = b * CAROM_FACE_SIDES + m;
    for (int k = 0; k < p->count; k++) {
        const int from = p->leaving[(k + p->count - 1) % p->count];
        if (p->leaving[k] != edge)
            continue;
        /* two edges of one solid meet in its corner, which for j lies at the beginning of the edge as well */
        if (from / CAROM_FACE_SIDES == b)
            over(p, b, p->side[b].at[m], out);
        else if (!across(p, b == 0 ? m : from % CAROM_FACE_SIDES, b == 0 ? from % CAROM_FACE_SIDES : m, out))
            break;
        out->share = carom_patch_share(p, k);
        return true;
    }
    return false;
}

/* The place of the edge of solid b that begins at a corner with this number; false: the face has none. */
static bool edge_place(const carom_patch *p, int b, int number, place *out)
{
    const int m = corner_numbered(&p->side[b], number);
    if (m == p->side[b].count)
        return false;
    if (!bears_at(p, b, m, out))
        beside(p, b, m, out);
    return true;
}

/* Where the line ends, or crosses the edge of the other face that ends it. False: it has no such place. */
static bool line_place(const carom_patch *p, int b, int number, place *out)
{
    const carom_face *f = &p->side[b];
    const int m = corner_numbered(f, number);
    if (m == f->count)
        return false;
    if (b == p->line) {
        over(p, b, f->at[m], out);
        out->share = p->law * (1 - carom_patch_overhang(p, m));
        return true;
    }
    for (int end = 0; end < 2 && p->weight > 0; end++) {
        const double share = carom_patch_overhang(p, end);
        if (p->cut_by[end] != m || !(share > 0) || !across(p, b == 0 ? m : 0, b == 0 ? 0 : m, out))
            continue;
        out->share = p->law * share;
        return true;
    }
    return false;
}

/* ---- the least gap ---- */

/* What is in the axes of i, with both points from the origin of i, in world axes. */
static void put_in_world(const carom_surface_contact *own, const carom_surface_placed *placed,
                         const carom_shape_pose *pose_i, carom_surface_contact *out)
{
    *out = *own;
    out->normal = carom_m3_apply(&pose_i->axes, own->normal);
    out->from_i = carom_m3_apply(&pose_i->axes, own->from_i);
    out->from_j = carom_m3_apply(&pose_i->axes, carom_v3_sub(own->from_j, placed->origin));
    for (int k = 0; k < 2; k++) {
        out->direction_i[k] = carom_m3_apply(&pose_i->axes, own->direction_i[k]);
        out->direction_j[k] = carom_m3_apply(&pose_i->axes, own->direction_j[k]);
    }
}

/* The faces along which solids are apart most, as the least gap, which has no share where the patch bears wholly. */
static void put_facing(const carom_surface_contact *facing, const carom_surface_placed *placed,
                       const carom_shape_pose *pose_i, carom_surface_contact *out)
{
    put_in_world(facing, placed, pose_i, out);
    out->converged = true;
    const carom_mat3 axes = carom_m3_axes(out->normal, carom_m3_column(&pose_i->axes, 0));
    for (int k = 0; k < 2; k++) {
        out->curvature_i[k] = out->curvature_j[k] = HUGE_VAL;
        out->direction_i[k] = out->direction_j[k] = carom_m3_column(&axes, k);
    }
}

/* Least gap of a pair with a round solid: on the line of contact, if there is one. Returns whose face it lies on. */
static int find_least(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                      const carom_shape_pose *pose_j, const carom_lines *lines, carom_surface_contact *out)
{
    if (!(lines->weight > 0) || lines->tilted)
        return carom_surface_least(i, pose_i, j, pose_j, out);
    const carom_surface_placed placed = carom_surface_place(pose_i, pose_j);
    carom_surface_contact own;
    carom_lines_least(lines, &own);
    put_in_world(&own, &placed, pose_i, out);
    return -1;
}

/* How much of the patch is left where its faces are not those along which the solids are apart most, as the ends of
   two cans side by side: looked at where they lie so deep that it may be. */
static double foremost(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                       const carom_shape_pose *pose_j, const carom_surface_contact *facing, const carom_lines *lines,
                       const carom_patch *p)
{
    const double width = sqrt(fmin(p->side[0].area, p->side[1].area));
    if (p->line >= 0 || !(p->weight > 0) || -facing->gap <= BEHIND * width)
        return 1;
    carom_surface_contact least;
    find_least(i, pose_i, j, pose_j, lines, &least);
    const carom_vec3 own = carom_m3_apply_t(&pose_i->axes, least.normal);
    const double turned = carom_v3_norm(carom_v3_cross(own, facing->normal));
    const double aside = carom_v3_dot(own, facing->normal) > 0 ? carom_ramp(turned, ASKEW, SIDEWAYS) : 1;
    return 1 - aside * carom_ramp((fmin(least.gap, 0) - facing->gap) / width, BEHIND, FAR_BEHIND);
}

/* Whether a line goes on beyond the face that it lies on: its far end is then the point of `facing`, and lies deep
   below that face's plane where the solids do not touch. */
static bool hangs_over(const carom_patch *p) { return p->line >= 0 && (p->cut_by[0] >= 0 || p->cut_by[1] >= 0); }

/* Whether the least gap is looked for, or is that of the faces. */
static bool looked_for(const carom_patch *p) { return p->weight < 1 || hangs_over(p); }

/* The faces most along n, with this gap, and the patch on which they lie. */
static void find_faces(const carom_surface *i, const carom_surface *j, const carom_surface_placed *placed,
                       carom_vec3 n, double gap, carom_patch *p)
{
    const carom_surface_placed here = {carom_m3_identity(), {0, 0, 0}};
    p->origin_j = placed->origin;
    carom_face_find(i, &here, n, &p->side[0]);
    carom_face_find(j, placed, carom_v3_neg(n), &p->side[1]);
    p->line = p->side[0].count == 2 ? 0 : p->side[1].count == 2 ? 1 : -1;
    if (p->line == 0)
        carom_face_find(i, &here, carom_v3_neg(p->side[1].normal), &p->side[0]);
    else if (p->line == 1)
        carom_face_find(j, placed, carom_v3_neg(p->side[0].normal), &p->side[1]);
    if (p->line >= 0 && p->side[p->line].count != 2)
        p->line = -1;
    p->across = carom_unit(carom_v3_sub(p->side[0].normal, p->side[1].normal));
    carom_face_turn_round(&p->side[1]);
    carom_patch_find(p);
    carom_patch_find_edge(p, n);
    carom_patch_share_out(p, gap);
}

/* Root of the area of a flat end of eight corners over its radius, or more. */
#define END_WIDTH 1.7

/* Whether two cans lie side by side so that their ends bear nothing, as foremost() would find. */
static bool side_by_side(const carom_surface *i, const carom_surface *j, const carom_lines *lines,
                         const carom_surface_contact *facing)
{
    if (!carom_surface_is_can(i) || !carom_surface_is_can(j) || !(lines->weight > 0))
        return false;
    carom_surface_contact least;
    carom_lines_least(lines, &least);
    const double behind = fmin(least.gap, 0) - facing->gap, cosine = carom_v3_dot(least.normal, facing->normal);
    return behind > FAR_BEHIND * END_WIDTH * fmin(i->p[0], j->p[0]) &&
           (cosine <= 0 || carom_v3_norm(carom_v3_cross(least.normal, facing->normal)) >= SIDEWAYS);
}

/* What there is of a contact: where its gap is least, in world axes, its patch and its line. */
typedef struct found {
    const carom_surface *solid[2];
    const carom_shape_pose *pose[2];
    carom_surface_placed placed;
    carom_surface_contact deepest;
    carom_patch p;
    carom_lines lines;
    bool faced;                 /* there are faces that may lie on each other */
    int over;                   /* whose face the deepest point is over, 0 or 1, -1: none */
    bool known;                 /* the least gap of the solids themselves: */
    double least;
    double size;
} found;

/* ---- places that are there ---- */

/* How far a point is outside of either solid, in the axes of the first. */
static double beyond(const found *f, carom_vec3 x)
{
    const carom_vec3 own = carom_m3_apply_t(&f->placed.axes, carom_v3_sub(x, f->placed.origin));
    return fmax(carom_face_outside(f->solid[0], x), carom_face_outside(f->solid[1], own));
}

/* How much of a place is there, 0 to 1, points on both in the axes of the first: planes and lines go on beyond faces
   and edges, and may lie deep in each other where the solids are apart. `deep`: how much it is doubted anyway. */
static double there_is(found *f, double gap, carom_vec3 on_i, carom_vec3 on_j, double deep)
{
    if (!(gap < -ROUNDING * f->size))
        return 1;
    const double off = beyond(f, carom_v3_scale(0.5, carom_v3_add(on_i, on_j)));
    const double doubt = fmax(carom_ramp(-off / gap, DOUBTED, DENIED),
                              fmax(carom_ramp(-gap / f->size, BEHIND, FAR_BEHIND), deep));
    if (!(doubt > 0))
        return 1;
    if (!f->known) {
        carom_surface_contact least;
        carom_surface_least(f->solid[0], f->pose[0], f->solid[1], f->pose[1], &least);
        f->least = least.gap;
        f->known = true;
    }
    return 1 - doubt * (1 - carom_ramp(f->least / gap, SHAM, SOUND));
}

/* The line bears less where one of its ends is not there; the deepest point, looked for among all points, more. */
static void doubt_lines(found *f)
{
    double share = 1;
    for (int end = 0; end < 4 && f->lines.weight > 0; end++) {
        carom_surface_contact at;
        const double part = carom_lines_end(&f->lines, end, &at);
        if (part > 0)
            share *= 1 - carom_ramp(part, 0, HEAVY) * (1 - there_is(f, at.gap, at.from_i, at.from_j, f->lines.deep));
    }
    f->lines.tilted = f->lines.tilted || share < 1;
    f->lines.weight *= share;
}

/* The same of the patch. */
static void doubt_patch(found *f)
{
    carom_patch *p = &f->p;
    const double law = p->law + fmax(p->edge_law[0], p->edge_law[1]);
    double share = 1;
    for (int b = 0; b < 2 && p->weight > 0; b++)
        for (int m = 0; m < p->side[b].count; m++) {
            place at = {.share = 0};
            const int number = p->side[b].place[m];
            const bool bears = p->line >= 0 ? line_place(p, b, number, &at) : bears_at(p, b, m, &at);
            if (bears && at.share > 0)
                share *= 1 - carom_ramp(at.share / law, 0, HEAVY) * (1 - there_is(f, at.gap, at.on[0], at.on[1], 0));
        }
    carom_patch_bear_less(p, share);
}

/* What the place `which` needs. Of round solids the least gap is looked for where it bears or where there is no other
   way to the faces. */
static void find(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                 const carom_shape_pose *pose_j, int which, found *out)
{
    const bool round = carom_surface_is_round(i) || carom_surface_is_round(j), least = which == 0;
    const bool lined = least || which > faces_places(i, j);
    carom_surface_contact faces;
    carom_patch *p = &out->p;
    out->solid[0] = i;
    out->solid[1] = j;
    out->pose[0] = pose_i;
    out->pose[1] = pose_j;
    out->known = false;
    out->over = -1;
    out->placed = carom_surface_place(pose_i, pose_j);
    out->size = fmin(i->kind->bounding_radius(i->p), j->kind->bounding_radius(j->p));
    carom_lines_find(i, j, &out->placed, &out->lines);
    const bool seen = faces_places(i, j) > 0 && round && carom_face_foremost(i, j, &out->placed, &faces);
    out->faced = faces_places(i, j) > 0 && !(seen && side_by_side(i, j, &out->lines, &faces));
    if (!out->faced) {
        p->weight = p->law = 0;
        p->line = -1;
        if (lined)
            doubt_lines(out);
        if (least)
            out->over = find_least(i, pose_i, j, pose_j, &out->lines, &out->deepest);
    } else if (seen) {
        find_faces(i, j, &out->placed, faces.normal, faces.gap, p);
        carom_patch_bear_less(p, foremost(i, pose_i, j, pose_j, &faces, &out->lines, p));
        doubt_patch(out);
        if (lined)
            doubt_lines(out);
        if (least && looked_for(p))
            out->over = find_least(i, pose_i, j, pose_j, &out->lines, &out->deepest);
        else
            put_facing(&faces, &out->placed, pose_i, &out->deepest);
    } else {
        if (round)
            out->over = carom_surface_least(i, pose_i, j, pose_j, &out->deepest);
        else
            carom_surface_least_polyhedra(i, pose_i, j, pose_j, &out->deepest);
        out->least = out->deepest.gap;
        out->known = true;
        find_faces(i, j, &out->placed, carom_m3_apply_t(&pose_i->axes, out->deepest.normal), out->deepest.gap, p);
        doubt_patch(out);
    }
}

/* A place of the faces. */
static void find_place(const carom_surface *i, const carom_surface *j, int which, found *f, place *out)
{
    const bool round = carom_surface_is_round(i) || carom_surface_is_round(j);
    const carom_patch *p = &f->p;
    const int first = carom_face_places(i), b = which > first;
    const int number = which - 1 - (b ? first : 0);
    *out = (place){.share = 0};
    if ((round && !(p->weight > 0)) ||
        !(p->line >= 0 ? line_place(p, b, number, out) : edge_place(p, b, number, out))) {
        over(p, b, p->side[b].at[0], out);
        out->gap = fmax(out->gap, 0) + p->side[b].size;
    }
    if (out->share > 0)
        out->share *= there_is(f, out->gap, out->on[0], out->on[1], 0);
    /* what does not bear is at least as far as the solids are apart, and leaves them where it is not there */
    if (!(out->share > 0)) {
        const carom_vec3 middle = carom_v3_scale(0.5, carom_v3_add(out->on[0], out->on[1]));
        out->gap += out->gap < 0 ? AWAY * beyond(f, middle) : 0;
        out->gap = fmax(out->gap, f->deepest.gap);
    }
}

/* Where the gap is least, which is no place at all where a line bears wholly in its place. */
static double put_deepest(const found *f, carom_surface_contact *out)
{
    *out = f->deepest;
    if (f->lines.weight >= 1 && looked_for(&f->p))
        out->gap = fmax(out->gap, 0) + f->size;
    return (1 - f->p.weight) * (1 - f->lines.weight);
}

/* A place that is none, far away, as round as a ball. */
static void put_nowhere(const found *f, const carom_shape_pose *pose_i, carom_surface_contact *out)
{
    const carom_vec3 to = f->placed.origin, n = carom_v3_norm(to) > 0 ? carom_unit(to) : carom_v3(0, 0, 1);
    const carom_mat3 axes = carom_m3_axes(n, fabs(n.x) < 0.9 ? carom_v3(1, 0, 0) : carom_v3(0, 1, 0));
    carom_surface_contact own = {.gap = carom_v3_norm(to) + f->size, .normal = n, .from_j = to, .converged = true};
    for (int k = 0; k < 2; k++) {
        own.curvature_i[k] = own.curvature_j[k] = 1 / f->size;
        own.direction_i[k] = own.direction_j[k] = carom_m3_column(&axes, k);
    }
    put_in_world(&own, &f->placed, pose_i, out);
}

/* An end of the line, in world axes. */
static double put_end(found *f, const carom_shape_pose *pose_i, int end, carom_surface_contact *out)
{
    carom_surface_contact own;
    const double weight = (1 - f->p.weight) * f->lines.weight;
    if (!(weight > 0)) {
        put_nowhere(f, pose_i, out);
        return 0;
    }
    const double part = carom_lines_end(&f->lines, end, &own);
    const double share = part > 0 ? part * there_is(f, own.gap, own.from_i, own.from_j, f->lines.deep) : 0;
    put_in_world(&own, &f->placed, pose_i, out);
    return weight * share;
}

void carom_surface_patch(const carom_surface *i, const carom_shape_pose *pose_i, const carom_surface *j,
                         const carom_shape_pose *pose_j, int which, carom_surface_contact *out, double *share)
{
    const int faces = faces_places(i, j);
    found f;
    place at;
    find(i, pose_i, j, pose_j, which, &f);
    if (which == 0) {
        *share = put_deepest(&f, out);
        return;
    }
    if (which > faces) {
        *share = put_end(&f, pose_i, which - 1 - faces, out);
        if (*share > 0)
            carom_lines_straighten(pose_i, &f.lines, out);
        return;
    }
    if (!f.faced) {
        *share = 0;
        put_nowhere(&f, pose_i, out);
        return;
    }
    find_place(i, j, which, &f, &at);
    *share = at.share;
    *out = (carom_surface_contact){.gap = at.gap, .converged = true, .evaluations = f.deepest.evaluations};
    out->normal = carom_m3_apply(&pose_i->axes, at.normal);
    out->from_i = carom_m3_apply(&pose_i->axes, at.on[0]);
    out->from_j = carom_m3_apply(&pose_i->axes, carom_v3_sub(at.on[1], f.p.origin_j));
    for (int b = 0; b < 2; b++) {
        const double edge = f.p.side[b].edge, round = edge > 0 ? 1 / edge : HUGE_VAL;
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
    const int faces = faces_places(i, j);
    found f;
    place at;
    carom_surface_contact end;
    find(i, pose_i, j, pose_j, which, &f);
    if (which == 0 && !looked_for(&f.p))
        return carom_v3_cross(pose_i->spin, f.deepest.normal);
    if (which == 0 && !carom_surface_is_round(i) && !carom_surface_is_round(j))
        carom_surface_pair(i, pose_i, j, pose_j, NULL, &f.deepest);
    if (which == 0)
        return carom_surface_least_normal_rate(&f.deepest, f.over, pose_i, pose_j);
    if (which > faces) {
        put_end(&f, pose_i, which - 1 - faces, &end);
        return carom_surface_normal_rate(&end, pose_i, pose_j);
    }
    if (!f.faced)
        return carom_v3(0, 0, 0);
    find_place(i, j, which, &f, &at);
    const carom_vec3 n = carom_m3_apply(&pose_i->axes, at.normal);
    if (!at.crossing)
        return carom_v3_cross(at.corner_of == 0 ? pose_j->spin : pose_i->spin, n);
    const carom_vec3 u = carom_m3_apply(&pose_i->axes, at.along[0]), v = carom_m3_apply(&pose_i->axes, at.along[1]);
    const double sine = carom_v3_dot(carom_v3_cross(u, v), n);
    const carom_vec3 rate = carom_v3_add(carom_v3_cross(carom_v3_cross(pose_i->spin, u), v),
                                         carom_v3_cross(u, carom_v3_cross(pose_j->spin, v)));
    return carom_v3_scale(1 / sine, carom_v3_add_scaled(rate, -carom_v3_dot(rate, n), n));
}

/* Faces of solids that may lie on each other: sides of boxes and meshes, flat ends of cylinders and cones, the
   side of a cylinder or capsule as the line that is most along a direction. */
#include "geometry/surface/patch/face.h"

#include "base/base.h"
#include "geometry/surface/hull.h"

/* Of faces that are equal but for this share the first one is taken. */
#define TIE 1e-9
#define RIM 8

bool carom_surface_is_box(const carom_surface *a) { return a->kind == &carom_surface_box && !a->hollow; }
bool carom_surface_is_mesh(const carom_surface *a) { return a->kind == &carom_surface_polyhedron && !a->hollow; }
bool carom_surface_is_capsule(const carom_surface *a) { return a->kind == &carom_surface_capsule && !a->hollow; }
bool carom_surface_is_can(const carom_surface *a)
{
    return (a->kind == &carom_surface_cylinder || a->kind == &carom_surface_cone) && !a->hollow;
}
bool carom_surface_is_round(const carom_surface *a) { return carom_surface_is_can(a) || carom_surface_is_capsule(a); }

static double above(double x, double limit) { return fmax(x - limit, 0); }

/* Of what is round at its edges by the distance from its core. */
double carom_face_outside(const carom_surface *a, carom_vec3 x)
{
    const double *p = a->p;
    if (carom_surface_is_box(a)) {
        const carom_vec3 off = {above(fabs(x.x), p[0] - p[3]), above(fabs(x.y), p[1] - p[3]),
                                above(fabs(x.z), p[2] - p[3])};
        return above(carom_v3_norm(off), p[3]);
    }
    if (carom_surface_is_capsule(a))
        return above(carom_v3_norm(carom_v3(x.x, x.y, above(fabs(x.z), p[1]))), p[0]);
    if (a->kind == &carom_surface_cylinder) {
        const double off = above(carom_v3_norm(carom_v3(x.x, x.y, 0)), p[0] - p[2]);
        return above(carom_v3_norm(carom_v3(off, above(fabs(x.z), p[1] - p[2]), 0)), p[2]);
    }
    carom_surface_point foot;
    return fmax(carom_surface_distance(a, x, &foot), 0);
}

int carom_face_places(const carom_surface *a)
{
    if (carom_surface_is_box(a))
        return 4;
    if (carom_surface_is_round(a))
        return carom_surface_is_can(a) ? RIM : 2;
    if (!carom_surface_is_mesh(a))
        return 0;
    const int places = carom_polyhedron_place_count(a->p);
    return places < CAROM_FACE_SIDES ? places : CAROM_FACE_SIDES;
}

/* ---- faces ---- */

/* The face of a box whose normal is most along n, corners counterclockwise from outside. Opposite corners share a
   place. */
static void box_face(const double *p, carom_vec3 n, carom_face *out)
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
static void mesh_face(const carom_surface *a, carom_vec3 n, carom_face *out)
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
    const bool own = carom_polyhedron_place_count(p) <= CAROM_FACE_SIDES;
    out->normal = f.normal;
    out->offset = f.offset;
    out->edge = out->tip = 0;
    out->count = f.count < CAROM_FACE_SIDES ? f.count : CAROM_FACE_SIDES;
    out->thinned = f.count > CAROM_FACE_SIDES;
    for (int m = 0; m < out->count; m++) {
        const int corner = (int)f.corner[f.count <= CAROM_FACE_SIDES ? m : m * f.count / CAROM_FACE_SIDES];
        out->at[m] = carom_polyhedron_corner(p, corner);
        out->place[m] = own ? carom_polyhedron_place_of(p, corner) : m;
    }
}

/* The flat end of a cylinder or cone, with the point of the material on the x-axis for its first corner. */
static void end_face(const carom_surface *a, bool up, carom_face *out)
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
static void side_line(const carom_surface *a, carom_vec3 n, carom_face *out)
{
    const double *p = a->p, flat = hypot(n.x, n.y), rim = carom_surface_is_capsule(a) ? p[0] : p[2];
    const double half = carom_surface_is_capsule(a) ? p[1] : p[1] - rim;
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
static void round_face(const carom_surface *a, carom_vec3 n, carom_face *out)
{
    if (carom_surface_is_can(a) && (a->kind == &carom_surface_cone || 2 * n.z * n.z > carom_v3_dot(n, n)))
        end_face(a, n.z > 0, out);
    else
        side_line(a, n, out);
}

void carom_face_turn_round(carom_face *f)
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
void carom_face_find(const carom_surface *a, const carom_surface_placed *placed, carom_vec3 n, carom_face *out)
{
    const carom_vec3 own = carom_m3_apply_t(&placed->axes, n);
    out->sunk = carom_v3(0, 0, 0);
    out->round = out->thinned = false;
    if (carom_surface_is_box(a))
        box_face(a->p, own, out);
    else if (carom_surface_is_round(a))
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

/* ---- faces of round solids on others ---- */

/* Meshes with more faces are not gone through. */
#define FACES 2000

/* Faces that may be the one along which two solids are apart most; -1: too many. */
int carom_face_planes(const carom_surface *a)
{
    if (carom_surface_is_box(a))
        return 6;
    if (carom_surface_is_round(a))
        return carom_surface_is_can(a) ? 2 : 0;
    const int count = carom_polyhedron_face_count(a->p);
    return count <= FACES ? count : -1;
}

/* Outward normal and distance of such a face from the origin of its solid. */
carom_vec3 carom_face_plane(const carom_surface *a, int k, double *offset)
{
    if (carom_surface_is_mesh(a)) {
        const carom_polyhedron_face f = carom_polyhedron_face_at(a->p, k);
        *offset = f.offset;
        return f.normal;
    }
    double normal[3] = {0, 0, 0};
    const int axis = carom_surface_is_box(a) ? k / 2 : 2;
    normal[axis] = k % 2 ? 1 : -1;
    *offset = carom_surface_is_box(a) ? a->p[axis] : a->p[a->kind == &carom_surface_cone ? 2 : 1];
    return carom_v3_load(normal);
}

carom_vec3 carom_face_lowest(const carom_surface *a, const carom_surface_placed *at_a, int k,
                             const carom_surface *solid, const carom_surface_placed *at, carom_vec3 *normal,
                             double *gap)
{
    double offset;
    *normal = carom_m3_apply(&at_a->axes, carom_face_plane(a, k, &offset));
    const carom_vec3 down = carom_m3_apply_t(&at->axes, carom_v3_neg(*normal));
    const carom_vec3 x = carom_v3_add(at->origin, carom_m3_apply(&at->axes, solid->kind->support(solid->p, down)));
    *gap = carom_v3_dot(*normal, carom_v3_sub(x, at_a->origin)) - offset;
    return x;
}

/* The face of either solid along whose normal they are apart most, and the other's nearest point there, as a contact in
   the axes of i; false: there are too many faces. */
bool carom_face_foremost(const carom_surface *i, const carom_surface *j, const carom_surface_placed *placed,
                   carom_surface_contact *out)
{
    const carom_surface *solid[2] = {i, j};
    const carom_surface_placed at[2] = {{carom_m3_identity(), {0, 0, 0}}, *placed};
    *out = (carom_surface_contact){.gap = -HUGE_VAL};
    for (int b = 0; b < 2; b++) {
        const int count = carom_face_planes(solid[b]);
        if (count < 0)
            return false;
        for (int k = 0; k < count; k++) {
            double gap;
            carom_vec3 n;
            const carom_vec3 x = carom_face_lowest(solid[b], &at[b], k, solid[1 - b], &at[1 - b], &n, &gap);
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

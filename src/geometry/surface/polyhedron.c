/* Convex polyhedron: its triangles, the faces that they make where they lie in a plane, and the places that bear when
   it lies flat. The farthest point along a direction is found by going from corner to corner uphill; the foot of a
   point outside by going from triangle to triangle as long as that is nearer (over a convex body the distance has no
   other least value); that of a point inside lies on the plane of a face that is nearest. Chart: longitude and latitude
   of the direction in which the surface at the distance `scale` of the polyhedron is met, as on a sharp box.
   Source: Ericson 2005, Real-Time Collision Detection, sections 5.1.5, 9.5.4 (nearest points, hill climbing). */
#include "geometry/surface/hull.h"

#define GRID CAROM_POLYHEDRON_GRID
#define CLOSE 1e-12             /* of the size: a point on an edge has the normals of the faces */
#define SHARPNESS 8             /* power of the cosine with which the faces at a corner share it */

/* Fields by their short names. */
enum {
    CORNER_COUNT = CAROM_POLYHEDRON_CORNER_COUNT,
    TRIANGLE_COUNT = CAROM_POLYHEDRON_TRIANGLE_COUNT,
    FACE_COUNT = CAROM_POLYHEDRON_FACE_COUNT,
    PLACE_COUNT = CAROM_POLYHEDRON_PLACE_COUNT,
    RADIUS = CAROM_POLYHEDRON_RADIUS,
    INNER = CAROM_POLYHEDRON_INNER,
    CORNER = CAROM_POLYHEDRON_CORNER,
    NEXT_AT = CAROM_POLYHEDRON_NEXT_AT,
    NEXT = CAROM_POLYHEDRON_NEXT,
    TRIANGLE = CAROM_POLYHEDRON_TRIANGLE,
    FIRST_TRIANGLE = CAROM_POLYHEDRON_FIRST_TRIANGLE,
    START = CAROM_POLYHEDRON_START,
    PLANE = CAROM_POLYHEDRON_PLANE,
    OUTLINE_AT = CAROM_POLYHEDRON_OUTLINE_AT,
    OUTLINE = CAROM_POLYHEDRON_OUTLINE,
    AROUND_AT = CAROM_POLYHEDRON_AROUND_AT,
    AROUND = CAROM_POLYHEDRON_AROUND,
    PLACE_AT = CAROM_POLYHEDRON_PLACE_AT,
    PLACE = CAROM_POLYHEDRON_PLACE,
    PLACE_OF = CAROM_POLYHEDRON_PLACE_OF
};

static const double *part(const double *p, int field) { return p + (size_t)p[field]; }
static int integer(const double *p, int field, int k) { return (int)part(p, field)[k]; }

/* ---- what is in it ---- */

int carom_polyhedron_corner_count(const double *p) { return (int)p[CORNER_COUNT]; }
int carom_polyhedron_face_count(const double *p) { return (int)p[FACE_COUNT]; }
int carom_polyhedron_place_count(const double *p) { return (int)p[PLACE_COUNT]; }

carom_vec3 carom_polyhedron_corner(const double *p, int corner)
{
    return carom_v3_load(part(p, CORNER) + 3 * (size_t)corner);
}

carom_polyhedron_face carom_polyhedron_face_at(const double *p, int face)
{
    const double *plane = part(p, PLANE) + 4 * (size_t)face;
    const int first = integer(p, OUTLINE_AT, face);
    return (carom_polyhedron_face){carom_v3_load(plane), plane[3], integer(p, OUTLINE_AT, face + 1) - first,
                                   part(p, OUTLINE) + first};
}

int carom_polyhedron_faces_of(const double *p, int corner)
{
    return integer(p, AROUND_AT, corner + 1) - integer(p, AROUND_AT, corner);
}

int carom_polyhedron_face_of(const double *p, int corner, int k, double *turn)
{
    const double *entry = part(p, AROUND) + 2 * (integer(p, AROUND_AT, corner) + k);
    *turn = entry[1];
    return (int)entry[0];
}

int carom_polyhedron_face_beside(const double *p, int face, int k)
{
    const carom_polyhedron_face here = carom_polyhedron_face_at(p, face);
    const int a = (int)here.corner[k], b = (int)here.corner[(k + 1) % here.count];
    double turn;
    for (int n = 0; n < carom_polyhedron_faces_of(p, a); n++) {
        const int other = carom_polyhedron_face_of(p, a, n, &turn);
        for (int m = 0; m < carom_polyhedron_faces_of(p, b) && other != face; m++)
            if (carom_polyhedron_face_of(p, b, m, &turn) == other)
                return other;
    }
    return face;
}

/* ---- farthest points ---- */

/* The cell of a direction: side of the cube, row, column. */
static int cell_of(carom_vec3 n)
{
    const double a[3] = {n.x, n.y, n.z};
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(a[k]) > fabs(a[axis]))
            axis = k;
    const double most = fabs(a[axis]);
    if (!(most > 0))
        return 0;
    int place[2];
    for (int k = 0; k < 2; k++) {
        const double s = 0.5 * (a[(axis + 1 + k) % 3] / most + 1) * GRID;
        place[k] = s < GRID - 1 ? (int)s : GRID - 1;
    }
    return ((2 * axis + (a[axis] < 0)) * GRID + place[0]) * GRID + place[1];
}

carom_vec3 carom_polyhedron_cell(int cell)
{
    const int column = cell % GRID, row = cell / GRID % GRID, face = cell / (GRID * GRID), axis = face / 2;
    double n[3];
    n[axis] = face % 2 ? -1 : 1;
    n[(axis + 1) % 3] = 2 * (row + 0.5) / GRID - 1;
    n[(axis + 2) % 3] = 2 * (column + 0.5) / GRID - 1;
    return carom_v3_load(n);
}

static int climb(const double *p, int corner, carom_vec3 n)
{
    double most = carom_v3_dot(n, carom_polyhedron_corner(p, corner));
    for (;;) {
        const int from = corner, last = integer(p, NEXT_AT, from + 1);
        for (int k = integer(p, NEXT_AT, from); k < last; k++) {
            const int next = integer(p, NEXT, k);
            const double far = carom_v3_dot(n, carom_polyhedron_corner(p, next));
            if (far > most) {
                most = far;
                corner = next;
            }
        }
        if (corner == from)
            return corner;
    }
}

int carom_polyhedron_farthest(const double *p, carom_vec3 n)
{
    return climb(p, integer(p, START, cell_of(n)), n);
}

static carom_vec3 support(const double *p, carom_vec3 n)
{
    return carom_polyhedron_corner(p, carom_polyhedron_farthest(p, n));
}

/* ---- feet ---- */

/* The nearest point of a triangle: 1 a face, 2 a side, 3 a corner, and which. */
typedef struct near_point {
    carom_vec3 at;
    int kind, which, triangle;
    double square;
} near_point;

static const double *row_of(const double *p, int triangle)
{
    return part(p, TRIANGLE) + CAROM_TRIANGLE_ROW * (size_t)triangle;
}

static void corners_of(const double *p, int triangle, carom_vec3 *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = carom_polyhedron_corner(p, (int)row_of(p, triangle)[CAROM_TRIANGLE_CORNER + k]);
}

static near_point side_point(const carom_vec3 *c, int side, carom_vec3 x)
{
    const carom_vec3 a = c[side], ab = carom_v3_sub(c[(side + 1) % 3], a);
    const double s = carom_v3_dot(carom_v3_sub(x, a), ab) / carom_v3_dot(ab, ab);
    if (s <= 0)
        return (near_point){.at = a, .kind = 3, .which = side};
    if (s >= 1)
        return (near_point){.at = c[(side + 1) % 3], .kind = 3, .which = (side + 1) % 3};
    return (near_point){.at = carom_v3_add_scaled(a, s, ab), .kind = 2, .which = side};
}

static near_point nearest_in(const double *p, int triangle, carom_vec3 x)
{
    carom_vec3 c[3];
    corners_of(p, triangle, c);
    const double *row = row_of(p, triangle);
    const carom_vec3 n = carom_v3_load(row + CAROM_TRIANGLE_NORMAL);
    near_point best = {.kind = 1};
    bool outside = false;
    for (int k = 0; k < 3; k++) {
        const carom_vec3 side = carom_v3_sub(c[(k + 1) % 3], c[k]);
        if (!(carom_v3_dot(carom_v3_cross(n, side), carom_v3_sub(x, c[k])) < 0))
            continue;
        near_point one = side_point(c, k, x);
        const carom_vec3 d = carom_v3_sub(x, one.at);
        one.square = carom_v3_dot(d, d);
        if (!outside || one.square < best.square)
            best = one;
        outside = true;
    }
    if (!outside) {
        const double height = carom_v3_dot(n, x) - row[CAROM_TRIANGLE_OFFSET];
        best.at = carom_v3_add_scaled(x, -height, n);
        best.square = height * height;
    }
    best.triangle = triangle;
    return best;
}

/* Takes a nearer point of another triangle. */
static bool take_nearer(const double *p, int triangle, carom_vec3 x, near_point *best)
{
    const near_point one = nearest_in(p, triangle, x);
    if (!(one.square < best->square))
        return false;
    *best = one;
    return true;
}

static int place_of(const double *row, int first, int value)
{
    for (int k = 0; k < 3; k++)
        if ((int)row[first + k] == value)
            return k;
    return 0;
}

/* Goes round a corner of a triangle and takes the nearest point of those at it. */
static bool nearer_about(const double *p, int triangle, int corner, carom_vec3 x, near_point *best)
{
    bool found = false;
    int here = triangle;
    do {
        const double *row = row_of(p, here);
        here = (int)row[CAROM_TRIANGLE_BESIDE + (place_of(row, CAROM_TRIANGLE_CORNER, corner) + 2) % 3];
        found = take_nearer(p, here, x, best) || found;
    } while (here != triangle);
    return found;
}

static near_point descend(const double *p, int triangle, carom_vec3 x)
{
    near_point best = nearest_in(p, triangle, x);
    for (;;) {
        const double *row = row_of(p, best.triangle);
        bool found = false;
        if (best.kind == 2)
            found = take_nearer(p, (int)row[CAROM_TRIANGLE_BESIDE + best.which], x, &best);
        else if (best.kind == 3)
            found = nearer_about(p, best.triangle, (int)row[CAROM_TRIANGLE_CORNER + best.which], x, &best);
        if (!found)
            return best;
    }
}

/* The triangle whose plane is highest below x. */
static int highest_plane(const double *p, carom_vec3 x, double *height)
{
    int best = 0;
    *height = -HUGE_VAL;
    for (int k = 0; k < (int)p[TRIANGLE_COUNT]; k++) {
        const double *row = row_of(p, k);
        const double here = carom_v3_dot(carom_v3_load(row + CAROM_TRIANGLE_NORMAL), x) - row[CAROM_TRIANGLE_OFFSET];
        if (here > *height) {
            *height = here;
            best = k;
        }
    }
    return best;
}

typedef struct foot {
    near_point near;
    carom_vec3 normal;
    double distance;            /* signed */
} foot;

static carom_vec3 normal_of(const double *p, int triangle)
{
    return carom_v3_load(row_of(p, triangle) + CAROM_TRIANGLE_NORMAL);
}

static foot foot_of(const double *p, carom_vec3 x)
{
    foot out;
    const int corner = carom_polyhedron_farthest(p, x);
    out.near = descend(p, integer(p, FIRST_TRIANGLE, corner), x);
    const double apart = sqrt(out.near.square);
    const double *row = row_of(p, out.near.triangle);
    double height = carom_v3_dot(normal_of(p, out.near.triangle), x) - row[CAROM_TRIANGLE_OFFSET];
    if (out.near.kind == 1 && height >= 0) {
        out.normal = normal_of(p, out.near.triangle);
        out.distance = height;
        return out;
    }
    if (out.near.kind != 1 && apart > CLOSE * p[RADIUS]) {
        out.normal = carom_v3_scale(1 / apart, carom_v3_sub(x, out.near.at));
        out.distance = apart;
        return out;
    }
    /* inside, or seen from a side that faces away */
    const int plane = highest_plane(p, x, &height);
    if (height > CLOSE * p[RADIUS]) {
        out.near = descend(p, plane, x);
        out.distance = sqrt(out.near.square);
        out.normal = out.near.kind == 1 ? normal_of(p, out.near.triangle)
                                        : carom_v3_scale(1 / out.distance, carom_v3_sub(x, out.near.at));
        return out;
    }
    out.normal = normal_of(p, plane);
    out.distance = height;
    out.near = (near_point){.at = carom_v3_add_scaled(x, -height, out.normal), .kind = 1, .triangle = plane};
    return out;
}

/* ---- chart ---- */

static double scale(const double *p) { return 0.5 * p[INNER]; }
static double bounding_radius(const double *p) { return p[RADIUS]; }

static bool convex(const double *p)
{
    (void)p;
    return true;
}

static void range(const double *p, double *low, double *high)
{
    (void)p;
    *low = -0.5 * CAROM_PI;
    *high = 0.5 * CAROM_PI;
}

/* Curvatures and principal directions of a face, a side or a corner. */
static void bend(const double *p, const near_point *near, carom_surface_point *out)
{
    carom_vec3 along = carom_v3(1, 0, 0), c[3];
    corners_of(p, near->triangle, c);
    if (near->kind == 2)
        along = carom_v3_sub(c[(near->which + 1) % 3], c[near->which]);
    else if (fabs(out->normal.x) > 0.9)
        along = carom_v3(0, 1, 0);
    const carom_mat3 axes = carom_m3_axes(out->normal, along);
    out->direction[0] = carom_m3_column(&axes, 0);
    out->direction[1] = carom_m3_column(&axes, 1);
    out->curvature[0] = near->kind == 3 ? HUGE_VAL : 0;
    out->curvature[1] = near->kind >= 2 ? HUGE_VAL : 0;
}

/* Length along d at which the distance is that of the chart, from the face, side or corner met last. */
static double cast(const double *p, carom_vec3 d, foot *out)
{
    const double far = scale(p);
    double reach = p[RADIUS] + far;
    for (int k = 0; k < 60; k++) {
        const carom_vec3 x = carom_v3_scale(reach, d);
        *out = foot_of(p, x);
        const double off = out->distance - far, slope = carom_v3_dot(out->normal, d);
        double next = reach - off / slope;
        if (out->near.kind == 3 || out->near.kind == 2) {
            /* |r d - a|^2 = far^2, across the side where it is one */
            carom_vec3 c[3], a = out->near.at, e = d;
            corners_of(p, out->near.triangle, c);
            if (out->near.kind == 2) {
                const carom_vec3 side = carom_unit(carom_v3_sub(c[(out->near.which + 1) % 3], c[out->near.which]));
                a = carom_v3_add_scaled(a, -carom_v3_dot(side, a), side);
                e = carom_v3_add_scaled(e, -carom_v3_dot(side, e), side);
            }
            const double ee = carom_v3_dot(e, e), ea = carom_v3_dot(e, a);
            const double root = ea * ea - ee * (carom_v3_dot(a, a) - far * far);
            next = root > 0 ? (ea + sqrt(root)) / ee : next;
        }
        if (fabs(next - reach) <= 4e-16 * reach)
            break;
        reach = next;
    }
    return reach;
}

static void at(const double *p, double u, double v, carom_surface_point *out)
{
    const double cu = cos(u), su = sin(u), cv = cos(v), sv = sin(v);
    const carom_vec3 d = carom_v3(cv * cu, cv * su, sv);
    const carom_vec3 turn[2] = {carom_v3(-cv * su, cv * cu, 0), carom_v3(-sv * cu, -sv * su, cv)};
    foot here;
    const double reach = cast(p, d, &here);
    out->u = u;
    out->v = v;
    out->position = here.near.at;
    out->normal = here.normal;
    bend(p, &here.near, out);
    carom_vec3 *rate[2] = {&out->du, &out->dv};
    for (int k = 0; k < 2; k++) {
        const double share = carom_v3_dot(here.normal, turn[k]) / carom_v3_dot(here.normal, d);
        const carom_vec3 move = carom_v3_scale(reach, carom_v3_add_scaled(turn[k], -share, d));
        const carom_vec3 along = out->direction[0];
        *rate[k] = here.near.kind == 1 ? move
                   : here.near.kind == 2 ? carom_v3_scale(carom_v3_dot(move, along), along)
                                         : carom_v3(0, 0, 0);
    }
}

static void put_chart(const double *p, carom_vec3 x, carom_vec3 n, double *u, double *v)
{
    const carom_vec3 y = carom_v3_add_scaled(x, scale(p), n);
    *u = atan2(y.y, y.x);
    *v = atan2(y.z, hypot(y.x, y.y));
}

static void locate(const double *p, carom_vec3 x, carom_vec3 n, double *u, double *v)
{
    const foot here = foot_of(p, carom_v3_add_scaled(x, scale(p), n));
    put_chart(p, here.near.at, here.normal, u, v);
}

static void nearest(const double *p, carom_vec3 x, double *u, double *v)
{
    const foot here = foot_of(p, x);
    put_chart(p, here.near.at, here.normal, u, v);
}

static double foot_at(const double *p, carom_vec3 x, carom_surface_point *out)
{
    const foot here = foot_of(p, x);
    *out = (carom_surface_point){.position = here.near.at, .normal = here.normal};
    bend(p, &here.near, out);
    return here.distance;
}

/* ---- places that bear ---- */

int carom_polyhedron_place_of(const double *p, int corner) { return integer(p, PLACE_OF, corner); }

/* The faces at the corner share it by their cosines with the direction; each gives it the turn of its outline over a
   right angle. */
static double share_of(const double *p, int corner, carom_vec3 n)
{
    double sum = 0, weights = 0;
    for (int k = 0; k < carom_polyhedron_faces_of(p, corner); k++) {
        double turn;
        const int face = carom_polyhedron_face_of(p, corner, k, &turn);
        const double cosine = fmax(carom_v3_dot(n, carom_v3_load(part(p, PLANE) + 4 * (size_t)face)), 0);
        double weight = cosine;
        for (int power = 1; power < SHARPNESS; power *= 2)
            weight *= weight;
        sum += weight * turn / (0.5 * CAROM_PI);
        weights += weight;
    }
    return weights > 0 ? fmin(sum / weights, 1) : 1;
}

carom_vec3 carom_polyhedron_place(const double *p, int place, carom_vec3 n, double *share)
{
    double most = -HUGE_VAL;
    int best = 0;
    for (int k = integer(p, PLACE_AT, place); k < integer(p, PLACE_AT, place + 1); k++) {
        const int corner = integer(p, PLACE, k);
        const double far = carom_v3_dot(n, carom_polyhedron_corner(p, corner));
        if (far > most) {
            most = far;
            best = corner;
        }
    }
    *share = share_of(p, best, n);
    return carom_polyhedron_corner(p, best);
}

static carom_vec3 bearing(const double *p, int k, carom_vec3 n)
{
    double share;
    return carom_polyhedron_place(p, k, n, &share);
}

static double bearing_edge(const double *p)
{
    (void)p;
    return 0;
}

const carom_surface_kind carom_surface_polyhedron = {
    .name = "polyhedron",
    .params = "",
    .convex = convex,
    .bounding_radius = bounding_radius,
    .scale = scale,
    .range = range,
    .at = at,
    .locate = locate,
    .support = support,
    .bearing = bearing,
    .bearing_count = carom_polyhedron_place_count,
    .bearing_edge = bearing_edge,
    .nearest = nearest,
    .foot = foot_at,
};

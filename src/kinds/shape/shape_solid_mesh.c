/* Meshes of solids: the chart of a surface in rings of equal v and lines of equal u. The rings lie where the meridian
   has turned a share of a circle, on both sides of every edge, and at its ends; the points of an edge are drawn once
   for each of its sides, with the normal of that side. Boxes are the points of a sphere moved apart by the core. */
#include "base/base.h"
#include "geometry/surface/hull.h"
#include "kinds/shape/shape_solid.h"

#define LONGITUDES 48
#define LATITUDES 24            /* bands of surfaces that are not of revolution */
#define SAMPLES 512             /* of a meridian, to find its edges */
#define RINGS 128
#define TURN (CAROM_PI / 15)    /* of the normal between two rings [rad] */
#define QUARTER 6               /* parts of a rounded edge of a box, even */
#define FLAT 1e-9               /* squares of sides of triangles left out, over the square of the size */

typedef struct drawing {
    const carom_mesh_sink *sink;
    const double *solid;
    carom_surface surface;
    double size;
    int count;                  /* points */
} drawing;

static void put_point(drawing *d, carom_vec3 at, carom_vec3 normal)
{
    carom_mat3 axes;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            axes.m[r][c] = d->solid[CAROM_SOLID_AXES + 3 * r + c];
    at = carom_v3_add(carom_v3_load(d->solid + CAROM_SOLID_ORIGIN), carom_m3_apply(&axes, at));
    normal = carom_unit(carom_m3_apply(&axes, normal));
    d->sink->point(d->sink->user, at, d->surface.hollow ? carom_v3_neg(normal) : normal);
    d->count++;
}

/* Corners counterclockwise as seen from outside the surface; triangles without area are left out. */
static void put_triangle(drawing *d, int a, carom_vec3 at_a, int b, carom_vec3 at_b, int c, carom_vec3 at_c)
{
    const carom_vec3 u = carom_v3_sub(at_b, at_a), v = carom_v3_sub(at_c, at_a), w = carom_v3_sub(at_c, at_b);
    const double least = fmin(carom_v3_dot(u, u), fmin(carom_v3_dot(v, v), carom_v3_dot(w, w)));
    if (!(least > FLAT * FLAT * d->size * d->size))
        return;
    d->sink->triangle(d->sink->user, a, d->surface.hollow ? c : b, d->surface.hollow ? b : c);
}

/* ---- rings ---- */

typedef struct rings {
    int count;
    double v[RINGS];
    bool edge[RINGS];           /* a line is drawn along it */
} rings;

static carom_surface_point point_at(const drawing *d, double u, double v)
{
    carom_surface_point out;
    d->surface.kind->at(d->surface.p, u, v, &out);
    return out;
}

static bool differ(double a, double b)
{
    if (isinf(a) || isinf(b))
        return isinf(a) != isinf(b);
    return fabs(a - b) > 0.3 * fmax(fabs(a), fabs(b)) && fabs(a - b) > 1e-6;
}

static void add_ring(rings *r, double v, bool edge)
{
    if (r->count < RINGS) {
        r->v[r->count] = v;
        r->edge[r->count++] = edge;
    }
}

/* Place between low and high where the curvature of the meridian jumps, and a ring on both of its sides. */
static void add_edge(const drawing *d, rings *r, double low, double high)
{
    const double first = point_at(d, 0, low).curvature[1], last = point_at(d, 0, high).curvature[1];
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high))
            break;
        const double here = point_at(d, 0, middle).curvature[1];
        *(differ(first, here) && (differ(first, last) ? !differ(here, last) : true) ? &high : &low) = middle;
    }
    if (!differ(point_at(d, 0, low).curvature[1], point_at(d, 0, high).curvature[1]))
        return;
    add_ring(r, low, false);
    add_ring(r, high, true);
}

/* Rings of a body of revolution: its meridian gone along at u = 0. */
static void find_rings(const drawing *d, rings *r)
{
    double low, high, turned = 0;
    d->surface.kind->range(d->surface.p, &low, &high);
    add_ring(r, low, false);
    carom_surface_point before = point_at(d, 0, low);
    const carom_surface_point *last = &before;
    for (int k = 1; k <= SAMPLES; k++) {
        const double v = low + (high - low) * k / SAMPLES, from = low + (high - low) * (k - 1) / SAMPLES;
        const carom_surface_point here = point_at(d, 0, v);
        if (differ(last->curvature[1], here.curvature[1])) {
            add_edge(d, r, from, v);
            turned = 0;
        } else if (!isinf(here.curvature[1])) {
            turned += acos(fmin(carom_v3_dot(last->normal, here.normal), 1));
        }
        if (turned > TURN) {
            add_ring(r, v, false);
            turned = 0;
        }
        before = here;
    }
    add_ring(r, high, false);
}

static void even_rings(const drawing *d, rings *r)
{
    double low, high;
    d->surface.kind->range(d->surface.p, &low, &high);
    for (int k = 0; k <= LATITUDES; k++)
        add_ring(r, low + (high - low) * k / LATITUDES, k == LATITUDES / 2);
}

static double longitude(int k) { return 2 * CAROM_PI * (k % LONGITUDES) / LONGITUDES - CAROM_PI; }

static void draw_rings(drawing *d, const rings *r)
{
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < LONGITUDES; k++) {
            const carom_surface_point here = point_at(d, longitude(k), r->v[i]);
            put_point(d, here.position, here.normal);
        }
    for (int i = 0; i + 1 < r->count; i++)
        for (int k = 0; k < LONGITUDES; k++) {
            const int next = (k + 1) % LONGITUDES, a = i * LONGITUDES + k, b = i * LONGITUDES + next;
            const carom_vec3 at_a = point_at(d, longitude(k), r->v[i]).position;
            const carom_vec3 at_b = point_at(d, longitude(next), r->v[i]).position;
            const carom_vec3 at_c = point_at(d, longitude(next), r->v[i + 1]).position;
            const carom_vec3 at_d = point_at(d, longitude(k), r->v[i + 1]).position;
            put_triangle(d, a, at_a, b, at_b, b + LONGITUDES, at_c);
            put_triangle(d, a, at_a, b + LONGITUDES, at_c, a + LONGITUDES, at_d);
        }
}

/* Edges, a ring where there are none, and four lines of equal u, which show how the body turns. */
static void draw_lines(drawing *d, const rings *r)
{
    bool any = false;
    for (int i = 0; i < r->count; i++)
        any = any || r->edge[i];
    for (int i = 0; i < r->count; i++) {
        const bool on_axis =
            hypot(point_at(d, 0, r->v[i]).position.x, point_at(d, 0, r->v[i]).position.y) < FLAT * d->size;
        for (int k = 0; k < LONGITUDES && (r->edge[i] || (!any && i == r->count / 2)) && !on_axis; k++)
            d->sink->line(d->sink->user, i * LONGITUDES + k, i * LONGITUDES + (k + 1) % LONGITUDES);
        for (int k = 0; k < LONGITUDES && i + 1 < r->count; k += LONGITUDES / 4)
            d->sink->line(d->sink->user, i * LONGITUDES + k, (i + 1) * LONGITUDES + k);
    }
}

/* ---- boxes ---- */

#define ROWS (2 * (QUARTER + 1))
#define COLUMNS (4 * (QUARTER + 1))

static carom_vec3 box_point(const double *p, int row, int column, carom_vec3 *normal)
{
    const int quadrant = column / (QUARTER + 1), above = row / (QUARTER + 1);
    const double u = 0.5 * CAROM_PI * (quadrant + (double)(column % (QUARTER + 1)) / QUARTER);
    const double v = 0.5 * CAROM_PI * ((double)(row % (QUARTER + 1)) / QUARTER - (above ? 0 : 1));
    const double sx = quadrant == 0 || quadrant == 3 ? 1 : -1, sy = quadrant < 2 ? 1 : -1, sz = above ? 1 : -1;
    *normal = carom_v3(cos(v) * cos(u), cos(v) * sin(u), sin(v));
    const carom_vec3 core = carom_v3(sx * (p[0] - p[3]), sy * (p[1] - p[3]), sz * (p[2] - p[3]));
    return carom_v3_add_scaled(core, p[3], *normal);
}

static void box_triangle(drawing *d, const double *p, const int *row, const int *column)
{
    carom_vec3 at[3], normal;
    int index[3];
    for (int k = 0; k < 3; k++) {
        at[k] = box_point(p, row[k], column[k], &normal);
        index[k] = row[k] * COLUMNS + column[k];
    }
    put_triangle(d, index[0], at[0], index[1], at[1], index[2], at[2]);
}

/* The rings at both poles are faces with four corners. */
static void box_faces(drawing *d, const double *p)
{
    const int corner = QUARTER + 1;
    for (int top = 0; top < 2; top++) {
        const int row[3] = {top ? ROWS - 1 : 0, top ? ROWS - 1 : 0, top ? ROWS - 1 : 0};
        const int one[3] = {0, (top ? 1 : 2) * corner, (top ? 2 : 1) * corner};
        const int two[3] = {0, (top ? 2 : 3) * corner, (top ? 3 : 2) * corner};
        box_triangle(d, p, row, one);
        box_triangle(d, p, row, two);
    }
}

/* The twelve edges, along the middle of their rounding. */
static void box_lines(drawing *d)
{
    const int corner = QUARTER + 1, half = QUARTER / 2;
    for (int q = 0; q < 4; q++) {
        const int end = q * corner + QUARTER, next = (q + 1) % 4 * corner, middle = q * corner + half;
        d->sink->line(d->sink->user, QUARTER * COLUMNS + middle, corner * COLUMNS + middle);
        for (int row = half; row < ROWS; row += corner)
            d->sink->line(d->sink->user, row * COLUMNS + end, row * COLUMNS + next);
    }
}

static void draw_box(drawing *d)
{
    const double *p = d->surface.p;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            carom_vec3 normal;
            const carom_vec3 at = box_point(p, row, column, &normal);
            put_point(d, at, normal);
        }
    for (int row = 0; row + 1 < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            const int next = (column + 1) % COLUMNS;
            const int row_one[3] = {row, row, row + 1}, one[3] = {column, next, next};
            const int row_two[3] = {row, row + 1, row + 1}, two[3] = {column, next, column};
            box_triangle(d, p, row_one, one);
            box_triangle(d, p, row_two, two);
        }
    box_faces(d, p);
    box_lines(d);
}

/* ---- polyhedra ---- */

#define CREASE 0.94             /* cosine of the turn between two faces from which on the edge is drawn */

/* Each face with points of its own, a fan from its first corner; the lines are its edges but the faint ones. */
static void draw_polyhedron(drawing *d)
{
    const double *p = d->surface.p;
    for (int f = 0; f < carom_polyhedron_face_count(p); f++) {
        const carom_polyhedron_face face = carom_polyhedron_face_at(p, f);
        const int first = d->count;
        for (int k = 0; k < face.count; k++)
            put_point(d, carom_polyhedron_corner(p, (int)face.corner[k]), face.normal);
        for (int k = 1; k + 1 < face.count; k++)
            put_triangle(d, first, carom_polyhedron_corner(p, (int)face.corner[0]), first + k,
                         carom_polyhedron_corner(p, (int)face.corner[k]), first + k + 1,
                         carom_polyhedron_corner(p, (int)face.corner[k + 1]));
        for (int k = 0; k < face.count; k++) {
            const int other = carom_polyhedron_face_beside(p, f, k);
            if (other > f && carom_v3_dot(face.normal, carom_polyhedron_face_at(p, other).normal) < CREASE)
                d->sink->line(d->sink->user, first + k, first + (k + 1) % face.count);
        }
    }
}

void carom_solid_mesh(const double *solid, const carom_mesh_sink *sink)
{
    drawing d = {.sink = sink, .solid = solid, .surface = carom_solid_surface(solid)};
    d.size = d.surface.kind->bounding_radius(d.surface.p);
    if (d.surface.kind == &carom_surface_box) {
        draw_box(&d);
        return;
    }
    if (d.surface.kind == &carom_surface_polyhedron) {
        draw_polyhedron(&d);
        return;
    }
    rings r = {.count = 0};
    if (d.surface.kind == &carom_surface_ellipsoid || d.surface.kind == &carom_surface_superellipsoid)
        even_rings(&d, &r);
    else
        find_rings(&d, &r);
    draw_rings(&d, &r);
    draw_lines(&d, &r);
}

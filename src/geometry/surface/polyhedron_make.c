/* A polyhedron out of the convex hull of points: triangles that lie in a plane, within what single precision leaves of
   it, make a face; corners that share a face have different places, so that each corner of a face that lies flat
   bears by itself (greedy colouring). */
#include "geometry/surface/hull.h"

#include <stdlib.h>

#define FLAT 1e-6               /* of the size: height of the corners of a face over its plane */
#define ALIGNED 0.999           /* cosine between the normals of its triangles */

typedef struct maker {
    carom_arena *arena;
    carom_arena scratch;
    const carom_hull *hull;
    carom_vec3 *corner;         /* about the middle */
    carom_vec3 *area;           /* of each triangle: normal times twice the area */
    int *face, *order;          /* of each triangle its face; triangles by their area */
    int *outline, *outline_at;
    carom_vec3 *normal;
    int face_count, outline_count;
    int *around, *around_at;    /* faces at each corner, */
    int *around_place;          /* and its place in their outlines */
    int *place, place_count;
    double size;
} maker;

/* ---- corners ---- */

static carom_vec3 twice_area(const maker *m, int t)
{
    const int *c = m->hull->triangle[t];
    return carom_v3_cross(carom_v3_sub(m->corner[c[1]], m->corner[c[0]]),
                          carom_v3_sub(m->corner[c[2]], m->corner[c[0]]));
}

/* Puts the corners about the centre of the volume. */
static carom_vec3 place_corners(maker *m, const double *points)
{
    const carom_hull *h = m->hull;
    for (int k = 0; k < h->count; k++)
        m->corner[k] = carom_v3_load(points + 3 * (size_t)h->point[k]);
    const carom_vec3 from = m->corner[0];
    carom_vec3 sum = {0, 0, 0};
    double volume = 0;
    for (int t = 0; t < h->triangle_count; t++) {
        carom_vec3 x[3];
        for (int k = 0; k < 3; k++)
            x[k] = carom_v3_sub(m->corner[h->triangle[t][k]], from);
        const double part = carom_v3_dot(x[0], carom_v3_cross(x[1], x[2]));
        volume += part;
        sum = carom_v3_add_scaled(sum, 0.25 * part, carom_v3_add(x[0], carom_v3_add(x[1], x[2])));
    }
    const carom_vec3 middle = carom_v3_add_scaled(from, 1 / volume, sum);
    for (int k = 0; k < h->count; k++) {
        m->corner[k] = carom_v3_sub(m->corner[k], middle);
        m->size = fmax(m->size, carom_v3_norm(m->corner[k]));
    }
    return middle;
}

/* ---- faces ---- */

typedef struct ranked {
    double area;
    int triangle;
} ranked;

static int by_area(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->area < y->area || x->area > y->area)
        return x->area > y->area ? -1 : 1;
    return x->triangle - y->triangle;
}

static bool rank_triangles(maker *m)
{
    const int count = m->hull->triangle_count;
    ranked *list = carom_arena_alloc(&m->scratch, (size_t)count, sizeof *list);
    if (!list)
        return false;
    for (int t = 0; t < count; t++) {
        m->area[t] = twice_area(m, t);
        list[t] = (ranked){carom_v3_norm(m->area[t]), t};
    }
    qsort(list, (size_t)count, sizeof *list, by_area);
    for (int t = 0; t < count; t++)
        m->order[t] = list[t].triangle;
    return true;
}

static bool in_plane(const maker *m, int t, carom_vec3 n, carom_vec3 on)
{
    if (!(carom_v3_dot(m->area[t], n) >= ALIGNED * carom_v3_norm(m->area[t])))
        return false;
    for (int k = 0; k < 3; k++)
        if (fabs(carom_v3_dot(n, carom_v3_sub(m->corner[m->hull->triangle[t][k]], on))) > FLAT * m->size)
            return false;
    return true;
}

/* Follows the rim of a face from its first corner on; false: it is no simple round. `next` is -1 everywhere, before and
   after. */
static bool follow(maker *m, int face, const int *list, int count, int *next)
{
    int sides = 0, first = -1;
    bool simple = true;
    for (int n = 0; n < count; n++)
        for (int k = 0; k < 3; k++) {
            if (m->face[m->hull->beside[list[n]][k]] == face)
                continue;
            const int a = m->hull->triangle[list[n]][k];
            simple = simple && next[a] < 0;
            next[a] = m->hull->triangle[list[n]][(k + 1) % 3];
            first = first < 0 || a < first ? a : first;
            sides++;
        }
    int steps = 0;
    for (int a = first; simple && steps < sides && a >= 0; a = next[a]) {
        m->outline[m->outline_count + steps++] = a;
        simple = next[a] != first || steps == sides;
    }
    for (int n = 0; n < count; n++)
        for (int k = 0; k < 3; k++)
            next[m->hull->triangle[list[n]][k]] = -1;
    if (simple)
        m->outline_count += sides;
    return simple;
}

/* The triangles about the first one of the list that lie in its plane; returns how many. */
static int gather(maker *m, int *list)
{
    const carom_vec3 n = carom_unit(m->area[list[0]]), on = m->corner[m->hull->triangle[list[0]][0]];
    int count = 1;
    m->face[list[0]] = m->face_count;
    for (int at = 0; at < count; at++)
        for (int k = 0; k < 3; k++) {
            const int beside = m->hull->beside[list[at]][k];
            if (m->face[beside] < 0 && in_plane(m, beside, n, on)) {
                m->face[beside] = m->face_count;
                list[count++] = beside;
            }
        }
    return count;
}

static bool make_faces(maker *m)
{
    const int count = m->hull->triangle_count;
    int *list = carom_arena_alloc(&m->scratch, (size_t)count, sizeof *list);
    int *next = carom_arena_alloc(&m->scratch, (size_t)m->hull->count, sizeof *next);
    if (!list || !next)
        return false;
    for (int k = 0; k < m->hull->count; k++)
        next[k] = -1;
    for (int t = 0; t < count; t++)
        m->face[t] = -1;
    for (int t = 0; t < count; t++) {
        list[0] = m->order[t];
        if (m->face[list[0]] >= 0)
            continue;
        int members = gather(m, list);
        m->outline_at[m->face_count] = m->outline_count;
        if (!follow(m, m->face_count, list, members, next)) {
            for (int n = 1; n < members; n++)
                m->face[list[n]] = -1;
            members = 1;
            follow(m, m->face_count, list, members, next);
        }
        carom_vec3 sum = {0, 0, 0};
        for (int n = 0; n < members; n++)
            sum = carom_v3_add(sum, m->area[list[n]]);
        m->normal[m->face_count++] = carom_unit(sum);
    }
    m->outline_at[m->face_count] = m->outline_count;
    return true;
}

/* ---- places ---- */

static bool make_around(maker *m)
{
    const int corners = m->hull->count;
    m->around_at = carom_arena_alloc(&m->scratch, (size_t)corners + 1, sizeof *m->around_at);
    m->around = carom_arena_alloc(&m->scratch, (size_t)m->outline_count, sizeof *m->around);
    m->around_place = carom_arena_alloc(&m->scratch, (size_t)m->outline_count, sizeof *m->around_place);
    int *fill = carom_arena_alloc(&m->scratch, (size_t)corners, sizeof *fill);
    if (!m->around_at || !m->around || !m->around_place || !fill)
        return false;
    for (int k = 0; k < m->outline_count; k++)
        m->around_at[m->outline[k] + 1]++;
    for (int k = 0; k < corners; k++)
        m->around_at[k + 1] += m->around_at[k];
    for (int f = 0; f < m->face_count; f++)
        for (int k = m->outline_at[f]; k < m->outline_at[f + 1]; k++) {
            const int corner = m->outline[k], at = m->around_at[corner] + fill[corner]++;
            m->around[at] = f;
            m->around_place[at] = k - m->outline_at[f];
        }
    return true;
}

/* How near the corners of each place are that share an outline with the corner k; far along a long outline none is. */
static void find_near(const maker *m, int k, double *apart)
{
    for (int n = 0; n < CAROM_POLYHEDRON_PLACES; n++)
        apart[n] = HUGE_VAL;
    for (int f = m->around_at[k]; f < m->around_at[k + 1]; f++) {
        const int first = m->outline_at[m->around[f]], count = m->outline_at[m->around[f] + 1] - first;
        const int way = count / 2 < CAROM_POLYHEDRON_PLACES ? count / 2 : CAROM_POLYHEDRON_PLACES;
        for (int n = -way; n <= way; n++) {
            const int other = m->outline[first + (m->around_place[f] + n + count) % count], place = m->place[other];
            if (place >= 0)
                apart[place] = fmin(apart[place], carom_v3_norm(carom_v3_sub(m->corner[other], m->corner[k])));
        }
    }
}

/* The first place that no corner with a common face has; where none is left, the one whose corners are farthest. */
static bool make_places(maker *m)
{
    const int corners = m->hull->count;
    m->place = carom_arena_alloc(&m->scratch, (size_t)corners, sizeof *m->place);
    if (!m->place)
        return false;
    for (int k = 0; k < corners; k++)
        m->place[k] = -1;
    for (int k = 0; k < corners; k++) {
        double apart[CAROM_POLYHEDRON_PLACES];
        find_near(m, k, apart);
        int best = 0;
        for (int n = 0; n < CAROM_POLYHEDRON_PLACES; n++)
            if (apart[n] > apart[best])
                best = n;
        m->place[k] = best;
        m->place_count = best + 1 > m->place_count ? best + 1 : m->place_count;
    }
    return true;
}

/* ---- the parameters ---- */

static double turn_at(const maker *m, int face, int k)
{
    const int first = m->outline_at[face], count = m->outline_at[face + 1] - first;
    const int *c = m->outline + first;
    const carom_vec3 here = m->corner[c[k]], n = m->normal[face];
    const carom_vec3 in = carom_v3_sub(here, m->corner[c[(k + count - 1) % count]]);
    const carom_vec3 out = carom_v3_sub(m->corner[c[(k + 1) % count]], here);
    return fmax(atan2(carom_v3_dot(carom_v3_cross(in, out), n), carom_v3_dot(in, out)), 0);
}

typedef struct room {
    double *p;
    size_t used;
} room;

static double *take(room *r, int field, size_t count)
{
    double *out = r->p ? r->p + r->used : NULL;
    if (r->p)
        r->p[field] = (double)r->used;
    r->used += count;
    return out;
}

static void store(double *to, carom_vec3 a)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
}

static void put_corners(const maker *m, room *r)
{
    const carom_hull *h = m->hull;
    double *corner = take(r, CAROM_POLYHEDRON_CORNER, 3 * (size_t)h->count);
    double *next_at = take(r, CAROM_POLYHEDRON_NEXT_AT, (size_t)h->count + 1);
    double *next = take(r, CAROM_POLYHEDRON_NEXT, 3 * (size_t)h->triangle_count);
    double *first = take(r, CAROM_POLYHEDRON_FIRST_TRIANGLE, (size_t)h->count);
    if (!r->p)
        return;
    for (int k = 0; k < h->count; k++)
        store(corner + 3 * k, m->corner[k]);
    /* each side is that of one triangle from its first corner on */
    for (int t = 0; t < h->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            next_at[h->triangle[t][k] + 1]++;
            first[h->triangle[t][k]] = t;
        }
    for (int k = 0; k < h->count; k++)
        next_at[k + 1] += next_at[k];
    for (int t = h->triangle_count - 1; t >= 0; t--)
        for (int k = 0; k < 3; k++)
            next[(int)--next_at[h->triangle[t][k] + 1]] = h->triangle[t][(k + 1) % 3];
    for (int k = 0; k < h->count; k++)
        next_at[k] = next_at[k + 1];
    next_at[h->count] = 3.0 * h->triangle_count;
}

static void put_triangles(const maker *m, room *r)
{
    const carom_hull *h = m->hull;
    double *row = take(r, CAROM_POLYHEDRON_TRIANGLE, CAROM_TRIANGLE_ROW * (size_t)h->triangle_count);
    if (!r->p)
        return;
    double inner = HUGE_VAL;
    for (int t = 0; t < h->triangle_count; t++, row += CAROM_TRIANGLE_ROW) {
        const carom_vec3 n = carom_unit(m->area[t]);
        double offset = -HUGE_VAL;
        for (int k = 0; k < 3; k++) {
            row[CAROM_TRIANGLE_CORNER + k] = h->triangle[t][k];
            row[CAROM_TRIANGLE_BESIDE + k] = h->beside[t][k];
            offset = fmax(offset, carom_v3_dot(n, m->corner[h->triangle[t][k]]));
        }
        store(row + CAROM_TRIANGLE_NORMAL, n);
        row[CAROM_TRIANGLE_OFFSET] = offset;
        inner = fmin(inner, offset);
    }
    r->p[CAROM_POLYHEDRON_INNER] = inner;
}

static void put_faces(const maker *m, room *r)
{
    double *plane = take(r, CAROM_POLYHEDRON_PLANE, 4 * (size_t)m->face_count);
    double *outline_at = take(r, CAROM_POLYHEDRON_OUTLINE_AT, (size_t)m->face_count + 1);
    double *outline = take(r, CAROM_POLYHEDRON_OUTLINE, (size_t)m->outline_count);
    if (!r->p)
        return;
    for (int f = 0; f < m->face_count; f++) {
        double offset = -HUGE_VAL;
        for (int k = m->outline_at[f]; k < m->outline_at[f + 1]; k++) {
            outline[k] = m->outline[k];
            offset = fmax(offset, carom_v3_dot(m->normal[f], m->corner[m->outline[k]]));
        }
        store(plane + 4 * f, m->normal[f]);
        plane[4 * f + 3] = offset;
    }
    for (int f = 0; f <= m->face_count; f++)
        outline_at[f] = m->outline_at[f];
}

static void put_places(const maker *m, room *r)
{
    const int corners = m->hull->count;
    double *around_at = take(r, CAROM_POLYHEDRON_AROUND_AT, (size_t)corners + 1);
    double *around = take(r, CAROM_POLYHEDRON_AROUND, 2 * (size_t)m->outline_count);
    double *place_at = take(r, CAROM_POLYHEDRON_PLACE_AT, (size_t)m->place_count + 1);
    double *place = take(r, CAROM_POLYHEDRON_PLACE, (size_t)corners);
    double *place_of = take(r, CAROM_POLYHEDRON_PLACE_OF, (size_t)corners);
    double *start = take(r, CAROM_POLYHEDRON_START, CAROM_POLYHEDRON_CELLS);
    if (!r->p)
        return;
    for (int k = 0; k < corners; k++)
        place_of[k] = m->place[k];
    for (int k = 0; k <= corners; k++)
        around_at[k] = m->around_at[k];
    for (int k = 0; k < corners; k++)
        for (int n = m->around_at[k]; n < m->around_at[k + 1]; n++) {
            around[2 * n] = m->around[n];
            around[2 * n + 1] = turn_at(m, m->around[n], m->around_place[n]);
        }
    int used = 0;
    for (int n = 0; n < m->place_count; n++) {
        place_at[n] = used;
        for (int k = 0; k < corners; k++)
            if (m->place[k] == n)
                place[used++] = k;
    }
    place_at[m->place_count] = used;
    for (int cell = 0; cell < CAROM_POLYHEDRON_CELLS; cell++) {
        const carom_vec3 n = carom_polyhedron_cell(cell);
        int best = 0;
        for (int k = 1; k < corners; k++)
            if (carom_v3_dot(n, m->corner[k]) > carom_v3_dot(n, m->corner[best]))
                best = k;
        start[cell] = best;
    }
}

static size_t put_all(const maker *m, double *p)
{
    room r = {p, CAROM_POLYHEDRON_HEADER};
    put_corners(m, &r);
    put_triangles(m, &r);
    put_faces(m, &r);
    put_places(m, &r);
    if (p) {
        p[CAROM_POLYHEDRON_SIZE] = (double)r.used;
        p[CAROM_POLYHEDRON_CORNER_COUNT] = m->hull->count;
        p[CAROM_POLYHEDRON_TRIANGLE_COUNT] = m->hull->triangle_count;
        p[CAROM_POLYHEDRON_FACE_COUNT] = m->face_count;
        p[CAROM_POLYHEDRON_PLACE_COUNT] = m->place_count;
        p[CAROM_POLYHEDRON_RADIUS] = m->size;
    }
    return r.used;
}

static bool prepare(maker *m)
{
    const size_t corners = (size_t)m->hull->count, triangles = (size_t)m->hull->triangle_count;
    m->corner = carom_arena_alloc(&m->scratch, corners, sizeof *m->corner);
    m->area = carom_arena_alloc(&m->scratch, triangles, sizeof *m->area);
    m->face = carom_arena_alloc(&m->scratch, triangles, sizeof *m->face);
    m->order = carom_arena_alloc(&m->scratch, triangles, sizeof *m->order);
    m->outline = carom_arena_alloc(&m->scratch, 3 * triangles, sizeof *m->outline);
    m->outline_at = carom_arena_alloc(&m->scratch, triangles + 1, sizeof *m->outline_at);
    m->normal = carom_arena_alloc(&m->scratch, triangles, sizeof *m->normal);
    return m->corner && m->area && m->face && m->order && m->outline && m->outline_at && m->normal;
}

/* Room for the parameters behind `before` numbers. */
static carom_status fill(maker *m, const double *points, int before, double **p, int *size, carom_vec3 *origin)
{
    if (!prepare(m))
        return carom_fail_memory(m->arena->ctx);
    *origin = place_corners(m, points);
    if (!rank_triangles(m) || !make_faces(m) || !make_around(m) || !make_places(m))
        return carom_fail_memory(m->arena->ctx);
    const size_t count = put_all(m, NULL);
    *size = before + (int)count;
    *p = carom_arena_alloc(m->arena, (size_t)before + count, sizeof **p);
    if (!*p)
        return carom_fail_memory(m->arena->ctx);
    put_all(m, *p + before);
    return CAROM_OK;
}

carom_status carom_polyhedron_make(carom_arena *arena, const double *points, size_t count, const double *scale,
                                   int before, double **p, int *size, carom_vec3 *origin, const char **refusal)
{
    maker m = {.arena = arena};
    carom_hull hull = {0};
    carom_arena_init(&m.scratch, arena->ctx);
    /* scaled first: what is flat is told of the body as it is */
    double *scaled = carom_arena_alloc(&m.scratch, 3 * count, sizeof *scaled);
    carom_status status = scaled ? CAROM_OK : carom_fail_memory(arena->ctx);
    for (size_t k = 0; k < 3 * count && status == CAROM_OK; k++)
        scaled[k] = points[k] * scale[k % 3];
    if (status == CAROM_OK)
        status = carom_hull_make(&m.scratch, scaled, count, &hull, refusal);
    if (status == CAROM_OK && !*refusal && hull.count > CAROM_POLYHEDRON_CORNERS)
        *refusal = "its convex hull has more than 200000 corners: simplify the mesh";
    m.hull = &hull;
    if (status == CAROM_OK && !*refusal)
        status = fill(&m, scaled, before, p, size, origin);
    carom_arena_free(&m.scratch);
    return status;
}

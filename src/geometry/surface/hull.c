/* Convex hull of points in space: a tetrahedron of points that are far apart grows by the farthest point outside of one
   of its triangles, whose visible side is replaced by a cone, until no point is outside (Barber, Dobkin, Huhdanpaa
   1996, The quickhull algorithm for convex hulls, section 2). It is done twice: with a tolerance that leaves out points
   of flat faces that rounding lifts, as files of single precision have them, then for the points that are left, with a
   tolerance near the rounding. */
#include "geometry/surface/hull.h"

#include "base/context.h"

/* Of the size: tolerances of the two times; thinner hulls have no volume. */
#define COARSE 1e-7
#define FINE 1e-11
#define THIN 1e-6

typedef struct side {
    int corner[3], beside[3];
    carom_vec3 normal;
    double offset, far;
    int outside, farthest;      /* chain of points outside, -1: none */
    bool dead;
} side;

typedef struct rim {
    int a, b, beyond;
} rim;

typedef struct quickhull {
    carom_context *ctx;
    const carom_vec3 *x;        /* about the middle of the points */
    int count;
    double tolerance, size;
    int *next;                  /* in the chains of points outside */
    int *start;                 /* side of the cone that begins at a point, -1 */
    side *sides;
    size_t side_count, side_capacity;
    int *seen;                  /* sides that the next cone replaces */
    size_t seen_count, seen_capacity;
    rim *rims;
    size_t rim_count, rim_capacity;
    bool broken;
} quickhull;

static double height(const quickhull *h, const side *s, int point)
{
    return carom_v3_dot(s->normal, h->x[point]) - s->offset;
}

static carom_status add_side(quickhull *h, int a, int b, int c)
{
    CAROM_TRY(carom_grow(h->ctx, &h->sides, &h->side_capacity, h->side_count + 1, sizeof *h->sides));
    side *s = &h->sides[h->side_count++];
    const carom_vec3 ab = carom_v3_sub(h->x[b], h->x[a]), ac = carom_v3_sub(h->x[c], h->x[a]);
    const carom_vec3 area = carom_v3_cross(ab, ac);
    const double twice = carom_v3_norm(area);
    *s = (side){.corner = {a, b, c}, .beside = {-1, -1, -1}, .outside = -1, .farthest = -1};
    s->normal = twice > 0 ? carom_v3_scale(1 / twice, area) : carom_v3(0, 0, 0);
    s->offset = carom_v3_dot(s->normal, carom_v3_scale(1.0 / 3, carom_v3_add(h->x[a], carom_v3_add(h->x[b], h->x[c]))));
    h->broken = h->broken || !(twice > 0);
    return CAROM_OK;
}

/* Puts a point into the chain of the first of the sides from `first` on that it is outside of. */
static void hand_over(quickhull *h, int point, size_t first)
{
    for (size_t k = first; k < h->side_count; k++) {
        side *s = &h->sides[k];
        const double far = height(h, s, point);
        if (!(far > h->tolerance))
            continue;
        h->next[point] = s->outside;
        s->outside = point;
        if (s->farthest < 0 || far > s->far || (!(far < s->far) && point < s->farthest)) {
            s->far = far;
            s->farthest = point;
        }
        return;
    }
}

/* ---- the first tetrahedron ---- */

static double off_line(const quickhull *h, int a, int b, int point)
{
    const carom_vec3 ab = carom_v3_sub(h->x[b], h->x[a]);
    return carom_v3_norm(carom_v3_cross(ab, carom_v3_sub(h->x[point], h->x[a]))) / carom_v3_norm(ab);
}

_Static_assert(sizeof(carom_vec3) == 3 * sizeof(double), "coordinates are taken by number");

/* The four points, or false where they have no volume. */
static bool first_points(quickhull *h, int *corner)
{
    int extreme[6] = {0, 0, 0, 0, 0, 0};
    for (int k = 1; k < h->count; k++) {
        const double *x = &h->x[k].x;
        for (int axis = 0; axis < 3; axis++) {
            if (x[axis] < (&h->x[extreme[2 * axis]].x)[axis])
                extreme[2 * axis] = k;
            if (x[axis] > (&h->x[extreme[2 * axis + 1]].x)[axis])
                extreme[2 * axis + 1] = k;
        }
    }
    double most = 0;
    for (int a = 0; a < 6; a++)
        for (int b = a + 1; b < 6; b++) {
            const double apart = carom_v3_norm(carom_v3_sub(h->x[extreme[b]], h->x[extreme[a]]));
            if (apart > most) {
                most = apart;
                corner[0] = extreme[a];
                corner[1] = extreme[b];
            }
        }
    h->size = most;
    if (!(most > 0))
        return false;
    double best = 0;
    for (int k = 0; k < h->count; k++)
        if (off_line(h, corner[0], corner[1], k) > best) {
            best = off_line(h, corner[0], corner[1], k);
            corner[2] = k;
        }
    if (!(best > THIN * most))
        return false;
    const carom_vec3 a = h->x[corner[0]];
    const carom_vec3 n =
        carom_unit(carom_v3_cross(carom_v3_sub(h->x[corner[1]], a), carom_v3_sub(h->x[corner[2]], a)));
    best = 0;
    for (int k = 0; k < h->count; k++) {
        const double far = carom_v3_dot(n, carom_v3_sub(h->x[k], a));
        if (fabs(far) > fabs(best)) {
            best = far;
            corner[3] = k;
        }
    }
    if (best > 0) {
        const int t = corner[1];
        corner[1] = corner[2];
        corner[2] = t;
    }
    return fabs(best) > THIN * most;
}

/* ---- growth ---- */

/* Lists what is seen from the point, from the side `first` on, and its rim. */
static carom_status find_seen(quickhull *h, int first, int point)
{
    h->rim_count = 0;
    h->seen_count = 0;
    CAROM_TRY(carom_grow(h->ctx, &h->seen, &h->seen_capacity, 1, sizeof *h->seen));
    h->seen[h->seen_count++] = first;
    h->sides[first].dead = true;
    for (size_t at = 0; at < h->seen_count; at++) {
        const int here = h->seen[at];
        for (int k = 0; k < 3; k++) {
            const int beyond = h->sides[here].beside[k];
            side *s = &h->sides[beyond];
            if (s->dead)
                continue;
            if (height(h, s, point) > h->tolerance) {
                s->dead = true;
                CAROM_TRY(carom_grow(h->ctx, &h->seen, &h->seen_capacity, h->seen_count + 1, sizeof *h->seen));
                h->seen[h->seen_count++] = beyond;
                continue;
            }
            CAROM_TRY(carom_grow(h->ctx, &h->rims, &h->rim_capacity, h->rim_count + 1, sizeof *h->rims));
            h->rims[h->rim_count++] = (rim){h->sides[here].corner[k], h->sides[here].corner[(k + 1) % 3], beyond};
        }
    }
    return CAROM_OK;
}

/* The cone from the rim to the point. */
static carom_status join_rim(quickhull *h, int point)
{
    const size_t first = h->side_count;
    for (size_t k = 0; k < h->rim_count; k++) {
        const rim r = h->rims[k];
        CAROM_TRY(add_side(h, r.a, r.b, point));
        side *beyond = &h->sides[r.beyond];
        const int made = (int)(h->side_count - 1);
        for (int n = 0; n < 3; n++)
            if (beyond->corner[n] == r.b && beyond->corner[(n + 1) % 3] == r.a)
                beyond->beside[n] = made;
        h->sides[made].beside[0] = r.beyond;
        h->broken = h->broken || h->start[r.a] >= 0;
        h->start[r.a] = made;
    }
    for (size_t k = first; k < h->side_count; k++) {
        const int after = h->start[h->sides[k].corner[1]];
        h->broken = h->broken || after < 0;
        if (after < 0)
            continue;
        h->sides[k].beside[1] = after;
        h->sides[after].beside[2] = (int)k;
    }
    for (size_t k = 0; k < h->rim_count; k++)
        h->start[h->rims[k].a] = -1;
    return CAROM_OK;
}

static carom_status grow_by(quickhull *h, int at)
{
    const size_t first = h->side_count;
    const int point = h->sides[at].farthest;
    CAROM_TRY(find_seen(h, at, point));
    CAROM_TRY(join_rim(h, point));
    for (size_t n = 0; n < h->seen_count && !h->broken; n++)
        for (int k = h->sides[h->seen[n]].outside, after; k >= 0; k = after) {
            after = h->next[k];
            if (k != point)
                hand_over(h, k, first);
        }
    return CAROM_OK;
}

/* Grows a hull of all points; `broken`: the tolerance was too fine for the points. */
static carom_status grow(quickhull *h, double tolerance, const int *corner)
{
    static const int sides[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    h->tolerance = tolerance * h->size;
    h->side_count = 0;
    h->broken = false;
    for (int k = 0; k < h->count; k++)
        h->start[k] = h->next[k] = -1;
    for (int f = 0; f < 4; f++) {
        CAROM_TRY(add_side(h, corner[sides[f][0]], corner[sides[f][1]], corner[sides[f][2]]));
        memcpy(h->sides[f].beside, beside[f], sizeof beside[f]);
    }
    for (int k = 0; k < h->count; k++)
        hand_over(h, k, 0);
    for (size_t f = 0; f < h->side_count && !h->broken; f++)
        if (!h->sides[f].dead && h->sides[f].outside >= 0)
            CAROM_TRY(grow_by(h, (int)f));
    return CAROM_OK;
}

/* ---- the whole ---- */

/* Corners and triangles that are left, numbered anew. */
static carom_status take(quickhull *h, carom_arena *arena, carom_hull *out)
{
    int triangles = 0;
    out->count = 0;
    for (size_t f = 0; f < h->side_count; f++)
        if (!h->sides[f].dead) {
            for (int k = 0; k < 3; k++)
                h->start[h->sides[f].corner[k]] = 0;
            h->sides[f].farthest = triangles++;
        }
    for (int k = 0; k < h->count; k++)
        if (h->start[k] >= 0)
            h->start[k] = out->count++;
    out->triangle_count = triangles;
    out->point = carom_arena_alloc(arena, (size_t)out->count, sizeof *out->point);
    out->triangle = carom_arena_alloc(arena, (size_t)triangles, sizeof *out->triangle);
    out->beside = carom_arena_alloc(arena, (size_t)triangles, sizeof *out->beside);
    if (!out->point || !out->triangle || !out->beside)
        return carom_fail_memory(h->ctx);
    for (int k = 0; k < h->count; k++)
        if (h->start[k] >= 0)
            out->point[h->start[k]] = k;
    for (size_t f = 0; f < h->side_count; f++)
        for (int k = 0; k < 3 && !h->sides[f].dead; k++) {
            out->triangle[h->sides[f].farthest][k] = h->start[h->sides[f].corner[k]];
            out->beside[h->sides[f].farthest][k] = h->sides[h->sides[f].beside[k]].farthest;
        }
    return CAROM_OK;
}

static void give_back(quickhull *h, void *points)
{
    carom_release(h->ctx, points, (size_t)h->count, sizeof *h->x);
    carom_release(h->ctx, h->next, (size_t)h->count, sizeof *h->next);
    carom_release(h->ctx, h->start, (size_t)h->count, sizeof *h->start);
    carom_release(h->ctx, h->sides, h->side_capacity, sizeof *h->sides);
    carom_release(h->ctx, h->seen, h->seen_capacity, sizeof *h->seen);
    carom_release(h->ctx, h->rims, h->rim_capacity, sizeof *h->rims);
}

/* One time, of the points that `which` lists (NULL: all of them). */
static carom_status make(carom_arena *arena, const double *points, const int *which, int count, double tolerance,
                         carom_hull *out, const char **refusal)
{
    quickhull h = {.ctx = arena->ctx, .count = count};
    carom_vec3 *x = carom_allocate(h.ctx, (size_t)count, sizeof *x);
    h.x = x;
    h.next = carom_allocate(h.ctx, (size_t)count, sizeof *h.next);
    h.start = carom_allocate(h.ctx, (size_t)count, sizeof *h.start);
    carom_status status = x && h.next && h.start ? CAROM_OK : carom_fail_memory(h.ctx);
    const carom_vec3 middle = carom_v3_load(points + 3 * (size_t)(which ? which[0] : 0));
    for (int k = 0; k < count && status == CAROM_OK; k++)
        x[k] = carom_v3_sub(carom_v3_load(points + 3 * (size_t)(which ? which[k] : k)), middle);
    int corner[4] = {0, 0, 0, 0};
    *refusal = NULL;
    if (status == CAROM_OK && !first_points(&h, corner))
        *refusal = "its points lie in a plane or on a line, and have no volume: a plate needs its thickness";
    h.broken = true;
    for (int k = 0; k < 4 && status == CAROM_OK && !*refusal && h.broken; k++, tolerance *= 10)
        status = grow(&h, tolerance, corner);
    if (status == CAROM_OK && !*refusal && h.broken)
        *refusal = "no convex hull is found of its points: many of them are nearly in one plane; leave out those that "
                   "are closer to each other than 1e-6 of its size";
    if (status == CAROM_OK && !*refusal)
        status = take(&h, arena, out);
    give_back(&h, x);
    return status;
}

carom_status carom_hull_make(carom_arena *arena, const double *points, size_t count, carom_hull *out,
                             const char **refusal)
{
    carom_hull coarse = {0};
    *refusal = count < 4 ? "it has less than four points, and so no volume" : NULL;
    for (size_t k = 0; k < 3 * count && !*refusal; k++)
        if (!isfinite(points[k]) || fabs(points[k]) > 1e30)
            *refusal = "one of its points is not finite";
    if (count > 100000000 && !*refusal)
        *refusal = "it has more than 1e8 points";
    if (*refusal)
        return CAROM_OK;
    CAROM_TRY(make(arena, points, NULL, (int)count, COARSE, &coarse, refusal));
    if (*refusal)
        return CAROM_OK;
    CAROM_TRY(make(arena, points, coarse.point, coarse.count, FINE, out, refusal));
    for (int k = 0; k < out->count && !*refusal; k++)
        out->point[k] = coarse.point[out->point[k]];
    return CAROM_OK;
}

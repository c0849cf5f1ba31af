/* Meshes of curves: the outline as lines, and the area of a solid as triangles, cut off ear by ear. */

#include "base/base.h"
#include "geometry/curve/curve.h"

#define MOST_POINTS 1024     /* of an outline whose area is drawn */
#define TURN (CAROM_PI / 96) /* of the tangent between two points of a curved segment [rad], the finest */
#define COARSEST 4           /* of those, where the outline has too many points otherwise */

/* Points on a segment, its end left out, so many turns apart; 0: one. */
static int samples(const double *curve, int segment, int turns)
{
    if (!turns)
        return 1;

    double turn = 0;
    for (int k = 0; k <= 8; k++) {
        carom_curve_point c;
        carom_curve_eval(curve, segment + fmin(fmax(k / 8.0, 1e-9), 1 - 1e-9), &c);
        turn = fmax(turn, fabs(c.curvature) * c.speed);
    }
    const double wanted = ceil(turn / (turns * TURN)), most = 192.0 / turns;
    return (int)fmin(fmax(wanted, 1), most);
}

static int point_count(const double *curve, int turns)
{
    int count = 0;
    for (int k = 0; k < carom_curve_segments(curve); k++)
        count += samples(curve, k, turns);
    return count + (carom_curve_closed(curve) ? 0 : 1);
}

/* The points, into `at` as well unless that is NULL. */
static void draw_points(const double *curve, int turns, const carom_mesh_sink *sink, carom_vec2 *at)
{
    int count = 0;
    const bool closed = carom_curve_closed(curve);
    for (int k = 0; k < carom_curve_segments(curve) + (closed ? 0 : 1); k++) {
        const bool end = k == carom_curve_segments(curve);
        const int parts = end ? 1 : samples(curve, k, turns);
        for (int n = 0; n < parts; n++) {
            carom_curve_point c;
            carom_curve_eval(curve, k + (double)n / parts, &c);
            const bool solid = closed && curve[CAROM_CURVE_AREA] > 0;
            sink->point(sink->user, carom_v3(c.at.x, c.at.y, 0),
                        solid ? carom_v3(0, 0, 1) : carom_v3(c.normal.x, c.normal.y, 0));
            if (at)
                at[count] = c.at;
            count++;
        }
    }
}

/* ---- area ---- */

static double turn_of(carom_vec2 a, carom_vec2 b, carom_vec2 c)
{
    return carom_v2_cross(carom_v2_sub(b, a), carom_v2_sub(c, b));
}

static bool inside(carom_vec2 p, carom_vec2 a, carom_vec2 b, carom_vec2 c)
{
    return turn_of(a, b, p) >= 0 && turn_of(b, c, p) >= 0 && turn_of(c, a, p) >= 0;
}

/* Whether the corner `k` of the ring is an ear: convex, and none of the others in its triangle. */
static bool is_ear(const carom_vec2 *at, const int *ring, int count, int k)
{
    const int before = (k + count - 1) % count, after = (k + 1) % count;
    const carom_vec2 a = at[ring[before]], b = at[ring[k]], c = at[ring[after]];
    if (!(turn_of(a, b, c) > 0))
        return false;
    for (int n = 0; n < count; n++)
        if (n != before && n != k && n != after && inside(at[ring[n]], a, b, c))
            return false;
    return true;
}

static void draw_area(const carom_vec2 *at, int count, const carom_mesh_sink *sink)
{
    int ring[MOST_POINTS], start = 0;
    for (int k = 0; k < count; k++)
        ring[k] = k;
    while (count > 3) {
        int ear = -1;
        for (int n = 0; n < count && ear < 0; n++)
            if (is_ear(at, ring, count, (start + n) % count))
                ear = (start + n) % count;
        if (ear < 0) /* points on one line are left: cut off any */
            ear = start % count;
        sink->triangle(sink->user, ring[(ear + count - 1) % count], ring[ear], ring[(ear + 1) % count]);
        for (int n = ear; n + 1 < count; n++)
            ring[n] = ring[n + 1];
        count--;
        start = ear + 1; /* the next ear elsewhere, so that triangles do not all meet in one point */
    }
    sink->triangle(sink->user, ring[0], ring[1], ring[2]);
}

void carom_curve_mesh(const double *curve, bool planar, double reach, const carom_mesh_sink *sink)
{
    (void)planar;
    (void)reach;
    int turns = 1;
    while (turns && point_count(curve, turns) > MOST_POINTS)
        turns = turns < COARSEST ? 2 * turns : 0;
    const int count = point_count(curve, turns);
    const bool closed = carom_curve_closed(curve), area = closed && curve[CAROM_CURVE_AREA] > 0 && count <= MOST_POINTS;
    carom_vec2 at[MOST_POINTS];
    draw_points(curve, turns, sink, area ? at : NULL);
    for (int k = 0; k + 1 < count || (closed && k < count); k++)
        sink->line(sink->user, k, (k + 1) % count);
    if (area && count > 2)
        draw_area(at, count, sink);
}

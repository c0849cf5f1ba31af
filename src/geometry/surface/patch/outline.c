/* The patch on which two faces lie on each other: a convex polygon, the outline of one face cut by the edges of the
   other, or what of a line lies over a face. Flat faces bear wholly, those that are tilted against each other less.
   A polyhedron whose face is tilted stands on an edge of it, or on a corner. An edge along the other face is equally
   deep all along, and bears where it ends, with a whole law at each end, as it does on a plane and as boxes do. Its far
   end bears less as it is tilted; the near one is the deepest point then, and hands over to that at little tilt, where
   it makes no difference.
   Source: Ericson 2005, Real-Time Collision Detection, section 8.3.4 (outline of a patch cut by half planes). */
#include "geometry/surface/patch/outline.h"

#include "base/base.h"

/* Sines of the tilt between two faces up to which the patch bears wholly, and from which on not at all. */
#define FLAT 0.08
#define STEEP 0.25
/* The same of a flat end of eight corners: less, so that it rolls on its rim. */
#define ROUND_FLAT 0.02
#define ROUND_STEEP 0.15
/* Square roots of the area of a face, over the size of its solid: the same. */
#define SMALL 0.05
#define LARGE 0.15
/* Half of what the gap differs by over the patch of small faces, over its depth: up to the first of these the corners
   bear the law of the deepest point, from the second on that point itself. */
#define EVEN 0.02
#define ASLANT 0.2
/* Of the size: a line that is shorter is a point, as of a coin whose rim is all round. */
#define SHORT 1e-6
/* Sines between an edge and the face that it lies along: up to the first the near end bears, from the second on the
   deepest point. */
#define ALONG 0.025
#define ASTRIDE 0.045
/* Lines whose directions differ by less do not cross. */
#define PARALLEL 1e-6
/* Patches below this share of the smaller face bear less. */
#define NARROW 0.01
/* Share of a line beyond an edge from which on the line bears at that edge, not at its own end. */
#define OVERHANG 0.02
/* Lines that lie within the other face by less than this share of its area over half its outline bear less. */
#define BESIDE 0.05

/* How far a point lies within the edge m of a face, in the plane of the patch. */
static double within(const carom_face *f, int m, double x, double y)
{
    const int next = (m + 1) % f->count;
    const double ex = f->x[next] - f->x[m], ey = f->y[next] - f->y[m], length = hypot(ex, ey);
    return length > 0 ? (ex * (y - f->y[m]) - ey * (x - f->x[m])) / length : 0;
}

double carom_patch_outside(const carom_face *f, double x, double y)
{
    double most = 0;
    for (int m = 0; m < f->count; m++)
        most = fmax(most, -within(f, m, x, y));
    return most;
}

static void lay_out(carom_patch *p)
{
    const carom_vec3 side = carom_v3_sub(p->side[0].at[1], p->side[0].at[0]);
    const carom_mat3 plane = carom_m3_axes(p->across, side);
    const carom_vec3 right = carom_m3_column(&plane, 0), up = carom_m3_column(&plane, 1);
    const carom_vec3 askew = carom_v3_add(p->side[0].normal, p->side[1].normal);
    p->slope[0] = carom_v3_dot(askew, right);
    p->slope[1] = carom_v3_dot(askew, up);
    for (int b = 0; b < 2; b++) {
        carom_face *f = &p->side[b];
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
static void cut(carom_patch *p, int edge)
{
    const carom_patch from = *p;
    double in[CAROM_PATCH_CORNERS];
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
        p->leaving[p->count++] = in[m] >= 0 ? CAROM_FACE_SIDES + edge : from.leaving[m];
    }
}

/* What of the line lies over the other face. Returns how much of a law it bears with. */
static double cut_line(carom_patch *p)
{
    const carom_face *line = &p->side[p->line], *other = &p->side[1 - p->line];
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
    const bool bears = p->begin < p->end && outline > 0 && length > SHORT * line->size;
    return bears ? carom_ramp(least, 0, BESIDE * 2 * other->area / outline) : 0;
}

double carom_patch_overhang(const carom_patch *p, int end)
{
    return p->cut_by[end] >= 0 ? carom_ramp(end ? 1 - p->end : p->begin, 0, OVERHANG) : 0;
}

static carom_vec3 along(const carom_face *f, int edge)
{
    return carom_unit(carom_v3_sub(f->at[(edge + 1) % f->count], f->at[edge]));
}

/* A line that crosses an edge at less of an angle than it is tilted touches it far from where it ends, if at all: sine
   between the common normal of both and that of the face. */
static double slant(const carom_face *of, int edge, const carom_face *other, int m)
{
    const carom_vec3 u = along(of, edge), v = along(other, m), w = carom_v3_cross(u, v);
    const double sine = carom_v3_norm(w);
    return sine < PARALLEL ? 1 : carom_v3_norm(carom_v3_cross(w, other->normal)) / sine;
}

/* How much a line bears that ends at edges. */
static double squareness(const carom_patch *p)
{
    const carom_face *line = &p->side[p->line], *other = &p->side[1 - p->line];
    double share = 1;
    for (int end = 0; end < 2; end++) {
        const double over = carom_patch_overhang(p, end);
        if (over > 0)
            share *= 1 - over * carom_ramp(slant(line, 0, other, p->cut_by[end]), FLAT, STEEP);
    }
    return share;
}

/* How much a patch bears whose faces are tilted against each other. */
static double flatness(const carom_patch *p)
{
    const bool round = p->side[0].round || p->side[1].round;
    const carom_vec3 tilt = carom_v3_cross(p->side[0].normal, p->side[1].normal);
    const double facing = -carom_v3_dot(p->side[0].normal, p->side[1].normal);
    return facing > 0 ? 1 - carom_ramp(carom_v3_norm(tilt), round ? ROUND_FLAT : FLAT, round ? ROUND_STEEP : STEEP)
                      : 0;
}

static double fullness(const carom_face *f) { return carom_ramp(sqrt(fmax(f->area, 0)) / f->size, SMALL, LARGE); }

void carom_patch_find(carom_patch *p)
{
    lay_out(p);
    p->weight = flatness(p);
    p->edge_weight = p->edge_law[0] = p->edge_law[1] = p->edge_full = p->edge_spread = 0;
    p->count = p->edge_at = 0;
    if (p->line >= 0) {
        const bool both = p->side[0].count == 2 && p->side[1].count == 2;
        p->full = fullness(&p->side[1 - p->line]);
        p->weight *= both ? 0 : cut_line(p);
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
    p->full = fullness(&p->side[0]) * fullness(&p->side[1]);
    p->weight *= carom_ramp(area / fmin(p->side[0].area, p->side[1].area), 0, NARROW);
}

/* ---- the edge on which a tilted face stands ---- */

/* The edge at the lowest corner of a face over the other one that is less tilted against that; `low`: the lowest corner
   is where it begins, 0, or ends, 1. */
static int lowest_edge(const carom_face *f, const carom_face *other, double *tilt, int *low)
{
    double lowest = HUGE_VAL;
    int corner = 0, best = 0;
    for (int m = 0; m < f->count; m++) {
        const double height = carom_v3_dot(f->at[m], other->normal);
        if (height < lowest) {
            lowest = height;
            corner = m;
        }
    }
    *tilt = HUGE_VAL;
    for (int k = 0; k < 2; k++) {
        const int m = (corner + f->count - k) % f->count;
        const double sine = fabs(carom_v3_dot(along(f, m), other->normal));
        if (sine < *tilt) {
            *tilt = sine;
            *low = k;
            best = m;
        }
    }
    return best;
}

/* How much an edge bears by where it lies over the other face: less beside an edge of that, or across it at a slant. */
static double lies_over(const carom_patch *p, int b, int edge, double *length)
{
    const carom_face *f = &p->side[b], *other = &p->side[1 - b];
    const int from = p->edge_at, to = (from + 1) % p->count;
    const int before = p->leaving[(from + p->count - 1) % p->count], after = p->leaving[to];
    const double x = 0.5 * (p->x[from] + p->x[to]), y = 0.5 * (p->y[from] + p->y[to]);
    double least = HUGE_VAL, outline = 0, share = 1;
    for (int m = 0; m < other->count; m++) {
        const int next = (m + 1) % other->count;
        outline += hypot(other->x[next] - other->x[m], other->y[next] - other->y[m]);
        least = fmin(least, within(other, m, x, y));
    }
    *length = hypot(p->x[to] - p->x[from], p->y[to] - p->y[from]);
    for (int end = 0; end < 2; end++) {
        const int by = end ? after : before;
        if (by / CAROM_FACE_SIDES != b)
            share *= 1 - carom_ramp(slant(f, edge, other, by % CAROM_FACE_SIDES), FLAT, STEEP);
    }
    return outline > 0 ? share * carom_ramp(least, 0, BESIDE * 2 * other->area / outline) : 0;
}

/* Where an edge crosses one of the other face the normal is turned from that of the face by as much as it is tilted. */
void carom_patch_find_edge(carom_patch *p, carom_vec3 n)
{
    double off[2], tilt, length;
    int low = 0;
    if (p->line >= 0 || p->side[0].round || p->side[1].round)
        return;
    for (int b = 0; b < 2; b++)
        off[b] = carom_v3_norm(carom_v3_cross(n, p->side[b].normal));
    const int b = off[0] <= off[1];
    const carom_face *f = &p->side[b], *other = &p->side[1 - b];
    const int edge = lowest_edge(f, other, &tilt, &low), next = (edge + 1) % f->count;
    const double far = 1 - carom_ramp(tilt, FLAT, STEEP);
    while (p->edge_at < p->count && p->leaving[p->edge_at] != b * CAROM_FACE_SIDES + edge)
        p->edge_at++;
    if (f->thinned || !(far > p->weight) || p->edge_at == p->count)
        return;
    const double over = lies_over(p, b, edge, &length) * (1 - carom_ramp(off[1 - b], FLAT, STEEP));
    p->edge_weight = fmax(over * (1 - carom_ramp(tilt, ALONG, ASTRIDE)) - p->weight, 0);
    p->edge_law[low] = p->edge_weight;
    p->edge_law[1 - low] = fmax(over * far - p->weight, 0);
    const double whole = carom_v3_norm(carom_v3_sub(f->at[next], f->at[edge]));
    p->edge_full = fullness(other) * carom_ramp(whole / f->size, SMALL, LARGE);
    p->edge_spread = 0.5 * tilt * length;
}

/* ---- shares ---- */

/* How far the gap is even for what the solids are deep in each other: 0 to 1. */
static double evenness_of(double spread, double depth)
{
    return spread > EVEN * depth ? 1 - carom_ramp(spread, EVEN * depth, ASLANT * depth) : 1;
}

/* How far the faces are parallel for what they are deep in each other: 0 to 1. */
static double evenness(const carom_patch *p, double depth)
{
    const int count = p->line >= 0 ? 2 : p->count;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int m = 0; m < count; m++) {
        const carom_face *line = &p->side[p->line >= 0 ? p->line : 0];
        const double at = m ? p->end : p->begin;
        const double x = p->line >= 0 ? line->x[0] + at * (line->x[1] - line->x[0]) : p->x[m];
        const double y = p->line >= 0 ? line->y[0] + at * (line->y[1] - line->y[0]) : p->y[m];
        const double gap = p->slope[0] * x + p->slope[1] * y;
        least = fmin(least, gap);
        most = fmax(most, gap);
    }
    return evenness_of(0.5 * (most - least), depth);
}

void carom_patch_share_out(carom_patch *p, double gap)
{
    const double even = p->full < 1 && p->weight > 0 ? (1 - p->full) * evenness(p, fabs(gap)) : 0;
    p->law = p->weight * (p->full + even / (p->line >= 0 ? 2 : 4));
    p->weight *= p->full + even;
    const double level = p->edge_full < 1 ? (1 - p->edge_full) * evenness_of(p->edge_spread, fabs(gap)) : 0;
    for (int end = 0; end < 2; end++)
        p->edge_law[end] *= p->edge_full + 0.5 * level;
    p->edge_weight *= p->edge_full + level;
    p->weight += p->edge_weight;
}

void carom_patch_bear_less(carom_patch *p, double share)
{
    p->weight *= share;
    p->law *= share;
    for (int end = 0; end < 2; end++)
        p->edge_law[end] *= share;
}

/* By what the outline turns from one edge to another: two of one solid as they are, else in the plane of the patch. */
static double turn_between(const carom_patch *p, int from, int to)
{
    double e[2][2];
    if (from / CAROM_FACE_SIDES == to / CAROM_FACE_SIDES) {
        const carom_face *f = &p->side[to / CAROM_FACE_SIDES];
        const int a = from % CAROM_FACE_SIDES, b = to % CAROM_FACE_SIDES;
        const carom_vec3 in = carom_v3_sub(f->at[(a + 1) % f->count], f->at[a]);
        const carom_vec3 out = carom_v3_sub(f->at[(b + 1) % f->count], f->at[b]);
        return atan2(carom_v3_norm(carom_v3_cross(in, out)), carom_v3_dot(in, out));
    }
    for (int k = 0; k < 2; k++) {
        const int edge = k ? to : from;
        const carom_face *f = &p->side[edge / CAROM_FACE_SIDES];
        const int m = edge % CAROM_FACE_SIDES, next = (m + 1) % f->count;
        e[k][0] = f->x[next] - f->x[m];
        e[k][1] = f->y[next] - f->y[m];
    }
    return fmax(atan2(e[0][0] * e[1][1] - e[0][1] * e[1][0], e[0][0] * e[1][0] + e[0][1] * e[1][1]), 0);
}

double carom_patch_share(const carom_patch *p, int k)
{
    const int from = p->leaving[(k + p->count - 1) % p->count];
    const double begins = k == p->edge_at ? p->edge_law[0] : 0;
    const double ends = k == (p->edge_at + 1) % p->count ? p->edge_law[1] : 0;
    return p->law * turn_between(p, from, p->leaving[k]) / (0.5 * CAROM_PI) + begins + ends;
}

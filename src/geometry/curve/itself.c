/* Whether a curve crosses or touches itself. A part whose directions all lie within a half-turn continues along one
   direction and cannot meet itself, nor can two such parts that follow each other; parts that do not follow each
   other are excluded by the distance of their chords, or halved. */
#include "geometry/curve/segment.h"

#define PARTS 512
/* Pairs looked at before a meeting counts as not excluded. */
#define PATIENCE 1000000
/* Parts nearer than this share of the extent touch. */
#define TOUCH 1e-9
/* What a half-turn is short of [rad]. */
#define SHORT 1e-7

typedef struct part {
    int k;
    double a, b;
} part;

/* A part against itself (first and second equal), or two parts. */
typedef struct couple {
    part first, second;
    bool same;
} couple;

/* Mean direction of a part and how far its directions deviate [rad]; pi: anything. */
static double spread_of(const double *curve, const part *p, carom_vec2 *direction)
{
    const double *segment = carom_segment(curve, p->k);
    double h = p->b - p->a;
    if (carom_segment_arc(segment)) {
        double turn = fabs(segment[CAROM_SEGMENT_ARC_SWEEP]) * h;
        carom_segment_point c;
        carom_segment_eval(segment, 0.5 * (p->a + p->b), &c);
        *direction = carom_v2_unit(c.d1);
        return 0.5 * turn;
    }
    *direction = carom_v2_sub(carom_segment_at(segment, p->b), carom_segment_at(segment, p->a));
    double size = carom_v2_norm(*direction), spread = segment[CAROM_SEGMENT_BEND] * h * h;
    if (!(size > spread))
        return CAROM_PI;
    return asin(spread / size);
}

static bool one_way(const double *curve, const part *p)
{
    carom_vec2 direction;
    return 2 * spread_of(curve, p, &direction) < CAROM_PI - SHORT;
}

/* True where q begins at the end of p. */
static bool follows(const double *curve, const part *p, const part *q)
{
    int count = carom_curve_segments(curve);
    double end = p->k + p->b, start = q->k + q->a;
    return end == start || (carom_curve_closed(curve) && end == count && start == 0);
}

/* True where two parts that follow each other go one way together. */
static bool one_way_together(const double *curve, const part *p, const part *q)
{
    carom_vec2 u, v;
    double a = spread_of(curve, p, &u), b = spread_of(curve, q, &v);
    double turn = fabs(atan2(carom_v2_cross(u, v), carom_v2_dot(u, v)));
    return fmax(a, turn + b) - fmin(-a, turn - b) < CAROM_PI - SHORT;
}

static double distance_of(const double *curve, const part *p, const part *q)
{
    const double *f = carom_segment(curve, p->k), *g = carom_segment(curve, q->k);
    return carom_chord_distance(carom_segment_at(f, p->a), carom_segment_at(f, p->b), carom_segment_at(g, q->a),
                                carom_segment_at(g, q->b));
}

static double sagitta_of(const double *curve, const part *p)
{
    return carom_segment_sagitta(carom_segment(curve, p->k), p->b - p->a);
}

/* Puts the halves of a couple on the stack. */
static int halve(const double *curve, const couple *c, couple *stack, int count)
{
    const part *p = &c->first, *q = &c->second;
    if (c->same) {
        double m = 0.5 * (p->a + p->b);
        part low = {p->k, p->a, m}, high = {p->k, m, p->b};
        stack[count++] = (couple){low, low, true};
        stack[count++] = (couple){high, high, true};
        stack[count++] = (couple){low, high, false};
        return count;
    }
    bool first = sagitta_of(curve, p) > sagitta_of(curve, q);
    const part *larger = first ? p : q;
    double m = 0.5 * (larger->a + larger->b);
    part low = {larger->k, larger->a, m}, high = {larger->k, m, larger->b};
    stack[count++] = first ? (couple){low, *q, false} : (couple){*p, low, false};
    stack[count++] = first ? (couple){high, *q, false} : (couple){*p, high, false};
    return count;
}

/* True where the couple meets (or that cannot be excluded). */
static bool meets(const double *curve, couple start, int *patience)
{
    couple stack[PARTS];
    int count = 1;
    double touch = TOUCH * curve[CAROM_CURVE_EXTENT];
    stack[0] = start;
    while (count > 0) {
        couple c = stack[--count];
        if (c.same) {
            if (one_way(curve, &c.first))
                continue;
        } else {
            bool after = follows(curve, &c.first, &c.second), before = follows(curve, &c.second, &c.first);
            if (after != before && one_way_together(curve, after ? &c.first : &c.second, after ? &c.second : &c.first))
                continue;
            double sagitta = sagitta_of(curve, &c.first) + sagitta_of(curve, &c.second);
            double distance = distance_of(curve, &c.first, &c.second);
            if (distance > sagitta + touch)
                continue;
            if (!after && !before && sagitta <= touch)
                return true;
        }
        if (--*patience < 0 || count + 3 > PARTS)
            return true;
        count = halve(curve, &c, stack, count);
    }
    return false;
}

int carom_curve_crosses_itself(const double *curve)
{
    int count = carom_curve_segments(curve), patience = PATIENCE;
    for (int k = 0; k < count; k++) {
        part p = {k, 0, 1};
        if (meets(curve, (couple){p, p, true}, &patience))
            return k;
        const double *f = carom_segment(curve, k);
        for (int n = 0; n < k; n++) {
            const double *g = carom_segment(curve, n);
            part q = {n, 0, 1};
            double apart = carom_v2_distance(carom_segment_pair(f, CAROM_SEGMENT_CENTRE),
                                             carom_segment_pair(g, CAROM_SEGMENT_CENTRE));
            if (apart <= f[CAROM_SEGMENT_RADIUS] + g[CAROM_SEGMENT_RADIUS] &&
                meets(curve, (couple){q, p, false}, &patience))
                return k;
        }
    }
    return -1;
}

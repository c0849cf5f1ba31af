/* Makes paths out of curves over a parameter, and such curves out of points. */
#include "geometry/path/path.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "expr/expr.h"

/* ---- a curve over a parameter ---- */

/* A place of the curve with tangent and curvature vector over the arc length. */
typedef struct node {
    double u, s;
    carom_vec3 at, tangent, bend;
} node;

/* By which a path may miss its curve, of the size, its tangent, of 1, and its curvature, of its own; and rounding, of
   the distance from the origin. */
#define MISSED 1e-13
#define TURNED 1e-12
#define BENT 1e-10
#define NOISE (100 * DBL_EPSILON)
/* The least share of its parameter that a segment may have, and the least speed, of the mean: a kink is narrower. */
#define NARROW 1e-7
#define SLOW 1e-9

typedef struct maker {
    const carom_path_source *source;
    double size, mean_speed;
    node *nodes;                /* NULL: they are counted only */
    size_t count;
    const char *refusal;
    double where;
} maker;

/* Gauss's nodes and weights of order 16 on [-1, 1], those above 0. */
static const double gauss_at[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
static const double gauss_weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

static double length_between(const carom_path_source *source, double from, double to)
{
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double sum = 0;
    for (int k = 0; k < 8; k++) {
        carom_vec3 c[3];
        source->at(source->user, middle + (k % 2 ? half : -half) * gauss_at[k / 2], c);
        sum += gauss_weight[k / 2] * carom_v3_norm(c[1]);
    }
    return half * sum;
}

static bool find_node(maker *m, double u, node *out)
{
    carom_vec3 c[3];
    m->source->at(m->source->user, u, c);
    const double speed = carom_v3_norm(c[1]);
    *out = (node){.u = u, .at = c[0]};
    if (!isfinite(carom_v3_norm(c[0]) + speed + carom_v3_norm(c[2])))
        m->refusal = "the curve is not finite there, or its first two derivatives are not";
    else if (!(speed > SLOW * m->mean_speed))
        m->refusal = "the curve stands still there: its derivative is zero, as at a cusp; begin and end apart from it";
    if (m->refusal) {
        m->where = u;
        return false;
    }
    out->tangent = carom_v3_scale(1 / speed, c[1]);
    out->bend = carom_v3_scale(1 / (speed * speed),
                               carom_v3_add_scaled(c[2], -carom_v3_dot(c[2], out->tangent), out->tangent));
    return true;
}

/* Coefficients of a component from its values, first and second derivatives at w = -1, 0 and 1; even powers follow from
   the sums at both ends, odd ones from the differences. */
static void fill_component(const double value[3], const double slope[3], const double bend[3], double *c)
{
    c[0] = value[1];
    c[3] = slope[1];
    c[6] = 0.5 * bend[1];
    const double even[3] = {0.5 * ((value[2] - value[1]) - (value[1] - value[0])) - c[6],
                            0.5 * (slope[2] - slope[0]) - 2 * c[6], 0.5 * (bend[2] + bend[0]) - 2 * c[6]};
    const double odd[3] = {0.5 * (value[2] - value[0]) - c[3], 0.5 * (slope[2] + slope[0]) - c[3],
                           0.5 * (bend[2] - bend[0])};
    const double a = even[1] - 4 * even[0], b = odd[1] - 3 * odd[0];
    c[24] = (even[2] - 12 * even[0] - 9 * a) / 8;
    c[18] = 0.5 * a - 2 * c[24];
    c[12] = even[0] - c[18] - c[24];
    c[21] = (odd[2] - 6 * odd[0] - 7 * b) / 8;
    c[15] = 0.5 * b - 2 * c[21];
    c[9] = odd[0] - c[15] - c[21];
}

/* Coefficients of a segment between two nodes and the one in its middle. */
static void fill_point(const node *a, const node *middle, const node *b, double *c)
{
    const node *const nodes[3] = {a, middle, b};
    const double half = 0.5 * (b->s - a->s);
    double value[3][3], slope[3][3], bend[3][3];
    for (int k = 0; k < 3; k++) {
        const carom_vec3 t = carom_v3_scale(half, nodes[k]->tangent), n = carom_v3_scale(half * half, nodes[k]->bend);
        const double parts[3][3] = {{nodes[k]->at.x, nodes[k]->at.y, nodes[k]->at.z}, {t.x, t.y, t.z}, {n.x, n.y, n.z}};
        for (int i = 0; i < 3; i++) {
            value[i][k] = parts[0][i];
            slope[i][k] = parts[1][i];
            bend[i][k] = parts[2][i];
        }
    }
    for (int i = 0; i < 3; i++)
        fill_component(value[i], slope[i], bend[i], c + i);
}

/* The node in the middle of two, by its arc length: Newton's method, as far as rounding lets it. */
static bool find_middle(maker *m, const node *a, const node *b, node *out)
{
    const double half = 0.5 * (b->s - a->s);
    double u = 0.5 * (a->u + b->u), last = HUGE_VAL;
    for (int k = 0; k < 20; k++) {
        carom_vec3 c[3];
        m->source->at(m->source->user, u, c);
        const double step = (half - length_between(m->source, a->u, u)) / carom_v3_norm(c[1]);
        if (!(fabs(step) < last) || !(u + step > a->u && u + step < b->u))
            break;
        last = fabs(step);
        u += step;
    }
    if (!find_node(m, u, out))
        return false;
    out->s = a->s + half;
    return true;
}

/* Whether a segment meets the curve at a parameter within it. */
static bool meets(maker *m, const double *segment, const node *a, double u, bool *found)
{
    node n;
    carom_path_point at;
    *found = find_node(m, u, &n);
    if (!*found)
        return false;
    const double extent = segment[CAROM_PATH_HEADER + CAROM_PATH_EXTENT];
    const double noise = NOISE * carom_v3_norm(n.at), bent = BENT * (carom_v3_norm(n.bend) + 1 / m->size);
    carom_path_at(segment, length_between(m->source, a->u, u), &at);
    return carom_v3_norm(carom_v3_sub(at.at, n.at)) <= MISSED * m->size + noise &&
           carom_v3_norm(carom_v3_sub(at.d1, n.tangent)) <= TURNED + noise / extent &&
           carom_v3_norm(carom_v3_sub(at.d2, n.bend)) <= bent + noise / (extent * extent);
}

/* Whether the segment between two nodes meets the curve. */
static bool fits(maker *m, const node *a, const node *b, bool *found)
{
    double segment[CAROM_PATH_HEADER + CAROM_PATH_SEGMENT] = {[CAROM_PATH_COUNT] = 1,
                                                              [CAROM_PATH_LENGTH] = b->s - a->s};
    node middle;
    segment[CAROM_PATH_HEADER + CAROM_PATH_EXTENT] = b->s - a->s;
    *found = find_middle(m, a, b, &middle);
    if (!*found)
        return false;
    fill_point(a, &middle, b, segment + CAROM_PATH_HEADER + CAROM_PATH_POINT);
    return meets(m, segment, a, 0.5 * (a->u + middle.u), found) && meets(m, segment, a, 0.5 * (middle.u + b->u), found);
}

static void add_node(maker *m, const node *n)
{
    if (m->nodes)
        m->nodes[m->count] = *n;
    m->count++;
}

/* The nodes behind `a` up to the parameter `to`, by halving. */
#define HALVINGS 60

static bool halve(maker *m, node *a, double to)
{
    double ends[HALVINGS];
    int left = 0;
    ends[left++] = to;
    const double narrow = NARROW * (m->source->knots[m->source->knot_count - 1] - m->source->knots[0]);
    while (left) {
        node b;
        bool found;
        const double end = ends[left - 1], middle = 0.5 * (a->u + end);
        if (!find_node(m, end, &b))
            return false;
        b.s = a->s + length_between(m->source, a->u, middle) + length_between(m->source, middle, end);
        if (fits(m, a, &b, &found)) {
            add_node(m, &b);
            *a = b;
            left--;
            continue;
        }
        if (!found)
            return false;
        if (end - a->u < narrow || left == HALVINGS || m->count > CAROM_PATH_SEGMENTS) {
            m->refusal = m->count > CAROM_PATH_SEGMENTS
                             ? "the curve is too long or too bent: it takes more than 20000 segments"
                             : "the curve has a kink there, or its curvature has no end: it must be smooth";
            m->where = a->u;
            return false;
        }
        ends[left++] = middle;
    }
    return true;
}

static bool find_nodes(maker *m)
{
    const carom_path_source *source = m->source;
    node a;
    m->count = 0;
    if (!find_node(m, source->knots[0], &a))
        return false;
    add_node(m, &a);
    for (size_t k = 1; k < source->knot_count; k++)
        if (!halve(m, &a, source->knots[k]))
            return false;
    return true;
}

/* Greatest extent and mean speed, of places between all knots. */
static void measure(maker *m)
{
    const carom_path_source *source = m->source;
    carom_vec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double length = 0;
    for (size_t k = 0; k + 1 < source->knot_count; k++) {
        const double from = source->knots[k], to = source->knots[k + 1];
        for (int n = 0; n <= 16; n++) {
            carom_vec3 c[3];
            source->at(source->user, from + (to - from) * n / 16, c);
            low = carom_v3(fmin(low.x, c[0].x), fmin(low.y, c[0].y), fmin(low.z, c[0].z));
            high = carom_v3(fmax(high.x, c[0].x), fmax(high.y, c[0].y), fmax(high.z, c[0].z));
        }
        length += length_between(source, from, to);
    }
    m->size = carom_v3_norm(carom_v3_sub(high, low));
    m->mean_speed = length / (source->knots[source->knot_count - 1] - source->knots[0]);
}

/* ---- the field across ---- */

/* First and second derivative of a unit vector m across the path that turns about it by `twist` a length. */
static void rates_of(const double *path, double s, double twist, carom_vec3 m, carom_vec3 out[2])
{
    carom_path_point c;
    carom_path_at(path, s, &c);
    const double bend = carom_v3_dot(c.d2, m);
    out[0] = carom_v3_add_scaled(carom_v3_scale(twist, carom_v3_cross(c.d1, m)), -bend, c.d1);
    const carom_vec3 turn = carom_v3_add(carom_v3_cross(c.d2, m), carom_v3_cross(c.d1, out[0]));
    const double bend_rate = carom_v3_dot(c.d3, m) + carom_v3_dot(c.d2, out[0]);
    out[1] = carom_v3_add_scaled(carom_v3_scale(twist, turn), -bend_rate, c.d1);
    out[1] = carom_v3_add_scaled(out[1], -bend, c.d2);
}

/* The vector carried along the path without a turn about it: the method of Runge and Kutta in a few steps. */
#define CARRIED 8

static carom_vec3 carried(const double *path, double from, double to, carom_vec3 m)
{
    const double h = (to - from) / CARRIED;
    carom_path_point c;
    for (int k = 0; k < CARRIED; k++) {
        const double s = from + k * h;
        carom_vec3 r[4][2];
        rates_of(path, s, 0, m, r[0]);
        rates_of(path, s + 0.5 * h, 0, carom_v3_add_scaled(m, 0.5 * h, r[0][0]), r[1]);
        rates_of(path, s + 0.5 * h, 0, carom_v3_add_scaled(m, 0.5 * h, r[1][0]), r[2]);
        rates_of(path, s + h, 0, carom_v3_add_scaled(m, h, r[2][0]), r[3]);
        const carom_vec3 ends = carom_v3_add(r[0][0], r[3][0]), middle = carom_v3_add(r[1][0], r[2][0]);
        m = carom_v3_add_scaled(m, h / 6, carom_v3_add_scaled(ends, 2, middle));
    }
    carom_path_at(path, to, &c);
    m = carom_v3_add_scaled(m, -carom_v3_dot(m, c.d1), c.d1);
    return carom_v3_scale(1 / carom_v3_norm(m), m);
}

static carom_vec3 turned_about(carom_vec3 v, carom_vec3 axis, double angle)
{
    return carom_v3_add_scaled(carom_v3_scale(cos(angle), v), sin(angle), carom_v3_cross(axis, v));
}

/* The field at a place that the vector was carried to. */
static void across_at(const double *path, double s, double twist, carom_vec3 m, node *out)
{
    carom_path_point c;
    carom_vec3 rates[2];
    carom_path_at(path, s, &c);
    out->at = turned_about(m, c.d1, twist * s);
    rates_of(path, s, twist, out->at, rates);
    out->tangent = rates[0];
    out->bend = rates[1];
    out->s = s;
}

/* Carried along from the first place; on a closed path what is left over there is spread over its length. */
static void fill_across(double *path)
{
    carom_path_point first;
    double twist = 0;
    carom_path_at(path, 0, &first);
    /* in the plane it lies in it */
    const carom_vec3 t = first.d1;
    const carom_vec3 up = t.z == 0 ? carom_v3(0, 0, 1) : fabs(t.x) < 0.6 ? carom_v3(1, 0, 0) : carom_v3(0, 1, 0);
    const carom_vec3 n = carom_v3_cross(up, t), start = carom_v3_scale(1 / carom_v3_norm(n), n);
    for (int round = 0; round < 2; round++) {
        carom_vec3 m = start;
        double *c = path + CAROM_PATH_HEADER;
        for (int k = 0; k < (int)path[CAROM_PATH_COUNT]; k++, c += CAROM_PATH_SEGMENT) {
            const double from = c[CAROM_PATH_START], half = 0.5 * c[CAROM_PATH_EXTENT];
            node nodes[3];
            for (int i = 0; i < 3; i++) {
                if (i)
                    m = carried(path, from + (i - 1) * half, from + i * half, m);
                across_at(path, from + i * half, twist, m, &nodes[i]);
            }
            fill_point(&nodes[0], &nodes[1], &nodes[2], c + CAROM_PATH_ACROSS);
        }
        if (!(path[CAROM_PATH_CLOSED] > 0))
            return;
        twist = atan2(carom_v3_dot(carom_v3_cross(m, start), t), carom_v3_dot(m, start)) / path[CAROM_PATH_LENGTH];
    }
}

/* ---- the path ---- */

/* Shares of the size by which the ends of a closed curve may be apart, of 1 their tangents, and of the curvature of a
   circle of that size their curvatures. */
#define CLOSED 1e-9

/* The end of a closed curve is its start. */
static void close_ends(maker *m)
{
    const node *first = &m->nodes[0];
    node *last = &m->nodes[m->count - 1];
    if (carom_v3_norm(carom_v3_sub(last->at, first->at)) > CLOSED * m->size)
        m->refusal = "a closed curve ends where it begins; this one does not";
    else if (carom_v3_norm(carom_v3_sub(last->tangent, first->tangent)) > CLOSED ||
             m->size * carom_v3_norm(carom_v3_sub(last->bend, first->bend)) > 1e-6)
        m->refusal = "a closed curve has the same tangent and curvature where it ends and begins; this one has a kink";
    m->where = last->u;
    last->at = first->at;
    last->tangent = first->tangent;
    last->bend = first->bend;
}

static void pack(maker *m, double *path)
{
    path[CAROM_PATH_COUNT] = (double)(m->count - 1);
    path[CAROM_PATH_CLOSED] = m->source->closed;
    path[CAROM_PATH_LENGTH] = m->nodes[m->count - 1].s;
    path[CAROM_PATH_SIZE] = m->size;
    double *c = path + CAROM_PATH_HEADER;
    node middle;
    for (size_t k = 0; k + 1 < m->count; k++, c += CAROM_PATH_SEGMENT) {
        c[CAROM_PATH_START] = m->nodes[k].s;
        c[CAROM_PATH_EXTENT] = m->nodes[k + 1].s - m->nodes[k].s;
        find_middle(m, &m->nodes[k], &m->nodes[k + 1], &middle);
        fill_point(&m->nodes[k], &middle, &m->nodes[k + 1], c + CAROM_PATH_POINT);
    }
    fill_across(path);
}

carom_status carom_path_make(carom_arena *arena, const carom_path_source *source, double **path, const char **refusal,
                             double *where)
{
    maker m = {.source = source, .where = source->knots[0]};
    carom_arena scratch;
    carom_arena_init(&scratch, arena->ctx);
    carom_status status = CAROM_OK;
    *path = NULL;
    measure(&m);
    if (!isfinite(m.size) || !isfinite(m.mean_speed))
        m.refusal = "the curve is not finite on its range";
    else if (!(m.size > 0))
        m.refusal = "the curve is a single point";
    if (!m.refusal && find_nodes(&m)) {
        m.nodes = carom_arena_alloc(&scratch, m.count, sizeof *m.nodes);
        *path = carom_arena_alloc(arena, CAROM_PATH_HEADER + (m.count - 1) * CAROM_PATH_SEGMENT, sizeof **path);
        status = m.nodes && *path ? CAROM_OK : carom_fail_memory(arena->ctx);
    }
    if (status == CAROM_OK && !m.refusal) {
        find_nodes(&m);
        if (source->closed)
            close_ends(&m);
        pack(&m, *path);
    }
    carom_arena_free(&scratch);
    *refusal = m.refusal;
    *where = m.where;
    return status;
}

/* ---- a spline through points ---- */

static void spline_at(void *user, double u, carom_vec3 out[3])
{
    const carom_path_spline *spline = user;
    size_t k = 1, high = spline->count - 1;
    while (k < high) {
        const size_t middle = (k + high) / 2;
        if (u < spline->u[middle])
            high = middle;
        else
            k = middle + 1;
    }
    double d[3][3];
    for (int n = 0; n < 3; n++) {
        const carom_edges edges = {.n = spline->count, .x = spline->u, .y = spline->y[n], .y2 = spline->bend[n]};
        carom_spline_segment(&edges, (int)k, u, &d[0][n], &d[1][n], &d[2][n]);
    }
    for (int n = 0; n < 3; n++)
        out[n] = carom_v3_load(d[n]);
}

const char *carom_path_spline_make(const double *points, size_t count, int dimension, bool closed, double *work,
                                   carom_path_spline *spline, carom_path_source *source, size_t *where)
{
    double *u = work, *y = work + count + 1, *bend = y + 3 * (count + 1), *fit = bend + 6 * (count + 1);
    size_t n = count;
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < 3; i++)
            y[(size_t)i * (count + 1) + k] = i < dimension ? points[k * (size_t)dimension + (size_t)i] : 0;
    *where = 0;
    for (int i = 0; i < 3 && closed; i++)
        y[(size_t)i * (count + 1) + count] = y[(size_t)i * (count + 1)];
    n += closed;
    if (n < (closed ? 4u : 2u))
        return closed ? "a closed curve needs three points or more" : "a curve needs two points or more";
    u[0] = 0;
    for (size_t k = 1; k < n; k++) {
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            const double *v = y + (size_t)i * (count + 1);
            sum += (v[k] - v[k - 1]) * (v[k] - v[k - 1]);
        }
        u[k] = u[k - 1] + sqrt(sum);
        *where = k < count ? k : 0;
        if (!isfinite(sum))
            return "the points must be finite";
        if (!(sum > 0))
            return k < count ? "two points that follow each other are the same"
                             : "the last point is the first one; of a closed curve it is given once";
    }
    *spline = (carom_path_spline){.count = n, .u = u};
    for (int i = 0; i < 3; i++) {
        spline->y[i] = y + (size_t)i * (count + 1);
        carom_edges edges;
        spline->bend[i] = bend + (size_t)i * 2 * (count + 1);
        carom_spline_fit_ends(NULL, closed ? "periodic" : "natural", NULL, n, u, spline->y[i],
                              bend + (size_t)i * 2 * (count + 1), fit, &edges);
    }
    *source = (carom_path_source){
        .at = spline_at, .user = spline, .knots = spline->u, .knot_count = n, .closed = closed};
    return NULL;
}

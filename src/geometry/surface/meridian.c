/* Cylinder, truncated cone, capsule, torus and tube: bodies of revolution about z whose meridian, in the half-plane
   of the radius r and z, is a convex core of up to four corners with all points within a radius of it. The core of a
   solid begins and ends on the axis; that of a torus or a tube is closed. Chart: longitude u, and v along the
   meridian: the way on its straight sides and `scale` times the turn of the normal on its corners, so that a sharp
   corner has its share. */
#include "base/base.h"
#include "geometry/surface/surface.h"

#define CORNERS 4

typedef struct meridian {
    int count;
    bool closed;
    double r[CORNERS], z[CORNERS];
    double round;
    double scale;
    double first;               /* angle of the first normal, from r towards z */
} meridian;

/* Side k from corner k: its length and the angle of its normal. */
static double side_length(const meridian *m, int k)
{
    const int next = (k + 1) % m->count;
    return hypot(m->r[next] - m->r[k], m->z[next] - m->z[k]);
}

static int side_count(const meridian *m) { return m->closed ? (m->count > 1 ? m->count : 0) : m->count - 1; }

static double side_angle(const meridian *m, int k)
{
    const int next = (k + 1) % m->count;
    return atan2(m->r[k] - m->r[next], m->z[next] - m->z[k]);
}

/* Angles of the normal at the begin and the end of corner k, from begin on without a jump. */
static void corner_angles(const meridian *m, int k, double *begin, double *end)
{
    const int sides = side_count(m);
    *begin = k == 0 ? m->first : side_angle(m, k - 1);
    if (k < sides)
        *end = side_angle(m, k);
    else
        *end = m->closed ? m->first + 2 * CAROM_PI : 0.5 * CAROM_PI;
    if (k == 0 && m->closed)
        *end = sides > 0 ? side_angle(m, 0) : m->first + 2 * CAROM_PI;
    while (*end < *begin - 1e-9)
        *end += 2 * CAROM_PI;
}

static double total(const meridian *m)
{
    double sum = 0;
    for (int k = 0; k < m->count; k++) {
        double begin, end;
        corner_angles(m, k, &begin, &end);
        sum += m->scale * (end - begin);
        if (k < side_count(m))
            sum += side_length(m, k);
    }
    return sum;
}

/* ---- point and normal at v ---- */

typedef struct spot {
    double r, z;                /* of the core */
    double cosine, sine;        /* of the normal */
    double curvature;           /* of the meridian */
    double speed;               /* |dx/dv| */
} spot;

static void on_corner(const meridian *m, int k, double angle, spot *out)
{
    *out = (spot){m->r[k], m->z[k], cos(angle), sin(angle), m->round > 0 ? 1 / m->round : HUGE_VAL,
                  m->round / m->scale};
}

static void on_side(const meridian *m, int k, double way, spot *out)
{
    const int next = (k + 1) % m->count;
    const double length = side_length(m, k);
    const double r = (m->r[next] - m->r[k]) / length, z = (m->z[next] - m->z[k]) / length;
    *out = (spot){m->r[k] + way * r, m->z[k] + way * z, z, -r, 0, 1};
}

static void meridian_at(const meridian *m, double v, spot *out)
{
    const int sides = side_count(m);
    double begin = 0, end = 0;
    v = fmax(v, 0);
    for (int k = 0; k < m->count; k++) {
        corner_angles(m, k, &begin, &end);
        const double share = m->scale * (end - begin);
        if (v < share || (k == m->count - 1 && k >= sides)) {
            on_corner(m, k, begin + fmin(v / m->scale, end - begin), out);
            return;
        }
        v -= share;
        const double length = k < sides ? side_length(m, k) : 0;
        if (k < sides && (v < length || k == m->count - 1)) {
            on_side(m, k, fmin(v, length), out);
            return;
        }
        v -= length;
    }
}

/* The point of the surface at a spot of the meridian, at the longitude of cosine cu and sine su. */
static void turn(const meridian *m, const spot *s, double cu, double su, carom_surface_point *out)
{
    const double r = s->r + m->round * s->cosine, z = s->z + m->round * s->sine;
    out->position = carom_v3(r * cu, r * su, z);
    out->normal = carom_v3(s->cosine * cu, s->cosine * su, s->sine);
    out->direction[0] = carom_v3(-su, cu, 0);
    out->direction[1] = carom_v3(-s->sine * cu, -s->sine * su, s->cosine);
    out->du = carom_v3_scale(r, out->direction[0]);
    out->dv = carom_v3_scale(s->speed, out->direction[1]);
    out->curvature[1] = s->curvature;
    /* on the axis: the sphere of a rounded end, the tip of a cone, or a flat end */
    if (s->r <= 0 && s->curvature > 0)
        out->curvature[0] = s->curvature;
    else
        out->curvature[0] = r > 0 ? s->cosine / r : 0;
}

static void revolve(const meridian *m, double u, double v, carom_surface_point *out)
{
    spot s = {0};
    meridian_at(m, v, &s);
    out->u = u;
    out->v = v;
    turn(m, &s, cos(u), sin(u), out);
}

/* ---- nearest point ---- */

/* v of the point of the meridian nearest to (r, z); in the core the nearest side. */
static double meridian_nearest(const meridian *m, double r, double z)
{
    const int sides = side_count(m);
    double start = 0, best = HUGE_VAL, found = 0, inner = -HUGE_VAL, inner_v = 0;
    bool inside = sides > 0;
    for (int k = 0; k < m->count; k++) {
        double begin, end;
        corner_angles(m, k, &begin, &end);
        const double dr = r - m->r[k], dz = z - m->z[k], distance = hypot(dr, dz);
        if (distance < best) {
            double angle = atan2(dz, dr);
            while (angle < begin - 1e-9)
                angle += 2 * CAROM_PI;
            if (angle > end)
                angle = angle - end < begin + 2 * CAROM_PI - angle ? end : begin;
            best = distance;
            found = start + m->scale * fmax(angle - begin, 0);
        }
        start += m->scale * (end - begin);
        if (k >= sides)
            continue;
        spot s;
        on_side(m, k, 0, &s);
        const double length = side_length(m, k), off = dr * s.cosine + dz * s.sine, way = -dr * s.sine + dz * s.cosine;
        inside = inside && off <= 0;
        if (off > inner) {
            inner = off;
            inner_v = start + fmin(fmax(way, 0), length);
        }
        if (way > 0 && way < length && off >= 0 && off < best) {
            best = off;
            found = start + way;
        }
        start += length;
    }
    return inside && m->count > 1 && (m->closed || sides > 1) ? inner_v : found;
}

static void chart_of(const meridian *m, carom_vec3 x, double *u, double *v)
{
    *u = x.x != 0 || x.y != 0 ? atan2(x.y, x.x) : 0;
    *v = meridian_nearest(m, hypot(x.x, x.y), x.z);
}

/* The point of the surface nearest to x, without the functions of angles of its chart, which it has by `chart`. */
static void foot_of(const meridian *m, carom_vec3 x, bool chart, carom_surface_point *out)
{
    const double r = hypot(x.x, x.y);
    spot s = {0};
    out->u = chart && r > 0 ? atan2(x.y, x.x) : 0;
    out->v = chart || m->count > 1 ? meridian_nearest(m, r, x.z) : 0;
    if (m->count > 1) {
        meridian_at(m, out->v, &s);
    } else {
        const double dr = r - m->r[0], dz = x.z - m->z[0], distance = hypot(dr, dz);
        s = (spot){m->r[0], m->z[0], distance > 0 ? dr / distance : 1, distance > 0 ? dz / distance : 0,
                   1 / m->round, m->round / m->scale};
    }
    turn(m, &s, r > 0 ? x.x / r : 1, r > 0 ? x.y / r : 0, out);
}

/* Farthest point along n of the corners at the given end, 0 below and 1 above, or at both, -1. */
static carom_vec3 farthest(const meridian *m, int end, carom_vec3 n)
{
    const carom_vec3 unit = carom_unit(n);
    const double r = hypot(unit.x, unit.y);
    int best = -1;
    for (int k = 0; k < m->count; k++)
        if ((end < 0 || (m->z[k] > 0) == end) &&
            (best < 0 || m->r[k] * r + m->z[k] * unit.z > m->r[best] * r + m->z[best] * unit.z))
            best = k;
    const double cu = r > 0 ? unit.x / r : 1, su = r > 0 ? unit.y / r : 0;
    return carom_v3_add_scaled(carom_v3(m->r[best] * cu, m->r[best] * su, m->z[best]), m->round, unit);
}

/* ---- points that bear an end ---- */

/* A flat end is narrower than this share of the body: it is a point. */
#define POINTED 1e-6

/* Least and greatest radius of the flat of an end and its height without the rounding; false: there is none. */
static bool flat_of(const meridian *m, int end, double *inner, double *outer, double *height)
{
    double size = m->round;
    *inner = HUGE_VAL;
    *outer = 0;
    for (int k = 0; k < m->count; k++) {
        size = fmax(size, hypot(m->r[k], m->z[k]));
        if ((m->z[k] > 0) != end)
            continue;
        *inner = fmin(*inner, m->r[k]);
        *outer = fmax(*outer, m->r[k]);
        *height = m->z[k];
    }
    return *outer - *inner > POINTED * size;
}

static int bearing_count_of(const meridian *m)
{
    double inner, outer, height;
    int count = 2;
    for (int end = 0; end < 2; end++)
        count += flat_of(m, end, &inner, &outer, &height) ? CAROM_END_POINTS : 0;
    return count;
}

/* Tilt [rad] below which the point that runs round the rim of a flat end withdraws to the axis. */
#define FLAT 1e-4

/* The drop of the rim below the middle of a flat end, t = radius sin(tilt), made smooth where the tilt vanishes: f(t),
   which is t from FLAT radius on, and its slope. */
static double drop_of(double radius, double sine, double *slope)
{
    const double x = sine / FLAT, y = x * x;
    *slope = x < 1 ? x * (3.75 - y * (5 - 2.25 * y)) : 1;
    return radius * (x < 1 ? FLAT * y * (1.875 - y * (1.25 - 0.375 * y)) : sine);
}

/* Of each end the point farthest along n, which runs round the rim: with it alone an end that lies flat would have
   nowhere to stand, since the point jumps across where the axis passes through n. So of each flat end follow the
   opposite point of the rim and three points of the material halfway to it; a tilted end is clear of them. The drops of
   both points of the rim are smooth, and the points are where the gradient of the drop has them: gap and force are
   continuous with all their derivatives that matter, and the energy of the contacts is a function of the pose. */
static carom_vec3 bearing_of(const meridian *m, int k, carom_vec3 n)
{
    double inner = 0, outer = 0, height = 0, slope;
    int end = k < 2 ? k : (k - 2) / CAROM_END_POINTS;
    if (k >= 2 && !flat_of(m, 0, &inner, &outer, &height))
        end = 1;
    const bool flat = flat_of(m, end, &inner, &outer, &height);
    const int which = k < 2 ? 0 : (k - 2) % CAROM_END_POINTS;
    const double sine = hypot(n.x, n.y);
    if (k < 2 && (!flat || sine >= FLAT || (n.z > 0) != end))
        return farthest(m, k, n);
    if (which == 0) {
        const double side = k < 2 ? 1 : -1, drop = drop_of(outer, sine, &slope);
        const double cu = sine > 0 ? n.x / sine : 0, su = sine > 0 ? n.y / sine : 0, r = side * outer * slope;
        const double down = m->round + side * (drop - outer * slope * sine);
        return carom_v3_add_scaled(carom_v3(r * cu, r * su, height), down, n);
    }
    const double middle = 0.5 * (inner + outer), angle = 2 * CAROM_PI * which / (CAROM_END_POINTS - 1);
    return carom_v3(middle * cos(angle), middle * sin(angle), height + copysign(m->round, height));
}

/* The same of a torus, whose circle does as the rim of an end: the lowest point, the opposite one, and three balls of
   the radius of the tube halfway to the circle, which a tilted torus is clear of. */
static carom_vec3 ring_bearing(const meridian *m, int k, carom_vec3 n)
{
    const double sine = hypot(n.x, n.y), radius = m->r[0];
    if (k == 0 && sine >= FLAT)
        return farthest(m, -1, n);
    if (k >= 2) {
        const double angle = 2 * CAROM_PI * (k - 1) / (CAROM_END_POINTS - 1);
        return carom_v3_add_scaled(carom_v3(0.5 * radius * cos(angle), 0.5 * radius * sin(angle), 0), m->round, n);
    }
    double slope;
    const double side = k == 0 ? 1 : -1, drop = drop_of(radius, sine, &slope);
    const double cu = sine > 0 ? n.x / sine : 0, su = sine > 0 ? n.y / sine : 0, r = side * radius * slope;
    return carom_v3_add_scaled(carom_v3(r * cu, r * su, 0), m->round + side * (drop - radius * slope * sine), n);
}

/* ---- the kinds ---- */

static meridian cone_of(double below, double above, double half, double round)
{
    const double tilt = atan2(below - above, 2 * half), cosine = cos(tilt), sine = sin(tilt);
    const double offset = cosine * below - sine * half - round, height = half - round;
    const double low = (offset + sine * height) / cosine, high = (offset - sine * height) / cosine;
    return (meridian){.count = 4,
                      .r = {0, fmax(low, 0), fmax(high, 0), 0},
                      .z = {-height, -height, height, height},
                      .round = round,
                      .first = -0.5 * CAROM_PI};
}

/* Leaves out sides of no length: the ends of a cone that is a tip or rounded to the axis. */
static void tidy(meridian *m)
{
    int kept = 1;
    for (int k = 1; k < m->count; k++)
        if (hypot(m->r[k] - m->r[kept - 1], m->z[k] - m->z[kept - 1]) > 1e-12 * (m->scale + m->round)) {
            m->r[kept] = m->r[k];
            m->z[kept++] = m->z[k];
        }
    m->count = kept;
}

static double cylinder_scale(const double *p) { return 0.5 * fmin(p[0], p[1]); }
static double cone_scale(const double *p) { return 0.5 * fmin(fmax(p[0], p[1]), p[2]); }
static double capsule_scale(const double *p) { return p[0]; }
static double torus_scale(const double *p) { return 0.5 * fmin(p[1], p[0] - p[1]); }
static double tube_scale(const double *p) { return 0.5 * fmin(fmin(p[0], p[2]), p[1] - p[0]); }

static meridian cylinder(const double *p)
{
    meridian m = cone_of(p[0], p[0], p[1], p[2]);
    m.scale = cylinder_scale(p);
    tidy(&m);
    return m;
}

static meridian cone(const double *p)
{
    meridian m = cone_of(p[0], p[1], p[2], p[3]);
    m.scale = cone_scale(p);
    tidy(&m);
    return m;
}

static meridian capsule(const double *p)
{
    return (meridian){.count = 2,
                      .r = {0, 0},
                      .z = {-p[1], p[1]},
                      .round = p[0],
                      .scale = capsule_scale(p),
                      .first = -0.5 * CAROM_PI};
}

static meridian torus(const double *p)
{
    return (meridian){.count = 1, .closed = true, .r = {p[0]}, .z = {0}, .round = p[1], .scale = torus_scale(p),
                      .first = -CAROM_PI};
}

static meridian tube(const double *p)
{
    const double inner = p[0] + p[3], outer = p[1] - p[3], height = p[2] - p[3];
    return (meridian){.count = 4,
                      .closed = true,
                      .r = {inner, outer, outer, inner},
                      .z = {-height, -height, height, height},
                      .round = p[3],
                      .scale = tube_scale(p),
                      .first = -CAROM_PI};
}

static bool solid(const double *p)
{
    (void)p;
    return true;
}

static bool ring(const double *p)
{
    (void)p;
    return false;
}

static double corner_radius(const meridian *m)
{
    double radius = 0;
    for (int k = 0; k < m->count; k++)
        radius = fmax(radius, hypot(m->r[k], m->z[k]) + m->round);
    return radius;
}

static const char *cylinder_check(const double *p)
{
    if (!(p[0] > 0 && p[1] > 0) || !isfinite(p[0] + p[1]))
        return "radius and half length of a cylinder must be positive";
    return p[2] >= 0 && p[2] <= fmin(p[0], p[1]) ? NULL
                                                 : "the rim radius must lie from 0 to the lesser of radius and half "
                                                   "length of the cylinder";
}

static const char *cone_check(const double *p)
{
    if (!(p[0] >= 0 && p[1] >= 0 && p[0] + p[1] > 0 && p[2] > 0) || !isfinite(p[0] + p[1] + p[2]))
        return "the half length of a cone must be positive, and one of its radii";
    const double tilt = atan2(p[0] - p[1], 2 * p[2]), offset = cos(tilt) * p[0] - sin(tilt) * p[2] - p[3];
    if (!(p[3] >= 0 && p[3] <= p[2] && offset >= fabs(sin(tilt)) * (p[2] - p[3]) * (1 - 1e-12) - 1e-12 * p[3]))
        return "the rim radius must be 0 or more and leave flat ends: it is too large for the cone's lesser radius";
    return NULL;
}

static const char *capsule_check(const double *p)
{
    return p[0] > 0 && p[1] > 0 && isfinite(p[0] + p[1]) ? NULL
                                                         : "radius and half length of a capsule must be positive";
}

static const char *torus_check(const double *p)
{
    return p[1] > 0 && p[0] > p[1] && isfinite(p[0])
               ? NULL
               : "the radius of the torus' circle must be larger than that of its tube, which must be positive";
}

static const char *tube_check(const double *p)
{
    if (!(p[0] > 0 && p[1] > p[0] && p[2] > 0) || !isfinite(p[1] + p[2]))
        return "a tube needs a positive bore radius, a larger outer radius and a positive half length";
    return p[3] >= 0 && p[3] < fmin(p[2], 0.5 * (p[1] - p[0])) * (1 - 1e-9)
               ? NULL
               : "the rim radius must be 0 or more and less than half the wall and the half length of the tube";
}

/* Functions of a kind from its meridian. */
#define REVOLVED(family, texts, number, is_convex, ends)                                                               \
    static void family##_at(const double *p, double u, double v, carom_surface_point *out)                             \
    {                                                                                                                  \
        const meridian m = family(p);                                                                                  \
        revolve(&m, u, v, out);                                                                                        \
    }                                                                                                                  \
    static void family##_nearest(const double *p, carom_vec3 x, double *u, double *v)                                  \
    {                                                                                                                  \
        const meridian m = family(p);                                                                                  \
        chart_of(&m, x, u, v);                                                                                         \
    }                                                                                                                  \
    static void family##_nearest_point(const double *p, carom_vec3 x, bool chart, carom_surface_point *out)            \
    {                                                                                                                  \
        const meridian m = family(p);                                                                                  \
        foot_of(&m, x, chart, out);                                                                                    \
    }                                                                                                                  \
    static void family##_locate(const double *p, carom_vec3 x, carom_vec3 n, double *u, double *v)                     \
    {                                                                                                                  \
        const meridian m = family(p);                                                                                  \
        chart_of(&m, carom_v3_add_scaled(x, m.scale, n), u, v);                                                        \
    }                                                                                                                  \
    static void family##_range(const double *p, double *low, double *high)                                             \
    {                                                                                                                  \
        const meridian m = family(p);                                                                                  \
        *low = 0;                                                                                                      \
        *high = total(&m);                                                                                             \
    }                                                                                                                  \
    static carom_vec3 family##_support(const double *p, carom_vec3 n)                                                  \
    {                                                                                                                  \
        const meridian m = family(p);                                                                                  \
        return farthest(&m, -1, n);                                                                                    \
    }                                                                                                                  \
    static carom_vec3 family##_bearing(const double *p, int k, carom_vec3 n)                                           \
    {                                                                                                                  \
        const meridian m = family(p);                                                                                  \
        return ends > 1 ? bearing_of(&m, k, n) : ring_bearing(&m, k, n);                                               \
    }                                                                                                                  \
    static int family##_bearing_count(const double *p)                                                                 \
    {                                                                                                                  \
        const meridian m = family(p);                                                                                  \
        return ends > 1 ? bearing_count_of(&m) : 1 + CAROM_END_POINTS;                                                 \
    }                                                                                                                  \
    static double family##_bearing_edge(const double *p)                                                               \
    {                                                                                                                  \
        const meridian m = family(p);                                                                                  \
        return m.round;                                                                                                \
    }                                                                                                                  \
    static double family##_radius(const double *p)                                                                     \
    {                                                                                                                  \
        const meridian m = family(p);                                                                                  \
        return corner_radius(&m);                                                                                      \
    }                                                                                                                  \
    const carom_surface_kind carom_surface_##family = {                                                                \
        .name = #family,                                                                                               \
        .params = texts,                                                                                               \
        .param_count = number,                                                                                         \
        .check = family##_check,                                                                                       \
        .convex = is_convex,                                                                                           \
        .bounding_radius = family##_radius,                                                                            \
        .scale = family##_scale,                                                                                       \
        .range = family##_range,                                                                                       \
        .at = family##_at,                                                                                             \
        .locate = family##_locate,                                                                                     \
        .support = family##_support,                                                                                   \
        .bearing = family##_bearing,                                                                                   \
        .bearing_count = family##_bearing_count,                                                                       \
        .bearing_edge = family##_bearing_edge,                                                                         \
        .nearest = family##_nearest,                                                                                   \
        .nearest_point = family##_nearest_point,                                                                       \
    }

REVOLVED(cylinder, "radius half_length rim_radius", 3, solid, 2);
REVOLVED(cone, "radius_below radius_above half_length rim_radius", 4, solid, 2);
REVOLVED(capsule, "radius half_length", 2, solid, 2);
REVOLVED(torus, "radius tube_radius", 2, ring, 1);
REVOLVED(tube, "bore_radius outer_radius half_length rim_radius", 4, ring, 2);

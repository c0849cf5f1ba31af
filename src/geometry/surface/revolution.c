/* Bodies of revolution about z with the meridian r(z), a polynomial or a natural cubic spline, between two flat ends
   with sharp rims. Chart: longitude u, and v from the axis over the lower end, the lower rim (`scale` times the turn
   of the normal), the meridian (by z), the upper rim and the upper end.
   Validity: r > 0 between the ends, and not negative at them; the radius of hollows of the meridian at least a fifth
   of the lesser of the radius at mid height and the length. Convex where r'' <= 0 throughout. */
#include "base/base.h"
#include "expr/expr_program.h"
#include "geometry/surface/surface.h"
#include "math/roots.h"

#define SAMPLES 32
#define CHECKS 256

/* Meridian: radius at z with its first and second derivative. */
typedef void (*meridian_fn)(const double *p, double z, double *r);

typedef struct body {
    meridian_fn radius;
    const double *p;
    double low, high;           /* z of the ends */
    double r[2], angle[2];      /* radius and angle of the meridian's normal there */
    double scale;
    double start[6];            /* v where the parts begin, and the end */
} body;

static void polynomial_radius(const double *p, double z, double *r)
{
    const int n = (int)p[2];
    const double stretch = 2 / (p[1] - p[0]), s = (2 * z - p[0] - p[1]) / (p[1] - p[0]);
    double f = 0, f1 = 0, f2 = 0;
    for (int k = n - 1; k >= 0; k--) {
        f2 = f2 * s + 2 * f1;
        f1 = f1 * s + f;
        f = f * s + p[3 + k];
    }
    r[0] = f;
    r[1] = f1 * stretch;
    r[2] = f2 * stretch * stretch;
}

static void spline_radius(const double *p, double z, double *r)
{
    const int n = (int)p[0];
    const carom_edges knots = {.n = (size_t)n, .x = p + 1, .y = p + 1 + n, .y2 = p + 1 + 2 * n};
    int segment = 1;
    while (segment < n - 1 && z > knots.x[segment])
        segment++;
    carom_spline_segment(&knots, segment, z, &r[0], &r[1], &r[2]);
}

/* Small against the body; `body_check` keeps it below the radius of its hollows. */
static double scale_of(meridian_fn radius, const double *p, double low, double high)
{
    double r[3];
    radius(p, 0.5 * (low + high), r);
    return 0.1 * fmin(r[0], high - low);
}

static body body_of(meridian_fn radius, const double *p, double low, double high)
{
    body b = {.radius = radius, .p = p, .low = low, .high = high, .scale = scale_of(radius, p, low, high)};
    for (int end = 0; end < 2; end++) {
        double r[3];
        radius(p, end ? high : low, r);
        b.r[end] = fmax(r[0], 0);
        b.angle[end] = atan2(-r[1], 1);
    }
    b.start[1] = b.r[0];
    b.start[2] = b.start[1] + b.scale * (b.angle[0] + 0.5 * CAROM_PI);
    b.start[3] = b.start[2] + (high - low);
    b.start[4] = b.start[3] + b.scale * (0.5 * CAROM_PI - b.angle[1]);
    b.start[5] = b.start[4] + b.r[1];
    return b;
}

static int part_of(const body *b, double v)
{
    int part = 0;
    while (part < 4 && v > b->start[part + 1])
        part++;
    return part;
}

static void revolve(const body *b, double u, double v, carom_surface_point *out)
{
    const int part = part_of(b, v);
    const double way = fmin(fmax(v - b->start[part], 0), b->start[part + 1] - b->start[part]), cu = cos(u), su = sin(u);
    double r[3] = {0, 0, 0}, z = part < 2 ? b->low : b->high, cosine = 0, sine = part == 0 ? -1 : 1;
    double bend = 0, speed = 1;
    if (part == 0 || part == 4) {
        r[0] = part == 0 ? way : b->r[1] - way;
    } else if (part == 2) {
        z = b->low + way;
        b->radius(b->p, z, r);
        speed = hypot(1, r[1]);
        cosine = 1 / speed;
        sine = -r[1] / speed;
        bend = -r[2] / (speed * speed * speed);
    } else {
        const double angle = (part == 1 ? -0.5 * CAROM_PI : b->angle[1]) + way / b->scale;
        r[0] = b->r[part == 3];
        cosine = cos(angle);
        sine = sin(angle);
        bend = HUGE_VAL;
        speed = 0;
    }
    out->u = u;
    out->v = v;
    out->position = carom_v3(r[0] * cu, r[0] * su, z);
    out->normal = carom_v3(cosine * cu, cosine * su, sine);
    out->direction[0] = carom_v3(-su, cu, 0);
    out->direction[1] = carom_v3(-sine * cu, -sine * su, cosine);
    out->du = carom_v3_scale(r[0], out->direction[0]);
    out->dv = carom_v3_scale(speed, out->direction[1]);
    out->curvature[0] = cosine == 0 ? 0 : r[0] > 0 ? cosine / r[0] : HUGE_VAL;
    out->curvature[1] = bend;
}

/* ---- points of the meridian that are least in some sense ---- */

/* The function to make least along the meridian: an end of the search, value, first and second derivative. */
typedef struct aim {
    double r, z;                /* the point to be near; or the direction */
    bool direction;
} aim;

static void aim_at(const body *b, const aim *a, double z, double *f)
{
    double r[3];
    b->radius(b->p, z, r);
    if (a->direction) {
        f[0] = -(a->r * r[0] + a->z * z);
        f[1] = -(a->r * r[1] + a->z);
        f[2] = -a->r * r[2];
        return;
    }
    const double dr = r[0] - a->r, dz = z - a->z;
    f[0] = 0.5 * (dr * dr + dz * dz);
    f[1] = dr * r[1] + dz;
    f[2] = 1 + r[1] * r[1] + dr * r[2];
}

/* Root of the derivative between low (negative) and high (positive), by Newton's method kept between them. */
static double turning(const body *b, const aim *a, double low, double high)
{
    double z = 0.5 * (low + high), f[3];
    for (int k = 0; k < 80; k++) {
        aim_at(b, a, z, f);
        if (f[1] == 0)
            return z;
        *(f[1] < 0 ? &low : &high) = z;
        const double before = z;
        z = carom_newton_between(z, f[1], f[2] > 0 ? f[2] : 0, low, high);
        if (fabs(z - before) <= 1e-16 * (fabs(b->low) + fabs(b->high)))
            return z;
    }
    return z;
}

static double least(const body *b, const aim *a, double *value)
{
    double best = b->low, f[3], before = 0;
    aim_at(b, a, b->low, f);
    *value = f[0];
    before = f[1];
    for (int k = 1; k <= SAMPLES; k++) {
        const double z = k == SAMPLES ? b->high : b->low + (b->high - b->low) * k / SAMPLES;
        aim_at(b, a, z, f);
        double here = z, g[3] = {f[0], 0, 0};
        if (before < 0 && f[1] > 0) {
            here = turning(b, a, b->low + (b->high - b->low) * (k - 1) / SAMPLES, z);
            aim_at(b, a, here, g);
        }
        if (g[0] < *value) {
            *value = g[0];
            best = here;
        }
        before = f[1];
    }
    return best;
}

/* v on a rim for a normal at the given angle. */
static double rim(const body *b, int end, double angle)
{
    const double begin = end ? b->angle[1] : -0.5 * CAROM_PI, stop = end ? 0.5 * CAROM_PI : b->angle[0];
    if (angle < begin - CAROM_PI)
        angle += 2 * CAROM_PI;
    return b->start[end ? 3 : 1] + b->scale * (fmin(fmax(angle, begin), stop) - begin);
}

static void body_nearest(const body *b, carom_vec3 x, double *u, double *v)
{
    const double r = hypot(x.x, x.y);
    const aim a = {.r = r, .z = x.z};
    double value;
    const double z = least(b, &a, &value);
    double best = sqrt(2 * value);
    *u = x.x != 0 || x.y != 0 ? atan2(x.y, x.x) : 0;
    if (z <= b->low)
        *v = rim(b, 0, atan2(x.z - b->low, r - b->r[0]));
    else if (z >= b->high)
        *v = rim(b, 1, atan2(x.z - b->high, r - b->r[1]));
    else
        *v = b->start[2] + (z - b->low);
    for (int end = 0; end < 2; end++) {
        const double off = fabs(x.z - (end ? b->high : b->low));
        if (r < b->r[end] && off < best) {
            best = off;
            *v = end ? b->start[5] - r : r;
        }
    }
}

/* z of the meridian's point whose normal passes through (r, z), by Newton's method from `start`. */
static double foot_near(const body *b, double r, double z, double start)
{
    const aim a = {.r = r, .z = z};
    double at = start, f[3];
    for (int k = 0; k < 4; k++) {
        aim_at(b, &a, at, f);
        if (!(f[2] > 0))
            break;
        at = fmin(fmax(at - f[1] / f[2], b->low), b->high);
    }
    return at;
}

/* With w = x + scale n: of the points of the parts over which w may lie the one that it fits best. */
static void body_locate(const body *b, carom_vec3 x, carom_vec3 n, double *u, double *v)
{
    const carom_vec3 w = carom_v3_add_scaled(x, b->scale, n);
    const double r = hypot(w.x, w.y);
    const double tries[5] = {fmin(r, b->r[0]), rim(b, 0, atan2(w.z - b->low, r - b->r[0])),
                             b->start[2] + foot_near(b, r, w.z, fmin(fmax(x.z, b->low), b->high)) - b->low,
                             rim(b, 1, atan2(w.z - b->high, r - b->r[1])), b->start[5] - fmin(r, b->r[1])};
    double best = HUGE_VAL;
    *u = r > 0 ? atan2(w.y, w.x) : 0;
    for (int k = 0; k < 5; k++) {
        carom_surface_point here;
        revolve(b, *u, tries[k], &here);
        const double off =
            carom_v3_norm(carom_v3_sub(carom_v3_add_scaled(here.position, b->scale, here.normal), w));
        if (off < best) {
            best = off;
            *v = tries[k];
        }
    }
}

static carom_vec3 body_support(const body *b, carom_vec3 n)
{
    const double along = hypot(n.x, n.y);
    const aim a = {.r = along, .z = n.z, .direction = true};
    double value, r[3];
    const double z = least(b, &a, &value);
    b->radius(b->p, z, r);
    return carom_v3(along > 0 ? r[0] * n.x / along : r[0], along > 0 ? r[0] * n.y / along : 0, z);
}

static double body_bound(const body *b)
{
    const aim a = {.direction = true, .r = 1};
    double value;
    least(b, &a, &value);
    return hypot(-value, fmax(fabs(b->low), fabs(b->high)));
}

static bool body_convex(const body *b)
{
    for (int k = 0; k <= CHECKS; k++) {
        double r[3];
        b->radius(b->p, b->low + (b->high - b->low) * k / CHECKS, r);
        if (r[2] > 1e-9 / b->scale)
            return false;
    }
    return true;
}

static const char *body_check(const body *b)
{
    for (int k = 0; k <= CHECKS; k++) {
        double r[3];
        b->radius(b->p, b->low + (b->high - b->low) * k / CHECKS, r);
        const bool end = k == 0 || k == CHECKS;
        if (!(end ? r[0] >= 0 : r[0] > 0) || !isfinite(r[1]))
            return "the meridian must have a positive radius between its ends";
        if (r[2] * 2 * b->scale > pow(hypot(1, r[1]), 3))
            return "a hollow of the meridian is too narrow: its radius must be a fifth of the radius or length of the "
                   "body, whichever is less";
    }
    return NULL;
}

/* ---- the kinds ---- */

static body polynomial(const double *p) { return body_of(polynomial_radius, p, p[0], p[1]); }
static body spline(const double *p) { return body_of(spline_radius, p, p[1], p[(int)p[0]]); }

static const char *polynomial_check(const double *p)
{
    if (!(p[1] > p[0]) || !isfinite(p[1] - p[0]))
        return "z1 of a meridian must be larger than z0";
    if (!(p[2] >= 1 && p[2] <= 16))
        return "a meridian has from 1 to 16 coefficients";
    const body b = polynomial(p);
    return body_check(&b);
}

static const char *spline_check(const double *p)
{
    const int n = (int)p[0];
    if (n < 3)
        return "a spline meridian needs 3 knots or more";
    for (int k = 1; k < n; k++)
        if (!(p[1 + k] > p[k]) || !isfinite(p[1 + k]))
            return "the z of the knots of a meridian must increase";
    const body b = spline(p);
    return body_check(&b);
}

/* Functions of a kind from its body. */
#define REVOLVED(family, texts)                                                                                        \
    static bool family##_convex(const double *p)                                                                       \
    {                                                                                                                  \
        const body b = family(p);                                                                                      \
        return body_convex(&b);                                                                                        \
    }                                                                                                                  \
    static double family##_radius_about(const double *p)                                                               \
    {                                                                                                                  \
        const body b = family(p);                                                                                      \
        return body_bound(&b);                                                                                         \
    }                                                                                                                  \
    static double family##_scale(const double *p)                                                                      \
    {                                                                                                                  \
        const body b = family(p);                                                                                      \
        return b.scale;                                                                                                \
    }                                                                                                                  \
    static void family##_range(const double *p, double *low, double *high)                                             \
    {                                                                                                                  \
        const body b = family(p);                                                                                      \
        *low = 0;                                                                                                      \
        *high = b.start[5];                                                                                            \
    }                                                                                                                  \
    static void family##_at(const double *p, double u, double v, carom_surface_point *out)                             \
    {                                                                                                                  \
        const body b = family(p);                                                                                      \
        revolve(&b, u, v, out);                                                                                        \
    }                                                                                                                  \
    static void family##_locate(const double *p, carom_vec3 x, carom_vec3 n, double *u, double *v)                     \
    {                                                                                                                  \
        const body b = family(p);                                                                                      \
        body_locate(&b, x, n, u, v);                                                                                   \
    }                                                                                                                  \
    static carom_vec3 family##_support(const double *p, carom_vec3 n)                                                  \
    {                                                                                                                  \
        const body b = family(p);                                                                                      \
        return body_support(&b, n);                                                                                    \
    }                                                                                                                  \
    static void family##_nearest(const double *p, carom_vec3 x, double *u, double *v)                                  \
    {                                                                                                                  \
        const body b = family(p);                                                                                      \
        body_nearest(&b, x, u, v);                                                                                     \
    }                                                                                                                  \
    const carom_surface_kind carom_surface_##family = {                                                                \
        .name = #family,                                                                                               \
        .params = texts,                                                                                               \
        .check = family##_check,                                                                                       \
        .convex = family##_convex,                                                                                     \
        .bounding_radius = family##_radius_about,                                                                      \
        .scale = family##_scale,                                                                                       \
        .range = family##_range,                                                                                       \
        .at = family##_at,                                                                                             \
        .locate = family##_locate,                                                                                     \
        .support = family##_support,                                                                                   \
        .nearest = family##_nearest,                                                                                   \
    }

REVOLVED(polynomial, "z0 z1 count c0 ...");
REVOLVED(spline, "count z ... r ... r2 ...");

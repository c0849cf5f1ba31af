/* Ellipsoid and superellipsoid: F(x) = 1 with the norm F = (rho^q + |z/c|^q)^(1/q), rho = (|x/a|^p +
   |y/b|^p)^(1/p), p = 2/e2, q = 2/e1. Chart: longitude u and latitude v of the direction (x/a, y/b, z/c), along
   which the surface is met where F = 1. The support point along n is the gradient of the dual norm, with the
   exponents p/(p - 1) and q/(q - 1) in (a n_x, b n_y, c n_z).
   Source: Barr 1981 (superquadrics); Rockafellar 1970, section 15 (gauges and polars).
   Validity: exponents from 0.2 to 1.8, where the surface is convex and has one normal everywhere; below 1 it is flat
   at its axes, above 1 its curvature is unbounded there. */
#include "base/base.h"
#include "geometry/surface/surface.h"

typedef struct ellipsoid_norm {
    carom_vec3 half;
    double p, q;
} ellipsoid_norm;

static ellipsoid_norm norm_of(const double *p, bool super)
{
    return (ellipsoid_norm){carom_v3_load(p), super ? 2 / p[4] : 2, super ? 2 / p[3] : 2};
}

/* |x|^e, exact for the exponents of ellipsoids. */
static double power(double x, double e)
{
    x = fabs(x);
    return e == 1 ? x : e == 2 ? x * x : e == 0 ? 1 : pow(x, e);
}

static double sign(double x) { return x < 0 ? -1 : 1; }

/* Gauge of scaled components y, its gradient and, if asked, its Hessian (xx, xy, yy, xz, yz, zz), both scaled. */
static double norm_value(double p, double q, carom_vec3 y, carom_vec3 *gradient, double *hessian)
{
    const double flat = fmax(fabs(y.x), fabs(y.y)), largest = fmax(flat, fabs(y.z));
    const double rho = flat > 0 ? flat * pow(power(y.x / flat, p) + power(y.y / flat, p), 1 / p) : 0;
    const double f = largest * pow(power(rho / largest, q) + power(y.z / largest, q), 1 / q);
    /* shares of the two steps; at the poles those of the x-axis */
    const double sx = rho > 0 ? fabs(y.x) / rho : 1, sy = rho > 0 ? fabs(y.y) / rho : 0;
    const double sr = rho / f, sz = fabs(y.z) / f;
    const double gx = sign(y.x) * power(sx, p - 1), gy = sign(y.y) * power(sy, p - 1);
    const double fr = power(sr, q - 1), fz = sign(y.z) * power(sz, q - 1);
    *gradient = carom_v3(fr * gx, fr * gy, fz);
    if (!hessian)
        return f;
    const double tiny = 1e-9, r1 = fmax(sr, tiny), z1 = fmax(sz, tiny), x1 = fmax(sx, tiny), y1 = fmax(sy, tiny);
    const double frr = (q - 1) / f * power(r1, q - 2) * power(sz, q);
    const double frz = -(q - 1) / f * fr * fz, fzz = (q - 1) / f * power(z1, q - 2) * power(sr, q);
    /* F_rho times the Hessian of rho, whose 1/rho is 1/(f sr) */
    const double bend = (p - 1) / f * power(r1, q - 2);
    hessian[0] = frr * gx * gx + bend * power(x1, p - 2) * power(sy, p);
    hessian[1] = frr * gx * gy - bend * gx * gy;
    hessian[2] = frr * gy * gy + bend * power(y1, p - 2) * power(sx, p);
    hessian[3] = frz * gx;
    hessian[4] = frz * gy;
    hessian[5] = fzz;
    return f;
}

/* The same with p = q = 2, without powers. */
static double ellipsoid_value(carom_vec3 y, carom_vec3 *gradient, double *hessian)
{
    const double f = carom_v3_norm(y);
    const carom_vec3 n = carom_v3_scale(1 / f, y);
    *gradient = n;
    if (hessian) {
        hessian[0] = (1 - n.x * n.x) / f;
        hessian[1] = -n.x * n.y / f;
        hessian[2] = (1 - n.y * n.y) / f;
        hessian[3] = -n.x * n.z / f;
        hessian[4] = -n.y * n.z / f;
        hessian[5] = (1 - n.z * n.z) / f;
    }
    return f;
}

static double value(const ellipsoid_norm *g, carom_vec3 y, carom_vec3 *gradient, double *hessian)
{
    return g->p == 2 && g->q == 2 ? ellipsoid_value(y, gradient, hessian)
                                  : norm_value(g->p, g->q, y, gradient, hessian);
}

static carom_vec3 times(carom_vec3 a, carom_vec3 b) { return carom_v3(a.x * b.x, a.y * b.y, a.z * b.z); }
static carom_vec3 over(carom_vec3 a, carom_vec3 b) { return carom_v3(a.x / b.x, a.y / b.y, a.z / b.z); }

static double quadratic(const double *h, carom_vec3 a, carom_vec3 b)
{
    return h[0] * a.x * b.x + h[2] * a.y * b.y + h[5] * a.z * b.z + h[1] * (a.x * b.y + a.y * b.x) +
           h[3] * (a.x * b.z + a.z * b.x) + h[4] * (a.y * b.z + a.z * b.y);
}

/* Principal curvatures of the tangent plane's quadratic form h(a, b)/slope. */
static void bend(const ellipsoid_norm *g, const double *h, double slope, carom_surface_point *out)
{
    const carom_vec3 hint = fabs(out->normal.z) < 0.9 ? carom_v3(0, 0, 1) : carom_v3(1, 0, 0);
    const carom_mat3 axes = carom_m3_axes(out->normal, hint);
    const carom_vec3 f = carom_m3_column(&axes, 0), k = carom_m3_column(&axes, 1);
    const carom_vec3 fs = over(f, g->half), ks = over(k, g->half);
    const double ff = quadratic(h, fs, fs) / slope, fk = quadratic(h, fs, ks) / slope;
    const double kk = quadratic(h, ks, ks) / slope;
    const double mean = 0.5 * (ff + kk), half = 0.5 * (ff - kk), radius = hypot(half, fk);
    const double angle = radius > 0 ? 0.5 * atan2(fk, half) : 0;
    out->direction[0] = carom_v3_add(carom_v3_scale(cos(angle), f), carom_v3_scale(sin(angle), k));
    out->direction[1] = carom_v3_cross(out->normal, out->direction[0]);
    out->curvature[0] = mean + radius;
    out->curvature[1] = radius > 0.5 * mean ? (ff * kk - fk * fk) / (mean + radius) : mean - radius;
    for (int a = 0; a < 2; a++)
        out->curvature[a] = fmax(out->curvature[a], 0);
}

static void at(const ellipsoid_norm *g, double u, double v, carom_surface_point *out)
{
    const double cu = cos(u), su = sin(u), cv = cos(v), sv = sin(v);
    const carom_vec3 y = carom_v3(cv * cu, cv * su, sv);
    const carom_vec3 yu = carom_v3(-cv * su, cv * cu, 0), yv = carom_v3(-sv * cu, -sv * su, cv);
    carom_vec3 slope;
    double h[6];
    const double f = value(g, y, &slope, h);
    for (int k = 0; k < 6; k++)
        h[k] *= f; /* at the surface: the Hessian has degree -1 */
    const carom_vec3 on = carom_v3_scale(1 / f, y);
    const carom_vec3 gradient = over(slope, g->half);
    const double steep = carom_v3_norm(gradient);
    out->u = u;
    out->v = v;
    out->position = times(g->half, on);
    out->normal = carom_v3_scale(1 / steep, gradient);
    out->du = times(g->half, carom_v3_scale(1 / f, carom_v3_add_scaled(yu, -carom_v3_dot(slope, yu), on)));
    out->dv = times(g->half, carom_v3_scale(1 / f, carom_v3_add_scaled(yv, -carom_v3_dot(slope, yv), on)));
    bend(g, h, steep, out);
}

static void angles(const ellipsoid_norm *g, carom_vec3 x, double *u, double *v)
{
    const carom_vec3 y = over(x, g->half);
    *u = atan2(y.y, y.x);
    *v = atan2(y.z, hypot(y.x, y.y));
}

static carom_vec3 support(const ellipsoid_norm *g, carom_vec3 n)
{
    carom_vec3 gradient;
    if (g->p == 2 && g->q == 2)
        ellipsoid_value(times(g->half, n), &gradient, NULL);
    else
        norm_value(g->p / (g->p - 1), g->q / (g->q - 1), times(g->half, n), &gradient, NULL);
    return times(g->half, gradient);
}

static double largest(const double *p) { return fmax(p[0], fmax(p[1], p[2])); }
static double smallest(const double *p) { return fmin(p[0], fmin(p[1], p[2])); }

static bool always_convex(const double *p)
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

static const char *check_half(const double *p)
{
    const bool good = p[0] > 0 && p[1] > 0 && p[2] > 0 && isfinite(p[0] + p[1] + p[2]);
    return good ? NULL : "the semi-axes a, b, c must be positive";
}

/* ---- ellipsoid ---- */

static void ellipsoid_at(const double *p, double u, double v, carom_surface_point *out)
{
    const ellipsoid_norm g = norm_of(p, false);
    at(&g, u, v, out);
}

static void ellipsoid_locate(const double *p, carom_vec3 x, carom_vec3 n, double *u, double *v)
{
    const ellipsoid_norm g = norm_of(p, false);
    (void)n;
    angles(&g, x, u, v);
}

static carom_vec3 ellipsoid_support(const double *p, carom_vec3 n)
{
    const ellipsoid_norm g = norm_of(p, false);
    return support(&g, n);
}

const carom_surface_kind carom_surface_ellipsoid = {
    .name = "ellipsoid",
    .params = "a b c",
    .param_count = 3,
    .check = check_half,
    .convex = always_convex,
    .bounding_radius = largest,
    .scale = smallest,
    .range = range,
    .at = ellipsoid_at,
    .locate = ellipsoid_locate,
    .support = ellipsoid_support,
};

/* ---- superellipsoid ---- */

static const char *super_check(const double *p)
{
    if (check_half(p))
        return check_half(p);
    for (int k = 3; k < 5; k++)
        if (!(p[k] >= 0.2 && p[k] <= 1.8))
            return "the exponents e1, e2 must lie from 0.2 to 1.8: beyond, the surface has edges or is not convex";
    return NULL;
}

static double super_radius(const double *p)
{
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}

static void super_at(const double *p, double u, double v, carom_surface_point *out)
{
    const ellipsoid_norm g = norm_of(p, true);
    at(&g, u, v, out);
}

/* From the position where the surface is flat, from the normal where it is sharp: whichever fits both better. */
static void super_locate(const double *p, carom_vec3 x, carom_vec3 n, double *u, double *v)
{
    const ellipsoid_norm g = norm_of(p, true);
    angles(&g, x, u, v);
    if (g.p >= 2 && g.q >= 2)
        return;
    const double scale = smallest(p);
    double other[2], off[2];
    angles(&g, support(&g, n), &other[0], &other[1]);
    for (int k = 0; k < 2; k++) {
        carom_surface_point here;
        at(&g, k ? other[0] : *u, k ? other[1] : *v, &here);
        off[k] = carom_v3_norm(carom_v3_sub(here.position, x)) + scale * carom_v3_norm(carom_v3_sub(here.normal, n));
    }
    if (off[1] < off[0]) {
        *u = other[0];
        *v = other[1];
    }
}

static carom_vec3 super_support(const double *p, carom_vec3 n)
{
    const ellipsoid_norm g = norm_of(p, true);
    return support(&g, n);
}

const carom_surface_kind carom_surface_superellipsoid = {
    .name = "superellipsoid",
    .params = "a b c e1 e2",
    .param_count = 5,
    .check = super_check,
    .convex = always_convex,
    .bounding_radius = super_radius,
    .scale = smallest,
    .range = range,
    .at = super_at,
    .locate = super_locate,
    .support = super_support,
};

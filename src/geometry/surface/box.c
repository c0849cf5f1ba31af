/* Box with rounded edges: the points within the edge radius rho of a core with the half sizes h - rho; sharp where
   rho is 0. Chart: longitude u and latitude v of the direction in which the surface at the distance rho + scale of
   the core is met; on sharp edges and corners only the normal moves with them. */
#include "base/base.h"
#include "geometry/surface/surface.h"

static void core_of(const double *p, double *core)
{
    for (int k = 0; k < 3; k++)
        core[k] = p[k] - p[3];
}

static double smallest(const double *p) { return fmin(p[0], fmin(p[1], p[2])); }
static double scale(const double *p) { return 0.5 * smallest(p); }

static double bounding_radius(const double *p)
{
    double core[3];
    core_of(p, core);
    return sqrt(core[0] * core[0] + core[1] * core[1] + core[2] * core[2]) + p[3];
}

static const char *check(const double *p)
{
    if (!(smallest(p) > 0) || !isfinite(p[0] + p[1] + p[2]))
        return "the half sizes of a box must be positive";
    return p[3] >= 0 && p[3] <= smallest(p) ? NULL
                                            : "the edge radius must lie from 0 to the least half size of the box";
}

static bool convex(const double *p)
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

static void store(carom_vec3 a, double *out)
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

/* The part of w beyond the core; returns its square. */
static double beyond(const double *core, const double *w, double *out)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        out[k] = w[k] > core[k] ? w[k] - core[k] : w[k] < -core[k] ? w[k] + core[k] : 0;
        square += out[k] * out[k];
    }
    return square;
}

/* Length along the direction d at which the distance to the core is `far`: the sides of the core are left one after the
   other, and between two of them the square of the distance is a quadratic. */
static double cast(const double *core, const double *d, double far)
{
    double leave[3], a = 0, b = 0, c = -far * far, reach = 0;
    bool used[3] = {false, false, false};
    for (int k = 0; k < 3; k++)
        leave[k] = fabs(d[k]) > 1e-300 ? core[k] / fabs(d[k]) : HUGE_VAL;
    for (int count = 0; count < 3; count++) {
        int next = -1;
        for (int k = 0; k < 3; k++)
            if (!used[k] && (next < 0 || leave[k] < leave[next]))
                next = k;
        if (count > 0 && !(leave[next] < reach))
            break;
        used[next] = true;
        a += d[next] * d[next];
        b -= fabs(d[next]) * core[next];
        c += core[next] * core[next];
        reach = (-b + sqrt(fmax(b * b - a * c, 0))) / a;
    }
    return reach;
}

/* Curvatures on a face, an edge or a corner, by the number of the normal's components. */
static void bend(const double *p, const double *off, carom_surface_point *out)
{
    const double round = p[3] > 0 ? 1 / p[3] : HUGE_VAL;
    int count = 0, flat = 2;
    for (int k = 0; k < 3; k++) {
        count += off[k] != 0;
        if (off[k] == 0)
            flat = k;
    }
    const carom_vec3 along = carom_v3(flat == 0, flat == 1, flat == 2);
    const carom_mat3 axes = carom_m3_axes(out->normal, count == 3 ? carom_v3(1, 0, 0) : along);
    out->direction[0] = carom_m3_column(&axes, 0);
    out->direction[1] = carom_m3_column(&axes, 1);
    out->curvature[0] = count == 3 ? round : 0;
    out->curvature[1] = count >= 2 ? round : 0;
}

static void at(const double *p, double u, double v, carom_surface_point *out)
{
    const double far = p[3] + scale(p), cu = cos(u), su = sin(u), cv = cos(v), sv = sin(v);
    const double d[3] = {cv * cu, cv * su, sv};
    const double turn[2][3] = {{-cv * su, cv * cu, 0}, {-sv * cu, -sv * su, cv}};
    double core[3], w[3], off[3], x[3], n[3], rate[2][3];
    core_of(p, core);
    const double reach = cast(core, d, far);
    for (int k = 0; k < 3; k++)
        w[k] = reach * d[k];
    const double distance = sqrt(beyond(core, w, off));
    double along = 0, across[2] = {0, 0};
    for (int k = 0; k < 3; k++) {
        n[k] = off[k] / distance;
        x[k] = w[k] - off[k] + p[3] * n[k];
        along += n[k] * d[k];
        across[0] += n[k] * turn[0][k];
        across[1] += n[k] * turn[1][k];
    }
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < 3; k++) {
            const double move = reach * (turn[a][k] - across[a] / along * d[k]);
            rate[a][k] = off[k] != 0 ? p[3] / far * move : move;
        }
    out->u = u;
    out->v = v;
    out->position = carom_v3_load(x);
    out->normal = carom_v3_load(n);
    out->du = carom_v3_load(rate[0]);
    out->dv = carom_v3_load(rate[1]);
    bend(p, off, out);
}

/* Parameters of the point over the core point of w with the normal `off`. */
static void chart(const double *p, const double *w, const double *off, double length, double *u, double *v)
{
    const double far = p[3] + scale(p);
    double y[3];
    for (int k = 0; k < 3; k++)
        y[k] = w[k] + (far / length - 1) * off[k];
    *u = atan2(y[1], y[0]);
    *v = atan2(y[2], hypot(y[0], y[1]));
}

static void nearest(const double *p, carom_vec3 x, double *u, double *v)
{
    double core[3], w[3], off[3];
    core_of(p, core);
    store(x, w);
    double square = beyond(core, w, off);
    if (!(square > 0)) {
        int face = 0;
        for (int k = 1; k < 3; k++)
            if (core[k] - fabs(w[k]) < core[face] - fabs(w[face]))
                face = k;
        off[face] = w[face] < 0 ? -1 : 1;
        w[face] = off[face] * (core[face] + 1);
        square = 1;
    }
    chart(p, w, off, sqrt(square), u, v);
}

static void locate(const double *p, carom_vec3 x, carom_vec3 n, double *u, double *v)
{
    nearest(p, carom_v3_add_scaled(x, scale(p), n), u, v);
}

static carom_vec3 support(const double *p, carom_vec3 n)
{
    const carom_vec3 unit = carom_unit(n);
    double core[3];
    core_of(p, core);
    return carom_v3_add_scaled(
        carom_v3(copysign(core[0], n.x), copysign(core[1], n.y), copysign(core[2], n.z)), p[3], unit);
}

static carom_vec3 bearing(const double *p, int k, carom_vec3 n)
{
    double core[3];
    core_of(p, core);
    return carom_v3_add_scaled(
        carom_v3(k & 1 ? core[0] : -core[0], k & 2 ? core[1] : -core[1], k & 4 ? core[2] : -core[2]), p[3], n);
}

static int bearing_count(const double *p)
{
    (void)p;
    return 8;
}

static double bearing_edge(const double *p) { return p[3]; }

const carom_surface_kind carom_surface_box = {
    .name = "box",
    .params = "half_x half_y half_z edge_radius",
    .param_count = 4,
    .check = check,
    .convex = convex,
    .bounding_radius = bounding_radius,
    .scale = scale,
    .range = range,
    .at = at,
    .locate = locate,
    .support = support,
    .bearing = bearing,
    .bearing_count = bearing_count,
    .bearing_edge = bearing_edge,
    .nearest = nearest,
};

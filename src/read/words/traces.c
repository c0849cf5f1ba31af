/* Curves of an outline that are given by functions, r(phi) or x(u), y(u): splines through points of them, with the
   directions of the curve at both ends. A parallel curve at a distance stands in for the surface of a cam whose curve
   is that of the centre of its roller. */
#include "read/reader.h"

#include <math.h>
#include <string.h>

#define LEAST_POINTS 4
#define MOST_POINTS 20000
#define SAME_POINT 1e-9         /* of the size of the curve: it ends where it begins */
#define SAME_DIRECTION 1e-6     /* and there goes on */

typedef struct function {
    carom_function_def def;
    carom_expr *expr;
    int *switches;
} function;

/* A point with the derivatives by the argument. */
typedef struct curve_point {
    double x[2], d[2], dd[2];
} curve_point;

static carom_status prepare(carom_reader *r, const carom_node *node, const char *key, const char *argument,
                            const char *text, const carom_place *place, carom_dimension dimension, function *f)
{
    static const char *const names[] = {"phi", "u"};
    char wanted[160], given[160];
    *f = (function){.def = {.name = key, .value = text, .argument_count = 1, .place = *place}};
    f->def.arguments = &names[strcmp(argument, "u") == 0];
    if (carom_reader_parameter_find(r, argument))
        return carom_read_fail(r, &node->key_place, "in '%s' %s is the argument; give the parameter of "
                               "that name another one", key, argument);
    CAROM_TRY(carom_check_identifiers(r, text, place, NULL));
    const carom_expr_scope scope = carom_reader_scope(r, false, false);
    CAROM_TRY(carom_expr_compile_graph(&r->scratch, &scope, &f->def, dimension, &f->expr));
    const carom_dimension of = carom_expr_dimension(f->expr);
    if (!carom_unit_fits("m", CAROM_UNIT_ANY, &of))
        return carom_read_fail(r, place, "'%s': %s is needed here, and '%.60s' is %s", key,
                               carom_unit_text("m", CAROM_UNIT_ANY, wanted, sizeof wanted), text,
                               carom_dimension_text(&of, given, sizeof given));
    f->switches = carom_arena_alloc(&r->scratch, (size_t)carom_expr_switch_count(f->expr) + 1, sizeof *f->switches);
    return f->switches ? CAROM_OK : carom_fail_memory(r->ctx);
}

/* The value and its derivatives at u, on the side of `inside` where it has a kink. */
static carom_jet value_at(const function *f, double u, double inside)
{
    carom_expr_set_switches(f->expr, inside, NULL, f->switches);
    return carom_expr_jet(f->expr, u, f->switches);
}

static curve_point polar_point(const function *f, double phi, double inside)
{
    const carom_jet r = value_at(f, phi, inside);
    const double c = cos(phi), s = sin(phi);
    return (curve_point){.x = {r.value * c, r.value * s},
                         .d = {r.rate * c - r.value * s, r.rate * s + r.value * c},
                         .dd = {r.acceleration * c - 2 * r.rate * s - r.value * c,
                                r.acceleration * s + 2 * r.rate * c - r.value * s}};
}

static curve_point trace_point(const function *f, double u, double inside)
{
    const carom_jet x = value_at(&f[0], u, inside), y = value_at(&f[1], u, inside);
    return (curve_point){{x.value, y.value}, {x.rate, y.rate}, {x.acceleration, y.acceleration}};
}

/* Moves a point of the curve to that of the parallel one, to the right of its way; its direction becomes a unit vector
   along the way. */
static carom_status move_aside(const carom_reader *r, const carom_node *node, double u, double sign, double offset,
                               curve_point *p)
{
    const double speed = hypot(p->d[0], p->d[1]);
    if (!(isfinite(p->x[0]) && isfinite(p->x[1]) && isfinite(speed)))
        return carom_read_fail(r, &node->key_place, "'%s': the curve has no finite point or direction at %g", node->key,
                               u);
    if (!(speed > 0))
        return carom_read_fail(r, &node->key_place, "'%s': the curve stands still at %g and has no direction there",
                               node->key, u);
    const double curvature = sign * (p->d[0] * p->dd[1] - p->d[1] * p->dd[0]) / (speed * speed * speed);
    for (int k = 0; k < 2; k++)
        p->d[k] *= sign / speed;
    if (!(1 + offset * curvature > 0))
        return carom_read_fail(r, &node->key_place,
                               "'%s': at %g the curve has a radius of curvature of %g m, and an offset of %g m goes "
                               "beyond its centre: the outline would cross itself",
                               node->key, u, fabs(1 / curvature), offset);
    p->x[0] += offset * p->d[1];
    p->x[1] -= offset * p->d[0];
    return CAROM_OK;
}

static carom_status count_points(const carom_reader *r, const carom_node *node, const carom_trace_def *trace, size_t *n)
{
    if (!(trace->points >= LEAST_POINTS && trace->points <= MOST_POINTS) || trace->points != floor(trace->points))
        return carom_read_fail(r, &trace->points_place, "'%s': 'points' is %g; it is how many there are, %d to %d",
                               node->key, trace->points, LEAST_POINTS, MOST_POINTS);
    if (!(trace->to != trace->from) || !isfinite(trace->to - trace->from))
        return carom_read_fail(r, &trace->to_place, "'%s': it ends where it begins, at %g", node->key, trace->to);
    *n = (size_t)trace->points;
    return CAROM_OK;
}

/* Closed curves go through their first point once; others have the directions of both ends. */
static void close_or_clamp(const curve_point ends[2], double size, double *tangents, carom_outline_def *out)
{
    const double gap = hypot(ends[1].x[0] - ends[0].x[0], ends[1].x[1] - ends[0].x[1]);
    const double turn = hypot(ends[1].d[0] - ends[0].d[0], ends[1].d[1] - ends[0].d[1]);
    if (gap <= SAME_POINT * size && turn <= SAME_DIRECTION) {
        out->ends = "periodic";
        out->point_count--;
        return;
    }
    for (int k = 0; k < 2; k++)
        memcpy(tangents + 2 * k, ends[k].d, sizeof ends[k].d);
    out->ends = "clamped";
    out->tangents = tangents;
    out->tangent_count = 2;
}

carom_status carom_read_trace(carom_reader *r, carom_object object, const carom_node *node,
                              const carom_trace_def *trace, carom_outline_def *out)
{
    const bool polar = object == CAROM_OBJECT_POLAR;
    const carom_dimension angle = carom_dimension_of(CAROM_DIMENSION_QUANTITY, 0, 0, 0);
    const carom_dimension any = {.kind = CAROM_DIMENSION_FREE};
    function f[2];
    curve_point p = {{0, 0}, {0, 0}, {0, 0}}, ends[2] = {p, p};
    size_t n = 0;
    double size = 0;
    CAROM_TRY(count_points(r, node, trace, &n));
    if (polar) {
        CAROM_TRY(prepare(r, node, "radius", "phi", trace->radius, &trace->radius_place, angle, &f[0]));
    } else {
        CAROM_TRY(prepare(r, node, "x", "u", trace->x, &trace->x_place, any, &f[0]));
        CAROM_TRY(prepare(r, node, "y", "u", trace->y, &trace->y_place, any, &f[1]));
    }
    double *points = carom_arena_alloc(r->arena, 2 * n + 4, sizeof *points);
    if (!points)
        return carom_fail_memory(r->ctx);
    const double range = trace->to - trace->from, sign = range > 0 ? 1 : -1;
    for (size_t k = 0; k < n; k++) {
        const double u = k + 1 < n ? trace->from + range * (double)k / (double)(n - 1) : trace->to;
        /* the branch of a kink at an end is that of the curve between both */
        const double inside = k == 0 ? u + 1e-9 * range : k + 1 == n ? u - 1e-9 * range : u;
        p = polar ? polar_point(f, u, inside) : trace_point(f, u, inside);
        CAROM_TRY(move_aside(r, node, u, sign, trace->offset, &p));
        for (int c = 0; c < 2; c++)
            points[2 * k + (size_t)c] = p.x[c] + trace->centre[c];
        size = fmax(size, hypot(points[2 * k] - points[0], points[2 * k + 1] - points[1]));
        if (k == 0)
            ends[0] = p;
    }
    ends[1] = p;
    out->type = "spline";
    out->points = points;
    out->point_count = n;
    close_or_clamp(ends, size, points + 2 * n, out);
    return CAROM_OK;
}

/* Free direct impacts: which way they are solved, and their motion. */
#include "law/free_impact.h"
#include "law/depth.h"
#include "law/first_integral.h"

#include <math.h>
#include <string.h>

static carom_first_integral first_integral(const carom_free_impact *i, double factor)
{
    return (carom_first_integral){i->law->elastic, i->law->elastic_constants, factor, i->mass, i->speed, i->brief};
}

static void solve_exactly(const carom_free_impact *i, carom_free_solution *out)
{
    const carom_first_integral exact = first_integral(i, out->factor);
    out->exact = true;
    if (!carom_first_integral_solve(&exact, out)) {
        carom_elastic_force at_limit;
        CAROM_KIND_CALL(i->law->elastic, force, i->law->elastic_constants, NULL, out->max_indentation, &at_limit);
        out->end = CAROM_FREE_BEYOND_LIMIT;
        out->peak_force = at_limit.force;
        out->achieved_restitution = out->loss = out->duration = out->duration_to_zero = (double)NAN;
        return;
    }
    const double v_out = out->achieved_restitution * i->speed;
    out->end = CAROM_FREE_PARTED;
    out->duration_to_zero = out->duration + (out->end_indentation > 0 ? out->end_indentation / v_out : 0);
}

/* Indentations at which it is looked whether a part that a program registered pulls. */
#define LOOKS 32

/* Whether an elastic part pulls where the policy has no force; built-in ones never pull. */
static bool clips_elastic(const carom_free_impact *i)
{
    const carom_normal_law *law = i->law;
    if (!law->elastic->outside || law->tension == CAROM_TENSION_ALLOW)
        return false;
    const double energy = 0.5 * i->mass * i->speed * i->speed;
    const double depth = fmin(carom_elastic_depth(law->elastic, law->elastic_constants, energy), law->limit);
    bool pulls = !isfinite(depth);
    for (int n = 0; !pulls && n <= LOOKS; n++) {
        carom_elastic_force f;
        CAROM_KIND_CALL(law->elastic, force, law->elastic_constants, NULL, depth * n / LOOKS, &f);
        pulls = f.force < 0;
    }
    return pulls;
}

carom_status carom_free_impact_solve(const carom_free_impact *i, carom_free_points *points, carom_free_solution *out)
{
    const carom_normal_law *law = i->law;
    memset(out, 0, sizeof *out);
    /* the policies may give the law another impact velocity than that of this impact */
    out->factor = carom_normal_impact_factor(law, i->speed);
    const bool exact =
        out->factor >= 0 && isfinite(out->factor) && (!law->elastic->history || out->factor == 0) && !i->integrate &&
        !clips_elastic(i);
    if (!exact)
        return carom_free_impact_integrate(i, points, out);
    solve_exactly(i, out);
    return CAROM_OK;
}

/* ---- motion ---- */

/* Motion within a step: the polynomial of degree 5 through indentation, rate and acceleration at both ends. */
typedef struct arc {
    double start, length, c[6];
} arc;

static arc arc_between(const carom_free_point *a, const carom_free_point *b, double mass)
{
    double h = b->time - a->time, p0 = a->delta, v0 = a->rate * h, a0 = -a->force / mass * h * h;
    double p1 = b->delta, v1 = b->rate * h, a1 = -b->force / mass * h * h;
    double d = p1 - p0;
    return (arc){a->time,
                 h,
                 {p0, v0, 0.5 * a0, 10 * d - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1,
                  -15 * d + 8 * v0 + 7 * v1 + 1.5 * a0 - a1, 6 * d - 3 * (v0 + v1) - 0.5 * a0 + 0.5 * a1}};
}

static void arc_at(const arc *p, double mass, double time, carom_free_point *out)
{
    double x = (time - p->start) / p->length;
    const double *c = p->c;
    out->time = time;
    out->delta = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
    out->rate = (c[1] + x * (2 * c[2] + x * (3 * c[3] + x * (4 * c[4] + x * 5 * c[5])))) / p->length;
    out->force = -mass * (2 * c[2] + x * (6 * c[3] + x * (12 * c[4] + x * 20 * c[5]))) / (p->length * p->length);
}

/* Motion at a time between the first and the last point. */
static void motion_at(const carom_free_points *points, double mass, double time, carom_free_point *out)
{
    size_t low = 0, high = points->count - 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(points->items[middle].time <= time ? &low : &high) = middle;
    }
    const arc p = arc_between(&points->items[low], &points->items[high], mass);
    arc_at(&p, mass, time, out);
}

void carom_free_impact_motion(const carom_free_impact *i, const carom_free_solution *s, const carom_free_points *points,
                              size_t count, double *time, double *delta, double *rate, double *force)
{
    if (s->exact) {
        const carom_first_integral exact = first_integral(i, s->factor);
        carom_first_integral_motion(&exact, s, count, time, delta, rate, force);
        return;
    }
    const double end = isnan(s->duration) ? points->items[points->count - 1].time : s->duration;
    for (size_t k = 0; k < count; k++) {
        carom_free_point at;
        motion_at(points, i->mass, end * (double)k / (double)(count - 1), &at);
        time[k] = at.time;
        delta[k] = at.delta;
        rate[k] = at.rate;
        force[k] = at.force;
    }
}

void carom_free_points_free(carom_free_points *points)
{
    carom_release(points->ctx, points->items, points->capacity, sizeof *points->items);
    points->items = NULL;
    points->count = points->capacity = 0;
}

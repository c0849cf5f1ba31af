/* Greatest forces and indentations of the twins. A greatest value changes as the function does where it has it; when it
   is found where the derivatives of both twins' forces vanish. */
#include "sim/tangent/tangent.h"

#include <math.h>
#include <string.h>

#define NODES 6
#define PI 3.14159265358979323846

/* Coefficients of the polynomial through values at the nodes x, by powers of x. */
static void polynomial(const double x[NODES], const double value[NODES], double out[NODES])
{
    double difference[NODES];
    memcpy(difference, value, sizeof difference);
    for (int order = 1; order < NODES; order++)
        for (int k = NODES - 1; k >= order; k--)
            difference[k] = (difference[k] - difference[k - 1]) / (x[k] - x[k - order]);
    memset(out, 0, NODES * sizeof *out);
    for (int k = NODES - 1; k >= 0; k--) {
        for (int power = NODES - 1; power > 0; power--)
            out[power] = out[power - 1] - x[k] * out[power];
        out[0] = difference[k] - x[k] * out[0];
    }
}

/* Where the polynomial has its extremum near x. */
static double extremum(const double a[NODES], double x)
{
    for (int iteration = 0; iteration < 20; iteration++) {
        double slope = 0, bend = 0;
        for (int power = NODES - 1; power > 0; power--) {
            bend = bend * x + slope;
            slope = slope * x + power * a[power];
        }
        if (!(bend < 0))
            break;
        const double step = slope / bend;
        x -= fmax(fmin(step, 0.5), -0.5);
        if (fabs(step) < 1e-15)
            break;
    }
    return x;
}

/* Greatest force inside the last step. */
static carom_status peak_inside(carom_simulation *sim, int k, double begin, double peak)
{
    carom_tangents *all = sim->tangents;
    const double end = sim->integrator->t, middle = 0.5 * (begin + end), half = 0.5 * (end - begin);
    double x[NODES];
    for (int node = 0; node < NODES; node++)
        x[node] = -cos(PI * node / (NODES - 1));
    for (size_t i = 0; i < all->count; i++)
        for (int side = 0; side < 2; side++) {
            carom_simulation *twin = all->of[i].twin[side];
            double force[NODES], a[NODES];
            for (int node = 0; node < NODES; node++) {
                const double t = node == NODES - 1 ? end : fmax(middle + half * x[node], begin);
                if (!carom_tangents_inside(sim, t, all->inside))
                    return CAROM_OK;
                const carom_evaluation *d = carom_tangent_at(sim, i, side, t, all->inside,
                                                             carom_tangent_vector(all, all->inside, i));
                if (!d)
                    return CAROM_OK;
                force[node] = d->contacts[k].force;
            }
            polynomial(x, force, a);
            const double at = extremum(a, (peak - middle) / half);
            double largest = 0;
            for (int power = NODES - 1; power >= 0; power--)
                largest = largest * at + a[power];
            twin->s.located[k].peak_force = largest;
            twin->s.located[k].peak_time = middle + half * at + all->of[i].offset[side] * all->of[i].clock;
        }
    return CAROM_OK;
}

/* Force, depth or both of vectors at a time as those of the peak. */
static void peak_at(carom_simulation *sim, int k, double t, const double *vectors, bool force, bool depth)
{
    carom_tangents *all = sim->tangents;
    for (size_t i = 0; i < all->count; i++)
        for (int side = 0; side < 2; side++) {
            const carom_evaluation *d =
                carom_tangent_at(sim, i, side, t, vectors, vectors + (i + 1) * all->n);
            carom_episode *e = &all->of[i].twin[side]->s.located[k];
            if (d && force) {
                e->peak_force = d->contacts[k].force;
                e->peak_time = t + all->of[i].offset[side] * all->of[i].clock;
            }
            if (d && depth)
                e->peak_depth = -d->contacts[k].gap;
        }
}

typedef struct rate_of {
    carom_simulation *sim;
    int contact;
} rate_of;

static double gap_rate(const rate_of *of, double t)
{
    carom_contact_point p;
    return carom_located_inside(of->sim, of->contact, t, &p) ? p.gap_rate : 0;
}

/* Where the gap turns in the last step, by bisection and chords. */
static double turn(const rate_of *of, double begin, double end)
{
    double low = gap_rate(of, begin), high = gap_rate(of, end);
    for (int n = 0; n < 60 && end - begin > 1e-9 * end * 1e-6; n++) {
        const double chord = begin - low * (end - begin) / (high - low);
        const double t = n % 3 == 2 || !(chord > begin && chord < end) ? 0.5 * (begin + end) : chord;
        const double rate = gap_rate(of, t);
        if (rate == 0)
            return t;
        if (rate < 0) {
            begin = t;
            low = rate;
        } else {
            end = t;
            high = rate;
        }
    }
    return begin - low * (end - begin) / (high - low);
}

carom_status carom_tangents_track(carom_simulation *sim, double begin)
{
    carom_tangents *all = sim->tangents;
    const double end = *sim->s.time;
    if (!(end > begin) || !(sim->integrator->t_before < sim->integrator->t))
        return CAROM_OK;
    for (int k = 0; k < sim->model->contact_count; k++) {
        const carom_episode *before = &all->before[k], *now = &sim->s.located[k];
        if (!now->open)
            continue;
        const rate_of of = {sim, k};
        if (!all->force_settled[k] && now->peak_time == before->peak_time)
            peak_at(sim, k, begin, all->last, true, false);
        all->force_settled[k] = all->force_settled[k] || now->peak_time == before->peak_time;
        if (now->peak_time != before->peak_time) {
            all->force_settled[k] = now->peak_time < end;
            if (all->force_settled[k])
                CAROM_TRY(peak_inside(sim, k, begin, now->peak_time));
        }
        const bool turned = before->followed_rate < 0 && now->followed_rate >= 0;
        if (now->peak_depth == before->peak_depth) {
            if (!all->depth_settled[k])
                peak_at(sim, k, begin, all->last, false, true);
            all->depth_settled[k] = true;
        } else if (turned && now->followed_rate > 0) {
            const double t = turn(&of, begin, end);
            if (carom_tangents_inside(sim, t, all->inside))
                peak_at(sim, k, t, all->inside, false, true);
            all->depth_settled[k] = true;
        } else {
            all->depth_settled[k] = false;
        }
    }
    return CAROM_OK;
}

carom_status carom_tangents_settle(carom_simulation *sim, int k)
{
    carom_tangents *all = sim->tangents;
    const bool force = !all->force_settled[k], depth = !all->depth_settled[k];
    if (force || depth) {
        memcpy(all->y, sim->s.q, all->n * sizeof *all->y);
        peak_at(sim, k, *sim->s.time, all->y, force, depth);
    }
    all->force_settled[k] = all->depth_settled[k] = true;
    return CAROM_OK;
}

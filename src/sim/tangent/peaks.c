/* Greatest forces and indentations of the twins. A greatest value changes as the function does where it has it; when a
   force is greatest is where its rate, from the slopes of the law, passes through zero. */
#include "sim/tangent/tangent.h"

#include <math.h>
#include <string.h>

/* Shares of a duration along which rates are taken, and of indentation and impact velocity for slopes of a law. */
#define SHORT_TIME 1e-3
#define SMALL_SHARE 1e-4

/* A contact of a twin at one of its states. */
typedef struct force_at {
    double force, rate;         /* [N], [N/s] */
} force_at;

static double law_force(const carom_simulation *twin, int k, carom_contact_point p, double by_gap, double by_rate)
{
    p.gap += by_gap;
    p.gap_rate += by_rate;
    carom_episode_force(&twin->model->contacts[k], &twin->s.located[k], &p);
    return p.force;
}

/* At a state, of which `rates` takes those of all numbers; false: it cannot be evaluated. */
static bool find_force(carom_simulation *sim, carom_simulation *twin, int k, double t, const double *y, double *rates,
                       force_at *out)
{
    carom_tangents *all = sim->tangents;
    const carom_episode *e = &sim->s.located[k];
    const double ahead = SHORT_TIME * e->time_scale;
    double gap_rate[2];
    if (carom_rhs_evaluate(twin, twin->probe, t, y, rates) != 0)
        return false;
    const carom_contact_point p = twin->probe->contacts[k];
    *out = (force_at){.force = p.force};
    for (int end = 0; end < 2; end++) {
        const double h = end ? ahead : -ahead;
        for (size_t n = 0; n < all->n; n++)
            all->moved[n] = y[n] + h * rates[n];
        if (carom_rhs_evaluate(twin, twin->probe, t + h, all->moved, twin->root_scratch) != 0)
            return false;
        gap_rate[end] = twin->probe->contacts[k].gap_rate;
    }
    const double gap = SMALL_SHARE * fabs(p.gap), rate = SMALL_SHARE * fmax(e->v0, fabs(p.gap_rate));
    const double by_gap = (law_force(twin, k, p, gap, 0) - law_force(twin, k, p, -gap, 0)) / (2 * gap);
    const double by_rate = (law_force(twin, k, p, 0, rate) - law_force(twin, k, p, 0, -rate)) / (2 * rate);
    out->rate = by_gap * p.gap_rate + by_rate * (gap_rate[1] - gap_rate[0]) / (2 * ahead);
    return isfinite(out->rate);
}

/* By how much later than at a time a force is greatest, at most this share of a duration. */
#define FARTHEST 0.1

/* The greatest force of a twin near the state of vectors at a time. */
static void peak_of(carom_simulation *sim, size_t i, int side, int k, double t, const double *vectors)
{
    carom_tangents *all = sim->tangents;
    const carom_tangent *of = &all->of[i];
    carom_simulation *twin = of->twin[side];
    carom_episode *e = &twin->s.located[k];
    const double *s = vectors + (i + 1) * all->n, step = SHORT_TIME * e->time_scale;
    const double time = t + of->offset[side] * of->clock;
    force_at now, end[2];
    for (size_t n = 0; n < all->n; n++)
        all->peak[0][n] = vectors[n] + of->offset[side] * s[n];
    if (!find_force(sim, twin, k, time, all->peak[0], all->peak[1], &now))
        return;
    e->peak_force = now.force;
    e->peak_time = time;
    for (int n = 0; n < 2; n++) {
        const double h = n ? step : -step;
        for (size_t m = 0; m < all->n; m++)
            all->flow[m] = all->peak[0][m] + h * all->peak[1][m];
        if (!find_force(sim, twin, k, time + h, all->flow, all->side[side], &end[n]))
            return;
    }
    const double bend = (end[1].rate - end[0].rate) / (2 * step), later = -now.rate / bend;
    if (!(bend < 0) || !(fabs(later) < FARTHEST * e->time_scale))
        return;
    e->peak_force += 0.5 * now.rate * later;
    e->peak_time += later;
}

/* Force, depth or both of vectors at a time as those of the peak. */
static void peak_at(carom_simulation *sim, int k, double t, const double *vectors, bool force, bool depth)
{
    carom_tangents *all = sim->tangents;
    for (size_t i = 0; i < all->count; i++)
        for (int side = 0; side < 2 && all->of[i].lost == HUGE_VAL; side++) {
            if (force)
                peak_of(sim, i, side, k, t, vectors);
            const carom_evaluation *d =
                depth ? carom_tangent_at(sim, i, side, t, vectors, vectors + (i + 1) * all->n) : NULL;
            if (d)
                all->of[i].twin[side]->s.located[k].peak_depth = -d->contacts[k].gap;
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
            if (all->force_settled[k] && carom_tangents_inside(sim, now->peak_time, all->inside))
                peak_at(sim, k, now->peak_time, all->inside, true, false);
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

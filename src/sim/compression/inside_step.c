/* What compressions of adaptive impact velocities do inside a step: a followed velocity that is greatest there, one
   that passes v0 and comes back, a compression that begins or ends where the ends of the step do not show it
   (docs/theory/impact-velocity.md). */
#include "math/largest.h"
#include "sim/sim.h"

#include <math.h>

typedef struct followed {
    carom_simulation *sim;
    int contact;
} followed;

static double followed_inside(void *user, double t)
{
    const followed *of = user;
    carom_contact_point p;
    if (!carom_located_inside(of->sim, of->contact, t, &p))
        return 0;
    return carom_episode_followed(&of->sim->model->contacts[of->contact], &of->sim->s.located[of->contact], &p);
}

/* Whether it falls at the end of a step, by the parabola through its last fifth. */
static bool falls(followed *of, double begin, double end)
{
    const double h = end - begin, last = followed_inside(of, end);
    const double slope = 3 * last - 4 * followed_inside(of, end - 0.1 * h) + followed_inside(of, end - 0.2 * h);
    return 5 * slope < -CAROM_FOLLOWED_FALL * last;
}

/* Crests nearer to the first one than this share of the step are one with it. */
#define SAME_CREST 1e-6

/* ---- what the ends of a step do not show ---- */

/* What does not reach a limit at the ends of a step may do so inside: where the parabola through them and the begin of
   the step before has a crest within the step that is nearer to the limit than the first share of its size, the value
   there is looked at, and where that is nearer than the second one, the greatest value. */
#define NEAR 0.05
#define NEAR_CREST 5e-3
#define HALVINGS 40

typedef struct limited {
    double (*value)(void *of, double t);
    double before, first, last; /* at the begin of the step before, and at the ends of this one */
    double limit, size;
} limited;

typedef struct step_times {
    double before, begin, end; /* [s] */
} step_times;

/* The crest of the parabola through three values, if it lies within the step. */
static bool has_crest(const limited *l, const step_times *t, double *at, double *most)
{
    const double rise = (l->first - l->before) / (t->begin - t->before),
                 next = (l->last - l->first) / (t->end - t->begin);
    const double bend = (next - rise) / (t->end - t->before), slope = rise + bend * (t->begin - t->before);
    if (!(bend < 0))
        return false;
    *at = t->begin - slope / (2 * bend);
    *most = l->first - slope * slope / (4 * bend);
    return *at > t->begin && *at < t->end;
}

/* Whether a value that is less than a limit at both ends of a step reaches it between; *inside is where. */
static bool reaches(const limited *l, followed *of, const step_times *t, double *inside)
{
    double most;
    if (!(l->first < l->limit && l->last < l->limit && has_crest(l, t, inside, &most) &&
          most > l->limit - NEAR * l->size))
        return false;
    const double there = l->value(of, *inside);
    return there >= l->limit || (there > l->limit - NEAR_CREST * l->size &&
                                 carom_largest_between(l->value, of, t->begin, t->end, inside) >= l->limit);
}

static double closing_inside(void *user, double t)
{
    const followed *of = user;
    carom_contact_point p;
    return carom_located_inside(of->sim, of->contact, t, &p) ? -p.gap_rate : 0;
}

static double opening_inside(void *user, double t) { return -closing_inside(user, t); }

/* A contact at the end of the step, of which the integrator's evaluation may be. */
static bool at_end(carom_simulation *sim, int k, double end, carom_contact_point *out)
{
    if (sim->integrator->rates == CAROM_RATES_AT_END && end == sim->integrator->t) {
        *out = sim->trial->contacts[k];
        return true;
    }
    return carom_located_inside(sim, k, end, out);
}

/* What a contact does in a step that its ends do not show: whether its followed velocity passes v0 and comes back, or a
   compression begins that ends in it, at the time *at; a compression that ends is noted. */
static bool passes(followed *of, double begin, double end, double *at)
{
    carom_episode *e = &of->sim->s.located[of->contact];
    const carom_contact_point *p = &of->sim->d->contacts[of->contact];
    const carom_model_contact *c = &of->sim->model->contacts[of->contact];
    carom_compression_past *past = &of->sim->past[of->contact];
    const double first = carom_episode_followed(c, e, p), limit = carom_episode_following_from(e);
    const double least = c->law.minimum_speed;
    const step_times t = {past->time, begin, end};
    const carom_compression_past before = *past;
    *past = (carom_compression_past){begin, p->gap_rate, first, of->sim->statistics.restarts};
    carom_contact_point q;
    if (before.restarts != past->restarts || !(begin > before.time) || !at_end(of->sim, of->contact, end, &q))
        return false;
    limited l = {closing_inside, -before.rate, -p->gap_rate, -q.gap_rate, 0, e->fastest};
    if (e->compressing == CAROM_COMPRESSING) {
        const limited opening = {opening_inside, before.rate, p->gap_rate, q.gap_rate, least, least};
        double inside;
        if (reaches(&opening, of, &t, &inside)) {
            e->compressing = CAROM_OPENING;
            return false;
        }
        l = (limited){followed_inside, before.followed, first, carom_episode_followed(c, e, &q), limit, e->v0};
    }
    double low = begin, high;
    if ((e->compressing != CAROM_COMPRESSING && e->compressing != CAROM_OPENING) || !reaches(&l, of, &t, &high))
        return false;
    for (int n = 0; n < HALVINGS; n++) {
        const double half = 0.5 * (low + high);
        *(l.value(of, half) >= l.limit ? &high : &low) = half;
    }
    *at = high;
    return true;
}

/* Contacts before the k-th have their crests later. */
static void forget_crests(carom_simulation *sim, int k)
{
    for (int other = 0; other < k; other++)
        if (sim->s.located[other].compressing == CAROM_CREST)
            sim->s.located[other].compressing = CAROM_FOLLOWING;
}

bool carom_compression_crest(carom_simulation *sim, double *end)
{
    const double begin = sim->integrator->t_before, last = *end;
    bool found = false;
    if (!(last > begin))
        return false;
    for (int n = 0; n < sim->system->touching_count; n++) {
        const int k = sim->system->touching[n];
        carom_episode *e = &sim->s.located[k];
        followed of = {sim, k};
        double at;
        if (e->open && carom_normal_adapts(&sim->model->contacts[k].law) && passes(&of, begin, last, &at) &&
            at < *end) {
            forget_crests(sim, k);
            *end = at;
            found = true;
        }
        if (!e->open || e->compressing != CAROM_FOLLOWING || !falls(&of, begin, last))
            continue;
        carom_largest_between(followed_inside, &of, begin, last, &at);
        if (at > *end + SAME_CREST * (last - begin))
            continue;
        if (at < *end - SAME_CREST * (last - begin))
            forget_crests(sim, k);
        e->compressing = CAROM_CREST;
        *end = found ? fmin(*end, at) : at;
        found = true;
    }
    return found;
}

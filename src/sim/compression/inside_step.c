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

/* What does not reach a limit at the ends of a step may do so inside. It is looked at in the middle where it is nearer
   to the limit at an end than the first share of its size, and at its crest where that of the parabola is nearer than
   the second one. */
#define NEAR 0.2
#define NEAR_CREST 5e-3
#define HALVINGS 40

typedef struct limited {
    double (*value)(void *of, double t);
    double first, limit, size; /* at the begin of the step */
} limited;

/* Whether a value that is less than a limit at both ends of a step reaches it between; *inside is where. */
static bool reaches(const limited *l, followed *of, double begin, double end, double *inside)
{
    const double last = l->value(of, end), half = 0.5 * (begin + end);
    if (!(l->first < l->limit && last < l->limit && fmax(l->first, last) > l->limit - NEAR * l->size))
        return false;
    const double middle = l->value(of, half), bend = l->first - 2 * middle + last, slope = last - l->first;
    *inside = half;
    if (middle >= l->limit)
        return true;
    return bend < 0 && fabs(slope) < -2 * bend &&
           middle - slope * slope / (8 * bend) > l->limit - NEAR_CREST * l->size &&
           carom_largest_between(l->value, of, begin, end, inside) >= l->limit;
}

static double closing_inside(void *user, double t)
{
    const followed *of = user;
    carom_contact_point p;
    return carom_located_inside(of->sim, of->contact, t, &p) ? -p.gap_rate : 0;
}

static double opening_inside(void *user, double t) { return -closing_inside(user, t); }

/* Whether the policy of a contact is adaptive, and its law needs a velocity. */
static bool adapts(const carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    return sim->s.located[k].open && c->law.velocity == CAROM_VELOCITY_ADAPTIVE &&
           c->roots[CAROM_ROOT_COMPRESSION] >= 0;
}

/* Whether the followed velocity passes v0 within a step and comes back, or a compression begins that ends in it; *at is
   where. */
static bool passes(followed *of, double begin, double end, double *at)
{
    const carom_episode *e = &of->sim->s.located[of->contact];
    const carom_contact_point *p = &of->sim->d->contacts[of->contact];
    const carom_model_contact *c = &of->sim->model->contacts[of->contact];
    limited l = {closing_inside, -p->gap_rate, 0, e->fastest};
    if (e->compressing == CAROM_COMPRESSING) {
        const double first = carom_episode_followed(c, e, p);
        l = (limited){followed_inside, first, first + carom_episode_until_following(c, e, p), e->v0};
    }
    double low = begin, high;
    if ((e->compressing != CAROM_COMPRESSING && e->compressing != CAROM_OPENING) || !reaches(&l, of, begin, end, &high))
        return false;
    for (int n = 0; n < HALVINGS; n++) {
        const double half = 0.5 * (low + high);
        *(l.value(of, half) >= l.limit ? &high : &low) = half;
    }
    *at = high;
    return true;
}

/* Whether a compression ends within a step whose ends do not show it. */
static bool opens(followed *of, double begin, double end)
{
    const double least = of->sim->model->contacts[of->contact].law.minimum_speed;
    const limited l = {opening_inside, of->sim->d->contacts[of->contact].gap_rate, least, least};
    double at;
    return of->sim->s.located[of->contact].compressing == CAROM_COMPRESSING && reaches(&l, of, begin, end, &at);
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
    for (int k = 0; k < sim->model->contact_count; k++) {
        carom_episode *e = &sim->s.located[k];
        followed of = {sim, k};
        double at;
        if (adapts(sim, k) && passes(&of, begin, last, &at) && at < *end) {
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
    for (int k = 0; k < sim->model->contact_count; k++)
        if (adapts(sim, k) && opens(&(followed){sim, k}, begin, *end))
            sim->s.located[k].compressing = CAROM_OPENING;
    return found;
}

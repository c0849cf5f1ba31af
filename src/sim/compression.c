/* Impact velocities of contacts with located events, after their policies: renewed where a compression begins, or
   following its greatest closing speed (docs/theory/impact-velocity.md). */
#include "math/largest.h"
#include "sim/sim.h"

#include <math.h>

void carom_compression_begin(const carom_model_contact *c, carom_episode *e, const carom_contact_point *p)
{
    /* at an onset the speed of approach; from an indentation the rate is zero, and so is the damping force, whatever v0
       becomes */
    double energy = 0;
    if (p->gap < 0 && isfinite(e->mass) && c->law.velocity != CAROM_VELOCITY_FIXED)
        energy = carom_episode_energy(c, e, -p->gap);
    carom_episode_set_velocity(c, e, fmax(-p->gap_rate, 0), energy);
}

/* ---- per compression ---- */

/* A restitution slower than minimum_speed is none: the rates of a body at rest are noise. */
static void update_per_compression(carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    carom_episode *e = &sim->s.located[k];
    const carom_contact_point *p = &sim->d->contacts[k];
    bool compressing = e->compressing ? p->gap_rate < c->law.minimum_speed : p->gap_rate <= 0;
    if (compressing && !e->compressing)
        carom_compression_begin(c, e, p);
    if (compressing != e->compressing)
        sim->restart = true;
    e->compressing = compressing;
}

/* ---- adaptive ---- */

/* Fall of the followed velocity that counts, of itself. Within it v0 stays the greatest one all the same. */
#define FALL 1e-9

static void end_following(const carom_model_contact *c, carom_episode *e)
{
    e->compressing = CAROM_COMPRESSING;
    carom_episode_set_scales(c, e, false);
}

/* The force is continuous at each change: v0 passes to the closing speed where that is v0, and stays where it is
   greatest; a compression begins at the rate zero, where there is no damping force. That a compression has ended
   changes nothing in the force, so that no step has to end there. */
static void update_adaptive(carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    carom_episode *e = &sim->s.located[k];
    const carom_contact_point *p = &sim->d->contacts[k];
    const double followed = carom_episode_followed(c, e, p);
    const carom_compression before = (carom_compression)e->compressing;
    switch (before) {
    case CAROM_OPENING:
        if (p->gap_rate <= 0) {
            carom_compression_begin(c, e, p);
            e->compressing = CAROM_COMPRESSING;
        }
        break;
    case CAROM_COMPRESSING:
        if (p->gap_rate > c->law.minimum_speed) {
            e->compressing = CAROM_OPENING;
            return;
        }
        if (carom_episode_until_following(c, e, p) <= 0) {
            e->compressing = CAROM_FOLLOWING;
            carom_episode_follow(c, e, followed);
        }
        break;
    case CAROM_FOLLOWING:
        if (followed < e->v0 * (1 - FALL))
            end_following(c, e);
        else
            carom_episode_follow(c, e, followed);
        break;
    case CAROM_CREST:
        carom_episode_follow(c, e, followed);
        end_following(c, e);
        break;
    }
    sim->restart = sim->restart || (carom_compression)e->compressing != before;
}

void carom_compression_update(carom_simulation *sim, int k)
{
    if (sim->model->contacts[k].law.velocity == CAROM_VELOCITY_PER_COMPRESSION)
        update_per_compression(sim, k);
    else
        update_adaptive(sim, k);
}

/* ---- the greatest closing speed inside a step ---- */

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
    const double slope =
        3 * last - 4 * followed_inside(of, end - 0.1 * h) + followed_inside(of, end - 0.2 * h);
    return 5 * slope < -FALL * last;
}

/* Crests nearer to the first one than this share of the step are one with it. */
#define SAME_CREST 1e-6

bool carom_compression_crest(carom_simulation *sim, double *end)
{
    const double begin = sim->integrator->t_before, last = *end;
    bool found = false;
    if (!(last > begin))
        return false;
    for (int k = 0; k < sim->model->contact_count; k++) {
        carom_episode *e = &sim->s.located[k];
        followed of = {sim, k};
        if (!e->open || e->compressing != CAROM_FOLLOWING || !falls(&of, begin, last))
            continue;
        double at;
        carom_largest_between(followed_inside, &of, begin, last, &at);
        if (at > *end + SAME_CREST * (last - begin))
            continue;
        if (at < *end - SAME_CREST * (last - begin))
            for (int other = 0; other < k; other++)
                if (sim->s.located[other].compressing == CAROM_CREST)
                    sim->s.located[other].compressing = CAROM_FOLLOWING;
        e->compressing = CAROM_CREST;
        *end = found ? fmin(*end, at) : at;
        found = true;
    }
    return found;
}

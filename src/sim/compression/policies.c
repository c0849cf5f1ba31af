/* Impact velocities of contacts with located events, after their policies: renewed where a compression begins, or
   following its greatest closing speed (docs/theory/impact-velocity.md). */
#include "sim/sim.h"

#include <math.h>

/* ---- per compression ---- */

/* A restitution slower than minimum_speed is none: the rates of a body at rest are noise. */
static void update_per_compression(carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    carom_episode *e = &sim->s.located[k];
    const carom_contact_point *p = &sim->d->contacts[k];
    bool compressing = e->compressing ? p->gap_rate < c->law.minimum_speed : p->gap_rate <= 0;
    if (compressing && !e->compressing)
        carom_episode_begin_compression(c, e, p->gap, p->gap_rate);
    if (compressing != e->compressing)
        sim->restart = true;
    e->compressing = compressing;
}

/* ---- adaptive ---- */

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
            carom_episode_begin_compression(c, e, p->gap, p->gap_rate);
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
        if (followed < e->v0 * (1 - CAROM_FOLLOWED_FALL))
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

/* Branches of laws with memory: one that ends at the accepted state, and one that a step left where it began. */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

void carom_located_memory_create(carom_simulation *sim)
{
    for (int k = 0; k < sim->model->contact_count; k++)
        sim->remembers = sim->remembers || sim->model->contacts[k].law.elastic->history;
}

void carom_located_shorten_spring(carom_simulation *sim, int k, double share)
{
    double *z = sim->s.friction + sim->model->contacts[k].friction_state;
    for (int i = 0; i < 3; i++)
        z[i] *= share;
}

/* The branch that follows at the present indentation where this is its rate. Returns the force there. */
static double turn(carom_simulation *sim, int k, double rate)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    carom_episode *e = &sim->s.located[k];
    const carom_contact_point *p = &sim->d->contacts[k];
    const double *constants = carom_episode_constants(c, e), delta = fmax(-p->gap, 0);
    double before[CAROM_LAW_HISTORY];
    carom_elastic_force after;
    memcpy(before, e->history, sizeof before);
    CAROM_KIND_CALL(c->law.elastic, update, constants, e->history, delta, rate);
    CAROM_KIND_CALL(c->law.elastic, force, constants, e->history, delta, &after);
    if (c->friction && c->friction->spring && after.slope > p->elastic_slope)
        carom_located_shorten_spring(sim, k, p->elastic_slope / after.slope);
    /* just after a branch event the indentation is still that of the event within rounding */
    sim->restart = sim->restart || memcmp(before, e->history, sizeof before) != 0;
    return after.force;
}

static double branch(const carom_simulation *sim, int k, const carom_contact_point *p)
{
    return carom_episode_branch(&sim->model->contacts[k], &sim->s.located[k], p);
}

double carom_located_update_history(carom_simulation *sim, int k)
{
    const carom_contact_point *p = &sim->d->contacts[k];
    return sim->model->contacts[k].law.elastic->history && branch(sim, k, p) <= 0 ? turn(sim, k, -p->gap_rate)
                                                                                  : p->force;
}

/* Places of the last step in which its branch is looked at. */
#define LOOKS 4

/* Whether all of the last step lies beyond the end of the contact's branch, at which it began; *rate is then that of
   the indentation, soon after. */
static bool is_beyond(carom_simulation *sim, int k, double *rate)
{
    const double begin = *sim->s.time, end = sim->integrator->t;
    bool beyond = branch(sim, k, &sim->d->contacts[k]) <= 0;
    for (int n = 1; n <= LOOKS && beyond; n++) {
        carom_contact_point p;
        beyond = carom_located_inside(sim, k, n < LOOKS ? begin + (end - begin) * n / LOOKS : end, &p) &&
                 branch(sim, k, &p) < 0;
        if (n == 1 && beyond)
            *rate = -p.gap_rate;
    }
    return beyond;
}

bool carom_located_left_branch(carom_simulation *sim)
{
    const bool restart = sim->restart;
    sim->restart = false;
    for (int k = 0; k < sim->model->contact_count; k++) {
        double rate = 0;
        if (sim->s.located[k].open && sim->model->contacts[k].law.elastic->history && is_beyond(sim, k, &rate))
            (void)turn(sim, k, rate);
    }
    const bool left = sim->restart;
    sim->restart = restart;
    return left;
}

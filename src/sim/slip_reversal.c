/* Slip of a joint that turns round within a step in which its bearing force passes through zero: -mu |N| sign(v) is one
   smooth function before both and behind both, so that no estimate of the error sees what lies between, where the
   friction has the other sign. Such a step ends early, and the next ones begin short. */
#include "sim/sim.h"

#include <math.h>

/* A law has nearly its greatest force with this share of it; both slips must have that. */
#define SHARE 0.9
/* Bearing forces of one sign have more than these shares of the greater one at the ends of a step, and of their mean in
   its middle. */
#define LOW_END 0.2
#define LOW_MIDDLE 0.8
/* The step ends behind the first part, and the next one has a first part of that. */
#define PART 0.0625
#define NEXT_PART 0.25

static bool is_fast(const carom_model_friction *f, double speed)
{
    const double greatest = CAROM_KIND_CALL(f->law, cone, f->constants);
    return greatest > 0 && CAROM_KIND_CALL(f->law, map, f->constants, speed, 1) >= SHARE * greatest;
}

static bool turned(const carom_friction_site *a, const carom_friction_site *b)
{
    double along = 0;
    for (int k = 0; k < CAROM_FRICTION_SLIPS; k++)
        along += a->slip[k] * b->slip[k];
    return along < 0;
}

/* Whether the bearing force of a site may pass through zero within the last step, as far as its ends and its middle
   tell. */
static bool unloads(carom_simulation *sim, int site, double middle)
{
    const double a = sim->d->sites[site].normal, b = sim->trial->sites[site].normal;
    if (fmin(a, b) < LOW_END * fmax(a, b))
        return true;
    return carom_step_interpolate(sim, middle, sim->y_scratch) &&
           carom_rhs_evaluate(sim, sim->probe, middle, sim->y_scratch, sim->root_scratch) == 0 &&
           sim->probe->sites[site].normal < LOW_MIDDLE * 0.5 * (a + b);
}

bool carom_slip_reversed(carom_simulation *sim, double *end)
{
    const carom_model *m = sim->model;
    const double begin = sim->integrator->t_before, last = sim->integrator->t, part = PART * (last - begin);
    if (sim->trial->time != last || sim->taken || !(begin + part > begin && begin + part < *end))
        return false;
    for (int k = 0; k < m->site_count; k++) {
        const carom_model_friction *f = &m->joints[m->sites[k].joint].friction;
        const carom_friction_site *a = &sim->d->sites[k], *b = &sim->trial->sites[k];
        if (f->law->set_valued || f->law->state || !turned(a, b) || !is_fast(f, fmin(a->speed, b->speed)) ||
            !unloads(sim, k, 0.5 * (begin + last)))
            continue;
        *end = begin + part;
        *sim->s.first_step = NEXT_PART * part;
        return true;
    }
    return false;
}

/* Contacts that touch or part together: where one gap is located at zero, another one that passes zero within rounding
   of that time passes it there. The next step would begin on either side of zero, as rounding has it, and where it
   begins behind it there is no crossing left to locate (docs/theory/onset.md, section 3). */
#include "sim/sim.h"

#include <float.h>
#include <math.h>

/* Units of rounding of the time to which crossings are located, and of the positions of which a gap is made. */
#define ROUNDING_OF_TIME 100
#define ROUNDING_OF_POSITIONS 4
/* Units of the time of a step in which a root is found again. */
#define UNITS_OF_STEP 1000
/* Speeds below these shares of the model's and of the least impact velocity are rounding, as of surfaces that touch
   ahead of a wave. */
#define NOISE 1e-12
#define SLOW 1e-6

double carom_located_farthest(const carom_simulation *sim, int k)
{
    double farthest = 0;
    for (int side = 0; side < 2; side++) {
        const carom_vec3 p = sim->d->pose[carom_contact_body(sim->model, k, side)].p;
        farthest = fmax(farthest, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
    }
    return farthest;
}

/* Whether a gap is zero within rounding of the time and of the positions, while it changes. That of a corner which
   hands over to another one may jump before it is zero: it passes where a root is found again at once. */
static bool passes_zero(const carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const carom_contact_point *p = &sim->d->contacts[k];
    const double rate = fabs(p->gap_rate);
    const double gap = ROUNDING_OF_TIME * *sim->s.time * rate + ROUNDING_OF_POSITIONS * carom_located_farthest(sim, k);
    const double step = sim->integrator->t - sim->integrator->t_before;
    const bool again = step > 0 && step <= UNITS_OF_STEP * DBL_EPSILON * *sim->s.time;
    return (!c->hands_over || again) && fabs(p->gap) <= DBL_EPSILON * gap && rate > NOISE * carom_sim_speed(sim) &&
           rate > SLOW * c->law.minimum_speed;
}

bool carom_located_touches(const carom_simulation *sim, int k)
{
    const carom_contact_point *p = &sim->d->contacts[k];
    return p->gap <= 0 ? p->gap_rate <= 0 : p->gap_rate < 0 && passes_zero(sim, k);
}

bool carom_located_parts(const carom_simulation *sim, int k)
{
    const carom_contact_point *p = &sim->d->contacts[k];
    return p->gap_rate > 0 && (p->gap >= 0 || passes_zero(sim, k));
}

/* Share of an indentation from which on rounding of the positions is what an impact is known to. */
#define BLURRED 1e-8

/* The force of a contact is that of an indentation which is known to rounding. */
static double blur_of(const carom_simulation *sim, int k)
{
    const carom_episode *e = &sim->s.located[k];
    if (!e->open || !(e->depth_scale > 0))
        return 0;
    const double share = DBL_EPSILON * carom_located_farthest(sim, k) / e->depth_scale;
    return share > BLURRED ? share * e->v0 : 0;
}

double carom_located_blur(const carom_simulation *sim, int body)
{
    double most = 0;
    for (int k = 0; k < sim->model->contact_count; k++)
        if (body == 0 || carom_contact_body(sim->model, k, 0) == body || carom_contact_body(sim->model, k, 1) == body)
            most = fmax(most, blur_of(sim, k));
    return most;
}

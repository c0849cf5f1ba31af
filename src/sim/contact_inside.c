/* Contacts inside the last step, by the dense output. */
#include "sim/sim.h"

bool carom_located_inside(carom_simulation *sim, int k, double t, carom_contact_point *out)
{
    const carom_model *m = sim->model;
    if (!sim->integrator->kind->interpolate(sim->integrator, t, sim->y_scratch))
        return false;
    const double *q = sim->y_scratch, *v = q + (sim->s.v - sim->s.q);
    carom_body_pose i = sim->s.formulation->body_pose(m, carom_contact_body(m, k, 0), q, v);
    carom_body_pose j = sim->s.formulation->body_pose(m, carom_contact_body(m, k, 1), q, v);
    carom_contact_geometry_at(m, &sim->s, k, &i, &j, out);
    if (sim->s.located[k].open)
        carom_episode_force(&m->contacts[k], &sim->s.located[k], out);
    return true;
}

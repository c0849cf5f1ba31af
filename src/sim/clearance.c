/* Joints with clearance: where the journal is, what force it has, and for how long it flew, hit and followed. */
#include "sim/sim.h"

#include <math.h>

void carom_clearance_track(carom_simulation *sim, double begin)
{
    const carom_model *m = sim->model;
    const carom_state *s = &sim->s;
    const double end = *s->time;
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_clearance *c = &m->joints[k].clearance;
        if (c->index < 0)
            continue;
        /* the oldest contact is the first that follows */
        double follows = HUGE_VAL;
        bool open = false;
        for (int i = c->first_contact; i < c->first_contact + c->contact_count; i++)
            if (s->located[i].open) {
                open = true;
                follows = fmin(follows, s->located[i].onset + CAROM_IMPACT_DURATIONS * s->located[i].time_scale);
            }
        if (!open)
            continue;
        follows = fmin(fmax(follows, begin), end);
        s->clearance_impact[c->index] += follows - begin;
        s->clearance_following[c->index] += end - follows;
    }
}

carom_vec3 carom_clearance_offset(const carom_evaluation *d, int joint)
{
    const carom_model *m = d->model;
    const carom_model_joint *j = &m->joints[joint];
    carom_frame_pose fi = carom_dynamics_frame_pose(&d->pose[j->i.body], &j->i, m->dimension);
    carom_frame_pose fj = carom_dynamics_frame_pose(&d->pose[j->j.body], &j->j, m->dimension);
    return carom_m3_apply_t(&fi.axes, carom_v3_sub(fj.p, fi.p));
}

double carom_clearance_eccentricity(const carom_evaluation *d, int joint)
{
    const carom_model_clearance *c = &d->model->joints[joint].clearance;
    carom_vec3 at = carom_clearance_offset(d, joint);
    return carom_v3_norm(carom_v3(at.x, at.y, c->round_about ? at.z : 0)) / c->play;
}

size_t carom_simulation_joint_modes(const carom_simulation *sim, carom_joint_modes *out, size_t capacity)
{
    if (!sim)
        return 0;
    const carom_model *m = sim->model;
    size_t count = 0;
    for (int k = 0; k < m->joint_count; k++) {
        const carom_model_clearance *c = &m->joints[k].clearance;
        if (c->index < 0)
            continue;
        if (count < capacity) {
            const double impact = sim->s.clearance_impact[c->index], following = sim->s.clearance_following[c->index];
            out[count] = (carom_joint_modes){.joint = m->joints[k].name,
                                             .flight = fmax(0, *sim->s.time - impact - following),
                                             .impact = impact,
                                             .following = following,
                                             .eccentricity = carom_clearance_eccentricity(sim->d, k)};
            for (size_t i = 0; i < sim->impact_count; i++) {
                const size_t contact = sim->impacts[i].contact_index, first = (size_t)c->first_contact;
                out[count].impacts += contact >= first && contact < first + (size_t)c->contact_count &&
                                      !carom_impact_is_rest(&sim->impacts[i]);
            }
        }
        count++;
    }
    return count;
}

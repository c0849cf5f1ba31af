/* Impacts and rests of rigid contacts, from the impulses of each step. An impact has no duration; a contact that bears
   in the steps behind it rests. */
#include "sim/rigid/rigid.h"

#include <math.h>

static carom_status say_left_out(carom_simulation *sim, int k, const char *what)
{
    int *flags = &sim->s.contact_flags[k];
    if (*flags & CAROM_REPORTED_RIGID)
        return CAROM_OK;
    *flags |= CAROM_REPORTED_RIGID;
    return carom_contact_warn(sim, CAROM_WARN_LEFT_OUT, CAROM_REPORTED_RIGID, k,
                              "integrator moreau leaves its %s out; compare with `integrator: auto`", what);
}

carom_status carom_rigid_start(carom_simulation *sim)
{
    for (int k = 0; k < sim->model->contact_count; k++) {
        const carom_model_contact *c = &sim->model->contacts[k];
        if (sim->d->contacts[k].gap < 0)
            CAROM_TRY(carom_located_check_start(sim, k));
        if (c->rolling > 0 || c->spinning > 0)
            CAROM_TRY(say_left_out(sim, k, "resistance to rolling and spinning"));
        else if (c->law.tension == CAROM_TENSION_ALLOW)
            CAROM_TRY(say_left_out(sim, k, "forces that pull"));
    }
    return CAROM_OK;
}

void carom_rigid_take(carom_simulation *sim)
{
    const carom_rigid *r = sim->rigid;
    for (int k = 0; k < sim->model->contact_count; k++) {
        carom_episode *e = &sim->s.located[k];
        e->compressing = e->open ? CAROM_COMPRESSING : CAROM_OPENING; /* it bore in the step before */
        e->open = 0;
        e->pressed = carom_v3(0, 0, 0);
    }
    for (int n = 0; n < r->problem.count; n++) {
        const carom_nsgs_contact *c = &r->problem.contacts[n];
        carom_episode *e = &sim->s.located[r->touches[n].contact];
        e->open = c->p[0] > 0;
        if (e->open)
            e->pressed = carom_rigid_force(r, n);
    }
}

/* When a touch closed: within the step, as fast as it came. */
static double touched_at(const carom_rigid *r, const carom_touch *touch)
{
    const double speed = -touch->before[0];
    return r->t + fmin(fmax(0.5 * r->h + touch->gap / speed, 0), r->h);
}

static carom_status add_impact(carom_simulation *sim, const carom_touch *touch, const carom_nsgs_contact *c)
{
    const carom_rigid *r = sim->rigid;
    const carom_contact_of of = carom_located_of(sim, touch->contact);
    const double v_in = -touch->before[0];
    carom_impact impact = {.onset = touched_at(r, touch),
                           .v_in = v_in,
                           .v_out = fmax(touch->after[0], 0),
                           .e_asked = of.contact->law.restitution,
                           .e_got = fmax(touch->after[0], 0) / v_in,
                           .peak_force = (double)NAN,
                           .peak_time = (double)NAN,
                           .max_indentation = (double)NAN,
                           .impulse = c->p[0],
                           .energy_lost = touch->loss,
                           .friction_lost = touch->friction_loss,
                           .mass = touch->mass,
                           .v_max = v_in,
                           .v0 = (double)NAN};
    return carom_events_impact(sim, &of, &impact);
}

/* A rest begins behind an impact, or with this step, whose impulse is part of it. */
static void begin_rest(carom_simulation *sim, const carom_touch *touch, const carom_nsgs_contact *c, bool hit)
{
    const carom_rigid *r = sim->rigid;
    carom_episode *e = &sim->s.located[touch->contact];
    e->onset = hit ? r->t + r->h : r->t;
    e->mass = touch->mass;
    e->peak_force = 0;
    e->peak_time = e->onset;
    e->peak_depth = (double)NAN; /* rigid bodies have none */
    e->force_end = -1;
    carom_located_begin_sums(sim, touch->contact, e);
    e->impulse -= hit ? 0 : c->p[0];
}

/* A contact that bears in fewer steps is told by its impacts alone. */
#define LEAST_STEPS 4

static carom_status end_rest(carom_simulation *sim, int k, double end)
{
    const carom_contact_of of = carom_located_of(sim, k);
    carom_episode e = sim->s.located[k];
    carom_located_end_sums(sim, k, &e);
    CAROM_TRY(carom_events_release(sim, &of, &e, end, 0));
    if (!(end - e.onset > LEAST_STEPS * sim->run.step))
        return CAROM_OK;
    carom_impact rest = carom_episode_impact(of.contact, &e, end, 0);
    return carom_events_impact(sim, &of, &rest);
}

static carom_status report_jam(carom_simulation *sim, const carom_touch *touch)
{
    int *flags = &sim->s.contact_flags[touch->contact];
    if (!touch->jams || (*flags & CAROM_REPORTED_JAM))
        return CAROM_OK;
    *flags |= CAROM_REPORTED_JAM;
    return carom_contact_warn(sim, CAROM_WARN_JAM, CAROM_REPORTED_JAM, touch->contact,
                              "at t = %.6g s it slides where friction draws the surfaces together faster than the "
                              "normal force parts them: rigid bodies have no finite forces there (Painleve's paradox), "
                              "and the slip ends by an impulse; a compliant contact tells how",
                              sim->rigid->t);
}

static carom_status update(carom_simulation *sim, const carom_touch *touch, const carom_nsgs_contact *c)
{
    const carom_rigid *r = sim->rigid;
    const int k = touch->contact;
    carom_episode *e = &sim->s.located[k];
    const bool bore = e->compressing == CAROM_COMPRESSING;
    /* what forces bring about within a step is no impact */
    const double noise = CAROM_TOUCH_NOISE * carom_sim_speed(sim);
    const bool hit = -touch->before[0] > fmax(2 * touch->driven, noise);
    if (bore && hit)
        CAROM_TRY(end_rest(sim, k, touched_at(r, touch)));
    if (!bore || hit) {
        e->onset = hit ? touched_at(r, touch) : r->t;
        e->speed = hit ? -touch->before[0] : 0;
        e->mass = touch->mass;
        sim->s.contact_episodes[k]++;
        CAROM_TRY(carom_events_onset(sim, (size_t)k));
        if (hit)
            CAROM_TRY(add_impact(sim, touch, c));
        begin_rest(sim, touch, c, hit);
        e->speed = 0;
    }
    /* in a step that an event cuts short a mean force tells nothing */
    if (!hit && r->h > 0.5 * sim->run.step && c->p[0] > r->h * e->peak_force) {
        e->peak_force = c->p[0] / r->h;
        e->peak_time = r->t + r->h;
    }
    return hit ? CAROM_OK : report_jam(sim, touch);
}

/* Share of the run's energy that impulses may give in a step without a word. */
#define GAIN 1e-5

/* Newton's law keeps its restitution where friction turns the slip, and may give energy then (Kane's paradox). */
static carom_status report_gain(carom_simulation *sim)
{
    const carom_rigid *r = sim->rigid;
    double lost = 0, most = 0;
    int giver = -1;
    for (int n = 0; n < r->problem.count; n++) {
        const carom_touch *touch = &r->touches[n];
        const double own = touch->loss + touch->friction_loss;
        lost += own;
        if (r->problem.contacts[n].mu > 0 && own < most) {
            most = own;
            giver = n;
        }
    }
    if (giver < 0 || !(lost < -GAIN * *sim->s.energy_peak))
        return CAROM_OK;
    const int k = r->touches[giver].contact;
    if (sim->s.contact_flags[k] & CAROM_REPORTED_GAIN)
        return CAROM_OK;
    sim->s.contact_flags[k] |= CAROM_REPORTED_GAIN;
    return carom_contact_warn(sim, CAROM_WARN_GAIN, CAROM_REPORTED_GAIN, k,
                              "at t = %.6g s an impact gives %.2g J: Newton's restitution is kept where friction turns "
                              "the slip (Kane's paradox); a compliant contact tells what is lost",
                              r->t, -lost);
}

/* Share of the model's speed up to which velocities at contacts may be left wrong without a word. */
#define LEFT_WRONG 1e-4

carom_status carom_rigid_update(carom_simulation *sim)
{
    carom_rigid *r = sim->rigid;
    for (int k = 0; k < sim->model->contact_count; k++) {
        carom_episode *e = &sim->s.located[k];
        if (e->compressing == CAROM_COMPRESSING && !e->open) {
            CAROM_TRY(end_rest(sim, k, r->t));
            e->compressing = CAROM_OPENING;
        }
    }
    for (int n = 0; n < r->problem.count; n++)
        if (r->problem.contacts[n].p[0] > 0)
            CAROM_TRY(update(sim, &r->touches[n], &r->problem.contacts[n]));
    CAROM_TRY(report_gain(sim));
    if (!(r->left > LEFT_WRONG * carom_sim_speed(sim)) || (sim->s.contact_flags[0] & CAROM_REPORTED_STIFF))
        return CAROM_OK;
    sim->s.contact_flags[0] |= CAROM_REPORTED_STIFF;
    return carom_simulation_warn(sim, CAROM_WARN_IMPULSES,
                                 "at t = %.6g s the impulses of %d contacts at once were found to %.2g m/s only; the "
                                 "load is shared by more of them than rigid bodies tell",
                                 r->t, r->problem.count, r->left);
}

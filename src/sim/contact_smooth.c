/* Roots of the time in which an impact is smooth. Just after an onset the indentation is v0 t, and before a release it
   is v (t_r - t): a force that goes with its power n is smooth in x where p n is an integer and t = x^p. Methods that
   can make their steps in x (carom_integrator.opening, .closing) keep their order there. docs/theory/onset.md */
#include "sim/sim.h"

#include <math.h>

/* Depths at which the power of a law is found, of the expected one, and their ratio. */
#define SHALLOW 1e-6
#define APART 16
/* The highest root, and how far p n may be from an integer; another power takes the third root, in which it is smooth
   to a higher order. */
#define MOST_ROOT 4
#define NEAR 0.02
#define OTHER_ROOT 3

/* Force of a contact at a depth and a rate of closing. */
static double force_at(const carom_model_contact *c, const carom_episode *e, double depth, double closing)
{
    carom_contact_point p = {.gap = -depth, .gap_rate = -closing};
    carom_episode_force(c, e, &p);
    return p.force;
}

/* The root of the time that suits a contact which moves at a rate of closing. */
static int root_of(const carom_model_contact *c, const carom_episode *e, double closing)
{
    const double depth = SHALLOW * e->depth_scale;
    const double far = force_at(c, e, depth, closing), near = force_at(c, e, depth / APART, closing);
    const double power = far > 0 && near > 0 ? log(far / near) / log(APART) : 1;
    for (int p = 1; p <= MOST_ROOT; p++)
        if (fabs(p * power - round(p * power)) < NEAR)
            return p;
    return OTHER_ROOT;
}

/* Share of the duration of an impact up to which a step is made in the root of the time rather than the time. */
#define SCALE 0.6

/* First step of a contact of power 1.5 in x, of the root of its duration, at the local tolerance 1e-9. */
#define FIRST_STEP 0.17
#define FIRST_TOLERANCE 1e-9

double carom_located_map_onset(carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const carom_episode *e = &sim->s.located[k];
    carom_integrator *integrator = sim->integrator;
    const int root = root_of(c, e, e->v0);
    const double share = FIRST_STEP * pow(carom_rhs_local_tolerance(sim) / FIRST_TOLERANCE, 1. / 9);
    integrator->opening = root > integrator->opening ? root : integrator->opening;
    integrator->opened = e->onset;
    integrator->scale = SCALE * e->time_scale;
    return e->time_scale * pow(fmin(share, 0.5), root > 1 ? root : 2);
}

/* Share of the duration over which the change of the gap's rate is taken. */
#define MOMENT 1e-3

/* What moves the surfaces apart besides the force of the contact, turning normals included [m/s^2]. */
static double other_acceleration(const carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const carom_episode *e = &sim->s.located[k];
    const carom_contact_point *p = &sim->d->contacts[k];
    const carom_formulation *f = sim->s.formulation;
    const double moment = MOMENT * e->time_scale;
    const carom_body_acceleration i = f->body_acceleration(sim->d, c->body_i);
    const carom_body_acceleration j = f->body_acceleration(sim->d, c->body_j);
    const carom_body_pose at_i = carom_pose_after(&sim->d->pose[c->body_i], i.linear, i.angular, moment);
    const carom_body_pose at_j = carom_pose_after(&sim->d->pose[c->body_j], j.linear, j.angular, moment);
    carom_contact_point then;
    carom_contact_geometry_at(sim->model, &sim->s, k, &at_i, &at_j, &then);
    return (then.gap_rate - p->gap_rate) / moment - p->force / e->mass;
}

/* A force that goes with a power of the time since an onset is smooth over a step of this many times that time, where
   the step is not made in a root of it. */
#define SMOOTH_PART 2
/* Onsets nearer to each other than this share of the duration are one. */
#define TOGETHER 1e-5

double carom_located_until_smooth(const carom_simulation *sim, int k)
{
    const double age = *sim->s.time - sim->s.located[k].onset;
    const bool mapped = sim->integrator->opening > 0 && sim->integrator->opened == sim->s.located[k].onset;
    return !mapped && age > TOGETHER * sim->s.located[k].time_scale ? SMOOTH_PART * age : HUGE_VAL;
}

/* A rise of the closing speed above this share of v0 is looked for: half of that from which v0 follows. */
#define LEAST_RISE 5e-6

/* Where others push the surfaces together the closing speed rises until the force of the contact is as great, and then
   falls: a long step sees neither. */
double carom_located_until_crest(const carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const carom_episode *e = &sim->s.located[k];
    if (!carom_normal_adapts(&c->law) || e->compressing != CAROM_COMPRESSING || !isfinite(e->mass))
        return HUGE_VAL;
    const double push = -other_acceleration(sim, k), depth = e->depth_scale, half = 0.5 * depth;
    if (!(push > 0))
        return HUGE_VAL;
    const double most = force_at(c, e, depth, e->v0), less = force_at(c, e, half, e->v0);
    const double power = log(most / less) / log(depth / half);
    const double crest = depth * pow(e->mass * push / most, 1 / power) / e->v0;
    const double left = e->onset + crest - *sim->s.time;
    return push * crest > LEAST_RISE * e->v0 && left > 1e-3 * crest ? left : HUGE_VAL;
}

/* Steps of the motion along the normal until the release, and by how much that is put later, so that the step passes
   the root. */
#define RELEASE_STEPS 3
#define LATER 1e-4
/* A contact that separates faster than so many times its present rate has just turned. */
#define MOST_GAIN 2

/* Gap rate and time over a depth w^2, by w. */
static void release_rates(const carom_model_contact *c, const carom_episode *e, double other, double w, double speed,
                          double out[2])
{
    const double force = force_at(c, e, w * w, -speed);
    out[0] = -(force / e->mass + other) * 2 * w / speed;
    out[1] = -2 * w / speed;
}

double carom_located_release_time(const carom_simulation *sim, int k, int *root)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    const carom_episode *e = &sim->s.located[k];
    const carom_contact_point *p = &sim->d->contacts[k];
    if (c->law.elastic->history || !isfinite(e->mass) || e->cut_off)
        return 0;
    double w = sqrt(-p->gap), speed = p->gap_rate, time = 0;
    const double h = -w / RELEASE_STEPS, other = other_acceleration(sim, k);
    for (int n = 0; n < RELEASE_STEPS; n++) {
        double a[2], b[2], d[2], f[2];
        release_rates(c, e, other, w, speed, a);
        release_rates(c, e, other, w + 0.5 * h, speed + 0.5 * h * a[0], b);
        release_rates(c, e, other, w + 0.5 * h, speed + 0.5 * h * b[0], d);
        w = n + 1 < RELEASE_STEPS ? w + h : 0;
        release_rates(c, e, other, w, speed + h * d[0], f);
        speed += h / 6 * (a[0] + 2 * b[0] + 2 * d[0] + f[0]);
        time += h / 6 * (a[1] + 2 * b[1] + 2 * d[1] + f[1]);
    }
    if (!(time > 0) || !isfinite(time) || !(speed > 0 && speed < MOST_GAIN * p->gap_rate))
        return 0;
    *root = root_of(c, e, -speed);
    sim->integrator->scale = SCALE * e->time_scale;
    return time * (1 + LATER);
}

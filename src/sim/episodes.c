/* Episodes of contacts: onset, maxima, release, and the watch that none is passed over. */
#include "sim/sim.h"

#include <float.h>
#include <math.h>

bool carom_episodes_any_open(const carom_simulation *sim)
{
    for (int k = 0; k < sim->model->contact_count; k++)
        if (sim->s.contact_open[k])
            return true;
    return false;
}

/* ---- scales of an episode ---- */

/* Indentation at which the elastic part has stored `energy`. */
static double depth_of_energy(const carom_model_contact *c, double energy)
{
    carom_elastic_force f;
    double high = 1e-9;
    for (int k = 0; k < 200; k++, high *= 2) {
        c->elastic->force(c->elastic_constants, high, &f);
        if (!(f.energy < energy))
            break;
    }
    double low = 0;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        c->elastic->force(c->elastic_constants, middle, &f);
        if (f.energy < energy)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Duration of a Hertz impact over depth/speed (Hertz 1882); other exponents lie between 2.7 and pi. */
#define HERTZ_DURATION 2.9432

static void set_scales(carom_simulation *sim, int contact)
{
    const carom_model_contact *c = &sim->model->contacts[contact];
    carom_state *s = &sim->s;
    double speed = s->contact_v0[contact], mass = s->contact_mass[contact];
    double depth = isfinite(mass) ? depth_of_energy(c, 0.5 * mass * speed * speed) : c->feature_size;
    s->contact_depth_scale[contact] = depth;
    s->contact_time_scale[contact] = HERTZ_DURATION * depth / speed;
}

/* ---- onset and release ---- */

static carom_status open_episode(carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    carom_state *s = &sim->s;
    carom_contact_point *p = &sim->d->contacts[k];
    double speed = fmax(-p->gap_rate, 0);
    s->contact_open[k] = 1;
    s->contact_latched[k] = 0;
    s->contact_compressing[k] = 1;
    s->contact_onset[k] = *s->time;
    s->contact_speed[k] = speed;
    s->contact_v0[k] = c->velocity == CAROM_VELOCITY_MEMORYLESS ? c->reference_speed : fmax(speed, c->minimum_speed);
    s->contact_mass[k] = carom_cartesian_effective_mass(sim->d, k, p);
    s->contact_peak_force[k] = s->contact_peak_depth[k] = 0;
    s->contact_force_rate[k] = 1;
    s->contact_start_loss[k] = s->book_contact[k];
    s->contact_start_impulse[k] = s->book_impulse[k];
    set_scales(sim, k);
    sim->restart = true;
    if (speed < c->minimum_speed && c->velocity != CAROM_VELOCITY_MEMORYLESS &&
        !(s->contact_flags[k] & CAROM_REPORTED_FLOOR)) {
        s->contact_flags[k] |= CAROM_REPORTED_FLOOR;
        return carom_simulation_warn(sim, "contact '%s': impact speed %.3g m/s at t = %.6g s is below minimum_speed; the law uses %.3g m/s",
                                     c->name, speed, *s->time, c->minimum_speed);
    }
    return CAROM_OK;
}

static carom_status close_episode(carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    carom_state *s = &sim->s;
    CAROM_TRY(carom_grow(sim->ctx, &sim->impacts, &sim->impact_capacity, sim->impact_count + 1, sizeof *sim->impacts));
    double v_in = s->contact_speed[k], v_out = sim->d->contacts[k].gap_rate;
    sim->impacts[sim->impact_count++] = (carom_impact){.contact = c->name,
                                                       .contact_index = (size_t)k,
                                                       .onset = s->contact_onset[k],
                                                       .duration = *s->time - s->contact_onset[k],
                                                       .v_in = v_in,
                                                       .v_out = v_out,
                                                       .e_asked = c->restitution,
                                                       .e_got = v_in > 0 ? v_out / v_in : (double)NAN,
                                                       .peak_force = s->contact_peak_force[k],
                                                       .max_indentation = s->contact_peak_depth[k],
                                                       .impulse = s->book_impulse[k] - s->contact_start_impulse[k],
                                                       .energy_lost = s->book_contact[k] - s->contact_start_loss[k],
                                                       .mass = s->contact_mass[k]};
    s->contact_open[k] = 0;
    sim->restart = true;
    return CAROM_OK;
}

/* Impacts in order of onset: an episode may end after one that began later. */
static void sort_impacts(carom_simulation *sim)
{
    for (size_t k = sim->impact_count; k > 1; k--) {
        carom_impact *a = &sim->impacts[k - 2], *b = &sim->impacts[k - 1], swap = *a;
        if (a->onset <= b->onset)
            break;
        *a = *b;
        *b = swap;
    }
}

/* Switches of the policies inside an episode. */
static void update_policy(carom_simulation *sim, int k)
{
    const carom_model_contact *c = &sim->model->contacts[k];
    carom_state *s = &sim->s;
    const carom_contact_point *p = &sim->d->contacts[k];
    if (c->velocity == CAROM_VELOCITY_REARMED) {
        bool compressing = p->gap_rate < 0;
        if (compressing && !s->contact_compressing[k]) {
            /* the rate is zero at the turn: the new compression starts from the floor, and the damping part grows from
               zero with the rate, so that the force stays continuous */
            s->contact_v0[k] = c->minimum_speed;
            sim->restart = true;
        }
        s->contact_compressing[k] = compressing;
    }
    if (c->release == CAROM_RELEASE_LATCH_OPEN && !s->contact_latched[k] && p->gap < 0 && p->raw_force <= 0 &&
        p->gap_rate > 0) {
        s->contact_latched[k] = 1;
        sim->restart = true;
    }
}

static carom_status report_rate(carom_simulation *sim, int k)
{
    carom_state *s = &sim->s;
    const carom_contact_point *p = &sim->d->contacts[k];
    const carom_model_contact *c = &sim->model->contacts[k];
    if (p->gap_rate > s->contact_v0[k] && c->velocity == CAROM_VELOCITY_LATCHED && !(s->contact_flags[k] & CAROM_REPORTED_RATE)) {
        s->contact_flags[k] |= CAROM_REPORTED_RATE;
        CAROM_TRY(carom_simulation_warn(sim, "contact '%s': separates at %.3g m/s, faster than its impact velocity %.3g m/s (t = %.6g s); the law is used outside its derivation",
                                        c->name, p->gap_rate, s->contact_v0[k], *s->time));
    }
    if (p->force < 0 && !(s->contact_flags[k] & CAROM_REPORTED_TENSION)) {
        s->contact_flags[k] |= CAROM_REPORTED_TENSION;
        CAROM_TRY(carom_simulation_warn(sim, "contact '%s': the force is tensile at t = %.6g s (release: raw)", c->name, *s->time));
    }
    return CAROM_OK;
}

carom_status carom_episodes_update(carom_simulation *sim)
{
    carom_state *s = &sim->s;
    bool changed = false;
    for (int k = 0; k < sim->model->contact_count; k++) {
        const carom_contact_point *p = &sim->d->contacts[k];
        if (!s->contact_open[k]) {
            if (p->gap <= 0 && p->gap_rate < 0) {
                CAROM_TRY(open_episode(sim, k));
                changed = true;
            }
            continue;
        }
        update_policy(sim, k);
        if (p->gap >= 0 && p->gap_rate > 0) {
            CAROM_TRY(close_episode(sim, k));
            sort_impacts(sim);
            changed = true;
        } else
            CAROM_TRY(report_rate(sim, k));
    }
    /* forces and scratch were those before the change */
    if (changed && carom_loop_evaluate(sim) != 0)
        return carom_fail(sim->ctx, CAROM_ERROR_SOLVER, NULL, "t = %.9g s: the accelerations cannot be solved at an impact", *s->time);
    return CAROM_OK;
}

/* ---- inside the last step ---- */

/* Contact k at a time of the last step, by the dense output. */
static bool contact_inside(carom_simulation *sim, int k, double t, carom_contact_point *out)
{
    const carom_model *m = sim->model;
    if (!sim->integrator->kind->interpolate(sim->integrator, t, sim->y_scratch))
        return false;
    const double *q = sim->y_scratch, *v = q + (sim->s.v - sim->s.q);
    carom_body_pose i = carom_dynamics_body_pose(m, carom_contact_body(m, k, 0), q, v);
    carom_body_pose j = carom_dynamics_body_pose(m, carom_contact_body(m, k, 1), q, v);
    carom_contact_geometry_at(m, k, &i, &j, out);
    if (sim->s.contact_open[k])
        carom_contact_force_at(m, &sim->s, k, out);
    return true;
}

typedef enum followed { FOLLOW_GAP, FOLLOW_GAP_RATE } followed;

static double follow(carom_simulation *sim, int k, double t, followed what)
{
    carom_contact_point p;
    if (!contact_inside(sim, k, t, &p))
        return 0;
    return what == FOLLOW_GAP ? p.gap : p.gap_rate;
}

/* Root of the gap or its rate between a and b, which have different signs; the side of b is returned. */
static double find_root(carom_simulation *sim, int k, followed what, double a, double fa, double b, double fb)
{
    int kept = 0;
    for (int iteration = 0; iteration < 100; iteration++) {
        double tolerance = 4 * DBL_EPSILON * fmax(fabs(a), fabs(b));
        if (fabs(b - a) <= tolerance || fb == 0)
            break;
        double x = iteration % 6 == 5 ? 0.5 * (a + b) : (a * fb - b * fa) / (fb - fa);
        if (!(x > fmin(a, b) && x < fmax(a, b)))
            x = 0.5 * (a + b);
        double fx = follow(sim, k, x, what);
        if ((fx < 0) == (fb < 0) || fx == 0) {
            b = x;
            fb = fx;
            fa *= kept == 1 ? 0.5 : 1;
            kept = 1;
        } else {
            a = x;
            fa = fx;
            fb *= kept == 2 ? 0.5 : 1;
            kept = 2;
        }
    }
    return b;
}

/* Largest force between a and b by golden section with a parabolic finish. */
static double largest_force(carom_simulation *sim, int k, double a, double b)
{
    const double golden = 0.381966011250105;
    carom_contact_point p;
    double x = a + golden * (b - a), y = b - golden * (b - a), best = 0;
    double fx = contact_inside(sim, k, x, &p) ? p.force : 0, fy = contact_inside(sim, k, y, &p) ? p.force : 0;
    for (int iteration = 0; iteration < 16; iteration++) {
        if (fx > fy) {
            b = y;
            y = x;
            fy = fx;
            x = a + golden * (b - a);
            fx = contact_inside(sim, k, x, &p) ? p.force : 0;
        } else {
            a = x;
            x = y;
            fx = fy;
            y = b - golden * (b - a);
            fy = contact_inside(sim, k, y, &p) ? p.force : 0;
        }
        best = fmax(best, fmax(fx, fy));
    }
    return best;
}

void carom_episodes_track(carom_simulation *sim, double end)
{
    carom_state *s = &sim->s;
    double begin = *s->time, length = end - begin;
    if (!(length > 0))
        return;
    for (int k = 0; k < sim->model->contact_count; k++) {
        if (!s->contact_open[k])
            continue;
        carom_contact_point last, before;
        double near = end - 1e-3 * length;
        if (!contact_inside(sim, k, near, &before) || !contact_inside(sim, k, end, &last))
            continue;
        double depth = -last.gap, force = last.force, rate = (last.force - before.force) / (end - near);
        double rate_before = s->contact_gap_rate[k];
        if (rate_before < 0 && last.gap_rate >= 0) {
            double turn = find_root(sim, k, FOLLOW_GAP_RATE, begin, rate_before, end, last.gap_rate);
            depth = fmax(depth, -follow(sim, k, turn, FOLLOW_GAP));
        }
        if (s->contact_force_rate[k] > 0 && rate <= 0)
            force = fmax(force, largest_force(sim, k, begin, end));
        s->contact_force_rate[k] = rate;
        s->contact_peak_force[k] = fmax(s->contact_peak_force[k], force);
        s->contact_peak_depth[k] = fmax(s->contact_peak_depth[k], depth);
    }
}

bool carom_episodes_missed(carom_simulation *sim, double *onset)
{
    const carom_state *s = &sim->s;
    double begin = sim->integrator->t_before, end = sim->integrator->t;
    bool found = false;
    if (!(end > begin))
        return false;
    for (int k = 0; k < sim->model->contact_count; k++) {
        double gap = s->contact_gap[k], rate = s->contact_gap_rate[k];
        if (s->contact_open[k] || !(gap > 0) || !(rate < 0))
            continue;
        carom_contact_point last;
        if (!contact_inside(sim, k, end, &last) || !(last.gap > 0) || !(last.gap_rate > 0))
            continue;
        /* approaching before, receding after: the nearest point lies inside the step */
        double nearest = find_root(sim, k, FOLLOW_GAP_RATE, begin, rate, end, last.gap_rate);
        double smallest = follow(sim, k, nearest, FOLLOW_GAP);
        if (!(smallest < 0))
            continue;
        double t = find_root(sim, k, FOLLOW_GAP, begin, gap, nearest, smallest);
        if (!found || t < *onset)
            *onset = t;
        found = true;
    }
    return found;
}

/* Steps inside a contact: at most this share of its expected duration, while it may still be an impact. */
#define CONTACT_STEP_SHARE 0.1
#define CONTACT_STEP_AGE 1.5

double carom_episodes_horizon(const carom_simulation *sim)
{
    const carom_model *m = sim->model;
    const carom_dynamics *d = sim->d;
    const carom_state *s = &sim->s;
    double horizon = HUGE_VAL, now = *s->time;
    for (int k = 0; k < m->contact_count; k++) {
        if (s->contact_open[k]) {
            if (now - s->contact_onset[k] < CONTACT_STEP_AGE * s->contact_time_scale[k])
                horizon = fmin(horizon, CONTACT_STEP_SHARE * s->contact_time_scale[k]);
            continue;
        }
        const carom_contact_point *p = &d->contacts[k];
        int bodies[2] = {carom_contact_body(m, k, 0), carom_contact_body(m, k, 1)};
        carom_vec3 v[2], a[2];
        for (int side = 0; side < 2; side++) {
            const carom_body_pose *pose = &d->pose[bodies[side]];
            v[side] = carom_v3_add(pose->v, carom_v3_cross(pose->w, carom_v3_sub(p->point, pose->p)));
            const double *acceleration = d->acceleration + (bodies[side] - 1) * m->v_per_body;
            a[side] = bodies[side] == 0 ? carom_v3(0, 0, 0)
                                        : carom_v3(acceleration[0], acceleration[1], m->dimension == 3 ? acceleration[2] : 0);
        }
        double speed = carom_v3_norm(carom_v3_sub(v[1], v[0])), push = carom_v3_norm(carom_v3_sub(a[1], a[0]));
        double length = fmax(p->gap, m->contacts[k].feature_size);
        double root = speed + sqrt(speed * speed + 2 * push * length);
        if (root > 0)
            horizon = fmin(horizon, 2 * length / root);
    }
    return now + horizon;
}

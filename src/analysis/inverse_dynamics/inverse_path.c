/* Peaks and integrals along the motion. Contacts begin and end at ends of steps; between them steps are as long as
   Simpson's rule allows, whose error is told by that of two halves. */
#include "analysis/inverse_dynamics/inverse.h"

#include <math.h>
#include <string.h>

/* Error of the work in a step: of its largest power over its length, and of the largest one so far. */
#define OF_STEP 1e-7
#define OF_ALL 1e-8
/* Power that is rounding: of the energy, over the run. */
#define ROUNDING 1e-9
/* Shortest step, of the time between two ends: a jump of an effort that nothing tells of lies in one. */
#define SHORTEST (1 / 1024.0)
/* Times that are one, of the length of the run: of a break, and of a row. */
#define AT_ONCE 1e-12
/* A step with an error below this share of the allowed one doubles the next. */
#define EASY (1 / 32.0)

/* ---- what is kept ---- */

carom_status carom_path_create(carom_analysis *a, carom_path *p)
{
    const size_t drives = (size_t)p->w.drive_count, joints = (size_t)p->w.m->joint_count;
    if (!(p->actuators = carom_arena_alloc(&a->arena, 2 * drives, sizeof *p->actuators)) ||
        !(p->joints = carom_arena_alloc(&a->arena, 2 * joints, sizeof *p->joints)) ||
        !(p->power = carom_arena_alloc(&a->arena, 5 * drives, sizeof *p->power)))
        return carom_fail_memory(a->ctx);
    p->kept_actuators = p->actuators + drives;
    p->kept_joints = p->joints + joints;
    CAROM_TRY(carom_inverse_mark_create(a, &p->w, &p->mark));
    return carom_inverse_search_create(a, &p->w, &p->search);
}

void carom_path_free(carom_path *p)
{
    carom_inverse_mark_free(&p->mark);
    carom_inverse_search_free(p->search);
}

static carom_status keep(carom_path *p)
{
    memcpy(p->kept_actuators, p->actuators, (size_t)p->w.drive_count * sizeof *p->actuators);
    memcpy(p->kept_joints, p->joints, (size_t)p->w.m->joint_count * sizeof *p->joints);
    p->kept_totals = p->totals;
    return carom_inverse_keep(&p->w, &p->mark);
}

static carom_status go_back(carom_path *p)
{
    memcpy(p->actuators, p->kept_actuators, (size_t)p->w.drive_count * sizeof *p->actuators);
    memcpy(p->joints, p->kept_joints, (size_t)p->w.m->joint_count * sizeof *p->joints);
    p->totals = p->kept_totals;
    return carom_inverse_go_back(&p->w, &p->mark);
}

double carom_path_energy(const carom_inverse *w)
{
    const carom_energy e = carom_system_energy(w->d, w->s);
    return e.kinetic + e.potential + e.elastic;
}

/* ---- one instant ---- */

/* A value that is larger than the largest so far by more than rounding. */
static bool is_peak(double value, double so_far) { return fabs(value) > fabs(so_far) * (1 + 1e-12); }

static void add_actuators(carom_path *p, double weight)
{
    const double t = *p->w.s->time;
    double power = 0;
    for (int k = 0; k < p->w.drive_count; k++) {
        const carom_drive *drive = &p->w.drives[k];
        carom_actuator_sums *sum = &p->actuators[k];
        if (!drive->acts)
            continue;
        const double own = drive->effort * drive->rate;
        if (is_peak(drive->effort, sum->peak)) {
            sum->peak = drive->effort;
            sum->peak_time = t;
        }
        sum->speed = fmax(sum->speed, fabs(drive->rate));
        sum->power = own > sum->power ? own : sum->power;
        sum->braking = -own > sum->braking ? -own : sum->braking;
        sum->work += weight * own;
        sum->square += weight * drive->effort * drive->effort;
        power += own;
    }
    p->totals.peak_power = fmax(p->totals.peak_power, power);
}

static void add_reactions(carom_path *p)
{
    const carom_model *m = p->w.m;
    const double t = *p->w.s->time;
    for (int k = 0; k < m->joint_count; k++) {
        if (m->joints[k].first_row < 0 || m->joints[k].of >= 0)
            continue;
        const carom_wrench r = carom_dynamics_reaction(p->w.d, k, p->w.d->multipliers, false);
        const double force = carom_v3_norm(r.force), moment = carom_v3_norm(r.torque);
        carom_joint_sums *sum = &p->joints[k];
        if (is_peak(force, sum->force)) {
            sum->force = force;
            sum->force_time = t;
        }
        if (is_peak(moment, sum->moment)) {
            sum->moment = moment;
            sum->moment_time = t;
        }
    }
}

carom_status carom_path_sample(carom_path *p, double t, double weight)
{
    CAROM_TRY(carom_inverse_move(&p->w, t));
    CAROM_TRY(carom_inverse_forces(&p->w));
    carom_inverse_note(&p->w);
    add_actuators(p, weight);
    add_reactions(p);
    p->totals.samples++;
    return CAROM_OK;
}

/* ---- one step ---- */

static void note_power(carom_path *p, int n)
{
    const size_t count = (size_t)p->w.drive_count;
    for (size_t k = 0; k < count; k++) {
        const carom_drive *drive = &p->w.drives[k];
        p->power[(size_t)n * count + k] = drive->acts ? drive->effort * drive->rate : 0;
    }
}

/* Four instants behind the one that was sampled, to t; by Simpson's rule in two halves. */
static carom_status step(carom_path *p, double t)
{
    static const double weights[5] = {1, 4, 2, 4, 1};
    const double from = *p->w.s->time, h = t - from;
    add_actuators(p, h / 12);
    note_power(p, 0);
    for (int n = 1; n < 5; n++) {
        CAROM_TRY(carom_path_sample(p, n == 4 ? t : from + 0.25 * n * h, weights[n] * h / 12));
        note_power(p, n);
    }
    return CAROM_OK;
}

/* Error of the mean power in the step, of the one that is allowed. */
static double error_of(const carom_path *p, double energy, double *largest)
{
    const size_t count = (size_t)p->w.drive_count;
    double error = 0;
    *largest = 0;
    for (size_t k = 0; k < count; k++) {
        const double *of = p->power + k;
        for (size_t n = 0; n < 5; n++)
            *largest = fmax(*largest, fabs(of[n * count]));
        /* of Simpson's rule over the whole, (1 0 4 0 1)/6, less that of two halves, (1 4 2 4 1)/12; a 15th of it */
        error += fabs(of[0] - 4 * of[count] + 6 * of[2 * count] - 4 * of[3 * count] + of[4 * count]) / (12 * 15);
    }
    const double allowed = OF_STEP * *largest + OF_ALL * p->strongest + ROUNDING * energy / (p->until - p->start);
    return error <= allowed ? error / fmax(allowed, 1e-300) : HUGE_VAL;
}

/* Energy whose rounding is none: kinetic, and what was given so far. */
static double energy_of(const carom_path *p)
{
    double energy = carom_system_energy(p->w.d, p->w.s).kinetic;
    for (int k = 0; k < p->w.drive_count; k++)
        energy += fabs(p->actuators[k].work);
    return energy;
}

/* Between two ends, at which contacts may begin and end. */
static carom_status pass(carom_path *p, double end)
{
    const double from = *p->w.s->time, least = SHORTEST * (end - from);
    double h = end - from;
    for (double t = from; t < end; t = *p->w.s->time) {
        const bool last = t + h * (1 + 1e-6) >= end;
        double largest;
        CAROM_TRY(keep(p));
        CAROM_TRY(step(p, last ? end : t + h));
        const double error = error_of(p, energy_of(p), &largest);
        if (error > 1 && h > least) {
            CAROM_TRY(go_back(p));
            h *= 0.5;
            continue;
        }
        p->strongest = fmax(p->strongest, largest);
        h *= error < EASY ? 2 : 1;
    }
    return CAROM_OK;
}

carom_status carom_path_advance(carom_path *p, double t)
{
    carom_inverse *w = &p->w;
    while (*w->s->time < t) {
        const double from = *w->s->time, next = carom_inverse_next_break(w);
        const double end = next < t - AT_ONCE * (p->until - p->start) ? next : t;
        const int parts = carom_inverse_steps(w, end - from);
        const double part = parts > 1 ? from + (end - from) / parts : end;
        carom_inverse_event event;
        CAROM_TRY(carom_inverse_next_event(w, p->search, part, &event));
        CAROM_TRY(pass(p, event.found ? event.before : part));
        if (event.found)
            CAROM_TRY(carom_path_sample(p, event.after, 0));
        else if (part >= next - AT_ONCE * (p->until - p->start) && part < p->until)
            CAROM_TRY(carom_path_sample(p, part, 0));
    }
    return CAROM_OK;
}

/* Onsets inside the last step that no root function has shown. */
#include "sim/sim.h"

#include <float.h>
#include <math.h>

/* Where in a step, from `begin` to `end`, the gap turns from falling to rising; false if it does not. The rates at both
   ends and the mean slope give that in the middle by Simpson's rule; only where it is far from both is the step
   sampled. */
#define TURN_SAMPLES 8
#define TURN_SUSPECTED 0.5
static bool find_turn(carom_simulation *sim, int k, double begin, double rate, const carom_contact_point *last,
                      double end, double *falling, double *falling_rate, double *rising, double *rising_rate)
{
    *falling = begin;
    *falling_rate = rate;
    *rising = end;
    *rising_rate = last->gap_rate;
    if (rate < 0 && last->gap_rate > 0)
        return true;
    if ((rate < 0) != (last->gap_rate < 0))
        return false;
    const double sign = rate < 0 ? -1 : 1, least = fmin(fabs(rate), fabs(last->gap_rate));
    const double middle = (6 * (last->gap - sim->s.located[k].gap) / (end - begin) - rate - last->gap_rate) / 4;
    if (sign * middle > TURN_SUSPECTED * least)
        return false;
    double before = begin, before_rate = rate;
    for (int n = 1; n <= TURN_SAMPLES; n++) {
        const double t = begin + (end - begin) * n / TURN_SAMPLES;
        const double now = n < TURN_SAMPLES ? carom_located_follow(sim, k, t, CAROM_FOLLOW_GAP_RATE) : last->gap_rate;
        if (before_rate < 0 && now > 0) {
            *falling = before;
            *falling_rate = before_rate;
            *rising = t;
            *rising_rate = now;
            return true;
        }
        before = t;
        before_rate = now;
    }
    return false;
}

/* The last step as a contact sees it that is closed. */
typedef struct closed_step {
    double begin, gap, rate;    /* [s], [m], [m/s] */
    double end;
    carom_contact_point last;
} closed_step;

/* Of a contact that opened and closed within the step, so that its gap is positive at both ends. */
static bool opened_between(carom_simulation *sim, int k, const closed_step *step, double *onset)
{
    double falling, falling_rate, rising, rising_rate;
    if (!find_turn(sim, k, step->begin, step->rate, &step->last, step->end, &falling, &falling_rate, &rising,
                   &rising_rate))
        return false;
    /* the nearest point lies where the gap turns */
    const double nearest =
        carom_located_root(sim, k, CAROM_FOLLOW_GAP_RATE, falling, falling_rate, rising, rising_rate);
    const double smallest = carom_located_follow(sim, k, nearest, CAROM_FOLLOW_GAP);
    if (!(smallest < 0))
        return false;
    /* the gap turned from rising to falling between `begin` and `falling`, if not before */
    const bool later = falling > step->begin;
    double open = falling;
    for (int n = 1; n < TURN_SAMPLES && later && !(carom_located_follow(sim, k, open, CAROM_FOLLOW_GAP) > 0); n++)
        open = step->begin + (falling - step->begin) * (TURN_SAMPLES - n) / TURN_SAMPLES;
    const double gap = later ? carom_located_follow(sim, k, open, CAROM_FOLLOW_GAP) : step->gap;
    if (gap > 0)
        *onset = carom_located_root(sim, k, CAROM_FOLLOW_GAP, open, gap, nearest, smallest);
    return gap > 0;
}

/* Most steps by which a corner is followed through a step, and the share of its speed along a surface with which it may
   come nearer. */
#define ADVANCES 64
#define ALONG_SHARE 0.1
/* Of a contact's size: nearer corners are about to touch, lie beside another one, or have just parted. */
#define AWAY 1e-4
/* Units of rounding of the time by which a step ends behind a jump. */
#define UNITS 64

/* Of a corner that came in through one side and is outside again by the end, as it left by another one: its gap jumps
   there, and has no turn. It is followed by times in which it cannot come in. */
static bool came_in(carom_simulation *sim, int k, const closed_step *step, double *onset)
{
    const double least = (step->end - step->begin) / ADVANCES;
    const carom_model_contact *c = &sim->model->contacts[k];
    carom_contact_point p;
    if (!c->hands_over || !(step->gap > AWAY * c->feature_size) || !carom_located_inside(sim, k, step->begin, &p))
        return false;
    for (double t = step->begin, gap = step->gap;;) {
        const double speed = fmax(-p.gap_rate, 0) + ALONG_SHARE * carom_v3_norm(p.slip);
        const double next = t + fmax(speed > 0 ? gap / speed : HUGE_VAL, least);
        /* a step may be of a few units of rounding of the time */
        if (!(next > t && next < step->end) || !carom_located_inside(sim, k, next, &p))
            return false;
        if (p.gap < 0) {
            *onset = carom_located_root(sim, k, CAROM_FOLLOW_GAP, t, gap, next, p.gap);
            /* where its gap jumps, at another corner, the step ends surely behind that */
            if (carom_located_inside(sim, k, *onset, &p) && p.gap < -carom_jump_of_gap(c))
                *onset = fmin(*onset + UNITS * DBL_EPSILON * *onset, next);
            return true;
        }
        t = next;
        gap = p.gap;
    }
}

/* Of a contact that was released with almost no speed: the gap began at zero within rounding, where a root function has
   no sign, rose and fell back. */
static bool fell_back(carom_simulation *sim, int k, const closed_step *step, double *onset)
{
    const carom_contact_point *last = &step->last;
    if (step->gap > 0 || !(step->rate > 0) || !(last->gap_rate < 0))
        return false;
    const double crest =
        carom_located_root(sim, k, CAROM_FOLLOW_GAP_RATE, step->begin, step->rate, step->end, last->gap_rate);
    const double highest = carom_located_follow(sim, k, crest, CAROM_FOLLOW_GAP);
    *onset = highest > 0 ? carom_located_root(sim, k, CAROM_FOLLOW_GAP, crest, highest, step->end, last->gap) : crest;
    return true;
}

/* Of a contact's size: no root that has been located is so deep. */
#define DEEP 1e-6

static bool is_deep(const carom_simulation *sim, int k, double gap)
{
    const double size = sim->model->contacts[k].feature_size;
    return gap < -DEEP * (isfinite(size) && size > 0 ? size : sim->model->length_scale);
}

/* Brings an onset forward to that of a closed contact whose gap is negative then, as a place that bears hands over to
   another one, which is deep at once, later in the step. */
static bool opened_before(carom_simulation *sim, double begin, double *onset)
{
    bool brought = false;
    for (int n = 0; n < sim->near_count; n++) {
        const int k = sim->near[n];
        const double from = sim->s.located[k].gap;
        if (sim->s.located[k].open || !(from > 0))
            continue;
        const double gap = carom_located_follow(sim, k, *onset, CAROM_FOLLOW_GAP);
        if (!is_deep(sim, k, gap))
            continue;
        const double t = carom_located_root(sim, k, CAROM_FOLLOW_GAP, begin, from, *onset, gap);
        brought = brought || t < *onset;
        *onset = fmin(t, *onset);
    }
    return brought;
}

/* Of pairs that were far apart, and have met after all, as forces grew faster than was foreseen. */
static bool met_from_afar(carom_simulation *sim, double begin, double end, double *onset)
{
    const double *motion = sim->far ? carom_located_motion(sim, end) : NULL;
    bool met = false;
    if (!motion)
        return false;
    carom_far_place(sim, motion);
    for (int first = carom_far_meets(sim, 0); first >= 0; first = carom_far_meets(sim, first + 1))
        for (int k = first; k < first + carom_contact_points(sim->model, first); k++) {
            const double gap = carom_located_follow(sim, k, end, CAROM_FOLLOW_GAP);
            if (gap > 0)
                continue;
            const double t = carom_located_root(sim, k, CAROM_FOLLOW_GAP, begin, sim->s.located[k].gap, end, gap);
            *onset = met ? fmin(*onset, t) : t;
            met = true;
        }
    return met;
}

/* So often an onset is brought forward: more than places hand over in a step. */
#define FORWARD 8

bool carom_located_missed(carom_simulation *sim, double *onset)
{
    const carom_state *s = &sim->s;
    closed_step step = {.begin = sim->integrator->t_before, .end = sim->integrator->t};
    bool found = false, deep = false;
    if (!(step.end > step.begin))
        return false;
    carom_located_keep_states(sim, true);
    found = met_from_afar(sim, step.begin, step.end, onset);
    for (int n = 0; n < sim->near_count; n++) {
        const int k = sim->near[n];
        double t;
        step.gap = s->located[k].gap;
        step.rate = s->located[k].gap_rate;
        if (s->located[k].open || !(step.gap > 0 || step.rate > 0) ||
            !carom_located_inside(sim, k, step.end, &step.last) || step.last.gap == 0)
            continue;
        deep = deep || (step.gap > 0 && is_deep(sim, k, step.last.gap));
        if (!(step.last.gap > 0 ? opened_between(sim, k, &step, &t) || came_in(sim, k, &step, &t)
                                : fell_back(sim, k, &step, &t)))
            continue;
        if (!found || t < *onset)
            *onset = t;
        found = true;
    }
    if (!found && deep)
        *onset = step.end;
    for (int n = 0; n < FORWARD && (found || deep) && opened_before(sim, step.begin, onset); n++)
        found = true;
    carom_located_keep_states(sim, false);
    return found;
}
